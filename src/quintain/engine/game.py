"""The contract of a game, and the registry of games."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from msgspec import Struct

from quintain.engine import contract
from quintain.engine.checks import check_game, check_rules
from quintain.engine.compiled import bound_rules, reached
from quintain.engine.errors import BadGame, BadOption, UnknownGame, quoted
from quintain.engine.state import Record
from quintain.engine.written import MOST_KEPT, MOST_TEXT

MOST_DIGITS = 18
MOST_NUMBER = 10**MOST_DIGITS - 1
MOST_NAMES, LONGEST_NAME, MOST_FILES = 1000, 100, 16
"""Names in an option, characters of each, and files."""
FILE_KINDS = ("file", "files")
FREE = ""
"""The face of a place without a card that can be touched."""


@dataclass(frozen=True)
class Option:
    """One option of a game; command line, forms and checks are made from it.

    `kind` is number, numbers (`count` of them), switch, choice (one of `choices`), names, file or files (each the text
    of one, or one of `choices`). `least` and `most` bound each number. `default` is a value, or a function of the
    number of seats. `short` rewrites the text of a file in the form that is kept: without remarks, and the same again
    when it is rewritten. A text that cannot be read raises BadOption there.
    """

    name: str
    kind: str
    default: Any
    meaning: str
    least: int | None = None
    most: int | None = None
    count: int | None = None
    choices: tuple[str, ...] = ()
    short: Callable[[str], str] | None = None

    def read(self, given: Any) -> Any:
        """Return the value that was given, as text or as itself; BadOption says what would be right."""
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

    def _number(self, given: Any) -> int:
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

    def _numbers(self, given: Any) -> list[int]:
        parts = given.split(",") if isinstance(given, str) else given
        if not isinstance(parts, list | tuple) or (self.count is not None and len(parts) != self.count):
            raise self._wrong(given)
        return [self._number(part) for part in parts]

    def _switch(self, given: Any) -> bool:
        words = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
        word = str(given).strip().lower() if isinstance(given, str | bool) else ""
        if word not in words:
            raise self._wrong(given)
        return words[word]

    def _choice(self, given: Any) -> str:
        if not isinstance(given, str) or given.strip() not in self.choices:
            raise self._wrong(given)
        return given.strip()

    def _names(self, given: Any) -> list[str]:
        parts = given.split(",") if isinstance(given, str) else given
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            raise self._wrong(given)
        if len(parts) > MOST_NAMES or any(len(part) > LONGEST_NAME for part in parts):
            words = f"it takes at most {MOST_NAMES} names of at most {LONGEST_NAME} characters"
            raise BadOption(f"the option {self.name} is too long: {words}")
        return [part.strip() for part in parts]

    def _file(self, given: Any) -> str:
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

    def _files(self, given: Any) -> list[str]:
        parts = given.split(",") if isinstance(given, str) else given
        if not isinstance(parts, list | tuple):
            raise self._wrong(given)
        if len(parts) > MOST_FILES:
            raise BadOption(f"the option {self.name} has {len(parts)} files: it takes at most {MOST_FILES}")
        return [self._file(part).strip() for part in parts]

    def kept(self, value: Any) -> Any:
        """Return a value that has been read as it is kept: texts in their short form; raises BadOption."""
        if self.short is None:
            return value
        if isinstance(value, list):
            return [each if each in self.choices else self.short(each) for each in value]
        return self.short(value) if value else value

    def is_text(self, given: Any) -> bool:
        """Tell whether what was given for this option is a text that somebody has written, and takes time to read."""
        if self.kind not in FILE_KINDS:
            return False
        parts = given if isinstance(given, list | tuple) else [given]
        return any(part and part not in self.choices for part in parts)

    def _wrong(self, given: Any) -> BadOption:
        return BadOption(f"the option {self.name} cannot be {quoted(given)}: it takes {self.takes()} ({self.meaning})")

    def takes(self) -> str:
        """Say in words which values are right."""
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


class Piece(Struct, frozen=True, cache_hash=True):
    """A card, token or card back in a zone.

    `id` is a place, such as ``hand.0.3``, never an identity. `face` is the key of a picture, None when face
    down, FREE for an empty place. `at` is a row and a place in it. `value` is a number shown on it. `marks` are
    words such as ``stale``. `action` is what touching it means, legal or not. `attached` pieces lie on it.
    `text` is what everybody should read beside its name, such as what is printed on it; attached pieces with a
    `value` and no text are then numbers on it.
    """

    id: str
    face: str | None
    words: str
    seat: int | None = None
    at: tuple[int, int] | None = None
    value: int | None = None
    marks: tuple[str, ...] = ()
    action: int | None = None
    attached: tuple[Piece, ...] = ()
    text: str = ""

    @property
    def number(self) -> str:
        """The value as the words write it, perhaps with a plus sign; empty without a value."""
        if self.value is None:
            return ""
        written = [text for text in re.findall(r"[+-]?\d+", self.words) if int(text) == self.value]
        return written[-1] if written else str(self.value)


class Zone(Struct, frozen=True):
    """A part of the table. `layout` is fan, row, grid, pyramid, stack or track.

    `size` counts all its pieces, FREE ones aside. Row r of a pyramid, counted from 0, has r + 1 places.
    """

    id: str
    title: str
    seat: int | None
    layout: str
    pieces: tuple[Piece, ...]
    size: int


class Choice(Struct, frozen=True):
    """A legal action in words, and the id of the piece that lights up for it, if one does."""

    action: int
    words: str
    piece: str | None = None


class View(Struct, frozen=True):
    """All that one viewer may see, laid out for any table: the only thing that front ends are given.

    `asked` is the question to this viewer, or empty; `menu` holds the legal answers. `counts` are public
    numbers by name. `to_act` lists the seats that may act.
    """

    zones: tuple[Zone, ...]
    menu: tuple[Choice, ...]
    asked: str
    phase: str
    to_act: tuple[int, ...]
    counts: Mapping[str, int]


class Reason(Struct, frozen=True):
    """Why an action is not legal now, with the clause of the rulebook that forbids it."""

    clause: str
    words: str


class Line(Struct, frozen=True):
    """One line of an account: words, a number for each seat (or none), and the clause it follows."""

    words: str
    by_seat: tuple[int, ...]
    clause: str


class Game:
    """A game: two modules of plain functions, or one for both, looked up by name.

    `rules` holds the state (class `State`), the book (class `Book`), `ACTIONS` and the rule functions, perhaps
    `PAYOFFS`, the least and the most that `payoff` writes; `text` holds `OPTIONS`, the names of actions and all words,
    perhaps `MARKS` and `prizes`. `seats` is the least, the most and the usual number. `version` rises when a record of
    before would no longer replay. `clauses` counts the rulebook's. `pitch` says in a sentence what the game is,
    `minutes` how long it lasts, from and to, and `weight`, from 1 to 5, how hard it is to learn.
    Raises BadGame, with all that is missing.
    """

    def __init__(
        self,
        id: str,
        title: str,
        *,
        seats: tuple[int, int, int],
        pitch: str,
        minutes: tuple[int, int],
        weight: int,
        rules: ModuleType,
        text: ModuleType | None = None,
        version: int = 1,
        clauses: int = 0,
    ) -> None:
        self.id, self.title, self.version, self.seats, self.clauses = id, title, version, seats, clauses
        self.pitch, self.minutes, self.weight = pitch, minutes, weight
        self.module, self.text = rules, rules if text is None else text
        check_game(self)

    @cached_property
    def written(self) -> dict[str, Callable[..., Any]]:
        """The rule functions that the game writes, by name."""
        names = [*contract.WRITTEN, *(name for name in contract.OPTIONAL if hasattr(self.module, name))]
        return {name: getattr(self.module, name) for name in names}

    @cached_property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The complete rule functions, by name."""
        return contract.complete(self.written)

    @cached_property
    def constants(self) -> dict[str, int | float]:
        """The numbers that `rules` has beside functions."""
        least, most = getattr(self.module, "PAYOFFS", (0, 1))
        return {
            "ACTIONS": self.actions,
            "SEATS": self.seats[1],
            "HAS_POLICY": int("policy" in self.written),
            "LEAST_PAYOFF": float(least),
            "MOST_PAYOFF": float(most),
        }

    @cached_property
    def rules(self) -> contract.Rules:
        """The complete rules, for plain books and states."""
        return cast(contract.Rules, bound_rules(self))

    @property
    def file(self) -> Path | None:
        """The Python file that the game came from by `register_file`; None for one of Quintain's own."""
        own = self.module.__name__.startswith("quintain.")
        return None if own or self.module.__file__ is None else Path(self.module.__file__)

    @property
    def state(self) -> type[Record]:
        """The class of the game's states."""
        return self.module.State  # type: ignore[no-any-return]

    @property
    def book(self) -> type[Record]:
        """The class of the game's books."""
        return self.module.Book  # type: ignore[no-any-return]

    @property
    def actions(self) -> int:
        """How many actions there are: each is a number below this."""
        return self.module.ACTIONS  # type: ignore[no-any-return]

    def check_seats(self, seats: int | None) -> int:
        """Return the number of seats, the usual one for None; raises BadOption."""
        least, most, usual = self.seats
        if seats is None:
            return usual
        if type(seats) is not int or not least <= seats <= most:
            numbers = f"{least}" if least == most else f"{least} to {most}"
            raise BadOption(f"{self.title} is not played with {quoted(seats)} seats, but with {numbers}")
        return seats

    def read_options(self, seats: int, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return every option's value: as given (as text or as itself) or by default; raises BadOption.

        Texts that people wrote come back in their short form, once the book has been made of them as they were written,
        so that messages name the lines that people know.
        """
        if not isinstance(given, Mapping):
            raise BadOption(f"options are given as names with values, not as {quoted(given)}")
        options: Sequence[Option] = self.text.OPTIONS
        known = {option.name for option in options}
        for name in given:
            if name not in known:
                there = f"its options are {', '.join(sorted(known))}" if known else "it has none"
                raise BadOption(f"{self.title} has no option {name}: {there}")
        read = {
            option.name: option.read(given[option.name] if option.name in given else default(option, seats))
            for option in options
        }
        kept = {option.name: option.kept(read[option.name]) for option in options}
        if kept != read:
            self.make_book(seats, read)
        return kept

    def make_book(self, seats: int, options: Mapping[str, Any]) -> Any:
        """Return the book of a match with these seats and options, given as `read_options` returns them."""
        return self.text.make_book(seats, options)

    def legal_actions(self, book: Any, s: Any, seat: int) -> list[int]:
        """Return the legal actions of a seat on a plain state; none for a seat that may not act."""
        mask = [0] * self.actions
        self.rules.legal(book, s, seat, mask)
        return list(compress(range(self.actions), mask))

    def blinded(self, book: Any, s: Any, seat: int) -> Any:
        """Return a copy of a plain state with all hidden that the seat may not know (-1: a spectator)."""
        copy = s.copy()
        self.rules.blind(book, copy, seat)
        return copy


def default(option: Option, seats: int) -> Any:
    """Return an option's default for a number of seats."""
    return option.default(seats) if callable(option.default) else option.default


def seats_in(bits: int) -> list[int]:
    """Return the seats whose bits are set, lowest first.

    >>> seats_in(0b101)
    [0, 2]
    """
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]


