"""Random numbers of the players: with the seed of the table they decide the cards, so that nobody can choose these.

A player commits to 32 random bytes when sitting down, or by a post of its own before the last seat is taken. Once it is
taken, all who have committed reveal their bytes, and the deal follows. `stewards.py` makes it without those who have
not revealed theirs in time. `engine/play/commitments.py` mixes; `static/js/reveals.js` commits and reveals in browsers.
"""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.play.commitments import is_opened_by
from quintain.server.model.entries import BEGUN, COMMITTED, REVEALED, LogEntry
from quintain.server.refused import Refused
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.table import Table


async def commit(tables: Tables, live: LiveTable, player: str, commitment: str) -> None:
    """Note a player's commitment to random bytes."""
    seat = live.table.own_seat(player)

    def committed() -> Sequence[LogEntry]:
        table = live.table
        share = table.folded.reveals.get(seat)
        if share and share.commitment == commitment:
            return []
        if share:
            raise Refused(409, "you have committed to another random number at this table already")
        if not table.is_gathering:
            raise Refused(409, "all seats are taken, so it is too late for your random number")
        return [table.next_entry(COMMITTED, commitment, seat)]

    await tables.change(live, committed)


async def reveal(tables: Tables, live: LiveTable, player: str, revealed: str) -> None:
    """Note the random bytes of a player. Play begins when all who have committed have revealed theirs."""
    seat = live.table.own_seat(player)

    def opened() -> Sequence[LogEntry]:
        table = live.table
        share = table.folded.reveals.get(seat)
        if share is None:
            raise Refused(409, "you have not committed to a random number at this table")
        if not is_opened_by(share.commitment, revealed):
            raise Refused(
                422, f"this is not the random number to which you committed: its SHA-256 is not {share.commitment}"
            )
        if share.revealed:
            return []
        if table.is_gathering:
            raise Refused(409, "keep your random number to yourself until all seats are taken")
        if not table.is_mixing:
            raise Refused(409, "play has begun without your random number: it came too late")
        entry = table.next_entry(REVEALED, revealed, seat)
        all_have = all(other.revealed for other in table.folded.reveals.values() if other.seat != seat)
        return [entry, table.next_entry(BEGUN, after=1)] if all_have else [entry]

    await tables.change(live, opened)


def wanted(table: Table, you: int | None) -> dict[str, str] | None:
    """Return where a viewer's page should reveal a random number now, and the commitment to it; None if nowhere.

    The page of a finished game reveals for the next one, so that nobody who wants to play again must hurry there.
    """
    if you is None:
        return None
    if table.row.rematch and table.agreed.get(you):
        return {"path": f"/tables/{table.row.rematch}/reveal", "commitment": table.agreed[you]}
    share = table.folded.reveals.get(you)
    if table.is_mixing and share and not share.revealed:
        return {"path": f"/tables/{table.id}/reveal", "commitment": share.commitment}
    return None
