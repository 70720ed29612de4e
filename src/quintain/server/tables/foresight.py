"""What players can know of their actions: what each would do, and what the search thinks of them.

Previews are made in short pieces so that others do not wait.

`table_answers.py` asks for them when a browser loads a table, and when a script asks for those of a chosen piece. Pages
that the sockets push have none: the script asks for them then. `engine/seen/previews.py` makes each one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from quintain.bots.ismcts import ADVISED, SOUND
from quintain.engine.names import MINUS, capital
from quintain.engine.rules.state import GameState
from quintain.engine.rules.views import Preview
from quintain.engine.seen.layout import Advice
from quintain.engine.seen.previews import LIKELY, Path, distinct, first_shown
from quintain.engine.seen.seen import Seen
from quintain.lab.candidates import Candidate
from quintain.lab.intervals import wilson
from quintain.server.slices import Slices

REASONS = 2
"""A hint gives at most this many lines of a preview as the reason for a move."""
STEP = re.compile(rf"(?:(.+): )?(.*?) ?([+{MINUS}]?\d+) \N{{RIGHTWARDS ARROW}} ([+{MINUS}]?\d+) ?(.*)")
"""A line of a preview that says how a number changes: whose it is, what, from, to, and what else."""


class Advised(NamedTuple):
    """What the search found out about a move: its action and words, the expected share of wins, and its simulations."""

    action: int
    words: str
    share: float
    simulations: int

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the share: as if every simulation were a game of its own."""
        return wilson(self.share, self.simulations)


class Over(NamedTuple):
    """A decision that is over: the actions that were right, the one that was made, and the word on that one."""

    right: Collection[int]
    made: int | None
    word: str


class Hint(NamedTuple):
    """The search's advice to a seat on one decision, the best move first."""

    decision: int
    moves: list[Advised]

    @property
    def best(self) -> list[Advised]:
        """The best moves, as many as a hint names; only those that the search tried often enough to know about."""
        return [move for move in self.moves if move.simulations >= SOUND][:ADVISED]


class Previews(NamedTuple):
    """The previews of a viewer's actions, made from one blinded state; None where a preview would tell nothing."""

    decision: int
    state: GameState | None
    by_path: dict[Path, Preview | None]

    def at(self, seen: Seen) -> Mapping[Path, Preview]:
        """Return the previews if the viewer still sees the same, else none."""
        if self.decision != seen.decision or self.state != seen.state:
            return {}
        return self.shown

    @property
    def shown(self) -> dict[Path, Preview]:
        """The previews as front ends show them: without their short forms, if these are equal for all that are made."""
        return {path: preview for path, preview in distinct(self.by_path).items() if preview}


NOTHING_FORESEEN = Previews(0, None, {})


def reason(known: Mapping[Path, Preview], action: int) -> str:
    """Return in sentences what an action does, as previews say it.

    If its place is chosen next, the reason is what the previews of all places agree on.
    """
    made = [known[(action,)]] if (action,) in known else [known[path] for path in known if path[0] == action]
    agreed = [line.words for line in made[0].lines if all(line in each.lines for each in made)] if made else []
    sure = [words for words in agreed if not words.startswith(LIKELY)]
    return " ".join(map(sentence, sure[:REASONS] or agreed[:1]))


def sentence(line: str) -> str:
    """Return a line of a preview as a sentence.

    >>> sentence("you: 1 \\u2192 2 war score"), sentence("Main deck: for 1 RP 11 \\u2192 19")
    ('You have 2 war score instead of 1.', 'Main deck, for 1 RP: 19 instead of 11.')
    >>> sentence("likely: your Influence 1 \\u2192 7"), sentence("likely: Maid Marian falls")
    ('Likely: your Influence: 7 instead of 1.', 'Likely: Maid Marian falls.')
    """
    rest = line.removeprefix(LIKELY)
    if (found := STEP.fullmatch(rest)) is None:
        return f"{capital(line.rstrip('.'))}."
    whose, what, was, now, more = found.groups()
    if whose and not what:
        rest = f"{whose} {'have' if whose == 'you' else 'has'} {now} {more} instead of {was}"
    else:
        named = ", ".join(filter(None, (whose, what)))
        rest = f"{named}: {now} instead of {was} {more}".rstrip()
    return f"{capital(LIKELY + rest if line.startswith(LIKELY) else rest)}."


class Foresight:
    """The previews of each seat's open decision. However often somebody asks, each is made once."""

    def __init__(self) -> None:
        self._made: dict[int, Previews] = {}

    async def of(self, slices: Slices, seen: Seen, chosen: str = "", paths: Collection[Path] | None = None) -> Previews:
        """Return previews, at least those of some paths; by default of those that a page shows first."""
        made = self._made.get(seen.seat, NOTHING_FORESEEN)
        if (made.decision, made.state) != (seen.decision, seen.state):
            made = self._made[seen.seat] = Previews(seen.decision, seen.state, {})
        shown = first_shown(seen.view, chosen) if paths is None else paths
        wanted = [path for path in shown if path not in made.by_path]
        found: dict[Path, Preview | None] = dict.fromkeys(wanted)

        def steps() -> Iterator[None]:
            for path, preview in seen.previews(wanted):
                found[path] = preview
                yield

        if wanted:
            await slices.do(steps())
            made.by_path.update(found)
        return made

    def made(self, seen: Seen) -> Mapping[Path, Preview]:
        """Return the previews that somebody has asked for, as long as the viewer sees the same."""
        return self._made.get(seen.seat, NOTHING_FORESEEN).at(seen)


def advised(candidates: Iterable[Candidate]) -> list[Advised]:
    """Return judged moves as the advice of a search."""
    return [Advised(each.action, each.text, each.share, each.tries) for each in candidates]


def advice_on(found: Iterable[Advised], over: Over | None = None) -> tuple[Advice, ...]:
    """Return what the search thinks of moves, the best first; `over` if the decision is over."""
    return tuple([_advice(each, rank, over) for rank, each in enumerate(found, 1)])


def _advice(found: Advised, rank: int, over: Over | None) -> Advice:
    low, high = (round(100 * bound) for bound in found.bounds)
    given = Advice(found.action, rank, round(100 * found.share), low, high, found.simulations, is_best=rank == 1)
    if over is None:
        return given
    made = over.word if found.action == over.made else ""
    return replace(given, is_over=True, is_best=found.action in over.right, made=made)
