"""The story of a finished match: rows, curve and moments for any game, in sentences that differ by viewer."""

import random
from types import SimpleNamespace

import pytest

import quintain
from conformance.cases import KUHN
from quintain.engine.errors import BadGame, QuintainError
from quintain.engine.play.course import Course, story_of
from quintain.engine.play.story import Cell, GridRow, Story, Tale, Turned, numbers_of
from quintain.engine.play.verdict import verdict
from quintain.engine.rules.registry import register_file
from quintain.engine.seen.result import Outcome
from remade import remade
from tutorial import kept_goofspiel

NAMES = ("Ann", "Bo", "Cleo")
GOOFSPIEL = register_file(kept_goofspiel())


def bids(*rounds, cards=3, seats=2):
    """Return a game of Goofspiel in which each round's bids are given by seat."""
    match = quintain.Match.new(GOOFSPIEL, seats, NAMES[:seats], options={"cards": cards}, seed=bytes(32))
    for each in rounds:
        for seat, bid in enumerate(each):
            match.play(seat, f"bid {bid}")
    return match


def course_of(match):
    course = Course(match)
    for _ in course.play():
        pass
    return course


def story(rows=(), unit="points", decided="", resigned=()):
    return Story(unit, tuple(rows), None, (), resigned, decided)


def test_a_story_is_told_only_after_the_end():
    with pytest.raises(QuintainError, match="only when it is over"):
        story_of(bids((1, 2)))


def test_the_curve_has_the_scores_after_each_round_and_ends_with_the_final_ones():
    match = bids((3, 1), (1, 2), (2, 3))
    told = story_of(match)
    prizes = match.outcome.scores
    assert told.curve.labels == ("0", "1", "2", "3") and told.curve.over == "round"
    assert tuple(line[-1] for line in told.curve.by_seat) == told.total == prizes
    assert told.curve.by_seat[0] == (0, prizes[0], prizes[0], prizes[0]), "Ann won the first prize, and no other"


@pytest.mark.parametrize("seed", range(8))
def test_the_lead_changes_for_the_last_time_where_the_curve_says_so(seed):
    chance, match = random.Random(seed), quintain.Match.new(quintain.game("kings-court"), seed=bytes([seed]) * 32)
    while match.outcome is None:
        match.play(seat := min(match.to_act), chance.choice(match.seen(seat).legal))
    told = story_of(match)
    winner = match.outcome.ranks.index(1)
    ours, theirs = told.curve.by_seat[winner], told.curve.by_seat[1 - winner]
    behind = [number for number, mine in enumerate(ours) if mine <= theirs[number]]
    assert told.decided == f"The lead changed for the last time in turn {told.curve.labels[behind[-1] + 1]}."


def test_the_moments_are_the_turns_that_moved_a_lead_most_in_the_order_of_play():
    match = bids((3, 1), (1, 2), (2, 3))
    course = course_of(match)
    told = course.story()
    assert sorted(each.worth for each in told.turned) == [1, 2, 3]
    for each in told.turned:
        numbers = [tuple(score.number for score in seen_at(match, step).scores) for step in (each.since, each.step)]
        ahead = [number[each.seat] - number[1 - each.seat] for number in numbers]
        assert ahead[1] - ahead[0] == each.worth
        assert f"won the prize of {each.worth}" in each.words and each.words.startswith("Round ")
    assert [each.step for each in told.turned] == sorted(each.step for each in told.turned)


def seen_at(match, wanted):
    """Return the open view after a step."""
    return next(again.view() for step, (_, again) in enumerate(match.steps()) if step == wanted)


def test_the_result_says_why_the_match_ended_unless_somebody_gave_it_up():
    played = bids((3, 1), (1, 2), (2, 3))
    told = story_of(played)
    assert told.ended == "All 3 rounds are over."
    assert verdict(played.names, played.outcome, told, 0).why.startswith("All 3 rounds are over.")
    given_up = bids((3, 1))
    given_up.resign(1)
    assert story_of(given_up).ended == ""


def test_a_game_without_rounds_has_a_curve_move_by_move():
    match = quintain.Match.new(register_file(KUHN), seed=bytes(32))
    while match.outcome is None:
        match.play(min(match.to_act), match.moves(min(match.to_act))[0].action)
    told = story_of(match)
    assert told.curve.over == "move" and len(told.curve.labels) == len(match.moves_made) + 1
    assert [row.words for row in told.rows if row.is_total] == ["Chips"]


