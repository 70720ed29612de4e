"""What a player can print of their own: decks, sets of cards, and the cards that changed since a version of a set."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.errors import QuintainError
from quintain.engine.rules.game import Game
from quintain.server.model.deck_lists import has_decks
from quintain.server.model.own_decks import KeptDecks
from quintain.server.model.own_sets import KeptSets, OwnSet, SetVersion
from quintain.server.pages.cards.listed import Listed, shown
from quintain.server.pages.cards.printing import Choice, deck_choices
from quintain.server.pages.cards.workshop_fields import with_first_arms
from quintain.server.workshop.differences import changed_cards
from quintain.server.workshop.drafts import entries_of, has_workshop

SET = "set:"
"""What stands before the id of a set of one's own; ``.`` and a version may follow, since which cards changed."""
VERSIONS = 5
"""The last versions of a set of which the changes can be printed."""


async def own_choices(decks: KeptDecks, sets: KeptSets, number: int | None, found: Game) -> list[Choice]:
    """Return the decks and sets of a player that can be printed; none for a visitor without a name."""
    if number is None:
        return []
    made = deck_choices(await decks.of_player(number, found.id), found) if has_decks(found) else []
    for own in await sets.of_player(number, found.id) if has_workshop(found) else []:
        made += set_choices(found, own, await sets.versions(own))
    return made


def set_choices(found: Game, own: OwnSet, versions: Sequence[SetVersion]) -> list[Choice]:
    """Return the choices for a set: all its cards, and those that changed since each of its last versions."""
    try:
        cards = _cards(found, own.valid)
    except QuintainError:
        return []  # the rules have changed since it was valid
    made = [Choice(f"{SET}{own.id}", f"Your set {own.name}: {len(cards)}", list(cards.values()))]
    entries = entries_of(found, own.valid)
    for each in versions[:VERSIONS]:
        changed = [entries[at].name for at in sorted(changed_cards(found, each.text, own.valid))]
        left = [cards[name] for name in changed if name in cards]
        if left:
            words = f"Your set {own.name}, changed since version {each.version}: {len(left)}"
            made.append(Choice(f"{SET}{own.id}.{each.version}", words, left))
    return made


def _cards(found: Game, text: str) -> dict[str, Listed]:
    """Return the cards that a set has of its own, by name."""
    names = {entry.name for entry in entries_of(found, text)}
    return {each.name: each for each in shown(found, with_first_arms(found, text)) if each.name in names}
