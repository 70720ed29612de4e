"""Texts in TOML: reading agrees with tomllib, and texts that would take long to read are refused at once."""

import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from quintain.engine.errors import BadOption
from quintain.engine.names import composed
from quintain.engine.rules.options import MOST_FILES, MOST_NAMES, Option
from quintain.engine.toml import MOST_DEPTH, MOST_TEXT, plain_text, read_toml, toml, toml_lines

LONG = ".".join("a" * 5_000)
SNIPPETS = ["'", '"', "'''", '"""', "\\", "#", "\n", "=", "a", "b", "1", ".", "[", "]", "[[", "]]", "{", "}", ",", " "]
VALUES = some.recursive(
    some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(),
    lambda values: some.lists(values, max_size=3) | some.dictionaries(some.text(max_size=3), values, max_size=3),
)


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG} = 1",
        f"[{LONG}]",
        f"[[{LONG}]]",
        f"b = {{{LONG} = 1}}",
        LONG.replace(".", " . ") + " = 1",
        LONG.replace("a", '"a"') + " = 1",
        LONG.replace("a", "'a.b'") + " = 1",
        f'b = """one"""" # "\n{LONG} = 1',
        f'c = {{b = """one"""", {LONG} = 1}}',
        f"c = {{b = '''one'''', {LONG} = 1}}",
        f'b = "\\""\n{LONG} = 1',
        f"b = '\\'\n{LONG} = 1",
        f'b = """\\""""\n{LONG} = 1',
        f"b = 1 # it's\n{LONG} = 1",
        LONG,
    ],
    ids=range(15),
)
def test_a_key_of_many_dots_is_refused_wherever_it_stands(text: str):
    with pytest.raises(ValueError, match=r"the key in line \d has too many dots: at most 8"):
        read_toml(text)


def test_a_key_may_have_some_dots_and_strings_and_comments_any_number():
    few = "a.b.c.d.e.f.g.h.i = 1"
    dots = f'\nb = "{LONG}" # {LONG}\nc = 1.5'
    assert read_toml(few) == tomllib.loads(few)
    assert read_toml(few + dots) == tomllib.loads(few + dots)


@given(some.lists(some.sampled_from(SNIPPETS), max_size=40).map("".join))
@example('a = """"b"""" # b')
@example("a = ''''b''''' # b")
@example('a = "\\"#b" # b')
def test_a_text_is_read_as_tomllib_reads_it(text: str):
    try:
        said = tomllib.loads(text)
    except ValueError:
        return
    assert read_toml(text) == said


def test_comments_and_spaces_do_not_count_but_all_else_does():
    remarks = "# a remark\n" * 40_000
    assert read_toml(remarks + "a = 1\n" + " " * 1000) == {"a": 1}
    with pytest.raises(
        ValueError, match=r"^70,003 characters besides spaces and comments are too many: at most 65,536$"
    ):
        read_toml(f"{remarks}a = [{'1' * 70_000}")


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, "[" * 90_000, "a = [" + "{a.a.a.a.a.a = " * 20 + "1" + "}" * 20 + "]"]
)
def test_lists_nested_too_deep_are_refused(text: str):
    with pytest.raises(ValueError, match=r"too deep: at most 100|are too many"):
        read_toml(text)
    assert read_toml("a = " + "[" * (MOST_DEPTH - 1) + "]" * (MOST_DEPTH - 1))


@given(VALUES)
@example({"": "\x7f", "a b": ["\u2028", '"', "\\", "\n"], "many": 2**70_000})
def test_a_written_value_reads_back(value: object):
    assert tomllib.loads(toml_lines({"value": value})) == {"value": value}
    assert tomllib.loads(f"value = {toml(value)}") == {"value": value}


def test_a_heap_of_accents_is_refused_before_it_is_sorted():
    heap = "a" + "\u0301\u0323" * 200_000
    with pytest.raises(BadOption, match="has more than 8 accents"):
        plain_text(heap)
    assert composed(heap) == heap
    assert plain_text("\ufeffRene\u0301") == composed("Rene\u0301") == "Ren\u00e9"


def test_options_have_a_size():
    cards = Option("cards", "file", "", "some cards", short=str.strip)
    assert cards.read("x" * MOST_TEXT) == "x" * MOST_TEXT
    with pytest.raises(BadOption, match=r"cards is too long, with 524,289 characters: it takes .* at most 524,288"):
        cards.read("x" * (MOST_TEXT + 1))
    with pytest.raises(BadOption, match="at most 65,536"):
        Option("cards", "file", "", "some cards").read("x" * MOST_TEXT)
    with pytest.raises(BadOption, match=f"has {MOST_FILES + 1} files"):
        Option("decks", "files", [], "some decks").read(["x"] * (MOST_FILES + 1))
    with pytest.raises(BadOption, match=f"at most {MOST_NAMES} names"):
        Option("names", "names", [], "some names").read("," * MOST_NAMES)
    with pytest.raises(BadOption, match="at most 100 characters"):
        Option("names", "names", [], "some names").read("x" * 101)
