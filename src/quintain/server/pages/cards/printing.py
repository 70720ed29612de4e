"""The values for the tab Print: cards on pages of paper, nine to a page, with their backs in mirror order.

`css/paper.css` measures cards in millimetres, and shows them smaller on a screen. The browser does the printing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.collection import PaperParts, paper_parts
from quintain.engine.rules.game import Game
from quintain.server.model.deck_lists import decks_of
from quintain.server.model.own_decks import OWN, OwnDeck
from quintain.server.pages.cards.filters import Filters, read_filters, read_page
from quintain.server.pages.cards.listed import Listed, shown, shown_cards
from quintain.server.pages.cards.ready_decks import deck_words, ready_decks
from quintain.server.pages.cards.tabs import PRINT, frame_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor

IN_ROW, ROWS = 3, 3
ON_PAPER = IN_ROW * ROWS
A4 = "a4"
PAPERS = {A4: "A4", "letter": "Letter"}
"""The sizes of paper, each with its words; `css/paper.css` has the millimetres."""
MOST_COPIES = 9
MOST_PAGES = 60
"""The most pages that are printed at once, without their backs."""
WHOLE, EACH_ONCE, SHOWN, PARTS, DECK = "game", "set", "shown", "parts", "deck."
YES = "yes"


class PrintSettings(NamedTuple):
    """What is printed: which cards, on which paper, how often; with lines to cut, with backs, without colour."""

    which: str
    paper: str = A4
    copies: int = 1
    lines: bool = True
    backs: bool = False
    plain: bool = False

    def query(self, filters: Filters) -> str:
        """Return the query of an address with these settings."""
        given = {"which": self.which, "paper": self.paper, "copies": self.copies, "lines": _word(self.lines)}
        given |= {"backs": _word(self.backs), "plain": _word(self.plain)}
        return f"{filters.query() or '?'}&{urlencode(given)}".replace("?&", "?")


class Sheet(NamedTuple):
    """A side of a sheet of paper: its cards, row by row, with None for an empty place, and whether it shows backs."""

    cards: tuple[Listed | None, ...]
    is_back: bool


class Choice(NamedTuple):
    """One of the things to print: its value in the form, its words, and its cards, as often as they are printed."""

    value: str
    words: str
    cards: Sequence[Listed]


def print_context(
    found: Game,
    visitor: Visitor,
    query: Mapping[str, str],
    kinds: Iterable[str] = (),
    lines: Sequence[str] = (),
    own: Sequence[Choice] = (),
) -> Context:
    """Return the values for the pages to print; raises BadOption for settings that there are not.

    `own` is what the visitor can print of their own. `lines` are all values that the address gives for the lines to
    cut: a box that is not ticked sends none.
    """
    filters, number = read_filters(found, query, kinds), read_page(query.get("page", ""))
    choices = [*choices_of(found, filters), *own]
    settings = read_settings(query, lines, [choice.value for choice in choices])
    chosen = next(choice for choice in choices if choice.value == settings.which)
    cards = _printed(chosen, settings.copies)
    sheets, path = sheets_of(cards, settings.backs), f"/cards/{found.id}/{PRINT}"
    number = min(number, max(len(sheets), 1))
    here = f"{path}{settings.query(filters)}&page="
    return {
        **frame_context(visitor, found, PRINT, f"The cards of {found.title} on paper"),
        "path": path,
        "settings": settings._asdict(),
        "filters": filters._asdict(),
        "choices": [{"value": choice.value, "words": choice.words, "is_on": choice is chosen} for choice in choices],
        "papers": [
            {"value": value, "words": words, "is_on": value == settings.paper} for value, words in PAPERS.items()
        ],
        "most_copies": MOST_COPIES,
        "sheets": [sheet._asdict() for sheet in sheets],
        "on_last": len(cards) and (len(cards) - 1) % ON_PAPER + 1,
        "number": number,
        "before_url": f"{here}{number - 1}" if number > 1 else "",
        "next_url": f"{here}{number + 1}" if number < len(sheets) else "",
        "brought": parts_of(found).brought,
        "rules_url": f"/rules/{found.id}",
    }


def _printed(chosen: Choice, copies: int) -> list[Listed]:
    """Return the cards that are printed, each as often as asked; raises BadOption if they are too many."""
    cards = [card for card in chosen.cards for _ in range(copies)]
    fronts = -(-len(cards) // ON_PAPER)
    if fronts > MOST_PAGES:
        raise BadOption(
            f"that would be {fronts} pages, and at most {MOST_PAGES} are printed at once: take fewer copies"
        )
    return cards


def parts_of(found: Game) -> PaperParts:
    """Return what a game on paper needs beside its cards."""
    return paper_parts(found.collection) if found.collection else PaperParts()


def choices_of(found: Game, filters: Filters) -> list[Choice]:
    """Return what can be printed of a game: the first is printed if nothing else is chosen."""
    every = list(shown_cards(found).values())
    parts = shown(found, parts_of(found).printed)
    whole = [each for each in (*every, *parts) for _ in range(each.card.copies)]
    made = []
    if not filters.is_empty:
        left = filters.leave(found)
        made.append(Choice(SHOWN, f"The cards that your filters leave: {len(left)}", left))
    if len(whole) > len(every):
        made.append(Choice(WHOLE, f"The whole game: {_counted(whole, parts)}", whole))
    made.append(Choice(EACH_ONCE, f"Each card once: {len(every)}", every))
    if parts:
        again = [each for each in parts for _ in range(each.card.copies)]
        made.append(Choice(PARTS, f"The other parts alone: {len(again)}", again))
    return [*made, *_decks(found)]


def _counted(whole: Sequence[Listed], parts: Sequence[Listed]) -> str:
    number = sum(each.card.copies for each in parts)
    return f"{len(whole) - number} cards, {number} other parts" if number else f"{len(whole)} cards"


def _decks(found: Game) -> list[Choice]:
    """Return the ready-made decks, each with all its copies."""
    by_name = {each.name: each for each in shown_cards(found).values()}
    made = []
    for name, copies in ready_decks(found).items():
        cards = [by_name[card] for card, number in copies.items() for _ in range(number)]
        made.append(Choice(f"{DECK}{name}", f"The deck {deck_words(name)}: {len(cards)}", cards))
    return made


def deck_choices(mine: Sequence[OwnDeck], found: Game) -> list[Choice]:
    """Return the decks of a player's own, each with all its copies; none for a deck without cards."""
    by_name = {each.name: each for each in shown_cards(found).values()}
    made = []
    for own in mine:
        piles = decks_of(found).read_unfinished(own.text, "").values()
        cards = [by_name[card] for pile in piles for card, copies in pile.items() for _ in range(copies)]
        if cards:
            made.append(Choice(f"{OWN}{own.id}", f"Your deck {own.name}: {len(cards)}", cards))
    return made


