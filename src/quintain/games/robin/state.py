"""Robin in the Hood: the numbers of the rules, the numbering of actions and events, the book, and the state.

All other files of this game import this one, as `st`. Cards are numbered: the characters of the set first, then its
modifiers.
"""

from quintain.engine import UNKNOWN, Event, Record, field, rule

SEATS, STAGES, HAND = 2, 4, 5
"""The seats, the stages, and the cards that a player holds. RH-1, RH-9."""
AGILITY, WEAPONS, STRENGTH, ENDURANCE = range(STAGES)
HIGHEST = 5
"""The highest printed level, Gold."""
MOST_CHARACTERS, MOST_MODIFIERS = 128, 32
"""The most characters and modifiers of a set of cards. RH-5."""
CARDS = MOST_CHARACTERS + MOST_MODIFIERS
LEAST_ACTIVE, MOST_ACTIVE, USUAL_ACTIVE = 10, 20, 12
MODIFIERS_ACTIVE = 3
"""How many characters and how many modifiers an active set has. RH-4."""
MOST_VICTORIES, USUAL_VICTORIES = 9, 3
"""How many rounds a player must win. RH-6."""
MOST_DRAWN = 9
"""How many drawn rounds in a row end the tournament."""
MOST_ROUNDS = (2 * MOST_VICTORIES - 1) * MOST_DRAWN
"""The most rounds of a tournament: each decided round may follow MOST_DRAWN - 1 drawn ones."""
MOST_CHANGE = 9
"""The most by which a card may change a level."""
MOST_BY_SKILLS = SEATS * STAGES * MOST_CHANGE
"""The most by which special skills change a level: each character that fights changes a card at most once."""
NONE = -1

EVERYBODY, NOBLE, TOWNSFOLK, OUTLAW, ROYALTY, KNIGHT, GUARD, ACTIVIST, PACIFIST = range(9)
"""The groups: everybody, then the castes, then the politics."""

SELF, FACED, OWN, OPPOSING = range(4)
"""The characters that a special skill changes; with OWN and OPPOSING it has a star and works elsewhere."""
ALWAYS, FACES_GROUP, FACES_NAME, ACCOMPANIED, ALONE, LEADING, TRAILING = range(7)
"""The conditions of special skills."""

OWN_SIDE, OTHER_SIDE, BOTH_SIDES = range(3)
"""Whose characters a modifier changes."""
LASTING, ONE_HAND = range(2)
IN_FORCE = 2
"""The two places for the modifiers that a player has in force, and their number."""
MOST_BY_MODIFIERS = SEATS * IN_FORCE * MOST_CHANGE + HIGHEST
"""The most by which modifiers change a level: each in force, and the exchange of two printed levels."""

MOST_IN_SET = MOST_ACTIVE + MODIFIERS_ACTIVE
"""The most cards of an active set."""

STAKE, CHOOSE_SET, FIGHT, ENDED = range(4)
"""The phases."""
ASKED, PICKING, READY = range(3)
"""How far a seat is with the choice of its active set."""

PLAY, TAKE, STAKE_CARD = 0, CARDS, 2 * CARDS
KEEP, DEAL, CHOOSE = 3 * CARDS, 3 * CARDS + 1, 3 * CARDS + 2
ACTIONS = 3 * CARDS + 3
"""The actions: PLAY, TAKE and STAKE_CARD are the first of a number for each card."""
LONGEST = SEATS * (1 + MOST_ROUNDS * (1 + MOST_IN_SET + MOST_IN_SET - HAND + 1))
"""The most actions of a tournament: each seat stakes a card, and in each round it chooses a set card by card and plays
a card in every hand. Each hand but the last draws a card, from a pile that has HAND cards fewer than the set."""
OUTCOMES = MOST_CHARACTERS
"""The most outcomes of a draw: a set that is dealt is drawn from all characters. A draw that hits a card of the set is
made again, so the number of draws has no bound."""

