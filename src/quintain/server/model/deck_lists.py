"""Lists of decks that players keep: their names, changes of a list, and links that hold a whole list.

A list is kept as the text that `Decks.write` makes of it, so two lists of the same cards are the same text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import cycle, islice
from typing import Any

from quintain.engine.errors import BadDeck, BadOption, QuintainError, UnknownGame
from quintain.engine.rules.decks import DeckList, Decks
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.link_codes import packed, unpacked
from quintain.server.model.talk import cleaned

MOST_NAME, MOST_TEXT, MOST_CODE = 40, 10_000, 6_000
"""Characters of a deck's name, of a list with its remarks, and of the part of a link that holds a list."""
NAME = "# "
"""What stands before the name of a deck in a list that is shared."""
LISTS_KNOWN = 1024
"""The lists whose texts are remembered, so that the games of a player are not read again for each page."""


def decks_of(found: Game) -> Decks:
    """Return the decks of a game; raises UnknownGame for a game without any."""
    if found.collection is None or found.collection.decks is None:
        raise UnknownGame(f"in {found.title} players bring no decks")
    return found.collection.decks


def has_decks(found: Game) -> bool:
    """Tell whether players of a game bring decks."""
    return found.collection is not None and found.collection.decks is not None


def deck_name(given: str) -> str:
    """Return the name of a deck as it is kept: on one line, without invisible signs; raises BadOption."""
    name = unicodedata.normalize("NFC", cleaned(given[: 4 * MOST_NAME]))
    if len(name) > MOST_NAME or len(given) > 4 * MOST_NAME:
        raise BadOption(f"the name of a deck has at most {MOST_NAME} characters")
    return name


def kept_list(found: Game, given: str) -> str:
    """Return a list as it is kept, which may be unfinished; raises BadDeck, which names the line."""
    if len(given) > MOST_TEXT:
        raise BadDeck(f"a list has at most {MOST_TEXT:,} characters, and this one has {len(given):,}")
    decks = decks_of(found)
    return decks.write(decks.read_unfinished(given, ""), "")


def changed_list(found: Game, text: str, card: str, by: int) -> str:
    """Return a list with more or fewer copies of a card; raises BadDeck if a deck cannot have so many."""
    decks = decks_of(found)
    place = decks.places("").get(card)
    if place is None:
        raise BadDeck(f"{found.title} has no card of this name")
    deck = {section: dict(pile) for section, pile in decks.read_unfinished(text, "").items()}
    pile = deck.setdefault(place.section, {})
    copies = pile.get(card, 0) + by
    if by > 0 and copies > place.most:
        raise BadDeck(f"{place.why} ({place.clause})")
    pile[card] = max(0, copies)
    if not pile[card]:
        del pile[card]
    return decks.write(deck, "")


def is_legal(found: Game, deck: DeckList) -> bool:
    """Tell whether a deck keeps all laws."""
    return all(law.is_kept for law in decks_of(found).laws(deck, ""))


def code_of(name: str, text: str) -> str:
    """Return a name and a list as the last part of a link, which holds both.

    >>> read_code(code_of("My deck", "Main\\n1 Kay\\n"))
    ('My deck', 'Main\\n1 Kay\\n')
    """
    return packed(f"{NAME}{name}\n{text}")


def read_code(code: str) -> tuple[str, str]:
    """Return the name and the list that a link holds; raises BadDeck if it holds none."""
    wrong = BadDeck("this link holds no deck: ask for it once more, or for the deck as text")
    if len(code) > MOST_CODE:
        raise wrong
    try:
        first, _, rest = unpacked(code, MOST_TEXT).partition("\n")
        if not first.startswith(NAME):
            raise wrong
        return deck_name(first.removeprefix(NAME)), rest
    except (ValueError, BadOption) as error:
        raise wrong from error


def list_played(game_id: str, options: Mapping[str, Any], seats: int, seat: int) -> str | None:
    """Return the list that a seat played in a game with these options, as it is kept; None if it cannot be read."""
    try:
        found = game(game_id)
        decks = decks_of(found)
        given = options.get(decks.option)
        if not isinstance(given, list) or not given or found.collection is None:
            return None
        own = str(options.get(found.collection.option, ""))
        return _list_of(found, next(islice(islice(cycle(given), seats), seat, None)), own)
    except (QuintainError, StopIteration):
        return None


@lru_cache(LISTS_KNOWN)
def _list_of(found: Game, given: str, own: str) -> str:
    decks = decks_of(found)
    return decks.write(decks.read(given, own), own)
