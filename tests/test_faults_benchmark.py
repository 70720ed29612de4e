"""The benchmark of faults finds moves that are lost or made up, what was shown too early, and tables that are stuck."""

import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import faults
from faults import audit, stuck_tables
from parts.faults import machine
from parts.faults.players import Answered, Played, log_on
from server.guests import Serving

LAUNCHED = Path(machine.__file__).with_name("launched.py")
DAY = 86400


@pytest.fixture
def game(tmp_path):
    """A game of King's Court of which the players know everything, and the address of its database."""
    with Serving(tmp_path) as serving:
        guests = [serving.guest("Ann"), serving.guest("Bo")]
        played = Played(guests[0].make("kings-court", "me", "open"))
        guests[1].sit(played.table, 1)
        chance = random.Random(1)
        while len(played.acknowledged) < 8:
            for seat, guest in enumerate(guests):
                seen = guest.view(played.table)
                played.see(seat, [line["words"] for line in seen["log"]])
                if seen["menu"]:
                    move = Answered(seat, seen["table"]["decision"], chance.choice(seen["menu"])["action"])
                    played.posted.add(move)
                    assert guest.move(played.table, move.action, move.decision).status_code == 200
                    played.acknowledged.append(move)
        spectator = serving.guest()
        with spectator.watching(played.table) as socket:
            played.see(None, log_on(socket.recv()))
        assert log_on(spectator.get(f"/tables/{played.table}").text) == words(spectator.view(played.table)) != []
    return tmp_path / "server.sqlite", played


def words(seen):
    return [line["words"] for line in seen["log"]]


def found(game):
    database, played = game
    figures = asyncio.run(audit(database, [played]))
    return {name: number for name, number in figures.items() if name not in ("acknowledged", "pages") and number}


def test_nothing_is_found_where_everything_is_on_disk(game):
    assert found(game) == {}


def test_an_acknowledged_move_that_is_not_in_the_log_is_lost(game):
    last = game[1].acknowledged[-1]
    game[1].acknowledged.append(last._replace(decision=last.decision + 9))
    assert found(game) == {"lost": 1}


def test_a_move_that_nobody_posted_is_doubled(game):
    game[1].posted.remove(game[1].acknowledged[-1])
    assert found(game) == {"doubled": 1}


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_log_that_does_not_begin_that_on_disk_was_seen_too_early(game, viewer):
    game[1].see(viewer, ["Ann plays a card that no log has"])
    assert found(game) == {"seen_before_disk": 1}


def test_a_table_at_which_nobody_moves_is_stuck(game, monkeypatch):
    monkeypatch.setattr(faults, "GOES_ON", 1.0)
    assert asyncio.run(stuck_tables(game[0], [game[1]])) == [game[1].table]


def test_the_clock_of_the_launcher_jumps(tmp_path):
    (tmp_path / "shift").write_text(str(-3 * DAY))
    code = f"import runpy, time; runpy.run_path({str(LAUNCHED)!r}, run_name='__mp_main__'); print(time.time())"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={"QUINTAIN_CLOCK_SHIFT": str(tmp_path / "shift")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert -3 * DAY - 60 < float(shown.stdout) - time.time() < -3 * DAY + 60


def test_a_server_that_does_not_recover_is_told_apart_by_its_store_the_fault_and_its_log(tmp_path, monkeypatch):
    """Its database is a folder, so it ends at once, whenever it is started."""
    monkeypatch.setattr(machine, "RECOVERS", 3.0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    broken = machine.Machine(tmp_path, None, random.Random(1))
    broken.database.mkdir()
    broken.start()
    with pytest.raises(SystemExit) as raised:
        asyncio.run(broken.recover("kill 3 of 7, with the fault 'clock'"))
    broken.stop()
    said = str(raised.value)
    assert said.startswith("SQLite: the server did not answer within 3 s after kill 3 of 7, with the fault 'clock'.")
    assert re.search("Its last answer: (Connect|Read)Error", said) and "Load of the machine: " in said
    kept = tmp_path / "faults-sqlite.log"
    assert f"Its log is kept in {kept} and ends:\n" in said and said.endswith(kept.read_text()[-4000:])
