"""`/health` says whether the server can write to its database, not only read it."""

import resource
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import pytest

from server.guests import Guest, Serving, ServingProcess, wait_until


@pytest.fixture
def process(tmp_path, goofspiel, monkeypatch):
    # On a full disk Python would cut off the bytecode that it writes for modules, and leave it to all other processes.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    process = ServingProcess(tmp_path, goofspiel)
    yield process
    process.kill()


def health(url):
    return httpx.get(f"{url}/health", timeout=30)


def written(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("select written from health").fetchall()


def test_health_writes_a_row_of_its_own(tmp_path, goofspiel):
    with Serving(tmp_path) as serving:
        assert health(serving.url).json() == {"status": "ok"}
        (before,) = written(tmp_path / "server.sqlite")
        wait_until(
            lambda: health(serving.url).json() == {"status": "ok"} and written(tmp_path / "server.sqlite") != [before]
        )


def test_health_fails_soon_while_another_program_holds_the_database_and_then_recovers(tmp_path, goofspiel):
    with Serving(tmp_path) as serving, closing(sqlite3.connect(tmp_path / "server.sqlite")) as connection:
        connection.execute("begin immediate")
        began = time.monotonic()
        answer = health(serving.url)
        assert time.monotonic() - began < 4
        assert answer.status_code == 503
        assert answer.json()["status"] == "failing"
        assert "cannot write to its database" in answer.json()["error"]
        connection.execute("rollback")
        wait_until(lambda: health(serving.url).status_code == 200)


def test_health_fails_on_a_full_disk(process):
    """The system refuses to make any file of the process longer, as on a full disk."""
    ann = Guest(process.url, "Ann")
    resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    wait_until(lambda: health(process.url).status_code == 503)
    assert ann.post("/name", name="Anna").status_code == 503, "nothing can be kept"
    assert ann.get("/").status_code == 200, "what is there can be read"
    ann.http.close()


def test_requests_at_the_same_time_share_one_write(tmp_path, goofspiel):
    with Serving(tmp_path) as serving:
        path, times = tmp_path / "server.sqlite", set()
        until = time.monotonic() + 1.5

        def ask(_):
            while time.monotonic() < until:
                assert health(serving.url).status_code == 200
                times.update(written(path))

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(ask, range(4)))
        assert len(times) <= 3
