"""Round Table: how cards enter and leave play, and the sums over cards in play that the state keeps.

`rules` calls `take_stock` after each move, so that capacity, costs and types are always up to date.
"""

from quintain.engine import rule, tell
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import equipment_of, note_types, titles_named, total, total_of_card
from quintain.games.round_table.state import Book, State


@rule
def put_in_play(book: Book, s: State, seat: int, line: int, bearer: int) -> int:
    """Put a card into the first free slot of its owner, and return the slot. RT-12, RT-17."""
    slot = 0
    while s.line[seat][slot] != st.NONE:
        slot += 1
    s.top[seat] = max(s.top[seat], slot + 1)
    s.line[seat][slot] = line
    s.place[seat][slot] = st.NONE
    s.quest[seat][slot] = st.NONE
    s.engaged[seat][slot] = 0
    s.moves[seat][slot] = 0
    s.types[seat][slot] = book.card[seat][line].types
    put_on(s, seat, slot, bearer)
    s.always |= book.card[seat][line].always
    return slot


@rule
def put_on(s: State, seat: int, slot: int, bearer: int) -> None:
    """Put Equipment or a Title on a Knight; for NONE, make it unpaired. RT-12."""
    s.bearer[seat][slot] = bearer
    s.puts[seat] += 1
    s.put[seat][slot] = s.puts[seat]


@rule
def take_out(book: Book, s: State, seat: int, slot: int) -> int:
    """Take a card out of play, and return its line; the cards on a Knight become unpaired. RT-13, RT-28."""
    line = s.line[seat][slot]
    if book.card[seat][line].kind == st.KNIGHT:
        for other in range(s.top[seat]):
            if st.is_on(book, s, seat, other, slot):
                put_on(s, seat, other, st.NONE)
        leave_quest(book, s, seat, slot)
    free_place(s, seat, slot)
    return line


@rule
def free_place(s: State, seat: int, slot: int) -> None:
    """Empty a slot. RT-28."""
    s.line[seat][slot] = st.NONE
    s.bearer[seat][slot] = st.NONE
    s.place[seat][slot] = st.NONE
    s.quest[seat][slot] = st.NONE
    s.engaged[seat][slot] = 0
    s.moves[seat][slot] = 0
    s.types[seat][slot] = 0
    s.due[seat][slot] = 0
    s.put[seat][slot] = 0
    s.rp[seat][slot] = 0
    while s.top[seat] > 0 and s.line[seat][s.top[seat] - 1] == st.NONE:
        s.top[seat] -= 1


@rule
def leave_quest(book: Book, s: State, seat: int, slot: int) -> None:
    """Take a Knight off its Quest, and end the Quest if no Knight is left on it. RT-19."""
    quest = s.quest[seat][slot]
    s.quest[seat][slot] = st.NONE
    if quest != st.NONE and knights_on(book, s, quest) == 0:
        owner, place = quest // st.LINES, quest % st.LINES
        line = s.line[owner][place]
        s.spent[owner][line] += 1
        free_place(s, owner, place)
        tell(s, st.QUEST_OVER, owner, -1, line)


@rule
def knights_on(book: Book, s: State, quest: int) -> int:
    """Count the Knights on a Quest. RT-19."""
    count = 0
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            if s.line[seat][slot] != st.NONE and s.quest[seat][slot] == quest:
                count += 1
    return count


@rule
def room_on(book: Book, s: State, seat: int, line: int, knight: int) -> int:
    """Return the number of cards of this kind of Equipment, or this Title, that a Knight may bear. RT-13, RT-14."""
    card = book.card[seat][line]
    bearer = s.line[seat][knight]
    if card.kind == st.EQUIPMENT:
        return st.KNIGHT_SLOTS + total(book, s, st.SLOT, card.slot, seat, bearer, knight)
    return st.LINES if total(book, s, st.PERMIT, st.SAME_TITLE, seat, bearer, knight) > 0 else 1


@rule
def count_alike(book: Book, s: State, seat: int, line: int, knight: int) -> int:
    """Count the cards of this kind of Equipment, or this Title, that a Knight bears. RT-13, RT-14."""
    card = book.card[seat][line]
    if card.kind == st.EQUIPMENT:
        return equipment_of(book, s, seat, knight, card.slot)
    return titles_named(book, s, seat, knight, card.namesake)


@rule
def take_stock(book: Book, s: State) -> None:
    """Update types, costs and capacities, and take cards off Knights that bear too many. RT-8, RT-10, RT-13, RT-32."""
    gather_always(book, s)
    came_off = 1
    while came_off > 0:
        came_off = 0
        note_types(book, s)
        for seat in range(book.seats):
            for slot in range(s.top[seat]):
                if s.bearer[seat][slot] != st.NONE and is_in_excess(book, s, seat, slot):
                    put_on(s, seat, slot, st.NONE)
                    tell(s, st.CAME_OFF, seat, -1, s.line[seat][slot])
                    came_off += 1
    reckon_costs(book, s)
    for seat in range(book.seats):
        s.capacity[seat] = total(book, s, st.CAPACITY, 0, seat, st.NONE, st.NONE)
        for step in range(st.STEPS):
            s.capacity[seat] += s.demesne[seat][step] * book.demesne_rp[step]
        s.capacity[seat] = st.within(s.capacity[seat])


