"""Somebody who has a page open that hears of news: a table or the lobby."""

from __future__ import annotations

import asyncio

from quintain.server.people.players import Visitor


class Watcher:
    """Somebody who has a table or the lobby open; `news` is set whenever they have something new to see.

    `base_url` is the server's address as they see it; `html` was last drawn for them, None if drawing failed.
    `wish` says which tables they want to see in the lobby.
    """

    def __init__(self, visitor: Visitor, base_url: str = "", wish: str = ""):
        self.visitor, self.base_url, self.wish = visitor, base_url, wish
        self.html: str | None = None
        self.is_signed_out = False
        self.news = asyncio.Event()

    @property
    def player(self) -> str:
        """The id of the player who watches."""
        return self.visitor.id

    def show(self, html: str | None) -> None:
        """Send a page unless they see the same already: the number of pages must reveal nothing about hidden steps."""
        if html is None or html != self.html:
            self.html = html
            self.news.set()

    def sign_out(self) -> None:
        """Show nothing more: the player's session has ended."""
        self.is_signed_out = True
        self.news.set()
