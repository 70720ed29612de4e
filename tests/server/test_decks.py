"""Decks of players over HTTP: building, text, taking back, sharing, secrecy, and what finished games say of a list."""

import html
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from quintain.engine.errors import BadDeck
from quintain.engine.rules.registry import game
from quintain.server.model import deck_lists
from quintain.server.model.deck_lists import MOST_CODE, MOST_NAME, code_of, kept_list, read_code
from quintain.server.store.cards import player_decks
from server.guests import is_over
from server.stores import rows

HTML = {"accept": "text/html"}
DECKS = "/cards/round-table/decks"
ROUND_TABLE = game("round-table")
LEGAL = "Main\n40 Knight Errant\n\nDemesne\n20 Farm\n"


def begin(guest, **copied):
    """Begin a deck, and return its address."""
    answer = guest.post(DECKS, **copied)
    assert answer.status_code == 201, answer.text
    return f"{DECKS}/{answer.json()['id']}"


def read(guest, path):
    answer = guest.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    return html.unescape(answer.text)


@pytest.mark.both_stores(always=True)
def test_a_deck_is_built_card_by_card_and_taken_back(serving):
    ann = serving.guest("Ann")
    path = begin(ann)
    assert ann.get(path).json()["list"] == "" and not ann.get(path).json()["legal"]
    assert ann.post(f"{path}/touch", more="Knight Errant", times=40).json()["list"] == "Main\n40 Knight Errant\n"
    built = ann.post(f"{path}/touch", more="Farm", times=20).json()
    assert built["legal"] and built["list"] == LEGAL
    assert [law["fault"] for law in built["laws"]] == [""] * 5
    fewer = ann.post(f"{path}/touch", less="Farm").json()
    assert not fewer["legal"] and "one card short together" in [law["fault"] for law in fewer["laws"]]
    assert ann.post(f"{path}/back").json()["list"] == LEGAL
    ann.post(f"{path}/back"), ann.post(f"{path}/back")
    assert ann.get(path).json()["list"] == ""
    assert ann.post(f"{path}/back").status_code == 409


def test_the_builder_leads_to_the_other_decks_of_its_player_and_to_the_link(serving):
    ann = serving.guest("Ann")
    here, other = begin(ann, ready="hedge-host"), begin(ann)
    shown = read(ann, here)
    panel = shown[shown.index('id="mine"') : shown.index('id="as-text"')]
    assert f'href="{other}"' in panel and f'href="{here}"' not in panel and "open here" in panel
    assert "not legal yet" in panel and f'href="{DECKS}#ready"' in panel and 'id="ready"' in read(ann, DECKS)
    top = shown[: shown.index('id="cards"')]
    assert 'href="#share"' in top and 'href="#keep"' in top


@pytest.mark.both_stores(always=True)
def test_touches_at_the_same_time_all_count(serving):
    ann = serving.guest("Ann")
    path = begin(ann)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: ann.post(f"{path}/touch", more="Farm").status_code, range(12)))
    assert set(answers) == {200}
    assert ann.get(path).json()["sections"]["Demesne"] == {"Farm": 12}


@pytest.mark.both_stores
def test_nobody_reads_or_changes_decks_of_others(serving):
    ann, bo, stranger = serving.guest("Ann"), serving.guest("Bo"), serving.guest()
    path = begin(ann, ready="hedge-host")
    before = ann.get(path).json()
    for guest in (bo, stranger):
        assert guest.get(path).status_code == 404 and guest.get(f"{path}/list.txt").status_code == 404
        for deed, fields in (
            ("touch", {"more": "Farm"}),
            ("text", {"text": LEGAL}),
            ("name", {"title": "Mine"}),
            ("back", {}),
            ("delete", {}),
        ):
            assert guest.post(f"{path}/{deed}", **fields).status_code in (403, 404)
    assert bo.post(DECKS, deck=before["id"]).status_code == 404
    assert ann.get(path).json() == before
    assert ann.post(f"{path}/touch", csrf="wrong", more="Farm").status_code == 403


