"""Heirless battles: the Wounds that a blow deals, the Knights that still stand, and the points for their Health.

What holds here for a Knight holds for a Bandit too. `battle.py` uses these functions, and `account.py` explains them
step by step to the players.
"""

from quintain.engine import rule
from quintain.games.heirless import state as st
from quintain.games.heirless.state import State


@rule
def stands(s: State, side: int, knight: int) -> bool:
    """Return whether a Knight of a side stands: it has fewer Wounds than Health. HB-10."""
    return s.wounds[side][knight] < s.value[side][st.HEALTH]


@rule
def standing(s: State, side: int) -> int:
    """Return how many Knights of a side stand. HB-10."""
    count = 0
    for knight in range(s.force[side]):
        count += 1 if stands(s, side, knight) else 0
    return count


@rule
def wound(s: State, side: int, knight: int, number: int) -> None:
    """Put Wounds on a Knight, up to its Health; surplus Wounds are lost. HB-10, HB-14."""
    s.wounds[side][knight] = min(s.wounds[side][knight] + number, s.value[side][st.HEALTH])


@rule
def is_dodged(s: State, attacker: int, defender: int) -> bool:
    """Return whether a dodge halves the Damage; player order settles equal Dodge and Precision. HB-14."""
    dodge = s.value[defender][st.DODGE]
    precision = s.value[attacker][st.PRECISION]
    return dodge > precision or (dodge == precision and s.place[defender] < s.place[attacker])


@rule
def is_too_slow(s: State, attacker: int, defender: int) -> bool:
    """Return whether the Defender's Delay is at least twice the Attacker's. HB-14."""
    return s.value[defender][st.DELAY] >= 2 * s.value[attacker][st.DELAY]


@rule
def damage_after_dodge(s: State, attacker: int, defender: int) -> int:
    """Return the Attacker's Damage, halved and rounded up if the Defender dodges. HB-14."""
    damage = s.value[attacker][st.DAMAGE]
    return (damage + 1) // 2 if is_dodged(s, attacker, defender) else damage


@rule
def damage_after_defense(s: State, attacker: int, defender: int) -> int:
    """Return the Wounds that each Knight deals, once dodge and Defense are taken into account. HB-14."""
    return max(damage_after_dodge(s, attacker, defender) - s.value[defender][st.DEFENSE], 0)


@rule
def wounds_dealt(s: State, attacker: int, defender: int, number: int) -> int:
    """Return the Wounds that a number of Knights together deal to one target. HB-14."""
    dealt = damage_after_defense(s, attacker, defender) * number
    return 2 * dealt if is_too_slow(s, attacker, defender) else dealt


@rule
def points_of_knight(s: State, side: int, knight: int) -> int:
    """Return the points of a Knight: the quarters of its Health that are left, rounded down. HB-10, HB-16."""
    health = s.value[side][st.HEALTH]
    return st.QUARTERS * (health - s.wounds[side][knight]) // health


@rule
def points_of_side(s: State, side: int) -> int:
    """Return the points of a side's own Knights. HB-16."""
    points = 0
    for knight in range(s.force[side]):
        points += points_of_knight(s, side, knight)
    return points


@rule
def are_allies(s: State, side: int, other: int) -> bool:
    """Return whether two sides are allies. HB-11."""
    return s.ally[side] != st.NONE and s.ally[side] == other
