"""The attacks on the server. Each runs in a process that gives way to all others once the attack has begun.

    cd benchmarks; python -m parts.hostile.attacks ATTACK --port N [--seconds S] [--requests N] [--seed SEED]

It prints a line when the attack is ready and begins, and then its results as one JSON object. Every loop ends with the
time of the attack, and the connections end with the process. `hostile.py` starts these processes, one after another,
while an honest player plays (`honest.py`). Random requests come from `guesses.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import resource
import socket
from collections.abc import Callable, Coroutine, Mapping
from urllib.parse import urlencode

from parts.hostile.attackers import OPENING, SERVER, SOURCES, Field, Guest, begin_game, connect, head, move_of
from parts.hostile.guesses import random_requests

SILENT = 4100
"""Silent connections from one client: more than the server takes from everybody together."""
SLOW = 50
"""Connections that send their head a byte a second, and as many that send their body so."""
LOBBY_SOCKETS = 1000
DEAF_SOCKETS = 200
UNREAD = 4096
"""A socket that nobody reads buffers this many bytes."""
KNIGHTS_TABLES = 30
REPLAYS = 100
"""The attack asks for this many steps of a finished game at once."""
KEYS_BYTES = 350_000
ANALYSES, SHORT = 10, 30
"""Finished games that are analysed, and how many moves at most a player makes in each."""
STEPPERS = 3
"""Players who ask for steps."""
DEAR, OWN_TABLES = 3, 29
"""Players who load dear pages, and how many tables each of them has."""
MOST_MOVES = 300
"""Moves of that game."""


def remarks(size: int) -> str:
    """Return a text of nothing but remarks, of this many bytes."""
    line = f"# {'remark ' * 20}\n"
    return line * (size // len(line))


CARD_SETS: Mapping[str, str] = {
    "one long dotted key": f"{'a.' * 40_000}a = 1\n",
    "a table with a long dotted name": f"[{'a.' * 40_000}a]\n",
    "deep lists": f"a = {'[' * 40_000}{']' * 40_000}\n",
    "deep tables": f"a = {'{a = ' * 16_000}1{'}' * 16_000}\n",
    "many keys": "".join(f"a{number} = 1\n" for number in range(30_000)),
    "490 KB of remarks": remarks(490_000),
    "one long line": f'a = "{"x" * 400_000}"\n',
}
BROUGHT_ALONG = (("robin", "cards"), ("heirless", "tables"), ("round-table", "cards"), ("round-table", "decks"))
"""Games, and their options that take text."""
NAMES = (
    *("Ann", "ann", "ANN", "\u0410nn", "A\u0578n", "\uff21nn", "A\u0301nn", "Ann\u200b", "An\u00adn", "Ann\u202e"),
    *("Squire", "squire", "Squ\u0131re", "S\u0445uire", "Knight", "\u039anight", "Knight 2", "Random", "Greedy"),
    *("seat 1", "Seat\u00a01", "O'Neill", "O\u2019Neill", "\u06f1", "\ufdfa", "\U0001d400nn", "A" * 24, "\ud800", ""),
)
"""Names that look like one another or like a bot's, and some that are not allowed."""


async def card_sets(field: Field) -> None:
    """Make tables with card sets that are hard to read, as JSON and as forms."""
    guests = [await Guest.arrive(field, place) for place in range(len(SOURCES))]
    brought = zip(itertools.cycle(CARD_SETS.values()), itertools.cycle(BROUGHT_ALONG))
    field.begin()

    async def bring(place: int) -> None:
        guest, (text, (game, option)) = field.chance.choice(guests), next(brought)
        field.counts["card sets"] += 1
        if place % 2:
            fields = {"csrf": guest.csrf, "game": game, "seat.1": "open", f"option.{option}": text}
            await guest.ask("POST", "/tables", urlencode(fields).encode(), "application/x-www-form-urlencoded")
        else:
            given: object = [text] if option == "decks" else text
            await guest.post("/tables", game=game, seats=["me", "open"], options={option: given})

    await field.crowd(4, bring)


async def replays(field: Field) -> None:
    """Ask for the last step of a finished game, a hundred times at once, from all addresses."""
    table, players = await begin_game(field, "kings-court")
    for number in range(MOST_MOVES):
        if not (table and await players[number % 2].move(table, field.chance)):
            break
    if table:
        await players[0].post(f"/tables/{table}/resign")
    guests = [Guest(field, place) for place in range(len(SOURCES))]
    field.begin()

    async def look(place: int) -> None:
        field.counts["replays"] += 1
        await guests[place % len(guests)].ask("GET", f"/tables/{table}/replay?step=99999")

    await field.crowd(REPLAYS, look)


