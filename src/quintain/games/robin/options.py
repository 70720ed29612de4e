"""Robin in the Hood: the options of a match, and the book that they make. RH-4, RH-5, RH-6, RH-7, RH-8.

The command line and the form for a new table show the options with the help given here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quintain.engine import BadOption, Option, quoted
from quintain.games.robin import state as st
from quintain.games.robin.cards import COLLECTIONS, ParsedSet, card_set, short_set
from quintain.games.robin.state import Book
from quintain.games.robin.words import some

ALL = "all cards of the set if you name none"
EXAMPLE = """[[character]]
name = "Little John"
caste = "Outlaw"
politics = "Activist"
levels = [3, 3, 5, 4]
skill = { whom = "self", stage = "Strength", if = "with Outlaw", change = 2 }

[[modifier]]
name = "Hard Winter"
lasts = true
group = "all"
side = "opposing"
stages = ["Endurance"]
change = -1
"""
"""A character and a modifier, which the form for a new table shows."""

OPTIONS = (
    Option(
        "victories",
        "number",
        st.USUAL_VICTORIES,
        "rounds to win the tournament; a round takes about five minutes",
        1,
        st.MOST_VICTORIES,
    ),
    Option(
        "active",
        "number",
        st.USUAL_ACTIVE,
        "how many characters each player brings to a round; with more of them a round has more surprises",
        st.LEAST_ACTIVE,
        st.MOST_ACTIVE,
    ),
    Option(
        "modifiers",
        "switch",
        True,
        "play with modifiers; these are three more cards for each player, which change how others count",
    ),
    Option(
        "dealt",
        "switch",
        False,
        "deal each player the cards at random; otherwise you choose your characters yourself before a round",
    ),
    Option("ante", "switch", False, "play for a card; each player stakes one, and the winner gains the other's"),
    Option(
        "cards",
        "file",
        "",
        "a set of cards of your own; it replaces the usual one",
        short=short_set,
        example=EXAMPLE,
        clause="RH-5",
    ),
    *(
        Option(name, "names", [], f"the cards that the {which} seat owns; {ALL}")
        for name, which in zip(COLLECTIONS, ("first", "second"), strict=True)
    ),
)
FIRST_GAME = {"dealt": True, "modifiers": False, "victories": 2}


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match; raises BadCards and BadOption. RH-4, RH-5, RH-6, RH-7, RH-8."""
    cards, book = card_set(options["cards"]), Book()
    book.victories, book.active = options["victories"], options["active"]
    book.modifiers = st.MODIFIERS_ACTIVE if options["modifiers"] else 0
    book.ante, book.dealt = int(options["ante"]), int(options["dealt"])
    book.characters, book.cards = len(cards.characters), len(cards.names)
    book.character[: book.characters] = cards.characters
    book.modifier[: len(cards.modifiers)] = cards.modifiers
    for seat, name in enumerate(COLLECTIONS):
        _collect(book, seat, _numbers(cards, name, options[name]))
    return book


def _numbers(cards: ParsedSet, option: str, given: list[str]) -> list[int]:
    """Return the numbers of the cards in a collection, in its order; raises BadOption. RH-8."""
    names, listed = cards.names, [name for name in given if name]
    if not listed:
        return list(range(len(names)))
    by_name = {name.casefold(): number for number, name in enumerate(names)}
    numbers = []
    for name in listed:
        number = by_name.get(" ".join(name.split()).casefold())
        if number is None:
            raise BadOption(f"{option}: the set has no card {quoted(name)} (RH-8)")
        if number in numbers:
            raise BadOption(f"{option}: {names[number]} is named twice: a collection has each card once (RH-8)")
        numbers.append(number)
    return numbers


def _collect(book: Book, seat: int, numbers: list[int]) -> None:
    """Give a seat its collection, or just one active set if it is too small for a choice; raises BadOption. RH-8."""
    characters = [card for card in numbers if card < book.characters]
    modifiers = [card for card in numbers if card >= book.characters]
    for kind, there, needed in (("character", characters, book.active), ("modifier", modifiers, book.modifiers)):
        if len(there) < needed:
            raise BadOption(
                f"the collection of seat {seat} has {some(len(there), kind)}, and an active set takes {needed} (RH-8)"
            )
    for card in numbers:
        book.owned[seat][card] = 1
    if len(characters) < 2 * book.active:
        book.no_choice[seat] = 1
        characters, modifiers = characters[: book.active], modifiers[: book.modifiers]
    usable = [*characters, *(modifiers if book.modifiers else [])]
    book.usable[seat][: len(usable)] = usable
    book.usable_characters[seat], book.usable_modifiers[seat] = len(characters), len(usable) - len(characters)
