"""Taking moves back: finds out which of the last moves a seat may take back.

That depends on what each seat could notice of the moves. `match` reports the moves to `Undo`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from quintain.engine.errors import CannotUndo
from quintain.engine.game import Game
from quintain.engine.state import GameState, Record, uncovers


class Step(NamedTuple):
    """A move that can be taken back, and the state before it."""

    seat: int
    action: int
    before: GameState


class Undo:
    """The last moves of a match that can perhaps be taken back: none of them used chance or taught its seat anything.

    In the methods, `now` is the match's state after all moves; they never change it.
    """

    def __init__(self, game: Game, book: Record) -> None:
        self.game, self.book = game, book
        self.steps: list[Step] = []

    def add(self, seat: int, action: int, before: GameState) -> None:
        """Record a move that its seat can take back for now."""
        self.steps.append(Step(seat, action, before))

    def clear(self) -> None:
        """Forget all moves: nobody can take them back any more."""
        self.steps.clear()

    def last_of(self, seat: int, now: GameState) -> int | None:
        """Return the place of a seat's last move in `steps`; None if it has none, or may not take it back.

        It may not if one of two seats can notice the other's move: this seat a later move, or the later mover this one.
        """
        place = next((n for n in reversed(range(len(self.steps))) if self.steps[n].seat == seat), None)
        if place is None:
            return None
        later = range(place + 1, len(self.steps))
        barred = any(self.notices(seat, n, now) or self.notices(self.steps[n].seat, place, now) for n in later)
        return None if barred else place

    def notices(self, seat: int, number: int, now: GameState) -> bool:
        """Tell whether a seat can notice the move at a place in `steps`."""
        after = self.steps[number + 1].before if number + 1 < len(self.steps) else now
        known = [self.game.blinded(self.book, state, seat) for state in (self.steps[number].before, after)]
        return bool(known[0] != known[1])

    def take_out(self, place: int) -> GameState:
        """Take one of the moves out of `steps`, and return the state after the others."""
        state = self.steps.pop(place).before
        for number in range(place, len(self.steps)):
            step = self.steps[number]
            self.steps[number] = step._replace(before=state)
            state = state.copy()
            self.game.rules.play(self.book, state, step.seat, step.action)
        return state


def cannot_undo(name: str) -> CannotUndo:
    """Return the error for a player who cannot take a move back."""
    return CannotUndo(
        f"{name} cannot take a move back now: a player may take back their last move only, "
        "while they are still to act and the move has shown them nothing new"
    )


def reveals(before: GameState, after: GameState) -> bool:
    """Tell whether a value outside the events was UNKNOWN in a seat's state before, and is known in that after."""
    pairs = [(getattr(before, name), getattr(after, name)) for name in after.fields if name != "events"]
    return any(uncovers(was, now) for was, now in pairs if was != now)


def others_may_answer(
    undo: Undo,
    place: int,
    now: GameState,
    menus: Sequence[Collection[int]],
    is_noticed: Callable[[int, int, int], bool],
) -> bool:
    """Tell whether another seat, which noticed the move at `place`, can now act without the mover's noticing.

    `menus` are the legal actions of each seat. `is_noticed(other, action, seat)` tells whether `seat` would notice an
    action of another seat.
    """
    seat = undo.steps[place].seat
    return any(
        not is_noticed(other, action, seat)
        for other, menu in enumerate(menus)
        if other != seat and menu and undo.notices(other, place, now)
        for action in menu
    )
