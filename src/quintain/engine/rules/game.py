"""A `Game`: the rules and the words of one game, gathered from its modules by the names of the contract.

Each folder in `quintain.games` makes one, and `registry` finds it. `contract` says which rule functions a game writes,
`checks.TEXT` which functions of words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import compress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, cast

from quintain.engine.errors import BadGame, BadOption, quoted
from quintain.engine.play.story import StoryFunction
from quintain.engine.rules import contract, observation
from quintain.engine.rules.checks import TEXT, check_game
from quintain.engine.rules.collection import Collection, ReportFunction
from quintain.engine.rules.compiled import Function, bound_rules
from quintain.engine.rules.observation import ObservationLayout
from quintain.engine.rules.options import Option
from quintain.engine.rules.state import GameState, Record
from quintain.engine.rules.views import Phase, View

if TYPE_CHECKING:
    from quintain.engine.play.lesson import Lesson

LEARNING = (
    "",
    "very easy to learn",
    "easy to learn",
    "takes a game to learn",
    "takes two games to learn",
    "takes several games to learn",
)
"""How hard a game is to learn, in words, by its weight from 1 to 5."""
WORDS = (*TEXT, "OPTIONS", "prizes", "collection", "phase", "report", "story")
"""The names that the modules of a game's words may define; a `Game` ignores all other names in them."""


