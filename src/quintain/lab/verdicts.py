"""Verdicts: what the counts of a trial say of cards, decks and seats, each share with its 95 % interval.

`figures` turns the `TrialCounts` of a trial into shares before and after a change and their paired differences. A
difference is that of the two shares; its error comes from what each single deal adds to it, so that deals on which
nothing changed add nothing.

People look at a trial again and again while it grows. Repeated looks would find something by chance alone, so the
intervals are wider than those of a single look: with a part t of the planned games played, they reach
`LOOKS / sqrt(t)` standard errors to each side. By the reflection principle, a random walk leaves such limits at any
time of the run in 5 of 100 runs at most: in 95 of 100 runs the truth lies within the interval at every look, from the
first to the last. At the end, when t is 1, that is 2.24 standard errors in place of the 1.96 of a single look. The
words follow the same interval: a change is `real` if it leaves out 0, a card is `too strong` if its interval leaves
out all that is fair. So what is shown and what is said never differ.

A share is `fair` if it lies in the `BAND` around the even one and its interval is `NEAR` it; `rather strong` or `rather
weak` if it lies beyond the band and its interval leaves out the even share, but not all that is fair; else it is `not
sure`. As long as it is neither fair nor certain, it is `too early`.

A trial is certain, and may end, when all planned games are played, or when neither the word on the share nor that on
the change is likely to become another one by then. `too strong`, `too weak` and `real` stay: the limit is passed. A
fair share, and a change that has not passed the limit, are settled when in 99 of 100 cases the games that are left will
not carry them so far. To give up early makes no false verdict either.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from quintain.lab import noted
from quintain.lab.intervals import CONFIDENCE, LEAST, SURE, wilson_within
from quintain.lab.noted import Thing
from quintain.lab.series import whole
from quintain.lab.trials import Four, Trial, TrialCounts

MOST = 2000
"""How many games a trial plays before and after the change, unless the caller plans another number."""
BAND = 0.06
"""How far a fair share may be from the even one, as a part of it: 47 % to 53 % with two seats."""
NEAR = 0.2
"""How far the interval of a fair share may reach from the even one, as a part of it: 40 % to 60 % with two seats."""
LOOKS = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 4)
"""The standard errors on each side of an interval at the end of a run; at other times see above."""
UNLIKELY = NormalDist().inv_cdf(0.995)
"""The standard errors within which 99 of 100 cases lie."""

Interval = tuple[float, float]
ShareWord = Literal[
    "too strong", "rather strong", "fair", "rather weak", "too weak", "not sure", "fair so far", "too early"
]
ChangeWord = Literal["real", "not sure", "none"]


@dataclass(frozen=True)
class Measure:
    """A share or a mean on one side of a change, with its 95 % interval and the tries that it comes from.

    `error` is its standard error; infinite with fewer than two deals. `reach` are the standard errors on each side of
    the interval: more while a trial grows, since people look at it often.
    """

    value: float
    tries: int
    error: float
    is_share: bool
    reach: float = SURE

    @property
    def interval(self) -> Interval:
        """The bounds of the 95 % interval, which holds for all looks at a trial."""
        return self.within(self.reach)

    def within(self, errors: float) -> Interval:
        """Return the bounds of the interval that leaves out what is more than `errors` standard errors away."""
        if not self.is_share:
            return self.value - errors * self.error, self.value + errors * self.error
        spread = self.value * (1 - self.value)
        weight = spread / self.error**2 if spread and 0 < self.error < math.inf else self.tries
        return wilson_within(self.value, weight, errors)


@dataclass(frozen=True)
class Paired:
    """A thing that was counted before and after a change.

    `before` or `after` is None if it never came up there; then there is no `difference`, which is after less before,
    with its 95 % `interval` and standard `error`. `change` is the word on it: `none` if it made no difference on any
    deal. `may_change` says whether the word can still become another one.
    """

    thing: Thing
    before: Measure | None
    after: Measure | None
    difference: float | None
    interval: Interval | None
    error: float
    change: ChangeWord
    may_change: bool


@dataclass(frozen=True)
class ShareVerdict:
    """A word on the share after a change, and whether it can still become another one."""

    word: ShareWord
    may_change: bool


@dataclass(frozen=True)
class JudgedThing:
    """A card or a deck, with the verdict on the share of `won`, and whether the trial was made for it.

    `won` is the share of the wins of a deck, or of those who drew the card; `played` that of those who played it. If
    all seats draw a card in all games, as in Heirless battles, drawing it tells nothing, and `won` is `played`.
    """

    name: str
    won: Paired
    played: Paired | None
    verdict: ShareVerdict
    is_subject: bool

    @property
    def is_certain(self) -> bool:
        """Whether neither word on it is likely to change."""
        return not self.verdict.may_change and not self.won.may_change


@dataclass(frozen=True)
class Median:
    """The middle of the lengths of games, with its 95 % interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class TrialFigures:
    """What a trial has shown so far.

    `games` were played before the change, as many after it, of `most` that are planned. `even` is the even share of a
    seat. `subjects` are the cards that were changed, or the decks that the options name, for which the trial was made:
    they come first in `cards` and `decks`. `length` is the mean number of decisions, `medians` are the middles of both
    sides. `matches` are match-ups, the clearest changes first, and `counts` are the game's own.
    """

    games: int
    most: int
    even: float
    subjects: tuple[str, ...]
    cards: list[JudgedThing]
    decks: list[JudgedThing]
    seats: list[Paired]
    drawn: Paired | None
    length: Paired | None
    medians: tuple[Median, Median] | None
    matches: list[Paired]
    counts: list[Paired]

    @property
    def judged(self) -> list[JudgedThing]:
        """What the trial was made for: the subjects, or else all decks."""
        named = [each for each in (*self.decks, *self.cards) if each.name in self.subjects]
        return named or self.decks

    @property
    def is_certain(self) -> bool:
        """Whether the trial may end."""
        if self.games >= self.most:
            return True
        return self.games >= LEAST and bool(self.judged) and all(each.is_certain for each in self.judged)


