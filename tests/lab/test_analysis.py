"""Analysis: every decision of a finished match is judged by what its player could know, and luck and skill add up."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import structs

import quintain
from quintain.bots.ismcts import warm_up
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.lab.analysis import Analysis, JudgedStep, analyse, begun, expected_line, judge, judging, positions
from quintain.lab.candidates import Candidate, judge_candidates

NAMES = ("Ann", "Bo", "Cy", "Di")
SEED = "cd" * 32


def new(game: Game, seats: int, cards: int) -> Match:
    return Match.new(game, seats, NAMES[:seats], {"cards": cards}, SEED)


def bid(match: Match, seat: int, card: int) -> None:
    match.play(seat, f"bid {card}")


def play_on(match: Match) -> Match:
    """Play to the end; each seat makes another of its moves."""
    while match.outcome is None:
        seat = min(match.to_act)
        moves = match.moves(seat)
        match.play(seat, moves[seat % len(moves)].action)
    return match


def candidate(action: int, share: float, tries: int = 1000) -> Candidate:
    return Candidate(action, f"bid {action}", share, tries)


def step(action: int | None, *tried: Candidate, number: int = 1, seat: int = 0, seats: int = 2) -> JudgedStep:
    """Return a step of which everything but the chance of its seat is even."""
    even = (1 / seats,) * seats
    known = (tried[0].share if tried else even[0], *even[1:])
    return JudgedStep(number, seat, action, "", known, even, even, tried)


def test_a_bid_that_throws_the_game_away_is_found_and_the_better_one_named(goofspiel: Game):
    match = new(goofspiel, 2, 2)
    bid(match, 0, 1)  # cannot win any more: the 2 draws or wins
    bid(match, 1, 2)
    bid(match, 0, 2)
    bid(match, 1, 1)
    analysis = analyse(match)
    ann, bo = analysis.decisions  # the last bids were forced
    assert (ann.number, ann.seat, ann.text, ann.best and ann.best.text) == (1, 0, "bid 1", "bid 2")
    assert ann.best and ann.made and ann.lost == ann.best.share - ann.made.share > 0.3
    assert [each.tries for each in ann.candidates] == [3000, 3000] and ann.after == ann.made.share
    assert (bo.number, bo.seat, bo.text, bo.made, bo.lost) == (2, 1, "bid 2", bo.best, 0.0)
    assert analysis.worst == (ann,) and analysis.is_whole


@pytest.mark.parametrize(
    ("played", "best", "tries", "lost"),
    [(0.5, 0.7, 100, 0.2), (0.5, 0.6, 100, 0.0), (0.5, 0.6, 1000, 0.1), (0.0, 1.0, 10, 1.0)],
)
def test_a_difference_within_the_error_of_judging_does_not_count_as_given_away(
    played: float, best: float, tries: int, lost: float
):
    assert step(0, candidate(1, best, tries), candidate(0, played, tries)).lost == pytest.approx(lost)


def test_the_more_candidates_there_are_the_surer_a_difference_must_be():
    best, made = candidate(1, 0.56), candidate(0, 0.51)
    others = [candidate(action, 0.1) for action in range(2, 40)]
    assert step(0, best, made).lost == pytest.approx(0.05)
    assert step(0, best, made, *others).lost == 0.0
    assert step(0, candidate(1, 0.66), made, *others).lost == pytest.approx(0.15)


def test_a_small_loss_counts_as_none_however_surely_it_is_known():
    lost = [step(0, candidate(1, 0.5 + by, 10**6), candidate(0, 0.5, 10**6)).lost for by in (0.019, 0.021)]
    assert lost == [0.0, pytest.approx(0.021)]
    assert step(1, candidate(1, 0.9), candidate(0, 0.1)).lost == 0.0


def test_moves_taken_back_are_not_judged_and_a_resignation_gives_away_what_chance_was_left():
    court = Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)
    court.play(0, "put +5 on Artois")
    court.undo(0)
    court.play(0, "put -2 on Artois")
    court.resign(1)
    analysis = analyse(court, 300)
    put, resigned = analysis.steps
    assert (put.number, put.text, resigned.number, resigned.action) == (3, "put -2 on Artois", 4, None)
    assert resigned.lost == resigned.known[1] > 0.2 and resigned.after == 0.0 and resigned.is_decision
    assert resigned.opened_after == analysis.results == (1.0, 0.0) and 0.1 < resigned.opened[1] < 0.9


def test_of_secret_choices_at_the_same_time_the_one_that_is_taken_back_is_not_judged():
    match, heirless = None, quintain.game("heirless")
    for number in range(40):
        match = undone_behind(Match.new(heirless, 2, NAMES[:2], seed=f"{number:064x}"))
        if match:
            break
    assert match
    undo = next(number for number, entry in enumerate(match.moves_made, 1) if entry.kind == "undo")
    mine, theirs = undo - 2, undo - 1
    assert match.moves_made[mine - 1].seat == match.moves_made[undo - 1].seat != match.moves_made[theirs - 1].seat
    judged = [position.number for position in positions(match)]
    assert theirs in judged and mine not in judged and undo not in judged
    assert begun(match).total == len(judged)


def undone_behind(match: Match) -> Match | None:
    """Play until a seat takes a move back after which another seat chose, and then resign; None if that never comes."""
    while match.outcome is None and len(match.moves_made) < 60:
        if len(match.to_act) == 2:
            for seat in match.to_act:
                match.play(seat, match.moves(seat)[0].action)
                if not match.can_undo(seat):
                    break
                other = 1 - seat
                if other in match.to_act:
                    match.play(other, match.moves(other)[0].action)
                    if match.can_undo(seat):
                        match.undo(seat)
                        match.resign(seat)
                        return match
                    break
        else:
            seat = min(match.to_act)
            match.play(seat, match.moves(seat)[0].action)
    return None


def test_what_a_seat_that_resigned_could_have_won_goes_to_the_others(goofspiel: Game):
    match = new(goofspiel, 3, 4)
    bid(match, 0, 3)
    bid(match, 1, 2)
    match.resign(2)
    play_on(match)
    analysis = analyse(match, 400)
    (resigned,) = (one for one in analysis.steps if one.action is None)
    later = [one for one in analysis.steps if one.number > resigned.number]
    assert resigned.lost == resigned.known[2] > 0.1
    assert resigned.opened_after[2] == 0.0 and sum(resigned.opened_after) == pytest.approx(1)
    assert [one.known[2] for one in later] == [0.0] * len(later)
    assert all(sum(one.opened) == pytest.approx(1) for one in later)
    cards = {one.number: gave for one, gave in zip(analysis.steps, analysis.cards[1:], strict=True)}
    assert [cards[one.number][2] for one in later] == pytest.approx([0.0] * len(later)), "it is out, and gains nothing"
    luck = analysis.luck_and_skill()
    assert sum(one.gained for one in luck) == pytest.approx(sum(one.lost for one in luck))
    auto = {number for number, entry in enumerate(match.moves_made, 1) if entry.auto}
    decided = [one.number for one in analysis.decisions]
    assert auto and decided[:3] == [1, 2, 3] and not auto & set(decided)
    assert auto <= {one.number for one in analysis.steps}
    bids = [one for one in later if one.candidates]
    assert bids and all(one.known[one.seat] == one.candidates[0].share for one in bids)
    places = {position.number: position for position in positions(match)}
    (first, *_) = bids
    seen = places[first.number].seens[first.seat]
    with_rival = {each.action: each.share for each in judge_candidates(seen, 400, first.number)}
    assert all(each.share >= with_rival[each.action] for each in first.candidates)
    assert any(each.share > with_rival[each.action] for each in first.candidates)


def test_an_analysis_knows_no_more_than_the_player_and_is_the_same_every_time(goofspiel: Game):
    def second_bid(hidden: int) -> JudgedStep:
        match = new(goofspiel, 2, 4)
        bid(match, 0, hidden)
        bid(match, 1, 3)
        return analyse(play_on(match), 3000).steps[1]

    one, same, other = map(second_bid, (1, 1, 4))
    assert one == same and one.seat == 1 and one.opened != other.opened
    assert one.candidates == other.candidates and one.known[1] == other.known[1]


def test_every_choice_of_a_game_is_judged_with_all_its_candidates():
    match = Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32)
    choices: list[Any] = []
    while match.outcome is None:
        seat = min(match.to_act)
        moves = match.moves(seat)
        if len(moves) > 1:
            choices.append((len(match.moves_made) + 1, seat, moves[-1].text, {move.text for move in moves}))
        match.play(seat, moves[-1].action)
    told: list[int] = []
    analysis = analyse(match, 50, lambda: told.append(1))
    found = [(one.number, one.seat, one.text, {each.text for each in one.candidates}) for one in analysis.decisions]
    assert found == choices and len(told) == analysis.total == len(analysis.steps) == len(match.moves_made)
    for one in analysis.steps:
        shares = [each.share for each in one.candidates]
        assert shares == sorted(shares, reverse=True) and {each.tries for each in one.candidates} <= {50}
        assert one.lost >= 0 and (not shares or one.known[one.seat] == shares[0])
        assert sum(one.opened) == pytest.approx(1) and sum(one.opened_after) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in one.known)
        assert one.opened == one.opened_after or one.made is not one.best


def test_a_match_that_is_not_over_is_not_analysed():
    for do in (analyse, begun):
        with pytest.raises(quintain.QuintainError, match="only when it is over"):
            do(Match.new("kings-court"))  # type: ignore[operator]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_luck_and_decisions_add_up_to_the_result(goofspiel: Game, seats: int):
    analysis = analyse(play_on(new(goofspiel, seats, 4)), 500)
    found, judged = analysis.luck_and_skill(), analysis.decisions
    assert [one.seat for one in found] == [*range(seats)] and sum(one.lost for one in found) > 0.1
    for one in found:
        own = [each for each in judged if each.seat == one.seat]
        assert one.even + one.cards - one.lost + one.gained == pytest.approx(one.result)
        assert one.lost == sum(each.lost for each in own) and one.even == 1 / seats
        assert (one.decisions, one.free) == (len(own), sum(not each.lost for each in own))
        assert sum(given[one.seat] for given in analysis.cards) == pytest.approx(one.cards)
    assert len(analysis.cards) == 1 + analysis.total
    assert sum(one.cards for one in found) == pytest.approx(0)
    assert sum(one.gained for one in found) == pytest.approx(sum(one.lost for one in found))
    assert [one.result for one in found] == [*analysis.results] and sum(analysis.results) == pytest.approx(1)


@pytest.mark.parametrize("judged", [0, 1, 5])
def test_an_analysis_that_is_not_done_adds_up_to_the_chances_so_far(goofspiel: Game, judged: int):
    match = play_on(new(goofspiel, 3, 4))
    steps = analyse(match, 100).steps[:judged]
    analysis = structs.replace(begun(match, 100), steps=steps)
    assert not analysis.is_whole and len(analysis.cards) == 1 + judged
    for one in analysis.luck_and_skill():
        so_far = steps[-1].opened_after[one.seat] if steps else 1 / 3
        assert one.result == so_far == pytest.approx(one.even + one.cards - one.lost + one.gained)
        assert sum(given[one.seat] for given in analysis.cards) == pytest.approx(one.cards)


def test_what_one_gives_away_the_others_gain_in_equal_parts():
    lost = step(0, candidate(1, 0.5), candidate(0, 0.2), seats=3)
    ann, bo, cy = Analysis("goofspiel", (0.0, 1.0, 0.0), 1, 1000, (lost,)).luck_and_skill()
    assert (ann.lost, ann.gained) == (pytest.approx(0.3), 0) and bo.gained == cy.gained == pytest.approx(0.15)


def test_what_the_cards_gave_stands_where_it_came(goofspiel: Game):
    """Of two cards each, only the order of the prizes is chance, and it matters to nobody who bids the same."""
    match = new(goofspiel, 2, 3)
    for card in (1, 2, 3):
        bid(match, 0, card)
        bid(match, 1, card)
    deal, *rest = analyse(match, 3000).cards
    assert deal == pytest.approx((0, 0), abs=0.1) and len(rest) == 6


def test_an_analysis_is_kept_as_json(goofspiel: Game):
    match = new(goofspiel, 3, 4)
    match.resign(1)
    analysis = analyse(play_on(match), 50)
    again = msgspec.json.decode(msgspec.json.encode(analysis), type=Analysis)
    assert again == analysis and again.luck_and_skill() == analysis.luck_and_skill() and again.cards == analysis.cards
    assert again.version == quintain.__version__


def test_job_by_job_a_judgement_is_the_same(goofspiel: Game, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("quintain.lab.analysis.JOB_TRIES", 200)
    for position in positions(play_on(new(goofspiel, 2, 4))):
        work, done = judging(position, 200), 0
        job = next(work)
        while True:
            done += 1
            job_again = msgspec.json.encode(job.do(*job.given)), msgspec.json.encode(job.do(*job.given))
            assert job_again[0] == job_again[1]
            try:
                job = work.send(job.do(*job.given))
            except StopIteration as end:
                assert end.value == judge(position, 200)
                break
        assert done >= (1 if position.is_forced else 1 + len(position.seens[position.seat].legal))


def worlds(game: Game) -> Iterator[tuple[Any, Any]]:
    """Yield what a seat sees of two matches that differ in the bid of the other seat alone."""
    found = []
    for hidden in (2, 4):
        match = new(game, 2, 4)
        bid(match, 0, hidden)
        found.append(match.seen(1))
    yield found[0], found[1]


def test_the_expected_line_is_three_moves_in_words_and_depends_on_what_the_seat_sees(goofspiel: Game):
    warm_up(goofspiel)
    for one, other in worlds(goofspiel):
        for action in one.legal:
            line, same = list(expected_line(one, action)), list(expected_line(other, action))
            assert [(move.seat, move.text) for move in line] == [(move.seat, move.text) for move in same]
            assert [move.seen.state.pack() for move in line] == [move.seen.state.pack() for move in same]
            assert len(line) == 3 and (line[0].seat, line[0].text) == (1, f"bid {action}")
            assert all(move.seen.viewer == 1 for move in line)


def test_an_expected_line_ends_with_the_game(goofspiel: Game):
    match = new(goofspiel, 2, 2)
    bid(match, 0, 2)
    bid(match, 1, 1)
    bid(match, 0, 1)
    assert [move.text for move in expected_line(match.seen(1), 2)] == ["bid 2"]


def test_very_many_candidates_are_tried_less_often(goofspiel: Game, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("quintain.lab.analysis.MOST_TRIES", 60)
    first = next(positions(play_on(new(goofspiel, 2, 4))))
    assert {each.tries for each in judge(first, 50).candidates} == {15}
    assert {each.tries for each in judge(first, 10).candidates} == {10}
    assert judge_candidates(first.seens[0], 15, 1) == judge(first, 50).candidates
