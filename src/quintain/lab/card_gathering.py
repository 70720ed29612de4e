"""How often cards win: gathered from games between bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.card_records import CardRecord, CardRecords
from quintain.lab.intervals import SURE
from quintain.lab.pools import WorkerPool
from quintain.lab.trials import POLICY, Trial, TrialCounts, run
from quintain.lab.verdicts import Measure, figures


def gather(
    game: Game,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    pool: WorkerPool,
    bot: str = POLICY,
    progress: Callable[[int], None] = lambda done: None,
) -> CardRecords:
    """Let a bot play so many games with itself, and return how often each card won.

    `progress` is called with the number of games so far. Raises BadOption, also if nobody knows who drew which card.
    """
    trial, counts = Trial.new(game, options, options, bot, seed), TrialCounts()
    for counts in run(trial, games, pool):
        progress(counts.games)
    found = figures(trial, counts, games)
    if not found.cards:
        raise BadOption(f"{game.title} does not tell who drew which card")
    records = tuple(
        CardRecord(each.name, round(won.value, 4), *_single_look(won), won.tries)
        for each in found.cards
        if (won := each.won.after) is not None
    )
    kind = found.cards[0].won.thing.kind
    return CardRecords(game.id, bot, trial.seats, counts.games, seed, kind, records)


def _single_look(share: Measure) -> tuple[float, float]:
    """Return the interval of a share at which nobody looked before all games were played."""
    low, high = share.within(SURE)
    return round(low, 4), round(high, 4)
