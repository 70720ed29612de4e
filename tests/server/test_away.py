"""A process that shares a database makes up for what it could not do while the database was away."""

import asyncio

from postgres import cluster
from sqlalchemy.exc import DBAPIError

from quintain.engine.registry import game
from quintain.server import hearing
from quintain.server.entries import Sitter
from quintain.server.peers import Peers
from quintain.server.store import Store
from quintain.server.tables import Tables, new_table
from quintain.server.workers import Workers

AWAY = DBAPIError("SELECT", None, OSError("the database is away"))


class Alone:
    """A process that has no others beside it."""

    id = "alone"

    def __init__(self):
        self.tables, self.held, self.foreign = [], set(), set()

    async def claim(self, _):
        claimed = [table for table in self.tables if table not in self.held]
        self.held.update(claimed)
        return claimed

    async def take(self, table):
        self.held.add(table)
        return True

    async def release(self, table):
        self.held.discard(table)

    async def elsewhere(self, _):
        return set()


def nothing(*_):
    """Show nothing, and tell nobody."""


def test_a_table_that_could_not_be_read_is_resumed_later(tmp_path, monkeypatch):
    async def resumed_twice():
        async with Store.open(tmp_path / "server.sqlite") as store:
            peers = Alone()
            tables = Tables(store, Workers(1), nothing, nothing, peers=peers)
            goofspiel, bots = game("goofspiel"), [Sitter(bot="greedy"), Sitter(bot="greedy")]
            made = new_table(goofspiel, goofspiel.read_options(2, {}), "none", "slow", False, bots)
            entries, folded = tables.first_entries(made)
            await store.add(entries, [folded])
            peers.tables, read = [folded.row.id], store.entries
            monkeypatch.setattr(store, "entries", failing)
            await tables.resume()
            monkeypatch.setattr(store, "entries", read)
            before = tables.concerns(folded.row.id)
            await tables.resume()
            after = tables.concerns(folded.row.id)
            await tables.stop()
            return before, after

    async def failing(_):
        raise AWAY

    assert asyncio.run(resumed_twice()) == (False, True)


class Deaf:
    """Tables that cannot see new entries at first."""

    def __init__(self):
        self.seen = []

    def concerns(self, _):
        return True

    async def see_entries(self, table, seq):
        self.seen.append((table, seq))
        if len(self.seen) == 1:
            raise AWAY


def test_a_notification_is_dealt_with_again_if_the_database_does_not_answer(monkeypatch):
    monkeypatch.setattr(hearing, "RETRY", 0.01)

    async def heard():
        tables = Deaf()
        heard = hearing.Hearing(tables, None, Alone())
        heard.hear("entries", "t 7")
        await asyncio.sleep(0.2)
        return tables.seen

    assert asyncio.run(heard()) == [("t", 7), ("t", 7)]


def test_a_lease_is_ones_own_though_the_answer_to_it_was_lost(tmp_path):
    async def asked(database):
        async with Store.open(database) as store:
            one, two = Peers(store), Peers(store)
            await one.beat()
            await two.beat()
            taken = [await one.take("t"), await two.take("t")]
            one.held.clear()  # as if the database had failed before it answered
            return [*taken, await one.take("t"), await two.take("t")]

    with cluster(tmp_path) as postgres:
        assert asyncio.run(asked(postgres.new_database())) == [True, False, True, False]
