"""The bench: jobs run one at a time, addresses take turns, and too many jobs are refused."""

import asyncio
import threading

import pytest

from quintain.server.refused import Refused
from quintain.server.turns import Asker
from quintain.server.workshop import bench


def test_jobs_run_one_at_a_time_and_addresses_take_turns():
    async def run():
        place, done, running = bench.Bench(), [], threading.Lock()

        def job(name):
            assert running.acquire(blocking=False)
            done.append(name)
            running.release()
            return name

        asked = [place.work(Asker("here", "ann"), job, f"ann {number}") for number in range(3)]
        asked.append(place.work(Asker("there", "bo"), job, "bo"))
        assert await asyncio.gather(*asked) == ["ann 0", "ann 1", "ann 2", "bo"]
        assert done.index("bo") < 2

    asyncio.run(run())


def test_too_many_jobs_of_an_address_are_refused(monkeypatch):
    monkeypatch.setattr(bench, "MOST_OF_ONE", 2)

    async def run():
        place = bench.Bench()
        asked = [asyncio.create_task(place.work(Asker("here", "ann"), str)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="many sets are being changed"):
            await place.work(Asker("here", "eve"), str)
        assert await place.work(Asker("there", "bo"), str) == ""
        await asyncio.gather(*asked)

    asyncio.run(run())


def test_a_job_that_fails_says_so_to_whoever_asked():
    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(bench.Bench().work(Asker("here", "ann"), int, "x"))
