"""Heirless battles: Battle Hands, the placing of cards, and the battle values that cards and attributes give.

`battle.py` calls this file when cards are placed and turned up. A hand is a number with a bit for each card in it.
"""

from quintain.engine import rng, rule, tell
from quintain.games.heirless import state as st
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.wounds import wound


@rule
def owner_of(s: State, side: int) -> int:
    """Return the owner of the attributes and the Battle Hand that a side fights with. HB-5."""
    return side if side < st.BANDITS else st.BANDITS + s.tile - 1


@rule
def set_of(side: int) -> int:
    """Return which set of cards a side, or an owner, has: the players' or the Bandits'. HB-5."""
    return st.BANDITS_SET if side >= st.BANDITS else st.PLAYERS_SET


@rule
def whole_set(book: Book, side: int) -> int:
    """Return a hand of all the cards that a side, or an owner, has. HB-5."""
    return (1 << book.cards[set_of(side)]) - 1


@rule
def hand_to_place(book: Book, s: State, side: int) -> int:
    """Return the hand from which a side places its first card; an empty hand takes its discards up. HB-7."""
    hand = s.hand[owner_of(s, side)]
    return hand if hand else whole_set(book, side)


@rule
def rest_of_hand(book: Book, s: State, side: int, card: int) -> int:
    """Return the hand from which a side places its second card, once the first is placed. HB-7."""
    rest = hand_to_place(book, s, side) & ~(1 << card)
    return rest if rest else whole_set(book, side) & ~(1 << card)


@rule
def hand_left(book: Book, s: State, side: int) -> int:
    """Return the hand that a side has left once both cards are placed. HB-7."""
    both = 1 << s.attack[side] | 1 << s.defence[side]
    hand = hand_to_place(book, s, side)
    return hand & ~both if hand & both == both else whole_set(book, side) & ~both


@rule
def legal_placing(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the cards that a seat may place: first to attack, then to defend, a last card in either role. HB-6, HB-7."""
    if s.defence[seat] != st.NONE:
        return mark_cards(rest_of_hand(book, s, seat, s.defence[seat]), mask, st.ATTACK)
    if s.attack[seat] != st.NONE:
        return mark_cards(rest_of_hand(book, s, seat, s.attack[seat]), mask, st.DEFEND)
    hand = hand_to_place(book, s, seat)
    count = mark_cards(hand, mask, st.ATTACK)
    return count if count > 1 else count + mark_cards(hand, mask, st.DEFEND)


@rule
def mark_cards(hand: int, mask: list[int], base: int) -> int:
    """Mark the cards of a hand as actions from `base` on, and return their number. HB-6."""
    count = 0
    for card in range(st.MOST_CARDS):
        if hand >> card & 1:
            mask[base + card] = 1
            count += 1
    return count


@rule
def place_card(s: State, seat: int, action: int) -> None:
    """Place a card face down; when all seats have placed two, go on to the reveal. HB-6."""
    if action < st.DEFEND:
        s.attack[seat] = action - st.ATTACK
    else:
        s.defence[seat] = action - st.DEFEND
    if s.attack[seat] != st.NONE and s.defence[seat] != st.NONE:
        s.waiting -= 1 << seat
        tell(s, st.CARDS_DOWN, seat)
        if s.waiting == 0:
            s.phase = st.REVEAL


@rule
def place_cards_of_bandits(book: Book, s: State) -> None:
    """Draw the Bandits' attack card, then their defence card. HB-6, HB-7."""
    s.attack[st.BANDITS] = drawn_card(s, hand_to_place(book, s, st.BANDITS))
    s.defence[st.BANDITS] = drawn_card(s, rest_of_hand(book, s, st.BANDITS, s.attack[st.BANDITS]))


@rule
def drawn_card(s: State, hand: int) -> int:
    """Draw a card from a hand at random. HB-6."""
    count = 0
    for card in range(st.MOST_CARDS):
        count += hand >> card & 1
    n = rng.below(s.rng, count)
    card = 0
    while n > 0 or not hand >> card & 1:
        n -= hand >> card & 1
        card += 1
    return card


@rule
def reveal_side(book: Book, s: State, side: int) -> None:
    """Turn up both cards of a side: set its battle values and put the Wounds on its Knights. HB-5, HB-6, HB-9."""
    s.hand[owner_of(s, side)] = hand_left(book, s, side)
    set_values(book, s, side)
    for knight in range(s.force[side]):
        wound(s, side, knight, s.value[side][st.WOUND])
    tell(s, st.REVEALED, side, -1, s.attack[side], s.defence[side], s.tile)


@rule
def set_values(book: Book, s: State, side: int) -> None:
    """Set the battle values of a side: its attributes plus the changes by both cards. HB-5, HB-8, HB-26."""
    owner = owner_of(s, side)
    for track in range(st.TRACKS):
        s.value[side][track] = book.track[track][s.step[owner][track]]
    s.value[side][st.WOUND] = 0
    for i in range(len(st.ATTACK_SIDE)):
        s.value[side][st.ATTACK_SIDE[i]] += book.attack[set_of(side)][s.attack[side]][i]
        s.value[side][st.DEFENCE_SIDE[i]] += book.defence[set_of(side)][s.defence[side]][i]
    for value in range(st.VALUES):
        s.value[side][value] = max(s.value[side][value], st.LEAST_DELAY if value == st.DELAY else 0)
