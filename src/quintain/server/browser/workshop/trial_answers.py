"""Answers about trials by bots, of sets and of decks: what they have shown, their start and end, their progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quintain.engine.rules.game import Game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.study.analysis_answers import tell
from quintain.server.model.own_decks import OwnDeck
from quintain.server.model.own_sets import OwnSet
from quintain.server.pages.cards.balance.of_decks import deck_balance_context
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.deck_pages import deck_href
from quintain.server.pages.cards.tabs import DECKS
from quintain.server.pages.cards.workshop_pages import balance_context, set_report_context, set_url
from quintain.server.pages.rendering import Context
from quintain.server.posted.decks import deck_game, own_deck
from quintain.server.posted.fields import decoded
from quintain.server.posted.own_sets import Workshop, own_set, set_game
from quintain.server.posted.trialed import (
    TrialOfDeck,
    TrialOfSet,
    trial_of_deck,
    trial_of_set,
    trialed_deck,
    trialed_set,
)
from quintain.server.refused import Refused
from quintain.server.workshop.subjects import deck_key, set_key

BALANCE = "balance"
"""The part of an address that stands for a trial."""
LOOKS = 0.25
"""Seconds between two looks how far a trial is; its figures move at most twice a second."""


async def resume_set(house: House, found: Game, own: OwnSet) -> None:
    """Go on with the trial of a set that the end of a page has cut off."""
    await house.trials.resume(await trial_of_set(house.trials, found, own, await house.sets.versions(own)), own.number)


async def resume_deck(house: House, found: Game, own: OwnDeck) -> None:
    """Go on with the trial of a deck that the end of a page has cut off."""
    await house.trials.resume(await trial_of_deck(house.trials, found, own), own.number)


async def set_trial(house: House, place: Workshop, asked: PageRequest, own: OwnSet, parts: Sequence[str]) -> PageAnswer:
    """Show what bots have found out about a set: what moves on its page, all figures, or all as data."""
    found = set_game(own.game)
    match parts:
        case ["balance"]:
            return await _show_set(house, place, asked, own)
        case ["balance", "report"]:
            trialed = await trialed_set(house.trials, found, own, await house.sets.versions(own))
            shown = await house.bench.work(place.asker, set_report_context, found, house.visitor(), own, trialed)
            return _page(house, "workshop_report.html", shown)
        case ["balance.json"]:
            return _data(own.game, await trialed_set(house.trials, found, own, await house.sets.versions(own)))
    raise Refused(404, "there is no such page")


async def set_trial_post(
    house: House, place: Workshop, asked: PageRequest, own: OwnSet, parts: Sequence[str]
) -> PageAnswer:
    """Let bots play games with a set before and after its last changes, or stop them."""
    if list(parts) == ["stop"]:
        await house.trials.stop_about(set_key(own.id))
        return await _show_set(house, place, asked, own)
    if parts:
        raise Refused(404, "nothing of this kind can be posted here")
    given = decoded(asked.fields(TrialOfSet), TrialOfSet)
    try:
        await given.begin(house.trials, set_game(own.game), own, await house.sets.versions(own))
    except Refused as error:
        return await _show_set(house, place, asked, own, error)
    return await _show_set(house, place, asked, own)


async def _show_set(
    house: House, place: Workshop, asked: PageRequest, own: OwnSet, refused: Refused | None = None
) -> PageAnswer:
    """Show what moves on the page of a set to a script, with what was refused; lead others to the page."""
    if not asked.is_partial:
        return _led(f"{set_url(own)}{'?' if asked.search else ''}{asked.search}", refused)
    found, versions = set_game(own.game), await house.sets.versions(own)
    trialed = await trialed_set(house.trials, found, own, versions)
    given = (found, house.visitor(), own, versions, asked.query, trialed)
    return _moving(house, await house.bench.work(place.asker, balance_context, *given), refused)


async def deck_trial(house: House, asked: PageRequest, own: OwnDeck, parts: Sequence[str]) -> PageAnswer:
    """Show how a deck does in games between bots: what moves on its page, or all as data."""
    match parts:
        case ["balance"]:
            return await _show_deck(house, asked, own)
        case ["balance.json"]:
            return _data(own.game, await trialed_deck(house.trials, deck_game(own.game), own))
    raise Refused(404, "there is no such page")


async def deck_trial_post(house: House, asked: PageRequest, own: OwnDeck, parts: Sequence[str]) -> PageAnswer:
    """Let bots play games with a deck against the ready-made ones, or stop them."""
    if list(parts) == ["stop"]:
        await house.trials.stop_about(deck_key(own.id))
        return await _show_deck(house, asked, own)
    if parts:
        raise Refused(404, "nothing of this kind can be posted here")
    given = decoded(asked.fields(TrialOfDeck), TrialOfDeck)
    try:
        await given.begin(house.trials, deck_game(own.game), own)
    except Refused as error:
        return await _show_deck(house, asked, own, error)
    return await _show_deck(house, asked, own)


async def _show_deck(house: House, asked: PageRequest, own: OwnDeck, refused: Refused | None = None) -> PageAnswer:
    """Show what moves on the page of a deck to a script, with what was refused; lead others to the page."""
    if not asked.is_partial:
        return _led(deck_href(own), refused)
    trialed = await trialed_deck(house.trials, deck_game(own.game), own)
    return _moving(house, deck_balance_context(house.visitor(), own, trialed), refused)


async def tell_trial(house: House, parts: Sequence[str], send: Callable[[str], None]) -> None:
    """Tell a page how many games of a trial are played; `parts` are the game, the tab and the id of what is tried."""
    game_id, tab, id_ = parts
    number = house.visitor().number
    if tab == DECKS:
        deck = await own_deck(house.decks, number, deck_game(game_id), id_)
        subject = await trial_of_deck(house.trials, deck_game(game_id), deck)
    else:
        own = await own_set(house.sets, number, set_game(game_id), id_)
        subject = await trial_of_set(house.trials, set_game(game_id), own, await house.sets.versions(own))
    await tell(lambda: house.trials.kept.progress(subject.id), send, LOOKS)


def _led(href: str, refused: Refused | None) -> PageAnswer:
    """Lead to the panel of a trial; raises what was refused."""
    if refused:
        raise refused
    return PageAnswer.redirect(f"{href}#{BALANCE}")


def _moving(house: House, shown: Context, refused: Refused | None) -> PageAnswer:
    """Return what moves on a page while bots play, with what was refused."""
    words = str(refused) if refused else ""
    said = words[:1].upper() + words[1:]
    return _page(house, "balance.html", {**shown, "said": said}, refused.status if refused else 200)


def _data(game_id: str, trialed: Trialed) -> PageAnswer:
    """Return a trial as data, for a file."""
    headers = {"content-disposition": f'attachment; filename="{game_id}-balance.json"'}
    return PageAnswer.json(trialed.json())._replace(headers=headers)


def _page(house: House, template: str, context: Context, status: int = 200) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context), status)
