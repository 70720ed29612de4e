"""The names that people give to their sets."""

from __future__ import annotations

import unicodedata

from quintain.engine.errors import BadOption
from quintain.server.model.talk import cleaned

MOST_NAME = 40
"""Characters of a set's name."""


def set_name(given: str) -> str:
    """Return the name of a set as it is kept: on one line, without invisible signs; raises BadOption.

    >>> set_name(" Hedge\\tKnights ")
    'Hedge Knights'
    """
    wrong = BadOption(f"the name of a set has 1 to {MOST_NAME} characters")
    if not given.strip() or len(given) > 4 * MOST_NAME:
        raise wrong
    name = unicodedata.normalize("NFC", cleaned(given))
    if len(name) > MOST_NAME:
        raise wrong
    return name
