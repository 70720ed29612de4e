"""The values for the pages of the workshop: a player's sets, one set, two versions of it, and a shared set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quintain.engine.rules.game import Game
from quintain.lab.trials import POLICY
from quintain.server.clock import now
from quintain.server.model.own_sets import MOST_SETS, OwnSet, SetVersion, SharedSet
from quintain.server.pages.brought.played_sets import play_url
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.balance.whole_report import report_context
from quintain.server.pages.cards.tabs import WORKSHOP, frame_context
from quintain.server.pages.cards.workshop_cards import card_url, cards_context, cards_left
from quintain.server.pages.cards.workshop_fields import fault_words
from quintain.server.pages.cards.workshop_options import options_context, options_said
from quintain.server.pages.cards.workshop_tables import is_of_tables, tables
from quintain.server.pages.cards.workshop_versions import NO_RESULTS, compared, shared_context, versions_context
from quintain.server.pages.contexts import page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.words import day_of, sentence
from quintain.server.people.players import Visitor
from quintain.server.workshop.differences import called, changed_cards
from quintain.server.workshop.drafts import (
    base_draft,
    card_faults,
    entries_of,
    faulty_cards,
    first_fault,
    form_of_card,
    parts_of,
)
from quintain.server.workshop.names import MOST_NAME
from quintain.server.workshop.set_options import given_options
from quintain.server.workshop.subjects import set_subject

SOON, MINUTE, HOUR = 50, 60, 3600
MOST_WRONG = 3
"""The wrong cards that are named at the top of a set."""
NOTHING_BROUGHT: Context = {"text": "", "title": "", "wrong": None}


def workshop_url(found: Game) -> str:
    """Return the address of a game's workshop."""
    return f"/cards/{found.id}/{WORKSHOP}"


def set_url(own: OwnSet) -> str:
    """Return the address of a player's set."""
    return f"/cards/{own.game}/{WORKSHOP}/{own.id}"


def workshop_context(
    found: Game, visitor: Visitor, mine: Sequence[OwnSet], brought: Context = NOTHING_BROUGHT
) -> Context:
    """Return the values for the list of a visitor's sets, and the ways to begin one.

    `brought` is what somebody has tried to bring, with what is wrong with it.
    """
    kind = next(kind for kind in parts_of(found)[1].kinds if not (kind.is_table or kind.only_base))
    return {
        **frame_context(visitor, found, WORKSHOP, f"Workshop, {found.title}"),
        **_paths(found),
        "mine": [
            {
                "name": own.name,
                "href": set_url(own),
                "version": own.version,
                "differs": _differs(found, own.draft),
                "saved": saved_words(own.changed),
                "is_valid": own.valid == own.draft,
            }
            for own in mine
        ],
        "begin_words": f"{kind.least} {kind.plural}" if kind.least > 1 else "one card",
        "base_cards": len(entries_of(found, base_draft(found))),
        "most_sets": MOST_SETS,
        "most_name": MOST_NAME,
        "as_tables": is_of_tables(found),
        "brought": brought,
    }


def set_context(
    found: Game,
    visitor: Visitor,
    own: OwnSet,
    versions: Sequence[SetVersion],
    query: Mapping[str, str],
    base_url: str,
    said: str = "",
    trialed: Trialed | None = None,
    results: Mapping[int, str] = NO_RESULTS,
) -> Context:
    """Return the values for a set: its list, the form of a card or its tables, its balance, its versions, its buttons.

    `said` is why the last change was refused, `trialed` is what bots have found out about the set, and `results` has a
    line on that for each version.
    """
    before, as_tables = compared_with(found, versions), is_of_tables(found)
    trialed = trialed or Trialed(found, set_subject(found, own, versions, POLICY), None)
    wrong, href = faulty_cards(found, own.draft), set_url(own)
    shown = _shown(found, own, before, wrong, query, trialed)
    return {
        **frame_context(visitor, found, WORKSHOP, f"{own.name}, a set for {found.title}"),
        **_paths(found),
        **shown,
        **versions_context(found, own, versions, results),
        **_facts(found, visitor, own),
        **_standing(found, own, wrong, is_saved=bool(versions) and own.draft == before),
        "play_url": play_url(own),
        "said": said,
        "balance": set_panel(own, trialed, shown["query"], shown["first"]),
        "as_tables": as_tables,
        "compare_url": f"{href}/compare",
        **_link(found, versions, base_url),
        **options_context(found, own.draft, before),
        "most_name": MOST_NAME,
    }


