"""OpenSpiel plays every game through the adapter, and finds in ours what it finds in its own games of equal rules."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
)
from open_spiel.python.bots import uniform_random

import quintain
from envs.missing import said_without
from quintain.engine.errors import BadGame, BadOption, IllegalMove
from quintain.engine.rules import registry
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.envs import openspiel
from quintain.envs.openspiel import tree
from tutorial import kept_goofspiel, write_goofspiel

ROOT = Path(__file__).parents[2]
KUHN = ROOT / "tests" / "kuhn.py"
FORCED = "quintain_goofspiel(cards=2)"
SHORT = ("quintain_kings_court", "quintain_heirless(seats=2,seasons=1)", "quintain_robin(victories=1)")
LONG = (
    *(f"{openspiel.name_of(game)}(seats={seats})" for game in quintain.all_games() for seats in sorted({*game.seats})),
    "quintain_kings_court(garnets=3;1)",
    "quintain_heirless(bandits=false,knights=2)",
    "quintain_robin(ante=true,active=10,modifiers=false)",
    "quintain_round_table(decks=wandering-table;great-houses,regions=6;)",
)
START = "from quintain.envs import openspiel\nimport pyspiel\n"


@pytest.fixture(scope="module", autouse=True)
def _small_games() -> None:
    for game in (register_file(kept_goofspiel()), register_file(KUHN)):
        openspiel.register(game)


def goofspiel(cards: int) -> pyspiel.Game:
    return pyspiel.load_game("quintain_goofspiel", {"cards": cards})


def their_goofspiel(cards: int) -> pyspiel.Game:
    """OpenSpiel's Goofspiel, in which bids are turned up after each round, as ours are."""
    rules = {"num_cards": cards, "players": 2, "points_order": "descending", "returns_type": "win_loss"}
    return pyspiel.load_game_as_turn_based("goofspiel", {**rules, "imp_info": False})


def played(name: str, *moves: int) -> pyspiel.State:
    state = pyspiel.load_game(name).new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


def value(game: pyspiel.Game, found: Any) -> float:
    """Return what the first player can expect if both play by a policy."""
    return float(expected_game_score.policy_value(game.new_initial_state(), [found, found])[0])


