"""Round Table: the fields of a card in a set, and what each takes given those before it. RT-33.

`vocabulary` has the words of rows, and `cards` checks sets by these fields. Rows may name cards of the base set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from quintain.engine import CardEntry, Refusal, SetField, SetKind, Vocabulary, in_toml, read_entries
from quintain.games.round_table import state as st
from quintain.games.round_table import vocabulary as words
from quintain.games.round_table.vocabulary import RowShape
from quintain.games.round_table.words import KIND_GROUPS, KINDS, SLOTS, TYPES

MOST_CARDS, MOST_RENOWN = 400, 9
NUMBERS = {"rp": "RP", "influence": "Influence", "resistance": "Resistance", "renown": "Renown"}
FIELDS = {
    "knight": ("rp", "influence", "resistance", "types", "rows"),
    "equipment": ("rp", "influence", "resistance", "slot", "fey", "rows"),
    "title": ("rp", "influence", "resistance", "rows"),
    "quest": ("rp", "rows"),
    "redirect": ("rp", "rows"),
    "region": ("resistance", "renown"),
    "demesne": ("rp",),
}
MANY = (st.OWN, st.OTHERS, st.OPPOSING)
"""Whom a row may narrow down by a name, a type and so on."""
CLAIMS = {"of": "Of type", "named": "Named", "titled": "With the Title", "with": "With", "kind": "Cards of kind"}
PLAIN = ("opposed", "alone", "titled", "behind", "active")
ABOUT_PLAYERS = ("behind", "active")
"""The conditions that do not ask about a Knight."""
DEAR = Refusal("RP are changed without a condition, or a card could become too dear after you paid for it", "RT-10")
SUMMER = "you play {} in Summer anyway"


class RoundTableVocabulary(Vocabulary):
    """What the cards of each kind say."""

    clause = "RT-33"
    kinds = (
        SetKind("knight", "Knight", "Knights", most=MOST_CARDS),
        SetKind("equipment", "Equipment", "pieces of Equipment", most=MOST_CARDS),
        SetKind("title", "Title", "Titles", most=MOST_CARDS),
        SetKind("quest", "Quest", "Quests", most=MOST_CARDS),
        SetKind("redirect", "Redirect", "Redirects", most=MOST_CARDS),
        SetKind("region", "Region", "Regions", most=MOST_CARDS),
        SetKind("demesne", "Demesne", "Demesnes", most=MOST_CARDS, only_base=True),
    )

    def names(self, entries: Sequence[tuple[str, Mapping[str, Any]]]) -> Mapping[str, str]:
        """Return the kind of each name: of the base set, and of these cards."""
        return {name: entry.kind for name, entry in base_entries().items()} | dict(super().names(entries))

    def fields(self, kind: str, data: Mapping[str, Any], names: Mapping[str, str]) -> tuple[SetField, ...]:
        """Return the fields of a card of this kind."""
        known = tuple(names.items())
        made = {
            "types": SetField("types", "choices", "Types", "RT-25", may_miss=True, choices=_same(TYPES)),
            "slot": SetField("slot", "choice", "Slot", "RT-13", choices=_same(SLOTS)),
            "fey": SetField(
                "fey",
                "choice",
                "Better than",
                "RT-35",
                "fey names the plain Equipment that it is better than",
                may_miss=True,
                choices=_named(known, "equipment"),
                noun="Equipment",
                refused={data["name"]: Refusal("a piece is not better than itself", "RT-35")} if "name" in data else {},
            ),
        }
        called = [SetField("name", "name", "Name", "RT-33")]
        if data.get("name") in base_entries():
            called.append(SetField("short", "name", "Short name", "RT-33", "of the base set only", may_miss=True))
        fields = (
            _rows(kind, data, known) if key == "rows" else made[key] if key in made else _number(kind, key)
            for key in FIELDS[kind]
        )
        return (*called, *fields)


VOCABULARY = RoundTableVocabulary()


def base_text() -> str:
    """Return the text of the base set."""
    return Path(__file__).with_name("cards.toml").read_text(encoding="utf-8")


@cache
def base_entries() -> dict[str, CardEntry]:
    """Return the cards of the base set, by name."""
    return {entry.name: entry for entry in read_entries(base_text(), VOCABULARY)}


def _same(values: Sequence[str] | Mapping[str, int]) -> dict[str, str]:
    return {value: value for value in values}


@lru_cache(64)
def _named(known: tuple[tuple[str, str], ...], kind: str) -> dict[str, str]:
    """Return the names of one kind; the same dictionary serves all rows of a set."""
    return {name: name for name, of in known if of == kind}


def _number(kind: str, key: str) -> SetField:
    most = MOST_RENOWN if key == "renown" else st.MOST_NUMBER
    signed = key in ("influence", "resistance") and kind != "region"
    return SetField(key, "number", NUMBERS[key], "RT-33", least=-most if signed else int(key == "renown"), most=most)


def _rows(kind: str, data: Mapping[str, Any], known: tuple[tuple[str, str], ...]) -> SetField:
    given = data.get("rows")
    there = [row for row in given if isinstance(row, dict)] if isinstance(given, list) else []
    rows = tuple(row_fields(KINDS.index(kind.capitalize()), row, known) for row in [*there, {}])
    return SetField("rows", "rows", "Rows", "RT-33", may_miss=True, count=(0, st.ROWS), rows=rows)


def row_fields(kind: int, row: Mapping[str, Any], known: tuple[tuple[str, str], ...]) -> tuple[SetField, ...]:
    """Return the fields of an effect row on a card of this kind, given what the row says so far."""
    when, whom, what = (_word(row, key, table) for key, table in _TABLES.items())
    shape = RowShape.of(what) if what is not None else None
    details = words.DETAILS.get(what, {}) if what is not None else {}
    return (
        SetField("when", "choice", "When", "RT-33", choices=MOMENTS, refused=_moments(kind)),
        SetField("whom", "choice", "On whom", "RT-33", choices=WHOM, refused=_whom(kind, when)),
        SetField("here", "switch", "Only in its Region", "RT-33", may_miss=True, refused=_here(kind, whom)),
        *(_claim(key, row, whom, known) for key in CLAIMS),
        SetField(
            "if",
            "choice",
            "If",
            "RT-33",
            f"if begins with one of {', '.join(words.CONDITIONS)}",
            may_miss=True,
            choices=_conditions(known),
            noun="condition",
            refused=_if(kind, row, when, whom, known),
        ),
        SetField("what", "choice", "What", "RT-33", choices=WHATS, refused=_what(kind, row, when, whom)),
        SetField(
            "detail",
            "choice",
            "Which",
            "RT-33",
            choices=_same(details),
            refused=_detail(kind, row, whom, what),
        ),
        _amount(row, whom, what, shape),
    )


_TABLES = {"when": words.MOMENTS, "whom": words.WHOM, "what": words.WHATS}
MOMENTS = {
    "always": "always",
    "recruited": "when recruited",
    "attacks": "when it attacks",
    "captures": "when it captures",
    "quested": "when it goes on a Quest",
    "quest done": "when the Quest is done",
    "each winter": "each Winter",
    "played": "when played",
}
WHOM = {
    "bearer": "the Knight itself",
    "own": "your Knights",
    "others": "your other Knights",
    "opposing": "opposing Knights",
    "you": "you",
    "opponents": "each opponent",
}
WHATS = _same(words.WHATS)


def _word(row: Mapping[str, Any], key: str, table: Mapping[str, int]) -> int | None:
    value = row.get(key)
    return table.get(value) if isinstance(value, str) else None


@lru_cache(64)
def _conditions(known: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return all conditions that a row may have."""
    return _same(
        [
            *PLAIN,
            *(f"renown {number}" for number in range(1, 10)),
            *(f"with {slot}" for slot in SLOTS),
            *(f"{head} {each}" for head in ("is", "besides") for each in TYPES),
            *(f"beside {name}" for name in _named(known, "knight")),
        ]
    )


