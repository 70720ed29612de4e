"""Checks that the functions of a game's words return what the contract says, before other checks rely on it."""

from __future__ import annotations

import msgspec

from quintain.conformance.cases import Case, Failed, require
from quintain.conformance.checks import check
from quintain.engine.errors import quoted
from quintain.engine.rules.views import Line, Reason, View

POSITIONS = 24
"""About how many positions of a random game with two seats the check looks at."""
NO_MOVES = "dance", ""
"""Words that hardly any game reads as a move."""


@check
def words_are_of_the_right_kind(case: Case) -> None:
    """The functions of the game's words return what the contract says: texts, a View, a Reason, a list of Line."""
    text = case.game.text
    _require_kind("rulebook", text.rulebook(), str)
    for book, s in case.sample(22, POSITIONS):
        for viewer in case.viewers:
            blinded = case.game.blinded(book, s, viewer)
            view = text.view(book, blinded, viewer)
            _require_kind("view", view, View)
            _require_types(view)
            lines = text.account(book, blinded)
            right = isinstance(lines, list | tuple) and all(isinstance(line, Line) for line in lines)
            require(right, f"account must return a list of Line, perhaps an empty one, not {quoted(lines)}")
            for i in range(min(blinded.events_made, len(blinded.events))):
                words = text.narrate(book, blinded.events[i], viewer)
                require(
                    isinstance(words, str), f"narrate must return a text, perhaps an empty one, not {quoted(words)}"
                )
        for seat in range(case.seats):
            blinded, legal = case.game.blinded(book, s, seat), set(case.game.legal_actions(book, s, seat))
            for words in NO_MOVES:
                read = text.parse(book, blinded, seat, words)
                require(read is None or isinstance(read, int), f"parse must return an action or None, not {read!r}")
            for action in range(case.game.actions) if not s.over else ():
                if action in legal:
                    _require_kind("name", text.name(book, blinded, seat, action), str)
                else:
                    _require_kind("why_not", text.why_not(book, blinded, seat, action), Reason)


def _require_types(view: View) -> None:
    """Require that every field of a view and of its parts has the type that its class declares."""
    try:
        msgspec.json.decode(msgspec.json.encode(view), type=View)
    except msgspec.ValidationError as error:
        raise Failed(f"view gives a value of a wrong type: {error}, where $ is the view") from None


def _require_kind(function: str, given: object, kind: type) -> None:
    wanted = "a text that is not empty" if kind is str else f"a {kind.__name__}"
    require(isinstance(given, kind) and given, f"{function} must return {wanted}, not {quoted(given)}")
