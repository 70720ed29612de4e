"""Round Table: what a seat sees as a short row of numbers, for players that learn.

A net that read every field of the state would be huge, and would learn each card in each place by itself. These numbers
are sums over what lies in play and in the own hand, from about -1 to 2. `action_features` describes each action beside
them. All cards enter by their data, so a card of one's own means to the net what it says. Nothing here belongs to the
rules of play; the clauses name what a function counts.
"""

from quintain.engine import rule
from quintain.games.round_table import state as st
from quintain.games.round_table.autumn import sum_at
from quintain.games.round_table.effects import cost, knights_at, renown_of, strength
from quintain.games.round_table.policy import useful_demesnes
from quintain.games.round_table.setting_up import all_renown
from quintain.games.round_table.state import Book, State

PHASES, SEASONS, SUMMER_STEPS, FIRST_HAND, KINDS, TYPES = 16, 4, 4, 4, 6, 5
"""How many phases, Seasons, steps of a turn and of a first hand, kinds of cards and types of Knights there are."""
MOMENT, SIDE, HAND_FEATURES, PLACE, IN_USE = 39, 27, 26, 14, 11
"""How many numbers tell of the moment, of a side, of the own hand, of an open Region, and of a card that is played."""
OWN_SIDE, OTHERS, OWN_HAND = MOMENT, MOMENT + SIDE, MOMENT + 2 * SIDE
PLACES = OWN_HAND + HAND_FEATURES
"""Where the own side, the others' sides, the own hand and the open Regions begin."""
CARD_IN_USE = PLACES + PLACE * st.OPEN_REGIONS
STATE_FEATURES = CARD_IN_USE + IN_USE
(IS_OPEN, RENOWN_THERE, RESISTANCE_THERE, OWN_KNIGHTS, OWN_INFLUENCE, OWN_RESISTANCE, OTHER_KNIGHTS, OTHER_INFLUENCE,
 OTHER_RESISTANCE, LACKING, OWN_CAPTURE, OTHER_CAPTURE, WITHIN_REACH, REACHABLE_RENOWN) = range(PLACE)  # fmt: skip
"""What the numbers of an open Region are. LACKING: the Influence that the seat lacks to capture it."""
AT_HOME = OWN_SIDE + 14
"""Where the Influence of the seat's Knights at home stands."""
FORCE, FEW, SOME, MANY = 15.0, 3.0, 5.0, 20.0
"""What sums of Influence, Resistance and Renown and what counts are divided by."""


