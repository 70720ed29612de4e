"""Reading requests: the fields of a post, its checks against floods and forgery, and the sender's name and address.

Each handler of a post begins with `read_post`. In `posted`, `posts.py` says what posts hold, `limits.py` counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlsplit

import msgspec
from litestar.datastructures import UploadFile

from quintain.engine.errors import BadOption
from quintain.engine.names import check_names
from quintain.server.http.site import AnyRequest, Connection, Site
from quintain.server.limits import household
from quintain.server.model.levels import is_reserved
from quintain.server.pages.contexts import CSRF
from quintain.server.people.players import Visitor
from quintain.server.posted.fields import NeedsName, decoded, form_fields
from quintain.server.posted.posts import Named, Posted
from quintain.server.refused import Refused
from quintain.server.tables import acts

JSON, FORM, MULTIPART = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"
Given = TypeVar("Given", bound=Posted)
Given_co = TypeVar("Given_co", bound=Posted, covariant=True)


class StaleForm(Refused):
    """Raised for a form of another session, such as one from before a new sign-in; `kept` is what was typed there."""

    def __init__(self, kept: Mapping[str, str]) -> None:
        super().__init__(403, "this form was made for somebody else, or is too old: load the page again")
        self.kept = kept


@dataclass(frozen=True)
class Post(Generic[Given_co]):
    """A post: what it holds, decoded and as it was sent, and the visitor who sent it.

    The visitor's `name` is None: it is not looked up yet.
    """

    visitor: Visitor
    given: Given_co
    fields: Mapping[str, object]


async def read_post(request: AnyRequest, site: Site, kind: type[Given]) -> Post[Given]:
    """Return a post that holds what `kind` says.

    Raises Refused for too many posts, posts from other sites, posts without a valid `csrf`, and wrong fields.
    """
    visitor = site.nameless(request)
    if not (site.address_limit.allows(address_of(request)) and site.player_limit.allows(visitor.id)):
        raise Refused(429, "that was too much at once: wait a moment")
    if not is_same_origin(request):
        raise Refused(403, "this was posted from a page of another site")
    posted = await _fields(request, kind)
    given = posted.get(CSRF, request.headers.get("x-csrf-token"))
    is_own = site.signer.is_csrf(visitor.id, visitor.session, given)
    if visitor.fresh or not (is_own and site.sessions.hold(visitor)):
        raise StaleForm({name: each for name, each in posted.items() if name != CSRF and isinstance(each, str)})
    return Post(visitor, decoded(posted, kind), posted)


def address_of(connection: Connection) -> str:
    """Return the network address from which a request or a socket comes."""
    return household(connection.client.host) if connection.client else ""


async def note_device(request: AnyRequest, site: Site, visitor: Visitor) -> None:
    """Note in which browser, and from which address, a visitor with a name is here."""
    found = None if visitor.number is not None else await site.store.player(visitor.id)
    number = found.number if found else visitor.number
    if number is not None:
        agent = str(request.headers.get("user-agent", ""))
        await site.identities.saw(number, visitor.device, agent, address_of(request))


async def ensure_name(request: AnyRequest, site: Site, post: Post[Named]) -> None:
    """Give the sender the name in the post unless they have one; raises NeedsName if there is neither.

    A known name that looks like a bot's does not count: the player chooses another one. Whoever gets a name is noted
    with their address: a mute there holds for them, too.
    """
    known = await site.store.player_name(post.visitor.id)
    if known and not is_reserved(known):
        return
    if not post.given.name:
        raise NeedsName
    await give_name(site, post.visitor.id, post.given.name)
    await note_device(request, site, post.visitor)


async def sender(request: AnyRequest, site: Site, post: Post[Named]) -> Visitor:
    """Return who sent a post, who has a name from now on.

    Raises NeedsName, which keeps what a form holds: the page that asks for a name sends it again. What is wrong with
    the name in a program's post is a BadOption.
    """
    try:
        await ensure_name(request, site, post)
    except (NeedsName, BadOption) as error:
        if wants_json(request):
            raise
        raise NeedsName.of(post.fields, error if isinstance(error, BadOption) else None) from error
    return await site.named(post.visitor)


async def give_name(site: Site, player: str, name: str) -> str:
    """Name a player, also at their tables, and return the name as stored.

    Raises BadOption if it cannot be a name, or looks like a bot's, and Refused if the player chooses too often.
    """
    (name,) = check_names([" ".join(name.split())], 1)
    if is_reserved(name):
        raise BadOption(f"{name!r} looks like the name of a bot, or like a word of the log: choose another one")
    if not site.name_limit.allows(player):
        raise Refused(429, "you have chosen many names: wait a moment before you choose another")
    await acts.rename(site.tables, await site.store.name_player(player, name))
    return name


def wants_json(request: AnyRequest) -> bool:
    """Tell whether the answer should be JSON, for a program, and not a page, for a browser."""
    is_json = request.scope["path"].endswith(".json") or request.content_type[0] == JSON
    return is_json or "text/html" not in request.headers.get("accept", "")


def is_same_origin(connection: Connection) -> bool:
    """Tell whether a request comes from a page of this server; a request that names no origin counts as one."""
    origin = connection.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False


async def _fields(request: AnyRequest, posted: type[Posted]) -> dict[str, object]:
    """Return the fields of a post; one that takes a list has all texts that a form holds under its name."""
    body = await request.body()
    kind = request.content_type[0]
    if not body:
        return {}
    try:
        if kind == JSON:
            return msgspec.json.decode(body, type=dict[str, object])
        if kind == MULTIPART:
            return await _uploaded(request)
        if kind == FORM:
            return form_fields(body, posted)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"what was posted cannot be read: {error}") from error
    raise Refused(415, f"post a form ({FORM}) or JSON ({JSON})")


async def _uploaded(request: AnyRequest) -> dict[str, object]:
    """Return the fields of a form with a file, which stands for its text; an empty file counts as none."""
    found: dict[str, object] = {}
    for name, value in (await request.form()).multi_items():
        text = (await value.read()).decode() if isinstance(value, UploadFile) else str(value)
        if text or name not in found:
            found[name] = text
    return found
