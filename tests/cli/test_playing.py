"""`quintain play` and `quintain resume`: whole games at the prompt."""

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from cli.sitting import COMMITMENT, PLAY, SEED, SIX_COUNTERS, WIDE, Run, moves_in, plain, records, saves
from conformance.cases import KUHN
from quintain.cli import files
from quintain.engine.play.match import Match
from quintain.engine.rules import registry
from quintain.engine.rules.registry import game
from tutorial import write_goofspiel

PLAY_BATTLES = ("play", "heirless", "--against", "random", "--seats", "2", "--name", "Ann", "--seed", SEED)


def test_games_lists_ids_seats_and_what_each_option_takes(quintain: Run) -> None:
    shown = " ".join(quintain("games").out.split())
    assert (
        "kings-court King's Court, for 2 players, 15 to 25 minutes, easy to learn Win the favour of six Royal Houses"
        in shown
    )
    assert "whoever has more chooses who goes first; it takes 2 whole numbers" in shown


def test_rules_prints_the_rulebook_without_escape_codes_when_piped(quintain: Run) -> None:
    shown = quintain("rules", "kings-court").out
    assert "KC-1 There are 48 cards" in shown
    assert "\x1b" not in shown


def test_rules_prints_a_contents_list_of_the_headings_before_the_first_of_them(quintain: Run) -> None:
    lines = [line.strip() for line in quintain("rules", "kings-court").out.splitlines()]
    rulebook = game("kings-court").text.rulebook()
    headings = re.findall(r"^## (.*)$", rulebook, re.MULTILINE)
    listed = [f"{number} {words}" for number, words in enumerate(headings, 1)]
    begin = lines.index(listed[0])
    assert lines[begin : begin + len(listed)] == listed
    assert lines.index("Contents") < begin < lines.index(headings[0])


def test_choosing_always_1_plays_a_game_to_its_end_and_keeps_its_record(quintain: Run, home: Path) -> None:
    shown = quintain(*PLAY, typed="1\n" * 150)
    assert shown.status == 0
    assert COMMITMENT in shown.out
    assert re.search(r"\n(Ann|Random) wins: (Ann|Random) \d+, (Ann|Random) \d+\.\n", shown.out)
    assert saves(home) == []
    (record,) = records(home)
    assert record.name == f"kings-court-{COMMITMENT[:8]}.json"
    assert f"quintain replay {record}" in shown.out
    assert f"quintain verify {record} --commitment {COMMITMENT}" in shown.out
    assert Match.load(record.read_text()).names == ("Ann", "Random")


@pytest.mark.long  # test_choosing_always_1_plays_a_game_to_its_end_and_keeps_its_record
def test_numbers_at_random_play_a_game_to_its_end(quintain: Run, home: Path) -> None:
    numbers = random.Random(3)
    shown = quintain(*PLAY, typed="".join(f"{numbers.randint(0, 10)}\n" for _ in range(1500)))
    assert re.search(r"There is no (0|10|[5-9]) in the menu: its numbers are 1 to \d", shown.out)
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
        assert f"There is no {number} in the menu: its numbers are 1 to 5" in shown.out
    assert moves_in(saves(home)[0]) == ["put +5 on Artois", "put -2 on Bellerophon"]


def test_undo_takes_the_last_move_back_and_says_when_it_cannot(quintain: Run, home: Path) -> None:
    shown = quintain(*PLAY, typed="1\nundo\nUNDO\n6\n")
    assert "You take the last move back." in shown.out
    assert "Ann cannot take a move back now" in shown.out
    assert shown.out.count("Which counter do you put on Artois?") == 2
    assert moves_in(saves(home)[0]) == ["put -2 on Artois", "undo", "put +5 on Artois"]


def test_the_menu_shows_what_each_move_would_do_and_what_says_it_in_full(quintain: Run) -> None:
    shown = quintain(*PLAY, typed=SIX_COUNTERS + "what 1\nwhat put 0 on Artois\nwhat\nwhat me\nquit\n").out
    menu, _, told = shown.partition("Which card do you play?")[2].partition("> ")
    even = re.findall(r"play [\w ]+? [2468]  \+\d+", menu)
    assert even, "an even rank leads a house in which nobody has Influence"
    assert re.search(r"in your hand \d+ \N{RIGHTWARDS ARROW} \d+", told)
    assert "Ann cannot put 0 on Artois now" in " ".join(told.split())
    assert "`what` takes a move, such as: what play" in told
    assert "No move of King's Court is written 'me'" in " ".join(told.split())


def test_why_gives_the_clause_of_an_illegal_move_and_says_what_is_allowed(quintain: Run) -> None:
    shown = quintain(*PLAY, typed="1\nwhy put 0 on Artois\nwhy put 0 on Bellerophon\nwhy 1\nwhy 9\nwhy\nwhy me\n").out
    assert "Bellerophon is next (KC-4)." in shown
    assert shown.count("You can make that move now.") == 2
    assert "There is no 9 in the menu" in shown
    assert "`why` takes a move, such as: why put 0 on Bellerophon" in shown
    assert "No move of King's Court is written 'me'" in shown


