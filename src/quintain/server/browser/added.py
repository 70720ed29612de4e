"""Games from Python files that whoever made a site has added to it."""

from __future__ import annotations

from pathlib import Path

from quintain.engine.rules.registry import register_files

ADDED = Path(__file__).parent / "added"
"""Where `quintain site` puts the files, in the archive of a site alone."""


def register_added() -> None:
    """Register the games that were added to this site."""
    register_files(sorted(ADDED.glob("*.py")))
