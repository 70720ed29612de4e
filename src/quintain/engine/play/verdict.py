"""The result of a finished match in a sentence for one viewer: who won, by how much, and what decided it.

Losing does not read like winning: each viewer gets other words, and a `tone` for pictures and colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from quintain.engine.play.story import Story
from quintain.engine.seen.result import Outcome

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
Tone = Literal["won", "lost", "drawn", "watched"]


class Verdict(Struct, frozen=True):
    """The result for one viewer: the `head` says who won, and `why` how the game ended, by how much, and by what."""

    tone: Tone
    head: str
    why: str


def verdict(names: Sequence[str], outcome: Outcome, story: Story | None, viewer: int | None) -> Verdict:
    """Return the result as a seat (None: a spectator) reads it; without its story, in fewer words."""
    return _Telling(names, outcome, story, viewer).verdict()


def ordinal(number: int) -> str:
    """Return a rank in words.

    >>> ordinal(2), ordinal(11)
    ('2nd', '11th')
    """
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


class _Telling:
    """The result in the eyes of one viewer."""

    def __init__(self, names: Sequence[str], outcome: Outcome, story: Story | None, viewer: int | None) -> None:
        self.names, self.outcome, self.story, self.viewer = names, outcome, story, viewer
        self.first = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]

    def verdict(self) -> Verdict:
        ended = self.story.ended if self.story else ""
        why = (*self._resigned(), ended, self._margin(), self._decided(), *self.outcome.prizes)
        return Verdict(self._tone(), self._head(), " ".join(filter(None, why)))

    def _tone(self) -> Tone:
        if self.viewer is None:
            return "watched"
        if self.viewer not in self.first:
            return "lost"
        return "won" if len(self.first) == 1 else "drawn"

    def _name(self, seat: int) -> str:
        return "you" if seat == self.viewer else self.names[seat]

    def _head(self) -> str:
        winner, scores = self.first[0], self.outcome.scores
        if len(self.first) > 1:
            each = f", {self._score(winner)} each" if scores else ""
            others = _listed([self.names[seat] for seat in self.first if seat != self.viewer])
            return f"You draw with {others}{each}" if self.viewer in self.first else f"A draw between {others}{each}"
        if self.viewer is None or self.viewer == winner:
            wins = "You win" if self.viewer == winner else f"{self.names[winner]} wins"
            if scores and len(scores) == 2:
                return f"{wins}, {scores[winner]} to {scores[1 - winner]}"
            return f"{wins} with {self._score(winner)}" if scores else wins
        if len(self.names) == 2:
            against = f", {scores[self.viewer]} to {scores[winner]}" if scores else ""
            return f"You lose to {self.names[winner]}{against}"
        return (
            f"You lose: {ordinal(self.outcome.ranks[self.viewer])} of {len(self.names)}, and {self.names[winner]} wins"
        )

    def _score(self, seat: int) -> str:
        number = str(self.outcome.scores[seat]) if self.outcome.scores else ""
        return f"{number} {self.story.unit}".strip() if self.story else number

    def _resigned(self) -> list[str]:
        """Return who resigned and when, and after a resignation that ended the match, how it stood."""
        if self.story is None:
            return [f"{self.outcome.reason}."] if self.outcome.scores is None else []
        said = [f"{self._name(each.seat)} resigned {each.when}" for each in self.story.resigned]
        if not said:
            return []
        total = self.story.total
        stood = "" if self.outcome.scores or not total else f"; it stood {' : '.join(map(str, total))}"
        words = f"{_listed(said)}{stood}."
        return [words[:1].upper() + words[1:]]

    def _margin(self) -> str:
        """Return by how much the winner leads the next seat, or by how much the viewer is behind; or the tie-break."""
        scores = self.outcome.scores
        if scores is None or len(self.first) == len(self.names) or len(self.first) > 1:
            return ""
        winner, behind = self.first[0], self.viewer is not None and self.viewer not in self.first
        second = self.viewer if behind and self.viewer is not None else self._second()
        lead = scores[winner] - scores[second]
        if lead < 0:
            return ""
        if lead == 0:
            return self._tie_break(winner, second)
        return f"You are {lead} behind {self.names[winner]}." if behind else f"{lead} ahead of {self._name(second)}."

    def _second(self) -> int:
        rest = [rank for rank in self.outcome.ranks if rank > 1]
        return self.outcome.ranks.index(min(rest))

    def _tie_break(self, winner: int, second: int) -> str:
        """Return the first tie-break in which two seats with equal scores differ."""
        for row in self.story.rows if self.story else ():
            ours, theirs = row.cells[winner].number, row.cells[second].number
            if row.is_tie_break and ours != theirs:
                return f"The scores are equal; {row.words[:1].lower()}{row.words[1:]} decided, {ours} to {theirs}."
        return ""

    def _decided(self) -> str:
        return self.story.decided if self.story else ""


def _listed(words: Sequence[str]) -> str:
    """Join words to a list.

    >>> _listed(["Ann", "Bo", "Cleo"])
    'Ann, Bo and Cleo'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
