"""Robin in the Hood: reads sets of cards from TOML and checks them. RH-1, RH-2, RH-3, RH-4, RH-5, RH-19, RH-20.

The base set is in `cards.toml`; a match may bring its own by the option `cards`. At the end is the collection, which
lists the cards for any program that asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from quintain.engine import (
    CARD_NAME,
    BadCards,
    CardEntry,
    Held,
    ListedCard,
    plain_text,
    quoted,
    read_entries,
    write_entries,
)
from quintain.games.robin import state as st
from quintain.games.robin.faces import card_key, level_stat
from quintain.games.robin.state import Book, Character, Modifier, Skill, State
from quintain.games.robin.words import (
    CASTES,
    GROUPS,
    POLITICS,
    STAGES,
    card_name,
    groups,
    numbers,
    printed_modifier,
    printed_skill,
)

SETS_KEPT = 16
MOST_SHORT = 12
"""The most letters of a short name."""
ENTRY_KINDS = ("character", "modifier")
CHARACTER_FIELDS = ("name", "short", "caste", "politics", "levels", "skill")
SKILL_FIELDS = ("whom", "of", "stage", "if", "change")
MODIFIER_FIELDS = (
    "name", "short", "lasts", "group", "side", "stages", "change", "removes", "firm", "swaps", "ignores",
)  # fmt: skip
SWITCHES = ("lasts", "removes", "firm", "swaps", "ignores")
WHOM = {"self": st.SELF, "faced": st.FACED, "own": st.OWN, "opposing": st.OPPOSING}
SIDES = {"own": st.OWN_SIDE, "opposing": st.OTHER_SIDE, "both": st.BOTH_SIDES}
CONDITIONS = {"facing": st.FACES_GROUP, "with": st.ACCOMPANIED, "alone": st.ALONE, "leading": st.LEADING,
              "trailing": st.TRAILING}  # fmt: skip
GROUP_NUMBERS = {name: number for number, name in enumerate(GROUPS) if number != st.EVERYBODY}


@dataclass
class ParsedSet:
    """All cards that a match may use, in the order of their file."""

    characters: list[Character] = field(default_factory=list)
    modifiers: list[Modifier] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names of all cards, in the order of their numbers: characters first."""
        return [card.name for card in self.characters] + [card.name for card in self.modifiers]


@cache
def base_set() -> ParsedSet:
    """Return the base set. RH-5."""
    return read_set(base_text())


def base_text() -> str:
    """Return the text of the base set."""
    return Path(__file__).with_name("cards.toml").read_text(encoding="utf-8")


@lru_cache(SETS_KEPT)
def card_set(own: str) -> ParsedSet:
    """Return the set that a text describes, or the base set if it is empty; raises BadCards. RH-5."""
    return read_set(own) if own.strip() else base_set()


def read_set(text: str) -> ParsedSet:
    """Return the set that a text describes; raises BadCards, which names the line, the card and the clause."""
    entries = _entries(text)
    made, seen = ParsedSet(), dict[str, int]()
    of_kind = {kind: [entry for entry in entries if entry.kind == kind] for kind in ENTRY_KINDS}
    for kind, most in (("character", st.MOST_CHARACTERS), ("modifier", st.MOST_MODIFIERS)):
        if len(of_kind[kind]) > most:
            raise BadCards(f"a set has at most {most} {kind}s, not {len(of_kind[kind])} (RH-5)")
    for entry in entries:
        _check_name(entry, seen)
        seen[entry.name.casefold()] = entry.line
    names = [entry.name for entry in of_kind["character"]]
    made.characters = [_character(entry, names) for entry in of_kind["character"]]
    made.modifiers = [_modifier(entry) for entry in of_kind["modifier"]]
    return made


@lru_cache(SETS_KEPT)
def short_set(text: str) -> str:
    """Return a text of the same cards without comments, to be saved with a match; raises BadCards."""
    return write_entries(_entries(text))


def _entries(text: str) -> list[CardEntry]:
    return read_entries(plain_text(text), ENTRY_KINDS, "RH-5")


def _check_name(entry: CardEntry, seen: Mapping[str, int]) -> None:
    entry.check_name("RH-1")
    if entry.name.casefold() in seen:
        line = seen[entry.name.casefold()]
        raise entry.wrong(f"line {line} has a card of this name already: a set has each card once", "RH-4")
    if entry.name in GROUP_NUMBERS:
        raise entry.wrong("a card cannot have the name of a caste or politics", "RH-1")


def _one(entry: CardEntry, data: Mapping[str, Any], key: str, known: Mapping[str, int], clause: str) -> int:
    """Return the number of the word that `data` has under a key; raises BadCards."""
    word = data.get(key)
    if not isinstance(word, str) or word not in known:
        given = "is missing" if word is None else f"cannot be {quoted(word)}"
        raise entry.wrong(f"{key} {given}: it is one of {', '.join(known)}", clause)
    return known[word]


