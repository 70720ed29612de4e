"""The database: migrations, and what one connection sets up."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from quintain.server.model.entries import LogEntry
from quintain.server.store import keys
from quintain.server.store.schema import Base
from quintain.server.store.store import Store
from quintain.server.store.upgrades import migrate, prepare


def in_store(path, do):
    async def run():
        async with Store.open(path) as store:
            return await do(store)

    return asyncio.run(run())


@pytest.mark.both_stores(always=True)
def test_the_migrations_make_what_the_models_say(database):
    async def differences(store):
        async with store.engine.connect() as connection:
            return await connection.run_sync(
                lambda synced: compare_metadata(MigrationContext.configure(synced), Base.metadata)
            )

    assert in_store(database, differences) == []


def test_a_database_that_is_up_to_date_stays_as_it_is(tmp_path):
    async def keys_and_name(store):
        return await keys.read(store), await store.player_name("ann")

    async def name(store):
        await store.name_player("ann", "Ann")
        async with store.engine.begin() as connection:
            await connection.run_sync(migrate)
        return await keys.read(store)

    made = in_store(tmp_path / "deep" / "server.sqlite", name)
    assert in_store(tmp_path / "deep" / "server.sqlite", keys_and_name) == (made, "Ann")


def test_what_is_committed_is_on_disk_and_readers_do_not_wait(tmp_path):
    async def pragmas(store):
        async with store.engine.connect() as connection:
            return [
                await connection.scalar(text(f"pragma {name}"))
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]

    assert in_store(tmp_path / "server.sqlite", pragmas) == ["wal", 2, 1]


@pytest.mark.both_stores(always=True)
def test_a_place_in_the_log_is_taken_once(database):
    async def race(store):
        entries = [LogEntry(table="t", seq=1, seat=seat, kind="moved", text=str(seat), at=0.0) for seat in range(20)]
        return await asyncio.gather(*(store.add([entry]) for entry in entries)), await store.entries("t")

    taken, log = in_store(database, race)
    assert taken.count(True) == 1
    assert [entry.seat for entry in log] == [taken.index(True)]


def test_a_first_start_that_is_cut_off_leaves_no_half_made_database(tmp_path, monkeypatch):
    path, upgrade = tmp_path / "server.sqlite", command.upgrade

    def cut_off(config, revision):
        upgrade(config, revision)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "upgrade", cut_off)
    with pytest.raises(KeyboardInterrupt):
        prepare(path)
    monkeypatch.undo()
    prepare(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
