"""The random generator gives the published numbers, has no bias, and is the same interpreted and compiled."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import quintain
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import compiled, interpreted
from quintain.engine.rules.linking import rule

HALF, FULL = 2**63 - 1, 2**64 - 1
XOSHIRO = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804]
SPLITMIX_SEED = 1477776061723855037
SPLITMIX = [1985237415132408290, 2979275885539914483, 13511426838097143398, 8488337342461049707]
SEEDS = [0, 1, 2**31, 2**32 - 1, 2**32, SPLITMIX_SEED, HALF - 1, HALF]


def splitmix64(state: int) -> Iterator[int]:
    """Yield the outputs of splitmix64, written down in 64-bit arithmetic."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & FULL
        yield finished(state)


def finished(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & FULL
    z = (z ^ z >> 27) * 0x94D049BB133111EB & FULL
    return z ^ z >> 31


def seeded(n: int) -> list[int]:
    words = [0] * 4
    rng.seed(words, n)
    return words


@rule
def draw_below(words: Any, bounds: Any, numbers: Any) -> int:
    """Draw a number below every bound."""
    for i in range(len(bounds)):
        numbers[i] = rng.below(words, bounds[i])
    return rng.draw(words)


@rule
def seed_and_mix(rows: Any, seeds: Any, numbers: Any) -> int:
    """Seed by the first number of every row; mix its first number, its first two, and all three."""
    for i in range(len(rows)):
        a, b, c = rows[i]
        rng.seed(seeds[i], a)
        numbers[i][0] = rng.mix(a)
        numbers[i][1] = rng.mix(a, b)
        numbers[i][2] = rng.mix(a, b, c)
    return len(rows)


def test_draws_are_those_of_xoshiro128_starstar():
    words = [1, 2, 3, 4]
    assert [rng.draw(words) for _ in XOSHIRO] == XOSHIRO


def test_the_independent_splitmix64_of_these_tests_gives_the_published_numbers():
    outputs = splitmix64(SPLITMIX_SEED)
    assert [next(outputs) for _ in SPLITMIX] == SPLITMIX


@pytest.mark.parametrize("n", SEEDS)
def test_a_seed_becomes_two_outputs_of_splitmix64_high_words_first(n: int):
    outputs = splitmix64(n)
    one, two = next(outputs), next(outputs)
    assert seeded(n) == [one >> 32, one & 0xFFFFFFFF, two >> 32, two & 0xFFFFFFFF]


@pytest.mark.parametrize("numbers", [(0,), (HALF,), (0, 0), (5, 7), (7, 5), (HALF, 0, HALF), (3, 2**32, HALF - 1, 9)])
def test_mixing_chains_steps_of_splitmix64(numbers: tuple[int, ...]):
    state = len(numbers)
    for n in numbers:
        state = next(splitmix64(state ^ n))
    assert rng.mix(*numbers) == state & HALF


def test_mixes_differ_by_every_number_their_order_and_how_many_there_are():
    tuples = [(), (0,), (0, 0), (0, 0, 0), (1,), (1, 0), (0, 1), (2**32, 0), (0, 2**32), (HALF, 0), (0, HALF)]
    mixed = [rng.mix(*numbers) for numbers in tuples]
    assert len(set(mixed)) == len(tuples) and all(0 <= number <= HALF for number in mixed)


def test_the_smallest_and_the_largest_bounds():
    words = seeded(1)
    assert {rng.below(words, 1) for _ in range(1000)} == {0}
    numbers, draws, twin = [], [], list(words)
    for _ in range(1000):
        numbers.append(rng.below(words, 2**31))
        draws.append(rng.draw(twin))
    assert numbers == [number >> 1 for number in draws]
    assert min(numbers) < 2**24 and max(numbers) > 2**31 - 2**24


@pytest.mark.parametrize(
    ("n", "kind"),
    [
        (2, lambda x: x),
        (6, lambda x: x),
        (48, lambda x: x),
        (3 * 2**29, lambda x: x % 3),
        (2**31 - 1, lambda x: x >> 27),
    ],
    ids=["2", "6", "48", "3*2**29", "2**31-1"],
)
def test_every_number_below_a_bound_is_equally_likely(n: int, kind: Callable[[int], int]):
    kinds, draws = min(n, 3 if n % 3 == 0 and n > 48 else 16 if n > 48 else n), 40_000
    counts = [0] * kinds
    words = seeded(n)
    for _ in range(draws):
        number = rng.below(words, n)
        assert 0 <= number < n
        counts[kind(number)] += 1
    expected = draws / kinds
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    one_in_a_thousand = {2: 10.8, 3: 13.8, 6: 20.5, 16: 37.7, 48: 82.7}
    assert chi_square < one_in_a_thousand[kinds]


def test_keys_are_read_as_big_endian_words():
    words = [9] * 4
    rng.key(words, bytes.fromhex("00000001 00000200 00030000 04000005"))
    assert words == [1, 0x200, 0x30000, 0x4000005]
    rng.key(words, b"\xff" * 16)
    assert words == [0xFFFFFFFF] * 4


def test_a_key_never_leaves_the_generator_at_zeros():
    words = [9] * 4
    rng.key(words, bytes(16))
    assert words == [0, 0, 0, 1]
    assert len({rng.draw(words) for _ in range(20)}) > 10


def test_numbers_below_bounds_are_the_same_interpreted_and_compiled():
    game, chooser = quintain.game("kings-court"), random.Random(1)
    bounds = [1, 2, 3 * 2**29, 2**31 - 1, 2**31] + [
        chooser.randint(1, 2 ** chooser.randint(1, 31)) for _ in range(5000)
    ]
    for key in ([1, 2, 3, 4], [0xFFFFFFFF] * 4, [0, 0, 0, 1], seeded(7)):
        words, numbers = list(key), [0] * len(bounds)
        last = interpreted(game, draw_below)(words, bounds, numbers)
        fast, fast_numbers = np.array(key), np.zeros(len(bounds), np.int64)
        assert compiled(game, draw_below)(fast, np.array(bounds), fast_numbers) == last
        assert fast_numbers.tolist() == numbers and fast.tolist() == words


def test_seeds_and_mixes_are_the_same_interpreted_and_compiled():
    game, chooser = quintain.game("kings-court"), random.Random(2)
    edges = [[a, b, c] for a in SEEDS for b in SEEDS for c in (0, 1, HALF)]
    rows = edges + [[chooser.getrandbits(chooser.randint(1, 63)) for _ in range(3)] for _ in range(3000)]
    seeds, numbers = [[0] * 4 for _ in rows], [[0] * 3 for _ in rows]
    interpreted(game, seed_and_mix)(rows, seeds, numbers)
    fast_seeds, fast_numbers = np.zeros((len(rows), 4), np.int64), np.zeros((len(rows), 3), np.int64)
    compiled(game, seed_and_mix)(np.array(rows), fast_seeds, fast_numbers)
    assert fast_seeds.tolist() == seeds and fast_numbers.tolist() == numbers
    assert numbers[-1] == [rng.mix(*rows[-1][:count]) for count in (1, 2, 3)] and seeds[-1] == seeded(rows[-1][0])
