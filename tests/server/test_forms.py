"""The form for a new table: its words, its errors beside their fields, and that it keeps what somebody has typed."""

import html
import re

import pytest

from quintain.bots import levels
from quintain.engine.rules.registry import all_games
from quintain.games.heirless.tables import short_tables
from server.test_looks import Page

GAMES = [found.id for found in all_games()]
HTML = {"accept": "text/html"}


def form_of(answer):
    return Page(answer.text)


def field(page, name):
    named = [element for element in page.tags if element.get("name") == name]
    (found,) = [element for element in named if element.get("type") != "file"]
    return found


def described_by(page, element):
    """Return the words that describe an element for people who cannot see the page."""
    ids = (element.get("aria-describedby") or "").split()
    assert ids == list(dict.fromkeys(ids))
    return [" ".join(page.all(id=id_)[0]["text"].split()) for id_ in ids]


def wrong(page):
    """Return the names or ids of the fields that are marked as wrong, each with its description."""
    marked = page.all(**{"aria-invalid": "true"})
    return {element.get("name") or element["tag"]: " ".join(described_by(page, element)) for element in marked}


@pytest.mark.parametrize("id_", GAMES)
def test_every_field_has_a_label_in_words_and_no_name_of_the_program(serving, id_):
    page = form_of(serving.guest("Ann").get(f"/new/{id_}"))
    labels = {element["for"]: " ".join(element["text"].split()) for element in page.all("label") if "for" in element}
    for element in page.tags:
        if element["tag"] not in ("input", "select", "textarea") or element.get("type") in ("hidden", "checkbox"):
            continue
        label = labels.get(element["id"]) or element["aria-label"]
        assert label[0].isupper() and not re.search(r"[A-Z]{2}-\d|_|\bcollection-\d", label), label
        if element["name"].startswith("option.") and element["name"].count(".") == 1:
            assert len(label.split()) >= 3, f"{label!r} says too little to somebody who does not know the game"
    helps = [" ".join(element["text"].split()) for element in page.all("small")]
    assert all(words[0].isupper() or words[0].isdigit() for words in helps)
    assert all(words.endswith(".") for words in helps)


def test_each_level_of_bots_says_what_it_is_like_to_play_against(serving):
    manners = {name: each.about for name, each in levels().items()}
    assert all(manners.values()) and len(set(manners.values())) == len(manners)
    page = form_of(serving.guest("Ann").get("/new/kings-court"))
    choices = [option["text"] for option in page.all("option")]
    for level, manner in manners.items():
        assert choices.count(f"{level.capitalize()}, a bot: {manner}") == 2, "one for each seat"


def test_every_seat_but_the_first_few_can_be_left_out_and_the_rest_play(serving):
    ann = serving.guest("Ann")
    page = form_of(ann.get("/new/heirless"))
    chosen = [field(page, f"seat.{seat}") for seat in range(6)]
    assert len(chosen) == 6 and len(page.all("option", value="nobody")) == 4
    seats = {f"seat.{seat}": "nobody" for seat in range(6)} | {"seat.0": "me", "seat.1": "open", "seat.4": "squire"}
    made = ann.submit("/tables", game="heirless", **seats)
    assert made.status_code == 303
    shown = ann.view(made.headers["location"].rpartition("/")[2])["table"]["seats"]
    assert [seat["kind"] for seat in shown] == ["person", "empty", "bot"]


def test_decks_stay_with_their_seats_if_a_seat_before_them_is_left_out(serving):
    ann = serving.guest("Ann")
    decks = ["great-houses", "crowned-heads", "hedge-host", "great-houses"]
    seats = {"seat.0": "me", "seat.1": "nobody", "seat.2": "open", "seat.3": "nobody"}
    typed = {f"option.decks.{seat}": deck for seat, deck in enumerate(decks)}
    made = ann.submit("/tables", game="round-table", **seats, **typed)
    assert made.status_code == 303, made.text
    row = serving.table(made.headers["location"].rpartition("/")[2]).row
    assert row.options["decks"] == ["great-houses", "hedge-host"]


def test_an_empty_number_is_the_usual_one_for_so_many_seats(serving):
    ann = serving.guest("Ann")
    page = form_of(ann.get("/new/heirless"))
    assert field(page, "option.seasons")["value"] == ""
    assert "4 for 2, 3 for 3, 4 for 4, 5 for 5, 6 for 6 players" in described_by(page, field(page, "option.seasons"))[0]
    seats = {"seat.0": "me", **{f"seat.{seat}": "open" for seat in range(1, 5)}}
    made = ann.submit("/tables", game="heirless", **seats, **{"option.seasons": ""})
    assert serving.table(made.headers["location"].rpartition("/")[2]).row.options["seasons"] == 5


