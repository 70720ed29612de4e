"""The command line: whole games at the prompt, every command, and what it says to bad input."""

import hashlib
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pexpect
import pytest
from rich.console import Console

from quintain.cli import files, main
from quintain.cli.table import Tabletop, menu
from quintain.engine import game as registry
from quintain.engine.game import Choice, Piece, View, Zone
from quintain.engine.match import Match
from quintain.lab import playouts
from tutorial import write_goofspiel

SEED = "ab" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
PLAY = ("play", "kings-court", "--against", "random", "--name", "Ann", "--seed", SEED)
WIDE = "400"
"""Columns in which no message with a path in it is broken."""
SIX_COUNTERS = "1\n" * 6


@dataclass
class Result:
    status: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(registry, "_games", {})
    return tmp_path / "home"


@pytest.fixture
def quintain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process, with lines to type."""

    def run(*arguments: str | Path, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["quintain", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", StringIO(typed))
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Result(status, out, err)

    return run


@pytest.fixture
def at_terminal(home: Path) -> Iterator[Callable[..., "pexpect.spawn[str]"]]:
    """Start a command line at a terminal of 80 by 24."""
    started = []

    def start(*arguments: str | Path) -> "pexpect.spawn[str]":
        child = pexpect.spawn(
            str(Path(sys.executable).with_name("quintain")),
            [*map(str, arguments)],
            env={**os.environ, "TERM": "xterm", "PAGER": "cat"},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=20,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def saves(home: Path) -> list[Path]:
    return sorted((home / "data" / "saves").glob("*"))


def records(home: Path) -> list[Path]:
    return sorted((home / "data" / "records").glob("*"))


def moves_in(save: Path) -> list[str]:
    return [entry.get("text", entry["kind"]) for entry in json.loads(save.read_text())["moves"]]


def plain(screen: str) -> str:
    """Return what a terminal was sent, without colours and the like."""
    return re.sub(r"\x1b\[[\d;]*m", "", screen)


def sealed(document: dict[str, Any]) -> str:
    """Return a document with the checksum that fits it."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps({**rest, "sha256": hashlib.sha256(text.encode()).hexdigest()})


def finished_record(path: Path) -> dict[str, Any]:
    """Write the record of a game in which each always made the first move, with one undo."""
    match = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    match.play(0, match.moves(0)[0].action)
    match.undo(0)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    path.write_text(json.dumps(match.record()))
    return match.record()


def test_games_lists_ids_seats_and_what_each_option_takes(quintain: Run) -> None:
    shown = " ".join(quintain("games").out.split())
    assert "kings-court King's Court, for 2 players --option garnets=..." in shown
    assert "who has more chooses to go first or second; it takes 2 whole numbers" in shown


def test_rules_prints_the_rulebook_without_escape_codes_when_piped(quintain: Run) -> None:
    shown = quintain("rules", "kings-court").out
    assert "KC-1 There are 48 cards" in shown
    assert "\x1b" not in shown


def test_choosing_always_1_plays_a_game_to_its_end_and_keeps_its_record(quintain: Run, home: Path) -> None:
    shown = quintain(*PLAY, typed="1\n" * 150)
    assert shown.status == 0
    assert COMMITMENT in shown.out
    assert re.search(r"\n(Ann|Random) wins: (Ann|Random) \d+, (Ann|Random) \d+\.\n", shown.out)
    assert saves(home) == []
    (record,) = records(home)
    assert record.name == f"kings-court-{COMMITMENT[:8]}.json"
    assert f"quintain replay {record}" in shown.out
    assert f"quintain verify {record}" in shown.out
    assert Match.load(record.read_text()).names == ("Ann", "Random")


def test_numbers_at_random_play_a_game_to_its_end(quintain: Run, home: Path) -> None:
    numbers = random.Random(3)
    shown = quintain(*PLAY, typed="".join(f"{numbers.randint(0, 10)}\n" for _ in range(1500)))
    assert re.search(r"There is no (0|10|[5-9]) in the menu: it goes from 1 to \d", shown.out)
    assert len(records(home)) == 1


def test_a_game_is_played_to_its_end_at_a_terminal(at_terminal: Callable[..., Any], home: Path) -> None:
    child = at_terminal(*PLAY, "--pace", "0")
    while child.expect([r"> $", r"(Ann|Random) wins|A draw"]) == 0:
        child.sendline("1")
    child.expect("quintain verify")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(records(home)) == 1


def test_a_move_is_played_by_its_words_and_an_illegal_one_leaves_the_menu(quintain: Run, home: Path) -> None:
    shown = quintain(*PLAY, typed="put +5 on Artois\nput +5 on Bellerophon\nput +5 on the moon\n0\n6\n1\n")
    assert "counter +5 is on Artois already (KC-4)" in " ".join(shown.out.split())
    assert "No move of King's Court is written 'put +5 on the moon'" in shown.out
    for number in (0, 6):
        assert f"There is no {number} in the menu: it goes from 1 to 5" in shown.out
    assert moves_in(saves(home)[0]) == ["put +5 on Artois", "put -2 on Bellerophon"]


