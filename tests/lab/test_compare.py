"""Comparisons: the differences between two reports, and how sure they are."""

import re
from collections.abc import Sequence

import pytest

import quintain
from quintain.lab.compare import Differences, Setting, comparison, differences
from quintain.lab.pages import markdown
from quintain.lab.report import Report, report

ROBIN = quintain.game("robin")
BOTS = ["random", "random"]


def reports(sets: Sequence[str], games: int) -> list[Report]:
    """Return the reports on dealt games with two sets of cards, of which one game is watched."""
    return [report(ROBIN, games, BOTS, {"dealt": "on", "cards": own}, 1, watched=1) for own in sets]


def own_set(text: str) -> str:
    """Return the base set with a stronger Little John at another place, and a card of another name."""
    first, robin, john, rest = text.split("[[character]]", 3)
    strong = john.replace("levels = [3, 3, 5, 4]", "levels = [5, 5, 5, 5]")
    assert strong != john
    return "[[character]]".join([first, strong, robin, rest.replace("Innkeeper", "Hostess")])


@pytest.fixture(scope="module")
def found() -> list[Report]:
    assert ROBIN.collection
    base = ROBIN.collection.base()
    return reports([base, own_set(base)], 600)


@pytest.fixture(scope="module")
def made(found: list[Report]) -> Differences:
    return differences(found)


@pytest.mark.clause("RH-21")
def test_a_stronger_card_wins_more_in_all_games_and_its_count_comes_first(made: Differences) -> None:
    john = made.counts[0]
    assert john.name == "Little John" and john.values[0] < 0.6 < 0.62 < john.values[1]
    assert all(low < share < high for share, (low, high) in zip(john.values, john.intervals, strict=True))
    assert 0 < john.interval[0] < john.values[1] - john.values[0] < john.interval[1]
    assert john.of and min(john.of) > 600
    assert all(high - low < 0.08 for low, high in john.intervals)


def test_a_card_is_compared_by_its_name_whatever_its_number(made: Differences, found: list[Report]) -> None:
    numbers = [{count.words: key for (key, _), count in each.counts.items()}["Robin Hood"] for each in found]
    assert numbers == ["card.0", "card.1"]
    assert "Robin Hood" in {each.name for each in made.counts}
    assert [each["counts"] for each in made.only] == [["Innkeeper"], ["Hostess"]]


def test_a_setting_does_not_differ_from_itself(found: list[Report]) -> None:
    same = differences([found[0], found[0]])
    for each in (*same.counts, *same.actions, *same.cards):
        assert each.interval[0] <= 0 <= each.interval[1]
    assert all(figure.values[0] == figure.values[1] for figure in (*same.glance, *same.seats))
    assert same.only[0] == same.only[1] == {"actions": [], "cards": [], "counts": []}


def test_the_page_shows_both_counts_with_their_intervals_and_a_star(found: list[Report]) -> None:
    settings = [Setting.new(name, ROBIN, {}) for name in ("base", "own")]
    shown = markdown(comparison(settings, found, 0)).partition("## What the game counts")[2]
    cells = r"[\d.]+% \| [\d.]+% to [\d.]+%"
    assert re.search(
        rf"^\| Little John +\| +{cells} \| +{cells} \| +\+[\d.]+% to \+[\d.]+% \* \|$", shown, re.MULTILINE
    )
    assert re.search(r"^\| rounds +\| +\d\.\d\d \| +\d\.\d\d to \d\.\d\d \|", shown, re.MULTILINE)
