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
    CardEntry,
    Gain,
    Held,
    ListedCard,
    check_numbers,
    in_toml,
    read_entries,
    write_entries,
)
from quintain.games.robin import state as st
from quintain.games.robin.choosing import RobinSets
from quintain.games.robin.faces import card_key, level_stat
from quintain.games.robin.state import Book, Character, Modifier, Skill, State
from quintain.games.robin.vocabulary import ALONE, GROUP_NUMBERS, MOST_SHORT, SIDES, VOCABULARY, WHOM
from quintain.games.robin.words import STAGES, card_name, groups, numbers, printed_modifier, printed_skill

SETS_KEPT = 16
COLLECTIONS = ("collection-0", "collection-1")
"""The options that give each seat its collection."""
STARTER_CHARACTERS, STARTER_MODIFIERS = 24, 6
"""The cards with which a player begins who owns some: just enough to choose an active set of the usual size."""


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
    entries = read_entries(text, VOCABULARY)
    check_numbers(entries, VOCABULARY)
    seen = dict[str, int]()
    for entry in entries:
        _check_name(entry, seen)
        seen[entry.name.casefold()] = entry.line
    names = VOCABULARY.names([(entry.kind, entry.data) for entry in entries])
    for entry in entries:
        entry.check(f"a {entry.kind}", VOCABULARY.fields(entry.kind, entry.data, names))
    characters = [name for name, kind in names.items() if kind == "character"]
    return ParsedSet(
        [_character(entry, characters) for entry in entries if entry.kind == "character"],
        [_modifier(entry) for entry in entries if entry.kind == "modifier"],
    )


@lru_cache(SETS_KEPT)
def short_set(text: str) -> str:
    """Return a text of the same cards without comments, to be saved with a match; raises BadCards."""
    return write_entries(read_entries(text, VOCABULARY))


def _check_name(entry: CardEntry, seen: Mapping[str, int]) -> None:
    entry.check_name("RH-1")
    if entry.name.casefold() in seen:
        line = seen[entry.name.casefold()]
        raise entry.wrong(f"line {line} has a card of this name already: a set has each card once", "RH-4", key="name")
    if entry.name in GROUP_NUMBERS:
        raise entry.wrong("a card cannot have the name of a caste or politics", "RH-1", key="name")
    short = entry.data.get("short", "")
    if not isinstance(short, str) or len(short) > MOST_SHORT or (short and not CARD_NAME.fullmatch(short)):
        raise entry.wrong(f"short is a name of at most {MOST_SHORT} letters, not {in_toml(short)}", "RH-1", key="short")


def _character(entry: CardEntry, characters: list[str]) -> Character:
    """Return the character that a checked entry describes. RH-1."""
    data, made = entry.data, Character()
    made.name, made.short, made.level = entry.name, data.get("short", ""), data["levels"]
    made.caste, made.politics = GROUP_NUMBERS[data["caste"]], GROUP_NUMBERS.get(data.get("politics", ""), st.EVERYBODY)
    made.skill = _skill(data["skill"], characters)
    made.text = printed_skill(made.skill, characters)
    return made


def _skill(given: Mapping[str, Any], characters: list[str]) -> Skill:
    """Return the special skill that a checked row describes. RH-19."""
    skill = Skill()
    skill.whom, skill.change = WHOM[given["whom"]], given["change"]
    skill.group = GROUP_NUMBERS.get(given.get("of", ""), st.EVERYBODY)
    skill.stage = STAGES.index(given["stage"]) if "stage" in given else st.NONE
    head, _, rest = given.get("if", "").partition(" ")
    if head in ALONE:
        skill.condition = ALONE[head]
    elif head == "with":
        skill.condition, skill.value = st.ACCOMPANIED, GROUP_NUMBERS[rest]
    elif rest in GROUP_NUMBERS:
        skill.condition, skill.value = st.FACES_GROUP, GROUP_NUMBERS[rest]
    elif head:
        skill.condition, skill.value = st.FACES_NAME, characters.index(rest)
    return skill


