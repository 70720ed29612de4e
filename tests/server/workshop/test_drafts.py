"""Drafts of sets: forms that keep a set as it is, hostile forms, faults at their fields, and differences in words."""

import random
import string

import pytest

import quintain
from quintain.conformance.sets import random_set
from quintain.engine.cards import write_entries
from quintain.engine.errors import BadCards, BadOption, QuintainError, UnknownGame
from quintain.engine.rules.registry import game
from quintain.server.workshop.differences import ADDED, CHANGED, REMOVED, PartChange, changed_cards, differences
from quintain.server.workshop.drafts import (
    base_draft,
    card_faults,
    entries_of,
    faulty_cards,
    first_draft,
    first_fault,
    form_of_card,
    has_workshop,
    parts_of,
    stepped,
    with_new_card,
    with_new_row,
    with_posted,
    without_card,
    without_row,
)

GAMES = [found.id for found in quintain.all_games() if found.folder and has_workshop(found)]
QUICK = [pytest.param(id_, marks=pytest.mark.long) if id_ == "round-table" else id_ for id_ in GAMES]
"""The games, of which the one with most cards takes long."""
SETS, MUTATIONS = 334, 3334
"""For each of three games: a thousand sets and ten thousand forms in all."""
HOSTILE = (
    "",
    "0",
    "-1",
    "9" * 18,
    "9" * 5000,
    "-" + "9" * 19,
    "1e9",
    "0x10",
    "\N{ARABIC-INDIC DIGIT THREE}",
    "<script>alert(1)</script>",
    '"""',
    "'''\n[[knight]]\nname = 'X'",
    "\0",
    "\u202eabc",
    "e" + "\u0301" * 30,
    "Ro\u0431in",
    "\U0001f480" * 40,
    "[" * 200,
    "{a = {b = 1}}",
    "on",
    "true",
    "x" * 70_000,
)


def number_of(found, text, name):
    """Return the number of the first card of a name."""
    return next(at for at, entry in enumerate(entries_of(found, text)) if entry.name == name)


def changed(id_, called, /, **values):
    """Return a game, its base set with other values in the form of one card, and the number of that card."""
    found = game(id_)
    base = base_draft(found)
    at = number_of(found, base, called)
    form = form_of_card(found, base, at)
    for key, value in values.items():
        form[f"{at}.{key}"] = value
    return found, with_posted(found, base, form), at


# Sets and forms.


def test_three_games_have_a_workshop_and_others_say_so():
    assert len(GAMES) == 3
    with pytest.raises(UnknownGame, match="takes no cards of your own"):
        parts_of(game("kings-court"))


@pytest.mark.parametrize("id_", GAMES)
def test_a_shipped_set_stays_the_same_when_each_form_is_posted_as_it_is(id_):
    found = game(id_)
    for text in (base_draft(found), *(each.text for each in found.card_sets.values())):
        for at, entry in enumerate(entries_of(found, text)):
            again = with_posted(found, text, form_of_card(found, text, at))
            assert [(each.kind, each.data) for each in entries_of(found, again)] == [
                (each.kind, each.data) for each in entries_of(found, text)
            ], entry.name
    base = base_draft(found)
    assert found.collection.cards(base) == found.collection.cards(found.collection.base())


@pytest.mark.parametrize("id_", QUICK)
def test_sets_made_by_chance_stay_the_same_when_their_forms_are_posted(id_):
    found, chooser = game(id_), random.Random(51)
    for _ in range(SETS):
        text = write_entries(random_set(chooser, parts_of(found)[1]))
        form = {}
        for at in range(len(entries_of(found, text))):
            form |= form_of_card(found, text, at)
        assert with_posted(found, text, form) == text


def mutated(chooser, form):
    """Return a form in which something was changed by chance: values, names, or both; or something went or came."""
    form = dict(form)
    for _ in range(chooser.randint(1, 4)):
        name, value = chooser.choice(sorted(form)), chooser.choice(HOSTILE)
        match chooser.randint(0, 4):
            case 0:
                del form[name]
            case 1:
                form[name] = "".join(chooser.choices(string.printable, k=chooser.randint(0, 12)))
            case 2:
                form[name + chooser.choice((".0", ":x", ".999", "." + value, ".rows.3", ""))] = value
            case 3:
                form[value] = value
            case _:
                form[name] = value
        if not form:
            break
    return form


