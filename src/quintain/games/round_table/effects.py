"""Round Table: the effect rows that work while their cards are in play.

Every rule that a card may change calls `total` here for the number or permission that rows add. Rows that work at a
moment are in `triggers`, which uses `concerns` and `holds`, too.
"""

from quintain.engine import rule
from quintain.games.round_table import state as st
from quintain.games.round_table.state import Book, Row, State


@rule
def total(book: Book, s: State, what: int, detail: int, seat: int, line: int, slot: int) -> int:
    """Add up the amounts of all rows in play that do `what` to one target. RT-32, RT-33.

    The target is a card in play of a seat, given by `slot` and `line`; a card that is not in play, by `line`, with NONE
    for `slot`; or the player, with NONE for both.
    """
    amount = 0
    if s.always >> what & 1:
        for owner in range(book.seats):
            for source in range(s.top[owner]):
                if s.line[owner][source] != st.NONE and book.card[owner][s.line[owner][source]].always >> what & 1:
                    amount += total_of_card(book, s, what, detail, owner, source, seat, line, slot)
    return amount


@rule
def total_of_card(
    book: Book, s: State, what: int, detail: int, owner: int, source: int, seat: int, line: int, slot: int
) -> int:
    """Add up the amounts of one card's rows for a target; 0 for unpaired Equipment. RT-13, RT-33."""
    card = book.card[owner][s.line[owner][source]]
    bearer_seat, bearer = owner, source
    if card.kind == st.EQUIPMENT or card.kind == st.TITLE:
        bearer = s.bearer[owner][source]
    elif card.kind == st.QUEST:
        bearer = st.NONE
        if slot != st.NONE and s.quest[seat][slot] == st.LINES * owner + source:
            bearer_seat, bearer = seat, slot
    if card.kind == st.EQUIPMENT and bearer == st.NONE:
        return 0
    amount = 0
    for i in range(card.rows_used):
        row = card.row[i]
        if row.when == st.ALWAYS and row.what == what and row.detail == detail:  # noqa: SIM102  # a call apart
            if concerns(book, s, row, owner, bearer_seat, bearer, seat, line, slot) and holds(
                book, s, row.condition, row.condition_value, owner, bearer_seat, bearer
            ):
                amount += row.amount
    return amount


@rule
def concerns(
    book: Book, s: State, row: Row, owner: int, bearer_seat: int, bearer: int, seat: int, line: int, slot: int
) -> bool:
    """Return whether a row concerns a target; the bearer of its card is a Knight or NONE. RT-33."""
    return (
        reaches(row, owner, bearer_seat, bearer, seat, line, slot)
        and (row.here == 0 or are_together(s, bearer_seat, bearer, seat, slot))
        and fits(book, s, row.which, row.which_value, seat, line, slot)
    )


@rule
def reaches(row: Row, owner: int, bearer_seat: int, bearer: int, seat: int, line: int, slot: int) -> bool:
    """Return whether the `whom` of a row includes a target; *bearer* includes the bearer's player. RT-33."""
    whom = row.whom
    if whom == st.YOU or whom == st.OPPONENTS:
        return line == st.NONE and (seat == owner) == (whom == st.YOU)
    if line == st.NONE:
        return whom == st.BEARER and bearer != st.NONE and seat == bearer_seat
    is_bearer = bearer != st.NONE and slot == bearer and seat == bearer_seat
    if whom == st.BEARER:
        return is_bearer
    return (seat != owner) == (whom == st.OPPOSING) and not (whom == st.OTHERS and is_bearer)


@rule
def are_together(s: State, seat: int, slot: int, other_seat: int, other: int) -> bool:
    """Return whether two Knights attack the same Region. RT-33."""
    if slot == st.NONE or other == st.NONE:
        return False
    place = s.place[seat][slot]
    return place != st.NONE and place == s.place[other_seat][other]


