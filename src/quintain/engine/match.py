"""One played game: seats with names, moves in words, views, undo, saves and records.

A match keeps the full state and shows nobody more than `blind` leaves of it. Every bit of chance comes from
the match's seed: before the deal and before every move the state's generator is keyed with the first 16 bytes of
HMAC-SHA-256(seed, ply), where ply counts the moves in effect.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from quintain.engine import rng
from quintain.engine.chance import chance, read_seed
from quintain.engine.contract import SPECTATOR
from quintain.engine.documents import Entry, Record, Save, check_form, check_result, read_document, sealed
from quintain.engine.errors import BadOption, BadRecord, CannotUndo, IllegalMove, QuintainError, UnknownGame, quoted
from quintain.engine.forced import is_forced_in_every_redeal
from quintain.engine.game import Game, seats_in
from quintain.engine.moves import Move, nearest, written_as
from quintain.engine.names import check_names, with_names, with_tokens
from quintain.engine.positions import read_position, write_position
from quintain.engine.registry import game
from quintain.engine.result import Outcome, ranks_with_resigned
from quintain.engine.undo import Undo, others_may_answer, reveals
from quintain.engine.views import Line, Reason, View, completed, reworded

NAMED_KEPT = 256
"""Texts with names in them that a match keeps: most are met again."""


class Match:
    """A match being played; make one by `Match.new` or `Match.load`."""

    _state: Any

    def __init__(
        self, game: Game, names: Sequence[str], bots: Sequence[str | None], options: dict[str, Any], seed: bytes
    ):
        self.game, self.names, self.bots, self.options = game, tuple(names), tuple(bots), options
        self.seats = len(names)
        self.commitment = hashlib.sha256(seed).hexdigest()
        self.book = game.make_book(self.seats, options)
        self.moves_made: list[Entry] = []
        self.outcome: Outcome | None = None
        self._seed = seed
        self._ply = 0
        self._position = ""
        self._resigned: list[int] = []
        self._undo = Undo(game, self.book)
        self._lines: dict[int | None, list[str]] = {viewer: [] for viewer in (*range(self.seats), None)}
        self._open_lines: list[str] = []
        self._menus: list[list[int]] = [[] for _ in range(self.seats)]
        self._decisions = [0] * self.seats
        self._to_act: frozenset[int] = frozenset()
        self._shown: tuple[Any, dict[int | None, Any]] = (None, {})
        self._openly_forced: tuple[Any, dict[int, bool]] = (None, {})
        self._named = functools.lru_cache(NAMED_KEPT)(functools.partial(with_names, self.names))
        self._state = game.state()
        self._key()
        game.rules.deal(self.book, self._state)
        self._after_change(None, 0)

    @classmethod
    def new(
        cls,
        game: str | Game,
        seats: int | None = None,
        names: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        seed: bytes | str | None = None,
        bots: Sequence[str | None] | None = None,
    ) -> Match:
        """Begin a match.

        `game` is a game or its id; `seats` the game's usual number if not given. `options` are values or texts.
        `seed` is 32 bytes or 64 hex digits, from `secrets` if not given. `bots` names the bot that plays each
        seat for a front end, None for a person; a match only keeps it. Raises UnknownGame and BadOption.
        """
        found = _find(game)
        number = found.check_seats(seats)
        read = found.read_options(number, options or {})
        names = [f"Player {seat + 1}" for seat in range(number)] if names is None else names
        bots = [None] * number if bots is None else bots
        right = isinstance(bots, list | tuple) and all(bot is None or (isinstance(bot, str) and bot) for bot in bots)
        if not right or len(bots) != number:
            raise BadOption(f"`bots` takes a bot's name or None for each of {number} seats, not {quoted(bots)}")
        return cls(found, check_names(names, number), bots, read, read_seed(seed))

    @classmethod
    def from_position(cls, game: str | Game, position: str, **more: Any) -> Match:
        """Begin a match from a position written as text; raises BadRecord, which names a line that does not hold.

        `more` is what `new` takes. What the position leaves open is as it was dealt; nothing has happened before it.
        Whether the position makes sense is not checked. Such a match cannot be saved or recorded: its seed and moves
        alone would not give it again.
        """
        match = cls.new(game, **more)
        match._set_up(position)
        return match

    def position(self) -> str:
        """Return the true state as text, as `from_position` reads it: private, for it shows what is hidden."""
        return write_position(self._state)

    def _set_up(self, position: str) -> None:
        self._position, self._state = position, self._state.copy()
        self._state.events_made = 0
        self._state.events = type(self._state)().events
        read_position(self._state, position)
        self._lines = {viewer: [] for viewer in self._lines}
        self._open_lines = []
        self._after_change(None, 0)

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now; empty when the match is over."""
        return self._to_act

    @property
    def seed(self) -> str:
        """The seed as 64 hex digits; QuintainError before the end."""
        if self.outcome is None:
            raise QuintainError("the seed stays secret until the match is over; its SHA-256 is `commitment`")
        return self._seed.hex()

    def moves(self, seat: int) -> list[Move]:
        """Return the legal moves of a seat; none for a seat that may not act."""
        self._check_seat(seat)
        return [Move(action, self._named(self._name(seat, action))) for action in self._menus[seat]]

    def play(self, seat: int, move: int | str) -> None:
        """Play a move, as an action or in words; raises IllegalMove, and then nothing has changed."""
        action = self._read(seat, move)
        self._play(seat, action, auto=False)
        self._play_resigned()

    def is_openly_forced(self, seat: int) -> bool:
        """Tell whether a seat has one legal move and no more, and everybody can see that it has no choice.

        Everybody can if the seat has one legal move in the truth and in each of 16 redeals of what a spectator
        knows. These are seeded by what the spectator knows, so that the answer tells nothing else.
        """
        self._check_seat(seat)
        if len(self._menus[seat]) != 1:
            return False
        if self._openly_forced[0] is not self._state:
            self._openly_forced = (self._state, {})
        answers = self._openly_forced[1]
        if seat not in answers:
            answers[seat] = is_forced_in_every_redeal(self.game, self.book, self._seen(None), seat)
        return answers[seat]

    def is_noticed(self, seat: int, action: int) -> bool:
        """Tell whether a spectator would see that anything has changed if a seat played this legal action."""
        return self._is_noticed_by(None, seat, action)

    def can_undo(self, seat: int) -> bool:
        """Tell whether a seat may take its last move back.

        It may if it is still to act and learned nothing by the move: no chance was used, and nothing that was UNKNOWN
        to the seat has become known. Moves that others have made since bar it only if either side can notice the
        other's; and so do steps that others may have made in secret since, knowing of the move, whether they have made
        any or not. So what can be taken back tells nothing of steps in secret.
        """
        place = self._undo_place(seat)
        return place is not None and not others_may_answer(
            self._undo, place, self._state, self._menus, self._is_noticed_by
        )

    def undo(self, seat: int) -> None:
        """Take back the last move in effect; raises CannotUndo."""
        self._check_seat(seat)
        if not self.can_undo(seat):
            raise self._cannot_undo(seat)
        self.undo_again(seat)

    def undo_again(self, seat: int) -> None:
        """Take back a move that was taken back when the match was played, as its log says; raises CannotUndo."""
        place = self._undo_place(seat)
        if place is None:
            raise self._cannot_undo(seat)
        shown = {viewer: self._seen(viewer) for viewer in self._lines}
        self._state = self._undo.take_out(place)
        self._ply -= 1
        self.moves_made.append(Entry(seat, "undo"))
        noticed = {viewer for viewer, before in shown.items() if viewer == seat or before != self._seen(viewer)}
        self._say(noticed, seat, "take the last move back.", "takes the last move back.")
        self._ask(seat)

    def resign(self, seat: int) -> None:
        """Give the match up: with two seats it ends; with more the others play on; raises IllegalMove.

        A seat that has resigned ranks below all who play on, and above those who resigned before it. Its
        moves are random legal ones, drawn from the seed and the ply, until one seat is left.
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
        self._say(self._lines, seat, "resign.", "resigns.")
        left = [other for other in range(self.seats) if other not in self._resigned]
        if len(left) == 1:
            self._state = self._state.copy()
            self._state.over = 1
            ranks = ranks_with_resigned([1] * self.seats, self._resigned)
            self._finish(None, ranks, f"seat {left[0]} is the last one left")
            self._ask(None)

    def has_resigned(self, seat: int) -> bool:
        """Tell whether a seat has given the match up."""
        return seat in self._resigned

    def blinded(self, seat: int | None) -> Any:
        """Return a plain copy of the state as a seat (None: a spectator) may know it."""
        if seat is not None:
            self._check_seat(seat)
        return self.game.blinded(self.book, self._state, SPECTATOR if seat is None else seat)

    def _seen(self, seat: int | None) -> Any:
        """Return what `blinded` returns, but only one for each state; it must not be changed."""
        if seat is not None:
            self._check_seat(seat)
        if self._shown[0] is not self._state:
            self._shown = (self._state, {})
        shown = self._shown[1]
        if seat not in shown:
            shown[seat] = self.blinded(seat)
        return shown[seat]

    def view(self, seat: int | None = None) -> View:
        """Return what a seat (None: a spectator) sees, with the players' names."""
        view: View = self.game.text.view(self.book, self._seen(seat), SPECTATOR if seat is None else seat)
        legal = {} if seat is None else {action: self._name(seat, action) for action in self._menus[seat]}
        named: View = reworded(completed(view, legal, tuple(sorted(self._to_act))), self._named)
        return named

    def log(self, seat: int | None = None) -> list[str]:
        """Return what has happened in words, as a seat (None: a spectator) could see it when it happened."""
        if seat is not None:
            self._check_seat(seat)
        return list(self._lines[seat])

    def why_not(self, seat: int, move: int | str) -> Reason | None:
        """Return why a move, an action or words, is not legal now; None if it is; IllegalMove for no move at all."""
        action = self._understand(seat, move)
        if action in self._menus[seat]:
            return None
        if self._resigned and self.outcome:
            return Reason("", "the match ended by resignation")
        reason: Reason = self.game.text.why_not(self.book, self._seen(seat), seat, action)
        return Reason(reason.clause, self._named(reason.words))

    def account(self, seat: int | None = None) -> list[Line]:
        """Return how the last comparison or scoring came about, as a seat (None: a spectator) may know it."""
        lines: list[Line] = self.game.text.account(self.book, self._seen(seat))
        return [Line(self._named(line.words), line.by_seat, line.clause) for line in lines]

    def decision(self, seat: int) -> int:
        """Return a number that is raised each time the seat is asked anew, undo included."""
        self._check_seat(seat)
        return self._decisions[seat]

    def save(self) -> dict[str, Any]:
        """Return the match as JSON data, complete and with its seed: private, to go on later."""
        return self._document(Save)

    def record(self) -> dict[str, Any]:
        """Return the finished match as JSON data, public; raises QuintainError before the end."""
        if self.outcome is None:
            raise QuintainError("a record is made when the match is over; until then `save` keeps it")
        ended = self.outcome
        return self._document(Record, commitment=self.commitment, log=list(self._open_lines), result=ended.written())

    @classmethod
    def load(cls, data: Mapping[str, Any] | str | bytes) -> Match:
        """Return the match of a save or a record, replayed move by move; raises BadRecord for what does not hold.

        A record stands on its moves and its result. Its log may be worded in another way than it would be now.
        """
        document = read_document(data)
        try:
            match = cls.new(
                document.game, document.seats, document.names, document.options, document.seed, document.bots
            )
        except (UnknownGame, BadOption) as error:
            raise BadRecord(f"this document does not hold: {error}") from error
        number = 0
        for number, entry in enumerate(document.moves, 1):
            try:
                match._replay(entry)
            except QuintainError as error:
                raise BadRecord(f"entry {number} of the moves does not hold: {error}") from error
        if match._drawn():
            raise BadRecord(f"the moves must go on to entry {number + 1}: a seat that has resigned plays on")
        if isinstance(document, Record):
            check_result(document, match.commitment, match.outcome.written() if match.outcome else None)
        check_form(document, match.names, match._seed.hex(), match.options, match.game.text.OPTIONS)
        return match

    def steps(self) -> Iterator[tuple[Entry | None, Match]]:
        """Play the finished match again: yield it as it was dealt, then each entry and the match after it.

        It is one match that grows, and it hides nothing from a spectator. Raises QuintainError before the end.
        """
        if self.outcome is None:
            raise QuintainError("a match can be stepped through when it is over")
        again = _OpenMatch(self.game, self.names, self.bots, self.options, self._seed)
        if self._position:
            again._set_up(self._position)
        yield None, again
        for entry in self.moves_made:
            again._enter(entry)
            yield entry, again

    def _replay(self, entry: Entry) -> None:
        """Enter an entry of a document's moves; raises QuintainError if it does not hold."""
        if entry.kind != "move" and (entry.text or entry.auto):
            raise BadRecord("only a move has words, or is drawn")
        drawn = self._drawn()
        if entry.auto and not drawn:
            raise BadRecord("no seat that has resigned is to act here")
        if drawn:
            seat, action = drawn
            is_seats = entry.auto and entry.kind == "move" and entry.seat == seat
            if not is_seats or self._understand(seat, entry.text) != action:
                due = Entry(seat, "move", self._name(seat, action), auto=True)
                raise BadRecord(f"it should be {msgspec.json.encode(due).decode()}")
        self._enter(entry)

    def _enter(self, entry: Entry) -> None:
        """Enter one entry, and no move that seats which have resigned make after it."""
        if entry.kind == "undo":
            self.undo_again(entry.seat)
        elif entry.kind == "resign":
            self._resign(entry.seat)
        else:
            self._play(entry.seat, self._read(entry.seat, entry.text), entry.auto)

    def _document(self, kind: type[Save], **more: Any) -> dict[str, Any]:
        if self._position:
            raise QuintainError("a match that began from a position was not dealt: it has no save and no record")
        document = kind(
            game=self.game.id,
            version=self.game.version,
            seats=self.seats,
            names=list(self.names),
            bots=list(self.bots),
            options=self.options,
            seed=self._seed.hex(),
            moves=self.moves_made,
            **more,
        )
        return sealed(document)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise IllegalMove(f"there is no seat {seat!r}; the seats are 0 to {self.seats - 1}")

    def _name(self, seat: int, action: int) -> str:
        return str(self.game.text.name(self.book, self._state, seat, action))

    def _read(self, seat: int, move: int | str) -> int:
        """Return the action of a legal move; raises IllegalMove."""
        action = self._understand(seat, move)
        legal = self._menus[seat]
        if action in legal:
            return action
        words = self._named(self._name(seat, action))
        if self.outcome:
            raise IllegalMove(f"{self.names[seat]} cannot {words}: the match is over")
        if not legal:
            acting = " and ".join(self.names[other] for other in sorted(self.to_act))
            raise IllegalMove(f"{self.names[seat]} cannot {words} now: {acting} must act first")
        reason = self.why_not(seat, action)
        assert reason is not None
        why = f"{reason.words} ({reason.clause})" if reason.clause else reason.words
        raise IllegalMove(f"{self.names[seat]} cannot {words} now: {why}. {self._nearest(seat, words)}")

    def _understand(self, seat: int, move: int | str) -> int:
        """Return the action that a move means, legal or not; raises IllegalMove for none."""
        self._check_seat(seat)
        if isinstance(move, str):
            blinded, shown = self._seen(seat), written_as(self.moves(seat), move)
            if shown is not None:
                return shown.action
            for text in (move, with_tokens(self.names, move)):
                action = self.game.text.parse(self.book, blinded, seat, text)
                if action is not None:
                    return int(action)
            raise IllegalMove(f"no move of {self.game.title} is written {move!r}. {self._nearest(seat, move)}")
        if type(move) is not int or not 0 <= move < self.game.actions:
            raise IllegalMove(f"there is no action {move!r}; actions are 0 to {self.game.actions - 1}")
        return move

    def _nearest(self, seat: int, words: str) -> str:
        return nearest(self.moves(seat), words, self.names[seat])

    def _play(self, seat: int, action: int, auto: bool) -> None:
        before, shown = self._state, self._shown
        self.moves_made.append(Entry(seat, "move", self._name(seat, action), auto))
        self._state = before.copy()
        self._ply += 1
        keyed = self._key()
        self.game.rules.play(self.book, self._state, seat, action)
        still = seat in seats_in(self.game.rules.to_act(self.book, self._state))
        if still and self._state.rng == keyed and not reveals(self._seen_in(seat, before, shown), self._seen(seat)):
            self._undo.add(seat, action, before)
        else:
            self._undo.clear()
        self._after_change(seat, before.events_made)

    def _cannot_undo(self, seat: int) -> CannotUndo:
        return CannotUndo(
            f"{self.names[seat]} cannot take a move back now: only the last move can be, by who made it, "
            "while that player is still to act and has learned nothing by it"
        )

    def _undo_place(self, seat: int) -> int | None:
        """Return which of the moves that can be taken back is the last of a seat; None if it may take none back."""
        return self._undo.last_of(seat, self._state) if seat in self.to_act else None

    def _seen_in(self, seat: int, state: Any, shown: tuple[Any, dict[int | None, Any]]) -> Any:
        """Return what a seat could know of an earlier state, which `shown` may hold."""
        there = shown[1].get(seat) if shown[0] is state else None
        return there or self.game.blinded(self.book, state, seat)

    def _is_noticed_by(self, viewer: int | None, seat: int, action: int) -> bool:
        after = self._state.copy()
        rng.key(after.rng, self._chance(b"", self._ply + 1))
        self.game.rules.play(self.book, after, seat, action)
        seen = self.game.blinded(self.book, after, SPECTATOR if viewer is None else viewer)
        return bool(seen != self._seen(viewer))

    def _play_resigned(self) -> None:
        """Play random legal moves for the seats that have resigned, as long as they are asked."""
        while drawn := self._drawn():
            self._play(*drawn, auto=True)

    def _drawn(self) -> tuple[int, int] | None:
        """Return a seat that has resigned and is asked, and the move that is drawn for it; None if there is none."""
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
        """Return the key of chance for a purpose, at a ply (now, if not given)."""
        return chance(self._seed, self._ply if ply is None else ply, purpose)

    def _after_change(self, mover: int | None, events_before: int) -> None:
        """Narrate the new events, see whether the match is over, and ask the seats that are to act."""
        made, ring = self._state.events_made, len(self._state.events)
        places = [number % ring for number in range(events_before, made)]
        narrate = self.game.text.narrate
        for viewer, lines in self._lines.items() if places else ():
            blinded, seen_by = self._seen(viewer), SPECTATOR if viewer is None else viewer
            told = (narrate(self.book, blinded.events[place], seen_by) for place in places)
            lines += [self._named(words) for words in told if words]
        told = (narrate(self.book, self._state.events[place], SPECTATOR) for place in places)
        self._open_lines += [self._named(words) for words in told if words]
        if self._state.over and self.outcome is None:
            scores, ranks = [0] * self.seats, [0] * self.seats
            self.game.rules.outcome(self.book, self._state, scores, ranks)
            self._finish(tuple(scores), ranks_with_resigned(ranks, self._resigned), "played to the end")
        self._ask(mover)

    def _finish(self, scores: tuple[int, ...] | None, ranks: tuple[int, ...], reason: str) -> None:
        self._undo.clear()
        prizes: Callable[[Any, Any, Sequence[int]], Sequence[str]] | None = getattr(self.game.text, "prizes", None)
        won = prizes(self.book, self._seen(None), ranks) if prizes else ()
        self.outcome = Outcome(scores, ranks, self._named(reason), tuple(map(self._named, won)))

    def _ask(self, mover: int | None) -> None:
        """Raise the decision of every seat that is asked anew: the mover, and those whose menu has changed."""
        self._to_act = frozenset(seats_in(self.game.rules.to_act(self.book, self._state)))
        for seat in range(self.seats):
            menu = self.game.legal_actions(self.book, self._state, seat) if seat in self._to_act else []
            if menu and (seat == mover or menu != self._menus[seat]):
                self._decisions[seat] += 1
            self._menus[seat] = menu

    def _say(self, viewers: Collection[int | None], seat: int, you: str, they: str) -> None:
        """Add to the logs of these viewers, and of the record, what a seat does."""
        for viewer in viewers:
            self._lines[viewer].append(f"You {you}" if viewer == seat else f"{self.names[seat]} {they}")
        self._open_lines.append(f"{self.names[seat]} {they}")


class _OpenMatch(Match):
    """A match that is played again: its spectators see everything."""

    def blinded(self, seat: int | None) -> Any:
        """Return a copy of the state, whole for a spectator."""
        return self._state.copy() if seat is None else super().blinded(seat)


def _find(wanted: str | Game) -> Game:
    return wanted if isinstance(wanted, Game) else game(wanted)
