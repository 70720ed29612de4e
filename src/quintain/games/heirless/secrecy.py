"""Heirless battles: hides from a seat what it may not know, and guesses a possible position for search.

The secrets are where others send their Knights during the muster, and which cards they have placed face down.
"""

from quintain.engine import UNKNOWN, rng, rule
from quintain.games.heirless import state as st
from quintain.games.heirless.battlecards import drawn_card, hand_to_place, rest_of_hand
from quintain.games.heirless.state import Book, State


@rule
def hide(book: Book, s: State, seat: int) -> None:
    """Hide where others send their Knights, and which cards they place, until all have done so. HB-6, HB-22."""
    for other in range(book.seats):
        if other != seat:
            if s.phase == st.MUSTER:
                for tile in range(st.TILES):
                    s.host[other][tile] = UNKNOWN
            elif s.phase == st.PLACE and s.force[other] > 0:
                s.attack[other] = UNKNOWN
                s.defence[other] = UNKNOWN


@rule
def redeal(book: Book, s: State) -> None:
    """Replace unknown Knights and cards by random ones; a seat that is not ready yet begins anew. HB-6, HB-22."""
    for seat in range(book.seats):
        ready = not s.waiting >> seat & 1
        if s.host[seat][0] == UNKNOWN:
            for tile in range(st.TILES):
                s.host[seat][tile] = 0
            if ready:
                for _ in range(book.knights):
                    s.host[seat][rng.below(s.rng, st.CASTLE + book.seats)] += 1
        if s.attack[seat] == UNKNOWN:
            s.attack[seat] = st.NONE
            s.defence[seat] = st.NONE
            if ready:
                redeal_cards(book, s, seat)


@rule
def redeal_cards(book: Book, s: State, seat: int) -> None:
    """Place two random cards that the hand of a seat allows. HB-6, HB-7."""
    first = drawn_card(s, hand_to_place(book, s, seat))
    second = drawn_card(s, rest_of_hand(book, s, seat, first))
    turned = rng.below(s.rng, 2)
    s.attack[seat] = second if turned else first
    s.defence[seat] = first if turned else second
