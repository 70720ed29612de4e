"""Heirless battles for tests: positions are set up here, and read here as a player sees them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from quintain.engine.match import Match
from quintain.engine.views import Piece, Zone
from quintain.games.heirless import rules
from quintain.games.heirless import state as st
from quintain.games.heirless.words import TRACK_NAMES

ANN, BO, CID, DEE, EVE, FAY = range(6)
NAMES = ("Ann", "Bo", "Cid", "Dee", "Eve", "Fay")
BANDITS, ONLOOKER = st.BANDITS, None
CAPITAL, WOLF, CAT, FOX = st.CAPITAL, st.WOLF_CAMP, st.CAT_CAMP, st.FOX_CAMP
SETS = ("cards", "bandit_cards")


def begin(seats: int = 3, seed: int = 0, order: Sequence[int] | None = None, **options: Any) -> Match:
    """Return a match before the first muster, with the players in this order, by default that of the seats."""
    match = Match.new("heirless", seats, NAMES[:seats], options=options, seed=seed.to_bytes(32, "big"))
    s: Any = match._state.copy()
    in_order = list(range(seats)) if order is None else list(order)
    s.order = in_order + [0] * (st.SEATS - seats)
    for place, seat in enumerate(in_order):
        s.place[seat] = place
    return put(match, s)


def put(match: Match, s: Any) -> Match:
    """Have a match go on from a state."""
    s.check()
    match._state = s
    match._undo.clear()
    match._ask(None)
    return match


def altered(match: Match, change: Callable[[Any], None]) -> Match:
    """Have a match go on from its state with a change."""
    s = match._state.copy()
    change(s)
    return put(match, s)


def tables(cards: Sequence[tuple[str, list[int], list[int]]] = (), tracks: str = "", part: str = "cards") -> str:
    """Return the text of tables with these cards, and tracks where they are given."""
    rows = [f'[[{part}]]\nname = "{name}"\nattack = {attack}\ndefence = {defence}\n' for name, attack, defence in cards]
    return (f"[tracks]\n{tracks}\n" if tracks else "") + "\n".join(rows)


def blank_bandits() -> str:
    """Return tables in which no card of the Bandits changes anything, whichever is drawn."""
    return tables([("Calm", [0, 0, 0], [0, 0, 0]), ("Still", [0, 0, 0], [0, 0, 0])], part="bandit_cards")


def mustered(match: Match, hosts: Mapping[int, Mapping[int, int]], bandits: Mapping[int, int] | None = None) -> Match:
    """Go on from the end of a muster that has put so many Knights of each seat, and so many Bandits, on each tile."""
    s: Any = match._state.copy()
    for seat, there in hosts.items():
        for tile in range(st.TILES):
            s.host[seat][tile] = there.get(tile, 0)
    if bandits is not None:
        for tile in range(st.CASTLE):
            s.bandits[tile] = bandits.get(tile, 0)
    s.waiting, s.phase = 0, st.BATTLES
    before = s.events_made
    rules.go_on(match.book, s)
    match._state = s
    match._undo.clear()
    match._after_change(None, before)
    s.check()
    return match


def play(match: Match, *moves: str) -> Match:
    """Play moves in words, each by the seat that is to act; with ``Bo: accept`` by another that may."""
    for move in moves:
        name, _, words = move.rpartition(": ")
        seat = NAMES.index(name) if name else min(match.to_act)
        if not name:
            assert len(match.to_act) == 1, match.to_act
        match.play(seat, words)
        match._state.check()
    return match


def place(match: Match, **cards: str) -> Match:
    """Place cards, such as ``Ann="Feint, Guard"``: to attack, then to defend."""
    for name, both in cards.items():
        attack, defence = both.split(", ")
        play(match, f"{name}: attack with {attack}", f"{name}: defend with {defence}")
    return match


def battle(
    forces: Mapping[int, int],
    bandits: int = 0,
    tile: int = WOLF,
    seats: int = 3,
    order: Sequence[int] | None = None,
    **options: Any,
) -> Match:
    """Return a match in which a battle has begun: nobody has placed a card; Bandits' cards change nothing."""
    match = begin(seats, order=order, **{"tables": blank_bandits(), "knights": 6, **options})
    return mustered(match, {seat: {tile: number} for seat, number in forces.items()}, {tile: bandits})


def all_guard(match: Match) -> Match:
    """Place the same two cards for everybody: Guard to attack, Cleave to defend."""
    for seat in sorted(match.to_act):
        place(match, **{NAMES[seat]: "Guard, Cleave"})
    return match


