"""The rules give the same interpreted, compiled and bounds-checked, and keep what their declarations say."""

import hashlib
import itertools
import sys
from functools import cache
from typing import Any

import pytest

from conformance.cases import CASES, Case, over_cases, over_games
from conformance.trace import compiled_paper, plain_paper, trace
from quintain.engine.compiled import compiled, interpreted
from quintain.engine.game import Game, seats_in

GAMES_TO_TRACE = 2000
ENTRIES_TO_TRACE = 60_000_000
"""Entries of masks: of a game with many actions, seats and plies fewer games are traced."""
MASKS_INTERPRETED = 60_000
"""The interpreted form is slow: unless there is time, it plays so much of that, spread over all games."""
ROOM = 3000

compiled_trace = cache(lambda game: compiled(game, trace))
checked_trace = cache(lambda game: compiled(game, trace, boundscheck=True))


@over_games
def test_interpreted_and_compiled_games_agree_in_every_byte_mask_and_score(game: Game):
    compare_forms(game, MASKS_INTERPRETED, boundscheck=False)


@pytest.mark.long
@over_games
def test_all_these_games_agree_interpreted_and_bounds_checked_too(game: Game):
    compare_forms(game, sys.maxsize, boundscheck=True)


def compare_forms(game: Game, masks_interpreted: int, boundscheck: bool) -> None:
    """Trace games in all forms.

    Interpreted play raises IndexError beyond every list, as compiled play with checked bounds does beyond arrays. The
    latter goes through more games, but takes long to compile: the long tests have it.
    """
    cases = [case for case in CASES if case.game.id == game.id]
    plain, fast, checked = plain_paper(game, 0), compiled_paper(game, ROOM), compiled_paper(game, ROOM)
    played = entries = written = 0
    for seed, case in zip(range(GAMES_TO_TRACE), itertools.cycle(cases), strict=False):
        record = game.book.array([case.book])[0]
        plies = compiled_trace(game)(record, case.seats, seed, fast)
        rows, masks = plies + 1, plies * case.seats
        if boundscheck:
            assert plies == checked_trace(game)(record, case.seats, seed, checked)
            assert fast.states[:rows].tobytes() == checked.states[:rows].tobytes()
            assert fast.masks[:masks].tobytes() == checked.masks[:masks].tobytes()
            assert fast.moves[:plies].tolist() == checked.moves[:plies].tolist()
            assert fast.totals.tolist() == checked.totals.tolist()
        share = max(played / GAMES_TO_TRACE, entries / ENTRIES_TO_TRACE)
        if written * case.rarity <= share * masks_interpreted:
            if rows > len(plain.states):
                plain = plain_paper(game, rows)
            assert plies == interpreted(game, trace)(case.book, case.seats, seed, plain)
            assert b"".join(s.pack() for s in plain.states[:rows]) == fast.states[:rows].tobytes()
            assert b"".join(map(bytes, plain.masks[:masks])) == fast.masks[:masks].tobytes()
            assert plain.moves[:plies] == fast.moves[:plies].tolist()
            assert [each[: case.seats] for each in plain.totals] == fast.totals[:, : case.seats].tolist()
            written += masks
        played += 1
        entries += masks * game.actions
        if entries > ENTRIES_TO_TRACE:
            break
    assert played == GAMES_TO_TRACE or entries > ENTRIES_TO_TRACE


@over_cases
def test_a_mask_is_written_whole_and_its_count_is_right(case: Case):
    rules = case.game.rules
    for book, s in case.positions(1):
        before = s.pack()
        acting = seats_in(rules.to_act(book, s))
        for seat in range(case.seats):
            mask = [7] * case.game.actions
            count = rules.legal(book, s, seat, mask)
            assert set(mask) <= {0, 1}
            assert count == sum(mask)
            assert (count > 0) == (seat in acting)
        assert s.pack() == before


@over_cases
def test_every_value_stays_in_its_declared_range_and_the_ring_holds_all_events_of_a_move(case: Case):
    for seed in range(3):
        made = 0
        for number, (_, s) in enumerate(case.positions(seed)):
            if number % case.rarity == 0 or s.over:
                s.check()
            assert s.events_made - made <= len(s.events)
            made = s.events_made


@over_cases
def test_past_copies_stay_as_they_were(case: Case):
    copies = []
    for _, s in case.positions(2):
        assert all(hashlib.sha256(copy.pack()).digest() == digest for copy, digest in copies[-5:])
        copies.append((s.copy(), hashlib.sha256(s.pack()).digest()))
    assert all(hashlib.sha256(copy.pack()).digest() == digest for copy, digest in copies)


@over_cases
def test_plain_state_record_bytes_and_json_hold_the_same(case: Case):
    state = case.game.state
    for _, s in case.sample(3, 10):
        record = state.array([s])[0]
        assert record.tobytes() == s.pack()
        assert state.unpack(s.pack()) == s
        assert state.from_json(s.to_json()) == s
    book, _ = next(iter(case.positions(3)))
    assert case.game.book.from_json(book.to_json()) == book
    assert state.dtype().itemsize % 8 == 0 and state.dtype().isalignedstruct


@over_cases
def test_every_game_ends_with_scores_and_ranks(case: Case):
    for seed in range(5):
        scores, ranks = _end(case, seed)
        assert all(type(score) is int for score in scores)
        assert sorted(ranks)[0] == 1
        assert all(ranks[seat] == 1 + sum(other < ranks[seat] for other in ranks) for seat in range(case.seats))


@over_cases
def test_the_deal_writes_the_whole_state_from_zeros_and_its_chance_is_the_generator_alone(case: Case):
    assert case.dealt(5).pack() == case.dealt(5).pack()
    games = [b"".join(s.pack() for _, s in itertools.islice(case.positions(seed), 60)) for seed in (6, 6, 7)]
    assert games[0] == games[1] != games[2]


@over_cases
def test_random_moves_reach_more_than_one_outcome(case: Case):
    first = _end(case, 0)
    assert any(_end(case, seed) != first for seed in range(1, 10))


def _end(case: Case, seed: int) -> tuple[list[Any], list[Any]]:
    """Return the scores and the ranks at the end of a random game."""
    for book, s in case.positions(seed):
        last = book, s
    scores, ranks = [None] * case.seats, [None] * case.seats
    case.game.rules.outcome(*last, scores, ranks)
    return scores, ranks
