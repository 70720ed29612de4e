"""The values for the page of an analysis: its parts, its state, and one judged position with the table as it was.

`analysis_parts.py` has the parts, `study.judging` makes what they show, and `analysis_routes.py` shows the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from quintain.engine.names import with_minus, worded
from quintain.engine.play.match import Match
from quintain.engine.play.verdict import verdict
from quintain.engine.seen.seen import Seen
from quintain.lab.analysis import BETTER_TRIES, Analysis, ExpectedMove, JudgedStep
from quintain.server.model.analyses import KeptAnalysis
from quintain.server.pages.contexts import Seeing, page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.analysis_parts import AnalysisParts
from quintain.server.pages.words import day_of, lasted
from quintain.server.people.players import Visitor
from quintain.server.refused import Refused
from quintain.server.tables.foresight import Over, advised
from quintain.server.tables.replays import Replay
from quintain.server.tables.table import Table

SECONDS = 0.1
"""About how long the first picture of a position takes."""
BEST, MADE = "best", "made"
"""What the better move and the one that was made are called, and the lines that the adviser expects after them."""
OPEN = "all"
"""Stands in an address for nobody's eyes: the table with all cards open."""


class Asked(NamedTuple):
    """What an address of the page asks for: the number of a position, whose eyes, and whether to explain."""

    step: int | None = None
    seen: str = ""
    explain: bool = False


