"""Refuse to build a source distribution without what git ignores: the files for browsers, and the libraries.

A wheel is built from the source distribution by `uv build` and `python -m build`, so both have the files or neither.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NEEDED = {
    "the files for browsers": ("src/quintain/server/pages/static/vendor/arms.svg", "make setup"),
    "the libraries of compiled games": ("src/quintain/libraries/index.json", "make libraries"),
}
"""What must be there: a file of it, and the command that makes it."""


class Whole(BuildHookInterface):
    """Looks for the files before anything is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raise an error that says how to make the files, if they are missing."""
        for what, (file, command) in NEEDED.items():
            if not (Path(self.root) / file).is_file():
                raise SystemExit(f"{file} and {what} are missing: run `{command}` first, or `make dist` instead")
