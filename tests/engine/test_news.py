"""Pieces of news: which events belong together, and from which decision on a viewer is told them."""

import random

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.views import Change
from quintain.engine.seen.news import belongs, joined
from quintain.engine.seen.seen import Seen

ANN, BO, ONLOOKER = 0, 1, None
SEED = bytes(range(32))
FIVE = ["kings-court", "rune-war", "heirless", "robin", "round-table"]


def change(words: str, seat: int | None, *places: str) -> Change:
    return Change(1, words, seat, places, tuple(place.rpartition(".")[0] for place in places))


def court() -> Match:
    return Match.new("kings-court", names=("Ann", "Bo"), options={"garnets": "0,0"}, seed=SEED)


def play_first(match: Match, seat: int, times: int = 1) -> None:
    for _ in range(times):
        match.play(seat, match.moves(seat)[0].action)


def told(match: Match, viewer: int | None) -> list[str]:
    return [moment.changes[0].words for moment in match.moments(viewer)]


def new_lines(seen: Seen) -> list[str]:
    return list(seen.log[seen.old :])


@pytest.mark.parametrize(
    ("later", "is_joined"),
    [
        (change("Bo moves one more unit.", BO, "house.1", "house.2"), True),
        (change("Bo draws a card.", BO, "hand.1.8"), False),
        (change("Bo stops.", BO), True),
        (change("", BO, "hand.1.8"), True),
        (change("", None, "influence.3"), True),
        (change("Artois falls.", None, "house.1"), False),
        (change("Ann moves a unit.", ANN, "house.1"), False),
        (change("Ann passes.", ANN), False),
        (change("", ANN, "hand.0.1"), False),
    ],
)
def test_what_one_seat_does_to_one_place_is_one_piece_of_news(later: Change, is_joined: bool):
    assert belongs(later, change("Bo moves a unit.", BO, "house.1")) == is_joined


def test_news_that_has_no_words_yet_gets_those_of_the_same_seat():
    assert belongs(change("Bo has chosen.", BO, "stage.0"), change("", BO, "hand.1.0"))
    assert not belongs(change("You draw a card.", ANN, "hand.0.0"), change("", BO, "hand.1.0"))


def test_one_piece_of_news_has_all_words_and_each_place_once():
    first, second = change("Bo moves a unit.", BO, "house.1"), change("", None, "house.2", "house.1")
    both = joined(joined(first, second), change("Bo stops.", BO))
    assert (both.words, both.seat) == ("Bo moves a unit. Bo stops.", BO)
    assert both.places == ("house.1", "house.2") and both.zones == ("house", "house")


def test_what_a_player_has_just_done_is_no_news_to_them():
    match = court()
    play_first(match, ANN)
    assert told(match, ANN) == [] and new_lines(match.seen(ANN)) == []
    assert told(match, BO) == ["Ann puts a counter on Artois."] == new_lines(match.seen(BO))
    play_first(match, BO)
    assert told(match, ANN) == ["Bo puts a counter on Artois."] == new_lines(match.seen(ANN))
    assert told(match, BO) == []


def test_before_the_first_decision_the_deal_is_no_news():
    match = Match.new("robin", seed=SEED)
    for viewer in (ANN, BO, ONLOOKER):
        assert match.moments(viewer) == [] and new_lines(match.seen(viewer)) == []


def test_a_move_without_a_choice_is_no_decision():
    match = court()
    play_first(match, BO, 6)
    play_first(match, ANN, 5)
    before = told(match, ANN)
    assert len(match.moves(ANN)) == 1
    play_first(match, ANN)
    assert told(match, ANN)[: len(before)] == before and "You put" in told(match, ANN)[len(before)]


def test_a_move_of_a_bot_that_stands_in_is_no_decision():
    match = court()
    play_first(match, ANN)
    play_first(match, BO)
    match.hand_over(ANN, "Squire")
    play_first(match, ANN)
    from_bo, from_the_bot = told(match, ANN)
    assert from_bo == "Bo puts a counter on Artois." and from_the_bot.startswith("You put ")
    match.hand_over(ANN)
    play_first(match, ANN)
    assert told(match, ANN) == []


def test_after_a_move_is_taken_back_there_is_no_news():
    match = court()
    play_first(match, BO)
    play_first(match, ANN)
    match.undo(ANN)
    assert told(match, ANN) == [] and new_lines(match.seen(ANN)) == []
    assert told(match, BO) == []


def test_news_for_spectators_begins_with_the_moves_that_the_last_mover_made_in_a_row():
    match = court()
    play_first(match, ANN, 2)
    play_first(match, BO, 2)
    assert len(told(match, ONLOOKER)) == 2 == len(new_lines(match.seen()))
    assert all(words.startswith("Bo ") for words in told(match, ONLOOKER))


def test_the_news_is_that_of_the_first_step_though_the_match_goes_on_meanwhile():
    match = court()
    play_first(match, BO, 2)
    before = match.moments(ANN)
    finding = match.find_moments(ANN)
    assert next(finding) == []
    match.undo(BO)
    play_first(match, ANN)
    *_, found = finding
    assert before and found == before != match.moments(ANN)


@pytest.mark.parametrize("id_", FIVE)
def test_the_news_says_the_new_lines_of_the_log(id_: str):
    match, chooser, pieces, most = Match.new(id_, seed=SEED), random.Random(3), 0, 0
    while match.to_act and len(match.moves_made) < 100:
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
        for viewer in (ONLOOKER, ANN, BO) if len(match.moves_made) % 3 else ():
            seen, moments = match.seen(viewer), match.moments(viewer)
            words = [moment.changes[0].words for moment in moments]
            assert " ".join(filter(None, words)) == " ".join(new_lines(seen))
            lengths = [len(moment.log) for moment in moments]
            assert lengths == sorted(lengths) and all(moment.legal == () for moment in moments)
            assert not moments or moments[-1].log == seen.log
            for moment in moments:
                assert len(moment.changes[0].zones) == len(moment.changes[0].places)
            pieces, most = pieces + len(moments), max(most, len(moments))
    assert pieces > 100 and most > 3


def test_a_viewer_who_has_not_decided_for_long_is_told_the_last_hundred_moves():
    match, chooser = Match.new("heirless", 3, seed=SEED), random.Random(3)
    match.resign(ANN)
    while match.to_act and len(match.moves_made) < 260:
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
    assert 10 < len(match.seen(ANN, since=True).changes) < 300
    assert match.moments(ANN)[-1].log == match.seen(ANN).log
