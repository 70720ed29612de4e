"""The acts of a view: what the pieces of a game's view mean now, with the legal actions in words.

A game's `view` says which actions a touch of a piece can mean, legal or not. `completed` keeps the legal ones, and adds
who may act. `seen` calls it for each viewer. `without` takes some of them away again.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Mapping

from msgspec.structs import replace

from quintain.engine.names import capital
from quintain.engine.rules.views import Act, Label, Piece, Reach, View, known_to

TAKEN_AWAY = Label("taken_away", "taken away")
"""The state of pieces that have lost all their acts by `without`."""


def completed(
    view: View,
    legal: Mapping[int, str],
    to_act: tuple[int, ...],
    done: tuple[int, ...] = (),
    undoable: Collection[int] = (),
) -> View:
    """Return a game's view with the fields that the engine fills: see `View`, and `Piece` for `acts`.

    `legal` maps the viewer's legal actions to their words, `undoable` are those that can be taken back.
    """
    placed: set[int] = set()
    names = {piece.id: piece.name for piece in view.pieces()} if legal else {}

    def act(piece: str, action: int, reach: Reach | None = None) -> Act:
        words, target, then = legal[action], reach and reach.piece, reach and reach.then
        short = shortened(words, piece)
        if reach:
            short = labelled(short, reach, names.get(reach.piece, ""))
        return Act(action, words, short, target, action in undoable, action in view.last, then=then)

    def filled(piece: Piece) -> Piece:
        if not (piece.means or piece.reaches or piece.on_it or piece.acts):
            return piece
        acts = [act(piece.name, action) for action in piece.means if action in legal]
        acts += [act(piece.name, reach.action, reach) for reach in piece.reaches if reach.action in legal]
        placed.update([each.action for each in acts])
        on_it = tuple([filled(lying) for lying in piece.on_it])
        if not (piece.means or piece.reaches or piece.acts) and all(map(operator.is_, on_it, piece.on_it)):
            return piece
        means, reaches = (piece.means, piece.reaches) if legal else ((), ())
        return replace(piece, means=means, reaches=reaches, acts=tuple(acts), on_it=on_it)

    zones = tuple([replace(zone, pieces=tuple(map(filled, zone.pieces))) for zone in view.zones])
    free = sorted((act("", action) for action in legal if action not in placed), key=lambda each: each.final)
    knowing = sorted({seat for piece in view.pieces() for seat in piece.known_to})
    legend = (*view.legend, *(Label(known_to(seat), f"seat {seat} knows it") for seat in knowing))
    question = view.question if legal else None
    return replace(view, zones=zones, question=question, acts=tuple(free), to_act=to_act, done=done, legend=legend)


def labelled(short: str, reach: Reach, other: str) -> str:
    """Return what the button of a reach says: its label, or the words of its action, with the name of the other piece
    if that answers a second question.

    >>> labelled("Lay", Reach(1, "place.2", 7), "Place 2"), labelled("Send Ector", Reach(1, "unit.0", 7), "Ector")
    ('Lay Place 2', 'Send Ector')
    >>> labelled("Send", Reach(1, "region.0", 7, label="Send to Camelot"), "Camelot")
    'Send to Camelot'
    """
    if reach.label:
        return reach.label
    return short if reach.then is None or other in short else f"{short} {other}"


def shortened(words: str, piece: str) -> str:
    """Return the words of an action for its button, without the name of its piece.

    >>> shortened("play Artois 5", "Artois 5"), shortened("lay the Ace of Cups at 3.2", "Ace of Cups")
    ('Play', 'Lay at 3.2')
    >>> shortened("attack the Bandits at the Fox Camp with Knight 3", "Knight 3")
    'Attack the Bandits at the Fox Camp'
    >>> shortened("Knight 1 strikes seat 1's Knight 1", "Knight 1")
    "Strikes seat 1's Knight 1"
    """
    rest = re.sub(rf"(\b(the|a|an) )?\b{re.escape(piece)}(?!\w)", "", words, count=1) if piece else words
    left = re.sub(r"( (with|of|on|to|at|by|from|for|and|as|in))+$", "", " ".join(rest.split()).strip(" ,:")) or words
    return capital(left)


def without(view: View, gone: Collection[int]) -> View:
    """Return a view without some of its acts; a piece that has no other is TAKEN_AWAY, and a touch means nothing."""

    def left(acts: tuple[Act, ...]) -> tuple[Act, ...]:
        return tuple([act for act in acts if act.action not in gone])

    def thinned(piece: Piece) -> Piece:
        acts, on_it = left(piece.acts), tuple(map(thinned, piece.on_it))
        if acts == piece.acts:
            return replace(piece, on_it=on_it) if on_it != piece.on_it else piece
        if acts:
            return replace(piece, acts=acts, on_it=on_it)
        state = piece.state | {TAKEN_AWAY.key}
        return replace(piece, acts=(), means=(), reaches=(), state=state, on_it=on_it)

    zones = tuple([replace(zone, pieces=tuple(map(thinned, zone.pieces))) for zone in view.zones])
    return replace(view, zones=zones, acts=left(view.acts), legend=(*view.legend, TAKEN_AWAY)) if gone else view
