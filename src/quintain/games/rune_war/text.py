"""Rune War in words: options, the rulebook, and what the other modules of words give."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quintain.engine.options import Option
from quintain.games.rune_war import state as st
from quintain.games.rune_war.accounts import account
from quintain.games.rune_war.names import name, parse
from quintain.games.rune_war.narration import narrate
from quintain.games.rune_war.reasons import why_not
from quintain.games.rune_war.state import Book
from quintain.games.rune_war.table import view

__all__ = ["MARKS", "OPTIONS", "account", "make_book", "name", "narrate", "parse", "rulebook", "view", "why_not"]

OPTIONS = (Option(name="runes", kind="switch", default=True, meaning="play with the 22 rune cards"),)
MARKS = (
    "exposed",
    "turned up",
    "face down, known to all",
    "face down, known to you",
    "chosen",
    "known to all",
    "known to you",
    "named",
)


def rulebook() -> str:
    """Return the rules for players, in Markdown."""
    return Path(__file__).with_name("rulebook.md").read_text(encoding="utf-8")


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match. RW-1, RW-2."""
    book = Book()
    book.seats = seats
    book.cards = st.CARDS if options["runes"] else st.FIRST_RUNE
    book.dealt = st.LEAST_DEALT if seats == st.CROWD and not options["runes"] else st.MOST_DEALT
    return book
