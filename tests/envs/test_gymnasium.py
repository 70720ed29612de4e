"""One seat in Gymnasium: its own checks, masks, illegal actions, opponents, seeds, rewards, and what stays secret."""

import pickle
from typing import ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import quintain
from conformance.cases import tutorial_game
from envs.missing import said_without
from quintain.bots import Budget, level
from quintain.engine.errors import BadBot, BadOption, IllegalMove
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.envs.gymnasium import SeatEnv
from quintain.envs.ids import env_id
from tutorial import kept_goofspiel

GAMES = [game.id for game in quintain.all_games() if game.folder]
QUICK = "kings-court"
QUICK_ID = "quintain/KingsCourt-v0"
over_games = pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.long] * (game != QUICK)) for game in GAMES]
)


class Lowest:
    """A bot that plays the lowest legal action, and keeps what it has seen."""

    seen: ClassVar[list[Seen]] = []

    def __init__(self, game: Game, seed: int) -> None:
        self.seen.clear()

    def choose(self, seen: Seen, budget: Budget) -> int:
        self.seen.append(seen)
        return min(seen.legal)


class Broken(Lowest):
    """A bot that fails."""

    def choose(self, seen: Seen, budget: Budget) -> int:
        raise ValueError("no idea")


def played(env: SeatEnv, seed: int) -> list[tuple[int, float]]:
    """Return the actions and rewards of a random game."""
    env.action_space.seed(seed)
    env.reset(seed=seed)
    steps, is_over = [], False
    while not is_over:
        action = env.action_space.sample()
        _, reward, is_over, _, _ = env.step(action)
        steps.append((int(action), float(reward)))
    return steps


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("form", ["float32", pytest.param("int8", marks=pytest.mark.long)])
def test_gymnasium_finds_no_fault(game: str, form: str):
    check_env(gymnasium.make(env_id(quintain.game(game)), observation=form).unwrapped)


@over_games
def test_gymnasium_finds_no_fault_with_a_random_seat_against_bots(game: str):
    check_env(gymnasium.make(env_id(quintain.game(game)), seat="random", opponents="page").unwrapped)


def test_every_game_is_registered_under_its_name():
    assert QUICK_ID in gymnasium.registry
    assert {env_id(quintain.game(game)) for game in GAMES} <= set(gymnasium.registry)
    from quintain.engine.rules.registry import register_file

    register_file(kept_goofspiel())
    assert isinstance(gymnasium.make("quintain/Goofspiel-v0").unwrapped, SeatEnv)


@over_games
@pytest.mark.parametrize("seat", [0, 1])
def test_the_mask_has_the_legal_actions_of_the_seat(game: str, seat: int):
    env = SeatEnv(game, seat=seat)
    _, info = env.reset(seed=1)
    for _ in range(30):
        legal = env.game.legal_actions(env.batch.book, env.batch.state(0), seat)
        assert legal and info["seat"] == seat
        assert np.flatnonzero(info["action_mask"]).tolist() == np.flatnonzero(env.action_masks()).tolist() == legal
        action = env.action_space.sample()
        assert action in legal
        _, _, is_over, _, info = env.step(action)
        if is_over:
            assert not info["action_mask"].any()
            _, info = env.reset()


@over_games
def test_the_reward_comes_at_the_end_and_with_it_the_scores(game: str):
    env = SeatEnv(game, seat=1)
    *before, last = [reward for _, reward in played(env, 3)]
    assert before == [0] * len(before)
    assert -1 <= last <= 1
    _, info = env.reset()
    assert "scores" not in info


def test_the_higher_score_wins_in_kings_court():
    env = SeatEnv(QUICK, seat=1)
    env.action_space.seed(1)
    for seed in range(20):
        env.reset(seed=seed)
        is_over = False
        while not is_over:
            _, reward, is_over, _, info = env.step(env.action_space.sample())
        mine, other = info["scores"][1], info["scores"][0]
        assert reward == np.sign(mine - other) or mine == other


def test_a_seed_decides_the_games_and_the_opponents():
    one = [played(SeatEnv(QUICK, opponents=name), 5) for name in ("random", "random", "page", "page")]
    assert one[0] == one[1] != one[2] == one[3]
    assert played(SeatEnv(QUICK), 6) != one[0]


