"""Runs `quintain` on a machine whose clock jumps: `time.time` is shifted by the seconds that stand in a file.

`faults.py` starts its servers by this module, and writes the file; the machine's own clock is never touched. Every
process of a server runs this module first.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

SHIFT = "QUINTAIN_CLOCK_SHIFT"
"""The variable of the environment that names the file."""
_unshifted = time.time


def shifted() -> float:
    """Return the time on this machine."""
    return _unshifted() + float(Path(os.environ[SHIFT]).read_text(encoding="ascii"))


if __name__ in ("__main__", "__mp_main__"):  # the first process of a server, and those that it starts
    time.time = shifted

if __name__ == "__main__":
    from quintain.cli import main

    main()
