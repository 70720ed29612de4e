"""Rune War: what a seat sees as a short row of numbers, for players that learn.

A net that read every place of every defence would have to learn from scratch what a battle counts. These numbers say
it: sums over hands and defences, what is known of them, and how the battle stands. `action_features` describes each
action beside them. Nothing here belongs to the rules of play; the clauses name what a function counts.
"""

from quintain.engine import rule
from quintain.games.rune_war import state as st
from quintain.games.rune_war.points import Tally, points_of, tally_of_side, with_card
from quintain.games.rune_war.shape import cards_in_row, exposed_in_row
from quintain.games.rune_war.state import Book, State

PHASES, CARD_BITS = 18, st.SUITS * st.COURTS
MOMENT, SIDE, HELD, IN_BATTLE = PHASES + 9, 11 + st.ROWS, 4 + 3 * st.SUITS + CARD_BITS + st.RUNES, 14 + 2 * st.RUNES
"""How many numbers tell of the moment, of a defence and its seat, of the own hand, and of the battle."""
OWN_SIDE, OTHERS, FOE = MOMENT, MOMENT + SIDE, MOMENT + 2 * SIDE
HAND = MOMENT + 3 * SIDE
BATTLE = HAND + HELD
STATE_FEATURES = BATTLE + IN_BATTLE
HAND_HIGHEST, OUR_POINTS, THEIR_POINTS, AHEAD = HAND + 1, BATTLE, BATTLE + 1, BATTLE + 2
"""Where the highest number in hand stands, the points of the own and of the other side, and by how many it is ahead."""
TENS, TWENTIES, FEW = 10.0, 20.0, 3.0
"""What numbers of cards, points and counts are divided by."""


