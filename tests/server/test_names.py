"""A player's new name at the tables where they sit, and the names of bots that play on for them."""

import random

import pytest

from quintain.engine.play.match import Match
from quintain.server.limits import Rate
from quintain.server.tables import stewards as stewards_module
from quintain.server.tables import table as table_module
from server.guests import PATIENCE, Serving, is_over, unsigned, wait_until
from server.stores import rows

pytestmark = pytest.mark.both_stores


def names_at(guest, table):
    seen = guest.view(table)
    assert seen.get("names") in (None, [seat["name"] for seat in seen["table"]["seats"]])
    return [seat["name"] for seat in seen["table"]["seats"]]


def attacked(serving):
    """Return two players of Heirless and their table, at which a move and the log have named both."""
    ann, bo = serving.guest("Wilma"), serving.guest("Bo")
    table = ann.make("heirless", "me", "open")
    bo.sit(table, 1)
    for guest, whose in ((ann, "Bo"), (bo, "Wilma")):
        seen = guest.view(table)
        (move,) = [one["words"] for one in seen["menu"] if one["words"] == f"send a Knight to {whose}'s Castle"]
        assert guest.move(table, move, seen["table"]["decision"]).status_code == 200
    chance = random.Random(1)
    wait_until(lambda: [one.move_at_random(table, chance) for one in (ann, bo)] and "Wilma" in in_log(bo, table))
    return ann, bo, table


def in_log(guest, table):
    return " ".join(line["words"] for line in guest.view(table)["log"])


def test_a_new_name_is_used_at_once_for_all_that_others_see_at_running_tables(serving):
    ann, bo, table = attacked(serving)
    eve = serving.guest()
    with bo.watching(table) as his:
        assert "Wilma" in his.recv(timeout=PATIENCE)
        assert ann.post("/name", name="Zenobia").status_code == 200
        pushed = his.recv(timeout=PATIENCE)
        assert "Zenobia" in pushed and "Wilma" not in pushed
    for guest in (ann, bo, eve):
        assert names_at(guest, table) == ["Zenobia", "Bo"]
        for path in (f"/tables/{table}", f"/tables/{table}.json"):
            assert "Wilma" not in guest.get(path, headers={"accept": "text/html"}).text
    assert "Zenobia" in in_log(bo, table) and "Zenobia" in in_log(eve, table)
    assert "Wilma" not in bo.get("/tables.json").text


def test_a_table_of_a_renamed_player_is_found_again_and_its_record_and_replay_are_whole(start):
    with start() as serving:
        ann, bo, table = attacked(serving)
        ann.post("/name", name="Zenobia")
        log, cookies = in_log(bo, table), (dict(ann.http.cookies), dict(bo.http.cookies))
        entries = stored(serving, table)
    with start() as serving:
        ann, bo = serving.guest(), serving.guest()
        for guest, cookie in zip((ann, bo), cookies, strict=True):
            guest.http.cookies.update(cookie)
            guest.csrf = guest.get("/tables.json").json()["csrf"]
        assert in_log(bo, table) == log
        assert stored(serving, table) == entries, "the log is as it was"
        assert ann.post("/name", name="Olga").status_code == 200
        wait_until(lambda: names_at(ann, table) == names_at(ann, table) == ["Olga", "Bo"])  # both servers know it
        assert bo.post(f"/tables/{table}/resign").status_code == 200
        assert is_over(ann.view(table))
        record = ann.get(f"/tables/{table}/record.json").json()
        assert record["names"] == ["Olga", "Bo"] == list(Match.load(record).names)
        assert not [line for line in record["log"] if "Wilma" in line or "Zenobia" in line]
        ann.post("/name", name="Pia")
        wait_until(lambda: names_at(ann, table) == names_at(ann, table) == ["Pia", "Bo"])  # both servers know it
        renamed = ann.get(f"/tables/{table}/record.json").json()
        assert renamed["names"] == ["Pia", "Bo"] and not [line for line in renamed["log"] if "Olga" in line]
        assert unsigned(Match.load(renamed).record()) == unsigned(renamed)
        replayed = ann.get(f"/tables/{table}/replay?step=999", headers={"accept": "text/html"}).text
        assert "Pia" in replayed and not [name for name in ("Wilma", "Zenobia", "Olga") if name in replayed]


def stored(serving, table):
    asked = 'SELECT seq, seat, kind, text FROM entries WHERE "table" = :table ORDER BY seq'
    return rows(serving.site.config.database, asked, table=table)


