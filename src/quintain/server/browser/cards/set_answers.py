"""Answers about sets of cards: the tab Sets of the place Cards with its builder, and the sets taken at a table."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.naming import sender
from quintain.server.browser.player_answers import finished_games
from quintain.server.browser.refusals import status_of
from quintain.server.browser.table_answers import table_post
from quintain.server.model.saved_sets import GamesOfSets, SavedSet, games_by_set
from quintain.server.model.set_lists import read_code, read_list, set_name
from quintain.server.pages.cards.deck_pages import refusal
from quintain.server.pages.cards.played_lists import did_context
from quintain.server.pages.cards.sets.saved_sets import at_table_context, sets_context, usual_choice
from quintain.server.pages.cards.sets.set_builder import set_href, set_page
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.posted.fields import decoded
from quintain.server.posted.posts import ChoosingSet
from quintain.server.posted.saved_sets import (
    BeginningSet,
    Changed,
    SavingSet,
    SetText,
    SetTitle,
    SetTouch,
    asked_for_set,
    change_set,
    dealt,
    named_whole,
    saved_set,
)
from quintain.server.refused import Refused
from quintain.server.tables.live_table import LiveTable


async def sets_answer(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Show a page of the tab Sets; `parts` is the rest of its address."""
    found = game(game_id)
    match parts:
        case []:
            return await _sets(house, found)
        case ["shared", code]:
            name, text = read_code(code)
            draft = {"title": name, "text": "\n".join(read_list(usual_choice(found), text))}
            return await _sets(house, found, {"draft": draft})
        case [id_]:
            return await _builder(
                house, asked, found, await saved_set(house.saved_sets, house.visitor().number, found, id_)
            )
    raise Refused(404, "there is no such page")


