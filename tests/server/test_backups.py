"""Backups hold all of a database, and are restored wholly or not at all, between SQLite and PostgreSQL too."""

import os
import random
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import func, insert, inspect, select, text

from quintain.engine.errors import QuintainError
from quintain.server.store import backups
from quintain.server.store.addresses import is_shared, read_address, sync_engine
from quintain.server.store.backups import BadBackup, Contents, back_up, contents_of, restore
from quintain.server.store.schema import LogRow, PlayerRow
from quintain.server.store.upgrades import prepare
from server.guests import PROGRAM, Serving, wait_until


@contextmanager
def opened(url):
    engine = sync_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


@pytest.fixture
def empty(request, tmp_path):
    """An empty database of the kind that a test asks for."""
    if request.param == "sqlite":
        prepare(tmp_path / "restored.sqlite")
        return tmp_path / "restored.sqlite"
    url = request.getfixturevalue("postgres").new_database()
    prepare(url)
    return url


both = pytest.mark.parametrize("empty", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def played(tmp_path, goofspiel):
    """A database on which Ann and Bo have played."""
    folder = tmp_path / "played"
    folder.mkdir()
    with Serving(folder) as serving:
        play(serving)
    return folder / "server.sqlite"


def play(serving, moves=6):
    ann, bo = serving.guest("Ann"), serving.guest("Bo Ärmel")
    table = ann.make("kings-court", "me", "open", options={"garnets": [3, 1]})
    bo.sit(table, 1)
    chance = random.Random(1)
    for _ in range(moves):
        assert ann.move_at_random(table, chance) or bo.move_at_random(table, chance)
    return ann, table


def rows(url):
    """Return all rows of a database; the house's generation and the health check aside."""
    with opened(url) as connection:
        return {table.name: rows_of(connection, table) for table in backups.KEPT if table.name != "health"}


def rows_of(connection, table):
    columns = [column for column in table.columns if column.name != "generation"]
    return sorted((tuple(row) for row in connection.execute(select(*columns))), key=repr)


def add_player(url, number, id_):
    with opened(url) as connection:
        connection.execute(insert(PlayerRow).values(number=number, id=id_, name=id_, made=0.0, named=0.0))


@both
def test_a_backup_brings_all_rows_back_into_another_database(played, empty, tmp_path):
    before = rows(played)
    assert before["entries"] and before["seats"] and before["house"] and before["players"]
    assert back_up(played, tmp_path / "b") == Contents(tables=1, players=2)
    restore(tmp_path / "b", empty)
    add_player(empty, 77, "somebody who was there before")
    assert restore(tmp_path / "b", empty) == Contents(tables=1, players=2)
    assert rows(empty) == before


@both
def test_a_house_moves_to_another_database_and_back(played, empty, tmp_path):
    back_up(played, tmp_path / "there")
    restore(tmp_path / "there", empty)
    back_up(empty, tmp_path / "back")
    assert rows(tmp_path / "back") == rows(played)


@both
def test_the_next_player_gets_a_number_that_nobody_has(played, empty, tmp_path):
    add_player(played, 500, "Cid")
    back_up(played, tmp_path / "b")
    restore(tmp_path / "b", empty)
    with opened(empty) as connection:
        new = insert(PlayerRow).values(id="dora", name="Dora", made=0.0, named=0.0).returning(PlayerRow.number)
        assert connection.execute(new).scalar_one() == 501


def make_newer(url):
    """Change a database as a newer version might: another revision, a new table, and one that refers to ours."""
    with opened(url) as connection:
        for statement in (
            "CREATE TABLE riddles (id INTEGER PRIMARY KEY, player INTEGER REFERENCES players (number))",
            "INSERT INTO riddles (id, player) SELECT 1, min(number) FROM players",
            "ALTER TABLE players ADD COLUMN title VARCHAR",
            "UPDATE alembic_version SET version_num = '9999'",
        ):
            connection.execute(text(statement))


@both
def test_a_backup_is_restored_over_the_database_of_a_newer_version(played, empty, tmp_path):
    back_up(played, tmp_path / "b")
    restore(tmp_path / "b", empty)
    add_player(empty, 77, "somebody who came after the upgrade")
    make_newer(empty)
    with pytest.raises(QuintainError, match="made by a newer version of Quintain: install that version, or restore"):
        prepare(empty)
    with opened(empty) as connection:
        before = connection.scalar(select(func.max(backups.GENERATION.c.generation)))
    assert restore(tmp_path / "b", empty) == Contents(tables=1, players=2)
    assert rows(empty) == rows(played)
    with opened(empty) as connection:
        assert connection.scalar(select(func.max(backups.GENERATION.c.generation))) > before
        assert "riddles" not in inspect(connection).get_table_names()
    prepare(empty)
    back_up(empty, tmp_path / "again")
    assert rows(tmp_path / "again") == rows(played)


@both
def test_a_restore_over_a_newer_database_that_fails_half_way_changes_nothing(played, empty, tmp_path, monkeypatch):
    back_up(played, tmp_path / "b")
    restore(tmp_path / "b", empty)
    make_newer(empty)
    before = rows(empty)
    monkeypatch.setattr(backups, "_copy", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        restore(tmp_path / "b", empty)
    with opened(empty) as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
        assert connection.scalar(text("SELECT count(*) FROM riddles")) == 1
    assert rows(empty) == before


@both
def test_a_restore_that_fails_half_way_changes_nothing(played, empty, tmp_path, monkeypatch):
    back_up(played, tmp_path / "b")
    restore(tmp_path / "b", empty)
    add_player(empty, 77, "Eve")
    before = rows(empty)
    monkeypatch.setattr(backups, "CHUNK", 2)
    with closing(sqlite3.connect(tmp_path / "b")) as connection, connection:
        connection.execute("PRAGMA writable_schema = on")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'kind VARCHAR NOT NULL', 'kind VARCHAR')")
    with closing(sqlite3.connect(tmp_path / "b")) as connection, connection:
        connection.execute("UPDATE entries SET kind = NULL WHERE seq = 5")
    with pytest.raises(BadBackup, match=r"(?i)null"):
        restore(tmp_path / "b", empty)
    assert rows(empty) == before


@both
def test_readers_see_the_old_or_the_new_while_a_backup_is_restored(played, empty, tmp_path):
    back_up(played, tmp_path / "b")
    restore(tmp_path / "b", empty)
    number, seen, stopped = len(rows(empty)["entries"]), set(), threading.Event()

    def look():
        engine = sync_engine(empty)
        while not stopped.is_set():
            with engine.connect() as connection:
                seen.add(connection.scalar(select(func.count()).select_from(LogRow)))
        engine.dispose()

    if not is_shared(empty):
        with opened(empty) as connection:
            connection.execute(text("PRAGMA journal_mode = WAL"))
    looking = threading.Thread(target=look)
    looking.start()
    for _ in range(5):
        restore(tmp_path / "b", empty)
    stopped.set()
    looking.join()
    assert seen == {number}


@both
def test_a_backup_is_of_one_moment_while_others_write(played, empty, tmp_path, monkeypatch):
    """Each player comes with an entry; a backup that reads the one table later than the other would tell."""
    back_up(played, tmp_path / "b")
    restore(tmp_path / "b", empty)
    monkeypatch.setattr(backups, "CHUNK", 1)
    if not is_shared(empty):
        with opened(empty) as connection:
            connection.execute(text("PRAGMA journal_mode = WAL"))
    stopped = threading.Event()

    def write():
        engine, number = sync_engine(empty), 1000
        while not stopped.is_set():
            number += 1
            with engine.begin() as connection:
                player = {"number": number, "id": str(number), "name": "N", "made": 0.0, "named": 0.0}
                connection.execute(insert(PlayerRow), player)
                connection.execute(
                    insert(LogRow), {"table": "t", "seq": number, "seat": 0, "kind": "k", "text": "", "at": 0.0}
                )
        engine.dispose()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        wait_until(lambda: len(rows(empty)["players"]) > 10)
        for number in range(5):
            back_up(empty, tmp_path / f"b{number}")
            found = rows(tmp_path / f"b{number}")
            assert len(found["players"]) - 2 == sum(entry[0] == "t" for entry in found["entries"]) > 0
    finally:
        stopped.set()
        writing.join()


def test_games_go_on_while_a_server_is_backed_up(tmp_path, goofspiel):
    with Serving(tmp_path) as serving:
        ann, table = play(serving)
        url = tmp_path / "server.sqlite"
        assert back_up(url, tmp_path / "b") == Contents(1, 2)
        entries = len(rows(url)["entries"])
        assert ann.post(f"/tables/{table}/resign").status_code == 200
        back_up(url, tmp_path / "b", overwrite=True)
        assert len(rows(tmp_path / "b")["entries"]) > entries


def test_a_server_goes_on_from_a_backup_with_the_players_and_their_cookies(played, tmp_path, goofspiel):
    with Serving(tmp_path) as serving:
        ann, table = play(serving, moves=2)
        before = ann.view(table)
        back_up(tmp_path / "server.sqlite", tmp_path / "b")
        cookies = ann.http.cookies
    (tmp_path / "other").mkdir()
    restore(tmp_path / "b", tmp_path / "other" / "server.sqlite")
    with Serving(tmp_path / "other") as serving:
        again = serving.guest()
        again.http.cookies = cookies
        assert again.view(table)["view"] == before["view"]
        assert again.view(table)["menu"] == before["menu"]


@pytest.mark.both_stores(always=True)
def test_a_running_server_goes_on_from_a_backup_that_is_restored_below_it(start, tmp_path):
    chance = random.Random(2)
    with start() as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table = ann.make("kings-court", "me", "open")
        bo.sit(table, 1)
        database, before = serving.site.config.database, ann.view(table)
        with opened(database) as connection:
            generation = backups._generation(connection)
        back_up(database, tmp_path / "b")
        for _ in range(6):
            assert ann.move_at_random(table, chance) or bo.move_at_random(table, chance)
        assert ann.view(table)["view"] != before["view"]
        restore(tmp_path / "b", database)
        with opened(database) as connection:
            assert backups._generation(connection) > generation
        wait_until(lambda: all(ann.view(table)["view"] == before["view"] for _ in range(8)))
        for _ in range(6):
            wait_until(lambda: ann.move_at_random(table, chance) or bo.move_at_random(table, chance))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_the_owner_can_read_a_backup(played, tmp_path):
    back_up(played, tmp_path / "b")
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600


def test_a_backup_overwrites_a_file_only_if_you_say_so(played, tmp_path):
    (tmp_path / "b").write_text("my poems")
    with pytest.raises(BadBackup, match="exists already: name another file, or overwrite this one with --force"):
        back_up(played, tmp_path / "b")
    assert (tmp_path / "b").read_text() == "my poems"
    back_up(played, tmp_path / "b", overwrite=True)
    assert contents_of(tmp_path / "b") == Contents(1, 2)


def test_a_backup_does_not_overwrite_the_database_itself(played, tmp_path):
    (tmp_path / "link").symlink_to(str(played))
    for name in (str(played), tmp_path / "link"):
        with pytest.raises(BadBackup, match="is the database itself"):
            back_up(played, tmp_path / name, overwrite=True)
    assert contents_of(played) == Contents(1, 2)


def test_what_is_left_of_a_backup_that_fails_is_the_file_from_before(played, tmp_path, monkeypatch):
    (tmp_path / "b").write_text("yesterday's backup")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_copy", fail)
    with pytest.raises(BadBackup, match="b cannot be written: No space left on device"):
        back_up(played, tmp_path / "b", overwrite=True)
    assert (tmp_path / "b").read_text() == "yesterday's backup"
    assert {path.name for path in tmp_path.iterdir()} == {"b", "played"}


def test_a_full_disk_is_named_in_a_sentence(played, tmp_path):
    # Under such a limit Python would cut off the bytecode that it writes for modules, and leave it to all others.
    limited = (
        f"export PYTHONDONTWRITEBYTECODE=1; ulimit -f 40; exec {PROGRAM} backup {tmp_path / 'b'} --database {played!s}"
    )
    ended = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"quintain: the backup {tmp_path / 'b'} cannot be used: ")
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "b").exists()


