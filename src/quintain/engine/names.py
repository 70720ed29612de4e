"""Names that people give: which there may be, and which look the same."""

import re
import unicodedata
from collections.abc import Sequence

LONGEST = 24
NAME = re.compile(r"[^\W_](?:[^\W_]|[ '-])*")
SEAT = re.compile(r"\bseat (\d+)\b")
"""What stands for a player."""
FILLERS = {"\u115f", "\u1160"}
"""Letters that nobody sees."""


def plain(text: str) -> str:
    """Return a text as it is compared: the size of letters and the number of blanks do not count."""
    return " ".join(text.split()).casefold()


def alike(name: str) -> str:
    """Return what is the same for names that look the same."""
    return plain(unicodedata.normalize("NFKC", name))


def is_name(name: object) -> bool:
    """Tell whether this can be a name: up to 24 letters, digits, blanks, hyphens and apostrophes, all to be seen.

    It begins with a letter or digit, and does not hold ``seat`` with a number, which stands for a player.

    >>> is_name("Anna-Maria"), is_name("Anna\\u3164"), is_name("seat 1"), is_name(3)
    (True, False, False, False)
    """
    if not isinstance(name, str) or len(name) > LONGEST or name != name.strip() or not NAME.fullmatch(name):
        return False
    return not FILLERS.intersection(alike(name)) and not re.search(r"\bseat \d", alike(name))


def with_names(names: Sequence[str], text: str) -> str:
    """Put the players' names in the place of ``seat 0`` and so on.

    >>> with_names(["Ann", "Bo"], "seat 1 knows seat 0's card")
    "Bo knows Ann's card"
    """
    if "seat " not in text:
        return text
    return SEAT.sub(lambda token: names[seat] if (seat := int(token[1])) < len(names) else token[0], text)
