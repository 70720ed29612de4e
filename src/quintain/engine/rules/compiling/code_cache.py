"""The folder of compiled code: files for the rules of each game, and for each driver.

The name of a file holds the fingerprint of its code, so code that has changed has another file. A file begins with a
digest of its name and its content: a file that is damaged, or was renamed, is never loaded. One process makes a file
while the others wait for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quintain.engine import home

if TYPE_CHECKING:
    from filelock import FileLock

OBJECT, BITCODE = ".o", ".bc"
"""The ends of the names of files: of code for one processor, and of what it is made from, which suits any."""
LOCKS = "locks"
PATIENCE = 1.0
"""Seconds of waiting for another process after which this one says so."""
LONGEST_WAIT = 600.0
"""The most seconds of waiting; after that, this process makes the code itself."""
DIGEST = 32
"""The bytes of the digest at the beginning of a file."""


def file(name: str, ending: str = OBJECT) -> Path:
    """Return where code of this name is kept, whether it is there or not."""
    return home.cache() / f"{name}{ending}"


def files(beginning: str = "", ending: str = OBJECT) -> list[Path]:
    """Return the files of compiled code whose names begin and end in this way."""
    try:
        return sorted(home.cache().glob(f"{beginning}*{ending}"))
    except OSError:
        return []


def read(path: Path) -> bytes | None:
    """Return the code in a file; None if the file is not there, cannot be read, or is damaged."""
    try:
        held = path.read_bytes()
    except OSError:
        return None
    return held[DIGEST:] if held[:DIGEST] == _digest(path, held[DIGEST:]) else None


def read_or_make(path: Path, what: str, make: Callable[[], bytes], is_right: Callable[[], bool]) -> bytes:
    """Return the code in a file; if it is not there, make it and put it there. `what` names it in messages.

    `is_right` tells, once the code is made, whether the name of the file still fits it; otherwise it is not kept.
    """
    code = read(path)
    if code is not None:
        return code
    with _turn(path, what) as forbidden:
        code = read(path)  # another process may have made it meanwhile
        if code is not None:
            return code
        if home.is_there(path):
            say(f"The compiled code of {what} in the cache is damaged; Quintain compiles it again.")
        code = make()
        changed = None if is_right() else OSError("a value that its rules read has changed in this process")
        problem = forbidden or changed or _write(path, code)
    if problem and path.suffix == OBJECT:  # of the two files, one is told about
        say(f"The compiled code cannot be kept for the next time: {problem}.")
    return code


def say(line: str) -> None:
    """Tell whoever waits what goes on."""
    print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def _turn(path: Path, what: str) -> Iterator[OSError | None]:
    """Wait while another process makes a file; yield the error that forbids to lock it, or None."""
    from filelock import FileLock  # here, since `import quintain` takes 10 ms longer with it

    lock = None
    forbidden = None
    try:
        locks = path.parent / LOCKS
        locks.mkdir(parents=True, exist_ok=True)
        lock = FileLock(locks / f"{path.name}.lock")
        _wait(lock, what)
    except OSError as error:
        forbidden = error
    try:
        yield forbidden
    finally:
        if lock is not None and lock.is_locked:
            lock.release()


def _wait(lock: FileLock, what: str) -> None:
    from filelock import Timeout

    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        say(f"Another process compiles {what}; this one waits for it ...")
        with contextlib.suppress(Timeout):
            lock.acquire(timeout=LONGEST_WAIT)


def _write(path: Path, code: bytes) -> OSError | None:
    """Put code into a file, whole or not at all; return the error if that is impossible."""
    try:
        descriptor, made = tempfile.mkstemp(prefix=path.stem, suffix=".part", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as part:
                part.write(_digest(path, code) + code)
            Path(made).replace(path)
        finally:
            Path(made).unlink(missing_ok=True)
    except OSError as error:
        return error
    return None


def _digest(path: Path, code: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + code).digest()
