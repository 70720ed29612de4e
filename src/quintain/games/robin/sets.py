"""Robin in the Hood: the active sets, chosen between rounds, and the beginning of a round."""

from quintain.engine import rng
from quintain.engine.compiled import rule
from quintain.engine.events import tell
from quintain.games.robin.hands import draw
from quintain.games.robin.state import (
    ASKED,
    CHOOSE,
    CHOOSE_SET,
    DEAL,
    FIGHT,
    HAND,
    KEEP,
    KEPT_SET,
    NEW_SET,
    NONE,
    PICKING,
    READY,
    ROUND_BEGINS,
    SEATS,
    STAGES,
    TAKE,
    Book,
    State,
)


@rule
def begin_round(book: Book, s: State) -> None:
    """Clear the stages, and ask for active sets; who has no choice is dealt the only one there is. RH-8, RH-9."""
    s.round += 1
    s.phase = CHOOSE_SET
    s.hands = 0
    s.leader = NONE
    for seat in range(SEATS):
        gather(book, s, seat)
        s.choosing[seat] = ASKED
        if book.no_choice[seat]:
            deal_set(book, s, seat)
            s.choosing[seat] = READY
    begin_fighting(book, s)


@rule
def gather(book: Book, s: State, seat: int) -> None:
    """Put the cards of a seat's active set together again. RH-9."""
    for held in range(s.hand_size[seat]):
        add_to_set(s, seat, s.hand[seat][held])
        s.hand[seat][held] = NONE
    s.hand_size[seat] = 0
    for card in range(book.cards):
        if s.shown[seat][card]:
            add_to_set(s, seat, card)
            s.shown[seat][card] = 0
    s.chosen[seat] = NONE
    s.lasting[seat] = NONE
    for stage in range(STAGES):
        s.stage[seat][stage] = NONE


@rule
def add_to_set(s: State, seat: int, card: int) -> None:
    """RH-8."""
    s.pile[seat][s.pile_size[seat]] = card
    s.pile_size[seat] += 1


@rule
def clear_set(s: State, seat: int) -> None:
    """RH-8."""
    for place in range(s.pile_size[seat]):
        s.pile[seat][place] = NONE
    s.pile_size[seat] = 0


@rule
def deal_set(book: Book, s: State, seat: int) -> None:
    """Draw an active set at random. RH-4, RH-8."""
    clear_set(s, seat)
    draw_into_set(book, s, seat, 0, book.characters, book.active)
    draw_into_set(book, s, seat, book.characters, book.cards, book.modifiers)


@rule
def draw_into_set(book: Book, s: State, seat: int, first: int, end: int, wanted: int) -> None:
    """Draw so many of the usable cards, from first to end, that are not known to be elsewhere. RH-8."""
    left = 0
    for card in range(first, end):
        left += 1 if book.usable[seat][card] > s.shown[seat][card] else 0
    card = first
    while wanted > 0:
        if book.usable[seat][card] > s.shown[seat][card]:
            if rng.below(s.rng, left) < wanted:
                add_to_set(s, seat, card)
                wanted -= 1
            left -= 1
        card += 1


@rule
def begin_fighting(book: Book, s: State) -> None:
    """Once both active sets are there, draw the first hands. RH-8, RH-9."""
    if s.choosing[0] != READY or s.choosing[1] != READY:
        return
    s.phase = FIGHT
    tell(s, ROUND_BEGINS, -1, -1, s.round)
    for _ in range(HAND):
        for seat in range(SEATS):
            draw(s, seat)


@rule
def legal_sets(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Keep, deal or choose; then the characters, then the modifiers, one by one. RH-8."""
    if s.choosing[seat] == ASKED:
        mask[KEEP] = 1 if s.round > 1 else 0
        mask[DEAL] = 1
        mask[CHOOSE] = 1
        return 2 + mask[KEEP]
    first = 0 if s.pile_size[seat] < book.active else book.characters
    end = book.characters if s.pile_size[seat] < book.active else book.cards
    count = 0
    for card in range(first, end):
        mask[TAKE + card] = book.usable[seat][card]
        count += book.usable[seat][card]
    for place in range(s.pile_size[seat]):
        if s.pile[seat][place] >= first:
            mask[TAKE + s.pile[seat][place]] = 0
            count -= 1
    return count


@rule
def choose_set(book: Book, s: State, seat: int, action: int) -> None:
    """RH-8."""
    if action == CHOOSE:
        s.choosing[seat] = PICKING
        clear_set(s, seat)
        return
    if action == DEAL:
        deal_set(book, s, seat)
    elif action != KEEP:
        add_to_set(s, seat, action - TAKE)
        if s.pile_size[seat] < book.active + book.modifiers:
            return
    s.choosing[seat] = READY
    tell(s, KEPT_SET if action == KEEP else NEW_SET, seat)
    begin_fighting(book, s)
