"""A match as it runs: the deal, moves, undo, resignation, and what each viewer sees of it.

A `RunningMatch` keeps the full state, and shows each viewer a `Seen` made from a blinded copy. All chance comes from
its seed: before the deal and before every move, `chance` keys the state's generator for the ply, the number of moves
made and not taken back. `undo`, `simultaneous`, `changes`, `logs` and `forced` do parts of the work.

The module `match` holds the other half of the work: `Match` derives from `RunningMatch`, and adds how a match is made,
saved, recorded, loaded and played again. Programs use `Match`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quintain.engine.errors import IllegalMove
from quintain.engine.names import check_names
from quintain.engine.play.chance import chance
from quintain.engine.play.commitments import Reveal, check_reveals, commitment, mixed
from quintain.engine.play.documents import Entry
from quintain.engine.play.forced import Forced
from quintain.engine.play.simultaneous import SimultaneousChoices
from quintain.engine.play.undo import Step, Undo, cannot_undo, others_may_answer
from quintain.engine.rules import rng
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.state import GameState, Record
from quintain.engine.rules.views import Change, Line, Reason, View
from quintain.engine.seen.changes import History, MoveMade, changes
from quintain.engine.seen.logs import Logs
from quintain.engine.seen.moves import Move
from quintain.engine.seen.news import moments
from quintain.engine.seen.result import Outcome, ranks_with_resigned
from quintain.engine.seen.seen import Seen, named
from quintain.engine.seen.unknown import shows_new

Known = dict[int | None, GameState]
"""The blinded state of each viewer (None: spectators)."""


class RunningMatch:
    """A match that runs; `Match` derives from it.

    `moves_made` lists the entries so far: moves, undos and resignations. `outcome` is None until the match is over.
    `commitment` fixes the seed, the game, its `version` and `committed_options`: see `commitments`. These two are other
    than today's in a match that began under older rules. `chosen` are the options that seats chose after it. `reveals`
    are the players' shares in the chance.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        bots: Sequence[str | None],
        options: dict[str, object],
        seed: bytes,
        reveals: Sequence[Reveal] = (),
    ):
        self.game, self.names, self.bots, self.options = game, tuple(names), tuple(bots), options
        self.seats = len(names)
        self.version, self.committed_options = game.version, options
        self.chosen: dict[str, object] = {}
        self.commitment = commitment(seed, game.id, game.version, options, self.seats)
        self.reveals = check_reveals(reveals, self.seats)
        self.book: Record = game.make_book(self.seats, options)
        self.moves_made: list[Entry] = []
        self.outcome: Outcome | None = None
        self._seed, self._mixed = seed, mixed(seed, self.reveals)
        self._ply, self._position = 0, ""
        self._resigned: list[int] = []
        self._undo, self._forced = Undo(game, self.book), Forced(game, self.book)
        self._to_act: frozenset[int] = frozenset()
        self._shown: tuple[GameState | None, Known] = (None, {})
        self._state = game.state()
        self._key()
        game.rules.deal(self.book, self._state)
        self._begin()

    def _begin(self) -> None:
        """Start the logs and the history, and ask the first seats, after the deal or after setting up a position."""
        self._logs = Logs(self.game, self.book, self.names)
        self._history = History(self._state, self.seats)
        self._menus: list[list[int]] = [[] for _ in range(self.seats)]
        self._after_change(None, 0)
        self._logs.make_old(*self._logs.viewers)
        self._simultaneous = SimultaneousChoices(self.game, self.book, self._to_act)
        self._undo.first = 0 if self._simultaneous.seats else None
        self._chosen_since = self._ply
        """The ply at which the last choice of several seats at the same time began."""

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now; empty when the match is over."""
        return self._to_act

    def moves(self, seat: int) -> list[Move]:
        """Return the legal moves of a seat; an empty list for a seat that may not act."""
        self._check_seat(seat)
        return [Move(action, named(self.names, self._name(seat, action))) for action in self._menus[seat]]

    def play(self, seat: int, move: int | str) -> None:
        """Play a move, given as an action or in words. Raises IllegalMove; the match is then unchanged."""
        action = self._read(seat, move)
        self._play(seat, action, auto=False)
        self._play_resigned()

    def is_openly_forced(self, seat: int) -> bool:
        """Tell whether a seat has exactly one legal move, and every viewer can see that it has no choice."""
        self._check_seat(seat)
        return len(self._menus[seat]) == 1 and self._forced.is_openly_forced(seat, self._known(None))

    def choice(self, seat: int) -> int | None:
        """Return the ply at which a choice began that a seat still makes at the same time as others; None without one.

        A choice of several steps is the same one from its first step to its last.
        """
        self._check_seat(seat)
        is_choosing = seat in self._simultaneous.seats - self._simultaneous.done
        return self._chosen_since if is_choosing else None

    def is_noticed(self, seat: int, action: int, viewer: int | None = None) -> bool:
        """Tell whether a viewer (None: a spectator) would see any change if a seat played a legal action now."""
        after = self._state.copy()
        rng.key(after.rng, self._chance(b"", self._ply + 1))
        self.game.rules.play(self.book, after, seat, action)
        return bool(self._blinded(after, viewer) != self._known(viewer))

    def can_undo(self, seat: int) -> bool:
        """Tell whether a seat may take its last move back.

        It may if it is still to act and the move taught it nothing: the move used no chance, and no value that was
        UNKNOWN to the seat has become known. `others_may_answer` and `Undo.last_of` say when other seats forbid it.
        While several seats choose at the same time, these do not matter, unless `Undo.is_bound`.
        """
        place, undo = self._undo_place(seat), self._undo
        if place is None or undo.first is not None:
            others = set(range(self.seats)) - {seat}
            return place is not None and undo.is_in_choice(place) and not undo.is_bound(place, others)
        return not others_may_answer(undo, place, self._state, self._menus, self.is_noticed)

    def undo(self, seat: int) -> None:
        """Take back the last move of a seat; raises CannotUndo."""
        self._check_seat(seat)
        if not self.can_undo(seat):
            raise cannot_undo(self.names[seat])
        self.replay_undo(seat)

    def replay_undo(self, seat: int) -> None:
        """Take a move back that was taken back in play, without checking `can_undo` again; raises CannotUndo."""
        place = self._undo_place(seat)
        if place is None:
            raise cannot_undo(self.names[seat])
        shown = {viewer: self._known(viewer) for viewer in self._logs.viewers}
        self._history.take_out(len(self._history.moves) - len(self._undo.steps) + place)
        self._state = self._undo.take_out(place, lambda ply: self._chance(b"", ply))
        self._simultaneous.replay([step[:3] for step in self._undo.in_choice], self._state)
        self._ply -= not any(step.drew for step in self._undo.steps[place:])
        self.moves_made.append(Entry(seat, "undo"))
        noticed = {viewer for viewer, before in shown.items() if viewer == seat or before != self._known(viewer)}
        self._logs.say(noticed, f"seat {seat} takes the last move back.", seat, "You take the last move back.")
        self._logs.make_old(seat)
        self._ask(seat)

    def resign(self, seat: int) -> None:
        """Let a seat resign; raises IllegalMove. With two seats the match ends; with more, the others play on.

        A seat that has resigned ranks below all who play on, and above those who resigned before it. From then on the
        match plays random legal moves for it, drawn from the seed and the ply, until only one seat is left.
        """
        self._resign(seat)
        self._play_resigned()

    def _resign(self, seat: int) -> None:
        self._check_seat(seat)
        if self.outcome or seat in self._resigned:
            why = "the match is over" if self.outcome else "that player has resigned already"
            raise IllegalMove(f"{self.names[seat]} cannot resign: {why}")
        self._resigned.append(seat)
        self.moves_made.append(Entry(seat, "resign"))
        self._logs.say(self._logs.viewers, f"seat {seat} resigns.", seat, "You resign.")
        self._logs.make_old(seat)
        left = [other for other in range(self.seats) if other not in self._resigned]
        if len(left) == 1:
            self._state = self._state.copy()
            self._state.over = 1
            ranks = ranks_with_resigned([1] * self.seats, self._resigned)
            self._finish(None, ranks, f"seat {left[0]} is the last one left")
            self._ask(None)

    def has_resigned(self, seat: int) -> bool:
        """Tell whether a seat has resigned."""
        return seat in self._resigned

    def stand_in(self, seat: int) -> str:
        """Return the name of the bot that plays on for a seat's player; empty if the player is there."""
        return self._logs.stand_ins[seat]

    def hand_over(self, seat: int, bot: str = "") -> None:
        """Say that a bot of this name plays on for a seat's player, or without a name, that the player is back."""
        self._check_seat(seat)
        self.moves_made.append(Entry(seat, "stand-in", bot) if bot else Entry(seat, "returned"))
        self._logs.hand_over(seat, bot)

    def say(self, words: str) -> None:
        """Add a line to all logs that tells of no move, such as that other rules hold from here on."""
        self._logs.say(self._logs.viewers, words)

    def rename(self, names: Sequence[str]) -> None:
        """Give the players other names, also in the lines of the log; raises BadOption."""
        self.names = tuple(check_names(names, self.seats))
        self._logs.rename(self.names)
        if self.outcome:
            self.outcome = self._ended.named(self.names)

    def seen(self, viewer: int | None = None, since: bool | int = False) -> Seen:
        """Return what a seat (None: a spectator) sees; raises IllegalMove for a seat or decision that does not exist.

        `since` asks for the changes, event by event: from the seat's own last decision on (True; for a spectator, from
        the first of the last mover's moves in a row), or from the seat's decision of this number on.
        """
        seen, can_undo = self._seen(viewer), viewer is not None and self.can_undo(viewer)
        changed = () if since is False else tuple(change for change, _ in self._changes(viewer, since))
        return replace(seen, state=seen.state.copy(), can_undo=can_undo, changes=changed)

    def moments(self, viewer: int | None = None) -> list[Seen]:
        """Return what a viewer saw after each piece of news since their last decision; each has its one change."""
        *_, found = self.find_moments(viewer)
        return found

    def find_moments(self, viewer: int | None = None) -> Iterator[list[Seen]]:
        """Find the same out in short steps, of which the last yields it, and each one before it an empty list.

        The match may go on between two steps: the news ends with the state at the first of them.
        """
        is_own = viewer in self._logs.spoken and self._history.first_shown(viewer, True) == self._history.since[viewer]
        seen, told = self._seen(viewer), []
        for change in self._changes(viewer, True):
            told.append(change)
            yield []
        yield moments(seen, told, is_own)

    def _seen(self, viewer: int | None) -> Seen:
        """Return what a viewer sees, without `can_undo` and the changes, which take time to find out."""
        resigned = viewer is not None and self.has_resigned(viewer)
        return Seen(
            game=self.game,
            book=self.book,
            state=self._known(viewer),
            viewer=viewer,
            legal=() if viewer is None else tuple(self._menus[viewer]),
            to_act=tuple(sorted(self._to_act)),
            done=tuple(sorted(self._simultaneous.done)),
            names=self.names,
            log=tuple(self._logs.of(viewer)),
            old=self._logs.old[viewer],
            decision=0 if viewer is None else self.decision(viewer),
            can_resign=not resigned and viewer is not None and self.outcome is None,
            has_resigned=resigned,
            outcome=self.outcome,
            commitment=self.commitment,
        )

    def _changes(self, viewer: int | None, since: bool | int) -> Iterator[tuple[Change, GameState]]:
        first = self._history.first_shown(viewer, since)
        again = self._history.replayed(self.game, self.book, first, lambda ply: self._chance(b"", ply))
        return changes(self.game, self.book, self.names, viewer, lambda state: self._blinded(state, viewer), again)

    def _blinded(self, state: GameState, viewer: int | None) -> GameState:
        """Return a copy of a state as a viewer may know it."""
        return self.game.blinded(self.book, state, SPECTATOR if viewer is None else viewer)

    def _known(self, viewer: int | None) -> GameState:
        """Return the blinded state of a viewer. It is shared until the state changes: nobody may change it."""
        if viewer is not None:
            self._check_seat(viewer)
        if self._shown[0] is not self._state:
            self._shown = (self._state, {})
        known = self._shown[1]
        if viewer not in known:
            known[viewer] = self._blinded(self._state, viewer)
        return known[viewer]

    def blinded(self, seat: int | None) -> GameState:
        """Return a blinded state for a seat (None: a spectator); the caller may change it."""
        return self._known(seat).copy()

    def view(self, seat: int | None = None) -> View:
        """Return the view of `seen`."""
        return self._seen(seat).view

    def log(self, seat: int | None = None) -> list[str]:
        """Return the log of `seen`: what happened, as the viewer could see it at that time."""
        if seat is not None:
            self._check_seat(seat)
        return list(self._logs.of(seat))

    def why_not(self, seat: int, move: int | str) -> Reason | None:
        """Return the `why_not` of `seen`."""
        return self._seen(seat).why_not(move)

    def account(self, seat: int | None = None) -> list[Line]:
        """Return the account of `seen`."""
        return list(self._seen(seat).account)

    def decision(self, seat: int) -> int:
        """Return how many times the seat has been asked so far; taking a move back asks it again."""
        self._check_seat(seat)
        return len(self._history.asked[seat])

    def _enter(self, entry: Entry) -> None:
        """Carry out one entry, without the moves that follow for seats that have resigned."""
        if entry.kind == "undo":
            self.replay_undo(entry.seat)
        elif entry.kind == "resign":
            self._resign(entry.seat)
        elif entry.kind in ("stand-in", "returned"):
            self.hand_over(entry.seat, entry.text)
        else:
            self._play(entry.seat, self._read(entry.seat, entry.text), entry.auto)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise IllegalMove(f"there is no seat {seat!r}; the seats are 0 to {self.seats - 1}")

    def _name(self, seat: int, action: int) -> str:
        return str(self.game.text.name(self.book, self._state, seat, action))

    def _read(self, seat: int, move: int | str) -> int:
        """Return the action of a legal move; raises IllegalMove."""
        self._check_seat(seat)
        if type(move) is int and move in self._menus[seat]:
            return move
        action = self._understand(seat, move)
        if action not in self._menus[seat]:
            raise self._seen(seat).refusal(action)
        return action

    def _understand(self, seat: int, move: int | str) -> int:
        """Return the action that a move means, legal or not; raises IllegalMove if it means none."""
        self._check_seat(seat)
        return self._seen(seat).understood(move)

    def _play(self, seat: int, action: int, auto: bool) -> None:
        before, shown = self._state, self._shown
        is_chosen = len(self._menus[seat]) > 1 and not self.stand_in(seat)
        self.moves_made.append(Entry(seat, "move", self._name(seat, action), auto))
        self._state = before.copy()
        self._ply += 1
        keyed = self._key()
        self.game.rules.play(self.book, self._state, seat, action)
        acting = frozenset(seats_in(self.game.rules.to_act(self.book, self._state)))
        drew = self._state.rng != keyed
        is_free = seat in acting and not (drew or shows_new(self._known_of(seat, before, shown), self._known(seat)))
        noticed = self._known_of(None, before, shown) != self._known(None)
        step = Step(seat, action, before, self._ply, drew, is_free)
        if self._history.add(MoveMade(seat, action, self._ply), before, noticed, is_chosen):
            self._logs.make_old(None)
        goes_on = self._simultaneous.move(seat, action, before, acting)
        self._chosen_since = self._chosen_since if goes_on else self._ply
        self._undo.add(step, goes_on, bool(self._simultaneous.seats))
        self._after_change(seat, before.events_made, is_chosen)

    def _undo_place(self, seat: int) -> int | None:
        """Return the place of a seat's last move among the undo steps; None if the seat may take none back."""
        return self._undo.last_of(seat, self._state) if seat in self.to_act else None

    def _known_of(self, seat: int | None, state: GameState, shown: tuple[GameState | None, Known]) -> GameState:
        """Return the blinded form of an earlier state for a seat, from `shown` if it is there."""
        there = shown[1].get(seat) if shown[0] is state else None
        return there or self._blinded(state, seat)

    def _play_resigned(self) -> None:
        """Play random legal moves for the seats that have resigned, until none of them is to act."""
        while drawn := self._drawn():
            self._play(*drawn, auto=True)

    def _drawn(self) -> tuple[int, int] | None:
        """Return a seat that has resigned and is to act, and a random action for it; None if no such seat is to act."""
        waiting = self.to_act.intersection(self._resigned)
        if not waiting:
            return None
        seat, words = min(waiting), [0] * 4
        rng.key(words, self._chance(f"resigned {seat}".encode()))
        legal = self._menus[seat]
        return seat, legal[rng.below(words, len(legal))]

    def _key(self) -> list[int]:
        rng.key(self._state.rng, self._chance(b""))
        return list(self._state.rng)

    def _chance(self, purpose: bytes, ply: int | None = None) -> bytes:
        """Return the key of the generator for a purpose, at a ply; without one, at the current ply."""
        return chance(self._mixed, self._ply if ply is None else ply, purpose)

    def _after_change(self, mover: int | None, events_before: int, is_chosen: bool = False) -> None:
        """Write the new events into the logs, end the match if the game is over, and ask the seats that are to act."""
        self._logs.narrate(self._state, events_before, self._known, mover if is_chosen else None)
        if self._state.over and self.outcome is None:
            scores, ranks = [0] * self.seats, [0] * self.seats
            self.game.rules.outcome(self.book, self._state, scores, ranks)
            self._finish(tuple(scores), ranks_with_resigned(ranks, self._resigned), "played to the end")
        self._ask(mover)

    def _finish(self, scores: tuple[int, ...] | None, ranks: tuple[int, ...], reason: str) -> None:
        self._undo.clear()
        prizes = getattr(self.game.text, "prizes", None)
        won: Sequence[str] = prizes(self.book, self._known(None), ranks) if prizes else ()
        self._ended = Outcome(scores, ranks, reason, tuple(won))
        self.outcome = self._ended.named(self.names)

    def _ask(self, mover: int | None) -> None:
        """Update the menus, and count a new decision for the mover and for every seat whose menu has changed."""
        self._to_act = frozenset(seats_in(self.game.rules.to_act(self.book, self._state)))
        for seat in range(self.seats):
            menu = self.game.legal_actions(self.book, self._state, seat) if seat in self._to_act else []
            if menu and (seat == mover or menu != self._menus[seat]):
                self._history.asked[seat].append(len(self._history.moves))
            self._menus[seat] = menu
