"""Helpers for the tests of Round Table: random sets of cards of everything that the vocabulary allows, and decks."""

import random
from dataclasses import dataclass
from functools import cache, lru_cache

from quintain.engine.errors import BadCards
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import base_set, card_set
from quintain.games.round_table.vocabulary import (
    CONDITIONS,
    DETAILS,
    LASTING,
    MOMENTS,
    MOMENTS_OF,
    WHATS,
    WHOM,
    RowShape,
)
from quintain.games.round_table.words import KIND_GROUPS, KINDS, SLOTS, TYPES

KNIGHTS = tuple(f"Sir {letter}" for letter in "ABCDEFGH")
HOSTS = tuple(f"Host {letter}" for letter in "ABCD")
"""Generic Knights; a deck has several of each."""
TITLES = tuple(f"Title {letter}" for letter in "ABCDEF")
PIECES = tuple(f"Piece {letter}" for letter in "ABCDEFGH")
QUESTS = tuple(f"Quest {letter}" for letter in "ABCDEFG")
REDIRECTS = tuple(f"Redirect {letter}" for letter in "ABCDEFG")
REGIONS = tuple(f"Land {letter}" for letter in "ABCDEFG")
TRIES = 12
OFTEN = (st.RP, st.SUBTYPE, st.IMMUNE, st.PERMIT, st.RESET, st.ENGAGE, st.RETURN)
"""The things that random rows do three times as often as others."""
CLAIMS = ("of", "named", "titled", "with")


@dataclass
class OwnSet:
    """A set of cards, the decks of the seats, and the Regions of a match."""

    cards: str
    decks: list[str]
    regions: list[str]


def word_of(table: dict[str, int], number: int) -> str:
    return next(word for word, value in table.items() if value == number)


def random_row(chooser: random.Random, kind: int, theme: int) -> dict[str, str | int | bool]:
    """Return a random row with the fields that it needs; it may contradict itself."""
    often = [when for when in MOMENTS_OF[kind] if when in (st.ALWAYS, theme)]
    when = chooser.choice([*MOMENTS_OF[kind], *often * 5])
    whats = [number for number in WHATS.values() if (number in LASTING) == (when == st.ALWAYS)]
    what = chooser.choice([*whats, *(number for number in whats for _ in range(2) if number in OFTEN)])
    row: dict[str, str | int | bool] = {"when": word_of(MOMENTS, when), "what": word_of(WHATS, what)}
    detail = 0
    if what in DETAILS:
        row["detail"] = chooser.choice([*DETAILS[what], *(["stay", "stay"] if what == st.PERMIT else [])])
        detail = DETAILS[what][str(row["detail"])]
    rule = RowShape.of(what)
    whom = chooser.choice(rule.whom_for(detail))
    row["whom"] = word_of(WHOM, whom)
    costs = what == st.RP
    if rule.counted:
        less = whom != st.OPPOSING if costs else rule.signed and chooser.random() < 0.4
        row["amount"] = chooser.choice([1, 1, 2, 3]) * (-1 if less else 1)
    if whom in (st.OWN, st.OTHERS, st.OPPOSING):
        if chooser.random() < (0.8 if costs else 0.5):
            key, value = random_claim(chooser, "kind" if costs and chooser.random() < 0.8 else chooser.choice(CLAIMS))
            row[key] = value
        if chooser.random() < 0.3:
            row["here"] = True
    if not costs and chooser.random() < 0.4:
        row["if"] = random_condition(chooser)
    return row


def random_claim(chooser: random.Random, key: str) -> tuple[str, str]:
    """Return which Knights, or which kind of cards, a row names."""
    values = {
        "of": list(TYPES),
        "named": [*KNIGHTS[:3], *HOSTS, "Knight Errant"],
        "titled": [*TITLES[:3], "Baron"],
        "with": list(SLOTS),
        "kind": list(KIND_GROUPS[1:]),
    }
    return key, chooser.choice(values[key])


def random_condition(chooser: random.Random) -> str:
    head = chooser.choice([*CONDITIONS, "beside", "beside"])
    rest = {
        "renown": ["1", "2", "3"],
        "with": list(SLOTS),
        "beside": [*KNIGHTS[:2], *HOSTS, *HOSTS, "Knight Errant"],
        "is": list(TYPES),
        "besides": list(TYPES),
    }.get(head)
    return f"{head} {chooser.choice(rest)}" if rest else head


