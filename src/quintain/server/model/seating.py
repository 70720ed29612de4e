"""Who sits where: the ids and names of the players whose numbers a log holds.

Names come from the players' table whenever somebody looks, so that a player can change theirs. Nobody at a table has a
name that looks like another's: of two, the later one gets a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple

from quintain.engine.names import NUMBERED, check_names, looks
from quintain.server.model.entries import Seat
from quintain.server.model.levels import levels


class Person(NamedTuple):
    """A player: their number in logs and records, the id in their cookie, their name, and since when they have it."""

    number: int
    id: str
    name: str
    named: float


Persons = Mapping[int, Person]
"""Players by their numbers."""


def seat_people(seats: Sequence[Seat], persons: Persons) -> None:
    """Write into seats the ids and names of those who sit there. Who has had a name for longest keeps it as it is."""
    claims = []
    for seat in seats:
        if seat.number is not None:
            person = persons[seat.number]
            seat.player = person.id
            claims.append((max(seat.since, person.named), seat, person.name))
        elif seat.stranger:
            claims.append((seat.since, seat, seat.stranger))
        elif seat.bot:
            claims.append((seat.since, seat, levels().get(seat.bot, seat.bot)))
    taken: list[str] = []
    for _, seat, name in sorted(claims, key=lambda claim: (claim[0], claim[1].seat)):
        seat.name = distinct_name(name, taken)
        taken.append(seat.name)


def numbers_of(seats: Iterable[Seat]) -> set[int]:
    """Return the numbers of the players who sit at these seats."""
    return {seat.number for seat in seats if seat.number is not None}


def distinct_name(name: str, others: Iterable[str]) -> str:
    """Return a name that looks like none of the others, numbered if need be; raises BadOption if it is no name."""
    (name,) = check_names([name], 1)
    taken = frozenset[str]().union(*map(looks, others))
    numbers = (f"{name[:NUMBERED].rstrip()} {number}" for number in count(2))
    return next(each for each in chain([name], numbers) if taken.isdisjoint(looks(each)))


def browser_of(device: str) -> str:
    """Return the part of a device's id that is the same for all players in one browser."""
    return device.partition(".")[0]
