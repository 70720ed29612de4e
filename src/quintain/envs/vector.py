"""Many games at once for Gymnasium's vector interface, without Python for each game.

`gymnasium.make_vec` makes this environment once `quintain.envs.gymnasium` has been imported:

    envs = gymnasium.make_vec("quintain/KingsCourt-v0", num_envs=512, learner=0, others="random")
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

A game that ends is dealt anew in the same step: the observation already belongs to the next game, and `infos` holds
`final_obs` and `final_info` of the one that ended. NumPy's arrays speak DLPack, so JAX and torch read them without
copying; with `copy=False` they are those of the batch, which the next step overwrites.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.envs.batch import Batch
from quintain.envs.memory import copied
from quintain.lab.extras import need

try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    need("gymnasium", extra="gymnasium")
    raise

from quintain.envs.spaces import LegalActions, LegalChoices, observations

__all__ = ["BatchEnv"]

Array = NDArray[Any]
Infos = dict[str, Any]


class BatchEnv(VectorEnv[Array, Array, Array]):
    """`num_envs` games of one kind.

    With a seat as `learner`, the caller plays this seat in every game, and compiled players the others: `others` is
    ``random`` or ``policy``. With None, the caller plays all seats; each observation is that of the seat which is to
    act, and each reward is what the seat that has just acted got. `infos["rewards"]` then has what the step brought to
    every seat, which also matters to those that did not act: a game may end with a move of their opponent.

    `infos` always has the `action_mask` and the `seat` to act; `final_info` has the `scores` and the `returns` of all
    seats. An illegal action raises IllegalMove, and changes nothing. `batch` gives access to the games themselves.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012  # Gymnasium's own form

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        learner: int | None = 0,
        others: Literal["random", "policy"] = "random",
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        observation: Literal["float32", "int8"] = "float32",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.batch = Batch(
            game,
            num_envs,
            seats=seats,
            options=options,
            observation=observation,
            auto_reset=False,
            learner=learner,
            others=others,
            threads=threads,
        )
        self.num_envs, self.learner, self.copy = num_envs, learner, copy
        self.single_observation_space = observations(self.batch)
        self.single_action_space = LegalActions(self.batch.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = LegalChoices(self.batch.mask)
        self._each = np.arange(num_envs)
        self._all = np.ones(num_envs, np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Infos]:
        """Deal every game. A seed decides all games, also those dealt later.

        `options` of the game replace those of the same names, in all games from now on. Raises BadOption for a wrong
        one, and changes nothing then.
        """
        if options and "reset_mask" in options:
            raise BadOption("games that end are dealt anew in the same step, so `reset_mask` has no use here")
        self.batch.check_options(options)
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**63 - 1, endpoint=True, dtype=np.int64)), options)
        return self._given(self.batch.observation), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Infos]:
        """Play an action in every game, and deal anew where that ends the game."""
        acted = self.batch.seat.copy()
        self.batch.step(actions)
        rewards = self.batch.reward.astype(np.float64)
        done = self.batch.done.copy()
        final = self._final(done) if done.any() else {}
        won = rewards[self._each, acted] if self.learner is None else rewards[:, self.learner]
        infos = self._infos() | final
        if self.learner is None:
            infos |= {"rewards": rewards, "_rewards": self._all}
        return self._given(self.batch.observation), won, done, np.zeros(self.num_envs, np.bool_), infos

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Let the actions of a copy follow the masks of its own batch."""
        self.__dict__.update(state)
        if isinstance(self.action_space, LegalChoices):
            self.action_space.mask = self.batch.mask

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now: (num_envs, actions), a new array."""
        return self.batch.mask.astype(np.bool_)

    def _final(self, done: Array) -> Infos:
        """Deal anew where games have ended; return the last observations and the results of those games."""
        observed = np.full(self.num_envs, None, object)
        for place in np.flatnonzero(done).tolist():
            observed[place] = self.batch.observation[place].copy()
        result = {"scores": self.batch.scores.copy(), "returns": self.batch.returns.copy()}
        result |= {f"_{name}": done for name in result}
        self.batch.reset_done()
        return {"final_obs": observed, "_final_obs": done, "final_info": result, "_final_info": done}

    def _infos(self) -> Infos:
        now = {"action_mask": self._given(self.batch.mask), "seat": self._given(self.batch.seat)}
        return now | {f"_{name}": self._all for name in now}

    def _given(self, array: Array) -> Array:
        return copied(array) if self.copy else array
