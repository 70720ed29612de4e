"""Plays single games between any bots, move by move, for `series` and `watched`.

The seed and the number of a game decide all its chance, in the same way as in `bots.playout.play_games`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from quintain.bots import Level, Player, greedy, ismcts, net, net_search, net_tree, shipped_nets
from quintain.bots.page import Page
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.contract import lowest_seat
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState, Record
from quintain.engine.seen.seen import Seen


def prepare(game: Game, levels: Iterable[Level]) -> None:
    """Compile what these levels need, so that they play with full strength from the first game on."""
    kinds = {level.kind for level in levels}
    if any(issubclass(kind, greedy.Greedy | Page) for kind in kinds):
        greedy.warm_up(game)
    if any(issubclass(kind, ismcts.Ismcts) for kind in kinds):
        ismcts.warm_up(game)
    if any(issubclass(kind, net.Net | shipped_nets.Minstrel) for kind in kinds):
        load(net.drivers(game))
    if any(issubclass(kind, net_search.NetSearch) for kind in kinds):
        load(net_tree.drivers(game))


class Observer(Protocol):
    """Watches one game without changing it."""

    def move(self, s: GameState, seat: int, action: int) -> None:
        """Note a move; `s` is the state before it."""

    def end(self, s: GameState, ranks: Sequence[int]) -> None:
        """Note the end of the game."""


def play(
    game: Game, book: Record, levels: Sequence[Level], seed: int, number: int, observer: Observer | None = None
) -> tuple[int, list[int], list[int]]:
    """Play game `number` of a batch, with one level for each seat; return the number of actions, scores and ranks."""
    s = game.state()
    plies = 0
    for seat, action in moves(game, book, s, levels, seed, number):
        plies += 1
        if observer:
            observer.move(s, seat, action)
    scores, ranks = result(game, book, s, len(levels))
    if observer:
        observer.end(s, ranks)
    return plies, scores, ranks


def moves(
    game: Game, book: Record, s: GameState, levels: Sequence[Level], seed: int, number: int
) -> Iterator[tuple[int, int]]:
    """Play game `number` of a batch in `s`, a state of zeros; yield seat and action of each move before it is made."""
    for made in decisions(game, book, s, levels, seed, number):
        yield made.seen.seat, made.action


class Decision(NamedTuple):
    """What a seat saw, the player that chose for it, and the action."""

    seen: Seen
    player: Player
    action: int


def decisions(
    game: Game, book: Record, s: GameState, levels: Sequence[Level], seed: int, number: int
) -> Iterator[Decision]:
    """Play game `number` of a batch in `s`, a state of zeros; yield each decision before its move is made."""
    rules = game.rules
    rng.seed(s.rng, rng.mix(seed, number))
    players = [Player(level, game, rng.mix(seed, number, 1 + seat)) for seat, level in enumerate(levels)]
    rules.deal(book, s)
    while bits := rules.to_act(book, s):
        seat = lowest_seat(bits)
        seen = Seen.of(game, book, game.blinded(book, s, seat), seat)
        action = players[seat].choose(seen)
        yield Decision(seen, players[seat], action)
        rules.play(book, s, seat, action)


def result(game: Game, book: Record, s: GameState, seats: int) -> tuple[list[int], list[int]]:
    """Return the scores and the ranks of a game that is over."""
    scores, ranks = [0] * seats, [0] * seats
    game.rules.outcome(book, s, scores, ranks)
    return scores, ranks


def shares(ranks: Sequence[int]) -> list[float]:
    """Return each seat's share of the win: 1, divided among the seats that are ranked first, and 0 for the others."""
    return [(rank == 1) / ranks.count(1) for rank in ranks]
