"""`quintain verify`: what it proves, what it does not, and what it refuses."""

import json
import re
from pathlib import Path

import pytest

from cli.sitting import COMMITMENT, SEED, Run, finished_record, sealed
from quintain.engine.match import Match

OTHER = "0" * 64


def words(text: str) -> str:
    """Return a printed text in one line."""
    return " ".join(text.split())


def test_verify_says_what_a_record_proves_and_what_it_does_not(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    shown = quintain("verify", tmp_path / "record.json")
    said = words(shown.out)
    assert shown.status == 0
    assert f"Commitment {COMMITMENT}" in said and f"Seed {SEED}" in said
    proved, _, open_still = said.partition("It does not prove")
    assert "the moves follow the rules" in proved and "the cards follow from the seed" in proved
    assert "who played" in open_still and "when" in open_still and "carries no signature" in open_still
    assert "that the seed was fixed before play" in open_still and "--commitment" in open_still
    assert "nothing in the file was changed" not in said


def test_verify_compares_the_commitment_that_was_shown_before_the_deal(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    for given in (COMMITMENT, COMMITMENT.upper(), f" {COMMITMENT}\n"):
        shown = quintain("verify", tmp_path / "record.json", "--commitment", given)
        proved, _, open_still = words(shown.out).partition("It does not prove")
        assert shown.status == 0
        assert "the seed is the one fixed before the deal" in proved
        assert "that the seed was fixed before play" not in open_still
        assert "who played" in open_still and "that these moves were the ones played" in open_still


def test_another_commitment_is_refused_plainly(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    refused = quintain("verify", tmp_path / "record.json", "--commitment", OTHER)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(
        f"quintain: {tmp_path / 'record.json'}: its seed is not the one fixed before the deal"
    )
    assert COMMITMENT in refused.err and OTHER in refused.err and refused.err.count("\n") == 1


@pytest.mark.parametrize(
    "given", ["", "12", "g" * 64, COMMITMENT[:-1], COMMITMENT + "0", "0x" + COMMITMENT[2:], "٣" * 64]
)
def test_an_invalid_commitment_is_refused(quintain: Run, tmp_path: Path, given: str) -> None:
    finished_record(tmp_path / "record.json")
    refused = quintain("verify", tmp_path / "record.json", "--commitment", given)
    assert (refused.status, refused.out) == (2, "")
    assert "give the 64 hex digits that you saw before the deal" in refused.err and refused.err.count("\n") == 1


def test_help_explains_the_commitment(quintain: Run) -> None:
    shown = quintain("verify", "--help")
    assert shown.status == 0 and re.search(r"--commitment\s+HEX", shown.out)


def test_a_false_result_before_the_true_one_is_refused(quintain: Run, tmp_path: Path) -> None:
    text = json.dumps(finished_record(tmp_path / "record.json"))
    false = '"result": {"scores": [0, 99], "ranks": [2, 1], "reason": "played to the end"}, '
    (tmp_path / "forged.json").write_text(text.replace('"result": ', false + '"result": '))
    for command in ("verify", "replay", "analyse"):
        refused = quintain(command, tmp_path / "forged.json")
        assert (refused.status, refused.out) == (2, "")
        assert "the key 'result' appears twice in one object" in refused.err and refused.err.count("\n") == 1


def test_a_save_with_a_key_twice_is_not_resumed(quintain: Run, tmp_path: Path) -> None:
    text = json.dumps(Match.new("kings-court", bots=[None, "random"], seed=SEED).save())
    (tmp_path / "forged.json").write_text(text.replace('"names": ', '"names": ["Eve", "Bo"], "names": '))
    refused = quintain("resume", tmp_path / "forged.json")
    assert (refused.status, refused.out) == (2, "")
    assert "the key 'names' appears twice" in refused.err


def test_an_unknown_key_is_refused(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "forged.json").write_text(sealed({**record, "signature": "by a good house"}))
    refused = quintain("verify", tmp_path / "forged.json")
    assert (refused.status, refused.out) == (2, "") and "signature" in refused.err


@pytest.mark.parametrize("command", ["verify", "replay", "resume"])
def test_nothing_in_a_file_can_send_the_terminal_a_command(quintain: Run, tmp_path: Path, command: str) -> None:
    record, clear = finished_record(tmp_path / "record.json"), "\x1b[2J"
    save = Match.new("kings-court", bots=[None, f"{clear}:Bot"], seed=SEED).save()
    keys = {**record, "options": {**record["options"], f"rubies{clear}": 3}}
    for number, forged in enumerate((sealed({**record, f"by{clear}": 1}), sealed(keys), json.dumps(save))):
        (tmp_path / f"{number}.json").write_text(forged)
        refused = quintain(command, tmp_path / f"{number}.json")
        assert refused.status == 2 and "\x1b" not in refused.out + refused.err and refused.err.count("\n") == 1


def test_the_words_of_a_record_of_other_rules_are_marked_as_unchecked(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "old.json").write_text(sealed({**record, "version": 0, "log": ["Bo cheated."]}))
    for command in ("verify", "replay"):
        shown = quintain(command, tmp_path / "old.json")
        first, second = shown.out.splitlines()[:2]
        assert shown.status == 2
        assert first == "The file says the following, and none of it could be checked:" and second == "Bo cheated."


def test_a_record_of_other_rules_names_every_player(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "old.json").write_text(sealed({**record, "version": 0, "names": ["Ann"]}))
    refused = quintain("verify", tmp_path / "old.json")
    assert (refused.status, refused.out) == (2, "")
    assert "it must name a player for every seat" in refused.err