class Game:
    """One game, made of modules of plain functions: one for its rules, and one or more for its words, or one for both.

    `rules` is the module that defines the classes `State` and `Book`, the number `ACTIONS`, the rule functions, and
    perhaps `PAYOFFS`, the least and the greatest number that `payoff` writes, `LONGEST`, the most actions of a game,
    and `OUTCOMES`, the most outcomes of a draw. `text` is a module or several, which define `OPTIONS`, the names of the
    actions, all other words, and perhaps `prizes`, `collection`, `phase`, `report` and `story`. If none of them defines
    `rulebook`, the rulebook is the file rulebook.md beside the rules.

    `seats` gives the least, the most and the usual number of seats. The author raises `version` when the rules change,
    so that older records might no longer replay. `clauses` is the number of clauses in the rulebook. `pitch` says in
    one sentence what the game is about, `minutes` gives the shortest and the longest usual time, and `weight`, from 1
    to 5, says how hard it is to learn. Raises BadGame, which lists all that is missing.
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
        return contract.complete(self.written) | observation.functions(self)

    @cached_property
    def observation(self) -> ObservationLayout:
        """The columns of a row of floats, as `rules.observe` writes it."""
        return observation.layout(self)

    @cached_property
    def observation_int8(self) -> ObservationLayout:
        """The columns of a row of bytes, as `rules.observe_int8` writes it."""
        return observation.layout(self, of_bytes=True)

    @cached_property
    def constants(self) -> dict[str, int | float]:
        """The numbers that drivers find in `rules` beside the functions."""
        least, most = getattr(self.module, "PAYOFFS", (0, 1))
        return {
            "ACTIONS": self.actions,
            "SEATS": self.seats[1],
            "HAS_POLICY": int("policy" in self.written),
            "HAS_PAYOFF": int("payoff" in self.written),
            "LEAST_PAYOFF": float(least),
            "MOST_PAYOFF": float(most),
        }

    @property
    def collection(self) -> Collection | None:
        """The game's collection of cards; None if it has none."""
        return getattr(self.text, "collection", None)

    def card_names(self, book: Record) -> Callable[[int], Sequence[str]] | None:
        """Return a function that gives the names of a seat's cards; None if the game has no collection.

        The number of a card in the state is its place in these names, from 0.
        """
        return partial(self.collection.names, book) if self.collection else None

    @property
    def report(self) -> ReportFunction | None:
        """The function that returns the counts of a game that is over; None if the game has none."""
        return getattr(self.text, "report", None)

    @property
    def story(self) -> StoryFunction | None:
        """The function by which the game tells the story of a finished match itself; None if the game has none."""
        return getattr(self.text, "story", None)

    @cached_property
    def rules(self) -> contract.Rules:
        """The complete rules (see `contract.Rules`), interpreted, for plain books and states."""
        return bound_rules(self)

    @property
    def file(self) -> Path | None:
        """The Python file that `register_file` read the game from; None for one of Quintain's own games."""
        own = self.module.__name__.startswith("quintain.")
        return None if own or self.module.__file__ is None else Path(self.module.__file__)

    @property
    def folder(self) -> Path | None:
        """The folder of the game; None for a game in a single file."""
        file = self.module.__file__ if self.module.__package__ else None
        return Path(file).parent if file else None

    @cached_property
    def lesson(self) -> Lesson | None:
        """The guided first game in the game's folder; None if it has none. Raises BadGame if its file is wrong."""
        from quintain.engine.play.lesson import read_lesson

        return read_lesson(self)

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
        """How many actions the game has; an action is a number from 0 to this number minus 1."""
        return self.module.ACTIONS  # type: ignore[no-any-return]

    @property
    def longest(self) -> int | None:
        """The most actions of players in one game, with any seats and options; None if the game declares no LONGEST."""
        return getattr(self.module, "LONGEST", None)

    @property
    def outcomes(self) -> int | None:
        """The most outcomes of one draw in `deal` and `play`; 1 if it never draws, None if it declares no OUTCOMES."""
        return getattr(self.module, "OUTCOMES", None)

    @property
    def effort(self) -> str:
        """How long the game lasts and how hard it is to learn, in words."""
        least, most = self.minutes
        return f"{least} to {most} minutes, {LEARNING[self.weight]}"

    def check_seats(self, seats: int | None) -> int:
        """Return the number of seats, the usual number for None; raises BadOption."""
        least, most, usual = self.seats
        if seats is None:
            return usual
        if type(seats) is not int or not least <= seats <= most:
            numbers = f"{least}" if least == most else f"{least} to {most}"
            raise BadOption(f"{self.title} is not played with {quoted(seats)} seats, but with {numbers}")
        return seats

    def read_options(self, seats: int, given: Mapping[str, object]) -> dict[str, object]:
        """Return the value of every option, given as text or as a value, or by default; raises BadOption.

        Files come back in their short form, without comments. Before that, `make_book` reads them as people wrote them,
        so that an error names the line in their file.
        """
        if not isinstance(given, Mapping):
            raise BadOption(f"options are given as names with values, not as {quoted(given)}")
        options: Sequence[Option] = self.text.OPTIONS
        known = {option.name for option in options}
        for name in given:
            if name not in known:
                there = f"its options are {', '.join(sorted(known))}" if known else "it has no options"
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
        """Return the book of a match; `options` are as `read_options` returns them."""
        return self.text.make_book(seats, options)  # type: ignore[no-any-return]

    def phase(self, book: Record, blinded: GameState, seat: int) -> Phase:
        """Return the phase in the view of a seat (-1: a spectator), without making the view if the game can tell."""
        if tell := getattr(self.text, "phase", None):
            return cast(Phase, tell(book, blinded, seat))
        return cast(View, self.text.view(book, blinded, seat)).phase

    def legal_actions(self, book: Record, s: GameState, seat: int) -> list[int]:
        """Return the legal actions of a seat in a plain state; an empty list for a seat that may not act."""
        mask = [0] * self.actions
        self.rules.legal(book, s, seat, mask)
        return list(compress(range(self.actions), mask))

    def blinded(self, book: Record, s: GameState, seat: int) -> GameState:
        """Return a copy of a plain state in which all that a seat (-1: a spectator) may not know is UNKNOWN."""
        copy = s.copy()
        self.rules.blind(book, copy, seat)
        return copy


def _gathered(id: str, rules: ModuleType, modules: Sequence[ModuleType]) -> SimpleNamespace:
    """Return the words of a game by name, gathered from its modules; raises BadGame if two modules define the same."""
    words: dict[str, object] = {}
    homes: dict[str, ModuleType] = {}
    for module in modules:
        for name in WORDS:
            found = getattr(module, name, None)
            if found is None or isinstance(found, ModuleType):  # a module that imports view.py has a name `view`, too
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
