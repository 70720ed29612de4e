"""The parameters of a game in OpenSpiel: its seats and options, and how they are written there."""

from __future__ import annotations

import re
from typing import Any

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option

SEATS = "seats"
LISTS = ("numbers", "names", "files")
"""The kinds of options that are lists."""


def parameters(game: Game) -> dict[str, int | bool | str]:
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


def read(option: Option, value: Any) -> Any:
    """Return the value of an option, given as a parameter; raises BadOption."""
    if not isinstance(value, str) or option.kind == "file":
        return value
    text = value.removesuffix(";")
    if not text:
        raise BadOption(f"the option {option.name} cannot be {value!r}: it takes {option.takes()}")
    return text.replace(";", ",") if option.kind in LISTS else text


def written(option: Option, value: Any) -> Any:
    """Return a parameter as OpenSpiel reads it back: lists with semicolons, and no text that looks like a number."""
    if not isinstance(value, str) or option.kind == "file":
        return value
    text = value.removesuffix(";").replace(",", ";" if option.kind in LISTS else ",")
    return f"{text};" if re.fullmatch(r"[-+.0-9]*|[Tt]rue|[Ff]alse", text) else text
