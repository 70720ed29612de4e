"""The options of a game that belong to a set: its text, versions, trials and file, and its form."""

import re

import pytest

from quintain.engine.errors import BadOption
from quintain.engine.rules.registry import game
from quintain.server.pages.cards.workshop_options import option_changes, options_said
from quintain.server.workshop.changes import changed
from quintain.server.workshop.drafts import base_draft, entries_of, first_fault, form_of_card
from quintain.server.workshop.renames import under_new_names
from quintain.server.workshop.set_options import (
    given_options,
    match_options,
    options_of,
    read_head,
    split,
    with_options,
)
from quintain.server.workshop.trial_work import TrialOrder
from server.workshop.test_workshop import HTML, begun, form_to_play, plain, shown, text_of

OTHER = {"round-table": {"seats": 3, "regions": ["6"]}, "robin": {"victories": 2}, "heirless": {"seasons": 2}}


@pytest.fixture
def ann(serving):
    return serving.guest("Ann")


def change_of(page):
    return re.search(r'name="change" value="(\d+)"', page)[1]


def set_options(guest, url, **given):
    """Post the form of the options."""
    fields = {f"option.{name}": value for name, value in given.items()}
    return guest.submit(f"{url}/options", change=change_of(shown(guest, url)), **fields)


def test_a_set_says_all_options_but_the_set_itself_and_what_seats_bring():
    names = {id_: [option.name for option in options_of(game(id_))] for id_ in OTHER}
    assert names == {
        "round-table": ["regions"],
        "robin": ["victories", "active", "modifiers", "dealt"],
        "heirless": ["seasons", "knights", "bandits"],
    }


@pytest.mark.parametrize("id_", OTHER)
def test_options_stand_at_the_head_of_the_text_and_the_game_reads_the_same_cards(id_):
    found = game(id_)
    text = with_options(found, base_draft(found), OTHER[id_])
    assert text.startswith("# Options of the game:\n# ") and given_options(found, text) == OTHER[id_]
    assert split(text)[1] == base_draft(found) and first_fault(found, text) is None
    assert [entry.data for entry in entries_of(found, text)] == [
        entry.data for entry in entries_of(found, base_draft(found))
    ]
    usual = dict.fromkeys(OTHER[id_], "")
    assert with_options(found, text, usual) == base_draft(found)


def test_usual_values_are_left_out_and_others_stay():
    found = game("heirless")
    text = with_options(found, with_options(found, base_draft(found), {"seasons": "2"}), {"knights": "4"})
    assert given_options(found, text) == {"seasons": 2}
    assert options_said(found, with_options(found, text, {"bandits": "off", "seats": "4"})) == (
        "4 players; How many seasons are played: 2; Bandits hold the camps: no"
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seats": "7"}, "is not played with 7 seats, but with 2 to 6"),
        ({"seats": "many"}, "is not played with 'many' seats"),
        ({"seasons": "0"}, "the option seasons cannot be '0': it takes a whole number from 1 to 9"),
        ({"tables": "x"}, "there is no option 'tables' for a set of Heirless battles"),
        ({"season": "1"}, "perhaps seasons"),
    ],
)
def test_wrong_options_are_refused_in_words(given, words):
    with pytest.raises(BadOption, match=re.escape(words)):
        with_options(game("heirless"), base_draft(game("heirless")), given)


def test_a_draft_with_options_that_the_game_of_today_refuses_is_faulty_and_still_read():
    found = game("heirless")
    text = "# Options of the game:\n# seasons = 99\n" + base_draft(found)
    assert given_options(found, text) == {} and "seasons cannot be 99" in first_fault(found, text).fault.words
    with pytest.raises(BadOption, match="cannot be read"):
        read_head(found, "# Options of the game:\n# seasons = = 3\n")


def test_cards_that_cannot_be_played_with_the_options_are_a_fault_of_the_set():
    found = game("robin")
    few = "".join(f'[[character]]\nname = "{name}"\ncaste = "Outlaw"\nlevels = [1, 1, 1, 1]\n' for name in "ABC")
    assert first_fault(found, with_options(found, few, {"active": "20"})) is not None


def test_changes_of_cards_and_names_keep_the_options():
    found = game("robin")
    text = with_options(found, base_draft(found), {"victories": "2"})
    form = form_of_card(found, text, 0) | {"0.name": "Robin of Sherwood"}
    now = changed(found, text, form, "").text
    assert given_options(found, now) == {"victories": 2} and entries_of(found, now)[0].name == "Robin of Sherwood"
    assert given_options(found, under_new_names(found, text, now)) == {"victories": 2}
    (part,) = option_changes(found, base_draft(found), now)
    assert (part["words"], part["old"], part["new"]) == ("Rounds to win the tournament", "3", "2")


