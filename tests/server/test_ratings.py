"""Ratings: people and bots on one scale, the anchors of bots, and the order of simulated players."""

import math
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

import quintain
from conformance.cases import tutorial_game
from ladders import ladder_rows
from quintain.bots import levels
from quintain.engine.errors import BadGame, BadOption
from quintain.engine.rules.game import Game
from quintain.server.model import ratings
from quintain.server.model.ratings import NEWCOMER, Rated, Rating, anchors, margin, points, rate
from remade import remade

OWN = [game for game in quintain.all_games() if game.folder]
BETA = ratings.MODEL.beta


def after(*players: tuple[Rating, int]) -> list[Rating]:
    """Return the ratings after a game between people who all stayed."""
    return rate([Rated(rating, rank) for rating, rank in players])


def game_with_ladder(folder: Path, text: str) -> Game:
    """Return a game whose folder has a file of a ladder with this text."""
    (folder / "ladder.toml").write_text(text, encoding="utf-8")
    module = ModuleType("laddered")
    vars(module).update(vars(tutorial_game().module) | {"__package__": "laddered", "__file__": str(folder / "a.py")})
    return remade(tutorial_game(), rules=module, id="laddered")


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.id)
def test_the_file_of_a_ladder_holds_what_the_docs_print(game: Game):
    printed = [
        (row.level, row.other, row.games, float(row.percent)) for row in ladder_rows() if row.heading == game.title
    ]
    assert len(printed) >= 10
    assert game.folder is not None
    read = ratings.read_ladder(game.folder / "ladder.toml")
    assert [(each.name, each.other, each.games, round(each.share * 100, 6)) for each in read] == printed


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.id)
def test_bots_keep_the_order_of_their_ladder(game: Game):
    found = anchors(game)
    standing = [points(rating) for level, rating in found.items() if level != "minstrel"]
    assert standing == sorted(set(standing))
    for row in ladder_rows():
        if row.heading == game.title:
            assert found[row.level].mu > found[row.other].mu
    assert points(found["squire"]) == 1500 and found["squire"].mu == pytest.approx(NEWCOMER.mu)
    assert 0 < margin(found["squire"]) < 100
    assert anchors(game) is found


def test_the_points_of_bots_explain_the_shares_of_their_ladder():
    for game in OWN:
        found = anchors(game)
        for row in ladder_rows():
            if row.heading == game.title:
                ahead = points(found[row.level]) - points(found[row.other])
                assert 1 / (1 + 10 ** (-ahead / 400)) == pytest.approx(float(row.percent) / 100, abs=0.11)


def test_a_game_without_a_ladder_has_the_usual_points():
    game = tutorial_game()
    assert game.folder is None
    assert {level: points(rating) for level, rating in anchors(game).items()} == {
        level: ratings.USUAL[level] for level in ("random", "page", "greedy", "squire", "knight", "champion")
    }
    assert [*ratings.USUAL] == [*levels()]
    measured = {level: usual for level, usual in ratings.USUAL.items() if level != "grandmaster"}
    for level, usual in measured.items():
        known = [points(anchors(each)[level]) for each in OWN if level in anchors(each)]
        assert usual == pytest.approx(statistics.mean(known), abs=60)


