"""Choosing a whole set of cards at a table: all moves or none, refusals in words, and nothing for the rival to see."""

import html
import re

import pytest

from quintain.games.robin.cards import base_set
from quintain.games.robin.faces import card_key
from server.stores import rows
from server.test_secrecy import pushed

CHARACTERS = [card.name for card in base_set().characters]
MODIFIERS = [card.name for card in base_set().modifiers]
SET = CHARACTERS[:12] + MODIFIERS[:3]
SETS = "/cards/robin/sets"
HTML = {"accept": "text/html"}


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


def read_text(guest, table, *lines):
    return guest.post(f"/tables/{table}/sets/text", text="\n".join(lines))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["Little John", "", "Robin Hud"], "line 3: there is no card 'Robin Hud' here; perhaps Robin Hood (RH-4)"),
        (["Little John", "little  john"], "line 2: Little John is named twice: a set has each card once (RH-4)"),
        ([*SET[:12], "Tinker"], "line 13: Tinker is one too many: a set has 12 characters (RH-4)"),
        (["# nothing"], "a set has cards: write one on each line (RH-4)"),
        (["<b>\x00"], "line 1: "),
        (["x" * 5000], "a list has at most 4,000 characters"),
    ],
)
def test_a_wrong_text_at_a_table_is_refused_by_its_line(serving, lines, words):
    ann, bo, table = sit_down(serving)
    before, seen = serving.table(table).seq, bo.view(table)
    answer = read_text(ann, table, *lines)
    assert answer.status_code == 422 and words in answer.json()["error"]
    page = ann.submit(f"/tables/{table}/sets/text", text="\n".join(lines))
    assert page.status_code == 422 and words.partition(" (")[0].partition(": ")[2] in html.unescape(page.text)
    assert serving.table(table).seq == before and bo.view(table) == seen


def test_a_text_is_read_at_a_table_and_its_set_taken_without_script(serving):
    ann, bo, table = sit_down(serving)
    before = serving.table(table).seq
    assert read_text(ann, table, "  LITTLE john ").json() == {
        "cards": ["Little John"],
        "lacks": "11 characters, 3 modifiers missing",
    }
    page = ann.submit(f"/tables/{table}/sets/text", text="\n".join(SET).upper()).text
    assert serving.table(table).seq == before and "Take this set" in page
    decision = re.search(r'name="decision" value="(\d+)"', page)[1]
    cards = [html.unescape(name) for name in re.findall(r'name="cards" value="(.*?)"', page)]
    answer = ann.submit(f"/tables/{table}/set", cards=cards, way="chosen", decision=decision)
    assert answer.status_code == 303 and own_set(ann, table) == sorted(SET)
    assert (
        read_text(ann, table, *SET).status_code == 409
        and read_text(serving.guest("Eve"), table, *SET).status_code == 409
    )
    page = bo.submit(f"/tables/{table}/sets/text", text="\n".join([*SET[:3], MODIFIERS[0]]))
    assert page.status_code == 422 and "odifiers are taken after the characters" in page.text
    page = bo.submit(f"/tables/{table}/sets/text", text="\n".join(SET[:3])).text
    assert "Take them, and deal the rest" in page


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
    page = ann.get(begin(ann, title="Greenwood", text="\n".join(SET)), headers=HTML).text
    link = re.search(r'href="(/cards/robin/sets/shared/[^"]+)"', html.unescape(page))[1]
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


def begin(guest, **how):
    """Begin a set, and return its address."""
    before = {each["id"] for each in guest.get(SETS).json()["sets"]}
    made = guest.post(SETS, **how)
    assert made.status_code == 201, made.text
    (id_,) = {each["id"] for each in made.json()["sets"]} - before
    return f"{SETS}/{id_}"


def read(guest, path):
    """Return the text of a page, without tags."""
    answer = guest.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", answer.text)).split())


