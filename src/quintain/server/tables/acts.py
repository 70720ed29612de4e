"""What people do at tables: make them, sit down, play, ask for a hint, leave.

Each act raises QuintainError if it cannot be done. `memory.py` keeps tables in memory, and writes what happens
there to their logs. What learners do, talk, random numbers and rematches have modules of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence

from quintain.bots.ismcts import ADVISED, SOUND
from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.play.lesson import lesson_of, place
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.previews import leading_on
from quintain.engine.seen.seen import Seen
from quintain.engine.seen.sets import set_choice, set_moves
from quintain.server.clock import now
from quintain.server.model import entries as kinds
from quintain.server.model.entries import Act, LogEntry, Made, SeatChoice, Sitter
from quintain.server.model.levels import usual_level
from quintain.server.model.making import ME, NOTHING, check_ratable, first_entries, new_table, sitters
from quintain.server.model.seat_choices import TriedChoice, cards_choice, check_owned
from quintain.server.model.seating import Person
from quintain.server.refused import Refused
from quintain.server.slices import Slices
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.table import CLOCKS, SPEEDS
from quintain.server.turns import Asker

SEATED = "you have a seat at this table already"
NAMELESS = "choose a name first: POST it to /name"
PATIENCE = 4.0
"""Seconds that a post waits for a hint."""
COMPILING = 1.0
"""Seconds between two looks whether the search is compiled."""
MOST_TABLES = 200
"""The unfinished tables that a player leaves when they are deleted."""
log = logging.getLogger("quintain.server")


async def add(
    tables: Tables,
    player: str,
    game_id: str,
    wanted: Sequence[str],
    options: Mapping[str, object],
    *,
    clock: str = "none",
    private: bool = False,
    speed: str = "usual",
    address: str = "",
    commitment: str = "",
    rated: bool = False,
    hints: bool = False,
    owned: bool = False,
) -> LiveTable:
    """Make a table; each seat `wanted` is ME, OPEN or the level of a bot. Raises QuintainError if it cannot.

    The process of `reader.py` reads texts in the options; addresses take turns there. Where cards are `owned`, the
    player brings their own.
    """
    found = game(game_id)
    read = await tables.reader.read_options(Asker(address, player), found, found.check_seats(len(wanted)), options)
    if clock not in CLOCKS or speed not in SPEEDS:
        raise BadOption(f"there is no clock {clock!r}" if clock not in CLOCKS else f"there is no speed {speed!r}")
    if rated and hints:
        raise BadOption("there are no hints in a rated game: choose one of the two")
    number = await number_of(tables, player)
    seats = sitters(wanted, number, commitment)
    if rated:
        check_ratable(found, read, wanted, clock)
    if owned:
        check_owned(found, wanted, read, rated)
    made = new_table(found, read, clock, speed, private, seats, rated=rated, hints=hints, owned=owned)
    if not owned:
        return await make(tables, made)
    async with tables.bringing_cards:
        seat = wanted.index(ME)
        return await make(tables, made, chosen={seat: await cards_brought(tables, found, number, seat, read)})


async def cards_brought(
    tables: Tables, found: Game, number: int, seat: int, options: Mapping[str, object], who: str = "you"
) -> SeatChoice:
    """Return what a player brings who plays with their own cards; raises Refused if these are in play elsewhere.

    Whoever asks holds `bringing_cards` until it is written, so that nobody stakes a card at two tables.
    """
    if await tables.store.table_with_cards(number, found.id):
        play = f"{who} {'play' if who == 'you' else 'plays'}"
        own = "your" if who == "you" else "their"
        raise Refused(409, f"{play} with {own} own cards at another table already: finish that game first")
    return cards_choice(found, seat, await tables.store.cards_of(number, found.id), options, who)


async def make(
    tables: Tables, made: Made, acts: Iterable[Act] = (), id_: str = "", chosen: Mapping[int, SeatChoice] = NOTHING
) -> LiveTable:
    """Make a table whose log goes on with these acts; raises Refused if there is a table with this id."""
    entries, folded = first_entries(made, acts, id_, chosen)
    if not await tables.store.add(entries, [folded]):
        raise Refused(409, "this table is there already")
    log.info("table made", extra={"table": folded.row.id, "game": made.game})
    tables.tell_lobby(None)
    return await tables.get(folded.row.id)


async def person_of(tables: Tables, player: str) -> Person:
    """Return a player; raises Refused if they have no name yet."""
    found = await tables.store.player(player)
    if found is None:
        raise Refused(403, NAMELESS)
    return found


async def number_of(tables: Tables, player: str) -> int:
    """Return the number of a player; raises Refused if they have no name yet."""
    return (await person_of(tables, player)).number


async def sit_down(
    tables: Tables, live: LiveTable, seat: int, player: str, commitment: str = "", tried: TriedChoice | None = None
) -> None:
    """Give a player an empty seat, or the one that a bot plays for them.

    They bring along the deck that they have `tried`, or the cards that they own where all do so. Play begins when all
    seats are taken, unless somebody must first reveal a random number.
    """
    holder = live.table.holder(seat)
    if holder.player == player:
        await come_back(tables, live, seat)
        return
    person = await person_of(tables, player)
    live.table.know({person.number: person})
    chosen = tried.choice if tried else None

    def sat() -> Sequence[LogEntry]:
        table = live.table
        if table.seats[seat].is_taken or table.status != kinds.WAITING:
            raise Refused(409, "this seat is taken")
        if table.seat_of(player) is not None:
            raise Refused(409, SEATED)
        table.check_repeats(seat)
        if tried:
            tried.check(table.folded.chosen, seat)
        sitter = Sitter(player=person.number, commitment=commitment)
        entries = [table.next_entry(kinds.SAT, kinds.encoded(sitter), seat)]
        entries += [table.next_entry(kinds.CHOSE, kinds.encoded(chosen), seat, 1)] if chosen else []
        is_full = all(other.is_taken for other in table.seats if other.seat != seat)
        if is_full and not commitment and not table.folded.reveals:
            entries.append(table.next_entry(kinds.BEGUN, after=len(entries)))
        return entries

    row = live.table.row
    if not row.owned:
        await tables.change(live, sat)
        return
    async with tables.bringing_cards:
        chosen = await cards_brought(tables, game(row.game), person.number, seat, row.options)
        await tables.change(live, sat)


async def choose(tables: Tables, live: LiveTable, player: str, tried: TriedChoice) -> None:
    """Let a player choose a deck for their seat, as long as players can still sit down."""

    def chose() -> Sequence[LogEntry]:
        table = live.table
        seat = table.own_seat(player)
        if not table.is_gathering:
            raise Refused(409, "all seats are taken: the game begins with what was chosen before")
        if table.folded.chosen.get(seat) == tried.choice:
            return []
        table.check_repeats(seat)
        tried.check(table.folded.chosen, seat)
        return [table.next_entry(kinds.CHOSE, kinds.encoded(tried.choice), seat)]

    await tables.change(live, chose)


async def get_up(tables: Tables, live: LiveTable, player: str) -> None:
    """Free the seat of a player again, before play begins."""

    def left() -> Sequence[LogEntry]:
        table = live.table
        seat = table.own_seat(player)
        if not table.is_gathering:
            raise Refused(409, "play has begun: you can resign")
        return [table.next_entry(kinds.LEFT, seat=seat)]

    await tables.change(live, left)


async def start(tables: Tables, live: LiveTable, player: str) -> None:
    """Begin with bots in the empty seats."""

    def begun() -> Sequence[LogEntry]:
        table = live.table
        table.own_seat(player)
        if not table.is_gathering:
            raise Refused(409, "play has begun already")
        if table.row.owned:
            raise Refused(409, "bots own no cards: wait for people in the other seats")
        bot, empty = kinds.encoded(Sitter(bot=usual_level())), [each.seat for each in table.seats if not each.is_taken]
        entries = [table.next_entry(kinds.SAT, bot, seat, after) for after, seat in enumerate(empty)]
        return entries if table.folded.reveals else [*entries, table.next_entry(kinds.BEGUN, after=len(entries))]

    await tables.change(live, begun)


async def move(
    tables: Tables, live: LiveTable, player: str, decision: int, action: int, then: int | None = None
) -> None:
    """Play an action for a player, and `then` as the answer to the question that follows."""
    await _act(tables, live, player, kinds.MOVED, decision, action)
    if then is not None:
        match = live.table.playing()
        await _act(tables, live, player, kinds.MOVED, match.decision(live.table.own_seat(player)), then)
    await _count_steps(tables, live)


async def choose_set(
    tables: Tables, live: LiveTable, player: str, decision: int, names: Sequence[str], way: str
) -> None:
    """Make all moves that give a player the set of these cards, or none of them; see `engine/seen/sets.py`.

    They are written together, and nobody sees the table between two of them.
    """
    seat = live.table.own_seat(player)
    await come_back(tables, live, seat)

    def chosen() -> Sequence[LogEntry]:
        table, seen = live.table, live.table.playing().seen(seat)
        choice = set_choice(seen)
        if choice is None or decision != seen.decision:
            raise Refused(409, "the table went on without this set: look again")
        if table.lesson_progress():
            raise Refused(409, "the lesson says what to do")
        moves = enumerate(set_moves(seen, choice, names, way))
        return [table.next_entry(kinds.MOVED, words, seat, after) for after, words in moves]

    await tables.change(live, chosen)


async def _count_steps(tables: Tables, live: LiveTable) -> None:
    """Note how many steps of a lesson are done, after a move of the learner; none if it has left the script."""
    table = live.table
    if table.row.lesson is None:
        return
    match, done = table.playing(), table.row.lesson
    lesson = lesson_of(match.game)
    there = place(lesson, match) if lesson else None
    await mark(tables, live, max(there.step, done) if there else None)


async def mark(tables: Tables, live: LiveTable, done: int | None) -> None:
    """Note how many steps of a lesson are done, None once it is left, and show the table."""
    if live.table.row.lesson != done:
        await tables.change(live, lambda: [live.table.next_entry(kinds.STEP, "" if done is None else str(done))])


async def undo(tables: Tables, live: LiveTable, player: str, decision: int) -> None:
    """Take a player's last move back."""
    await _act(tables, live, player, kinds.UNDONE, decision)


