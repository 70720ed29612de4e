"""Every game for OpenSpiel, with chance nodes, so that OpenSpiel's algorithms run on it.

    import pyspiel
    import quintain.envs.openspiel
    game = pyspiel.load_game("quintain_kings_court")

Importing this module registers all games; `register` adds one from a file. A game's name is ``quintain_`` and its id
with underscores. Its parameters are `seats` and the options of the game: ``quintain_heirless(seats=2,knights=3)``.
Lists are written with semicolons, such as ``garnets=3;1``, and a list of one number with one after it, ``regions=6;``.
An empty text stands for the default, and so does a number below the lowest one allowed.

OpenSpiel sees a sequential game:

- if several seats choose at the same time, the lowest one is asked first, and the others do not learn its choice;
- a move with draws is followed by a chance node for each of them (see `quintain.engine.rules.explicit`);
- a seat with a single legal action is not asked: the adapter plays the action at once.

The information state of a seat is a hash of all that it has seen and chosen, in order. It is equal for two histories
that the seat cannot tell apart, on every machine and in every run. States of one game share a `GameTree`.

Of OpenSpiel's algorithms in C++, the bots that search, such as `pyspiel.MCTSBot`, crash on every game that is written
in Python, also on OpenSpiel's own. Those in Python, such as `open_spiel.python.algorithms.mcts`, run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from quintain.engine.errors import BadGame, BadOption, IllegalMove, quoted
from quintain.engine.play.positions import write_position
from quintain.engine.rules.compiling.compiled import interpreted
from quintain.engine.rules.contract import lowest_seat
from quintain.engine.rules.explicit import Draw, Explicit
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.engine.rules.registry import for_each_game
from quintain.engine.rules.state import GameState
from quintain.envs.returns import write_returns
from quintain.lab.extras import need

__all__ = ["name_of", "register"]

try:
    import numpy as np
    import pyspiel
except ImportError:
    need("pyspiel", extra="openspiel")
    raise

PREFIX = "quintain_"
SEATS = "seats"
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
KEPT_NUMBERS = 10_000_000
"""How many numbers the states of one tree hold together, about 100 MB, before the tree is forgotten and grows anew."""
KEPT_TREES = 8
"""How many trees are kept for games that are loaded again, or whose states are read from text."""
MOST_CHANCE_NODES = 1_000_000
"""What OpenSpiel is told about the chance nodes of a game. Some games draw until something fits, so that there is no
bound, but no game comes near this number. None of OpenSpiel's algorithms for these games uses it."""
LISTS = ("numbers", "names", "files")
"""The kinds of options that are lists."""

Move = tuple[int, int, bool]
"""A seat, its action, and whether the seat had a choice."""
Given = tuple[tuple[str, Any], ...]
"""The options that were given, with their values."""
Memory = tuple[bytes, bytes]
"""What a seat remembers: the hash of all that it has seen and chosen, and the hash of what it saw last."""

_games: dict[str, Game] = {}


def register(game: Game) -> str:
    """Register a game with OpenSpiel, and return its name there.

    Raises BadGame if it lacks a bound, and BadOption for anything but a game: `register_file` reads one from a file.
    """
    if not isinstance(game, Game):
        raise BadOption(f"register takes a Game, such as quintain.game(ID) or register_file(PATH), not {quoted(game)}")
    for name, bound, of in (
        ("LONGEST", game.longest, "actions of a game"),
        ("OUTCOMES", game.outcomes, "outcomes of a draw"),
    ):
        if bound is None:
            raise BadGame(
                f"OpenSpiel needs a bound that {game.id} does not declare: give its rules {name}, the most {of}"
            )
    name = name_of(game)
    _games[name] = game
    pyspiel.register_game(_type_of(game), _Maker(game))
    return name


def name_of(game: Game) -> str:
    """Return the name of a game in OpenSpiel."""
    return PREFIX + game.id.replace("-", "_")


