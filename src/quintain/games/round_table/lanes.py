"""Round Table: the Regions as a viewer sees them: the open ones with their camps, those to come, and captured ones.

Each open Region says what would become of it if Autumn came now. `view` puts these zones beside those of the seats.
"""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from quintain.engine import UNKNOWN, Line, Piece, Stat, Zone, back
from quintain.games.round_table import scene
from quintain.games.round_table import state as st
from quintain.games.round_table.autumn import judge, remaining, sum_at
from quintain.games.round_table.effects import all_knights_at
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.words import face, region_name

REGION_TEXT = (
    "In Autumn whoever has more Influence left here than its Resistance captures it, and scores its Renown. "
    "If several have, the first needs a lead over the second of as much as its Renown."
)
NOBODY = "Nobody captures it"
YOUR_VERBS = {"leads": "lead", "needs": "need"}
TO_COME_TEXT = "It is turned up when an open Region has been captured."


def regions(book: Book, s: State, viewer: int) -> Zone:
    """Return the open Regions, with the forces in each and the seat that would capture it now."""
    pieces = tuple(_region(book, s, place, viewer) for place in range(st.OPEN_REGIONS) if s.open[place] != st.NONE)
    return Zone("regions", "middle", None, "row", pieces, len(pieces), "Open Regions")


def _region(book: Book, s: State, place: int, viewer: int) -> Piece:
    """Return an open Region with its forces, judged as if Autumn came now."""
    forces: tuple[Piece, ...] = ()
    fate, captor = "Nobody attacks it.", None
    if all_knights_at(book, s, place) > 0:
        judged = s.copy()
        judge(book, judged, place)
        forces = tuple(_force(book, judged, place, seat) for seat in _there(book, judged, place))
        fate, captor = fate_words(book, judged, place, viewer), judged.judged_captor[place]
    means = (st.REGION + place,) if s.phase in (st.CHOOSE_REGION, st.CHOOSE_TASK) else ()
    now = (Line(fate, clause="RT-22", gains=None if captor == st.NONE else captor),)
    return replace(_land(book, s, f"region.{place}", s.open[place]), now=now, means=means, on_it=forces)


def _there(book: Book, judged: State, place: int) -> list[int]:
    """Return the seats that attack a Region that has been judged."""
    return [seat for seat in range(book.seats) if judged.judged_there[place][seat]]


def fate_words(book: Book, judged: State, place: int, viewer: int) -> str:
    """Say who captures a judged Region and why, or what is missing; the verdict stands before the colon. RT-22."""
    region, captor = book.region[judged.region[judged.judged[place]]], judged.judged_captor[place]
    over = {
        seat: remaining(book, judged, place, seat) - region.resistance + sum_at(book, judged, st.REACH, place, seat)
        for seat in _there(book, judged, place)
    }
    left = {seat: remaining(book, judged, place, seat) for seat in over}
    able = sorted((seat for seat in over if over[seat] > 0), key=lambda seat: -left[seat])
    if not able:
        near = max(over, key=lambda seat: over[seat])
        return f"{NOBODY}: {_does(near, viewer, 'needs')} {1 - over[near]} more Influence."
    verdict, is_rival = _verdict(captor, viewer)
    if len(able) == 1:
        bar = left[captor] - over[captor]
        return f"{verdict}: " + (
            f"seat {captor} has {left[captor]}, more than {bar}." if is_rival else f"{left[captor]} is above {bar}."
        )
    lead = left[able[0]] - left[able[1]]
    needed = max(1, region.renown - sum_at(book, judged, st.LEAD, place, able[0]))
    needs = YOUR_VERBS["needs"] if able[0] == viewer else "needs"
    return f"{verdict}: {_does(able[0], viewer, 'leads')} by {lead} and {needs} {needed}."


def _verdict(captor: int, viewer: int) -> tuple[str, bool]:
    """Return who captures a Region, as a viewer reads it in few letters, and whether that is the viewer's rival."""
    if captor == st.NONE:
        return NOBODY, False
    if captor == viewer:
        return "You capture it", False
    return ("A rival takes it", True) if viewer >= 0 else (f"seat {captor} captures it", False)


def _does(seat: int, viewer: int, verb: str) -> str:
    """Return a seat with what it does, as a viewer reads it."""
    return f"you {YOUR_VERBS[verb]}" if seat == viewer else f"seat {seat} {verb}"


def _force(book: Book, s: State, place: int, seat: int) -> Piece:
    """Return the force of a seat in a Region that has been judged. RT-21, RT-22."""
    influence, left = s.judged_influence[place][seat], remaining(book, s, place, seat)
    against = Stat("against", influence - left, words="greatest Resistance of one opponent there")
    stats = (
        Stat("left", left, words="remaining Influence"),
        *scene.strengths(influence, s.judged_resistance[place][seat]),
        *((against,) if len(_there(book, s, place)) > 1 else ()),
    )
    state = frozenset({"takes"} if s.judged_captor[place] == seat else ())
    text = f"Remaining Influence against the Region: {left}."
    return Piece(f"force.{place}.{seat}", "seat", f"seat {seat}", seat=seat, state=state, stats=stats, text=text)


def _land(book: Book, s: State, id_: str, place: int, owner: int | None = None) -> Piece:
    """Return a Region of the match as a piece; `owner` is the seat that has captured it."""
    region = book.region[s.region[place]]
    return _printed_land(id_, region.name, region.resistance, region.renown, owner)


@lru_cache(1024)
def _printed_land(id_: str, called: str, resistance: int, renown: int, owner: int | None) -> Piece:
    stats = (Stat("resistance", resistance, words="Resistance"), Stat("renown", renown, words="Renown"))
    text = REGION_TEXT if owner is None else f"Captured: {renown} Renown for its captor."
    return Piece(id_, face(called), called, kind="Region", stats=stats, text=text, seat=owner)


def region_deck(book: Book, s: State, viewer: int) -> Zone:
    """Return the Regions to come: those that the viewer knows, the next one first, then a back. RT-3, RT-33."""
    order = [s.region_deck[i] for i in range(s.regions_left - 1, -1, -1)]
    known = [place for place in order if place != UNKNOWN]
    pieces = [replace(_land(book, s, f"to_come.{i}", place), text=TO_COME_TEXT) for i, place in enumerate(known)]
    if len(known) < s.regions_left:
        pieces.append(back(f"to_come.{len(known)}", name="a Region face down"))
    pieces = [replace(piece, known_to=_seers(book, s, i, viewer)) for i, piece in enumerate(pieces)]
    seen = {*known, *s.open, *(place for place in range(book.regions) if s.captor[place] != st.NONE)}
    hidden = [region_name(book, s, place) for place in range(book.regions) if place not in seen]
    words = f"Regions to come, in unknown order: {', '.join(hidden)}" if hidden else "Regions to come"
    return Zone("to_come", "pile", None, "stack", tuple(pieces), s.regions_left, words)


def _seers(book: Book, s: State, place: int, viewer: int) -> tuple[int, ...]:
    """Return the seats besides the viewer that know a Region to come; the next one has place 0. RT-33."""
    return tuple(seat for seat in range(book.seats) if seat != viewer and s.foreseen[seat] > place)


def captured(book: Book, s: State, owner: int) -> Iterator[Piece]:
    """Yield the Regions that a seat has captured. RT-24."""
    taken = [place for place in range(book.regions) if s.captor[place] == owner]
    return (_land(book, s, f"captured.{owner}.{i}", place, owner) for i, place in enumerate(taken))
