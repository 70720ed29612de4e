"""Hostile requests: the server refuses each with the right status, and nothing changes."""

import html
import json
import re
import socket
import sqlite3
from contextlib import closing

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from quintain.server.http.lobby_routes import MOST_BODY
from quintain.server.limits import Rate
from server.guests import PATIENCE, Serving


@pytest.fixture
def playing(serving):
    """Ann and Bo at King's Court, and Eve who only watches; Ann is asked for a counter."""
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Eve")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    yield ann, bo, eve, table
    seen = ann.view(table)
    assert seen["table"]["decision"] == 1, "something was taken that should have been refused"
    assert [line["words"] for line in seen["log"] if line["words"].startswith(("You put", "Bo put"))] == []


def legal(guest, table):
    return guest.view(table)["menu"][0]["action"]


def test_a_spectator_cannot_move_undo_or_resign(playing):
    ann, _, eve, table = playing
    for deed in ("moves", "undo", "resign", "rematch", "leave", "start"):
        answer = eve.post(f"/tables/{table}/{deed}", action=legal(ann, table), decision=1, seat=0, player="Ann")
        assert answer.status_code == 403, deed
        assert "no seat" in answer.json()["error"]


def test_a_forged_cookie_makes_a_new_visitor(playing):
    ann, _, _, table = playing
    cookie = ann.http.cookies["quintain_player"]
    for forged in (cookie[:-2] + "xx", cookie.split(".")[0], "x" * 5000, "IkFubiI.AAAA"):
        answer = httpx.post(
            f"{ann.url}/tables/{table}/moves",
            json={"csrf": ann.csrf, "action": legal(ann, table), "decision": 1},
            headers={"cookie": f"quintain_player={forged}"},
        )
        assert answer.status_code == 403


@pytest.mark.parametrize("decision", [0, 2, -1, 10**6, 10**30])
def test_a_stale_or_future_decision_is_refused_with_a_fresh_view(playing, decision):
    ann, _, _, table = playing
    answer = ann.move(table, legal(ann, table), decision)
    assert answer.status_code == 409
    assert answer.json()["table"]["decision"] == 1
    assert answer.json()["menu"]
    page = ann.submit(f"/tables/{table}/moves", action=str(legal(ann, table)), decision=str(decision))
    assert page.status_code == 409
    assert "the table has changed since" in page.text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"action": 0, "decision": 1}, 422),
        ({"action": 10**9, "decision": 1}, 422),
        ({"action": -1, "decision": 1}, 422),
        ({"action": "play Artois 9", "decision": 1}, 422),
        ({"action": "bid 3", "decision": 1}, 422),
        ({"action": "", "decision": 1}, 422),
        ({"decision": 1}, 400),
        ({"action": 0}, 400),
        ({"action": None, "decision": 1}, 400),
        ({"action": 1.5, "decision": 1}, 400),
        ({"action": True, "decision": 1}, 400),
        ({"action": [1], "decision": 1}, 400),
        ({"action": 0, "decision": "one"}, 400),
        ({"action": 0, "decision": True}, 400),
        ({"action": 0, "decision": {}}, 400),
    ],
)
def test_a_post_without_a_legal_move_is_refused(playing, fields, status):
    ann, _, _, table = playing
    assert ann.post(f"/tables/{table}/moves", **fields).status_code == status


def test_a_move_of_another_table_does_not_count_here(serving, playing):
    ann, _, _, table = playing
    other = ann.make("goofspiel", "me", "open")
    assert ann.move(table, "bid 3", 1).status_code == 422
    assert ann.move(other, "bid 3", 1).status_code == 409, "nobody has sat down there"
    assert ann.move("nowhere", 3, 1).status_code == 404
    assert ann.get("/tables/nowhere").status_code == 404
    assert ann.get("/tables/nowhere.json").status_code == 404


def test_a_post_without_the_players_own_token_is_refused(playing):
    ann, bo, _, table = playing
    fields = {"action": legal(ann, table), "decision": 1}
    for csrf in ({}, {"csrf": ""}, {"csrf": bo.csrf}, {"csrf": 7}, {"csrf": "é"}):
        assert ann.http.post(f"/tables/{table}/moves", json={**fields, **csrf}).status_code == 403
        assert ann.http.post(f"/tables/{table}/moves", data={**fields, **csrf}).status_code == 403


