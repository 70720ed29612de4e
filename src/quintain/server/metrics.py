"""What the operator can measure of a running server: Prometheus's counters, gauges and histograms.

The modules that do the work count here; `metric_routes.py` shows the figures to the operator. Labels have few values,
and none that a client chooses. `share_between_processes` lets several processes count together.
"""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ParamSpec, TypeVar

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The environment's variable that names the folder in which several processes count together."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
Given = ParamSpec("Given")
Result = TypeVar("Result")

REQUESTS = Histogram(
    "quintain_request_seconds",
    "Time from a request to the end of its answer; the route is empty where there is none",
    ("method", "route", "status"),
    buckets=SECONDS,
)
WRITES = Histogram("quintain_write_seconds", "Time that entries need to be on disk", buckets=SECONDS)
JOBS = Histogram("quintain_bot_seconds", "Time that a bot or a hint computes", ("job",), buckets=SECONDS)
LOGGED = Counter("quintain_logged", "Lines in the log", ("level",))
SOCKETS = Gauge("quintain_sockets", "Open sockets", ("of",), multiprocess_mode="livesum")
TABLES = Gauge("quintain_tables", "Tables in memory", ("status",), multiprocess_mode="livesum")
STEWARDS = Gauge("quintain_stewards", "Tables with a steward", multiprocess_mode="livesum")
JOBS_WAITING = Gauge("quintain_bot_jobs_waiting", "Bots and hints that wait for a worker", multiprocess_mode="livesum")


class LineCounter(logging.Handler):
    """Counts the lines of the log by level."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line."""
        LOGGED.labels(record.levelname.lower()).inc()


def timed(histogram: Histogram) -> Callable[[Callable[Given, Awaitable[Result]]], Callable[Given, Awaitable[Result]]]:
    """Return a decorator for coroutine functions that observes how long each call takes."""

    def decorate(function: Callable[Given, Awaitable[Result]]) -> Callable[Given, Awaitable[Result]]:
        @functools.wraps(function)
        async def call(*given: Given.args, **more: Given.kwargs) -> Result:
            with histogram.time():
                return await function(*given, **more)

        return call

    return decorate


@contextmanager
def share_between_processes() -> Iterator[None]:
    """Let the processes that are started meanwhile count together, in a folder that is gone afterwards.

    A supervisor opens this context before it starts the first process that serves, and closes it after the last one
    has ended. Prometheus's library reads the folder from the environment when it is first imported. So the processes
    must be new ones ("spawn"), which import it after this; the supervisor itself counts nothing.
    """
    with TemporaryDirectory(prefix="quintain-metrics-") as folder:
        os.environ[SHARED] = folder
        try:
            yield
        finally:
            del os.environ[SHARED]


def exposition() -> bytes:
    """Return all figures in Prometheus's text format: those of this process, or of all that count together."""
    if SHARED not in os.environ:
        return generate_latest(REGISTRY)
    _forget_the_dead(Path(os.environ[SHARED]))
    registry = CollectorRegistry()
    registry.register(_Shared())
    return generate_latest(registry)


class _Shared(Collector):
    """The figures of all processes that count together.

    The library's own collector fails where a process has just made a file and not written to it yet.
    """

    def collect(self) -> Iterable[Metric]:
        """Return the figures, without those of files that are still empty."""
        files = [str(path) for path in Path(os.environ[SHARED]).glob("*.db") if _is_written(path)]
        found: Iterable[Metric] = multiprocess.MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]
        return found


def _is_written(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:  # another process has removed it: its own had ended
        return False


def _forget_the_dead(folder: Path) -> None:
    """Remove the gauges of processes that have ended: they hold no socket and no table."""
    for number in {int(path.stem.rpartition("_")[2]) for path in folder.glob("gauge_live*.db")}:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            multiprocess.mark_process_dead(number)  # type: ignore[no-untyped-call]
