"""Heirless battles: one battle, from the line-up of its sides to its victor.

`season.py` begins a battle on a tile and deals with what follows from its victor. `battlecards.py` places and turns up
the cards, `bandits.py` chooses the targets of the Bandits, and `wounds.py` counts what a blow does.
"""

from quintain.engine import rule, tell
from quintain.games.heirless import state as st
from quintain.games.heirless import wounds
from quintain.games.heirless.bandits import bandit_target
from quintain.games.heirless.battlecards import place_cards_of_bandits, reveal_side
from quintain.games.heirless.state import Book, State


@rule
def begin_battle(s: State, tile: int) -> None:
    """Begin the battle on a tile. HB-1, HB-3."""
    s.fought |= 1 << tile
    s.tile = tile
    s.phase = st.LINE_UP


@rule
def advance_battle(book: Book, s: State) -> None:
    """Carry out the current phase of a battle, in which no seat is asked. HB-4, HB-6, HB-11, HB-12, HB-17."""
    if s.phase == st.LINE_UP:
        line_all_up(book, s)
    elif s.phase == st.REVEAL:
        reveal(book, s)
    elif s.phase == st.ALLIANCES:
        next_proposal(s)
    elif s.phase == st.NEXT_TURN:
        next_turn(s)
    elif s.phase == st.BLOWS:
        count_blows(s)
    else:
        find_victor(s)


@rule
def line_all_up(book: Book, s: State) -> None:
    """Line up all sides on the tile, in player order with the Bandits last, and ask for cards. HB-4, HB-6."""
    tile = s.tile
    s.sides = 0
    s.waiting = 0
    for side in range(st.SIDES):
        clear_side(s, side)
    for i in range(book.seats):
        seat = s.order[i]
        if s.host[seat][tile] > 0:
            line_up(s, seat, s.host[seat][tile])
            s.waiting |= 1 << seat
    if s.bandits[tile] > 0:
        line_up(s, st.BANDITS, s.bandits[tile])
    s.phase = st.PLACE
    tell(s, st.BATTLE, st.NONE, st.NONE, tile)


@rule
def clear_side(s: State, side: int) -> None:
    """Clear the force and the cards that the last battle left for a side. HB-4, HB-7."""
    s.force[side] = 0
    s.attack[side] = st.NONE
    s.defence[side] = st.NONE


@rule
def line_up(s: State, side: int, force: int) -> None:
    """Add a side to the battle, with a number of Knights or Bandits. HB-4."""
    s.lineup[s.sides] = side
    s.force[side] = force
    s.sides += 1


@rule
def reveal(book: Book, s: State) -> None:
    """Turn all cards up together, and settle the order of turns by the Delays. HB-6, HB-9, HB-12."""
    forget_last(s)
    if s.force[st.BANDITS] > 0:
        place_cards_of_bandits(book, s)
    for i in range(s.sides):
        reveal_side(book, s, s.lineup[i])
        put_in_turn_order(s, i)
    keep_revealed(s)
    s.phase = st.ALLIANCES if s.sides >= st.LEAST_SIDES_TO_ALLY else st.NEXT_TURN


@rule
def forget_last(s: State) -> None:
    """Clear the course of the last battle, which players could read until now: Wounds do not last. HB-18."""
    for side in range(st.SIDES):
        s.ally[side] = st.NONE
        s.points[side] = 0
        for knight in range(st.MOST_KNIGHTS):
            s.wounds[side][knight] = 0
    for i in range(s.turn):
        for j in range(s.revealed_sides):
            for knight in range(st.MOST_KNIGHTS):
                s.struck[s.turns[i]][s.revealed_lineup[j]][knight] = 0
    s.asked = 0
    s.proposer = st.NONE
    s.turn = 0
    s.victor = st.NONE


@rule
def keep_revealed(s: State) -> None:
    """Note the sides of this battle and their cards, which stay readable until the next reveal. HB-6."""
    s.revealed_tile = s.tile
    s.revealed_sides = s.sides
    for side in range(st.SIDES):
        s.revealed_lineup[side] = s.lineup[side]
        s.revealed_force[side] = s.force[side]
        s.revealed_attack[side] = s.attack[side]
        s.revealed_defence[side] = s.defence[side]


@rule
def put_in_turn_order(s: State, i: int) -> None:
    """Insert side i of the lineup into the order of turns, before earlier sides of equal Delay. HB-12."""
    side = s.lineup[i]
    while i > 0 and s.value[s.turns[i - 1]][st.DELAY] >= s.value[side][st.DELAY]:
        s.turns[i] = s.turns[i - 1]
        i -= 1
    s.turns[i] = side


