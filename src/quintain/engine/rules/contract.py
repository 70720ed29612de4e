"""The contract of a game: the rule functions that a game writes, and what the engine adds to them.

A game writes all functions of `WRITTEN`, and any of `OPTIONAL`. Its callers (`RunningMatch`, bots, lab, server) use
the complete rules instead, which `complete` makes of them:

- `to_act` returns 0 once the game is over;
- `legal` clears the mask first, and finds no action for a seat that may not act;
- `blind` hides the generator and the secrets of the events, and calls the game's `hide`;
- `redeal` seeds the generator first;
- `policy` and `payoff` come from the engine if the game writes none;
- `observe` comes from the declarations of the state if the game writes none (see `observation`);
- `state_features` and `action_features` write nothing if the game writes none.

In this module `written` stands for the functions of the game, and `rules` for the complete ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Protocol

from quintain.engine.rules import rng
from quintain.engine.rules.events import hide_secrets, own
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.linking import Function, rule, rules, written
from quintain.engine.rules.state import Cells, GameState, OwnState, Record

SPECTATOR = -1
"""The number that stands for a spectator where a rule or a function of words takes a seat."""
MANY = 400
"""A game with this many actions or more is searched in blocks of 64, too. In King's Court, which has 165 actions,
blocks of 8 alone make compiled play 1.05 times as fast and interpreted play 1.18 times."""
CONTRACT = 2
"""The version of this contract; it rises when a game that kept the last version must be changed."""
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
OPTIONAL = {
    "policy": ("book", "s", "seat", "mask", "words"),
    "payoff": ("book", "s", "values"),
    "observe": ("book", "s", "seat", "out"),
    "state_features": ("book", "s", "seat", "out"),
    "action_features": ("book", "s", "seat", "action", "state", "out"),
}
"""The rule functions that a game may write."""


class Rules(Protocol):
    """The complete rules of a game, over a book and a plain state, or over their compiled records.

    A mask has an entry for each action: 1 if it is legal, else 0. `scores`, `ranks` and `values` have an entry for each
    seat. `words` are the four words of a random generator that belongs to the caller.
    """

    def deal(self, book: Record, s: GameState, /) -> None:
        """Set the game up, in a state of zeros whose generator is seeded."""

    def to_act(self, book: Record, s: GameState, /) -> int:
        """Return the seats that may act, bit n for seat n; 0 once the game is over."""

    def legal(self, book: Record, s: GameState, seat: int, mask: Cells[int], /) -> int:
        """Write a seat's legal actions into the mask, and return their number."""

    def play(self, book: Record, s: GameState, seat: int, action: int, /) -> None:
        """Carry out a legal action."""

    def blind(self, book: Record, s: GameState, seat: int, /) -> None:
        """Write UNKNOWN over all that a seat may not know."""

    def blind_position(self, book: Record, s: GameState, seat: int, /) -> None:
        """Write UNKNOWN over all that a seat may not know, except in the events, which stay as they are."""

    def redeal(self, book: Record, s: GameState, seed: int, /) -> None:
        """Replace every UNKNOWN by a possible value, drawn from a seed, so that the state is one deal that fits."""

    def outcome(self, book: Record, s: GameState, scores: Cells[int], ranks: Cells[int], /) -> None:
        """Write each seat's final score and its rank, the winner's rank being 1."""

    def payoff(
        self, book: Record, s: GameState, seats: int, scores: Cells[int], ranks: Cells[int], values: Cells[float], /
    ) -> None:
        """Write what each seat has won at the end, from 0 to 1; also writes `scores` and `ranks`."""

    def policy(self, book: Record, s: GameState, seat: int, mask: Cells[int], count: int, words: Cells[int], /) -> int:
        """Return one of the `count` legal actions in the mask."""

    def observe(self, book: Record, s: GameState, seat: int, out: Cells[float], /) -> None:
        """Write a state that is blinded for a seat into a row of floats, whose columns `Game.observation` describes."""

    def observe_int8(self, book: Record, s: GameState, seat: int, out: Cells[int], /) -> None:
        """Write a state that is blinded for a seat into a row of bytes, whose columns `observation_int8` describes."""

    def state_features(self, book: Record, s: GameState, seat: int, out: Cells[float], /) -> None:
        """Write a state that is blinded for a seat as the STATE_FEATURES numbers that a net reads of it."""

    def action_features(
        self, book: Record, s: GameState, seat: int, action: int, state: Cells[float], out: Cells[float], /
    ) -> None:
        """Write a legal action as the ACTION_FEATURES numbers that a net reads; `state` are those of the state."""


