"""Checks of the states within a move: the engine takes a copy at each event, and each copy must hide its secrets, too.

`engine.changes` makes such copies to show viewers step by step what a move has changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from quintain.conformance.cases import Case, require, whose
from quintain.conformance.checks import check
from quintain.engine.rules.game import seats_in
from quintain.engine.seen.changes import Recorder
from quintain.engine.seen.unknown import armed, hidden

MOVES = 40
"""About how many moves of a random game with two seats a check looks at."""
Moved = tuple[Any, Any, list[Any], Any]
"""The book, the state before a move, the states at its events, and the state after it."""


def moves(case: Case, seed: int) -> Iterator[Moved]:
    """Yield some moves of a random game, the last one included."""
    recorder, s, chooser, made = Recorder(case.game), case.dealt(seed), random.Random(seed), list[tuple[int, int]]()
    interval = case.interval(MOVES)
    case.where = lambda: case.described(seed, made)
    while acting := seats_in(case.game.rules.to_act(case.book, s)):
        seat, recorder.copies = chooser.choice(acting), []
        made.append((seat, chooser.choice(case.game.legal_actions(case.book, s, seat))))
        after = s.copy()
        recorder.rules.play(case.book, after, *made[-1])
        if chooser.randrange(interval) == 0 or after.over:
            yield case.book, s, recorder.copies, after
        s = after


@check
def each_event_has_a_state_of_its_own(case: Case) -> None:
    """A rule writes every event by `tell`, so that the engine can copy the state at each event."""
    for _, before, copies, after in moves(case, 31):
        numbers = [copy.events_made for copy in copies]
        made = list(range(before.events_made + 1, after.events_made + 1))
        require(numbers == made, "an event was written without `tell`")


@check
def nothing_shows_within_a_move(case: Case) -> None:
    """A value that is hidden after a move is hidden at each event of the move, too, unless it was open before.

    It is no leak if a move opens a value, changes it, and hides it again, as with a new secret choice. So what a move
    opens of a field to a viewer is a leak if the move changes none of it.
    """
    for book, before, copies, after in moves(case, 32):
        for viewer in case.viewers:
            secret = hidden(case.game.blinded(book, after, viewer))
            known, stays, changed = paths_alike(case.game.blinded(book, before, viewer), after), set[str](), set[str]()
            for copy in copies:
                opened = secret - hidden(case.game.blinded(book, copy, viewer))
                alike = opened & paths_alike(copy, after)
                stays |= alike - known
                changed |= {_field(path) for path in opened - alike}
            shown = ", ".join(sorted(path for path in stays if _field(path) not in changed)[:4])
            require(not shown, f"{whose(viewer)} sees {shown} at an event, although the move ends with it hidden")


def _field(path: str) -> str:
    return path.partition("[")[0]


def paths_alike(one: Any, other: Any) -> set[str]:
    """Return the paths at which two states have the same value."""
    return {path for (path, value), (_, there) in zip(one.values(), other.values(), strict=True) if value == there}


@check
def states_within_a_move_can_be_shown(case: Case) -> None:
    """`view` can show the state at each event of a move, and uses nothing that is hidden there."""
    for book, _, copies, _ in moves(case, 33):
        for copy in copies:
            for viewer in case.viewers:
                known = case.game.blinded(book, copy, viewer)
                same = case.game.text.view(book, armed(known), viewer) == case.game.text.view(book, known, viewer)
                require(same, "two views of one state, at an event within a move, differ")
