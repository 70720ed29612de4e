"""The benchmark of the server under attack: it ends, gives its figures, and sees a server that fails."""

import contextlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer

import pytest

from hostile import error_in

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
FIGURES = {"honest_p95_ms", "longest_ms", "server_errors", "crashes"}
ATTACKS = {"card sets", "replays", "silence", "lobby", "names", "deaf sockets"} | {
    *("repeated keys", "steps", "dear pages", "random", "analyses", "knights")
}
PATIENCE = 280
ATTACK = ("-m", "parts.hostile.attacks")
"""The command of a single attack; it needs no more of a server than the port."""


def run(*command: str) -> dict:
    command = (sys.executable, *command)
    ran = subprocess.run(command, cwd=BENCHMARKS, capture_output=True, text=True, check=True, timeout=PATIENCE)
    *_, line = ran.stdout.splitlines()
    return json.loads(line)


class Stub(ThreadingTCPServer):
    """A server that may have many connections at once; to close it is to wait until all of them are answered."""

    request_queue_size = 100


@pytest.fixture
def stub():
    """Return a server that gives everybody the same answer: its port, the answer to set, and the requests."""
    given = {"answer": b"", "requests": []}

    class Answer(BaseRequestHandler):
        def handle(self):
            self.request.settimeout(PATIENCE)
            with contextlib.suppress(ConnectionError):
                given["requests"].append(self.request.recv(2**16).partition(b"\r\n")[0])
                self.request.sendall(given["answer"])

    with Stub(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_address[1], given
        server.shutdown()
        thread.join(PATIENCE)


@pytest.mark.long
@pytest.mark.parametrize("store", [[], ["--postgresql"]], ids=["sqlite", "postgresql"])
def test_all_attacks_end_and_the_figures_are_there(store):
    figures = run("hostile.py", "--runs", "1", "--seconds", "0.3", "--requests", "30", "--json", *store)
    assert set(figures) == {*FIGURES, "attacks"}
    assert set(figures["attacks"]) == {*ATTACKS, "calm"}
    for found in figures["attacks"].values():
        assert FIGURES | {"squire_p95_ms"} <= set(found)
        assert 0 < found["honest_p95_ms"] <= found["longest_ms"]
    assert set(figures["attacks"]["calm"]["honest_statuses"]) == {"200"}
    assert figures["attacks"]["random"]["attackers"]["routes of the document"] > 10


@pytest.mark.parametrize(
    ("status", "connection", "is_counted"),
    [(500, "close", True), (503, "keep-alive", True), (503, "close", False), (429, "close", False)],
)
def test_an_answer_of_500_and_above_is_an_error_unless_it_refuses_a_connection(stub, status, connection, is_counted):
    port, given = stub
    given["answer"] = f"HTTP/1.1 {status} No\r\nconnection: {connection}\r\ncontent-length: 0\r\n\r\n".encode()
    found = run(*ATTACK, "replays", "--port", str(port), "--seconds", "0.2")
    assert found["statuses"][str(status)] > 0
    assert found["counts"].get("faults", 0) == (found["statuses"][str(status)] if is_counted else 0)


def test_the_same_seed_makes_the_same_random_requests(stub):
    port, given = stub
    given["answer"] = b"HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n"
    requests = []
    for seed in ("a", "a", "b"):
        given["requests"].clear()
        run(*ATTACK, "random", "--port", str(port), "--seconds", "3", "--requests", "30", "--seed", seed)
        requests.append(sorted(given["requests"]))
    assert requests[0] == requests[1] != requests[2]


def test_errors_of_the_log_are_seen():
    fault = {"level": "error", "event": "fault", "path": "/tables", "error": "Traceback ...\nRecursionError: deep"}
    assert error_in(json.dumps(fault)) == "fault /tables RecursionError: deep"
    assert error_in(json.dumps({**fault, "level": "warning"})) == ""
    assert error_in("Traceback (most recent call last):")
    assert error_in("  File") == ""
