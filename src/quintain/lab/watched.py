"""Watched games: bots play them move by move, and everything that a report needs is counted on the way.

`watch_chunk` does that for a chunk of a series, in any worker. `report` adds the counts up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from quintain.engine.names import with_names
from quintain.lab import matches
from quintain.lab.series import Chunk, Ready, ready

MOVER, ANOTHER = "the mover", "another"
"""Names for the player who acts and for the others, so that an action has the same words for all seats."""


@dataclass
class Usage:
    """How often something was available and used, and how those did who had it or used it.

    `available` and `used` count decisions (of a card: copies). `holders` counts the seats of single games that could
    use it at least once, and `users` those that did; `held_won` and `used_won` are the games that these seats won, a
    tie shared.
    """

    available: int = 0
    used: int = 0
    holders: int = 0
    users: int = 0
    held_won: float = 0.0
    used_won: float = 0.0

    def add(self, other: Usage) -> None:
        """Add the numbers of other games."""
        self.available += other.available
        self.used += other.used
        self.holders += other.holders
        self.users += other.users
        self.held_won += other.held_won
        self.used_won += other.used_won


@dataclass
class Watched:
    """What was counted in some games.

    `menus` counts decisions by the number of legal actions; `forced` is the number of those with one. `actions` and
    `cards` have the usage by name.
    """

    games: int = 0
    menus: Counter[int] = field(default_factory=Counter)
    actions: defaultdict[str, Usage] = field(default_factory=lambda: defaultdict(Usage))
    cards: defaultdict[str, Usage] = field(default_factory=lambda: defaultdict(Usage))

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
    for seat, action in matches.moves(game, book, s, found.levels, seed, number):
        legal = game.legal_actions(book, s, seat)
        watched.menus[len(legal)] += 1
        called = [MOVER if other == seat else ANOTHER for other in range(game.seats[1])]
        names = {each: with_names(called, game.text.name(book, s, seat, each)) for each in legal}
        available.update((seat, name) for name in {*names.values()})
        used[seat, names[action]] += 1
    _, ranks = matches.result(game, book, s, len(found.levels))
    won = matches.shares(ranks)
    for (seat, name), times in available.items():
        watched.actions[name].add(_usage(times, used[seat, name], won[seat]))
    if game.collection:
        for seat in range(len(found.levels)):
            _add_cards(watched, game.collection.held(book, s, seat), won[seat])
    return watched


def _add_cards(watched: Watched, held: Any, won: float) -> None:
    """Add the cards that a seat has drawn (they are available) and played (they are used) by the end of its game."""
    for name in held.drawn | held.played:
        copies = max(held.drawn[name], held.played[name])
        if copies:
            watched.cards[name].add(_usage(copies, held.played[name], won))


def _usage(available: int, used: int, won: float) -> Usage:
    """Return what one seat did with something in one game."""
    return Usage(available, used, 1, int(used > 0), won, won if used else 0.0)