def _change(entry: CardEntry, data: Mapping[str, Any], clause: str) -> int:
    """Return by how much a card changes levels; raises BadCards."""
    change = data.get("change")
    if type(change) is not int or change == 0 or abs(change) > st.MOST_CHANGE:
        given = "is missing" if change is None else f"cannot be {quoted(change)}"
        raise entry.wrong(
            f"change {given}: it is a whole number from -{st.MOST_CHANGE} to {st.MOST_CHANGE}, but not 0", clause
        )
    return change


def _check_fields(entry: CardEntry, data: Mapping[str, Any], fields: tuple[str, ...], what: str, clause: str) -> None:
    """Raise BadCards for a field that this kind of row does not have."""
    for key in data:
        if key not in fields:
            raise entry.wrong(f"{what} has no field {quoted(key)}; its fields are {', '.join(fields)}", clause)


def _character(entry: CardEntry, names: list[str]) -> Character:
    """Return the character that an entry describes; raises BadCards. RH-1."""
    data, made = entry.data, Character()
    _check_fields(entry, data, CHARACTER_FIELDS, "a character", "RH-1")
    levels = data.get("levels")
    if not isinstance(levels, list) or len(levels) != st.STAGES or any(
        type(level) is not int or not 0 <= level <= st.HIGHEST for level in levels
    ):  # fmt: skip
        raise entry.wrong(
            f"levels are four whole numbers from 0 to {st.HIGHEST}, for {', '.join(STAGES)}, not {quoted(levels)}",
            "RH-1",
        )
    skill = data.get("skill")
    if not isinstance(skill, dict):
        raise entry.wrong("skill must be one row in braces: each character has one special skill", "RH-2")
    made.name, made.short, made.level = entry.name, _short(entry), levels
    made.caste = _one(entry, data, "caste", {caste: GROUP_NUMBERS[caste] for caste in CASTES}, "RH-1")
    if "politics" in data:
        made.politics = _one(entry, data, "politics", {name: GROUP_NUMBERS[name] for name in POLITICS}, "RH-1")
    made.skill = _skill(entry, skill, names)
    made.text = printed_skill(made.skill, names)
    return made


def _short(entry: CardEntry) -> str:
    """Return the name of a card for narrow places, empty if it has none; raises BadCards."""
    short = entry.data.get("short", "")
    if not isinstance(short, str) or len(short) > MOST_SHORT or (short and not CARD_NAME.fullmatch(short)):
        raise entry.wrong(f"short is a name of at most {MOST_SHORT} letters, not {quoted(short)}", "RH-1")
    return short


def _skill(entry: CardEntry, given: Mapping[str, Any], names: list[str]) -> Skill:
    """Return the special skill that a row describes; raises BadCards. RH-19."""
    _check_fields(entry, given, SKILL_FIELDS, "a skill", "RH-19")
    skill = Skill()
    skill.whom = _one(entry, given, "whom", WHOM, "RH-19")
    if "of" in given:
        if skill.whom not in (st.OWN, st.OPPOSING):
            raise entry.wrong("'of' is for starred skills, on own or opposing characters elsewhere", "RH-19")
        skill.group = _one(entry, given, "of", GROUP_NUMBERS, "RH-19")
    skill.stage = st.NONE
    if "stage" in given:
        skill.stage = _one(entry, given, "stage", {name: number for number, name in enumerate(STAGES)}, "RH-19")
    skill.condition, skill.value = _condition(entry, given, skill.whom, names)
    skill.change = _change(entry, given, "RH-19")
    return skill


def _condition(entry: CardEntry, given: Mapping[str, Any], whom: int, names: list[str]) -> tuple[int, int]:
    words = given.get("if")
    if words is None:
        return st.ALWAYS, 0
    if not isinstance(words, str):
        raise entry.wrong(f"if must be words, not {quoted(words)}", "RH-19")
    head, _, rest = words.partition(" ")
    condition = CONDITIONS.get(head)
    if condition is None:
        raise entry.wrong(f"if must begin with one of {', '.join(CONDITIONS)}, not {quoted(head)}", "RH-19")
    if condition == st.FACES_GROUP and rest in names:
        return st.FACES_NAME, names.index(rest)
    if condition in (st.FACES_GROUP, st.ACCOMPANIED):
        if rest not in GROUP_NUMBERS:
            known = ", ".join(GROUP_NUMBERS) + (", or a character" if condition == st.FACES_GROUP else "")
            raise entry.wrong(f"{quoted(head)} cannot be followed by {quoted(rest)}: it takes one of {known}", "RH-19")
        return condition, GROUP_NUMBERS[rest]
    if rest:
        raise entry.wrong(f"{quoted(head)} cannot be followed by {quoted(rest)}: it stands alone", "RH-19")
    if condition == st.ALONE and whom not in (st.OWN, st.OPPOSING):
        raise entry.wrong("'alone' is for starred skills: alone in its stage a card does not fight", "RH-19")
    return condition, 0