@rule
def state_features(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what a seat sees, from a state that is blinded for it, as `STATE_FEATURES` numbers. RT-2."""
    for i in range(STATE_FEATURES):
        out[i] = 0.0
    tell_moment(book, s, seat, out)
    tell_side(book, s, seat, 1.0, OWN_SIDE, out)
    for other in range(book.seats):
        if other != seat:
            tell_side(book, s, other, 1.0 / (book.seats - 1), OTHERS, out)
    tell_hand(book, s, seat, out)
    for place in range(st.OPEN_REGIONS):
        if s.open[place] != st.NONE:
            tell_place(book, s, seat, place, PLACES + PLACE * place, out)
    tell_card_in_use(book, s, seat, out)


@rule
def tell_moment(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what moment of the match it is, and what the seat owes and may still do. RT-6, RT-11, RT-16, RT-31."""
    out[s.phase] = 1.0
    at = PHASES
    out[at + s.season] = 1.0
    at += SEASONS
    out[at + s.step] = 1.0
    at += SUMMER_STEPS
    out[at + s.set_up[seat]] = 1.0
    at += FIRST_HAND
    out[at] = 1.0 if s.active == seat else 0.0
    out[at + 1] = float(s.acted)
    out[at + 2] = s.passes / book.seats
    out[at + 3] = s.year / 10.0
    out[at + 4] = min(s.owed_draws[seat], 10) / FEW
    out[at + 5] = min(s.owed_discards[seat] + s.to_drop[seat], 10) / FEW
    out[at + 6] = s.actions[seat] / 10.0
    out[at + 7] = float(min(s.demesnes_played[seat], 3))
    out[at + 8] = s.regions_left / 5.0
    out[at + 9] = all_renown(book, s) / MANY
    out[at + 10] = (book.seats - 2) / 2.0


@rule
def tell_side(book: Book, s: State, seat: int, share: float, first: int, out: list[float]) -> None:
    """Add what a seat has in play, times its share in a sum over several seats. RT-8, RT-10, RT-12, RT-16, RT-24."""
    for step in range(st.STEPS):
        out[first + step] += share * s.demesne[seat][step] / SOME
    out[first + 5] += share * min(s.capacity[seat], 100) / MANY
    out[first + 6] += share * min(s.allocated[seat], 100) / MANY
    out[first + 7] += share * max(-10, min(s.capacity[seat] - s.allocated[seat], 50)) / 10.0
    out[first + 8] += share * s.hand_size[seat] / 10.0
    out[first + 9] += share * renown_of(book, s, seat) / 10.0
    out[first + 10] += share * 2.0 * renown_of(book, s, seat) / max(1, all_renown(book, s))
    for slot in range(s.top[seat]):
        if s.line[seat][slot] != st.NONE:
            tell_unit(book, s, seat, slot, share, first + 11, out)


@rule
def tell_unit(book: Book, s: State, seat: int, slot: int, share: float, at: int, out: list[float]) -> None:
    """Add what a card in play brings to its side. RT-12, RT-13, RT-17, RT-21, RT-25."""
    kind = book.card[seat][s.line[seat][slot]].kind
    if kind == st.KNIGHT:
        influence = share * strength(book, s, st.INFLUENCE, seat, slot) / FORCE
        out[at] += share / SOME
        out[at + 1] += influence
        out[at + 2] += share * strength(book, s, st.RESISTANCE, seat, slot) / FORCE
        if s.place[seat][slot] != st.NONE:
            out[at + 5] += share / FEW
        elif st.is_engaged(s, seat, slot):
            out[at + 6] += share / FEW
        else:
            out[at + 3] += influence
            out[at + 4] += share / SOME
        out[at + 7] += share / FEW if s.quest[seat][slot] != st.NONE else 0.0
        for bit in range(TYPES):
            out[at + 8 + bit] += share / FEW if s.types[seat][slot] >> bit & 1 else 0.0
    elif kind == st.QUEST:
        out[at + 13] += share / FEW
    elif s.bearer[seat][slot] == st.NONE:
        out[at + 14] += share / FEW
    else:
        out[at + 15] += share / SOME


@rule
def tell_hand(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what is in the own hand and left in the own decks. RT-6, RT-9, RT-10, RT-29."""
    at = OWN_HAND
    for line in range(book.lines[seat]):
        count = s.hand[seat][line]
        if count > 0:
            card = book.card[seat][line]
            out[at + card.kind] += count / SOME
            if card.kind == st.DEMESNE:
                out[at + KINDS + card.step] += count / FEW
            else:
                price = cost(book, s, seat, line)
                out[at + 11] += count * price / MANY
                if card.kind == st.REDIRECT:
                    out[at + 12 + (card.task if card.task == st.NONE else card.task - st.RESET) + 1] += count / FEW
                if s.allocated[seat] + price <= s.capacity[seat]:
                    out[at + 16] += count / SOME
                    if card.kind == st.KNIGHT:
                        out[at + 17] += count / FEW
                        out[at + 18] = max(out[at + 18], card.influence / SOME)
                        out[at + 19] = max(out[at + 19], card.resistance / SOME)
                        out[at + 20] = max(out[at + 20], price / SOME)
                if card.kind == st.KNIGHT:
                    out[at + 21] += count * card.influence / FORCE
    out[at + 22] = useful_demesnes(book, s, seat) / FEW
    out[at + 23] = s.deck_size[seat][st.MAIN_DECK] / 50.0
    out[at + 24] = s.deck_size[seat][st.DEMESNE_DECK] / 50.0
    out[at + 25] = s.hand_size[seat] / 10.0


@rule
def tell_place(book: Book, s: State, seat: int, place: int, at: int, out: list[float]) -> None:
    """Write how the attacks on an open Region stand, and whether the Knights at home could capture it. RT-21, RT-22."""
    region = book.region[s.region[s.open[place]]]
    influence, resistance = force_at(book, s, st.INFLUENCE, seat, place), force_at(book, s, st.RESISTANCE, seat, place)
    most_influence, most_resistance, knights = 0, 0, 0
    for other in range(book.seats):
        if other != seat and knights_at(book, s, other, place, st.NONE) > 0:
            knights += knights_at(book, s, other, place, st.NONE)
            most_influence = max(most_influence, force_at(book, s, st.INFLUENCE, other, place))
            most_resistance = max(most_resistance, force_at(book, s, st.RESISTANCE, other, place))
    needed = region.resistance - sum_at(book, s, st.REACH, place, seat) + 1 + most_resistance
    own = influence >= needed and knights_at(book, s, seat, place, st.NONE) > 0
    theirs = knights > 0 and most_influence - resistance > region.resistance
    within_reach = 0.0 < (needed - influence) / FORCE <= out[AT_HOME] + 0.001
    out[at + IS_OPEN] = 1.0
    out[at + RENOWN_THERE] = region.renown / SOME
    out[at + RESISTANCE_THERE] = region.resistance / FORCE
    out[at + OWN_KNIGHTS] = knights_at(book, s, seat, place, st.NONE) / FEW
    out[at + OWN_INFLUENCE] = influence / FORCE
    out[at + OWN_RESISTANCE] = resistance / FORCE
    out[at + OTHER_KNIGHTS] = knights / FEW
    out[at + OTHER_INFLUENCE] = most_influence / FORCE
    out[at + OTHER_RESISTANCE] = most_resistance / FORCE
    out[at + LACKING] = max(-30, min(needed - influence, 30)) / FORCE
    out[at + OWN_CAPTURE] = 1.0 if own else 0.0
    out[at + OTHER_CAPTURE] = 1.0 if theirs else 0.0
    out[at + WITHIN_REACH] = 1.0 if within_reach else 0.0
    out[at + REACHABLE_RENOWN] = region.renown / SOME if within_reach else 0.0


@rule
def force_at(book: Book, s: State, what: int, seat: int, place: int) -> int:
    """Return the Influence or Resistance of a seat's Knights at an open Region. RT-21."""
    force = 0
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot) and s.place[seat][slot] == place:
            force += strength(book, s, what, seat, slot)
    return max(-30, min(force, 100))


@rule
def tell_card_in_use(book: Book, s: State, seat: int, out: list[float]) -> None:
    """Write what the seat is playing or moving, and the Knight that it has chosen for it. RT-12, RT-16, RT-19."""
    at = CARD_IN_USE
    line = line_in_use(s, seat)
    if line != st.NONE:
        card = book.card[seat][line]
        out[at + card.kind] = 1.0
        out[at + KINDS] = card.influence / SOME
        out[at + KINDS + 1] = card.resistance / SOME
        out[at + KINDS + 2] = card.rp / SOME
    if s.turn == seat and s.on != st.NONE:
        out[at + KINDS + 3] = 1.0 if s.on_seat == seat else -1.0
        out[at + KINDS + 4] = strength(book, s, st.INFLUENCE, s.on_seat, s.on) / SOME


@rule
def line_in_use(s: State, seat: int) -> int:
    """Return the line of the card that a seat is playing or moving, or NONE. RT-12, RT-16."""
    if s.turn != seat:
        return st.NONE
    return s.card if s.moving == st.NONE else s.line[seat][s.moving]
