"""The command line: the program `quintain` and its commands.

This module declares most commands and their arguments; the others are in `backup`, `cards`, `compare`, `compile`,
`deck`, `keys`, `lab`, `learn`, `mute`, `new_game`, `plugins`, `report`, `serve` and `tables`.
`play` (a game at the terminal), `replay` and `verify` do the work, and so does the package `lab`.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintain.cli import (
    backup,
    cards,
    check,
    compare,
    compile,
    deck,
    figures,
    files,
    keys,
    lab,
    learn,
    mute,
    new_game,
    players,
    plugins,
    report,
    tables,
)
from quintain.cli.arguments import (
    GameFile,
    GameId,
    Options,
    Pace,
    Seats,
    Seed,
    find,
    new_console,
    new_progress,
    register,
)
from quintain.cli.play import Sitting
from quintain.cli.replay import load_finished, step_through, watch
from quintain.cli.serve import serve
from quintain.cli.show import print_rules, printable
from quintain.cli.verify import check as check_proof
from quintain.cli.verify import print_proof, read_commitment, read_key
from quintain.engine.errors import BadOption, BadRecord, QuintainError
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import all_games
from quintain.engine.version import __version__

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Record = Annotated[Path, typer.Argument(metavar="FILE", help="The record of a finished game.")]


def main() -> None:
    """Run the command line. An error that the user can put right prints one message and exits with status 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.path.append(str(Path.cwd()))  # people keep their own bots in the current folder
    os.environ["PYTHONSAFEPATH"] = "1"  # else a types.py there would take the place of Python's own in our processes
    try:
        app(prog_name="quintain")
    except QuintainError as error:
        Console(stderr=True, highlight=False).print(Text(printable(f"quintain: {error}")), soft_wrap=True)
        sys.exit(2)
    except OSError as error:
        sys.exit(f"quintain: the output cannot be written: {error}")


def print_version(wanted: bool) -> None:
    """Print the version and stop, if that is what was asked for."""
    if wanted:
        typer.echo(f"quintain {__version__}")
        raise typer.Exit


