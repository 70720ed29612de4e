"""The options of Rune War, and the book that `make_book` fills from them."""

from collections.abc import Mapping
from typing import Any

from quintain.engine import Option
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book

OPTIONS = (
    Option(
        name="runes",
        kind="switch",
        default=True,
        meaning="play with the 22 rune cards, each with a power of its own; without them the game is easier",
    ),
)


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match: how many cards there are, and how many each player is dealt. RW-1, RW-2."""
    book = Book()
    book.seats = seats
    book.cards = st.CARDS if options["runes"] else st.FIRST_RUNE
    book.dealt = st.LEAST_DEALT if seats == st.CROWD and not options["runes"] else st.MOST_DEALT
    return book
