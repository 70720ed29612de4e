"""Replays: a finished game is replayed once, in slices, and every step shows what each viewer saw."""

import asyncio
import dataclasses
import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import quintain
from quintain.server.slices import SLICE, Slices
from quintain.server.tables import replays as service
from quintain.server.tables.replays import Replay
from server.guests import Guest, Serving, is_over, wait_until


def played(game, seed=1):
    """Play a game at random, with an undo and, where others play on, a resignation."""
    match, chance = quintain.Match.new(game, seed=bytes([seed] * 32)), random.Random(seed)
    while not match.outcome:
        seat = min(match.to_act)
        match.play(seat, chance.choice(match.moves(seat)).action)
        if match.can_undo(seat) and chance.random() < 0.2:
            match.undo(seat)
        if match.seats > 2 and not match.outcome and len(match.moves_made) == 30:
            match.resign(0)
    return match


@pytest.mark.parametrize("game", ["goofspiel", "kings-court", "heirless", "robin", "rune-war"])
def test_every_step_shows_each_viewer_what_playing_again_shows(game):
    match = played(game)
    replay = Replay(match)
    steps = list(replay.play(match))
    assert replay.last == len(match.moves_made) == len(steps) - 1
    before = dict.fromkeys((None, *range(match.seats)), 0)
    for number, (entry, again) in enumerate(match.steps()):
        for seat in before:
            moment = replay.at(number, seat)
            assert moment.entry == entry
            seen = again.seen(seat)
            assert moment.seen.view == dataclasses.replace(seen, legal=(), done=()).view
            assert (moment.seen.log, moment.seen.account) == (seen.log, seen.account)
            assert moment.before == before[seat]
            before[seat] = len(seen.log)


def finished(serving, *guests):
    """Return a table at which two guests have played to the end."""
    ann, bo = guests or (serving.guest("Ann"), serving.guest("Bo"))
    table = ann.make("goofspiel", "me", "open", options={"cards": 3})
    bo.sit(table, 1)
    chance = random.Random(1)
    wait_until(lambda: [guest.move_at_random(table, chance) for guest in (ann, bo)] and is_over(ann.view(table)))
    return table


@pytest.fixture
def played_again(monkeypatch):
    """Count how often a match is played again for a replay."""
    times, play = [], Replay.play
    monkeypatch.setattr(Replay, "play", lambda replay, match: times.append(match) or play(replay, match))
    return times


def test_a_game_is_replayed_once_even_if_many_look_at_its_steps(serving, played_again):
    table = finished(serving)
    guests = [serving.guest() for _ in range(4)]

    def look(guest: Guest):
        return [guest.get(f"/tables/{table}/replay?step={step}").status_code for step in range(8)]

    with ThreadPoolExecutor(4) as pool:
        assert {status for found in pool.map(look, guests) for status in found} == {200}
    assert len(played_again) == 1


def test_steps_out_of_range_are_the_first_and_the_last(serving):
    table = finished(serving)
    guest = serving.guest("Eve")
    first, last, before, after = (
        guest.get(f"/tables/{table}/replay?step={step}").text for step in (0, 6, -(10**30), 10**30)
    )
    assert (before, after) == (first, last)
    assert first != last


def test_replays_in_memory_are_bounded(tmp_path, goofspiel, monkeypatch, played_again):
    with Serving(tmp_path) as serving:
        guests = serving.guest("Ann"), serving.guest("Bo")
        one, other = finished(serving, *guests), finished(serving, *guests)
        pages = [guests[0].get(f"/tables/{table}/replay").status_code for table in (one, other, one)]
        assert pages == [200] * 3 and len(played_again) == 2
        monkeypatch.setattr(service, "MOST_BYTES", 1)
        third = finished(serving, *guests)
        for table in (third, third, one):
            assert guests[0].get(f"/tables/{table}/replay").status_code == 200
        assert len(played_again) == 4, "the last one is kept, the others are not"


def busy_steps(number):
    """Work without a pause, in steps."""
    for _ in range(number):
        until = time.perf_counter() + SLICE / 3
        while time.perf_counter() < until:
            pass
        yield


def turns_beside(work):
    """Return how often another task had its turn while some work was done."""

    async def run():
        turns, done = 0, asyncio.ensure_future(work())
        while not done.done():
            turns += 1
            await asyncio.sleep(0)
        await done
        return turns

    return asyncio.run(run())


def test_others_have_their_turn_between_the_slices_of_long_work():
    slices = Slices()

    async def all_at_once():
        await asyncio.gather(*(slices.do(busy_steps(40)) for _ in range(5)))

    assert turns_beside(all_at_once) > 5 * 40 / 3 / 2


def test_others_have_their_turn_between_any_two_short_steps():
    slices = Slices()

    async def step():
        async with slices.turn():
            list(busy_steps(1))

    async def all_at_once():
        await asyncio.gather(*(step() for _ in range(50)))

    assert turns_beside(all_at_once) >= 50
