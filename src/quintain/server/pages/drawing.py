"""Drawing tables for the sockets: one page for each seat that somebody watches from, and one for all spectators.

`memory.py` calls `show` when a table changes. `sockets.py` sends each watcher the HTML, which comes from the template
table_body.html and the values of `contexts.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from minijinja import Environment

from quintain.server.pages.contexts import table_context
from quintain.server.people.players import THEMES, Signer, Visitor
from quintain.server.people.watchers import Watcher
from quintain.server.tables.live_table import LiveTable, Viewing
from quintain.server.tables.storage import Leases
from quintain.server.tables.table import Table

NOBODY = Visitor("", None, "", THEMES[0])
"""All spectators share the page of this visitor, and those who want to read no talk that of a quiet one."""
log = logging.getLogger("quintain.server")


class Order(NamedTuple):
    """A page to draw: its viewer, and the two addresses in it that depend on the viewer."""

    visitor: Visitor
    base_url: str
    move_link: str


def draw(templates: Environment, live: LiveTable, order: Order) -> str:
    """Return the part of a table's page that changes, with only what this viewer may see."""
    viewing = Viewing.of(live, order.visitor)
    context = table_context(viewing, order.base_url, order.move_link)
    return templates.render_template("table_body.html", **context)


class Drawing:
    """Draws tables for those who watch them; `draws` returns the HTML, unless `draw` does."""

    def __init__(
        self,
        templates: Environment,
        signer: Signer,
        peers: Leases | None = None,
        draws: Callable[[LiveTable, Order], str] | None = None,
    ):
        self.templates, self.signer, self.peers = templates, signer, peers
        self._draws = draws or (lambda live, order: draw(templates, live, order))
        self._changed: set[LiveTable] = set()
        """The tables that have changed in this turn of the event loop; they are drawn when it is over."""

    @contextlib.contextmanager
    def watching(self, live: LiveTable, watcher: Watcher) -> Iterator[None]:
        """Show a table to a watcher as long as the context lasts.

        The others at the table see that a player is connected; of a spectator they see nothing.
        """
        live.watchers.add(watcher)
        if live.table.seat_of(watcher.player) is None:
            self._welcome(live, watcher)
        else:
            self.show(live)
        if self.peers:
            self.peers.enter(live.id, watcher.player)
        try:
            yield
        finally:
            live.watchers.discard(watcher)
            if live.table.seat_of(watcher.player) is not None:
                self.show(live)
            if self.peers:
                self.peers.leave(live.id, watcher.player)

    def _welcome(self, live: LiveTable, watcher: Watcher) -> None:
        """Show a table to a spectator who has just come, as it was last shown to others who see the same page."""
        if live in self._changed or not live.is_settled:
            self.show(live)
            return
        order = self._order(live, watcher)
        same = (other for other in live.watchers if other.html is not None and self._order(live, other) == order)
        if other := next(same, None):
            watcher.show(other.html)
        else:
            self._draw(live, {order: [watcher]})

    def show(self, live: LiveTable) -> None:
        """Show a changed table to everybody who watches it, once for all changes of this turn of the event loop."""
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._show_changed)
        self._changed.add(live)

    def _show_changed(self) -> None:
        changed, self._changed = self._changed, set()
        for live in changed:
            if live.is_settled:
                self._draw(live, self.orders(live))
            else:
                _when_settled(live, partial(self.show, live))

    def _draw(self, live: LiveTable, orders: Mapping[Order, Collection[Watcher]]) -> None:
        for order, watchers in orders.items():
            try:
                html = None if live.is_lost or live.table.is_old else self._draws(live, order)
            except Exception:
                log.exception("a view cannot be drawn", extra={"table": live.id})
                html = None
            for watcher in watchers:
                watcher.show(html)

    def orders(self, live: LiveTable) -> dict[Order, list[Watcher]]:
        """Return the pages to draw for a table, each with its watchers: one page a seat, and one for all spectators."""
        wanted: dict[Order, list[Watcher]] = {}
        for watcher in live.watchers:
            wanted.setdefault(self._order(live, watcher), []).append(watcher)
        return wanted

    def _order(self, live: LiveTable, watcher: Watcher) -> Order:
        if live.table.match and live.table.seat_of(watcher.player) is None:
            return Order(replace(NOBODY, quiet=watcher.visitor.quiet), watcher.base_url, "")
        link = move_link(self.signer, live.table, watcher.visitor, watcher.base_url)
        return Order(watcher.visitor, watcher.base_url, link)


def move_link(signer: Signer, table: Table, visitor: Visitor, base_url: str) -> str:
    """Return the address that moves a player's seat to another device; empty for spectators, and in a rated game."""
    seat = table.seat_of(visitor.id)
    if seat is None or table.row.rated:
        return ""
    return f"{base_url}/seat/{signer.seat_token(table.id, seat, visitor.id, table.seats[seat].moved, visitor.session)}"


def _when_settled(live: LiveTable, do: partial[None]) -> None:
    """Do something once the entry that the table is writing is on disk."""
    assert live.settling
    live.settling.add_done_callback(lambda _: do())
