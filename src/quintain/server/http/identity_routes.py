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

from quintain.server.http.answers import answer_json, capitalized, page, set_cookie
from quintain.server.http.requests import address_of, note_device, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.pages.contexts import CSRF, page_context, qr
from quintain.server.pages.player_pages import player_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import day_of
from quintain.server.people.identities import groups_of
from quintain.server.people.players import Visitor, new_device, new_id
from quintain.server.posted.posts import Forgetting, Posted, Recovering, ShowingRecovery
from quintain.server.refused import Refused
from quintain.server.store.devices import Recovery
from quintain.server.tables import acts

ENDED = "You are signed out everywhere but here."
GONE = "Your name is gone from here. The games that you played stay, without it."
STAYS: Context = {"notice": None, "error": None}
NOTHING_MORE: Context = {"notice": None, "link": None, "code": None}
SLOWLY = "you have tried many codes: wait some minutes before you try another"


@get("/me", include_in_schema=False)
async def own(request: AnyRequest, site: TheSite) -> Redirect:
    """Lead to your own page; without a name, to the page that asks for a recovery code."""
    visitor = await site.visitor(request)
    return Redirect(f"/players/{visitor.key}" if visitor.key else "/recover", status_code=303)


@post("/sessions/end", status_code=200)
async def end_sessions(request: AnyRequest, site: TheSite) -> Reply:
    """Sign out everywhere but here: you get a new cookie, and links that move your seats are void."""
    visitor = await _named(request, site)
    session = await site.identities.end_others(visitor.id, visitor.device)
    visitor = replace(visitor, session=session, csrf=site.signer.csrf(visitor.id, session))
    answer: Reply
    if wants_json(request):
        answer = answer_json(site, visitor, {CSRF: visitor.csrf})
    else:
        answer = await own_page(site, visitor, {"notice": ENDED})
    set_cookie(site, visitor, answer)
    return answer


@post("/me/devices/{device:str}/end", include_in_schema=False)
async def end_device(request: AnyRequest, site: TheSite, device: FromPath[str]) -> Reply:
    """Sign one of your devices out."""
    visitor = await _named(request, site)
    await site.identities.end_device(visitor.number or 0, device)
    if device == visitor.device:
        return Redirect("/", status_code=303)
    return await own_page(site, visitor, {"notice": "That device is signed out."})


@post("/me/link", include_in_schema=False)
async def make_link(request: AnyRequest, site: TheSite) -> Reply:
    """Make a link that signs one more device of yours in."""
    visitor = await _named(request, site)
    url = f"{site.base_url(request)}/join/{await site.identities.link(visitor.number or 0)}"
    return await own_page(site, visitor, {"link": {"url": url, "qr_svg": safe(qr(url))}})


@post("/me/recovery", include_in_schema=False)
async def show_recovery(request: AnyRequest, site: TheSite) -> Reply:
    """Show your recovery code; with `new`, make a new one, and the old one holds no more."""
    posted = await read_post(request, site, ShowingRecovery)
    visitor = _has_name(await site.named(posted.visitor))
    found = await site.identities.show_recovery(visitor.number or 0, renew=posted.given.new == "yes")
    return await own_page(site, visitor, {"code": groups_of(found.code)})


@get("/join/{token:str}", include_in_schema=False)
async def join_page(request: AnyRequest, site: TheSite, token: FromPath[str]) -> Response[str]:
    """Ask whether this device shall be signed in as the player who made the link."""
    visitor, number = await site.visitor(request), await site.identities.linked(token)
    shown = await _join_context(site, visitor, number, f"/join/{token}", "")
    return page(site, visitor, "join.html", shown)


@post("/join/{token:str}", include_in_schema=False)
async def join(request: AnyRequest, site: TheSite, token: FromPath[str]) -> Reply:
    """Sign this device in as the player who made the link."""
    await read_post(request, site, Posted)
    return await _become(request, site, await site.identities.use_link(token))


@get("/recover", include_in_schema=False)
async def recover_page(request: AnyRequest, site: TheSite) -> Response[str]:
    """Ask for a recovery code."""
    visitor = await site.visitor(request)
    return page(site, visitor, "join.html", await _join_context(site, visitor, None, "/recover", ""))


@post("/recover", include_in_schema=False)
async def recover(request: AnyRequest, site: TheSite) -> Reply:
    """Sign this device in as the player whose recovery code is posted."""
    posted = await read_post(request, site, Recovering)
    if not site.recovery_limit.allows(address_of(request)):
        raise Refused(429, SLOWLY)
    try:
        number = await site.identities.recover(posted.given.code)
    except Refused as error:
        if wants_json(request):
            raise
        visitor = await site.named(posted.visitor)
        shown = await _join_context(site, visitor, None, "/recover", capitalized(str(error)))
        return page(site, visitor, "join.html", shown, error.status)
    return await _become(request, site, number)