async def resign(tables: Tables, live: LiveTable, player: str) -> None:
    """Give the match up for a player."""
    await _act(tables, live, player, kinds.RESIGNED)


async def _act(
    tables: Tables, live: LiveTable, player: str, kind: str, decision: int | None = None, action: int | None = None
) -> None:
    """Enter an act of a player, who first gets their seat back if a bot plays it for them."""
    seat = live.table.own_seat(player)
    await come_back(tables, live, seat)
    await tables.enter(live, seat, kind, decision, action)


async def hint(tables: Tables, live: LiveTable, player: str) -> None:
    """Ask the search about a player's moves, and wait a moment for what it finds; the table keeps it.

    The search goes on after that moment, and the page gets the hint when it is there.
    """
    table = live.table
    seat = table.own_seat(player)
    table.check_hints(seat)
    seen = table.playing().seen(seat)
    if seat in table.hints and table.hints[seat].decision == seen.decision and table.hints[seat].best:
        return
    asked = seat, seen.decision
    thinking = live.advising.get(asked)
    if thinking is None:
        thinking = live.advising[asked] = asyncio.create_task(_advise(tables, live, seen))
        thinking.add_done_callback(lambda _: _stop_waiting(tables, live, asked))
    await asyncio.wait([thinking], timeout=PATIENCE)
    if thinking.done():
        thinking.result()
    else:
        thinking.add_done_callback(lambda done: _log_failure(live, done))
        tables.show(live)


