"""Commitments: what fixes the chance of a match before the deal, so that nobody can choose the cards afterwards.

Whoever makes a match commits to its seed, game and options. Each player may commit to 32 random bytes of their own, and
reveals them once all have committed; `mixed` then makes one seed of the match's seed and of all these bytes.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from quintain.engine.errors import BadOption, quoted

HEX = re.compile("[0-9a-f]{64}")


class Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat's share in the chance: the `commitment`, which is the SHA-256 of 32 random bytes, and these bytes.

    Both are 64 hex digits in lower case. `revealed` is empty if the player did not reveal the bytes.
    """

    seat: int
    commitment: str
    revealed: str = ""


def canonical(data: object) -> bytes:
    """Return the one JSON text of some data: sorted keys, no spaces, UTF-8."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def commitment(seed: bytes, game: str, version: int, options: Mapping[str, object], seats: int) -> str:
    """Return the commitment to a match: the SHA-256, in hex, of the canonical JSON of these parts.

    The random seed keeps the others hidden, too: nobody can try out which options give a commitment.
    """
    parts = {"seed": seed.hex(), "game": game, "version": version, "options": options, "seats": seats}
    return hashlib.sha256(canonical(parts)).hexdigest()


def seed_commitment(seed: bytes) -> str:
    """Return the commitment as older versions made it: the SHA-256 of the seed alone, in hex."""
    return hashlib.sha256(seed).hexdigest()


def read_hex(text: str, meaning: str) -> str:
    """Return 64 hex digits in lower case; raises BadOption, which says what they should have been."""
    if not HEX.fullmatch(text.lower()):
        raise BadOption(f"{quoted(text)} cannot be {meaning}: that has 64 hex digits (32 bytes)")
    return text.lower()


def is_opened_by(committed: str, revealed: str) -> bool:
    """Tell whether bytes, in hex, are those to which a player has committed."""
    return hashlib.sha256(bytes.fromhex(revealed)).hexdigest() == committed


def check_reveals(reveals: Sequence[Reveal], seats: int) -> tuple[Reveal, ...]:
    """Return the reveals of a match; raises BadOption if one is not written as it should be, or is forged."""
    for each in reveals:
        if not 0 <= each.seat < seats:
            raise BadOption(f"there is a reveal for seat {each.seat}, and the seats are 0 to {seats - 1}")
        if not HEX.fullmatch(each.commitment) or not HEX.fullmatch(each.revealed or each.commitment):
            raise BadOption(f"the reveal of seat {each.seat} is not valid: it has 64 hex digits in lower case")
        if each.revealed and not is_opened_by(each.commitment, each.revealed):
            raise BadOption(f"the reveal of seat {each.seat} is forged: its SHA-256 is not the seat's commitment")
    if any(one.seat >= other.seat for one, other in pairwise(reveals)):
        raise BadOption("the reveals are not valid: each seat may have one, and they come in the order of the seats")
    return tuple(reveals)


def mixed(seed: bytes, reveals: Sequence[Reveal]) -> bytes:
    """Return the 32 bytes from which all chance of a match comes; without revealed bytes they are its seed.

    They are the HMAC-SHA-256 with the seed as its key over the number of each seat that has revealed (8 bytes,
    big-endian) and its bytes, in the order of the seats.
    """
    shares = [each.seat.to_bytes(8, "big") + bytes.fromhex(each.revealed) for each in reveals if each.revealed]
    return hmac.digest(seed, b"".join(shares), "sha256") if shares else seed
