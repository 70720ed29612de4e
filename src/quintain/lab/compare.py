"""Compares two ways to play a game, side by side: sets of cards, options, bots, or versions of the rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from quintain.bots import level
from quintain.bots.playout import POLICY_BOT
from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab import charts
from quintain.lab.chapters import LEAST_USERS, MOST_DRAWN, decided_at, lead_changes, mean_menu, minutes
from quintain.lab.extras import need
from quintain.lab.intervals import SURE, wilson
from quintain.lab.pages import Chapter, ReportPage, TextTable
from quintain.lab.pools import WorkerPool
from quintain.lab.report import Report, report
from quintain.lab.watched import Usage

__all__ = ["Setting", "compare", "comparison"]

MARK = " *"
"""Follows a difference whose 95 % interval does not contain 0."""


@dataclass(frozen=True)
class Setting:
    """One way to play a game: its name, the game (perhaps a version of one's own), the bots and the options."""

    name: str
    game: Game
    bots: tuple[str, ...]
    options: Mapping[str, Any]

    @staticmethod
    def new(
        name: str, game: Game, options: Mapping[str, Any], bots: Sequence[str] = (), seats: int | None = None
    ) -> Setting:
        """Return a setting; the last bot fills the rest of the seats, and without bots the playout policy plays all.

        Raises BadOption.
        """
        for bot in bots:
            level(bot)
        number = game.check_seats(len(bots) if seats is None and len(bots) >= game.seats[0] else seats)
        if len(bots) > number:
            raise BadOption(f"{len(bots)} bots do not fit at {number} seats")
        filled = (*bots, *[bots[-1] if bots else POLICY_BOT] * (number - len(bots)))
        return Setting(name, game, filled, game.read_options(number, options))


def compare(
    settings: Sequence[Setting],
    n: int,
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
) -> list[Report]:
    """Play n games in each setting, all with the same seeds, and return a report on each; raises BadOption."""
    need("numpy", "polars")
    return [report(each.game, n, each.bots, each.options, seed, progress, pool) for each in settings]


def comparison(settings: Sequence[Setting], found: Sequence[Report], actions: int) -> ReportPage:
    """Return two reports side by side as a page, with the `actions` that differ most clearly."""
    one, other = found
    names = [each.name for each in settings]
    line = f"{one.summary.games:,} games each, {one.game.title}; seed {one.seed}"
    note = (
        f"The last column is {names[1]} less {names[0]}; two numbers are the bounds of the 95 % interval. A star marks "
        "a difference that is certain at 95 %, seen alone: of twenty things that do not differ, one gets a star by "
        "chance."
    )
    chapters = [
        Chapter(
            "At a glance",
            [note],
            tables=[TextTable(("Figure", *names, "Difference"), [*_glance(one, other)], frozenset({0}))],
        ),
        _seats(names, one, other),
    ]
    for title, usages in (
        ("Actions", (one.watched.actions, other.watched.actions)),
        ("Cards", (one.watched.cards, other.watched.cards)),
    ):
        if any(usages) and actions:
            chapters.append(_usages(title, names, *usages, actions))
    return ReportPage(f"{names[0]} and {names[1]} compared", line, chapters)


def _glance(one: Report, other: Report) -> Iterator[Sequence[str]]:
    """Yield the main figures of both, and their differences."""
    lengths = [(each.summary.length, _error(each.lengths)) for each in (one, other)]
    low, high = _difference_of_means(*lengths)
    yield "Decisions in a game", *(f"{mean:.1f}" for mean, _ in lengths), _words(low, high, "{:+.1f}")
    for title, figure, form in (
        ("Minutes of thinking", minutes, "{:.2f}"),
        ("Actions to choose from", mean_menu, "{:.2f}"),
        ("Changes of the lead", lead_changes, "{:.2f}"),
    ):
        values = [figure(each.watched) for each in (one, other)]
        yield title, *map(form.format, values), _signed(values[1] - values[0], "{:+.2f}")
    forced = [each.watched.forced / each.watched.decisions for each in (one, other)]
    yield "Forced decisions", *(f"{share:.1%}" for share in forced), _signed(forced[1] - forced[0], "{:+.1%}")
    decided = [decided_at(each.watched) for each in (one, other)]
    known = [share for share in decided if share is not None]
    yield (
        "Decided after",
        *("" if share is None else f"{share:.0%}" for share in decided),
        _signed(known[1] - known[0], "{:+.0%}") if len(known) == 2 else "",
    )
    for title, shares in (
        ("Share of wins of seat 0", [each.summary.shares[0] for each in (one, other)]),
        ("Games without a single winner", [each.summary.drawn / each.summary.games for each in (one, other)]),
    ):
        parts = [(share, each.summary.games) for share, each in zip(shares, (one, other), strict=True)]
        yield title, *(f"{share:.1%}" for share in shares), _words(*difference(*parts), "{:+.1%}")


def difference(one: tuple[float, int], other: tuple[float, int]) -> tuple[float, float]:
    """Return the bounds of the 95 % interval for the second share minus the first; each comes with its number of games.

    From the Wilson intervals of both (Newcombe 1998, method 10).

    >>> [round(bound, 4) for bound in difference((48 / 80, 80), (56 / 70, 70))]
    [0.0524, 0.3339]
    """
    (first, games), (second, others) = one, other
    (low, high), (lower, higher) = wilson(first, games), wilson(second, others)
    middle = second - first
    return (
        middle - math.hypot(second - lower, high - first),
        middle + math.hypot(higher - second, first - low),
    )


def _error(lengths: Mapping[int, int]) -> float:
    """Return the standard error of the mean of lengths that are counted."""
    games = sum(lengths.values())
    mean = sum(length * times for length, times in lengths.items()) / games
    squares = sum((length - mean) ** 2 * times for length, times in lengths.items())
    return math.sqrt(squares / max(1, games - 1) / games)


def _difference_of_means(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Return the 95 % interval for the second mean minus the first; each comes with its standard error."""
    margin = SURE * math.hypot(one[1], other[1])
    return other[0] - one[0] - margin, other[0] - one[0] + margin


def _words(low: float, high: float, form: str) -> str:
    """Return an interval in words, with a mark if it does not contain 0."""
    return f"{_signed(low, form)} to {_signed(high, form)}{MARK if low > 0 or high < 0 else ''}"


def _signed(number: float, form: str) -> str:
    """Return a number with its sign; without one if it is rounded to 0."""
    text = form.format(number)
    return text if any(digit in text for digit in "123456789") else text[1:]


def _seats(names: Sequence[str], one: Report, other: Report) -> Chapter:
    marks, rows = [], []
    for seat in range(min(len(one.bots), len(other.bots))):
        parts = [(each.summary.shares[seat], each.summary.games) for each in (one, other)]
        marks += [
            charts.Estimate(f"seat {seat}, {name}", share, *wilson(share, games))
            for name, (share, games) in zip(names, parts, strict=True)
        ]
        rows.append((str(seat), *(f"{share:.1%}" for share, _ in parts), _words(*difference(*parts), "{:+.1%}")))
    draw = partial(charts.intervals, marks, "won", 1 / len(one.bots))
    return Chapter(
        "Seats",
        charts=[("The share of games that each seat wins, with its 95 % interval", draw)],
        tables=[TextTable(("Seat", *names, "Difference"), rows)],
    )


def _usages(
    title: str, names: Sequence[str], one: Mapping[str, Usage], other: Mapping[str, Usage], most: int
) -> Chapter:
    """Return what both games have, with the shares of wins of its users, the clearest differences first."""
    found = []
    for name in one.keys() & other.keys():
        both = one[name], other[name]
        if all(each.users >= LEAST_USERS for each in both):
            low, high = difference(*((each.used_won / each.users, each.users) for each in both))
            used = [f"{each.used / each.available:.1%}" for each in both]
            won = [f"{each.used_won / each.users:.1%}" for each in both]
            row = (name, *used, *won, _words(low, high, "{:+.1%}"))
            found.append((-max(low, -high), row, charts.Estimate(name, (low + high) / 2, low, high)))
    found.sort(key=lambda each: (each[0], each[1]))
    only = [sorted(mine.keys() - yours.keys()) for mine, yours in ((one, other), (other, one))]
    words = [f"Only with {name}: {', '.join(each)}." for name, each in zip(names, only, strict=True) if each]
    titles = (
        title[:-1],
        *(f"Used, {name}" for name in names),
        *(f"Won if used, {name}" for name in names),
        "Difference",
    )
    draw = partial(charts.intervals, [row for *_, row in found[:MOST_DRAWN]], "difference in wins", 0.0)
    caption = f"{names[1]} less {names[0]}: the share of the wins of those who use it, with its 95 % interval"
    return Chapter(
        title,
        words,
        [(caption, draw)] if found else [],
        [TextTable(titles, [row for _, row, _ in found[:most]])] if found else [],
    )
