"""How much a deck would miss each of its cards: a blank takes its place, and the deck plays on with the same deals.

A blank is a card that nobody can play. It stands in the list where the card stood, so that a game in which nobody draws
it is the same as before: only the games in which somebody does can differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.balance import decks_of
from quintain.lab.intervals import SURE
from quintain.lab.pools import WorkerPool
from quintain.lab.trials import POLICY, Trial, run
from quintain.lab.verdicts import figures


@dataclass(frozen=True)
class Missed:
    """What a deck loses if blanks take the place of all copies of a card.

    `lost` is a difference of shares of wins, such as 0.005 for half a point of a hundred, with its 95 % interval; below
    0 the deck wins more without the card.
    """

    name: str
    copies: int
    lost: float
    low: float
    high: float


def missed_cards(
    game: Game,
    deck: str,
    games: int,
    seed: int,
    pool: WorkerPool,
    bot: str = POLICY,
    own: str = "",
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Missed]:
    """Yield what a deck misses of each card for which there is a blank, in the order of its list.

    `deck` is a list or the name of a ready-made deck, and `own` the text of a set of one's own. The deck plays `games`
    games against all ready-made decks, with and without the card. `progress` is called with the number of games after
    each card so far. Raises BadOption, BadDeck and BadCards.
    """
    decks: Any = decks_of(game)
    if not hasattr(decks, "blank"):
        raise BadOption(f"{game.title} has no blanks, so nothing can take the place of a card")
    sections = decks.read(deck, own)
    text = decks.write(sections, own)
    before = _options(game, text, own)
    for name, copies in (item for pile in sections.values() for item in pile.items()):
        if blank := decks.blank(name, own):
            without = re.sub(rf"(?m)^(\d+) {re.escape(name)}$", rf"\1 {blank.name}", text)
            trial = Trial.new(game, before, _options(game, without, blank.cards), bot, seed)
            yield Missed(name, copies, *_lost(trial, games, pool))
            progress(games)


def _options(game: Game, deck: str, own: str) -> Mapping[str, Any]:
    collection, decks = game.collection, decks_of(game)
    assert collection
    cards = {collection.option: own} if own else {}
    return game.read_options(game.check_seats(None), {decks.option: [deck], **cards})


def _lost(trial: Trial, games: int, pool: WorkerPool) -> tuple[float, float, float]:
    """Return by how much the share of a trial's deck is smaller after the change, with the interval of this."""
    *_, counts = run(trial, games, pool)
    won = figures(trial, counts, games).decks[0].won
    assert won.difference is not None
    lost, half = 0.0 - won.difference, SURE * won.error
    return lost, lost - half, lost + half
