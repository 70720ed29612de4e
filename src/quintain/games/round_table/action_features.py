"""Round Table: each action as a row of numbers, for players that learn.

They say what kind of choice it is, what is printed on the card that it concerns and what its effect rows do, which
Knight it concerns, and how the attacks on a Region stand for that Knight. So a net knows an action by what it does, and
not by its number, which stands for another card in each deck. `state_features` tells of the position.
"""

from quintain.engine import rule
from quintain.games.round_table import state as st
from quintain.games.round_table import state_features as sf
from quintain.games.round_table.effects import cost, strength
from quintain.games.round_table.play_area import in_play
from quintain.games.round_table.state import Book, Card, State

(KEEPING, MULLIGAN, SPLITTING, DRAWING_MAIN, DRAWING_DEMESNE, DISCARDING, RECRUITING, PLAYING, PASSING_SPRING,
 PASSING_SUMMER, PASSING_AUTUMN, LEAVING, BEARING, MOVING, SENDING, ATTACKING, TARGETING, JOINING,
 TAKING_BACK) = range(19)  # fmt: skip
"""The kinds of choices."""
CHOICES, WHATS, MOMENTS = 19, 19, 8
SPLIT, CARD = CHOICES, CHOICES + 2
"""Where the number of Demesnes in a first hand stands, and where the card begins."""
IN_HAND = CARD + sf.KINDS + 3 + sf.TYPES + 4 + st.STEPS + 4
"""Where the number of copies in the own hand stands."""
ROWS = IN_HAND + 6
KNIGHT = ROWS + WHATS + MOMENTS
KNIGHT_FEATURES, REGION_FEATURES = 12, 11
REGION = KNIGHT + KNIGHT_FEATURES
ACTION_FEATURES = REGION + REGION_FEATURES


@rule
def action_features(book: Book, s: State, seat: int, action: int, state: list[float], out: list[float]) -> None:
    """Write a legal action of a seat as `ACTION_FEATURES` numbers; `state` are the features of the state. RT-6."""
    for i in range(ACTION_FEATURES):
        out[i] = 0.0
    choice = choice_of(s, seat, action)
    out[choice] = 1.0
    if choice == SPLITTING:
        out[SPLIT] = (action - st.SPLIT) / 10.0
        out[SPLIT + 1] = (action - st.SPLIT - 4) * (action - st.SPLIT - 4) / 10.0
    line, whose, owner, knight = st.NONE, seat, seat, st.NONE
    if action < st.REGION:
        line = action - st.CARD
    elif action >= st.IN_PLAY:
        owner, slot = (action - st.IN_PLAY) // st.LINES, (action - st.IN_PLAY) % st.LINES
        if choice == MOVING or choice == TAKING_BACK:
            line = s.line[seat][slot]
            knight = slot if book.card[seat][line].kind == st.KNIGHT else s.bearer[seat][slot]
        elif choice == JOINING:
            line, whose = s.line[owner][slot], owner
            owner, knight = s.on_seat, s.on
        else:
            line, knight = sf.line_in_use(s, seat), slot
    elif choice == ATTACKING:
        line, owner, knight = sf.line_in_use(s, seat), s.on_seat, s.on
    elif choice == LEAVING:
        line = sf.line_in_use(s, seat)
    if line != st.NONE:
        describe_card(book, s, whose, line, out)
        if whose == seat:
            out[IN_HAND] = s.hand[seat][line] / sf.FEW
    if knight != st.NONE:
        describe_knight(book, s, seat, owner, knight, out)
    describe_attack(book, s, seat, owner, knight, place_of(s, choice, action, owner, knight), state, out)


@rule
def choice_of(s: State, seat: int, action: int) -> int:
    """Return of which kind a legal action is. RT-6, RT-12, RT-16, RT-19, RT-28, RT-29, RT-30."""
    if action < st.REGION:
        if s.phase == st.LIMIT or s.owed_discards[seat] > 0:
            return DISCARDING
        return RECRUITING if s.phase == st.RECRUIT else PLAYING
    if action < st.PASS:
        return ATTACKING
    if action == st.PASS:
        return PASSING_SPRING if s.phase == st.RECRUIT else PASSING_SUMMER if s.phase == st.CAMPAIGN else PASSING_AUTUMN
    if action < st.IN_PLAY:
        if action >= st.SPLIT:
            return SPLITTING
        if action == st.UNPAIRED:
            return LEAVING
        if action == st.DRAW_MAIN:
            return DRAWING_MAIN
        if action == st.DRAW_DEMESNE:
            return DRAWING_DEMESNE
        return KEEPING if action == st.KEEP else MULLIGAN
    if s.phase == st.RECRUIT:
        return MOVING
    if s.phase == st.ATTACH:
        return BEARING
    if s.phase == st.CAMPAIGN:
        return SENDING
    if s.phase == st.CHOOSE_KNIGHT:
        return TARGETING
    return TAKING_BACK if s.phase == st.SUPPORT else JOINING


