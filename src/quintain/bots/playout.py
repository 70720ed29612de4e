"""Playouts, greedy choices, and whole games between simple bots, as rules that work for every game.

They run interpreted and compiled (see `rules.compiling`). Six drivers are compiled for a game: `play_games` plays many
games for the lab's simulations, `deal_game` and `play_part` play one game with stops for the lab's trials, `play_on`
plays one position to the end many times, and `choose_greedily` and `follow_policy` choose one action for a bot. `tree`
uses `play_out`, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from quintain.engine.rules import rng
from quintain.engine.rules.compiling import memory
from quintain.engine.rules.compiling.compiled import Compiled, Example, compiled
from quintain.engine.rules.contract import lowest_seat, nth_action, random_policy
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Cells, GameState, Pool, Record

RANDOM, GREEDY, POLICY = range(3)
POLICY_BOT = "quintain.bots.policy:Policy"
KINDS = {"random": RANDOM, "greedy": GREEDY, POLICY_BOT: POLICY}
"""The bots that `play_games` knows, by name."""

GREEDY_PLAYOUTS = 8
"""Playouts of each action for one greedy choice."""
GAME, REDEALT, TRIED, BLINDED = range(4)
"""Places in the pool of a `Workspace`: the game that is played, and three states for judging actions."""
STATES = 4
"""How many states the pool has."""


@rule
def play_out(book: Record, s: GameState, mask: Cells[int], words: Cells[int]) -> int:
    """Play to the end of the game by the game's policy, or else at random; return the number of actions."""
    plies = 0
    bits = rules.to_act(book, s)
    while bits:
        seat = lowest_seat(bits)
        count = rules.legal(book, s, seat, mask)
        rules.play(book, s, seat, rules.policy(book, s, seat, mask, count, words))
        plies += 1
        bits = rules.to_act(book, s)
    return plies


class Workspace(NamedTuple):
    """The memory that the rules of this module work on: lists and `Pool`s, or arrays for compiled code."""

    pool: Cells[GameState]
    """Four states, at GAME, REDEALT, TRIED and BLINDED."""
    blank: Cells[GameState]
    """A state of zeros."""
    mask: Cells[int]
    trial_mask: Cells[int]
    totals: Cells[float]
    """For each action, the sum of its payoffs."""
    scores: Cells[int]
    ranks: Cells[int]
    values: Cells[float]
    """The payoff of each seat."""
    words: Any
    """A random generator for each seat: lists of four words, or an array of two axes."""


def new_workspace(game: Game, *, is_compiled: bool) -> Workspace:
    """Return a workspace for interpreted or for compiled rules."""
    seats = game.seats[1]
    return Workspace(
        pool=states(game.state, STATES, is_compiled),
        blank=states(game.state, 1, is_compiled),
        mask=zeros(game.actions, "int8", is_compiled),
        trial_mask=zeros(game.actions, "int8", is_compiled),
        totals=zeros(game.actions, "float64", is_compiled),
        scores=zeros(seats, "int64", is_compiled),
        ranks=zeros(seats, "int64", is_compiled),
        values=zeros(seats, "float64", is_compiled),
        words=zeros((seats, 4), "int64", is_compiled),
    )


def zeros(shape: int | tuple[int, int], kind: str, is_compiled: bool) -> Any:
    """Return numbers that are 0: lists for interpreted rules, or an array of this kind for compiled ones."""
    if is_compiled:
        return memory.zeros(kind, *(shape if isinstance(shape, tuple) else (shape,)))
    if isinstance(shape, tuple):
        return [zeros(shape[1], kind, is_compiled) for _ in range(shape[0])]
    return [0.0 if kind == "float64" else 0] * shape


def states(kind: type[GameState], count: int, is_compiled: bool) -> Any:
    """Return states of zeros, to which assignment copies: a `Pool`, or an array of records for compiled rules."""
    return memory.records(kind, count) if is_compiled else Pool(kind, count)


def drivers(game: Game) -> Iterator[Example]:
    """Yield `play_games`, `play_on`, `follow_policy`, `deal_game` and `play_part` for a game."""
    seats = game.seats[2]
    book = memory.in_memory(game.make_book(seats, game.read_options(seats, {})))
    kinds, rows = memory.zeros("int64", seats), memory.zeros("int64", 0, 1 + 2 * seats)
    work = new_workspace(game, is_compiled=True)
    yield Example(compiled_games(game), (book, seats, kinds, work, 0, 0, rows))
    yield Example(compiled_playouts(game), (book, seats, work, 0, 0, memory.zeros("float64", seats)))
    yield Example(compiled_policy(game), (book, 0, work))
    yield from part_drivers(game)


