"""Signatures of records: a server signs the games that were played there, with Ed25519.

The signature covers the whole record but for its checksum. `quintain verify` checks it. A record without one is valid,
too: then nobody vouches for who played and when.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from quintain.engine.errors import BadOption, BadRecord
from quintain.engine.play.commitments import canonical, read_hex
from quintain.engine.play.documents import Signature, checksum

PRIME = 2**255 - 19
CURVE_D = -121665 * pow(121666, -1, PRIME) % PRIME
"""The field of Ed25519, and the number d of its curve -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032)."""


def signed(record: Mapping[str, Any], private_key: bytes, table: str = "", ended: int | None = None) -> dict[str, Any]:
    """Return a finished record with its signature and its checksum.

    `private_key` is the seed of an Ed25519 key, of 32 bytes. `table` is the id of the table where the match was played,
    and `ended` the time of its end, in seconds since 1970; the signature covers both.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(private_key)
    unsigned = Signature(key.public_key().public_bytes_raw().hex(), table=table, ended=ended)
    document = {**record, "signature": msgspec.to_builtins(unsigned)}
    document["signature"]["value"] = key.sign(_covered(document)).hex()
    return {**document, "sha256": checksum(document)}


def check_signature(record: Mapping[str, Any]) -> Signature | None:
    """Return the signature of a record if it is true, None if there is none; raises BadRecord if it is forged."""
    if record.get("signature") is None:
        return None
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        signature = msgspec.convert(record["signature"], Signature)
        key = Ed25519PublicKey.from_public_bytes(_read_key(signature.key))
        value = bytes.fromhex(signature.value)
        if value.hex() != signature.value:
            raise ValueError("bytes.fromhex skips spaces and takes capitals, but one signature has one form")
        key.verify(value, _covered(record))
    except (InvalidSignature, msgspec.ValidationError, BadOption, ValueError) as error:
        raise BadRecord(
            "its signature is forged, or somebody changed the record after it was signed: the signature does not fit"
        ) from error
    return signature


def _read_key(text: str) -> bytes:
    """Return a public key; raises ValueError for a key of small order, for which anybody can sign anything.

    Such a key is a point of the curve of which eight times is nothing: its y is 0, 1 or -1, or half of it has y 0.
    A y that is not below the prime is another spelling of a smaller one.
    """
    key = bytes.fromhex(read_hex(text, "the key of a signature"))
    y = int.from_bytes(key, "little") % 2**255
    if y >= PRIME or y in (0, 1, PRIME - 1) or (CURVE_D * y**4 + 2 * y**2 - 1) % PRIME == 0:
        raise ValueError("this key is of small order, or not written as the least number")
    return key


def _covered(record: Mapping[str, Any]) -> bytes:
    """Return the bytes that a signature covers: the record without its checksum and the value of its signature."""
    rest = {key: value for key, value in record.items() if key != "sha256"}
    rest["signature"] = {key: value for key, value in rest["signature"].items() if key != "value"}
    return canonical(rest)
