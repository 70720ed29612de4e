"""The values for the panel of the games that bots play with a deck."""

from __future__ import annotations

from quintain.server.model.own_decks import OwnDeck
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.deck_pages import deck_href
from quintain.server.pages.contexts import page_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor


def deck_panel(own: OwnDeck, trialed: Trialed) -> Context:
    """Return the values for the panel of the games that bots play with a deck."""
    return trialed.panel(f"{deck_href(own)}/balance") | {"query": ""}


def deck_balance_context(visitor: Visitor, own: OwnDeck, trialed: Trialed) -> Context:
    """Return the values for what moves on the page of a deck while bots play with it."""
    return {**page_context(visitor, own.name, deck_href(own)), "balance": deck_panel(own, trialed), "shares": []}
