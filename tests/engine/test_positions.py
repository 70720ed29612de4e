"""Positions as text: they set a match up, and errors name the wrong line."""

import json
import re
from typing import Any

import pytest

import quintain
from cli.sitting import sealed
from conformance.cases import Case, over_cases
from quintain.conformance.cases import play_randomly
from quintain.engine.errors import BadRecord
from quintain.engine.play.course import story_of
from quintain.engine.play.match import Match
from quintain.engine.play.positions import read_position, write_position
from quintain.engine.rules.fields import UNKNOWN

SEED = "ab" * 32
LAST_TURN = """
phase = 2          # to play a card
turn = 1
counters_put = 6
counter[0] = 0 1 2 3 4 5
counter[1] = 5 4 3 2 1 0
"""


def court(position: str) -> Match:
    return Match.from_position("kings-court", position, names=["Ann", "Bo"], seed=SEED)


def fields(text: str) -> dict[str, str]:
    return dict(line.split(" = ") for line in text.splitlines())


def test_lines_give_fields_and_lists_their_values_and_the_rest_is_as_dealt():
    dealt = fields(Match.new("kings-court", names=["Ann", "Bo"], seed=SEED).position())
    match = court(LAST_TURN)
    assert fields(match.position()) == {
        **dealt,
        "phase": "2",
        "turn": "1",
        "counters_put": "6 6",
        "counter[0]": "0 1 2 3 4 5",
        "counter[1]": "5 4 3 2 1 0",
    }
    assert match.to_act == {1} and all(move.text.startswith("play ") for move in match.moves(1))
    assert match.log(0) == [] and not match.can_undo(1)


def in_the_middle() -> str:
    """Return a position in which Ann leads, from the middle of a game."""
    match = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    for _ in range(40):
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[-1].action)
    return f"{match.position()}\ninfluence[0] = 30"


def test_a_match_from_a_position_is_played_to_its_end_and_stepped_through():
    match = court(position := in_the_middle())
    assert match.log(0) == []
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].text)
    assert next(again.position() for _, again in match.steps()) == court(position).position()
    assert match.outcome and match.outcome.ranks == (1, 2) and min(match.outcome.scores or ()) > 0


def test_the_first_question_in_a_position_is_the_first_decision_even_where_the_deal_asked_the_same():
    dealt = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    match = court(dealt.position())
    assert match.moves(0) == dealt.moves(0) and [match.decision(seat) for seat in (0, 1)] == [1, 1]


def test_without_any_text_a_match_is_a_dealt_one():
    dealt = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    assert court("").save() == dealt.save() and not court("").is_from_position
    assert "position" not in dealt.save() and court(LAST_TURN).is_from_position


def played_from(position: str) -> Match:
    """Return a finished match that began from a position, in which a move was taken back."""
    match = court(position)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
        if match.can_undo(seat) and not any(entry.kind == "undo" for entry in match.moves_made):
            match.undo(seat)
    return match