def _modifier(entry: CardEntry) -> Modifier:
    """Return the modifier that a checked entry describes; raises BadCards. RH-3, RH-20."""
    data, made = entry.data, Modifier()
    for key in ("lasts", "removes", "firm", "swaps", "ignores"):
        setattr(made, key, int(data.get(key, False)))
    made.name, made.short, made.change = entry.name, data.get("short", ""), data.get("change", 0)
    made.stages = sum(1 << STAGES.index(stage) for stage in data.get("stages", STAGES))
    made.group = GROUP_NUMBERS.get(data.get("group", "all"), st.EVERYBODY)
    made.side = SIDES[data.get("side", "own")]
    _check_effects(entry, made)
    made.text = printed_modifier(made)
    return made


def _check_effects(entry: CardEntry, made: Modifier) -> None:
    """Raise BadCards for a modifier that does nothing or contradicts itself."""
    on_characters = bool(made.change or made.swaps or made.ignores)
    if not on_characters and not made.removes:
        raise entry.wrong("it does nothing: it needs at least one of change, swaps, ignores, removes", "RH-20")
    if not on_characters and "group" in entry.data:
        raise entry.wrong("it names a group and a side, but does nothing to characters", "RH-20", key="group")
    if made.lasts and not on_characters:
        raise entry.wrong("a lasting modifier must do something to characters", "RH-20", key="lasts")


class RobinOwned:
    """The cards that players own, and how these change hands. RH-7, RH-8."""

    options, stakes = COLLECTIONS, "ante"

    def starter(self, shuffled: Sequence[str]) -> Sequence[str]:
        """Return the first cards of a shuffled base set that a player begins with: enough for a choice. RH-8."""
        known = card_set("")
        characters = [name for name in shuffled if name in known.names[: len(known.characters)]]
        modifiers = [name for name in shuffled if name in known.names[len(known.characters) :]]
        return [*characters[:STARTER_CHARACTERS], *modifiers[:STARTER_MODIFIERS]]

    def lacks(self, cards: Sequence[str], options: Mapping[str, Any]) -> str:
        """Say what a collection lacks for an active set; empty if nothing. RH-4, RH-8."""
        characters = {card.name for card in card_set("").characters}
        there, needed = sum(name in characters for name in cards), options["active"]
        modifiers, least = len(cards) - there, st.MODIFIERS_ACTIVE if options["modifiers"] else 0
        if there < needed:
            return f"an active set takes {needed} characters, and the collection has {there} (RH-8)"
        return f"an active set takes {least} modifiers, and the collection has {modifiers} (RH-8)" * (modifiers < least)

    def gains(self, book: Book, s: State, ranks: Sequence[int]) -> Sequence[Gain]:
        """Return the stake that the winner gains; nobody gains anything in a drawn tournament. RH-7."""
        if ranks[0] == ranks[1]:
            return []
        loser = ranks.index(max(ranks))
        staked = s.staked[loser]
        return [] if staked == st.NONE else [Gain(card_name(book, staked), loser, 1 - loser)]


class RobinCollection:
    """The cards, as any program can ask for them. The numbers of the cards are the same for both seats."""

    option, decks, part, vocabulary = "cards", None, "round", VOCABULARY
    owned, sets = RobinOwned(), RobinSets()

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
                copies=st.SEATS,
                clauses=("RH-1", "RH-2"),
            )
            for card in found.characters
        ]
        modifiers = [
            ListedCard(
                card.name, "Modifiers", text=card.text, key=card_key(card.name), copies=st.SEATS, clauses=("RH-3",)
            )
            for card in found.modifiers
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

    def ended(self, book: Book, before: State, after: State, seat: int) -> Held:
        """Return where a seat's cards were at the end of a round, in whose last hand it has laid a card. RH-10."""
        held, laid = self.held(book, before, seat), last_laid(after, seat)
        last = Counter([card_name(book, laid)]) if laid != st.NONE else Counter[str]()
        return Held(held.deck, held.drawn, held.played | last)


def last_laid(s: State, seat: int) -> int:
    """Return the card that a seat was the last to lay on the table; NONE if it has laid none. RH-10."""
    for number in range(s.events_made - 1, -1, -1):
        event = s.events[number % len(s.events)]
        if event.kind == st.PLAYED and event.seat == seat:
            return event.a
    return st.NONE


collection = RobinCollection()