def _modifier(entry: CardEntry) -> Modifier:
    """Return the modifier that an entry describes; raises BadCards. RH-3, RH-20."""
    data, made = entry.data, Modifier()
    _check_fields(entry, data, MODIFIER_FIELDS, "a modifier", "RH-20")
    for key in SWITCHES:
        if type(data.get(key, False)) is not bool:
            raise entry.wrong(f"{key} is true or false, not {quoted(data[key])}", "RH-20")
        setattr(made, key, int(data.get(key, False)))
    made.name, made.short = entry.name, _short(entry)
    made.stages = _stages(entry)
    if "group" in data:
        made.group = _one(entry, data, "group", {"all": st.EVERYBODY} | GROUP_NUMBERS, "RH-20")
    if "side" in data:
        made.side = _one(entry, data, "side", SIDES, "RH-20")
    if "change" in data:
        made.change = _change(entry, data, "RH-20")
    _check_effects(entry, made)
    made.text = printed_modifier(made)
    return made


def _stages(entry: CardEntry) -> int:
    given = entry.data.get("stages", list(STAGES))
    if not isinstance(given, list) or not given:
        raise entry.wrong(f"stages is a list of some stages, each once, not {quoted(given)}", "RH-20")
    for stage in given:
        if stage not in STAGES:
            raise entry.wrong(f"there is no stage {quoted(stage)}; there are {', '.join(STAGES)}", "RH-20")
    if len(set(given)) != len(given):
        raise entry.wrong(f"stages is a list of some stages, each once, not {quoted(given)}", "RH-20")
    return sum(1 << STAGES.index(stage) for stage in given)


def _check_effects(entry: CardEntry, made: Modifier) -> None:
    """Raise BadCards for a modifier that does nothing or contradicts itself."""
    on_characters = bool(made.change or made.swaps or made.ignores)
    if not on_characters and not made.removes:
        raise entry.wrong("it does nothing: it needs at least one of change, swaps, ignores, removes", "RH-20")
    if on_characters and not {"group", "side"} <= set(entry.data):
        raise entry.wrong("a modifier that works on characters must name a group and a side", "RH-20")
    if not on_characters and {"group", "side", "stages"} & set(entry.data):
        raise entry.wrong("it names a group, a side or stages, but does nothing to characters", "RH-20")
    if made.firm and not (made.lasts and on_characters):
        raise entry.wrong("firm is only for a lasting modifier that has another effect", "RH-20")
    if made.lasts and not on_characters:
        raise entry.wrong("a lasting modifier must do something to characters", "RH-20")
    if made.swaps and made.stages.bit_count() != 2:
        raise entry.wrong("swaps needs exactly two stages, whose printed levels it exchanges", "RH-20")
    if made.ignores and made.lasts:
        raise entry.wrong("only a modifier for one hand may ignore special skills", "RH-20")


class RobinCollection:
    """The cards, as any program can ask for them. The numbers of the cards are the same for both seats."""

    option, decks = "cards", None

    def base(self) -> str:
        """Return the text of the base set. RH-5."""
        return base_text()

    def cards(self, own: str) -> Sequence[ListedCard]:
        """Return the cards of a text, or of the base set if it is empty; raises BadCards. RH-5."""
        found = card_set(own)
        characters = [
            ListedCard(
                card.name,
                "Characters",
                numbers(card),
                f"{groups(card)}. {card.text}",
                card_key(card.name),
                stats=tuple(level_stat(stage, level) for stage, level in enumerate(card.level)),
            )
            for card in found.characters
        ]
        modifiers = [
            ListedCard(card.name, "Modifiers", text=card.text, key=card_key(card.name)) for card in found.modifiers
        ]
        return [*characters, *modifiers]

    def names(self, book: Book, seat: int) -> Sequence[str]:
        """Return the names of all cards, in the order of their numbers."""
        return [card_name(book, card) for card in range(book.cards)]

    def held(self, book: Book, s: State, seat: int) -> Held:
        """Return where the cards of a seat's active set are in this round. RH-9."""
        hand, pile = s.hand[seat][: s.hand_size[seat]], s.pile[seat][: s.pile_size[seat]]
        played = Counter(card_name(book, card) for card in range(book.cards) if s.shown[seat][card])
        drawn = played + Counter(card_name(book, card) for card in hand if card >= 0)
        return Held(drawn + Counter(card_name(book, card) for card in pile if card >= 0), drawn, played)


collection = RobinCollection()
