"""New tables on one device: the form, which also asks for the people at the seats, and what is posted with it."""

from __future__ import annotations

from collections.abc import Mapping

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.refusals import status_of
from quintain.server.model.entries import Sitter
from quintain.server.model.levels import levels, usual_level
from quintain.server.model.making import ME, new_table
from quintain.server.pages import forms
from quintain.server.pages.brought.own_decks import own_decks, with_own_lists
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import sentence
from quintain.server.posted.new_tables import new_table as wanted_table
from quintain.server.posted.new_tables import text_of
from quintain.server.posted.own_sets import with_own_set
from quintain.server.posted.posts import MakingTable
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable
from quintain.server.turns import Asker

PERSON = "person"
"""The choice for a seat where somebody else on this device plays; their name stands in a field beside it."""


async def new_table_values(
    house: House, found: Game, given: Mapping[str, object], wrong: Mapping[str, str] | None = None
) -> Context:
    """Return the values for the form of a new table."""
    visitor = house.visitor()
    decks = await own_decks(house.decks, visitor.number, found)
    for person in house.store.settings.people:
        if person.number != visitor.number:
            decks += await own_decks(house.decks, person.number, found, person.name)
    said: Context = {}
    begun: Mapping[str, object] = {}
    try:
        said, begun = await with_own_set(house.sets, visitor.number, found, given)
    except Refused:
        if not wrong:
            raise  # else the set was deleted meanwhile: its text is still in the form
    given = given if wrong else {**begun, **given}
    shown = {**forms.new_table_context(found, visitor, given, wrong, decks), **said}
    usual = found.seats[2]
    chairs = [
        {**chair, "chosen": given.get(forms.seat_field(chair["seat"]), _usual(chair["seat"], usual)),
         "name": given.get(name_field(chair["seat"]), "")}
        for chair in shown["seat_choices"]
    ]  # fmt: skip
    people = [person.name for person in house.store.settings.people]
    return {**shown, "seat_choices": chairs, "people": people}


def _usual(seat: int, seats: int) -> str:
    """Return who sits at a seat unless somebody chooses otherwise."""
    return ME if not seat else usual_level() if seat < seats else forms.NOBODY


def name_field(seat: int) -> str:
    """Return the name of the field for the name of somebody else at a seat."""
    return f"{forms.seat_field(seat)}.name"


async def made_table(house: House, asked: PageRequest) -> PageAnswer:
    """Make a table; show the form again, with what is wrong, if it cannot be made."""
    fields = asked.fields(MakingTable)
    found = game(text_of(fields, "game"))
    try:
        live = await _made(house, found, fields)
    except QuintainError as error:
        shown = await new_table_values(house, found, fields, {forms.WHOLE: sentence(str(error))})
        html = house.templates.render_template("new_table.html", **shown)
        return PageAnswer.html(html, status_of(error))
    return PageAnswer.redirect(f"/tables/{live.id}")


async def _made(house: House, found: Game, fields: Mapping[str, object]) -> LiveTable:
    """Return the table that a form describes."""
    names = {seat: text_of(fields, name_field(seat)).strip() for seat in range(found.seats[1])}
    if house.visitor().number is None:
        await house.named(text_of(fields, "name"))
    wanted = wanted_table(found, await with_own_lists(house.decks.of_anybody, found, fields))
    chairs = [seat for seat in range(found.seats[1]) if fields.get(forms.seat_field(seat)) not in (None, forms.NOBODY)]
    me = await acts.person_of(house.tables, house.visitor().id)
    sitters, taken = [], {me.name}
    for chair, sitter in zip(chairs, wanted.seats, strict=True):
        if sitter == ME:
            sitters.append(Sitter(player=me.number))
        elif sitter == PERSON:
            if names[chair] in taken or not names[chair]:
                raise BadOption("each person at the table needs a name of their own: type one beside the seat")
            person = await house.named(names[chair])
            taken.add(person.name)
            sitters.append(Sitter(player=person.number))
        elif sitter in levels():
            sitters.append(Sitter(bot=sitter))
        else:
            raise BadOption("choose who sits there: you, somebody else here, or a bot")
    await house.store.set(here=me.id)
    if wanted.seats.count(ME) != 1:
        raise BadOption("Choose \u201cI do\u201d for one seat, and for no other.")
    asker = Asker("", me.id)
    options = await house.tables.reader.read_options(asker, found, len(sitters), wanted.options)
    made = new_table(found, options, "none", wanted.speed, True, sitters, hints=True)
    return await acts.make(house.tables, made)
