"""Pictures in rulebooks, drawn from the pieces of the game itself.

A rulebook shows pieces in a block that people can read, too. Each line is a row: pieces, a colon, and what they show.

    ```pieces
    artois-8 + artois-3 + counter +5 (seal): your Influence, 11, and your counter
    ```

A piece is the name of a card that the game lists, or the key of a picture, such as `artois-8`; `face down` is a card
face down, and `empty` an empty place. Words in quotation marks after a key are what people call the piece, and a word
in brackets is one of MARKS. `, ` stands between pieces that lie side by side, ` + ` between pieces that count together.
A line that begins with a blank goes on with the one above. The word `pyramid` after `pieces` centres the rows.

`rulebooks.py` asks `painter` for the HTML, the command line asks `in_words` for text, and the suite of all games checks
the names by `pictures`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from minijinja import Environment, safe

from quintain.engine.errors import BadGame
from quintain.engine.rules.game import Game
from quintain.engine.rules.views import DOWN, FREE, Piece
from quintain.engine.seen.layout import plain_spot
from quintain.server.pages import heraldry
from quintain.server.pages.cards.listed import card_groups, card_piece, listed_cards
from quintain.server.pages.rendering import Shown, drawn_template
from quintain.server.pages.rulebooks import (
    Draw,
    RulebookPage,
    blocks_of_pieces,
    rulebook_page,
    shown_as_text,
)

FACE_DOWN, EMPTY = "face down", "empty"
SEAL = "seal"
MARKS = ("covered", "exposed", SEAL)
"""Words in brackets after a piece: another card covers it, none does, or it is a seal of wax."""
PIECE = re.compile(r'(?P<name>[^"()]+?)(?: "(?P<called>[^"]+)")?(?: \((?P<mark>[^()]+)\))?\Z')
PYRAMID = "pyramid"


@dataclass(frozen=True)
class PieceRow:
    """A row of a picture: its pieces, whether they count together, and the words beside them."""

    pieces: tuple[Piece, ...]
    is_sum: bool
    words: str


@dataclass(frozen=True)
class Illustration:
    """A picture in a rulebook: the line of its fence, from 1, the words after the fence, and its rows."""

    line: int
    info: str
    rows: tuple[PieceRow, ...]


@cache
def painter(templates: Environment, game: Game) -> Draw:
    """Return the function by which the pages draw the pictures of a game's rulebook."""

    def draw(info: str, block: str) -> str:
        try:
            rows = rows_of(game, block)
        except BadGame:
            return shown_as_text(info, block)
        drawn = [
            {
                "pieces": [Shown(game, plain_spot(piece)) for piece in row.pieces],
                "is_sum": row.is_sum,
                "words": row.words,
            }
            for row in rows
        ]
        given = {"rows": drawn, "pyramid": PYRAMID in info.split(), "template": drawn_template(game)}
        html: str = templates.render_template("parts/rule_picture.html", **given)
        return html

    return draw


def in_words(game: Game) -> str:
    """Return the rulebook of a game with each row of a picture as a line of a list."""
    rulebook = game.text.rulebook()
    lines = rulebook.split("\n")
    for token in reversed(blocks_of_pieces(rulebook)):
        begin, end = token.map or (0, 0)
        lines[begin:end] = ["- " + _told(row) for row in rows_of(game, token.content)]
    return "\n".join(lines)


def _told(row: PieceRow) -> str:
    shown = (" + " if row.is_sum else ", ").join(_called(piece) for piece in row.pieces)
    return f"{shown}: {row.words}" if row.words else shown


def _called(piece: Piece) -> str:
    marks = [mark for mark in MARKS if mark in piece.state]
    return f"{piece.name} ({marks[0]})" if marks else piece.name


def pictures(game: Game) -> Iterator[Illustration]:
    """Yield the pictures of a game's rulebook; raises BadGame, which names file and line."""
    for token in blocks_of_pieces(game.text.rulebook()):
        line = (token.map or [0])[0] + 1
        yield Illustration(line, token.info, tuple(rows_of(game, token.content, line)))


def where(game: Game, line: int) -> str:
    """Return the file of a game's rulebook and a line of it, as in ``rulebook.md, line 12``."""
    return f"{game.folder / 'rulebook.md' if game.folder else 'rulebook'}, line {line}"


def rows_of(game: Game, block: str, fence: int = 0) -> list[PieceRow]:
    """Return the rows of a block; raises BadGame, which names the line below the fence and says what would be right."""
    lines: list[tuple[int, str]] = []
    for at, line in enumerate(block.splitlines(), fence + 1):
        if lines and line.startswith(" "):
            lines[-1] = lines[-1][0], f"{lines[-1][1]} {line.strip()}"
        elif line.strip():
            lines.append((at, line.strip()))
    rows = []
    for at, line in lines:
        try:
            rows.append(_row(game, line))
        except BadGame as error:
            raise BadGame(f"{where(game, at)}: {error}") from None
    return rows


def _row(game: Game, line: str) -> PieceRow:
    named, _, words = line.partition(": ")
    is_sum = " + " in named
    names = named.split(" + " if is_sum else ", ")
    return PieceRow(tuple(_piece(game, name.strip()) for name in names), is_sum, words.strip())


def _piece(game: Game, written: str) -> Piece:
    """Return the piece that a rulebook names; raises BadGame."""
    found = PIECE.match(written)
    if not found:
        raise BadGame(f'{written!r} is no piece: write a name or a key, perhaps a "name" for readers, perhaps a (mark)')
    name, called, mark = found["name"], found["called"], found["mark"]
    if mark and mark not in MARKS:
        raise BadGame(f"there is no mark {mark!r}; the marks are {', '.join(MARKS)}")
    state = frozenset([mark] if mark else [])
    if name == FACE_DOWN:
        return Piece("", name="a card face down", state=state | {DOWN})
    if name == EMPTY:
        return Piece("", name="an empty place", state=state | {FREE})
    cards = {word: card for card in listed_cards(game) for word in (card.name.casefold(), card.key)}
    if card := cards.get(name.casefold()):
        return card_piece(card, state)
    return _of_key(game, name, called, state, sorted({*cards, *heraldry.arms_of(game)}))


def _of_key(game: Game, key: str, called: str | None, state: frozenset[str], known: list[str]) -> Piece:
    kind, label = heraldry.parts(key)
    if kind not in heraldry.arms_of(game):
        close = difflib.get_close_matches(kind, known, n=3) or known[:6]
        raise BadGame(f"{game.title} has no piece {key!r}; there are {', '.join(close)} and others")
    words = " ".join(word.capitalize() for word in kind.split("_"))
    return Piece("", key, called or f"{words} {label}".strip(), kind=words, corner=label, state=state)


def book_of(found: Game, templates: Environment) -> RulebookPage:
    """Return the rulebook of a game as HTML, with its pictures."""
    return rulebook_page(found.text.rulebook(), painter(templates, found))


def drawn_cards(found: Game, templates: Environment, words: tuple[str, ...] = ()) -> str:
    """Return the cards of a game that contain these words, as HTML; empty if none does. For 144 cards it takes 5 ms."""
    groups = card_groups(found, words)
    html: str = safe(templates.render_template("parts/card_groups.html", groups=groups, game=found.id))
    return html
