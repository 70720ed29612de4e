"""Finds the trial of a set or a deck, and what it has shown, for the page of its subject and for its own addresses."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.rules.game import Game
from quintain.lab.trials import POLICY
from quintain.server.http.site import Site
from quintain.server.model.own_decks import OwnDeck
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.balance.whole_report import balance_line
from quintain.server.pages.cards.workshop_versions import VERSIONS_TOLD
from quintain.server.store.cards.player_sets import OwnSet, SetVersion
from quintain.server.turns import Asker
from quintain.server.workshop.subjects import (
    MORE_OF_DECK,
    OF_DECK,
    Subject,
    deck_subject,
    set_key,
    set_subject,
    version_subjects,
)
from quintain.server.workshop.trial_work import unpack_found


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


async def version_results(
    site: Site, asker: Asker, found: Game, own: OwnSet, versions: Sequence[SetVersion]
) -> dict[int, str]:
    """Return a line on the balance of each of the last versions of a set that bots have played, by their numbers."""
    ids = await site.archive.bench.work(asker, version_subjects, found, own, versions, VERSIONS_TOLD)
    kept = sorted((await site.trials.kept.all_of(ids)).values(), key=lambda trial: trial.games)
    lines = {ids[trial.id]: balance_line(unpack_found(trial.found).figures) for trial in kept if trial.found}
    return {version: line for version, line in lines.items() if line}


async def trialed_deck(site: Site, found: Game, own: OwnDeck) -> Trialed:
    """Return what bots have found out about a deck."""
    subject = await trial_of_deck(site, found, own)
    return Trialed(found, subject, *await site.trials.found(subject))
