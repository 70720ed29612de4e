"""The routes of the lobby: the list of tables, the form for a new one, and the ways to begin a game at once."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.clock import now
from quintain.server.http.answers import answer_json, page, status_of
from quintain.server.http.documented import takes
from quintain.server.http.requests import Post, address_of, ensure_name, note_device, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.http.table_answers import show
from quintain.server.http.visitor_routes import LEARN, PLAY_NOW, name_page
from quintain.server.model.levels import levels, usual_level
from quintain.server.model.listed import Seated
from quintain.server.model.making import ME, OPEN
from quintain.server.model.results import number_in
from quintain.server.pages import contexts, forms
from quintain.server.pages.archive import Archive
from quintain.server.pages.brought.collections import ready_cards
from quintain.server.pages.brought.own_decks import own_decks, with_own_lists
from quintain.server.pages.contexts import QUICK_CLOCKS, by_weight, is_for_anybody
from quintain.server.pages.lobby_pages import (
    LISTED_FOR,
    Wish,
    is_near,
    lobby_context,
    lobby_data,
    points_of,
    strengths_at,
)
from quintain.server.pages.rendering import Context
from quintain.server.posted.new_tables import new_table, text_of, wrong_fields
from quintain.server.posted.own_sets import with_own_set
from quintain.server.posted.posts import MakingTable, Newcomer, Posted, QuickMatch
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.learner import begin
from quintain.server.tables.live_table import LiveTable
from quintain.server.turns import Asker

MOST_BODY = 64 * 1024
MOST_ID = 64
"""Characters of the id of a set in an address."""
MOST_TABLE_BODY = 512 * 1024
"""Bytes of a post, and of a post for a new table, which may hold the text of a card set."""
Coming = TypeVar("Coming", bound=Newcomer)


@get("/", include_in_schema=False)
async def lobby(request: AnyRequest, site: TheSite) -> Response[str]:
    """Show the lobby."""
    visitor = await site.visitor(request)
    await note_device(request, site, visitor)
    wish = Wish.read(dict(request.query_params.items()))
    return page(site, visitor, "lobby.html", await lobby_context(site.archive, visitor, wish))


@get("/tables.json")
async def lobby_json(request: AnyRequest, site: TheSite) -> Response[Context]:
    """List the open tables, and those at which you sit."""
    visitor = await site.visitor(request)
    wish = Wish.read(dict(request.query_params.items()))
    return answer_json(site, visitor, await lobby_data(site.archive, visitor, wish))


@get("/new/{game_id:str}", include_in_schema=False)
async def new_table_page(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Response[str]:
    """Show the form for a new table."""
    visitor = await site.visitor(request)
    given = dict(request.query_params.items())
    found = game(game_id)
    said, begun = await with_own_set(site.archive.sets, visitor.number, found, given)
    shown = forms.new_table_context(
        found, visitor, {**begun, **given}, own_decks=await own_decks(site.archive.decks, visitor.number, found)
    )
    return page(site, visitor, "new_table.html", shown | said | await _invited(site, given))


@post("/tables", request_max_body_size=MOST_TABLE_BODY, operation_class=takes(MakingTable))
async def make_table(request: AnyRequest, site: TheSite) -> Reply:
    """Make a table."""
    posted = await read_post(request, site, Newcomer)
    found = game(text_of(posted.fields, "game"))
    try:
        live = await _make(request, site, posted, found)
    except QuintainError as error:
        if wants_json(request):
            raise
        visitor, asker = await site.named(posted.visitor), Asker(address_of(request), posted.visitor.id)
        wrong = await wrong_fields(found, posted.fields, error, site.tables.reader, asker)
        own = await own_decks(site.archive.decks, visitor.number, found)
        shown = forms.new_table_context(found, visitor, posted.fields, wrong, own)
        shown |= await _invited(site, posted.fields)
        with contextlib.suppress(Refused):  # the set was deleted meanwhile: its text is still in the form
            shown |= (await with_own_set(site.archive.sets, visitor.number, found, posted.fields))[0]
        return page(site, visitor, "new_table.html", shown, status_of(error))
    return await show(request, site, live, posted.visitor, 201)


@post(PLAY_NOW + "{game_id:str}", include_in_schema=False)
async def play_now(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Make a table against bots, with the options of a first game, and begin at once."""
    found = game(game_id)
    sitters = [ME] + [usual_level()] * (found.seats[2] - 1)

    def make(posted: Post[Newcomer]) -> Awaitable[LiveTable]:
        player, commitment = posted.visitor.id, posted.given.committed()
        return acts.add(site.tables, player, game_id, sitters, found.first_game, private=True, commitment=commitment)

    return await _begin(request, site, Newcomer, make)


