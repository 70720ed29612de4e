"""The course of a finished match: it is played again, and what its story needs is noted after each entry.

`Course.story` makes the `Story` (see `story`) for any game: rows from the account and the scores, a curve of the scores
by rounds, and the turns in which the lead moved most. A game that has the optional function `story` is given the course
and tells a part of the story by itself. Long matches have thousands of steps: a server plays a few at a time.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple, cast

from msgspec.structs import replace

from quintain.engine.names import capital
from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.engine.play.story import (
    LONGEST,
    Curve,
    GridRow,
    Resigned,
    Story,
    Tale,
    Turned,
    numbers_of,
    shortened,
    with_players,
)
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.state import Event, GameState
from quintain.engine.rules.views import View

MOST_TURNED = 5
"""The most moments that a story names."""


class ToldAt(NamedTuple):
    """An event of the match: the step of the replay that told it, the round in which it did, and the event."""

    step: int
    round: int
    event: Event


class _Step(NamedTuple):
    """What is noted of a step: the round, and the scores in the unit that the view gave them."""

    entry: Entry | None
    packed: bytes
    events: tuple[Event, ...]
    round: int
    unit: str
    numbers: tuple[int, ...]
    lines: tuple[str, ...]


class Course:
    """The course of a finished match, step by step: the deal is step 0, then one step for each entry.

    Steps whose moves have been taken back are not `in_effect`. Games are given a course to tell their story.
    """

    def __init__(self, match: Match) -> None:
        self.match, self.game, self.book = match, match.game, match.book
        self.seats = range(match.seats)
        self.in_effect: list[int] = []
        self._steps: list[_Step] = []
        self._told = 0

    def play(self) -> Iterator[None]:
        """Play the match again, one step at a time; the course is complete after the last one."""
        events_made = 0
        for entry, again in self.match.steps():
            state = again.blinded(None)
            self._note(entry, state, events_made, again.log())
            events_made = state.events_made
            yield

    def _note(self, entry: Entry | None, state: GameState, events_made: int, log: Sequence[str]) -> None:
        if entry and entry.kind == "undo":
            self._take_back(entry.seat)
        view = cast(View, self.game.text.view(self.book, state, SPECTATOR))
        made = range(max(events_made, state.events_made - len(state.events)), state.events_made)
        events = tuple(state.events[number % len(state.events)] for number in made)
        lines = () if entry and entry.kind == "undo" else tuple(log[self._told :])
        packed, unit = zlib.compress(state.pack(), 1), view.scores[0].unit if view.scores else ""
        numbers = tuple(score.number for score in view.scores)
        self.in_effect.append(len(self._steps))
        self._steps.append(_Step(entry, packed, events, view.phase.round, unit, numbers, lines))
        self._told, self.over = len(log), view.phase.unit

    def _take_back(self, seat: int) -> None:
        """Drop the last move of a seat that is in effect."""
        for step in reversed(self.in_effect):
            entry = self._steps[step].entry
            if entry and entry.kind == "move" and entry.seat == seat:
                self.in_effect.remove(step)
                return

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self._steps) - 1

    def state(self, step: int) -> GameState:
        """Return the open state after a step; it belongs to the caller."""
        return self.game.state.unpack(zlib.decompress(self._steps[step].packed))

    def round(self, step: int) -> int:
        """Return the round in which the game was after a step; 0 before the first."""
        return self._steps[step].round

    def mover(self, step: int) -> int | None:
        """Return the seat whose entry made a step; None for the deal."""
        entry = self._steps[step].entry
        return entry.seat if entry else None

    @cached_property
    def told(self) -> tuple[ToldAt, ...]:
        """All events that were not taken back, in order."""
        steps = ((number, self._steps[number]) for number in self.in_effect)
        return tuple(ToldAt(number, step.round, event) for number, step in steps for event in step.events)

    @cached_property
    def ends_of_rounds(self) -> tuple[int, ...]:
        """For each round that has begun, in order, the step that ended it."""
        begun = sorted({self.round(step) for step in self.in_effect} - {0})
        later = ((step for step in self.in_effect if self.round(step) > number) for number in begun)
        return tuple(next(steps, self.last) for steps in later)

    @cached_property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """The score of each seat after each step, in the unit in which the match ended."""
        unit, numbers, found = self._steps[-1].unit, tuple(0 for _ in self.seats), []
        for step in self._steps:
            numbers = step.numbers if step.unit == unit and step.numbers else numbers
            found.append(numbers)
        return tuple(found)

    def lead(self, seat: int, step: int) -> int:
        """Return by how much a seat led the best other one after a step; below 0 if it was behind."""
        numbers = self.scores[step]
        return numbers[seat] - max((number for other, number in enumerate(numbers) if other != seat), default=0)

    def worth(self, since: int, step: int) -> tuple[int, int]:
        """Return the seat whose lead grew most between two steps, and by how much."""
        gains = [(self.lead(seat, step) - self.lead(seat, since), seat) for seat in self.seats]
        gain = max(gain for gain, _ in gains)
        mover = self.mover(step)
        best = [seat for each, seat in gains if each == gain]
        return (mover if mover is not None and mover in best else best[0]), gain

    def story(self) -> Story:
        """Return the story of the match."""
        tell = self.game.story
        tale: Tale = tell(self.book, self) if tell else Tale()
        turned = self._turned() if tale.turned is None else map(self._valued, tale.turned)
        best = sorted((each for each in turned if each.worth > 0), key=lambda each: (-each.worth, each.step))
        story = Story(
            unit=self._steps[-1].unit,
            rows=tale.rows or tuple(self._rows()),
            curve=tale.curve or self.curve(),
            turned=tuple(sorted(best[:MOST_TURNED], key=lambda each: each.step)),
            resigned=tuple(self._resigned()),
            decided=self._decided(),
            ended=(tale.ended or self._ended()) if self.match.outcome and self.match.outcome.scores else "",
        )
        return with_players(story, self.match.names)

    def _valued(self, given: Turned) -> Turned:
        """Return a moment of a game's own with its worth."""
        if given.worth:
            return given
        since = given.step - 1 if given.since is None else given.since
        seat, worth = self.worth(since, given.step)
        return replace(given, since=since, seat=seat, worth=worth)

    def _turned(self) -> Iterator[Turned]:
        """Yield each turn, which is a run of one seat's moves in a round, with what it was worth."""
        since, before = 0, dict(zip(self.in_effect[1:], self.in_effect, strict=False))
        for _, steps in groupby(before, key=lambda step: (self.mover(step), self.round(before[step]))):
            turn = list(steps)
            seat, worth = self.worth(since, turn[-1])
            yield Turned(turn[-1], seat, self._words(turn, since, seat), worth, since)
            since = turn[-1]

    def _words(self, turn: Sequence[int], since: int, seat: int) -> str:
        """Return the round and the lines of a turn; if they are too many, those of the step that was worth most."""
        lines = [line for step in turn for line in self._steps[step].lines]
        if len(" ".join(lines)) > LONGEST:
            gains = [self.lead(seat, step) - self.lead(seat, before) for before, step in pairwise((since, *turn))]
            lines = list(self._steps[turn[gains.index(max(gains))]].lines) or lines
        round_ = f"{capital(self.over)} {self.round(since)}: " if self.round(since) else ""
        return round_ + (shortened(lines) or self._entry_words(turn[-1]))

    def _entry_words(self, step: int) -> str:
        entry = self._steps[step].entry
        return entry.words(self.match.names) if entry else ""

    def _rows(self) -> Iterator[GridRow]:
        """Yield the rows of the account that have numbers, and the total if none of them is."""
        scores, unit = self.scores[-1], self._steps[-1].unit
        lines = [line for line in self.game.text.account(self.book, self.state(self.last)) if line.by_seat]
        total = next((line for line in lines if line.by_seat == scores), None)
        for line in lines:
            yield GridRow(line.words, numbers_of(line.by_seat), line.clause, is_total=line is total)
        if unit and total is None:
            yield GridRow(capital(unit), numbers_of(scores), is_total=True)

    @cached_property
    def _points(self) -> tuple[str, tuple[int, ...], tuple[str, ...]]:
        """What the points of the curve count, the steps of the match at which they stand, and their labels.

        They are the ends of rounds; the moves, if the game has not had two rounds.
        """
        ends = self.ends_of_rounds
        if len(ends) < 2:
            return "move", tuple(self.in_effect), tuple(map(str, range(len(self.in_effect))))
        labels = (str(self.round(step) if step == self.last else self.round(step) - 1) for step in ends)
        return self.over, (0, *ends), ("0", *labels)

    def curve(self) -> Curve | None:
        """Return the scores at the end of each round; after each entry, if the game has not had two rounds."""
        unit, (over, points, labels) = self._steps[-1].unit, self._points
        if not unit:
            return None
        by_seat = tuple(tuple(self.scores[step][seat] for step in points) for seat in self.seats)
        return Curve(unit, over, labels, by_seat)

    def _resigned(self) -> Iterator[Resigned]:
        for number, step in enumerate(self._steps):
            if step.entry and step.entry.kind == "resign":
                when = f"in {self.over} {step.round}" if step.round else "before the first " + self.over
                yield Resigned(step.entry.seat, number, when)

    def _ended(self) -> str:
        """Return that all rounds are over, if the game has a fixed number of them and this was the last."""
        phase = self.game.phase(self.book, self.state(self.last), SPECTATOR)
        if phase.rounds is None or phase.round < phase.rounds:
            return ""
        return f"All {phase.rounds} {phase.unit}s are over." if phase.rounds > 1 else f"The {phase.unit} is over."

    def _decided(self) -> str:
        """Return since when the only winner led, by the ends of rounds; empty if nobody won by a higher score."""
        outcome = self.match.outcome
        if outcome is None or outcome.scores is None or outcome.ranks.count(1) != 1:
            return ""
        seat, (over, points, labels) = outcome.ranks.index(1), self._points
        leads = [self.lead(seat, step) > 0 for step in points]
        since = len(leads) - sum(1 for _ in takewhile(bool, reversed(leads)))
        if since == len(leads):
            return ""
        if len(self.in_effect) > 1 and self.lead(seat, self.in_effect[-2]) <= 0:
            return "The last move decided it."
        if not any(any(self.scores[step]) for step in points[:since]):
            return "The lead never changed."
        return f"The lead changed for the last time in {over} {labels[since]}."


def story_of(match: Match) -> Story:
    """Return the story of a finished match; raises QuintainError before the end."""
    course = Course(match)
    for _ in course.play():
        pass
    return course.story()
