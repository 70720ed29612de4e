"""The vocabulary of sets: what is wrong with a card by its fields, and the reading and writing of sets."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from quintain.engine.cards import check_numbers, read_entries, write_entries
from quintain.engine.errors import BadCards
from quintain.engine.vocabulary import Refusal, SetField, SetKind, Vocabulary, faults

ROW = (
    SetField("who", "choice", "Who", "X-3", choices={"me": "I", "you": "you"}),
    SetField("far", "switch", "Far", "X-3", may_miss=True, refused={"": Refusal("nobody is far", "X-4")}),
)
FIELDS = (
    SetField("name", "name", "Name", "X-1"),
    SetField("cost", "number", "Cost", "X-1", least=0, most=9),
    SetField("change", "number", "Change", "X-1", may_miss=True, least=-2, most=2, zero=False),
    SetField("sides", "numbers", "Sides", "X-1", may_miss=True, least=-9, most=9, parts=("up", "down"), lows=(-9, 0)),
    SetField("track", "numbers", "Track", "X-1", may_miss=True, least=0, most=9, count=(2, 3), step=-1),
    SetField("kin", "choices", "Kin", "X-1", may_miss=True, count=(1, 2), choices={"elf": "Elf", "imp": "Imp"}),
    SetField("foe", "choice", "Foe", "X-1", "a foe has a name", may_miss=True, noun="foe", choices={"Grim": "Grim"}),
    SetField("rows", "rows", "Rows", "X-2", may_miss=True, count=(0, 2), rows=(ROW, ROW)),
)


class Sets(Vocabulary):
    clause = "X-9"
    kinds = (
        SetKind("beast", "Beast", "beasts", 1, 2),
        SetKind("land", "Land", "tables of the land", most=1, is_table=True, may_miss=True),
    )

    def fields(self, kind: str, data: Mapping[str, Any], names: Mapping[str, str]) -> tuple[SetField, ...]:
        return FIELDS


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"cost": 0}, []),
        ({"cost": 9, "change": -2, "sides": [-9, 0], "track": [3, 1], "kin": ["imp"], "foe": "Grim"}, []),
        ({"cost": 1, "rows": [{"who": "me"}, {"who": "you"}]}, []),
        ({}, ["cost | None | cost is missing: it takes a whole number from 0 to 9 | X-1"]),
        ({"cost": 10}, ["cost | None | cost cannot be 10: it takes a whole number from 0 to 9 | X-1"]),
        ({"cost": True}, ["cost | None | cost cannot be true: it takes a whole number from 0 to 9 | X-1"]),
        (
            {"cost": 1, "change": 0},
            ["change | None | change cannot be 0: it takes a whole number from -2 to 2, but not 0 | X-1"],
        ),
        (
            {"cost": 1, "sides": [0, -1]},
            [
                "sides | None | sides, down cannot be -1: it takes a whole number from 0 to 9 | X-1",
            ],
        ),
        (
            {"cost": 1, "track": [1, 2]},
            ["track | None | track, step 2: each step has to be less than the one before it, so 0 or less | X-1"],
        ),
        (
            {"cost": 1, "kin": []},
            ["kin | None | kin has nothing in it: it is a list of some of elf, imp, each once | X-1"],
        ),
        (
            {"cost": 1, "kin": ["elf", "elf"]},
            ["kin | None | kin has 'elf' twice: it is a list of some of elf, imp, each once | X-1"],
        ),
        (
            {"cost": 1, "foe": "Grimm"},
            ["foe | None | there is no foe 'Grimm'; perhaps Grim; a foe has a name | X-1"],
        ),
        ({"cost": 1, "foe": 3}, ["foe | None | foe is a text, not 3; a foe has a name | X-1"]),
        ({"cost": 1, "rows": [{}] * 3}, None),
        (
            {"cost": 1, "rows": [{"who": "me", "far": True}, {"who": "he", "when": 1}]},
            [
                "far | 1 | nobody is far | X-4",
                "when | 2 | a row has no field 'when'; its fields are who, far | X-3",
                "who | 2 | who is one of me, you, not 'he' | X-3",
            ],
        ),
        ({"cost": 1, "wings": 2}, None),
    ],
)
def test_each_fault_of_a_card_is_named_with_field_row_and_clause(data: dict[str, Any], found: list[str] | None) -> None:
    told = [" | ".join(map(str, fault)) for fault in faults("a beast", FIELDS, data)]
    assert told == found if found is not None else len(told) == 1


SET = """# two beasts
[[beast]]
name = "Grim"
cost = 1

[land]
cost = 2

[[beast]]
name = "Ogg"
cost = 3
"""


def test_a_set_reads_the_same_after_it_is_written_and_knows_its_lines() -> None:
    entries = read_entries(SET, Sets())
    assert [(entry.kind, entry.line, entry.name, entry.is_table) for entry in entries] == [
        ("beast", 2, "Grim", False),
        ("land", 6, "the land", True),
        ("beast", 9, "Ogg", False),
    ]
    again = read_entries(write_entries(entries), Sets())
    assert [(entry.kind, entry.data) for entry in again] == [(entry.kind, entry.data) for entry in entries]
    inline = read_entries('land = {cost = 2}\nbeast = [{name = "Grim", cost = 1}]', Sets())
    assert [(entry.kind, entry.line) for entry in inline] == [("land", 1), ("beast", 2)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[land]]\ncost = 1", "this is not a card: 'land'; the kinds are beast, land (X-9)"),
        ("[beast]\ncost = 1", "this is not a card: 'beast'"),
        ("[[troll]]\ncost = 1", "line 1, a troll: there is no kind of card 'troll'; the kinds are beast, land (X-9)"),
        ("cost = 1", "this is not a card: 'cost'"),
        ("beast = [1]", "this is not a card: 'beast'"),
        ("[[beast]\n", "the cards cannot be read"),
    ],
)
def test_a_text_that_is_no_set_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadCards, match=re.escape(words)):
        read_entries(text, Sets())


def test_a_set_has_as_many_cards_of_a_kind_as_its_vocabulary_says() -> None:
    beast = read_entries("[[beast]]\ncost = 1", Sets())
    check_numbers(beast * 2, Sets())
    for entries, words in (
        (beast * 3, "a set has at most 2 beasts, not 3"),
        ([], "a set has at least 1 beasts, not 0"),
    ):
        with pytest.raises(BadCards, match=words):
            check_numbers(entries, Sets())


def test_an_error_says_where_it_is_for_programs_too() -> None:
    entry = read_entries('[[beast]]\nname = "Grim"\ncost = 1\nrows = [{who = "he"}]', Sets())[0]
    with pytest.raises(BadCards) as refused:
        entry.check("a beast", FIELDS)
    assert (refused.value.line, refused.value.row, refused.value.key) == (1, 1, "who")
    assert str(refused.value) == "line 1, Grim, row 1: who is one of me, you, not 'he' (X-3)"
