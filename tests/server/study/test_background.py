"""Work in the background: what goes on right after a stop is not passed over."""

import asyncio

from quintain.server.slices import cancelled, unbroken
from quintain.server.study.background import Background


class Row:
    """A row that notes who claims it, as `Claims` does in a database; each answer takes a moment."""

    unavailable = (OSError,)
    renewed_after = 60.0

    def __init__(self):
        self.is_claimed = False

    async def claim(self, key):
        await asyncio.sleep(0)
        was, self.is_claimed = self.is_claimed, True
        return not was

    async def release(self, key, problem=""):
        await asyncio.sleep(0.01)
        self.is_claimed = False
        await asyncio.sleep(0.01)

    async def stop(self, key, why=""):
        self.is_claimed = False
        await asyncio.sleep(0.01)


def run(do):
    async def soon():
        async with asyncio.timeout(10):
            await do()

    asyncio.run(soon())


def test_work_that_is_begun_while_it_is_being_stopped_goes_on_after_it():
    begun = []

    async def work():
        begun.append(True)
        await asyncio.sleep(60)
        return ""

    async def both():
        background = Background(Row(), "work", "it failed")
        await background.begin("a", work)
        await asyncio.sleep(0)
        stopping = asyncio.create_task(background.stop("a"))
        await asyncio.sleep(0)
        await background.begin("a", work)
        await stopping
        await asyncio.sleep(0.1)
        assert len(begun) == 2
        await background.close()

    run(both)


def test_work_that_is_begun_as_it_ends_is_done_again():
    begun, row = [], Row()

    async def work():
        begun.append(True)
        return ""

    async def both():
        background = Background(row, "work", "it failed")
        await background.begin("a", work)
        while not begun or row.is_claimed:
            await asyncio.sleep(0.001)
        await background.begin("a", work)
        await asyncio.sleep(0.1)
        assert len(begun) == 2
        await background.close()

    run(both)


def test_work_that_must_not_break_is_done_before_its_waiter_is_cancelled():
    done = []

    async def work():
        await asyncio.sleep(0.05)
        done.append(True)

    async def both():
        waiting = asyncio.create_task(unbroken(work()))
        await asyncio.sleep(0.01)
        await cancelled([waiting])
        assert waiting.cancelled() and done

    run(both)
