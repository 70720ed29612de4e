"""Plays the same random games interpreted and compiled, side by side, and compares all results.

A `Batch` plays the compiled form. The interpreted form then plays the same actions, place by place.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from quintain.conformance.cases import Case, require, whose
from quintain.conformance.checks import check_game
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import interpreted
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.state import GameState
from quintain.envs.batch import Batch
from quintain.envs.returns import write_returns

PLACES = 2
"""How many games are played side by side."""
WORK, WORK_OF_A_MASK, WORK_OF_A_COLUMN = 12_000_000, 150, 4
"""How much work the interpreted form does for one game before `both_forms_agree` stops. An entry of a mask counts as 1,
each mask as WORK_OF_A_MASK more, and each column of an observation as WORK_OF_A_COLUMN."""
MOST_STEPS = 5_000
"""The most steps of one case."""
FORMS: tuple[Literal["float32", "int8"], ...] = ("float32", "int8")
OBSERVED = 3_000
"""Of a wide observation, one row is compared for about this many columns in all rows."""


@check_game
def both_forms_agree(cases: Sequence[Case]) -> None:
    """Interpreted and compiled games have the same states, masks, results and observations, byte for byte."""
    compare_forms(cases)


def compare_forms(cases: Sequence[Case], most_work: int = WORK, boundscheck: bool = False) -> None:
    """Play random games of all cases in both forms, and compare them; raises Failed if two differ.

    Each case is played to the end of a game at least, with observations in one form; the cases take turns in these.
    With `boundscheck` the compiled form raises IndexError for an index outside an array; the interpreted form always
    does.
    """
    plays = max(len(cases), len(FORMS))
    for number, case in zip(range(plays), itertools.cycle(cases), strict=False):
        both, left = _Both(case, FORMS[number % len(FORMS)], number, boundscheck), most_work // plays
        cases[0].where = partial(_where, case, both)
        for work in itertools.islice(both.steps(), MOST_STEPS):
            left -= work
            if left < 0 and any(both.games):
                break


def _where(case: Case, both: _Both) -> str:
    return f"{case.words}, after {both.made} steps of a batch of {PLACES} with the seed {both.seed}"


class _Both:
    """The same games in both forms: `batch` plays them compiled, and `plain` holds the interpreted states."""

    def __init__(self, case: Case, form: Literal["float32", "int8"], seed: int, boundscheck: bool) -> None:
        self.case, self.form, self.seed, self.made = case, form, seed, 0
        self.batch = Batch(
            case.game,
            PLACES,
            seats=case.seats,
            options=case.options,
            observation=form,
            together=True,
            boundscheck=boundscheck,
        )
        self.batch.reset(seed)
        self.games = [0] * PLACES
        self.plain = [self._dealt(place) for place in range(PLACES)]
        self.write_returns = interpreted(case.game, write_returns)
        rows = PLACES * case.seats * self.batch.layout.size
        self.interval = max(1, rows // OBSERVED)
        """Observations are compared in every step that is a multiple of this number."""

    def steps(self) -> Iterator[int]:
        """Compare and play on, step by step; yield the work of each."""
        batch, case = self.batch, self.case
        while True:
            for place, s in enumerate(self.plain):
                require(batch.state(place) == s, "the states differ between interpreted and compiled play")
                for seat in range(case.seats):
                    self._compare_menu(place, seat)
                    if self.made % self.interval == 0:
                        self._compare_row(place, seat)
            actions, asked = batch.sample(), batch.to_act.copy()
            batch.step(actions)
            for place, s in enumerate(self.plain):
                for seat in seats_in(int(asked[place])):
                    case.game.rules.play(case.book, s, seat, int(actions[place, seat]))
                self._compare_end(place)
            self.made += 1
            columns = batch.layout.size * (self.made % self.interval == 1 or self.interval == 1)
            yield PLACES * case.seats * (case.game.actions + WORK_OF_A_MASK + WORK_OF_A_COLUMN * columns)

    def _dealt(self, place: int) -> GameState:
        s = self.case.game.state()
        rng.seed(s.rng, rng.mix(rng.mix(self.seed, place), self.games[place]))
        self.case.game.rules.deal(self.case.book, s)
        return s

    def _compare_menu(self, place: int, seat: int) -> None:
        mask = [7] * self.case.game.actions
        self.case.game.rules.legal(self.case.book, self.plain[place], seat, mask)
        same = mask == self.batch.mask[place, seat].tolist()
        require(same, "the masks that legal writes differ between interpreted and compiled play")

    def _compare_row(self, place: int, seat: int) -> None:
        game = self.case.game
        blinded = game.blinded(self.case.book, self.plain[place], seat)
        row: list[Any] = [0] * self.batch.layout.size
        observe: Any = game.rules.observe if self.form == "float32" else game.rules.observe_int8
        observe(self.case.book, blinded, seat, row)
        differ = np.flatnonzero(np.array(row, self.form) != self.batch.observation[place, seat])
        names = {block.name for block in self.batch.layout.blocks for i in differ if block.first <= i < block.end}
        words = f"observations in {self.form} of {whose(seat)} differ between interpreted and compiled code"
        require(not len(differ), f"{words}: {', '.join(sorted(names))}")

    def _compare_end(self, place: int) -> None:
        """Compare the result of a game that has ended, and deal the next one."""
        s, seats = self.plain[place], self.case.seats
        ended = not self.case.game.rules.to_act(self.case.book, s)
        require(ended == bool(self.batch.done[place]), "a game ends in one form only")
        if ended:
            scores, values = [0] * seats, [0.0] * seats
            self.write_returns(self.case.book, s, seats, scores, [0] * seats, values)
            require(scores == self.batch.scores[place].tolist(), "the scores differ between both forms")
            same = np.array_equal(np.array(values, np.float32), self.batch.returns[place])
            require(same, "the returns differ between interpreted and compiled play")
            self.games[place] += 1
            self.plain[place] = self._dealt(place)