(STAKED, KEPT_SET, NEW_SET, ROUND_BEGINS, DREW, CHOSE, PLAYED, REPLACED, REMOVED, COMPARED, UNOPPOSED, ROUND_WON,
 ROUND_DRAWN, TOURNAMENT_WON, TOURNAMENT_DRAWN, ANTE_SHOWN, ANTE_GAINED) = (*range(10), *range(13, 20))  # fmt: skip
"""The kinds of events. COMPARED is the first of four, one for each stage. `narration.py` reads the numbers of each."""
BOTH_FULL, PILE_EMPTY = range(2)
"""The reasons why a round is drawn."""


class Skill(Record):
    """A special skill, as one row of data. RH-19."""

    whom: int = field(low=SELF, high=OPPOSING)
    group: int = field(low=EVERYBODY, high=PACIFIST)
    """The group that a starred skill changes."""
    stage: int = field(low=NONE, high=ENDURANCE)
    """The stage on which the changed character must stand; NONE for any."""
    condition: int = field(low=ALWAYS, high=TRAILING)
    value: int = field(low=0, high=MOST_CHARACTERS - 1)
    """The group or the character that the condition names."""
    change: int = field(low=-MOST_CHANGE, high=MOST_CHANGE)


class Character(Record):
    """A character card. RH-1."""

    level: list[int] = field(STAGES, low=0, high=HIGHEST)
    caste: int = field(low=EVERYBODY, high=GUARD)
    politics: int = field(low=EVERYBODY, high=PACIFIST)
    """EVERYBODY if it has none."""
    skill: Skill = field()
    name: str = field(text=True)
    short: str = field(text=True)
    """The name for narrow places; empty if the whole name is short enough."""
    text: str = field(text=True)


class Modifier(Record):
    """A modifier card. RH-3, RH-20."""

    lasts: int = field(low=0, high=1)
    group: int = field(low=EVERYBODY, high=PACIFIST)
    side: int = field(low=OWN_SIDE, high=BOTH_SIDES)
    stages: int = field(low=0, high=2**STAGES - 1)
    """A bit for each stage on which it works."""
    change: int = field(low=-MOST_CHANGE, high=MOST_CHANGE)
    removes: int = field(low=0, high=1)
    firm: int = field(low=0, high=1)
    """1 if it cannot be removed."""
    swaps: int = field(low=0, high=1)
    """1 if it exchanges the printed levels of its two stages."""
    ignores: int = field(low=0, high=1)
    """1 if it ignores special skills."""
    name: str = field(text=True)
    short: str = field(text=True)
    """The name for narrow places; empty if the whole name is short enough."""
    text: str = field(text=True)


class Book(Record):
    """The settings and cards that stay fixed for a match."""

    victories: int = field(low=1, high=MOST_VICTORIES)
    """How many rounds win the tournament."""
    active: int = field(low=LEAST_ACTIVE, high=MOST_ACTIVE)
    """How many characters an active set has."""
    modifiers: int = field(low=0, high=MODIFIERS_ACTIVE)
    """How many modifiers an active set has."""
    ante: int = field(low=0, high=1)
    dealt: int = field(low=0, high=1)
    """1 if each seat is dealt one active set for the whole tournament."""
    characters: int = field(low=0, high=MOST_CHARACTERS)
    cards: int = field(low=0, high=CARDS)
    """How many characters the set has, and how many cards in all."""
    character: list[Character] = field(MOST_CHARACTERS)
    modifier: list[Modifier] = field(MOST_MODIFIERS)
    owned: list[list[int]] = field(SEATS, CARDS, low=0, high=1, seats=0)
    """1 for each card in the collection of each seat."""
    usable: list[list[int]] = field(SEATS, CARDS, low=0, high=CARDS - 1, seats=0)
    """The cards that a seat may have in its active set, characters first; exactly one set if it has no choice."""
    usable_characters: list[int] = field(SEATS, low=0, high=MOST_CHARACTERS, seats=0)
    usable_modifiers: list[int] = field(SEATS, low=0, high=MOST_MODIFIERS, seats=0)
    no_choice: list[int] = field(SEATS, low=0, high=1, seats=0)
    """1 if the collection of a seat is too small for a choice."""


