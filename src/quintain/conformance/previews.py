"""Checks of previews: what they say is true, and depends only on what the viewer sees."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple, cast

import msgspec

from quintain.conformance.cases import Case, require
from quintain.conformance.checks import check
from quintain.engine.play.positions import write_position
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.state import GameState
from quintain.engine.rules.views import Preview, View
from quintain.engine.seen.previews import LIKELY, facts, previews
from quintain.engine.seen.seen import Seen

MOST = 4
"""The most actions of one decision whose previews are compared."""
MOVES = 40
"""About how many moves of a random game with two seats a check looks at."""


class Told(NamedTuple):
    """What the preview of an action says, and the words of all that the action then changed for its player."""

    action: int
    preview: Preview | None
    true: frozenset[str]

    @property
    def plain(self) -> list[str]:
        """The lines that the preview says plainly."""
        return [line for line in self.lines if not line.startswith(LIKELY)]

    @property
    def likely(self) -> list[str]:
        """The lines that it calls likely, without that word."""
        return [line.removeprefix(LIKELY) for line in self.lines if line.startswith(LIKELY)]

    @property
    def lines(self) -> list[str]:
        """All lines of the preview."""
        return [line.words for line in self.preview.lines] if self.preview else []


def told(case: Case, seed: int, interval: int = 1) -> Iterator[Told]:
    """Play a random game; yield the previews of about every `interval`-th move that is a choice, with what it did."""
    rules, book, s, chooser = case.game.rules, case.book, case.dealt(seed), random.Random(seed)
    made: list[tuple[int, int]] = []
    case.where = lambda: case.described(seed, made)
    while acting := seats_in(rules.to_act(book, s)):
        seat = chooser.choice(acting)
        seen = Seen.of(case.game, book, case.game.blinded(book, s, seat), seat)
        action, after = chooser.choice(seen.legal), s.copy()
        made.append((seat, action))
        rules.play(book, after, seat, action)
        if len(seen.legal) > 1 and chooser.randrange(interval) == 0:
            now = _view(seen, case.game.blinded(book, after, seat))
            true = frozenset(fact.words for fact in facts(_view(seen, seen.state), now, seat))
            found = dict(previews(seen.game, seen.book, seen.state, seat, [(action,)]))
            yield Told(action, found.get((action,)), true)
        s = after


def _view(seen: Seen, known: object) -> View:
    return cast(View, seen.game.text.view(seen.book, known, seen.seat))


@check
def previews_are_true(case: Case) -> None:
    """What a preview says plainly of an action is what the action then does, whatever the hidden cards are."""
    for each in told(case, 34, case.interval(MOVES)):
        wrong = [line for line in each.plain if line not in each.true]
        require(not wrong, f"the preview of action {each.action} says {wrong[:1]}, which is not what it does")


@check
def previews_do_not_depend_on_what_is_hidden(case: Case) -> None:
    """In two matches whose truths differ where a seat cannot see it, the seat gets the same previews, byte by byte."""
    game = case.game
    for number, (book, s) in enumerate(case.sample(35, MOVES // 4)):
        for seat in seats_in(game.rules.to_act(book, s)):
            other = game.blinded(book, s, seat)
            game.rules.redeal(book, other, number)
            one, two = (_encoded(case, truth, seat) for truth in (s, other))
            require(one == two, f"what is hidden from seat {seat} changes its previews")


def _encoded(case: Case, truth: GameState, seat: int) -> bytes:
    """Return the previews of a seat, in a match that stands at a position, as JSON."""
    seen = case.placed(write_position(truth, case.game.card_names(case.book))).seen(seat)
    return msgspec.json.encode(list(seen.previews([(action,) for action in seen.legal[:MOST]])))
