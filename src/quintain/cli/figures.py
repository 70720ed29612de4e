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
from quintain.lab.intervals import interval_words

if TYPE_CHECKING:
    from quintain.bots.ismcts import Judgement
    from quintain.lab.analysis import Analysis, JudgedStep
    from quintain.lab.luck import BotLuck, MeanShare
    from quintain.lab.pairings import Pairing
    from quintain.lab.simulation import Summary
    from quintain.lab.tournament import Tournament

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 10
"""The columns of a bar that shows a share of 100 %."""
SIDES = 52
"""The columns beside a row of bars of an analysis: room for the longest name and for the words at the end."""
MOST_BARS = 200
"""The most bars in a row, also into a pipe."""
TURNING_POINTS = 5
"""The most turning points that an analysis lists."""
TOO_FEW = "too few to tell"


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


def print_luck(console: Console, game: Game, games: int, seed: int, tries: int, found: Sequence[BotLuck]) -> None:
    """Print what cards and decisions did for bots, as a table in Markdown, in points: hundredths of a win."""
    table = Table(box=box.MARKDOWN, header_style="bold")
    for title in ("Bot", "Cards", "Gave away", "Others gave", "Result"):
        table.add_column(title, justify="left" if title == "Bot" else "right")
    for one in found:
        table.add_row(one.bot, *(_mean(each) for each in (one.cards, one.lost, one.gained, one.result)))
    console.print(f"{game.title}, {games:,} games, {tries:,} tries a candidate, seed {seed}; in points a game")
    print_whole(console, table)


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


def print_analysis(console: Console, match: Match, analysis: Analysis) -> None:
    """Print a finished match move by move, then its turning points, luck and skill, and each player's chances."""
    names = match.names
    print_whole(console, _decisions(names, analysis))
    console.print()
    console.print(Text("Turning points", style="bold"))
    console.print(Group(*(_turning_points(names, analysis) or [Text("none: no move gave anything away")])))
    console.print()
    console.print(Text("Luck and skill, in points: hundredths of a win", style="bold"))
    print_whole(console, _luck_and_skill(names, analysis))
    console.print()
    console.print(Text("Wins expected by each player, from the first move to the end", style="bold"))
    console.print(_picture(names, analysis, console.width - SIDES))
    console.print()
    console.print(f"The adviser tried each candidate {analysis.tries:,} times (Quintain {analysis.version}).")


def analysis_of(match: Match, analysis: Analysis) -> dict[str, Any]:
    """Return an analysis for programs, with what follows from it; `turning_points` are numbers of steps."""
    return {
        **fields(analysis),
        "names": match.names,
        "steps": [{**fields(step), "after": step.after, "lost": step.lost} for step in analysis.steps],
        "turning_points": [step.number for step in turning_points(analysis)],
        "luck_and_skill": analysis.luck_and_skill(),
    }


def turning_points(analysis: Analysis) -> list[JudgedStep]:
    """Return the decisions that gave most away, in their order."""
    return sorted(analysis.worst[:TURNING_POINTS], key=lambda step: step.number)


def _decisions(names: Sequence[str], analysis: Analysis) -> Table:
    table, turning = _table("No.", "Player", "Move", "Wins expected", "Gave away", "Better"), turning_points(analysis)
    for step in analysis.decisions:
        style = "bold" if step in turning else "" if step.lost else "dim"
        chances = f"{_points(step.known[step.seat])} → {_points(step.after)}"
        cells = (names[step.seat], _made(step), chances, _points(step.lost) if step.lost else "", _better(step))
        table.add_row(str(step.number), *map(Text, cells), style=style)
    return table


def _turning_points(names: Sequence[str], analysis: Analysis) -> list[Text]:
    """Return the moves that gave away most, in words."""
    return [Text(_turning_point(names[step.seat], step)) for step in turning_points(analysis)]


def _turning_point(name: str, step: JudgedStep) -> str:
    best = _points(step.known[step.seat])
    if step.action is None:
        return f"{step.number}. {name}: resigns, with {best} left"
    return f"{step.number}. {name}: {step.text} ({_points(step.after)}) instead of {_better(step)} ({best})"


def _luck_and_skill(names: Sequence[str], analysis: Analysis) -> Table:
    """Return a row for each player: the even share, what changed it, and the result, which they add up to."""
    table = _table("Player", "Even share", "Cards", "Gave away", "Others gave", "Result", "Moves that cost nothing")
    for one in analysis.luck_and_skill():
        points = (f"{100 * one.even:.1f}", *(f"{100 * each:+.1f}" for each in (one.cards, 0.0 - one.lost, one.gained)))
        cost_nothing = f"{one.free} of {one.decisions}"
        row = (names[one.seat], *points, f"{100 * one.result:.1f}", cost_nothing)
        table.add_row(*(Text(with_minus(cell)) for cell in row))
    return table


def _picture(names: Sequence[str], analysis: Analysis, width: int) -> Table:
    """Return two rows of bars for each player: their chances by what they knew, and with all cards open."""
    table = Table.grid(padding=(0, 2))
    for seat, name in enumerate(names):
        known = [*(step.known[seat] for step in analysis.steps), analysis.results[seat]]
        opened = [*(step.opened[seat] for step in analysis.steps), analysis.results[seat]]
        table.add_row(Text(name, style="bold"), Text(row_of_bars(known, width)), "by what they knew")
        table.add_row("", Text(row_of_bars(opened, width)), "with all cards open")
    return table


def row_of_bars(chances: Sequence[float], width: int) -> str:
    """Return a bar for each chance, or if they are more than fit in, for some of them at equal distances."""
    columns = max(1, min(width, MOST_BARS, len(chances)))
    places = (round(column * (len(chances) - 1) / max(1, columns - 1)) for column in range(columns))
    return "".join(BARS[min(7, int(chances[place] * 8))] for place in places)


def _made(step: JudgedStep) -> str:
    return step.text if step.action is not None else "resigns"


def _better(step: JudgedStep) -> str:
    return step.best.text if step.best and step.lost else ""


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    numbers = ("No.", "Wins expected", "Gave away", "Simulations")
    for title in titles:
        table.add_column(title, justify="right" if title in numbers else "left")
    return table


def _bar(share: float) -> str:
    return "█" * round(share * WIDTH)


def _mean(found: MeanShare) -> str:
    """Return a mean in points, with half the width of its interval."""
    return with_minus(f"{100 * found.mean:.1f} ± {100 * (found.interval[1] - found.mean):.1f}")


def _points(share: float) -> str:
    return f"{share:.0%}"
