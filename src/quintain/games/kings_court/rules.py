"""The rules of King's Court in the order of play: deal, put counters, play cards and their effects, give, score.

They work on the records of `state`; `secrecy` holds `hide` and `redeal`. Every function names the clauses of the
rulebook that it carries out.
"""

from quintain.engine import OTHER, A, B, rng, rule, tell
from quintain.games.kings_court import state as st
from quintain.games.kings_court.secrecy import hide, redeal
from quintain.games.kings_court.state import ACTIONS, LONGEST, OUTCOMES, Book, State

__all__ = [
    "ACTIONS",
    "LONGEST",
    "OUTCOMES",
    "Book",
    "State",
    "deal",
    "hide",
    "legal",
    "outcome",
    "play",
    "redeal",
    "to_act",
]


@rule
def deal(book: Book, s: State) -> None:
    """Set up the game from a state of zeros, up to the first choice of a player. KC-1, KC-2, KC-3."""
    for card in range(st.CARDS):
        s.deck[card] = card
    s.deck_size = st.CARDS
    if st.is_small(book):
        leave_out_cards(book, s)
    for i in range(st.PLAYS):
        s.played[i] = st.NONE
    for seat in range(st.SEATS):
        s.bound[seat] = st.NONE
        for house in range(st.HOUSES):
            s.counter[seat][house] = st.NONE
            s.seen[seat][house] = st.NONE
    s.first = st.NONE
    s.last_gift = st.NONE
    s.other_house = st.NONE
    if book.garnets[0] == book.garnets[1]:
        first = rng.below(s.rng, st.SEATS)
        tell(s, st.ORDER_DRAWN, first)
        deal_hands(book, s, first)
    else:
        s.phase = st.CHOOSE_ORDER
        s.turn = 0 if book.garnets[0] > book.garnets[1] else 1


@rule
def leave_out_cards(book: Book, s: State) -> None:
    """Take the cards out of the deck that are not in the game. KC-1."""
    s.deck_size = 0
    for card in range(st.CARDS):
        s.deck[card] = st.NONE
        if st.in_game(book, card):
            s.deck[s.deck_size] = card
            s.deck_size += 1


@rule
def deal_hands(book: Book, s: State, first: int) -> None:
    """Deal both hands and ask for counters; `first` is the first player. KC-3."""
    s.first = first
    s.turn = first
    for _ in range(book.hand + 1):
        draw(s, first)
    for _ in range(book.hand):
        draw(s, 1 - first)
    s.phase = st.PUT_COUNTERS


@rule
def draw(s: State, seat: int) -> int:
    """Move a random card from the deck into a hand, and return it. KC-5."""
    drawn = rng.below(s.rng, s.deck_size)
    card = s.deck[drawn]
    s.deck_size -= 1
    s.deck[drawn] = s.deck[s.deck_size]
    s.deck[s.deck_size] = st.NONE
    s.hand[seat][card] = 1
    s.hand_size[seat] += 1
    return card


@rule
def to_act(book: Book, s: State) -> int:
    """Return the bits of the seats that may act: both while they put counters, else one. KC-2, KC-4, KC-5."""
    if s.phase == st.PUT_COUNTERS:
        return (1 if s.counters_put[0] < book.houses else 0) | (2 if s.counters_put[1] < book.houses else 0)
    return 1 << s.turn


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat, and return how many. KC-2, KC-4, KC-5, KC-10, KC-11, KC-12, KC-13."""
    if s.phase == st.PLAY_CARD:
        return legal_plays(s, seat, mask)
    if s.phase == st.GIVE_CARD:
        return legal_gifts(s, seat, mask)
    if s.phase == st.PUT_COUNTERS:
        return legal_counters(book, s, seat, mask)
    if s.phase == st.MOVE_UNIT:
        return legal_units(s, seat, mask)
    if s.phase == st.MOVE_HOUSE:
        return legal_houses(book, s, mask)
    if s.phase == st.SWITCH_COUNTERS:
        return legal_switches(book, mask)
    mask[st.GO_FIRST] = 1
    mask[st.GO_SECOND] = 1
    return 2


@rule
def legal_counters(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the counters that the seat has left, each for the next house. KC-4."""
    base = st.PUT + len(st.COUNTERS) * s.counters_put[seat]
    for counter in range(len(st.COUNTERS)):
        mask[base + counter] = book.counters[counter]
    for house in range(s.counters_put[seat]):
        mask[base + s.counter[seat][house]] = 0
    return book.houses - s.counters_put[seat]


