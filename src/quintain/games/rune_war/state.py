"""The numbers of Rune War by name, and the records `Book` and `State` that its rules work on.

Cards, places, rows, suits and seats are numbered from 0. The rulebook and `words` count places and rows from 1. The
numbers of the actions begin at `HOLD`; `moves` gives each its words.
"""

from quintain.engine import UNKNOWN, Event, Record, field, rule

SEATS, CARDS, SUITS, RANKS, COURTS = 5, 78, 4, 14, 4
"""The most seats, the cards with the runes, the suits, the cards of a suit, and its court cards."""
HIGHEST_NUMBER = 10
FIRST_RUNE = SUITS * RANKS
RUNES = CARDS - FIRST_RUNE
(FOOL, MAGICIAN, PRIESTESS, EMPRESS, EMPEROR, HIEROPHANT, LOVERS, CHARIOT, STRENGTH, HERMIT, WHEEL, JUSTICE, HANGED_MAN,
 DEATH, TEMPERANCE, DEVIL, TOWER, STAR, MOON, SUN, JUDGEMENT, WORLD) = range(RUNES)  # fmt: skip
"""The runes. As a card, a rune has the number FIRST_RUNE + rune."""
OF_BATTLE = (1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1)
"""For each rune: 1 if it is a rune of the battle, 0 if it is a rune of the field."""
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The pairs of suits that The Lovers may join."""

ROWS = 12
PLACES = ROWS * (ROWS + 1) // 2
ROW_OF = tuple(row for row in range(ROWS) for _ in range(row + 1))
"""The row of each place. Places are numbered row by row."""
ROW_START = tuple(row * (row + 1) // 2 for row in range(ROWS + 1))
"""The first place of each row."""

MOST_DEALT, LEAST_DEALT, CROWD = 10, 8, 5
"""The cards that each player is dealt: MOST_DEALT, but LEAST_DEALT if CROWD seats play without runes. RW-2."""
QUIET_TURNS, MOST_TURNS = 10, 25
"""A truce comes when each player has completed QUIET_TURNS in which no battle destroys a card, or MOST_TURNS. RW-15."""
MOST_NAMED = 3
"""The most cards that a player names for one rune: The High Priestess and Judgement allow three. RW-21."""
NONE = -1

DECK, PILE, CAST_OFF, ATTACKING, DEFENCE, HAND = 0, 1, 2, 3, 4, 9
"""Where a card lies: in the deck, on the discard pile, among the cards discarded in this turn, in an attack, in the
defence of seat n at DEFENCE + n, or in its hand at HAND + n."""

PRIVATELY, OPENLY = 1, 2
"""How a seat knows a card in a hand. PRIVATELY: not everybody knows it. OPENLY: everybody does."""
ATTACKER, DEFENDER = 1, 2
"""The sides of a battle in `State.side`, where 0 is neither."""
SPECTATORS = SEATS
"""The viewers in `State.seen` after all seats. They have seen a card only if everybody has."""
VIEWERS = SEATS + 1

(BUILD, TURN, LAY_AT, AIM, SUPPORT, RESPOND, FURTHER, JOIN_SUITS, LOOK_AT, EXCHANGE_OF, EXCHANGE_OR_NOT, TAKE_BACK,
 DESTROY, ON_SEAT, IN_ROW, FROM_PILE, RETURN, GIVE_UP) = range(18)  # fmt: skip
"""The phases. Each stands for the question that the game asks next. In RETURN and GIVE_UP, Judgement takes number cards
from the discard pile, then discards."""

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
"""The number of actions. Each name above is the first action of its kind: LAY + 3 lays card 3, for example, and
AIM_AT + PLACES * 2 + 5 aims at place 5 of seat 2."""
LONGEST = SEATS * (2 * MOST_DEALT + 1) + SEATS * MOST_TURNS * (3 * CARDS + 3)
"""The most actions of a game. Each seat builds with two actions a card and is done, and has MOST_TURNS turns. In a turn
each card is attacked, turned up, added or played at most once, and at most two actions that hold back follow it. The
choice of the first attacker, the suits of The Lovers and stopping come on top; a rune of the field takes less."""
OUTCOMES = CARDS
"""The most outcomes of a draw: the first card comes from a deck of all cards."""

(STARTS, BUILT, LAID, ATTACKED, TURNED_UP, ADDED, HELD, COUNTED, DESTROYED, WENT_ON, STOPPED, DREW, DREW_MANY, SHUFFLED,
 PLAYED, JOINED, LOOKED, REARRANGED, TOOK_BACK, STRUCK_DOWN, STOLE, SHOWN, TOOK, MIXED, SAW_HAND, GAVE_UP, OUT, TRUCE,
 WON) = range(29)  # fmt: skip
"""The kinds of events. `narration` reads the numbers of each."""


class Book(Record):
    """The settings that stay fixed for a match."""

    seats: int = field(low=2, high=SEATS)
    dealt: int = field(low=LEAST_DEALT, high=MOST_DEALT)
    """The number of cards that each player is dealt."""
    cards: int = field(low=FIRST_RUNE, high=CARDS)
    """The number of cards in the game: 56 without runes, 78 with them."""


class State(Record):
    """The position: all that changes in a match.

    Cards are numbered suit by suit, from ace to king; the runes follow. A card of a defence has a bit in `shape`, its
    number in `defence`, and a bit in `seen` for each viewer that knows it, apart from its owner.
    """

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=0, high=GIVE_UP, means="kind")
    first: int = field(low=0, high=SEATS - 1, means="seat")
    """The seat that has the first turn of the war."""
    turn: int = field(low=0, high=SEATS - 1, means="seat")
    """The seat whose turn it is; in a battle, the attacker."""
    lies: list[int] = field(
        CARDS, low=NONE, high=HAND + SEATS - 1, means="seat", seat_at=((DEFENCE, 1), (HAND, 1)), secret=True
    )
    """Where each card lies; NONE for a card that is not in this match."""
    known: list[list[int]] = field(CARDS, SEATS, low=0, high=OPENLY, seats=1, secret=True)
    """How each seat knows that a card is in a hand: 0, PRIVATELY or OPENLY."""
    deck_size: int = field(low=0, high=CARDS)
    pile_size: int = field(low=0, high=CARDS)
    hand_size: list[int] = field(SEATS, low=0, high=CARDS, usual=MOST_DEALT, seats=0, secret=True)
    shape: list[list[int]] = field(SEATS, ROWS, low=0, high=2**ROWS - 1, seats=0, secret=True)
    """For each row of each defence, a bit for each column that holds a card."""
    defence: list[list[int]] = field(SEATS, PLACES, low=NONE, high=CARDS - 1, seats=0, secret=True)
    seen: list[list[list[int]]] = field(SEATS, VIEWERS, ROWS, low=0, high=2**ROWS - 1, seats={0: 0, 1: 0})
    """For each viewer and each row of each defence, a bit for each column whose card the viewer has seen."""
    defence_size: list[int] = field(SEATS, low=0, high=CARDS, usual=MOST_DEALT, seats=0, secret=True)
    built: list[int] = field(SEATS, low=0, high=1, seats=0)
    """1 for a seat that has finished its first defence."""
    chosen: list[int] = field(SEATS, low=NONE, high=CARDS - 1, seats=0, means="kind", secret=True)
    """The card in each seat's hand that it is about to lay or to attack with."""
    target: int = field(low=NONE, high=SEATS - 1, means="seat")
    """The seat that a rune of the field works on."""
    attacker: int = field(low=NONE, high=SEATS - 1, means="seat")
    defender: int = field(low=NONE, high=SEATS - 1, means="seat")
    """The seats of the current battle, or of the last one."""
    open_row: list[int] = field(ROWS, low=0, high=2**ROWS - 1)
    """The places of the defender that were exposed when the turn began."""
    further: int = field(low=0, high=1)
    """1 in a further attack of the turn."""
    chariot: int = field(low=0, high=1)
    """1 in a turn in which The Chariot works for the further attacks."""
    row: int = field(low=NONE, high=ROWS - 1)
    left: int = field(low=0, high=ROWS - 1)
    right: int = field(low=0, high=ROWS - 1)
    """The turned-up cards of the battle lie in `row`, from column `left` to column `right`."""
    added: int = field(low=0, high=CARDS, usual=5)
    """The number of cards that the attacker has added in this battle."""
    declined: int = field(low=0, high=1)
    """1 if the last action in the battle was to hold back."""
    rune: list[int] = field(2, low=NONE, high=RUNES - 1, means="kind")
    """The runes that the attacker and the defender have played in this battle."""
    joined: int = field(low=NONE, high=len(PAIRS) - 1, means="kind")
    """The index in PAIRS of the suits that The Lovers have joined."""
    side: list[int] = field(CARDS, low=0, high=DEFENDER)
    """The side of each card in the current battle, or in the last one: ATTACKER, DEFENDER, or 0."""
    counted: int = field(low=0, high=1)
    """1 once that battle has been counted."""
    cast: int = field(low=0, high=CARDS)
    """The number of cards at CAST_OFF, which this turn has discarded."""
    razed: int = field(low=0, high=1)
    """1 in a turn in which a battle has destroyed a card."""
    field_rune: int = field(low=NONE, high=RUNES - 1, means="kind")
    """The rune of the field that was played last."""
    named: list[int] = field(MOST_NAMED, low=NONE, high=CARDS - 1)
    """The places that have been named for this rune; for Judgement, the cards."""
    names: int = field(low=0, high=MOST_NAMED)
    """How many have been named; while Judgement discards, how many cards are still to go."""
    destroyed: list[int] = field(SEATS, low=0, high=MOST_TURNS * CARDS, usual=10, seats=0)
    """The number of opposing cards that each seat has destroyed."""
    turns: list[int] = field(SEATS, low=0, high=MOST_TURNS, seats=0)
    """The number of turns that each seat has completed."""
    quiet: list[int] = field(SEATS, low=0, high=MOST_TURNS, seats=0)
    """The number of turns that each seat has completed since a battle destroyed a card."""
    out: list[int] = field(SEATS, low=0, high=SEATS, seats=0)
    """The order in which seats went out: 1 for the first; 0 for a seat that is still in."""
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(32)


@rule
def suit_of(card: int) -> int:
    """Return the suit of a card that is no rune. RW-1."""
    return card // RANKS


@rule
def number_of(card: int) -> int:
    """Return the number of a number card; 0 for any other card. RW-1."""
    rank = card % RANKS + 1
    return rank if card < FIRST_RUNE and rank <= HIGHEST_NUMBER else 0


@rule
def place_of(row: int, column: int) -> int:
    """Return the place at a column of a row. RW-3."""
    return ROW_START[row] + column


@rule
def column_of(place: int) -> int:
    """Return the column of a place in its row. RW-3."""
    return place - ROW_START[ROW_OF[place]]


@rule
def has_seen(s: State, viewer: int, seat: int, place: int) -> bool:
    """Return whether a viewer, a seat or SPECTATORS, has seen the card at a place of a seat's defence. RW-11, RW-23."""
    return s.seen[seat][viewer][ROW_OF[place]] >> column_of(place) & 1 == 1


@rule
def is_at(s: State, card: int, where: int) -> bool:
    """Return whether a card lies at `where`; False if that is UNKNOWN. RW-23."""
    return s.lies[card] != UNKNOWN and s.lies[card] == where