def test_rules_log_and_help_are_there_during_the_game(quintain: Run) -> None:
    shown = quintain(*PLAY, typed="1\nlog\nhelp\nrules\n").out
    log = shown.partition("> log\n")[2]
    assert log.startswith("The lot falls: you go first.\nYou put \N{MINUS SIGN}2 on Artois.\n")
    assert "why MOVE         say why you cannot make a move now" in log
    assert COMMITMENT in log.partition("> help\n")[2]
    assert "KC-19" in shown


def test_how_the_last_scoring_came_about_is_read_during_the_game(quintain: Run) -> None:
    shown = quintain(*PLAY_BATTLES, typed="account\n" + "1\n" * 8 + "account\n").out
    assert "No battle or scoring has happened yet" in shown
    account = shown.rpartition("> account\n")[2]
    assert "How it came about" in account and "The battle at the" in account and "HB-8" in account


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
    assert shown.count("exists already: give `save` a new name") == 2
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
    assert shown.count("Do you want to resign?") == 2
    assert shown.count("Which counter do you put on Artois?") == 1
    assert "Random wins: Random is the last one left." in shown
    assert saves(home) == []
    assert len(records(home)) == 1


@pytest.mark.parametrize("typed", ["1\n3\nquit\n", "1\n3\n", "1\n3\nresign\n"])
def test_leaving_says_how_to_go_on_and_loses_nothing(quintain: Run, home: Path, typed: str) -> None:
    left = quintain(*PLAY, typed=typed)
    (save,) = saves(home)
    assert left.status == 0
    assert left.out.endswith(f"The game is saved. To go on with it later:\nquintain resume {save}\n")
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


def test_a_game_with_the_same_seed_does_not_overwrite_another(quintain: Run, home: Path) -> None:
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
    child.expect("The game is saved. To go on with it later:\r\n[^ ]*quintain resume ")
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
    child.expect("The game is saved")
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
def test_a_killed_game_is_saved_to_its_last_move(
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
    assert "The game is saved" in shown.out
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
    assert shown.out.count("This game is not saved: ") == 1
    assert shown.out.index("This game is not saved: ") < shown.out.index("Which counter do you put on Artois?")
    assert "cannot be written: Not a directory" in shown.out.partition("> save\n")[2]
    assert "The game is not saved: " in shown.out.partition(str(elsewhere))[2]
    assert "quintain resume" not in shown.out
    assert moves_in(elsewhere) == ["put -2 on Artois"]
    assert "Which counter do you put on Bellerophon?" in quintain("resume", elsewhere).out

    finished = quintain(*PLAY, typed="resign\nyes\n")
    assert finished.status == 0
    assert "The record of this game is not saved: " in finished.out


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


def test_a_person_with_one_legal_move_is_asked_only_if_they_could_undo(quintain: Run, tmp_path: Path) -> None:
    asked = quintain(*PLAY, typed=SIX_COUNTERS).out
    menu, _, _ = asked.partition("Which counter do you put on Febrois?")[2].partition("\n>")
    assert menu.splitlines()[-1].startswith("1 put +5 on Febrois"), "the only move, after the help"

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
def test_the_login_name_is_used_if_it_is_valid(
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
        "from quintain.engine import Game, Option\n"
        "from quintain.games.kings_court import GAME as COURT\n"
        "text = types.ModuleType('text')\n"
        "text.__dict__.update(vars(COURT.text))\n"
        "text.OPTIONS = (*COURT.text.OPTIONS, Option('gossip', 'file', '', 'what is said at court'))\n"
        "GAME = Game('other-court', 'Other Court', seats=(2, 2, 2), pitch='Court.', minutes=(1, 2), weight=1, "
        "rules=COURT.module, text=text)\n"
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


def test_a_game_of_a_few_moves_in_a_file_is_played_to_the_end(quintain: Run) -> None:
    for answer, words in (("bet", "You bet a chip."), ("check", "You checked.")):
        played = quintain(
            "play", "kuhn", "--game-file", KUHN, "--against", "random", "--seed", SEED, typed=f"{answer}\n1\n"
        )
        assert played.status == 0 and words in played.out
        assert re.search(r"(wins|win): .*-?\d", played.out), played.out[-300:]


def test_resume_says_that_the_game_of_a_save_may_be_in_a_file(quintain: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    played = quintain("play", "kuhn", "--game-file", KUHN, "--against", "random", "--seat", "0", typed="log\nquit\n")
    assert "Nothing has happened yet" in played.out
    monkeypatch.setattr(registry, "_games", {})
    resumed = quintain("resume")
    assert resumed.status == 2 and "there is no game 'kuhn'" in resumed.err
    assert resumed.err.endswith("; if it is in a file, add --game-file FILE\n")
    assert "Do you check or bet?" in quintain("resume", "--game-file", KUHN).out
