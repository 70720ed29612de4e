"""Heirless battles: helpers that the tests use to set up positions, play moves, and read what a player sees.

Ann, Bo, Cid, Dee, Eve and Fay are the seats 0 to 5.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quintain.engine.play.match import Match
from quintain.engine.play.positions import read_position
from quintain.engine.rules.views import TOKEN, Piece, Zone
from quintain.games.heirless import state as st
from quintain.games.heirless.words import TRACK_NAMES

ANN, BO, CID, DEE, EVE, FAY = range(6)
NAMES = ("Ann", "Bo", "Cid", "Dee", "Eve", "Fay")
BANDITS, ONLOOKER = st.BANDITS, None
CAPITAL, WOLF, CAT, FOX = st.CAPITAL, st.WOLF_CAMP, st.CAT_CAMP, st.FOX_CAMP
SEEDS: dict[str, int] = {}
"""The seed of each match, by its commitment: a match does not show its seed before it is over."""


def begin(seats: int = 3, seed: int = 0, order: Sequence[int] | None = None, **options: Any) -> Match:
    """Return a match before the first muster; the player order is that of the seats if none is given."""
    match = Match.new("heirless", seats, NAMES[:seats], options=options, seed=seed.to_bytes(32, "big"))
    SEEDS[match.commitment] = seed
    in_order = list(range(seats)) if order is None else list(order)
    places = [f"place[{seat}] = {place}" for place, seat in enumerate(in_order)]
    return altered(match, *places, f"order = {row(in_order, st.SEATS)}")


def altered(match: Match, *lines: str, **options: Any) -> Match:
    """Return a match in the position of another, with some lines of the position and some options changed."""
    seed = SEEDS[match.commitment]
    changed = Match.from_position(
        match.game,
        "\n".join([match.position(), *lines]),
        seats=match.seats,
        names=match.names,
        options=match.options | options,
        seed=seed.to_bytes(32, "big"),
    )
    SEEDS[changed.commitment] = seed
    return changed


def state_of(match: Match) -> Any:
    """Return the true position as a state, with nothing hidden."""
    s = match.game.state()
    read_position(s, match.position())
    return s


def row(numbers: Iterable[int], size: int) -> str:
    """Return numbers as a position writes them, filled up with zeros to a size."""
    return " ".join(map(str, [*numbers, *[0] * size][:size]))


def tables(cards: Sequence[tuple[str, list[int], list[int]]] = (), tracks: str = "", part: str = "cards") -> str:
    """Return the text of a tables file with these cards and, if given, tracks."""
    rows = [f'[[{part}]]\nname = "{name}"\nattack = {attack}\ndefence = {defence}\n' for name, attack, defence in cards]
    return (f"[tracks]\n{tracks}\n" if tracks else "") + "\n".join(rows)


def blank_bandits() -> str:
    """Return tables whose cards for the Bandits change nothing."""
    return tables([("Calm", [0, 0, 0], [0, 0, 0]), ("Still", [0, 0, 0], [0, 0, 0])], part="bandit_cards")


def mustered(match: Match, hosts: Mapping[int, Mapping[int, int]], bandits: Mapping[int, int] | None = None) -> Match:
    """Return a match just after a muster: `hosts` says how many Knights each seat has sent to each tile.

    The seat that sends the most sends its last Knight as a move here, and the option `knights` is set to its number. If
    no seat sends any, one of them keeps a Knight at home.
    """
    there = {seat: dict(hosts.get(seat, {})) for seat in range(match.seats)}
    last = max(there, key=lambda seat: sum(there[seat].values()))
    if not sum(there[last].values()):
        there[last] = {st.CASTLE + last: 1}
    knights = sum(there[last].values())
    tile = max(tile for tile, number in there[last].items() if number)
    there[last][tile] -= 1
    lines = [
        f"host[{seat}] = {row((on.get(tile, 0) for tile in range(st.TILES)), st.TILES)}" for seat, on in there.items()
    ]
    if bandits is not None:
        lines.append(f"bandits = {row((bandits.get(tile, 0) for tile in range(st.CASTLE)), st.CASTLE)}")
    match = altered(match, *lines, f"waiting = {1 << last}", knights=knights)
    match.play(last, st.SEND + tile)
    return match


def play(match: Match, *moves: str) -> Match:
    """Play moves in words. The only seat that is to act plays them, unless a move names another: ``Bo: accept``."""
    for move in moves:
        name, _, words = move.rpartition(": ")
        seat = NAMES.index(name) if name else min(match.to_act)
        if not name:
            assert len(match.to_act) == 1, match.to_act
        match.play(seat, words)
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
    """Return a match in which a battle has begun and no card is placed. The Bandits' cards change nothing."""
    match = begin(seats, order=order, **{"tables": blank_bandits(), "knights": 6, **options})
    return mustered(match, {seat: {tile: number} for seat, number in forces.items()}, {tile: bandits})


