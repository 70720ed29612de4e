"""Random choice, playouts, and whole games between bots: for every game, interpreted and compiled.

`run` is the one driver that is compiled for a game: it plays batches of games for simulation, and chooses
single actions for the greedy bot, so that whatever has been simulated once is ready for play.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from quintain.engine import rng
from quintain.engine.compiled import Compiled, compiled, rule, rules, where_policy
from quintain.engine.game import Game
from quintain.engine.state import Pool

RANDOM, GREEDY, POLICY = range(3)
POLICY_BOT = "quintain.bots.policy:Policy"
KINDS = {"random": RANDOM, "greedy": GREEDY, POLICY_BOT: POLICY}
"""The bots that `run` plays with, by name."""

GREEDY_PLAYOUTS = 8
MANY = 400
"""Actions from which on blocks of 64 pay. In King's Court, with 165, blocks of 8 alone make compiled play 1.05 times as
fast and interpreted play 1.18 times."""
GAME, REDEALT, TRIED, BLINDED = range(4)
"""Places in the pool of a `Workspace`: the game that is played, and what a choice needs."""


@rule
def lowest_seat(bits: int) -> int:
    """Return the lowest seat whose bit is set, of those that may act."""
    seat = 0
    while not bits >> seat & 1:
        seat += 1
    return seat


@rule
def nth_action(mask: Any, n: int) -> int:
    """Return the n-th (from 0) action whose entry in the mask is 1; passes over blocks of them, for speed."""
    action = 0
    if rules.ACTIONS >= MANY:
        while action + 64 <= rules.ACTIONS:
            block = 0
            for i in range(64):
                block += mask[action + i]
            if n < block:
                break
            n -= block
            action += 64
    while action + 8 <= rules.ACTIONS:
        eight = mask[action] + mask[action + 1] + mask[action + 2] + mask[action + 3]
        eight += mask[action + 4] + mask[action + 5] + mask[action + 6] + mask[action + 7]
        if n < eight:
            break
        n -= eight
        action += 8
    while n > 0 or not mask[action]:
        n -= mask[action]
        action += 1
    return action


@rule
def random_action(mask: Any, count: int, words: Any) -> int:
    """Choose among `count` legal actions, each equally likely, with a generator of the chooser's own."""
    return nth_action(mask, rng.below(words, count))


@rule
def policy_action(book: Any, s: Any, seat: int, mask: Any, count: int, words: Any) -> int:
    """Choose by the game's own policy."""
    action: int = rules.policy(book, s, seat, mask, words)
    return action


@where_policy(policy_action)
@rule
def playout_action(book: Any, s: Any, seat: int, mask: Any, count: int, words: Any) -> int:
    """Choose among `count` legal actions in a playout: by the game's policy if it has one, else at random."""
    return random_action(mask, count, words)


@rule
def play_out(book: Any, s: Any, mask: Any, words: Any) -> int:
    """Play by policy, or at random, to the end of the game and return how many actions it took."""
    plies = 0
    bits = rules.to_act(book, s)
    while bits:
        seat = lowest_seat(bits)
        count = rules.legal(book, s, seat, mask)
        rules.play(book, s, seat, playout_action(book, s, seat, mask, count, words))
        plies += 1
        bits = rules.to_act(book, s)
    return plies


@rule
def utility(ranks: Any, seats: int, seat: int) -> float:
    """Return 1, shared among the seats that are ranked first, or 0 for the others."""
    if ranks[seat] != 1:
        return 0.0
    first = 0
    for other in range(seats):
        first += 1 if ranks[other] == 1 else 0
    return 1.0 / first


class Workspace(NamedTuple):
    """What the rules of this module work on: lists and `Pool`s, or numpy arrays for compiled code."""

    pool: Any
    """Four states, at GAME, REDEALT, TRIED and BLINDED."""
    blank: Any
    """A state of zeros."""
    mask: Any
    trial_mask: Any
    totals: Any
    """The utility added up for each action."""
    scores: Any
    ranks: Any
    words: Any
    """A generator for each seat."""


def plain_workspace(game: Game) -> Workspace:
    """Return a workspace for interpreted rules."""
    seats = game.seats[1]
    return Workspace(
        pool=Pool(game.state, 4),
        blank=Pool(game.state, 1),
        mask=[0] * game.actions,
        trial_mask=[0] * game.actions,
        totals=[0.0] * game.actions,
        scores=[0] * seats,
        ranks=[0] * seats,
        words=[[0] * 4 for _ in range(seats)],
    )


