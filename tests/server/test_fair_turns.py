"""Turns at the event loop: a household that has cost little goes first, and what a request awaits passes through."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from quintain.server.http.costs import AT_ONCE, Fair, FairTurns, Metered, count_connection
from quintain.server.limits import Limit, Rate


def spend(seconds: float = 0.001) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def request(steps: list[str], who: str, number: int) -> None:
    """Keep the loop busy so many times, and note each."""
    for _ in range(number):
        spend()
        steps.append(who)
        await asyncio.sleep(0)


def metered(turns: FairTurns, coroutine, who: str) -> asyncio.Task[None]:
    async def run() -> None:
        await Metered(coroutine, turns, who)

    return asyncio.create_task(run())


def test_a_household_that_has_cost_little_goes_before_all_requests_of_one_that_has_cost_much():
    async def play() -> list[str]:
        turns, steps = FairTurns(Limit(Rate(8, 0.4))), []
        many = [metered(turns, request(steps, "many", 5), "many") for _ in range(20)]
        while len(steps) < 10:
            await asyncio.sleep(0)
        begun = len(steps)
        few = metered(turns, request(steps, "few", 5), "few")
        await few
        since = steps[begun:]
        await asyncio.gather(*many)
        assert steps.count("many") == 100
        return since

    since = asyncio.run(play())
    assert since.count("few") == 5
    assert since.count("many") <= 8, "between two of its steps another household has one turn at most"


def test_households_that_have_cost_the_same_take_turns():
    async def play() -> list[str]:
        turns, steps = FairTurns(Limit(Rate(8, 0.0))), []
        await asyncio.gather(*(metered(turns, request(steps, who, 4), who) for who in "aaaabbbb"))
        return steps

    steps = asyncio.run(play())
    assert abs(steps[:16].count("a") - 8) <= 3


def test_each_step_is_charged_and_nothing_is_charged_while_a_request_waits():
    async def play() -> float:
        turns = FairTurns(Limit(Rate(8, 0.0)))

        async def slow() -> None:
            await asyncio.sleep(0.1)
            spend(0.02)
            await asyncio.sleep(0.1)

        await metered(turns, slow(), "a")
        return 8 - turns.limit.left("a")

    assert 0.02 <= asyncio.run(play()) < 0.1


def test_errors_results_and_cancellations_pass_through():
    async def play() -> list[str]:
        turns, seen = FairTurns(Limit(Rate(8, 0.4))), []

        async def fails() -> None:
            await asyncio.sleep(0)
            raise ValueError("a fault")

        async def waits() -> None:
            try:
                await asyncio.get_running_loop().create_future()
            except asyncio.CancelledError:
                seen.append("cancelled")
                raise

        async def awaits() -> None:
            done = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_later(0.01, done.set_result, "a result")
            seen.append(await done)

        with pytest.raises(ValueError, match="a fault"):
            await metered(turns, fails(), "a")
        await metered(turns, awaits(), "a")
        waiting = metered(turns, waits(), "a")
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        unbegun = metered(turns, waits(), "a")
        await asyncio.sleep(0)
        unbegun.cancel()
        with pytest.raises(asyncio.CancelledError):
            await unbegun
        await metered(turns, awaits(), "a")
        return seen

    assert asyncio.run(play()) == ["a result", "cancelled", "a result"]


def test_of_one_household_only_so_many_requests_are_answered_at_once_and_none_whose_client_is_gone():
    busy, most, answered = 0, [], []

    async def app(scope, receive, send):
        nonlocal busy
        busy += 1
        most.append(busy)
        await asyncio.sleep(0.01)
        busy -= 1
        answered.append(scope["client"][0])

    class Cycle:
        disconnected = False

        async def receive(self):
            raise AssertionError

    async def play():
        site = SimpleNamespace(turns=FairTurns(Limit(Rate(8, 0.4))))
        litestar = SimpleNamespace(state=SimpleNamespace(site=site))
        fair, cycles = Fair(app), [Cycle() for _ in range(3 * AT_ONCE)]

        def ask(cycle, who):
            scope = {"type": "http", "client": (who, 1), "litestar_app": litestar}
            return asyncio.create_task(fair(scope, cycle.receive, None))

        asked = [ask(cycle, "192.0.2.1") for cycle in cycles]
        await asyncio.sleep(0.005)
        for cycle in cycles[AT_ONCE : 2 * AT_ONCE]:
            cycle.disconnected = True
        await ask(Cycle(), "192.0.2.2")
        await asyncio.gather(*asked)
        assert not fair._households, "nothing is kept about households that want nothing"

    asyncio.run(play())
    assert max(most) == AT_ONCE + 1, "another household waits for none of them"
    assert answered.count("192.0.2.1") == 2 * AT_ONCE


def test_a_request_that_holds_a_connection_to_the_database_waits_for_no_turn():
    """Else those who come first would wait for the few connections that those who come last hold."""

    async def play() -> list[str]:
        turns, steps = FairTurns(Limit(Rate(8, 0.0))), []
        turns.limit.charge("much", 5)

        async def hold() -> None:
            count_connection(1)
            for _ in range(3):
                await asyncio.sleep(0)
                steps.append("held")
            count_connection(-1)
            await asyncio.sleep(0)
            steps.append("free")

        holding = metered(turns, hold(), "much")
        while not turns._waiting:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        few = [metered(turns, request(steps, "few", 10), "few") for _ in range(3)]
        await asyncio.gather(holding, *few)
        return steps

    steps = asyncio.run(play())
    assert steps.index("free") > 25, "who has cost much waits for the others"
    assert [place for place, step in enumerate(steps) if step == "held"][-1] < 10, "but not with a connection in hand"
