"""Every game played through `Match`: menus, words, bad input, undo, resigning, saves and records."""

import itertools
import json
import random
import re

import pytest

from conformance.cases import Case, over_cases
from conformance.unknown import hidden
from quintain.engine.errors import BadRecord, CannotUndo, IllegalMove, QuintainError
from quintain.engine.match import Match
from quintain.engine.positions import write_position

NOTHING_TO_UNDO = {"goofspiel"}
"""Games in which nobody who has moved is asked again before others have."""
UNDONE = 100
"""Moves taken back, after which no further game is played."""
FORCED_PLIES = 300
STEPS_IN_SECRET = {"rune-war", "heirless"}
"""Games in which several seats make steps at the same time of which the others see nothing."""
IN_BETWEEN = 30
NAMES = ("Ann", "Bo", "Cid-Ray", "Dee O'Neil", "Eve", "Fay 6")


def new(case: Case, seed: int) -> Match:
    return Match.new(case.game, case.seats, NAMES[: case.seats], case.options, seed=bytes([seed]) * 32)


def placed(case: Case, position: str) -> Match:
    """Return a match that begins from a position."""
    more = {"seats": case.seats, "options": case.options, "seed": bytes(32)}
    return Match.from_position(case.game, position, **more)


def play_randomly(match: Match, seed: int, plies: int | None = None) -> Match:
    """Play random moves in words, undoing some, for a number of plies or to the end."""
    chooser = random.Random(seed)
    for _ in itertools.count() if plies is None else range(plies):
        if not match.to_act:
            break
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).text)
        if match.can_undo(seat) and chooser.random() < 0.1:
            match.undo(seat)
    return match


@over_cases
def test_a_menu_has_distinct_words_that_parse_back_and_is_the_views_menu(case: Case):
    match, chooser = new(case, 1), random.Random(1)
    for ply in itertools.count():
        if not match.to_act:
            break
        for seat in range(case.seats) if ply % case.rarity == 0 else ():
            moves, seen = match.moves(seat), match.seen(seat)
            assert bool(moves) == (seat in match.to_act) == (seen.view.question is not None)
            assert len({move.text.casefold() for move in moves}) == len(moves)
            assert all(seen.why_not(move.text.upper()) is None for move in moves)
            names = [case.game.text.name(match.book, seen.state, seat, action) for action in seen.legal]
            parsed = [case.game.text.parse(match.book, seen.state, seat, name) for name in names]
            assert parsed == [move.action for move in moves] == list(seen.legal)
            assert sorted((act.action, act.words) for act in seen.menu) == [(m.action, m.text) for m in moves]
            assert seen.view.to_act == seen.to_act == tuple(sorted(match.to_act))
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).text)


@over_cases
def test_illegal_actions_and_wrong_seats_change_nothing(case: Case):
    match, chooser = new(case, 3), random.Random(3)
    while match.to_act:
        before = match.save(), match.position(), [match.decision(seat) for seat in range(case.seats)]
        for seat in range(case.seats):
            legal = {move.action for move in match.moves(seat)}
            illegal = sorted(set(range(case.game.actions)) - legal)
            tries = [*chooser.sample(illegal, min(3, len(illegal))), -1, case.game.actions, "dance", "", True]
            for action in tries:
                with pytest.raises(IllegalMove):
                    match.play(seat, action)
        for nobody in (-1, case.seats, None, "0"):
            with pytest.raises(IllegalMove):
                match.play(nobody, 0)
        assert before == (match.save(), match.position(), [match.decision(seat) for seat in range(case.seats)])
        play_randomly(match, chooser.randrange(1000), 5)
    with pytest.raises(IllegalMove, match="over"):
        match.play(0, 0)


@over_cases
def test_a_reason_names_a_clause_of_the_rulebook(case: Case):
    clauses = set(re.findall(r"\*\*([A-Z]+-\d+)\*\*", case.game.text.rulebook()))
    assert len(clauses) == case.game.clauses
    match, chooser = new(case, 4), random.Random(4)
    while match.to_act:
        for seat in range(case.seats):
            legal = {move.action for move in match.moves(seat)}
            for action in chooser.sample(range(case.game.actions), min(12, case.game.actions)):
                reason = match.why_not(seat, action)
                assert (reason is None) == (action in legal)
                assert reason is None or not clauses or reason.clause in clauses
        play_randomly(match, chooser.randrange(1000), 3)
    assert all(line.clause in clauses for line in match.account() if clauses)


