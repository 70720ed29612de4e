"""Hints, analyses and ladders as the commands print them, and the notes of bots."""

import json
import re
from pathlib import Path

import pytest

import quintain as package
from cli.sitting import PLAY, SEED, SIX_COUNTERS, Run, finished_record, moves_in, records, saves
from quintain.bots import Budget, ismcts, playout
from quintain.cli import play
from quintain.engine.play.match import Match
from quintain.engine.rules.compiling.compiled import load


@pytest.fixture
def warm_home(capsys: pytest.CaptureFixture[str], home: Path) -> Path:
    """Begin in a home in which the search of King's Court is compiled."""
    court = package.game("kings-court")
    ismcts.warm_up(court)
    load(playout.drivers(court))
    capsys.readouterr()
    return home


def hints(shown: str) -> list[tuple[str, int | None, int]]:
    """Return the moves of a hint, with their simulations, and their shares in percent if these are shown."""
    share = r"(?:(\d+)%|too few to tell)"
    rows = re.findall(rf"^(put \S+ on \w+|play .+?|give .+?) +{share} +█* +([\d,]+)$", shown, re.MULTILINE)
    return [(move, int(share) if share else None, int(tried.replace(",", ""))) for move, share, tried in rows]


def test_a_hint_judges_every_legal_move_with_all_simulations_and_plays_none(
    quintain: Run, warm_home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(play, "KNIGHT", Budget(simulations=5000))  # however slow the machine is
    shown = quintain(*PLAY, typed=SIX_COUNTERS + "hint\nquit\n")
    judged = hints(shown.out)
    (save,) = saves(warm_home)
    before = Match.load(save.read_text())
    assert sorted(move for move, _, _ in judged) == sorted(move.text for move in before.moves(0))
    assert sum(simulations for _, _, simulations in judged) == 5000
    assert all((share is None) == (tried < ismcts.SOUND) for _, share, tried in judged)
    assert any(share is None for _, share, _ in judged) and any(share is not None for _, share, _ in judged)
    assert [simulations for _, _, simulations in judged] == sorted((s for _, _, s in judged), reverse=True)
    assert len(moves_in(save)) == 12 and shown.err == ""


def test_a_hint_before_the_search_is_compiled_says_that_it_is_a_guess(quintain: Run, nothing_compiled: None):
    shown = quintain(*PLAY, typed="hint\nquit\n")
    judged = hints(shown.out)
    assert len(judged) == 6 and 6 <= sum(simulations for _, _, simulations in judged) < 5000
    assert all(share is None for _, share, tried in judged if tried < ismcts.SOUND)
    assert "This hint is rough: its search is getting ready" in " ".join(shown.out.split())


def test_a_level_that_is_not_compiled_says_so_once_and_plays(quintain: Run, home: Path, nothing_compiled: None):
    command = ("play", "kings-court", "--against", "champion", "--name", "Ann", "--seed", SEED)
    shown = quintain(*command, typed=SIX_COUNTERS + "quit\n")
    told = " ".join(shown.out.split())
    assert told.count("Champion: its search is getting ready") == 1
    (save,) = saves(home)
    assert len(moves_in(save)) == 12


def test_the_opponent_is_squire_if_nobody_is_named(quintain: Run, warm_home: Path):
    quintain("play", "kings-court", "--seed", SEED, typed="quit\n")
    assert json.loads(saves(warm_home)[0].read_text())["bots"] == [None, "squire"]


@pytest.mark.long  # test_playing.py plays to the end, and the tests here analyse
def test_a_game_against_a_level_is_played_to_the_end_and_analysed(quintain: Run, warm_home: Path):
    command = ("play", "kings-court", "--against", "squire", "--name", "Ann", "--seed", SEED)
    ended = quintain(*command, typed="1\n" * 120)
    assert ended.status == 0 and "wins: " in ended.out
    (record,) = records(warm_home)
    shown = quintain("analyse", record, "--tries", "100")
    assert (shown.status, shown.err) == (0, "")
    rows = re.findall(r"^ *(\d+)  (Ann|Squire) +(\S.*?)  +(\d+)% → (\d+)%(.*)$", shown.out, re.MULTILINE)
    assert len(rows) > 50 and {name for _, name, *_ in rows} == {"Ann", "Squire"}
    turning = shown.out.partition("Turning points\n")[2].partition("\n\n")[0].splitlines()
    numbers = [int(line.partition(".")[0]) for line in turning if re.match(r"\d+\. ", line)]
    assert 0 < len(numbers) <= 5 and numbers == sorted(numbers)
    *picture, _, adviser = shown.out.splitlines()[-6:]
    for line, start in zip(picture, ("Ann", "", "Squire", ""), strict=True):
        chances = "by what they knew" if start else "with all cards open"
        assert re.fullmatch(rf"{start} +[▁▂▃▄▅▆▇█]+ +{chances} *", line)
    assert adviser == f"The adviser tried each candidate 100 times (Quintain {package.__version__})."


def test_an_analysis_is_written_as_one_file_for_a_browser(quintain: Run, warm_home: Path, tmp_path: Path):
    record, out = finished_record(tmp_path / "record.json"), tmp_path / "analysis.html"
    written = quintain("analyse", tmp_path / "record.json", "--tries", "20", "--html", out)
    assert written.status == 0 and f"The analysis is in {out}" in " ".join(written.out.split())
    page = out.read_text(encoding="utf-8")
    for part in ("Ann", "Luck and skill", "What gave most away", "with its 95 % interval", "<polyline", "--panel"):
        assert part in page
    assert not re.findall(r"(?:src|href)=.(?!#)", page), "it needs no other file"
    moves = [
        act["number"]
        for act in json.loads(quintain("analyse", tmp_path / "record.json", "--tries", "20", "--json").out)["steps"]
        if len(act["candidates"]) > 1
    ]
    assert [int(number) for number in re.findall(r'<details id="m(\d+)"', page)] == moves
    assert len(record["moves"]) >= len(moves) > 50


def test_bots_think_about_a_position_of_a_file_only_on_trust(quintain: Run, tmp_path: Path):
    dealt = Match.new("kings-court", names=["Ann", "Squire"], seed="5a" * 32, bots=[None, "squire"])
    match = Match.from_position("kings-court", dealt.position(), names=["Ann", "Squire"], bots=[None, "squire"])
    save = tmp_path / "save.json"
    save.write_text(json.dumps(match.save()), encoding="utf-8")
    refused = quintain("resume", save)
    assert refused.status == 2 and "began from a position" in refused.err and "add --trust" in refused.err
    assert "began from a position" not in quintain("resume", save, "--trust", typed="quit\n").err
    match.resign(0)
    record = tmp_path / "record.json"
    record.write_text(json.dumps(match.record()), encoding="utf-8")
    refused = quintain("analyse", record)
    assert refused.status == 2 and "began from a position" in refused.err
    assert quintain("analyse", record, "--tries", "20", "--trust").status == 0


def test_an_analysis_of_an_unfinished_game_is_refused(quintain: Run, warm_home: Path, tmp_path: Path):
    quintain(*PLAY, typed="1\nquit\n")
    refused = quintain("analyse", saves(warm_home)[0])
    assert refused.status == 2 and "holds a game that is not over yet" in refused.err
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "record.json").write_text(json.dumps({**record, "names": ["Ann", "Cy"]}))
    refused = quintain("analyse", tmp_path / "record.json")
    assert refused.status == 2 and refused.out == ""
    assert quintain("analyse", tmp_path / "record.json", "--tries", "0").status == 2


