"""The values for the page of a card: its text, what the rules say about it, and the ready-made decks that have it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from minijinja import Environment

from quintain.engine.errors import quoted
from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.game import Game
from quintain.server.pages.cards.listed import COST, Listed, shown_cards
from quintain.server.pages.cards.ready_decks import decks_with
from quintain.server.pages.cards.tabs import BROWSE, frame_context
from quintain.server.pages.cards.won import won_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.rule_pictures import painter
from quintain.server.pages.rulebooks import CLAUSE, TAGS, Passage, RulebookPage, folded, rulebook_page
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused

MOST_NAMING = 6
"""The most passages that are shown because they name a card."""
TABLE_ROWS = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
MOST_PLACE = 100
"""The letters that the address of a card may have."""


def card_context(found: Game, visitor: Visitor, place: str, templates: Environment) -> Context:
    """Return the values for a card; raises Refused if the game has no card of this address."""
    cards = shown_cards(found)
    each = cards.get(place[:MOST_PLACE])
    if each is None:
        raise Refused(404, f"{found.title} has no card {quoted(place[:40])}: look for it among all its cards")
    book = rulebook_page(found.text.rulebook(), painter(templates, found))
    places = list(cards)
    at = places.index(each.place)
    before, after = places[at - 1], places[(at + 1) % len(places)]
    return {
        **frame_context(visitor, found, BROWSE, f"{each.name}, {found.title}"),
        "card": each,
        "facts": _facts(each),
        "before": cards[before],
        "after": cards[after],
        "number": at + 1,
        "all": len(places),
        "rulings": [_as_ruling(found, passage, each.name) for passage in rulings(each.card, book)],
        "decks": [deck._asdict() for deck in decks_with(found, each.name)],
        "has_decks": bool(found.collection and found.collection.decks),
        "won": won_context(found, each.name),
    }


def _facts(each: Listed) -> list[tuple[str, str]]:
    """Return what the card is, in pairs of words."""
    sort = [("Sort", each.card.sort)] if each.card.sort else []
    stats = [(_named(stat.key, stat.words), stat.written) for stat in each.card.stats]
    numbers = stats or ([("Number", each.card.numbers)] if each.card.numbers else [])
    pile = [("Pile", each.card.pile)] if each.card.pile else []
    copies = [("In a game on paper", f"{each.card.copies} copies")] if each.card.copies > 1 else []
    return [("Kind", each.card.kind), *sort, *numbers, *pile, *copies]


def _named(key: str, words: str) -> str:
    line = key.rpartition(".")[0]
    return f"{line.capitalize()}, {words}" if line else f"Cost, {words}" if key == COST else words


def rulings(card: ListedCard, book: RulebookPage) -> list[Passage]:
    """Return the clauses for a card: those that the game gives it, then others that name it."""
    by_clause = {passage.anchor: passage for passage in reversed(book.passages)}
    given = [by_clause[clause] for clause in card.clauses if clause in by_clause]
    naming = [passage for passage in _naming(card.name, book) if passage not in given]
    return [*given, *naming[:MOST_NAMING]]


def _naming(name: str, book: RulebookPage) -> Iterator[Passage]:
    """Yield the numbered passages that name a card, as a whole word."""
    for passage in book.passages:
        if CLAUSE.fullmatch(passage.anchor) and _names(passage.html, name):
            yield passage


def _names(text: str, name: str) -> bool:
    """Tell whether HTML names a card, as a whole word."""
    words = folded(html.unescape(TAGS.sub(" ", text)))
    return re.search(rf"\b{re.escape(folded(name))}(?!\w)", words) is not None


def _as_ruling(found: Game, passage: Passage, name: str) -> Context:
    """Return a clause for the template; its links lead to the rules, and its number is left out of its words.

    Of a table that names the card, only the rows that do so are left.
    """
    text = TABLE_ROWS.sub(lambda rows: _rows_naming(rows[0], name), passage.html).replace(
        'href="#', f'href="/rules/{found.id}#'
    )
    return {
        "chapter": passage.chapter,
        "clause": passage.anchor,
        "href": f"/rules/{found.id}#{passage.anchor}",
        "html": re.sub(r'<strong id="[^"]*">[^<]*</strong> ?', "", text, count=1),
    }


def _rows_naming(body: str, name: str) -> str:
    """Return the rows of a table that name a card; all if none does."""
    rows = re.findall(r"<tr>.*?</tr>", body, re.DOTALL)
    named = [row for row in rows if _names(row, name)]
    return f"<tbody>{''.join(named)}</tbody>" if named else body
