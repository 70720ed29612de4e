"""The legal actions of decisions with their features, as a net reads them in a game that writes features.

Decisions offer different numbers of actions, so the actions of all lie in rows one after another, each with the number
of its decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quintain.envs.features import Features

PADDED = 2048
"""JAX compiles its code anew for each number of rows, so there are always a multiple of this number."""


class OfferedRows(NamedTuple):
    """The M legal actions of N decisions as JAX takes them; a row that stands for no action has the decision N."""

    rows: Any
    """(M, D) float32: the features of each."""
    owner: Any
    """(M,) int32: the decision that offers it."""
    action: Any
    """(M,) int32: its number."""


@dataclass(frozen=True)
class Offered:
    """The M legal actions of N decisions, decision by decision."""

    rows: npt.NDArray[np.float32]
    """(M, D): the features of each."""
    action: npt.NDArray[np.int64]
    """(M,): its number."""
    count: npt.NDArray[np.int64]
    """(N,): how many each decision offers."""

    @classmethod
    def of(cls, features: Features) -> Offered:
        """Return the legal actions in the places of a batch."""
        count = np.bincount(features.place, minlength=len(features.state))
        return cls(features.rows, features.action, count)

    @classmethod
    def joined(cls, parts: list[Offered]) -> Offered:
        """Return the actions of all decisions of all parts, in their order."""
        return cls(
            np.concatenate([each.rows for each in parts]),
            np.concatenate([each.action for each in parts]),
            np.concatenate([each.count for each in parts]),
        )

    def __getitem__(self, chosen: npt.NDArray[np.int64]) -> Offered:
        """Return the actions of some decisions."""
        count = self.count[chosen]
        first = (np.cumsum(self.count) - self.count)[chosen]
        at = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(count.sum())
        return Offered(self.rows[at], self.action[at], count)

    def padded(self) -> OfferedRows:
        """Return the rows as JAX takes them."""
        missing = -len(self.rows) % PADDED
        owner = np.repeat(np.arange(len(self.count)), self.count)
        return OfferedRows(
            np.pad(self.rows, ((0, missing), (0, 0))),
            np.pad(owner, (0, missing), constant_values=len(self.count)).astype(np.int32),
            np.pad(self.action, (0, missing)).astype(np.int32),
        )
