"""Where the chance of a match comes from: one seed of 32 bytes.

`RunningMatch` derives a key from the seed before the deal and before every move, and `rng` draws numbers from that key.
"""

from __future__ import annotations

import hmac
import re
import secrets

from quintain.engine.errors import BadOption, quoted


def read_seed(seed: bytes | str | None) -> bytes:
    """Return a seed as 32 bytes; `seed` is 32 bytes, 64 hex digits, or None for a random seed. Raises BadOption."""
    if seed is None:
        return secrets.token_bytes(32)
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    if isinstance(seed, str) and re.fullmatch("[0-9a-fA-F]{64}", seed):
        return bytes.fromhex(seed)
    raise BadOption(f"the seed {quoted(seed)} is not valid: a seed has 64 hex digits (32 bytes)")


def chance(seed: bytes, ply: int, purpose: bytes) -> bytes:
    """Return the 16 bytes that key a generator at a ply, for a purpose.

    They are the first 16 bytes of HMAC-SHA-256 with the seed as its key, over the ply (8 bytes, big-endian) and the
    purpose.
    """
    return hmac.digest(seed, ply.to_bytes(8, "big") + purpose, "sha256")[:16]
