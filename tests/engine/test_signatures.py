"""Signatures of records: what they cover, and that a forged one is found."""

import json
from typing import Any

import pytest

from quintain.engine.errors import BadRecord
from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match
from quintain.engine.play.signatures import check_signature, signed

KEY, OTHER = bytes(range(32)), bytes(32)
PUBLIC = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
"""The public key of KEY, as every implementation of Ed25519 computes it."""


def record() -> dict[str, Any]:
    match = Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)
    match.resign(1)
    return match.record()


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "sha256": checksum(document)}


SIGNED = signed(record(), KEY, table="k7f3", ended=1_790_000_000)


def test_a_signed_record_names_the_key_the_table_and_the_time_and_replays():
    signature = check_signature(json.loads(json.dumps(SIGNED)))
    assert signature and (signature.key, signature.table, signature.ended) == (PUBLIC, "k7f3", 1_790_000_000)
    assert Match.load(json.dumps(SIGNED)).record() == record()


def test_the_same_record_is_signed_alike_every_time_and_otherwise_by_another_key():
    assert signed(record(), KEY) == signed(record(), KEY)
    assert signed(record(), KEY)["signature"].keys() == {"key", "value"}
    assert signed(record(), KEY)["signature"]["value"] != signed(record(), OTHER)["signature"]["value"]
    assert signed(SIGNED, OTHER) == signed(record(), OTHER)


def test_a_record_without_a_signature_has_none_to_check():
    assert check_signature(record()) is None


def with_signature(**changes: object) -> dict[str, Any]:
    return {**SIGNED, "signature": {**SIGNED["signature"], **changes}}


FORGED = {
    "other names": {**SIGNED, "names": ["Eve", "Bo"]},
    "another log": {**SIGNED, "log": ["Bo cheated."]},
    "other bots": {**SIGNED, "bots": ["champion", None]},
    "another table": with_signature(table="x"),
    "another time": with_signature(ended=1_790_000_001),
    "no time": {**SIGNED, "signature": {key: SIGNED["signature"][key] for key in ("key", "value", "table")}},
    "another key": with_signature(key=signed(record(), OTHER)["signature"]["key"]),
    "another's signature": with_signature(value=signed(record(), OTHER)["signature"]["value"]),
    "no signature": with_signature(value=""),
    "a signature of nothing": with_signature(value="00" * 64),
    "a value in capitals": with_signature(value=SIGNED["signature"]["value"].upper()),
    "a value with a space": with_signature(value=f"{SIGNED['signature']['value']} "),
    "a value that is no number": with_signature(value="good"),
    "a key that is none": with_signature(key="good"),
    "a time as a text": with_signature(ended="today"),
    "a signature that is a text": {**SIGNED, "signature": "by a good house"},
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_forged_signature_is_found(forged: dict[str, Any]):
    with pytest.raises(BadRecord, match=r"^its signature is forged, or somebody changed the record"):
        check_signature(sealed(forged))


SMALL = (
    *("00" * 32, "01" + "00" * 31, "01" + "00" * 30 + "80", "00" * 31 + "80"),
    *("ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "7f", "ec" + "ff" * 31),
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
"""Keys of small order, some spelled otherwise: with the first two, a value of R = key and S = 0 fits any message."""


@pytest.mark.parametrize("key", SMALL)
def test_a_key_of_small_order_signs_nothing(key: str):
    for value in (key + "00" * 32, "01" + "00" * 63, SIGNED["signature"]["value"]):
        with pytest.raises(BadRecord, match="forged"):
            check_signature(sealed(with_signature(key=key, value=value)))


@pytest.mark.parametrize("number", range(20))
def test_true_keys_are_taken(number: int):
    assert check_signature(signed(record(), bytes([number] * 32)))


@pytest.mark.parametrize("ended", [-1, 2**60])
def test_a_time_that_nobody_can_write_down_is_no_time(ended: int):
    with pytest.raises(BadRecord, match="forged"):
        check_signature(signed(record(), KEY, ended=ended))
