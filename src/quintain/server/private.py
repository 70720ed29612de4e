"""Files that their owner alone may read: the database holds every hand, and the key that signs cookies."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from quintain.engine import home

FOLDER_MODE, FILE_MODE = 0o700, 0o600
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite names the files that it keeps beside a database. It gives them the mode of the database."""
log = logging.getLogger("quintain.server")


def keep_private(database: Path) -> None:
    """Make the database's folder and an empty file for it if they are missing, and let nobody but the owner read them.

    A folder is closed to others only if it is made here, or is Quintain's own: people keep other things in theirs.
    Raises OSError if the folder or the file cannot be made.
    """
    folder = database.parent
    if not folder.exists():
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    elif folder.resolve() == home.data().resolve():
        _restrict(folder, FOLDER_MODE)
    os.close(os.open(database, os.O_RDONLY | os.O_CREAT, FILE_MODE))
    for path in (database, *(Path(f"{database}{ending}") for ending in BESIDE)):
        if path.exists():
            _restrict(path, FILE_MODE)


def _restrict(path: Path, mode: int) -> None:
    """Take from a file or folder what its mode allows others. Say so where the system refuses: play can go on."""
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(mode)
    except OSError as error:
        log.warning("others may read this", extra={"path": str(path), "reason": str(error)})
