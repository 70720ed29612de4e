"""Rune War: each action as a row of numbers, for players that learn.

They say what kind of action it is, which card and which place it concerns, and how the battle stands after it. So a net
knows an action by what it does, and not by its number. `state_features` tells of the position.
"""

from quintain.engine import rule
from quintain.games.rune_war import state as st
from quintain.games.rune_war import state_features as sf
from quintain.games.rune_war.points import attacker_wins, tally_of_side, with_card
from quintain.games.rune_war.shape import exposed_in_row, is_taken
from quintain.games.rune_war.state import Book, State

(HOLDING, FINISHING, STOPPING, EXCHANGING, PUTTING_BACK, OF_BATTLE, OF_FIELD, PLACING, LAYING, ATTACKING, SUPPORTING,
 ADDING, AIMING, GOING_ON, NAMING, TAKING, DISCARDING, CHOOSING_SEAT, CHOOSING_ROW, JOINING) = range(20)  # fmt: skip
"""The kinds of actions. AIMING begins a battle, GOING_ON a further one; NAMING is for a rune of the field."""
KINDS, CARD_FEATURES, PLACE_FEATURES, BATTLE_FEATURES = 20, 9 + st.COURTS + st.RUNES, 13, 7
CARD = KINDS
PLACE = CARD + CARD_FEATURES
BATTLE = PLACE + PLACE_FEATURES
ACTION_FEATURES = BATTLE + BATTLE_FEATURES


@rule
def action_features(book: Book, s: State, seat: int, action: int, state: list[float], out: list[float]) -> None:
    """Write a legal action of a seat as `ACTION_FEATURES` numbers; `state` are the features of the state. RW-5."""
    for i in range(ACTION_FEATURES):
        out[i] = 0.0
    kind = kind_of(s, action)
    out[kind] = 1.0
    card = card_of(s, seat, kind, action)
    if card != st.NONE:
        describe_card(s, seat, card, state, out)
    if kind == PLACING:
        describe_place(s, seat, seat, action - st.AT, out)
    elif kind == SUPPORTING:
        describe_place(s, seat, seat, action - st.TURN_UP, out)
    elif kind == AIMING or kind == GOING_ON or kind == NAMING:
        owner, place = (action - st.AIM_AT) // st.PLACES, (action - st.AIM_AT) % st.PLACES
        describe_place(s, seat, owner, place, out)
        describe_aim(s, seat, kind, owner, place, state, out)
    elif kind == CHOOSING_SEAT:
        other = action - st.ON
        out[PLACE] = s.defence_size[other] / sf.TENS
        out[PLACE + 1] = s.hand_size[other] / sf.TENS
    elif kind == CHOOSING_ROW:
        out[PLACE] = (action - st.ROW) / sf.TENS
    if kind == HOLDING or kind == SUPPORTING or kind == ADDING or kind == OF_BATTLE:
        describe_battle(s, seat, kind, card, out)


@rule
def kind_of(s: State, action: int) -> int:
    """Return of which kind a legal action is. RW-2, RW-5, RW-9, RW-12, RW-20, RW-21."""
    if action < st.PLAY:
        return HOLDING + action
    if action < st.AT:
        return OF_BATTLE if st.OF_BATTLE[action - st.PLAY] else OF_FIELD
    if action < st.LAY:
        return PLACING
    if action < st.ATTACK:
        return LAYING
    if action < st.TURN_UP:
        return ATTACKING
    if action < st.ADD:
        return SUPPORTING
    if action < st.AIM_AT:
        return ADDING
    if action < st.TAKE:
        return AIMING if s.phase == st.AIM else GOING_ON if s.phase == st.FURTHER else NAMING
    if action < st.DISCARD:
        return TAKING
    if action < st.ON:
        return DISCARDING
    if action < st.ROW:
        return CHOOSING_SEAT
    return CHOOSING_ROW if action < st.JOIN else JOINING


@rule
def card_of(s: State, seat: int, kind: int, action: int) -> int:
    """Return the card that an action concerns, or NONE. RW-2, RW-5, RW-8, RW-9, RW-20."""
    if kind == OF_BATTLE or kind == OF_FIELD:
        return st.FIRST_RUNE + action - st.PLAY
    if kind == LAYING:
        return action - st.LAY
    if kind == ATTACKING:
        return action - st.ATTACK
    if kind == ADDING:
        return action - st.ADD
    if kind == TAKING:
        return action - st.TAKE
    if kind == DISCARDING:
        return action - st.DISCARD
    if kind == SUPPORTING:
        return s.defence[seat][action - st.TURN_UP]
    if kind == PLACING and not is_taken(s, seat, action - st.AT):
        return s.chosen[seat]
    return s.defence[seat][action - st.AT] if kind == PLACING else s.chosen[seat] if kind == AIMING else st.NONE


