"""Choosing a whole set of cards at once: the moves that take its cards, written to the log together.

The rules know single moves. A page lets people choose all cards first, so that nobody sees how far they are, and sends
the list once it is ready. `Collection.sets` of the game says which moves that list takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quintain.engine.errors import IllegalMove
from quintain.engine.rules.collection import SetChoice, chosen_sets
from quintain.engine.seen.seen import Seen
from quintain.server.model import entries as kinds
from quintain.server.model.entries import LogEntry
from quintain.server.refused import Refused
from quintain.server.tables import acts
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables

CHOSEN, REST, KEEP = "chosen", "rest", "keep"
"""How a set comes about: all its cards are chosen; those that are missing are dealt; the last one is kept."""


def set_choice(seen: Seen) -> SetChoice | None:
    """Return what a seat may choose its set from; None if it is not asked for one."""
    sets = chosen_sets(seen.game.collection)
    if sets is None or seen.seat is None or seen.seat not in seen.to_act:
        return None
    return sets.asked(seen.book, seen.state, seen.seat)


async def choose_set(
    tables: Tables, live: LiveTable, player: str, decision: int, names: Sequence[str], way: str
) -> None:
    """Make all moves that give a player their set, or none. Raises BadOption, which names the card and the clause.

    Raises Refused if the seat is not asked for a set by this decision.
    """
    seat = live.table.own_seat(player)
    await acts.come_back(tables, live, seat)

    def chosen() -> Sequence[LogEntry]:
        table, seen = live.table, live.table.playing().seen(seat)
        choice = set_choice(seen)
        if choice is None or decision != seen.decision:
            raise Refused(409, "the table went on without this set: look again")
        if table.lesson_progress():
            raise Refused(409, "the lesson says what to do")
        moves = [choice.keep] if way == KEEP else _moves(seen, seat, names, way)
        entered = enumerate(_in_words(seen, seat, moves))
        return [table.next_entry(kinds.MOVED, words, seat, after) for after, words in entered]

    await tables.change(live, chosen)


def _moves(seen: Seen, seat: int, names: Sequence[str], way: str) -> Sequence[int]:
    sets = chosen_sets(seen.game.collection)
    assert sets is not None
    return sets.moves(seen.book, seen.state, seat, names, way == REST)


def _in_words(seen: Seen, seat: int, moves: Sequence[int]) -> Iterator[str]:
    """Yield the moves in words, each in the position that the moves before it lead to; raises IllegalMove."""
    found, state = seen.game, seen.state.copy()
    for number, action in enumerate(moves, 1):
        if action not in found.legal_actions(seen.book, state, seat):
            reason = seen.why_not(action)
            raise IllegalMove(reason.words if reason else "that cannot be done now")
        yield str(found.text.name(seen.book, state, seat, action))
        if number < len(moves):
            found.rules.play(seen.book, state, seat, action)
