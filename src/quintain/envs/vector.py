"""Many games at once for Gymnasium's vector interface, without Python for each game.

`gymnasium.make_vec` makes this environment once `quintain.envs.gymnasium` has been imported:

    envs = gymnasium.make_vec("quintain/KingsCourt-v0", num_envs=512, learner=0, others="random")
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

Unless you choose another `autoreset_mode`, a game that ends is dealt anew in the same step: the observation already
belongs to the next game, and `infos` holds `final_obs` and `final_info` of the one that ended. NumPy's arrays speak
DLPack, so JAX and torch read them without copying; with `copy=False` they are those of the batch, which the next step
overwrites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.game import Game
from quintain.envs.arguments import Form, game_of
from quintain.envs.batch import Batch
from quintain.envs.memory import copied
from quintain.envs.opponents import Opponent, Opponents
from quintain.lab.extras import need

try:
    from gymnasium.error import ResetNeeded
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

    With a seat as `learner`, the caller plays this seat in every game, and `others` the other seats: a level such as
    ``page``, ``policy`` for the playout policy of a game that has one, your own bot (its class, or
    ``package.module:Class``), or your own policy, a function that takes observations (M, W) and masks (M, A) of M games
    and returns M actions. Of a list of these, each game draws one by its seed; `infos["opponent"]` then has its index.
    Compiled code plays ``random``, ``policy``, ``greedy`` and ``page``; any other level costs what the bot costs. An
    illegal action of a policy raises BadBot in the middle of a step; call `reset` after that.

    With None as `learner`, the caller plays all seats; each observation is that of the seat which is to act, and each
    reward is what the seat that has just acted got. `infos["rewards"]` then has what the step brought to every seat,
    which also matters to those that did not act: a game may end with a move of their opponent.

    `autoreset_mode` says when a game follows on one that has ended, as Gymnasium defines it: an `AutoresetMode`, or the
    name of one, such as ``next_step``.

    - SAME_STEP: in the same step. `final_obs` and `final_info` in `infos` are of the game that ended.
    - NEXT_STEP: in the next step, which ignores the action of this place, and gives it the reward 0.
    - DISABLED: when you ask for it by ``reset(options={"reset_mask": mask})``; until then `step` raises ResetNeeded.

    `infos` always has the `action_mask` and the `seat` to act, -1 where a game is over. Where one has ended, it has the
    `scores` and the `returns` of all seats, with SAME_STEP in its `final_info`. An illegal action raises IllegalMove,
    and changes nothing. `batch` gives access to the games themselves.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        learner: int | None = 0,
        others: Opponent | Sequence[Opponent] = "random",
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        observation: Form = "float32",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        if learner is None and others != "random":
            raise BadOption("others play beside a learner: say as `learner` which seat you play, or leave them out")
        self.opponents = Opponents(game_of(game), others)
        self.batch = Batch(
            game,
            num_envs,
            seats=seats,
            options=options,
            observation=observation,
            auto_reset=False,
            learner=learner,
            others=self.opponents.for_batch,
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
        """Deal every game, or only those of `options["reset_mask"]`, (num_envs,) bool, where it is True.

        A seed decides all games that this deals, and those that follow them. Other `options` are those of the game, and
        replace those of the same names, in all games from now on; they go with no mask that leaves games out. Raises
        BadOption for a wrong one, and changes nothing then.
        """
        given = dict(options or {})
        chosen = self._masked(given.pop("reset_mask")) if "reset_mask" in given else None
        if chosen is not None and given:
            raise BadOption("options of the game hold in all games: change them by a reset that deals all")
        if chosen is not None and not self.batch.is_dealt:
            raise BadOption("no game is dealt yet: call `reset` without a `reset_mask` first")
        self.batch.check_options(given)
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**63 - 1, endpoint=True, dtype=np.int64))
        self.batch.reset(drawn, given, chosen)
        self._let_others_play()
        self._deal_over(self._all if chosen is None else chosen)
        return self._given(self.batch.observation), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Infos]:
        """Play an action in every game, and deal anew as the autoreset mode says."""
        acted, over = self.batch.seat.copy(), self.batch.seat < 0
        if over.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            place = int(np.flatnonzero(over)[0])
            raise ResetNeeded(f"the game in place {place} is over: call `reset` with a `reset_mask` that is True there")
        self.batch.step(actions, ~over if over.any() else None)
        rewards, done = self._let_others_play()
        ended = self._ended(done) if done.any() else {}
        self._deal_over(done if self.autoreset_mode is AutoresetMode.SAME_STEP else over)
        won = rewards[self._each, acted] if self.learner is None else rewards[:, self.learner]
        infos = self._infos() | ended
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

    def _ended(self, done: Array) -> Infos:
        """Return what the infos have about the games that have ended."""
        result: Infos = {"scores": self.batch.scores.copy(), "returns": self.batch.returns.copy()}
        if self.opponents.is_pool and self.autoreset_mode is AutoresetMode.SAME_STEP:
            result["opponent"] = self.batch.opponent.copy()
        result |= {f"_{name}": done for name in result}
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return result
        observed = np.full(self.num_envs, None, object)
        for place in np.flatnonzero(done).tolist():
            observed[place] = self.batch.observation[place].copy()
        return {"final_obs": observed, "_final_obs": done, "final_info": result, "_final_info": done}

    def _deal_over(self, chosen: Array) -> None:
        """Deal in those of the chosen places where no game goes on, until one does in which the caller is asked."""
        while (over := chosen & (self.batch.seat < 0)).any():
            self.batch.reset_done(over)
            self._let_others_play()

    def _let_others_play(self) -> tuple[Array, Array]:
        """Let opponents play that the batch does not play itself, until the learner is asked or the game is over.

        Return the rewards and the ends of games, those of the batch's last step included.
        """
        rewards: Array = self.batch.reward.astype(np.float64)
        done: Array = self.batch.done.copy()
        while self.opponents.asked and (waiting := (self.batch.seat >= 0) & (self.batch.seat != self.learner)).any():
            self.batch.step(self.opponents.choose(self.batch, waiting), waiting)
            rewards += self.batch.reward
            done |= self.batch.done
        return rewards, done

    def _masked(self, mask: object) -> Array | None:
        """Return a `reset_mask` that has been checked, None if it is True everywhere; raises BadOption."""
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            what = f"{mask.dtype}, {mask.shape}" if isinstance(mask, np.ndarray) else quoted(mask)
            raise BadOption(f"a reset_mask is a numpy array of bool, ({self.num_envs},), not {what}")
        if not mask.any():
            raise BadOption("a reset_mask must be True for one game at least")
        return None if mask.all() else mask.copy()

    def _infos(self) -> Infos:
        now: Infos = {"action_mask": self._given(self.batch.mask), "seat": self._given(self.batch.seat)}
        if self.opponents.is_pool:
            now["opponent"] = self._given(self.batch.opponent)
        return now | {f"_{name}": self._all for name in now}

    def _given(self, array: Array) -> Array:
        return copied(array) if self.copy else array


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode, given itself, its name or its value; raises BadOption."""
    for mode in AutoresetMode:
        if given is mode or (isinstance(given, str) and given.lower() in (mode.name.lower(), mode.value.lower())):
            return mode
    names = ", ".join(f"`{mode.name.lower()}`" for mode in AutoresetMode)
    raise BadOption(f"an autoreset mode is {names}, or Gymnasium's AutoresetMode, not {quoted(given)}")