@rule
def legal_plays(s: State, seat: int, mask: list[int]) -> int:
    """Mark all cards of the hand. KC-5."""
    for card in range(st.CARDS):
        mask[st.PLAY + card] = s.hand[seat][card]
    return s.hand_size[seat]


@rule
def legal_switches(book: Book, mask: list[int]) -> int:
    """Mark each pair of houses whose counters can be switched. KC-10."""
    if book.houses == st.HOUSES:
        for pair in range(st.MOVE_NOTHING - st.SWITCH):
            mask[st.SWITCH + pair] = 1
        return st.MOVE_NOTHING - st.SWITCH
    first = st.SWITCH
    for one in range(book.houses - 1):
        for pair in range(book.houses - 1 - one):
            mask[first + pair] = 1
        first += st.HOUSES - 1 - one
    return book.houses * (book.houses - 1) // 2


@rule
def legal_houses(book: Book, s: State, mask: list[int]) -> int:
    """Mark moving nothing, and each other house from or into which Influence can move. KC-12, KC-13."""
    card = card_in_play(s)
    base = st.MOVE_FROM if st.rank_of(card) == 5 else st.MOVE_TO
    mask[st.MOVE_NOTHING] = 1
    count = 1
    for other in range(st.HOUSES):
        if other != st.house_of(card) and other < book.houses and influence_in(s, source(s, other)) > 0:
            mask[base + other] = 1
            count += 1
    return count


@rule
def legal_units(s: State, seat: int, mask: list[int]) -> int:
    """Mark moving a unit of each player with any in the source; after the first, also stopping. KC-12, KC-13, KC-14."""
    origin = source(s, s.other_house)
    count = 0
    if s.influence[seat][origin] > 0:
        mask[st.MOVE_OWN] = 1
        count += 1
    if s.influence[1 - seat][origin] > 0:
        mask[st.MOVE_THEIRS] = 1
        count += 1
    if s.moved > 0:
        mask[st.STOP] = 1
        count += 1
    return count


@rule
def legal_gifts(s: State, seat: int, mask: list[int]) -> int:
    """Mark the cards of the binding house, or all if none can be given; never last turn's gift. KC-6, KC-11."""
    if s.bound[seat] != st.NONE:
        count = 0
        for card in range(st.RANKS * s.bound[seat], st.RANKS * s.bound[seat] + st.RANKS):
            if s.hand[seat][card] and card != s.last_gift:
                mask[st.GIVE + card] = 1
                count += 1
        if count > 0:
            return count
    for card in range(st.CARDS):
        mask[st.GIVE + card] = s.hand[seat][card]
    if s.last_gift == st.NONE:
        return s.hand_size[seat]
    mask[st.GIVE + s.last_gift] = 0
    return s.hand_size[seat] - 1


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action. KC-2, KC-4, KC-5, KC-10, KC-11, KC-12, KC-13."""
    if action < st.GIVE:
        play_card(book, s, seat, action - st.PLAY)
    elif action < st.PUT:
        give_card(s, seat, action - st.GIVE)
    elif action < st.SWITCH:
        put_counter(book, s, seat, (action - st.PUT) % len(st.COUNTERS))
    elif action < st.MOVE_NOTHING:
        switch_counters(book, s, seat, action - st.SWITCH)
    elif action < st.MOVE_OWN:
        choose_other_house(book, s, seat, action)
    elif action < st.GO_FIRST:
        move_unit(book, s, seat, action)
    else:
        tell(s, st.ORDER_CHOSEN, seat, -1, action)
        deal_hands(book, s, seat if action == st.GO_FIRST else 1 - seat)


@rule
def put_counter(book: Book, s: State, seat: int, counter: int) -> None:
    """Put a counter on the seat's next house; begin the first turn once both have put all. KC-4."""
    house = s.counters_put[seat]
    s.counter[seat][house] = counter
    s.counters_put[seat] += 1
    tell(s, st.COUNTER_PUT, seat, -1, house, counter, secret=B)
    if s.counters_put[0] == book.houses and s.counters_put[1] == book.houses:
        begin_turn(s, s.first)


