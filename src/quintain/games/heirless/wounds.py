"""Heirless battles: what Knights suffer, and what is left of them."""

from quintain.engine.compiled import rule
from quintain.games.heirless import state as st
from quintain.games.heirless.state import State


@rule
def stands(s: State, side: int, knight: int) -> bool:
    """Tell whether a Knight of the battle is not struck down. HB-10."""
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
    """Put Wounds on a Knight; surplus ones are lost. HB-10, HB-14."""
    s.wounds[side][knight] = min(s.wounds[side][knight] + number, s.value[side][st.HEALTH])


@rule
def is_dodged(s: State, attacker: int, defender: int) -> bool:
    """Tell whether Wounds are halved; if Dodge and Precision are equal, for who is ahead in player order. HB-14."""
    dodge = s.value[defender][st.DODGE]
    precision = s.value[attacker][st.PRECISION]
    return dodge > precision or (dodge == precision and s.place[defender] < s.place[attacker])


@rule
def is_too_slow(s: State, attacker: int, defender: int) -> bool:
    """Tell whether the Defender's Delay is at least twice the Attacker's. HB-14."""
    return s.value[defender][st.DELAY] >= 2 * s.value[attacker][st.DELAY]


@rule
def after_dodge(s: State, attacker: int, defender: int) -> int:
    """Return what is left of the Damage, which a dodge halves, rounded up. HB-14."""
    damage = s.value[attacker][st.DAMAGE]
    return (damage + 1) // 2 if is_dodged(s, attacker, defender) else damage


@rule
def after_defense(s: State, attacker: int, defender: int) -> int:
    """Return what is left of that after the Defender's Defense: what each Knight deals. HB-14."""
    return max(after_dodge(s, attacker, defender) - s.value[defender][st.DEFENSE], 0)


@rule
def wounds_dealt(s: State, attacker: int, defender: int, number: int) -> int:
    """Return the Wounds that a number of Knights deal to one target. HB-14."""
    dealt = after_defense(s, attacker, defender) * number
    return 2 * dealt if is_too_slow(s, attacker, defender) else dealt


@rule
def points_of_knight(s: State, side: int, knight: int) -> int:
    """Return the quarters of its Health that a Knight has left, rounded down. HB-10, HB-16."""
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
def blow_of(attacker: int, defender: int, knight: int, number: int) -> int:
    """Return as one number who strikes which Knight with how many of their own. HB-14."""
    return ((attacker * st.SIDES + defender) * st.MOST_KNIGHTS + knight) * (st.MOST_KNIGHTS + 1) + number


@rule
def parts_of_blow(blow: int) -> tuple[int, int, int, int]:
    """Return what `blow_of` was given. HB-14."""
    number = blow % (st.MOST_KNIGHTS + 1)
    target = blow // (st.MOST_KNIGHTS + 1)
    sides = target // st.MOST_KNIGHTS
    return sides // st.SIDES, sides % st.SIDES, target % st.MOST_KNIGHTS, number


@rule
def are_allies(s: State, side: int, other: int) -> bool:
    """HB-11."""
    return s.ally[side] != st.NONE and s.ally[side] == other
