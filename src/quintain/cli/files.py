"""Reads and writes files for the commands: saves, records, and the files that options name."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quintain.engine import home
from quintain.engine.errors import BadOption, BadRecord, QuintainError, UnknownGame
from quintain.engine.play.documents import OtherRules
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option

STDIN = Path("-")
"""The name by which people ask a command to read the standard input instead of a file."""


def called(path: Path | str) -> str:
    """Return what a message calls a file."""
    return "the standard input" if str(path) == str(STDIN) else str(path)


def read_text(path: Path, error: type[QuintainError]) -> str:
    """Return the text of a file, or of the standard input for `-`; raises `error`, which says why it cannot be read."""
    name = called(path)
    try:
        text = (_standard_input() if path == STDIN else path.read_bytes()).decode("utf-8")
    except UnicodeDecodeError as problem:
        raise error(f"{name} cannot be read: it is not a text in UTF-8") from problem
    except (OSError, ValueError) as problem:
        raise error(f"{name} cannot be read: {_reason(problem)}") from problem
    if not text.strip():
        raise error(f"{name} cannot be read: it is empty{', or - is given twice' if path == STDIN else ''}")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _standard_input() -> bytes:
    """Return all that is left of the standard input."""
    if sys.stdin is None:
        return b""
    raw = getattr(sys.stdin, "buffer", None)
    return raw.read() if raw else sys.stdin.read().encode()


@contextlib.contextmanager
def on_disk(path: Path, error: type[QuintainError]) -> Iterator[Path]:
    """Yield a path where a file can be read in any order: for `-`, that of a copy of the standard input.

    Raises `error` if the standard input is empty, or not what the caller needs.
    """
    if path != STDIN:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "standard-input"
        copied.write_bytes(_standard_input())
        if not copied.stat().st_size:
            raise error(f"{called(path)} cannot be read: it is empty")
        try:
            yield copied
        except QuintainError as problem:
            raise error(str(problem).replace(str(copied), called(path))) from problem


@contextlib.contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Put the path of a file before the message of any BadOption."""
    try:
        yield
    except BadOption as error:
        raise type(error)(f"{called(path)}, {error}") from error


def read_options(game: Game, texts: Sequence[str]) -> dict[str, Any]:
    """Return the options given as ``name=value``, by name; raises BadOption.

    If an option takes a file, its value is the text of the file, or the name of a set that a package brings.
    """
    known = {option.name: option for option in game.text.OPTIONS}
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(f"the option {text!r} cannot be read: write name=value; {game.title} has {_listed(known)}")
        if name in options:
            raise BadOption(f"the option {name} is given twice; give it once")
        reads = name in known and not is_set(game, name, value)
        options[name] = _read_files(known[name], value) if reads else value
    return options


def is_set(game: Game, option: str, value: object) -> bool:
    """Tell whether the value of an option is the name of a card set that a package brings."""
    is_own = game.collection is not None and option == game.collection.option
    return is_own and isinstance(value, str) and value in game.card_sets


def _read_files(option: Option, value: str) -> Any:
    """Return an option's value, with the text of each file instead of its path; raises BadOption."""
    parts = [part.strip() for part in value.split(",")] if option.kind == "files" else [value.strip()]
    if option.kind in ("file", "files") and not all(parts):
        raise BadOption(f"the option {option.name} takes {option.takes()}; a file name is missing in {value!r}")
    if option.kind == "files":
        return [part if part in option.choices else read_text(path_of(part), BadOption) for part in parts]
    return read_text(path_of(value), BadOption) if option.kind == "file" else value


def load(path: Path) -> Match:
    """Return the match of a save or a record; raises BadRecord, which names the file."""
    return match_of(read_text(path, BadRecord), path)


def match_of(text: str, path: Path) -> Match:
    """Return the match of the text of a save or a record; raises BadRecord, which names the file at `path`."""
    try:
        return Match.load(text)
    except OtherRules as error:
        more = "; if it is in a file, add --game-file FILE" if isinstance(error.__cause__, UnknownGame) else ""
        raise OtherRules(f"{called(path)}: {error}{more}", error.record) from error
    except BadRecord as error:
        raise BadRecord(f"{called(path)}: {error}") from error


def check_beginning(match: Match, path: Path, trust: bool) -> None:
    """Raise BadRecord for a match that began from a position, unless its user trusts the file.

    Nobody can check whether moves lead to a position, and bots search it in compiled code, which checks no bounds.
    """
    if match.is_from_position and not trust:
        raise BadRecord(
            f"{called(path)} holds a game that began from a position, which nobody can check: "
            "if you trust the file, add --trust"
        )


def saves() -> list[Path]:
    """Return the paths of all saves, the newest first; raises QuintainError if there is none."""
    folder = home.data() / "saves"
    found = [path for path in folder.glob("*.json") if path.is_file()]
    if not found:
        raise QuintainError(f"there is no saved game in {folder}: `quintain play GAME` begins one")
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)


def new_path(folder: str, match: Match) -> Path:
    """Return a path for a new save or record of a match, where no file exists yet."""
    name = f"{match.game.id}-{match.commitment[:8]}"
    path, number = home.data() / folder / f"{name}.json", 1
    while home.is_there(path):
        number += 1
        path = path.with_name(f"{name}-{number}.json")
    return path


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write JSON into a file, completely or not at all; raises QuintainError, which says why it cannot be written."""
    write_text(path, json.dumps(document, ensure_ascii=False, indent=1))


def write_text(path: Path, text: str) -> None:
    """Write a text into a file, completely or not at all; raises QuintainError, which says why it cannot be written."""
    written = None
    try:
        if path.is_relative_to(home.data()):
            path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            written = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    except (OSError, ValueError) as problem:
        if written:
            written.unlink(missing_ok=True)
        raise QuintainError(f"the file {path} cannot be written: {_reason(problem)}") from problem


def is_own(path: Path) -> bool:
    """Tell whether a file is in Quintain's own folder of data."""
    return path.absolute().is_relative_to(home.data().absolute())


def path_of(text: str) -> Path:
    """Return the path that a person has typed; a leading tilde stands for their home folder."""
    with contextlib.suppress(RuntimeError):
        return Path(text).expanduser()
    return Path(text)


def _reason(problem: Exception) -> str:
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem)


def _listed(names: Iterable[str]) -> str:
    return f"the options {', '.join(names)}" if names else "no options"
