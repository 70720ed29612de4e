"""Copies and pickles of games, matches and environments: they play on equally, here and in other processes."""

import copy
import multiprocessing
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quintain
from bots.nets import random_net
from quintain.bots import Budget, level, net_files
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.envs import pettingzoo
from quintain.envs.batch import Batch
from quintain.envs.gymnasium import SeatEnv
from quintain.envs.vector import BatchEnv
from tutorial import kept_goofspiel, write_goofspiel

GAMES = [game.id for game in quintain.all_games() if game.folder]
QUICK = "kings-court"
over_games = pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.long] * (game != QUICK)) for game in GAMES]
)
Copier = Callable[[Any], Any]


def pickled(thing: Any) -> Any:
    """Return what a pickle of a thing gives."""
    return pickle.loads(pickle.dumps(thing))


copiers = pytest.mark.parametrize("copier", [pickled, copy.deepcopy])


def match_course(match: quintain.Match) -> list[Any]:
    """Play on by the lowest legal actions; return what a spectator and each seat see in the end."""
    for _ in range(12):
        if match.outcome is None:
            seat = min(match.to_act)
            match.play(seat, min(match.seen(seat).legal))
    return [match.seen(viewer) for viewer in (None, *range(match.seats))]


def seat_course(env: SeatEnv) -> list[Any]:
    """Play on by sampled actions, over the end of games; return all that comes back."""
    course: list[Any] = []
    for _ in range(30):
        observation, reward, is_over, _, _ = env.step(env.action_space.sample())
        course += [observation.tolist(), float(reward), env.action_masks().tolist()]
        if is_over:
            env.reset()
    return course


def vector_course(envs: BatchEnv) -> list[Any]:
    """Play on by sampled actions; return all that comes back."""
    steps = [envs.step(envs.action_space.sample()) for _ in range(40)]
    return [(step[0].tolist(), step[1].tolist(), step[2].tolist(), step[4]["action_mask"].tolist()) for step in steps]


def turn_course(env: pettingzoo.TurnEnv) -> list[Any]:
    """Play on by sampled actions until the game ends; return all that comes back."""
    course = []
    while env.agents and not any(env.terminations.values()):
        observation, reward, *_ = env.last()
        course.append((observation["observation"].tolist(), reward, env.agent_selection))
        env.step(env.action_space(env.agent_selection).sample())
    return [*course, env.rewards]


def together_course(env: pettingzoo.TogetherEnv) -> list[Any]:
    """Play on by sampled actions until the game ends; return all that comes back."""
    course = []
    while env.agents:
        observed, rewards, *_ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        course.append([observed[agent]["observation"].tolist() for agent in observed] + list(rewards.values()))
    return course


@copiers
@over_games
def test_a_match_plays_on_equally(copier: Copier, game: str):
    match = quintain.Match.new(game)
    match_course(match)
    other = copier(match)
    assert match_course(other) == match_course(match)


@copiers
@over_games
@pytest.mark.parametrize("opponents", ["random", pytest.param("squire", marks=pytest.mark.long)])
def test_one_seat_plays_on_equally_against_a_bot(copier: Copier, game: str, opponents: str):
    env = SeatEnv(game, opponents=opponents)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    other = copier(env)
    course = seat_course(other)
    assert course == seat_course(env)


@copiers
@over_games
def test_a_vector_plays_on_equally(copier: Copier, game: str):
    envs = BatchEnv(game, 4)
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    other = copier(envs)
    assert vector_course(other) == vector_course(envs)
    assert np.shares_memory(other.action_space.mask, other.batch.mask)


@copiers
@over_games
def test_the_forms_of_pettingzoo_play_on_equally(copier: Copier, game: str):
    turns, steps = pettingzoo.env(game), pettingzoo.parallel_env(game)
    turns.reset(seed=1)
    steps.reset(seed=1)
    for number, agent in enumerate(turns.possible_agents):
        turns.action_space(agent).seed(number)
        steps.action_space(agent).seed(number)
    turns.step(turns.action_space(turns.agent_selection).sample())
    assert turn_course(copier(turns)) == turn_course(turns)
    assert together_course(copier(steps)) == together_course(steps)


