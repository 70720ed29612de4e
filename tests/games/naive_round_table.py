"""What printed texts of Round Table say, by a reader of its own: sentence by sentence, and reckoned naively."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from quintain.engine.match import Match
from quintain.games.round_table import state as st

GROUPS = {
    "Monarchs": st.MONARCH,
    "Round Table Knights": st.ROUND_TABLE,
    "Grail Knights": st.GRAIL,
    "generic Knights": st.GENERIC,
    "Leaders": st.LEADER,
}
TYPES = {group.removesuffix("s"): bit for group, bit in GROUPS.items()}
KINDS = {"Equipment": st.EQUIPMENT, "Titles": st.TITLE, "Quests": st.QUEST, "Redirects": st.REDIRECT}
SLOTS = {"a Weapon": st.WEAPON, "Armor": st.ARMOR, "a Shield": st.SHIELD, "a Mount": st.MOUNT}
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


@dataclass
class Thing:
    """A card in play."""

    seat: int
    slot: int
    card: Any
    scene: "Scene"

    @property
    def bearer(self) -> "Thing | None":
        """The Knight that it is, or is on."""
        if self.card.kind == st.KNIGHT:
            return self
        place = self.scene.s.bearer[self.seat][self.slot]
        attached = self.card.kind in (st.EQUIPMENT, st.TITLE) and place != st.NONE
        return self.scene.at(self.seat, place) if attached else None

    @property
    def region(self) -> int:
        return int(self.scene.s.place[self.seat][self.slot])

    @property
    def on_it(self) -> "list[Thing]":
        return [thing for thing in self.scene.things if thing.bearer is not None and thing.bearer.is_(self)
                and not thing.is_(self)]  # fmt: skip

    @property
    def types(self) -> int:
        types = self.card.types
        for thing in self.on_it:
            for noun in re.findall(r"Its bearer is a (.+?)\.", thing.card.text):
                types |= TYPES[noun] | (st.ROUND_TABLE if noun == "Grail Knight" else 0)
        return int(types)

    def is_(self, other: "Thing") -> bool:
        return (self.seat, self.slot) == (other.seat, other.slot)


class Scene:
    """A position, card by card."""

    def __init__(self, match: Match):
        self.book: Any = match.book
        self.s = match._state
        self.things = [
            Thing(seat, slot, self.book.card[seat][self.s.line[seat][slot]], self)
            for seat in range(self.book.seats)
            for slot in range(st.LINES)
            if self.s.line[seat][slot] != st.NONE
        ]

    def at(self, seat: int, slot: int) -> Thing:
        return next(thing for thing in self.things if (thing.seat, thing.slot) == (seat, slot))

    @property
    def knights(self) -> list[Thing]:
        return [thing for thing in self.things if thing.card.kind == st.KNIGHT]

    def strength(self, knight: Thing, number: str) -> int:
        """Return the Influence or Resistance of a Knight by what is printed on everything."""
        value = getattr(knight.card, number) + sum(getattr(thing.card, number) for thing in knight.on_it)
        if knight.region != st.NONE:
            own = [other for other in self.knights if other.seat == knight.seat and not other.is_(knight)]
            value += sum(bool(other.types & st.LEADER) for other in own)
            bit = st.ROUND_TABLE if number == "influence" else st.GRAIL
            there = [other for other in own if other.region == knight.region]
            value += sum(bool(other.types & knight.types & bit) for other in there)
        pattern = rf"(?P<who>.+) ha(?:s|ve) (?P<n>[+-]\d+) {number.capitalize()}"
        return value + self.sum_of(pattern, knight)

    def rp(self, thing: Thing) -> int:
        more = self.sum_of(r"(?P<who>.+) costs? (?P<n>\d+) RP more", thing)
        return max(0, thing.card.rp + more - self.sum_of(r"(?P<who>.+) costs? (?P<n>\d+) RP less", thing))

    def capacity(self, seat: int) -> int:
        lines = range(self.book.main_lines[seat], self.book.lines[seat])
        cards = [self.book.card[seat][line] for line in lines]
        return sum(card.rp * self.s.demesne[seat][card.step] for card in cards) + self.player_sum("capacity is", seat)

    def player_sum(self, words: str, seat: int) -> int:
        """Add up what is greater, less what is less, for a player."""
        total = 0
        for thing, clause in self.clauses():
            found = re.fullmatch(
                rf"(?P<whose>.*?)(?P<who>[Yy]our|[Ee]ach opponent's) {words} (?P<n>\d+) (greater|less)", clause
            )
            if found and (thing.seat == seat) == (found["who"].lower() == "your"):
                total += int(found["n"]) * (1 if found[4] == "greater" else -1)
        return total

    def clauses(self) -> Iterator[tuple[Thing, str]]:
        """Yield each clause that holds while its card is in play, with the card."""
        for thing in self.things:
            if thing.card.kind == st.EQUIPMENT and thing.bearer is None:
                continue
            for sentence in sentences(thing.card):
                if not any(re.match(moment, sentence) for moment in MOMENTS.values()):
                    clause, _, condition = sentence.partition(" while ")
                    if not condition or self.holds(condition, thing):
                        yield thing, clause

    def sum_of(self, pattern: str, target: Thing) -> int:
        total = 0
        for thing, clause in self.clauses():
            found = re.fullmatch(pattern, clause)
            if found and self.is_meant(found["who"], thing, target):
                total += int(found["n"])
        return total

    def is_meant(self, who: str, source: Thing, target: Thing) -> bool:
        """Tell whether the words of a card, such as ``Your other Grail Knights``, mean a card in play."""
        if re.fullmatch(IT, who, re.I):
            return source.bearer is not None and source.bearer.is_(target)
        whose, group = re.fullmatch(r"(your other|your|opposing) (.+)", who, re.I).groups()
        if (whose.lower() == "opposing") == (source.seat == target.seat):
            return False
        if whose.lower() == "your other" and source.bearer is not None and source.bearer.is_(target):
            return False
        group, _, _ = group.partition(" in the same Region")
        if who.endswith(" in the same Region") and not self.together(source, target):
            return False
        return self.is_of(group, target)

    def is_of(self, group: str, target: Thing) -> bool:
        if group in KINDS:
            return bool(target.card.kind == KINDS[group])
        if target.card.kind != st.KNIGHT:
            return False
        if group in GROUPS:
            return bool(target.types & GROUPS[group])
        if group.startswith("Knights named "):
            return bool(target.card.name == group.removeprefix("Knights named "))
        if group.startswith("Knights with "):
            slot = SLOTS[group.removeprefix("Knights with ")]
            return any(thing.card.slot == slot for thing in target.on_it)
        return group == "Knights"

    def together(self, source: Thing, target: Thing) -> bool:
        bearer = source.bearer
        return bearer is not None and bearer.region != st.NONE and bearer.region == target.region

    def renown(self, seat: int) -> int:
        taken = [place for place in range(self.book.regions) if self.s.captor[place] == seat]
        return sum(self.book.region[self.s.region[place]].renown for place in taken)

    def holds(self, condition: str, source: Thing) -> bool:
        """Tell whether the condition of a sentence holds."""
        seat, it = source.seat, source.bearer
        if condition == "you are the active player":
            return bool(self.s.active == seat)
        if condition == "another player has captured more Renown":
            return max(map(self.renown, range(self.book.seats))) > self.renown(seat)
        if found := re.fullmatch(rf"you have a (.+) besides {IT}", condition):
            own = [knight for knight in self.knights if knight.seat == seat and not (it and it.is_(knight))]
            return any(knight.types & TYPES[found[1]] for knight in own)
        if it is None:
            return False
        if found := re.fullmatch(rf"{IT} is a (.+)", condition):
            return bool(it.types & TYPES[found[1]])
        if condition.endswith("has a Title"):
            return any(thing.card.kind == st.TITLE for thing in it.on_it)
        if found := re.fullmatch(rf"{IT} has (.+)", condition):
            return any(thing.card.slot == SLOTS[found[1]] for thing in it.on_it)
        there = [knight for knight in self.knights if knight.region == it.region != st.NONE]
        own = [knight for knight in there if knight.seat == it.seat]
        if condition.startswith("opponents attack"):
            return len(there) > len(own)
        if condition.endswith("your only Knight in the Region"):
            return len(own) == 1
        if found := re.fullmatch(rf"{IT} attacks a Region of (\d) or more Renown", condition):
            return bool(own) and self.book.region[self.s.region[self.s.open[it.region]]].renown >= int(found[1])
        found = re.fullmatch(rf"your (.+) attacks {ITS} Region, too", condition)
        return any(knight.card.name == found[1] for knight in own)


def sentences(card: Any) -> list[str]:
    """Return the sentences of a card's text, but for what it begins with: Leader, Fey, a Redirect's Knight."""
    text = re.sub(
        r"^(?:Leader: .*? Resistance|Fey: .*?|Gives a Knight with a task a new one|For an? .+?)\.\s?", "", card.text
    )
    return [sentence.removesuffix(".") for sentence in re.split(r"(?<=\.) ", text) if sentence]


def happenings(card: Any, moment: int) -> Iterator[tuple[str, str]]:
    """Yield the condition and the clause of each sentence that speaks of a moment."""
    for sentence in sentences(card):
        if found := re.fullmatch(rf"{MOMENTS[moment]}, (?:if (?P<condition>.+?), )?(?P<clause>.+)", sentence):
            yield found["condition"] or "", found["clause"]
