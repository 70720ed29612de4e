"""Reads and writes sets of cards in TOML, for the `cards.py` of a game.

People write such sets by hand, so each card keeps the number of its line: an error names the line, the card and the
clause of the rulebook.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from quintain.engine.errors import BadCards, quoted
from quintain.engine.toml import read_toml, toml_lines

LONGEST_NAME = 32
CARD_NAME = re.compile(r"[A-Z][^\W\d_]*(?:[ '-][^\W\d_]+)*")
"""The pattern of a card's name: words of letters, of which the first begins with a capital."""


@dataclass(frozen=True)
class CardEntry:
    """One card as a file gives it: its kind, the line where it begins (from 1), and its keys with their values."""

    kind: str
    line: int
    data: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the card; its kind with an article, such as ``a knight``, if it has none."""
        name = self.data.get("name", f"a {self.kind}")
        return name if isinstance(name, str) else quoted(name)

    def wrong(self, words: str, clause: str, row: int | None = None) -> BadCards:
        """Return an error that names the line, the card and, if given, the row."""
        name = self.name if self.name.isprintable() else quoted(self.name)
        place = f"line {self.line}, {name}" + ("" if row is None else f", row {row}")
        return BadCards(f"{place}: {words} ({clause})")

    def check_name(self, clause: str) -> None:
        """Raise BadCards if the card has no valid name."""
        name = self.data.get("name")
        if not isinstance(name, str) or not CARD_NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            takes = (
                f"a name begins with a capital and has at most {LONGEST_NAME} letters, spaces, hyphens and apostrophes"
            )
            raise self.wrong(f"{quoted(name)} is not a valid name: {takes}", clause)


def read_entries(text: str, kinds: Collection[str], clause: str) -> list[CardEntry]:
    """Return the cards of a file, in the order of the file; raises BadCards.

    Each card is a table in an array of tables: it begins with its kind in double brackets, such as ``[[knight]]``.
    `kinds` are the kinds that the game knows, and error messages name `clause`.
    """
    unread = {kind: deque(cards if isinstance(cards, list) else [cards]) for kind, cards in _read(text, clause).items()}
    no_cards = [kind for kind, cards in unread.items() if not all(isinstance(card, dict) for card in cards)]
    entries: list[CardEntry] = []
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[\[\s*([\w-]+)\s*\]\]", line)
        if header and unread.get(header[1]) and not no_cards:
            entries.append(CardEntry(header[1], number, unread[header[1]].popleft()))
            if header[1] not in kinds:
                raise entries[-1].wrong(
                    f"there is no kind of card {header[1]!r}; the kinds are {', '.join(kinds)}", clause
                )
    if left := no_cards or [kind for kind, cards in unread.items() if cards]:
        written = f"each card begins with its kind, such as [[{next(iter(kinds))}]]"
        raise BadCards(f"{written}; this is not a card: {quoted(left[0])} ({clause})")
    return entries


def write_entries(entries: Iterable[CardEntry]) -> str:
    """Return the text of a file with these cards, without comments; `read_entries` reads the same cards from it."""
    return "".join(f"[[{entry.kind}]]\n{toml_lines(dict(entry.data))}" for entry in entries)


def _read(text: str, clause: str) -> dict[str, object]:
    try:
        return read_toml(text)
    except ValueError as error:
        raise BadCards(f"the cards cannot be read: {error} ({clause})") from error
