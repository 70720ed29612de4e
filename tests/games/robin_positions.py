"""Robin in the Hood: helpers that the tests use to set up positions, play hands, and read what a player sees.

Ann is seat 0 and Bo is seat 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from quintain.engine.play.match import Match
from quintain.engine.play.positions import read_position
from quintain.engine.rules.views import Piece, Question, View
from quintain.games.robin import state as st
from quintain.games.robin.words import card_name

ANN, BO = 0, 1
NAMES = ("Ann", "Bo")
EMPTY = "-"


def begin(seed: int = 0, **options: Any) -> Match:
    """Begin a tournament; the options have their names of the command line, with _ in place of -."""
    return Match.new("robin", **given(seed, options))


def given(seed: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with which a match of these options is made."""
    read = {name.replace("_", "-"): value for name, value in options.items()}
    return {"names": NAMES, "options": read, "seed": seed.to_bytes(32, "big")}


def fighting(seed: int = 0, **options: Any) -> Match:
    """Return a tournament just before its first hand: antes are staked, and sets are dealt."""
    match = begin(seed, **options)
    while match.view().phase.key in ("ante", "sets"):
        seat = min(match.to_act)
        match.play(seat, next(text for text in menu(match, seat) if text.startswith(("stake", "deal"))))
    return match


@cache
def dealt(**options: Any) -> Match:
    """Return a tournament just before its first hand. It is shared between tests, so nobody may play on it."""
    return fighting(**options)


@dataclass(frozen=True)
class Side:
    """The cards of a seat, as names with commas between them; `stages` has four, with - for an empty stage."""

    stages: str = "-, -, -, -"
    hand: str = ""
    lasting: str = ""
    pile: int | None = None
    """How many cards are left on the draw pile; None for all other cards of the set."""


def number(match: Match, name: str) -> int:
    """Return the number of the card with a name."""
    return next(card for card in range(match.book.cards) if card_name(match.book, card) == name)


