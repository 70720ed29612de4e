"""Round Table for tests: positions are set up here, and read here as a player sees them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from quintain.engine.match import Match
from quintain.engine.views import Piece
from quintain.games.round_table import play_area
from quintain.games.round_table import state as st

ANN, BO, CID, DEE = range(4)
NAMES = ("Ann", "Bo", "Cid", "Dee")
REGIONS = ("Camelot", "Tintagel", "Elmet", "Logres", "Orkney", "Badon")
"""Three that lie open, of Resistance 9, 6 and 2 and Renown 4, 2 and 1, and three to come."""
STEPS = ("Farm", "Manor", "Large Manor", "Keep", "Castle")
FILLER = "Knight Vassal"
PLAIN = (
    "".join(
        f'[[knight]]\nname = "Strong {word}"\nrp = 1\ninfluence = {number}\nresistance = {resistance}\n'
        for word, number, resistance in (
            ("Ten", 10, 0),
            ("Twelve", 12, 0),
            ("Wall", 0, 4),
            ("Keeper", 0, 7),
            ("Weak", -3, -2),
        )
    )
    + '[[region]]\nname = "Plain"\nresistance = 0\nrenown = 2\n'
    + '[[region]]\nname = "Hill"\nresistance = 0\nrenown = 3\n'
    + '[[region]]\nname = "Peak"\nresistance = 9\nrenown = 1\n'
)
LANDS = ("Plain", "Hill", "Peak", "Camelot", "Avalon", "Sarras")
"""Knights and Regions with round numbers, and those Regions in the order of a position: see `position`."""


@dataclass
class Side:
    """What a player has: cards in hand, Knights with what is on them, other cards in play, Demesnes of each step."""

    hand: str = ""
    knights: Sequence[str] = ()
    """Such as "Gawain + Good Sword + Baron @ Camelot"."""
    loose: str = ""
    demesnes: tuple[int, int, int, int, int] = (3, 3, 3, 3, 3)
    deck: str = ""
    """Cards that the deck holds besides."""


@dataclass
class Placed:
    knight: str
    attached: list[str] = field(default_factory=list)
    region: str = ""


def listed(words: str) -> list[str]:
    return [name.strip() for name in words.split(",") if name.strip()]


def placed(words: str) -> Placed:
    cards, _, region = words.partition("@")
    knight, *attached = (name.strip() for name in cards.split("+"))
    return Placed(knight, attached, region.strip())


def deck_of(side: Side, filler: str = FILLER) -> str:
    """Return a list that holds a side's cards, filled up to 40 Main cards and 5 Demesnes of each step."""
    main: dict[str, int] = {}
    in_play = [name for words in side.knights for name in (placed(words).knight, *placed(words).attached)]
    demesnes = dict.fromkeys(STEPS, 5)
    for name in (*listed(side.hand), *in_play, *listed(side.loose), *listed(side.deck)):
        if name in STEPS:
            demesnes[name] += 1
        else:
            main[name] = main.get(name, 0) + 1
    main[filler] = main.get(filler, 0) + max(0, 40 - sum(main.values()))
    lines = [f"{count} {name}" for name, count in main.items() if count]
    return "\n".join(["Main", *lines, "Demesne", *(f"{count} {step}" for step, count in demesnes.items())]) + "\n"


def position(
    *sides: Side, season: int = st.SPRING, regions: Iterable[str] = REGIONS, cards: str = "", seed: int = 1
) -> Match:
    """Set up the beginning of a Season with Ann as the active player; whatever is not named is in the decks."""
    options = {"decks": [deck_of(side) for side in sides], "regions": list(regions), "cards": cards}
    match = Match.new("round-table", len(sides), NAMES[: len(sides)], options, seed=seed.to_bytes(32, "big"))
    book: Any = match.book
    s = match._state = match._state.copy()
    s.active = s.turn = ANN
    s.season = season
    s.phase = {st.SPRING: st.RECRUIT, st.SUMMER: st.CAMPAIGN, st.AUTUMN: st.SUPPORT, st.WINTER: st.WINTER_DRAW}[season]
    order = list(range(book.regions))
    s.open[:] = (order[:3] + [st.NONE] * 3)[:3]
    s.regions_left = max(0, len(order) - 3)
    s.region_deck[: book.regions] = [*reversed(order[3:]), *[st.NONE] * min(3, len(order))]
    for seat, side in enumerate(sides):
        s.set_up[seat] = st.KEPT
        s.demesne[seat] = list(side.demesnes)
        for step in range(st.STEPS):
            take(s, book, seat, STEPS[step], side.demesnes[step] - (step == 0))
        for name in listed(side.hand):
            s.hand[seat][take(s, book, seat, name)] += 1
            s.hand_size[seat] += 1
        for words in side.knights:
            put(s, book, seat, placed(words))
        for name in listed(side.loose):
            play_area.put_in_play(book, s, seat, take(s, book, seat, name), st.NONE)
    play_area.take_stock(book, s)
    s.check()
    match._ask(None)
    return match


