"""What a game with cards tells of them to players that learn: each card as a row of numbers.

A net that knows a card only by these numbers understands a card that it has never met, as long as its numbers mean
something to it. So `card_numbers` of a game's words returns for a book:

- a row for each card, all equally long, of numbers from about -1 to 1;
- the blocks of the observation whose last axis runs over the cards, each with the card of its first column; a column
  before card 0 or after the last one stands for no card;
- the runs of actions that name a card: the first action, the number of actions, and the card of the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class CardNumbers:
    """The cards of a book as numbers; see this module."""

    rows: Sequence[Sequence[float]]
    blocks: Mapping[str, int]
    actions: Sequence[tuple[int, int, int]]

    @property
    def width(self) -> int:
        """How many numbers each card has."""
        return len(self.rows[0])

    def named(self) -> Iterator[tuple[int, int, int]]:
        """Yield each action that names a card, with the card, and the number of the run that it belongs to."""
        for run, (begin, count, first) in enumerate(self.actions):
            for number in range(count):
                if 0 <= first + number < len(self.rows):
                    yield begin + number, first + number, run


def one_of(value: int, low: int, high: int) -> list[float]:
    """Return a number for each value from `low` to `high`: 1 for this one, else 0.

    >>> one_of(2, 1, 3)
    [0.0, 1.0, 0.0]
    """
    return [1.0 if value == each else 0.0 for each in range(low, high + 1)]
