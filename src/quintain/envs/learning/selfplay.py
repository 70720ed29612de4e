"""Games from which a net learns: a net against itself and its past, and, to measure it, against others.

The games of a `Batch` go on over many rounds. In some of them, or in all, rivals play all seats but one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.envs.arguments import Form
from quintain.envs.batch import Batch
from quintain.envs.learning import ppo
from quintain.envs.learning.choosers import Chooser, drawn
from quintain.envs.learning.inputs import Inputs
from quintain.envs.learning.offered import Offered

Numbers = npt.NDArray[np.float32]
WIN, MARGIN = 0.6, 0.4
"""What a reward is made of: the return of a game, from -1 to 1, and by how much a seat's score is ahead."""
MEASURED, MEASURED_BY_LEVEL = 256, 100
"""The games that a measurement plays, against random moves and the past, and against a level."""


@dataclass(frozen=True)
class Rivals:
    """Who plays all seats but one in the first `games` of a batch; nobody learns from what they do."""

    choose: Chooser
    games: int


@dataclass
class Round:
    """What one round has seen: T steps of N games, with S seats, C columns that the net reads and A actions."""

    observation: Numbers
    """(T, N, C): what the net reads."""
    mask: npt.NDArray[np.int8]
    """(T, N, A)."""
    action: npt.NDArray[np.int32]
    """(T, N)."""
    log_chance: Numbers
    """(T, N)."""
    value: Numbers
    """(T, N)."""
    seat: npt.NDArray[np.int64]
    """(T, N)."""
    learns: npt.NDArray[np.bool_]
    """(T, N): whether the net itself decided."""
    done: npt.NDArray[np.bool_]
    """(T, N)."""
    reward: Numbers
    """(T, N, S)."""
    offered: list[Offered]
    """For each step the legal actions with their features, in a game that writes them."""

    @classmethod
    def blank(cls, steps: int, batch: Batch, width: int) -> Round:
        """Return the arrays of a round of a batch, in which a net reads this many columns."""
        shape, actions = (steps, batch.games), batch.game.actions
        return cls(
            observation=np.zeros((*shape, width), np.float32),
            mask=np.zeros((*shape, actions), np.int8),
            action=np.zeros(shape, np.int32),
            log_chance=np.zeros(shape, np.float32),
            value=np.zeros(shape, np.float32),
            seat=np.zeros(shape, np.int64),
            learns=np.ones(shape, np.bool_),
            done=np.zeros(shape, np.bool_),
            reward=np.zeros((*shape, batch.seats), np.float32),
            offered=[],
        )

    def decisions(self, decay: float) -> ppo.Decisions:
        """Return the decisions of a round as rows, with advantages that have the mean 0 and the deviation 1."""
        advantage, is_known = ppo.advantages(self.seat, self.value, self.done, self.reward, decay)
        counts = (self.learns & is_known).ravel()
        target, advantage = (advantage + self.value).ravel(), advantage.ravel()
        if counts.any():
            advantage = (advantage - advantage[counts].mean()) / (advantage[counts].std() + 1e-6)
        return ppo.Decisions(
            observation=self.observation.reshape(-1, self.observation.shape[-1]),
            mask=self.mask.reshape(-1, self.mask.shape[-1]),
            action=self.action.ravel(),
            log_chance=self.log_chance.ravel(),
            advantage=advantage.astype(np.float32),
            target=target.astype(np.float32),
            weight=counts.astype(np.float32),
            offered=Offered.joined(self.offered) if self.offered else None,
        )


def play_round(
    batch: Batch, inputs: Inputs, layers: ppo.Layers, rivals: Rivals | None, steps: int, chance: np.random.Generator
) -> Round:
    """Play a number of steps in every game of a batch, and return what was seen.

    Raises BadOption if the memory does not suffice for so much.
    """
    try:
        made = Round.blank(steps, batch, len(inputs.columns))
    except (MemoryError, ValueError) as error:  # numpy raises a ValueError beyond the addresses that there are
        raise BadOption(
            f"a round of {steps} steps in {batch.games} games does not fit into memory: take fewer of either"
        ) from error
    place, shared = np.arange(batch.games), inputs.shared
    for t in range(steps):
        (made.observation[t], offered), made.mask[t], made.seat[t] = inputs.look(batch), batch.mask, batch.seat
        made.offered += [offered] if offered else []
        chances, value = map(
            np.array, ppo.said(layers, shared, made.observation[t], made.mask[t], offered and offered.padded())
        )
        action = drawn(chances, chance)
        if rivals is not None:
            made.learns[t] = (made.seat[t] == place % batch.seats) | (place >= rivals.games)
            action = np.where(made.learns[t], action, rivals.choose(batch, ~made.learns[t]))
        made.action[t], made.value[t], made.log_chance[t] = action, value, chances[place, action]
        batch.step(action)
        made.done[t] = batch.done
        made.reward[t] = np.where(made.done[t][:, None], rewards(batch), 0.0)
    return made


def rewards(batch: Batch) -> Numbers:
    """Return what the game that ended last in each place is worth to each seat: (N, S)."""
    scores, returns = np.array(batch.scores, np.float32), np.array(batch.returns, np.float32)
    if batch.seats == 1:
        return returns
    ahead = scores - (scores.sum(axis=1, keepdims=True) - scores) / (batch.seats - 1)
    usual = max(1.0, 2.0 * float(np.abs(ahead).mean()))
    made: Numbers = WIN * returns + MARGIN * np.clip(ahead / usual, -1.0, 1.0)
    return made.astype(np.float32)


def new_batch(
    game: Game, games: int, seats: int | None, options: Mapping[str, object] | None, *, auto_reset: bool = True
) -> Batch:
    """Return a batch in which a net learns; it observes only where the game writes no features. Raises BadOption."""
    observation: Form | None = None if game.has_features else "float32"
    return Batch(game, games, seats=seats, options=options, observation=observation, auto_reset=auto_reset)


def share_of_wins(like: Batch, one: Chooser, other: Chooser, games: int, seed: int) -> float:
    """Return the share of the wins, from 0 to 1, that `one` gets against `other` in all other seats.

    It plays a number of games like those of a batch to their ends, with `one` in each seat by turns; an even share is
    1 / seats.
    """
    seats = like.seats
    batch = new_batch(like.game, games, seats, like.options, auto_reset=False)
    batch.reset(seed)
    own, place = np.arange(games) % seats, np.arange(games)
    while (goes_on := batch.to_act != 0).any():
        is_own = batch.seat == own
        actions = np.where(is_own, one(batch, goes_on & is_own), other(batch, goes_on & ~is_own))
        batch.step(actions, goes_on)
    won = batch.returns[place, own]
    return float((won.mean() * (seats - 1) + 1) / seats)
