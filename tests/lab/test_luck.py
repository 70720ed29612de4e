"""Luck and skill of bots: means over analysed games, which depend on the seed and the number of a game alone."""

from typing import Any

import msgspec
import pytest

import quintain
from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.analysis import analyse
from quintain.lab.luck import AnalysedGame, BotLuck, MeanShare, luck, play, play_and_analyse
from quintain.lab.pools import LocalPool
from quintain.lab.series import Series

CARDS = {"cards": 5}


def of(game: Game, n: int, *bots: str, pool: Any = None, seed: int = 1, tries: int = 100) -> list[BotLuck]:
    return luck(game, n, bots, CARDS, seed, tries, pool=pool or LocalPool(1))


def series(game: Game, *bots: str, seed: int = 1) -> Series:
    return Series.new(game, bots, CARDS, seed)


def test_a_mean_has_its_interval():
    found = MeanShare.of([0.0, 1.0] * 50)
    assert found.mean == 0.5 and found.interval == pytest.approx((0.4015, 0.5985), abs=1e-4)


@pytest.mark.parametrize("bots", [("greedy", "random"), ("greedy", "random", "page")])
def test_the_means_of_each_bot_add_up_to_its_result(bots: tuple[str, ...], goofspiel: Game):
    told: list[int] = []
    found = luck(goofspiel, 6, bots, CARDS, 3, 50, told.append, LocalPool(1))
    assert [one.bot for one in found] == [*bots] and told == [1] * 6
    for one in found:
        even = 1 / len(bots)
        assert even + one.cards.mean - one.lost.mean + one.gained.mean == pytest.approx(one.result.mean)
        assert all(part.interval[0] <= part.mean <= part.interval[1] for part in (one.cards, one.lost, one.result))
    assert sum(one.result.mean for one in found) == pytest.approx(1)
    assert sum(one.cards.mean for one in found) == pytest.approx(0)


def test_a_game_depends_on_its_seed_and_its_number_alone(goofspiel: Game):
    def game(number: int, seed: int = 1) -> tuple[str, str]:
        match = play(AnalysedGame(series(goofspiel, "random", "random", seed=seed), number, 1))
        assert match.outcome
        return match.seed, str([(entry.seat, entry.text) for entry in match.moves_made])

    assert game(5) == game(5)
    seeds, moves = zip(*map(game, range(6)), game(5, 2), strict=True)
    assert len({*seeds}) == len({*moves}) == 7


def test_bots_move_on_by_a_seat_with_each_game(goofspiel: Game):
    """The greedy bot wins wherever it sits, so its place in the results must not change."""
    pair = series(goofspiel, "greedy", "random")
    results = [[one.result for one in play_and_analyse(AnalysedGame(pair, number, 5))] for number in range(20)]
    assert sum(result[0] for result in results[::2]) > 7 and sum(result[0] for result in results[1::2]) > 7
    for number in (2, 3):
        wanted = AnalysedGame(pair, number, 50)
        by_seat = analyse(play(wanted), 50).luck_and_skill()
        assert [one.seat for one in play_and_analyse(wanted)] == [number % 2, 1 - number % 2]
        assert play_and_analyse(wanted) == [by_seat[number % 2], by_seat[1 - number % 2]]


def test_the_workers_change_no_byte(goofspiel: Game):
    one, other = (of(goofspiel, 6, "greedy", "random", pool=LocalPool(2, patience=patience)) for patience in (60, 0))
    assert msgspec.json.encode(one) == msgspec.json.encode(other)


@pytest.mark.long  # it needs many games; that the sums add up is proved above
def test_between_equal_bots_the_cards_give_nothing_and_a_better_bot_gives_less_away(goofspiel: Game):
    first, second = of(goofspiel, 80, "greedy", "greedy")
    for one in (first, second):
        error = (one.cards.interval[1] - one.cards.mean) / 1.96
        assert abs(one.cards.mean) < 3 * error < 0.2
    better, worse = of(goofspiel, 40, "greedy", "random")
    assert better.result.mean > 0.7 and better.lost.interval[1] < worse.lost.interval[0]
    assert abs(better.cards.mean) < better.gained.mean - better.lost.mean


@pytest.mark.parametrize(("n", "bots"), [(3, ("random", "random")), (0, ("random", "random")), (4, ("random",) * 3)])
def test_a_number_of_games_that_the_seats_cannot_share_is_refused(goofspiel: Game, n: int, bots: tuple[str, ...]):
    with pytest.raises(BadOption, match="that all seats can share"):
        of(goofspiel, n, *bots)
    with pytest.raises(quintain.QuintainError, match="there is no bot 'merlin'"):
        of(goofspiel, 2, "merlin", "random")
