"""How the server stops: requests that it cuts off get a clear answer, and none of its processes outlives it."""

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from server.guests import PATIENCE, Guest, ServingProcess, wait_until

NO_WORKERS = 2
"""The server's processes while no bot thinks: itself, and Python's own resource tracker."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks for processes in /proc")


class Session(ServingProcess):
    """A server in a session of its own, whose processes the test can list, and whose log the test can read."""

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        wait_until(self.answers)

    def processes(self) -> list[str]:
        """Return the processes of the server's session; the ended ones that nobody has waited for are among them."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                number, _, rest = stat.read_text().partition(" (")
            except (FileNotFoundError, ProcessLookupError):
                continue
            name, _, fields = rest.rpartition(") ")
            if int(fields.split()[3]) == self.process.pid:
                found.append(f"{number} {name} {fields[0]}")
        return found

    def stop(self, *how, to_all: bool = False) -> list[dict]:
        """Stop the server by signals, to all its processes if need be, and return the lines of its log."""
        for number, signal_ in enumerate(how):
            time.sleep(0.5 * (number > 0))
            (os.killpg if to_all else os.kill)(self.process.pid, signal_)
        _, log = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        assert not [line for line in log.splitlines() if not line.startswith("{")], log
        return [json.loads(line) for line in log.splitlines()]


@pytest.fixture
def server(tmp_path):
    server = Session(tmp_path)
    yield server
    server.process.kill()
    server.process.communicate()


@pytest.fixture
def talkative(tmp_path):
    """A server that logs all it has to say."""
    server = Session(tmp_path, log_level="info")
    yield server
    server.process.kill()
    server.process.communicate()


def ask_slowly(server, table):
    """Send the server requests that do not end: half a post, a page that nobody reads, a socket that nobody closes."""
    asked = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
    post, page, deaf = asked
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    post.sendall(b"POST /name HTTP/1.1\r\nhost: here\r\ncontent-length: 99\r\ncontent-type: application/json\r\n\r\n{")
    page.sendall(b"GET /static/vendor/arms.svg HTTP/1.1\r\nhost: here\r\n\r\n")
    upgrade = b"upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: "
    key = base64.b64encode(bytes(16))
    deaf.sendall(f"GET /tables/{table}/socket HTTP/1.1\r\nhost: here\r\n".encode() + upgrade + key + b"\r\n\r\n")
    return asked


ENDS = {
    "Ctrl-C twice": [signal.SIGINT, signal.SIGINT],
    "SIGTERM twice": [signal.SIGTERM, signal.SIGTERM],
    "Ctrl-C after SIGTERM": [signal.SIGTERM, signal.SIGINT],
}


@pytest.mark.long_for("Ctrl-C after SIGTERM", "Ctrl-C twice")  # SIGTERM twice proves it; test_serve.py stops by Ctrl-C
@pytest.mark.parametrize("ends", ENDS)
def test_the_end_cuts_everything_off_without_a_word_but_that_it_stops(talkative, ends):
    ann = Guest(talkative.url, "Ann")
    table = ann.make("rune-war", "me", "champion", "champion", "champion", speed="fast")
    asked = ask_slowly(talkative, table)
    with ann.watching(table), ann.listening(), ThreadPoolExecutor(1) as aside:
        hint = aside.submit(ann.post, f"/tables/{table}/hint")
        wait_until(lambda: len(talkative.processes()) > NO_WORKERS + 1)
        begun = time.monotonic()
        log = talkative.stop(*ENDS[ends], to_all=True)
        took = time.monotonic() - begun
        assert hint.result().status_code == 503
    for each in (*asked, ann.http):
        each.close()
    is_hurried = ends in ("Ctrl-C twice", "Ctrl-C after SIGTERM")
    assert took < 4 if is_hurried else 5 <= took < 10, "open requests have five seconds, or none"
    events = [line["event"] for line in log]
    assert events == ["the database was made", "table made", "stopping", "refused", "stopped"]
    assert {line["level"] for line in log} == {"info"}
    assert talkative.processes() == []


def test_nothing_is_lost_when_the_end_is_hurried(talkative):
    ann = Guest(talkative.url, "Ann")
    table = ann.make("kings-court", "me", "squire", speed="fast")
    asked = ask_slowly(talkative, table)
    for _ in range(3):
        wait_until(lambda: ann.view(table)["menu"])
        seen = ann.view(table)
        assert ann.move(table, seen["menu"][0]["action"], seen["table"]["decision"]).status_code == 200
    before = ann.view(table)["log"]
    talkative.stop(signal.SIGINT, signal.SIGINT)
    talkative.start()
    ann.http.close()
    ann.http = httpx.Client(base_url=talkative.url, cookies=ann.http.cookies)
    assert ann.view(table)["log"][: len(before)] == before
    for each in (*asked, ann.http):
        each.close()


@pytest.mark.long_for("SIGTERM")  # Ctrl-C proves it
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_a_hint_that_the_end_of_the_server_cuts_off_is_refused_in_words_and_no_process_is_left(server, how):
    ann = Guest(server.url, "Ann")
    table = ann.make("rune-war", "me", "champion", "champion", "champion", speed="fast")
    wait_until(lambda: len(server.processes()) > NO_WORKERS)
    with ThreadPoolExecutor(1) as aside:
        hint = aside.submit(ann.post, f"/tables/{table}/hint")
        wait_until(lambda: len(server.processes()) > NO_WORKERS + 1)
        assert not hint.done(), "the search takes long enough to be cut off"
        asked = time.monotonic()
        log = server.stop(how)
        assert time.monotonic() - asked < 4, "it does not wait for the search"
        left = server.processes()
        answer = hint.result()
    ann.http.close()
    assert left == []
    assert answer.status_code == 503
    assert answer.json()["error"] == "the server is stopping: ask again in a moment"
    assert log == []


@pytest.mark.long  # the hint that is cut off leaves none either
def test_bots_that_think_while_the_server_stops_leave_no_process(server):
    ann = Guest(server.url, "Ann")
    tables = [ann.make(game, "me", "champion", speed="fast") for game in ("rune-war", "heirless", "kings-court")]
    wait_until(lambda: len(server.processes()) > NO_WORKERS)
    ann.http.close()
    assert len(tables) == 3
    assert server.stop(signal.SIGTERM) == []
    assert server.processes() == []
