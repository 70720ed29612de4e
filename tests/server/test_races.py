"""Races: of all answers to one decision one is taken, and others never get in its way."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from quintain.engine.errors import IllegalMove
from quintain.server.store import Store
from quintain.server.table import Refused
from quintain.server.tables import ME, OPEN, Tables
from quintain.server.workers import Workers
from server.guests import is_over, wait_until


def test_of_a_hundred_posts_for_one_decision_exactly_one_is_taken(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    menu, decision = ann.view(table)["view"]["menu"], ann.view(table)["table"]["decision"]

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


def test_who_loses_the_race_for_a_place_in_the_log_tries_again_while_the_decision_is_open(tmp_path):
    async def play():
        async with two_servers(tmp_path) as (one, other, table):
            here, there = await one.get(table.id), await other.get(table.id)
            await one.move(here, "ann", 1, "bid 5")
            assert there.seq == 0, "the other server has not heard of it"
            await other.move(there, "bo", 1, "bid 7")
            assert [entry.text for entry in await one.store.entries(table.id)] == ["bid 5", "bid 7"]
            assert there.seq == 2
            with pytest.raises(Refused, match="changed"):
                await one.move(here, "bo", 1, "bid 8")
            assert here.seq == 2
            with pytest.raises(IllegalMove):
                await one.move(here, "bo", 2, "bid 7")

    asyncio.run(play())


def two_servers(folder):
    """Two servers on one database, and a table of Goofspiel at which Ann and Bo have sat down."""

    class Both:
        async def __aenter__(self):
            self.stores = [Store.open(folder / "server.sqlite") for _ in range(2)]
            self.tables = [Tables(await store.__aenter__(), Workers(1), lambda _: None) for store in self.stores]
            one, other = self.tables
            for player in ("ann", "bo"):
                await one.store.name_player(player, player.capitalize())
            table = await one.add("ann", "Ann", "goofspiel", [ME, OPEN], {})
            await one.sit_down(table, 1, "bo", "Bo")
            return one, other, table

        async def __aexit__(self, *error):
            for tables, store in zip(self.tables, self.stores, strict=True):
                await tables.stop()
                await store.__aexit__(*error)

    return Both()


def test_of_two_who_want_one_seat_one_gets_it(serving):
    ann, others = serving.guest("Ann"), [serving.guest(name) for name in ("Bo", "Cy", "Di")]
    table = ann.make("goofspiel", "me", "open")
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda guest: guest.post(f"/tables/{table}/seats/1").status_code, others))
    assert sorted(answers) == [200, 409, 409]


def log(serving, table):
    return [{"seat": entry.seat, "text": entry.text} for entry in asyncio.run(read(serving, table))]


async def read(serving, table):
    async with Store.open(serving.house.config.database) as store:
        return await store.entries(table)
