"""Rune War: battles, from the first attack of a turn to its last."""

from quintain.engine.compiled import rule
from quintain.engine.events import tell
from quintain.games.rune_war.points import attacker_wins, is_hanged, side_points, wins_chariot
from quintain.games.rune_war.shape import exposed_in_row, is_taken, mark_bits, show_card, take_card
from quintain.games.rune_war.state import (
    ADD,
    ADDED,
    AIM_AT,
    ATTACKED,
    ATTACKER,
    ATTACKING,
    CARDS,
    CAST_OFF,
    CHARIOT,
    COUNTED,
    DEFENDER,
    DESTROYED,
    FIRST_RUNE,
    FURTHER,
    HAND,
    HELD,
    HOLD,
    JOIN_SUITS,
    JOINED,
    LOVERS,
    NONE,
    OF_BATTLE,
    PLACES,
    PLAY,
    PLAYED,
    RESPOND,
    ROW_OF,
    ROWS,
    RUNES,
    STOP,
    STOPPED,
    SUPPORT,
    TURN_UP,
    TURNED_UP,
    WENT_ON,
    Book,
    State,
    column_of,
    is_at,
    place_of,
)
from quintain.games.rune_war.turns import cast_off, into_hand_openly, out_of_hand, put_out


@rule
def attack(book: Book, s: State, seat: int, at: int) -> None:
    """Match the chosen card, or in a further attack all that are there, against an exposed card. RW-8, RW-12."""
    place = at % PLACES
    if s.phase == FURTHER:
        s.further = 1
        for card in range(CARDS):
            s.side[card] &= ATTACKER
        tell(s, WENT_ON, seat, s.defender, place)
    else:
        s.attacker = seat
        s.defender = at // PLACES
        s.further = 0
        s.chariot = 0
        for row in range(ROWS):
            s.open_row[row] = exposed_in_row(s, s.defender, row)
        for card in range(CARDS):
            s.side[card] = 0
        card = s.chosen[seat]
        s.chosen[seat] = NONE
        out_of_hand(s, seat, card, ATTACKING)
        s.side[card] = ATTACKER
        tell(s, ATTACKED, seat, s.defender, place, card)
    begin_battle(s, place)


@rule
def begin_battle(s: State, place: int) -> None:
    """Turn the attacked card up; the defender goes first. RW-8, RW-9."""
    s.counted = 0
    s.rune[0] = NONE
    s.rune[1] = NONE
    s.joined = NONE
    s.added = 0
    s.declined = 0
    s.row = ROW_OF[place]
    s.left = column_of(place)
    s.right = s.left
    s.phase = SUPPORT
    turn_card_up(s, place)


@rule
def turn_card_up(s: State, place: int) -> None:
    """RW-8, RW-9, RW-11."""
    card = s.defence[s.defender][place]
    show_card(s, s.defender, place)
    s.side[card] = DEFENDER
    tell(s, TURNED_UP, s.defender, -1, place, card)


@rule
def matches(s: State) -> bool:
    """Tell whether the attacker may match supporting cards in this battle. RW-9, RW-12, RW-21."""
    return s.further == 0 or s.chariot == 1


@rule
def legal_support(s: State, seat: int, mask: list[int]) -> int:
    """Turn up a card next to those that are, play a rune, or hold. RW-9, RW-20."""
    mask[HOLD] = 1
    count = 1
    if s.left > 0 and is_taken(s, seat, place_of(s.row, s.left - 1)):
        mask[TURN_UP + place_of(s.row, s.left - 1)] = 1
        count += 1
    if s.right < s.row and is_taken(s, seat, place_of(s.row, s.right + 1)):
        mask[TURN_UP + place_of(s.row, s.right + 1)] = 1
        count += 1
    return count + legal_runes(s, seat, DEFENDER, mask)


@rule
def legal_response(s: State, seat: int, mask: list[int]) -> int:
    """Add a card for a supporting one, play a rune, or hold. RW-9, RW-20."""
    mask[HOLD] = 1
    count = 1
    if s.added < s.right - s.left:
        for card in range(CARDS):
            if is_at(s, card, HAND + seat):
                mask[ADD + card] = 1
                count += 1
    if s.further == 0:
        count += legal_runes(s, seat, ATTACKER, mask)
    return count


@rule
def legal_runes(s: State, seat: int, side: int, mask: list[int]) -> int:
    """One rune of the battle, if this side has not played any in it; The Chariot is the attacker's. RW-20, RW-21."""
    count = 0
    if s.rune[side - ATTACKER] == NONE:
        for rune in range(RUNES):
            held = is_at(s, FIRST_RUNE + rune, HAND + seat)
            if held and OF_BATTLE[rune] and (rune != CHARIOT or side == ATTACKER):
                mask[PLAY + rune] = 1
                count += 1
    return count


