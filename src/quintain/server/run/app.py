"""The web application: its routes, its start and end, the headers of every answer, and the pages for errors.

`serving.py` serves what `create_app` returns. The handlers are in the modules of routes in `http`, and in `sockets.py`.
They share the `Site`, which `open_site` makes when the application starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from urllib.parse import quote

from litestar import Litestar, Response, Router, get
from litestar.datastructures import CacheControlHeader, MutableScopeHeaders, State
from litestar.di import Provide
from litestar.enums import MediaType, ScopeType
from litestar.exceptions import HTTPException, NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from quintain.engine.errors import QuintainError
from quintain.engine.names import looks
from quintain.server.beside.reader import Reader
from quintain.server.beside.workers import Workers
from quintain.server.http import (
    identity_routes,
    lobby_routes,
    player_routes,
    replay_routes,
    rule_routes,
    statistics_routes,
    table_routes,
    visitor_routes,
)
from quintain.server.http.answers import answer_json, capitalized, is_partial, notice_alone, page, policy, status_of
from quintain.server.http.browser_files import check_files
from quintain.server.http.cards import (
    balance_routes,
    brought_routes,
    browse_routes,
    deck_routes,
    print_routes,
    set_routes,
    workshop_routes,
)
from quintain.server.http.costs import Fair, count_connection
from quintain.server.http.documented import complete
from quintain.server.http.lobby_routes import MOST_BODY, MOST_TABLE_BODY
from quintain.server.http.metric_routes import Measured, health, keep_looking, show_metrics
from quintain.server.http.requests import StaleForm, address_of, wants_json
from quintain.server.http.site import AnyRequest, Config, Reply, Site
from quintain.server.http.sockets import lobby_socket, table_socket
from quintain.server.http.study import analysis_routes, puzzle_routes
from quintain.server.http.visitor_routes import LEARN, PLAY_NOW, name_and_again
from quintain.server.model.talk import TalkLimits
from quintain.server.pages.archive import Archive
from quintain.server.pages.contexts import page_context
from quintain.server.pages.drawing import Drawing
from quintain.server.pages.lobby_pages import lobby_pages
from quintain.server.pages.rendering import STATIC, environment, package_files
from quintain.server.people.keyring import Keys
from quintain.server.people.players import Signer
from quintain.server.people.sessions import Sessions
from quintain.server.posted.fields import NeedsName
from quintain.server.run.hearing import Hearing
from quintain.server.slices import cancelled
from quintain.server.store.cards.kept_trials import KeptTrials
from quintain.server.store.database import UNAVAILABLE, DatabaseError
from quintain.server.store.devices import Devices
from quintain.server.store.notifications import listen
from quintain.server.store.peers import Peers
from quintain.server.store.store import Store
from quintain.server.study.judging import Judges
from quintain.server.tables.lobby import Lobby
from quintain.server.tables.memory import Tables
from quintain.server.workshop.trials import Trials

SUBJECTS = (
    lobby_routes,
    table_routes,
    visitor_routes,
    identity_routes,
    player_routes,
    replay_routes,
    rule_routes,
    browse_routes,
    brought_routes,
    deck_routes,
    print_routes,
    set_routes,
    workshop_routes,
    balance_routes,
    statistics_routes,
    analysis_routes,
    puzzle_routes,
)
"""The modules of routes, one for each subject."""
HEADERS = {
    "content-security-policy": policy("'none'"),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}
KEPT = 86400
"""Seconds that a browser may keep a static file."""
TOO_LONG = (
    f"that is too long: a new table with all its texts takes at most {MOST_TABLE_BODY // 1024} KB, and "
    f"anything else at most {MOST_BODY // 1024} KB. Go back to your form, and write less"
)
LOOKED = 2.0
"""Seconds between two looks for a restored backup."""
MOST_PATH = 200
"""Characters that the path of a static file may have."""
log = logging.getLogger("quintain.server")


def create_app(config: Config) -> Litestar:
    """Return the application. It opens its site when it starts, and closes it when it stops."""

    @asynccontextmanager
    async def opened(app: Litestar) -> AsyncIterator[None]:
        async with open_site(config) as site:
            app.state.site = site
            yield

    app = Litestar(
        [
            *(handler for subject in SUBJECTS for handler in subject.HANDLERS),
            show_metrics,
            health,
            table_socket,
            lobby_socket,
            _static(),
            _package_file,
        ],
        dependencies={"site": Provide(_site, sync_to_thread=False)},
        lifespan=[opened],
        before_send=[_add_headers],
        exception_handlers={
            QuintainError: _show_error,
            HTTPException: _show_http_error,
            DatabaseError: _show_database_error,
            Exception: _show_fault,
        },
        before_request=_limit_costs,
        request_max_body_size=MOST_BODY,
        openapi_config=OpenAPIConfig(
            title="Quintain", version="1", path="/api", render_plugins=[JsonRenderPlugin(path="/openapi.json")]
        ),
        logging_config=None,
        pdb_on_exception=False,
    )
    complete(app.openapi_schema)
    app.asgi_handler = HeadToo(Measured(Fair(app.asgi_handler)))
    return app


class HeadToo:
    """An application that answers `HEAD` as `GET`, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app({**scope, "method": "GET"}, receive, send_head)


