"""Heirless battles: the numbers of the rules, the numbering of phases, actions and events, the book, and the state.

All other files of this game import this one, as `st`. A *seat* is a player; a *side* takes part in a battle: a seat, or
the Bandits of the tile; an *owner* has attributes and a Battle Hand: a seat, or the Bandits of a camp.
"""

from quintain.engine import Event, Record, field

SEATS, MOST_KNIGHTS, MOST_SEASONS = 6, 6, 9
"""The most seats, Knights of a player, and seasons. HB-20."""
CAPITAL, WOLF_CAMP, CAT_CAMP, FOX_CAMP, CASTLE = range(5)
TILES = CASTLE + SEATS
"""The Castle of seat n is the tile CASTLE + n."""
FIRST_CAMP, CAMPS = WOLF_CAMP, 3

BANDITS = SEATS
SIDES = SEATS + 1
"""How many sides a battle may have: the seats, then the Bandits of its tile."""
OWNERS = SEATS + CAMPS
"""How many owners have attributes and a Battle Hand: the seats, then the camps."""
MOST_BANDITS = 3
"""The most Bandits on a tile. A campaign puts at most two on a camp, but a position may have three. HB-21."""
NONE = -1

DAMAGE, PRECISION, DODGE, DEFENSE, DELAY, HEALTH, WOUND = range(7)
"""The battle values: the six attributes, and Wound, which only cards have."""
TRACKS, MOST_STEPS = 6, 8
"""How many tracks there are, one for each attribute, and the most steps of a track. HB-26, HB-29."""
VALUES = TRACKS + 1
ATTACK_SIDE, DEFENCE_SIDE = (DAMAGE, PRECISION, DELAY), (DODGE, DEFENSE, WOUND)
"""The battle values that the three numbers on each side of a card change."""
PLAYERS_SET, BANDITS_SET, MOST_CARDS = 0, 1, 8
"""The two sets of Battlecards, and the most cards of a set. HB-29."""
LEAST_DELAY = 1
"""The least battle value of Delay; all others may fall to 0. HB-8."""
MOST_VALUE = 99
"""The most that an attribute, or a change on a card, may be."""
QUARTERS = 4
"""The points of a Knight without Wounds: one for each quarter of its Health. HB-16."""
LEAST_SIDES_TO_ALLY = 3
"""How many sides a battle needs for alliances. HB-11."""

CAPITAL_PAYS, LOCATION_PAYS, CAMP_PAYS, CASTLE_PAYS, ALLIES_LOSE = 4, 4, 3, 2, 1
"""The Resources that tiles pay, and how many fewer each of two allied victors gets."""

(MUSTER, CHOOSE_BATTLE, PLACE, PROPOSAL, ANSWER, STRIKE, IMPROVE,
 LINE_UP, REVEAL, ALLIANCES, NEXT_TURN, BLOWS, VICTORY,
 AFTERMATH, BATTLES, REWARDS, STEPS, CLEANUP) = range(18)  # fmt: skip
"""The phases. In those up to IMPROVE a seat is asked. The others pass without a question: those from LINE_UP to VICTORY
in a battle, those from AFTERMATH to CLEANUP between battles."""

SEND = 0
FIGHT = SEND + TILES
ATTACK = FIGHT + TILES
DEFEND = ATTACK + MOST_CARDS
PROPOSE = DEFEND + MOST_CARDS
(PROPOSE_NOTHING, ACCEPT, DECLINE, HOLD_BACK) = range(PROPOSE + SIDES, PROPOSE + SIDES + 4)
TARGET = HOLD_BACK + 1
RAISE = TARGET + SIDES * MOST_KNIGHTS
ACTIONS = RAISE + TRACKS
"""The actions: each name is the first number of its kind. FIGHT has a number for each Castle too, though no battle
takes place there. TARGET has MOST_KNIGHTS numbers for each seat in turn, and then for the Bandits."""
LONGEST = MOST_SEASONS * (2 * SEATS * MOST_KNIGHTS + CASTLE * (1 + 4 * SEATS) + CAMPS * MOST_BANDITS)
"""The most actions of a campaign. In a season each Knight is sent and strikes once. Each tile but a Castle has at most
one battle, which a player may have to choose, and in which each seat places two cards, proposes and answers at most
once. Each Bandit of a camp gives at most one improvement."""
OUTCOMES = MOST_CARDS
"""The most outcomes of a draw: a card of the Bandits' hand. The player order, the Location of Interest and the tracks
of the Bandits have fewer."""

