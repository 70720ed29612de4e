"""What is UNKNOWN in a state: `Unknown`, a value that raises when a program uses it, and what becomes known.

`Unknown` proves that code does not depend on what is hidden. The conformance suite puts it in the place of UNKNOWN in
the states that it gives to a game's words and policy; `previews` puts it there to find out what an action does whatever
the hidden cards are.
"""

from typing import Any, NoReturn

from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.state import GameState, Record


class UsedUnknown(AssertionError):
    """Raised if code uses a hidden value."""


class UsedChance(UsedUnknown):
    """Raised if code draws by chance."""


class Unknown:
    """A value in the place of UNKNOWN. Code may compare it with UNKNOWN; any other use raises UsedUnknown."""

    def __eq__(self, other: object) -> bool:
        if other is self or (isinstance(other, int) and other == UNKNOWN) or isinstance(other, Unknown):
            return True
        raise UsedUnknown(f"UNKNOWN was compared with {other!r}")

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _raise(self, *_: object) -> NoReturn:
        raise UsedUnknown("UNKNOWN was used")

    __hash__ = _raise
    __bool__ = __index__ = __int__ = __float__ = __str__ = __format__ = _raise
    __lt__ = __le__ = __gt__ = __ge__ = _raise
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = _raise
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _raise
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _raise
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __neg__ = __pos__ = __abs__ = __invert__ = _raise


class Undrawn(Unknown):
    """A value in the place of a word of the generator: any use raises UsedChance."""

    def _raise(self, *_: object) -> NoReturn:
        raise UsedChance("chance was used")

    __mul__ = __rmul__ = __add__ = __radd__ = __xor__ = __rxor__ = __and__ = __rand__ = _raise
    __lshift__ = __rshift__ = __or__ = __ror__ = __index__ = __int__ = __lt__ = __gt__ = __le__ = __ge__ = _raise


def armed(s: Record) -> Any:
    """Return a copy of a blinded state with an `Unknown` in the place of every UNKNOWN."""
    copy = s.copy()
    for name in copy.fields:
        setattr(copy, name, _armed(getattr(copy, name)))
    return copy


def disarmed(s: Record) -> Any:
    """Return a copy of an armed state with UNKNOWN in the place of every `Unknown`."""
    copy = s.copy()
    for name in copy.fields:
        setattr(copy, name, _disarmed(getattr(copy, name)))
    return copy


def _armed(value: Any) -> Any:
    if isinstance(value, list):
        return [_armed(item) for item in value]
    if isinstance(value, Record):
        return armed(value)
    return Unknown() if value == UNKNOWN else value


def _disarmed(value: Any) -> Any:
    if isinstance(value, list):
        return [_disarmed(item) for item in value]
    if isinstance(value, Record):
        return disarmed(value)
    return UNKNOWN if isinstance(value, Unknown) else value


def hidden(s: Record) -> set[str]:
    """Return the paths of the values that are UNKNOWN, except in the events and the generator."""
    return {path for path, value in s.values() if value == UNKNOWN and not path.startswith(("events", "rng"))}


def shows_new(before: GameState, after: GameState) -> bool:
    """Tell whether a value outside the events was UNKNOWN in a seat's state before, and is known in that after."""
    pairs = [(getattr(before, name), getattr(after, name)) for name in after.fields if name != "events"]
    return any(_uncovers(was, now) for was, now in pairs if was != now)


def _uncovers(before: object, after: object) -> bool:
    """Tell whether any value that is UNKNOWN in `before` is known in `after`; both are values, lists or records."""
    if isinstance(before, list) and isinstance(after, list):
        return any(old != new and _uncovers(old, new) for old, new in zip(before, after, strict=True))
    if isinstance(before, Record):
        return any(_uncovers(getattr(before, name), getattr(after, name)) for name in before.fields)
    return bool(before == UNKNOWN != after)
