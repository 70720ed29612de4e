"""The states in the midst of a move, of which changes are made: they hide what those before and after them hide."""

import random
from collections.abc import Iterator
from typing import Any

from conformance.cases import Case, over_cases
from conformance.unknown import armed, hidden
from quintain.engine.changes import Watch
from quintain.engine.contract import SPECTATOR
from quintain.engine.game import seats_in

EVERY = 3
"""About one move of a game in so many is looked at."""
Move = tuple[Any, Any, list[Any], Any]
"""The book, the state before a move, those at its events and the one after it."""


def moves(case: Case, seed: int) -> Iterator[Move]:
    """Yield some moves of a random game."""
    watch, book, s, chooser = Watch(case.game), case.book, case.dealt(seed), random.Random(seed)
    while acting := seats_in(case.game.rules.to_act(book, s)):
        seat, watch.copies = chooser.choice(acting), []
        after = s.copy()
        watch.rules.play(book, after, seat, chooser.choice(case.game.legal_actions(book, s, seat)))
        if chooser.randrange(EVERY * case.rarity) == 0 or after.over:
            yield book, s, watch.copies, after
        s = after


def viewers(case: Case) -> list[int]:
    return [SPECTATOR, *range(case.seats)]


@over_cases
def test_each_event_of_a_move_has_a_state_of_its_own(case: Case):
    for _, before, copies, after in moves(case, 31):
        assert [copy.events_made for copy in copies] == list(range(before.events_made + 1, after.events_made + 1))


@over_cases
def test_what_is_hidden_before_and_after_a_move_is_hidden_in_its_midst(case: Case):
    for book, before, copies, after in moves(case, 32):
        for viewer in viewers(case):
            known = [case.game.blinded(book, state, viewer) for state in (before, after)]
            kept = hidden(known[0]) & hidden(known[1])
            same = {path for path, value in after.values() if path in kept} & paths_alike(before, after)
            for copy in copies:
                inside = paths_alike(copy, after) & same
                assert inside <= hidden(case.game.blinded(book, copy, viewer)), "an event opens what stays hidden"


def paths_alike(one: Any, other: Any) -> set[str]:
    """Return the paths of the values that two states have in common."""
    return {path for (path, value), (_, there) in zip(one.values(), other.values(), strict=True) if value == there}


@over_cases
def test_a_table_in_the_midst_of_a_move_is_laid_out_without_what_is_hidden(case: Case):
    for book, _, copies, _ in moves(case, 33):
        for copy in copies:
            for viewer in viewers(case):
                known = case.game.blinded(book, copy, viewer)
                assert case.game.text.view(book, armed(known), viewer) == case.game.text.view(book, known, viewer)
