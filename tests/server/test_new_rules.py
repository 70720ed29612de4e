"""New rules end no game: what replays under them goes on, and the rest says why it cannot."""

import html
import json
import random
import zipfile
from io import BytesIO

import pytest

from quintain.engine.errors import BadOption, IllegalMove
from quintain.engine.play.commitments import commitment
from quintain.engine.play.documents import OtherRules, checksum
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from server.guests import Guest, is_over, wait_until
from server.stores import execute, rows
from server.test_replays import finished

HTML = {"accept": "text/html"}

pytestmark = pytest.mark.both_stores


def bids_now(guest, table, bid):
    answer = guest.move(table, f"bid {bid}", guest.view(table)["table"]["decision"])
    assert answer.status_code == 200, answer.text


def begun(serving, bids=3):
    """Return a table of Goofspiel in play, its two guests, and the cookies with which they come back."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open", options={"cards": 5})
    bo.sit(table, 1)
    for bid in range(1, bids + 1):
        for one in (ann, bo):
            bids_now(one, table, bid)
    return table, [dict(one.http.cookies) for one in (ann, bo)]


def back(serving, cookies) -> list[Guest]:
    """Return the guests with these cookies, on a server that has started again."""
    guests = []
    for cookie in cookies:
        guest = serving.guest()
        guest.http.cookies.clear()
        guest.http.cookies.update(cookie)
        guest.csrf = guest.get("/tables.json").json()["csrf"]
        guests.append(guest)
    return guests


@pytest.fixture
def new_rules(monkeypatch):
    """Return a function that puts version 2 of the rules of Goofspiel in the place of version 1.

    By these, no card of the value `forbidden` may be bid, and options are as `read` says.
    """
    found = game("goofspiel")
    legal, read_options = found.rules.legal, found.read_options

    def put(forbidden=0, takes_options=True):
        def fewer(book, s, seat, out):
            number = legal(book, s, seat, out)
            if forbidden:
                number -= out[forbidden]
                out[forbidden] = 0
            return number

        def read(seats, given):
            if not takes_options:
                raise BadOption("there is no such option any more")
            return read_options(seats, given)

        monkeypatch.setattr(found, "version", 2)
        monkeypatch.setattr(found.rules, "legal", fewer)
        monkeypatch.setattr(found, "read_options", read)

    return put


def lines(guest, table):
    return [line["words"] for line in guest.view(table)["log"]]


def kinds_of(database, table):
    found = rows(database, 'SELECT kind, text FROM entries WHERE "table" = :table ORDER BY seq', table=table)
    return [(kind, text) for kind, text in found]


def test_a_game_in_play_goes_on_by_new_rules_and_keeps_its_commitment(start, database, new_rules, tmp_path, quintain):
    with start() as serving:
        table, cookies = begun(serving)
        committed = back(serving, cookies)[0].view(table)["table"]["commitment"]
    new_rules()
    with start() as serving:
        ann, bo = back(serving, cookies)
        (line,) = [words for words in lines(ann, table) if "version" in words]
        assert line.startswith("Since ") and line.endswith(" this game goes on by version 2 of the rules.")
        assert line in lines(bo, table) and line in lines(serving.guest(), table)
        assert kinds_of(database, table).count(("rules", "2")) == 1
        assert rows(database, "SELECT version FROM tables WHERE id = :table", table=table) == [(2,)]
        chance = random.Random(1)
        wait_until(lambda: [one.move_at_random(table, chance) for one in (ann, bo)] and is_over(ann.view(table)))
        record = ann.get(f"/tables/{table}/record.json").json()
    assert (record["version"], record["commitment"]) == (2, committed) and line in record["log"]
    match = Match.load(record)
    assert (match.version, match.commitment, match.record()["commitment"]) == (1, committed, committed)
    (tmp_path / "record.json").write_text(json.dumps(record))
    done = quintain("verify", tmp_path / "record.json", "--commitment", committed)
    assert done.status == 0 and "version 1 of its rules" in done.out.replace("\n", " ")
    with start() as serving:
        assert kinds_of(database, table).count(("rules", "2")) == 1


def test_a_table_that_waits_begins_by_new_rules(start, database, new_rules):
    with start() as serving:
        ann = serving.guest("Ann")
        table, cookies = ann.make("goofspiel", "me", "open"), [dict(ann.http.cookies)]
    new_rules()
    with start() as serving:
        (ann,), bo = back(serving, cookies), serving.guest("Bo")
        bo.sit(table, 1)
        bids_now(ann, table, 3)
        assert not any("version" in words for words in lines(ann, table))
        assert [kind for kind, _ in kinds_of(database, table)] == ["made", "rules", "sat", "begun", "moved"]


def test_a_game_that_new_rules_cannot_go_on_with_is_closed_and_says_why(start, database, new_rules):
    with start() as serving:
        table, cookies = begun(serving)
        before = kinds_of(database, table)
    new_rules(forbidden=3)
    with start() as serving:
        ann, _ = back(serving, cookies)
        page = ann.get(f"/tables/{table}", headers=HTML).text
        assert "Stopped by new rules" in page and "Ann, Bo: this game has no result." in page
        assert "move 5 of the 6 made so far could not be made" in page and "and on " in page
        assert kinds_of(database, table) == [*before, ("stopped", '{"version":2,"move":5,"moves":6}')]
        answer = ann.get(f"/tables/{table}.json")
        assert answer.status_code == 410 and "closed without a result" in answer.json()["error"]
        assert ann.get(f"/tables/{table}/record.json").status_code == 410
        assert ann.post(f"/tables/{table}/moves", action="bid 4", decision=4).status_code == 410
        games = html.unescape(ann.get("/games", headers=HTML).text)
        assert (
            'res stopped">stopped</span><small>without a result</small>' in games
            and "; practice" not in games
            and f'href="/tables/{table}"' in games
        )
        assert f"/tables/{table}/record.json" not in games
        assert not ann.get("/tables.json").json()["my_tables"]
        assert rows(database, "SELECT count(*) FROM counts") == rows(database, "SELECT count(*) FROM tallies") == [(0,)]


def test_a_table_whose_options_new_rules_do_not_take_is_closed(start, database, new_rules):
    with start() as serving:
        ann = serving.guest("Ann")
        table = ann.make("goofspiel", "me", "open")
    new_rules(takes_options=False)
    with start() as serving:
        assert "could not begin with its options" in serving.guest().get(f"/tables/{table}", headers=HTML).text
        assert [kind for kind, _ in kinds_of(database, table)] == ["made", "stopped"]
        assert rows(database, "SELECT count(*) FROM played") == [(0,)]


def test_a_finished_game_is_shown_by_new_rules_that_give_its_result(start, new_rules):
    with start() as serving:
        table = finished(serving)
        before = serving.guest().get(f"/tables/{table}/record.json").json()
    new_rules()
    with start() as serving:
        eve = serving.guest()
        assert lines(eve, table)[-1] == (
            "This game was played under version 1 of the rules. It is shown here by version 2, which gives the same "
            "result."
        )
        assert eve.get(f"/tables/{table}/replay?step=2").status_code == 200
        assert eve.get(f"/tables/{table}/record.json").json() == before
        assert Match.load(before).record()["result"] == before["result"]


@pytest.mark.parametrize("change", ["other moves", "another result"])
def test_a_finished_game_keeps_its_result_and_record_if_new_rules_cannot_show_it(
    start, database, new_rules, change, tmp_path, quintain
):
    with start() as serving:
        table, other = finished(serving), finished(serving)
    if change == "another result":
        ended = "\"table\" = :table AND kind = 'over'"
        ((text,),) = rows(database, f"SELECT text FROM entries WHERE {ended}", table=table)
        record = json.loads(text)
        record["result"]["ranks"] = [1, 2] if record["result"]["ranks"] != [1, 2] else [2, 1]
        execute(database, f"UPDATE entries SET text = :text WHERE {ended}", text=json.dumps(record), table=table)
    with start() as serving:
        before = serving.guest().get(f"/tables/{table}/record.json").json()
    new_rules(forbidden=2 if change == "other moves" else 0)
    with start() as serving:
        eve = serving.guest()
        page = eve.get(f"/tables/{table}", headers=HTML).text
        assert "played under version 1 of the rules of Goofspiel" in page and before["log"][0] in page
        assert eve.get(f"/tables/{table}/record.json").json() == before
        assert eve.get(f"/tables/{table}.json").status_code == 410
        is_shown = "rules cannot show it" not in eve.get(f"/tables/{other}", headers=HTML).text
        assert is_shown == (change == "another result")
    with pytest.raises(OtherRules, match="under version 1 of the rules of goofspiel, and version 2 cannot play it"):
        Match.load(before)
    (tmp_path / "record.json").write_text(json.dumps(before))
    done = quintain("replay", tmp_path / "record.json")
    assert done.status == 2 and before["log"][0] in done.out and "version 2 cannot play it again" in done.err


def test_a_server_with_older_rules_leaves_a_game_as_it_is(start, database):
    with start() as serving:
        table, cookies = begun(serving)
    execute(
        database, "INSERT INTO entries SELECT \"table\", max(seq) + 1, -1, 'rules', '2', 1.0 FROM entries GROUP BY 1"
    )
    before = kinds_of(database, table)
    with start() as serving:
        answer = back(serving, cookies)[0].get(f"/tables/{table}.json")
        assert answer.status_code == 503
        assert "this server has only version 1: it waits for a newer server" in answer.json()["error"]
    assert kinds_of(database, table) == before


def test_a_record_of_newer_rules_says_so():
    match = Match.new("goofspiel", options={"cards": 2}, seed=bytes(32))
    match.resign(0)
    data = {**match.record(), "version": 7}
    with pytest.raises(OtherRules, match="under version 7 of the rules of goofspiel, and only version 1 is here"):
        Match.load({**data, "sha256": checksum(data)})


def test_the_command_says_what_would_not_go_on_and_changes_nothing(start, database, new_rules, quintain):
    with start() as serving:
        good, _ = begun(serving, 1)
        bad, _ = begun(serving, 3)
        done = finished(serving)
    given = ("--database", database if not hasattr(database, "render_as_string") else database.render_as_string(False))
    assert quintain("tables", "check", *given).status == 0
    new_rules(forbidden=3)
    before = [kinds_of(database, table) for table in (good, bad, done)]
    told = quintain("tables", "check", *given)
    assert told.status == 1 and told.err == ""
    assert (
        f"/tables/{bad}, goofspiel, Ann, Bo: begun under version 1 of the rules, and version 2 cannot make move 5 of "
        "6; it would be closed without a result\n" in told.out
    )
    assert f"/tables/{done}, goofspiel, Ann, Bo: " in told.out
    assert "version 2 cannot show it; its page would say only what happened\n" in told.out
    assert "Games in play or waiting: 1 go on, 1 cannot.\nGames finished: 0 can be shown, 1 cannot.\n" in told.out
    assert before == [kinds_of(database, table) for table in (good, bad, done)]


def test_all_records_of_a_player_leave_out_a_game_that_was_stopped(start, new_rules):
    with start() as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        shown = finished(serving, ann, bo)
        stopped = ann.make("goofspiel", "me", "open", options={"cards": 5})
        bo.sit(stopped, 1)
        bids_now(ann, stopped, 5)
        cookies = [dict(ann.http.cookies)]
    new_rules(forbidden=5)
    with start() as serving:
        (ann,) = back(serving, cookies)
        assert "Stopped by new rules" in ann.get(f"/tables/{stopped}", headers=HTML).text
        got = ann.get("/games/records.zip")
        assert got.status_code == 200
        names = zipfile.ZipFile(BytesIO(got.content)).namelist()
        assert len(names) == 1 and shown in names[0]


def test_moves_that_new_rules_forbid_are_refused_in_words(new_rules):
    new_rules(forbidden=2)
    with pytest.raises(IllegalMove):
        Match.new("goofspiel").play(0, "bid 2")


UNKNOWN_SEATS = {"no seat": "SET seat = -1", "a seat": "SET seat = 7"}
DAMAGES = {"a text": "SET text = 'fly away'", "a kind": "SET kind = 'undone', text = ''", **UNKNOWN_SEATS}


@pytest.mark.long_for("sqlite-no seat-True")  # the other damages prove it
@pytest.mark.parametrize(
    ("damage", "renewed"),
    [*((name, True) for name in DAMAGES), *((name, False) for name in UNKNOWN_SEATS)],
)
def test_a_damaged_log_is_not_closed_as_if_by_new_rules(start, database, new_rules, damage, renewed):
    """Before new rules have played a log once, nobody can tell another damage from what they do not allow."""
    with start() as serving:
        table, cookies = begun(serving)
    if renewed:
        new_rules()
        with start() as serving:
            assert back(serving, cookies)[0].view(table)
    execute(database, f'UPDATE entries {DAMAGES[damage]} WHERE "table" = :table AND seq = 5', table=table)
    before = kinds_of(database, table)
    new_rules()
    with start() as serving:
        assert back(serving, cookies)[0].get(f"/tables/{table}.json").status_code == 500
        assert kinds_of(database, table) == before


def test_a_game_of_older_rules_is_played_again_and_on_with_records_that_hold(start, database, new_rules):
    """Today's rules complete the options, and the new commitment covers them so."""
    with start() as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table, cookies = finished(serving, ann, bo), [dict(one.http.cookies) for one in (ann, bo)]
    ((text,),) = rows(database, 'SELECT text FROM entries WHERE "table" = :table AND seq = 1', table=table)
    made = json.loads(text)
    usual = game("goofspiel").read_options(2, {})["cards"]
    made["options"] = {}
    made["commitment"] = commitment(bytes.fromhex(made["seed"]), "goofspiel", 1, {}, 2)
    new_rules()
    assert usual != 3
    execute(database, 'DELETE FROM entries WHERE "table" = :table AND seq > 4', table=table)
    execute(
        database,
        'UPDATE entries SET text = :text WHERE "table" = :table AND seq = 1',
        text=json.dumps(made),
        table=table,
    )
    with start() as serving:
        ann, bo = back(serving, cookies)
        assert ann.post(f"/tables/{table}/resign").status_code == 200
        for one in (ann, bo):
            answer = one.post(f"/tables/{table}/rematch", agrees="yes")
        again = answer.json()["table"]["id"]
        assert again != table
        on = ann.post(f"/tables/{table}/play-on", step=0, seat=0, level="greedy").json()["table"]["id"]
        for each in (again, on):
            assert ann.post(f"/tables/{each}/resign").status_code == 200
            record = ann.get(f"/tables/{each}/record.json").json()
            assert Match.load(record).commitment == record["commitment"]


def test_the_command_goes_on_after_a_damaged_log_and_names_it(start, database, quintain):
    with start() as serving:
        good, _ = begun(serving, 1)
        bad, _ = begun(serving, 1)
    execute(database, "UPDATE entries SET text = '{' WHERE \"table\" = :table AND seq = 1", table=bad)
    given = ("--database", database if not hasattr(database, "render_as_string") else database.render_as_string(False))
    told = quintain("tables", "check", *given)
    assert told.status == 1 and f"/tables/{bad}, ?: its log is damaged: entry 1" in told.out
    assert "Games in play or waiting: 1 go on, 1 cannot." in told.out and good not in told.out
