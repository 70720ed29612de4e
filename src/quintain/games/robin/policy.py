"""Robin in the Hood: how the random games of the search, called playouts, choose their moves."""

from quintain.engine import rng, rule
from quintain.games.robin import state as st
from quintain.games.robin.state import Book, State


@rule
def policy(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Have a set or its rest dealt, which is as good as choosing cards at random; else return a random action. RH-8."""
    if s.phase == st.CHOOSE_SET:
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
