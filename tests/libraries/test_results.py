"""Libraries compute bit for bit what interpreted rules do: whole trees, whole games and the rows of batches."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import quintain
from libraries.building import built, use
from quintain.bots import greedy, ismcts, playout
from quintain.bots.tree import interpreted_search, new_tree, set_root
from quintain.cli.compile import drivers_of
from quintain.conformance import Case
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.compiling.calls import numbered
from quintain.engine.rules.compiling.compiled import Compiled, compiled, interpreted
from quintain.engine.rules.compiling.memory import in_memory, zeros
from quintain.engine.rules.compiling.targets import here
from quintain.engine.rules.game import Game, seats_in
from quintain.envs.batch import Batch

GAMES = [
    "kings-court",  # the others take longer
    *(pytest.param(id_, marks=pytest.mark.long) for id_ in ("robin", "heirless", "rune-war", "round-table")),
]
SIMULATIONS = 120
"""The simulations of a tree; interpreted, a game may take seconds for them."""


@pytest.fixture
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A game whose library is used."""
    use(built(request.param, here()), monkeypatch)
    yield quintain.game(request.param)
    monkeypatch.undo()
    libraries.forget()


with_library = pytest.mark.parametrize("game", GAMES, indirect=True)


def of_library(game: Game, driver: Any) -> Compiled[Any]:
    """Return a driver, and make sure that it comes from the library."""
    assert libraries.holds(game, driver)
    return compiled(game, driver)


def positions(game: Game, count: int) -> Iterator[tuple[Any, Any, int]]:
    """Yield books, positions of random games with the least and the most seats, and a seat that may act."""
    for seats in sorted({game.seats[0], game.seats[1]}):
        for book, s in Case(game, seats).sample(2, count):
            for seat in seats_in(game.rules.to_act(book, s))[:1]:
                yield book, s, seat


@with_library
def test_every_driver_comes_from_the_library(game: Game):
    names = set()
    for example in drivers_of(game):
        types = numbered(example.arguments).digest
        entry = libraries.load(game, example.driver.driver, types)
        assert entry is not None, example.driver.driver.__name__
        names.add(example.driver.driver.__name__)
    assert {"search", "choose_greedily", "follow_policy", "play_games", "step_places", "look_float32"} <= names


@with_library
@pytest.mark.parametrize("newer", [True, False], ids=["newer processors", "older processors"])
def test_whole_trees_are_the_same(newer: bool, game: Game, monkeypatch: pytest.MonkeyPatch):
    library = libraries._library(game.id)
    assert library is not None
    if newer and not libraries.is_newer(library):
        pytest.skip("this processor is an older one, or no x86-64")
    monkeypatch.setattr(libraries, "is_newer", lambda library: newer)
    search, checked = of_library(game, ismcts.search), 0
    for book, s, seat in positions(game, 4):
        trees = [new_tree(game, SIMULATIONS, 5, is_compiled=fast) for fast in (False, True)]
        for tree, run, given in zip(trees, (interpreted_search(game), search), (book, in_memory(book)), strict=True):
            for is_open in (False, True):
                set_root(game, tree, s.copy() if is_open else game.blinded(book, s, seat), is_open=is_open)
                for simulations in (1, SIMULATIONS // 2 - 1):
                    run(given, game.seats[1], seat, tree, simulations)
        plain, fast = trees
        for name in set(plain._fields) - {"status", "pool", "words"}:
            assert list(getattr(plain, name)) == list(getattr(fast, name)), name
        assert plain.status.pack() == bytes(fast.status)
        assert b"".join(state.pack() for state in plain.pool) == bytes(fast.pool)
        checked += 1
    assert checked >= 4


@with_library
def test_large_trees_are_those_of_the_machines_own_code(game: Game, monkeypatch: pytest.MonkeyPatch):
    made = []
    given = [(book, s.copy(), seat) for book, s, seat in positions(game, 2)]
    for folder in (built(game.id, here()), None):
        use(folder, monkeypatch)
        run = compiled(game, ismcts.search)
        for book, s, seat in given:
            tree = new_tree(game, 5_000, 7, is_compiled=True)
            set_root(game, tree, game.blinded(book, s, seat))
            run(in_memory(book), game.seats[1], seat, tree, 5_000)
            made.append([bytes(array) for array in tree])
    half = len(made) // 2
    assert half >= 2 and made[:half] == made[half:] and len({str(tree) for tree in made}) > 1


@with_library
def test_whole_games_are_the_same(game: Game):
    seats, games = game.seats[2], 3
    book = game.make_book(seats, game.read_options(seats, {}))
    kinds = [(playout.RANDOM, playout.POLICY)[seat % 2] for seat in range(seats)]
    plain, fast = [[0] * (1 + 2 * seats) for _ in range(games)], zeros("int64", games, 1 + 2 * seats)
    work = playout.new_workspace(game, is_compiled=False)
    plies = interpreted(game, playout.play_games)(book, seats, kinds, work, 3, 10, plain)
    work = playout.new_workspace(game, is_compiled=True)
    run = of_library(game, playout.play_games)
    assert run(in_memory(book), seats, np.array(kinds), work, 3, 10, fast) == plies > 0
    assert [[*row] for row in fast] == plain


@with_library
def test_choices_of_simple_bots_are_the_same(game: Game):
    greedily, by_policy = (of_library(game, each) for each in (greedy.choose_greedily, playout.follow_policy))
    checked = 0
    for book, s, seat in positions(game, 2):
        found = []
        for fast in (False, True):
            work = playout.new_workspace(game, is_compiled=fast)
            words, blinded = [1, 2, 3, 4], game.blinded(book, s, seat)
            work.pool[playout.BLINDED] = in_memory(blinded) if fast else blinded
            work.words[seat] = tuple(words) if fast else words
            given = in_memory(book) if fast else book
            choose = greedily if fast else interpreted(game, greedy.choose_greedily)
            follow = by_policy if fast else interpreted(game, playout.follow_policy)
            chosen = choose(given, game.seats[1], seat, work), follow(given, seat, work)
            found.append((chosen, [*work.totals], [*work.words[seat]]))
        assert found[0] == found[1]
        checked += 1
    assert checked >= 2


@with_library
def test_playouts_are_the_same(game: Game):
    for book, s, _ in positions(game, 1):
        seats, found = game.seats[0], []
        for fast in (False, True):
            work = playout.new_workspace(game, is_compiled=fast)
            work.pool[playout.GAME] = in_memory(s) if fast else s
            shares = zeros("float64", seats) if fast else [0.0] * seats
            run = of_library(game, playout.play_on) if fast else interpreted(game, playout.play_on)
            found.append((run(in_memory(book) if fast else book, seats, work, 9, 3, shares), [*shares]))
        assert found[0] == found[1]


@with_library
@pytest.mark.parametrize("observation", ["float32", "int8"])
def test_the_rows_of_batches_are_the_same(game: Game, observation: Any, monkeypatch: pytest.MonkeyPatch):
    made = []
    for off in ("0", "1"):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", off)
        others: Any = "policy" if "policy" in game.written else "random"
        batch = Batch(game, 3, observation=observation, learner=0, others=others)
        batch.reset(7)
        rows = []
        for _ in range(12):
            batch.step(batch.sample())
            rows += [batch.observation.copy(), batch.mask.copy(), batch.seat.copy(), batch.returns.copy()]
        made.append(rows)
        if off == "0":
            assert batch._drivers._step._loaded is not None and libraries.holds(game, batch._drivers._step.driver)
        else:
            assert batch._drivers._step._loaded is None
    assert all(np.array_equal(one, other) for one, other in zip(*made, strict=True))
