"""No single client can block the others: neither by many connections, nor by silence, nor by sending byte by byte."""

import resource
import socket
import struct
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from quintain.server.http.doors import USUAL, Doors, raise_file_limit
from server.guests import PATIENCE, Serving, wait_until

SOON = 0.3
"""Seconds that a request may take in these tests."""
QUICK = replace(USUAL, head_seconds=SOON, body_seconds=SOON)


@pytest.fixture
def open_site(tmp_path, goofspiel):
    """Start a server with bounds of its own."""
    with ExitStack() as started:
        yield lambda bounds, **config: started.enter_context(Serving(tmp_path, bounds=bounds, **config))


@pytest.fixture
def knock():
    """Return a function that opens a bare connection to a server; all are closed after the test."""
    with ExitStack() as opened:

        def do(serving, sent=b""):
            there = httpx.URL(serving.url)
            made = opened.enter_context(socket.create_connection((there.host, there.port), PATIENCE))
            made.sendall(sent)
            return made

        yield do


def all_of(connection):
    """Return all bytes that arrive until the server closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while more := connection.recv(65536):
            received += more
    return received


def one_answer(connection):
    """Return one answer of a connection that stays open."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    return received


def trickle(connection, byte):
    """Send a byte again and again until the server closes the connection."""

    def send():
        with suppress(OSError):
            while True:
                connection.sendall(byte)
                time.sleep(SOON / 10)

    threading.Thread(target=send, daemon=True).start()


def test_a_silent_connection_makes_room_for_one_that_speaks(open_site, knock):
    serving = open_site(replace(USUAL, connections_per_address=10, head_seconds=1000.0))
    silent = [knock(serving) for _ in range(40)]
    ann = serving.guest("Ann")
    assert ann.get("/").status_code == 200
    assert all_of(silent[0]) == b"", "the oldest went first"
    half = [knock(serving, b"GET / HTTP/1.1\r\nx: ") for _ in range(40)]
    slow = [knock(serving, b"POST /name HTTP/1.1\r\ncontent-length: 9\r\n\r\n") for _ in range(40)]
    assert serving.guest("Bo").get("/").status_code == 200
    assert half and slow


def test_one_address_cannot_take_all_connections(open_site, knock):
    serving = open_site(replace(USUAL, connections=10, connections_per_address=1000, head_seconds=1000.0))
    silent = [knock(serving) for _ in range(40)]
    assert serving.guest("Ann").get("/").status_code == 200
    assert silent


def test_busy_connections_stay_and_one_more_is_refused_until_one_closes(open_site, knock):
    serving = open_site(replace(USUAL, connections_per_address=3))
    url = f"{serving.url.replace('http', 'ws')}/lobby/socket"
    with ExitStack() as entered:
        opened = [entered.enter_context(connect(url)) for _ in range(3)]
        for each in opened:
            each.recv(timeout=PATIENCE)
        refused = all_of(knock(serving))
        assert refused.startswith(b"HTTP/1.1 503 ") and b"too many connections" in refused
        opened[0].close()
        wait_until(lambda: _answers(serving))
        assert all(each.ping().wait(PATIENCE) for each in opened[1:])
    wait_until(lambda: not serving.server.config.doors._open, 5)


def _answers(serving):
    with suppress(httpx.TransportError):
        return httpx.get(f"{serving.url}/credits").status_code == 200
    return False


def test_a_connection_that_says_nothing_is_closed(open_site, knock):
    assert all_of(knock(open_site(QUICK))) == b""


