"""Choosing a deck at a table that waits for its players: what each seat plays, and the page on which one chooses."""

from __future__ import annotations

from quintain.engine.rules.registry import game
from quintain.server.model.deck_lists import decks_of, has_decks
from quintain.server.pages.archive import Archive
from quintain.server.pages.brought.at_tables import deck_texts, seat_decks
from quintain.server.pages.brought.own_decks import own_decks
from quintain.server.pages.cards.deck_pages import ready_made
from quintain.server.pages.contexts import game_facts, page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import ready_text
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.tables.table import Table

TYPED = "text"
"""The choice of a deck that is written on the page itself."""


def choice_href(table: Table, seat: int) -> str:
    """Return the address of the page on which whoever sits at a seat chooses a deck."""
    return f"/tables/{table.id}/seats/{seat}/deck"


def check_choosing(table: Table, seat: int, player: str) -> None:
    """Raise Refused unless a player may choose a deck for a seat: their own, or a free one if they have none."""
    if not has_decks(game(table.row.game)):
        raise Refused(404, f"in {game(table.row.game).title} players bring no decks")
    holder, mine = table.holder(seat), table.seat_of(player)
    if not table.is_gathering:
        raise Refused(409, "all seats are taken: the game is played with the decks chosen before")
    if mine is not None and mine != seat:
        raise Refused(403, "each player chooses the deck of their own seat")
    if mine is None and holder.is_taken:
        raise Refused(403, "this seat is another player's: the deck is theirs to choose")


async def choice_context(archive: Archive, visitor: Visitor, table: Table, seat: int, wrong: str = "") -> Context:
    """Return the values for the page on which somebody chooses the deck of a seat."""
    found, decks = game(table.row.game), decks_of(game(table.row.game))
    option = next(each for each in found.text.OPTIONS if each.name == decks.option)
    ready = [ready_text(name, option.ready(name)) for name in decks.ready_made] if option.ready else []
    laws = {str(one["name"]): one["verdict"] for one in ready_made(found)}
    own = await own_decks(archive.decks, visitor.number, found)
    offers = [*own, *({**one, "legal": laws[str(one["name"])]} for one in ready)]
    is_free = not table.seats[seat].is_taken
    now = deck_texts(found, table.row, len(table.seats))[seat]
    chosen = next((one["name"] for one in offers if now in (one["name"], one["text"], f"{one['text']}\n")), "")
    typed = "" if chosen else now
    chosen = chosen or (TYPED if now else "")
    if is_free and own:
        chosen = own[0]["name"]
    others = [deck for place, deck in enumerate(seat_decks(table.row, len(table.seats))) if place != seat]
    return {
        **page_context(visitor, f"A deck for {found.title}", choice_href(table, seat)),
        "game": game_facts(found),
        "action": choice_href(table, seat),
        "back": f"/tables/{table.id}",
        "offers": offers,
        "chosen": chosen,
        "typed": typed,
        "others": others,
        "is_free": is_free,
        "seat_number": seat + 1,
        "error": wrong,
        "decks_url": f"/cards/{found.id}/decks",
    }
