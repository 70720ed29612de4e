"""A game's policy plays the playouts of every search; the random bot does not use it."""

from typing import Any

import numpy as np
import pytest

from conformance.cases import game_with_policy, seen_by, tutorial_game
from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts, warm_up
from quintain.bots.playout import BLINDED, judge_actions, new_workspace, play_out
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import compiled, interpreted
from quintain.engine.rules.game import Game
from quintain.lab.simulation import simulate


@pytest.fixture(scope="module")
def game() -> Game:
    return game_with_policy()


def dealt(game: Game, cards: int) -> tuple[Any, Any]:
    book, s = game.make_book(2, {"cards": cards}), game.state()
    game.rules.deal(book, s)
    return book, s


def test_playouts_follow_the_policy_compiled_and_interpreted(game: Game):
    for seed in range(5):
        book, s = dealt(game, 4)
        game.rules.play(book, s, 0, 1)
        record = game.state.array([s])
        words = [seed + 1, 2, 3, 4]
        assert interpreted(game, play_out)(book, s, [0] * game.actions, words) == 7
        compiled(game, play_out)(
            game.book.array([book])[0], record[0], np.zeros(game.actions, np.int8), np.array([seed + 1, 2, 3, 4])
        )
        assert game.state.unpack(record[0].tobytes()) == s
        assert s.points[:2] == [6, 4]  # 4 lost to 1, then 4-3, 3-2, 2-1 won by the one who held them longer


def test_a_game_without_a_policy_plays_its_playouts_at_random():
    plain, points, words = tutorial_game(), set(), [0] * 4
    rng.seed(words, 1)
    for _ in range(9):
        book, s = dealt(plain, 4)
        interpreted(plain, play_out)(book, s, [0] * plain.actions, words)
        points.add(tuple(s.points))
    assert len(points) > 3


def test_search_and_greedy_use_the_policy_in_playouts(game: Game):
    # If both always bid the highest card next, the 2 first is a draw for sure and the 1 first is lost.
    found = {}
    for one in (game, tutorial_game()):
        warm_up(one)
        book, s = dealt(one, 2)
        seen, workspace = seen_by(one, book, s, 0), new_workspace(one, is_compiled=False)
        workspace.pool[BLINDED] = seen.state
        rng.seed(workspace.words[0], 1)
        for _ in range(20):
            interpreted(one, judge_actions)(book, 2, 0, workspace)
        judged = [Ismcts(one, seed).judge(seen, Budget(simulations=2)) for seed in range(20)]
        shares = [sum(two[bid].share for two in judged) for bid in range(2)]
        found[one.id] = workspace.totals[1:3], shares
    assert found["goofspiel-policy"] == ([0.0, 10.0], [0.0, 10.0])
    assert all(second > 12.0 for _, second in found["goofspiel"])


def test_a_search_tries_the_policys_choice_first_and_most_until_others_turn_out_better(game: Game):
    book, s = dealt(game, 5)
    seen = seen_by(game, book, s, 0)
    first = {
        one.action
        for seed in range(20)
        for one in Ismcts(game, seed).judge(seen, Budget(simulations=1))
        if one.simulations
    }
    mask = [0] * game.actions
    count = game.rules.legal(book, s, 0, mask)
    assert first == {game.rules.policy(book, s, 0, mask, count, [1, 2, 3, 4])}
    # With two cards left the policy's own bid, the higher first, is a draw, and the lower first is lost.
    book, s = dealt(game, 2)
    judged = Ismcts(game, 1).judge(seen_by(game, book, s, 0), Budget(simulations=200))
    assert judged[1].simulations > judged[0].simulations > 0


def test_the_random_bot_has_no_policy(game: Game):
    one, other = (simulate(played, 50, ["random"] * 2, {"cards": 5}, 3) for played in (game, tutorial_game()))
    assert (one.scores, one.shares) == (other.scores, other.shares)