@pytest.mark.parametrize("name", ["quintain_goofspiel", "quintain_goofspiel(seats=4)", FORCED, "quintain_kuhn", *SHORT])
def test_openspiel_simulates_a_game_and_finds_nothing_wrong(name: str):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_openspiel_simulates_every_game_with_any_seats_and_options(name: str):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.long  # it simulates the shorter ones
def test_openspiel_simulates_a_long_game():
    pyspiel.random_sim_test(pyspiel.load_game("quintain_rune_war(seats=5)"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("cards", "wanted"), [(3, 2 / 3), (4, 3 / 4)])
def test_random_bids_are_as_exploitable_as_in_the_goofspiel_of_openspiel(cards: int, wanted: float):
    for game in (goofspiel(cards), their_goofspiel(cards)):
        assert exploitability.exploitability(game, policy.UniformRandomPolicy(game)) == pytest.approx(wanted, abs=1e-9)


def test_random_bets_are_as_exploitable_as_in_the_poker_of_openspiel():
    for game in (pyspiel.load_game("quintain_kuhn"), pyspiel.load_game("kuhn_poker")):
        found = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        assert found == pytest.approx(11 / 12, abs=1e-9)


def test_our_kuhn_poker_has_the_information_sets_of_the_one_of_openspiel():
    for game in (pyspiel.load_game("quintain_kuhn"), pyspiel.load_game("kuhn_poker")):
        assert len(policy.TabularPolicy(game).state_lookup) == 12


@pytest.mark.parametrize("cards", [3, 4])
def test_cfr_plus_finds_the_same_play_in_both_goofspiels(cards: int):
    for game in (goofspiel(cards), their_goofspiel(cards)):
        solver = cfr.CFRPlusSolver(game)
        for _ in range(60):
            solver.evaluate_and_update_policy()
        found = solver.average_policy()
        assert exploitability.nash_conv(game, found) < 0.01
        assert value(game, found) == pytest.approx(0, abs=0.005)


def test_cfr_plus_finds_the_value_of_kuhn_poker():
    for game in (pyspiel.load_game("quintain_kuhn"), pyspiel.load_game("kuhn_poker")):
        solver = cfr.CFRPlusSolver(game)
        for _ in range(100):
            solver.evaluate_and_update_policy()
        assert exploitability.nash_conv(game, solver.average_policy()) < 0.005
        assert value(game, solver.average_policy()) == pytest.approx(-1 / 18, abs=0.001)


@pytest.mark.parametrize("cards", [3, 4])
def test_sampling_finds_the_same_play_in_both_goofspiels(cards: int):
    for game in (goofspiel(cards), their_goofspiel(cards)):
        np.random.seed(1)
        solver = external_sampling_mccfr.ExternalSamplingSolver(game)
        for _ in range(600):
            solver.iteration()
        assert exploitability.nash_conv(game, solver.average_policy()) < 0.06
        assert value(game, solver.average_policy()) == pytest.approx(0, abs=0.02)


def test_the_benchmark_times_an_iteration_of_cfr_on_both_games():
    command = [sys.executable, "benchmarks/cfr.py", "--rounds", "1", "--cards", "3", "--json"]
    figures = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    assert min(figures["ours"], figures["theirs"], figures["ratio"]) > 0


@pytest.mark.parametrize(
    "name", ["quintain_goofspiel(cards=3)", "quintain_goofspiel(cards=3,seats=3)", "quintain_kuhn"]
)
def test_a_seat_never_forgets_and_has_the_same_choice_wherever_it_cannot_tell(name: str):
    remembered: dict[str, list[Any]] = {}

    def walk(state: pyspiel.State, own: dict[int, list[Any]]) -> None:
        if state.is_terminal():
            return
        actor = state.current_player()
        if actor >= 0:
            seen = state.information_state_string(actor)
            assert remembered.setdefault(seen, [own[actor], state.legal_actions()]) == [
                own[actor],
                state.legal_actions(),
            ]
            own = {**own, actor: [*own[actor], seen]}
        for action in state.legal_actions():
            walk(state.child(action), own if actor < 0 else {**own, actor: [*own[actor], action]})

    game = pyspiel.load_game(name)
    walk(game.new_initial_state(), {seat: [] for seat in range(game.num_players())})
    assert len(remembered) > 5


def test_what_a_seat_cannot_know_does_not_change_its_information():
    one, other = played("quintain_goofspiel(cards=4)", 2), played("quintain_goofspiel(cards=4)", 3)
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_string(0) != other.information_state_string(0)
    for state in (one, other):
        state.apply_action(1)  # all bids are turned up
    assert one.information_state_string(1) != other.information_state_string(1)
    jack, king = played("quintain_kuhn", 1, 0), played("quintain_kuhn", 1, 1)
    assert jack.information_state_string(0) == king.information_state_string(0)
    assert jack.information_state_string(1) != king.information_state_string(1)


def test_a_seat_remembers_what_no_longer_shows():
    one, other = (played("quintain_goofspiel(cards=5)", *first, 5, 5) for first in ((1, 2, 3, 4), (3, 4, 1, 2)))
    for seat in range(2):
        assert one.observation_string(seat) == other.observation_string(seat)
        assert one.information_state_string(seat) != other.information_state_string(seat)


def test_a_secret_choice_in_a_large_game_does_not_change_the_information_of_the_other_seat():
    state = pyspiel.load_game("quintain_kings_court").new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    assert state.current_player() == 0
    after = [state.child(action) for action in state.legal_actions()]
    assert len({each.information_state_string(0) for each in after}) == len(after) == 6
    assert len({each.information_state_string(1) for each in after}) == 1


def test_what_the_other_seat_draws_does_not_change_what_a_seat_knows():
    game = pyspiel.load_game("quintain_kings_court")
    known = []
    for second in ((0, 0), (1, 0)):
        state = game.new_initial_state()
        for outcome in (0, *[40] * 8, *second):
            state.apply_action(outcome)
        while state.is_chance_node():
            state.apply_action(0)
        known.append([state.information_state_string(seat) for seat in range(2)])
    assert known[0][0] == known[1][0] and known[0][1] != known[1][1]


def test_the_information_of_a_seat_is_the_same_in_every_process():
    code = START + "print(pyspiel.load_game('quintain_rune_war').new_initial_state().child(1).child(0).serialize())"
    more = (
        "\ns = pyspiel.load_game('quintain_heirless').new_initial_state()\nwhile s.current_player() < 0: s = s.child(1)"
    )
    code += more + "\nprint([s.information_state_string(seat) for seat in range(3)])"
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1] and len(said[0]) > 100


