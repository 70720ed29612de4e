"""When a vector deals the next game: in each autoreset mode it does what Gymnasium's own vector does."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import NormalizeObservation, NormalizeReward, RecordEpisodeStatistics

import quintain
import quintain.envs.gymnasium  # registers the games
from quintain.engine.errors import BadOption, IllegalMove
from quintain.engine.rules import rng
from quintain.envs.batch import Batch
from quintain.envs.ids import env_id
from quintain.envs.spaces import LegalActions, observations
from quintain.envs.vector import BatchEnv

QUICK = "kings-court"
PLACES = 6
MODES = list(AutoresetMode)
over_modes = pytest.mark.parametrize("mode", MODES)


def dealt(mode: AutoresetMode | str, num_envs: int = PLACES, **arguments: object) -> BatchEnv:
    """Return an environment after its first deal, which draws the same actions each time."""
    envs = BatchEnv(QUICK, num_envs, autoreset_mode=mode, **arguments)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    return envs


def played_to_an_end(envs: BatchEnv) -> tuple[Any, ...]:
    """Play on until games end, and return that step."""
    while True:
        step = envs.step(envs.action_space.sample())
        if step[2].any():
            return step


class OnePlace(gymnasium.Env[Any, Any]):
    """The games of one place of a vector, as a single environment."""

    def __init__(self, seed: int) -> None:
        self.batch, self.seed = Batch(QUICK, 1, learner=0, auto_reset=False), seed
        self.observation_space, self.action_space = observations(self.batch), LegalActions(self.batch.game.actions)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        if self.batch.is_dealt:
            self.batch.reset_done()
        else:
            self.batch.reset([self.seed])
        return self.batch.observation[0].copy(), self.info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.batch.step([int(action)])
        is_over = bool(self.batch.done[0])
        result = {"scores": self.batch.scores[0].copy(), "returns": self.batch.returns[0].copy()} if is_over else {}
        return self.batch.observation[0].copy(), float(self.batch.reward[0, 0]), is_over, False, self.info() | result

    def info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask[0].copy(), "seat": int(self.batch.seat[0])}


def without_holes(value: Any, valid: Any) -> list[Any]:
    """Return the entries of infos that their mask says are there."""
    return [value[place].tolist() for place in np.flatnonzero(valid)]


@over_modes
def test_a_vector_does_what_gymnasiums_own_does(mode: AutoresetMode):
    envs = dealt(mode)
    drawn = int(np.random.Generator(np.random.PCG64(np.random.SeedSequence(1))).integers(2**63 - 1, endpoint=True))
    seeds = [rng.mix(drawn, place) for place in range(PLACES)]
    peer = SyncVectorEnv([lambda seed=seed: OnePlace(seed) for seed in seeds], autoreset_mode=mode)
    theirs = peer.reset()
    assert np.array_equal(theirs[0], envs.reset(seed=1)[0])
    ended = 0
    for _ in range(150):
        actions = envs.action_space.sample()
        ours, theirs = envs.step(actions), peer.step(actions)
        for mine, other in zip(ours[:4], theirs[:4], strict=True):
            assert np.array_equal(mine, other) and mine.dtype == other.dtype
        for name in ("action_mask", "seat", "final_obs", "scores", "returns"):
            assert (name in ours[4]) == (name in theirs[4])
            if name in ours[4]:
                assert without_holes(ours[4][name], ours[4][f"_{name}"]) == without_holes(
                    theirs[4][name], theirs[4][f"_{name}"]
                )
        if "final_info" in theirs[4]:
            final, its = ours[4]["final_info"], theirs[4]["final_info"]
            assert without_holes(final["scores"], final["_scores"]) == without_holes(its["scores"], its["_scores"])
        over = ours[2]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            # The peer has no seed for these games but its own, so only our own next games of a place are compared.
            envs.batch.reset_done()
            assert np.array_equal(peer.reset(options={"reset_mask": over})[0][over], envs.batch.observation[over])
    assert ended > 2 * PLACES


@over_modes
def test_the_metadata_says_the_mode_and_copies_keep_it(mode: AutoresetMode):
    for given in (mode, mode.name.lower(), mode.value):
        envs = gymnasium.make_vec(env_id(quintain.game(QUICK)), num_envs=2, autoreset_mode=given)
        for each in (envs, copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))):
            assert each.metadata["autoreset_mode"] is mode
    assert BatchEnv(QUICK).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_next_step_ignores_the_action_of_a_game_that_is_over_and_gives_no_reward():
    envs = dealt("next_step")
    observed, _, over, _, infos = played_to_an_end(envs)
    assert (infos["seat"][over] == -1).all() and not infos["action_mask"][over].any()
    assert (infos["_scores"] == over).all() and infos["returns"][over].any()
    actions = envs.action_space.sample()
    actions[over] = -99
    after, rewards, terminations, _, infos = envs.step(actions)
    assert not rewards[over].any() and not terminations[over].any()
    assert infos["action_mask"].any(axis=1)[over].all() and "scores" not in infos
    assert not (after[over] == observed[over]).all(axis=1).any()


def test_next_step_still_refuses_an_illegal_action_where_a_game_goes_on():
    envs = dealt("next_step")
    over = played_to_an_end(envs)[2]
    actions, place = envs.action_space.sample(), int(np.flatnonzero(~over)[0])
    actions[place] = -1
    before = envs.batch.observation.copy()
    with pytest.raises(IllegalMove, match=f"action -1 of seat 0 in place {place} is not legal"):
        envs.step(actions)
    assert np.array_equal(envs.batch.observation, before) and (envs.batch.seat[over] == -1).all()


def test_disabled_waits_for_a_reset_of_the_games_that_are_over():
    envs = dealt("disabled")
    observed, _, over, _, _ = played_to_an_end(envs)
    place = int(np.flatnonzero(over)[0])
    with pytest.raises(ResetNeeded, match=f"the game in place {place} is over: call `reset` with a `reset_mask`"):
        envs.step(envs.action_space.sample())
    options = {"reset_mask": over}
    after, infos = envs.reset(options=options)
    assert list(options) == ["reset_mask"], "wrappers read it after us"
    assert np.array_equal(after[~over], observed[~over]) and not (after[over] == observed[over]).all(axis=1).any()
    assert infos["action_mask"].any(axis=1).all()
    assert not envs.step(envs.action_space.sample())[1][over].any()


@over_modes
def test_a_reset_mask_deals_only_there_by_the_seed(mode: AutoresetMode):
    envs, whole = dealt(mode), dealt(mode)
    mask = np.arange(PLACES) % 2 == 0
    before = envs.step(envs.action_space.sample())[0]
    first, _ = whole.reset(seed=8)
    after, _ = envs.reset(seed=8, options={"reset_mask": mask})
    assert np.array_equal(after[mask], first[mask]) and np.array_equal(after[~mask], before[~mask])
    assert not np.array_equal(first[~mask], before[~mask])
    envs.reset(seed=8, options={"reset_mask": np.ones(PLACES, bool), "garnets": [3, 1]})
    assert envs.batch.options == envs.batch.game.read_options(2, {"garnets": [3, 1]})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"reset_mask": [True] * PLACES}, r"a reset_mask is a numpy array of bool, \(6,\), not"),
        ({"reset_mask": np.ones(PLACES)}, r"not float64, \(6,\)"),
        ({"reset_mask": np.ones(3, bool)}, r"not bool, \(3,\)"),
        ({"reset_mask": np.zeros(PLACES, bool)}, "must be True for one game at least"),
        ({"reset_mask": np.arange(PLACES) < 2, "garnets": [3, 1]}, "options of the game hold in all games"),
    ],
)
def test_a_wrong_reset_mask_is_an_error_and_changes_nothing(options: dict[str, object], words: str):
    envs, twin = dealt("disabled"), dealt("disabled")
    with pytest.raises(BadOption, match=words):
        envs.reset(seed=4, options=options)
    assert np.array_equal(envs.batch.observation, twin.batch.observation)
    assert envs.batch.options == twin.batch.options
    assert np.array_equal(envs.reset()[0], twin.reset()[0])


def test_a_mask_before_the_first_deal_is_an_error():
    with pytest.raises(BadOption, match="no game is dealt yet"):
        BatchEnv(QUICK, 2).reset(options={"reset_mask": np.array([True, False])})


@over_modes
def test_wrappers_that_count_games_know_the_mode(mode: AutoresetMode):
    envs = dealt(mode)
    counted = RecordEpisodeStatistics(envs)
    counted.reset(seed=1)
    lengths, found = np.zeros(PLACES, int), 0
    while found < 20:
        over = envs.batch.seat < 0
        *_, terminations, _, infos = counted.step(counted.action_space.sample())
        lengths += ~over
        for place in np.flatnonzero(terminations):
            assert infos["episode"]["l"][place] == lengths[place]
            lengths[place], found = 0, found + 1
        if mode is AutoresetMode.DISABLED and terminations.any():
            counted.reset(options={"reset_mask": terminations.copy()})


def test_wrappers_that_need_next_step_work():
    envs = NormalizeReward(NormalizeObservation(dealt("next_step")))
    observed, _ = envs.reset(seed=1)
    for _ in range(80):
        observed, rewards, *_ = envs.step(envs.action_space.sample())
    assert observed.dtype == np.float32 and np.isfinite(observed).all() and np.isfinite(rewards).all()
    with pytest.raises(ValueError, match="SAME_STEP"):
        NormalizeObservation(dealt("same_step"))


def test_a_batch_steps_and_deals_only_where_it_is_asked_to():
    batch, whole = Batch(QUICK, 8, auto_reset=False), Batch(QUICK, 8, auto_reset=False)
    for each in (batch, whole):
        each.reset(5)
    some = np.arange(8) < 3
    actions = batch.sample()
    before = [batch.state(place).pack() for place in range(8)]
    whole.step(actions)
    batch.step(np.where(some, actions, -5), places=some)
    for place in range(8):
        assert batch.state(place).pack() == (whole.state(place).pack() if some[place] else before[place])
    assert np.array_equal(batch.observation[some], whole.observation[some])
    batch.step(actions, places=~some)
    assert np.array_equal(batch.observation, whole.observation) and np.array_equal(batch.mask, whole.mask)
    for call in (lambda: batch.step(actions, places=[1] * 8), lambda: batch.reset_done(np.ones(7, bool))):
        with pytest.raises(BadOption, match="places are an array of 8 of True and False, one for each game"):
            call()
    with pytest.raises(BadOption, match="options of the game hold in all places"):
        batch.reset(1, {"garnets": [3, 1]}, places=some)
