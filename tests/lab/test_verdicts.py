"""Verdicts: figures of trials that were counted by hand, and how often they are wrong."""

import math
import random
from collections import Counter
from statistics import NormalDist
from typing import Any

import pytest

import quintain
from quintain.lab import noted
from quintain.lab.intervals import SURE
from quintain.lab.noted import Thing
from quintain.lab.trials import Four, Trial, TrialCounts, play_trial, prepare
from quintain.lab.verdicts import LOOKS, MOST, Measure, figures, median, paired, verdict

ROBIN = quintain.game("robin")
CARD = Thing(noted.DRAWN, "Little John")


def set_of(levels: str) -> str:
    """Return the base set of Robin with other levels of Little John."""
    assert ROBIN.collection
    return ROBIN.collection.base().replace("levels = [3, 3, 5, 4]", f"levels = {levels}", 1)


def trial(before: dict[str, Any], after: dict[str, Any]) -> Trial:
    made = Trial.new(ROBIN, {"dealt": "on", **before}, {"dealt": "on", **after}, seed=3)
    prepare(made)
    return made


def test_figures_are_those_that_are_counted_by_hand() -> None:
    # Four deals. Before, those who drew the card won 1 of 1, 0 of 1, 0 of 1 and nobody drew it; after, 1 of 1, 1 of 1,
    # a tie of two who drew it, and 0 of 1. Wins are in halves.
    fours = Counter({(2, 1, 2, 1): 1, (0, 1, 2, 1): 1, (0, 1, 2, 2): 1, (0, 0, 0, 1): 1})
    found = paired(CARD, fours, unit=2)
    assert found.before and found.after and found.difference is not None and found.interval
    assert (found.before.value, found.before.tries) == (1 / 3, 3)
    assert (found.after.value, found.after.tries) == (3 / 5, 5)
    assert found.difference == pytest.approx(3 / 5 - 1 / 3)
    # What each deal adds: (won - share * tries) / all tries.
    before = [(1 - 1 / 3) / 3, -1 / 9, -1 / 9]
    after = [(1 - 3 / 5) / 5, (1 - 3 / 5) / 5, (1 - 6 / 5) / 5, -3 / 25]
    assert found.before.error == pytest.approx(math.sqrt(3 / 2 * sum(each**2 for each in before)))
    assert found.after.error == pytest.approx(math.sqrt(4 / 3 * sum(each**2 for each in after)))
    both = [late - early for late, early in zip(after, [*before, 0.0], strict=True)]
    assert found.error == pytest.approx(math.sqrt(4 / 3 * sum(each**2 for each in both)))
    ends = found.difference - LOOKS * found.error, found.difference + LOOKS * found.error
    assert found.interval == pytest.approx(ends)
    assert found.change == "not sure"


def test_equal_sets_differ_by_exactly_0() -> None:
    found = figures(trial({}, {"cards": set_of("[3, 3, 5, 4]")}), play_trial(trial({}, {}).part(0, 60)))
    everything = [*found.seats, found.drawn, found.length, *found.counts]
    everything += [figure for each in found.cards for figure in (each.won, each.played)]
    assert len(everything) > 100
    for each in everything:
        assert each and each.before == each.after
        assert (each.difference, each.interval, each.change) == (0.0, (0.0, 0.0), "none")
    assert found.medians and found.medians[0] == found.medians[1]


def test_a_card_made_plainly_stronger_is_found_in_few_games() -> None:
    made = trial({}, {"cards": set_of("[5, 5, 5, 5]")})
    counts = TrialCounts()
    while not (found := figures(made, counts)).is_certain:
        counts += play_trial(made.part(counts.games, 50))
    assert found.games <= 600 and found.subjects == ("Little John",)
    (john,) = found.judged
    assert found.cards[0] == john
    assert (john.verdict.word, john.won.change) == ("too strong", "real")
    assert john.won.interval and john.won.interval[0] > 0.04
    assert found.matches[0].thing.name == "Little John" and found.counts[0].thing.name == "Little John"
    weak = figures(trial({"cards": set_of("[5, 5, 5, 5]")}, {"cards": set_of("[0, 0, 0, 0]")}), _turned(counts))
    assert (weak.judged[0].won.change, weak.judged[0].verdict.word) == ("real", "too early")


def _turned(counts: TrialCounts) -> TrialCounts:
    """Return counts in which before and after have changed places."""
    fours = {
        thing: Counter({(four[2], four[3], four[0], four[1]): times for four, times in found.items()})
        for thing, found in counts.fours.items()
    }
    return TrialCounts(counts.games, fours, counts.after, counts.before)


def test_pairs_make_the_interval_of_a_small_change_narrow() -> None:
    made = trial({}, {"cards": set_of("[3, 3, 5, 5]")})
    (john,) = figures(made, play_trial(made.part(0, 200))).judged
    assert john.won.before and john.won.after
    assert john.won.error < 0.7 * math.hypot(john.won.before.error, john.won.after.error)


def simulated(chance: random.Random, deals: int, before: float, after: float) -> Counter[Four]:
    """Return deals in which a card wins with these chances, most often on both sides or on neither."""
    fours: Counter[Four] = Counter()
    for _ in range(deals):
        luck, tries = chance.random(), chance.choice((1, 1, 2))
        won = [sum(2 for one in range(tries) if (luck + one / 2) % 1 < share) for share in (before, after)]
        fours[won[0], tries, won[1], tries] += 1
    return fours


