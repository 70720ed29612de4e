"""The form for a new table: its values for the template, what somebody has posted with it, and which fields are wrong.

`routes.py` shows the form and makes the table. Programs post the same fields, or lists in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.names import check_names
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.server.http.requests import NeedsName, Post
from quintain.server.model.levels import MANNERS, is_reserved, levels, usual_level
from quintain.server.pages import fields
from quintain.server.pages.contexts import CLOCK_WORDS, game_facts, label, page_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.tables.acts import ME, OPEN
from quintain.server.tables.reader import Reader
from quintain.server.tables.table import CLOCKS
from quintain.server.turns import Asker

NOBODY = "nobody"
"""The choice for a seat that the table does not have."""
WHOLE = ""
"""The key of an error that is about no single field."""
EXPERT_KINDS = ("file", "names")
SEATS_TAKE = 'a whole number, or a list of who sits there, such as ["me", "open"]'
ONE_SEAT = "Choose \u201cI do\u201d for one seat, and for no other."
NO_NAME = "Say first what the others shall call you."


def new_table_context(
    found: Game, visitor: Visitor, given: Mapping[str, object], errors: Mapping[str, str] | None = None
) -> Context:
    """Return the values for the form of a new table; `given` holds what somebody has typed there so far.

    `errors` has words for each wrong field, under the field's name, or under WHOLE.
    """
    least, most, usual = found.seats
    seats = _number(given.get(fields.SEATS), usual)
    seats = seats if least <= seats <= most else usual
    shown = [_field(option, found, seats, given) for option in found.text.OPTIONS]
    return {
        **page_context(visitor, f"A table of {found.title}", f"/new/{found.id}"),
        "game": game_facts(found),
        "fields": [field for field in shown if not field["is_for_experts"]],
        "expert_fields": [field for field in shown if field["is_for_experts"]],
        "seat_choices": [_seat_choice(found, seat, seats, given) for seat in range(most)],
        "bot_choices": [
            {"value": level, "words": f"{words}, a bot: {MANNERS[level]}"} for level, words in levels().items()
        ],
        "usual_bot": usual_level(),
        "clocks": [{"value": clock, "words": CLOCK_WORDS[clock]} for clock in CLOCKS],
        "errors": dict(errors or {}),
        "first_wrong": next(iter(errors or {}), None),
        "given": given,
        "invited": None,
    }


def sitters_and_options(found: Game, posted: Post) -> tuple[list[str], Mapping[str, Any]]:
    """Return who sits at a new table, and its options; raises QuintainError if a field cannot be read."""
    given: Mapping[str, Any] = posted.fields  # the engine checks the values of the options
    if isinstance(given.get(fields.SEATS), list):
        return list(map(str, given[fields.SEATS])), given.get(fields.OPTIONS, {})
    chairs = _chairs(found, posted)
    sitters = [posted.text(fields.seat_field(chair), OPEN if chair else ME) for chair in chairs]
    found.check_seats(len(sitters))
    return sitters, _options(found, posted, chairs)


async def wrong_fields(found: Game, posted: Post, error: QuintainError, reader: Reader, asker: Asker) -> dict[str, str]:
    """Return what is wrong with a form by field, after it was refused with an error."""
    words = _sentence(str(error))
    if isinstance(error, NeedsName):
        return {fields.NAME: NO_NAME}
    if isinstance(error, Refused):
        return {WHOLE: words}
    if not _is_free_name(posted.text(fields.NAME)):
        return {fields.NAME: words}
    try:
        sitters, options = sitters_and_options(found, posted)
    except QuintainError:
        return {fields.SEATS: words}
    if sitters.count(ME) != 1:
        return {fields.SEATS: ONE_SEAT}
    return _misread(found, options) or await _blamed(found, len(sitters), options, words, reader, asker)


def _misread(found: Game, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the options whose values are of the wrong kind, each with what it takes."""
    wrong = {}
    for option in found.text.OPTIONS:
        if option.name in options:
            try:
                option.read(options[option.name])
            except BadOption:
                wrong[fields.option_field(option.name)] = _sentence(f"this takes {option.takes()}")
    return wrong