def test_a_ladder_is_a_markdown_table_of_all_pairings(quintain: Run, warm_home: Path):
    shown = quintain("ladder", "kings-court", "-n", "4", "--bots", "squire,page,random", "--seed", "3")
    lines = [line for line in shown.out.splitlines() if line.strip()]
    assert lines[0] == "King's Court, seed 3"
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
    assert table[0] == ["Level", "Against", "Games", "Won", "95 % interval"]
    assert all(set(cell) <= set("-:") for cell in table[1])
    assert [row[:3] for row in table[2:]] == [
        ["squire", "page", "4"],
        ["squire", "random", "4"],
        ["page", "random", "4"],
    ]
    assert all(re.fullmatch(r"\d+\.\d% to \d+\.\d%", row[4]) for row in table[2:])
    assert quintain("ladder", "kings-court", "-n", "4", "--bots", "squire,page,random", "--seed", "3") == shown


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (("-n", "3", "--bots", "page,random"), "an even number of games"),
        (("--bots", "random"), "at least two bots, each once"),
        (("--bots", "random,merlin"), "there is no bot 'merlin'"),
        (("--bots", "random,page", "--seats", "3"), "but with 2"),
    ],
)
def test_an_impossible_ladder_says_what_would_be_right(quintain: Run, arguments: tuple[str, ...], right: str):
    refused = quintain("ladder", "kings-court", *arguments)
    assert (refused.status, refused.out) == (2, "") and right in " ".join(refused.err.split())


def test_somebodys_own_bot_is_named_after_its_class(quintain: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "round_table_bots.py").write_text(
        "from quintain.bots.random import Random\nclass Sir_Kay(Random):\n    note = 'it is early in the morning'\n"
    )
    monkeypatch.chdir(tmp_path)
    shown = quintain("play", "kings-court", "--against", "round_table_bots:Sir_Kay", "--name", "Ann", typed="quit\n")
    assert shown.status == 0 and "SirKay: it is early in the morning." in shown.out
    refused = quintain("resume")
    assert refused.status == 2 and "if you trust it, add --trust" in " ".join(refused.err.split())
    assert shown.out.rstrip().endswith(".json --trust")
    resumed = quintain("resume", "--trust", typed="quit\n")
    assert resumed.status == 0 and "SirKay" in resumed.out


def test_a_bot_that_fails_is_named_and_the_game_is_saved(
    quintain: Run, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "torn_bots.py").write_text(
        "from quintain.bots.random import Random\n"
        "class Torn(Random):\n    def choose(self, *given):\n        raise ValueError('alas')\n"
    )
    monkeypatch.chdir(tmp_path)
    shown = quintain("play", "kings-court", "--against", "torn_bots:Torn", "--name", "Ann", typed=SIX_COUNTERS)
    assert shown.status == 2 and "the bot torn_bots:Torn failed: ValueError: alas" in " ".join(shown.err.split())
    assert "To go on with it later:" in shown.out
    (save,) = saves(home)
    assert len(moves_in(save)) >= 6
