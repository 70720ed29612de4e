"""The processes that share a database: which are alive, which cares for a table, and who is present.

Here they are objects of this process, with a `Peers` each; `test_processes.py` has real ones.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from quintain.server.beside.workers import Workers
from quintain.server.model.making import ME, OPEN
from quintain.server.run.hearing import Hearing
from quintain.server.store import peers as peers_module
from quintain.server.store.notifications import listen
from quintain.server.store.peers import Peers
from quintain.server.store.store import Store
from quintain.server.tables import acts
from quintain.server.tables.lobby import Lobby
from quintain.server.tables.memory import Tables
from server.guests import PATIENCE
from server.stores import Pair, rows

BRIEFLY = 2.0
"""Seconds after which a process counts as dead that does not beat; a busy machine must do the rest in that time."""


@pytest.fixture
def shared(postgres, new_database):
    """A new PostgreSQL database."""
    database = new_database()
    yield database
    postgres.drop(database)


class Process:
    """What a serving process does about tables, without HTTP; `beats` and `hears` can be left out."""

    def __init__(self, store: Store):
        self.store, self.shown = store, []
        self.peers = Peers(store)
        self.tables = Tables(store, Workers(1), self.shown.append, lambda _: None, 0.0, peers=self.peers)
        self.hearing = Hearing(store, self.tables, Lobby(lambda _: None), None, self.peers)

    def copy(self, table):
        """Return the copy of a table that this process has in memory, if it has one."""
        return next((copy for copy in self.tables.in_memory() if copy.id == table.id), None)

    async def listen(self):
        await listen(self.store.engine.url, self.hearing.hear, self.hearing.missed)


@asynccontextmanager
async def processes(database, number=2, listening=True):
    """Start processes that have joined; they beat when a test says so, and hear each other if they listen."""
    stores = [Store.open(database) for _ in range(number)]
    started = [Process(await store.__aenter__()) for store in stores]
    tasks = [asyncio.create_task(each.listen()) for each in started if listening]
    try:
        for each in started:
            await each.peers.beat()
        yield started
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for each, store in zip(started, stores, strict=True):
            await each.hearing.stop()
            await each.tables.stop()
            await store.__aexit__(None, None, None)


async def until(holds):
    for _ in range(PATIENCE * 20):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it does not come about")


async def table_of_two(process, *seats):
    for player in ("ann", "bo"):
        await process.store.name_player(player, player.capitalize())
    return await acts.add(process.tables, "ann", "kings-court", [ME, *(seats or [OPEN])], {})


def leases(database):
    return dict(rows(database, 'SELECT "table", process FROM leases'))


def test_two_processes_never_hold_one_lease(shared):
    async def play():
        async with processes(shared, 3, listening=False) as started:
            for number in range(20):
                taken = await asyncio.gather(*(each.peers.take(f"t{number}") for each in started))
                assert taken.count(True) == 1
                assert [f"t{number}" in each.peers.held for each in started] == taken
            assert len(leases(shared)) == 20

    asyncio.run(play())


def test_a_lease_that_a_process_took_without_knowing_it_is_its_own(shared):
    """The task that took it may have been cancelled before the answer came."""

    async def play():
        async with processes(shared, listening=False) as (one, other):
            assert await one.peers.take("t")
            one.peers.held.clear()
            assert await one.peers.take("t") and not await other.peers.take("t")
            table = await table_of_two(one, "random")
            await until(lambda: table.id in leases(shared))
            assert leases(shared)[table.id] == one.peers.id
            one.peers.held.clear()
            assert await one.peers.claim(0.0) == [table.id] and await other.peers.claim(0.0) == []

    asyncio.run(play())


def test_the_tables_of_a_process_that_beats_no_more_go_to_another(shared, monkeypatch):
    async def play():
        async with processes(shared) as (dead, other):
            table = await table_of_two(dead, "random")
            await until(lambda: leases(shared).get(table.id) == dead.peers.id)
            monkeypatch.setattr(peers_module, "ALIVE", BRIEFLY)
            await dead.peers.beat()
            await dead.tables.stewards.stop()
            await asyncio.sleep(BRIEFLY + 0.1)
            await other.peers.beat()
            await until(lambda: leases(shared).get(table.id) == other.peers.id)
            await until(lambda: other.copy(table))
            there = other.copy(table)
            await until(lambda: 1 in {entry.seat for entry in there.table.match.moves_made})

    asyncio.run(play())


def test_a_process_that_was_only_paused_gives_up_what_others_have_taken_and_does_no_harm(shared, monkeypatch):
    async def play():
        async with processes(shared) as (paused, other):
            table = await table_of_two(paused, "random")
            await until(lambda: leases(shared).get(table.id) == paused.peers.id)
            monkeypatch.setattr(peers_module, "ALIVE", BRIEFLY)
            await paused.peers.beat()
            paused.peers.enter(table.id, "ann")
            await paused.peers._save()
            await asyncio.sleep(BRIEFLY + 0.1)
            await other.peers.beat()
            await until(lambda: leases(shared).get(table.id) == other.peers.id)
            assert rows(shared, "SELECT process FROM presence") == []
            assert not await paused.peers.take("another table"), "the others think that it is dead"
            await paused.peers.beat()
            await paused.peers._save()
            assert rows(shared, "SELECT process FROM presence") == [(paused.peers.id,)], "its visitors are there again"
            await until(lambda: table.id in paused.peers.foreign)
            assert table.id not in paused.peers.held and leases(shared)[table.id] == other.peers.id

    asyncio.run(play())


def test_more_tables_than_a_process_claims_at_once_all_go_on(shared, monkeypatch):
    monkeypatch.setattr(peers_module, "CLAIMED", 2)

    async def play():
        async with processes(shared, 1, listening=False) as (one,):
            await one.tables.stewards.stop()
            made = {(await table_of_two(one, "random")).id for _ in range(5)}
        async with processes(shared, 1, listening=False) as (one,):
            await one.tables.resume()
            assert {table.id for table in one.tables.in_memory()} == made == one.peers.held

    asyncio.run(play())


def test_a_table_that_could_not_be_opened_is_tried_again(shared, monkeypatch):
    async def play():
        async with processes(shared, 1, listening=False) as (one,):
            await one.tables.stewards.stop()
            table = await table_of_two(one, "random")
        async with processes(shared, 1, listening=False) as (one,):

            async def fail(*_):
                raise OperationalError("SELECT", None, OSError("the network is gone"))

            with monkeypatch.context() as patched:
                patched.setattr(one.store, "entries", fail)
                await one.tables.resume()
            assert not one.tables.in_memory()
            await one.tables.resume()
            assert [copy.id for copy in one.tables.in_memory()] == [table.id]

    asyncio.run(play())


def test_what_was_written_while_a_process_heard_nothing_is_caught_up(shared, postgres):
    async def play():
        async with processes(shared) as (one, other):
            table = await table_of_two(one)
            await acts.sit_down(one.tables, table, 1, "bo")
            there = await other.tables.get(table.id)
            postgres.cut_connections(shared)
            await retried(lambda: acts.move(one.tables, table, "ann", table.table.match.decision(0), first_move(table)))
            await until(lambda: there.table.seq == table.table.seq)
            assert there.table.match.moves_made == table.table.match.moves_made and other.shown

    asyncio.run(play())


async def retried(do):
    """Do something again if the connection was cut; the first attempt notices."""
    try:
        await do()
    except DBAPIError:
        await do()


def first_move(table):
    return table.table.match.moves(0)[0].action


def test_a_notification_is_dealt_with_once_the_database_answers_again(shared, monkeypatch):
    async def play():
        async with processes(shared) as (one, other):
            table = await table_of_two(one)
            there, failed = await other.tables.get(table.id), asyncio.Event()

            async def fail(*_):
                failed.set()
                raise OperationalError("SELECT", None, OSError("the network is gone"))

            with monkeypatch.context() as patched:
                patched.setattr(other.store, "new_entries", fail)
                await acts.sit_down(one.tables, table, 1, "bo")
                async with asyncio.timeout(PATIENCE):
                    await failed.wait()
                assert there.table.seq < table.table.seq
            await until(lambda: there.table.seq == table.table.seq)

    asyncio.run(play())


def test_who_comes_while_another_process_opens_the_table_is_present_there(shared, monkeypatch):
    async def play():
        async with processes(shared) as (one, other):
            table = await table_of_two(one)
            asked, go_on, elsewhere = asyncio.Event(), asyncio.Event(), other.peers.elsewhere

            async def slowly(id_):
                found = await elsewhere(id_)
                asked.set()
                await go_on.wait()
                return found

            monkeypatch.setattr(other.peers, "elsewhere", slowly)
            opening = asyncio.create_task(other.tables.get(table.id))
            await asked.wait()
            monkeypatch.undo()
            one.peers.enter(table.id, "ann")
            await one.peers._save()
            await asyncio.sleep(0.3)
            go_on.set()
            there = await opening
            await until(lambda: there.elsewhere == {"ann"})
            one.peers.leave(table.id, "ann")
            await one.peers._save()
            await until(lambda: there.elsewhere == set())

    asyncio.run(play())


def test_entries_that_come_while_a_process_opens_the_table_are_not_lost(shared, monkeypatch):
    async def play():
        async with processes(shared) as (one, other):
            table = await table_of_two(one)
            asked, go_on, persons = asyncio.Event(), asyncio.Event(), other.store.persons

            async def slowly(numbers):
                asked.set()
                await go_on.wait()
                return await persons(numbers)

            monkeypatch.setattr(other.store, "persons", slowly)
            opening = asyncio.create_task(other.tables.get(table.id))
            await asked.wait()
            monkeypatch.undo()
            await acts.sit_down(one.tables, table, 1, "bo")
            await asyncio.sleep(0.3)
            go_on.set()
            there = await opening
            await until(lambda: there.table.seq == table.table.seq and there.table.seats[1].name == "Bo")

    asyncio.run(play())


def test_pages_at_one_server_show_at_once_what_is_done_at_another(shared):
    """Nobody asks the server of these pages for anything meanwhile."""
    with Pair(shared) as pair:
        ann, bo = (serving.guest(name) for serving, name in zip(pair.each, ("Ann", "Bo"), strict=True))

        def shown(socket, words):
            while words not in socket.recv(timeout=PATIENCE):
                pass

        with bo.listening() as lobby:
            table = ann.make("kings-court", "me", "open")
            shown(lobby, table)
        with ann.watching(table) as hers:
            bo.sit(table, 1)
            shown(hers, ">Bo<")
        with bo.watching(table) as his:
            his.recv(timeout=PATIENCE)
            seen = ann.view(table)
            assert ann.move(table, seen["menu"][0]["action"], seen["table"]["decision"]).status_code == 200
            shown(his, "Ann puts a counter")
            assert ann.post("/name", name="Zenobia").status_code == 200
            shown(his, "Zenobia puts a counter")


def test_a_table_that_left_memory_is_cared_for_though_nobody_told_of_its_new_entries(shared):
    async def play():
        async with processes(shared, listening=False) as (one, other):
            table = await table_of_two(one)
            await acts.sit_down(one.tables, table, 1, "bo")
            await until(lambda: table.id in one.peers.held)
            one.tables._forget(table.id)
            there = await other.tables.get(table.id)
            await one.tables.catch_up_with_all()
            assert one.copy(table) is None, "nothing has happened there"
            await acts.move(other.tables, there, "ann", there.table.match.decision(0), first_move(there))
            await one.tables.catch_up_with_all()
            assert one.copy(table).table.seq == there.table.seq

    asyncio.run(play())
