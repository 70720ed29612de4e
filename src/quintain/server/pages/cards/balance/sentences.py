"""The verdict of a trial in words: what, share, interval, of what; then what changed on equal deals."""

from __future__ import annotations

import math
from collections.abc import Mapping

from quintain.engine.names import capital, with_minus
from quintain.lab.intervals import LEAST
from quintain.lab.noted import DECK
from quintain.lab.verdicts import JudgedThing, Measure, Paired, TrialFigures
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.chances import whole_percent

EARLY_SIGN, UNSURE_SIGN, FAIR_SIGN = "\N{HORIZONTAL ELLIPSIS}", "?", "\N{ALMOST EQUAL TO}"
UP, DOWN = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}"
MOST_NAMED = 4
"""The cards that a verdict names."""
EARLY, OPEN, OFF, GOOD = "early", "open", "off", "good"
"""How a verdict looks: too early to tell, not sure or a little off, off balance, and as it should be."""
LOOKS: Mapping[str, tuple[str, str]] = {
    "too early": (EARLY, EARLY_SIGN),
    "too strong": (OFF, UP),
    "too weak": (OFF, DOWN),
    "rather strong": (OPEN, UP),
    "rather weak": (OPEN, DOWN),
    "not sure": (OPEN, UNSURE_SIGN),
    "better than even": (GOOD, UP),
    "worse than even": (OFF, DOWN),
}
"""How the words of verdicts look, and the sign before each; all others are as they should be."""
UNSETTLED = ("too early", "not sure")


def looks(word: str) -> Context:
    """Return a word with how its verdict looks."""
    tone, sign = LOOKS.get(word, (GOOD, FAIR_SIGN))
    return {"word": word, "tone": tone, "sign": sign}


def verdict_context(figures: TrialFigures, is_changed: bool, advice: str = "", first: str = "") -> Context | None:
    """Return the verdict of a trial; `first` is the card that its sentence is about, if that was changed.

    It is None if no card and no deck is judged, but what the game counts: see `counted.py`.
    """
    judged = judged_first(figures, first)
    if judged and (figures.subjects or is_changed):
        one = judged[0]
        return {
            **looks(word_on(one, figures.even)),
            "head": sentence_about(one, figures, advice),
            "rest": [
                *_change(one, is_changed, figures.games),
                *(sentence_about(each, figures) for each in judged[1:MOST_NAMED]),
            ],
            "short": short_words(one),
        }
    return None if figures.counts and is_changed else _of_nothing(figures)


def word_on(each: JudgedThing, even: float) -> str:
    """Return the word on a card or a deck; a deck is no card that should be fair, but better or worse than even."""
    won, word = each.won.after, each.verdict.word
    if each.won.thing.kind != DECK or won is None or won.tries < LEAST:
        return word
    low, high = won.interval
    if low > even:
        return "better than even"
    if high < even:
        return "worse than even"
    return "about even" if word in ("fair", "fair so far") else "not sure" if word != "too early" else word


def _change(each: JudgedThing, is_changed: bool, games: int) -> list[str]:
    """Return in words what changed of a card; nothing with a handful of games, or if nothing is changed."""
    is_few = each.won.after is not None and each.won.after.tries < LEAST
    if not is_changed or is_few:
        return []
    lines = [change_words(each.won, games)]
    if each.won.change == "real" and each.verdict.word in ("fair", "fair so far"):
        became = "stronger" if (each.won.difference or 0.0) > 0 else "weaker"
        lines.append(f"So it became {became}, and it is {each.verdict.word}: no more is needed.")
    return lines


def judged_first(figures: TrialFigures, first: str) -> list[JudgedThing]:
    """Return what a trial was made for, a certain card first."""
    return sorted(figures.judged, key=lambda each: each.name != first)


def sentence_about(each: JudgedThing, figures: TrialFigures, advice: str = "") -> str:
    """Return the verdict on a card or a deck in a sentence."""
    won, word = each.won.after, word_on(each, figures.even)
    if won is None or won.tries < LEAST:
        tries = won.tries if won else 0
        return f"{capital(each.name)}, too early: {how_many(tries, 'game')} with it of {figures.games:,}."
    more = f"; {advice}" if advice and word not in UNSETTLED else ""
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


def change_words(paired: Paired, games: int) -> str:
    """Return in a sentence what changed on equal deals, and whether that is real, after so many games."""
    if paired.difference is None or paired.interval is None or paired.before is None:
        return "It was not in the games before." if paired.before is None else "It is not in the games any more."
    if not math.isfinite(paired.error):
        return f"Before: {share_words(paired.before)}."
    if paired.change == "none":
        return f"Before: the same. In these {how_many(games, 'game')} the change never mattered."
    points = " points" if paired.before.is_share else ""
    low, high = (_bound(each, paired.before.is_share, paired.change == "real") for each in paired.interval)
    now, before = signed(paired.difference, paired.before.is_share), share_words(paired.before)
    return f"Before: {before}. On equal deals the change is {now}{points} ({low} to {high}), {paired.change}."


def _bound(bound: float, is_share: bool, is_real: bool) -> str:
    """Return a bound of the interval of a change; of a real change none is 0, however small it is.

    >>> _bound(0.0002, True, True), _bound(-0.01, False, True), _bound(0.0002, True, False)
    ('just above 0', 'just below 0', '0')
    """
    words = signed(bound, is_share)
    return f"just {'above' if bound > 0 else 'below'} 0" if words == "0" and is_real else words


def _of_nothing(figures: TrialFigures) -> Context:
    """Return what a trial says in which nothing is changed: how far the cards are from even."""
    off = [each for each in figures.cards if each.verdict.word in ("too strong", "too weak")]
    is_early = figures.games < LEAST
    if is_early:
        head = f"Too early: {how_many(figures.games, 'game')}."
    elif off:
        head = f"{how_many(len(off), 'card')} of {len(figures.cards)} off balance."
    else:
        head = f"No card of {len(figures.cards)} is off balance so far."
    rest = ["Nothing is changed, so there is nothing to compare: these are the shares of the set."]
    rest += [f"{each.name} is {each.verdict.word}: {share_words(each.won.after)}." for each in off[:MOST_NAMED]]
    tone, sign = (EARLY, EARLY_SIGN) if is_early else (OFF, UNSURE_SIGN) if off else (GOOD, FAIR_SIGN)
    return {"word": "", "tone": tone, "sign": sign, "head": head, "rest": rest, "short": head}


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
    """Return a number with its sign, a share in points; what is rounded to 0 has none.

    >>> signed(-0.051, True), signed(0.24, False), signed(-0.0004, True)
    ('\N{MINUS SIGN}5.1', '+0.2', '0')
    """
    words = f"{100 * number if is_share else number:+.1f}"
    return "0" if float(words) == 0 else str(with_minus(words))


def how_many(number: int, what: str) -> str:
    """Return a number with what it counts."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
