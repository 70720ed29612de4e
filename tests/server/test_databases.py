"""The databases that a server can use: which `--database` takes, what their connections set, and what they refuse."""

import asyncio
import subprocess

import psycopg
import pytest
from sqlalchemy import make_url, text

from quintain.engine.errors import BadOption, QuintainError
from quintain.server.model import entries as kinds
from quintain.server.model.entries import LogEntry
from quintain.server.slices import cancelled
from quintain.server.store import keys
from quintain.server.store.addresses import read_address
from quintain.server.store.store import Store
from quintain.server.store.upgrades import prepare
from server.guests import PATIENCE, PROGRAM, free_port, written
from server.stores import Pair, execute, rows

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"mysql://ann:{SECRET}@localhost/quintain", "no database of the kind 'mysql'"),
        (f"postgresql+asyncpg://ann:{SECRET}@localhost/quintain", "no database of the kind 'postgresql+asyncpg'"),
        (f"postgresql://ann:{SECRET}@localhost", "names no database"),
        (f"postgresql://ann:{SECRET}@localhost:port/quintain", "cannot be read"),
        (f"://{SECRET}", "cannot be read"),
    ],
)
def test_a_wrong_address_is_refused_in_one_line_that_says_what_would_be_right(address, words):
    with pytest.raises(BadOption) as raised:
        read_address(address)
    said = str(raised.value)
    assert words in said and "postgresql+psycopg://USER:PASSWORD@HOST/NAME" in said
    assert SECRET not in said and "\n" not in said


def test_a_query_is_done_to_its_end_if_its_asker_is_cancelled(tmp_path):
    async def cancel_soon() -> int:
        async with Store.open(tmp_path / "a.sqlite") as store:
            await store.do(text("CREATE TABLE done (number INTEGER)"))
            for number in range(20):
                asking = asyncio.create_task(store.do(text(f"INSERT INTO done VALUES ({number})")))
                await asyncio.sleep(0)
                await cancelled([asking])
                assert asking.cancelled()
            return (await store.rows(text("SELECT count(*) FROM done")))[0][0]

    assert asyncio.run(cancel_soon()) == 20


def test_the_usual_names_of_postgresql_mean_the_same(tmp_path):
    wanted = make_url("postgresql+psycopg://ann@localhost/quintain")
    for driver in ("postgres", "postgresql", "postgresql+psycopg"):
        assert read_address(f"{driver}://ann@localhost/quintain") == wanted
    assert read_address(str(tmp_path / "a.sqlite")) == tmp_path / "a.sqlite"


def test_a_database_that_cannot_be_reached_is_an_error_in_one_line_without_the_password(postgres, tmp_path):
    here = make_url(postgres.uri).set(drivername="postgresql+psycopg", password=SECRET)
    for wrong, words in (
        (here.set(database="nowhere"), "does not exist"),
        (here.set(query={"host": str(tmp_path)}), "is the server running"),
        (make_url(f"postgresql+psycopg://ann:{SECRET}@no.such.host.invalid/quintain"), "no.such.host.invalid"),
    ):
        with pytest.raises(QuintainError) as raised:
            prepare(wrong)
        said = str(raised.value)
        assert words in said.lower() and "see that PostgreSQL runs" in said
        assert SECRET not in said and "\n" not in said