def split(names: str) -> list[str]:
    """Split names at their commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


def position(
    ann: Side, bo: Side, leader: int | None = None, won: tuple[int, int] = (0, 0), drawn: int = 0, **options: Any
) -> Match:
    """Return a match just before a hand. Each set is filled up with cards that are not named, in their order."""
    match = dealt(**options)
    lines = [line for seat, side in enumerate((ann, bo)) for line in _lines(match, seat, side)]
    lines += [f"leader = {st.NONE if leader is None else leader}", f"victories = {won[ANN]} {won[BO]}"]
    lines += [f"drawn = {drawn}"]
    match = changed(match, *lines, **options)
    check_state(match.book, truth(match))
    return match


def changed(match: Match, *lines: str, **options: Any) -> Match:
    """Return a match in the position of another, with some lines of the position changed."""
    return Match.from_position("robin", "\n".join([match.position(), *lines]), **given(0, options))


def truth(match: Match) -> Any:
    """Return the state of a match, with nothing hidden."""
    state = match.game.state()
    read_position(state, match.position(), match.game.card_names(match.book))
    return state


def _lines(match: Match, seat: int, side: Side) -> Iterator[str]:
    """Yield the lines of a position for the cards of a seat."""
    book = match.book
    stages = [st.NONE if name == EMPTY else number(match, name) for name in split(side.stages)]
    hand = [number(match, name) for name in split(side.hand)]
    lasting = [number(match, name) for name in split(side.lasting)]
    given = [card for card in stages if card != st.NONE] + hand + lasting
    assert len(set(given)) == len(given)
    usable = book.usable[seat][: book.usable_characters[seat] + book.usable_modifiers[seat]]
    rest = [card for card in usable if card not in given]
    characters = book.active - sum(card < book.characters for card in given)
    modifiers = book.modifiers - sum(card >= book.characters for card in given)
    assert characters >= 0 and modifiers >= 0
    fill = [card for card in rest if card < book.characters][:characters]
    fill += [card for card in rest if card >= book.characters][:modifiers]
    while len(hand) < st.HAND:
        hand.append(fill.pop(0))
    pile = fill if side.pile is None else fill[: side.pile]
    numbers = {
        "stage": stages,
        "hand": hand,
        "hand_size": [len(hand)],
        "pile": pile + [st.NONE] * (st.MOST_IN_SET - len(pile)),
        "pile_size": [len(pile)],
        "shown": [int(card in stages or card in lasting) for card in range(st.CARDS)],
        "lasting": [lasting[0] - book.characters if lasting else st.NONE],
    }
    for field, values in numbers.items():
        yield f"{field}[{seat}] = {' '.join(map(str, values))}"


def check_state(book: Any, s: Any) -> None:
    """Assert that every card is in one place, and that all counts are right."""
    s.check()
    for seat in range(st.SEATS):
        hand, pile = s.hand[seat][: s.hand_size[seat]], s.pile[seat][: s.pile_size[seat]]
        assert set(s.hand[seat][len(hand) :]) <= {st.NONE} and set(s.pile[seat][len(pile) :]) <= {st.NONE}
        played = [card for card in range(st.CARDS) if s.shown[seat][card]]
        together = hand + pile + played
        assert st.NONE not in together and len(set(together)) == len(together)
        assert all(book.owned[seat][card] for card in together)
        standing = [card for card in s.stage[seat] if card != st.NONE]
        lasting = [book.characters + s.lasting[seat]] if s.lasting[seat] != st.NONE else []
        assert set(standing + lasting) <= set(played) and len(set(standing)) == len(standing)


def play(match: Match, ann: str, bo: str) -> Match:
    """Play a hand: a card of each player, in the order in which the match asks them."""
    cards = {ANN: ann, BO: bo}
    while cards:
        seat = min(match.to_act & cards.keys())
        match.play(seat, f"play {cards.pop(seat)}")
        check_state(match.book, truth(match))
    return match


def menu(match: Match, seat: int) -> list[str]:
    """Return the legal moves of a seat."""
    return [move.text for move in match.moves(seat)]


def pieces(view: View, zone: str) -> tuple[Piece, ...]:
    """Return the pieces of a zone, none if the view has no such zone."""
    return next((found.pieces for found in view.zones if found.id == zone), ())


def stood(match: Match, seat: int) -> str:
    """Return the characters of a seat on the four stages, as onlookers see them."""
    found = {piece.id: piece for piece in match.view().pieces()}
    shown = [found[f"character.{seat}.{stage}"] for stage in range(st.STAGES)] if "stage.0" in found else []
    return ", ".join(EMPTY if piece.key is None else piece.name for piece in shown)


def finals(match: Match) -> dict[tuple[int, int], int]:
    """Return the final levels of the last comparison, by seat and stage, as onlookers see them."""
    lying = [piece for stage in pieces(match.view(), "compared") for piece in stage.on_it if piece.is_token]
    return {(piece.seat, int(piece.id[-1])): piece.stats[0].number for piece in lying if piece.seat is not None}


def names(match: Match, viewer: int | None, zone: str) -> list[str]:
    """Return the names of the cards in a zone that a viewer knows."""
    return [piece.name for piece in pieces(match.view(viewer), zone) if piece.key]


def hand(match: Match, seat: int) -> list[str]:
    """Return the names of the cards that a seat holds."""
    return names(match, seat, f"hand.{seat}")


def dead(match: Match, seat: int) -> list[str]:
    """Return the names of the dead cards of a seat."""
    return names(match, None, f"dead.{seat}")


def ruling(match: Match, viewer: int | None) -> list[str]:
    """Return the modifiers in force, and one that is played openly and waits for the answer."""
    return [name for seat in (ANN, BO) for name in names(match, viewer, f"modifiers.{seat}")]


def count(match: Match, key: str, seat: int | None = None) -> int:
    """Return a public count, such as ``pile``."""
    return match.view().count(key, seat)


def victories(match: Match, seat: int) -> int:
    """Return the rounds that a seat has won."""
    return count(match, "rounds", seat)


def question(match: Match, seat: int) -> Question:
    """Return the question to a seat."""
    asked = match.view(seat).question
    assert asked
    return asked
