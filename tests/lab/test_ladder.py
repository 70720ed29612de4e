"""Ladders: paired seeds, swapped seats, and confidence intervals."""

import math
from typing import Any

import pytest

from ladders import ladder_rows
from quintain.bots import Budget, levels
from quintain.bots.random import Random
from quintain.engine.errors import BadBot, BadOption
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.lab.intervals import wilson
from quintain.lab.ladder import climb
from quintain.lab.pools import LocalPool


class Twin(Random):
    """Plays as the random bot does, and is not it."""


class High:
    """Bids the highest card."""

    def __init__(self, game: Game, seed: int) -> None:
        pass

    def choose(self, seen: Seen, budget: Budget) -> int:
        return seen.legal[-1]


class Cheat(Random):
    """Bids a card that it is not valid, once it has bid it."""

    def choose(self, seen: Seen, budget: Budget) -> Any:
        return 2


class Vain(Random):
    """Changes the book that it is given, to win."""

    def choose(self, seen: Seen, budget: Budget) -> int:
        seen.book.cards = 2
        return super().choose(seen, budget)


class Torn(Random):
    """Does not know what to do."""

    def choose(self, seen: Seen, budget: Budget) -> int:
        raise ValueError("to bid or not to bid")


class Gone(Random):
    """Leaves the whole program."""

    def choose(self, seen: Seen, budget: Budget) -> int:
        raise SystemExit(0)


TWIN, HIGH, CHEAT, VAIN, TORN, GONE = (f"{__name__}:{kind.__name__}" for kind in (Twin, High, Cheat, Vain, Torn, Gone))


@pytest.mark.parametrize(("share", "games"), [(0.5, 10), (0.97, 400), (0.0, 30), (1.0, 120), (0.255, 2000)])
def test_at_the_bounds_of_an_interval_the_share_is_as_far_off_as_the_confidence_allows(share: float, games: int):
    low, high = wilson(share, games)
    assert 0 <= low <= share <= high <= 1
    for bound in {low, high} - {0.0, 1.0}:
        assert abs(share - bound) == pytest.approx(1.959964 * math.sqrt(bound * (1 - bound) / games), rel=1e-5)
    narrow, _ = wilson(share, games, confidence=0.5)
    assert low < narrow or share == 0


UNSURE = ("Rune War",)
"""The games in which the page says that the Champion is not yet shown to be stronger than the Knight."""


def test_the_ladder_in_the_docs_is_consistent_and_in_order():
    rows = ladder_rows()
    assert len(rows) >= 5 * 10
    order = list(levels())
    for title, level_, other, games, percent, interval in rows:
        share = round(float(percent) / 100 * games * 2) / 2 / games
        low, high = wilson(share, games)
        assert interval == f"{low:.1%} to {high:.1%}" and f"{share:.1%}" == f"{percent}%"
        if level_ == "minstrel":  # how strong it is, as against the others, differs from game to game
            continue
        assert order.index(level_) > order.index(other) and share > 0.5
        is_unsure = (level_, other) == ("champion", "knight") and title in UNSURE
        assert low > 0.5 or order.index(level_) - order.index(other) > 1 or is_unsure


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_same_bot_under_two_names_wins_exactly_half(seats: int, goofspiel: Game):
    (pairing,) = climb(goofspiel, ["random", TWIN], 40, 5, seats)
    assert (pairing.name, pairing.other, pairing.games, pairing.share) == ("random", TWIN, 40, 0.5)
    assert pairing.interval == wilson(0.5, 40)


class Noted(LocalPool):
    """Does the jobs, and notes them."""

    def map(self, do: Any, jobs: Any) -> Any:
        self.jobs = list(jobs)
        return super().map(do, self.jobs)


def test_each_game_of_a_pair_has_the_seats_swapped_and_the_same_seed(goofspiel: Game):
    told: list[int] = []
    pool = Noted()
    list(climb(goofspiel, ["random", HIGH], 4, 9, 3, told.append, pool=pool))
    played = [
        (number, job.series.bots, job.series.seed)
        for job in pool.jobs
        for number in range(job.first, job.first + job.games)
    ]
    seated = (("random", HIGH, "random"), (HIGH, "random", HIGH))
    assert played == [(number, at, 9) for at in seated for number in (0, 1)]
    assert sum(told) == 4


def test_pairs_that_are_not_neighbours_play_their_own_number_of_games(goofspiel: Game):
    found = climb(goofspiel, ["greedy", "random", HIGH], 6, 3, others=2)
    assert [pairing.games for pairing in found] == [6, 2, 6]


def test_every_pairing_is_played_and_the_better_bot_wins_more(goofspiel: Game):
    pairings = {(found.name, found.other): found for found in climb(goofspiel, ["greedy", "random", HIGH], 60, 3)}
    assert list(pairings) == [("greedy", "random"), ("greedy", HIGH), ("random", HIGH)]
    assert pairings["greedy", "random"].share > 0.7
    assert pairings["random", HIGH].share < 0.3
    assert list(climb(goofspiel, ["greedy", "random", HIGH], 60, 3)) == list(pairings.values())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (CHEAT, r":Cheat chose the action 2 for seat \d; legal are \[1, 3, 4"),
        (TORN, ":Torn failed: ValueError: to bid or not to bid"),
        (GONE, ":Gone failed: SystemExit: 0"),
    ],
)
def test_a_bot_that_fails_or_plays_illegally_ends_the_ladder_with_its_name(name: str, message: str, goofspiel: Game):
    with pytest.raises(BadBot, match=message):
        list(climb(goofspiel, [name, "random"], 2, 1))


def test_a_bot_that_changes_its_book_changes_no_game(goofspiel: Game):
    (vain,) = climb(goofspiel, [VAIN, "random"], 10, 5)
    assert vain.share == 0.5  # it plays as the random bot does


@pytest.mark.parametrize(
    ("names", "games", "seats", "message"),
    [
        (["random"], 2, None, "at least two bots, each once, not random"),
        (["random", "random"], 2, None, "at least two bots, each once, not random, random"),
        (["random", "page", "random"], 2, None, "at least two bots, each once"),
        (["random", "merlin"], 2, None, "there is no bot 'merlin'"),
        (["random", "greedy"], 3, None, "an even number of games up to 1,000,000,000,000, half of them"),
        (["random", "greedy"], 0, None, "an even number of games"),
        (["random", "greedy"], 2, 9, "is not played with 9 seats"),
    ],
)
def test_an_impossible_ladder_is_refused(
    names: list[str], games: int, seats: int | None, message: str, goofspiel: Game
):
    with pytest.raises(BadOption, match=message):
        list(climb(goofspiel, names, games, 1, seats))
