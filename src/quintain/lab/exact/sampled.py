"""The policy of a bot in a small game: what it chooses in every information set, asked several times.

A bot that draws has probabilities, and a few answers only estimate them. A best answer to the estimate also exploits
its errors, so on average it wins more than a best answer to the bot itself: that is the upper bound. A best answer to
all answers but one of each set, which then plays against that one, cannot know its errors, so on average it wins less:
that is the lower bound. More answers bring the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from quintain.bots import Player, Random
from quintain.engine.errors import BadOption
from quintain.engine.rules import rng
from quintain.engine.seen.seen import Seen
from quintain.lab.exact.policies import Policy, WorstCase, best_answer, rows, uniform, worst_case, worth, zeros
from quintain.lab.exact.positions import WalkedGame
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.series import Series, prepare, ready

SETS_AT_ONCE = 100
"""The information sets of one job of a worker."""


@dataclass(frozen=True)
class AskSets:
    """A job: ask the bot of a series in some information sets, from number `first` on, each several times.

    `states` are the packed states of the sets, as their seats see them.
    """

    series: Series
    first: int
    seats: tuple[int, ...]
    states: tuple[bytes, ...]
    times: int
    releases_gil: bool = False


@dataclass(frozen=True)
class Exploitability:
    """How much a best answer wins against a bot beyond what the bot wins: `least` to `most`, the mean of all seats.

    The units are those of the environments: with two seats a win is 1, a loss -1 and a draw 0. If the bot's policy is
    known exactly, both are the same and `times` is 0; else it is how often the bot was asked in each information set.
    `worst` holds the figures of each seat behind `most`. `drawn` is the share of information sets in which the bot did
    not always choose the same.
    """

    bot: str
    least: float
    most: float
    times: int
    drawn: float
    worst: WorstCase


def exploitability(
    tree: WalkedGame,
    bot: str,
    times: int = 4,
    seed: int = 0,
    pool: WorkerPool | None = None,
    progress: Callable[[int, int], None] = lambda done, sets: None,
) -> Exploitability:
    """Return how much a best answer wins against a bot; raises BadOption for an unknown bot or a wrong number.

    The bot is asked `times` times, at least twice, in each information set, each time as a new bot without a memory of
    the choices before. The same seed gives the same answers, except from a bot with a budget in seconds. `progress` is
    called with the number of sets in which it has been asked, and the number of all.
    """
    series = Series.new(tree.game, [bot] * tree.seats, tree.options, seed)
    if ready(series).levels[0].kind is Random:
        worst = worst_case(tree, uniform(tree))
        return Exploitability(bot, worst.mean, worst.mean, 0, 1.0, worst)
    if times < 2:
        raise BadOption(f"a bot is asked at least twice in each information set, not {times} times")
    answers = ask(tree, series, times, pool, progress)
    found = worst_case(tree, counted(tree, answers, range(times)))
    drawn = sum(len(set(each)) > 1 for each in answers) / len(answers)
    return Exploitability(bot, _least(tree, answers, times), found.mean, times, drawn, found)


def ask(
    tree: WalkedGame,
    series: Series,
    times: int,
    pool: WorkerPool | None = None,
    progress: Callable[[int, int], None] = lambda done, sets: None,
) -> list[tuple[int, ...]]:
    """Return the places of the actions that a bot chooses in each information set, among those that are legal there.

    A bot knows the state as its seat sees it, and nothing of how it came about. So it is asked once for all sets that
    have the same state; for Quintain's own bots, which read no events, the events need not be the same.
    """
    prepare(series)
    kind = ready(series).levels[0].kind
    end = tree.game.state.offset("events_made") if kind.__module__.startswith("quintain.") else None
    places: dict[tuple[int, bytes], int] = {}
    asked: list[int] = []
    known: list[int] = []
    for number in range(tree.sets):
        key = int(tree.walk.sets.seat[number]), tree.seen(number).pack()[:end]
        if key not in places:
            places[key] = len(asked)
            asked.append(number)
        known.append(places[key])
    found: list[tuple[int, ...]] = []
    for some in (pool or LocalPool()).map(ask_sets, _jobs(tree, series, asked, times)):
        found += some
        progress(len(found), len(asked))
    return [found[place] for place in known]


def _jobs(tree: WalkedGame, series: Series, asked: Sequence[int], times: int) -> Iterator[AskSets]:
    for first in range(0, len(asked), SETS_AT_ONCE):
        numbers = asked[first : first + SETS_AT_ONCE]
        seats = tuple(int(tree.walk.sets.seat[number]) for number in numbers)
        yield AskSets(series, first, seats, tuple(tree.seen(number).pack() for number in numbers), times)


def ask_sets(job: AskSets) -> list[tuple[int, ...]]:
    """Do the job; raises BadBot for a choice that is not legal."""
    game, book, levels = ready(job.series)
    found = []
    for number, (seat, packed) in enumerate(zip(job.seats, job.states, strict=True), job.first):
        seen = Seen.of(game, book, game.state.unpack(packed), seat)
        seeds = [rng.mix(job.series.seed, number, time) for time in range(job.times)]
        chosen = [Player(levels[seat], game, seed).choose(seen) for seed in seeds]
        found.append(tuple(seen.legal.index(action) for action in chosen))
    return found


def counted(tree: WalkedGame, answers: Sequence[tuple[int, ...]], which: Sequence[int]) -> Policy:
    """Return the policy in which each action has the share of these answers that chose it."""
    policy = zeros(tree)
    for (first, _), places in zip(rows(tree), answers, strict=True):
        for time in which:
            policy[first + places[time]] += 1 / len(which)
    return policy


def _least(tree: WalkedGame, answers: Sequence[tuple[int, ...]], times: int) -> float:
    """Return how much best answers to all answers but one win against that one."""
    gains = []
    for time in range(times):
        others = counted(tree, answers, [other for other in range(times) if other != time])
        alone = counted(tree, answers, [time])
        for seat in range(tree.seats):
            _, answered = best_answer(tree, others, seat)
            gains.append(worth(tree, _joined(tree, answered, alone, seat), seat) - worth(tree, alone, seat))
    return fmean(gains)


def _joined(tree: WalkedGame, answered: Policy, others: Policy, seat: int) -> Policy:
    """Return the policy in which a seat plays by one policy and all others by another."""
    joined = type(others).from_buffer_copy(others)
    for number, (first, last) in enumerate(rows(tree)):
        if tree.walk.sets.seat[number] == seat:
            joined[first:last] = answered[first:last]
    return joined
