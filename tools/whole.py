"""Refuse to build a package without what git ignores: the files for browsers, and the libraries.

An editable installation needs them later, or not at all.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SUBSETS = ("latin", "latin-ext")
VENDOR, LIBRARIES = "src/quintain/server/pages/static/vendor", "src/quintain/libraries"
FACES = [f"{face}-{subset}.woff2" for face in ("title", "text", "text-bold", "text-italic") for subset in SUBSETS]
PICTURES = ["arms.svg", "boards.css", "credits.json", "crest.svg", "crest-turn.svg", "icons.json"]
NEEDED = {
    "the files for browsers": (VENDOR, [*PICTURES, "htmx.min.js", "sha256.min.js", *FACES], "make setup"),
    "the libraries of compiled games": (LIBRARIES, ["index.json"], "make libraries"),
}
"""What must be there: a folder, the files in it, and the command that makes them."""


class Whole(BuildHookInterface):
    """Looks for the files before anything is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raise an error that says how to make the files, if they are missing."""
        if version == "editable":
            return
        for what, (folder, files, command) in NEEDED.items():
            if missing := [file for file in files if not (Path(self.root) / folder / file).is_file()]:
                first = f"{folder}/{missing[0]}, one of {what}, is missing"
                raise SystemExit(f"{first}: run `{command}` first, or `make dist` instead")
