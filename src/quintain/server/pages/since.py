"""What has happened since a viewer's last decision: the ribbon above the board, and the table after each piece of news.

`Match.find_moments` finds the news out by playing moves again, so nobody does it before somebody asks: `looked_back`
for the ribbon and for one moment, and `steps_json` for those that the browser shows as they come. Both do it in slices,
under the limit of replays. A page that somebody has not asked for the news says only the last line of the log.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from minijinja import Environment

from quintain.engine.play.match import Match
from quintain.engine.rules.views import Change, View
from quintain.engine.seen.seen import Seen
from quintain.server.pages.contexts import table_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import with_seconds_left
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.slices import Slices
from quintain.server.tables.live_table import LiveTable, Viewing

MOST_STEPS = 12
"""The most pieces of news that are shown one by one as they come; of more, only the last."""
MOST_CHIPS = 4
MOST_PLACES = 4
"""The most places of one zone that get rings of their own; with more, the zone gets one."""
MOST_RINGS = 6
"""The most rings for one piece of news: one that changes more, such as a new round, changes the whole table."""
ELEMENT = re.compile(r' id="([^"]*)"')
FOLDED = re.compile(r"<details\b(?! open).*?</details>", re.DOTALL)
CHIP = re.compile(r'<span class="n">(\d+)</span>')


class Chip(NamedTuple):
    """A piece of news in the ribbon: its number among all news, its sentence, and who did it."""

    number: int
    words: str
    seat: int | None


class Back:
    """What a viewer sees who looks back: the news, and the number of the one shown; 0 for the table as it is."""

    def __init__(self, match: Match, you: int | None, asked: str = "", moments: Sequence[Seen] | None = None) -> None:
        self.now = match.seen(you)
        self.moments = match.moments(you) if moments is None and match.outcome is None else moments or ()
        self.step = _step(asked, len(self.moments), match.outcome is None)
        self.seen = self.moments[self.step - 1] if self.step else None

    @property
    def context(self) -> Context:
        """The values for the ribbon."""
        step = self.step
        return {
            "chips": [chip._asdict() for chip in self.chips],
            "news": len(self.moments),
            "step": step,
            "words": words(self.moments[step - 1]) if step else "",
            "question": self.now.view.question.words if step and self.now.view.question else "",
        }

    @cached_property
    def chips(self) -> list[Chip]:
        """The pieces of news that are worth a chip: results first, then by the player who acted. What the viewer did
        is news only as far as it is a result.
        """
        told = [(moment.changes[0], number) for number, moment in enumerate(self.moments, 1)]
        seats = list(dict.fromkeys(change.seat for change, _ in told))
        told.sort(key=lambda each: (not each[0].recap.is_result, seats.index(each[0].seat), each[1]))
        return [
            Chip(number, change.recap.words, change.seat)
            for change, number in told
            if change.recap.words and (change.recap.is_result or change.seat is None or change.seat != self.now.viewer)
        ]

    def marked(self, html: str) -> str:
        """Return a page with the number of each chip at the one piece that its news changed, or with rings around the
        places of the step that is shown.
        """
        if self.step:
            ringed = rings(self.moments[self.step - 1], frozenset(ELEMENT.findall(html)))
            return ELEMENT.sub(lambda found: found[0] + (" data-ringed" if found[1] in ringed else ""), html)
        ids, marks = frozenset(ELEMENT.findall(FOLDED.sub("", html))), dict[str, int]()
        for place, chip in enumerate(self.chips[:MOST_CHIPS], 1):
            if piece := mark(self.moments[chip.number - 1], self.now.view, ids - set(marks)):
                marks[piece] = place
        attributes = {piece: f' data-news="{place}"' for piece, place in marks.items()}
        html = ELEMENT.sub(lambda found: found[0] + attributes.get(found[1], ""), html)
        return CHIP.sub(lambda found: found[0] if int(found[1]) in marks.values() else "", html)


def mark(moment: Seen, view: View, ids: Container[str]) -> str:
    """Return the id of the piece on a page that wears the number of a piece of news; empty if there is none.

    A number that lies on a piece, such as a counter, passes its mark on to the piece, and so does a card on another
    card of its player. Of tokens only those wear a mark that are more than a number: they have one, and others lie on
    them, as Wounds on a Knight. A piece that has come to the place since then has no mark, and none of an offer that
    was laid out as a whole, such as a collection before a round.
    """
    below = {lying.id: piece for piece in view.pieces() for lying in piece.on_it}
    pieces = {piece.id: piece for piece in view.pieces()}
    then = {piece.id: (piece.key, piece.name) for piece in moment.view.pieces()}
    (change,) = moment.changes
    touched = Counter(change.zones)
    laid_out = {zone.id for zone in view.zones if zone.role == "offer" and touched[zone.id] > MOST_PLACES}
    for home, place in zip(change.zones, change.places, strict=True):
        piece, host = pieces.get(place), below.get(place)
        if piece is None or home in laid_out or then.get(place) != (piece.key, piece.name):
            continue
        if host and (piece.is_token or piece.seat == host.seat):
            piece = host
        is_thing = not piece.is_token or (piece.stats and piece.on_it)
        if piece.id in ids and is_thing and not piece.is_free:
            return piece.id
    return ""


async def looked_back(
    slices: Slices, live: LiveTable, visitor: Visitor, asked: str
) -> tuple[Viewing, Back, Refused | None]:
    """Return what a viewer sees who looks back, and the news; if there is no such step, the news and what is wrong.

    If the table changes before all news is found, the search begins again: table and news are of one moment.
    """
    while True:
        await live.settled()
        table, seq = live.table, live.table.seq
        match, you = table.playing(), table.seat_of(visitor.id)
        moments = await _moments(slices, match, you) if match.outcome is None else []
        if live.is_settled and live.table is table and table.seq == seq:
            break
    try:
        back, refused = Back(match, you, asked, moments), None
    except Refused as error:
        back, refused = Back(match, you, moments=moments), error
    return Viewing.of(live, visitor, back.seen), back, refused


async def _moments(slices: Slices, match: Match, you: int | None) -> list[Seen]:
    return (await slices.do(match.find_moments(you)))[-1]


def _step(asked: str, last: int, is_playing: bool) -> int:
    """Return the number of the piece of news that somebody asks for; 0 if they ask for none. Raises Refused."""
    if not asked:
        return 0
    if not is_playing:
        raise Refused(409, "the game is over: step through it in its replay")
    if asked.isascii() and asked.isdecimal() and len(asked) < 9 and 1 <= int(asked) <= last:
        return int(asked)
    there = f"they are numbered 1 to {last}" if last else "there is none"
    raise Refused(422, f"there is no piece of news {asked[:20]!r} since your last turn: {there}")


def words(moment: Seen) -> str:
    """Return the words of a piece of news."""
    (change,) = moment.changes
    if change.words or change.seat is None or not change.seat < len(moment.names):
        return change.words or "Something has changed."
    return f"{moment.names[change.seat]} has moved."


def rings(moment: Seen, ids: Container[str]) -> list[str]:
    """Return the ids of the elements of a page to ring for a piece of news.

    A place that is not on the page counts as its zone, and a zone that is not there as the plate of its owner's seat.
    """
    (change,) = moment.changes
    owners = {zone.id: zone.seat for zone in moment.view.zones}
    found = [
        element
        for zone, places in _by_zone(change)
        for element in _rings_in(f"zone.{zone}", f"seat.{owners.get(zone)}", places, ids)
    ]
    distinct = list(dict.fromkeys(found))
    return distinct if len(distinct) <= MOST_RINGS else []


def _by_zone(change: Change) -> Iterable[tuple[str, list[str]]]:
    pairs = sorted(zip(change.zones, change.places, strict=True), key=lambda pair: pair[0])
    return [(zone, [place for _, place in of_zone]) for zone, of_zone in groupby(pairs, key=lambda pair: pair[0])]


def _rings_in(zone: str, plate: str, places: Sequence[str], ids: Container[str]) -> list[str]:
    """Return the elements to ring for the places of one zone."""
    there = [place for place in places if place in ids]
    if len(places) <= MOST_PLACES and len(there) == len(places):
        return there
    around = next((each for each in (zone, plate) if each in ids), None)
    if len(places) > MOST_PLACES:
        return [around] if around else there
    return [*there, around] if around else there


async def steps_json(
    slices: Slices,
    viewing: Viewing,
    templates: Environment,
    base_url: str,
    move_link: str,
    after: int,
) -> Context:
    """Return the table after each piece of news that this visitor has not been told yet, as HTML, and what to ring.

    `after` is the number of lines of the log that the visitor has been told.
    """

    def drawn(seen: Seen) -> Mapping[str, object]:
        then = viewing._replace(seen=seen, is_now=False)
        context = table_context(then, base_url, move_link)
        html = templates.render_template("table_body.html", **context)
        return {"places": rings(seen, frozenset(ELEMENT.findall(html))), "html": with_seconds_left(html)}

    moments = await _moments(slices, viewing.table.playing(), viewing.you)
    new = [seen for seen in moments if len(seen.log) > after]
    return {"steps": await slices.do(map(drawn, new[-MOST_STEPS:]))}
