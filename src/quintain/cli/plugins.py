"""`quintain plugins`: lists the games, bots and card sets that other packages bring, and why one is left out."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from quintain.bots import levels
from quintain.cli.arguments import new_console
from quintain.cli.output import AsLines, print_lines
from quintain.engine import plugins
from quintain.engine.rules.registry import all_games


def list_plugins(as_json: AsLines = False) -> None:
    """List the plug-ins: games, bots and card sets of other packages, each with its state."""
    all_games(), levels()  # loads them
    if as_json:
        print_lines(plugins.known())
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("Kind", "Name", "Package", "Object", "State"):
        table.add_column(title, overflow="fold")
    for each in plugins.known():
        state = f"left out: {each.problem}" if each.problem else "in use"
        table.add_row(*map(Text, (each.kind, each.name, each.package, each.object, state)))
    if table.row_count:
        new_console().print(table)
    else:
        groups = ", ".join(plugins.GROUPS.values())
        new_console().print(Text(f"There are no plug-ins: no package has entry points in the groups {groups}."))