def figures(trial: Trial, counts: TrialCounts, most: int = MOST) -> TrialFigures:
    """Return what a trial has shown, of which `most` games are planned on each side of the change."""
    even, done = 1 / trial.seats, min(1.0, counts.games / most)
    found = {
        thing: paired(thing, fours, whole(trial.seats) if is_win(thing) else 1, done)
        for thing, fours in counts.fours.items()
    }
    of = {kind: [each for thing, each in found.items() if thing.kind == kind] for kind in noted.COUNTED}
    changed, named = trial.changed, trial.named_decks
    played = {each.thing.name: each for each in of[noted.PLAYED]}
    cards = []
    for drawn in of[noted.DRAWN]:
        used = played.get(drawn.thing.name)
        cards.append(_judged(_telling(drawn, used, counts.games * trial.seats), changed, even, done, used))
    decks = [_judged(each, named, even, done) for each in of[noted.DECK]]
    return TrialFigures(
        counts.games,
        most,
        even,
        (*(named or changed),),
        sorted(cards, key=_place_of_judged),
        sorted(decks, key=_place_of_judged),
        sorted(of[noted.SEAT], key=lambda each: int(each.thing.name)),
        next(iter(of[noted.DRAWN_GAMES]), None),
        next(iter(of[noted.LENGTH]), None),
        (median(counts.before), median(counts.after)) if counts.games else None,
        sorted(_once(of[noted.MATCH], [*changed, *trial.deck_names]), key=_clearness),
        sorted([*of[noted.COUNT], *of[noted.MEAN]], key=_clearness),
    )


def is_win(thing: Thing) -> bool:
    """Tell whether the wins of a thing are counted in units of 1 / whole(seats)."""
    return thing.kind in (noted.SEAT, noted.DRAWN, noted.PLAYED, noted.DECK, noted.MATCH)


def paired(thing: Thing, fours: Mapping[Four, int], unit: int = 1, done: float = 1.0) -> Paired:
    """Return the figure of a thing from what single deals have shown; `done` is the part of the planned games."""
    is_share = thing.kind not in (noted.MEAN, noted.LENGTH)
    reach = looked_at(done)
    before, after = (_measure(fours, place, unit, is_share, reach) for place in (0, 2))
    if before is None or after is None:
        return Paired(thing, before, after, None, None, math.inf, "not sure", False)
    rests = ((_rest(four, 2, unit, after) - _rest(four, 0, unit, before), times) for four, times in fours.items())
    difference, error = after.value - before.value, _error(rests)
    interval = (difference - reach * error, difference + reach * error)
    if difference == error == 0:
        return Paired(thing, before, after, difference, interval, error, "none", done < 1)
    is_real = min(before.tries, after.tries) >= LEAST and abs(difference) > reach * error
    may_change = not is_real and abs(difference) > error * (_final(done) - _carried(done))
    return Paired(thing, before, after, difference, interval, error, "real" if is_real else "not sure", may_change)


def looked_at(done: float) -> float:
    """Return the standard errors on each side of an interval when a part `done` of the planned games is played."""
    return LOOKS / math.sqrt(done)


