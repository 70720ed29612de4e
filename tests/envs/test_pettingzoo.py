"""Games in PettingZoo: its own tests, masks, illegal actions, seeds, rewards, waiting, and what stays secret."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

import quintain
from conformance.cases import tutorial_game
from envs.missing import said_without
from quintain.engine.errors import BadOption, IllegalMove
from quintain.engine.rules.registry import register_file
from quintain.envs.ids import env_id
from quintain.envs.pettingzoo import TogetherEnv, TurnEnv, env, parallel_env

GAMES = [game.id for game in quintain.all_games() if game.folder]
QUICK = "kings-court"
over_games = pytest.mark.parametrize("game", GAMES)
SHORT, LONG = 10, 300
"""Steps of the suites of PettingZoo, among all tests and among the long ones."""
over_forms = pytest.mark.parametrize(
    ("form", "cycles"), [("float32", SHORT), pytest.param("int8", LONG, marks=pytest.mark.long)]
)
no_plain_box = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
"""Observations with a mask are dictionaries, and after the end no action is legal: PettingZoo warns of both, except in
games of its own."""
CYCLES = 30
KUHN = Path(__file__).parents[1] / "kuhn.py"


@over_games
@over_forms
@no_plain_box
def test_pettingzoo_finds_no_fault_with_the_turns(game: str, form: str, cycles: int):
    api_test(env(game, observation=form), num_cycles=cycles)


@over_games
@over_forms
def test_pettingzoo_finds_no_fault_with_steps_of_all_agents(game: str, form: str, cycles: int):
    parallel_api_test(parallel_env(game, observation=form), num_cycles=cycles)


@over_games
@over_forms
def test_equal_seeds_give_equal_games(game: str, form: str, cycles: int):
    seed_test(lambda: env(game, observation=form), num_cycles=cycles)
    parallel_seed_test(lambda: parallel_env(game, observation=form), num_cycles=cycles)


@over_games
def test_a_game_is_cut_off_after_a_number_of_cycles(game: str):
    def together(**arguments: int) -> TogetherEnv:
        return parallel_env(game, **arguments)

    max_cycles_test(
        SimpleNamespace(parallel_env=together, env=lambda **arguments: parallel_to_aec(together(**arguments)))
    )


def at_random(turns: TurnEnv) -> None:
    """Play a random legal action."""
    turns.step(turns.action_space(turns.agent_selection).sample())


def played_to_the_end(turns: TurnEnv, seed: int) -> TurnEnv:
    """Return the environment after a random game."""
    turns.reset(seed=seed)
    for number, agent in enumerate(turns.possible_agents):
        turns.action_space(agent).seed(seed + number)
    while not any(turns.terminations.values()):
        at_random(turns)
    return turns


def test_turns_are_cut_off_after_as_many_actions_as_there_are_seats_in_each_cycle():
    turns = env(QUICK, max_cycles=3)
    turns.reset(seed=1)
    for _ in range(5):
        at_random(turns)
        assert not any(turns.truncations.values())
    at_random(turns)
    assert turns.truncations == {"seat_0": True, "seat_1": True}
    assert turns.terminations == {"seat_0": False, "seat_1": False}
    assert turns.rewards == {"seat_0": 0, "seat_1": 0}
    turns.step(None)
    turns.step(None)
    assert turns.agents == []


@over_games
def test_the_mask_has_the_legal_actions_of_the_agent_to_act_and_none_of_the_others(game: str):
    turns = env(game)
    turns.reset(seed=3)
    core = turns.core
    for _ in range(CYCLES):
        acting = turns.agent_selection
        s = core.batch.state(0)
        for seat, agent in enumerate(turns.agents):
            masked = np.flatnonzero(turns.observe(agent)["action_mask"]).tolist()
            legal = core.game.legal_actions(core.batch.book, s, seat)
            assert masked == (legal if agent == acting else []), f"{agent} while {acting} acts"
        at_random(turns)
        if not turns.agents or any(turns.terminations.values()):
            turns.reset()


@over_games
def test_an_agent_that_is_not_asked_can_only_wait(game: str):
    steps = parallel_env(game)
    observed, _ = steps.reset(seed=3)
    core = steps.core
    for _ in range(CYCLES):
        s = core.batch.state(0)
        for seat, agent in enumerate(steps.agents):
            masked = np.flatnonzero(observed[agent]["action_mask"]).tolist()
            assert masked == (core.game.legal_actions(core.batch.book, s, seat) or [steps.wait])
        observed, *_ = steps.step({agent: int(steps.action_space(agent).sample()) for agent in steps.agents})
        if not steps.agents:
            observed, _ = steps.reset()


def test_agents_that_are_asked_together_choose_in_one_step():
    steps = parallel_env(QUICK)
    observed, _ = steps.reset(seed=3)
    assert all(not each["action_mask"][steps.wait] for each in observed.values())
    after, *_ = steps.step({agent: int(steps.action_space(agent).sample()) for agent in steps.agents})
    for agent in steps.agents:
        assert not np.array_equal(after[agent]["observation"], observed[agent]["observation"])
    while not any(space.mask[steps.wait] for space in steps.core.actions.values()):
        steps.step({agent: int(steps.action_space(agent).sample()) for agent in steps.agents})
    assert sorted(bool(space.mask[steps.wait]) for space in steps.core.actions.values()) == [False, True]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_chooses_an_illegal_action_loses_to_all_others(seats: int):
    turns = env(tutorial_game(), seats=seats)
    turns.reset(seed=1)
    offender = turns.agent_selection
    turns.step(int(np.flatnonzero(turns.observe(offender)["action_mask"] == 0)[0]))
    shared = pytest.approx(1 / (seats - 1))
    assert turns.rewards == {agent: -1 if agent == offender else shared for agent in turns.agents}
    assert all(turns.terminations.values())
    assert turns.infos[offender] == {"illegal": True}
    for _ in range(seats):
        turns.step(None)
    assert turns.agents == []


def test_where_a_game_writes_payoffs_an_illegal_action_costs_the_most_that_a_seat_can_lose():
    turns = env(register_file(KUHN))
    turns.reset(seed=1)
    turns.step(-1)
    assert turns.rewards == {"seat_0": -2, "seat_1": 2}


@pytest.mark.parametrize("action", [-1, 10_000])
def test_what_is_no_action_at_all_loses_too(action: int):
    turns = env(QUICK)
    turns.reset(seed=1)
    turns.step(action)
    assert turns.rewards == {"seat_0": -1, "seat_1": 1}


@pytest.mark.parametrize("action", [None, 1.5, "1", [1, 2]])
def test_what_is_no_whole_number_is_an_error_that_changes_nothing(action: object):
    turns, steps = env(QUICK), parallel_env(QUICK)
    for each in (turns, steps):
        each.reset(seed=1)
    with pytest.raises(BadOption, match="an action is a whole number, not"):
        turns.step(action)
    with pytest.raises(BadOption, match="an action is a whole number, not"):
        steps.step({"seat_0": action, "seat_1": steps.wait})
    assert not any(turns.terminations.values()) and steps.agents == ["seat_0", "seat_1"]


def test_an_environment_without_a_game_asks_for_a_reset():
    turns, steps = env(QUICK, render_mode="ansi"), parallel_env(QUICK, render_mode="ansi")
    for do in (lambda: turns.step(0), turns.render, lambda: steps.step({}), steps.render):
        with pytest.raises(BadOption, match="call reset first"):
            do()


def test_an_illegal_action_can_be_an_error_that_changes_nothing():
    turns = env(QUICK, illegal="error")
    turns.reset(seed=1)
    before = turns.observe("seat_0"), turns.observe("seat_1")
    illegal = int(np.flatnonzero(before[0]["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove, match=f"seat_0 cannot play {illegal} now; its legal actions are"):
        turns.step(illegal)
    for seat, observed in enumerate(before):
        now = turns.observe(f"seat_{seat}")
        assert all(np.array_equal(now[key], observed[key]) for key in observed)
    at_random(turns)
    assert not any(turns.terminations.values())


def test_waiting_when_asked_is_illegal():
    steps = parallel_env(QUICK)
    steps.reset(seed=1)
    legal = int(steps.action_space("seat_1").sample())
    actions = {"seat_1": legal, "seat_0": steps.wait}
    _, rewards, terminations, _, infos = steps.step(actions)
    assert rewards == {"seat_0": -1, "seat_1": 1}
    assert all(terminations.values()) and steps.agents == []
    assert infos == {"seat_0": {"illegal": True}, "seat_1": {"illegal": False}}
    strict = parallel_env(QUICK, illegal="error")
    strict.reset(seed=1)
    with pytest.raises(IllegalMove, match="seat_0 cannot play"):
        strict.step(actions)
    assert strict.agents == ["seat_0", "seat_1"]


def test_if_all_offend_all_lose():
    steps = parallel_env(QUICK)
    steps.reset(seed=1)
    assert steps.step({"seat_0": -1, "seat_1": -1})[1] == {"seat_0": -1, "seat_1": -1}


@pytest.mark.parametrize("actions", [{}, {"seat_0": 0}, {0: 0, 1: 0}, {"seat_0": 0, "seat_1": 0, "seat_2": 0}])
def test_a_step_takes_an_action_of_each_agent(actions: dict[object, int]):
    steps = parallel_env(QUICK)
    steps.reset(seed=1)
    with pytest.raises(BadOption, match="step takes an action of each of seat_0, seat_1, not of"):
        steps.step(actions)
    assert steps.agents == ["seat_0", "seat_1"]


@over_games
def test_the_rewards_of_a_game_come_at_its_end_and_add_up_to_nothing(game: str):
    turns = played_to_the_end(env(game), seed=5)
    assert sum(turns.rewards.values()) == pytest.approx(0, abs=1e-5)
    assert all(-1 <= reward <= 1 for reward in turns.rewards.values())
    assert turns.last()[1] == turns.rewards["seat_0"]


def test_the_higher_score_wins_in_kings_court():
    for seed in range(20):
        turns = played_to_the_end(env(QUICK), seed)
        scores = [turns.infos[agent]["score"] for agent in turns.agents]
        if scores[0] != scores[1]:
            assert turns.rewards[f"seat_{int(scores[1] > scores[0])}"] == 1


def test_the_game_after_a_seed_follows_from_it_and_is_another_one():
    def three_deals(seed: int) -> list[list[float]]:
        turns = env(QUICK)
        turns.reset(seed=seed)
        first = turns.observe("seat_0")["observation"].tolist()
        turns.reset()
        second = turns.observe("seat_0")["observation"].tolist()
        turns.reset(seed=seed)
        return [first, second, turns.observe("seat_0")["observation"].tolist()]

    one, other = three_deals(1), three_deals(2)
    assert one == three_deals(1)
    assert one[0] == one[2] != one[1]
    assert one[0] != other[0]


def test_a_secret_choice_changes_only_what_its_own_seat_observes():
    observed = {}
    for choice in range(2):
        turns = env(QUICK)
        turns.reset(seed=7)
        turns.step(int(np.flatnonzero(turns.observe("seat_0")["action_mask"])[choice]))
        observed[choice] = [turns.observe(agent)["observation"].tolist() for agent in turns.agents]
    assert observed[0][1] == observed[1][1]
    assert observed[0][0] != observed[1][0]


def test_what_is_rendered_is_what_the_agent_to_act_sees():
    turns = env(QUICK, render_mode="ansi")
    turns.reset(seed=1)
    shown = turns.render()
    assert shown is not None
    assert "Hand of seat 1 (7): ?, ?, ?, ?, ?, ?, ?\n" in shown and "Your hand (8): " in shown
    steps = parallel_env(QUICK, render_mode="ansi")
    steps.reset(seed=1)
    assert "Hand of seat 0 (8): ?" in str(steps.render())
    silent = env(QUICK)
    silent.reset(seed=1)
    assert silent.render() is None


def test_every_game_is_registered_with_pettingzoo():
    for game in GAMES:
        assert env_id(quintain.game(game)) in pettingzoo.aec_registry
        assert env_id(quintain.game(game)) in pettingzoo.parallel_registry
    assert isinstance(pettingzoo.make("aec", "quintain/KingsCourt-v0", max_cycles=3), TurnEnv)
    assert isinstance(pettingzoo.make("parallel", "quintain/RuneWar-v0", illegal="error"), TogetherEnv)


def test_options_reach_the_game():
    assert env("robin", options={"ante": "on"}).core.batch.options["ante"] is True


def test_wrong_arguments_are_refused():
    with pytest.raises(BadOption, match="an illegal action can `lose` or be an `error`, not 'win'"):
        env(QUICK, illegal="win")
    with pytest.raises(BadOption, match="`max_cycles` is a whole number from 1, or None, not 0"):
        parallel_env(QUICK, max_cycles=0)


def test_without_pettingzoo_the_module_says_what_to_install():
    said = said_without("pettingzoo", "quintain.envs.pettingzoo")
    assert "this needs pettingzoo: type pip install 'quintain[pettingzoo]', or `make lab` in a checkout" in said


@pytest.mark.parametrize("make", [env, parallel_env])
def test_wrong_options_of_reset_are_an_error(make):
    made = make("kings-court")
    made.reset(seed=1, options={})
    with pytest.raises(BadOption, match=r"has no option garnet: its options are .*; perhaps garnets"):
        made.reset(options={"garnet": [3, 1]})
    assert made.core.batch.options == quintain.game("kings-court").read_options(2, {})


@pytest.mark.parametrize("make", [env, parallel_env])
def test_options_of_reset_hold_from_that_reset_on(make):
    changed, made, usual = make(QUICK), make(QUICK, options={"garnets": [3, 1]}), make(QUICK)
    changed.reset(seed=1)
    changed.reset(seed=5, options={"garnets": [3, 1]})
    made.reset(seed=5)
    usual.reset(seed=5)
    rows = [each.core.batch.observe(0) for each in (changed, made, usual)]
    assert np.array_equal(rows[0], rows[1]) and not np.array_equal(rows[0], rows[2])


def test_only_the_form_in_which_all_act_says_that_it_is_parallel():
    assert parallel_env(QUICK).metadata["is_parallelizable"] is True
    assert env(QUICK).metadata["is_parallelizable"] is False


@pytest.mark.parametrize("wrong", [0, 1.5, "x"])
def test_cycles_that_are_no_whole_number_are_refused(wrong: object) -> None:
    for make in (env, parallel_env):
        with pytest.raises(BadOption, match="`max_cycles` is a whole number from 1, or None, not"):
            make(QUICK, max_cycles=wrong)  # type: ignore[operator]