def test_undo_takes_the_last_move_back_and_says_when_it_cannot(quintain: Run, home: Path) -> None:
    shown = quintain(*PLAY, typed="1\nundo\nUNDO\n6\n")
    assert "You take the last move back." in shown.out
    assert "Ann cannot take a move back now" in shown.out
    assert shown.out.count("Which counter do you put on Artois?") == 2
    assert moves_in(saves(home)[0]) == ["put -2 on Artois", "undo", "put +5 on Artois"]


def test_why_gives_the_clause_of_an_illegal_move_and_says_what_is_allowed(quintain: Run) -> None:
    shown = quintain(*PLAY, typed="1\nwhy put 0 on Artois\nwhy put 0 on Bellerophon\nwhy 1\nwhy 9\nwhy\nwhy me\n").out
    assert "Bellerophon is next (KC-4)." in shown
    assert shown.count("That move is allowed.") == 2
    assert "There is no 9 in the menu" in shown
    assert "`why` takes a move, such as: why put 0 on Bellerophon" in shown
    assert "No move of King's Court is written 'me'" in shown


def test_rules_log_and_help_are_there_during_the_game(quintain: Run) -> None:
    shown = quintain(*PLAY, typed="1\nlog\nhelp\nrules\n").out
    log = shown.partition("> log\n")[2]
    assert log.startswith("The lot falls: you go first.\nYou put -2 on Artois.\n")
    assert "why MOVE         say why a move is not allowed now" in log
    assert COMMITMENT in log.partition("> help\n")[2]
    assert "KC-19" in shown


def test_each_line_of_the_log_is_told_once_when_piped(quintain: Run) -> None:
    assert quintain(*PLAY, typed="1\n1\n1\n").out.count("· The lot falls") == 1


def test_a_low_terminal_leaves_the_oldest_lines_out(at_terminal: Callable[..., Any]) -> None:
    child = at_terminal(*PLAY, "--pace", "0")
    for _ in range(6):
        child.expect(r"> $")
        child.sendline("1")
    child.expect("Which card do you play")
    child.expect(r"> $")
    child.sendline("")
    child.expect(r"> $")
    screen = plain(child.before).rpartition("\x1b[2J")[2]
    assert screen.count("\r\n") < 24
    assert "· You draw " in screen
    assert "You put +2 on Castellia" not in screen


def test_nothing_typed_shows_the_table_again(quintain: Run) -> None:
    assert quintain(*PLAY, typed="\n\n").out.count("Which counter do you put on Artois?") == 3


