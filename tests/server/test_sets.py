"""Choosing a whole set of cards at a table: all moves or none, refusals in words, and nothing for the rival to see."""

import html
import re

import pytest

from quintain.games.robin.cards import base_set
from server.stores import rows

CHARACTERS = [card.name for card in base_set().characters]
MODIFIERS = [card.name for card in base_set().modifiers]
SET = CHARACTERS[:12] + MODIFIERS[:3]


def sit_down(serving, clock="none"):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("robin", "me", "open", clock=clock)
    bo.sit(table, 1)
    return ann, bo, table


def choose(guest, table, cards=(), way="chosen", decision=None):
    decision = guest.view(table)["table"]["decision"] if decision is None else decision
    return guest.post(f"/tables/{table}/set", cards=list(cards), way=way, decision=decision)


def own_set(guest, table):
    zones = guest.view(table)["view"]["zones"]
    return sorted(
        piece["name"]
        for zone in zones
        if zone["id"].startswith(("set.", "hand.", "pile."))
        for piece in zone["pieces"]
        if piece["name"]
    )


@pytest.mark.both_stores
def test_a_whole_set_is_taken_by_one_post_and_is_in_the_log_move_by_move(serving):
    ann, bo, table = sit_down(serving)
    assert choose(ann, table, SET).status_code == 200
    assert own_set(ann, table) == sorted(SET)
    assert ann.view(table)["menu"] == [] and bo.view(table)["menu"]
    assert choose(bo, table, way="rest").status_code == 200
    assert ann.view(table)["view"]["phase"]["key"] == "play"
    made = [move for move in serving.table(table).match.moves_made if move.seat == 0]
    assert [str(move.text) for move in made] == ["choose a new set", *(f"take {name}" for name in SET)]


def test_a_form_without_script_sends_the_same(serving):
    ann, _, table = sit_down(serving)
    page = ann.get(f"/tables/{table}").text
    assert page.count('name="cards"') == 64 and 'action="/tables/' in page
    decision = re.search(r'name="decision" value="(\d+)"', page)[1]
    answer = ann.submit(f"/tables/{table}/set", cards=SET[:4], way="chosen", decision=decision)
    assert answer.status_code == 422 and "choose 8 characters and 3 modifiers more (RH-4)" in answer.text
    assert ann.submit(f"/tables/{table}/set", cards=SET[:4], way="rest", decision=decision).status_code == 303
    assert set(SET[:4]) <= set(own_set(ann, table)) and len(own_set(ann, table)) == 15


def test_a_set_that_was_begun_by_single_moves_is_gone_on_with(serving):
    ann, _, table = sit_down(serving)
    for words in ("choose a new set", "take Templar"):
        ann.move(table, words, ann.view(table)["table"]["decision"])
    assert choose(ann, table, CHARACTERS[:11] + MODIFIERS[:3]).status_code == 200
    assert own_set(ann, table) == sorted(["Templar", *CHARACTERS[:11], *MODIFIERS[:3]])


@pytest.mark.parametrize(
    ("cards", "way", "words"),
    [
        (["Dragon", *SET[1:]], "chosen", "there is no card 'Dragon' here (RH-8)"),
        ([SET[1], *SET[1:]], "chosen", "is named twice: a set has each card once (RH-4)"),
        ([CHARACTERS[20], *SET], "chosen", "a set has 12 characters, and you chose 13: put 1 back (RH-4)"),
        (SET[:14], "chosen", "choose 1 modifier more (RH-4)"),
        ([*SET[:3], MODIFIERS[0]], "rest", "modifiers are taken after the characters"),
        ([], "keep", "before the first round there is no set to keep (RH-8)"),
        ([" \x00\u202e<b>" * 99], "chosen", "there is no card"),
    ],
)
def test_a_wrong_list_is_refused_in_words_and_nothing_is_taken(serving, cards, way, words):
    ann, bo, table = sit_down(serving)
    before, seen = serving.table(table).seq, bo.view(table)
    answer = choose(ann, table, cards, way)
    assert answer.status_code == 422 and words in answer.json()["error"]
    assert serving.table(table).seq == before and bo.view(table) == seen