def test_a_page_of_another_site_can_neither_post_nor_open_a_socket(playing):
    ann, _, _, table = playing
    fields = {"csrf": ann.csrf, "action": legal(ann, table), "decision": 1}
    for origin in ("http://evil.example", "null", "https://evil.example:8000", "http://["):
        headers = {"origin": origin}
        assert ann.http.post(f"/tables/{table}/moves", json=fields, headers=headers).status_code == 403
        for url in (ann.socket_url(table), f"{ann.url.replace('http', 'ws')}/lobby/socket"):
            with pytest.raises(InvalidStatus) as refused, connect(url, additional_headers=ann.headers(), origin=origin):
                pass
            assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("frame", "code"), [("{}", 1008), ("x" * 5000, 1009), (b"\x00\xff", 1008), ('{"action": 3, "decision": 1}', 1008)]
)
def test_a_frame_from_a_browser_closes_its_socket(playing, frame, code):
    ann, _, _, table = playing
    with ann.watching(table) as socket:
        socket.recv(timeout=PATIENCE)
        socket.send(frame)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd.code == code


@pytest.mark.parametrize("frames", [[b"\xff\xfe"], [b"Ann \xc3", b"\xc3"]], ids=["whole", "in two"])
def test_a_text_that_is_not_utf_8_closes_its_socket_and_is_no_fault_of_ours(playing, caplog, frames):
    ann, _, _, table = playing
    with ann.watching(table) as socket:
        socket.recv(timeout=PATIENCE)
        socket.send(iter(frames) if len(frames) > 1 else frames[0], text=True)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd.code == 1007
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]


def test_letters_cut_in_two_by_the_frames_of_a_text_are_no_wrong_text(playing):
    ann, _, _, table = playing
    with ann.watching(table) as socket:
        socket.recv(timeout=PATIENCE)
        socket.send(iter([b"Zo\xc3", b"\xab"]), text=True)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd.code == 1008


def test_the_socket_of_no_table_is_closed(serving):
    guest = serving.guest()
    with guest.watching("nowhere") as socket, pytest.raises(ConnectionClosed):
        socket.recv(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 40_000, "application/json", 400),
        (b'{"csrf": ' + b"[" * 9000 + b"]" * 9000 + b"}", "application/json", 400),
        (b'{"csrf": "\xff"}', "application/json", 400),
        (b"a=%ff", "application/x-www-form-urlencoded", 400),
        (b"&".join(b"a=1" for _ in range(1000)), "application/x-www-form-urlencoded", 400),
        (b"x", "text/plain", 415),
        (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x", 400),
        (b"<a/>", "application/xml", 415),
        (b"x" * (MOST_BODY + 1), "application/json", 413),
        (b"", "application/json", 403),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(playing, body, kind, status):
    ann, _, _, table = playing
    answer = ann.http.post(f"/tables/{table}/moves", content=body, headers={"content-type": kind})
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize("path", ["/tables/{}/moves", "/tables/{}/seats/1", "/tables", "/name", "/play/goofspiel"])
def test_other_methods_are_not_allowed(playing, path):
    ann, _, _, table = playing
    path = path.format(table)
    allowed = {"/name": {200}}.get(path, {404, 405})
    assert ann.get(path).status_code in allowed
    assert ann.http.delete(path).status_code in (404, 405)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "Ann & Bo", '" onload="x', "a" * 25, "", " ", "seat 1"])
def test_an_impossible_name_is_refused(serving, name):
    guest = serving.guest()
    assert guest.post("/name", name=name).status_code == 422
    page = guest.submit("/name", name=name)
    assert page.status_code == 422
    assert "<script>" not in page.text
    assert 'value="" onload' not in page.text


def test_words_from_outside_are_escaped_in_pages(serving):
    guest = serving.guest("Ann")
    nasty = "<script>alert('1')</script>"
    for page in (
        guest.get(f"/name?next={nasty}"),
        guest.get(f"/new/kings-court?option.garnets={nasty}&clock={nasty}"),
        guest.get(f"/tables/{nasty.replace('/', '')}"),
        guest.submit("/tables", game="kings-court", **{"option.garnets": nasty}),
        guest.submit("/tables", game=nasty),
    ):
        assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "x", "//["]
)
def test_no_redirect_leads_to_another_site(serving, back):
    guest = serving.guest("Ann")
    for answer in (guest.submit("/theme", theme="dark", next=back), guest.submit("/name", name="Bo", next=back)):
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"


