"""A wrong declaration of a field fails the check that is about it; a game may also write its own observation."""

from types import SimpleNamespace
from typing import Any

import pytest

import quintain
from quintain.conformance import CHECKS, Case, Failed
from quintain.engine.errors import BadGame
from quintain.engine.rules.fields import field
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule
from quintain.envs.batch import Batch
from quintain.games.kings_court import state as st
from remade import remade

WRONG: dict[str, tuple[str, str, Any]] = {
    "a secret that is not declared": (
        "what_is_hidden_is_declared_secret",
        "secret=True what seat 0 may not know: hand",
        {"hand": field(2, 48, low=0, high=1, seats=0)},
    ),
    "a secret that everybody knows": (
        "what_is_declared_secret_is_hidden",
        "known to all seats in all random games: bound",
        {"bound": field(2, low=-1, high=5, seats=0, means="kind", secret=True)},
    ),
    "an axis of seats that is not declared": (
        "a_turned_move_is_the_same_move",
        "check seats, means and seat_at of hand_size",
        {"hand_size": field(2, low=0, high=9)},
    ),
    "an axis of seats on which the menu depends": (
        "a_turned_game_is_the_same_game",
        "turned to seat 1, seat 0 has 6 legal actions instead of 5",
        {"counter": field(2, 6, low=-1, high=5, means="kind", secret=True)},
    ),
    "a seat that is not declared": (
        "a_turned_game_is_the_same_game",
        "turned to seat 1, other seats are to act",
        {"turn": field(low=0, high=1)},
    ),
    "a number without bounds": (
        "observations_tell_states_apart",
        "observe gives the same row for two different values of moved",
        {"moved": field(bits=64)},
    ),
    "a bound that games leave": (
        "observations_keep_to_their_bounds",
        "(deck_size) is ",
        {"deck_size": field(low=0, high=20)},
    ),
}


def declared(fields: dict[str, Any]) -> Game:
    """Return King's Court with some fields of its state declared in other words."""
    game = quintain.game("kings-court")
    hints = {name: st.State.__annotations__[name] for name in fields}
    kind = type("State", (st.State,), {**fields, "__annotations__": hints, "__module__": st.__name__})
    return remade(game, rules=SimpleNamespace(**{**vars(game.module), "State": kind}))


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_declaration_fails(words: str):
    name, cause, fields = WRONG[words]
    case = Case(declared(fields), 2)
    with pytest.raises(Failed) as error:
        (CHECKS[name].of_case or (lambda case: CHECKS[name].of_game([case])))(case)
    assert cause in str(error.value)


def test_a_phase_out_of_its_bound_leaves_the_columns_beside_it_alone():
    """A value that the declaration does not allow must not be written over other columns."""
    game = declared({"phase": field(low=0, high=2, means="kind")})
    *_, (book, s) = Case(game, 2).positions(1)
    row = [0.0] * game.observation.size
    game.rules.observe(book, game.blinded(book, s, 0), 0, row)
    phase = next(block for block in game.observation.blocks if block.name == "phase")
    assert phase.end - phase.first == 3 and not any(row[phase.first : phase.end])


@pytest.mark.parametrize(
    "shape", [{"seats": 1}, {"seats": -1}, {"seats": True}, {"means": "colour"}, {"means": "seats", "low": -1}]
)
def test_a_declaration_that_means_nothing_is_refused(shape: dict[str, Any]):
    with pytest.raises(TypeError):
        field(2, **shape)


@rule
def observe(book: Any, s: Any, seat: int, out: Any) -> None:
    for card in range(48):
        out[card] = s.hand[seat][card]


def with_own_observation(columns: object) -> Game:
    game = quintain.game("kings-court")
    return remade(game, rules=SimpleNamespace(**vars(game.module), observe=observe, OBSERVATION=columns))


def test_a_game_may_write_its_own_observation():
    game = with_own_observation(48)
    batch = Batch(game, 4)
    batch.reset(3)
    assert batch.observation.shape == (4, 48)
    for _ in range(30):
        batch.step(batch.sample())
        for place in range(4):
            assert batch.observation[place].tolist() == batch.state(place).hand[batch.seat[place]]
    case = Case(game, 2)
    for name in ("an_observer_comes_first", "observations_keep_to_their_bounds", "observations_tell_states_apart"):
        assert CHECKS[name].of_case(case) is None


def test_a_game_that_writes_its_observation_says_how_many_columns_it_has():
    with pytest.raises(BadGame, match="OBSERVATION of kings-court must be the number of columns that observe writes"):
        with_own_observation("48")
