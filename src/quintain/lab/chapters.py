"""A report in words, tables and charts: what its figures mean to somebody who designs or studies the game."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from quintain.bots.playout import POLICY_BOT
from quintain.engine.rules.options import Option
from quintain.lab import charts
from quintain.lab.balance import field_shares
from quintain.lab.intervals import interval_words, wilson
from quintain.lab.pages import Chapter, ReportPage, TextTable
from quintain.lab.pairings import Pairing
from quintain.lab.report import LEVELS, Counted, Report
from quintain.lab.simulation import Summary
from quintain.lab.skill import strengths
from quintain.lab.tournament import Tournament
from quintain.lab.watched import AHEAD, PLAYOUTS, POINTS, SAFE, Usage, Watched

CHOICE, DOUBLING, FORCED = 5.0, 3.0, 1.0
"""Seconds that a person takes, about: for a choice, more for each doubling of the actions, and for a forced move."""
MOST_DRAWN = 15
"""The most rows of a chart of usage."""
LEAST_USERS = 10
"""How many seats of single games must have used something to be drawn in a chart."""
HALF = 0.5
BEGINS = "Where chance or a choice decides who begins, seat 0 is not always the one who does."


def page_of(found: Report, actions: int, held: Tournament | None = None) -> ReportPage:
    """Return a report as a page, with the `actions` that were most often available, and a tournament if given."""
    seats, by = len(found.bots), {*found.bots}
    title = f"{found.game.title} by {name_of(*by)}" if len(by) == 1 and by != {POLICY_BOT} else found.game.title
    bots = ", ".join(map(name_of, found.bots)) if len(by) > 1 else f"{name_of(*by)} at every seat"
    given = "".join(f", {name} {value}" for name, value in found.given.items() if len(str(value)) < 60)
    line = f"{found.summary.games:,} games with {seats} seats, {bots}; seed {found.seed}{given}"
    return ReportPage(f"{title}: a report", line, [*_chapters(found, actions), *([_tournament(held)] if held else [])])


def name_of(bot: str) -> str:
    """Return the name of a bot for people."""
    return "the playout policy" if bot == POLICY_BOT else bot


def _chapters(found: Report, actions: int) -> Iterator[Chapter]:
    """Yield the chapters that have something to say."""
    yield Chapter("At a glance", tables=[TextTable(("Figure", "Value"), [*glance(found)], frozenset({0, 1}))])
    yield _length(found)
    yield _seats(found)
    yield _choices(found.watched)
    yield _course(found.watched)
    expected = 1 / len(found.bots)
    if actions:
        yield _actions(found.watched, actions, expected)
    if found.watched.cards:
        yield _cards(found.watched, expected)
    if found.counts:
        yield _counts(found)
    if found.decks:
        yield _decks(found)
    if found.options:
        yield _options(found)
    if found.skill:
        yield _skill(found.skill)


def glance(found: Report) -> Iterator[tuple[str, str]]:
    """Yield the main figures: what each is, and the figure in words."""
    summary, watched = found.summary, found.watched
    yield "Decisions in a game", f"{summary.length:.1f} on average, {summary.shortest} to {summary.longest}"
    least, most = found.game.minutes
    yield "Minutes of thinking", f"{minutes(watched):.0f}, estimated; the game says {least} to {most} in all"
    yield "Forced decisions", f"{watched.forced / watched.decisions:.1%}"
    yield "Actions to choose from", f"{mean_menu(watched):.1f} on average, where there is a choice"
    yield "Share of wins of seat 0", share_words(summary.shares[0], summary.games)
    yield "Games without a single winner", share_words(summary.drawn / summary.games, summary.games)
    changes, decided = lead_changes(watched), decided_at(watched)
    yield "Changes of the lead", f"{changes:.1f} in a game"
    if decided is not None:
        yield "Decided", f"after {decided:.0%} of the game (median)"
    if found.skill:
        best, *_, worst = strengths(found.skill)
        yield "Skill", f"{best.bot} is {best.points:.0f} Elo points above {worst.bot}"


def minutes(watched: Watched) -> float:
    """Return about how many minutes people think in a game.

    A choice among n actions takes CHOICE + DOUBLING * log2(n) seconds (after Hick 1952), a forced move FORCED.
    """
    seconds = sum(
        times * (FORCED if number == 1 else CHOICE + DOUBLING * math.log2(number))
        for number, times in watched.menus.items()
    )
    return seconds / 60 / watched.games


def mean_menu(watched: Watched) -> float:
    """Return the mean number of legal actions where there is a choice."""
    choices = {number: times for number, times in watched.menus.items() if number > 1}
    return sum(number * times for number, times in choices.items()) / max(1, sum(choices.values()))


def lead_changes(watched: Watched) -> float:
    """Return the mean number of changes of the lead in a game."""
    return statistics.mean(trajectory.lead_changes for trajectory in watched.trajectories)


def decided_at(watched: Watched) -> float | None:
    """Return the part of the game after which half of the games are decided; None if no game has a single winner."""
    found = [trajectory.decided for trajectory in watched.trajectories if trajectory.decided is not None]
    return statistics.median(found) if found else None


def share_words(share: float, games: int) -> str:
    """Return a share of games with its 95 % interval, in words."""
    return f"{share:.1%} ({interval_words(wilson(share, games))})"


def _length(found: Report) -> Chapter:
    games = found.summary.games
    lengths = [(length, number / games) for length, number in sorted(found.lengths.items())]
    return Chapter(
        "Length",
        [
            "A decision is one choice of one player; chance does not count. The minutes are estimated: "
            f"{CHOICE:.0f} seconds for a choice, {DOUBLING:.0f} more for each doubling of the actions to choose from, "
            f"and {FORCED:.0f} for a forced move. Reading cards, shuffling and talk come on top."
        ],
        [("How many decisions a game has", partial(charts.bars, lengths, "decisions", "games"))],
    )


def _seats(found: Report) -> Chapter:
    summary, expected = found.summary, 1 / len(found.bots)
    rows, marks = [], []
    for seat, share in enumerate(summary.shares):
        interval = wilson(share, summary.games)
        marks.append(charts.Estimate(f"seat {seat}", share, *interval))
        rows.append((str(seat), f"{share:.1%}", interval_words(interval), f"{summary.scores[seat]:.2f}"))
    low, high = wilson(summary.shares[0], summary.games)
    verdict = "wins more than its share" if low > expected else "wins less than its share"
    if low <= expected <= high:
        verdict = "has no advantage that these games show"
    return Chapter(
        "Seats",
        [f"A tie is shared. Seat 0 {verdict}. {BEGINS}"],
        [("The share of games that each seat wins, with its 95 % interval", _marks(marks, "won", expected))],
        [TextTable(("Seat", "Won", "95 % interval", "Mean score"), rows)],
    )


def _choices(watched: Watched) -> Chapter:
    total = watched.decisions
    menus = [(number, times / total) for number, times in sorted(watched.menus.items())]
    words = (
        f"{watched.forced / total:.1%} of the decisions are forced: there is only one legal action. Elsewhere a player "
        f"chooses from {mean_menu(watched):.1f} actions on average. "
    )
    return Chapter(
        "Choices",
        [words + _watched_words(watched)],
        [("How many actions there are to choose from", partial(charts.bars, menus, "legal actions", "decisions"))],
    )


def _watched_words(watched: Watched) -> str:
    return f"This and the chapters on actions and cards come from {watched.games:,} games, watched move by move."


def _course(watched: Watched) -> Chapter:
    decided, curves = decided_at(watched), [trajectory.curve for trajectory in watched.trajectories if trajectory.curve]
    words = [
        f"{lead_changes(watched):.1f} times in a game, another seat takes the lead: the share of wins that it can "
        f"expect is larger by at least {AHEAD:.0%}. The shares come from {PLAYOUTS} playouts of each position, with "
        "the cards as they lie."
    ]
    if decided is None:
        return Chapter("Course of a game", words)
    words.append(
        f"Half of the games are decided after {decided:.0%}: from there on the winner is at {SAFE:.0%} or more."
    )
    points = []
    for place in range(POINTS):
        values = [curve[place] for curve in curves]
        lower, middle, upper = statistics.quantiles(values if len(values) > 1 else values * 2, n=4)
        points.append((place / (POINTS - 1), middle, lower, upper))
    caption = "The share of the wins that the later winner can expect: the median, and the middle half of the games"
    return Chapter("Course of a game", words, [(caption, partial(charts.curve, points, "part of the game", "share"))])


def _actions(watched: Watched, most: int, expected: float) -> Chapter:
    by_number = sorted(watched.actions.items(), key=lambda item: (-item[1].available, item[0]))
    chosen = dict(sorted(by_number[:most]))
    words = (
        "How often an action is available to a player who decides, and how often players then use it. Times even says "
        "how often they use it where they have a choice, in even shares: 1 is as often as if they chose evenly among "
        "all actions, 0.5 half as often. Then come the shares of the wins of those who used it at least once in a "
        "game, and of those who could have. Players who are ahead may have more to choose from, so a large share does "
        "not prove that an action is strong. In the names of actions, the mover is the player who acts."
    )
    return Chapter(
        "Actions",
        [words],
        _usage_chart(chosen, "The share of the wins of those who use an action", expected),
        [_usage_table("Action", chosen, watched.games, has_even=True)],
    )


def _cards(watched: Watched, expected: float) -> Chapter:
    words = (
        "Copies that a player has drawn by the end of the game are available, and those played are used. Then come the "
        "shares of the wins of those who played the card, and of those who had it."
    )
    cards = dict(sorted(watched.cards.items()))
    caption = "The share of the wins of those who play a card"
    return Chapter(
        "Cards", [words], _usage_chart(cards, caption, expected), [_usage_table("Card", cards, watched.games)]
    )


def _usage_table(what: str, usages: Mapping[str, Usage], games: int, has_even: bool = False) -> TextTable:
    rows = []
    for name, one in usages.items():
        won = ("", "")
        if one.users:
            share = one.used_won / one.users
            won = (f"{share:.1%}", interval_words(wilson(share, one.users)))
        rows.append(
            (
                name,
                f"{one.available / games:.2f}",
                f"{one.used / one.available:.1%}",
                *([_even_words(one)] if has_even else []),
                *won,
                f"{one.held_won / one.holders:.1%}",
            )
        )
    even = ("Times even",) if has_even else ()
    titles = (what, "Available a game", "Used", *even, "Won if used", "95 % interval", "Won if available")
    return TextTable(titles, rows)


def _even_words(one: Usage) -> str:
    return "" if one.times_even is None else f"{one.times_even:.2f}"


def _usage_chart(usages: Mapping[str, Usage], caption: str, expected: float) -> list[tuple[str, Any]]:
    """Return a chart of those things whose users win most clearly more or less than their share."""
    marks = []
    for name, one in usages.items():
        if one.users >= LEAST_USERS:
            share = one.used_won / one.users
            marks.append(charts.Estimate(name, share, *wilson(share, one.users)))
    clear = sorted(marks, key=lambda row: -max(row.low - expected, expected - row.high))[:MOST_DRAWN]
    which = f", for the {len(clear)} that stand out most of {len(marks)}" if len(marks) > len(clear) else ""
    clear.sort(key=lambda row: -row.value)
    return [(f"{caption}, with its 95 % interval{which}", _marks(clear, "won", expected))] if clear else []


def _counts(found: Report) -> Chapter:
    """Return the game's own counts; among counts of one kind, the greatest share comes first."""

    def place(item: tuple[tuple[str, int | None], Counted]) -> tuple[str, float]:
        (key, _), total = item
        return key.partition(".")[0], -total.number / max(1, total.of or total.games)

    rows = []
    for _, total in sorted(found.counts.items(), key=place):
        words = total.words if total.seat is None else f"{total.words}, seat {total.seat}"
        if total.of is None:
            rows.append((words, f"{total.number:,}", "", f"{total.share:.2f} a game", ""))
        else:
            interval = interval_words(total.interval) if total.is_share else ""
            rows.append((words, f"{total.number:,}", f"{total.of:,}", f"{total.share:.1%}", interval))
    return Chapter(
        "What the game counts",
        ["What the game itself reports at the end, added up over all games."],
        tables=[TextTable(("Counted", "Number", "Of", "Share", "95 % interval"), rows)],
    )


