"""A program that compiles a game's search, with and without a net: ``python -m quintain.bots.warm GAME [FILE]``.

FILE is the game's own Python file, if it has one. `background` starts this program.
"""

import os
import sys
from pathlib import Path

from quintain.bots import shipped_nets
from quintain.bots.ismcts import warm_up
from quintain.engine.rules.compiling.compiled import is_switched_off, load
from quintain.engine.rules.registry import game, register_file


def main() -> None:
    """Compile the search of the game that the arguments name, at a low priority."""
    if is_switched_off():
        sys.exit("NUMBA_DISABLE_JIT is set, so nothing is compiled: unset it first")
    if hasattr(os, "nice"):
        os.nice(10)
    wanted, *file = sys.argv[1:]
    found = register_file(Path(*file)) if file else game(wanted)
    warm_up(found)
    load(shipped_nets.drivers(found))


if __name__ == "__main__":
    main()
