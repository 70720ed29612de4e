"""Robin in the Hood: a second, slow implementation of what cards do, which the tests compare with the real one.

It reads the printed texts of the cards, so it also shows that each card does what its text says.
"""

import re
from dataclasses import dataclass, field

STAGES = ("Agility", "Weapons", "Strength", "Endurance")
MANY = {"Nobles": "Noble", "Outlaws": "Outlaw", "Knights": "Knight", "Guards": "Guard", "Activists": "Activist",
        "Pacifists": "Pacifist", "Townsfolk": "Townsfolk", "Royalty": "Royalty", "characters": ""}  # fmt: skip
SKILL = re.compile(
    r"(?P<who>It has|The character it faces has|★ Elsewhere (?P<whose>your|opposing) (?P<many>\w+) have) (?P<by>[+-]\d)"
    r"(?: in (?P<stage>\w+))?"
    r"(?: (?P<when>when it faces|while another of your characters in play is) (?:an? |one of the )?(?P<what>[^.]+?)"
    r"| (?P<state>while nobody faces it|while you have more victories|while you have fewer victories))?\."
)


@dataclass
class Person:
    """A character as it is printed."""

    name: str
    levels: tuple[int, int, int, int]
    groups: set[str]
    text: str


@dataclass
class Table:
    """The characters of each side by stage, the texts of its modifiers in force, and its victories."""

    sides: tuple[dict[int, Person], dict[int, Person]]
    modifiers: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    victories: tuple[int, int] = (0, 0)

    def final(self, seat: int, stage: int) -> int:
        """Return the final level of the card of a seat on a stage."""
        return self.sides[seat][stage].levels[stage] + self.by_skills(seat, stage) + self.by_modifiers(seat, stage)

    def by_skills(self, seat: int, stage: int) -> int:
        """Return by how much all special skills change the level of a card."""
        return sum(
            self.skill_on(owner, at, seat, stage)
            for owner in (0, 1)
            for at in self.sides[owner]
            if not self.is_silenced(owner, at)
        )

    def skill_on(self, owner: int, at: int, seat: int, stage: int) -> int:
        """Return by how much the skill of the card `at` a stage of `owner` changes the level of another card."""
        read = SKILL.fullmatch(self.sides[owner][at].text)
        assert read, self.sides[owner][at].text
        if read["stage"] and STAGES[stage] != read["stage"]:
            return 0
        same_place = at == stage
        if read["who"] == "It has":
            right = same_place and owner == seat
        elif read["who"] == "The character it faces has":
            right = same_place and owner != seat
        else:
            right = not same_place and (owner == seat) == (read["whose"] == "your")
            right = right and is_one(self.sides[seat][stage], MANY[read["many"]])
        return int(read["by"]) if right and self.condition_holds(read, owner, at) else 0

    def condition_holds(self, read: re.Match[str], owner: int, at: int) -> bool:
        """Return whether the condition in the text of a skill holds."""
        facing = self.sides[1 - owner].get(at)
        if read["when"] == "when it faces":
            return facing is not None and (is_one(facing, read["what"]) or facing.name == read["what"])
        if read["when"]:
            others = [person for place, person in self.sides[owner].items() if place != at]
            return any(is_one(person, read["what"]) for person in others)
        ahead = self.victories[owner] - self.victories[1 - owner]
        return {None: True, "while nobody faces it": facing is None, "while you have more victories": ahead > 0,
                "while you have fewer victories": ahead < 0}[read["state"]]  # fmt: skip

    def sentences(self) -> list[tuple[int, str]]:
        """Return the sentences of all modifiers in force, each with the seat that has the modifier."""
        return [
            (owner, sentence)
            for owner in (0, 1)
            for text in self.modifiers[owner]
            for sentence in text.split(": ", 1)[1].rstrip(".").split("; ")
        ]

    def is_meant(self, owner: int, whose: str, many: str, seat: int, stage: int) -> bool:
        """Return whether words such as ``opposing Knights`` in a text of `owner` mean the card of a seat on a stage."""
        right = {"your": owner == seat, "opposing": owner != seat, "all": True}[whose]
        return right and is_one(self.sides[seat][stage], MANY[many])

    def is_silenced(self, seat: int, stage: int) -> bool:
        """Return whether a modifier ignores the special skill of a card."""
        for owner, sentence in self.sentences():
            read = re.fullmatch(
                r"the special skills of (your|opposing|all) (\w+)(?: in ([\w ,]+))? are ignored", sentence
            )
            if read and self.is_meant(owner, read[1], read[2], seat, stage) and (
                not read[3] or STAGES[stage] in read[3]
            ):  # fmt: skip
                return True
        return False

    def by_modifiers(self, seat: int, stage: int) -> int:
        """Return by how much all modifiers change the level of a card."""
        change, swapped = 0, []
        for owner, sentence in self.sentences():
            read = re.fullmatch(r"(your|opposing|all) (\w+) have ([+-]\d)(?: in ([\w ,]+))?", sentence)
            if read and self.is_meant(owner, read[1], read[2], seat, stage):
                change += int(read[3]) if not read[4] or STAGES[stage] in read[4] else 0
            read = re.fullmatch(
                r"(your|opposing|all) (\w+) in (\w+) or (\w+) fight with their printed level "
                r"for the other of these stages",
                sentence,
            )
            if read and self.is_meant(owner, read[1], read[2], seat, stage) and STAGES[stage] in (read[3], read[4]):
                other = STAGES.index(read[4] if STAGES[stage] == read[3] else read[3])
                levels = self.sides[seat][stage].levels
                swapped.append(levels[other] - levels[stage])
        return change + (swapped[0] if len(swapped) == 1 else 0)


def is_one(person: Person, group: str) -> bool:
    """Return whether a character belongs to a group; the empty group has everybody."""
    return not group or group in person.groups