@over_cases
def test_undo_restores_every_byte_and_the_same_move_gives_the_same_again(case: Case):
    chooser, undone = random.Random(5), 0
    for seed in range(6):
        if undone >= UNDONE:
            break
        match = new(case, seed)
        while match.to_act:
            seat = chooser.choice(sorted(match.to_act))
            move = chooser.choice(match.moves(seat)).text
            before, menu, asked = match.position(), match.moves(seat), match.decision(seat)
            match.play(seat, move)
            after = match.position()
            for other in range(case.seats):
                if not match.can_undo(other):
                    with pytest.raises(CannotUndo):
                        match.undo(other)
            if match.can_undo(seat):
                undone += 1
                shown = {
                    viewer: (match.blinded(viewer), len(match.log(viewer))) for viewer in (None, *range(case.seats))
                }
                match.undo(seat)
                for viewer, (seen, lines) in shown.items():
                    is_told = viewer == seat or seen != match.blinded(viewer)
                    assert len(match.log(viewer)) == lines + is_told, "a step in secret is taken back in secret"
                assert match.position() == before and match.moves(seat) == menu
                assert match.decision(seat) > asked + 1
                match.play(seat, move)
                assert match.position() == after
    assert undone == 0 if case.game.id in NOTHING_TO_UNDO else undone >= 20


@over_cases
def test_what_can_be_taken_back_tells_nothing_of_others_steps_in_secret(case: Case):
    chooser, in_between = random.Random(15), 0
    for seed in range(3):
        match = new(case, seed)
        while match.to_act and in_between < IN_BETWEEN:
            seat = chooser.choice(sorted(match.to_act))
            others = {other: (match.blinded(other), match.can_undo(other)) for other in match.to_act - {seat}}
            match.play(seat, chooser.choice(match.moves(seat)).action)
            for other, (known, could) in others.items():
                if known == match.blinded(other):
                    assert match.can_undo(other) == could
                    if could:
                        in_between += 1
                        mine = match.blinded(seat)
                        match.undo(other)
                        assert match.blinded(seat) == mine, "the other's own step stands"
                        assert Match.load(match.save()).save() == match.save()
    assert in_between > 0 or case.game.id not in STEPS_IN_SECRET


@over_cases
def test_a_save_goes_on_as_the_match_does_and_a_record_replays_to_the_same_bytes(case: Case):
    match = play_randomly(new(case, 6), 6, 7)
    again = Match.load(json.dumps(match.save()))
    assert again.save() == match.save() and again.position() == match.position()
    for seat in (None, *range(case.seats)):
        assert again.log(seat) == match.log(seat) and again.view(seat) == match.view(seat)
    assert [again.decision(seat) for seat in range(case.seats)] == [match.decision(seat) for seat in range(case.seats)]
    play_randomly(match, 7)
    play_randomly(again, 7)
    assert again.record() == match.record()
    replayed = Match.load(json.dumps(match.record()).encode())
    assert replayed.record() == match.record() and replayed.position() == match.position()
    assert Match.load(match.save()).outcome == match.outcome


@over_cases
def test_a_finished_match_can_be_stepped_through_with_everything_open(case: Case):
    match = play_randomly(new(case, 14), 14, 3)
    with pytest.raises(QuintainError, match="over"):
        next(match.steps())
    play_randomly(match, 15)
    steps = match.steps()
    entry, again = next(steps)
    assert entry is None and not again.moves_made
    made = []
    for entry, again in steps:
        made.append(entry)
        assert not hidden(again.blinded(None))
    assert made == match.moves_made and again.record() == match.record()


@over_cases
def test_the_seed_is_secret_until_the_end_and_settles_everything(case: Case):
    match = new(case, 8)
    with pytest.raises(QuintainError, match="secret"):
        _ = match.seed
    with pytest.raises(QuintainError, match="over"):
        match.record()
    games = [play_randomly(new(case, 8), 8) for _ in range(2)]
    assert games[0].record() == games[1].record() and games[0].seed == (bytes([8]) * 32).hex()


