"""A `WrittenGame`: what the author of a game writes, gathered from its modules by the names of the contract.

`contract` says which rule functions a game writes, `TEXT` which functions of words. `checks` reads a written game, and
`Game` adds to it what is the same in every game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

from quintain.engine.errors import BadGame
from quintain.engine.rules.card_numbers import CardNumbers
from quintain.engine.rules.collection import (
    CardSet,
    Collection,
    RecapFunction,
    ReportFunction,
    StoryFunction,
    ThemesFunction,
)
from quintain.engine.rules.contract import OPTIONAL, WRITTEN
from quintain.engine.rules.linking import Function
from quintain.engine.rules.state import GameState, Record

TEXT = {
    "make_book": 2,
    "name": 4,
    "parse": 4,
    "view": 3,
    "narrate": 3,
    "why_not": 4,
    "account": 2,
    "rulebook": 0,
}
"""The functions that every game must write for its words, and how many parameters each takes."""
WORDS = (
    *TEXT,
    *("OPTIONS", "FIRST_GAME", "prizes", "collection", "phase", "recap", "report", "story", "themes", "card_numbers"),
)
"""The names that the modules of a game's words may define; a `WrittenGame` ignores all other names in them."""

WINDOW = 4, 24
"""The `window` of a game that declares none. In random games of all our games, two to six seats are told of 1 to 6
events between two decisions of a seat."""


class WrittenGame:
    """What the author of a game writes; see `Game`, which derives from it, for the parameters."""

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
        contract: int | None = None,
    ) -> None:
        self.id, self.title, self.version, self.seats, self.clauses = id, title, version, seats, clauses
        self.pitch, self.minutes, self.weight = pitch, minutes, weight
        self.module, self.contract = rules, contract
        self.package = ""
        """The package that brings the game, with its version; empty for Quintain's own games, and those from files."""
        self.is_from_file = False
        """Whether `register_file` read the game, which then gives way to another file's game with its id."""
        self.source: tuple[str, bytes] | None = None
        """The path and the text of that file, by which the game travels to other processes."""
        self.card_sets: dict[str, CardSet] = {}
        """The ready-made sets that packages bring for the game, by name: values of its collection's option."""
        modules = text if isinstance(text, Sequence) else [rules if text is None else text]
        self.text = _gathered(id, rules, modules)
        self.check()

    def check(self) -> None:
        """Raise BadGame if something is missing or wrong; a `Game` knows what."""

    @cached_property
    def written(self) -> dict[str, Function]:
        """The rule functions that the game writes, by name."""
        names = [*WRITTEN, *(name for name in OPTIONAL if hasattr(self.module, name))]
        return {name: getattr(self.module, name) for name in names}

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
    def window(self) -> tuple[int, int]:
        """How many of a seat's last decisions its information state holds as numbers, and how many events since."""
        return getattr(self.module, "WINDOW", WINDOW)

    @cached_property
    def constants(self) -> dict[str, int | float]:
        """The numbers that drivers find in `rules` beside the functions."""
        least, most = getattr(self.module, "PAYOFFS", (0, 1))
        return {
            "ACTIONS": self.actions,
            "SEATS": self.seats[1],
            "HAS_POLICY": int("policy" in self.written),
            "HAS_PAYOFF": int("payoff" in self.written),
            "HAS_FEATURES": int(self.has_features),
            "LEAST_PAYOFF": float(least),
            "MOST_PAYOFF": float(most),
        }

    @property
    def has_features(self) -> bool:
        """Whether nets read features of the state and of each action, and not the observation of the game."""
        return "state_features" in self.written

    @property
    def features(self) -> tuple[int, int]:
        """How many features the game writes of a state and of an action; 0 if it writes none."""
        names = ("STATE_FEATURES", "ACTION_FEATURES")
        of_state, of_action = (getattr(self.module, name, 0) if self.has_features else 0 for name in names)
        return of_state, of_action

    @property
    def collection(self) -> Collection | None:
        """The game's collection of cards; None if it has none."""
        return getattr(self.text, "collection", None)

    @property
    def card_numbers(self) -> Callable[[Record], CardNumbers] | None:
        """The function that returns the cards of a book as numbers; None if players learn each card by itself."""
        return getattr(self.text, "card_numbers", None)

    @property
    def recap(self) -> RecapFunction | None:
        """The function that says of an event what somebody who looked away must know; None if the game has none."""
        return getattr(self.text, "recap", None)

    @property
    def report(self) -> ReportFunction | None:
        """The function that returns the counts of a game that is over; None if the game has none."""
        return getattr(self.text, "report", None)

    @property
    def story(self) -> StoryFunction | None:
        """The function by which the game tells the story of a finished match itself; None if the game has none."""
        return getattr(self.text, "story", None)

    @property
    def themes(self) -> ThemesFunction | None:
        """The function that says what a puzzle is about; None if the game has none."""
        return getattr(self.text, "themes", None)

    @property
    def file(self) -> Path | None:
        """The Python file that `register_file` read the game from; None for a game of Quintain or another package."""
        packaged = self.package or self.module.__name__.startswith("quintain.")
        return None if packaged or self.module.__file__ is None else Path(self.module.__file__)

    @property
    def folder(self) -> Path | None:
        """The folder of the game; None for a game in a single file."""
        file = self.module.__file__ if self.module.__package__ else None
        return Path(file).parent if file else None


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
