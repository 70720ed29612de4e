"""Heirless battles: their numbers, the book, the state."""

from quintain.engine.state import Event, Record, field

SEATS, MOST_KNIGHTS, MOST_SEASONS = 6, 6, 9
CAPITAL, WOLF_CAMP, CAT_CAMP, FOX_CAMP, CASTLE = range(5)
TILES = CASTLE + SEATS
"""The Castle of seat n is the tile CASTLE + n."""
FIRST_CAMP, CAMPS = WOLF_CAMP, 3

BANDITS = SEATS
SIDES = SEATS + 1
"""Those who may be in a battle: the seats, and the Bandits of its tile."""
OWNERS = SEATS + CAMPS
"""Those who have attributes and a Battle Hand: the seats, then the camps."""
MOST_BANDITS = 3
NONE = -1

DAMAGE, PRECISION, DODGE, DEFENSE, DELAY, HEALTH, WOUND = range(7)
"""The attributes, and Wound, which only cards have."""
TRACKS, MOST_STEPS = 6, 8
VALUES = TRACKS + 1
ATTACK_SIDE, DEFENCE_SIDE = (DAMAGE, PRECISION, DELAY), (DODGE, DEFENSE, WOUND)
"""What the numbers on either side of a card change."""
PLAYERS_SET, BANDITS_SET, MOST_CARDS = 0, 1, 8
LEAST_DELAY = 1
MOST_VALUE = 99
"""What attributes, and the changes on cards, come to at most."""
QUARTERS = 4
LEAST_SIDES_TO_ALLY = 3

CAPITAL_PAYS, LOCATION_PAYS, CAMP_PAYS, CASTLE_PAYS, ALLIES_PAY = 4, 4, 3, 2, 1

(MUSTER, CHOOSE_BATTLE, PLACE, PROPOSAL, ANSWER, STRIKE, IMPROVE,
 LINE_UP, REVEAL, ALLIANCES, NEXT_TURN, BLOWS, VICTORY,
 AFTERMATH, BATTLES, REWARDS, STEPS, CLEANUP) = range(18)  # fmt: skip
"""The phases: in those up to IMPROVE somebody is asked; a battle goes by itself through those up to VICTORY, what is
around it through the others."""

SEND = 0
FIGHT = SEND + TILES
ATTACK = FIGHT + TILES
DEFEND = ATTACK + MOST_CARDS
PROPOSE = DEFEND + MOST_CARDS
(PROPOSE_NOTHING, ACCEPT, DECLINE, HOLD_BACK) = range(PROPOSE + SIDES, PROPOSE + SIDES + 4)
TARGET = HOLD_BACK + 1
RAISE = TARGET + SIDES * MOST_KNIGHTS
ACTIONS = RAISE + TRACKS
"""FIGHT has Castles too, where nobody ever fights; TARGET has the Knights of all seats, the lowest first, then the
Bandits."""

DESTINATIONS = 5
TO_CAPITAL, TO_LOCATION, TO_CAMP, TO_RIVAL, TO_HOME = range(DESTINATIONS)
"""Where Knights can be sent: to the Capital, the Location of Interest, another camp, another's Castle, the own one."""

MOST_BLOWS = SEATS * MOST_KNIGHTS + MOST_BANDITS
"""The most targets in all turns of a battle."""

(SEASON, READY, SENT, BATTLE, CARDS_DOWN, REVEALED, PROPOSED, PROPOSED_NOTHING, ALLIED, DECLINED, NO_TURN, AIMED, HELD,
 WOUNDED, SCORED, WON, EARNED, RAISED, COUNTED, LOST, ROSE) = range(21)  # fmt: skip


class Book(Record):
    """What is fixed for a match."""

    seats: int = field(low=2, high=SEATS)
    seasons: int = field(low=1, high=MOST_SEASONS)
    knights: int = field(low=1, high=MOST_KNIGHTS)
    bandits: int = field(low=0, high=1)
    steps: list[int] = field(TRACKS, low=2, high=MOST_STEPS)
    """How many steps each track has."""
    track: list[list[int]] = field(TRACKS, MOST_STEPS, low=0, high=MOST_VALUE)
    cards: list[int] = field(2, low=2, high=MOST_CARDS)
    """How many cards the players' set and the Bandits' have."""
    attack: list[list[list[int]]] = field(2, MOST_CARDS, 3, low=-MOST_VALUE, high=MOST_VALUE)
    defence: list[list[list[int]]] = field(2, MOST_CARDS, 3, low=-MOST_VALUE, high=MOST_VALUE)
    card_name: list[list[str]] = field(2, MOST_CARDS, text=True)