def part_drivers(game: Game) -> Iterator[Example]:
    """Yield `deal_game` and `play_part` for a game."""
    seats = game.seats[2]
    book = memory.in_memory(game.make_book(seats, game.read_options(seats, {})))
    work = new_workspace(game, is_compiled=True)
    yield Example(compiled_deal(game), (book, seats, work, 0, 0))
    yield Example(compiled_parts(game), (book, seats, memory.zeros("int64", seats), work, part_in(game, work)))


def part_in(game: Game, work: Workspace) -> Any:
    """Return the number in the memory of the game in the pool that counts its parts; empty if it has no parts."""
    name = getattr(game.collection, "part", None)
    return memory.number_in(work.pool, GAME, name) if name else memory.zeros("int8", 0)


@rule
def judge_actions(book: Record, seats: int, seat: int, work: Workspace) -> None:
    """Redeal the blinded state in the pool once; play each legal action out in it and add the payoff to the totals."""
    pool, mask, words = work.pool, work.mask, work.words[seat]
    rules.legal(book, pool[BLINDED], seat, mask)
    pool[REDEALT] = pool[BLINDED]
    rules.redeal(book, pool[REDEALT], rng.draw(words))
    for action in range(rules.ACTIONS):
        if mask[action]:
            pool[TRIED] = pool[REDEALT]
            rules.play(book, pool[TRIED], seat, action)
            play_out(book, pool[TRIED], work.trial_mask, words)
            rules.payoff(book, pool[TRIED], seats, work.scores, work.ranks, work.values)
            work.totals[action] += work.values[seat]


@rule
def best_action(mask: Cells[int], totals: Cells[float], words: Cells[int]) -> int:
    """Return the legal action with the highest total; among equals, a random one."""
    best, equals = -1, 0
    for action in range(rules.ACTIONS):
        if mask[action] and (best < 0 or totals[action] >= totals[best]):
            equals = equals + 1 if best >= 0 and totals[action] == totals[best] else 1
            if rng.below(words, equals) == 0:
                best = action
    return best


@rule
def greedy_action(book: Record, seats: int, seat: int, work: Workspace) -> int:
    """Return the action that looks best for a seat, whose blinded state is in the pool."""
    for action in range(rules.ACTIONS):
        work.totals[action] = 0.0
    for _ in range(GREEDY_PLAYOUTS):
        judge_actions(book, seats, seat, work)
    return best_action(work.mask, work.totals, work.words[seat])


@rule
def choose_action(book: Record, s: GameState, seats: int, seat: int, kind: int, work: Workspace) -> int:
    """Return the action that a bot of the given kind chooses for a seat."""
    mask, words = work.mask, work.words
    count = rules.legal(book, s, seat, mask)
    if kind == RANDOM:
        return random_policy(book, s, seat, mask, count, words[seat])
    if kind == POLICY:
        action: int = rules.policy(book, s, seat, mask, count, words[seat])
        return action
    if count == 1:
        return nth_action(mask, 0)
    work.pool[BLINDED] = s
    rules.blind(book, work.pool[BLINDED], seat)
    return greedy_action(book, seats, seat, work)


@rule
def play_game(book: Record, seats: int, kinds: Cells[int], work: Workspace) -> int:
    """Play the dealt game in the pool to its end, between bots of the given kinds; return the number of actions."""
    s = work.pool[GAME]
    plies = 0
    bits = rules.to_act(book, s)
    while bits:
        seat = lowest_seat(bits)
        action = choose_action(book, s, seats, seat, kinds[seat], work)
        rules.play(book, s, seat, action)
        plies += 1
        bits = rules.to_act(book, s)
    return plies


@rule
def play_part(book: Record, seats: int, kinds: Cells[int], work: Workspace, part: Cells[int]) -> int:
    """Play the game in the pool on until its next part begins or it ends; return the number of actions.

    `part` is the number in its memory that counts its parts: see `part_in`. If there are parts, the state before the
    last action is then at TRIED. At the end, scores and ranks are in the workspace; a game that is over has 0 actions.
    """
    s = work.pool[GAME]
    plies = 0
    begun = part[0] if len(part) else 0
    bits = rules.to_act(book, s)
    while bits and (len(part) == 0 or part[0] == begun):
        seat = lowest_seat(bits)
        action = choose_action(book, s, seats, seat, kinds[seat], work)
        if len(part):
            work.pool[TRIED] = s
        rules.play(book, s, seat, action)
        plies += 1
        bits = rules.to_act(book, s)
    if not bits:
        rules.outcome(book, s, work.scores, work.ranks)
    return plies


