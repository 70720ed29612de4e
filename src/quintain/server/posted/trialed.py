"""What is posted about trials by bots, and what they have shown of a set or a deck, for its page."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.rules.game import Game
from quintain.lab.trials import POLICY
from quintain.server.model.own_decks import OwnDeck
from quintain.server.model.own_sets import OwnSet, SetVersion
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.balance.whole_report import balance_line
from quintain.server.pages.cards.workshop_versions import VERSIONS_TOLD
from quintain.server.posted.posts import Posted
from quintain.server.turns import Asker
from quintain.server.workshop.bench import Bench
from quintain.server.workshop.subjects import (
    MORE_OF_DECK,
    OF_DECK,
    Subject,
    deck_subject,
    set_key,
    set_subject,
    trial_level,
    version_subjects,
)
from quintain.server.workshop.trial_work import unpack_found
from quintain.server.workshop.trials import Trials


class TrialOfSet(Posted):
    """Which bots play, and whether they play all games `to_end`, also when the verdict is certain."""

    level: str = POLICY
    to_end: bool = False

    async def begin(self, trials: Trials, found: Game, own: OwnSet, versions: Sequence[SetVersion]) -> None:
        """Let bots play games with a set; raises Refused if they cannot."""
        await trials.begin(set_subject(found, own, versions, trial_level(self.level)), own.number, to_end=self.to_end)


class TrialOfDeck(Posted):
    """Whether bots play many games with the deck, `more`, in place of 200."""

    more: bool = False

    async def begin(self, trials: Trials, found: Game, own: OwnDeck) -> None:
        """Let bots play games with a deck; raises Refused if they cannot."""
        subject = deck_subject(found, own, MORE_OF_DECK if self.more else OF_DECK)
        await trials.begin(subject, own.number, to_end=True)


async def trial_of_set(trials: Trials, found: Game, own: OwnSet, versions: Sequence[SetVersion]) -> Subject:
    """Return the trial of a set, by the bots that played it last."""
    level = await trials.kept.last_level(set_key(own.id))
    return set_subject(found, own, versions, level or POLICY)


async def trial_of_deck(trials: Trials, found: Game, own: OwnDeck) -> Subject:
    """Return the trial of a deck: the long one, if it was begun."""
    more = deck_subject(found, own, MORE_OF_DECK)
    return more if await trials.kept.progress(more.id) else deck_subject(found, own, OF_DECK)


async def trialed_set(trials: Trials, found: Game, own: OwnSet, versions: Sequence[SetVersion]) -> Trialed:
    """Return what bots have found out about a set."""
    subject = await trial_of_set(trials, found, own, versions)
    return Trialed(found, subject, *await trials.found(subject))


async def version_results(
    trials: Trials, bench: Bench, asker: Asker, found: Game, own: OwnSet, versions: Sequence[SetVersion]
) -> dict[int, str]:
    """Return a line on the balance of each of the last versions of a set that bots have played, by their numbers."""
    ids = await bench.work(asker, version_subjects, found, own, versions, VERSIONS_TOLD)
    kept = sorted((await trials.kept.all_of(ids)).values(), key=lambda trial: trial.games)
    lines = {ids[trial.id]: balance_line(unpack_found(trial.found).figures) for trial in kept if trial.found}
    return {version: line for version, line in lines.items() if line}


async def trialed_deck(trials: Trials, found: Game, own: OwnDeck) -> Trialed:
    """Return what bots have found out about a deck."""
    subject = await trial_of_deck(trials, found, own)
    return Trialed(found, subject, *await trials.found(subject))
