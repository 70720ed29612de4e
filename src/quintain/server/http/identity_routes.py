"""The addresses with which a player brings devices in, signs them out, is found again, or leaves for good.

`identities.py` does what they ask for. The page of a player shows the forms to that player alone.
"""

from __future__ import annotations

from dataclasses import replace

from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.params import FromPath
from litestar.response import Redirect
from minijinja import safe

from quintain.server.http.answers import answer_json, page, set_cookie
from quintain.server.http.house import AnyRequest, House, Reply, TheHouse
from quintain.server.http.requests import address_of, note_device, read_post, wants_json
from quintain.server.pages import fields
from quintain.server.pages.contexts import page_context, qr
from quintain.server.pages.player_pages import player_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import day_of
from quintain.server.people.identities import groups_of
from quintain.server.people.players import Visitor, new_device, new_id
from quintain.server.refused import Refused
from quintain.server.store.devices import Recovery

ENDED = "You are signed out everywhere but here."
GONE = "Your name is gone from here. The games that you played stay, without it."
STAYS: Context = {"notice": None, "error": None}
NOTHING_MORE: Context = {"notice": None, "link": None, "code": None}
SLOWLY = "you have tried many codes: wait some minutes before you try another"


@post("/sessions/end", status_code=200)
async def end_sessions(request: AnyRequest, house: TheHouse) -> Reply:
    """Sign out everywhere but here: you get a new cookie, and links that move your seats are void."""
    visitor = await _named(request, house)
    session = await house.identities.end_others(visitor.id, visitor.device)
    visitor = replace(visitor, session=session, csrf=house.signer.csrf(visitor.id, session))
    answer: Reply
    if wants_json(request):
        answer = answer_json(visitor, house, {fields.CSRF: visitor.csrf})
    else:
        answer = await own_page(house, visitor, {"notice": ENDED})
    set_cookie(house, visitor, answer)
    return answer


@post("/me/devices/{device:str}/end", include_in_schema=False)
async def end_device(request: AnyRequest, house: TheHouse, device: FromPath[str]) -> Reply:
    """Sign one of your devices out."""
    visitor = await _named(request, house)
    await house.identities.end_device(visitor.number or 0, device)
    if device == visitor.device:
        return Redirect("/", status_code=303)
    return await own_page(house, visitor, {"notice": "That device is signed out."})


@post("/me/link", include_in_schema=False)
async def make_link(request: AnyRequest, house: TheHouse) -> Reply:
    """Make a link that signs one more device of yours in."""
    visitor = await _named(request, house)
    url = f"{house.base_url(request)}/join/{await house.identities.link(visitor.number or 0)}"
    return await own_page(house, visitor, {"link": {"url": url, "qr_svg": safe(qr(url))}})


@post("/me/recovery", include_in_schema=False)
async def show_recovery(request: AnyRequest, house: TheHouse) -> Reply:
    """Show your recovery code; with `new`, make a new one, and the old one holds no more."""
    posted = await read_post(request, house)
    visitor = _has_name(await house.named(posted.visitor))
    found = await house.identities.show_recovery(visitor.number or 0, renew=posted.text(fields.NEW) == "yes")
    return await own_page(house, visitor, {"code": groups_of(found.code)})


@get("/join/{token:str}", include_in_schema=False)
async def join_page(request: AnyRequest, house: TheHouse, token: FromPath[str]) -> Response[str]:
    """Ask whether this device shall be signed in as the player who made the link."""
    visitor, number = await house.visitor(request), await house.identities.linked(token)
    shown = await _join_context(house, visitor, number, f"/join/{token}", "")
    return page(house, visitor, "join.html", shown)


@post("/join/{token:str}", include_in_schema=False)
async def join(request: AnyRequest, house: TheHouse, token: FromPath[str]) -> Reply:
    """Sign this device in as the player who made the link."""
    await read_post(request, house)
    return await _become(request, house, await house.identities.use_link(token))


@get("/recover", include_in_schema=False)
async def recover_page(request: AnyRequest, house: TheHouse) -> Response[str]:
    """Ask for a recovery code."""
    visitor = await house.visitor(request)
    return page(house, visitor, "join.html", await _join_context(house, visitor, None, "/recover", ""))


@post("/recover", include_in_schema=False)
async def recover(request: AnyRequest, house: TheHouse) -> Reply:
    """Sign this device in as the player whose recovery code is posted."""
    posted = await read_post(request, house)
    if not house.recovery_limit.allows(address_of(request)):
        raise Refused(429, SLOWLY)
    try:
        number = await house.identities.recover(posted.text(fields.CODE))
    except Refused as error:
        if wants_json(request):
            raise
        visitor, words = await house.named(posted.visitor), str(error)
        shown = await _join_context(house, visitor, None, "/recover", words[:1].upper() + words[1:])
        return page(house, visitor, "join.html", shown, error.status)
    return await _become(request, house, number)