def compiled_workspace(game: Game) -> Workspace:
    """Return a workspace for compiled rules."""
    import numpy as np

    seats = game.seats[1]
    return Workspace(
        pool=game.state.array([game.state()] * 4),
        blank=game.state.array([game.state()]),
        mask=np.zeros(game.actions, np.int8),
        trial_mask=np.zeros(game.actions, np.int8),
        totals=np.zeros(game.actions),
        scores=np.zeros(seats, np.int64),
        ranks=np.zeros(seats, np.int64),
        words=np.zeros((seats, 4), np.int64),
    )


def warm_up(game: Game) -> None:
    """See to it that `run` is compiled."""
    import numpy as np

    seats = game.seats[2]
    book = game.book.array([game.make_book(seats, game.read_options(seats, {}))])[0]
    none = np.zeros((0, 1 + 2 * seats), np.int64)
    compiled_run(game)(book, seats, -1, np.zeros(seats, np.int64), compiled_workspace(game), 0, 0, none)


@rule
def judge_actions(book: Any, seats: int, seat: int, work: Workspace) -> None:
    """Redeal the blinded state in the pool once; add each legal action's utility in a playout of it to the totals."""
    pool, mask, words = work.pool, work.mask, work.words[seat]
    rules.legal(book, pool[BLINDED], seat, mask)
    pool[REDEALT] = pool[BLINDED]
    rules.redeal(book, pool[REDEALT], rng.draw(words))
    for action in range(rules.ACTIONS):
        if mask[action]:
            pool[TRIED] = pool[REDEALT]
            rules.play(book, pool[TRIED], seat, action)
            play_out(book, pool[TRIED], work.trial_mask, words)
            rules.outcome(book, pool[TRIED], work.scores, work.ranks)
            work.totals[action] += utility(work.ranks, seats, seat)


@rule
def best_action(mask: Any, totals: Any, words: Any) -> int:
    """Return the legal action with the highest total, drawn among equals."""
    best, equals = -1, 0
    for action in range(rules.ACTIONS):
        if mask[action] and (best < 0 or totals[action] >= totals[best]):
            equals = equals + 1 if best >= 0 and totals[action] == totals[best] else 1
            if rng.below(words, equals) == 0:
                best = action
    return best


@rule
def greedy_action(book: Any, seats: int, seat: int, work: Workspace) -> int:
    """Return the action that looks best for a seat from its blinded state, which is in the pool."""
    for action in range(rules.ACTIONS):
        work.totals[action] = 0.0
    for _ in range(GREEDY_PLAYOUTS):
        judge_actions(book, seats, seat, work)
    return best_action(work.mask, work.totals, work.words[seat])


@rule
def play_game(book: Any, seats: int, kinds: Any, work: Workspace) -> int:
    """Play the dealt game in the pool to its end between bots of the given kinds; return its plies."""
    s, mask, words = work.pool[GAME], work.mask, work.words
    plies = 0
    bits = rules.to_act(book, s)
    while bits:
        seat = lowest_seat(bits)
        count = rules.legal(book, s, seat, mask)
        if kinds[seat] == RANDOM:
            action = random_action(mask, count, words[seat])
        elif kinds[seat] == POLICY:
            action = playout_action(book, s, seat, mask, count, words[seat])
        elif count == 1:
            action = nth_action(mask, 0)
        else:
            work.pool[BLINDED] = s
            rules.blind(book, work.pool[BLINDED], seat)
            action = greedy_action(book, seats, seat, work)
        rules.play(book, s, seat, action)
        plies += 1
        bits = rules.to_act(book, s)
    return plies


@rule
def run(book: Any, seats: int, chooser: int, kinds: Any, work: Workspace, seed: int, first: int, results: Any) -> int:
    """Choose greedily for the seat `chooser`, whose blinded state is in the pool; or, for -1, play games.

    Game i, counted from `first`, is dealt from mix(seed, i), and its seats choose by mix(seed, i, 1 + seat). Its
    row in `results` is its plies, then the seats' scores, then their ranks. Returns the action, or all plies.
    """
    if chooser >= 0:
        return greedy_action(book, seats, chooser, work)
    plies = 0
    for i in range(len(results)):
        work.pool[GAME] = work.blank[0]
        s = work.pool[GAME]
        rng.seed(s.rng, rng.mix(seed, first + i))
        for seat in range(seats):
            rng.seed(work.words[seat], rng.mix(seed, first + i, 1 + seat))
        rules.deal(book, s)
        results[i][0] = play_game(book, seats, kinds, work)
        plies += results[i][0]
        rules.outcome(book, s, work.scores, work.ranks)
        for seat in range(seats):
            results[i][1 + seat] = work.scores[seat]
            results[i][1 + seats + seat] = work.ranks[seat]
    return plies


@cache
def compiled_run(game: Game) -> Compiled:
    """Return `run` for a game, compiled."""
    return compiled(game, run)
