"""Explicit chance: a game whose draws ask for their answers, so that a caller walks through all that chance can do.

The random generator of a state answers every draw of the rules at once. `Explicit` binds the same rules to a list of
answers instead. It carries out the deal or a move on a copy of the state until the rules ask for a draw beyond the
list, and returns that `Draw`. The caller chooses an answer, adds it to the list and carries the move out again. So a
move with three draws is carried out four times, and nothing in the game is written for it.

States made here keep a generator of zeros: what chance does is in the answers, and equal histories have equal states.
The adapter for OpenSpiel (`quintain.envs.openspiel`) builds its chance nodes with this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quintain.engine.errors import BadGame
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import bound_rules
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import Function
from quintain.engine.rules.state import Cells, GameState, Record


@dataclass(frozen=True)
class Draw:
    """A draw that has no answer yet: a number from 0 to `outcomes` - 1, each equally likely."""

    outcomes: int


class _Unanswered(Exception):
    """Raised inside a move, at a draw beyond the answers; it never leaves this module."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


class Explicit:
    """The deal and the moves of one game, interpreted, with answers in the place of chance.

    `rules` are the complete rules, bound to these answers. A draw of one outcome is answered with 0 and takes no
    answer from the list. One object serves one thread.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._answers: Sequence[int] = ()
        self._used = 0
        stand_ins: dict[Function, Function] = {
            rng.below: self._below,
            rng.draw: self._refuse_draw,
            rng.seed: self._refuse_seed,
        }
        self.rules = bound_rules(game, stand_ins)

    def deal(self, book: Record, answers: Sequence[int] = ()) -> GameState | Draw:
        """Return the state after the deal, or the first draw of it that has no answer; raises BadGame."""
        return self._carried_out(self.game.state(), answers, book, None)

    def play(self, book: Record, s: GameState, seat: int, action: int, answers: Sequence[int] = ()) -> GameState | Draw:
        """Return the state after a legal action, or the first draw without an answer; `s` stays as it is.

        Raises BadGame if the rules draw without `rng.below`, and ValueError for an answer that is out of range or
        left over.
        """
        return self._carried_out(s.copy(), answers, book, (seat, action))

    def _carried_out(
        self, s: GameState, answers: Sequence[int], book: Record, move: tuple[int, int] | None
    ) -> GameState | Draw:
        """Change `s` by the deal or by a move, and return it, or the first draw that has no answer."""
        self._answers, self._used = answers, 0
        try:
            if move is None:
                self.rules.deal(book, s)
            else:
                self.rules.play(book, s, *move)
        except _Unanswered as draw:
            return Draw(draw.outcomes)
        if self._used < len(answers):
            raise ValueError(f"the rules draw {self._used} times, and there are {len(answers)} answers")
        return s

    def _below(self, words: Cells[int], n: int) -> int:
        """Answer a draw in the place of `rng.below`."""
        if n <= 1:
            return 0
        if self._used == len(self._answers):
            raise _Unanswered(n)
        answer = self._answers[self._used]
        if not 0 <= answer < n:
            raise ValueError(f"a draw of {n} outcomes is answered from 0 to {n - 1}, not by {answer}")
        self._used += 1
        return answer

    def _refuse_draw(self, words: Cells[int]) -> int:
        raise self._wrong("rng.draw", "let it draw with rng.below, whose outcomes can be counted")

    def _refuse_seed(self, words: Cells[int], n: int) -> None:
        raise self._wrong("rng.seed", "only the engine seeds the generator of a state")

    def _wrong(self, name: str, remedy: str) -> BadGame:
        return BadGame(f"chance of {self.game.id} cannot be made explicit: deal or play calls {name}; {remedy}")
