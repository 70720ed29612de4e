"""Drawing what is pushed: once for each seat that is watched, and once for all spectators."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from minijinja import Environment

from quintain.server.contexts import table_context
from quintain.server.players import THEMES, Signer, Visitor
from quintain.server.table import Table, Watcher

NOBODY = Visitor("", None, "", THEMES[0])
"""Stands for all spectators."""
log = logging.getLogger("quintain.server")


class Order(NamedTuple):
    """A page that is wanted: for whom, and the addresses that stand in it."""

    visitor: Visitor
    base_url: str
    move_link: str


def draw(templates: Environment, table: Table, order: Order) -> str:
    """Return all of a table that changes, as one viewer may see it."""
    return templates.render_template("table_body.html", **table_context(table, *order, pushed=True))


class Drawing:
    """Draws tables for those who watch them."""

    def __init__(self, templates: Environment, signer: Signer):
        self.templates, self.signer = templates, signer
        self._changed: set[Table] = set()
        """The tables that are drawn when this turn of the event loop is over."""

    @contextlib.contextmanager
    def watching(self, table: Table, watcher: Watcher) -> Iterator[None]:
        """Show a table to a watcher, and to all others that they are there."""
        table.watchers.add(watcher)
        self.show(table)
        try:
            yield
        finally:
            table.watchers.discard(watcher)
            self.show(table)

    def show(self, table: Table) -> None:
        """Show a table that has changed to all who watch it, once for all changes until then."""
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._show_changed)
        self._changed.add(table)

    def _show_changed(self) -> None:
        changed, self._changed = self._changed, set()
        for table in changed:
            if table.is_settled:
                self._draw(table)
            else:
                _when_settled(table, partial(self.show, table))

    def _draw(self, table: Table) -> None:
        for order, watchers in self.orders(table).items():
            try:
                html = None if table.is_lost else draw(self.templates, table, order)
            except Exception:
                log.exception("a view is not drawn", extra={"table": table.id})
                html = None
            for watcher in watchers:
                watcher.show(html)

    def orders(self, table: Table) -> dict[Order, list[Watcher]]:
        """Return the pages that a table's watchers want: one for each seat, and one for all spectators of a match."""
        wanted: dict[Order, list[Watcher]] = {}
        for watcher in table.watchers:
            if table.match and table.seat_of(watcher.player) is None:
                order = Order(NOBODY, watcher.base_url, "")
            else:
                link = move_link(self.signer, table, watcher.player, watcher.base_url)
                order = Order(watcher.visitor, watcher.base_url, link)
            wanted.setdefault(order, []).append(watcher)
        return wanted


def move_link(signer: Signer, table: Table, player: str, base_url: str) -> str:
    """Return the address that moves a player's seat to another device; empty for spectators."""
    seat = table.seat_of(player)
    if seat is None:
        return ""
    return f"{base_url}/seat/{signer.seat_token(table.id, seat, player, table.seats[seat].moved)}"


def _when_settled(table: Table, do: partial[None]) -> None:
    """Do something once all that has been carried out at a table is on disk."""
    assert table.settling
    table.settling.add_done_callback(lambda _: do())
