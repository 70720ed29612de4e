"""Lets a separate process compile a game's search, so that nobody has to wait for it.

`ismcts` begins it; `warm` is what runs there. The compiled code goes into the cache, where `ismcts` finds it.
"""

import shlex
import subprocess
import sys

from quintain.engine.rules.compiling.compiled import can_compile
from quintain.engine.rules.game import Game

PROGRAM = "quintain.bots.warm"
"""The module that the process runs; the game's id follows it, and the game's own Python file, if it has one."""
_begun: dict[str, subprocess.Popen[bytes]] = {}


def begin(wanted: Game) -> None:
    """Start compiling the search of a game in the background, once in a process, and only if Numba is there."""
    if wanted.id not in _begun and can_compile():
        quiet = subprocess.DEVNULL
        _begun[wanted.id] = subprocess.Popen(
            _arguments(wanted), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )


def command(wanted: Game) -> str:
    """Return the shell command that compiles the search of a game."""
    return shlex.join(_arguments(wanted))


def _arguments(wanted: Game) -> list[str]:
    file = [str(wanted.file)] if wanted.file else []
    return [sys.executable, "-P", "-m", PROGRAM, wanted.id, *file]  # -P: no imports from the current folder


def is_running(wanted: Game) -> bool:
    """Tell whether the process that `begin` started is still running."""
    return wanted.id in _begun and _begun[wanted.id].poll() is None
