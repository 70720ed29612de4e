"""A server that is broken again and again: whether it keeps what it has answered, and goes on.

    python benchmarks/faults.py [--kills N] [--seed SEED] [--json]

One server runs on SQLite, in one process, and at the same time another one on PostgreSQL, in two processes. On both, at
six tables each, scripted people (`parts/faults/players.py`) play against each other and against bots: all five games,
with secret choices, and a spectator at each table. Meanwhile the command (`parts/faults/machine.py`) kills a serving
process at random moments, on PostgreSQL sometimes all of them with their supervisor. About half of the kills come
together with another fault: the disk is full, the machine's clock jumps by up to three days, the connections to the
database are cut, or the database is stopped, in good order or at once, and started again.

`kills` is the number of kills. `acknowledged` is the number of moves that the server answered with success. `lost`
counts those that are not in the log of their table. `doubled` counts moves that are in a log twice, and moves of people
who had a choice and did not post them. `seen_before_disk` counts logs that a page or a socket showed to somebody, and
that are not the beginning of what the log on the disk shows to the same viewer at the end. `stuck_tables` counts tables
at which fewer than three moves were made, and the game did not end, in the minute after the last fault. `gave_up`
counts how often a server has ended, though nobody had killed all of it. These five must be 0; otherwise the command
fails, as it does if a server does not answer within two minutes. `stores` has the figures for each store, and
`slowest_s`, the longest time until a server answered again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from parts.faults.machine import Machine
from parts.faults.players import GAMES, Answered, Played, Sitting
from parts.postgres import cluster
from quintain.server.model.entries import CLOSED, MOVED, LogEntry
from quintain.server.store.addresses import Address, sync_engine
from quintain.server.store.schema import LogRow
from quintain.server.store.store import Store
from quintain.server.tables.memory import players_in
from quintain.server.tables.table import Table

STORES = ("sqlite", "postgresql")
QUIET = 1.0
"""The most seconds between two faults, and between a fault and the kill that comes with it."""
GOES_ON, MOVES = 60.0, 3
"""Seconds after the last fault within which this many moves must be made at every table."""
MUST_BE_0 = ("lost", "doubled", "seen_before_disk", "stuck_tables", "gave_up")


async def run(machine: Machine, kills: int) -> dict[str, Any]:
    """Let people play on a machine while it is broken, and return the figures."""
    machine.start()
    sittings = [Sitting(machine.url, number, machine.chance) for number in range(len(GAMES))]
    try:
        await machine.recover()
        for sitting in sittings:
            await sitting.arrive()
        faults = await break_often(machine, kills, sittings)
        stuck = await stuck_tables(machine.database, [each for sitting in sittings for each in sitting.played])
    finally:
        statuses = sum([await sitting.leave() for sitting in sittings], Counter[int]())
        await asyncio.to_thread(machine.stop)
    played = [each for sitting in sittings for each in sitting.played]
    return {
        "kills": kills,
        **await audit(machine.database, played),
        "stuck_tables": len(stuck),
        "gave_up": machine.gave_up,
        "slowest_s": machine.slowest,
        "stuck": stuck,
        "tables": len(played),
        "faults": dict(faults),
        "statuses": dict(sorted(statuses.items())),
    }


async def break_often(machine: Machine, kills: int, sittings: Sequence[Sitting]) -> Counter[str]:
    """Kill the server so many times, about half of them together with another fault; return how often each came."""
    chance, faults = machine.chance, Counter[str]()
    for number in range(1, 1 + kills):
        await asyncio.sleep(chance.uniform(0, QUIET))
        name = chance.choice([*machine.faults, *[""] * len(machine.faults)])
        other = asyncio.create_task(machine.faults[name]()) if name else None
        await asyncio.sleep(chance.uniform(0, QUIET))
        await machine.kill()
        if other:
            faults[name] += 1
            await other
        await machine.recover(f"kill {number} of {kills}{f', with the fault {name!r}' if name else ''}")
        for sitting in sittings:
            if sitting.playing and sitting.playing.done():
                sitting.playing.result()
        if number % 10 == 0 or number == kills:
            print(f"{machine.store}: {number} of {kills} kills", file=sys.stderr, flush=True)
    return faults


async def stuck_tables(database: Address, played: Sequence[Played]) -> list[str]:
    """Return the tables in play that do not go on."""
    before = await asyncio.to_thread(progress, database)
    ids = [each.table for each in played if not before[each.table, CLOSED]]
    stuck: list[str] = []
    for _ in range(int(GOES_ON)):
        await asyncio.sleep(1.0)
        now = await asyncio.to_thread(progress, database)
        stuck = [id_ for id_ in ids if not now[id_, CLOSED] and now[id_, MOVED] < before[id_, MOVED] + MOVES]
        if not stuck:
            break
    return stuck


def progress(database: Address) -> Counter[tuple[str, str]]:
    """Return how many moves the log of each table has, and how many ends."""
    asked = select(LogRow.table, LogRow.kind, func.count()).where(LogRow.kind.in_([MOVED, CLOSED]))
    with sync_engine(database).connect() as connection:
        rows = connection.execute(asked.group_by(LogRow.table, LogRow.kind))
        return Counter({(table, kind): number for table, kind, number in rows})


async def audit(database: Address, played: Sequence[Played]) -> dict[str, int]:
    """Compare what people know with what is on disk, and return the figures."""
    found = Counter[str]()
    async with Store.open(database) as store:
        for each in played:
            entries = await store.entries(each.table)
            table = Table.read(entries[:1], await store.persons(players_in(entries)))
            made, unasked = replay(table, entries[1:], each.posted)
            found["acknowledged"] += len(each.acknowledged)
            found["lost"] += sum(made[move] == 0 for move in each.acknowledged)
            found["doubled"] += unasked + sum(number > 1 for number in made.values())
            found["seen_before_disk"] += sum(map(len, each.shown.values())) - on_disk(table, each)
            found["pages"] += sum(map(len, each.shown.values()))
    return {name: found[name] for name in ("acknowledged", "lost", "doubled", "seen_before_disk", "pages")}


def replay(table: Table, entries: Sequence[LogEntry], posted: set[Answered]) -> tuple[Counter[Answered], int]:
    """Apply a log; return the moves of people in it, and how many of these nobody posted, though there was a choice."""
    made, unasked = Counter[Answered](), 0
    for entry in entries:
        if entry.kind == MOVED and table.seats[entry.seat].player:
            seen = table.playing().seen(entry.seat)
            names = {seen.game.text.name(seen.book, seen.state, entry.seat, each.action): each for each in seen.moves}
            move = Answered(entry.seat, seen.decision, names[entry.text].action)
            made[move] += 1
            unasked += move not in posted and len(seen.moves) > 1
        table.apply([entry])
    return made, unasked


def on_disk(table: Table, played: Played) -> int:
    """Return how many of the logs that were shown are the beginning of what the log on disk shows to that viewer."""
    number = 0
    for viewer, shown in played.shown.items():
        lines = tuple(table.match.log(viewer)) if table.match else ()
        number += sum(length <= len(lines) and hash(lines[:length]) == digest for length, digest in shown)
    return number


async def run_all(kills: int, seed: str) -> dict[str, dict[str, Any]]:
    """Break both stores at the same time, and return the figures of each."""
    with ExitStack() as stack:
        async with asyncio.TaskGroup() as group:
            running = {}
            for number, store in enumerate(STORES):
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                postgres = stack.enter_context(cluster(folder)) if store == "postgresql" else None
                machine = Machine(folder, postgres, random.Random(f"{seed}.{store}"))
                running[store] = group.create_task(run(machine, (kills + number) // len(STORES)))
        return {store: task.result() for store, task in running.items()}


def main() -> None:
    """Break the server, and print what it has kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="number of kills, half of them on each store")
    parser.add_argument("--seed", default="1", help="the seed of the faults and of the moves")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.kills < len(STORES):
        parser.error("there is at least one kill for each store")
    stores = asyncio.run(run_all(given.kills, given.seed))
    figures = {name: sum(each[name] for each in stores.values()) for name in ("kills", "acknowledged", *MUST_BE_0)}
    if given.json:
        print(json.dumps({**figures, "stores": stores}))
    else:
        print("\n".join(f"{name} {each}" for name, each in {**figures, **stores}.items()))
    if wrong := [name for name in MUST_BE_0 if figures[name]]:
        raise SystemExit(f"these must be 0: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
