"""King's Court: its numbers, the book, the state."""

from quintain.engine.compiled import rule
from quintain.engine.state import Event, Record, field

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

MAJORITIES, MOST_INFLUENCE, HAND_SUM = 0, 1, 2
TIE_BREAKS = 3


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
