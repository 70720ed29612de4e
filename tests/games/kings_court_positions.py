"""Helpers for the tests of King's Court: they set up positions in words, and read the table as a player sees it."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from quintain.engine.play.match import Match
from quintain.engine.rules.views import Piece, View, Zone
from quintain.games.kings_court import state as st

ANN, BO = 0, 1
ONLOOKER = None
VIEWERS = (ANN, BO, ONLOOKER)
HOUSES = ("Artois", "Bellerophon", "Castellia", "De Bourgogne", "Ellicta", "Febrois")
COUNTERS = (-2, 0, 1, 2, 3, 5)
REVERSED = (5, 3, 2, 1, 0, -2)
LAST_TURN, CLOSING_PLAY = 32, 33
"""The number of plays before the first player's last turn, and before the play that ends the game."""

Counters = tuple[int, int, int, int, int, int]


def begin(seed: int = 0, garnets: tuple[int, int] = (0, 0)) -> Match:
    return Match.new(
        "kings-court", names=("Ann", "Bo"), options={"garnets": list(garnets)}, seed=seed.to_bytes(32, "big")
    )


def position(
    plays: int = 20,
    ann: str = "",
    bo: str = "",
    deck: str = "",
    gift: str = "",
    influence: Mapping[str, tuple[int, int]] | None = None,
    counters: tuple[Counters, Counters] = (COUNTERS, COUNTERS),
    first: int = ANN,
) -> Match:
    """Return a match after `plays` plays, where a seat is to play a card: the first player if `plays` is even.

    `ann`, `bo` and `deck` name cards, such as "Artois 3, Febrois 8". All other cards fill the hands, the deck and the
    played cards. Cards of the houses named here become played cards first: with 20 plays and one or two houses named,
    nobody holds or draws another card of them. `gift` is the card that the seat to act received last; by default the
    last card of its hand.
    """
    influence = influence or {}
    mover = first ^ (plays & 1)
    piles = {ANN: _cards(ann), BO: _cards(bo), "deck": _cards(deck)}
    lengths = {mover: 9 if plays < CLOSING_PLAY else 8, 1 - mover: 7, "deck": max(32 - plays, 0)}
    named = [card for pile in piles.values() for card in pile]
    houses = {card // 8 for card in named} | {HOUSES.index(house) for house in influence}
    rest = sorted(set(range(48)) - set(named), key=lambda card: (card // 8 in houses, card % 8))
    assert len(named) == len(set(named)), "a card is in two places"
    for place, pile in piles.items():
        missing = lengths[place] - len(pile)
        assert missing >= 0, f"{place} holds {len(pile)} cards, not {lengths[place]}"
        pile.extend(rest[:missing])
        del rest[:missing]
    received = _cards(gift) if gift or not plays else piles[mover][-1:]
    assert set(received) <= set(piles[mover]), "the gift is held by the seat to act"

    lines = {
        "phase": [st.PLAY_CARD],
        "first": [first],
        "turn": [mover],
        **{f"hand[{seat}]": [int(card in piles[seat]) for card in range(48)] for seat in (ANN, BO)},
        "hand_size": [len(piles[seat]) for seat in (ANN, BO)],
        "given": [int(card in received) for card in range(48)],
        "last_gift": received or [st.NONE],
        "deck": piles["deck"] + [st.NONE] * (48 - lengths["deck"]),
        "deck_size": [lengths["deck"]],
        "played": rest + [st.NONE] * (34 - plays),
        "plays_made": [plays],
        **{f"influence[{seat}]": [influence.get(house, (0, 0))[seat] for house in HOUSES] for seat in (ANN, BO)},
        **{f"counter[{seat}]": [COUNTERS.index(counter) for counter in counters[seat]] for seat in (ANN, BO)},
        "counters_put": [6],
    }
    text = "\n".join(f"{field} = {' '.join(map(str, values))}" for field, values in lines.items())
    match = Match.from_position("kings-court", text, names=("Ann", "Bo"), seed=bytes(32))
    assert len(rest) == plays
    assert match.to_act == {mover}
    return match


def _cards(words: str) -> list[int]:
    named = (card.rsplit(" ", 1) for card in words.split(", ") if card)
    return [8 * HOUSES.index(house) + int(rank) - 1 for house, rank in named]


def scored(
    influence: Mapping[str, tuple[int, int]],
    counters: tuple[Counters, Counters] = (COUNTERS, COUNTERS),
    ann: str = "",
    bo: str = "",
) -> Match:
    """Return a finished game with this Influence and these cards in hand; its closing play, a 5, moves nothing."""
    closing = next(f"{house} 5" for house in HOUSES if f"{house} 5" not in f"{ann}, {bo}")
    match = position(CLOSING_PLAY, ann, f"{bo}, {closing}".removeprefix(", "), influence=influence, counters=counters)
    play(match, f"play {closing}")
    if match.to_act:
        play(match, "move nothing")
    assert influences(match) == influence
    return match


def put(match: Match, seat: int, counters: Counters) -> None:
    for house, counter in zip(HOUSES, counters, strict=True):
        match.play(seat, f"put {counter_words(counter)} on {house}")


def counter_words(counter: int) -> str:
    return f"{counter:+d}" if counter else "0"


def play(match: Match, *moves: str) -> None:
    """Play moves, each for the only seat that is to act."""
    for move in moves:
        (seat,) = match.to_act
        match.play(seat, move)


def menu(match: Match) -> list[str]:
    """Return the legal moves of the only seat that is to act."""
    (seat,) = match.to_act
    return [move.text for move in match.moves(seat)]


def random_moves(match: Match, seed: int) -> Iterator[tuple[int, str]]:
    """Play random moves to the end of the match, and yield each after it is played."""
    choose = random.Random(seed)
    while match.to_act:
        seat = choose.choice(sorted(match.to_act))
        move = choose.choice(match.moves(seat))
        match.play(seat, move.text)
        yield seat, move.text


def drawn(match: Match, seat: int) -> str:
    """Return the card that a seat drew last, as its own log says."""
    lines = [line for line in match.log(seat) if line.startswith("You draw ")]
    return lines[-1].removeprefix("You draw ").removesuffix(".")


def size(match: Match, zone: str, viewer: int | None = ONLOOKER) -> int:
    return _zone(match.view(viewer), zone).size


def sizes(match: Match, viewer: int | None = ONLOOKER) -> tuple[int, int, int]:
    """Return the sizes of Ann's hand, Bo's hand and the deck."""
    return size(match, "hand.0", viewer), size(match, "hand.1", viewer), size(match, "deck", viewer)


def cards(match: Match, zone: str, viewer: int | None = ONLOOKER) -> list[str]:
    """Return the names of the cards that lie face up for a viewer."""
    return [piece.name for piece in _zone(match.view(viewer), zone).pieces if not piece.is_down]


def hand(match: Match, owner: int, viewer: int | None) -> list[str]:
    return cards(match, f"hand.{owner}", viewer)


def played(match: Match, viewer: int | None = ONLOOKER) -> list[tuple[str, int | None]]:
    """Return the cards played, in order, each with the seat that played it."""
    return [(piece.name, piece.seat) for piece in _zone(match.view(viewer), "played").pieces]


def supply(match: Match, seat: int) -> list[int | None]:
    """Return the counters that a seat has yet to put."""
    return [number(piece) for piece in _zone(match.view(seat), "supply").pieces]


def _zone(view: View, zone: str) -> Zone:
    (found,) = (shown for shown in view.zones if shown.id == zone)
    return found


def pieces(match: Match, viewer: int | None) -> dict[str, Piece]:
    """Return all pieces that a viewer sees by their ids, such as ``counter.1.2`` for Bo's counter in Castellia."""
    return {piece.id: piece for piece in match.view(viewer).pieces()}


def piece(match: Match, viewer: int | None, place: str) -> Piece:
    return pieces(match, viewer)[place]


def number(piece: Piece) -> int | None:
    """Return the number that a piece shows, None if it shows none."""
    return piece.stats[0].number if piece.stats else None


def influences(match: Match, viewer: int | None = ONLOOKER) -> dict[str, tuple[int, int]]:
    """Return Ann's and Bo's Influence in every house that has some."""
    shown = pieces(match, viewer)
    values = {
        name: (number(shown[f"influence.0.{house}"]) or 0, number(shown[f"influence.1.{house}"]) or 0)
        for house, name in enumerate(HOUSES)
    }
    return {name: both for name, both in values.items() if both != (0, 0)}


def counters(match: Match, owner: int, viewer: int | None) -> tuple[int | None, ...]:
    """Return the owner's counters as a viewer sees them, house by house; None for a hidden one."""
    shown = pieces(match, viewer)
    return tuple(number(shown[f"counter.{owner}.{house}"]) for house in range(6))


def bonuses(match: Match, viewer: int | None = ONLOOKER) -> tuple[int | None, ...]:
    """Return the majority bonuses as a viewer sees them, house by house; None for an unknown one."""
    shown = pieces(match, viewer)
    majorities = [shown[f"majority.{house}"] for house in range(6)]
    return tuple(None if "half" in majority.state else number(majority) for majority in majorities)


def binding(match: Match, viewer: int | None = ONLOOKER) -> dict[str, set[str]]:
    """Return the houses that bind a gift, each with its state, such as ``bound.1`` if it binds Bo's gift."""
    shown = pieces(match, viewer)
    states = {name: set(shown[f"house.{house}"].state) for house, name in enumerate(HOUSES)}
    return {name: found for name, found in states.items() if found}


def scores(match: Match, viewer: int | None) -> list[tuple[int, bool]]:
    """Return Ann's and Bo's scores as they stand for a viewer, each with whether it is certain."""
    return [(score.number, score.certain) for score in match.view(viewer).scores]


def score(match: Match, house: str) -> tuple[int, ...]:
    """Return what Ann and Bo scored for a house, as the account says."""
    (line,) = (line for line in match.account() if line.words.startswith(f"{house}:"))
    return line.by_seat


def tie_breaks(match: Match) -> list[tuple[str, tuple[int, ...]]]:
    """Return the comparisons that followed equal totals, as the account says."""
    return [(line.words, line.by_seat) for line in match.account() if line.words.startswith("Tied")]


def all_shown(match: Match, viewer: int | None) -> tuple[Any, ...]:
    """Return everything that a match shows a viewer."""
    shown = (match.view(viewer), match.log(viewer), match.account(viewer), match.blinded(viewer), match.to_act)
    if viewer is ONLOOKER:
        return shown
    reasons = [match.why_not(viewer, action) for action in range(st.ACTIONS)]
    return (*shown, reasons, match.moves(viewer), match.can_undo(viewer), match.decision(viewer))


def redealt(match: Match, viewer: int | None, seed: int) -> Any:
    """Return a random state that fits what a viewer knows, as a bot in the viewer's place would imagine it."""
    imagined = match.blinded(viewer)
    match.game.rules.redeal(match.book, imagined, seed)
    return imagined
