"""Races: the server takes one of several answers to a decision, and shows nothing that is not on disk."""

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosedError

from quintain.engine.errors import IllegalMove
from quintain.engine.play.match import Match
from quintain.server.beside.workers import Workers
from quintain.server.model.entries import MOVED
from quintain.server.model.making import ME, OPEN
from quintain.server.refused import Refused, Stopping
from quintain.server.store.store import Store
from quintain.server.tables import acts
from quintain.server.tables.memory import IN_PLAY, Tables
from quintain.server.turns import Asker
from server.guests import PATIENCE, Serving, is_over, wait_until

pytestmark = pytest.mark.both_stores(always=True)


def test_of_a_hundred_posts_for_one_decision_exactly_one_is_taken(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    menu, decision = ann.view(table)["menu"], ann.view(table)["table"]["decision"]

    def post(number):
        return ann.move(table, menu[number % len(menu)]["action"], decision).status_code

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(post, range(100)))
    assert sorted(answers) == [200] + [409] * 99
    assert [entry["seat"] for entry in log(serving, table)] == [0]


def test_both_seats_secret_picks_posted_at_once_are_taken(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open")
    bo.sit(table, 1)
    for card in range(1, 13):
        decisions = [guest.view(table)["table"]["decision"] for guest in (ann, bo)]
        asked = zip((ann, bo), decisions, strict=True)
        with ThreadPoolExecutor(2) as threads:
            posts = [threads.submit(guest.move, table, f"bid {card}", decision) for guest, decision in asked]
        assert [post.result().status_code for post in posts] == [200, 200]
    wait_until(lambda: is_over(ann.view(table)))
    assert len(log(serving, table)) == 26, "the last cards are bid without being asked"


def test_who_loses_the_race_for_a_place_in_the_log_tries_again_while_the_decision_is_open(database):
    async def play():
        async with two_servers(database) as (one, other, table):
            here, there = await one.get(table.id), await other.get(table.id)
            await acts.move(one, here, "ann", 1, 5)
            assert there.table.seq == 3, "the other server has not heard of it"
            await acts.move(other, there, "bo", 1, 7)
            assert played(await one.store.entries(table.id)) == ["bid 5", "bid 7"]
            assert there.table.seq == 5
            with pytest.raises(Refused, match="changed"):
                await acts.move(one, here, "bo", 1, 8)
            assert here.table.seq == 5
            with pytest.raises(IllegalMove):
                await acts.move(one, here, "bo", 2, 7)

    asyncio.run(play())


@pytest.fixture
def watched(database):
    """A table of King's Court, at which Ann is to put a counter; Bo's socket is there, and its first view received.

    On PostgreSQL, too, all of them are at one server, whose memory these tests look at.
    """
    with Serving(database) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table = ann.make("kings-court", "me", "open", hints=True)
        bo.sit(table, 1)
        with bo.watching(table) as socket:
            assert "Bo" in socket.recv(timeout=PATIENCE)
            yield serving, ann, bo, table, socket


def test_a_move_is_carried_out_while_it_is_written_but_nobody_sees_it_before_it_is_on_disk(watched, monkeypatch):
    serving, ann, bo, table, socket = watched
    on_disk = slow_disk(serving, monkeypatch)
    seen = ann.view(table)
    choice = seen["menu"][0]["action"]
    with ThreadPoolExecutor(3) as threads:
        try:
            posted = threads.submit(ann.move, table, choice, seen["table"]["decision"])
            wait_until(lambda: serving.table(table).seq == 4)
            looks = [threads.submit(bo.view, table), threads.submit(bo.get, f"/tables/{table}")]
            with pytest.raises(TimeoutError):
                socket.recv(timeout=0.7)
            assert not any(waiting.done() for waiting in (posted, *looks))
        finally:
            on_disk.set()
        assert posted.result().status_code == 200
        assert "Ann puts a counter" in str(looks[0].result()["log"]) and "Ann puts a counter" in looks[1].result().text
    assert "Ann puts a counter" in socket.recv(timeout=PATIENCE)


def test_an_answer_that_took_its_time_shows_nothing_that_is_not_on_disk(watched, monkeypatch):
    serving, ann, _, table, _ = watched
    asked, go_on = threading.Event(), threading.Event()

    async def judge(*_):
        asked.set()
        await happened(go_on)
        return []

    monkeypatch.setattr(serving.site.tables.workers, "judge", judge)
    answer = answer_over_a_move(watched, monkeypatch, lambda: ann.post(f"/tables/{table}/hint"), asked, go_on)
    assert "You put" in str(answer.json()["log"])


def test_a_move_that_cannot_be_written_is_taken_back_unseen_and_can_be_made_again(watched, monkeypatch, caplog):
    serving, ann, bo, table, socket = watched
    before, seen = bo.view(table), ann.view(table)
    choice = seen["menu"][0]["action"]

    async def fail(*_):
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(serving.site.store, "add", fail)
        assert ann.move(table, choice, seen["table"]["decision"]).status_code == 500
    assert "the disk is full" in caplog.text
    assert (bo.view(table), ann.view(table)) == (before, seen)
    assert ann.move(table, choice, seen["table"]["decision"]).status_code == 200
    assert "Ann puts a counter" in socket.recv(timeout=PATIENCE), "nothing else was sent in between"
    assert len(log(serving, table)) == 1


def test_a_refused_form_shows_nothing_that_is_not_on_disk(watched, monkeypatch):
    serving, _, bo, table, _ = watched
    asked, go_on = threading.Event(), threading.Event()
    named = serving.site.named

    async def name_slowly(visitor):
        asked.set()
        await happened(go_on)
        return await named(visitor)

    def refused():
        monkeypatch.setattr(type(serving.site), "named", lambda _, visitor: name_slowly(visitor))
        return bo.submit(f"/tables/{table}/moves", action=0, decision=77)

    assert answer_over_a_move(watched, monkeypatch, refused, asked, go_on).status_code == 409


def test_a_move_whose_carrying_out_fails_is_neither_on_disk_nor_in_memory(watched, monkeypatch):
    serving, ann, bo, table, _ = watched
    before, seen = bo.view(table), ann.view(table)
    match = serving.table(table).match
    action, decision = seen["menu"][0]["action"], seen["table"]["decision"]
    monkeypatch.setattr(match, "_after_change", None)
    assert ann.move(table, action, decision).status_code == 500
    assert (bo.view(table), ann.view(table)) == (before, seen) and not log(serving, table)
    assert ann.move(table, action, decision).status_code == 200
    assert len(log(serving, table)) == 1 and serving.table(table).seq == 4


def test_a_table_that_can_be_neither_written_nor_read_is_opened_anew_by_the_next_visitor(watched, monkeypatch):
    serving, ann, bo, table, socket = watched
    before, seen, live = bo.view(table), ann.view(table), serving.table(table)
    action, decision = seen["menu"][0]["action"], seen["table"]["decision"]

    store, is_gone = serving.site.store, threading.Event()

    async def lose_the_disk(*_):
        is_gone.set()
        raise OSError("the disk is gone")

    async def read(*given, entries=store.entries):
        return await (lose_the_disk() if is_gone.is_set() else entries(*given))

    with monkeypatch.context() as patched:
        patched.setattr(store, "add", lose_the_disk)
        patched.setattr(store, "entries", read)
        assert ann.move(table, action, decision).status_code == 500
        with pytest.raises(ConnectionClosedError):
            while True:
                assert "Ann puts a counter" not in socket.recv(timeout=PATIENCE)
        assert bo.get(f"/tables/{table}.json").status_code == 500
    assert bo.view(table)["view"] == before["view"] and serving.table(table) is not live
    assert ann.move(table, action, decision).status_code == 200
    assert len(log(serving, table)) == 1


def test_a_game_whose_end_cannot_be_written_goes_on_and_can_end_later(watched, monkeypatch, caplog):
    serving, ann, bo, table, socket = watched
    before = bo.view(table)

    async def fail(*_):
        raise OSError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(serving.site.store, "add", fail)
        assert ann.post(f"/tables/{table}/resign").status_code == 500
    assert "no space left" in caplog.text
    assert bo.view(table) == before and not log(serving, table)
    assert ann.post(f"/tables/{table}/resign").status_code == 200
    while "You win" not in socket.recv(timeout=PATIENCE):
        pass
    assert is_over(ann.view(table))
    assert ann.get(f"/tables/{table}/record.json").status_code == 200
    assert len(log(serving, table)) == 1


def test_nobody_has_less_time_after_a_change_that_was_lost(database):
    async def play():
        async with two_servers(database) as (one, other, table):
            here, there = await one.get(table.id), await other.get(table.id)
            there.table.times.asked_at[0] = later = there.table.times.asked_at[0] + 1000
            await acts.move(one, here, "bo", 1, 7)
            with pytest.raises(Refused, match="changed"):
                await acts.move(other, there, "bo", 1, 8)
            assert there.table.seq == 4 and there.table.times.asked_at[0] == later

    asyncio.run(play())


def test_stopping_waits_for_what_is_being_written_though_nobody_waits_for_the_answer(database, monkeypatch):
    async def play():
        async with two_servers(database) as (one, other, table):
            here, add, on_disk = await one.get(table.id), one.store.add, asyncio.Event()

            async def add_slowly(*given):
                await on_disk.wait()
                return await add(*given)

            monkeypatch.setattr(one.store, "add", add_slowly)
            moving = asyncio.create_task(acts.move(one, here, "ann", 1, 5))
            while here.table.seq < 4:
                await asyncio.sleep(0)
            moving.cancel()
            stopping = asyncio.create_task(one.stop())
            assert not (await asyncio.wait([stopping], timeout=0.3))[0]
            on_disk.set()
            await stopping
            assert played(await other.store.entries(table.id)) == ["bid 5"]

    asyncio.run(play())


def answer_over_a_move(watched, monkeypatch, ask, asked, go_on):
    """Return the answer to `ask` if Ann moves after it was `asked` and before it may `go_on`; the disk comes first."""
    serving, ann, _, table, _ = watched
    seen, on_disk = ann.view(table), slow_disk(serving, monkeypatch)
    with ThreadPoolExecutor(2) as threads:
        try:
            answer = threads.submit(ask)
            assert asked.wait(PATIENCE)
            threads.submit(ann.move, table, seen["menu"][0]["action"], seen["table"]["decision"])
            wait_until(lambda: serving.table(table).seq == 4)
            go_on.set()
            with pytest.raises(TimeoutError):
                answer.result(timeout=0.7)
        finally:
            go_on.set()
            on_disk.set()
        return answer.result()


def slow_disk(serving, monkeypatch):
    """Hold back all writes to the log until the returned event is set."""
    store, on_disk = serving.site.store, threading.Event()
    add = store.add

    async def add_slowly(*given):
        await happened(on_disk)
        return await add(*given)

    monkeypatch.setattr(store, "add", add_slowly)
    return on_disk


async def happened(event):
    """Wait for what happens in another thread."""
    while not event.is_set():
        await asyncio.sleep(0.01)


def two_servers(database):
    """Two servers on one database, and a table of Goofspiel at which Ann and Bo have sat down."""

    class Both:
        async def __aenter__(self):
            self.stores = [Store.open(database) for _ in range(2)]
            self.tables = [
                Tables(await store.__aenter__(), Workers(1), lambda _: None, lambda _: None) for store in self.stores
            ]
            one, other = self.tables
            for player in ("ann", "bo"):
                await one.store.name_player(player, player.capitalize())
            table = await acts.add(one, "ann", "goofspiel", [ME, OPEN], {})
            await acts.sit_down(one, table, 1, "bo")
            return one, other, table

        async def __aexit__(self, *error):
            for tables, store in zip(self.tables, self.stores, strict=True):
                await tables.stop()
                await store.__aexit__(*error)

    return Both()


def test_if_two_players_want_one_seat_one_gets_it(serving):
    ann, others = serving.guest("Ann"), [serving.guest(name) for name in ("Bo", "Cy", "Di")]
    table = ann.make("goofspiel", "me", "open")
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda guest: guest.post(f"/tables/{table}/seats/1").status_code, others))
    assert sorted(answers) == [200, 409, 409]