@over_cases
def test_a_match_from_a_position_is_saved_recorded_and_replayed(case: Case):
    position = play_randomly(case.match(21), 21, case.length // 2).position()
    match = play_randomly(case.placed(position), 22, 4)
    again = Match.load(json.dumps(match.save()))
    assert again.is_from_position and again.position() == match.position() and again.save() == match.save()
    assert match.save()["position"] == position
    for seat in (None, *range(case.seats)):
        assert again.view(seat) == match.view(seat) and again.log(seat) == match.log(seat)
    for each in (match, again):
        play_randomly(each, 23)
    record = match.record()
    assert again.record() == record == Match.load(json.dumps(record)).record()
    assert next(step.position() for _, step in Match.load(record).steps()) == position
    assert story_of(Match.load(record)) == story_of(match)


def test_the_document_holds_the_whole_position_so_the_deal_of_the_seed_does_not_matter():
    match = court("turn = 1\nphase = 2\ncounters_put = 6")
    assert match.save()["position"] == match.position() and len(match.position().splitlines()) > 10


def test_the_commitment_of_a_match_from_a_position_covers_its_seed_and_not_the_position():
    one, other = court(LAST_TURN), court(in_the_middle())
    dealt = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    assert one.commitment == other.commitment == dealt.commitment


def changed(record: dict[str, Any], line: str, new: str) -> dict[str, Any]:
    """Return a record in whose position one line, named by its beginning, is another; its checksum fits."""
    lines = [new if each.startswith(line) else each for each in record["position"].split("\n")]
    return json.loads(sealed({**record, "position": "\n".join(lines)}))


@pytest.mark.parametrize(
    ("line", "new", "said"),
    [
        ("turn", "trun = 1", r"line 4 of the position is not valid: there is no field trun"),
        ("turn", "turn = 9", r"line 4 of the position is not valid: State.turn must be a whole number from"),
        ("turn", "turn = ?", r"line 4 of the position is not valid: a position has no hidden values"),
        ("turn", "turn  = 1", r"line 4 of the position is 'turn  = 1', and a match writes it as 'turn = 1'"),
        ("turn", "turn = 1 # Bo", r"line 4 of the position is 'turn = 1 # Bo', and a match writes it as"),
        ("turn", "", r"line 4 of the position is '', and a match writes it as 'turn = "),
        ("turn", "turn = 0", r"entry 1 of the moves is not valid"),
    ],
)
def test_an_edited_position_is_refused_with_the_line_that_is_wrong(line: str, new: str, said: str):
    record = played_from(in_the_middle()).record()
    with pytest.raises(BadRecord, match=said):
        Match.load(changed(record, line, new))


def test_a_position_that_was_put_into_a_record_or_taken_out_of_it_is_refused():
    record = played_from(in_the_middle()).record()
    dealt = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED).save()
    for document in ({**record, "position": ""}, {**dealt, "position": "turn = 1"}, {**dealt, "position": "#"}):
        with pytest.raises(BadRecord):
            Match.load(sealed(document))


def test_a_position_in_which_the_rules_fail_is_refused_like_any_that_is_wrong():
    played = play_randomly(Match.new("robin", seed=SEED), 1, 30).position()
    match = Match.from_position("robin", f"{played}\nhand_size = 1", seed=SEED)
    with pytest.raises(IndexError):
        while match.to_act:
            before, seat = match.save(), min(match.to_act)
            move = match.moves(seat)[0]
            match.play(seat, move.action)
    last = {"seat": seat, "kind": "move", "text": move.text}
    with pytest.raises(BadRecord, match="the rules cannot go on from its position: IndexError"):
        Match.load(sealed({**before, "moves": [*before["moves"], last]}))


def test_a_position_that_nobody_can_be_shown_is_refused_before_the_first_move():
    match = Match.from_position("round-table", "demesne[0] = 2 2 1 0 5", seed=SEED)
    with pytest.raises(BadRecord, match="the rules cannot go on from its position: KeyError"):
        Match.load(match.save())


@over_cases
@pytest.mark.parametrize("named", [True, False])
def test_any_position_is_read_back_as_it_was_written(case: Case, named: bool):
    names = case.game.card_names(case.book) if named else None
    for _, s in case.sample(8, 3):
        text, again = write_position(s, names), case.game.state()
        read_position(again, text, names)
        assert write_position(again, names) == text
        for name in case.game.state.fields:
            assert name in ("rng", "events_made", "events") or getattr(again, name) == getattr(s, name)


@over_cases
@pytest.mark.parametrize("named", [True, False])
def test_a_blinded_position_is_read_back_with_question_marks_for_what_is_hidden(case: Case, named: bool):
    names = case.game.card_names(case.book) if named else None
    for _, s in case.sample(9, 3):
        blinded, again = case.game.blinded(case.book, s, 0), case.game.state()
        text = write_position(blinded, names)
        read_position(again, text, names, is_blinded=True)
        assert write_position(again, names) == text and str(UNKNOWN) not in text
        for name in case.game.state.fields:
            assert name in ("rng", "events_made", "events") or getattr(again, name) == getattr(blinded, name)