def _stop_waiting(tables: Tables, live: LiveTable, asked: tuple[int, int]) -> None:
    """Show that the search no longer thinks."""
    del live.advising[asked]
    live.is_compiling = False
    tables.show(live)


def _log_failure(live: LiveTable, done: asyncio.Task[None]) -> None:
    """Say in the server's log why a search failed whose post has been answered already."""
    if not done.cancelled() and (error := done.exception()):
        log.info("there is no hint", extra={"table": live.id, "reason": str(error)})


async def _advise(tables: Tables, live: LiveTable, seen: Seen) -> None:
    """Let the search judge the moves of a seat, and write down what it finds, unless the seat has moved meanwhile.

    While the search is being compiled it knows next to nothing, so the hint waits for that.
    """
    assert seen.seat is not None
    seat, asker = seen.seat, Asker(live.table.seats[seen.seat].player or "", live.id)

    def is_open() -> bool:
        match = live.table.playing()
        return match.decision(seat) == seen.decision and match.outcome is None

    while (judged := await tables.workers.judge(asker, seen)) is None:
        if not live.is_compiling:
            live.is_compiling = True
            tables.show(live)
        await asyncio.sleep(COMPILING)
        if not is_open():
            return
    best = [one.action for one in judged[:ADVISED]]
    await live.foresight.of(Slices(), seen, paths=[path for action in best for path in leading_on(seen.view, action)])
    hint = kinds.Hinted(seen.decision, [(one.action, one.share, one.simulations) for one in judged])

    def hinted() -> Sequence[LogEntry]:
        before = live.table.hints.get(seat)
        is_news = before is None or before.decision != seen.decision or any(one.simulations >= SOUND for one in judged)
        return [live.table.next_entry(kinds.HINTED, kinds.encoded(hint), seat)] if is_open() and is_news else []

    await tables.change(live, hinted)


