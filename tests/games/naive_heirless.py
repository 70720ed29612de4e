"""Heirless battles: a second, slow implementation of the battle rules, which the tests compare with the real one.

It follows the rulebook word by word, with names in place of numbers and with fractions in place of whole numbers.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import quintain

TABLES = tomllib.loads(
    (Path(quintain.__file__).parent / "games" / "heirless" / "tables.toml").read_text(encoding="utf-8")
)
ON_ATTACK, ON_DEFENCE = ("Damage", "Precision", "Delay"), ("Dodge", "Defense", "Wound")


def card(part: str, name: str) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return what a card changes when it attacks, and when it defends."""
    (found,) = (row for row in TABLES[part] if row["name"] == name)
    return dict(zip(ON_ATTACK, found["attack"], strict=True)), dict(zip(ON_DEFENCE, found["defence"], strict=True))


def battle_values(
    attributes: Mapping[str, int], attack: Mapping[str, int], defence: Mapping[str, int]
) -> dict[str, int]:
    """Return the battle values that attributes and the changes by both cards give. HB-5, HB-8."""
    values = dict(attributes)
    for changes in (attack, defence):
        for name, change in changes.items():
            values[name] = values.get(name, 0) + change
    return {name: max(value, 1 if name == "Delay" else 0) for name, value in values.items()}


def wounds(attacker: Mapping[str, int], defender: Mapping[str, int], knights: int, defender_ahead: bool) -> int:
    """Return the Wounds that a number of Knights deal to one target. HB-14."""
    number = Fraction(attacker["Damage"])
    dodged = defender["Dodge"] - attacker["Precision"]
    if dodged > 0 or (dodged == 0 and defender_ahead):
        number = Fraction(math.ceil(number / 2))
    number = max(Fraction(0), number - defender["Defense"])
    number *= knights
    if Fraction(defender["Delay"], attacker["Delay"]) >= 2:
        number += number
    assert number.denominator == 1
    return int(number)


def points(health: int, taken: int) -> int:
    """Return the points of a Knight with this Health that has taken these Wounds. HB-16."""
    left = Fraction(max(health - taken, 0), health)
    if left == 1:
        return 4
    for quarters in (3, 2, 1):
        if left >= Fraction(quarters, 4):
            return quarters
    return 0


@dataclass
class Side:
    """A side of a battle; `place` is its place in player order, and the Bandits have the last."""

    name: str
    place: int
    values: Mapping[str, int]
    taken: list[int]
    ally: str | None = None
    struck_by: list[int] = field(default_factory=list)

    @property
    def is_bandits(self) -> bool:
        return self.name == "Bandits"

    @property
    def standing(self) -> list[int]:
        return [knight for knight, taken in enumerate(self.taken) if taken < self.values["Health"]]


def turn_order(sides: Sequence[Side]) -> list[str]:
    """Return the names of the sides in the order of their turns. HB-12."""
    return [side.name for side in sorted(sides, key=lambda side: (side.values["Delay"], -side.place))]


def bandits_strike(players: Sequence[Side], bandits: int) -> list[tuple[str, int]]:
    """Return the target of each Bandit in turn: a side and the number of its Knight. HB-15."""
    struck: list[tuple[str, int]] = []
    in_order = sorted(players, key=lambda side: side.place)
    for _ in range(bandits):
        alive = [(side, knight) for side in in_order for knight in side.standing]
        once = [(side, knight) for side, knight in alive if struck.count((side.name, knight)) == 1]
        if once:
            struck.append((once[0][0].name, once[0][1]))
            continue
        fresh = [(side, knight) for side, knight in alive if (side.name, knight) not in struck] or alive
        most = max(side.taken[knight] for side, knight in fresh)
        worst = [(side, knight) for side, knight in fresh if side.taken[knight] == most]
        fewest = min(len(side.standing) for side, _ in worst)
        latest = max(side.place for side, _ in worst if len(side.standing) == fewest)
        side, knight = next((side, knight) for side, knight in worst if side.place == latest)
        struck.append((side.name, knight))
    return struck


def victors(sides: Sequence[Side]) -> set[str]:
    """Return the names of the sides that win: one side, or two allies. HB-16, HB-17."""
    by_name = {side.name: side for side in sides}
    best: tuple[int, int, set[str]] | None = None
    for side in sides:
        group = [side] + ([by_name[side.ally]] if side.ally else [])
        total = sum(points(one.values["Health"], taken) for one in group for taken in one.taken)
        place = max(one.place for one in group)
        if best is None or total > best[0] or (total == best[0] and place < best[1]):
            best = total, place, {one.name for one in group}
    assert best
    return best[2]
