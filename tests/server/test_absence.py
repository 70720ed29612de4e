"""Nobody is there: a timed game that everybody has left waits, goes on when somebody comes back, or ends.

The games run on a whole server in simulated time (`simulated.py`). Ann and Bo play King's Court, and look at no page
unless a test says so.
"""

import asyncio
import random
import re
from contextlib import asynccontextmanager
from html import unescape

import pytest

from quintain import bots
from quintain.server.http.site import Config
from quintain.server.model import entries as kinds
from quintain.server.model.entries import CLOSED, MOVED, RETURNED, SKIPPED, STAND_IN, STOPPED, Stopped, decoded
from quintain.server.run.app import create_app
from quintain.server.tables import acts, live_table, table
from quintain.server.tables.table import Table
from quintain.server.tables.thinking import Chosen
from server.guests import UNLIMITED
from server.simulated import Caller, SimulatedLoop, simulated

RATES = ("player_rate", "address_rate", "table_rate", "address_table_rate", "cost_rate")
DAY = 600
"""Seconds for which a game waits in these tests, in the place of a day."""
LEFT = 2 * (30 + table.GRACE) + 60
"""Seconds in which the time of both players is up, and the first bots have moved."""


async def think(_, level, seen):
    """Choose for a bot, at once."""
    return Chosen(bots.Player(bots.level("random"), seen.game, seen.decision).choose(seen), "", 0.0)


class Play:
    """A table in play, and those who sit there."""

    def __init__(self, app, site, live):
        self.site, self.live = site, live
        self.ann, self.bo, self.eve = (Caller(app, site.signer, who) for who in ("ann", "bo", "eve"))
        self.path = f"/tables/{live.id}"

    async def log(self):
        """Return the kinds of the entries on disk since play began, without notes about bots."""
        found = [entry.kind for entry in await self.site.store.entries(self.live.id)]
        return [kind for kind in found[found.index(kinds.BEGUN) + 1 :] if kind != kinds.NOTED]

    async def seen(self, caller):
        """Return the table as JSON."""
        return kinds.msgspec.json.decode(await caller.get(f"{self.path}.json"))


def played(tmp_path, monkeypatch, do, **more):
    """Let two people sit down to a game with 30 seconds for each decision, and do something there."""
    app = create_app(Config(tmp_path / "server.sqlite", **dict.fromkeys(RATES, UNLIMITED)))
    assert live_table.WAITS == 86400
    monkeypatch.setattr(live_table, "WAITS", DAY)

    async def play():
        async with begun(app, monkeypatch, **more) as there:
            return await do(there)

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(play())


@asynccontextmanager
async def begun(app, monkeypatch, others=("open",), **more):
    async with simulated(app, think, monkeypatch) as site:
        for who in ("ann", "bo"):
            await site.store.name_player(who, who.capitalize())
        given = {"clock": "30", **more}
        live = await acts.add(site.tables, "ann", "kings-court", ["me", *others], {}, **given)
        if "open" in others:
            await acts.sit_down(site.tables, live, 1, "bo")
        yield Play(app, site, live)


def test_a_game_that_everybody_has_left_waits_after_two_moves_of_bots(tmp_path, monkeypatch):
    async def do(there):
        await asyncio.sleep(LEFT)
        log = await there.log()
        await asyncio.sleep(DAY / 2)
        assert await there.log() == log, "nothing happens meanwhile"
        return log, await there.seen(there.ann), await there.ann.get(there.path), await there.ann.get("/games")

    log, seen, page, games = played(tmp_path, monkeypatch, do)
    assert log.count(STAND_IN) == 2 and log[-4:] == [STAND_IN, MOVED, MOVED, kinds.ADJOURNED]
    assert seen["table"]["adjourned"] and seen["table"]["status"] == "playing"
    assert [seat["seconds_left"] for seat in seen["table"]["seats"]] == [None, None]
    assert seen["log"][-1]["words"] == "Everybody has left: the game is adjourned until somebody comes back."
    assert "Everybody has left, so the game waits." in page and "ends without a result" in page
    assert '<time class="clock rests" data-left="' in page and re.search(r"<b>[345]:\d\d</b> <span>left</span>", page)
    assert "everybody has left: go on?" in games


