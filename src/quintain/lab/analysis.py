"""Analyses a finished match: judges every decision by what its player could know, and tells luck from skill.

`positions` yields what is to be judged, and `judge` judges one of them. Each seat has a curve of its chances by what it
knew, and there is one with all cards open. What decisions gave away and what the cards did adds up to the result, for
any number of seats: see `Analysis.luck_and_skill`. `expected_line` shows how the adviser expects the game to go on.

An `Analysis` is data that can be kept as JSON. The command line and the server draw it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from statistics import NormalDist
from typing import Any, NamedTuple, cast

from msgspec import Struct, structs

from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts, warm_up
from quintain.bots.tree import ANY
from quintain.engine.errors import QuintainError
from quintain.engine.play.match import Match
from quintain.engine.rules.contract import lowest_seat
from quintain.engine.rules.state import GameState
from quintain.engine.rules.views import Line
from quintain.engine.seen.seen import POSSIBLE_TRUTH, Seen
from quintain.engine.version import __version__
from quintain.lab.candidates import Candidate, judge_candidates, without
from quintain.lab.matches import shares

__all__ = [
    "Analysis",
    "Candidate",
    "ExpectedMove",
    "Job",
    "JudgedStep",
    "LuckAndSkill",
    "Position",
    "analyse",
    "begun",
    "expected_line",
    "judge",
    "judging",
    "positions",
]

CONFIDENCE = 0.95
LEAST_LOSS = 0.02
"""The least share of expected wins that counts as given away, however surely it is known."""
FIRST_TRIES, TRIES, BETTER_TRIES = 300, 3_000, 30_000
"""How often each candidate is tried for a first picture, usually, and by a better adviser, who finds the chances of the
seats with no more tries than usual.
"""
MOST_TRIES = 200_000
"""The most tries for all candidates of one decision, so that a decision with very many takes no longer than others."""
JOB_TRIES = 6_000
"""The tries of one job: about 0.03 to 0.2 seconds."""
LINE_TRIES = 2_000
"""How often the adviser tries all moves together, for each move of the line that it expects."""


class Position(NamedTuple):
    """What is to be judged: a position of a finished match in which a seat made a choice, or resigned.

    `number` is that of the entry in the match, from 1, and `action` what the seat did; None if it resigned. `seens`
    are what all seats saw, without their logs. `state` hides nothing. If the position `is_forced`, nobody chose.
    `resigned` are the seats that had resigned before; the match chose their moves at random.
    """

    number: int
    seat: int
    action: int | None
    seens: tuple[Seen, ...]
    state: GameState
    is_forced: bool
    resigned: tuple[int, ...] = ()


class JudgedStep(Struct, frozen=True):
    """A judged position: the chances in it, and those of all candidates if its player had a choice.

    `known` are the chances of all seats, each by what it knew; that of the seat that decides is the chance of its best
    move. `opened` are the chances with all cards open if it makes this best move, `opened_after` if it does what it
    did. `candidates` are all its moves, the best first; there are none if it had no choice. `action` is None for a
    resignation.
    """

    number: int
    seat: int
    action: int | None
    text: str
    known: tuple[float, ...]
    opened: tuple[float, ...]
    opened_after: tuple[float, ...]
    candidates: tuple[Candidate, ...] = ()
    best_does: tuple[Line, ...] = ()
    """What the better move does by its preview, to the seat that decided, and the move that was made does not."""
    made_does: tuple[Line, ...] = ()
    """The same of the move that was made."""

    @property
    def best(self) -> Candidate | None:
        """The best candidate; None if there was no choice."""
        return self.candidates[0] if self.candidates else None

    @property
    def made(self) -> Candidate | None:
        """The candidate that was chosen; None if there was no choice, or for a resignation."""
        return next((each for each in self.candidates if each.action == self.action), None)

    @property
    def after(self) -> float:
        """The chance of the seat after what it did, by what it knew."""
        if self.action is None:
            return 0.0
        return self.made.share if self.made else self.known[self.seat]

    @property
    def is_decision(self) -> bool:
        """Whether the seat chose among several moves, or resigned."""
        return self.action is None or len(self.candidates) > 1

    @property
    def lost(self) -> float:
        """The share of expected wins that was given away, from 0 to 1.

        It counts as 0 below `LEAST_LOSS`, and if it may be an error of judging: the best of many candidates seems
        better than it is, so the more candidates there are, the surer the difference must be.
        """
        if self.action is None:
            lost = self.known[self.seat]
            return lost if lost >= LEAST_LOSS else 0.0
        best, made = self.best, self.made
        if best is None or made is None or best is made:
            return 0.0
        rivals = len(self.candidates) - 1
        sure = NormalDist().inv_cdf((1 + CONFIDENCE ** (1 / rivals)) / 2)
        lost = best.share - made.share
        return lost if lost >= LEAST_LOSS and lost > sure * math.hypot(best.error, made.error) else 0.0


class LuckAndSkill(Struct, frozen=True):
    """What a player's own decisions, those of the others and the cards did for them, as shares of a win.

    It adds up: `even` + `cards` - `lost` + `gained` = `result`. `even` is the share of each player if all are alike.
    `lost` is what their decisions gave away, `gained` their part of what those of the others did. `cards` is the rest:
    the deal, the draws, and what hidden cards made of good and bad decisions. Of `decisions`, `free` gave nothing away.
    """

    seat: int
    even: float
    cards: float
    lost: float
    gained: float
    result: float
    decisions: int
    free: int


class Analysis(Struct, frozen=True, dict=True):
    """A finished match, as far as it is judged. Shares of wins are from 0 to 1.

    `results` is the share of each seat in the end. `steps` are the judged positions so far, of `total` in all. The
    adviser tried each candidate about `tries` times; `version` is that of Quintain.
    """

    game: str
    results: tuple[float, ...]
    total: int
    tries: int
    steps: tuple[JudgedStep, ...] = ()
    version: str = __version__

    @property
    def even(self) -> float:
        """The share of each player if all are alike."""
        return 1 / len(self.results)

    @property
    def is_whole(self) -> bool:
        """Whether all positions are judged."""
        return len(self.steps) == self.total

    @cached_property
    def decisions(self) -> tuple[JudgedStep, ...]:
        """The judged positions in which a player had a choice."""
        return tuple(step for step in self.steps if step.is_decision)

    @cached_property
    def worst(self) -> tuple[JudgedStep, ...]:
        """The decisions that gave something away, the costliest first."""
        return tuple(sorted((step for step in self.decisions if step.lost), key=lambda step: -step.lost))

    @cached_property
    def cards(self) -> tuple[tuple[float, ...], ...]:
        """What the cards gave each seat: with the deal, and then at each judged position.

        The sum over all positions of a whole analysis is `LuckAndSkill.cards`. At each position it is the change of the
        open chance, less what the decision gave away: what chance did, and what the hidden cards made of the decision.
        """
        opened = [*(step.opened for step in self.steps), self.results if self.is_whole else self._last]
        found = [tuple(chance - self.even for chance in opened[0])]
        for step, (before, after) in zip(self.steps, pairwise(opened), strict=True):
            moved = (then - now for now, then in zip(before, after, strict=True))
            found.append(tuple(by - self._gained(step, seat) for seat, by in enumerate(moved)))
        return tuple(found)

    def luck_and_skill(self) -> tuple[LuckAndSkill, ...]:
        """Return for each seat what decisions and cards did; before all is judged, up to the last judged position.

        What a player gives away, the others gain in equal parts, but for those that have resigned.
        """
        results, found = self.results if self.is_whole else self._last, []
        for seat, result in enumerate(results):
            own = [step for step in self.decisions if step.seat == seat]
            lost = sum(step.lost for step in own)
            gained = sum(self._gained(step, seat) for step in self.decisions if step.seat != seat)
            free = sum(not step.lost for step in own)
            cards = result - self.even + lost - gained
            found.append(LuckAndSkill(seat, self.even, cards, lost, gained, result, len(own), free))
        return tuple(found)

    @cached_property
    def _resignations(self) -> tuple[JudgedStep, ...]:
        return tuple(step for step in self.steps if step.action is None)

    @property
    def _last(self) -> tuple[float, ...]:
        """The chances with all cards open after the last judged position."""
        return self.steps[-1].opened_after if self.steps else (self.even,) * len(self.results)

    def _gained(self, step: JudgedStep, seat: int) -> float:
        """Return what a position gave a seat by the decision in it: less than nothing to the seat that decided.

        The others gain in equal parts, but for those that have resigned.
        """
        if step.seat == seat:
            return -step.lost
        gone = {each.seat for each in self._resignations if each.number < step.number}
        others = [each for each in range(len(self.results)) if each not in gone and each != step.seat]
        return step.lost / len(others) if seat in others else 0.0


class Job(NamedTuple):
    """A piece of judging that a process can do by itself: a function and what it is given."""

    do: Callable[..., object]
    given: tuple[object, ...]


Work = Generator[Job, Any, JudgedStep]
"""Judging in small jobs: yields one after the other, is sent what each returns, and returns the result."""


class ExpectedMove(NamedTuple):
    """A move that the adviser expects: the seat that makes it, its words, and what a viewer sees after it."""

    seat: int
    text: str
    seen: Seen


def analyse(finished: Match, tries: int = TRIES, progress: Callable[[], None] = lambda: None) -> Analysis:
    """Return the analysis of a finished match, with each candidate tried so many times.

    `progress` is called after each judged position. Raises QuintainError before the end of the match.
    """
    warm_up(finished.game)
    analysis, steps = begun(finished, tries), []
    for position in positions(finished):
        steps.append(judge(position, tries))
        progress()
    return structs.replace(analysis, steps=tuple(steps))


def begun(finished: Match, tries: int = TRIES) -> Analysis:
    """Return the analysis of a finished match in which nothing is judged yet; raises QuintainError before its end."""
    if finished.outcome is None:
        raise QuintainError("a match is analysed only when it is over")
    return Analysis(finished.game.id, tuple(shares(finished.outcome.ranks)), len(_judged(finished)), tries)


def positions(finished: Match) -> Iterator[Position]:
    """Yield the positions of a finished match that are judged, in order: all that were not taken back.

    Raises QuintainError before the end of the match.
    """
    wanted, resigned = set(_judged(finished)), set[int]()
    entries = enumerate(finished.moves_made, 1)
    for _, before in finished.steps():
        number, entry = next(entries, (0, None))
        if entry is None or number not in wanted:
            continue
        seens = tuple(replace(before.seen(seat), log=(), changes=()) for seat in range(finished.seats))
        seen, gone = seens[entry.seat], tuple(sorted(resigned))
        if entry.kind == "resign":
            resigned.add(entry.seat)
        action = None if entry.kind == "resign" else seen.understood(entry.text)
        is_forced = entry.auto or len(seen.legal) == 1
        yield Position(number, entry.seat, action, seens, before.seen(None).state, is_forced, gone)


def _judged(finished: Match) -> list[int]:
    """Return the numbers of the entries that are moves or resignations, and were not taken back."""
    entries, numbers = finished.moves_made, list[int]()
    for number, entry in enumerate(entries, 1):
        if entry.kind == "undo":  # takes back the last move of its seat, after which others may have chosen in secret
            numbers.remove(max(each for each in numbers if entries[each - 1].seat == entry.seat))
        elif entry.kind in ("move", "resign"):
            numbers.append(number)
    return numbers


def judge(position: Position, tries: int = TRIES) -> JudgedStep:
    """Judge a position, with each candidate tried so many times."""
    return cast(JudgedStep, _done(judging(position, tries)))


def judge_choice(position: Position, tries: int = TRIES) -> JudgedStep:
    """Judge what a seat chose and nothing else, as `judge` does: without chances, which luck and skill do not need.

    A position in which a seat resigned is judged whole, since what it gave away is its chance.
    """
    if position.action is None:
        return judge(position, tries)
    candidates = _done(_candidates(position, tries))
    return JudgedStep(position.number, position.seat, position.action, "", (), (), (), candidates)


def _done(work: Generator[Job, Any, Any]) -> Any:
    """Do all jobs of some work, one after the other, and return what it finds."""
    try:
        job = next(work)
        while True:
            job = work.send(job.do(*job.given))
    except StopIteration as end:
        return end.value


def judging(position: Position, tries: int) -> Work:
    """Judge a position in jobs that take a fraction of a second, for a caller that lets others do them.

    Whoever does them must have compiled the search (`bots.ismcts.warm_up`); else it would try less often than asked.
    """
    seat, action = position.seat, position.action
    seen = position.seens[seat]
    candidates = yield from _candidates(position, tries)
    best = candidates[0].action if candidates else ANY if action is None else action
    known, opened, after = yield Job(_chances, (position, candidates[:1], best, min(tries, TRIES)))
    step = JudgedStep(
        position.number,
        seat,
        action,
        "" if action is None else next(move.text for move in seen.moves if move.action == action),
        known,
        opened,
        after,
        candidates,
    )
    if step.lost and step.best and step.made:
        best_does, made_does = yield Job(_what_they_do, (seen, best, action))
        return structs.replace(step, best_does=best_does, made_does=made_does)
    return step


def _candidates(position: Position, tries: int) -> Generator[Job, Any, tuple[Candidate, ...]]:
    """Judge all candidates alike, from what their player saw; none if there was no choice."""
    seen = position.seens[position.seat]
    if position.is_forced or position.action is None:
        return ()
    each, found = max(1, min(tries, MOST_TRIES // len(seen.legal))), list[Candidate]()
    together = max(1, JOB_TRIES // each)
    for first in range(0, len(seen.legal), together):
        some = seen.legal[first : first + together]
        found += yield Job(judge_candidates, (seen, each, position.number, some, position.resigned))
    return tuple(sorted(found, key=lambda one: -one.share))


def _chances(
    position: Position, best_known: Sequence[Candidate], best: int, tries: int
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return the chances of all seats, each by what it knew, and with all cards open before and after the move.

    `best` is the best action of the seat that decides, and `best_known` its judgement, if it had a choice.
    """
    seat, action, seed, resigned = position.seat, position.action, position.number, position.resigned
    known = []
    for viewer, seen in enumerate(position.seens):
        if viewer == seat and best_known:
            known.append(best_known[0].share)
        else:
            chances = _expected(seen, tries, seed, best if viewer == seat else ANY)
            known.append(without(chances, resigned)[viewer])
    open_seen = replace(position.seens[seat], state=position.state)
    opened = after = _expected(open_seen, tries, seed, best, is_open=True)
    if action is not None and action != best:
        after = _expected(open_seen, tries, seed, action, is_open=True)
    then_resigned = (*resigned, seat) if action is None else resigned
    return tuple(known), without(opened, resigned), without(after, then_resigned)


