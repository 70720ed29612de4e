"""The verdict of a trial in words: what, share, interval, of what; then what changed on equal deals, and an advice."""

from __future__ import annotations

import math
from collections.abc import Iterable

from quintain.engine.names import capital, with_minus
from quintain.engine.rules.game import Game
from quintain.lab.verdicts import LEAST, JudgedThing, Measure, Paired, TrialFigures
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.chances import whole_percent
from quintain.server.workshop.differences import CardChange, differences

SIGNS = {"too strong": "\N{UPWARDS ARROW}", "too weak": "\N{DOWNWARDS ARROW}", "too early": "\N{HORIZONTAL ELLIPSIS}"}
FAIR_SIGN = "\N{ALMOST EQUAL TO}"
MOST_NAMED = 4
"""The cards that a verdict names."""


def verdict_context(figures: TrialFigures, is_changed: bool, advice: str = "", first: str = "") -> Context:
    """Return the verdict of a trial; `first` is the card that its sentence is about, if that was changed."""
    judged = judged_first(figures, first)
    if judged and (figures.subjects or is_changed):
        one = judged[0]
        return {
            "word": one.verdict.word,
            "sign": SIGNS.get(one.verdict.word, FAIR_SIGN),
            "is_off": one.verdict.word in ("too strong", "too weak"),
            "head": sentence_about(one, figures.games, advice),
            "rest": [
                *_change(one, is_changed),
                *(sentence_about(each, figures.games) for each in judged[1:MOST_NAMED]),
            ],
            "short": short_words(one),
        }
    return _of_counts(figures) if figures.counts and is_changed else _of_nothing(figures)


def _change(each: JudgedThing, is_changed: bool) -> list[str]:
    """Return in words what changed of a card; nothing as long as it is too early to tell, or if nothing is changed."""
    return [change_words(each.won)] if is_changed and each.verdict.word != "too early" else []


def judged_first(figures: TrialFigures, first: str) -> list[JudgedThing]:
    """Return what a trial was made for, a certain card first."""
    return sorted(figures.judged, key=lambda each: each.name != first)


def sentence_about(each: JudgedThing, games: int, advice: str = "") -> str:
    """Return the verdict on a card or a deck in a sentence."""
    won, word = each.won.after, each.verdict.word
    if won is None or won.tries < LEAST:
        tries = won.tries if won else 0
        return f"{capital(each.name)}, too early: {how_many(tries, 'game')} with it of {games:,}."
    more = f"; {advice}" if advice and word in ("too strong", "too weak") else ""
    return f"{capital(each.name)}, {word}: wins {share_words(won)} of {of_what(each.won)}{more}."


def short_words(each: JudgedThing) -> str:
    """Return the verdict in a few words, for a bar that stays in sight."""
    won = each.won.after
    return (
        f"{capital(each.name)}: {share_words(won)}"
        if won and won.tries >= LEAST
        else f"{capital(each.name)}: too early"
    )


def of_what(won: Paired) -> str:
    """Return in words what games a share is of."""
    what = {"deck": "its games", "drawn": "games in which it is drawn"}
    return what.get(won.thing.kind, "games in which it is played")


def change_words(paired: Paired) -> str:
    """Return in a sentence what changed on equal deals, and whether that is real; empty if nothing was the same."""
    if paired.difference is None or paired.interval is None or paired.before is None:
        return "It was not in the games before." if paired.before is None else "It is not in the games any more."
    if not math.isfinite(paired.error):
        return f"Before: {share_words(paired.before)}."
    points = " points" if paired.before.is_share else ""
    low, high = (signed(bound, paired.before.is_share) for bound in paired.interval)
    now, before = signed(paired.difference, paired.before.is_share), share_words(paired.before)
    return f"Before: {before}. On equal deals the change is {now}{points} ({low} to {high}), {paired.change}."


def _of_counts(figures: TrialFigures) -> Context:
    """Return the verdict where no card is judged: what the game counts, and what changed most clearly there."""
    one = figures.counts[0]
    after = one.after
    shown = f"{capital(one.thing.name)}: {share_words(after)}" if after else capital(one.thing.name)
    is_early = figures.games < LEAST
    head = f"Too early: {how_many(figures.games, 'game')}." if is_early else f"{shown}."
    if one.change == "real":
        word, sign = "real", "\N{NOT EQUAL TO}"
    else:
        word, sign = ("too early", SIGNS["too early"]) if is_early else ("not sure", FAIR_SIGN)
    rest = [] if is_early else [change_words(one)]
    return {"word": word, "sign": sign, "is_off": False, "head": head, "rest": rest, "short": shown}


def _of_nothing(figures: TrialFigures) -> Context:
    """Return what a trial says in which nothing is changed: how far the cards are from even."""
    off = [each for each in figures.cards if each.verdict.word in ("too strong", "too weak")]
    if figures.games < LEAST:
        head = f"Too early: {how_many(figures.games, 'game')}."
    elif off:
        head = f"{how_many(len(off), 'card')} of {len(figures.cards)} off balance."
    else:
        head = f"No card of {len(figures.cards)} is off balance so far."
    rest = ["Nothing is changed, so there is nothing to compare: these are the shares of the set."]
    rest += [f"{each.name} is {each.verdict.word}: {share_words(each.won.after)}." for each in off[:MOST_NAMED]]
    return {"word": "", "sign": FAIR_SIGN, "is_off": bool(off), "head": head, "rest": rest, "short": head}


def share_words(measure: Measure | None) -> str:
    """Return a share with its interval, in percent, or a mean with its own.

    >>> share_words(Measure(0.52, 600, 0.02, True))
    '52 % (48 to 56)'
    """
    if measure is None:
        return "none"
    low, high = measure.interval
    if measure.is_share:
        return f"{whole_percent(measure.value)} % ({whole_percent(low)} to {whole_percent(high)})"
    return f"{measure.value:.1f} ({low:.1f} to {high:.1f})"


def signed(number: float, is_share: bool) -> str:
    """Return a number with its sign, a share in points.

    >>> signed(-0.051, True), signed(0.24, False)
    ('\N{MINUS SIGN}5.1', '+0.2')
    """
    return str(with_minus(f"{100 * number if is_share else number:+.1f}"))


def how_many(number: int, what: str) -> str:
    """Return a number with what it counts."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def advice_for(found: Game, before: str, after: str, figures: TrialFigures, first: str = "") -> str:
    """Return which number to change by 1 next, so that a card that is too strong or too weak becomes fair.

    That is known where one number of the card was changed, and what it did is real.
    """
    judged = judged_first(figures, first)
    if not judged or judged[0].won.difference is None or judged[0].won.change != "real":
        return ""
    one = judged[0]
    field, by = _changed_number(each for each in differences(found, before, after) if each.name == one.name)
    if not by:
        return ""
    helps = (one.won.difference or 0.0) * by > 0
    up = helps == (one.verdict.word == "too weak")
    return f"{'raise' if up else 'lower'} {field} by 1"


def _changed_number(changes: Iterable[CardChange]) -> tuple[str, int]:
    """Return the one number of a card that was changed, and by how much; 0 if there is not just one."""
    parts = [part for change in changes for part in change.parts]
    if len(parts) != 1:
        return "", 0
    numbers = [_number(text) for text in (parts[0].old, parts[0].new)]
    if numbers[0] is None or numbers[1] is None:
        return "", 0
    return parts[0].words, numbers[1] - numbers[0]


def _number(text: str) -> int | None:
    plain = text.replace("\N{MINUS SIGN}", "-").lstrip("+")
    return int(plain) if plain.removeprefix("-").isdecimal() and plain.isascii() else None