@rule
def fits(book: Book, s: State, which: int, value: int, seat: int, line: int, slot: int) -> bool:
    """Return whether a target has the type, name, Title, Equipment or kind that a row names. RT-33."""
    if line == st.NONE:
        return True
    card = book.card[seat][line]
    if which == st.BY_KIND:
        return card.kind == value
    if card.kind != st.KNIGHT:
        return False
    if which == st.BY_TYPE:
        return types_of(book, s, seat, line, slot) & value == value
    if which == st.BY_NAME:
        return card.namesake == value
    if which == st.BY_TITLE:
        return slot != st.NONE and titles_named(book, s, seat, slot, value) > 0
    if which == st.BY_EQUIPMENT:
        return slot != st.NONE and equipment_of(book, s, seat, slot, value) > 0
    return True


@rule
def types_of(book: Book, s: State, seat: int, line: int, slot: int) -> int:
    """Return the types of a Knight as bits: in play those of `note_types`, else the printed ones. RT-25, RT-33."""
    return book.card[seat][line].types if slot == st.NONE else s.types[seat][slot]


@rule
def note_types(book: Book, s: State) -> None:
    """Note the types of each Knight in play: the printed ones, and those that the cards on it give. RT-25, RT-33.

    The condition of a row may depend on a type that another row gives, so rows are checked until none gives a new type.
    """
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            line = s.line[seat][slot]
            s.types[seat][slot] = 0 if line == st.NONE else book.card[seat][line].types
        for slot in range(s.top[seat]):
            line = s.line[seat][slot]
            if line != st.NONE and book.card[seat][line].grants and s.bearer[seat][slot] != st.NONE:
                s.types[seat][s.bearer[seat][slot]] |= book.card[seat][line].grants
    while s.always >> st.SUBTYPE & 1 and give_types(book, s):
        pass


@rule
def give_types(book: Book, s: State) -> bool:
    """Give Knights the types of rows whose conditions hold, and return whether any type was new. RT-33."""
    is_new = False
    for seat in range(book.seats):
        for source in range(s.top[seat]):
            line, bearer = s.line[seat][source], s.bearer[seat][source]
            if line != st.NONE and bearer != st.NONE and book.card[seat][line].always >> st.SUBTYPE & 1:
                card = book.card[seat][line]
                for i in range(card.rows_used):
                    row = card.row[i]
                    new = row.what == st.SUBTYPE and s.types[seat][bearer] & row.detail == 0
                    if new and holds(book, s, row.condition, row.condition_value, seat, seat, bearer):
                        s.types[seat][bearer] |= row.detail | (st.ROUND_TABLE if row.detail == st.GRAIL else 0)
                        is_new = True
    return is_new


@rule
def titles_named(book: Book, s: State, seat: int, slot: int, name: int) -> int:
    """Count the Titles of a name on a Knight, or all its Titles for NONE. RT-14."""
    count = 0
    for other in range(s.top[seat]):
        if st.is_on(book, s, seat, other, slot):
            card = book.card[seat][s.line[seat][other]]
            if card.kind == st.TITLE and (name == st.NONE or card.namesake == name):
                count += 1
    return count


@rule
def equipment_of(book: Book, s: State, seat: int, slot: int, kind: int) -> int:
    """Count the pieces of Equipment of a kind on a Knight. RT-13."""
    count = 0
    for other in range(s.top[seat]):
        if st.is_on(book, s, seat, other, slot) and book.card[seat][s.line[seat][other]].slot == kind:
            count += 1
    return count