def torn(path):
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 4096 * 4)


def run_sql(statement):
    def do(path):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return do


BROKEN = {
    "no file": (lambda path: path.unlink(), "there is no backup"),
    "poems": (lambda path: path.write_text("poems " * 2000), "is no backup: file is not a database"),
    "cut off": (lambda path: os.truncate(path, 4096 * 5), "malformed"),
    "torn": (torn, ""),
    "another program's": (run_sql("DROP TABLE alembic_version"), "was not made by Quintain"),
    "a newer version's": (run_sql("UPDATE alembic_version SET version_num = '9999'"), "by a newer version of Quintain"),
    "without players": (run_sql("DROP TABLE players"), "its table 'players' is missing"),
    "without its key": (run_sql("DELETE FROM keys"), "the key that signs its players' cookies is lost"),
}


@pytest.mark.parametrize("damage", BROKEN)
def test_a_file_that_is_no_whole_backup_is_named_and_changes_nothing(played, tmp_path, damage):
    file, before = tmp_path / "b", rows(played)
    back_up(played, file)
    spoil, said = BROKEN[damage]
    spoil(file)
    with pytest.raises(BadBackup) as told:
        restore(file, played)
    assert str(file) in str(told.value) and said in str(told.value)
    assert "\n" not in str(told.value)
    assert rows(played) == before


