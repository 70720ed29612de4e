"""Skipping: to the end, when all people at a table are out of the game, or to a player's own next turn."""

import asyncio
import random

import pytest

from server.guests import PATIENCE, Serving, is_over, wait_until


@pytest.fixture
def slow(tmp_path):
    with Serving(tmp_path, pace=100.0) as serving:
        yield serving


@pytest.fixture
def less_slow(tmp_path):
    """A server whose bots take 8 seconds for a move: so long a test can wait."""
    with Serving(tmp_path, pace=10.0) as serving:
        yield serving


def test_a_player_who_has_resigned_skips_to_the_end_of_the_bots_game(slow):
    ann = slow.guest("Ann")
    table = ann.make("rune-war", "me", "random", "random")
    assert ann.view(table)["table"]["can_skip"] is False
    assert ann.post(f"/tables/{table}/skip").status_code == 409
    ann.post(f"/tables/{table}/resign")
    seen = ann.view(table)
    assert seen["table"]["can_skip"] is True and seen["table"]["can_resign"] is False
    assert ann.post(f"/tables/{table}/skip").status_code == 200
    wait_until(lambda: is_over(ann.view(table)))


def test_nobody_skips_while_another_person_is_in_the_game(slow):
    ann, bo = slow.guest("Ann"), slow.guest("Bo")
    table = ann.make("rune-war", "me", "open", "random")
    bo.sit(table, 1)
    ann.post(f"/tables/{table}/resign")
    assert ann.view(table)["table"]["can_skip"] is False
    answer = ann.post(f"/tables/{table}/skip")
    assert answer.status_code == 409 and "all people here are out" in answer.text
    assert not is_over(ann.view(table))


def test_a_player_who_waits_for_bots_skips_to_their_turn(slow):
    ann = slow.guest("Ann")
    table = ann.make("kings-court", "random", "me")
    wait_until(lambda: ann.view(table)["table"]["waits_for_bots"] or ann.view(table)["menu"])
    while ann.view(table)["menu"]:
        ann.move_at_random(table, random.Random(5))
    assert ann.view(table)["table"]["waits_for_bots"] == "a second", "one move of a bot takes 100 seconds here"
    page = ann.get(f"/tables/{table}").text
    assert 'form="hurry"' in page and "For at most a second a move." in page and "thinks" in page
    assert ann.post(f"/tables/{table}/hurry").status_code == 200
    wait_until(lambda: ann.view(table)["menu"])
    page = ann.get(f"/tables/{table}").text
    assert 'form="hurry"' not in page
    eve = slow.guest("Eve")
    assert eve.post(f"/tables/{table}/hurry").status_code == 403


def test_bots_choose_in_secret_side_by_side_and_end_together_or_at_once_if_hurried(less_slow):
    ann = less_slow.guest("Ann")
    table = ann.make("heirless", "me", "random", "random", "random")
    live = less_slow.live(table)
    match = live.table.playing()
    while ann.view(table)["menu"]:
        ann.move_at_random(table, random.Random(5))
    wait_until(lambda: len(live.ready) == 3)
    assert match.view(None).phase.key == "muster", "a secret choice takes 32 seconds here"
    assert max(each.at for each in live.ready.values()) - min(each.at for each in live.ready.values()) < 1.0
    ann.post(f"/tables/{table}/hurry")
    wait_until(lambda: match.view(None).phase.key != "muster")


def test_battles_of_bots_alone_do_not_pause(slow):
    ann = slow.guest("Ann")
    table = ann.make("heirless", "me", "random", "random", "random")
    live = slow.live(table)
    while not live.table.playing().view(None).scene:
        if not ann.move_at_random(table, random.Random(5)):
            ann.post(f"/tables/{table}/hurry")
    sides = [side.seat for side in live.table.playing().view(None).scene.sides if side.seat is not None]
    assert live.is_among_bots == (0 not in sides)


@pytest.mark.parametrize("turns", range(5))
def test_a_steward_ends_even_if_somebody_hurries_its_bot_at_that_moment(slow, turns):
    ann = slow.guest("Ann")
    table = ann.make("kings-court", "me", "random")
    live, stewards = slow.live(table), slow.site.tables.stewards
    wait_until(lambda: live.thoughts[1])  # the bot has chosen, and waits for its time

    async def hurry_and_stop():
        (steward,) = stewards._tasks.values()
        live.hurrying.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        steward.cancel()
        await asyncio.wait([steward], timeout=PATIENCE / 10)
        return steward.done()

    assert asyncio.run_coroutine_threadsafe(hurry_and_stop(), slow.loop).result(PATIENCE), "the steward plays on"