def read_settings(query: Mapping[str, str], lines: Sequence[str], values: Sequence[str]) -> PrintSettings:
    """Return the settings that an address names; raises BadOption."""
    which, paper = query.get("which", "") or values[0], query.get("paper", "") or A4
    if which not in values:
        raise BadOption(f"which is one of {', '.join(values)}, not {quoted(which[:40])}")
    if paper not in PAPERS:
        raise BadOption(f"paper is one of {', '.join(PAPERS)}, not {quoted(paper[:40])}")
    has_lines = YES in lines or not lines
    return PrintSettings(which, paper, _copies(query), has_lines, query.get("backs") == YES, query.get("plain") == YES)


def _copies(query: Mapping[str, str]) -> int:
    given = query.get("copies", "").strip() or "1"
    if not (given.isascii() and given.isdigit()) or len(given) > 3 or not 1 <= int(given) <= MOST_COPIES:
        raise BadOption(f"copies is a number from 1 to {MOST_COPIES}, not {quoted(given[:40])}")
    return int(given)


def sheets_of(cards: Sequence[Listed], has_backs: bool) -> list[Sheet]:
    """Return the sides of paper with these cards; each side with backs follows its fronts."""
    sheets = []
    for begin in range(0, len(cards), ON_PAPER):
        filled = cards[begin : begin + ON_PAPER]
        front = (*filled, *(None,) * (ON_PAPER - len(filled)))
        sheets.append(Sheet(front, False))
        if has_backs:
            sheets.append(Sheet(mirrored(front), True))
    return sheets


def mirrored(front: Sequence[Listed | None]) -> tuple[Listed | None, ...]:
    """Return the cards of a side as they lie on its other side, when the paper is turned over its long edge."""
    return tuple(card for row in range(ROWS) for card in reversed(front[row * IN_ROW : (row + 1) * IN_ROW]))


def _word(is_on: bool) -> str:
    return YES if is_on else "no"
