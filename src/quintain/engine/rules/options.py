"""The options of a game: what values each may take, and how to read a value from text.

A game lists its options as `OPTIONS` in its `options.py`. The command line, the forms of the browser and all checks are
made from that list; `Game.read_options` reads what a player has chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from quintain.engine.errors import BadGame, BadOption, nearest, quoted
from quintain.engine.toml import MOST_KEPT, MOST_TEXT

MOST_DIGITS = 18
MOST_NUMBER = 10**MOST_DIGITS - 1
MOST_NAMES, LONGEST_NAME, MOST_FILES = 1000, 100, 16
"""The most names in an option, characters of a name, and files in an option."""
FILE_KINDS = ("file", "files")
KINDS = ("number", "numbers", "switch", "choice", "names", *FILE_KINDS)


@dataclass(frozen=True)
class Option:
    """One option of a game.

    `kind` is number, numbers (`count` of them), switch, choice (one of `choices`), names, file, or files. The value of
    a file is its text; each of several files may also be one of `choices`. `least` and `most` bound each number.
    `default` is a value, or a function of the number of seats. `meaning` explains the option to people. `short`
    rewrites the text of a file in the form that matches store, without comments; rewriting that form again changes
    nothing. It raises BadOption for a text that it cannot read. `ready` returns the text behind one of the `choices`,
    whose first remark describes it. `example` is a short text of such a file, and `clause` the clause of the rulebook
    that says how it is written. Raises BadGame if there is no such kind.
    """

    name: str
    kind: str
    default: object
    meaning: str
    least: int | None = None
    most: int | None = None
    count: int | None = None
    choices: tuple[str, ...] = ()
    short: Callable[[str], str] | None = None
    ready: Callable[[str], str] | None = None
    example: str = ""
    clause: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            near = nearest(str(self.kind), KINDS)
            raise BadGame(
                f"the option {self.name} cannot be of kind {self.kind!r}: it is one of {', '.join(KINDS)}{near}"
            )

    def default_for(self, seats: int) -> Any:
        """Return the default for a number of seats."""
        return self.default(seats) if callable(self.default) else self.default

    def read(self, given: object) -> object:
        """Return the option's value, given as text or as a value; raises BadOption, which says what would be right."""
        reader = {
            "number": self._number,
            "numbers": self._numbers,
            "switch": self._switch,
            "choice": self._choice,
            "names": self._names,
            "file": self._file,
            "files": self._files,
        }[self.kind]
        return reader(given)

    def _number(self, given: object) -> int:
        if isinstance(given, str) and re.fullmatch(r"\s*[+-]?[0-9]+\s*", given):
            number = int(given) if len(given.strip()) <= MOST_DIGITS + 1 else MOST_NUMBER + 1
        elif type(given) is int:
            number = given
        else:
            raise self._wrong(given)
        if abs(number) > MOST_NUMBER:
            raise BadOption(f"the option {self.name} takes numbers of at most {MOST_DIGITS} digits")
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            raise self._wrong(given)
        return number

    def _numbers(self, given: object) -> list[int]:
        parts = given.split(",") if isinstance(given, str) else given
        if not isinstance(parts, list | tuple) or (self.count is not None and len(parts) != self.count):
            raise self._wrong(given)
        return [self._number(part) for part in parts]

    def _switch(self, given: object) -> bool:
        words = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
        word = str(given).strip().lower() if isinstance(given, str | bool) else ""
        if word not in words:
            raise self._wrong(given)
        return words[word]

    def _choice(self, given: object) -> str:
        if not isinstance(given, str) or given.strip() not in self.choices:
            raise self._wrong(given)
        return given.strip()

    def _names(self, given: object) -> list[str]:
        parts = given.split(",") if isinstance(given, str) else given
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            raise self._wrong(given)
        if len(parts) > MOST_NAMES or any(len(part) > LONGEST_NAME for part in parts):
            words = f"it takes at most {MOST_NAMES} names of at most {LONGEST_NAME} characters"
            raise BadOption(f"the option {self.name} is too long: {words}")
        return [part.strip() for part in parts]

    def _file(self, given: object) -> str:
        if not isinstance(given, str):
            raise self._wrong(given)
        if len(given) > (most := MOST_TEXT if self.short else MOST_KEPT):
            words = f"it takes a text of at most {most:,} characters"
            raise BadOption(f"the option {self.name} is too long, with {len(given):,} characters: {words}")
        try:
            given.encode()
        except UnicodeEncodeError as error:
            raise self._wrong(given) from error
        return given

    def _files(self, given: object) -> list[str]:
        parts = given.split(",") if isinstance(given, str) else given
        if not isinstance(parts, list | tuple):
            raise self._wrong(given)
        if len(parts) > MOST_FILES:
            raise BadOption(f"the option {self.name} has {len(parts)} files: it takes at most {MOST_FILES}")
        return [self._file(part).strip() for part in parts]

    def kept(self, value: Any) -> object:
        """Return a value in the form that a match stores: files in their short form; raises BadOption."""
        if self.short is None:
            return value
        if isinstance(value, list):
            return [each if each in self.choices else self.short(each) for each in value]
        return self.short(value) if value else value

    def is_text(self, given: object) -> bool:
        """Tell whether a value given for this option contains the text of a file, which takes time to read."""
        if self.kind not in FILE_KINDS:
            return False
        parts = given if isinstance(given, list | tuple) else [given]
        return any(part and part not in self.choices for part in parts)

    def _wrong(self, given: object) -> BadOption:
        return BadOption(f"the option {self.name} cannot be {quoted(given)}: it takes {self.takes()} ({self.meaning})")

    def takes(self) -> str:
        """Return in words which values the option takes."""
        bounds = ""
        if self.least is not None or self.most is not None:
            bounds = f" of at least {self.least}" if self.most is None else f" from {self.least} to {self.most}"
        return {
            "number": f"a whole number{bounds}",
            "numbers": f"{self.count or 'some'} whole numbers{bounds} with commas between",
            "switch": "on or off",
            "choice": f"one of {', '.join(self.choices)}",
            "names": "names with commas between",
            "file": "a file of text in UTF-8",
            "files": f"files of text in UTF-8, or some of {', '.join(self.choices)}, with commas between",
        }[self.kind]
