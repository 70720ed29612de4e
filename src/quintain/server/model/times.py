"""When each seat of a game was asked what, and since when its time for that runs, in seconds of the server's clock.

`Table` reports each entry of its log that changes the match.
"""

from __future__ import annotations

from quintain.engine.play.match import Match
from quintain.server.clock import now

Asked = list[tuple[int, int | None]]
"""For each seat, the number of its decision, and the choice that it makes at the same time as others."""


class Times:
    """The times of all seats of a table.

    `asked_at` holds for each seat when it was asked the question that is open now. `timed_from` holds when its time for
    this began: that is earlier if the question is a further step of a choice that several seats make at the same time.
    """

    def __init__(self, seats: int, at: float):
        self.asked_at, self.timed_from = ([past(at)] * seats for _ in range(2))
        self._before: list[list[tuple[float, float]]] = [[] for _ in range(seats)]
        """For each seat, both times of the questions whose answers it can still take back."""

    def begin(self, seat: int, at: float) -> None:
        """Let the time of a seat begin anew."""
        self.asked_at[seat] = self.timed_from[seat] = past(at)

    def begin_all(self, at: float) -> None:
        """Let the time of all seats begin anew."""
        for seat in range(len(self.asked_at)):
            self.begin(seat, at)

    def of(self, seat: int) -> tuple[float, float]:
        """Return both times of a seat."""
        return self.asked_at[seat], self.timed_from[seat]

    def ask(self, before: Asked, after: Asked, at: float) -> None:
        """Note a change of the match that people see: what the seats were asked before it, and what they are now."""
        for seat, ((number, choice), (next_number, next_choice)) in enumerate(zip(before, after, strict=True)):
            if number != next_number:
                self.asked_at[seat] = past(at)
                if choice is None or next_choice != choice:
                    self.timed_from[seat] = past(at)

    def keep(self, seat: int, asked: tuple[float, float], can_undo: bool) -> None:
        """Remember the times of a question that a seat has answered, as long as it can take the answer back."""
        if can_undo:
            self._before[seat].append(asked)
        else:
            self._before[seat].clear()

    def restore(self, seat: int, asked: tuple[float, float]) -> None:
        """Give a seat that has taken an answer back the times of that question again, or else those of `asked`."""
        before = self._before[seat]
        self.asked_at[seat], self.timed_from[seat] = before.pop() if before else asked

    def keep_latest(self, other: Times) -> None:
        """Take the later of two times for each seat."""
        self.asked_at[:] = map(max, self.asked_at, other.asked_at)
        self.timed_from[:] = map(max, self.timed_from, other.timed_from)


def asked(match: Match) -> Asked:
    """Return what each seat of a match is asked now."""
    return [(match.decision(seat), match.choice(seat)) for seat in range(match.seats)]


def past(at: float) -> float:
    """Return a time from the log, at most now: it lies in the future if somebody has set the machine's clock back."""
    return min(at, now())