@rule
def contend(book: Book, s: State, seat: int, action: int) -> bool:
    """Carry out what a side does in a battle; tell whether the turn is done with. RW-9, RW-20."""
    if action == HOLD:
        tell(s, HELD, seat)
        if s.declined or (s.phase == SUPPORT and not matches(s)):
            return count_battle(book, s)
        s.declined = 1
    else:
        s.declined = 0
        if action >= ADD:
            add_card(s, seat, action - ADD)
        elif action >= TURN_UP:
            support(s, action - TURN_UP)
        elif play_rune(s, seat, action - PLAY):
            return False
    pass_on(s)
    return False


@rule
def support(s: State, place: int) -> None:
    """RW-9."""
    s.left = min(s.left, column_of(place))
    s.right = max(s.right, column_of(place))
    turn_card_up(s, place)


@rule
def add_card(s: State, seat: int, card: int) -> None:
    """RW-9."""
    out_of_hand(s, seat, card, ATTACKING)
    s.side[card] = ATTACKER
    s.added += 1
    tell(s, ADDED, seat, -1, card)


@rule
def play_rune(s: State, seat: int, rune: int) -> bool:
    """Play a rune of the battle; tell whether its suits are still to be named. RW-20, RW-21."""
    out_of_hand(s, seat, FIRST_RUNE + rune, CAST_OFF)
    s.rune[0 if seat == s.turn else 1] = rune
    tell(s, PLAYED, seat, -1, rune)
    if rune == LOVERS:
        s.phase = JOIN_SUITS
    return rune == LOVERS


@rule
def join_suits(s: State, seat: int, pair: int) -> None:
    """Name the suits that count as one. RW-21."""
    s.joined = pair
    tell(s, JOINED, seat, -1, pair)
    pass_on(s)


@rule
def joiner(s: State) -> int:
    """Return the seat that has played The Lovers. RW-21."""
    return s.turn if s.rune[0] == LOVERS else s.defender


@rule
def pass_on(s: State) -> None:
    """The other side is next; where nothing may be matched the defender goes on. RW-9, RW-12."""
    last = s.phase
    if last == JOIN_SUITS:
        last = RESPOND if joiner(s) == s.turn else SUPPORT
    s.phase = RESPOND if last == SUPPORT and matches(s) else SUPPORT


@rule
def count_battle(book: Book, s: State) -> bool:
    """Count both sides; tell whether the turn is done with. RW-10, RW-11, RW-12, RW-13, RW-14."""
    ours = side_points(s, ATTACKER)
    theirs = side_points(s, DEFENDER)
    won = attacker_wins(ours, theirs, is_hanged(s))
    s.counted = 1
    tell(s, COUNTED, s.turn, s.defender, ours, theirs, 1 if won else 0)
    if not won:
        for card in range(CARDS):
            if s.lies[card] == ATTACKING:
                cast_off(s, card)
        return True
    if s.further == 0 and wins_chariot(s):
        s.chariot = 1
    destroy_turned_up(book, s)
    if s.over == 0 and something_open(s):
        s.phase = FURTHER
        return False
    take_attack_back(s)
    return True


@rule
def destroy_turned_up(book: Book, s: State) -> None:
    """Discard the turned-up cards; whoever has none left is out. RW-12, RW-14."""
    size = s.right - s.left + 1
    for column in range(s.left, s.right + 1):
        cast_off(s, take_card(s, s.defender, place_of(s.row, column)))
    s.destroyed[s.turn] += size
    s.razed = 1
    tell(s, DESTROYED, s.turn, s.defender, size)
    if s.defence_size[s.defender] == 0:
        put_out(book, s, s.defender)


@rule
def open_in_row(s: State, row: int) -> int:
    """Return the bits of the target's cards that were exposed when the turn began. RW-12."""
    return s.open_row[row] & s.shape[s.defender][row]


@rule
def something_open(s: State) -> bool:
    """RW-12."""
    for row in range(ROWS):
        if open_in_row(s, row):
            return True
    return False


@rule
def legal_further(s: State, mask: list[int]) -> int:
    """Attack another card of the same opponent, or stop. RW-12, RW-13."""
    mask[STOP] = 1
    count = 1
    base = AIM_AT + PLACES * s.defender
    for row in range(ROWS):
        count += mark_bits(open_in_row(s, row), row, mask, base)
    return count


@rule
def stop(s: State, seat: int) -> None:
    """RW-13."""
    tell(s, STOPPED, seat)
    take_attack_back(s)


@rule
def take_attack_back(s: State) -> None:
    """Take the attacking cards back into the hand, where everybody knows them. RW-13, RW-23."""
    for card in range(CARDS):
        if s.lies[card] == ATTACKING:
            into_hand_openly(s, s.turn, card)
