"""What the file of a net says of itself: for which games it was made, how it was trained, and its learning curve."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from quintain.bots import net_files
from quintain.engine.errors import BadOption

T = TypeVar("T")


class CurvePoint(msgspec.Struct, frozen=True, array_like=True):
    """The shares of wins after a number of rounds: against random moves, the net's first self, and another bot.

    None where there was no such opponent.
    """

    round: int
    random: float
    past: float | None
    level: float | None


class KeptRecipe(msgspec.Struct, frozen=True):
    """The parts of a recipe that a reader asks for. `against` is the bot of the curve, `frozen` the one to beat."""

    rounds: int
    games: int
    steps: int
    seed: int
    entropy: float | None = None
    against: str = ""
    frozen: str = ""
    imitated: str = ""


class NetCard(msgspec.Struct, frozen=True):
    """What a net's file says of itself; `sizes` counts the numbers of each layer, what it reads first.

    A net that something else than `quintain train` has made may lack a recipe and a curve.
    """

    file: str
    bytes: int
    game: str
    version: str
    seats: list[int]
    options: dict[str, str]
    sizes: list[int]
    rounds: int
    seconds: float
    recipe: KeptRecipe | None
    curve: list[CurvePoint]


def read_card(file: Path) -> NetCard:
    """Return the card of a net; raises BadOption, which names the file, if it holds no net or its card is damaged."""
    net = net_files.read(file)

    def said(key: str, kind: type[T], absent: str) -> T:
        try:
            return msgspec.json.decode(net.metadata.get(key) or absent, type=kind)
        except msgspec.MsgspecError as error:
            raise BadOption(f"what {file} says of its {key} is damaged ({error}): train the net anew") from error

    game, version = (net.metadata.get(key, "") for key in ("game", "version"))
    return NetCard(
        file=str(file),
        bytes=file.stat().st_size,
        game=game,
        version=version,
        seats=said_numbers(net.metadata.get("seats", ""), file),
        options=said("options", dict[str, str], "{}"),
        sizes=list(net.sizes),
        rounds=said("rounds", int, "0"),
        seconds=said("seconds", float, "0"),
        recipe=said("recipe", KeptRecipe, "") if net.metadata.get("recipe") else None,
        curve=said("curve", list[CurvePoint], "[]"),
    )


def said_numbers(text: str, file: Path) -> list[int]:
    """Return the numbers of seats in a text such as ``2,3``; raises BadOption."""
    words = text.split(",") if text else []
    if not all(each.isascii() and each.isdigit() for each in words):
        raise BadOption(f"what {file} says of its seats is damaged: train the net anew")
    return [int(each) for each in words]
