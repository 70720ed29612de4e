"""Answers about sets of one's own: the list of them, the workshop in which one is changed, and what is posted to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.refusals import status_of
from quintain.server.browser.workshop.trial_answers import BALANCE, resume_set, set_trial, set_trial_post
from quintain.server.model.own_sets import OwnSet
from quintain.server.pages.cards.workshop_pages import compare_context, set_url, shared_set_context, workshop_url
from quintain.server.pages.cards.workshop_versions import DRAFT, text_of_version
from quintain.server.pages.rendering import Context
from quintain.server.posted.fields import NeedsName, decoded
from quintain.server.posted.own_sets import (
    DraftChange,
    NewSet,
    SetForm,
    Workshop,
    file_headers,
    query_after,
    set_game,
)
from quintain.server.refused import Refused
from quintain.server.turns import Asker
from quintain.server.workshop.names import set_name

SHARED = "shared"
"""What stands in an address before the code of a version."""
KEPT = ("kind", "changed", "off", "card")
"""The fields of an address that stay after a change."""


def workshop_of(house: House) -> Workshop:
    """Return the workshop as whoever is here uses it."""
    visitor = house.visitor()
    asker = Asker("", visitor.id)
    return Workshop(house.sets, house.bench, house.tables.reader, house.trials, asker, visitor.number)


async def workshop_answer(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Show a page of the tab Workshop; `parts` is the rest of its address."""
    found, place = set_game(game_id), workshop_of(house)
    if not parts:
        return _page(house, "workshop.html", await place.list_context(found, house.visitor()))
    if parts[0] == SHARED:
        return await _shared(house, place, found, parts[1:])
    own = await place.own(found, parts[0])
    match parts[1:]:
        case []:
            await resume_set(house, found, own)
            return await set_page(house, asked, found, own)
        case ["set.toml"]:
            versions = await house.sets.versions(own)
            text = text_of_version(found, own, versions, asked.query.get("version", DRAFT))
            return PageAnswer(200, text, "application/toml", file_headers(own.name))
        case ["compare"]:
            return await _compared(house, asked, found, own)
        case [part, *rest] if part.removesuffix(".json") == BALANCE:
            return await set_trial(house, place, asked, own, [part, *rest])
    raise Refused(404, "there is no such page")


async def _shared(house: House, place: Workshop, found: Game, parts: Sequence[str]) -> PageAnswer:
    """Show the version of a set that a link holds, or return it as a file."""
    match parts:
        case [code]:
            shared = await place.shared(found, code)
            given = (found, house.visitor(), shared, code)
            return _page(house, "workshop_shared.html", await house.bench.work(place.asker, shared_set_context, *given))
        case [code, "set.toml"]:
            shared = await place.shared(found, code)
            return PageAnswer(200, shared.text, "application/toml", file_headers(shared.name))
    raise Refused(404, "there is no such page")


async def workshop_post(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Do what is posted to the tab Workshop, and show the set as it then is, or say why it was refused."""
    found = set_game(game_id)
    if not parts:
        return await _made(house, asked, found)
    place = workshop_of(house)
    own = await place.own(found, parts[0])
    match parts[1:]:
        case [part, *rest] if part == BALANCE:
            return await set_trial_post(house, place, asked, own, rest)
        case ["delete"]:
            await place.delete(own)
            return PageAnswer.redirect(workshop_url(found))
    try:
        card = await _done(place, asked, found, own, "/".join(parts[1:]))
    except QuintainError as error:
        own, words = await place.own(found, own.id), str(error)
        return await set_page(house, asked, found, own, words[:1].upper() + words[1:], status_of(error))
    return await _after(house, place, asked, own, card, "ws-options" if parts[1:] == ["options"] else "")


async def _made(house: House, asked: PageRequest, found: Game) -> PageAnswer:
    """Begin a set; what cannot be read is shown again, with what is wrong."""
    given = decoded(asked.fields(NewSet), NewSet)
    if house.visitor().number is None:
        if not given.name:
            raise NeedsName
        await house.named(given.name)
    place = workshop_of(house)
    try:
        id_ = await place.begin(found, given)
    except BadOption as error:
        if given.begin != "text":
            raise
        words = str(error)
        shown = await place.refused_context(found, house.visitor(), given, words[:1].upper() + words[1:])
        return _page(house, "workshop.html", shown, 422)
    return PageAnswer.redirect(f"{workshop_url(found)}/{id_}")


async def _done(place: Workshop, asked: PageRequest, found: Game, own: OwnSet, part: str) -> int | None:
    """Do what is posted to a set; return the number of the card to show next, if it is another one."""
    if not part:
        fields = asked.fields(DraftChange)
        return await place.change(found, own, decoded(fields, DraftChange), fields)
    fields = asked.fields(SetForm)
    given = decoded(fields, SetForm)
    match part:
        case "options":
            await place.change_options(found, own, given, fields)
        case "back":
            await place.go(found, own, -1)
        case "again":
            await place.go(found, own, 1)
        case "save":
            await place.save(found, own)
        case "restore":
            versions = await place.sets.versions(own)
            await place.save(found, own, text_of_version(found, own, versions, given.version))
        case "name":
            await place.sets.rename(own, set_name(given.title))
        case _:
            raise Refused(404, "nothing of this kind can be posted here")
    return None


async def _after(
    house: House, place: Workshop, asked: PageRequest, own: OwnSet, card: int | None, anchor: str
) -> PageAnswer:
    """Show a set after a change: to a script its body, to others its page, with the filters that the address has."""
    found = set_game(own.game)
    own, query = await place.after_change(found, own), query_after(asked.query, card)
    if asked.is_partial:
        return await set_page(house, asked, found, own, query=query)
    given = urlencode({name: query[name] for name in KEPT if query.get(name)})
    return PageAnswer.redirect(f"{set_url(own)}{'?' if given else ''}{given}{'#' if anchor else ''}{anchor}")


async def set_page(
    house: House,
    asked: PageRequest,
    found: Game,
    own: OwnSet,
    said: str = "",
    status: int = 200,
    query: Mapping[str, str] | None = None,
) -> PageAnswer:
    """Return the page of a set; for a script only its body."""
    given = asked.query if query is None else query
    shown = await workshop_of(house).set_context(found, house.visitor(), own, given, house.link_base, said)
    return _page(house, "workshop_body.html" if asked.is_partial else "workshop_set.html", shown, status)


async def _compared(house: House, asked: PageRequest, found: Game, own: OwnSet) -> PageAnswer:
    """Show two versions of a set side by side."""
    place, versions = workshop_of(house), await house.sets.versions(own)
    old = asked.query.get("old", str(own.version) if versions else "base")
    given = (found, house.visitor(), own, versions, old, asked.query.get("new", DRAFT))
    return _page(house, "workshop_compare.html", await house.bench.work(place.asker, compare_context, *given))


def _page(house: House, template: str, context: Context, status: int = 200) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context), status)
