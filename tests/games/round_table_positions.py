"""Helpers for the tests of Round Table: set up positions in text, play moves, and read what a player sees."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from quintain.engine.play.match import Match
from quintain.engine.play.positions import read_position, write_position
from quintain.engine.rules import rng
from quintain.engine.rules.views import Piece, Zone
from quintain.games.round_table import play_area
from quintain.games.round_table import state as st
from quintain.games.round_table.words import face

ANN, BO, CID, DEE = range(4)
NAMES = ("Ann", "Bo", "Cid", "Dee")
REGIONS = ("Camelot", "Tintagel", "Elmet", "Logres", "Orkney", "Badon")
"""Three open Regions, with Resistance 9, 6 and 2 and Renown 4, 2 and 1, and three to come."""
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
    """The cards of a player: in hand, Knights with the cards on them, other cards in play, Demesnes of each step."""

    hand: str = ""
    knights: Sequence[str] = ()
    """Such as "Gawain + Good Sword + Baron @ Camelot"."""
    loose: str = ""
    demesnes: tuple[int, int, int, int, int] = (3, 3, 3, 3, 3)
    deck: str = ""
    """More cards for the deck."""


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
    """Return a deck list with the cards of a side, 40 Main cards or more, and 5 Demesnes of each step."""
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
    *sides: Side, season: int = st.SPRING, regions: Iterable[str] = REGIONS, cards: str = "", more: Sequence[str] = ()
) -> Match:
    """Set up the beginning of a Season with Ann as the active player; all cards not named are in the decks.

    `more` are further lines of the position.
    """
    options = {"decks": [deck_of(side) for side in sides], "regions": list(regions), "cards": cards}
    match = Match.new("round-table", **given(len(sides), options))
    book: Any = match.book
    s = state(match)
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
    return with_state(match, s, *more)


def given(seats: int, options: dict[str, Any]) -> dict[str, Any]:
    return {"seats": seats, "names": NAMES[:seats], "options": options, "seed": (1).to_bytes(32, "big")}


def state(match: Match) -> Any:
    """Return the true state of a match, without its events."""
    s = match.game.state()
    rng.seed(s.rng, 1)
    match.game.rules.deal(match.book, s)
    names = match.game.card_names(match.book)
    lines = set(match.position().splitlines()) - set(write_position(s, names).splitlines())
    read_position(s, "\n".join(lines), names)
    return s


def with_state(match: Match, s: Any, *lines: str) -> Match:
    """Return a match that goes on from a state with some lines changed; it reads only what differs from the deal."""
    told = set(write_position(s, match.game.card_names(match.book)).splitlines())
    told -= dealt_lines(match.game.id, match.seats, json.dumps(match.options))
    more = given(match.seats, match.options)
    return Match.from_position(match.game, "\n".join([*told, *lines]), **more)


@cache
def dealt_lines(game: str, seats: int, options: str) -> frozenset[str]:
    """Return the lines of the position that a match is dealt with; options are given as JSON."""
    return frozenset(Match.new(game, **given(seats, json.loads(options))).position().splitlines())


def changed(match: Match, *lines: str) -> Match:
    """Return a match that goes on from the position of another with some lines changed."""
    return with_state(match, state(match), *lines)


def with_empty_decks(match: Match, seat: int, left: int = 0) -> Match:
    """Return a match in which a seat's decks are spent except for `left` Knights."""
    s, filler = state(match), line_of(match.book, seat, FILLER)
    for line in range(match.book.lines[seat]):
        stays = left if line == filler else 0
        s.spent[seat][line] += s.deck[seat][line] - stays
        s.deck[seat][line] = stays
    s.deck_size[seat] = [left, 0]
    return with_state(match, s)


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
    """Return the first slot of a card in play."""
    units = [piece for piece in match.view(None).pieces() if piece.seat == seat and piece.id.startswith("unit.")]
    return min(int(piece.id.rpartition(".")[2]) for piece in units if piece.key == face(name))


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


def season_of(match: Match) -> int:
    """Return the Season by the key of the phase; each step of Summer has a key of its own."""
    seasons = {"spring": st.SPRING, "autumn": st.AUTUMN, "winter": st.WINTER}
    return seasons.get(match.view(None).phase.key, st.SUMMER)


def pass_season(match: Match) -> None:
    """Pass until another Season has begun."""
    season = season_of(match)
    while season_of(match) == season and match.to_act:
        play(match, "pass")


def why(match: Match, seat: int, move: str) -> str | None:
    reason = match.why_not(seat, move)
    return reason and reason.clause


def zone(match: Match, id_: str, viewer: int | None = None) -> Zone:
    return next(found for found in match.view(viewer).zones if found.id == id_)


def piece(match: Match, id_: str, viewer: int | None = None) -> Piece:
    return next(piece for piece in match.view(viewer).pieces() if piece.id == id_)


def names(match: Match, id_: str, viewer: int | None = None) -> list[str]:
    """Return the names of the pieces of a zone."""
    return [piece.name for piece in zone(match, id_, viewer).pieces]


def knight(match: Match, seat: int, name: str) -> Piece:
    return piece(match, f"unit.{seat}.{slot_of(match, seat, name)}")


def on_it(match: Match, seat: int, name: str) -> list[str]:
    """Return the names of the cards on a Knight."""
    return [lying.name for lying in knight(match, seat, name).on_it]


def doing(match: Match, seat: int, name: str) -> tuple[str, ...]:
    """Return the task of a Knight in words."""
    state = knight(match, seat, name).state
    return tuple(label.words for label in match.view(None).legend if label.key in state)


def stats(piece: Piece) -> dict[str, int]:
    return {stat.key: stat.number for stat in piece.stats}


def strength(match: Match, seat: int, name: str) -> tuple[int, int]:
    """Return the Influence and the Resistance of a Knight."""
    numbers = stats(knight(match, seat, name))
    return numbers["influence"], numbers["resistance"]


def count(match: Match, key: str, seat: int | None = None) -> int:
    """Return a public number, or 0 if the table does not show it."""
    found = [count.number for count in match.view(None).counts if (count.key, count.seat) == (key, seat)]
    return found[0] if found else 0


def owed_draws(match: Match) -> list[int]:
    return [count(match, "draws", seat) for seat in range(match.seats)]


def rp(match: Match, seat: int) -> tuple[int, int]:
    """Return the allocated RP of a seat, and its capacity."""
    capacity = count(match, "capacity", seat)
    return capacity - count(match, "free", seat), capacity


def left(match: Match, region: str) -> dict[int, int]:
    """Return the remaining Influence of each seat in an open Region."""
    (shown,) = (piece for piece in zone(match, "regions").pieces if piece.key == face(region))
    return {force.seat: stats(force)["left"] for force in shown.on_it if force.seat is not None}
