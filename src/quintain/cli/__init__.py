"""The command line: the program `quintain` and its commands.

This module declares the commands about single games, and lists the others, which are in files of their own. `play` (a
game at the terminal), `replay` and `verify` do the work, and so does the package `lab`.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
import typer.rich_utils
from rich.console import Console
from rich.text import Text

from quintain.cli import (
    backup,
    cards,
    check,
    compare,
    compile,
    dataset,
    deck,
    exploit,
    exploitability,
    figures,
    files,
    games,
    keys,
    lab,
    learn,
    mute,
    net,
    new_game,
    players,
    plugins,
    puzzles,
    report,
    site,
    tables,
    train,
)
from quintain.cli.arguments import (
    WIDEST,
    GameFile,
    GameId,
    Options,
    Pace,
    Seats,
    Seed,
    bots_option,
    find,
    is_piped,
    new_console,
    new_progress,
    register,
)
from quintain.cli.manual import read_more
from quintain.cli.output import AsJson, print_document
from quintain.cli.play import Sitting
from quintain.cli.replay import finished_of, load_finished, step_through, watch
from quintain.cli.serve import serve
from quintain.cli.show import ask_terminal, print_rules, printable
from quintain.cli.verify import check as check_proof
from quintain.cli.verify import print_proof, proof_of, read_commitment, read_key
from quintain.engine.errors import BadOption, BadRecord, QuintainError
from quintain.engine.play.match import Match
from quintain.engine.version import __version__

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=read_more(),
    context_settings={"terminal_width": WIDEST},  # for the help in a pipe; at a terminal, rich asks for the width
)
PLAYING = read_more("command-line", "playing")
CHECKING = read_more("command-line", "watching-stepping-through-checking")

Record = Annotated[
    Path, typer.Argument(metavar="FILE", help="The record of a finished game; - reads it from the standard input.")
]


def main() -> None:
    """Run the command line. An error that the user can put right prints one message and exits with status 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.path.append(str(Path.cwd()))  # people keep their own bots in the current folder
    os.environ["PYTHONSAFEPATH"] = "1"  # else a types.py there would take the place of Python's own in our processes
    if "_QUINTAIN_COMPLETE" in os.environ:
        typer.rich_utils.MAX_WIDTH = WIDEST  # else meanings of words would go on in further lines, as further words
    if is_piped() or not sys.stderr.isatty():
        app.rich_markup_mode = None  # the boxes of help and errors would be as wide as the terminal
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


@app.command("rules", epilog=PLAYING)
def show_rules(game_id: GameId, game_file: GameFile = None) -> None:
    """Show the rulebook of a game."""
    print_rules(new_console(), find(game_id, game_file))


@app.command("play", epilog=PLAYING)
def play_game(
    game_id: GameId,
    seats: Seats = None,
    against: Annotated[
        str | None, bots_option("The other seats' bots; the last fills the rest. `squire` if not given.")
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


@app.command("resume", epilog=PLAYING)
def resume_game(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A save, or - for the standard input; the newest if not given."),
    ] = None,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust", help="Trust the file: play against bots that are not Quintain's own, or from any position."
        ),
    ] = False,
    pace: Pace = None,
    game_file: GameFile = None,
) -> None:
    """Go on with a saved game."""
    register(game_file)
    save, match = (file, files.load(file)) if file else _newest()
    called = files.called(save)
    if match.outcome:
        raise BadRecord(f"{called} holds a game that is over: `quintain replay` steps through it")
    own = [name for name in match.bots if name and ":" in name]
    if own and not trust:
        raise BadRecord(
            f"{called} holds a game against {', '.join(own)}; going on runs the code of that module: "
            "if you trust it, add --trust"
        )
    files.check_beginning(match, save, trust)
    if match.bots.count(None) != 1:
        raise BadRecord(
            f"{called} cannot be resumed here: {match.bots.count(None)} people play in it, "
            "and the terminal is for one person against bots"
        )
    if file == files.STDIN:
        ask_terminal("resume")
        save = files.new_path("saves", match)
    _sit_down(match, save, pace)


