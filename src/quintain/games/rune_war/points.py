"""The points of a side in Rune War, with the runes of the battle, and who wins. `battle` and `account` ask here."""

from typing import TypeAlias

from quintain.engine import rule
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import State

COURT_BITS = (1 << st.COURTS) - 1
RUN_POINTS = (0, 10, 10, 30, 10, 20, 30, 60, 10, 20, 20, 40, 30, 40, 60, 100)
"""The points of each set of courts of a suit, indexed by its bits: page, knight and king, bits 1011, make 30 + 10."""
STRENGTH_POINTS, WORLD_POINTS = 8, 4

Tally: TypeAlias = tuple[int, int, int, int, int]
"""Five numbers about the cards of a side: bits of the suits with number cards; bits of the courts, four for each suit;
the sum of the numbers; the highest number; the next highest."""


@rule
def with_card(tally: Tally, card: int) -> Tally:
    """Return a tally with one more card; a rune changes nothing. RW-16, RW-19."""
    suits, courts, total, highest, second = tally
    number = st.number_of(card)
    if number > 0:
        suits |= 1 << st.suit_of(card)
        total += number
        if number > highest:
            second = highest
            highest = number
        elif number > second:
            second = number
    elif card < st.FIRST_RUNE:
        courts |= 1 << st.COURTS * st.suit_of(card) + card % st.RANKS - st.HIGHEST_NUMBER
    return suits, courts, total, highest, second


@rule
def tally_of_side(s: State, side: int) -> Tally:
    """Return the tally of a side of the battle. RW-10, RW-16."""
    tally = (0, 0, 0, 0, 0)
    for card in range(st.CARDS):
        if s.side[card] == side:
            tally = with_card(tally, card)
    return tally


@rule
def rune_in_effect(s: State, side: int) -> int:
    """Return the rune that works for a side, or NONE; if The Fool was played, none works. RW-22."""
    if s.rune[0] == st.FOOL or s.rune[1] == st.FOOL:
        return st.NONE
    return s.rune[side - st.ATTACKER]


@rule
def joined_on(s: State, side: int) -> int:
    """Return the index of the pair of suits that are one on a side, or NONE. RW-22."""
    return s.joined if rune_in_effect(s, side) == st.LOVERS else st.NONE


@rule
def suit_counts(suits: int, suit: int, pair: int) -> bool:
    """Return whether a suit, or the suit joined to it, has a number card. RW-17, RW-22."""
    if pair != st.NONE and (suit == st.PAIRS[pair][0] or suit == st.PAIRS[pair][1]):
        return (suits >> st.PAIRS[pair][0] | suits >> st.PAIRS[pair][1]) & 1 == 1
    return suits >> suit & 1 == 1


@rule
def court_points_of_suit(courts: int, suit: int, pair: int) -> int:
    """Return the points of a suit's courts, if they count; the first of two joined suits gets those of both. RW-18."""
    present = courts >> st.COURTS * suit & COURT_BITS
    if pair == st.NONE or (suit != st.PAIRS[pair][0] and suit != st.PAIRS[pair][1]):
        return RUN_POINTS[present]
    if suit == st.PAIRS[pair][1]:
        return 0
    others = courts >> st.COURTS * st.PAIRS[pair][1] & COURT_BITS
    return RUN_POINTS[present | others] + RUN_POINTS[present & others]


@rule
def court_points(tally: Tally, pair: int, rune: int) -> int:
    """Return the points of all courts of a side with its rune. RW-17, RW-18, RW-22."""
    suits, courts, _, _, _ = tally
    points = 0
    if courts:
        for suit in range(st.SUITS):
            if rune == st.EMPEROR or suit_counts(suits, suit, pair):
                points += court_points_of_suit(courts, suit, pair)
    return points


@rule
def points_of(tally: Tally, pair: int, rune: int, other_rune: int) -> int:
    """Return the points of a side with its own rune and the other side's. RW-16, RW-22."""
    suits, _, total, highest, second = tally
    if other_rune == st.JUSTICE:
        total -= highest
        highest = second
    if rune == st.MAGICIAN:
        total += highest
    if rune != st.TEMPERANCE and other_rune != st.TEMPERANCE:
        total += court_points(tally, pair, rune)
    if rune == st.STRENGTH:
        total += STRENGTH_POINTS
    if rune == st.WORLD:
        for suit in range(st.SUITS):
            total += WORLD_POINTS * (suits >> suit & 1)
    return total


@rule
def side_points(s: State, side: int) -> int:
    """Return the points of a side of the battle. RW-10, RW-16, RW-17, RW-18, RW-22."""
    other = st.ATTACKER + st.DEFENDER - side
    return points_of(tally_of_side(s, side), joined_on(s, side), rune_in_effect(s, side), rune_in_effect(s, other))


@rule
def is_hanged(s: State) -> bool:
    """Return whether The Hanged Man works in this battle. RW-22."""
    return rune_in_effect(s, st.ATTACKER) == st.HANGED_MAN or rune_in_effect(s, st.DEFENDER) == st.HANGED_MAN


@rule
def attacker_wins(ours: int, theirs: int, hanged: bool) -> bool:
    """Return whether the attacker wins with `ours` against `theirs`; on a tie the defender wins. RW-10, RW-22."""
    if hanged and ours != theirs and max(ours, theirs) < 2 * min(ours, theirs):
        return ours < theirs
    return ours > theirs


@rule
def defence_points(s: State, seat: int) -> int:
    """Return the points of a whole defence, counted as one side without runes. RW-15, RW-16."""
    tally = (0, 0, 0, 0, 0)
    for place in range(st.PLACES):
        if s.defence[seat][place] != st.NONE:
            tally = with_card(tally, s.defence[seat][place])
    return points_of(tally, st.NONE, st.NONE, st.NONE)


@rule
def chariot_works(s: State) -> bool:
    """Return whether The Chariot works for the attacker. RW-21, RW-22."""
    return rune_in_effect(s, st.ATTACKER) == st.CHARIOT
