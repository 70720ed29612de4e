"""Many games in Gymnasium's vector interface: the end of games, self-play, masks, seeds, and arrays that are shared."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import quintain
import quintain.envs.gymnasium  # registers the games
from quintain.engine.errors import BadOption, IllegalMove
from quintain.envs.ids import env_id
from quintain.envs.vector import BatchEnv

GAMES = [game.id for game in quintain.all_games() if game.folder]
QUICK = "kings-court"
over_games = pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.long] * (game != QUICK)) for game in GAMES]
)


def dealt(seed: int = 1, num_envs: int = 16, game: str = QUICK, **arguments: object) -> BatchEnv:
    """Return an environment after its first deal, which draws the same actions each time."""
    envs = BatchEnv(game, num_envs, **arguments)
    envs.reset(seed=seed)
    envs.action_space.seed(seed)
    return envs


@over_games
@pytest.mark.parametrize("learner", [0, 1, None])
def test_make_vec_gives_games_whose_arrays_lie_in_their_spaces(game: str, learner: int | None):
    envs = gymnasium.make_vec(env_id(quintain.game(game)), num_envs=8, learner=learner)
    assert isinstance(envs, BatchEnv) and envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=1)
    for _ in range(60):
        assert envs.observation_space.contains(observations)
        assert infos["action_mask"].shape == (8, envs.batch.game.actions)
        actions = envs.action_space.sample()
        assert envs.action_space.contains(actions)
        assert infos["action_mask"][np.arange(8), actions].all()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (8,)
        assert not rewards[~terminations].any() and not truncations.any()


def test_the_learner_alone_is_asked():
    envs = dealt(learner=1)
    for _ in range(40):
        infos = envs.step(envs.action_space.sample())[-1]
        assert (infos["seat"] == 1).all()


def test_the_end_of_a_game_gives_its_last_observation_and_its_result_and_deals_the_next():
    envs = dealt(learner=0)
    ended = 0
    while ended < 40:
        observations, rewards, terminations, _, infos = envs.step(envs.action_space.sample())
        assert ("final_obs" in infos) == terminations.any()
        for place in np.flatnonzero(terminations):
            ended += 1
            assert infos["_final_obs"][place] and infos["_final_info"][place]
            assert not np.array_equal(infos["final_obs"][place], observations[place])
            scores = infos["final_info"]["scores"][place]
            assert scores.min() >= 0 and rewards[place] == infos["final_info"]["returns"][place][0]
            assert scores[0] == scores[1] or rewards[place] == np.sign(scores[0] - scores[1])
        for place in np.flatnonzero(~terminations):
            assert "final_obs" not in infos or infos["final_obs"][place] is None
    assert infos["action_mask"].any(axis=1).all()


def test_in_self_play_the_reward_is_that_of_the_seat_that_has_acted():
    envs = dealt(learner=None)
    seats = set()
    ended = 0
    while ended < 20:
        acted = envs.batch.seat.copy()
        _, rewards, terminations, _, infos = envs.step(envs.action_space.sample())
        assert np.array_equal(rewards, infos["rewards"][np.arange(16), acted])
        assert np.allclose(infos["rewards"].sum(axis=1), 0)
        assert not infos["rewards"][~terminations].any()
        ended += int(terminations.sum())
        seats |= set(infos["seat"].tolist())
    assert seats == {0, 1}


def test_the_last_observation_in_self_play_is_that_of_the_seat_that_has_acted():
    envs, twin = dealt(learner=None), dealt(learner=None)
    done = np.zeros(16, bool)
    while not done.any():
        actions, acted = envs.action_space.sample(), twin.batch.seat.copy()
        *_, infos = envs.step(actions)
        twin.batch.step(actions)
        done = twin.batch.done
    for place in np.flatnonzero(done):
        seen = twin.batch.observe(int(acted[place]))[place]
        assert np.array_equal(infos["final_obs"][place], seen)
        assert not np.array_equal(twin.batch.observe(1 - int(acted[place]))[place], seen)


def test_a_seed_decides_all_games():
    def trace(seed: int, **arguments: object) -> list[list[float]]:
        envs = dealt(seed, **arguments)
        envs.action_space.seed(0)
        return [envs.step(envs.action_space.sample())[0].sum(axis=1).tolist() for _ in range(50)]

    one = trace(1)
    assert one == trace(1) == trace(1, threads=2) != trace(2)
    envs = dealt(1)
    first = envs.batch.observation.copy()
    assert len({row.tobytes() for row in first}) == len(first)
    assert not np.array_equal(envs.reset()[0], first)


def test_an_illegal_action_is_an_error_that_changes_nothing():
    envs = dealt(learner=0)
    actions = envs.action_space.sample()
    actions[3] = int(np.flatnonzero(envs.batch.mask[3] == 0)[0])
    before = envs.batch.observation.copy()
    with pytest.raises(IllegalMove, match=f"action {actions[3]} of seat 0 in place 3 is not legal"):
        envs.step(actions)
    assert np.array_equal(envs.batch.observation, before)


def test_sampling_draws_every_legal_action_and_follows_its_seed():
    envs = dealt(num_envs=2)
    drawn = {int(envs.action_space.sample()[0]) for _ in range(2000)}
    assert drawn == set(np.flatnonzero(envs.batch.mask[0]).tolist())
    again = [(envs.action_space.seed(4), envs.action_space.sample().tolist())[1] for _ in range(2)]
    assert again[0] == again[1]


def test_arrays_are_copies_unless_the_caller_takes_those_of_the_batch():
    envs, shared = dealt(), dealt(copy=False)
    observations, *_ = envs.step(envs.action_space.sample())
    kept = observations.copy()
    envs.step(envs.action_space.sample())
    assert np.array_equal(observations, kept)
    observations, *_ = shared.step(shared.action_space.sample())
    kept = observations.copy()
    shared.step(shared.action_space.sample())
    assert not np.array_equal(observations, kept)
    assert observations is shared.batch.observation


def test_dlpack_shares_the_arrays_without_copying():
    envs = dealt(copy=False)
    observations, *_, infos = envs.step(envs.action_space.sample())
    for array in (observations, infos["action_mask"], infos["seat"]):
        read = np.from_dlpack(array)
        assert np.shares_memory(read, array) and read.shape == array.shape


JAX = """
import jax
import numpy as np
from quintain.envs.vector import BatchEnv
for copy in (True, False):
    envs = BatchEnv("kings-court", 16, copy=copy)
    envs.reset(seed=1)
    observations, *_, infos = envs.step(envs.action_space.sample())
    for array in (observations, infos["action_mask"]):
        read = jax.dlpack.from_dlpack(array)
        assert read.unsafe_buffer_pointer() == array.ctypes.data
        assert np.array_equal(np.asarray(read), array)
