"""King's Court: the state, the book, and the functions in the order in which the game is played."""

from quintain.engine import rng
from quintain.engine.compiled import rule
from quintain.engine.events import tell
from quintain.engine.state import UNKNOWN, Event, Record, field

SEATS, HOUSES, RANKS = 2, 6, 8
CARDS = HOUSES * RANKS
COUNTERS = (-2, 0, 1, 2, 3, 5)
FIRST_HAND, SECOND_HAND = 8, 7
PLAYS = 34
NONE = -1

CHOOSE_ORDER, PUT_COUNTERS, PLAY_CARD, SWITCH_COUNTERS, MOVE_HOUSE, MOVE_UNIT, GIVE_CARD, OVER = range(8)

PLAY, GIVE, PUT, SWITCH = 0, 48, 96, 132
MOVE_NOTHING, MOVE_FROM, MOVE_TO, MOVE_OWN, MOVE_THEIRS, STOP = 147, 148, 154, 160, 161, 162
GO_FIRST, GO_SECOND = 163, 164
ACTIONS = 165
"""The most frequent actions come first: 48 plays, 48 gifts, 36 counters on houses, 15 pairs of houses, the moves."""

(ORDER_DRAWN, ORDER_CHOSEN, COUNTER_PUT, CARD_DRAWN, CARD_PLAYED, LOOKED, SWITCHED, NOTHING_MOVED, UNIT_MOVED,
 CARD_GIVEN, DECK_EMPTY, GAME_OVER) = range(12)  # fmt: skip


class Book(Record):
    """What is fixed for a match."""

    garnets: list[int] = field(SEATS, bits=64, low=0)


class State(Record):
    """What changes. Cards are numbered house by house, rank by rank: 8 * house + rank - 1."""

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=0, high=OVER)
    first: int = field(low=NONE, high=1)
    turn: int = field(low=0, high=1)
    hand: list[list[int]] = field(SEATS, CARDS, low=0, high=1)
    given: list[int] = field(CARDS, low=0, high=1)
    """1 while a card is held by the seat to whom the opponent gave it, and who therefore knows it."""
    hand_size: list[int] = field(SEATS, low=0, high=9)
    deck: list[int] = field(CARDS, low=NONE, high=CARDS - 1)
    """The cards of the deck, in no order: each is drawn at random."""
    deck_size: int = field(low=0, high=CARDS)
    played: list[int] = field(PLAYS, low=NONE, high=CARDS - 1)
    """The played cards in order; the first player's are those at even places."""
    plays_made: int = field(low=0, high=PLAYS)
    influence: list[list[int]] = field(SEATS, HOUSES, low=0, high=400)
    counter: list[list[int]] = field(SEATS, HOUSES, low=NONE, high=5)
    """Places in COUNTERS."""
    counters_put: list[int] = field(SEATS, low=0, high=HOUSES)
    seen: list[list[int]] = field(SEATS, HOUSES, low=NONE, high=5)
    """What a seat saw of the opponent's counters, each a place in COUNTERS."""
    outdated: list[list[int]] = field(SEATS, HOUSES, low=0, high=1)
    """1 where the opponent has switched counters after the look."""
    last_gift: int = field(low=NONE, high=CARDS - 1)
    """The card that the seat whose turn it is was given the turn before, until it is played."""
    bound: list[int] = field(SEATS, low=NONE, high=HOUSES - 1)
    """The house that binds a seat's next gift."""
    other_house: int = field(low=NONE, high=HOUSES - 1)
    moved: int = field(low=0, high=4)
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(4)


@rule
def house_of(card: int) -> int:
    """KC-1."""
    return card // RANKS


@rule
def rank_of(card: int) -> int:
    """KC-1."""
    return card % RANKS + 1


