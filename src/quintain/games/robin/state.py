"""Robin in the Hood: its numbers, the book, the state."""

from quintain.engine.compiled import rule
from quintain.engine.state import UNKNOWN, Event, Record, field

SEATS, STAGES, HAND = 2, 4, 5
AGILITY, WEAPONS, STRENGTH, ENDURANCE = range(STAGES)
HIGHEST = 5
"""The highest printed level, Gold."""
MOST_CHARACTERS, MOST_MODIFIERS = 128, 32
CARDS = MOST_CHARACTERS + MOST_MODIFIERS
LEAST_ACTIVE, MOST_ACTIVE, USUAL_ACTIVE = 10, 20, 12
MODIFIERS_ACTIVE = 3
MOST_VICTORIES, USUAL_VICTORIES = 9, 3
MOST_DRAWN = 9
"""So many drawn rounds in a row end the tournament."""
MOST_ROUNDS = (2 * MOST_VICTORIES - 1) * MOST_DRAWN
MOST_CHANGE = 9
NONE = -1

EVERYBODY, NOBLE, TOWNSFOLK, OUTLAW, ROYALTY, KNIGHT, GUARD, ACTIVIST, PACIFIST = range(9)
"""The groups: all, the castes, the politics."""

SELF, FACED, OWN, OPPOSING = range(4)
"""Whom a special skill changes; the last two are starred."""
ALWAYS, FACES_GROUP, FACES_NAME, ACCOMPANIED, ALONE, LEADING, TRAILING = range(7)
"""On what condition."""

OWN_SIDE, OTHER_SIDE, BOTH_SIDES = range(3)
"""Whose characters a modifier touches."""
LASTING, ONE_HAND = range(2)
"""The places of a player's modifiers in force."""

MOST_IN_SET = MOST_ACTIVE + MODIFIERS_ACTIVE

STAKE, CHOOSE_SET, FIGHT, ENDED = range(4)
"""The phases."""
ASKED, PICKING, READY = range(3)
"""How far a seat is with its active set."""

PLAY, TAKE, STAKE_CARD = 0, CARDS, 2 * CARDS
KEEP, DEAL, CHOOSE = 3 * CARDS, 3 * CARDS + 1, 3 * CARDS + 2
ACTIONS = 3 * CARDS + 3

(STAKED, KEPT_SET, NEW_SET, ROUND_BEGINS, DREW, CHOSE, PLAYED, REPLACED, REMOVED, COMPARED, UNOPPOSED, ROUND_WON,
 ROUND_DRAWN, TOURNAMENT_WON, TOURNAMENT_DRAWN, ANTE_SHOWN, ANTE_GAINED) = (*range(10), *range(13, 20))  # fmt: skip
"""The events; there is one of COMPARED for each stage."""
BOTH_FULL, PILE_EMPTY = range(2)
"""Why a round is drawn."""


class Skill(Record):
    """The row of a special skill. RH-19."""

    whom: int = field(low=SELF, high=OPPOSING)
    group: int = field(low=EVERYBODY, high=PACIFIST)
    """Of which group those in other stages must be."""
    stage: int = field(low=NONE, high=ENDURANCE)
    """In which stage the changed character must stand; NONE for any."""
    condition: int = field(low=ALWAYS, high=TRAILING)
    value: int = field(low=0, high=MOST_CHARACTERS - 1)
    """The group or the character that the condition names."""
    change: int = field(low=-MOST_CHANGE, high=MOST_CHANGE)


class Character(Record):
    """A character. RH-1."""

    level: list[int] = field(STAGES, low=0, high=HIGHEST)
    caste: int = field(low=EVERYBODY, high=GUARD)
    politics: int = field(low=EVERYBODY, high=PACIFIST)
    """EVERYBODY if it has none."""
    skill: Skill = field()
    name: str = field(text=True)
    text: str = field(text=True)


class Modifier(Record):
    """A modifier. RH-3, RH-20."""

    lasts: int = field(low=0, high=1)
    group: int = field(low=EVERYBODY, high=PACIFIST)
    side: int = field(low=OWN_SIDE, high=BOTH_SIDES)
    stages: int = field(low=0, high=2**STAGES - 1)
    """A bit for each stage in which it works."""
    change: int = field(low=-MOST_CHANGE, high=MOST_CHANGE)
    removes: int = field(low=0, high=1)
    firm: int = field(low=0, high=1)
    """1 if it cannot be removed."""
    swaps: int = field(low=0, high=1)
    """1 if the printed levels of its two stages are exchanged."""
    ignores: int = field(low=0, high=1)
    """1 if it ignores special skills."""
    name: str = field(text=True)
    text: str = field(text=True)


