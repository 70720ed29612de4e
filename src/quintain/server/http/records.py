"""The records of many finished games as one zip, made a few games at a time while the browser takes it in."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from quintain.engine.play.documents import named_record
from quintain.engine.play.signatures import signed
from quintain.server.http.site import Site
from quintain.server.model.entries import MADE, Folded, begin_fold
from quintain.server.model.seating import numbers_of, seat_people
from quintain.server.people.keyring import Keys

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

TOGETHER = 20
"""Games that are read from the database at once."""


class _Outlet(io.RawIOBase):
    """A file that is only written to, and whose bytes are taken out as they come."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, given: ReadableBuffer) -> int:
        self._waiting.append(bytes(given))
        return len(self._waiting[-1])

    def take(self) -> bytes:
        """Return what has been written since the last time."""
        taken, self._waiting = b"".join(self._waiting), []
        return taken


async def zipped(site: Site, tables: Sequence[str]) -> AsyncIterator[bytes]:
    """Yield a zip with the record of the game at each of these tables, in parts."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:
        for first in range(0, len(tables), TOGETHER):
            for folded in await _finished(site, tables[first : first + TOGETHER]):
                row, record = folded.row, record_of(folded, site.keys)
                day = time.strftime("%Y-%m-%d", time.localtime(folded.ended or row.made))
                archive.writestr(f"{day}-{row.game}-{row.id}.json", json.dumps(record, ensure_ascii=False))
                yield outlet.take()
    yield outlet.take()


def record_of(folded: Folded, keys: Keys) -> dict[str, object]:
    """Return the record of a finished game with the names that its players have now.

    The server signs it, unless the players may have known the cards before play.
    """
    assert folded.record is not None
    found = named_record(folded.record, [seat.name or "" for seat in folded.seats])
    if folded.is_known:
        return found
    return signed(found, keys.record_key, folded.row.id, None if folded.ended is None else int(folded.ended))


async def _finished(site: Site, tables: Sequence[str]) -> list[Folded]:
    """Return finished games that have a record, with the names of their players, in the order of their tables."""
    found: dict[str, Folded] = {}
    for entry in await site.store.entries_but_moves(tables):
        if entry.kind == MADE:
            found[entry.table] = begin_fold(entry)
        else:
            found[entry.table].take(entry)
    persons = await site.store.persons(numbers_of(seat for folded in found.values() for seat in folded.seats))
    for folded in found.values():
        seat_people(folded.seats, persons)
    return [found[table] for table in tables if found[table].record]
