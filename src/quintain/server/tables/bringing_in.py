"""Bringing a record in: a finished game from a terminal or another server becomes one of the player's games here.

The process that reads texts of strangers plays it again first, so its moves and its result are true. Who played, and
when, stands in the record alone: so such a game counts for nothing, and only the player who brought it in finds it in a
list.
"""

from __future__ import annotations

import base64
import hashlib
from typing import NamedTuple

import msgspec

from quintain.engine.names import check_names
from quintain.engine.play.documents import MatchRecord
from quintain.engine.rules.registry import game
from quintain.server.model.entries import CLOSED, IN_MATCH, NO_SEAT, Made, Sitter, encoded
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.reading import ReadRecord

AGAIN = "you have brought this game in already: it is among your finished games"
ACTS = {in_match: kind for kind, in_match in IN_MATCH.items()}


class Brought(NamedTuple):
    """The table of a game that was brought in, and what its record proves, in words."""

    live: LiveTable
    words: str


async def bring_in(tables: Tables, player: str, found: ReadRecord, seat: int) -> Brought:
    """Make a table of a record that was read, at which a player has played on a seat.

    Raises Refused if the record has no such seat, or if the player has brought it in before.
    """
    document = found.document
    if not 0 <= seat < document.seats:
        raise Refused(422, f"this record has no seat {seat + 1}: it has {document.seats}")
    number = await acts.number_of(tables, player)
    sitters = [
        Sitter(player=number) if place == seat else Sitter(stranger=name)
        for place, name in enumerate(check_names(document.names, document.seats))
    ]
    agreed = document.game, document.version, document.options, document.seed, "none", "usual", True, sitters
    shares = document.reveals
    made = Made(*agreed, commitment=document.commitment, reveals=shares, brought_in=True, chosen=document.chosen)
    played = [(act.seat, ACTS[act.kind], act.text) for act in document.moves if not act.auto]
    closed = (NO_SEAT, CLOSED, encoded(found.nameless))
    try:
        live = await acts.make(tables, made, [*played, closed], _id(number, document))
    except Refused as error:
        raise Refused(409, AGAIN) from error
    return Brought(live, _words(found))


def _id(number: int, document: MatchRecord) -> str:
    """Return the id of the table: it is the same if the same player brings the same game in again."""
    played = [number, document.game, document.seed, document.moves]
    digest = hashlib.sha256(msgspec.json.encode(played)).digest()
    return base64.urlsafe_b64encode(digest[:9]).decode()


def _words(found: ReadRecord) -> str:
    """Return what a record proves, in words."""
    document = found.document
    title = game(document.game).title
    true = f"The game of {title} is among your games now. Its moves follow the rules and give its result"
    if document.signature is None:
        return f"{true}; no server has signed it, so who played stands in it alone."
    if not found.checked:
        return f"{true}. A server has signed it: `quintain verify` can tell whether the signature is true."
    return f"{true}, and the server with the key {document.signature.key[:16]} has signed it."
