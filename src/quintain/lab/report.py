"""Reports on a game: who wins, how long games last, how each action does, and what the game itself counts.

It plays games by `playouts` and watches them. A game's own counts come from its `report` (see `engine.collection`), so
this module knows no game.
"""

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
"""How many games between compiled bots are played again interpreted, to count their actions."""
MOVER, ANOTHER = "the mover", "another"
"""Names for the player who acts and for the others, so that an action has the same words for all seats."""


@dataclass
class Tally:
    """How often an action was offered (legal) and chosen, and the wins of those who chose it, once for each choice."""

    offered: int = 0
    chosen: int = 0
    won: Fraction = Fraction(0)


@dataclass
class Counted:
    """One of a game's own counts, summed over `games` games.

    `number` is the sum of its numbers, and `of` that of the numbers it is counted up to, None if it has none.
    """

    words: str
    seat: int | None
    number: int = 0
    of: int | None = None
    games: int = 0


@dataclass
class Report:
    """A report: the summary, the actions of the first `tallied` games by name, and the counts by key and seat."""

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

    The arguments are those of `simulate`. Actions are counted in all games, but between compiled bots only in the first
    TALLIED.
    """
    gathered = _Gathered(game, game.make_book(len(bots), game.read_options(len(bots), options)))
    summary = simulate(game, n, bots, options, seed, progress, lambda: _Observer(gathered))
    tallied = n
    if are_compiled(bots):
        tallied = min(n, TALLIED)
        levels = [level(name) for name in bots]
        matches.prepare(game, levels)

        def again(number: int) -> None:
            matches.play(game, gathered.book, levels, seed, number, _Observer(gathered, counts=False))

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(again, range(tallied)))
    return Report(
        summary, tallied, dict(sorted(gathered.actions.items())), dict(sorted(gathered.counts.items(), key=str))
    )


@dataclass
class _Gathered:
    """What the observers of all games have gathered; they add to it from several threads, under a lock."""

    game: Game
    book: Any
    actions: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    counts: dict[tuple[str, int | None], Counted] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add_actions(self, offered: Counter[str], chosen: Mapping[int, Counter[str]], ranks: Sequence[int]) -> None:
        """Add the actions of one game: those that were legal, and those that each seat chose."""
        with self.lock:
            for name, times in offered.items():
                self.actions[name].offered += times
            for seat, names in chosen.items():
                share = Fraction(int(ranks[seat] == 1), ranks.count(1))
                for name, times in names.items():
                    self.actions[name].chosen += times
                    self.actions[name].won += times * share

    def add_counts(self, s: Any) -> None:
        """Add the game's own counts at its end."""
        counts = self.game.report(self.book, s) if self.game.report else ()
        with self.lock:
            for one in counts:
                total = self.counts.setdefault((one.key, one.seat), Counted(one.words, one.seat))
                total.number += one.number
                total.of = total.of if one.of is None else (total.of or 0) + one.of
                total.games += 1


class _Observer:
    """Watches one game; with `counts` False it ignores the game's own counts, for a game that is played again."""

    def __init__(self, gathered: _Gathered, counts: bool = True) -> None:
        self.gathered, self.counts = gathered, counts
        self.offered: Counter[str] = Counter()
        self.chosen: defaultdict[int, Counter[str]] = defaultdict(Counter)

    def move(self, s: Any, seat: int, action: int) -> None:
        """Note the legal actions and the chosen one, by names that are the same for all seats."""
        game, book = self.gathered.game, self.gathered.book
        called = [MOVER if other == seat else ANOTHER for other in range(game.seats[1])]

        def name(action: int) -> str:
            return with_names(called, game.text.name(book, s, seat, action))

        self.offered.update({name(legal) for legal in game.legal_actions(book, s, seat)})
        self.chosen[seat][name(action)] += 1

    def end(self, s: Any, ranks: Sequence[int]) -> None:
        """Add what was noted, and the game's own counts, to what all observers gather."""
        self.gathered.add_actions(self.offered, self.chosen, ranks)
        if self.counts:
            self.gathered.add_counts(s)