@rule
def lowest_seat(bits: int) -> int:
    """Return the lowest seat whose bit is set; at least one must be set."""
    seat = 0
    while not bits >> seat & 1:
        seat += 1
    return seat


@rule
def nth_action(mask: Cells[int], n: int) -> int:
    """Return the n-th action (from 0) whose entry in the mask is 1. It skips whole blocks of actions, for speed."""
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
    """Return the seats that may act, bit n for seat n; 0 once the game is over."""
    if s.over:
        return 0
    bits: int = written.to_act(book, s)
    return bits


@rule
def legal(book: Record, s: GameState, seat: int, mask: Cells[int]) -> int:
    """Write a seat's legal actions into the mask, and return their number."""
    for action in range(rules.ACTIONS):
        mask[action] = 0
    if not to_act(book, s) >> seat & 1:
        return 0
    count: int = written.legal(book, s, seat, mask)
    return count


@rule
def blind(book: Record, s: GameState, seat: int) -> None:
    """Write UNKNOWN over all that a seat may not know; after the end, only over the generator."""
    blind_position(book, s, seat)
    if s.over:
        return
    for i in range(len(s.events)):
        if s.events[i].secret:
            hide_secrets(own(s.events, i), seat)


@rule
def blind_position(book: Record, s: GameState, seat: int) -> None:
    """Blind everything except the events, for a search, which does not read them."""
    for i in range(4):
        s.rng[i] = UNKNOWN
    if s.over:
        return
    written.hide(book, s, seat)


@rule
def redeal(book: Record, s: GameState, seed: int) -> None:
    """Replace every UNKNOWN by a possible value, drawn from a seed."""
    rng.seed(s.rng, seed)
    written.redeal(book, s)


@rule
def share_of_the_win(
    book: Record, s: GameState, seats: int, scores: Cells[int], ranks: Cells[int], values: Cells[float]
) -> None:
    """Write the default payoff: 1, shared among the seats that are ranked first, and 0 for the others."""
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
    """Write the game's own payoff, scaled so that its least possible value is 0 and its greatest is 1."""
    rules.outcome(book, s, scores, ranks)
    written.payoff(book, s, values)
    for seat in range(seats):
        values[seat] = (values[seat] - rules.LEAST_PAYOFF) / (rules.MOST_PAYOFF - rules.LEAST_PAYOFF)


@rule
def no_state_features(book: Record, s: GameState, seat: int, out: Cells[float]) -> None:
    """Write nothing: nets read the observation of this game."""


@rule
def no_action_features(
    book: Record, s: GameState, seat: int, action: int, state: Cells[float], out: Cells[float]
) -> None:
    """Write nothing: nets know the actions of this game by their numbers."""


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
"""The functions that the engine completes, by name."""


def complete(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return the complete rules of a game that writes these functions, by name."""
    own = {name: functions[name] for name in ("deal", "play", "outcome")}
    payoff = own_payoff if "payoff" in functions else share_of_the_win
    features = {
        "state_features": functions.get("state_features", no_state_features),
        "action_features": functions.get("action_features", no_action_features),
    }
    policy = own_policy if "policy" in functions else random_policy
    return {**own, **ADDED, **features, "payoff": payoff, "policy": policy}


def acting(module: ModuleType, book: Record, s: OwnState) -> tuple[int, ...]:
    """Return the seats that may act in a plain state. For the words of a game: `module` holds its rules."""
    bits = 0 if s.over else module.to_act(book, s)
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def legal_mask(module: ModuleType, book: Record, s: OwnState, seat: int) -> list[int]:
    """Return a seat's legal actions in a plain state as a mask. For the words of a game: `module` holds its rules."""
    mask = [0] * module.ACTIONS
    if seat in acting(module, book, s):
        module.legal(book, s, seat, mask)
    return mask