@rule
def describe_card(book: Book, s: State, seat: int, line: int, out: list[float]) -> None:
    """Write what is printed on a card, how many are in play, and whether its seat can pay for it. RT-10, RT-33."""
    card = book.card[seat][line]
    out[CARD + card.kind] = 1.0
    at = CARD + sf.KINDS
    out[at] = card.rp / sf.SOME
    out[at + 1] = card.influence / sf.SOME
    out[at + 2] = card.resistance / sf.SOME
    at += 3
    for bit in range(sf.TYPES):
        out[at + bit] = 1.0 if card.types >> bit & 1 else 0.0
    at += sf.TYPES
    if card.slot != st.NONE:
        out[at + card.slot] = 1.0
    at += 4
    if card.step != st.NONE:
        out[at + card.step] = 1.0
    at += st.STEPS
    if card.kind == st.REDIRECT:
        out[at + (0 if card.task == st.NONE else card.task - st.RESET + 1)] = 1.0
    at += 4
    price = cost(book, s, seat, line)
    free = s.capacity[seat] - s.allocated[seat]
    out[at + 1] = in_play(book, s, seat, line) / sf.FEW
    out[at + 2] = 1.0 if price <= free else 0.0
    out[at + 3] = max(-10, min(free - price, 20)) / 10.0
    out[at + 4] = 1.0 if card.step > 0 and s.demesne[seat][card.step - 1] > s.demesne[seat][card.step] else 0.0
    out[at + 5] = float(card.in_summer)
    describe_rows(card, out)


@rule
def describe_rows(card: Card, out: list[float]) -> None:
    """Add up what the effect rows of a card do, with a minus for what they do to others, and when. RT-33."""
    for i in range(card.rows_used):
        row = card.row[i]
        sign = -1.0 if row.whom == st.OPPOSING or row.whom == st.OPPONENTS else 1.0
        share = 1.0 if row.condition == st.IF_ANY and row.which == st.ANY else 0.5
        out[ROWS + row.what] += sign * share * row.amount / sf.FEW
        out[ROWS + WHATS + row.when] = 1.0


@rule
def describe_knight(book: Book, s: State, seat: int, owner: int, slot: int, out: list[float]) -> None:
    """Write whose a Knight is, how strong it is, what it bears and what it does. RT-13, RT-16, RT-18, RT-25."""
    at = KNIGHT
    out[at] = 1.0 if owner == seat else -1.0
    out[at + 1] = strength(book, s, st.INFLUENCE, owner, slot) / sf.SOME
    out[at + 2] = strength(book, s, st.RESISTANCE, owner, slot) / sf.SOME
    out[at + 3] = s.rp[owner][slot] / sf.SOME
    for other in range(s.top[owner]):
        if st.is_on(book, s, owner, other, slot):
            out[at + 4] += 1.0 / sf.FEW
    out[at + 5] = 1.0 if s.place[owner][slot] != st.NONE else 0.0
    out[at + 6] = 1.0 if st.is_engaged(s, owner, slot) else 0.0
    for bit in range(sf.TYPES):
        out[at + 7 + bit] = 1.0 if s.types[owner][slot] >> bit & 1 else 0.0


@rule
def place_of(s: State, choice: int, action: int, owner: int, knight: int) -> int:
    """Return the open Region that an action concerns: the one chosen, or where its Knight is; or NONE. RT-16, RT-19."""
    if choice == ATTACKING:
        return action - st.REGION
    if knight == st.NONE or choice == SENDING:
        return st.NONE
    return s.place[owner][knight]


@rule
def describe_attack(
    book: Book, s: State, seat: int, owner: int, knight: int, place: int, state: list[float], out: list[float]
) -> None:
    """Write how the attacks on a Region stand for a Knight; without a Region, the best one that its seat can reach.

    RT-21, RT-22.
    """
    force = 0.0
    if knight != st.NONE and owner == seat:
        force = strength(book, s, st.INFLUENCE, owner, knight) / sf.FORCE
    if place == st.NONE:
        most = 0.0
        for other in range(st.OPEN_REGIONS):
            renown = state[sf.PLACES + sf.PLACE * other + sf.REACHABLE_RENOWN]
            if renown > most:
                place, most = other, renown
    if place == st.NONE:
        return
    at = sf.PLACES + sf.PLACE * place
    renown, lacking = state[at + sf.RENOWN_THERE], state[at + sf.LACKING]
    alone = 0.0 < lacking <= force + 0.001
    within_reach = state[at + sf.WITHIN_REACH]
    out[REGION] = 1.0
    out[REGION + 1] = renown
    out[REGION + 2] = state[at + sf.RESISTANCE_THERE]
    out[REGION + 3] = lacking
    out[REGION + 4] = lacking - force
    out[REGION + 5] = lacking - state[sf.AT_HOME]
    out[REGION + 6] = 1.0 if alone else 0.0
    out[REGION + 7] = renown if alone else 0.0
    out[REGION + 8] = renown * within_reach
    out[REGION + 9] = state[at + sf.OWN_CAPTURE]
    out[REGION + 10] = state[at + sf.OTHER_CAPTURE] * renown