@pytest.mark.parametrize("back", ["/play/../tables/T/resign", "/play/kings-court/../../x", "/play/", "/play/nothing"])
def test_the_form_for_a_name_can_only_post_a_name_or_begin_a_game(serving, back):
    guest = serving.guest()
    for page in (guest.get("/name", params={"next": back}), guest.submit("/name", name="<", next=back)):
        assert '<form class="form" method="post" action="/name">' in html.unescape(page.text)
    page = guest.get("/name", params={"next": "/play/kings-court"})
    assert '<form class="form" method="post" action="/play/kings-court">' in html.unescape(page.text)


@pytest.mark.parametrize("host", ["abc:port", "a:99999999", "x" * 3000], ids=["word", "number", "long"])
def test_an_impossible_host_is_refused(playing, host):
    ann, _, _, table = playing
    waiting = ann.make("kings-court", "me", "open")
    for path in (f"/tables/{table}", f"/tables/{waiting}"):
        answer = ann.http.get(path, headers={"host": host, "accept": "text/html"})
        assert answer.status_code == 400 and "host of this request" in answer.text


def test_a_socket_for_an_impossible_host_is_closed(playing):
    ann, _, _, table = playing
    there = ann.http.base_url
    sock = socket.create_connection((there.host, there.port))
    url = f"ws://{'x' * 3000}/tables/{table}/socket"
    with connect(url, sock=sock) as opened, pytest.raises(ConnectionClosed) as closed:
        opened.recv(timeout=PATIENCE)
    assert closed.value.rcvd.code == 4404


@pytest.mark.parametrize("name", ["%00", "x" * 300, "%ff", "css/../../store.py", ""])
def test_only_static_files_are_served(playing, name):
    assert playing[0].http.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize(
    "more",
    [
        {"seats": ["me"]},
        {"seats": ["me"] * 2},
        {"seats": ["open"] * 2},
        {"seats": ["me", "nobody"]},
        {"seats": ["me"] + ["open"] * 99},
        {"options": {"garnets": "many"}},
        {"options": {"no such": 1}},
        {"options": [1]},
        {"clock": "1 s"},
        {"speed": "warp"},
    ],
)
def test_an_impossible_table_is_not_made(serving, more):
    guest = serving.guest("Ann")
    answer = guest.post("/tables", **{"game": "kings-court", "seats": ["me", "open"], **more})
    assert answer.status_code == 422
    assert guest.get("/tables.json").json()["my_tables"] == []
    assert guest.post("/tables", game="chess").status_code == 404


def test_every_answer_carries_the_headers_that_keep_strangers_out(serving):
    guest = serving.guest("Ann")
    for path in ("/", "/health", "/nowhere", "/static/css/page.css", "/rules/kings-court"):
        headers = guest.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'"), path
        assert headers["x-content-type-options"] == "nosniff"


def test_no_page_has_scripts_or_styles_of_its_own(playing):
    ann, _, _, table = playing
    for path in ("/", "/new/kings-court", f"/tables/{table}", "/rules/kings-court", "/credits", "/name"):
        page = ann.get(path).text
        assert "<style" not in page, path
        assert " style=" not in page, path
        assert "<script>" not in page, path
        assert " onclick=" not in page, path


def test_a_flood_is_stopped_and_others_play_on(tmp_path, goofspiel):
    with Serving(tmp_path, player_rate=Rate(20, 0.001), table_rate=Rate(3, 0.001)) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        tables = [ann.post("/tables", game="goofspiel", seats=["me", "open"]).status_code for _ in range(5)]
        assert tables == [201] * 3 + [429] * 2
        answers = [ann.post("/name", name="Ann").status_code for _ in range(30)]
        assert answers.count(429) >= 15
        assert bo.post("/name", name="Bo").status_code == 200


def test_a_flood_of_new_cookies_from_one_address_is_stopped(tmp_path, goofspiel):
    with Serving(tmp_path, address_rate=Rate(5, 0.001)) as serving:
        answers = [serving.guest().post("/name", name="Ann").status_code for _ in range(8)]
        assert answers == [200] * 5 + [429] * 3


