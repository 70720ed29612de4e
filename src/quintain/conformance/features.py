"""Checks of the features that a game writes for nets: of what a seat sees, and of its legal actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quintain.conformance.cases import Case, Skipped, require, whose
from quintain.conformance.checks import check, check_game
from quintain.conformance.turning import turned
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.state import GameState, Record
from quintain.envs.batch import Batch

POSITIONS = 24
"""About how many positions of a random game with two seats each check looks at."""
FARTHEST = 100.0
"""No feature may be farther from 0 than this: nets learn from numbers of about 1."""
NEAR = 1e-4
"""How far the numbers of interpreted and of compiled code may lie apart, as compiled features are float32."""
PLACES, STEPS = 3, 400
"""How many games are compared in both forms, and for how many steps."""


@check
def features_are_written_whole(case: Case) -> None:
    """Every feature of a state and of each legal action is written, and is a number of about 1."""
    for book, s, seat in _decisions(case, 61):
        rows = _features(case.game, book, case.game.blinded(book, s, seat), seat, _legal(case.game, book, s, seat))
        for what, row in rows.items():
            require(not np.isnan(row).any(), f"{what} leaves the features {_places(np.isnan(row))} unwritten")
            far = np.abs(row) > FARTHEST
            require(not far.any(), f"{what} writes the features {_places(far)} farther from 0 than {FARTHEST:.0f}")


@check
def features_use_nothing_hidden(case: Case) -> None:
    """Whatever lies in the place of what a seat may not know, its features are the same."""
    for number, (book, s, seat) in enumerate(_decisions(case, 62)):
        blinded, actions = case.game.blinded(book, s, seat), _legal(case.game, book, s, seat)
        other = blinded.copy()
        case.game.rules.redeal(book, other, number)
        here, there = (_features(case.game, book, state, seat, actions) for state in (blinded, other))
        for what, row in here.items():
            differ = row != there[what]
            words = f"{what} reads what {whose(seat)} may not know: it tells in the features {_places(differ)}"
            require(not differ.any(), words)


@check
def features_of_a_state_turn_with_the_seats(case: Case) -> None:
    """A seat has the features that seat 0 has in the state that is turned to it."""
    for book, s, seat in _decisions(case, 63):
        blinded = case.game.blinded(book, s, seat)
        here = _features(case.game, book, blinded, seat, [])["state_features"]
        turned_book, turned_state = turned(book, case.seats, seat), turned(blinded, case.seats, seat)
        there = _features(case.game, turned_book, turned_state, 0, [])["state_features"]
        differ = ~np.isclose(here, there, atol=NEAR)
        words = f"seen from {whose(seat)}, the features {_places(differ)} differ from those of the turned state"
        require(not differ.any(), words)


@check_game
def features_agree_in_both_forms(cases: Sequence[Case]) -> None:
    """Interpreted and compiled code write the same features."""
    for case in cases:
        _need(case.game)
        batch = Batch(case.game, PLACES, seats=case.seats, options=case.options, observation=None)
        batch.reset(64)
        for step in range(STEPS):
            if step % PLACES == 0:
                _compare(case, batch)
            batch.step(batch.sample())


def _compare(case: Case, batch: Batch) -> None:
    """Compare the features of a batch with those of interpreted code."""
    found = batch.features()
    for place in range(batch.games):
        seat, here = int(batch.seat[place]), found.place == place
        actions = np.flatnonzero(batch.mask[place]).tolist()
        require(found.action[here].tolist() == actions, "a batch describes other actions than those that are legal")
        blinded = case.game.blinded(batch.book, batch.state(place), seat)
        rows = _features(case.game, batch.book, blinded, seat, actions)
        compiled = dict(zip(rows, [found.state[place], *found.rows[here]], strict=True))
        for what, row in rows.items():
            differ = ~np.isclose(row, compiled[what], atol=NEAR)
            words = f"{what} writes other features {_places(differ)} interpreted than compiled"
            require(not differ.any(), words)


def _need(game: Game) -> None:
    if not game.has_features:
        raise Skipped("the game has no features for nets")


def _decisions(case: Case, seed: int) -> Iterator[tuple[Record, GameState, int]]:
    """Yield positions of a random game with each seat that is asked there; raises Skipped without features."""
    _need(case.game)
    for book, s in case.sample(seed, POSITIONS):
        for seat in seats_in(case.game.rules.to_act(book, s)):
            yield book, s, seat


def _legal(game: Game, book: Record, s: GameState, seat: int) -> list[int]:
    mask = [0] * game.actions
    game.rules.legal(book, s, seat, mask)
    return [action for action, is_legal in enumerate(mask) if is_legal]


def _features(game: Game, book: Record, s: GameState, seat: int, actions: Sequence[int]) -> dict[str, Any]:
    """Return the features of a state and of actions, interpreted, by what writes them; NaN where nothing does."""
    state = [float("nan")] * game.features[0]
    game.rules.state_features(book, s, seat, state)
    rows = {"state_features": np.array(state)}
    for action in actions:
        row = [float("nan")] * game.features[1]
        game.rules.action_features(book, s, seat, action, state, row)
        rows[f"action_features for action {action}"] = np.array(row)
    return rows


def _places(marked: Any) -> str:
    return ", ".join(map(str, np.flatnonzero(marked)[:5].tolist()))
