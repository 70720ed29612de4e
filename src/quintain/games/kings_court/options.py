"""The options of King's Court, and the book that `make_book` fills from them."""

from collections.abc import Mapping
from typing import Any

from quintain.engine import Option
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
)


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match with these options. KC-2."""
    book = Book()
    book.garnets = list(options["garnets"])
    return book
