"""Round Table: Autumn, in which Regions are captured, Quests are done, and Knights go home.

`winter` calls `resolve` when Autumn comes, and sees to the rest of the year.
"""

from quintain.engine import rule, tell
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import all_knights_at, note_types, renown_of, strength, total
from quintain.games.round_table.play_area import free_place
from quintain.games.round_table.setting_up import all_renown, draws_left, open_regions
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.triggers import carry_out_dues, trigger_card, trigger_knight


@rule
def resolve(book: Book, s: State) -> None:
    """Resolve all attacks and, if the game goes on, all Quests. RT-21, RT-22, RT-24, RT-26, RT-27, RT-31."""
    note_types(book, s)
    for place in range(st.OPEN_REGIONS):
        judge(book, s, place)
    capture_regions(book, s)
    open_regions(book, s)
    reason = why_over(book, s)
    if reason != st.NONE:
        end(s, reason)
        return
    s.phase = st.QUEST_DRAWS
    note_types(book, s)
    for seat in range(book.seats):
        owe_for_quests(book, s, seat)
        trigger_quests(book, s, seat)
    carry_out_dues(book, s)
    note_types(book, s)
    for seat in range(book.seats):
        note_who_stays(book, s, seat)
    for seat in range(book.seats):
        send_home(book, s, seat)


@rule
def judge(book: Book, s: State, place: int) -> None:
    """Work out who captures an open Region, and note it in the `judged` fields. RT-21, RT-22, RT-25."""
    s.judged[place] = s.open[place]
    s.judged_captor[place] = st.NONE
    for seat in range(book.seats):
        s.judged_influence[place][seat] = 0
        s.judged_resistance[place][seat] = 0
        s.judged_there[place][seat] = 0
        for slot in range(s.top[seat]):
            if st.is_knight(book, s, seat, slot) and s.place[seat][slot] == place:
                s.judged_there[place][seat] = 1
                s.judged_influence[place][seat] += strength(book, s, st.INFLUENCE, seat, slot)
                s.judged_resistance[place][seat] += strength(book, s, st.RESISTANCE, seat, slot)
        s.judged_influence[place][seat] = st.within(s.judged_influence[place][seat])
        s.judged_resistance[place][seat] = st.within(s.judged_resistance[place][seat])
    if s.open[place] != st.NONE:
        s.judged_captor[place] = captor_of(book, s, place)


@rule
def remaining(book: Book, s: State, place: int, seat: int) -> int:
    """Return the remaining Influence of an attacker: less the greatest Resistance of one opponent. RT-21."""
    most = st.NONE
    for other in range(book.seats):
        if other != seat and s.judged_there[place][other]:
            resistance = s.judged_resistance[place][other]
            most = other if most == st.NONE or resistance > s.judged_resistance[place][most] else most
    return s.judged_influence[place][seat] - (0 if most == st.NONE else s.judged_resistance[place][most])


@rule
def sum_at(book: Book, s: State, what: int, place: int, seat: int) -> int:
    """Add up the amounts of rows that affect a seat's Knights in an open Region. RT-32."""
    amount = 0
    if s.always >> what & 1:
        for slot in range(s.top[seat]):
            if st.is_knight(book, s, seat, slot) and s.place[seat][slot] == place:
                amount += total(book, s, what, 0, seat, s.line[seat][slot], slot)
    return amount


@rule
def captor_of(book: Book, s: State, place: int) -> int:
    """Return the seat that captures an open Region, or NONE if it stays. RT-22."""
    region = book.region[s.region[s.open[place]]]
    best, first, second = st.NONE, 0, 0
    rivals = 0
    for seat in range(book.seats):
        if s.judged_there[place][seat]:
            left = remaining(book, s, place, seat)
            if left > region.resistance - sum_at(book, s, st.REACH, place, seat):
                if rivals == 0 or left > first:
                    second = first
                    best, first = seat, left
                elif rivals == 1 or left > second:
                    second = left
                rivals += 1
    if rivals > 1 and first - second < max(1, region.renown - sum_at(book, s, st.LEAD, place, best)):
        return st.NONE
    return best


