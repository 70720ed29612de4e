"""`quintain serve` as a process: it prints its address, stops gracefully, and explains errors in one line."""

import asyncio
import html
import json
import os
import signal
import socket
import sqlite3
import subprocess
from contextlib import closing, suppress

import httpx
import pytest
from typer.main import get_command
from websockets.exceptions import ConnectionClosed

from quintain.cli import app
from quintain.engine.errors import QuintainError
from quintain.server.http.site import Config
from quintain.server.run.start import run
from quintain.server.store.store import Store
from quintain.server.store.upgrades import prepare
from server.guests import PATIENCE, PROGRAM, Guest, free_port, wait_until


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts the command; processes that still run after the test are killed."""
    started = []

    def start(*arguments, **settings):
        command = [PROGRAM, "serve", *arguments]
        settings = {"QUINTAIN_HOST": "127.0.0.1", "QUINTAIN_DATABASE": str(tmp_path / "server.sqlite"), **settings}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        started.append(subprocess.Popen(command, env={**os.environ, **settings}, **pipes))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def answers(url):
    with suppress(httpx.TransportError):
        return httpx.get(f"{url}/health").json() == {"status": "ok"}
    return False


def test_it_says_where_it_is_and_stops_gracefully_with_people_at_a_table(serve):
    port = free_port()
    process, url = serve("--port", str(port)), f"http://127.0.0.1:{port}"
    wait_until(lambda: answers(url))
    ann = Guest(url, "Ann")
    table = ann.make("kings-court", "me", "open")
    with ann.watching(table) as socket:
        socket.recv(timeout=PATIENCE)
        process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd.code == 1012, "the browser comes back when the server does"
    ann.http.close()
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert out.startswith(f"Quintain is at {url}\n")
    events = [json.loads(line) for line in err.splitlines()]
    assert {"event": "table made", "table": table, "game": "kings-court"}.items() <= next(
        event.items() for event in events if event["event"] == "table made"
    )
    assert not [event for event in events if event["level"] in ("warning", "error")]


def test_every_flag_can_be_set_in_the_environment():
    flags = get_command(app).commands["serve"].params
    assert {flag.name: flag.envvar for flag in flags} == {
        **{flag.name: f"QUINTAIN_{flag.opts[0].removeprefix('--').replace('-', '_').upper()}" for flag in flags},
    }


def test_settings_from_the_environment_hold_unless_a_flag_says_otherwise(serve):
    port, wrong = free_port(), free_port()
    settings = {"QUINTAIN_PORT": str(wrong), "QUINTAIN_METRICS_TOKEN": "sesame", "QUINTAIN_LOG_LEVEL": "error"}
    process, url = serve("--port", str(port), **settings), f"http://127.0.0.1:{port}"
    wait_until(lambda: answers(url))
    headers = {"x-forwarded-for": "192.0.2.7", "authorization": "Bearer sesame"}
    assert httpx.get(f"{url}/metrics", headers=headers).status_code == 200
    process.terminate()
    assert process.communicate(timeout=PATIENCE)[1] == "", "the level of the log is `error`"


@pytest.mark.long_for("127.0.0.0/8-https")  # the single address and the foreign one prove both sides
@pytest.mark.parametrize(("proxy", "scheme"), [("127.0.0.1", "https"), ("127.0.0.0/8", "https"), ("192.0.2.1", "http")])
def test_only_the_proxies_that_are_named_may_say_for_whom_they_ask(serve, proxy, scheme):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    serve("--port", str(port), "--proxy", proxy)
    wait_until(lambda: answers(url))
    ann = Guest(url, "Ann")
    table = ann.make("kings-court", "me", "open")
    page = ann.get(f"/tables/{table}", headers={"accept": "text/html", "x-forwarded-proto": "https"}).text
    ann.http.close()
    assert f"{scheme}://127.0.0.1:{port}/tables/{table}" in html.unescape(page)


def test_a_proxy_that_is_no_address_is_named_in_a_sentence(serve):
    process = serve("--proxy", "my proxy,127.0.0.1")
    assert process.wait(PATIENCE) == 2
    assert process.communicate()[1] == (
        "quintain: there is no address or network 'my proxy': write --proxy 192.0.2.7,10.0.0.0/8\n"
    )


def test_a_taken_port_is_an_error_in_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(QuintainError) as said:
        run("127.0.0.1", taken.getsockname()[1], Config(tmp_path / "server.sqlite"), log_level="error")
    assert str(said.value).endswith("Address already in use; try another --port")
    with pytest.raises(QuintainError, match="Cannot assign requested address; try another --host"):
        run("192.0.2.77", 8000, Config(tmp_path / "server.sqlite"), log_level="error")


@pytest.mark.parametrize("broken", ["a folder", "no database", "not to be made"])
def test_an_unusable_database_is_an_error_in_one_line(tmp_path, broken):
    text = tmp_path / "text"
    path = {"a folder": tmp_path, "no database": text, "not to be made": text / "a.sqlite"}[broken]
    (tmp_path / "text").write_text("These are the games of Ann and Bo. " * 100)
    with pytest.raises(QuintainError) as told:
        prepare(path)
    assert str(told.value).startswith(f"the database {path} cannot be used: ")
    assert "\n" not in str(told.value)
    assert (tmp_path / "text").read_text().startswith("These are the games")


def test_the_database_of_another_program_is_refused_and_stays_as_it_is(tmp_path):
    path = tmp_path / "songs.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(QuintainError, match="is another program's: it has the table 'songs'; name another database"):
        prepare(path)
    assert path.read_bytes() == before and path.stat().st_mode & 0o777 == 0o644


def tear(path):
    """Write over pages in the middle of a database."""
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 4096 * 4)


def change(statement):
    def do(path):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return do


DAMAGES = {
    "torn": (tear, ""),
    "no house": (change("drop table house"), "its table 'house' is missing"),
    "no column": (change("alter table seats drop column moved"), "its table 'seats' has no column 'moved'"),
    "no key": (change("delete from keys"), "the key that signs its players' cookies is lost"),
    "an empty key": (change("update keys set secret = ''"), "the key that signs its players' cookies is lost"),
    "a key of bytes": (change("update keys set secret = x'ff00'"), "the key that signs its players' cookies is lost"),
    "a changed key": (
        change(f"update keys set secret = '{'0' * 64}' where kind = 'records'"),
        "the key that signs its records is damaged",
    ),
    "no version": (change("delete from alembic_version"), "already exists"),
}


def damaged(path, damage):
    """Make a database on which somebody has played, and damage it."""

    async def play():
        async with Store.open(path) as store:
            await store.name_player("ann", "Ann")

    asyncio.run(play())
    DAMAGES[damage][0](path)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_of_a_database_is_named_with_what_to_do(tmp_path, damage):
    path = tmp_path / "server.sqlite"
    damaged(path, damage)
    with pytest.raises(QuintainError) as raised:
        prepare(path)
    assert str(raised.value).startswith(f"the database {path} ")
    assert DAMAGES[damage][1] in str(raised.value)
    assert str(raised.value).endswith(
        "put a copy from an earlier day in its place, or name another file with --database"
    )


def test_a_server_does_not_start_on_a_damaged_database(tmp_path):
    path = tmp_path / "server.sqlite"
    damaged(path, "no house")
    command = [PROGRAM, "serve", "--port", str(free_port()), "--database", path, "--log-level", "error"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"quintain: the database {path} is damaged: its table 'house' is missing; ")
    assert ended.stderr.count("\n") == 1
