"""A `Case`: one game with a number of seats and options, on which a check plays random games.

All chance comes from seeds, so a check that fails once fails again. A case remembers which random game its check is
playing, so that the message of a failure can repeat the moves.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from quintain.engine.errors import BadOption, QuintainError, quoted
from quintain.engine.play.match import Match
from quintain.engine.rules import rng
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.options import Option
from quintain.engine.rules.state import GameState, Record

NAMES = ("Ann", "Bo", "Cid-Ray", "Dee O'Neil", "Eve", "Fay 6")
"""Players' names, some of them unusual; further seats are called after these, with numbers."""
MOST_PLIES = 20_000
"""A random game that is longer than this fails."""
FIRST_POSITIONS = 6
"""How many positions from the start of a game every sample contains."""
LISTED_MOVES = 12
"""How many of the last moves the message of a failure repeats."""


class Failed(QuintainError):
    """Raised if a game does not keep the contract; the message says what is wrong."""


class Skipped(QuintainError):
    """Raised if a game lacks the property that a check is about; the message names the property."""


def require(is_right: object, words: str) -> None:
    """Raise Failed with these words if `is_right` is false."""
    if not is_right:
        raise Failed(words)


def whose(viewer: int | None) -> str:
    """Return a viewer in words, for a message: a seat, or a spectator as None or SPECTATOR."""
    return "a spectator" if viewer is None or viewer == SPECTATOR else f"seat {viewer}"


class Case:
    """A game with a number of seats and options.

    `viewers` are all seats and the spectator. `where` says in words which random game is being played, after which
    moves; the methods that play a game set it.
    """

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
        return f"{self.seats} seat{'s' * (self.seats > 1)}" + (f" with {options}" if options else "")

    @cached_property
    def book(self) -> Record:
        """The book of every random game. A check proves that no rule changes it."""
        book = self.game.make_book(self.seats, self.game.read_options(self.seats, self.options))
        require(isinstance(book, self.game.book), f"make_book must return a Book, not {quoted(book)}")
        return book

    @cached_property
    def length(self) -> int:
        """The number of moves of one random game; others are about as long."""
        return sum(1 for _ in self.positions(0)) - 1

    def interval(self, moves: int) -> int:
        """Return n such that every n-th move of a random game, with two seats, gives about `moves` moves.

        With more seats the moves are fewer, since a check looks at each with the eyes of each seat.
        """
        return max(1, self.length * self.seats // (2 * moves))

    def dealt(self, seed: int) -> GameState:
        """Return a state that has just been dealt."""
        s = self.game.state()
        rng.seed(s.rng, seed)
        self.game.rules.deal(self.book, s)
        return s

    def positions(self, seed: int) -> Iterator[tuple[Record, Any]]:
        """Yield the book and each state of one random game, from the deal to the end.

        All states are the same object, which the next move changes: copy it to keep it.
        """
        book, s, chooser, moves = self.book, self.dealt(seed), random.Random(seed), list[tuple[int, int]]()
        self.where = lambda: self.described(seed, moves)
        for _ in range(MOST_PLIES):
            yield book, s
            seats = seats_in(self.game.rules.to_act(book, s))
            if not seats:
                require(s.over, "nobody is to act, but the game is not over: to_act returns 0, and s.over is 0")
                return
            require(seats[-1] < self.seats, f"to_act names seat {seats[-1]}, and the seats are 0 to {self.seats - 1}")
            seat = chooser.choice(seats)
            legal = self.game.legal_actions(book, s, seat)
            require(legal, f"seat {seat} is to act, and has no legal action")
            moves.append((seat, chooser.choice(legal)))
            self.game.rules.play(book, s, *moves[-1])
        raise Failed(f"a random game has not ended after {MOST_PLIES:,} moves: play must set s.over to 1 at the end")

    def sample(self, seed: int, most: int) -> Iterator[tuple[Record, Any]]:
        """Yield the book and copies of about `most` positions of a random game, the first ones and the last included.

        With more than two seats there are fewer: see `interval`.
        """
        chooser, interval = random.Random(seed), self.interval(most)
        for number, (book, s) in enumerate(self.positions(seed)):
            if s.over or number < FIRST_POSITIONS or chooser.randrange(interval) == 0:
                yield book, s.copy()

    def match(self, seed: int) -> Match:
        """Return a new match; `seed`, from 0 to 255, decides its cards. Raises Failed if games do not end."""
        _ = self.length  # if a random game does not end, a match of random moves does not either
        names = [*NAMES, *(f"{name} {number}" for number, name in enumerate(NAMES, 2))][: self.seats]
        match = Match.new(self.game, self.seats, names, self.options, seed=bytes([seed]) * 32)
        self.where = lambda: _in_match(match)
        return match

    def finished(self) -> Match:
        """Return a match that random moves have brought to its end: the same one for all checks that need one."""
        match = self._finished
        self.where = lambda: _in_match(match)
        return match

    @cached_property
    def _finished(self) -> Match:
        return play_randomly(self.match(13), 13)

    def placed(self, position: str) -> Match:
        """Return a match that begins from a position, written as text."""
        more = {"seats": self.seats, "options": self.options, "seed": bytes(32)}
        return Match.from_position(self.game, position, **more)

    def described(self, seed: int, moves: list[tuple[int, int]]) -> str:
        """Return the moves of a random game in words; from the first move that the game cannot name on, as numbers."""
        made = [f"seat {seat}: {action}" for seat, action in moves]
        s, name = self.dealt(seed), self.game.text.name
        for number, (seat, action) in enumerate(moves):
            try:
                if number:
                    self.game.rules.play(self.book, s, *moves[number - 1])
                made[number] = f"seat {seat}: {name(self.book, self.game.blinded(self.book, s, seat), seat, action)}"
            except Exception:
                break
        return f"in the random game {seed}, {_moves(made)}"


def _in_match(match: Match) -> str:
    made = [f"{match.names[entry.seat]}: {entry.text}" for entry in match.moves_made]
    return f"in a match, {_moves(made)}"


def _moves(made: list[str]) -> str:
    if not made:
        return "before the first move"
    before = "... " if len(made) > LISTED_MOVES else ""
    count = f"{len(made):,} move" + "s" * (len(made) > 1)
    return f"after {count}: {before}{', '.join(made[-LISTED_MOVES:])}"


def play_randomly(match: Match, seed: int, moves: int | None = None) -> Match:
    """Play random moves in words, and take some back: `moves` moves, or all moves to the end if it is None."""
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
    """Return a case for each number of seats, and, with the usual number, one for each option at an unusual value."""
    least, most, usual = game.seats
    cases = [Case(game, seats) for seats in range(least, most + 1)]
    for option in game.text.OPTIONS:
        more = [Case(game, usual, {option.name: value}) for value in _others(option, usual)]
        cases += [case for case in more if _is_allowed(case)]
    return cases


def _is_allowed(case: Case) -> bool:
    """Tell whether the game takes the options of a case; some values need other options beside them.

    Other errors than BadOption do not count: a check finds them.
    """
    try:
        _ = case.book
    except BadOption:
        return False
    except Exception:
        return True
    return True


def _others(option: Option, seats: int) -> list[object]:
    """Return values of an option that differ from its default; none for a kind whose values cannot be guessed."""
    usual = option.default_for(seats)
    if option.kind == "switch":
        return [not usual]
    if option.kind == "choice":
        return [choice for choice in option.choices if choice != usual]
    if option.kind == "number":
        bounds: list[object] = [option.least, option.most]
        return [bound for bound in bounds if bound not in (None, usual)][:1]
    return []
