"""The values for the tab Browse: the cards of a game that a search leaves."""

from __future__ import annotations

from quintain.engine.rules.game import Game
from quintain.server.pages.cards.listed import has_words, shown_cards
from quintain.server.pages.cards.tabs import BROWSE, frame_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.rulebooks import words_of
from quintain.server.people.players import Visitor


def browse_context(found: Game, visitor: Visitor, search: str) -> Context:
    """Return the values for the cards of a game."""
    words = words_of(search)
    cards = [each for each in shown_cards(found).values() if has_words(each.card, words)]
    frame = frame_context(visitor, found, BROWSE, f"The cards of {found.title}")
    return {**frame, "cards": cards, "number": len(shown_cards(found))}