def test_what_was_taken_back_turns_nothing():
    match = quintain.Match.new("kings-court", names=NAMES[:2], seed="5a" * 32)
    undone = 0
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[-1].action)
        if match.can_undo(seat) and undone < 9:
            match.undo(seat)
            match.play(seat, match.moves(seat)[0].action)
            undone += 1
    course = course_of(match)
    taken = [step for step in range(course.last + 1) if step not in course.in_effect]
    assert undone and len(taken) == undone
    assert not set(taken) & {told.step for told in course.told}
    assert not any("takes the last move back" in each.words for each in course.story().turned)


def test_a_game_given_up_has_a_story_that_says_who_resigned_and_when():
    match = bids((3, 1))
    match.resign(1)
    told = story_of(match)
    (gave_up,) = told.resigned
    assert (gave_up.seat, gave_up.when, gave_up.step) == (1, "in round 2", 3)
    ann, bo, eve = (verdict(match.names, match.outcome, told, viewer) for viewer in (0, 1, None))
    assert (ann.head, bo.head, eve.head) == ("You win", "You lose to Ann", "Ann wins")
    assert bo.why.startswith("You resigned in round 2; it stood ") and ann.why.startswith("Bo resigned in round 2")
    early = quintain.Match.new("rune-war", names=NAMES[:2], seed=bytes(32))
    early.resign(0)
    assert story_of(early).resigned[0].when == "before the first turn"


def test_with_more_seats_the_others_play_on_and_the_result_says_who_had_resigned():
    match = bids((3, 1, 2), seats=3)
    match.resign(2)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    told = story_of(match)
    assert [each.seat for each in told.resigned] == [2]
    assert "Cleo resigned in round 2." in verdict(match.names, match.outcome, told, 0).why


def test_winners_losers_and_those_who_watch_read_other_words():
    outcome, told = Outcome((26, 28, 20), (2, 1, 3), "played to the end"), story(decided="The last move decided it.")
    read = {viewer: verdict(NAMES, outcome, told, viewer) for viewer in (1, 0, 2, None)}
    assert [each.tone for each in read.values()] == ["won", "lost", "lost", "watched"]
    assert read[1].head == "You win with 28 points" and read[None].head == "Bo wins with 28 points"
    assert read[0].head == "You lose: 2nd of 3, and Bo wins"
    assert read[1].why == "2 ahead of Ann. The last move decided it."
    assert read[2].why.startswith("You are 8 behind Bo.")


def test_a_draw_is_neither_won_nor_lost():
    outcome = Outcome((5, 5), (1, 1), "played to the end")
    ann, eve = (verdict(NAMES[:2], outcome, story(), viewer) for viewer in (0, None))
    assert (ann.tone, ann.head) == ("drawn", "You draw with Bo, 5 points each")
    assert (eve.tone, eve.head) == ("watched", "A draw between Ann and Bo, 5 points each")


def test_the_tie_break_that_decided_is_named():
    rows = [
        GridRow("Points", numbers_of((7, 7)), is_total=True),
        GridRow("Houses", numbers_of((3, 3)), is_tie_break=True),
        GridRow("Ranks in hand", numbers_of((9, 4)), is_tie_break=True),
    ]
    said = verdict(NAMES[:2], Outcome((7, 7), (1, 2), "played to the end"), story(rows), 0)
    assert said.why == "The scores are equal; ranks in hand decided, 9 to 4."


def test_prizes_are_part_of_the_result():
    outcome = Outcome((1, 0), (1, 2), "played to the end", ("Ann gains Potter.",))
    assert verdict(NAMES[:2], outcome, story(), 1).why == "You are 1 behind Ann. Ann gains Potter."
    assert verdict(NAMES[:2], outcome, None, 1).head == "You lose to Ann, 0 to 1"


def test_a_game_tells_its_own_rows_and_moments_and_the_engine_reckons_their_worth(monkeypatch):
    match = bids((3, 1), (1, 2), (2, 3))

    def tell(book, course):
        rows = (GridRow("seat 1's luck", (Cell(1, "of seat 0"), Cell()), is_total=True),)
        return Tale(rows, turned=tuple(Turned(step, None, f"step {step}") for step in range(1, course.last + 1)))

    monkeypatch.setattr(GOOFSPIEL.text, "story", tell, raising=False)
    told = story_of(match)
    assert told.rows[0].words == "Bo's luck" and told.rows[0].cells[0].words == "of Ann"
    assert sorted(each.worth for each in told.turned) == [1, 2, 3], "moments that moved no lead are left out"
    assert told.curve.unit == "points", "what the game leaves out, the engine tells"


def test_a_story_with_the_wrong_parameters_is_refused_when_the_game_is_made():
    words = SimpleNamespace(**vars(GOOFSPIEL.text), story=lambda book: None)
    with pytest.raises(BadGame, match="story takes 2 parameters"):
        remade(GOOFSPIEL, text=words)
