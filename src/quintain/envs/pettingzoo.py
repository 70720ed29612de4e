"""A game for PettingZoo, in both of its forms: the seats act in turn (`env`), or all of them in every step
(`parallel_env`)::

    env = quintain.envs.pettingzoo.env("kings-court")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"]))

The agents are called ``seat_0``, ``seat_1`` and so on. What an agent observes is a dictionary: `observation` is what
its seat may know, as numbers, and `action_mask` has 1 for each legal action. Where the rules ask several seats at once,
as for a secret choice, the turns go from the lowest seat to the highest, and no seat learns what another has chosen.

Importing this module also registers every game with PettingZoo: ``pettingzoo.make("aec", "quintain/KingsCourt-v0")``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from quintain.engine.errors import BadOption, IllegalMove, quoted
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import for_each_game
from quintain.envs.arguments import Form
from quintain.envs.batch import Batch
from quintain.envs.ids import env_id
from quintain.envs.illegal import Illegal, checked, forfeit, whole
from quintain.envs.text import in_lines, seen_by
from quintain.lab.extras import need

try:
    from gymnasium.spaces import Box, Dict
    from gymnasium.utils.seeding import np_random
    from pettingzoo import aec_registry, parallel_registry, register
    from pettingzoo.utils.env import AECEnv, ParallelEnv
except ImportError:
    need("pettingzoo", "gymnasium", extra="pettingzoo")
    raise

from quintain.envs.spaces import LegalActions, observations

__all__ = ["TogetherEnv", "TurnEnv", "env", "parallel_env"]

Observed = dict[str, NDArray[Any]]
"""What an agent observes: `observation` and `action_mask`."""
OF_THEIR_TEST = {"options": 1}
"""What PettingZoo's own test of environments gives to `reset`, and wants to see accepted."""


def env(
    game: str | Game,
    *,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    observation: Form = "float32",
    illegal: Illegal = "lose",
    max_cycles: int | None = None,
    render_mode: Literal["ansi"] | None = None,
) -> TurnEnv:
    """Return a game in which the seats act in turn.

    With `illegal` as ``lose``, an illegal action ends the game for all: its seat gets -1 (in a game with payoffs of its
    own, the least of them), and the others share what it loses. As ``error``, it raises IllegalMove and changes
    nothing. After `max_cycles` times as many actions as there are seats, the game is cut off without a result.
    """
    return TurnEnv(Core(game, seats, options, observation, illegal, max_cycles, render_mode))


def parallel_env(
    game: str | Game,
    *,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    observation: Form = "float32",
    illegal: Illegal = "lose",
    max_cycles: int | None = None,
    render_mode: Literal["ansi"] | None = None,
) -> TogetherEnv:
    """Return a game in which every agent acts in every step: an agent that is not asked has one legal action, to wait.

    The last action of the space is to wait. The arguments are those of `env`; after `max_cycles` steps, the game is cut
    off.
    """
    return TogetherEnv(Core(game, seats, options, observation, illegal, max_cycles, render_mode, together=True))


