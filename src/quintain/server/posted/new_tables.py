"""What somebody has posted for a new table: the fields gathered into a `MakingTable`, and which of them are wrong.

Programs post the same fields, or lists in JSON. `pages/forms.py` has the form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.names import check_names
from quintain.engine.rules.game import Game
from quintain.server.model.levels import is_reserved
from quintain.server.model.making import ME, OPEN
from quintain.server.pages import forms
from quintain.server.pages.forms import NOBODY, WHOLE
from quintain.server.pages.words import sentence
from quintain.server.posted.fields import MOST_DIGITS, NeedsName, decoded
from quintain.server.posted.posts import MakingTable, is_number
from quintain.server.refused import Refused
from quintain.server.tables.reading import TextReader
from quintain.server.turns import Asker

SEATS_TAKE = 'a whole number, or a list of who sits there, such as ["me", "open"]'
ONE_SEAT = "Choose \u201cI do\u201d for one seat, and for no other."
NO_NAME = "Say first what the others shall call you."


def new_table(found: Game, posted: Mapping[str, object]) -> MakingTable:
    """Return what a form or JSON wants; raises QuintainError if a field cannot be read."""
    if isinstance(seats := posted.get("seats"), list):
        return decoded({**posted, "seats": [*map(str, seats)]}, MakingTable)
    chairs = _chairs(found, posted)
    chosen = [text_of(posted, forms.seat_field(chair), OPEN if chair else ME) for chair in chairs]
    found.check_seats(len(chosen))
    return decoded({**posted, "seats": chosen, "options": _options(found, posted, chairs)}, MakingTable)


async def wrong_fields(
    found: Game, posted: Mapping[str, object], error: QuintainError, reader: TextReader, asker: Asker
) -> dict[str, str]:
    """Return what is wrong with a form by field, after it was refused with an error."""
    words = sentence(str(error))
    if isinstance(error, NeedsName):
        return {"name": NO_NAME}
    if isinstance(error, Refused):
        return {WHOLE: words}
    if not _is_free_name(text_of(posted, "name")):
        return {"name": words}
    try:
        wanted = new_table(found, posted)
    except QuintainError:
        return {"seats": words}
    if wanted.seats.count(ME) != 1:
        return {"seats": ONE_SEAT}
    misread = _misread(found, wanted.options)
    return misread or await _blamed(found, len(wanted.seats), wanted.options, words, reader, asker)


def _misread(found: Game, options: Mapping[str, object]) -> dict[str, str]:
    """Return the options whose values are of the wrong kind, each with what it takes."""
    wrong = {}
    for option in found.text.OPTIONS:
        if option.name in options:
            try:
                option.read(options[option.name])
            except BadOption:
                wrong[forms.option_field(option.name)] = sentence(f"this takes {option.takes()}")
    return wrong


async def _blamed(
    found: Game, seats: int, options: Mapping[str, object], words: str, reader: TextReader, asker: Asker
) -> dict[str, str]:
    """Return the words under the one option without which the others can be read; else under WHOLE."""
    for name in options:
        others = {other: value for other, value in options.items() if other != name}
        try:
            await reader.read_options(asker, found, seats, others)
        except QuintainError:
            continue
        return {forms.option_field(name): words}
    return {WHOLE: words}


def _chairs(found: Game, posted: Mapping[str, object]) -> Sequence[int]:
    """Return the numbers of the form's seats that the table has."""
    if "seats" in posted:
        seats = str(posted["seats"])
        if not is_number(seats):
            raise Refused(400, f"seats must be {SEATS_TAKE}")
        return range(found.check_seats(int(seats[:MOST_DIGITS])))
    there = [chair for chair in range(found.seats[1]) if forms.seat_field(chair) in posted]
    taken = [chair for chair in there if text_of(posted, forms.seat_field(chair)) != NOBODY]
    return taken if there else range(found.seats[2])


def _options(found: Game, posted: Mapping[str, object], chairs: Sequence[int]) -> dict[str, object]:
    """Return the options of a form. An option of kind `files` gets a list with one file for each seat.

    A field that is left empty takes the option's usual value.
    """
    options = {key.removeprefix(forms.OPTION): each for key, each in posted.items() if key.startswith(forms.OPTION)}
    for option in found.text.OPTIONS:
        if option.kind == "files":
            files = [_typed_file(posted, forms.file_field(option.name, chair)) for chair in chairs]
            options = {key: each for key, each in options.items() if not key.startswith(f"{option.name}.")}
            if any(files):
                options[option.name] = files
            continue
        chosen = options.pop(f"{option.name}.set", "")
        if options.get(option.name, "") == "":
            options[option.name] = chosen
        if options[option.name] == "":
            del options[option.name]
    return options


def _typed_file(posted: Mapping[str, object], field: str) -> str:
    """Return the text that somebody pasted for a file, or else their choice from the list."""
    text = text_of(posted, forms.text_field(field))
    return text if text.strip() else text_of(posted, field)


def text_of(posted: Mapping[str, object], name: str, otherwise: str = "") -> str:
    """Return a field as text; raises Refused if it is not text."""
    value = posted.get(name, otherwise)
    if not isinstance(value, str):
        raise Refused(400, f"{name} must be text")
    return value


def _is_free_name(name: str) -> bool:
    """Tell whether a name that somebody has typed, perhaps none, is valid and no bot's."""
    try:
        check_names([" ".join(name.split()) or "Ann"], 1)
    except BadOption:
        return False
    return not is_reserved(name)
