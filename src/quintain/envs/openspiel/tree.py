"""The game tree of one game: its nodes, what each seat remembers at them, and nodes that are made up for a seat.

Games that are loaded twice share a tree, and so do states that are read from text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from quintain.engine.errors import BadGame, IllegalMove
from quintain.engine.rules.compiling.compiled import interpreted
from quintain.engine.rules.contract import SPECTATOR, lowest_seat
from quintain.engine.rules.explicit import Draw, Explicit
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState
from quintain.envs.openspiel.available import CHANCE, TERMINAL
from quintain.envs.recall import Recalled, chained, listed, noticed, told_since
from quintain.envs.returns import write_returns

KEPT_NUMBERS = 10_000_000
"""How many numbers the states of one tree hold together, about 100 MB, before the tree is forgotten and grows anew."""
KEPT_TREES = 8
"""How many trees are kept for games that are loaded again, or whose states are read from text."""

Move = tuple[int, int, bool]
"""A seat, its action, and whether the seat had a choice."""
Given = tuple[tuple[str, Any], ...]
"""The options that were given, with their values."""
Task = tuple[GameState | None, Move | None, tuple[int, ...]]
"""A move to carry out in a state, with the outcomes of its draws so far; the deal, if there is no state or no move."""


registered: dict[str, Game] = {}
"""The games that OpenSpiel knows, by their ids."""


class Memory(NamedTuple):
    """What a viewer remembers.

    `whole` is the hash of all that it has seen and chosen, `last` the hash of what it saw last, `recalled` what it has
    chosen and was told of.
    """

    whole: bytes
    last: bytes
    recalled: Recalled | None


NOTHING = Memory(b"", b"", None)
"""What a viewer remembers before the deal."""


class MadeUp(NamedTuple):
    """Where made-up nodes begin: a state as bytes, and what each seat and a spectator remember there."""

    state: bytes
    memories: tuple[Memory, ...]
    public: Memory

    def __reduce__(self) -> tuple[Any, ...]:
        memories = [(each.whole, each.last, listed(each.recalled)) for each in (*self.memories, self.public)]
        return _beginning, (self.state, memories)


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
    During a move, `move` is this move (None for the deal), and `answers` are its outcomes so far. `path` leads here
    from the root, or from where the node's made-up past begins. Nothing but `children` and `public` changes: the tree
    adds to both what is asked for.
    """

    __slots__ = (
        *("answers", "beginning", "children", "legal", "memories", "move", "path", "player"),
        *("public", "returns", "s", "tree"),
    )

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
        beginning: MadeUp | None = None,
    ) -> None:
        self.tree, self.path, self.memories, self.s, self.beginning = tree, path, memories, s, beginning
        self.player, self.legal, self.returns, self.move, self.answers = player, legal, returns, move, answers
        self.children: dict[int, Node] = {}
        self.public: Memory | None = None

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
        tree = self.tree
        return _found, (tree.game.id, tree.seats, tree.given, Path.listed(self.path), self.beginning)

    def blinded(self, viewer: int) -> GameState | None:
        """Return what a seat, or a spectator (-1), sees of the last state between two moves; None during the deal."""
        return None if self.s is None else self.tree.game.blinded(self.tree.book, self.s, viewer)

    def seat(self, player: int) -> int:
        """Return the number of a player if it is a seat; raises ValueError."""
        if not 0 <= player < self.tree.seats:
            raise ValueError(f"the players are 0 to {self.tree.seats - 1}, and {player} is none of them")
        return player


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
        self.root = self._moved(None, (NOTHING,) * seats, (None, None, ()), None)

    def grown(self, node: Node, action: int) -> Node:
        """Return a new node for an action or an outcome of another; raises IllegalMove."""
        if action not in node.legal:
            raise IllegalMove(f"{action} is not among the legal actions {', '.join(map(str, node.legal))}")
        if node.beginning is None:  # others go when no state needs them any more
            self._kept += 1
            if self._kept > self._most:
                self.root.children.clear()
                self._kept = 1
        return self._moved(Path(node.path, action), node.memories, self._task(node, action), node.beginning)

    def begun(self, beginning: MadeUp) -> Node:
        """Return the node at which a made-up past begins."""
        s = self.game.state.unpack(beginning.state)
        return self._asking(None, beginning.memories, s, *self._question(s), beginning)

    def public(self, node: Node) -> Memory:
        """Return what a spectator remembers at a node. It is found, when somebody asks, along the way to the node."""
        if node.public is None:
            at = self.root if node.beginning is None else self.begun(node.beginning)
            memory = self._public_at_first(at)
            for action in Path.listed(node.path):
                after = at.child(action)
                memory = after.public or self._seen(memory, self._task(at, action))
                at, after.public = after, memory
            node.public = memory
        return node.public

    def _public_at_first(self, node: Node) -> Memory:
        """Return what a spectator remembers where the way to a node begins."""
        if node.beginning is not None:
            return node.beginning.public
        if node.public is None:
            node.public = self._seen(NOTHING, (None, None, ()))
        return node.public

    def redealt(self, node: Node, seat: int, seed: int) -> Node:
        """Return a node that a seat cannot tell from another, with hidden things and the others' pasts made up.

        The seat remembers what it does there. The others remember what a spectator does, and what they see now; they do
        not remember their own decisions. Raises ValueError while chance is to draw, for then a move is half done.
        """
        if node.s is None or node.player == CHANCE:
            raise ValueError("a state can be dealt again when a player is to choose, and not while chance is to draw")
        if node.player == TERMINAL:
            return node
        s = self.game.blinded(self.book, node.s, seat)
        self.game.rules.redeal(self.book, s, seed)
        s.rng = [0] * len(s.rng)
        public = self.public(node)
        memories = [self._made_up(s, each, public) for each in range(self.seats)]
        memories[seat] = node.memories[seat]
        beginning = MadeUp(s.pack(), tuple(memories), public)
        return self._asking(None, beginning.memories, s, *self._question(s), beginning)

    def _made_up(self, s: GameState, seat: int, public: Memory) -> Memory:
        """Return the memory of a seat that remembers nothing but what it sees, and what a spectator was told."""
        seen = _hash(self.game.blinded(self.book, s, seat).pack())
        return Memory(_hash(b"made up", public.whole, seen), seen, public.recalled)

    def _task(self, node: Node, action: int) -> Task:
        """Return what is to be carried out after an action or an outcome."""
        if node.player == CHANCE:
            return node.s, node.move, (*node.answers, action)
        return node.s, (node.player, action, True), ()

    def _moved(self, path: Path | None, memories: tuple[Memory, ...], task: Task, beginning: MadeUp | None) -> Node:
        """Return the node after a move, or after the deal, and after all moves without a choice that follow."""
        while True:
            before, move, answers = task
            after = self._carried_out(task)
            if isinstance(after, Draw):
                legal, nothing = self._checked(after), [0.0] * self.seats
                return Node(self, path, memories, before, CHANCE, legal, nothing, move, answers, beginning)
            memories = tuple(
                self._remembered(memory, seat, before, after, move) for seat, memory in enumerate(memories)
            )
            player, legal = self._question(after)
            if len(legal) != 1:
                return self._asking(path, memories, after, player, legal, beginning)
            task = after, (player, legal[0], False), ()

    def _question(self, s: GameState) -> tuple[int, list[int]]:
        """Return the seat that is to choose, and its legal actions; TERMINAL and none once the game is over."""
        bits = self.game.rules.to_act(self.book, s)
        if not bits:
            return TERMINAL, []
        seat = lowest_seat(bits)
        return seat, self.game.legal_actions(self.book, s, seat)

    def _asking(
        self,
        path: Path | None,
        memories: tuple[Memory, ...],
        s: GameState,
        player: int,
        legal: list[int],
        beginning: MadeUp | None,
    ) -> Node:
        """Return the node of a state in which a seat is to choose, or the game is over."""
        returns = self._returns(s) if player == TERMINAL else [0.0] * self.seats
        return Node(self, path, memories, s, player, legal, returns, beginning=beginning)

    def _carried_out(self, task: Task) -> GameState | Draw:
        s, move, answers = task
        if s is None or move is None:
            return self.chance.deal(self.book, answers)
        return self.chance.play(self.book, s, move[0], move[1], answers)

    def _checked(self, draw: Draw) -> list[int]:
        """Return the outcomes of a draw; raises BadGame if there are more than the game declares."""
        if self.game.outcomes is None or draw.outcomes > self.game.outcomes:
            most = f"OUTCOMES of {self.game.id} is {self.game.outcomes}"
            raise BadGame(f"{most}, and a draw has {draw.outcomes} outcomes: declare the most of any draw")
        return list(range(draw.outcomes))

    def _seen(self, memory: Memory, task: Task) -> Memory:
        """Return what a spectator remembers after a move, or the deal, and all moves without a choice that follow."""
        while True:
            after = self._carried_out(task)
            if isinstance(after, Draw):
                return memory
            memory = self._remembered(memory, SPECTATOR, task[0], after, task[1])
            player, legal = self._question(after)
            if len(legal) != 1:
                return memory
            task = after, (player, legal[0], False), ()

    def _remembered(
        self, memory: Memory, viewer: int, before: GameState | None, s: GameState, move: Move | None
    ) -> Memory:
        """Return what a viewer remembers after a move: also its own choice, and what it sees if that has changed."""
        whole, last, recalled = memory
        choice = None
        if move is not None and move[0] == viewer and move[2]:
            choice = move[1]
            whole = _hash(whole, b"chose", choice.to_bytes(8, "big"))
        blinded = self.game.blinded(self.book, s, viewer)
        seen = _hash(blinded.pack())
        if seen != last:
            whole = _hash(whole, b"saw", seen)
        told = told_since(blinded, 0 if before is None else before.events_made)
        if not told and choice is None and before is not None and seen != last:
            told = noticed(self.game.blinded(self.book, before, viewer), blinded)
        return Memory(whole, seen, Recalled(recalled, choice, told) if told or choice is not None else recalled)

    def _returns(self, s: GameState) -> list[float]:
        scores, ranks, values = [0] * self.seats, [0] * self.seats, [0.0] * self.seats
        self._write_returns(self.book, s, self.seats, scores, ranks, values)
        return values


@lru_cache(KEPT_TREES)
def tree_of(game: Game, seats: int, given: Given) -> GameTree:
    """Return the tree of a game. Games that are loaded twice, or read from text, share it."""
    return GameTree(game, seats, given)


def _found(id_: str, seats: int, given: Given, actions: Sequence[int], beginning: MadeUp | None) -> Node:
    """Return the node that actions and outcomes lead to, when a state is read from its text."""
    tree = tree_of(registered[id_], seats, given)
    node = tree.root if beginning is None else tree.begun(beginning)
    for action in actions:
        node = node.child(action)
    return node


def _beginning(state: bytes, memories: Sequence[tuple[bytes, bytes, Any]]) -> MadeUp:
    """Return the beginning of made-up nodes, when a state is read from its text."""
    *seats, public = (Memory(whole, last, chained(moments)) for whole, last, moments in memories)
    return MadeUp(state, tuple(seats), public)


def _hash(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()
