"""Answers about decks: the list of one's own and the ready-made ones, the builder, and what is posted to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from quintain.engine.errors import BadDeck
from quintain.engine.rules.game import Game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.shelf import finished_rows
from quintain.server.model.deck_lists import deck_name, list_played, read_code
from quintain.server.model.own_decks import OwnDeck
from quintain.server.pages.cards.deck_pages import (
    ListTally,
    builder_page,
    deck_href,
    decks_page,
    place_of,
    refusal,
    shared_context,
)
from quintain.server.pages.rendering import Context
from quintain.server.posted.decks import AsText, CardTouch, NewDeck, Title, deck_game, own_deck
from quintain.server.posted.fields import NeedsName, decoded
from quintain.server.refused import Refused

LISTED = 5
"""The newest games with a deck that its page lists."""


async def decks_answer(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Show a page of the tab Decks; `parts` is the rest of its address."""
    found, visitor = deck_game(game_id), house.visitor()
    match parts:
        case []:
            mine = await house.decks.of_player(visitor.number, found.id) if visitor.number else []
            return _page(house, "decks.html", decks_page(found, visitor, mine, _tallies(house, found)))
        case ["shared", code]:
            return _page(house, "deck_shared.html", shared_context(found, visitor, *read_code(code)))
        case [id_]:
            return await _builder(house, asked, found, await _own(house, found, id_))
        case [id_, "list.txt"]:
            own = await _own(house, found, id_)
            named = quote(f"{own.name}.deck", safe="")
            headers = {"content-disposition": f"attachment; filename=\"list.deck\"; filename*=UTF-8''{named}"}
            return PageAnswer(200, own.text, "text/plain; charset=utf-8", headers)
    raise Refused(404, "there is no such page")


async def decks_post(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Do what is posted to the tab Decks, and show the deck as it then is."""
    found, number = deck_game(game_id), house.visitor().number
    if number is None:
        raise NeedsName
    match parts:
        case []:
            id_ = await decoded(asked.fields(NewDeck), NewDeck).begin(house.decks, number, found)
            return PageAnswer.redirect(f"/cards/{found.id}/decks/{id_}")
        case [id_, "touch"]:
            return await _touched(house, asked, found, id_)
        case [id_, "text"]:
            return await _taken_in(house, asked, found, id_)
        case [id_, "name"]:
            title = deck_name(decoded(asked.fields(Title), Title).title)
            await house.decks.rename(await _own(house, found, id_), title)
            return await _changed(house, asked, found, id_)
        case [id_, "back"]:
            if not await house.decks.take_back(await _own(house, found, id_)):
                raise Refused(409, "there is no change to take back")
            return await _changed(house, asked, found, id_)
        case [id_, "delete"]:
            await house.decks.delete(await _own(house, found, id_))
            return PageAnswer.redirect(f"/cards/{found.id}/decks")
    raise Refused(404, "nothing of this kind can be posted here")


async def _touched(house: House, asked: PageRequest, found: Game, id_: str) -> PageAnswer:
    given = decoded(asked.fields(CardTouch), CardTouch)
    try:
        card = await given.do(house.decks, house.visitor().number, found, id_)
    except BadDeck as error:
        return await _builder(house, asked, found, await _own(house, found, id_), {"said": refusal(error)}, 422)
    return await _changed(house, asked, found, id_, f"#at-{place_of(found, card)}")


async def _taken_in(house: House, asked: PageRequest, found: Game, id_: str) -> PageAnswer:
    given = decoded(asked.fields(AsText), AsText)
    try:
        await given.do(house.decks, house.visitor().number, found, id_)
    except BadDeck as error:
        wrong = {"wrong": {"text": given.text, **refusal(error)}}
        return await _builder(house, asked, found, await _own(house, found, id_), wrong, 422)
    return await _changed(house, asked, found, id_, "#as-text")


async def _own(house: House, found: Game, id_: str) -> OwnDeck:
    return await own_deck(house.decks, house.visitor().number, found, id_)


async def _changed(house: House, asked: PageRequest, found: Game, id_: str, anchor: str = "") -> PageAnswer:
    """Lead to the deck as it now is, with the filters that the address has."""
    href = deck_href(await _own(house, found, id_))
    return PageAnswer.redirect(f"{href}{'?' if asked.search else ''}{asked.search}{anchor}")


async def _builder(
    house: House, asked: PageRequest, found: Game, own: OwnDeck, more: Context | None = None, status: int = 200
) -> PageAnswer:
    """Show the builder; to a script only its body."""
    mine = await house.decks.of_player(own.number, found.id)
    games = _games(house, found).get(own.text, [])
    did = _tally(games).context(found.seats[2], [_listed(each) for each in games[:LISTED]])
    kinds = asked.all("kind")
    shown = builder_page(found, house.visitor(), own, did, asked.query, kinds, house.base_url, mine)
    template = "deck_body.html" if asked.is_partial else "deck.html"
    return _page(house, template, shown | (more or {}), status)


def _games(house: House, found: Game) -> Mapping[str, list[Context]]:
    """Return the finished games of whoever is here, newest first, by the list that they played."""
    by_list = defaultdict[str, list[Context]](list)
    for row, seats, shown in finished_rows(house):
        own = next((seat.seat for seat in seats if seat.player == house.visitor().id), None)
        if row.game == found.id and own is not None and shown["place"]:
            text = list_played(row.game, row.options, len(seats), own)
            if text is not None:
                by_list[text].append(shown)
    return by_list


def _tallies(house: House, found: Game) -> Mapping[str, ListTally]:
    return {text: _tally(games) for text, games in _games(house, found).items()}


def _tally(games: Sequence[Context]) -> ListTally:
    return ListTally(len(games), sum(each["place"] == "won" for each in games))


def _listed(shown: Context) -> Context:
    """Return a finished game as the page of a deck lists it."""
    rivals = [{"name": shown["rivals"]}]
    return {"words": shown["place"], "rivals": rivals, "score": "", "date": shown["day"], "href": shown["href"]}


def _page(house: House, template: str, context: Context, status: int = 200) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context), status)
