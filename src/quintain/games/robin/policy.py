"""Robin in the Hood: what playouts do: have sets dealt, and else choose at random."""

from quintain.engine import rng
from quintain.engine.compiled import rule
from quintain.games.robin import state as st
from quintain.games.robin.state import Book, State


@rule
def policy(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """In playouts, have sets dealt, which is as good as choosing them at random; else choose at random. RH-8."""
    if s.phase == st.CHOOSE_SET and s.choosing[seat] == st.ASKED:
        return st.DEAL
    count = 0
    for action in range(st.ACTIONS):
        count += mask[action]
    left = rng.below(words, count)
    for action in range(st.ACTIONS):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return st.NONE