def test_a_player_who_wants_two_seats_at_once_gets_one(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("heirless", "me", "open", "open", "open")
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda seat: bo.post(f"/tables/{table}/seats/{seat}").status_code, (1, 2, 3)))
    assert sorted(answers) == [200, 409, 409]
    assert [seat["kind"] for seat in ann.view(table)["table"]["seats"]].count("empty") == 2


def test_the_search_computes_a_hint_once_for_many_requests(watched, monkeypatch):
    serving, ann, _, table, _ = watched
    asked, go_on = [], threading.Event()

    async def judge(*given):
        asked.append(given)
        await happened(go_on)
        return []

    monkeypatch.setattr(serving.site.tables.workers, "judge", judge)
    with ThreadPoolExecutor(5) as threads:
        posts = [threads.submit(ann.post, f"/tables/{table}/hint") for _ in range(5)]
        wait_until(lambda: asked)
        assert ann.post("/name", name="Ann").status_code == 200, "the server goes on"
        go_on.set()
        assert [post.result().status_code for post in posts] == [200] * 5
    assert len(asked) == 1 and not serving.site.tables.in_memory()[0].advising


def test_a_dead_worker_is_replaced_once_even_if_many_ask():
    async def ask():
        workers = Workers(1)
        (worker,) = workers.bots
        asker = Asker("a player", "a table")
        try:
            first = await worker.run(asker, "a job", os.getpid)
            os.kill(first, signal.SIGKILL)
            others = set(await asyncio.gather(*[worker.run(asker, "a job", os.getpid) for _ in range(9)]))
            assert len(others) == 1 and first not in others
            with pytest.raises(RuntimeError, match="died twice"):
                await worker.run(asker, "a job", os._exit, 1)
            assert await worker.run(asker, "a job", abs, -1) == 1
        finally:
            workers.stop()

    asyncio.run(ask())


