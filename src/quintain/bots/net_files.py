"""Files of nets, in the format safetensors, read and written without numpy.

Such a file begins with the length of its head, as 8 bytes, the lowest first. The head is JSON: for each table of
numbers its kind, its shape and where its bytes lie, and, under ``__metadata__``, texts. After it come the bytes of the
tables. A net has a table of weights and a row of biases for each of its layers: ``weights0``, ``biases0`` and so on.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.game import Game

MOST_BYTES = 64 * 2**20
"""The most bytes of a file that is read."""
METADATA = "__metadata__"
MADE_FOR = ("game", "version", "actions", "observation")
"""What the metadata of a net must say: the rules and the observation that it was trained for."""


@dataclass(frozen=True)
class NetFile:
    """A net as it lies in a file.

    `sizes` counts the numbers of each layer: the columns of an observation, then those of the hidden layers, then those
    of the output, which are one for each action and one for the value. `layers` holds the weights of each layer, by
    input and then by output, and after them the biases, as float32. `metadata` says what the net is for, and may say
    how it came about.
    """

    sizes: tuple[int, ...]
    layers: tuple[array[float], ...]
    metadata: Mapping[str, str]

    def check(self, game: Game, name: str) -> None:
        """Raise BadOption, which names the net, if it was not made for this game, its rules and its observation."""
        for what, right in made_for(game).items():
            if (found := self.metadata.get(what)) != right:
                raise BadOption(
                    f"the net {name} is for {_called(what, found)}, and {game.title} has {_called(what, right)}: "
                    "train it anew, or choose another bot"
                )
        if (self.sizes[0], self.sizes[-1]) != (game.observation.size, game.actions + 1):
            raise BadOption(
                f"the net {name} has {self.sizes[0]} inputs and {self.sizes[-1]} outputs; "
                f"{game.title} needs {game.observation.size} and {game.actions + 1}"
            )


def made_for(game: Game) -> dict[str, str]:
    """Return what the metadata of a net for this game says of its rules and its observation."""
    blocks = [
        (each.name, each.shape, each.first, each.width, each.flags, each.low, each.high)
        for each in game.observation.blocks
    ]
    digest = hashlib.sha256(repr((game.observation.size, blocks)).encode()).hexdigest()[:16]
    said = (game.id, str(game.version), str(game.actions), digest)
    return dict(zip(MADE_FOR, said, strict=True))


def write(file: Path, net: NetFile) -> None:
    """Write a net; whoever reads the file meanwhile finds the old one whole, or the new one."""
    head: dict[str, object] = {METADATA: dict(net.metadata)}
    end = 0
    for number, (inputs, outputs) in enumerate(pairwise(net.sizes)):
        for name, shape in ((f"weights{number}", [inputs, outputs]), (f"biases{number}", [outputs])):
            begin, end = end, end + 4 * (inputs * outputs if len(shape) == 2 else outputs)
            head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    body = b"".join(_little(layer).tobytes() for layer in net.layers)
    temporary = file.with_name(f"{file.name}.{os.getpid()}.part")
    temporary.write_bytes(len(text).to_bytes(8, "little") + text + body)
    temporary.replace(file)


def read(file: Path) -> NetFile:
    """Read a net; raises BadOption, which names the file, if it cannot be read or holds no net."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise BadOption(f"{file} has more than {MOST_BYTES} bytes, so it holds no net")
        return _decoded(file.read_bytes())
    except OSError as error:
        raise BadOption(f"the net {file} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadOption(f"{file} holds no net: {quoted(str(error))}; `quintain train` writes one") from error


def _decoded(data: bytes) -> NetFile:
    """Return the net in the bytes of a file; raises ValueError and others if there is none."""
    begin = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:begin])
    metadata = head.pop(METADATA)
    if not all(isinstance(each, str) for each in metadata.values()):
        raise ValueError("its metadata are not texts")
    body, sizes, layers = data[begin:], list[int](), list["array[float]"]()
    if not head or len(head) % 2:
        raise ValueError("it has no tables of weights and biases")
    for number in range(len(head) // 2):
        weights, biases = head[f"weights{number}"], head[f"biases{number}"]
        inputs, outputs = weights["shape"]
        if biases["shape"] != [outputs] or (sizes and inputs != sizes[-1]):
            raise ValueError(f"layer {number} does not fit the one before it")
        sizes += [inputs, outputs] if not sizes else [outputs]
        layers.append(_table(body, weights, inputs * outputs) + _table(body, biases, outputs))
    return NetFile(tuple(sizes), tuple(layers), metadata)


def _table(body: bytes, said: Mapping[str, Any], count: int) -> array[float]:
    """Return the numbers of a table."""
    begin, end = said["data_offsets"]
    if said["dtype"] != "F32" or not 0 <= begin <= end <= len(body) or end - begin != 4 * count or count < 1:
        raise ValueError(f"a table of {count} numbers of the kind F32 is not where the head says")
    return _little(array("f", body[begin:end]))


def _little(numbers: array[float]) -> array[float]:
    """Return numbers as they lie in a file, or back: with the lowest byte first."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


def _called(what: str, value: str | None) -> str:
    """Return one of the `MADE_FOR` in words."""
    if value is None:
        return f"no {what} that it names"
    return {
        "game": f"the game {value}",
        "version": f"version {value} of the rules",
        "actions": f"{value} actions",
        "observation": f"the observation {value}",
    }[what]
