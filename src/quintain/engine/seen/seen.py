"""`Seen`: everything that one viewer sees of a match, as one immutable value. It holds no secret of other viewers.

`Match.seen` makes it for front ends; `Seen.of` makes it for bots, from a blinded state alone. A `Seen` can be stored,
compared, and sent to another process, which finds the game by its id. It makes its view, menu and words on first use,
and does not send them along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache, partial
from typing import Any, cast

import msgspec

from quintain.engine.errors import IllegalMove
from quintain.engine.names import MINUS, with_names, with_tokens, worded
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.registry import game as found
from quintain.engine.rules.state import GameState, Record
from quintain.engine.rules.views import (
    Act,
    Change,
    Line,
    Preview,
    Reason,
    View,
    check_view,
    reworded,
    with_players,
)
from quintain.engine.seen.acts import completed
from quintain.engine.seen.moves import Move, nearest, written_as
from quintain.engine.seen.previews import Path, previews
from quintain.engine.seen.result import Outcome
from quintain.engine.seen.unknown import shows_new

POSSIBLE_TRUTH = 1
"""The seed for the cards that a viewer cannot see, where any possible cards will do."""
NAMED_KEPT = 4096
"""How many texts with names are cached: a page that is drawn again contains most of them again."""
PACKED = ("game", "book", "state")
"""The fields that travel to another process as an id, as JSON and as bytes."""
named = lru_cache(NAMED_KEPT)(with_names)
"""Return a text with the players' names in the place of ``seat 0`` and so on: `with_names`, cached."""


readable = lru_cache(NAMED_KEPT)(worded)
"""Return a text as people read it: `worded`, cached. Moves stay as records have them."""


