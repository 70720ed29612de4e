"""Checks of the rules as numbers: states, masks, scores and payoffs.

Values must stay in their ranges, and games must end. `forms` compares interpreted and compiled rules.
"""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

from quintain.conformance.cases import Case, Skipped, require
from quintain.conformance.checks import check
from quintain.engine.rules.game import seats_in

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