def _standing(found: Game, own: OwnSet, wrong: Mapping[int, str], *, is_saved: bool) -> Context:
    """Return what is wrong with a draft, and why it cannot be saved or played, if it cannot."""
    whole = first_fault(found, own.draft)
    in_whole = whole if whole and whole.card is None else None
    why = _why_not(found, own.draft, wrong, in_whole is not None)
    return {
        "is_saved": is_saved,
        "whole": fault_words(in_whole.fault) if in_whole else None,
        "wrong_cards": _wrong_cards(found, own, wrong),
        "not_played": why,
        "not_saved": why or ("nothing has changed" if is_saved else ""),
    }


def _shown(
    found: Game, own: OwnSet, before: str, wrong: Mapping[int, str], query: Mapping[str, str], trialed: Trialed
) -> Context:
    """Return the tables of a set, or the list of its cards with the form of one."""
    if is_of_tables(found):
        return {"tables": tables(found, own.draft, before, trialed), "query": "", "card": None, "first": ""}
    return cards_context(found, own, set_url(own), before, wrong, query, trialed)


def compared_with(found: Game, versions: Sequence[SetVersion]) -> str:
    """Return the set with which the form compares the draft: the last version, or else the base set."""
    return versions[0].text if versions else base_draft(found)


def set_panel(own: OwnSet, trialed: Trialed, query: str, first: str) -> Context:
    """Return the values for the panel of the balance; `query` are the filters of the page, `first` its card."""
    return trialed.panel(f"{set_url(own)}/balance", first) | {"query": query}


def balance_context(
    found: Game,
    visitor: Visitor,
    own: OwnSet,
    versions: Sequence[SetVersion],
    query: Mapping[str, str],
    trialed: Trialed,
) -> Context:
    """Return the values for what moves on the page of a set while bots play: the panel, and the shares in sight."""
    if is_of_tables(found):
        at: Sequence[int] = range(len(entries_of(found, own.draft)))
        first, filters = "", ""
    else:
        left = cards_left(found, own, compared_with(found, versions), query, trialed)
        at, first = left.left, "" if left.at is None else left.entries[left.at].name
        filters = card_url("", **left.kept, card="" if left.at is None else str(left.at))
    names = [entry.name for entry in entries_of(found, own.draft)]
    return {
        **page_context(visitor, own.name, set_url(own)),
        "balance": set_panel(own, trialed, filters, first),
        "shares": [{"at": each, "share": trialed.share_of(names[each])} for each in at],
    }


def draft_json(found: Game, own: OwnSet) -> Context:
    """Return the draft of a set for programs: each card with its fields as a form posts them, and its faults."""
    text, whole = own.draft, first_fault(found, own.draft)
    return {
        "id": own.id,
        "game": found.id,
        "name": own.name,
        "version": own.version,
        "change": own.change,
        "back": own.back,
        "again": own.again,
        "is_valid": whole is None,
        "fault": whole.fault._asdict() if whole else None,
        "options": dict(given_options(found, text)),
        "cards": [
            {
                "at": at,
                "kind": entry.kind,
                "name": entry.name,
                "fields": form_of_card(found, text, at),
                "faults": [fault._asdict() for fault in card_faults(found, text, at)],
            }
            for at, entry in enumerate(entries_of(found, text))
        ],
    }


def _facts(found: Game, visitor: Visitor, own: OwnSet) -> Context:
    """Return what a set is, and how far its draft has come."""
    return {
        "set": {"name": own.name, "version": own.version, "change": own.change, "href": set_url(own)},
        "about": f"A set for {found.title} by {visitor.name}: {_differs(found, own.draft)}",
        "saved": saved_words(own.changed),
        "back": own.back,
        "again": own.again,
        "cards": len(entries_of(found, own.draft)),
    }