def test_the_command_shows_no_password_either(postgres):
    wrong = make_url(postgres.uri).set(drivername="postgresql+psycopg", password=SECRET, database="nowhere")
    command = [PROGRAM, "serve", "--processes", "2", "--port", str(free_port()), "--database", written(wrong)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "nowhere" in done.stderr and SECRET not in done.stdout + done.stderr


def set_in(database, *asked):
    """Return settings of each connection that the store uses: for single statements, transactions and entries."""

    async def ask():
        async with Store.open(database) as store:
            found = []
            for engine in (store.engine, store.together):
                async with engine.connect() as connection:
                    found.append([(await connection.execute(text(each))).scalar() for each in asked])
            await store.add([LogEntry("t", 1, 0, kinds.MOVED, "x", 0.0)])
            driver = await store._log.driver()
            found.append([(await (await driver.execute(each)).fetchone())[0] for each in asked])
            return found

    return asyncio.run(ask())


def test_what_is_committed_is_on_disk_in_all_connections_to_sqlite(tmp_path):
    assert set_in(tmp_path / "server.sqlite", "PRAGMA synchronous", "PRAGMA journal_mode") == [[2, "wal"]] * 3


def test_what_is_committed_is_on_disk_in_all_connections_to_postgresql_whatever_the_database_says(postgres):
    database = postgres.new_database()
    with psycopg.connect(postgres.uri, autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{database.database}" SET synchronous_commit = off')
    assert rows(database.set(drivername="postgresql+psycopg"), "SHOW synchronous_commit") == [("on",)]
    assert set_in(database, "SHOW synchronous_commit") == [["on"]] * 3
    postgres.drop(database)


@pytest.mark.both_stores(always=True)
@pytest.mark.parametrize("name", ["a%00b", "%00", "%ff%fe", "x" * 41, "a%20b", "%27%3B--", "\N{SNOWMAN}", "..%2f"])
def test_the_id_of_no_table_is_not_found(serving, name):
    guest = serving.guest()
    for path in (f"/tables/{name}", f"/tables/{name}.json", f"/tables/{name}/previews", f"/tables/{name}/replay"):
        assert guest.get(path).status_code == 404


def test_several_that_start_at_once_on_an_empty_database_do_not_collide(postgres):
    database = postgres.new_database()

    async def known():
        async with Store.open(database) as store:
            return await keys.read(store)

    async def start():
        return await asyncio.gather(*(known() for _ in range(4)))

    first, *others = asyncio.run(start())
    assert [key.kind for key in first] == [keys.COOKIES, keys.RECORDS]
    assert others == [first] * 3
    postgres.drop(database)


@pytest.mark.both_stores(always=True)
def test_an_entry_after_a_gap_is_refused(database):
    def entry(seq, table="t"):
        return LogEntry(table, seq, 0, kinds.MOVED, "x", 0.0)

    async def write():
        async with Store.open(database) as store:
            assert await store.add([entry(1)])
            assert not await store.add([entry(3)]), "alone"
            assert not await store.add([entry(3), entry(4)]), "with others"
            assert not await store.add([entry(2), entry(4)]) and not await store.add([entry(2, "u")])
            assert await store.add([entry(2), entry(3)]) and await store.add([entry(4)])
            return [one.seq for one in await store.entries("t")], await store.entries("u")

    assert asyncio.run(write()) == ([1, 2, 3, 4], [])


def test_the_lists_are_made_anew_while_a_game_goes_on_in_two_processes(postgres):
    database = postgres.new_database()
    with Pair(database) as pair:
        ann, bo = pair.guest("Ann"), pair.guest("Bo")
        table = ann.make("kings-court", "me", "open")
        bo.sit(table, 1)
        execute(database, "UPDATE tables SET status = 'waiting'")
        execute(database, "DELETE FROM seats WHERE seat = 1")
        command = [PROGRAM, "tables", "rebuild", "--database", written(database)]
        rebuilding = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        moves = 0
        while rebuilding.poll() is None:
            for guest in (ann, bo):
                seen = guest.view(table)
                if seen["menu"]:
                    action, decision = seen["menu"][0]["action"], seen["table"]["decision"]
                    assert guest.move(table, action, decision).status_code == 200
                    moves += 1
        assert rebuilding.communicate(timeout=PATIENCE) == ("The lists of 1 table follow from their logs again.\n", "")
        assert moves
        assert rows(database, "SELECT status FROM tables") == [(ann.view(table)["table"]["status"],)]
        assert len(rows(database, "SELECT seat FROM seats WHERE number IS NOT NULL")) == 2
    postgres.drop(database)


def test_a_store_that_closes_waits_for_queries_that_still_run_and_leaves_no_connection_open(new_database, postgres):
    """A task that was cancelled a moment ago gives its connection back later: by then the pool closes none."""
    database = new_database()

    async def close_during_a_query():
        async with Store.open(database) as store:
            used = await store.engine.connect()
            driver = (await used.get_raw_connection()).driver_connection
            later = asyncio.create_task(asyncio.sleep(0.1))
            later.add_done_callback(lambda _: asyncio.ensure_future(used.close()))
        return driver

    assert asyncio.run(close_during_a_query()).closed
    postgres.drop(database)
