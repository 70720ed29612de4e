"""Rulebooks for readers: Markdown turned into HTML, with a contents list made from the `##` headings.

`rule_routes.py` gives the HTML to the page /rules/GAME and to the drawer beside a table; the command line takes
`with_contents` from here for `quintain rules`. The rulebook itself belongs to its game: the file rulebook.md in the
game's folder. `rule_pictures.py` draws the pieces that it shows, and `found_in` finds words in it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from minijinja import escape

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

FEWEST = 2
"""A rulebook with fewer headings than this gets no contents list."""
PIECES = "pieces"
"""The first word after the fence of a block that shows pieces of the game."""
CLAUSE = re.compile(r"\b[A-Z]+-\d+\b")
OPENS_CLAUSE = re.compile(r"\*\*([A-Z]+-\d+)\*\*")
EXAMPLE = re.compile(r"(?:\*\*[A-Z]+-\d+\*\* )?(?:An )?[Ee]xamples?\b")
NEW_THOUGHT = re.compile(r"\*|Example")
"""How a paragraph begins that does not go on with an example."""
Draw = Callable[[str, str], str]
"""A function that turns the words after a fence, and the block below them, into a picture as HTML."""


@cache
def parser() -> MarkdownIt:
    """Return what reads Markdown; importing it takes as long as many pages."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Heading:
    """A `##` heading of a rulebook: its anchor in the page, its words, and the line on which it begins, from 0."""

    id: str
    words: str
    line: int


@dataclass(frozen=True)
class Passage:
    """A clause of a rulebook, or a text between clauses: its chapter, the anchor that leads there, and its HTML."""

    chapter: str
    anchor: str
    html: str


@dataclass(frozen=True)
class RulebookPage:
    """A rulebook as HTML: all before the first `##` heading, the rest, and the headings for the contents list.

    `passages` are the same once more, in the pieces that a search finds.
    """

    opening: str
    chapters: str
    contents: list[Heading]
    passages: list[Passage]

    @property
    def example_clause(self) -> str:
        """The number of its first clause; empty if it numbers none."""
        return next((passage.anchor for passage in self.passages if CLAUSE.fullmatch(passage.anchor)), "")


def shown_as_text(info: str, block: str) -> str:
    """Return a block of pieces as the text that it is, where nobody can draw it."""
    return f'<pre tabindex="0">{escape(block)}</pre>\n'


@lru_cache(64)
def rulebook_page(rulebook: str, draw: Draw = shown_as_text) -> RulebookPage:
    """Return the Markdown of a rulebook as HTML, with an anchor at every `##` heading and every clause.

    Clauses that other clauses name are links, and examples are marked. The result is kept, because making it takes
    10 ms.

    >>> print(rulebook_page("# Go\\n\\n## Start\\n\\n**GO-1** Black begins.\\n\\n## A turn\\n\\nSee GO-1.\\n").chapters)
    <h2 id="part-start">Start</h2>
    <p><strong id="GO-1">GO-1</strong> Black begins.</p>
    <h2 id="part-a-turn">A turn</h2>
    <p>See <a href="#GO-1">GO-1</a>.</p>
    <BLANKLINE>
    """
    tokens = parser().parse(rulebook)
    contents = _mark_headings(tokens)
    clauses = frozenset(OPENS_CLAUSE.findall(rulebook))
    blocks = [_Block(block, draw, clauses) for block in _blocks(tokens)]
    html = _with_examples(blocks)
    opening, heading, rest = html.partition("<h2 ")
    return RulebookPage(opening, heading + rest, contents, list(_passages(blocks)))


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
    contents = _mark_headings(parser().parse(rulebook))
    if not contents:
        return rulebook
    lines = rulebook.split("\n")
    listed = [f"{number}. {heading.words}" for number, heading in enumerate(contents, 1)]
    lines[contents[0].line : contents[0].line] = ["**Contents**", "", *listed, ""]
    return "\n".join(lines)


def blocks_of_pieces(rulebook: str) -> list[Token]:
    """Return the blocks of a rulebook that show pieces; `map` gives the line of each fence."""
    return [token for token in parser().parse(rulebook) if _shows_pieces(token)]


def _shows_pieces(token: Token) -> bool:
    return token.type == "fence" and token.info.split()[:1] == [PIECES]


class _Block:
    """A paragraph, heading, list, table or picture of a rulebook: its HTML, and what decides where it belongs."""

    def __init__(self, tokens: Sequence[Token], draw: Draw, clauses: frozenset[str]) -> None:
        first = tokens[0]
        self.tag = first.tag or first.type
        self.anchor = str(first.attrGet("id") or "")
        self.words = tokens[1].content if len(tokens) > 1 else ""
        self.is_picture = first.type in ("fence", "table_open")
        if _shows_pieces(first):
            self.html = _with_links(draw(first.info, first.content), clauses)
        else:
            self.html = _dressed(str(parser().renderer.render(tokens, parser().options, {})), clauses)

    @property
    def clause(self) -> str:
        """The clause that it opens; empty if it opens none."""
        opened = OPENS_CLAUSE.match(self.words) if self.tag == "p" else None
        return opened[1] if opened else ""

    @property
    def opens_example(self) -> bool:
        """Whether it begins an example."""
        return self.tag in ("p", "h3") and bool(EXAMPLE.match(self.words))

    @property
    def goes_on(self) -> bool:
        """Whether it can go on with an example that a picture or a table has interrupted."""
        return self.tag == "p" and not NEW_THOUGHT.match(self.words)


