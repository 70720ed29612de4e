"""Pages of figures: chapters with words, tables and charts, written as Markdown or as one HTML file.

The HTML file needs nothing else: its style is in it, and its charts are SVG. Markdown has the tables alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import minijinja

__all__ = ["Chapter", "ReportPage", "TextTable", "html", "markdown"]

Chart = Callable[[], str]
"""Draws a chart as SVG, when it is needed."""


@dataclass(frozen=True)
class TextTable:
    """A table of texts. The columns in `words` are set to the left, all others to the right."""

    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset({0})


@dataclass(frozen=True)
class Chapter:
    """A part of a page: paragraphs, then charts with a caption for each, then tables."""

    title: str
    words: Sequence[str] = ()
    charts: Sequence[tuple[str, Chart]] = ()
    tables: Sequence[TextTable] = ()


@dataclass(frozen=True)
class ReportPage:
    """A page: a title, a line below it, and chapters."""

    title: str
    line: str
    chapters: Sequence[Chapter] = field(default_factory=list)


def markdown(page: ReportPage) -> str:
    """Return a page as Markdown."""
    parts = [f"# {_escaped(page.title)}", _escaped(page.line)]
    for chapter in page.chapters:
        parts += [f"## {chapter.title}", *map(_escaped, chapter.words), *map(_markdown_table, chapter.tables)]
    return "\n\n".join(parts) + "\n"


def html(page: ReportPage) -> str:
    """Return a page as one HTML file; needs altair and vl-convert."""
    chapters = [
        {
            "title": chapter.title,
            "id": chapter.title.lower().replace(" ", "-"),
            "words": chapter.words,
            "charts": [{"caption": caption, "svg": draw()} for caption, draw in chapter.charts],
            "tables": [
                {"titles": table.titles, "rows": table.rows, "words": sorted(table.words)} for table in chapter.tables
            ],
        }
        for chapter in page.chapters
    ]
    return _environment().render_template("page.html", title=page.title, line=page.line, chapters=chapters)


def _markdown_table(table: TextTable) -> str:
    """Return a table in Markdown, with its columns under each other."""
    rows = [[*map(_escaped, row)] for row in [table.titles, *table.rows]]
    widths = [max(3, *(len(row[column]) for row in rows)) for column in range(len(table.titles))]
    lines = []
    for row in rows:
        cells = [
            text.ljust(width) if column in table.words else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"| {' | '.join(cells)} |")
    ruler = ["-" * width if column in table.words else "-" * (width - 1) + ":" for column, width in enumerate(widths)]
    return "\n".join([lines[0], f"| {' | '.join(ruler)} |", *lines[1:]])


def _escaped(text: str) -> str:
    """Return a text that Markdown takes as it is, also in a table."""
    return text.replace("|", "\\|").replace("<", "\\<")


@cache
def _environment() -> minijinja.Environment:
    """Return the templates of the lab; they escape all texts, but not the charts."""
    return minijinja.Environment(
        loader=lambda name: (Path(__file__).parent / name).read_text(encoding="utf-8"),
        auto_escape_callback=lambda name: "html",
    )