@app.command("watch", epilog=CHECKING)
def watch_bots(
    game_id: GameId,
    seats: Seats = None,
    bots: Annotated[str, bots_option("The bots of all seats; the last one fills the rest.")] = "greedy",
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


@app.command("analyse", epilog=read_more("lab", "analysis"))
def analyse_record(
    file: Record,
    tries: Annotated[
        int, typer.Option(metavar="N", min=1, max=200_000, help="How often each candidate is tried.")
    ] = 3_000,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="OUT", help="Write the analysis as one file for a browser.")
    ] = None,
    trust: Annotated[bool, typer.Option("--trust", help="Judge a game from a position, too; trust its file.")] = False,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Go through a finished game move by move: how much each move gave away, the turning points, luck and skill."""
    from quintain.lab.analysis import analyse, begun

    register(game_file)
    match = load_finished(new_console(stderr=as_json), file)
    files.check_beginning(match, file, trust)
    with new_progress() as progress:
        task = progress.add_task("moves", total=begun(match).total)
        analysis = analyse(match, tries, lambda: progress.advance(task))
    if html:
        from quintain.server.pages.study.analysis_file import analysis_file

        html.write_text(analysis_file(match, analysis), encoding="utf-8")
    if as_json:
        print_document(figures.analysis_of(match, analysis))
    elif html:
        new_console().print(f"The analysis is in {html}: open it in a browser.")
    else:
        figures.print_analysis(new_console(), match, analysis)


@app.command("replay", epilog=CHECKING)
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
    match = load_finished(console, file)
    if file == files.STDIN and console.is_terminal:
        ask_terminal("replay")
    step_through(console, match, seat)


app.command("games", epilog=PLAYING)(games.list_games)
app.command("learn", epilog=read_more("command-line", "learning-a-game"))(learn.learn_game)
app.command("simulate", epilog=read_more("lab", "simulation"))(lab.simulate_games)
app.command("ladder", epilog=read_more("lab", "ladders"))(lab.climb_ladder)
app.command("tournament", epilog=read_more("lab", "tournaments"))(lab.hold_tournament)
app.command("luck", epilog=read_more("lab", "luck-and-skill-of-bots"))(lab.measure_luck)
app.command("exploitability", epilog=read_more("lab", "small-games-exactly"))(exploitability.print_exploitability)
app.command("report", epilog=read_more("lab", "reports"))(report.print_report)
app.command("compare", epilog=read_more("lab", "comparing"))(compare.compare_sets)
app.command("dataset", epilog=read_more("environments", "datasets"))(dataset.write_dataset)
app.command("exploit", epilog=read_more("environments", "a-best-response"))(exploit.print_response)
app.command("train", epilog=read_more("environments", "a-net-by-self-play"))(train.train_net)
app.command("net", epilog=read_more("nets", "what-a-file-says-of-itself"))(net.print_net)
app.command("cards", epilog=read_more("command-line", "decks-and-cards-of-your-own"))(cards.list_cards)
app.command("deck", epilog=read_more("command-line", "decks-and-cards-of-your-own"))(deck.show_deck)
app.command("check", epilog=read_more("tutorial", "what-checks-it"))(check.check_game)
app.command("compile", epilog=read_more("engine", "rules-are-written-once-and-run-two-ways"))(compile.compile_games)
app.command("plugins", epilog=read_more("plugins"))(plugins.list_plugins)
app.command("new-game", epilog=read_more("plugins", "a-game"))(new_game.write_game)
app.command("serve", epilog=read_more("server", "operation"))(serve)
app.command("site", epilog=read_more("site", "making-the-files"))(site.site)
app.command("backup", epilog=read_more("hosting", "backups"))(backup.back_up)
app.command("restore", epilog=read_more("hosting", "backups"))(backup.restore)
app.command("mute", epilog=read_more("command-line", "in-the-browser"))(mute.mute_player)
app.add_typer(tables.app, name="tables")
app.add_typer(keys.app, name="keys")
app.command("puzzle", epilog=puzzles.PUZZLES)(puzzles.solve_puzzle)
app.add_typer(puzzles.app, name="puzzles")


@app.command("verify", epilog=CHECKING)
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
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Check the record of a finished game: moves, cards, commitment and signature; say what that proves."""
    shown, key = read_commitment(commitment), read_key(server)
    register(game_file)
    text = files.read_text(file, BadRecord)
    match = finished_of(new_console(stderr=as_json), text, file)
    evidence = check_proof(match, text, files.called(file), shown, key)
    if as_json:
        print_document(proof_of(evidence))
    else:
        print_proof(new_console(), evidence)


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