def _what_they_do(seen: Seen, best: int, made: int) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Return the lines of the previews of two actions that are not those of both."""
    found = dict(seen.previews([(best,), (made,)]))
    one, other = (found[path,].lines if (path,) in found else () for path in (best, made))
    return tuple(line for line in one if line not in other), tuple(line for line in other if line not in one)


def _expected(seen: Seen, tries: int, seed: int, only: int, is_open: bool = False) -> tuple[float, ...]:
    """Return the chances of all seats from what one of them sees, or with `is_open` from a state that hides nothing."""
    adviser = Ismcts(seen.game, seed, threads=1)
    return adviser.expect(seen, Budget(tries), only, is_open=is_open)[: len(seen.names)]


def expected_line(seen: Seen, action: int, length: int = 3) -> Iterator[ExpectedMove]:
    """Yield an action and the best moves after it, as the adviser expects them in one deal that a seat thinks possible.

    Each player of the line knows what their own seat sees in this deal. It depends on nothing that the seat cannot see.
    """
    game, book, viewer = seen.game, seen.book, seen.seat
    world, actor = seen.state.copy(), viewer
    game.rules.redeal(book, world, POSSIBLE_TRUTH)
    for number in range(length):
        asked = replace(Seen.of(game, book, game.blinded(book, world, actor), actor), names=seen.names)
        text = next(move.text for move in asked.moves if move.action == action)
        made_by = actor
        game.rules.play(book, world, actor, action)
        bits = game.rules.to_act(book, world)
        shown = replace(Seen.of(game, book, game.blinded(book, world, viewer), viewer), names=seen.names)
        yield ExpectedMove(made_by, text, shown)
        if not bits or number == length - 1:
            return
        actor = lowest_seat(bits)
        after = Seen.of(game, book, game.blinded(book, world, actor), actor)
        judged = Ismcts(game, POSSIBLE_TRUTH, threads=1).judge(after, Budget(LINE_TRIES))
        action = max(judged, key=lambda one: (one.simulations, one.share)).action
