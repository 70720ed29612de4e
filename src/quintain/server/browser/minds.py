"""Bots that think in a worker of the page: what a question to it is, and how it answers.

`BrowserMinds` asks; `answered` runs in the worker, which has a Python of its own. Both are the same version, so pickles
of `Seen` go between them, as between a server and its processes.
"""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable

from quintain.bots import BY_NET
from quintain.bots.ismcts import Judgement
from quintain.bots.shipped_nets import nets_of
from quintain.engine.rules.compiling.libraries import FOLDER, PACKAGE
from quintain.engine.rules.compiling.targets import here
from quintain.engine.seen.seen import Seen
from quintain.server.model.levels import playable
from quintain.server.tables import thinking
from quintain.server.tables.thinking import Chosen
from quintain.server.turns import Asker, QueueRunner

CHOOSE, JUDGE = "choose", "judge"
Asking = Callable[[list[str], bytes], Awaitable[bytes]]
"""Sends a question to the worker, after the files of this package that the answer needs, and returns the answer."""


class BrowserMinds:
    """Lets bots think in another worker, one after another."""

    def __init__(self, ask: Asking):
        self._ask, self._queue = ask, QueueRunner()

    async def choose(self, asker: Asker, level: str, seen: Seen) -> Chosen:
        """Return the action that a bot chooses."""
        files = [*needed(seen), *(nets(seen) if playable(level).kind in BY_NET else ())]
        question = pickle.dumps((CHOOSE, f"{asker.part}/{seen.seat}", level, seen))
        chosen: Chosen = pickle.loads(await self._queue.run(asker, lambda: self._ask(files, question)))
        return chosen

    async def judge(self, asker: Asker, seen: Seen) -> list[Judgement] | None:
        """Return the search's judgement of the best actions of a seat."""
        question = pickle.dumps((JUDGE, "", "", seen))
        answer = await self._queue.run(asker, lambda: self._ask([*needed(seen), *nets(seen)], question))
        judged: list[Judgement] | None = pickle.loads(answer)
        return judged

    @property
    def waiting(self) -> int:
        """How many bots and hints wait for their turn."""
        return self._queue.waiting()

    def stop(self) -> None:
        """Do nothing: the worker ends with the page."""


def needed(seen: Seen) -> list[str]:
    """Return the files of this package that a search of a game needs, by their paths in it: its library."""
    return [f"{FOLDER}/{here()}/{seen.game.id}.wasm"]


def nets(seen: Seen) -> list[str]:
    """Return the files of the nets that come with a game for as many seats."""
    found, seats = seen.game, seen.game.seats_of(seen.book)
    folder = found.folder.relative_to(PACKAGE).as_posix() if found.folder else ""
    return [f"{folder}/nets/{net.file}" for net in nets_of(found) if seats in net.seats]


def answered(question: bytes) -> bytes:
    """Return the answer of the worker to a question."""
    kind, sitter, level, seen = pickle.loads(question)
    return pickle.dumps(thinking.choose(sitter, level, seen) if kind == CHOOSE else thinking.judge(seen))
