"""Table talk: who reads what, limits, reports, muting, and that it is no part of any game."""

import logging
import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest

from quintain.engine.errors import BadOption
from quintain.server.limits import Rate
from quintain.server.model.talk import MOST_LETTERS, MOST_LINES, READY, cleaned
from server.browsing import Person, Phone
from server.guests import PATIENCE, UNLIMITED, Serving, is_over, wait_until, written
from server.stores import rows
from server.test_looks import needs_chromium, needs_files
from server.test_replays import finished

HTML = {"accept": "text/html"}
PLAYERS_WORDS, SPECTATORS_WORDS = "A bold move, Bo", "Ann holds the king of Artois"


@pytest.fixture
def serving(start):
    """A server, or a pair of servers, at which people may talk as much as they like."""
    with start(talk_rate=UNLIMITED, report_rate=UNLIMITED) as serving:
        yield serving


class Round:
    """A table of Ann and Bo in play, with Eve, who watches, and a visitor without a name."""

    def __init__(self, serving):
        self.serving = serving
        self.ann, self.bo, self.eve = (serving.guest(name) for name in ("Ann", "Bo", "Eve"))
        self.stranger = serving.guest()
        self.table = self.ann.make("kings-court", "me", "open", private=True)

    def begin(self):
        self.bo.sit(self.table, 1)
        return self

    def say(self, guest, text, status=200):
        answer = guest.post(f"/tables/{self.table}/talk", text=text)
        assert answer.status_code == status, answer.text
        return answer.json()

    def reads(self, guest):
        """Return what a guest reads of the table: the words of the lines, if they are alike on the page and in JSON.

        With two servers the later answer may hold a line more; then it returns both.
        """
        words = [line["text"] for line in guest.view(self.table)["talk"]]
        page = unescape(guest.get(f"/tables/{self.table}", headers=HTML).text)
        shown = re.findall(r'<span class="talk-words">(.*?)</span>', page)
        return words if shown == words else [words, shown]

    def all_read(self, words):
        """Wait until all servers know the last line."""
        for site in self.serving.sites:
            for table in site.tables.in_memory():
                wait_until(lambda table=table: words in [line.text for line in table.talk.lines])

    def receive(self, socket, words):
        """Return the next page of a socket that holds some words, and all pages before it."""
        pages = [unescape(socket.recv(timeout=PATIENCE))]
        while words not in pages[-1]:
            pages.append(unescape(socket.recv(timeout=PATIENCE)))
        return pages


@pytest.fixture
def table(serving):
    return Round(serving)


@pytest.mark.both_stores
def test_while_a_game_runs_players_read_players_and_spectators_read_both(table):
    table.begin()
    table.say(table.ann, PLAYERS_WORDS)
    table.say(table.eve, SPECTATORS_WORDS)
    table.all_read(SPECTATORS_WORDS)
    for guest in (table.ann, table.bo):
        assert table.reads(guest) == [PLAYERS_WORDS]
    for guest in (table.eve, table.stranger):
        assert table.reads(guest) == [PLAYERS_WORDS, SPECTATORS_WORDS]


@pytest.mark.both_stores
def test_before_and_after_a_game_everybody_reads_everything(table):
    table.say(table.ann, "Who plays?")
    table.say(table.eve, "I only watch")
    table.all_read("I only watch")
    everybody = (table.ann, table.bo, table.eve, table.stranger)
    assert [table.reads(guest) for guest in everybody] == [["Who plays?", "I only watch"]] * 4
    table.begin()
    assert table.reads(table.bo) == ["Who plays?"]
    assert table.ann.post(f"/tables/{table.table}/resign").status_code == 200
    assert is_over(table.bo.view(table.table))
    table.say(table.bo, "Well played")
    table.all_read("Well played")
    assert [table.reads(guest) for guest in everybody] == [["Who plays?", "I only watch", "Well played"]] * 4


