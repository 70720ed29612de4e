"""Round Table: reads sets of cards from TOML and checks them. RT-33, RT-35.

`vocabulary` says which words a row may have, `words` makes the printed text, and `cards.toml` holds the base set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from quintain.engine import BadCards, CardEntry, plain_text, quoted, read_entries, write_entries
from quintain.games.round_table import state as st
from quintain.games.round_table import vocabulary
from quintain.games.round_table.state import Card, Row
from quintain.games.round_table.vocabulary import RowShape
from quintain.games.round_table.words import KIND_GROUPS, KINDS, SLOTS, TYPES, printed

MOST_CARDS, MOST_RENOWN = 400, 9
SETS_KEPT = 16
FIELDS = {
    "demesne": ("rp",),
    "knight": ("rp", "influence", "resistance", "types", "rows"),
    "equipment": ("rp", "influence", "resistance", "slot", "fey", "rows"),
    "title": ("rp", "influence", "resistance", "rows"),
    "quest": ("rp", "rows"),
    "redirect": ("rp", "rows"),
    "region": ("resistance", "renown"),
}
OWN_KINDS = [kind for kind in FIELDS if kind != "demesne"]
ROW_FIELDS = ("when", "whom", "here", "of", "named", "titled", "with", "kind", "if", "what", "detail", "amount")
TASKS = (st.RESET, st.ENGAGE, st.RETURN)
"""What the rows of a Redirect may do to Knights; such a Redirect gives no task."""


@dataclass(frozen=True)
class RegionCard:
    """A printed Region."""

    name: str
    resistance: int
    renown: int
    base: bool


@dataclass
class ParsedSet:
    """All cards and Regions that decks can use, by name."""

    cards: dict[str, Card] = field(default_factory=dict)
    regions: dict[str, RegionCard] = field(default_factory=dict)
    fey: dict[str, str] = field(default_factory=dict)
    """The plain piece of Equipment for each Fey one."""
    names: list[str] = field(default_factory=list)
    short: dict[str, str] = field(default_factory=dict)
    """Shorter names for narrow places, of the base set only."""

    def number(self, name: str) -> int:
        """Return the number of a name; a new name gets the next number."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)


@cache
def base_set() -> ParsedSet:
    """Return the base set."""
    made = ParsedSet()
    _add(made, [*_base_entries().values()], base=True)
    return made


def base_text() -> str:
    """Return the text of the base set."""
    return Path(__file__).with_name("cards.toml").read_text(encoding="utf-8")


@cache
def _base_entries() -> dict[str, CardEntry]:
    return {entry.name: entry for entry in read_entries(base_text(), FIELDS, "RT-33")}


def _own_entries(text: str) -> list[CardEntry]:
    """Return the cards of a text that it adds to the base set, of which it may repeat cards; raises BadCards."""
    entries = read_entries(text, (*OWN_KINDS, *(kind for kind in FIELDS if kind not in OWN_KINDS)), "RT-33")
    own = [entry for entry in entries if not _is_of_base(entry)]
    if not entries or len(own) > MOST_CARDS:
        raise BadCards(f"a set of your own has at least 1 and at most {MOST_CARDS} cards, not {len(own)} (RT-33)")
    for entry in own:
        if entry.kind not in OWN_KINDS:
            known = ", ".join(OWN_KINDS)
            raise entry.wrong(f"there is no kind of card {entry.kind!r} to add; the kinds are {known}", "RT-33")
    return own


def _is_of_base(entry: CardEntry) -> bool:
    """Tell whether a card is one of the base set, unchanged."""
    known = _base_entries().get(entry.name)
    return known is not None and (known.kind, known.data) == (entry.kind, entry.data)


@lru_cache(SETS_KEPT)
def card_set(own: str) -> ParsedSet:
    """Return the base set with the cards of a file's text added; raises BadCards."""
    if not own:
        return base_set()
    base = base_set()
    made = ParsedSet(dict(base.cards), dict(base.regions), dict(base.fey), list(base.names))
    _add(made, _own_entries(plain_text(own)), base=False)
    return made


@lru_cache(SETS_KEPT)
def short_set(text: str) -> str:
    """Return the text of a file as a match keeps it: the cards that it adds, without remarks; raises BadCards."""
    return write_entries(_own_entries(plain_text(text)))


def _without_short(made: ParsedSet, entry: CardEntry) -> CardEntry:
    """Keep the short name of a card of the base set apart, if it has one, and return the rest of the entry."""
    if "short" in entry.data:
        made.short[entry.name] = entry.data["short"]
    return replace(entry, data={key: value for key, value in entry.data.items() if key != "short"})