@rule
def deal(book: Book, s: State) -> None:
    """Set up a state of zeros up to the first choice. KC-2, KC-3."""
    for card in range(CARDS):
        s.deck[card] = card
    s.deck_size = CARDS
    for i in range(PLAYS):
        s.played[i] = NONE
    for seat in range(SEATS):
        s.bound[seat] = NONE
        for house in range(HOUSES):
            s.counter[seat][house] = NONE
            s.seen[seat][house] = NONE
    s.first = NONE
    s.last_gift = NONE
    s.other_house = NONE
    if book.garnets[0] == book.garnets[1]:
        first = rng.below(s.rng, SEATS)
        tell(s, ORDER_DRAWN, first)
        deal_hands(s, first)
    else:
        s.phase = CHOOSE_ORDER
        s.turn = 0 if book.garnets[0] > book.garnets[1] else 1


@rule
def deal_hands(s: State, first: int) -> None:
    """KC-3."""
    s.first = first
    s.turn = first
    for _ in range(FIRST_HAND):
        draw(s, first)
    for _ in range(SECOND_HAND):
        draw(s, 1 - first)
    s.phase = PUT_COUNTERS


@rule
def draw(s: State, seat: int) -> int:
    """Take a card at random from the face-down deck, which has no other order, into a hand. KC-5."""
    drawn = rng.below(s.rng, s.deck_size)
    card = s.deck[drawn]
    s.deck_size -= 1
    s.deck[drawn] = s.deck[s.deck_size]
    s.deck[s.deck_size] = NONE
    s.hand[seat][card] = 1
    s.hand_size[seat] += 1
    return card


@rule
def to_act(book: Book, s: State) -> int:
    """KC-2, KC-4, KC-5."""
    if s.over:
        return 0
    if s.phase == PUT_COUNTERS:
        return (1 if s.counters_put[0] < HOUSES else 0) | (2 if s.counters_put[1] < HOUSES else 0)
    return 1 << s.turn


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Write the mask of a seat's legal actions and return their number."""
    for action in range(ACTIONS):
        mask[action] = 0
    if not to_act(book, s) >> seat & 1:
        return 0
    if s.phase == PLAY_CARD:
        return legal_plays(s, seat, mask)
    if s.phase == GIVE_CARD:
        return legal_gifts(s, seat, mask)
    if s.phase == PUT_COUNTERS:
        return legal_counters(s, seat, mask)
    if s.phase == MOVE_UNIT:
        return legal_units(s, seat, mask)
    if s.phase == MOVE_HOUSE:
        return legal_houses(s, mask)
    if s.phase == SWITCH_COUNTERS:
        for pair in range(MOVE_NOTHING - SWITCH):
            mask[SWITCH + pair] = 1
        return MOVE_NOTHING - SWITCH
    mask[GO_FIRST] = 1
    mask[GO_SECOND] = 1
    return 2


@rule
def legal_counters(s: State, seat: int, mask: list[int]) -> int:
    """Any counter left, on the houses in their order. KC-4."""
    base = PUT + len(COUNTERS) * s.counters_put[seat]
    for counter in range(len(COUNTERS)):
        mask[base + counter] = 1
    for house in range(s.counters_put[seat]):
        mask[base + s.counter[seat][house]] = 0
    return HOUSES - s.counters_put[seat]


@rule
def legal_plays(s: State, seat: int, mask: list[int]) -> int:
    """Any card of the hand. KC-5."""
    for card in range(CARDS):
        mask[PLAY + card] = s.hand[seat][card]
    return s.hand_size[seat]


@rule
def legal_houses(s: State, mask: list[int]) -> int:
    """Nothing, or the other house from or into which something can be moved. KC-12, KC-13."""
    card = card_in_play(s)
    base = MOVE_FROM if rank_of(card) == 5 else MOVE_TO
    mask[MOVE_NOTHING] = 1
    count = 1
    for other in range(HOUSES):
        if other != house_of(card) and influence_in(s, source(s, other)) > 0:
            mask[base + other] = 1
            count += 1
    return count


