"""Heirless battles: the targets of the Bandits. No player moves them, so the rules choose.

`battle.py` asks for one target after the other when the Bandits have their turn.
"""

from quintain.engine import rule
from quintain.games.heirless import state as st
from quintain.games.heirless.state import State
from quintain.games.heirless.wounds import standing, stands


@rule
def bandit_target(s: State) -> int:
    """Return the Knight that the next Bandit strikes, numbered as by the action TARGET. HB-15."""
    joined = joined_target(s)
    return joined if joined != st.NONE else most_wounded(s, has_fresh_knight(s))


@rule
def joined_target(s: State) -> int:
    """Return the Knight that exactly one Bandit strikes in this turn, or NONE. HB-15."""
    for i in range(s.sides):
        side = s.lineup[i]
        for knight in range(s.force[side]):
            if s.aim[side][knight] == 1:
                return side * st.MOST_KNIGHTS + knight
    return st.NONE


@rule
def has_fresh_knight(s: State) -> bool:
    """Return whether a Knight stands that no Bandit strikes yet in this turn. HB-15."""
    for i in range(s.sides):
        side = s.lineup[i]
        if side != st.BANDITS:
            for knight in range(s.force[side]):
                if s.aim[side][knight] == 0 and stands(s, side, knight):
                    return True
    return False


@rule
def most_wounded(s: State, fresh: bool) -> int:
    """Return the standing Knight with the most Wounds; if `fresh`, only among those not yet attacked. HB-15.

    Ties go to the player with the fewest standing Knights, then to the last in player order, then to the first Knight.
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
    """Return whether a Bandit prefers a Knight to `best`, which comes before it in player order. HB-15."""
    side = target // st.MOST_KNIGHTS
    other = best // st.MOST_KNIGHTS
    wounds = s.wounds[side][target % st.MOST_KNIGHTS]
    wounds_there = s.wounds[other][best % st.MOST_KNIGHTS]
    if wounds != wounds_there or side == other:
        return wounds > wounds_there
    return standing(s, side) <= standing(s, other)
