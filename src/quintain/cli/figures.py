"""Prints figures: the results of the lab, hints in a game, and the analysis of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from quintain.cli.arguments import WIDEST
from quintain.cli.output import fields
from quintain.engine.names import with_minus
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.lab.analysis import Decision, luck_and_skill
from quintain.lab.intervals import interval_words

if TYPE_CHECKING:
    from quintain.bots.ismcts import Judgement
    from quintain.lab.pairings import Pairing
    from quintain.lab.simulation import Summary
    from quintain.lab.tournament import Tournament

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 10
"""The columns of a bar that shows a share of 100 %."""
SIDES = 52
"""The columns beside the row of bars of an analysis: room for the longest name and for the words at the end."""
TURNING_POINTS = 5
"""The most turning points that an analysis lists."""
TOO_FEW = "too few to tell"
LEAST_LOST = 0.03
"""The least share of wins that a move must give away to be a turning point, and to be printed in bold."""


def print_summary(console: Console, game: Game, bots: Sequence[str], seed: int, summary: Summary) -> None:
    """Print the result of a simulation."""
    seconds = max(summary.seconds, 1e-9)
    games = f"{summary.games:,} in {summary.seconds:.2f} s, seed {seed}"
    speeds = [
        ("games per second", f"{summary.games / seconds:,.0f}"),
        ("decisions per second", f"{summary.decisions / seconds:,.0f}"),
    ]
    if summary.kept:
        games, speeds = f"{summary.games:,}, {summary.kept:,} of them from the run that was stopped; seed {seed}", []
    figures = (
        ("games", games),
        *speeds,
        ("decisions in a game", f"{summary.length:.1f} on average, {summary.shortest} to {summary.longest}"),
        ("without a single winner", f"{summary.drawn:,}"),
    )
    totals = Table.grid(padding=(0, 2))
    for title, figure in figures:
        totals.add_row(Text(title.capitalize()), Text(figure))
    by_seat = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 3, 0, 0))
    for title in ("Seat", "Bot", "Wins", "Mean score"):
        by_seat.add_column(title, justify="left" if title == "Bot" else "right")
    for seat, bot in enumerate(bots):
        by_seat.add_row(str(seat), bot, f"{summary.shares[seat]:.2%}", f"{summary.scores[seat]:.2f}")
    console.print(Text(game.title, style="bold"))
    console.print(totals)
    console.print()
    console.print(by_seat)


def print_ladder(console: Console, game: Game, seed: int, pairings: Sequence[Pairing]) -> None:
    """Print a ladder as a table in Markdown."""
    console.print(f"{game.title}, seed {seed}")
    print_whole(console, _pairings(pairings, "Level", "Won"))


def print_tournament(console: Console, game: Game, seed: int, found: Tournament) -> None:
    """Print a tournament as two tables in Markdown, and how certain the order is."""
    table = Table(box=box.MARKDOWN, header_style="bold")
    for title in ("Bot", "Games", "Won", "95 % interval", "Mean score", "Rating"):
        table.add_column(title, justify="left" if title == "Bot" else "right")
    for one in found.standings:
        interval = interval_words(one.interval)
        rating = f"{one.rating:.1f} ± {2 * one.uncertainty:.1f}"
        table.add_row(one.bot, f"{one.games:,}", f"{one.share:.1%}", interval, f"{one.score:.2f}", rating)
    console.print(f"{game.title}, {found.games:,} games, seed {seed}")
    print_whole(console, table)
    print_whole(console, _pairings(found.pairings, "Bot", "Ahead"))
    console.print(f"The order is {'' if found.is_sure else 'not yet '}certain at 95 %.")


def print_whole(console: Console, table: Table) -> None:
    """Print a table without cutting or breaking any of its cells, however narrow the terminal is."""
    width = console.width
    console.width = WIDEST
    console.width = max(width, console.measure(table).maximum)
    console.print(table)
    console.width = width


def _pairings(pairings: Sequence[Pairing], who: str, what: str) -> Table:
    table = Table(box=box.MARKDOWN, header_style="bold")
    for title in (who, "Against", "Games", what, "95 % interval"):
        table.add_column(title, justify="left" if title in (who, "Against") else "right", no_wrap=True)
    for pairing in pairings:
        interval = interval_words(pairing.interval)
        table.add_row(pairing.name, pairing.other, f"{pairing.games:,}", f"{pairing.share:.1%}", interval)
    return table


def hint(judged: Sequence[Judgement], words: Mapping[int, str]) -> Table:
    """Return a table of what a search thinks of each legal move, the most tried first.

    A move that was not tried often enough has no share of wins there.
    """
    from quintain.bots.ismcts import SOUND

    table = _table("Move", "Wins expected", "", "Simulations")
    for one in sorted(judged, key=lambda one: (-one.simulations, -one.share)):
        found = (f"{one.share:.0%}", _bar(one.share)) if one.simulations >= SOUND else (TOO_FEW, "")
        table.add_row(Text(words[one.action]), *found, f"{one.simulations:,}")
    return table


def print_analysis(console: Console, match: Match, judged: Sequence[Decision]) -> None:
    """Print a finished match move by move, then its turning points, and each player's chances over time."""
    console.print(_decisions(match, judged))
    console.print()
    console.print(Text("Turning points", style="bold"))
    console.print(Group(*(_turning_points(match, judged) or [Text("none: no move gave much away")])))
    console.print()
    console.print(Text("Luck and skill, in points: hundredths of a win", style="bold"))
    console.print(_luck_and_skill(match, judged))
    console.print()
    console.print(Text("Wins expected by each player, from the first move to the last", style="bold"))
    console.print(_picture(match, judged, console.width - SIDES))


