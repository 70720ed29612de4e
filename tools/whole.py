"""Refuse to build a source distribution without the files for browsers, which git ignores: its server needs them.

A wheel is built from the source distribution by `uv build` and `python -m build`, so both have the files or neither.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VENDOR = "src/quintain/server/pages/static/vendor"


class Whole(BuildHookInterface):
    """Looks for the files before anything is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raise an error that says how to make the files, if they are missing."""
        if not (Path(self.root) / VENDOR / "arms.svg").is_file():
            raise SystemExit(f"{VENDOR} lacks the files for browsers: run `make setup` first, or `make dist` instead")
