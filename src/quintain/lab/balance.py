"""Compares decks: every pair of decks plays a number of games, each seed twice, with the seats swapped.

`quintain report` uses it for games with ready-made decks. `ladder` does the same for bots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import mean
from types import MappingProxyType
from typing import Any

from quintain.bots.playout import POLICY_BOT
from quintain.engine.errors import BadOption
from quintain.engine.rules.decks import Decks
from quintain.engine.rules.game import Game
from quintain.lab.intervals import wilson
from quintain.lab.pairings import Pairing, check_even
from quintain.lab.pools import WorkerPool
from quintain.lab.simulation import simulate

__all__ = ["balance", "field_shares"]


def balance(
    game: Game,
    decks: Sequence[str],
    games: int,
    seed: int,
    bot: str = POLICY_BOT,
    options: Mapping[str, Any] = MappingProxyType({}),
    progress: Callable[[int], None] = lambda games: None,
    pool: WorkerPool | None = None,
) -> list[Pairing]:
    """Play `games` games for every pair of decks, between two bots of the same kind; raises BadOption.

    `games` must be even: half of the games have the decks' seats swapped, with the same seeds. `progress` is called
    with the number of games just played.
    """
    check_even(games)
    option, pairings = decks_of(game).option, []
    for deck, other in combinations(decks, 2):
        won = 0.0
        for seat, seated in enumerate(([deck, other], [other, deck])):
            summary = simulate(game, games // 2, [bot, bot], {**options, option: seated}, seed, progress, pool)
            won += summary.shares[seat] / 2
        pairings.append(Pairing(deck, other, games, won, wilson(won, games)))
    return pairings


def decks_of(game: Game) -> Decks:
    """Return the decks of a game; raises BadOption if it has none."""
    if game.collection is None or game.collection.decks is None:
        raise BadOption(f"{game.title} has no decks")
    return game.collection.decks


def field_shares(decks: Sequence[str], pairings: Sequence[Pairing]) -> dict[str, float]:
    """Return each deck's mean share of wins against all decks, from 0 to 1; against itself it counts as one half."""
    shares = {deck: [0.5] for deck in decks}
    for pairing in pairings:
        shares[pairing.name].append(pairing.share)
        shares[pairing.other].append(1 - pairing.share)
    return {deck: mean(each) for deck, each in shares.items()}
