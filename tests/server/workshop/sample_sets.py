"""Sample pages of the workshop: sets with changes and faults, tables of numbers, two versions, and a shared set."""

from collections.abc import Iterator
from typing import Any

from quintain.engine.rules.registry import game
from quintain.server.clock import now
from quintain.server.model.kept_trials import KeptTrial
from quintain.server.model.own_sets import OwnSet, SetVersion, SharedSet
from quintain.server.pages.brought.played_sets import begun_form, played_set
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.workshop_pages import (
    compare_context,
    set_context,
    set_report_context,
    shared_set_context,
    workshop_context,
)
from quintain.server.pages.forms import new_table_context
from quintain.server.people.players import Visitor
from quintain.server.workshop.changes import changed
from quintain.server.workshop.drafts import (
    base_draft,
    entries_of,
    first_fault,
    form_of_card,
    with_new_card,
    with_posted,
    without_card,
)
from quintain.server.workshop.set_options import with_options
from quintain.server.workshop.subjects import set_subject
from quintain.server.workshop.trial_work import play_on

ANN = Visitor("ann", "Ann", "c" * 32, "auto", number=1)
TOKEN = "t" * 24
HOST = "http://192.168.0.17:8000"


def place_of(found, text, name):
    """Return the number of the first card of a name in a set."""
    return next(at for at, entry in enumerate(entries_of(found, text)) if entry.name == name)


def with_values(found, text, name, **values):
    """Return a set with other values in the form of one of its cards."""
    at = place_of(found, text, name)
    return with_posted(
        found, text, form_of_card(found, text, at) | {f"{at}.{key}": each for key, each in values.items()}
    )


def own_set(found, name, versions, draft, valid=None):
    """Return a set of Ann's with these versions, the first one first, and what the page needs of them."""
    saved = [
        SetVersion(number, text, now() - 86400 * (9 - number), TOKEN if number == 1 else None)
        for number, text in enumerate(versions, 1)
    ]
    valid = draft if first_fault(found, draft) is None else valid or versions[-1]
    own = OwnSet("k7f3", 1, found.id, name, now(), now(), 7, len(versions), draft, valid, 3, 3, 1)
    return own, saved[::-1]


def knights():
    """Return a set of Round Table with a change that is saved, and a draft with a new row."""
    found = game("round-table")
    first = base_draft(found)
    second = with_values(found, first, "Ector", rp="3", influence="4")
    second, at = with_new_card(found, second, "knight")
    second = with_posted(found, second, form_of_card(found, second, at) | {f"{at}.name": "Morgan of the Long Hedges"})
    second = without_card(found, second, place_of(found, second, "Gareth"))
    row = {"rows.1": "on", "rows.1.when": "attacks", "rows.1.whom": "opponents", "rows.1.what": "discard"}
    draft = with_values(found, second, "Balin", influence="4", **row, **{"rows.1.amount": "2"})
    return found, [first, second], draft


def workshop_samples() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield pages of the workshop."""
    found, versions, draft = knights()
    wrong = with_values(found, draft, "Balin", **{"rows.1.amount": "0", "resistance": "many"})
    for name, text in (("workshop-card", draft), ("workshop-wrong", wrong)):
        own, saved = own_set(found, "Hedge Knights", versions, text, draft)
        at = place_of(found, text, "Balin")
        shown = set_context(found, ANN, own, saved, {"card": str(at)}, HOST)
        yield name, "workshop_set.html", shown
    own, saved = own_set(found, "Hedge Knights", versions, draft)
    yield (
        "workshop-changed",
        "workshop_set.html",
        set_context(found, ANN, own, saved, {"changed": "yes"}, HOST, "Why not."),
    )
    mine = [own, own._replace(name="W" * 40, version=0, valid="", draft=wrong)]
    yield "workshop", "workshop.html", workshop_context(found, ANN, mine)
    brought = {"text": "[[knight]]\nname = 3", "title": "Mine", "wrong": "The cards cannot be read (RT-33)"}
    yield (
        "workshop-brought",
        "workshop.html",
        workshop_context(found, Visitor("x", None, "c" * 32, "auto"), [], brought),
    )
    yield "workshop-compare", "workshop_compare.html", compare_context(found, ANN, own, saved, "1", "draft")
    robin = game("robin")
    first = base_draft(robin)
    own, saved = own_set(robin, "Outlaws", [first], with_values(robin, first, "Robin Hood", **{"levels.1": "9"}))
    yield "workshop-robin", "workshop_set.html", set_context(robin, ANN, own, saved, {}, HOST)
    modifier = str(next(at for at, entry in enumerate(entries_of(robin, first)) if entry.kind == "modifier"))
    own, saved = own_set(robin, "Outlaws", [first], first)
    yield "workshop-modifier", "workshop_set.html", set_context(robin, ANN, own, saved, {"card": modifier}, HOST)
    shared = SharedSet(
        "robin", "Outlaws", "Ann", 1, with_values(robin, first, "Robin Hood", **{"levels.1": "1"}), now()
    )
    yield "workshop-shared", "workshop_shared.html", shared_set_context(robin, ANN, shared, TOKEN)
    heirless = game("heirless")
    first = base_draft(heirless)
    second = with_values(heirless, first, "Riposte", **{"attack.2": "2"})
    for name, delay in (("workshop-tables", "4"), ("workshop-tables-wrong", "7")):
        draft = with_values(heirless, second, "Frenzy", **{"attack.0": "6"})
        draft = with_values(heirless, draft, "the tracks", **{"Delay.2": delay})
        own, saved = own_set(heirless, "Safer camps", [first, second], draft)
        yield name, "workshop_set.html", set_context(heirless, ANN, own, saved, {}, HOST)
    own, saved = own_set(heirless, "Safer camps", [first], second)
    for state, until, problem in (("working", now() + 9e9, ""), ("error", 0.0, "the bots failed")):
        kept = kept_trial(heirless, own, saved, until, problem)
        trialed = Trialed(heirless, set_subject(heirless, own, saved, "policy"), kept, 21.0)
        shown = set_context(heirless, ANN, own, saved, {}, HOST, trialed=trialed)
        yield f"workshop-balance-{state}", "workshop_set.html", shown
    yield "workshop-report", "workshop_report.html", set_report_context(heirless, ANN, own, trialed)
    first = base_draft(robin)
    draft = changed(robin, first, form_of_card(robin, first, 0) | {"0.name": "Robin of Sherwood"}, "").text
    draft = with_options(robin, draft, {"victories": 2})
    own, saved = own_set(robin, "Outlaws", [base_draft(robin)], draft)
    shown = set_context(
        robin, ANN, own, saved, {}, HOST, results={1: "2,000 games: no card above 57 %, none below 44 %"}
    )
    yield "workshop-options", "workshop_set.html", shown
    begun = begun_form(robin, own, saved, "draft")
    said = {"played_set": played_set(own, saved, "draft")}
    yield "new-table-of-a-set", "new_table.html", new_table_context(robin, ANN, {"clock": "none"} | begun) | said


def kept_trial(found, own, saved, until, problem):
    """Return the trial of a set after its first games, as the database has it."""
    subject = set_subject(found, own, saved, "policy")
    step = play_on(subject.order, b"", 0.05, True, True)
    while step.games < 100:
        step = play_on(subject.order, step.done, 0.05, True, True)
    assert step.found, step.problem
    row = (subject.id, 1, subject.key, "policy", 2000, step.games, step.done, step.found, now(), until)
    return KeptTrial(*row, False, problem)