def fighting(
    forces: Mapping[int, int],
    values: Mapping[int, Mapping[int, int]] | None = None,
    wounds: Mapping[int, Sequence[int]] | None = None,
    bandits: int = 0,
    allies: Iterable[tuple[int, int]] = (),
    seats: int = 3,
    order: Sequence[int] | None = None,
    **options: Any,
) -> Match:
    """Return a match in battle turns, with these values, Wounds and alliances; the log begins with the turns.

    Values that are not given are 10 of Health, Damage 4, Precision 5, Dodge 4, Defense 0, Delay 5: a blow is 4 Wounds.
    """
    usual = {st.DAMAGE: 4, st.PRECISION: 5, st.DODGE: 4, st.DEFENSE: 0, st.DELAY: 5, st.HEALTH: 10, st.WOUND: 0}
    match = all_guard(battle(forces, bandits, seats=seats, order=order, **options))
    s: Any = match._state.copy()
    for side in s.lineup[: s.sides]:
        for value, number in (usual | dict((values or {}).get(side, {}))).items():
            s.value[side][value] = number
        given = (wounds or {}).get(side, ())
        s.wounds[side] = [*given, *[0] * (st.MOST_KNIGHTS - len(given))]
        s.ally[side] = st.NONE
    for one, other in allies:
        s.ally[one], s.ally[other] = other, one
    rank = {side: number for number, side in enumerate(s.lineup[: s.sides])}
    s.turns[: s.sides] = sorted(rank, key=lambda side: (s.value[side][st.DELAY], -rank[side]))
    s.turn = s.blows = 0
    s.phase, s.victor = st.NEXT_TURN, st.NONE
    for lines in match._lines.values():
        lines.clear()
    before = s.events_made
    rules.go_on(match.book, s)
    match._state = s
    match._undo.clear()
    match._after_change(None, before)
    s.check()
    return match


def menu(match: Match, seat: int | None = None) -> list[str]:
    """Return the moves of a seat, or of the only one that is to act."""
    (acting,) = match.to_act if seat is None else {seat}
    return [move.text for move in match.moves(acting)]


def zone(match: Match, id_: str, viewer: int | None = ONLOOKER) -> Zone | None:
    return next((zone for zone in match.view(viewer).zones if zone.id == id_), None)


def pieces(match: Match, id_: str, viewer: int | None = ONLOOKER) -> tuple[Piece, ...]:
    found = zone(match, id_, viewer)
    return found.pieces if found else ()


def cards_of(match: Match, id_: str, viewer: int | None = ONLOOKER) -> list[str]:
    """Return the names of the cards in a zone, such as ``hand.0``."""
    return [piece.words.partition(":")[0] for piece in pieces(match, id_, viewer)]


def placed_by(match: Match, side: int, viewer: int | None = ONLOOKER) -> list[Piece]:
    """Return the cards that a viewer sees before a side of the battle, face up or down."""
    (shown,) = (piece for piece in pieces(match, "battle", viewer) if piece.id == f"side.{side}")
    return [lying for lying in shown.attached if lying.value is None]


def values(match: Match, side: int) -> dict[str, int]:
    """Return the battle values that everybody sees of a side."""
    (shown,) = (piece for piece in pieces(match, "battle") if piece.id == f"side.{side}")
    return {lying.words.split()[0]: lying.value for lying in shown.attached if lying.words.split()[0] in TRACK_NAMES}


def wounds(match: Match, side: int) -> list[int]:
    """Return the Wounds that everybody sees on each Knight of a side."""
    return [piece.attached[0].value for piece in pieces(match, f"fighters.{side}")]


def hosts(match: Match, viewer: int | None = ONLOOKER) -> dict[str, dict[str, int]]:
    """Return how many are on each tile: by tile and player, as a viewer sees them."""
    found = {}
    for piece in pieces(match, "tiles", viewer):
        found[piece.words] = {
            ("Bandits" if lying.seat is None else NAMES[lying.seat]): lying.value for lying in piece.attached
        }
    return found


def new_lines(match: Match, before: int, viewer: int | None = ONLOOKER) -> list[str]:
    return match.log(viewer)[before:]


def last(match: Match, number: int = 1, viewer: int | None = ONLOOKER) -> list[str]:
    return match.log(viewer)[-number:]


def reason(match: Match, seat: int, move: str) -> tuple[str, str]:
    """Return the clause and the words of why a move is not legal."""
    why = match.why_not(seat, move)
    assert why is not None, f"{move} is legal"
    return why.clause, why.words
