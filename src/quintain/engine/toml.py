"""Reads TOML that strangers write, such as sets of cards, and writes the short form that matches store.

The server reads such texts for anybody, so this module checks them before it parses them: a text of half a megabyte is
quick to read only if most of it is comments, its keys are short and its lists are flat. `cards` and games use it.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata

from quintain.engine.errors import BadOption

MOST_TEXT = 512 * 1024
"""The most characters of a text, comments and spaces included."""
MOST_KEPT = 64 * 1024
"""The most characters of a text without comments and spaces."""
MOST_DOTS, MOST_DEPTH, MOST_MARKS = 8, 100, 8
"""The most dots in a key, the most levels of nested lists and tables, and the most accents on one letter."""

TOO_DEEP = f"lists in them are too deep: at most {MOST_DEPTH} levels are allowed"
PIECES = re.compile(
    r'''#[^\n]*+|"""(?:[^"\\]++|\\[\s\S]|"(?!""))*+(?:"{3,5})?|\'\'\'(?:[^']++|'(?!''))*+(?:'{3,5})?'''
    r"""|"(?:[^"\\\n]++|\\[^\n])*+"?|'[^'\n]*+'?"""
)
"""A comment or a string; a string without an end goes on as far as it can."""
LONG_KEY = re.compile(rf'(?<![\w"-])(?:[\w"-]++[ \t]*+\.[ \t]*+){{{MOST_DOTS + 1}}}')
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def plain_text(text: str) -> str:
    """Return a text with composed accents (NFC), and without the byte order mark of some editors; raises BadOption."""
    if len(text) > MOST_TEXT:
        raise BadOption(f"a text of {len(text):,} characters is too long: at most {MOST_TEXT:,} are read")
    if not text.isascii():
        _check_marks(text)
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff"))


def read_toml(text: str) -> dict[str, object]:
    """Return the data of a text in TOML; raises ValueError, which says what is wrong with it.

    >>> read_toml("rp = 3  # cheap")
    {'rp': 3}
    >>> read_toml("a.a.a.a.a.a.a.a.a.a = 1")
    Traceback (most recent call last):
    ValueError: the key in line 1 has too many dots: at most 8
    """
    bare = PIECES.sub(lambda piece: "" if piece[0].startswith("#") else piece[0], text)
    size = sum(map(len, bare.split()))
    if size > MOST_KEPT:
        raise ValueError(f"{size:,} characters besides spaces and comments are too many: at most {MOST_KEPT:,}")
    _check_keys(PIECES.sub(lambda piece: '"' + "\n" * piece[0].count("\n"), bare))
    try:
        data = tomllib.loads(bare)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    _check_depth(data)
    return data


def toml(value: object) -> str:
    """Return a value in TOML, on one line.

    >>> toml({"name": "Lady Anne", "levels": [1, 2], "fey": True})
    '{name = "Lady Anne", levels = [1, 2], fey = true}'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    try:
        return str(value).lower() if isinstance(value, bool) else str(value)
    except ValueError:
        return f"{value:#x}"  # Python writes a number of thousands of digits in hex only


def toml_lines(data: dict[str, object]) -> str:
    """Return the lines of a table in TOML, one for each key.

    >>> toml_lines({"rp": 3, "types": ["Grail"]})
    'rp = 3\\ntypes = ["Grail"]\\n'
    """
    return "".join(f"{_key(key)} = {toml(each)}\n" for key, each in data.items())


def _key(key: str) -> str:
    return key if BARE_KEY.fullmatch(key) else toml(key)


def _check_marks(text: str) -> None:
    """Refuse a letter with many accents: sorting them takes time quadratic in their number. Raises BadOption."""
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run > MOST_MARKS:
            raise BadOption(f"a letter in a text has more than {MOST_MARKS} accents: at most {MOST_MARKS} are allowed")


def _check_keys(outline: str) -> None:
    """Raise ValueError, which names the line, for a key with many dots: parsing it takes quadratic time.

    `outline` is the text without its strings and comments.
    """
    if long := LONG_KEY.search(outline):
        line = 1 + outline.count("\n", 0, long.start())
        raise ValueError(f"the key in line {line} has too many dots: at most {MOST_DOTS}")


def _check_depth(data: dict[str, object]) -> None:
    """Raise ValueError for lists and tables that are nested too deeply."""
    layer: list[dict[str, object] | list[object]] = [data]
    for _ in range(MOST_DEPTH):
        inside = [each for value in layer for each in (value.values() if isinstance(value, dict) else value)]
        layer = [each for each in inside if isinstance(each, dict | list)]
    if layer:
        raise ValueError(TOO_DEEP)
