"""Simulations: the seed alone decides their games, and the summary adds them up correctly."""

import dataclasses
import os
from typing import Any

import numpy as np
import pytest

import quintain
from conformance.cases import seen_by
from quintain.bots import level
from quintain.bots.playout import KINDS, new_workspace, play_games
from quintain.engine.errors import BadOption
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import compiled, interpreted
from quintain.engine.rules.game import Game, seats_in
from quintain.lab.simulation import Summary, simulate

SEED = 2**63 - 1


def book_of(game: Game, seats: int, options: dict[str, Any]) -> Any:
    return game.make_book(seats, game.read_options(seats, options))


def rows(game: Game, players: list[str], options: dict[str, Any], seed: int, first: int, n: int) -> list[list[int]]:
    """Return the plies, scores and ranks of n games from the first on, compiled."""
    seats = len(players)
    results, kinds = np.zeros((n, 1 + 2 * seats), np.int64), np.array([KINDS[name] for name in players])
    book = game.book.array([book_of(game, seats, options)])[0]
    compiled(game, play_games)(book, seats, kinds, new_workspace(game, is_compiled=True), seed, first, results)
    return results.tolist()


def plain_rows(
    game: Game, players: list[str], options: dict[str, Any], seed: int, first: int, n: int
) -> list[list[int]]:
    """Return the same, interpreted."""
    seats = len(players)
    results, kinds = [[0] * (1 + 2 * seats) for _ in range(n)], [KINDS[name] for name in players]
    book = book_of(game, seats, options)
    interpreted(game, play_games)(book, seats, kinds, new_workspace(game, is_compiled=False), seed, first, results)
    return results


def untimed(summary: Summary) -> Summary:
    return dataclasses.replace(summary, seconds=0)


