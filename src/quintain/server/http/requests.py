"""Reading requests: the fields of a post, its checks against floods and forgery, and the sender's name and address.

The handlers of `routes.py` begin with `read_post`. `fields.py` names the fields, `limits.py` counts the posts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

import msgspec
from litestar.datastructures import UploadFile

from quintain.engine.errors import BadOption
from quintain.engine.names import check_names
from quintain.engine.play.commitments import read_hex
from quintain.server.http.house import AnyRequest, Connection, House
from quintain.server.limits import household
from quintain.server.model.levels import is_reserved
from quintain.server.pages import fields
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused

JSON, FORM, MULTIPART = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"
MOST_FIELDS = 200


class NeedsName(Refused):
    """Raised if somebody without a name does something that needs one."""

    def __init__(self) -> None:
        super().__init__(403, "choose a name first: POST it to /name")


class StaleForm(Refused):
    """Raised for a form of another session, such as one from before a new sign-in; `kept` is what was typed there."""

    def __init__(self, kept: Mapping[str, str]) -> None:
        super().__init__(403, "this form was made for somebody else, or is too old: load the page again")
        self.kept = kept


@dataclass
class Post:
    """The fields of a post and the visitor who sent it. The visitor's `name` is None: it is not looked up yet."""

    visitor: Visitor
    fields: Mapping[str, object]

    def text(self, name: str, otherwise: str = "") -> str:
        """Return a field as text, or `otherwise` if it is missing; raises Refused if it is not text."""
        value = self.fields.get(name, otherwise)
        if not isinstance(value, str):
            raise Refused(400, f"{name} must be text")
        return value

    def number(self, name: str, takes: str = "a whole number") -> int:
        """Return a field as a whole number; raises Refused if it is not one, and says what the field `takes`."""
        value = self.fields.get(name)
        if isinstance(value, str) and value.removeprefix("-").isascii() and value.removeprefix("-").isdigit():
            value = int(value[:20])
        if type(value) is not int:
            raise Refused(400, f"{name} must be {takes}")
        return value

    def is_on(self, name: str) -> bool:
        """Tell whether a field that is either on or off is on; raises Refused for anything else."""
        value = self.fields.get(name)
        if value not in (None, "", "on", "off", "true", "false") and not isinstance(value, bool):
            raise Refused(400, f"{name} must be true or false")
        return value in (True, "on", "true")

    def commitment(self) -> str:
        """Return the sender's commitment to a random number, which may be empty; raises BadOption for a wrong one."""
        given = self.text(fields.COMMITMENT)
        return read_hex(given, "a commitment") if given else ""

    def move(self) -> int | str:
        """Return the move: the number of an action, or the move in words."""
        value = self.fields.get(fields.ACTION)
        if isinstance(value, str) and not (value.isascii() and value.isdigit()):
            return value
        return self.number(fields.ACTION)


async def read_post(request: AnyRequest, house: House) -> Post:
    """Return the post; raises Refused for too many posts, posts from other sites, and posts without a valid `csrf`."""
    visitor = house.nameless(request)
    if not (house.address_limit.allows(address_of(request)) and house.player_limit.allows(visitor.id)):
        raise Refused(429, "that was too much at once: wait a moment")
    if not is_same_origin(request):
        raise Refused(403, "this was posted from a page of another site")
    posted = await _fields(request)
    given = posted.get(fields.CSRF, request.headers.get("x-csrf-token"))
    is_own = house.signer.is_csrf(visitor.id, visitor.session, given)
    if visitor.fresh or not (is_own and house.sessions.hold(visitor)):
        raise StaleForm({name: each for name, each in posted.items() if name != fields.CSRF and isinstance(each, str)})
    return Post(visitor, posted)


def address_of(connection: Connection) -> str:
    """Return the network address from which a request or a socket comes."""
    return household(connection.client.host) if connection.client else ""


async def note_device(request: AnyRequest, house: House, visitor: Visitor) -> None:
    """Note in which browser, and from which address, a visitor with a name is here."""
    found = None if visitor.number is not None else await house.store.player(visitor.id)
    number = found.number if found else visitor.number
    if number is not None:
        agent = str(request.headers.get("user-agent", ""))
        await house.identities.saw(number, visitor.device, agent, address_of(request))


async def name_of(request: AnyRequest, house: House, post: Post) -> str:
    """Return the sender's name: the known one, or the one in the post; raises NeedsName if there is neither.

    A known name that looks like a bot's does not count: the player chooses another one. Whoever gets a name is noted
    with their address: a mute there holds for them, too.
    """
    known = await house.store.player_name(post.visitor.id)
    if known and not is_reserved(known):
        return known
    if not (name := post.text(fields.NAME)):
        raise NeedsName
    given = await give_name(house, post.visitor.id, name)
    await note_device(request, house, post.visitor)
    return given


async def give_name(house: House, player: str, name: str) -> str:
    """Name a player, also at their tables, and return the name as stored.

    Raises BadOption if it cannot be a name, or looks like a bot's, and Refused if the player chooses too often.
    """
    (name,) = check_names([" ".join(name.split())], 1)
    if is_reserved(name):
        raise BadOption(f"{name!r} looks like the name of a bot, or like a word of the log: choose another one")
    if not house.name_limit.allows(player):
        raise Refused(429, "you have chosen many names: wait a moment before you choose another")
    await house.tables.rename(await house.store.name_player(player, name))
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


async def _fields(request: AnyRequest) -> dict[str, object]:
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
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
            return dict(pairs)
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
