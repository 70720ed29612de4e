"""Sets of cards that people write: TOML, read so that every message can name the line, the card and the clause."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from quintain.engine.errors import BadCards, quoted
from quintain.engine.written import read_toml, toml_lines

LONGEST_NAME = 32
NAME = re.compile(r"[A-Z][^\W\d_]*(?:[ '-][^\W\d_]+)*")


@dataclass(frozen=True)
class CardEntry:
    """A card as it stands in a file."""

    kind: str
    line: int
    data: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What it is called, if it has a name."""
        name = self.data.get("name", f"a {self.kind}")
        return name if isinstance(name, str) else quoted(name)

    def wrong(self, words: str, clause: str, row: int | None = None) -> BadCards:
        """Return the error that names the line, the card and the row."""
        name = self.name if self.name.isprintable() else quoted(self.name)
        place = f"line {self.line}, {name}" + ("" if row is None else f", row {row}")
        return BadCards(f"{place}: {words} ({clause})")

    def check_name(self, clause: str) -> None:
        """Refuse what is no name of a card; raises BadCards."""
        name = self.data.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            takes = (
                f"a name begins with a capital and has at most {LONGEST_NAME} letters, blanks, hyphens and apostrophes"
            )
            raise self.wrong(f"{quoted(name)} is no name: {takes}", clause)


def read_entries(text: str, kinds: Collection[str], clause: str) -> list[CardEntry]:
    """Return the cards of a file in its order, each with the line that it begins in; raises BadCards.

    Every card is a table of an array, such as ``[[knight]]``, of one of these kinds.
    """
    unread = {kind: deque(cards if isinstance(cards, list) else [cards]) for kind, cards in _read(text, clause).items()}
    no_cards = [kind for kind, cards in unread.items() if not all(isinstance(card, dict) for card in cards)]
    entries: list[CardEntry] = []
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[\[\s*([\w-]+)\s*\]\]", line)
        if header and unread.get(header[1]) and not no_cards:
            entries.append(CardEntry(header[1], number, unread[header[1]].popleft()))
            if header[1] not in kinds:
                raise entries[-1].wrong(f"there is no kind of card {header[1]!r}; there are {', '.join(kinds)}", clause)
    if left := no_cards or [kind for kind, cards in unread.items() if cards]:
        written = f"cards are written as [[{next(iter(kinds))}]] and so on"
        raise BadCards(f"{written}; this is none: {quoted(left[0])} ({clause})")
    return entries


def write_entries(entries: Iterable[CardEntry]) -> str:
    """Return the file of some cards, without remarks; it reads back as the same cards in the same order."""
    return "".join(f"[[{entry.kind}]]\n{toml_lines(dict(entry.data))}" for entry in entries)


def _read(text: str, clause: str) -> dict[str, object]:
    try:
        return read_toml(text)
    except ValueError as error:
        raise BadCards(f"the cards cannot be read: {error} ({clause})") from error