def test_a_job_that_fails_says_why_and_the_worker_goes_on():
    async def ask():
        workers = Workers(1)
        try:
            with pytest.raises(RuntimeError, match="ZeroDivisionError"):
                await workers.bots[0].run(Asker("a player", "a table"), "a job", divmod, 1, 0)
            assert await workers.bots[0].run(Asker("a player", "a table"), "a job", abs, -1) == 1
        finally:
            workers.stop()

    asyncio.run(ask())


def test_bots_think_in_turn_for_players_and_their_tables_and_nobody_waits_behind_thirty_tables():
    done = []

    async def ask():
        workers = Workers(1)
        (worker,) = workers.bots

        async def think(player, table):
            await worker.run(Asker(player, table), "a job", abs, 0)
            done.append((player, table))

        try:
            many = [think("Ann", f"table {number}") for number in range(30)]
            more = [think("Ann", "table 0") for _ in range(5)]
            await asyncio.gather(*many, *more, think("Bo", "his table"))
        finally:
            workers.stop()

    asyncio.run(ask())
    assert done[:2] == [("Ann", "table 0"), ("Bo", "his table")]
    assert done[2:31] == [("Ann", f"table {number}") for number in range(1, 30)], "her tables take turns too"
    assert done[31:] == [("Ann", "table 0")] * 5


def test_a_hint_does_not_wait_for_bots():
    async def ask():
        workers = Workers(1)
        court = Match.new("kings-court", seed=bytes(32))
        seat = min(court.to_act)
        asker = Asker("Ann", "a table")
        try:
            thinking = asyncio.create_task(workers.bots[0].run(asker, "a job", time.sleep, 600))
            while (judged := await workers.judge(asker, court.seen(seat))) is None:
                await asyncio.sleep(1)
            assert judged and {one.action for one in judged} <= {move.action for move in court.moves(seat)}
            assert not thinking.done()
        finally:
            workers.stop()
        with pytest.raises(Stopping):
            await thinking

    asyncio.run(ask())


def log(serving, table):
    return [
        {"seat": entry.seat, "text": entry.text} for entry in asyncio.run(read(serving, table)) if entry.kind in IN_PLAY
    ]


def played(entries):
    return [entry.text for entry in entries if entry.kind == MOVED]


async def read(serving, table):
    async with Store.open(serving.site.config.database) as store:
        return await store.entries(table)
