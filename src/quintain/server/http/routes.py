"""The handlers of all requests: the pages and the JSON API.

A handler reads the request (`requests.py`), lets the tables do something (`tables.py`), and answers with a page or JSON
(`answers.py`) made from the values of `contexts.py`. Posts to a table, such as a move, come from a list in `deeds.py`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import quote, urlsplit

from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from msgspec import to_builtins

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.registry import all_games, game
from quintain.server.http import quick
from quintain.server.http.answers import (
    answer_json,
    context_of,
    is_partial,
    notice_alone,
    page,
    previews_of,
    status_of,
)
from quintain.server.http.deeds import DEEDS, Deed
from quintain.server.http.documented import Making, Naming, SittingDown, takes
from quintain.server.http.house import AnyRequest, House, Reply, TheHouse
from quintain.server.http.records import record_of
from quintain.server.http.requests import (
    NeedsName,
    Post,
    address_of,
    give_name,
    name_of,
    note_device,
    read_post,
    wants_json,
)
from quintain.server.model.levels import usual_level
from quintain.server.model.results import number_in
from quintain.server.pages import contexts, fields, forms
from quintain.server.pages.drawing import move_link
from quintain.server.pages.lobby_pages import Wish, lobby_context
from quintain.server.pages.old_games import old_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.since import looked_back, steps_json
from quintain.server.people.players import (
    CONFIRM_COOKIE,
    COOKIE_SECONDS,
    NO,
    TALK_COOKIE,
    THEME_COOKIE,
    THEMES,
    YES,
    Visitor,
)
from quintain.server.refused import Refused
from quintain.server.tables.acts import ME
from quintain.server.tables.foresight import NOTHING_FORESEEN
from quintain.server.tables.learner import begin
from quintain.server.tables.table import SPEEDS, Table
from quintain.server.tables.viewing import Viewing
from quintain.server.turns import Asker

PLAY_NOW = "/play/"
LEARN = "/learn/"
"""A post to one of these paths and a game's id begins that game, or its lesson, at once; it may hold a name."""
CANNOT_WRITE = "the server cannot write to its database, so it takes no moves; its log says why"
MOST_BODY = 64 * 1024
MOST_TABLE_BODY = 512 * 1024
"""Bytes of a post, and of a post for a new table, which may hold the text of a card set."""

Do = Callable[[Table], Awaitable[str | None]]


@get("/", include_in_schema=False)
async def lobby(request: AnyRequest, house: TheHouse) -> Response[str]:
    """Show the lobby."""
    visitor = await house.visitor(request)
    await note_device(request, house, visitor)
    wish = Wish.read(dict(request.query_params.items()))
    return page(house, visitor, "lobby.html", await lobby_context(house.archive, visitor, wish))


@get("/tables.json")
async def lobby_json(request: AnyRequest, house: TheHouse) -> Response[Context]:
    """List the open tables, and those at which you sit."""
    visitor = await house.visitor(request)
    shown = await lobby_context(house.archive, visitor, Wish.read(dict(request.query_params.items())))
    names = (fields.CSRF, "games", "open_tables", "my_tables", "invitations")
    return answer_json(visitor, house, {name: shown[name] for name in names})


@get("/new/{game_id:str}", include_in_schema=False)
async def new_table(request: AnyRequest, house: TheHouse, game_id: FromPath[str]) -> Response[str]:
    """Show the form for a new table."""
    visitor = await house.visitor(request)
    given = dict(request.query_params.items())
    shown = forms.new_table_context(game(game_id), visitor, given)
    return page(house, visitor, "new_table.html", shown | await _invited(house, given))