"""


def test_jax_reads_the_arrays_without_copying():
    """In a process of its own: where JAX has been imported, every later fork brings a warning."""
    subprocess.run([sys.executable, "-c", JAX], check=True)


def test_wrappers_of_gymnasium_work():
    counted = RecordEpisodeStatistics(dealt())
    counted.reset(seed=1)
    while not counted.episode_count:
        *_, infos = counted.step(counted.action_space.sample())
    assert set(infos["episode"]) >= {"r", "l"}
    listed = DictInfoToList(dealt())
    _, infos = listed.reset(seed=1)
    assert [info["seat"] for info in infos] == [0] * 16
    for _ in range(60):
        *_, infos = listed.step(listed.action_space.sample())
    assert len(infos) == 16


def test_wrong_arguments_are_refused():
    with pytest.raises(BadOption, match="learner is a whole number from 0 to 1"):
        BatchEnv(QUICK, 2, learner=2)
    with pytest.raises(BadOption, match="an autoreset mode is `next_step`, `same_step`, `disabled`, or Gymnasium's"):
        BatchEnv(QUICK, 2, autoreset_mode="never")


def test_wrong_options_of_reset_are_an_error_and_change_nothing():
    envs = BatchEnv("kings-court", 2)
    before, _ = envs.reset(seed=1, options={})
    before = before.copy()
    with pytest.raises(BadOption, match=r"has no option garnet: its options are .*; perhaps garnets"):
        envs.reset(options={"garnet": [3, 1]})
    assert (envs.batch.observation == before).all() and envs.batch.options == envs.batch.game.read_options(2, {})


def test_options_of_reset_hold_for_all_games_dealt_from_then_on():
    changed, made, usual = dealt(), BatchEnv(QUICK, 16, options={"garnets": [3, 1]}), BatchEnv(QUICK, 16)
    played = [changed.reset(seed=5, options={"garnets": [3, 1]})[0], made.reset(seed=5)[0], usual.reset(seed=5)[0]]
    assert np.array_equal(played[0], played[1]) and not np.array_equal(played[0], played[2])
    ended = 0
    for _ in range(60):
        actions = changed.action_space.sample()
        one, other = changed.step(actions), made.step(actions)
        ended += one[2].sum()
        assert np.array_equal(one[0], other[0]) and np.array_equal(one[1], other[1])
    assert ended


def test_action_masks_are_those_of_the_infos():
    envs = dealt()
    for _ in range(30):
        masks = envs.action_masks()
        assert masks.dtype == np.bool_ and np.array_equal(masks, envs.batch.mask)
        *_, infos = envs.step(masks.argmax(axis=1))
        assert np.array_equal(envs.action_masks(), infos["action_mask"])
        assert not np.array_equal(masks, envs.action_masks())
