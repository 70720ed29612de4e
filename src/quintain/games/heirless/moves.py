"""Heirless battles: gives each action its name, and reads a move that a player has typed."""

import re
from functools import lru_cache

from quintain.games.heirless import state as st
from quintain.games.heirless.battle import has_twin_before, may_strike, nth_standing
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import TRACK_NAMES, knight_name, side_name, tile_name
from quintain.games.heirless.wounds import stands

WORDS = {st.PROPOSE_NOTHING: "propose nothing", st.ACCEPT: "accept", st.DECLINE: "decline", st.HOLD_BACK: "hold back"}


@lru_cache(64)
def _fixed_names(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all actions, in the order of their numbers; a strike does not name its Knight.

    The numbers beyond the last card get names with a full stop, which no card can have.
    """
    spare = [f"card no. {number + 1}" for number in range(len(cards), st.MOST_CARDS)]
    return (
        *(f"send a Knight to {tile_name(tile)}" for tile in range(st.TILES)),
        *(f"fight at {tile_name(tile)}" for tile in range(st.TILES)),
        *(f"attack with {card}" for card in (*cards, *spare)),
        *(f"defend with {card}" for card in (*cards, *spare)),
        *(f"propose an alliance to {side_name(side)}" for side in range(st.SIDES)),
        *WORDS.values(),
        *(f"strike {knight_name(side, knight)}" for side in range(st.SIDES) for knight in range(st.MOST_KNIGHTS)),
        *(f"raise {track}" for track in TRACK_NAMES),
    )


@lru_cache(64)
def _actions_by_name(cards: tuple[str, ...]) -> dict[str, int]:
    return {name.casefold(): action for action, name in enumerate(_fixed_names(cards))}


def _cards(book: Book) -> tuple[str, ...]:
    return tuple(book.card_name[st.PLAYERS_SET][: book.cards[st.PLAYERS_SET]])


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return an action in words, such as ``attack with Feint``; a legal strike names the Knight that strikes."""
    fixed = _fixed_names(_cards(book))[action]
    if st.TARGET <= action < st.RAISE and s.phase == st.STRIKE and seat == s.actor:
        side, knight = divmod(action - st.TARGET, st.MOST_KNIGHTS)
        there = may_strike(s, seat, side) and knight < s.force[side]
        if there and stands(s, side, knight) and not has_twin_before(s, side, knight):
            return f"Knight {nth_standing(s, seat, s.sent) + 1} {fixed.replace('strike', 'strikes', 1)}"
    return fixed


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action that a text names, legal now or not; None if it names none.

    Your Knights strike in their order, so the number of the Knight that strikes is ignored.
    """
    words = re.sub(r"^knight \d+ strikes ", "strike ", " ".join(text.split()).casefold())
    return _actions_by_name(_cards(book)).get(words)