@post("/tables", request_max_body_size=MOST_TABLE_BODY, operation_class=takes(Making))
async def make_table(request: AnyRequest, house: TheHouse) -> Reply:
    """Make a table."""
    posted = await read_post(request, house)
    found = game(posted.text(fields.GAME))
    try:
        table = await _make(request, house, posted, found.id)
        await _invite(house, posted, table)
    except QuintainError as error:
        if wants_json(request):
            raise
        visitor, asker = await house.named(posted.visitor), Asker(address_of(request), posted.visitor.id)
        wrong = await forms.wrong_fields(found, posted, error, house.tables.reader, asker)
        shown = forms.new_table_context(found, visitor, posted.fields, wrong) | await _invited(house, posted.fields)
        return page(house, visitor, "new_table.html", shown, status_of(error))
    return await _show(request, house, table, posted.visitor, 201)


@post(PLAY_NOW + "{game_id:str}", include_in_schema=False)
async def play_now(request: AnyRequest, house: TheHouse, game_id: FromPath[str]) -> Reply:
    """Make a table against bots and begin at once."""
    usual = game(game_id).seats[2]
    sitters = [ME] + [usual_level()] * (usual - 1)

    def make(posted: Post) -> Awaitable[Table]:
        player, commitment = posted.visitor.id, posted.commitment()
        return house.tables.add(player, game_id, sitters, {}, private=True, commitment=commitment)

    return await _begin(request, house, make)


@post("/quick", include_in_schema=False)
async def quick_match(request: AnyRequest, house: TheHouse) -> Reply:
    """Sit down at an open table that suits, or make one and wait there; the rival may also be a bot."""

    async def make(posted: Post) -> Table:
        return await quick.match(house.archive, posted.visitor.id, quick.read(posted), posted.commitment())

    return await _begin(request, house, make)


@get("/tables/{table_id:str}/decline", include_in_schema=False)
async def decline_page(request: AnyRequest, house: TheHouse, table_id: FromPath[str]) -> Response[str]:
    """Ask whether an invitation is to be declined."""
    visitor, table = await house.visitor(request), await house.tables.get(table_id)
    shown = contexts.page_context(visitor, "Not today", "/")
    facts = {"action": f"/tables/{table.id}/decline", "game_id": table.row.game, "href": f"/tables/{table.id}"}
    return page(house, visitor, "decline.html", {**shown, **facts})


@post("/tables/{table_id:str}/decline", include_in_schema=False)
async def decline(request: AnyRequest, house: TheHouse, table_id: FromPath[str]) -> Reply:
    """Decline an invitation to a table."""
    posted = await read_post(request, house)
    await house.archive.invitations.decline(table_id, await house.tables.number_of(posted.visitor.id))
    house.lobby.tell([posted.visitor.id])
    return Redirect("/", status_code=303)


@post(LEARN + "{game_id:str}", status_code=201)
async def learn(request: AnyRequest, house: TheHouse, game_id: FromPath[str]) -> Reply:
    """Begin the lesson of a game at a table of your own, or go on with it."""
    return await _begin(request, house, lambda posted: begin(house.tables, posted.visitor.id, game_id))


@get("/tables/{table_id:str}", include_in_schema=False)
async def table_page(
    request: AnyRequest,
    house: TheHouse,
    table_id: FromPath[str],
    why: FromQuery[int | None] = None,
    chosen: FromQuery[str] = "",
    since: FromQuery[str | None] = None,
    remark: FromQuery[int | None] = None,
) -> Reply:
    """Show a table: as JSON if the path ends in .json, else as a page.

    With `why`, say why that action is not legal. With `chosen`, the id of a piece, show what can be done with it. With
    `since`, list the news since the viewer's last decision; with the number of one, show the table after it. With
    `remark`, the number of an earlier step of a lesson, show what it said.
    """
    if table_id.endswith(".json"):
        return await _table_json(request, house, table_id.removesuffix(".json"))
    visitor, table = await house.visitor(request), await house.tables.get(table_id)
    if table.is_old:
        return page(house, visitor, "old.html", old_context(table, visitor))
    await house.tables.stories.soon(table)
    if why is not None and is_partial(request):
        return page(house, visitor, "parts/why.html", contexts.why_context(Viewing.of(table, visitor), why))
    if since is not None and table.match:
        return await _look_back(request, house, table, visitor, since)
    previews = await previews_of(house, Viewing.of(table, visitor), chosen)
    viewing = Viewing.of(table, visitor)  # the table may have changed meanwhile
    shown = context_of(house, viewing, house.base_url(request), chosen, previews, remark=remark)
    reason = {} if why is None else contexts.why_context(viewing, why)
    return page(house, visitor, "table.html", {**shown, **reason})