def test_chance_draws_from_equally_likely_outcomes():
    state = played("quintain_kuhn")
    assert state.is_chance_node() and state.current_player() == pyspiel.PlayerId.CHANCE
    assert state.chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
    assert state.legal_actions() == [0, 1, 2] and state.action_to_string(-1, 2) == "outcome 2"
    assert played("quintain_kuhn", 2).chance_outcomes() == [(0, 1 / 2), (1, 1 / 2)]


def test_the_lowest_seat_chooses_first_and_a_seat_without_a_choice_is_not_asked():
    state = played("quintain_goofspiel(cards=2)")
    assert state.current_player() == 0 and state.legal_actions() == [1, 2] and state.legal_actions(1) == []
    state.apply_action(2)
    assert state.current_player() == 1 and state.action_to_string(1) == "bid 1"
    state.apply_action(1)
    assert state.is_terminal() and state.returns() == [1, -1] and state.legal_actions() == []


def test_returns_are_the_centred_share_of_the_win_or_the_payoff_of_the_game():
    assert played("quintain_goofspiel(cards=2)", 1, 1).returns() == [0, 0]
    state = played("quintain_goofspiel(cards=2,seats=3)", 2, 1, 1)
    assert state.returns() == [1, -0.5, -0.5] and state.get_game().min_utility() == -0.5
    assert played("quintain_kuhn", 0, 1, 1, 1).returns() == [-2, 2]
    kuhn = pyspiel.load_game("quintain_kuhn")
    assert (kuhn.min_utility(), kuhn.max_utility(), kuhn.utility_sum()) == (-2, 2, None)


def test_the_game_type_says_what_the_game_is():
    kinds = pyspiel.GameType
    drawn, open_ = pyspiel.load_game("quintain_kings_court").get_type(), goofspiel(3).get_type()
    assert drawn.chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert open_.chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert {drawn.utility, open_.utility} == {kinds.Utility.ZERO_SUM}
    assert pyspiel.load_game("quintain_kuhn").get_type().utility == kinds.Utility.GENERAL_SUM
    assert (drawn.min_num_players, drawn.max_num_players, drawn.long_name) == (2, 2, "King's Court")
    game = pyspiel.load_game("quintain_kings_court")
    assert (game.num_distinct_actions(), game.max_chance_outcomes(), game.max_game_length()) == (165, 48, 140)


def test_a_game_takes_its_seats_and_options_as_parameters():
    game = pyspiel.load_game("quintain_heirless(seats=4,bandits=false,knights=2)")
    assert game.num_players() == 4 and str(game) == "quintain_heirless(bandits=False,knights=2,seats=4)"
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pyspiel.load_game("quintain_round_table", {"regions": "6"})) == "quintain_round_table(regions=6;)"
    by_text = pyspiel.load_game("quintain_kings_court(garnets=3;1)").new_initial_state()
    assert [by_text.action_to_string(action) for action in by_text.legal_actions()] == ["go first", "go second"]


