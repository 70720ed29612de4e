"""`quintain check`: what it prints and with which status it ends, for a game that passes and for one that does not."""

from pathlib import Path

import pytest

from cli.sitting import Run
from conformance.cases import KUHN


def test_check_prints_each_demand_and_why_some_are_skipped(quintain: Run, kept_home: None) -> None:
    checked = quintain("check", KUHN)
    assert checked.status == 0
    assert checked.out.startswith("Kuhn poker: 2 seats\n")
    lines = checked.out.splitlines()
    assert any(line.startswith("ok      Interpreted and compiled games have the same states") for line in lines)
    assert "undo_restores_every_byte: in 6 random games no move could be taken back" in checked.out
    assert lines[-1].endswith("20 skipped") and "failed" not in lines[-1]


def test_check_says_what_fails_and_ends_with_status_1(quintain: Run, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.py"
    path.write_text(KUHN.read_text(encoding="utf-8").replace("    return 2\n", "    return 1\n"))
    checked = quintain("check", path, "--only", "masks")
    assert checked.status == 1
    assert "FAILED" in checked.out and "masks_are_right: legal returns 1 for seat 0" in " ".join(checked.out.split())
    assert checked.out.splitlines()[-1] == "1 check: 1 failed"


def test_check_gives_a_reason_once(quintain: Run, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.py"
    old = "    s.card[0] = rng"
    path.write_text(KUHN.read_text(encoding="utf-8").replace(old, f"    s.card[2] = 0\n{old}"))
    checked = quintain("check", path, "--only", "states")
    assert checked.status == 1 and "in deal: IndexError" in " ".join(checked.out.split())
    more = " ".join(quintain("check", path, "--only", "the").out.split())
    assert more.count("IndexError") == 1 and "for the same reason as values_keep_to_their_declarations, above" in more


def test_check_takes_an_id_seats_and_options(quintain: Run) -> None:
    checked = quintain("check", "heirless", "--seats", 3, "--option", "bandits=off", "--only", "states_can")
    assert checked.status == 0
    assert checked.out.startswith("Heirless battles: 3 seats with bandits=off\n")
    every = quintain("check", "heirless", "--only", "states_can").out
    assert "2 seats, 3 seats" in every and "with bandits=False" in every


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing",), "there is no game 'nothing'"),
        (("missing.py",), "there is no file missing.py"),
        ((KUHN, "--only", "dragon"), "no check has 'dragon' in its name; the checks are masks_are_right"),
        ((KUHN, "--seats", "5"), "Kuhn poker is not played with 5 seats, but with 2"),
        ((KUHN, "--option", "x=1"), "Kuhn poker has no option x: it has no options"),
    ],
)
def test_check_refuses_what_it_cannot_try(quintain: Run, arguments: tuple[object, ...], words: str) -> None:
    refused = quintain("check", *arguments)
    assert refused.status == 2 and words in refused.err