@lru_cache(len(KINDS))
def _moments(kind: int) -> dict[str, Refusal]:
    never = f"this moment never comes for {KIND_GROUPS[kind]}"
    return {word: Refusal(never, "RT-33") for word, when in words.MOMENTS.items() if when not in words.MOMENTS_OF[kind]}


def _whom(kind: int, when: int | None) -> dict[str, Refusal]:
    if kind == st.QUEST and when == st.QUEST_DONE:
        return {"others": Refusal("several Knights may be on a Quest that is done: it does not say which", "RT-33")}
    return {}


def _here(kind: int, whom: int | None) -> dict[str, Refusal]:
    if kind in (st.QUEST, st.REDIRECT):
        return {"": Refusal(f"a {KINDS[kind]} is in no Region, so it cannot say here", "RT-33")}
    return {} if whom in MANY else {"": Refusal("here is for rows on own, other or opposing Knights", "RT-33")}


def _claim(key: str, row: Mapping[str, Any], whom: int | None, known: tuple[tuple[str, str], ...]) -> SetField:
    """Return one of the fields that name which of several Knights, or which cards, a row is for."""
    choices, noun = {
        "of": (_same(TYPES), ""),
        "named": (_named(known, "knight"), "knight"),
        "titled": (_named(known, "title"), "title"),
        "with": (_same(SLOTS), ""),
        "kind": (_same(KIND_GROUPS[1:]), ""),
    }[key]
    before = [other for other in CLAIMS if other in row and other != key]
    refused = {}
    if whom not in MANY:
        refused[""] = Refusal(f"{key!r} is for rows on own, other or opposing Knights", "RT-33")
    elif before and list(CLAIMS).index(before[0]) < list(CLAIMS).index(key):
        why = f"a row names its Knights in one way, not both by {before[0]!r} and {key!r}"
        refused[""] = Refusal(why, "RT-33")
    elif key == "kind" and _word(row, "when", words.MOMENTS) not in (st.ALWAYS, None):
        refused[""] = Refusal("kind is for rows that change RP, which they do always", "RT-33")
    elif key == "kind" and row.get("here"):
        why = "here is for Knights, but a row with a kind is also for cards that are in no Region"
        refused[""] = Refusal(why, "RT-33")
    return SetField(key, "choice", CLAIMS[key], "RT-33", may_miss=True, choices=choices, noun=noun, refused=refused)