def _blocks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the tokens of each outermost block."""
    begin = depth = 0
    for at, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            yield tokens[begin : at + 1]
            begin = at + 1


def _with_examples(blocks: Sequence[_Block]) -> str:
    """Return the HTML of all blocks, with a frame around each example."""
    html, at = list[str](), 0
    while at < len(blocks):
        end = _end_of_example(blocks, at) if blocks[at].opens_example else at
        inside = "".join(block.html for block in blocks[at : max(end, at + 1)])
        html.append(f'<div class="example">\n{inside}</div>\n' if end > at else inside)
        at = max(end, at + 1)
    return "".join(html)


def _end_of_example(blocks: Sequence[_Block], at: int) -> int:
    """Return the number of the block after an example: its words, the pictures below, and what is said about those.

    An example with a heading goes on to the next heading.
    """
    end = at + 1
    if blocks[at].tag == "h3":
        while end < len(blocks) and blocks[end].tag not in ("h2", "h3"):
            end += 1
        return end
    while end < len(blocks) and (blocks[end].is_picture or (blocks[end - 1].is_picture and blocks[end].goes_on)):
        end += 1
    return end


def _passages(blocks: Sequence[_Block]) -> Iterator[Passage]:
    """Yield the passages: a new one begins with each heading, and with each clause."""
    chapter = anchor = ""
    html: list[str] = []
    for block in blocks:
        if block.anchor or block.clause or block.tag in ("h1", "h3"):
            if html:
                yield Passage(chapter, anchor, "".join(html))
            html = []
            anchor = block.clause or block.anchor or anchor
            chapter = block.words if block.tag in ("h1", "h2") else chapter
        html.append(block.html)
    if html:
        yield Passage(chapter, anchor, "".join(html))


def _dressed(html: str, clauses: frozenset[str]) -> str:
    """Return the HTML of a block as the policy of our pages allows it, with anchors and links."""
    for wide in ("pre", "table"):  # what is wider than a phone is scrolled by keys, too
        html = html.replace(f"<{wide}>", f'<{wide} tabindex="0">')
    html = re.sub(r'style="text-align:(\w+)"', r'class="\1"', html)
    html = re.sub(r"<strong>([A-Z]+-\d+)</strong>", r'<strong id="\1">\1</strong>', html)
    return _with_links(html, clauses)


def _with_links(html: str, clauses: frozenset[str]) -> str:
    """Return HTML in which every clause that it names is a link, unless it stands in a link or is the clause itself."""
    parts, inside = re.split(r"(<[^>]*>)", html), ""
    for at, part in enumerate(parts):
        if part.startswith("<"):
            inside = part
        elif not inside.startswith(("<a ", "<strong id")):
            parts[at] = CLAUSE.sub(lambda found: _link(found[0]) if found[0] in clauses else found[0], part)
    return "".join(parts)


def _link(clause: str) -> str:
    return f'<a href="#{clause}">{clause}</a>'


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


MOST_LETTERS = 80
"""The letters of a search that count."""

TAGS = re.compile(r"(<[^>]*>)")


@dataclass(frozen=True)
class Hit:
    """A passage that contains all words of a search: its chapter, the anchor that leads there, its HTML with marks."""

    chapter: str
    anchor: str
    html: str


def words_of(search: str) -> tuple[str, ...]:
    """Return the words of a search as they are compared."""
    return tuple(folded(search[:MOST_LETTERS]).split())


def found_in(page: RulebookPage, words: Sequence[str]) -> list[Hit]:
    """Return the passages that contain all these words; a clause of that number comes first."""
    if not words:
        return []
    hits = [
        Hit(passage.chapter, passage.anchor, _marked(passage.html, words))
        for passage in page.passages
        if contains(html.unescape(TAGS.sub(" ", passage.html)), words)
    ]
    return sorted(hits, key=lambda hit: folded(hit.anchor) not in words)


def contains(text: str, words: Sequence[str]) -> bool:
    """Tell whether a text contains all these words, in whatever order; beginnings of words count, too."""
    plain = folded(text)
    return all(word in plain for word in words)


@lru_cache(8192)
def folded(text: str) -> str:
    """Return a text in small letters without accents, letter by letter, so that places in it stay the same.

    The texts of all rulebooks are kept, since letter by letter takes ten times as long as the rest of a search.

    >>> folded("Brocéliande")
    'broceliande'
    """
    return "".join(unicodedata.normalize("NFD", sign)[0].lower()[:1] for sign in text.replace("\N{MINUS SIGN}", "-"))


def _marked(page: str, words: Sequence[str]) -> str:
    """Return HTML with each of these words in a `mark`."""
    parts = TAGS.split(page)
    return "".join(part if part.startswith("<") else _marked_text(html.unescape(part), words) for part in parts)


def _marked_text(text: str, words: Sequence[str]) -> str:
    plain, shown, end = folded(text), list[str](), 0
    for match in re.finditer("|".join(map(re.escape, sorted(words, key=len, reverse=True))), plain):
        shown += [
            html.escape(text[end : match.start()]),
            f"<mark>{html.escape(text[match.start() : match.end()])}</mark>",
        ]
        end = match.end()
    return "".join([*shown, html.escape(text[end:])])
