"""A pool of workers on a Ray cluster: on this machine, or on as many as the cluster has.

Every machine needs the same Quintain, with the extra `ray`, and the files of one's own games and bots at the same
paths. Compiled code travels to each machine once; a worker on another kind of processor compiles its own.
"""

from __future__ import annotations

import io
import logging
import os
import socket
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from quintain.engine import home
from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.compiling import code_cache
from quintain.lab.extras import need
from quintain.lab.pools import AHEAD, J, R, in_order

__all__ = ["RayPool"]

LOCAL, RUNNING = "local", "auto"
"""The addresses that stand for a new cluster on this machine, and for the one that runs here already."""
REACHED = 5.0
"""The most seconds that a cluster may take to answer; Ray itself would wait for ever."""


class RayPool:
    """The workers of a Ray cluster. A context manager, which joins the cluster and leaves it.

    If a worker is lost, others do its jobs again; the results are the same.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        need("ray", extra="ray")
        if address not in (LOCAL, RUNNING):
            _check_reachable(address)
        self.address, self.wanted = address, workers
        self.workers = 1

    def __enter__(self) -> Self:
        import ray

        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        logging.getLogger("ray").setLevel(logging.ERROR)
        given: dict[str, Any] = {"num_cpus": self.wanted} if self.address == LOCAL else {}
        try:
            ray.init(
                self.address,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                **given,
            )
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise QuintainError(f"there is no Ray cluster to join at {self.address}: {error}") from error
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        return self

    def __exit__(self, *error: object) -> None:
        import ray

        ray.shutdown()

    def map(self, do: Callable[[J], R], jobs: Iterable[J]) -> Iterator[R]:
        """Yield what `do` returns for each job, in order; raises what it raises."""
        import ray

        code = ray.put(packed_code())
        worker: Any = ray.remote(max_retries=-1)(_do)

        def begin(job: J) -> Any:
            return worker.remote([code], sys.path, do, job)

        finish: Callable[[Any], R] = ray.get
        try:
            yield from in_order(begin, finish, jobs, AHEAD * self.workers)
        except ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, QuintainError) else error) from None
        except ray.exceptions.RayError as error:
            raise QuintainError(f"the Ray cluster is lost: {error}") from error


def _check_reachable(address: str) -> None:
    """Raise BadOption for an address that is none, and QuintainError if nothing answers there."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise BadOption(f"{address!r} is no address of a Ray cluster: give HOST:PORT, {RUNNING} or {LOCAL}")
    try:
        socket.create_connection((host, int(port)), REACHED).close()
    except OSError as error:
        raise QuintainError(f"there is no Ray cluster at {address}: {error}") from error


def packed_code() -> bytes:
    """Return the compiled code in the cache of this machine, packed."""
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w") as packed:
            for path in code_cache.files():
                packed.add(path, path.name)
        return file.getvalue()


def _do(code: list[Any], path: list[str], do: Callable[[J], R], job: J) -> R:
    """Do a job on a worker; it unpacks compiled code, and finds bots where the sender finds them."""
    import ray

    if code[0] not in _unpacked:
        unpack_code(ray.get(code[0]))
        _unpacked.add(code[0])
        sys.path += [folder for folder in path if folder not in sys.path]
    return do(job)


_unpacked: set[Any] = set()
"""The packs of compiled code that this process has unpacked."""


def unpack_code(packed: bytes) -> None:
    """Put compiled code into the cache of this machine; leaves alone what is there."""
    cache = home.cache()
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as file:
            file.extractall(folder, filter="data")
        for found in Path(folder).iterdir():
            if not (cache / found.name).exists():
                try:
                    found.rename(cache / found.name)
                except OSError:  # another worker of this machine was faster
                    continue
