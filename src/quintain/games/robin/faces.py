"""Robin in the Hood: cards as pieces of a view, with their levels, and with texts that speak to the viewer."""

import re
from functools import lru_cache

from quintain.engine import Piece, Stat
from quintain.games.robin import state as st
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import (
    OWNER,
    STAGES,
    Voice,
    card_name,
    card_short,
    groups,
    printed_modifier,
    printed_skill,
)

PIECES_KEPT = 8192
STAGE_KEYS = tuple(stage.lower() for stage in STAGES)


@lru_cache(1024)
def card_key(called: str) -> str:
    """Return the key of a card's picture: its name in small letters, with underscores.

    >>> card_key("Much the Miller's Son")
    'much_the_miller_s_son'
    """
    return re.sub(r"\W+", "_", called.casefold())


def level_stat(stage: int, level: int, printed: int | None = None) -> Stat:
    """Return the level on a stage, and the printed level if it differs."""
    return Stat(STAGE_KEYS[stage], level, None if printed == level else printed, STAGES[stage])


def kind_of(book: Book, card: int) -> str:
    """Return the kind of a card: the caste and politics of a character, or how long a modifier works. RH-1, RH-3."""
    if card < book.characters:
        return groups(book.character[card])
    return "Modifier, lasting" if book.modifier[card - book.characters].lasts else "Modifier, one hand"


def text_of(book: Book, card: int, voice: Voice = OWNER) -> str:
    """Return the text of a card: as it is printed, or as somebody else than its owner reads it. RH-19, RH-20."""
    if card >= book.characters:
        modifier = book.modifier[card - book.characters]
        return modifier.text if voice is OWNER else printed_modifier(modifier, voice)
    character = book.character[card]
    if voice is OWNER:
        return character.text
    return printed_skill(character.skill, [one.name for one in book.character[: book.characters]], voice)


def fighting_stats(book: Book, now: State, owner: int, stage: int, level: int) -> tuple[Stat, ...]:
    """Return the levels of a character that stands on a stage: there the one that counts now, elsewhere as printed."""
    printed = book.character[now.fought[owner][stage]].level
    return tuple(
        level_stat(at, level if at == stage else printed[at], printed[at] if at == stage else None)
        for at in range(st.STAGES)
    )


def card_piece(book: Book, place: str, card: int, owner: int, action: int = st.NONE, voice: Voice = OWNER) -> Piece:
    """Show a card face up with its levels and its text; `action` is what touching it means."""
    levels = tuple(book.character[card].level) if card < book.characters else ()
    called, short = card_name(book, card), card_short(book, card)
    return _face(place, called, short, kind_of(book, card), text_of(book, card, voice), levels, owner, action)


@lru_cache(PIECES_KEPT)
def _face(
    place: str, called: str, short: str, kind: str, text: str, levels: tuple[int, ...], owner: int, action: int
) -> Piece:
    stats = tuple(level_stat(stage, level) for stage, level in enumerate(levels))
    means = () if action == st.NONE else (action,)
    return Piece(
        place, card_key(called), called, short, kind=kind, stats=stats, text=text, seat=owner, means=means
    )  # fmt: skip
