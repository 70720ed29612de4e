"""Commitments and reveals: what a match's chance comes from, and which forgeries a record gives away."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quintain.engine.errors import BadOption, BadRecord
from quintain.engine.play.commitments import Reveal, commitment, mixed
from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game

SEED = bytes(range(32))
GOLDEN = Path(__file__).parents[1] / "golden"


def reveal(seat: int, number: int | None = None) -> Reveal:
    """Return the reveal of a seat that has committed to 32 times this number, by default that of the seat."""
    revealed = bytes([seat if number is None else number]) * 32
    return Reveal(seat, hashlib.sha256(revealed).hexdigest(), revealed.hex())


def withheld(seat: int) -> Reveal:
    return msgspec.structs.replace(reveal(seat), revealed="")


def court(*reveals: Reveal, seed: bytes = SEED) -> Match:
    return Match.new("kings-court", names=["Ann", "Bo"], seed=seed, reveals=reveals)


def finished(*reveals: Reveal) -> Match:
    match = court(*reveals)
    for _ in range(30):
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    match.resign(1)
    return match


def sealed(document: dict[str, Any]) -> str:
    return json.dumps({**document, "sha256": checksum(document)})


def test_the_commitment_is_the_sha256_of_the_seed_the_game_its_version_the_options_and_the_seats():
    match = Match.new("kings-court", options={"garnets": "3,1"}, seed=SEED)
    version, seed = game("kings-court").version, SEED.hex()
    options = '{"garnets":[3,1],"houses":6,"ranks":8}'
    text = f'{{"game":"kings-court","options":{options},"seats":2,"seed":"{seed}","version":{version}}}'
    assert match.commitment == hashlib.sha256(text.encode()).hexdigest() == match.seen(0).commitment
    assert match.save()["commitment"] == match.commitment
    match.resign(0)
    assert match.record()["commitment"] == match.commitment == Match.load(match.record()).commitment


def test_every_part_of_what_is_agreed_changes_the_commitment():
    made = [
        commitment(SEED, "kings-court", 1, {"garnets": [3, 1]}, 2),
        commitment(bytes(32), "kings-court", 1, {"garnets": [3, 1]}, 2),
        commitment(SEED, "rune-war", 1, {"garnets": [3, 1]}, 2),
        commitment(SEED, "kings-court", 2, {"garnets": [3, 1]}, 2),
        commitment(SEED, "kings-court", 1, {"garnets": [1, 3]}, 2),
        commitment(SEED, "kings-court", 1, {"garnets": [3, 1]}, 3),
    ]
    assert len(set(made)) == len(made)


def test_texts_of_strangers_are_committed_to_in_the_form_in_which_a_record_holds_them():
    decks = [(Path(game("round-table").folder) / "decks" / f"{name}.deck").read_text() for name in ("hedge-host",) * 2]
    match = Match.new("round-table", 2, options={"decks": [f"# mine\n{deck}" for deck in decks]}, seed=SEED)
    match.resign(0)
    again = Match.load(json.dumps(match.record()))
    assert Match.new("round-table", 2, options=again.options, seed=SEED).commitment == again.commitment


def test_golden_records_commit_to_the_seed_alone_and_still_load():
    record = json.loads((GOLDEN / "kings-court-bots.json").read_text())
    match = Match.load(record)
    assert match.commitment == hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() == record["commitment"]


def test_a_save_of_an_older_version_goes_on_with_the_commitment_that_the_player_saw():
    save = court().save()
    del save["commitment"]
    again = Match.load(sealed(save))
    assert again.commitment == hashlib.sha256(SEED).hexdigest()
    assert Match.load(again.save()).commitment == again.commitment


def test_without_revealed_bytes_all_chance_comes_from_the_seed():
    assert mixed(SEED, ()) == mixed(SEED, (withheld(0), withheld(1))) == SEED
    assert court().position() == court(withheld(0)).position()


def test_the_mixed_seed_is_the_hmac_over_all_that_was_revealed_with_the_numbers_of_the_seats():
    shares = (0).to_bytes(8, "big") + bytes(32) + (2).to_bytes(8, "big") + bytes([2]) * 32
    made = mixed(SEED, (reveal(0), withheld(1), reveal(2)))
    assert made == hmac.new(SEED, shares, hashlib.sha256).digest()


def test_the_deal_depends_on_the_seed_on_every_reveal_and_on_who_made_it():
    deals = [
        court(),
        court(reveal(0), reveal(1)),
        court(reveal(0), reveal(1), seed=bytes(32)),
        court(reveal(0), reveal(1, 7)),
        court(reveal(0, 7), reveal(1)),
        court(reveal(0)),
        court(reveal(1, 0)),
        court(reveal(0), withheld(1), seed=bytes([1]) * 32),
    ]
    assert len({deal.position() for deal in deals}) == len(deals)
    assert court(reveal(0), reveal(1)).position() == court(reveal(0), reveal(1)).position()


def test_moves_of_a_seat_that_has_resigned_depend_on_the_reveals_too():
    def moves(*reveals: Reveal) -> list[str]:
        match = Match.new("heirless", 3, seed=SEED, reveals=reveals)
        match.resign(0)
        while len(match.moves_made) < 40 and match.to_act:
            seat = min(match.to_act)
            match.play(seat, match.moves(seat)[0].action)
        return [entry.text for entry in match.moves_made if entry.auto]

    assert moves(reveal(1)) != moves(reveal(1, 9))


def test_a_record_holds_the_reveals_and_replays_with_them_step_by_step():
    match = finished(reveal(0), withheld(1))
    record = match.record()
    assert record["reveals"] == [
        {"seat": 0, "commitment": reveal(0).commitment, "revealed": "00" * 32},
        {"seat": 1, "commitment": withheld(1).commitment},
    ]
    again = Match.load(json.dumps(record))
    assert again.record() == record and again.reveals == (reveal(0), withheld(1))
    *_, (_, last) = again.steps()
    assert last.position() == match.position()


def test_a_match_without_reveals_writes_none():
    match = finished()
    assert "reveals" not in match.save() and "reveals" not in match.record()


def test_an_undo_meets_the_same_chance_with_reveals():
    match, straight = court(reveal(0)), court(reveal(0))
    match.play(0, match.moves(0)[0].action)
    if match.can_undo(0):
        match.undo(0)
    match = Match.load(match.save())
    while match.outcome is None:
        for each in (match, straight):
            seat = min(each.to_act)
            each.play(seat, each.moves(seat)[0].action)
    assert match.outcome == straight.outcome


RECORD = finished(reveal(0), reveal(1)).record()
FIRST, SECOND = RECORD["reveals"]
FORGED = {
    "other bytes": ([{**FIRST, "revealed": "ff" * 32}, SECOND], "the reveal of seat 0 is forged"),
    "another commitment": ([{**FIRST, "commitment": "0" * 64}, SECOND], "the reveal of seat 0 is forged"),
    "the bytes of the other": ([{**FIRST, "revealed": SECOND["revealed"]}, SECOND], "the reveal of seat 0 is forged"),
    "other bytes that fit": ([msgspec.to_builtins(reveal(0, 9)), SECOND], "is not valid"),
    "said to be withheld": ([{"seat": 0, "commitment": FIRST["commitment"]}, SECOND], "is not valid"),
    "left out": ([SECOND], "is not valid"),
    "exchanged": ([{**FIRST, "seat": 1}, {**SECOND, "seat": 0}], "each seat may have one"),
    "twice": ([FIRST, FIRST], "each seat may have one"),
    "of a seat that is not there": ([FIRST, {**SECOND, "seat": 2}], "the seats are 0 to 1"),
    "of a seat below 0": ([{**FIRST, "seat": -1}, SECOND], "the seats are 0 to 1"),
    "in capitals": ([{**FIRST, "commitment": FIRST["commitment"].upper()}, SECOND], "64 hex digits in lower case"),
    "too short": ([FIRST, {**SECOND, "revealed": "01"}], "64 hex digits in lower case"),
    "with a key more": ([{**FIRST, "name": "Ann"}, SECOND], "unknown field"),
    "a seat as a truth": ([{**FIRST, "seat": False}, SECOND], "Expected `int`, got `bool`"),
    "no list": ({"0": FIRST}, "Expected `array`"),
}


@pytest.mark.parametrize(("forged", "message"), FORGED.values(), ids=FORGED)
def test_a_record_with_forged_reveals_is_refused_though_its_checksum_is_right(forged: object, message: str):
    assert Match.load(sealed(RECORD)).record() == RECORD
    with pytest.raises(BadRecord, match=message):
        Match.load(sealed({**RECORD, "reveals": forged}))


def test_a_match_with_a_forged_reveal_does_not_begin():
    with pytest.raises(BadOption, match="the reveal of seat 1 is forged: its SHA-256 is not the seat's commitment"):
        court(msgspec.structs.replace(reveal(1), revealed="00" * 32))
