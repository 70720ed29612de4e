"""`quintain serve --processes 2` on PostgreSQL: processes die, are paused and replaced, and stop; the games go on."""

import signal
import subprocess
import threading
import time

import httpx
import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from quintain.engine.errors import BadOption
from quintain.server.http.site import Config
from quintain.server.limits import Rate
from quintain.server.run.start import run
from quintain.server.store.peers import ALIVE, BEAT
from server.guests import PATIENCE, ServingProcess, free_port, wait_until
from server.stores import rows

PROMISED = ALIVE + BEAT
"""Seconds until the tables of a process that is gone belong to another."""
RECONNECTION = 5
"""Seconds until a browser at the latest connects a lost socket again."""


class Served(ServingProcess):
    """Two processes on a PostgreSQL database; `log` is what they have written to the standard error."""

    def __init__(self, database, log):
        self.log, self.guests = log, []
        super().__init__(database, processes=2)

    def start(self):
        with self.log.open("w") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=log)

    def begin(self):
        """Wait until both serve."""
        wait_until(lambda: len(self.alive()) == 2, 2 * PATIENCE)

    def guest(self, name=""):
        """Return a guest whose requests go to any process, each over a connection of its own."""
        self.guests.append(super().guest(name))
        self.guests[-1].http.headers["connection"] = "close"
        return self.guests[-1]

    def say_goodbye(self):
        """Close the connections of all guests."""
        while self.guests:
            self.guests.pop().http.close()

    def end(self):
        """Kill those that still run."""
        for process in [*self.serving(), self.process]:
            process.kill()
        self.process.wait()

    def alive(self):
        """Return the ids under which the processes know each other."""
        return {id_ for (id_,) in rows(self.database, "SELECT id FROM processes")}

    def everybody(self):
        first = psutil.Process(self.process.pid)
        return [first, *first.children(recursive=True)]


@pytest.fixture(scope="module")
def kept(postgres, tmp_path_factory):
    """The servers of this module: starting one takes seconds, so that each test goes on with the last that runs."""
    kept = []
    yield kept
    for served in kept:
        served.end()
        postgres.drop(served.database)


@pytest.fixture
def served(kept, new_database, tmp_path):
    if not kept or not kept[-1].serving():
        database = new_database()
        kept.append(Served(database, tmp_path / "log"))
        kept[-1].begin()
    yield kept[-1]
    kept[-1].say_goodbye()


def against_bots(served):
    """Return a guest, and tables at which a slow bot is to act; each process has the lease of one of them."""
    ann, tables = served.guest("Ann"), []
    while len(holders(served, tables)) < 2:
        assert len(tables) < 50
        tables.append(ann.make("kings-court", "me", "random", speed="slow"))
        time.sleep(0.1)
    put_counters(ann, tables)
    return ann, tables


def put_counters(ann, tables):
    for table in tables:
        while menu := (seen := ann.view(table))["menu"]:
            assert ann.move(table, menu[0]["action"], seen["table"]["decision"]).status_code == 200


def test_the_tables_of_a_process_that_dies_go_to_the_other_and_its_visitors_are_gone(served):
    ann, tables = against_bots(served)
    bo = served.guest("Bo")
    shared = bo.make("kings-court", "me", "open")
    ann.sit(shared, 1)

    def is_there(seat):
        return ann.view(shared)["table"]["seats"][seat]["connected"]

    with bo.watching(shared) as socket:
        wait_until(lambda: all(is_there(0) for _ in range(10)))
        dead, before = chosen(served), served.alive()
        for process in served.serving():
            if process.pid == dead:
                process.kill()
        killed = time.monotonic()
        wait_until(lambda: len(served.serving()) == 2 and len(served.alive() - before) == 1)
        wait_until(lambda: all(ann.view(table)["menu"] for table in tables))
        wait_until(lambda: len(served.alive() & before) == 1)
        assert time.monotonic() - killed < PROMISED + 30
        is_cut = is_closed(socket)
        wait_until(lambda: all(is_there(0) != is_cut for _ in range(10)))
    wait_until(lambda: not any(is_there(0) for _ in range(10)))