@pytest.mark.both_stores
def test_a_line_comes_at_once_to_all_who_have_the_table_open(table):
    table.begin()
    with table.bo.watching(table.table) as bo, table.eve.watching(table.table) as eve:
        table.say(table.ann, PLAYERS_WORDS)
        for socket in (bo, eve):
            table.receive(socket, PLAYERS_WORDS)


@pytest.mark.both_stores
def test_a_spectators_line_sends_the_players_nothing(table):
    """What Ann and Bo are sent from the line on is the same, whether Eve has said something or not."""
    table.begin()
    table.say(table.ann, "first")
    table.all_read("first")
    with (
        table.ann.watching(table.table) as ann,
        table.bo.watching(table.table) as bo,
        table.eve.watching(table.table) as eve,
    ):
        table.say(table.bo, "here")
        last = {socket: table.receive(socket, ">here<")[-1] for socket in (ann, bo)}
        settle(table, ann, bo, eve)
        last |= {socket: pages[-1] for socket, pages in settle(table, ann, bo, eve).items() if pages}
        table.say(table.eve, SPECTATORS_WORDS)
        table.receive(eve, SPECTATORS_WORDS)
        assert all(not pages for pages in settle(table, ann, bo).values())
        table.say(table.bo, "and now")
        for socket in (ann, bo):
            pages = table.receive(socket, ">and now<")
            assert len(pages) == 1 and SPECTATORS_WORDS not in pages[0] and "Eve" not in pages[0]
    for guest in (table.ann, table.bo):
        assert not [text for text in guest.received if SPECTATORS_WORDS in unescape(text) or "Eve" in text]


def settle(table, *sockets):
    """Return all pages that wait in sockets, until nothing comes for a while."""
    came = {socket: [] for socket in sockets}
    for socket in sockets:
        try:
            while True:
                came[socket].append(unescape(socket.recv(timeout=0.5)))
        except TimeoutError:
            continue
    return came


@pytest.mark.both_stores
def test_no_log_no_record_and_no_replay_holds_talk(table, database):
    table.begin()
    table.say(table.ann, PLAYERS_WORDS)
    table.say(table.eve, SPECTATORS_WORDS)
    before = rows(database, "SELECT * FROM entries ORDER BY seq")
    assert table.bo.post(f"/tables/{table.table}/resign").status_code == 200
    table.say(table.eve, SPECTATORS_WORDS)
    kept = [*before, *rows(database, "SELECT * FROM entries ORDER BY seq"), *rows(database, "SELECT * FROM played")]
    kept += [table.eve.get(f"/tables/{table.table}/record.json").text]
    kept += [unescape(table.eve.get(f"/tables/{table.table}/replay", headers=HTML).text)]
    assert not [each for each in kept if PLAYERS_WORDS in str(each) or SPECTATORS_WORDS in str(each)]
    said = rows(database, 'SELECT "table", number, seat, text FROM talk ORDER BY id')
    numbers = {name: number for number, name in rows(database, "SELECT number, name FROM players")}
    assert said == [
        (table.table, numbers["Ann"], 0, PLAYERS_WORDS),
        *[(table.table, numbers["Eve"], None, SPECTATORS_WORDS)] * 2,
    ]


@pytest.mark.both_stores
def test_talk_outlives_the_server(start):
    with start() as serving:
        table = Round(serving).begin()
        table.say(table.ann, PLAYERS_WORDS)
        table.say(table.eve, SPECTATORS_WORDS)
        cookies = [guest.http.cookies for guest in (table.ann, table.eve)]
    with start() as serving:
        table.serving = serving
        ann, eve = serving.guest(), serving.guest()
        for guest, jar in zip((ann, eve), cookies, strict=True):
            guest.http.cookies = jar
        assert table.reads(ann) == [PLAYERS_WORDS]
        assert table.reads(eve) == [PLAYERS_WORDS, SPECTATORS_WORDS]