async def move(there, seen):
    """Let Ann make the first move on her menu, and return the status of the answer."""
    action, decision = seen["menu"][0]["action"], seen["table"]["decision"]
    return await there.ann.post(f"{there.path}/moves", action=action, decision=decision)


@pytest.mark.parametrize("comes_back", ["a move", "the button"])
def test_it_goes_on_when_somebody_comes_back(tmp_path, monkeypatch, comes_back):
    async def do(there):
        await asyncio.sleep(LEFT + DAY / 2)
        if comes_back == "the button":
            assert await there.ann.post(f"{there.path}/seats/0") == 200
        else:
            assert await move(there, await there.seen(there.ann)) == 200
        seen = await there.seen(there.ann)
        await asyncio.sleep(20)
        return seen, await there.log()

    seen, log = played(tmp_path, monkeypatch, do)
    assert not seen["table"]["adjourned"] and not seen["table"]["seats"][0]["stand_in"]
    assert seen["table"]["seats"][1]["stand_in"] == "Squire", "a bot plays for whoever is still away"
    back = log.index(RETURNED)
    assert log[back - 1] == kinds.ADJOURNED and log[back + 1 :] and set(log[back + 1 :]) == {MOVED}


def test_who_comes_back_has_all_their_time(tmp_path, monkeypatch):
    async def do(there):
        await asyncio.sleep(LEFT + DAY / 2)
        await there.ann.post(f"{there.path}/seats/0")
        return [(await there.seen(there.ann))["table"]["seats"][0]["seconds_left"]]

    (left,) = played(tmp_path, monkeypatch, do)
    assert left is None or left == pytest.approx(30, abs=0.1)


def test_a_game_to_which_nobody_comes_back_ends_without_a_result(tmp_path, monkeypatch):
    async def do(there):
        await asyncio.sleep(LEFT + DAY + 1)
        entries = await there.site.store.entries(there.live.id)
        persons = there.live.table.persons
        again = Table.read(entries, persons)
        return entries, again, [await there.ann.get(path) for path in (there.path, "/games", "/tables.json")]

    entries, again, (page, games, lobby) = played(tmp_path, monkeypatch, do)
    assert entries[-1].kind == STOPPED and entries[-2].kind == kinds.ADJOURNED
    assert entries[-1].at - entries[-2].at == pytest.approx(DAY, abs=2)
    moves = sum(entry.kind == MOVED for entry in entries)
    assert decoded(entries[-1], Stopped) == Stopped(again.row.version, 0, moves, deserted=True)
    assert again.status == kinds.OVER and again.is_old and again.folded.stopped.deserted
    assert "Left by everybody" in page and f"had left after {moves} moves" in page and "new rules" not in page
    assert 'res stopped">stopped</span><small>without a result</small>' in games
    assert '"my_tables":[]' in lobby


def test_in_a_rated_game_bots_play_to_the_end_when_nobody_has_come_back(tmp_path, monkeypatch):
    async def do(there):
        await asyncio.sleep(LEFT + DAY / 2)
        before = await there.log()
        await asyncio.sleep(DAY / 2 + 60)
        return before, await there.log(), there.live.table.record()

    before, log, record = played(tmp_path, monkeypatch, do, rated=True)
    assert before[-1] == kinds.ADJOURNED and log[len(before)] == SKIPPED
    assert log[-1] == CLOSED and record["result"]["reason"] == "played to the end"


def test_a_game_goes_on_while_one_of_its_people_watches(tmp_path, monkeypatch):
    async def do(there):
        listening = asyncio.create_task(there.bo.listen(f"{there.path}/socket", []))
        await asyncio.sleep(LEFT + 60)
        watched = await there.log()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await asyncio.sleep(60)
        return watched, await there.log()

    watched, log = played(tmp_path, monkeypatch, do)
    assert kinds.ADJOURNED not in watched and watched.count(MOVED) > 20
    assert kinds.ADJOURNED in log or log[-1] == CLOSED


