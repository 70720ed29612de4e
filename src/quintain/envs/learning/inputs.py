"""What a net reads of what a seat sees, and how its outputs become actions.

Columns that never change are left out. Each other column is moved and scaled, so that what random games show of it has
about the mean 0 and the deviation 1; `folded` moves and scales the weights instead, so a net in a file reads columns as
they are. Where a game has cards, the columns of a card share their weights with those of every other card: they are
products of what is learned and the numbers of the card (see `CardNumbers`). So are the outputs of actions that name a
card. Where a game writes features, these take the place of its observation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from quintain.bots.net_files import NetFile
from quintain.engine.rules.card_numbers import CardNumbers
from quintain.envs.batch import Batch
from quintain.envs.learning.offered import Offered

Numbers = npt.NDArray[np.float32]

LOOKS = 400
"""The steps of random games from which columns are judged."""
FARTHEST = 8.0
"""How many deviations the farthest number that was seen may lie from the mean; what is rare is scaled less."""
FROM_FEATURES = 48
"""How many numbers a net makes of the features of an action."""
LEAST_RANGE = 1e-6
"""A column whose numbers lie closer together than this says nothing."""


@dataclass(frozen=True)
class Inputs:
    """The columns that a net reads (C,), their means and scales (C,), and how weights are shared.

    `plain` counts the columns that stand for no card; they come first. `spread` (C, F) makes the weights of columns of
    those of F features, and `named` (A + 1, G) the outputs of G sums; both are None where the game has no cards.
    """

    columns: npt.NDArray[np.int64]
    mean: Numbers
    scale: Numbers
    plain: int
    spread: Numbers | None = None
    named: Numbers | None = None

    features: int = 0
    """How many features of an action it reads, in a game that writes features."""

    def look(self, batch: Batch) -> tuple[Numbers, Offered | None]:
        """Return what a net reads of a batch, (N, C), and the legal actions if it reads their features."""
        if not self.features:
            return self(batch.observation), None
        found = batch.features()
        return self(found.state), Offered.of(found)

    def __call__(self, observation: Numbers) -> Numbers:
        """Return what a net reads of observations (N, W): (N, C)."""
        read: Numbers = (observation[:, self.columns] - self.mean) * self.scale
        return read

    @property
    def shared(self) -> Any:
        """The two tables by which weights are shared, or None."""
        return None if self.spread is None else (self.spread, self.named)

    def sizes(self, actions: int) -> tuple[int, int]:
        """Return how many numbers the first layer takes, and how many the last one of what a seat sees makes."""
        if self.features:
            return len(self.columns), FROM_FEATURES + 1
        if self.spread is None or self.named is None:
            return len(self.columns), actions + 1
        return self.spread.shape[1], self.named.shape[1]

    def folded(self, layers: list[list[Numbers]]) -> list[list[Numbers]]:
        """Return the layers of a net that reads columns as they are, from those of one that reads them scaled."""
        weights, biases = layers[0]
        if self.spread is None:
            first = weights * self.scale[:, None]
            return [[first, biases - self.mean @ first], *layers[1:]]
        first = weights * self._of_runs[:, None]
        return [[first, biases - self.mean[: self.plain] @ first[: self.plain]], *layers[1:]]

    def unfolded(self, layers: list[list[Numbers]]) -> list[list[Numbers]]:
        """Return the layers of a net that reads columns scaled, from those of one that reads them as they are."""
        first, biases = layers[0]
        scale = self.scale if self.spread is None else self._of_runs
        weights = np.divide(first, scale[:, None], out=np.zeros_like(first), where=scale[:, None] != 0.0)
        return [[weights, biases + self.mean[: self.plain] @ first[: self.plain]], *layers[1:]]

    @property
    def _of_runs(self) -> Numbers:
        """The scale of each input of the first layer where cards share weights.

        All columns of a run have one scale, and the mean 0. What no card of this book has, the net knows nothing of.
        """
        runs: Numbers = np.where(self.spread != 0.0, self.scale[:, None], 0.0).max(axis=0)
        return runs


def inputs_of(batches: Sequence[Batch], seed: int, kept: Sequence[int] = ()) -> Inputs:
    """Return what a net for these batches reads; random games with this seed say which columns change, and how.

    It also reads the columns `kept`, even if they never change in these games.
    """
    game = batches[0].game
    width = game.features[0] or batches[0].layout.size
    low, high = np.full(width, np.inf), np.full(width, -np.inf)
    total, squares = np.zeros(width), np.zeros(width)
    for batch in batches:
        batch.reset(seed)
        for _ in range(LOOKS):
            seen = batch.features().state if game.has_features else batch.observation
            low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
            total += seen.sum(axis=0, dtype=np.float64)
            squares += np.square(seen, dtype=np.float64).sum(axis=0)
            batch.step(batch.sample())
    count = LOOKS * sum(batch.games for batch in batches)
    mean = total / count
    deviation = np.sqrt(np.maximum(squares / count - mean**2, 0.0))
    deviation = np.maximum(deviation, np.maximum(high - mean, mean - low) / FARTHEST)
    changes = high - low > LEAST_RANGE
    kept_still = np.array([column for column in kept if not changes[column]], np.int64)
    deviation[kept_still], changes[kept_still] = 1.0, True
    return _inputs(batches[0], mean, deviation, changes)


def inputs_of_net(net: NetFile, batch: Batch) -> Inputs:
    """Return what a net in a file reads: its columns as they are."""
    width = batch.game.features[0] or batch.layout.size
    changes = np.zeros(width, np.bool_)
    changes[list(net.columns)] = True
    return _inputs(batch, np.zeros(width), np.ones(width), changes)


def layers_of_net(net: NetFile) -> list[list[Numbers]]:
    """Return the weights (inputs, outputs) and the biases (outputs,) of each layer of a net in a file."""
    outputs = [*net.sizes[1:], *([net.sizes[-1] - 1] if net.actions else [])]
    rows = [*net.layers, *([net.actions] if net.actions else [])]
    tables = [np.array(row, np.float32).reshape(-1, width) for row, width in zip(rows, outputs, strict=True)]
    return [[table[:-1], table[-1]] for table in tables]


def _inputs(
    batch: Batch,
    mean: npt.NDArray[np.float64],
    deviation: npt.NDArray[np.float64],
    changes: npt.NDArray[np.bool_],
) -> Inputs:
    """Return what a net reads, from what is known of each column."""
    game = batch.game
    cards = game.card_numbers
    if cards is not None and not game.has_features:
        return _with_cards(batch, cards(batch.book), mean, deviation, changes)
    columns = np.flatnonzero(changes)
    scale = 1.0 / deviation[columns]
    return Inputs(
        columns, mean[columns].astype(np.float32), scale.astype(np.float32), len(columns), features=game.features[1]
    )


def _with_cards(
    batch: Batch,
    cards: CardNumbers,
    mean: npt.NDArray[np.float64],
    deviation: npt.NDArray[np.float64],
    changes: npt.NDArray[np.bool_],
) -> Inputs:
    """Return what a net for a game with cards reads: plain columns, then the columns of cards."""
    column, card, run = np.array(list(batch.layout.card_columns(cards)), np.int64).T
    for name in cards.blocks:
        block = batch.layout[name]
        changes[block.first : block.flags_at] = False
    plain = np.flatnonzero(changes)
    usual = [np.sqrt(np.mean(deviation[column[run == each]] ** 2)) for each in range(int(run.max()) + 1)]
    scale = 1.0 / np.maximum(usual, 1.0 / FARTHEST)
    return Inputs(
        columns=np.concatenate([plain, column]),
        mean=np.concatenate([mean[plain], np.zeros(len(column))]).astype(np.float32),
        scale=np.concatenate([1.0 / deviation[plain], scale[run]]).astype(np.float32),
        plain=len(plain),
        spread=_shares(len(plain), cards, enumerate(zip(card, run, strict=True), len(plain)), len(scale)),
        named=_shares(batch.game.actions + 1, cards, ((at, each) for at, *each in cards.named()), len(cards.actions)),
    )


def _shares(plain: int, cards: CardNumbers, found: Iterable[tuple[int, Iterable[int]]], runs: int) -> Numbers:
    """Return by which numbers each place shares weights: its own place, or the numbers of its card in its run."""
    given = list(found)
    rows, width = np.array(cards.rows, np.float32), cards.width
    count = max(plain, 1 + max(at for at, _ in given))
    made = np.zeros((count, plain + runs * width), np.float32)
    made[:plain, :plain] = np.eye(plain)
    for at, (card, run) in given:
        made[at] = 0.0
        made[at, plain + run * width : plain + (run + 1) * width] = rows[card]
    return made
