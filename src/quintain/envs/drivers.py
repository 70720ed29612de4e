"""The compiled code of a batch, with the arrays on which it works, and the threads that share its places.

`stepping` has the rules. Each is compiled, or loaded from the cache, at its first call. What every step calls is
prepared once, since its arrays stay where they are.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from quintain.engine.rules.compiling.compiled import Compiled, Example, compiled
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import Record
from quintain.envs import features, memory, stepping
from quintain.envs.arguments import Form
from quintain.envs.features import Features, describe_places
from quintain.envs.stepping import Settings

if TYPE_CHECKING:
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]


class PlaceDrivers:
    """Deals, steps and observes the places of a batch.

    `places` holds the arrays of all places. Three more have an entry for each place and slot: `actions`, which `step`
    plays in the `chosen` places, `sampled`, which `sample` writes by the generator `words`, and `rows`, the
    observations that `look` writes.
    """

    def __init__(
        self,
        game: Game,
        book: Record,
        games: int,
        settings: Settings,
        observation: Form | None,
        threads: int,
        boundscheck: bool,
    ) -> None:
        self.settings = settings
        self.places = memory.places(game, games, settings.seats, settings)
        self.words = np.zeros(4, np.int64)
        self.all: Flags = np.ones(games, np.bool_)
        self.chosen: Flags = np.ones(games, np.bool_)
        self.actions: npt.NDArray[np.int64] = np.zeros(self.places.choices.shape, np.int64)
        self.sampled = np.zeros_like(self.actions)
        self.game = game
        self.is_open, of_bytes = int(observation == "open"), observation in ("int8", None)
        layout = game.observation_int8 if of_bytes else game.observation
        size = layout.size if observation else 0
        self.rows = memory.zeros((*self.places.choices.shape, size), "int8" if of_bytes else "float32")
        self._book = in_memory(book)
        self._slices = _slices(games, threads)
        self._work = [memory.workspace(game) for _ in self._slices]
        self._pool: tuple[int, ThreadPoolExecutor] | None = None
        self._is_loaded = False
        self._compile(lambda rule: compiled(game, rule, boundscheck), observation)

    def _compile(self, driver: Callable[[Any], Compiled[Any]], observation: str | None) -> None:
        self._first_wrong = driver(stepping.first_wrong)
        self._step, self._deal = driver(stepping.step_places), driver(stepping.deal_places)
        self._offer = driver(stepping.offer_places)
        self._spread = driver(stepping.spread_seeds)
        self._sample = driver(stepping.sample_actions)
        self._describe = driver(describe_places)
        self._write = driver(stepping.look_int8 if observation in ("int8", None) else stepping.look_float32)

    def change_book(self, book: Record) -> None:
        """Write another book over the old one, which compiled code knows by its place in memory."""
        ctypes.pointer(self._book)[0] = in_memory(book)

    def find_wrong(self) -> int:
        """Return the first slot, counted over all places, whose entry in `actions` is wrong; RIGHT if none is."""
        return self._prepared_find()

    def step(self) -> None:
        """Play `actions`, which must be legal, in the chosen places."""
        steps = self._prepared_steps
        self._each(lambda k, _: steps[k]())

    def deal(self, chosen: Flags) -> None:
        """Deal the next game in the chosen places."""
        book, settings, places = self._book, self.settings, self.places
        self._each(lambda k, part: self._deal(book, settings, places, self._work[k], chosen, *part))
        self._is_loaded = True

    def offer(self) -> None:
        """Write who is asked, and what is legal, in states from elsewhere."""
        self._each(lambda _, part: self._offer(self._book, self.settings, self.places, *part))

    def spread(self, seed: int) -> None:
        """Give each place a seed of its own, made from one."""
        self._spread(self.places, seed)

    def sample(self) -> None:
        """Write a random legal action for each slot into `sampled`, 0 where there is none."""
        self._prepared_sample()

    def look(self, chosen: Flags) -> None:
        """Write the observations of the chosen places into `rows`."""
        if chosen is self.all:
            looks = self._prepared_looks
            self._each(lambda k, _: looks[k]())
        else:
            self.write_rows(self.places.observer, chosen, self.rows, self.is_open)

    def features(self) -> Features:
        """Return the features of all places, of a game that writes them."""
        made = features.blank(self.game, len(self.places.seat), int(self.places.choices.sum()))
        self._describe(self._book, self.places, self._work[0], made)
        return made

    def write_rows(self, observer: npt.NDArray[np.int64], chosen: Flags, rows: npt.NDArray[Any], is_open: int) -> None:
        """Write the observations of these observers in the chosen places into rows."""
        book, states = self._book, self.places.states
        self._each(lambda k, part: self._write(book, states, observer, chosen, self._work[k], is_open, rows, *part))

    @functools.cached_property
    def _prepared_find(self) -> Callable[[], int]:
        return self._first_wrong.prepared(self._book, self.settings, self.places, self.chosen, self.actions)

    @functools.cached_property
    def _prepared_steps(self) -> list[Callable[[], None]]:
        given = [
            (self.places, work, self.chosen, self.actions, *part)
            for work, part in zip(self._work, self._slices, strict=True)
        ]
        return [self._step.prepared(self._book, self.settings, *each) for each in given]

    @functools.cached_property
    def _prepared_sample(self) -> Callable[[], None]:
        return self._sample.prepared(self.places, self.words, self.sampled)

    @functools.cached_property
    def _prepared_looks(self) -> list[Callable[[], None]]:
        states, observer = self.places.states, self.places.observer
        given = [
            (states, observer, self.all, work, self.is_open, self.rows, *part)
            for work, part in zip(self._work, self._slices, strict=True)
        ]
        return [self._write.prepared(self._book, *each) for each in given]

    def examples(self) -> Iterator[Example]:
        """Yield the drivers, with arguments like those of their calls."""
        book, settings, places, work = self._book, self.settings, self.places, self._work[0]
        yield Example(self._first_wrong, (book, settings, places, self.chosen, self.actions))
        yield Example(self._step, (book, settings, places, work, self.chosen, self.actions, 0, 0))
        yield Example(self._deal, (book, settings, places, work, self.all, 0, 0))
        yield Example(self._offer, (book, settings, places, 0, 0))
        yield Example(self._spread, (places, 0))
        yield Example(self._sample, (places, self.words, self.actions))
        if self.game.has_features:
            yield Example(self._describe, (book, places, work, features.blank(self.game, len(places.seat), 0)))
        if self.rows.shape[-1]:
            states, observer = places.states, places.observer
            yield Example(self._write, (book, states, observer, self.all, work, self.is_open, self.rows, 0, 0))

    def _each(self, do: Callable[[int, tuple[int, int]], None]) -> None:
        """Call a function for every slice of the games, with its number; several at once if there are threads."""
        if len(self._slices) == 1 or not self._is_loaded:  # the first call compiles
            for number, part in enumerate(self._slices):
                do(number, part)
            return
        if self._pool is None or self._pool[0] != os.getpid():  # a process that was forked has no threads yet
            self._pool = os.getpid(), ThreadPoolExecutor(len(self._slices), "quintain-batch")
        for future in [self._pool[1].submit(do, number, part) for number, part in enumerate(self._slices)]:
            future.result()


def _slices(games: int, threads: int) -> list[tuple[int, int]]:
    """Divide the places among threads: the first and the last (exclusive) of each slice."""
    count = min(games, threads)
    bounds = [games * number // count for number in range(count + 1)]
    return list(itertools.pairwise(bounds))
