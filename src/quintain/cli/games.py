"""`quintain games`: lists the games, with their seats and their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from quintain.cli.arguments import GameFile, new_console, register
from quintain.cli.output import AsLines, print_lines
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.engine.rules.registry import all_games


@dataclass(frozen=True)
class ListedOption:
    """An option of a game; `takes` says in words which values it takes, and `default` is for the usual seats."""

    name: str
    kind: str
    default: Any
    least: int | None
    most: int | None
    count: int | None
    choices: tuple[str, ...]
    meaning: str
    takes: str


@dataclass(frozen=True)
class ListedGame:
    """A game as programs read it; `minutes` are the least and the most, and `weight` is from 1 to 5."""

    id: str
    title: str
    pitch: str
    version: int
    seats: dict[str, int]
    minutes: tuple[int, int]
    weight: int
    options: list[ListedOption]


def list_games(as_json: AsLines = False, game_file: GameFile = None) -> None:
    """List the games, with the number of players and the options of each."""
    register(game_file)
    if as_json:
        print_lines(map(_listed, all_games()))
        return
    console = new_console()
    for found in all_games():
        least, most, usual = found.seats
        seats = f"{least}" if least == most else f"{least} to {most}, usually {usual}"
        console.print(Text.assemble((found.id, "bold"), f"  {found.title}, for {seats} players, {found.effort}"))
        console.print(Text(f"  {found.pitch}"))
        options = Table.grid(padding=(0, 2))
        for option in found.text.OPTIONS:
            takes = f"{option.meaning}; it takes {option.takes()}"
            options.add_row("", Text(f"--option {option.name}=...", no_wrap=True), Text(takes))
        if found.text.OPTIONS:
            console.print(options)


def _listed(game: Game) -> ListedGame:
    seats = dict(zip(("least", "most", "usual"), game.seats, strict=True))
    options = [_listed_option(option, seats["usual"]) for option in game.text.OPTIONS]
    return ListedGame(game.id, game.title, game.pitch, game.version, seats, game.minutes, game.weight, options)


def _listed_option(option: Option, seats: int) -> ListedOption:
    bounds = option.least, option.most, option.count, option.choices
    return ListedOption(option.name, option.kind, option.default_for(seats), *bounds, option.meaning, option.takes())