def test_a_number_that_depends_on_the_seats_keeps_its_usual_value():
    two, four = (pyspiel.load_game(f"quintain_heirless(seats={seats})").tree.book for seats in (2, 4))
    assert (two.seasons, four.seasons) == (4, 4)
    assert pyspiel.load_game("quintain_heirless(seats=5)").tree.book.seasons == 5
    assert pyspiel.load_game("quintain_heirless(seats=5,seasons=3)").tree.book.seasons == 3


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("quintain_goofspiel(cards=99)", BadOption, "a whole number from 2 to 13"),
        ("quintain_goofspiel(seats=9)", BadOption, "not played with 9 seats, but with 2 to 4"),
        ("quintain_goofspiel(crads=4)", pyspiel.SpielError, "Available parameters are: cards, seats"),
        ("quintain_goofspiel(cards=four)", pyspiel.SpielError, "Expected type: kInt"),
        ("quintain_kings_court(garnets=many)", BadOption, "2 whole numbers"),
        ("quintain_kings_court(garnets=;)", BadOption, "2 whole numbers"),
    ],
)
def test_wrong_parameters_are_refused(name: str, error: type[Exception], said: str):
    with pytest.raises(error, match=said):
        pyspiel.load_game(name)


def test_an_illegal_action_is_refused():
    with pytest.raises(IllegalMove, match="7 is not among the legal actions 1, 2, 3, 4"):
        played("quintain_goofspiel(cards=4)", 7)


def test_a_state_survives_its_text_and_a_pickle():
    state = played("quintain_goofspiel(cards=4)", 1, 2, 4, 4)
    game, copy = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    for other in (copy, pickle.loads(pickle.dumps(state)), state.clone(), game.new_initial_state()):
        for move in [] if other.history() else state.history():
            other.apply_action(move)
        assert str(other) == str(state) and other.history() == [1, 2, 4, 4]
        assert other.information_state_string(1) == state.information_state_string(1)


def test_a_copy_does_not_follow_the_original():
    state = played("quintain_goofspiel(cards=4)", 1)
    copy, child = state.clone(), state.child(2)
    state.apply_action(4)
    assert (copy.history(), child.history(), state.history()) == ([1], [1, 2], [1, 4])
    assert "shown = 1 4" in str(state) and "shown = 1 2" in str(child) and "shown" not in str(copy)


def test_an_observation_shows_what_a_seat_sees_and_no_more():
    state = played("quintain_goofspiel(cards=4)", 2)
    assert "bid = 2 0 0 0" in state.observation_string(0).splitlines()
    assert "bid = ? 0 0 0" in state.observation_string(1).splitlines()
    assert "bid = 2 0 0 0" in str(state) and "seat 1 to act" in str(state)
    mine, others = (np.array(state.observation_tensor(seat)) for seat in range(2))
    assert len(mine) == state.get_game().observation_tensor_size() and (mine != others).any()
    other = played("quintain_goofspiel(cards=4)", 3)
    assert (np.array(other.observation_tensor(1)) == others).all()
    assert (np.array(other.observation_tensor(0)) != mine).any()
    assert played("quintain_kuhn").observation_string(0) == "" and not any(
        played("quintain_kuhn").observation_tensor(0)
    )


def test_a_player_that_does_not_exist_is_refused():
    state = played("quintain_goofspiel(cards=4)")
    for ask in (state.information_state_string, state.observation_string, state.observation_tensor):
        with pytest.raises((ValueError, pyspiel.SpielError)):
            ask(2)


def test_a_learner_of_openspiel_steps_through_a_game():
    env = rl_environment.Environment("quintain_kings_court", include_full_state=False)
    env.seed(1)
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][seat][0]])
    assert sorted(step.rewards) in ([-1, 1], [0, 0])


def leaves(node: tree.Node) -> Iterator[tuple[Any, ...]]:
    """Yield what is known at each end of the game below a node."""
    if not node.legal:
        yield node.returns, node.memories
    for action in node.legal:
        yield from leaves(node.child(action))


def kept(node: tree.Node) -> int:
    """Return how many nodes a tree holds from a node on."""
    return 1 + sum(map(kept, node.children.values()))