@rule
def describe_card(s: State, seat: int, card: int, state: list[float], out: list[float]) -> None:
    """Write what a card is, and how it goes with the own hand. RW-1, RW-17, RW-18."""
    number = st.number_of(card)
    out[CARD] = number / sf.TENS
    out[CARD + 1] = 1.0 if number > 0 else 0.0
    if card >= st.FIRST_RUNE:
        out[CARD + 2] = 1.0
        out[CARD + 9 + st.COURTS + card - st.FIRST_RUNE] = 1.0
        return
    suit = sf.HAND + 4 + st.suit_of(card)
    out[CARD + 3] = state[suit]
    out[CARD + 4] = state[suit + st.SUITS]
    out[CARD + 5] = state[suit + 2 * st.SUITS]
    if number == 0:
        out[CARD + 6] = 1.0
        out[CARD + 7] = 1.0 if state[suit + st.SUITS] > 0.0 else 0.0
        out[CARD + 9 + card % st.RANKS - st.HIGHEST_NUMBER] = 1.0
    out[CARD + 8] = 1.0 if number > 0 and number / sf.TENS >= state[sf.HAND_HIGHEST] - 0.001 else 0.0


@rule
def describe_place(s: State, seat: int, owner: int, place: int, out: list[float]) -> None:
    """Write where a place is, what lies beside it, which exposed cards it covers, and what is known of its card.

    RW-3, RW-4, RW-9, RW-11.
    """
    row, column = st.ROW_OF[place], st.column_of(place)
    bits = s.shape[owner][row]
    out[PLACE] = row / sf.TENS
    out[PLACE + 1] = 1.0 if bits >> column & 1 else 0.0
    beside = (bits >> column + 1 & 1) + (bits >> column - 1 & 1 if column > 0 else 0)
    out[PLACE + 2] = beside / 2.0
    if row > 0:
        exposed, covered = exposed_in_row(s, owner, row - 1), 0
        for below in range(max(column - 1, 0), min(column, row - 1) + 1):
            covered += exposed >> below & 1
        out[PLACE + 3] = covered / 2.0
    out[PLACE + 4] = exposed_in_row(s, owner, row) >> column & 1
    out[PLACE + 5] = min(s.defence_size[owner], 10) / sf.TENS
    out[PLACE + 6] = s.hand_size[owner] / sf.TENS
    if bits >> column & 1 and (owner == seat or st.has_seen(s, seat, owner, place)):
        out[PLACE + 7] = 1.0
        out[PLACE + 8] = st.number_of(s.defence[owner][place]) / sf.TENS
    known = 0
    for other in (column - 1, column + 1):
        if 0 <= other <= row and bits >> other & 1 and st.has_seen(s, seat, owner, st.place_of(row, other)):
            known += 1
            out[PLACE + 9] += st.number_of(s.defence[owner][st.place_of(row, other)]) / sf.TENS
    out[PLACE + 10] = known / 2.0
    out[PLACE + 11] = 1.0 if row == 0 else 0.0
    out[PLACE + 12] = s.destroyed[owner] / sf.TENS


@rule
def describe_aim(s: State, seat: int, kind: int, owner: int, place: int, state: list[float], out: list[float]) -> None:
    """Write how an attack with the chosen cards stands against a card, if the seat knows it. RW-8, RW-10, RW-12."""
    force = 0.0
    if kind == AIMING:
        force = st.number_of(s.chosen[seat]) / sf.TENS
    elif kind == GOING_ON:
        force = 2.0 * state[sf.OUR_POINTS]
    out[BATTLE] = force
    if st.has_seen(s, seat, owner, place):
        number = st.number_of(s.defence[owner][place]) / sf.TENS
        out[BATTLE + 1] = force - number
        out[BATTLE + 2] = 1.0 if force > number + 0.01 else 0.0
        out[BATTLE + 3] = 0.0 if force > number + 0.01 else 1.0
    else:
        out[BATTLE + 4] = 1.0


@rule
def describe_battle(s: State, seat: int, kind: int, card: int, out: list[float]) -> None:
    """Write how the battle would stand after an action. RW-9, RW-10, RW-20, RW-22."""
    side = st.ATTACKER if s.attacker == seat else st.DEFENDER
    other = st.ATTACKER + st.DEFENDER - side
    tally, rune, other_rune = tally_of_side(s, side), sf.rune_of(s, side), sf.rune_of(s, other)
    if kind == SUPPORTING or kind == ADDING:
        tally = with_card(tally, card)
    elif kind == OF_BATTLE:
        rune = card - st.FIRST_RUNE
    ours = sf.points_with(s, side, tally, rune, other_rune)
    theirs = sf.points_with(s, other, tally_of_side(s, other), other_rune, rune)
    hanged = (rune == st.HANGED_MAN or other_rune == st.HANGED_MAN) and rune != st.FOOL and other_rune != st.FOOL
    wins = attacker_wins(ours, theirs, hanged) if side == st.ATTACKER else not attacker_wins(theirs, ours, hanged)
    out[BATTLE] = ours / sf.TWENTIES
    out[BATTLE + 1] = (ours - theirs) / sf.TWENTIES
    out[BATTLE + 2] = 1.0 if wins else 0.0
    out[BATTLE + 3] = 0.0 if wins else 1.0
    out[BATTLE + 5] = 1.0 if kind == HOLDING and (s.declined or (s.further and not s.chariot)) else 0.0
    out[BATTLE + 6] = 1.0 if wins and out[BATTLE + 5] > 0.0 else 0.0
