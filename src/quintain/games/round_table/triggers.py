"""Round Table: what cards do at a moment: draws and discards that are owed, Knights reset, engaged and returned."""

from quintain.engine.compiled import rule
from quintain.engine.events import tell
from quintain.games.round_table.effects import applies, total
from quintain.games.round_table.play_area import leave_quest, take_out
from quintain.games.round_table.state import (
    BEARER,
    DISCARD,
    DRAW,
    ENGAGE,
    IMMUNE,
    LINES,
    LOOK,
    LOOKED,
    NONE,
    QUEST,
    QUEST_DONE,
    RESET,
    RETURN,
    RETURNED,
    TO_ROWS,
    WAS_ENGAGED,
    WAS_RESET,
    Book,
    Row,
    State,
    is_engaged,
    is_knight,
    is_on,
)

PARTS = 4
"""What a moment does comes in parts: what players owe and see; Knights reset and engaged; Knights returned, and last of
all the bearer. So nothing that the same moment does is lost because a Knight has left."""


@rule
def fire_knight(book: Book, s: State, when: int, seat: int, slot: int, part: int) -> None:
    """Do a part of a moment by a Knight's card, then by what is on it, then by the Quest it is on. RT-33."""
    quest = s.quest[seat][slot]
    last = s.top[seat]
    for place in range(-1, last + 1):
        owner, source = seat, place
        if place == -1:
            source = slot
        elif place == last:
            owner, source = quest // LINES, quest % LINES
        if place == -1 or (place == last and quest != NONE) or (place < last and is_on(book, s, seat, place, slot)):
            line = s.line[owner][source]
            if line != NONE and book.card[owner][line].at >> when & 1:
                fire(book, s, when, owner, line, seat, slot, part)


@rule
def fire(book: Book, s: State, when: int, owner: int, line: int, bearer_seat: int, bearer: int, part: int) -> None:
    """Do a part of a moment by the rows of one card, whose bearer is a Knight or NONE. RT-33.

    A Quest that is done does for each Knight on it what it says of the bearer, and the rest once, with no bearer.
    """
    card = book.card[owner][line]
    for i in range(card.rows_used):
        row = card.row[i]
        if row.when == when and (when != QUEST_DONE or card.kind != QUEST or (row.whom == BEARER) == (bearer != NONE)):
            on_knights = row.what == RESET or row.what == ENGAGE or row.what == RETURN
            for seat in range(book.seats):
                for slot in range(s.top[seat] if on_knights else 1):
                    is_bearer = seat == bearer_seat and slot == bearer
                    if part == part_of(row, is_bearer) and (not on_knights or is_knight(book, s, seat, slot)):
                        target = s.line[seat][slot] if on_knights else NONE
                        place = slot if on_knights else NONE
                        if applies(book, s, row, owner, bearer_seat, bearer, seat, target, place):
                            happen(book, s, row, owner, seat, place)


@rule
def part_of(row: Row, is_bearer: bool) -> int:
    """Return the part of a moment in which a row does what it does to a player, or to a Knight. RT-33."""
    if row.what == RETURN:
        return 3 if is_bearer else 2
    return 1 if row.what == RESET or row.what == ENGAGE else 0


@rule
def happen(book: Book, s: State, row: Row, owner: int, seat: int, slot: int) -> None:
    """Do to one player or Knight what a row says. RT-33."""
    if row.what == DRAW:
        s.owed_draws[seat] += row.amount
    elif row.what == DISCARD:
        s.owed_discards[seat] += row.amount
    elif row.what == LOOK:
        s.foreseen[seat] = min(s.regions_left, max(s.foreseen[seat], row.amount))
        tell(s, LOOKED, seat, -1, s.foreseen[seat])
    elif owner == seat or total(book, s, IMMUNE, TO_ROWS, seat, s.line[seat][slot], slot) == 0:
        happen_to_knight(book, s, row.what, seat, slot)


@rule
def happen_to_knight(book: Book, s: State, what: int, seat: int, slot: int) -> None:
    """Reset, engage or return a Knight. RT-18, RT-19, RT-33."""
    line = s.line[seat][slot]
    if what == RETURN:
        take_back(book, s, seat, slot)
        tell(s, RETURNED, seat, -1, line)
    elif what == RESET and is_engaged(s, seat, slot):
        s.engaged[seat][slot] = 0
        leave_quest(book, s, seat, slot)
        tell(s, WAS_RESET, seat, -1, line)
    elif what == ENGAGE and not is_engaged(s, seat, slot):
        s.engaged[seat][slot] = 1
        s.place[seat][slot] = NONE
        tell(s, WAS_ENGAGED, seat, -1, line)


@rule
def take_back(book: Book, s: State, seat: int, slot: int) -> None:
    """Take a card in play back into its owner's hand. RT-28, RT-33."""
    line = take_out(book, s, seat, slot)
    s.hand[seat][line] += 1
    s.hand_size[seat] += 1