@rule
def legal_units(s: State, seat: int, mask: list[int]) -> int:
    """Own Influence or the opponent's, as long as there is some; or to stop. KC-12, KC-14."""
    origin = source(s, s.other_house)
    count = 0
    if s.influence[seat][origin] > 0:
        mask[MOVE_OWN] = 1
        count += 1
    if s.influence[1 - seat][origin] > 0:
        mask[MOVE_THEIRS] = 1
        count += 1
    if s.moved > 0:
        mask[STOP] = 1
        count += 1
    return count


@rule
def legal_gifts(s: State, seat: int, mask: list[int]) -> int:
    """A card of the binding house if possible, else any; never last turn's gift. KC-6, KC-11."""
    if s.bound[seat] != NONE:
        count = 0
        for card in range(RANKS * s.bound[seat], RANKS * s.bound[seat] + RANKS):
            if s.hand[seat][card] and card != s.last_gift:
                mask[GIVE + card] = 1
                count += 1
        if count > 0:
            return count
    for card in range(CARDS):
        mask[GIVE + card] = s.hand[seat][card]
    if s.last_gift == NONE:
        return s.hand_size[seat]
    mask[GIVE + s.last_gift] = 0
    return s.hand_size[seat] - 1


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action."""
    if action < GIVE:
        play_card(s, seat, action - PLAY)
    elif action < PUT:
        give_card(s, seat, action - GIVE)
    elif action < SWITCH:
        put_counter(s, seat, (action - PUT) % len(COUNTERS))
    elif action < MOVE_NOTHING:
        switch_counters(s, seat, action - SWITCH)
    elif action < MOVE_OWN:
        choose_other_house(s, seat, action)
    elif action < GO_FIRST:
        move_unit(s, seat, action)
    else:
        tell(s, ORDER_CHOSEN, seat, -1, action)
        deal_hands(s, seat if action == GO_FIRST else 1 - seat)


@rule
def put_counter(s: State, seat: int, counter: int) -> None:
    """Put a counter on the seat's next house; all stand once both have put six. KC-4."""
    house = s.counters_put[seat]
    s.counter[seat][house] = counter
    s.counters_put[seat] += 1
    tell(s, COUNTER_PUT, seat, -1, house, counter)
    if s.counters_put[0] == HOUSES and s.counters_put[1] == HOUSES:
        begin_turn(s, s.first)


@rule
def begin_turn(s: State, seat: int) -> None:
    """Draw, but for the second player's closing play. KC-5, KC-7."""
    s.turn = seat
    s.phase = PLAY_CARD
    if s.deck_size > 0:
        card = draw(s, seat)
        tell(s, CARD_DRAWN, seat, -1, card)
    else:
        tell(s, DECK_EMPTY, seat)


@rule
def play_card(s: State, seat: int, card: int) -> None:
    """Play a card face up and begin its effect. KC-5, KC-9 to KC-14."""
    s.hand[seat][card] = 0
    s.given[card] = 0
    s.hand_size[seat] -= 1
    s.played[s.plays_made] = card
    s.plays_made += 1
    if s.last_gift == card:
        s.last_gift = NONE
    tell(s, CARD_PLAYED, seat, -1, card, 1 if s.deck_size > 0 else 0)
    house = house_of(card)
    rank = rank_of(card)
    if rank % 2 == 0:
        s.influence[seat][house] += rank
        end_effect(s)
    elif rank == 1:
        look(s, seat, house)
        s.phase = SWITCH_COUNTERS
    elif rank == 3:
        s.influence[seat][house] += 1
        bind_gift(s, 1 - seat, house)
        end_effect(s)
    elif something_to_move(s):
        s.phase = MOVE_HOUSE
    else:
        tell(s, NOTHING_MOVED, seat, -1, house, 1)
        end_effect(s)


@rule
def look(s: State, seat: int, house: int) -> None:
    """Look at the opponent's counter in a house. KC-10."""
    counter = s.counter[1 - seat][house]
    s.seen[seat][house] = counter
    s.outdated[seat][house] = 0
    tell(s, LOOKED, seat, 1 - seat, house, counter)


