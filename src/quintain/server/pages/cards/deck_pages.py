"""The values for the pages of decks: a player's decks beside the ready-made ones, the builder, and a shared deck."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from quintain.engine.errors import QuintainError
from quintain.engine.rules.decks import CardPlace, DeckList
from quintain.engine.rules.game import Game
from quintain.lab.intervals import LEAST, wilson
from quintain.server.clock import now
from quintain.server.model.deck_lists import MOST_NAME, code_of, decks_of, kept_list
from quintain.server.model.own_decks import OWN, OwnDeck
from quintain.server.pages.cards.browsing import ON_SHELF, cost_links, kind_links, sort_choices
from quintain.server.pages.cards.deck_hands import HandWish, hand_context
from quintain.server.pages.cards.deck_summary import fullness, groups, summary, verdict
from quintain.server.pages.cards.filters import Filters, orders, read_filters, read_page
from quintain.server.pages.cards.listed import Listed, shown_cards
from quintain.server.pages.cards.tabs import DECKS, frame_context
from quintain.server.pages.forms import file_field
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.chances import percent
from quintain.server.pages.words import day_of, ready_text, sentence
from quintain.server.people.players import Visitor

IN_DECK = "in"
"""The field of an address that asks for the cards of the deck alone."""
SOON, MINUTE, HOUR, DAY = 50, 60, 3600, 86400
CLAUSE_AT_END = re.compile(r"(.*) \(([A-Z]+-\d+)\)", re.DOTALL)
"""A message, and the clause that it ends with."""


class ListTally(NamedTuple):
    """How many finished games a player had with a list, and how many of them they won."""

    games: int = 0
    won: int = 0

    def context(self, seats: int, rows: Sequence[Context]) -> Context:
        """Return how a list did at tables with so many seats, with the interval from 20 games on, and the newest games.

        `rows` are these games, as a list shows them.
        """
        share = None
        if self.games >= LEAST:
            low, high = wilson(self.won / self.games, self.games)
            share = {"share": percent(self.won / self.games), "low": percent(low), "high": percent(high)}
        counted = {"games": self.games, "won": self.won, "share": share}
        return {**counted, "even": percent(1 / seats), "least": LEAST, "rows": list(rows)}


def decks_page(found: Game, visitor: Visitor, mine: Sequence[OwnDeck], games: Mapping[str, ListTally]) -> Context:
    """Return the values for a list of decks, with the finished games of a player by the list that they played."""
    rows = []
    for deck in mine:
        played = games.get(deck.text, ListTally())
        rows.append(
            {
                **_row(found, deck.text),
                "name": deck.name,
                "href": deck_href(deck),
                "saved": saved_words(deck.changed),
                "games": played.games,
                "won": played.won,
            }
        )
    title = f"Decks for {found.title}"
    return {**frame_context(visitor, found, DECKS, title), "mine": rows, "ready": ready_made(found), **_path(found)}


@cache
def ready_made(found: Game) -> list[Context]:
    """Return the ready-made decks of a game, each with a few words, and the address where it can be read."""
    decks, shown = decks_of(found), []
    option = next(each for each in found.text.OPTIONS if each.name == decks.option)
    for name in decks.ready_made:
        told = ready_text(name, option.ready(name) if option.ready else "")
        text = decks.write(decks.read(name, ""), "")
        href = f"/cards/{found.id}/{DECKS}/shared/{code_of(str(told['title']), text)}"
        shown.append({**told, **_row(found, text), "list": text, "href": href})
    return shown


def deck_href(deck: OwnDeck) -> str:
    """Return the address of a deck of a player's own."""
    return f"/cards/{deck.game}/{DECKS}/{deck.id}"


def saved_words(at: float) -> str:
    """Return when a deck was saved, in words."""
    past = now() - at
    if past < SOON:
        return "saved just now"
    if past < 2 * MINUTE:
        return "saved a minute ago"
    if past < HOUR:
        return f"saved {past // MINUTE:.0f} minutes ago"
    return f"saved {past // HOUR:.0f} hours ago" if past < DAY else f"saved on {day_of(at)}"


def shared_context(found: Game, visitor: Visitor, name: str, text: str) -> Context:
    """Return the values for a deck that a link holds; raises BadDeck if it holds none of this game."""
    kept = kept_list(found, text)
    deck = decks_of(found).read_unfinished(kept, "")
    return {
        **frame_context(visitor, found, DECKS, f"{name}, a deck for {found.title}"),
        **summary(found, deck),
        **_path(found),
        "name": name,
        "text": kept,
        "code": code_of(name, kept),
        "hand": hand_context(found, deck, HandWish()),
    }