async def analyses(field: Field) -> None:
    """Have ten finished games analysed at once, each for a player of its own, and look at the pages meanwhile."""
    judged = []
    for place in range(ANALYSES):
        guest = await Guest.arrive(field, place)
        if table := await guest.make("kings-court", "me", "random", speed="fast"):
            judged.append((guest, table))
            for _ in range(SHORT):
                await guest.move(table, field.chance)
            await guest.post(f"/tables/{table}/resign")
    field.begin()
    for guest, table in judged:
        await guest.post(f"/tables/{table}/analysis")
        field.counts["analyses"] += 1

    async def look(place: int) -> None:
        guest, table = judged[place]
        await guest.ask("GET", f"/tables/{table}/analysis")
        await asyncio.sleep(0.5)

    await field.crowd(len(judged), look)


async def knights(field: Field) -> None:
    """Let Knights think at thirty tables of one player, and ask for hints at many tables of others."""
    lord = await Guest.arrive(field, 0)
    seats = ("me", "knight", "knight", "knight")
    tables = [await lord.make("heirless", *seats, speed="fast") for _ in range(KNIGHTS_TABLES)]
    tables = [table for table in tables if table]
    for table in tables[::2]:
        await lord.post(f"/tables/{table}/resign")
    guests = [await Guest.arrive(field, place) for place in range(1, 11)]
    courts = [[await guest.make("kings-court", "me", "knight", speed="fast") for _ in range(3)] for guest in guests]
    field.counts["tables"] = len(tables) + sum(bool(table) for own in courts for table in own)
    field.begin()

    async def press(place: int) -> None:
        guest, table = (lord, tables[place]) if place < len(tables) else hinted[place - len(tables)]
        seen = await guest.view(table)
        if seen.get("view") and seen["menu"]:
            field.counts["hints"] += 1
            await guest.post(f"/tables/{table}/hint")
            await guest.post(f"/tables/{table}/moves", **move_of(seen, field.chance))
        await asyncio.sleep(0.2)

    hinted = [(guest, table) for guest, own in zip(guests, courts, strict=True) for table in own if table]
    if tables or hinted:
        await field.crowd(len(tables) + len(hinted), press)


async def silence(field: Field) -> None:
    """Hold 4,100 connections of one client that say nothing, and some that say a byte a second."""
    loop = asyncio.get_running_loop()
    silent: list[socket.socket] = []

    async def hold(_: int) -> None:
        line = socket.socket()
        silent.append(line)
        line.setblocking(False)
        try:
            line.bind((SOURCES[0], 0))
            await loop.sock_connect(line, (SERVER, field.port))
        except OSError:
            field.counts["refused"] += 1

    field.begin(OPENING)
    await field.each(SILENT, 50, hold)
    field.begin()
    await asyncio.gather(*(trickle(field, place) for place in range(2 * SLOW)), asyncio.sleep(field.left))
    field.counts["connections"] = len(silent)
    field.counts["still open"] = sum(map(is_open, silent))
    for line in silent:
        line.close()


async def trickle(field: Field, place: int) -> None:
    """Send a head, or a body, a byte a second."""
    body = place % 2 == 1
    headers = {"host": SERVER, "content-type": "application/json", "content-length": "1000"}
    whole = head("POST", "/name", headers)
    try:
        _, writer = await connect(field.port, SOURCES[1])
        if body:
            writer.write(whole)
        for number in range(len(whole)):
            if not field.left:
                break
            writer.write(b" " if body else whole[number : number + 1])
            await writer.drain()
            field.counts["slow bytes"] += 1
            await asyncio.sleep(min(1.0, field.left))
        writer.close()
    except OSError:
        field.counts["slow ones refused"] += 1


def is_open(line: socket.socket) -> bool:
    """Tell whether the server has kept a connection open."""
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


async def lobby(field: Field) -> None:
    """Open 1,000 sockets of the lobby, from all addresses, and make tables that it shows."""
    guests = [await Guest.arrive(field, place) for place in range(len(SOURCES))]
    listening: list[asyncio.Task[None]] = []

    async def open_one(number: int) -> None:
        if opened := await guests[number % len(guests)].open_socket("/lobby/socket"):
            listening.append(asyncio.create_task(listen(opened[0])))

    async def listen(reader: asyncio.StreamReader) -> None:
        while taken := len(await reader.read(2**16)):
            field.counts["bytes of lobbies"] += taken

    async def make(place: int) -> None:
        if await guests[place].make("kings-court", "me", "open"):
            field.counts["tables"] += 1
        await asyncio.sleep(0.05)

    field.begin(OPENING)
    await field.each(LOBBY_SOCKETS, 50, open_one)
    field.begin()
    await field.crowd(len(guests), make)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)


