"""`Seen`: it can be stored, compared and sent, says which simultaneous choices are made, and what has changed."""

import dataclasses
import pickle
import random
from pathlib import Path

import msgspec
import pytest

import quintain
from quintain.engine.errors import BadGame, IllegalMove
from quintain.engine.names import with_minus
from quintain.engine.play.match import Match
from quintain.engine.rules import registry
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.engine.rules.views import Change, Piece, View
from quintain.engine.seen.seen import Seen
from quintain.games.kings_court.words import HOUSE_NAMES
from tutorial import write_goofspiel

ANN, BO, CY, ONLOOKER = 0, 1, 2, None
SEED = bytes(range(32))
FIVE = ["kings-court", "rune-war", "heirless", "robin", "round-table"]


@pytest.fixture
def goofspiel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(registry, "_games", {})
    write_goofspiel(tmp_path / "goofspiel.py")
    return register_file(tmp_path / "goofspiel.py")


def court() -> Match:
    return Match.new("kings-court", names=("Ann", "Bo"), options={"garnets": "0,0"}, seed=SEED)


def play_first(match: Match, seat: int, times: int = 1) -> None:
    for _ in range(times):
        match.play(seat, match.moves(seat)[0].action)


def in_turn() -> tuple[Match, int]:
    """Return King's Court after all counters, and the first player."""
    match = court()
    for seat in (ANN, BO):
        play_first(match, seat, 6)
    return match, min(match.to_act)


def test_a_seen_is_the_same_after_a_trip_to_another_process_and_finds_its_game_there(goofspiel: Game):
    match = Match.new(goofspiel, 2, ["Ann", "Bo"], {"cards": 4}, SEED)
    match.play(ANN, "bid 3")
    for viewer in (ANN, BO, ONLOOKER):
        seen = match.seen(viewer, since=True)
        again = pickle.loads(pickle.dumps(seen))
        assert again == seen and hash(again) == hash(seen) and again is not seen
        assert again.game is goofspiel and again.view == seen.view and again.menu == seen.menu


def test_a_seen_does_not_change_when_the_match_goes_on():
    match, first = in_turn()
    seen, twin = match.seen(first), match.seen(first)
    play_first(match, first)
    assert seen == twin != match.seen(first)
    assert seen.view == twin.view != match.seen(first).view
    assert len(seen.log) < len(match.seen(first).log)


def test_a_seen_is_sent_without_its_view():
    seen = court().seen(ANN)
    before = len(pickle.dumps(seen))
    assert seen.view and seen.menu and seen.account == () and len(pickle.dumps(seen)) == before


def test_a_seen_holds_all_that_its_viewer_may_know():
    match, first = in_turn()
    seen = match.seen(first)
    assert (seen.viewer, seen.names, seen.to_act, seen.done) == (first, ("Ann", "Bo"), (first,), ())
    assert [act.words for act in seen.menu] == [move.text for move in match.moves(first)]
    assert seen.legal == tuple(act.action for act in seen.menu) and seen.decision == match.decision(first)
    assert seen.log[-1].startswith("You draw ") and seen.commitment == match.commitment
    assert seen.can_resign and not seen.can_undo and not seen.has_resigned and seen.outcome is None
    match.resign(first)
    over = match.seen(first)
    assert over.has_resigned and not over.can_resign and over.outcome == match.outcome and over.menu == ()
    assert over.why_not("stop") is not None


def test_a_spectator_is_asked_nothing():
    seen = court().seen()
    assert (seen.viewer, seen.legal, seen.menu, seen.decision, seen.can_undo, seen.can_resign) == (
        (None, (), (), 0, False, False)
    )
    assert seen.view.question is None and seen.to_act == (ANN, BO)


def test_moves_that_end_something_stand_last_in_the_menu():
    match, chooser, last = Match.new("rune-war", seed=SEED), random.Random(1), 0
    while match.outcome is None and last < 20:
        seat = chooser.choice(sorted(match.to_act))
        finals = [act.final for act in match.seen(seat).menu]
        assert finals == sorted(finals)
        last += any(finals)
        match.play(seat, chooser.choice(match.moves(seat)).action)
    assert last > 0


def test_json_holds_the_view_the_menu_and_no_state():
    data = court().seen(ANN).to_json()
    words = with_minus(court().moves(ANN)[0].text)
    assert data["menu"][0]["words"] == words and data["view"]["to_act"] == (ANN, BO)
    assert {"log", "account", "outcome", "decision"} < set(data) and not {"state", "book"} & set(data)


