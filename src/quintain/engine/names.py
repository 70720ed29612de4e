"""The names of players: which names are valid, which look alike, and how texts use them.

Games write ``seat 0`` and so on; `with_names` puts the players' names there for readers, and `with_tokens` puts
``seat 0`` back when a player types a move. The server uses `looks_like_one_of` so that nobody poses as somebody else.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

from quintain.engine.errors import BadOption, quoted

MOST_LETTERS, NUMBERED = 24, 21
"""The most characters of a name, and how many of them are kept when a number is put behind it."""
NAME = re.compile(r"[^\W_](?:[^\W_]|[ '-])*")
SEAT = re.compile(r"\bseat (\d+)\b")
"""The token that stands for a player in a game's words."""
HYPHEN = re.compile(r"(?<!\w)-(?=\d)")
"""A hyphen that a game's words have for a minus."""
MINUS = "\N{MINUS SIGN}"
MOST_PARTS = 4
"""The most characters that one letter with its accents may be made of."""
DIRECTION = "\u200e"
"""A mark that the data on confusable characters put around letters written from right to left."""
FILLERS = {"\u115f", "\u1160"}
"""Letters that are invisible."""


def plain(text: str) -> str:
    """Return a text in the form in which texts are compared: case and extra spaces do not count, nor which minus."""
    return " ".join(text.replace(MINUS, "-").split()).casefold()


def folded(name: str) -> str:
    """Return a name in the form in which names are compared, whatever their case, spaces and variants of letters."""
    return plain(unicodedata.normalize("NFKC", name))


def composed(name: str) -> str:
    """Return a name whose accents are composed (NFC). A name that is far too long stays as it is, to save time."""
    return unicodedata.normalize("NFC", name) if len(name) <= MOST_PARTS * MOST_LETTERS else name


def looks(name: str) -> frozenset[str]:
    """Return how a name looks, as it is written and in small letters. Names that share a look are confusable.

    Accents do not count, and letters and digits that Unicode calls confusable count as the same, across all scripts.

    >>> looks("\\u0410nn") & looks("Ann") != set()  # the first one begins with a Cyrillic letter
    True
    """
    return frozenset(plain(_skeleton(each)) for each in (name, folded(name)))


def looks_like_one_of(name: str, others: Iterable[str]) -> bool:
    """Tell whether a name looks like one of some others, or like one of them with a number behind it.

    Spaces do not count here, and an i may be written as 1, l or I. One or two characters after a space count as a
    number, whatever they are. For a long name the function also checks the part that a table keeps before a number.

    >>> looks_like_one_of("5quire", ["Squire"]), looks_like_one_of("squ1re-2", ["Squire"])
    (False, True)
    """
    written = unicodedata.normalize("NFKC", name)
    parts = [re.sub(r"[\d '-]+$|[ '-]+[^ '-]{1,2}$", "", part) for part in (written, written[:NUMBERED])]
    bare = {_letters(each) for part in (name, *parts) for each in looks(part)}
    return any(bare.intersection(map(_letters, looks(other))) for other in others)


def _letters(name: str) -> str:
    return re.sub("[ '-]", "", name).replace("l", "i")


def _skeleton(text: str) -> str:
    """Return a text without accents, in which one character stands for all characters that look like it."""
    shapes = unicodedata.normalize("NFKD", text).translate(_prototypes())
    return "".join(char for char in unicodedata.normalize("NFKD", shapes) if not unicodedata.combining(char))


@cache
def _prototypes() -> dict[int, str]:
    """Return the character that stands for each confusable character, by the latter's code point.

    The data link each confusable character with the one that stands for it, and that one with all of its group.
    """
    from confusable_homoglyphs.confusables import confusables_data as known

    found = {}
    for char, linked in known.items():
        bare, other = char.strip(DIRECTION), linked[0]["c"]
        if len(bare) == 1 and len(linked) == 1 and (len(known[other]) > 1 or other < char):
            found[ord(bare)] = other.strip(DIRECTION)
    return found


