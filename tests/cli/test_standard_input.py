"""Every command that reads a file reads the standard input for `-`."""

import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from cli.sitting import PLAY, Run, finished_record, moves_in, plain, saves
from quintain.games.round_table.decks import ready_made

PROGRAM = Path(sys.executable).with_name("quintain")
HERMIT = '[[knight]]\nname = "The Hermit"\nrp = 2\ninfluence = 0\nresistance = 4\ntypes = ["generic"]\n'


@pytest.mark.long_for("analyse --tries 1")  # the others read by the same function
@pytest.mark.parametrize("command", [("verify",), ("replay",), ("analyse", "--tries", "1")], ids=" ".join)
def test_records_come_from_the_standard_input(quintain: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    finished_record(tmp_path / "record.json")
    given = quintain(*command, "-", typed=(tmp_path / "record.json").read_text())
    assert (given.status, given.out) == (0, quintain(*command, tmp_path / "record.json").out)


@pytest.mark.parametrize(
    ("arguments", "typed", "told"),
    [
        (("cards", "round-table", "-"), HERMIT, "The Hermit"),
        (("cards", "round-table", "-", "--check"), HERMIT, "the standard input is a valid set: "),
        (("deck", "round-table", "hedge-host", "--cards", "-"), HERMIT, "Knight Errant"),
        (("deck", "round-table", "-", "--check"), ready_made("hedge-host"), "the standard input is a valid deck: Main"),
        (("watch", "round-table", "--bots", "random", "--option", "decks=-"), ready_made("great-houses"), " wins: "),
        (
            ("simulate", "round-table", "-n", "1", "--bots", "quintain.bots.random:Random", "--option", "cards=-"),
            HERMIT,
            "Games",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_cards_and_decks_come_from_the_standard_input(
    quintain: Run, arguments: tuple[str, ...], typed: str, told: str
) -> None:
    ran = quintain(*arguments, typed=typed)
    assert ran.status == 0 and told in ran.out, ran.err


def test_a_set_to_compare_comes_from_the_standard_input(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "plain.toml").write_text("options = { garnets = [0, 0] }\n")
    sets = ("--set", tmp_path / "plain.toml", "--set", "-", "-n", "20", "--seed", "1")
    shown = quintain("compare", "kings-court", *sets, typed="options = { garnets = [3, 0] }\n").out
    assert shown.startswith("plain and the standard input compared: King's Court, 20 games with each")


def test_a_backup_comes_from_the_standard_input(home: Path, tmp_path: Path) -> None:
    def ran(*arguments: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run([PROGRAM, *arguments], cwd=tmp_path, input=given, capture_output=True, check=False)

    (home / "data").mkdir()
    assert ran("restore", "-", given=b"").stderr == b"quintain: the standard input cannot be read: it is empty\n"
    assert b"quintain: the standard input is no backup: " in ran("restore", "-", given=b"no backup").stderr


@pytest.mark.parametrize(
    ("arguments", "typed", "wrong"),
    [
        (("verify", "-"), "", "the standard input cannot be read: it is empty"),
        (("replay", "-"), " \n", "the standard input cannot be read: it is empty"),
        (("resume", "-"), "[1, 2", "the standard input: this is not JSON"),
        (("verify", "-"), "{}", "the standard input: this is neither a save nor a record"),
        (("cards", "robin", "-"), "levels = 3", "the standard input, "),
        (("deck", "round-table", "-"), "Main\n9 Nobody\n", "the standard input, line 2: there is no card"),
        (("compare", "kings-court", "--set", "-", "--set", "-"), "options = {}", "it is empty, or - is given twice"),
        (("compare", "kings-court", "--set", "-", "--set", "-"), "options = {", "the standard input is not TOML"),
        (("report", "kings-court", "--tournament", "-"), "no games", "holds no games of a tournament"),
        (("report", "kings-court", "--tournament", "-"), "", "the standard input cannot be read: it is empty"),
        (("check", "-"), "GAME = 1", "a game cannot come from the standard input"),
        (("games", "--game-file", "-"), "GAME = 1", "a game cannot come from the standard input"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_standard_input_that_is_not_what_is_needed_gives_one_message(
    quintain: Run, arguments: tuple[str, ...], typed: str, wrong: str
) -> None:
    refused = quintain(*arguments, typed=typed)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert refused.err.startswith("quintain: ") and wrong in refused.err


def test_bytes_that_are_no_text_give_one_message(home: Path) -> None:
    ran = subprocess.run([PROGRAM, "verify", "-"], input=b"\xff\xfe\x00", capture_output=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == b"quintain: the standard input cannot be read: it is not a text in UTF-8\n"


def at_terminal_from(file: Path, *arguments: str) -> "pexpect.spawn[str]":
    """Start a command at a terminal whose standard input comes from a file."""
    return pexpect.spawn(
        "/bin/sh",
        ["-c", f"cat {file} | {PROGRAM} {' '.join(arguments)}"],
        env={**os.environ, "TERM": "xterm"},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=20,
    )


def test_a_record_from_the_standard_input_is_stepped_through_at_the_terminal(tmp_path: Path) -> None:
    count = len(finished_record(tmp_path / "record.json")["moves"])
    child = at_terminal_from(tmp_path / "record.json", "replay", "-")
    child.expect("q: quit $")
    child.sendline("")
    child.expect(f"1 of {count} ")
    child.expect("q: quit $")
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0 and "2 of" not in child.before


def begun(quintain: Run, home: Path) -> Path:
    """Return the save of a game with one move."""
    quintain(*PLAY, typed="1\n")
    return saves(home)[0]


def test_a_save_from_the_standard_input_is_played_on_at_the_terminal(quintain: Run, home: Path, tmp_path: Path) -> None:
    kept = begun(quintain, home).rename(tmp_path / "kept.json")
    child = at_terminal_from(kept, "resume", "-")
    child.expect("> $")
    child.sendline("1")
    child.expect("> $")
    child.sendline("quit")
    child.expect("The game is saved")
    child.expect(pexpect.EOF)
    child.close()
    (save,) = saves(home)
    assert len(moves_in(save)) > len(moves_in(kept)) and "Traceback" not in plain(child.before)


def test_without_a_terminal_a_save_from_the_standard_input_is_refused(quintain: Run, home: Path) -> None:
    text = begun(quintain, home).read_text()
    ran = subprocess.run(
        [PROGRAM, "resume", "-"], input=text, capture_output=True, text=True, check=False, start_new_session=True
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("quintain: the standard input was the file, and there is no terminal ")
    assert "`quintain resume FILE` leaves the standard input to you" in ran.stderr
    assert len(saves(home)) == 1
