"""Checks of the states in the midst of a move, one at each event: they hide what those before and after them hide."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from quintain.conformance.cases import Case, require
from quintain.conformance.checks import check
from quintain.conformance.secrecy import whose
from quintain.conformance.unknown import armed, hidden
from quintain.engine.changes import Watch
from quintain.engine.game import seats_in

MOVES = 40
"""How many moves of a random game a check looks at, of a game with two seats."""
Moved = tuple[Any, Any, list[Any], Any]
"""The book, the state before a move, those at its events and the one after it."""


def moves(case: Case, seed: int) -> Iterator[Moved]:
    """Yield some moves of a random game, the last one among them."""
    watch, s, chooser, made = Watch(case.game), case.dealt(seed), random.Random(seed), list[tuple[int, int]]()
    every = case.every(MOVES)
    case.where = lambda: case.told(seed, made)
    while acting := seats_in(case.game.rules.to_act(case.book, s)):
        seat, watch.copies = chooser.choice(acting), []
        made.append((seat, chooser.choice(case.game.legal_actions(case.book, s, seat))))
        after = s.copy()
        watch.rules.play(case.book, after, *made[-1])
        if chooser.randrange(every) == 0 or after.over:
            yield case.book, s, watch.copies, after
        s = after


@check
def each_event_has_a_state_of_its_own(case: Case) -> None:
    """A rule calls `tell` itself for every event, so that the state at each event is known."""
    for _, before, copies, after in moves(case, 31):
        told, made = [copy.events_made for copy in copies], range(before.events_made + 1, after.events_made + 1)
        require(told == list(made), "an event was written without `tell`")


@check
def nothing_shows_in_the_midst_of_a_move(case: Case) -> None:
    """What is hidden before and after a move is hidden at each event of the move.

    A value that a move opens and hides again is no leak if it may be another one by then, such as a new secret choice:
    a field fails if all that it opens in between stays as it is.
    """
    stays, changes = dict[str, str](), set[str]()
    for book, before, copies, after in moves(case, 32):
        for viewer in case.viewers:
            known = [case.game.blinded(book, state, viewer) for state in (before, after)]
            kept = hidden(known[0]) & hidden(known[1])
            for copy in copies:
                opened = kept - hidden(case.game.blinded(book, copy, viewer))
                alike = opened & paths_alike(copy, after)
                changes |= {_field(path) for path in opened - alike}
                for path in sorted(alike & paths_alike(before, after)):
                    stays.setdefault(_field(path), f"{whose(viewer)} sees {path} at an event {case.where()}")
    shown = [words for name, words in stays.items() if name not in changes]
    require(not shown, f"{shown[:1]}, and it is hidden before and after the move")


def _field(path: str) -> str:
    return path.partition("[")[0]


def paths_alike(one: Any, other: Any) -> set[str]:
    """Return the paths of the values that two states have in common."""
    return {path for (path, value), (_, there) in zip(one.values(), other.values(), strict=True) if value == there}


@check
def the_midst_of_a_move_can_be_shown(case: Case) -> None:
    """`view` shows the state at each event, too, and uses nothing hidden there."""
    for book, _, copies, _ in moves(case, 33):
        for copy in copies:
            for viewer in case.viewers:
                known = case.game.blinded(book, copy, viewer)
                same = case.game.text.view(book, armed(known), viewer) == case.game.text.view(book, known, viewer)
                require(same, "two views of one state differ")
