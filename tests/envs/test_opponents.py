"""The opponents in a vector: compiled levels, bots and policies, and a pool of which each game draws one."""

import copy
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

import quintain
from conformance.cases import KUHN, tutorial_game
from quintain.bots import Budget
from quintain.engine.errors import BadBot, BadOption
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.engine.seen.seen import Seen
from quintain.envs.batch import Batch
from quintain.envs.vector import BatchEnv

QUICK = "kings-court"


class Lowest:
    """A bot that plays the lowest legal action, and keeps what it has seen."""

    seen: ClassVar[list[Seen]] = []

    def __init__(self, game: Game, seed: int) -> None:
        pass

    def choose(self, seen: Seen, budget: Budget) -> int:
        self.seen.append(seen)
        return min(seen.legal)


def lowest(observations: Any, masks: Any) -> Any:
    """A policy that plays the lowest legal action of each game."""
    return masks.argmax(axis=1)


def highest(observations: Any, masks: Any) -> Any:
    """A policy that plays the highest legal action of each game."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def dealt(others: object, num_envs: int = 8, game: str | Game = QUICK, **more: object) -> BatchEnv:
    """Return an environment after its first deal, which draws the same actions each time."""
    envs = BatchEnv(game, num_envs, others=others, **more)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    return envs


def course(envs: BatchEnv, steps: int = 80) -> list[Any]:
    """Play on by sampled actions; return all that comes back."""
    found = []
    for _ in range(steps):
        observed, rewards, over, _, infos = envs.step(envs.action_space.sample())
        found.append((observed.tolist(), rewards.tolist(), over.tolist(), infos["action_mask"].tolist()))
    return found


def won(others: object, games: int = 120) -> float:
    """Return the mean reward of a learner who plays at random."""
    envs, rewards = dealt(others, 40), []
    while len(rewards) < games:
        _, reward, over, _, _ = envs.step(envs.action_space.sample())
        rewards += reward[over].tolist()
    return float(np.mean(rewards))


def test_compiled_levels_are_as_strong_as_they_should_be():
    assert won("greedy") < won("page") - 0.1 < won("random") - 0.3


def test_a_compiled_greedy_opponent_plays_as_the_bot_does():
    """Not the same games, since their chance differs, but as well: both win nearly all of them."""
    compiled, bot = won("greedy"), won("quintain.bots.greedy:Greedy")
    assert abs(compiled - bot) < 0.15 and bot < -0.7


@pytest.mark.parametrize("others", ["greedy", "page", ["random", "page", "caller"]], ids=str)
def test_compiled_opponents_play_the_same_games_on_any_number_of_threads_and_after_a_save(others: Any):
    one, two = (Batch(QUICK, 6, learner=1, others=others, threads=threads) for threads in (1, 3))
    for batch in (one, two):
        batch.reset(3)
    for step in range(60):
        actions = one.sample()
        for batch in (one, two):
            batch.step(actions)
        if step == 40:
            two.restore(one.save())
        for name in ("observation", "mask", "seat", "opponent", "returns"):
            assert np.array_equal(getattr(one, name), getattr(two, name))
    assert one.returns.any()


def test_the_caller_plays_the_other_seats_where_a_game_draws_so():
    batch = Batch(QUICK, 32, learner=0, others=["random", "caller"])
    batch.reset(1)
    asked = [set() for _ in range(2)]
    for _ in range(60):
        for place in range(32):
            asked[batch.opponent[place]].add(int(batch.seat[place]))
        batch.step(batch.sample())
    assert asked == [{0}, {0, 1}]


def test_each_game_draws_its_opponent_by_its_seed():
    envs, twin, other = dealt(["random", "page"], 32), dealt(["random", "page"], 32), dealt(["random", "page"], 32)
    other.reset(seed=2)
    assert np.array_equal(envs.batch.opponent, twin.batch.opponent)
    assert not np.array_equal(envs.batch.opponent, other.batch.opponent)
    drawn: list[int] = []
    changed = False
    for _ in range(120):
        before = envs.batch.opponent.copy()
        *_, over, _, infos = envs.step(envs.action_space.sample())
        assert np.array_equal(infos["opponent"], envs.batch.opponent)
        assert np.array_equal(infos["opponent"][~over], before[~over])
        changed = changed or (infos["opponent"][over] != before[over]).any()
        if over.any():
            assert np.array_equal(infos["final_info"]["opponent"][over], before[over])
            drawn += before[over].tolist()
    assert changed and 0.35 < np.mean(drawn) < 0.65
    assert "opponent" not in dealt("page").reset()[1]


@pytest.mark.parametrize(("file", "learner"), [(None, 0), (KUHN, 1)], ids=["kings-court", "kuhn"])
@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_a_policy_plays_the_games_that_a_caller_of_all_seats_plays(mode: str, file: Any, learner: int):
    """The reference steps a batch of all seats, one game at a time and without any of the vector's code."""
    game = register_file(file) if file else quintain.game(QUICK)
    envs = dealt(lowest, game=game, learner=learner, autoreset_mode=mode)
    batches = []
    for place in range(8):
        batch = Batch(game, 1, auto_reset=False)
        batch.reset([int(envs.batch._places.seeds[place])])
        batches.append(batch)

    def play_on(batch: Batch) -> None:
        while batch.seat[0] == 1 - learner:
            batch.step(batch.mask.argmax(axis=1))

    for batch in batches:
        play_on(batch)
    ended = 0
    for _ in range(110):
        actions, was_over = envs.action_space.sample(), envs.batch.seat < 0
        observed, rewards, over, _, infos = envs.step(actions)
        for place, batch in enumerate(batches):
            if was_over[place]:
                batch.reset_done()
                play_on(batch)
                assert rewards[place] == 0 and not over[place]
            else:
                batch.step(actions[place : place + 1])
                play_on(batch)
                assert over[place] == (batch.seat[0] < 0)
                assert rewards[place] == (batch.returns[0, learner] if over[place] else 0)
            last = infos["final_obs"] if mode == "same_step" and over[place] else observed
            assert np.array_equal(last[place], batch.observe(learner)[0])
            if mode == "same_step" and over[place]:
                batch.reset_done()
                play_on(batch)
                assert np.array_equal(observed[place], batch.observation[0])
        ended += int(over.sum())
        if mode == "disabled" and over.any():
            envs.batch.reset_done()
            envs._let_others_play()
            for place in np.flatnonzero(over):
                batches[place].reset_done()
                play_on(batches[place])
    assert ended > 8


