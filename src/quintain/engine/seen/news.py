"""Gathers what has changed into pieces of news, for a viewer who comes back to the table.

`changes` reports every event. Several events are often one thing that a person would tell: this module joins them by
one rule, which looks at seats and places and never at words, and leaves out what the viewer has just done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec.structs import replace as replace_in

from quintain.engine.rules.state import GameState
from quintain.engine.rules.views import Change
from quintain.engine.seen.seen import Seen

Told = tuple[Change, GameState]
"""A change, with what the viewer knew after it."""


def moments(seen: Seen, told: Iterable[Told], is_own: bool) -> list[Seen]:
    """Return what a viewer, who sees `seen` now, saw after each piece of news; nothing can be done there.

    Each has one change, which says all of its piece of news. `is_own` tells whether the first change with words says
    what the viewer has decided, which is no news to them.
    """
    changes = list(told)
    lines = len(seen.log) - sum(bool(change.words) for change, _ in changes)
    news: list[Told] = []
    lengths: list[int] = []
    own = _own(changes, seen.viewer, is_own)
    for number, (change, known) in enumerate(changes):
        lines += bool(change.words)
        if number < own:
            continue
        if news and belongs(change, news[-1][0]):
            news[-1], lengths[-1] = (joined(news[-1][0], change), known), lines
        else:
            news.append((change, known))
            lengths.append(lines)
    then = replace(seen, legal=(), to_act=(), done=(), outcome=None)
    return [
        replace(then, state=known, log=seen.log[:length], changes=(change,))
        for (change, known), length in zip(news, lengths, strict=True)
    ]


def belongs(change: Change, before: Change) -> bool:
    """Tell whether a change belongs to the piece of news before it.

    It does if nobody did it and it has no words. It also does if the same seat did both, and one of them has no words,
    or both touch one place, or the later one touches none.

    >>> plays = Change(1, "Bo plays a 7.", 1, ("house.0",))
    >>> belongs(Change(2, "Bo wins the house.", 1, ("house.0", "lead.0")), plays)
    True
    >>> belongs(Change(2, "Bo draws a card.", 1, ("hand.1.8",)), plays), belongs(Change(2, "Cy passes.", 2, ()), plays)
    (False, False)
    """
    if change.seat != before.seat:
        return change.seat is None and not change.words
    is_shared = not change.places or not set(change.places).isdisjoint(before.places)
    return is_shared or not (change.words and before.words)


def joined(before: Change, change: Change) -> Change:
    """Return one change in the place of two."""
    homes = dict(zip(before.places + change.places, before.zones + change.zones, strict=True))
    words = " ".join(filter(None, (before.words, change.words)))
    recap = max((before.recap, change.recap), key=lambda each: (each.is_result, bool(each.words)))
    return replace_in(
        change, words=words, seat=before.seat, places=tuple(homes), zones=tuple(homes.values()), recap=recap
    )


def _own(changes: list[Told], viewer: int | None, is_own: bool) -> int:
    """Return how many of the first changes come from the viewer's decision; those without words may be nobody's."""
    worded = next((number for number, (change, _) in enumerate(changes) if change.words), -1)
    own = worded + 1 if is_own else 0
    while own < len(changes) and not changes[own][0].words and changes[own][0].seat in (viewer, None):
        own += 1
    return own
