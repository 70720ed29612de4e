"""How a finished game ended for each of its seats: the rows from which players' pages and lists of games are made.

They follow from the table's log, like all rows that list tables (`entries.py`). `store.py` writes them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from quintain.server.model.entries import Folded, Seat, TableRow

WON, DRAWN, LOST, RESIGNED, LEFT, STOPPED = RESULTS = ("won", "drawn", "lost", "resigned", "left", "stopped")
"""How a game ended for a seat: alone in first place, in first place with others, behind, given up, or left to a bot; or
it did not end at all, but new rules stopped it."""
NOT_TO_THE_END = (RESIGNED, LEFT)
"""The results of those who did not play to the end: they are behind all who did."""
STRANGER = "~"
"""The first sign of the key of somebody who is known only from a record that was brought in."""


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat of a finished game, as the lists of a player's games show it.

    `who` is the key of its player in addresses and lists: see `key_of`. `result` is one of RESULTS, `ended` when the
    game ended, and `moves` the number of all moves in it. An `uncounted` one adds to no sum: its
    players may have known the cards, or new rules stopped it. At an `alike` game two players share a browser or an
    address. `change` is by how many points a rated game changed the player's rating; it does not follow from this log
    alone, but `standings.py` adds it.
    """

    table: str
    seat: int
    who: str
    bot: bool
    game: str
    ended: float
    result: str
    rank: int
    score: int | None
    moves: int
    rated: bool
    private: bool
    alike: bool
    uncounted: bool
    change: int | None = None


class FinishedGame(NamedTuple):
    """A finished game of a player: the player's row, those of all seats in order, and the row of the table."""

    own: PlayedSeat
    seats: Sequence[PlayedSeat]
    table: TableRow


class Sums(NamedTuple):
    """What the finished games of a player add up to; those that do not count are in no other sum."""

    games: int
    won: int
    rated: int
    resigned: int
    left: int
    uncounted: int


class Tally(NamedTuple):
    """How often a player was ahead of an opponent at the end of a game, and behind."""

    opponent: str
    is_bot: bool
    game: str
    ahead: int
    behind: int
    games: int


def played(folded: Folded) -> list[PlayedSeat]:
    """Return the seats of a finished game; none before the end, and none if it never began."""
    if folded.ended is None or (folded.stopped and not folded.row.begun):
        return []
    if folded.stopped:  # it has no result, and counts for nothing
        return [_row(folded, seat, STOPPED, 1, None, folded.stopped.moves) for seat in folded.seats]
    assert folded.record is not None
    outcome, acts = folded.record["result"], folded.record["moves"]
    ranks, scores = outcome["ranks"], outcome["scores"] or [None] * len(folded.seats)
    resigned = {act["seat"] for act in acts if act["kind"] == "resign"}
    moves = sum(act["kind"] == "move" for act in acts)
    return [
        _row(folded, seat, _result(ranks, seat, resigned), ranks[seat.seat], scores[seat.seat], moves)
        for seat in folded.seats
    ]


def _row(folded: Folded, seat: Seat, result: str, rank: int, score: int | None, moves: int) -> PlayedSeat:
    assert folded.ended is not None
    return PlayedSeat(
        table=folded.row.id,
        seat=seat.seat,
        who=key_of(seat),
        bot=seat.bot is not None,
        game=folded.row.game,
        ended=folded.ended,
        result=result,
        rank=rank,
        score=score,
        moves=moves,
        rated=folded.row.rated and result != STOPPED,
        private=folded.row.private,
        alike=bool(folded.alike),
        uncounted=folded.is_known or result == STOPPED,
    )


def key_of(seat: Seat) -> str:
    """Return the key of whoever sits at a seat: the number of a player, the level of a bot, or a stranger's name.

    A sign stands before a stranger's name, so that it is no other key.
    """
    return STRANGER + seat.stranger if seat.stranger else str(seat.bot if seat.number is None else seat.number)


def number_in(key: str) -> int | None:
    """Return the number of the player that a key stands for; None if it stands for no person.

    >>> number_in("7"), number_in("squire"), number_in("9" * 5000)
    (7, None, None)
    """
    return int(key) if key.isascii() and key.isdigit() and len(key) < 10 else None


def _result(ranks: Sequence[int], seat: Seat, resigned: Collection[int]) -> str:
    """Return the result of a seat: whoever had a bot play to the end has left."""
    if seat.seat in resigned:
        return RESIGNED
    if seat.stand_in:
        return LEFT
    if ranks[seat.seat] > min(ranks):
        return LOST
    return WON if ranks.count(ranks[seat.seat]) == 1 else DRAWN
