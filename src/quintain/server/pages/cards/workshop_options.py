"""With which options of the game a set is played, as the fields of a form and in words."""

from __future__ import annotations

from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.server.pages.contexts import label
from quintain.server.pages.forms import option_field
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import sentence
from quintain.server.workshop.differences import PartChange, option_words
from quintain.server.workshop.set_options import SEATS, given_options, options_of, seats_of, usual_options


def options_context(found: Game, text: str, before: str) -> Context:
    """Return the fields for the options of a set, each with what it was in a set before, and all of them in words."""
    given, old = given_options(found, text), given_options(found, before)
    seats = seats_of(found, given)
    now, was = {**usual_options(found, seats), **given}, {**usual_options(found, seats_of(found, old)), **old}
    least, most, usual = found.seats
    fields = [_field(option, now, was, seats) for option in options_of(found)]
    if least != most:
        shown = {"least": least, "most": most, "takes": f"From {least} to {most}; usually {usual}."}
        seat = {"id": option_field(SEATS), "kind": "number", "words": "Players", "value": str(now[SEATS])}
        fields.insert(0, {**seat, **shown, "old": str(was[SEATS]) if was[SEATS] != now[SEATS] else ""})
    return {"options": fields, "options_now": options_said(found, text), "is_usual": not given}


def options_said(found: Game, text: str) -> str:
    """Return the options of a set that are not the usual ones, in words; empty if there are none."""
    given = given_options(found, text)
    words = {option.name: label(option) for option in options_of(found)}
    said = [f"{words[name]}: {option_words(value)}" for name, value in given.items() if name != SEATS]
    seats = [f"{given[SEATS]} players"] if SEATS in given else []
    return "; ".join([*seats, *said])


def option_changes(found: Game, before: str, now: str) -> list[Context]:
    """Return the options that differ between two sets, as parts that changed."""
    sides = [given_options(found, text) for text in (before, now)]
    if sides[0] == sides[1]:
        return []
    words = {SEATS: "Players", **{option.name: label(option) for option in options_of(found)}}
    old, new = ({**usual_options(found, seats_of(found, side)), **side} for side in sides)
    changed = [name for name in words if old[name] != new[name]]
    return [PartChange(words[name], option_words(old[name]), option_words(new[name]))._asdict() for name in changed]


def _field(option: Option, now: Context, was: Context, seats: int) -> Context:
    """Return the field of an option."""
    value, usual = now[option.name], option.read(option.default_for(seats))
    takes = "" if option.kind in ("switch", "choice") else f"takes {option.takes()}; "
    return {
        "id": option_field(option.name),
        "kind": option.kind,
        "words": label(option),
        "value": option_words(value),
        "choices": ["yes", "no"] if option.kind == "switch" else [*option.choices],
        "least": option.least,
        "most": option.most,
        "takes": sentence(f"{takes}usually {option_words(usual)}"),
        "old": option_words(was[option.name]) if was[option.name] != value else "",
    }