def test_errors_hold_the_truth_in_95_of_100_runs() -> None:
    chance, runs = random.Random(1), 1000
    shares = differences = 0
    for _ in range(runs):
        found = paired(CARD, simulated(chance, 400, 0.5, 0.55), unit=2)
        assert found.after and found.difference is not None
        low, high = found.after.within(SURE)
        shares += low <= 0.55 <= high
        differences += abs(found.difference - 0.05) <= SURE * found.error
    for held in (shares, differences):
        assert 0.93 < held / runs < 0.97


def test_intervals_hold_the_truth_at_every_look_of_95_of_100_runs() -> None:
    chance, runs, planned = random.Random(3), 300, 400
    shares = differences = single = 0
    for _ in range(runs):
        fours: Counter[Four] = Counter()
        left = [False] * 3
        for games in range(20, planned + 1, 20):
            fours += simulated(chance, 20, 0.3, 0.6)
            found = paired(CARD, fours, 2, games / planned)
            assert found.after and found.interval
            left[0] |= not found.after.interval[0] <= 0.6 <= found.after.interval[1]
            left[1] |= not found.interval[0] <= 0.3 <= found.interval[1]
            low, high = found.after.within(SURE)
            left[2] |= not low <= 0.6 <= high
        shares, differences, single = (sum(each) for each in zip((shares, differences, single), left, strict=True))
    assert max(shares, differences) / runs <= 0.06 < 0.12 < single / runs


def test_words_never_contradict_the_interval_that_is_shown() -> None:
    chance, planned = random.Random(4), 400
    seen = set()
    for share in (0.3, 0.5, 0.55, 0.6, 0.8):
        fours: Counter[Four] = Counter()
        for games in range(20, planned + 1, 20):
            fours += simulated(chance, 20, 0.5, share)
            found = paired(CARD, fours, 2, games / planned)
            assert found.after and found.interval
            low, high = found.after.interval
            assert (found.change == "real") == (not found.interval[0] <= 0 <= found.interval[1])
            word = verdict(found.after, 0.5, games / planned).word
            assert (word == "too strong") == (low > 0.53) and (word == "too weak") == (high < 0.47)
            if word in ("fair", "fair so far"):
                assert 0.47 <= found.after.value <= 0.53 and low >= 0.4 and high <= 0.6
            seen.add(word)
    assert seen >= {"too strong", "too weak", "too early"} and seen & {"fair", "fair so far"}


def test_looking_after_each_part_makes_no_false_verdict() -> None:
    chance, runs, planned = random.Random(2), 300, 400
    real = strong = single = 0
    for _ in range(runs):
        fours: Counter[Four] = Counter()
        words, naive = set(), False
        for games in range(20, planned + 1, 20):
            for _ in range(20):
                fours[2 * (chance.random() < 0.53), 1, 2 * (chance.random() < 0.53), 1] += 1
            found = paired(CARD, fours, 2, games / planned)
            words |= {found.change, verdict(found.after, 0.5, games / planned).word}
            naive |= abs(found.difference or 0) > 1.96 * found.error
        real += "real" in words
        strong += "too strong" in words
        single += naive
    assert real / runs <= 0.08 and strong / runs <= 0.05 < 0.15 < single / runs


def test_the_limit_of_looks_is_that_of_the_reflection_principle() -> None:
    assert pytest.approx(4 * (1 - NormalDist().cdf(LOOKS))) == 0.05


@pytest.mark.parametrize(
    ("value", "tries", "done", "word", "may_change"),
    [
        (0.9, 19, 0.01, "too early", True),
        (0.95, 300, 0.15, "too strong", False),
        (0.57, 2000, 1.0, "too strong", False),
        (0.545, 2000, 1.0, "rather strong", False),
        (0.455, 2000, 1.0, "rather weak", False),
        (0.525, 2000, 1.0, "fair", False),
        (0.57, 200, 1.0, "not sure", False),
        (0.5, 30, 1.0, "not sure", False),
        (0.5, 100, 0.25, "too early", True),
        (0.43, 2000, 1.0, "too weak", False),
        (0.57, 500, 0.25, "too early", True),
        (0.525, 800, 0.4, "fair so far", True),
        (0.5, 500, 0.25, "fair", False),
        (0.515, 1200, 0.6, "fair", False),
    ],
)
def test_a_verdict_waits_until_the_interval_of_all_looks_leaves_47_to_53(
    value: float, tries: int, done: float, word: str, may_change: bool
) -> None:
    share = Measure(value, tries, math.sqrt(value * (1 - value) / tries), True)
    found = verdict(share, 0.5, done)
    assert (found.word, found.may_change) == (word, may_change)


def test_with_three_seats_the_band_is_in_proportion() -> None:
    share = Measure(0.39, 4000, math.sqrt(0.39 * 0.61 / 4000), True)
    assert verdict(share, 1 / 3, 1.0).word == "too strong" and verdict(share, 1 / 2, 1.0).word == "too weak"


def test_a_median_has_the_interval_of_its_order_statistics() -> None:
    lengths = list(range(1, 102))
    found = median(Counter(lengths))
    assert found.value == 51 and found.interval == (lengths[40], lengths[60])


def test_a_trial_without_anything_to_judge_ends_with_the_planned_games() -> None:
    made = trial({}, {"victories": 2})
    counts = play_trial(made.part(0, 30))
    assert not figures(made, counts).is_certain and figures(made, counts, 30).is_certain
    assert MOST == 2000 and figures(made, TrialCounts()).length is None
