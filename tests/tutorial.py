"""The game of the tutorial: the Python blocks of its page, one after another, as a file."""

import os
import re
from pathlib import Path

from quintain.engine import home

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"


def blocks(language: str) -> list[str]:
    """Return the page's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def kept_goofspiel() -> Path:
    """Return the game's file in the tests' home, whose compiled code is kept; several test processes may write it."""
    path = home.data() / "goofspiel.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    own = path.with_suffix(f".{os.getpid()}")
    write_goofspiel(own)
    own.replace(path)
    return path


def write_goofspiel(path: Path) -> None:
    """Write the game of the tutorial to a file."""
    path.write_text("\n\n".join(blocks("python")), encoding="utf-8")
