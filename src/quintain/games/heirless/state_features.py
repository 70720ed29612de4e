"""Heirless battles: what a seat sees as a short row of numbers, for players that learn.

A net that read every tile and every side by its number would have to learn for each of them anew what Knights are worth
there. These numbers say it once: the seat itself, its rivals together and the best of them, the tiles by what they pay,
and how the battle stands. `action_features` describes each action beside them. Nothing here belongs to the rules of
play; the clauses name what a function counts.
"""

from quintain.engine import rule
from quintain.games.heirless import state as st
from quintain.games.heirless import wounds
from quintain.games.heirless.battlecards import hand_to_place, owner_of, set_of
from quintain.games.heirless.season import destination, has_room, is_last_season, knights_sent
from quintain.games.heirless.state import Book, State

ASKED, TILE_KINDS = st.IMPROVE + 1, st.DESTINATIONS
MOMENT, OWN, RIVALS, HAND, FIELD = ASKED + 8, 4 + st.TRACKS, 7 + 2 * st.TRACKS, 8, 5 * TILE_KINDS + 1 + st.TRACKS
SIDE, IN_BATTLE = 9 + st.VALUES, 12
"""How many numbers tell of the moment, of the own seat, of the rivals, of the own hand, of the tiles, of a side in a
battle, and of the battle."""
OF_SELF = MOMENT
OF_RIVALS = OF_SELF + OWN
OF_HAND = OF_RIVALS + RIVALS
OF_FIELD = OF_HAND + HAND
OWN_SIDE = OF_FIELD + FIELD
OTHER_SIDES = OWN_SIDE + SIDE
BATTLE = OTHER_SIDES + SIDE
STATE_FEATURES = BATTLE + IN_BATTLE
TENS, TWENTIES, FEW = 10.0, 20.0, 3.0
"""What numbers are divided by, so that most of them lie between -1 and 1."""


