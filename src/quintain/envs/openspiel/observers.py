"""What observers write: public things, those of one player or of all players, now or with their past.

Everything comes from a state in which UNKNOWN stands for what the observer is not to show. `shown` makes it of what a
spectator knows, which is public, and of what the seats know.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from quintain.engine.play.positions import write_position
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.observation import LEFT_OUT, YOU, Block
from quintain.engine.rules.state import GameState, Record
from quintain.envs.openspiel.tree import GameTree, Node
from quintain.envs.recall import RecallRow

NONE, ONE = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
NO_NUMBERS = (
    "{} writes `observe` itself, so nobody knows which of its numbers are public and which are private: ask for "
    "public_info=True and private_info=SINGLE_PLAYER"
)
NOTHING_ASKED = (
    "an observer without public and without private information shows nothing: ask for public_info=True, or for "
    "private_info=SINGLE_PLAYER or ALL_PLAYERS"
)
PRIVATE_PAST = (
    "what a player remembers cannot be cut into public and private: what happened in public says what its private "
    "choices meant; ask for public_info=True, or for perfect_recall=False"
)


class SpielObserver:
    """Writes what an observer of a type shows, as text and as numbers.

    `tensor` holds the numbers, and `dict` its parts by name: first "observation", the columns of an observation, with
    zeros in those that are not shown. With perfect recall come "decisions" and "events" (see `quintain.envs.recall`):
    without private information the events alone, and for all players both parts for each seat, as "decisions 0" and so
    on, where 0 is the observing player, 1 the next seat.
    """

    def __init__(self, tree: GameTree, asked: pyspiel.IIGObservationType) -> None:
        self.public, self.private = asked.public_info, asked.private_info
        self.perfect_recall = asked.perfect_recall
        if self.private == NONE and not self.public:
            raise ValueError(NOTHING_ASKED)
        if self.perfect_recall and not self.public:
            raise ValueError(PRIVATE_PAST)
        if "observe" in tree.game.written and not (self.public and self.private == ONE):
            raise ValueError(NO_NUMBERS.format(tree.game.id))
        self._row = RecallRow(tree.game, tree.seats)
        shapes = {"observation": (tree.game.observation.size,)} | dict(self._shapes(tree.seats))
        ends = list(itertools.accumulate(int(np.prod(shape)) for shape in shapes.values()))
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def set_from(self, state: pyspiel.State, player: int) -> None:
        """Write the numbers that a player, or everybody, is shown; zeros during the deal."""
        node: Node = state.node
        seat = node.seat(player) if self.private != NONE else 0
        self._observe(node, seat, self.dict["observation"])
        if not self.perfect_recall:
            return
        if self.private == NONE:
            self._row.write_events(node.tree.public(node).recalled, seat, self.dict["events"])
            return
        for place, end in self._windows(node.tree.seats):
            recalled = node.memories[(seat + place) % node.tree.seats].recalled
            self._row.write_decisions(recalled, self.dict[f"decisions{end}"])
            self._row.write_events(recalled, seat, self.dict[f"events{end}"])

    def string_from(self, state: pyspiel.State, player: int) -> str:
        """Return what is shown as lines, none during the deal; with perfect recall, the hash of all that was shown."""
        node: Node = state.node
        seat = node.seat(player)
        if not self.perfect_recall:
            s = self._shown(node, seat)
            return "" if s is None else "\n".join(described(node.tree, s, with_zeros=not self.public))
        if self.private == NONE:
            return node.tree.public(node).whole.hex()
        if self.private == ONE:
            return information(node, seat)
        return " ".join(memory.whole.hex() for memory in node.memories)

    def _shapes(self, seats: int) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield the names and shapes of the parts that hold the past."""
        if self.perfect_recall and self.private == NONE:
            yield "events", self._row.events
        elif self.perfect_recall:
            for _, end in self._windows(seats):
                yield from ((f"decisions{end}", self._row.decisions), (f"events{end}", self._row.events))

    def _windows(self, seats: int) -> list[tuple[int, str]]:
        """Return whose past is shown, counted from the observing player on, and how its names end."""
        return [(0, "")] if self.private == ONE else [(place, f" {place}") for place in range(seats)]

    def _shown(self, node: Node, seat: int) -> GameState | None:
        if self.public and self.private == ONE:
            return node.blinded(seat)
        group = [] if self.private == NONE else [seat] if self.private == ONE else list(range(node.tree.seats))
        return None if node.s is None else shown(node.tree, node.s, group, is_public=self.public)

    def _observe(self, node: Node, seat: int, row: npt.NDArray[np.float32]) -> None:
        """Write the present into a row."""
        tree, s, out = node.tree, self._shown(node, seat), [0.0] * len(row)
        if s is not None:
            tree.game.rules.observe(tree.book, s, seat, out)
        row[:] = out
        if s is not None and not (self.public and self.private == ONE):
            clear_unflagged(tree, s, seat, row)