@pytest.mark.both_stores
def test_names_are_those_of_today_and_who_is_deleted_takes_their_lines_along(table, database):
    table.begin()
    table.say(table.ann, PLAYERS_WORDS)
    table.say(table.eve, SPECTATORS_WORDS)
    assert table.eve.post("/name", name="Zoe").status_code == 200
    wait_until(lambda: [line["name"] for line in table.stranger.view(table.table)["talk"]] == ["Ann", "Zoe"])
    assert table.eve.submit("/me/forget", name="Zoe").status_code == 200
    for _ in range(4):
        wait_until(lambda: table.reads(table.stranger) == [PLAYERS_WORDS])
    assert [text for (text,) in rows(database, "SELECT text FROM talk")] == [PLAYERS_WORDS]


@pytest.mark.both_stores
def test_nobody_can_flood_a_table(start):
    with start(talk_rate=Rate(4, 1 / 3600)) as serving:
        table = Round(serving)
        statuses = [table.ann.post(f"/tables/{table.table}/talk", text=f"no {n}").status_code for n in range(12)]
        assert statuses[:2] == [200, 200] and statuses[-2:] == [429, 429] and statuses.count(200) == 4
        answer = table.ann.submit(f"/tables/{table.table}/talk", text="once more")
        assert answer.status_code == 429 and "You have said much at once" in unescape(answer.text).replace("you", "You")
        table.say(table.eve, "I have said nothing yet")


@pytest.mark.parametrize("words", ["", "   ", "\t\n", "\u202e\u2066", "\u200b\u200d", "\0"])
def test_an_empty_line_is_refused_and_the_table_says_why(table, words):
    assert "there is nothing to say" in table.say(table.ann, words, 422)["error"]
    answer = table.ann.submit(f"/tables/{table.table}/talk", text=words)
    assert (
        answer.status_code == 422 and "there is nothing to say" in answer.text and "Waiting for players" in answer.text
    )


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Well \n played\t", "Well played"),
        ("a\u202eb\u2067c\u200fd\u061ce", "abcde"),
        ("bell\x07 and\x1b[31m red", "bell and[31m red"),
        ("\U0001f469\u200d\U0001f33e \u2764\ufe0f", "\U0001f469\u200d\U0001f33e \u2764\ufe0f"),
        ("half \ud800 pair", "half pair"),
        ("x" * MOST_LETTERS, "x" * MOST_LETTERS),
        ("one\u2028two", "one two"),
    ],
)
def test_a_line_is_kept_without_what_could_disturb_a_page(given, kept):
    assert cleaned(given) == kept


def test_a_line_has_at_most_200_characters(table):
    with pytest.raises(BadOption, match="at most 200 characters"):
        cleaned("x" * (MOST_LETTERS + 1))
    assert "too long to say at once" in table.say(table.ann, "x " * 101, 422)["error"]
    assert table.say(table.ann, "x" + " " * 300)["talk"][0]["text"] == "x"


@pytest.mark.parametrize("fields", [{"text": 7}, {"text": None}, {"ready": ["x"]}])
def test_what_is_no_text_is_refused(table, fields):
    assert table.ann.post(f"/tables/{table.table}/talk", **fields).status_code in (400, 422)
    assert table.reads(table.ann) == []


def test_words_are_never_markup(table):
    table.say(table.ann, "<b onclick=x>&amp;</b>")
    page = table.bo.get(f"/tables/{table.table}", headers=HTML).text
    assert "<b onclick" not in page and table.bo.view(table.table)["talk"][0]["text"] == "<b onclick=x>&amp;</b>"


def test_ready_made_words_take_one_touch_and_others_are_refused(table):
    for words in READY:
        answer = table.ann.submit(f"/tables/{table.table}/talk", ready=words)
        assert answer.status_code == 303 and answer.headers["location"] == f"/tables/{table.table}"
    assert table.reads(table.bo) == list(READY)
    answer = table.ann.post(f"/tables/{table.table}/talk", ready="You fool")
    assert answer.status_code == 422 and "there are no ready-made words 'You fool'" in answer.json()["error"]


