"""Robin in the Hood: what is hidden from whom, and how it is dealt anew."""

from quintain.engine import rng
from quintain.engine.compiled import rule
from quintain.engine.state import UNKNOWN, Event
from quintain.games.robin.state import (
    CHOSE,
    DREW,
    FIGHT,
    HELD,
    NONE,
    OUT,
    PILE,
    SEATS,
    STAKED,
    STANDING,
    Book,
    State,
    has_chosen,
)


@rule
def blind(book: Book, s: State, seat: int) -> None:
    """Hide what a seat may not know; -1 is a spectator. RH-7, RH-8, RH-10."""
    for i in range(4):
        s.rng[i] = UNKNOWN
    if s.over:
        return
    for owner in range(SEATS):
        if owner != seat:
            blind_cards(book, s, owner)
            if has_chosen(s.staked[owner]):
                s.staked[owner] = UNKNOWN
            if s.phase == FIGHT and s.leader == NONE and has_chosen(s.chosen[owner]):
                s.chosen[owner] = UNKNOWN
    for i in range(len(s.events)):
        blind_event(s.events[i], seat)


@rule
def blind_cards(book: Book, s: State, owner: int) -> None:
    """Hide an owner's active set, hand and pile; who has no choice has a set that all know. RH-8."""
    for card in range(book.cards):
        where = s.where[owner][card]
        hidden = book.usable[owner][card] == 1 if where == OUT else PILE <= where <= HELD
        if hidden:
            s.where[owner][card] = UNKNOWN


@rule
def blind_event(event: Event, seat: int) -> None:
    """Hide the secret part of an event. RH-7, RH-9, RH-10."""
    if event.seat != seat and (event.kind == STAKED or event.kind == CHOSE or event.kind == DREW):
        event.a = UNKNOWN


@rule
def redeal(book: Book, s: State, seed: int) -> None:
    """Put in the place of all that is UNKNOWN a deal that fits what is known. RH-7, RH-8, RH-10."""
    rng.seed(s.rng, seed)
    for seat in range(SEATS):
        redeal_cards(book, s, seat)
        if s.chosen[seat] == UNKNOWN:
            s.chosen[seat] = some_held(book, s, seat)
        if s.staked[seat] == UNKNOWN:
            s.staked[seat] = some_owned(book, seat, rng.draw(s.rng))


@rule
def redeal_cards(book: Book, s: State, seat: int) -> None:
    """Deal the unknown cards of a seat: an active set of the right size, then the hand from it. RH-4, RH-8."""
    characters = 0
    modifiers = 0
    unknown = 0
    for card in range(book.cards):
        where = s.where[seat][card]
        if where == UNKNOWN:
            unknown += 1
        elif where >= STANDING:
            characters += 1 if card < book.characters else 0
            modifiers += 1 if card >= book.characters else 0
    if unknown == 0:
        return
    size = s.pile_size[seat] + s.hand_size[seat] + characters + modifiers
    wanted = size if size < book.active else book.active
    redeal_into_set(s, seat, 0, book.characters, wanted - characters)
    redeal_into_set(s, seat, book.characters, book.cards, size - wanted - modifiers)
    left = s.pile_size[seat] + s.hand_size[seat]
    to_hold = s.hand_size[seat]
    for card in range(book.cards):
        if s.where[seat][card] == PILE:
            if to_hold > 0 and rng.below(s.rng, left) < to_hold:
                s.where[seat][card] = HELD
                to_hold -= 1
            left -= 1


@rule
def redeal_into_set(s: State, seat: int, first: int, end: int, wanted: int) -> None:
    """Take so many of the unknown cards from first to end into the set, each equally likely. RH-8."""
    left = 0
    for card in range(first, end):
        left += 1 if s.where[seat][card] == UNKNOWN else 0
    for card in range(first, end):
        if s.where[seat][card] == UNKNOWN:
            if wanted > 0 and rng.below(s.rng, left) < wanted:
                s.where[seat][card] = PILE
                wanted -= 1
            else:
                s.where[seat][card] = OUT
            left -= 1


@rule
def some_held(book: Book, s: State, seat: int) -> int:
    """Return a card of a hand at random. RH-10."""
    left = rng.below(s.rng, s.hand_size[seat])
    for card in range(book.cards):
        if s.where[seat][card] == HELD:
            if left == 0:
                return card
            left -= 1
    return NONE


@rule
def some_owned(book: Book, seat: int, number: int) -> int:
    """Return a card of a collection, by any number from 0 on. RH-7."""
    owned = 0
    for card in range(book.cards):
        owned += book.owned[seat][card]
    left = number % owned
    for card in range(book.cards):
        if book.owned[seat][card]:
            if left == 0:
                return card
            left -= 1
    return NONE