def _add(made: ParsedSet, entries: list[CardEntry], base: bool) -> None:
    """Add cards to a set; raises BadCards."""
    kinds = {name: KINDS[card.kind].lower() for name, card in made.cards.items()}
    kinds |= dict.fromkeys(made.regions, "region")
    alike = {name.casefold(): name for name in kinds}
    if base:
        entries = [_without_short(made, entry) for entry in entries]
    for entry in entries:
        _check_entry(entry, kinds, alike)
        kinds[entry.name] = entry.kind
        alike[entry.name.casefold()] = entry.name
    for entry in entries:
        if entry.kind == "region":
            made.regions[entry.name] = RegionCard(entry.name, entry.data["resistance"], entry.data["renown"], base)
        else:
            made.cards[entry.name] = _card(made, entry, kinds)
            if "fey" in entry.data:
                made.fey[entry.name] = entry.data["fey"]


def _check_entry(entry: CardEntry, kinds: Mapping[str, str], alike: Mapping[str, str]) -> None:
    """Check the name, the fields and the numbers of a card, but not its rows; raises BadCards."""
    data, kind = entry.data, entry.kind
    entry.check_name("RT-33")
    if entry.name.casefold() in alike:
        other = alike[entry.name.casefold()]
        called = "of that name" if other == entry.name else f"{other}, which differs in capitals only,"
        raise entry.wrong(f"there is a {kinds[other]} {called} already", "RT-33")
    for key in data:
        if key not in ("name", *FIELDS[kind]):
            raise entry.wrong(
                f"[[{kind}]] has no field {quoted(key)}; its fields are {', '.join(('name', *FIELDS[kind]))}", "RT-33"
            )
    for key in ("rp", "influence", "resistance", "renown"):
        if key in FIELDS[kind]:
            _check_number(entry, key)
    types = data.get("types", [])
    are_types = isinstance(types, list) and all(isinstance(each, str) and each in TYPES for each in types)
    if not are_types or len(set(types)) != len(types):
        raise entry.wrong(f"types is a list of some of {', '.join(TYPES)}, each once, not {quoted(types)}", "RT-25")
    if kind == "equipment" and data.get("slot") not in SLOTS:
        raise entry.wrong(f"slot is one of {', '.join(SLOTS)}, not {quoted(data.get('slot'))}", "RT-13")
    plain = data.get("fey", "")
    if not isinstance(plain, str) or ("fey" in data and kinds.get(plain) != "equipment"):
        raise entry.wrong(f"fey names the plain Equipment that it is better than, not {quoted(plain)}", "RT-35")


def _check_number(entry: CardEntry, key: str) -> None:
    """Check that a field holds a whole number in its range; raises BadCards."""
    number = entry.data.get(key)
    most = MOST_RENOWN if key == "renown" else st.MOST_NUMBER
    least = -st.MOST_NUMBER if key in ("influence", "resistance") and entry.kind != "region" else int(key == "renown")
    if type(number) is not int or not least <= number <= most:
        given = "is missing" if number is None else f"cannot be {quoted(number)}"
        raise entry.wrong(f"{key} {given}: it takes a whole number from {least} to {most}", "RT-33")


def _card(made: ParsedSet, entry: CardEntry, kinds: Mapping[str, str]) -> Card:
    """Return a card of a file as the rules use it; raises BadCards for a wrong row."""
    data, card = entry.data, Card()
    card.name = entry.name
    card.kind = KINDS.index(entry.kind.capitalize())
    card.rp, card.influence, card.resistance = data["rp"], data.get("influence", 0), data.get("resistance", 0)
    for each in data.get("types", []):
        card.types |= TYPES[each]
    card.types |= st.ROUND_TABLE if card.types & st.GRAIL else 0
    card.slot = SLOTS.index(data["slot"]) if card.kind == st.EQUIPMENT else st.NONE
    card.step = sum(other.kind == st.DEMESNE for other in made.cards.values()) if card.kind == st.DEMESNE else st.NONE
    card.namesake = made.number(entry.name)
    given = data.get("rows", [])
    if not isinstance(given, list) or len(given) > st.ROWS or not all(isinstance(row, dict) for row in given):
        raise entry.wrong(f"rows is a list of at most {st.ROWS} rows in braces", "RT-33")
    rows = [_row(made, entry, card.kind, number, row, kinds) for number, row in enumerate(given, 1)]
    _check_together(entry, rows)
    card.row[: len(rows)] = rows
    card.rows_used = len(rows)
    _sum_up(card, rows)
    card.text = printed(card, rows, made.names, data.get("fey", ""))
    return card


