"""Lists of the cards of a set, as people save and share them: a name, and one card a line."""

from __future__ import annotations

import base64
import binascii
import unicodedata

from quintain.engine.cards import CARD_NAME
from quintain.engine.errors import BadOption, QuintainError, quoted
from quintain.engine.rules.collection import SetChoice
from quintain.server.model.talk import cleaned

MOST_NAME, MOST_TEXT, MOST_CARDS, MOST_CODE = 40, 4000, 64, 6000
"""Characters of the name of a set, characters and cards of a list, and characters of a link that holds one."""
LONGEST = 60
"""Characters of the name of a card."""


def set_name(given: str) -> str:
    """Return the name of a set as it is kept: on one line, without invisible signs; raises BadOption."""
    if len(given) > 4 * MOST_NAME:
        raise BadOption(f"the name of a set has at most {MOST_NAME} characters")
    if not given.strip():
        raise BadOption("give the set a name")
    name = unicodedata.normalize("NFC", cleaned(given))
    if len(name) > MOST_NAME:
        raise BadOption(f"the name of a set has at most {MOST_NAME} characters")
    return name


def read_list(choice: SetChoice, text: str) -> tuple[str, ...]:
    """Return the cards of a list, with the names as this game writes them; raises BadOption, which names the line.

    Cards that the game does not have are kept: they may belong to a set of cards of somebody's own.
    """
    if len(text) > MOST_TEXT:
        raise BadOption(f"a list has at most {MOST_TEXT:,} characters, and this one has {len(text):,}")
    known = {name.casefold(): name for name in choice.cards}
    clause, names = choice.parts[0].clause, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        given = " ".join(line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
        if not given or given.startswith("#"):
            continue
        name = known.get(given.casefold(), given)
        if len(name) > LONGEST or not CARD_NAME.fullmatch(name):
            raise BadOption(f"line {number}: {quoted(given)} cannot be the name of a card ({clause})")
        if name in names:
            raise BadOption(f"line {number}: {name} is named twice: a set has each card once ({clause})")
        names.append(name)
    if not names:
        raise BadOption(f"a set has cards: write one on each line ({clause})")
    if len(names) > MOST_CARDS:
        raise BadOption(f"a list has at most {MOST_CARDS} cards, and this one has {len(names)}")
    return tuple(names)


def code_of(name: str, names: tuple[str, ...]) -> str:
    """Return a name and a list as the last part of a link, which holds both.

    >>> read_code(code_of("Greenwood", ("Little John", "Tax Day")))
    ('Greenwood', 'Little John\\nTax Day')
    """
    return base64.urlsafe_b64encode("\n".join([name, *names]).encode()).decode().rstrip("=")


def read_code(code: str) -> tuple[str, str]:
    """Return the name and the text of the list that a link holds; raises BadOption if it holds none."""
    wrong = BadOption("this link holds no set: ask for it once more, or for the set as text")
    if len(code) > MOST_CODE or not code.isascii():
        raise wrong
    try:
        text = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True).decode()
        name, _, rest = text.partition("\n")
        return set_name(name), rest
    except (binascii.Error, UnicodeDecodeError, ValueError, QuintainError) as error:
        raise wrong from error