def test_only_visitors_with_a_name_talk(table):
    assert "choose a name first" in table.say(table.stranger, "hello", 403)["error"]
    page = table.stranger.get(f"/tables/{table.table}", headers=HTML).text
    assert '<form id="talk-form" class="nameless"' in page and "Choose a name to talk" in page
    assert "nameless" not in table.ann.get(f"/tables/{table.table}", headers=HTML).text.replace("for-nameless", "")


def test_posts_from_elsewhere_say_nothing(table):
    answer = table.ann.http.post(f"/tables/{table.table}/talk", data={"csrf": table.bo.csrf, "text": "x"}, headers=HTML)
    assert answer.status_code == 403 and table.reads(table.bo) == []
    assert table.ann.post("/tables/nowhere/talk", text="x").status_code == 404


def test_a_table_shows_the_last_lines_of_each_channel(table):
    table.begin()
    table.say(table.eve, "the first of the spectators")
    for number in range(MOST_LINES + 3):
        table.say(table.ann, f"line {number}")
    assert table.reads(table.ann) == [f"line {number}" for number in range(3, MOST_LINES + 3)]
    assert table.reads(table.eve) == ["the first of the spectators", *table.reads(table.ann)]


@pytest.mark.both_stores
def test_who_has_switched_talk_off_reads_no_line_at_any_table(table):
    table.begin()
    table.say(table.ann, PLAYERS_WORDS)
    table.all_read(PLAYERS_WORDS)
    for guest in (table.bo, table.eve):
        answer = guest.submit("/talking", talking="no", next=f"/tables/{table.table}")
        assert answer.status_code == 303 and answer.headers["location"] == f"/tables/{table.table}"
        assert table.reads(guest) == [] and 'id="talk"' not in guest.get(f"/tables/{table.table}", headers=HTML).text
        guest.received.clear()
        with guest.watching(table.table) as socket, table.stranger.watching(table.table) as other:
            table.say(table.ann, f"once more to {id(guest)}")
            table.receive(other, f"once more to {id(guest)}")
            assert not [page for page in settle(table, socket)[socket] if "once more" in page]
        assert guest.submit("/talking", talking="yes").status_code == 303
        assert table.reads(guest)[0] == PLAYERS_WORDS
    assert table.bo.submit("/talking", talking="perhaps").status_code == 422


@pytest.mark.both_stores
@pytest.mark.parametrize("name", ["Ann", "ANN", "\u0410nn", "Ann 2"])
def test_a_spectator_does_not_talk_under_the_name_of_a_player(table, name):
    table.begin()
    poser = table.serving.guest(name)
    table.say(poser, "I resign")
    table.all_read("I resign")
    (line,) = table.stranger.view(table.table)["talk"]
    assert line["name"].endswith(" (spectator)")
    page = unescape(table.stranger.get(f"/tables/{table.table}", headers=HTML).text)
    assert f"{line['name']}" in page.partition('id="talk"')[2]
    table.say(table.ann, "I do not")
    assert [line["name"] for line in table.ann.view(table.table)["talk"]] == ["Ann"]


@pytest.fixture
def mute(quintain):
    """Return a function that runs the command in this process, as an operator does beside the server."""

    def run(database, *arguments):
        return quintain("mute", *arguments, "--database", written(database))

    return run


@pytest.mark.both_stores
def test_the_operator_mutes_a_player_and_lets_them_talk_again(table, database, mute):
    ((number,),) = rows(database, "SELECT number FROM players WHERE name = 'Ann'")
    ran = mute(database, str(number), "--hours", "2")
    assert ran.status == 0, ran.err
    assert re.fullmatch(rf"Ann, player {number}, cannot talk before \d{{4}}-\d\d-\d\d \d\d:\d\d UTC\.\n", ran.out)
    ((until,),) = rows(database, "SELECT muted FROM players WHERE name = 'Ann'")
    assert 7000 < until - datetime.now(UTC).timestamp() < 7300
    assert "the operator of this server has muted you" in table.say(table.ann, "hello", 403)["error"]
    table.say(table.bo, "hello")
    ran = mute(database, str(number), "--off")
    assert ran.out == f"Ann, player {number}, can talk again.\n"
    table.say(table.ann, "hello")


