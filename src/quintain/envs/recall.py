"""What a seat remembers, as numbers: its last own decisions, and what it was told since.

An observation shows the present. An information state holds the past, too, and a network needs it as a row of one
length. So the game declares a window of two numbers, N and E: the row holds the last N decisions of the seat, and at
most E events that the seat noticed from the N-th last decision on. Public actions of others are such events, and so are
draws; the secrets of an event are hidden from those who may not know them, as in the log. Where another seat does
something of which no event tells, the seat notices which numbers change before its eyes.

The row begins with N times one column for each action, the latest decision first: a 1 stands for the action. Then come
E events, the latest first. Each is a row of its own:

- 1, or 0 where there is no event;
- how many decisions the seat has made after it, divided by N;
- 1 for a number that changed, and 0 for what an event tells;
- the event's kind, as 8 bits, the lowest first;
- a column for each seat: who did it, and then to whom; the observer comes first, the next seat second;
- the four numbers of the event, each as 16 bits, the lowest first, of its two's complement, and then a column which
  says whether the number is secret.

A number that changed has four numbers, too: the place of its field in the declaration of the state, its place in the
field, both from 0 on, its new value, and 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.observation import LEFT_OUT
from quintain.engine.rules.state import GameState, Record
from quintain.engine.rules.written import WrittenGame

KIND_BITS, NUMBER_BITS, NUMBERS = 8, 16, 4
FIRST_BIT = 3
"""The first column of the bits of a kind."""
CHANGED = -1
"""The kind of what is no event, but a number that changed."""
MOST_CHANGED = 4
"""How many numbers a seat notices at once."""

EventNumbers = tuple[int, ...]
"""The kind of an event, its seat, the other seat, and its four numbers; CHANGED, -1, -1 and four for a change."""


class Recalled(NamedTuple):
    """The last thing that a seat remembers, and, in `before`, all that came before it.

    `choice` is the seat's own decision, None if another seat or nobody decided. `told` are the events of this moment,
    the oldest first, as the seat may know them.
    """

    before: Recalled | None
    choice: int | None
    told: tuple[EventNumbers, ...]


def told_since(blinded: GameState, events_made: int) -> tuple[EventNumbers, ...]:
    """Return the events in a blinded state that came after the first `events_made`, as far as its ring holds them."""
    ring = blinded.events
    numbers = range(max(events_made, blinded.events_made - len(ring)), blinded.events_made)
    events = (ring[number % len(ring)] for number in numbers)
    return tuple((each.kind, each.seat, each.other, each.a, each.b, each.c, each.d) for each in events)


def noticed(before: GameState, blinded: GameState) -> tuple[EventNumbers, ...]:
    """Return the first numbers of a state that changed, as events; both states are blinded for the same viewer."""
    found = list[EventNumbers]()
    for place, name in enumerate(blinded.fields):
        was, now = getattr(before, name), getattr(blinded, name)
        if name not in LEFT_OUT and was != now:
            pairs = enumerate(zip(_numbers(was), _numbers(now), strict=True))
            found += [(CHANGED, -1, -1, place, at, new, 0) for at, (old, new) in pairs if old != new]
    return tuple(found[:MOST_CHANGED])


def _numbers(value: Any) -> Iterator[int]:
    """Yield the numbers of a value, of a list or of a part of a state."""
    if isinstance(value, list):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, Record):
        yield from (number for _, number in value.values())
    else:
        yield value


def in_window(last: Recalled | None, decisions: int, events: int) -> tuple[list[int], list[tuple[int, EventNumbers]]]:
    """Return the last decisions and, each with the number of decisions after it, the events since, the latest first."""
    made, told = list[int](), list[tuple[int, EventNumbers]]()
    while last is not None and len(made) < decisions:
        told += [(len(made), event) for event in reversed(last.told[max(0, len(last.told) + len(told) - events) :])]
        if last.choice is not None:
            made.append(last.choice)
        last = last.before
    return made, told


def listed(last: Recalled | None) -> list[tuple[int | None, tuple[EventNumbers, ...]]]:
    """Return all that a seat remembers, the oldest first."""
    found = []
    while last is not None:
        found.append((last.choice, last.told))
        last = last.before
    return found[::-1]


def chained(moments: Iterable[tuple[int | None, tuple[EventNumbers, ...]]]) -> Recalled | None:
    """Return what `listed` has listed as it was."""
    last = None
    for choice, told in moments:
        last = Recalled(last, choice, told)
    return last


class RecallRow:
    """Writes what a seat remembers into rows of numbers, for one game with a number of seats.

    `decisions` and `events` are the shapes of the two parts of a row.
    """

    def __init__(self, game: WrittenGame, seats: int) -> None:
        most, window = game.seats[1], game.window
        self.seats, self.most = seats, most
        self.decisions = (window[0], game.actions)
        self.events = (window[1], FIRST_BIT + KIND_BITS + 2 * most + NUMBERS * (NUMBER_BITS + 1))

    def write_decisions(self, last: Recalled | None, out: npt.NDArray[np.float32]) -> None:
        """Write the last decisions into an array of the shape `decisions`."""
        out[:] = 0
        for row, choice in zip(out, in_window(last, *self._window)[0], strict=False):
            row[choice] = 1

    def write_events(self, last: Recalled | None, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write the events since, as they are turned to a seat, into an array of the shape `events`."""
        out[:] = 0
        told = in_window(last, *self._window)[1]
        if not told:
            return
        rows, ages = out[: len(told)], np.array([age for age, _ in told])
        events = np.array([event for _, event in told])
        rows[:, 0], rows[:, 1] = 1, ages / self.decisions[0]
        at = FIRST_BIT + KIND_BITS
        kinds = events[:, 0]
        rows[:, 2] = kinds == CHANGED
        rows[:, FIRST_BIT:at] = np.where(kinds == CHANGED, 0, kinds)[:, None] >> np.arange(KIND_BITS) & 1
        for column in (1, 2):
            self._write_seats(events[:, column], seat, rows[:, at : at + self.most])
            at += self.most
        numbers = rows[:, at:].reshape(len(told), NUMBERS, NUMBER_BITS + 1)
        values = events[:, 3:]
        secret = values == UNKNOWN
        numbers[:, :, -1] = secret
        numbers[:, :, :-1] = np.where(secret, 0, values)[:, :, None] >> np.arange(NUMBER_BITS) & 1
        rows[:, at:] = numbers.reshape(len(told), -1)

    def _write_seats(self, whose: npt.NDArray[np.int64], seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write a 1 into the column of each seat, counted from the observer on; nothing for those who are no seat."""
        known = np.flatnonzero((whose >= 0) & (whose < self.seats))
        out[known, (whose[known] - seat) % self.seats] = 1

    @property
    def _window(self) -> tuple[int, int]:
        return self.decisions[0], self.events[0]
