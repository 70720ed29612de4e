"""Checks of the story of a finished match: it can be told of every match, and its numbers are true."""

from __future__ import annotations

import random
import re

from quintain.conformance.cases import Case, require
from quintain.conformance.checks import check
from quintain.conformance.matches import NOT_A_NAME
from quintain.engine.errors import quoted
from quintain.engine.play.course import Course
from quintain.engine.play.match import Match
from quintain.engine.play.story import Story
from quintain.engine.play.verdict import verdict


@check
def stories_are_true(case: Case) -> None:
    """Every finished match has a story: its total and its curve end with the final scores, and its worths are true."""
    for match in _finished(case):
        course = Course(match)
        for _ in course.play():
            pass
        story = course.story()
        _check_rows(case, match, story)
        _check_curve(match, story)
        _check_turned(course, story)
        _check_words(match, story)


def _finished(case: Case) -> list[Match]:
    """Return finished matches with moves taken back: in one, a seat of many resigns; one ends by resignations."""
    whole, given_up = case.match(31), case.match(40)
    _play(whole, random.Random(31), case.length // 2)
    if case.seats > 2 and whole.outcome is None:
        whole.resign(0)
    _play(whole, random.Random(32))
    _play(given_up, random.Random(40), case.length // 3)
    for seat in range(case.seats - 1):
        if given_up.outcome is None:
            given_up.resign(seat)
    return [match for match in (whole, given_up) if match.outcome]


def _play(match: Match, chooser: random.Random, most: int | None = None) -> None:
    """Play random moves, and take some back, until a match is over or has this many entries."""
    while match.to_act and (most is None or len(match.moves_made) < most):
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
        if seat in match.to_act and chooser.random() < 0.1 and match.can_undo(seat):
            match.undo(seat)


def _check_rows(case: Case, match: Match, story: Story) -> None:
    clauses = set(re.findall(r"\*\*([A-Z]+-\d+)\*\*", case.game.text.rulebook()))
    totals = [row for row in story.rows if row.is_total]
    require(len(totals) == 1, f"the story has {len(totals)} rows that are the total, and must have one")
    for row in story.rows:
        require(len(row.cells) == match.seats, f"the row {quoted(row.words)} has no cell for each seat")
        known = not clauses or not row.clause or row.clause in clauses
        require(known, f"the row {quoted(row.words)} names the clause {row.clause}, which is not in the rulebook")
    scores = match.outcome.scores if match.outcome else None
    if scores is not None:
        require(story.total == scores, f"the total of the story is {story.total}, but the final scores are {scores}")


def _check_curve(match: Match, story: Story) -> None:
    curve = story.curve
    if curve is None:
        return
    lines = (*curve.by_seat, *curve.thin)
    right = len(curve.by_seat) == match.seats and len(curve.thin) in (0, match.seats)
    require(right, "the curve has no line for each seat")
    require(all(len(line) == len(curve.labels) for line in lines), "a line of the curve has no number for each label")
    last = tuple(line[-1] for line in curve.by_seat)
    if curve.is_score:
        require(last == story.total, f"the curve ends with {last}, but the total is {story.total}")


def _check_turned(course: Course, story: Story) -> None:
    steps = [each.step for each in story.turned]
    require(steps == sorted(steps), "the moments do not stand in the order of play")
    for each in story.turned:
        require(0 < each.step <= course.last, f"a moment is at step {each.step}, which is none of the replay")
        require(each.seat in course.seats and each.worth > 0, f"the moment {quoted(each.words)} helped nobody")
        if each.since is not None and each.seat is not None:
            moved = course.lead(each.seat, each.step) - course.lead(each.seat, each.since)
            words = f"the moment {quoted(each.words)} says that it is worth {each.worth}, but the lead moved by {moved}"
            require(each.worth == moved, words)


def _check_words(match: Match, story: Story) -> None:
    cells = [cell.words for row in story.rows for cell in row.cells]
    notes = [words for row in story.rows for words in (row.words, row.note)]
    assert match.outcome
    said = [verdict(match.names, match.outcome, story, viewer) for viewer in (None, *range(match.seats))]
    moments = [each.words for each in story.turned]
    for words in (*cells, *notes, *moments, *(each.head for each in said), *(each.why for each in said)):
        require(not NOT_A_NAME.search(words), f"the story has a seat in the place of a name: {quoted(words)}")
    require(all(row.words for row in story.rows) and all(moments), "a row or a moment of the story has no words")