def test_a_new_name_that_looks_like_another_at_the_table_gets_a_number_there(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    waiting, playing = ann.make("goofspiel", "me", "open", "open"), ann.make("goofspiel", "me", "open")
    for table in (waiting, playing):
        bo.sit(table, 1)
    assert bo.post("/name", name="ANN").status_code == 200
    assert names_at(ann, waiting) == ["Ann", "ANN 2", None]
    assert names_at(ann, playing) == ["Ann", "ANN 2"]
    assert ann.post("/name", name="Cleo").status_code == 200
    assert names_at(bo, playing) == ["Cleo", "ANN"], "nobody else looks like that any more"


@pytest.mark.parametrize("name", ["Page", "seat 1", "x" * 40])
def test_a_wrong_name_changes_nothing_at_the_tables(serving, name):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open")
    bo.sit(table, 1)
    assert ann.post("/name", name=name).status_code == 422
    assert names_at(bo, table) == ["Ann", "Bo"]


def test_who_chooses_names_again_and_again_must_wait(tmp_path):
    with Serving(tmp_path, name_rate=Rate(2, 0.001)) as serving:
        ann = serving.guest("Ann")
        assert [ann.post("/name", name=name).status_code for name in ("Bo", "Cleo")] == [200, 429]
        assert "wait a moment" in ann.submit("/name", name="Cleo").text


def test_while_a_bot_plays_for_a_player_the_log_and_the_seat_name_it(impatient, monkeypatch):
    """KC-5: a turn is a card played; so every line about Ann's cards is one of her moves."""
    ann, bo, eve, chance = impatient.guest("Ann"), impatient.guest("Bo"), impatient.guest(), random.Random(1)
    table = ann.make("kings-court", "me", "open", clock="30")
    bo.sit(table, 1)

    def seat_of_ann(guest):
        return guest.view(table)["table"]["seats"][0]

    def play_until(holds, *guests):
        wait_until(lambda: ([guest.move_at_random(table, chance) for guest in guests], holds())[1])

    play_until(lambda: seat_of_ann(eve)["stand_in"], bo)
    assert (seat_of_ann(bo)["name"], seat_of_ann(bo)["stand_in"]) == ("Ann", "Squire")
    assert seat_of_ann(bo)["stand_in_words"] == "Squire, a bot, plays for Ann"
    assert seat_of_ann(ann)["stand_in_words"] == "Squire, a bot, plays for you"
    play_until(lambda: in_log(eve, table).count("Squire, for Ann, plays ") > 2, bo)
    monkeypatch.setitem(table_module.CLOCKS, "30", 900.0)
    ann.sit(table, 0)
    assert seat_of_ann(bo)["stand_in"] is None and seat_of_ann(bo)["stand_in_words"] == ""
    play_until(lambda: "Ann plays" in in_log(eve, table).partition("is back")[2].replace("plays again", ""), ann, bo)
    for guest, begins, ends, signed in (
        (bo, "Squire, a bot, now plays for Ann.", "Ann is back, and plays again.", "Squire, for Ann, "),
        (ann, "Squire, a bot, now plays for you.", "You are back, and play again.", "Squire, for you: you "),
    ):
        lines = [line["words"] for line in guest.view(table)["log"]]
        before, during, after = cut(lines, begins, ends)
        own = signed.split()[-1].capitalize() + " " if guest is ann else "Ann "
        assert [line for line in during if line.startswith(signed)]
        assert not [line for line in during if line.startswith(own)]
        assert not [line for line in before + after if "Squire" in line]


def cut(lines, begins, ends):
    """Return the lines before the first line, between the two and after the second; each of these stands there once."""
    assert (lines.count(begins), lines.count(ends)) == (1, 1)
    first, second = lines.index(begins), lines.index(ends)
    return lines[:first], lines[first + 1 : second], lines[second + 1 :]


def test_the_bot_that_played_on_is_named_in_the_record_the_replay_and_after_a_restart(start, monkeypatch):
    monkeypatch.setitem(table_module.CLOCKS, "30", 0.2)
    monkeypatch.setattr(stewards_module, "GRACE", 0.2)
    with start() as serving:
        ann, bo, chance = serving.guest("Ann"), serving.guest("Bo"), random.Random(1)
        table, cookies = ann.make("kings-court", "me", "open", clock="30"), dict(bo.http.cookies)
        bo.sit(table, 1)

        def played_for_ann():
            bo.sit(table, 1)  # the game is adjourned once a bot plays for him, too
            bo.move_at_random(table, chance)
            return "Squire, for Ann, plays " in in_log(bo, table)

        wait_until(played_for_ann)
    with start() as serving:
        bo = serving.guest()
        bo.http.cookies.update(cookies)
        bo.csrf = bo.get("/tables.json").json()["csrf"]
        assert bo.view(table)["table"]["seats"][0]["stand_in"] == "Squire"
        assert "Squire, for Ann, plays " in in_log(bo, table)
        bo.post(f"/tables/{table}/resign")
        record = bo.get(f"/tables/{table}/record.json").json()
        assert {"seat": 0, "kind": "stand-in", "text": "Squire"} in record["moves"]
        assert [line for line in record["log"] if line.startswith("Squire, for Ann, plays ")]
        assert unsigned(Match.load(record).record()) == unsigned(record)
        page = bo.get(f"/tables/{table}/replay?step=9999", headers={"accept": "text/html"}).text
        assert "Squire, a bot, now plays for Ann." in page and "Squire, for Ann, plays " in page


@pytest.mark.parametrize("name", ["You", "Y0u", "Y\u043eu", "YOUR", "Nobody", "some body", "Player 2", "The bot"])
def test_a_word_that_the_log_uses_for_somebody_is_nobodys_name(serving, name):
    refused = serving.guest().post("/name", name=name)
    assert refused.status_code == 422 and "or like a word of the log: choose another one" in refused.json()["error"]


@pytest.mark.parametrize("name", ["Youssef", "Seatle", "Botho", "Ann", "Yo"])
def test_a_name_that_only_begins_like_such_a_word_is_free(serving, name):
    assert serving.guest().post("/name", name=name).status_code == 200
