"""Defences in Rune War: which places are free, which cards are exposed, and how a card is laid and taken away.

A row of a defence is a number with one bit for each column.
"""

from quintain.engine import rule
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import State


@rule
def free_in_row(s: State, seat: int, row: int) -> int:
    """Return the bits of the free places of a row whose overlapped cards are all there. RW-3, RW-7."""
    taken = s.shape[seat][row]
    if row == 0:
        return 1 & ~taken
    below = s.shape[seat][row - 1]
    return (below | 1 << row) & (below << 1 | 1) & ~taken


@rule
def exposed_in_row(s: State, seat: int, row: int) -> int:
    """Return the bits of the cards of a row that no card overlaps. RW-4."""
    above = s.shape[seat][row + 1] if row < st.ROWS - 1 else 0
    return s.shape[seat][row] & ~(above | above >> 1)


@rule
def is_taken(s: State, seat: int, place: int) -> bool:
    """Return whether a card lies at a place. RW-3."""
    return s.shape[seat][st.ROW_OF[place]] >> st.column_of(place) & 1 == 1


@rule
def put_card(s: State, seat: int, place: int, card: int) -> None:
    """Lay a card face down at a place; only its owner knows it. RW-2, RW-5."""
    s.defence[seat][place] = card
    s.shape[seat][st.ROW_OF[place]] |= 1 << st.column_of(place)
    s.defence_size[seat] += 1
    s.lies[card] = st.DEFENCE + seat


@rule
def take_card(s: State, seat: int, place: int) -> int:
    """Remove the card at a place from a defence, and return it; all other cards stay. RW-7."""
    card = s.defence[seat][place]
    s.defence[seat][place] = st.NONE
    cover_card(s, seat, place)
    s.shape[seat][st.ROW_OF[place]] &= ~(1 << st.column_of(place))
    s.defence_size[seat] -= 1
    return card


@rule
def show_card(s: State, seat: int, place: int) -> None:
    """Show the card at a place: everybody knows it until it leaves or is moved. RW-11."""
    for viewer in range(st.VIEWERS):
        s.seen[seat][viewer][st.ROW_OF[place]] |= 1 << st.column_of(place)


@rule
def cover_card(s: State, seat: int, place: int) -> None:
    """Let nobody but the owner know the card at a place any longer. RW-21, RW-23."""
    for viewer in range(st.VIEWERS):
        s.seen[seat][viewer][st.ROW_OF[place]] &= ~(1 << st.column_of(place))


@rule
def cards_in_row(s: State, seat: int, row: int) -> int:
    """Return the number of cards in a row. RW-3."""
    bits = s.shape[seat][row]
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@rule
def mark_bits(bits: int, row: int, mask: list[int], base: int) -> int:
    """Mark the actions from `base` on for the places of a row whose bits are set; return how many. RW-3."""
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
    """Mark the places where a seat may lay a card, and return how many. RW-3."""
    count = 0
    for row in range(st.ROWS):
        count += mark_bits(free_in_row(s, seat, row), row, mask, base)
    return count


@rule
def mark_exposed(s: State, seat: int, mask: list[int], base: int) -> int:
    """Mark a seat's exposed cards, and return how many. RW-4, RW-8."""
    count = 0
    for row in range(st.ROWS):
        count += mark_bits(exposed_in_row(s, seat, row), row, mask, base)
    return count


@rule
def mark_cards(s: State, seat: int, mask: list[int], base: int) -> int:
    """Mark all defence cards of a seat, and return how many. RW-3."""
    count = 0
    for row in range(st.ROWS):
        count += mark_bits(s.shape[seat][row], row, mask, base)
    return count
