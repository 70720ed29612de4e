"""The values for the page of a whole report: all figures of a trial, and what it says of a set in one line."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.names import capital
from quintain.lab.intervals import LEAST
from quintain.lab.noted import DRAWN_GAMES, LENGTH
from quintain.lab.verdicts import JudgedThing, TrialFigures
from quintain.server.pages.cards.balance.panel import Trialed, cells, deck_words, match_row
from quintain.server.pages.cards.balance.sentences import how_many, word_on
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.chances import whole_percent


def report_context(trialed: Trialed, href: str) -> Context:
    """Return all figures of a trial, table by table; no tables before its first games."""
    figures = trialed.figures
    panel = trialed.panel(href)
    return {"balance": panel, "tables": _tables(figures, panel["is_changed"]) if figures else []}


def balance_line(figures: TrialFigures) -> str:
    """Return in a line how far the cards of a set are from even; empty if none came up often enough.

    Words are such as ``2,000 games: no card above 57 %, none below 44 %``.
    """
    shares = [each.won.after.value for each in figures.cards if each.won.after and each.won.after.tries >= LEAST]
    if not shares:
        return ""
    high, low = (whole_percent(share) for share in (max(shares), min(shares)))
    return f"{how_many(figures.games, 'game')}: no card above {high} %, none below {low} %"


def _tables(figures: TrialFigures, is_changed: bool) -> list[Context]:
    """Return the tables of a report; those that would be empty are left out."""
    games = [each for each in (figures.length, figures.drawn) if each]
    seats = [(f"Seat {place}", each) for place, each in enumerate(figures.seats, 1)]
    there = [
        each for each in figures.matches if each.after and each.before and not (is_changed and each.change == "none")
    ]
    what = "deck" if figures.decks else "card's player"
    made = [
        _table("Cards", "won by those who draw it, or play it where all draw it", _judged(figures.cards, figures)),
        _table("Cards, won if played", "won by those who play it", _played(figures.cards)),
        _table("Decks", "won by those who play it", _judged(figures.decks, figures)),
        _table("Seats", "won by who sits there", [cells(words, each) for words, each in seats]),
        _table("What the game counts", "", [cells(capital(each.thing.name), each) for each in figures.counts]),
        _table("Games", "", [cells(_GAME[each.thing.kind], each) for each in games]),
        _table("Match-ups", f"games that the first {what} wins", [match_row(each) for each in there]),
    ]
    return [{**table, "is_changed": is_changed} for table in made if table["rows"]]


def _table(words: str, about: str, rows: Sequence[Context]) -> Context:
    return {"words": words, "about": about, "rows": [*rows]}


def _judged(things: Sequence[JudgedThing], figures: TrialFigures) -> list[Context]:
    """Return a row for each card or deck, with the word on it."""
    return [
        {**cells(capital(deck_words(each.name)), each.won), "judged": word_on(each, figures.even), "has_words": True}
        for each in things
    ]


def _played(things: Sequence[JudgedThing]) -> list[Context]:
    """Return a row for each card whose share when played is not that of the first table."""
    return [cells(each.name, each.played) for each in things if each.played and each.played != each.won]


_GAME = {LENGTH: "Decisions in a game", DRAWN_GAMES: "Drawn games"}
