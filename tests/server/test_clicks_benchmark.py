"""The benchmark of clicks: it refuses too few moves, and notices a server that is slow to show a move."""

import asyncio
import itertools
import subprocess
import sys
from pathlib import Path
from statistics import median

import clicks
from quintain.server.people.watchers import Watcher
from server.guests import Serving
from server.test_looks import needs_chromium, needs_files

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "clicks.py"
PATIENCE = 120
DELAY = 0.3
pytestmark = [needs_chromium, needs_files]


def test_too_few_moves_are_refused():
    command = [sys.executable, str(BENCHMARK), "--moves", "9"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ran.returncode == 2 and "'9' is no number of moves" in ran.stderr


def test_a_server_that_is_slow_to_show_moves_is_noticed(browser, tmp_path, monkeypatch):
    show = Watcher.show

    def late(watcher, html):
        asyncio.get_running_loop().call_later(DELAY, show, watcher, html)

    with Serving(tmp_path) as serving:
        ann, bo = next(clicks.games(browser, serving.url))
        monkeypatch.setattr(Watcher, "show", late)
        slow = list(itertools.islice(clicks.times(ann, bo), 3))
        for person in (ann, bo):
            person.context.close()
    assert len(slow) == 3 and median(slow) > 1000 * DELAY