def test_each_game_is_dealt_from_the_seed_and_is_another_one():
    env = SeatEnv(QUICK)
    first, next_one, other, again = [env.reset(seed=seed)[0].tolist() for seed in (5, None, 6, 5)]
    assert first == again and len({tuple(first), tuple(next_one), tuple(other)}) == 3


def test_an_opponent_is_a_level_or_a_bot_of_ones_own():
    played(SeatEnv(QUICK, seat=1, opponents="envs.test_gymnasium:Lowest"), 1)
    assert Lowest.seen and {seen.viewer for seen in Lowest.seen} == {0}
    assert SeatEnv(QUICK, opponents="knight").levels == [level("knight")]


def test_a_bot_that_searches_plays_with_full_strength_from_the_first_move_on():
    """It is compiled before; so its choices do not depend on the time that they take."""
    assert played(SeatEnv(QUICK, opponents="squire"), 1) == played(SeatEnv(QUICK, opponents="squire"), 1)


def test_an_opponent_may_be_a_class():
    assert played(SeatEnv(QUICK, opponents=Lowest), 1) == played(SeatEnv(QUICK, opponents=[Lowest]), 1)
    for wrong in (Lowest(quintain.game(QUICK), 1), 5, int, [None]):
        with pytest.raises(BadOption, match="an opponent is the name of a level, or a class with a method `choose`"):
            SeatEnv(QUICK, opponents=wrong)


@pytest.mark.parametrize("action", [1.5, None, "3", [1, 2]])
def test_what_is_no_whole_number_is_an_error(action: object):
    env = SeatEnv(QUICK)
    env.reset(seed=1)
    with pytest.raises(BadOption, match="an action is a whole number, not"):
        env.step(action)
    env.step(np.array([env.action_space.sample()]))


def test_a_bot_may_see_what_a_learner_sees():
    env = SeatEnv(QUICK, seat=1, opponents=Lowest)
    env.reset(seed=1)
    seen = Lowest.seen[-1]
    assert len(seen.observation) == env.game.observation.size
    row = [0.0] * len(seen.observation)
    env.game.rules.observe(seen.book, seen.state, 0, row)
    assert list(seen.observation) == row


def test_each_other_seat_has_an_opponent_of_its_own():
    own = "envs.test_gymnasium:Lowest"
    env = SeatEnv(tutorial_game(), seats=3, seat=1, opponents=["random", own])
    played(env, 1)
    assert {seen.viewer for seen in Lowest.seen} == {2}


def test_an_opponent_sees_no_more_than_its_seat():
    played(SeatEnv(QUICK, seat=1, opponents=["envs.test_gymnasium:Lowest"]), 1)
    first = Lowest.seen[0].state
    assert set(first.hand[1]) == {UNKNOWN} and UNKNOWN not in first.hand[0]


def test_the_hand_of_an_opponent_changes_nothing_that_the_seat_observes():
    """Two deals that differ only in what the seat does not know look the same to it."""
    env = SeatEnv(QUICK)
    env.reset(seed=1)
    truth = env.batch.state(0)
    blinded = env.game.blinded(env.batch.book, truth, 0)
    others = blinded.copy()
    env.game.rules.redeal(env.batch.book, others, 99)
    assert others.hand[1] != truth.hand[1]
    again = env.game.blinded(env.batch.book, others, 0)
    rows = [np.zeros(env.batch.layout.size) for _ in range(3)]
    for row, s in zip(rows, (blinded, again, others), strict=True):
        env.game.rules.observe(env.batch.book, s, 0, row)
    assert np.array_equal(rows[0], rows[1]) and not np.array_equal(rows[0], rows[2])
    assert np.array_equal(rows[0].astype(np.float32), env.batch.observe(0)[0])


def test_a_failing_bot_is_named():
    with pytest.raises(BadBot, match="Broken failed: ValueError: no idea"):
        SeatEnv(QUICK, seat=1, opponents="envs.test_gymnasium:Broken").reset(seed=1)


def test_a_random_seat_is_each_seat_in_some_games():
    env = SeatEnv("round-table", seats=3, seat="random")
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2}