@get("/me/forget", include_in_schema=False)
async def forget_page(request: AnyRequest, house: TheHouse) -> Response[str]:
    """Ask once more whether you want to be deleted."""
    visitor = _has_name(await house.visitor(request))
    return page(house, visitor, "forget.html", page_context(visitor, "Delete me", "/me/forget") | STAYS)


@post("/me/forget", include_in_schema=False)
async def forget(request: AnyRequest, house: TheHouse) -> Reply:
    """Delete you: your games stay, your name goes. The field `name` must hold your name."""
    posted = await read_post(request, house)
    visitor = _has_name(await house.named(posted.visitor))
    if posted.text(fields.NAME).strip() != visitor.name:
        wrong = {"error": f"To be deleted, type your name as it is: {visitor.name}."}
        shown = page_context(visitor, "Delete me", "/me/forget") | STAYS | wrong
        return page(house, visitor, "forget.html", shown, 422)
    await house.tables.leave_all(visitor.id)
    await house.identities.forget(visitor.id, visitor.number or 0)
    await house.tables.rename(visitor.number or 0)
    stranger = _stranger(house, visitor)
    answer = page(house, stranger, "forget.html", page_context(stranger, "Farewell", "/") | {"notice": GONE})
    set_cookie(house, stranger, answer)
    return answer


@get("/keys")
async def public_keys(house: TheHouse) -> Response[dict[str, list[dict[str, object]]]]:
    """Return the public keys that sign records, with the times at which the server began and ceased to use each."""
    return Response({"keys": house.keys.public}, media_type=MediaType.JSON)


async def own_page(house: House, visitor: Visitor, more: Context = NOTHING_MORE) -> Response[str]:
    """Show a visitor their own page, perhaps with something that only the answer to a post shows."""
    shown = await player_context(house.archive, visitor, visitor.key or "")
    own = await own_context(house, visitor)
    return page(house, visitor, "player.html", {**shown, **own, **NOTHING_MORE, **more})


async def own_context(house: House, visitor: Visitor) -> Context:
    """Return what a player's page shows to that player alone."""
    number = visitor.number or 0
    devices = await house.identities.devices(number)
    return {
        "devices": [
            {
                "id": each.id,
                "kind": each.kind,
                "words": each.words,
                "is_this": each.id == visitor.device,
                "seen": day_of(each.seen),
            }
            for each in devices
        ],
        "recovery": _shown(await house.identities.recovery(number)),
    }


def _shown(recovery: Recovery | None) -> Context | None:
    """Return what the page says of a recovery code as long as it stays hidden."""
    return recovery and {"shown": day_of(recovery.shown) if recovery.shown else ""}


async def _join_context(house: House, visitor: Visitor, number: int | None, action: str, error: str) -> Context:
    """Return the values for the page that signs a device in; `number` is the player's if a link has named them."""
    who = None if number is None else (await house.store.persons([number]))[number].name
    return {
        **page_context(visitor, f"Be {who} here" if who else "I was here before", action),
        "who": who,
        "key": None if number is None else str(number),
        "action": action,
        "error": error or None,
    }


async def _named(request: AnyRequest, house: House) -> Visitor:
    """Return the visitor who posts, with a name; raises Refused if they have none."""
    return _has_name(await house.named((await read_post(request, house)).visitor))


def _has_name(visitor: Visitor) -> Visitor:
    if visitor.number is None:
        raise Refused(409, "you have no name here yet, so there is nothing of yours to change: choose a name first")
    return visitor


def _stranger(house: House, visitor: Visitor) -> Visitor:
    """Return a new visitor in the place of one who has gone."""
    player = new_id()
    csrf = house.signer.csrf(player)
    return Visitor(player, None, csrf, visitor.theme, visitor.confirms, fresh=True, device=new_device(visitor.device))


async def _become(request: AnyRequest, house: House, number: int) -> Reply:
    """Sign this device in as a player, and show their page."""
    person = (await house.store.persons([number]))[number]
    before, session = house.nameless(request), await house.store.session_of(number)
    csrf, device = house.signer.csrf(person.id, session), new_device(before.device)
    visitor = Visitor(person.id, person.name, csrf, before.theme, before.confirms, True, session, number, device)
    await note_device(request, house, visitor)
    answer = Redirect(f"/players/{number}", status_code=303)
    set_cookie(house, visitor, answer)
    return answer


HANDLERS = (
    end_sessions,
    end_device,
    make_link,
    show_recovery,
    join_page,
    join,
    recover_page,
    recover,
    forget_page,
    forget,
    public_keys,
)