class Book(Record):
    """What is fixed for a match. Cards are numbered: the characters of the set, then its modifiers."""

    victories: int = field(low=1, high=MOST_VICTORIES)
    active: int = field(low=LEAST_ACTIVE, high=MOST_ACTIVE)
    modifiers: int = field(low=0, high=MODIFIERS_ACTIVE)
    """How many modifiers an active set has."""
    ante: int = field(low=0, high=1)
    dealt: int = field(low=0, high=1)
    """1 if each seat is dealt one active set for the tournament."""
    characters: int = field(low=0, high=MOST_CHARACTERS)
    cards: int = field(low=0, high=CARDS)
    character: list[Character] = field(MOST_CHARACTERS)
    modifier: list[Modifier] = field(MOST_MODIFIERS)
    owned: list[list[int]] = field(SEATS, CARDS, low=0, high=1)
    """The collections."""
    usable: list[list[int]] = field(SEATS, CARDS, low=0, high=CARDS - 1)
    """The cards that can be in an active set, the characters first: without a choice, only those of the one set."""
    usable_characters: list[int] = field(SEATS, low=0, high=MOST_CHARACTERS)
    usable_modifiers: list[int] = field(SEATS, low=0, high=MOST_MODIFIERS)
    no_choice: list[int] = field(SEATS, low=0, high=1)


class State(Record):
    """What changes. A card is NONE where there is none."""

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=STAKE, high=ENDED)
    round: int = field(low=0, high=MOST_ROUNDS)
    drawn: int = field(low=0, high=MOST_DRAWN)
    """The rounds drawn in a row."""
    victories: list[int] = field(SEATS, low=0, high=MOST_VICTORIES)
    staked: list[int] = field(SEATS, low=NONE, high=CARDS - 1, values="card")
    choosing: list[int] = field(SEATS, low=ASKED, high=READY)
    leader: int = field(low=NONE, high=SEATS - 1)
    """Who plays first in this hand; NONE if both choose at the same time."""
    hand: list[list[int]] = field(SEATS, HAND, low=NONE, high=CARDS - 1, values="card")
    hand_size: list[int] = field(SEATS, low=0, high=HAND)
    pile: list[list[int]] = field(SEATS, MOST_IN_SET, low=NONE, high=CARDS - 1, values="card")
    """The draw pile, in no order: each card is drawn at random. Between rounds it is the active set."""
    pile_size: list[int] = field(SEATS, low=0, high=MOST_IN_SET)
    shown: list[list[int]] = field(SEATS, CARDS, low=0, high=1)
    """1 for each card that a seat has played in this round: on a stage, in force or dead."""
    chosen: list[int] = field(SEATS, low=NONE, high=CARDS - 1, values="card")
    """The card that a seat plays in this hand; in secret until both have chosen, unless somebody plays first."""
    stage: list[list[int]] = field(SEATS, STAGES, low=NONE, high=MOST_CHARACTERS - 1, values="card")
    lasting: list[int] = field(SEATS, low=NONE, high=MOST_MODIFIERS - 1)
    """The lasting modifier of a seat, counted from the first modifier."""
    hands: int = field(low=0, high=MOST_IN_SET)
    """The hands of this round that are over."""
    fought: list[list[int]] = field(SEATS, STAGES, low=NONE, high=MOST_CHARACTERS - 1, values="card")
    """Who stood where in the last comparison."""
    in_force: list[list[int]] = field(SEATS, SEATS, low=NONE, high=MOST_MODIFIERS - 1)
    """The modifiers of each seat in it: the lasting one and that of one hand."""
    had_won: list[int] = field(SEATS, low=0, high=MOST_VICTORIES)
    """The victories before it."""
    by_skills: list[list[int]] = field(SEATS, STAGES)
    by_modifiers: list[list[int]] = field(SEATS, STAGES)
    """How special skills and modifiers changed levels in it."""
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(32)


@rule
def is_of(book: Book, card: int, group: int) -> bool:
    """Tell whether a character is of a group. RH-1, RH-3."""
    if group == EVERYBODY:
        return True
    return book.character[card].caste == group or book.character[card].politics == group


@rule
def has_chosen(card: int) -> bool:
    """Tell whether there is a card, be it known or not. RH-7, RH-10."""
    return card == UNKNOWN or card != NONE
