"""What to change next: an advice for a card that is too strong or too weak, made of what a trial shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import SetField
from quintain.lab.verdicts import JudgedThing, TrialFigures
from quintain.server.pages.cards.balance.sentences import judged_first
from quintain.server.workshop.differences import PartChange, differences
from quintain.server.workshop.drafts import entries_of, fields_of

STRONG, WEAK = ("too strong", "rather strong"), ("too weak", "rather weak")


class ChangedNumber(NamedTuple):
    """A number of a card that was changed, what it is called, and the numbers before and now."""

    words: str
    old: int
    new: int


def advice_for(found: Game, before: str, after: str, figures: TrialFigures, first: str = "") -> str:
    """Return what to change next, so that a card that is too strong or too weak becomes fair; empty if it need not.

    Where one number was changed, and what that did is real, the advice says how far to go.
    """
    judged = judged_first(figures, first)
    if not judged or judged[0].verdict.word not in (*STRONG, *WEAK):
        return ""
    one, parts = judged[0], changed_parts(found, before, after, judged[0].name)
    if not parts:
        return ""
    if one.won.change != "real" or not one.won.difference:
        return "that is not clearly due to your change, so change more or something else"
    numbers = changed_numbers(parts)
    is_worse = (one.won.difference > 0) == (one.verdict.word in STRONG)
    if len(parts) == 1 and numbers:
        return _by_how_much(found, after, one, numbers[0], figures.even)
    if not is_worse:
        return "your change helps, but does not go far enough"
    raised = _either([each.words for each in numbers if each.new > each.old])
    lowered = _either([each.words for each in numbers if each.new < each.old])
    said = [f"lower {raised} again"] * bool(raised) + [f"raise {lowered} again"] * bool(lowered)
    return " or ".join(said) or "take a part of your change back"


def changed_parts(found: Game, before: str, after: str, name: str) -> list[PartChange]:
    """Return the parts of a card that differ between two sets."""
    return [part for each in differences(found, before, after) if each.name == name for part in each.parts]


def changed_numbers(parts: Sequence[PartChange]) -> list[ChangedNumber]:
    """Return those parts that are single numbers before and now."""
    numbers = []
    for part in parts:
        old, new = (_number(text) for text in (part.old, part.new))
        if old is not None and new is not None:
            numbers.append(ChangedNumber(part.words, old, new))
    return numbers


def _by_how_much(found: Game, after: str, one: JudgedThing, number: ChangedNumber, even: float) -> str:
    """Return how far to change a number, if each step adds as much to the share as the steps of the trial did."""
    assert one.won.after and one.won.difference
    of_step = one.won.difference / (number.new - number.old)
    away = (even - one.won.after.value) / of_step
    target = number.new + round(math.copysign(max(1.0, abs(away)), away))
    field = _field_of(found, after, one.name, number.words)
    if field:
        target = min(max(target, field.least), field.most)
    steps = abs(target - number.new)
    if not steps:
        return f"{number.words} cannot go further, so change something else"
    act = "raise" if target > number.new else "lower"
    return f"{act} {number.words} by {steps if steps == 1 else f'about {steps}'}"


def _field_of(found: Game, text: str, name: str, words: str) -> SetField | None:
    """Return the field of a card that is called so, alone or with one of its parts."""
    entries = entries_of(found, text)
    entry = next((each for each in entries if each.name == name), None)
    fields = fields_of(found, entries, entry) if entry else ()
    return next((each for each in fields if each.words == words.partition(", ")[0]), None)


def _either(words: Sequence[str]) -> str:
    return " or ".join(words)


def _number(text: str) -> int | None:
    plain = text.replace("\N{MINUS SIGN}", "-").lstrip("+")
    return int(plain) if plain.removeprefix("-").isdecimal() and plain.isascii() else None