def test_save_writes_a_copy_but_over_no_file(
    quintain: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", WIDE)
    copy, other = tmp_path / "copy.json", tmp_path / "other"
    other.write_text("kept")
    shown = quintain(
        *PLAY, typed=f"2\nsave\nsave {copy}\nsave {other}\nsave {tmp_path}\nsave {other}/x\nsave {tmp_path}/new/x\n"
    ).out
    assert copy.read_text() == saves(home)[0].read_text()
    assert Match.load(copy.read_text()).log(0)[-1] == "You put 0 on Artois."
    assert other.read_text() == "kept"
    assert f"Saved in {saves(home)[0]}" in shown
    assert shown.count("is there already") == 2
    assert f"{other}/x cannot be written: Not a directory" in shown
    assert f"{tmp_path}/new/x cannot be written: No such file or directory" in shown
    assert not (tmp_path / "new").exists()


def test_a_full_disk_leaves_no_half_written_file(quintain: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert "No space left on device" in quintain(*PLAY, typed="1\n").out
    assert saves(home) == []


def test_resign_asks_first_and_ends_the_game(quintain: Run, home: Path) -> None:
    shown = quintain(*PLAY, typed="resign\nno\nresign\nyes\n").out
    assert shown.count("Do you give the game up?") == 2
    assert shown.count("Which counter do you put on Artois?") == 1
    assert "Random wins: Random is the last one left." in shown
    assert saves(home) == []
    assert len(records(home)) == 1


@pytest.mark.parametrize("typed", ["1\n3\nquit\n", "1\n3\n", "1\n3\nresign\n"])
def test_who_leaves_is_told_how_to_go_on_and_loses_nothing(quintain: Run, home: Path, typed: str) -> None:
    left = quintain(*PLAY, typed=typed)
    (save,) = saves(home)
    assert left.status == 0
    assert left.out.endswith(f"The game is kept. Go on with it:\nquintain resume {save}\n")
    resumed = quintain("resume", typed="2\n").out
    assert "Which counter do you put on Castellia?" in resumed
    assert moves_in(save) == ["put -2 on Artois", "put +2 on Bellerophon", "put +1 on Castellia"]


def test_resume_goes_on_with_the_newest_save_and_in_the_file_that_is_named(quintain: Run, home: Path) -> None:
    quintain("play", "kings-court", "--against", "random", "--name", "Early", "--seed", "cd" * 32)
    (early,) = saves(home)
    os.utime(early, (1, 1))
    quintain(*PLAY)
    assert "Ann, Random to act" in quintain("resume").out
    os.utime(saves(home)[0], (3, 3))
    os.utime(saves(home)[1], (2, 2))
    first, second = (json.loads(save.read_text())["names"][0] for save in saves(home))
    assert f"{first}, Random to act" in quintain("resume").out
    os.utime(saves(home)[1], (10**10, 10**10))
    assert f"{second}, Random to act" in quintain("resume").out
    copy = home / "copy.json"
    early.rename(copy)
    assert "Early, Random to act" in quintain("resume", copy, typed="1\n").out
    assert moves_in(copy) == ["put -2 on Artois"]
    assert len(saves(home)) == 1


def test_a_game_of_the_same_seed_takes_no_others_place(quintain: Run, home: Path) -> None:
    for _ in range(2):
        quintain(*PLAY, typed="1\n")
    assert [save.name for save in saves(home)] == [
        f"kings-court-{COMMITMENT[:8]}-2.json",
        f"kings-court-{COMMITMENT[:8]}.json",
    ]
    for _ in range(2):
        quintain(*PLAY, typed="resign\nyes\n")
    assert len(saves(home)) == 2
    assert len(records(home)) == 2


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_by_a_key_keeps_the_game(at_terminal: Callable[..., Any], home: Path, key: str) -> None:
    child = at_terminal(*PLAY)
    child.expect(r"> $")
    child.sendline("1")
    child.expect("put on Bellerophon")
    child.expect(r"> $")
    child.send(key)
    child.expect("The game is kept. Go on with it:\r\n[^ ]*quintain resume ")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert moves_in(saves(home)[0]) == ["put -2 on Artois"]


def test_ctrl_c_while_a_bot_takes_its_time_keeps_the_game(at_terminal: Callable[..., Any], home: Path) -> None:
    child = at_terminal(*PLAY, "--pace", "30")
    for _ in range(6):
        child.expect(r"> $")
        child.sendline("1")
    child.expect("on Febrois.\r\n")
    time.sleep(0.3)  # until the bot's time has begun
    child.sendintr()
    child.expect("The game is kept")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(moves_in(saves(home)[0])) == 6


def test_a_resumed_game_shows_its_last_lines_and_none_of_them_twice(
    at_terminal: Callable[..., Any], home: Path
) -> None:
    match = Match.new("kings-court", names=["Ann", "Random"], bots=[None, "random"], seed=SEED)
    for _ in range(5):
        match.play(0, match.moves(0)[0].action)
    (home / "data" / "saves").mkdir(parents=True)
    (home / "data" / "saves" / "game.json").write_text(json.dumps(match.save()))
    child = at_terminal("resume", "--pace", "30")
    child.expect(r"> $")
    assert plain(child.before).count("You put +3 on Ellicta.") == 1
    child.sendline("1")
    child.expect("on Febrois.\r\n")
    assert "You put +3 on Ellicta." not in plain(child.before)


def test_a_resumed_game_does_not_tell_all_that_happened_before(quintain: Run, tmp_path: Path) -> None:
    match = Match.new("kings-court", names=["Ann", "Random"], bots=[None, "random"], seed=SEED)
    for seat in (0, 1):
        for _ in range(6):
            match.play(seat, match.moves(seat)[0].action)
    (tmp_path / "game.json").write_text(json.dumps(match.save()))
    told = re.findall("^· (.*)$", quintain("resume", tmp_path / "game.json").out, re.MULTILINE)
    assert [words.rstrip() for words in told] == match.log(0)[-7:]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_killed_game_is_on_disk_to_its_last_move(
    at_terminal: Callable[..., Any], quintain: Run, home: Path, number: int
) -> None:
    child = at_terminal(*PLAY)
    child.expect(r"> $")
    child.sendline("4")
    child.expect("put on Bellerophon")
    child.kill(number)
    child.wait()
    assert len(saves(home)) == 1
    assert "You put +2 on Artois." in quintain("resume").out


def test_ctrl_c_in_the_middle_of_writing_still_writes_the_move(
    quintain: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files.write

    def interrupted(path: Path, document: dict[str, Any]) -> None:
        if document["moves"]:
            os.kill(os.getpid(), signal.SIGINT)
        write(path, document)

    monkeypatch.setattr(files, "write", interrupted)
    shown = quintain(*PLAY, typed="1\n1\n1\n")
    assert shown.status == 0
    assert "The game is kept" in shown.out
    assert moves_in(saves(home)[0]) == ["put -2 on Artois"]


def test_a_home_that_cannot_be_written_lets_play_go_on(
    quintain: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "file" / "below"))
    monkeypatch.setenv("COLUMNS", WIDE)
    elsewhere = tmp_path / "elsewhere.json"
    shown = quintain(*PLAY, typed=f"1\nsave\nsave {elsewhere}\n")
    assert shown.status == 0
    assert shown.out.count("This game is not kept: ") == 1
    assert shown.out.index("This game is not kept: ") < shown.out.index("Which counter do you put on Artois?")
    assert "cannot be written: Not a directory" in shown.out.partition("> save\n")[2]
    assert "The game is not kept: " in shown.out.partition(str(elsewhere))[2]
    assert "quintain resume" not in shown.out
    assert moves_in(elsewhere) == ["put -2 on Artois"]
    assert "Which counter do you put on Bellerophon?" in quintain("resume", elsewhere).out

    finished = quintain(*PLAY, typed="resign\nyes\n")
    assert finished.status == 0
    assert "The record of this game is not kept: " in finished.out


def test_bots_take_the_pace_for_each_move_and_no_time_when_piped(
    quintain: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    quintain(*PLAY, "--pace", "7", typed=SIX_COUNTERS)
    assert len(slept) == 6
    assert all(6 < seconds <= 7 for seconds in slept)
    slept.clear()
    quintain(*PLAY, typed=SIX_COUNTERS)
    assert slept == [0] * 6


def test_a_seat_with_one_legal_move_is_asked_only_if_it_could_undo(quintain: Run, tmp_path: Path) -> None:
    asked = quintain(*PLAY, typed=SIX_COUNTERS).out
    assert "Which counter do you put on Febrois?\n1 put +5 on Febrois" in asked

    game = tmp_path / "goofspiel.py"
    write_goofspiel(game)
    shown = quintain(
        "play", "goofspiel", "--game-file", game, "--against", "random", "--option", "cards=2", typed="1\n"
    )
    assert shown.out.count("\n> ") == 1
    (verify,) = (line.split(maxsplit=3)[3] for line in shown.out.splitlines() if line.startswith("Check its cards:"))
    program, *arguments = shlex.split(verify)
    assert program == "quintain" and quintain(*arguments).status == 0


def test_the_person_sits_where_asked_under_a_name_of_their_own(quintain: Run, home: Path) -> None:
    quintain("play", "kings-court", "--against", "random", "--seat", "1", "--name", "Random", typed="1\n")
    save = json.loads(saves(home)[0].read_text())
    assert (save["names"], save["bots"]) == (["Random 2", "Random"], ["random", None])


@pytest.mark.parametrize(
    ("login", "name"), [("ann", "Ann"), ("McAnn", "McAnn"), ("ann_b", "Player"), ("a" * 25, "Player")]
)
def test_the_login_name_serves_where_it_can(
    quintain: Run, home: Path, monkeypatch: pytest.MonkeyPatch, login: str, name: str
) -> None:
    monkeypatch.setenv("LOGNAME", login)
    quintain("play", "kings-court", "--against", "random")
    assert json.loads(saves(home)[0].read_text())["names"] == [name, "Random"]


def test_options_of_the_game_are_passed_on(quintain: Run) -> None:
    shown = quintain(*PLAY, "--option", "garnets=3,1", typed="go second\n").out
    assert "Do you go first or second?" in shown
    assert "You choose to go second." in shown


def test_a_game_file_adds_a_game_and_a_file_option_is_passed_as_its_text(
    quintain: Run, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "other_court.py").write_text(
        "import types\n"
        "from quintain.engine.game import Game, Option\n"
        "from quintain.games.kings_court import rules, text as court\n"
        "text = types.ModuleType('text')\n"
        "text.__dict__.update(vars(court))\n"
        "text.OPTIONS = (*court.OPTIONS, Option('gossip', 'file', '', 'what is said at court'))\n"
        "GAME = Game('other-court', 'Other Court', 1, (2, 2, 2), 19, rules, text)\n"
    )
    (tmp_path / "gossip.txt").write_text("Ä duchess")
    play = ("play", "other-court", "--game-file", tmp_path / "other_court.py", "--against", "random")
    assert "other-court  Other Court" in quintain("games", "--game-file", tmp_path / "other_court.py").out
    assert quintain(*play, "--option", f"gossip={tmp_path / 'gossip.txt'}").status == 0
    assert json.loads(saves(home)[0].read_text())["options"]["gossip"] == "Ä duchess"

    missing = quintain(*play, "--option", f"gossip={tmp_path / 'missing.txt'}")
    assert missing.status == 2
    assert missing.err == f"quintain: {tmp_path / 'missing.txt'} cannot be read: No such file or directory\n"


def test_an_interactive_game_against_random_imports_neither_numba_nor_numpy(home: Path) -> None:
    code = (
        "import sys\nfrom quintain.cli import main\n"
        "try:\n    main()\n"
        "finally:\n    print('loaded:', [name for name in ('numba', 'numpy') if name in sys.modules])\n"
    )
    played = subprocess.run(
        [sys.executable, "-c", code, *PLAY], input="1\n" * 150, capture_output=True, text=True, check=True, timeout=60
    )
    assert "Check its cards:" in played.stdout
    assert played.stdout.endswith("loaded: []\n")


def test_watch_tells_a_game_of_bots_as_an_onlooker_sees_it(quintain: Run) -> None:
    shown = quintain("watch", "kings-court", "--bots", "random", "--seed", SEED).out
    assert "Random 2 gives Random a card." in shown
    assert shown.count("The Royal Houses") >= 4
    assert "KC-19" in shown
    assert re.search(r"\n(Random|Random 2) wins: ", shown)


def test_simulate_sums_up_games_of_compiled_bots(quintain: Run) -> None:
    shown = quintain("simulate", "kings-court", "-n", "200", "--bots", "random", "--seed", "5").out
    assert re.search(r"Games +200 in [\d.]+ s, seed 5", shown)
    plies = re.search(r"Decisions in a game +(\d+)\.\d on average, (\d+) to (\d+)", shown)
    assert plies
    mean, shortest, longest = map(int, plies.groups())
    assert 70 <= shortest <= mean <= longest <= 150
    shares = [float(share) for share in re.findall(r"([\d.]+)%", shown)]
    assert len(shares) == 2
    assert sum(shares) == pytest.approx(100)


def test_simulate_passes_on_what_it_is_given(quintain: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def simulate(game: Any, n: int, bots: Any, options: Any, seed: int, progress: Any) -> playouts.Summary:
        given.append((game.id, n, bots, options))
        progress(n)
        return playouts.Summary(n, 0.5, 1000, (0.25, 0.75), (30.0, 40.0), 1, 90, 110)

    monkeypatch.setattr(playouts, "simulate", simulate)
    shown = quintain("simulate", "kings-court", "-n", "10", "--bots", "greedy,random", "--option", "garnets=1,0")
    assert given == [("kings-court", 10, ["greedy", "random"], {"garnets": "1,0"})]
    assert re.search(r"Games per second +20\b", shown.out)
    assert re.search(r"Decisions per second +2,000\b", shown.out)
    assert re.search(r"1 +random +75\.00% +40\.00", shown.out)
    assert shown.err == ""


def test_replay_prints_every_step_with_everything_open(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    shown = quintain("replay", tmp_path / "record.json")
    count = len(record["moves"])
    assert shown.status == 0
    assert re.findall(r"^(\d+) of", shown.out, re.MULTILINE) == [str(number) for number in range(1, count + 1)]
    assert f"2 of {count} · Ann takes the last move back" in shown.out
    flat, at = " ".join(shown.out.split()), 0
    for words in record["log"]:
        at = flat.index(f"· {words}", at) + 1
    assert flat.count(f"· {record['log'][0]}") == 1
    assert "▒▒" not in shown.out
    assert re.search(rf"wins: \w+ {max(record['result']['scores'])}, ", shown.out.splitlines()[-1])


def test_replay_shows_what_a_seat_saw(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    shown = quintain("replay", tmp_path / "record.json", "--seat", "1").out
    assert "Ann draws a card." in shown
    assert "You draw " in shown
    assert "▒▒" in shown


def test_replay_steps_by_enter_and_stops_at_q(at_terminal: Callable[..., Any], tmp_path: Path) -> None:
    count = len(finished_record(tmp_path / "record.json")["moves"])
    child = at_terminal("replay", tmp_path / "record.json")
    child.expect("The deal")
    child.expect("q: quit $")
    child.sendline("")
    child.expect(f"1 of {count} · Ann: put -2 on Artois")
    child.expect("q: quit $")
    child.sendline("q")
    child.expect(pexpect.EOF)
    assert "2 of" not in child.before
    child.close()
    assert child.exitstatus == 0


def test_verify_says_what_was_checked_and_what_that_does_not_prove(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    shown = quintain("verify", tmp_path / "record.json")
    words = " ".join(shown.out.split())
    assert shown.status == 0
    assert f"Commitment {COMMITMENT}" in words
    assert f"Seed {SEED}" in words
    assert "its cards are those that were fixed before play: nothing was changed later" in words
    assert "does not prove that the seed was drawn honestly" in words


def test_a_record_of_other_rules_tells_its_log_and_result_before_the_error(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "old.json").write_text(sealed({**record, "version": 0, "log": ["\x1b[2JAnn wakes.", *record["log"]]}))
    for command in ("replay", "verify"):
        shown = quintain(command, tmp_path / "old.json")
        assert shown.status == 2
        assert shown.out.startswith("[2JAnn wakes.\n")
        assert record["log"][-1] in shown.out
        assert shown.out.splitlines()[-1].split()[1] == "wins:"
        assert "version 0" in shown.err

    for wrong in ({"ranks": []}, {"scores": [1], "ranks": [1], "reason": ""}):
        (tmp_path / "old.json").write_text(sealed({**record, "version": 0, "result": wrong}))
        unreadable = quintain("replay", tmp_path / "old.json")
        assert (unreadable.status, unreadable.out) == (2, "")


def test_saves_and_records_are_told_apart(quintain: Run, tmp_path: Path, home: Path) -> None:
    finished_record(tmp_path / "record.json")
    quintain(*PLAY)
    for command in ("replay", "verify"):
        refused = quintain(command, saves(home)[0])
        assert (refused.status, refused.out) == (2, "")
        assert "not over yet: `quintain resume` goes on with it" in refused.err
    refused = quintain("resume", tmp_path / "record.json")
    assert refused.status == 2
    assert "is over: `quintain replay` steps through it" in refused.err


@pytest.mark.parametrize("command", ["replay", "verify", "resume"])
def test_endless_nesting_is_one_message(quintain: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "deep.json").write_text('{"format": "quintain-record", "zz": ' + "[" * 100_000 + "]" * 100_000 + "}")
    refused = quintain(command, tmp_path / "deep.json")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)


def test_nothing_of_a_changed_record_is_told(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "changed.json").write_text(json.dumps({**record, "version": 2, "log": ["Bo cheated."]}))
    refused = quintain("verify", tmp_path / "changed.json")
    assert (refused.status, refused.out) == (2, "")


def test_a_save_of_a_finished_game_is_no_record(quintain: Run, tmp_path: Path) -> None:
    record = Match.load(finished_record(tmp_path / "record.json"))
    (tmp_path / "save.json").write_text(json.dumps(record.save()))
    refused = quintain("verify", tmp_path / "save.json")
    assert refused.status == 2 and "is a save" in refused.err


def test_resume_passes_over_what_cannot_be_gone_on_with_and_keeps_files_elsewhere(
    quintain: Run, tmp_path: Path, home: Path
) -> None:
    quintain(*PLAY, typed="1\n")
    kept = saves(home)[0]
    (kept.parent / "garbage.json").write_text("garbage")
    (kept.parent / "folder.json").mkdir()
    (kept.parent / "dangling.json").symlink_to(tmp_path / "nowhere")
    os.utime(kept, (1, 1))
    resumed = quintain("resume", typed="1\n")
    assert resumed.status == 0 and "garbage.json" in resumed.err
    assert len(moves_in(kept)) == 2
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_bytes(kept.read_bytes())
    assert "Check its cards:" in quintain("resume", elsewhere, typed="resign\nyes\n").out
    assert elsewhere.exists()


def test_a_save_of_several_people_is_not_resumed(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "two.json").write_text(json.dumps(Match.new("kings-court").save()))
    refused = quintain("resume", tmp_path / "two.json")
    assert refused.status == 2
    assert "2 people play in it" in refused.err


@pytest.mark.parametrize("command", ["resume", "replay", "verify"])
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "this is not JSON"),
        (b"[1, 2", "this is not JSON"),
        (b"[" * 100_000, "this is not JSON"),
        (b"\xff\xfe\x00", "it is not a text in UTF-8"),
        (b"{}", "neither a save nor a record"),
        (b'"text"', "neither a save nor a record"),
        (b'{"format": "quintain-record", "sha256": 0}', "its checksum does not hold"),
        (None, "No such file or directory"),
    ],
)
def test_a_damaged_file_gives_one_message(
    quintain: Run, tmp_path: Path, command: str, content: bytes | None, wrong: str
) -> None:
    path = tmp_path / "damaged.json"
    if content is not None:
        path.write_bytes(content)
    refused = quintain(command, path)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"quintain: {path}")
    assert wrong in refused.err
    assert refused.err.count("\n") == 1


def test_a_folder_and_a_changed_record_are_refused(quintain: Run, tmp_path: Path) -> None:
    assert quintain("verify", tmp_path).err == f"quintain: {tmp_path} cannot be read: Is a directory\n"
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "changed.json").write_text(sealed({**record, "seed": "cd" * 32}))
    changed = quintain("verify", tmp_path / "changed.json")
    assert (changed.status, changed.out) == (2, "")
    assert "does not hold" in changed.err


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (("play", "chess"), "there are kings-court"),
        (("rules", "chess"), "there are kings-court"),
        (("play", "kings-court", "--seats", "3"), "but with 2"),
        (("play", "kings-court", "--seat", "2"), "the seats are 0 to 1"),
        (("play", "kings-court", "--seat", "-1"), "the seats are 0 to 1"),
        (("play", "kings-court", "--option", "garnets=-1,0"), "it takes 2 whole numbers"),
        (("play", "kings-court", "--option", "garnets=1"), "it takes 2 whole numbers"),
        (("play", "kings-court", "--option", "garnets"), "write name=value; King's Court has the options garnets"),
        (("play", "kings-court", "--option", "rubies=1"), "its options are garnets"),
        (("play", "kings-court", "--seed", "12"), "it takes 64 hex digits"),
        (("play", "kings-court", "--name", "A_b"), "it takes 1 to 24 letters"),
        (("play", "kings-court", "--name", ""), "it takes 1 to 24 letters"),
        (("play", "kings-court", "--against", "merlin"), "there are random, greedy"),
        (("play", "kings-court", "--against", "random,random"), "bots can play 1 of the seats"),
        (("play", "kings-court", "--game-file", "missing.py"), "missing.py is not a Python file"),
        (("watch", "kings-court", "--bots", "merlin"), "there are random, greedy"),
        (("simulate", "kings-court", "-n", "1", "--bots", "merlin"), "there are random, greedy"),
        (("resume",), "`quintain play GAME` begins one"),
        (("replay", "missing.json"), "missing.json cannot be read: No such file or directory"),
    ],
)
def test_bad_input_gives_status_2_and_says_what_is_right(
    quintain: Run, home: Path, arguments: tuple[str, ...], right: str
) -> None:
    refused = quintain(*arguments)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith("quintain: ")
    assert right in refused.err
    assert not home.exists()


