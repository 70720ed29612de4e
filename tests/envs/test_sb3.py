"""Stable-Baselines3 trains on the batch: its own checks of a vector, masks, the end of games, and what is refused.

These tests need PyTorch, which is too large for our own test environment; docs/environments.md says how to run them.
"""

import importlib
from typing import Any

import numpy as np
import pytest

from quintain.engine.errors import BadOption, IllegalMove
from quintain.envs.vector import BatchEnv

vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
VecBatch = importlib.import_module("quintain.envs.sb3").VecBatch
QUICK = "kings-court"


def legal(envs: Any) -> Any:
    """Return the lowest legal action of each game."""
    return np.stack(envs.env_method("action_masks")).argmax(axis=1)


def test_it_gives_what_the_vector_gives():
    envs, plain = VecBatch(QUICK, 8, others=["random", "page"]), BatchEnv(QUICK, 8, others=["random", "page"])
    envs.seed(5)
    observed, (expected, _) = envs.reset(), plain.reset(seed=5)
    ended = 0
    for _ in range(100):
        assert np.array_equal(observed, expected) and envs.observation_space.contains(observed[0])
        actions = legal(envs)
        observed, rewards, done, infos = envs.step(actions)
        expected, won, over, _, theirs = plain.step(actions)
        assert np.array_equal(rewards, won) and np.array_equal(done, over) and rewards.dtype == np.float32
        assert [info["opponent"] for info in infos if "scores" not in info] == theirs["opponent"][~over].tolist()
        for place in range(8):
            assert ("terminal_observation" in infos[place]) == bool(over[place])
            if over[place]:
                assert np.array_equal(infos[place]["terminal_observation"], theirs["final_obs"][place])
                assert infos[place]["returns"][0] == rewards[place] and len(infos[place]["scores"]) == 2
        ended += int(over.sum())
    assert ended > 8


def test_its_masks_are_those_of_the_games():
    envs = VecBatch(QUICK, 4)
    envs.reset()
    assert envs.has_attr("action_masks") and not envs.has_attr("moat")
    assert np.array_equal(np.stack(envs.env_method("action_masks")), envs.envs.batch.mask)
    assert np.array_equal(envs.env_method("action_masks", indices=[2])[0], envs.envs.batch.mask[2])
    with pytest.raises(AttributeError, match="one method, action_masks, and no render"):
        envs.env_method("render")
    with pytest.raises(AttributeError, match="no attributes of their own"):
        envs.set_attr("moat", 1)


def test_seeds_and_options_hold_from_the_next_reset_on():
    envs, again = VecBatch(QUICK, 4), VecBatch(QUICK, 4, options={"garnets": [3, 1]})
    envs.set_options({"garnets": [3, 1]})
    for each in (envs, again):
        each.seed(3)
    assert np.array_equal(envs.reset(), again.reset()) and np.array_equal(envs.reset(), again.reset())
    envs.set_options([{"garnets": [3, 1]}, {}, {}, {}])
    with pytest.raises(BadOption, match="give the same to each"):
        envs.reset()


def test_an_illegal_action_is_an_error():
    envs = VecBatch(QUICK, 2)
    envs.reset()
    with pytest.raises(IllegalMove, match="in place 0 is not legal"):
        envs.step(np.stack(envs.env_method("action_masks")).argmin(axis=1))
    with pytest.raises(BadOption, match="say which seat it plays"):
        VecBatch(QUICK, 2, learner=None)


def test_its_wrappers_count_and_scale():
    envs = vec_env.VecNormalize(vec_env.VecMonitor(VecBatch(QUICK, 8)))
    envs.seed(1)
    envs.reset()
    found: list[dict[str, Any]] = []
    while not found:
        observed, _, _, infos = envs.step(legal(envs))
        found = [info["episode"] for info in infos if "episode" in info]
    assert np.isfinite(observed).all() and {each["r"] for each in found} <= {-1, 0, 1}


def test_maskable_ppo_trains_and_plays_by_the_masks():
    """An illegal action would be an error."""
    contrib = pytest.importorskip("sb3_contrib")
    envs = VecBatch(QUICK, 16, others=["random", "page"])
    small = {"net_arch": [32]}
    model = contrib.MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=128, n_epochs=2, seed=1, policy_kwargs=small)
    before = model.policy.action_net.weight.detach().numpy().copy()
    model.learn(1024)
    assert not np.array_equal(model.policy.action_net.weight.detach().numpy(), before)
    observed, ended = envs.reset(), 0
    while ended < 16:
        actions, _ = model.predict(observed, action_masks=np.stack(envs.env_method("action_masks")))
        observed, _, done, _ = envs.step(actions)
        ended += int(done.sum())
