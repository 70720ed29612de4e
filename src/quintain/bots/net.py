"""The bot that plays by a net alone: one look at what its seat sees, and no search.

`net_files` reads the net; `think` computes what it says, as a driver of the game's compiled library. So whoever plays a
net needs no JAX and no numpy. Where `think` is not compiled, it runs interpreted.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from quintain.bots import net_files
from quintain.bots.bot import Budget
from quintain.bots.playout import BLINDED, one_choice, states
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
    sizes: Cells[int]
    """How many numbers each layer has: those of the observation first, those of the output last."""
    weights: Cells[float]
    """The weights of each layer, by input and then by output, and after them its biases."""
    row: Cells[float]
    """What the first layer reads: the observation."""
    cells: Cells[Cells[float]]
    """Two rows, each as long as the longest layer; layers write into them by turns."""
    out: Cells[float]
    """A number for each action, the logarithm of its probability up to a constant, and last the value."""


@rule
def think(book: Record, seat: int, net: NetMemory) -> None:
    """Write into `out` what the net says to what a seat sees."""
    rules.observe(book, net.seen[0], seat, net.row)
    last = len(net.sizes) - 2
    first = 0
    for layer in range(last + 1):
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        given = net.row if layer == 0 else net.cells[(layer + 1) % 2]
        made = net.out if layer == last else net.cells[layer % 2]
        add_layer(net.weights, first, inputs, outputs, given, made, layer < last)
        first += (inputs + 1) * outputs


@rule
def add_layer(
    weights: Cells[float], first: int, inputs: int, outputs: int, given: Cells[float], made: Cells[float], cut: int
) -> None:
    """Compute one layer whose weights begin at `first`; with `cut`, numbers below 0 become 0."""
    biases = first + inputs * outputs
    for j in range(outputs):
        made[j] = weights[biases + j]
    for i in range(inputs):
        x = given[i]
        if x != 0.0:
            at = first + i * outputs
            for j in range(outputs):
                made[j] += x * weights[at + j]
    if cut:
        for j in range(outputs):
            made[j] = max(made[j], 0.0)


class Net:
    """Plays the action that its net finds most probable; it ignores the budget. `bot_of` makes one from a file."""

    file: ClassVar[net_files.NetFile]
    name: ClassVar[str]

    def __init__(self, game: Game, seed: int) -> None:
        self.file.check(game, self.name)
        self.game = game
        self._memory: dict[bool, NetMemory] = {}

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return the legal action that the net finds most probable; among equals, the first."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        said = self.say(seen)
        return max(seen.legal, key=lambda action: said[action])

    def say(self, seen: Seen) -> list[float]:
        """Return a number for each action, the logarithm of its probability up to a constant, and last the value."""
        is_compiled = is_warm(self.game, think)
        if is_compiled not in self._memory:
            self._memory[is_compiled] = new_memory(self.game, self.file, is_compiled=is_compiled)
        net = self._memory[is_compiled]
        net.seen[0] = in_memory(seen.state) if is_compiled else seen.state
        if is_compiled:
            compiled_net(self.game)(in_memory(seen.book), seen.seat, net)
        else:
            interpreted(self.game, think)(seen.book, seen.seat, net)
        return [net.out[number] for number in range(self.file.sizes[-1])]


def bot_of(path: Path) -> type[Net]:
    """Return the class of the bots that play the net of a file; raises BadOption if the file holds none."""
    return type("Net", (Net,), {"file": net_files.read(path), "name": path.name, "__module__": __name__})


def new_memory(game: Game, file: net_files.NetFile, *, is_compiled: bool) -> NetMemory:
    """Return the memory of a net, for interpreted or for compiled rules."""
    longest = max(file.sizes[1:])
    return NetMemory(
        seen=states(game.state, 1, is_compiled),
        sizes=memory.filled("int64", file.sizes),
        weights=memory.filled("float32", [*chain(*file.layers)]),
        row=memory.zeros("float32", file.sizes[0]),
        cells=memory.zeros("float32", 2, longest),
        out=memory.zeros("float32", file.sizes[-1]),
    )


def drivers(game: Game) -> Iterator[Example]:
    """Yield `think` for a game."""
    sizes = (game.observation.size, game.actions + 1)
    blank = net_files.NetFile(sizes, (array("f", bytes(4 * (sizes[0] + 1) * sizes[1])),), {})
    book, seat, work = one_choice(game)
    net: Any = new_memory(game, blank, is_compiled=True)
    net.seen[0] = work.pool[BLINDED]
    yield Example(compiled_net(game), (book, seat, net))


@cache
def compiled_net(game: Game) -> Compiled[None]:
    """Return `think` for a game, compiled."""
    return compiled(game, think)
