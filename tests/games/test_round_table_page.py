"""Round Table: docs/round-table.md names every word that cards of your own may use."""

import re
from pathlib import Path

import pytest

from quintain.games.round_table import state as st
from quintain.games.round_table.card_fields import FIELDS, row_fields
from quintain.games.round_table.vocabulary import CONDITIONS, DETAILS, MOMENTS, WHATS, WHOM
from quintain.games.round_table.words import SLOTS, TYPES

PAGE = (Path(__file__).parents[2] / "docs" / "round-table.md").read_text(encoding="utf-8")
WORDS = {
    "when": {"when", *MOMENTS},
    "whom": {"whom", *WHOM},
    "if": {"if", *CONDITIONS},
    "what": {"what", *WHATS},
}


def words_in_code(start: str) -> set[str]:
    """Return the words in code in the line of a table that begins like this."""
    (line,) = re.findall(rf"^\| {re.escape(start)}.*$", PAGE, re.MULTILINE)
    return set(re.findall("`([^`]+)`", line))


@pytest.mark.parametrize("field", WORDS)
def test_the_page_names_the_words_of_a_row_and_no_others(field: str):
    assert words_in_code(f"`{field}`") == WORDS[field]


def test_the_page_names_the_details_of_a_row():
    details = {word for known in DETAILS.values() for word in known} - set(SLOTS) - set(TYPES)
    assert details <= words_in_code("`detail`") <= details | set(WHATS) | {"detail"}


def test_the_page_names_the_fields_of_every_card_and_row():
    for kind in set(FIELDS) - {"demesne"}:
        line = next(line for line in PAGE.splitlines() if line.startswith("|") and f"`[[{kind}]]`" in line)
        assert set(re.findall("`([a-z]+)`", line)) == set(FIELDS[kind])
    cells = re.findall(r"^\| `([^|]+)` \|", PAGE.partition("| in a row |")[2], re.MULTILINE)
    assert {field for cell in cells for field in cell.split("`, `")} == {
        field.key for field in row_fields(st.KNIGHT, {}, ())
    }
