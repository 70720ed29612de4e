"""The bot that plays by a net alone: one look at what its seat sees, and no search.

`net_files` reads the net; `think` computes what it says, as a driver of the game's compiled library. So whoever plays a
net needs no JAX and no numpy. Where `think` is not compiled, it runs interpreted.
"""

from __future__ import annotations

import copyreg
from array import array
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from quintain.bots import net_files
from quintain.bots.bot import Budget
from quintain.bots.playout import BLINDED, one_choice, states, zeros
from quintain.engine.errors import BadOption
from quintain.engine.rules.compiling import memory
from quintain.engine.rules.compiling.compiled import Compiled, Example, compiled, interpreted, is_warm
from quintain.engine.rules.compiling.memory import in_memory
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Cells, GameState, Record
from quintain.engine.seen.seen import Seen


class NetMemory(NamedTuple):
    """The memory that `think` works on: lists, or arrays for compiled code."""

    seen: Cells[GameState]
    """One state, blinded for the seat that is asked."""
    columns: Cells[int]
    """The columns of the observation that the net reads."""
    sizes: Cells[int]
    """How many numbers each layer has: those of the columns first, those of the output last."""
    weights: Cells[float]
    """The weights of each layer but the last, by input and then by output, and after them its biases."""
    last: Cells[float]
    """For each output its weights by input, and after them its bias."""
    row: Cells[float]
    """The observation."""
    given: Cells[float]
    """What the first layer reads: its columns."""
    cells: Cells[Cells[float]]
    """Two rows, each as long as the longest layer; layers write into them by turns."""
    out: Cells[float]
    """A number for each action, the logarithm of its probability up to a constant, and last the value."""
    said: Cells[float]
    """What the last layer says, in a game with features: what a net looks for in an action, and last the value."""
    action_weights: Cells[float]
    """Of the layer that reads the features of an action, by feature and then by output, and after them its biases."""
    action_row: Cells[float]
    """The features of an action."""
    action_made: Cells[float]
    """What that layer makes of them."""


@rule
def think(book: Record, seat: int, net: NetMemory, mask: Cells[int]) -> None:
    """Write into `out` what the net says of each action in the mask to what a seat sees, and the value."""
    if rules.HAS_FEATURES:
        rules.state_features(book, net.seen[0], seat, net.row)
    else:
        rules.observe(book, net.seen[0], seat, net.row)
    for i in range(len(net.columns)):
        net.given[i] = net.row[net.columns[i]]
    last = len(net.sizes) - 2
    first = 0
    for layer in range(last):
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        given = net.given if layer == 0 else net.cells[(layer + 1) % 2]
        add_layer(net.weights, first, inputs, outputs, given, net.cells[layer % 2])
        first += (inputs + 1) * outputs
    read = net.given if last == 0 else net.cells[(last + 1) % 2]
    if rules.HAS_FEATURES:
        think_of_actions(book, seat, net, mask, read)
        return
    for action in range(rules.ACTIONS):
        if mask[action]:
            net.out[action] = one_output(net, action, read)
    net.out[rules.ACTIONS] = one_output(net, rules.ACTIONS, read)


@rule
def think_of_actions(book: Record, seat: int, net: NetMemory, mask: Cells[int], read: Cells[float]) -> None:
    """Write into `out` how well the features of each action in the mask go with what the last layer says."""
    width = len(net.said) - 1
    for output in range(width + 1):
        net.said[output] = one_output(net, output, read)
    for action in range(rules.ACTIONS):
        if mask[action]:
            rules.action_features(book, net.seen[0], seat, action, net.row, net.action_row)
            add_layer(net.action_weights, 0, len(net.action_row), width, net.action_row, net.action_made)
            total = 0.0
            for j in range(width):
                total += net.said[j] * net.action_made[j]
            net.out[action] = total
    net.out[rules.ACTIONS] = net.said[width]


@rule
def add_layer(
    weights: Cells[float], first: int, inputs: int, outputs: int, given: Cells[float], made: Cells[float]
) -> None:
    """Compute one layer whose weights begin at `first`; numbers below 0 become 0."""
    biases = first + inputs * outputs
    for j in range(outputs):
        made[j] = weights[biases + j]
    for i in range(inputs):
        x = given[i]
        if x != 0.0:
            at = first + i * outputs
            for j in range(outputs):
                made[j] += x * weights[at + j]
    for j in range(outputs):
        made[j] = max(made[j], 0.0)


@rule
def one_output(net: NetMemory, output: int, given: Cells[float]) -> float:
    """Return one output of the last layer."""
    inputs = net.sizes[len(net.sizes) - 2]
    at = output * (inputs + 1)
    total: float = net.last[at + inputs]
    for i in range(inputs):
        total += given[i] * net.last[at + i]
    return total


class NetKind(type):
    """The kind of the classes of bots with a net: a pickle of a class holds its net, and needs no file.

    A class that was made for a net says in `made_by` by which function, and from which arguments.
    """


def _reduced(made: NetKind) -> str | tuple[Any, ...]:
    """Return how a pickle names a class, or makes it again."""
    by: tuple[Any, ...] | None = made.__dict__.get("made_by")
    return made.__qualname__ if by is None else by


copyreg.pickle(NetKind, _reduced)


