"""The terminal decides by the keys and numbers of a view, never by its words; a check does the same for the browser."""

import random
import re
from io import StringIO

from rich.console import Console

from conformance.cases import over_cases
from quintain.cli.table import Tabletop, menu
from quintain.conformance import Case
from quintain.conformance.views import SCRAMBLED, moments, nonsense
from quintain.engine.play.match import Match
from quintain.engine.rules.views import View, reworded


def in_terminal(match: Match, viewer: int | None, view: View) -> str:
    """Return the table and the menu as a terminal shows them, with an x for each sign of a word."""
    console = Console(width=100, height=60, file=StringIO(), force_terminal=True, color_system="standard")
    console.print(Tabletop(view, match.names, viewer), menu(view, short=True))
    shown = console.file.getvalue()
    return re.sub(r"(\x1b\[[\d;]*m)|[^\s│─╭╮╰╯▒]", lambda sign: sign[1] or "x", shown)


@over_cases
def test_the_terminal_shows_nonsense_in_the_same_places_as_words(case: Case):
    chooser = random.Random(23)
    for match in moments(case, 23, SCRAMBLED):
        for viewer in {None, min(match.to_act, default=0)}:
            view = match.view(viewer)
            scrambled = reworded(view, nonsense(chooser))
            assert scrambled != view
            assert in_terminal(match, viewer, scrambled) == in_terminal(match, viewer, view)
