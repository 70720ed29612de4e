"""Choosing a whole set of cards: what a seat may choose from, and the moves that take the cards of a list.

The rules of a game know single moves. A page lets people choose all cards first, so that nobody sees how far they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quintain.engine.errors import IllegalMove
from quintain.engine.rules.collection import SetChoice, chosen_sets
from quintain.engine.seen.seen import Seen

CHOSEN, REST, KEEP = "chosen", "rest", "keep"
"""How a set comes about: all its cards are chosen; those that are missing are dealt; the last one is kept."""


def set_choice(seen: Seen) -> SetChoice | None:
    """Return what a seat may choose its set from; None if it is not asked for one."""
    sets = chosen_sets(seen.game.collection)
    if sets is None or seen.seat is None or seen.seat not in seen.to_act:
        return None
    return sets.asked(seen.book, seen.state, seen.seat)


def set_moves(seen: Seen, choice: SetChoice, names: Sequence[str], way: str) -> Sequence[str]:
    """Return in words all moves by which a seat gets its set, each in the position that the moves before it lead to.

    Raises BadOption, which names the card and the clause, and IllegalMove.
    """
    sets = chosen_sets(seen.game.collection)
    assert sets is not None and seen.seat is not None
    if way == KEEP:
        return [*_in_words(seen, seen.seat, [choice.keep])]
    return [*_in_words(seen, seen.seat, sets.moves(seen.book, seen.state, seen.seat, names, way == REST))]


def _in_words(seen: Seen, seat: int, moves: Sequence[int]) -> Iterator[str]:
    found, state = seen.game, seen.state.copy()
    for number, action in enumerate(moves, 1):
        if action not in found.legal_actions(seen.book, state, seat):
            reason = seen.why_not(action)
            raise IllegalMove(f"{reason.words} ({reason.clause})" if reason else "that cannot be done now")
        yield str(found.text.name(seen.book, state, seat, action))
        if number < len(moves):
            found.rules.play(seen.book, state, seat, action)
