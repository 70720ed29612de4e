"""On PostgreSQL the server asks for entries that other processes have written, also after its connection was cut."""

import asyncio

import pytest
from sqlalchemy.exc import DBAPIError

from quintain.server.model.entries import MOVED, LogEntry
from quintain.server.store.store import Store


def entry(seq):
    return LogEntry("t", seq, 0, MOVED, "bid 7", 0.0)


def test_new_entries_are_those_after_a_place(new_database):
    async def asked():
        database = new_database()
        async with Store.open(database) as one, Store.open(database) as two:
            assert await one.add([entry(1), entry(2), entry(3)])
            return await asyncio.gather(*(two.new_entries("t", after) for after in (0, 1, 2, 3)))

    assert [[each.seq for each in found] for found in asyncio.run(asked())] == [[1, 2, 3], [2, 3], [3], []]


def test_a_cut_connection_is_replaced_though_several_ask_at_once(postgres, new_database):
    async def asked():
        database = new_database()
        async with Store.open(database) as store:
            assert await store.add([entry(1)])
            await store.new_entries("t", 0)
            await asyncio.to_thread(postgres.cut_connections, database)
            return await asyncio.gather(*(store.new_entries("t", 0) for _ in range(8)))

    assert asyncio.run(asked()) == [[entry(1)]] * 8


def test_a_database_that_is_gone_is_an_error_of_the_database(postgres, new_database):
    async def asked():
        database = new_database()
        async with Store.open(database) as store:
            await asyncio.to_thread(postgres.drop, database)
            with pytest.raises(DBAPIError):
                await store.new_entries("t", 0)

    asyncio.run(asked())
