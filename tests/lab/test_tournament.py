"""Tournaments: who sits where, who stands where, and when the order is certain."""

from pathlib import Path

import polars as pl
import pytest

import quintain
from lab.test_ladder import HIGH, TWIN
from quintain.bots.random import Random
from quintain.engine.errors import BadOption
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.lab import chapters
from quintain.lab.intervals import wilson
from quintain.lab.pages import ReportPage, markdown
from quintain.lab.simulation import simulate
from quintain.lab.tournament import FIRST_LOOK, error_allowed, read_tournament, tables_of, tournament

STRANGER = f"{__name__}:Stranger"


def seatings(path: Path, seats: int) -> list[tuple[int, ...]]:
    """Return the number of each game and who sat where in it."""
    return sorted(pl.read_parquet(path).select("number", *(f"bot_{seat}" for seat in range(seats))).rows())


def test_every_pair_plays_each_deal_with_the_seats_swapped(goofspiel: Game, tmp_path: Path):
    found = tournament(goofspiel, ["greedy", "random", HIGH], 4, 9, seats=2, out=tmp_path / "t")
    pairs = [("greedy", "random"), ("greedy", HIGH), ("random", HIGH)]
    both = [seated for one, other in pairs for seated in ((one, other), (other, one))]
    assert seatings(tmp_path / "t", 2) == sorted((number, *seated) for number in (0, 1) for seated in both)
    assert found.games == 12


def test_at_full_tables_every_bot_sits_once_at_every_seat_of_each_deal(goofspiel: Game, tmp_path: Path):
    bots = ["greedy", "random", HIGH, TWIN]
    assert tables_of(goofspiel, bots, 3) == 4
    found = tournament(goofspiel, bots, 6, 9, seats=3, out=tmp_path / "t")
    assert found.games == 24 and [each.games for each in found.standings] == [18] * 4
    for table in (bots[:3], bots[1:]):
        turns = [tuple(table[turn:] + table[:turn]) for turn in range(3)]
        assert {(number, *turn) for number in (0, 1) for turn in turns} <= {*seatings(tmp_path / "t", 3)}


def test_fewer_bots_than_seats_sit_at_every_other_seat(goofspiel: Game, tmp_path: Path):
    tournament(goofspiel, ["random", HIGH], 2, 9, seats=3, out=tmp_path / "t")
    assert seatings(tmp_path / "t", 3) == sorted([(0, "random", HIGH, "random"), (0, HIGH, "random", HIGH)])
    assert tables_of(goofspiel, ["random", HIGH, "greedy"], 3, in_pairs=True) == 3


@pytest.mark.parametrize("seats", [2, 3])
def test_standings_and_pairings_are_those_of_the_games(seats: int, goofspiel: Game, tmp_path: Path):
    found = tournament(goofspiel, ["random", "greedy", HIGH], 12, 3, seats=seats, out=tmp_path / "t")
    games = pl.read_parquet(tmp_path / "t").rows(named=True)
    order = [each.bot for each in found.standings]
    for each in found.standings:
        own = [(game, seat) for game in games for seat in range(seats) if game[f"bot_{seat}"] == each.bot]
        won = [
            (game[f"rank_{seat}"] == 1) / [game[f"rank_{other}"] for other in range(seats)].count(1)
            for game, seat in own
        ]
        assert (each.games, each.share) == (len(own), pytest.approx(sum(won) / len(own)))
        assert each.score == pytest.approx(sum(game[f"score_{seat}"] for game, seat in own) / len(own))
        assert each.interval == wilson(each.share, each.games)
    for pairing in found.pairings:
        ahead = []
        for game in games:
            at = {game[f"bot_{seat}"]: game[f"rank_{seat}"] for seat in range(seats)}
            if pairing.name in at and pairing.other in at:
                one, other = at[pairing.name], at[pairing.other]
                ahead.append((one < other) + (one == other) / 2)
        assert (pairing.games, pairing.share) == (len(ahead), pytest.approx(sum(ahead) / len(ahead)))
        assert order.index(pairing.name) < order.index(pairing.other)
    assert found.standings_table["bot"].to_list() == order and found.pairings_table.height == 3


def test_ratings_stand_in_the_order_of_strength_and_twins_beside_each_other(goofspiel: Game):
    found = tournament(goofspiel, ["random", "greedy", TWIN], 200, 3, seats=2)
    ratings = {each.bot: each.rating for each in found.standings}
    assert found.standings[0].bot == "greedy" and ratings["greedy"] > max(ratings["random"], ratings[TWIN]) + 5
    assert abs(ratings["random"] - ratings[TWIN]) < 5
    assert all(each.uncertainty < 2 for each in found.standings)