@dataclass(frozen=True)
class Seen:
    """What a viewer, which is a seat or None for a spectator, sees of a match.

    `state` is a blinded copy of the match's state. `legal` are the viewer's legal actions. `to_act` are the seats that
    may act; `done` are the seats that have already made a secret choice which others still have to make. `decision`
    is the number of times the viewer has been asked. The first `old` lines of the log are no news: they are from before
    the viewer's last decision, or say what it was. `changes` are there if the caller asked for them. Without `names`
    all words say ``seat 0`` and so on.
    """

    game: Game
    book: Record
    state: GameState
    viewer: int | None
    legal: tuple[int, ...]
    to_act: tuple[int, ...]
    done: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    old: int = 0
    decision: int = 0
    can_undo: bool = False
    can_resign: bool = False
    has_resigned: bool = False
    outcome: Outcome | None = None
    commitment: str = ""
    changes: tuple[Change, ...] = ()

    @classmethod
    def of(cls, game: Game, book: Record, blinded: GameState, seat: int) -> Seen:
        """Return what a seat sees, made from its blinded state alone: for bots in simulations."""
        acting = tuple(seats_in(game.rules.to_act(book, blinded)))
        return cls(game, book, blinded, seat, tuple(game.legal_actions(book, blinded, seat)), acting)

    def __hash__(self) -> int:
        return hash((self.game, self.viewer, self.decision, len(self.log), self.state.words()))

    def __reduce__(self) -> tuple[object, ...]:
        rest = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in PACKED}
        return _unpacked, (self.game.id, self.book.to_json(), self.state.pack(), rest)

    def copied(self) -> Seen:
        """Return the same with copies of the book and the state, for a caller that might change them."""
        return replace(self, book=self.book.copy(), state=self.state.copy())

    @property
    def seat(self) -> int:
        """The viewer as a number, as rules and functions of words take it: -1 for a spectator."""
        return SPECTATOR if self.viewer is None else self.viewer

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, in the order of their actions."""
        name = self.game.text.name
        return tuple([Move(a, named(self.names, str(name(self.book, self.state, self.seat, a)))) for a in self.legal])

    @cached_property
    def observation(self) -> tuple[float, ...]:
        """What a learner at this seat sees: the columns that `game.observation` describes."""
        row = [0.0] * self.game.observation.size
        self.game.rules.observe(self.book, self.state, self.seat, row)
        return tuple(row)

    @cached_property
    def view(self) -> View:
        """The table as data, with the players' names; raises BadGame if the game's view is mutable."""
        laid = cast(View, self.game.text.view(self.book, self.state, self.seat))
        check_view(laid, self.game.id, self.game.text.view)
        words = {move.action: move.text for move in self.moves}
        full = completed(laid, words, self.to_act, self.done, self.undoable)
        return with_players(msgspec.structs.replace(full, since=self.changes), self.names)

    @cached_property
    def undoable(self) -> frozenset[int]:
        """The legal actions that the viewer can take back, judged by one possible truth behind what they know.

        An action can be taken back if the viewer is still to act after it, and it neither uses chance nor shows them
        anything new.
        """
        if not self.legal:
            return frozenset()
        truth = self.state.copy()
        self.game.rules.redeal(self.book, truth, POSSIBLE_TRUTH)
        return frozenset(action for action in self.legal if self._can_undo(truth, action))

    def _can_undo(self, truth: GameState, action: int) -> bool:
        after = truth.copy()
        self.game.rules.play(self.book, after, self.seat, action)
        if not self.game.rules.to_act(self.book, after) >> self.seat & 1 or after.rng != truth.rng:
            return False
        return not shows_new(self.state, self.game.blinded(self.book, after, self.seat))

    @cached_property
    def menu(self) -> tuple[Act, ...]:
        """All legal actions with their words; final ones, such as passing, come last."""
        return self.view.menu

    def previews(self, paths: Iterable[Path]) -> Iterator[tuple[Path, Preview]]:
        """Yield what each of these paths would do, as far as the viewer knows: see `previews`."""
        for path, preview in previews(self.game, self.book, self.state, self.seat, paths):
            yield path, reworded(preview, self._named)

    @property
    def account(self) -> tuple[Line, ...]:
        """How the last comparison or scoring came about, line by line."""
        lines: list[Line] = self.game.text.account(self.book, self.state)
        return tuple([Line(self._named(line.words), line.by_seat, line.clause) for line in lines])

    def why_not(self, move: int | str) -> Reason | None:
        """Return why a move, given as an action or in words, is not legal now; None if it is legal.

        Raises IllegalMove for words that mean no move.
        """
        action = self.understood(move)
        if action in self.legal:
            return None
        if self.outcome and self.outcome.scores is None:
            return Reason("", "the match ended by resignation")
        reason: Reason = self.game.text.why_not(self.book, self.state, self.seat, action)
        return Reason(reason.clause, self._named(reason.words))

    def understood(self, move: int | str) -> int:
        """Return the action that a move means, legal or not; raises IllegalMove if it means none."""
        if isinstance(move, str):
            if shown := written_as(self.moves, move):
                return shown.action
            typed = move.replace(MINUS, "-")
            for text in (typed, with_tokens(self.names, typed)):
                action = self.game.text.parse(self.book, self.state, self.seat, text)
                if action is not None:
                    return int(action)
            raise IllegalMove(f"no move of {self.game.title} is written {move!r}. {self._nearest(move)}")
        if type(move) is not int or not 0 <= move < self.game.actions:
            raise IllegalMove(f"there is no action {move!r}; actions are 0 to {self.game.actions - 1}")
        return move

    def refusal(self, action: int) -> IllegalMove:
        """Return the error for the viewer's seat if it plays this action, which is not legal now."""
        me, words = self._called(self.seat), self._named(self.game.text.name(self.book, self.state, self.seat, action))
        if self.outcome:
            return IllegalMove(f"{me} cannot {words}: the match is over")
        if not self.legal:
            acting = " and ".join(map(self._called, self.to_act))
            return IllegalMove(f"{me} cannot {words} now: {acting} must act first")
        reason = self.why_not(action)
        assert reason is not None
        why = f"{reason.words} ({reason.clause})" if reason.clause else reason.words
        return IllegalMove(f"{me} cannot {words} now: {why}. {self._nearest(words)}")

    def to_json(self) -> dict[str, object]:
        """Return what the viewer sees as JSON data: the view, the menu, the log and so on, without the state."""
        shown = ("viewer", "names", "log", "decision", "can_undo", "can_resign", "commitment")
        made = {"view": self.view, "menu": self.menu, "account": self.account, "outcome": self.outcome}
        facts = {"game": self.game.id, **{name: getattr(self, name) for name in shown}, **made}
        data: dict[str, object] = msgspec.to_builtins(facts, order="deterministic")
        return data

    @property
    def _named(self) -> partial[str]:
        return partial(readable, self.names)

    def _nearest(self, words: str) -> str:
        return nearest(self.moves, words, "a spectator" if self.viewer is None else self._called(self.viewer))

    def _called(self, seat: int) -> str:
        return self.names[seat] if self.names else f"seat {seat}"


def _unpacked(game_id: str, book: object, state: bytes, rest: dict[str, Any]) -> Seen:
    game = found(game_id)
    return Seen(game=game, book=game.book.from_json(book), state=game.state.unpack(state), **rest)
