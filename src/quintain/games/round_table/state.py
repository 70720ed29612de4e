"""Round Table: the numbers of its rules by name, the book of a match, and the state.

The other modules of the game import this one as `st`. A *line* is a card, by its number in its owner's deck list. A
*slot* is a place of a seat for a card in play.
"""

from quintain.engine import UNKNOWN, Event, Record, field, rule

SEATS, LINES, OPEN_REGIONS, STEPS, ROWS = 4, 120, 3, 5, 4
"""The most seats, cards of a deck list, open Regions, steps from Farm to Castle, and effect rows on a card."""
MOST_REGIONS, REGIONS_KNOWN = 40, 200
"""The most Regions in a match, and the most that they can be drawn from."""
HAND, SEASON_ACTIONS, MOVES, KNIGHT_SLOTS = 10, 60, 2, 1
"""Cards in a hand, actions a Season, moves of a card a Spring, and pieces of one kind of Equipment on a Knight."""
NONE = -1

DEMESNE, KNIGHT, EQUIPMENT, TITLE, QUEST, REDIRECT = range(6)
WEAPON, ARMOR, SHIELD, MOUNT = range(4)
MONARCH, ROUND_TABLE, GRAIL, GENERIC, LEADER = 1, 2, 4, 8, 16
"""What a Knight is, as bits; a Grail Knight has the bit of the Round Table, too."""
MOST_TYPES = MONARCH | ROUND_TABLE | GRAIL | GENERIC | LEADER
MAIN_DECK, DEMESNE_DECK = 0, 1

ALWAYS, RECRUITED, ATTACKS, CAPTURES, QUESTED, QUEST_DONE, EACH_WINTER, PLAYED = range(8)
"""When a row works: while its card is in play, or at a moment."""
BEARER, OWN, OTHERS, OPPOSING, YOU, OPPONENTS = range(6)
"""On whom a row works: the first four are Knights, the last two players."""
ANY, BY_TYPE, BY_NAME, BY_TITLE, BY_EQUIPMENT, BY_KIND = range(6)
"""Which of those Knights, or cards, a row names."""
(IF_ANY, IF_OPPOSED, IF_ALONE, IF_RENOWN, IF_TITLED, IF_EQUIPPED, IF_BESIDE, IF_IS, IF_KNIGHT, IF_BEHIND,
 IF_ACTIVE) = range(11)  # fmt: skip
"""On what condition a row works."""
(INFLUENCE, RESISTANCE, RP, CAPACITY, DEMESNES, SLOT, SUBTYPE, IMMUNE, PERMIT, LEAD, REACH, HAND_LIMIT, RENOWN, DRAW,
 DISCARD, RESET, ENGAGE, RETURN, LOOK) = range(19)  # fmt: skip
"""What a row does. Rows from DRAW on work at a moment, the others as long as their card is in play."""
TO_QUESTS, TO_REDIRECTS, TO_ROWS = range(3)
"""What a Knight is immune to, when it comes from an opponent."""
SAME_TITLE, REDEPLOY, REPEAT, STAY, IN_SUMMER = range(5)
"""The rules that a row may lift."""

TASK = NONE
"""The `task` of a Redirect that gives a new task; the other values are RESET, ENGAGE and RETURN."""

DUE_RESET, DUE_ENGAGE, DUE_RETURN, DUE_STAY, RESET_LAST = 1, 2, 4, 8, 16
"""Bits of a Knight's `due`: what rows have decided and the game has yet to do. RESET_LAST: reset it after engaging."""

SPRING, SUMMER, AUTUMN, WINTER = range(4)

(SET_UP, RECRUIT, ATTACH, CAMPAIGN, CHOOSE_REGION, CHOOSE_KNIGHT, CHOOSE_TASK, SUPPORT, WINTER_DRAW, LIMIT, RESOLVE,
 QUEST_DRAWS, LAST_DRAWS, WINTER_ROWS, SEASON_END, OVER) = range(16)  # fmt: skip
"""The phases, by the decision that is due; from RESOLVE on players only make the draws and discards that they owe.
After LAST_DRAWS the game ends."""
SPLIT_FIRST, KEEP_OR_NOT, SPLIT_AGAIN, KEPT = range(4)
"""How far a seat has come with its first hand."""
DECLARE, QUESTS, REDIRECTS, OTHER_CARDS = range(4)
"""The steps of a Summer turn."""

