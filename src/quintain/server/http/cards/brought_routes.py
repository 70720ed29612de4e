"""What players bring to a table: choosing a deck at a table that waits, and a new starter of cards of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import BadOption
from quintain.engine.rules.registry import game
from quintain.engine.rules.seat_options import with_deck
from quintain.server.http.answers import answer_json, capitalized, page
from quintain.server.http.documented import takes
from quintain.server.http.requests import address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.http.table_answers import change
from quintain.server.model.deck_lists import decks_of
from quintain.server.model.seat_choices import TriedChoice, deck_choice, parts_of
from quintain.server.pages.brought.collections import collections_data, deal_anew
from quintain.server.pages.brought.deck_choices import TYPED, check_choosing, choice_context
from quintain.server.pages.brought.own_decks import played_deck
from quintain.server.posted.posts import Named, Newcomer
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.table import Table
from quintain.server.turns import Asker


class ChoosingDeck(Newcomer, kw_only=True):
    """The deck of a seat: the name of a ready-made one, ``deck:`` with the id of one of yours, or a list.

    Forms send a list as `text`, and "text" as the deck.
    """

    deck: str
    text: str = ""

    def given(self) -> str:
        """Return the deck that is meant; raises BadOption if a list was written and another deck chosen."""
        if self.deck == TYPED:
            if not self.text.strip():
                raise BadOption("write the list of the deck: a number and a card in each line")
            return self.text.replace("\r\n", "\n")
        if self.text.strip():
            raise BadOption("you have written a list and chosen another deck: choose the list, or empty it")
        return self.deck


@get("/tables/{table_id:str}/seats/{seat:int}/deck", include_in_schema=False)
async def deck_page(request: AnyRequest, site: TheSite, table_id: FromPath[str], seat: FromPath[int]) -> Response[str]:
    """Show the decks among which somebody chooses for a seat."""
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    check_choosing(live.table, seat, visitor.id)
    return page(site, visitor, "choose_deck.html", await choice_context(site.archive, visitor, live.table, seat))


@post("/tables/{table_id:str}/seats/{seat:int}/deck", operation_class=takes(ChoosingDeck), status_code=200)
async def choose_deck(request: AnyRequest, site: TheSite, table_id: FromPath[str], seat: FromPath[int]) -> Reply:
    """Choose the deck of your seat at a table that waits, or sit down at a free seat with a deck."""
    posted = await read_post(request, site, ChoosingDeck)
    visitor, live = await site.named(posted.visitor), await site.tables.get(table_id)
    check_choosing(live.table, seat, visitor.id)
    try:
        tried = await _tried(request, site, live.table, seat, visitor.number, posted.given.given())
    except BadOption as error:
        if wants_json(request):
            raise
        shown = await choice_context(site.archive, visitor, live.table, seat, capitalized(str(error)))
        kept = {"typed": posted.given.text, "chosen": posted.given.deck}
        return page(site, visitor, "choose_deck.html", {**shown, **kept}, 422)

    async def do(live: LiveTable) -> None:
        await ensure_name(request, site, posted)
        if live.table.seat_of(visitor.id) == seat:
            await acts.choose(site.tables, live, visitor.id, tried)
        else:
            await acts.sit_down(site.tables, live, seat, visitor.id, posted.given.committed(), tried)

    return await change(request, site, table_id, visitor, do)


async def _tried(
    request: AnyRequest, site: Site, table: Table, seat: int, number: int | None, deck: str
) -> TriedChoice:
    """Return the choice of a deck, after reading it as the game will; raises BadOption.

    What all decks together must hold must also hold if other seats play again with the decks that were agreed.
    """
    found, seats = game(table.row.game), len(table.seats)
    option = decks_of(found).option
    given = await played_deck(partial(site.archive.decks.find, number or 0), found, deck)
    asker = Asker(address_of(request), table.id)
    beside = {other: each for other, each in table.folded.chosen.items() if other != seat}
    everything, *rest = (table.folded.options_with(part) for part in parts_of(beside))

    async def kept(options: Mapping[str, Any]) -> str:
        decks = with_deck(options[option], seats, seat, given)
        read = await site.tables.reader.read_options(asker, found, seats, {**options, option: decks})
        return cast(list[str], read[option])[seat]

    tried = TriedChoice(deck_choice(found, await kept(everything)), beside)
    try:
        for options in rest:
            await kept(options)
    except BadOption as error:
        raise BadOption(
            f"if another player changes their deck or gets up, this one cannot be played: {error}"
        ) from error
    return tried


@post("/cards/{game_id:str}/starter", operation_class=takes(Named), status_code=200)
async def new_starter(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Have new cards dealt to you to own, if those that are left are too few to play with."""
    posted, found = await read_post(request, site, Named), game(game_id)
    number = await acts.number_of(site.tables, posted.visitor.id)
    await deal_anew(site.archive, number, found)
    if wants_json(request):
        return answer_json(site, posted.visitor, {"collections": await collections_data(site.archive, number)})
    return Redirect(f"/players/{number}#collections", status_code=303)


HANDLERS = (deck_page, choose_deck, new_starter)
