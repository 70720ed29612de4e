"""What a table that waits says of what its players bring: the deck of each seat, and what is at stake."""

from __future__ import annotations

from itertools import cycle, islice

from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.rules.seat_options import owned_cards
from quintain.server.model.deck_lists import decks_of, has_decks
from quintain.server.model.entries import TableRow
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import ready_text

OF_THEIR_OWN = "a deck of their own"


def stakes_words(row: TableRow) -> str:
    """Say what is at stake where everybody plays with cards of their own; empty at other tables."""
    if not row.owned:
        return ""
    part = owned_cards(game(row.game))
    if part and row.options.get(part.stakes):
        return "Each player stakes a card, and the winner gains the other's for good."
    return "No card changes hands: the table is made without stakes."


def seat_decks(row: TableRow, seats: int) -> list[Context]:
    """Return what each seat plays at a table of a game with decks: its title, and its list; empty without decks."""
    found = game(row.game)
    if not has_decks(found):
        return []
    decks = decks_of(found)
    option = next(each for each in found.text.OPTIONS if each.name == decks.option)
    shown = []
    for seat, text in enumerate(deck_texts(found, row, seats)):
        is_ready = text in decks.ready_made and option.ready is not None
        ready = ready_text(text, option.ready(text)) if is_ready and option.ready else {}
        title = ready.get("title", OF_THEIR_OWN)
        shown.append({"seat": seat, "title": title, "text": ready.get("text", text), "href": f"{seat}/deck"})
    return shown


def deck_texts(found: Game, row: TableRow, seats: int) -> list[str]:
    """Return the deck of each seat, as the option holds it."""
    given = row.options.get(decks_of(found).option)
    listed = [str(each) for each in given] if isinstance(given, list) else []
    return [*islice(cycle(listed), seats)] if listed else [""] * seats