async def sets_post(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Do what is posted to the tab Sets, and show the set as it then is."""
    found, number = game(game_id), await sender(house, asked)
    match parts:
        case []:
            return await _begun(house, asked, found, number)
        case [id_, "touch"]:
            touched = decoded(asked.fields(SetTouch), SetTouch).change(found)
            return await _changed(house, asked, found, id_, touched, "said")
        case [id_, "deal"]:
            return await _changed(house, asked, found, id_, dealt(found), "said")
        case [id_, "text"]:
            given = decoded(asked.fields(SetText), SetText)
            return await _changed(house, asked, found, id_, given.change(found), "wrong", given.text)
        case [id_, "name"]:
            saved = await saved_set(house.saved_sets, number, found, id_)
            await house.saved_sets.rename(saved, set_name(decoded(asked.fields(SetTitle), SetTitle).title))
            return PageAnswer.redirect(set_href(saved))
        case [id_, "delete"]:
            await house.saved_sets.delete(await saved_set(house.saved_sets, number, found, id_))
            return PageAnswer.redirect(f"/cards/{found.id}/sets")
    raise Refused(404, "nothing of this kind can be posted here")


async def choose_set(house: House, asked: PageRequest, id_: str) -> PageAnswer:
    """Choose a whole set at a table, and note which one it was."""
    live = await house.tables.get(id_)
    visitor, given = house.at_table(live), decoded(asked.fields(ChoosingSet), ChoosingSet)
    names = () if house.awaited(live) else named_whole(live, visitor, given)
    answer = await table_post(house, asked, id_, "set")
    if names and visitor.number is not None and answer.status < 400:
        await house.saved_sets.note(visitor.number, live.table.row.game, live.id, names)
    return answer


async def table_sets(house: House, asked: PageRequest, id_: str) -> PageAnswer:
    """Show the saved sets for a table at which somebody is asked for one."""
    live = await _held(house, id_)
    return await _at_table(house, asked, live)


async def table_sets_post(house: House, asked: PageRequest, id_: str, parts: Sequence[str]) -> PageAnswer:
    """Save the set that somebody has chosen at a table, or read a text as one; the table does not change."""
    live = await _held(house, id_)
    visitor = house.at_table(live)
    match parts:
        case []:
            try:
                await decoded(asked.fields(SavingSet), SavingSet).save(house.saved_sets, live, visitor)
            except QuintainError as error:
                return await _at_table(house, asked, live, str(error), status_of(error))
            return await _at_table(house, asked, live, status=201)
        case ["text"]:
            return await _read_text(house, asked, live, visitor)
    raise Refused(404, "nothing of this kind can be posted here")


async def _read_text(house: House, asked: PageRequest, live: LiveTable, visitor: Visitor) -> PageAnswer:
    """Show the cards that a text names at a table, or as JSON; a wrong line is named."""
    given = decoded(asked.fields(SetText), SetText)
    seen, choice = asked_for_set(live, visitor)
    try:
        if asked.wants_json:
            cards, lacks = given.read(choice)
            return PageAnswer.json({"cards": cards, "lacks": lacks or None})
        typed = given.at_table(seen, choice)
    except BadOption as error:
        if asked.wants_json:
            raise
        return await _at_table(house, asked, live, status=422, typed={"text": given.text, **refusal(error)})
    return await _at_table(house, asked, live, typed=typed)


async def _held(house: House, id_: str) -> LiveTable:
    """Return a table; raises Refused if somebody else is asked there, who must have the device first."""
    live = await house.tables.get(id_)
    if house.awaited(live) is not None:
        raise Refused(409, "somebody else is asked: hand the device on")
    return live


async def _at_table(
    house: House, asked: PageRequest, live: LiveTable, said: str = "", status: int = 200, typed: Context | None = None
) -> PageAnswer:
    """Show the saved sets of whoever holds the device at a table; to a script their list alone."""
    visitor = house.at_table(live)
    seen, choice = asked_for_set(live, visitor)
    saved = await house.saved_sets.of_player(visitor.number or 0, live.table.row.game)
    games = await _games(house, visitor, live.table.row.game, saved)
    shown = at_table_context(visitor, live, seen.decision, choice, saved, games, said, typed)
    return _page(house, "parts/saved_sets.html" if asked.is_partial else "table_sets.html", shown, status)


async def _begun(house: House, asked: PageRequest, found: Game, number: int) -> PageAnswer:
    """Begin a set, and lead to it; what cannot be taken in stands in the form again, with the reason."""
    given = decoded(asked.fields(BeginningSet), BeginningSet)
    try:
        id_ = await given.begin(house.saved_sets, number, found)
    except QuintainError as error:
        draft = {"draft": {"title": given.title, "text": given.text}, "said": str(error)}
        return await _sets(house, found, draft, status_of(error))
    return PageAnswer.redirect(f"/cards/{found.id}/sets/{id_}")


async def _changed(
    house: House, asked: PageRequest, found: Game, id_: str, changed: Changed, place: str, text: str = ""
) -> PageAnswer:
    """Keep a changed list, and lead to the set. What is refused stands on its page, in its place, with `text`."""
    number = house.visitor().number
    try:
        saved = await change_set(house.saved_sets, number, found, id_, changed)
    except BadOption as error:
        saved = await saved_set(house.saved_sets, number, found, id_)
        return await _builder(house, asked, found, saved, {place: {"text": text, **refusal(error)}}, 422)
    return PageAnswer.redirect(f"{set_href(saved)}{'?' if asked.search else ''}{asked.search}")


async def _builder(
    house: House, asked: PageRequest, found: Game, saved: SavedSet, more: Context | None = None, status: int = 200
) -> PageAnswer:
    """Show the builder; to a script only its body."""
    visitor = house.visitor()
    games = (await _games(house, visitor, found.id, [saved])).get(saved.id, [])
    did, groups = await did_context(house.store, games), asked.all("group")
    mine = await house.saved_sets.of_player(saved.number, found.id)
    shown = set_page(found, visitor, saved, did, asked.query, groups, house.link_base, mine)
    return _page(house, "set_body.html" if asked.is_partial else "set.html", shown | (more or {}), status)


async def _sets(house: House, found: Game, more: Context | None = None, status: int = 200) -> PageAnswer:
    """Show the tab Sets."""
    visitor = house.visitor()
    usual_choice(found)
    saved = await house.saved_sets.of_player(visitor.number, found.id) if visitor.number else []
    games = await _games(house, visitor, found.id, saved)
    return _page(house, "sets.html", sets_context(found, visitor, saved, games) | (more or {}), status)


async def _games(house: House, visitor: Visitor, game_id: str, saved: Sequence[SavedSet]) -> GamesOfSets:
    """Return the finished games of somebody here with each of their sets, newest first."""
    if not saved or visitor.number is None:
        return {}
    tables = await house.saved_sets.tables_by_mark(visitor.number, game_id)
    return games_by_set(saved, tables, finished_games(house, visitor.key or "")) if tables else {}


def _page(house: House, template: str, context: Context, status: int = 200) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context), status)
