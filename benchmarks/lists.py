"""How much dearer lists of games are than the page of a table: a server whose database has very many finished games.

    python benchmarks/lists.py [--games N] [--postgresql] [--json]

The database gets that many finished games, 1,000 of them for each of a few busy players, and bots in most. One of the
busy players then asks for the page of a finished game, for My games with each filter, and for the pages of players, in
turn and again and again. The cost of a page is the processor time of the server and of its database. `table_ms` is the
median cost of the page of the table in milliseconds, and `times` says for each other page how many times as much it
costs. `worst` is the highest of these; it must be at most 3.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil
from rich.console import Console
from rich.table import Table

from parts.postgres import cluster

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from quintain.server.store.addresses import Address
from quintain.server.store.store import Store
from server.filled import add_game, fill_with_games, played
from server.guests import UNLIMITED, Guest, Serving

GAMES, LEAST = 100_000, 4000
TURNS, EACH = 9, 12
"""How often the cost of each page is measured, and over how many requests."""
TABLE = "/tables/whole"
FILTERS = (
    "game=kings-court",
    "with=people",
    "with=bots",
    "with=squire",
    "result=won",
    "result=not-won",
    "rated=yes",
    "when=year",
)


@contextmanager
def new_database(is_postgresql: bool) -> Iterator[tuple[Address, int]]:
    """Make an empty database; yield where it is, and the process id of its PostgreSQL, or 0."""
    with tempfile.TemporaryDirectory() as folder:
        if not is_postgresql:
            yield Path(folder) / "server.sqlite", 0
            return
        with cluster(Path(folder)) as postgres:
            yield postgres.new_database(), postgres.pid


async def add_whole_game(database: Address, player: int) -> None:
    """Write a finished game with its log."""
    async with Store.open(database) as store:
        await add_game(store, TABLE.rpartition("/")[2], played("kings-court", 2), [player, "squire"], time.time())


def older(guest: Guest, pages: int) -> str:
    """Return the address of a later page of My games."""
    path = "/games"
    for _ in range(pages):
        text = unescape(guest.get(path, headers={"accept": "text/html"}).text)
        path = next(part.partition('"')[0] for part in text.split('href="') if '">Older' in part[:200])
    return path


class Figures(NamedTuple):
    """The figures: the cost of a table's page in milliseconds, and that of the other pages as multiples of it."""

    games: int
    store: str
    table_ms: float
    times: dict[str, float]
    worst: float


def measure(games: int, is_postgresql: bool) -> Figures:
    """Return the figures for a database with that many games."""
    with new_database(is_postgresql) as (database, pid), Serving(database, replay_rate=UNLIMITED) as serving:
        guest = serving.guest("Ann")
        first, second, *_ = fill_with_games(database, games, time.time() - 60)
        asyncio.run(add_whole_game(database, first))
        processes = psutil.Process(pid).children(recursive=True) if pid else []
        pages = {"games": "/games", "games, page 25": older(guest, 24)}
        pages |= {f"games?{each}": f"/games?{each}" for each in FILTERS}
        pages |= {"player": f"/players/{first}", "another player": f"/players/{second}", "bot": "/players/squire"}
        pages |= {"pair": f"/players/{first}/with/{second}", "pair with a bot": f"/players/{first}/with/squire"}
        took = costs(guest, [TABLE, *pages.values()], processes)
    table = took[TABLE]
    ratios = {name: round(took[path] / table, 2) for name, path in pages.items()}
    store = "PostgreSQL" if is_postgresql else "SQLite"
    return Figures(games, store, round(1000 * table, 1), ratios, max(ratios.values()))


def costs(guest: Guest, paths: list[str], database: list[psutil.Process]) -> dict[str, float]:
    """Return the median cost of each page in seconds of processor time; the pages are asked for in turn."""
    taken: dict[str, list[float]] = {path: [] for path in paths}
    for turn in range(TURNS + 1):
        for path in paths:
            begun = spent(database)
            for _ in range(EACH):
                guest.http.get(path, headers={"accept": "text/html"}).raise_for_status()
            if turn:
                taken[path].append((spent(database) - begun) / EACH)
    return {path: median(each) for path, each in taken.items()}


def spent(database: list[psutil.Process]) -> float:
    """Return the processor time of the server's threads, all but the one that asks, and of the database's processes."""
    theirs = [each.cpu_times() for each in database if each.is_running()]
    of_database: float = sum(each.user + each.system for each in theirs)
    return time.process_time() - time.thread_time() + of_database


def number(words: str) -> int:
    """Return a number of games."""
    if not words.isdecimal() or int(words) < LEAST:
        raise argparse.ArgumentTypeError(f"{words!r} is no number of games: give a whole number from {LEAST} on")
    return int(words)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=number, default=GAMES, help=f"how many games ({GAMES:,} if not given)")
    parser.add_argument("--postgresql", action="store_true", help="keep them in PostgreSQL, not in SQLite")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    given = parser.parse_args()
    figures = measure(given.games, given.postgresql)
    if given.json:
        print(json.dumps(figures._asdict()))
        return
    title = f"{figures.games:,} games in {figures.store}; the page of a table costs {figures.table_ms} ms"
    table = Table("page", "times", title=title)
    for name, ratio in figures.times.items():
        table.add_row(name, str(ratio))
    Console().print(table)


if __name__ == "__main__":
    main()
