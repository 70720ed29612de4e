"""The UNKNOWN that raises when it is used, on which the checks of secrecy stand."""

import pytest

from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.seen.unknown import Unknown, UsedUnknown


def test_the_armed_unknown_raises_when_it_is_used():
    unknown = Unknown()
    assert unknown == UNKNOWN
    assert (unknown != UNKNOWN) is False
    for use in (
        lambda: unknown == 3,
        lambda: unknown + 1,
        lambda: [1][unknown],
        lambda: not unknown,
        lambda: f"{unknown}",
    ):
        with pytest.raises(UsedUnknown):
            use()
