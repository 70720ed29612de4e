"""A Ray cluster of two workers: the same bytes as here, also when a worker is killed."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import quintain
from lab.test_ladder import TORN
from quintain.bots.playout import play_games
from quintain.bots.random import Random
from quintain.engine.errors import BadBot, QuintainError
from quintain.engine.rules.compiling.compiled import is_warm
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.lab.balance import balance
from quintain.lab.cluster import RayPool, packed_code, unpack_code
from quintain.lab.ladder import climb
from quintain.lab.luck import luck
from quintain.lab.pools import LocalPool
from quintain.lab.report import report
from quintain.lab.simulation import simulate
from quintain.lab.tournament import tournament

PLAIN = "quintain.bots.random:Random"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayPool]:
    os.environ["MORTAL"] = str(tmp_path_factory.mktemp("mortal") / "killed")
    with RayPool("local", 2) as pool:
        assert pool.workers == 2
        yield pool


class Mortal(Random):
    """Plays as the random bot does; the process that makes the first choice dies of it."""

    def choose(self, seen: Seen, budget: Any) -> int:
        mark = Path(os.environ["MORTAL"])
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return super().choose(seen, budget)
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@pytest.mark.parametrize("bot", ["random", PLAIN])
def test_the_bytes_of_a_simulation_are_those_of_the_local_cores(
    bot: str, goofspiel: Game, cluster: RayPool, tmp_path: Path
):
    told: list[int] = []
    for name, pool in (("here", LocalPool(1)), ("there", cluster)):
        simulate(goofspiel, 500, [bot, bot], {}, 4, told.append, pool, tmp_path / name)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes() and sum(told) == 1000


def test_everything_that_plays_games_gives_the_same_there_as_here(goofspiel: Game, cluster: RayPool):
    def all_of(pool: Any) -> list[Any]:
        decks = balance(quintain.game("round-table"), ["hedge-host", "great-houses"], 2, 1, PLAIN, pool=pool)
        found = report(quintain.game("heirless"), 4, ["random"] * 3, {}, 1, pool=pool)
        return [
            list(climb(goofspiel, ["greedy", "random"], 6, 3, pool=pool)),
            luck(goofspiel, 4, ["greedy", "random"], {}, 1, 10, pool=pool),
            tournament(goofspiel, ["greedy", "random", PLAIN], 6, 3, pool=pool),
            decks,
            (found.watched, found.counts, found.summary.shares),
        ]

    assert all_of(cluster) == all_of(LocalPool(1))


def test_a_worker_that_is_killed_costs_time_and_nothing_else(goofspiel: Game, cluster: RayPool, tmp_path: Path):
    mark, bots = Path(os.environ["MORTAL"]), [f"{__name__}:Mortal", "random"]
    mark.touch()
    simulate(goofspiel, 20, bots, {}, 4, pool=LocalPool(1), out=tmp_path / "here")
    mark.unlink()
    simulate(goofspiel, 20, bots, {}, 4, pool=cluster, out=tmp_path / "there")
    assert int(mark.read_text()) != os.getpid()
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_a_bot_that_fails_there_gives_the_message_that_it_gives_here(goofspiel: Game, cluster: RayPool):
    with pytest.raises(BadBot, match="Torn failed: ValueError: to bid or not to bid"):
        simulate(goofspiel, 3, [TORN, "random"], {}, 4, pool=cluster)


def test_compiled_code_reaches_a_machine_that_has_none(
    goofspiel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    simulate(goofspiel, 1, ["random", "random"], {}, 1)
    packed = packed_code()
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path))
    assert not is_warm(goofspiel, play_games)
    for _ in range(2):
        unpack_code(packed)
        assert is_warm(goofspiel, play_games)
    assert not list((tmp_path / "cache").glob("tmp*"))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "there is no Ray cluster at 127.0.0.1:1: .*refused"),
        ("nonsense", "'nonsense' is no address of a Ray cluster: give HOST:PORT, auto or local"),
        ("somewhere:99999", "is no address of a Ray cluster"),
    ],
)
def test_an_address_without_a_cluster_is_refused(address: str, message: str):
    with pytest.raises(QuintainError, match=message):
        RayPool(address)
