"""Printed figures: hints, analyses and ladders show the right numbers in the right order."""

import re
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

import quintain
from quintain.bots.ismcts import Judgement
from quintain.cli import figures
from quintain.engine.play.match import Match
from quintain.lab.analysis import Decision
from quintain.lab.pairings import Pairing


@pytest.fixture
def console() -> Console:
    return Console(file=StringIO(), width=120, highlight=False)


def printed(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def decision(number: int, seat: int, played: float, best: float) -> Decision:
    judged = Judgement(1, 10_000, played), Judgement(2, 10_000, best)
    return Decision(number, seat, f"played {number}", f"best {number}", *judged)


def test_a_hint_lists_the_move_that_was_tried_most_first(console: Console):
    judged = [Judgement(0, 210, 0.9), Judgement(1, 300, 0.5), Judgement(2, 10, 1.0)]
    console.print(figures.hint(judged, {0: "one", 1: "two", 2: "three"}))
    rows = [line.split() for line in printed(console).splitlines()[1:]]
    assert rows == [
        ["two", "50%", "█" * 5, "300"],
        ["one", "90%", "█" * 9, "210"],
        ["three", "too", "few", "to", "tell", "10"],
    ]


def test_turning_points_are_the_moves_that_gave_most_away_in_the_order_of_play(console: Console):
    match: Any = Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    lost = {1: 0.05, 2: 0.3, 3: 0.1, 4: 0.02, 5: 0.2, 6: 0.06, 7: 0.5, 8: 0.04}
    judged = [decision(number, number % 2, 0.4, 0.4 + gave) for number, gave in lost.items()]
    figures.print_analysis(console, match, judged)
    shown = printed(console)
    points = shown.partition("Turning points\n")[2].partition("\n\n")[0].splitlines()
    assert [int(line.partition(".")[0]) for line in points] == [2, 3, 5, 6, 7]
    assert points[0] == "2. Ann: played 2 (40%) instead of best 2 (70%)"
    assert re.search(r"^ *7 +Bo +played 7 +40% +50% +best 7 *$", shown, re.MULTILINE)
    assert re.search(r"^Bo +▄[▄ ]* +gave away something 4 times *$", shown.replace("▃", "▄"), re.MULTILINE)


def test_the_picture_rises_where_a_player_stands_better(console: Console):
    match: Any = Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    entries = len(match.moves_made)
    shares = (0.0, 0.3, 0.6, 1.0)
    judged = [decision(1 + entries * n // 4, 0, share, share) for n, share in enumerate(shares)]
    figures.print_analysis(console, match, judged)
    shown = printed(console)
    line = re.findall(r"^Ann +(\S+)", shown, re.MULTILINE)[-1]
    assert re.search(r"^Ann +50\.0 +\S50\.0 +\+0\.0 +\+0\.0 +(0|100)\.0 +4 of 4 *$", shown, re.MULTILINE), shown
    assert list(dict.fromkeys(line)) == ["▁", "▃", "▅", "█"]


def test_a_ladder_shows_the_share_of_the_first_level_and_its_interval(console: Console):
    figures.print_ladder(console, quintain.game("kings-court"), 7, [Pairing("knight", "page", 40, 0.9, (0.77, 0.96))])
    assert re.search(r"^\| knight \| page +\| +40 \| 90\.0% \| 77\.0% to 96\.0% +\|$", printed(console), re.MULTILINE)