@rule
def switch_counters(s: State, seat: int, pair: int) -> None:
    """Switch two own counters; what the opponent saw of them may be out of date from now on. KC-10."""
    one, two = pair_of(pair)
    counters = s.counter[seat]
    counter = counters[one]
    counters[one] = counters[two]
    counters[two] = counter
    for house in range(HOUSES):
        if s.seen[1 - seat][house] != NONE:
            s.outdated[1 - seat][house] = 1
    tell(s, SWITCHED, seat, -1, one, two)
    end_effect(s)


@rule
def pair_of(pair: int) -> tuple[int, int]:
    """Return the two houses of a pair: 0 is (0, 1), 1 is (0, 2), 14 is (4, 5). KC-10."""
    one = 0
    while pair >= HOUSES - 1 - one:
        pair -= HOUSES - 1 - one
        one += 1
    return one, one + 1 + pair


@rule
def bind_gift(s: State, seat: int, house: int) -> None:
    """Bind a seat's next gift to a house, if it has a gift to come. KC-11."""
    if s.deck_size > 0:
        s.bound[seat] = house


@rule
def card_in_play(s: State) -> int:
    """Return the card whose effect is being carried out."""
    return s.played[s.plays_made - 1]


@rule
def moves_most(s: State) -> int:
    """How much Influence the card in play may move. KC-12, KC-13."""
    return 3 if rank_of(card_in_play(s)) == 5 else 4


@rule
def source(s: State, other: int) -> int:
    """Return the house that Influence leaves, if the other one is this. KC-12, KC-13."""
    card = card_in_play(s)
    return other if rank_of(card) == 5 else house_of(card)


@rule
def target(s: State, other: int) -> int:
    """Return the house that Influence comes into, if the other one is this. KC-12, KC-13."""
    card = card_in_play(s)
    return house_of(card) if rank_of(card) == 5 else other


@rule
def influence_in(s: State, house: int) -> int:
    """Return the Influence of both players in a house."""
    return s.influence[0][house] + s.influence[1][house]


@rule
def something_to_move(s: State) -> bool:
    """Tell whether the card in play can move anything. KC-12 to KC-14."""
    house = house_of(card_in_play(s))
    for other in range(HOUSES):
        if other != house and influence_in(s, source(s, other)) > 0:
            return True
    return False


@rule
def choose_other_house(s: State, seat: int, action: int) -> None:
    """KC-12, KC-13."""
    if action == MOVE_NOTHING:
        tell(s, NOTHING_MOVED, seat, -1, house_of(card_in_play(s)), 0)
        end_effect(s)
    else:
        s.other_house = (action - MOVE_FROM) % HOUSES
        s.phase = MOVE_UNIT


@rule
def move_unit(s: State, seat: int, action: int) -> None:
    """Move one Influence, which keeps its owner, or stop. KC-12 to KC-14."""
    if action == STOP:
        end_effect(s)
        return
    owner = seat if action == MOVE_OWN else 1 - seat
    origin = source(s, s.other_house)
    destination = target(s, s.other_house)
    s.influence[owner][origin] -= 1
    s.influence[owner][destination] += 1
    s.moved += 1
    tell(s, UNIT_MOVED, seat, owner, origin, destination)
    if s.moved == moves_most(s) or influence_in(s, origin) == 0:
        end_effect(s)


@rule
def end_effect(s: State) -> None:
    """Go on to the gift, or end the game after the closing play. KC-5, KC-7."""
    s.other_house = NONE
    s.moved = 0
    if s.deck_size == 0 and s.turn != s.first:
        s.phase = OVER
        s.over = 1
        tell(s, GAME_OVER, s.turn)
    else:
        s.phase = GIVE_CARD


@rule
def give_card(s: State, seat: int, card: int) -> None:
    """Give a card to the opponent, whose turn begins. KC-5, KC-6, KC-11."""
    s.hand[seat][card] = 0
    s.hand[1 - seat][card] = 1
    s.given[card] = 1
    s.hand_size[seat] -= 1
    s.hand_size[1 - seat] += 1
    s.last_gift = card
    s.bound[seat] = NONE
    tell(s, CARD_GIVEN, seat, 1 - seat, card)
    begin_turn(s, 1 - seat)


