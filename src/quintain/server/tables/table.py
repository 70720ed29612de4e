"""A table as its log tells it: the seats, the match, and all else that follows from the entries.

Nothing here reads or writes a database, or knows who has the table open (`live_table.py`). `memory.py` reads tables
from their logs, writes entries and applies them here. The row of the table and its seats follow by `model/entries.py`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from quintain.engine.errors import BadRecord, CannotUndo, IllegalMove, QuintainError, UnknownGame
from quintain.engine.names import MINUS
from quintain.engine.play.commitments import seed_commitment
from quintain.engine.play.documents import named_record
from quintain.engine.play.lesson import lesson_of
from quintain.engine.play.match import Match
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.rules.seat_options import gains_of
from quintain.engine.rules.state import GameState
from quintain.engine.seen.result import Result
from quintain.engine.seen.seen import Seen
from quintain.server.clock import now
from quintain.server.model import entries as kinds
from quintain.server.model.beginning import begun
from quintain.server.model.entries import Folded, Json, LogEntry, Seat, TableRow, check_places
from quintain.server.model.levels import levels, usual_level
from quintain.server.model.seating import Persons, seat_people
from quintain.server.model.times import Times, asked, past
from quintain.server.refused import Refused
from quintain.server.tables import lessons
from quintain.server.tables.foresight import Advised, Hint

CLOCKS = {"none": None, "30": 30.0, "60": 60.0, "120": 120.0, "day": 86400.0, "3 days": 259200.0, "week": 604800.0}
"""The clocks that a table may have: seconds for each decision."""
GRACE = 30.0
"""Seconds from the end of the time until a bot plays on."""
REVEAL_TIME = 10.0
"""Seconds from the last sitting down in which players reveal their random numbers."""
BY_BOT = "by bot"
"""The kind of act with which a bot makes a move. It becomes MOVED in the log, if the bot may still make it."""
SPEEDS = {"slow": 2.0, "usual": 0.8, "fast": 0.2}
"""Seconds that a bot takes for a move, so that people can follow."""
REPEATED = (kinds.CHOSE, kinds.UNDONE, kinds.PASSING, kinds.SPEED, kinds.AGREED, kinds.LEFT, kinds.SEAT_MOVED)
"""The kinds of entries that somebody could write again and again, though the game gets no further."""
MOST_REPEATED = 500
"""How many of them a log takes for each seat."""
GONE = "the server no longer has the rules of this game: only its record is left"
DESERTED = "everybody left this game and nobody came back within a day: it was closed without a result"
STOPPED = "new rules came, and this game could not go on by them: it was closed without a result"


class Table:
    """A table and all that follows from its log."""

    def __init__(self, folded: Folded, persons: Persons):
        self.folded, self.persons = folded, dict(persons)
        seat_people(folded.seats, persons)
        self.match: Match | None = None
        self.seq = 1
        """The place in the log of the last entry that has been applied."""
        self.times = Times(len(folded.seats), folded.row.made)
        self.hints: dict[int, Hint] = {}
        """The last hint of each seat that asked for one."""
        self.notes: dict[int, str] = {}
        """Notes for people about the bots, by seat."""
        self.headings: list[tuple[str, dict[int | None, int]]] = []
        """The rounds so far, each with the number of lines that the log of each viewer had when it began."""
        self.heading_steps: list[int] = []
        """How many entries the match had when each of these rounds began."""
        self.in_secret: set[int] = set()
        """Seats that are in the middle of a secret choice: spectators have seen none of its steps."""
        self.repeated: Counter[int] = Counter()
        """How many entries of the kinds REPEATED each seat has made."""
        self.passing: set[int] = set()
        """Seats whose players want the server to make a move for them if it is their only one."""
        self.is_skipping = False
        """Whether the bots play to the end without pauses, since all people here are out of the game or have left."""
        self.moves_alone = 0
        """How many moves that others noticed bots have made for people since the last of these left."""
        self.adjourned_at: float | None = None
        """When the game was adjourned, since everybody had left; None while it goes on."""
        self.stuck: kinds.Stopped | None = None
        """Why today's rules cannot go on with a game that began under older ones; None if they can."""

    @classmethod
    def read(cls, entries: Sequence[LogEntry], persons: Persons) -> Table:
        """Return the table that follows from a whole log.

        Today's rules replay a game that began under older ones. If they cannot, it has no match: people can read the
        record of a finished game, and one in play is `stuck`. A finished game whose rules are not here at all has no
        match either. Raises UnknownGame or Refused if the rules of a game in play are not here, and BadRecord or
        another error if the log is damaged.
        """
        check_places(entries)
        table = cls(kinds.begin_fold(entries[0]), persons)
        stuck = 0
        try:
            table.apply(entries[1:])
            if table.status == kinds.WAITING:
                table._rules().read_options(len(table.seats), table.row.options)
            if table._is_shown_truly():
                table._say_what_rules_show_it()
                return table
        except (Refused, UnknownGame):
            if not any(entry.kind in (kinds.CLOSED, kinds.STOPPED) for entry in entries):
                raise
        except BadRecord:
            raise
        except QuintainError:
            if game(table.row.game).version == kinds.fold(entries).row.version:
                raise
            stuck = sum(entry.kind == kinds.MOVED for entry in entries[: table.seq]) + 1
        moves = sum(entry.kind == kinds.MOVED for entry in entries)
        table = cls(kinds.fold(entries), persons)
        table.seq = entries[-1].seq
        if table.status != kinds.OVER:
            table.stuck = kinds.Stopped(game(table.row.game).version, min(stuck, moves), moves)
        return table

    def _is_shown_truly(self) -> bool:
        """Tell whether the match has the result that the record states: only other rules can give another one."""
        if self.folded.stopped:
            return False
        if self.status != kinds.OVER or self.match is None or self.match.version == self.match.game.version:
            return True
        recorded = msgspec.convert((self.folded.record or {})["result"], Result)
        made = self.match.outcome.written() if self.match.outcome else None
        return made is not None and (made.scores, made.ranks) == (recorded.scores, recorded.ranks)

    def _say_what_rules_show_it(self) -> None:
        """Say in the log of a finished game that it was played under older rules, if it was."""
        if self.status == kinds.OVER and self.match and self.row.version < self.match.game.version:
            self.match.say(
                f"This game was played under version {self.row.version} of the rules. It is shown here by version "
                f"{self.match.game.version}, which gives the same result."
            )

    @property
    def row(self) -> TableRow:
        """What is agreed before play, and the status."""
        return self.folded.row

    @property
    def seats(self) -> list[Seat]:
        """The seats, in order."""
        return self.folded.seats

    @property
    def agreed(self) -> dict[int, str]:
        """The seats whose players want to play again, each with the commitment for that game, which may be empty."""
        return self.folded.agreed

    @property
    def commitment(self) -> str:
        """The commitment to the match, as people see it before the deal; an older table's fixes the seed alone."""
        return self.folded.commitment or seed_commitment(bytes.fromhex(self.folded.seed))

    @property
    def is_mixing(self) -> bool:
        """Whether the deal waits until the players reveal the random numbers to which they have committed."""
        return self.folded.is_mixing

    @property
    def is_gathering(self) -> bool:
        """Whether players can still sit down and get up: the deal neither has come nor waits for random numbers."""
        return self.status == kinds.WAITING and not self.is_mixing

    @property
    def mixed_by(self) -> float:
        """The time at which the deal waits no longer for numbers that have not been revealed."""
        return past(max(seat.since for seat in self.seats)) + REVEAL_TIME

    def record(self) -> Json | None:
        """Return the record with the names that the players have now; None before the end."""
        record = self.folded.record
        return None if record is None else named_record(record, [seat.name or "" for seat in self.seats])

    @property
    def id(self) -> str:
        """The id. Whoever knows it can open the table: it is the secret part of the invitation link."""
        return self.row.id

    @property
    def host(self) -> str:
        """The first player: the bots of this table share that player's turns at the workers."""
        return next((seat.player for seat in self.seats if seat.player), self.id)

    @property
    def status(self) -> str:
        """WAITING for players, PLAYING, or OVER."""
        return self.row.status

    @property
    def is_old(self) -> bool:
        """Whether this is a finished game that today's rules cannot show: people can only read what is left of it."""
        return self.status == kinds.OVER and self.match is None

    def seat_of(self, player: str) -> int | None:
        """Return the seat of a player; None for a spectator."""
        return next((seat.seat for seat in self.seats if seat.player == player), None)

    def own_seat(self, player: str) -> int:
        """Return the seat of a player; raises Refused for a spectator."""
        seat = self.seat_of(player)
        if seat is None:
            raise Refused(403, "you have no seat at this table")
        return seat

    def check_hints(self, seat: int) -> None:
        """Raise Refused if the search may not advise a seat."""
        if self.row.rated:
            raise Refused(409, "there are no hints in a rated game")
        if not self.has_hints:
            raise Refused(409, "whoever made this table has not allowed hints")
        if self.lesson_progress():
            raise Refused(409, "the lesson says what to do")
        if seat not in self.playing().to_act:
            raise Refused(409, "you have no move to make now")

    @property
    def has_hints(self) -> bool:
        """Whether there are hints here: alone against bots always, with several people if the maker allows them."""
        return not self.row.rated and (self.folded.hints or not self.has_several_people)

    @property
    def has_several_people(self) -> bool:
        """Whether more than one seat is a person's, or free for one."""
        return sum(seat.bot is None for seat in self.seats) > 1

    def can_skip(self, seat: int, out: Collection[int]) -> bool:
        """Tell whether a seat may let the bots play to the end without pauses: no person here is still in the game.

        `out` are the seats that have been eliminated; whoever has resigned is out, too.
        """
        people = [each.seat for each in self.seats if each.player and not each.stand_in]
        still = [each for each in people if each not in out and not self.playing().has_resigned(each)]
        return not self.is_skipping and seat in people and not still

    def holder(self, seat: int) -> Seat:
        """Return the row of a seat; raises Refused if the table has no such seat."""
        if not 0 <= seat < len(self.seats):
            raise Refused(404, f"there is no seat {seat} at this table")
        return self.seats[seat]

    def _begin(self) -> None:
        """Begin the match by today's rules; raises UnknownGame or Refused if only older rules are here."""
        self.times = Times(len(self.seats), self.row.begun or self.row.made)
        self.match = begun(self._rules(), self.folded, self.commitment)
        self._head(self.match.blinded(None))

    def _rules(self) -> Game:
        """Return the game; raises UnknownGame or Refused if it is not here, or only with older rules."""
        found = game(self.row.game)
        if self.row.version > found.version:
            raise Refused(
                503,
                f"this table is played by version {self.row.version} of the rules of {found.title}, and this server "
                f"has only version {found.version}: it waits for a newer server, and nothing is lost",
            )
        return found

    def renewal(self) -> LogEntry | None:
        """Return the entry that says that today's rules hold from here on, or that the game cannot go on by them.

        None if these rules have held before, and for a game that is over.
        """
        if self.stuck:
            return self.next_entry(kinds.STOPPED, kinds.encoded(self.stuck))
        if self.status == kinds.OVER or (found := self._rules()).version == self.row.version:
            return None
        return self.next_entry(kinds.RULES, str(found.version))

    def know(self, persons: Persons) -> None:
        """Take the names that players have now; they hold also for what has happened."""
        self.persons.update(persons)
        seat_people(self.seats, self.persons)
        names = [seat.name or "" for seat in self.seats]
        if self.match and list(self.match.names) != names:
            self.match.rename(names)
            self.hints.clear()

    def apply(self, entries: Iterable[LogEntry]) -> None:
        """Apply the next entries of the log. The seed decides the moves of seats that have resigned."""
        for entry in entries:
            if entry.kind in (kinds.MOVED, kinds.UNDONE, kinds.RESIGNED):
                self._play(entry)
            else:
                self.folded.take(entry)
                self._follow(entry)
            self.repeated[entry.seat] += entry.kind in REPEATED
            self.seq = entry.seq

    def _follow(self, entry: LogEntry) -> None:
        """Do what else follows from an entry that is no part of the play, but changes the table or its seats."""
        if entry.kind in (kinds.SAT, kinds.LEFT, kinds.SEAT_MOVED):
            seat_people(self.seats, self.persons)
        elif entry.kind == kinds.BEGUN:
            self._begin()
        elif entry.kind == kinds.RULES:
            self._rules()
            if self.match:
                day = time.strftime("%d %B %Y", time.gmtime(entry.at)).lstrip("0")
                self.match.say(f"Since {day} this game goes on by version {entry.text} of the rules.")
        elif entry.kind == kinds.STOPPED:
            self.match = self.stuck = None
        elif entry.kind in (kinds.STAND_IN, kinds.RETURNED):
            self.playing().hand_over(entry.seat, entry.text)
            self.times.begin(entry.seat, entry.at)
            self.moves_alone = 0
            if entry.kind == kinds.RETURNED:
                self._take_up(entry)
        elif entry.kind == kinds.ADJOURNED:
            self.playing().say("Everybody has left: the game is adjourned until somebody comes back.")
            self.adjourned_at = entry.at
        elif entry.kind == kinds.PASSING:
            (self.passing.add if entry.text == kinds.YES else self.passing.discard)(entry.seat)
        elif entry.kind == kinds.SKIPPED:
            self._take_up(entry)
            self.is_skipping = True
        elif entry.kind == kinds.NOTED:
            self.notes[entry.seat] = entry.text
        elif entry.kind == kinds.HINTED:
            self._take_hint(entry)

    def _take_up(self, entry: LogEntry) -> None:
        """Let an adjourned game go on."""
        if self.adjourned_at is not None:
            self.times.begin_all(entry.at)
        self.adjourned_at, self.is_skipping = None, False

    def _take_hint(self, entry: LogEntry) -> None:
        """Keep a hint for a seat, with the words of its moves, unless the seat has another decision by now."""
        given = kinds.decoded(entry, kinds.Hinted)
        words = {move.action: move.text for move in self.playing().moves(entry.seat)}
        if given.decision == self.playing().decision(entry.seat):
            moves = [Advised(one, words[one], share, number) for one, share, number in given.moves if one in words]
            self.hints[entry.seat] = Hint(given.decision, moves)

    def _play(self, entry: LogEntry) -> None:
        """Apply a move, an undo or a resignation to the match.

        A secret choice has one deadline, however many steps it has. Those which spectators cannot see change no time.
        """
        match = self.playing()
        if not 0 <= entry.seat < match.seats:
            raise BadRecord(f"entry {entry.seq} of this log is about seat {entry.seat}, which is not there")
        before, times = asked(match), self.times.of(entry.seat)
        known = match.seen()
        if entry.kind == kinds.UNDONE:
            match.replay_undo(entry.seat)
        elif entry.kind == kinds.RESIGNED:
            match.resign(entry.seat)
        else:
            match.play(entry.seat, entry.text)
        now_known = match.seen()
        if match.outcome or now_known.state != known.state:
            self.in_secret.discard(entry.seat)
            self.moves_alone += self.seats[entry.seat].stand_in
            self.times.ask(before, asked(match), entry.at)
            self._head(now_known.state)
        else:
            self.in_secret.add(entry.seat)
        if entry.kind == kinds.UNDONE:
            self.times.restore(entry.seat, times)
        else:
            self.times.keep(entry.seat, times, match.can_undo(entry.seat))

    def _head(self, known: GameState) -> None:
        """Note where a new round begins in the logs, by what a spectator knows."""
        match = self.playing()
        phase = match.game.phase(match.book, known, SPECTATOR)
        words = f"{phase.unit.capitalize()} {phase.round}"
        if phase.round and (not self.headings or self.headings[-1][0] != words):
            lengths = {viewer: len(match.log(viewer)) for viewer in (None, *range(len(self.seats)))}
            self.headings.append((words, lengths))
            self.heading_steps.append(len(match.moves_made))

    def playing(self) -> Match:
        """Return the match; raises Refused before it has begun, and if today's rules cannot show it."""
        self.check_here()
        if self.match is None:
            raise Refused(409, "this table waits for its players: play has not begun")
        return self.match

    def lesson_progress(self) -> lessons.LessonProgress | None:
        """Return how far the learner here is; None if this is no lesson, no longer one, or the game is over."""
        match, done = self.match, self.row.lesson
        lesson = lesson_of(match.game) if match else None
        if done is None or match is None or match.outcome or lesson is None:
            return None
        return lessons.progress_in(lesson, match, done)

    def check_here(self) -> None:
        """Raise Refused for a finished game that today's rules cannot show."""
        if self.is_old:
            stopped = self.folded.stopped
            raise Refused(410, GONE if stopped is None else DESERTED if stopped.deserted else STOPPED)

    def entry(self, seat: int, kind: str, decision: int | None = None, action: int | None = None) -> LogEntry:
        """Return the next entry of the log for this act, once it is checked; raises Refused, IllegalMove or CannotUndo.

        A move, an undo and a stand-in must name the seat's open `decision`. BY_BOT is a move of a bot.
        """
        match = self.playing()
        if match.outcome:
            raise Refused(409, "the game is over")
        if kind == BY_BOT and not (self.seats[seat].bot or self.seats[seat].stand_in):
            raise Refused(409, "the player is back")
        if kind == BY_BOT and self.adjourned_at is not None:
            raise Refused(409, "the game is adjourned")
        kind = kinds.MOVED if kind == BY_BOT else kind
        if kind in (kinds.MOVED, kinds.UNDONE, kinds.STAND_IN):
            self._check_decision(seat, decision)
        text = ""
        if kind == kinds.MOVED:
            text = self._words(match, seat, action)
        elif kind == kinds.UNDONE and self.row.rated:
            raise CannotUndo("in a rated game no move is taken back")
        elif kind == kinds.UNDONE and not match.can_undo(seat):
            raise CannotUndo("that move can no longer be taken back")
        elif kind == kinds.UNDONE:
            self.check_repeats(seat)
        elif kind == kinds.RESIGNED and match.has_resigned(seat):
            raise Refused(409, "you have resigned already")
        elif kind == kinds.RETURNED and not self.seats[seat].stand_in:
            raise Refused(409, "you have your seat again already")
        elif kind == kinds.STAND_IN:
            text = levels()[usual_level()]
        if lesson := self.lesson_progress():
            lessons.check(lesson, match, seat, kind, text)
        return self.next_entry(kind, text, seat)

    def check_repeats(self, seat: int) -> None:
        """Raise Refused if a seat has changed its mind so often that the log takes no more of it."""
        if self.repeated[seat] >= MOST_REPEATED:
            raise Refused(429, "this seat has changed its mind too often: from now on everything stays as it is")

    def next_entry(self, kind: str, text: str = "", seat: int = kinds.NO_SEAT, after: int = 0) -> LogEntry:
        """Return the next entry of the log, or one so many places after it."""
        return LogEntry(self.id, self.seq + 1 + after, seat, kind, text, now())

    def closing(self) -> list[LogEntry]:
        """Return the entries that close a game which the match says is over; none if there is nothing to close.

        The last one closes it. Before it come those of cards that change hands.
        """
        if self.status != kinds.PLAYING or self.match is None or self.match.outcome is None:
            return []
        gains = gains_of(self.match) if self.row.owned else []
        acts = [(each.taker, kinds.GAINED, kinds.encoded(kinds.Gained(each.card, each.giver))) for each in gains]
        acts.append((kinds.NO_SEAT, kinds.CLOSED, kinds.encoded(self.match.record(with_names=False))))
        return kinds.log_from(self.id, acts, now(), self.seq + 1)

    def action_of(self, seat: int, decision: int, words: str) -> int:
        """Return the action that words mean which answer a decision; raises Refused or IllegalMove if there is none."""
        seen = self.playing().seen(seat)
        self._check_decision(seat, decision)
        typed = words.replace(MINUS, "-")  # as views show a minus; the words of moves have hyphens
        if (found := next((legal.action for legal in seen.moves if legal.text == typed), None)) is not None:
            return found
        raise _illegal(seen, words)

    def _check_decision(self, seat: int, decision: int | None) -> None:
        """Raise Refused unless this is the open decision of a seat that is to act."""
        match = self.playing()
        if seat not in match.to_act or decision != match.decision(seat):
            raise Refused(409, "the table has changed since: look again")

    def _words(self, match: Match, seat: int, action: int | None) -> str:
        """Return a legal move in words, with ``seat 0`` for a player whose name may change; raises IllegalMove."""
        seen = match.seen(seat)
        if action is not None and any(action == legal.action for legal in seen.moves):
            return str(seen.game.text.name(seen.book, seen.state, seat, action))
        raise _illegal(seen, action)

    def is_openly_forced(self, seat: int) -> bool:
        """Tell whether everybody can see that a person to act has one move only, and has nothing to take back.

        Then the server makes the move. If hidden cards decide whether there is a choice, the person always must click.
        """
        match = self.playing()
        return match.is_openly_forced(seat) and not match.can_undo(seat)

    def is_passing(self, seat: int) -> bool:
        """Tell whether a person to act has one move, nothing to take back, and wants the server to make such moves."""
        match = self.playing()
        return seat in self.passing and len(match.moves(seat)) == 1 and not match.can_undo(seat)


def _illegal(seen: Seen, move: int | str | None) -> IllegalMove:
    """Return the error for an action, or a move in words, that is not legal; it says why, if the game knows."""
    reason = None if move is None else seen.why_not(move)
    return IllegalMove(reason.words if reason else f"{move} is not a move that can be made now")
