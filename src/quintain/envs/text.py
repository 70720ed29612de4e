"""What a viewer sees of a game, as a few lines of text: what the method `render` of environments returns."""

from __future__ import annotations

from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.state import GameState, Record
from quintain.engine.rules.views import Piece
from quintain.engine.seen.seen import Seen

HIDDEN = "?"


def seen_by(game: Game, book: Record, s: GameState, seat: int) -> Seen:
    """Return what a seat (-1: a spectator) sees of a true state."""
    blinded = game.blinded(book, s, seat)
    if seat == SPECTATOR:
        return Seen(game, book, blinded, None, (), tuple(seats_in(game.rules.to_act(book, blinded))))
    return Seen.of(game, book, blinded, seat)


def in_lines(seen: Seen) -> str:
    """Return the table as lines: the phase and who acts, a line for each zone, and the scores."""
    view = seen.view
    acting = " and ".join(f"seat {seat}" for seat in view.to_act)
    lines = [f"{view.phase.words}, {acting} to act" if acting else view.phase.words]
    for zone in view.zones:
        pieces = [_named(piece) for piece in zone.pieces if not piece.is_free]
        lines.append(f"{zone.words} ({zone.size}): {', '.join(pieces)}".rstrip(": "))
    lines += [f"seat {each.seat}: {each.number}{'' if each.certain else HIDDEN} {each.unit}" for each in view.scores]
    return "\n".join(lines) + "\n"


def _named(piece: Piece) -> str:
    return HIDDEN if piece.is_down else piece.name or piece.short or piece.id