class Core:
    """What both forms share: a batch of one game, its agents and their spaces, and the random numbers for its deals."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None,
        options: Mapping[str, object] | None,
        observation: Form,
        illegal: Illegal,
        max_cycles: int | None,
        render_mode: Literal["ansi"] | None,
        together: bool = False,
    ) -> None:
        if max_cycles is not None and not (isinstance(max_cycles, int | np.integer) and max_cycles >= 1):
            raise BadOption(f"`max_cycles` is a whole number from 1, or None, not {quoted(max_cycles)}")
        self.batch = Batch(
            game, 1, seats=seats, options=options, observation=observation, together=together, auto_reset=False
        )
        self.game, self.seats = self.batch.game, self.batch.seats
        self.illegal, self.max_cycles, self.render_mode = checked(illegal), max_cycles, render_mode
        self.agents = [f"seat_{seat}" for seat in range(self.seats)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.agents)}
        actions = self.game.actions + together
        self.actions = {agent: LegalActions(actions) for agent in self.agents}
        mask = Box(0, 1, (actions,), np.int8)
        space = observations(self.batch)
        self.observations = {agent: Dict({"observation": space, "action_mask": mask}) for agent in self.agents}
        self._random, _ = np_random()

    @property
    def name(self) -> str:
        """The name of the environment."""
        return f"quintain_{self.game.id.replace('-', '_')}_v0"

    def deal(self, seed: int | None, options: Mapping[str, object] | None) -> None:
        """Deal a game; a seed decides it and those that follow, and so do options. Raises BadOption for a wrong one."""
        changed = None if options == OF_THEIR_TEST else options
        self.batch.check_options(changed)
        if seed is not None:
            self._random, _ = np_random(seed)
        self.batch.reset(self._random.integers(2**63 - 1, size=1, endpoint=True, dtype=np.int64), changed)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.batch.seat[0] < 0)

    def check_dealt(self) -> None:
        """Raise BadOption if no game has been dealt yet."""
        if not self.batch.is_dealt:
            raise BadOption("no game is dealt yet: call reset first")

    def is_legal(self, agent: str, action: object) -> bool:
        """Tell whether an agent may play an action now; raises BadOption for what is no whole number."""
        chosen, mask = whole(action), self.actions[agent].mask
        return 0 <= chosen < len(mask) and bool(mask[chosen])

    def rewards(self) -> dict[str, float]:
        """Return what the last step brought each agent."""
        return dict(zip(self.agents, self.batch.reward[0].tolist(), strict=True))

    def forfeited(self, offenders: list[str]) -> dict[str, float]:
        """Return what each agent gets if some of them chose illegal actions."""
        seats = [self.seat_of[agent] for agent in offenders]
        return dict(zip(self.agents, forfeit(self.game, self.seats, seats), strict=True))

    def infos(self, offenders: list[str]) -> dict[str, dict[str, Any]]:
        """Return what is worth saying of each agent: its score at the end of a game, or that it chose illegally."""
        if offenders:
            return {agent: {"illegal": agent in offenders} for agent in self.agents}
        if self.is_over:
            return {agent: {"score": int(self.batch.scores[0, seat])} for agent, seat in self.seat_of.items()}
        return {agent: {} for agent in self.agents}

    def refusal(self, agent: str, action: object) -> IllegalMove:
        """Return the error for an illegal action."""
        legal = np.flatnonzero(self.actions[agent].mask).tolist()
        return IllegalMove(f"{agent} cannot play {quoted(action)} now; its legal actions are {legal}")

    def render(self, seat: int) -> str | None:
        """Return what a seat sees as text, or None without a render mode."""
        if self.render_mode is None:
            return None
        return in_lines(seen_by(self.game, self.batch.book, self.batch.state(0), seat))


class TurnEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which the seats act in turn. `env` makes it."""

    def __init__(self, core: Core) -> None:
        super().__init__()
        self.core, self.max_cycles, self.render_mode = core, core.max_cycles, core.render_mode
        self.metadata = {"name": core.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = list(core.agents)
        self.agents: list[str] = []
        self._acted = 0

    def observation_space(self, agent: str) -> Dict:
        """Return the space of what an agent observes."""
        return self.core.observations[agent]

    def action_space(self, agent: str) -> LegalActions:
        """Return the space of an agent's actions; without a mask, it draws legal ones where the agent is to act."""
        return self.core.actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game; a seed decides it and those that follow.

        `options` of the game replace those of the same names, in this game and those that follow. Raises BadOption for
        a wrong one, and changes nothing then.
        """
        self.core.deal(seed, options)
        self._acted = 0
        self._skip_agent_selection = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self.core.infos([])
        self._ask()

    def observe(self, agent: str) -> Observed:
        """Return what an agent observes now. Its mask is empty unless it is the agent to act."""
        batch = self.core.batch
        return {
            "observation": np.array(batch.observe(self.core.seat_of[agent])[0]),
            "action_mask": self.core.actions[agent].mask.copy(),
        }

    def step(self, action: int | None) -> None:
        """Play the action of the agent to act."""
        self.core.check_dealt()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        is_legal = self.core.is_legal(agent, action)
        if not is_legal and self.core.illegal == "error":
            raise self.core.refusal(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._acted += 1
        offenders = [] if is_legal else [agent]
        if is_legal:
            self.core.batch.step(np.array([whole(action)], np.int64))
        self.rewards = self.core.rewards() if is_legal else self.core.forfeited(offenders)
        self.infos = self.core.infos(offenders)
        over = self.core.is_over or not is_legal
        cut = not over and self.max_cycles is not None and self._acted >= self.max_cycles * self.core.seats
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self._accumulate_rewards()
        self._ask()

    def render(self) -> str | None:
        """Return what the agent to act sees as text, in the render mode ``ansi``."""
        self.core.check_dealt()
        return self.core.render(self.core.seat_of[self.agent_selection])

    def close(self) -> None:
        """Do nothing: an environment holds nothing open."""

    def _ask(self) -> None:
        """Ask the next agent: the one to act, or the first once the game has ended."""
        ended = any(self.terminations.values()) or any(self.truncations.values())
        self.agent_selection = self.agents[0 if ended else int(self.core.batch.seat[0])]
        for agent, space in self.core.actions.items():
            space.mask[:] = 0 if ended or agent != self.agent_selection else self.core.batch.mask[0]


class TogetherEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which all agents act in every step, and those that are not asked wait. `parallel_env` makes it."""

    def __init__(self, core: Core) -> None:
        self.core, self.max_cycles, self.render_mode = core, core.max_cycles, core.render_mode
        self.metadata = {"name": core.name, "render_modes": ["ansi"], "is_parallelizable": True}
        self.possible_agents = list(core.agents)
        self.agents: list[str] = []
        self.wait = core.game.actions
        """The action by which an agent waits."""
        self._steps = 0

    def observation_space(self, agent: str) -> Dict:
        """Return the space of what an agent observes."""
        return self.core.observations[agent]

    def action_space(self, agent: str) -> LegalActions:
        """Return the space of an agent's actions, of which it draws legal ones."""
        return self.core.actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Deal a game; a seed decides it and those that follow.

        `options` of the game replace those of the same names, in this game and those that follow. Raises BadOption for
        a wrong one, and changes nothing then.
        """
        self.core.deal(seed, options)
        self._steps = 0
        self.agents = list(self.possible_agents)
        return self._observed(False), self.core.infos([])

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of all agents; raises BadOption unless there is one for each."""
        self.core.check_dealt()
        if not self.agents:
            return {}, {}, {}, {}, {}
        if set(actions) != set(self.agents):
            raise BadOption(f"step takes an action of each of {', '.join(self.agents)}, not of {quoted(list(actions))}")
        offenders = [agent for agent in self.agents if not self.core.is_legal(agent, actions[agent])]
        if offenders and self.core.illegal == "error":
            raise self.core.refusal(offenders[0], actions[offenders[0]])
        self._steps += 1
        if not offenders:
            chosen = [int(actions[agent]) for agent in self.agents]
            self.core.batch.step(np.array([[0 if action == self.wait else action for action in chosen]], np.int64))
        rewards = self.core.forfeited(offenders) if offenders else self.core.rewards()
        over = self.core.is_over or bool(offenders)
        cut = not over and self.max_cycles is not None and self._steps >= self.max_cycles
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, cut)
        observed, infos = self._observed(over or cut), self.core.infos(offenders)
        if over or cut:
            self.agents = []
        return observed, rewards, terminations, truncations, infos

    def render(self) -> str | None:
        """Return what a spectator sees as text, in the render mode ``ansi``."""
        self.core.check_dealt()
        return self.core.render(SPECTATOR)

    def close(self) -> None:
        """Do nothing: an environment holds nothing open."""

    def _observed(self, ended: bool) -> dict[str, Observed]:
        """Return what each agent observes, after making the masks: nothing is legal once the game has ended."""
        batch = self.core.batch
        for agent, seat in self.core.seat_of.items():
            mask = self.core.actions[agent].mask
            mask[:-1] = 0 if ended else batch.mask[0, seat]
            mask[-1] = 0 if ended else not batch.to_act[0] >> seat & 1
        return {
            agent: {
                "observation": np.array(batch.observation[0, seat]),
                "action_mask": self.core.actions[agent].mask.copy(),
            }
            for agent, seat in self.core.seat_of.items()
        }


def _register(game: Game) -> None:
    if env_id(game) not in aec_registry:
        register("aec", env_id(game), "quintain.envs.pettingzoo:env", kwargs={"game": game.id})
    if env_id(game) not in parallel_registry:
        register("parallel", env_id(game), "quintain.envs.pettingzoo:parallel_env", kwargs={"game": game.id})


for_each_game(_register)
