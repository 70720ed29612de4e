"""The addresses of sessions and keys: a player signs out on all other devices; everybody may read the public keys."""

from __future__ import annotations

from dataclasses import replace

from litestar import Response, get, post
from litestar.enums import MediaType

from quintain.server import fields
from quintain.server.answers import answer_json, set_cookie
from quintain.server.house import AnyRequest, Reply, TheHouse
from quintain.server.requests import read_post, wants_json
from quintain.server.routes import name_page, own_path

ENDED = "You are signed out everywhere but here."


@post("/sessions/end", status_code=200)
async def end_sessions(request: AnyRequest, house: TheHouse) -> Reply:
    """Sign out everywhere but here: you get a new cookie, and links that move your seats are void."""
    posted = await read_post(request, house)
    visitor = await house.named(posted.visitor)
    session = await house.sessions.end(visitor.id)
    visitor = replace(visitor, session=session, csrf=house.signer.csrf(visitor.id, session))
    answer: Reply
    if wants_json(request):
        answer = answer_json(visitor, house, {fields.CSRF: visitor.csrf})
    else:
        back = own_path(posted.text(fields.NEXT, "/"))
        answer = name_page(house, visitor, back, visitor.name or "", "", notice=ENDED)
    set_cookie(house, visitor, answer)
    return answer


@get("/keys")
async def public_keys(house: TheHouse) -> Response[dict[str, list[dict[str, object]]]]:
    """Return the public keys that sign records, with the times at which the server began and ceased to use each."""
    return Response({"keys": house.keys.public}, media_type=MediaType.JSON)


HANDLERS = (end_sessions, public_keys)
