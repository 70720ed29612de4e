"""Rune War: its numbers, the book, the state."""

from quintain.engine.compiled import rule
from quintain.engine.state import UNKNOWN, Event, Record, field

SEATS, CARDS, SUITS, RANKS, COURTS = 5, 78, 4, 14, 4
HIGHEST_NUMBER = 10
FIRST_RUNE = SUITS * RANKS
RUNES = CARDS - FIRST_RUNE
(FOOL, MAGICIAN, PRIESTESS, EMPRESS, EMPEROR, HIEROPHANT, LOVERS, CHARIOT, STRENGTH, HERMIT, WHEEL, JUSTICE, HANGED_MAN,
 DEATH, TEMPERANCE, DEVIL, TOWER, STAR, MOON, SUN, JUDGEMENT, WORLD) = range(RUNES)  # fmt: skip
OF_BATTLE = (1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1)
"""1 for each rune of the battle."""
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The pairs of suits that The Lovers may join."""

ROWS = 12
PLACES = ROWS * (ROWS + 1) // 2
ROW_OF = tuple(row for row in range(ROWS) for _ in range(row + 1))
"""The row of each place: places are numbered row by row, and all counts begin at 0."""
ROW_START = tuple(row * (row + 1) // 2 for row in range(ROWS + 1))

MOST_DEALT, LEAST_DEALT, CROWD = 10, 8, 5
QUIET_TURNS, MOST_TURNS = 10, 25
MOST_NAMED = 3
NONE = -1

DECK, PILE, CAST_OFF, ATTACKING, DEFENCE, HAND = 0, 1, 2, 3, 4, 9
"""Where a card lies: in the deck, on the discard pile, among what the running turn has discarded, in an attack, or with
seat n, at DEFENCE + n or HAND + n."""

PRIVATELY, OPENLY = 1, 2
"""How others than its holder know a card of a hand: some of them, or everybody."""
ATTACKER, DEFENDER = 1, 2
"""The sides of a battle, as `State.side` tells them."""
ANYBODY = 2 ** (SEATS + 1) - 1
"""Who has seen a card that was turned up: each seat has a bit, and onlookers have the last one."""

(BUILD, TURN, LAY_AT, AIM, SUPPORT, RESPOND, FURTHER, JOIN_SUITS, LOOK_AT, EXCHANGE_OF, EXCHANGE_OR_NOT, TAKE_BACK,
 DESTROY, ON_SEAT, IN_ROW, FROM_PILE, RETURN, GIVE_UP) = range(18)  # fmt: skip
"""The phases: what is asked next."""

HOLD, DONE, STOP, EXCHANGE, PUT_BACK, PLAY = range(6)
AT = PLAY + RUNES
LAY = AT + PLACES
ATTACK, TURN_UP, ADD = LAY + CARDS, LAY + 2 * CARDS, LAY + 2 * CARDS + PLACES
AIM_AT = ADD + CARDS
TAKE = AIM_AT + SEATS * PLACES
DISCARD, ON = TAKE + CARDS, TAKE + 2 * CARDS
ROW = ON + SEATS
JOIN = ROW + ROWS
ACTIONS = JOIN + len(PAIRS)
"""The most frequent actions come first. AIM_AT has the places of all seats, the lowest seat first."""

(STARTS, BUILT, LAID, ATTACKED, TURNED_UP, ADDED, HELD, COUNTED, DESTROYED, WENT_ON, STOPPED, DREW, DREW_MANY, SHUFFLED,
 PLAYED, JOINED, LOOKED, REARRANGED, TOOK_BACK, STRUCK_DOWN, STOLE, SHOWN, TOOK, MIXED, SAW_HAND, GAVE_UP, OUT, TRUCE,
 WON) = range(29)  # fmt: skip


class Book(Record):
    """What is fixed for a match."""

    seats: int = field(low=2, high=SEATS)
    dealt: int = field(low=LEAST_DEALT, high=MOST_DEALT)
    cards: int = field(low=FIRST_RUNE, high=CARDS)
    """How many cards there are: without runes only those of the suits."""


class State(Record):
    """What changes.

    Cards are numbered suit by suit, ace to king, then the runes. A defence has a bit for each place of each row in
    `shape`, and the card in `defence`; `seen` has the bits of those who know it beside its owner.
    """

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=0, high=GIVE_UP)
    first: int = field(low=0, high=SEATS - 1)
    turn: int = field(low=0, high=SEATS - 1)
    lies: list[int] = field(CARDS, low=NONE, high=HAND + SEATS - 1)
    """Where each card lies; NONE for one that is not in this match."""
    known: list[list[int]] = field(CARDS, SEATS, low=0, high=OPENLY)
    """How each seat knows that a card is in another's hand."""
    deck_size: int = field(low=0, high=CARDS)
    pile_size: int = field(low=0, high=CARDS)
    hand_size: list[int] = field(SEATS, low=0, high=CARDS)
    shape: list[list[int]] = field(SEATS, ROWS, low=0, high=2**ROWS - 1)
    defence: list[list[int]] = field(SEATS, PLACES, low=NONE, high=CARDS - 1)
    seen: list[list[int]] = field(SEATS, PLACES, low=0, high=ANYBODY)
    defence_size: list[int] = field(SEATS, low=0, high=CARDS)
    built: list[int] = field(SEATS, low=0, high=1)
    chosen: list[int] = field(SEATS, low=NONE, high=CARDS - 1)
    """The card of a seat's hand that is about to be laid or to attack."""
    target: int = field(low=NONE, high=SEATS - 1)
    """Whom a rune of the field works on."""
    attacker: int = field(low=NONE, high=SEATS - 1)
    defender: int = field(low=NONE, high=SEATS - 1)
    """The seats of the battle, the last one if none is running."""
    open_row: list[int] = field(ROWS, low=0, high=2**ROWS - 1)
    """The places of the defender that were exposed when the turn began."""
    further: int = field(low=0, high=1)
    """1 in a further attack of the turn."""
    chariot: int = field(low=0, high=1)
    row: int = field(low=NONE, high=ROWS - 1)
    left: int = field(low=0, high=ROWS - 1)
    right: int = field(low=0, high=ROWS - 1)
    """The turned-up cards are those of the row from left to right."""
    added: int = field(low=0, high=CARDS)
    declined: int = field(low=0, high=1)
    rune: list[int] = field(2, low=NONE, high=RUNES - 1)
    """The runes of the attacker and of the defender in this battle."""
    joined: int = field(low=NONE, high=len(PAIRS) - 1)
    side: list[int] = field(CARDS, low=0, high=DEFENDER)
    """Which cards are on which side of the battle, the last one if none is running."""
    counted: int = field(low=0, high=1)
    """1 once the battle in `side` has been counted."""
    cast: int = field(low=0, high=CARDS)
    """How many cards the running turn has discarded, at CAST_OFF."""
    razed: int = field(low=0, high=1)
    """1 in a turn in which a battle has destroyed a card."""
    field_rune: int = field(low=NONE, high=RUNES - 1)
    """The rune of the field that is being carried out."""
    named: list[int] = field(MOST_NAMED, low=NONE, high=CARDS - 1)
    """The places, or for Judgement the cards, that have been named for it."""
    names: int = field(low=0, high=MOST_NAMED)
    destroyed: list[int] = field(SEATS, low=0)
    turns: list[int] = field(SEATS, low=0, high=MOST_TURNS)
    quiet: list[int] = field(SEATS, low=0, high=MOST_TURNS)
    """The turns completed since a battle destroyed a card."""
    out: list[int] = field(SEATS, low=0, high=SEATS)
    """When a seat went out: 1 for the first, 0 for one that is still in."""
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(32)


@rule
def suit_of(card: int) -> int:
    """Return the suit; not for runes. RW-1."""
    return card // RANKS


@rule
def number_of(card: int) -> int:
    """Return the number on a number card, 0 for any other. RW-1."""
    rank = card % RANKS + 1
    return rank if card < FIRST_RUNE and rank <= HIGHEST_NUMBER else 0


@rule
def place_of(row: int, column: int) -> int:
    """RW-3."""
    return ROW_START[row] + column


@rule
def column_of(place: int) -> int:
    """RW-3."""
    return place - ROW_START[ROW_OF[place]]


@rule
def is_at(s: State, card: int, where: int) -> bool:
    """Tell whether a card is known to lie somewhere. RW-23."""
    return s.lies[card] != UNKNOWN and s.lies[card] == where
