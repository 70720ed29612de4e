"""A report on a game: who wins, how long it lasts, how every action fares, and what the game itself counts."""

from __future__ import annotations

import os
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from quintain.bots import level
from quintain.engine.game import Game
from quintain.engine.names import with_names
from quintain.lab import matches
from quintain.lab.playouts import Summary, are_compiled, simulate

TALLIED = 100
"""The games between compiled bots that are played again in the plain form, where moves have names."""
MOVER, ANOTHER = "the mover", "another"
"""What players are called in the names of actions."""


@dataclass
class Tally:
    """How often players could choose an action and chose it, and their wins, counted anew for each choice."""

    offered: int = 0
    chosen: int = 0
    won: Fraction = Fraction(0)


@dataclass
class Counted:
    """What a game counted, added up: the numbers, what they were counted up to (None: nothing), in how many games."""

    words: str
    seat: int | None
    number: int = 0
    of: int | None = None
    games: int = 0


@dataclass
class Report:
    """What some games came to: actions by name, over `tallied` of them; the game's own counts by key and seat."""

    summary: Summary
    tallied: int
    actions: dict[str, Tally]
    counts: dict[tuple[str, int | None], Counted]


def report(
    game: Game,
    n: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    progress: Callable[[int], None] = lambda games: None,
) -> Report:
    """Play n games between bots, one for each seat, and report on them; raises BadOption.

    The arguments are those of `simulate`. The actions are tallied over all games between bots that are not compiled,
    else over the first TALLIED.
    """
    gathered = _Gathered(game, game.make_book(len(bots), game.read_options(len(bots), options)))
    summary = simulate(game, n, bots, options, seed, progress, lambda: _Watcher(gathered))
    tallied = n
    if are_compiled(bots):
        tallied = min(n, TALLIED)
        levels = [level(name) for name in bots]
        matches.prepare(game, levels)

        def again(number: int) -> None:
            matches.play(game, gathered.book, levels, seed, number, _Watcher(gathered, counts=False))

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(again, range(tallied)))
    return Report(
        summary, tallied, dict(sorted(gathered.actions.items())), dict(sorted(gathered.counts.items(), key=str))
    )


@dataclass
class _Gathered:
    """What the watchers of all games have gathered; they add to it from several threads."""

    game: Game
    book: Any
    actions: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    counts: dict[tuple[str, int | None], Counted] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add_actions(self, offered: Counter[str], chosen: Mapping[int, Counter[str]], ranks: Sequence[int]) -> None:
        """Add the actions of a game, those chosen by seat."""
        with self.lock:
            for name, times in offered.items():
                self.actions[name].offered += times
            for seat, names in chosen.items():
                share = Fraction(int(ranks[seat] == 1), ranks.count(1))
                for name, times in names.items():
                    self.actions[name].chosen += times
                    self.actions[name].won += times * share

    def add_counts(self, s: Any) -> None:
        """Add what the game counts at its end."""
        counts = self.game.report(self.book, s) if self.game.report else ()
        with self.lock:
            for one in counts:
                total = self.counts.setdefault((one.key, one.seat), Counted(one.words, one.seat))
                total.number += one.number
                total.of = total.of if one.of is None else (total.of or 0) + one.of
                total.games += 1


class _Watcher:
    """Looks on at one game; one that is played again is not counted again."""

    def __init__(self, gathered: _Gathered, counts: bool = True) -> None:
        self.gathered, self.counts = gathered, counts
        self.offered: Counter[str] = Counter()
        self.chosen: defaultdict[int, Counter[str]] = defaultdict(Counter)

    def move(self, s: Any, seat: int, action: int) -> None:
        """Note what the seat can choose and what it chooses, each by a name that is the same for all seats."""
        game, book = self.gathered.game, self.gathered.book
        called = [MOVER if other == seat else ANOTHER for other in range(game.seats[1])]

        def name(action: int) -> str:
            return with_names(called, game.text.name(book, s, seat, action))

        self.offered.update({name(legal) for legal in game.legal_actions(book, s, seat)})
        self.chosen[seat][name(action)] += 1

    def end(self, s: Any, ranks: Sequence[int]) -> None:
        """Hand over what was noted, and what the game counts."""
        self.gathered.add_actions(self.offered, self.chosen, ranks)
        if self.counts:
            self.gathered.add_counts(s)