@get("/tables/{table_id:str}/steps", include_in_schema=False)
async def steps(
    request: AnyRequest, house: TheHouse, table_id: FromPath[str], after: FromQuery[int] = 0
) -> Response[Context]:
    """Return the table after each piece of news since the viewer's decision, after this many lines of their log."""
    visitor, table = await house.visitor(request), await house.tables.get(table_id)
    house.check_replay_limit(address_of(request))
    await table.settled()
    base_url = house.base_url(request)
    link = move_link(house.signer, table, visitor, base_url)
    found = await steps_json(house.looking_back, Viewing.of(table, visitor), house.templates, base_url, link, after)
    return answer_json(visitor, house, found)


@get("/tables/{table_id:str}/previews")
async def table_previews(
    request: AnyRequest, house: TheHouse, table_id: FromPath[str], chosen: FromQuery[str] = ""
) -> Response[Context]:
    """Return what your next moves would do, by action: those of a chosen piece, or the first ones of all."""
    visitor, table = await house.visitor(request), await house.tables.get(table_id)
    table.check_here()
    await table.settled()
    found = await previews_of(house, Viewing.of(table, visitor), chosen)
    shown = {str(action): to_builtins(preview) for action, preview in found.by_action.items() if preview}
    return answer_json(visitor, house, {"decision": found.decision, "previews": shown})


@get("/tables/{table_id:str}/view")
async def table_json(request: AnyRequest, house: TheHouse, table_id: FromPath[str]) -> Reply:
    """Return all that you may see of a table. The address is /tables/{table_id}.json."""
    return await _table_json(request, house, table_id)


@post("/tables/{table_id:str}/seats/{seat:int}", operation_class=takes(SittingDown), status_code=200)
async def sit_down(request: AnyRequest, house: TheHouse, table_id: FromPath[str], seat: FromPath[int]) -> Reply:
    """Sit down on an empty seat, or come back to your own from a bot that plays on."""
    posted = await read_post(request, house)

    async def do(table: Table) -> None:
        await name_of(request, house, posted)
        await house.tables.sit_down(table, seat, posted.visitor.id, posted.commitment())

    return await _change(request, house, table_id, posted, do)


@get("/tables/{table_id:str}/record.json")
async def record(house: TheHouse, table_id: FromPath[str]) -> Response[dict[str, object]]:
    """Return the record of a finished game, for `quintain replay` and `quintain verify`."""
    table = await house.tables.get(table_id)
    if table.folded.record is None:
        table.check_here()
        raise Refused(409, "the game is not over yet")
    found = record_of(table.folded, house.keys)
    name = f"{table.row.game}-{table.id}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(found, media_type=MediaType.JSON, headers=headers)


@get("/seat/{token:str}", include_in_schema=False)
async def seat_link(request: AnyRequest, house: TheHouse, token: FromPath[str]) -> Response[str]:
    """Ask the visitor whether to move a seat to this device."""
    visitor = await house.visitor(request)
    table, seat, *_ = await _linked(house, token)
    shown = {
        **contexts.page_context(visitor, "Your seat", f"/seat/{token}"),
        "seat_name": table.seats[seat].name,
        "game_title": game(table.row.game).title,
        "action": f"/seat/{token}",
    }
    return page(house, visitor, "take_seat.html", shown)


