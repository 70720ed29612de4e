"""Every test runs with a home of its own kind: compiled code is kept in .venv, nothing reaches the user's folders."""

import os
from pathlib import Path

os.environ["QUINTAIN_HOME"] = str(Path(__file__).parents[1] / ".venv" / "home")