def test_replay_refuses_a_seat_that_is_not_there(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    refused = quintain("replay", tmp_path / "record.json", "--seat", "2")
    assert refused.status == 2
    assert "the seats are 0 to 1" in refused.err


@pytest.mark.parametrize(
    "arguments", [("simulate", "kings-court", "-n", "0"), ("simulate", "kings-court"), ("joust",), ("play",)]
)
def test_usage_errors_give_status_2(quintain: Run, arguments: tuple[str, ...]) -> None:
    refused = quintain(*arguments)
    assert refused.status == 2
    assert "Usage: quintain" in refused.err


def test_bytes_that_are_no_text_and_a_terminal_without_signs_do_no_harm(home: Path) -> None:
    played = subprocess.run(
        [Path(sys.executable).with_name("quintain"), *PLAY],
        input=b"\xff\xfe\n1\n",
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
    )
    assert b"No move of King's Court is written" in played.stdout
    assert b"?? x 7" in played.stdout
    assert moves_in(saves(home)[0]) == ["put -2 on Artois"]


def shown(*things: Any, width: int = 80, height: int = 50, terminal: bool = False) -> str:
    console = Console(
        width=width,
        height=height,
        file=StringIO(),
        force_terminal=terminal,
        color_system="standard" if terminal else None,
        highlight=False,
        markup=False,
    )
    console.print(*things, sep="\n")
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def table_of(*zones: Zone, counts: dict[str, int] | None = None, menu: tuple[Choice, ...] = ()) -> View:
    return View(zones, menu, "What now?", "battle", (1,), counts or {})


def cards(place: str, *faces: str, seat: int | None = None) -> tuple[Piece, ...]:
    return tuple(Piece(f"{place}.{i}", face, f"{face.replace('-', ' ')}, a card", seat) for i, face in enumerate(faces))


def backs(place: str, count: int) -> tuple[Piece, ...]:
    return tuple(Piece(f"{place}.{i}", None, "a card face down") for i in range(count))


def test_the_head_names_the_phase_who_is_to_act_and_the_counts() -> None:
    head = shown(Tabletop(table_of(counts={"deck": 12, "rounds": 3}), ["Ann", "Bo"])).splitlines()[0]
    assert re.fullmatch(r"Battle · Bo to act +deck 12 · rounds 3 *", head)


def test_backs_are_shown_and_collapsed_to_a_count_when_many() -> None:
    few = Zone("hand.1", "Hand of Bo", 1, "fan", (*cards("hand.1", "rose-1"), *backs("hand.1", 3)), 4)
    many = Zone("deck", "Deck", None, "stack", backs("deck", 1), 20)
    empty = Zone("pile", "Pile", None, "stack", (), 0)
    table = shown(Tabletop(table_of(few, many, empty, counts={"rounds": 20}), ["Ann", "Bo"]))
    assert re.search(r"Hand of Bo +\[rose 1\] ▒▒ ▒▒ ▒▒\s", table)
    assert re.search(r"Deck +▒▒ x 20\s", table)
    assert re.search(r"Pile +none\s", table)
    assert "▒▒ x 20" not in shown(Tabletop(table_of(few, many, empty, counts={"cards in the deck": 20}), ["Ann", "Bo"]))


def test_pieces_of_several_owners_in_one_row_stand_by_owner() -> None:
    played = (*cards("p", "rose-1", seat=0), *cards("q", "lily-2", seat=1), *cards("r", "lily-3", seat=0))
    table = shown(Tabletop(table_of(Zone("played", "Played", None, "row", played, 3)), ["Ann", "Bo"]))
    assert re.search(r"Played: Ann +\[rose 1\] \[lily 3\]", table)
    assert re.search(r"Played: Bo +\[lily 2\]", table)


def test_attached_pieces_make_a_table_with_marks_explained_below() -> None:
    def house(row: int, name: str, counter: Piece, marks: tuple[str, ...] = ()) -> Piece:
        influence = Piece(f"influence.0.{row}", "influence", "3 Influence of Ann", 0, value=3)
        return Piece(f"house.{row}", name.lower(), f"{name}: Ann leads", marks=marks, attached=(influence, counter))

    houses = (
        house(0, "Artois", Piece("counter.1.0", None, "Bo's counter", 1)),
        house(1, "Berry", Piece("counter.1.1", None, "Bo's counter: +2", 1, value=2, marks=("stale",)), ("bound",)),
        house(2, "Clermont", Piece("counter.1.2", None, "no counter", 1, marks=("not put",))),
    )
    table = shown(Tabletop(table_of(Zone("houses", "Houses", None, "row", houses, 3)), ["Ann", "Bo"])).splitlines()
    rows = [line.split() for line in table if line.strip()]
    assert rows[1:7] == [
        ["Influence", "Counter"],
        ["Houses", "Ann", "Bo"],
        ["Artois", "3", "?"],
        ["Berry*", "3", "+2†"],
        ["Clermont", "3", "not", "put"],
        ["*", "bound", "†", "stale"],
    ]


def test_a_pyramid_is_centred_a_track_shows_free_places_and_a_grid_keeps_columns() -> None:
    def at(place: str, *where: tuple[int, int]) -> tuple[Piece, ...]:
        return tuple(Piece(f"{place}.{r}.{i}", "rune-1", "sun", None, (r, i)) for r, i in where)

    def lines(layout: str, pieces: tuple[Piece, ...]) -> list[str]:
        table = shown(Tabletop(table_of(Zone("z", "Zone", None, layout, pieces, len(pieces))), ["Ann", "Bo"]))
        return [line.rstrip() for line in table.splitlines()[3:] if line.strip()]

    pyramid = (*at("p", (0, 0), (1, 0)), Piece("p.1.1", None, "a rune face down", None, (1, 1)))
    assert lines("pyramid", pyramid) == ["   [sun]", "[sun]  ▒▒"]
    assert lines("track", at("t", (0, 2), (1, 0))) == ["  ·     ·   [sun]", "[sun]   ·     ·"]
    assert lines("grid", at("g", (0, 0), (0, 2), (1, 1))) == ["[sun]       [sun]", "      [sun]"]


def test_the_own_hand_comes_last_and_its_menu_is_numbered() -> None:
    hand = Zone("hand.0", "Your hand", 0, "fan", cards("hand.0", "rose-1", "lily-2"), 2)
    pile = Zone("pile", "Pile", None, "stack", cards("pile", "lily-3"), 1)
    view = table_of(hand, pile, menu=(Choice(7, "play rose 1", "hand.0.0"), Choice(9, "play lily 2", "hand.0.1")))
    table = shown(Tabletop(view, ["Ann", "Bo"], seat=0, news=["Bo plays lily 3."]), menu(view, short=False))
    assert table.index("Pile") < table.index("─ Your hand ─") < table.index("· Bo plays lily 3.")
    assert re.search(r"│ \[rose 1\] \[lily 2\] +│", table)
    assert re.search(r"1 play rose 1 +2 play lily 2", table)


def test_a_low_terminal_cuts_rows_but_no_hands() -> None:
    row = Zone("played", "Played", None, "row", cards("played", *(f"rose-{i}" for i in range(20))), 20)
    hand = Zone("hand.1", "Hand", 1, "fan", cards("hand.1", *(f"lily-{i}" for i in range(20))), 20)
    low = plain(shown(Tabletop(table_of(row, hand), ["Ann", "Bo"]), height=24, terminal=True))
    assert re.search(r"Played +15 before these … \[rose 15\].* \[rose 19\]", low)
    assert "[lily 0]" in low
    high = plain(shown(Tabletop(table_of(row, hand), ["Ann", "Bo"]), height=50, terminal=True))
    assert "[rose 0]" in high


def test_what_is_new_stands_beside_a_board_where_there_is_room() -> None:
    track = Zone("track", "Track", None, "track", cards("track", "rose-1"), 1)
    view = table_of(track)
    assert re.search(r"Track +· Ann waits", shown(Tabletop(view, ["Ann", "Bo"], news=["Ann waits."])))
    assert re.search(r"\n· Ann waits", shown(Tabletop(view, ["Ann", "Bo"], news=["Ann waits."]), width=50))


def test_pieces_of_a_kind_share_a_colour_and_no_color_takes_only_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    view = table_of(Zone("pile", "Pile", None, "row", cards("pile", "rose-1", "lily-2", "rose-3"), 3))
    coloured = shown(Tabletop(view, ["Ann", "Bo"], news=["Bo waits.", "Ann plays rose 1."], old=1), terminal=True)
    by_name = {name: colour for colour, name in re.findall(r"\x1b\[(\d+)m((?:rose|lily) \d)", coloured)}
    assert by_name["rose 1"] == by_name["rose 3"] != by_name["lily 2"]
    assert len(re.findall(rf"\x1b\[{by_name['rose 1']}mrose 1", coloured)) == 2
    assert "\x1b[2mBo waits." in coloured
    assert "\x1b[2mAnn plays" not in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = shown(Tabletop(view, ["Ann", "Bo"]), terminal=True)
    assert not re.search(r"\x1b\[3\dm", plain)
    assert "\x1b[" not in shown(Tabletop(view, ["Ann", "Bo"]))


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)])
def test_a_game_of_kings_court_fits_the_screen_all_the_way(width: int, height: int) -> None:
    match = Match.new("kings-court", names=["Ann", "Bartholomew"], seed=SEED)
    choose, tallest = random.Random(1), 0
    while match.outcome is None:
        view = match.view(0)
        screen = shown(
            Tabletop(view, match.names, 0), menu(view, short=height < 30), width=width, height=height, terminal=True
        )
        lines = plain(screen).splitlines()
        assert max(map(len, lines)) <= width
        tallest = max(tallest, len(lines))
        seat = min(match.to_act)
        match.play(seat, choose.choice(match.moves(seat)).action)
    assert tallest <= height
    assert tallest > height // 2
