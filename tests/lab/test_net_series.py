"""Games in which a net plays run in compiled code, and are the same games that its bots play one by one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bots.nets import random_net, stubborn_net
from quintain.bots import level, net, net_files
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.lab import matches
from quintain.lab.series import Chunk, Series, play_chunk, prepare


@pytest.fixture(scope="module")
def court() -> Game:
    return game("kings-court")


@pytest.fixture
def named(court: Game, tmp_path: Path) -> str:
    net_files.write(tmp_path / "court.safetensors", random_net(court))
    return f"net:{tmp_path / 'court.safetensors'}"


def series(of: Game, *bots: str) -> Series:
    return Series.new(of, bots, {}, 5)


@pytest.mark.parametrize("others", [(), ("random",)], ids=["alone", "against random moves"])
def test_compiled_games_of_a_net_are_those_that_its_bots_play(others: tuple[str, ...], court: Game, named: str) -> None:
    given = series(court, *others, *([named] * (2 - len(others))))
    assert given.is_whole and not given.is_compiled and given.net == named
    prepare(given)
    load(net.drivers(court))
    played, levels = play_chunk(Chunk(given, 3, 6)), [level(name) for name in given.bots]
    book = court.make_book(2, given.options)
    for row in range(6):
        s = court.state()
        moves = sum(1 for _ in matches.moves(court, book, s, levels, 5, 3 + row))
        scores, ranks = matches.result(court, book, s, 2)
        assert played.rows[row].tolist() == [moves, *scores, *ranks]


def test_what_the_net_wants_decides_the_games(court: Game, named: str, tmp_path: Path) -> None:
    wanted = {action: -float(action) for action in range(court.actions)}
    net_files.write(tmp_path / "low.safetensors", stubborn_net(court, wanted))
    low, other = (series(court, name, name) for name in (f"net:{tmp_path / 'low.safetensors'}", named))
    for each in (low, other):
        prepare(each)
    assert not np.array_equal(play_chunk(Chunk(low, 0, 4)).rows, play_chunk(Chunk(other, 0, 4)).rows)
    assert np.array_equal(play_chunk(Chunk(low, 2, 2)).rows, play_chunk(Chunk(low, 0, 4)).rows[2:])


def test_a_series_with_two_nets_or_a_searching_bot_is_played_game_by_game(
    court: Game, named: str, tmp_path: Path
) -> None:
    net_files.write(tmp_path / "other.safetensors", random_net(court))
    two = series(court, named, f"net:{tmp_path / 'other.safetensors'}")
    searching = series(court, named, "squire")
    assert not two.is_whole and not searching.is_whole
    prepare(two)
    assert play_chunk(Chunk(two, 0, 1)).rows.shape == (1, 5)
    # The same weights under two names play the same games as under one.
    one = series(court, named, named)
    prepare(one)
    assert np.array_equal(play_chunk(Chunk(two, 0, 2)).rows, play_chunk(Chunk(one, 0, 2)).rows)
    assert replace(one, bots=("random", "random")).is_compiled