def test_an_address_whose_requests_have_cost_the_server_too_much_is_stopped(tmp_path, goofspiel):
    with Serving(tmp_path, cost_rate=Rate(0.2, 1e-6)) as serving:
        ann = serving.guest()
        allowed = 0
        while (answer := ann.http.get("/rules/robin")).status_code == 200:
            allowed += 1
            assert allowed < 100_000
        assert allowed > 5 and answer.status_code == 429 and "too much at once" in answer.text
        assert [ann.http.get("/rules/robin").status_code for _ in range(50)] == [429] * 50
        assert ann.post("/name", name="Ann").json() == {
            "error": "that was too much at once: wait a moment",
            "status": 429,
        }
        assert ann.get("/static/css/page.css").status_code == 200


def test_a_name_that_is_refused_on_the_way_to_a_game_is_asked_for_again(serving):
    answer = serving.guest().submit("/play/kings-court", name="Squire")
    assert answer.status_code == 422
    shown = html.unescape(answer.text)
    assert "looks like the name of a bot" in shown and 'action="/play/kings-court"' in shown


def test_a_post_that_is_too_long_is_refused_with_the_limit(serving):
    answer = serving.guest("Ann").submit("/tables", game="goofspiel", seats="x" * 600_000)
    assert answer.status_code == 413 and "at most 512 KB" in answer.text


def test_a_flood_of_tables_from_one_address_is_stopped_even_if_many_players_make_them(tmp_path, goofspiel):
    with Serving(tmp_path, address_table_rate=Rate(3, 0.001)) as serving:
        guests = [serving.guest(f"Guest {number}") for number in range(5)]
        made = [guest.post("/tables", game="goofspiel", seats=["me", "open"]).status_code for guest in guests]
        assert made == [201] * 3 + [429] * 2


def test_programs_get_errors_as_json(serving):
    answer = serving.guest("Ann").post("/tables/nowhere/moves", action=1, decision=1)
    assert answer.headers["content-type"].startswith("application/json")
    assert json.loads(answer.text) == {"error": "there is no such table", "status": 404}


DAMAGES = {
    "another move": "update entries set text = 'bid 3' where seq = 6",
    "no move": "update entries set text = 'the secret words' where seq = 6",
    "an entry is gone": "delete from entries where seq = 5",
    "no seat": "update entries set seat = 7 where seq = 6",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_error_for_a_damaged_log_names_no_card(tmp_path, goofspiel, damage):
    with Serving(tmp_path) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table, sound = (ann.make("goofspiel", "me", "open") for _ in range(2))
        for made in (table, sound):
            bo.sit(made, 1)
        ann.move(table, "bid 3", 1)
        bo.move(table, "bid 4", 1)
        ann.move(table, "bid 5", 2)
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as connection, connection:
        connection.execute(f'{DAMAGES[damage]} and "table" = ?', (table,))
    with Serving(tmp_path) as serving:
        eve = serving.guest()
        for page in (f"/tables/{table}.json", f"/tables/{table}", f"/tables/{table}/replay", f"/tables/{table}/view"):
            answer = eve.http.get(page, headers={"accept": "text/html"})
            assert answer.status_code == 500
            assert "log is damaged; its players cannot go on" in html.unescape(answer.text)
            assert not [word for word in ("bid", "Legal", "secret", "seat 7") if word in answer.text]
        with eve.watching(table) as watching, pytest.raises(ConnectionClosed) as closed:
            watching.recv(timeout=PATIENCE)
        assert closed.value.rcvd.code == 4404
        assert eve.get("/").status_code == 200
        assert eve.view(sound)["table"]["status"] == "playing"


@pytest.mark.parametrize("path", ["/", "/tables.json", "/rules/robin", "/health", "/static/css/page.css", "/nowhere"])
def test_head_answers_as_get_does_without_the_body(serving, path):
    guest = serving.guest("Ann")
    got, head = guest.http.get(path), guest.http.head(path)
    assert head.status_code == got.status_code and head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    assert (path == "/") or head.headers["content-length"] == got.headers["content-length"]
    assert guest.get("/tables.json").status_code == 200, "the connection goes on"


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/tables/{table}/moves", "/tables/{table}"),
        ("/tables/{table}/lesson/on", "/tables/{table}"),
        ("/tables/{table}/seats/0", "/tables/{table}"),
        ("/play/robin", "/"),
        ("/quick", "/"),
        ("/me/link", "/me"),
        ("/sessions/end", "/me"),
    ],
)
def test_an_address_that_only_takes_posts_leads_to_the_page_that_it_belongs_to(serving, path, page):
    ann = serving.guest("Ann")
    table = ann.make("robin", "me", "open")
    answer = ann.http.get(path.format(table=table), headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers["location"]) == (303, page.format(table=table))
    shown = ann.http.get(page.format(table=table), headers={"accept": "text/html"}, follow_redirects=True)
    assert shown.status_code == 200 and (page != "/me" or "Your devices" in shown.text)
    assert ann.get(path.format(table=table)).status_code == 405, "a program learns that it must post"


