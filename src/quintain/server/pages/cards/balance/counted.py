"""The verdict of a trial in which no card is judged: what the game counts, and what the change did to that."""

from __future__ import annotations

from quintain.engine.names import capital
from quintain.engine.rules.game import Game
from quintain.engine.vocabulary import SetKind
from quintain.lab.intervals import LEAST
from quintain.lab.verdicts import Paired, TrialFigures
from quintain.server.pages.cards.balance.advice import changed_numbers
from quintain.server.pages.cards.balance.sentences import (
    DOWN,
    EARLY,
    EARLY_SIGN,
    FAIR_SIGN,
    GOOD,
    OPEN,
    UNSURE_SIGN,
    UP,
    change_words,
    how_many,
    share_words,
)
from quintain.server.pages.rendering import Context
from quintain.server.workshop.differences import CardChange, differences
from quintain.server.workshop.drafts import kind_of, parts_of

A_LITTLE = 0.05
"""A change of a share that is smaller than this is a little one."""


def told_first(found: Game, before: str, after: str, figures: TrialFigures) -> list[Paired]:
    """Return what the game counts; first what its vocabulary names for the kinds of cards that were changed."""
    named = {kind_of(parts_of(found)[1], each.kind).counted for each in differences(found, before, after)} - {""}
    return sorted(figures.counts, key=lambda each: each.thing.other not in named)


def counted_context(found: Game, before: str, after: str, figures: TrialFigures) -> Context:
    """Return the verdict on a change by what the game counts."""
    one, changes = told_first(found, before, after, figures)[0], differences(found, before, after)
    counted = capital(one.thing.name)
    shown = f"{counted}: {share_words(one.after)}" if one.after else counted
    if figures.games < LEAST:
        head = f"Too early: {how_many(figures.games, 'game')}."
        return {"word": "too early", "tone": EARLY, "sign": EARLY_SIGN, "head": head, "rest": [], "short": head}
    word, sign, tone = _look(one, figures)
    head = _conclusion(found, one, changes, figures)
    rest = [f"{shown}.", change_words(one, figures.games), *_of_each_step(one, changes)]
    return {"word": word, "tone": tone, "sign": sign, "head": head, "rest": rest, "short": shown}


def _look(one: Paired, figures: TrialFigures) -> tuple[str, str, str]:
    """Return the word on a count, its sign, and how it looks."""
    if one.change == "real":
        return "real", UP if (one.difference or 0.0) > 0 else DOWN, OPEN
    if one.change == "none":
        return "no change", FAIR_SIGN, GOOD
    if figures.games < figures.most:
        return "too early", EARLY_SIGN, EARLY
    return "not sure", UNSURE_SIGN, OPEN


def _conclusion(found: Game, one: Paired, changes: list[CardChange], figures: TrialFigures) -> str:
    """Return in a sentence what the change did."""
    what, difference = _called(changes), one.difference or 0.0
    kinds: list[SetKind] = [kind_of(parts_of(found)[1], each.kind) for each in changes]
    kind = next((kind for kind in kinds if kind.counted == one.thing.other), None)
    if one.change == "none":
        return f"{what}: no change of what the game counts here."
    if one.change != "real":
        so_far = " so far" if figures.games < figures.most else ""
        return f"{what}: no clear change{so_far}."
    effect = kind and (kind.more if difference > 0 else kind.less)
    if not effect:
        return f"{what} {'raises' if difference > 0 else 'lowers'} this: {one.thing.name}."
    is_little = one.after is not None and one.after.is_share and abs(difference) < A_LITTLE
    return f"{what} makes {effect.format('a little ' if is_little else '')}."


def _called(changes: list[CardChange]) -> str:
    """Return what was changed: one number by its name, all else as your change."""
    parts = [part for change in changes for part in change.parts]
    if not changes:
        return "Your change of the options"
    if len(changes) != 1 or len(parts) != 1 or not parts[0].new:
        return "Your change"
    return f"{changes[0].name} with {parts[0].words} {parts[0].new}"


def _of_each_step(one: Paired, changes: list[CardChange]) -> list[str]:
    """Return in a sentence what each step of a number did, if one number was changed and that is real."""
    numbers = changed_numbers([part for change in changes for part in change.parts])
    if one.change != "real" or len(numbers) != 1 or one.after is None or not one.after.is_share:
        return []
    steps = abs(numbers[0].new - numbers[0].old)
    each = abs(100 * (one.difference or 0.0)) / steps
    return [f"That is about {each:.1f} points for each step of {numbers[0].words}."] if steps > 1 else []
