"""Rune War: the geometry of a defence, and cards that come into it and leave it."""

from quintain.engine.compiled import rule
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import State


@rule
def free_in_row(s: State, seat: int, row: int) -> int:
    """Return the bits of the places that may be built on: those whose overlapped cards are all there. RW-3, RW-7."""
    taken = s.shape[seat][row]
    if row == 0:
        return 1 & ~taken
    below = s.shape[seat][row - 1]
    return (below | 1 << row) & (below << 1 | 1) & ~taken


@rule
def exposed_in_row(s: State, seat: int, row: int) -> int:
    """Return the bits of the cards that no card overlaps. RW-4."""
    above = s.shape[seat][row + 1] if row < st.ROWS - 1 else 0
    return s.shape[seat][row] & ~(above | above >> 1)


@rule
def is_taken(s: State, seat: int, place: int) -> bool:
    """RW-3."""
    return s.shape[seat][st.ROW_OF[place]] >> st.column_of(place) & 1 == 1


@rule
def put_card(s: State, seat: int, place: int, card: int) -> None:
    """Lay a card face down; nobody but its owner knows it. RW-2, RW-5."""
    s.defence[seat][place] = card
    s.seen[seat][place] = 0
    s.shape[seat][st.ROW_OF[place]] |= 1 << st.column_of(place)
    s.defence_size[seat] += 1
    s.lies[card] = st.DEFENCE + seat


@rule
def take_card(s: State, seat: int, place: int) -> int:
    """Lift a card from a defence, whose other cards stay where they are. RW-7."""
    card = s.defence[seat][place]
    s.defence[seat][place] = st.NONE
    s.seen[seat][place] = 0
    s.shape[seat][st.ROW_OF[place]] &= ~(1 << st.column_of(place))
    s.defence_size[seat] -= 1
    return card


@rule
def show_card(s: State, seat: int, place: int) -> None:
    """Turn a card up: everybody goes on knowing it until it leaves or is moved. RW-11."""
    s.seen[seat][place] = st.ANYBODY


@rule
def cards_in_row(s: State, seat: int, row: int) -> int:
    """RW-3."""
    bits = s.shape[seat][row]
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@rule
def mark_bits(bits: int, row: int, mask: list[int], base: int) -> int:
    """Mark the places of a row whose bits are set, and return their number. RW-3."""
    place = base + st.place_of(row, 0)
    count = 0
    while bits:
        if bits & 1:
            mask[place] = 1
            count += 1
        bits >>= 1
        place += 1
    return count


@rule
def mark_free(s: State, seat: int, mask: list[int], base: int) -> int:
    """Mark the places on which a seat may build, and return their number. RW-3."""
    count = 0
    for row in range(st.ROWS):
        count += mark_bits(free_in_row(s, seat, row), row, mask, base)
    return count


@rule
def mark_exposed(s: State, seat: int, mask: list[int], base: int) -> int:
    """Mark a seat's exposed cards, and return their number. RW-4, RW-8."""
    count = 0
    for row in range(st.ROWS):
        count += mark_bits(exposed_in_row(s, seat, row), row, mask, base)
    return count


@rule
def mark_cards(s: State, seat: int, mask: list[int], base: int) -> int:
    """Mark all places of a seat with a card, and return their number. RW-3."""
    count = 0
    for row in range(st.ROWS):
        count += mark_bits(s.shape[seat][row], row, mask, base)
    return count
