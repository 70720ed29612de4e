"""One declaration gives a plain object, an aligned record and JSON, and all three hold the same values."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintain.engine.errors import BadRecord
from quintain.engine.rules.fields import UNKNOWN, field
from quintain.engine.rules.state import Pool, Record

FULL = {16: 2**15 - 1, 32: 2**31 - 1, 64: 2**63 - 1}


class Card(Record):
    name: str = field(text=True)
    cost: list[int] = field(3, low=-1, high=9)
    worth: int = field(bits=32)


class Table(Record):
    flag: int = field(low=0, high=1)
    total: int = field(bits=64)
    cards: list[list[Card]] = field(2, 2)
    best: Card = field()
    title: str = field(text=True)
    marks: list[int] = field(3)


def filled() -> Table:
    """Return a table in which all numbers differ."""
    table = Table()
    table.flag, table.total, table.marks, table.title = 1, 2**40, [7, 8, 9], "Table"
    for i, card in enumerate([*table.cards[0], *table.cards[1], table.best]):
        card.name, card.cost, card.worth = f"card {i}", [i, i + 1, -1], 100_000 + i
    return table


def card_values(texts: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    costs = st.one_of(st.integers(-1, 9), st.just(UNKNOWN))
    return st.fixed_dictionaries(
        {
            "name": st.text(max_size=5) if texts else st.just(""),
            "cost": st.lists(costs, min_size=3, max_size=3),
            "worth": st.integers(UNKNOWN, FULL[32]),
        }
    )


def table_values(texts: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    pair = st.lists(card_values(texts), min_size=2, max_size=2)
    return st.fixed_dictionaries(
        {
            "flag": st.sampled_from([0, 1, UNKNOWN]),
            "total": st.integers(UNKNOWN, FULL[64]),
            "cards": st.lists(pair, min_size=2, max_size=2),
            "best": card_values(texts),
            "title": st.text(max_size=5) if texts else st.just(""),
            "marks": st.lists(st.integers(UNKNOWN, FULL[16]), min_size=3, max_size=3),
        }
    )


def test_a_new_object_is_all_zeros_and_empty_texts():
    card = {"name": "", "cost": [0, 0, 0], "worth": 0}
    assert Table().to_json() == {
        "flag": 0,
        "total": 0,
        "cards": [[card, card], [card, card]],
        "best": card,
        "title": "",
        "marks": [0, 0, 0],
    }
    assert Table().pack() == bytes(Table.dtype().itemsize)


def test_parts_of_a_new_object_are_not_shared():
    table = Table()
    table.cards[0][0].cost[1] = 5
    table.cards[1][1].worth = 6
    assert [card.cost[1] for row in table.cards for card in row] == [5, 0, 0, 0]
    assert [card.worth for row in table.cards for card in row] == [0, 0, 0, 6]


def test_the_record_is_laid_out_like_a_c_struct_without_texts():
    card, table = Card.dtype(), Table.dtype()
    assert {name: card.fields[name][1] for name in card.names} == {"cost": 0, "worth": 8}
    assert card.itemsize == 16
    offsets = {name: table.fields[name][1] for name in table.names}
    assert offsets == {"flag": 0, "total": 8, "cards": 16, "best": 80, "marks": 96}
    assert table.itemsize == 104
    assert table["cards"].shape == (2, 2) and table["cards"].base == card and table["best"] == card


def test_records_are_aligned_and_their_size_is_a_multiple_of_8():
    class Three(Record):
        values: list[int] = field(3)

    class Odd(Record):
        one: int = field()
        two: int = field(bits=32)
        three: Three = field()
        four: int = field()

    for kind in (Three, Odd, Card, Table):
        assert kind.dtype().isalignedstruct
        assert kind.dtype().itemsize % 8 == 0
        assert kind.dtype().itemsize == len(kind().pack())


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_bits_settle_the_width_and_the_range_of_a_value(bits: int):
    class Single(Record):
        value: int = field(bits=bits)

    s = Single()
    assert Single.dtype()["value"] == np.dtype(f"int{bits}")
    for value in (FULL[bits], UNKNOWN, UNKNOWN + 1):
        s.value = value
        s.check()
        assert Single.array([s])["value"].tolist() == [value]
    s.value = FULL[bits] + 1
    with pytest.raises(ValueError, match=rf"Single.value must be .* to {FULL[bits]}, not {FULL[bits] + 1}"):
        s.check()


def test_only_widths_and_ranges_that_fit_can_be_declared():
    with pytest.raises(TypeError, match="16, 32 or 64 bits, not 8"):
        field(bits=8)
    for wrong in ({"low": UNKNOWN}, {"high": 2**15}, {"low": 2, "high": 1}, {"bits": 32, "high": 2**31}):
        with pytest.raises(TypeError, match="ranges within -32767 and"):
            field(**wrong)


def test_check_names_the_value_that_is_out_of_its_declared_range():
    table = filled()
    table.check()
    table.cards[1][0].cost[2] = 10
    with pytest.raises(
        ValueError, match=r"^Table.cards\[1\]\[0\].cost\[2\] must be a whole number from -1 to 9, not 10$"
    ):
        table.check()
    table.cards[1][0].cost[2] = UNKNOWN
    table.check()
    table.marks.append(0)
    with pytest.raises(ValueError, match=r"^Table.marks must be a list of 3, not a list of 4$"):
        table.check()


def test_a_field_that_was_not_declared_cannot_be_written():
    table = Table()
    for part in (table, table.best, table.cards[0][1]):
        with pytest.raises(AttributeError, match="totl"):
            part.totl = 3


def test_a_text_is_in_the_plain_object_and_in_json_but_not_in_the_record():
    table = filled()
    assert table.to_json()["best"]["name"] == "card 4"
    assert Table.from_json(table.to_json()).cards[1][1].name == "card 3"
    unpacked = Table.unpack(table.pack())
    assert (unpacked.title, unpacked.best.name, unpacked.best.worth) == ("", "", 100_004)
    table.title = table.best.name = "other"
    assert table.pack() == filled().pack() and table != filled()


def test_the_record_shows_every_value_under_its_name():
    record = Table.array([Table(), filled()])[1]
    assert (record["flag"], record["total"], record["marks"].tolist()) == (1, 2**40, [7, 8, 9])
    assert record["cards"]["worth"].tolist() == [[100_000, 100_001], [100_002, 100_003]]
    assert record["cards"][1][0]["cost"].tolist() == [2, 3, -1] and record["best"]["worth"] == 100_004


def test_what_is_written_to_the_record_is_in_the_plain_object():
    records = Table.array([filled(), filled()])
    records[1]["cards"][0][1]["cost"][2] = 4
    first, second = (Table.unpack(record.tobytes()) for record in records)
    changed = first.copy()
    changed.cards[0][1].cost[2] = 4
    assert second == changed != first


def test_a_batch_of_records_can_be_read_as_words_of_64_bits():
    records = Table.array([filled(), Table(), filled()])
    words = records.view(np.int64).reshape(3, -1)
    assert words.shape == (3, 13) and words[0].tolist() == words[2].tolist() != words[1].tolist()
    words[1][1] = 77
    assert records[1]["total"] == 77


@given(table_values())
def test_json_gives_back_every_value(values: dict[str, Any]):
    assert Table.from_json(values).to_json() == values


class Pip(Record):
    value: int = field()


class Bare(Record):
    rows: list[list[int]] = field(0, 2)
    pips: list[list[Pip]] = field(2, 0)
    last: int = field()


def test_lists_may_be_empty():
    bare = Bare()
    bare.last = 7
    assert Bare.unpack(bare.pack()) == bare and bare.pips == [[], []]


@given(table_values(texts=False))
def test_packing_and_unpacking_give_back_every_value(values: dict[str, Any]):
    table = Table.from_json(values)
    table.check()
    assert Table.unpack(table.pack()) == table
    record = Table.array([table])[0]
    assert record.tobytes() == table.pack()
    assert record["cards"]["cost"].tolist() == [[card["cost"] for card in row] for row in values["cards"]]
    assert (record["flag"], record["total"], record["marks"].tolist()) == (
        values["flag"],
        values["total"],
        values["marks"],
    )


@given(table_values())
def test_a_copy_is_equal_and_independent(values: dict[str, Any]):
    table = Table.from_json(values)
    copy = table.copy()
    assert copy == table
    copy.flag = copy.marks[0] = copy.best.cost[0] = copy.cards[1][0].name = None
    assert table.to_json() == values
    assert [path for (path, one), (_, two) in zip(table.values(), copy.values(), strict=True) if one != two] == [
        "flag",
        "cards[1][0].name",
        "best.cost[0]",
        "marks[0]",
    ]


def test_assigning_takes_values_over_and_shares_nothing():
    source, target = filled(), Table()
    cards = target.cards
    target.assign(source)
    assert target == source
    source.cards[0][0].cost[0] = 9
    source.marks[1] = -3
    assert target == filled() != source and cards[0][0].cost == [0, 0, 0]


def test_values_come_in_the_order_of_declaration_with_their_paths():
    assert [path for path, _ in Table().values()][:8] == [
        "flag",
        "total",
        "cards[0][0].name",
        "cards[0][0].cost[0]",
        "cards[0][0].cost[1]",
        "cards[0][0].cost[2]",
        "cards[0][0].worth",
        "cards[0][1].name",
    ]
    assert dict(filled().values())["cards[1][1].cost[1]"] == 4


def test_objects_are_equal_by_value_and_kind_and_cannot_be_keys():
    class Coin(Record):
        worth: int = field()

    class Medal(Record):
        worth: int = field()

    assert Coin() == Coin() and Coin() != Medal() and Coin() != 0
    with pytest.raises(TypeError, match="unhashable"):
        hash(Coin())
    assert repr(Coin()) == "Coin(worth=0)"


WRONG_JSON = [
    ([], "Card must be an object with the fields name, cost, worth, not a list of 0"),
    ({"cost": [0, 0, 0], "worth": 0}, "Card lacks the field name"),
    ({"name": "", "cost": [0, 0, 0]}, "Card lacks the field worth"),
    ({"name": "", "cost": [0, 0, 0], "worth": 0, "x": 1}, "Card has no field x; its fields are name, cost, worth"),
    ({"name": 3, "cost": [0, 0, 0], "worth": 0}, "Card.name must be a text, not 3"),
    ({"name": "", "cost": [0, 0], "worth": 0}, "Card.cost must be a list of 3, not a list of 2"),
    ({"name": "", "cost": "000", "worth": 0}, "Card.cost must be a list of 3, not '000'"),
    ({"name": "", "cost": [0, 0, 10], "worth": 0}, "Card.cost[2] must be a whole number from -1 to 9, not 10"),
    ({"name": "", "cost": [0, True, 0], "worth": 0}, "Card.cost[1] must be a whole number from -1 to 9, not True"),
    ({"name": "", "cost": [0, 0, 1.0], "worth": 0}, "Card.cost[2] must be a whole number from -1 to 9, not 1.0"),
    ({"name": "", "cost": [0, 0, None], "worth": 0}, "Card.cost[2] must be a whole number from -1 to 9, not None"),
    (
        {"name": "", "cost": [0, 0, 0], "worth": 2**31},
        "Card.worth must be a whole number from -32767 to 2147483647, not 2147483648",
    ),
    (
        {"name": "", "cost": [0, 0, 0], "worth": "x" * 99},
        f"Card.worth must be a whole number from -32767 to 2147483647, not '{'x' * 36}...",
    ),
]


@pytest.mark.parametrize(("data", "message"), WRONG_JSON, ids=[message for _, message in WRONG_JSON])
def test_an_error_in_json_names_the_place_and_what_would_be_right(data: Any, message: str):
    with pytest.raises(BadRecord) as error:
        Card.from_json(data)
    assert str(error.value) == message


def test_an_error_in_a_part_names_the_whole_path():
    data = filled().to_json()
    data["cards"][1][0]["cost"][2] = "3"
    with pytest.raises(
        BadRecord, match=r"^Table.cards\[1\]\[0\].cost\[2\] must be a whole number from -1 to 9, not '3'$"
    ):
        Table.from_json(data)
    with pytest.raises(ZeroDivisionError, match=r"^Table.cards\[1\]"):
        Table.from_json(data, error=ZeroDivisionError)


def test_a_pool_copies_what_is_written_to_it():
    pool, table = Pool(Table, 2), filled()
    first = pool[0]
    pool[0] = table
    assert pool[0] is first and pool[0] == table and pool[1] == Table()
    table.cards[0][0].cost[0] = 9
    assert pool[0] == filled()
    pool[1] = pool[0]
    pool[0].marks[0] = -1
    assert pool[1] == filled()


def test_a_kind_without_numbers_can_be_packed_and_made_an_array():
    class Empty(Record):
        title: str = field(text=True)

    assert Empty.unpack(Empty().pack()) == Empty()
    assert len(Empty.array([Empty(), Empty()])) == 2
