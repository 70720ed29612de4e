"""`quintain verify`: what it proves, what it does not, and what it refuses."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.sitting import COMMITMENT, SEED, Run, finished_record, sealed
from quintain.engine.play.commitments import Reveal
from quintain.engine.play.match import Match
from quintain.engine.play.signatures import signed

OTHER = "0" * 64
GOLDEN = Path(__file__).parents[1] / "golden"


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
        assert "the match is the one fixed before the deal" in proved
        assert "that the seed was fixed before play" not in open_still
        assert "who played" in open_still and "that these moves were the ones played" in open_still


def test_another_commitment_is_refused_plainly(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    refused = quintain("verify", tmp_path / "record.json", "--commitment", OTHER)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"quintain: {tmp_path / 'record.json'}: it is not the match fixed before the deal")
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


KEY, OTHER_KEY = bytes(32), bytes([1]) * 32


def revealing() -> Match:
    """Return a finished match in which Ann has revealed her random number, and Bo has not."""
    number = bytes([7]) * 32
    ann = Reveal(0, hashlib.sha256(number).hexdigest(), number.hex())
    match = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED, reveals=[ann, Reveal(1, OTHER)])
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    return match


def written(path: Path, record: dict[str, Any]) -> Path:
    path.write_text(json.dumps(record))
    return path


def test_verify_says_who_revealed_a_random_number_and_who_did_not(quintain: Run, tmp_path: Path) -> None:
    shown = quintain("verify", written(tmp_path / "record.json", revealing().record()))
    proved, _, open_still = words(shown.out).partition("It does not prove")
    assert shown.status == 0
    assert f"Seat 0 {'07' * 32}" in proved and "Seat 1 not revealed" in proved
    assert "the cards follow from the seed and the random numbers of Ann," in proved
    assert "each random number fits the commitment of its seat: Ann revealed theirs" in proved
    assert "no card depends on a number of Bo: the record says that it was not revealed" in proved
    assert "could say of one that it was not revealed" in open_still and "drawn honestly" not in open_still


def test_a_forged_reveal_is_refused(quintain: Run, tmp_path: Path) -> None:
    record = revealing().record()
    record["reveals"][0]["revealed"] = "08" * 32
    (tmp_path / "forged.json").write_text(sealed(record))
    refused = quintain("verify", tmp_path / "forged.json")
    assert (refused.status, refused.out) == (2, "")
    assert "the reveal of seat 0 is forged: its SHA-256 is not the seat's commitment" in refused.err


def test_a_signed_record_without_the_key_to_compare_says_where_to_find_it(quintain: Run, tmp_path: Path) -> None:
    record = signed(revealing().record(), KEY, table="k7f3", ended=1_790_000_000)
    shown = quintain("verify", written(tmp_path / "record.json", record))
    proved, _, open_still = words(shown.out).partition("It does not prove:")
    assert shown.status == 0 and f"Signed by {record['signature']['key']}" in proved
    assert "whoever has this key says that this was played, at the table k7f3, and ended 2026-09-21 14:13 UTC" in proved
    assert "whose key that is" in open_still and "shows at /keys" in open_still and "--server" in open_still
    assert "who played" not in open_still


def test_a_record_that_the_server_signed_is_the_servers_word(quintain: Run, tmp_path: Path) -> None:
    record = signed(revealing().record(), KEY)
    key = record["signature"]["key"]
    for given in (key, key.upper(), f" {key}\n"):
        shown = quintain("verify", written(tmp_path / "record.json", record), "--server", given)
        proved, _, open_still = words(shown.out).partition("It does not prove:")
        assert shown.status == 0 and "your server says that this was played" in proved
        assert "that the server is honest" in open_still and "/keys" not in open_still


def test_what_the_server_has_not_signed_is_refused(quintain: Run, tmp_path: Path) -> None:
    mine = signed(revealing().record(), KEY)
    key = mine["signature"]["key"]
    for record, reason in (
        (revealing().record(), "no server has signed it"),
        (signed(revealing().record(), OTHER_KEY), "another key has signed it"),
        ({**mine, "names": ["Ann", "Eve"]}, "its signature is forged, or somebody changed the record"),
    ):
        (tmp_path / "forged.json").write_text(sealed(record))
        refused = quintain("verify", tmp_path / "forged.json", "--server", key)
        assert (refused.status, refused.out) == (2, "") and refused.err.count("\n") == 1
        assert refused.err.startswith(f"quintain: {tmp_path / 'forged.json'}: {reason}")


def test_a_forged_signature_is_refused_without_any_key(quintain: Run, tmp_path: Path) -> None:
    record = {**signed(revealing().record(), KEY), "bots": [None, "champion"]}
    (tmp_path / "forged.json").write_text(sealed(record))
    refused = quintain("verify", tmp_path / "forged.json")
    assert (refused.status, refused.out) == (2, "") and "its signature is forged" in refused.err


def test_an_invented_match_is_consistent_but_proves_nothing_about_who_played(quintain: Run, tmp_path: Path) -> None:
    invented = Match.new("kings-court", names=["Eve", "Bo"], seed="cd" * 32)
    invented.resign(1)
    path = written(tmp_path / "invented.json", invented.record())
    shown = quintain("verify", path)
    assert shown.status == 0 and "or invent a whole match with a seed of their own" in words(shown.out)
    refused = quintain("verify", path, "--commitment", COMMITMENT)
    assert refused.status == 2 and "it is not the match fixed before the deal" in refused.err
    refused = quintain("verify", path, "--server", signed(invented.record(), KEY)["signature"]["key"])
    assert refused.status == 2 and "no server has signed it" in refused.err


@pytest.mark.parametrize("given", ["", "12", "g" * 64, "0" * 63, "0" * 65, "0x" + "0" * 62])
def test_an_invalid_key_of_a_server_is_refused(quintain: Run, tmp_path: Path, given: str) -> None:
    finished_record(tmp_path / "record.json")
    refused = quintain("verify", tmp_path / "record.json", "--server", given)
    assert (refused.status, refused.out) == (2, "")
    assert "cannot be the key of a server: that has 64 hex digits (32 bytes)" in refused.err


def test_a_record_of_an_older_version_says_that_its_commitment_covers_the_seed_alone(quintain: Run) -> None:
    older = "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793"
    shown = quintain("verify", GOLDEN / "kings-court-bots.json", "--commitment", older)
    assert shown.status == 0 and words(shown.out).count("the seed alone, as older versions of Quintain made it") == 2


def test_the_commitment_of_an_older_version_is_accepted_for_what_it_covers(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    seed_alone = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
    shown = quintain("verify", tmp_path / "record.json", "--commitment", seed_alone)
    said = words(shown.out)
    assert shown.status == 0 and "and the commitment covers the seed, the game, version 1" in said
    assert "if you saw that commitment then: it covers the seed alone" in said


def test_a_signature_cannot_send_the_terminal_a_command(quintain: Run, tmp_path: Path) -> None:
    record = signed(revealing().record(), KEY, table="\x1b[2J")
    shown = quintain("verify", written(tmp_path / "record.json", record))
    assert shown.status == 0 and "\x1b" not in shown.out


def test_verify_and_replay_say_that_a_game_began_from_a_position(quintain: Run, tmp_path: Path) -> None:
    dealt = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    while not any(move.text.startswith("play ") for move in dealt.moves(min(dealt.to_act))):
        seat = min(dealt.to_act)
        dealt.play(seat, dealt.moves(seat)[0].action)
    match = Match.from_position("kings-court", dealt.position(), names=["Ann", "Bo"], seed=SEED)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    record = tmp_path / "record.json"
    record.write_text(json.dumps(match.record()), encoding="utf-8")
    proved, _, unproved = words(quintain("verify", record).out).partition("It does not prove")
    assert f"Commitment {COMMITMENT}" in proved
    assert "the game began from a position, and all chance from there on follows from the seed" in proved
    assert "the position from which the game began: it was not dealt, the commitment does not cover it" in unproved
    assert json.loads(quintain("verify", record, "--json").out)["from_position"] is True
    replayed = quintain("replay", record)
    assert replayed.status == 0
    assert "The position from which the game began" in replayed.out and "The deal" not in replayed.out
    record.write_text(sealed({**match.record(), "position": "turn = 9"}), encoding="utf-8")
    refused = quintain("verify", record)
    assert refused.status == 2 and "line 1 of the position is not valid: State.turn must be" in words(refused.err)
