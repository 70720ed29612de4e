"""How often cards win: gathered from games between bots, and read from the file that comes with a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec

from quintain.engine.errors import BadOption, BadRecord
from quintain.engine.rules.game import Game
from quintain.lab.intervals import SURE
from quintain.lab.pools import WorkerPool
from quintain.lab.trials import POLICY, Trial, TrialCounts, run
from quintain.lab.verdicts import Measure, figures

FILE = "card_records.json"


class CardRecord(msgspec.Struct, frozen=True):
    """How often the seats that drew a card won, from 0 to 1, with the bounds of the 95 % interval and their number."""

    name: str
    won: float
    low: float
    high: float
    tries: int


class CardRecords(msgspec.Struct, frozen=True):
    """The records of a game's cards in `games` between bots, of which the seed decides all chance.

    `counted` is ``drawn``, or ``played`` for a game in which everybody draws every card.
    """

    game: str
    bot: str
    seats: int
    games: int
    seed: int
    counted: str
    cards: tuple[CardRecord, ...]

    @property
    def even(self) -> float:
        """The even share of a seat, from 0 to 1."""
        return 1 / self.seats

    @property
    def by_name(self) -> dict[str, CardRecord]:
        """The records, by the names of their cards."""
        return {record.name: record for record in self.cards}


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


@cache
def card_records(game: Game) -> CardRecords | None:
    """Return the records that come with a game; None if it has no file of them. Raises BadRecord for a damaged file."""
    path = game.folder / FILE if game.folder else None
    if not path or not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=CardRecords)
    except msgspec.MsgspecError as error:
        raise BadRecord(f"{path} cannot be read: {error}") from error
