"""The battles of Rune War, from the first attack of a turn to the last: attack, support, counting, further attacks.

Attacker and defender act in turn until both hold back; `points` counts the battle.
"""

from quintain.engine import rule, tell
from quintain.games.rune_war import state as st
from quintain.games.rune_war.points import attacker_wins, chariot_works, is_hanged, side_points
from quintain.games.rune_war.shape import exposed_in_row, is_taken, mark_bits, show_card, take_card
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.turns import cast_off, into_hand_openly, out_of_hand, put_out


@rule
def attack(book: Book, s: State, seat: int, at: int) -> None:
    """Attack an exposed card with the chosen card; in a further attack, with all attacking cards. RW-8, RW-12."""
    place = at % st.PLACES
    if s.phase == st.FURTHER:
        s.further = 1
        for card in range(st.CARDS):
            s.side[card] &= st.ATTACKER
        tell(s, st.WENT_ON, seat, s.defender, place)
    else:
        s.attacker = seat
        s.defender = at // st.PLACES
        s.further = 0
        s.chariot = 0
        for row in range(st.ROWS):
            s.open_row[row] = exposed_in_row(s, s.defender, row)
        for card in range(st.CARDS):
            s.side[card] = 0
        card = s.chosen[seat]
        s.chosen[seat] = st.NONE
        out_of_hand(s, seat, card, st.ATTACKING)
        s.side[card] = st.ATTACKER
        tell(s, st.ATTACKED, seat, s.defender, place, card)
    begin_battle(s, place)


@rule
def begin_battle(s: State, place: int) -> None:
    """Turn the attacked card up, and ask the defender first. RW-8, RW-9."""
    s.counted = 0
    s.rune[0] = st.NONE
    s.rune[1] = st.NONE
    s.joined = st.NONE
    s.added = 0
    s.declined = 0
    s.row = st.ROW_OF[place]
    s.left = st.column_of(place)
    s.right = s.left
    s.phase = st.SUPPORT
    turn_card_up(s, place)


@rule
def turn_card_up(s: State, place: int) -> None:
    """Turn up a card of the defender; it takes part in the battle. RW-8, RW-9, RW-11."""
    card = s.defence[s.defender][place]
    show_card(s, s.defender, place)
    s.side[card] = st.DEFENDER
    tell(s, st.TURNED_UP, s.defender, -1, place, card)


@rule
def attacker_may_add(s: State) -> bool:
    """Return whether this is a battle in which the attacker may add cards: no further attack, or with The Chariot.

    RW-9, RW-12, RW-21.
    """
    return s.further == 0 or s.chariot == 1


@rule
def legal_support(s: State, seat: int, mask: list[int]) -> int:
    """Mark what the defender may do: hold back, turn up a neighbour, or play a rune; return how many. RW-9, RW-20."""
    mask[st.HOLD] = 1
    count = 1
    if s.left > 0 and is_taken(s, seat, st.place_of(s.row, s.left - 1)):
        mask[st.TURN_UP + st.place_of(s.row, s.left - 1)] = 1
        count += 1
    if s.right < s.row and is_taken(s, seat, st.place_of(s.row, s.right + 1)):
        mask[st.TURN_UP + st.place_of(s.row, s.right + 1)] = 1
        count += 1
    return count + legal_runes(s, seat, st.DEFENDER, mask)


@rule
def legal_response(s: State, seat: int, mask: list[int]) -> int:
    """Mark what the attacker may do: hold back, add a card, or play a rune; return how many. RW-9, RW-20."""
    mask[st.HOLD] = 1
    count = 1
    if s.added < s.right - s.left:
        for card in range(st.CARDS):
            if st.is_at(s, card, st.HAND + seat):
                mask[st.ADD + card] = 1
                count += 1
    if s.further == 0:
        count += legal_runes(s, seat, st.ATTACKER, mask)
    return count


@rule
def legal_runes(s: State, seat: int, side: int, mask: list[int]) -> int:
    """Mark the runes of the battle in hand if the side has played none; The Chariot only attacks. RW-20, RW-21."""
    count = 0
    if s.rune[side - st.ATTACKER] == st.NONE:
        for rune in range(st.RUNES):
            held = st.is_at(s, st.FIRST_RUNE + rune, st.HAND + seat)
            if held and st.OF_BATTLE[rune] and (rune != st.CHARIOT or side == st.ATTACKER):
                mask[st.PLAY + rune] = 1
                count += 1
    return count


@rule
def contend(book: Book, s: State, seat: int, action: int) -> bool:
    """Carry out an action of a side in a battle; return True if the turn is complete. RW-9, RW-20."""
    if action == st.HOLD:
        tell(s, st.HELD, seat)
        if s.declined or (s.phase == st.SUPPORT and not attacker_may_add(s)):
            return count_battle(book, s)
        s.declined = 1
    else:
        s.declined = 0
        if action >= st.ADD:
            add_card(s, seat, action - st.ADD)
        elif action >= st.TURN_UP:
            support(s, action - st.TURN_UP)
        elif play_rune(s, seat, action - st.PLAY):
            return False
    pass_on(s)
    return False


