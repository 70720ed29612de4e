"""Moves in words: what a text means among the legal ones, and which it may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from quintain.engine.names import plain

NEAREST = 4
"""Moves that a message about a wrong one lists."""


@dataclass(frozen=True)
class Move:
    """A legal action and its words."""

    action: int
    text: str


def written_as(moves: Sequence[Move], text: str) -> Move | None:
    """Return the move that is written like a text, letter by letter if there is one, else but for case and blanks."""
    exact = (move for move in moves if move.text == text)
    loose = (move for move in moves if plain(move.text) == plain(text))
    return next(exact, None) or next(loose, None)


def nearest(moves: Sequence[Move], words: str, name: str) -> str:
    """Say which legal moves of a player are written most like some words."""
    texts = {move.text.casefold(): move.text for move in moves}
    if not texts:
        return f"{name} has no move now"
    near = difflib.get_close_matches(words.casefold(), texts, NEAREST, cutoff=0.4)
    near = near if near and len(texts) > NEAREST else list(texts)[:NEAREST]
    listed = ", ".join(texts[text] for text in near)
    return f"Legal are: {listed}" if len(texts) == len(near) else f"Legal are, among {len(texts)}: {listed}"
