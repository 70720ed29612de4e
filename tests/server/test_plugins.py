"""Packages bring games, bots and card sets: a good one is played and trained on, what fails in others is named."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import quintain
from packages import GAME, broken, clashing, good, install
from quintain import bots
from quintain.bots import Level, levels
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.server.beside.workers import Workers
from quintain.server.model.levels import time_of
from quintain.server.model.making import check_ratable
from quintain.server.pages import heraldry
from quintain.server.pages.rendering import sheets
from quintain.server.turns import Asker
from remade import remade
from server.browsing import Person, play
from server.guests import ServingProcess
from server.test_looks import needs_chromium, needs_files

pytestmark = pytest.mark.xdist_group("plugins")
TRAIN = """
import random
import gymnasium
import quintain.envs.gymnasium

env = gymnasium.make("quintain/RoyalAuction-v0", seat=0, opponents="random", options={"cards": 5})
chance, worth = random.Random(1), {}

def played(seed, explore):
    _, info = env.reset(seed=seed)
    made, ended = [], False
    while not ended:
        legal = [action for action, one in enumerate(info["action_mask"]) if one]
        hand = tuple(legal)
        best = max(legal, key=lambda card: worth.get((hand, card), (0, 1))[0] / worth.get((hand, card), (0, 1))[1])
        card = chance.choice(legal) if chance.random() < explore else best
        made.append((hand, card))
        _, reward, ended, _, info = env.step(card)
    return made, reward

for seed in range(3000):
    made, reward = played(seed, 0.3)
    for place in made:
        total, times = worth.get(place, (0, 0))
        worth[place] = total + reward, times + 1
print(sum(played(10_000 + seed, 0.0)[1] for seed in range(300)) / 300)
"""
"""Learns, by the mean result of each card in each hand, and prints the mean result after that."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which three packages are installed."""
    folder = tmp_path_factory.mktemp("packages")
    for number, files in enumerate((good(), broken(), clashing())):
        install(files, folder / str(number), folder / "there")
    return folder / "there"


@pytest.fixture(scope="module", autouse=True)
def _installed(there: Path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(there))
        yield


def run(*words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "quintain", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "400"}, timeout=120
    )


@pytest.fixture(scope="module")
def listed(_installed) -> subprocess.CompletedProcess[str]:
    return run("plugins")


def test_the_command_lists_all_plug_ins_with_their_state(listed):
    assert listed.returncode == 0
    used = re.findall(r"^(\w+) +(\S+) +(\S+ \S+) +\S+ +in use", listed.stdout, re.MULTILINE)
    assert sorted(used) == [
        ("bots", "miser", "royal-auction 0.1.0"),
        ("bots", "scrooge", "royal-auction 0.1.0"),
        ("cards", "greener-woods", "royal-auction 0.1.0"),
        ("games", "royal-auction", "royal-auction 0.1.0"),
    ]
    assert listed.stdout.count("left out: ") == 17 and "a package that prints" not in listed.stdout


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crash", r"crash\.py, line 2: ZeroDivisionError: division by zero"),
        ("gone", r"entry_points\.txt, line \d+: ModuleNotFoundError: No module named 'broken_games\.gone'"),
        ("text", r"__init__\.py, line 5: broken_games:TEXT must be a Game, such as package:GAME, not str"),
        ("whole", r"__init__\.py, line 1: 'broken_games' names no object: write package\.module:OBJECT"),
        (
            "misnamed",
            r"called\.py, line \d+: the entry point is named misnamed, and the game called: give both",
        ),
        ("odd", r"entry_points\.txt, line \d+: 'royal auction' names no object: write package\.module:OBJECT"),
        ("ended", r"ended\.py, line 6: Silent: an error without words"),
        ("none", r"__init__\.py, line 6: broken_games:NONE is no bot: give a class with a method"),
        ("open", r"__init__\.py, line 1: open stands for a person or an empty seat: give the bot another name"),
        ("idle", r"__init__\.py, line 11: broken_games:Idle is no bot: give a class with a method"),
        ("Bad Name", r"__init__\.py, line 11: a name consists of small letters, digits and hyphens, not 'Bad Name'"),
        ("typo", r"__init__\.py, line 7: .*Little Jon"),
        ("nowhere", r"__init__\.py, line 8: the set is for a game 'chess', which is not here"),
        ("court", r"court\.py, line \d+: there is a game kings-court already, one of Quintain's own"),
        ("older", r"older\.py, line \d+: older-game was written for version 1 of the contract of a game"),
        ("silent", r"silent\.py, line \d+: .* does not say for which contract it was written: add contract=2"),
        ("knight", r"__init__\.py, line 1: there is a bot knight already: give this one another name"),
    ],
)
def test_what_is_left_out_is_named_once_with_package_file_and_line(listed, name: str, words: str):
    lines = [
        line for line in listed.stderr.splitlines() if re.match(rf"quintain leaves out the [\w ]+ {name} of ", line)
    ]
    assert len(lines) == 1
    assert re.search(rf"of (broken|clashing)-games 1\.0: \S+{words}", lines[0]), lines


