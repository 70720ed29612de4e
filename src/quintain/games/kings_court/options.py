"""The options of King's Court, and the book that `make_book` fills from them."""

from collections.abc import Mapping
from typing import Any

from quintain.engine import Option
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book

OPTIONS = (
    Option(
        name="garnets",
        kind="numbers",
        default=[0, 0],
        meaning="how many Garnets each player has won in earlier games; "
        "the first number is for the first seat, and whoever has more chooses who goes first",
        least=0,
        count=2,
    ),
    Option(
        name="houses",
        kind="number",
        default=st.HOUSES,
        meaning="how many houses there are; fewer make a shorter game, with fewer counters and smaller hands",
        least=st.LEAST_HOUSES,
        most=st.HOUSES,
    ),
    Option(
        name="ranks",
        kind="number",
        default=st.RANKS,
        meaning="how many ranks the cards of each house have; fewer make a shorter game, with smaller hands",
        least=st.LEAST_RANKS,
        most=st.RANKS,
    ),
)


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match with these options; without a size it is the full game. KC-1, KC-2, KC-3, KC-7."""
    book = Book()
    book.garnets = list(options["garnets"])
    book.houses, book.ranks = options.get("houses", st.HOUSES), options.get("ranks", st.RANKS)
    book.counters = [int(book.houses >= least) for least in st.HOUSES_FOR]
    cards = book.houses * book.ranks
    book.hand = (2 * st.SECOND_HAND * cards + st.CARDS) // (2 * st.CARDS)
    book.plays = cards - st.SEATS * book.hand
    return book
