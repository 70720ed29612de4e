"""An analysis as one file for a browser, with its styles in it and without a table: `quintain analyse --html`."""

from __future__ import annotations

import re

from minijinja import safe

from quintain.engine.play.match import Match
from quintain.engine.play.verdict import verdict
from quintain.lab.analysis import Analysis
from quintain.server.pages.rendering import STATIC, environment
from quintain.server.pages.study.analysis_parts import AnalysisParts
from quintain.server.tables.replays import Replay

SHEETS = ("colours", "page", "chances", "analysis")
LINES_OF_SEATS = re.compile(r"^\.of-seat-\d .*$", re.MULTILINE)
"""The rules of end.css for the lines of seats, which the chart uses, too."""


def analysis_file(match: Match, analysis: Analysis) -> str:
    """Return the analysis of a finished match as an HTML document."""
    assert match.outcome
    replay = Replay(match)
    for _ in replay.play(match):
        pass
    parts = AnalysisParts(match, replay, analysis, None)
    sheets = [(STATIC / "css" / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS]
    sheets += LINES_OF_SEATS.findall((STATIC / "css" / "end.css").read_text(encoding="utf-8"))
    html: str = environment().render_template(
        "analysis_file.html",
        **parts.parts(None),
        title=f"Analysis of {match.game.title}",
        head=verdict(match.names, match.outcome, None, None).head,
        about=f"{match.game.title}, {' and '.join(match.names)}",
        steps=[parts.position(step) for step in analysis.decisions],
        styles=safe("\n".join(sheets)),
        is_file=True,
        arms=lambda _: "",
        icon=lambda _: "",
    )
    return html
