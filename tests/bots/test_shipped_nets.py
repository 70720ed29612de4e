"""The levels that play by the nets that come with the games, and what they do where there is none."""

import hashlib
import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bots.nets import random_net, stubborn_net
from bots.test_net_search import middle
from quintain.bots import Budget, Grandmaster, Minstrel, level, levels, net_files
from quintain.bots.drawing import drawn_action, power_of_e
from quintain.bots.ismcts import TRIAL, warm_up
from quintain.bots.shipped_nets import (
    NET_TRIAL,
    SHARPNESS,
    Adviser,
    drivers,
    has_net,
    lack_of_net,
    net_for,
    nets_of,
)
from quintain.engine.errors import BadGame, BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, game
from quintain.lab import matches
from quintain.lab.series import Chunk, Series, play_chunk, prepare

SHIPPED = [(each, seats) for each in all_games() for one in nets_of(each) for seats in one.seats]
NAMES = [f"{each.id}, {seats} seats" for each, seats in SHIPPED]


@pytest.fixture(scope="module")
def court() -> Game:
    return game("kings-court")


def with_nets(of: Game, folder: Path, net: net_files.NetFile | None = None, text: str = "") -> Game:
    """Return a game with a net of its own in a folder, for which `nets.toml` says `text`, or what is true."""
    (folder / "nets").mkdir()
    if net is not None:
        net_files.write(folder / "nets" / "two.safetensors", net)
        digest = hashlib.sha256((folder / "nets" / "two.safetensors").read_bytes()).hexdigest()
        text = text or f'[[nets]]\nfile = "two.safetensors"\nsha256 = "{digest}"\nseats = [2]\n'
    if text:
        (folder / "nets.toml").write_text(text)
    moved: Game = object.__new__(type("Moved", (Game,), {"folder": folder}))
    vars(moved).update(vars(of))
    return moved


@pytest.mark.parametrize(("of", "seats"), SHIPPED, ids=NAMES)
def test_each_net_that_comes_with_a_game_is_small_whole_and_made_for_it(of: Game, seats: int):
    kind = net_for(of, seats)
    assert kind.file.metadata.keys() >= {"recipe", "rounds", "seconds", "curve", "seats"}
    trained = {int(each) for each in kind.file.metadata["seats"].split(",")}
    assert seats in trained or of.has_features  # features mean the same with any number of seats
    (file,) = [each.file for each in nets_of(of) if seats in each.seats]
    assert of.folder is not None and (of.folder / "nets" / file).stat().st_size < 1_000_000
    said, value = kind(of, 0).say(middle(of, 4, seats))
    assert all(map(math.isfinite, said)) and abs(value) < 3


@pytest.mark.parametrize(("of", "seats"), SHIPPED, ids=NAMES)
def test_the_page_of_the_nets_tells_how_each_came_about(of: Game, seats: int):
    page = (Path(__file__).parents[2] / "docs" / "nets.md").read_text(encoding="utf-8")
    (found,) = [each for each in nets_of(of) if seats in each.seats]
    about, folder = net_for(of, seats).file.metadata, of.folder
    assert folder is not None
    size, recipe = (folder / "nets" / found.file).stat().st_size, json.loads(about["recipe"])
    assert f"`{folder.name}/nets/{found.file}`, {size:,} bytes" in page
    assert f"--out {found.file} --rounds {recipe['rounds']} " in page and f"--seed {recipe['seed']}`" in page
    assert f"{int(about['seconds']):,} seconds" in page


@pytest.mark.parametrize(("of", "seats"), SHIPPED, ids=NAMES)
def test_a_minstrel_beats_random_play(of: Game, seats: int):
    given = Series.new(of, ["minstrel", *["random"] * (seats - 1)], {}, 7)
    prepare(given)
    assert given.is_whole and given.net == "minstrel"
    won = play_chunk(Chunk(given, 0, 100)).ranks[:, 0] == 1
    assert won.mean() > 0.5 + 0.4 / seats


def test_compiled_games_of_a_minstrel_are_those_that_it_plays_one_by_one(court: Game):
    given = Series.new(court, ["minstrel", "minstrel"], {}, 5)
    prepare(given)
    load(drivers(court))
    played, both = play_chunk(Chunk(given, 0, 5)), [level("minstrel")] * 2
    book = court.make_book(2, given.options)
    for row in range(5):
        s = court.state()
        moves = sum(1 for _ in matches.moves(court, book, s, both, 5, row))
        scores, ranks = matches.result(court, book, s, 2)
        assert played.rows[row].tolist() == [moves, *scores, *ranks]


def test_actions_are_drawn_as_often_as_their_sharpened_chances_say():
    words = [0] * 4
    rng.seed(words, 3)
    mask, said = [1, 0, 1, 1], [math.log(0.2), 9.0, math.log(0.3), math.log(0.5)]
    for sharpness in (100, SHARPNESS):
        drawn = Counter(drawn_action(mask, said, sharpness, words) for _ in range(4000))
        weights = {action: 0.0 if action == 1 else math.exp(said[action] * sharpness / 100) for action in range(4)}
        for action, weight in weights.items():
            assert drawn[action] / 4000 == pytest.approx(weight / sum(weights.values()), abs=0.03)
    assert Counter(drawn_action(mask, said, 5000, words) for _ in range(50)) == {3: 50}


def test_powers_of_e_are_as_exact_as_those_of_the_c_library():
    for step in range(6000):
        assert power_of_e(-step / 100) == pytest.approx(math.exp(-step / 100), rel=1e-13)
    assert power_of_e(-math.inf) == power_of_e(-1000.0) == 0.0