async def rename(tables: Tables, number: int) -> None:
    """Use a player's new name at all tables in memory; other tables get it when they are read from their logs."""
    persons = await tables.store.persons([number])
    for live in tables.in_memory():
        if number in live.talk.persons:
            await tables.read_talk(live)
        if any(seat.number == number for seat in live.table.seats):
            async with live.lock:
                await live.settled()
                live.table.know(persons)
                live.story = None
            tables.stories.begin(live)
            tables.tell_all(live)


async def set_speed(tables: Tables, live: LiveTable, player: str, speed: str) -> None:
    """Set how long bots take for a move at this table."""
    seat = live.table.own_seat(player)
    if speed not in SPEEDS:
        raise BadOption(f"there is no speed {speed!r}; there are {', '.join(SPEEDS)}")

    def set_to() -> Sequence[LogEntry]:
        table = live.table
        if table.row.speed == speed:
            return []
        table.check_repeats(seat)
        return [table.next_entry(kinds.SPEED, speed, seat)]

    await tables.change(live, set_to)


async def skip(tables: Tables, live: LiveTable, player: str) -> None:
    """Let the bots play to the end without pauses, if all people at the table are out of the game."""

    def skipped() -> Sequence[LogEntry]:
        table = live.table
        if not table.can_skip(table.own_seat(player), table.playing().view(None).out):
            raise Refused(409, "you can skip to the end once all people here are out of the game")
        return [table.next_entry(kinds.SKIPPED)]

    await tables.change(live, skipped)


async def hurry(live: LiveTable, player: str) -> None:
    """Let bots move without pauses until a player is asked next."""
    seat = live.table.own_seat(player)
    live.table.playing()
    live.hurried[seat] = now()
    live.hurrying.set()
    live.changed.set()


async def set_passing(tables: Tables, live: LiveTable, player: str, passing: bool) -> None:
    """Set whether the server makes a move for a player if it is their only one."""
    seat = live.table.own_seat(player)
    live.table.playing()

    def set_to() -> Sequence[LogEntry]:
        table = live.table
        if (seat in table.passing) == passing:
            return []
        table.check_repeats(seat)
        return [table.next_entry(kinds.PASSING, kinds.YES if passing else kinds.NO, seat)]

    await tables.change(live, set_to)


async def move_seat(tables: Tables, live: LiveTable, seat: int, giver: str, moved: int, taker: str) -> None:
    """Move a seat from one device to another; `moved` is how often it had moved when the link was made."""
    live.table.holder(seat)
    if taker == giver:
        return
    if live.table.row.rated:
        raise Refused(409, "in a rated game a seat stays with its player: bring the device in from your own page")
    if live.table.row.owned:
        raise Refused(409, "with cards of one's own a seat stays with its player: bring the device in instead")
    person = await person_of(tables, taker)
    live.table.know({person.number: person})

    def given() -> Sequence[LogEntry]:
        table = live.table
        if table.seat_of(taker) is not None:
            raise Refused(409, SEATED)
        holder = table.seats[seat]
        if holder.moved != moved or holder.player != giver:
            raise Refused(410, "this link has been used: the seat has moved on since")
        table.check_repeats(seat)
        return [table.next_entry(kinds.SEAT_MOVED, str(person.number), seat)]

    await tables.change(live, given)


async def leave_all(tables: Tables, player: str) -> None:
    """Leave all tables of a player that wait, and give up all that are in play."""
    for row, _ in (await tables.store.tables_of([player], MOST_TABLES)).get(player, []):
        try:
            live = await tables.get(row.id)
            if live.table.status == kinds.PLAYING:
                await resign(tables, live, player)
            elif live.table.status != kinds.OVER:
                await get_up(tables, live, player)
        except QuintainError as error:
            log.info("a player who goes stays at a table", extra={"table": row.id, "reason": str(error)})


async def come_back(tables: Tables, live: LiveTable, seat: int) -> None:
    """Give a player who is back their seat again, if a bot plays it for them."""
    if live.table.seats[seat].stand_in and live.table.status == kinds.PLAYING:
        await tables.enter(live, seat, kinds.RETURNED)