@pytest.mark.parametrize("id_", QUICK)
def test_a_form_with_garbage_is_kept_with_its_faults_or_refused_and_fails_in_no_other_way(id_):
    found, chooser, outcomes = game(id_), random.Random(52), {"kept": 0, "refused": 0}
    text = write_entries(random_set(chooser, parts_of(found)[1], most=3))
    while first_fault(found, text):
        text = write_entries(random_set(chooser, parts_of(found)[1], most=3))
    forms = [form_of_card(found, text, at) for at in range(len(entries_of(found, text)))]
    for _ in range(MUTATIONS):
        form = mutated(chooser, chooser.choice(forms))
        try:
            after = with_posted(found, text, form)
            faulty_cards(found, after)
            first_fault(found, after)
            differences(found, text, after)
            outcomes["kept"] += 1
        except QuintainError as error:
            assert str(error)
            outcomes["refused"] += 1
    assert outcomes["kept"] > MUTATIONS // 2 and outcomes["refused"]


# Faults.


def test_what_is_no_number_stays_as_text_and_is_a_fault_at_its_field():
    found, text, at = changed("round-table", "Balin", rp="three")
    assert entries_of(found, text)[at].data["rp"] == "three"
    (fault,) = card_faults(found, text, at)
    assert fault.key == "rp" and fault.row is None and fault.clause == "RT-33" and "'three'" in fault.words
    assert faulty_cards(found, text) == {at: fault.words}
    again = with_posted(found, text, form_of_card(found, text, at) | {f"{at}.rp": "3"})
    assert again == base_draft(found)


def test_all_faults_of_a_card_stand_at_their_fields_and_rows():
    row = {"rows.1": "on", "rows.1.when": "attacks", "rows.1.whom": "opponents", "rows.1.what": "discard"}
    found, text, at = changed("round-table", "Balin", influence="", **row, **{"rows.1.amount": "0"})
    assert [(fault.key, fault.row) for fault in card_faults(found, text, at)] == [("influence", None), ("amount", 2)]


def test_a_fault_that_only_the_whole_set_shows_stands_at_its_card():
    found, text, _ = changed("heirless", "Thrust", name="Feint")
    whole = first_fault(found, text)
    assert whole and whole.card is not None and whole.fault.key == "name" and "names must differ" in whole.fault.words
    assert card_faults(found, text, whole.card) == [whole.fault]


def test_a_set_with_too_many_cards_or_none_has_a_fault_without_a_card():
    found = game("heirless")
    text = base_draft(found)
    for _ in range(2):
        text = with_new_card(found, text, "cards")[0]
    with pytest.raises(BadCards, match="at most 8 in a set"):
        with_new_card(found, text, "cards")
    empty = first_fault(game("robin"), "")
    assert empty and empty.card is None and empty.fault.clause == "RH-5"


def test_fields_narrow_each_other_what_can_not_stand_any_more_falls_away():
    row = {"rows.1": "on", "rows.1.when": "attacks", "rows.1.whom": "opponents", "rows.1.what": "discard"}
    found, text, at = changed("round-table", "Balin", **row, **{"rows.1.amount": "2"})
    assert not card_faults(found, text, at)
    form = form_of_card(found, text, at) | {f"{at}.rows.1.what": "return", f"{at}.rows.1.whom": "bearer"}
    assert "amount" not in entries_of(found, with_posted(found, text, form))[at].data["rows"][1]


# Cards and rows that come and go.


@pytest.mark.parametrize("id_", GAMES)
def test_a_set_may_begin_with_one_card(id_):
    found = game(id_)
    text = first_draft(found)
    assert first_fault(found, text) is None
    assert len(entries_of(found, text)) == max(1, entries_of(found, text)[0].kind == "cards" and 2)


