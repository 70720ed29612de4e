"""The form for a new table that plays a set of the workshop: what it begins with, and what it says of the set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quintain.engine.rules.game import Game
from quintain.server.model.levels import usual_level
from quintain.server.model.making import ME
from quintain.server.model.own_sets import OwnSet, SetVersion
from quintain.server.pages.cards.workshop_versions import DRAFT, text_of_version, version_words
from quintain.server.pages.forms import NOBODY, option_field, seat_field
from quintain.server.pages.rendering import Context
from quintain.server.workshop.differences import option_words
from quintain.server.workshop.drafts import parts_of
from quintain.server.workshop.set_options import SEATS, given_options, seats_of

SET, VERSION = "set", "version"
"""The fields that name a set of the workshop and its version, where a table is made."""


def play_url(own: OwnSet, version: str = DRAFT) -> str:
    """Return the address of the form for a table that plays a set."""
    return f"/new/{own.game}?{SET}={own.id}&{VERSION}={version}"


def begun_form(found: Game, own: OwnSet, versions: Sequence[SetVersion], version: str) -> dict[str, str]:
    """Return what the form holds at first: the set with its options, a private table, and bots at all other seats.

    Raises Refused if the set has no such version.
    """
    text = text_of_version(found, own, versions, version)
    options = given_options(found, text)
    seats = seats_of(found, options)
    sitters = [ME] + [usual_level()] * (seats - 1) + [NOBODY] * (found.seats[1] - seats)
    return {
        **{option_field(name): _typed(value) for name, value in options.items() if name != SEATS},
        option_field(parts_of(found)[0].option): text,
        **{seat_field(seat): sitter for seat, sitter in enumerate(sitters)},
        SEATS: str(seats),
        "private": "on",
    }


def played_set(own: OwnSet, versions: Sequence[SetVersion], version: str) -> Context:
    """Return what the form says of the set: which version is played, and which others could be."""
    is_draft, last = version == DRAFT, versions[0] if versions else None
    is_saved = last is not None and last.text == own.draft
    other = ""
    if last is not None and not is_saved:
        other = str(last.version) if is_draft else DRAFT
    return {
        "id": own.id,
        "name": own.name,
        "version": version,
        "words": version_words(str(last.version) if is_draft and is_saved and last else version),
        "is_unsaved": is_draft and not is_saved,
        "other": version_words(other) if other else "",
        "other_url": play_url(own, other) if other else "",
    }


def asked_version(given: Mapping[str, object]) -> str:
    """Return the version that a form or an address names; the draft if it names none."""
    return str(given.get(VERSION) or DRAFT)


def _typed(value: object) -> str:
    """Return the value of an option as a form posts it."""
    return ("on" if value else "off") if isinstance(value, bool) else option_words(value)