def test_what_was_typed_is_kept_when_the_session_has_changed_meanwhile(serving):
    ann = serving.guest("Ann")
    old = ann.csrf
    assert ann.post("/sessions/end").status_code == 200
    typed = {"game": "robin", "seat.0": "me", "seat.1": "open", "option.cards": 'a <b> & "c"\nd', "private": "on"}
    refused = ann.http.post("/tables", data={"csrf": old, **typed}, headers={"accept": "text/html"})
    assert refused.status_code == 403 and "What you typed is kept" in refused.text
    whole = r'<form method="post" action="([^"]*)" enctype="multipart/form-data">'
    _, action, form = re.split(whole, refused.text.partition("<main")[2], maxsplit=1)
    assert html.unescape(action) == "/tables"
    kept = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form, re.DOTALL))
    assert {name: html.unescape(text) for name, text in kept.items() if name != "csrf"} == typed
    again = {name: html.unescape(text) for name, text in kept.items()} | {"option.cards": ""}
    parts = {name: (None, text) for name, text in again.items()}
    assert ann.http.post("/tables", files=parts, headers={"accept": "text/html"}).status_code in (201, 303)
    foreign = ann.http.post("/tables", data=again, headers={"accept": "text/html", "origin": "https://evil.example"})
    assert foreign.status_code == 403 and "another site" in foreign.text and "is kept" not in foreign.text


def test_a_long_record_is_kept_and_can_be_sent_again_when_the_session_has_changed_meanwhile(serving):
    """Most of its signs take three bytes where a form is not sent in parts."""
    ann = serving.guest("Ann")
    old, record = ann.csrf, '"\\' * 300_000
    assert ann.post("/sessions/end").status_code == 200
    typed = {"record": (None, record)}
    refused = ann.http.post("/games/import", files={"csrf": (None, old), **typed}, headers={"accept": "text/html"})
    assert refused.status_code == 403
    (kept,) = re.findall(r'name="record" value="([^"]*)"', refused.text)
    csrf = re.findall(r'name="csrf" value="([^"]*)"', refused.text)[-1]
    assert html.unescape(kept) == record
    again = ann.http.post("/games/import", files={"csrf": (None, csrf), **typed}, headers={"accept": "text/html"})
    assert again.status_code == 422 and "this is not JSON" in html.unescape(again.text).replace("This", "this")


def test_behind_https_cookies_are_for_https_alone(serving):
    plain = httpx.get(f"{serving.url}/", headers={"accept": "text/html"})
    assert "secure" not in plain.headers["set-cookie"].lower()
    behind = httpx.get(f"{serving.url}/", headers={"accept": "text/html", "x-forwarded-proto": "https"})
    assert behind.headers["set-cookie"].endswith("; Secure")


@pytest.mark.parametrize(
    ("path", "posted"),
    [
        ("/tables", {"game": "goofspiel", "seats": ["me", "open"], "invite": None, "name": None, "private": None}),
        ("/tables", {"game": "goofspiel", "seats": "02", "private": "off", "rated": ""}),
        ("/me/recovery", {"new": "on"}),
    ],
)
def test_fields_that_say_nothing_count_as_missing(serving, path, posted):
    ann = serving.guest("Ann")
    assert ann.post(path, **posted).status_code in (200, 201)


@pytest.mark.parametrize(
    ("posted", "words"),
    [
        ({"game": [], "seats": ["me", "open"]}, "game must be text"),
        ({"game": "goofspiel", "seats": "\u0663"}, "seats must be a whole number, or a list of who sits there"),
        ({"game": "goofspiel", "seats": ["me", 5]}, "there is no bot '5'"),
        ({"game": "goofspiel", "seats": ["me", "open"], "private": 1}, "private must be true or false"),
        ({"game": "goofspiel", "seats": ["me", "open"], "clock": {}}, "clock must be text"),
    ],
)
def test_a_wrong_field_of_a_new_table_is_named_with_what_it_takes(serving, posted, words):
    answer = serving.guest("Ann").post("/tables", **posted)
    assert answer.status_code in (400, 422) and words in answer.json()["error"]