@rule
def gift_made(s: State) -> bool:
    """Tell whether the first gift of the game has been made."""
    return s.plays_made > 1 or (s.plays_made == 1 and s.turn != s.first)


@rule
def majority_bonus(s: State, house: int) -> int:
    """KC-15."""
    return COUNTERS[s.counter[0][house]] + COUNTERS[s.counter[1][house]]


@rule
def majority(s: State, house: int) -> int:
    """Return the seat with strictly more Influence in a house, or NONE. KC-16."""
    difference = s.influence[0][house] - s.influence[1][house]
    if difference == 0:
        return NONE
    return 0 if difference > 0 else 1


@rule
def favour(s: State, seat: int, house: int) -> int:
    """Return the sum of the ranks of a house in a hand. KC-17."""
    total = 0
    for card in range(RANKS * house, RANKS * house + RANKS):
        if s.hand[seat][card]:
            total += rank_of(card)
    return total


@rule
def house_score(s: State, seat: int, house: int) -> int:
    """KC-16, KC-17."""
    if favour(s, 1 - seat, house) > favour(s, seat, house):
        return 0
    score = s.influence[seat][house]
    return score + majority_bonus(s, house) if majority(s, house) == seat else score


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    """Write the total scores and the ranks. KC-19."""
    for seat in range(SEATS):
        scores[seat] = 0
        for house in range(HOUSES):
            scores[seat] += house_score(s, seat, house)
    ahead = scores[0] - scores[1]
    tie_break = 0
    while ahead == 0 and tie_break < TIE_BREAKS:
        ahead = tie_break_value(s, 0, tie_break) - tie_break_value(s, 1, tie_break)
        tie_break += 1
    ranks[0] = 2 if ahead < 0 else 1
    ranks[1] = 2 if ahead > 0 else 1


MAJORITIES, MOST_INFLUENCE, HAND_SUM = 0, 1, 2
TIE_BREAKS = 3


@rule
def tie_break_value(s: State, seat: int, tie_break: int) -> int:
    """Houses with the majority, then Influence on the board, then the sum of ranks in hand. KC-19."""
    value = 0
    for house in range(HOUSES):
        if tie_break == MAJORITIES:
            value += 1 if majority(s, house) == seat else 0
        elif tie_break == MOST_INFLUENCE:
            value += s.influence[seat][house]
        else:
            value += favour(s, seat, house)
    return value


@rule
def blind(book: Book, s: State, seat: int) -> None:
    """Hide what a seat may not know; -1 is a spectator. KC-4, KC-5, KC-8, KC-10."""
    for i in range(4):
        s.rng[i] = UNKNOWN
    if s.over:
        return
    for i in range(s.deck_size):
        s.deck[i] = UNKNOWN
    for owner in range(SEATS):
        if owner != seat:
            blind_hand(s, owner, seat)
            blind_counters(s, owner, seat)
    if seat == NONE:
        s.last_gift = UNKNOWN
    for i in range(len(s.events)):
        blind_event(s.events[i], seat)


@rule
def blind_hand(s: State, owner: int, seat: int) -> None:
    """Hide an owner's cards, but for those that the seat gave; what has been played is open. KC-8."""
    for card in range(CARDS):
        if seat == NONE or s.hand[owner][card] != 1 or s.given[card] == 0:
            s.hand[owner][card] = UNKNOWN
        if seat == NONE:
            s.given[card] = UNKNOWN
    for i in range(s.plays_made):
        s.hand[owner][s.played[i]] = 0
        s.given[s.played[i]] = 0


