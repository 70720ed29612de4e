"""Analyses that a test makes up, without a search: for pictures of the page in all its states."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec import structs

from quintain.engine.play.match import Match
from quintain.engine.rules.views import Line
from quintain.lab.analysis import Analysis, JudgedStep, begun, expected_line, positions
from quintain.lab.candidates import Candidate
from quintain.server.model.analyses import KeptAnalysis
from quintain.server.pages.endings import ending
from quintain.server.pages.study.analysis_page import BEST, MADE, AnalysisPage, Asked
from quintain.server.people.players import Visitor
from quintain.server.tables.replays import Replay
from quintain.server.tables.table import Table

TRIES = 3000


def made_up(match: Match) -> Analysis:
    """Return an analysis of a finished match with chances that somebody has thrown dice for."""
    dice, known, steps = random.Random(3), [0.5] * match.seats, []
    for position in positions(match):
        seen = position.seens[position.seat]
        known = [min(0.95, max(0.05, share + dice.gauss(0, 0.02))) for share in known]
        total = sum(known)
        opened = tuple(share / total for share in known)
        candidates = ()
        if not position.is_forced:
            best = known[position.seat]
            shares = sorted((max(0.01, best - dice.expovariate(12)) for _ in seen.moves[1:]), reverse=True)
            moves = dice.sample(seen.moves, len(seen.moves))
            candidates = tuple(
                Candidate(move.action, move.text, share, TRIES)
                for move, share in zip(moves, [best, *shares], strict=True)
            )
        does = (Line("you: 11 \N{RIGHTWARDS ARROW} 19 points", clause="KC-17"),)
        text = next(move.text for move in seen.moves if move.action == position.action)
        step = JudgedStep(
            position.number, position.seat, position.action, text, tuple(known), opened, opened, candidates, does
        )
        steps.append(step)
    return structs.replace(begun(match, TRIES), steps=tuple(steps))


def analysis_samples(table: Table, replay: Replay, base: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the page of an analysis in its states; `base` has what all pages need."""
    match = table.match
    whole = made_up(match)
    visitor = Visitor("ann", "Ann", "c" * 32, "auto")

    def page(kept: KeptAnalysis | None, analysis: Analysis, asked: Asked | None = None, **more: Any) -> dict[str, Any]:
        shown = AnalysisPage(table, match, visitor, replay, kept, analysis, asked or Asked())
        return {**shown.context(**more), **{name: base[name] for name in ("player", "csrf", "theme")}}

    kept = KeptAnalysis(table.id, 1, TRIES, 2 * whole.total, whole.steps, False, False, "")
    part = structs.replace(whole, steps=whole.steps[:57])
    begun_one = kept._replace(done=57, steps=part.steps)
    empty = page(None, structs.replace(whole, steps=()))
    yield "analysis-empty", "analysis.html", empty | {"result": ending(match, None, None, "/tables/k7f3")}
    yield "analysis-working", "analysis.html", page(begun_one._replace(is_working=True), part, left=20.0)
    yield "analysis-error", "analysis.html", page(begun_one._replace(problem="the adviser failed"), part)
    yield "analysis-stopped", "analysis.html", page(begun_one._replace(is_stopped=True), part)
    yield "analysis", "analysis.html", page(kept, whole)
    step = whole.worst[0]
    seen = replay.at(step.number - 1, step.seat).seen
    lines = [(BEST, list(expected_line(seen, step.best.action, 1))), (MADE, list(expected_line(seen, step.action, 1)))]
    yield "analysis-explained", "analysis.html", page(kept, whole, Asked(step.number, "all", True), lines=lines)
