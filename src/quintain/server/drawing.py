"""Drawing what is pushed: where many watch, in a process of its own, so that the event loop only sends.

The other process is sent what the viewers of a table see, and answers with whole pages. They are kept back until what
they show is on disk. As long as it is not there, or where it fails, pages are drawn here: both draw by the same
function, and the same pages.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import multiprocessing
import os
import signal
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from minijinja import Environment

from quintain.engine.game import game, register_file
from quintain.engine.match import Match, SeenMatch, Sight
from quintain.server import logs, processors, store
from quintain.server.contexts import table_context
from quintain.server.pages import environment, render
from quintain.server.players import THEMES, Signer, Visitor
from quintain.server.table import Hint, Table, Watcher

MANY = 16
"""Watchers from which on a process of its own is worth its memory, where there is a processor for it."""
MOST_COPIES = 1000
"""Matches that the other process keeps; both sides count which."""
NICENESS = 2
"""By how much drawing steps back for writing the log, without which nothing that is drawn is shown."""
HEAD, MOST_BUFFERED = 4, 2**22
"""Bytes that tell the length of a message, and of what is read ahead."""
NOBODY = Visitor("", None, "", THEMES[0])
"""Stands for all spectators."""
log = logging.getLogger("quintain.server")


class Order(NamedTuple):
    """A page that is wanted: for whom, and the addresses that stand in it."""

    visitor: Visitor
    base_url: str
    move_link: str


class Situation(msgspec.Struct, array_like=True):
    """What a copy of a table has to know besides the match; `watched` lists the seats whose players are there."""

    row: store.Table
    seats: list[store.Seat]
    asked_at: list[float]
    opened_at: float
    told: dict[int | None, int]
    hints: dict[int, Hint]
    notes: dict[int, str]
    watched: list[int]

    @classmethod
    def of(cls, table: Table) -> Situation:
        """Return the situation of a table."""
        watched = [seat.seat for seat in table.seats if table.is_watched_from(seat.seat)]
        asked = table.asked_at, table.opened_at, table.told
        return cls(table.row, table.seats, *asked, table.hints, table.notes, watched)


class Job(msgspec.Struct, array_like=True):
    """What is drawn of a table as it is now; a table that is `new` is sent with the whole log."""

    situation: Situation
    new: bool
    sight: Sight
    orders: list[Order]


class Answer(msgspec.Struct, array_like=True):
    """The pages of a job; None if they could not be drawn."""

    table: str
    pages: list[str] | None


class Copy(Table):
    """A table in the other process."""

    match: SeenMatch

    def __init__(self, row: store.Table, seats: Sequence[store.Seat]):
        super().__init__(row, seats)
        found, names = game(row.game), [seat.name or "" for seat in seats]
        options = found.read_options(len(seats), row.options)
        self.match = SeenMatch(found, names, options, bytes.fromhex(row.seed))

    def follow(self, situation: Situation, sight: Sight) -> None:
        """Become the same as the table whose situation this is."""
        self.match.follow(sight)
        self.row, self.seats, self.watched = situation.row, situation.seats, situation.watched
        self.asked_at, self.opened_at, self.told = situation.asked_at, situation.opened_at, situation.told
        self.hints, self.notes = situation.hints, situation.notes
        self.views.clear()

    def is_watched_from(self, seat: int) -> bool:
        """Tell whether the player of a seat has the table open."""
        return seat in self.watched


ENCODER = msgspec.msgpack.Encoder()
JOBS, ANSWERS = msgspec.msgpack.Decoder(Job), msgspec.msgpack.Decoder(Answer | None)


def draw(templates: Environment, table: Table, order: Order) -> str:
    """Return all of a table that changes, as one viewer may see it."""
    return render(templates, "table_body.html", table_context(table, *order))


class Drawn(NamedTuple):
    """A table that the other process has been sent, its match then, and who waits for each page."""

    table: Table
    match: Match
    waiting: list[list[Watcher]]


class Drawing:
    """Draws tables for those who watch them: here, or in the other process once that is up."""

    def __init__(self, templates: Environment, signer: Signer, game_files: Sequence[Path] = ()):
        self.templates, self.signer, self.game_files = templates, signer, tuple(game_files)
        self._watchers = 0
        self._changed: set[Table] = set()
        """The tables that are drawn when this turn of the event loop is over."""
        self._drawn: dict[str, Drawn] = {}
        """The tables that the other process draws, or has drawn."""
        self._again: dict[str, Table] = {}
        """Those that have changed meanwhile."""
        self._attending: asyncio.Task[None] | None = None
        self._there: asyncio.StreamWriter | None = None
        self._copies: OrderedDict[str, dict[int | None, int]] = OrderedDict()
        """How much of each viewer's log the other process has of each match."""

    @contextlib.contextmanager
    def watching(self, table: Table, watcher: Watcher) -> Iterator[None]:
        """Show a table to a watcher, and to all others that they are there."""
        table.watchers.add(watcher)
        self._watchers += 1
        if self._watchers >= MANY and len(processors.usable()) > 1:
            self.start()
        self.show(table)
        try:
            yield
        finally:
            self._watchers -= 1
            table.watchers.discard(watcher)
            self.show(table)

    def show(self, table: Table) -> None:
        """Show a table that has changed to all who watch it, once for all changes until then."""
        if table.id in self._drawn:
            self._again[table.id] = table
            return
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._show_changed)
        self._changed.add(table)

    def start(self) -> None:
        """Start the other process if it does not run."""
        if self._attending is None or self._attending.done():
            self._attending = asyncio.create_task(self._attend())

    async def stop(self) -> None:
        """End the other process."""
        if self._attending:
            self._attending.cancel()
            await asyncio.gather(self._attending, return_exceptions=True)

    def _show_changed(self) -> None:
        changed, self._changed = self._changed, set()
        for table in changed:
            waiting = self._waiting(table)
            if waiting and self._there and table.match and not table.is_lost:
                self._drawn[table.id] = Drawn(table, table.match, list(waiting.values()))
                try:
                    self._there.write(_message(self._job(table, table.match, list(waiting))))
                except Exception:
                    log.exception("a table is not sent to be drawn", extra={"table": table.id})
                    self._take(self._drawn[table.id], None)
            elif table.is_settled:
                self._draw_here(table)
            else:
                _when_settled(table, partial(self.show, table))

    def _draw_here(self, table: Table) -> None:
        for order, watchers in self._waiting(table).items():
            try:
                html = None if table.is_lost else draw(self.templates, table, order)
            except Exception:
                log.exception("a view is not drawn", extra={"table": table.id})
                html = None
            _hand_out(html, watchers)

    def _waiting(self, table: Table) -> dict[Order, list[Watcher]]:
        """Return what is drawn, and for whom: for all at one seat, and for all spectators of a match, the same."""
        waiting: dict[Order, list[Watcher]] = {}
        for watcher in table.watchers:
            if table.match and table.seat_of(watcher.player) is None:
                order = Order(NOBODY, watcher.base_url, "")
            else:
                link = move_link(self.signer, table, watcher.player, watcher.base_url)
                order = Order(watcher.visitor, watcher.base_url, link)
            waiting.setdefault(order, []).append(watcher)
        return waiting

    def _job(self, table: Table, match: Match, orders: list[Order]) -> Job:
        """Return what the other process has to know to draw a table."""
        new, known = table.id not in self._copies, self._copies.pop(table.id, {})
        viewers = {table.seat_of(order.visitor.id) for order in orders}
        job = Job(Situation.of(table), new, match.sight(viewers, known), orders)
        _keep(self._copies, table.id, known | {viewer: len(match.log(viewer)) for viewer in viewers})
        return job

    async def _attend(self) -> None:
        """Start the other process, and hand out what it has drawn until it ends."""
        ours, theirs = socket.socketpair()
        context = multiprocessing.get_context("spawn")
        process = context.Process(name="drawing", target=_work, args=(theirs, self.game_files), daemon=True)
        process.start()
        theirs.close()
        reader, writer = await asyncio.open_connection(sock=ours, limit=MOST_BUFFERED)
        assert process.pid
        try:
            with processors.parted(process.pid):
                while True:
                    length = int.from_bytes(await reader.readexactly(HEAD))
                    answer = ANSWERS.decode(await reader.readexactly(length))
                    self._there = writer
                    if answer:
                        self._take(self._drawn[answer.table], answer.pages)
        except (asyncio.IncompleteReadError, OSError):
            log.warning("the process that draws has ended")
        finally:
            self._there = None
            writer.close()
            process.kill()
            self._copies.clear()
            for drawn in list(self._drawn.values()):
                self._take(drawn, None)
            await asyncio.to_thread(process.join)

    def _take(self, drawn: Drawn, pages: Sequence[str] | None) -> None:
        """Hand out the pages of a table; it is drawn here if they could not be, and again if it has changed since."""
        table = drawn.table
        if not table.is_settled:
            _when_settled(table, partial(self._take, drawn, pages))
            return
        if self._drawn.get(table.id) is not drawn:
            return
        del self._drawn[table.id]
        if pages is None or table.is_lost or table.match is not drawn.match:
            self._copies.pop(table.id, None)
            self._draw_here(table)
        else:
            for html, watchers in zip(pages, drawn.waiting, strict=True):
                _hand_out(html, watchers)
        if again := self._again.pop(table.id, None):
            self.show(again)


