"""Checks of a game's lesson: its script can be played, it takes minutes and no more, and it gives no secret away."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quintain.conformance.cases import Case, Skipped, require
from quintain.conformance.checks import check_game
from quintain.engine.play.lesson import LEARNER, Lesson, LessonStep, lesson_of, played, script
from quintain.engine.play.match import Match

LEAST_MINUTES, MOST_MINUTES = 5, 10
"""How long a lesson may say that it takes."""
PER_WORD, PER_STEP, PER_MOVE, PER_OTHER = 0.4, 4, 10, 2
"""Seconds that a learner needs to read a word, to look at a step, to find a move, and to watch a move of the others."""
LEAST_MOVES = 6
"""The fewest moves that the learner makes."""


def _lesson(cases: Sequence[Case]) -> Lesson:
    """Return the lesson of the cases' game; raises Skipped."""
    if (lesson := lesson_of(cases[0].game)) is None:
        raise Skipped("the game has no lesson")
    return lesson


@check_game
def the_lesson_plays_through(cases: Sequence[Case]) -> None:
    """Each move of the lesson is legal at its step, and the learner sees all places that the step points at."""
    lesson = _lesson(cases)
    steps = [step for step, _ in played(cases[0].game, lesson)]
    require(steps == list(lesson.steps), "the lesson does not come to its last step")


@check_game
def the_lesson_takes_minutes(cases: Sequence[Case]) -> None:
    """A lesson lets the learner move, and takes 5 to 10 minutes: as many as its words and its moves need."""
    lesson = _lesson(cases)
    asked = sum(due.is_asked for due in script(lesson))
    require(asked >= LEAST_MOVES, f"the learner makes only {asked} moves, and should make at least {LEAST_MOVES}")
    said, needs = lesson.minutes, minutes(lesson)
    require(LEAST_MINUTES <= said <= MOST_MINUTES, f"the lesson says that it takes {said} minutes: 5 to 10 are right")
    require(abs(needs - said) <= 1, f"the lesson says that it takes {said} minutes, and it needs about {needs:.1f}")


def minutes(lesson: Lesson) -> float:
    """Return about how many minutes a lesson takes somebody who reads every word."""
    words = sum(len(f"{step.title} {step.words}".split()) for step in lesson.steps)
    asked = sum(due.is_asked for due in script(lesson))
    others = len(script(lesson)) - asked
    return (words * PER_WORD + len(lesson.steps) * PER_STEP + asked * PER_MOVE + others * PER_OTHER) / 60


@check_game
def the_lesson_gives_nothing_away(cases: Sequence[Case]) -> None:
    """A lesson names no card that only other seats know at that step."""
    for step, match in played(cases[0].game, _lesson(cases)):
        names = given_away(match, step)
        require(not names, f"the step {step.title!r} names {', '.join(names)}, which the learner does not know")


def given_away(match: Match, step: LessonStep) -> list[str]:
    """Return the names of pieces in the words of a step that another seat knows and the learner does not."""
    known = "\n".join([*(piece.name for piece in match.view(LEARNER).pieces()), *match.log(LEARNER)])
    others = {piece.name for seat in range(1, match.seats) for piece in match.view(seat).pieces()}
    words = f"{step.title} {step.words}"
    return sorted(name for name in others if name and name not in known and re.search(rf"\b{re.escape(name)}\b", words))