def test_bots_get_the_blinded_state_only(goofspiel: Game):
    match = Match.new(goofspiel, 2, ["Ann", "Bo"], {"cards": 4}, SEED)
    seen = Seen.of(goofspiel, match.book, match.blinded(BO), BO)
    assert seen.legal == match.seen(BO).legal
    assert seen.view == dataclasses.replace(match.seen(BO), names=()).view != match.seen(BO).view
    assert seen.view.zones[-1].words == "seat 1, 0 points"


# Whose choice stands


def test_a_seat_that_has_put_all_counters_is_done_until_the_other_has_too():
    match = court()
    play_first(match, ANN, 5)
    play_first(match, BO, 2)
    assert match.seen().done == ()
    play_first(match, ANN)
    for left in range(4, 0, -1):
        assert (match.seen().to_act, match.seen().done) == ((BO,), (ANN,)), f"Bo has {left} counters to put"
        assert match.seen(BO).view.done == (ANN,)
        play_first(match, BO)
        if match.can_undo(BO):
            match.undo(BO)
            assert match.seen().done == (ANN,)
            play_first(match, BO)
    assert match.seen().done == () and len(match.to_act) == 1


def test_of_three_bidders_those_who_have_bid_are_done(goofspiel: Game):
    match = Match.new(goofspiel, 3, ["Ann", "Bo", "Cy"], {"cards": 3}, SEED)
    for _ in range(2):
        assert match.seen().done == ()
        play_first(match, BO)
        assert (match.seen().to_act, match.seen().done) == ((ANN, CY), (BO,))
        play_first(match, CY)
        assert (match.seen().to_act, match.seen().done) == ((ANN,), (BO, CY))
        play_first(match, ANN)
    assert match.seen().done == ()


@pytest.mark.parametrize("id_", FIVE)
def test_a_seat_that_is_done_is_not_asked_before_the_others_have_chosen(id_: str):
    chooser, stood = random.Random(4), 0
    for number in range(3):
        match = Match.new(id_, seed=bytes([number]) * 32)
        asked: frozenset[int] = match.to_act
        while match.to_act and len(match.moves_made) < 300:
            seat = chooser.choice(sorted(match.to_act))
            before, done = match.to_act, set(match.seen().done)
            match.play(seat, chooser.choice(match.moves(seat)).action)
            now = set(match.seen().done)
            asked = match.to_act if not now else asked
            assert not now & match.to_act and (not now or now | match.to_act == asked)
            assert now >= done or not now, "nobody is asked again alone"
            assert now - done <= ({seat} if seat in before else set())
            stood += bool(now)
    assert stood > 3


def test_a_turn_after_all_have_chosen_is_not_a_simultaneous_choice():
    match, first = in_turn()
    assert match.seen().done == ()
    play_first(match, first)
    assert match.seen().done == ()


# What has changed


def by_words(changes: tuple[Change, ...]) -> dict[str, tuple[str, ...]]:
    return {change.words: change.places for change in changes}


def test_a_card_that_is_played_changes_the_hand_the_house_and_the_row_of_played_cards():
    match, first = in_turn()
    card = next(move for move in match.moves(first) if move.text[-1] in "2468")
    hand = next(zone for zone in match.seen(first).view.zones if zone.id == f"hand.{first}")
    place = next(piece.id for piece in hand.pieces if [act.action for act in piece.acts] == [card.action])
    match.play(first, card.action)
    (played, *_) = match.seen(first, since=True).view.since
    assert played.seat == first and played.words == match.seen(first).log[-1]
    assert place in played.places and "played.0" in played.places
    house = HOUSE_NAMES.index(card.text.removeprefix("play ")[:-2])
    assert f"influence.{first}.{house}" in played.places or f"influence.{house}" in str(played.places)


def test_a_seats_changes_begin_with_its_own_last_move():
    match = court()
    play_first(match, ANN, 2)
    play_first(match, BO)
    told = [change.words for change in match.seen(ANN, since=True).changes]
    assert told == list(match.seen(ANN).log[-2:])
    assert [change.words for change in match.seen(BO, since=True).changes] == [match.seen(BO).log[-1]]
    play_first(match, BO)
    assert len(match.seen(since=True).changes) == 2, "a spectator is told of both moves that Bo made in a row"
    assert match.seen(ANN).changes == ()


def test_a_spectators_changes_begin_at_a_move_that_spectators_notice():
    match = Match.new("heirless", 3, names=["Ann", "Bo", "Cy"], seed=bytes(32))
    while ANN in match.to_act:
        play_first(match, ANN)
    before = match.seen(ONLOOKER, since=True)
    play_first(match, CY)
    after = match.seen(ONLOOKER, since=True)
    assert before.changes and after == before, "a step in secret moves nothing"
    match.undo(CY)
    assert match.seen(ONLOOKER, since=True) == before