@pytest.mark.both_stores
def test_decks_are_bounded_in_number_name_and_versions(serving, monkeypatch):
    monkeypatch.setattr(player_decks, "MOST_DECKS", 2)
    monkeypatch.setattr(player_decks, "MOST_VERSIONS", 3)
    ann = serving.guest("Ann")
    path, second = begin(ann), begin(ann, ready="great-houses")
    refused = ann.post(DECKS)
    assert refused.status_code == 422 and "delete one first" in refused.json()["error"]
    for _ in range(6):
        ann.post(f"{path}/touch", more="Farm")
    for left in (5, 4):
        assert ann.post(f"{path}/back").json()["sections"]["Demesne"] == {"Farm": left}
    assert ann.post(f"{path}/back").status_code == 409
    assert ann.post(f"{path}/name", title="x" * MOST_NAME).json()["name"] == "x" * MOST_NAME
    for wrong in ("", "   ", "\u202e", "x" * (MOST_NAME + 1), "x" * 5000):
        assert ann.post(f"{path}/name", title=wrong).status_code == 422
    assert ann.post(f"{path}/name", title="<b>\u202eI\t am</b>").json()["name"] == "<b>I am</b>"
    page = ann.get(path, headers=HTML).text
    assert "<b>I am" not in page and "&lt;b&gt;I am" in page
    assert ann.post(f"{second}/delete").json() == {"deleted": second.rpartition("/")[2]}
    assert ann.get(second).status_code == 404


