"""What a viewer is shown of a table, as data: zones of pieces, a menu, reasons, and the lines of an account."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

FREE = ""
"""The face of a place without a card that can be touched."""


class Piece(Struct, frozen=True, cache_hash=True):
    """A card, token or card back in a zone.

    `id` is a place, such as ``hand.0.3``, never an identity. `face` is the key of a picture, None when face
    down, FREE for an empty place. `at` is a row and a place in it. `value` is a number shown on it. `marks` are
    words such as ``stale``. `action` is what touching it means, legal or not. `attached` pieces lie on it.
    `text` is what everybody should read beside its name, such as what is printed on it; attached pieces with a
    `value` and no text are then numbers on it.
    """

    id: str
    face: str | None
    words: str
    seat: int | None = None
    at: tuple[int, int] | None = None
    value: int | None = None
    marks: tuple[str, ...] = ()
    action: int | None = None
    attached: tuple[Piece, ...] = ()
    text: str = ""

    @property
    def number(self) -> str:
        """The value as the words write it, perhaps with a plus sign; empty without a value."""
        if self.value is None:
            return ""
        written = [text for text in re.findall(r"[+-]?\d+", self.words) if int(text) == self.value]
        return written[-1] if written else str(self.value)


class Zone(Struct, frozen=True):
    """A part of the table. `layout` is fan, row, grid, pyramid, stack or track.

    `size` counts all its pieces, FREE ones aside. Row r of a pyramid, counted from 0, has r + 1 places.
    """

    id: str
    title: str
    seat: int | None
    layout: str
    pieces: tuple[Piece, ...]
    size: int


class Choice(Struct, frozen=True):
    """A legal action in words, and the id of the piece that lights up for it, if one does."""

    action: int
    words: str
    piece: str | None = None


class View(Struct, frozen=True):
    """All that one viewer may see, laid out for any table: the only thing that front ends are given.

    `asked` is the question to this viewer, or empty; `menu` holds the legal answers. `counts` are public
    numbers by name. `to_act` lists the seats that may act.
    """

    zones: tuple[Zone, ...]
    menu: tuple[Choice, ...]
    asked: str
    phase: str
    to_act: tuple[int, ...]
    counts: Mapping[str, int]


class Reason(Struct, frozen=True):
    """Why an action is not legal now, with the clause of the rulebook that forbids it."""

    clause: str
    words: str


class Line(Struct, frozen=True):
    """One line of an account: words, a number for each seat (or none), and the clause it follows."""

    words: str
    by_seat: tuple[int, ...]
    clause: str


def named_view(view: View, named: Callable[[str], str]) -> View:
    """Return a view with each of its words as `named` writes it."""
    menu = tuple(Choice(choice.action, named(choice.words), choice.piece) for choice in view.menu)
    counts = {named(words): number for words, number in view.counts.items()}
    zones = tuple(
        replace(zone, title=named(zone.title), pieces=tuple(_named_piece(piece, named) for piece in zone.pieces))
        for zone in view.zones
    )
    return View(zones, menu, named(view.asked), named(view.phase), view.to_act, counts)


def _named_piece(piece: Piece, named: Callable[[str], str]) -> Piece:
    return replace(
        piece,
        words=named(piece.words),
        marks=tuple(map(named, piece.marks)),
        text=named(piece.text),
        attached=tuple(_named_piece(each, named) for each in piece.attached),
    )
