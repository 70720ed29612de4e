"""The workshop over HTTP, without script: sets that begin, change, are saved, compared, shared, played and deleted."""

import html
import random
import re

import pytest

from quintain.engine.rules.registry import game
from quintain.server.workshop.drafts import base_draft, entries_of, first_fault
from server.workshop.test_drafts import GAMES, HOSTILE

HTML = {"accept": "text/html"}


@pytest.fixture
def ann(serving):
    return serving.guest("Ann")


def source(answer) -> str:
    """Return the HTML of an answer with plain slashes."""
    return answer.text.replace("&#x2f;", "/")


def plain(page: str) -> str:
    """Return the words of a page without tags, with single blanks."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def begun(guest, id_="round-table", **fields):
    """Begin a set, and return its address."""
    answer = guest.submit(f"/cards/{id_}/workshop", **{"begin": "base", **fields})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def shown(guest, url, **query):
    """Return the page of a set."""
    answer = guest.get(url, headers=HTML, params=query)
    assert answer.status_code == 200, answer.text
    return source(answer)


def form_of(page, card=None):
    """Return the fields of the form that changes a card, or of the first one."""
    for form in re.findall(r"<form[^>]* data-workshop-form>.*?</form>", page, re.DOTALL):
        fields = {}
        for tag in re.findall(r"<input[^>]*>", form):
            given = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if given.get("type") == "checkbox" and " checked" not in tag:
                continue
            fields[html.unescape(given["name"])] = html.unescape(given.get("value", "on"))
        for name, options in re.findall(r'<select[^>]* name="([^"]*)".*?>(.*?)</select>', form, re.DOTALL):
            chosen = re.search(r'value="([^"]*)" selected', options)
            fields[name] = html.unescape(chosen[1]) if chosen else ""
        if any(re.match(r"\d+\.", name) for name in fields) and (card is None or f"{card}.name" in fields):
            return {name: value for name, value in fields.items() if name != "csrf"}
    raise AssertionError("this page has no form of a card")


def number_in(page, name):
    """Return the number of a card from its link in the list of the set."""
    found = re.search(rf'card=(\d+)" data-workshop-link[^>]*><svg[^>]*>(?:(?!</a>).)*<span>{name}', page, re.DOTALL)
    assert found, name
    return int(found[1])


def text_of(guest, url, version="draft"):
    return guest.get(f"{url}/set.toml", params={"version": version}).text


def post_card(guest, url, at, **fields):
    """Post the form of a card as its page has it, with other values in some fields."""
    form = form_of(shown(guest, url, card=at), at)
    do = {"do": fields.pop("do")} if "do" in fields else {}
    return guest.submit(url, **{**form, **{f"{at}.{name}": value for name, value in fields.items()}, **do})


# Beginning.


def test_only_games_with_a_vocabulary_have_the_tab(ann):
    for id_ in ("round-table", "robin", "heirless"):
        assert f'href="/cards/{id_}/workshop"' in source(ann.get(f"/cards/{id_}", headers=HTML))
    assert "/cards/kings-court/workshop" not in source(ann.get("/cards/kings-court", headers=HTML))
    answer = ann.get("/cards/kings-court/workshop", headers=HTML)
    assert answer.status_code == 404 and "takes no cards of your own" in plain(answer.text)


@pytest.mark.parametrize("id_", GAMES)
def test_a_set_begins_with_the_base_set_or_with_one_card(ann, id_):
    url = begun(ann, id_)
    assert text_of(ann, url) == base_draft(game(id_))
    page = plain(shown(ann, url))
    assert "version 1" in page and "Save as version 2 nothing has changed" in page
    url = begun(ann, id_, begin="one", title="Small")
    assert "Small" in shown(ann, url) and first_fault(game(id_), text_of(ann, url)) is None


def test_the_list_names_each_set_with_its_state(ann):
    url = begun(ann, title="Hedge Knights")
    page = shown(ann, "/cards/round-table/workshop")
    assert f'href="{url}">Hedge Knights</a>' in page
    assert "1 for Round Table; at most 20 in all games together" in plain(page)
    assert "You have no set" in plain(source(ann.get("/cards/robin/workshop", headers=HTML)))


def test_a_stranger_begins_with_a_name_in_the_same_form(serving):
    guest = serving.guest()
    page = source(guest.get("/cards/robin/workshop", headers=HTML))
    assert '<input name="name" required' in page
    assert shown(guest, begun(guest, "robin", name="Bo"))


# Changing.


def test_a_changed_field_is_kept_and_shows_what_it_was(ann):
    url = begun(ann)
    at = number_in(shown(ann, url, kind="knight"), "Balin")
    assert post_card(ann, url, at, influence="4").status_code == 303
    page = shown(ann, url, card=at)
    assert "was 5" in plain(page) and "Balin: Influence 5 → 4" in plain(page)
    assert entries_of(game("round-table"), text_of(ann, url))[at].data["influence"] == 4
    assert re.search(r'class="text">When it captures', page), "the card as it will be printed"


def test_a_fault_stands_at_its_field_with_its_clause_and_stops_saving_and_playing(ann):
    url = begun(ann)
    at = number_in(shown(ann, url), "Balin")
    post_card(ann, url, at, influence="many")
    page = shown(ann, url, card=at)
    assert re.search(rf'name="{at}.influence" value="many"[^>]* aria-invalid="true"', page)
    assert '<a class="clause" href="/rules/round-table#RT-33">' in page
    words = plain(page)
    assert "Save as version 2 Balin is wrong" in words and "Play with the set Balin is wrong" in words
    assert "as it was last, while something is wrong" in words
    answer = ann.submit(f"{url}/save")
    assert answer.status_code == 422 and "cannot be" in plain(answer.text)
    answer = ann.submit("/tables", **form_to_play(ann, url))
    assert answer.status_code == 422 and "There is no table yet" in plain(answer.text)
    assert "This table plays your set" in plain(answer.text)
    assert ann.submit(f"{url}/back").status_code == 303
    assert text_of(ann, url) == base_draft(game("round-table"))


def test_buttons_step_numbers_and_add_and_remove_rows_and_cards(ann):
    url, found = begun(ann), game("round-table")
    at = number_in(shown(ann, url), "Balin")

    def card():
        return entries_of(found, text_of(ann, url))[at].data

    post_card(ann, url, at, do=f"more:{at}.influence")
    assert card()["influence"] == 6
    post_card(ann, url, at, do=f"new-row:{at}:rows")
    assert card()["rows"][1] == {}
    row = {"rows.1.when": "attacks", "rows.1.whom": "opponents", "rows.1.what": "discard", "rows.1.amount": "2"}
    post_card(ann, url, at, **row)
    assert card()["rows"][1]["amount"] == 2
    post_card(ann, url, at, do=f"remove-row:{at}:rows:0")
    assert len(card()["rows"]) == 1
    answer = post_card(ann, url, at, do="new-card:knight")
    new = int(re.search(r"card=(\d+)", answer.headers["location"])[1])
    assert entries_of(found, text_of(ann, url))[new].name == "New Knight"
    assert "New Knight" in plain(shown(ann, url, card=new))
    post_card(ann, url, new, do=f"remove-card:{new}")
    assert len(entries_of(found, text_of(ann, url))) == 144


def test_filters_show_a_kind_or_the_changed_cards(ann):
    url = begun(ann)
    at = number_in(shown(ann, url), "Balin")
    assert "No card is changed yet" in plain(shown(ann, url, changed="yes"))
    post_card(ann, url, at, influence="4")
    page = shown(ann, url, changed="yes")
    assert page.count("data-workshop-link><svg") + page.count('aria-current="true"><svg') == 1
    titles = shown(ann, url, kind="title")
    assert "14" in plain(titles) and "Balin" not in re.search(r'id="ws-list".*?</table>', titles, re.DOTALL)[0]
    for wrong in ({"kind": "x"}, {"card": "9999"}, {"card": "-1"}, {"card": "\N{ARABIC-INDIC DIGIT THREE}"}):
        assert shown(ann, url, **wrong)


def test_tables_of_numbers_change_and_name_the_row_of_a_fault(ann):
    url, found = begun(ann, "heirless"), game("heirless")
    form = form_of(shown(ann, url))
    assert form["0.Delay.2"] == "4"
    ann.submit(url, **{**form, "0.Delay.2": "7"})
    page = shown(ann, url)
    assert re.search(r'name="0.Delay.2" value="7"[^>]*aria-invalid="true"', page)
    assert "Delay, step 3 4 → 7" in plain(page) and 'href="/rules/heirless#HB-29"' in page
    ann.submit(url, **{**form_of(page), "0.Delay.2": "4", "0.Damage.6": "15"})
    assert entries_of(found, text_of(ann, url))[0].data["Damage"][6] == 15
    assert ann.submit(f"{url}/save").status_code == 303


def test_a_form_of_an_older_state_changes_nothing(ann):
    url = begun(ann)
    at = number_in(shown(ann, url), "Balin")
    old = form_of(shown(ann, url, card=at), at)
    post_card(ann, url, at, influence="4")
    answer = ann.submit(url, **{**old, f"{at}.influence": "9"})
    assert answer.status_code == 409 and "changed meanwhile" in plain(answer.text)
    assert entries_of(game("round-table"), text_of(ann, url))[at].data["influence"] == 4


# Versions.


def test_versions_are_saved_compared_and_come_back_as_new_ones(ann):
    url = begun(ann)
    at = number_in(shown(ann, url), "Balin")
    assert ann.submit(f"{url}/save").status_code == 409
    post_card(ann, url, at, influence="4")
    assert ann.submit(f"{url}/save").status_code == 303
    assert "version 2" in plain(shown(ann, url))
    page = plain(source(ann.get(f"{url}/compare", params={"old": "1", "new": "2"}, headers=HTML)))
    assert "From version 1 to version 2: 1 card differs" in page and "Influence 5 → 4" in page
    assert ann.submit(f"{url}/restore", version="1").status_code == 303
    assert text_of(ann, url) == text_of(ann, url, "1") == text_of(ann, url, "3") != text_of(ann, url, "2")
    for wrong in ("9", "", "x" * 90, "-1"):
        assert ann.submit(f"{url}/restore", version=wrong).status_code == 404
        assert ann.get(f"{url}/compare", params={"old": wrong}, headers=HTML).status_code == 404
        assert ann.get(f"{url}/set.toml", params={"version": wrong}).status_code == 404


# Names, files, links.


def test_a_set_is_renamed_and_deleted(ann):
    url = begun(ann)
    assert ann.submit(f"{url}/name", title=" Hedge\tKnights ").status_code == 303
    assert "<h1>Hedge Knights " in shown(ann, url)
    for wrong in ("", " ", "x" * 41, "y" * 5000, "\u202e", "e" + "\u0301" * 90):
        answer = ann.submit(f"{url}/name", title=wrong)
        assert answer.status_code == 422, wrong
    ann.submit(f"{url}/name", title="<b>Bold</b>")
    assert "<b>Bold" not in ann.get(url, headers=HTML).text
    assert ann.submit(f"{url}/delete").status_code == 303
    assert ann.get(url, headers=HTML).status_code == 404


def test_a_set_goes_out_as_a_file_and_comes_in_again(ann):
    url = begun(ann, "robin")
    answer = ann.get(f"{url}/set.toml")
    assert answer.headers["content-disposition"].startswith("attachment") and answer.text == base_draft(game("robin"))
    again = begun(ann, "robin", begin="text", text="# mine\n" + answer.text)
    assert text_of(ann, again) == answer.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing to read"),
        ("[[knight]\n", "cannot be read"),
        ("\n\n[[dragon]]\nname = 'X'", "line 3"),
        ("knight = 3", "this is not a card"),
        ("[[knight]]\n" + "a." * 20 + "b = 1", "too many dots"),
        ("[[knight]]\nx = " + "[" * 300 + "]" * 300, "too deep"),
        ("[[knight]]\nname = '" + "x" * 70_000 + "'", "too many"),
        ("\ufeff" + "e" + "\u0301" * 40, "accents"),
    ],
)
def test_a_text_that_is_no_set_is_refused_with_its_line_and_kept_in_the_form(ann, text, message):
    answer = ann.submit("/cards/round-table/workshop", begin="text", text=text)
    assert answer.status_code == 422 and message in plain(answer.text).casefold()
    if text and len(text) < 200 and text.isascii():
        assert html.escape(text.strip(), quote=False).split("\n")[0] in html.unescape(source(answer)).replace("'", "'")


def test_a_file_comes_in_as_an_upload_and_counts_before_an_empty_text(ann):
    fields = {"csrf": ann.csrf, "begin": "text", "title": "From a file"}
    for content, status in ((base_draft(game("heirless")).encode(), 303), (b"\xff\xfe\x00", 400), (b"", 422)):
        files = [("text", ("mine.toml", content, "application/toml")), ("text", (None, ""))]
        answer = ann.http.post("/cards/heirless/workshop", data=fields, files=files, headers=HTML)
        assert answer.status_code == status, answer.text
    assert "From a file" in plain(shown(ann, "/cards/heirless/workshop"))


def test_cards_with_faults_may_come_along_and_are_named(ann):
    cards = "name = 'Kay'\nrp = 'x'\ncolour = 'red'", "name = 3", "rows = 7\nrp = 1979-05-27"
    text = "".join(f"[[knight]]\n{card}\n" for card in cards)
    url = begun(ann, begin="text", text=text)
    words = plain(shown(ann, url, card="0"))
    assert "has no field 'colour'" in words and "Rp cannot be 'x'" in words and "3 cards are wrong" in words
    for at in ("1", "2"):
        assert shown(ann, url, card=at)
        assert post_card(ann, url, int(at), rp="1").status_code == 303


def test_a_link_shows_a_version_to_others_who_can_copy_it_but_not_change_it(ann, serving):
    url, bo = begun(ann, "robin", title="Outlaws"), serving.guest("Bo")
    assert bo.get(url, headers=HTML).status_code == 404
    for act in ("", "/save", "/back", "/restore", "/name", "/share", "/delete", "/options", "/again"):
        assert bo.submit(f"{url}{act}", title="Mine", version="1").status_code == 404
    assert bo.get(f"{url}/set.toml").status_code == bo.get(f"{url}/compare").status_code == 404
    assert ann.submit(f"{url}/share").status_code == 303
    link = re.search(r'id="share-link"[^>]* value="https?://[^/]*([^"]*)"', shown(ann, url))[1]
    page = shown(bo, link)
    assert "Outlaws" in page and "by Ann" in plain(page)
    assert bo.get(f"{link}/set.toml").text == text_of(ann, url)
    copy = begun(bo, "robin", begin="shared", token=link.rpartition("/")[2])
    assert text_of(bo, copy) == text_of(ann, url) and copy != url
    assert bo.get(link.replace("/robin/", "/round-table/"), headers=HTML).status_code == 404
    for wrong in (link[:-1], link + "x", "/cards/robin/workshop/shared/" + "x" * 150):
        assert bo.get(wrong, headers=HTML).status_code == 404
    ann.submit(f"{url}/delete")
    assert bo.get(link, headers=HTML).status_code == 404


def test_a_draft_without_a_version_is_not_shared(ann):
    url = begun(ann, begin="text", text="[[knight]]\nname = 'Kay'")
    assert ann.submit(f"{url}/share").status_code == 409


# Playing.


def form_to_play(guest, url, **query):
    """Return the fields of the form for a new table that plays a set, as a browser posts them."""
    page = shown(guest, f"/new/{url.split('/')[2]}", set=url.rpartition("/")[2], **query)
    form = re.search(r'<form class="form".*?</form>', page, re.DOTALL)[0]
    fields = {}
    for tag in re.findall(r"<input[^>]*>", form):
        given = dict(re.findall(r'([\w.-]+)="([^"]*)"', tag))
        if given.get("type") != "file" and (given.get("type") != "checkbox" or " checked" in tag):
            fields[given["name"]] = html.unescape(given.get("value", ""))
    for name, options in re.findall(r'<select[^>]* name="([^"]*)".*?>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r"<option([^>]*) selected>([^<]*)", options) or re.search(r"<option([^>]*)>([^<]*)", options)
        value = re.search(r'value="([^"]*)"', chosen[1])
        fields[name] = html.unescape(value[1] if value else chosen[2])
    for name, text in re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>(.*?)</textarea>', form, re.DOTALL):
        fields[name] = html.unescape(text)
    return {name: value for name, value in fields.items() if name not in ("csrf", "commitment")}


def made_table(guest, serving, url, **more):
    """Return the table that the form makes, with other values in some fields."""
    answer = guest.submit("/tables", **{**form_to_play(guest, url), **more})
    assert answer.status_code == 303, plain(answer.text)
    return serving.table(answer.headers["location"].rpartition("/")[2])


@pytest.mark.parametrize("id_", GAMES)
def test_the_form_for_a_table_plays_the_set_in_private_against_bots(ann, serving, id_):
    url = begun(ann, id_)
    table = made_table(ann, serving, url)
    assert game(id_).collection.option in table.match.options and table.row.private
    assert len(table.match.names) == game(id_).seats[2]
    page = plain(shown(ann, f"/new/{id_}", set=url.rpartition("/")[2]))
    assert f"This table plays your set My {game(id_).title} : version 1." in page


def test_the_form_says_whether_unsaved_changes_are_played_and_plays_the_version_instead(ann, serving):
    url = begun(ann, "robin", title="Outlaws")
    post_card(ann, url, 0, **{"levels.1": "5"})
    page = shown(ann, "/new/robin", set=url.rpartition("/")[2])
    assert "your set Outlaws : the draft, with the changes that are not saved as a version" in plain(page)
    assert "Play version 1 instead" in plain(page)
    text = made_table(ann, serving, url).match.options["cards"]
    assert entries_of(game("robin"), text)[0].data["levels"][1] == 5
    saved = form_to_play(ann, url, version="1")
    assert entries_of(game("robin"), saved["option.cards"])[0].data["levels"][1] == 4
    assert "Play the draft instead" in plain(shown(ann, "/new/robin", set=url.rpartition("/")[2], version="1"))


def test_a_friend_can_be_asked_to_a_table_that_plays_a_set(ann, serving):
    table = made_table(ann, serving, begun(ann, "robin"), **{"seat.1": "open", "option.victories": "1"})
    assert table.row.private and table.row.status == "waiting" and table.row.options["victories"] == 1


def test_only_the_player_of_a_set_finds_it_in_the_form(ann, serving):
    id_ = begun(ann, "robin").rpartition("/")[2]
    assert serving.guest("Bo").get("/new/robin", headers=HTML, params={"set": id_}).status_code == 404
    assert ann.get("/new/heirless", headers=HTML, params={"set": id_}).status_code == 404
    assert ann.get("/new/robin", headers=HTML, params={"set": id_, "version": "77"}).status_code == 404


def test_a_table_has_the_changed_card(ann, serving):
    url = begun(ann)
    post_card(ann, url, number_in(shown(ann, url), "Balin"), influence="7")
    table = made_table(ann, serving, url)
    text = table.match.options[game("round-table").collection.option]
    assert (
        next(card for card in game("round-table").collection.cards(text) if card.name == "Balin").stats[1].number == 7
    )


# Hostile posts.


def test_hostile_forms_are_refused_or_kept_and_nothing_fails(ann):
    url, chooser = begun(ann, "robin", begin="one"), random.Random(53)
    for _ in range(60):
        form = form_of(shown(ann, url))
        name = chooser.choice([*form, "do", "x", "0.", "999999.name", "0.skill", "0.rows.0"])
        answer = ann.submit(url, **{**form, name: chooser.choice(HOSTILE)[:60_000]})
        assert answer.status_code in (303, 400, 409, 413, 422, 429), (answer.status_code, name)
        assert ann.get(url, headers=HTML).status_code == 200
    for do in ("remove-card:", "remove-card:99999", "new-row:0:skill", "new-row:x", "remove-row:0:rows:-1", "a:b:c:d"):
        answer = ann.submit(url, **{**form_of(shown(ann, url)), "do": do})
        assert answer.status_code == 422, do


def test_wrong_addresses_are_not_found(ann):
    for path in ("/cards/x/workshop", "/cards/robin/workshop/" + "x" * 150, "/cards/robin/workshop/%00"):
        assert ann.get(path, headers=HTML).status_code == 404
    url = begun(ann, "robin")
    assert ann.get(url.replace("/robin/", "/round-table/"), headers=HTML).status_code == 404


@pytest.mark.parametrize("id_", GAMES)
def test_words_of_players_are_never_markup(ann, id_):
    bad = "\"><script>alert(1)</script>'&"
    url = begun(ann, id_)
    for at in (0, 1):
        form = form_of(shown(ann, url, card=str(at)), at if id_ != "heirless" else None)
        fields = {name: bad for name in form if re.fullmatch(r"\d+\.[\w ]+(\.\d+)?", name)}
        assert ann.submit(url, **{**form, **fields}).status_code == 303
        for page in (shown(ann, url, card=str(at)), shown(ann, f"{url}/compare"), shown(ann, url, changed="yes")):
            assert "<script>alert" not in page and bad not in page
