"""All tables, and what people do at them: make them, sit down, play, ask for a hint, leave.

`open_tables.py` keeps tables in memory, and writes what happens there to their logs.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.play.commitments import commitment as commitment_to
from quintain.engine.play.lesson import lesson_of, place
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.server.clock import now
from quintain.server.model import entries as kinds
from quintain.server.model.entries import (
    BEGUN,
    LEFT,
    MADE,
    MOVED,
    NO,
    NO_SEAT,
    OVER,
    PASSING,
    PLAYING,
    RESIGNED,
    RETURNED,
    SAT,
    SEAT_MOVED,
    SKIPPED,
    SPEED,
    STEP,
    UNDONE,
    WAITING,
    YES,
    Folded,
    LogEntry,
    Made,
    Sitter,
)
from quintain.server.model.levels import BELOW_SQUIRE, levels, usual_level
from quintain.server.model.ratings import MOST_SEATS
from quintain.server.refused import Refused
from quintain.server.tables.memory import OpenTables
from quintain.server.tables.table import CLOCKS, SPEEDS, Table
from quintain.server.turns import Asker

ME, OPEN = "me", "open"
MOST_TABLES = 200
"""The unfinished tables that a player leaves when they are deleted."""
FAIR_KINDS = ("number", "switch", "choice")
"""The kinds of options that hold for all seats alike, so that a rated game may have any of their values."""
log = logging.getLogger("quintain.server")


class Tables(OpenTables):
    """The tables, and what people do there; each act raises QuintainError if it cannot be done."""

    async def add(
        self,
        player: str,
        game_id: str,
        wanted: Sequence[str],
        options: Mapping[str, object],
        clock: str = "none",
        private: bool = False,
        speed: str = "usual",
        address: str = "",
        commitment: str = "",
        rated: bool = False,
    ) -> Table:
        """Make a table; each seat `wanted` is ME, OPEN or the level of a bot. Raises QuintainError if it cannot.

        Texts in the options wait for the process that reads; addresses take turns there.
        """
        found = game(game_id)
        read = await self.reader.read_options(Asker(address, player), found, found.check_seats(len(wanted)), options)
        if clock not in CLOCKS or speed not in SPEEDS:
            raise BadOption(f"there is no clock {clock!r}" if clock not in CLOCKS else f"there is no speed {speed!r}")
        if rated:
            check_ratable(found, read, wanted, clock)
        seats = sitters(wanted, await self.number_of(player), commitment)
        return await self.make(new_table(found, read, clock, speed, private, seats, rated=rated))

    async def make(self, made: Made, acts: Iterable[tuple[int, str, str]] = (), id_: str = "") -> Table:
        """Make a table whose log goes on with these acts: each the seat, the kind and the text of an entry.

        Raises Refused if there is a table with this id.
        """
        entries, folded = self.first_entries(made, acts, id_)
        if not await self.store.add(entries, [folded]):
            raise Refused(409, "this table is there already")
        log.info("table made", extra={"table": folded.row.id, "game": made.game})
        self.tell_lobby(None)
        return await self.get(folded.row.id)

    def first_entries(
        self, made: Made, acts: Iterable[tuple[int, str, str]] = (), id_: str = ""
    ) -> tuple[Sequence[LogEntry], Folded]:
        """Return the entries with which a new table begins, and the table that follows from them."""
        begins = all(sitter != Sitter() and not sitter.commitment for sitter in made.seats)
        begun = [(NO_SEAT, BEGUN, "")] if begins else []
        acts = [(NO_SEAT, MADE, kinds.encoded(made)), *begun, *acts]
        entries = kinds.log_from(id_ or secrets.token_urlsafe(9), acts, now())
        return entries, kinds.fold(entries)

    async def number_of(self, player: str) -> int:
        """Return the number of a player; raises Refused if they have no name yet."""
        found = await self.store.player(player)
        if found is None:
            raise Refused(403, "choose a name first: POST it to /name")
        return found.number

    async def sit_down(self, table: Table, seat: int, player: str, commitment: str = "") -> None:
        """Give a player an empty seat, or the one that a bot plays for them.

        Play begins when all seats are taken, unless somebody must first reveal a random number.
        """
        holder = table.holder(seat)
        if holder.player == player:
            await self._come_back(table, seat)
            return
        number = await self.number_of(player)
        table.know(await self.store.persons([number]))

        def sat() -> Sequence[LogEntry]:
            if table.seats[seat].is_taken or table.status != WAITING:
                raise Refused(409, "this seat is taken")
            if table.seat_of(player) is not None:
                raise Refused(409, "you have a seat at this table already")
            table.check_repeats(seat)
            entries = [table.next_entry(SAT, kinds.encoded(Sitter(player=number, commitment=commitment)), seat)]
            commit = commitment or table.folded.reveals
            if not commit and all(other.is_taken for other in table.seats if other.seat != seat):
                entries.append(table.next_entry(BEGUN, after=1))
            return entries

        await self.change(table, sat)

    async def get_up(self, table: Table, player: str) -> None:
        """Free the seat of a player again, before play begins."""

        def left() -> Sequence[LogEntry]:
            seat = table.own_seat(player)
            if table.status != WAITING or table.is_mixing:
                raise Refused(409, "play has begun: you can resign")
            return [table.next_entry(LEFT, seat=seat)]

        await self.change(table, left)

    async def start(self, table: Table, player: str) -> None:
        """Begin with bots in the empty seats."""

        def begun() -> Sequence[LogEntry]:
            table.own_seat(player)
            if table.status != WAITING or table.is_mixing:
                raise Refused(409, "play has begun already")
            bot, empty = kinds.encoded(Sitter(bot=usual_level())), [s.seat for s in table.seats if not s.is_taken]
            entries = [table.next_entry(SAT, bot, seat, after) for after, seat in enumerate(empty)]
            return entries if table.folded.reveals else [*entries, table.next_entry(BEGUN, after=len(entries))]

        await self.change(table, begun)

    async def move(self, table: Table, player: str, decision: int, action: int) -> None:
        """Play an action for a player."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, MOVED, decision, action)
        await self._count_steps(table)

    async def _count_steps(self, table: Table) -> None:
        """Note how many steps of a lesson are done, after a move of the learner; none if it has left the script."""
        if table.row.lesson is None:
            return
        match, done = table.playing(), table.row.lesson
        lesson = lesson_of(match.game)
        there = place(lesson, match) if lesson else None
        await self.mark(table, max(there.step, done) if there else None)

    async def mark(self, table: Table, done: int | None) -> None:
        """Note how many steps of a lesson are done, None once it is left, and show the table."""
        if table.row.lesson != done:
            await self.change(table, lambda: [table.next_entry(STEP, "" if done is None else str(done))])

    async def undo(self, table: Table, player: str, decision: int) -> None:
        """Take a player's last move back."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, UNDONE, decision)

    async def resign(self, table: Table, player: str) -> None:
        """Give the match up for a player."""
        seat = table.own_seat(player)
        await self._come_back(table, seat)
        await self.enter(table, seat, RESIGNED)

    async def hint(self, table: Table, player: str) -> None:
        """Ask the search about a player's moves; the table keeps the hint."""
        seat, match = table.own_seat(player), table.playing()
        if table.row.rated:
            raise Refused(409, "there are no hints in a rated game")
        if seat not in match.to_act:
            raise Refused(409, "you have no move to make now")
        seen = match.seen(seat)
        if seat in table.hints and table.hints[seat].decision == seen.decision:
            return
        asked = table.id, seat, seen.decision
        if asked not in self._advising:
            self._advising[asked] = asyncio.create_task(self._advise(table, seen))
            self._advising[asked].add_done_callback(lambda _: self._advising.pop(asked))
        await asyncio.shield(self._advising[asked])

    async def _advise(self, table: Table, seen: Seen) -> None:
        assert seen.seat is not None
        seat, asker = seen.seat, Asker(table.seats[seen.seat].player or "", table.id)
        judged = await self.workers.judge(asker, seen)
        hint = kinds.Hinted(seen.decision, [(one.action, one.share, one.simulations) for one in judged])

        def hinted() -> Sequence[LogEntry]:
            if table.playing().decision(seat) != seen.decision or table.playing().outcome:
                return []
            return [table.next_entry(kinds.HINTED, kinds.encoded(hint), seat)]

        await self.change(table, hinted)

    async def rename(self, number: int) -> None:
        """Use a player's new name at all tables in memory; others learn it when they are read."""
        persons = await self.store.persons([number])
        for table in self.in_memory():
            if number in table.talk.persons:
                await self.read_talk(table)
            if any(seat.number == number for seat in table.seats):
                async with table.lock:
                    await table.settled()
                    table.know(persons)
                    table.story = None
                self.stories.begin(table)
                self.tell_all(table)

    async def set_speed(self, table: Table, player: str, speed: str) -> None:
        """Set how long bots take for a move at this table."""
        seat = table.own_seat(player)
        if speed not in SPEEDS:
            raise BadOption(f"there is no speed {speed!r}; there are {', '.join(SPEEDS)}")

        def set_to() -> Sequence[LogEntry]:
            if table.row.speed == speed:
                return []
            table.check_repeats(seat)
            return [table.next_entry(SPEED, speed, seat)]

        await self.change(table, set_to)

    async def skip(self, table: Table, player: str) -> None:
        """Let the bots play to the end without pauses, if all people at the table are out of the game."""

        def skipped() -> Sequence[LogEntry]:
            if not table.can_skip(table.own_seat(player), table.playing().view(None).out):
                raise Refused(409, "you can skip to the end once all people here are out of the game")
            return [table.next_entry(SKIPPED)]

        await self.change(table, skipped)

    async def set_passing(self, table: Table, player: str, passing: bool) -> None:
        """Set whether the server makes a move for a player if it is their only one."""
        seat = table.own_seat(player)
        table.playing()

        def set_to() -> Sequence[LogEntry]:
            if (seat in table.passing) == passing:
                return []
            table.check_repeats(seat)
            return [table.next_entry(PASSING, YES if passing else NO, seat)]

        await self.change(table, set_to)

    async def move_seat(self, table: Table, seat: int, giver: str, moved: int, taker: str) -> None:
        """Move a seat from one device to another; `moved` is how often it had moved when the link was made."""
        table.holder(seat)
        if taker == giver:
            return
        if table.row.rated:
            raise Refused(409, "in a rated game a seat stays with its player: bring the device in from your own page")
        number = await self.number_of(taker)
        table.know(await self.store.persons([number]))

        def given() -> Sequence[LogEntry]:
            if table.seat_of(taker) is not None:
                raise Refused(409, "you have a seat at this table already")
            holder = table.seats[seat]
            if holder.moved != moved or holder.player != giver:
                raise Refused(410, "this link has been used: the seat has moved on since")
            table.check_repeats(seat)
            return [table.next_entry(SEAT_MOVED, str(number), seat)]

        await self.change(table, given)

    async def leave_all(self, player: str) -> None:
        """Leave all tables of a player that wait, and give up all that are in play."""
        for row, _ in (await self.store.tables_of([player], MOST_TABLES)).get(player, []):
            try:
                table = await self.get(row.id)
                if table.status == PLAYING:
                    await self.resign(table, player)
                elif table.status != OVER:
                    await self.get_up(table, player)
            except QuintainError as error:
                log.info("a player who goes stays at a table", extra={"table": row.id, "reason": str(error)})

    async def _come_back(self, table: Table, seat: int) -> None:
        """Give a player who is back their seat again, if a bot plays it for them."""
        if table.seats[seat].stand_in and table.status == PLAYING:
            await self.enter(table, seat, RETURNED)