@post("/seat/{token:str}", include_in_schema=False)
async def move_seat(request: AnyRequest, house: TheHouse, token: FromPath[str]) -> Reply:
    """Move a seat to this device."""
    posted = await read_post(request, house)
    table, seat, giver, moved = await _linked(house, token)
    if await house.store.player_name(posted.visitor.id) is None:
        await house.store.name_player(posted.visitor.id, table.seats[seat].name or "Player")
    await note_device(request, house, posted.visitor)
    await house.tables.move_seat(table, seat, giver, moved, posted.visitor.id)
    return Redirect(f"/tables/{table.id}", status_code=303)


@get("/credits", include_in_schema=False)
async def credits_page(request: AnyRequest, house: TheHouse) -> Response[str]:
    """Show the people whose pictures, fonts and scripts Quintain uses."""
    visitor = await house.visitor(request)
    return page(house, visitor, "credits.html", contexts.page_context(visitor, "Credits", "/credits"))


@get("/name", include_in_schema=False)
async def ask_name(request: AnyRequest, house: TheHouse) -> Response[str]:
    """Ask for a name."""
    visitor = await house.visitor(request)
    return name_page(house, visitor, own_path(request.query_params.get(fields.NEXT, "/")), visitor.name or "", "")


@post("/name", operation_class=takes(Naming), status_code=200)
async def set_name(request: AnyRequest, house: TheHouse) -> Reply:
    """Choose a name."""
    posted = await read_post(request, house)
    back, name = own_path(posted.text(fields.NEXT, "/")), posted.text(fields.NAME)
    try:
        name = await give_name(house, posted.visitor.id, name)
    except QuintainError as error:
        if wants_json(request):
            raise
        return name_page(house, await house.named(posted.visitor), back, name, str(error), status_of(error))
    await note_device(request, house, posted.visitor)
    if wants_json(request):
        return answer_json(posted.visitor, house, {fields.NAME: name, fields.CSRF: posted.visitor.csrf})
    return Redirect(back, status_code=303)


@post("/theme", include_in_schema=False)
async def set_theme(request: AnyRequest, house: TheHouse) -> Reply:
    """Choose how pages look."""
    return await _choose(request, house, fields.THEME, THEMES, THEME_COOKIE)


@post("/confirming", include_in_schema=False)
async def set_confirming(request: AnyRequest, house: TheHouse) -> Reply:
    """Choose whether a move that can be taken back needs one touch or two."""
    return await _choose(request, house, fields.CONFIRMING, (YES, NO), CONFIRM_COOKIE)


@post("/talking", include_in_schema=False)
async def set_talking(request: AnyRequest, house: TheHouse) -> Reply:
    """Choose whether you want to read what people say at tables."""
    return await _choose(request, house, fields.TALKING, (YES, NO), TALK_COOKIE)


async def _choose(request: AnyRequest, house: House, field: str, choices: Sequence[str], cookie: str) -> Reply:
    """Keep a visitor's choice in a cookie, and send them back; raises Refused for what is no choice."""
    posted = await read_post(request, house)
    if (chosen := posted.text(field)) not in choices:
        raise Refused(422, f"{field} is one of {', '.join(choices)}, not {chosen[:40]!r}")
    response = Redirect(own_path(posted.text(fields.NEXT, "/")), status_code=303)
    response.set_cookie(cookie, chosen, max_age=COOKIE_SECONDS, samesite="lax")
    return response


@get("/health")
async def health(house: TheHouse) -> Response[dict[str, str]]:
    """Say whether the server can write to its database."""
    if await house.health.can_write():
        return Response({"status": "ok"}, media_type=MediaType.JSON)
    return Response({"status": "failing", "error": CANNOT_WRITE}, media_type=MediaType.JSON, status_code=503)


def _handler(part: str, deed: Deed) -> HTTPRouteHandler:
    """Return the handler that does a deed; its path ends with `part`."""

    async def handle(request: AnyRequest, house: TheHouse, table_id: FromPath[str]) -> Reply:
        posted = await read_post(request, house)
        read = deed.read(posted)
        return await _change(
            request,
            house,
            table_id,
            posted,
            lambda table: deed.do(house.tables, table, posted.visitor.id, *read),
            deed.thanks,
        )

    handle.__name__, handle.__doc__ = deed.name, deed.words
    made = post(
        f"/tables/{{table_id:str}}/{part}",
        operation_class=takes(deed.takes),
        status_code=200,
        include_in_schema=deed.documented,
    )
    return made(handle)


