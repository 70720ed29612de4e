"""`quintain simulate`, `quintain ladder`, `quintain tournament` and `quintain luck`: bots play many games."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Annotated

import typer

from quintain.cli import figures, files, players
from quintain.cli.arguments import (
    BatchSeed,
    GameFile,
    GameId,
    Options,
    Out,
    RayAddress,
    Seats,
    Workers,
    bots_option,
    find,
    new_console,
    new_progress,
    open_pool,
    read_seed,
    resumable,
)
from quintain.cli.output import AsJson, fields, print_document


def simulate_games(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many games.")],
    bots: Annotated[str, bots_option("The bots of all seats; the last one fills the rest.")] = "random",
    seats: Seats = None,
    seed: BatchSeed = None,
    option: Options = None,
    out: Out = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play many games, and print speed, lengths, wins and scores."""
    from quintain.lab import simulation

    found = find(game_id, game_file)
    names = players.read_bots(bots, found.check_seats(seats))
    options, seed = files.read_options(found, option or []), read_seed(seed, out)
    with resumable(out), open_pool(ray, workers) as pool, new_progress() as progress:
        task = progress.add_task("games", total=n)
        summary = simulation.simulate(
            found, n, names, options, seed, lambda more: progress.advance(task, more), pool, out
        )
    if as_json:
        given = {"game": found.id, "seed": seed, "bots": names, "options": found.read_options(len(names), options)}
        print_document({**given, **fields(summary), "mean_decisions": summary.length})
    else:
        figures.print_summary(new_console(), found, names, seed, summary)


def climb_ladder(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=2, help="Games for each pairing, an even number.")] = 100,
    others: Annotated[
        int | None, typer.Option(metavar="N", min=2, help="Games for pairings of bots that are not neighbours.")
    ] = None,
    bots: Annotated[
        str, bots_option("The bots to compare, the strongest first.")
    ] = "champion,knight,squire,page,random",
    seats: Annotated[
        int | None, typer.Option(metavar="N", help="The number of players; the least possible if not given.")
    ] = None,
    seed: BatchSeed = None,
    out: Out = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play each other, each deal twice with the seats swapped, and print the share of games that each won.

    A hundred games with a Champion take some minutes.
    """
    from quintain.lab.ladder import climb, games_of

    found, seed = find(game_id, game_file), read_seed(seed, out)
    names = [name.strip() for name in bots.split(",")]
    with resumable(out), open_pool(ray, workers) as pool, new_progress() as progress:
        task = progress.add_task(
            "games", total=sum(games_of(names, pair, n, others) for pair in combinations(names, 2))
        )
        pairings = list(
            climb(found, names, n, seed, seats, lambda more: progress.advance(task, more), others, pool, out)
        )
    if as_json:
        print_document({"game": found.id, "seed": seed, "pairings": pairings})
    else:
        figures.print_ladder(new_console(), found, seed, pairings)


def hold_tournament(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=2, help="Games for each table, a multiple of its seats.")],
    bots: Annotated[str, bots_option("The bots that take part, each once.")],
    seats: Seats = None,
    in_pairs: Annotated[
        bool, typer.Option("--in-pairs", help="Let only two bots sit at a table, each at every other seat.")
    ] = False,
    until_sure: Annotated[
        bool,
        typer.Option("--until-sure", help="Stop when the order is certain at 95 %, after at most N games a table."),
    ] = False,
    seed: BatchSeed = None,
    option: Options = None,
    out: Out = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play a tournament: every table plays each deal with all seats swapped; print standings and pairings."""
    from quintain.lab.tournament import tables_of, tournament

    found, seed = find(game_id, game_file), read_seed(seed, out)
    names, options = [name.strip() for name in bots.split(",")], files.read_options(found, option or [])
    with resumable(out), open_pool(ray, workers) as pool, new_progress() as progress:
        task = progress.add_task("games", total=n * tables_of(found, names, seats, in_pairs))
        tell = partial(progress.advance, task)
        result = tournament(found, names, n, seed, seats, options, in_pairs, until_sure, tell, pool, out)
    if as_json:
        print_document({"game": found.id, "seed": seed, **fields(result)})
    else:
        figures.print_tournament(new_console(), found, seed, result)


def measure_luck(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=2, help="How many games, a multiple of the seats.")],
    bots: Annotated[str, bots_option("The bots of all seats, which move on by a seat with each game.")],
    tries: Annotated[
        int, typer.Option(metavar="N", min=1, max=200_000, help="How often each candidate is tried.")
    ] = 300,
    seats: Seats = None,
    seed: BatchSeed = None,
    option: Options = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play, analyse each game, and print what cards and decisions did for each bot in a game, on average."""
    from quintain.lab.luck import luck

    found = find(game_id, game_file)
    names = players.read_bots(bots, found.check_seats(seats))
    options, seed = files.read_options(found, option or []), read_seed(seed, None)
    with open_pool(ray, workers) as pool, new_progress() as progress:
        task = progress.add_task("games", total=n)
        means = luck(found, n, names, options, seed, tries, lambda more: progress.advance(task, more), pool)
    if as_json:
        print_document({"game": found.id, "seed": seed, "games": n, "tries": tries, "bots": means})
    else:
        figures.print_luck(new_console(), found, n, seed, tries, means)
