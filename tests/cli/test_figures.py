"""Printed figures: hints, analyses and ladders show the right numbers in the right order."""

import re
from io import StringIO

import pytest
from rich.console import Console

import quintain
from quintain.bots.ismcts import Judgement
from quintain.cli import figures
from quintain.engine.names import MINUS
from quintain.engine.play.match import Match
from quintain.lab.analysis import Analysis, JudgedStep
from quintain.lab.candidates import Candidate
from quintain.lab.luck import BotLuck, MeanShare
from quintain.lab.pairings import Pairing


@pytest.fixture
def console() -> Console:
    return Console(file=StringIO(), width=120, highlight=False)


def printed(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def step(number: int, seat: int, made: float, best: float, opened: float = 0.5) -> JudgedStep:
    tried = Candidate(2, f"best {number}", best, 10_000), Candidate(1, f"made {number}", made, 10_000)
    known, open_chances = (best, 1 - best), (opened, 1 - opened)
    return JudgedStep(number, seat, 1, f"made {number}", known[:: 1 - 2 * seat], open_chances, open_chances, tried)


def analysis(*steps: JudgedStep) -> Analysis:
    return Analysis("kings-court", (0.0, 1.0), len(steps), 10_000, steps)


def match() -> Match:
    return Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)


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
    lost = {1: 0.05, 2: 0.3, 3: 0.1, 4: 0.03, 5: 0.2, 6: 0.06, 7: 0.5, 8: 0.01}
    judged = analysis(*(step(number, number % 2, 0.4, 0.4 + gave) for number, gave in lost.items()))
    figures.print_analysis(console, match(), judged)
    shown = printed(console)
    points = shown.partition("Turning points\n")[2].partition("\n\n")[0].splitlines()
    assert [int(line.partition(".")[0]) for line in points] == [2, 3, 5, 6, 7]
    assert points[0] == "2. Ann: made 2 (40%) instead of best 2 (70%)"
    assert re.search(r"^ *7 +Bo +made 7 +90% → 40% +50% +best 7 *$", shown, re.MULTILINE)
    assert re.search(r"^ *8 +Ann +made 8 +41% → 40% *$", shown, re.MULTILINE)
    assert shown.rstrip().endswith(f"The adviser tried each candidate 10,000 times (Quintain {quintain.__version__}).")


def test_a_resignation_is_a_turning_point_without_a_better_move(console: Console):
    even = (0.5, 0.5)
    resigned = JudgedStep(1, 0, None, "", (0.3, 0.7), even, (0.0, 1.0))
    figures.print_analysis(console, match(), Analysis("kings-court", (0.0, 1.0), 1, 10, (resigned,)))
    shown = printed(console)
    assert re.search(r"^ *1 +Ann +resigns +30% → 0% +30% *$", shown, re.MULTILINE)
    assert "1. Ann: resigns (0%) with (30%)" not in shown and "1. Ann: resigns, with 30% left\n" in shown


def test_the_pictures_rise_where_a_player_stands_better(console: Console):
    judged = analysis(*(step(n, 0, share, share, 1 - share) for n, share in enumerate((0.0, 0.3, 0.6, 1.0), 1)))
    figures.print_analysis(console, match(), judged)
    shown = printed(console)
    assert re.search(r"^Ann +50\.0 +\S50\.0 +\+0\.0 +\+0\.0 +0\.0 +4 of 4 *$", shown, re.MULTILINE), shown
    rows = re.findall(r"^(Ann|Bo|) +([▁-█]+) +(by what they knew|with all cards open) *$", shown, re.MULTILINE)
    knew, opened = "by what they knew", "with all cards open"
    assert rows == [("Ann", "▁▃▅█▁", knew), ("", "█▆▄▁▁", opened), ("Bo", "█▆▄▁█", knew), ("", "▁▃▅██", opened)]


def test_a_long_game_has_as_many_bars_as_fit_in(console: Console):
    judged = analysis(*(step(n, 0, n / 500, n / 500) for n in range(1, 501)))
    figures.print_analysis(console, match(), judged)
    (line, *_) = re.findall(r"^Ann +([▁-█]+)", printed(console), re.MULTILINE)[-1:]
    assert len(line) == console.width - figures.SIDES and line[:-1] == "".join(sorted(line[:-1])) and line[-1] == "▁"


def test_a_ladder_shows_the_share_of_the_first_level_and_its_interval(console: Console):
    figures.print_ladder(console, quintain.game("kings-court"), 7, [Pairing("knight", "page", 40, 0.9, (0.77, 0.96))])
    assert re.search(r"^\| knight \| page +\| +40 \| 90\.0% \| 77\.0% to 96\.0% +\|$", printed(console), re.MULTILINE)


def test_luck_is_a_markdown_table_in_points_with_intervals(console: Console):
    def mean(share: float) -> MeanShare:
        return MeanShare(share, (share - 0.021, share + 0.021))

    found = [BotLuck("squire", mean(-0.012), mean(0.1), mean(0.25), mean(0.638))]
    figures.print_luck(console, quintain.game("kings-court"), 1000, 7, 300, found)
    shown = printed(console)
    assert shown.startswith("King's Court, 1,000 games, 300 tries a candidate, seed 7; in points a game\n")
    row = r"^\| squire \| -1\.2 ± 2\.1 \| +10\.0 ± 2\.1 \| +25\.0 ± 2\.1 \| +63\.8 ± 2\.1 \| *$".replace("-", MINUS)
    assert re.search(row, shown, re.MULTILINE), shown
