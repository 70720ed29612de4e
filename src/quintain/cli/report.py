"""`quintain report`: lets bots play many games of any game, and reports what happened in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quintain.bots.playout import POLICY_BOT
from quintain.cli import files
from quintain.cli.arguments import (
    BatchSeed,
    GameFile,
    GameId,
    Options,
    RayAddress,
    Seats,
    Workers,
    bots_option,
    find,
    new_console,
    new_progress,
    open_pool,
    read_seed,
)
from quintain.cli.output import AsJson, print_document
from quintain.engine.errors import BadOption

if TYPE_CHECKING:
    from quintain.engine.rules.game import Game
    from quintain.lab.pages import ReportPage
    from quintain.lab.pools import WorkerPool
    from quintain.lab.report import Report
    from quintain.lab.tournament import Tournament

POLICY = "policy"
"""The name of the playout policy among the bots of this command."""

Writers = list[tuple[Path, Callable[["ReportPage"], str]]]
"""Files to write a report to, and how."""
ReportFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--out", metavar="FILE", help="Write the report here, as FILE.html or FILE.md; on the console if not given."
    ),
]


def print_report(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many games.")] = 1000,
    bot: Annotated[
        str, bots_option("The bot that plays all seats; the game's playout policy if not given.", metavar="BOT")
    ] = POLICY,
    seats: Seats = None,
    actions: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many actions to list: those that were most often legal.")
    ] = 100,
    skill: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many games every two levels of bots play; 0 leaves this out.")
    ] = 40,
    tournament: Annotated[
        Path | None,
        typer.Option(metavar="FILE.parquet", help="Add a tournament or a ladder, from the file that its --out wrote."),
    ] = None,
    seed: BatchSeed = None,
    option: Options = None,
    out: ReportFiles = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play many games, and report who won, how games go, and how each action, card, deck and option does.

    A whole report takes some minutes, the first for compiling.
    """
    from quintain.lab.chapters import page_of

    game, player = find(game_id, game_file), POLICY_BOT if bot == POLICY else bot
    options, number = files.read_options(game, option or []), game.check_seats(seats)
    writers = [(path, writer_of(path)) for path in out or []]
    held = _held(tournament, game) if tournament else None
    seed = read_seed(seed, None)
    with open_pool(ray, workers) as pool:
        found = reported(game, n, [player] * number, options, seed, pool, skill)
    publish(page_of(found, actions, held), writers, {**found.document, "tournament": held} if as_json else None)


def _held(path: Path, game: Game) -> Tournament:
    """Return the tournament or the ladder of a file; raises BadOption."""
    from quintain.lab.tournament import read_tournament

    with files.on_disk(path, BadOption) as there:
        return read_tournament(there, game)


def reported(
    game: Game, n: int, bots: list[str], options: dict[str, Any], seed: int, pool: WorkerPool, skill: int
) -> Report:
    """Return the whole report on a game, and show meanwhile how many games are played; raises QuintainError."""
    from quintain.lab.report import games_of_report, whole_report

    with new_progress() as progress:
        task = progress.add_task("games", total=games_of_report(game, n, len(bots), options, skill))
        return whole_report(game, n, bots, options, seed, lambda more: progress.advance(task, more), pool, skill)


def writer_of(path: Path) -> Callable[[ReportPage], str]:
    """Return the function that writes a page in the form that the name of a file asks for; raises BadOption."""
    from quintain.lab import pages
    from quintain.lab.extras import need

    if not path.parent.is_dir():
        raise BadOption(f"{path} cannot be written: there is no folder {path.parent}")
    if path.suffix == ".md":
        return pages.markdown
    if path.suffix != ".html":
        raise BadOption(f"a report is written to a file whose name ends in .html or .md, not to {path.name}")
    need("altair", "vl_convert")
    return pages.html


def publish(page: ReportPage, writers: Writers, document: object = None) -> None:
    """Write a page to its files, or in Markdown to the console if there are none; raises QuintainError.

    If there is a `document`, print it as JSON instead of the Markdown.
    """
    from quintain.lab import pages

    for path, write in writers:
        files.write_text(path, write(page))
        path.chmod(0o644)  # others may read it
        new_console(stderr=document is not None).print(f"Wrote {path}.", soft_wrap=True)
    if document is not None:
        print_document(document)
    elif not writers:
        new_console().print(pages.markdown(page), soft_wrap=True, end="")