def test_the_terminal_lists_plays_and_simulates_a_game_of_a_package():
    listed = run("games")
    assert f"{GAME}  Royal auction" in listed.stdout and listed.stdout.count("kings-court  ") == 1
    watched = run("watch", GAME, "--bots", "miser,scrooge", "--option", "cards=5")
    assert watched.returncode == 0 and "Miser" in watched.stdout, watched.stderr
    laddered = run("ladder", GAME, "--bots", "miser,random", "-n", "2")
    assert laddered.returncode == 0 and "miser" in laddered.stdout, laddered.stderr
    simulated = run("simulate", GAME, "-n", "200")
    assert simulated.returncode == 0 and "200 " in simulated.stdout, simulated.stderr


def test_a_card_set_of_a_package_is_chosen_by_its_name_and_kept_as_text(tmp_path: Path):
    code = """
import quintain
match = quintain.Match.new("robin", options={"cards": "greener-woods"})
kept = match.save()["options"]["cards"]
assert "5, 3, 5, 4" in kept, kept
print(quintain.Match.load(match.save()).options == match.options)
"""
    ran = run(code=code)
    assert ran.stdout == "True\n", ran.stderr
    watched = run("watch", "robin", "--bots", "random", "--option", "cards=greener-woods")
    assert watched.returncode == 0, watched.stderr
    (tmp_path / "green.toml").write_text('options = {cards = "greener-woods"}')
    compared = run("compare", "robin", *2 * ("--set", str(tmp_path / "green.toml")), "-n", "2", "--seed", "1")
    assert compared.returncode == 0, compared.stderr
    listed = run("cards", "robin", "greener-woods", "--check")
    assert listed.stdout.startswith("the set greener-woods is a valid set: Characters "), listed


@pytest.mark.long  # the game of a package is a game of a file, which tests/envs trains on
def test_a_game_of_a_package_is_trained_on_through_gymnasium():
    ran = run(code=TRAIN)
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout) > 0.25, "a random player's mean is 0"


@needs_files
@needs_chromium
def test_a_game_and_a_bot_of_a_package_are_played_in_the_browser(browser, tmp_path: Path):
    with ServingProcess(tmp_path, log_level="warning") as server:
        ann = Person(browser, server.url)
        ann.page.goto(f"{server.url}/")
        assert ann.page.get_by_text("Royal auction").first.is_visible()
        ann.make_table("robin", "Ann")
        ann.page.goto(f"{server.url}/new/{GAME}")
        ann.page.locator("[name='option.cards']").fill("4")
        ann.page.locator("select[name='seat.1']").select_option("scrooge")
        words = ann.page.locator("select[name='seat.1'] option[value=scrooge]").inner_text()
        assert words == "Scrooge, a bot: never bids high"
        ann.page.get_by_role("button", name="Make the table").click()
        ann.page.locator("#table-body").wait_for()
        crest = ann.page.evaluate("fetch('/packages/arms.svg').then((answer) => answer.text())")
        assert f'id="{GAME}"' in crest
        sheets = ann.page.evaluate("[...document.styleSheets].map((sheet) => sheet.href)")
        assert any("/packages/boards.css" in sheet for sheet in sheets)
        play([ann])
        assert not ann.complaints
        ann.page.goto(f"{server.url}/new/robin")
        ann.page.get_by_text("For experts").click()
        ann.page.locator("select[name='option.cards.set']").select_option("Greener woods")
        ann.page.get_by_role("button", name="Make the table").click()
        ann.page.locator("#table-body").wait_for()
        assert "Greener woods" in ann.page.content()