@pytest.mark.parametrize("wrong", ["illegal", -1, 100_000])
def test_an_illegal_action_loses_the_game(wrong: int | str):
    env = SeatEnv(QUICK)
    _, info = env.reset(seed=1)
    action = int(np.flatnonzero(info["action_mask"] == 0)[0]) if wrong == "illegal" else int(wrong)
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert info["illegal"] is True and not info["action_mask"].any()
    assert env.observation_space.contains(observation)
    with pytest.raises(ResetNeeded, match="the game is over, or none has been dealt yet: call `reset`"):
        env.step(action)


def test_an_illegal_action_can_be_an_error_that_changes_nothing():
    env = SeatEnv(QUICK, illegal="error")
    observation, info = env.reset(seed=1)
    with pytest.raises(IllegalMove, match="seat 0 cannot play -1 now; its legal actions are"):
        env.step(-1)
    assert np.array_equal(env.batch.observe(0)[0], observation)
    assert np.array_equal(env.action_masks(), info["action_mask"])
    assert not env.step(env.action_space.sample())[2]


def test_no_step_before_the_first_game():
    with pytest.raises(ResetNeeded):
        SeatEnv(QUICK).step(0)


def test_what_is_rendered_is_what_the_seat_sees():
    env = gymnasium.make(QUICK_ID, seat=1, render_mode="ansi")
    env.reset(seed=1)
    assert "Hand of seat 0 (8): ?, ?" in str(env.render())
    assert "Your hand (7): " in str(env.render())


def test_environments_run_side_by_side_in_processes():
    """Their spaces travel to other processes; the masks in them matter only where they are filled."""
    env = SeatEnv(QUICK)
    env.reset(seed=1)
    space = pickle.loads(pickle.dumps(env.action_space))
    assert space == env.action_space and env.action_masks()[space.sample()]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"opponents": ["page", "page"]}, "a game of 2 seats has 1 opponents, not 2"),
        ({"opponents": "jester"}, "there is no bot 'jester'"),
        ({"seat": 2}, "the seat is a number from 0 to 1 or `random`, not 2"),
        ({"illegal": "win"}, "an illegal action can `lose` or be an `error`, not 'win'"),
        ({"options": {"moat": "deep"}}, "has no option moat"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, object], words: str):
    with pytest.raises(BadOption, match=words):
        SeatEnv(QUICK, **arguments)


@pytest.mark.parametrize("module", ["gymnasium", "vector"])
def test_without_gymnasium_the_modules_say_what_to_install(module: str):
    said = said_without("gymnasium", f"quintain.envs.{module}")
    assert "this needs gymnasium: type pip install 'quintain[gymnasium]', or `make lab` in a checkout" in said


def test_options_of_reset_hold_from_that_reset_on():
    changed, made, usual = SeatEnv(QUICK), SeatEnv(QUICK, options={"garnets": [3, 1]}), SeatEnv(QUICK)
    played(changed, 2)
    for seed in (5, None):
        given = {"garnets": [3, 1]} if seed else None
        first, second = changed.reset(seed=seed, options=given)[0], made.reset(seed=seed)[0]
        assert np.array_equal(first, second) and not np.array_equal(first, usual.reset(seed=seed)[0])
    assert changed.batch.options == made.batch.options == made.game.read_options(2, {"garnets": [3, 1]})
    assert pickle.loads(pickle.dumps(changed.batch)).options == made.batch.options


def test_options_that_reset_does_not_name_stay_as_they_are():
    env = SeatEnv("heirless", options={"knights": 2})
    env.reset(seed=1, options={"seasons": 2})
    assert env.batch.options["knights"] == 2 and env.batch.options["seasons"] == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"knigths": 2}, "has no option knigths: its options are .*; perhaps knights"),
        ({"knights": 99}, "the option knights cannot be 99"),
        ({"reset_mask": [True]}, "has no option reset_mask"),
        ([("knights", 2)], "options are given as names with values"),
    ],
)
def test_wrong_options_of_reset_are_an_error_and_change_nothing(options: dict[str, object], words: str):
    env, again = SeatEnv("heirless"), SeatEnv("heirless")
    for each in (env, again):
        each.reset(seed=1, options={})
    with pytest.raises(BadOption, match=words):
        env.reset(seed=9, options=options)
    assert env.batch.options == again.batch.options
    assert (env.reset()[0] == again.reset()[0]).all()