DESTINATIONS = 5
TO_CAPITAL, TO_LOCATION, TO_CAMP, TO_RIVAL, TO_HOME = range(DESTINATIONS)
"""The kinds of tiles that the report counts Knights by: the last two are another player's Castle and your own."""

MOST_RESOURCES = MOST_SEASONS * (
    CAPITAL_PAYS + LOCATION_PAYS + (CAMPS - 1) * CAMP_PAYS + (MOST_KNIGHTS - 1 - CAMPS) * CASTLE_PAYS
)
"""The most Resources of a player, who in each season has one Knight left on each of the tiles that pay most."""

(SEASON, READY, SENT, BATTLE, CARDS_DOWN, REVEALED, PROPOSED, PROPOSED_NOTHING, ALLIED, DECLINED, NO_TURN, AIMED, HELD,
 WOUNDED, SCORED, WON, EARNED, RAISED, COUNTED, LOST, ROSE) = range(21)  # fmt: skip
"""The kinds of events. `narration.py` reads the numbers of each."""


class Book(Record):
    """The settings and tables that stay fixed for a match."""

    seats: int = field(low=2, high=SEATS)
    seasons: int = field(low=1, high=MOST_SEASONS)
    knights: int = field(low=1, high=MOST_KNIGHTS)
    bandits: int = field(low=0, high=1)
    """1 if the match has Bandits."""
    steps: list[int] = field(TRACKS, low=2, high=MOST_STEPS)
    """How many steps each track has."""
    track: list[list[int]] = field(TRACKS, MOST_STEPS, low=0, high=MOST_VALUE)
    """The value at each step of each track."""
    cards: list[int] = field(2, low=2, high=MOST_CARDS)
    """How many cards the players' set has, and how many the Bandits'."""
    attack: list[list[list[int]]] = field(2, MOST_CARDS, 3, low=-MOST_VALUE, high=MOST_VALUE)
    defence: list[list[list[int]]] = field(2, MOST_CARDS, 3, low=-MOST_VALUE, high=MOST_VALUE)
    """By how much each card of both sets changes the battle values of ATTACK_SIDE, and those of DEFENCE_SIDE."""
    card_name: list[list[str]] = field(2, MOST_CARDS, text=True)


