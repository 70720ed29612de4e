"""A `Match`: one game as it is played, with named seats, moves in words, views, undo, saves and records.

Two modules divide the work. `RunningMatch`, in `running`, does what happens from the deal to the result: it deals,
plays moves, takes them back, and shows the table to each viewer. `Match` derives from it, and adds what comes before
and after: it makes a match of a game or of a position, writes it as a save or a record, loads these, and plays a
finished match again. `documents` holds the form of saves and records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quintain.engine.errors import BadOption, BadRecord, QuintainError, UnknownGame
from quintain.engine.names import check_bots, check_names, tokens
from quintain.engine.play.chance import read_seed
from quintain.engine.play.commitments import Reveal, seed_commitment
from quintain.engine.play.documents import (
    Entry,
    MatchRecord,
    Save,
    check_commitment,
    check_entry,
    check_form,
    check_position,
    check_result,
    other_rules,
    read_document,
    sealed,
)
from quintain.engine.play.positions import read_position, write_position
from quintain.engine.play.running import RunningMatch
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game as find_game
from quintain.engine.rules.seat_options import with_chosen
from quintain.engine.rules.state import GameState

SENSELESS = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""What the rules of a game may raise in a position that no game comes to."""


class Match(RunningMatch):
    """A match being played. Make one by `Match.new`, `Match.from_position` or `Match.load`.

    `RunningMatch` says what it holds.
    """

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

        `more` are other arguments of `new`. Fields that the text does not name stay as they were dealt; without any
        text the match is a dealt one. Nobody checks whether the position makes sense in the game. Saves and records
        hold the whole position. The commitment covers the chance from there on, and neither the position nor the deal.
        """
        match = cls.new(game, **more)
        if position:
            match._set_up(position)
        return match

    @property
    def is_from_position(self) -> bool:
        """Whether the match began from a position, and not from the deal."""
        return bool(self._position)

    def position(self) -> str:
        """Return the true state as text for `from_position`. It is private, for it shows hidden cards."""
        return write_position(self._state, self.game.card_names(self.book))

    def _set_up(self, position: str) -> None:
        self._state = self._state.copy()
        self._state.events_made = 0
        self._state.events = type(self._state)().events
        read_position(self._state, position, self.game.card_names(self.book))
        self._position = self.position()
        self._begin()

    @property
    def seed(self) -> str:
        """The seed as 64 hex digits; raises QuintainError before the end."""
        if self.outcome is None:
            raise QuintainError("the seed stays secret until the match is over; `commitment` fixes it")
        return self._seed.hex()

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
        checked by its moves and its result. Its log is not checked: another version may have worded it. Nor is it
        checked whether a game can come to the position from which it began, if it was not dealt.
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
    def _begun(cls, document: Save) -> Match:
        """Return the match of a document before its first move; raises BadRecord."""
        agreed = {name: getattr(document, name) for name in ("seats", "names", "seed", "bots", "reveals")}
        try:
            options = with_chosen(find_game(document.game), document.options, document.chosen)
            match = cls.from_position(document.game, document.position, options=options, **agreed)
        except (UnknownGame, BadOption, BadRecord) as error:
            raise BadRecord(f"this document is not valid: {error}") from error
        if document.version == match.game.version:
            check_position(document.position, match._position)
        if document.position:
            for viewer in (None, *range(match.seats)):
                match.view(viewer)  # most positions that no game comes to fail here
        return match

    @classmethod
    def _loaded(cls, document: Save) -> Match:
        """Return the match of a document; raises BadRecord, also if the rules fail in the position where it begins."""
        try:
            return cls._replayed(document)
        except SENSELESS as error:
            if not document.position:
                raise
            words = f"this document is not valid: the rules cannot go on from its position: {error!r}"
            raise BadRecord(words) from error

    @classmethod
    def _replayed(cls, document: Save) -> Match:
        match = cls._begun(document)
        version = check_commitment(document)
        committed = document.commitment or seed_commitment(match._seed)
        match.keep_commitment(committed, version, document.options, document.chosen)
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

    def keep_commitment(
        self, committed: str, version: int, options: Mapping[str, object], chosen: Mapping[str, object]
    ) -> None:
        """Keep the commitment of a match that was agreed before: it covers this version of the rules and these options.

        The match writes its options as they were then, so that its commitment holds: older rules may have had fewer,
        and an older Quintain may have kept the text of a file in another form. `chosen` are those that seats chose
        later.
        """
        self.commitment, self.version, self.chosen = committed, version, dict(chosen)
        if version < self.game.version or committed != seed_commitment(self._seed):
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

    def _document(self, kind: type[Save], **more: Any) -> dict[str, object]:
        game, names, bots = self.game, list(self.names), list(self.bots)
        rules = game.id, game.version, self.seats, names, bots, self.committed_options
        chance = self._seed.hex(), self.moves_made, self.commitment, list(self.reveals)
        return sealed(kind(*rules, *chance, self._position, self.chosen, **more))


class _OpenMatch(Match):
    """A match that is played again, in which spectators see everything."""

    def _blinded(self, state: GameState, viewer: int | None) -> GameState:
        """Return a copy of a state, blinded for a seat but complete for spectators."""
        return state.copy() if viewer is None else super()._blinded(state, viewer)
