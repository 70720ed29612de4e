"""What trials are about: a set before and after its last changes, or a deck against those that are ready made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.trials import POLICY
from quintain.lab.verdicts import MOST
from quintain.server.model.deck_lists import decks_of
from quintain.server.model.own_decks import OwnDeck
from quintain.server.model.own_sets import OwnSet, SetVersion
from quintain.server.workshop.drafts import base_draft, parts_of
from quintain.server.workshop.renames import under_new_names
from quintain.server.workshop.set_options import given_options, seats_of
from quintain.server.workshop.trial_work import TrialOrder

OF_DECK, MORE_OF_DECK = 200, 5000
"""The games that bots play with a deck, and those that they play if somebody wants to know more."""

WRONG = "something is wrong in the set: bots play it when all its cards are right"


class TrialLevel(NamedTuple):
    """Bots that play trials: what they are called, how often a game counts, and the games of a set on each side."""

    words: str
    weight: int
    most: int


LEVELS: Mapping[str, TrialLevel] = {
    POLICY: TrialLevel("Quick bots", 1, MOST),
    "page": TrialLevel("Pages", 50, 400),
    "squire": TrialLevel("Squires", 50, 400),
}
"""The bots that are quick enough, the quickest first: each plays by the game's own policy, or at a level."""


class Subject(NamedTuple):
    """What a trial is about: its key, what is played, what both sides are called, and the `name` of the set or deck.

    `order` is None if bots cannot play it now; then `why_not` says why.
    """

    key: str
    order: TrialOrder | None
    before: str = ""
    now: str = ""
    why_not: str = ""
    level: str = POLICY
    name: str = ""

    @property
    def id(self) -> str:
        """The key of the trial's row; empty if there is nothing to play."""
        return self.order.id(self.key) if self.order else ""


def set_key(set_id: str) -> str:
    """Return the key of the trials of a set."""
    return f"set:{set_id}"


def deck_key(deck_id: str) -> str:
    """Return the key of the trials of a deck."""
    return f"deck:{deck_id}"


def trial_level(name: str) -> str:
    """Return the name of a level; raises BadOption if bots of it play no trials."""
    if name not in LEVELS:
        raise BadOption(f"bots play trials at the levels {', '.join(LEVELS)}, and no others")
    return name


def set_subject(found: Game, own: OwnSet, versions: Sequence[SetVersion], level: str) -> Subject:
    """Return the trial of the draft of a set: before it was its last version that is not the same, or the base set."""
    key = set_key(own.id)
    if own.valid != own.draft:
        return Subject(key, None, why_not=WRONG, level=level, name=own.name)
    before, words = _before(found, own, versions)
    before = under_new_names(found, before, own.draft)
    seats = [seats_of(found, given_options(found, text)) for text in (before, own.draft)]
    if seats[0] != seats[1]:
        words = f"{words}, with {seats[1]} players"
    is_saved = bool(versions) and versions[0].text == own.draft
    order = TrialOrder(found.id, parts_of(found)[0].option, before, own.draft, False, level, LEVELS[level].most)
    now = f"version {own.version}" if is_saved else "the draft"
    return Subject(key, order, words, now, level=level, name=own.name)


def version_subjects(found: Game, own: OwnSet, versions: Sequence[SetVersion], most: int) -> dict[str, int]:
    """Return the ids of the trials that the last versions of a set had, each with the number of its version."""
    ids = dict[str, int]()
    for place, each in enumerate(versions[:most]):
        as_it_was = own._replace(draft=each.text, valid=each.text)
        for level in LEVELS:
            ids[set_subject(found, as_it_was, versions[place:], level).id] = each.version
    return ids


def _before(found: Game, own: OwnSet, versions: Sequence[SetVersion]) -> tuple[str, str]:
    """Return the set with which a draft is compared, and what it is called."""
    for each in versions:
        if each.text != own.draft:
            return each.text, f"version {each.version}"
    return base_draft(found), "the base set"


def deck_subject(found: Game, own: OwnDeck, most: int) -> Subject:
    """Return the trial of a deck against the ready-made ones, which is the same before and after."""
    decks, key = decks_of(found), deck_key(own.id)
    broken = next((law for law in decks.laws(decks.read_unfinished(own.text, ""), "") if not law.is_kept), None)
    if broken:
        return Subject(key, None, why_not=f"the deck is not legal yet: {broken.fault} ({broken.clause})", name=own.name)
    return Subject(key, TrialOrder(found.id, decks.option, own.text, own.text, True, POLICY, most), name=own.name)