@over_cases
def test_any_changed_byte_of_a_save_or_record_is_refused(case: Case):
    chooser, match = random.Random(9), play_randomly(new(case, 9), 9)
    for document in (match.save(), match.record()):
        data = bytearray(json.dumps(document, separators=(",", ":")).encode())
        for place in chooser.sample(range(len(data)), 60):
            changed = bytearray(data)
            changed[place] ^= 1 << chooser.randrange(7)
            if json_or_none(bytes(changed)) != document:
                with pytest.raises(BadRecord):
                    Match.load(bytes(changed))


def json_or_none(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None


@over_cases
def test_resigning_ends_a_match_of_two_and_leaves_the_others_playing_in_larger_ones(case: Case):
    match = play_randomly(new(case, 10), 10, 3)
    quitters = random.Random(10).sample(range(case.seats), case.seats - 1)
    for number, seat in enumerate(quitters, 1):
        assert match.outcome is None
        match.resign(seat)
        assert not match.moves(seat)
        with pytest.raises(IllegalMove):
            match.resign(seat)
        if number < case.seats - 1:
            play_randomly(match, number, 2)
    winner = next(seat for seat in range(case.seats) if seat not in quitters)
    assert match.outcome.ranks[winner] == 1 and not match.to_act
    assert [match.outcome.ranks[seat] for seat in reversed(quitters)] == list(range(2, case.seats + 1))
    assert match.outcome.scores is None and NAMES[winner] in match.outcome.reason
    assert not any(re.search(r"\bseat \d|None", words) for words in match.outcome.prizes)
    assert Match.load(json.dumps(match.record())).record() == match.record()


@over_cases
def test_a_seat_that_has_resigned_ranks_last_when_the_others_play_to_the_end(case: Case):
    match = new(case, 11)
    if case.seats == 2:
        match.resign(1)
        assert match.outcome.ranks == (1, 2)
        return
    match.resign(1)
    play_randomly(match, 11)
    assert match.outcome.scores is not None and match.outcome.ranks[1] == case.seats
    assert any(entry.auto for entry in match.moves_made)
    assert Match.load(match.record()).record() == match.record()


@over_cases
def test_another_seats_secret_pick_raises_no_decision(case: Case):
    match, chooser, together = new(case, 12), random.Random(12), 0
    while match.to_act:
        seat = chooser.choice(sorted(match.to_act))
        waiting = {other: (match.decision(other), match.moves(other)) for other in match.to_act - {seat}}
        match.play(seat, chooser.choice(match.moves(seat)).action)
        for other, (decision, moves) in waiting.items():
            if match.moves(other) == moves:
                together += 1
                assert match.decision(other) == decision
    assert together > 0


@over_cases
def test_whether_all_see_that_a_seat_has_no_choice_depends_on_what_all_see(case: Case):
    match, chooser = new(case, 14), random.Random(14)
    for ply in itertools.count():
        if not match.to_act or ply > FORCED_PLIES:
            break
        for seat in match.to_act:
            openly = match.is_openly_forced(seat)
            assert len(match.moves(seat)) == 1 or not openly
            if len(match.moves(seat)) == 1:
                twin = match.blinded(None)
                case.game.rules.redeal(match.book, twin, chooser.getrandbits(60))
                if len(case.game.legal_actions(match.book, twin, seat)) == 1:
                    told = write_position(twin, case.game.card_names(match.book))
                    truth, other = (placed(case, position) for position in (match.position(), told))
                    assert truth.is_openly_forced(seat) == other.is_openly_forced(seat)
        seat = chooser.choice(sorted(match.to_act))
        move = chooser.choice(match.moves(seat)).action
        before, noticed = match.blinded(None), match.is_noticed(seat, move)
        match.play(seat, move)
        assert noticed == (before != match.blinded(None))


@over_cases
def test_logs_name_players_and_tell_every_viewer_something(case: Case):
    match = play_randomly(new(case, 13), 13)
    for viewer in (None, *range(case.seats)):
        lines = match.log(viewer)
        assert lines and not any(re.search(r"\bseat \d|None|-32768", line) for line in lines)
    assert match.record()["log"] and not any("a card" in line for line in match.record()["log"] if "draws" in line)