class State(Record):
    """The position: all that changes in a match.

    While no battle runs, the fields of a battle keep the last one. While cards are being placed, the fields that a
    reveal sets, and those that follow from it, still keep the battle before. Battle values are indexed by side and
    value, Wounds by side and Knight.
    """

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=0, high=CLEANUP, means="kind")
    season: int = field(low=0, high=MOST_SEASONS - 1)
    """The season, counted from 0."""
    order: list[int] = field(SEATS, low=0, high=SEATS - 1, seat_at=((0, 1),))
    """The seats in player order."""
    place: list[int] = field(SIDES, low=0, high=SEATS, seats=0)
    """The place of each side in player order; Bandits come last."""
    location: int = field(low=FIRST_CAMP, high=FOX_CAMP, means="kind")
    """The camp that holds the Location of Interest."""
    actor: int = field(low=0, high=SEATS - 1, means="seat")
    """The seat that is asked, in phases that ask a single seat."""
    waiting: int = field(low=0, high=2**SEATS - 1, means="seats")
    """A bit for each seat that has not finished, in the phases MUSTER and PLACE."""
    host: list[list[int]] = field(SEATS, TILES, low=0, high=MOST_KNIGHTS, seats={0: 0, 1: CASTLE}, secret=True)
    """How many Knights of each seat are on each tile."""
    bandits: list[int] = field(CASTLE, low=0, high=MOST_BANDITS)
    """How many Bandits are on each tile."""
    fought: int = field(low=0, high=2**CASTLE - 1, means="bits")
    """A bit for each tile whose battle is resolved or running."""
    shared: int = field(low=0, high=2**CASTLE - 1, means="bits")
    """A bit for each tile that an alliance has won this season."""
    defeated: list[int] = field(CASTLE, low=0, high=MOST_BANDITS)
    """How many defeated Bandits of each tile still have an improvement to give."""
    caller: int = field(low=0, high=SEATS)
    """The place in player order of the seat that is resolving its battles; the number of seats once all have."""
    step: list[list[int]] = field(OWNERS, TRACKS, low=0, high=MOST_STEPS - 1, seats=0)
    """The step that each owner has reached on each track."""
    hand: list[int] = field(OWNERS, low=0, high=2**MOST_CARDS - 1, seats=0, means="bits")
    """A bit for each card in each Battle Hand."""
    resources: list[int] = field(SEATS, low=0, high=MOST_RESOURCES, usual=40, seats=0)
    gained: list[int] = field(SEATS, low=0, high=MOST_SEASONS * CAMPS * MOST_BANDITS, usual=10, seats=0)
    """How many improvement steps each seat has gained."""
    tile: int = field(low=NONE, high=FOX_CAMP, means="kind")
    """The tile of the battle; NONE before the first."""
    sides: int = field(low=0, high=SIDES)
    """How many sides the battle has."""
    lineup: list[int] = field(SIDES, low=0, high=BANDITS, seat_at=((0, 1),))
    """The sides of the battle in player order."""
    force: list[int] = field(SIDES, low=0, high=MOST_KNIGHTS, seats=0)
    """How many Knights, or Bandits, each side brought."""
    attack: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1, seats=0, means="kind", secret=True)
    defence: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1, seats=0, means="kind", secret=True)
    """The two cards that each side has placed; NONE where it has not."""
    value: list[list[int]] = field(SIDES, VALUES, low=0, high=2 * MOST_VALUE, usual=20, seats=0)
    """The battle values, from the reveal on."""
    wounds: list[list[int]] = field(SIDES, MOST_KNIGHTS, low=0, high=MOST_VALUE, usual=20, seats=0)
    ally: list[int] = field(SIDES, low=NONE, high=SEATS - 1, seats=0, means="seat")
    """The ally of each side; NONE if it has none."""
    asked: int = field(low=0, high=SIDES)
    """How many sides, in player order, have had their chance to propose an alliance."""
    proposer: int = field(low=NONE, high=SEATS - 1, means="seat")
    """The seat that made the last proposal; NONE before any."""
    turns: list[int] = field(SIDES, low=0, high=BANDITS, means="seat")
    """The sides in the order of their battle turns."""
    turn: int = field(low=0, high=SIDES)
    """How many of those turns have begun."""
    sent: int = field(low=0, high=MOST_KNIGHTS)
    """How many Knights of the Attacker have been given a target."""
    aim: list[list[int]] = field(SIDES, MOST_KNIGHTS, low=0, high=MOST_KNIGHTS, seats=0)
    """How many Knights of the Attacker target each Knight of each side."""
    struck: list[list[list[int]]] = field(SIDES, SIDES, MOST_KNIGHTS, low=0, high=MOST_KNIGHTS, seats={0: 0, 1: 0})
    """How many Knights of each side have struck each Knight of each other side in this battle."""
    points: list[int] = field(SIDES, low=0, high=QUARTERS * MOST_KNIGHTS, seats=0)
    victor: int = field(low=NONE, high=BANDITS, means="seat")
    """The side that won the battle, or one of two allied victors; NONE until it is over."""
    revealed_tile: int = field(low=NONE, high=FOX_CAMP, means="kind")
    """The tile of the last battle whose cards were turned up; NONE before the first."""
    revealed_sides: int = field(low=0, high=SIDES)
    revealed_lineup: list[int] = field(SIDES, low=0, high=BANDITS, seat_at=((0, 1),))
    revealed_force: list[int] = field(SIDES, low=0, high=MOST_KNIGHTS, seats=0)
    revealed_attack: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1, seats=0, means="kind")
    revealed_defence: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1, seats=0, means="kind")
    """The lineup, forces and cards of that battle, kept because the next battle overwrites the fields above."""
    mustered: list[int] = field(DESTINATIONS, low=0, high=MOST_SEASONS * SEATS * MOST_KNIGHTS, usual=40)
    """How many Knights all seats have sent to each kind of tile, in all seasons whose muster is over."""
    bandit_battles: int = field(low=0, high=MOST_SEASONS * CAMPS)
    bandit_wins: int = field(low=0, high=MOST_SEASONS * CAMPS)
    """How many battles had Bandits, and how many of these the Bandits won."""
    large_battles: int = field(low=0, high=MOST_SEASONS * CASTLE)
    allied_wins: int = field(low=0, high=MOST_SEASONS * CASTLE)
    """How many battles had enough sides for an alliance, and how many of these an alliance won."""
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(96)
