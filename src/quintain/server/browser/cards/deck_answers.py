"""Answers about decks: the list of one's own and the ready-made ones, the builder, and what is posted to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from quintain.engine.errors import BadDeck
from quintain.engine.rules.game import Game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.naming import sender
from quintain.server.browser.player_answers import finished_games
from quintain.server.browser.workshop.trial_answers import BALANCE, deck_trial, deck_trial_post, resume_deck
from quintain.server.model.deck_lists import deck_name, read_code
from quintain.server.model.own_decks import OwnDeck
from quintain.server.model.results import FinishedGame
from quintain.server.pages.cards.balance.of_decks import deck_panel
from quintain.server.pages.cards.deck_pages import (
    builder_page,
    deck_href,
    decks_page,
    place_of,
    refusal,
    shared_context,
)
from quintain.server.pages.cards.played_lists import did_context, games_by_list, tallied
from quintain.server.pages.rendering import Context
from quintain.server.posted.decks import AsText, CardTouch, NewDeck, Title, deck_game, own_deck
from quintain.server.posted.fields import decoded
from quintain.server.posted.trialed import trial_of_deck, trialed_deck
from quintain.server.refused import Refused
from quintain.server.workshop.subjects import deck_key


async def decks_answer(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Show a page of the tab Decks; `parts` is the rest of its address."""
    found, visitor = deck_game(game_id), house.visitor()
    match parts:
        case []:
            mine = await house.decks.of_player(visitor.number, found.id) if visitor.number else []
            tallies = {text: tallied(games) for text, games in _games(house, found).items()}
            return _page(house, "decks.html", decks_page(found, visitor, mine, tallies))
        case ["shared", code]:
            return _page(house, "deck_shared.html", shared_context(found, visitor, *read_code(code)))
        case [id_]:
            own = await _own(house, found, id_)
            await resume_deck(house, found, own)
            return await _builder(house, asked, found, own)
        case [id_, "list.txt"]:
            own = await _own(house, found, id_)
            named = quote(f"{own.name}.deck", safe="")
            headers = {"content-disposition": f"attachment; filename=\"list.deck\"; filename*=UTF-8''{named}"}
            return PageAnswer(200, own.text, "text/plain; charset=utf-8", headers)
        case [id_, part, *rest] if part.removesuffix(".json") == BALANCE:
            return await deck_trial(house, asked, await _own(house, found, id_), [part, *rest])
    raise Refused(404, "there is no such page")


async def decks_post(house: House, asked: PageRequest, game_id: str, parts: Sequence[str]) -> PageAnswer:
    """Do what is posted to the tab Decks, and show the deck as it then is."""
    found, number = deck_game(game_id), await sender(house, asked)
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
            own = await _own(house, found, id_)
            await house.decks.delete(own)
            await house.trials.forget(deck_key(own.id))
            return PageAnswer.redirect(f"/cards/{found.id}/decks")
        case [id_, part, *rest] if part == BALANCE:
            return await deck_trial_post(house, asked, await _own(house, found, id_), rest)
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
    own = await _own(house, found, id_)
    await house.trials.stop_about(deck_key(own.id), (await trial_of_deck(house.trials, found, own)).id)
    href = deck_href(own)
    return PageAnswer.redirect(f"{href}{'?' if asked.search else ''}{asked.search}{anchor}")


async def _builder(
    house: House, asked: PageRequest, found: Game, own: OwnDeck, more: Context | None = None, status: int = 200
) -> PageAnswer:
    """Show the builder; to a script only its body."""
    mine = await house.decks.of_player(own.number, found.id)
    games = _games(house, found).get(own.text, [])
    did = await did_context(house.store, games)
    kinds = asked.all("kind")
    shown = builder_page(found, house.visitor(), own, did, asked.query, kinds, house.link_base, mine)
    template = "deck_body.html" if asked.is_partial else "deck.html"
    panel = deck_panel(own, await trialed_deck(house.trials, found, own))
    return _page(house, template, shown | {"balance": panel} | (more or {}), status)


def _games(house: House, found: Game) -> Mapping[str, Sequence[FinishedGame]]:
    """Return the finished games of whoever is here that count, newest first, by the list that they played."""
    own = finished_games(house, house.visitor().key or "")
    return games_by_list(found.id, (each for each in own if each.own.game == found.id))


def _page(house: House, template: str, context: Context, status: int = 200) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context), status)
