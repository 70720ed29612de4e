"""The entries of a table's log: their kinds, what each holds, and the table that follows from them.

Every change of a table is an entry. `fold` makes from them the row that lists the table and the rows of its seats; the
match follows from the same entries (`table.py`). Entries hold the numbers of players, never names: `seating.py` adds
names when somebody looks. `store.py` writes entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import msgspec

from quintain.engine.errors import BadRecord
from quintain.engine.play.commitments import Reveal
from quintain.engine.rules.seat_options import with_deck

WAITING, PLAYING, OVER = "waiting", "playing", "over"
"""What a table does: it waits for players, it is in play, or its game is over."""
MADE, SAT, LEFT, BEGUN, CLOSED = "made", "sat", "left", "begun", "over"
RULES, STOPPED = "rules", "stopped"
MOVED, UNDONE, RESIGNED, STAND_IN, RETURNED = "moved", "undone", "resigned", "stand-in", "returned"
SEAT_MOVED, SPEED, STEP = "seat-moved", "speed", "step"
COMMITTED, REVEALED = "committed", "revealed"
PASSING, SKIPPED, AGREED, AGAIN, HINTED, NOTED = "passing", "skipped", "agreed", "again", "hinted", "noted"
ALIKE, ADJOURNED = "alike", "adjourned"
CHOSE, GAINED = "chose", "gained"
"""The kinds of entries; `Table` and `fold` say what each does."""
IN_MATCH = {MOVED: "move", UNDONE: "undo", RESIGNED: "resign", STAND_IN: "stand-in", RETURNED: "returned"}
"""The kinds of entries that a match has, too, each with its kind there."""
NO_SEAT = -1
"""The seat of an entry that is about the whole table."""
YES, NO = "yes", "no"
Act = tuple[int, str, str]
"""The seat, the kind and the text of an entry to come."""
Json = dict[str, Any]
"""An object in JSON whose form its reader knows, such as the options of a game, or a record as it is written."""
Data = TypeVar("Data")


class LogEntry(NamedTuple):
    """One entry of a table's log; `seq` is its place there, from 1, and `at` the time when the server took it.

    `text` holds the words of a move, with ``seat 0`` in the place of a name; the name of the bot that stands in; or
    what another kind needs, some of them as JSON.
    """

    table: str
    seq: int
    seat: int
    kind: str
    text: str
    at: float


class Sitter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits at a seat: the number of a player, or the level of a bot; neither at an empty seat.

    In a game that somebody brought in as a record, a `stranger` has played: only the name in the record is known.

    `commitment` is a player's to a random number of their own: see `reveals.py`. It is empty if there is none.
    """

    player: int | None = None
    bot: str | None = None
    commitment: str = ""
    stranger: str = ""


class SeatChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of the kind CHOSE holds: the value of an option that a seat chose for itself before play.

    If the option has `several` values, one for each seat, it is the one for this seat.
    """

    option: str
    value: Any
    several: bool = False

    def put(self, options: Mapping[str, Any], seats: int, seat: int) -> Json:
        """Return options with the choice of a seat."""
        value = with_deck(options[self.option], seats, seat, self.value) if self.several else self.value
        return {**options, self.option: value}


class Gained(msgspec.Struct, frozen=True):
    """What an entry of the kind GAINED holds: the name of a card that the seat gained, and the seat that lost it."""

    card: str
    giver: int


class Made(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of the kind MADE holds: all that is agreed before play. `lesson` is 0 at a table for a lesson.

    `commitment` is the one to the match; older versions wrote none. A game that goes on from a step of a finished one
    is `played_on`, with the `reveals` of that one. So is a game that goes on from a puzzle; it begins from a whole
    `position`, which nobody may see before the end. A `rated` game counts for the ratings of its players. One that was
    `brought_in` is known from its record alone; `chosen` are the options that its seats chose. At a table of several
    people there are `hints` if its maker allows them. Where cards are `owned`, each player plays with a collection of
    their own.
    """

    game: str
    version: int
    options: Json
    seed: str
    clock: str
    speed: str
    private: bool
    seats: list[Sitter]
    lesson: int | None = None
    commitment: str = ""
    reveals: list[Reveal] = []
    played_on: bool = False
    rated: bool = False
    brought_in: bool = False
    hints: bool = False
    position: str = ""
    chosen: Json = {}
    owned: bool = False