@asynccontextmanager
async def open_site(config: Config) -> AsyncIterator[Site]:
    """Open the database, start the workers, and go on with the tables at which a bot or a clock is due."""
    looks("Ann")  # loads the table of letters that look alike now, so that no request waits for it
    workers, reader = Workers(config.workers, config.game_files), Reader(config.game_files)
    async with Store.open(config.database) as store:
        templates, peers = environment(), Peers(store) if store.is_shared else None
        sessions = Sessions(Keys(store, Signer()), Devices(store))
        store.count_connections(count_connection)
        await sessions.reload()
        drawing = Drawing(templates, sessions.keys.signer, peers)
        lobby = Lobby(lambda asked: lobby_pages(archive, templates, asked))
        limits = TalkLimits(config.share(config.talk_rate), config.share(config.report_rate))
        tables = Tables(store, workers, drawing.show, lobby.tell, config.pace, reader, peers, limits)
        archive = Archive(store, tables, sessions, workers)
        judges, trials = Judges(archive.analyses, workers), Trials(KeptTrials(store), workers)
        going_on = _share(config, store, tables, lobby, sessions, peers) if peers else tables.resume()
        restored = _notice_restores(store, tables, sessions)
        async with _beside(tables.tidy(), keep_looking(tables), sessions.keep_up(), restored, going_on):
            try:
                yield Site(config, archive, drawing, lobby, templates, judges, trials, check_files())
            finally:
                lobby.stop()
                await judges.close()
                await trials.close()
                await archive.puzzles.judging.stop()
                await tables.stop()


async def _notice_restores(store: Store, tables: Tables, sessions: Sessions) -> None:
    """Look every few seconds whether a backup has been put in the place of the database; then begin anew from it."""
    known = await store.generation()
    while True:
        await asyncio.sleep(LOOKED)
        try:
            if (generation := await store.generation()) != known:
                log.warning("a backup was restored: all tables are read again")
                tables.forget_all()
                await sessions.reload()
                await tables.resume()
                known = generation
        except UNAVAILABLE as error:
            log.warning("the database does not answer", extra={"reason": str(error)})


async def _share(config: Config, store: Store, tables: Tables, lobby: Lobby, sessions: Sessions, peers: Peers) -> None:
    """Share the database with other processes, until this one stops."""
    hearing = Hearing(store, tables, lobby, sessions, peers)
    try:
        async with _beside(peers.run()):
            await listen(config.database, hearing.hear, hearing.missed)
    finally:
        await hearing.stop()
        with contextlib.suppress(*UNAVAILABLE):
            await peers.stop()


