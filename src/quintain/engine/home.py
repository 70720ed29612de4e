"""Where Quintain keeps files: QUINTAIN_HOME, or the platform's folders for data and caches."""

import os
from pathlib import Path

import platformdirs


def is_there(path: Path) -> bool:
    """Tell whether there is such a file or folder, as far as can be seen."""
    try:
        return path.exists()
    except OSError:
        return False


def data() -> Path:
    """Return the folder of saves and records; it need not exist yet."""
    home = os.environ.get("QUINTAIN_HOME")
    return Path(home) / "data" if home else Path(platformdirs.user_data_dir("quintain", appauthor=False))


def cache() -> Path:
    """Return the folder of compiled code; it need not exist yet."""
    home = os.environ.get("QUINTAIN_HOME")
    return Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("quintain", appauthor=False))