@rule
def reckon_costs(book: Book, s: State) -> None:
    """Add up the allocated RP of each seat: those spent, and those of every card in play. RT-10."""
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            if s.line[seat][slot] != st.NONE:
                card = book.card[seat][s.line[seat][slot]]
                if card.kind != st.QUEST:
                    s.rp[seat][slot] = card.rp
    if s.always >> st.RP & 1:
        for owner in range(book.seats):
            for source in range(s.top[owner]):
                if s.line[owner][source] != st.NONE and book.card[owner][s.line[owner][source]].always >> st.RP & 1:
                    change_costs(book, s, owner, source)
    for seat in range(book.seats):
        s.allocated[seat] = s.spent_rp[seat]
        for slot in range(s.top[seat]):
            if s.line[seat][slot] != st.NONE and book.card[seat][s.line[seat][slot]].kind != st.QUEST:
                s.rp[seat][slot] = max(0, s.rp[seat][slot])
                s.allocated[seat] += s.rp[seat][slot]


@rule
def change_costs(book: Book, s: State, owner: int, source: int) -> None:
    """Change the RP of all cards in play by the rows of one card. RT-10, RT-33."""
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            line = s.line[seat][slot]
            if line != st.NONE and book.card[seat][line].kind != st.QUEST:
                s.rp[seat][slot] += total_of_card(book, s, st.RP, 0, owner, source, seat, line, slot)


@rule
def gather_always(book: Book, s: State) -> None:
    """Note in `always` which things the rows of cards in play do. RT-32."""
    s.always = 0
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            line = s.line[seat][slot]
            if line != st.NONE:
                s.always |= book.card[seat][line].always


@rule
def is_in_excess(book: Book, s: State, seat: int, slot: int) -> bool:
    """Return whether a card is too much for its Knight: earlier ones of its kind fill the room. RT-13, RT-14."""
    card = book.card[seat][s.line[seat][slot]]
    if (card.kind == st.EQUIPMENT or card.kind == st.TITLE) and count_alike(
        book, s, seat, s.line[seat][slot], s.bearer[seat][slot]
    ) > 1:
        earlier = 0
        for other in range(s.top[seat]):
            if st.is_on(book, s, seat, other, s.bearer[seat][slot]) and s.put[seat][other] < s.put[seat][slot]:
                like = book.card[seat][s.line[seat][other]]
                same = like.slot == card.slot if card.kind == st.EQUIPMENT else like.namesake == card.namesake
                earlier += 1 if same else 0
        return earlier >= room_on(book, s, seat, s.line[seat][slot], s.bearer[seat][slot])
    return False


@rule
def take_from_hand(book: Book, s: State, seat: int, line: int) -> None:
    """Take a copy of a card out of a hand. RT-12."""
    s.hand[seat][line] -= 1
    s.hand_size[seat] -= 1


@rule
def in_play(book: Book, s: State, seat: int, line: int) -> int:
    """Count the copies of a card in play; a Redirect whose task is still to be chosen counts, too. RT-33."""
    card = book.card[seat][line]
    if card.kind == st.DEMESNE:
        return s.demesne[seat][card.step]
    count = 1 if s.phase == st.CHOOSE_TASK and seat == s.turn and s.card == line else 0
    for slot in range(s.top[seat]):
        count += 1 if s.line[seat][slot] == line else 0
    return count


@rule
def is_copy(book: Book, s: State, seat: int, slot: int) -> bool:
    """Return whether a card in play is just like one in an earlier slot, so that menus need only that one. RT-12.

    Equal pieces on one Knight are alike even if one has moved more often: see `first_put`.
    """
    for earlier in range(slot):
        if (
            s.line[seat][earlier] == s.line[seat][slot]
            and s.bearer[seat][earlier] == s.bearer[seat][slot]
            and s.place[seat][earlier] == s.place[seat][slot]
        ):
            same = (
                s.quest[seat][earlier] == s.quest[seat][slot]
                and s.engaged[seat][earlier] == s.engaged[seat][slot]
                and (s.bearer[seat][slot] != st.NONE or s.moves[seat][earlier] == s.moves[seat][slot])
            )
            if same and not bears(book, s, seat, slot) and not bears(book, s, seat, earlier):
                return True
    return False


@rule
def first_put(s: State, seat: int, slot: int) -> int:
    """Return the slot of the card that moves if its player chooses a card in play, or NONE. RT-12.

    Of equal pieces on one Knight, the one that was put on first moves, unless it has moved twice already.
    """
    first, bearer = st.NONE, s.bearer[seat][slot]
    for other in range(s.top[seat]):
        same = bearer != st.NONE and s.line[seat][other] == s.line[seat][slot] and s.bearer[seat][other] == bearer
        if (same or other == slot) and s.moves[seat][other] < st.MOVES:  # noqa: SIM102  # a comparison apart
            if first == st.NONE or s.put[seat][other] < s.put[seat][first]:
                first = other
    return first


@rule
def bears(book: Book, s: State, seat: int, slot: int) -> bool:
    """Return whether a slot holds a Knight that bears any card. RT-13, RT-14."""
    if st.is_knight(book, s, seat, slot):
        for other in range(s.top[seat]):
            if st.is_on(book, s, seat, other, slot):
                return True
    return False
