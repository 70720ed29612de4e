"""Two processes on two processors: each has one while both run; what else the server starts may have both."""

import asyncio
import multiprocessing
import os
import subprocess
import sys
import threading

import pytest

from quintain.server import drawing, processors
from quintain.server.workers import Workers
from server.guests import Serving, wait_until


@pytest.fixture
def two_processors(monkeypatch):
    """Two of the processors that there are; this process may run on all again at the end."""
    every = processors.usable()
    if len(every) < 2 or sys.platform != "linux":
        pytest.skip("this machine has one processor, or does not let a process choose")
    two = frozenset(sorted(every)[:2])
    monkeypatch.setattr(processors, "usable", lambda: two)
    processors.keep_to(two)
    yield two
    processors.keep_to(every)


def of_all_threads():
    return [os.sched_getaffinity(thread.native_id) for thread in threading.enumerate()]


@pytest.fixture
def sleeper():
    """Another process."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.fixture
def other_thread():
    """A thread that was there before."""
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    yield thread
    end.set()
    thread.join()


def test_two_processes_have_a_processor_each_for_as_long_as_both_run(two_processors, sleeper, other_thread):
    ours, theirs = ({processor} for processor in sorted(two_processors))
    with processors.parted(sleeper.pid):
        assert os.sched_getaffinity(sleeper.pid) == theirs
        assert len(of_all_threads()) > 1 and all(kept == ours for kept in of_all_threads())
    assert all(kept == two_processors for kept in of_all_threads())


def test_they_have_them_until_something_fails(two_processors, sleeper):
    with pytest.raises(ZeroDivisionError), processors.parted(sleeper.pid):
        raise ZeroDivisionError
    assert os.sched_getaffinity(0) == two_processors


def test_a_process_that_has_ended_already_is_let_be(two_processors, sleeper):
    sleeper.kill()
    sleeper.wait()
    with processors.parted(sleeper.pid):
        assert os.sched_getaffinity(0) == {min(two_processors)}


@pytest.mark.parametrize("more", [(), (1000, 1001)], ids=["one", "more than two"])
def test_nothing_is_parted_where_there_are_not_just_two(two_processors, sleeper, more, monkeypatch):
    monkeypatch.setattr(processors, "usable", lambda: {min(two_processors), *more})
    with processors.parted(sleeper.pid):
        assert os.sched_getaffinity(sleeper.pid) == os.sched_getaffinity(0) == two_processors


def test_a_bot_thinks_on_all_processors_though_it_is_started_while_the_server_keeps_to_one(two_processors, sleeper):
    async def ask():
        workers = Workers(1)
        try:
            with processors.parted(sleeper.pid):
                return await workers._run("a seat", os.sched_getaffinity, 0)
        finally:
            workers.stop()

    assert asyncio.run(ask()) == two_processors


def test_the_server_and_its_process_that_draws_have_a_processor_each(two_processors, tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "MANY", 1)
    with Serving(tmp_path) as serving:
        guest = serving.guest("Ann")
        with guest.watching(guest.make("kings-court", "me", "open")):
            wait_until(lambda: serving.house.drawing._there)
            (process,) = [child for child in multiprocessing.active_children() if child.name == "drawing"]
            assert os.sched_getaffinity(process.pid) == {max(two_processors)}
            assert all(kept == {min(two_processors)} for kept in of_all_threads())
            process.kill()
            wait_until(lambda: not serving.house.drawing._there)
            wait_until(lambda: all(kept == two_processors for kept in of_all_threads()))