def shown(tree: GameTree, s: GameState, group: list[int], is_public: bool) -> GameState:
    """Return a state with all that a group of seats knows, or only what of that is not public; UNKNOWN for the rest."""
    public = tree.game.blinded(tree.book, s, SPECTATOR)
    known = [tree.game.blinded(tree.book, s, seat) for seat in group]
    for name in public.fields:
        if name not in LEFT_OUT:
            theirs = [getattr(each, name) for each in known]
            setattr(public, name, _shown(getattr(public, name), theirs, is_public))
    return public


def _shown(public: Any, known: list[Any], is_public: bool) -> Any:
    """Return a value, a list or a part of a state, as `shown` does; `known` holds what each seat knows of it."""
    if isinstance(public, list):
        return [_shown(value, theirs, is_public) for value, *theirs in zip(public, *known, strict=True)]
    if isinstance(public, Record):
        copy = public.copy()
        for name in copy.fields:
            theirs = [getattr(each, name) for each in known]
            setattr(copy, name, _shown(getattr(public, name), theirs, is_public))
        return copy
    if public == UNKNOWN:
        return next((value for value in known if value != UNKNOWN), UNKNOWN)
    return public if is_public else UNKNOWN


def clear_unflagged(tree: GameTree, s: GameState, seat: int, row: npt.NDArray[np.float32]) -> None:
    """Write zeros where a value is UNKNOWN that every seat knows, and that therefore has no column to say so."""
    seats = getattr(tree.book, "seats", tree.game.seats[1])
    for block in tree.game.observation.blocks:
        if block.name != YOU and not block.field.secret and block.field.means != "bag":
            for place, value in enumerate(_values(block, s, seat, seats)):
                if value == UNKNOWN:
                    at = block.first + place * block.width
                    row[at : at + block.width] = 0


def _values(block: Block, s: GameState, seat: int, seats: int) -> Iterator[int]:
    """Yield the values of a block in the order of its columns, turned to a seat."""
    for places in itertools.product(*(range(block.shape[axis]) for axis in block.order)):
        index = dict(zip(block.order, places, strict=True))
        for axis, first in block.field.seats:
            if first <= index[axis] < first + seats:
                index[axis] = first + (index[axis] - first + seat) % seats
        value: Any = s
        axes = iter(range(len(block.shape)))
        for name, count in block.path:
            value = getattr(value, name)
            for axis in itertools.islice(axes, count):
                value = value[index[axis]]
        yield value


def information(node: Node, player: int) -> str:
    """Return the hash of all that a player has seen and chosen."""
    return node.memories[node.seat(player)].whole.hex()


def described(tree: GameTree, s: GameState, with_zeros: bool = False) -> list[str]:
    """Return the fields of a state as lines; what is hidden is a question mark.

    Lines of zeros are left out, or, with `with_zeros`, lines of nothing but what is hidden.
    """
    lines = write_position(s, tree.game.card_names(tree.book)).splitlines()
    empty = set("?, ") if with_zeros else set("0 ")
    return [line for line in lines if set(line.partition(" = ")[2]) - empty]