async def _change(request: AnyRequest, house: House, table_id: str, posted: Post, do: Do, thanks: str = "") -> Reply:
    """Do something at a table, then show the table. If it is refused, show the table as it stands, with the reason."""
    table = await house.tables.get(table_id)
    table.check_here()
    try:
        other = await do(table)
    except NeedsName:
        raise
    except QuintainError as error:
        return await _show(request, house, table, posted.visitor, status_of(error), str(error))
    notice = "" if wants_json(request) else thanks
    return await _show(request, house, await house.tables.get(other) if other else table, posted.visitor, notice=notice)


async def _show(
    request: AnyRequest, house: House, table: Table, visitor: Visitor, status: int = 200, notice: str = ""
) -> Reply:
    """Show a table after a post: as JSON, as the part of the page that htmx swaps, or as a page."""
    await table.settled()
    await house.tables.stories.soon(table)
    if wants_json(request):
        return answer_json(visitor, house, contexts.table_json(Viewing.of(table, visitor), notice), status)
    if is_partial(request):
        if table.is_watched_by(visitor.id):
            return notice_alone(house, visitor, notice, status) if notice else Response(b"", status_code=204)
        shown = context_of(house, Viewing.of(table, visitor), house.base_url(request))
        return page(house, visitor, "table_body.html", {**shown, "notice": notice or None}, status)
    if notice:
        visitor = await house.named(visitor)
        await table.settled()
        shown = context_of(house, Viewing.of(table, visitor), house.base_url(request))
        return page(house, visitor, "table.html", {**shown, "notice": notice}, status)
    return Redirect(f"/tables/{table.id}", status_code=303)


async def _look_back(request: AnyRequest, house: House, table: Table, visitor: Visitor, asked: str) -> Response[str]:
    """Show the news since the viewer's last decision, or the table after one; if there is no such, say so."""
    house.check_replay_limit(address_of(request))
    await table.settled()
    back, refused = await looked_back(house.looking_back, table.playing(), table.seat_of(visitor.id), asked)
    previews = NOTHING_FORESEEN
    if not back.step and not is_partial(request):
        previews = await previews_of(house, Viewing.of(table, visitor), "")
    viewing = Viewing.of(table, visitor, back.seen)
    shown = context_of(house, viewing, house.base_url(request), previews=previews)
    template = "table_body.html" if is_partial(request) else "table.html"
    more = {"since": back.context, "notice": str(refused) if refused else None}
    answer = page(house, visitor, template, {**shown, **more}, refused.status if refused else 200)
    answer.content = back.marked(answer.content)
    return answer


async def _table_json(request: AnyRequest, house: House, table_id: str) -> Reply:
    visitor, table = await house.visitor(request), await house.tables.get(table_id)
    table.check_here()
    await house.tables.stories.soon(table)
    return answer_json(visitor, house, contexts.table_json(Viewing.of(table, visitor)))


async def _make(request: AnyRequest, house: House, posted: Post, game_id: str) -> Table:
    """Make the table that a form or JSON describes."""
    address = address_of(request)
    house.check_table_limit(posted.visitor.id, address)
    await name_of(request, house, posted)
    if posted.fields.get(fields.INVITE):
        by = await house.tables.number_of(posted.visitor.id)
        await house.archive.invitations.check(by, _asked(posted))
    wanted, options = forms.sitters_and_options(game(game_id), posted)
    private, rated = posted.is_on(fields.PRIVATE), posted.is_on(fields.RATED)
    clock, speed = posted.text(fields.CLOCK, "none"), posted.text(fields.SPEED, list(SPEEDS)[1])
    player, commitment = posted.visitor.id, posted.commitment()
    return await house.tables.add(player, game_id, wanted, options, clock, private, speed, address, commitment, rated)