def toml(kind: str, name: str, fields: dict[str, object], rows: list[dict[str, str | int | bool]]) -> str:
    """Return a card as the text of a set of cards."""
    lines = [f"[[{kind}]]", f'name = "{name}"', *(f"{key} = {written(value)}" for key, value in fields.items())]
    if rows:
        lines.append(f"rows = [{', '.join('{ ' + in_words(row) + ' }' for row in rows)}]")
    return "\n".join(lines) + "\n"


def in_words(row: dict[str, str | int | bool]) -> str:
    return ", ".join(f"{key} = {written(value)}" for key, value in row.items())


def written(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


@cache
def stubs(but: str) -> str:
    """Return cards without rows for all names that rows use, except one card."""
    numbers: dict[str, object] = {"rp": 0, "influence": 0, "resistance": 0}
    knights = [toml("knight", name, numbers, []) for name in (*KNIGHTS[:3], *HOSTS) if name != but]
    return "".join(knights + [toml("title", name, numbers, []) for name in TITLES[:3] if name != but])


def random_card(chooser: random.Random, kind: str, name: str, theme: int) -> str:
    """Return a random card that the reader of card sets accepts."""
    fields: dict[str, object] = {"rp": chooser.choice([0, 0, 0, 0, 1, 2])}
    if kind in ("knight", "title", "equipment"):
        most = 5 if kind == "knight" else 2
        fields |= {"influence": chooser.randint(-1, most), "resistance": chooser.randint(-1, most - 1)}
    if kind == "knight":
        types = chooser.sample([word for word in TYPES if word != "generic"], chooser.choice([0, 1, 1, 2]))
        fields["types"] = [*types, *(["generic"] if name in HOSTS else [])]
    if kind == "equipment":
        fields["slot"] = chooser.choice(SLOTS)
    rows: list[dict[str, str | int | bool]] = []
    wanted = chooser.choice([1, 2, 2, 3, 4])
    for _ in range(TRIES):
        row = random_row(chooser, KINDS.index(kind.capitalize()), theme)
        if len(rows) < wanted and is_allowed(stubs(name) + toml(kind, name, fields, [*rows, row])):
            rows.append(row)
    return toml(kind, name, fields, rows)


def is_allowed(cards: str) -> bool:
    try:
        card_set.__wrapped__(cards)
    except BadCards:
        return False
    return True


@lru_cache(32)
def random_set(seed: int, seats: int) -> OwnSet:
    """Make up a set of cards, a deck for each seat, and the Regions to play for.

    Many cards of a set have rows for the same moment, so that they meet.
    """
    chooser = random.Random(seed)
    theme = chooser.choice([st.ATTACKS, st.ATTACKS, st.CAPTURES, st.QUESTED, st.QUEST_DONE, st.EACH_WINTER])
    kinds = {"knight": (*KNIGHTS, *HOSTS), "equipment": PIECES, "title": TITLES, "quest": QUESTS, "redirect": REDIRECTS}
    cards = [random_card(chooser, kind, name, theme) for kind, names in kinds.items() for name in names]
    lands = [
        toml("region", name, {"resistance": chooser.randint(0, 12), "renown": chooser.randint(1, 3)}, [])
        for name in REGIONS
    ]
    decks = [random_deck(chooser) for _ in range(seats)]
    regions = chooser.sample(REGIONS, 7)
    return OwnSet("".join([*cards, *lands]), decks, regions)


def random_deck(chooser: random.Random) -> str:
    """Return a deck of most cards of the set and some cards of the base set."""
    copies = {name: 1 for name in KNIGHTS if chooser.random() < 0.5}
    copies |= dict.fromkeys(HOSTS, 3)
    for names in (PIECES, TITLES, QUESTS, REDIRECTS):
        copies |= {name: chooser.choice([1, 2, 2]) for name in names if chooser.random() < 0.9}
    base = [name for name, card in base_set().cards.items() if card.kind not in (st.DEMESNE, st.QUEST, st.REDIRECT)]
    copies |= dict.fromkeys(chooser.sample(base, 4), 1)
    copies["Knight Errant"] = max(2, 40 - sum(copies.values()))
    main = "\n".join(f"{count} {name}" for name, count in copies.items())
    return f"Main\n{main}\n\nDemesne\n10 Farm\n6 Manor\n4 Large Manor\n2 Keep\n"
