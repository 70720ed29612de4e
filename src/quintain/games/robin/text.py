"""Robin in the Hood in words: options, the names of moves, views, narration, reasons, accounts."""

from pathlib import Path

from quintain.games.robin.accounts import account, prizes
from quintain.games.robin.naming import name, parse
from quintain.games.robin.narration import narrate
from quintain.games.robin.reasons import why_not
from quintain.games.robin.table import OPTIONS, make_book
from quintain.games.robin.view import view

__all__ = ["OPTIONS", "account", "make_book", "name", "narrate", "parse", "prizes", "rulebook", "view", "why_not"]


def rulebook() -> str:
    """Return the rules for players, in Markdown."""
    return Path(__file__).with_name("rulebook.md").read_text(encoding="utf-8")