@pytest.mark.both_stores
def test_a_muted_player_who_comes_back_with_a_fresh_cookie_stays_muted(table, database, mute):
    ((number,),) = rows(database, "SELECT number FROM players WHERE name = 'Ann'")
    assert mute(database, str(number), "--hours", "2").status == 0
    again = table.serving.guest("Anna")
    answer = again.post(f"/tables/{table.table}/talk", text="it is me again")
    assert answer.status_code == 403 and "muted you, or somebody at your address" in answer.json()["error"]
    table.say(table.bo, "I was here before, and may talk")
    assert mute(database, str(number), "--off").status == 0
    assert again.post(f"/tables/{table.table}/talk", text="it is me again").status_code == 200


@pytest.mark.both_stores
@pytest.mark.parametrize("way", ["a record", "a table", "playing on", "a seat"])
def test_a_mute_holds_for_a_name_that_was_given_on_any_way(table, database, way, mute):
    ((number,),) = rows(database, "SELECT number FROM players WHERE name = 'Ann'")
    assert mute(database, str(number), "--hours", "2").status == 0
    again = table.serving.guest()
    if way == "a record":
        assert again.submit("/games/import", name="Anna", record="nonsense").status_code == 422
    elif way == "a table":
        answer = again.post("/tables", name="Anna", game="goofspiel", seats=["open", "open"])
        assert answer.status_code == 422
    elif way == "playing on":
        over = finished(table.serving, table.serving.guest("Cy"), table.serving.guest("Di"))
        assert again.post(f"/tables/{over}/play-on", name="Anna", step=2, seat=1, level="greedy").status_code == 201
    else:
        seat = next(seat for seat in table.serving.table(table.table).seats if seat.name == "Ann")
        link = table.serving.sites[0].signer.seat_token(table.table, seat.seat, seat.player, 0)
        assert again.submit(f"/seat/{link}").status_code == 303
    answer = again.post(f"/tables/{table.table}/talk", text="it is me again")
    assert answer.status_code == 403 and "muted you, or somebody at your address" in answer.json()["error"]


@pytest.mark.both_stores
def test_muting_a_player_once_more_frees_nobody(table, database, mute):
    ((number,),) = rows(database, "SELECT number FROM players WHERE name = 'Ann'")
    assert mute(database, str(number), "--hours", "2").status == 0
    again = table.serving.guest("Anna")
    assert mute(database, str(number), "--hours", "3").status == 0
    assert again.post(f"/tables/{table.table}/talk", text="it is me again").status_code == 403


@pytest.mark.both_stores
def test_a_muted_player_who_has_themselves_deleted_stays_muted(table, database, mute):
    ((number,),) = rows(database, "SELECT number FROM players WHERE name = 'Ann'")
    assert mute(database, str(number), "--hours", "2").status == 0
    assert table.ann.submit("/me/forget", name="Ann").status_code == 200
    again = table.serving.guest("Anna")
    assert again.post(f"/tables/{table.table}/talk", text="it is me again").status_code == 403


def test_muting_ends_by_itself_after_a_day_if_nothing_else_is_said(table, database, monkeypatch, mute):
    assert mute(database, "1").status == 0
    ((until,),) = rows(database, "SELECT muted FROM players WHERE number = 1")
    assert 86_000 < until - datetime.now(UTC).timestamp() < 86_500
    table.say(table.ann, "hello", 403)
    monkeypatch.setattr("quintain.server.store.talk_lines.now", lambda: until + 1)
    table.say(table.ann, "hello")


def test_a_number_that_nobody_has_is_a_clear_error(table, database, mute):
    ran = mute(database, "77")
    assert ran.status == 2 and "there is no player 77 here" in ran.err and "/players/NUMBER" in ran.err
    assert table.ann.submit("/me/forget", name="Ann").status_code == 200
    assert mute(database, "1").status == 2
    assert mute(database, "Ann").status == 2
    assert mute(Path("/nowhere/at.sqlite"), "1").status == 2


