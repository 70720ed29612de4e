"""The values for the panel of a trial, which stands on the page of a set and of a deck, and its JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from quintain.engine.names import capital
from quintain.engine.rules.game import Game
from quintain.lab.intervals import LEAST
from quintain.lab.noted import DECK, DRAWN, PLAYED
from quintain.lab.verdicts import JudgedThing, Measure, Paired, TrialFigures
from quintain.server.model.kept_trials import KeptTrial
from quintain.server.pages.cards.balance.advice import advice_for
from quintain.server.pages.cards.balance.counted import counted_context, told_first
from quintain.server.pages.cards.balance.growth import growth
from quintain.server.pages.cards.balance.sentences import (
    how_many,
    judged_first,
    share_words,
    signed,
    verdict_context,
)
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.chances import percent, whole_percent
from quintain.server.workshop.subjects import LEVELS, MORE_OF_DECK, Subject
from quintain.server.workshop.trial_work import TrialFound, unpack_found

MOST_JUDGED, MOST_COUNTS, MOST_MATCHES = 3, 5, 5
"""The cards, the counts of the game and the match-ups that the figures show."""
MINUTE = 90
"""Seconds from which a time is told in minutes."""
CUT_OFF = "the server ended in the middle of the run; what is played is kept, and the bots can go on"
NOTHING: Context = {"verdict": None, "growth": None, "rows": [], "matches": [], "are_decks": False}
Row = tuple[str, Paired]


class Trialed:
    """What a page shows of a trial: its subject, how the database has it, and what it has shown, if anything."""

    def __init__(self, found: Game, subject: Subject, kept: KeptTrial | None, left: float | None = None):
        self.game, self.subject, self.kept, self.left = found, subject, kept, left
        self.found: TrialFound | None = unpack_found(kept.found) if kept and kept.found else None

    @property
    def figures(self) -> TrialFigures | None:
        """The figures so far; None before the first games."""
        return self.found.figures if self.found else None

    @property
    def state(self) -> str:
        """How far it is: refused, empty, working, error, stopped or finished."""
        if self.subject.order is None:
            return "refused"
        if self.kept is None:
            return "empty"
        if self.kept.is_working:
            return "working"
        if self.kept.problem and not self.kept.stopped:
            return "error"
        return "finished" if self.is_certain else "stopped"

    @property
    def problem(self) -> str:
        """Why it does not go on, if nobody stopped it on purpose: the bots failed, or the server ended meanwhile."""
        if self.kept is None or self.kept.problem:
            return self.kept.problem if self.kept else ""
        return CUT_OFF if self.state == "stopped" and not self.kept.stopped else ""

    @property
    def is_certain(self) -> bool:
        """Whether the trial has come to its end."""
        is_deck = self.subject.order is not None and self.subject.order.is_deck
        if self.kept is None or self.figures is None:
            return False
        return self.kept.games >= self.kept.most or (self.figures.is_certain and not is_deck)

    def panel(self, href: str, first: str = "") -> Context:
        """Return the values for the panel. `href` is the address of the trial, `first` the card that is looked at."""
        kept, figures, order = self.kept, self.figures, self.subject.order
        level = self.subject.level
        return {
            "state": self.state,
            "href": href,
            "before": self.subject.before,
            "now": self.subject.now,
            "why_not": capital(self.subject.why_not),
            "problem": capital(self.problem),
            "games": f"{kept.games:,}" if kept else "0",
            "games_number": kept.games if kept else 0,
            "most": f"{kept.most:,}" if kept else "",
            "most_number": kept.most if kept else 1,
            "left": _left_words(self.left),
            "can_go_on": self.state == "finished" and kept is not None and kept.games < kept.most,
            "more": f"{MORE_OF_DECK:,}",
            "is_changed": order is not None and order.before != order.after,
            "level": LEVELS[level].words,
            "levels": [{"value": name, "words": one.words, "is_on": name == level} for name, one in LEVELS.items()],
            **(self._shown(figures, first) if figures else NOTHING),
        }

    def _shown(self, figures: TrialFigures, first: str) -> Context:
        """Return the verdict, the growing lines and the figures."""
        order = self.subject.order
        is_changed = order is not None and order.before != order.after
        advice, counts, verdict = "", figures.counts, None
        if order and is_changed and not order.is_deck:
            sides = self.game, order.before, order.after, figures
            advice, counts = advice_for(*sides, first), told_first(*sides)
            verdict = counted_context(*sides) if counts else None
        rows = [*_rows(figures, first, is_changed, counts)]
        return {
            "verdict": verdict_context(figures, is_changed, advice, first) or verdict,
            "growth": self._growth(rows[0] if rows else None),
            "rows": [cells(words, each) for words, each in rows],
            "matches": _matches(figures, is_changed),
            "are_decks": bool(figures.decks),
        }

    def _growth(self, row: Row | None) -> Context | None:
        """Return the growing line of the first row of the figures."""
        if row is None or self.found is None or self.kept is None:
            return None
        words, paired = row
        line = self.found.curves.get(paired.thing.name, [])
        is_share = paired.after.is_share if paired.after else True
        even = self.found.figures.even if paired.thing.kind in (DECK, DRAWN, PLAYED) else None
        if paired.after and is_few(paired.after):
            return None
        made = growth(line, self.kept.most, even, is_share)
        said = f"{words}. Before: {share_words(paired.before)}. Now: {share_words(paired.after)}"
        more = {"words": words, "said": f"{said}, after {how_many(self.kept.games, 'game')}."}
        return made and {**made, **more, "is_same": paired.change == "none"}

    def share_of(self, name: str) -> Context | None:
        """Return the share of a card of the set now, for a bar beside its name; None with too few games."""
        each = next((each for each in self.figures.cards if each.name == name), None) if self.figures else None
        if each is None or each.won.after is None or each.won.after.tries < LEAST or self.figures is None:
            return None
        return {**bar(each.won.after, self.figures.even), "word": _off_word(each)}

    def json(self) -> Context:
        """Return the trial for programs; shares are parts of 1."""
        kept = self.kept
        return {
            "state": self.state,
            "level": self.subject.level,
            "games": kept.games if kept else 0,
            "most": kept.most if kept else None,
            "seconds_left": self.left,
            "before": self.subject.before,
            "now": self.subject.now,
            "why_not": self.subject.why_not,
            "problem": self.problem,
            "verdict": self.panel("")["verdict"],
            "figures": _plain(self.figures) if self.figures else None,
        }


def bar(measure: Measure, even: float) -> Context:
    """Return a share as a bar with its interval."""
    low, high = measure.interval
    shown = {"share": percent(measure.value), "low": percent(low), "high": percent(high), "even": percent(even)}
    return {**shown, "whole": whole_percent(measure.value), "said": share_words(measure), "tries": measure.tries}


def _off_word(each: JudgedThing) -> str:
    return each.verdict.word if each.verdict.word in ("too strong", "too weak") else ""


def _plain(figures: TrialFigures) -> Context:
    """Return figures as plain data, with the intervals of their shares."""

    def side(measure: Measure | None) -> Context | None:
        if measure is None:
            return None
        return {"value": measure.value, "low": measure.interval[0], "high": measure.interval[1], "tries": measure.tries}

    def paired(each: Paired | None) -> Context | None:
        if each is None:
            return None
        change = {"difference": each.difference, "interval": each.interval, "change": each.change}
        return {**each.thing._asdict(), "before": side(each.before), "now": side(each.after), **change}

    def judged(each: JudgedThing) -> Context:
        word = {"name": each.name, "verdict": each.verdict.word, "is_subject": each.is_subject}
        return {**word, "won": paired(each.won), "played": paired(each.played)}

    return {
        "even": figures.even,
        "is_certain": figures.is_certain,
        "cards": [judged(each) for each in figures.cards],
        "decks": [judged(each) for each in figures.decks],
        "seats": [paired(each) for each in figures.seats],
        "drawn": paired(figures.drawn),
        "length": paired(figures.length),
        "medians": msgspec.to_builtins(figures.medians),
        "matches": [paired(each) for each in figures.matches],
        "counts": [paired(each) for each in figures.counts],
    }


def _rows(figures: TrialFigures, first: str, is_changed: bool, counts: Sequence[Paired]) -> Iterator[Row]:
    """Yield the main figures; the first one is that of the growing line."""
    named = judged_first(figures, first)[:MOST_JUDGED] if is_changed or figures.subjects else []
    for each in named:
        yield f"{capital(each.name)}{_WON.get(each.won.thing.kind, ', won if played')}", each.won
        if each.played and each.played != each.won:
            yield f"{each.name}, won if played", each.played
    if not named:
        yield from ((capital(each.thing.name), each) for each in counts[:MOST_COUNTS])
    for place, seat in enumerate(figures.seats[:1]):
        yield ("First seat" if place == 0 else f"Seat {place + 1}"), seat
    if figures.length:
        yield "Decisions in a game", figures.length
    if figures.drawn:
        yield "Drawn games", figures.drawn


_WON: Mapping[str, str] = {DECK: ", won", DRAWN: ", won if drawn"}


def cells(words: str, each: Paired) -> Context:
    """Return a row of the figures; of a handful of games it has the number alone, and no change."""
    is_share = each.after.is_share if each.after else True
    bounds = each.after.interval if each.after and not is_few(each.after) else ()
    interval = [f"{whole_percent(bound)}" if is_share else f"{bound:.1f}" for bound in bounds]
    is_told = each.difference is not None and not any(side and is_few(side) for side in (each.before, each.after))
    return {
        "words": words,
        "before": _value(each.before),
        "now": _value(each.after),
        "interval": " to ".join(interval),
        "change": signed(each.difference, is_share) if each.difference is not None and is_told else "",
        "is_real": is_told and each.change == "real",
        "word": ("same" if each.change == "none" else each.change) if is_told else "",
    }


def is_few(measure: Measure) -> bool:
    """Tell whether a share comes from a handful of games, of which pages show the number alone."""
    return measure.is_share and measure.tries < LEAST


def _value(measure: Measure | None) -> str:
    if measure is None:
        return "\N{EN DASH}"
    if is_few(measure):
        return how_many(measure.tries, "game")
    return f"{whole_percent(measure.value)} %" if measure.is_share else f"{measure.value:.1f}"


def _matches(figures: TrialFigures, is_changed: bool) -> list[Context]:
    """Return the match-ups that changed most, and none that is the same; all, if nothing was changed."""
    there = [each for each in figures.matches if each.after and each.before and not is_few(each.after)]
    return [match_row(each) for each in there if not is_changed or each.change != "none"][:MOST_MATCHES]


def match_row(each: Paired) -> Context:
    """Return a row of the match-ups, with a bar."""
    assert each.after
    row = cells(f"{deck_words(each.thing.name)} against {deck_words(each.thing.other)}", each)
    return {**row, "bar": bar(each.after, 0.5)}


def deck_words(key: str) -> str:
    """Return what a deck or a card of a match-up is called: ready-made decks are known by keys such as hedge-host."""
    return key.replace("-", " ").capitalize() if key.islower() else key


def _left_words(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{max(1, round(seconds))} s left" if seconds < MINUTE else f"{round(seconds / 60)} min left"


def off_balance(trialed: Trialed | None) -> set[str]:
    """Return the names of the cards that are too strong or too weak."""
    cards: Sequence[JudgedThing] = trialed.figures.cards if trialed and trialed.figures else ()
    return {each.name for each in cards if _off_word(each)}