class State(Record):
    """The position: all that changes in a match. A place without a card holds NONE."""

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=STAKE, high=ENDED, means="kind")
    round: int = field(low=0, high=MOST_ROUNDS, usual=10)
    """The round, counted from 1."""
    drawn: int = field(low=0, high=MOST_DRAWN)
    """How many rounds in a row have been drawn."""
    victories: list[int] = field(SEATS, low=0, high=MOST_VICTORIES, usual=USUAL_VICTORIES, seats=0)
    staked: list[int] = field(SEATS, low=NONE, high=CARDS - 1, values="card", seats=0, secret=True)
    """The card that each seat has staked as its ante."""
    choosing: list[int] = field(SEATS, low=ASKED, high=READY, seats=0, means="kind")
    leader: int = field(low=NONE, high=SEATS - 1, means="seat")
    """The seat that plays first in this hand; NONE if both choose at the same time."""
    hand: list[list[int]] = field(
        SEATS, HAND, low=NONE, high=CARDS - 1, values="card", seats=0, means="bag", secret=True
    )
    hand_size: list[int] = field(SEATS, low=0, high=HAND, seats=0)
    pile: list[list[int]] = field(
        SEATS, MOST_IN_SET, low=NONE, high=CARDS - 1, values="card", seats=0, means="bag", secret=True
    )
    """The draw pile, in no order: each draw is random. While sets are chosen, it holds the active set."""
    pile_size: list[int] = field(SEATS, low=0, high=MOST_IN_SET, seats=0)
    last_set: list[list[int]] = field(
        SEATS, MOST_IN_SET, low=NONE, high=CARDS - 1, values="card", seats=0, means="bag", secret=True
    )
    """The active set of the last round, as long as its seat takes cards into a new one."""
    shown: list[list[int]] = field(SEATS, CARDS, low=0, high=1, seats=0)
    """1 for each card that a seat has played in this round: it is on a stage, in force, or dead."""
    chosen: list[int] = field(SEATS, low=NONE, high=CARDS - 1, values="card", seats=0, means="kind", secret=True)
    """The card that each seat plays in this hand: a secret until both have chosen, but open if one plays first."""
    stage: list[list[int]] = field(
        SEATS, STAGES, low=NONE, high=MOST_CHARACTERS - 1, values="card", seats=0, means="kind"
    )
    """The character of each seat on each stage."""
    lasting: list[int] = field(SEATS, low=NONE, high=MOST_MODIFIERS - 1, seats=0, means="kind")
    """The lasting modifier of each seat, numbered from the first modifier."""
    hands: int = field(low=0, high=MOST_IN_SET)
    """How many hands of this round are over."""
    fought: list[list[int]] = field(SEATS, STAGES, low=NONE, high=MOST_CHARACTERS - 1, values="card", seats=0)
    """The character of each seat on each stage in the last comparison."""
    in_force: list[list[int]] = field(SEATS, IN_FORCE, low=NONE, high=MOST_MODIFIERS - 1, seats=0)
    """The modifiers of each seat in the last comparison, in the places LASTING and ONE_HAND."""
    had_won: list[int] = field(SEATS, low=0, high=MOST_VICTORIES, usual=USUAL_VICTORIES, seats=0)
    """The victories of each seat before the last comparison."""
    by_skills: list[list[int]] = field(SEATS, STAGES, low=-MOST_BY_SKILLS, high=MOST_BY_SKILLS, usual=HIGHEST, seats=0)
    by_modifiers: list[list[int]] = field(
        SEATS, STAGES, low=-MOST_BY_MODIFIERS, high=MOST_BY_MODIFIERS, usual=HIGHEST, seats=0
    )
    """By how much special skills and modifiers changed each level in the last comparison."""
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(32)


@rule
def is_of(book: Book, card: int, group: int) -> bool:
    """Return whether a character belongs to a group. RH-1, RH-3."""
    if group == EVERYBODY:
        return True
    return book.character[card].caste == group or book.character[card].politics == group


@rule
def has_chosen(card: int) -> bool:
    """Return whether a place holds a card, even an unknown one. RH-7, RH-10."""
    return card == UNKNOWN or card != NONE
