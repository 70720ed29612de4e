"""What several commands print: rulebooks, accounts, results."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from quintain.cli.table import account
from quintain.engine.documents import Result
from quintain.engine.game import Game
from quintain.engine.match import Match, Outcome

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  # lets a line be edited while it is typed


def paged(console: Console, shown: RenderableType) -> None:
    """Print something, on a terminal through the pager."""
    os.environ.setdefault("LESS", "FR")
    with console.pager(styles=True):
        console.print(shown)


def command(game: Game, name: str, file: Path) -> str:
    """Return a command for a file of a game, to be typed as it stands, wherever `quintain` and the game are."""
    words = ["quintain" if shutil.which("quintain") else sys.argv[0], name, str(file)]
    if game.file:
        words += ["--game-file", str(game.file)]
    return shlex.join(words)


def read_line(prompt: str) -> str:
    """Return a line that is typed, without blanks around it; one that comes from elsewhere is shown."""
    if sys.stdin is None:
        raise EOFError
    line = input(prompt).strip()
    if not sys.stdin.isatty():
        print(line)
    return line


def print_rules(console: Console, game: Game) -> None:
    """Print the rulebook of a game, paged on a terminal."""
    paged(console, Markdown(game.text.rulebook()))


def print_end(console: Console, match: Match, seat: int | None = None) -> None:
    """Print how the scores of a finished match came about, and its result."""
    assert match.outcome
    if lines := match.account(seat):
        console.print()
        console.print(account(lines, match.names))
    console.print()
    console.print(Text(result(match.names, match.outcome), style="bold"))


def result(names: Sequence[str], outcome: Outcome | Result) -> str:
    """Say who won, and the scores, highest rank first.

    >>> result(["Ann", "Bo"], Outcome(scores=(31, 43), ranks=(2, 1), reason="played to the end"))
    'Bo wins: Bo 43, Ann 31.'
    """
    scores = outcome.scores or [0] * len(names)
    by_rank = sorted(zip(outcome.ranks, names, scores, strict=True), key=lambda seat: seat[0])
    first = [name for rank, name, _ in by_rank if rank == by_rank[0][0]]
    head = f"{first[0]} wins" if len(first) == 1 else f"A draw between {' and '.join(first)}"
    if outcome.scores is None:
        return f"{head}: {outcome.reason}."
    return f"{head}: {', '.join(f'{name} {score}' for _, name, score in by_rank)}."