async def _invited(house: House, given: Mapping[str, object]) -> Context:
    """Return who is asked to the table of a form: the number and the name of a player, or nobody."""
    number = number_in(str(given.get(fields.INVITE, "")))
    persons = {} if number is None else await house.store.persons([number])
    return {"invited": next(({"number": str(number), "name": one.name} for one in persons.values()), None)}


def _asked(posted: Post) -> int:
    """Return the number of the player whom a post asks to a table; raises Refused if it is none."""
    number = number_in(str(posted.fields.get(fields.INVITE)))
    if number is None:
        raise Refused(400, f"{fields.INVITE} must be the number of a player")
    return number


async def _invite(house: House, posted: Post, table: Table) -> None:
    """Ask the player to a new table whom its form names, if it names one."""
    if posted.fields.get(fields.INVITE):
        by, to = await house.tables.number_of(posted.visitor.id), _asked(posted)
        await house.archive.invitations.add(table.id, by, to)
        house.lobby.tell([person.id for person in (await house.store.persons([to])).values()])


async def _begin(request: AnyRequest, house: House, make: Callable[[Post], Awaitable[Table]]) -> Reply:
    """Make a table for a player, and show it; ask for another name first if theirs does not do."""
    posted, path = await read_post(request, house), request.scope["path"]
    house.check_table_limit(posted.visitor.id, address_of(request))
    try:
        await name_of(request, house, posted)
    except BadOption as error:
        if wants_json(request):
            raise
        visitor, given = await house.named(posted.visitor), posted.text(fields.NAME)
        back = path if path.startswith((PLAY_NOW, LEARN)) else "/"
        return name_page(house, visitor, back, given, str(error), status_of(error))
    await note_device(request, house, posted.visitor)
    return await _show(request, house, await make(posted), posted.visitor, 201)


async def _linked(house: House, token: str) -> tuple[Table, int, str, int]:
    """Return the table, seat, player and earlier moves in the token of a link; raises Refused if it is not valid."""
    named = house.signer.seat(token)
    if named is None:
        raise Refused(404, "this link leads to no seat")
    table_id, seat, player, moved, session = named
    table = await house.tables.get(table_id)
    if not house.sessions.are_on(player, session):
        raise Refused(410, "this link holds no longer: its owner has signed out on all other devices")
    if (table.seats[seat].player, table.seats[seat].moved) != (player, moved):
        raise Refused(410, "this link has been used: the seat has moved on since")
    return table, seat, player, moved


def name_page(house: House, visitor: Visitor, back: str, given: str, error: str, status: int = 200) -> Response[str]:
    """Show the page on which a visitor chooses a name; then they go `back`."""
    shown = {
        **contexts.page_context(visitor, "Your name", f"/name?next={quote(back)}"),
        fields.NEXT: back,
        "action": back if back in {way + found.id for found in all_games() for way in (PLAY_NOW, LEARN)} else "/name",
        "given": given,
        "error": error or None,
    }
    return page(house, visitor, "name.html", shown, status)


def own_path(url: str) -> str:
    """Return the path if it belongs to this server, else the lobby's: no link may lead to another site."""
    try:
        parts = urlsplit(url.replace("\\", "/"))
    except ValueError:
        return "/"
    return url if url.startswith("/") and not url.startswith("//") and not (parts.scheme or parts.netloc) else "/"


HANDLERS = (
    lobby,
    lobby_json,
    new_table,
    make_table,
    play_now,
    quick_match,
    decline_page,
    decline,
    learn,
    table_page,
    table_json,
    table_previews,
    sit_down,
    record,
    seat_link,
    move_seat,
    credits_page,
    ask_name,
    set_name,
    set_theme,
    set_confirming,
    set_talking,
    steps,
    health,
    *(_handler(part, deed) for part, deed in DEEDS.items()),
)