class Net(metaclass=NetKind):
    """Plays the action that its net finds most probable; it ignores the budget. `bot_of` makes one from a file."""

    file: ClassVar[net_files.NetFile]
    name: ClassVar[str]
    prepared: ClassVar[dict[bool, tuple[Record, NetMemory]]]
    """For interpreted and for compiled rules: the last book, and a memory whose tables other bots share."""

    def __init__(self, game: Game, seed: int) -> None:
        self.file.check(game, self.name)
        self.game = game
        self._memory: dict[bool, tuple[Record, NetMemory]] = {}

    def __getstate__(self) -> dict[str, object]:
        """Leave the memory out of pickles and copies: a copy makes its own."""
        return {**self.__dict__, "_memory": {}}

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return the legal action that the net finds most probable; among equals, the first."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        numbers, _ = self.say(seen)
        return seen.legal[numbers.index(max(numbers))]

    def say(self, seen: Seen) -> tuple[list[float], float]:
        """Return a number for each legal action, the logarithm of its chance up to a constant, and the value.

        The value is what the seat may expect to get in the end, from about -1 to 1.
        """
        is_compiled = is_warm(self.game, think)
        net = self.memory_for(seen.book, is_compiled=is_compiled)
        net.seen[0] = in_memory(seen.state) if is_compiled else seen.state
        mask = zeros(self.game.actions, "int8", is_compiled)
        for action in seen.legal:
            mask[action] = 1
        if is_compiled:
            compiled_net(self.game)(in_memory(seen.book), seen.seat, net, mask)
        else:
            interpreted(self.game, think)(seen.book, seen.seat, net, mask)
        return [net.out[action] for action in seen.legal], net.out[self.game.actions]

    def memory_for(self, book: Record, *, is_compiled: bool) -> NetMemory:
        """Return the memory of this bot for a book; the tables of weights are the same for all bots of the file."""
        own = self._memory.get(is_compiled)
        if own is None or own[0] != book:
            kept = self.prepared.get(is_compiled)
            if kept is None or kept[0] != book:
                kept = self.prepared[is_compiled] = book, self._tables(book, is_compiled)
            own = self._memory[is_compiled] = book, with_own_numbers(self.game, kept[1], is_compiled=is_compiled)
        return own[1]

    def _tables(self, book: Record, is_compiled: bool) -> NetMemory:
        """Return a memory with the net's weights for a book; raises BadOption if the net does not fit its cards."""
        file, cards = self.file, self.game.card_numbers
        try:
            given = file if cards is None else net_files.expanded(file, self.game, cards(book))
        except ValueError as error:
            raise BadOption(f"the net {self.name} does not fit {self.game.title}: {error}; train it anew") from error
        return new_memory(self.game, given, is_compiled=is_compiled)


def bot_of(path: Path) -> type[Net]:
    """Return the class of the bots that play the net of a file; raises BadOption if the file holds none."""
    return _class_of(net_files.read(path), path.name)


def _class_of(file: net_files.NetFile, name: str) -> type[Net]:
    """Return the class of the bots that play a net."""
    said = {"file": file, "name": name, "prepared": {}, "made_by": (_class_of, (file, name)), "__module__": __name__}
    return type("Net", (Net,), said)


def new_memory(game: Game, file: net_files.NetFile, *, is_compiled: bool) -> NetMemory:
    """Return the memory of a net that reads columns alone, for interpreted or for compiled rules."""
    outputs = file.sizes[-1]
    of_state, of_action = game.features
    return NetMemory(
        seen=states(game.state, 1, is_compiled),
        columns=memory.filled("int64", file.columns),
        sizes=memory.filled("int64", file.sizes),
        weights=memory.filled("float32", [*chain(*file.layers[:-1])]),
        last=memory.filled("float32", [*chain(*(file.layers[-1][number::outputs] for number in range(outputs)))]),
        row=memory.zeros("float32", of_state or game.observation.size),
        given=memory.zeros("float32", len(file.columns)),
        cells=memory.zeros("float32", 2, max(file.sizes)),
        out=memory.zeros("float32", game.actions + 1),
        said=memory.zeros("float32", outputs),
        action_weights=memory.filled("float32", file.actions or [0.0]),
        action_row=memory.zeros("float32", max(of_action, 1)),
        action_made=memory.zeros("float32", outputs),
    )


def with_own_numbers(game: Game, net: NetMemory, *, is_compiled: bool) -> NetMemory:
    """Return a memory that shares the tables of another one, and has all that `think` writes for itself."""
    return net._replace(
        seen=states(game.state, 1, is_compiled),
        row=memory.zeros("float32", len(net.row)),
        given=memory.zeros("float32", len(net.given)),
        cells=memory.zeros("float32", 2, len(net.cells[0])),
        out=memory.zeros("float32", len(net.out)),
        said=memory.zeros("float32", len(net.said)),
        action_row=memory.zeros("float32", len(net.action_row)),
        action_made=memory.zeros("float32", len(net.action_made)),
    )


def blank_memory(game: Game) -> NetMemory:
    """Return the memory of a net that says 0 to everything, for compiled rules."""
    of_action = game.features[1]
    sizes = (1, 2 if of_action else game.actions + 1)
    actions = array("f", bytes(4 * (of_action + 1)) if of_action else b"")
    blank = net_files.NetFile((0,), sizes, (array("f", bytes(8 * sizes[1])),), {}, actions)
    return new_memory(game, blank, is_compiled=True)


def drivers(game: Game) -> Iterator[Example]:
    """Yield `think` for a game."""
    book, seat, work = one_choice(game)
    net: Any = blank_memory(game)
    net.seen[0] = work.pool[BLINDED]
    yield Example(compiled_net(game), (book, seat, net, work.mask))


@cache
def compiled_net(game: Game) -> Compiled[None]:
    """Return `think` for a game, compiled."""
    return compiled(game, think)