def put(s: Any, book: Any, seat: int, knight: Placed) -> None:
    slot = play_area.put_in_play(book, s, seat, take(s, book, seat, knight.knight), st.NONE)
    for name in knight.attached:
        play_area.put_in_play(book, s, seat, take(s, book, seat, name), slot)
    if knight.region:
        names = [book.region[s.region[place]].name for place in s.open]
        s.place[seat][slot] = names.index(knight.region)


def take(s: Any, book: Any, seat: int, name: str, count: int = 1) -> int:
    """Take copies of a card out of a deck, and return its number."""
    line = line_of(book, seat, name)
    s.deck[seat][line] -= count
    s.deck_size[seat][int(line >= book.main_lines[seat])] -= count
    return line


def line_of(book: Any, seat: int, name: str) -> int:
    return next(line for line in range(book.lines[seat]) if book.card[seat][line].name == name)


def slot_of(match: Match, seat: int, name: str) -> int:
    """Return the first place of a card in play."""
    line = line_of(match.book, seat, name)
    return match._state.line[seat].index(line)


def play(match: Match, *moves: str) -> None:
    """Play moves, each by the one seat that is to act."""
    for move in moves:
        (seat,) = match.to_act
        match.play(seat, move)


def menu(match: Match, seat: int | None = None) -> list[str]:
    """Return the legal moves of a seat, or of the one that is to act."""
    if seat is None:
        (seat,) = match.to_act
    return [move.text for move in match.moves(seat)]


def pass_season(match: Match) -> None:
    """Pass until another Season has begun."""
    season = match._state.season
    while match._state.season == season and match.to_act:
        play(match, "pass")


def why(match: Match, seat: int, move: str) -> str | None:
    reason = match.why_not(seat, move)
    return reason and reason.clause


def piece(match: Match, id_: str, viewer: int | None = None) -> Piece:
    pieces = [piece for zone in match.view(viewer).zones for whole in zone.pieces for piece in (whole, *whole.attached)]
    return next(piece for piece in pieces if piece.id == id_)


def names(match: Match, zone: str, viewer: int | None = None) -> list[str]:
    """Return the names of the pieces of a zone."""
    found = next(found for found in match.view(viewer).zones if found.id == zone)
    return [piece.words.split(":")[0] for piece in found.pieces]


def knight(match: Match, seat: int, name: str) -> Piece:
    return piece(match, f"unit.{seat}.{slot_of(match, seat, name)}")


def strength(match: Match, seat: int, name: str) -> tuple[int, int]:
    """Return the Influence and the Resistance of a Knight."""
    words = knight(match, seat, name).words
    influence, resistance = words.split("Influence ")[1].split(",")[0], words.split("Resistance ")[1].split(",")[0]
    return int(influence), int(resistance)


def rp(match: Match, seat: int) -> tuple[int, int]:
    """Return what a seat has allocated, and its capacity."""
    title = next(zone.title for zone in match.view(None).zones if zone.id == f"demesnes.{seat}")
    allocated, _, rest = title.split(", ")[1].partition(" of ")
    return int(allocated), int(rest.split(" ")[0])


def left(match: Match, region: str) -> dict[int, int]:
    """Return what is left of everybody's Influence in an open Region."""
    found = next(z for z in match.view(None).zones if z.id == "regions")
    (shown,) = (piece for piece in found.pieces if piece.words.startswith(f"{region}:"))
    return {force.seat: force.value for force in shown.attached if force.seat is not None and force.value is not None}