@pytest.mark.parametrize(
    "fields", [{"cards": "Little John"}, {"cards": [7]}, {"cards": {}}, {"way": "best"}, {"decision": "x"}]
)
def test_a_post_of_another_form_is_refused(serving, fields):
    ann, _, table = sit_down(serving)
    answer = ann.post(f"/tables/{table}/set", **{"decision": 1, **fields})
    assert answer.status_code in (400, 422) and answer.json()["error"]


def test_only_a_seat_that_is_asked_for_a_set_chooses_one(serving):
    ann, bo, table = sit_down(serving)
    assert choose(serving.guest("Eve"), table, SET, decision=1).status_code == 403
    assert choose(ann, table, SET, decision=7).status_code == 409
    assert "went on without this set" in choose(ann, table, SET, decision=7).json()["error"]
    assert choose(ann, table, SET, decision=1).status_code == 200
    assert choose(ann, table, SET, decision=1).status_code == 409
    other = ann.make("goofspiel", "me", "open")
    bo.sit(other, 1)
    assert choose(ann, other, SET).status_code == 409


def test_the_rival_sees_a_set_only_when_it_is_ready_and_none_of_its_cards(serving):
    ann, bo, table = sit_down(serving)
    ways = []
    for cards, way in ((SET, "chosen"), (SET[::-1], "chosen")):
        ann, bo, table = sit_down(serving)
        with bo.watching(table) as socket:
            socket.recv()
            assert choose(ann, table, cards, way).status_code == 200
            shown = bo.view(table)
        assert not any(zone["id"].startswith("set.0") for zone in shown["view"]["zones"])
        ways.append([line["words"] for line in shown["log"]])
    assert ways[0] == ways[1] and not any(name in line for line in ways[0] for name in SET)


def save(guest, table, title="Greenwood", cards=SET):
    return guest.post(f"/tables/{table}/sets", title=title, text="\n".join(cards))


@pytest.mark.both_stores
def test_a_set_is_saved_at_a_table_and_taken_at_the_next(serving):
    ann, bo, table = sit_down(serving)
    before = serving.table(table).seq
    answer = save(ann, table)
    assert answer.status_code == 201
    (saved,) = answer.json()["sets"]
    assert (saved["name"], saved["cards"], saved["wrong"]) == ("Greenwood", SET, None)
    assert bo.get(f"/tables/{table}/sets").json()["sets"] == []
    assert serving.table(table).seq == before, "nothing of it is in the log"
    again = ann.make("robin", "me", "open")
    serving.guest("Cy").sit(again, 1)
    (there,) = ann.get(f"/tables/{again}/sets").json()["sets"]
    assert choose(ann, again, there["cards"]).status_code == 200
    assert own_set(ann, again) == sorted(SET)


