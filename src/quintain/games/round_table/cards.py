"""Round Table: reads sets of cards from TOML and checks them. RT-33, RT-35.

`vocabulary` says which words a row may have, `words` makes the printed text, and `cards.toml` holds the base set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from quintain.engine import BadCards, CardEntry, in_toml, read_entries, write_entries
from quintain.games.round_table import state as st
from quintain.games.round_table.card_fields import MOST_CARDS, VOCABULARY, base_entries
from quintain.games.round_table.state import Card, Row
from quintain.games.round_table.vocabulary import CONDITIONS, DETAILS, MOMENTS, WHATS, WHOM
from quintain.games.round_table.words import KIND_GROUPS, KINDS, SLOTS, TYPES, printed

ONLY_BASE = {kind.key for kind in VOCABULARY.kinds if kind.only_base}
SETS_KEPT = 16
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
    _add(made, [*base_entries().values()], base=True)
    return made


def _own_entries(text: str) -> list[CardEntry]:
    """Return the cards of a text that it adds to the base set, of which it may repeat cards; raises BadCards."""
    entries = read_entries(text, VOCABULARY)
    _check_once(entries)
    own = [entry for entry in entries if not _is_of_base(entry)]
    if not entries or len(own) > MOST_CARDS:
        raise BadCards(f"a set of your own has at least 1 and at most {MOST_CARDS} cards, not {len(own)} (RT-33)")
    for entry in own:
        if entry.kind in ONLY_BASE:
            known = ", ".join(kind.key for kind in VOCABULARY.kinds if not kind.only_base)
            raise entry.wrong(f"there is no kind of card {entry.kind!r} to add; the kinds are {known}", "RT-33")
    return own


def _check_once(entries: list[CardEntry]) -> None:
    """Refuse a second card of a name; raises BadCards."""
    seen = dict[str, int]()
    for entry in entries:
        alike = entry.name.casefold()
        if alike in seen and "name" in entry.data:
            raise entry.wrong(f"line {seen[alike]} has a card of this name already", "RT-33", key="name")
        seen[alike] = entry.line


def _is_of_base(entry: CardEntry) -> bool:
    """Tell whether a card is one of the base set, unchanged."""
    known = base_entries().get(entry.name)
    return known is not None and known.kind == entry.kind and _told(known) == _told(entry)


def _told(entry: CardEntry) -> str:
    """Return what a card says as text, in which 1, 1.0 and true differ."""
    return repr(sorted(entry.data.items()))


@lru_cache(SETS_KEPT)
def card_set(own: str) -> ParsedSet:
    """Return the base set with the cards of a file's text added; raises BadCards."""
    if not own:
        return base_set()
    base = base_set()
    made = ParsedSet(dict(base.cards), dict(base.regions), dict(base.fey), list(base.names))
    _add(made, _own_entries(own), base=False)
    return made


@lru_cache(SETS_KEPT)
def short_set(text: str) -> str:
    """Return the text of a file as a match keeps it: the cards that it adds, without remarks; raises BadCards."""
    return write_entries(_own_entries(text))


def _without_short(made: ParsedSet, entry: CardEntry) -> CardEntry:
    """Keep the short name of a card of the base set apart, if it has one, and return the rest of the entry.

    Raises BadCards for another short name than that of the base set.
    """
    if "short" in entry.data and (known := base_entries().get(entry.name)):
        short = known.data.get("short")
        if entry.data["short"] != short:
            right = f"the short name of the base set, {short}" if short else "left out here, as in the base set"
            raise entry.wrong(f"short is {right}, not {in_toml(entry.data['short'])}", "RT-33", key="short")
        made.short[entry.name] = short
    return replace(entry, data={key: value for key, value in entry.data.items() if key != "short"})


def _add(made: ParsedSet, entries: list[CardEntry], base: bool) -> None:
    """Add cards to a set, or put them in the place of those with their names; raises BadCards."""
    kinds = {name: KINDS[card.kind].lower() for name, card in made.cards.items()}
    kinds |= dict.fromkeys(made.regions, "region")
    names = {name.casefold(): name for name in kinds}
    for entry in entries:
        _check_name(entry, kinds, names)
        kinds[entry.name] = entry.kind
    for entry in [_without_short(made, entry) for entry in entries]:
        entry.check(f"[[{entry.kind}]]", VOCABULARY.fields(entry.kind, entry.data, kinds))
        if entry.kind == "region":
            is_base = base or entry.name in base_entries()
            made.regions[entry.name] = RegionCard(entry.name, entry.data["resistance"], entry.data["renown"], is_base)
        else:
            made.cards[entry.name] = _card(made, entry)
            made.fey.pop(entry.name, None)
            if "fey" in entry.data:
                made.fey[entry.name] = entry.data["fey"]


def _check_name(entry: CardEntry, kinds: Mapping[str, str], names: Mapping[str, str]) -> None:
    """Refuse a name that is none, or that a card of another kind has; raises BadCards."""
    entry.check_name("RT-33")
    alike = entry.name.casefold()
    if alike in names and names[alike] != entry.name:
        other = names[alike]
        raise entry.wrong(f"there is a {kinds[other]} {other}, which differs in capitals only", "RT-33", key="name")
    if alike in names and kinds[entry.name] != entry.kind:
        words = f"the base set has a {kinds[entry.name]} of that name, so a card in its place is a {kinds[entry.name]}"
        raise entry.wrong(words, "RT-33", key="name")


def _card(made: ParsedSet, entry: CardEntry) -> Card:
    """Return a card of a checked entry as the rules use it; raises BadCards for rows that contradict each other."""
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
    rows = [_row(made, row) for row in data.get("rows", [])]
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


def _row(made: ParsedSet, given: Mapping[str, Any]) -> Row:
    """Return a checked row of a file as the rules use it."""
    row = Row()
    row.when, row.whom = MOMENTS[given["when"]], WHOM[given["whom"]]
    row.what, row.amount = WHATS[given["what"]], given.get("amount", 1)
    if "detail" in given:
        row.detail = DETAILS[row.what][given["detail"]]
    row.which, row.which_value = _which(made, given)
    row.condition, row.condition_value = _condition(made, given)
    row.here = int(given.get("here", False))
    return row


def _which(made: ParsedSet, given: Mapping[str, Any]) -> tuple[int, int]:
    """Return which Knights or cards a row names, and by which value."""
    if "of" in given:
        return st.BY_TYPE, TYPES[given["of"]]
    if "named" in given:
        return st.BY_NAME, made.number(given["named"])
    if "titled" in given:
        return st.BY_TITLE, made.number(given["titled"])
    if "with" in given:
        return st.BY_EQUIPMENT, SLOTS.index(given["with"])
    return (st.BY_KIND, KIND_GROUPS.index(given["kind"])) if "kind" in given else (st.ANY, 0)


def _condition(made: ParsedSet, given: Mapping[str, Any]) -> tuple[int, int]:
    """Return the condition of a row and its value."""
    if "if" not in given:
        return st.IF_ANY, 0
    head, _, rest = given["if"].partition(" ")
    condition = CONDITIONS[head]
    if condition == st.IF_RENOWN:
        return condition, int(rest)
    if condition == st.IF_EQUIPPED:
        return condition, SLOTS.index(rest)
    if condition == st.IF_BESIDE:
        return condition, made.number(rest)
    return condition, TYPES[rest] if rest else 0


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