@pytest.fixture
def court() -> Game:
    return quintain.game("kings-court")


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_a_summary_adds_up_the_same_games_whatever_the_number_of_cores(
    cores: int, goofspiel: Game, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    n, players, options = 2500, ["random"] * 3, {"cards": "4"}
    summary = simulate(goofspiel, n, players, options, SEED)
    games = rows(goofspiel, players, options, SEED, 0, n)
    firsts = [[rank == 1 for rank in row[4:]] for row in games]
    assert (summary.games, summary.decisions) == (n, sum(row[0] for row in games))
    assert (summary.shortest, summary.longest) == (min(row[0] for row in games), max(row[0] for row in games))
    assert summary.scores == pytest.approx([sum(row[1 + seat] for row in games) / n for seat in range(3)])
    assert summary.shares == pytest.approx([sum(won[seat] / sum(won) for won in firsts) / n for seat in range(3)])
    assert summary.drawn == sum(sum(won) > 1 for won in firsts) > 0
    assert summary.seconds > 0


def test_lengths_scores_and_shares_are_those_of_kings_court(court: Game):
    summary = simulate(court, 1200, ["random", "random"], {}, 3)
    games = rows(court, ["random", "random"], {}, 3, 0, 1200)
    assert (summary.shortest, summary.longest) == (min(row[0] for row in games), max(row[0] for row in games))
    assert summary.shortest < summary.longest and summary.decisions == sum(row[0] for row in games)
    assert summary.scores == pytest.approx([sum(row[1 + seat] for row in games) / 1200 for seat in (0, 1)])


def test_a_game_depends_on_the_seed_and_its_number_alone(court: Game):
    players = ["random", "random"]
    whole = rows(court, players, {}, 5, 0, 40)
    assert [rows(court, players, {}, 5, number, 1)[0] for number in range(40)] == whole
    assert rows(court, players, {}, 6, 0, 40) != whole
    assert len({tuple(row) for row in whole}) > 30


@pytest.mark.parametrize(
    ("id_", "players", "options", "first", "n"),
    [
        ("kings-court", ["random", "random"], {}, 0, 5),
        ("kings-court", ["random", "random"], {"garnets": "3,1"}, 1234, 5),
        ("goofspiel", ["greedy", "random"], {"cards": 6}, 7, 4),
        ("goofspiel", ["random", "greedy", "greedy", "random"], {"cards": 4}, 2**31, 4),
    ],
)
def test_compiled_and_interpreted_games_are_the_same(
    id_: str, players: list[str], options: dict[str, Any], first: int, n: int, goofspiel: Game
):
    game = quintain.game(id_)
    assert rows(game, players, options, SEED, first, n) == plain_rows(game, players, options, SEED, first, n)


def played(game: Game, players: list[str], options: dict[str, Any], seed: int, number: int) -> list[int]:
    """Return the plies, scores and ranks of a game played on plain states by bots, each given what it may know."""
    book, s, plies = book_of(game, len(players), options), game.state(), 0
    rng.seed(s.rng, rng.mix(seed, number))
    game.rules.deal(book, s)
    at_table: list[Any] = [level(name).kind(game, rng.mix(seed, number, 1 + seat)) for seat, name in enumerate(players)]
    while acting := seats_in(game.rules.to_act(book, s)):
        seat = acting[0]
        budget = level(players[seat]).budget
        action = at_table[seat].choose(seen_by(game, book, s, seat), budget)
        game.rules.play(book, s, seat, action)
        plies += 1
    scores, ranks = [0] * len(players), [0] * len(players)
    game.rules.outcome(book, s, scores, ranks)
    return [plies, *scores, *ranks]


@pytest.mark.parametrize(
    ("id_", "players", "options"),
    [
        ("kings-court", ["random", "random"], {}),
        ("kings-court", ["greedy", "random"], {"garnets": "3,1"}),
        ("goofspiel", ["random", "greedy", "random"], {"cards": 5}),
    ],
)
def test_a_simulated_game_is_the_one_that_bots_play_who_see_no_more_than_their_seat_may_know(
    id_: str, players: list[str], options: dict[str, Any], goofspiel: Game
):
    game = quintain.game(id_)
    games = rows(game, players, options, 9, 100, 3)
    assert games == [played(game, players, options, 9, number) for number in range(100, 103)]


@pytest.mark.parametrize("players", [["random", "random"], ["greedy", "random"], ["random"] * 4])
def test_shares_add_up_to_one_and_progress_to_all_games(players: list[str], goofspiel: Game):
    told: list[int] = []
    summary = simulate(goofspiel, 1234, players, {"cards": 3}, 4, told.append)
    assert sum(summary.shares) == pytest.approx(1) and len(summary.shares) == len(summary.scores) == len(players)
    assert sum(told) == summary.games == 1234 and len(told) > 1 and min(told) > 0


def test_the_same_seed_gives_the_same_summary_and_another_another(goofspiel: Game):
    one, two, other = (untimed(simulate(goofspiel, 300, ["random"] * 2, {}, seed)) for seed in (1, 1, 2))
    assert one == two != other


def test_one_game_is_enough_and_the_seats_keep_their_bots(goofspiel: Game):
    assert simulate(goofspiel, 1, ["random", "random"], {}, 0).games == 1
    for players in (["greedy", "random", "random"], ["random", "random", "greedy"]):
        shares = simulate(goofspiel, 60, players, {"cards": 5}, 11).shares
        assert max(shares) == shares[players.index("greedy")] > 0.5


@pytest.mark.parametrize(
    ("n", "players", "options", "seed", "message"),
    [
        (0, ["random", "random"], {}, 1, "takes 1 to 1,000,000,000,000 games, not 0"),
        (-5, ["random", "random"], {}, 1, "takes 1 to 1,000,000,000,000 games, not -5"),
        (10**20, ["random", "random"], {}, 1, "takes 1 to 1,000,000,000,000 games"),
        (1, ["random", "random"], {}, -1, r"a seed is a number from 0 to 2\*\*63 - 1, not -1"),
        (1, ["random", "random"], {}, 2**63, "a seed is a number from 0"),
        (1, ["random", "oracle"], {}, 1, "there is no bot 'oracle'; the bots are random, page, greedy"),
        (1, ["random"], {}, 1, "King's Court is not played with 1 seats, but with 2"),
        (1, ["random"] * 3, {}, 1, "King's Court is not played with 3 seats, but with 2"),
        (1, ["random", "random"], {"garnets": "3"}, 1, "the option garnets cannot be '3'"),
        (1, ["random", "random"], {"rubies": "3"}, 1, "King's Court has no option rubies"),
    ],
)
def test_impossible_simulations_are_refused(
    n: int, players: list[str], options: dict[str, Any], seed: int, message: str, court: Game
):
    with pytest.raises(BadOption, match=message):
        simulate(court, n, players, options, seed)


@pytest.mark.parametrize(
    ("id_", "players", "options"),
    [
        ("kings-court", ["page", "squire"], {"garnets": "3,1"}),
        ("goofspiel", ["random", "squire", "greedy"], {"cards": 4}),
    ],
)
def test_any_bots_play_the_games_of_a_simulation(
    id_: str, players: list[str], options: dict[str, Any], goofspiel: Game
):
    game = quintain.game(id_)
    told: list[int] = []
    summary = simulate(game, 3, players, options, 9, told.append)
    games = [played(game, players, options, 9, number) for number in range(3)]
    assert summary.decisions == sum(plies for plies, *_ in games) and told == [1, 1, 1]
    seats = len(players)
    assert summary.scores == pytest.approx([sum(one[1 + seat] for one in games) / 3 for seat in range(seats)])
