"""A game: its rules and its words, found by the names of the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import compress
from pathlib import Path
from types import ModuleType, SimpleNamespace

from quintain.engine import contract
from quintain.engine.checks import TEXT, check_game
from quintain.engine.collection import Collection, ReportFunction
from quintain.engine.compiled import Function, bound_rules
from quintain.engine.errors import BadGame, BadOption, quoted
from quintain.engine.options import Option
from quintain.engine.state import GameState, Record

LEARNING = (
    "",
    "very easy to learn",
    "easy to learn",
    "takes a game to learn",
    "takes two games to learn",
    "takes several games to learn",
)
"""How hard a game is to learn, by its weight from 1 on."""
WORDS = (*TEXT, "OPTIONS", "prizes", "collection", "report")
"""What the modules of a game's words may define, in any of them; nothing else in them is looked at."""


class Game:
    """A game: modules of plain functions, one for its rules and some for its words, or one for both, looked up by name.

    `rules` holds the state (class `State`), the book (class `Book`), `ACTIONS` and the rule functions, perhaps
    `PAYOFFS`, the least and the most that `payoff` writes; `text`, a module or several, holds `OPTIONS`, the names of
    actions and all words, perhaps `prizes`, `collection` and `report`. If none of them defines `rulebook`, it
    is the file rulebook.md beside the rules. `seats` is the least, the most and the usual number. `version` rises when
    a record of before would no longer replay. `clauses` counts the rulebook's. `pitch` says in a sentence what the game
    is, `minutes` how long it lasts, from and to, and `weight`, from 1 to 5, how hard it is to learn.
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
        text: ModuleType | Sequence[ModuleType] | None = None,
        version: int = 1,
        clauses: int = 0,
    ) -> None:
        self.id, self.title, self.version, self.seats, self.clauses = id, title, version, seats, clauses
        self.pitch, self.minutes, self.weight = pitch, minutes, weight
        self.module = rules
        modules = text if isinstance(text, Sequence) else [rules if text is None else text]
        self.text = _gathered(id, rules, modules)
        check_game(self)

    @cached_property
    def written(self) -> dict[str, Function]:
        """The rule functions that the game writes, by name."""
        names = [*contract.WRITTEN, *(name for name in contract.OPTIONAL if hasattr(self.module, name))]
        return {name: getattr(self.module, name) for name in names}

    @cached_property
    def functions(self) -> dict[str, Function]:
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

    @property
    def collection(self) -> Collection | None:
        """The game's cards, if it has cards that are worth listing."""
        return getattr(self.text, "collection", None)

    def card_names(self, book: Record) -> Callable[[int], Sequence[str]] | None:
        """Return what names each seat's cards, in the order of their numbers, if the game has a collection."""
        return partial(self.collection.names, book) if self.collection else None

    @property
    def report(self) -> ReportFunction | None:
        """What returns the counts of a game that is over, if the game has such counts."""
        return getattr(self.text, "report", None)

    @cached_property
    def rules(self) -> contract.Rules:
        """The complete rules, for plain books and states."""
        return bound_rules(self)

    @property
    def file(self) -> Path | None:
        """The Python file that the game came from by `register_file`; None for one of Quintain's own."""
        own = self.module.__name__.startswith("quintain.")
        return None if own or self.module.__file__ is None else Path(self.module.__file__)

    @property
    def folder(self) -> Path | None:
        """The folder that the game has to itself; None for a game in a single file."""
        file = self.module.__file__ if self.module.__package__ else None
        return Path(file).parent if file else None

    @property
    def state(self) -> type[GameState]:
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

    @property
    def effort(self) -> str:
        """How long the game lasts and how hard it is to learn, in words."""
        least, most = self.minutes
        return f"{least} to {most} minutes, {LEARNING[self.weight]}"

    def check_seats(self, seats: int | None) -> int:
        """Return the number of seats, the usual one for None; raises BadOption."""
        least, most, usual = self.seats
        if seats is None:
            return usual
        if type(seats) is not int or not least <= seats <= most:
            numbers = f"{least}" if least == most else f"{least} to {most}"
            raise BadOption(f"{self.title} is not played with {quoted(seats)} seats, but with {numbers}")
        return seats

    def read_options(self, seats: int, given: Mapping[str, object]) -> dict[str, object]:
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
            option.name: option.read(given[option.name] if option.name in given else option.default_for(seats))
            for option in options
        }
        kept = {option.name: option.kept(read[option.name]) for option in options}
        if kept != read:
            self.make_book(seats, read)
        return kept

    def make_book(self, seats: int, options: Mapping[str, object]) -> Record:
        """Return the book of a match with these seats and options, given as `read_options` returns them."""
        return self.text.make_book(seats, options)  # type: ignore[no-any-return]

    def legal_actions(self, book: Record, s: GameState, seat: int) -> list[int]:
        """Return the legal actions of a seat on a plain state; none for a seat that may not act."""
        mask = [0] * self.actions
        self.rules.legal(book, s, seat, mask)
        return list(compress(range(self.actions), mask))

    def blinded(self, book: Record, s: GameState, seat: int) -> GameState:
        """Return a copy of a plain state with all hidden that the seat may not know (-1: a spectator)."""
        copy = s.copy()
        self.rules.blind(book, copy, seat)
        return copy


def _gathered(id: str, rules: ModuleType, modules: Sequence[ModuleType]) -> SimpleNamespace:
    """Return the words of a game, from whichever module defines each; raises BadGame where two define one."""
    words: dict[str, object] = {}
    homes: dict[str, ModuleType] = {}
    for module in modules:
        for name in WORDS:
            found = getattr(module, name, None)
            if found is None or isinstance(found, ModuleType):  # who imports the module view.py has it as `view`
                continue
            if name in words and words[name] is not found:
                raise BadGame(f"the game {id} has {name} twice, in {homes[name].__name__} and in {module.__name__}")
            words[name], homes[name] = found, module
    file = getattr(rules, "__file__", None)
    if "rulebook" not in words and file and Path(file).with_name("rulebook.md").is_file():
        words["rulebook"] = partial(Path(file).with_name("rulebook.md").read_text, encoding="utf-8")
    return SimpleNamespace(**words)


def seats_in(bits: int) -> list[int]:
    """Return the seats whose bits are set, lowest first.

    >>> seats_in(0b101)
    [0, 2]
    """
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]
