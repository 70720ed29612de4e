"""Rune War: the rules, in the order in which the game is played."""

from quintain.engine import rng
from quintain.engine.compiled import rule
from quintain.engine.events import B, tell
from quintain.games.rune_war.battle import (
    attack,
    contend,
    join_suits,
    joiner,
    legal_further,
    legal_response,
    legal_support,
    stop,
)
from quintain.games.rune_war.runes import answer, invoke, legal_field_runes, legal_question
from quintain.games.rune_war.secrecy import hide, redeal
from quintain.games.rune_war.shape import mark_exposed, mark_free, put_card
from quintain.games.rune_war.state import (
    ACTIONS,
    AIM,
    AIM_AT,
    AT,
    ATTACK,
    BUILD,
    BUILT,
    CARDS,
    DECK,
    DEFENCE,
    DONE,
    FURTHER,
    HAND,
    JOIN,
    JOIN_SUITS,
    LAID,
    LAY,
    LAY_AT,
    NONE,
    PAIRS,
    PLACES,
    PLAY,
    RESPOND,
    SEATS,
    STARTS,
    STOP,
    SUPPORT,
    TURN,
    Book,
    State,
    is_at,
)
from quintain.games.rune_war.turns import draw, end_turn, out_of_hand, outcome

__all__ = ["ACTIONS", "Book", "State", "deal", "hide", "legal", "outcome", "play", "redeal", "to_act"]


@rule
def deal(book: Book, s: State) -> None:
    """Set up a state of zeros up to the building of the defences. RW-1, RW-2."""
    for card in range(CARDS):
        s.lies[card] = DECK if card < book.cards else NONE
    s.deck_size = book.cards
    for seat in range(SEATS):
        s.chosen[seat] = NONE
        for place in range(PLACES):
            s.defence[seat][place] = NONE
    for _ in range(book.dealt):
        for seat in range(book.seats):
            draw(s, seat)
    s.target = NONE
    s.attacker = NONE
    s.defender = NONE
    s.row = NONE
    s.rune[0] = NONE
    s.rune[1] = NONE
    s.joined = NONE
    s.field_rune = NONE
    s.first = rng.below(s.rng, book.seats)
    s.turn = s.first
    tell(s, STARTS, s.first)


@rule
def to_act(book: Book, s: State) -> int:
    """RW-2, RW-5, RW-9."""
    if s.phase == BUILD:
        bits = 0
        for seat in range(book.seats):
            bits |= 1 << seat if s.built[seat] == 0 else 0
        return bits
    if s.phase == SUPPORT or (s.phase == JOIN_SUITS and joiner(s) == s.defender):
        return 1 << s.defender
    return 1 << s.turn


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat and return their number. RW-2, RW-5, RW-9, RW-12, RW-20."""
    if s.phase == TURN:
        return legal_turn(book, s, seat, mask)
    if s.phase == LAY_AT or (s.phase == BUILD and s.chosen[seat] != NONE):
        return mark_free(s, seat, mask, AT)
    if s.phase == AIM:
        return legal_aims(book, s, seat, mask)
    if s.phase == SUPPORT:
        return legal_support(s, seat, mask)
    if s.phase == RESPOND:
        return legal_response(s, seat, mask)
    if s.phase == FURTHER:
        return legal_further(s, mask)
    if s.phase == BUILD:
        return legal_building(s, seat, mask)
    if s.phase == JOIN_SUITS:
        for pair in range(len(PAIRS)):
            mask[JOIN + pair] = 1
        return len(PAIRS)
    return legal_question(book, s, seat, mask)


@rule
def legal_building(s: State, seat: int, mask: list[int]) -> int:
    """Lay any card of the hand; a defence with its root may be left as it is. RW-2."""
    for card in range(CARDS):
        mask[LAY + card] = 1 if is_at(s, card, HAND + seat) else 0
    if s.defence_size[seat] == 0:
        return s.hand_size[seat]
    mask[DONE] = 1
    return s.hand_size[seat] + 1


@rule
def legal_turn(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Lay a card, attack with one, or play a rune of the field. RW-5."""
    for card in range(CARDS):
        held = 1 if is_at(s, card, HAND + seat) else 0
        mask[LAY + card] = held
        mask[ATTACK + card] = held
    return 2 * s.hand_size[seat] + legal_field_runes(book, s, seat, mask)


@rule
def legal_aims(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Any exposed card of any opponent. RW-8."""
    count = 0
    for other in range(book.seats):
        if other != seat:
            count += mark_exposed(s, other, mask, AIM_AT + PLACES * other)
    return count


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action, and go on to the next turn if it was the last of this one. RW-2, RW-5, RW-9, RW-12."""
    done = False
    if s.phase == BUILD:
        done = build(book, s, seat, action)
    elif s.phase == TURN:
        done = begin_action(s, seat, action)
    elif s.phase == LAY_AT:
        tell(s, LAID, seat, -1, action - AT, s.chosen[seat], secret=B)
        lay(s, seat, action - AT)
        done = True
    elif s.phase == SUPPORT or s.phase == RESPOND:
        done = contend(book, s, seat, action)
    elif action == STOP:
        stop(s, seat)
        done = True
    elif s.phase == AIM or s.phase == FURTHER:
        attack(book, s, seat, action - AIM_AT)
    elif s.phase == JOIN_SUITS:
        join_suits(s, seat, action - JOIN)
    else:
        done = answer(s, seat, action)
    if done and s.over == 0:
        end_turn(book, s)


@rule
def build(book: Book, s: State, seat: int, action: int) -> bool:
    """Build the first defence; tell whether the first turn is for drawing only. RW-2, RW-5."""
    if action >= LAY:
        s.chosen[seat] = action - LAY
    elif action >= AT:
        lay(s, seat, action - AT)
    else:
        s.built[seat] = 1
        if to_act(book, s) == 0:
            return begin_war(book, s)
    return False


@rule
def begin_war(book: Book, s: State) -> bool:
    """All defences stand; tell whether the first turn is for drawing only. RW-2, RW-5."""
    s.phase = TURN
    for seat in range(book.seats):
        tell(s, BUILT, seat, -1, s.defence_size[seat])
    return s.hand_size[s.first] == 0


@rule
def lay(s: State, seat: int, place: int) -> None:
    """Lay the chosen card. RW-2, RW-5."""
    card = s.chosen[seat]
    s.chosen[seat] = NONE
    out_of_hand(s, seat, card, DEFENCE + seat)
    put_card(s, seat, place, card)


@rule
def begin_action(s: State, seat: int, action: int) -> bool:
    """Choose the card to lay or to attack with, or play a rune; tell whether the turn is done with. RW-5."""
    if action < AT:
        return invoke(s, seat, action - PLAY)
    if action < ATTACK:
        s.chosen[seat] = action - LAY
        s.phase = LAY_AT
    else:
        s.chosen[seat] = action - ATTACK
        s.phase = AIM
    return False
