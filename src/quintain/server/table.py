"""A table in memory: its seats, and the match that its log gives. Nothing here waits, and nothing is written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import NamedTuple

from quintain.engine.errors import CannotUndo, IllegalMove, QuintainError
from quintain.engine.match import Match
from quintain.engine.names import NUMBERED, check_names, looks
from quintain.engine.registry import game
from quintain.server import store
from quintain.server.clock import now
from quintain.server.players import Visitor
from quintain.server.store import LogEntry

CLOCKS = {"none": None, "30": 30.0, "60": 60.0, "day": 86400.0}
"""Seconds for each decision."""
GRACE = 30.0
"""Seconds after the clock until a bot plays on."""
SPEEDS = {"slow": 2.0, "usual": 0.8, "fast": 0.2}
"""Seconds that a bot takes for a move, so that one can follow."""


class Refused(QuintainError):
    """Something that cannot be done, with the status of HTTP that says so."""

    def __init__(self, status: int, words: str):
        super().__init__(words)
        self.status = status


class Hint(NamedTuple):
    """What the search told a seat about one decision: words, share of wins and simulations, the best move first."""

    decision: int
    moves: list[tuple[str, float, int]]


class Watcher:
    """Somebody who has a table or the lobby open, and is woken when there is something new to see.

    `base_url` is how they reach the server; `html` is what was last drawn for them, None if that failed.
    """

    def __init__(self, visitor: Visitor, base_url: str = ""):
        self.visitor, self.base_url = visitor, base_url
        self.html: str | None = None
        self.news = asyncio.Event()

    @property
    def player(self) -> str:
        """Who watches."""
        return self.visitor.id

    def show(self, html: str | None) -> None:
        """Send a page, unless this is what they see already: how often one comes must tell nothing."""
        if html is None or html != self.html:
            self.html = html
            self.news.set()


class Table:
    """A table and all that follows from its log."""

    def __init__(self, row: store.StoredTable, seats: Sequence[store.Seat]):
        self.row, self.seats = row, list(seats)
        self.match: Match | None = None
        self.seq = 0
        self.asked_at: list[float] = []
        self._asked_before: list[list[float]] = []
        """For each seat, when it was asked what it has answered and can still take back."""
        self.hints: dict[int, Hint] = {}
        self.notes: dict[int, str] = {}
        """What people should know about the bot of a seat."""
        self.told: dict[int | None, int] = {}
        """How many lines of the log each seat (None: a spectator) had before the news."""
        self.lock = asyncio.Lock()
        self.settling: asyncio.Task[object] | None = None
        """The writing of an entry that has been carried out already: nobody is shown the table before it is over."""
        self.in_secret: set[int] = set()
        """Seats in the midst of a choice of which spectators have not yet seen the steps made."""
        self.thought: dict[int, list[float]] = {}
        """How many seconds the bot of a seat in the midst of a secret choice took for its first steps."""
        self.passing: set[int] = set()
        """Seats whose players want their only moves made for them."""
        self.is_lost = False
        """Whether what has been carried out is not on disk, and that cannot be read: this copy is of no use now."""
        self.changed = asyncio.Event()
        self.watchers: set[Watcher] = set()
        self.opened_at = now()
        self.used_at = now()
        """When somebody last asked for the table."""

    @property
    def id(self) -> str:
        """The id, which is all of the link that invites to this table."""
        return self.row.id

    @property
    def host(self) -> str:
        """The player who sits first: the bots of this table think in that player's turn."""
        return next((seat.player for seat in self.seats if seat.player), self.id)

    @property
    def status(self) -> str:
        """Whether the table waits for players, is playing, or is over."""
        return self.row.status

    @property
    def is_old(self) -> bool:
        """Whether this is a finished game of rules that are not here: it can be read, and no more."""
        return self.status == store.OVER and self.match is None

    @property
    def is_settled(self) -> bool:
        """Whether all that has been carried out is on disk."""
        return self.settling is None or self.settling.done()

    async def settled(self) -> None:
        """Wait until all that has been carried out is on disk, or taken back; raises Refused if it is lost."""
        while self.settling and not self.settling.done():
            await asyncio.wait([self.settling])
        if self.is_lost:
            raise Refused(503, "this table could not be kept: load it again")

    def seat_of(self, player: str) -> int | None:
        """Return the seat of a player; None for a spectator."""
        return next((seat.seat for seat in self.seats if seat.player == player), None)

    def own_seat(self, player: str) -> int:
        """Return the seat of a player; raises Refused for a spectator."""
        seat = self.seat_of(player)
        if seat is None:
            raise Refused(403, "you have no seat at this table")
        return seat

    def holder(self, seat: int) -> store.Seat:
        """Return a seat and who holds it; raises Refused if there is no such seat."""
        if not 0 <= seat < len(self.seats):
            raise Refused(404, f"there is no seat {seat} at this table")
        return self.seats[seat]

    def begin(self) -> None:
        """Deal, as the table's seed says; raises Refused for a game or rules that are not here."""
        found = game(self.row.game)
        if found.version != self.row.version:
            raise Refused(410, f"this table was begun under version {self.row.version} of the rules of {found.title}")
        names = [seat.name or "" for seat in self.seats]
        bots = [seat.bot for seat in self.seats]
        self.asked_at = [_past(self.row.begun or self.row.made)] * len(self.seats)
        self._asked_before = [[] for _ in self.seats]
        self.match = Match.new(found, len(self.seats), names, self.row.options, self.row.seed, bots)

    def become(self, again: Table) -> None:
        """Give up what has been carried out for what the log has. Nobody has less time for a decision than before."""
        self.match, self.seq, self.told, self.in_secret = again.match, again.seq, again.told, again.in_secret
        self.asked_at = list(map(max, self.asked_at, again.asked_at))
        self._asked_before = again._asked_before

    def apply(self, entries: Iterable[LogEntry]) -> None:
        """Carry out what stands next in the log. Moves of seats that have resigned are not in it: the seed has them.

        A step of a secret choice, of which a spectator sees nothing, moves no deadline: the whole choice has one.
        """
        match = self.playing()
        for entry in entries:
            before = [match.decision(seat) for seat in range(match.seats)]
            known = match.seen()
            asked = self.asked_at[entry.seat]
            if entry.kind == "undo":
                match.undo_again(entry.seat)
            elif entry.kind == "resign":
                match.resign(entry.seat)
            else:
                match.play(entry.seat, entry.text)
            self.seq = entry.seq
            self.told[entry.seat] = len(match.log(entry.seat))
            now_known = match.seen()
            if len(now_known.log) > len(known.log):
                self.told[None] = len(known.log)
            if match.outcome or now_known.state != known.state:
                self.in_secret.discard(entry.seat)
                self.thought.pop(entry.seat, None)
                for seat, number in enumerate(before):
                    if match.decision(seat) != number:
                        self.asked_at[seat] = _past(entry.at)
            else:
                self.in_secret.add(entry.seat)
            self._keep_clock(entry, asked)

    def _keep_clock(self, entry: LogEntry, asked: float) -> None:
        """Keep when a seat was `asked` what it may yet take back: taking a move back gives no new time."""
        before = self._asked_before[entry.seat]
        if entry.kind == "undo":
            self.asked_at[entry.seat] = before.pop() if before else asked
        elif self.playing().can_undo(entry.seat):
            before.append(asked)
        else:
            before.clear()

    def playing(self) -> Match:
        """Return the match; raises Refused before it has begun, and for an old one that cannot be played again."""
        self.check_here()
        if self.match is None:
            raise Refused(409, "this table waits for its players: play has not begun")
        return self.match

    def check_here(self) -> None:
        """Raise Refused for a game that can only be read."""
        if self.is_old:
            raise Refused(410, "this game was played under rules that are not here any more: only its record is")

    def entry(self, seat: int, kind: str, decision: object = None, move: int | str | None = None) -> LogEntry:
        """Return what would stand next in the log, and can be carried out; raises Refused, IllegalMove or CannotUndo.

        A move and an undo answer the seat's open `decision`.
        """
        match = self.playing()
        if match.outcome:
            raise Refused(409, "the game is over")
        if kind != "resign" and (seat not in match.to_act or decision != match.decision(seat)):
            raise Refused(409, "the table has changed since: look again")
        text = ""
        if kind == "move":
            text = self._words(match, seat, move)
        elif kind == "undo" and not match.can_undo(seat):
            raise CannotUndo("that move can no longer be taken back")
        elif kind == "resign" and match.has_resigned(seat):
            raise Refused(409, "you have resigned already")
        return LogEntry(table=self.id, seq=self.seq + 1, seat=seat, kind=kind, text=text, at=now())

    def _words(self, match: Match, seat: int, move: int | str | None) -> str:
        """Return a legal move in words; raises IllegalMove."""
        seen = match.seen(seat)
        for legal in seen.moves:
            if move in (legal.action, legal.text):
                return legal.text
        if not isinstance(move, int | str):
            raise IllegalMove("a move is the number of an action, or its words")
        reason = seen.why_not(move)
        raise IllegalMove(reason.words if reason else f"{move} is not a move that can be made now")

    def is_played_on(self, seat: int) -> bool:
        """Tell whether everybody can see that a person to act has no choice, and there is nothing to take back.

        Then no click is asked for. A choice that only a hidden hand leaves open or not is always asked for.
        """
        match = self.playing()
        return match.is_openly_forced(seat) and not match.can_undo(seat)

    def is_passed(self, seat: int) -> bool:
        """Tell whether a person to act has one move and nothing to take back, and wants such moves made for them."""
        match = self.playing()
        return seat in self.passing and len(match.moves(seat)) == 1 and not match.can_undo(seat)

    def deadline(self, seat: int) -> float | None:
        """Return when the time of a seat is up; None for a seat that has no clock or is not to act.

        After a restart of the server nobody's time is up before it has been open for the grace.
        """
        clock = CLOCKS[self.row.clock]
        holder = self.seats[seat]
        if clock is None or self.match is None or holder.bot or holder.stand_in or seat not in self.match.to_act:
            return None
        return max(self.asked_at[seat] + clock, self.opened_at)

    def is_watched_from(self, seat: int) -> bool:
        """Tell whether the player of a seat has the table open."""
        return any(watcher.player == self.seats[seat].player for watcher in self.watchers)


def _past(at: float) -> float:
    """Return a time of the log; now, if the machine's clock has been set back since and it lies in the future."""
    return min(at, now())


def distinct_name(name: str, others: Iterable[str]) -> str:
    """Return a name that looks like none of the others', numbered if need be; raises BadOption for what is no name."""
    (name,) = check_names([name], 1)
    taken = frozenset[str]().union(*map(looks, others))
    numbers = (f"{name[:NUMBERED].rstrip()} {number}" for number in count(2))
    return next(each for each in chain([name], numbers) if taken.isdisjoint(looks(each)))
