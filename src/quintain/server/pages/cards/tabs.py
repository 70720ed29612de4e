"""The frame of the place Cards: its tabs, and the games that have cards.

To add a tab, add a line to TABS, and a module of routes for its address. Its template extends cards_frame.html and
fills the block `tab`; its values begin with those of `frame_context`. A tab that is not in TABS is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from quintain.engine.errors import UnknownGame
from quintain.engine.rules.collection import chosen_sets
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, game
from quintain.server.model.deck_lists import has_decks
from quintain.server.pages.cards.listed import listed_cards
from quintain.server.pages.contexts import by_weight, game_facts, page_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.workshop.drafts import has_workshop

BROWSE, DECKS, SETS, WORKSHOP, PRINT = "", "decks", "sets", "workshop", "print"


class Tab(NamedTuple):
    """A tab: the last part of its address, its words, and which games have it."""

    name: str
    words: str
    is_for: Callable[[Game], bool]

    def href(self, found: Game) -> str:
        """Return the address of the tab for a game."""
        return f"/cards/{found.id}/{self.name}".rstrip("/")


def has_cards(found: Game) -> bool:
    """Tell whether a game lists its cards."""
    return found.collection is not None


def has_sets(found: Game) -> bool:
    """Tell whether players of a game choose sets of its cards."""
    return chosen_sets(found.collection) is not None


TABS = (
    Tab(BROWSE, "Browse", has_cards),
    Tab(DECKS, "Decks", has_decks),
    Tab(SETS, "Sets", has_sets),
    Tab(WORKSHOP, "Workshop", has_workshop),
    Tab(PRINT, "Print", has_cards),
)
"""The tabs, in their order."""


def games_with_cards() -> list[Game]:
    """Return the games that list their cards, from the easiest to the largest."""
    return [found for found in by_weight() if has_cards(found)]


def game_with_cards(game_id: str) -> Game:
    """Return a game that lists its cards; raises UnknownGame, which names the games that do."""
    found = game(game_id)
    if not has_cards(found):
        others = ", ".join(other.id for other in all_games() if other.collection)
        raise UnknownGame(f"{found.title} has no cards to list; the games that have some are {others}")
    return found


def frame_context(visitor: Visitor, found: Game, name: str, title: str) -> Context:
    """Return the values that every page of the place Cards needs: its tabs, and the games to choose from.

    `name` is that of the tab in TABS.
    """
    here = next(tab for tab in TABS if tab.name == name)
    return {
        **page_context(visitor, title, here.href(found)),
        "game": game_facts(found),
        "tabs": [
            {"href": tab.href(found), "words": tab.words, "is_here": tab is here} for tab in TABS if tab.is_for(found)
        ],
        "games": [
            {
                **game_facts(each),
                "number": len(listed_cards(each)),
                "href": (here if here.is_for(each) else TABS[0]).href(each),
            }
            for each in games_with_cards()
        ],
    }
