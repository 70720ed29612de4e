"""The values for the page of a rulebook, and for the drawer that shows it at a table."""

from __future__ import annotations

from minijinja import Environment

from quintain.engine.rules.game import Game
from quintain.server.pages.contexts import game_facts, page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.rule_pictures import book_of, drawn_cards
from quintain.server.pages.rulebooks import MOST_LETTERS, Hit, RulebookPage, found_in, words_of
from quintain.server.people.players import Visitor


def rules_context(found: Game, visitor: Visitor, templates: Environment, search: str) -> Context:
    """Return the values for the page of a rulebook, and for the drawer: then `search` is empty."""
    book, words = book_of(found, templates), words_of(search)
    return {
        **page_context(visitor, f"The rules of {found.title}", f"/rules/{found.id}"),
        **_shown(found, search),
        "rulebook": book,
        "hits": _hits(found, book, words) if words else None,
        "card_hits": drawn_cards(found, templates, words) if words and found.collection else "",
        "cards": drawn_cards(found, templates) if found.collection and not words else "",
    }


def _shown(found: Game, search: str) -> Context:
    return {"game": game_facts(found), "has_cards": found.collection is not None, "search": search[:MOST_LETTERS]}


def _hits(found: Game, book: RulebookPage, words: tuple[str, ...]) -> list[Hit]:
    """Return the passages with these words; links between clauses lead to the whole rulebook."""
    whole = f'href="/rules/{found.id}#'
    return [Hit(hit.chapter, hit.anchor, hit.html.replace('href="#', whole)) for hit in found_in(book, words)]