@rule
def state_features(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what a seat sees, from a state that is blinded for it, as `STATE_FEATURES` numbers. RW-23."""
    for i in range(STATE_FEATURES):
        out[i] = 0.0
    tell_moment(book, s, seat, out)
    tell_side(s, seat, seat, 1.0, OWN_SIDE, out)
    if s.phase != st.BUILD:
        rivals = 0
        for other in range(book.seats):
            rivals += 1 if other != seat and s.out[other] == 0 else 0
        for other in range(book.seats):
            if other != seat and s.out[other] == 0:
                tell_side(s, other, seat, 1.0 / rivals, OTHERS, out)
    tell_hand(s, seat, out)
    if s.phase == st.SUPPORT or s.phase == st.RESPOND or s.phase == st.FURTHER or s.phase == st.JOIN_SUITS:
        tell_battle(s, seat, out)


@rule
def tell_moment(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what is asked, whose turn it is, and how far off the truce is. RW-5, RW-9, RW-15."""
    out[s.phase] = 1.0
    at = PHASES
    out[at] = 1.0 if s.turn == seat else 0.0
    out[at + 1] = s.turns[seat] / st.MOST_TURNS
    out[at + 2] = s.quiet[seat] / st.QUIET_TURNS
    out[at + 3] = s.deck_size / st.CARDS
    out[at + 4] = s.pile_size / st.CARDS
    out[at + 5] = (book.seats - 2) / FEW
    out[at + 6] = 1.0 if book.cards > st.FIRST_RUNE else 0.0
    out[at + 7] = s.names / FEW
    still_in = 0
    for other in range(book.seats):
        still_in += 1 if s.out[other] == 0 else 0
    out[at + 8] = (still_in - 2) / FEW


@rule
def tell_side(s: State, owner: int, viewer: int, share: float, at: int, out: list[float]) -> None:
    """Add what a viewer knows of a seat's defence and hand, times a share in a sum. RW-3, RW-4, RW-15, RW-23."""
    size = s.defence_size[owner]
    counted = min(s.destroyed[owner], size)
    out[at] += share * size / TENS
    out[at + 1] += share * s.hand_size[owner] / TENS
    out[at + 2] += share * s.destroyed[owner] / TENS
    out[at + 3] += share * (size + 2 * counted) / TWENTIES
    for row in range(st.ROWS):
        if s.shape[owner][row]:
            exposed = exposed_in_row(s, owner, row)
            out[at + 11 + row] += share * cards_in_row(s, owner, row) / FEW
            for column in range(row + 1):
                if s.shape[owner][row] >> column & 1:
                    tell_card_of_defence(
                        s, owner, viewer, st.place_of(row, column), exposed >> column & 1, share, at, out
                    )


@rule
def tell_card_of_defence(
    s: State, owner: int, viewer: int, place: int, exposed: int, share: float, at: int, out: list[float]
) -> None:
    """Add a card of a defence: whether it is exposed, and its number if the viewer knows it. RW-4, RW-8, RW-23."""
    out[at + 4] += share * exposed / FEW
    if viewer == owner or st.has_seen(s, viewer, owner, place):
        number = st.number_of(s.defence[owner][place])
        out[at + 5] += share / TENS
        out[at + 6] += share * number / TWENTIES
        if exposed:
            out[at + 7] += share / FEW
            out[at + 8] += share * number / TENS
            out[at + 9] = max(out[at + 9], (11 - number) / TENS)
    if viewer == owner and st.has_seen(s, st.SPECTATORS, owner, place):
        out[at + 10] += share / FEW


@rule
def tell_hand(s: State, seat: int, out: list[float]) -> None:
    """Write the own hand: its numbers by suit, its courts and its runes. RW-2, RW-16, RW-17, RW-21."""
    tally = (0, 0, 0, 0, 0)
    at = HAND + 4
    for card in range(st.CARDS):
        if st.is_at(s, card, st.HAND + seat):
            tally = with_card(tally, card)
            if card >= st.FIRST_RUNE:
                out[at + 3 * st.SUITS + CARD_BITS + card - st.FIRST_RUNE] = 1.0
            elif st.number_of(card) > 0:
                out[at + st.suit_of(card)] += st.number_of(card) / TENS
                out[at + st.SUITS + st.suit_of(card)] += 1.0 / FEW
            else:
                out[at + 2 * st.SUITS + st.suit_of(card)] += 1.0 / FEW
                court = st.COURTS * st.suit_of(card) + card % st.RANKS - st.HIGHEST_NUMBER
                out[at + 3 * st.SUITS + court] = 1.0
    _, _, total, highest, second = tally
    out[HAND] = total / TWENTIES
    out[HAND_HIGHEST] = highest / TENS
    out[HAND + 2] = second / TENS
    out[HAND + 3] = points_of(tally, st.NONE, st.NONE, st.NONE) / TWENTIES


@rule
def tell_battle(s: State, seat: int, out: list[float]) -> None:
    """Write how the battle stands for a seat, as the attacker or as the defender. RW-9, RW-10, RW-12, RW-20."""
    side = st.ATTACKER if s.attacker == seat else st.DEFENDER
    other = st.ATTACKER + st.DEFENDER - side
    ours = points_with(s, side, tally_of_side(s, side), rune_of(s, side), rune_of(s, other))
    theirs = points_with(s, other, tally_of_side(s, other), rune_of(s, other), rune_of(s, side))
    foe = s.defender if side == st.ATTACKER else s.attacker
    tell_side(s, foe, seat, 1.0, FOE, out)
    at = BATTLE
    out[OUR_POINTS] = ours / TWENTIES
    out[THEIR_POINTS] = theirs / TWENTIES
    out[AHEAD] = (ours - theirs) / TWENTIES
    out[at + 3] = 1.0 if side == st.ATTACKER else 0.0
    out[at + 4] = 1.0 if ours > theirs else 0.0
    out[at + 5] = float(s.further)
    out[at + 6] = float(s.declined)
    out[at + 7] = (s.right - s.left + 1) / FEW
    out[at + 8] = (s.right - s.left - s.added) / FEW
    out[at + 9] = s.row / TENS
    out[at + 10] = neighbours(s) / 2.0
    out[at + 11] = min(s.defence_size[s.defender], 10) / TENS
    out[at + 12] = s.added / FEW
    out[at + 13] = float(s.chariot)
    if rune_of(s, side) != st.NONE:
        out[at + 14 + rune_of(s, side)] = 1.0
    if rune_of(s, other) != st.NONE:
        out[at + 14 + st.RUNES + rune_of(s, other)] = 1.0


@rule
def rune_of(s: State, side: int) -> int:
    """Return the rune that a side has played in the battle, or NONE. RW-20."""
    return s.rune[side - st.ATTACKER]


@rule
def points_with(s: State, side: int, tally: Tally, rune: int, other_rune: int) -> int:
    """Return what a side with a tally would count with its rune and the other side's. RW-22."""
    if rune == st.FOOL or other_rune == st.FOOL:
        return points_of(tally, st.NONE, st.NONE, st.NONE)
    return points_of(tally, s.joined if rune == st.LOVERS else st.NONE, rune, other_rune)


@rule
def neighbours(s: State) -> int:
    """Count the cards that the defender may still turn up beside those of the battle. RW-9."""
    row = s.shape[s.defender][s.row]
    count = row >> s.left - 1 & 1 if s.left > 0 else 0
    return count + (row >> s.right + 1 & 1)
