"""The values for choosing a set of cards at a table: how many cards of each kind, and which there are."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.rules.collection import SetChoice, SetPart, missing
from quintain.engine.seen.seen import Seen
from quintain.engine.seen.sets import set_choice
from quintain.server.pages.rendering import Context


def set_context(seen: Seen) -> Context | None:
    """Return what the viewer's page needs for the choice of a set; None if they are not asked for one."""
    choice = set_choice(seen)
    if choice is None:
        return None
    return {
        "parts": [part_context(choice, number) for number in range(len(choice.parts))],
        "cards": choice.cards,
        "taken": choice.taken,
        "last": choice.last,
        "average": {stat.key: stat for stat in choice.average},
        "groups": {group.key: group for group in choice.groups},
        "lacks": lacks_in_words(choice, choice.taken),
        "no_last": None if choice.last else seen.why_not(choice.keep),
        "clause": choice.parts[0].clause,
        "round": seen.view.phase.round,
    }


def part_context(choice: SetChoice, number: int) -> Context:
    """Return a kind of cards in a set, and how many of them are taken."""
    part = choice.parts[number]
    taken = sum(choice.cards.get(name) == number for name in choice.taken)
    return {"one": part.one, "many": part.many, "needed": part.needed, "clause": part.clause, "taken": taken}


def lacks_in_words(choice: SetChoice, names: Sequence[str]) -> str:
    """Return which cards a list has too few or too many of, such as "2 characters missing"; empty if none."""
    lacks = missing(choice, names)
    few = [_some(part, number) for part, number in lacks if number > 0]
    many = [f"{_some(part, -number)} too many" for part, number in lacks if number < 0]
    words = [f"{', '.join(few)} missing"] if few else []
    return ", ".join([*words, *many])


def _some(part: SetPart, number: int) -> str:
    return f"{number} {part.one if number == 1 else part.many}"
