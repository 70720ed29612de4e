"""What the browser keeps: logs of tables, a row for each table, settings, and documents such as decks.

`BrowserStore` is a store over them.

The page writes all of it to IndexedDB, where an entry's place, (table, seq), is the key. Two tabs that claim one place
do no harm: the browser takes the first entry and refuses the second, as a database does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

from quintain.server.clock import now
from quintain.server.model.entries import OVER, PLAYING, WAITING, Folded, LogEntry, Seat, TableRow
from quintain.server.model.listed import Learned, Seated
from quintain.server.model.results import PlayedSeat, played
from quintain.server.model.seating import Person, seat_people
from quintain.server.model.talk import Talk
from quintain.server.people.players import THEMES, new_id

Value = TypeVar("Value")


class Keeping(Protocol):
    """What keeps texts: IndexedDB in a browser, a dictionary in tests."""

    async def load(self) -> str:
        """Return everything but the entries: the JSON of `Kept`; empty if nothing is kept yet."""

    async def read(self, table: str) -> str:
        """Return the entries of a table in order, as a list in JSON."""

    async def write(self, entries: str, rows: str) -> bool:
        """Write entries and rows of tables, all or none; False if a place in a log is taken."""

    async def keep(self, settings: str) -> None:
        """Write the settings."""

    async def documents(self, kind: str) -> str:
        """Return all documents of a kind in the order of their ids, as a list of texts in JSON."""

    async def document(self, kind: str, id_: str) -> str:
        """Return the text of a document; empty if there is none."""

    async def put(self, kind: str, id_: str, text: str) -> None:
        """Write a document in the place of the one before; remove it if the text is empty."""


class Documents(Generic[Value]):
    """The documents of one kind: the text of each is the JSON of a value of one type."""

    def __init__(self, keeper: Keeping, kind: str, of: type[Value]):
        self.keeper, self.kind, self.of = keeper, kind, of

    async def all(self) -> list[Value]:
        """Return what all of them hold, in the order of their ids."""
        texts = msgspec.json.decode(await self.keeper.documents(self.kind), type=list[str])
        return [msgspec.json.decode(text, type=self.of) for text in texts]

    async def read(self, id_: str) -> Value | None:
        """Return what a document holds; None if there is none."""
        text = await self.keeper.document(self.kind, id_)
        return msgspec.json.decode(text, type=self.of) if text else None

    async def put(self, id_: str, value: Value) -> None:
        """Write a document in the place of the one before."""
        await self.keeper.put(self.kind, id_, _json(value))

    async def delete(self, id_: str) -> None:
        """Remove a document, if there is one."""
        await self.keeper.put(self.kind, id_, "")


class KeptTable(msgspec.Struct):
    """A table as lists show it: its row, its seats, and when it ended with which ranks, once it is over."""

    row: TableRow
    seats: list[Seat]
    ended: float | None = None
    ranks: list[int] | None = None
    played: list[PlayedSeat] = []
    """How it ended for each seat."""


class DeviceSettings(msgspec.Struct):
    """The people on this device, who of them was last here, and how they want pages to look."""

    people: list[Person] = []
    here: str = ""
    theme: str = THEMES[0]
    confirms: bool = False


class Kept(msgspec.Struct):
    """Everything that is kept but entries."""

    tables: list[KeptTable] = []
    settings: DeviceSettings = msgspec.field(default_factory=DeviceSettings)


class BrowserStore:
    """The logs of tables and their players, as `tables/storage.py` asks for them."""

    is_shared = False
    unavailable: tuple[type[Exception], ...] = (OSError,)

    def __init__(self, keeper: Keeping, kept: Kept):
        self.keeper, self.settings = keeper, kept.settings
        self.kept = {each.row.id: each for each in kept.tables}

    @classmethod
    async def open(cls, keeper: Keeping) -> BrowserStore:
        """Return the store over what a browser keeps."""
        text = await keeper.load()
        return cls(keeper, msgspec.json.decode(text, type=Kept) if text else Kept())

    async def add(self, entries: Sequence[LogEntry], listed: Iterable[Folded] = ()) -> bool:
        """Write entries at their places, all or none; False if a place is taken."""
        rows = [_kept(folded) for folded in listed]
        if not await self.keeper.write(_json(entries), _json(rows)):
            return False
        self.kept |= {each.row.id: each for each in rows}
        return True

    async def entries(self, table: str) -> list[LogEntry]:
        """Return all entries of a table's log."""
        return msgspec.json.decode(await self.keeper.read(table), type=list[LogEntry])

    async def new_entries(self, table: str, after: int) -> list[LogEntry]:
        """Return the entries that follow a place, as another tab may have written some."""
        return [entry for entry in await self.entries(table) if entry.seq > after]

    async def lengths(self, tables: Collection[str]) -> Mapping[str, int]:
        """Return the place of the last entry in the log of each of these tables."""
        return {table: len(await self.entries(table)) for table in tables}

    async def player(self, id_: str) -> Person | None:
        """Return a player by the id."""
        return next((person for person in self.settings.people if person.id == id_), None)

    async def persons(self, numbers: Collection[int]) -> dict[int, Person]:
        """Return players by their numbers."""
        return {person.number: person for person in self.settings.people if person.number in numbers}

    async def are_gone(self, numbers: Collection[int]) -> bool:
        """Tell whether one of these players is here no longer."""
        return not set(numbers) <= {person.number for person in self.settings.people}

    async def cards_of(self, number: int, game: str) -> list[str]:
        """Return the cards that a player owns: nobody owns any here."""
        return []

    async def table_with_cards(self, number: int, game: str) -> str | None:
        """Return the table at which a player plays with cards of their own: there is none here."""
        return None

    async def alike(self, numbers: Collection[int]) -> set[int]:
        """Return who shares a browser: nobody asks here, where no game is rated."""
        return set()

    async def tables_of(self, players: Collection[str], most: int) -> dict[str, list[Seated]]:
        """Return the unfinished tables of each player, at most `most` for each, newest first."""
        return {player: self.listed(player, is_over=False)[:most] for player in players}

    def listed(self, player: str, *, is_over: bool) -> list[Seated]:
        """Return the finished or the unfinished tables of a player, newest first."""
        return [
            (each.row, self._seated(each))
            for each in sorted(self.kept.values(), key=lambda each: -(each.ended or each.row.made))
            if (each.row.status == OVER) == is_over and player in {seat.player for seat in self._seated(each)}
        ]

    def _seated(self, each: KeptTable) -> list[Seat]:
        """Return the seats of a table with the names of their players."""
        seat_people(each.seats, {person.number: person for person in self.settings.people})
        return each.seats

    async def tables_played_without_people(self, since: float) -> list[str]:
        """Return the tables, since a time, at which a bot's move, a time-out or the deal may be due."""
        return [
            each.row.id
            for each in self.kept.values()
            if (each.row.status == PLAYING and (each.row.begun or 0.0) > since)
            or (each.row.status == WAITING and each.row.made > since and all(seat.is_taken for seat in each.seats))
        ]

    async def lesson_of(self, player: str, game: str, steps: int) -> str | None:
        """Return the player's newest table where fewer than so many steps of a game's lesson are done."""
        found = [row for row, _ in self.listed(player, is_over=False) if row.game == game and row.lesson is not None]
        return next((row.id for row in found if row.lesson is not None and row.lesson < steps), None)

    def learned(self, player: str) -> dict[str, Learned]:
        """Return what a player knows of each game that they have sat down to."""
        known: dict[str, Learned] = {}
        for row, _ in [*self.listed(player, is_over=False), *self.listed(player, is_over=True)]:
            before = known.get(row.game, Learned(False, None))
            steps = [each for each in (row.lesson, before.steps) if each is not None]
            played = before.played or row.lesson is None or row.status == OVER
            known[row.game] = Learned(played, max(steps, default=None))
        return known

    async def talk(self, table: str) -> Talk:
        """Return what was said at a table: people on one device say it aloud."""
        return Talk()

    async def add_line(self, table: str, number: int, seat: int | None, text: str) -> None:
        """Keep nothing: no page here has a form for talk."""

    async def muted_until(self, number: int) -> float | None:
        """Return until when a player is muted: nobody is."""
        return None

    async def set(self, **changed: object) -> None:
        """Change settings, and keep them."""
        self.settings = msgspec.structs.replace(self.settings, **changed)
        await self.keeper.keep(_json(self.settings))

    async def name_player(self, name: str, id_: str = "") -> Person:
        """Give a player a name, or make a new one, and return them."""
        people = list(self.settings.people)
        known = next((person for person in people if person.id == id_), None)
        number = known.number if known else max((person.number for person in people), default=0) + 1
        person = Person(number, id_ or new_id(), name, now())
        await self.set(people=sorted([*(each for each in people if each.number != number), person]))
        return person


def _kept(folded: Folded) -> KeptTable:
    """Return what lists show of a table."""
    result = (folded.record or {}).get("result", {})
    return KeptTable(folded.row, folded.seats, folded.ended, result.get("ranks"), played(folded))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