def _sum_up(card: Card, rows: list[Row]) -> None:
    """Sum the rows of a card up in its fields, so that the rules can skip cards that do not matter."""
    card.task = st.TASK
    for row in rows:
        if row.when != st.ALWAYS:
            card.at |= 1 << row.when
        elif row.what == st.SUBTYPE and row.condition == st.IF_ANY:
            card.grants |= row.detail | (st.ROUND_TABLE if row.detail == st.GRAIL else 0)
        elif row.what == st.PERMIT and row.detail == st.IN_SUMMER:
            card.in_summer = 1
        else:
            card.always |= 1 << row.what
        if card.kind == st.REDIRECT and row.what in TASKS:
            card.task = row.what


def _row(
    made: ParsedSet, entry: CardEntry, kind: int, number: int, given: Mapping[str, Any], kinds: Mapping[str, str]
) -> Row:
    """Return a row of a file as the rules use it; raises BadCards."""

    def wrong(words: str, clause: str = "RT-33") -> BadCards:
        return entry.wrong(words, clause, number)

    def chosen(key: str, known: Mapping[str, int]) -> int:
        value = given.get(key)
        if not isinstance(value, str) or value not in known:
            raise wrong(f"{key} is one of {', '.join(known)}, not {quoted(value)}")
        return known[value]

    for key in given:
        if key not in ROW_FIELDS:
            raise wrong(f"a row has no field {quoted(key)}; its fields are some of {', '.join(ROW_FIELDS)}")
    row = Row()
    row.when, row.whom = chosen("when", vocabulary.MOMENTS), chosen("whom", vocabulary.WHOM)
    row.what = chosen("what", vocabulary.WHATS)
    allowed = RowShape.of(row.what)
    if row.when not in vocabulary.MOMENTS_OF[kind]:
        raise wrong(f"the moment {given['when']!r} never comes for {KIND_GROUPS[kind]}")
    if (row.when == st.ALWAYS) != (row.what in vocabulary.LASTING):
        lasts = "works always" if row.what in vocabulary.LASTING else "works at a moment"
        raise wrong(f"{given['what']!r} {lasts}, so when cannot be {given['when']!r}")
    if row.what in vocabulary.DETAILS:
        row.detail = chosen("detail", vocabulary.DETAILS[row.what])
    elif "detail" in given:
        raise wrong(f"{given['what']!r} takes no detail")
    if row.whom not in allowed.whom_for(row.detail):
        raise wrong(f"{given['what']!r} cannot work on {given['whom']!r}")
    row.amount = _amount(given, row, allowed, wrong)
    row.which, row.which_value = _which(made, given, row, kinds, wrong)
    row.condition, row.condition_value = _condition(made, given, kinds, wrong)
    if type(given.get("here", False)) is not bool:
        raise wrong(f"here is true or false, not {quoted(given['here'])}")
    row.here = int(given.get("here", False))
    _check_row(kind, given, row, wrong)
    return row


def _amount(given: Mapping[str, Any], row: Row, allowed: RowShape, wrong: Any) -> int:
    """Return the amount of a row, or 1 if it takes none; raises BadCards."""
    amount = given.get("amount")
    if not allowed.counted:
        if amount is not None:
            raise wrong(f"{given['what']!r} takes no amount")
        return 1
    if type(amount) is not int or amount == 0 or abs(amount) > st.MOST_NUMBER:
        missing = "is missing" if amount is None else f"cannot be {quoted(amount)}"
        raise wrong(f"amount {missing}: it takes a whole number other than 0, at most {st.MOST_NUMBER}")
    if amount < 0 and not allowed.signed:
        raise wrong(f"{given['what']!r} takes an amount above 0, not {amount}")
    return amount


def _which(
    made: ParsedSet, given: Mapping[str, Any], row: Row, kinds: Mapping[str, str], wrong: Any
) -> tuple[int, int]:
    """Return which Knights or cards a row names, and by which value; raises BadCards."""
    keys = [key for key in ("of", "named", "titled", "with", "kind") if key in given]
    if not keys:
        return st.ANY, 0
    if len(keys) > 1:
        raise wrong(f"a row names its Knights in one way, not both by {' and '.join(keys)}")
    if row.whom not in (st.OWN, st.OTHERS, st.OPPOSING):
        raise wrong(f"{keys[0]!r} is for rows on own, other or opposing Knights")
    key, value = keys[0], given[keys[0]]
    if not isinstance(value, str):
        raise wrong(f"{key} is words, not {quoted(value)}")
    if key in ("named", "titled"):
        expected = "knight" if key == "named" else "title"
        if kinds.get(value) != expected:
            raise wrong(f"there is no {expected} {quoted(value)}")
        return (st.BY_NAME if key == "named" else st.BY_TITLE), made.number(value)
    tables: dict[str, tuple[int, dict[str, int]]] = {
        "of": (st.BY_TYPE, TYPES),
        "with": (st.BY_EQUIPMENT, {slot: number for number, slot in enumerate(SLOTS)}),
        "kind": (st.BY_KIND, {group: number for number, group in enumerate(KIND_GROUPS) if number != st.DEMESNE}),
    }
    which, table = tables[key]
    if value not in table:
        raise wrong(f"{key} is one of {', '.join(table)}, not {quoted(value)}")
    if key == "kind" and row.what != st.RP:
        raise wrong("only RP can be changed for a kind of card")
    return which, table[value]


