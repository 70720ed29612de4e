"""What a worker does for a trial: it plays for a moment, and says how far it is and what the games have shown.

A worker may end at any time, so all that it needs comes with each job: an `TrialOrder`, which says what is played, and
`done`, which it packed at the end of the job before. It remembers the last trials, and need not unpack them then.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from collections import Counter, OrderedDict
from collections.abc import Generator
from dataclasses import astuple, dataclass, field, replace
from typing import NamedTuple

import msgspec

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.registry import game
from quintain.engine.version import __version__
from quintain.lab.intervals import LEAST
from quintain.lab.noted import Thing
from quintain.lab.trials import Four, Trial, TrialCounts, parts, playing_trial, prepare
from quintain.lab.verdicts import Measure, Paired, TrialFigures, figures
from quintain.server.workshop.set_options import given_options, match_options, seats_of

SEED = 1
"""The seed of all trials: two changes of a set are tried on the same deals."""
KEPT = 64
"""The trials that a worker remembers."""
MOST_MATCHES, MOST_CURVES = 12, 16
"""The match-ups that are kept, and the growing lines."""
STEP = 1.12
"""The points of a line stand so many times the games before apart, but for the last one, which is where it is now."""

Point = tuple[int, tuple[float, float, float] | None, tuple[float, float, float] | None]
"""A point of a growing line: games, then the share or the mean before and now, each with its interval."""


@dataclass(frozen=True)
class TrialOrder:
    """What a trial plays: two values of an option of a game, which are the text of a set, or of the deck of a seat."""

    game: str
    option: str
    before: str
    after: str
    is_deck: bool
    level: str
    most: int

    def id(self, subject: str) -> str:
        """Return a hash of all that decides the games, for a set or a deck."""
        parts_of_id = (subject, __version__, game(self.game).version, *astuple(self))
        return hashlib.sha256(msgspec.msgpack.encode(parts_of_id)).hexdigest()[:32]

    @property
    def trial(self) -> Trial:
        """The trial without deals; raises BadOption if the game does not take the set or the deck.

        A set is played with its own options before and after, but on equal deals both sides have the seats of after.
        """
        found, both = game(self.game), (self.before, self.after)
        if self.is_deck:
            one, other = ({self.option: [text]} for text in both)
            return Trial.new(found, one, other, self.level, SEED)
        seats = seats_of(found, given_options(found, self.after))
        one, other = (match_options(found, text) for text in both)
        return Trial.new(found, one, other, self.level, SEED, seats)


class TrialFound(msgspec.Struct):
    """What a trial has shown so far: its figures, and by the names of what it is about, how their shares have grown."""

    figures: TrialFigures
    curves: dict[str, list[Point]]


class TrialStep(NamedTuple):
    """How far a trial is after a job.

    `done` is for the next job, `found` a packed `TrialFound`, empty if there was no need for one. `problem` says why
    the bots cannot play on.
    """

    done: bytes
    games: int
    found: bytes = b""
    is_over: bool = False
    problem: str = ""


class _Done(msgspec.Struct, array_like=True):
    """What is packed between two jobs."""

    first: int
    games: int
    fours: list[tuple[Thing, list[tuple[Four, int]]]]
    before: dict[int, int]
    after: dict[int, int]
    curves: dict[str, list[Point]]


@dataclass
class _Playing:
    """A trial that a worker remembers: what is counted up to the deal `first`, and the part that it plays now."""

    trial: Trial
    most: int
    counts: TrialCounts = field(default_factory=TrialCounts)
    first: int = 0
    curves: dict[str, list[Point]] = field(default_factory=dict)
    packed: bytes = b""
    is_packed: bool = True
    is_shown: bool = True
    """Whether all that is counted is packed, and shown in figures: each takes as long as some games."""
    left: list[Trial] = field(default_factory=list)
    part: Generator[None, None, TrialCounts] | None = None

    def play(self, until: float) -> None:
        """Play until a time, or to the end."""
        while self.left:
            if self.part is None:
                self.part = playing_trial(self.left[0])
            try:
                next(self.part)
            except StopIteration as end:
                self.counts += end.value
                self.is_packed = self.is_shown = False
                self.first += self.left.pop(0).deals
                self.part = None
            if time.monotonic() >= until:
                return

    def found(self) -> TrialFigures:
        """Return what the games have shown, and add a point to the lines; one that came just before goes."""
        self.is_packed, self.is_shown = False, True
        found = figures(self.trial, self.counts, self.most)
        named = {each.name: each.won for each in found.judged} | {each.thing.name: each for each in found.counts}
        for name, each in [*named.items()][:MOST_CURVES]:
            if _bounds(each.after) is None:
                continue
            line = self.curves.setdefault(name, [])
            if line and (line[-1][0] == found.games or (len(line) > 1 and line[-1][0] < line[-2][0] * STEP)):
                line.pop()
            line.append((found.games, _bounds(each.before), _bounds(each.after)))
        return replace(found, matches=_told_matches(found)[:MOST_MATCHES])

    def pack(self) -> bytes:
        """Return what another worker would need to go on."""
        if self.is_packed:
            return self.packed
        fours = [(thing, [*found.items()]) for thing, found in self.counts.fours.items()]
        counts = self.counts
        done = _Done(self.first, counts.games, fours, counts.before, counts.after, self.curves)
        self.packed, self.is_packed = zlib.compress(msgspec.msgpack.encode(done), 1), True
        return self.packed

    def unpack(self, packed: bytes) -> None:
        """Go on from what a worker has packed."""
        if packed:
            done = msgspec.msgpack.decode(zlib.decompress(packed), type=_Done)
            fours = {thing: Counter(dict(found)) for thing, found in done.fours}
            self.counts = TrialCounts(done.games, fours, Counter(done.before), Counter(done.after))
            self.first, self.curves, self.packed, self.is_shown = done.first, done.curves, packed, False
        self.left = [*parts(self.trial, self.most, self.first)]


_remembered: OrderedDict[TrialOrder, _Playing] = OrderedDict()


def get_ready(order: TrialOrder) -> None:
    """Get ready for a trial, so that its first games come at once."""
    try:
        _playing(order, b"")
    except QuintainError:
        return  # the trial itself says what is wrong


def play_on(order: TrialOrder, done: bytes, seconds: float, wants_figures: bool, to_end: bool) -> TrialStep:
    """Play a trial for some seconds from where it is. It is over at its last game, or else when it is certain.

    If somebody `wants_figures`, they come as soon as more games are counted.
    """
    try:
        playing = _playing(order, done)
    except BadOption as error:
        return TrialStep(done, 0, is_over=True, problem=str(error))
    playing.play(time.monotonic() + seconds)
    is_over = not playing.left
    is_wanted = wants_figures and not playing.is_shown
    if not (is_wanted or is_over) or not playing.counts.games:
        return TrialStep(playing.pack(), playing.counts.games)
    found = playing.found()
    packed = pack_found(TrialFound(found, playing.curves))
    return TrialStep(playing.pack(), found.games, packed, is_over or (found.is_certain and not to_end))


def pack_found(found: TrialFound) -> bytes:
    """Return what a trial has shown as bytes."""
    return zlib.compress(msgspec.msgpack.encode(found), 1)


def unpack_found(packed: bytes) -> TrialFound:
    """Return what a trial has shown from bytes."""
    return msgspec.msgpack.decode(zlib.decompress(packed), type=TrialFound)


def _playing(order: TrialOrder, done: bytes) -> _Playing:
    """Return a trial as this worker remembers it, if that is how far it is; else from what is packed."""
    found = _remembered.get(order)
    if found is None or found.packed != done:
        found = _Playing(order.trial, order.most)
        found.unpack(done)
        prepare(found.trial)
        _remembered[order] = found
    _remembered.move_to_end(order)
    if len(_remembered) > KEPT:
        _remembered.popitem(last=False)
    return found


def _told_matches(found: TrialFigures) -> list[Paired]:
    """Return the match-ups that tell most: those of decks where decks meet, or else those of changed cards."""
    decks = {each.name for each in found.decks}
    return [each for each in found.matches if {each.thing.name, each.thing.other} <= decks] or found.matches


def _bounds(measure: Measure | None) -> tuple[float, float, float] | None:
    """Return a point of a line; None for a share of a handful of games."""
    if measure is None or (measure.is_share and measure.tries < LEAST):
        return None
    return (measure.value, *measure.interval)
