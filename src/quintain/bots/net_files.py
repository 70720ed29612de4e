"""Files of nets, in the format safetensors, read and written without numpy.

Such a file begins with the length of its head, as 8 bytes, the lowest first. The head is JSON: for each table of
numbers its kind, its shape and where its bytes lie, and, under ``__metadata__``, texts. After it come the bytes of the
tables. A net has a table ``columns`` of the columns of the observation that it reads, and a table of weights and a row
of biases for each of its layers: ``weights0``, ``biases0`` and so on. In a game with features, ``columns`` are those
features of the state that it reads, and it has one layer more, ``action_weights`` and ``action_biases``, which reads
the features of an action.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import stat
import struct
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from quintain.engine.errors import LONGEST_QUOTE, BadOption, quoted
from quintain.engine.rules.card_numbers import CardNumbers
from quintain.engine.rules.game import Game

MOST_BYTES = 64 * 2**20
"""The most bytes of a file that is read."""
METADATA = "__metadata__"
MADE_FOR = ("game", "version", "actions", "observation")
"""What the metadata of a net must say: the rules and the observation that it was trained for."""
HALF, FLOAT, WHOLE = "F16", "F32", "I32"
"""The kinds of numbers that a file may hold: weights as half or as single floats, and columns."""
CODES = {HALF: "e", FLOAT: "f", WHOLE: "i"}
SIZES = {HALF: 2, FLOAT: 4, WHOLE: 4}
OF_ACTIONS = "action_weights", "action_biases"
"""The tables of the layer that reads the features of an action."""
MOST_HALF = 65504.0
"""The greatest number that a half float holds."""


class _NoNet(ValueError):
    """A file holds no net; the message says why, in words for its user."""


@dataclass(frozen=True)
class NetFile:
    """A net as it lies in a file.

    `columns` are those columns of an observation that it reads, where cards enter by their numbers without those of
    cards (see `expanded`). `sizes` counts the numbers of each layer: what it reads, then those of the hidden layers,
    then those of the output, which are one for each action and one for the value. `layers` holds the weights of each
    layer, by input and then by output, and after them the biases, as float32. `metadata` says what the net is for, and
    may say how it came about. In a game with features, the output has a number for each one that the layer `actions`
    makes of the features of an action; see `think_of_actions`.
    """

    columns: tuple[int, ...]
    sizes: tuple[int, ...]
    layers: tuple[array[float], ...]
    metadata: Mapping[str, str]
    actions: array[float] = field(default_factory=lambda: array("f"))

    def check(self, game: Game, name: str) -> None:
        """Raise BadOption, which names the net, if it was not made for this game, its rules and its observation."""
        for what, right in made_for(game).items():
            if (found := self.metadata.get(what)) != right:
                raise BadOption(
                    f"the net {name} is for {_called(what, found)}, and {game.title} has {_called(what, right)}: "
                    "train it anew, or choose another bot"
                )
        of_state, of_action = game.features
        if not all(0 <= column < (of_state or game.observation.size) for column in self.columns):
            raise BadOption(f"the net {name} reads columns that the observation of {game.title} does not have")
        if len(self.actions) != (of_action + 1) * (self.sizes[-1] - 1) * (of_action > 0):
            raise BadOption(f"the net {name} does not read the {of_action} features of an action of {game.title}")
        if of_action:
            if self.sizes[0] != len(self.columns):
                raise BadOption(f"the net {name} has {self.sizes[0]} inputs for its {len(self.columns)} columns")
        elif game.card_numbers is None and (self.sizes[0], self.sizes[-1]) != (len(self.columns), game.actions + 1):
            raise BadOption(
                f"the net {name} has {self.sizes[0]} inputs and {self.sizes[-1]} outputs; "
                f"for its {len(self.columns)} columns {game.title} needs {len(self.columns)} and {game.actions + 1}"
            )


def made_for(game: Game) -> dict[str, str]:
    """Return what the metadata of a net for this game says of its rules and its observation."""
    blocks = [
        (each.name, each.shape, each.first, each.width, each.flags, each.low, each.high)
        for each in game.observation.blocks
    ]
    digest = hashlib.sha256(repr((game.observation.size, blocks)).encode()).hexdigest()[:16]
    if game.has_features:
        digest = "{} and {} features".format(*game.features)
    said = (game.id, str(game.version), str(game.actions), digest)
    return dict(zip(MADE_FOR, said, strict=True))


def write(file: Path, net: NetFile) -> None:
    """Write a net, its weights as half floats where these hold them; see `write_whole`.

    Raises BadOption, and writes nothing, for a net with weights that are not finite.
    """
    if not all(map(math.isfinite, chain(net.actions, *net.layers))):
        raise BadOption(f"the net for {file} has weights that are not finite, so it cannot play: train it anew")
    head: dict[str, object] = {METADATA: dict(net.metadata)}
    body = bytearray()

    def add(name: str, kind: str, shape: list[int], numbers: Any) -> None:
        begin = len(body)
        body.extend(struct.pack(f"<{len(numbers)}{CODES[kind]}", *numbers))
        head[name] = {"dtype": kind, "shape": shape, "data_offsets": [begin, len(body)]}

    add("columns", WHOLE, [len(net.columns)], net.columns)

    def add_layer(weights: str, biases: str, outputs: int, layer: array[float]) -> None:
        inputs = len(layer) // outputs - 1
        kind = HALF if max(map(abs, layer), default=0.0) <= MOST_HALF else FLOAT
        add(weights, kind, [inputs, outputs], layer[: inputs * outputs])
        add(biases, kind, [outputs], layer[inputs * outputs :])

    for number, (layer, outputs) in enumerate(zip(net.layers, net.sizes[1:], strict=True)):
        add_layer(f"weights{number}", f"biases{number}", outputs, layer)
    if net.actions:
        add_layer(*OF_ACTIONS, net.sizes[-1] - 1, net.actions)
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    write_whole(file, len(text).to_bytes(8, "little") + text + body)


def write_whole(file: Path, data: bytes) -> None:
    """Write a file; whoever reads it meanwhile finds the old one whole, or the new. Raises OSError."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def read(file: Path) -> NetFile:
    """Read a net; raises BadOption, which names the file, if it cannot be read or holds no net."""
    try:
        if not stat.S_ISREG((about := file.stat()).st_mode):
            raise BadOption(f"{file} is no file that holds a net; name one that `quintain train` has written")
        if about.st_size > MOST_BYTES:
            raise BadOption(f"{file} has more than {MOST_BYTES} bytes, so it holds no net")
        return _decoded(file.read_bytes())
    except OSError as error:
        raise BadOption(f"the net {file} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error) as error:
        reason = str(error) if isinstance(error, _NoNet) else "it is damaged, or not in the format safetensors"
        raise BadOption(f"{file} holds no net: {reason}; `quintain train` writes one") from error


def expanded(net: NetFile, game: Game, cards: CardNumbers) -> NetFile:
    """Return a net that reads the cards of a book by their columns, from one that reads them by their numbers.

    The inputs of the first layer are the plain columns, and after them the numbers of a card for each run of columns
    (see `ObservationLayout.card_columns`). The outputs of the last layer are those of all actions and the value, and
    after them the numbers of a card for each run of actions: an action that names a card is what its numbers bring.
    Raises ValueError if the sizes do not fit.
    """
    if len(net.layers) < 2:
        raise ValueError("it has no hidden layer")
    plain, width, hidden, into = len(net.columns), cards.width, net.sizes[1], net.sizes[-2]
    found = list(game.observation.card_columns(cards))
    runs, named = 1 + max(run for _, _, run in found), list(cards.named())
    wanted = (plain + runs * width, game.actions + 1 + len(cards.actions) * width)
    if (net.sizes[0], net.sizes[-1]) != wanted:
        raise ValueError(f"it has {net.sizes[0]} inputs and {net.sizes[-1]} outputs, not {wanted[0]} and {wanted[1]}")
    table = net.layers[0]
    first = table[: plain * hidden]
    for _, card, run in found:
        first.extend(_mixed(table, plain + run * width, hidden, cards.rows[card]))
    first.extend(table[net.sizes[0] * hidden :])
    last = array("f")
    for row in range(into + 1):  # the biases are one row more
        begin = row * net.sizes[-1]
        said = net.layers[-1][begin : begin + game.actions + 1]
        for action, card, run in named:
            at = begin + game.actions + 1 + run * width
            said[action] = math.fsum(x * net.layers[-1][at + d] for d, x in enumerate(cards.rows[card]) if x)
        last.extend(said)
    columns = (*net.columns, *(column for column, _, _ in found))
    sizes = (len(columns), *net.sizes[1:-1], game.actions + 1)
    return NetFile(columns, sizes, (first, *net.layers[1:-1], last), net.metadata)


def _mixed(table: array[float], begin: int, width: int, numbers: Any) -> array[float]:
    """Return the sum of rows of a table, from the row `begin` on, each times its number."""
    sums = [0.0] * width
    for d, x in enumerate(numbers):
        if x:
            row = table[(begin + d) * width : (begin + d + 1) * width]
            sums = [total + x * each for total, each in zip(sums, row, strict=True)]
    return array("f", sums)


def _decoded(data: bytes) -> NetFile:
    """Return the net in the bytes of a file; raises ValueError and others if there is none."""
    begin = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:begin])
    metadata = head.pop(METADATA)
    if not all(isinstance(each, str) for each in metadata.values()):
        raise _NoNet("its metadata are not texts")
    body, sizes, layers = data[begin:], list[int](), list["array[float]"]()
    places = [each["data_offsets"] for each in head.values()]
    if sum(max(end - begin, 0) for begin, end in places) > len(body):
        raise _NoNet("its tables lie over each other, or it is cut short")
    columns = tuple(_table(body, head.pop("columns"), None, WHOLE))
    of_actions = [head.pop(name) for name in OF_ACTIONS if name in head]
    if not head or len(head) % 2:
        raise _NoNet("it has no tables of weights and biases")
    for number in range(len(head) // 2):
        inputs, outputs, layer = _layer(body, head[f"weights{number}"], head[f"biases{number}"])
        if sizes and inputs != sizes[-1]:
            raise _NoNet(f"layer {number} does not fit the one before it")
        sizes += [inputs, outputs] if not sizes else [outputs]
        layers.append(layer)
    actions = array("f")
    if of_actions:
        _, outputs, actions = _layer(body, *of_actions)
        if outputs != sizes[-1] - 1:
            raise _NoNet("the layer that reads features of actions does not fit the last one")
    return NetFile(columns, tuple(sizes), tuple(layers), metadata, actions)


def _layer(body: bytes, weights: Mapping[str, Any], biases: Mapping[str, Any]) -> tuple[int, int, array[float]]:
    """Return how many inputs and outputs a layer has, and its numbers; raises ValueError and others if it has none."""
    inputs, outputs = weights["shape"]
    if biases["shape"] != [outputs]:
        raise _NoNet(f"a layer with {outputs} outputs does not have as many biases")
    table = [*_table(body, weights, inputs * outputs), *_table(body, biases, outputs)]
    return inputs, outputs, array("f", table)


def _table(body: bytes, said: Mapping[str, Any], count: int | None, *kinds: str) -> tuple[Any, ...]:
    """Return the numbers of a table of one of the kinds; `count` is how many it must have."""
    begin, end = said["data_offsets"]
    count = said["shape"][0] if count is None else count
    kind, allowed = said["dtype"], kinds or (HALF, FLOAT)
    is_there = type(count) is int and count > 0 and type(begin) is int and type(end) is int
    if kind not in allowed or not is_there or not 0 <= begin <= end <= len(body) or end - begin != count * SIZES[kind]:
        raise _NoNet(f"a table of {count} numbers of the kind {' or '.join(allowed)} is not where the head says")
    numbers = struct.unpack(f"<{count}{CODES[kind]}", body[begin:end])
    if not all(map(math.isfinite, numbers)):
        raise _NoNet("it has weights that are not finite")
    return numbers


def _called(what: str, value: str | None) -> str:
    """Return one of the `MADE_FOR` in words."""
    if value is None:
        return f"no {what} that it names"
    value = value if value.isprintable() and len(value) <= LONGEST_QUOTE else quoted(value)
    return {
        "game": f"the game {value}",
        "version": f"version {value} of the rules",
        "actions": f"{value} actions",
        "observation": f"the observation {value}",
    }[what]
