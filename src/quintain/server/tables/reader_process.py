"""The process that reads texts of strangers; `readers.py` starts it and talks to it over a pipe.

It imports little, so that it starts fast.
"""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from quintain.engine.errors import BadRecord, QuintainError
from quintain.engine.play.documents import MatchRecord, read_document
from quintain.engine.play.match import Match
from quintain.engine.play.signatures import check_signature
from quintain.engine.rules.registry import all_games, game, register_files
from quintain.server.processes import end_with_server

MEMORY = 256 * 2**20
"""Bytes that the process may use besides those it starts with; only Linux enforces this."""
NICENESS = 2
RECORD = "record"
"""In the place of a game's id: the text of a record is to be read."""


class ReadRecord(msgspec.Struct):
    """A record that was played again: the document as it was written, and the record of that play, without names."""

    document: MatchRecord
    nameless: dict[str, object]


class Answer(msgspec.Struct):
    """The answer to one text: options as they are stored, or a record, or what is `wrong`, or a `fault` of ours."""

    options: dict[str, object] | None = None
    record: ReadRecord | None = None
    wrong: str = ""
    fault: str = ""


def work(there: Connection[bytes, bytes], game_files: Sequence[Path]) -> None:
    """Say that the process is up, then answer one text after another until the server ends."""
    end_with_server()
    os.nice(NICENESS)
    register_files(game_files)
    all_games()
    _limit_memory()
    there.send_bytes(b"")
    while True:
        there.send_bytes(msgspec.json.encode(_read(there.recv_bytes())))


def _read(question: bytes) -> Answer:
    """Read the options of a game, or a record. If memory runs out, the process ends, and the server starts another."""
    id_, seats, given = msgspec.json.decode(question)
    try:
        if id_ == RECORD:
            return Answer(record=_replayed(given[RECORD]))
        found = game(id_)
        read = found.read_options(seats, given)
        found.make_book(seats, read)
    except QuintainError as error:
        return Answer(wrong=str(error))
    except RecursionError:
        return Answer(wrong="the options cannot be read: lists in them are too deep")
    except MemoryError:
        os._exit(1)
    except Exception:
        return Answer(fault=traceback.format_exc())
    return Answer(options=read)


def _replayed(text: str) -> ReadRecord:
    """Return a record after playing it again; raises BadRecord if it does not follow the rules."""
    document, match = read_document(text), Match.load(text)
    if not isinstance(document, MatchRecord):
        raise BadRecord("this is a save of a game that is not over: only finished games can be brought in")
    check_signature(json.loads(text))
    return ReadRecord(document, match.record(with_names=False))


def _limit_memory() -> None:
    """Limit the process to MEMORY bytes more than it uses now."""
    if sys.platform == "linux":
        import resource

        used = re.search(r"VmData:\s*(\d+) kB", Path("/proc/self/status").read_text())
        if used:
            most = int(used[1]) * 1024 + MEMORY
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
