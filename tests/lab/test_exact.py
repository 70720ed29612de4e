"""Small games, solved exactly: all positions, best responses, CFR+, and bots whose policy is sampled."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import best_response, expected_game_score, exploitability

import quintain
from conformance.cases import KUHN, tutorial_game
from quintain.engine.errors import BadOption
from quintain.engine.rules import rng
from quintain.engine.rules.explicit import Draw, Explicit
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.envs.openspiel import SpielGame
from quintain.lab.exact.policies import learned, rows, uniform, worst_case, zeros
from quintain.lab.exact.positions import WalkedGame, estimated, positions_of
from quintain.lab.exact.sampled import exploitability as of_bot
from quintain.lab.pools import LocalPool
from remade import remade

LAB = Path(__file__).parents[2] / "docs/lab.md"
SMALLEST = {"houses": 2, "ranks": 2}
"""Smaller than King's Court allows: OpenSpiel, in Python, takes minutes for three ranks."""


@cache
def smaller_court() -> Game:
    """Return a King's Court that takes two ranks, too."""
    court = quintain.game("kings-court")
    options = [replace(option, least=2) if option.name == "ranks" else option for option in court.text.OPTIONS]
    return remade(court, text=SimpleNamespace(**{**vars(court.text), "OPTIONS": tuple(options)}))


@cache
def kuhn() -> WalkedGame:
    return positions_of(register_file(KUHN), {})


@cache
def smallest_court() -> WalkedGame:
    return positions_of(smaller_court(), SMALLEST)


def weight(action: int) -> int:
    """Return how much an action counts in a lopsided policy, by its number alone."""
    return 1 + action * 7 % 5


def lopsided(tree: WalkedGame):
    """Return a policy that prefers some actions."""
    policy = zeros(tree)
    for first, last in rows(tree):
        weights = [weight(tree.walk.sets.action[place]) for place in range(first, last)]
        policy[first:last] = [each / sum(weights) for each in weights]
    return policy


class Lopsided(spiel_policy.Policy):
    """The same policy for OpenSpiel."""

    def action_probabilities(self, state, player_id=None):
        legal = state.legal_actions()
        return {action: weight(action) / sum(map(weight, legal)) for action in legal}


@pytest.mark.parametrize(("cards", "wanted"), [(3, 2 / 3), (4, 0.75)])
def test_random_bids_are_as_exploitable_as_openspiel_says(cards: int, wanted: float):
    tree = positions_of(tutorial_game(), {"cards": cards})
    assert worst_case(tree, uniform(tree)).mean == pytest.approx(wanted, abs=1e-12)


def test_random_bets_in_kuhn_poker_are_as_exploitable_as_openspiel_says():
    assert (kuhn().sets_of(0), kuhn().sets_of(1)) == (6, 6)
    assert worst_case(kuhn(), uniform(kuhn())).mean == pytest.approx(11 / 24, abs=1e-12)


def test_cfr_plus_finds_what_kuhn_poker_is_worth():
    ((_, policy),) = learned(kuhn(), [2000])
    found = worst_case(kuhn(), policy)
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-3)
    assert 0 < found.mean < 1e-3


def test_cfr_plus_averages_as_openspiel_does():
    from open_spiel.python.algorithms.cfr import CFRPlusSolver

    game = SpielGame(register_file(KUHN))
    solver = CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    wanted = exploitability.nash_conv(game, solver.average_policy()) / 2
    ((_, policy),) = learned(kuhn(), [20])
    assert worst_case(kuhn(), policy).mean == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("is_lopsided", [False, True], ids=["uniform", "lopsided"])
@pytest.mark.parametrize("name", ["kuhn", "court"])
def test_best_responses_are_worth_what_openspiel_says(name: str, is_lopsided: bool):
    tree = kuhn() if name == "kuhn" else smallest_court()
    game = SpielGame(tree.game, {} if name == "kuhn" else SMALLEST)
    wanted = Lopsided(game, [0, 1]) if is_lopsided else spiel_policy.UniformRandomPolicy(game)
    found = worst_case(tree, lopsided(tree) if is_lopsided else uniform(tree))
    root = game.new_initial_state()
    for seat in range(2):
        best = best_response.BestResponsePolicy(game, seat, wanted)
        assert found.answers[seat] == pytest.approx(best.value(root), abs=1e-9)
        value = expected_game_score.policy_value(root, [wanted, wanted])[seat]
        assert found.values[seat] == pytest.approx(value, abs=1e-9)


def test_the_walk_finds_the_information_sets_that_openspiel_finds():
    tree, texts = smallest_court(), (set(), set())
    todo = [SpielGame(smaller_court(), SMALLEST).new_initial_state()]
    while todo:
        state = todo.pop()
        if not state.is_chance_node() and not state.is_terminal():
            texts[state.current_player()].add(state.information_state_string())
        todo += [state.child(action) for action in state.legal_actions()]
    assert [tree.sets_of(seat) for seat in range(2)] == [len(each) for each in texts]


