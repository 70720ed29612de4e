"""A check of the pictures in a rulebook: they show pieces that the game has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quintain.conformance.cases import Case, Failed
from quintain.conformance.checks import check_game
from quintain.engine.errors import BadGame
from quintain.engine.rules.views import Piece
from quintain.server.pages.cards.listed import listed_cards
from quintain.server.pages.heraldry import parts
from quintain.server.pages.rule_pictures import SEAL, pictures, where

GAMES, POSITIONS = 4, 24
"""How many random games of each case the check looks at for a piece, and about how many positions of each."""


@check_game
def the_rulebook_draws_pieces_of_the_game(cases: Sequence[Case]) -> None:
    """Every piece in a picture of the rulebook is a card of the collection, or lies on the table of some game."""
    game = cases[0].game
    try:
        drawn = _drawn(cases[0])
    except BadGame as error:
        raise Failed(str(error)) from None
    for card in listed_cards(game):
        drawn.pop(card.key, None)
    for case in cases:
        for seed in range(GAMES) if drawn else ():
            for key in _keys(case, seed):
                drawn.pop(key, None)
    if drawn:
        key, line = min(drawn.items(), key=lambda item: item[1])
        raise Failed(f"{where(game, line)}: no view of some random games shows the piece {key!r}; write the key of one")


def _drawn(case: Case) -> dict[str, int]:
    """Return the key of every piece in a picture, with the line of the picture; of a seal only the kind."""
    found: dict[str, int] = {}
    for picture in pictures(case.game):
        for row in picture.rows:
            for piece in row.pieces:
                if piece.key:
                    found[parts(piece.key)[0] if SEAL in piece.state else piece.key] = picture.line
    return found


def _keys(case: Case, seed: int) -> Iterator[str]:
    """Yield the keys of all pieces that seats see in one random game."""
    for book, s in case.sample(seed, POSITIONS):
        for viewer in range(case.seats):
            view = case.game.text.view(book, case.game.blinded(book, s, viewer), viewer)
            for zone in view.zones:
                for piece in zone.pieces:
                    yield from _keys_on(piece)


def _keys_on(piece: Piece) -> Iterator[str]:
    if piece.key:
        yield piece.key
    for lying in piece.on_it:
        yield from _keys_on(lying)