def test_a_level_without_results_stands_at_the_usual_distance_to_the_next_weaker_level(tmp_path: Path):
    text = 'pairings = [["knight", "squire", 4000, 90.909], ["squire", "page", 4000, 90.909]]'
    found = {level: points(rating) for level, rating in anchors(game_with_ladder(tmp_path, text)).items()}
    usual = ratings.USUAL
    assert (found["page"], found["squire"], found["knight"]) == (1100, 1500, 1900)
    assert found["random"] == 1100 - (usual["page"] - usual["random"])
    assert found["greedy"] == 1100 + (usual["greedy"] - usual["page"])
    assert found["champion"] == 1900 + (usual["champion"] - usual["knight"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pairings = [", "/ladder.toml is not valid TOML: "),
        ("pairs = []", "/ladder.toml: Object missing required field `pairings`|unknown field `pairs`"),
        ('pairings = [["knight", "squire", 200]]', r"/ladder.toml: Expected `array` of length 4.*pairings\[0\]"),
        ('pairings = [["knight", "squire", 200, 101]]', r"/ladder.toml: Expected `float` <= 100.0.*pairings\[0\]"),
        ('pairings = [["knight", "squire", 0, 50.0]]', r"/ladder.toml: Expected `int` >= 1.*pairings\[0\]"),
        ("pairings = []", "/ladder.toml has no games of the level squire"),
        ('pairings = [["knight", "page", 200, 90.0]]', "/ladder.toml has no games of the level squire"),
    ],
)
def test_a_wrong_file_of_a_ladder_is_named(text: str, message: str, tmp_path: Path):
    with pytest.raises(BadGame, match=message):
        anchors(game_with_ladder(tmp_path, text))


def test_400_points_are_ten_to_one_where_the_model_expects_that_share():
    """A rating stays where it is if a well-known player wins the share that the points say."""
    better, other = Rating(25 + 200 / ratings.POINTS, 0.01), Rating(25 - 200 / ratings.POINTS, 0.01)
    assert points(better) - points(other) == 400
    won, lost = after((better, 1), (other, 2))[0].mu, after((better, 2), (other, 1))[0].mu
    assert 10 * (won - better.mu) == pytest.approx(better.mu - lost, rel=1e-3)
    assert won > better.mu


def test_points_and_margins_are_whole_numbers_on_one_scale():
    assert (points(NEWCOMER), margin(NEWCOMER)) == (1500, 482)
    assert margin(Rating(30, 2.0)) == round(1.96 * 2 * ratings.POINTS)
    assert isinstance(points(Rating(31.3, 2.0)), int) and points(Rating(31.3, 2.0)) > 1500 > points(Rating(20, 2.0))


def test_the_winner_gains_what_the_loser_loses_and_both_are_better_known():
    winner, loser = after((NEWCOMER, 1), (NEWCOMER, 2))
    assert winner.mu > NEWCOMER.mu > loser.mu
    assert winner.mu - NEWCOMER.mu == pytest.approx(NEWCOMER.mu - loser.mu)
    assert max(winner.sigma, loser.sigma) < NEWCOMER.sigma
    assert winner.sigma == pytest.approx(loser.sigma)


def test_only_the_order_of_ranks_counts():
    assert after((NEWCOMER, 1), (NEWCOMER, 2)) == after((NEWCOMER, 3), (NEWCOMER, 7))


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_tie_between_equals_changes_no_mean(seats: int):
    for rating in after(*[(NEWCOMER, 1)] * seats):
        assert rating.mu == pytest.approx(NEWCOMER.mu)
        assert rating.sigma < NEWCOMER.sigma


def test_in_a_tie_the_weaker_player_gains():
    weak, strong = Rating(20, 5), Rating(30, 5)
    raised, lowered = after((weak, 1), (strong, 1))
    assert raised.mu > weak.mu and lowered.mu < strong.mu


@pytest.mark.parametrize("seats", range(2, 7))
def test_at_a_table_of_any_size_the_ratings_follow_the_ranks_and_not_the_seats(seats: int):
    ranks = list(range(1, seats + 1))
    random.Random(seats).shuffle(ranks)
    found = after(*((NEWCOMER, rank) for rank in ranks))
    by_rank = [found[ranks.index(rank)].mu for rank in range(1, seats + 1)]
    assert by_rank == sorted(by_rank, reverse=True) and len(set(by_rank)) == seats
    assert by_rank[0] > NEWCOMER.mu > by_rank[-1]
    in_order = after(*((NEWCOMER, rank) for rank in range(1, seats + 1)))
    assert by_rank == pytest.approx([rating.mu for rating in in_order])


@pytest.mark.parametrize("seats", [1, 7])
def test_other_numbers_of_seats_are_refused(seats: int):
    with pytest.raises(BadOption, match=f"a game of 2 to 6 seats is rated, not one of {seats}"):
        after(*[(NEWCOMER, 1)] * seats)


def test_who_leaves_loses_even_with_the_best_rank():
    left, second, third = rate([Rated(NEWCOMER, 1, has_left=True), Rated(NEWCOMER, 2), Rated(NEWCOMER, 3)])
    assert second.mu > third.mu > left.mu
    assert left.mu < NEWCOMER.mu
    assert [left, second, third] == after((NEWCOMER, 3), (NEWCOMER, 1), (NEWCOMER, 2))


def test_all_who_leave_tie_below_all_who_stay():
    first, second, stayed = rate(
        [Rated(NEWCOMER, 1, has_left=True), Rated(NEWCOMER, 3, has_left=True), Rated(NEWCOMER, 2)]
    )
    assert first == second and stayed.mu > NEWCOMER.mu > first.mu
    both = rate([Rated(NEWCOMER, 1, has_left=True), Rated(NEWCOMER, 2, has_left=True)])
    assert [rating.mu for rating in both] == pytest.approx([NEWCOMER.mu] * 2)


def test_bots_keep_their_rating_and_people_move_beside_them():
    knight = anchors(OWN[0])["knight"]
    person, bot = rate([Rated(NEWCOMER, 1), Rated(knight, 2, is_bot=True)])
    assert bot == knight and person.mu > NEWCOMER.mu and person.sigma < NEWCOMER.sigma
    bot, person = rate([Rated(knight, 1, is_bot=True), Rated(NEWCOMER, 2)])
    assert bot == knight and person.mu < NEWCOMER.mu
    person, bot = rate([Rated(NEWCOMER, 1, has_left=True), Rated(knight, 2, is_bot=True)])
    assert bot == knight and person.mu < NEWCOMER.mu


def test_a_win_counts_more_against_a_stronger_bot():
    bots = sorted(anchors(OWN[0]).values())
    gains = [rate([Rated(NEWCOMER, 1), Rated(bot, 2, is_bot=True)])[0].mu for bot in bots]
    assert gains == sorted(gains) and len(set(gains)) == len(bots)


def test_one_level_can_hold_two_seats():
    squire = anchors(OWN[0])["squire"]
    gains = []
    for ranks in ((1, 2, 3), (2, 1, 3), (3, 1, 2)):
        seats = [Rated(squire, rank, is_bot=True) for rank in ranks[1:]]
        person, *bots = rate([Rated(NEWCOMER, ranks[0]), *seats])
        assert bots == [squire, squire] and person.sigma < NEWCOMER.sigma
        gains.append(person.mu - NEWCOMER.mu)
    assert gains[0] > gains[1] > gains[2] and gains[0] > 0 > gains[2]


def test_a_game_between_bots_changes_nothing():
    found = list(anchors(OWN[0]).values())[-ratings.MOST_SEATS :]
    assert rate([Rated(rating, rank, is_bot=True) for rank, rating in enumerate(found, 1)]) == found


def test_a_person_who_plays_like_a_bot_comes_to_stand_where_the_bot_stands():
    chance = random.Random(1)
    found = anchors(OWN[0])
    strength, person = found["knight"].mu, NEWCOMER
    for number in range(600):
        bot = found[("greedy", "squire", "knight")[number % 3]]
        wins = chance.random() < 1 / (1 + math.exp((bot.mu - strength) / (math.sqrt(2) * BETA)))
        person = rate([Rated(person, 1 if wins else 2), Rated(bot, 2 if wins else 1, is_bot=True)])[0]
    assert abs(points(person) - points(found["knight"])) < margin(person) < 150


def rated_by_play(seed: int, strengths: Sequence[float], games: int) -> list[Rating]:
    """Return the ratings of newcomers of known strengths after each has played `games` games for two.

    In each game a player performs as the model says: normally around the strength, with the deviation beta.
    """
    chance, found = random.Random(seed), [NEWCOMER] * len(strengths)
    for _ in range(games):
        order = chance.sample(range(len(strengths)), len(strengths))
        for pair in zip(order[::2], order[1::2], strict=True):
            ahead = sorted(pair, key=lambda player: -chance.gauss(strengths[player], BETA))
            for player, rating in zip(ahead, after(*((found[each], at) for at, each in enumerate(ahead))), strict=True):
                found[player] = rating
    return found


def test_thirty_games_put_forty_players_in_order():
    from scipy.stats import spearmanr  # takes seconds, which every process would spend that collects tests

    strengths = [4 * BETA * place / 39 for place in range(40)]
    found = [
        spearmanr(strengths, [rating.mu for rating in rated_by_play(seed, strengths, 30)]).statistic
        for seed in range(20)
    ]
    assert statistics.median(found) >= 0.9