def all_guard(match: Match) -> Match:
    """Place the same two cards for each player: Guard to attack, Cleave to defend."""
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
    """Return a match in the battle turns, with these values, Wounds and alliances. Its log has one proposal of nothing.

    Values that are not given are Health 10, Damage 4, Precision 5, Dodge 4, Defense 0, Delay 5: a blow deals 4.
    """
    usual = {st.DAMAGE: 4, st.PRECISION: 5, st.DODGE: 4, st.DEFENSE: 0, st.DELAY: 5, st.HEALTH: 10, st.WOUND: 0}
    match = all_guard(battle(forces, bandits, seats=seats, order=order, **options))
    s, lines = state_of(match), ["ally = -1"]
    sides = s.lineup[: s.sides]
    numbers = {side: usual | dict((values or {}).get(side, {})) for side in sides}
    for side in sides:
        lines.append(f"value[{side}] = {row((numbers[side][value] for value in range(st.VALUES)), st.VALUES)}")
        lines.append(f"wounds[{side}] = {row((wounds or {}).get(side, ()), st.MOST_KNIGHTS)}")
    for one, other in allies:
        lines += [f"ally[{one}] = {other}", f"ally[{other}] = {one}"]
    turns = sorted(sides, key=lambda side: (numbers[side][st.DELAY], -sides.index(side)))
    lines += [f"turns = {row(turns, st.SIDES)}", "turn = 0", "victor = -1"]
    lines += [f"phase = {st.PROPOSAL}", f"asked = {s.sides}", f"actor = {sides[0]}"]
    match = altered(match, *lines)
    match.play(sides[0], "propose nothing")
    return match


def menu(match: Match, seat: int | None = None) -> list[str]:
    """Return the legal moves of a seat, by default of the only seat that is to act."""
    (acting,) = match.to_act if seat is None else {seat}
    return [move.text for move in match.moves(acting)]


def zone(match: Match, id_: str, viewer: int | None = ONLOOKER) -> Zone | None:
    """Return a zone of a viewer's table, or None."""
    return next((zone for zone in match.view(viewer).zones if zone.id == id_), None)


def pieces(match: Match, id_: str, viewer: int | None = ONLOOKER) -> tuple[Piece, ...]:
    """Return the pieces of a zone, none if the viewer has no such zone."""
    found = zone(match, id_, viewer)
    return found.pieces if found else ()


def cards_of(match: Match, id_: str, viewer: int | None = ONLOOKER) -> list[str]:
    """Return the names of the cards in a zone, such as ``hand.0``."""
    return [piece.name for piece in pieces(match, id_, viewer)]


def piece_of(match: Match, id_: str, viewer: int | None = ONLOOKER) -> Piece:
    """Return the piece with an id, such as ``side.0`` or ``damage.1``."""
    return next(piece for piece in match.view(viewer).pieces() if piece.id == id_)


def placed_by(match: Match, side: int, viewer: int | None = ONLOOKER) -> list[Piece]:
    """Return the cards that a viewer sees placed by a side, face up or down."""
    return [lying for lying in piece_of(match, f"side.{side}", viewer).on_it if not lying.is_token]


def numbers(piece: Piece) -> dict[str, int]:
    """Return the numbers of a card, by their keys."""
    return {stat.key: stat.number for stat in piece.stats}


def states(piece: Piece) -> set[str]:
    """Return the states of a piece by which players tell it from others."""
    return set(piece.state) - {TOKEN}


def values(match: Match, side: int) -> dict[str, int]:
    """Return the battle values of a side by name, as everybody sees them."""
    lying = piece_of(match, f"side.{side}").on_it
    return {each.name: each.stats[0].number for each in lying if each.is_token and each.name in TRACK_NAMES}


def attributes(match: Match, owner: int) -> list[int]:
    """Return the six attributes of a player, or of the Bandits of a camp, as everybody sees them."""
    shown = {piece.id: piece for piece in match.view().pieces()}
    return [shown[f"{name.lower()}.{owner}"].stats[0].number for name in TRACK_NAMES]


def wounds(match: Match, side: int) -> list[int]:
    """Return the Wounds of each Knight of a side, as everybody sees them."""
    return [piece.on_it[0].stats[0].number for piece in pieces(match, f"fighters.{side}")]


def hosts(match: Match, viewer: int | None = ONLOOKER) -> dict[str, dict[str, int]]:
    """Return how many Knights and Bandits are on each tile, by tile and player, as a viewer sees them."""
    found = {}
    for piece in pieces(match, "tiles", viewer):
        found[piece.name] = {
            ("Bandits" if lying.seat is None else NAMES[lying.seat]): lying.stats[0].number for lying in piece.on_it
        }
    return found


def resources(match: Match) -> list[int]:
    """Return the Resources of each seat, as everybody sees them."""
    return [score.number for score in match.view().scores]


def asked(match: Match, seat: int) -> str:
    """Return the words of the question to a seat."""
    question = match.view(seat).question
    assert question, f"{NAMES[seat]} is not asked"
    return question.words


STEPS = {
    "attack": "cards",
    "defend": "cards",
    "either": "cards",
    "propose": "alliances",
    "answer": "alliances",
    "strike": "turns",
}
"""What happens within the battles while a question with this key is asked."""


def phase(match: Match) -> str:
    """Return the step of the season that everybody sees; within a battle, what the players are asked about."""
    asked_for = {match.view(seat).question.key for seat in match.to_act}
    within = {STEPS[key] for key in asked_for & STEPS.keys()}
    assert len(within) < 2 and (not within or match.view().phase.key == "battles")
    return within.pop() if within else match.view().phase.key


def last(match: Match, number: int = 1, viewer: int | None = ONLOOKER) -> list[str]:
    """Return the last lines of a viewer's log."""
    return match.log(viewer)[-number:]


def reason(match: Match, seat: int, move: str) -> tuple[str, str]:
    """Return the clause and the words of why a move is not legal."""
    why = match.why_not(seat, move)
    assert why is not None, f"{move} is legal"
    return why.clause, why.words