class Stopped(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of the kind STOPPED holds: why a game ended without a result, after so many `moves`.

    New rules came, of this `version`, and the move of the number `move` is none of theirs; or the game was `deserted`:
    it was adjourned, since everybody had left, and nobody came back in time.
    """

    version: int
    move: int
    moves: int
    deserted: bool = False


class Hinted(msgspec.Struct, frozen=True):
    """What an entry of the kind HINTED holds: the decision it is about, and its moves, the best first.

    A move is its action, the share of wins that the search expects, and the number of simulations.
    """

    decision: int
    moves: list[tuple[int, float, int]]


@dataclass(slots=True)
class TableRow:
    """A table as lists show it: all that is agreed before play, and its status.

    `rematch` is the id of the table at which the same seats play again. `lesson` is how many steps of its game's lesson
    are done there; None if it is no lesson, or its learner has left the lesson. `options` are those with which the game
    is played, so what seats choose changes them. `owned` tells whether players play with cards of their own.
    """

    id: str
    game: str
    version: int
    options: Json
    clock: str
    speed: str
    private: bool
    status: str
    made: float
    begun: float | None = None
    rematch: str | None = None
    lesson: int | None = None
    rated: bool = False
    owned: bool = False


@dataclass(slots=True)
class Seat:
    """A seat: empty, a player's, or a bot's. While `stand_in` is set, a bot plays on for a player who left.

    `number` is the player's, `since` when they or the bot sat down, and `moved` counts how often the seat has moved
    from one device to another. `player`, the player's id, and `name` are no part of the log: `seating.py` adds them.
    """

    table: str
    seat: int
    number: int | None = None
    bot: str | None = None
    stand_in: bool = False
    moved: int = 0
    since: float = 0.0
    stranger: str = ""
    player: str | None = None
    name: str | None = None

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits here."""
        return self.number is not None or self.bot is not None or bool(self.stranger)

    def give_to(self, sitter: Sitter, at: float) -> None:
        """Give the seat to a player or a bot, or to nobody."""
        self.number, self.bot, self.since, self.stranger = sitter.player, sitter.bot, at, sitter.stranger
        self.player = self.name = None


@dataclass(slots=True)
class Folded:
    """A table without its match, as its log makes it: its row, its seats in order, its seed and its record.

    `commitment` is the one to the match; it is empty in the logs of older versions. It covers the rules of `version`,
    which are older than those in the row if new rules came since. `is_known` tells whether its
    players may know the cards before play: in a lesson, and in a game that was played on. `position` is the one from
    which the match begins, empty if it is dealt. `ended` is when it ended.
    `hints` are allowed at a table of several people. `committed` are the options that the commitment covers, and
    `chosen` what each seat chose after it. `gains` are the cards that have changed hands, by the seat that gained.
    """

    row: TableRow
    seats: list[Seat]
    seed: str
    commitment: str
    version: int
    is_known: bool = False
    hints: bool = False
    position: str = ""
    ended: float | None = None
    record: Json | None = None
    stopped: Stopped | None = None
    """Why the game ended without a result and a record; None if it did not."""
    reveals: dict[int, Reveal] = field(default_factory=dict)
    """By seat, the commitments of players to random numbers, with the numbers that they have revealed."""
    alike: tuple[int, ...] | None = None
    """The seats of a rated game whose players share a browser or an address; None as long as nobody has looked."""
    agreed: dict[int, str] = field(default_factory=dict)
    """The seats whose players want to play again, each with the commitment for that game, which may be empty."""
    committed: Json = field(default_factory=dict)
    chosen: dict[int, SeatChoice] = field(default_factory=dict)
    gains: list[tuple[int, Gained]] = field(default_factory=list)

    @property
    def chosen_options(self) -> Json:
        """The options that are other than the commitment says, since seats chose them later."""
        return {name: value for name, value in self.row.options.items() if value != self.committed.get(name)}

    @property
    def is_mixing(self) -> bool:
        """Whether all seats are taken, and the deal waits until those who have committed reveal their numbers."""
        return self.row.status == WAITING and bool(self.reveals) and all(seat.is_taken for seat in self.seats)

    def take(self, entry: LogEntry) -> None:
        """Take the next entry; entries of a match change nothing here, but for a bot that stands in."""
        row, kind = self.row, entry.kind
        if kind == SAT:
            self.seat(entry.seat, decoded(entry, Sitter), entry.at)
        elif kind == LEFT:
            self.seat(entry.seat, Sitter(), entry.at)
        elif kind == CHOSE:
            self.choose(entry.seat, decoded(entry, SeatChoice))
        elif kind == GAINED:
            self.gains.append((entry.seat, decoded(entry, Gained)))
        elif kind == COMMITTED:
            self.reveals[entry.seat] = Reveal(entry.seat, entry.text)
        elif kind == REVEALED:
            self.reveals[entry.seat] = msgspec.structs.replace(self.reveals[entry.seat], revealed=entry.text)
        elif kind == BEGUN:
            row.status, row.begun = PLAYING, entry.at
        elif kind in (STAND_IN, RETURNED):
            self.seats[entry.seat].stand_in = kind == STAND_IN
        elif kind == SEAT_MOVED:
            seat = self.seats[entry.seat]
            seat.number, seat.player, seat.moved = int(entry.text), None, seat.moved + 1
        elif kind == SPEED:
            row.speed = entry.text
        elif kind == STEP:
            row.lesson = int(entry.text) if entry.text else None
        elif kind == AGREED:
            answer, _, commitment = entry.text.partition(" ")
            self.agreed.pop(entry.seat, None)
            self.agreed |= {entry.seat: commitment} if answer == YES else {}
        elif kind == ALIKE:
            self.alike = tuple(map(int, entry.text.split()))
        elif kind == AGAIN:
            row.rematch = entry.text
        elif kind == RULES:
            row.version = int(entry.text)
        elif kind == STOPPED:
            row.status, self.ended, self.stopped = OVER, entry.at, decoded(entry, Stopped)
        elif kind == CLOSED:
            row.status, self.ended, self.record = OVER, entry.at, decoded(entry, Json)

    def seat(self, seat: int, sitter: Sitter, at: float) -> None:
        """Give a seat to a player or a bot, or to nobody."""
        self.seats[seat].give_to(sitter, at)
        self.reveals.pop(seat, None)
        if sitter.commitment:
            self.reveals[seat] = Reveal(seat, sitter.commitment)
        self.choose(seat, None)

    def choose(self, seat: int, chosen: SeatChoice | None) -> None:
        """Take what a seat chose for itself; with None its options are again those that were agreed."""
        if chosen is None and seat not in self.chosen:
            return
        self.chosen.pop(seat, None)
        self.chosen |= {seat: chosen} if chosen else {}
        self.row.options = self.options_with(self.chosen)

    def options_with(self, chosen: Mapping[int, SeatChoice]) -> Json:
        """Return the options as they are with what seats have chosen, by seat."""
        options = self.committed
        for seat, each in sorted(chosen.items()):
            options = each.put(options, len(self.seats), seat)
        return options


def begin_fold(entry: LogEntry) -> Folded:
    """Return the table that the first entry of a log makes; raises BadRecord if it is none."""
    if entry.kind != MADE or entry.seq != 1:
        raise BadRecord("this log does not begin with the making of its table")
    made = decoded(entry, Made)
    agreed = made.game, made.version, {**made.options, **made.chosen}, made.clock, made.speed, made.private
    row = TableRow(entry.table, *agreed, WAITING, entry.at, lesson=made.lesson, rated=made.rated, owned=made.owned)
    seats = [Seat(entry.table, number) for number in range(len(made.seats))]
    is_known = made.played_on or made.brought_in or made.lesson is not None
    folded = Folded(row, seats, made.seed, made.commitment, made.version, is_known, made.hints, made.position)
    for seat, sitter in enumerate(made.seats):
        folded.seat(seat, sitter, entry.at)
    folded.reveals |= {each.seat: each for each in made.reveals}
    folded.committed = made.options
    return folded


def fold(entries: Sequence[LogEntry]) -> Folded:
    """Return the table that follows from all entries of its log; raises BadRecord if entries are missing."""
    check_places(entries)
    folded = begin_fold(entries[0])
    for entry in entries[1:]:
        folded.take(entry)
    return folded


def check_places(entries: Sequence[LogEntry]) -> None:
    """Raise BadRecord unless these entries have the places from 1 on, each once."""
    if not entries or [entry.seq for entry in entries] != list(range(1, 1 + len(entries))):
        raise BadRecord("entries of this log are missing")


def log_from(table: str, acts: Iterable[Act], at: float, first: int = 1) -> list[LogEntry]:
    """Return entries that follow each other, from the seat, the kind and the text of each."""
    return [LogEntry(table, seq, seat, kind, text, at) for seq, (seat, kind, text) in enumerate(acts, first)]


def encoded(data: object) -> str:
    """Return what an entry holds as JSON."""
    return msgspec.json.encode(data).decode()


def decoded(entry: LogEntry, kind: type[Data]) -> Data:
    """Return what an entry holds; raises BadRecord if it is not what its kind needs."""
    try:
        return msgspec.json.decode(entry.text, type=kind)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadRecord(f"entry {entry.seq} of this log cannot be read: {error}") from error
