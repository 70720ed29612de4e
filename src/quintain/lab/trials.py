"""Trials: a game played before and after a change, on equal deals, chunk by chunk.

A `Trial` says what is played. `play_trial` plays some of its deals, in any process, and returns `TrialCounts`, which
`+` adds up in any order. `verdicts.figures` turns them into shares with their intervals. Game i before and game i
after have the same deal and the same chance. Games with decks play each deal with the decks at each other's seats, too;
in other games all seats are alike, so that this would only repeat the same game.

Simple bots play in compiled code (see `noted`). The cards are data there, so a changed set compiles nothing. None of
these modules needs numpy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations, cycle, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from quintain.bots.playout import POLICY_BOT, part_drivers
from quintain.engine.errors import BadOption
from quintain.engine.rules.collection import ListedCard
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.decks import Decks
from quintain.engine.rules.game import Game
from quintain.lab import matches
from quintain.lab.noted import Finished, Players, Thing, without_pauses
from quintain.lab.series import Series, ready

if TYPE_CHECKING:
    from quintain.lab.pools import WorkerPool  # it needs processes, which a browser does not have

POLICY = "policy"
"""The name of the bot that plays by the game's own policy, which is the fastest."""
OWN_DECK = "your deck"
"""What a deck is called that is not ready made."""
MOST_IN_PART = 64
"""The most deals that a worker plays at a time."""
MOST_CHANGED = 4
"""The most changed cards that are counted against each other card."""

Four = tuple[int, int, int, int]
"""What one deal shows of a thing: wins and tries before, then after. Wins are in units of 1 / `whole(seats)`."""


@dataclass
class TrialCounts:
    """What was counted in some deals of a trial: `games` before the change, and as many after it.

    For each thing, `fours` says how many deals showed the same. `before` and `after` say how many games had each
    number of decisions.
    """

    games: int = 0
    fours: dict[Thing, Counter[Four]] = field(default_factory=dict)
    before: Counter[int] = field(default_factory=Counter)
    after: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: TrialCounts) -> TrialCounts:
        """Return the counts of both; the order makes no difference."""
        fours = {thing: self.fours.get(thing, Counter()) + found for thing, found in other.fours.items()}
        return TrialCounts(
            self.games + other.games, {**self.fours, **fours}, self.before + other.before, self.after + other.after
        )


