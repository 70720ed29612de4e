"""Features of batches, and nets that learn from them."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from quintain.bots import Budget, net, net_files
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.envs.batch import Batch
from quintain.envs.features import Features

pytest.importorskip("jax")

from quintain.envs.learning import imitation, ppo
from quintain.envs.learning.offered import PADDED, Offered
from quintain.envs.learning.training import Recipe, Training, meetings

TINY = Recipe(rounds=3, games=8, steps=12, hidden=(16,), rows=64, measured=9, rate=1e-2, seed=3)


@pytest.fixture(scope="module")
def table() -> Game:
    return game("round-table")


def trained(of: Game, recipe: Recipe) -> Training:
    made = Training.new(of, recipe)
    while not made.is_done:
        made.advance()
    return made


def test_a_batch_describes_each_legal_action_once_place_by_place(table: Game) -> None:
    batch = Batch(table, 5, observation=None)
    batch.reset(4)
    for _ in range(30):
        batch.step(batch.sample())
    found = batch.features()
    place, action = np.nonzero(batch.mask)
    assert found.place.tolist() == place.tolist() and found.action.tolist() == action.tolist()
    assert found.state.shape == (5, table.features[0]) and found.rows.shape == (len(place), table.features[1])
    assert len(np.unique(found.rows, axis=0)) > 5


def test_places_whose_game_is_over_have_no_features(table: Game) -> None:
    batch = Batch(table, 2, observation=None, auto_reset=False)
    batch.reset(4)
    while (batch.to_act != 0).all():
        batch.step(batch.sample())
    over = np.flatnonzero(batch.to_act == 0)
    found = batch.features()
    assert not found.state[over].any() and not np.isin(over, found.place).any()
    assert found.state.any()


def test_games_without_features_and_choices_together_are_refused(table: Game) -> None:
    batch = Batch("kings-court", 2)
    batch.reset(1)
    with pytest.raises(BadOption, match="King's Court writes no features: learn from the observation"):
        batch.features()
    together = Batch(table, 2, observation=None, together=True)
    together.reset(1)
    with pytest.raises(BadOption, match="make the batch without together"):
        together.features()


def test_chosen_decisions_keep_their_own_actions() -> None:
    rows = np.arange(12, dtype=np.float32).reshape(6, 2)
    place, action = np.array([0, 0, 2, 3, 3, 3]), np.array([7, 8, 1, 2, 5, 6])
    offered = Offered.of(Features(np.zeros((4, 1), np.float32), rows, place, action))
    chosen = offered[np.array([3, 1, 0])]
    assert chosen.count.tolist() == [3, 0, 2] and chosen.action.tolist() == [2, 5, 6, 7, 8]
    assert chosen.rows[:, 0].tolist() == [6, 8, 10, 0, 2]
    padded = Offered.joined([chosen, offered]).padded()
    assert len(padded.rows) == len(padded.owner) == PADDED
    assert padded.owner[:12].tolist() == [0, 0, 0, 2, 2, 3, 3, 5, 6, 6, 6, 7]


def test_what_a_bot_computes_is_what_jax_computes(table: Game, tmp_path: Path) -> None:
    made = trained(table, TINY)
    net_files.write(tmp_path / "a.safetensors", made.net())
    bot = net.bot_of(tmp_path / "a.safetensors")(table, 1)
    match, largest = Match.new(table, seed="07" * 32), 0.0
    for _ in range(25):
        seen = match.seen(min(match.to_act))
        state = np.zeros(table.features[0], np.float32)
        rows = np.zeros((len(seen.legal), table.features[1]), np.float32)
        table.rules.state_features(seen.book, seen.state, seen.seat, state)
        for row, action in zip(rows, seen.legal, strict=True):
            table.rules.action_features(seen.book, seen.state, seen.seat, action, state, row)
        offered = Offered(rows, np.array(seen.legal), np.array([len(rows)])).padded()
        mask = np.zeros((1, table.actions), np.int8)
        numbers, value = ppo.outputs(made.layers, None, made.inputs(state[None]), mask, offered)
        wanted = [*np.asarray(numbers)[0, list(seen.legal)], float(value[0])]
        largest = max(largest, np.abs(wanted).max())
        said, expected = bot.say(seen)
        assert [*said, expected] == pytest.approx(wanted, abs=0.01 * np.abs(wanted).max() + 2e-3)
        match.play(seen.seat, bot.choose(seen, Budget()))
    assert largest > 0.01


@pytest.mark.long  # `test_training.py` proves it of a smaller net
def test_equal_seeds_give_equal_nets_and_a_checkpoint_goes_on(table: Game, tmp_path: Path) -> None:
    one, two = trained(table, TINY), Training.new(table, TINY)
    two.advance()
    two.save(tmp_path / "a.checkpoint")
    three = Training.new(table, TINY)
    three.resume(tmp_path / "a.checkpoint")
    while not three.is_done:
        three.advance()
    assert one.net().actions == three.net().actions != two.net().actions
    assert one.net().layers == three.net().layers


def test_a_net_meets_all_ready_made_decks_each_in_several_seats(table: Game) -> None:
    met = [each["decks"] for each in meetings(table, 2, {})]
    assert len(met) == len({frozenset(each) for each in met}) == 6
    assert len({decks[0] for decks in met}) > 2
    options = json.loads(Training.new(table, TINY).net().metadata["options"])
    assert options["regions"] == "['5']" and options["decks"].count(" or ") == 5
    assert meetings(table, 2, {"decks": ["hedge-host"]}) == [{"decks": ["hedge-host"]}]
    assert meetings(game("kings-court"), 2, {}) == [{}]


def test_a_dataset_teaches_no_net_with_features(table: Game, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="a dataset holds no features, from which a net learns Round Table"):
        imitation.imitate(Training.new(table, TINY), tmp_path, 1)


@pytest.mark.long
def test_a_net_that_trained_for_a_minute_beats_random_moves(table: Game) -> None:
    made = trained(
        table, dataclasses.replace(TINY, rounds=60, games=64, steps=64, hidden=(64, 32), rows=1024, rate=2e-3)
    )
    assert made.measure().random > 0.9