async def names(field: Field) -> None:
    """Sit down at one table under names that look alike."""
    guests = [await Guest.arrive(field, place) for place in range(len(SOURCES))]
    field.begin()

    async def sit(place: int) -> None:
        host = guests[place]
        table = await host.make("heirless", "me", *["open"] * 4, "squire")
        for number in range(1, 7):
            guest = field.chance.choice(guests)
            await guest.post("/name", name=field.chance.choice(NAMES))
            await guest.post(f"/tables/{table}/seats/{number}", name=field.chance.choice(NAMES))
        await host.post(f"/tables/{table}/start")
        await host.view(table)
        field.counts["tables"] += bool(table)

    await field.crowd(5, sit)


async def deaf_sockets(field: Field) -> None:
    """Open sockets at a table that nobody reads, and change the table."""
    table, players = await begin_game(field, "kings-court")
    guests = [Guest(field, place) for place in range(len(SOURCES))]
    kept = []

    async def open_one(number: int) -> None:
        kept.append(await guests[number % len(guests)].open_socket(f"/tables/{table}/socket", UNREAD))

    async def change(place: int) -> None:
        if await players[place].move(table, field.chance):
            field.counts["changes"] += 1
        else:
            await asyncio.sleep(0.1)

    field.begin(OPENING)
    await field.each(DEAF_SOCKETS, 20, open_one)
    field.begin()
    await field.crowd(len(players), change)


def repeated_key(size: int) -> str:
    """Return a document of about this many bytes whose keys differ, but for the last one."""
    return "{" + "".join(f'"k{number}":0,' for number in range(size // 11)) + '"k0":1}'


async def repeated_keys(field: Field) -> None:
    """Bring in records in which one of very many keys appears twice."""
    guests = [await Guest.arrive(field, place) for place in range(len(SOURCES))]
    text = repeated_key(KEYS_BYTES)
    field.begin()

    async def bring(place: int) -> None:
        guest = guests[place]
        field.counts["records"] += 1
        body = urlencode({"csrf": guest.csrf, "record": text}).encode()
        await guest.ask("POST", "/games/import", body, "application/x-www-form-urlencoded")

    await field.crowd(4, bring)


async def steps(field: Field) -> None:
    """Ask for the steps since the last decision of players who resigned early from long games with many seats."""
    guests = [await Guest.arrive(field, place) for place in range(STEPPERS)]
    tables = []
    for guest in guests:
        tables.append(await guest.make("heirless", "me", *["random"] * 5, speed="fast"))
        await guest.post(f"/tables/{tables[-1]}/resign")
        await guest.post(f"/tables/{tables[-1]}/skip")
    await asyncio.sleep(1.0)  # so that the bots have played on
    field.begin()

    async def look(place: int) -> None:
        field.counts["steps"] += 1
        owner = place % STEPPERS
        await guests[owner].ask("GET", f"/tables/{tables[owner]}/steps?after=0")

    await field.crowd(30, look)


async def dear_pages(field: Field) -> None:
    """Load the dearest pages, many at once: a large table, the lobby of a player with many tables, searches."""
    guests = [await Guest.arrive(field, place) for place in range(DEAR)]
    for guest in guests:
        made = [await guest.make("heirless", "me", *["random"] * 5) for _ in range(OWN_TABLES)]
    paths = [f"/tables/{made[-1]}", "/", "/rules/heirless?search=e", "/cards/round-table?search=knight"]
    field.begin()

    async def load(place: int) -> None:
        field.counts["pages"] += 1
        await guests[place % DEAR].ask("GET", paths[place % len(paths)])

    await field.crowd(120, load)


async def calm(field: Field) -> None:
    """Do nothing, to show what the honest player sees without an attack."""
    field.begin()
    await asyncio.sleep(field.left)


ATTACKS: Mapping[str, Callable[[Field], Coroutine[None, None, None]]] = {
    "calm": calm,
    "card sets": card_sets,
    "replays": replays,
    "silence": silence,
    "lobby": lobby,
    "names": names,
    "deaf sockets": deaf_sockets,
    "repeated keys": repeated_keys,
    "steps": steps,
    "dear pages": dear_pages,
    "random": random_requests,
    "analyses": analyses,
    "knights": knights,
}
"""The attacks in their order. The last two are those whose bots go on thinking after the attack."""


def main() -> None:
    """Carry one attack out, and print its results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    field = Field(given.port, given.seconds, given.requests, given.seed)
    asyncio.run(ATTACKS[given.attack](field))
    print(json.dumps(field.found()))


if __name__ == "__main__":
    main()
