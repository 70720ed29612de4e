"""The secrets of King's Court: `hide` covers what a viewer may not know, and `redeal` fills the gaps at random.

The secrets are the order of the deck, hands apart from gifts, and counters apart from those looked at.
"""

from quintain.engine import UNKNOWN, rng, rule
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book, State


@rule
def hide(book: Book, s: State, seat: int) -> None:
    """Put UNKNOWN over all that a seat (-1: a spectator) may not know. KC-4, KC-5, KC-8, KC-10."""
    for i in range(s.deck_size):
        s.deck[i] = UNKNOWN
    for owner in range(st.SEATS):
        if owner != seat:
            blind_hand(book, s, owner, seat)
            blind_counters(s, owner, seat)
    if seat == st.NONE:
        s.last_gift = UNKNOWN


@rule
def blind_hand(book: Book, s: State, owner: int, seat: int) -> None:
    """Hide the owner's cards from a seat, except those that the seat gave the owner. KC-1, KC-8."""
    hand = s.hand[owner]
    if seat == st.NONE:
        for card in range(st.CARDS):
            hand[card] = UNKNOWN
            s.given[card] = UNKNOWN
    else:
        for card in range(st.CARDS):
            if s.given[card] == 0:
                hand[card] = UNKNOWN
    if st.is_small(book):
        for card in range(st.CARDS):
            if not st.in_game(book, card):
                hand[card] = 0
                s.given[card] = 0


@rule
def blind_counters(s: State, owner: int, seat: int) -> None:
    """Hide the owner's counters from a seat, except those that it saw after the last switch. KC-4, KC-10."""
    for house in range(st.HOUSES):
        known = seat != st.NONE and s.seen[seat][house] != st.NONE and s.outdated[seat][house] == 0
        if s.counter[owner][house] != st.NONE and not known:
            s.counter[owner][house] = UNKNOWN
        if seat == st.NONE and s.seen[owner][house] != st.NONE:
            s.seen[owner][house] = UNKNOWN


@rule
def redeal(book: Book, s: State) -> None:
    """Replace every UNKNOWN at random, so that the state fits all that is known. KC-8, KC-10."""
    redeal_cards(s)
    for seat in range(st.SEATS):
        redeal_counters(book, s, seat)
    for seat in range(st.SEATS):
        for house in range(st.HOUSES):
            if s.seen[seat][house] == UNKNOWN:
                current = s.counter[1 - seat][house]
                s.seen[seat][house] = any_counter(book, s) if s.outdated[seat][house] else current


@rule
def any_counter(book: Book, s: State) -> int:
    """Return a random counter of those in the game. KC-1."""
    left = rng.below(s.rng, book.houses)
    counter = 0
    while left > 0 or not book.counters[counter]:
        left -= book.counters[counter]
        counter += 1
    return counter


@rule
def redeal_cards(s: State) -> None:
    """Deal the unknown cards at random to hands and deck, whose sizes are known. KC-8."""
    for i in range(s.plays_made):
        s.hand[0][s.played[i]] = 0
        s.hand[1][s.played[i]] = 0
    missing_0 = s.hand_size[0]
    missing_1 = s.hand_size[1]
    for card in range(st.CARDS):
        missing_0 -= 1 if s.hand[0][card] == 1 else 0
        missing_1 -= 1 if s.hand[1][card] == 1 else 0
        if s.given[card] == UNKNOWN:
            s.given[card] = 0
    unknown = missing_0 + missing_1 + s.deck_size
    in_deck = 0
    for card in range(st.CARDS):
        open_0 = s.hand[0][card] == UNKNOWN
        open_1 = s.hand[1][card] == UNKNOWN
        held = s.hand[0][card] == 1 or s.hand[1][card] == 1
        if open_0:
            s.hand[0][card] = 0
        if open_1:
            s.hand[1][card] = 0
        if (open_0 or open_1) and not held:
            slot = rng.below(s.rng, unknown)
            unknown -= 1
            if slot < missing_0:
                s.hand[0][card] = 1
                missing_0 -= 1
            elif slot < missing_0 + missing_1:
                s.hand[1][card] = 1
                missing_1 -= 1
            else:
                s.deck[in_deck] = card
                in_deck += 1
    if s.last_gift == UNKNOWN:
        redeal_last_gift(s)


@rule
def redeal_last_gift(s: State) -> None:
    """Pick a card of the hand that received the last gift to be that gift. KC-6."""
    s.last_gift = st.NONE
    if gift_made(s):
        left = rng.below(s.rng, s.hand_size[s.turn])
        for card in range(st.CARDS):
            if s.hand[s.turn][card]:
                if left == 0:
                    s.last_gift = card
                    s.given[card] = 1
                left -= 1


@rule
def redeal_counters(book: Book, s: State, seat: int) -> None:
    """Put the seat's unused counters at random on the houses whose counter is unknown. KC-4."""
    free = book.houses
    for house in range(st.HOUSES):
        free -= 1 if s.counter[seat][house] >= 0 else 0
    for house in range(st.HOUSES):
        if s.counter[seat][house] == UNKNOWN:
            left = rng.below(s.rng, free)
            counter = 0
            while left > 0 or not is_free(book, s, seat, counter):
                left -= 1 if is_free(book, s, seat, counter) else 0
                counter += 1
            s.counter[seat][house] = counter
            free -= 1


@rule
def is_free(book: Book, s: State, seat: int, counter: int) -> bool:
    """Return whether a counter is in the game, and the seat has put it on no house. KC-1, KC-4."""
    for house in range(st.HOUSES):
        if s.counter[seat][house] == counter:
            return False
    return book.counters[counter] == 1


@rule
def gift_made(s: State) -> bool:
    """Return whether the first gift of the game has been made. KC-6."""
    return s.plays_made > 1 or (s.plays_made == 1 and s.turn != s.first)
