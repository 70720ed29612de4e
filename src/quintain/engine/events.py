"""Events: what happened, told in a ring that every state ends with."""

from quintain.engine.compiled import rule
from quintain.engine.state import UNKNOWN, Event, OwnState

A, B, C, D, OTHER = 1, 2, 4, 8, 16
"""What is secret of an event, as bits: its numbers a to d, which its seat alone knows, or `other` as well."""


@rule
def tell(
    s: OwnState, kind: int, seat: int, other: int = -1, a: int = 0, b: int = 0, c: int = 0, d: int = 0, secret: int = 0
) -> None:
    """Write an event into the ring of a state; the oldest one gives way."""
    event = s.events[s.events_made % len(s.events)]
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
    """Write UNKNOWN over what a seat, or for -1 a spectator, may not know of an event."""
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
