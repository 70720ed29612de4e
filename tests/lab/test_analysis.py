"""Analysis: every decision of a finished match is judged by what its player could know."""

from typing import Any

import pytest

import quintain
from quintain.bots.ismcts import Judgement
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.lab.analysis import Decision, analyse, luck_and_skill


def bid(match: Match, seat: int, card: int) -> None:
    match.play(seat, f"bid {card}")


def analysed(match: Match) -> list[Decision]:
    return list(analyse(match, 3000))


def test_a_bid_that_throws_the_game_away_is_found_and_the_better_one_named(goofspiel: Game):
    match = Match.new(goofspiel, names=["Ann", "Bo"], options={"cards": 2}, seed="cd" * 32)
    bid(match, 0, 1)  # cannot win any more: the 2 draws or wins
    bid(match, 1, 2)
    bid(match, 0, 2)
    bid(match, 1, 1)
    ann, bo = analysed(match)  # the last bids were forced
    assert (ann.number, ann.seat, ann.played, ann.best) == (1, 0, "bid 1", "bid 2")
    assert ann.lost == ann.best_judged.share - ann.judged.share > 0.3
    assert ann.judged.simulations == ann.best_judged.simulations == 3000
    assert (bo.number, bo.seat, bo.played, bo.best, bo.lost) == (2, 1, "bid 2", "bid 2", 0.0)


@pytest.mark.parametrize(
    ("played", "best", "simulations", "lost"),
    [(0.5, 0.7, 100, 0.2), (0.5, 0.6, 100, 0.0), (0.5, 0.6, 1000, 0.1), (0.7, 0.5, 1000, 0.0), (0.0, 1.0, 10, 1.0)],
)
def test_a_difference_within_the_error_of_judging_does_not_count_as_given_away(
    played: float, best: float, simulations: int, lost: float
):
    judged = (Judgement(action, simulations, share) for action, share in enumerate((played, best)))
    assert Decision(1, 0, "this", "that", *judged).lost == pytest.approx(lost)


def test_moves_taken_back_and_moves_of_a_resigned_seat_are_not_analysed(goofspiel: Game):
    match = Match.new(goofspiel, seats=3, names=["Ann", "Bo", "Cy"], options={"cards": 3}, seed="cd" * 32)
    bid(match, 0, 3)
    bid(match, 1, 2)
    match.resign(2)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    auto = [number for number, entry in enumerate(match.moves_made, 1) if entry.auto]
    decided = [one.number for one in analysed(match)]
    assert auto and decided[:2] == [1, 2] and not set(auto) & set(decided)

    court = Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)
    court.play(0, "put +5 on Artois")
    court.undo(0)
    court.play(0, "put -2 on Artois")
    court.resign(1)
    assert [(one.number, one.played) for one in analysed(court)] == [(3, "put -2 on Artois")]


def test_an_analysis_knows_no_more_than_the_player_and_is_the_same_every_time(goofspiel: Game):
    def match(hidden: int) -> Match:
        played = Match.new(goofspiel, names=["Ann", "Bo"], options={"cards": 4}, seed="cd" * 32)
        bid(played, 0, hidden)
        bid(played, 1, 3)
        while played.outcome is None:
            seat = min(played.to_act)
            played.play(seat, played.moves(seat)[0].action)
        return played

    one, same, other = (analysed(match(hidden))[1] for hidden in (1, 1, 4))
    assert one == same == other and one.seat == 1


def test_every_choice_of_a_game_is_judged(goofspiel: Game):
    match = Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)
    choices: list[Any] = []
    told: list[int] = []
    while match.outcome is None:
        seat = min(match.to_act)
        moves = match.moves(seat)
        if len(moves) > 1:
            choices.append((len(match.moves_made) + 1, seat, moves[-1].text))
        match.play(seat, moves[-1].action)
    judged = list(analyse(match, 200, lambda: told.append(1)))
    assert [(one.number, one.seat, one.played) for one in judged] == choices
    assert all(0 <= one.judged.share <= 1 and one.lost >= 0 for one in judged)
    assert all(one.best_judged.simulations == one.judged.simulations == 200 for one in judged if one.played != one.best)
    assert all(one.lost == 0.0 and one.judged == one.best_judged for one in judged if one.played == one.best)
    assert len(told) == len(match.moves_made) + 1


def test_a_match_that_is_not_over_is_not_analysed():
    with pytest.raises(quintain.QuintainError, match="only when it is over"):
        analysed(Match.new("kings-court"))


def test_a_small_loss_counts_as_none_however_surely_it_is_known():
    sure = [
        Decision(1, 0, "this", "that", Judgement(0, 10**6, 0.5), Judgement(1, 10**6, 0.5 + by)) for by in (0.019, 0.021)
    ]
    assert [one.lost for one in sure] == [0.0, pytest.approx(0.021)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_luck_and_decisions_add_up_to_the_result(goofspiel: Game, seats: int):
    match = Match.new(goofspiel, seats, names=["Ann", "Bo", "Cy", "Di"][:seats], options={"cards": 4}, seed="cd" * 32)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[seat % len(match.moves(seat))].action)
    judged = list(analyse(match, 500))
    found = luck_and_skill(match, judged)
    assert [one.seat for one in found] == [*range(seats)] and sum(one.lost for one in found) > 0.1
    for one in found:
        own = [each for each in judged if each.seat == one.seat]
        assert one.even + one.cards - one.lost + one.gained == pytest.approx(one.result)
        assert one.lost == sum(each.lost for each in own) and one.even == 1 / seats
        assert (one.decisions, one.free) == (len(own), sum(not each.lost for each in own))
    assert sum(one.cards for one in found) == pytest.approx(0)
    assert sum(one.gained for one in found) == pytest.approx(sum(one.lost for one in found))
    assert sum(one.result for one in found) == pytest.approx(1)


def test_what_one_gives_away_the_others_gain_in_equal_parts(goofspiel: Game):
    match = Match.new(goofspiel, 3, names=["Ann", "Bo", "Cy"], options={"cards": 2}, seed="cd" * 32)
    with pytest.raises(ValueError, match="only when the match is over"):
        luck_and_skill(match, [])
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[-1].action)
    judged = [Decision(1, 0, "this", "that", Judgement(0, 900, 0.2), Judgement(1, 900, 0.5))]
    ann, bo, cy = luck_and_skill(match, judged)
    assert (ann.lost, ann.gained) == (pytest.approx(0.3), 0) and bo.gained == cy.gained == pytest.approx(0.15)
