"""A `Game`: what the author of one game writes, and what the engine adds to it.

Each folder in `quintain.games` makes one, and `registry` finds it. `written` gathers the rules and the words from the
modules of the game, and `checks` checks them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import compress
from typing import cast

from quintain.engine.errors import BadOption, nearest, quoted
from quintain.engine.rules import contract, observation
from quintain.engine.rules.checks import check_game
from quintain.engine.rules.compiling.compiled import bound_rules
from quintain.engine.rules.linking import Function
from quintain.engine.rules.observation import ObservationLayout
from quintain.engine.rules.options import Option
from quintain.engine.rules.state import GameState, Record
from quintain.engine.rules.views import Phase, View
from quintain.engine.rules.written import WrittenGame

LEARNING = (
    "",
    "very easy to learn",
    "easy to learn",
    "takes a game to learn",
    "takes two games to learn",
    "takes several games to learn",
)
"""How hard a game is to learn, in words, by its weight from 1 to 5."""


class Game(WrittenGame):
    """One game, made of modules of plain functions: one for its rules, and one or more for its words, or one for both.

    `rules` is the module that defines the classes `State` and `Book`, the number `ACTIONS`, the rule functions, and
    perhaps `PAYOFFS`, the least and the greatest number that `payoff` writes, `LONGEST`, the most actions of a
    game, and `OUTCOMES`, the most outcomes of a draw. `text` is a module or several, which define `OPTIONS`, the
    names of the actions, all other words, and perhaps `FIRST_GAME`, `prizes`, `collection`, `phase`, `report`, `story`
    and `themes`. If none of them defines `rulebook`, the rulebook is the file rulebook.md beside the rules.

    `seats` gives the least, the most and the usual number of seats. The author raises `version` when the rules change,
    so that older records might no longer replay. `clauses` is the number of clauses in the rulebook. `contract` is the
    version of the contract that the game was written for, CONTRACT at present; a package's game must give it. `pitch`
    says in
    one sentence what the game is about, `minutes` gives the shortest and the longest usual time, and `weight`, from 1
    to 5, says how hard it is to learn. Raises BadGame, which lists all that is missing.
    """

    def check(self) -> None:
        """Check names, parameters, marks and fields; raises BadGame."""
        check_game(self)

    def __copy__(self) -> Game:
        """Return the game itself: nothing in it changes while people play."""
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

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

    def card_names(self, book: Record) -> Callable[[int], Sequence[str]] | None:
        """Return a function that gives the names of a seat's cards; None if the game has no collection.

        The number of a card in the state is its place in these names, from 0.
        """
        return partial(self.collection.names, book) if self.collection else None

    @cached_property
    def rules(self) -> contract.Rules:
        """The complete rules (see `contract.Rules`), interpreted, for plain books and states."""
        return bound_rules(self)

    @property
    def first_game(self) -> Mapping[str, object]:
        """The options of a first game, as far as they differ from the usual ones."""
        return getattr(self.text, "FIRST_GAME", {})

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

    def seats_of(self, book: Record) -> int:
        """Return the number of seats that a book is for; the most, if the game does not write it there."""
        return int(getattr(book, "seats", self.seats[1]))

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
                raise BadOption(f"{self.title} has no option {name}: {there}{nearest(str(name), known)}")
        chosen = {name: self._set_text(name, value) for name, value in given.items()}
        read = {
            option.name: option.read(chosen[option.name] if option.name in chosen else option.default_for(seats))
            for option in options
        }
        kept = {option.name: option.kept(read[option.name]) for option in options}
        if kept != read:
            self.make_book(seats, read)
        return kept

    def _set_text(self, option: str, value: object) -> object:
        """Return the text of a ready-made card set, if the value of an option is the name of one; else the value."""
        if self.collection is None or option != self.collection.option or not isinstance(value, str):
            return value
        return self.card_sets[value].text if value in self.card_sets else value

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


def seats_in(bits: int) -> list[int]:
    """Return the seats whose bits are set, lowest first.

    >>> seats_in(0b101)
    [0, 2]
    """
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]