def test_a_tree_forgets_what_it_cannot_keep_and_finds_it_again(monkeypatch: pytest.MonkeyPatch):
    game = quintain.game("goofspiel")
    whole = tree.GameTree(game, 2, (("cards", 4),))
    wanted = list(leaves(whole.root))
    numbers = len(list(game.state().values()))
    monkeypatch.setattr(tree, "KEPT_NUMBERS", 50 * numbers)
    small = tree.GameTree(game, 2, (("cards", 4),))
    assert list(leaves(small.root)) == wanted and len(wanted) == 576
    assert kept(small.root) <= 51 < kept(whole.root)


def changed(path: Path, old: str, new: str) -> Game:
    """Register the tutorial's game with some of its text changed."""
    write_goofspiel(path)
    text = path.read_text(encoding="utf-8").replace('"goofspiel",', '"goofspiel-changed",')
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return register_file(path)


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", {})


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize(
    ("declared", "said"),
    [
        (
            "OUTCOMES = 4, 13, 14, 1",
            "goofspiel-changed does not declare: give its rules LONGEST, the most actions of a game",
        ),
        (
            "LONGEST = 4, 13, 14, 52",
            "goofspiel-changed does not declare: give its rules OUTCOMES, the most outcomes of a draw",
        ),
    ],
)
def test_a_game_without_bounds_is_told_what_to_declare(tmp_path: Path, declared: str, said: str):
    game = changed(tmp_path / "goofspiel.py", "LONGEST, OUTCOMES = 4, 13, 14, 52, 1", declared)
    with pytest.raises(BadGame, match=said):
        openspiel.register(game)


@pytest.mark.usefixtures("own_registry")
def test_a_seat_remembers_a_choice_of_its_own_that_does_not_show(tmp_path: Path):
    game = changed(tmp_path / "goofspiel.py", "if other != seat and s.bid", "if s.bid")
    after = [played(openspiel.register(game), card) for card in (2, 3)]
    assert after[0].observation_string(0) == after[1].observation_string(0)
    assert after[0].information_state_string(0) != after[1].information_state_string(0)


@pytest.mark.usefixtures("own_registry")
def test_a_draw_with_more_outcomes_than_declared_is_reported(tmp_path: Path):
    game = changed(tmp_path / "goofspiel.py", "s.prize = book.cards\n", "s.prize = book.cards - rng.below(s.rng, 2)\n")
    with pytest.raises(BadGame, match="OUTCOMES of goofspiel-changed is 1, and a draw has 2 outcomes"):
        pyspiel.load_game(openspiel.register(game))


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("bound", ["LONGEST", "OUTCOMES"])
@pytest.mark.parametrize("value", ["0", "2.5", "'many'"])
def test_a_bound_that_is_no_whole_number_is_refused(tmp_path: Path, bound: str, value: str):
    with pytest.raises(BadGame, match=f"{bound} of goofspiel-changed must be a whole number of at least 1, not "):
        changed(tmp_path / "goofspiel.py", "NO_BID, NOBODY = 0, -1", f"NO_BID, NOBODY = 0, -1\n{bound} = {value}")


def test_a_process_that_has_loaded_games_ends_well():
    code = START + "state = pyspiel.load_game('quintain_kings_court').new_initial_state().child(0)\nprint(state)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_who_lacks_openspiel_is_told_what_to_install():
    assert "pip install 'quintain[openspiel]'" in said_without("pyspiel", "quintain.envs.openspiel")


def test_the_bots_in_python_run_that_the_page_names():
    game, chance = goofspiel(3), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    for make in (
        lambda seat: uniform_random.UniformRandomBot(seat, chance),
        lambda seat: mcts.MCTSBot(game, 2, 5, evaluator, random_state=chance),
        lambda seat: ismcts.ISMCTSBot(game, evaluator, 2, 5, random_state=chance),
    ):
        state, bots = game.new_initial_state(), [make(seat) for seat in range(2)]
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        assert sum(state.returns()) == 0
