"""Bots that think in a worker of the page: what a question to it is, and how it answers.

`BrowserMinds` asks; `answered` runs in the worker, which has a Python of its own. Both are the same version, so pickles
of `Seen` go between them, as between a server and its processes.
"""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable

from quintain.bots.ismcts import Judgement
from quintain.engine.seen.seen import Seen
from quintain.server.tables import thinking
from quintain.server.tables.thinking import Chosen
from quintain.server.turns import Asker, QueueRunner

CHOOSE, JUDGE = "choose", "judge"
Asking = Callable[[str, bytes], Awaitable[bytes]]
"""Sends the id of a game and a question to the worker, and returns its answer."""


class BrowserMinds:
    """Lets bots think in another worker, one after another."""

    def __init__(self, ask: Asking):
        self._ask, self._queue = ask, QueueRunner()

    async def choose(self, asker: Asker, level: str, seen: Seen) -> Chosen:
        """Return the action that a bot chooses."""
        question = pickle.dumps((CHOOSE, f"{asker.part}/{seen.seat}", level, seen))
        chosen: Chosen = pickle.loads(await self._queue.run(asker, lambda: self._ask(seen.game.id, question)))
        return chosen

    async def judge(self, asker: Asker, seen: Seen) -> list[Judgement] | None:
        """Return the search's judgement of the best actions of a seat."""
        question = pickle.dumps((JUDGE, "", "", seen))
        answer = await self._queue.run(asker, lambda: self._ask(seen.game.id, question))
        judged: list[Judgement] | None = pickle.loads(answer)
        return judged

    @property
    def waiting(self) -> int:
        """How many bots and hints wait for their turn."""
        return self._queue.waiting()

    def stop(self) -> None:
        """Do nothing: the worker ends with the page."""


def answered(question: bytes) -> bytes:
    """Return the answer of the worker to a question."""
    kind, sitter, level, seen = pickle.loads(question)
    return pickle.dumps(thinking.choose(sitter, level, seen) if kind == CHOOSE else thinking.judge(seen))
