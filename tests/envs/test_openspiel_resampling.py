"""A state dealt again from what one seat knows: the seat cannot tell the two apart, and searches run on such states."""

import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import quintain
from quintain.engine.rules.registry import register_file
from quintain.envs import openspiel
from tutorial import kept_goofspiel

KUHN = Path(__file__).parents[1] / "kuhn.py"
SHORT = ("quintain_kuhn", "quintain_goofspiel(cards=5)", "quintain_goofspiel(cards=4,seats=4)")
GAMES = ("quintain_kuhn", "quintain_goofspiel(cards=5,seats=3)", *map(openspiel.name_of, quintain.all_games()))
SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)


@pytest.fixture(scope="module", autouse=True)
def _small_games() -> None:
    for game in (register_file(kept_goofspiel()), register_file(KUHN)):
        openspiel.register(game)


def played(name: str, *moves: int) -> pyspiel.State:
    state = pyspiel.load_game(name).new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


def decisions(name: str, most: int) -> Iterator[pyspiel.State]:
    """Yield the first decisions of a random game, and some of the later ones."""
    chooser, state = random.Random(3), pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal() and most:
        if not state.is_chance_node() and (most > 6 or chooser.random() < 0.1):
            yield state
            most -= 1
        state.apply_action(chooser.choice(state.legal_actions()))


def known(state: pyspiel.State, seat: int) -> tuple[object, ...]:
    """Return all that a seat is given of a state."""
    texts = (state.information_state_string(seat), state.observation_string(seat))
    return *texts, state.information_state_tensor(seat), state.observation_tensor(seat)


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_cannot_tell_a_state_that_was_dealt_again_from_the_true_one(name: str):
    differ = 0
    for state in decisions(name, 12):
        for seat in range(state.num_players()):
            other = state.resample_from_infostate(seat, SAMPLER)
            assert known(other, seat) == known(state, seat)
            assert other.current_player() == state.current_player() and other.history() == []
            differ += str(other) != str(state)
        own = state.current_player()
        other = state.resample_from_infostate(own, SAMPLER)
        assert other.legal_actions() == state.legal_actions()
        assert [other.action_to_string(each) for each in other.legal_actions()] == [
            state.action_to_string(each) for each in state.legal_actions()
        ]
    assert differ


@pytest.mark.parametrize("name", GAMES)
def test_games_are_played_to_their_ends_from_states_that_were_dealt_again(name: str):
    chooser = random.Random(4)
    for state in decisions(name, 3):
        other = state.resample_from_infostate(state.current_player(), SAMPLER)
        while not other.is_terminal():
            other.apply_action(chooser.choice(other.legal_actions()))
        assert len(other.returns()) == state.num_players() and abs(sum(other.returns())) < 1e-6


def test_a_seat_remembers_on_what_follows_as_it_would_have_in_truth():
    truth = played("quintain_goofspiel(cards=5)", 1, 2, 3)
    made = truth.resample_from_infostate(1, SAMPLER)
    while made.node.s.bid[0] != 3:
        made = truth.resample_from_infostate(1, SAMPLER)
    for state in (truth, made):
        state.apply_action(4)
    assert known(truth, 1) == known(made, 1)
    assert truth.information_state_string(0) != made.information_state_string(0)


def test_the_deals_are_all_that_fit_equally_likely():
    truth = played("quintain_kuhn", 1, 0)
    found = Counter(truth.resample_from_infostate(0, SAMPLER).node.s.card[1] for _ in range(400))
    assert set(found) == {0, 2} and min(found.values()) > 150
    bids = Counter(
        played("quintain_goofspiel(cards=5)", 3).resample_from_infostate(1, SAMPLER).node.s.bid[0] for _ in range(500)
    )
    assert set(bids) == {1, 2, 3, 4, 5} and min(bids.values()) > 60


def test_the_number_of_the_sampler_decides_about_the_deal():
    truth = next(decisions("quintain_kings_court", 1))
    deals = [str(truth.resample_from_infostate(0, lambda number=number: number)) for number in (0.1, 0.1, 0.7)]
    assert deals[0] == deals[1] != deals[2]


