"""Taking moves back: finds out which of the last moves a seat may take back.

That depends on what each seat could notice of the moves. `RunningMatch` reports the moves to `Undo`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from quintain.engine.errors import CannotUndo
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState, Record


class Step(NamedTuple):
    """A move, the state before it, its ply, and whether it used chance.

    It is `free` if its seat is still to act after it, and neither chance nor the move itself taught the seat anything.
    """

    seat: int
    action: int
    before: GameState
    ply: int
    drew: bool
    is_free: bool


class Undo:
    """The last moves of a match that can perhaps be taken back, and those between them.

    Outside of simultaneous choices all of them are free. In such a choice the seats do not wait for each other, so all
    moves are kept until it is over: a seat may take a free move of its own back, whatever the others do. Otherwise the
    answer would depend on how far they are. In the methods, `now` is the match's state after all moves; they never
    change it.
    """

    def __init__(self, game: Game, book: Record) -> None:
        self.game, self.book = game, book
        self.steps: list[Step] = []
        self.first: int | None = None
        """The place of the first step of the simultaneous choice that goes on; None if there is none."""

    def add(self, step: Step, goes_on: bool, is_choice: bool) -> None:
        """Record a move. `is_choice`: a simultaneous choice follows. `goes_on`: it is the one that was there before."""
        if not goes_on:
            bound = len(self.steps) if not step.is_free else self._after_last_bound()
            del self.steps[:bound]
        if goes_on or step.is_free:
            self.steps.append(step)
        if not goes_on:
            self.first = len(self.steps) if is_choice else None

    def _after_last_bound(self) -> int:
        """Return the place after the last step that is not free."""
        return max((place + 1 for place, step in enumerate(self.steps) if not step.is_free), default=0)

    def clear(self) -> None:
        """Forget all moves: nobody can take them back any more."""
        self.steps.clear()
        self.first = None

    @property
    def in_choice(self) -> list[Step]:
        """The steps of the simultaneous choice that goes on."""
        return [] if self.first is None else self.steps[self.first :]

    def is_in_choice(self, place: int) -> bool:
        """Tell whether a step belongs to a simultaneous choice that goes on."""
        return self.first is not None and place >= self.first

    def last_of(self, seat: int, now: GameState) -> int | None:
        """Return the place of a seat's last move in `steps`; None if it has none, or may not take it back.

        Outside of simultaneous choices it may not if one of two seats can notice the other's move: this seat a later
        move, or the later mover this one.
        """
        place = next((n for n in reversed(range(len(self.steps))) if self.steps[n].seat == seat), None)
        if place is None or not self.steps[place].is_free:
            return None
        if self.is_in_choice(place):
            return place
        later = range(place + 1, len(self.steps))
        barred = any(self.notices(seat, n, now) or self.notices(self.steps[n].seat, place, now) for n in later)
        return None if barred else place

    def notices(self, seat: int, number: int, now: GameState) -> bool:
        """Tell whether a seat can notice the move at a place in `steps`."""
        after = self.steps[number + 1].before if number + 1 < len(self.steps) else now
        known = [self.game.blinded(self.book, state, seat) for state in (self.steps[number].before, after)]
        return bool(known[0] != known[1])

    def is_bound(self, place: int, others: Collection[int]) -> bool:
        """Tell whether a move in a simultaneous choice told others something, or a later move of theirs told its seat.

        Moves that end a seat's choice do not count: everybody sees who is done.
        """
        seat = self.steps[place].seat
        later = [number for number in range(place + 1, len(self.steps)) if self.steps[number].seat != seat]
        return self._is_told(place, others) or any(self._is_told(number, [seat]) for number in later)

    def _is_told(self, place: int, viewers: Collection[int]) -> bool:
        """Tell whether a viewer could learn from a move, which did not end its seat's choice, which one it was."""
        step = self.steps[place]
        now = self._played(step, step.action)
        for viewer in viewers:
            was, known = (self.game.blinded(self.book, state, viewer) for state in (step.before, now))
            if known != was and self._goes_on(step, now):
                menu = self.game.legal_actions(self.book, step.before, step.seat)
                after = (self._played(step, action) for action in menu)
                going_on = (one for one in after if self._goes_on(step, one))
                if any(self.game.blinded(self.book, one, viewer) != known for one in going_on):
                    return True
        return False

    def _goes_on(self, step: Step, now: GameState) -> bool:
        """Tell whether the choice of a step's seat goes on in the state after it: the same seats are to act as before.

        If the last seat has chosen, a new question may go to it at once.
        """
        return self.game.rules.to_act(self.book, now) == self.game.rules.to_act(self.book, step.before)

    def _played(self, step: Step, action: int) -> GameState:
        state = step.before.copy()
        self.game.rules.play(self.book, state, step.seat, action)
        return state

    def take_out(self, place: int, keys: Callable[[int], bytes]) -> GameState:
        """Take one of the moves out of `steps`, and return the state after the others; `keys` gives a ply's chance."""
        state = self.steps.pop(place).before
        if self.first is not None and place < self.first:
            self.first -= 1
        for number in range(place, len(self.steps)):
            step = self.steps[number]
            self.steps[number] = step._replace(before=state)
            state = state.copy()
            rng.key(state.rng, keys(step.ply))
            self.game.rules.play(self.book, state, step.seat, step.action)
        return state


def cannot_undo(name: str) -> CannotUndo:
    """Return the error for a player who cannot take a move back."""
    return CannotUndo(
        f"{name} cannot take a move back now: a player may take back their last move only, "
        "while they are still to act and the move has shown them nothing new"
    )


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