def test_a_tournament_stops_when_the_order_is_certain_and_not_before(goofspiel: Game):
    clear = tournament(goofspiel, ["greedy", "random"], 10_000, 3, seats=2, until_sure=True)
    assert clear.is_sure and clear.games in [2 * FIRST_LOOK * 2**look for look in range(5)]
    open_ = tournament(goofspiel, ["random", TWIN], 200, 3, seats=2, until_sure=True)
    assert not open_.is_sure and open_.games == 200


class Stranger(Random):
    """Plays as well as the random bot does, but makes choices of its own."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, rng.mix(seed, 1))


def test_looking_often_makes_no_false_certainty(goofspiel: Game):
    """Equal bots are told apart in at most 5 % of such tournaments."""
    found = [
        tournament(goofspiel, ["random", STRANGER], 320, seed, 2, {"cards": 3}, until_sure=True) for seed in range(40)
    ]
    assert len({one.pairings[0].share for one in found}) > 10
    assert sum(one.is_sure for one in found) <= 3


def test_all_looks_together_err_no_more_often_than_one():
    assert error_allowed(0, 1) == pytest.approx(0.05)
    assert 0.049 < sum(error_allowed(look, 3) for look in range(1, 1000)) * 3 <= 0.05


def test_a_tournament_depends_on_the_seed_alone(goofspiel: Game):
    one, two, other = (tournament(goofspiel, ["random", HIGH], 20, seed, seats=2) for seed in (1, 1, 2))
    assert one == two != other


@pytest.mark.parametrize(
    ("bots", "n", "seats", "message"),
    [
        (["random"], 2, 2, "at least two bots, each once, not random"),
        (["random", "random"], 2, 2, "at least two bots, each once"),
        (["random", "merlin"], 2, 2, "there is no bot 'merlin'"),
        (["random", "greedy"], 3, 2, "a multiple of 2 games up to 1,000,000,000,000, for each deal is played 2 times"),
        (["random", "greedy", "page"], 4, 3, "a multiple of 3 games"),
        (["random", "greedy"], 0, 2, "a multiple of 2 games"),
        (["random", "greedy"], 2, 9, "is not played with 9 seats"),
        ([f"m{number}:B" for number in range(60)], 2, 2, "60 bots make 1,770 tables"),
    ],
)
def test_an_impossible_tournament_is_refused(bots: list[str], n: int, seats: int, message: str, goofspiel: Game):
    with pytest.raises(BadOption, match=message):
        tournament(goofspiel, bots, n, 1, seats)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_tournament_can_be_read_from_its_games(seats: int, goofspiel: Game, tmp_path: Path):
    held = tournament(goofspiel, ["random", "greedy", HIGH], 12, 3, seats=seats, out=tmp_path / "t")
    assert read_tournament(tmp_path / "t", goofspiel) == held
    words = markdown(ReportPage("", "", [chapters._tournament(held)]))
    assert f"{held.games} games" in words and words.count("| greedy ") >= 2


@pytest.mark.parametrize("name", ["t[1].parquet", "t*", "?", "{a,t}", "~t", "file:t", "a b"])
def test_a_path_is_a_path_and_no_pattern(name: str, goofspiel: Game, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tournament(goofspiel, ["greedy", "random"], 2, 9, seats=2, out=Path("t1.parquet"))
    with pytest.raises(BadOption, match="holds no games of a tournament"):
        read_tournament(Path(name), goofspiel)
    tournament(goofspiel, ["random", HIGH], 2, 9, seats=2, out=Path(name))
    assert {each.bot for each in read_tournament(Path(name), goofspiel).standings} == {"random", HIGH}


def test_a_folder_is_no_tournament(goofspiel: Game, tmp_path: Path):
    tournament(goofspiel, ["greedy", "random"], 2, 9, seats=2, out=tmp_path / "t.parquet")
    with pytest.raises(BadOption, match="holds no games of a tournament"):
        read_tournament(tmp_path, goofspiel)


def test_other_files_are_no_tournaments(goofspiel: Game, tmp_path: Path):
    simulate(goofspiel, 2, ["random", "random"], {}, 1, out=tmp_path / "alone")
    (tmp_path / "text").write_text("games")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "other")
    court = quintain.game("kings-court")
    for name, game, message in (
        ("alone", goofspiel, "holds no games of a tournament: random plays alone"),
        ("alone", court, "holds games of goofspiel, not of kings-court"),
        ("text", goofspiel, "holds no games of a tournament"),
        ("other", goofspiel, "holds no games of a tournament"),
        ("none", goofspiel, "holds no games of a tournament"),
    ):
        with pytest.raises(BadOption, match=message):
            read_tournament(tmp_path / name, game)