def test_the_truth_does_not_show_in_what_others_remember_after_a_deal():
    one, two = played("quintain_kuhn", 1, 0), played("quintain_kuhn", 1, 1)
    made = [each.resample_from_infostate(0, lambda: 0.25) for each in (one, two)]
    assert str(made[0]) == str(made[1]) and known(made[0], 1) == known(made[1], 1)
    assert made[0].information_state_string(1) not in {state.information_state_string(1) for state in (one, two)}


def test_a_state_is_dealt_again_at_decisions_and_ends_alone():
    with pytest.raises(ValueError, match="when a player is to choose, and not while chance is to draw"):
        played("quintain_kuhn", 1).resample_from_infostate(0, SAMPLER)
    with pytest.raises(ValueError, match="the players are 0 to 1, and 2 is none of them"):
        played("quintain_kuhn", 1, 0).resample_from_infostate(2, SAMPLER)
    over = played("quintain_kuhn", 1, 0, 1, 1)
    again = over.resample_from_infostate(0, SAMPLER)
    assert again.is_terminal() and again.returns() == over.returns() and known(again, 1) == known(over, 1)


def test_a_state_that_was_dealt_again_survives_its_text_and_a_pickle():
    state = played("quintain_goofspiel(cards=5)", 1, 2, 3).resample_from_infostate(1, SAMPLER)
    state.apply_action(4)
    _, copy = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    for other in (copy, pickle.loads(pickle.dumps(state)), state.clone(), state.resample_from_infostate(0, SAMPLER)):
        assert known(other, 0) == known(state, 0) and other.legal_actions() == state.legal_actions()
        public = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
        seen = state.get_game().make_py_observer(public)
        assert seen.string_from(other, 0) == seen.string_from(state, 0)


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("worlds", [-1, 3])
def test_the_search_over_information_sets_plays_whole_games(name: str, worlds: int):
    game, chance = pyspiel.load_game(name), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 20, worlds, chance)
    state = game.new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        action = chance.choice(legal) if state.is_chance_node() else bot.step(state)
        assert action in legal
        state.apply_action(action)


@pytest.mark.long_for("quintain_round_table")  # the other games are dealt again by the same code
@pytest.mark.parametrize("name", GAMES[2:])
def test_the_search_over_information_sets_runs_in_every_game(name: str):
    chance = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(pyspiel.load_game(name), mcts.RandomRolloutEvaluator(1, chance), 2.0, 3, -1, chance)
    for state in decisions(name, 2):
        assert bot.step(state) in state.legal_actions()


def test_the_search_finds_the_better_call_in_kuhn_poker():
    game, chance = pyspiel.load_game("quintain_kuhn"), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(4, chance), 2.0, 100, -1, chance)
    for card, wanted in ((0, 0), (2, 1)):  # the second player is faced with a bet: fold the jack, call with the king
        other = (card + 1) % 3
        state = played("quintain_kuhn", other, (card - other) % 3 - 1, 1)
        assert state.node.s.card == [other, card] and state.current_player() == 1
        assert bot.step(state) == wanted


def test_the_bot_in_cpp_says_that_it_cannot_deal_states_of_python_again():
    """OpenSpiel binds `resample_from_infostate` for its own games alone. If this fails, the docs can say more."""
    code = (
        "import sys\nfrom pathlib import Path\nimport pyspiel\nfrom quintain.envs import openspiel\n"
        "from quintain.engine.rules.registry import register_file\n"
        "openspiel.register(register_file(Path(sys.argv[1])))\n"
        "state = pyspiel.load_game('quintain_kuhn').new_initial_state().child(1).child(0)\n"
        "bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 10)\n"
        "print(bot.get_policy(state))"
    )
    ran = subprocess.run([sys.executable, "-c", code, KUHN], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "ResampleFromInfostate() not implemented" in ran.stderr
