"""Round Table: what cards do at a moment, such as when a Knight attacks: draws, discards, resets, engagements, returns.

A moment has two parts: `trigger_knight` and `trigger_card` note what all its rows do, then `carry_out_dues` does it.
What cards do while they are in play is in `effects`.
"""

from quintain.engine import rule, tell
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import concerns, holds, total
from quintain.games.round_table.play_area import leave_quest, take_out
from quintain.games.round_table.state import Book, Row, State


@rule
def trigger_knight(book: Book, s: State, when: int, seat: int, slot: int) -> None:
    """Trigger the rows of a Knight, then of the cards on it, then of its Quest. RT-33."""
    quest = s.quest[seat][slot]
    last = s.top[seat]
    for place in range(-1, last + 1):
        owner, source = seat, place
        if place == -1:
            source = slot
        elif place == last:
            owner, source = quest // st.LINES, quest % st.LINES
        if (
            place == -1
            or (place == last and quest != st.NONE)
            or (place < last and st.is_on(book, s, seat, place, slot))
        ):
            line = s.line[owner][source]
            if line != st.NONE and book.card[owner][line].at >> when & 1:
                trigger_card(book, s, when, owner, line, seat, slot)


@rule
def trigger_card(book: Book, s: State, when: int, owner: int, line: int, bearer_seat: int, bearer: int) -> None:
    """Trigger the rows of one card for a moment: note what they do, and to whom. RT-33.

    The bearer is a Knight or NONE. Nothing changes yet that the condition of a row could depend on: players owe draws
    and discards, and `carry_out_dues` changes Knights after all cards of the moment. A Quest that is done is triggered
    once for each Knight on it, for the rows about the bearer, and once with no bearer, for its other rows.
    """
    card = book.card[owner][line]
    for i in range(card.rows_used):
        row = card.row[i]
        its_turn = when != st.QUEST_DONE or card.kind != st.QUEST or (row.whom == st.BEARER) == (bearer != st.NONE)
        if row.when == when and its_turn:  # noqa: SIM102  # a call apart
            if holds(book, s, row.condition, row.condition_value, owner, bearer_seat, bearer):
                if row.what == st.RESET or row.what == st.ENGAGE or row.what == st.RETURN:
                    mark_knights(book, s, row, owner, bearer_seat, bearer)
                else:
                    owe(book, s, row, owner, bearer_seat, bearer)


@rule
def does_something(book: Book, s: State, owner: int, line: int, bearer_seat: int, bearer: int) -> bool:
    """Return whether the rows of a Redirect would do anything now, if it is played on this Knight. RT-19, RT-33."""
    card = book.card[owner][line]
    for i in range(card.rows_used):
        row = card.row[i]
        if row.when == st.PLAYED and holds(book, s, row.condition, row.condition_value, owner, bearer_seat, bearer):
            if row.what != st.RESET and row.what != st.ENGAGE and row.what != st.RETURN:
                return True
            if changes_a_knight(book, s, row, owner, bearer_seat, bearer):
                return True
    return False


@rule
def changes_a_knight(book: Book, s: State, row: Row, owner: int, bearer_seat: int, bearer: int) -> bool:
    """Return whether a row resets, engages or returns any Knight: one that it concerns and can change. RT-19, RT-33."""
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            can_change = row.what == st.RETURN or (row.what == st.RESET) == st.is_engaged(s, seat, slot)
            if (
                can_change
                and st.is_knight(book, s, seat, slot)
                and affects(book, s, row, owner, bearer_seat, bearer, seat, slot)
            ):
                return True
    return False


@rule
def affects(book: Book, s: State, row: Row, owner: int, bearer_seat: int, bearer: int, seat: int, slot: int) -> bool:
    """Return whether a row concerns a Knight that is not immune to it. RT-33."""
    line = s.line[seat][slot]
    return concerns(book, s, row, owner, bearer_seat, bearer, seat, line, slot) and (
        owner == seat or total(book, s, st.IMMUNE, st.TO_ROWS, seat, line, slot) == 0
    )


@rule
def mark_knights(book: Book, s: State, row: Row, owner: int, bearer_seat: int, bearer: int) -> None:
    """Note what a row is to do to each Knight that it concerns and that is not immune. RT-33."""
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            if st.is_knight(book, s, seat, slot) and affects(book, s, row, owner, bearer_seat, bearer, seat, slot):
                mark(s, row.what, seat, slot)


@rule
def mark(s: State, what: int, seat: int, slot: int) -> None:
    """Note that a Knight is to be reset, engaged or returned, in the order of the rows. RT-33."""
    due = s.due[seat][slot]
    if what == st.RETURN:
        s.due[seat][slot] = due | st.DUE_RETURN
    elif what == st.RESET:
        s.due[seat][slot] = due | st.DUE_RESET | st.RESET_LAST
    else:
        s.due[seat][slot] = (due | st.DUE_ENGAGE) & (st.DUE_RESET | st.DUE_ENGAGE | st.DUE_RETURN)


@rule
def owe(book: Book, s: State, row: Row, owner: int, bearer_seat: int, bearer: int) -> None:
    """Let players owe draws or discards, or look at Regions, as a row says. RT-33."""
    for seat in range(book.seats):
        if concerns(book, s, row, owner, bearer_seat, bearer, seat, st.NONE, st.NONE):
            if row.what == st.DRAW:
                s.owed_draws[seat] += row.amount
            elif row.what == st.DISCARD:
                s.owed_discards[seat] += row.amount
            else:
                s.foreseen[seat] = min(s.regions_left, max(s.foreseen[seat], row.amount))
                tell(s, st.LOOKED, seat, -1, s.foreseen[seat])


@rule
def carry_out_dues(book: Book, s: State) -> None:
    """Reset, engage and return Knights as the rows of a moment have decided. RT-33."""
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            due = s.due[seat][slot]
            if due != 0:
                s.due[seat][slot] = 0
                if due & st.DUE_ENGAGE and due & st.RESET_LAST:
                    engage(s, seat, slot)
                if due & st.DUE_RESET:
                    reset(book, s, seat, slot)
                if due & st.DUE_ENGAGE and not due & st.RESET_LAST:
                    engage(s, seat, slot)
                if due & st.DUE_RETURN:
                    line = s.line[seat][slot]
                    take_back(book, s, seat, slot)
                    tell(s, st.RETURNED, seat, -1, line)


@rule
def engage(s: State, seat: int, slot: int) -> None:
    """Engage an active Knight and end its attack; nothing happens to an engaged one. RT-18, RT-33."""
    if not st.is_engaged(s, seat, slot):
        s.engaged[seat][slot] = 1
        s.place[seat][slot] = st.NONE
        tell(s, st.WAS_ENGAGED, seat, -1, s.line[seat][slot])


@rule
def reset(book: Book, s: State, seat: int, slot: int) -> None:
    """Make an engaged Knight active and take it off its Quest. RT-19, RT-33."""
    if st.is_engaged(s, seat, slot):
        s.engaged[seat][slot] = 0
        leave_quest(book, s, seat, slot)
        tell(s, st.WAS_RESET, seat, -1, s.line[seat][slot])


@rule
def take_back(book: Book, s: State, seat: int, slot: int) -> None:
    """Take a card out of play into its owner's hand. RT-28, RT-33."""
    line = take_out(book, s, seat, slot)
    s.hand[seat][line] += 1
    s.hand_size[seat] += 1
