"""A naive reader of the printed texts of Round Table, which works out numbers sentence by sentence.

`naive_round_table_legal` and `naive_round_table_game` build on it; tests compare all three with the rules of the game.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from quintain.games.round_table import state as st

GROUPS = {
    "Monarchs": st.MONARCH,
    "Round Table Knights": st.ROUND_TABLE,
    "Grail Knights": st.GRAIL,
    "generic Knights": st.GENERIC,
    "Leaders": st.LEADER,
}
TYPES = {group.removesuffix("s"): bit for group, bit in GROUPS.items()}
KINDS = {
    "Knights": st.KNIGHT,
    "Equipment": st.EQUIPMENT,
    "Titles": st.TITLE,
    "Quests": st.QUEST,
    "Redirects": st.REDIRECT,
}
SLOTS = {"a Weapon": st.WEAPON, "Armor": st.ARMOR, "a Shield": st.SHIELD, "a Mount": st.MOUNT}
PIECES = (("Weapon", "Weapons"), ("Armor", "pieces of Armor"), ("Shield", "Shields"), ("Mount", "Mounts"))
IT = "(?:it|its bearer|each Knight on it|that Knight)"
ITS = "(?:its|its bearer's|that Knight's)"
MOMENTS = {
    st.RECRUITED: "When it is recruited for the first time",
    st.ATTACKS: f"When {IT} attacks",
    st.CAPTURES: f"When {IT} captures a Region",
    st.QUESTED: f"When(?: {IT} goes on a|ever a Knight goes on this) Quest",
    st.QUEST_DONE: f"When (?:{ITS}|this) Quest is done(?:, for each Knight on it)?",
    st.EACH_WINTER: "Each Winter",
    st.PLAYED: "When played",
}


CONDITION = r"(?P<condition>.+?(?:Region, too)?)"


@cache
def found(pattern: str, words: str) -> dict[str, str] | None:
    """Return the named groups of a pattern, and the words, if the pattern matches all the words; else None."""
    match = re.fullmatch(pattern, words, re.I)
    return {"words": words, **match.groupdict()} if match else None


@dataclass
class Thing:
    """A card in play, or a card from elsewhere whose text is about a Knight (`on`) or about no Knight."""

    seat: int
    slot: int
    card: Any
    scene: "Scene"
    on: "Thing | None" = None

    @property
    def bearer(self) -> "Thing | None":
        """The Knight that it is, is on, or is about."""
        if self.card.kind == st.KNIGHT:
            return self
        if self.on is not None or self.slot == st.NONE:
            return self.on
        place = self.scene.s.bearer[self.seat][self.slot]
        attached = self.card.kind in (st.EQUIPMENT, st.TITLE) and place != st.NONE
        return self.scene.at(self.seat, place) if attached else None

    @property
    def region(self) -> int:
        return st.NONE if self.slot == st.NONE else int(self.scene.s.place[self.seat][self.slot])

    @property
    def quest(self) -> int:
        return st.NONE if self.slot == st.NONE else int(self.scene.s.quest[self.seat][self.slot])

    @property
    def is_engaged(self) -> bool:
        return self.quest != st.NONE or bool(self.scene.s.engaged[self.seat][self.slot])

    @property
    def on_it(self) -> "list[Thing]":
        return self.scene.attached.get((self.seat, self.slot), [])

    @property
    def knights_on_it(self) -> "list[Thing]":
        """The Knights on it if it is a Quest."""
        here = st.LINES * self.seat + self.slot
        return [knight for knight in self.scene.knights if knight.quest == here] if self.slot != st.NONE else []

    @property
    def types(self) -> int:
        return int(self.scene.types.get((self.seat, self.slot), self.card.types))

    def is_(self, other: "Thing") -> bool:
        return self.slot != st.NONE and (self.seat, self.slot) == (other.seat, other.slot)


class Scene:
    """The cards of a position, as long as the position does not change."""

    def __init__(self, book: Any, s: Any):
        self.book, self.s = book, s
        self.things = [
            Thing(seat, slot, book.card[seat][line], self)
            for seat in range(book.seats)
            for slot, line in enumerate(s.line[seat])
            if line != st.NONE
        ]

    @cached_property
    def places(self) -> dict[tuple[int, int], Thing]:
        return {(thing.seat, thing.slot): thing for thing in self.things}

    @cached_property
    def attached(self) -> dict[tuple[int, int], list[Thing]]:
        """The cards on each Knight, by its seat and slot."""
        on_them: dict[tuple[int, int], list[Thing]] = {}
        for thing in self.things:
            if thing.card.kind in (st.EQUIPMENT, st.TITLE) and thing.bearer is not None:
                on_them.setdefault((thing.bearer.seat, thing.bearer.slot), []).append(thing)
        return on_them

    @cached_property
    def types(self) -> dict[tuple[int, int], int]:
        """The types of each Knight: the printed ones, and those that cards give, until none gives a new one."""
        types = {(knight.seat, knight.slot): knight.card.types for knight in self.knights}
        self.types = types
        before: dict[tuple[int, int], int] = {}
        while types != before:
            before = dict(types)
            for thing in self.things:
                for clause, condition in standing(thing.card):
                    made = found(rf"its bearer is a (?P<noun>{'|'.join(TYPES)})", clause)
                    if made and thing.bearer and (not condition or self.holds(condition, thing)):
                        bits = TYPES[made["noun"]] | (st.ROUND_TABLE if made["noun"] == "Grail Knight" else 0)
                        types[thing.bearer.seat, thing.bearer.slot] |= bits
        return types

    def at(self, seat: int, slot: int) -> Thing:
        return self.places[seat, slot]

    @cached_property
    def knights(self) -> list[Thing]:
        return [thing for thing in self.things if thing.card.kind == st.KNIGHT]

    def strength(self, knight: Thing, number: str) -> int:
        """Return the Influence or Resistance of a Knight, worked out from the printed texts."""
        value = getattr(knight.card, number) + sum(getattr(thing.card, number) for thing in knight.on_it)
        if knight.region != st.NONE:
            own = [other for other in self.knights if other.seat == knight.seat and not other.is_(knight)]
            value += sum(bool(other.types & st.LEADER) for other in own)
            bit = st.ROUND_TABLE if number == "influence" else st.GRAIL
            there = [other for other in own if other.region == knight.region]
            value += sum(bool(other.types & knight.types & bit) for other in there)
        pattern = rf"(?P<who>.+) ha(?:s|ve) (?P<n>[+-]\d+) {number}"
        return value + self.sum_of(pattern, knight)

    def rp(self, thing: Thing) -> int:
        more = self.sum_of(r"(?P<who>.+) costs? (?P<n>\d+) RP more", thing)
        return max(0, thing.card.rp + more - self.sum_of(r"(?P<who>.+) costs? (?P<n>\d+) RP less", thing))

    def capacity(self, seat: int) -> int:
        lines = range(self.book.main_lines[seat], self.book.lines[seat])
        cards = [self.book.card[seat][line] for line in lines]
        return sum(card.rp * self.s.demesne[seat][card.step] for card in cards) + self.player_sum("capacity is", seat)

    def player_sum(self, words: str, seat: int) -> int:
        """Add up the amounts by which something is greater for a player, less those by which it is less."""
        total = 0
        for thing, clause in self.clauses:
            said = found(rf"(?P<who>.*your|.*each opponent's) {words} (?P<n>\d+) (?P<more>greater|less)", clause)
            if said and (thing.seat == seat) == said["who"].lower().endswith("your"):
                total += int(said["n"]) * (1 if said["more"] == "greater" else -1)
        return total

    @cached_property
    def clauses(self) -> list[tuple[Thing, str]]:
        """Each clause that works while its card is in play, with the card; for a Quest, with each Knight on it."""
        true = []
        for thing in self.things:
            if thing.card.kind == st.EQUIPMENT and thing.bearer is None:
                continue
            for clause, condition in standing(thing.card):
                sources = [thing]
                if thing.card.kind == st.QUEST and "each knight on it" in clause.lower():
                    sources = [
                        Thing(thing.seat, thing.slot, thing.card, self, knight) for knight in thing.knights_on_it
                    ]
                true += [(source, clause) for source in sources if not condition or self.holds(condition, source)]
        return true

    def sum_of(self, pattern: str, target: Thing) -> int:
        """Add up the numbers in clauses of a pattern that concern a card; a clause without a number counts 1."""
        total = 0
        for thing, clause in self.clauses:
            said = found(pattern, clause)
            if said and self.is_meant(said["who"], thing, target):
                total += int(said.get("n") or 1)
        return total

    def sum_for(self, pattern: str, seat: int) -> int:
        """Add up the numbers in clauses of a pattern on a player's own cards; a clause without a number counts 1."""
        said = [found(pattern, clause) for thing, clause in self.clauses if thing.seat == seat]
        return sum(int(each.get("n") or 1) for each in said if each)

    def is_meant(self, who: str, source: Thing, target: Thing) -> bool:
        """Return whether words on a card, such as ``Your other Grail Knights``, include a card in play."""
        if found(IT, who):
            return source.bearer is not None and source.bearer.is_(target)
        said = found("(?P<whose>your other|your|opposing) (?P<group>.+)", who)
        assert said, who
        if (said["whose"].lower() == "opposing") == (source.seat == target.seat):
            return False
        if said["whose"].lower() == "your other" and self.is_its(source, target):
            return False
        group, _, _ = said["group"].partition(" in the same Region")
        if who.endswith(" in the same Region") and not self.together(source, target):
            return False
        return self.is_of(group, target)

    def is_its(self, source: Thing, target: Thing) -> bool:
        """Return whether a Knight belongs to the source itself: it bears the source, or is on that Quest."""
        if source.bearer is not None:
            return source.bearer.is_(target)
        return source.card.kind == st.QUEST and any(knight.is_(target) for knight in source.knights_on_it)

    def is_of(self, group: str, target: Thing) -> bool:
        if group in KINDS:
            return bool(target.card.kind == KINDS[group])
        if target.card.kind != st.KNIGHT:
            return False
        if group in GROUPS:
            return bool(target.types & GROUPS[group])
        if group.startswith("Knights named "):
            return bool(target.card.name == group.removeprefix("Knights named "))
        if group.startswith("Knights with the Title "):
            name = group.removeprefix("Knights with the Title ")
            return any(thing.card.kind == st.TITLE and thing.card.name == name for thing in target.on_it)
        if group.startswith("Knights with "):
            slot = SLOTS[group.removeprefix("Knights with ")]
            return any(thing.card.slot == slot for thing in target.on_it)
        raise AssertionError(f"who are {group}?")

    def together(self, source: Thing, target: Thing) -> bool:
        bearer = source.bearer
        return bearer is not None and bearer.region != st.NONE and bearer.region == target.region

    def renown(self, seat: int) -> int:
        taken = [place for place in range(self.book.regions) if self.s.captor[place] == seat]
        return sum(self.book.region[self.s.region[place]].renown for place in taken)

    def holds(self, condition: str, source: Thing) -> bool:
        """Return whether the condition of a sentence holds."""
        seat, it = source.seat, source.bearer
        if condition == "you are the active player":
            return bool(self.s.active == seat)
        if condition == "another player has captured more Renown":
            return max(map(self.renown, range(self.book.seats))) > self.renown(seat)
        if said := found(rf"you have a (?P<noun>.+) besides {IT}", condition):
            own = [knight for knight in self.knights if knight.seat == seat and not (it and it.is_(knight))]
            return any(knight.types & TYPES[said["noun"]] for knight in own)
        if it is None:
            return False
        if said := found(rf"{IT} is a (?P<noun>.+)", condition):
            return bool(it.types & TYPES[said["noun"]])
        if found(f"{IT} has a Title", condition):
            return any(thing.card.kind == st.TITLE for thing in it.on_it)
        if said := found(rf"{IT} has (?P<piece>.+)", condition):
            return any(thing.card.slot == SLOTS[said["piece"]] for thing in it.on_it)
        return self.holds_there(condition, it)

    def holds_there(self, condition: str, it: Thing) -> bool:
        """Return whether a condition about the Knights in a Region holds."""
        there = [knight for knight in self.knights if knight.region == it.region != st.NONE]
        own = [knight for knight in there if knight.seat == it.seat]
        if found(f"opponents attack {ITS} Region", condition):
            return len(there) > len(own)
        if found(f"{IT} is (?:your|its player's) only Knight in the Region", condition):
            return len(own) == 1
        if said := found(rf"{IT} attacks a Region of (?P<n>\d) or more Renown", condition):
            return bool(own) and self.book.region[self.s.region[self.s.open[it.region]]].renown >= int(said["n"])
        said = found(rf"(?:your|its player's) (?P<name>.+) attacks {ITS} Region, too", condition)
        assert said, condition
        return any(knight.card.name == said["name"] for knight in own if not knight.is_(it))


