"""Drawing tables for the sockets: one page for each seat that somebody watches from, and one for all spectators.

`tables.py` calls `show` when a table changes. `sockets.py` sends each watcher the HTML, which comes from the template
table_body.html and the values of `contexts.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from minijinja import Environment

from quintain.server.pages.contexts import table_context
from quintain.server.people.players import THEMES, Signer, Visitor
from quintain.server.people.watchers import Watcher
from quintain.server.store.peers import Peers
from quintain.server.tables.table import Table
from quintain.server.tables.viewing import Viewing

NOBODY = Visitor("", None, "", THEMES[0])
"""All spectators share the page of this visitor, and those who want to read no talk that of a quiet one."""
log = logging.getLogger("quintain.server")


class Order(NamedTuple):
    """A page to draw: its viewer, and the two addresses in it that depend on the viewer."""

    visitor: Visitor
    base_url: str
    move_link: str


def draw(templates: Environment, table: Table, order: Order) -> str:
    """Return the part of a table's page that changes, with only what this viewer may see."""
    viewing = Viewing.of(table, order.visitor)
    context = table_context(viewing, order.base_url, order.move_link, pushed=True)
    return templates.render_template("table_body.html", **context)


class Drawing:
    """Draws tables for those who watch them."""

    def __init__(self, templates: Environment, signer: Signer, peers: Peers | None = None):
        self.templates, self.signer, self.peers = templates, signer, peers
        self._changed: set[Table] = set()
        """The tables that have changed in this turn of the event loop; they are drawn when it is over."""

    @contextlib.contextmanager
    def watching(self, table: Table, watcher: Watcher) -> Iterator[None]:
        """Show a table to a watcher as long as the context lasts.

        The others at the table see that a player is connected; of a spectator they see nothing.
        """
        table.watchers.add(watcher)
        if table.seat_of(watcher.player) is None:
            self._welcome(table, watcher)
        else:
            self.show(table)
        if self.peers:
            self.peers.enter(table.id, watcher.player)
        try:
            yield
        finally:
            table.watchers.discard(watcher)
            if table.seat_of(watcher.player) is not None:
                self.show(table)
            if self.peers:
                self.peers.leave(table.id, watcher.player)

    def _welcome(self, table: Table, watcher: Watcher) -> None:
        """Show a table to a spectator who has just come, as it was last shown to others who see the same page."""
        if table in self._changed or not table.is_settled:
            self.show(table)
            return
        order = self._order(table, watcher)
        same = (other for other in table.watchers if other.html is not None and self._order(table, other) == order)
        if other := next(same, None):
            watcher.show(other.html)
        else:
            self._draw(table, {order: [watcher]})

    def show(self, table: Table) -> None:
        """Show a changed table to everybody who watches it, once for all changes of this turn of the event loop."""
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._show_changed)
        self._changed.add(table)

    def _show_changed(self) -> None:
        changed, self._changed = self._changed, set()
        for table in changed:
            if table.is_settled:
                self._draw(table, self.orders(table))
            else:
                _when_settled(table, partial(self.show, table))

    def _draw(self, table: Table, orders: Mapping[Order, Collection[Watcher]]) -> None:
        for order, watchers in orders.items():
            try:
                html = None if table.is_lost else draw(self.templates, table, order)
            except Exception:
                log.exception("a view cannot be drawn", extra={"table": table.id})
                html = None
            for watcher in watchers:
                watcher.show(html)

    def orders(self, table: Table) -> dict[Order, list[Watcher]]:
        """Return the pages to draw for a table, each with its watchers: one page a seat, and one for all spectators."""
        wanted: dict[Order, list[Watcher]] = {}
        for watcher in table.watchers:
            wanted.setdefault(self._order(table, watcher), []).append(watcher)
        return wanted

    def _order(self, table: Table, watcher: Watcher) -> Order:
        if table.match and table.seat_of(watcher.player) is None:
            return Order(replace(NOBODY, quiet=watcher.visitor.quiet), watcher.base_url, "")
        link = move_link(self.signer, table, watcher.visitor, watcher.base_url)
        return Order(watcher.visitor, watcher.base_url, link)


def move_link(signer: Signer, table: Table, visitor: Visitor, base_url: str) -> str:
    """Return the address that moves a player's seat to another device; empty for spectators, and in a rated game."""
    seat = table.seat_of(visitor.id)
    if seat is None or table.row.rated:
        return ""
    return f"{base_url}/seat/{signer.seat_token(table.id, seat, visitor.id, table.seats[seat].moved, visitor.session)}"


def _when_settled(table: Table, do: partial[None]) -> None:
    """Do something once the entry that the table is writing is on disk."""
    assert table.settling
    table.settling.add_done_callback(lambda _: do())