_games: dict[str, Game] = {}


def register(game: Game) -> None:
    """Add a game, or replace the one of the same id."""
    _games[game.id] = game


def register_file(path: Path) -> Game:
    """Register the game that a Python file defines as GAME, and return it; raises BadGame."""
    name = "game_file_" + re.sub(r"\W", "_", path.stem)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise BadGame(f"{path} is not a Python file" if path.exists() else f"there is no file {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadGame(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(getattr(module, "GAME", None), Game):
        raise BadGame(f"{path} defines no GAME = Game(...)")
    made: Game = module.GAME
    check_rules([rule for function in made.written.values() for rule in reached(made, function)])
    if made.id in [found.id for found in _own_games()]:
        raise BadGame(f"{path} defines a game {made.id}, which is here already: give it an id of its own")
    register(made)
    return made


def games() -> list[Game]:
    """Return every registered game, by id."""
    for found in _own_games():
        _games.setdefault(found.id, found)
    return [_games[id_] for id_ in sorted(_games)]


def game(id_: str) -> Game:
    """Return the game of an id; UnknownGame names those that there are."""
    if id_ not in _games and id_ not in (ids := [known.id for known in games()]):
        raise UnknownGame(f"there is no game {id_!r}; there are {', '.join(ids)}")
    return _games[id_]


def _own_games() -> Iterator[Game]:
    """Yield the games of this package."""
    package = importlib.import_module("quintain.games")
    for module in pkgutil.iter_modules(package.__path__):
        yield importlib.import_module(f"{package.__name__}.{module.name}").GAME
