"""A player's own decks where a table is made: which can be chosen, and what is played if one is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from quintain.engine.rules.game import Game
from quintain.server.model.deck_lists import decks_of, has_decks, is_legal
from quintain.server.model.own_decks import OWN, KeptDecks, OwnDeck
from quintain.server.pages.cards.deck_summary import verdict
from quintain.server.pages.forms import option_field
from quintain.server.pages.rendering import Context
from quintain.server.refused import Refused

FindDeck = Callable[[str], Awaitable[OwnDeck]]
"""Returns a deck that may be played, by its id; raises Refused if there is none."""


async def own_decks(decks: KeptDecks, number: int | None, found: Game, of: str = "") -> list[Context]:
    """Return the legal decks of a player, in the form in which the ready-made ones are offered.

    If they are somebody else's, `of` names that person: then nobody else reads their lists.
    """
    if number is None or not has_decks(found):
        return []
    laws_of, offered = decks_of(found), []
    for each in await decks.of_player(number, found.id):
        deck = laws_of.read_unfinished(each.text, "")
        if is_legal(found, deck):
            title, about = (f"{each.name} ({of})", "") if of else (each.name, "A deck of your own.")
            told = {"title": title, "about": about, "legal": verdict(laws_of.laws(deck, ""))}
            offered.append({"name": f"{OWN}{each.id}", **told, "text": "" if of else each.text.strip()})
    return offered


async def with_own_lists(find: FindDeck, found: Game, posted: Mapping[str, object]) -> Mapping[str, object]:
    """Return what was posted for a new table, with the lists of own decks in the place of their ids.

    Raises Refused for a deck that may not be played there, or that breaks a law.
    """
    if not has_decks(found):
        return posted
    option = decks_of(found).option
    options, meant = posted.get("options"), dict(posted)

    async def played(given: object) -> object:
        return await played_deck(find, found, given) if isinstance(given, str) else given

    for name, given in posted.items():
        if name.startswith(option_field(option)):
            meant[name] = await played(given)
    if isinstance(options, dict) and isinstance(options.get(option), list):
        meant["options"] = {**options, option: [await played(given) for given in options[option]]}
    return meant


async def played_deck(find: FindDeck, found: Game, given: str) -> str:
    """Return the list of an own deck that is given by its id; any other deck as it is given.

    Raises Refused for a deck that may not be played there, or that breaks a law.
    """
    if not given.startswith(OWN):
        return given
    own = await find(given.removeprefix(OWN))
    laws = decks_of(found).laws(decks_of(found).read_unfinished(own.text, ""), "")
    if not all(law.is_kept for law in laws):
        raise Refused(422, f"{own.name} cannot be played yet: {verdict(laws)}")
    return own.text
