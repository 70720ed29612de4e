"""Robin in the Hood: the beginning of a round, and the choice of active sets.

`hands.py` plays the round. While sets are chosen, the draw pile of a seat holds its active set.
"""

from quintain.engine import rng, rule, tell
from quintain.games.robin import state as st
from quintain.games.robin.hands import draw
from quintain.games.robin.state import Book, State


@rule
def begin_round(book: Book, s: State) -> None:
    """Clear the last round and ask for active sets; a seat without a choice is dealt its set. RH-8, RH-9."""
    s.round += 1
    s.phase = st.CHOOSE_SET
    s.hands = 0
    s.leader = st.NONE
    for seat in range(st.SEATS):
        gather(book, s, seat)
        s.choosing[seat] = st.ASKED
        if book.no_choice[seat] or (book.dealt and s.round == 1):
            deal_set(book, s, seat)
        if book.no_choice[seat] or book.dealt:
            s.choosing[seat] = st.READY
    begin_fighting(book, s)


@rule
def gather(book: Book, s: State, seat: int) -> None:
    """Put all cards of a seat back into its active set, and clear its stages. RH-9."""
    for held in range(s.hand_size[seat]):
        add_to_set(s, seat, s.hand[seat][held])
        s.hand[seat][held] = st.NONE
    s.hand_size[seat] = 0
    for card in range(book.cards):
        if s.shown[seat][card]:
            add_to_set(s, seat, card)
            s.shown[seat][card] = 0
    s.chosen[seat] = st.NONE
    s.lasting[seat] = st.NONE
    for stage in range(st.STAGES):
        s.stage[seat][stage] = st.NONE


@rule
def add_to_set(s: State, seat: int, card: int) -> None:
    """Add a card to the active set of a seat. RH-8."""
    s.pile[seat][s.pile_size[seat]] = card
    s.pile_size[seat] += 1


@rule
def clear_set(s: State, seat: int) -> None:
    """Empty the active set of a seat. RH-8."""
    for place in range(s.pile_size[seat]):
        s.pile[seat][place] = st.NONE
    s.pile_size[seat] = 0


@rule
def put_aside(s: State, seat: int) -> None:
    """Begin a new set of a seat, and put its set of the last round aside. RH-8."""
    for place in range(s.pile_size[seat]):
        s.last_set[seat][place] = s.pile[seat][place]
    clear_set(s, seat)


@rule
def take_last_set(book: Book, s: State, seat: int) -> None:
    """Give a seat the set that it put aside, in the place of the cards that it has taken since. RH-8."""
    clear_set(s, seat)
    for place in range(book.active + book.modifiers):
        add_to_set(s, seat, s.last_set[seat][place])


@rule
def forget_last_set(s: State, seat: int) -> None:
    """Forget the set that a seat put aside, if it did. RH-8."""
    for place in range(st.MOST_IN_SET):
        s.last_set[seat][place] = st.NONE


@rule
def deal_set(book: Book, s: State, seat: int) -> None:
    """Deal a seat a random active set from its collection. RH-4, RH-8."""
    clear_set(s, seat)
    deal_rest(book, s, seat)


@rule
def deal_rest(book: Book, s: State, seat: int) -> None:
    """Deal a seat the random cards that its active set still needs. RH-4, RH-8."""
    taken = s.pile_size[seat]
    characters = taken if taken < book.active else book.active
    draw_characters(book, s, seat, book.active - characters)
    draw_modifiers(book, s, seat, book.modifiers - (taken - characters))


@rule
def draw_characters(book: Book, s: State, seat: int, wanted: int) -> None:
    """Add a number of random characters to the set of a seat. RH-8."""
    while wanted > 0:
        card = book.usable[seat][rng.below(s.rng, book.usable_characters[seat])]
        if is_free(s, seat, card):
            add_to_set(s, seat, card)
            wanted -= 1


@rule
def draw_modifiers(book: Book, s: State, seat: int, wanted: int) -> None:
    """Add a number of random modifiers to the set of a seat. RH-8."""
    while wanted > 0:
        place = book.usable_characters[seat] + rng.below(s.rng, book.usable_modifiers[seat])
        if is_free(s, seat, book.usable[seat][place]):
            add_to_set(s, seat, book.usable[seat][place])
            wanted -= 1


@rule
def is_free(s: State, seat: int, card: int) -> bool:
    """Return whether a card is neither in the set of a seat nor played. RH-4."""
    if s.shown[seat][card]:
        return False
    for place in range(s.pile_size[seat]):
        if s.pile[seat][place] == card:
            return False
    return True


@rule
def begin_fighting(book: Book, s: State) -> None:
    """Begin the first hand of the round, if both active sets are ready: both seats draw five cards. RH-8, RH-9."""
    if s.choosing[0] != st.READY or s.choosing[1] != st.READY:
        return
    s.phase = st.FIGHT
    tell(s, st.ROUND_BEGINS, -1, -1, s.round)
    for _ in range(st.HAND):
        for seat in range(st.SEATS):
            draw(s, seat)


@rule
def legal_sets(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark how a seat may get its set, and the cards that it may take next; return their number. RH-8."""
    mask[st.KEEP] = 1 if s.round > 1 else 0
    mask[st.DEAL] = 1
    ways = 1 + mask[st.KEEP]
    if s.choosing[seat] == st.ASKED:
        mask[st.CHOOSE] = 1
        return ways + 1
    characters = book.usable_characters[seat]
    if s.pile_size[seat] < book.active:
        return ways + legal_picks(book, s, seat, mask, 0, characters, 0)
    return ways + legal_picks(book, s, seat, mask, characters, book.usable_modifiers[seat], book.active)


@rule
def legal_picks(book: Book, s: State, seat: int, mask: list[int], first: int, number: int, taken: int) -> int:
    """Mark `number` usable cards from place `first` on, except those in the set from place `taken` on. RH-8."""
    for place in range(first, first + number):
        mask[st.TAKE + book.usable[seat][place]] = 1
    for place in range(taken, s.pile_size[seat]):
        mask[st.TAKE + s.pile[seat][place]] = 0
    return number - s.pile_size[seat] + taken


@rule
def choose_set(book: Book, s: State, seat: int, action: int) -> None:
    """Keep the last set, have a set or the rest of one dealt, begin to choose one, or take a card into it. RH-8."""
    if action == st.CHOOSE:
        s.choosing[seat] = st.PICKING
        put_aside(s, seat)
        return
    if action == st.DEAL and s.choosing[seat] == st.ASKED:
        deal_set(book, s, seat)
    elif action == st.DEAL:
        deal_rest(book, s, seat)
    elif action != st.KEEP:
        add_to_set(s, seat, action - st.TAKE)
        if s.pile_size[seat] < book.active + book.modifiers:
            return
    elif s.choosing[seat] == st.PICKING:
        take_last_set(book, s, seat)
    forget_last_set(s, seat)
    s.choosing[seat] = st.READY
    tell(s, st.KEPT_SET if action == st.KEEP else st.NEW_SET, seat)
    begin_fighting(book, s)
