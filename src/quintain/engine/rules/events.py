"""Events: how the rules report what happened.

Every state ends with a ring of events. Rules call `tell` to write one; the game's `narrate` puts it into words for each
viewer, and `RunningMatch` adds these to the logs.
"""

from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.linking import IN_MEMORY, rule
from quintain.engine.rules.state import Cells, Event, OwnState

A, B, C, D, OTHER = 1, 2, 4, 8, 16
"""Bits of an event's `secret`. A to D say which of the numbers a to d are secret: only the event's seat knows them.
With OTHER, the seat in `other` knows them, too."""


@rule
def own(events: Cells[Event], place: int) -> Event:
    """Return an event of a ring to write to; in plain states it is a new one, since their copies share their events."""
    events[place] = events[place].copy()
    return events[place]


@rule
def own_in_memory(events: Cells[Event], place: int) -> Event:
    """Return an event of a ring to write to, in compiled memory, where each state has its own."""
    return events[place]


IN_MEMORY[own] = own_in_memory


@rule
def tell(
    s: OwnState, kind: int, seat: int, other: int = -1, a: int = 0, b: int = 0, c: int = 0, d: int = 0, secret: int = 0
) -> None:
    """Write an event into the ring of a state, in the place of the oldest one."""
    event = own(s.events, s.events_made % len(s.events))
    event.kind = kind
    event.seat = seat
    event.other = other
    event.a = a
    event.b = b
    event.c = c
    event.d = d
    event.secret = secret
    s.events_made += 1


@rule
def hide_secrets(event: Event, seat: int) -> None:
    """Write UNKNOWN over the numbers of an event that a seat (-1: a spectator) may not know."""
    secret = event.secret
    if secret == 0 or (seat >= 0 and (event.seat == seat or (secret & OTHER and event.other == seat))):
        return
    if secret & A:
        event.a = UNKNOWN
    if secret & B:
        event.b = UNKNOWN
    if secret & C:
        event.c = UNKNOWN
    if secret & D:
        event.d = UNKNOWN
