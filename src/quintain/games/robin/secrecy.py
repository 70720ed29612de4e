"""Robin in the Hood: hides from a seat what it may not know, and guesses a possible position for search.

The secrets are active sets, hands, draw piles, stakes, and a card that is chosen while the opponent still chooses.
"""

from quintain.engine import UNKNOWN, rng, rule
from quintain.games.robin import state as st
from quintain.games.robin.hands import draw
from quintain.games.robin.sets import deal_set, draw_characters, draw_modifiers, put_aside
from quintain.games.robin.state import Book, State


@rule
def hide(book: Book, s: State, seat: int) -> None:
    """Hide what a seat, or a spectator (-1), may not know. RH-7, RH-8, RH-10."""
    for owner in range(st.SEATS):
        if owner != seat:
            blind_cards(s, owner)
            if st.has_chosen(s.staked[owner]):
                s.staked[owner] = UNKNOWN
            if s.phase == st.FIGHT and s.leader == st.NONE and st.has_chosen(s.chosen[owner]):
                s.chosen[owner] = UNKNOWN


@rule
def blind_cards(s: State, owner: int) -> None:
    """Hide the hand and the draw pile, or the active set, of a seat. RH-8."""
    for place in range(s.hand_size[owner]):
        s.hand[owner][place] = UNKNOWN
    for place in range(s.pile_size[owner]):
        s.pile[owner][place] = UNKNOWN
    for place in range(st.MOST_IN_SET):
        if s.last_set[owner][place] != st.NONE:
            s.last_set[owner][place] = UNKNOWN


@rule
def redeal(book: Book, s: State) -> None:
    """Replace all that is UNKNOWN by random cards that fit what is known. RH-7, RH-8, RH-10."""
    for seat in range(st.SEATS):
        redeal_last_set(book, s, seat)
        redeal_cards(book, s, seat)
        if s.chosen[seat] == UNKNOWN:
            s.chosen[seat] = s.hand[seat][rng.below(s.rng, s.hand_size[seat])]
        if s.staked[seat] == UNKNOWN:
            s.staked[seat] = nth_owned(book, seat, rng.draw(s.rng))


@rule
def redeal_last_set(book: Book, s: State, seat: int) -> None:
    """Deal the unknown set that a seat has put aside; what is known of its new set, its size, stays. RH-8."""
    if s.last_set[seat][0] != UNKNOWN:
        return
    taken = s.pile_size[seat]
    deal_set(book, s, seat)
    put_aside(s, seat)
    for place in range(taken):
        s.pile[seat][place] = UNKNOWN
    s.pile_size[seat] = taken


@rule
def redeal_cards(book: Book, s: State, seat: int) -> None:
    """Deal the unknown cards of a seat: an active set of the right size, then the hand from it. RH-4, RH-8."""
    held = s.hand_size[seat]
    unknown = s.pile_size[seat] + held
    if s.pile[seat][0] != UNKNOWN and s.hand[seat][0] != UNKNOWN:
        return
    characters = 0
    modifiers = 0
    for card in range(book.cards):
        characters += s.shown[seat][card] if card < book.characters else 0
        modifiers += s.shown[seat][card] if card >= book.characters else 0
    size = unknown + characters + modifiers
    wanted = size if size < book.active else book.active
    s.pile_size[seat] = 0
    s.hand_size[seat] = 0
    draw_characters(book, s, seat, wanted - characters)
    draw_modifiers(book, s, seat, size - wanted - modifiers)
    for _ in range(held):
        draw(s, seat)


@rule
def nth_owned(book: Book, seat: int, number: int) -> int:
    """Return a card of a collection, chosen by any number from 0 on. RH-7."""
    owned = 0
    for card in range(book.cards):
        owned += book.owned[seat][card]
    left = number % owned
    for card in range(book.cards):
        if book.owned[seat][card]:
            if left == 0:
                return card
            left -= 1
    return st.NONE