@rule
def holds(book: Book, s: State, condition: int, value: int, owner: int, bearer_seat: int, bearer: int) -> bool:
    """Return whether the condition of a row of an owner's card holds. RT-33."""
    if condition == st.IF_ANY:
        return True
    if condition == st.IF_ACTIVE:
        return s.active == owner
    if condition == st.IF_BEHIND:
        return is_behind(book, s, owner)
    if condition == st.IF_KNIGHT:
        return has_knight(book, s, owner, value, bearer if bearer_seat == owner else st.NONE)
    if bearer == st.NONE:
        return False
    if condition == st.IF_IS:
        return s.types[bearer_seat][bearer] & value == value
    if condition == st.IF_TITLED:
        return titles_named(book, s, bearer_seat, bearer, st.NONE) > 0
    if condition == st.IF_EQUIPPED:
        return equipment_of(book, s, bearer_seat, bearer, value) > 0
    place = s.place[bearer_seat][bearer]
    if place == st.NONE:
        return False
    if condition == st.IF_RENOWN:
        return book.region[s.region[s.open[place]]].renown >= value
    if condition == st.IF_BESIDE:
        itself = 1 if book.card[bearer_seat][s.line[bearer_seat][bearer]].namesake == value else 0
        return knights_at(book, s, bearer_seat, place, value) > itself
    own = knights_at(book, s, bearer_seat, place, st.NONE)
    if condition == st.IF_ALONE:
        return own == 1
    return all_knights_at(book, s, place) > own


@rule
def has_knight(book: Book, s: State, seat: int, types: int, excluded: int) -> bool:
    """Return whether a seat has a Knight of a type in play, except in the excluded slot. RT-33."""
    for slot in range(s.top[seat]):
        if slot != excluded and st.is_knight(book, s, seat, slot) and s.types[seat][slot] & types == types:
            return True
    return False


@rule
def knights_at(book: Book, s: State, seat: int, place: int, name: int) -> int:
    """Count the Knights of a seat that attack an open Region: those of a name, or all for NONE. RT-16."""
    count = 0
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot) and s.place[seat][slot] == place:
            count += 1 if name == st.NONE or book.card[seat][s.line[seat][slot]].namesake == name else 0
    return count


@rule
def all_knights_at(book: Book, s: State, place: int) -> int:
    """Count the Knights of all seats that attack an open Region. RT-16."""
    count = 0
    for seat in range(book.seats):
        count += knights_at(book, s, seat, place, st.NONE)
    return count


@rule
def renown_of(book: Book, s: State, seat: int) -> int:
    """Return the Renown of the Regions that a seat has captured. RT-24."""
    renown = 0
    for i in range(book.regions):
        if s.captor[i] == seat:
            renown += book.region[s.region[i]].renown
    return renown


@rule
def is_behind(book: Book, s: State, seat: int) -> bool:
    """Return whether another seat has captured more Renown. RT-33."""
    own = renown_of(book, s, seat)
    for other in range(book.seats):
        if renown_of(book, s, other) > own:
            return True
    return False


@rule
def strength(book: Book, s: State, what: int, seat: int, slot: int) -> int:
    """Return the Influence or Resistance of a Knight now, with cards, types, Leaders and rows. RT-25, RT-34."""
    line, place = s.line[seat][slot], s.place[seat][slot]
    card = book.card[seat][line]
    value = card.influence if what == st.INFLUENCE else card.resistance
    subtype = st.ROUND_TABLE if what == st.INFLUENCE else st.GRAIL
    own_types = s.types[seat][slot]
    for other in range(s.top[seat]):
        if st.is_on(book, s, seat, other, slot):
            attached = book.card[seat][s.line[seat][other]]
            value += attached.influence if what == st.INFLUENCE else attached.resistance
        elif place != st.NONE and other != slot and st.is_knight(book, s, seat, other):
            value += 1 if s.types[seat][other] & st.LEADER else 0
            value += 1 if s.place[seat][other] == place and own_types & s.types[seat][other] & subtype else 0
    return value + total(book, s, what, 0, seat, line, slot)


@rule
def cost(book: Book, s: State, seat: int, line: int) -> int:
    """Return the RP that a card of a hand costs, after effects. RT-10."""
    return max(0, book.card[seat][line].rp + total(book, s, st.RP, 0, seat, line, st.NONE))