@get("/me/forget", include_in_schema=False)
async def forget_page(request: AnyRequest, site: TheSite) -> Response[str]:
    """Ask once more whether you want to be deleted."""
    visitor = _has_name(await site.visitor(request))
    return page(site, visitor, "forget.html", page_context(visitor, "Delete me", "/me/forget") | STAYS)


@post("/me/forget", include_in_schema=False)
async def forget(request: AnyRequest, site: TheSite) -> Reply:
    """Delete you: your games stay, your name goes. The field `name` must hold your name."""
    posted = await read_post(request, site, Forgetting)
    visitor = _has_name(await site.named(posted.visitor))
    if posted.given.name.strip() != visitor.name:
        wrong = {"error": f"To be deleted, type your name as it is: {visitor.name}."}
        shown = page_context(visitor, "Delete me", "/me/forget") | STAYS | wrong
        return page(site, visitor, "forget.html", shown, 422)
    await acts.leave_all(site.tables, visitor.id)
    await site.identities.forget(visitor.id, visitor.number or 0)
    await acts.rename(site.tables, visitor.number or 0)
    stranger = _stranger(site, visitor)
    answer = page(site, stranger, "forget.html", page_context(stranger, "Farewell", "/") | {"notice": GONE})
    set_cookie(site, stranger, answer)
    return answer


@get("/keys")
async def public_keys(site: TheSite) -> Response[dict[str, list[dict[str, object]]]]:
    """Return the public keys that sign records, with the times at which the server began and ceased to use each."""
    return Response({"keys": site.keys.public}, media_type=MediaType.JSON)


async def own_page(site: Site, visitor: Visitor, more: Context = NOTHING_MORE) -> Response[str]:
    """Show a visitor their own page, perhaps with something that only the answer to a post shows."""
    shown = await player_context(site.archive, visitor, visitor.key or "")
    own = await own_context(site, visitor)
    return page(site, visitor, "player.html", {**shown, **own, **NOTHING_MORE, **more})


async def own_context(site: Site, visitor: Visitor) -> Context:
    """Return what a player's page shows to that player alone."""
    number = visitor.number or 0
    devices = await site.identities.devices(number)
    return {
        "devices": [
            {**each._asdict(), "is_this": each.id == visitor.device, "seen": day_of(each.seen)} for each in devices
        ],
        "recovery": _shown(await site.identities.rows.recovery(number)),
    }


def _shown(recovery: Recovery | None) -> Context | None:
    """Return what the page says of a recovery code as long as it stays hidden."""
    return recovery and {"shown": day_of(recovery.shown) if recovery.shown else ""}


async def _join_context(site: Site, visitor: Visitor, number: int | None, action: str, error: str) -> Context:
    """Return the values for the page that signs a device in; `number` is the player's if a link has named them."""
    who = None if number is None else (await site.store.persons([number]))[number].name
    return {
        **page_context(visitor, f"Be {who} here" if who else "I was here before", action),
        "who": who,
        "key": None if number is None else str(number),
        "action": action,
        "error": error or None,
    }


async def _named(request: AnyRequest, site: Site) -> Visitor:
    """Return the visitor who posts, with a name; raises Refused if they have none."""
    return _has_name(await site.named((await read_post(request, site, Posted)).visitor))


def _has_name(visitor: Visitor) -> Visitor:
    if visitor.number is None:
        raise Refused(409, "you have no name here yet, so there is nothing of yours to change: choose a name first")
    return visitor


def _stranger(site: Site, visitor: Visitor) -> Visitor:
    """Return a new visitor in the place of one who has gone."""
    player = new_id()
    csrf = site.signer.csrf(player)
    return Visitor(player, None, csrf, visitor.theme, visitor.confirms, fresh=True, device=new_device(visitor.device))


async def _become(request: AnyRequest, site: Site, number: int) -> Reply:
    """Sign this device in as a player, and show their page."""
    person = (await site.store.persons([number]))[number]
    before, session = site.nameless(request), await site.store.session_of(number)
    csrf, device = site.signer.csrf(person.id, session), new_device(before.device)
    visitor = Visitor(person.id, person.name, csrf, before.theme, before.confirms, True, session, number, device)
    await note_device(request, site, visitor)
    answer = Redirect(f"/players/{number}", status_code=303)
    set_cookie(site, visitor, answer)
    return answer


HANDLERS = (
    own,
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
