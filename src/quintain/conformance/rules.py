"""Checks of the rules as numbers: states, masks, scores and payoffs.

Interpreted and compiled rules must agree, values must stay in their ranges, and games must end. `trace` writes down the
games that both forms play.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from quintain.conformance.cases import Case, Skipped, require
from quintain.conformance.checks import check, check_game
from quintain.conformance.trace import Transcript, compiled_transcript, plain_transcript, trace
from quintain.engine.compiled import Compiled, compiled, interpreted
from quintain.engine.game import Game, seats_in

GAMES_TO_TRACE = 2000
"""The most random games that `both_forms_agree` plays."""
ROOM = 3000
"""The most moves of one game that are written down; a longer game is compared up to there."""
COMPILED_WORK, INTERPRETED_WORK, WORK_OF_A_MASK = 60_000_000, 12_000_000, 150
"""How much work each form does before `both_forms_agree` stops. An entry of a mask counts as 1, and each mask as
WORK_OF_A_MASK more."""
SEEDS_TO_VARY = 40
"""Among at most this many random games, two must end differently."""


@check
def masks_are_right(case: Case) -> None:
    """`legal` writes 0 or 1 for every action, and returns how many are 1: at least one for a seat that is to act."""
    rules = case.game.rules
    for book, s in case.positions(1):
        before = s.pack()
        acting = seats_in(rules.to_act(book, s))
        for seat in range(case.seats):
            mask = [7] * case.game.actions
            count = rules.legal(book, s, seat, mask)
            require(set(mask) <= {0, 1}, f"the mask of seat {seat} holds {sorted(set(mask) - {0, 1})}")
            require(count == sum(mask), f"legal returns {count} for seat {seat}, and its mask has {sum(mask)} ones")
            require(
                (count > 0) == (seat in acting),
                f"seat {seat} has {count} legal actions; {acting} are to act",
            )
        require(s.pack() == before, "legal changes the state")


@check
def values_keep_to_their_declarations(case: Case) -> None:
    """Every value stays from `low` to `high`, and the ring `events` has room for all events of one move."""
    for seed in range(3):
        made, interval = 0, case.interval(200)
        for number, (_, s) in enumerate(case.positions(seed)):
            if number % interval == 0 or s.over:
                s.check()
            new = s.events_made - made
            require(new <= len(s.events), f"one move made {new} events, and the ring has room for {len(s.events)}")
            made = s.events_made


@check
def rules_change_nothing_else(case: Case) -> None:
    """Rules change only the state that they are given: no earlier copy of it, and not the book."""
    book, copies = case.book.pack(), []
    for _, s in case.positions(2):
        copies.append((s.copy(), hashlib.sha256(s.pack()).digest()))
        for copy, digest in copies[-5:]:
            require(hashlib.sha256(copy.pack()).digest() == digest, "a rule changed an earlier copy of the state")
    require(all(hashlib.sha256(copy.pack()).digest() == digest for copy, digest in copies), "a rule changed a copy")
    require(case.book.pack() == book, "a rule changed the book")


@check
def states_can_be_kept(case: Case) -> None:
    """A state and a book survive packing, the form of a record, and JSON unchanged."""
    state = case.game.state
    for _, s in case.sample(3, 10):
        require(state.array([s])[0].tobytes() == s.pack(), "the record of a state is not its packed bytes")
        require(state.unpack(s.pack()) == s, "packing changes a state")
        require(state.from_json(s.to_json()) == s, "JSON changes a state")
    require(case.game.book.from_json(case.book.to_json()) == case.book, "JSON changes the book")
    require(state.dtype().itemsize % 8 == 0 and state.dtype().isalignedstruct, "the record of a state is not aligned")


@check
def games_end_with_a_result(case: Case) -> None:
    """Every game ends with a whole number as the score of each seat, and with ranks: 1 plus the seats ahead."""
    for seed in range(5):
        scores, ranks = _end(case, seed)
        require(
            all(type(score) is int for score in scores),
            f"outcome must write a whole number as each score, not {scores}",
        )
        fits = all(ranks[seat] == 1 + sum(other < ranks[seat] for other in ranks) for seat in range(case.seats))
        require(fits, f"outcome must rank each seat 1 more than the number of seats ahead of it, not {ranks}")


@check
def payoffs_keep_to_their_bounds(case: Case) -> None:
    """`payoff` writes a number from the least to the most of PAYOFFS for each seat."""
    if "payoff" not in case.game.written:
        raise Skipped("the game has no payoff of its own: each seat plays for its share of a win")
    least, most = case.game.constants["LEAST_PAYOFF"], case.game.constants["MOST_PAYOFF"]
    for seed in range(20):
        *_, (book, s) = case.positions(seed)
        values = [float("nan")] * case.seats
        case.game.rules.payoff(book, s, case.seats, [0] * case.seats, [0] * case.seats, values)
        right = all(0 <= value <= 1 for value in values)  # scaled by the bounds
        written = [least + value * (most - least) for value in values]
        require(right, f"payoff writes {written}, and PAYOFFS allows numbers from {least} to {most}")


@check
def the_seed_settles_the_deal(case: Case) -> None:
    """The deal and all later chance depend only on the generator in the state."""
    require(case.dealt(5).pack() == case.dealt(5).pack(), "two deals from one seed differ")
    games = [b"".join(s.pack() for _, s in itertools.islice(case.positions(6), 60)) for _ in range(2)]
    require(games[0] == games[1], "two games with the same seed and moves differ")


@check
def games_end_in_different_ways(case: Case) -> str | None:
    """Random games end in more than one way."""
    first = _end(case, 0)
    if any(_end(case, seed) != first for seed in range(1, SEEDS_TO_VARY)):
        return None
    return f"{SEEDS_TO_VARY} random games ended alike: {first[0]}"


def _end(case: Case, seed: int) -> tuple[list[Any], list[Any]]:
    """Return the scores and the ranks at the end of a random game."""
    *_, (book, s) = case.positions(seed)
    scores: list[Any] = [None] * case.seats
    ranks: list[Any] = [None] * case.seats
    case.game.rules.outcome(book, s, scores, ranks)
    return scores, ranks


@cache
def compiled_trace(game: Game, boundscheck: bool) -> Compiled[int]:
    """Return `trace`, compiled for a game."""
    return compiled(game, trace, boundscheck)


@check_game
def both_forms_agree(cases: Sequence[Case]) -> None:
    """Interpreted and compiled games have the same states, masks, counts and results, byte for byte."""
    compare_forms(cases, INTERPRETED_WORK)


def compare_forms(cases: Sequence[Case], interpreted_work: int, boundscheck: bool = False) -> None:
    """Play the same random games interpreted and compiled, and compare them; raises Failed if two differ.

    With `boundscheck` the compiled form plays once more with checked bounds. The interpreted form is slow, so it plays
    only some of the games, spread evenly over all. It always raises IndexError for an index outside a list.
    """
    game, done, compared = cases[0].game, 0, 0
    fast = compiled_transcript(game, ROOM)
    for seed, case in zip(range(GAMES_TO_TRACE), itertools.cycle(cases), strict=False):
        cases[0].where = partial(_in_trace, case, seed)
        record = game.book.array([case.book])[0]
        plies = compiled_trace(game, False)(record, case.seats, seed, ROOM, fast)
        work = plies * case.seats * (game.actions + WORK_OF_A_MASK)
        if boundscheck:
            checked = compiled_transcript(game, ROOM)
            same = plies == compiled_trace(game, True)(record, case.seats, seed, ROOM, checked)
            require(
                same and _written(fast, case, plies) == _written(checked, case, plies),
                "checking bounds changes the game",
            )
        if compared * COMPILED_WORK <= done * interpreted_work:
            plain = plain_transcript(game, plies)
            length = interpreted(game, trace)(case.book, case.seats, seed, plies, plain)
            require(length == plies, f"a game has {plies} moves compiled, and ends after {length} moves interpreted")
            _compare(_written(fast, case, plies), _plainly_written(plain, case, plies))
            compared += work
        done += work
        if done > COMPILED_WORK:
            break


def _in_trace(case: Case, seed: int) -> str:
    return f"{case.words}, in the game that conformance/trace.py plays from seed {seed}"


def _written(transcript: Transcript, case: Case, plies: int) -> dict[str, Any]:
    """Return the transcript of a compiled game, by the words for its parts."""
    return {
        "states": transcript.states[: plies + 1].tobytes(),
        "masks that legal writes": transcript.masks[: plies * case.seats].tobytes(),
        "counts that legal returns": transcript.moves[:plies].tolist(),
        "scores and ranks": transcript.totals[:, : case.seats].tolist(),
    }


def _plainly_written(transcript: Transcript, case: Case, plies: int) -> dict[str, Any]:
    """Return the transcript of an interpreted game in the form of `_written`."""
    return {
        "states": b"".join(s.pack() for s in transcript.states[: plies + 1]),
        "masks that legal writes": b"".join(map(bytes, transcript.masks[: plies * case.seats])),
        "counts that legal returns": transcript.moves[:plies],
        "scores and ranks": [each[: case.seats] for each in transcript.totals],
    }


def _compare(fast: dict[str, Any], plain: dict[str, Any]) -> None:
    for name, values in fast.items():
        require(values == plain[name], f"the {name} differ between interpreted and compiled play")