@rule
def state_features(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what a seat sees, from a state that is blinded for it, as `STATE_FEATURES` numbers. HB-6, HB-22."""
    for i in range(STATE_FEATURES):
        out[i] = 0.0
    tell_moment(book, s, seat, out)
    tell_self(book, s, seat, out)
    tell_rivals(book, s, seat, out)
    tell_hand(book, s, seat, out)
    tell_field(book, s, seat, out)
    if st.PLACE <= s.phase <= st.STRIKE:
        tell_battle(book, s, seat, out)


@rule
def tell_moment(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what is asked, and how far the campaign is. HB-19, HB-20, HB-22, HB-24."""
    out[s.phase] = 1.0
    at = ASKED
    out[at] = (book.seasons - s.season) / FEW
    out[at + 1] = 1.0 if is_last_season(book, s) else 0.0
    out[at + 2] = (book.seats - 2) / FEW
    out[at + 3] = book.knights / FEW
    out[at + 4] = float(book.bandits)
    out[at + 5] = s.place[seat] / FEW
    out[at + 6] = 1.0 if s.place[seat] == 0 else 0.0
    out[at + 7] = (book.seats - 1 - s.place[seat]) / FEW


@rule
def attribute(book: Book, s: State, owner: int, track: int) -> float:
    """Return an attribute of an owner as a small number. HB-5, HB-26."""
    return book.track[track][s.step[owner][track]] / TENS


@rule
def tell_self(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what a seat has: Resources, improvements and attributes. HB-23, HB-25, HB-26."""
    at = OF_SELF
    out[at] = s.resources[seat] / TWENTIES
    out[at + 1] = s.gained[seat] / FEW
    out[at + 2] = 1.0 if has_room(book, s, seat) else 0.0
    for track in range(st.TRACKS):
        out[at + 4 + track] = attribute(book, s, seat, track)
        out[at + 3] += s.step[seat][track] / TENS


@rule
def tell_rivals(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what the rivals have: the mean of them all, and the most that one of them has. HB-25, HB-26."""
    at = OF_RIVALS
    share = 1.0 / (book.seats - 1)
    richest, best, most = 0, 0, 0
    for other in range(book.seats):
        if other != seat:
            richest = max(richest, s.resources[other])
            best = max(best, s.gained[other])
            most = max(most, cards_of(book, s, other))
            out[at] += share * (s.resources[seat] - s.resources[other]) / TENS
            out[at + 1] += share * (s.gained[seat] - s.gained[other]) / FEW
            out[at + 2] += share if s.resources[other] > s.resources[seat] else 0.0
            out[at + 3] += share * cards_of(book, s, other) / FEW
            for track in range(st.TRACKS):
                value = attribute(book, s, other, track)
                out[at + 7 + track] += share * value
                out[at + 7 + st.TRACKS + track] = max(out[at + 7 + st.TRACKS + track], value)
    out[at + 4] = (s.resources[seat] - richest) / TENS
    out[at + 5] = (s.gained[seat] - best) / FEW
    out[at + 6] = most / FEW


@rule
def cards_of(book: Book, s: State, owner: int) -> int:
    """Return how many cards an owner may place from its Battle Hand. HB-7."""
    count = 0
    for card in range(st.MOST_CARDS):
        count += s.hand[owner] >> card & 1
    return count if count > 0 else book.cards[set_of(owner)]


@rule
def tell_hand(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write the own Battle Hand: its size, and the best number of its cards in each role. HB-5, HB-7, HB-8, HB-9."""
    at = OF_HAND
    size = cards_of(book, s, seat)
    hand = hand_to_place(book, s, seat)
    out[at] = size / FEW
    out[at + 1] = 1.0 if size <= 2 else 0.0
    for value in range(3):
        is_less_better = value == 2  # Delay of an attack, and the Wound that a defence brings
        attack, defence = -st.MOST_VALUE, -st.MOST_VALUE
        for card in range(st.MOST_CARDS):
            if hand >> card & 1:
                there = book.attack[st.PLAYERS_SET][card][value]
                attack = max(attack, -there if is_less_better else there)
                there = book.defence[st.PLAYERS_SET][card][value]
                defence = max(defence, -there if is_less_better else there)
        out[at + 2 + value] = attack / TENS
        out[at + 5 + value] = defence / TENS


@rule
def tell_field(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write where Knights are, which battles are over, and how strong the Bandits are. HB-3, HB-21, HB-22, HB-26."""
    at = OF_FIELD
    for tile in range(st.CASTLE + book.seats):
        kind = at + 5 * destination(s, seat, tile)
        out[kind] += s.host[seat][tile] / FEW
        if tile < st.CASTLE:
            out[kind + 1] += s.bandits[tile] / FEW
            out[kind + 2] += s.fought >> tile & 1
        if s.phase != st.MUSTER:
            for other in range(book.seats):
                if other != seat:
                    out[kind + 3] += s.host[other][tile] / FEW
                    out[kind + 4] += 1.0 / FEW if s.host[other][tile] > 0 and s.host[seat][tile] > 0 else 0.0
    at += 5 * TILE_KINDS
    out[at] = (book.knights - knights_sent(s, seat)) / FEW
    if book.bandits:
        for track in range(st.TRACKS):
            for owner in range(st.SEATS, st.OWNERS):
                out[at + 1 + track] += attribute(book, s, owner, track) / st.CAMPS


@rule
def tell_battle(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write how the battle stands; of the own side nothing, if it is not there. HB-4, HB-11, HB-13, HB-16, HB-17."""
    others = 0
    for i in range(s.sides):
        others += 1 if s.lineup[i] != seat else 0
    if s.force[seat] > 0:
        tell_side(book, s, seat, seat, 1.0, OWN_SIDE, out)
    at = BATTLE
    strongest = 0
    for i in range(s.sides):
        side = s.lineup[i]
        if side != seat:
            tell_side(book, s, side, seat, 1.0 / others, OTHER_SIDES, out)
            out[at] += s.force[side] / FEW
            strongest = max(strongest, s.force[side])
            out[at + 1] += s.force[side] / FEW if side == st.BANDITS else 0.0
    out[at + 3] = (s.sides - 2) / FEW
    out[at + 4] = (s.force[seat] - strongest) / FEW
    out[at + 5 + destination(s, seat, s.tile)] = 1.0
    if s.phase != st.PLACE and s.force[seat] > 0:
        out[at + 2] = 1.0 if s.ally[seat] != st.NONE else 0.0
        out[at + 10] = lead(s, seat) / TENS
        if s.phase == st.STRIKE and s.actor == seat:
            out[at + 11] = (wounds.standing(s, seat) - s.sent) / FEW


@rule
def tell_side(book: Book, s: State, side: int, viewer: int, share: float, at: int, out: list[float]) -> None:
    """Add what a viewer knows of a side of a battle, times a share in a mean. HB-4 to HB-8, HB-10 to HB-12, HB-14."""
    out[at] += share * s.force[side] / FEW
    if s.phase == st.PLACE:
        out[at + 1] += share if side != st.BANDITS and not s.waiting >> side & 1 else 0.0
        for value in range(st.VALUES):
            out[at + 9 + value] += share * value_placed(book, s, side, viewer, value) / TENS
        return
    out[at + 2] += share * wounds.standing(s, side) / FEW
    out[at + 3] += share * wounds.points_of_side(s, side) / TENS
    out[at + 4] += share if has_turn_left(s, side) else 0.0
    out[at + 5] += share if s.ally[side] != st.NONE else 0.0
    out[at + 6] += share * s.place[side] / FEW
    if side != viewer and s.force[viewer] > 0:
        out[at + 7] += share * wounds.damage_after_defense(s, viewer, side) / TENS
        out[at + 8] += share * wounds.damage_after_defense(s, side, viewer) / TENS
    for value in range(st.VALUES):
        out[at + 9 + value] += share * s.value[side][value] / TENS


@rule
def value_placed(book: Book, s: State, side: int, viewer: int, value: int) -> int:
    """Return a battle value of a side while cards are placed, with those that the viewer has placed. HB-6, HB-8."""
    total = 0
    if value < st.TRACKS:
        total = book.track[value][s.step[owner_of(s, side)][value]]
    if side == viewer:
        for i in range(len(st.ATTACK_SIDE)):
            if st.ATTACK_SIDE[i] == value and s.attack[side] != st.NONE:
                total += book.attack[set_of(side)][s.attack[side]][i]
            if st.DEFENCE_SIDE[i] == value and s.defence[side] != st.NONE:
                total += book.defence[set_of(side)][s.defence[side]][i]
    return max(total, st.LEAST_DELAY if value == st.DELAY else 0)


@rule
def has_turn_left(s: State, side: int) -> bool:
    """Return whether a side with a standing Knight still has its battle turn to come. HB-12."""
    for i in range(s.turn, s.sides):
        if s.turns[i] == side:
            return wounds.standing(s, side) > 0
    return False


@rule
def joint_points_now(s: State, side: int) -> int:
    """Return the points that a side and its ally would have if the battle ended now. HB-11, HB-16."""
    points = wounds.points_of_side(s, side)
    return points + wounds.points_of_side(s, s.ally[side]) if s.ally[side] != st.NONE else points


@rule
def lead(s: State, side: int) -> int:
    """Return by how many points a side, with its ally, is ahead of the best of its enemies now. HB-16, HB-17."""
    best = 0
    for i in range(s.sides):
        other = s.lineup[i]
        if other != side and not wounds.are_allies(s, side, other):
            best = max(best, joint_points_now(s, other))
    return joint_points_now(s, side) - best