def test_a_backup_from_before_the_first_release_is_refused_and_changes_nothing(played, tmp_path):
    back_up(played, tmp_path / "b")
    with opened(tmp_path / "b") as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0013'"))
    new = tmp_path / "new.sqlite"
    with pytest.raises(BadBackup, match="from before the first release"):
        restore(tmp_path / "b", new)
    assert not new.exists()


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path):
    url = read_address("postgresql+psycopg://ann:secret@127.0.0.1:1/games")
    with pytest.raises(BadBackup) as told:
        back_up(url, tmp_path / "b")
    assert "127.0.0.1" in str(told.value) and "secret" not in str(told.value) and "\n" not in str(told.value)


@pytest.fixture
def ask(quintain):
    """Return a function that runs a command in this process, and answers what it asks."""

    def run(*words, answer=""):
        return quintain(*words, typed=answer)

    return run


def test_the_commands_ask_before_tables_are_lost(played, tmp_path, ask):
    file, there = str(tmp_path / "b"), ("--database", str(played))
    made = ask("backup", file, *there)
    assert made.status == 0 and "1 table and 2 players" in made.out
    add_player(played, 77, "Eve")
    missing = ask("restore", f"{file}.old", *there, answer="y\n")
    assert (missing.status, missing.out) == (2, "") and f"there is no backup {file}.old" in missing.err
    refused = ask("restore", file, *there, answer="n\n")
    assert refused.status == 1 and "The database holds 1 table and 3 players. Replace them all?" in refused.out
    assert contents_of(played).players == 3
    assert ask("restore", file, *there, answer="y\n").status == 0
    assert contents_of(played).players == 2
    assert ask("restore", file, *there, "--yes").out == "The database now holds 1 table and 2 players.\n"


def test_a_folder_is_no_file_for_a_backup(played, tmp_path):
    with pytest.raises(BadBackup, match="is a folder: name a file for the backup"):
        back_up(played, tmp_path, overwrite=True)