def sentences(card: Any) -> list[str]:
    """Return the sentences of a card's text, except the first one of Leaders, Fey Equipment and Redirects."""
    return list(_sentences(card.text))


@cache
def _sentences(words: str) -> tuple[str, ...]:
    text = re.sub(
        r"^(?:Leader: .*? Resistance|Fey: .*?|Gives a Knight with a task a new one|For an? .+?)\.\s?", "", words
    )
    return tuple(sentence.removesuffix(".") for sentence in re.split(r"(?<=\.) ", text) if sentence)


def standing(card: Any) -> tuple[tuple[str, str], ...]:
    """Return the clause and the condition of each sentence that works while a card is in play."""
    return _standing(card.text)


@cache
def _standing(words: str) -> tuple[tuple[str, str], ...]:
    of_no_moment = (
        sentence
        for sentence in _sentences(words)
        if not any(re.match(f"{moment},", sentence) for moment in MOMENTS.values())
    )
    return tuple((clause, condition) for clause, _, condition in (each.partition(" while ") for each in of_no_moment))


def happenings(card: Any, moment: int, of_each: bool | None = None) -> Iterator[tuple[str, str]]:
    """Yield the condition and the clause of each sentence about a moment.

    For a Quest that is done, `of_each` selects the sentences about each Knight on it (True), or the others (False).
    """
    for sentence in sentences(card):
        if of_each is None or of_each == ("for each Knight on it" in sentence):  # noqa: SIM102  # a match apart
            if said := found(rf"{MOMENTS[moment]}, (?:if {CONDITION}, )?(?P<clause>.+)", sentence):
                yield said["condition"] or "", said["clause"]