def test_a_minstrel_does_not_always_choose_the_same(court: Game, tmp_path: Path):
    seen = middle(court)
    wanted = {seen.legal[0]: 5.0, seen.legal[1]: 5.0}
    bot = Minstrel(with_nets(court, tmp_path, stubborn_net(court, wanted)), 1)
    assert {bot.choose(seen, Budget()) for _ in range(40)} == set(wanted) and bot.note == ""
    kept = [Minstrel(bot.game, 4) for _ in range(2)]
    one, two = ([each.choose(seen, Budget()) for _ in range(20)] for each in kept)
    assert one == two


def test_a_net_plays_only_with_a_book_that_it_knows(court: Game, tmp_path: Path):
    net, seen = random_net(court), middle(court)
    net_files.write(tmp_path / "two.safetensors", net)
    digest = hashlib.sha256((tmp_path / "two.safetensors").read_bytes()).hexdigest()
    for number, (book, lack) in enumerate(
        (
            (f"houses = {seen.book.houses}", ""),
            ("houses = 1", "the net that comes with King's Court is for other options"),
            ("towers = 1", "the nets.toml of King's Court names towers, which its book does not have"),
        )
    ):
        (folder := tmp_path / str(number)).mkdir()
        text = f'[[nets]]\nfile = "two.safetensors"\nsha256 = "{digest}"\nseats = [2]\nbook = {{ {book} }}\n'
        bot = Minstrel(with_nets(court, folder, net, text), 1)
        assert lack_of_net(bot.game, 2, seen.book) == lack
        assert bot.choose(seen, Budget()) in seen.legal
        assert bot.note == (f"{lack}, so it searches as a Squire does" if lack else "")


def test_minstrels_search_in_heirless_battles_without_bandits(tmp_path: Path):
    heirless = game("heirless")
    for options, lack in (({}, False), ({"bandits": "off"}, True)):
        given = Series.new(heirless, ["minstrel"] * 3, options, 1)
        assert bool(given.net) != lack
        book = heirless.make_book(3, given.options)
        assert has_net(heirless, 3) and has_net(heirless, 3, book) != lack


NO_HASH = f'sha256 = "{64 * "0"}"\nseats = [2]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no net comes with King's Court for 2 players"),
        (f'[[nets]]\nfile = "two.safetensors"\n{NO_HASH}', "two.safetensors .* damaged"),
        (f'[[nets]]\nfile = "gone.safetensors"\n{NO_HASH}', "cannot be read"),
    ],
    ids=["none", "another hash", "no file"],
)
def test_without_a_net_both_levels_search_and_say_why(court: Game, tmp_path: Path, text: str, words: str):
    bare = with_nets(court, tmp_path, random_net(court) if text else None, text)
    with pytest.raises(BadOption, match=words):
        net_for(bare, 2)
    assert not has_net(bare, 2)
    seen = middle(court)
    minstrel, grandmaster = Minstrel(bare, 1), Grandmaster(bare, 1)
    assert minstrel.choose(seen, Budget()) in seen.legal
    assert minstrel.note == f"{lack_of_net(bare, 2)}, so it searches as a Squire does"
    assert grandmaster.choose(seen, Budget(simulations=50)) in seen.legal
    assert grandmaster.note == f"{lack_of_net(bare, 2)}, so it searches without one"


def test_a_net_for_other_rules_is_refused_by_name(court: Game, tmp_path: Path):
    other = random_net(court)
    of = with_nets(court, tmp_path, replace(other, metadata={**other.metadata, "version": "99"}))
    with pytest.raises(BadOption, match=r"the net two\.safetensors is for version 99 of the rules"):
        net_for(of, 2)


@pytest.mark.parametrize(
    "text", ["nets = [", '[[nets]]\nfile = "../two.safetensors"\nsha256 = ""\nseats = [2]\n', "[[net]]\n"]
)
def test_a_wrong_list_of_nets_names_its_file(court: Game, tmp_path: Path, text: str):
    with pytest.raises(BadGame, match=r"nets.toml is not valid"):
        nets_of(with_nets(court, tmp_path, text=text))


def test_a_grandmaster_searches_with_the_net_and_the_budget_of_a_champion(court: Game, tmp_path: Path):
    load(drivers(court))
    assert levels()["grandmaster"].budget == levels()["champion"].budget
    seen = middle(court)
    wanted = seen.legal[-1]
    bot = Grandmaster(with_nets(court, tmp_path, stubborn_net(court, {wanted: 6.0})), 3)
    judged = {one.action: one.simulations for one in bot.judge(seen, Budget(simulations=200))}
    assert judged[wanted] > 0.6 * sum(judged.values())


def test_advice_is_that_of_a_search_with_the_net(court: Game, tmp_path: Path):
    load(drivers(court))
    seen = middle(court)
    wanted = seen.legal[-1]
    adviser = Adviser(with_nets(court, tmp_path, stubborn_net(court, {wanted: 6.0})), 3, threads=1)
    advice = adviser.advise(seen)
    assert wanted in [one.action for one in advice] and len({one.action for one in advice}) == 3
    assert [one.simulations for one in advice] == [NET_TRIAL.simulations] * 3
    assert [one.share for one in advice] == sorted((one.share for one in advice), reverse=True)


def test_advice_comes_without_a_net_where_there_is_none_for_the_seats_or_the_options(court: Game, tmp_path: Path):
    warm_up(court)
    garnets = Match.new(court, options={"garnets": [3, 0]}, seed="05" * 32)
    seen = garnets.seen(min(garnets.to_act))
    for of, at in ((court, seen), (with_nets(court, tmp_path), middle(court))):
        advice = Adviser(of, 3, threads=1).advise(at)
        assert len(advice) == min(3, len(at.legal))
        assert all(NET_TRIAL.simulations < one.simulations <= TRIAL.simulations for one in advice)