def _link(found: Game, versions: Sequence[SetVersion], base_url: str) -> Context:
    """Return the link to the last version that is shared, whole and as an address here; empty if none is."""
    shared = next((each for each in versions if each.token), None)
    href = f"{workshop_url(found)}/shared/{shared.token}" if shared else ""
    return {
        "share_url": f"{base_url}{href}" if href else "",
        "share_href": href,
        "shared_version": shared.version if shared else None,
    }


def compare_context(
    found: Game, visitor: Visitor, own: OwnSet, versions: Sequence[SetVersion], old: str, new: str
) -> Context:
    """Return the values for two versions of a set side by side; raises Refused if there is no such version."""
    return {
        **frame_context(visitor, found, WORKSHOP, f"{own.name}, two versions"),
        **_paths(found),
        **compared(found, own, versions, old, new),
        "name": own.name,
        "href": set_url(own),
    }


def set_report_context(found: Game, visitor: Visitor, own: OwnSet, trialed: Trialed) -> Context:
    """Return the values for all figures of the trial of a set."""
    return {
        **frame_context(visitor, found, WORKSHOP, f"{own.name}, the whole report"),
        **report_context(trialed, f"{set_url(own)}/balance"),
        "name": own.name,
        "href": set_url(own),
    }


def shared_set_context(found: Game, visitor: Visitor, shared: SharedSet, token: str) -> Context:
    """Return the values for a version of a set that a link shows to anybody."""
    return {
        **frame_context(visitor, found, WORKSHOP, f"{shared.name}, a set for {found.title}"),
        **_paths(found),
        **shared_context(found, shared),
        "differs": _differs(found, shared.text),
        "token": token,
        "href": f"{workshop_url(found)}/shared/{token}",
    }


def _paths(found: Game) -> Context:
    return {"workshop_url": workshop_url(found), "rules_url": f"/rules/{found.id}"}


def _differs(found: Game, text: str) -> str:
    """Return in words how many cards of a set are not as in the base set."""
    number, changed = len(entries_of(found, text)), len(changed_cards(found, base_draft(found), text))
    options = "; played with other options than usual" if options_said(found, text) else ""
    if not changed:
        same = f"all its {number} cards are those of the base set" if number != 1 else "its card is in the base set"
        return f"{same}{options}"
    verb = "differs" if changed == 1 else "differ"
    words = f"{changed} of {number} cards {verb} from the base set"
    return f"{words if number != 1 else 'its one card is new or changed'}{options}"


def _wrong_cards(found: Game, own: OwnSet, wrong: Mapping[int, str]) -> list[Context]:
    """Return the first wrong cards of a set, each with what is wrong, and the address where it is mended."""
    entries, vocabulary, href = entries_of(found, own.draft), parts_of(found)[1], set_url(own)
    as_tables = is_of_tables(found)
    return [
        {
            "name": called(vocabulary, entries[at]),
            "words": sentence(words),
            "href": f"#wrong-{at}" if as_tables else f"{card_url(href, card=str(at))}#ws-card",
            "is_link": not as_tables,
        }
        for at, words in [*sorted(wrong.items())][:MOST_WRONG]
    ]


def _why_not(found: Game, text: str, wrong: Mapping[int, str], is_wrong: bool) -> str:
    """Return why a set cannot be saved or played; empty if it can."""
    if wrong:
        (at, *more), entries = wrong, entries_of(found, text)
        one = called(parts_of(found)[1], entries[at])
        verb = "are" if entries[at].is_table else "is"
        return f"{len(wrong)} cards are wrong" if more else f"{one} {verb} wrong"
    return "the set is wrong" if is_wrong else ""


def saved_words(at: float) -> str:
    """Return when a set was changed, in words."""
    past = now() - at
    if past < SOON:
        return "changed just now"
    if past < HOUR:
        minutes = max(1, round(past / MINUTE))
        return "changed a minute ago" if minutes == 1 else f"changed {minutes} minutes ago"
    return f"changed on {day_of(at)}"