def test_a_trial_plays_each_side_with_its_own_options_on_the_seats_of_the_draft():
    found = game("heirless")
    before = with_options(found, base_draft(found), {"seasons": "2"})
    after = with_options(found, base_draft(found), {"seasons": "1", "seats": "4"})
    trial = TrialOrder("heirless", "tables", before, after, False, "policy", 20).trial
    assert trial.seats == 4
    assert (trial.before.options["seasons"], trial.after.options["seasons"]) == (2, 1)
    assert match_options(found, after)["seasons"] == 1


def test_the_form_changes_options_and_a_wrong_one_changes_nothing(ann):
    url = begun(ann, "heirless")
    assert set_options(ann, url, seasons="2", seats="4").status_code == 303
    page = plain(shown(ann, url))
    assert "Options: Players 3 → 4 ; How many seasons are played 3 → 2" in page
    before = text_of(ann, url)
    answer = set_options(ann, url, seasons="77")
    assert answer.status_code == 422 and "seasons cannot be '77'" in plain(answer.text)
    assert ann.submit(f"{url}/options", change="0", **{"option.seasons": "1"}).status_code == 409
    assert text_of(ann, url) == before
    assert ann.submit(f"{url}/back").status_code == 303 and given_options(game("heirless"), text_of(ann, url)) == {}


def test_versions_links_files_and_tables_have_the_options(ann, serving):
    url = begun(ann, "robin")
    set_options(ann, url, victories="1", modifiers="no")
    assert ann.submit(f"{url}/save").status_code == 303
    text = text_of(ann, url, "2")
    assert given_options(game("robin"), text) == {"victories": 1, "modifiers": False}
    copy = begun(ann, "robin", begin="text", text=text.replace("\n", "\r\n"))
    assert text_of(ann, copy) == text
    ann.submit(f"{url}/share")
    link = re.search(r'id="share-link"[^>]* value="https?://[^/]*([^"]*)"', shown(ann, url))[1]
    assert "Rounds to win the tournament 3 → 1" in plain(shown(serving.guest("Bo"), link))
    assert "Options of the game Rounds to win" in plain(shown(ann, f"{url}/compare", old="1", new="2"))
    form = form_to_play(ann, url)
    assert (form["option.victories"], form["option.modifiers"]) == ("1", "off")
    answer = ann.submit("/tables", **form)
    table = serving.table(answer.headers["location"].rpartition("/")[2])
    assert table.match.options["victories"] == 1 and table.match.options["modifiers"] is False
    wrong = ann.submit(
        "/cards/robin/workshop",
        begin="text",
        text="# Options of the game:\n# victories = 99\n" + base_draft(game("robin")),
    )
    assert wrong.status_code == 422 and "victories cannot be 99" in plain(wrong.text)


def test_the_form_of_a_table_has_bots_at_as_many_seats_as_the_set_says(ann):
    url = begun(ann, "heirless")
    set_options(ann, url, seats="5")
    form = form_to_play(ann, url)
    assert [form[f"seat.{seat}"] for seat in range(6)] == ["me", "squire", "squire", "squire", "squire", "nobody"]
    assert ann.get("/new/heirless", headers=HTML).status_code == 200


# Programs.


def test_programs_read_a_draft_and_change_some_fields_and_options(ann):
    url = begun(ann, "round-table")
    draft = ann.get(url).json()
    balin = next(card for card in draft["cards"] if card["name"] == "Balin")
    name, rows = f"{balin['at']}.influence", balin["fields"]
    assert draft["is_valid"] and draft["options"] == {} and rows[name] == "5"
    changes = {"fields": {name: 4}, "options": {"seats": 3}}
    answer = ann.post(url, change=draft["change"], **changes)
    assert answer.status_code == 200, answer.text
    now = answer.json()
    assert now["cards"][balin["at"]]["fields"] == {**rows, name: "4"} and now["options"] == {"seats": 3}
    assert now["back"] == 1 and ann.post(url, change=draft["change"], **changes).status_code == 409
    wrong = ann.post(url, change=now["change"], fields={name: "many"}).json()
    assert not wrong["is_valid"] and "cannot be 'many'" in wrong["cards"][balin["at"]]["faults"][0]["words"]


@pytest.mark.parametrize(
    ("given", "status", "words"),
    [
        ({"fields": {"999.name": "X"}}, 422, "there is no such card"),
        ({"fields": {"name": "X"}}, 422, "there is no such card"),
        ({"fields": [1]}, 400, "fields must be an object"),
        ({"fields": {"0.name": [1]}}, 400, "fields must be an object"),
        ({"options": {"seasons": 99}}, 422, "seasons cannot be '99'"),
        ({"do": "fly"}, 422, "no such button"),
    ],
)
def test_wrong_changes_of_programs_are_refused_and_change_nothing(ann, given, status, words):
    url = begun(ann, "heirless")
    before = ann.get(url).json()
    answer = ann.post(url, change=before["change"], **given)
    assert answer.status_code == status and words in answer.json()["error"], answer.text
    after = ann.get(url).json()
    assert (after["cards"], after["change"]) == (before["cards"], before["change"])
