"""The values for the end of a game: the result, the grid of scores, the curve, what turned it, and playing again.

`contexts.py` puts them into the page and the JSON of a table. The story is missing as long as `stories.py` makes it.
"""

from __future__ import annotations

import msgspec

from quintain.engine.names import capital
from quintain.engine.play.match import Match
from quintain.engine.play.story import GridRow, Story, Turned
from quintain.engine.play.verdict import ordinal, verdict
from quintain.engine.seen.result import result as result_words
from quintain.server.pages.curves import drawn
from quintain.server.pages.rendering import Context
from quintain.server.tables.viewing import Viewing

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
        "record_url": f"/tables/{table.id}/record.json",
        "replay_url": f"/tables/{table.id}/replay",
        "rematch": f"/tables/{table.row.rematch}" if table.row.rematch else viewing.you is not None,
        "agreed": sorted(table.agreed),
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
    return {**data, "again": again, **ending(table.match, viewing.live.story, you, f"/tables/{table.id}")}


def ending(match: Match, story: Story | None, you: int | None, href: str) -> Context:
    """Return the four parts of the end: the verdict, the grid, the curve, and what turned it."""
    assert match.outcome
    said, curve = verdict(match.names, match.outcome, story, you), story and story.curve
    return {
        "verdict": {"tone": said.tone, "head": said.head, "why": said.why, "picture": PICTURES[said.tone]},
        "places": _places(match, story),
        "unit": capital(story.unit) if story else "",
        "grid": story and {"rows": list(story.rows), "best": [_best(row) for row in story.rows], **_looks(story)},
        "curve": curve and drawn(curve, match.names),
        "turned": story and [_moment(each, href) for each in story.turned],
    }


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


def _moment(turned: Turned, href: str) -> Context:
    """Return a moment that turned the game, with the address that shows it on the table."""
    return {
        "seat": turned.seat,
        "words": turned.words,
        "worth": turned.worth,
        "href": f"{href}/replay?step={turned.step}",
    }
