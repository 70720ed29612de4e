"""Lists of the cards of a set, as people build, save and share them: a name, and one card a line."""

from __future__ import annotations

import base64
import binascii
import secrets
import unicodedata
from collections.abc import Sequence

from quintain.engine.cards import CARD_NAME
from quintain.engine.errors import BadOption, QuintainError, nearest, quoted
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
    return tuple(name for _, name in _read_lines(choice, text))


def read_list_here(choice: SetChoice, text: str) -> tuple[str, ...]:
    """Return the cards of a list as `read_list` does, of which a table may want some more, but can take each.

    Raises BadOption, which names the line of a card that is not here, and of the first one that is too many.
    """
    names, clause = [*choice.taken], choice.parts[0].clause
    for number, name in _read_lines(choice, text):
        if name in choice.taken:
            continue
        if name not in choice.cards:
            raise BadOption(
                f"line {number}: there is no card {quoted(name)} here{nearest(name, choice.cards)} ({clause})"
            )
        if why_full(choice, names, name):
            part = choice.parts[choice.cards[name]]
            raise BadOption(
                f"line {number}: {name} is one too many: a set has {part.needed} {part.many} ({part.clause})"
            )
        names.append(name)
    return tuple(names)


def _read_lines(choice: SetChoice, text: str) -> list[tuple[int, str]]:
    """Return the cards of a list with the numbers of their lines; raises BadOption."""
    if len(text) > MOST_TEXT:
        raise BadOption(f"a list has at most {MOST_TEXT:,} characters, and this one has {len(text):,}")
    known = {name.casefold(): name for name in choice.cards}
    clause, lines = choice.parts[0].clause, dict[str, int]()
    for number, line in enumerate(text.splitlines(), 1):
        given = " ".join(line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
        if not given or given.startswith("#"):
            continue
        name = known.get(given.casefold(), given)
        if len(name) > LONGEST or not CARD_NAME.fullmatch(name):
            raise BadOption(f"line {number}: {quoted(given)} cannot be the name of a card ({clause})")
        if name in lines:
            raise BadOption(f"line {number}: {name} is named twice: a set has each card once ({clause})")
        lines[name] = number
    if not lines:
        raise BadOption(f"a set has cards: write one on each line ({clause})")
    if len(lines) > MOST_CARDS:
        raise BadOption(f"a list has at most {MOST_CARDS} cards, and this one has {len(lines)}")
    return [(number, name) for name, number in lines.items()]


def why_full(choice: SetChoice, names: Sequence[str], card: str) -> str:
    """Return why a set cannot take another card, with the clause; empty if it can."""
    part = choice.parts[choice.cards[card]]
    held = sum(choice.cards.get(name) == choice.cards[card] for name in names)
    return f"a set has {part.needed} {part.many}: put one back ({part.clause})" if held >= part.needed else ""


def changed_set(choice: SetChoice, names: Sequence[str], take: str, back: str) -> tuple[str, ...]:
    """Return a list after one card was put back and another one taken; each may be empty. Raises BadOption."""
    clause, kept = choice.parts[0].clause, list(names)
    if back:
        if back not in kept:
            raise BadOption(f"{quoted(back)} is not in the set")
        kept.remove(back)
    if take:
        if take not in choice.cards:
            raise BadOption(f"there is no card {quoted(take)} here ({clause})")
        if take in kept:
            raise BadOption(f"{take} is in the set: a set has each card once ({clause})")
        if full := why_full(choice, kept, take):
            raise BadOption(full)
        kept.append(take)
    return in_order(choice, kept)


def dealt_set(choice: SetChoice, names: Sequence[str]) -> tuple[str, ...]:
    """Return a list with the cards that are missing, drawn by chance."""
    kept, chance = list(names), secrets.SystemRandom()
    for number, part in enumerate(choice.parts):
        held = sum(choice.cards.get(name) == number for name in kept)
        free = [name for name, of in choice.cards.items() if of == number and name not in kept]
        kept += chance.sample(free, min(len(free), max(0, part.needed - held)))
    return in_order(choice, kept)


def in_order(choice: SetChoice, names: Sequence[str]) -> tuple[str, ...]:
    """Return cards in the order in which the game has them; those that it does not have come last."""
    places = {name: place for place, name in enumerate(choice.cards)}
    return tuple(sorted(names, key=lambda name: places.get(name, len(places))))


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