def new_table(
    found: Game,
    options: dict[str, object],
    clock: str,
    speed: str,
    private: bool,
    seats: list[Sitter],
    seed: str | None = None,
    rated: bool = False,
) -> Made:
    """Return what is agreed at a new table; without a seed it gets one of its own."""
    seed = secrets.token_hex(32) if seed is None else seed
    committed = commitment_to(bytes.fromhex(seed), found.id, found.version, options, len(seats))
    return Made(found.id, found.version, options, seed, clock, speed, private, seats, commitment=committed, rated=rated)


def check_ratable(found: Game, options: Mapping[str, object], wanted: Sequence[str], clock: str) -> None:
    """Raise BadOption for a game that cannot be rated.

    It has many seats, or no clock, so that a loser could hold it up; or a bot that anybody beats, or options that may
    favour a seat.
    """
    if len(wanted) > MOST_SEATS:
        raise BadOption(f"a rated game has at most {MOST_SEATS} seats")
    if CLOCKS[clock] is None:
        raise BadOption("a rated game has a clock, so that nobody can hold it up: choose one")
    if weak := [level for level in wanted if level in BELOW_SQUIRE]:
        raise BadOption(f"no bot below Squire plays in a rated game: choose a stronger one than {weak[0].capitalize()}")
    usual = found.read_options(len(wanted), {})
    for option in found.text.OPTIONS:
        if option.kind not in FAIR_KINDS and options.get(option.name) != usual.get(option.name):
            raise BadOption(f"in a rated game {option.name} stays as it usually is: play this one for fun")


def sitters(wanted: Sequence[str], number: int, commitment: str = "") -> list[Sitter]:
    """Return who sits at the seats of a new table, from ME, OPEN or the level of a bot for each; raises BadOption.

    `number` and `commitment` are those of the player who makes it.
    """
    if wanted.count(ME) != 1:
        raise BadOption("you take one of the seats yourself")
    for sitter in wanted:
        if sitter not in (ME, OPEN, *levels()):
            raise BadOption(f"there is no bot {sitter!r}; there are {', '.join(levels())}")
    me = Sitter(player=number, commitment=commitment)
    return [me if one == ME else Sitter() if one == OPEN else Sitter(bot=one) for one in wanted]
