"""Helpers for the tests of the command line: a game with a fixed seed, its files, and the results of commands."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quintain.engine.play.match import Match

SEED = "ab" * 32
COMMITMENT = Match.new("kings-court", seed=SEED).commitment
PLAY = ("play", "kings-court", "--against", "random", "--name", "Ann", "--seed", SEED)
WIDE = "400"
"""So many columns that no message with a path breaks into two lines."""
SIX_COUNTERS = "1\n" * 6


@dataclass
class Result:
    status: int
    out: str
    err: str


Run = Callable[..., Result]


def saves(home: Path) -> list[Path]:
    return sorted((home / "data" / "saves").glob("*"))


def records(home: Path) -> list[Path]:
    return sorted((home / "data" / "records").glob("*"))


def moves_in(save: Path) -> list[str]:
    return [entry.get("text", entry["kind"]) for entry in json.loads(save.read_text())["moves"]]


def plain(screen: str) -> str:
    """Return what a terminal was sent, without colours and the like."""
    return re.sub(r"\x1b\[[\d;]*m", "", screen)


def sealed(document: dict[str, Any]) -> str:
    """Return a document with the checksum that fits it."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps({**rest, "sha256": hashlib.sha256(text.encode()).hexdigest()})


def finished_record(path: Path) -> dict[str, Any]:
    """Write the record of a game in which each always made the first move, with one undo."""
    match = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    match.play(0, match.moves(0)[0].action)
    match.undo(0)
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    path.write_text(json.dumps(match.record()))
    return match.record()
