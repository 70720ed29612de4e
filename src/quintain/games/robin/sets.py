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
    OUT,
    PICKING,
    PILE,
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
    """Put all cards of a seat's active set together again. RH-9."""
    for card in range(book.cards):
        if s.where[seat][card] != OUT:
            s.where[seat][card] = PILE
    s.pile_size[seat] = book.active + book.modifiers if s.round > 1 else 0
    s.hand_size[seat] = 0
    s.chosen[seat] = NONE
    s.lasting[seat] = NONE
    for stage in range(STAGES):
        s.stage[seat][stage] = NONE


@rule
def deal_set(book: Book, s: State, seat: int) -> None:
    """Draw an active set at random. RH-4, RH-8."""
    s.pile_size[seat] = book.active + book.modifiers
    draw_into_set(book, s, seat, 0, book.characters, book.active)
    draw_into_set(book, s, seat, book.characters, book.cards, book.modifiers)


@rule
def draw_into_set(book: Book, s: State, seat: int, first: int, end: int, wanted: int) -> None:
    """Draw so many of the usable cards from first to end, each equally likely. RH-8."""
    left = 0
    for card in range(first, end):
        left += book.usable[seat][card]
    for card in range(first, end):
        if book.usable[seat][card]:
            if wanted > 0 and rng.below(s.rng, left) < wanted:
                s.where[seat][card] = PILE
                wanted -= 1
            else:
                s.where[seat][card] = OUT
            left -= 1


@rule
def begin_fighting(book: Book, s: State) -> None:
    """Once both active sets are there, draw the first hands. RH-8, RH-9."""
    if s.choosing[0] != READY or s.choosing[1] != READY:
        return
    s.phase = FIGHT
    tell(s, ROUND_BEGINS, -1, -1, s.round)
    for _ in range(HAND):
        for seat in range(SEATS):
            draw(book, s, seat)


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
        if book.usable[seat][card] and s.where[seat][card] == OUT:
            mask[TAKE + card] = 1
            count += 1
    return count


@rule
def choose_set(book: Book, s: State, seat: int, action: int) -> None:
    """RH-8."""
    if action == CHOOSE:
        s.choosing[seat] = PICKING
        s.pile_size[seat] = 0
        for card in range(book.cards):
            s.where[seat][card] = OUT
        return
    if action == DEAL:
        deal_set(book, s, seat)
    elif action != KEEP:
        s.where[seat][action - TAKE] = PILE
        s.pile_size[seat] += 1
        if s.pile_size[seat] < book.active + book.modifiers:
            return
    s.choosing[seat] = READY
    tell(s, KEPT_SET if action == KEEP else NEW_SET, seat)
    begin_fighting(book, s)
