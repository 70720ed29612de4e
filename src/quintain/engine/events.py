"""Events: what happened, told in a ring that every state ends with."""

from typing import Any

from quintain.engine.compiled import rule


@rule
def tell(s: Any, kind: int, seat: int, other: int = -1, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Write an event into the ring of a state; the oldest one gives way."""
    event = s.events[s.events_made % len(s.events)]
    event.kind = kind
    event.seat = seat
    event.other = other
    event.a = a
    event.b = b
    event.c = c
    event.d = d
    s.events_made += 1
