"""Taking back: which of the last moves can be, by what each seat could notice of them."""

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
    """The last moves in effect of a match, as far back as one can be taken back: without chance, or notice of others.

    `now` is the match's state after all of them. It is never changed here.
    """

    def __init__(self, game: Game, book: Record) -> None:
        self.game, self.book = game, book
        self.steps: list[Step] = []

    def add(self, seat: int, action: int, before: GameState) -> None:
        """Take note of a move that its seat can take back for now."""
        self.steps.append(Step(seat, action, before))

    def clear(self) -> None:
        """Bar all that has been done so far."""
        self.steps.clear()

    def last_of(self, seat: int, now: GameState) -> int | None:
        """Return which of the moves is the last of a seat; None if it has none, or others have noticed it since.

        Moves that others have made since bar it only if either side can notice the other's.
        """
        place = next((n for n in reversed(range(len(self.steps))) if self.steps[n].seat == seat), None)
        if place is None:
            return None
        later = range(place + 1, len(self.steps))
        barred = any(self.notices(seat, n, now) or self.notices(self.steps[n].seat, place, now) for n in later)
        return None if barred else place

    def notices(self, seat: int, number: int, now: GameState) -> bool:
        """Tell whether a seat can notice one of the moves."""
        after = self.steps[number + 1].before if number + 1 < len(self.steps) else now
        known = [self.game.blinded(self.book, state, seat) for state in (self.steps[number].before, after)]
        return bool(known[0] != known[1])

    def take_out(self, place: int) -> GameState:
        """Take one of the moves out, and return the state after the others."""
        state = self.steps.pop(place).before
        for number in range(place, len(self.steps)):
            step = self.steps[number]
            self.steps[number] = step._replace(before=state)
            state = state.copy()
            self.game.rules.play(self.book, state, step.seat, step.action)
        return state


def cannot_undo(name: str) -> CannotUndo:
    """Return what is said to a player who can take no move back."""
    return CannotUndo(
        f"{name} cannot take a move back now: only the last move can be, by who made it, "
        "while that player is still to act and has learned nothing by it"
    )


def reveals(before: GameState, after: GameState) -> bool:
    """Tell whether a value that was UNKNOWN in what a seat knew is known to it afterwards, events aside."""
    pairs = [(getattr(before, name), getattr(after, name)) for name in after.fields if name != "events"]
    return any(uncovers(was, now) for was, now in pairs if was != now)


def others_may_answer(
    undo: Undo,
    place: int,
    now: GameState,
    menus: Sequence[Collection[int]],
    is_noticed: Callable[[int, int, int], bool],
) -> bool:
    """Tell whether others, who could notice a move, can act so that the seat that made it does not notice.

    `menus` are the legal actions of each seat, `is_noticed(seat, other, action)` tells whether a seat would notice
    what another does.
    """
    seat = undo.steps[place].seat
    return any(
        not is_noticed(seat, other, action)
        for other, menu in enumerate(menus)
        if other != seat and menu and undo.notices(other, place, now)
        for action in menu
    )