CARD, REGION, PASS, UNPAIRED = 0, 120, 123, 124
DRAW_MAIN, DRAW_DEMESNE, KEEP, MULLIGAN, SPLIT = 125, 126, 127, 128, 129
IN_PLAY = 140
ACTIONS = IN_PLAY + SEATS * LINES
"""The actions: cards of a deck list, open Regions, answers, 0 to 10 Demesnes, and all cards in play, seat by seat."""
YEARS = LINES - HAND
"""The most years of a match: each Winter every seat draws a card, or the match ends, and no card returns to a deck."""
LONGEST = SEATS * (3 + 2 * LINES + YEARS * ((2 + 3 + SEATS) * SEASON_ACTIONS + LINES + 4))
"""The most actions of a match. Each seat takes and keeps its first hand with three actions, and draws and discards each
of its cards at most once. In a year an action takes at most two decisions in Spring and three in Summer, where each is
followed by at most one pass of every seat; in Autumn each card in play is taken back at most once. Four more actions
are the passes that end Spring, Summer and Autumn, and the choice of a deck in Winter."""
OUTCOMES = REGIONS_KNOWN
"""The most outcomes of a draw: the first Region comes from all that a match can be drawn from. Regions are drawn anew
as long as one is too strong, so the number of draws has no bound."""

MOST_NUMBER = 99
"""The most that a number on a card may be, such as an amount in a row."""
MOST_TOTAL = SEATS * LINES * ROWS * MOST_NUMBER
"""The most that all rows together add to one number."""
MOST_RP = MOST_TOTAL + LINES * MOST_NUMBER
"""The most RP of a card or a seat: what rows add, and what cards print."""
LEAST_SUM, MOST_SUM = UNKNOWN + 1, 2**24 - 1
"""The least and the greatest capacity, Influence and Resistance that a state holds: `within` cuts off what would go
beyond, which only decks that are made for it could reach.

The allocated RP, and the cards that a seat owes, stay below MOST_SUM. The cards of a seat cost less even if all other
cards raised their costs as much as rows can: among those, some must be Knights that raise none and bear the rest. And a
seat must pay for the Quests that let it draw cards."""
MOST_PUTS = YEARS * 2 * SEASON_ACTIONS * 2
"""The most times that a seat puts a card anywhere: an action of Spring or Summer does so once, and the card comes off
its Knight at most once."""
FOR_SEAT = LINES
"""The numbers that name a seat in `bearer` begin here, after those of slots."""

(FIRST_DRAWN, HAND_TAKEN, MULLIGANED, SPLIT_SHOWN, DEMESNE_PLAYED, RECRUITS, PUT_ON, MOVED, NAMESAKES, PASSED, ATTACKED,
 QUEST_PLAYED, REDIRECT_PLAYED, JOINED, QUEST_OVER, WAS_RESET, WAS_ENGAGED, RETURNED, CARD_DRAWN, DISCARDED, DROPPED,
 LOOKED, REGION_OPENED, REGION_CAPTURED, REGION_STAYED, TAKEN_BACK, SEASON_BEGAN, DECKS_FALL_SHORT, CAME_OFF,
 GAME_OVER, DECK_LAID_OPEN, MORE_SPENT) = range(32)  # fmt: skip
"""The kinds of events; `narration` puts them into words."""
MOST_NAMED = 24
"""The most cards that a seat loses at once with an event for each, as `events` must hold all events of a move."""
LAST_REGION, NO_CARDS, HALF_RENOWN, TOO_MANY_DRAWS = range(4)
"""Why the game is over."""