@rule
def begin_turn(s: State, seat: int) -> None:
    """Begin a seat's turn: draw a card, unless the deck is empty and only the closing play is left. KC-5, KC-7."""
    s.turn = seat
    s.phase = st.PLAY_CARD
    if s.deck_size > 0:
        card = draw(s, seat)
        tell(s, st.CARD_DRAWN, seat, -1, card, secret=A)
    else:
        tell(s, st.DECK_EMPTY, seat)


@rule
def play_card(book: Book, s: State, seat: int, card: int) -> None:
    """Play a card face up and begin its effect. KC-5, KC-9, KC-10, KC-11, KC-12, KC-13, KC-14."""
    s.hand[seat][card] = 0
    s.given[card] = 0
    s.hand_size[seat] -= 1
    s.played[s.plays_made] = card
    s.plays_made += 1
    if s.last_gift == card:
        s.last_gift = st.NONE
    tell(s, st.CARD_PLAYED, seat, -1, card, 1 if s.deck_size > 0 else 0)
    house = st.house_of(card)
    rank = st.rank_of(card)
    if rank % 2 == 0:
        s.influence[seat][house] += rank
        end_effect(book, s)
    elif rank == 1:
        look(s, seat, house)
        s.phase = st.SWITCH_COUNTERS
    elif rank == 3:
        s.influence[seat][house] += 1
        bind_gift(s, 1 - seat, house)
        end_effect(book, s)
    elif something_to_move(s):
        s.phase = st.MOVE_HOUSE
    else:
        tell(s, st.NOTHING_MOVED, seat, -1, house, 1)
        end_effect(book, s)


@rule
def look(s: State, seat: int, house: int) -> None:
    """Record the opponent's counter in a house as seen by the seat. KC-10."""
    counter = s.counter[1 - seat][house]
    s.seen[seat][house] = counter
    s.outdated[seat][house] = 0
    tell(s, st.LOOKED, seat, 1 - seat, house, counter, secret=B | OTHER)


@rule
def switch_counters(book: Book, s: State, seat: int, pair: int) -> None:
    """Switch two of the seat's counters, and mark what the opponent saw of them as outdated. KC-10."""
    one, two = pair_of(pair)
    counters = s.counter[seat]
    counter = counters[one]
    counters[one] = counters[two]
    counters[two] = counter
    for house in range(st.HOUSES):
        if s.seen[1 - seat][house] != st.NONE:
            s.outdated[1 - seat][house] = 1
    tell(s, st.SWITCHED, seat, -1, one, two, secret=A | B)
    end_effect(book, s)


@rule
def pair_of(pair: int) -> tuple[int, int]:
    """Return the two houses of a pair number: (0, 1) for 0, (0, 2) for 1, (4, 5) for 14. KC-10."""
    one = 0
    while pair >= st.HOUSES - 1 - one:
        pair -= st.HOUSES - 1 - one
        one += 1
    return one, one + 1 + pair


@rule
def bind_gift(s: State, seat: int, house: int) -> None:
    """Bind a seat's next gift to a house, if the seat still has a gift to make. KC-11."""
    if s.deck_size > 0:
        s.bound[seat] = house


@rule
def card_in_play(s: State) -> int:
    """Return the card whose effect is being carried out. KC-5."""
    return s.played[s.plays_made - 1]


@rule
def moves_most(s: State) -> int:
    """Return the most Influence that the 5 or 7 in play may move. KC-12, KC-13."""
    return 3 if st.rank_of(card_in_play(s)) == 5 else 4


@rule
def source(s: State, other: int) -> int:
    """Return the house that Influence leaves: `other` for a 5, the house of the card for a 7. KC-12, KC-13."""
    card = card_in_play(s)
    return other if st.rank_of(card) == 5 else st.house_of(card)


@rule
def target(s: State, other: int) -> int:
    """Return the house that Influence enters: the house of the card for a 5, `other` for a 7. KC-12, KC-13."""
    card = card_in_play(s)
    return st.house_of(card) if st.rank_of(card) == 5 else other


@rule
def influence_in(s: State, house: int) -> int:
    """Return the Influence of both players in a house. KC-12."""
    return s.influence[0][house] + s.influence[1][house]


@rule
def something_to_move(s: State) -> bool:
    """Return whether the 5 or 7 in play can move any Influence. KC-12, KC-13, KC-14."""
    house = st.house_of(card_in_play(s))
    for other in range(st.HOUSES):
        if other != house and influence_in(s, source(s, other)) > 0:
            return True
    return False


