"""Libraries: the drivers of the games of this package, compiled ahead of time for many platforms.

`tools/libraries.py` makes them: a file for each game and platform, and an index of all. The symbol of a driver holds a
digest of all source files that its rules come from, the values that they read and the layouts of their records. So code
is only used where it is that of the rules at hand. It is loaded by ctypes, without numpy, Numba or llvmlite.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from quintain.engine.rules.compiling.calls import LoadedDriver
from quintain.engine.rules.compiling.fingerprints import values_of
from quintain.engine.rules.compiling.targets import PLATFORMS, SUFFIX, TEST, here
from quintain.engine.rules.linking import Function, RuledGame, reached
from quintain.engine.rules.state import layout_of

PACKAGE = Path(__file__).parents[3]
FOLDER, INDEX = "libraries", "index.json"
SETTING = "QUINTAIN_LIBRARIES"
"""The variable that names another folder than that of the package; one that is not there means that none are used."""
OWN = ("calls.py", "memory.py", "native.py", "targets.py", "../linking.py")
"""The files that decide how code is compiled and called."""


class Indexed(NamedTuple):
    """What the index says of a library: the SHA-256 of its file, and the symbols of its drivers."""

    sha256: str
    drivers: tuple[str, ...]


def digest_of(game: RuledGame, driver: Function) -> str | None:
    """Return a digest of all that decides what a driver of a game computes; None if not all of it is in this package.

    It is the same with every version of Python: unlike a fingerprint, it hashes sources, comments included.
    """
    functions = reached(game, [driver])
    names = {function: f"{function.__module__}.{function.__qualname__}" for function in functions}
    called = {f"rules.{name}": names.get(each) for name, each in game.functions.items()}
    called |= {f"written.{name}": names.get(each) for name, each in game.written.items()}
    digest = hashlib.sha256(repr((sorted(game.constants.items()), sorted(called.items()))).encode())
    digest.update(layout_of(game.state).encode() + layout_of(game.book).encode())
    for function in sorted(functions, key=names.__getitem__):
        digest.update(f"{names[function]} {values_of(function, names)}".encode())
    made = sorted(str(vars(function)["source"]) for function in functions if "source" in vars(function))
    digest.update(repr(made).encode())
    files = {Path(f.__code__.co_filename) for f in functions if "source" not in vars(f)}
    if not all(PACKAGE in file.parents for file in files):
        return None
    digest.update(_read(sorted(files)) + _read([Path(__file__).parent / name for name in OWN]))
    return digest.hexdigest()[:16]


def symbol_of(driver: Function, digest: str, types: str) -> str:
    """Return the symbol of a driver with a digest, for arguments whose types have a digest, too."""
    return f"{driver.__name__}_{digest}_{types}"


def problem(game: RuledGame, driver: Function, types: str = "") -> str:
    """Return why the library of a game cannot be used for a driver; nothing if it can, for some types or any."""
    digest, listed = _known_digest(game, driver), _listed(game.id)
    if digest is None:
        return "not all of its rules are Quintain's own"
    if not index():
        return f"there are no libraries in {folder()}"
    if listed is None:
        return f"there is no library for {here()}"
    if _library(game.id) is None:
        return "its library is missing, damaged, or does not fit this machine"
    if not any(name.startswith(symbol_of(driver, digest, "")) for name in listed.drivers):
        return "its library was made from other sources"
    if not any(name.startswith(symbol_of(driver, digest, types)) for name in listed.drivers):
        return "its library has this driver for arguments of other types"
    return ""


def holds(game: RuledGame, driver: Function, types: str = "") -> bool:
    """Tell whether the library of a game on this platform has a driver for the rules at hand, for some types or any."""
    return not problem(game, driver, types)


def is_made(platform: str, game: RuledGame, driver: Function) -> bool:
    """Tell whether the index names a driver for the rules at hand in the library of a game for any platform."""
    digest, listed = _known_digest(game, driver), index().get(platform, {}).get(game.id)
    return bool(digest and listed and any(name.startswith(symbol_of(driver, digest, "")) for name in listed.drivers))


def load(game: RuledGame, driver: Function, types: str) -> LoadedDriver | None:
    """Return a driver of the library of a game on this platform; None if there is none for the rules at hand."""
    library = _library(game.id) if holds(game, driver, types) else None
    if library is None:
        return None
    symbol = symbol_of(driver, _known_digest(game, driver) or "", types)
    try:
        function = library[f"{symbol}{SUFFIX}" if is_newer(library) else symbol]
    except AttributeError:  # the index names what is not there
        return None
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int32
    return LoadedDriver(f"{game.title} ({driver.__name__})", function)


def folder() -> Path:
    """Return the folder of the libraries."""
    return Path(os.environ.get(SETTING) or PACKAGE / FOLDER)


@cache
def index() -> dict[str, dict[str, Indexed]]:
    """Return what the index says of each platform and game; nothing if no libraries were made, or it is damaged."""
    try:
        read = json.loads((folder() / INDEX).read_text(encoding="utf-8"))
        return {
            name: {id_: Indexed(each["sha256"], tuple(map(str, each["drivers"]))) for id_, each in games.items()}
            for name, games in read.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def is_newer(library: ctypes.CDLL) -> bool:
    """Tell whether a library has drivers for newer processors, and this is one."""
    return hasattr(library, TEST) and bool(library[TEST]())


def forget() -> None:
    """Look at the folder of libraries anew; code that is loaded stays loaded."""
    for known in (index, _listed, _known_digest, _library):
        known.cache_clear()


@cache
def _listed(id_: str) -> Indexed | None:
    """Return what the index says of a game on this platform."""
    return index().get(here(), {}).get(id_)


@cache
def _known_digest(game: RuledGame, driver: Function) -> str | None:
    """Return what `digest_of` does, once in a process: bots ask for it at each move."""
    return digest_of(game, driver)


@cache
def _library(id_: str) -> ctypes.CDLL | None:
    """Load the library of a game; None if its file is not the one that the index names, or cannot be loaded."""
    listed = _listed(id_)
    ending = next((each.ending for each in PLATFORMS if each.name == here()), "")
    file = folder() / here() / f"{id_}.{ending}"
    try:
        if listed is None or not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != listed.sha256:
            return None
        return ctypes.CDLL(str(file))
    except OSError:  # it cannot be read, or its folder may hold no code that runs
        return None


def _read(files: Iterable[Path]) -> bytes:
    return b"\0".join(file.read_bytes().replace(b"\r\n", b"\n") for file in files)