def holders(served, tables=None):
    """Return the ids of the processes that have leases, or those of some tables."""
    leases = rows(served.database, 'SELECT process, "table" FROM leases')
    return {process for process, table in leases if tables is None or table in tables}


def chosen(served):
    return served.serving()[0].pid


def is_closed(socket):
    try:
        while True:
            socket.recv(timeout=1)
    except TimeoutError:
        return False
    except ConnectionClosed:
        return True


@pytest.mark.long  # test_peers.py pauses one as well, in a single process and with shorter times
def test_a_process_that_is_paused_for_longer_than_it_counts_as_alive_does_no_harm(served):
    ann, tables = against_bots(served)
    before, (paused, _) = served.alive(), served.serving()
    paused.suspend()
    try:
        wait_until(lambda: len(served.alive()) == 1 and len(holders(served)) == 1)
    finally:
        paused.resume()
    wait_until(lambda: served.alive() == before)
    wait_until(lambda: all(ann.view(table)["menu"] for table in tables))
    put_counters(ann, tables)
    for table in tables:
        places = rows(served.database, f"SELECT seq FROM entries WHERE \"table\" = '{table}' ORDER BY seq")
        assert [seq for (seq,) in places] == list(range(1, len(places) + 1))


def test_sighup_replaces_all_processes_while_requests_and_sockets_go_on(served):
    ann, bo = served.guest("Ann"), served.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    old, statuses, away, replaced = {p.pid for p in served.serving()}, [], [], threading.Event()

    def ask():
        while not replaced.is_set():
            statuses.append(httpx.get(f"{served.url}/tables/{table}.json", timeout=PATIENCE).status_code)

    def watch():
        left = time.monotonic()
        while not replaced.is_set():
            try:
                with bo.watching(table) as socket:
                    socket.recv(timeout=PATIENCE)
                    away.append(time.monotonic() - left)
                    while not replaced.is_set():
                        try:
                            socket.recv(timeout=0.2)
                        except TimeoutError:
                            continue
            except (ConnectionClosed, OSError):
                left = time.monotonic()

    threads = [threading.Thread(target=work) for work in (ask, watch)]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: away)
        served.process.send_signal(signal.SIGHUP)
        wait_until(lambda: not old & {p.pid for p in served.serving()} and len(served.serving()) == 2, 2 * PATIENCE)
        wait_until(lambda: len(served.alive()) == 2)
        wait_until(lambda: len(away) > 1)
    finally:
        replaced.set()
        for thread in threads:
            thread.join()
    assert set(statuses) == {200}
    assert max(away) < RECONNECTION


@pytest.mark.long_for("Ctrl-C")  # SIGTERM proves it, and test_serve.py stops one process by Ctrl-C
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_two_processes_stop_in_good_order(served, how):
    ann, tables = against_bots(served)
    with ann.watching(tables[0]):
        everybody = served.everybody()
        for process in everybody if how == signal.SIGINT else everybody[:1]:
            process.send_signal(how)
        assert served.process.wait(PATIENCE) == 0
    assert not [process for process in everybody if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
    assert "Traceback" not in served.log.read_text()
    assert served.alive() == holders(served) == set(), "others may go on at once"


def test_several_processes_on_sqlite_are_refused_in_a_line_that_says_what_is_needed(tmp_path):
    with pytest.raises(BadOption) as raised:
        run("127.0.0.1", free_port(), Config(tmp_path / "x.sqlite", processes=2))
    said = str(raised.value)
    assert "\n" not in said and "--database postgresql+psycopg://USER:PASSWORD@HOST/NAME" in said
    assert not (tmp_path / "x.sqlite").exists()


@pytest.mark.parametrize("number", [1, 2, 7])
def test_limits_are_those_of_all_processes_together(number):
    config = Config(None, processes=number, player_rate=Rate(120, 5))
    share, bounds = config.share(config.player_rate), config.bounds.shared_by(number)
    assert number * share.rate.burst == pytest.approx(120) and number * share.rate.per_second == pytest.approx(5)
    for name in ("connections", "connections_per_address", "sockets_per_address", "sockets_per_player"):
        whole, part = getattr(config.bounds, name), getattr(bounds, name)
        assert whole <= number * part < whole + number
