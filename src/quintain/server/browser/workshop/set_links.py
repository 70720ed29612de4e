"""Links to the sets of the workshop: such a link holds a whole version, and any device that opens it can show it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from quintain.engine.errors import BadOption
from quintain.server.link_codes import packed, unpacked
from quintain.server.model.own_sets import OwnSet, SetVersion, SharedSet, not_shared
from quintain.server.workshop.names import set_name

MOST_CODE, MOST_TEXT = 32_000, 400_000
"""Characters of the part of a link that holds a version, and of what that holds: longer ones are cut on their way."""
LAST_SECOND = 253_402_300_799.0
"""The last second of the year 9999."""


class Linked(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What stands in a link before the text of a version."""

    game: str
    name: str
    version: Annotated[int, Meta(ge=1, le=2**31)]
    at: Annotated[float, Meta(ge=0, le=LAST_SECOND)]


def code_of(own: OwnSet, version: SetVersion) -> str | None:
    """Return a version of a set as the last part of a link; None if it is too long for one."""
    head = msgspec.json.encode(Linked(own.game, own.name, version.version, version.at)).decode()
    text = f"{head}\n{version.text}"
    code = packed(text)
    return code if len(text) <= MOST_TEXT and len(code) <= MOST_CODE else None


def read_code(code: str) -> SharedSet:
    """Return the version that a link holds; raises Refused if it holds none."""
    if len(code) > MOST_CODE:
        raise not_shared()
    try:
        head, _, text = unpacked(code, MOST_TEXT).partition("\n")
        linked = msgspec.json.decode(head, type=Linked)
        return SharedSet(linked.game, set_name(linked.name), None, linked.version, text, linked.at)
    except (ValueError, BadOption) as error:  # msgspec's errors are ValueErrors
        raise not_shared() from error