class DeckPair(NamedTuple):
    """Two decks that play each other before and after the change, and what they are called; empty without decks."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trial:
    """A game before and after a change, and a number of its deals, from number `first` on. Can be pickled."""

    before: Series
    after: Series
    first: int = 0
    deals: int = 0
    releases_gil: bool = False

    @staticmethod
    def new(
        game: Game,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        bot: str = POLICY,
        seed: int = 0,
        seats: int | None = None,
    ) -> Trial:
        """Return a trial without deals of two mappings of options, in which one bot plays all seats.

        Raises BadOption, of which BadCards and BadDeck name the line and the card, and say what would be right.
        """
        bots = [POLICY_BOT if bot == POLICY else bot] * game.check_seats(seats)
        return Trial.between(Series.new(game, bots, before, seed), Series.new(game, bots, after, seed))

    @staticmethod
    def between(before: Series, after: Series) -> Trial:
        """Return a trial without deals of two series; raises BadOption as `new` does."""
        if len(before.bots) != len(after.bots):
            raise BadOption(f"equal deals need equal seats, not {len(before.bots)} before and {len(after.bots)} after")
        if before.seed != after.seed:
            raise BadOption("before and after must have the same seed")
        trial = Trial(before, after)
        for one, other in (trial.seated(0, seating) for seating in range(trial.seatings)):
            ready(one), ready(other)
        return trial

    def part(self, first: int, deals: int) -> Trial:
        """Return the same trial with other deals."""
        return replace(self, first=first, deals=deals)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.before.bots)

    @property
    def pairings(self) -> list[DeckPair]:
        """The pairs of decks that play each other, one after the other; one empty pairing in a game without decks.

        If the options name decks, the first of them plays the others, or else those that are ready made. Otherwise all
        that are ready made play each other.
        """
        return _pairings(self.before, self.after)

    @property
    def deck_names(self) -> list[str]:
        """What all decks of the trial are called."""
        return [*dict.fromkeys(name for pairing in self.pairings for name in pairing.names)]

    @property
    def named_decks(self) -> list[str]:
        """What the deck is called that the options name for the trial; empty if they name none."""
        return self.deck_names[:1] if _named_decks(self.after) else []

    @property
    def seatings(self) -> int:
        """How many times each deal is played: with decks, once for each order of their seats."""
        return 2 if self.pairings[0].names else 1

    def pairing(self, number: int) -> DeckPair:
        """Return the decks that play deal `number`."""
        return self.pairings[number % len(self.pairings)]

    def seated(self, number: int, seating: int) -> tuple[Series, Series]:
        """Return the series before and after in which deal `number` is played, with the seats changed if 1."""
        pairing = self.pairing(number)
        sides = ((self.before, pairing.before), (self.after, pairing.after))
        one, other = (_with_decks(series, at_seats(decks, self.seats, seating)) for series, decks in sides)
        return one, other

    @property
    def changed(self) -> list[str]:
        """The names of the cards that differ between the two sets, those of the set after the change first."""
        return _changed(self.before, self.after)


@lru_cache(maxsize=64)
def _pairings(before: Series, after: Series) -> list[DeckPair]:
    sides = [_named_decks(each) for each in (before, after)]
    decks = _decks(before)
    if decks is None:
        return [DeckPair()]
    if sides == [None, None]:
        return [DeckPair(pair, pair, pair) for pair in combinations(decks.ready_made, 2)]
    one, other = sides
    if not one or not other or len(one) != len(other):
        raise BadOption(f"the option {decks.option} must name as many decks before the change as after it")
    name = other[0] if other[0] in decks.ready_made else OWN_DECK
    field = [[each] * 2 for each in decks.ready_made if each not in (one[0], other[0])]
    against = [*zip(one[1:], other[1:], strict=True)] if one[1:] else field
    called = [second if second in decks.ready_made else "the other deck" for _, second in against]
    return [
        DeckPair((one[0], first), (other[0], second), (name, called[place]))
        for place, (first, second) in enumerate(against)
    ]


def _decks(series: Series) -> Decks | None:
    collection = ready(series).game.collection
    return collection.decks if collection else None


def _named_decks(series: Series) -> list[str] | None:
    """Return the decks that the options of a series name; None if they are the usual ones."""
    game, decks = ready(series).game, _decks(series)
    if decks is None:
        return None
    option = next(option for option in game.text.OPTIONS if option.name == decks.option)
    given = [*series.options[decks.option]]
    return None if given == option.default_for(len(series.bots)) else given


def at_seats(decks: Sequence[str], seats: int, seating: int) -> list[str]:
    """Return the deck of each seat: two decks sit alternately, the second one first if `seating` is 1."""
    return [*islice(cycle([*decks[seating:], *decks[:seating]]), seats)] if decks else []


def _with_decks(series: Series, decks: Sequence[str]) -> Series:
    """Return a series with a deck at each seat."""
    found = _decks(series)
    return replace(series, options={**series.options, found.option: decks}) if decks and found else series


@lru_cache(maxsize=64)
def _changed(before: Series, after: Series) -> list[str]:
    old, new = (_cards(series) for series in (before, after))
    return [name for name in [*new, *(old.keys() - new.keys())] if old.get(name) != new.get(name)]


def _cards(series: Series) -> dict[str, ListedCard]:
    """Return the cards that a series can have, by name; none if the game has no collection."""
    collection = ready(series).game.collection
    return (
        {card.name: card for card in collection.cards(series.options.get(collection.option, ""))} if collection else {}
    )


def prepare(trial: Trial) -> None:
    """Compile whatever a trial needs, unless a library or the cache holds it already; a changed set needs nothing."""
    for series in (trial.before, trial.after):
        found = ready(series)
        if series.is_compiled:
            load(part_drivers(found.game))
        else:
            matches.prepare(found.game, found.levels)


def play_trial(trial: Trial) -> TrialCounts:
    """Play the deals of a trial, and return what was counted; raises BadBot."""
    return without_pauses(playing_trial(trial))


def playing_trial(trial: Trial) -> Generator[None, None, TrialCounts]:
    """Play the deals of a trial like `play_trial`, with a pause after each game, and in games that are not compiled
    before each move: whoever has other work in between need not wait for the end.
    """
    counts, players = TrialCounts(), Players()
    changed = trial.changed
    against = frozenset(changed if len(changed) <= MOST_CHANGED else ())
    for number in range(trial.first, trial.first + trial.deals):
        noted: defaultdict[Thing, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for seating in range(trial.seatings):
            names = at_seats(trial.pairing(number).names, trial.seats, seating)
            both = yield from _playing_both(players, *trial.seated(number, seating), number)
            for side, finished in enumerate(both):
                (counts.after if side else counts.before)[finished.decisions] += 1
                for thing, won, tries in finished.things(names, against):
                    four = noted[thing]
                    four[2 * side] += won
                    four[2 * side + 1] += tries
            counts.games += 1
        for thing, four in noted.items():
            counts.fours.setdefault(thing, Counter())[four[0], four[1], four[2], four[3]] += 1
    return counts


def _playing_both(
    players: Players, before: Series, after: Series, number: int
) -> Generator[None, None, tuple[Finished, Finished]]:
    """Play a deal before and after the change; if nothing is changed, one game stands for both."""
    one = yield from players.playing(before, number)
    yield
    if before == after:
        return one, one
    other = yield from players.playing(after, number)
    yield
    return one, other


def parts(trial: Trial, games: int, first: int = 0) -> Iterator[Trial]:
    """Yield a trial in parts of a fraction of a second, with at least so many games on each side in all.

    They begin with the deal `first`, where a trial was interrupted.
    """
    deals, size = -(-games // trial.seatings), 1
    is_compiled = trial.before.is_compiled and trial.after.is_compiled
    while first < deals:
        yield trial.part(first, min(size, deals - first))
        first += size
        size = min(2 * size, MOST_IN_PART) if is_compiled else 1


def run(trial: Trial, games: int, pool: WorkerPool) -> Iterator[TrialCounts]:
    """Play so many games on each side, and yield the counts so far after each part; raises BadBot."""
    prepare(trial)
    counts = TrialCounts()
    for more in pool.map(play_trial, parts(trial, games)):
        counts += more
        yield counts
