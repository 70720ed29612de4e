"""The addresses of trials by bots, of sets and of decks: what they have shown, their start and end, their progress.

`workshop/trials.py` plays them, and `pages/cards/balance` has the values of their panel.
"""

from __future__ import annotations

from litestar import get, post, websocket
from litestar.params import FromPath
from litestar.response import Redirect

from quintain.engine.errors import QuintainError
from quintain.engine.rules.game import Game
from quintain.server.http.answers import answer_json, capitalized, is_partial, page
from quintain.server.http.cards.deck_routes import deck_page
from quintain.server.http.cards.workshop_routes import asker_of, set_page, workshop_of
from quintain.server.http.documented import takes
from quintain.server.http.requests import address_of, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, Socket, TheSite
from quintain.server.http.sockets import GONE, accepted, tell_progress
from quintain.server.model.own_decks import OwnDeck
from quintain.server.model.own_sets import OwnSet
from quintain.server.pages.cards.balance.of_decks import deck_balance_context
from quintain.server.pages.cards.deck_pages import deck_href
from quintain.server.pages.cards.workshop_pages import balance_context, set_report_context, set_url
from quintain.server.people.players import Visitor
from quintain.server.posted.decks import deck_game, own_deck
from quintain.server.posted.own_sets import own_set, set_game
from quintain.server.posted.posts import Posted
from quintain.server.posted.trialed import (
    TrialOfDeck,
    TrialOfSet,
    trial_of_deck,
    trial_of_set,
    trialed_deck,
    trialed_set,
)
from quintain.server.refused import Refused
from quintain.server.workshop.subjects import Subject, deck_key, set_key

LOOKS = 0.25
"""Seconds between two looks how far a trial is; its figures move at most twice a second."""


