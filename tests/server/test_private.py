"""Only the owner can read the database, which holds every hand and the key that signs cookies."""

import asyncio
import os
import sqlite3
import stat
import sys
from contextlib import closing

import pytest

from quintain.engine.errors import QuintainError
from quintain.server.store.store import Store
from quintain.server.store.upgrades import prepare

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
WORLD = 0o022
"""The mask under which files that nobody restricts can be read by everybody."""


@pytest.fixture(autouse=True)
def anybody_may_read():
    before = os.umask(WORLD)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def modes_while_open(path):
    """Open a database, write to it, and return the modes of its files by name."""

    async def run():
        async with Store.open(path) as store:
            await store.name_player("ann", "Ann")
            return {found.name: mode(found) for found in path.parent.iterdir() if found.is_file()}

    return asyncio.run(run())


def test_a_new_database_and_its_folder_are_private(tmp_path):
    path = tmp_path / "deep" / "games" / "server.sqlite"
    assert modes_while_open(path) == {"server.sqlite": 0o600, "server.sqlite-wal": 0o600, "server.sqlite-shm": 0o600}
    assert mode(path.parent) == 0o700


def test_a_database_that_others_could_read_is_closed_to_them_with_what_lies_beside_it(tmp_path):
    path = tmp_path / "server.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma journal_mode=wal")
        connection.execute("create table notes (words)")
        names = ("server.sqlite", "server.sqlite-wal", "server.sqlite-shm")
        for name in names:
            (tmp_path / name).chmod(0o644)
        assert modes_while_open(path) == dict.fromkeys(names, 0o600)


def test_a_folder_that_the_player_names_keeps_its_mode(tmp_path):
    tmp_path.chmod(0o755)
    modes_while_open(tmp_path / "server.sqlite")
    assert mode(tmp_path) == 0o755


def test_a_file_that_is_no_database_keeps_its_mode(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, this is what you had better not name with --database.")
    path.chmod(0o644)
    with pytest.raises(QuintainError, match="file is not a database"):
        prepare(path)
    assert mode(path) == 0o644


def test_quintains_own_folder_is_closed_to_others(tmp_path, monkeypatch):
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path))
    (tmp_path / "data").mkdir(mode=0o755)
    modes_while_open(tmp_path / "data" / "server.sqlite")
    assert mode(tmp_path / "data") == 0o700


def test_at_no_moment_can_others_read_the_files(tmp_path):
    """SQLite is never the one that makes the file of the database: what it makes is open to others at first."""
    made = []

    def note(event, given):
        if event == "sqlite3.connect" and str(given[0]).startswith(str(tmp_path)):
            made.append(mode(tmp_path / "server.sqlite"))

    sys.addaudithook(note)
    modes_while_open(tmp_path / "server.sqlite")
    assert made and set(made) == {0o600}