@pytest.mark.both_stores
def test_a_set_is_built_by_touches_and_stays_in_the_order_of_the_game(serving):
    ann = serving.guest("Ann")
    path = begin(ann, begins="nothing")
    for name in reversed(SET):
        touched = ann.post(f"{path}/touch", take=name)
        assert touched.status_code == 200, touched.text
    assert touched.json()["cards"] == SET and touched.json()["wrong"] is None
    back = ann.post(f"{path}/touch", back=SET[0]).json()
    assert back["cards"] == SET[1:] and back["wrong"] == "1 character missing (RH-4)"
    assert ann.post(f"{path}/touch", take=SET[0]).json() == touched.json()
    levels = [card.level for card in base_set().characters[:12]]
    assert list(touched.json()["sums"].values()) == [sum(level[stage] for level in levels) for stage in range(4)]


@pytest.mark.parametrize(
    ("touch", "words"),
    [
        ({"take": CHARACTERS[20]}, "a set has 12 characters: put one back (RH-4)"),
        ({"take": MODIFIERS[5]}, "a set has 3 modifiers: put one back (RH-4)"),
        ({"take": SET[0]}, f"{SET[0]} is in the set: a set has each card once (RH-4)"),
        ({"take": "Dragon"}, "there is no card 'Dragon' here (RH-4)"),
        ({"back": "Dragon"}, "'Dragon' is not in the set"),
        ({"take": MODIFIERS[5], "back": SET[0]}, "a set has 3 modifiers: put one back (RH-4)"),
        ({}, "name a card to take, or one to put back"),
        ({"take": "\x00\u202e" * 2000}, "there is no card"),
    ],
)
def test_a_touch_that_is_not_allowed_says_why_with_the_clause_and_changes_nothing(serving, touch, words):
    ann = serving.guest("Ann")
    path = begin(ann, title="Greenwood", text="\n".join(SET))
    refused = ann.post(f"{path}/touch", **touch)
    assert refused.status_code == 422 and words in refused.json()["error"]
    page = ann.submit(f"{path}/touch", **touch)
    assert page.status_code == 422 and words.partition(" (")[0].casefold() in html.unescape(page.text).casefold()
    assert ann.get(path).json()["cards"] == SET


def test_a_full_set_says_on_each_other_card_why_and_asks_instead_of_whom(serving):
    ann = serving.guest("Ann")
    path = begin(ann, title="Greenwood", text="\n".join(SET))
    page = ann.get(path, headers=HTML).text
    full = re.findall(r'<a class="set-row is-full"[^>]* href="([^"]+)".*?</a>', page)
    assert len(full) == 64 - 15
    assert page.count("Instead of whom? a set has 12 characters: put one back (RH-4).") == 36
    asked = ann.get(html.unescape(full[0]), headers=HTML).text
    taken = re.search(r'name="take" value="([^"]+)"', asked)[1]
    assert asked.count('name="back"') == 12 and f"{taken}: instead of whom?" in asked
    answer = ann.submit(f"{path}/touch", take=html.unescape(taken), back=SET[3])
    assert answer.status_code == 303
    cards = ann.get(path).json()["cards"]
    assert html.unescape(taken) in cards and SET[3] not in cards and len(cards) == 15


def test_the_builder_leads_to_the_other_sets_of_its_player_and_shows_levels_by_colour(serving):
    ann = serving.guest("Ann")
    full, short = (begin(ann, title=title, text="\n".join(cards)) for title, cards in (("A", SET), ("B", SET[:3])))
    shown = html.unescape(ann.get(full, headers=HTML).text)
    panel = shown[shown.index('id="others"') : shown.index("</aside>")]
    assert f'href="{short}"' in panel and f'href="{full}"' not in panel and "9 characters, 3 modifiers missing" in panel
    row = shown[shown.index('id="at-robin_hood"') :]
    levels = re.findall(r'<span class="l(\d)" title="(\w+)">.*?<b>(\d)</b>', row[: row.index("</li>")])
    assert levels == [("4", "Agility", "4"), ("4", "Weapons", "4"), ("1", "Strength", "1"), ("1", "Endurance", "1")]
    top = shown[: shown.index('id="cards"')]
    assert all(f'href="#{anchor}"' in top for anchor in ("as-text", "share", "keep"))


