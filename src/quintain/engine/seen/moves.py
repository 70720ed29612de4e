"""Moves in words: finds the legal move that a text means, and suggests moves if it means none. `seen` uses it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from quintain.engine.names import plain

NEAREST = 4
"""How many moves a message about a wrong move suggests."""


@dataclass(frozen=True)
class Move:
    """A legal action and its words."""

    action: int
    text: str


def written_as(moves: Sequence[Move], text: str) -> Move | None:
    """Return the move with exactly this text, or else the move whose text differs only in case and spaces."""
    exact = (move for move in moves if move.text == text)
    loose = (move for move in moves if plain(move.text) == plain(text))
    return next(exact, None) or next(loose, None)


def nearest(moves: Sequence[Move], words: str, name: str) -> str:
    """Return a sentence that lists the legal moves of a player whose texts are most like some words."""
    texts = {move.text.casefold(): move.text for move in moves}
    if not texts:
        return f"{name} has no move now"
    near = difflib.get_close_matches(words.casefold(), texts, NEAREST, cutoff=0.4)
    near = near if near and len(texts) > NEAREST else list(texts)[:NEAREST]
    listed = ", ".join(texts[text] for text in near)
    return f"Legal moves: {listed}" if len(texts) == len(near) else f"The nearest of {len(texts)} legal moves: {listed}"
