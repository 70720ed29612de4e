"""Bots that think in a worker of the page: what a question to it is, and how it answers.

`BrowserMinds` asks; `answered` runs in the worker, which has a Python of its own. Both are the same version, so pickles
of `Seen` go between them, as between a server and its processes. Other long work goes there, too, when no bot thinks.
"""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from quintain.bots import BY_NET
from quintain.bots.ismcts import Judgement
from quintain.bots.shipped_nets import nets_of
from quintain.engine.rules.compiling.libraries import FOLDER, PACKAGE
from quintain.engine.rules.compiling.targets import here
from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.lab.analysis import Position
from quintain.server.model.levels import playable
from quintain.server.tables import thinking
from quintain.server.tables.thinking import Chosen
from quintain.server.turns import Asker, QueueRunner
from quintain.server.workshop.trial_work import TrialOrder

Result = TypeVar("Result")
Asking = Callable[[list[str], bytes], Awaitable[bytes]]
"""Sends a question to the worker, after the files of this package that the answer needs, and returns the answer."""


class BrowserMinds:
    """Lets bots think in another worker, one after another."""

    def __init__(self, ask: Asking):
        self._ask, self._queue = ask, QueueRunner()

    async def choose(self, asker: Asker, level: str, seen: Seen) -> Chosen:
        """Return the action that a bot chooses."""
        files = [*needed(seen), *(nets(seen) if playable(level).kind in BY_NET else ())]
        sitter = f"{asker.part}/{seen.seat}"
        return await self._done(asker, files, thinking.choose, sitter, level, seen)

    async def judge(self, asker: Asker, seen: Seen) -> list[Judgement] | None:
        """Return the search's judgement of the best actions of a seat."""
        return await self._done(asker, [*needed(seen), *nets(seen)], thinking.judge, seen)

    async def think(self, asker: Asker, name: str, do: Callable[..., Result], *given: object) -> Result:
        """Return what a function returns in the worker, when no bot needs it; its game's search is there."""
        files = [file for id_ in dict.fromkeys(_games(given)) for file in library(id_)]
        return await self._done(asker, files, do, *given, can_wait=True)

    async def is_ready(self, asker: Asker, game_id: str) -> bool:
        """Bring the search of a game into the worker, which has it compiled; tell whether it may be used."""
        return await self._done(asker, library(game_id), thinking.is_ready, game_id, can_wait=True)

    async def _done(
        self, asker: Asker, files: list[str], do: Callable[..., Result], *given: object, can_wait: bool = False
    ) -> Result:
        """Return what a function returns in the worker; raises RuntimeError if it fails there."""
        question = pickle.dumps((do, given))

        async def ask() -> Result:
            try:
                answer: Result = pickle.loads(await self._ask(files, question))
            except Exception as error:  # JavaScript hands on what the worker raises in a class of its own
                raise RuntimeError(f"a job in the worker failed: {error}") from error
            return answer

        return await self._queue.run(asker, ask, can_wait=can_wait)

    @property
    def waiting(self) -> int:
        """How many bots and hints wait for their turn."""
        return self._queue.waiting()

    def stop(self) -> None:
        """Do nothing: the worker ends with the page."""


def needed(seen: Seen) -> list[str]:
    """Return the files of this package that a search of a game needs, by their paths in it: its library."""
    return library(seen.game.id)


def library(game_id: str) -> list[str]:
    """Return the file with the search of a game, by its path in this package; none for a game from another file."""
    return [f"{FOLDER}/{here()}/{game_id}.wasm"] if game(game_id).folder else []


def _games(given: tuple[object, ...]) -> Iterator[str]:
    """Yield the ids of the games of what a function is given."""
    for each in given:
        if isinstance(each, Seen):
            yield each.game.id
        elif isinstance(each, Position):
            yield each.seens[each.seat].game.id
        elif isinstance(each, TrialOrder):
            yield each.game


def nets(seen: Seen) -> list[str]:
    """Return the files of the nets that come with a game for as many seats."""
    found, seats = seen.game, seen.game.seats_of(seen.book)
    folder = found.folder.relative_to(PACKAGE).as_posix() if found.folder else ""
    return [f"{folder}/nets/{net.file}" for net in nets_of(found) if seats in net.seats]


def answered(question: bytes) -> bytes:
    """Return the answer of the worker to a question."""
    do, given = pickle.loads(question)
    return pickle.dumps(do(*given))