@pytest.mark.parametrize("id_", GAMES)
def test_new_cards_of_every_kind_have_their_own_names_and_go_again(id_):
    found = game(id_)
    base = base_draft(found)
    for kind in parts_of(found)[1].kinds:
        text = base
        if kind.only_base or kind.is_table:
            with pytest.raises(BadCards):
                with_new_card(found, text, kind.key)
            continue
        places = []
        for _ in range(2):
            text, at = with_new_card(found, text, kind.key)
            places.append(at)
            assert not [fault for fault in card_faults(found, text, at) if fault.key]
        assert places[1] == places[0] + 1
        names = [entry.name for entry in entries_of(found, text) if entry.kind == kind.key]
        assert len(set(names)) == len(names)
        for at in reversed(places):
            text = without_card(found, text, at)
        assert text == base


def test_rows_come_and_go_up_to_the_most_that_a_card_takes():
    found, text, at = changed("round-table", "Balin")
    for _ in range(3):
        text = with_new_row(found, text, at, "rows")
    with pytest.raises(BadOption, match="at most 4 rows"):
        with_new_row(found, text, at, "rows")
    for row in (3, 2, 1):
        text = without_row(found, text, at, "rows", row)
    assert text == base_draft(found)
    for wrong in ((at, "types"), (at, "x"), (9999, "rows")):
        with pytest.raises(BadOption, match="load the page again"):
            with_new_row(found, text, *wrong)
    with pytest.raises(BadOption, match="load the page again"):
        without_row(found, text, at, "rows", 7)
    with pytest.raises(BadOption, match="load the page again"):
        without_card(found, text, -1)


def test_a_step_adds_to_a_number():
    assert stepped({"0.rp": "3"}, "0.rp", -1) == {"0.rp": "2"}
    assert stepped({"0.rp": "x"}, "0.rp", 1) == {"0.rp": "0"}


def test_a_set_that_is_too_large_is_refused():
    found = game("robin")
    with pytest.raises(BadCards, match="too many"):
        with_posted(found, base_draft(found), {"0.name": "x" * 70_000})


# Differences.


def test_differences_are_told_in_words_with_old_and_new():
    row = {"rows.1": "on", "rows.1.when": "attacks", "rows.1.whom": "opponents", "rows.1.what": "discard"}
    found, text, at = changed("round-table", "Balin", influence="4", **row, **{"rows.1.amount": "2"})
    base = base_draft(found)
    assert changed_cards(found, base, text) == {at}
    (change,) = differences(found, base, text)
    assert (change.name, change.how) == ("Balin", CHANGED)
    new = PartChange("New row", "", "when it attacks, each opponent, discard, 2")
    assert change.parts == (PartChange("Influence", "5", "4"), new)
    back = differences(found, text, base)[0]
    assert back.parts == (PartChange("Influence", "4", "5"), PartChange("Removed row 2", new.new, ""))


def test_differences_name_the_step_of_a_track_and_the_value_of_a_battlecard():
    found, text, _ = changed("heirless", "the tracks", **{"Delay.2": "7"})
    assert differences(found, base_draft(found), text)[0].parts == (PartChange("Delay, step 3", "4", "7"),)
    found, text, _ = changed("heirless", "Feint", **{"attack.0": "-3"})
    (part,) = differences(found, base_draft(found), text)[0].parts
    assert part.words.startswith("Attack, ") and part.new == "\N{MINUS SIGN}3" and part.old.startswith("+")


def test_differences_tell_the_fields_of_a_changed_row_and_cards_that_came_and_went():
    found, text, at = changed("robin", "Robin Hood", **{"skill.change": "1"})
    (change,) = differences(found, base_draft(found), text)
    assert [part.words for part in change.parts] == ["Skill, Change"]
    text, _ = with_new_card(found, without_card(found, text, at), "character")
    assert [(each.name, each.how) for each in differences(found, base_draft(found), text)] == [
        ("New Character", ADDED),
        ("Robin Hood", REMOVED),
    ]