@rule
def may_ally(s: State, seat: int, other: int) -> bool:
    """Return whether a seat may propose an alliance to another side. HB-11."""
    return other != seat and other < st.SEATS and s.force[other] > 0 and s.ally[other] == st.NONE


@rule
def next_proposal(s: State) -> None:
    """Ask the next player who has no ally and somebody to propose to; begin the turns if none is left. HB-11."""
    if s.asked == s.sides:
        s.phase = st.NEXT_TURN
        return
    seat = s.lineup[s.asked]
    s.asked += 1
    if seat != st.BANDITS and s.ally[seat] == st.NONE:
        for i in range(s.sides):
            if may_ally(s, seat, s.lineup[i]):
                s.actor = seat
                s.phase = st.PROPOSAL


@rule
def legal_proposals(s: State, seat: int, mask: list[int]) -> int:
    """Mark the proposals that a seat may make, and return their number. HB-11."""
    mask[st.PROPOSE_NOTHING] = 1
    count = 1
    for i in range(s.sides):
        if may_ally(s, seat, s.lineup[i]):
            mask[st.PROPOSE + s.lineup[i]] = 1
            count += 1
    return count


@rule
def legal_answers(mask: list[int]) -> int:
    """Mark both answers to a proposal, and return their number. HB-11."""
    mask[st.ACCEPT] = 1
    mask[st.DECLINE] = 1
    return 2


@rule
def propose(s: State, seat: int, action: int) -> None:
    """Ask another player to accept an alliance, or propose nothing. HB-11."""
    if action == st.PROPOSE_NOTHING:
        tell(s, st.PROPOSED_NOTHING, seat)
        s.phase = st.ALLIANCES
        return
    s.proposer = seat
    s.actor = action - st.PROPOSE
    s.phase = st.ANSWER
    tell(s, st.PROPOSED, seat, s.actor)


@rule
def answer(s: State, seat: int, action: int) -> None:
    """Accept or decline the alliance that was proposed. HB-11."""
    if action == st.ACCEPT:
        s.ally[seat] = s.proposer
        s.ally[s.proposer] = seat
    tell(s, st.ALLIED if action == st.ACCEPT else st.DECLINED, seat, s.proposer)
    s.phase = st.ALLIANCES


@rule
def next_turn(s: State) -> None:
    """Give the next side its turn, if one of its Knights stands and has a target. HB-12, HB-15."""
    if s.turn == s.sides:
        s.phase = st.VICTORY
        return
    side = s.turns[s.turn]
    s.turn += 1
    if wounds.standing(s, side) == 0 or not has_target(s, side):
        tell(s, st.NO_TURN, side, st.NONE, wounds.standing(s, side))
        return
    s.sent = 0
    for i in range(s.sides):
        for knight in range(st.MOST_KNIGHTS):
            s.aim[s.lineup[i]][knight] = 0
    if side == st.BANDITS:
        for _ in range(wounds.standing(s, st.BANDITS)):
            aim(s, st.BANDITS, bandit_target(s))
        s.phase = st.BLOWS
    else:
        s.actor = side
        s.phase = st.STRIKE


@rule
def may_strike(s: State, side: int, other: int) -> bool:
    """Return whether the Knights of a side may target those of another: not their own, nor allies. HB-11, HB-13."""
    return side != other and not wounds.are_allies(s, side, other)


@rule
def has_target(s: State, side: int) -> bool:
    """Return whether a side has a standing Knight or Bandit to target. HB-12."""
    for i in range(s.sides):
        if may_strike(s, side, s.lineup[i]) and wounds.standing(s, s.lineup[i]) > 0:
            return True
    return False


@rule
def legal_strikes(s: State, seat: int, mask: list[int]) -> int:
    """Mark the targets that a seat may name, and return their number; of like Knights only the first. HB-13."""
    mask[st.HOLD_BACK] = 1
    count = 1
    for i in range(s.sides):
        side = s.lineup[i]
        if may_strike(s, seat, side):
            for knight in range(s.force[side]):
                if wounds.stands(s, side, knight) and not has_twin_before(s, side, knight):
                    mask[st.TARGET + side * st.MOST_KNIGHTS + knight] = 1
                    count += 1
    return count


