"""Round Table in words: options, the names of moves, views, narration, reasons, accounts."""

from pathlib import Path

from quintain.games.round_table.naming import name, parse
from quintain.games.round_table.reasons import why_not
from quintain.games.round_table.table import OPTIONS, make_book
from quintain.games.round_table.telling import account, narrate
from quintain.games.round_table.view import view

__all__ = ["OPTIONS", "account", "make_book", "name", "narrate", "parse", "rulebook", "view", "why_not"]


def rulebook() -> str:
    """Return the rules for players, in Markdown."""
    return Path(__file__).with_name("rulebook.md").read_text(encoding="utf-8")