def test_two_houses_of_three_ranks_have_as_many_positions_as_were_counted():
    tree = positions_of(quintain.game("kings-court"), {"houses": 2, "ranks": 3})
    assert [tree.sets_of(seat) for seat in range(2)] == [37_717, 37_717]
    assert worst_case(tree, uniform(tree)).mean == pytest.approx(0.803356, abs=1e-6)


def test_the_weights_of_the_ways_on_add_up_to_1():
    tree = smallest_court()
    p = tree.walk.positions
    for node in range(tree.nodes):
        sums = {}
        for edge in range(p.first[node], p.first[node + 1]):
            assert p.child[edge] < node
            sums[p.place[edge]] = sums.get(p.place[edge], 0.0) + p.weight[edge]
        assert all(total == pytest.approx(1.0) for total in sums.values())


def test_the_deal_has_the_outcomes_of_explicit_chance():
    court, book = smaller_court(), smallest_court().book
    chance, todo, ends = Explicit(court), [()], set()
    while todo:
        answers = todo.pop()
        after = chance.deal(book, answers)
        if isinstance(after, Draw):
            todo += [(*answers, answer) for answer in range(after.outcomes)]
        else:
            ends.add(after.pack())
    p, last = smallest_court().walk.positions, smallest_court().nodes - 1
    assert p.first[last + 1] - p.first[last] == len(ends)


class Drawing:
    """A bot that plays at random, which nobody knows of it."""

    def __init__(self, game, seed):
        self.words = [0] * 4
        rng.seed(self.words, seed)

    def choose(self, seen, budget):
        return seen.legal[rng.below(self.words, len(seen.legal))]


class Stubborn(Drawing):
    """A bot that always plays the first legal action."""

    def choose(self, seen, budget):
        return seen.legal[0]


def name_of(bot: type) -> str:
    return f"{__name__}:{bot.__name__}"


def test_the_bounds_of_a_bot_that_draws_hold_the_truth_and_come_together():
    found = {times: of_bot(kuhn(), name_of(Drawing), times, pool=LocalPool(1)) for times in (2, 400)}
    truth = 11 / 24
    for each in found.values():
        assert each.least <= each.most
    assert found[400].least - 0.03 <= truth <= found[400].most + 0.03
    assert found[400].most - found[400].least < 0.1 < found[2].most - found[2].least


def test_a_bot_that_never_draws_is_known_exactly():
    found = of_bot(kuhn(), name_of(Stubborn), 2, pool=LocalPool(1))
    assert found.drawn == 0
    assert found.least == pytest.approx(found.most, abs=1e-12)


def test_the_policy_of_the_random_bot_is_known_without_asking():
    found = of_bot(kuhn(), "random")
    assert (found.times, found.least, found.most) == (0, pytest.approx(11 / 24), pytest.approx(11 / 24))


def test_the_same_seed_gives_the_same_answers():
    one, other = (of_bot(kuhn(), name_of(Drawing), 3, seed=5, pool=LocalPool(1)) for _ in range(2))
    assert one == other
    assert one != of_bot(kuhn(), name_of(Drawing), 3, seed=6, pool=LocalPool(1))


def test_a_bot_is_asked_at_least_twice():
    with pytest.raises(BadOption, match="at least twice in each information set, not 1 times"):
        of_bot(kuhn(), "greedy", 1)


def test_a_large_game_is_refused_before_the_walk_with_an_estimate():
    with pytest.raises(
        BadOption, match=r"King's Court is too large .* played in about 10\^1[0-9]{2} ways; make it smal"
    ):
        positions_of(quintain.game("kings-court"), {})


ROW = re.compile(r"^\| ([^|\n]+) \| ([^|;\n]+) \| 10\^(\d+) \| (?:yes: ([\d,]+) positions|no)", re.MULTILINE)
"""A row of the lab's page about small games: a game, its options, its ways of play, and its positions if few."""
ROWS = [found for found in ROW.findall(LAB.read_text(encoding="utf-8")) if found[0] != "King's Court"]


@pytest.mark.long_for("Heirless battles-two seats, `seasons=-5-62,374", "Rune War-`runes=off`-205-")
@pytest.mark.parametrize(("title", "options", "power", "positions"), ROWS, ids=lambda text: text[:20])
def test_a_game_is_as_large_as_the_page_says(title: str, options: str, power: str, positions: str):
    (game,) = (each for each in quintain.all_games() if each.title == title)
    chosen = dict(re.findall(r"`(\w+)=(\w+)`", options))
    assert round(estimated(game, game.make_book(2, game.read_options(2, chosen)))) == int(power)
    if positions:
        assert positions_of(game, chosen, 2).nodes == int(positions.replace(",", ""))
    else:
        with pytest.raises(BadOption, match=rf"is too large .* played in about 10\^{power} ways"):
            positions_of(game, chosen, 2)


def test_a_walk_that_finds_too_many_positions_stops():
    with pytest.raises(BadOption, match=r"has more than 100 positions with these options: it can be played in about"):
        positions_of(smaller_court(), SMALLEST, most=100)


def test_the_number_of_positions_is_told_on_the_way():
    told: list[int] = []
    tree = positions_of(smaller_court(), SMALLEST, progress=told.append)
    assert told[-1] == tree.nodes
    assert told == sorted(told)