TYPED = {"seat.0": "me", "seat.1": "squire", "clock": "60", "private": "on", "option.victories": "2"}


@pytest.mark.parametrize(
    ("changed", "where", "words"),
    [
        ({"option.victories": "many"}, "option.victories", "This takes a whole number from 1 to "),
        ({"option.active": "1000"}, "option.active", "This takes a whole number from "),
        ({"option.collection-0": "Robin Hood, Nobody"}, "option.collection-0", "the set has no card 'Nobody'"),
        ({"option.cards": "[[knight"}, "option.cards", "The cards cannot be read"),
        ({"seat.1": "me"}, "fieldset", "Choose “I do” for one seat, and for no other."),
        ({"seat.0": "squire"}, "fieldset", "Choose “I do” for one seat, and for no other."),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_an_error_stands_beside_its_field_and_what_was_typed_stays(serving, changed, where, words):
    typed = TYPED | changed
    answer = serving.guest("Ann").submit("/tables", game="robin", **typed)
    assert answer.status_code == 422
    page = form_of(answer)
    marked = wrong(page)
    assert list(marked) == [where] and words in html.unescape(marked[where])
    assert len(page.all(role="alert")) == 1 and words not in html.unescape(page.all(role="alert")[0]["text"])
    assert len([element for element in page.tags if "autofocus" in element]) == 1
    assert "open" in page.all("details", **{"class": "experts"})[0] or not where.startswith(("option.c",))
    kept = {e["name"]: e.get("value") for e in page.all("input") if e.get("type") != "hidden"}
    kept |= {e["name"]: html.unescape(e["text"]) for e in page.all("textarea")}
    chosen = [(e["value"], "selected" in e) for e in page.all("option")]
    for name, value in typed.items():
        if name == "private":
            assert "checked" in field(page, name)
        elif name in kept:
            assert kept[name] == value
        else:
            assert (value, True) in chosen


def test_who_has_no_name_types_it_into_the_form_and_loses_nothing(serving):
    guest = serving.guest()
    page = form_of(guest.get("/new/robin"))
    assert "required" in field(page, "name")
    refused = form_of(guest.submit("/tables", game="robin", **TYPED))
    assert list(wrong(refused)) == ["name"] and field(refused, "option.victories")["value"] == "2"
    refused = guest.submit("/tables", game="robin", name="Squire", **TYPED)
    assert refused.status_code == 422 and "looks like the name of a bot" in wrong(form_of(refused))["name"]
    made = guest.submit("/tables", game="robin", name="Ann", **TYPED)
    assert made.status_code == 303
    seats = guest.view(made.headers["location"].rpartition("/")[2])["table"]["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "Squire"]
    assert not [element for element in form_of(guest.get("/new/robin")).tags if element.get("name") == "name"]


def test_a_text_of_a_players_own_may_come_from_a_file_and_an_example_shows_how_to_write_it(serving):
    ann = serving.guest("Ann")
    page = form_of(ann.get("/new/heirless"))
    example = html.unescape(page.all("code")[0]["text"])
    assert page.all("a", href="/rules/heirless#HB-29") and 'id="HB-29"' in ann.get("/rules/heirless").text
    files = {"option.tables": ("mine.toml", example.encode())}
    fields = {"csrf": ann.csrf, "game": "heirless", "seat.0": "me", "seat.1": "open", "option.tables": ""}
    made = ann.http.post("/tables", data=fields, files=files, headers={"accept": "text/html"})
    assert made.status_code == 303, made.text
    assert serving.table(made.headers["location"].rpartition("/")[2]).row.options["tables"] == short_tables(example)


def test_decks_are_described_and_shown_and_a_seat_that_nobody_takes_has_none(serving):
    page = form_of(serving.guest("Ann").get("/new/round-table"))
    summaries = [" ".join(element["text"].split()) for element in page.all("summary")]
    assert "The Hedge Host Many small Knights, early and all at once." in summaries
    lists = [element["text"] for element in page.all("pre")]
    assert sum("4 Knight Mercenary" in each for each in lists) == 1
    assert [element["data-of-seat"] for element in page.tags if "data-of-seat" in element] == ["0", "1", "2", "3"]
