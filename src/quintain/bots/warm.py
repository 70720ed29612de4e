"""Compiles a game's search in a process of its own, so that nobody waits for it.

python -m quintain.bots.warm GAME [FILE]
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from quintain.engine.game import Game
from quintain.engine.registry import game, register_file

_begun: dict[str, subprocess.Popen[bytes]] = {}


def begin(wanted: Game) -> None:
    """Begin to compile the search of a game in the background, once in this process; it is then in the cache."""
    if wanted.id not in _begun:
        quiet = subprocess.DEVNULL
        _begun[wanted.id] = subprocess.Popen(
            _arguments(wanted), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )


def command(wanted: Game) -> str:
    """Return the command that compiles the search of a game, to be typed as it stands."""
    return shlex.join(_arguments(wanted))


def _arguments(wanted: Game) -> list[str]:
    file = [str(wanted.file)] if wanted.file else []
    return [sys.executable, "-P", "-m", __name__, wanted.id, *file]  # -P: nothing is imported from the current folder


def is_running(wanted: Game) -> bool:
    """Tell whether the process that `begin` started is still at work."""
    return wanted.id in _begun and _begun[wanted.id].poll() is None


def main() -> None:
    """Compile, and let everybody else go first."""
    from quintain.bots.ismcts import warm_up

    if hasattr(os, "nice"):
        os.nice(10)
    wanted, *file = sys.argv[1:]
    warm_up(register_file(Path(*file)) if file else game(wanted))


if __name__ == "__main__":
    main()