def test_changing_a_seen_changes_nothing_in_the_match():
    match, first = in_turn()
    seen = match.seen(first)
    seen.state.hand[first] = [1] * len(seen.state.hand[first])
    assert match.seen(first) != seen and match.seen(first).view == match.view(first)
    assert len([piece for piece in match.view(first).pieces() if piece.id.startswith(f"hand.{first}.")]) == 9


def test_changes_can_begin_at_any_decision():
    match = court()
    play_first(match, ANN, 3)
    assert match.decision(ANN) == 4
    for decision in range(1, 5):
        changes = match.seen(ANN, since=decision).changes
        assert [change.words for change in changes] == list(match.seen(ANN).log[decision:])
    for wrong in (0, 5, -1, "1"):
        with pytest.raises(IllegalMove, match="there is no decision"):
            match.seen(ANN, since=wrong)


def test_changes_leave_out_a_move_that_was_taken_back():
    match = court()
    play_first(match, BO)
    play_first(match, ANN, 3)
    match.undo(ANN)
    assert match.seen(ANN, since=True).changes == ()
    assert [change.seat for change in match.seen(BO, since=True).changes] == [BO, ANN, ANN]
    play_first(match, ANN)
    assert [change.seat for change in match.seen(ANN, since=True).changes] == [ANN]
    assert [change.seat for change in match.seen(BO, since=True).changes] == [BO, ANN, ANN, ANN]


def test_a_place_that_the_viewer_may_not_know_is_not_touched():
    match = court()
    play_first(match, ANN)
    (mine,), (theirs,) = match.seen(ANN, since=True).changes, match.seen(BO, since=True).changes
    assert mine.words == match.seen(ANN).log[-1] and any("supply" in place for place in mine.places)
    assert theirs.words == "Ann puts a counter on Artois." and not any("supply" in place for place in theirs.places)


def test_a_card_that_leaves_a_hand_does_not_touch_those_that_move_up(goofspiel: Game):
    match = Match.new(goofspiel, 2, ["Ann", "Bo"], {"cards": 5}, SEED)
    match.play(ANN, "bid 2")
    (change,) = match.seen(ANN, since=True).changes
    assert [place for place in change.places if place.startswith("hand")] == ["hand.0.1"]


@pytest.mark.parametrize("id_", FIVE)
def test_changes_have_the_words_of_the_log_and_touch_every_zone_that_differs(id_: str):
    match, chooser, told = Match.new(id_, seed=SEED), random.Random(6), 0
    before = {seat: match.seen(seat) for seat in range(match.seats)}
    while match.to_act and len(match.moves_made) < 120:
        seat = chooser.choice(sorted(match.to_act))
        before[seat] = match.seen(seat)
        match.play(seat, chooser.choice(match.moves(seat)).action)
        if match.can_undo(seat) and chooser.random() < 0.2:
            match.undo(seat)
        for viewer, then in before.items():
            seen = match.seen(viewer, since=True)
            told += len(seen.changes)
            touched = {place for change in seen.changes for place in change.places}
            was, now = lying(then.view), lying(seen.view)
            for zone in {**was, **now}:
                pieces = (*was.get(zone, ()), *now.get(zone, ()))
                assert was.get(zone, []) == now.get(zone, []) or touched & {piece.id for piece in pieces}, zone
            assert {change.words for change in seen.changes if change.words} <= set(seen.log)
    assert told > 20


def lying(view: View) -> dict[str, list[Piece]]:
    """Return the pieces of each zone, without their actions and explanations, and those of hands without numbers."""
    found, bare = {}, {"text": "", "not_now": "", **dict.fromkeys(("now", "means", "reaches", "acts", "on_it"), ())}
    for zone in view.zones:
        pieces = [each for piece in zone.pieces for each in (piece, *piece.on_it)]
        less = bare | ({"stats": ()} if zone.role == "hand" else {})
        found[zone.id] = [msgspec.structs.replace(piece, **less) for piece in pieces]
    return found


def test_a_mutable_view_is_refused_with_its_place_and_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "_games", {})
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    code = path.read_text(encoding="utf-8")
    assert "View(tuple(zones)," in code
    path.write_text(code.replace("View(tuple(zones),", "View(zones,"), encoding="utf-8")
    with pytest.raises(BadGame) as error:
        Match.new(register_file(path), 2).seen(ANN).view  # noqa: B018
    line = next(n for n, text in enumerate(code.splitlines(), 1) if text.startswith("def view("))
    place = f"{path}, line {line}"
    assert str(error.value) == f"{place}: view of goofspiel gives View.zones as a list, where a tuple belongs"


def test_the_views_of_every_game_are_immutable():
    for game in quintain.all_games():
        assert isinstance(hash(Match.new(game, seed=SEED).seen(ANN).view), int)
