"""Texts in links: a link that holds a whole list needs nobody who keeps it."""

from __future__ import annotations

import base64
import binascii
import zlib


def packed(text: str) -> str:
    """Return a text as a part of an address, in as few characters as zlib and base64 allow.

    >>> unpacked(packed("Little John\\n" * 50), 1000).count("John")
    50
    """
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9, -zlib.MAX_WBITS)).decode().rstrip("=")


def unpacked(code: str, most: int) -> str:
    """Return the text in a part of an address; raises ValueError if there is none, or more than so many characters."""
    try:
        read = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        opened = zlib.decompressobj(-zlib.MAX_WBITS)
        text = opened.decompress(read, most + 1).decode()
    except (binascii.Error, zlib.error) as error:
        raise ValueError("this is no packed text") from error
    if not opened.eof or len(text) > most:
        raise ValueError(f"this is no packed text of at most {most} characters")
    return text