@pytest.mark.parametrize(
    ("begun", "byte"),
    [
        (b"GET / HTTP/1.1\r\nx: ", b"x"),
        (b"GET /", b"x"),
        (b"\r\n", b"\r\n"),
        (b"POST /name HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n", b"x"),
        (b"POST /name HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
    ids=["header", "address", "nothing", "body", "chunks"],
)
def test_a_request_that_trickles_is_answered_with_408_and_closed(open_site, knock, begun, byte):
    serving = open_site(QUICK)
    connection = knock(serving, begun)
    trickle(connection, byte)
    assert all_of(connection).startswith(b"HTTP/1.1 408 ")
    assert serving.guest().get("/").status_code == 200


def test_line_ends_between_requests_do_not_keep_a_connection_open(open_site, knock):
    connection = knock(open_site(QUICK), b"GET /credits HTTP/1.1\r\nhost: x\r\n\r\n")
    assert one_answer(connection).startswith(b"HTTP/1.1 200 ")
    trickle(connection, b"\r\n")
    all_of(connection)


def test_a_body_that_trickles_on_after_the_answer_does_not_keep_a_connection_open(open_site, knock):
    head = b"POST /name HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n"
    connection = knock(open_site(QUICK), head)
    assert one_answer(connection).startswith(b"HTTP/1.1 413 ")
    trickle(connection, b"x")
    all_of(connection)


def test_a_head_without_end_is_refused(open_site, knock):
    serving = open_site(USUAL)
    connection = knock(serving, b"GET / HTTP/1.1\r\n")
    with suppress(OSError):
        for _ in range(100):
            connection.sendall(b"x: " + b"y" * 4000 + b"\r\n")
    assert all_of(connection)[:13] in (b"HTTP/1.1 431 ", b"")
    assert serving.guest().get("/").status_code == 200


def test_a_connection_that_is_idle_after_its_request_is_closed(open_site, knock):
    serving = open_site(QUICK)
    serving.server.config.timeout_keep_alive = SOON
    connection = knock(serving, b"GET /credits HTTP/1.1\r\nhost: x\r\n\r\n")
    assert all_of(connection).startswith(b"HTTP/1.1 200 ")
    with connect(f"{serving.url.replace('http', 'ws')}/lobby/socket") as stays:
        other = knock(serving, b"GET /credits HTTP/1.1\r\nhost: x\r\n\r\n")
        all_of(other)
        assert stays.ping().wait(PATIENCE), "a socket may be silent for longer"


def test_the_sockets_of_an_address_and_of_a_player_are_limited(open_site):
    serving = open_site(replace(USUAL, sockets_per_address=4, sockets_per_player=2))
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Eve")
    table = ann.make("kings-court", "me", "open")

    def is_shown(guest, opened):
        sock = opened.enter_context(guest.watching(table))
        try:
            return bool(sock.recv(timeout=PATIENCE))
        except ConnectionClosed as closed:
            assert closed.rcvd.code == 1013
            assert "too many sockets" in closed.rcvd.reason
            return False

    with ExitStack() as opened:
        assert [is_shown(ann, opened) for _ in range(3)] == [True, True, False]
        assert [is_shown(bo, opened) for _ in range(3)] == [True, True, False]
        assert not is_shown(eve, opened)
        with eve.listening() as lobby, pytest.raises(ConnectionClosed):
            lobby.recv(timeout=PATIENCE)
    wait_until(lambda: not serving.site.sockets_at_address._taken)
    with ExitStack() as opened:
        assert is_shown(eve, opened)


def test_a_socket_that_is_refused_gives_its_place_back(open_site):
    serving = open_site(replace(USUAL, connections_per_address=3))
    url = f"{serving.url.replace('http', 'ws')}/lobby/socket"
    for _ in range(9):
        with pytest.raises(InvalidStatus), connect(url, origin="http://evil.example"):
            pass
    assert serving.guest().get("/").status_code == 200


def test_the_server_raises_its_limit_of_open_files_and_takes_fewer_connections_than_that():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        assert Doors(USUAL).most < 512, "some files are kept for the database and the workers"
        raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_client_that_sends_many_requests_at_once_and_hangs_up_leaves_no_traceback(open_site, knock, caplog):
    """The first requests are being answered when the connection ends, and the others wait for their turn."""
    serving = open_site(USUAL)
    for _ in range(20):
        client = knock(serving, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 30)
        client.recv(1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    wait_until(lambda: not serving.server.server_state.tasks)
    assert httpx.get(serving.url).status_code == 200
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]