class Row(Record):
    """One effect of a card. RT-33."""

    when: int = field(low=ALWAYS, high=PLAYED)
    whom: int = field(low=BEARER, high=OPPONENTS)
    here: int = field(low=0, high=1)
    """1 if it works only on Knights in the same Region."""
    which: int = field(low=ANY, high=BY_KIND)
    which_value: int = field()
    """The type, name or kind that `which` compares with; 0 for ANY."""
    condition: int = field(low=IF_ANY, high=IF_ACTIVE)
    condition_value: int = field()
    """The Renown, kind of Equipment, name or type in the condition; 0 if it has none."""
    what: int = field(low=INFLUENCE, high=LOOK)
    detail: int = field()
    """For SLOT the kind of Equipment, for SUBTYPE the type, for IMMUNE and PERMIT one of their values; else 0."""
    amount: int = field()
    """By how much, or how many cards; 1 if the row takes no amount."""


class Card(Record):
    """A card of a deck list."""

    name: str = field(text=True)
    text: str = field(text=True)
    """The printed text."""
    kind: int = field(low=DEMESNE, high=REDIRECT)
    rp: int = field(low=0)
    influence: int = field()
    resistance: int = field()
    types: int = field(low=0)
    slot: int = field(low=NONE, high=MOUNT)
    """The kind of Equipment, or NONE."""
    step: int = field(low=NONE, high=STEPS - 1)
    """The step of a Demesne, or NONE."""
    namesake: int = field(low=0)
    """The number of its name, which is the same in all decks."""
    task: int = field(low=NONE, high=RETURN)
    """What a Redirect does: TASK, RESET, ENGAGE or RETURN."""
    in_summer: int = field(low=0, high=1)
    always: int = field(bits=32, low=0)
    """A bit for each thing that its rows do while it is in play, such as 1 << INFLUENCE."""
    at: int = field(low=0)
    """A bit for each moment at which its rows do something, such as 1 << ATTACKS."""
    grants: int = field(low=0)
    """The subtypes that it gives to its bearer without a condition, as bits."""
    rows_used: int = field(low=0, high=ROWS)
    row: list[Row] = field(ROWS)


class Region(Record):
    """A Region that may be in the match."""

    name: str = field(text=True)
    resistance: int = field(low=0)
    renown: int = field(low=0)
    listed: int = field(low=0, high=1)
    """1 if the players' lists or the option name it."""
    base: int = field(low=0, high=1)
    """1 if it belongs to the base set."""


class Book(Record):
    """The settings and cards that stay fixed for a match. A deck list has the Main cards first, then the Demesnes."""

    seats: int = field(low=2, high=SEATS)
    deck_name: list[str] = field(SEATS, text=True, seats=0)
    lines: list[int] = field(SEATS, low=0, high=LINES, seats=0)
    main_lines: list[int] = field(SEATS, low=0, high=LINES, seats=0)
    """The number of lines of each deck list, and of those that are in its Main deck."""
    copies: list[list[int]] = field(SEATS, LINES, low=0, high=LINES, seats=0)
    """The number of copies of each line."""
    deck: list[list[int]] = field(SEATS, 2, low=0, high=LINES, seats=0)
    """The number of cards in the Main and the Demesne deck, including the first Farm."""
    demesne_rp: list[int] = field(STEPS, low=0)
    """The RP that a Demesne of each step gives."""
    card: list[list[Card]] = field(SEATS, LINES, seats=0)
    regions: int = field(low=5, high=MOST_REGIONS)
    regions_known: int = field(low=0, high=REGIONS_KNOWN)
    region: list[Region] = field(REGIONS_KNOWN)


