"""Robin in the Hood for tests: positions are set up here, and read here as a player sees them."""

from dataclasses import dataclass
from typing import Any

from quintain.engine.match import Match
from quintain.engine.views import Piece, View
from quintain.games.robin import state as st
from quintain.games.robin.words import card_name

ANN, BO = 0, 1
NAMES = ("Ann", "Bo")
EMPTY = "-"


def begin(seed: int = 0, **options: Any) -> Match:
    """Begin a tournament; options are named as on the command line, with _ for -."""
    read = {name.replace("_", "-"): value for name, value in options.items()}
    return Match.new("robin", names=NAMES, options=read, seed=seed.to_bytes(32, "big"))


def fighting(seed: int = 0, **options: Any) -> Match:
    """Begin a tournament whose first active sets have been dealt, after antes if there are any."""
    match = begin(seed, **options)
    while match._state.phase != st.FIGHT:
        seat = min(match.to_act)
        match.play(seat, next(text for text in menu(match, seat) if text.startswith(("stake", "deal"))))
    return match


@dataclass(frozen=True)
class Side:
    """What a seat has: names with commas between; `stages` are four, with - for an empty one."""

    stages: str = "-, -, -, -"
    hand: str = ""
    lasting: str = ""
    pile: int | None = None
    """How many cards are left on the draw pile, if not all that the set has."""


def number(match: Match, name: str) -> int:
    """Return the card of a name."""
    return next(card for card in range(match.book.cards) if card_name(match.book, card) == name)


def split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def position(
    ann: Side, bo: Side, leader: int | None = None, victories: tuple[int, int] = (0, 0), drawn: int = 0, **options: Any
) -> Match:
    """Set up a hand that is about to begin. Each set is filled up with cards that are not named, in their order."""
    match = fighting(**options)
    s: Any = match._state.copy()
    for seat, side in enumerate((ann, bo)):
        _set_up(match, s, seat, side)
    s.leader = st.NONE if leader is None else leader
    s.victories, s.drawn = list(victories), drawn
    match._state = s
    match._ask(None)
    check_state(match.book, s)
    return match


def _set_up(match: Match, s: Any, seat: int, side: Side) -> None:
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
    if side.pile is not None:
        fill = fill[: side.pile]
    s.stage[seat], s.lasting[seat] = stages, lasting[0] - book.characters if lasting else st.NONE
    s.hand[seat], s.hand_size[seat] = hand, len(hand)
    s.pile[seat] = fill + [st.NONE] * (st.MOST_IN_SET - len(fill))
    s.pile_size[seat] = len(fill)
    s.shown[seat] = [int(card in stages or card in lasting) for card in range(st.CARDS)]


def check_state(book: Any, s: Any) -> None:
    """See that every card is in one place, and that all counts are right."""
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
    """Play a hand: a card of each, in whatever order they are asked."""
    cards = {ANN: ann, BO: bo}
    while cards:
        seat = min(match.to_act & cards.keys())
        match.play(seat, f"play {cards.pop(seat)}")
        check_state(match.book, match._state)
    return match


def menu(match: Match, seat: int) -> list[str]:
    return [move.text for move in match.moves(seat)]


def pieces(view: View, zone: str) -> tuple[Piece, ...]:
    return next((found.pieces for found in view.zones if found.id == zone), ())


def stood(match: Match, seat: int) -> str:
    """Return who stands on the four stages, as onlookers see it."""
    found = {lying.id: lying for piece in pieces(match.view(None), "stages") for lying in piece.attached}
    shown = [found[f"character.{seat}.{stage}"] for stage in range(st.STAGES)]
    return ", ".join(piece.words.partition(":")[0] if piece.face else EMPTY for piece in shown)


def finals(match: Match) -> dict[tuple[int, int], int]:
    """Return the final levels of the last comparison, by seat and stage, as onlookers see them."""
    attached = [lying for piece in pieces(match.view(None), "compared") for lying in piece.attached if lying.face]
    return {
        (int(seat), int(stage)): int(piece.words.partition(",")[0].split()[-1])
        for piece in attached
        for kind, seat, stage in [piece.id.split(".")[:3]]
        if kind == "final"
    }


def names(match: Match, viewer: int | None, zone: str) -> list[str]:
    """Return the names of the cards of a zone that a viewer knows."""
    return [piece.words.partition(":")[0] for piece in pieces(match.view(viewer), zone) if piece.face]


def hand(match: Match, seat: int) -> list[str]:
    return names(match, seat, f"hand.{seat}")


def dead(match: Match, seat: int) -> list[str]:
    return names(match, None, f"dead.{seat}")


def ruling(match: Match, viewer: int | None) -> list[str]:
    """Return the modifiers that are in force, or lie open to be."""
    return [name for seat in (ANN, BO) for name in names(match, viewer, f"modifiers.{seat}")]


def count(match: Match, name: str) -> int:
    return match.view(None).counts[name]


def round_number(match: Match) -> int:
    """Return the number of the round that is going on or begins, which is told when it has begun."""
    told = [
        line
        for line in match.log()
        if line.startswith(("Round ", "The round is drawn", "Ann has all four", "Bo has all four"))
    ]
    return 1 + sum(not line.startswith("Round ") for line in told)