def test_a_bot_and_a_policy_that_choose_alike_play_the_same_games():
    Lowest.seen.clear()
    played = [course(dealt(others)) for others in (lowest, Lowest, "envs.test_opponents:Lowest", highest)]
    assert played[0] == played[1] == played[2] != played[3]
    assert {seen.viewer for seen in Lowest.seen} == {1}


def test_a_pool_may_mix_levels_bots_and_policies():
    envs = dealt(["random", lowest, "squire", Lowest, "page"], 32)
    twin = dealt(["random", lowest, "squire", Lowest, "page"], 32)
    assert set(envs.batch.opponent.tolist()) == set(range(5))
    assert course(envs, 40) == course(twin, 40)


def test_a_policy_is_asked_only_for_its_own_games_with_what_the_seat_sees():
    asked: list[tuple[int, ...]] = []

    def own(observations: Any, masks: Any) -> Any:
        waiting = (envs.batch.seat == 1) & (envs.batch.opponent == 1)
        assert np.array_equal(observations, envs.batch.observe(1)[waiting]) and masks.any(axis=1).all()
        asked.append(observations.shape)
        return lowest(observations, masks)

    envs = BatchEnv(QUICK, 8, others=["random", own])
    envs.reset(seed=1)
    course(envs)
    assert asked


def test_all_other_seats_are_played_by_one_opponent():
    envs = dealt(highest, game=tutorial_game(), seats=3)
    for _ in range(20):
        envs.step(envs.action_space.sample())
        assert (envs.batch.seat == 0).all()


def test_the_learner_is_asked_in_every_game_that_goes_on():
    game = register_file(KUHN)
    for mode in ("same_step", "next_step"):
        envs = dealt([lowest, highest, "random"], game=game, learner=1, autoreset_mode=mode)
        for _ in range(40):
            _, rewards, over, _, _ = envs.step(envs.action_space.sample())
            assert (envs.batch.seat[~over] == 1).all() and not rewards[~over].any()


@pytest.mark.parametrize(
    "copier", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize("others", [lowest, ["page", Lowest, "random"], "squire"], ids=["policy", "pool", "squire"])
def test_a_copy_plays_on_equally(copier: Callable[[BatchEnv], BatchEnv], others: Any):
    envs = dealt(others, 4)
    course(envs, 5)
    assert course(copier(envs), 30) == course(envs, 30)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (lambda masks: np.zeros(3, int), r"the policy own returns whole numbers, \(8,\), one for each game, not int64"),
        (lambda masks: masks.argmax(axis=1) + 0.0, r"not float64, \(8,\)"),
        (lambda masks: np.full(8, 2), r"the policy own chose \d+ for seat 0 in place 0; legal are \["),
        (lambda masks: masks.argmax(axis=1) - 10_000, r"the policy own chose -\d+ for seat 0 in place 0"),
    ],
)
def test_a_wrong_policy_is_named(chosen: Any, words: str):
    def own(observations: Any, masks: Any) -> Any:
        return chosen(masks)

    with pytest.raises(BadBot, match=words):  # seat 0 always begins in Kuhn poker
        BatchEnv(register_file(KUHN), 8, others=own, learner=1).reset(seed=1)


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ("jester", "there is no bot 'jester'"),
        ([], "a list of others is empty"),
        (5, "an opponent is the name of a level, a class with a method `choose`, or a policy, which takes"),
        ([int], "an opponent is the name of a level"),
        ("caller", "an opponent is the name of a level"),
        ("policy", "King's Court has no policy of its own"),
    ],
)
def test_wrong_opponents_are_refused(others: Any, words: str):
    with pytest.raises(BadOption, match=words):
        BatchEnv(QUICK, 2, others=others)


def test_opponents_without_a_learner_are_refused():
    with pytest.raises(BadOption, match="others play beside a learner"):
        BatchEnv(QUICK, 2, learner=None, others="page")


@pytest.mark.parametrize("others", ["squire", [], "Page"], ids=str)
def test_a_batch_names_the_others_that_it_plays(others: Any):
    with pytest.raises(BadOption, match="'random', 'policy', 'greedy', 'page', 'caller'"):
        Batch(QUICK, 2, learner=0, others=others)


@pytest.mark.long
@pytest.mark.parametrize("game", [game.id for game in quintain.all_games() if game.folder])
def test_every_game_can_be_played_against_each_kind(game: str):
    pool = ["random", "page", "greedy", lowest, "squire"]
    envs = dealt(pool + ["policy"] * ("policy" in quintain.game(game).written), 24, game)
    course(envs, 60)
    assert len(set(envs.batch.opponent.tolist())) >= 5
