"""A game and its states, as OpenSpiel knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyspiel

from quintain.engine.rules.game import Game
from quintain.envs.openspiel.available import CHANCE, TERMINAL
from quintain.envs.openspiel.observers import SpielObserver, described, information
from quintain.envs.openspiel.parameters import SEATS, parameters, read, written
from quintain.envs.openspiel.tree import Path, tree_of

PREFIX = "quintain_"
MOST_CHANCE_NODES = 1_000_000
"""What OpenSpiel is told about the chance nodes of a game. Some games draw until something fits, so that there is no
bound, but no game comes near this number. None of OpenSpiel's algorithms for these games uses it."""
SEEDS = 2**53
"""How many different deals a number between 0 and 1 decides between."""


def name_of(game: Game) -> str:
    """Return the name of a game in OpenSpiel."""
    return PREFIX + game.id.replace("-", "_")


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # the library has no types
    """A game as OpenSpiel knows it."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        usual = parameters(game)
        given = {name: value for name, value in (params or {}).items() if name in usual and value != usual[name]}
        seats = game.check_seats(given.pop(SEATS, usual[SEATS]))
        options = {option.name: option for option in game.text.OPTIONS}
        chosen = tuple(sorted((name, read(options[name], value)) for name, value in given.items()))
        self.tree = tree_of(game, seats, chosen)
        kept = {name: written(options[name], value) for name, value in given.items()}
        kept |= {SEATS: seats} if seats != usual[SEATS] else {}
        super().__init__(type_of(game), _info_of(game, seats), kept)

    def new_initial_state(self) -> SpielState:
        """Return the state before the deal, or after it if no chance takes part."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a number that is larger than that of the chance nodes of any game."""
        return MOST_CHANCE_NODES if self.tree.game.outcomes != 1 else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer of a type; by default it shows what a seat sees now.

        Raises ValueError, which says why, for a type that shows nothing, or that cannot be shown.
        """
        if params:
            raise ValueError(f"observers of this game take no parameters, not {params}")
        return SpielObserver(self.tree, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):  # type: ignore[misc]  # the library has no types
    """A state as OpenSpiel knows it: a node of the tree, and the history that the library itself keeps."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.node = game.tree.root

    def current_player(self) -> int:
        """Return the seat that is to choose, or the number of chance or of the end."""
        return self.node.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.player == TERMINAL

    def is_chance_node(self) -> bool:
        """Return whether chance is to draw."""
        return self.node.player == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player, by default of the one that is to choose, or the outcomes of chance."""
        return self.node.legal[:] if player is None or player == self.node.player else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each outcome of the draw with its probability."""
        outcomes = self.node.legal
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)

    def returns(self) -> list[float]:
        """Return what each seat gets: zeros before the end."""
        return self.node.returns[:]

    def information_state_string(self, player: int | None = None) -> str:
        """Return the hash of all that a player, by default the one to choose, has seen and chosen."""
        return information(self.node, self.node.player if player is None else player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that a player cannot tell from this one, with all that is hidden dealt again.

        `sampler` returns a number from 0 to 1, which decides about the deal. The player has the same information state;
        the others' are made up, and so the history of the new state begins here. Raises ValueError at a chance node.
        """
        made = self.get_game().new_initial_state()
        made.node = self.node.tree.redealt(self.node, self.node.seat(player), int(sampler() * SEEDS))
        return made  # type: ignore[no-any-return]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"outcome {action}"
        tree, blinded = self.node.tree, self.node.blinded(player)
        return str(tree.game.text.name(tree.book, blinded, player, action))

    def __str__(self) -> str:
        node = self.node
        said = {CHANCE: f"a draw of {len(node.legal)} outcomes", TERMINAL: f"over, returns {node.returns}"}
        lines = [said.get(node.player, f"seat {node.player} to act"), f"after {Path.listed(node.path)}"]
        return "\n".join(lines + ([] if node.s is None else described(node.tree, node.s)))


def type_of(game: Game) -> pyspiel.GameType:
    """Return how OpenSpiel describes a game, without its parameters."""
    kinds = pyspiel.GameType
    return pyspiel.GameType(
        short_name=name_of(game),
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC if game.outcomes == 1 else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if "payoff" in game.written else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.seats[1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


def _info_of(game: Game, seats: int) -> pyspiel.GameInfo:
    """Return the numbers by which OpenSpiel describes a game with a number of seats."""
    own = "payoff" in game.written
    return pyspiel.GameInfo(
        num_distinct_actions=game.actions,
        max_chance_outcomes=0 if game.outcomes == 1 else game.outcomes,
        num_players=seats,
        min_utility=game.constants["LEAST_PAYOFF"] if own else -1 / max(1, seats - 1),
        max_utility=game.constants["MOST_PAYOFF"] if own else 1.0,
        utility_sum=None if own else 0.0,
        max_game_length=game.longest,
    )