@rule
def support(s: State, place: int) -> None:
    """Turn up a card beside those that are turned up already. RW-9."""
    s.left = min(s.left, st.column_of(place))
    s.right = max(s.right, st.column_of(place))
    turn_card_up(s, place)


@rule
def add_card(s: State, seat: int, card: int) -> None:
    """Add a card of the attacker's hand to the attack. RW-9."""
    out_of_hand(s, seat, card, st.ATTACKING)
    s.side[card] = st.ATTACKER
    s.added += 1
    tell(s, st.ADDED, seat, -1, card)


@rule
def play_rune(s: State, seat: int, rune: int) -> bool:
    """Play a rune of the battle; return True for The Lovers, whose suits the seat names next. RW-20, RW-21."""
    out_of_hand(s, seat, st.FIRST_RUNE + rune, st.CAST_OFF)
    s.rune[0 if seat == s.turn else 1] = rune
    tell(s, st.PLAYED, seat, -1, rune)
    if rune == st.LOVERS:
        s.phase = st.JOIN_SUITS
    return rune == st.LOVERS


@rule
def join_suits(s: State, seat: int, pair: int) -> None:
    """Join the two suits that The Lovers name. RW-21."""
    s.joined = pair
    tell(s, st.JOINED, seat, -1, pair)
    pass_on(s)


@rule
def joiner(s: State) -> int:
    """Return the seat that has played The Lovers. RW-21."""
    return s.turn if s.rune[0] == st.LOVERS else s.defender


@rule
def pass_on(s: State) -> None:
    """Ask the other side next; if the attacker may add no cards, ask the defender again. RW-9, RW-12."""
    last = s.phase
    if last == st.JOIN_SUITS:
        last = st.RESPOND if joiner(s) == s.turn else st.SUPPORT
    s.phase = st.RESPOND if last == st.SUPPORT and attacker_may_add(s) else st.SUPPORT


@rule
def count_battle(book: Book, s: State) -> bool:
    """Count the battle, carry out its result, and return True if the turn is complete.

    RW-10, RW-11, RW-12, RW-13, RW-14.
    """
    ours = side_points(s, st.ATTACKER)
    theirs = side_points(s, st.DEFENDER)
    won = attacker_wins(ours, theirs, is_hanged(s))
    s.counted = 1
    tell(s, st.COUNTED, s.turn, s.defender, ours, theirs, 1 if won else 0)
    if not won:
        for card in range(st.CARDS):
            if s.lies[card] == st.ATTACKING:
                cast_off(s, card)
        return True
    if s.further == 0 and chariot_works(s):
        s.chariot = 1
    destroy_turned_up(book, s)
    if s.over == 0 and something_open(s):
        s.phase = st.FURTHER
        return False
    take_attack_back(s)
    return True


@rule
def destroy_turned_up(book: Book, s: State) -> None:
    """Discard the turned-up cards; a defender with no card left is out. RW-12, RW-14."""
    size = s.right - s.left + 1
    for column in range(s.left, s.right + 1):
        cast_off(s, take_card(s, s.defender, st.place_of(s.row, column)))
    s.destroyed[s.turn] += size
    s.razed = 1
    tell(s, st.DESTROYED, s.turn, s.defender, size)
    if s.defence_size[s.defender] == 0:
        put_out(book, s, s.defender)


@rule
def open_in_row(s: State, row: int) -> int:
    """Return the bits of the defender's cards in a row that a further attack may be against. RW-12."""
    return s.open_row[row] & s.shape[s.defender][row]


@rule
def something_open(s: State) -> bool:
    """Return whether a further attack is possible. RW-12."""
    for row in range(st.ROWS):
        if open_in_row(s, row):
            return True
    return False


@rule
def legal_further(s: State, mask: list[int]) -> int:
    """Mark stopping, and each card that may be attacked next; return how many. RW-12, RW-13."""
    mask[st.STOP] = 1
    count = 1
    base = st.AIM_AT + st.PLACES * s.defender
    for row in range(st.ROWS):
        count += mark_bits(open_in_row(s, row), row, mask, base)
    return count


@rule
def stop(s: State, seat: int) -> None:
    """Stop attacking. RW-13."""
    tell(s, st.STOPPED, seat)
    take_attack_back(s)


@rule
def take_attack_back(s: State) -> None:
    """Take the attacking cards back into the hand, where everybody knows them. RW-13, RW-23."""
    for card in range(st.CARDS):
        if s.lies[card] == st.ATTACKING:
            into_hand_openly(s, s.turn, card)
