"""Libraries for other machines compute the same, where this one can run them."""

from typing import Any

import numpy as np
import pytest

import quintain
from libraries.building import built, ending
from libraries.machines import Image, machine
from quintain.bots import ismcts, playout
from quintain.bots.tree import new_tree, set_root
from quintain.conformance import Case
from quintain.engine.rules.compiling.compiled import compiled
from quintain.engine.rules.compiling.libraries import digest_of, symbol_of
from quintain.engine.rules.compiling.memory import filled, in_memory, zeros
from quintain.engine.rules.compiling.targets import PLATFORMS, here
from quintain.engine.rules.game import Game, seats_in

GAMES = ("kings-court", "robin", "heirless", "rune-war", "round-table")
OTHERS = [each.name for each in PLATFORMS if each.name != here()]
PAIRS = [
    pytest.param(platform, id_, marks=[] if (platform, id_) == ("wasm32", "kings-court") else pytest.mark.long)
    for platform in OTHERS
    for id_ in GAMES
]


def both(platform: str, game: Game, driver: Any, arguments: list[tuple[Any, ...]]) -> list[int]:
    """Run a driver here, with the first arguments, and on another machine, with the second; return both results."""
    run, why = machine(platform)
    if run is None:
        pytest.skip(why)
    ours = compiled(game, driver)(*arguments[0])
    image = Image(arguments[1])
    file = built(game.id, platform) / platform / f"{game.id}.{ending(platform)}"
    symbol = symbol_of(driver, digest_of(game, driver) or "", image.numbered.digest)
    theirs = run(file, symbol, image)
    return [ours, theirs]


@pytest.mark.long_for("wasm32-kings-court")  # the next test plays whole games on that machine
@pytest.mark.parametrize(("platform", "id_"), PAIRS)
def test_whole_trees_are_the_same(platform: str, id_: str):
    game, checked = quintain.game(id_), 0
    for book, s in Case(game, game.seats[0]).sample(1, 3):
        if s.over:
            continue
        seat = seats_in(game.rules.to_act(book, s))[0]
        trees = [new_tree(game, 1_500, 11, is_compiled=True) for _ in range(2)]
        for tree in trees:
            set_root(game, tree, game.blinded(book, s, seat))
        both(platform, game, ismcts.search, [(in_memory(book), game.seats[1], seat, tree, 1_500) for tree in trees])
        assert [bytes(array) for array in trees[0]] == [bytes(array) for array in trees[1]]
        assert max(trees[0].visits) > 10
        checked += 1
    assert checked >= 2


@pytest.mark.long
@pytest.mark.parametrize(("platform", "id_"), PAIRS)
def test_whole_games_are_the_same(platform: str, id_: str):
    game = quintain.game(id_)
    seats, games = game.seats[2], 5
    book = in_memory(game.make_book(seats, game.read_options(seats, {})))
    kinds = filled("int64", [(playout.GREEDY, playout.RANDOM, playout.POLICY)[seat % 3] for seat in range(seats)])
    rows = [zeros("int64", games, 1 + 2 * seats) for _ in range(2)]
    works = [playout.new_workspace(game, is_compiled=True) for _ in range(2)]
    given = [(book, seats, kinds, work, 4, 0, row) for work, row in zip(works, rows, strict=True)]
    ours, theirs = both(platform, game, playout.play_games, given)
    assert ours == theirs > 0
    assert np.array_equal(np.asarray(rows[0]), np.asarray(rows[1])) and np.asarray(rows[0]).any()
