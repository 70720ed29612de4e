"""The numbers of King's Court by name, and the records `Book` and `State` that its rules work on.

Seats, houses and cards are numbered from 0. The action numbers begin at `PLAY`; `moves` gives each its words.
"""

from quintain.engine import Event, Record, field, rule

SEATS, HOUSES, RANKS = 2, 6, 8
CARDS = HOUSES * RANKS
LEAST_HOUSES, LEAST_RANKS = 2, 3
"""The smallest game. All others have these numbers of houses and ranks, or more. KC-1."""
COUNTERS = (-2, 0, 1, 2, 3, 5)
"""The worth of each counter of a player."""
HOUSES_FOR = (6, 5, 4, 3, 2, 2)
"""With how many houses, or more, each counter is in the game. KC-1."""
FIRST_HAND, SECOND_HAND = 8, 7
"""The cards that the first and the second player are dealt in the full game. KC-3."""
PLAYS = 34
"""The cards that both players together play in the full game, 17 each. KC-7."""
INFLUENCE_BOUND = 126
"""The most Influence of a player in a house: what all 48 cards together would gain."""
NONE = -1

CHOOSE_ORDER, PUT_COUNTERS, PLAY_CARD, SWITCH_COUNTERS, MOVE_HOUSE, MOVE_UNIT, GIVE_CARD, OVER = range(8)
"""The phases. In MOVE_HOUSE the player of a 5 or a 7 chooses the other house, in MOVE_UNIT the units one by one."""

PLAY, GIVE, PUT, SWITCH = 0, 48, 96, 132
MOVE_NOTHING, MOVE_FROM, MOVE_TO, MOVE_OWN, MOVE_THEIRS, STOP = 147, 148, 154, 160, 161, 162
GO_FIRST, GO_SECOND = 163, 164
ACTIONS = 165
"""The actions: each name is the first action of its kind, or the only one. They are 48 cards to play, 48 cards to give,
6 counters for each of 6 houses, 15 pairs of houses to switch, 16 ways to move Influence, and 2 for who goes first."""
LONGEST = 1 + SEATS * HOUSES + 2 * PLAYS - 1 + HOUSES * (1 + 4 + 5)
"""The most actions of a game: the order, all counters, all plays, a gift after each but the last, and for the 1, the 5
and the 7 of each house what they ask: a pair of houses, or the other house and 3 or 4 units of Influence."""
OUTCOMES = CARDS
"""The most outcomes of a draw: the first card comes from a deck of all cards."""

(ORDER_DRAWN, ORDER_CHOSEN, COUNTER_PUT, CARD_DRAWN, CARD_PLAYED, LOOKED, SWITCHED, NOTHING_MOVED, UNIT_MOVED,
 CARD_GIVEN, DECK_EMPTY, GAME_OVER) = range(12)  # fmt: skip
"""The kinds of events. `narration` reads the numbers of each."""

MAJORITIES, MOST_INFLUENCE, HAND_SUM = 0, 1, 2
TIE_BREAKS = 3
"""The tie breaks in their order, and their number. KC-19."""


class Book(Record):
    """The settings that stay fixed for a match."""

    garnets: list[int] = field(SEATS, bits=64, low=0, seats=0)
    houses: int = field(low=LEAST_HOUSES, high=HOUSES)
    """How many houses are in the game; they are the first ones. KC-1."""
    ranks: int = field(low=LEAST_RANKS, high=RANKS)
    """How many ranks each house has; they are the lowest. KC-1."""
    hand: int = field(low=1, high=SECOND_HAND)
    """The cards that the second player is dealt, and both hold at the end; the first player gets one more. KC-3."""
    counters: list[int] = field(len(COUNTERS), low=0, high=1)
    """1 for each counter that is in the game. KC-1."""
    plays: int = field(low=2, high=PLAYS)
    """The cards that both players together play. KC-7."""


class State(Record):
    """The position: all that changes in a match. A card has the number 8 * house + rank - 1.

    A game with fewer houses or ranks leaves places empty: nobody holds the cards that are not in the game, and no
    counter lies on a house that is not.
    """

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=0, high=OVER, means="kind")
    first: int = field(low=NONE, high=1, means="seat")
    """The first player; NONE until that is settled."""
    turn: int = field(low=0, high=1, means="seat")
    hand: list[list[int]] = field(SEATS, CARDS, low=0, high=1, seats=0, secret=True)
    """1 for each card in the hand of each seat."""
    given: list[int] = field(CARDS, low=0, high=1)
    """1 for a card that is still in the hand to which the opponent gave it. Both players know where it is."""
    hand_size: list[int] = field(SEATS, low=0, high=9, seats=0)
    deck: list[int] = field(CARDS, low=NONE, high=CARDS - 1, means="bag", secret=True)
    """The cards of the deck in no particular order: `draw` picks one at random."""
    deck_size: int = field(low=0, high=CARDS)
    played: list[int] = field(PLAYS, low=NONE, high=CARDS - 1, means="bag")
    """The played cards in order. The first player played those at even indices. No rule asks in which order they came,
    so learners see a bag."""
    plays_made: int = field(low=0, high=PLAYS)
    influence: list[list[int]] = field(SEATS, HOUSES, low=0, high=INFLUENCE_BOUND, usual=12, seats=0)
    counter: list[list[int]] = field(SEATS, HOUSES, low=NONE, high=5, seats=0, means="kind", secret=True)
    """Indices into COUNTERS; NONE for a house that has no counter yet."""
    counters_put: list[int] = field(SEATS, low=0, high=HOUSES, seats=0)
    seen: list[list[int]] = field(SEATS, HOUSES, low=NONE, high=5, seats=0, means="kind")
    """The opponent's counter in each house when the seat last looked, an index into COUNTERS; NONE if it never did."""
    outdated: list[list[int]] = field(SEATS, HOUSES, low=0, high=1, seats=0)
    """1 for a house that the seat has looked at, if the opponent has switched counters since then."""
    last_gift: int = field(low=NONE, high=CARDS - 1, means="kind")
    """The card that `turn` received in the turn before and may not give back; NONE once it is played."""
    bound: list[int] = field(SEATS, low=NONE, high=HOUSES - 1, seats=0, means="kind")
    """The house that each seat's next gift must belong to; NONE for a free gift."""
    other_house: int = field(low=NONE, high=HOUSES - 1, means="kind")
    """The other house that the player of a 5 or a 7 has chosen."""
    moved: int = field(low=0, high=4)
    """The Influence that this 5 or 7 has moved so far."""
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(4)


@rule
def house_of(card: int) -> int:
    """Return the house of a card. KC-1."""
    return card // RANKS


@rule
def rank_of(card: int) -> int:
    """Return the rank of a card, 1 to 8. KC-1."""
    return card % RANKS + 1


@rule
def in_game(book: Book, card: int) -> bool:
    """Return whether a card is in the game. KC-1."""
    return card // RANKS < book.houses and card % RANKS < book.ranks


@rule
def is_small(book: Book) -> bool:
    """Return whether some of the cards of the full game are not in the game. KC-1."""
    return book.houses < HOUSES or book.ranks < RANKS
