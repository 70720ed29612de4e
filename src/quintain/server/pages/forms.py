"""The form for a new table: its values for the template.

`posted/new_tables.py` reads what is posted with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.engine.rules.seat_options import owned_cards
from quintain.server.model.levels import levels, manner, usual_level
from quintain.server.model.making import ME, OPEN
from quintain.server.pages.contexts import CLOCK_WORDS, game_facts, label, page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import ALL_LEFT, ready_text, sentence
from quintain.server.people.players import Visitor
from quintain.server.tables.table import CLOCKS

NOBODY = "nobody"
"""The choice for a seat that the table does not have."""
WHOLE = ""
"""The key of an error that is about no single field."""
EXPERT_KINDS = ("file", "names")


def new_table_context(
    found: Game,
    visitor: Visitor,
    given: Mapping[str, object],
    errors: Mapping[str, str] | None = None,
    own_decks: Sequence[Context] = (),
) -> Context:
    """Return the values for the form of a new table; `given` holds what somebody has typed there so far.

    `errors` has words for each wrong field, under the field's name, or under WHOLE. `own_decks` are those of the
    visitor that can be played, in the form of the ready-made ones.
    """
    least, most, usual = found.seats
    seats = _number(given.get("seats"), usual)
    seats = seats if least <= seats <= most else usual
    shown = [_with_decks(_field(option, found, seats, given), found, own_decks) for option in found.text.OPTIONS]
    return {
        **page_context(visitor, f"A table of {found.title}", f"/new/{found.id}"),
        "game": game_facts(found),
        "fields": [field for field in shown if not field["is_for_experts"]],
        "expert_fields": [field for field in shown if field["is_for_experts"]],
        "seat_choices": [_seat_choice(found, seat, seats, given) for seat in range(most)],
        "bot_choices": [
            {"value": level, "words": f"{words}, a bot: {manner(level)}"} for level, words in levels(found).items()
        ],
        "usual_bot": usual_level(),
        "clocks": [{"value": clock, "words": CLOCK_WORDS[clock]} for clock in CLOCKS],
        "absence": ALL_LEFT,
        "errors": dict(errors or {}),
        "first_wrong": next(iter(errors or {}), None),
        "given": given,
        "invited": None,
        "owns_cards": owned_cards(found) is not None,
    }


def _seat_choice(found: Game, seat: int, seats: int, given: Mapping[str, object]) -> Context:
    """Return what the form says about a seat, of which a table has usually `seats`."""
    usual = ME if not seat else OPEN if seat < seats else NOBODY
    chosen = given.get(seat_field(seat), usual)
    return {"seat": seat, "chosen": chosen, "may_be_missing": seat >= found.seats[0]}


def _field(option: Option, found: Game, seats: int, given: Mapping[str, object]) -> Context:
    field, usual = option_field(option.name), option.default_for(seats)
    varies = callable(option.default) and option.kind == "number"
    choices = option.default_for(found.seats[1]) if option.kind == "files" else ()
    chosen = set_field(option.name)
    files = [(file_field(option.name, seat), choice) for seat, choice in enumerate(choices)]
    shown = "" if varies else ", ".join(map(str, usual)) if isinstance(usual, list | tuple) else usual
    return {
        "id": field,
        "kind": option.kind,
        "label": label(option),
        "help": _help(option, found),
        "now": given.get(field, shown),
        "choices": list(option.choices),
        "least": option.least,
        "most": option.most,
        "is_for_experts": option.kind in EXPERT_KINDS and not usual,
        "example": option.example,
        "format_url": f"/rules/{found.id}#{option.clause}" if option.clause else None,
        "sets": {"id": chosen, "now": given.get(chosen, ""), "choices": _sets(found, option)},
        "ready": [ready_text(choice, option.ready(choice)) for choice in option.choices] if option.ready else [],
        "files": [
            {
                "id": file,
                "chosen": given.get(file, choice),
                "text": given.get(text_field(file), ""),
            }
            for file, choice in files
        ],
    }


def _with_decks(field: Context, found: Game, own_decks: Sequence[Context]) -> Context:
    """Return the field of the decks with a player's own ones after the ready-made ones; any other field as it is."""
    decks = found.collection.decks if found.collection else None
    if decks is None or field["id"] != option_field(decks.option):
        return field
    choices = [*field["choices"], *(deck["name"] for deck in own_decks)]
    return {**field, "choices": choices, "ready": [*field["ready"], *own_decks]}


def _sets(found: Game, option: Option) -> list[Context]:
    """Return the ready-made card sets that packages bring for an option, to choose from."""
    if found.collection is None or option.name != found.collection.option:
        return []
    return [{"value": name, "words": each.title} for name, each in sorted(found.card_sets.items())]


def _help(option: Option, found: Game) -> str:
    """Return what an option changes, and which values it takes, in sentences; nothing if each seat has a field."""
    if option.kind == "files":
        return ""
    about = re.sub(r" \([A-Z]+-\d+\)", "", option.meaning).partition(";")[2].strip()
    parts = [about, _takes(option)]
    if callable(option.default) and option.kind == "number":
        least, most, _ = found.seats
        usual = ", ".join(f"{option.default_for(seats)} for {seats}" for seats in range(least, most + 1))
        parts.append(f"if you leave it empty: {usual} players")
    return " ".join(sentence(part) for part in parts if part)


def _takes(option: Option) -> str:
    if option.kind == "number" and option.least is not None and option.most is not None:
        return f"from {option.least} to {option.most}"
    if option.kind in ("switch", "choice", "files"):
        return ""
    return "" if option.kind == "file" else option.takes()


def _number(text: object, otherwise: int) -> int:
    try:
        return int(str(text))
    except ValueError:
        return otherwise


OPTION = "option."
"""The name of an option's field begins with this."""


def seat_field(seat: int) -> str:
    """Return the name of the field for the player or bot of a seat."""
    return f"seat.{seat}"


def option_field(name: str) -> str:
    """Return the name of the field of an option."""
    return OPTION + name


def file_field(name: str, seat: int) -> str:
    """Return the name of the field for one seat's file, if an option takes a file for each seat."""
    return f"{option_field(name)}.{seat}"


def set_field(name: str) -> str:
    """Return the name of the field for a ready-made set, if an option takes one; a text of one's own counts before."""
    return f"{option_field(name)}.set"


def text_field(field: str) -> str:
    """Return the name of the field for a file's pasted text; the text counts before the choice in `field`."""
    return f"{field}.text"
