"""Round Table: the options of a match, and the book that is made from them. RT-1, RT-2, RT-3, RT-4.

`decks` reads deck lists, `cards` sets of cards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import cycle, islice
from typing import Any

from quintain.engine import BadDeck, BadOption, Option, quoted
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import ParsedSet, card_set, short_set
from quintain.games.round_table.decks import READY_MADE, Deck, list_of, read_deck, ready_made, short_list
from quintain.games.round_table.state import Book

LEAST_REGIONS, BOOKS_KEPT = 5, 16
EXAMPLE = """[[knight]]
name = "Yvain of the Lion"
rp = 4
influence = 3
resistance = 3
types = ["Round Table"]
rows = [
  { when = "always", whom = "bearer", what = "influence", amount = 1, if = "alone" },
  { when = "captures", whom = "you", what = "draw", amount = 1 },
]
"""
"""A set of one card, which the form for a new table shows."""

OPTIONS = (
    Option(
        name="decks",
        kind="files",
        default=lambda seats: list(READY_MADE[:seats]),
        meaning="the deck that each seat plays; if you give fewer, seats use them in turn",
        choices=READY_MADE,
        short=short_list,
        ready=ready_made,
        example="Main\n2 Knight Errant\n1 Gawain\n\nDemesne\n8 Farm\n\nRegions\n1 Camelot\n",
        clause="RT-4",
    ),
    Option(
        name="regions",
        kind="names",
        default=[str(LEAST_REGIONS)],
        meaning=f"how many Regions the players fight for, at least {LEAST_REGIONS}; a higher number makes the match "
        "longer, and names choose the Regions",
    ),
    Option(
        name="cards",
        kind="file",
        default="",
        meaning="cards of your own, added to the usual ones; one with the name of a usual card takes its place",
        short=short_set,
        example=EXAMPLE,
        clause="RT-33",
    ),
)


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match, the same for the same options; raises BadDeck, BadCards and BadOption."""
    return _make_book(seats, tuple(options["decks"]), tuple(options["regions"]), options["cards"])


@lru_cache(BOOKS_KEPT)
def _make_book(seats: int, lists: tuple[str, ...], regions: tuple[str, ...], own: str) -> Book:
    if not 1 <= len(lists) <= seats:
        raise BadOption(f"the option decks takes 1 to {seats} decks, not {len(lists)} (RT-1)")
    cards, book = card_set(own), Book()
    book.seats = seats
    book.demesne_rp = [card.rp for card in cards.cards.values() if card.kind == st.DEMESNE]
    decks = []
    for seat, given in enumerate(islice(cycle(lists), seats)):
        try:
            deck = read_deck(list_of(given), cards)
        except BadDeck as error:
            called = given if given in READY_MADE else 1 + seat % len(lists)
            raise BadDeck(f"deck {called}, {error}") from error
        _put_deck(book, seat, deck, cards)
        book.deck_name[seat] = given if given in READY_MADE else "a list of its own"
        decks.append(deck)
    _put_regions(book, decks, regions, cards)
    return book


def _put_deck(book: Book, seat: int, deck: Deck, cards: ParsedSet) -> None:
    """Write a deck into the book: the Main cards by kind, then the Demesnes by step."""
    main = sorted(deck.main.items(), key=lambda item: cards.cards[item[0]].kind)
    demesnes = sorted(deck.demesne.items(), key=lambda item: cards.cards[item[0]].step)
    book.lines[seat], book.main_lines[seat] = len(main) + len(demesnes), len(main)
    book.deck[seat] = [sum(deck.main.values()), sum(deck.demesne.values())]
    for line, (name, count) in enumerate([*main, *demesnes]):
        book.card[seat][line] = cards.cards[name].copy()
        book.copies[seat][line] = count


def _put_regions(book: Book, decks: Sequence[Deck], regions: Sequence[str], cards: ParsedSet) -> None:
    """Write into the book all Regions that the match can have: those listed, and the base set. RT-3."""
    named = not (len(regions) == 1 and re.fullmatch("[+-]?[0-9]+", regions[0]))
    listed = list(regions) if named else list(dict.fromkeys(name for deck in decks for name in deck.regions))
    for number, name in enumerate(listed):
        if name not in cards.regions:
            words = f"there is no Region {quoted(name)}; it takes names, or one number"
            raise BadOption(f"these Regions cannot be played for: {words} (RT-3)")
        if name in listed[:number]:
            raise BadOption(f"these Regions cannot be played for: {name} is there twice, and Regions are unique (RT-3)")
    known = list(dict.fromkeys([*listed, *(region.name for region in cards.regions.values() if region.base)]))
    book.regions = _number_of_regions(len(listed) if named else int(regions[0][:9]), len(known))
    book.regions_known = len(known)
    for number, name in enumerate(known):
        printed, region = cards.regions[name], book.region[number]
        region.name, region.resistance, region.renown = name, printed.resistance, printed.renown
        region.listed, region.base = int(name in listed), int(printed.base)
    renown = [cards.regions[name].renown for name in listed]
    if named and 2 * max(renown) > sum(renown):
        most = max(listed, key=lambda name: cards.regions[name].renown)
        raise BadOption(f"these Regions cannot be played for: {most} holds more than half of the match's Renown (RT-3)")


def _number_of_regions(number: int, known: int) -> int:
    """Return the number of Regions in a match if it is allowed; raises BadOption. RT-3."""
    most = min(st.MOST_REGIONS, known)
    if not LEAST_REGIONS <= number <= most:
        words = f"a match has {LEAST_REGIONS} to {most} Regions with these decks, not {number}"
        raise BadOption(f"these Regions cannot be played for: {words} (RT-3)")
    return number
