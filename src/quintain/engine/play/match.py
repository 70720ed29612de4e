"""A `Match`: one game as it is played, with named seats, moves in words, views, undo, saves and records.

A match keeps the full state, and shows each viewer a `Seen` made from a blinded copy. All chance comes from its seed:
before the deal and before every move, `chance` keys the state's generator for the ply, the number of moves made and not
taken back. `undo`, `simultaneous`, `changes`, `logs`, `forced` and `documents` do parts of the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quintain.engine.errors import BadOption, BadRecord, IllegalMove, QuintainError, UnknownGame
from quintain.engine.names import check_bots, check_names, tokens
from quintain.engine.play.chance import chance, read_seed
from quintain.engine.play.commitments import Reveal, check_reveals, commitment, mixed, seed_commitment
from quintain.engine.play.documents import (
    Entry,
    MatchRecord,
    Save,
    check_commitment,
    check_entry,
    check_form,
    check_result,
    other_rules,
    read_document,
    sealed,
)
from quintain.engine.play.forced import Forced
from quintain.engine.play.positions import read_position, write_position
from quintain.engine.play.simultaneous import SimultaneousChoices
from quintain.engine.play.undo import Step, Undo, cannot_undo, others_may_answer
from quintain.engine.rules import rng
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.registry import game as find_game
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


class Match:
    """A match being played. Make one by `Match.new`, `Match.from_position` or `Match.load`.

    `moves_made` lists the entries so far: moves, undos and resignations. `outcome` is None until the match is over.
    `commitment` fixes the seed, the game, its `version` and `committed_options`: see `commitments`. These two are other
    than today's in a match that began under older rules. `reveals` are the players' shares in the chance.
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
        self.commitment = commitment(seed, game.id, game.version, options, self.seats)
        self.reveals = check_reveals(reveals, self.seats)
        self.book: Record = game.make_book(self.seats, options)
        self.moves_made: list[Entry] = []
        self.outcome: Outcome | None = None
        self._seed, self._mixed = seed, mixed(seed, self.reveals)
        self._ply, self._position = 0, ""
        self._resigned: list[int] = []
        self._undo, self._forced = Undo(game, self.book), Forced(game, self.book)
        self._menus: list[list[int]] = [[] for _ in range(self.seats)]
        self._to_act: frozenset[int] = frozenset()
        self._shown: tuple[GameState | None, Known] = (None, {})
        self._state = game.state()
        self._key()
        game.rules.deal(self.book, self._state)
        self._begin()

    @classmethod
    def new(
        cls,
        game: str | Game,
        seats: int | None = None,
        names: Sequence[str] | None = None,
        options: Mapping[str, object] | None = None,
        seed: bytes | str | None = None,
        bots: Sequence[str | None] | None = None,
        reveals: Sequence[Reveal] = (),
    ) -> Match:
        """Return a new match, dealt; raises UnknownGame and BadOption.

        `game` is a game or its id, and `seats` the number of seats; without it, the game's usual number. `options` are
        values or texts. `seed` is 32 bytes or 64 hex digits; without it, the seed is random. `bots` names the bot of
        each seat, or None for a person: a match only stores these names for its front end. With `reveals`, chance comes
        from the seed and from what players have revealed.
        """
        found = game if isinstance(game, Game) else find_game(game)
        number = found.check_seats(seats)
        read = found.read_options(number, options or {})
        names = [f"Player {seat + 1}" for seat in range(number)] if names is None else names
        bots = [None] * number if bots is None else bots
        return cls(found, check_names(names, number), check_bots(bots, number), read, read_seed(seed), reveals)

    @classmethod
    def from_position(cls, game: str | Game, position: str, **more: Any) -> Match:
        """Return a match that begins from a position written as text; raises BadRecord, which names the wrong line.

        `more` are other arguments of `new`. Fields that the text does not name stay as they were dealt. Nobody checks
        whether the position makes sense in the game. Such a match has no save and no record.
        """
        match = cls.new(game, **more)
        match._set_up(position)
        return match

    def position(self) -> str:
        """Return the true state as text for `from_position`. It is private, for it shows hidden cards."""
        return write_position(self._state, self.game.card_names(self.book))

    def _set_up(self, position: str) -> None:
        self._position, self._state = position, self._state.copy()
        self._state.events_made = 0
        self._state.events = type(self._state)().events
        read_position(self._state, position, self.game.card_names(self.book))
        self._begin()

    def _begin(self) -> None:
        """Start the logs and the history, and ask the first seats, after the deal or after setting up a position."""
        self._logs = Logs(self.game, self.book, self.names)
        self._history = History(self._state, self.seats)
        self._after_change(None, 0)
        self._logs.make_old(*self._logs.viewers)
        self._simultaneous = SimultaneousChoices(self.game, self.book, self._to_act)
        self._undo.first = 0 if self._simultaneous.seats else None

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now; empty when the match is over."""
        return self._to_act

    @property
    def seed(self) -> str:
        """The seed as 64 hex digits; raises QuintainError before the end."""
        if self.outcome is None:
            raise QuintainError("the seed stays secret until the match is over; `commitment` fixes it")
        return self._seed.hex()

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

    def save(self) -> dict[str, object]:
        """Return the match as JSON data, to go on with later. It is private, for it holds the seed."""
        return self._document(Save)

    def record(self, with_names: bool = True) -> dict[str, object]:
        """Return the finished match as JSON data, for everybody; raises QuintainError before the end.

        Without names, ``seat 0`` and so on stand in their places: `documents.named_record` adds names again.
        """
        if self.outcome is None:
            raise QuintainError("a match has no record before it is over; until then, `save` keeps it")
        ended, log = (self.outcome, self._logs.open) if with_names else (self._ended, self._logs.without_names)
        data = self._document(MatchRecord, log=log, result=ended.written())
        return data if with_names else data | {"names": tokens(self.seats)}

    @classmethod
    def load(cls, data: Mapping[str, object] | str | bytes) -> Match:
        """Return the match of a save or a record, after replaying its moves; raises BadRecord if it is not valid.

        Today's rules replay it, also if it was written under older ones; raises OtherRules if they cannot. A record is
        checked by its moves and its result. Its log is not checked: another version may have worded it.
        """
        document = read_document(data)
        try:
            return cls._loaded(document)
        except BadRecord as error:
            version = find_game(document.game).version
            if document.version < version:
                raise other_rules(document, version, error) from error
            raise

    @classmethod
    def _loaded(cls, document: Save) -> Match:
        try:
            match = cls.new(
                document.game,
                document.seats,
                document.names,
                document.options,
                document.seed,
                document.bots,
                document.reveals,
            )
        except (UnknownGame, BadOption) as error:
            raise BadRecord(f"this document is not valid: {error}") from error
        version = check_commitment(document)
        match.keep_commitment(document.commitment or seed_commitment(match._seed), version, document.options)
        number = 0
        for number, entry in enumerate(document.moves, 1):
            try:
                match._replay(entry)
            except QuintainError as error:
                raise BadRecord(f"entry {number} of the moves is not valid: {error}") from error
        if match._drawn():
            raise BadRecord(f"entry {number + 1} of the moves is missing: a move of a seat that has resigned")
        if isinstance(document, MatchRecord):
            check_result(document, match.outcome.written() if match.outcome else None)
        elif version < match.game.version:
            now = match.game.version
            match.say(f"This game began under version {version} of the rules, and goes on by version {now}.")
        check_form(document, match.names, match._seed.hex(), match.options, match.game.text.OPTIONS)
        return match

    def keep_commitment(self, committed: str, version: int, options: Mapping[str, object]) -> None:
        """Keep the commitment of a match that was agreed before: it covers this version of the rules and these options.

        A match that began under older rules writes its options as they were then, so that its commitment holds.
        """
        self.commitment, self.version = committed, version
        if version < self.game.version:
            self.committed_options = dict(options)

    def steps(self) -> Iterator[tuple[Entry | None, Match]]:
        """Play the finished match again: yield None and the match as dealt, then each entry and the match after it.

        All steps yield the same match object, which hides nothing from spectators. Raises QuintainError before the end.
        """
        if self.outcome is None:
            raise QuintainError("a match can be stepped through only when it is over")
        again = _OpenMatch(self.game, self.names, self.bots, self.options, self._seed, self.reveals)
        if self._position:
            again._set_up(self._position)
        yield None, again
        for entry in self.moves_made:
            again._enter(entry)
            yield entry, again

    def _replay(self, entry: Entry) -> None:
        """Check and carry out one entry of a document's moves; raises QuintainError if it is not valid."""
        drawn = self._drawn()
        due = Entry(drawn[0], "move", self._name(*drawn), auto=True) if drawn else None
        check_entry(entry, due, lambda text: drawn is not None and self._understand(*drawn[:1], text) == drawn[1])
        if entry.kind == "undo":
            self.undo(entry.seat)
            return
        if entry.kind in ("stand-in", "returned"):
            self._check_seat(entry.seat)
            if entry.text == self.stand_in(entry.seat):
                raise BadRecord("that bot plays there already" if entry.text else "no bot plays there for its player")
        self._enter(entry)

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

    def _document(self, kind: type[Save], **more: Any) -> dict[str, object]:
        if self._position:
            raise QuintainError("a match that began from a position has no save and no record, for it was not dealt")
        game, names, bots = self.game, list(self.names), list(self.bots)
        rules = game.id, game.version, self.seats, names, bots, self.committed_options
        chance = self._seed.hex(), self.moves_made, self.commitment, list(self.reveals)
        return sealed(kind(*rules, *chance, **more))

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


class _OpenMatch(Match):
    """A match that is played again, in which spectators see everything."""

    def _blinded(self, state: GameState, viewer: int | None) -> GameState:
        """Return a copy of a state, blinded for a seat but complete for spectators."""
        return state.copy() if viewer is None else super()._blinded(state, viewer)
