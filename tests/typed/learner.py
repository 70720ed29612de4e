"""A program that learns, for the type checker and for a test."""

import gymnasium
import numpy as np

import quintain
from quintain.envs.batch import Batch
from quintain.envs.gymnasium import SeatEnv
from quintain.envs.ids import env_id
from quintain.envs.openspiel import name_of
from quintain.envs.pettingzoo import TurnEnv, env, parallel_env
from quintain.envs.vector import BatchEnv


def rewards(seed: int) -> float:
    """Return the reward of a random seat."""
    made = gymnasium.make(env_id(quintain.game("kings-court")), opponents="random")
    assert isinstance(made.unwrapped, SeatEnv)
    _, info = made.reset(seed=seed)
    ended, total = False, 0.0
    while not ended:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, reward, ended, _, info = made.step(action)
        total += float(reward)
    return total


def steps() -> int:
    """Return how many games of a batch ended within 300 steps."""
    batch = Batch("kings-court", 4, learner=0)
    batch.reset(1)
    over = 0
    for _ in range(300):
        batch.step(batch.sample())
        over += int(batch.done.sum())
    return over


def agents() -> tuple[list[str], str, int]:
    """Return the agents of an environment, a name in OpenSpiel, and the size of a vector."""
    made: TurnEnv = env("kings-court")
    made.reset(seed=1)
    parallel_env("kings-court").reset(seed=1)
    return list(made.agents), name_of(made.core.game), BatchEnv("kings-court", 2).num_envs
