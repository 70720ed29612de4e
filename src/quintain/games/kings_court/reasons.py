"""The reasons of King's Court: why an action is not legal now, with the clause that forbids it."""

from quintain.engine import Reason, acting
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.scene import question
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import COUNTER_NAMES, HOUSE_NAMES, NUMBERS, card_name


def why_not(book: Book, s: State, seat: int, action: int) -> Reason:
    """Return why an action is not legal for a seat now; `s` is the state as the seat sees it."""
    if s.over:
        return Reason("KC-7", "the game is over")
    if seat not in acting(r, book, s):
        if s.phase == st.PUT_COUNTERS:
            own = f"you have put your {NUMBERS[book.houses]} counters"
            return Reason("KC-4", f"{own}; seat {1 - seat} is still putting theirs")
        return Reason("KC-2" if s.phase == st.CHOOSE_ORDER else "KC-5", f"seat {1 - seat} is to act")
    if missing := _missing(book, action):
        return Reason("KC-1", f"{missing} is not in this game")
    phase, clause = _belongs_to(action)
    if phase != s.phase:
        return Reason(_step_clause(s), f"you are asked: {question(book, s, seat).words}")
    if phase == st.PUT_COUNTERS:
        house, counter = divmod(action - st.PUT, len(st.COUNTERS))
        expected = s.counters_put[seat]
        if house != expected:
            return Reason(clause, f"counters are put house by house, and {HOUSE_NAMES[expected]} is next")
        taken = HOUSE_NAMES[s.counter[seat].index(counter)]
        return Reason(clause, f"your counter {COUNTER_NAMES[counter]} is on {taken} already")
    if phase == st.PLAY_CARD:
        return Reason(clause, f"{card_name(action - st.PLAY)} is not in your hand")
    if phase == st.GIVE_CARD:
        return _why_no_gift(s, seat, action - st.GIVE)
    if phase == st.MOVE_HOUSE:
        return _why_not_that_house(s, action)
    return _why_no_unit(s, seat, action)


def _missing(book: Book, action: int) -> str:
    """Return the card, house or counter of an action that this game is played without; nothing if it has them. KC-1."""
    if action < st.PUT:
        card = action % st.CARDS
        return "" if st.in_game(book, card) else card_name(card)
    houses: tuple[int, ...] = ()
    if action < st.SWITCH:
        house, counter = divmod(action - st.PUT, len(st.COUNTERS))
        if house < book.houses and not book.counters[counter]:
            return f"the counter {COUNTER_NAMES[counter]}"
        houses = (house,)
    elif action < st.MOVE_NOTHING:
        houses = r.pair_of(action - st.SWITCH)
    elif st.MOVE_FROM <= action < st.MOVE_OWN:
        houses = ((action - st.MOVE_FROM) % st.HOUSES,)
    return next((HOUSE_NAMES[house] for house in houses if house >= book.houses), "")


def _belongs_to(action: int) -> tuple[int, str]:
    """Return the phase in which an action can be legal, and its clause."""
    starts = (
        (st.GO_FIRST, st.CHOOSE_ORDER, "KC-2"),
        (st.MOVE_OWN, st.MOVE_UNIT, "KC-12"),
        (st.MOVE_NOTHING, st.MOVE_HOUSE, "KC-12"),
        (st.SWITCH, st.SWITCH_COUNTERS, "KC-10"),
        (st.PUT, st.PUT_COUNTERS, "KC-4"),
        (st.GIVE, st.GIVE_CARD, "KC-5"),
        (st.PLAY, st.PLAY_CARD, "KC-5"),
    )
    return next((phase, clause) for start, phase, clause in starts if action >= start)


def _step_clause(s: State) -> str:
    if s.phase in (st.MOVE_HOUSE, st.MOVE_UNIT):
        return "KC-12" if st.rank_of(r.card_in_play(s)) == 5 else "KC-13"
    return {st.CHOOSE_ORDER: "KC-2", st.PUT_COUNTERS: "KC-4", st.SWITCH_COUNTERS: "KC-10"}.get(s.phase, "KC-5")


def _why_no_gift(s: State, seat: int, card: int) -> Reason:
    if not s.hand[seat][card]:
        return Reason("KC-5", f"{card_name(card)} is not in your hand")
    if card == s.last_gift:
        return Reason("KC-6", f"you were given {card_name(card)} last turn and may not give it back at once")
    return Reason("KC-11", f"this gift must be a card of {HOUSE_NAMES[s.bound[seat]]}")


def _why_not_that_house(s: State, action: int) -> Reason:
    clause, card = _step_clause(s), r.card_in_play(s)
    house, other = st.house_of(card), (action - st.MOVE_FROM) % st.HOUSES
    into = st.rank_of(card) == 5
    if into != (action < st.MOVE_TO):
        direction = f"into {HOUSE_NAMES[house]}, from another house" if into else f"out of {HOUSE_NAMES[house]}"
        return Reason(clause, f"{card_name(card)} moves Influence {direction}")
    if other == house:
        return Reason(clause, f"choose a house other than {HOUSE_NAMES[house]}")
    return Reason("KC-14", f"there is no Influence in {HOUSE_NAMES[r.source(s, other)]} to move")


def _why_no_unit(s: State, seat: int, action: int) -> Reason:
    if action == st.STOP:
        return Reason(_step_clause(s), "move at least one unit of Influence before you stop")
    owner = "you have" if action == st.MOVE_OWN else f"seat {1 - seat} has"
    return Reason("KC-14", f"{owner} no Influence in {HOUSE_NAMES[r.source(s, s.other_house)]}")