def _if(
    kind: int, row: Mapping[str, Any], when: int | None, whom: int | None, known: tuple[tuple[str, str], ...]
) -> dict[str, Refusal]:
    if "kind" in row:
        return {"": DEAR}
    if kind != st.QUEST or when not in (st.ALWAYS, st.QUEST_DONE) or whom == st.BEARER:
        return {}
    why = Refusal("several Knights may be on a Quest, so this is only for rows on the bearer", "RT-33")
    return {condition: why for condition in _conditions(known) if condition not in ABOUT_PLAYERS}


def _what(kind: int, row: Mapping[str, Any], when: int | None, whom: int | None) -> dict[str, Refusal]:
    refused = dict[str, Refusal]()
    for word, what in words.WHATS.items():
        lasts = what in words.LASTING
        details = words.DETAILS.get(what, {"": 0}).values()
        if when is not None and (when == st.ALWAYS) != lasts:
            works = "works always" if lasts else "works at a moment"
            refused[word] = Refusal(f"it {works}, so when cannot be {row['when']!r}", "RT-33")
        elif whom is not None and not any(whom in RowShape.of(what).whom_for(detail) for detail in details):
            refused[word] = Refusal(f"it cannot work on {row['whom']!r}", "RT-33")
        elif what == st.RP and "if" in row:
            refused[word] = DEAR
        elif what != st.RP and "kind" in row:
            refused[word] = Refusal("only RP can be changed for a kind of card", "RT-33")
        elif what == st.SUBTYPE and kind not in (st.EQUIPMENT, st.TITLE):
            refused[word] = Refusal("only Equipment and Titles give a subtype; a Knight has types", "RT-25")
    return refused


def _detail(kind: int, row: Mapping[str, Any], whom: int | None, what: int | None) -> dict[str, Refusal]:
    if what is None or what not in words.DETAILS:
        return {"": Refusal(f"{in_toml(row.get('what'))} takes no detail", "RT-33")}
    refused = dict[str, Refusal]()
    for word, detail in words.DETAILS[what].items():
        if whom is not None and whom not in RowShape.of(what).whom_for(detail):
            refused[word] = Refusal(f"it cannot work on {row['whom']!r}", "RT-33")
        elif what == st.PERMIT and detail == st.IN_SUMMER:
            if kind not in (st.KNIGHT, st.EQUIPMENT, st.TITLE):
                refused[word] = Refusal(SUMMER.format(KIND_GROUPS[kind]), "RT-16")
            elif "if" in row:
                refused[word] = Refusal("it works in the hand, so it takes no condition", "RT-16")
    return refused


def _amount(row: Mapping[str, Any], whom: int | None, what: int | None, shape: RowShape | None) -> SetField:
    least, most, hint, refused = -st.MOST_NUMBER, st.MOST_NUMBER, "", dict[str, Refusal]()
    clause = "RT-33"
    if shape is not None and not shape.counted:
        refused[""] = Refusal(f"{row['what']!r} takes no amount", clause)
    elif shape is not None and not shape.signed:
        least = 1
    elif what == st.RP:
        least, most = (1, most) if whom == st.OPPOSING else (least, -1)
        hint, clause = "own cards can only cost less, and cards of opponents only more", "RT-10"
    return SetField("amount", "number", "Amount", clause, hint, least=least, most=most, zero=False, refused=refused)