@rule
def capture_regions(book: Book, s: State) -> None:
    """Give Regions to their captors, then carry out all rows for captures as one moment. RT-24, RT-33."""
    for place in range(st.OPEN_REGIONS):
        captor = s.judged_captor[place]
        if captor != st.NONE:
            s.captor[s.open[place]] = captor
            tell(s, st.REGION_CAPTURED, captor, -1, s.region[s.open[place]])
        elif s.open[place] != st.NONE and all_knights_at(book, s, place) > 0:
            tell(s, st.REGION_STAYED, st.NONE, -1, s.region[s.open[place]])
    note_types(book, s)
    for place in range(st.OPEN_REGIONS):
        captor = s.judged_captor[place]
        if captor != st.NONE:
            for slot in range(s.top[captor]):
                if st.is_knight(book, s, captor, slot) and s.place[captor][slot] == place:
                    trigger_knight(book, s, st.CAPTURES, captor, slot)
    carry_out_dues(book, s)
    for place in range(st.OPEN_REGIONS):
        if s.judged_captor[place] != st.NONE:
            clear_region(book, s, place)


@rule
def clear_region(book: Book, s: State, place: int) -> None:
    """Empty the place of a captured Region, and let its Knights attack nothing. RT-24."""
    s.open[place] = st.NONE
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            if s.place[seat][slot] == place:
                s.place[seat][slot] = st.NONE


@rule
def why_over(book: Book, s: State) -> int:
    """Return the reason why the game ends after this Autumn's captures, or NONE. RT-24, RT-31."""
    is_open = False
    for place in range(st.OPEN_REGIONS):
        is_open |= s.open[place] != st.NONE
    if not is_open:
        return st.LAST_REGION
    for seat in range(book.seats):
        if 2 * renown_of(book, s, seat) > all_renown(book, s):
            return st.HALF_RENOWN
    return st.NONE


@rule
def end(s: State, reason: int) -> None:
    """End the game for a reason, such as LAST_REGION. RT-31."""
    s.phase = st.OVER
    s.over = 1
    tell(s, st.GAME_OVER, st.NONE, -1, reason)


@rule
def owe_for_quests(book: Book, s: State, seat: int) -> None:
    """Let a seat owe the draws for its Knights on Quests; the game ends after them if its decks are short. RT-26."""
    draws = 0
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot) and s.quest[seat][slot] != st.NONE:
            quest = s.quest[seat][slot]
            draws += s.rp[quest // st.LINES][quest % st.LINES]
    s.owed_draws[seat] += draws
    if draws > draws_left(s, seat):
        s.phase = st.LAST_DRAWS
        tell(s, st.DECKS_FALL_SHORT, seat)


@rule
def trigger_quests(book: Book, s: State, seat: int) -> None:
    """Trigger the rows for Quests that are done, on a seat's Knights and on its Quests. RT-26, RT-33."""
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot) and s.quest[seat][slot] != st.NONE:
            trigger_knight(book, s, st.QUEST_DONE, seat, slot)
        elif s.line[seat][slot] != st.NONE and book.card[seat][s.line[seat][slot]].kind == st.QUEST:
            trigger_card(book, s, st.QUEST_DONE, seat, s.line[seat][slot], seat, st.NONE)


@rule
def note_who_stays(book: Book, s: State, seat: int) -> None:
    """Note which Knights of a seat stay in their Region, before any Knight leaves. RT-27, RT-33."""
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot) and s.place[seat][slot] != st.NONE:
            stays = total(book, s, st.PERMIT, st.STAY, seat, s.line[seat][slot], slot) > 0
            s.due[seat][slot] = st.DUE_STAY if stays else 0


@rule
def send_home(book: Book, s: State, seat: int) -> None:
    """Free the spent RP of a seat, discard its Quests, and send its Knights home. RT-17, RT-26, RT-27."""
    s.spent_rp[seat] = 0
    named = more = 0
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot):
            s.quest[seat][slot] = st.NONE
            s.engaged[seat][slot] = 0
            if s.due[seat][slot] != st.DUE_STAY:
                s.place[seat][slot] = st.NONE
            s.due[seat][slot] = 0
        elif s.line[seat][slot] != st.NONE and book.card[seat][s.line[seat][slot]].kind == st.QUEST:
            s.spent[seat][s.line[seat][slot]] += 1
            if named < st.MOST_NAMED:
                tell(s, st.QUEST_OVER, seat, -1, s.line[seat][slot])
                named += 1
            else:
                more += 1
            free_place(s, seat, slot)
    if more > 0:
        tell(s, st.MORE_SPENT, seat, -1, more)
