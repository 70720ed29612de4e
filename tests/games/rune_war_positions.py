"""Helpers for the tests of Rune War: they set up positions in words, and read the table as a player sees it."""

import random
from collections.abc import Iterable, Mapping
from typing import Any

from quintain.engine.play.match import Match
from quintain.engine.play.positions import read_position, write_position
from quintain.engine.rules.views import Piece
from quintain.games.rune_war import shape
from quintain.games.rune_war import state as st
from quintain.games.rune_war.words import CARD_NAMES, PLACE_NAMES

ANN, BO, CID = 0, 1, 2
NAMES = ("Ann", "Bo", "Cid", "Dee", "Eve")
ONLOOKER = None
BY_NAME = {name.casefold(): card for card, name in enumerate(CARD_NAMES)}
LEFT_ON_THE_DECK = 20


def begin(seats: int = 2, seed: int = 0, runes: str = "on") -> Match:
    return Match.new("rune-war", seats, NAMES[:seats], options={"runes": runes}, seed=seed.to_bytes(32, "big"))


def true_state(match: Match) -> st.State:
    """Return the state of a match with nothing hidden, read from its position."""
    s = st.State()
    read_position(s, match.position())
    return s


def cards(names: str) -> list[int]:
    """Return the numbers of the cards in a list of names with commas."""
    return [BY_NAME[name.strip().casefold()] for name in names.split(",") if name.strip()]


def all_but(*names: str) -> str:
    """Return the names of all cards except some, as a list with commas."""
    left_out = cards(",".join(names))
    return ",".join(name for card, name in enumerate(CARD_NAMES) if card not in left_out)


def position(
    hands: Iterable[str] = (),
    defences: Iterable[Mapping[str, str] | str] = (),
    pile: str = "",
    seats: int = 2,
    turn: int = ANN,
    deck: str | None = None,
    turns: int = 1,
    more: str = "",
    seed: int = 0,
) -> Match:
    """Return a match at the beginning of a turn, with these hands, defences and discard pile.

    A defence maps places to cards, or lists cards from the root on, row by row. All other cards are in the deck; but if
    `deck` is given, it has only those, and all other cards are on the pile. `more` are further lines of a position.
    """
    s = true_state(begin(seats))
    for seat in range(st.SEATS):
        s.hand_size[seat] = s.defence_size[seat] = 0
        s.built[seat] = int(seat < seats)
        s.turns[seat] = s.quiet[seat] = turns if seat < seats else 0
    elsewhere = st.DECK if deck is None else st.PILE
    for card in range(st.CARDS):
        s.lies[card] = elsewhere
    for card in cards(deck or ""):
        s.lies[card] = st.DECK
    for card in cards(pile):
        s.lies[card] = st.PILE
    used: set[int] = set(cards(pile))
    for seat, given in enumerate(hands):
        for card in cards(given):
            assert card not in used, CARD_NAMES[card]
            used.add(card)
            s.lies[card] = st.HAND + seat
            s.hand_size[seat] += 1
    for seat, laid in enumerate(defences):
        for place, card in _placed(laid).items():
            assert card not in used, CARD_NAMES[card]
            used.add(card)
            shape.put_card(s, seat, place, card)
    s.deck_size = sum(where == st.DECK for where in s.lies)
    s.pile_size = sum(where == st.PILE for where in s.lies)
    s.phase, s.turn, s.first = st.TURN, turn, turn
    text, chance = f"{write_position(s)}\n{more}", seed.to_bytes(32, "big")
    match = Match.from_position("rune-war", text, seats=seats, names=NAMES[:seats], seed=chance)
    check_cards(match)
    return match


def seen_by_all(owner: int, *laid: str) -> str:
    """Return lines for `more`, by which everybody has seen the cards at these places of a defence."""
    rows = [0] * st.ROWS
    for place in map(PLACE_NAMES.index, laid):
        rows[st.ROW_OF[place]] |= 1 << st.column_of(place)
    return "\n".join(f"seen[{owner}][{viewer}] = {' '.join(map(str, rows))}" for viewer in range(st.VIEWERS))


def _placed(laid: Mapping[str, str] | str) -> dict[int, int]:
    if isinstance(laid, str):
        return dict(enumerate(cards(laid)))
    return {PLACE_NAMES.index(place): BY_NAME[name.casefold()] for place, name in laid.items()}


def check_cards(match: Match) -> None:
    """Check that every card is in one place, and that all counts are right."""
    check_state(match.book, true_state(match))


def check_state(book: Any, s: Any) -> None:
    s.check()
    where = list(s.lies)
    assert all((place == st.NONE) == (card >= book.cards) for card, place in enumerate(where))
    assert where.count(st.DECK) == s.deck_size and where.count(st.PILE) == s.pile_size
    for seat in range(book.seats):
        assert where.count(st.HAND + seat) == s.hand_size[seat]
        laid = [card for card in s.defence[seat] if card != st.NONE]
        assert sorted(laid) == [card for card, place in enumerate(where) if place == st.DEFENCE + seat]
        assert len(laid) == s.defence_size[seat]
        for place in range(st.PLACES):
            bit = s.shape[seat][st.ROW_OF[place]] >> st.column_of(place) & 1
            assert bit == (s.defence[seat][place] != st.NONE)


def play(match: Match, *moves: str) -> Match:
    """Play moves, each for the only seat that is to act."""
    for move in moves:
        (seat,) = match.to_act
        match.play(seat, move)
        check_cards(match)
    return match


def menu(match: Match, seat: int | None = None) -> list[str]:
    (acting,) = match.to_act if seat is None else {seat}
    return [move.text for move in match.moves(acting)]


def pieces(match: Match, viewer: int | None, id_: str) -> tuple[Piece, ...]:
    return next((zone.pieces for zone in match.view(viewer).zones if zone.id == id_), ())


def piece(match: Match, viewer: int | None, owner: int, place: str) -> Piece | None:
    """Return the piece that a viewer sees at a place of a defence; None if there is none."""
    found = [piece for piece in pieces(match, viewer, f"defence.{owner}") if piece.id == f"defence.{owner}.{place}"]
    return found[0] if found else None


def knows(match: Match, viewer: int | None, owner: int, place: str) -> bool:
    """Return whether a viewer sees which card lies at a place."""
    shown = piece(match, viewer, owner, place)
    assert shown is not None
    return shown.key is not None


def hand(match: Match, viewer: int | None, owner: int) -> list[str]:
    """Return the names of the cards of a hand that a viewer knows."""
    return [piece.name for piece in pieces(match, viewer, f"hand.{owner}") if piece.key is not None]


def shown(match: Match, id_: str, viewer: int | None = None) -> list[str]:
    """Return the names of the pieces in a zone."""
    return [piece.name for piece in pieces(match, viewer, id_)]


def places(match: Match, owner: int) -> list[str]:
    """Return the places of a defence that have a card, as everybody sees them."""
    return [piece.id.removeprefix(f"defence.{owner}.") for piece in pieces(match, ONLOOKER, f"defence.{owner}")]


def play_at_random(match: Match, seed: int) -> Match:
    chooser = random.Random(seed)
    while match.to_act:
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
    return match
