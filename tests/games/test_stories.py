"""The stories of our own games: their rows, curves and moments say what the events and the final state say."""

import json
import random
import re
from functools import cache
from pathlib import Path

import pytest

import quintain
from quintain.engine.play.course import Course, story_of
from quintain.games.robin import state as robin

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))


@cache
def told(path):
    """Return the course of a golden record, and its story."""
    match = quintain.Match.load(path.read_text(encoding="utf-8"))
    course = Course(match)
    for _ in course.play():
        pass
    return course, course.story()


def golden(game):
    return [path for path in GOLDEN if path.stem.startswith(game)]


def numbers(story, words):
    """Return the numbers of the only row with these words."""
    (row,) = [row for row in story.rows if row.words == words]
    return [cell.number for cell in row.cells]


# The records of bots are of the same games.
@pytest.mark.long_for("round-table-resigned", "round-table-random", "rune-war-resigned", "heirless-resigned")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_story_of_a_golden_record_ends_with_its_scores(path):
    record, (course, story) = json.loads(path.read_text(encoding="utf-8")), told(path)
    assert record["result"].get("scores") in (None, list(story.total))
    assert all(row.clause for row in story.rows) and 0 < len(story.turned) <= 5
    assert bool(story.ended) == (record["result"].get("scores") is not None), "only a resignation needs no other reason"
    assert [each.step for each in story.turned] == sorted(each.step for each in story.turned)
    assert bool(story.resigned) == any(entry["kind"] == "resign" for entry in record["moves"])
    parts = [row for row in story.rows if not (row.is_total or row.is_tie_break)]
    adding = [row for row in parts if not row.words.startswith(("Capacity", "Out of"))]
    sums = [sum(row.cells[seat].number or 0 for row in adding) for seat in course.seats]
    assert tuple(sums) == story.total, "the rows add up to the total"


@pytest.mark.parametrize("path", golden("kings-court"), ids=lambda path: path.stem)
def test_kings_court_says_by_how_many_ranks_a_house_was_lost(path):
    course, story = told(path)
    match = course.match.seen().view
    houses = {part.words: part.number for part in match.scores[0].parts}
    for row in story.rows[:6]:
        assert row.cells[0].number == houses[row.words]
        lost = [seat for seat, cell in enumerate(row.cells) if "lost by" in cell.words]
        assert len(lost) == (row.clause == "KC-17") and all(not row.cells[seat].number for seat in lost)


@pytest.mark.parametrize("path", golden("rune-war"), ids=lambda path: path.stem)
def test_rune_war_shows_the_defences_turn_by_turn_and_names_battles_with_their_sums(path):
    course, story = told(path)
    assert [line[-1] for line in story.curve.by_seat] == numbers(story, "Cards left") and not story.curve.is_score
    log = course.match.record()["log"]
    for each in story.turned:
        words = each.words.rstrip(".").replace(" and destroys", "").split()
        first, second = words[words.index("to") - 1], words[words.index("to") + 1]
        assert any(f"the battle, {first} to {second}" in line for line in log), each.words
    assert story.resigned or "truce" in story.ended or "Nobody else" in story.ended


@pytest.mark.parametrize("path", golden("heirless"), ids=lambda path: path.stem)
def test_heirless_says_where_each_resource_came_from_and_what_a_battle_paid(path):
    _, story = told(path)
    seasons = [row for row in story.rows if row.words.startswith("Season ")]
    for row in seasons:
        for cell in row.cells:
            paid = [int(word) for word in cell.words.replace(",", "").split() if word.isdigit()]
            assert sum(paid) == cell.number
    assert all(each.worth in (2, 3, 4) for each in story.turned)
    said = r"Season \d+: .+ wins the battle at .+, \d+ points? against \d+ of .+\."
    assert all(re.fullmatch(said, each.words) for each in story.turned)
    assert re.fullmatch(r"(All \d+ seasons are over\.)?", story.ended)


@pytest.mark.parametrize("path", golden("robin"), ids=lambda path: path.stem)
def test_robin_shows_the_stages_held_hand_by_hand_and_the_hand_that_won_each_round(path):
    _, story = told(path)
    rounds = [row for row in story.rows if row.words.startswith("Round ") and row.cells[0].number is not None]
    hands = sum(int(row.note.split()[0]) for row in rounds)
    assert len(story.curve.labels) == hands and all(0 <= held <= 4 for line in story.curve.by_seat for held in line)
    wins = [sum(row.cells[seat].number for row in rounds) for seat in (0, 1)]
    assert wins == numbers(story, "Rounds won") and len(story.turned) == min(5, sum(wins))
    full = [max(pair) for pair in zip(*story.curve.by_seat, strict=True)]
    assert full.count(4) >= sum(wins)


@pytest.mark.parametrize("path", golden("round-table"), ids=lambda path: path.stem)
def test_round_table_says_when_a_region_was_captured_and_with_how_much(path):
    course, story = told(path)
    captured = {part.words for score in course.match.view().scores for part in score.parts}
    assert {row.words for row in story.rows if "Resistance" in row.note} == captured
    game_over = [line for line in course.match.record()["log"] if line.startswith("The game is over: ")]
    assert story.ended.lower() == "".join(game_over).removeprefix("The game is over: ").lower()
    assert len(story.curve.thin) == course.match.seats and story.curve.thin_unit == "capacity"
    assert [line[-1] for line in story.curve.thin] == numbers(story, "Capacity reached")
    for each in story.turned:
        assert " captures " in each.words and " against " in each.words


def test_a_seat_that_is_out_in_rune_war_has_the_turn_in_which_it_went_out():
    match, chooser = quintain.Match.new("rune-war", seats=3, seed=bytes([9] * 32)), random.Random(9)
    while match.outcome is None:
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
    assert match.view().out == (0, 1)
    (row,) = [row for row in story_of(match).rows if row.words == "Out of the war"]
    assert [cell.words.startswith("turn ") for cell in row.cells] == [True, True, False]


@pytest.mark.parametrize("path", golden("robin"), ids=lambda path: path.stem)
def test_robin_names_the_clause_by_which_each_round_ended(path):
    course, story = told(path)
    drawn = [event for _, _, event in course.told if event.kind in (robin.ROUND_WON, robin.ROUND_DRAWN)]
    ends = ["RH-16" if (end.kind, end.a) == (robin.ROUND_DRAWN, robin.PILE_EMPTY) else "RH-15" for end in drawn]
    assert [row.clause for row in story.rows if row.words.startswith("Round ")][: len(ends)] == ends