def test_a_spectator_keeps_no_game_going_and_sees_its_end(tmp_path, monkeypatch):
    async def do(there):
        received = []
        listening = asyncio.create_task(there.eve.listen(f"{there.path}/socket", received))
        await asyncio.sleep(LEFT)
        log, pages = await there.log(), list(received)
        await asyncio.sleep(DAY)
        await asyncio.wait([listening], timeout=1)
        return log, pages[-1][1], received[-1][1]

    log, page, last = played(tmp_path, monkeypatch, do)
    assert log[-1] == kinds.ADJOURNED and "Everybody has left, so the game waits." in page
    assert last == "websocket.close", "its browser loads the page of the game that is over"


def test_bots_play_on_alone_for_who_has_resigned(tmp_path, monkeypatch):
    async def do(there):
        await there.site.tables.enter(there.live, 0, kinds.RESIGNED)
        await asyncio.sleep(LEFT + 60)
        return await there.log()

    log = played(tmp_path, monkeypatch, do, others=("random",))
    assert kinds.ADJOURNED not in log


def test_who_plays_against_bots_alone_finds_the_game_where_they_left_it(tmp_path, monkeypatch):
    async def do(there):
        await asyncio.sleep(LEFT)
        return await there.log()

    log = played(tmp_path, monkeypatch, do, others=("random",))
    assert log.count(STAND_IN) == 1 and log[-1] == kinds.ADJOURNED
    after = log[log.index(STAND_IN) + 1 : -1]
    assert 2 <= len(after) <= 8, "two moves for the person who left, and those of the other bot between them"


def test_a_game_that_was_adjourned_is_adjourned_after_a_restart(tmp_path, monkeypatch):
    async def first(there):
        await asyncio.sleep(LEFT)
        return there.live.id, await there.log(), there.live.table.adjourned_at

    table_id, log, adjourned_at = played(tmp_path, monkeypatch, first)
    assert log[-1] == kinds.ADJOURNED

    async def again():
        app = create_app(Config(tmp_path / "server.sqlite", **dict.fromkeys(RATES, UNLIMITED)))
        async with simulated(app, think, monkeypatch) as site:
            live = await site.tables.get(table_id)
            ends = live.ends_at
            await asyncio.sleep(60)
            return live.table.adjourned_at, ends, live.table.match.log(None)[-1]

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        adjourned, ends, words = runner.run(again())
    assert (adjourned, ends) == (adjourned_at, adjourned_at + live_table.WAITS)
    assert words.startswith("Everybody has left")


def test_the_end_says_for_whom_a_bot_played_and_from_when(tmp_path, monkeypatch):
    async def do(there):
        chance, moved = random.Random(1), 0
        while there.live.table.status == kinds.PLAYING:
            seen = await there.seen(there.ann)
            away = seen["table"]["seats"][1]["stand_in"]
            if seen["menu"]:
                move = chance.choice(seen["menu"])["action"]
                await there.ann.post(f"{there.path}/moves", action=move, decision=seen["table"]["decision"])
            elif away and not moved:
                await asyncio.sleep(15)
                await there.bo.post(f"{there.path}/seats/1")
                moved = 1
            await asyncio.sleep(1)
        return await there.seen(there.ann), await there.ann.get(there.path), there.live.table

    seen, page, over = played(tmp_path, monkeypatch, do)
    spells = seen["result"]["stand_ins"]
    entries = over.playing().moves_made
    assert [(spell["seat"], spell["bot"], spell["name"]) for spell in spells] == [(1, "Squire", "Bo")] * len(spells)
    assert [entries[spell["step"] - 1].kind for spell in spells] == [STAND_IN] * len(spells) and len(spells) > 1
    assert all(spell["until"] is not None for spell in spells[:-1]) and spells[-1]["until"] is None
    last = spells[-1]["since"]
    assert last.startswith("turn ") or last.startswith("round ")
    assert f"Squire, a bot, played for Bo from {last} on</a>" in page
    assert f'/replay?step={spells[-1]["step"]}" rel="nofollow">Squire, a bot' in unescape(page)
