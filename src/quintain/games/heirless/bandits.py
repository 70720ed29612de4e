"""Heirless battles: whom the Bandits strike. They have no seat: the rules play them."""

from quintain.engine.compiled import rule
from quintain.games.heirless import state as st
from quintain.games.heirless.state import State
from quintain.games.heirless.wounds import standing, stands


@rule
def bandit_target(s: State) -> int:
    """Return the Knight that the next Bandit strikes, as the action TARGET counts them. HB-15."""
    joined = joined_target(s)
    return joined if joined != st.NONE else worst_wounded(s, some_fresh(s))


@rule
def joined_target(s: State) -> int:
    """Return the standing Knight that exactly one Bandit strikes in this turn; NONE if there is none. HB-15."""
    for i in range(s.sides):
        side = s.lineup[i]
        for knight in range(s.force[side]):
            if s.aim[side][knight] == 1:
                return side * st.MOST_KNIGHTS + knight
    return st.NONE


@rule
def some_fresh(s: State) -> bool:
    """Tell whether a standing Knight is not yet attacked in this turn. HB-15."""
    for i in range(s.sides):
        side = s.lineup[i]
        if side != st.BANDITS:
            for knight in range(s.force[side]):
                if s.aim[side][knight] == 0 and stands(s, side, knight):
                    return True
    return False


@rule
def worst_wounded(s: State, fresh: bool) -> int:
    """Return the standing Knight with the most Wounds, of those not yet attacked if there are `fresh` ones. HB-15.

    Of equal ones it is the first of the player with the fewest standing Knights, of such players the last in order.
    """
    best = st.NONE
    for i in range(s.sides):
        side = s.lineup[i]
        if side != st.BANDITS:
            for knight in range(s.force[side]):
                if stands(s, side, knight) and (s.aim[side][knight] == 0 or not fresh):
                    target = side * st.MOST_KNIGHTS + knight
                    if best == st.NONE or is_preferred(s, target, best):
                        best = target
    return best


@rule
def is_preferred(s: State, target: int, best: int) -> bool:
    """Tell whether a Knight is struck rather than one that comes before it in player order. HB-15."""
    side = target // st.MOST_KNIGHTS
    other = best // st.MOST_KNIGHTS
    wounds = s.wounds[side][target % st.MOST_KNIGHTS]
    wounds_there = s.wounds[other][best % st.MOST_KNIGHTS]
    if wounds != wounds_there or side == other:
        return wounds > wounds_there
    return standing(s, side) <= standing(s, other)
