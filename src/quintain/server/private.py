"""Keeping the database private: it holds every hand and the key that signs cookies, so only its owner may read it.

`store.py` and `upgrades.py` call `keep_private` before they open the database.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from quintain.engine import home

FOLDER_MODE, FILE_MODE = 0o700, 0o600
SQLITE = b"SQLite format 3\0"
"""How every database of SQLite begins."""
BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside a database. SQLite gives them the mode of the database."""
log = logging.getLogger("quintain.server")


def keep_private(database: Path) -> None:
    """Make the database's folder and an empty file for it if they are missing, and let only the owner read them.

    A folder is closed to others only if it is made here, or is Quintain's own: people keep other things in theirs. A
    file that is no database keeps its mode: somebody has named it by mistake.
    Raises OSError if the folder or the file cannot be made.
    """
    folder = database.parent
    if not folder.exists():
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    elif folder.resolve() == home.data().resolve():
        _restrict(folder, FOLDER_MODE)
    made = os.open(database, os.O_RDONLY | os.O_CREAT, FILE_MODE)
    begins = os.read(made, len(SQLITE))
    os.close(made)
    if begins not in (b"", SQLITE):
        return
    for path in (database, *(Path(f"{database}{ending}") for ending in BESIDE)):
        if path.exists():
            _restrict(path, FILE_MODE)


def _restrict(path: Path, mode: int) -> None:
    """Give a file or folder this mode if others may use it. If the system refuses, log a warning: play can go on."""
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(mode)
    except OSError as error:
        log.warning("others may read a private file", extra={"path": str(path), "reason": str(error)})