def test_filters_of_one_kind_add_up_and_others_narrow_and_a_stage_orders(serving):
    ann = serving.guest("Ann")
    path = begin(ann, begins="nothing")

    def shown(query):
        return re.findall(r'<li id="at-([^"]+)"', ann.get(f"{path}?{query}", headers=HTML).text)

    outlaws, townsfolk, activists = (shown(f"group={key}") for key in ("outlaw", "townsfolk", "activist"))
    assert (len(shown("")), len(outlaws), len(townsfolk)) == (64, 10, 8)
    assert shown("group=outlaw&group=townsfolk") == outlaws + townsfolk
    assert set(shown("group=outlaw&group=activist")) == set(outlaws) & set(activists)
    by_strength = shown("group=outlaw&order=strength")
    levels = {card_key(card.name): card.level[2] for card in base_set().characters}
    strengths = [levels[key] for key in by_strength]
    assert set(by_strength) == set(outlaws) and strengths == sorted(strengths, reverse=True)
    starred = [card.name for card in base_set().characters if "★" in card.text]
    assert len(shown("group=elsewhere")) == len(starred) > 0
    ann.post(f"{path}/touch", take="Friar Tuck")
    assert shown("in=set") == ["friar_tuck"] and shown("search=dragon") == []
    for wrong in ("group=dragon", "order=dragon"):
        assert ann.get(f"{path}?{wrong}", headers=HTML).status_code == 422


@pytest.mark.both_stores
def test_what_is_missing_is_dealt_and_what_is_there_stays(serving):
    ann = serving.guest("Ann")
    path = begin(ann, begins="nothing")
    ann.post(f"{path}/touch", take=CHARACTERS[30])
    dealt = ann.post(f"{path}/deal").json()
    assert CHARACTERS[30] in dealt["cards"] and dealt["wrong"] is None and len(set(dealt["cards"])) == 15
    assert ann.post(f"{path}/deal").json() == dealt, "a whole set stays as it is"
    others = [ann.get(begin(ann, begins="dealt")).json()["cards"] for _ in range(3)]
    assert len({tuple(each) for each in others}) == 3


def test_a_set_is_copied_and_its_text_goes_out_and_in(serving):
    ann = serving.guest("Ann")
    path = begin(ann, title="Greenwood", text="\n".join(SET))
    copy = begin(ann, set=path.rpartition("/")[2])
    assert ann.get(copy).json() == ann.get(path).json() | {"id": copy.rpartition("/")[2], "name": "Greenwood, again"}
    page = ann.get(path, headers=HTML).text
    text = html.unescape(re.search(r'<textarea[^>]*id="set-text".*?>(.*?)</textarea>', page, re.DOTALL)[1])
    assert ann.post(f"{copy}/text", text="tax day\n# a remark\nlittle john").json()["cards"] == [
        "Tax Day",
        "Little John",
    ]
    assert ann.post(f"{copy}/text", text=text).json()["cards"] == SET
    wrong = ann.submit(f"{copy}/text", text="Little John\n<script>alert(1)")
    assert wrong.status_code == 422 and "Line 2" in wrong.text and "<script>alert" not in wrong.text
    assert "&lt;script&gt;alert(1)" in wrong.text, "the text that was written is still there"
    assert ann.get(copy).json()["cards"] == SET