def move_link(signer: Signer, table: Table, player: str, base_url: str) -> str:
    """Return the address that moves a player's seat to another device; empty for spectators."""
    seat = table.seat_of(player)
    if seat is None:
        return ""
    return f"{base_url}/seat/{signer.seat_token(table.id, seat, player, table.seats[seat].moved)}"


def _when_settled(table: Table, do: Callable[[], None]) -> None:
    """Do something once all that has been carried out at a table is on disk."""
    assert table.settling
    table.settling.add_done_callback(lambda _: do())


def _hand_out(html: str | None, watchers: Sequence[Watcher]) -> None:
    for watcher in watchers:
        watcher.html = html
        watcher.news.set()


def _keep(copies: OrderedDict[str, Any], id_: str, kept: Any) -> None:
    """Keep what was used last, and not more than there is room for."""
    copies[id_] = kept
    if len(copies) > MOST_COPIES:
        copies.popitem(last=False)


def _message(content: Job | Answer | None) -> bytearray:
    message = bytearray(HEAD)
    ENCODER.encode_into(content, message, HEAD)
    message[:HEAD] = (len(message) - HEAD).to_bytes(HEAD)
    return message


def _work(there: socket.socket, game_files: Sequence[Path]) -> None:
    """Say that the process is up, and draw what is asked for until the server ends, to which Ctrl-C is left.

    Nothing here makes circles of objects, and so no collector has to look for them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    logs.set_up("warning")
    for path in game_files:
        register_file(path)
    templates, copies = environment(), OrderedDict[str, Copy]()
    gc.disable()
    with contextlib.suppress(ConnectionError), there.makefile("rb") as stream:
        there.sendall(_message(None))
        while head := stream.read(HEAD):
            job = JOBS.decode(stream.read(int.from_bytes(head)))
            there.sendall(_message(Answer(job.situation.row.id, _pages(templates, copies, job))))


def _pages(templates: Environment, copies: OrderedDict[str, Copy], job: Job) -> list[str] | None:
    """Return the pages of a job; None if they cannot be drawn, and why is said."""
    id_ = job.situation.row.id
    copy = copies.pop(id_, None)
    try:
        if job.new:
            copy = Copy(job.situation.row, job.situation.seats)
        assert copy, "its match is not here"
        copy.follow(job.situation, job.sight)
        pages = [draw(templates, copy, order) for order in job.orders]
    except Exception:
        log.exception("not drawn in the other process", extra={"table": id_})
        return None
    _keep(copies, id_, copy)
    return pages
