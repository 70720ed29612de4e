"""Lessons at tables: how far a learner is, and what everybody may do there meanwhile.

The match of a lesson is a usual one, with the entries of a usual one; `engine/play/lesson.py` finds out from them how
far it has followed the script. The table's row counts the steps that are done, since no entry of a match says what the
learner has read.

`table.py` refuses what the script does not want, `stewards.py` makes the moves of the script that are not the learner's
own, and `learner.py` holds what the learner can do beside moves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from quintain.engine.errors import CannotUndo, IllegalMove
from quintain.engine.names import with_names
from quintain.engine.play.lesson import PLACES, Due, Lesson, LessonStep, place
from quintain.engine.play.match import Match
from quintain.engine.rules.views import Piece, View, Zone
from quintain.server.model.entries import MOVED, UNDONE

SPOT, TOUCH, REACH = "spot", "to-touch", "to-reach"
"""The states of the pieces at which a step points, of those that the learner touches to make the step's move, and of
the places to which such a piece then goes. Boards show them by the classes `is-spot`, `is-to-touch` and `is-to-reach`.
"""
LEAVE = "Leave the lesson to play freely."


class LessonProgress(NamedTuple):
    """How far a learner is: the number of the step to show, and the next move of the script; None after the last."""

    lesson: Lesson
    number: int
    due: Due | None

    @property
    def is_over(self) -> bool:
        """Whether all steps are done, so that the bots choose for themselves."""
        return self.number == len(self.lesson.steps) and self.due is None

    @property
    def waits(self) -> bool:
        """Whether the server makes the next move of the script before the learner goes on."""
        return self.due is not None and not self.due.is_asked

    @property
    def step(self) -> LessonStep | None:
        """The step to show; None while the others move, and after the last."""
        return None if self.waits or self.is_over else self.lesson.steps[self.number]

    @property
    def move(self) -> str | None:
        """The move that the learner makes at this step, with ``seat 1`` for a name; None if there is none to make."""
        step = self.step
        return step.move if step else None

    def places(self, number: int) -> frozenset[str]:
        """Return the ids at which a step points."""
        return frozenset(self.lesson.steps[number].at)


def progress_in(lesson: Lesson, match: Match, done: int) -> LessonProgress | None:
    """Return how far a match is in a lesson of which so many steps are done; None once it has left the script."""
    there, steps = place(lesson, match), len(lesson.steps)
    if there is None:
        return LessonProgress(lesson, steps, None) if done >= steps and not match.outcome else None
    return LessonProgress(lesson, min(max(done, there.step), there.last), there.due)


def check(now: LessonProgress, match: Match, seat: int, kind: str, text: str) -> None:
    """Check that a lesson wants a legal act now; raises IllegalMove or CannotUndo. Everybody may resign at any time."""
    if kind == UNDONE:
        raise CannotUndo(f"in a lesson no move is taken back. {LEAVE}")
    if kind != MOVED or now.is_over or (now.due and now.due.seat == seat and now.due.move == text and _is_next(now)):
        return
    if now.waits:
        raise IllegalMove(f"The others move first in this lesson. {LEAVE}")
    raise IllegalMove(f"{wanted(now, match.names)} {LEAVE}")


def wanted(now: LessonProgress, names: Sequence[str]) -> str:
    """Return a sentence that tells a learner who touches something else what the step wants; empty if it wants nothing.

    A learner knows a step by its title, which stands above the table.
    """
    if (step := now.step) is None:
        return ""
    quoted = f"\N{LEFT DOUBLE QUOTATION MARK}{with_names(names, step.title)}\N{RIGHT DOUBLE QUOTATION MARK}"
    if step.move is None:
        return f"Read {quoted} first, then touch Next."
    return f"The lesson wants another move now: {quoted}."


def _is_next(now: LessonProgress) -> bool:
    """Tell whether the learner has read all steps before the next move of the script."""
    return now.due is not None and (now.waits or now.due.step == now.number)


def scripted(now: LessonProgress | None, match: Match, seat: int) -> int | None:
    """Return the action that the script has for a seat, if the server makes it and the seat can; else None."""
    if now is None or now.due is None or not now.waits or now.due.seat != seat:
        return None
    words = with_names(match.names, now.due.move)
    return next((move.action for move in match.moves(seat) if move.text == words), None)


class Pointed(NamedTuple):
    """The ids of pieces and zones at which a step points, of the pieces to touch, and of the places that they reach."""

    at: Collection[str]
    touch: Collection[str]
    reach: Collection[str]


def lit(view: View, places: Collection[str], action: int | None = None) -> View:
    """Return a view whose pieces have the states SPOT, TOUCH and REACH, as a step with these places and action wants.

    If several pieces have the action, those at which the step points are to be touched.
    """
    pieces = [piece for piece in view.pieces() if any(act.action == action for act in piece.acts)]
    touch = [piece for piece in pieces if piece.id in places] or pieces
    reach = {act.target for piece in touch for act in piece.acts if act.action == action and act.target}
    if not touch and all(id_ in PLACES for id_ in places):
        return view
    pointed = Pointed(places, {piece.id for piece in touch}, reach)
    return replace(view, zones=tuple([_lit_zone(zone, pointed) for zone in view.zones]))


def _lit_zone(zone: Zone, pointed: Pointed) -> Zone:
    is_meant = zone.id in pointed.at
    return replace(zone, pieces=tuple([_lit_piece(piece, pointed, is_meant) for piece in zone.pieces]))


def _lit_piece(piece: Piece, pointed: Pointed, is_meant: bool) -> Piece:
    kinds = ((SPOT, pointed.at), (TOUCH, pointed.touch), (REACH, pointed.reach))
    found = {state for state, ids in kinds if piece.id in ids} | ({SPOT} if is_meant else set())
    return replace(
        piece, state=piece.state | found, on_it=tuple([_lit_piece(lying, pointed, False) for lying in piece.on_it])
    )
