"""The secrets of Rune War: `hide` covers what a viewer may not know, and `redeal` fills the gaps at random.

The secrets are the deck, and the hands and face-down defence cards of others, apart from cards that a viewer has seen.
While the first defences are built, their sizes and shapes are secret, too.
"""

from quintain.engine import UNKNOWN, rng, rule
from quintain.games.rune_war import state as st
from quintain.games.rune_war.shape import free_in_row
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.turns import nth_lying


@rule
def hide(book: Book, s: State, seat: int) -> None:
    """Put UNKNOWN over all that a seat (-1: a spectator) may not know. RW-2, RW-23."""
    for owner in range(book.seats):
        if owner != seat:
            if s.phase == st.BUILD:
                blind_building(s, owner)
            else:
                blind_defence(s, owner, seat)
            if s.chosen[owner] != st.NONE:
                s.chosen[owner] = UNKNOWN
    for card in range(book.cards):
        blind_card(s, card, seat)


@rule
def blind_building(s: State, owner: int) -> None:
    """Hide the size and shape of the owner's first defence, which is being built. RW-2, RW-23."""
    s.hand_size[owner] = UNKNOWN
    s.defence_size[owner] = UNKNOWN
    s.chosen[owner] = UNKNOWN
    for row in range(st.ROWS):
        s.shape[owner][row] = UNKNOWN
    for place in range(st.PLACES):
        s.defence[owner][place] = UNKNOWN


@rule
def blind_defence(s: State, owner: int, seat: int) -> None:
    """Hide the owner's defence cards from a seat, except those that it has seen. RW-11, RW-23."""
    viewer = seat if seat != st.NONE else st.SPECTATORS
    for row in range(st.ROWS):
        if s.shape[owner][row]:
            for place in range(st.place_of(row, 0), st.place_of(row + 1, 0)):
                card = s.defence[owner][place]
                if card >= 0 and not st.has_seen(s, viewer, owner, place):
                    s.defence[owner][place] = UNKNOWN
                    s.lies[card] = UNKNOWN


@rule
def blind_card(s: State, card: int, seat: int) -> None:
    """Hide from a seat where a card lies, and who knows it, unless the seat knows that itself. RW-2, RW-23."""
    where = s.lies[card]
    if where >= st.HAND and where != st.HAND + seat:
        if not known_in_hand(s, card, seat):
            where = UNKNOWN
        elif seat != st.NONE and s.known[card][seat] == st.PRIVATELY:
            for other in range(st.SEATS):
                if other != seat:
                    s.known[card][other] = UNKNOWN
    elif where == st.DECK or (
        s.phase == st.BUILD and where >= st.DEFENCE and where < st.HAND and where != st.DEFENCE + seat
    ):
        where = UNKNOWN
    if where == UNKNOWN:
        s.lies[card] = UNKNOWN
        for other in range(st.SEATS):
            s.known[card][other] = UNKNOWN


@rule
def known_in_hand(s: State, card: int, seat: int) -> bool:
    """Return whether a seat knows a card in another's hand; a spectator knows what everybody knows. RW-23."""
    if seat == st.NONE:
        return s.known[card][0] == st.OPENLY
    return s.known[card][seat] > 0


@rule
def redeal(book: Book, s: State) -> None:
    """Replace every UNKNOWN at random, so that the state fits all that is known. RW-2, RW-23."""
    unknown = 0
    for card in range(book.cards):
        unknown += 1 if s.lies[card] == UNKNOWN else 0
        for seat in range(st.SEATS):
            if s.known[card][seat] == UNKNOWN:
                s.known[card][seat] = 0
    for seat in range(book.seats):
        if s.hand_size[seat] == UNKNOWN:
            rebuild(book, s, seat)
        unknown = redeal_seat(s, seat, unknown)
    for card in range(book.cards):
        if s.lies[card] == UNKNOWN:
            s.lies[card] = st.DECK
    for seat in range(book.seats):
        if s.chosen[seat] == UNKNOWN:
            s.chosen[seat] = nth_lying(s, st.HAND + seat, rng.below(s.rng, s.hand_size[seat]))


@rule
def redeal_seat(s: State, seat: int, unknown: int) -> int:
    """Deal random cards to a seat's unknown places and hand; return how many unknown cards are left. RW-23."""
    for row in range(st.ROWS):
        if s.shape[seat][row]:
            for place in range(st.place_of(row, 0), st.place_of(row + 1, 0)):
                if s.defence[seat][place] == UNKNOWN:
                    card = nth_lying(s, UNKNOWN, rng.below(s.rng, unknown))
                    s.defence[seat][place] = card
                    s.lies[card] = st.DEFENCE + seat
                    unknown -= 1
    missing = s.hand_size[seat]
    for card in range(st.CARDS):
        missing -= 1 if s.lies[card] == st.HAND + seat else 0
    for _ in range(missing):
        s.lies[nth_lying(s, UNKNOWN, rng.below(s.rng, unknown))] = st.HAND + seat
        unknown -= 1
    return unknown


@rule
def rebuild(book: Book, s: State, seat: int) -> None:
    """Build a random shape for a seat that has finished its first defence; an empty one for the others. RW-2, RW-3."""
    for row in range(st.ROWS):
        s.shape[seat][row] = 0
    for place in range(st.PLACES):
        s.defence[seat][place] = st.NONE
    s.chosen[seat] = st.NONE
    s.defence_size[seat] = 1 + rng.below(s.rng, book.dealt) if s.built[seat] else 0
    s.hand_size[seat] = book.dealt - s.defence_size[seat]
    for _ in range(s.defence_size[seat]):
        place = some_free_place(s, seat)
        s.defence[seat][place] = UNKNOWN
        s.shape[seat][st.ROW_OF[place]] |= 1 << st.column_of(place)


@rule
def some_free_place(s: State, seat: int) -> int:
    """Return a random free place of a defence. RW-3."""
    found = st.NONE
    count = 0
    for row in range(st.MOST_DEALT):
        bits = free_in_row(s, seat, row)
        for column in range(row + 1):
            if bits >> column & 1:
                count += 1
                if rng.below(s.rng, count) == 0:
                    found = st.place_of(row, column)
    return found
