"""What a check is given: a case, which is a game with a number of seats and options, and plays random games of it.

All chance comes from seeds, so a check that fails once fails again. A case remembers which random game its check looks
at, so that a failure can say where it was found.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from quintain.engine import rng
from quintain.engine.contract import SPECTATOR
from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.game import Game, seats_in
from quintain.engine.match import Match
from quintain.engine.options import Option
from quintain.engine.state import GameState, Record

NAMES = ("Ann", "Bo", "Cid-Ray", "Dee O'Neil", "Eve", "Fay 6")
"""Players' names, some of them unusual; further seats are called after these, with numbers."""
MOST_PLIES = 20_000
FIRST_POSITIONS = 6
"""Positions at the start of a game that every sample holds."""
TOLD_MOVES = 12
"""The last moves that a failure repeats."""


class Failed(QuintainError):
    """A game does not keep the contract; the message says in which way."""


class Skipped(QuintainError):
    """A game lacks the property that a check is about; the message says which."""


def require(is_right: object, words: str) -> None:
    """Raise Failed, with these words, unless something is right."""
    if not is_right:
        raise Failed(words)


class Case:
    """A game with a number of seats and options."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any] | None = None) -> None:
        self.game, self.seats, self.options = game, seats, dict(options or {})
        self.viewers = (SPECTATOR, *range(seats))
        self.where: Callable[[], str] = lambda: ""

    def __str__(self) -> str:
        return "-".join([self.game.id, str(self.seats), *(f"{key}={value}" for key, value in self.options.items())])

    @property
    def words(self) -> str:
        """The case in words, for a message."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.seats} seats" + (f" with {options}" if options else "")

    @cached_property
    def book(self) -> Record:
        """The book of every random game; checks see to it that no rule changes it."""
        return self.game.make_book(self.seats, self.game.read_options(self.seats, self.options))

    @cached_property
    def length(self) -> int:
        """How many moves a random game has; others are about as long."""
        return sum(1 for _ in self.positions(0)) - 1

    def every(self, moves: int) -> int:
        """Return n, so that every n-th move of a random game makes about so many moves, with any number of seats."""
        return max(1, self.length * self.seats // (2 * moves))

    def dealt(self, seed: int) -> GameState:
        """Return a state that has just been dealt."""
        s = self.game.state()
        rng.seed(s.rng, seed)
        self.game.rules.deal(self.book, s)
        return s

    def positions(self, seed: int) -> Iterator[tuple[Record, Any]]:
        """Yield the book and each state of one random game, the last one over; a state is played on afterwards."""
        book, s, chooser, moves = self.book, self.dealt(seed), random.Random(seed), list[tuple[int, int]]()
        self.where = lambda: self.told(seed, moves)
        for _ in range(MOST_PLIES):
            yield book, s
            seats = seats_in(self.game.rules.to_act(book, s))
            if not seats:
                require(s.over, "nobody is to act, but the game is not over: to_act gives 0, and s.over is 0")
                return
            seat = chooser.choice(seats)
            legal = self.game.legal_actions(book, s, seat)
            require(legal, f"seat {seat} is to act, and has no legal action")
            moves.append((seat, chooser.choice(legal)))
            self.game.rules.play(book, s, *moves[-1])
        raise Failed(f"a random game has not ended after {MOST_PLIES:,} moves")

    def sample(self, seed: int, most: int) -> Iterator[tuple[Record, Any]]:
        """Yield copies of about `most` positions of a random game, with the first ones and the last among them.

        With more seats they are fewer: more viewers look at each position.
        """
        chooser, every = random.Random(seed), self.every(most)
        for number, (book, s) in enumerate(self.positions(seed)):
            if s.over or number < FIRST_POSITIONS or chooser.randrange(every) == 0:
                yield book, s.copy()

    def match(self, seed: int) -> Match:
        """Return a new match, whose cards follow from a number below 256."""
        names = [*NAMES, *(f"{name} {number}" for number, name in enumerate(NAMES, 2))][: self.seats]
        match = Match.new(self.game, self.seats, names, self.options, seed=bytes([seed]) * 32)
        self.where = lambda: _in_match(match)
        return match

    def placed(self, position: str) -> Match:
        """Return a match that begins from a position."""
        more = {"seats": self.seats, "options": self.options, "seed": bytes(32)}
        return Match.from_position(self.game, position, **more)

    def told(self, seed: int, moves: list[tuple[int, int]]) -> str:
        """Say which moves a random game has had; a game that cannot name them is told by their numbers."""
        made = [f"seat {seat}: {action}" for seat, action in moves]
        s, name = self.dealt(seed), self.game.text.name
        for number, (seat, action) in enumerate(moves):
            try:
                made[number] = f"seat {seat}: {name(self.book, self.game.blinded(self.book, s, seat), seat, action)}"
                self.game.rules.play(self.book, s, seat, action)
            except Exception:
                break
        return f"in the random game {seed}, {_moves(made)}"


def _in_match(match: Match) -> str:
    made = [f"{match.names[entry.seat]}: {entry.text}" for entry in match.moves_made]
    return f"in a match, {_moves(made)}"


def _moves(made: list[str]) -> str:
    if not made:
        return "before the first move"
    before = "... " if len(made) > TOLD_MOVES else ""
    return f"after {len(made)} moves: {before}{', '.join(made[-TOLD_MOVES:])}"


def play_randomly(match: Match, seed: int, moves: int | None = None) -> Match:
    """Play random moves in words, taking some back: so many, or to the end of the match."""
    chooser = random.Random(seed)
    for _ in itertools.count() if moves is None else range(moves):
        if not match.to_act:
            break
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).text)
        if match.can_undo(seat) and chooser.random() < 0.1:
            match.undo(seat)
    return match


def cases_of(game: Game) -> list[Case]:
    """Return a game's cases: each number of seats, and with the usual number each option at another value."""
    least, most, usual = game.seats
    cases = [Case(game, seats) for seats in range(least, most + 1)]
    for option in game.text.OPTIONS:
        more = [Case(game, usual, {option.name: value}) for value in _others(option, usual)]
        cases += [case for case in more if _is_allowed(case)]
    return cases


def _is_allowed(case: Case) -> bool:
    """Tell whether the game takes a value without other options beside it."""
    try:
        return bool(case.book)
    except BadOption:
        return False


def _others(option: Option, seats: int) -> list[object]:
    """Return values of an option that differ from its default, where they can be known."""
    usual = option.default_for(seats)
    if option.kind == "switch":
        return [not usual]
    if option.kind == "choice":
        return [choice for choice in option.choices if choice != usual]
    if option.kind == "number":
        bounds: list[object] = [option.least, option.most]
        return [bound for bound in bounds if bound not in (None, usual)][:1]
    return []
