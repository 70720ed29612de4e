"""Compiles a game's search in a separate process, so that nobody has to wait for it.

`ismcts` starts it as ``python -m quintain.bots.warm GAME [FILE]``, where FILE is the game's own Python file, if it has
one. The compiled code goes into the cache, where `ismcts` finds it.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from quintain.engine.rules.compiled import is_switched_off
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game, register_file

_begun: dict[str, subprocess.Popen[bytes]] = {}


def begin(wanted: Game) -> None:
    """Start compiling the search of a game in the background; does nothing if this process has already done so."""
    if wanted.id not in _begun and not is_switched_off():
        quiet = subprocess.DEVNULL
        _begun[wanted.id] = subprocess.Popen(
            _arguments(wanted), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )


def command(wanted: Game) -> str:
    """Return the shell command that compiles the search of a game."""
    return shlex.join(_arguments(wanted))


def _arguments(wanted: Game) -> list[str]:
    file = [str(wanted.file)] if wanted.file else []
    return [sys.executable, "-P", "-m", __name__, wanted.id, *file]  # -P: no imports from the current folder


def is_running(wanted: Game) -> bool:
    """Tell whether the process that `begin` started is still running."""
    return wanted.id in _begun and _begun[wanted.id].poll() is None


def main() -> None:
    """Compile the search of the game that the arguments name, at a low priority."""
    from quintain.bots.ismcts import warm_up

    if is_switched_off():
        sys.exit("NUMBA_DISABLE_JIT is set, so nothing is compiled: unset it first")
    if hasattr(os, "nice"):
        os.nice(10)
    wanted, *file = sys.argv[1:]
    warm_up(register_file(Path(*file)) if file else game(wanted))


if __name__ == "__main__":
    main()
