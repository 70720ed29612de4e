"""Plug-ins: the games, bots and card sets of other packages, which their entry points name.

A package lists what it brings in its metadata, under one of the GROUPS. `load` hands each of these objects to the part
of Quintain that knows the kind. Whatever fails is left out with one warning and stops nothing; `known` lists all.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = {"games": "quintain.games", "bots": "quintain.bots", "cards": "quintain.cards"}
"""The group of entry points of each kind of plug-in."""
WORDS = {"games": "game", "bots": "bot", "cards": "card set"}
NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
"""The form of a name that people type on the command line."""
OBJECT = re.compile(r"[\w.]+:[\w.]+")
"""The form of the place of an object."""
log = logging.getLogger("quintain.plugins")


@dataclass(frozen=True)
class Plugin:
    """One plug-in: its kind, its name, the package that brings it, with the version, and the object there.

    `problem` says where and why it is left out; empty if it is in use.
    """

    kind: str
    name: str
    package: str
    object: str
    problem: str = ""


_known: dict[tuple[str, ...], Plugin] = {}
_begun: set[str] = set()
_turn = threading.RLock()


def known() -> list[Plugin]:
    """Return the plug-ins of the kinds that have been loaded, sorted by kind and name."""
    return [_known[key] for key in sorted(_known)]


def load(takers: Mapping[str, Callable[[Plugin, object], None]]) -> None:
    """Call the taker of each kind with its plug-ins and their objects, the first time that somebody asks for the kinds.

    If a taker raises an error, the plug-in is left out. Other threads wait meanwhile. A plug-in that is being loaded
    may ask, too, and gets what there is so far.
    """
    with _turn:
        if _begun.isdisjoint(takers):
            _begun.update(takers)
            for kind, take in takers.items():
                _load(kind, take)


def _load(kind: str, take: Callable[[Plugin, object], None]) -> None:
    from importlib.metadata import entry_points  # here, since `import quintain` takes 15 ms longer with it

    try:
        points = sorted(entry_points(group=GROUPS[kind]), key=lambda point: (point.name, point.value))
    except Exception as error:  # any package may have broken metadata
        _warn(f"all {kind} of packages, since the metadata of one cannot be read: {_words(error)}")
        return
    for point in points:
        package = f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"
        plugin = Plugin(kind, point.name, package, point.value)
        try:
            if not NAME.fullmatch(point.name):
                raise ValueError(f"a name consists of small letters, digits and hyphens, not {point.name!r}")
            if not OBJECT.fullmatch(point.value):
                raise ValueError(f"{point.value!r} names no object: write package.module:OBJECT")
            with contextlib.redirect_stdout(sys.stderr):  # what commands print for programs must stay whole
                found = point.load()
            take(plugin, found)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:  # somebody else's module may raise anything
            plugin = replace(plugin, problem=f"{_place(point, error)}: {_words(error)}")
            _warn(f"the {WORDS[kind]} {point.name} of {package}: {plugin.problem}")
        _known[kind, point.name, package, point.value] = plugin


def _warn(words: str) -> None:
    """Say what is left out, and why. Only the process that a user started does; those that it starts stay silent."""
    from multiprocessing import parent_process  # here, for the same reason

    if parent_process() is None:
        log.warning("quintain leaves out %s", words)


def _words(error: BaseException) -> str:
    """Return what went wrong. Quintain's own errors need no name, those of Python do."""
    own = type(error).__module__.startswith("quintain.") or type(error) is ValueError
    try:
        words = str(error)
    except Exception:  # an error of somebody else's may not even have words
        words = "an error without words"
    words = "".join(letter if letter.isprintable() else " " for letter in words)
    return words if own else f"{type(error).__name__}: {words}"


def _place(point: EntryPoint, error: BaseException) -> str:
    """Return the file and line of a plug-in at which an error arose; else those that define it."""
    for find in (_found_place, _declaration):
        with contextlib.suppress(Exception):  # a warning stops nothing, whatever the package looks like
            return find(point, error)
    return "its metadata"


def _found_place(point: EntryPoint, error: BaseException) -> str:
    folder = _folder(point)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if folder and _is_in(frame.filename, folder)]
    if frames:
        return f"{frames[-1].filename}, line {frames[-1].lineno}"
    return _definition(point) or _declaration(point, error)


def _folder(point: EntryPoint) -> Path | None:
    """Return the folder or file of a plug-in's top package; None if there is none."""
    try:
        spec = importlib.util.find_spec(point.module.partition(".")[0])
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)


def _is_in(file: str, folder: Path) -> bool:
    return Path(file) == folder or folder in Path(file).parents


def _definition(point: EntryPoint) -> str:
    """Return the file and line that define a plug-in's object; empty if they cannot be found."""
    try:
        spec = importlib.util.find_spec(point.module)
        lines = Path(spec.origin).read_text(encoding="utf-8").splitlines() if spec and spec.origin else []
    except (Exception, SystemExit):  # a parent package may raise anything
        return ""
    starts = re.compile(rf"(class\s+|def\s+)?{re.escape(point.attr or '')}\b")
    line = next((number for number, line in enumerate(lines, 1) if starts.match(line)), 1)
    return f"{spec.origin}, line {line}" if spec and spec.origin else ""


def _declaration(point: EntryPoint, _: BaseException) -> str:
    """Return the file and line of the metadata that name a plug-in."""
    listed = [file for file in (point.dist and point.dist.files) or () if file.name == "entry_points.txt"]
    if not listed:
        return "its metadata"
    path = Path(str(listed[0].locate()))
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next((number for number, line in enumerate(lines, 1) if point.value in line), 1)
    return f"{path}, line {line}"