@rule
def choose_greedily(book: Record, seats: int, seat: int, work: Workspace) -> int:
    """Return the greedy bot's action for a seat, whose blinded state is in the pool."""
    return greedy_action(book, seats, seat, work)


@rule
def follow_policy(book: Record, seat: int, work: Workspace) -> int:
    """Return the action that the game's policy chooses for a seat, whose blinded state is in the pool."""
    s, mask = work.pool[BLINDED], work.mask
    count = rules.legal(book, s, seat, mask)
    action: int = rules.policy(book, s, seat, mask, count, work.words[seat])
    return action


@rule
def deal_game(book: Record, seats: int, work: Workspace, seed: int, number: int) -> None:
    """Deal game `number` into the pool, from mix(seed, number); its seats choose by mix(seed, number, 1 + seat)."""
    work.pool[GAME] = work.blank[0]
    s = work.pool[GAME]
    rng.seed(s.rng, rng.mix(seed, number))
    for seat in range(seats):
        rng.seed(work.words[seat], rng.mix(seed, number, 1 + seat))
    rules.deal(book, s)


@rule
def play_games(
    book: Record, seats: int, kinds: Cells[int], work: Workspace, seed: int, first: int, results: Cells[Cells[int]]
) -> int:
    """Play a game for each row of `results`, between bots of the given kinds; return the number of all actions.

    Games are numbered from `first` on, and dealt as `deal_game` says. The row of a game holds its number of actions,
    then the seats' scores, then their ranks.
    """
    plies = 0
    for i in range(len(results)):
        deal_game(book, seats, work, seed, first + i)
        results[i][0] = play_game(book, seats, kinds, work)
        plies += results[i][0]
        write_outcome(book, seats, work, results[i])
    return plies


@rule
def write_outcome(book: Record, seats: int, work: Workspace, row: Cells[int]) -> None:
    """Write the seats' scores of the game that is over, then their ranks, after the first entry of a row."""
    rules.outcome(book, work.pool[GAME], work.scores, work.ranks)
    for seat in range(seats):
        row[1 + seat] = work.scores[seat]
        row[1 + seats + seat] = work.ranks[seat]


@rule
def play_on(book: Record, seats: int, work: Workspace, seed: int, playouts: int, shares: Cells[float]) -> int:
    """Play the position at GAME in the pool to its end several times, by the game's policy, each with other chance.

    Add each seat's shares of the wins to `shares`, and return the number of all actions.
    """
    plies, words = 0, work.words[0]
    rng.seed(words, seed)
    for _ in range(playouts):
        work.pool[TRIED] = work.pool[GAME]
        rng.seed(work.pool[TRIED].rng, rng.draw(words))
        plies += play_out(book, work.pool[TRIED], work.trial_mask, words)
        rules.outcome(book, work.pool[TRIED], work.scores, work.ranks)
        first = 0
        for seat in range(seats):
            first += 1 if work.ranks[seat] == 1 else 0
        for seat in range(seats):
            shares[seat] += 1.0 / first if work.ranks[seat] == 1 else 0.0
    return plies


@cache
def compiled_games(game: Game) -> Compiled[int]:
    """Return `play_games` for a game, compiled."""
    return compiled(game, play_games)


@cache
def compiled_deal(game: Game) -> Compiled[None]:
    """Return `deal_game` for a game, compiled."""
    return compiled(game, deal_game)


@cache
def compiled_parts(game: Game) -> Compiled[int]:
    """Return `play_part` for a game, compiled."""
    return compiled(game, play_part)


@cache
def compiled_playouts(game: Game) -> Compiled[int]:
    """Return `play_on` for a game, compiled."""
    return compiled(game, play_on)


@cache
def compiled_greed(game: Game) -> Compiled[int]:
    """Return `choose_greedily` for a game, compiled."""
    return compiled(game, choose_greedily)


@cache
def compiled_policy(game: Game) -> Compiled[int]:
    """Return `follow_policy` for a game, compiled."""
    return compiled(game, follow_policy)


def one_choice(game: Game) -> tuple[Any, int, Workspace]:
    """Return a book in memory, a seat, and a workspace with what that seat sees first: an example for drivers."""
    seats = game.seats[2]
    book = game.make_book(seats, game.read_options(seats, {}))
    s = game.state()
    rng.seed(s.rng, 0)
    game.rules.deal(book, s)
    seat = lowest_seat(game.rules.to_act(book, s))
    work = new_workspace(game, is_compiled=True)
    work.pool[BLINDED] = memory.in_memory(game.blinded(book, s, seat))
    return memory.in_memory(book), seat, work
