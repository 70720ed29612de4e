"""Round Table: Spring, in which players play Demesnes, recruit Knights, and play and move Equipment and Titles.

How cards enter and leave play is in `play_area`; the next chapter is `summer`.
"""

from quintain.engine import rule, tell
from quintain.games.round_table import play_area
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import cost, note_types, total
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.triggers import carry_out_dues, trigger_card


@rule
def is_affordable(book: Book, s: State, seat: int, line: int) -> bool:
    """Return whether a seat can pay for a card of its hand. RT-10."""
    rp = cost(book, s, seat, line)
    return rp == 0 or s.allocated[seat] + rp <= s.capacity[seat]


@rule
def may_play_demesne(book: Book, s: State, seat: int, line: int) -> bool:
    """Return whether a seat may play this Demesne now. RT-9, RT-12."""
    step = book.card[seat][line].step
    if step > 0 and s.demesne[seat][step - 1] <= s.demesne[seat][step]:
        return False
    return s.demesnes_played[seat] < 1 + total(book, s, st.DEMESNES, 0, seat, st.NONE, st.NONE)


@rule
def legal_recruits(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark passing, and every card that a seat may play or move. RT-11, RT-12."""
    mask[st.PASS] = 1
    count = 1
    if s.actions[seat] == st.SEASON_ACTIONS:
        return count
    for line in range(book.lines[seat]):
        if s.hand[seat][line] > 0:
            kind = book.card[seat][line].kind
            if kind == st.DEMESNE:
                allowed = may_play_demesne(book, s, seat, line)
            else:
                allowed = kind <= st.TITLE and is_affordable(book, s, seat, line)
            if allowed:
                mask[st.CARD + line] = 1
                count += 1
    for slot in range(s.top[seat]):
        if may_move(book, s, seat, slot):
            mask[st.IN_PLAY + st.LINES * seat + slot] = 1
            count += 1
    return count


@rule
def may_move(book: Book, s: State, seat: int, slot: int) -> bool:
    """Return whether a slot holds Equipment or a Title that its player may move now. RT-12."""
    if s.line[seat][slot] == st.NONE:
        return False
    kind = book.card[seat][s.line[seat][slot]].kind
    if (
        (kind != st.EQUIPMENT and kind != st.TITLE)
        or play_area.is_copy(book, s, seat, slot)
        or play_area.first_put(s, seat, slot) == st.NONE
    ):
        return False
    return s.bearer[seat][slot] != st.NONE or some_knight_takes(book, s, seat, s.line[seat][slot], st.NONE)


@rule
def some_knight_takes(book: Book, s: State, seat: int, line: int, excluded: int) -> bool:
    """Return whether a Knight of the seat, except the one in the excluded slot, can bear a card. RT-13, RT-14."""
    for knight in range(s.top[seat]):
        if knight != excluded and takes(book, s, seat, line, knight):
            return True
    return False


@rule
def takes(book: Book, s: State, seat: int, line: int, knight: int) -> bool:
    """Return whether a slot holds a Knight that can bear this Equipment or Title as well. RT-13, RT-14."""
    if not st.is_knight(book, s, seat, knight):
        return False
    alike = play_area.count_alike(book, s, seat, line, knight)
    return alike == 0 or alike < play_area.room_on(book, s, seat, line, knight)


@rule
def legal_bearers(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the Knights that can bear the card, and leaving it unpaired. RT-12, RT-13, RT-14."""
    moving = s.moving
    line = s.card if moving == st.NONE else s.line[seat][moving]
    bearer = st.NONE if moving == st.NONE else s.bearer[seat][moving]
    count = 0
    if moving == st.NONE or bearer != st.NONE:
        mask[st.UNPAIRED] = 1
        count = 1
    for knight in range(s.top[seat]):
        if knight != bearer and takes(book, s, seat, line, knight) and not play_area.is_copy(book, s, seat, knight):
            mask[st.IN_PLAY + st.LINES * seat + knight] = 1
            count += 1
    return count


@rule
def play_lasting_card(book: Book, s: State, seat: int, line: int) -> None:
    """Play a Demesne or a Knight, or begin to play Equipment or a Title, which others cannot see yet. RT-2, RT-12."""
    card = book.card[seat][line]
    if card.kind == st.EQUIPMENT or card.kind == st.TITLE:
        s.card = line
        s.phase = st.ATTACH
        return
    play_area.take_from_hand(book, s, seat, line)
    s.step = st.OTHER_CARDS
    if card.kind == st.DEMESNE:
        s.actions[seat] += 1
        s.demesnes_played[seat] += 1
        s.demesne[seat][card.step] += 1
        tell(s, st.DEMESNE_PLAYED, seat, -1, line)
    else:
        s.actions[seat] += 1
        recruit(book, s, seat, line)


@rule
def recruit(book: Book, s: State, seat: int, line: int) -> None:
    """Bring a Knight into play, do what its text says of that, and remove namesakes. RT-12, RT-15, RT-33."""
    tell(s, st.RECRUITS, seat, -1, line)
    slot = play_area.put_in_play(book, s, seat, line, st.NONE)
    card = book.card[seat][line]
    if not s.welcomed[seat][line] and card.at >> st.RECRUITED & 1:
        s.welcomed[seat][line] = 1
        note_types(book, s)
        trigger_card(book, s, st.RECRUITED, seat, line, seat, slot)
        carry_out_dues(book, s)
    if not card.types & st.GENERIC:
        clash(book, s, seat, slot, line)


@rule
def clash(book: Book, s: State, seat: int, slot: int, line: int) -> None:
    """If a namesake of the Knight that was just recruited is in play, remove both. RT-15."""
    name = book.card[seat][line].namesake
    for other in range(book.seats):
        for place in range(s.top[other]):
            newcomer = other == seat and place == slot
            if s.line[seat][slot] == line and not newcomer and st.is_knight(book, s, other, place):  # noqa: SIM102
                if book.card[other][s.line[other][place]].namesake == name:
                    tell(s, st.NAMESAKES, seat, other, line)
                    remove_with_titles(book, s, other, place)
                    remove_with_titles(book, s, seat, slot)


@rule
def remove_with_titles(book: Book, s: State, seat: int, slot: int) -> None:
    """Put a Knight and its Titles on their owner's Spent Pile. RT-15."""
    for other in range(s.top[seat]):
        if st.is_on(book, s, seat, other, slot) and book.card[seat][s.line[seat][other]].kind == st.TITLE:
            s.spent[seat][play_area.take_out(book, s, seat, other)] += 1
    s.spent[seat][play_area.take_out(book, s, seat, slot)] += 1


@rule
def pick_up(s: State, seat: int, slot: int) -> None:
    """Begin to move Equipment or a Title in play. RT-12."""
    s.moving = play_area.first_put(s, seat, slot)
    s.phase = st.ATTACH


@rule
def attach(book: Book, s: State, seat: int, action: int) -> None:
    """Put the card that a seat plays or moves on a Knight, or leave it unpaired. RT-12."""
    knight = st.NONE if action == st.UNPAIRED else action - st.IN_PLAY - st.LINES * seat
    on = st.NONE if knight == st.NONE else s.line[seat][knight]
    if s.moving == st.NONE:
        play_area.take_from_hand(book, s, seat, s.card)
        s.step = st.OTHER_CARDS
        play_area.put_in_play(book, s, seat, s.card, knight)
        tell(s, st.PUT_ON, seat, -1, s.card, on, knight)
    else:
        play_area.put_on(s, seat, s.moving, knight)
        s.moves[seat][s.moving] += 1
        tell(s, st.MOVED, seat, -1, s.line[seat][s.moving], on, knight, s.moving)
    s.actions[seat] += 1
    s.card = s.moving = st.NONE
    s.phase = st.RECRUIT if s.season == st.SPRING else st.CAMPAIGN