@rule
def has_twin_before(s: State, side: int, knight: int) -> bool:
    """Return whether an earlier Knight of the side has equal Wounds and equally many attackers. HB-13."""
    for other in range(knight):
        if s.wounds[side][other] == s.wounds[side][knight] and s.aim[side][other] == s.aim[side][knight]:
            return True
    return False


@rule
def strike(s: State, seat: int, action: int) -> None:
    """Give the next Knight its target, or have it and all after it hold back. HB-13."""
    if action == st.HOLD_BACK:
        tell(s, st.HELD, seat, st.NONE, wounds.standing(s, seat) - s.sent)
        s.phase = st.BLOWS
        return
    aim(s, seat, action - st.TARGET)
    if s.sent == wounds.standing(s, seat):
        s.phase = st.BLOWS


@rule
def aim(s: State, side: int, target: int) -> None:
    """Note the target of the next standing Knight or Bandit of a side. HB-13, HB-15."""
    s.aim[target // st.MOST_KNIGHTS][target % st.MOST_KNIGHTS] += 1
    tell(s, st.AIMED, side, target // st.MOST_KNIGHTS, nth_standing(s, side, s.sent), target % st.MOST_KNIGHTS)
    s.sent += 1


@rule
def nth_standing(s: State, side: int, n: int) -> int:
    """Return the n-th standing Knight of a side, counted from 0. HB-13."""
    knight = 0
    while n > 0 or not wounds.stands(s, side, knight):
        n -= 1 if wounds.stands(s, side, knight) else 0
        knight += 1
    return knight


@rule
def count_blows(s: State) -> None:
    """Put the Wounds on every target of this turn. HB-13, HB-14.

    The event reports the Wounds that the target takes and, if they strike it down, also those that were dealt.
    """
    attacker = s.turns[s.turn - 1]
    for i in range(s.sides):
        side = s.lineup[i]
        if side != attacker:
            for knight in range(s.force[side]):
                number = s.aim[side][knight]
                if number > 0:
                    dealt = wounds.wounds_dealt(s, attacker, side, number)
                    before = s.wounds[side][knight]
                    wounds.wound(s, side, knight, dealt)
                    s.struck[attacker][side][knight] = number
                    taken = s.wounds[side][knight] - before
                    tell(s, st.WOUNDED, attacker, side, knight, taken, 0 if wounds.stands(s, side, knight) else dealt)
    s.phase = st.NEXT_TURN


@rule
def find_victor(s: State) -> None:
    """Count the points of each side and find the victor; player order settles ties. HB-16, HB-17."""
    for i in range(s.sides):
        side = s.lineup[i]
        s.points[side] = wounds.points_of_side(s, side)
        tell(s, st.SCORED, side, st.NONE, s.points[side])
    s.victor = s.lineup[0]
    for i in range(1, s.sides):
        if is_ahead(s, s.lineup[i], s.victor):
            s.victor = s.lineup[i]
    tell(s, st.WON, s.victor, s.ally[s.victor], s.tile)
    count_battle(s)
    s.phase = st.AFTERMATH


@rule
def count_battle(s: State) -> None:
    """Add a battle to the counts for the report: with Bandits, and with enough sides to ally. HB-11, HB-17."""
    if s.force[st.BANDITS] > 0:
        s.bandit_battles += 1
        s.bandit_wins += 1 if s.victor == st.BANDITS else 0
    if s.sides >= st.LEAST_SIDES_TO_ALLY:
        s.large_battles += 1
        s.allied_wins += 1 if s.ally[s.victor] != st.NONE else 0


@rule
def is_ahead(s: State, side: int, other: int) -> bool:
    """Return whether a side, with its ally, is ahead of another; player order settles ties. HB-17, HB-19."""
    points = joint_points(s, side)
    points_there = joint_points(s, other)
    return points > points_there or (points == points_there and joint_place(s, side) < joint_place(s, other))


@rule
def joint_points(s: State, side: int) -> int:
    """Return the points of a side and its ally together. HB-16."""
    return s.points[side] + (s.points[s.ally[side]] if s.ally[side] != st.NONE else 0)


@rule
def joint_place(s: State, side: int) -> int:
    """Return the place of a side in player order; an alliance has the place of its later member. HB-17."""
    return max(s.place[side], s.place[s.ally[side]]) if s.ally[side] != st.NONE else s.place[side]


@rule
def wins(s: State, side: int) -> bool:
    """Return whether a side has won the battle, alone or with an ally. HB-17."""
    return side == s.victor or wounds.are_allies(s, s.victor, side)
