"""The contract of a game: what a game writes, and what the engine adds to it, which is the same in every game.

A game writes the functions of `WRITTEN`, and those of `OPTIONAL` that it wants. Everybody else calls `rules`, which are
complete: `to_act` is 0 once the game is over, `legal` gets a mask of zeros, `blind` hides the generator and the
secrets of the events and then all that the game's `hide` hides, `redeal` seeds the generator first, and where a game
has no `policy` or `payoff` the engine's stand in. In this module `written` are the functions that the game writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Protocol

from quintain.engine import rng
from quintain.engine.compiled import Function, rule, rules, written
from quintain.engine.events import hide_secrets
from quintain.engine.state import UNKNOWN, Cells, GameState, OwnState, Record

SPECTATOR = -1
"""The seat of a viewer who has none."""
MANY = 400
"""Actions from which on blocks of 64 pay. In King's Court, with 165, blocks of 8 alone make compiled play 1.05 times as
fast and interpreted play 1.18 times."""
WRITTEN = {
    "deal": ("book", "s"),
    "to_act": ("book", "s"),
    "legal": ("book", "s", "seat", "mask"),
    "play": ("book", "s", "seat", "action"),
    "hide": ("book", "s", "seat"),
    "redeal": ("book", "s"),
    "outcome": ("book", "s", "scores", "ranks"),
}
"""The rule functions that every game writes, and their parameters."""
OPTIONAL = {"policy": ("book", "s", "seat", "mask", "words"), "payoff": ("book", "s", "values")}
"""The rule functions that a game may write."""


class Rules(Protocol):
    """The complete rules of a game, over a book and a plain state, or over their compiled records.

    Masks hold a 1 for each legal action. `scores`, `ranks` and `values` have an entry for each seat. `words` are the
    four words of the chooser's own generator.
    """

    def deal(self, book: Record, s: GameState, /) -> None:
        """Set the match up, in a state of zeros with a generator that is seeded."""

    def to_act(self, book: Record, s: GameState, /) -> int:
        """Return the seats that may act as bits; 0 once the game is over."""

    def legal(self, book: Record, s: GameState, seat: int, mask: Cells[int], /) -> int:
        """Write the mask of a seat's legal actions, and return their number."""

    def play(self, book: Record, s: GameState, seat: int, action: int, /) -> None:
        """Carry out a legal action."""

    def blind(self, book: Record, s: GameState, seat: int, /) -> None:
        """Write UNKNOWN over all that a seat may not know."""

    def blind_position(self, book: Record, s: GameState, seat: int, /) -> None:
        """Write UNKNOWN over all that a seat may not know but for the events, which stay as they are."""

    def redeal(self, book: Record, s: GameState, seed: int, /) -> None:
        """Write a truth over every UNKNOWN, drawn from a seed."""

    def outcome(self, book: Record, s: GameState, scores: Cells[int], ranks: Cells[int], /) -> None:
        """Write the final scores, and the ranks from 1."""

    def payoff(
        self, book: Record, s: GameState, seats: int, scores: Cells[int], ranks: Cells[int], values: Cells[float], /
    ) -> None:
        """Write what each seat has won, from 0 to 1, at the end; `scores` and `ranks` are written, too."""

    def policy(self, book: Record, s: GameState, seat: int, mask: Cells[int], count: int, words: Cells[int], /) -> int:
        """Return one of the `count` legal actions in the mask."""


@rule
def lowest_seat(bits: int) -> int:
    """Return the lowest seat whose bit is set, of those that may act."""
    seat = 0
    while not bits >> seat & 1:
        seat += 1
    return seat


@rule
def nth_action(mask: Cells[int], n: int) -> int:
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
def to_act(book: Record, s: GameState) -> int:
    """Return the seats that may act as bits; 0 once the game is over."""
    if s.over:
        return 0
    bits: int = written.to_act(book, s)
    return bits


@rule
def legal(book: Record, s: GameState, seat: int, mask: Cells[int]) -> int:
    """Write the mask of a seat's legal actions, and return their number."""
    for action in range(rules.ACTIONS):
        mask[action] = 0
    if not to_act(book, s) >> seat & 1:
        return 0
    count: int = written.legal(book, s, seat, mask)
    return count


@rule
def blind(book: Record, s: GameState, seat: int) -> None:
    """Write UNKNOWN over all that a seat may not know; after the end that is the generator alone."""
    blind_position(book, s, seat)
    if s.over:
        return
    for i in range(len(s.events)):
        hide_secrets(s.events[i], seat)


@rule
def blind_position(book: Record, s: GameState, seat: int) -> None:
    """Blind all but the events, for a search that looks at none."""
    for i in range(4):
        s.rng[i] = UNKNOWN
    if s.over:
        return
    written.hide(book, s, seat)


@rule
def redeal(book: Record, s: GameState, seed: int) -> None:
    """Write a truth over every UNKNOWN, drawn from a seed."""
    rng.seed(s.rng, seed)
    written.redeal(book, s)


@rule
def share_of_the_win(
    book: Record, s: GameState, seats: int, scores: Cells[int], ranks: Cells[int], values: Cells[float]
) -> None:
    """Write 1, shared among the seats that are ranked first, and 0 for the others."""
    rules.outcome(book, s, scores, ranks)
    first = 0
    for seat in range(seats):
        first += 1 if ranks[seat] == 1 else 0
    for seat in range(seats):
        values[seat] = 1.0 / first if ranks[seat] == 1 else 0.0


@rule
def own_payoff(
    book: Record, s: GameState, seats: int, scores: Cells[int], ranks: Cells[int], values: Cells[float]
) -> None:
    """Write the game's own payoff, from 0 for the least that it can be to 1 for the most."""
    rules.outcome(book, s, scores, ranks)
    written.payoff(book, s, values)
    for seat in range(seats):
        values[seat] = (values[seat] - rules.LEAST_PAYOFF) / (rules.MOST_PAYOFF - rules.LEAST_PAYOFF)


@rule
def random_policy(book: Record, s: GameState, seat: int, mask: Cells[int], count: int, words: Cells[int]) -> int:
    """Return a legal action, each equally likely."""
    return nth_action(mask, rng.below(words, count))


@rule
def own_policy(book: Record, s: GameState, seat: int, mask: Cells[int], count: int, words: Cells[int]) -> int:
    """Return the action that the game's own policy chooses."""
    action: int = written.policy(book, s, seat, mask, words)
    return action


ADDED: dict[str, Function] = {
    "to_act": to_act,
    "legal": legal,
    "redeal": redeal,
    "blind": blind,
    "blind_position": blind_position,
}
"""What the engine completes, by name: `blind` is the game's `hide` and more."""


def complete(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return the complete rules, by name, of a game that writes these functions."""
    own = {name: functions[name] for name in ("deal", "play", "outcome")}
    payoff = own_payoff if "payoff" in functions else share_of_the_win
    return {**own, **ADDED, "payoff": payoff, "policy": own_policy if "policy" in functions else random_policy}


def acting(module: ModuleType, book: Record, s: OwnState) -> tuple[int, ...]:
    """Return the seats that may act on a plain state, by the module of a game's rules; for the game's own words."""
    bits = 0 if s.over else module.to_act(book, s)
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def legal_mask(module: ModuleType, book: Record, s: OwnState, seat: int) -> list[int]:
    """Return the mask of a seat's legal actions on a plain state, by the module of a game's rules; for its words."""
    mask = [0] * module.ACTIONS
    if seat in acting(module, book, s):
        module.legal(book, s, seat, mask)
    return mask
