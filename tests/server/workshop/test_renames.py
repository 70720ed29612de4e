"""Cards that get another name: they stay the same card in versions, trials and lists, and references follow them."""

import pytest

from quintain.engine.rules.registry import game
from quintain.server.pages.cards.listed import listed_cards
from quintain.server.pages.cards.workshop_fields import first_keys, printed, with_first_arms
from quintain.server.workshop.changes import changed
from quintain.server.workshop.differences import CHANGED, REMOVED, changed_cards, differences
from quintain.server.workshop.drafts import base_draft, entries_of, first_fault, form_of_card, with_posted, without_card
from quintain.server.workshop.renames import under_new_names, with_references
from server.workshop.sample_sets import place_of, with_values
from server.workshop.test_trials import found, over, run
from server.workshop.test_workshop import begun, number_in, plain, post_card, shown

ROBIN = game("robin")
NEW = "Robin of Sherwood Forest"


def renamed(text, old, new):
    """Return a set after somebody has typed another name for a card."""
    at = place_of(ROBIN, text, old)
    form = form_of_card(ROBIN, text, at) | {f"{at}.name": new}
    return changed(ROBIN, text, form, "").text


def test_references_follow_a_name_and_the_set_stays_valid():
    base = base_draft(ROBIN)
    text = renamed(base, "Robin Hood", NEW)
    assert first_fault(ROBIN, text) is None
    form = form_of_card(ROBIN, base, place_of(ROBIN, base, "Robin Hood"))
    assert first_fault(ROBIN, with_posted(ROBIN, base, {**form, "0.name": NEW})) is not None
    assert NEW in str(entries_of(ROBIN, text)[place_of(ROBIN, text, "Guy of Gisborne")].data)
    assert renamed(text, NEW, "Robin Hood") == base


def test_references_do_not_follow_to_a_name_that_another_card_has():
    text = renamed(base_draft(ROBIN), "Robin Hood", "Little John")
    assert "Robin Hood" in str(entries_of(ROBIN, text)[place_of(ROBIN, text, "Guy of Gisborne")].data)


def test_a_rename_is_told_as_one_with_what_else_has_changed():
    base = base_draft(ROBIN)
    text = with_values(ROBIN, renamed(base, "Robin Hood", NEW), NEW, **{"levels.0": "2"})
    first = differences(ROBIN, base, text)[0]
    assert (first.how, first.was, first.name) == (CHANGED, "Robin Hood", NEW)
    assert [(part.words, part.old, part.new) for part in first.parts] == [("Levels, Agility", "4", "2")]
    assert {each.how for each in differences(ROBIN, base, text)} == {CHANGED}
    assert place_of(ROBIN, text, NEW) in changed_cards(ROBIN, base, text)


def test_a_card_that_went_is_no_card_with_another_name():
    base = base_draft(ROBIN)
    text = without_card(ROBIN, base, place_of(ROBIN, base, "Robin Hood"))
    assert [each.how for each in differences(ROBIN, base, text) if each.name == "Robin Hood"] == [REMOVED]


def test_bots_compare_a_card_with_itself_under_its_new_name():
    base = base_draft(ROBIN)
    text = renamed(base, "Robin Hood", NEW)
    assert under_new_names(ROBIN, base, text) == text
    assert under_new_names(ROBIN, base, base) == base
    assert with_references(ROBIN, base, base) == base


@pytest.fixture
def ann(serving):
    return serving.guest("Ann")


def test_the_page_says_who_is_now_who_and_the_trial_has_both_sides(ann):
    url = begun(ann, "robin")
    at = number_in(shown(ann, url), "Robin Hood")
    post_card(ann, url, at, name=NEW, **{f"levels.{step}": "5" for step in range(4)})
    page = plain(shown(ann, url, card=at))
    assert f"Robin Hood is now {NEW} ; Levels, Agility 4 → 5" in page
    assert f"{NEW} Character, changed" in page and "Character, new" not in page
    run(ann, url)
    over(ann, url)
    (one,) = [each for each in found(ann, url)["figures"]["cards"] if each["is_subject"] and each["name"] == NEW]
    assert one["won"]["before"]["tries"] >= 20


def test_what_is_wrong_is_named_and_linked_at_the_top(ann):
    url = begun(ann, "robin")
    page = shown(ann, url)
    guy = number_in(page, "Guy of Gisborne")
    post_card(ann, url, guy, **{"levels.0": "99"})
    page = shown(ann, url)
    assert f'<a href="{url}?card={guy}#ws-card" data-workshop-link>Guy of Gisborne</a>: ' in page
    assert "Save as version 2 Guy of Gisborne is wrong" in plain(page)


def test_a_wrong_card_keeps_its_last_text_also_under_a_new_name():
    base = base_draft(ROBIN)
    good = renamed(base, "Robin Hood", NEW)
    at = place_of(ROBIN, good, NEW)
    wrong = with_values(ROBIN, good, NEW, **{"levels.0": "12"})
    drawn, is_now = printed(ROBIN, wrong, base, at)
    assert drawn and drawn.name == "Robin Hood" and not is_now
    drawn, is_now = printed(ROBIN, wrong, good, at)
    assert drawn and drawn.name == NEW and not is_now


@pytest.mark.parametrize(("id_", "name"), [("robin", "Robin Hood"), ("heirless", "Frenzy")])
def test_a_renamed_card_keeps_the_arms_of_the_base_set(id_, name):
    found = game(id_)
    text = base_draft(found)
    at = next(at for at, entry in enumerate(entries_of(found, text)) if entry.name == name)
    now = changed(found, text, form_of_card(found, text, at) | {f"{at}.name": "Another"}, "").text
    (other,) = (card for card in with_first_arms(found, now) if card.name == "Another")
    assert first_keys(found, now)[at] == other.key
    assert other.key in {card.key for card in listed_cards(found) if card.name == name}
    assert first_keys(found, text) == {}