@pytest.mark.both_stores
def test_whoever_is_deleted_takes_the_decks_along(start, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        ann.post(f"{begin(ann)}/touch", more="Farm")
        number = serving.sites[0].config.database
        assert len(rows(number, "SELECT id FROM decks")) == 1
        assert ann.submit("/me/forget", name="Ann").status_code in (200, 303)
        assert not rows(number, "SELECT id FROM decks") and not rows(number, "SELECT deck FROM deck_versions")


def test_the_builder_works_without_script(server):
    ann = server.guest("Ann")
    listed = read(ann, DECKS)
    assert "You have no deck yet" in listed and "The Hedge Host" in listed and "Or begin with nothing" in listed
    path = ann.submit(DECKS, ready="hedge-host").headers["location"]
    page = read(ann, path)
    assert "My Hedge Host" in page and "Legal: 43 Main, 63 together, 20 Demesnes, 8 Regions" in page
    assert f"/new/round-table?option.decks.0=deck:{path.rpartition('/')[2]}" in page
    answer = ann.submit(f"{path}/touch?kind=Knights&order=name", more="Gawain")
    assert answer.headers["location"] == f"{path}?kind=Knights&order=name#at-gawain"
    again = ann.submit(f"{path}/touch?kind=Knights", more="Gawain")
    assert again.status_code == 422
    assert "at most one copy of a named Knight" in again.text and "RT-2" in again.text
    for _ in range(4):
        ann.submit(f"{path}/touch", less="Knight Errant")
    assert "Legal: " in read(ann, path)
    ann.submit(f"{path}/touch", less="Knight Vassal")
    assert "Not legal yet: one Main card short" in read(ann, path)
    wrong = ann.submit(f"{path}/text", text="Main\n1 Knigt Errant\n")
    assert wrong.status_code == 422
    assert "Line 2: there is no card" in wrong.text and "do you mean Knight Errant?" in wrong.text
    assert "1 Knigt Errant" in wrong.text
    assert ann.submit(f"{path}/text", text=LEGAL).status_code == 303
    assert ann.get(f"{path}/list.txt").text == LEGAL
    assert "attachment" in ann.get(f"{path}/list.txt").headers["content-disposition"]
    assert ann.submit(f"{path}/delete").headers["location"] == DECKS


def test_filters_say_how_many_cards_they_leave(server):
    ann = server.guest("Ann")
    path = begin(ann, ready="hedge-host")
    for query, left in (
        ("", 144),
        ("?kind=Titles", 14),
        ("?search=Gawain", None),
        ("?in=deck", None),
        ("?cost=1", None),
    ):
        page = read(ann, path + query)
        found = re.search(r"(\d+) of (\d+) shown", page)
        assert left is None or int(found[2]) == left
    in_deck = read(ann, f"{path}?in=deck")
    assert re.search(r'aria-current="true"><span aria-hidden="true">✓</span>In the deck <small>(\d+)', in_deck)
    assert ann.get(f"{path}?kind=Dragons", headers=HTML).status_code == 422
    assert ann.get(f"{path}?hand=x", headers=HTML).status_code == 422
    other = read(ann, f"{path}?hand=2&chosen=3&chance0=Kay")
    assert "10 cards, 3 of them from the Demesne deck" in other and "<option selected>Kay</option>" in other


def test_a_link_holds_the_list_as_it_was(server):
    ann, bo = server.guest("Ann"), server.guest("Bo")
    path = begin(ann, ready="hedge-host")
    before = ann.get(path).json()["list"]
    link = re.search(r'id="share-link"[^>]*value="([^"]*)"', read(ann, path))[1]
    ann.post(f"{path}/text", text=LEGAL)
    shown = read(bo, link.removeprefix(server.url))
    assert "My Hedge Host" in shown and "4 Knight Mercenary" in shown
    copied = bo.post(DECKS, code=link.rpartition("/")[2]).json()
    assert copied["list"] == before and copied["name"] == "My Hedge Host"
    assert len(link) < 1000 and re.fullmatch(r"[A-Za-z0-9_-]+", link.rpartition("/")[2])


def test_decks_are_for_games_that_have_some(server):
    ann = server.guest("Ann")
    for path in ("/cards/robin/decks", "/cards/nothing/decks", f"{DECKS}/nothing", f"{DECKS}/shared/nothing"):
        assert ann.get(path, headers=HTML).status_code in (404, 422)
    assert ann.post("/cards/robin/decks").status_code == 404
    assert ann.post(DECKS, ready="nothing").status_code == 422
    path = begin(ann)
    for wrong in ({"more": "Dragon"}, {"more": "Farm", "times": 0}, {"more": "Farm", "times": 121}, {}):
        assert ann.post(f"{path}/touch", **wrong).status_code == 422


@pytest.mark.both_stores
def test_finished_games_belong_to_the_list_that_was_played(serving):
    ann = serving.guest("Ann")
    path = begin(ann, ready="hedge-host")
    list_played = ann.get(path).json()["list"]
    table = ann.make("round-table", "me", "random", options={"decks": [list_played, "great-houses"]})
    assert ann.post(f"/tables/{table}/resign").status_code == 200
    assert is_over(ann.view(table))
    page = read(ann, path)
    assert "1 game of yours with this list" in page and "0 of 1" in page and "From 20 games on" in page
    ann.post(f"{path}/touch", more="Farm")
    assert "0 games of yours with this list" in read(ann, path)
    ann.post(f"{path}/back")
    assert "1 game of yours with this list" in read(ann, path)
    assert "0 games of yours with this list" in read(ann, begin(ann, ready="great-houses"))


@pytest.mark.both_stores
def test_own_decks_are_chosen_in_the_form_of_a_new_table(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    path, short = begin(ann, ready="hedge-host", title="Hedges"), begin(ann, title="Not yet")
    choice = f"deck:{path.rpartition('/')[2]}"
    form = read(ann, f"/new/round-table?option.decks.0={choice}")
    assert f'<option value="{choice}" selected>Hedges</option>' in form and "A deck of your own." in form
    assert "Not yet" not in form and "Hedges" not in read(bo, "/new/round-table")
    seats = {"game": "round-table", "seat.0": "me", "seat.1": "random"}
    made = ann.submit("/tables", **seats, **{"option.decks.0": choice, "option.decks.1": "great-houses"})
    assert made.status_code == 303
    table = made.headers["location"].rpartition("/")[2]
    assert "4 Knight Mercenary" in played_lists(serving, table)[0]
    by_program = ann.make("round-table", "me", "random", options={"decks": [choice, "great-houses"]})
    assert played_lists(serving, by_program) == played_lists(serving, table)
    refused = bo.post("/tables", game="round-table", seats=["me", "random"], options={"decks": [choice]})
    assert refused.status_code == 404
    wrong = {"option.decks.0": f"deck:{short.rpartition('/')[2]}", "option.decks.1": "great-houses"}
    answer = ann.submit("/tables", **seats, **wrong)
    assert answer.status_code == 422 and "Not yet cannot be played yet: 40 Main cards short" in answer.text


def played_lists(serving, table):
    """Return the deck lists of a table, as its options hold them."""
    (row,) = rows(serving.sites[0].config.database, f"SELECT options FROM tables WHERE id = '{table}'")
    options = row[0]
    return (json.loads(options) if isinstance(options, str) else options)["decks"]


def test_shares_are_told_from_twenty_games_on(server, monkeypatch):
    monkeypatch.setattr("quintain.server.pages.cards.deck_pages.LEAST", 1)
    ann = server.guest("Ann")
    path = begin(ann, ready="hedge-host")
    table = ann.make("round-table", "me", "random", options={"decks": ["hedge-host", "great-houses"]})
    ann.post(f"/tables/{table}/resign")
    assert "won 0 %; the true share lies between 0 and 79 %" in read(ann, path)


HOSTILE = (
    "<script>",
    "&amp;",
    "\u202e",
    "\u0000",
    "\uff27awain",
    "Gawa\u0131n",
    "K\u0430y",
    "999",
    "-1",
    "0",
    "\U0001f600",
    "1e9",
    "#",
)
"""Markup, invisible signs, letters that look like others, and numbers out of place."""


def mutated(text, chance):
    """Return a list with a few changes at random places, some of them hostile."""
    lines = text.splitlines()
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        deed = chance.randrange(7)
        if deed == 0:
            lines.insert(at, chance.choice(lines))
        elif deed == 1:
            del lines[at]
            lines = lines or ["Main"]
        elif deed == 2:
            place = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + chance.choice(HOSTILE) + lines[at][place:]
        elif deed == 3:
            lines[at] = f"{chance.randint(0, 1200)} {lines[at].partition(' ')[2]}"
        elif deed == 4:
            lines[at] = lines[at].swapcase()
        elif deed == 5:
            chance.shuffle(lines)
        else:
            lines[at] = lines[at] * chance.randint(2, 40)
    return "\n".join(lines)


def test_mutated_lists_are_kept_or_refused_with_line_card_and_clause():
    chance, outcomes = random.Random(4), {"kept": 0, "refused": 0}
    decks = deck_lists.decks_of(ROUND_TABLE)
    valid = [decks.write(decks.read(name, ""), "") for name in decks.ready_made]
    for _ in range(2500):
        text = mutated(chance.choice(valid), chance)
        try:
            kept = kept_list(ROUND_TABLE, text)
        except BadDeck as error:
            outcomes["refused"] += 1
            assert re.match(r"line \d+: ", str(error)) and re.search(r"\(RT-[1-4]\)$", str(error)), str(error)
            assert len(str(error)) < 600
        else:
            outcomes["kept"] += 1
            assert kept_list(ROUND_TABLE, kept) == kept
            assert set(kept) <= set("".join(valid)) | set(kept)
    assert min(outcomes.values()) > 100


def test_mutated_links_are_read_or_refused():
    chance, code = random.Random(5), code_of("My deck", LEGAL)
    for _ in range(2000):
        signs = list(code)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(signs))
            signs[place : place + chance.randint(0, 2)] = chance.choice(["A", "_", "-", "%", "é", "=", "AAAA", ""])
        try:
            name, text = read_code("".join(signs))
        except BadDeck:
            continue
        assert 0 < len(name) <= MOST_NAME and len(text) <= deck_lists.MOST_TEXT
    for wrong in ("", "A", "A" * (MOST_CODE + 1), code_of("x", "1 Farm\n" * 5000), code_of("x" * 99, "")):
        with pytest.raises(BadDeck):
            read_code(wrong)


def test_hostile_posts_never_bring_the_server_down(server):
    chance, ann = random.Random(6), server.guest("Ann")
    path = begin(ann, ready="hedge-host")
    text = ann.get(path).json()["list"]
    for _ in range(60):
        assert ann.post(f"{path}/text", text=mutated(text, chance)).status_code in (200, 400, 422)
    for wrong in (
        "x" * 10_001,
        "\n" * 9000,
        "1 " + "x" * 9000,
        "Main\n" + "1 Farm\n" * 900,
        ["Main"],
        {"a": 1},
        7,
        None,
    ):
        assert ann.post(f"{path}/text", text=wrong).status_code in (200, 400, 413, 422)
    for code in ("...", "%00", "a" * 7000, "é" * 20, "__proto__", "<script>"):
        assert ann.get(f"{DECKS}/shared/{code}", headers=HTML).status_code in (400, 404, 414, 422, 431)
        assert ann.get(f"{DECKS}/{code}", headers=HTML).status_code in (200, 303, 400, 404, 414, 422, 431)
    for query in (
        "?page=0",
        "?page=9999999",
        "?hand=-1",
        "?chosen=a",
        "?chance0=<b>",
        "?search=" + "x" * 3000,
        "?in=" + "y" * 99,
    ):
        assert ann.get(path + query, headers=HTML).status_code in (200, 422)


@pytest.mark.parametrize("fields", [{"ready": "hedge-host"}, {"title": "Mine"}, {}])
def test_whoever_has_no_name_is_asked_for_one_and_the_deck_is_begun_at_once(serving, fields):
    eve = serving.guest()
    asked = eve.submit(DECKS, **fields)
    assert asked.status_code == 403 and f'action="{DECKS}"' in html.unescape(asked.text)
    for _ in range(2):
        kept = dict(re.findall(r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', asked.text))
        assert {name: kept[name] for name in fields} == fields
        asked = eve.submit(DECKS, **{**kept, "name": "Grandmaster"})
        assert asked.status_code == 422 and "looks like the name of a bot" in html.unescape(asked.text)
    made = eve.submit(DECKS, **{**kept, "name": "Eve"})
    assert made.status_code == 303 and made.headers["location"].startswith(f"{DECKS}/")
    assert eve.get(made.headers["location"]).status_code == 200


def test_a_program_is_told_in_json_what_is_wrong_with_a_name(serving):
    eve = serving.guest()
    assert eve.post(DECKS, ready="hedge-host").status_code == 403
    wrong = eve.post(DECKS, ready="hedge-host", name="Grandmaster")
    assert wrong.status_code == 422 and "looks like the name of a bot" in wrong.json()["error"]