class Clumsy:
    """A bot whose every choice fails."""

    def __init__(self, game, seed):
        pass

    def choose(self, seen, budget):
        raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("level", "problem"),
    [
        (f"{__name__}:Clumsy", r"the bot server.test_plugins:Clumsy failed: RuntimeError: no idea"),
        ("of-a-package-that-is-gone", "there is no bot 'of-a-package-that-is-gone'"),
    ],
)
def test_a_squire_plays_for_a_bot_that_fails_or_is_gone(level: str, problem: str, caplog: pytest.LogCaptureFixture):
    match = Match.new("kings-court")
    seen = match.seen(min(match.to_act))

    async def choose():
        workers = Workers(1)
        try:
            return await workers.choose(Asker("Ann", "a table"), level, seen)
        finally:
            workers.stop()

    chosen = asyncio.run(choose())
    assert chosen.action in seen.legal and chosen.note == "fails, so a Squire plays for it"
    assert re.match(problem, chosen.problem) and time_of(level) > 0
    assert [vars(record)["problem"] for record in caplog.records] == [chosen.problem]


def test_a_bot_without_its_net_plays_in_no_rated_game():
    for game, seats, lacks in (("kings-court", 2, False), ("heirless", 4, False), ("round-table", 4, True)):
        found = quintain.game(game)
        given = found, found.read_options(seats, {}), ["me", *["minstrel"] * (seats - 1)], "60"
        if lacks:
            with pytest.raises(BadOption, match=rf"no net comes with .* for {seats} players|nobody knows how strong"):
                check_ratable(*given)
        else:
            check_ratable(*given)


def test_a_bot_of_unknown_strength_plays_in_no_rated_game(monkeypatch: pytest.MonkeyPatch):
    known = levels() | {"miser": Level("miser", Clumsy, about="bids low", package="royal-auction 1.0")}
    monkeypatch.setattr(bots, "levels", lambda: known)
    found = quintain.game("kings-court")
    with pytest.raises(BadOption, match="nobody knows how strong Miser is: play with it in a game that is not rated"):
        check_ratable(found, found.read_options(2, {}), ["me", "miser"], "60")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[crest", "Expected"),
        ("crest = 5", "the arms crest must be a table with field, ordinary, charge, tincture, over, not 5"),
        ('[crest]\nfeld = "or"', "the arms crest has no feld; perhaps field; it has field, "),
        ("[crests]", "heraldry.toml has no crests; perhaps crest; it has arms, crest, foot, icons, credit"),
        ('[icons]\npoints = "trophy"', "there is no icon 'trophy'; perhaps trophy-cup"),
    ],
)
@needs_files
def test_arms_with_a_mistake_are_left_out_and_the_log_says_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, problem: str
):
    found = looks_of(tmp_path, "heraldry.toml", text)
    assert heraldry.arms_of_games([found]) == {} and heraldry.crest(found).startswith("other.")
    (record,) = caplog.records
    assert vars(record)["problem"].startswith(problem), vars(record)["problem"]
    assert (vars(record)["package"], vars(record)["file"]) == ("a-game 1.0", str(tmp_path / "heraldry.toml"))


@pytest.mark.parametrize(
    "sheet", [".a { color: red", ".a { color: red } } body { display: none", "/* no end", ".a { b: 'c }"]
)
def test_a_style_sheet_that_would_reach_other_pages_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, sheet: str
):
    found = looks_of(tmp_path, "board.css", sheet)
    assert sheets([found]) == "" and vars(caplog.records[0])["file"] == str(tmp_path / "board.css")
    (tmp_path / "board.css").write_text(".a::before { content: '}'; } /* } */")
    assert "content: '}'" in sheets([found])


def looks_of(folder: Path, name: str, text: str) -> Game:
    """Return a game of a package whose folder has one file."""
    (folder / name).write_text(text)
    court = quintain.game("kings-court")
    game = remade(court)
    game.package = "a-game 1.0"
    game.module = SimpleNamespace(
        **{**vars(court.module), "__file__": str(folder / "rules.py"), "__package__": "a_game"}
    )
    return game


def test_all_threads_and_environments_see_the_games_of_packages_from_the_first():
    code = """
import threading, quintain
import quintain.envs.gymnasium, gymnasium
seen, barrier = [], threading.Barrier(8)
def look():
    barrier.wait()
    seen.append("royal-auction" in [game.id for game in quintain.all_games()])
threads = [threading.Thread(target=look) for _ in range(8)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
print(all(seen), "quintain/RoyalAuction-v0" in gymnasium.registry)
"""
    late = code.replace("import quintain.envs.gymnasium, gymnasium\n", "").replace(
        "print(", "import quintain.envs.gymnasium, gymnasium\nprint("
    )
    for each in (code, late):
        ran = run(code=each)
        assert ran.stdout == "True True\n", ran.stderr
