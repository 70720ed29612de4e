"""`quintain report` prints its tables for any game."""

import re

import pytest

from cli.sitting import Run

pytestmark = pytest.mark.usefixtures("kept_home")


def test_the_command_prints_a_report_of_any_game(quintain: Run) -> None:
    shown = quintain("report", "robin", "-n", "60", "--seed", "1", "--actions", "3", "--option", "dealt=on").out
    assert re.search(r"^60 games by the playout policy, seed 1$", shown, re.MULTILINE)
    assert len(re.findall(r"^\| +[01] \| +[\d.]+% \| [\d.]+% to [\d.]+% +\|", shown, re.MULTILINE)) == 2
    assert len(re.findall(r"^\| play ", shown, re.MULTILINE)) == 3
    shares = [float(share) for share in re.findall(r"\| +\d+ \| +\d+ \| +([\d.]+)% \|", shown.partition("rounds")[0])]
    assert len(shares) > 50 and shares == sorted(shares, reverse=True)
    assert re.search(r"^\| rounds +\| +\d+ \| +\| [\d.]+ a game \|$", shown, re.MULTILINE)


def test_decks_that_are_ready_made_play_each_other(quintain: Run) -> None:
    shown = quintain("report", "round-table", "-n", "3", "--seed", "1", "--actions", "0").out
    assert len(re.findall(r"^\| [\w-]+ +\| [\w-]+ +\| +[\d.]+% \| [\d.]+% to ", shown, re.MULTILINE)) == 6
    assert shown.count("the field of 4") == 4
    named = quintain("report", "round-table", "-n", "2", "--actions", "0", "--option", "decks=hedge-host").out
    assert "the field" not in named and "| Action" not in named