class _Maker:
    """Makes a game from its parameters, whenever OpenSpiel loads it.

    OpenSpiel drops its makers after Python has ended, when no object can be freed any more. This one refers to itself,
    so that it is never freed.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.itself = game, self

    def __call__(self, params: Mapping[str, Any]) -> SpielGame:
        return SpielGame(self.game, params)


class Path:
    """The actions and outcomes that lead to a node, as a list that shares its beginning with those of other nodes."""

    __slots__ = ("before", "last")

    def __init__(self, before: Path | None, last: int) -> None:
        self.before, self.last = before, last

    @staticmethod
    def listed(path: Path | None) -> list[int]:
        """Return the actions and outcomes in order."""
        found = []
        while path is not None:
            found.append(path.last)
            path = path.before
        return found[::-1]


class Node:
    """A place in the game tree: a seat is to choose, chance is to draw, or the game is over.

    `player` is the seat, CHANCE or TERMINAL, `legal` are the actions or outcomes from here, `s` is the last state
    between two moves (None during the deal), `memories` is what each seat remembers, `returns` is what each seat gets.
    During a move, `move` is this move (None for the deal), and `answers` are its outcomes so far. Nothing but
    `children` changes.
    """

    __slots__ = ("answers", "children", "legal", "memories", "move", "path", "player", "returns", "s", "tree")

    def __init__(
        self,
        tree: GameTree,
        path: Path | None,
        memories: tuple[Memory, ...],
        s: GameState | None,
        player: int,
        legal: list[int],
        returns: list[float],
        move: Move | None = None,
        answers: tuple[int, ...] = (),
    ) -> None:
        self.tree, self.path, self.memories, self.s = tree, path, memories, s
        self.player, self.legal, self.returns, self.move, self.answers = player, legal, returns, move, answers
        self.children: dict[int, Node] = {}

    def child(self, action: int) -> Node:
        """Return the node that an action or an outcome leads to; raises IllegalMove."""
        found = self.children.get(action)
        if found is None:
            found = self.tree.grown(self, action)
            self.children[action] = found
        return found

    def __deepcopy__(self, memo: object) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _found, (name_of(self.tree.game), self.tree.seats, self.tree.given, Path.listed(self.path))

    def blinded(self, seat: int) -> GameState | None:
        """Return what a seat sees of the last state between two moves; None during the deal."""
        return None if self.s is None else self.tree.game.blinded(self.tree.book, self.s, seat)


class GameTree:
    """The game tree of one game, with a number of seats and options. It grows where states ask for it.

    Nodes are kept, since algorithms walk the same tree many times: an iteration of CFR on the tutorial's Goofspiel with
    four cards takes 8 ms instead of 56.
    """

    def __init__(self, game: Game, seats: int, given: Given) -> None:
        self.game, self.seats, self.given = game, seats, given
        self.book = game.make_book(seats, game.read_options(seats, dict(given)))
        self.chance = Explicit(game)
        self._write_returns = interpreted(game, write_returns)
        self._most = KEPT_NUMBERS // sum(1 for _ in game.state().values())
        self._kept = 0
        self.root = self._moved(None, ((b"", b""),) * seats, None, None, ())

    def grown(self, node: Node, action: int) -> Node:
        """Return a new node for an action or an outcome of another; raises IllegalMove."""
        if action not in node.legal:
            raise IllegalMove(f"{action} is not among the legal actions {', '.join(map(str, node.legal))}")
        self._kept += 1
        if self._kept > self._most:
            self.root.children.clear()
            self._kept = 1
        path = Path(node.path, action)
        if node.player == CHANCE:
            return self._moved(path, node.memories, node.s, node.move, (*node.answers, action))
        return self._moved(path, node.memories, node.s, (node.player, action, True), ())

    def _moved(
        self,
        path: Path | None,
        memories: tuple[Memory, ...],
        s: GameState | None,
        move: Move | None,
        answers: tuple[int, ...],
    ) -> Node:
        """Return the node after a move, or after the deal, and after all moves without a choice that follow."""
        while True:
            if s is None or move is None:
                after = self.chance.deal(self.book, answers)
            else:
                after = self.chance.play(self.book, s, move[0], move[1], answers)
            if isinstance(after, Draw):
                outcomes = self._checked(after)
                return Node(self, path, memories, s, CHANCE, outcomes, [0.0] * self.seats, move, answers)
            s = after
            memories = tuple(self._remembered(memory, seat, s, move) for seat, memory in enumerate(memories))
            bits = self.game.rules.to_act(self.book, s)
            if not bits:
                return Node(self, path, memories, s, TERMINAL, [], self._returns(s))
            seat = lowest_seat(bits)
            legal = self.game.legal_actions(self.book, s, seat)
            if len(legal) > 1:
                return Node(self, path, memories, s, seat, legal, [0.0] * self.seats)
            move, answers = (seat, legal[0], False), ()

    def _checked(self, draw: Draw) -> list[int]:
        """Return the outcomes of a draw; raises BadGame if there are more than the game declares."""
        if self.game.outcomes is None or draw.outcomes > self.game.outcomes:
            most = f"OUTCOMES of {self.game.id} is {self.game.outcomes}"
            raise BadGame(f"{most}, and a draw has {draw.outcomes} outcomes: declare the most of any draw")
        return list(range(draw.outcomes))

    def _remembered(self, memory: Memory, seat: int, s: GameState, move: Move | None) -> Memory:
        """Return what a seat remembers after a move: also its own choice, and what it sees if that has changed."""
        all_of_it, last = memory
        if move is not None and move[0] == seat and move[2]:
            all_of_it = _hash(all_of_it, b"chose", move[1].to_bytes(8, "big"))
        seen = _hash(self.game.blinded(self.book, s, seat).pack())
        return (all_of_it if seen == last else _hash(all_of_it, b"saw", seen)), seen

    def _returns(self, s: GameState) -> list[float]:
        scores, ranks, values = [0] * self.seats, [0] * self.seats, [0.0] * self.seats
        self._write_returns(self.book, s, self.seats, scores, ranks, values)
        return values


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # the library has no types
    """A game as OpenSpiel knows it."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        usual = _parameters(game)
        given = {name: value for name, value in (params or {}).items() if name in usual and value != usual[name]}
        seats = game.check_seats(given.pop(SEATS, usual[SEATS]))
        options = {option.name: option for option in game.text.OPTIONS}
        read = tuple(sorted((name, _read(options[name], value)) for name, value in given.items()))
        self.tree = _tree(game, seats, read)
        kept = {name: _written(options[name], value) for name, value in given.items()}
        kept |= {SEATS: seats} if seats != usual[SEATS] else {}
        super().__init__(_type_of(game), _info_of(game, seats), kept)

    def new_initial_state(self) -> SpielState:
        """Return the state before the deal, or after it if no chance takes part."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a number that is larger than that of the chance nodes of any game."""
        return MOST_CHANCE_NODES if self.tree.game.outcomes != 1 else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer: of the information state if it is to have perfect recall, else of what a seat sees.

        Raises ValueError if it is to leave out what is public or private, or to show the private things of all.
        """
        if params:
            raise ValueError(f"observers of this game take no parameters, not {params}")
        asked = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not asked.public_info or asked.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(
                "observers of this game show one player what is public and what is private to that player: "
                "public_info is True, and private_info is SINGLE_PLAYER"
            )
        return SpielObserver(self.tree, asked.perfect_recall)


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
        return _information(self.node, self.node.player if player is None else player)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"outcome {action}"
        tree, blinded = self.node.tree, self.node.blinded(player)
        return str(tree.game.text.name(tree.book, blinded, player, action))

    def __str__(self) -> str:
        node = self.node
        said = {CHANCE: f"a draw of {len(node.legal)} outcomes", TERMINAL: f"over, returns {node.returns}"}
        lines = [said.get(node.player, f"seat {node.player} to act"), f"after {Path.listed(node.path)}"]
        return "\n".join(lines + ([] if node.s is None else _lines(node.tree, node.s)))


class SpielObserver:
    """Writes what a seat knows: the information state as text, or what it sees as text and as numbers."""

    def __init__(self, tree: GameTree, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor = None if perfect_recall else np.zeros(tree.game.observation.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the numbers that a player sees; zeros during the deal.

        Raises ValueError for an observer of the information state, which has no numbers.
        """
        if self.tensor is None:
            raise ValueError(
                "the information states of this game are text, from `string_from`, and have no tensor; for numbers "
                "ask for an observer with perfect_recall=False"
            )
        tree, blinded = state.node.tree, state.node.blinded(_seat(state.node, player))
        out = [0.0] * len(self.tensor)
        if blinded is not None:
            tree.game.rules.observe(tree.book, blinded, player, out)
        self.tensor[:] = out

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the information state of a player, or the lines of what it sees; none during the deal."""
        if self.perfect_recall:
            return _information(state.node, player)
        blinded = state.node.blinded(_seat(state.node, player))
        return "" if blinded is None else "\n".join(_lines(state.node.tree, blinded))


def _hash(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


def _seat(node: Node, player: int) -> int:
    """Return the number of a player if it is a seat; raises ValueError."""
    if not 0 <= player < node.tree.seats:
        raise ValueError(f"the players are 0 to {node.tree.seats - 1}, and {player} is none of them")
    return player


def _information(node: Node, player: int) -> str:
    return node.memories[_seat(node, player)][0].hex()


def _lines(tree: GameTree, s: GameState) -> list[str]:
    """Return the fields of a state as lines, without those of zeros; what is hidden is a question mark."""
    lines = write_position(s, tree.game.card_names(tree.book)).splitlines()
    return [line for line in lines if set(line.partition(" = ")[2]) - set("0 ")]


def _found(name: str, seats: int, given: Given, actions: Sequence[int]) -> Node:
    """Return the node that actions and outcomes lead to, when a state is read from its text."""
    node = _tree(_games[name], seats, given).root
    for action in actions:
        node = node.child(action)
    return node


@lru_cache(KEPT_TREES)
def _tree(game: Game, seats: int, given: Given) -> GameTree:
    """Return the tree of a game. Games that are loaded twice, or read from text, share it."""
    return GameTree(game, seats, given)


def _type_of(game: Game) -> pyspiel.GameType:
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
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
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


def _parameters(game: Game) -> dict[str, int | bool | str]:
    """Return the parameters of a game with their usual values."""
    return {SEATS: game.seats[2]} | {option.name: _usual(option) for option in game.text.OPTIONS}


def _usual(option: Option) -> int | bool | str:
    """Return the value of a parameter that stands for the usual value of an option.

    That is the value itself for numbers and switches, and an empty text for others. A value that depends on the seats
    cannot be known here: a number below the least stands for it, or an empty text.
    """
    if option.kind == "switch" and not callable(option.default):
        return bool(option.default)
    if option.kind == "number":
        return (option.least or 0) - 1 if callable(option.default) else int(str(option.default))
    return ""


def _read(option: Option, value: Any) -> Any:
    """Return the value of an option, given as a parameter; raises BadOption."""
    if not isinstance(value, str) or option.kind == "file":
        return value
    text = value.removesuffix(";")
    if not text:
        raise BadOption(f"the option {option.name} cannot be {value!r}: it takes {option.takes()}")
    return text.replace(";", ",") if option.kind in LISTS else text


def _written(option: Option, value: Any) -> Any:
    """Return a parameter as OpenSpiel reads it back: lists with semicolons, and no text that looks like a number."""
    if not isinstance(value, str) or option.kind == "file":
        return value
    text = value.removesuffix(";").replace(",", ";" if option.kind in LISTS else ",")
    return f"{text};" if re.fullmatch(r"[-+.0-9]*|[Tt]rue|[Ff]alse", text) else text


def _register_if_bounded(game: Game) -> None:
    if game.longest is not None and game.outcomes is not None:
        register(game)


for_each_game(_register_if_bounded)