def builder_page(
    found: Game,
    visitor: Visitor,
    own: OwnDeck,
    did: Context,
    query: Mapping[str, str],
    kinds: Iterable[str],
    base_url: str,
    mine: Sequence[OwnDeck] = (),
) -> Context:
    """Return the values for the builder of a deck, with how its list did, and with all decks of its player."""
    deck = decks_of(found).read_unfinished(own.text, "")
    href, told = deck_href(own), summary(found, deck)
    shared = f"/cards/{found.id}/{DECKS}/shared/{code_of(own.name, own.text)}"
    return {
        **frame_context(visitor, found, DECKS, f"{own.name}, a deck for {found.title}"),
        **told,
        **_path(found),
        **_shelf(found, deck, href, query, kinds),
        "deck": own._asdict(),
        "mine": [
            {**_row(found, one.text), "name": one.name, "href": deck_href(one), "is_here": one.id == own.id}
            for one in mine
        ],
        "href": href,
        "saved": saved_words(own.changed),
        "most_name": MOST_NAME,
        "hand": hand_context(found, deck, HandWish.read(query)),
        "did": did,
        "share_url": f"{base_url}{shared}",
        "share_href": shared,
        "play_url": play_url(found, f"{OWN}{own.id}"),
        "said": None,
        "wrong": None,
    }


def deck_json(found: Game, own: OwnDeck) -> Context:
    """Return a deck for programs."""
    deck = decks_of(found).read_unfinished(own.text, "")
    laws = decks_of(found).laws(deck, "")
    return {
        "id": own.id,
        "game": own.game,
        "name": own.name,
        "list": own.text,
        "sections": deck,
        "legal": all(law.is_kept for law in laws),
        "laws": [{"words": law.words, "clause": law.clause, "fault": law.fault} for law in laws],
    }


def refusal(error: QuintainError) -> Context:
    """Return what was refused as a sentence, with the clause that it names apart."""
    found = CLAUSE_AT_END.fullmatch(str(error))
    words, clause = (found[1], found[2]) if found else (str(error), "")
    return {"words": sentence(words), "clause": clause}


def place_of(found: Game, card: str) -> str:
    """Return the last part of the address of a card; empty if there is no such card."""
    return next((each.place for each in shown_cards(found).values() if each.name == card), "")


def play_url(found: Game, deck: str) -> str:
    """Return the address of the form for a new table at which the first seat plays a deck."""
    return f"/new/{found.id}?{file_field(decks_of(found).option, 0)}={deck}"


def _path(found: Game) -> Context:
    return {"decks_url": f"/cards/{found.id}/{DECKS}", "rules_url": f"/rules/{found.id}"}


def _row(found: Game, text: str) -> Context:
    """Return in a few words what a list is, and the arms of the first card in it."""
    decks = decks_of(found)
    deck = decks.read_unfinished(text, "")
    laws = decks.laws(deck, "")
    legal = all(law.is_kept for law in laws)
    first = next((name for pile in deck.values() for name in pile), None)
    drawn = {each.name: each for each in shown_cards(found).values()}
    arms = drawn[first].arms if first else None
    return {"is_legal": legal, "verdict": verdict(laws), "arms": arms, "groups": groups(found, deck)}


def _shelf(found: Game, deck: DeckList, href: str, query: Mapping[str, str], kinds: Iterable[str]) -> Context:
    """Return the cards that the filters leave, each with its number in a deck, and what each filter would leave."""
    filters, page, in_deck = (
        read_filters(found, query, kinds),
        read_page(query.get("page", "")),
        bool(query.get(IN_DECK)),
    )
    copies = {name: number for pile in deck.values() for name, number in pile.items()}
    left = [each for each in filters.leave(found) if not in_deck or each.name in copies]
    places, shown = decks_of(found).places(""), left[: page * ON_SHELF]
    plain = filters._replace(search="", kinds=(), sort="", cost="")
    return {
        "cards": [_card(each, copies.get(each.name, 0), places.get(each.name)) for each in shown],
        "left": len(left),
        "all": len(shown_cards(found)),
        "more": min(len(left) - len(shown), ON_SHELF),
        "more_url": _with(href + filters.query(), page=str(page + 1), **_only(in_deck)) + f"#card-{len(shown) + 1}",
        "filters": filters._asdict(),
        "kinds": kind_links(found, filters, href),
        "sorts": sort_choices(found, filters),
        "costs": cost_links(found, filters, href),
        "orders": [{"value": value, "words": words, "is_on": value == filters.order} for value, words in orders(found)],
        "in_deck": {
            "is_on": in_deck,
            "number": len(copies),
            "href": href + plain.query() if in_deck else _with(href + plain.query(), **_only(True)),
        },
        "query": _query(filters, page, in_deck),
    }


def _card(each: Listed, copies: int, place: CardPlace | None) -> Context:
    return {"card": each, "copies": copies, **fullness(copies, place)}


def _only(in_deck: bool) -> Mapping[str, str]:
    return {IN_DECK: "deck"} if in_deck else {}


def _with(href: str, **fields: str) -> str:
    """Return an address with further fields."""
    for name, value in fields.items():
        href += f"{'&' if '?' in href else '?'}{name}={value}"
    return href


def _query(filters: Filters, page: int, in_deck: bool) -> str:
    """Return the query that shows the same cards again."""
    return _with(filters.query(), **({"page": str(page)} if page > 1 else {}), **_only(in_deck))
