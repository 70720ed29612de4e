"""Heirless battles: each action as a row of numbers, for players that learn.

They say what kind of action it is, what its tile pays and who is there, what its card does, or how hard its blow hits.
So a net knows an action by what it does, and not by the number of a seat or of a card. `state_features` tells of the
position.
"""

from quintain.engine import rule
from quintain.games.heirless import state as st
from quintain.games.heirless import state_features as sf
from quintain.games.heirless import wounds
from quintain.games.heirless.season import destination, most_knights_on, pay_of
from quintain.games.heirless.state import Book, State

(SENDING, FIGHTING, ATTACKING, DEFENDING, PROPOSING, PROPOSING_NOTHING, ACCEPTING, DECLINING, HOLDING, AIMING,
 RAISING) = range(11)  # fmt: skip
"""The kinds of actions, in the order of their numbers."""
KINDS, TILE, CARD, SIDE, BLOW, STEP = 11, 13 + st.DESTINATIONS, 5 + 2 * st.VALUES, 10, 11, 4 + st.TRACKS
"""How many numbers tell of the kind, of a tile, of a card, of another side, of a blow, and of a step on a track."""
OF_TILE = KINDS
OF_CARD = OF_TILE + TILE
OF_SIDE = OF_CARD + CARD
OF_BLOW = OF_SIDE + SIDE
OF_STEP = OF_BLOW + BLOW
ACTION_FEATURES = OF_STEP + STEP