def test_sets_of_others_are_neither_read_nor_changed(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    path = begin(ann, title="Greenwood", text="\n".join(SET))
    for answer in (
        bo.get(path),
        bo.get(path, headers=HTML),
        bo.post(f"{path}/touch", back=SET[0]),
        bo.post(f"{path}/deal"),
        bo.post(f"{path}/text", text="Little John"),
        bo.post(SETS, set=path.rpartition("/")[2]),
        bo.get(f"{SETS}/%00"),
        bo.get(f"{SETS}/{'x' * 500}"),
        ann.get(path.replace("robin", "round-table")),
    ):
        assert answer.status_code == 404 and SET[0] not in answer.text
    assert ann.get(path).json()["cards"] == SET


@pytest.mark.both_stores
def test_finished_games_count_for_the_set_that_was_chosen_in_them(serving):
    ann, bo, table = sit_down(serving)
    path, other = begin(ann, title="Greenwood", text="\n".join(SET)), begin(ann, begins="dealt")
    assert choose(ann, table, [name.upper() for name in reversed(SET)]).status_code == 200
    assert "0 games of yours with this set" in read(ann, path), "the game is not over"
    choose(bo, table, way="rest")
    assert bo.post(f"/tables/{table}/resign").status_code == 200
    page = read(ann, path)
    assert "1 game of yours with this set" in page and "1 of 1" in page and "From 20 games on" in page
    assert "won 1 of 1 game" in read(ann, SETS) and "0 games of yours" in read(ann, other)
    theirs = begin(bo, title="Greenwood", text="\n".join(SET))
    assert "0 games of yours" in read(bo, theirs), "it counts for who chose it alone"
    ann.post(f"{path}/touch", back=SET[0])
    assert "0 games of yours" in read(ann, path), "a changed set begins anew"
    ann.post(f"{path}/touch", take=SET[0])
    again = ann.make("robin", "me", "open")
    bo.sit(again, 1)
    assert "won 1 of 1 game" in read(ann, f"/tables/{again}/sets")


def test_how_a_set_did_has_a_share_with_its_interval_from_enough_games_on(serving, monkeypatch):
    monkeypatch.setattr("quintain.server.pages.cards.deck_pages.LEAST", 1)
    ann, bo, table = sit_down(serving)
    path = begin(ann, title="Greenwood", text="\n".join(SET))
    choose(ann, table, SET)
    bo.post(f"/tables/{table}/resign")
    assert "won 100 %; the true share lies between 21 and 100 %" in read(ann, path)


OTHER_SET = CHARACTERS[20:32] + MODIFIERS[6:9]
ADDRESSES = ("/tables/{}.json", "/tables/{}", "/tables/{}/steps", "/tables/{}/looks", "/tables/{}/sets", SETS)
"""What somebody else can ask who wants to know the set of a player."""


def plain(text, table):
    """Return a text without what differs from table to table: its id, its random numbers, and the time."""
    text = re.sub(r"\b[0-9a-f]{32,}\b|\b\d{10}\.\d+|\bWy[IJ][\w.-]+", "", text.replace(table, "TABLE"))
    return re.sub(r'("csrf"[^,]*?value="|csrf": ?")[^"]+', "", text)


@pytest.mark.both_stores
def test_twin_tables_tell_a_rival_and_a_spectator_the_same_whatever_set_is_chosen(serving):
    ann, bo, eve = (serving.guest(name) for name in ("Ann", "Bo", "Eve"))
    told = []
    for cards in (SET, OTHER_SET):
        table = ann.make("robin", "me", "open", clock="none")
        bo.sit(table, 1)
        with bo.watching(table) as at_bo, eve.watching(table) as at_eve:
            assert save(ann, table, cards=cards).status_code == 201
            assert len(ann.get(f"/tables/{table}/sets").json()["sets"]) == len(told) + 1
            assert choose(ann, table, cards).status_code == 200
            heard = [pushed(socket)[-1] for socket in (at_bo, at_eve)]
        asked = [
            guest.get(address.format(table), headers=accepts).text
            for guest in (bo, eve)
            for address in ADDRESSES
            for accepts in ({}, HTML)
        ]
        told.append([plain(text, table) for text in (*heard, *asked)])
        assert own_set(ann, table) == sorted(cards)
    assert len(told[0]) == 2 + 2 * 2 * len(ADDRESSES)
    for one, other in zip(*told, strict=True):
        assert one == other


def test_of_a_set_the_rival_learns_only_the_cards_that_are_played(serving):
    ann, bo, table = sit_down(serving)
    eve = serving.guest("Eve")
    choose(ann, table, SET)
    choose(bo, table, OTHER_SET)
    played = set()
    for _ in range(6):
        for guest in (ann, bo):
            seen = guest.view(table)
            if seen["menu"]:
                guest.move(table, seen["menu"][0]["action"], seen["table"]["decision"])
        played |= {str(move.text).removeprefix("play ") for move in serving.table(table).match.moves_made}
        for viewer in (bo, eve):
            known = str(
                [zone for zone in viewer.view(table)["view"]["zones"] if ".0" in zone["id"] or "0." in zone["id"]]
            )
            known += str(viewer.view(table)["log"])
            assert {name for name in SET if name in known} <= played
    assert len(played & set(SET)) >= 3, "some cards were played"