def _decks(found: Report) -> Chapter:
    decks = list(dict.fromkeys(name for each in found.decks for name in (each.name, each.other)))
    field = [(deck, f"{share:.1%}") for deck, share in field_shares(decks, found.decks).items()]
    marks = [charts.Estimate(f"{each.name} / {each.other}", each.share, *each.interval) for each in found.decks]
    return Chapter(
        "Decks",
        ["Every two of the ready-made decks play each deal twice, with the seats swapped."],
        [("The share of games that the first deck of a pair wins, with its 95 % interval", _marks(marks, "won", HALF))],
        [
            _pairings_table("Deck", found.decks),
            TextTable(("Deck", f"Won against the field of {len(decks)}"), field),
        ],
    )


def _options(found: Report) -> Chapter:
    rows = [_option_row(option, value, summary) for option, value, summary in found.options]
    return Chapter(
        "Options",
        ["Each value of an option in games of its own, with all other options as they were."],
        tables=[
            TextTable(
                ("Option", "Value", "Games", "Decisions", "Seat 0", "95 % interval", "No single winner"),
                rows,
                frozenset({0, 1}),
            )
        ],
    )


def _option_row(option: Option, value: Any, summary: Summary) -> tuple[str, ...]:
    words = {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    share = summary.shares[0]
    return (
        option.name,
        words,
        f"{summary.games:,}",
        f"{summary.length:.1f}",
        f"{share:.1%}",
        interval_words(wilson(share, summary.games)),
        f"{summary.drawn / summary.games:.1%}",
    )


def _skill(pairings: Sequence[Pairing]) -> Chapter:
    found = strengths(pairings)
    marks = [charts.Estimate(one.bot, one.points, *one.interval) for one in found]
    draw = partial(charts.intervals, marks, "Elo points", percent=False)
    rows = [(one.bot, f"{one.points:.0f}", f"{one.interval[0]:.0f} to {one.interval[1]:.0f}") for one in found[:-1]]
    rows.append((found[-1].bot, "0", ""))
    words = (
        f"The bots {', '.join(LEVELS)} play each other. The wider the scale, the more skill counts, and the less luck: "
        "a bot that is 400 points ahead wins ten games of eleven."
    )
    return Chapter(
        "Skill",
        [words],
        [("Elo points above the weakest, with their 95 % intervals", draw)],
        [
            TextTable(("Bot", "Elo points", "95 % interval"), rows),
            _pairings_table("Bot", pairings),
        ],
    )


def _tournament(found: Tournament) -> Chapter:
    rows, marks = [], []
    for one in found.standings:
        rating = f"{one.rating:.1f} ± {2 * one.uncertainty:.1f}"
        share, interval = f"{one.share:.1%}", interval_words(one.interval)
        rows.append((one.bot, f"{one.games:,}", share, interval, f"{one.score:.2f}", rating))
        marks.append(charts.Estimate(one.bot, one.share, *one.interval))
    words = (
        f"{found.games:,} games, each deal with the bots at all seats. The order is "
        f"{'' if found.is_sure else 'not yet '}certain at 95 %."
    )
    caption = "The share of games that each bot wins, with its 95 % interval"
    return Chapter(
        "Tournament",
        [words],
        [(caption, partial(charts.intervals, marks, "won"))],
        [
            TextTable(("Bot", "Games", "Won", "95 % interval", "Mean score", "Rating"), rows),
            _pairings_table("Bot", found.pairings, "Ahead"),
        ],
    )


def _pairings_table(who: str, pairings: Sequence[Pairing], what: str = "Won") -> TextTable:
    rows = [
        (each.name, each.other, f"{each.games:,}", f"{each.share:.1%}", interval_words(each.interval))
        for each in pairings
    ]
    return TextTable((who, "Against", "Games", what, "95 % interval"), rows, frozenset({0, 1}))


def _marks(rows: Sequence[charts.Estimate], across: str, expected: float) -> Any:
    return partial(charts.intervals, list(rows), across, expected)