def analysis_of(match: Match, simulations: int, judged: Sequence[Decision]) -> dict[str, Any]:
    """Return an analysis for programs; `turning_points` are numbers of decisions."""
    return {
        "game": match.game.id,
        "names": match.names,
        "simulations": simulations,
        "decisions": [{**fields(one), "lost": one.lost} for one in judged],
        "turning_points": [one.number for one in worst(judged)],
        "luck_and_skill": luck_and_skill(match, judged),
    }


def worst(judged: Sequence[Decision]) -> list[Decision]:
    """Return the turning points: the decisions that gave away most, in their order."""
    found = sorted((one for one in judged if one.lost >= LEAST_LOST), key=lambda one: -one.lost)[:TURNING_POINTS]
    return sorted(found, key=lambda one: one.number)


def _decisions(match: Match, judged: Sequence[Decision]) -> Table:
    table = _table("No.", "Player", "Move", "Wins expected", "Gave away", "Better")
    for one in judged:
        better = one.best if one.lost else ""
        style = "bold" if one.lost >= LEAST_LOST else "" if better else "dim"
        cells = (match.names[one.seat], one.played, _share(one.judged), _lost(one), better)
        table.add_row(str(one.number), *map(Text, cells), style=style)
    return table


def _luck_and_skill(match: Match, judged: Sequence[Decision]) -> Table:
    """Return a row for each player: the even share, what changed it, and the result, which they add up to."""
    table = _table("Player", "Even share", "Cards", "Gave away", "Others gave", "Result", "Moves that cost nothing")
    for one in luck_and_skill(match, judged):
        points = (f"{100 * one.even:.1f}", *(f"{100 * each:+.1f}" for each in (one.cards, 0.0 - one.lost, one.gained)))
        cost_nothing = f"{one.free} of {one.decisions}"
        row = (match.names[one.seat], *points, f"{100 * one.result:.1f}", cost_nothing)
        table.add_row(*(Text(with_minus(cell)) for cell in row))
    return table


def _turning_points(match: Match, judged: Sequence[Decision]) -> list[Text]:
    """Return the moves that gave away most, in words."""
    return [
        Text(
            f"{one.number}. {match.names[one.seat]}: {one.played} ({_share(one.judged)}) "
            f"instead of {one.best} ({_share(one.best_judged)})"
        )
        for one in worst(judged)
    ]


def _picture(match: Match, judged: Sequence[Decision], width: int) -> Table:
    """Return a row of bars for each player: the expected share of wins, from the first move to the last."""
    table = Table.grid(padding=(0, 2))
    entries = len(match.moves_made)
    for seat, name in enumerate(match.names):
        line, at = "", 0
        own = [one for one in judged if one.seat == seat]
        lost = [one.lost for one in own]
        for column in range(min(width, entries)):
            until = (column + 1) * entries / min(width, entries)
            while at + 1 < len(own) and own[at + 1].number <= until:
                at += 1
            line += BARS[min(7, int(own[at].judged.share * 8))] if own and own[at].number <= until else " "
        table.add_row(Text(name, style="bold"), Text(line), f"gave away something {sum(map(bool, lost))} times")
    return table


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    numbers = ("No.", "Wins expected", "Gave away", "Simulations")
    for title in titles:
        table.add_column(title, justify="right" if title in numbers else "left")
    return table


def _bar(share: float) -> str:
    return "█" * round(share * WIDTH)


def _share(judged: Judgement) -> str:
    return f"{judged.share:.0%}"


def _lost(decision: Decision) -> str:
    return f"{decision.lost:.0%}" if decision.lost else ""
