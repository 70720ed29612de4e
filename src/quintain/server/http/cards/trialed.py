"""Finds the trial of a set or a deck, and what it has shown, for the page of its subject and for its own addresses."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.rules.game import Game
from quintain.lab.trials import POLICY
from quintain.server.http.site import Site
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.store.cards.player_decks import OwnDeck
from quintain.server.store.cards.player_sets import OwnSet, SetVersion
from quintain.server.workshop.subjects import MORE_OF_DECK, OF_DECK, Subject, deck_subject, set_key, set_subject


async def trial_of_set(site: Site, found: Game, own: OwnSet, versions: Sequence[SetVersion]) -> Subject:
    """Return the trial of a set, by the bots that played it last."""
    level = await site.trials.kept.last_level(set_key(own.id))
    return set_subject(found, own, versions, level or POLICY)


async def trial_of_deck(site: Site, found: Game, own: OwnDeck) -> Subject:
    """Return the trial of a deck: the long one, if it was begun."""
    more = deck_subject(found, own, MORE_OF_DECK)
    return more if await site.trials.kept.progress(more.id) else deck_subject(found, own, OF_DECK)


async def trialed_set(site: Site, found: Game, own: OwnSet, versions: Sequence[SetVersion]) -> Trialed:
    """Return what bots have found out about a set."""
    subject = await trial_of_set(site, found, own, versions)
    return Trialed(found, subject, *await site.trials.found(subject))


async def trialed_deck(site: Site, found: Game, own: OwnDeck) -> Trialed:
    """Return what bots have found out about a deck."""
    subject = await trial_of_deck(site, found, own)
    return Trialed(found, subject, *await site.trials.found(subject))