@app.callback()
def given_first(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Medieval card games, on one engine: play them, watch them, simulate them."""


@app.command("games")
def list_games(game_file: GameFile = None) -> None:
    """List the games, with the number of players and the options of each."""
    register(game_file)
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


@app.command("rules")
def show_rules(game_id: GameId, game_file: GameFile = None) -> None:
    """Show the rulebook of a game."""
    print_rules(new_console(), find(game_id, game_file))


@app.command("play")
def play_game(
    game_id: GameId,
    seats: Seats = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="BOT,...", help="The other seats' bots; the last fills the rest. `squire` if not given."),
    ] = None,
    seat: Annotated[int, typer.Option(metavar="K", help="Your seat, counted from 0.")] = 0,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name.")] = None,
    seed: Seed = None,
    option: Options = None,
    pace: Pace = None,
    game_file: GameFile = None,
) -> None:
    """Play a game against bots."""
    found = find(game_id, game_file)
    number = found.check_seats(seats)
    if not 0 <= seat < number:
        raise BadOption(f"there is no seat {seat}: the seats are 0 to {number - 1}")
    others = players.read_bots(against, number - 1) if against is not None else ["squire"] * (number - 1)
    bots: list[str | None] = [*others[:seat], None, *others[seat:]]
    names = players.name_seats(bots, players.login_name() if name is None else name)
    match = Match.new(found, number, names, files.read_options(found, option or []), seed, bots)
    _sit_down(match, files.new_path("saves", match), pace)


@app.command("resume")
def resume_game(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A save; the newest if not given.")] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let bots play that are not Quintain's own; this runs their code.")
    ] = False,
    pace: Pace = None,
    game_file: GameFile = None,
) -> None:
    """Go on with a saved game."""
    register(game_file)
    save, match = (file, files.load(file)) if file else _newest()
    if match.outcome:
        raise BadRecord(f"{save} holds a game that is over: `quintain replay` steps through it")
    own = [name for name in match.bots if name and ":" in name]
    if own and not trust:
        raise BadRecord(
            f"{save} holds a game against {', '.join(own)}; going on runs the code of that module: "
            "if you trust it, add --trust"
        )
    if match.bots.count(None) != 1:
        raise BadRecord(
            f"{save} cannot be resumed here: {match.bots.count(None)} people play in it, "
            "and the terminal is for one person against bots"
        )
    _sit_down(match, save, pace)


@app.command("watch")
def watch_bots(
    game_id: GameId,
    seats: Seats = None,
    bots: Annotated[
        str, typer.Option(metavar="BOT,...", help="The bots of all seats; the last one fills the rest.")
    ] = "greedy",
    seed: Seed = None,
    option: Options = None,
    pace: Pace = None,
    game_file: GameFile = None,
) -> None:
    """Watch bots play a game."""
    found = find(game_id, game_file)
    number = found.check_seats(seats)
    names = players.read_bots(bots, number)
    match = Match.new(
        found, number, players.name_seats(names), files.read_options(found, option or []), seed, list(names)
    )
    console = new_console()
    watch(console, match, players.pace_at(console, pace))


@app.command("analyse")
def analyse_record(
    file: Record,
    simulations: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000, help="Simulations for each move.")
    ] = 5_000,
    game_file: GameFile = None,
) -> None:
    """Go through a finished game move by move: how much each move gave away, and the turning points."""
    from quintain.lab.analysis import analyse

    register(game_file)
    console = new_console()
    match = load_finished(console, file)
    with new_progress() as progress:
        task = progress.add_task("moves", total=len(match.moves_made) + 1)
        judged = list(analyse(match, simulations, lambda: progress.advance(task)))
    figures.print_analysis(console, match, judged)


@app.command("replay")
def replay_record(
    file: Record,
    seat: Annotated[
        int | None, typer.Option(metavar="K", help="Show only what this seat saw; everything if not given.")
    ] = None,
    game_file: GameFile = None,
) -> None:
    """Step through a finished game."""
    register(game_file)
    console = new_console()
    step_through(console, load_finished(console, file), seat)


app.command("learn")(learn.learn_game)
app.command("simulate")(lab.simulate_games)
app.command("ladder")(lab.climb_ladder)
app.command("tournament")(lab.hold_tournament)
app.command("serve")(serve)
app.command("backup")(backup.back_up)
app.command("restore")(backup.restore)
app.command("cards")(cards.list_cards)
app.command("deck")(deck.show_deck)
app.command("report")(report.print_report)
app.command("mute")(mute.mute_player)
app.command("compare")(compare.compare_sets)
app.command("check")(check.check_game)
app.command("compile")(compile.compile_games)
app.command("plugins")(plugins.list_plugins)
app.command("new-game")(new_game.write_game)
app.add_typer(tables.app, name="tables")
app.add_typer(keys.app, name="keys")


@app.command("verify")
def verify_record(
    file: Record,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The commitment that you saw before the deal, to compare."),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="The key of the server that must have signed it: see /keys there."),
    ] = None,
    game_file: GameFile = None,
) -> None:
    """Check the record of a finished game: moves, cards, commitment and signature; say what that proves."""
    shown, key = read_commitment(commitment), read_key(server)
    register(game_file)
    console = new_console()
    match = load_finished(console, file)
    print_proof(console, check_proof(match, file, shown, key))


def _newest() -> tuple[Path, Match]:
    """Return the newest save that can be resumed, and its match; print a message for each newer one that cannot."""
    *newer, oldest = files.saves()
    for save in newer:
        try:
            return save, files.load(save)
        except BadRecord as error:
            Console(stderr=True, highlight=False).print(Text(printable(f"skipped: {error}")), soft_wrap=True)
    return oldest, files.load(oldest)


def _sit_down(match: Match, save: Path, pace: float | None) -> None:
    console = new_console()
    Sitting(console, match, save, players.pace_at(console, pace)).run()
