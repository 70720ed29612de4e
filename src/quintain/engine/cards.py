"""Reads and writes sets of cards in TOML, for the `cards.py` of a game.

People write such sets by hand, so each card keeps the number of its line: an error names the line, the card and the
clause of the rulebook.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quintain.engine.errors import BadCards, quoted
from quintain.engine.toml import plain_text, read_toml, toml_lines
from quintain.engine.vocabulary import SetField, Vocabulary, faults, in_toml

LONGEST_NAME = 32
CARD_NAME = re.compile(r"[A-Z][^\W\d_]*(?:[ '-][^\W\d_]+)*")
"""The pattern of a card's name: words of letters, of which the first begins with a capital."""


@dataclass(frozen=True)
class CardEntry:
    """One card or table as a file gives it: its kind, the line where it begins (from 1), and its keys with values."""

    kind: str
    line: int
    data: Mapping[str, Any]
    is_table: bool = False

    @property
    def name(self) -> str:
        """The name of the card; its kind with an article, such as ``a knight`` or ``the tracks``, if it has none."""
        name = self.data.get("name")
        return name if isinstance(name, str) else f"{'the' if self.is_table else 'a'} {self.kind}"

    def wrong(self, words: str, clause: str, row: int | None = None, key: str = "") -> BadCards:
        """Return an error that names the line, the card and, if given, the row; `key` is the field at fault."""
        name = self.name if self.name.isprintable() else quoted(self.name)
        place = f"line {self.line}, {name}" + ("" if row is None else f", row {row}")
        return BadCards(f"{place}: {words} ({clause})", self.line, row, key)

    def check(self, what: str, fields: Sequence[SetField]) -> None:
        """Raise BadCards for the first fault of the card by its fields; `what` describes it, such as ``[[knight]]``."""
        for fault in faults(what, fields, self.data):
            raise self.wrong(fault.words, fault.clause, fault.row, fault.key)

    def check_name(self, clause: str) -> None:
        """Raise BadCards if the card has no valid name."""
        name = self.data.get("name")
        if not isinstance(name, str) or not CARD_NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            takes = (
                f"a name begins with a capital and has at most {LONGEST_NAME} letters, spaces, hyphens and apostrophes"
            )
            what = "the name is missing" if name is None else f"{in_toml(name)} is not a valid name"
            raise self.wrong(f"{what}: {takes}", clause, key="name")


def read_entries(text: str, vocabulary: Vocabulary) -> list[CardEntry]:
    """Return the cards and tables of a file, in the order of the file; raises BadCards, and BadOption for a long text.

    Each card is a table in an array of tables: it begins with its kind in double brackets, such as ``[[knight]]``. A
    kind that is a table begins with single brackets.
    """
    kinds, clause = [kind.key for kind in vocabulary.kinds], vocabulary.clause
    tables = {kind.key for kind in vocabulary.kinds if kind.is_table}
    text = plain_text(text)
    given = _read(text, clause)
    lines = [(header[1] or header[2], number) for number, header in _headers(text)]
    unread: dict[str, deque[Any]] = {}
    for key, value in given.items():
        if isinstance(value, list) == (key in tables) or not isinstance(value, list | dict):
            raise _no_card(key, vocabulary)
        unread[key] = deque(value if isinstance(value, list) else [value])
        if not all(isinstance(card, dict) for card in unread[key]):
            raise _no_card(key, vocabulary)
    entries = [CardEntry(key, line, unread[key].popleft(), key in tables) for key, line in lines if unread.get(key)]
    for key, cards in unread.items():
        entries += [CardEntry(key, _line_of(key, text), card, key in tables) for card in cards]
    for entry in entries:
        if entry.kind not in kinds:
            known = ", ".join(kinds)
            raise entry.wrong(f"there is no kind of card {entry.kind!r}; the kinds are {known}", clause)
    return entries


def check_numbers(entries: Sequence[CardEntry], vocabulary: Vocabulary) -> None:
    """Raise BadCards if a set has too many or too few cards of a kind."""
    there = Counter(entry.kind for entry in entries)
    for kind in vocabulary.kinds:
        number = there[kind.key]
        if kind.least <= number <= kind.most or (kind.may_miss and not number):
            continue
        takes = f"at most {kind.most}" if not kind.least or number > kind.most else f"at least {kind.least}"
        raise BadCards(f"a set has {takes} {kind.plural}, not {number} ({vocabulary.clause})")


def write_entries(entries: Iterable[CardEntry]) -> str:
    """Return the text of a file with these cards, without comments; `read_entries` reads the same cards from it."""
    return "".join(
        f"{f'[{entry.kind}]' if entry.is_table else f'[[{entry.kind}]]'}\n{toml_lines(dict(entry.data))}"
        for entry in entries
    )


def _headers(text: str) -> Iterable[tuple[int, re.Match[str]]]:
    """Yield the lines that look like the head of a card or table, numbered from 1."""
    for number, line in enumerate(text.split("\n"), 1):
        if header := re.match(r"\s*(?:\[\[\s*([\w-]+)\s*\]\]|\[\s*([\w-]+)\s*\])", line):
            yield number, header


def _line_of(key: str, text: str) -> int:
    """Return the line in which a list of cards begins that is written in brackets, such as ``knight = [``."""
    begins = re.compile(rf"\s*{re.escape(key)}\s*=")
    return next((number for number, line in enumerate(text.split("\n"), 1) if begins.match(line)), 1)


def _no_card(key: str, vocabulary: Vocabulary) -> BadCards:
    first = next(kind.key for kind in vocabulary.kinds if not kind.is_table)
    known = ", ".join(kind.key for kind in vocabulary.kinds)
    words = f"each card begins with its kind, such as [[{first}]]; this is not a card: {quoted(key)}"
    return BadCards(f"{words}; the kinds are {known} ({vocabulary.clause})")


def _read(text: str, clause: str) -> dict[str, object]:
    try:
        return read_toml(text)
    except ValueError as error:
        raise BadCards(f"the cards cannot be read: {error} ({clause})") from error
