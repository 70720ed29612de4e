"""The story of a finished match: where the score came from, how it grew, and the moments that moved it most.

`course` makes a `Story` of any match, and gives a game what it needs to tell a part of it better: see `Tale`. `verdict`
puts the result in a sentence for each viewer. The browser, the terminal and the JSON of a table show the same story.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from quintain.engine.names import capital, with_names

LONGEST = 110
"""The most letters of the words for a moment that come from the log."""


class Cell(Struct, frozen=True):
    """What a seat has in a row: a number (None: nothing to count), and perhaps words about it."""

    number: int | None = None
    words: str = ""


class GridRow(Struct, frozen=True):
    """A row of the grid of scores: a unit of the game, such as a round or a house, with a cell for each seat.

    `note` is a second line of words, `clause` the clause of the rulebook that the row follows. The row of the total
    `is_total`. A tie-break is asked only if all before it are equal.
    """

    words: str
    cells: tuple[Cell, ...]
    clause: str = ""
    note: str = ""
    is_total: bool = False
    is_tie_break: bool = False


class Curve(Struct, frozen=True):
    """Numbers over the course of a match: for each seat a number at each point.

    `unit` is what they count, and `labels` name the points, which are numbers of an `over`, such as ``season``. The
    numbers of a curve that `is_score` end with the final scores. `thin` are other numbers of the same seats, such as
    what they could spend, and `thin_unit` is what these count.
    """

    unit: str
    over: str
    labels: tuple[str, ...]
    by_seat: tuple[tuple[int, ...], ...]
    is_score: bool = True
    thin_unit: str = ""
    thin: tuple[tuple[int, ...], ...] = ()


class Turned(Struct, frozen=True):
    """A moment that moved the game: the step of the replay that shows it, the seat that it helped, and words.

    `worth` is by how much it moved the lead of that seat, from the step `since` on. A game that counts the worth in
    another way leaves `since` None.
    """

    step: int
    seat: int | None
    words: str
    worth: int = 0
    since: int | None = None


class Resigned(Struct, frozen=True):
    """Who gave the match up, with the step of the replay, and when that was, in words."""

    seat: int
    step: int
    when: str


class Tale(Struct, frozen=True):
    """What a game tells by itself; the general story stands in for what is missing.

    `ended` is a sentence about why it ended. The engine finds out the `worth` of moments that leave it 0, and whom they
    helped.
    """

    rows: tuple[GridRow, ...] = ()
    curve: Curve | None = None
    turned: tuple[Turned, ...] | None = None
    ended: str = ""


class Story(Struct, frozen=True):
    """The story of a finished match. It hides nothing; all words have the players' names.

    `unit` is what the score counts. `turned` is in the order of play. `decided` is a sentence about the lead; empty if
    the highest score did not win. `ended` is a sentence about why the match ended; empty if that is not known, or if
    somebody gave it up.
    """

    unit: str
    rows: tuple[GridRow, ...]
    curve: Curve | None
    turned: tuple[Turned, ...]
    resigned: tuple[Resigned, ...]
    decided: str
    ended: str = ""

    @property
    def total(self) -> tuple[int, ...]:
        """The score of each seat, as it stood at the end; empty if there is none."""
        row = next((row for row in self.rows if row.is_total), None)
        return tuple(cell.number or 0 for cell in row.cells) if row else ()


def numbers_of(values: Sequence[int]) -> tuple[Cell, ...]:
    """Return cells with these numbers and no words."""
    return tuple(Cell(value) for value in values)


def shortened(lines: Sequence[str], most: int = LONGEST) -> str:
    """Return the first of some lines as one text that is not too long.

    >>> shortened(["Ann plays Artois 4.", "Ann gives Bo a card."], 24)
    'Ann plays Artois 4.'
    >>> shortened(["Ann plays Artois 4."], 12)
    'Ann plays…'
    """
    text = ""
    for line in lines:
        if text and len(text) + 1 + len(line) > most:
            break
        text = f"{text} {line}".strip()
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]}\N{HORIZONTAL ELLIPSIS}"


def with_players(story: Story, names: tuple[str, ...]) -> Story:
    """Return a story with the players' names in the place of ``seat 0`` and so on."""
    name = partial(with_names, names)

    def named_row(row: GridRow) -> GridRow:
        cells = tuple(replace(cell, words=name(cell.words)) for cell in row.cells)
        return replace(row, words=name(capital(row.words)), note=name(row.note), cells=cells)

    return replace(
        story,
        rows=tuple(map(named_row, story.rows)),
        turned=tuple(replace(each, words=name(capital(each.words))) for each in story.turned),
        ended=name(capital(story.ended)),
    )
