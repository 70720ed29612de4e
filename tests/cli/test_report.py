"""`quintain report` and `quintain compare` write what they find for any game."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.sitting import Run
from quintain.games.robin import cards as robin_cards
from quintain.lab.pools import LocalPool
from tutorial import kept_goofspiel

pytestmark = pytest.mark.usefixtures("kept_home")


@pytest.mark.long  # the report of a page below has the same text
def test_the_command_prints_a_report_of_any_game(quintain: Run) -> None:
    given = ("-n", "60", "--seed", "1", "--actions", "3", "--option", "dealt=on", "--skill", "0")
    shown = quintain("report", "robin", *given).out
    assert re.search(
        r"^60 games with 2 seats, the playout policy at every seat; seed 1, dealt on$", shown, re.MULTILINE
    )
    assert len(re.findall(r"^\| [01] +\| +[\d.]+% \| +[\d.]+% to [\d.]+% +\|", shown, re.MULTILINE)) == 2
    assert len(re.findall(r"^\| play ", shown, re.MULTILINE)) == 3
    shares = [float(share) for share in re.findall(r"\| +\d+ \| +\d+ \| +([\d.]+)% \|", shown.partition("rounds")[0])]
    assert len(shares) > 50 and shares == sorted(shares, reverse=True)
    assert re.search(r"^\| rounds +\| +\d+ \| +\| +[\d.]+ a game \| +\|$", shown, re.MULTILINE)


def test_decks_that_are_ready_made_play_each_other(quintain: Run) -> None:
    shown = quintain("report", "round-table", "-n", "3", "--seed", "1", "--actions", "0", "--skill", "0").out
    assert len(re.findall(r"^\| [\w-]+ +\| [\w-]+ +\| +4 \| +[\d.]+% \| +[\d.]+% to ", shown, re.MULTILINE)) == 6
    assert "Won against the field of 4" in shown
    named = quintain(
        "report", "round-table", "-n", "2", "--actions", "0", "--option", "decks=hedge-host", "--skill", "0"
    ).out
    assert "against the field" not in named and "## Actions" not in named


def test_a_report_is_written_as_one_page_that_needs_nothing_else_and_as_markdown(quintain: Run, tmp_path: Path) -> None:
    page, text = tmp_path / "report.html", tmp_path / "report.md"
    game = ("goofspiel", "--game-file", kept_goofspiel(), "--option", "cards=4")
    ran = quintain("report", *game, "-n", "40", "--seed", "1", "--skill", "2", "--out", page, "--out", text)
    assert (ran.status, " ".join(ran.out.split())) == (0, f"Wrote {page}. Wrote {text}."), ran.err
    html, markdown = page.read_text(encoding="utf-8"), text.read_text(encoding="utf-8")
    for title in ("At a glance", "Length", "Seats", "Choices", "Course of a game", "Actions", "Skill"):
        assert f"## {title}\n" in markdown and f">{title}</h2>" in html
    assert html.count("<svg") == html.count("<figcaption>") >= 6
    assert not re.search(r'<script|<link|@import|url\(|(src|href)="(?!#)', html)
    quintain("report", *game, "-n", "40", "--seed", "1", "--skill", "2", "--workers", "1", "--out", page)
    assert page.read_text(encoding="utf-8") == html


def test_a_file_of_another_kind_is_refused_before_any_game_is_played(quintain: Run, tmp_path: Path) -> None:
    for name, message in (
        ("report.pdf", "a report is written to a file whose name ends in .html or .md, not to report.pdf"),
        ("none/report.md", "there is no folder"),
    ):
        ran = quintain("report", "kings-court", "-n", "1000000000", "--out", tmp_path / name)
        assert (ran.status, ran.out) == (2, "") and message in " ".join(ran.err.split())


@pytest.mark.long
def test_two_sets_are_compared_side_by_side(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "plain.toml").write_text('name = "Plain"\noptions = { garnets = [0, 0] }\n')
    (tmp_path / "rich.toml").write_text('options = { garnets = "3,0" }\nbots = ["random"]\n')
    sets = ("--set", tmp_path / "plain.toml", "--set", tmp_path / "rich.toml")
    shown = quintain("compare", "kings-court", *sets, "-n", "300", "--seed", "1", "--actions", "3").out
    assert shown.startswith("# Plain and rich compared\n\n300 games each, King's Court; seed 1\n")
    assert re.search(r"^\| Figure +\| +Plain \| +rich \| +Difference \|$", shown, re.MULTILINE)
    assert "Only with rich: go first, go second." in shown
    assert len(re.findall(r"^\| (?:give|play|put|switch) ", shown, re.MULTILINE)) == 3
    quintain("compare", "kings-court", *sets, "-n", "30", "--out", tmp_path / "both.html")
    assert (tmp_path / "both.html").read_text(encoding="utf-8").count("<svg") >= 2


def test_a_set_of_cards_is_reported_as_it_is(quintain: Run, tmp_path: Path) -> None:
    base = Path(robin_cards.__file__).with_name("cards.toml").read_text(encoding="utf-8")
    (tmp_path / "base.toml").write_text(base, encoding="utf-8")
    (tmp_path / "own.toml").write_text(base.replace("Little John", "Tall John"), encoding="utf-8")
    sets = ("--set", tmp_path / "base.toml", "--set", tmp_path / "own.toml")
    shown = quintain("compare", "robin", *sets, "--option", "dealt=on", "-n", "12", "--seed", "1", "--report").out
    assert re.search(r"^Only with own: .*Tall John", shown, re.MULTILINE)
    counted = shown.partition("## What the game counts")[2]
    cells = r"[\d.]+% +\| +[\d.]+% to [\d.]+%"
    change = r"[+-][\d.]+% to [+-][\d.]+%(?: \*)?"
    assert len(re.findall(rf"^\| [A-Z][^|]+\| +{cells} \| +{cells} \| +{change} \|$", counted, re.MULTILINE)) > 40


def test_a_list_in_the_place_of_a_set_of_cards_is_refused(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "list.toml").write_text("options = { cards = [5] }", encoding="utf-8")
    refused = quintain("compare", "robin", "--set", tmp_path / "list.toml", "--set", tmp_path / "list.toml")
    assert refused.status == 2 and "the option cards cannot be" in refused.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("garnets = 3", "a set has no 'garnets'; it may have name, options, bots, seats, game-file"),
        ("option = {}", "perhaps options"),
        ("seats = true", "seats must be a whole number, not True"),
        ("options = { garnets = [1, 2, 3] }", "the option garnets cannot be"),
        ('bots = ["merlin"]', "there is no bot 'merlin'"),
        ('bots = ["random", "random", "random"]', "not played with 3 seats"),
        ('bots = ["random", "random"]\nseats = 1', "not played with 1 seats"),
        ("options = {", "is not TOML"),
        (r'name = "\u001b[31mred"', r"name must be a text of one line that can be printed, not '\\x1b\[31mred'"),
        ('name = " "', "name must be a text of one line"),
        ('game-file = "none.py"', "there is no file .*none.py"),
    ],
)
def test_a_wrong_set_is_refused_with_its_file(text: str, message: str, quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text("options = {}\n")
    (tmp_path / "bad.toml").write_text(text)
    ran = quintain("compare", "kings-court", "--set", tmp_path / "good.toml", "--set", tmp_path / "bad.toml")
    assert (
        ran.status == 2 and re.search(message, " ".join(ran.err.split())) and re.search(r"bad\.toml|none\.py", ran.err)
    )
    one = quintain("compare", "kings-court", "--set", tmp_path / "good.toml")
    assert one.err == "quintain: two sets are compared: give --set FILE.toml twice, not 1 times\n"


def test_a_set_may_name_the_bot_that_is_usual(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "named.toml").write_text('bots = ["policy"]', encoding="utf-8")
    (tmp_path / "plain.toml").write_text("options = {}", encoding="utf-8")
    sets = ("--set", tmp_path / "named.toml", "--set", tmp_path / "plain.toml")
    made = json.loads(quintain("compare", "kings-court", *sets, "-n", "20", "--seed", "1", "--json").out)
    assert made["games"] == 20 and all(each["difference"] == 0 for each in made["seats"])


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_stopped_says_how_it_goes_on_and_what_it_had(
    quintain: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, status: int
) -> None:
    game = ("simulate", "kings-court", "-n", "4", "--bots", "quintain.bots.random:Random", "--workers", "1")
    out = ("--seed", "5", "--out", tmp_path / "games.parquet")
    played = LocalPool.map

    def stop(*arguments: Any) -> Iterator[Any]:
        yield next(played(*arguments))
        if sent == signal.SIGINT:  # which a shell may have told us to ignore
            raise KeyboardInterrupt
        signal.raise_signal(sent)

    monkeypatch.setattr(LocalPool, "map", stop)
    stopped = quintain(*game, *out)
    assert stopped.status == status and "games.parquet.unfinished; the same command goes on" in stopped.err
    monkeypatch.setattr(LocalPool, "map", played)
    gone_on = quintain(*game, "--out", tmp_path / "games.parquet")
    assert gone_on.err.startswith("A run was stopped, and its results are in ")
    assert re.search(r"Games +4, 1 of them from the run that was stopped; seed 5", gone_on.out)
    assert "per second" not in gone_on.out
    again = quintain(*game, *out)
    assert again.status == 2 and "games.parquet is there already: delete it, or name another file" in again.err


def test_two_versions_of_the_rules_are_compared(quintain: Run, tmp_path: Path) -> None:
    rules = kept_goofspiel().read_text(encoding="utf-8").replace('"goofspiel"', '"short"')
    (tmp_path / "short.py").write_text(rules.replace('"number", CARDS,', '"number", 3,'), encoding="utf-8")
    (tmp_path / "short.toml").write_text('game-file = "short.py"\n')
    (tmp_path / "long.toml").write_text("options = { cards = 5 }\n")
    sets = ("--set", tmp_path / "short.toml", "--set", tmp_path / "long.toml")
    command = ("compare", "goofspiel", "--game-file", kept_goofspiel(), *sets, "-n", "20", "--seed", "1")
    shown = quintain(*command, "--report").out
    assert re.search(r"^\| Decisions in a game +\| +6\.0 \| +10\.0 \| +\+4\.0 to \+4\.0 \* \|$", shown, re.MULTILINE)
    assert "Only with long: bid 4, bid 5." in shown
    trial = quintain(*command).out
    assert re.search(
        r"^Decisions in a game, mean +6\.0 +10\.0 .*\+4\.0 +\+4\.0 to \+4\.0 +real *$", trial, re.MULTILINE
    )


@pytest.fixture
def sets(tmp_path: Path) -> tuple[str | Path, ...]:
    """Return two sets of Robin in files, of which the second has a much stronger Little John."""
    base = Path(robin_cards.__file__).with_name("cards.toml").read_text(encoding="utf-8")
    (tmp_path / "base.toml").write_text(base, encoding="utf-8")
    strong = base.replace("levels = [3, 3, 5, 4]", "levels = [5, 5, 5, 5]", 1)
    (tmp_path / "mine.toml").write_text(strong, encoding="utf-8")
    return "--set", tmp_path / "base.toml", "--set", tmp_path / "mine.toml", "--option", "dealt=on"


def test_a_trial_says_what_is_too_strong_with_bars_and_figures(quintain: Run, sets: tuple[str | Path, ...]) -> None:
    ran = quintain("compare", "robin", *sets, "--seed", "1", "--until-sure")
    assert ran.out.startswith("base and mine compared: Robin in the Hood, ")
    share = r"\d\d\.\d% \(\d\d\.\d to \d\d\.\d\)"
    said = rf"it wins {share} of the games in which it is drawn\. The change of \+[\d.]+ is real\."
    assert re.search(rf"^Little John is too strong: {said}$", ran.out, re.MULTILINE)
    for name in ("base", "mine"):
        assert re.search(rf"^  {name} +[┊ ]*├[┊─]*●[┊─]*┤[┊ ]* +{share}$", ran.out, re.MULTILINE)
    assert re.search(r"^Little John, won if played +\d", ran.out, re.MULTILINE)
    assert re.search(r"^Little John : \w.* real *$", ran.out, re.MULTILINE)
    assert re.search(r"^Decisions in a game, median: \d+ \(\d+ to \d+\) with base", ran.out, re.MULTILINE)
    assert re.search(r"Hood, \d{3} games with each on equal deals; seed 1$", ran.out, re.MULTILINE)
    assert ran.err.startswith("Playing 2,000 games with each ...\n")


def test_a_trial_is_the_same_for_any_number_of_workers(quintain: Run, sets: tuple[str | Path, ...]) -> None:
    shown = [quintain("compare", "robin", *sets, "-n", "60", "--seed", "1", "--workers", n).out for n in ("1", "2")]
    assert shown[0] == shown[1] and "60 games with each" in shown[0]


def test_any_bot_plays_a_trial(quintain: Run, sets: tuple[str | Path, ...]) -> None:
    made = json.loads(quintain("compare", "robin", *sets, "-n", "1", "--seed", "1", "--bot", "squire", "--json").out)
    assert [each["bots"] for each in made["sets"]] == [["squire"] * 2] * 2
    assert made["games"] == 1 and made["subjects"] == ["Little John"] and made["is_certain"]


def test_a_set_with_an_error_names_line_card_and_clause(quintain: Run, sets: tuple[str | Path, ...]) -> None:
    path = Path(sets[3])
    path.write_text(path.read_text(encoding="utf-8").replace("[5, 5, 5, 5]", "[6, 5, 5, 5]"), encoding="utf-8")
    ran = quintain("compare", "robin", *sets)
    assert ran.status == 2 and re.search(
        r"mine\.toml, line 11, Little John: levels, Agility .*RH-1", " ".join(ran.err.split())
    )


def test_trials_need_equal_seats(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text("seats = 2\n")
    (tmp_path / "three.toml").write_text("seats = 3\n")
    ran = quintain("compare", "heirless", "--set", tmp_path / "two.toml", "--set", tmp_path / "three.toml", "-n", "2")
    assert ran.status == 2 and "equal deals need equal seats, not 2 before and 3 after" in ran.err