def is_name(name: object) -> bool:
    """Tell whether a value is a valid name: up to 24 visible letters, digits, spaces, hyphens and apostrophes.

    It begins with a letter or digit, and does not contain ``seat`` with a number, which would stand for a player.

    >>> is_name("Anna-Maria"), is_name("Anna\\u3164"), is_name("seat 1"), is_name(3)
    (True, False, False, False)
    """
    if not isinstance(name, str) or len(name) > MOST_LETTERS or name != name.strip() or not NAME.fullmatch(name):
        return False
    return not FILLERS.intersection(folded(name)) and not re.search(r"\bseat \d", folded(name))


def tokens(seats: int) -> list[str]:
    """Return what stands in texts for the names of players.

    >>> tokens(2)
    ['seat 0', 'seat 1']
    """
    return [f"seat {seat}" for seat in range(seats)]


def with_names(names: Sequence[str], text: str) -> str:
    """Return a text with the players' names in the place of ``seat 0`` and so on.

    >>> with_names(["Ann", "Bo"], "seat 1 knows seat 0's card")
    "Bo knows Ann's card"
    """
    if "seat " not in text:
        return text
    return SEAT.sub(lambda token: names[seat] if (seat := int(token[1])) < len(names) else token[0], text)


def worded(names: Sequence[str], text: str) -> str:
    """Return a text as people read it: with the players' names, and with minus signs. Records keep their hyphens."""
    return with_names(names, with_minus(text))


def with_minus(text: str) -> str:
    """Return a text with a minus sign in the place of each hyphen that stands for one.

    >>> print(ascii(with_minus("put -2 on Artois, Alan-a-Dale (-1)")))
    'put \\u22122 on Artois, Alan-a-Dale (\\u22121)'
    """
    return HYPHEN.sub(MINUS, text) if "-" in text else text


def capital(text: str) -> str:
    """Return a text with a capital at its beginning; the token of a seat there stays as it is.

    >>> capital("on a tie"), capital("seat 1 wins")
    ('On a tie', 'seat 1 wins')
    """
    return text if SEAT.match(text) else text[:1].upper() + text[1:]


def with_tokens(names: Sequence[str], text: str) -> str:
    """Return a text with ``seat 0`` and so on in the place of the players' names.

    >>> with_tokens(["Ann", "Ann Lee"], "strike ann  lee")
    'strike seat 1'
    """
    tokens = {plain(name): f"seat {seat}" for seat, name in enumerate(names)}
    any_name = "|".join(r"\s+".join(map(re.escape, name.split())) for name in sorted(tokens, key=len, reverse=True))
    return re.sub(rf"(?<!\w)({any_name})(?!\w)", lambda found: tokens[plain(found[1])], text, flags=re.I)


def check_bots(bots: Sequence[str | None], seats: int) -> Sequence[str | None]:
    """Return the bots, after checking that there is a bot's name or None for each seat; raises BadOption."""
    right = isinstance(bots, list | tuple) and all(bot is None or (isinstance(bot, str) and bot) for bot in bots)
    if not right or len(bots) != seats:
        raise BadOption(f"`bots` takes a bot's name or None for each of {seats} seats, not {quoted(bots)}")
    return bots


def check_names(names: Sequence[str], seats: int) -> Sequence[str]:
    """Return the players' names, composed, after checking them; raises BadOption."""
    if not isinstance(names, list | tuple):
        raise BadOption(f"names come in a list, not as {quoted(names)}")
    if len(names) != seats:
        raise BadOption(f"there are {len(names)} names for {seats} seats")
    names = [composed(name) if isinstance(name, str) else name for name in names]
    for name in names:
        if not is_name(name):
            raise BadOption(
                f"{quoted(name)} cannot be a player's name: it takes 1 to 24 letters, digits, spaces, hyphens and "
                "apostrophes, must begin with a letter or digit, and must not contain the word seat with a number"
            )
    if len(set(map(folded, names))) != seats:
        raise BadOption(f"the players' names must differ: {', '.join(names)}")
    return names