def _condition(made: ParsedSet, given: Mapping[str, Any], kinds: Mapping[str, str], wrong: Any) -> tuple[int, int]:
    """Return the condition of a row and its value; raises BadCards."""
    words = given.get("if", "")
    if not isinstance(words, str):
        raise wrong(f"if is words, not {quoted(words)}")
    head, _, rest = words.partition(" ")
    if not words:
        return st.IF_ANY, 0
    if head not in vocabulary.CONDITIONS:
        raise wrong(f"if begins with one of {', '.join(vocabulary.CONDITIONS)}, not {quoted(head)}")
    condition = vocabulary.CONDITIONS[head]
    if condition == st.IF_RENOWN and re.fullmatch("[1-9]", rest):
        return condition, int(rest)
    if condition == st.IF_EQUIPPED and rest in SLOTS:
        return condition, SLOTS.index(rest)
    if condition in (st.IF_IS, st.IF_KNIGHT) and rest in TYPES:
        return condition, TYPES[rest]
    if condition == st.IF_BESIDE and kinds.get(rest) == "knight":
        return condition, made.number(rest)
    plain = condition in (st.IF_OPPOSED, st.IF_ALONE, st.IF_TITLED, st.IF_BEHIND, st.IF_ACTIVE)
    if plain and not rest:
        return condition, 0
    raise wrong(f"the condition {quoted(words)} cannot be read: {quoted(rest)} does not follow {head}")


def _check_row(kind: int, given: Mapping[str, Any], row: Row, wrong: Any) -> None:
    """Refuse a row that contradicts itself or the kind of its card; raises BadCards."""
    if row.here and row.whom not in (st.OWN, st.OTHERS, st.OPPOSING):
        raise wrong("here is for rows on own, other or opposing Knights")
    if row.here and row.which == st.BY_KIND:
        raise wrong("here is for Knights, but a row with a kind is also for cards that are in no Region")
    if kind == st.QUEST and row.when in (st.ALWAYS, st.QUEST_DONE) and row.whom != st.BEARER:
        if row.condition not in (st.IF_ANY, st.IF_BEHIND, st.IF_ACTIVE):
            raise wrong(f"several Knights may be on a Quest, so {given['if']!r} is only for rows on the bearer")
        if row.when == st.QUEST_DONE and row.whom == st.OTHERS:
            raise wrong("several Knights may be on a Quest that is done, so 'others' does not say which")
    if row.here and kind in (st.QUEST, st.REDIRECT):
        raise wrong(f"a {KINDS[kind]} is in no Region, so it cannot say here")
    if row.what == st.RP and row.condition != st.IF_ANY:
        raise wrong(
            "RP are changed without a condition, or a card could become too dear after you paid for it", "RT-10"
        )
    if row.what == st.RP and (row.amount > 0) != (row.whom == st.OPPOSING):
        raise wrong("own cards can only cost less, and cards of opponents only more", "RT-10")
    if row.what == st.SUBTYPE and kind not in (st.EQUIPMENT, st.TITLE):
        raise wrong("only Equipment and Titles give a subtype; a Knight has types", "RT-25")
    if row.what == st.PERMIT and row.detail == st.IN_SUMMER and kind not in (st.KNIGHT, st.EQUIPMENT, st.TITLE):
        raise wrong(f"you play {KIND_GROUPS[kind]} in Summer anyway", "RT-16")
    if row.what == st.PERMIT and row.detail == st.IN_SUMMER and row.condition != st.IF_ANY:
        raise wrong("'in summer' works in the hand, so it takes no condition", "RT-16")


def _check_together(entry: CardEntry, rows: list[Row]) -> None:
    """Refuse rows of one card that contradict each other; raises BadCards."""
    said: dict[tuple[int, ...], int] = {}
    for number, row in enumerate(rows, 1):
        key = tuple(value for name, value in row.values() if name != "amount")
        if key in said:
            raise entry.wrong(f"it repeats row {said[key]}: write one row with one amount", "RT-33", number)
        said[key] = number
    tasks = [row for row in rows if row.when == st.PLAYED and row.what in TASKS]
    tasks = [row for row in tasks if entry.kind == "redirect" or row.whom == st.BEARER]
    for row in tasks:
        if row.what != tasks[0].what:
            words = "a card that is played resets, engages or returns, but not two of these"
            raise entry.wrong(words, "RT-19", 1 + rows.index(row))