def test_one_question_mark_hides_a_whole_list():
    s = quintain.game("kings-court").state()
    read_position(s, "hand[1] = ?\nhand[0][2] = ?", is_blinded=True)
    assert s.hand[1] == [UNKNOWN] * 48 and s.hand[0] == [0, 0, UNKNOWN, *[0] * 45]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("trun = 1", "there is no field trun; the fields are over, phase, "),
        ("turn 1", "it takes a field and its value, such as `turn = 1` or `hand[0] = 1 0 1`, not 'turn 1'"),
        ("turn = two", "it takes a field and its value"),
        ("turn = 1 0", "it takes one value, not 2"),
        ("turn = -32768", "a position has no hidden values"),
        ("turn = ?", "a position has no hidden values, so ? cannot be a value"),
        ("hand[0] = 1 ? 0", "a position has no hidden values, so 1 ? 0 cannot be a value"),
        ("turn = 9", "State.turn must be a whole number from"),
        ("counter[1][2] = 99", "State.counter[1][2] must be a whole number from"),
        ("counter[2] = 0", "there is no counter[2]"),
        ("counter[0][6] = 0", "there is no counter[0][6]"),
        ("counter[0] = 0 1 2", "it takes 6 values, or one for all, not 3"),
        ("counter = 0 1", "it takes one value, or a line for each of its 2 lists, not 2"),
        ("counter.phase = 1", "there is no counter.phase"),
        ("rng = 1 2 3 4", "rng is not part of a position"),
        ("events_made = 3", "events_made is not part of a position"),
        ("turn = 99999999999999999999", "it takes a field and its value"),
    ],
)
def test_a_wrong_line_is_named(line: str, said: str):
    with pytest.raises(BadRecord, match=f"^{re.escape(f'line 3 of the position is not valid: {said}')}"):
        court(f"turn = 1\n\n{line}\nphase = 1")


def test_a_position_without_end_is_refused():
    with pytest.raises(BadRecord, match="at most 100,000 characters"):
        court("turn = 1\n" * 20_000)


def greenwood(line: str) -> Any:
    """Return a state of Robin in the Hood after reading a line into it, and its position as text."""
    robin = quintain.game("robin")
    names, s = robin.card_names(robin.make_book(2, robin.read_options(2, {}))), robin.state()
    read_position(s, line, names)
    return s, dict(written.split(" = ") for written in write_position(s, names).splitlines())


def test_cards_are_written_and_read_by_their_names():
    s, written = greenwood("hand[1] = Little John, Tax Day, Will  Scarlet, -, 3\nstaked = -, Robin Hood")
    assert s.hand[1][:1] == [1] and s.hand[1][2:] == [2, -1, 3] and s.staked == [-1, 0]
    assert written["hand[1]"] == "Little John, Tax Day, Will Scarlet, -, Friar Tuck"
    assert written["staked"] == "-, Robin Hood" and written["hand_size"] == "0 0"
    assert greenwood("hand = -")[0].hand == [[-1] * 5] * 2
    assert greenwood("stage[0][2] = Friar Tuck")[0].stage[0][2] == 3 == greenwood("stage[0][2] = 3")[0].stage[0][2]


def test_each_seat_has_the_cards_of_its_own_deck():
    table = quintain.game("round-table")
    book, s = table.make_book(2, table.read_options(2, {})), table.state()
    names = table.card_names(book)
    assert names and names(0) != names(1)
    called = next(name for name in names(1) if name not in names(0))
    read_position(s, f"line = -\nline[1][3] = {called}", names)
    assert s.line[1][3] == names(1).index(called) and f"line[1] = -, -, -, {called}, -, " in write_position(s, names)
    with pytest.raises(BadRecord, match=f"there is no card '{called}'"):
        read_position(s, f"line[0][3] = {called}", names)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hand[0] = Litle John", "there is no card 'Litle John'; perhaps Little John"),
        ("staked = Xyzzy, -", "there is no card 'Xyzzy'"),
        ("hand[0] = Little John, Tax Day", "it takes 5 values, or one for all, not 2"),
        ("round = Little John", "it takes a field and its value"),
    ],
)
def test_a_wrong_card_is_named_with_one_that_is_near(line: str, said: str):
    with pytest.raises(BadRecord, match=f"^{re.escape(f'line 1 of the position is not valid: {said}')}"):
        greenwood(line)