@rule
def blind_counters(s: State, owner: int, seat: int) -> None:
    """Hide an owner's counters that a seat has not seen, or not since they were switched. KC-4, KC-10."""
    for house in range(HOUSES):
        known = seat != NONE and s.seen[seat][house] != NONE and s.outdated[seat][house] == 0
        if s.counter[owner][house] != NONE and not known:
            s.counter[owner][house] = UNKNOWN
        if seat == NONE and s.seen[owner][house] != NONE:
            s.seen[owner][house] = UNKNOWN


@rule
def blind_event(event: Event, seat: int) -> None:
    """Hide the secret part of an event. KC-4, KC-5, KC-10."""
    if event.seat == seat:
        return
    if event.kind == CARD_DRAWN or event.kind == SWITCHED or (event.kind == CARD_GIVEN and seat == NONE):
        event.a = UNKNOWN
    if event.kind == COUNTER_PUT or event.kind == SWITCHED or (event.kind == LOOKED and seat == NONE):
        event.b = UNKNOWN


@rule
def redeal(book: Book, s: State, seed: int) -> None:
    """Put in the place of all that is UNKNOWN a deal that fits what is known. KC-8, KC-10."""
    rng.seed(s.rng, seed)
    redeal_cards(s)
    for seat in range(SEATS):
        redeal_counters(s, seat)
    for seat in range(SEATS):
        for house in range(HOUSES):
            if s.seen[seat][house] == UNKNOWN:
                current = s.counter[1 - seat][house]
                s.seen[seat][house] = rng.below(s.rng, len(COUNTERS)) if s.outdated[seat][house] else current


@rule
def redeal_cards(s: State) -> None:
    """Deal the unknown cards to the hands and the deck, whose sizes are open. KC-8."""
    missing_0 = s.hand_size[0]
    missing_1 = s.hand_size[1]
    for card in range(CARDS):
        missing_0 -= 1 if s.hand[0][card] == 1 else 0
        missing_1 -= 1 if s.hand[1][card] == 1 else 0
        if s.given[card] == UNKNOWN:
            s.given[card] = 0
    unknown = missing_0 + missing_1 + s.deck_size
    in_deck = 0
    for card in range(CARDS):
        open_0 = s.hand[0][card] == UNKNOWN
        open_1 = s.hand[1][card] == UNKNOWN
        held = s.hand[0][card] == 1 or s.hand[1][card] == 1
        if open_0:
            s.hand[0][card] = 0
        if open_1:
            s.hand[1][card] = 0
        if (open_0 or open_1) and not held:
            slot = rng.below(s.rng, unknown)
            unknown -= 1
            if slot < missing_0:
                s.hand[0][card] = 1
                missing_0 -= 1
            elif slot < missing_0 + missing_1:
                s.hand[1][card] = 1
                missing_1 -= 1
            else:
                s.deck[in_deck] = card
                in_deck += 1
    if s.last_gift == UNKNOWN:
        redeal_last_gift(s)


@rule
def redeal_last_gift(s: State) -> None:
    """Choose the last gift among the cards of the hand that received it. KC-6."""
    s.last_gift = NONE
    if gift_made(s):
        left = rng.below(s.rng, s.hand_size[s.turn])
        for card in range(CARDS):
            if s.hand[s.turn][card]:
                if left == 0:
                    s.last_gift = card
                    s.given[card] = 1
                left -= 1


@rule
def redeal_counters(s: State, seat: int) -> None:
    """Give each unknown counter of a seat one that is not on another of its houses. KC-4."""
    free = len(COUNTERS)
    for house in range(HOUSES):
        free -= 1 if s.counter[seat][house] >= 0 else 0
    for house in range(HOUSES):
        if s.counter[seat][house] == UNKNOWN:
            left = rng.below(s.rng, free)
            counter = 0
            while counter_put(s, seat, counter) or left > 0:
                left -= 0 if counter_put(s, seat, counter) else 1
                counter += 1
            s.counter[seat][house] = counter
            free -= 1


@rule
def counter_put(s: State, seat: int, counter: int) -> bool:
    """Tell whether a counter is on one of the seat's houses."""
    for house in range(HOUSES):
        if s.counter[seat][house] == counter:
            return True
    return False
