"""Texts of strangers: a process with limits reads them, and nobody else waits. Also names that look alike."""

import asyncio
import json
import multiprocessing
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import quintain
from quintain.engine.rules.registry import game, register_file
from quintain.server.beside import reader as readers
from quintain.server.beside.reader import Reader
from quintain.server.turns import Asker
from server.guests import Serving, wait_until
from tutorial import write_goofspiel

GAMES = Path(quintain.__file__).parent / "games"
REMARK = "# What nobody plays with.\n"
DOTS = ".".join("a" * 10_000) + " = 1"
OPTIONS = """
from quintain.engine.rules.options import Option

OPTIONS = (*OPTIONS, Option("tale", "file", "", "what somebody has written"))
_make_book = make_book
HEAP = []


def make_book(seats, options):
    tale = options["tale"]
    if tale == "no end":
        while True:
            pass
    while tale == "no room":
        HEAP.append(bytearray(10**7))
    if tale == "no more":
        import os
        os._exit(1)
    if tale == "no luck":
        raise ZeroDivisionError
    return _make_book(seats, {"cards": options["cards"]})
"""


@pytest.fixture(scope="module")
def tale(tmp_path_factory):
    """A game with an option that needs endless time or memory to read."""
    path = tmp_path_factory.mktemp("tale") / "tale.py"
    write_goofspiel(path)
    source = path.read_text(encoding="utf-8").replace('"goofspiel"', '"tale"')
    before, made, after = source.rpartition("\nGAME = ")
    path.write_text(f"{before}\n{OPTIONS}\n{made}{after}", encoding="utf-8")
    return path


@pytest.fixture
def telling(tmp_path, tale):
    register_file(tale)
    others = multiprocessing.active_children()
    with Serving(tmp_path, game_files=(tale,)) as serving:
        yield serving
    wait_until(lambda: not [process for process in multiprocessing.active_children() if process not in others])


@pytest.fixture
def aside():
    """Run something in threads beside the test."""
    with ThreadPoolExecutor(4) as threads:
        yield threads.submit


def tell(guest, words: str):
    return guest.post("/tables", game="tale", seats=["me", "open"], options={"tale": words})


def test_others_play_on_while_the_process_reads_an_endless_text(telling, aside):
    ann, bo = telling.guest("Ann"), telling.guest("Bo")
    telling_ann = aside(tell, ann, "no end")
    table, looks = bo.make("kings-court", "me", "squire"), 0
    while not telling_ann.done():
        assert bo.view(table)["table"]["id"] == table
        looks += 1
    assert looks > 5
    refused = telling_ann.result()
    assert refused.status_code == 422
    assert refused.json()["error"] == ("reading this takes longer than 2 seconds: write less, or more simply")
    assert tell(ann, "once upon a time").status_code == 201, "the next text gets a new process"


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the memory of a process")
@pytest.mark.parametrize("words", ["no room", "no more"])
def test_a_text_that_needs_endless_memory_is_refused(telling, words):
    ann = telling.guest("Ann")
    refused = tell(ann, words)
    assert refused.status_code == 422
    assert "needs too much memory" in refused.json()["error"]
    assert tell(ann, "once upon a time").status_code == 201


def test_a_fault_of_the_reading_process_is_a_server_error(telling):
    assert tell(telling.guest("Ann"), "no luck").status_code == 500


def test_the_queue_of_texts_is_limited(telling, aside, monkeypatch):
    monkeypatch.setattr(readers, "MOST_OF_ONE", 1)
    guests = [telling.guest(name) for name in ("Ann", "Bo", "Cy")]
    answers = [aside(tell, guest, "no end") for guest in guests]
    assert sorted(each.result().status_code for each in answers) == [422, 422, 503], "one is read, one waits"


def test_texts_are_read_in_turn_between_addresses(tmp_path):
    read = []

    async def ask():
        reader = Reader()

        async def bring(address, player):
            await reader.read_options(Asker(address, player), game("heirless"), 2, {"tables": "# a remark"})
            read.append(address)

        try:
            await asyncio.gather(*[bring("far", f"player {number}") for number in range(3)], bring("near", "Ann"))
        finally:
            reader.stop()

    asyncio.run(ask())
    assert read == ["far", "near", "far", "far"]


