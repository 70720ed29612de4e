"""Requests counted and timed, and `/metrics`, which shows all figures to the operator.

Others may not read them, since the number of log entries tells how many secret steps a player makes. The operator is
whoever asks from this machine itself, or knows the token; all others find nothing there. A request that a proxy passes
on comes from this machine, too, but carries a header that says so; one from a page of another site names another host.
`metrics.py` has the figures.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter

from litestar import Response, get
from litestar.enums import MediaType, ScopeType
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CONTENT_TYPE_LATEST

from quintain.server import metrics
from quintain.server.http.site import AnyRequest, TheSite, is_loopback
from quintain.server.model.entries import OVER, PLAYING, WAITING
from quintain.server.tables.memory import Tables

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers by which proxies say that a request is somebody else's."""
METHODS = ("GET", "HEAD", "POST")
"""The methods that pages use; all others are counted as one."""
CANNOT_WRITE = "the server cannot write to its database, so it takes no moves; its log says why"
EVERY = 5.0
"""Seconds between two looks at the tables, so that each process's figures are fresh whichever is asked."""


class Measured:
    """An application whose requests are counted and timed. It stands before the routing, so it counts every answer."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and time it."""
        if scope["type"] == ScopeType.WEBSOCKET:
            await self.app(scope, receive, send)
            return
        status, begun = "none", time.perf_counter()

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = scope.get("path_template", "")
            metrics.REQUESTS.labels(method, route, status).observe(time.perf_counter() - begun)


@get("/metrics", include_in_schema=False)
async def show_metrics(request: AnyRequest, site: TheSite) -> Response[bytes]:
    """Show the figures to the operator."""
    if not _may_read(request, site.config.metrics_token):
        raise NotFoundException
    look(site.tables)
    return Response(await asyncio.to_thread(metrics.exposition), media_type=CONTENT_TYPE_LATEST)


async def keep_looking(tables: Tables) -> None:
    """Set the gauges of the tables again and again."""
    while True:
        look(tables)
        await asyncio.sleep(EVERY)


def look(tables: Tables) -> None:
    """Set the gauges of the tables in memory, their stewards and the bots that wait."""
    number = Counter(live.table.status for live in tables.in_memory())
    for status in (WAITING, PLAYING, OVER):
        metrics.TABLES.labels(status).set(number[status])
    metrics.STEWARDS.set(tables.stewards.number)
    metrics.JOBS_WAITING.set(tables.workers.waiting)


def _may_read(request: AnyRequest, token: str) -> bool:
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if token and kind.lower() == "bearer" and secrets.compare_digest(given.strip().encode(), token.encode()):
        return True
    is_forwarded = any(header in request.headers for header in FORWARDED)
    is_here = request.client is not None and is_loopback(request.client.host) and is_loopback(_host(request))
    return is_here and not is_forwarded


def _host(request: AnyRequest) -> str:
    """Return the host that a request names: a page of another site names its own, though it comes from this machine."""
    try:
        return request.base_url.hostname or ""
    except ValueError:
        return ""


@get("/health")
async def health(site: TheSite) -> Response[dict[str, str]]:
    """Say whether the server can write to its database."""
    if await site.health.can_write():
        return Response({"status": "ok"}, media_type=MediaType.JSON)
    return Response({"status": "failing", "error": CANNOT_WRITE}, media_type=MediaType.JSON, status_code=503)
