"""Rulebooks for readers: Markdown turned into HTML, with a contents list made from the `##` headings.

`contexts.py` gives the HTML to the page /rules/GAME; the command line takes `with_contents` from here for `quintain
rules`. The rulebook itself belongs to its game: the file rulebook.md in the game's folder.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

FEWEST = 2
"""A rulebook with fewer headings than this gets no contents list."""
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Heading:
    """A `##` heading of a rulebook: its anchor in the page, its words, and the line on which it begins, from 0."""

    id: str
    words: str
    line: int


@dataclass(frozen=True)
class RulebookPage:
    """A rulebook as HTML: all before the first `##` heading, the rest, and the headings for the contents list."""

    opening: str
    chapters: str
    contents: list[Heading]


@lru_cache(64)
def rulebook_page(rulebook: str) -> RulebookPage:
    """Return the Markdown of a rulebook as HTML, with an anchor at every `##` heading and every clause.

    The result is kept, because making it takes 10 ms.

    >>> print(rulebook_page("# Go\\n\\n## Setting up\\n\\n**GO-1** Black begins.\\n\\n## A turn\\n").chapters)
    <h2 id="part-setting-up">Setting up</h2>
    <p><strong id="GO-1">GO-1</strong> Black begins.</p>
    <h2 id="part-a-turn">A turn</h2>
    <BLANKLINE>
    """
    tokens = PARSER.parse(rulebook)
    contents = _mark_headings(tokens)
    html = str(PARSER.renderer.render(tokens, PARSER.options, {}))
    html = html.replace("<pre>", '<pre tabindex="0">')  # a picture wider than a phone is scrolled by keys, too
    html = re.sub(r'style="text-align:(\w+)"', r'class="\1"', html)
    html = re.sub(r"<strong>([A-Z]+-\d+)</strong>", r'<strong id="\1">\1</strong>', html)
    opening, heading, rest = html.partition("<h2 ")
    return RulebookPage(opening, heading + rest, contents)


def with_contents(rulebook: str) -> str:
    """Return the Markdown of a rulebook with a contents list before its first `##` heading.

    >>> print(with_contents("# Go\\n\\n## Setting up\\n\\n## A turn\\n"))
    # Go
    <BLANKLINE>
    **Contents**
    <BLANKLINE>
    1. Setting up
    2. A turn
    <BLANKLINE>
    ## Setting up
    <BLANKLINE>
    ## A turn
    <BLANKLINE>
    """
    contents = _mark_headings(PARSER.parse(rulebook))
    if not contents:
        return rulebook
    lines = rulebook.split("\n")
    listed = [f"{number}. {heading.words}" for number, heading in enumerate(contents, 1)]
    lines[contents[0].line : contents[0].line] = ["**Contents**", "", *listed, ""]
    return "\n".join(lines)


def _mark_headings(tokens: list[Token]) -> list[Heading]:
    """Give every `##` heading of a parsed rulebook an id, and return the headings; none if they are too few."""
    found: list[Heading] = []
    used: Counter[str] = Counter()
    for opens, inline in pairwise(tokens):
        if opens.type == "heading_open" and opens.tag == "h2":
            words = "".join(child.content for child in inline.children or ())
            id_ = "part-" + re.sub(r"\W+", "-", words.lower()).strip("-")
            used[id_] += 1
            id_ += f"-{used[id_]}" if used[id_] > 1 else ""
            opens.attrSet("id", id_)
            found.append(Heading(id_, words, (opens.map or [0])[0]))
    return found if len(found) >= FEWEST else []
