"""Round Table: Winter, the limit of the hand, and the order of the Seasons.

After each move `rules` calls `settle`, which takes every step that needs no player until one is to act.
"""

from quintain.engine import A, rule, tell
from quintain.games.round_table import state as st
from quintain.games.round_table.autumn import end, resolve
from quintain.games.round_table.effects import note_types, total
from quintain.games.round_table.setting_up import draws_left
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.triggers import carry_out_dues, trigger_card


@rule
def settle(book: Book, s: State) -> None:
    """Let the game go on until a player is to act or the game is over. RT-11, RT-16, RT-28, RT-29."""
    forget_debts(book, s)
    while not s.over and not waits(book, s):
        advance(book, s)
        forget_debts(book, s)


@rule
def forget_debts(book: Book, s: State) -> None:
    """Cancel the owed draws and discards that players cannot make. RT-26, RT-33."""
    for seat in range(book.seats):
        if draws_left(s, seat) == 0:
            s.owed_draws[seat] = 0
        if s.owed_draws[seat] == 0:
            s.owed_discards[seat] = min(s.owed_discards[seat], s.hand_size[seat])


@rule
def debtor(book: Book, s: State) -> int:
    """Return the seat that is next to make owed draws or discards, or NONE. RT-26, RT-33."""
    for i in range(book.seats):
        seat = (s.active + i) % book.seats
        if s.owed_draws[seat] + s.owed_discards[seat] > 0:
            return seat
    return st.NONE


@rule
def waits(book: Book, s: State) -> bool:
    """Return whether a player is to act now. RT-28, RT-29, RT-33."""
    if debtor(book, s) != st.NONE:
        return True
    if s.phase == st.SUPPORT:
        return s.top[s.turn] > 0
    if s.phase == st.WINTER_DRAW:
        return draws_left(s, s.turn) > 0
    return s.phase < st.RESOLVE


@rule
def advance(book: Book, s: State) -> None:
    """Take the next step of the year that needs no player. RT-21, RT-26, RT-28, RT-29, RT-31."""
    if s.phase == st.RESOLVE:
        resolve(book, s)
    elif s.phase == st.QUEST_DRAWS:
        s.phase = st.SUPPORT
        s.turn = s.active
    elif s.phase == st.LAST_DRAWS:
        end(s, st.TOO_MANY_DRAWS)
    elif s.phase == st.SUPPORT:
        next_seat(book, s, st.SUPPORT)
    elif s.phase == st.WINTER_DRAW:
        end(s, st.NO_CARDS)
    elif s.phase == st.WINTER_ROWS:
        next_seat(book, s, st.WINTER_DRAW)
    else:
        end_season(book, s)


@rule
def next_seat(book: Book, s: State, phase: int) -> None:
    """Give the turn to the next seat, or end the Season after the last one. RT-11, RT-28, RT-29."""
    s.turn = (s.turn + 1) % book.seats
    s.phase = st.SEASON_END if s.turn == s.active else phase


@rule
def trigger_winter(book: Book, s: State, seat: int) -> None:
    """Carry out the rows for each Winter on a seat's cards in play, after its draw. RT-29, RT-33."""
    s.phase = st.WINTER_ROWS
    note_types(book, s)
    for slot in range(s.top[seat]):
        if s.line[seat][slot] != st.NONE:
            card = book.card[seat][s.line[seat][slot]]
            if card.at >> st.EACH_WINTER & 1 and not (card.kind == st.EQUIPMENT and s.bearer[seat][slot] == st.NONE):
                bearer = s.bearer[seat][slot] if card.kind == st.EQUIPMENT or card.kind == st.TITLE else slot
                trigger_card(book, s, st.EACH_WINTER, seat, s.line[seat][slot], seat, bearer)
    carry_out_dues(book, s)


@rule
def end_season(book: Book, s: State) -> None:
    """Let players discard down to the limit of the hand, or begin the next Season if none has to. RT-30."""
    s.phase = st.LIMIT
    note_types(book, s)
    due = 0
    for seat in range(book.seats):
        limit = max(0, st.HAND + total(book, s, st.HAND_LIMIT, 0, seat, st.NONE, st.NONE))
        s.to_drop[seat] = max(0, s.hand_size[seat] - limit)
        due += s.to_drop[seat]
    if due == 0:
        begin_season(book, s)


@rule
def drop(book: Book, s: State, seat: int, line: int) -> None:
    """Choose a card to discard; after the last choice show all of them and begin the next Season. RT-30."""
    s.hand[seat][line] -= 1
    s.dropped[seat][line] += 1
    s.drops[seat] += 1
    s.to_drop[seat] -= 1
    tell(s, st.DROPPED, seat, -1, line, secret=A)
    due = 0
    for other in range(book.seats):
        due += s.to_drop[other]
    if due == 0:
        show_drops(book, s)
        begin_season(book, s)


@rule
def show_drops(book: Book, s: State) -> None:
    """Put the cards that all have chosen on their Spent Piles, face up. RT-30."""
    for seat in range(book.seats):
        s.hand_size[seat] -= s.drops[seat]
        s.drops[seat] = 0
        named = more = 0
        for line in range(book.lines[seat]):
            if s.dropped[seat][line] > 0:
                s.spent[seat][line] += s.dropped[seat][line]
                if named < st.MOST_NAMED:
                    tell(s, st.DISCARDED, seat, -1, line, s.dropped[seat][line])
                    named += 1
                else:
                    more += s.dropped[seat][line]
                s.dropped[seat][line] = 0
        if more > 0:
            tell(s, st.MORE_SPENT, seat, -1, more)


@rule
def begin_season(book: Book, s: State) -> None:
    """Begin the next Season; in Winter the next player becomes the active one. RT-11, RT-16, RT-20, RT-29."""
    s.season = (s.season + 1) % 4
    if s.season == st.SPRING:
        s.year += 1
    if s.season == st.WINTER:
        s.active = (s.active + 1) % book.seats
    tell(s, st.SEASON_BEGAN, s.active, -1, s.season)
    s.turn = s.active
    s.step = st.DECLARE
    s.acted = 0
    s.passes = 0
    for seat in range(book.seats):
        s.actions[seat] = 0
        s.demesnes_played[seat] = 0
        for slot in range(s.top[seat]):
            s.moves[seat][slot] = 0
        for line in range(book.main_lines[seat]):
            s.used[seat][line] = 0
    s.phase = st.RECRUIT
    if s.season != st.SPRING:
        s.phase = st.CAMPAIGN if s.season == st.SUMMER else st.RESOLVE if s.season == st.AUTUMN else st.WINTER_DRAW
