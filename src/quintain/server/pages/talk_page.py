"""The talk of a table as a page and the JSON API show it."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.server.model.entries import WAITING
from quintain.server.model.talk import MOST_LETTERS, READY, Said
from quintain.server.pages.rendering import Context
from quintain.server.tables.live_table import Viewing


def talk_context(viewing: Viewing) -> Context:
    """Return the talk of a table for a page: only the lines that this viewer may read, and none if they want none."""
    visitor, you, talk, seats = viewing.visitor, viewing.you, viewing.live.talk, viewing.table.seats
    number = visitor.number if you is None else seats[you].number
    lines = [
        {
            "id": line.id,
            "key": str(line.number),
            "seat": line.seat,
            "name": talk.name_of(line, seats),
            "text": line.text,
            "you": line.number == number,
        }
        for line in _lines(viewing)
    ]
    people = sum(seat.player is not None for seat in seats)
    return {
        "is_off": visitor.quiet,
        "is_open": bool(lines) or people > 1 or viewing.table.status == WAITING,
        "lines": lines,
        "ready": READY,
        "most": MOST_LETTERS,
    }


def talk_json(viewing: Viewing) -> list[Context]:
    """Return the lines that this viewer may read, for the JSON API."""
    return [
        {
            "id": line.id,
            "seat": line.seat,
            "name": viewing.live.talk.name_of(line, viewing.table.seats),
            "text": line.text,
            "at": line.at,
        }
        for line in _lines(viewing)
    ]


def _lines(viewing: Viewing) -> Sequence[Said]:
    return () if viewing.visitor.quiet else viewing.live.talk.read_by(viewing.you, viewing.table.status)
