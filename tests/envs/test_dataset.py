"""A dataset holds the decisions of games as the rules tell them, and goes on where it was stopped."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

import quintain
from cli.sitting import Run
from conformance.cases import tutorial_game
from quintain.bots import Judgement
from quintain.bots.random import Random
from quintain.engine.errors import BadBot, BadOption, QuintainError
from quintain.engine.rules import rng
from quintain.engine.rules.contract import lowest_seat
from quintain.engine.rules.game import Game
from quintain.envs.dataset import make_dataset
from quintain.lab.pools import LocalPool

POLICY = "quintain.bots.policy:Policy"
EACH = 9
"""One of so many observations is made anew, since plain rules take long for it."""
GAMES = [game.id for game in quintain.all_games() if game.folder]


def read(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "*.parquet")


def replayed(game: Game, options: dict[str, object], seats: int, seed: int, rows: pl.DataFrame) -> None:
    """Play the games again by the plain rules, and compare each row with what they say."""
    rules, book, s = game.rules, game.make_book(seats, game.read_options(seats, options)), game.state()
    for row in rows.iter_rows(named=True):
        if row["number"] == 0:
            s = game.state()
            rng.seed(s.rng, rng.mix(seed, row["game"]))
            rules.deal(book, s)
        seat = lowest_seat(rules.to_act(book, s))
        mask, observed = [0] * game.actions, [0.0] * game.observation.size
        rules.legal(book, s, seat, mask)
        assert (row["seat"], list(row["mask"])) == (seat, mask) and mask[row["action"]]
        if row["number"] % EACH == 0:
            rules.observe(book, game.blinded(book, s, seat), seat, observed)
            assert list(row["observation"]) == pytest.approx(observed)
        rules.play(book, s, seat, row["action"])
        ended = rows.filter(pl.col("game") == row["game"]).height == row["number"] + 1
        assert ended == (rules.to_act(book, s) == 0)
        if ended:
            scores, ranks = [0] * seats, [0] * seats
            rules.outcome(book, s, scores, ranks)
            for (who,), own in rows.filter(pl.col("game") == row["game"]).group_by("seat"):
                assert own["score"].unique().to_list() == [scores[who]] and own["rank"].unique().to_list() == [
                    ranks[who]
                ]
                assert (own["return"] > 0).all() == (ranks[who] == 1 and ranks.count(1) < seats)


@pytest.mark.parametrize("id_", GAMES)
def test_rows_are_what_the_rules_say_of_the_games(id_: str, tmp_path: Path):
    game = quintain.game(id_)
    seats = game.check_seats(None)
    assert make_dataset(game, 2, [POLICY] * seats, {}, 5, tmp_path / "out", shard=1) == 2
    rows = read(tmp_path / "out")
    assert rows["game"].unique().sort().to_list() == [0, 1] and rows["tries"].null_count() == rows.height
    replayed(game, {}, seats, 5, rows)


def test_what_a_search_thought_stands_beside_its_choices(tmp_path: Path):
    game = quintain.game("kings-court")
    make_dataset(game, 1, ["squire", "random"], {}, 2, tmp_path / "out")
    searched = read(tmp_path / "out").filter(pl.col("tries").is_not_null())
    assert searched.height > 20 and searched["seat"].unique().to_list() == [0]
    for row in searched.iter_rows(named=True):
        tries, share = row["tries"], row["share"]
        assert tries[row["action"]] == max(tries) > 0
        assert not any(count for count, legal in zip(tries, row["mask"], strict=True) if not legal)
        assert all((0 <= each <= 1) == (count > 0) for each, count in zip(share, tries, strict=True))
    forced = [sum(mask) == 1 for mask in read(tmp_path / "out").filter(pl.col("seat") == 0)["mask"]]
    assert forced.count(False) == searched.height


class Boaster(Random):
    """Judges an action that the game does not have."""

    @property
    def judged(self) -> list[Judgement]:
        return [Judgement(9999, 1, 0.5)]


def test_a_bot_that_judges_what_is_no_action_is_named(tmp_path: Path):
    with pytest.raises(BadBot, match=r"Boaster judged \[9999\], which are no actions of Goofspiel"):
        make_dataset(tutorial_game(), 1, [f"{__name__}:Boaster", "random"], {}, 1, tmp_path / "out")


def test_a_dataset_goes_on_where_it_was_stopped_whoever_works(tmp_path: Path):
    game, told = tutorial_game(), list[int]()
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    make_dataset(game, 7, ["random", POLICY], {"cards": 4}, 3, whole, shard=2)
    pool = LocalPool(2, patience=0.0)
    make_dataset(game, 7, ["random", POLICY], {"cards": 4}, 3, stopped, shard=2, pool=pool)
    for lost in (2, 6):
        (stopped / f"games-{lost:09}.parquet").unlink()
    again = make_dataset(game, 7, ["random", POLICY], {"cards": 4}, 3, stopped, shard=2, progress=told.append)
    assert again == 3 and told == [4, 2, 1]
    files = sorted(path.name for path in whole.iterdir())
    assert files == sorted(path.name for path in stopped.iterdir()) and len(files) == 5
    assert all((whole / name).read_bytes() == (stopped / name).read_bytes() for name in files)
    assert json.loads((whole / "dataset.json").read_text())["columns"] == game.observation.size


def test_another_run_and_other_folders_are_refused_and_stay_as_they_are(tmp_path: Path):
    game = tutorial_game()
    make_dataset(game, 2, ["random", "random"], {}, 3, tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    with pytest.raises(BadOption, match=re.escape("other arguments (games: 2, now 4); repeat its arguments")):
        make_dataset(game, 4, ["random", "random"], {}, 3, tmp_path / "out")
    with pytest.raises(BadOption, match=re.escape('(bots: ["random", "random"], now ["random", "greedy"])')):
        make_dataset(game, 2, ["random", "greedy"], {}, 3, tmp_path / "out")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes").write_text("mine")
    (tmp_path / "plain").write_text("mine")
    for name in ("other", "plain"):
        with pytest.raises(BadOption, match="is there already, and is no dataset: name another folder"):
            make_dataset(game, 2, ["random", "random"], {}, 3, tmp_path / name)
    with pytest.raises(QuintainError, match="cannot be written"):
        make_dataset(game, 2, ["random", "random"], {}, 3, tmp_path / "plain" / "below")
    (tmp_path / "out" / "dataset.json").write_text("{")
    with pytest.raises(BadOption, match=r"dataset\.json cannot be read"):
        make_dataset(game, 2, ["random", "random"], {}, 3, tmp_path / "out")
    with pytest.raises(BadOption, match="a file takes at least 1 game, not 0"):
        make_dataset(game, 2, ["random", "random"], {}, 3, tmp_path / "new", shard=0)


def test_the_command_takes_the_seed_of_the_run_that_was_stopped(quintain: Run, tmp_path: Path):
    command = ("dataset", "kings-court", "-n", "3", "--bots", "random", "--shard", "1", "--out", tmp_path / "out")
    first = quintain(*command)
    assert first.status == 0 and first.out.startswith(f"3 games of King's Court in {tmp_path / 'out'}, seed ")
    kept = (tmp_path / "out" / "games-000000001.parquet").read_bytes()
    (tmp_path / "out" / "games-000000001.parquet").unlink()
    again = json.loads(quintain(*command, "--json").out)
    assert again["new"] == 1 and first.out.endswith(f"seed {again['seed']}\n")
    assert (tmp_path / "out" / "games-000000001.parquet").read_bytes() == kept
    other = quintain(*command, "--seed", "1")
    assert other.status == 2 and "other arguments (seed: " in other.err