@post("/quick", include_in_schema=False)
async def quick_match(request: AnyRequest, site: TheSite) -> Reply:
    """Sit down at an open table that suits, or make one and wait there; the rival may also be a bot."""

    async def make(posted: Post[QuickMatch]) -> LiveTable:
        wanted = _wanted(posted.given)
        return await _quick_table(site.archive, posted.visitor.id, wanted, posted.given.committed())

    return await _begin(request, site, QuickMatch, make)


@get("/tables/{table_id:str}/decline", include_in_schema=False)
async def decline_page(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Response[str]:
    """Ask whether an invitation is to be declined."""
    visitor, live = await site.visitor(request), await site.tables.get(table_id)
    shown = contexts.page_context(visitor, "Not today", "/")
    href = f"/tables/{live.id}"
    facts = {"action": f"{href}/decline", "game_id": live.table.row.game, "href": href}
    return page(site, visitor, "decline.html", {**shown, **facts})


@post("/tables/{table_id:str}/decline", include_in_schema=False)
async def decline(request: AnyRequest, site: TheSite, table_id: FromPath[str]) -> Reply:
    """Decline an invitation to a table."""
    posted = await read_post(request, site, Posted)
    await site.archive.invitations.decline(table_id, await acts.number_of(site.tables, posted.visitor.id))
    site.lobby.tell([posted.visitor.id])
    return Redirect("/", status_code=303)


@post(LEARN + "{game_id:str}", status_code=201)
async def learn(request: AnyRequest, site: TheSite, game_id: FromPath[str]) -> Reply:
    """Begin the lesson of a game at a table of your own, or go on with it."""
    return await _begin(request, site, Newcomer, lambda posted: begin(site.tables, posted.visitor.id, game_id))


async def _make(request: AnyRequest, site: Site, posted: Post[Newcomer], found: Game) -> LiveTable:
    """Make the table that a form or JSON describes, and ask the player to it whom it names."""
    address, player = address_of(request), posted.visitor.id
    site.check_table_limit(player, address)
    await ensure_name(request, site, posted)
    by = await acts.number_of(site.tables, player)
    wanted = new_table(found, await with_own_lists(partial(site.archive.decks.find, by), found, posted.fields))
    to = _asked(wanted.invite) if wanted.invite else None
    if to is not None:
        await site.archive.invitations.check(by, to)
    if wanted.owned:
        await ready_cards(site.archive, by, found)
    live = await acts.add(
        site.tables,
        player,
        found.id,
        wanted.seats,
        wanted.options,
        clock=wanted.clock,
        private=wanted.private,
        speed=wanted.speed,
        address=address,
        commitment=wanted.committed(),
        rated=wanted.rated,
        hints=wanted.hints,
        owned=wanted.owned,
    )
    if to is not None:
        await site.archive.invitations.add(live.id, by, to)
        site.lobby.tell([person.id for person in (await site.store.persons([to])).values()])
    return live


async def _invited(site: Site, given: Mapping[str, object]) -> Context:
    """Return who is asked to the table of a form: the number and the name of a player, or nobody."""
    number = number_in(str(given.get("invite", "")))
    persons = {} if number is None else await site.store.persons([number])
    return {"invited": next(({"number": str(number), "name": one.name} for one in persons.values()), None)}


def _asked(invite: int | str) -> int:
    """Return the number of the player who is asked to a table; raises Refused if it is none."""
    number = number_in(str(invite))
    if number is None:
        raise Refused(400, "invite must be the number of a player")
    return number


async def _begin(
    request: AnyRequest, site: Site, kind: type[Coming], make: Callable[[Post[Coming]], Awaitable[LiveTable]]
) -> Reply:
    """Make a table for a player, and show it; ask for another name first if theirs does not do."""
    posted, path = await read_post(request, site, kind), request.scope["path"]
    site.check_table_limit(posted.visitor.id, address_of(request))
    try:
        await ensure_name(request, site, posted)
    except BadOption as error:
        if wants_json(request):
            raise
        visitor, given = await site.named(posted.visitor), posted.given.name
        back = path if path.startswith((PLAY_NOW, LEARN)) else "/"
        return name_page(site, visitor, back, given, str(error), status_of(error))
    await note_device(request, site, posted.visitor)
    return await show(request, site, await make(posted), posted.visitor, 201)


ANYBODY, SIMILAR = "anybody", "near"
"""Against whom somebody wants to play, if not against a bot, which is named by its level."""
MOST_LOOKED_AT = 50
"""The open tables that are looked through."""


class Wanted(NamedTuple):
    """What somebody wants to play: the game, the rival, and the clock."""

    game: str
    rival: str
    clock: str


def _wanted(given: QuickMatch) -> Wanted:
    """Return what a post wants; raises BadOption for what does not exist, and UnknownGame."""
    rival, clock = given.rival, given.clock
    if rival not in (ANYBODY, SIMILAR, *levels()):
        raise BadOption(f"there is no rival {rival!r}; there are {ANYBODY}, {SIMILAR}, {', '.join(levels())}")
    if clock not in QUICK_CLOCKS:
        raise BadOption(f"a quick match has no clock {clock!r}; it has {', '.join(QUICK_CLOCKS)}")
    return Wanted(game(given.game).id if given.game else "", rival, clock)


async def _quick_table(archive: Archive, player: str, wanted: Wanted, commitment: str) -> LiveTable:
    """Return the table at which a player now sits: an open one that suits, or a new one."""
    tables, game_id, clock = archive.tables, wanted.game or _usual(), wanted.clock
    if wanted.rival in levels():
        sitters = [ME, wanted.rival]
        return await acts.add(tables, player, game_id, sitters, {}, clock=clock, private=True, commitment=commitment)
    for row, seats in await _suitable(archive, player, wanted):
        live = await tables.get(row.id)
        if live.table.seat_of(player) is not None:
            return live  # they have looked for this before, and wait there
        for seat in seats:
            if not seat.is_taken:
                with contextlib.suppress(Refused):  # somebody may be faster
                    await acts.sit_down(tables, live, seat.seat, player, commitment)
                    return live
    return await acts.add(tables, player, game_id, [ME, OPEN], {}, clock=clock, commitment=commitment)


def _usual() -> str:
    """Return the game that is played by those who do not mind: the easiest one for two."""
    return next(found.id for found in by_weight() if found.seats[0] == 2)


async def _suitable(archive: Archive, player: str, wanted: Wanted) -> list[Seated]:
    """Return the open tables that suit, the oldest first: who has waited longest is served first."""
    found = await archive.store.open_tables(now() - LISTED_FOR, MOST_LOOKED_AT)
    suits = [each for each in reversed(found) if _is_wanted(each, wanted)]
    if wanted.rival != SIMILAR:
        return suits
    at, strengths = await points_of(archive, player), await strengths_at(archive, suits)
    return [each for each in suits if is_near(each, at, strengths)]


def _is_wanted(each: Seated, wanted: Wanted) -> bool:
    """Tell whether an open table is one for two of the wanted game, with its clock and the usual options, for fun."""
    row, seats = each
    return is_for_anybody(row, seats) and row.clock == wanted.clock and wanted.game in ("", row.game)


HANDLERS = (lobby, lobby_json, new_table_page, make_table, play_now, quick_match, decline_page, decline, learn)