async def _blamed(
    found: Game, seats: int, options: Mapping[str, Any], words: str, reader: Reader, asker: Asker
) -> dict[str, str]:
    """Return the words under the one option without which the others can be read; else under WHOLE."""
    for name in options:
        others = {other: value for other, value in options.items() if other != name}
        try:
            await reader.read_options(asker, found, seats, others)
        except QuintainError:
            continue
        return {fields.option_field(name): words}
    return {WHOLE: words}


def _chairs(found: Game, posted: Post) -> Sequence[int]:
    """Return the numbers of the form's seats that the table has."""
    if fields.SEATS in posted.fields:
        return range(found.check_seats(posted.number(fields.SEATS, SEATS_TAKE)))
    there = [chair for chair in range(found.seats[1]) if fields.seat_field(chair) in posted.fields]
    taken = [chair for chair in there if posted.text(fields.seat_field(chair)) != NOBODY]
    return taken if there else range(found.seats[2])


def _options(found: Game, posted: Post, chairs: Sequence[int]) -> dict[str, object]:
    """Return the options of a form. An option of kind `files` gets a list with one file for each seat.

    A field that is left empty takes the option's usual value.
    """
    options = {
        key.removeprefix(fields.OPTION): each for key, each in posted.fields.items() if key.startswith(fields.OPTION)
    }
    for option in found.text.OPTIONS:
        if option.kind == "files":
            files = [_typed_file(posted, fields.file_field(option.name, chair)) for chair in chairs]
            options = {key: each for key, each in options.items() if not key.startswith(f"{option.name}.")}
            if any(files):
                options[option.name] = files
        elif options.get(option.name) == "":
            del options[option.name]
    return options


def _typed_file(posted: Post, field: str) -> str:
    """Return the text that somebody pasted for a file, or else their choice from the list."""
    text = posted.text(fields.text_field(field))
    return text if text.strip() else posted.text(field)


def _is_free_name(name: str) -> bool:
    """Tell whether a name that somebody has typed, perhaps none, is valid and no bot's."""
    try:
        check_names([" ".join(name.split()) or "Ann"], 1)
    except BadOption:
        return False
    return not is_reserved(name)


def _seat_choice(found: Game, seat: int, seats: int, given: Mapping[str, object]) -> Context:
    """Return what the form says about a seat, of which a table has usually `seats`."""
    usual = ME if not seat else OPEN if seat < seats else NOBODY
    chosen = given.get(fields.seat_field(seat), usual)
    return {"seat": seat, "chosen": chosen, "may_be_missing": seat >= found.seats[0]}


def _field(option: Option, found: Game, seats: int, given: Mapping[str, object]) -> Context:
    field, usual = fields.option_field(option.name), option.default_for(seats)
    varies = callable(option.default) and option.kind == "number"
    choices = option.default_for(found.seats[1]) if option.kind == "files" else ()
    files = [(fields.file_field(option.name, seat), choice) for seat, choice in enumerate(choices)]
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
        "files": [
            {
                "id": file,
                "chosen": given.get(file, choice),
                "text": given.get(fields.text_field(file), ""),
            }
            for file, choice in files
        ],
    }


def _help(option: Option, found: Game) -> str:
    """Return what an option changes, and which values it takes, in sentences."""
    about = re.sub(r" \([A-Z]+-\d+\)", "", option.meaning).partition(";")[2].strip()
    parts = [about, _takes(option)]
    if callable(option.default) and option.kind == "number":
        least, most, _ = found.seats
        usual = ", ".join(f"{option.default_for(seats)} for {seats}" for seats in range(least, most + 1))
        parts.append(f"if you leave it empty: {usual} players")
    return " ".join(_sentence(part) for part in parts if part)


def _takes(option: Option) -> str:
    if option.kind == "number" and option.least is not None and option.most is not None:
        return f"from {option.least} to {option.most}"
    if option.kind in ("switch", "choice", "files"):
        return ""
    return "paste its text here" if option.kind == "file" else option.takes()


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def _number(text: object, otherwise: int) -> int:
    try:
        return int(str(text))
    except ValueError:
        return otherwise
