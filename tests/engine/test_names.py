"""Names that look alike, in all scripts."""

import json

import pytest

from quintain.engine.errors import BadOption
from quintain.engine.names import check_names, looks, looks_like_one_of
from quintain.engine.play.match import Match

LEVELS = ("Squire", "Knight", "Page", "Champion", "Greedy", "Random", "Minstrel", "Grandmaster")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "\u0410nn"),  # a Cyrillic A
        ("Ann", "ann"),
        ("\u0410\u043d\u043d\u0430", "\u0410\u041d\u041d\u0410"),  # Anna in Cyrillic, small and large
        ("Ann", "\uff21\uff4e\uff4e"),  # full width
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("Bob", "B0b"),
        ("Sam", "Sarn"),
        ("Jos\u00e9", "Jose"),
        ("S\u00f8ren", "Soren"),
        ("\u13aa\u13b3", "AW"),  # Cherokee
        ("Paul", "\u03a1aul"),  # a Greek Rho
        ("Kate", "\u041aate"),
    ],
)
def test_names_that_look_alike_share_a_look(name: str, other: str):
    assert looks(name) & looks(other)
    assert check_names([name, "Zed"], 2) and check_names([other, "Zed"], 2), "each may be a name"


@pytest.mark.parametrize(("name", "other"), [("Ann", "Anna"), ("Ann 2", "Ann 3"), ("Ann 1", "Ann 10"), ("Bo", "Do")])
def test_names_that_look_different_share_none(name: str, other: str):
    assert not looks(name) & looks(other)


@pytest.mark.parametrize(
    "name",
    [
        *LEVELS, "squire", "Squire 2", "Squire2", "Squire-12", "SQUIRE II", "Squire l", "Squire 1", "Squ1re", "Squlre",
        "\u0405quire", "\u0455quire 3", "Squ\u0456re", "\uff33quire", "S quire", "Squ\u00edre", "\u0420age", "Kn1ght",
        "Rand0m", "Cham\u0440ion", "Squire \u0417", "Squire \ua4dc", "Squire---------------abc",
    ],
)  # fmt: skip
def test_a_name_that_looks_like_a_bots_is_recognised(name: str):
    assert looks_like_one_of(name, LEVELS)


@pytest.mark.parametrize("name", ["Ann", "Pages", "Squires", "Knightley", "Mr Knight", "2", "I I", "Rand", "Peige"])
def test_other_names_are_free(name: str):
    assert not looks_like_one_of(name, LEVELS)


def test_a_record_of_names_that_look_alike_still_verifies():
    match = Match.new("robin", names=["Ann", "\u0410nn"], seed="07" * 32)
    match.resign(0)
    assert Match.load(json.dumps(match.record())).names == ("Ann", "\u0410nn")
    with pytest.raises(BadOption, match="must differ"):
        Match.new("robin", names=["Ann", "\uff21nn"])


def test_a_name_with_a_heap_of_accents_is_refused_before_they_are_sorted():
    with pytest.raises(BadOption, match="cannot be a player's name"):
        check_names(["a" + "\u0301\u0323" * 200_000], 1)