@copiers
def test_an_environment_may_be_copied_before_the_first_deal(copier: Copier):
    for made in (SeatEnv(QUICK), BatchEnv(QUICK, 2)):
        other = copier(made)
        assert np.array_equal(other.reset(seed=3)[0], made.reset(seed=3)[0])


@copiers
@over_games
def test_a_copy_of_a_game_is_the_game(copier: Copier, game: str):
    assert copier(quintain.game(game)) is quintain.game(game)


def test_a_game_that_is_not_registered_cannot_be_pickled():
    game = quintain.game(QUICK)
    other = copy.copy(game)
    assert other is game
    stranger = object.__new__(Game)
    vars(stranger).update(vars(game))
    with pytest.raises(pickle.PicklingError, match="King's Court cannot be pickled: register it, or read it with"):
        pickle.dumps(stranger)


def told(pipe: Any) -> None:
    """In another process: play on with what comes through a pipe, and send back what comes of it."""
    match, batch = pickle.loads(pipe.recv_bytes())
    for _ in range(5):
        batch.step(batch.sample())
    seen = [each.view for each in match_course(match)]
    pipe.send((match.game.id, seen, batch.observation.tolist()))


@pytest.mark.parametrize("start", ["fork", "forkserver", "spawn"])
@pytest.mark.parametrize("game", [QUICK, "goofspiel"])
def test_what_travels_to_another_process_plays_on_equally(start: str, game: str, tmp_path: Path):
    if start not in multiprocessing.get_all_start_methods():
        pytest.skip(f"{sys.platform} starts no process by {start}")
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    made = register_file(path) if game == "goofspiel" else quintain.game(game)
    path.unlink()  # the game travels by its source
    match, batch = quintain.Match.new(made.id), Batch(made, 3)
    batch.reset(seeds=1)
    context = multiprocessing.get_context(start)
    here, there = context.Pipe()
    process = context.Process(target=told, args=(there,))
    process.start()
    there.close()
    try:
        here.send_bytes(pickle.dumps((match, batch)))
        assert here.poll(60)
        id_, seen, observed = here.recv()
    finally:
        process.join(20)
        process.terminate()
    for _ in range(5):
        batch.step(batch.sample())
    assert id_ == made.id and observed == batch.observation.tolist()
    assert seen == [each.view for each in match_course(match)]


def test_an_older_text_of_a_game_does_not_replace_the_newer_one(tmp_path: Path):
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    older = register_file(path)
    kept = pickle.dumps(older)
    path.write_text(path.read_text() + "\nNEWER = 1\n")
    newer = register_file(path)
    again = pickle.loads(kept)
    assert quintain.game(older.id) is newer and again is not newer and again.source == older.source
    assert pickle.loads(kept) is again
    register_file(kept_goofspiel())


@copiers
def test_copies_of_an_environment_against_a_net_play_on_equally_without_its_file(
    copier: Copier, tmp_path: Path
) -> None:
    file = tmp_path / "court.safetensors"
    net_files.write(file, random_net(quintain.game(QUICK)))
    env = SeatEnv(QUICK, opponents=f"net:{file}")
    env.reset(seed=1)
    seat_course(env)
    file.unlink()
    env.action_space.seed(2)
    copied = copier(env)
    assert seat_course(copied) == seat_course(env)


def test_bots_with_a_net_travel_without_its_file(tmp_path: Path) -> None:
    court = quintain.game(QUICK)
    file, match = tmp_path / "court.safetensors", quintain.Match.new(court, seed=bytes(32))
    net_files.write(file, random_net(court))
    seen = match.seen(min(match.to_act))
    for name in ("net", "netsearch"):
        kind = level(f"{name}:{file}").kind
        data = pickle.dumps((kind, kind(court, 1)))
        again, bot = pickle.loads(data)
        assert again is not kind and again.__qualname__ == kind.__qualname__
        budget = Budget(simulations=50)
        assert bot.choose(seen, budget) == again(court, 1).choose(seen, budget) == kind(court, 1).choose(seen, budget)