def test_a_report_is_a_line_in_the_servers_log(table, caplog):
    table.begin()
    line = table.say(table.bo, "You fool")["talk"][0]["id"]
    with caplog.at_level(logging.WARNING, "quintain.server"):
        answer = table.ann.submit(f"/tables/{table.table}/report", line=line)
    assert answer.status_code == 200 and "Your report is in the operator's log." in unescape(answer.text)
    (said,) = [record for record in caplog.records if record.getMessage() == "talk reported"]
    assert (said.table, said.line, said.talker, said.reporter, said.text) == (table.table, line, 2, 1, "You fool")
    assert table.ann.post(f"/tables/{table.table}/report", line=line).json()["error"] is None


def test_only_a_line_of_somebody_else_that_one_reads_can_be_reported(table, caplog):
    table.begin()
    mine = table.say(table.ann, PLAYERS_WORDS)["talk"][0]["id"]
    hidden = table.say(table.eve, SPECTATORS_WORDS)["talk"][-1]["id"]
    for guest, line, status in ((table.ann, mine, 409), (table.ann, hidden, 404), (table.ann, 999, 404)):
        assert guest.post(f"/tables/{table.table}/report", line=line).status_code == status
    assert table.stranger.post(f"/tables/{table.table}/report", line=mine).status_code == 403
    assert table.ann.post(f"/tables/{table.table}/report", line="x").status_code == 400
    assert "talk reported" not in [record.getMessage() for record in caplog.records]
    page = table.ann.get(f"/tables/{table.table}", headers=HTML).text
    assert f'name="line" value="{mine}"' not in page
    assert f'name="line" value="{mine}"' in table.bo.get(f"/tables/{table.table}", headers=HTML).text


def test_nobody_reports_more_than_ten_lines_an_hour(tmp_path):
    with Serving(tmp_path) as serving:
        table = Round(serving)
        line = table.say(table.bo, "You fool")["talk"][0]["id"]
        path = f"/tables/{table.table}/report"
        assert [table.ann.post(path, line=line).status_code for _ in range(12)] == [200] * 10 + [429] * 2


@needs_chromium
@needs_files
def test_in_a_browser_sent_words_leave_the_field_drafts_stay_and_a_mark_counts_what_is_out_of_sight(serving, browser):
    ann, bo = Person(browser, serving.url), Phone(browser, serving.url)
    invite = ann.make_table("kings-court", "Ann")
    eve = Person(browser, serving.url)
    eve.page.goto(invite)
    assert not eve.page.locator("#say-text").is_visible() and eve.page.get_by_text("Choose a name to talk").is_visible()
    bo.sit_down(invite, "Bo")
    ann.page.locator("#table-body.frame").wait_for()
    ann.page.locator("#say-text").fill("Hello Bo")
    ann.page.locator("#say-text").press("Enter")
    bo.page.locator("#open-rail[data-news]").wait_for()
    assert bo.page.locator("#talk-news").text_content() == "1 new"
    ann.page.locator("#say-text").fill("a draft")
    bo.touch(bo.page.locator("#open-rail"))
    bo.page.locator("#open-rail:not([data-news])").wait_for()
    bo.touch(bo.page.locator("#ready summary"))
    bo.touch(bo.page.get_by_role("button", name="Good luck"))
    ann.page.locator(".talk-words:text-is('Good luck')").wait_for()
    assert ann.page.locator("#say-text").input_value() == "a draft"
    bo.page.locator(".talk-words:text-is('Good luck')").wait_for()
    assert not bo.page.locator("#ready[open]").count()
    eve.page.locator(".talk-words:text-is('Good luck')").wait_for()
    assert not eve.page.locator("#say-text").is_visible(), "the page of all spectators does not know who has a name"
    ann.touch(ann.page.locator(".line-menu summary"))
    ann.touch(ann.page.get_by_role("button", name="Report"))
    ann.page.get_by_text("Your report is in the operator's log.").wait_for()
    for person in (ann, bo, eve):
        assert not person.complaints
        person.context.close()