class State(Record):
    """The position: all that changes in a match. Hands and decks count the copies of each line of a deck list."""

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=0, high=OVER, means="kind")
    year: int = field(low=0, high=YEARS, usual=10)
    """The year, counted from 1."""
    season: int = field(low=SPRING, high=WINTER, means="kind")
    active: int = field(low=0, high=SEATS - 1, means="seat")
    """The active player."""
    turn: int = field(low=0, high=SEATS - 1, means="seat")
    step: int = field(low=DECLARE, high=OTHER_CARDS, means="kind")
    acted: int = field(low=0, high=1)
    """1 once the seat in `turn` has done something in its turn."""
    passes: int = field(low=0, high=SEATS)
    """Passes in a row in Summer."""
    set_up: list[int] = field(SEATS, low=SPLIT_FIRST, high=KEPT, seats=0, means="kind")
    actions: list[int] = field(SEATS, low=0, high=SEASON_ACTIONS, usual=10, seats=0)
    demesnes_played: list[int] = field(SEATS, low=0, high=SEASON_ACTIONS, usual=2, seats=0)
    demesne: list[list[int]] = field(SEATS, STEPS, low=0, high=LINES, usual=5, seats=0)
    """The number of Demesnes of each step in play."""
    hand: list[list[int]] = field(SEATS, LINES, low=0, high=LINES, usual=3, seats=0, secret=True)
    deck: list[list[int]] = field(SEATS, LINES, low=0, high=LINES, usual=3, seats=0, secret=True)
    spent: list[list[int]] = field(SEATS, LINES, low=0, high=LINES, usual=3, seats=0)
    dropped: list[list[int]] = field(SEATS, LINES, low=0, high=LINES, usual=3, seats=0, secret=True)
    """The cards that a seat has chosen to discard, until all have chosen."""
    hand_size: list[int] = field(SEATS, low=0, high=LINES, usual=HAND, seats=0)
    """The number of cards in hand, including those in `dropped`."""
    deck_size: list[list[int]] = field(SEATS, 2, low=0, high=LINES, usual=50, seats=0, secret=True)
    to_drop: list[int] = field(SEATS, low=0, high=LINES, usual=5, seats=0)
    drops: list[int] = field(SEATS, low=0, high=LINES, usual=5, seats=0)
    """The number of cards that a seat has yet to choose to discard, and has chosen."""
    owed_draws: list[int] = field(SEATS, bits=32, low=0, high=MOST_SUM, usual=4, seats=0)
    owed_discards: list[int] = field(SEATS, bits=32, low=0, high=MOST_SUM, usual=4, seats=0)
    line: list[list[int]] = field(SEATS, LINES, low=NONE, high=LINES - 1, values="card", seats=0)
    """The line of the card in each slot of a seat: Knights, Equipment, Titles and running Quests in play."""
    bearer: list[list[int]] = field(
        SEATS, LINES, low=NONE, high=FOR_SEAT + SEATS - 1, seats=0, seat_at=((FOR_SEAT, 1),)
    )
    """The slot of the Knight that bears Equipment or a Title; for a Quest, FOR_SEAT + the seat of its first Knight."""
    place: list[list[int]] = field(SEATS, LINES, low=NONE, high=OPEN_REGIONS - 1, seats=0, means="kind")
    """The open Region that a Knight attacks."""
    quest: list[list[int]] = field(SEATS, LINES, low=NONE, high=SEATS * LINES - 1, seats=0, seat_at=((0, LINES),))
    """The Quest that a Knight is on: LINES * its owner + its slot."""
    engaged: list[list[int]] = field(SEATS, LINES, low=0, high=1, seats=0)
    """1 for a Knight that a row has engaged."""
    moves: list[list[int]] = field(SEATS, LINES, low=0, high=MOVES, seats=0)
    """How many times Equipment or a Title has moved this Spring, or a Knight has changed its Region this Summer."""
    types: list[list[int]] = field(SEATS, LINES, low=0, high=MOST_TYPES, seats=0, means="bits")
    """The types of a Knight, as bits: those printed on it, and those that rows give it."""
    due: list[list[int]] = field(SEATS, LINES, low=0, high=31, seats=0)
    """What rows have decided for a Knight, as bits such as DUE_RESET; 0 between moves."""
    put: list[list[int]] = field(SEATS, LINES, low=0, high=MOST_PUTS, usual=100, seats=0)
    """When a card was put where it is: a later card has a greater number."""
    rp: list[list[int]] = field(SEATS, LINES, bits=32, low=0, high=MOST_RP, usual=10, seats=0)
    """The RP that a card takes up; for a Quest, the RP spent on it."""
    top: list[int] = field(SEATS, low=0, high=LINES, usual=20, seats=0)
    """One more than the last slot in use."""
    puts: list[int] = field(SEATS, low=0, high=MOST_PUTS, usual=100, seats=0)
    always: int = field(bits=32, low=0, high=(1 << DRAW) - 1, means="bits")
    """The `always` bits of all cards in play together; during a move a bit may outlast its card."""
    capacity: list[int] = field(SEATS, bits=32, low=LEAST_SUM, high=MOST_RP, usual=16, seats=0)
    allocated: list[int] = field(SEATS, bits=32, low=0, high=MOST_SUM, usual=16, seats=0)
    """The RP that cards in play take up, and those in `spent_rp`."""
    spent_rp: list[int] = field(SEATS, bits=32, low=0, high=MOST_RP, usual=16, seats=0)
    used: list[list[int]] = field(SEATS, LINES, low=0, high=1, seats=0)
    """1 for a Quest or Redirect of a name that was played this Summer."""
    welcomed: list[list[int]] = field(SEATS, LINES, low=0, high=1, seats=0)
    """1 for a Knight whose rows for *recruited* have worked already."""
    card: int = field(low=NONE, high=LINES - 1, means="kind", secret=True)
    """The line of the card that the seat in `turn` plays: still in its hand, unless only its task is left to choose."""
    moving: int = field(low=NONE, high=LINES - 1, means="kind")
    """The slot of the card in play that the seat in `turn` moves."""
    on_seat: int = field(low=NONE, high=SEATS - 1, means="seat")
    on: int = field(low=NONE, high=LINES - 1, means="kind")
    """The slot of the Knight that the card is played on, or that is sent to a Region."""
    region: list[int] = field(MOST_REGIONS, low=NONE, high=REGIONS_KNOWN - 1)
    """The Regions of the match, by their numbers in the book."""
    region_deck: list[int] = field(MOST_REGIONS, low=NONE, high=MOST_REGIONS - 1, secret=True)
    """The Regions that are face down, as places in `region`; the last one is turned up next."""
    regions_left: int = field(low=0, high=MOST_REGIONS)
    open: list[int] = field(OPEN_REGIONS, low=NONE, high=MOST_REGIONS - 1, means="kind")
    """The Regions that lie open, as places in `region`."""
    captor: list[int] = field(MOST_REGIONS, low=NONE, high=SEATS - 1, means="seat")
    """The seat that has captured each Region of the match."""
    foreseen: list[int] = field(SEATS, low=0, high=MOST_REGIONS, usual=5, seats=0)
    """The number of Regions that a seat knows of those that are turned up next."""
    judged: list[int] = field(OPEN_REGIONS, low=NONE, high=MOST_REGIONS - 1)
    """The Regions that were open in the last Autumn; the next four fields say how each was resolved."""
    judged_influence: list[list[int]] = field(
        OPEN_REGIONS, SEATS, bits=32, low=LEAST_SUM, high=MOST_SUM, usual=16, seats=1
    )
    judged_resistance: list[list[int]] = field(
        OPEN_REGIONS, SEATS, bits=32, low=LEAST_SUM, high=MOST_SUM, usual=16, seats=1
    )
    judged_there: list[list[int]] = field(OPEN_REGIONS, SEATS, low=0, high=1, seats=1)
    """1 for a seat that attacked it."""
    judged_captor: list[int] = field(OPEN_REGIONS, low=NONE, high=SEATS - 1, means="seat")
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(192)


@rule
def within(total: int) -> int:
    """Return a sum over cards, cut off at LEAST_SUM and MOST_SUM. RT-10, RT-21."""
    return max(LEAST_SUM, min(MOST_SUM, total))


@rule
def is_knight(book: Book, s: State, seat: int, slot: int) -> bool:
    """Return whether a slot of a seat holds a Knight. RT-12."""
    line = s.line[seat][slot]
    return line != NONE and book.card[seat][line].kind == KNIGHT


@rule
def is_engaged(s: State, seat: int, slot: int) -> bool:
    """Return whether a Knight is engaged: it is on a Quest, or a row has engaged it. RT-18."""
    return s.quest[seat][slot] != NONE or s.engaged[seat][slot] == 1


@rule
def is_on(book: Book, s: State, seat: int, slot: int, knight: int) -> bool:
    """Return whether a slot holds Equipment or a Title that a Knight of the same seat bears. RT-13, RT-14."""
    if s.line[seat][slot] == NONE or s.bearer[seat][slot] != knight or knight == NONE:
        return False
    kind = book.card[seat][s.line[seat][slot]].kind
    return kind == EQUIPMENT or kind == TITLE