class AnalysisPage(AnalysisParts):
    """The page of one analysis for one visitor, at one address."""

    def __init__(
        self,
        table: Table,
        match: Match,
        visitor: Visitor,
        replay: Replay,
        kept: KeptAnalysis | None,
        analysis: Analysis,
        asked: Asked,
    ):
        super().__init__(match, replay, analysis, table.seat_of(visitor.id))
        self.table, self.visitor, self.kept, self.asked = table, visitor, kept, asked
        self.path = f"/tables/{table.id}/analysis"
        self.step = self._step_of()

    def href(self, number: int, seen: str | None = None) -> str:
        """Return where the position of an entry is shown, through the same eyes as now or through others."""
        seen = self.asked.seen if seen is None else seen
        return f"{self.path}?step={number}" + (f"&seen={seen}" if seen else "")

    @property
    def here(self) -> str:
        """The address of the position in sight."""
        return self.path if self.step is None else self.href(self.step.number)

    def context(self, lines: Sequence[tuple[str, Sequence[ExpectedMove]]] = (), left: float | None = None) -> Context:
        """Return the values of the page.

        `lines` are those that the adviser expects, if they were asked for. `left` is for how many seconds it works yet.
        """
        analysis, kept, step = self.analysis, self.kept, self.step
        return {
            **page_context(self.visitor, f"Analysis of {self.match.game.title}", self.path),
            "table": {"id": self.table.id, "href": f"/tables/{self.table.id}", "game_id": self.match.game.id},
            "href": self.path,
            **self._headline(),
            **self.parts(step),
            "state": self.state,
            "is_working": kept is not None and kept.is_working,
            "done": kept.done if kept else 0,
            "of_all": 2 * analysis.total,
            "takes": _lasts(analysis.total * SECONDS),
            "left": _lasts(left) if left is not None else "",
            "step": None if step is None else self._step(step),
            "lines": [self._line(step, name, moves) for name, moves in lines] if step else [],
            "better": f"{BETTER_TRIES:,}" if kept and kept.tries < BETTER_TRIES else None,
        }

    def _step_of(self) -> JudgedStep | None:
        """Return the judged position that the address asks for: the next one that there is, or else the costliest."""
        steps = self.analysis.steps
        if not steps:
            return None
        if self.asked.step is None:
            return self.analysis.worst[0] if self.analysis.worst else steps[0]
        number = self.asked.step
        return next((each for each in steps if each.number >= number), steps[-1])

    @property
    def explained(self) -> list[str]:
        """The names of the lines that the address asks for; none if there is nothing to explain."""
        step = self.step
        if not self.asked.explain or step is None or step.best is None or step.action is None:
            return []
        return [BEST] if step.best.action == step.action else [BEST, MADE]

    def data(self) -> Context:
        """Return the analysis as data: every candidate and chance, luck and skill."""
        found = self.analysis
        return {**msgspec.to_builtins(found), "luck_and_skill": msgspec.to_builtins(found.luck_and_skill())}

    def judged(self) -> JudgedStep:
        """Return the judged position that the address names; raises Refused if there is none of this number."""
        if self.step is None or self.step.number != self.asked.step:
            raise Refused(404, f"there is no judged move with the number {self.asked.step}")
        return self.step

    def check_line(self, name: str) -> None:
        """Raise Refused unless the address asks for a line of a name, after the position that it names."""
        if name not in self.explained or self.step is None or self.step.number != self.asked.step:
            raise Refused(404, "there is no such line: ask for it on the page of the analysis")

    def begins(self, name: str) -> tuple[Seen, int, int]:
        """Return where a line begins: what the seat saw that decided, the number of the position, and the action."""
        step = self.step
        assert step and step.best and step.action is not None
        action = step.best.action if name == BEST else step.action
        return self.replay.at(step.number - 1, step.seat).seen, step.number, action

    @staticmethod
    def at_move(moves: Sequence[ExpectedMove], number: int) -> Seen:
        """Return the table after a move of a line; raises Refused if it has none of this number."""
        if not 0 <= number < len(moves):
            raise Refused(404, f"this line has {len(moves)} moves, and none with the number {number}")
        return moves[number].seen

    @property
    def state(self) -> str:
        """How far the analysis is: empty, working, stopped, error or finished."""
        if self.kept is None:
            return "empty"
        if self.kept.is_working:
            return "working"
        if self.kept.problem:
            return "error"
        return "finished" if self.kept.done >= 2 * self.analysis.total else "stopped"

    def _headline(self) -> Context:
        match, row = self.match, self.table.row
        assert match.outcome
        ended, begun = self.table.folded.ended or row.made, row.begun
        others = [name for seat, name in enumerate(match.names) if seat != self.seat]
        against = f"against {' and '.join(others)}" if self.you is not None else " and ".join(match.names)
        facts = (f"{match.game.title} {against}", day_of(ended), lasted(begun, ended), "rated" if row.rated else "")
        said = verdict(match.names, match.outcome, None, self.you)
        return {"head": said.head, "about": ", ".join(filter(None, facts))}

    def _step(self, step: JudgedStep) -> Context:
        """Return the values of the position in sight."""
        steps, names = self.analysis.steps, self.match.names
        place, mistakes = steps.index(step), [each.number for each in steps if each.lost]
        further = next((number for number in mistakes if number > step.number), mistakes[0] if mistakes else None)
        ways = {
            "first": steps[0] if place else None,
            "back": steps[place - 1] if place else None,
            "on": steps[place + 1] if place + 1 < len(steps) else None,
            "last": steps[-1] if place + 1 < len(steps) else None,
        }
        eyes = self._eyes(step)
        viewers = (*((seat, f"{name} saw", str(seat)) for seat, name in enumerate(names)), (None, "All open", OPEN))
        return {
            **self.position(step),
            "ways": {way: None if to is None else self.href(to.number) for way, to in ways.items()},
            "mistake": None if further is None else self.href(further),
            "viewers": [
                {"seat": seat, "words": words, "href": self.href(step.number, value), "chosen": value == eyes}
                for seat, words, value in viewers
            ],
            "inset": self._inset(step, eyes),
            "eyes": "with all cards open" if eyes == OPEN else f"as {names[int(eyes)]} saw it",
            "play_on": {"action": f"/tables/{self.table.id}/play-on", "step": step.number - 1, "seat": step.seat},
            "explain": None if self.asked.explain else self.href(step.number) + "&explain=true#explained",
        }

    def _eyes(self, step: JudgedStep) -> str:
        """Return through whose eyes the table is shown: a seat, or OPEN; usually those of the seat that decides."""
        seen = self.asked.seen
        is_seat = seen.isdecimal() and len(seen) == 1 and int(seen) < self.match.seats
        return seen if seen == OPEN or is_seat else str(step.seat)

    def marked(self, step: JudgedStep) -> tuple[Seen, Seeing]:
        """Return what a seat saw before a decision, and how the page marks there the best move and the one made."""
        seen = self.replay.at(step.number - 1, step.seat).seen
        found = [each for each in step.candidates if each is step.best or each.action == step.action]
        best = [step.best.action] if step.best else []
        over = Over(best, step.action, MADE)
        legal = tuple(each.action for each in found)
        return replace(seen, legal=legal), Seeing(confirms=True, hint=advised(found), over=over)

    def _inset(self, step: JudgedStep, eyes: str) -> str:
        if step.candidates and eyes == str(step.seat):
            return f"{self.path}/table?step={step.number}"
        at = f"/tables/{self.table.id}/replay?step={step.number - 1}&inset=true"
        return at if eyes == OPEN else f"{at}&seat={eyes}"

    def _line(self, step: JudgedStep, name: str, moves: Sequence[ExpectedMove]) -> Context:
        names = self.match.names
        return {
            "name": name,
            "title": "After the better move" if name == BEST else "After the move that was made",
            "moves": [
                {
                    "seat": each.seat,
                    "words": f"{names[each.seat]}: {with_minus(worded(names, each.text))}",
                    "href": f"{self.path}/line?step={step.number}&after={name}&at={number}",
                }
                for number, each in enumerate(moves)
            ],
        }


def _lasts(seconds: float) -> str:
    """Return a time in words, rounded up.

    >>> _lasts(3.2), _lasts(34), _lasts(100)
    ('10 s', '40 s', '2 min')
    """
    tens = -(-seconds // 10) * 10
    return f"{max(10, tens):.0f} s" if tens < 60 else f"{-(-seconds // 60):.0f} min"
