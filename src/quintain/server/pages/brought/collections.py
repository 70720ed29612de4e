"""The cards that a player owns: made ready for a table, and shown on the player's page."""

from __future__ import annotations

from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games
from quintain.engine.rules.seat_options import owned_cards
from quintain.server.model.seat_choices import owned_part
from quintain.server.pages.archive import Archive
from quintain.server.pages.cards.listed import shown_cards
from quintain.server.pages.rendering import Context
from quintain.server.refused import Refused


async def ready_cards(archive: Archive, number: int, found: Game) -> None:
    """Deal a player a starter who owns no cards yet; raises Refused in a game in which nobody owns any."""
    part = owned_part(found)
    async with archive.tables.bringing_cards:
        if not await archive.collections.of_player(number, found.id):
            await archive.collections.deal(number, found, part)


async def deal_anew(archive: Archive, number: int, found: Game) -> None:
    """Deal a player a new starter in the place of cards that are too few to play with; raises Refused otherwise."""
    part = owned_part(found)
    cards = [card.name for card in await archive.collections.of_player(number, found.id)]
    if not part.lacks(cards, _usual(found)):
        raise Refused(409, "a new starter is for those who have too few cards left to play with")
    if await archive.collections.in_play(number, found.id):
        raise Refused(409, "you play with your own cards at a table: finish that game first")
    await archive.collections.deal(number, found, part)


async def collections_context(archive: Archive, number: int) -> list[Context]:
    """Return the collections of a player, for their page: the cards of each game in which they own some, by kind."""
    shown = []
    for found in all_games():
        part = owned_cards(found)
        cards = await archive.collections.of_player(number, found.id) if part else []
        if part is None or not cards or found.collection is None:
            continue
        names = await archive.store.persons({card.giver for card in cards if card.giver is not None})
        kinds = {card.name: card.kind for card in found.collection.cards("")}
        drawn = {each.name: each for each in shown_cards(found).values()}
        by_kind: dict[str, list[Context]] = {}
        for card in sorted(cards, key=lambda card: card.name):
            giver = names.get(card.giver) if card.giver is not None else None
            won_from = "" if card.giver is None else giver.name if giver and giver.name else "a player who has left"
            by_kind.setdefault(kinds.get(card.name, "Other cards"), []).append(
                {"name": card.name, "from": won_from, "card": drawn.get(card.name)}
            )
        shown.append(
            {
                "game": found.id,
                "title": found.title,
                "number": len(cards),
                "won": sum(card.giver is not None for card in cards),
                "kinds": [{"title": kind, "cards": each} for kind, each in by_kind.items()],
                "lacks": part.lacks([card.name for card in cards], _usual(found)),
            }
        )
    return shown


async def collections_data(archive: Archive, number: int) -> list[Context]:
    """Return the collections of a player for programs: the same without the pictures of the cards."""
    found = await collections_context(archive, number)
    for kind in (kind for each in found for kind in each["kinds"]):
        kind["cards"] = [{"name": card["name"], "from": card["from"]} for card in kind["cards"]]
    return found


def _usual(found: Game) -> dict[str, object]:
    return found.read_options(found.seats[2], {})
