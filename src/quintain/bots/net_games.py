"""Whole games in which a net plays, as rules that run compiled: thousands of games by a strong player in a minute.

`play_games_by_net` is `playout.play_games` with one more kind of bot. All seats of this kind play the same net. Each
takes the action that it finds most probable, or, given a sharpness, one that is drawn by its chances.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from quintain.bots.drawing import drawn_action
from quintain.bots.net import NetMemory, blank_memory, think
from quintain.bots.playout import GAME, Workspace, choose_action, deal_game, new_workspace, write_outcome
from quintain.engine.rules.compiling import memory
from quintain.engine.rules.compiling.compiled import Compiled, Example, compiled
from quintain.engine.rules.contract import lowest_seat, nth_action
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Cells, GameState, Record

BY_NET = 100
"""The kind of a bot that plays the net, beside those of `playout.KINDS`."""


@rule
def play_games_by_net(
    book: Record,
    seats: int,
    kinds: Cells[int],
    work: Workspace,
    net: NetMemory,
    sharpness: int,
    seed: int,
    first: int,
    results: Cells[Cells[int]],
) -> int:
    """Play a game for each row of `results`, as `playout.play_games` does; return the number of all actions."""
    plies = 0
    for i in range(len(results)):
        deal_game(book, seats, work, seed, first + i)
        results[i][0] = play_game_by_net(book, seats, kinds, work, net, sharpness)
        plies += results[i][0]
        write_outcome(book, seats, work, results[i])
    return plies


@rule
def play_game_by_net(
    book: Record, seats: int, kinds: Cells[int], work: Workspace, net: NetMemory, sharpness: int
) -> int:
    """Play the dealt game in the pool to its end; return the number of actions."""
    s = work.pool[GAME]
    plies = 0
    bits = rules.to_act(book, s)
    while bits:
        seat = lowest_seat(bits)
        if kinds[seat] == BY_NET:
            action = action_by_net(book, s, seat, work, net, sharpness)
        else:
            action = choose_action(book, s, seats, seat, kinds[seat], work)
        rules.play(book, s, seat, action)
        plies += 1
        bits = rules.to_act(book, s)
    return plies


@rule
def action_by_net(book: Record, s: GameState, seat: int, work: Workspace, net: NetMemory, sharpness: int) -> int:
    """Return the legal action that a net finds most probable for a seat, or with a sharpness above 0 a drawn one."""
    mask = work.mask
    if rules.legal(book, s, seat, mask) == 1:
        return nth_action(mask, 0)
    net.seen[0] = s
    rules.blind(book, net.seen[0], seat)
    think(book, seat, net, mask)
    if sharpness > 0:
        return drawn_action(mask, net.out, sharpness, work.words[seat])
    best = -1
    for action in range(rules.ACTIONS):
        if mask[action] and (best < 0 or net.out[action] > net.out[best]):
            best = action
    return best


def drivers(game: Game) -> Iterator[Example]:
    """Yield `play_games_by_net` for a game."""
    seats = game.seats[2]
    book = memory.in_memory(game.make_book(seats, game.read_options(seats, {})))
    kinds, rows = memory.zeros("int64", seats), memory.zeros("int64", 0, 1 + 2 * seats)
    work = new_workspace(game, is_compiled=True)
    yield Example(compiled_games_by_net(game), (book, seats, kinds, work, blank_memory(game), 0, 0, 0, rows))


@cache
def compiled_games_by_net(game: Game) -> Compiled[int]:
    """Return `play_games_by_net` for a game, compiled."""
    return compiled(game, play_games_by_net)