@rule
def action_features(book: Book, s: State, seat: int, action: int, state: list[float], out: list[float]) -> None:
    """Write a legal action of a seat as `ACTION_FEATURES` numbers; `state` are the features of the state.

    HB-3, HB-6, HB-11, HB-13, HB-22, HB-23.
    """
    for i in range(ACTION_FEATURES):
        out[i] = 0.0
    kind = kind_of(action)
    out[kind] = 1.0
    if kind == SENDING:
        describe_tile(book, s, seat, action - st.SEND, out)
    elif kind == FIGHTING:
        describe_tile(book, s, seat, action - st.FIGHT, out)
    elif kind == ATTACKING or kind == DEFENDING:
        describe_card(book, s, seat, kind, action, out)
    elif kind == PROPOSING:
        describe_side(s, seat, action - st.PROPOSE, out)
    elif kind == ACCEPTING or kind == DECLINING:
        describe_side(s, seat, s.proposer, out)
    elif kind == AIMING:
        target = action - st.TARGET
        describe_side(s, seat, target // st.MOST_KNIGHTS, out)
        describe_blow(s, seat, target // st.MOST_KNIGHTS, target % st.MOST_KNIGHTS, out)
    elif kind == RAISING:
        describe_step(book, s, seat, action - st.RAISE, state, out)


@rule
def kind_of(action: int) -> int:
    """Return of which kind an action is. HB-3, HB-6, HB-11, HB-13, HB-22, HB-23."""
    if action < st.FIGHT:
        return SENDING
    if action < st.ATTACK:
        return FIGHTING
    if action < st.DEFEND:
        return ATTACKING
    if action < st.PROPOSE:
        return DEFENDING
    if action < st.PROPOSE_NOTHING:
        return PROPOSING
    if action < st.TARGET:
        return PROPOSING_NOTHING + action - st.PROPOSE_NOTHING
    return AIMING if action < st.RAISE else RAISING


@rule
def describe_tile(book: Book, s: State, seat: int, tile: int, out: list[float]) -> None:
    """Write what a tile pays, who is known to be there, and how Bandits or its owner would fight. HB-20 to HB-23."""
    kind = destination(s, seat, tile)
    at = OF_TILE
    out[at + kind] = 1.0
    at += st.DESTINATIONS
    out[at] = s.host[seat][tile] / sf.FEW
    out[at + 1] = 1.0 if s.host[seat][tile] == 0 else 0.0
    if tile < st.CASTLE:
        out[at + 2] = pay_of(s, seat, tile) / sf.TENS
        out[at + 3] = s.bandits[tile] / sf.FEW
        if s.bandits[tile] > 0:
            describe_meeting(book, s, seat, st.SEATS + tile - st.FIRST_CAMP, at + 4, out)
    else:
        owner = tile - st.CASTLE
        if owner != seat:
            out[at + 2] = st.CASTLE_PAYS / sf.TENS
            describe_meeting(book, s, seat, owner, at + 4, out)
            out[at + 8] = (s.resources[seat] - s.resources[owner]) / sf.TENS
            out[at + 9] = (s.place[seat] - s.place[owner]) / sf.FEW
    if s.phase != st.MUSTER:
        for other in range(book.seats):
            if other != seat:
                out[at + 10] += s.host[other][tile] / sf.FEW
                out[at + 11] += 1.0 / sf.FEW if s.host[other][tile] > 0 else 0.0
        out[at + 12] = 1.0 if most_knights_on(book, s, tile) == seat else 0.0


@rule
def describe_meeting(book: Book, s: State, seat: int, owner: int, at: int, out: list[float]) -> None:
    """Write how the attributes of a seat stand against those of an owner. HB-14, HB-26."""
    out[at] = sf.attribute(book, s, seat, st.DAMAGE) - sf.attribute(book, s, owner, st.DEFENSE)
    out[at + 1] = sf.attribute(book, s, owner, st.DAMAGE) - sf.attribute(book, s, seat, st.DEFENSE)
    out[at + 2] = sf.attribute(book, s, seat, st.HEALTH) - sf.attribute(book, s, owner, st.HEALTH)
    out[at + 3] = sf.attribute(book, s, seat, st.DELAY) - sf.attribute(book, s, owner, st.DELAY)


@rule
def describe_card(book: Book, s: State, seat: int, kind: int, action: int, out: list[float]) -> None:
    """Write what a card does in its role and would do in the other, and what it meets at worst.

    That is the toughest, the slowest, the hardest and the largest of the other sides, by what is known of them. HB-5,
    HB-6, HB-8, HB-9, HB-14, HB-26.
    """
    card = action - st.ATTACK if kind == ATTACKING else action - st.DEFEND
    at = OF_CARD
    for i in range(3):
        attack = book.attack[st.PLAYERS_SET][card][i] / sf.TENS
        defence = book.defence[st.PLAYERS_SET][card][i] / sf.TENS
        out[at + 5 + st.ATTACK_SIDE[i]] = attack if kind == ATTACKING else 0.0
        out[at + 5 + st.DEFENCE_SIDE[i]] = defence if kind == DEFENDING else 0.0
        out[at + 5 + st.VALUES + st.ATTACK_SIDE[i]] = attack
        out[at + 5 + st.VALUES + st.DEFENCE_SIDE[i]] = defence
    others, most, hardest, toughest, slowest = 0, 0, 0, 0, 0
    for i in range(s.sides):
        side = s.lineup[i]
        if side != seat:
            others += s.force[side]
            most = max(most, s.force[side])
            hardest = max(hardest, sf.value_placed(book, s, side, seat, st.DAMAGE))
            toughest = max(toughest, sf.value_placed(book, s, side, seat, st.DEFENSE))
            slowest = max(slowest, sf.value_placed(book, s, side, seat, st.DELAY))
    out[at] = (others - s.force[seat]) / sf.FEW
    if kind == ATTACKING:
        damage = sf.value_placed(book, s, seat, seat, st.DAMAGE) + book.attack[st.PLAYERS_SET][card][0]
        out[at + 1] = (max(damage, 0) - toughest) / sf.TENS
        delay = sf.value_placed(book, s, seat, seat, st.DELAY) + book.attack[st.PLAYERS_SET][card][2]
        out[at + 2] = (slowest - max(delay, st.LEAST_DELAY)) / sf.TENS
    else:
        defense = max(sf.value_placed(book, s, seat, seat, st.DEFENSE) + book.defence[st.PLAYERS_SET][card][1], 0)
        out[at + 3] = (hardest - defense) / sf.TENS
        health = sf.value_placed(book, s, seat, seat, st.HEALTH) - book.defence[st.PLAYERS_SET][card][2]
        out[at + 4] = (health - most * max(hardest - defense, 0)) / sf.TWENTIES


@rule
def describe_side(s: State, seat: int, side: int, out: list[float]) -> None:
    """Write how another side stands in the battle, beside the own one. HB-10 to HB-12, HB-14, HB-16, HB-17."""
    at = OF_SIDE
    out[at] = s.force[side] / sf.FEW
    out[at + 1] = wounds.standing(s, side) / sf.FEW
    out[at + 2] = sf.joint_points_now(s, side) / sf.TENS
    out[at + 3] = 1.0 if sf.has_turn_left(s, side) else 0.0
    out[at + 4] = wounds.damage_after_defense(s, seat, side) / sf.TENS
    out[at + 5] = wounds.damage_after_defense(s, side, seat) / sf.TENS
    out[at + 6] = (sf.joint_points_now(s, side) + wounds.points_of_side(s, seat)) / sf.TENS
    out[at + 7] = 1.0 if sf.joint_points_now(s, side) > sf.joint_points_now(s, seat) else 0.0
    if side == st.BANDITS:
        out[at + 8] = 1.0
    else:
        out[at + 9] = (s.resources[seat] - s.resources[side]) / sf.TENS


@rule
def describe_blow(s: State, seat: int, side: int, knight: int, out: list[float]) -> None:
    """Write what one more blow does to a Knight, with those that are on their way to it. HB-10, HB-13, HB-14, HB-16."""
    health = s.value[side][st.HEALTH]
    before = min(s.wounds[side][knight] + wounds.wounds_dealt(s, seat, side, s.aim[side][knight]), health)
    after = min(s.wounds[side][knight] + wounds.wounds_dealt(s, seat, side, s.aim[side][knight] + 1), health)
    left = wounds.standing(s, seat) - s.sent
    with_all = min(s.wounds[side][knight] + wounds.wounds_dealt(s, seat, side, s.aim[side][knight] + left), health)
    points = st.QUARTERS * (health - before) // health
    at = OF_BLOW
    out[at] = (after - before) / sf.TENS
    out[at + 1] = 1.0 if after == health and before < health else 0.0
    out[at + 2] = 1.0 if before == health else 0.0
    out[at + 3] = (points - st.QUARTERS * (health - after) // health) / st.QUARTERS
    out[at + 4] = points / st.QUARTERS
    out[at + 5] = (points - st.QUARTERS * (health - with_all) // health) / st.QUARTERS
    out[at + 6] = 1.0 if with_all == health and before < health else 0.0
    out[at + 7] = (health - before) / sf.TWENTIES
    out[at + 8] = s.aim[side][knight] / sf.FEW
    out[at + 9] = left / sf.FEW
    out[at + 10] = 1.0 if after > before and sf.has_turn_left(s, side) else 0.0


@rule
def describe_step(book: Book, s: State, seat: int, track: int, state: list[float], out: list[float]) -> None:
    """Write what the next step of a track gives, beside the own attribute and those of the rivals. HB-23, HB-26."""
    at = OF_STEP
    step = s.step[seat][track]
    out[at + track] = 1.0
    at += st.TRACKS
    out[at] = (book.track[track][step + 1] - book.track[track][step]) / sf.FEW
    out[at + 1] = step / sf.FEW
    out[at + 2] = (book.steps[track] - 1 - step) / sf.FEW
    out[at + 3] = sf.attribute(book, s, seat, track) - state[sf.OF_RIVALS + 7 + track]
