"""The keys of a running server, as it last read them; `sessions.py` has it read them again and again."""

from __future__ import annotations

from quintain.server.people.players import Signer
from quintain.server.store.database import Database
from quintain.server.store.keys import COOKIES, RECORDS, Key, read


class Keys:
    """The keys of a running server, as they were when it last read them. The signer gets those for cookies."""

    def __init__(self, database: Database, signer: Signer):
        self.database, self.signer = database, signer
        self.record_key = b""
        """The private key that signs records now: the seed of an Ed25519 key, of 32 bytes."""
        self.public: list[dict[str, object]] = []
        """The public halves of all keys for records in hex, and from when to when each was used, newest first."""
        self._rows: list[Key] = []

    async def reload(self) -> None:
        """Read the keys from the database."""
        rows = await read(self.database)
        if rows == self._rows:
            return
        self._rows = rows
        self.signer.use([row.secret for row in rows if row.kind == COOKIES and row.ended is None])
        records = [row for row in rows if row.kind == RECORDS]
        self.record_key = bytes.fromhex(records[-1].secret)
        self.public = [{"public": row.public, "since": row.made, "until": row.ended} for row in reversed(records)]
