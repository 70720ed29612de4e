"""How the cards of Robin in the Hood fare: in its holder's hands each should win about half of its rounds. RH-21."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from quintain.bots.playout import (
    BLINDED,
    GAME,
    KINDS,
    RANDOM,
    Workspace,
    compiled_workspace,
    greedy_action,
)
from quintain.engine import rng
from quintain.engine.compiled import compiled, rule, rules
from quintain.engine.contract import lowest_seat, nth_action
from quintain.engine.errors import BadOption
from quintain.engine.game import Game
from quintain.engine.registry import game
from quintain.games.robin.state import CARDS, CHOOSE_SET, DEAL, SEATS
from quintain.games.robin.words import card_name
from quintain.lab.playouts import MOST_GAMES

DECIDED, WON = range(2)
"""Columns of the tally: the decided rounds in which a card was in one set alone, and those that its holder won."""
DRAWN_ROUNDS, ROUNDS = CARDS, CARDS + 1
"""Rows below those of the cards: how many rounds were drawn, and how many there were."""
SLICE = {"random": 500, "greedy": 5}
"""Tournaments that one thread plays in one go."""


@dataclass(frozen=True)
class Fared:
    """How a card fared: in how many decided rounds it was in one set alone, and the share that its holder won."""

    card: str
    rounds: int
    share: float


@dataclass(frozen=True)
class Fairness:
    """How all cards fared, the best first; how many rounds were played, and the share of drawn ones."""

    cards: tuple[Fared, ...]
    rounds: int
    drawn: float


@rule
def play_rounds(
    book: Any, kind: int, work: Workspace, seed: int, first: int, games: int, sets: Any, tally: Any
) -> None:
    """Play tournaments between two bots of a kind with sets dealt at random, and tally the rounds. RH-21."""
    s = work.pool[GAME]
    for i in range(first, first + games):
        work.pool[GAME] = work.blank[0]
        rng.seed(s.rng, rng.mix(seed, i))
        for seat in range(SEATS):
            rng.seed(work.words[seat], rng.mix(seed, i, 1 + seat))
        rules.deal(book, s)
        bits = rules.to_act(book, s)
        while bits:
            play_round(book, kind, work, sets, tally)
            bits = rules.to_act(book, s)


@rule
def play_round(book: Any, kind: int, work: Workspace, sets: Any, tally: Any) -> None:
    """Play one round, from the choice of the sets to its end, and tally it. RH-21."""
    s = work.pool[GAME]
    while s.phase == CHOOSE_SET:
        rules.play(book, s, lowest_seat(rules.to_act(book, s)), DEAL)
    note_sets(book, s, sets)
    number, before_0, before_1 = s.round, s.victories[0], s.victories[1]
    while s.round == number and s.over == 0:
        seat = lowest_seat(rules.to_act(book, s))
        rules.play(book, s, seat, choose(book, kind, seat, work))
    tally[ROUNDS][0] += 1
    if s.victories[0] == before_0 and s.victories[1] == before_1:
        tally[DRAWN_ROUNDS][0] += 1
        return
    winner = 0 if s.victories[0] > before_0 else 1
    for card in range(book.cards):
        if sets[0][card] != sets[1][card]:
            tally[card][DECIDED] += 1
            tally[card][WON] += sets[winner][card]


@rule
def note_sets(book: Any, s: Any, sets: Any) -> None:
    """Note which cards are in which active set: all of them are in hands and piles. RH-9."""
    for seat in range(SEATS):
        for card in range(book.cards):
            sets[seat][card] = 0
        for held in range(s.hand_size[seat]):
            sets[seat][s.hand[seat][held]] = 1
        for place in range(s.pile_size[seat]):
            sets[seat][s.pile[seat][place]] = 1


@rule
def choose(book: Any, kind: int, seat: int, work: Workspace) -> int:
    """Choose an action as a bot of a kind does. RH-21."""
    s = work.pool[GAME]
    if kind == RANDOM:
        return nth_action(work.mask, rng.below(work.words[seat], rules.legal(book, s, seat, work.mask)))
    work.pool[BLINDED] = s
    rules.blind(book, work.pool[BLINDED], seat)
    return greedy_action(book, SEATS, seat, work)


def fairness(
    rounds: int, bot: str, cards: str, seed: int, progress: Callable[[int], None] = lambda rounds: None
) -> Fairness:
    """Play at least so many rounds between two bots of a kind, random or greedy; raises BadOption.

    `cards` is the text of a set of one's own, or empty; all other options are the usual ones. `progress` is told from
    time to time how many more rounds are done.
    """
    import numpy as np

    if bot not in SLICE or not 1 <= rounds <= MOST_GAMES:
        raise BadOption(
            f"cards are judged by {' or '.join(SLICE)} over 1 to {MOST_GAMES:,} rounds, not by {bot!r} over {rounds:,}"
        )
    robin = game("robin")
    book = robin.make_book(SEATS, robin.read_options(SEATS, {"cards": cards}))
    play = _compiled_rounds(robin, book, KINDS[bot], seed)
    total = np.zeros((CARDS + 2, 2), np.int64)
    threads, size, first = os.cpu_count() or 1, SLICE[bot], 0
    with ThreadPoolExecutor(threads) as pool:
        while total[ROUNDS][0] < rounds:
            before = int(total[ROUNDS][0])
            firsts = [first + size * thread for thread in range(threads)]
            for tally in pool.map(lambda start: play(start, size), firsts):
                total += tally
            first += size * threads
            progress(int(total[ROUNDS][0]) - before)
    fared = [
        Fared(card_name(book, card), int(total[card][DECIDED]), float(total[card][WON] / max(1, total[card][DECIDED])))
        for card in range(book.cards)
    ]
    played = int(total[ROUNDS][0])
    return Fairness(tuple(sorted(fared, key=lambda one: -one.share)), played, float(total[DRAWN_ROUNDS][0] / played))


def _compiled_rounds(robin: Game, book: Any, kind: int, seed: int) -> Callable[[int, int], Any]:
    """Return what plays some tournaments, from a first number on, compiled, and returns their tally."""
    import numpy as np

    driver, record, own = compiled(robin, play_rounds), robin.book.array([book])[0], threading.local()

    def play(first: int, games: int) -> Any:
        if not hasattr(own, "work"):
            own.work, own.sets = compiled_workspace(robin), np.zeros((SEATS, CARDS), np.int64)
        tally = np.zeros((CARDS + 2, 2), np.int64)
        driver(record, kind, own.work, seed, first, games, own.sets, tally)
        return tally

    return play
