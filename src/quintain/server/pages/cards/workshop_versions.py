"""The values for versions of a set: what each changed in words, two side by side, and a version that is shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quintain.engine.cards import CardEntry
from quintain.engine.errors import QuintainError
from quintain.engine.rules.game import Game
from quintain.server.model.own_sets import OwnSet, SetVersion, SharedSet
from quintain.server.pages.cards.listed import Listed, shown
from quintain.server.pages.cards.workshop_fields import drawn_card, with_first_arms
from quintain.server.pages.cards.workshop_options import option_changes
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import day_of
from quintain.server.refused import Refused
from quintain.server.workshop.differences import ADDED, REMOVED, differences
from quintain.server.workshop.drafts import base_draft, entries_of, kind_of, parts_of
from quintain.server.workshop.renames import keyed

MOST_TOLD, MOST_COMPARED = 6, 60
"""The changed cards that a version tells in words, and that two versions show side by side."""
VERSIONS_TOLD = 4
"""The versions that are told in words; of older ones the page has the dates alone."""
NO_RESULTS: Mapping[int, str] = {}
DRAFT, BASE = "draft", "base"
"""What stands for the draft, and for the base set, where a version is named."""


def versions_context(
    found: Game, own: OwnSet, versions: Sequence[SetVersion], results: Mapping[int, str] = NO_RESULTS
) -> Context:
    """Return the draft and the versions of a set, the newest first, each with what it changed.

    `results` has a line on the balance of those versions that bots have played, by their numbers.
    """
    texts = [*(each.text for each in versions), None]
    told = [
        {
            "number": each.version,
            "at": day_of(each.at),
            "changes": _told(found, texts[place + 1], each.text) if place < VERSIONS_TOLD else None,
            "is_now": each.text == own.draft,
            "result": results.get(each.version, ""),
        }
        for place, each in enumerate(versions)
    ]
    before = versions[0].text if versions else base_draft(found)
    is_draft = not versions or own.draft != before
    return {
        "next_version": own.version + 1,
        "draft_changes": _told(found, before, own.draft) if is_draft else None,
        "versions": told[:VERSIONS_TOLD],
        "older": told[VERSIONS_TOLD:],
        "last_version": versions[0].version if versions else None,
    }


def _told(found: Game, before: str | None, text: str) -> Context:
    """Return the changes between two versions in words, as many as are told; the first version has none before it."""
    if before is None:
        return {"rows": [], "more": 0, "is_first": True, "options": []}
    changes = differences(found, before, text)
    rows = [
        {
            "name": change.name,
            "was": change.was,
            "is_added": change.how == ADDED,
            "is_removed": change.how == REMOVED,
            "parts": [part._asdict() for part in change.parts],
        }
        for change in changes[:MOST_TOLD]
    ]
    options = option_changes(found, before, text)
    return {"rows": rows, "more": max(0, len(changes) - MOST_TOLD), "is_first": False, "options": options}


def text_of_version(found: Game, own: OwnSet, versions: Sequence[SetVersion], name: str) -> str:
    """Return the text of a version by its number, of the draft or of the base set; raises Refused."""
    if name in (DRAFT, BASE):
        return own.draft if name == DRAFT else base_draft(found)
    text = next((each.text for each in versions if str(each.version) == name), None)
    if text is None:
        raise Refused(404, "there is no such version of this set: the oldest ones are not kept")
    return text


def compared(found: Game, own: OwnSet, versions: Sequence[SetVersion], old: str, new: str) -> Context:
    """Return two versions side by side: each card that differs, as it was and as it is."""
    names = [DRAFT, *(str(each.version) for each in versions), BASE]
    before, text = (text_of_version(found, own, versions, name) for name in (old, new))
    changes = differences(found, before, text)
    sides = [_drawn(found, before), _drawn(found, text)]
    rows = [
        {
            "name": change.name,
            "was": change.was,
            "kind": kind_of(parts_of(found)[1], change.kind).words,
            "is_added": change.how == ADDED,
            "is_removed": change.how == REMOVED,
            "parts": [part._asdict() for part in change.parts],
            "old": None if change.how == ADDED else sides[0].get((change.kind, change.was or change.name)),
            "new": None if change.how == REMOVED else sides[1].get((change.kind, change.name)),
        }
        for change in changes[:MOST_COMPARED]
    ]
    return {
        "old": old,
        "new": new,
        "old_words": version_words(old),
        "new_words": version_words(new),
        "choices": [{"value": name, "words": version_words(name)} for name in names],
        "changes": rows,
        "options": option_changes(found, before, text),
        "more": max(0, len(changes) - MOST_COMPARED),
    }


def version_words(name: str) -> str:
    """Return what a version is called."""
    return {DRAFT: "the draft", BASE: "the base set"}.get(name, f"version {name}")


def _drawn(found: Game, text: str) -> dict[tuple[str, str], Listed]:
    """Return the cards of a set as templates draw them, by kind and name; none if the set is not valid."""
    try:
        cards = with_first_arms(found, text)
    except QuintainError:
        return {}
    made = {}
    for kind, name, _ in keyed(entries_of(found, text)):
        if drawn := drawn_card(found, cards, CardEntry(kind, 1, {"name": name})):
            made[kind, name] = drawn
    return made


def shared_context(found: Game, shared: SharedSet) -> Context:
    """Return a version that somebody shares: its cards, and what differs from the base set."""
    try:
        cards = shown(found, with_first_arms(found, shared.text))
    except QuintainError:  # a newer version of the game refuses what an older one took
        cards = []
    kept = {entry.name for entry in entries_of(found, shared.text)}
    return {
        "name": shared.name,
        "by": shared.player,
        "version": shared.version,
        "at": day_of(shared.at),
        "cards": [card for card in cards if card.name in kept],
        "changes": _told(found, base_draft(found), shared.text),
    }
