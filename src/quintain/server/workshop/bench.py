"""The bench on which sets are worked: one job at a time, in a thread, while all other requests are answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from quintain.server.aside import aside
from quintain.server.refused import Refused
from quintain.server.turns import Asker, QueueRunner

MOST_WAITING, MOST_OF_ONE = 64, 8
"""Jobs that may wait at the same time, from everybody and from one address; the server refuses more."""
Given = ParamSpec("Given")
Result = TypeVar("Result")


class Bench:
    """Does what takes a tenth of a second or more: a set is read and checked as a whole after each change."""

    def __init__(self) -> None:
        self._queue = QueueRunner()

    async def work(self, asker: Asker, do: Callable[Given, Result], *args: Given.args, **more: Given.kwargs) -> Result:
        """Return what a function returns; addresses take turns. Raises Refused if too many jobs wait."""
        if self._queue.waiting() >= MOST_WAITING or self._queue.waiting(asker.owner) >= MOST_OF_ONE:
            raise Refused(503, "many sets are being changed just now: wait a moment")
        return await self._queue.run(asker, lambda: aside(do, *args, **more))
