"""The values for the end of a game: the result, the grid of scores, the curve, what turned it, and playing again.

`contexts.py` puts them into the page and the JSON of a table. The story is missing as long as `stories.py` makes it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec

from quintain.engine.names import capital, with_minus
from quintain.engine.play.match import Match
from quintain.engine.play.story import Curve, GridRow, Story, Turned
from quintain.engine.play.verdict import ordinal, verdict
from quintain.engine.rules.seat_options import gains_of
from quintain.engine.seen.result import result as result_words
from quintain.server.model.entries import RETURNED, STAND_IN
from quintain.server.pages.cards.listed import shown_cards
from quintain.server.pages.rendering import Context
from quintain.server.tables.live_table import Viewing
from quintain.server.tables.table import Table

YOURS = {"gains": "gain", "keeps": "keep", "had": "had"}
"""The verbs of prizes, as they follow a name and as they follow "you"."""
MOST_WITH_WORDS = 4
"""With more seats than this the grid leaves out the words in its cells."""
MOST_ROWS = 11
"""A grid of more rows than this is set close."""
PICTURES = {"won": "laurel-crown", "lost": "broken-shield", "drawn": "linked-rings", "watched": "trophy-cup"}


def result_json(viewing: Viewing) -> Context | None:
    """Return the result of a finished game as data, with its story; None during play."""
    table, match = viewing.table, viewing.table.match
    if match is None or match.outcome is None:
        return None
    outcome = match.outcome
    return {
        "words": result_words(match.names, outcome),
        "scores": outcome.scores,
        "ranks": list(outcome.ranks),
        "prizes": list(outcome.prizes),
        "seed": match.seed,
        "commitment": match.commitment,
        "from_position": match.is_from_position,
        "record_url": f"/tables/{table.id}/record.json",
        "replay_url": f"/tables/{table.id}/replay",
        "rematch": f"/tables/{table.row.rematch}" if table.row.rematch else viewing.you is not None,
        "agreed": sorted(table.agreed),
        "stand_ins": _stand_ins(table, match),
        "story": None if viewing.live.story is None else msgspec.to_builtins(viewing.live.story),
    }


def result_page(viewing: Viewing) -> Context | None:
    """Return the values with which the page of the end is drawn; None during play."""
    table, you, data = viewing.table, viewing.you, result_json(viewing)
    if data is None or table.match is None:
        return None
    people = [seat for seat in table.seats if seat.player]
    again = {
        "is_asked": len(people) > 1,
        "you_agree": you in table.agreed,
        "agreed": [seat.name for seat in people if seat.seat in table.agreed and seat.seat != you],
        "missing": [seat.name for seat in people if seat.seat not in table.agreed and seat.seat != you],
    }
    parts = ending(table.match, viewing.live.story, you, f"/tables/{table.id}")
    return {**data, "again": again, **parts, "keeps_cards": table.row.owned and you is not None}


def ending(match: Match, story: Story | None, you: int | None, href: str) -> Context:
    """Return the parts of the end: the verdict, the prizes, the grid, the curve, and what turned it."""
    assert match.outcome
    said, curve = verdict(match.names, replace(match.outcome, prizes=()), story, you), story and story.curve
    return {
        "prizes_here": [_prize(prize, match.names, you) for prize in match.outcome.prizes],
        "gained": _gained(match),
        "verdict": {"tone": said.tone, "head": said.head, "why": said.why, "picture": PICTURES[said.tone]},
        "places": _places(match, story),
        "unit": capital(story.unit) if story else "",
        "grid": story and {"rows": list(story.rows), "best": [_best(row) for row in story.rows], **_looks(story)},
        "curve": curve and drawn(curve, match.names),
        "turned": story and [_moment(each, href, match.names) for each in story.turned],
    }


def _prize(prize: str, names: Sequence[str], you: int | None) -> str:
    """Return a prize as a seat reads it.

    >>> _prize("Bo gains Potter, which Ann staked.", ("Ann", "Bo"), 1)
    'You gain Potter, which Ann staked.'
    >>> _prize("Bo gains Potter, which Ann staked.", ("Ann", "Bo"), 0)
    'Bo gains Potter, which you staked.'
    """
    if you is None:
        return prize
    for verb, own in YOURS.items():
        if prize.startswith(f"{names[you]} {verb} "):
            return f"You {own} {prize.removeprefix(f'{names[you]} {verb} ')}"
    staked = f", which {names[you]} staked."
    return f"{prize.removesuffix(staked)}, which you staked." if prize.endswith(staked) else prize


def _gained(match: Match) -> list[Context]:
    """Return the cards that change hands, as pages draw them."""
    drawn = {each.name: each for each in shown_cards(match.game).values()} if match.game.collection else {}
    return [{"name": gain.card, "card": drawn.get(gain.card)} for gain in gains_of(match)]


def _stand_ins(table: Table, match: Match) -> list[Context]:
    """Return for whom bots played, from when to when; `until` is None for one that played to the end.

    `step` is the first entry of the match that follows, and `since` and `until` are rounds, empty before the first one.
    """
    spells: list[Context] = []
    for step, entry in enumerate(match.moves_made, 1):
        if entry.kind in (STAND_IN, RETURNED):
            rounds = bisect_right(table.heading_steps, step)
            there = table.headings[rounds - 1][0].lower() if rounds else ""
            if entry.kind == STAND_IN:
                spell = {"seat": entry.seat, "bot": entry.text, "step": step, "since": there, "until": None}
                spells.append(spell | {"name": match.names[entry.seat]})
            else:
                last = next(spell for spell in reversed(spells) if spell["seat"] == entry.seat)
                last["until"] = there
    return spells


def _looks(story: Story) -> Context:
    """Return how close a grid must be set."""
    seats = len(story.rows[0].cells) if story.rows else 0
    tie_break = next((number for number, row in enumerate(story.rows) if row.is_tie_break), None)
    looks = {"is_close": len(story.rows) > MOST_ROWS, "has_words": seats <= MOST_WITH_WORDS, "seats": seats}
    return {**looks, "first_tie_break": tie_break}


def _best(row: GridRow) -> int | None:
    """Return the highest number of a row, if not all seats have it; none for a tie-break, which may not be asked."""
    if row.is_tie_break:
        return None
    numbers = [cell.number for cell in row.cells if cell.number is not None]
    return max(numbers) if numbers and (len(numbers) < len(row.cells) or min(numbers) < max(numbers)) else None


def _places(match: Match, story: Story | None) -> list[Context]:
    """Return the seats from first to last, with their scores if there are any."""
    assert match.outcome
    ranks, scores = match.outcome.ranks, match.outcome.scores or (story.total if story else ())
    order = sorted(range(match.seats), key=lambda seat: (ranks[seat], seat))
    return [
        {
            "seat": seat,
            "name": match.names[seat],
            "rank": ordinal(ranks[seat]),
            "score": scores[seat] if scores else None,
        }
        for seat in order
    ]


def _moment(turned: Turned, href: str, names: Sequence[str]) -> Context:
    """Return a moment that turned the game, whom it helped, and the address that shows it on the table."""
    return {
        "seat": turned.seat,
        "name": "" if turned.seat is None else names[turned.seat],
        "words": turned.words,
        "worth": turned.worth,
        "href": f"{href}/replay?step={turned.step}",
    }


SQUARE = 1000

LEFT, RIGHT, TOP, BOTTOM = 8.0, 73.0, 6.0, 86.0
"""The edges of the square, in percent."""

MOST_LABELS, MOST_TICKS = 8, 4

APART = 12.0
"""The least distance between two words at the ends of lines, in percent of the height."""

STEPS = (1, 2, 5)
"""The first digits of round numbers."""

LONGEST_NAME = 10
"""The most letters of a name at the end of a line; the plates above the picture have all of it."""


def drawn(curve: Curve, names: Sequence[str]) -> Context | None:
    """Return what the template needs to draw a curve; None if it has no two points."""
    if len(curve.labels) < 2:
        return None
    numbers = [number for line in (*curve.by_seat, *curve.thin) for number in line]
    scale = _Scale(min(0, *numbers), max(1, *numbers), len(curve.labels))
    return {
        "title": f"{capital(curve.unit)}, {curve.over} by {curve.over}",
        "thin_title": curve.thin_unit,
        "square": {"x": f"{LEFT}%", "y": f"{TOP}%", "width": f"{RIGHT - LEFT}%", "height": f"{BOTTOM - TOP}%"},
        "lines": [{"seat": seat, "points": scale.points(line)} for seat, line in enumerate(curve.by_seat)],
        "thin": [{"seat": seat, "points": scale.points(line)} for seat, line in enumerate(curve.thin)],
        "right": f"{RIGHT}%",
        "ticks": [{"y": f"{scale.height(number):.1f}%", "words": with_minus(str(number))} for number in scale.ticks()],
        "labels": list(_labels(curve, scale)),
        "ends": list(_ends(curve, scale, names)),
        "words": _words(curve, names),
    }


class _Scale:
    """Turns numbers into places."""

    def __init__(self, low: int, high: int, points: int) -> None:
        self.low, self.high, self.gaps = low, high, points - 1

    def height(self, number: int) -> float:
        """Return the height of a number, in percent from the top of the picture."""
        return BOTTOM - (BOTTOM - TOP) * (number - self.low) / (self.high - self.low)

    def across(self, point: int) -> float:
        """Return the place of a point, in percent from the left."""
        return LEFT + (RIGHT - LEFT) * point / self.gaps

    def points(self, line: Sequence[int]) -> str:
        """Return the points of a line in the square."""
        span = self.high - self.low
        return " ".join(
            f"{SQUARE * place / self.gaps:.0f},{SQUARE - SQUARE * (number - self.low) / span:.0f}"
            for place, number in enumerate(line)
        )

    def ticks(self) -> Iterable[int]:
        """Return round numbers, a few of them."""
        span, ten = self.high - self.low, 1
        while True:
            for step in STEPS:
                if span <= step * ten * MOST_TICKS:
                    first = -(-self.low // (step * ten)) * step * ten
                    return range(first, self.high + 1, step * ten)
            ten *= 10


def _labels(curve: Curve, scale: _Scale) -> Iterator[Context]:
    """Yield the labels of some points, the last one among them."""
    last = len(curve.labels) - 1
    every = -(-last // MOST_LABELS)
    for point in range(last % every, last + 1, every):
        yield {"x": f"{scale.across(point):.1f}%", "words": curve.labels[point]}


def _ends(curve: Curve, scale: _Scale, names: Sequence[str]) -> Iterator[Context]:
    """Yield the names and last numbers at the ends of the lines, moved apart."""
    last = [line[-1] for line in curve.by_seat]
    order = sorted(range(len(last)), key=lambda seat: -last[seat])
    lowest, places = BOTTOM + APART / 2, dict[int, float]()
    for above, seat in enumerate(order):
        before = places[order[above - 1]] + APART if above else TOP
        places[seat] = max(scale.height(last[seat]), before)
    for below, seat in enumerate(reversed(order)):
        places[seat] = min(places[seat], lowest - below * APART)
    for seat in order:
        yield {
            "seat": seat,
            "y": f"{places[seat]:.1f}%",
            "words": f"{with_minus(str(last[seat]))} {_short(names[seat])}",
        }


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def _words(curve: Curve, names: Sequence[str]) -> str:
    """Return the numbers of all lines in words, for people who cannot see the picture."""
    said = [f"{name} {with_minus(', '.join(map(str, line)))}" for name, line in zip(names, curve.by_seat, strict=True)]
    return f"After {curve.over} {', '.join(curve.labels)}: {'; '.join(said)}"