@get("/cards/{game_id:str}/workshop/{set_id:str}/balance", include_in_schema=False)
async def set_balance(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Show what bots have found out about a set of the visitor's."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    return await _show_set(request, site, visitor, found, await workshop_of(request, site, visitor).own(found, set_id))


@get("/cards/{game_id:str}/workshop/{set_id:str}/balance.json")
async def set_balance_json(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Return what bots have found out about a set of yours, before and after its last changes, as data."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await workshop_of(request, site, visitor).own(found, set_id)
    versions = await site.archive.sets.versions(own)
    return answer_json(site, visitor, (await trialed_set(site.trials, found, own, versions)).json())


@get("/cards/{game_id:str}/workshop/{set_id:str}/balance/report", include_in_schema=False)
async def set_report(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Show all figures of what bots have found out about a set of the visitor's."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), set_game(game_id)
    own = await workshop_of(request, site, visitor).own(found, set_id)
    trialed = await trialed_set(site.trials, found, own, await site.archive.sets.versions(own))
    shown = await site.archive.bench.work(asker_of(request, visitor), set_report_context, found, visitor, own, trialed)
    return page(site, visitor, "workshop_report.html", shown)


@post("/cards/{game_id:str}/workshop/{set_id:str}/balance", operation_class=takes(TrialOfSet), status_code=200)
async def try_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Let bots play games with a set of yours before and after its last changes; your other trials stop."""
    posted, found = await read_post(request, site, TrialOfSet), set_game(game_id)
    visitor = await site.named(posted.visitor)
    own = await workshop_of(request, site, visitor).own(found, set_id)
    versions = await site.archive.sets.versions(own)
    try:
        await posted.given.begin(site.trials, found, own, versions)
    except Refused as error:
        if wants_json(request):
            raise
        return await _show_set(request, site, visitor, found, own, error)
    return await _show_set(request, site, visitor, found, own)


@post("/cards/{game_id:str}/workshop/{set_id:str}/balance/stop", operation_class=takes(Posted), status_code=200)
async def stop_set(request: AnyRequest, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> Reply:
    """Stop the games of a set of yours; what they have shown stays, and they can go on later."""
    posted, found = await read_post(request, site, Posted), set_game(game_id)
    visitor = await site.named(posted.visitor)
    own = await workshop_of(request, site, visitor).own(found, set_id)
    await site.trials.stop_about(set_key(own.id))
    return await _show_set(request, site, visitor, found, own)


@websocket("/cards/{game_id:str}/workshop/{set_id:str}/balance/socket")
async def set_socket(socket: Socket, site: TheSite, game_id: FromPath[str], set_id: FromPath[str]) -> None:
    """Tell a page how many games of a set are played, until they end."""
    if not await accepted(socket):
        return
    visitor = await site.visitor(socket)
    try:
        found = set_game(game_id)
        own = await own_set(site.archive.sets, visitor.number, found, set_id)
    except QuintainError:
        await socket.close(GONE)
        return
    versions = await site.archive.sets.versions(own)
    await _tell(socket, site, visitor, await trial_of_set(site.trials, found, own, versions))


@get("/cards/{game_id:str}/decks/{deck_id:str}/balance", include_in_schema=False)
async def deck_balance(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Show how a deck of the visitor's does in games between bots."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), deck_game(game_id)
    return await _show_deck(
        request, site, visitor, found, await own_deck(site.archive.decks, visitor.number, found, deck_id)
    )


@get("/cards/{game_id:str}/decks/{deck_id:str}/balance.json")
async def deck_balance_json(
    request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]
) -> Reply:
    """Return how a deck of yours does in games between bots, against the ready-made ones, as data."""
    site.check_replay_limit(address_of(request))
    visitor, found = await site.visitor(request), deck_game(game_id)
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    return answer_json(site, visitor, (await trialed_deck(site.trials, found, own)).json())


@post("/cards/{game_id:str}/decks/{deck_id:str}/balance", operation_class=takes(TrialOfDeck), status_code=200)
async def try_deck(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Let bots play games with a deck of yours against the ready-made ones; your other trials stop."""
    posted, found = await read_post(request, site, TrialOfDeck), deck_game(game_id)
    visitor = await site.named(posted.visitor)
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    try:
        await posted.given.begin(site.trials, found, own)
    except Refused as error:
        if wants_json(request):
            raise
        return await _show_deck(request, site, visitor, found, own, error)
    return await _show_deck(request, site, visitor, found, own)


@post("/cards/{game_id:str}/decks/{deck_id:str}/balance/stop", operation_class=takes(Posted), status_code=200)
async def stop_deck(request: AnyRequest, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> Reply:
    """Stop the games of a deck of yours; what they have shown stays, and they can go on later."""
    posted, found = await read_post(request, site, Posted), deck_game(game_id)
    visitor = await site.named(posted.visitor)
    own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    await site.trials.stop_about(deck_key(own.id))
    return await _show_deck(request, site, visitor, found, own)


@websocket("/cards/{game_id:str}/decks/{deck_id:str}/balance/socket")
async def deck_socket(socket: Socket, site: TheSite, game_id: FromPath[str], deck_id: FromPath[str]) -> None:
    """Tell a page how many games of a deck are played, until they end."""
    if not await accepted(socket):
        return
    visitor = await site.visitor(socket)
    try:
        found = deck_game(game_id)
        own = await own_deck(site.archive.decks, visitor.number, found, deck_id)
    except QuintainError:
        await socket.close(GONE)
        return
    await _tell(socket, site, visitor, await trial_of_deck(site.trials, found, own))


async def _tell(socket: Socket, site: Site, visitor: Visitor, subject: Subject) -> None:
    await tell_progress(socket, site, visitor, lambda: site.trials.kept.progress(subject.id), LOOKS)


async def _show_set(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, own: OwnSet, refused: Refused | None = None
) -> Reply:
    """Answer with what bots have found out about a set; a script gets what moves on its page.

    What was `refused` is said there.
    """
    versions = await site.archive.sets.versions(own)
    said, status = _refusal(refused)
    if is_partial(request):
        trialed = await trialed_set(site.trials, found, own, versions)
        query = dict(request.query_params.items())
        shown = await site.archive.bench.work(
            asker_of(request, visitor), balance_context, found, visitor, own, versions, query, trialed
        )
        return page(site, visitor, "balance.html", {**shown, "said": said}, status)
    if wants_json(request):
        return answer_json(site, visitor, (await trialed_set(site.trials, found, own, versions)).json())
    if refused:
        return await set_page(request, site, visitor, found, own, said, status)
    query_string = request.scope["query_string"].decode("ascii", "ignore")
    return Redirect(f"{set_url(own)}{'?' if query_string else ''}{query_string}#balance", status_code=303)


async def _show_deck(
    request: AnyRequest, site: Site, visitor: Visitor, found: Game, own: OwnDeck, refused: Refused | None = None
) -> Reply:
    """Answer with what bots have found out about a deck; a script gets what moves on its page.

    What was `refused` is said there.
    """
    said, status = _refusal(refused)
    if is_partial(request):
        shown = deck_balance_context(visitor, own, await trialed_deck(site.trials, found, own))
        return page(site, visitor, "balance.html", {**shown, "said": said}, status)
    if wants_json(request):
        return answer_json(site, visitor, (await trialed_deck(site.trials, found, own)).json())
    if refused:
        words = {"said": {"words": said, "clause": ""}}
        return await deck_page(request, site, visitor, found, own, words, status)
    return Redirect(f"{deck_href(own)}#balance", status_code=303)


def _refusal(refused: Refused | None) -> tuple[str, int]:
    """Return what was refused in words, and the status of the answer."""
    return (capitalized(str(refused)), refused.status) if refused else ("", 200)


HANDLERS = (
    set_balance,
    set_balance_json,
    set_report,
    try_set,
    stop_set,
    set_socket,
    deck_balance,
    deck_balance_json,
    try_deck,
    stop_deck,
    deck_socket,
)
