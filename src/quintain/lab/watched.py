"""Watched games: bots play them move by move, and `watch_chunk` counts everything that a report needs.

It watches a chunk of a series, in any worker. `report` adds the counts up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from quintain.bots.playout import GAME, compiled_playouts, new_workspace
from quintain.engine.names import with_names
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.memory import in_memory, zeros
from quintain.engine.rules.state import GameState
from quintain.lab import matches
from quintain.lab.series import Chunk, Ready, ready

PLAYOUTS = 32
"""How often a position is played to the end, to see what each seat can expect."""
MOST_POSITIONS = 40
"""The most positions of one game that are looked at; there are at least half as many if the game has them."""
POINTS = 21
"""The points of the curve of a game."""
AHEAD = 0.1
"""How much larger the share of another seat must be to take the lead; less is within the error of the playouts."""
SAFE = 0.9
"""The share of the wins from which a seat is not in danger any more."""
MOVER, ANOTHER = "the mover", "another"
"""Names for the player who acts and for the others, so that an action has the same words for all seats."""


@dataclass
class Usage:
    """How often something was available and used, and how many games the seats won that had it or used it.

    `available` and `used` count decisions (of a card: copies). `holders` counts the seats of single games that could
    use it at least once, and `users` those that did; `held_won` and `used_won` are the games that these seats won, a
    tie shared. Where an action was not forced, `chosen` counts how often it was used, and `even` how often it would be
    if players chose evenly among all legal actions; both are 0 for cards.
    """

    available: int = 0
    used: int = 0
    holders: int = 0
    users: int = 0
    held_won: float = 0.0
    used_won: float = 0.0
    chosen: int = 0
    even: float = 0.0

    @property
    def times_even(self) -> float | None:
        """How often it was chosen, in even shares; None if nobody had a choice."""
        return self.chosen / self.even if self.even else None

    def add(self, other: Usage) -> None:
        """Add the numbers of other games."""
        self.available += other.available
        self.used += other.used
        self.holders += other.holders
        self.users += other.users
        self.held_won += other.held_won
        self.used_won += other.used_won
        self.chosen += other.chosen
        self.even += other.even


@dataclass(frozen=True)
class Trajectory:
    """How one game went.

    `lead_changes` is the number of times that another seat took the lead. `decided` is the part of the game, from 0 to
    1, after which its winner was never in danger; None for a game without a single winner. `curve` has the share of the
    wins that the winner could expect at POINTS even distances from the deal to the end; empty without a single winner.
    """

    lead_changes: int
    decided: float | None
    curve: tuple[float, ...]


@dataclass
class Watched:
    """What was counted in some games.

    `menus` counts decisions by the number of legal actions; `forced` is the number of those with one. `actions` and
    `cards` have the usage by name. `trajectories` has an entry for each game.
    """

    games: int = 0
    menus: Counter[int] = field(default_factory=Counter)
    actions: defaultdict[str, Usage] = field(default_factory=lambda: defaultdict(Usage))
    cards: defaultdict[str, Usage] = field(default_factory=lambda: defaultdict(Usage))
    trajectories: list[Trajectory] = field(default_factory=list)

    @property
    def forced(self) -> int:
        """How many decisions left no choice."""
        return self.menus[1]

    @property
    def decisions(self) -> int:
        """How many decisions there were, forced ones included."""
        return self.menus.total()

    def add(self, other: Watched) -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.menus += other.menus
        self.trajectories += other.trajectories
        for own, others in ((self.actions, other.actions), (self.cards, other.cards)):
            for name, usage in others.items():
                own[name].add(usage)


@dataclass(frozen=True)
class Watch:
    """The job to watch the games of a chunk."""

    chunk: Chunk
    releases_gil: bool = False


def watch_chunk(job: Watch) -> Watched:
    """Play the games of a chunk move by move, and count what happens; raises BadBot."""
    chunk, found, total = job.chunk, ready(job.chunk.series), Watched()
    for number in range(chunk.first, chunk.first + chunk.games):
        total.add(_watch(found, chunk.series.seed, number))
    return total


def _watch(found: Ready, seed: int, number: int) -> Watched:
    """Watch one game."""
    game, book, s = found.game, found.book, found.game.state()
    watched = Watched(games=1)
    available, used = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    positions = _Positions()
    for seat, action in matches.moves(game, book, s, found.levels, seed, number):
        legal = game.legal_actions(book, s, seat)
        watched.menus[len(legal)] += 1
        positions.add(s)
        called = [MOVER if other == seat else ANOTHER for other in range(game.seats[1])]
        names = {each: with_names(called, game.text.name(book, s, seat, each)) for each in legal}
        available.update((seat, name) for name in {*names.values()})
        used[seat, names[action]] += 1
        if len(legal) > 1:
            watched.actions[names[action]].chosen += 1
            for name in names.values():
                watched.actions[name].even += 1 / len(legal)
    _, ranks = matches.result(game, book, s, len(found.levels))
    won = matches.shares(ranks)
    watched.trajectories.append(_trajectory(found, positions.kept, won, rng.mix(seed, number)))
    for (seat, name), times in available.items():
        watched.actions[name].add(_usage(times, used[seat, name], won[seat]))
    if game.collection:
        for seat in range(len(found.levels)):
            _add_cards(watched, game.collection.held(book, s, seat), won[seat])
    return watched


class _Positions:
    """Keeps positions of a game at even distances, however long it becomes."""

    def __init__(self) -> None:
        self.kept: list[GameState] = []
        self.seen, self.stride = 0, 1

    def add(self, s: GameState) -> None:
        """Keep the next position, if it is its turn."""
        if self.seen % self.stride == 0:
            if len(self.kept) == MOST_POSITIONS:
                self.kept, self.stride = self.kept[::2], self.stride * 2
            if self.seen % self.stride == 0:
                self.kept.append(s.copy())
        self.seen += 1


def _trajectory(found: Ready, positions: Sequence[GameState], won: Sequence[float], seed: int) -> Trajectory:
    """Return how a game went, from positions at even distances and the shares of the win."""
    shares = [*(_expected(found, s, rng.mix(seed, number)) for number, s in enumerate(positions)), [*won]]
    leader, changes = None, 0
    for each in shares:
        best = max(range(len(each)), key=each.__getitem__)
        if leader is None and each[best] >= 1 / len(each) + AHEAD:
            leader = best
        elif leader is not None and each[best] >= each[leader] + AHEAD:
            leader, changes = best, changes + 1
    if 1 not in won:
        return Trajectory(changes, None, ())
    winner = [each[won.index(1)] for each in shares]
    last = len(winner) - 1
    decided = next((at + 1 for at in range(last, -1, -1) if winner[at] < SAFE), 0)
    curve = [winner[round(point * last / (POINTS - 1))] for point in range(POINTS)]
    return Trajectory(changes, decided / last if last else 0.0, tuple(curve))


def _expected(found: Ready, s: GameState, seed: int) -> list[float]:
    """Return the share of the wins that each seat can expect, if all go on by the game's policy, seeing everything."""
    game, seats = found.game, len(found.levels)
    work, shares = new_workspace(game, is_compiled=True), zeros("float64", seats)
    work.pool[GAME] = in_memory(s)
    compiled_playouts(game)(in_memory(found.book), seats, work, seed, PLAYOUTS, shares)
    return [share / PLAYOUTS for share in shares]


def _add_cards(watched: Watched, held: Any, won: float) -> None:
    """Add the cards that a seat has drawn (they are available) and played (they are used) by the end of its game."""
    for name in held.drawn | held.played:
        copies = max(held.drawn[name], held.played[name])
        if copies:
            watched.cards[name].add(_usage(copies, held.played[name], won))


def _usage(available: int, used: int, won: float) -> Usage:
    """Return what one seat did with something in one game."""
    return Usage(available, used, 1, int(used > 0), won, won if used else 0.0)
