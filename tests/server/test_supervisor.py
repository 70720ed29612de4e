"""Processes of a server that die are replaced soon, also while they start, or while the database is away."""

import contextlib
import signal
import subprocess
import time

import httpx
import psutil
import pytest

from parts.postgres import cluster
from parts.serving import serving_processes, shown
from server.guests import PROGRAM, free_port, wait_until

SOON = 50.0
"""Seconds within which another process serves; the supervisor would wait for an answer of a dead one for 60."""


@pytest.fixture
def postgres(tmp_path):
    with cluster(tmp_path) as postgres:
        yield postgres


@pytest.fixture
def server(postgres):
    """A server of two processes, and its URL."""
    port = free_port()
    command = [PROGRAM, "serve", "--host", "127.0.0.1", "--port", str(port), "--processes", "2", "--log-level", "error"]
    with subprocess.Popen(
        [*command, "--database", shown(postgres.new_database())], stdout=subprocess.DEVNULL
    ) as process:
        wait_until(lambda: is_well(f"http://127.0.0.1:{port}"), SOON)
        yield process, f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGTERM)
        process.wait(SOON)


def is_well(url):
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"{url}/health", timeout=5).status_code == 200
    return False


def kill_all(process):
    """Kill both processes that serve, and return them."""
    killed = serving_processes(process.pid)
    for each in killed:
        each.kill()
    return killed


@pytest.mark.long
def test_processes_that_die_while_they_start_are_replaced_soon(server):
    process, url = server
    killed = kill_all(process)
    wait_until(lambda: len({each.pid for each in serving_processes(process.pid)} - {each.pid for each in killed}) == 2)
    time.sleep(0.8)  # now the supervisor waits for the first answer of one of them
    kill_all(process)
    wait_until(lambda: is_well(url), SOON)


@pytest.mark.long
def test_a_server_outlives_a_process_that_starts_while_the_database_is_away(server, postgres):
    process, url = server
    postgres.stop(at_once=True)
    (one, *_) = serving_processes(process.pid)
    one.kill()
    psutil.wait_procs([one], timeout=SOON)
    time.sleep(8)
    postgres.start()
    wait_until(lambda: is_well(url), SOON)
    assert process.poll() is None