@asynccontextmanager
async def _beside(*jobs: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Do some jobs in the meantime, and cancel them at the end."""
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield
    finally:
        await cancelled(tasks)


def _site(state: State) -> Site:
    site: Site = state.site
    return site


def _static() -> Router:
    return create_static_files_router(
        "/static",
        [STATIC],
        before_request=_check_path,
        cache_control=CacheControlHeader(public=True, max_age=KEPT),
        include_in_schema=False,
    )


@get("/packages/{name:str}", include_in_schema=False)
async def _package_file(name: FromPath[str]) -> Response[str]:
    """Answer with a file that was made for the games of packages."""
    if name not in package_files():
        raise NotFoundException
    kind = MediaType.CSS if name.endswith(".css") else "image/svg+xml"
    return Response(package_files()[name], media_type=kind, headers={"cache-control": f"public, max-age={KEPT}"})


async def _limit_costs(request: AnyRequest) -> Reply | None:
    """Answer 429, with as little work as possible, if the requests of one address have cost the server too much."""
    site: Site = request.app.state.site
    if site.cost_limit.left(address_of(request)) > 0:
        return None
    words = "that was too much at once: wait a moment"
    if wants_json(request):
        return answer_json(site, site.nameless(request), {"error": words, "status": 429}, 429)
    return Response(f"{words}\n", media_type=MediaType.TEXT, status_code=429)


async def _check_path(request: AnyRequest) -> None:
    """Raise NotFoundException for a path that the file system would not accept."""
    if "\0" in request.scope["path"] or len(request.scope["path"]) > MOST_PATH:
        raise NotFoundException


async def _add_headers(message: Message, scope: Scope) -> None:
    """Add the headers that every answer carries. No cache may keep a page or a view, since they are private."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if "cache-control" not in headers:
        headers["cache-control"] = "no-store"
    if scope["scheme"] == "https":
        message["headers"] = [*map(_secure, message["headers"])]
    if message["status"] >= 400:
        log.info("refused", extra={"path": scope["path"], "status": message["status"]})


def _secure(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Return a header, and a cookie so that browsers send it over https alone."""
    name, value = header
    return (name, value + b"; Secure") if name.lower() == b"set-cookie" else header


def _answer_error(request: AnyRequest, status: int, words: str) -> Reply:
    site: Site = request.app.state.site
    visitor = site.nameless(request)
    if wants_json(request):
        return answer_json(site, visitor, {"error": words, "status": status}, status)
    if is_partial(request):
        return notice_alone(site, visitor, capitalized(words), status)
    title = {403: "Not for you", 404: "Not here", 409: "Not now", 410: "Gone", 429: "Too fast"}.get(status, "Sorry")
    shown = {**page_context(visitor, title, "/"), "status": status, "words": capitalized(words)}
    return page(site, visitor, "error.html", shown, status)


def _show_error(request: AnyRequest, error: QuintainError) -> Reply:
    if isinstance(error, StaleForm) and not wants_json(request) and not is_partial(request):
        site: Site = request.app.state.site
        visitor = site.nameless(request)
        shown = {**page_context(visitor, "Send it again", "/"), "action": request.scope["path"], "kept": error.kept}
        return page(site, visitor, "again.html", shown, error.status)
    if isinstance(error, NeedsName) and not wants_json(request):
        if error.kept is not None:
            nameless: Site = request.app.state.site
            return name_and_again(nameless, nameless.nameless(request), request.scope["path"], error)
        table, path = request.path_params.get("table_id"), request.scope["path"]
        back = f"/tables/{table}" if table else path if path.startswith((PLAY_NOW, LEARN)) else "/"
        return Redirect(f"/name?next={back}", status_code=303)
    return _answer_error(request, status_of(error), str(error))


def _show_http_error(request: AnyRequest, error: HTTPException) -> Reply:
    if error.status_code == 405 and request.method in ("GET", "HEAD") and not wants_json(request):
        return Redirect(_page_of(request.scope["path"]), status_code=303)
    words = TOO_LONG if error.status_code == 413 else error.detail
    return _answer_error(request, error.status_code, words)


def _page_of(path: str) -> str:
    """Return the address of the page that has the form for a path which only takes posts."""
    first, *rest = path.strip("/").split("/")
    if first == "tables" and rest:
        return f"/tables/{quote(rest[0])}"
    return "/me" if first in ("me", "sessions") else "/"


def _show_database_error(request: AnyRequest, error: DatabaseError) -> Reply:
    reason = str(getattr(error, "orig", error))
    log.error("the database fails", extra={"path": request.scope["path"], "reason": reason})
    return _answer_error(request, 503, "the database does not answer just now: try again in a moment")


def _show_fault(request: AnyRequest, error: Exception) -> Reply:
    log.error("fault", exc_info=error, extra={"path": request.scope["path"]})
    return _answer_error(request, 500, "something went wrong here, and it has been noted")
