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
from quintain.lab.report import Counted, Report, report
from quintain.lab.simulation import Summary
from quintain.lab.trials import POLICY
from quintain.lab.watched import Usage, Watched

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

        ``policy`` names that policy. Raises BadOption.
        """
        bots = [POLICY_BOT if bot == POLICY else bot for bot in bots]
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


@dataclass(frozen=True)
class Figure:
    """One figure of both settings, None where a setting has none.

    `interval` has the bounds of the 95 % interval of the second less the first; None if nobody knows it.
    """

    name: str
    values: tuple[float | None, float | None]
    interval: tuple[float, float] | None
    form: str

    @property
    def words(self) -> tuple[str, ...]:
        """The row of this figure in a table."""
        one, other = self.values
        change = "" if one is None or other is None else _signed(other - one, _with_sign(self.form))
        if self.interval:
            change = _words(*self.interval, _with_sign(self.form))
        return self.name, *("" if value is None else self.form.format(value) for value in self.values), change


@dataclass(frozen=True)
class Used:
    """How often an action or a card is used in both settings, and how often its users won.

    `interval` is that of `won`: the bounds of the 95 % interval of the second less the first.
    """

    name: str
    used: tuple[float, float]
    won: tuple[float, float]
    interval: tuple[float, float]

    @property
    def words(self) -> tuple[str, ...]:
        """The row of this thing in a table."""
        shares = (f"{share:.1%}" for share in (*self.used, *self.won))
        return self.name, *shares, _words(*self.interval, "{:+.1%}")


@dataclass(frozen=True)
class CountedTwice:
    """One of the game's own counts in all games of both settings: its shares, or its means in a game if `of` is None.

    `intervals` are the 95 % intervals of both, and `interval` is that of the second less the first. `of` is how far
    they are counted, together.
    """

    name: str
    seat: int | None
    of: tuple[int, int] | None
    values: tuple[float, float]
    intervals: tuple[tuple[float, float], tuple[float, float]]
    interval: tuple[float, float]

    @property
    def words(self) -> tuple[str, ...]:
        """The row of this count in a table."""
        form = "{:.2f}" if self.of is None else "{:.1%}"
        name = self.name if self.seat is None else f"{self.name}, seat {self.seat}"
        cells = [
            (form.format(value), f"{form.format(low)} to {form.format(high)}" if math.isfinite(high - low) else "")
            for value, (low, high) in zip(self.values, self.intervals, strict=True)
        ]
        return name, *cells[0], *cells[1], _words(*self.interval, _with_sign(form))


@dataclass(frozen=True)
class Differences:
    """What is different between two settings; of actions, cards and counts, the clearest differences come first.

    `only` has, for each setting, the actions and the cards that the other one does not have, and its own counts.
    """

    glance: list[Figure]
    seats: list[Figure]
    actions: list[Used]
    cards: list[Used]
    counts: list[CountedTwice]
    only: tuple[dict[str, list[str]], dict[str, list[str]]]


def differences(found: Sequence[Report]) -> Differences:
    """Return what is different between two reports."""
    one, other = found
    kinds = {"actions": [each.watched.actions for each in found], "cards": [each.watched.cards for each in found]}
    counts = [_by_words(each) for each in found]
    names = {kind: [{*each} for each in both] for kind, both in kinds.items()}
    names["counts"] = [{count.words for count in each.values()} for each in counts]
    only = [{kind: sorted(both[mine] - both[1 - mine]) for kind, both in names.items()} for mine in range(2)]
    return Differences(
        [*_glance(one, other)],
        [*_seat_figures(one, other)],
        _used(*kinds["actions"]),
        _used(*kinds["cards"]),
        _counted(*counts),
        (only[0], only[1]),
    )


def comparison(settings: Sequence[Setting], found: Sequence[Report], actions: int) -> ReportPage:
    """Return two reports side by side as a page, with the `actions` that differ most clearly."""
    one, _ = found
    names, made = [each.name for each in settings], differences(found)
    line = f"{one.summary.games:,} games each, {one.game.title}; seed {one.seed}"
    note = (
        f"The last column is {names[1]} less {names[0]}; two numbers are the bounds of the 95 % interval. A star marks "
        "a difference that is certain at 95 %, seen alone: of twenty things that do not differ, one gets a star by "
        "chance."
    )
    rows = [figure.words for figure in made.glance]
    chapters = [
        Chapter("At a glance", [note], tables=[TextTable(("Figure", *names, "Difference"), rows, frozenset({0}))]),
        _seats(names, found, made.seats),
    ]
    for title, used in (("Actions", made.actions), ("Cards", made.cards)):
        only = [each[title.lower()] for each in made.only]
        if actions and (used or any(only)):
            chapters.append(_usages(title, names, used, only, actions))
    if made.counts or any(each["counts"] for each in made.only):
        chapters.append(_counts(names, made))
    return ReportPage(f"{names[0]} and {names[1]} compared", line, chapters)


def _glance(one: Report, other: Report) -> Iterator[Figure]:
    """Yield the main figures of both."""
    lengths = [(each.summary.length, _error(each.lengths)) for each in (one, other)]
    yield Figure("Decisions in a game", (lengths[0][0], lengths[1][0]), _difference_of_means(*lengths), "{:.1f}")
    figures: tuple[tuple[str, Callable[[Watched], float | None], str], ...] = (
        ("Minutes of thinking", minutes, "{:.2f}"),
        ("Actions to choose from", mean_menu, "{:.2f}"),
        ("Changes of the lead", lead_changes, "{:.2f}"),
        ("Forced decisions", lambda watched: watched.forced / watched.decisions, "{:.1%}"),
        ("Decided after", decided_at, "{:.0%}"),
    )
    for title, figure, form in figures:
        yield Figure(title, (figure(one.watched), figure(other.watched)), None, form)
    yield _share("Share of wins of seat 0", one, other, lambda summary: summary.shares[0])
    yield _share("Games without a single winner", one, other, lambda summary: summary.drawn / summary.games)


def _seat_figures(one: Report, other: Report) -> Iterator[Figure]:
    """Yield the share of wins of each seat that both have."""
    for seat in range(min(len(one.bots), len(other.bots))):
        yield _share(str(seat), one, other, partial(_share_of_seat, seat))


def _share_of_seat(seat: int, summary: Summary) -> float:
    return summary.shares[seat]


def _share(name: str, one: Report, other: Report, share: Callable[[Summary], float]) -> Figure:
    """Return a figure that is a share of all games."""
    parts = [(share(each.summary), each.summary.games) for each in (one, other)]
    return Figure(name, (parts[0][0], parts[1][0]), difference(*parts), "{:.1%}")


def difference(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
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
    """Return an interval in words, with a mark if it does not contain 0; empty if nobody knows its bounds."""
    if not math.isfinite(high - low):
        return ""
    return f"{_signed(low, form)} to {_signed(high, form)}{MARK if low > 0 or high < 0 else ''}"


def _signed(number: float, form: str) -> str:
    """Return a number with its sign; without one if it is rounded to 0."""
    text = form.format(number)
    return text if any(digit in text for digit in "123456789") else text[1:]


def _with_sign(form: str) -> str:
    """Return a form of numbers that writes a plus sign, too."""
    return form.replace(":", ":+")


def _used(one: Mapping[str, Usage], other: Mapping[str, Usage]) -> list[Used]:
    """Return the things whose users won often enough to compare, the clearest differences first."""
    found = []
    for name in one.keys() & other.keys():
        both = one[name], other[name]
        if all(each.users >= LEAST_USERS for each in both):
            interval = difference(*((each.used_won / each.users, each.users) for each in both))
            shares = [(each.used / each.available, each.used_won / each.users) for each in both]
            found.append(Used(name, (shares[0][0], shares[1][0]), (shares[0][1], shares[1][1]), interval))
    return sorted(found, key=lambda each: (*_clearness(each.interval, 1.0), each.name))


def _by_words(found: Report) -> dict[tuple[str, str, int | None], Counted]:
    """Return the game's own counts by kind, words and seat: a card may have another number in another set."""
    return {(key.partition(".")[0], one.words, seat): one for (key, seat), one in found.counts.items()}