def test_a_saved_set_says_which_card_a_table_does_not_have(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    text = "\n".join([*CHARACTERS[:11], "Dragon", *MODIFIERS[:3]])
    assert ann.post("/cards/robin/sets", title="Mine", text=text).status_code == 201
    table = ann.make("robin", "me", "open")
    bo.sit(table, 1)
    (saved,) = ann.get(f"/tables/{table}/sets").json()["sets"]
    assert saved["wrong"] == "not here: Dragon; 1 character missing (RH-4)"
    answer = choose(ann, table, saved["cards"])
    assert answer.status_code == 422 and "there is no card 'Dragon' here (RH-8)" in answer.json()["error"]
    page = ann.get(f"/tables/{table}/sets", headers={"accept": "text/html"}).text
    assert "not here: Dragon" in page and "Take</button>" not in page


@pytest.mark.both_stores
def test_nobody_reads_or_changes_a_saved_set_of_somebody_else(serving):
    ann, bo, table = sit_down(serving)
    id_ = save(ann, table).json()["sets"][0]["id"]
    assert bo.get("/cards/robin/sets").json()["sets"] == []
    assert bo.post(f"/cards/robin/sets/{id_}/name", title="Mine").status_code == 404
    assert bo.post(f"/cards/robin/sets/{id_}/delete").status_code == 404
    assert ann.post(f"/cards/robin/sets/{id_}/name", title="Crown").json()["sets"][0]["name"] == "Crown"
    assert ann.post(f"/cards/robin/sets/{id_}/delete").json()["sets"] == []
    assert ann.post(f"/cards/robin/sets/{id_}/delete").status_code == 404
    assert ann.post("/cards/robin/sets/%00/delete").status_code == 404
    assert serving.guest().get("/cards/robin/sets").json()["sets"] == []


def test_a_set_that_is_not_whole_is_not_saved_at_a_table(serving):
    ann, _, table = sit_down(serving)
    answer = save(ann, table, cards=SET[:14])
    assert answer.status_code == 422 and "choose 1 modifier more (RH-4)" in answer.json()["error"]
    htmx = {"hx-request": "true", "accept": "text/html"}
    fields = {"csrf": ann.csrf, "title": "x", "text": "Dragon"}
    shown = ann.http.post(f"/tables/{table}/sets", data=fields, headers=htmx)
    assert shown.status_code == 422 and shown.text.startswith('<div id="saved-sets">') and "no card" in shown.text
    assert serving.guest("Eve").get(f"/tables/{table}/sets").status_code == 409
    choose(ann, table, SET)
    assert ann.get(f"/tables/{table}/sets").status_code == 409


@pytest.mark.parametrize(
    ("title", "text", "words"),
    [
        ("", "Little John", "give the set a name"),
        ("x" * 41, "Little John", "at most 40 characters"),
        ("x" * 9999, "Little John", "at most 40 characters"),
        ("\u202e\u200b\x00", "Little John", "write some words first"),
        ("Mine", "", "a set has cards"),
        ("Mine", "Little John\n<script>", "line 2: '<script>' cannot be the name of a card (RH-4)"),
        ("Mine", "Little John\nlittle  john", "line 2: Little John is named twice"),
        ("Mine", "A" * 200, "cannot be the name of a card"),
        ("Mine", "x\n" * 9000, "at most 4,000 characters"),
        ("Mine", "\x00", "cannot be the name of a card"),
    ],
)
def test_a_hostile_list_is_refused_in_words(serving, title, text, words):
    ann = serving.guest("Ann")
    answer = ann.post("/cards/robin/sets", title=title, text=text)
    assert answer.status_code == 422 and words in answer.json()["error"]
    page = ann.submit("/cards/robin/sets", title=title, text=text)
    assert page.status_code == 422 and "<script>" not in page.text.replace("<script defer", "")


def test_a_link_holds_the_list_and_whoever_opens_it_can_save_it(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    ann.post("/cards/robin/sets", title="Greenwood", text="\n".join(SET))
    page = ann.get("/cards/robin/sets", headers={"accept": "text/html"}).text
    link = re.search(r'href="http:[^"]+(/cards/robin/sets/shared/[^"]+)"', html.unescape(page))[1]
    shown = bo.get(link, headers={"accept": "text/html"})
    assert shown.status_code == 200 and 'value="Greenwood"' in shown.text
    assert "\n".join(SET[3:6]) in html.unescape(shown.text)
    for code in ("x", "%00", "a" * 7000, link.rpartition("/")[2][5:], "é"):
        answer = bo.get(f"/cards/robin/sets/shared/{code}", headers={"accept": "text/html"})
        assert answer.status_code in (404, 414, 422), code
    assert bo.get("/cards/kings-court/sets").status_code == 404
    assert "Sets</a>" not in bo.get("/cards/kings-court").text


def test_a_player_keeps_sixty_sets_and_they_go_with_the_player(serving):
    ann, database = serving.guest("Ann"), serving.site.config.database
    others = rows(database, "SELECT id FROM saved_sets")
    for number in range(60):
        assert ann.post("/cards/robin/sets", title=f"Set {number}", text="Miller").status_code == 201
    answer = ann.post("/cards/robin/sets", title="One more", text="Miller")
    assert answer.status_code == 422 and "delete one first" in answer.json()["error"]
    assert ann.submit("/me/forget", name="Ann").status_code in (200, 303)
    assert rows(database, "SELECT id FROM saved_sets") == others