@rule
def choose_other_house(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out the choice of the other house, or of moving nothing. KC-12, KC-13."""
    if action == st.MOVE_NOTHING:
        tell(s, st.NOTHING_MOVED, seat, -1, st.house_of(card_in_play(s)), 0)
        end_effect(book, s)
    else:
        s.other_house = (action - st.MOVE_FROM) % st.HOUSES
        s.phase = st.MOVE_UNIT


@rule
def move_unit(book: Book, s: State, seat: int, action: int) -> None:
    """Move one unit of Influence, or stop; end the effect when no more can move. KC-12, KC-13, KC-14."""
    if action == st.STOP:
        end_effect(book, s)
        return
    owner = seat if action == st.MOVE_OWN else 1 - seat
    origin = source(s, s.other_house)
    destination = target(s, s.other_house)
    s.influence[owner][origin] -= 1
    s.influence[owner][destination] += 1
    s.moved += 1
    tell(s, st.UNIT_MOVED, seat, owner, origin, destination)
    if s.moved == moves_most(s) or influence_in(s, origin) == 0:
        end_effect(book, s)


@rule
def end_effect(book: Book, s: State) -> None:
    """Go on to the gift, or end the game after the closing play. KC-5, KC-7."""
    s.other_house = st.NONE
    s.moved = 0
    if s.plays_made == book.plays:
        s.phase = st.OVER
        s.over = 1
        tell(s, st.GAME_OVER, s.turn)
    else:
        s.phase = st.GIVE_CARD


@rule
def give_card(s: State, seat: int, card: int) -> None:
    """Give a card to the opponent, whose turn begins. KC-5, KC-6, KC-11."""
    s.hand[seat][card] = 0
    s.hand[1 - seat][card] = 1
    s.given[card] = 1
    s.hand_size[seat] -= 1
    s.hand_size[1 - seat] += 1
    s.last_gift = card
    s.bound[seat] = st.NONE
    tell(s, st.CARD_GIVEN, seat, 1 - seat, card, secret=A | OTHER)
    begin_turn(s, 1 - seat)


@rule
def majority_bonus(s: State, house: int) -> int:
    """Return the sum of both counters in a house. KC-15."""
    return st.COUNTERS[s.counter[0][house]] + st.COUNTERS[s.counter[1][house]]


@rule
def majority(s: State, house: int) -> int:
    """Return the seat with strictly more Influence in a house, or NONE. KC-16."""
    difference = s.influence[0][house] - s.influence[1][house]
    if difference == 0:
        return st.NONE
    return 0 if difference > 0 else 1


@rule
def favour(s: State, seat: int, house: int) -> int:
    """Return the sum of the ranks of a house's cards in a seat's hand. KC-17."""
    total = 0
    for card in range(st.RANKS * house, st.RANKS * house + st.RANKS):
        if s.hand[seat][card]:
            total += st.rank_of(card)
    return total


@rule
def house_score(s: State, seat: int, house: int) -> int:
    """Return the score of a seat for a house. KC-16, KC-17."""
    if favour(s, 1 - seat, house) > favour(s, seat, house):
        return 0
    score = s.influence[seat][house]
    return score + majority_bonus(s, house) if majority(s, house) == seat else score


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    """Write the total score and the rank, 1 or 2, of each seat into the lists. KC-19."""
    for seat in range(st.SEATS):
        scores[seat] = 0
        for house in range(st.HOUSES):
            scores[seat] += house_score(s, seat, house)
    ahead = scores[0] - scores[1]
    tie_break = 0
    while ahead == 0 and tie_break < st.TIE_BREAKS:
        ahead = tie_break_value(s, 0, tie_break) - tie_break_value(s, 1, tie_break)
        tie_break += 1
    ranks[0] = 2 if ahead < 0 else 1
    ranks[1] = 2 if ahead > 0 else 1


@rule
def tie_break_value(s: State, seat: int, tie_break: int) -> int:
    """Return a seat's majorities, Influence or sum of ranks in hand, as the tie break asks. KC-19."""
    value = 0
    for house in range(st.HOUSES):
        if tie_break == st.MAJORITIES:
            value += 1 if majority(s, house) == seat else 0
        elif tie_break == st.MOST_INFLUENCE:
            value += s.influence[seat][house]
        else:
            value += favour(s, seat, house)
    return value