@pytest.mark.parametrize("text", [DOTS, f"[{DOTS.removesuffix(' = 1')}]", DOTS * 8], ids=["key", "header", "long"])
@pytest.mark.parametrize(("of", "option"), [("robin", "cards"), ("round-table", "cards"), ("heirless", "tables")])
def test_one_long_key_is_refused(serving, of, option, text):
    ann = serving.guest("Ann")
    seats = game(of).seats[2]
    answer = ann.post("/tables", game=of, seats=["me"] + ["open"] * (seats - 1), options={option: text})
    assert answer.status_code == 422
    assert "too many dots: at most 8" in answer.json()["error"] or "at most 65,536" in answer.json()["error"]
    page = ann.submit("/tables", game=of, seats=str(seats), **{f"option.{option}": text})
    assert page.status_code == 422
    assert "too many dots: at most 8" in page.text or "at most 65,536" in page.text


@pytest.mark.parametrize(
    "options",
    [
        {"cards": "a = " + "[" * 30_000},
        {"cards": "\u0301\u0323" * 50_000},
        {"cards": "x" * 530_000},
        {"cards": 10**30},
        {"cards": [[["x"]]]},
        {"cards": {"x": "y"}},
        {"cards": "", "decks": ["x"] * 1000},
        {"decks": "x," * 1000},
        {"regions": ["x"] * 2000},
    ],
    ids=lambda options: str(options)[:24],
)
def test_options_that_are_too_much_are_refused_in_words(serving, options):
    ann = serving.guest("Ann")
    answer = ann.http.post(
        "/tables",
        content=json.dumps(
            {"csrf": ann.csrf, "game": "round-table", "seats": ["me", "open"], "options": options}, ensure_ascii=False
        ),
        headers={"content-type": "application/json"},
    )
    assert answer.status_code in (413, 422), answer.text
    assert len(answer.json()["error"]) > 20


def test_remarks_are_not_kept_with_a_table(serving):
    cards = (GAMES / "robin" / "cards.toml").read_text(encoding="utf-8")
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("robin", "me", "open", options={"cards": REMARK * 18_000 + cards})
    bo.sit(table, 1)
    assert ann.post(f"/tables/{table}/resign").status_code == 200
    for kept in (serving.table(table).row.options, ann.get(f"/tables/{table}/record.json").json()):
        assert len(json.dumps(kept)) < 30_000 and "nobody plays" not in json.dumps(kept)
    again = [guest.post(f"/tables/{table}/rematch").json()["table"]["id"] for guest in (ann, bo)][-1]
    assert serving.table(again).row.options == serving.table(table).row.options


def names_at(guest, table: str) -> list[str]:
    return [seat["name"] for seat in guest.view(table)["table"]["seats"]]


@pytest.mark.parametrize("name", ["\u0410nn", "ANN", "\uff21nn", "\u00c4nn"])
def test_a_name_that_looks_like_another_at_the_table_gets_a_number(serving, name):
    ann, other = serving.guest("Ann"), serving.guest(name)
    table = ann.make("kings-court", "me", "open")
    other.sit(table, 1)
    assert names_at(ann, table)[0] == "Ann"
    assert names_at(ann, table)[1].endswith("nn 2") or names_at(ann, table)[1] == "ANN 2"


@pytest.mark.parametrize(
    "name",
    [
        "Squire",
        "Squire b0t",
        "Bot 2",
        "squirebot",
        "squire 2",
        "\u0405quire",
        "Kn1ght",
        "Greedy",
        "Random 7",
        "\u0420age",
    ],
)
def test_nobody_takes_the_name_of_a_bot(serving, name):
    guest = serving.guest()
    refused = guest.post("/name", name=name)
    assert refused.status_code == 422 and "looks like the name of a bot" in refused.json()["error"]
    assert "looks like the name of a bot" in guest.submit("/name", name=name).text
    answer = guest.post("/tables", game="kings-court", seats=["me", "open"], name=name)
    assert answer.status_code == 422 and "looks like the name of a bot" in answer.json()["error"]


def test_a_player_with_the_name_of_a_bot_from_before_plays_on_but_must_choose_another_name(serving):
    guest = serving.guest("Wilhelmina")
    table = guest.make("kings-court", "me", "squire")
    with sqlite3.connect(serving.site.config.database) as database:
        renamed = database.execute("UPDATE players SET name = 'Squire' WHERE name = 'Wilhelmina'")
        assert renamed.rowcount == 1
    assert guest.post("/tables", game="kings-court", seats=["me", "open"]).status_code == 403
    asked = guest.submit("/tables", game="kings-court", seats="2")
    assert asked.status_code == 403 and 'id="name.wrong"' in asked.text, "the form asks for another one"
    assert guest.post(f"/tables/{table}/resign").status_code == 200, "seats that they have are theirs"
    assert guest.post("/name", name="Bo").status_code == 200
    assert names_at(guest, guest.make("kings-court", "me", "open"))[0] == "Bo"