class State(Record):
    """What changes.

    What has to do with a battle is that of the last one, if none is running; what a reveal sets, and all that follows
    from it, is that of the last one revealed. Values and Wounds are by side and, for Wounds, by Knight.
    """

    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    phase: int = field(low=0, high=CLEANUP)
    season: int = field(low=0, high=MOST_SEASONS - 1)
    order: list[int] = field(SEATS, low=0, high=SEATS - 1)
    """The seats in player order."""
    place: list[int] = field(SIDES, low=0, high=SEATS)
    """The place of each seat in player order; Bandits come last."""
    location: int = field(low=FIRST_CAMP, high=FOX_CAMP)
    """The camp that holds the Location of Interest."""
    actor: int = field(low=0, high=SEATS - 1)
    """The seat that is asked, where one alone is."""
    waiting: int = field(low=0, high=2**SEATS - 1)
    """The bits of the seats that are asked, in the muster and when cards are placed."""
    host: list[list[int]] = field(SEATS, TILES, low=0, high=MOST_KNIGHTS)
    """How many Knights of each seat are on each tile."""
    bandits: list[int] = field(CASTLE, low=0, high=MOST_BANDITS)
    fought: int = field(low=0, high=2**CASTLE - 1)
    """The bits of the tiles whose battle is resolved or running."""
    shared: int = field(low=0, high=2**CASTLE - 1)
    """The bits of the tiles that an alliance has won."""
    defeated: list[int] = field(CASTLE, low=0, high=MOST_BANDITS)
    """How many Bandits defeated on each tile have yet to give their improvement."""
    caller: int = field(low=0, high=SEATS)
    """The place in player order of whose battles are being resolved."""
    step: list[list[int]] = field(OWNERS, TRACKS, low=0, high=MOST_STEPS - 1)
    hand: list[int] = field(OWNERS, low=0, high=2**MOST_CARDS - 1)
    """The bits of the cards in each Battle Hand."""
    resources: list[int] = field(SEATS, low=0)
    gained: list[int] = field(SEATS, low=0)
    """The improvement steps of each seat."""
    tile: int = field(low=NONE, high=FOX_CAMP)
    """Where the battle is."""
    sides: int = field(low=0, high=SIDES)
    lineup: list[int] = field(SIDES, low=0, high=BANDITS)
    """The sides of the battle in player order."""
    force: list[int] = field(SIDES, low=0, high=MOST_KNIGHTS)
    """How many Knights, or Bandits, each side came with."""
    attack: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1)
    defence: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1)
    """The cards that are placed."""
    value: list[list[int]] = field(SIDES, VALUES, low=0, high=2 * MOST_VALUE)
    """The battle values, from the reveal on."""
    wounds: list[list[int]] = field(SIDES, MOST_KNIGHTS, low=0, high=MOST_VALUE)
    ally: list[int] = field(SIDES, low=NONE, high=SEATS - 1)
    asked: int = field(low=0, high=SIDES)
    """How many sides, in player order, have been asked for a proposal."""
    proposer: int = field(low=NONE, high=SEATS - 1)
    turns: list[int] = field(SIDES, low=0, high=BANDITS)
    """The sides in the order of their battle turns."""
    turn: int = field(low=0, high=SIDES)
    """How many of those turns have begun."""
    sent: int = field(low=0, high=MOST_KNIGHTS)
    """How many Knights of the Attacker have their target."""
    aim: list[list[int]] = field(SIDES, MOST_KNIGHTS, low=0, high=MOST_KNIGHTS)
    """How many Knights of the Attacker target each Knight."""
    blows: int = field(low=0, high=MOST_BLOWS)
    blow: list[int] = field(MOST_BLOWS, low=0)
    """What was struck in the battle, in order: see `blow_of`."""
    points: list[int] = field(SIDES, low=0, high=QUARTERS * MOST_KNIGHTS)
    victor: int = field(low=NONE, high=BANDITS)
    """Who won the battle, an ally aside; NONE until it is over."""
    revealed_tile: int = field(low=NONE, high=FOX_CAMP)
    """Where the last battle is, or was, whose cards are open; NONE before the first."""
    revealed_sides: int = field(low=0, high=SIDES)
    revealed_lineup: list[int] = field(SIDES, low=0, high=BANDITS)
    revealed_force: list[int] = field(SIDES, low=0, high=MOST_KNIGHTS)
    revealed_attack: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1)
    revealed_defence: list[int] = field(SIDES, low=NONE, high=MOST_CARDS - 1)
    """Its lineup, forces and cards, which the next battle would otherwise take the place of."""
    mustered: list[int] = field(DESTINATIONS, low=0, high=MOST_SEASONS * SEATS * MOST_KNIGHTS)
    """How many Knights were sent to each destination in all seasons, once the hosts are open."""
    bandit_battles: int = field(low=0, high=MOST_SEASONS * CAMPS)
    bandit_wins: int = field(low=0, high=MOST_SEASONS * CAMPS)
    """How many battles Bandits were in, and won."""
    large_battles: int = field(low=0, high=MOST_SEASONS * CASTLE)
    allied_wins: int = field(low=0, high=MOST_SEASONS * CASTLE)
    """How many battles had sides enough for an alliance, and were won by one."""
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(96)
