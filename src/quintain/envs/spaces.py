"""The spaces that our environments declare: observations within their limits, and actions of which `sample` draws only
legal ones.

Both libraries, PettingZoo and Gymnasium, take their spaces from Gymnasium. A plain `Discrete` space draws any action,
and nearly all actions of a card game are illegal at any moment. These spaces know the mask of the moment, so that
``env.action_space.sample()`` always is a move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from numpy.typing import NDArray

if TYPE_CHECKING:
    from quintain.envs.batch import Batch

Mask = NDArray[np.int8]


def observations(batch: Batch) -> Box:
    """Return the space of the observations of one seat."""
    kind = batch.observation.dtype
    low, high = batch.layout.bounds()
    return Box(low.astype(kind), high.astype(kind), dtype=kind.type)


class LegalActions(Discrete[np.int64]):
    """The actions of one seat. `mask` holds 1 for those that are legal now, and `sample` draws one of these.

    Any action belongs to the space, legal or not. Where none is legal, `sample` draws any.
    """

    def __init__(self, actions: int) -> None:
        super().__init__(actions)
        self.mask: Mask = np.zeros(actions, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random action: a legal one, or one that a mask or probabilities allow, as Gymnasium defines them."""
        if mask is None and probability is None and self.mask.any():
            mask = self.mask
        return super().sample(mask, probability)


class LegalChoices(MultiDiscrete[np.int64]):
    """An action for each game of a batch. `mask` has a row for each game, and `sample` draws legal actions.

    Any actions belong to the space. Where a game has no legal action, `sample` draws its action 0.
    """

    def __init__(self, mask: Mask) -> None:
        games, actions = mask.shape
        super().__init__(np.full(games, actions, np.int64))
        self.mask = mask

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        """Return a random legal action for each game, or what Gymnasium draws by a mask or probabilities."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        counted = self.mask.cumsum(axis=1, dtype=np.int32)
        drawn = (self.np_random.random(len(counted)) * counted[:, -1]).astype(np.int32)
        chosen: NDArray[np.int64] = (counted > drawn[:, None]).argmax(axis=1)
        return chosen