Counts = Mapping[tuple[str, str, int | None], Counted]


def _counted(one: Counts, other: Counts) -> list[CountedTwice]:
    """Return the counts that both have, the clearest differences first."""
    found = []
    for key in one.keys() & other.keys():
        both = one[key], other[key]
        of = None if both[0].of is None or both[1].of is None else (both[0].of, both[1].of)
        if all(each.is_share for each in both):
            interval = difference(*((each.share, each.weight) for each in both))
        else:
            interval = _difference_of_means(*((each.share, each.error) for each in both))
        values, intervals = (both[0].share, both[1].share), (both[0].interval, both[1].interval)
        found.append(CountedTwice(key[1], key[2], of, values, intervals, interval))
    return sorted(found, key=lambda each: (*_clearness(each.interval, max(map(abs, each.values))), each.words))


def _clearness(interval: tuple[float, float], scale: float) -> tuple[float]:
    """Return a key that sorts differences by how far 0 is from their interval, the farthest first, on a scale."""
    low, high = interval
    return (-max(low, -high) / (scale or 1.0),)


def _seats(names: Sequence[str], found: Sequence[Report], figures: Sequence[Figure]) -> Chapter:
    marks = []
    for seat, figure in enumerate(figures):
        for name, share, each in zip(names, figure.values, found, strict=True):
            assert share is not None
            marks.append(charts.Estimate(f"seat {seat}, {name}", share, *wilson(share, each.summary.games)))
    draw = partial(charts.intervals, marks, "won", 1 / len(found[0].bots))
    return Chapter(
        "Seats",
        charts=[("The share of games that each seat wins, with its 95 % interval", draw)],
        tables=[TextTable(("Seat", *names, "Difference"), [figure.words for figure in figures])],
    )


def _only(names: Sequence[str], only: Sequence[Sequence[str]]) -> list[str]:
    """Return in words what one setting alone has."""
    return [f"Only with {name}: {', '.join(each)}." for name, each in zip(names, only, strict=True) if each]


def _usages(
    title: str, names: Sequence[str], used: Sequence[Used], only: Sequence[Sequence[str]], most: int
) -> Chapter:
    """Return what both games have, with the shares of wins of its users."""
    titles = (
        title[:-1],
        *(f"Used, {name}" for name in names),
        *(f"Won if used, {name}" for name in names),
        "Difference",
    )
    marks = [charts.Estimate(each.name, sum(each.interval) / 2, *each.interval) for each in used[:MOST_DRAWN]]
    draw = partial(charts.intervals, marks, "difference in wins", 0.0)
    caption = f"{names[1]} less {names[0]}: the share of the wins of those who use it, with its 95 % interval"
    return Chapter(
        title,
        _only(names, only),
        [(caption, draw)] if used else [],
        [TextTable(titles, [each.words for each in used[:most]])] if used else [],
    )


def _counts(names: Sequence[str], made: Differences) -> Chapter:
    """Return the game's own counts of all games, side by side."""
    titles = ("Counted", *(title for name in names for title in (name, "95 % interval")), "Difference")
    words = "What the game itself reports at the end of all games: shares, or else numbers in a game."
    return Chapter(
        "What the game counts",
        [words, *_only(names, [each["counts"] for each in made.only])],
        tables=[TextTable(titles, [each.words for each in made.counts])] if made.counts else [],
    )
