"""A match's chance: all of it comes from a seed of 32 bytes."""

from __future__ import annotations

import hmac
import re
import secrets

from quintain.engine.errors import BadOption, quoted


def read_seed(seed: bytes | str | None) -> bytes:
    """Return a seed of 32 bytes, given as itself or as 64 hex digits, or drawn for None; raises BadOption."""
    if seed is None:
        return secrets.token_bytes(32)
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    if isinstance(seed, str) and re.fullmatch("[0-9a-fA-F]{64}", seed):
        return bytes.fromhex(seed)
    raise BadOption(f"the seed {quoted(seed)} cannot be: it takes 64 hex digits (32 bytes)")


def chance(seed: bytes, ply: int, purpose: bytes) -> bytes:
    """Return 16 bytes that key a generator at a ply for a purpose: the first of HMAC-SHA-256(seed, ply + purpose)."""
    return hmac.digest(seed, ply.to_bytes(8, "big") + purpose, "sha256")[:16]
