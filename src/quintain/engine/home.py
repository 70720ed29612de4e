"""The folders where Quintain keeps files.

The environment variable QUINTAIN_HOME names one folder for all; without it, the platform's folders for data and caches
are used.
"""

import os
from pathlib import Path

import platformdirs


def is_there(path: Path) -> bool:
    """Tell whether a file or folder exists; False if it cannot be reached."""
    try:
        return path.exists()
    except OSError:
        return False


def data() -> Path:
    """Return the folder of saves and records; it may not exist yet."""
    home = os.environ.get("QUINTAIN_HOME")
    return Path(home) / "data" if home else Path(platformdirs.user_data_dir("quintain", appauthor=False))


def cache() -> Path:
    """Return the folder of compiled code; it may not exist yet."""
    home = os.environ.get("QUINTAIN_HOME")
    return Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("quintain", appauthor=False))