def _measure(fours: Mapping[Four, int], place: int, unit: int, is_share: bool, reach: float) -> Measure | None:
    """Return the share of the wins in the tries at a place of the fours; None without tries."""
    won = sum(four[place] * times for four, times in fours.items())
    tries = sum(four[place + 1] * times for four, times in fours.items())
    if not tries:
        return None
    measure = Measure(won / (unit * tries), tries, math.inf, is_share)
    error = _error((_rest(four, place, unit, measure), times) for four, times in fours.items() if four[place + 1])
    return Measure(measure.value, tries, error, is_share, reach)


def _rest(four: Four, place: int, unit: int, measure: Measure) -> float:
    """Return what a deal adds to a share beyond what its tries would add on average.

    A share is a ratio of sums, and the games of one deal belong together: see Cochran, Sampling Techniques, 1977,
    chapter 6.
    """
    return (four[place] / unit - measure.value * four[place + 1]) / measure.tries


def _error(rests: Iterable[tuple[float, int]]) -> float:
    """Return the standard error of a sum over deals; each rest comes with the number of deals that have it."""
    squares, deals = 0.0, 0
    for rest, times in rests:
        squares += rest * rest * times
        deals += times
    return math.sqrt(squares * deals / (deals - 1)) if deals > 1 else math.inf


def _judged(
    won: Paired, subjects: Iterable[str], even: float, done: float, played: Paired | None = None
) -> JudgedThing:
    name = won.thing.name
    return JudgedThing(name, won, played, verdict(won.after, even, done), name in subjects)


def _telling(drawn: Paired, played: Paired | None, everybody: int) -> Paired:
    """Return what to judge a card by: those who played it if it was drawn in all games by `everybody`."""
    always = all(side is None or side.tries == everybody for side in (drawn.before, drawn.after))
    return played if played and always else drawn


def verdict(share: Measure | None, even: float, done: float) -> ShareVerdict:
    """Return the word on a share, of which `even` would be fair, when a part `done` of the planned games is played."""
    low, high = even * (1 - BAND), even * (1 + BAND)
    if share is None or share.tries < LEAST:
        return ShareVerdict("too early", done < 1)
    least, most = share.within(looked_at(done))
    if least > high:
        return ShareVerdict("too strong", False)
    if most < low:
        return ShareVerdict("too weak", False)
    if low <= share.value <= high and even * (1 - NEAR) <= least and most <= even * (1 + NEAR):
        room = share.error * (_final(done) - _carried(done))
        may_change = done < 1 and (share.value - high > room or low - share.value > room)
        return ShareVerdict("fair so far" if may_change else "fair", may_change)
    if done < 1:
        return ShareVerdict("too early", True)
    if least > even and share.value > high:
        return ShareVerdict("rather strong", False)
    return ShareVerdict("rather weak" if most < even and share.value < low else "not sure", False)


def _final(done: float) -> float:
    """Return how far a finding must be away at the end of the run, in the standard errors of now."""
    return LOOKS * math.sqrt(done)


def _carried(done: float) -> float:
    """Return how far the rest of the run may carry a finding, in the standard errors of now."""
    return UNLIKELY * math.sqrt(max(0.0, 1 - done))


def median(lengths: Mapping[int, int]) -> Median:
    """Return the median of counted lengths, with its 95 % interval: that of the order statistics.

    >>> median({10: 3, 12: 4, 20: 3})
    Median(value=12.0, interval=(10, 20))
    """
    games = sum(lengths.values())
    half, margin = (games - 1) / 2, SURE * math.sqrt(games) / 2
    places = (math.floor(half), math.ceil(half), math.floor(half - margin), math.ceil(half + margin))
    one, other, low, high = (_at(lengths, min(max(0, place), games - 1)) for place in places)
    return Median((one + other) / 2, (low, high))


def _at(lengths: Mapping[int, int], place: int) -> int:
    """Return the length at a place in the order of all lengths, from 0."""
    for length in sorted(lengths):
        place -= lengths[length]
        if place < 0:
            return length
    raise IndexError(place)


def _place_of_judged(each: JudgedThing) -> tuple[bool, float, str]:
    """Sort subjects first, then by how far the share is from the even one, the highest first."""
    return not each.is_subject, -(each.won.after.value if each.won.after else 0.0), each.name


def _clearness(each: Paired) -> tuple[float, float, Thing]:
    """Sort figures by how clear their change is, in standard errors, the clearest first."""
    if each.difference is None:
        return math.inf, 0.0, each.thing
    size = abs(each.difference)
    return -(size / each.error if each.error else math.inf if size else 0.0), -size, each.thing


def _once(matches: Iterable[Paired], first: Sequence[str]) -> list[Paired]:
    """Return each match-up once: from the view of what comes earlier among the names in `first`."""

    def place(name: str) -> int:
        return first.index(name) if name in first else len(first)

    return [each for each in matches if place(each.thing.name) < place(each.thing.other)]
