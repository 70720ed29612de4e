"""Heirless battles: the options of a match, and the book that they make. HB-20, HB-29.

The command line and the form for a new table show the options with the help given here.
"""

from collections.abc import Mapping
from typing import Any

from quintain.engine import Option
from quintain.games.heirless import state as st
from quintain.games.heirless.state import Book
from quintain.games.heirless.tables import fill_tables, short_tables

SEASONS_OF_TWO = 4
EXAMPLE = """[[cards]]
name = "Lance"
attack = [6, 2, -1]
defence = [0, 1, 1]

[[cards]]
name = "Shield"
attack = [1, 1, 0]
defence = [3, 3, 0]
"""
"""A set of two Battlecards, which the form for a new table shows."""


def usual_seasons(seats: int) -> int:
    """Return the usual number of seasons: one for each seat, but four for two seats. HB-20."""
    return SEASONS_OF_TWO if seats == 2 else seats


OPTIONS = (
    Option(
        "seasons",
        "number",
        usual_seasons,
        "how many seasons are played (HB-20); in each, every player sends Knights out once",
        least=1,
        most=st.MOST_SEASONS,
    ),
    Option(
        "knights",
        "number",
        4,
        "how many Knights each player has (HB-20); more Knights make more and longer battles",
        least=1,
        most=st.MOST_KNIGHTS,
    ),
    Option(
        "bandits",
        "switch",
        True,
        "Bandits hold the camps (HB-20); nobody plays them, and who defeats them becomes stronger",
    ),
    Option(
        "tables",
        "file",
        "",
        "tracks and Battlecards of your own (HB-29); they replace the usual ones",
        short=short_tables,
        example=EXAMPLE,
        clause="HB-29",
    ),
)


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match; raises BadOption. HB-20, HB-29."""
    book = Book()
    book.seats = seats
    book.seasons = options["seasons"]
    book.knights = options["knights"]
    book.bandits = int(options["bandits"])
    fill_tables(book, options["tables"])
    return book
