"""The trial of `quintain compare`: how far it is while it runs, and what it has shown, as text with bars or as JSON."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintain.cli.arguments import new_console, new_progress
from quintain.cli.output import fields, print_document
from quintain.engine.names import with_minus

if TYPE_CHECKING:
    from quintain.lab.compare import Setting
    from quintain.lab.pools import WorkerPool
    from quintain.lab.trials import Trial
    from quintain.lab.verdicts import JudgedThing, Measure, Paired, TrialFigures

    Row = tuple[str, Paired]

SECONDS = 5.0
"""How often a line says how far the trial is, where no bar can grow."""
FIRST_SECONDS = 0.5
"""When the first such line comes."""
MOST_SHOWN = 8
"""The most rows of one kind."""
COLUMNS = 41
"""The width of a bar."""


def show(settings: Sequence[Setting], n: int, seed: int, pool: WorkerPool, until_sure: bool, as_json: bool) -> None:
    """Play a trial of two settings, show how it grows, and print what it has shown; raises BadOption."""
    from quintain.lab.series import Series
    from quintain.lab.trials import Trial

    one, other = (Series.new(each.game, each.bots, each.options, seed) for each in settings)
    trial = Trial.between(one, other)
    found = _played(trial, n, pool, until_sure)
    if as_json:
        sets = [{"name": each.name, "bots": each.bots, "given": each.options} for each in settings]
        document = {"game": one.game, "seed": seed, "sets": sets}
        print_document({**document, "is_certain": found.is_certain, **fields(found)})
    else:
        print_figures(new_console(), settings, seed, found)


def _played(trial: Trial, n: int, pool: WorkerPool, until_sure: bool) -> TrialFigures:
    """Play a trial, show meanwhile what it has found so far, and return its figures."""
    from quintain.lab.trials import TrialCounts, run
    from quintain.lab.verdicts import figures

    counts = TrialCounts()
    with _Growth(n) as growth:
        for counts in run(trial, n, pool):
            if until_sure or growth.is_due:
                found = figures(trial, counts, n)
                growth.show(found)
                if until_sure and found.is_certain:
                    break
    return figures(trial, counts, n)


class _Growth:
    """Shows how far a trial is on the standard error: as a bar at a terminal, else as a line now and then."""

    def __init__(self, n: int) -> None:
        self.n, self.progress, self.due = n, new_progress(), 0.0

    def __enter__(self) -> Self:
        self.progress.start()
        self.task = self.progress.add_task("games", total=self.n)
        if self.progress.disable:
            _say(f"Playing {self.n:,} games with each ...")
        self.due = time.monotonic() + FIRST_SECONDS
        return self

    def __exit__(self, *error: object) -> None:
        self.progress.stop()

    @property
    def is_due(self) -> bool:
        """Whether it is time to show something."""
        return time.monotonic() >= self.due

    def show(self, found: TrialFigures) -> None:
        """Show what the trial has found, if it is time to do so."""
        if not self.is_due:
            return
        so_far = "; ".join(_so_far(each) for each in found.judged[:2])
        words = f"{found.games:,} of {found.most:,} games with each{'; ' * bool(so_far)}{so_far}"
        if self.progress.disable:
            _say(words)
        self.progress.update(self.task, completed=found.games, description=words)
        self.due = time.monotonic() + (SECONDS if self.progress.disable else FIRST_SECONDS)


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _so_far(each: JudgedThing) -> str:
    """Return what a trial has found of a card or a deck so far."""
    return f"{each.name} {_share_words(each.won.after)}, {each.verdict.word}"


def print_figures(console: Console, settings: Sequence[Setting], seed: int, found: TrialFigures) -> None:
    """Print what a trial has shown: the verdicts, bars of the shares, the figures, and what changed most."""
    names = [each.name for each in settings]
    title = f"{names[0]} and {names[1]} compared: {settings[0].game.title}"
    console.print(Text(f"{title}, {found.games:,} games with each on equal deals; seed {seed}", style="bold"))
    for each in found.judged[:MOST_SHOWN]:
        console.print()
        console.print(Text(_verdict(each)), soft_wrap=True)
        console.print(_bars(names, each.won, found.even))
    console.print()
    console.print(_table(names, "Figure", _figures(found)))
    if found.medians:
        one, other = (f"{each.value:g} ({each.interval[0]} to {each.interval[1]})" for each in found.medians)
        console.print(Text(f"Decisions in a game, median: {one} with {names[0]}, {other} with {names[1]}"))
    for heading, rows in (
        ("Match-ups that changed most: won by the first", [*_rows(found.matches)]),
        ("What the game counts, the clearest changes first", [*_rows(found.counts)]),
        ("Cards with the highest and the lowest shares of wins", [*_extremes(found)]),
    ):
        if rows:
            console.print()
            console.print(_table(names, heading, rows))


def _verdict(each: JudgedThing) -> str:
    """Return the verdict on a card or a deck in a sentence."""
    what = {"deck": "games that it plays", "drawn": "games in which it is drawn"}
    of = what.get(each.won.thing.kind, "games in which it is played")
    change = ""
    if each.won.change == "none":
        change = " The change made no difference to it."
    elif each.won.difference is not None:
        change = f" The change of {_signed(each.won.difference)} is {each.won.change}."
    return f"{each.name} is {each.verdict.word}: it wins {_share_words(each.won.after)} of the {of}.{change}"


def _share_words(share: Measure | None) -> str:
    if share is None:
        return "none"
    low, high = share.interval
    return f"{share.value:.1%} ({100 * low:.1f} to {100 * high:.1f})"


def _bars(names: Sequence[str], figure: Paired, even: float) -> Table:
    """Return the shares before and after as bars with their intervals, and a mark where the share is even."""
    table = Table.grid(padding=(0, 2))
    sides = (figure.before, figure.after)
    ends = [bound for side in sides if side for bound in side.interval]
    reach = max([0.1 * even, *(abs(bound - even) for bound in ends)])
    for name, side in zip(names, sides, strict=True):
        table.add_row(Text(f"  {name}"), Text(_bar(side, even, reach)), Text(_share_words(side)))
    return table


def _bar(share: Measure | None, even: float, reach: float) -> str:
    """Return a bar of an interval, with its share and the even one; it shows shares as far as `reach` from that.

    >>> from quintain.lab.verdicts import Measure
    >>> _bar(Measure(0.6, 400, 0.02, True), 0.5, 0.2)
    '                    ┊     ├───●───┤      '
    """

    def place(value: float) -> int:
        return min(COLUMNS - 1, max(0, round((value - even + reach) / (2 * reach) * (COLUMNS - 1))))

    cells = [" "] * COLUMNS
    low, high = map(place, share.interval) if share else (0, -1)
    cells[low : high + 1] = ["─"] * (high + 1 - low)
    cells[place(even)] = "┊"
    if share:
        cells[low], cells[high], cells[place(share.value)] = "├", "┤", "●"
    return "".join(cells)


def _figures(found: TrialFigures) -> Iterator[Row]:
    """Yield the rows of the main figures."""
    for each in found.judged[:MOST_SHOWN]:
        if each.won.thing.kind == "drawn":
            yield f"{each.name}, won if drawn", each.won
        else:
            yield each.name + (", won" if each.won.thing.kind == "deck" else ", won if played"), each.won
        if each.played and each.played != each.won:
            yield f"{each.name}, won if played", each.played
    for place, seat in enumerate(found.seats[:1] if len(found.seats) == 2 else found.seats):
        yield f"Seat {place}, won", seat
    if found.drawn:
        yield "Games without a single winner", found.drawn
    if found.length:
        yield "Decisions in a game, mean", found.length


def _rows(figures: Sequence[Paired]) -> Iterator[Row]:
    """Yield rows of what is clearest among figures."""
    for figure in figures[:MOST_SHOWN]:
        is_match = figure.thing.kind == "match"
        yield f"{figure.thing.name} : {figure.thing.other}" if is_match else figure.thing.name, figure


def _extremes(found: TrialFigures) -> Iterator[Row]:
    """Yield the cards with the highest and the lowest shares after the change; those with the fewest tries are out."""
    from quintain.lab.intervals import LEAST

    sure = [each for each in found.cards if each.won.after and each.won.after.tries >= LEAST]
    ordered = sorted(sure, key=lambda each: -each.won.after.value if each.won.after else 0.0)
    half = MOST_SHOWN // 2
    for each in ordered if len(ordered) <= MOST_SHOWN else [*ordered[:half], *ordered[-half:]]:
        yield f"{each.name}: {each.verdict.word}", each.won


def _table(names: Sequence[str], heading: str, rows: Iterable[Row]) -> Table:
    """Return figures before and after the change, with the intervals of the latter and of the difference."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in (heading, *names, "95 % interval", "Change", "95 % interval", ""):
        table.add_column(Text(title), justify="left" if title in (heading, "") else "right")
    for name, figure in rows:
        table.add_row(*(Text(cell) for cell in (name, *_cells(figure))))
    return table


def _cells(figure: Paired) -> Iterator[str]:
    """Yield the cells of a figure."""
    is_share = figure.after.is_share if figure.after else True
    for side in (figure.before, figure.after):
        yield "" if side is None else f"{side.value:.1%}" if is_share else f"{side.value:.1f}"
    low, high = figure.after.interval if figure.after else (0.0, 0.0)
    form = "{:.1%} to {:.1%}" if is_share else "{:.1f} to {:.1f}"
    yield form.format(low, high) if figure.after else ""
    if figure.difference is None or figure.interval is None:
        yield from ("", "", "")
        return
    yield _signed(figure.difference, is_share)
    yield " to ".join(_signed(bound, is_share) for bound in figure.interval)
    yield figure.change


def _signed(number: float, is_share: bool = True) -> str:
    """Return a number with its sign, a share in points."""
    return with_minus(f"{100 * number if is_share else number:+.1f}")
