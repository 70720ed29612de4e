"""How the server stops: requests that it cuts off get a clear answer, and none of its processes outlives it."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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

    def stop(self, how) -> list[dict]:
        """Stop the server by a signal, and return the lines of its log."""
        self.process.send_signal(how)
        _, log = self.process.communicate(timeout=PATIENCE)
        return [json.loads(line) for line in log.splitlines()]


@pytest.fixture
def server(tmp_path):
    server = Session(tmp_path)
    yield server
    server.process.kill()
    server.process.communicate()


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


def test_bots_that_think_while_the_server_stops_leave_no_process(server):
    ann = Guest(server.url, "Ann")
    tables = [ann.make(game, "me", "champion", speed="fast") for game in ("rune-war", "heirless", "kings-court")]
    wait_until(lambda: len(server.processes()) > NO_WORKERS)
    ann.http.close()
    assert len(tables) == 3
    assert server.stop(signal.SIGTERM) == []
    assert server.processes() == []
