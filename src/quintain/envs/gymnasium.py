"""A game for Gymnasium: one seat learns, and bots play the other seats.

Importing this module registers every game under a name such as ``quintain/KingsCourt-v0``, for `gymnasium.make` and
for `gymnasium.make_vec`, which makes the environment of `quintain.envs.vector`.

    env = gymnasium.make("quintain/KingsCourt-v0", opponents="squire")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

The environment asks for an action only when its seat is to act. `info["action_mask"]` says which actions are legal, as
does the method `action_masks`, which the library sb3-contrib asks for. The reward is 0 until the game ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from quintain.bots import KNIGHT, Bot, Level, Player, level
from quintain.engine.errors import BadOption, IllegalMove, quoted
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import for_each_game
from quintain.envs.arguments import Form
from quintain.envs.batch import Batch
from quintain.envs.ids import env_id
from quintain.envs.illegal import Illegal, checked, forfeit, whole
from quintain.envs.text import in_lines, seen_by
from quintain.lab import matches
from quintain.lab.extras import need

try:
    import gymnasium
    from gymnasium.error import ResetNeeded
except ImportError:
    need("gymnasium", extra="gymnasium")
    raise

from quintain.envs.spaces import LegalActions, Mask, observations

__all__ = ["SeatEnv"]

FREE = "random"
"""The seat that is drawn anew for each game, and the level of opponents that the batch plays itself, compiled."""
MOST = 2**63 - 1

Opponent = str | type[Bot]
"""A level by its name, or the class of a bot."""
Step = tuple[NDArray[Any], float, bool, bool, dict[str, Any]]


class SeatEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """A game in which one seat learns.

    `seat` is a number from 0, or ``random``, which draws one for each game. `opponents` is a level such as ``squire``,
    or your own bot: its class, or ``package.module:Class``; or a list with one of these for each other seat, in the
    order of the seats. An opponent of the level ``random`` costs next to nothing, any other what the bot costs. `seats`
    and `options` are those of the game.

    With `illegal` as ``lose``, an illegal action ends the game and loses it; as ``error``, it raises IllegalMove and
    changes nothing. After the end of a game, `info` has the `scores` of all seats.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # Gymnasium's own form

    def __init__(
        self,
        game: str | Game,
        *,
        seat: int | Literal["random"] = 0,
        opponents: Opponent | Sequence[Opponent] = FREE,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        observation: Form = "float32",
        illegal: Illegal = "lose",
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self.batch = Batch(game, 1, seats=seats, options=options, observation=observation, auto_reset=False)
        self.game = self.batch.game
        self.levels = _levels(opponents, self.batch.seats)
        if seat != FREE and (type(seat) is not int or not 0 <= seat < self.batch.seats):
            raise BadOption(f"the seat is a number from 0 to {self.batch.seats - 1} or `{FREE}`, not {quoted(seat)}")
        self.illegal = checked(illegal)
        matches.prepare(self.game, self.levels)
        self.render_mode = render_mode
        self.observation_space = observations(self.batch)
        self.action_space = self.legal_actions = LegalActions(self.game.actions)
        self.seat = 0 if seat == FREE else int(seat)
        """The seat that learns in this game."""
        self._draws_seat = seat == FREE
        self._players: list[Player | None] = []
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal a game, and play on until the seat is asked. A seed decides this game and those that follow.

        `options` of the game replace those of the same names, in this game and those that follow. Raises BadOption for
        a wrong one, and changes nothing then.
        """
        self.batch.check_options(options)
        super().reset(seed=seed)
        while True:
            if self._draws_seat:
                self.seat = int(self.np_random.integers(self.batch.seats))
            self.batch.reset(np.array([self._drawn()], np.int64), options)
            self._players = self._seated()
            self._play_on()
            if self.batch.seat[0] == self.seat:
                break
        self._is_over = False
        return self._observed(), self._info()

    def step(self, action: np.int64 | int) -> Step:
        """Play an action, and play on until the seat is asked again or the game is over."""
        if self._is_over:
            raise ResetNeeded("the game is over, or none has been dealt yet: call `reset`")
        chosen = whole(action)
        if not 0 <= chosen < self.game.actions or not self.batch.mask[0, chosen]:
            return self._refused(chosen)
        self.batch.step(np.array([chosen], np.int64))
        won = float(self.batch.reward[0, self.seat]) + self._play_on()
        self._is_over = bool(self.batch.seat[0] < 0)
        result = {"scores": self.batch.scores[0].tolist()} if self._is_over else {}
        return self._observed(), won, self._is_over, False, self._info() | result

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now; none once the game is over."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """Return what the seat sees as text, in the render mode ``ansi``."""
        if self.render_mode is None:
            return None
        return in_lines(seen_by(self.game, self.batch.book, self.batch.state(0), self.seat))

    def _play_on(self) -> float:
        """Let the other seats play until the learning seat is asked or the game is over; return what that brings it."""
        won = 0.0
        while (seat := int(self.batch.seat[0])) not in {self.seat, -1}:
            player = self._players[seat]
            if player is None:
                actions = self.batch.sample()
            else:
                seen = seen_by(self.game, self.batch.book, self.batch.state(0), seat)
                actions = np.array([player.choose(seen)], np.int64)
            self.batch.step(actions)
            won += float(self.batch.reward[0, self.seat])
        return won

    def _refused(self, action: int) -> Step:
        """Answer an illegal action."""
        if self.illegal == "error":
            legal = np.flatnonzero(self.batch.mask[0]).tolist()
            raise IllegalMove(f"seat {self.seat} cannot play {action} now; its legal actions are {legal}")
        self._is_over = True
        won = forfeit(self.game, self.batch.seats, (self.seat,))[self.seat]
        return self._observed(), won, True, False, self._info() | {"illegal": True}

    def _seated(self) -> list[Player | None]:
        """Return a new bot for each seat, None where the batch draws the actions itself, and for the learning seat."""
        others = iter(self.levels)
        each = [None if seat == self.seat else next(others) for seat in range(self.batch.seats)]
        return [None if who is None or who.name == FREE else Player(who, self.game, self._drawn()) for who in each]

    def _drawn(self) -> int:
        return int(self.np_random.integers(MOST, endpoint=True, dtype=np.int64))

    def _mask(self) -> Mask:
        return np.zeros(self.game.actions, np.int8) if self._is_over else self.batch.mask[0].copy()

    def _observed(self) -> NDArray[Any]:
        return np.array(self.batch.observe(self.seat)[0])

    def _info(self) -> dict[str, Any]:
        self.legal_actions.mask = self._mask()
        return {"action_mask": self._mask(), "seat": self.seat}


def _levels(opponents: Opponent | Sequence[Opponent], seats: int) -> list[Level]:
    """Return the level of each opponent; raises BadOption if their number is wrong or there is no such level."""
    found: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * (seats - 1)
    if len(found) != seats - 1:
        raise BadOption(f"a game of {seats} seats has {seats - 1} opponents, not {len(found)}")
    for each in found:
        if not isinstance(each, str) and not (isinstance(each, type) and hasattr(each, "choose")):
            raise BadOption(
                f"an opponent is the name of a level, or a class with a method `choose`, not {quoted(each)}"
            )
    return [level(each) if isinstance(each, str) else Level(each.__name__, each, KNIGHT) for each in found]


def _register(game: Game) -> None:
    if env_id(game) not in gymnasium.registry:
        gymnasium.register(
            env_id(game),
            entry_point="quintain.envs.gymnasium:SeatEnv",
            vector_entry_point="quintain.envs.vector:BatchEnv",
            kwargs={"game": game.id},
        )


for_each_game(_register)
