"""Many games at once for Stable-Baselines3: a `VecEnv` over the batch, with masks for sb3-contrib's `MaskablePPO`.

    envs = VecBatch("kings-court", 64, learner=0, others="page")
    model = MaskablePPO("MlpPolicy", envs).learn(100_000)

`VecBatch` is `quintain.envs.vector.BatchEnv` in the form that this library knows. PyTorch, which it needs, is large, so
nothing else imports this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.envs.arguments import Form
from quintain.envs.opponents import Opponent
from quintain.envs.vector import BatchEnv
from quintain.lab.extras import need

try:
    from gymnasium.spaces import Discrete
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    need("stable_baselines3", "gymnasium", extra="sb3")
    raise

__all__ = ["VecBatch"]

Array = NDArray[Any]
MASKS = "action_masks"
"""The method by which sb3-contrib asks each game for its legal actions."""


class VecBatch(VecEnv):  # type: ignore[misc]  # mypy does not follow Stable-Baselines3
    """`num_envs` games of one kind, in which the caller plays the seat `learner`.

    The arguments are those of `BatchEnv`. A game that ends is dealt anew in the same step; its entry of the infos has
    the `terminal_observation`, and the `scores` and `returns` of all seats. With a list of `others`, each entry has the
    `opponent`, its index. ``env_method("action_masks")`` returns an array (actions,) of bool for each game. `envs` is
    the `BatchEnv` itself. Raises BadOption for a wrong argument, and IllegalMove for an illegal action.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        learner: int = 0,
        others: Opponent | Sequence[Opponent] = "random",
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        observation: Form = "float32",
        threads: int = 1,
    ) -> None:
        if learner is None:
            raise BadOption("Stable-Baselines3 knows one learner: say which seat it plays")
        self.envs = BatchEnv(
            game,
            num_envs,
            learner=learner,
            others=others,
            seats=seats,
            options=options,
            observation=observation,
            threads=threads,
        )
        self._actions: Array = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.envs.single_observation_space, Discrete(self.envs.batch.game.actions))

    def reset(self) -> Array:
        """Deal every game, by the seed and the options that `seed` and `set_options` have set for this reset."""
        options = self._options[0]
        if any(each != options for each in self._options):
            raise BadOption("options of the game hold in all games: give the same to each")
        observed, infos = self.envs.reset(seed=self._seeds[0], options=options)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._listed(infos)
        return observed

    def step_async(self, actions: Array) -> None:
        """Take the actions of the next `step_wait`: (num_envs,) whole numbers."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play the actions; return observations, rewards (num_envs,) float32, which games ended, and their infos."""
        observed, rewards, done, _, infos = self.envs.step(self._actions)
        listed = self._listed(infos)
        for place in np.flatnonzero(done).tolist():
            result = infos["final_info"]
            listed[place] |= {name: each[place] for name, each in result.items() if not name.startswith("_")}
            listed[place]["terminal_observation"] = infos["final_obs"][place]
        return observed, rewards.astype(np.float32), done, listed

    def close(self) -> None:
        """Do nothing: the games hold nothing open."""

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return an attribute of the `BatchEnv` once for each of the games; raises AttributeError if there is none."""
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Raise AttributeError: the games of a batch have no attributes of their own."""
        raise AttributeError(f"the games of a batch have no attributes of their own, so {attr_name} cannot be set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return the masks of these games, (actions,) bool each; raises AttributeError for any other method."""
        if method_name != MASKS:
            raise AttributeError(f"the games of a batch have one method, {MASKS}, and no {method_name}")
        masks = self.envs.action_masks()
        return [masks[place] for place in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None) -> list[bool]:
        """Return False for each game: a batch wraps none of them."""
        return [False for _ in self._get_indices(indices)]

    def _listed(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """Return an info for each game. A game is never cut off; the masks come by `env_method`."""
        listed: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        if "opponent" in infos:
            for each, opponent in zip(listed, infos["opponent"].tolist(), strict=True):
                each["opponent"] = opponent
        return listed
