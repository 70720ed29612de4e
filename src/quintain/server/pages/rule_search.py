"""Finds words in a rulebook, and marks them. `static/js/find.js` does the same while people type."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from quintain.server.pages.rulebooks import RulebookPage

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
