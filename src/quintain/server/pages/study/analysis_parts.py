"""The parts of an analysis that its page on the server and its file on a disk share: sums, lists, single positions.

`lab.analysis` says what the values mean; the templates of the same parts draw them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quintain.engine.names import capital, with_minus, worded
from quintain.engine.play.match import Match
from quintain.engine.rules.views import Line
from quintain.lab.analysis import LEAST_LOSS, Analysis, JudgedStep
from quintain.lab.candidates import LEAD, is_clear
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.analysis_chart import MARKS, chart
from quintain.server.pages.study.chances import chance_rows, shortened_names
from quintain.server.tables.replays import Replay

CLOSE = 0.02
"""Players whose decisions differ by less than this share of a win have decided alike."""
REASONS = 2
"""The most sentences of a reason for each move."""


class AnalysisParts:
    """The parts of one analysis, for whoever sat at seat `you`, or for somebody else who follows the winner."""

    def __init__(self, match: Match, replay: Replay, analysis: Analysis, you: int | None):
        self.match, self.replay, self.analysis, self.you = match, replay, analysis, you
        self.seat = you if you is not None else _first(match)

    def href(self, number: int) -> str:
        """Return where the position of an entry is shown."""
        return f"#m{number}"

    def parts(self, shown: JudgedStep | None) -> Context:
        """Return the values of chart, luck and skill, and of what gave most away; one position may be in sight."""
        analysis = self.analysis
        place = None if shown is None else analysis.steps.index(shown)
        hrefs = [self.href(each.number) for each in analysis.steps]
        return {
            "names": self.match.names,
            "seat": self.seat,
            "is_you": self.you is not None,
            "judged": len(analysis.steps),
            "total": analysis.total,
            "is_whole": analysis.is_whole,
            "chart": chart(analysis, self.seat, place, self.replay.rounds, hrefs),
            "luck": self._luck(),
            "verdict_words": self._verdict() if analysis.is_whole else "",
            "worst": [self._costly(each, number, shown) for number, each in enumerate(analysis.worst[:MARKS], 1)],
            "decisions": len(analysis.decisions),
            "tries": f"{self._tries():,}",
            "least": round(100 * LEAST_LOSS),
            "version": analysis.version,
        }

    def position(self, step: JudgedStep) -> Context:
        """Return the values of one position: what was done, what it gave away, and all candidates."""
        names = self.match.names
        return {
            "number": step.number,
            "entries": len(self.match.moves_made),
            "round": self.replay.at(step.number, None).round.lower(),
            "seat": step.seat,
            "who": names[step.seat],
            "is_yours": step.seat == self.you,
            "title": f"{names[step.seat]}: {self._did(step)}",
            "before": round(100 * step.known[step.seat]),
            "after": round(100 * step.after),
            "lost": round(100 * step.lost),
            "best_does": self._reason(step, step.best_does),
            "made_does": self._reason(step, step.made_does),
            "clauses": list(dict.fromkeys(each.clause for each in (*step.best_does, *step.made_does) if each.clause)),
            "best": capital(with_minus(step.best.text)) if step.best else "",
            "made": capital(with_minus(step.text)),
            "is_choice": step.is_decision,
            "is_resigned": step.action is None,
            "rows": chance_rows(step.candidates, step.action, names=shortened_names(step.candidates)),
            "even": round(100 * self.analysis.even),
            "tries": f"{step.candidates[0].tries:,}" if step.candidates else "",
            "is_puzzle": is_clear(step.candidates),
            "puzzle_lead": round(100 * LEAD),
        }

    def _luck(self) -> list[Context]:
        """Return a column for each seat: what cards and decisions did, in points."""
        return [
            {
                "seat": one.seat,
                "name": self.match.names[one.seat],
                "cards": points(one.cards),
                "is_lucky": one.cards > 0,
                "lost": points(-one.lost),
                "gained": points(one.gained),
                "result": round(100 * one.result),
                "accuracy": round(100 * one.free / one.decisions) if one.decisions else None,
                "free": one.free,
                "decisions": one.decisions,
            }
            for one in self.analysis.luck_and_skill()
        ]

    def _verdict(self) -> str:
        """Return who decided better, and whom the cards favoured, in a sentence."""
        found = self.analysis.luck_and_skill()
        names = self.match.names
        best, second = sorted(found, key=lambda one: one.lost)[:2]
        lucky = max(found, key=lambda one: one.cards)
        better = "better" if len(found) == 2 else "best"
        decided = f"{names[best.seat]} decided {better}" if second.lost - best.lost >= CLOSE else "Decisions were even"
        if lucky.cards < CLOSE:
            return f"{decided}, and the cards gave nobody more than the others."
        return f"{decided}; the cards gave {names[lucky.seat]} {round(100 * lucky.cards)} points."

    def _costly(self, step: JudgedStep, number: int, shown: JudgedStep | None) -> Context:
        return {
            "number": number,
            "seat": step.seat,
            "who": self.match.names[step.seat],
            "round": self.replay.at(step.number, None).round.lower(),
            "did": self._did(step),
            "better": capital(with_minus(step.best.text)) if step.best else "",
            "reason": "; ".join(self._reason(step, step.best_does)) if step.best else "",
            "points": points(-step.lost),
            "href": self.href(step.number),
            "is_shown": step is shown,
        }

    def _did(self, step: JudgedStep) -> str:
        """Return what a seat did, as its move is written."""
        return "resign" if step.action is None else with_minus(worded(self.match.names, step.text))

    def _reason(self, step: JudgedStep, does: Sequence[Line]) -> list[str]:
        """Return what a move does by its preview, to the one who made it."""
        names = self.match.names
        words = [worded(names, each.words).rstrip(".") for each in does[:REASONS]]
        return words if step.seat == self.you else [_of(each, names[step.seat]) for each in words]

    def _tries(self) -> int:
        """Return how often each candidate was tried in all judged positions, at least."""
        return min((each.candidates[0].tries for each in self.analysis.steps if each.candidates), default=0)


def points(share: float) -> str:
    """Return a share of a win in points, with its sign.

    >>> points(0.154), points(0.001)
    ('+15', '0')
    """
    rounded = round(100 * share)
    return with_minus(f"{rounded:+}") if rounded else "0"


def _first(match: Match) -> int:
    """Return the seat that is ranked first."""
    assert match.outcome
    return match.outcome.ranks.index(1)


def _of(words: str, name: str) -> str:
    """Return words that were written for a player as others read them.

    >>> _of("you: 11 to 19 points", "Bo"), _of("known in your hand 0 to 3", "Bo"), _of("If you draw, you win", "Bo")
    ('Bo: 11 to 19 points', "known in Bo's hand 0 to 3", 'to Bo: If you draw, you win')
    """
    told = re.sub(r"\byou:", f"{name}:", re.sub(r"\b[Yy]our\b", f"{name}'s", words))
    return f"to {name}: {words}" if re.search(r"\b[Yy]ou\b", told) else told
