"""Gymnasium's own wrappers: observations are plain arrays and masks stand in `info`, so those that know no dictionaries
work, too."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.spaces import Box
from gymnasium.wrappers import vector

import quintain
import quintain.envs.gymnasium  # registers the games
from quintain.envs.ids import env_id

QUICK = env_id(quintain.game("kings-court"))
Wrapping = Callable[[Any], Any]

OBSERVED: dict[str, Wrapping] = {
    "stacked": lambda env: wrappers.FrameStackObservation(env, 4),
    "stacked and flat": lambda env: wrappers.FlattenObservation(wrappers.FrameStackObservation(env, 3)),
    "normal": wrappers.NormalizeObservation,
    "rescaled": lambda env: wrappers.RescaleObservation(env, np.float32(-1), np.float32(1)),
    "delayed": lambda env: wrappers.DelayObservation(env, 1),
    "with the time": lambda env: wrappers.TimeAwareObservation(wrappers.TimeLimit(env, 200)),
    "other numbers": lambda env: wrappers.DtypeObservation(env, np.float32),
}
PLAYED: dict[str, Wrapping] = {
    "rewards": wrappers.NormalizeReward,
    "counted": wrappers.RecordEpisodeStatistics,
    "cut off": lambda env: wrappers.TimeLimit(env, 5),
    "dealt anew": wrappers.Autoreset,
}
VECTORS: dict[str, Wrapping] = {
    "normal": vector.NormalizeObservation,
    "flat": vector.FlattenObservation,
    "other numbers": lambda envs: vector.DtypeObservation(envs, np.float32),
    "rewards": vector.NormalizeReward,
    "clipped": lambda envs: vector.ClipReward(envs, -0.5, 0.5),
}


def play(env: Any, steps: int = 60) -> list[Any]:
    """Play legal actions by the masks of the infos; return the observations."""
    observed, info = env.reset(seed=1)
    seen = [observed]
    for _ in range(steps):
        legal = np.flatnonzero(info["action_mask"])
        observed, _, terminated, truncated, info = env.step(legal[0] if len(legal) else 0)
        assert not info.get("illegal")
        seen.append(observed)
        if (terminated or truncated) and not isinstance(env, wrappers.Autoreset):
            observed, info = env.reset()
    return seen


@pytest.mark.parametrize("wrapping", [pytest.param(each, id=name) for name, each in {**OBSERVED, **PLAYED}.items()])
@pytest.mark.parametrize("form", ["float32", "int8"])
def test_wrappers_of_one_game_work(wrapping: Wrapping, form: str):
    plain = gymnasium.make(QUICK, observation=form)
    assert isinstance(plain.observation_space, Box) and plain.observation_space.dtype == form
    env = wrapping(plain)
    for observed in play(env):
        assert env.observation_space.contains(observed)


def test_stacked_frames_are_the_last_observations():
    frames = play(gymnasium.make(QUICK), 6)
    stacked = play(wrappers.FrameStackObservation(gymnasium.make(QUICK), 3), 6)
    for at in range(2, 7):
        assert np.array_equal(stacked[at], frames[at - 2 : at + 1])


@pytest.mark.parametrize("wrapping", [pytest.param(each, id=name) for name, each in VECTORS.items()])
@pytest.mark.parametrize("how", ["vector_entry_point", "sync"])
def test_wrappers_of_vectors_work(wrapping: Wrapping, how: str):
    more = {"autoreset_mode": "next_step"} if how == "vector_entry_point" else {}
    envs = wrapping(gymnasium.make_vec(QUICK, 4, how, **more))
    observed, infos = envs.reset(seed=1)
    for _ in range(60):
        assert envs.observation_space.contains(observed)
        observed, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert not infos.get("illegal", np.zeros(4)).any()
