"""`/metrics`, which only the operator may read: the number of log entries tells how many secret steps others make.

Whoever asks from this machine itself is the operator, or who knows the token; all others find nothing there. A request
that a proxy passes on comes from this machine, too, but carries a header that says so. `metrics.py` has the figures.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from collections import Counter

from litestar import Response, get
from litestar.exceptions import NotFoundException
from prometheus_client import CONTENT_TYPE_LATEST

from quintain.server import metrics
from quintain.server.entries import OVER, PLAYING, WAITING
from quintain.server.house import AnyRequest, TheHouse
from quintain.server.tables import Tables

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers by which proxies say that a request is somebody else's."""
EVERY = 5.0
"""Seconds between two looks at the tables, so that each process's figures are fresh whichever is asked."""


@get("/metrics", include_in_schema=False)
async def show_metrics(request: AnyRequest, house: TheHouse) -> Response[bytes]:
    """Show the figures to the operator."""
    if not _may_read(request, house.config.metrics_token):
        raise NotFoundException
    look(house.tables)
    return Response(await asyncio.to_thread(metrics.exposition), media_type=CONTENT_TYPE_LATEST)


async def keep_looking(tables: Tables) -> None:
    """Set the gauges of the tables again and again."""
    while True:
        look(tables)
        await asyncio.sleep(EVERY)


def look(tables: Tables) -> None:
    """Set the gauges of the tables in memory, their stewards and the bots that wait."""
    number = Counter(table.status for table in tables.in_memory())
    for status in (WAITING, PLAYING, OVER):
        metrics.TABLES.labels(status).set(number[status])
    metrics.STEWARDS.set(tables.stewards.number)
    metrics.JOBS_WAITING.set(tables.workers.waiting)


def _may_read(request: AnyRequest, token: str) -> bool:
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if token and kind.lower() == "bearer" and secrets.compare_digest(given.strip().encode(), token.encode()):
        return True
    is_forwarded = any(header in request.headers for header in FORWARDED)
    return not is_forwarded and request.client is not None and _is_loopback(request.client.host)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
