"""Players without passwords: devices, links, recovery codes, and leaving for good."""

import random
import re
import sqlite3
from contextlib import closing
from html import unescape

import pytest

from quintain.server.people import identities, sessions
from quintain.server.people.identities import LETTERS, kind_of, new_code, words_of
from quintain.server.people.players import COOKIE
from quintain.server.store import devices
from server.guests import PATIENCE, Serving

HTML = {"accept": "text/html"}
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605 Version/18.5 Mobile/15E148 Safari/604.1"


@pytest.fixture
def serving(tmp_path):
    with Serving(tmp_path) as there:
        yield there


def html(guest, path, status=200):
    answer = guest.get(path, headers=HTML)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def link_of(guest):
    """Return the path of a link that signs one more device in."""
    answer = guest.submit("/me/link")
    assert answer.status_code == 200 and "<svg" in answer.text
    return re.search(r"/join/[A-Za-z0-9_-]+", unescape(answer.text))[0]


def code_of(guest, **fields):
    """Return the recovery code that a player is shown."""
    answer = guest.submit("/me/recovery", **fields)
    assert answer.status_code == 200
    return " ".join(re.findall(rf"<span>([{LETTERS}]{{4}})</span>", answer.text))


def come_in(serving, path, agent=PHONE, **fields):
    """Return a new browser that is signed in as somebody by a post to a path."""
    other = serving.guest()
    other.http.headers["user-agent"] = agent
    answer = other.submit(path, **fields)
    assert answer.status_code == 303, answer.text
    other.csrf = other.get("/tables.json").json()["csrf"]
    return other


def test_a_link_signs_one_more_device_in_once_with_the_same_seats(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    path = link_of(ann)
    assert "Be Ann on this device too?" in html(serving.guest(), path)
    phone = come_in(serving, path)
    assert phone.view(table)["table"]["you"] == 0 == ann.view(table)["table"]["you"]
    late = serving.guest()
    assert late.get(path, headers=HTML).status_code == 410 == late.submit(path).status_code
    assert late.view(table)["table"]["you"] is None
    shown = html(ann, "/players/1")
    assert "This computer" in shown and "Safari on iPhone" in shown and "Telephone" in shown


def test_a_link_holds_ten_minutes(serving, monkeypatch):
    ann = serving.guest("Ann")
    path, now = link_of(ann), identities.now()
    for module in (identities, devices):
        monkeypatch.setattr(module, "now", lambda: now + identities.LINK_SECONDS + 1)
    assert serving.guest().submit(path).status_code == 410
    assert "older than ten minutes" in html(serving.guest(), path, 410)


def test_a_device_that_is_signed_out_is_at_once_a_stranger_also_on_its_sockets(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "EVERY", 10 * PATIENCE)
    with Serving(tmp_path) as serving:
        sign_one_of_three_out(serving)


def sign_one_of_three_out(serving):
    """Sign out one of Ann's three devices: the others stay signed in, and nobody else can do it."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    phone, tablet = come_in(serving, link_of(ann)), come_in(serving, link_of(ann))
    html(phone, "/players/1")
    ids = re.findall(r"/me/devices/([A-Za-z0-9_.-]+)/end", html(ann, "/players/1"))
    assert len(ids) == 2
    mine = serving.site.sessions.of_cookie(phone.http.cookies[COOKIE]).device
    with phone.watching(table) as socket:
        socket.recv()
        assert ann.submit(f"/me/devices/{mine}/end").status_code == 200
        with pytest.raises(Exception, match="4401"):
            while True:
                socket.recv(timeout=10)
    assert [guest.view(table)["table"]["you"] for guest in (phone, tablet, ann)] == [None, 0, 0]
    assert bo.submit(f"/me/devices/{ids[0]}/end").status_code == 404
    serving.site.sessions._ended.clear()
    assert phone.view(table)["table"]["you"] is None, "the cookie of the stranger has taken the old one's place"


def test_who_signs_out_everywhere_else_keeps_one_device_in_the_list(serving):
    ann = serving.guest("Ann")
    phone = come_in(serving, link_of(ann))
    assert html(ann, "/players/1").count("<h3>") == 2
    answer = unescape(ann.submit("/sessions/end").text)
    assert answer.count("<h3>") == 1 and "This computer" in answer
    assert "only you see this" not in html(phone, "/players/1")


def test_a_recovery_code_brings_a_player_back_in_any_case_and_with_any_gaps(serving):
    ann = serving.guest("Ann")
    assert "last shown" not in html(ann, "/players/1")
    code = code_of(ann)
    assert code == code_of(ann) and len(code) == 19
    assert code not in html(ann, "/players/1") and "last shown" in html(ann, "/players/1")
    for typed in (code, code.lower().replace(" ", ""), f" {code.replace(' ', '-')} "):
        again = come_in(serving, "/recover", code=typed)
        assert "only you see this" in html(again, "/players/1")
    newer = code_of(ann, new="yes")
    assert newer != code
    assert serving.guest().submit("/recover", code=code).status_code == 403
    assert come_in(serving, "/recover", code=newer)


@pytest.mark.parametrize("code", ["", "x", "ABCD EFGH 2345 6789", "A" * 17, "%' OR 1=1", "\u00e9" * 16])
def test_a_wrong_code_says_what_a_code_looks_like(serving, code):
    code_of(serving.guest("Ann"))
    answer = serving.guest().submit("/recover", code=code)
    assert answer.status_code == 403 and "16 letters and digits, in 4 groups of 4" in answer.text


def test_nobody_can_try_many_codes(serving):
    statuses = [serving.guest().submit("/recover", code=new_code()).status_code for _ in range(14)]
    assert statuses[:5] == [403] * 5 and statuses[-1] == 429


def test_who_is_deleted_loses_name_and_devices_and_gives_up_and_the_games_stay(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    code, path = code_of(ann), link_of(ann)
    running, waiting = ann.make("kings-court", "me", "open"), ann.make("kings-court", "me", "open")
    bo.sit(running, 1)
    phone = come_in(serving, link_of(ann))
    assert "Type your name, Ann," in html(ann, "/me/forget")
    wrong = ann.submit("/me/forget", name="Anne")
    assert wrong.status_code == 422 and "type your name as it is: Ann" in unescape(wrong.text)
    answer = ann.submit("/me/forget", name="Ann")
    assert answer.status_code == 200 and "Farewell" in answer.text
    seen = bo.view(running)
    assert seen["result"] and [seat["name"] for seat in seen["table"]["seats"]] == ["Player 1", "Bo"]
    assert bo.view(waiting)["table"]["seats"][0]["kind"] == "empty"
    for gone in (ann, phone):
        assert gone.view(running)["table"]["you"] is None
    assert serving.guest().submit("/recover", code=code).status_code == 403
    assert serving.guest().submit(path).status_code == 410
    assert "Player 1" in html(bo, "/players/1") and "has left" in html(bo, "/players/1")
    with closing(sqlite3.connect(serving.site.config.database)) as database:
        texts = " ".join(
            str(row)
            for table in ("players", "devices", "entries")
            for row in database.execute(f"SELECT * FROM {table}")
        )
    assert "Ann" not in texts and code.replace(" ", "") not in texts
    ann.csrf = ann.get("/tables.json").json()["csrf"]
    assert ann.post("/name", name="Ann").status_code == 200
    assert "only you see this" in html(ann, "/players/3")


def test_who_signs_devices_out_voids_the_links_that_add_one(serving):
    ann = serving.guest("Ann")
    for way in ("/sessions/end", "device"):
        thief = come_in(serving, link_of(ann))
        path = link_of(thief)
        device = serving.site.sessions.of_cookie(thief.http.cookies[COOKIE]).device
        assert ann.submit(way if way != "device" else f"/me/devices/{device}/end").status_code == 200
        ann.csrf = ann.get("/tables.json").json()["csrf"]
        assert serving.guest().submit(path).status_code == 410


def test_a_replay_and_a_page_that_were_open_before_name_nobody_who_has_gone(serving, goofspiel):
    ann, bo = serving.guest("Xenia"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    for _ in range(6):
        for guest in (ann, bo):
            guest.move_at_random(table, random.Random(1))
    assert bo.post(f"/tables/{table}/resign").status_code == 200
    paths = (f"/tables/{table}", f"/tables/{table}/replay", f"/tables/{table}/replay?step=9")
    assert all("Xenia" in html(bo, path) for path in paths)
    assert ann.submit("/me/forget", name="Xenia").status_code == 200
    assert not any("Xenia" in html(bo, path) for path in paths)
    assert "Xenia" not in bo.get(f"/tables/{table}.json").text


def test_strangers_see_none_of_it_and_can_do_none_of_it(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    html(ann, "/players/1")
    shown = html(bo, "/players/1")
    assert "only you see this" not in shown and "/me/" not in shown
    for path in ("/me/link", "/me/recovery", "/me/forget", "/me/devices/x/end"):
        assert serving.guest().submit(path).status_code == 409
        assert ann.http.post(path, data={"csrf": bo.csrf}, headers=HTML).status_code == 403


def test_a_cookie_from_before_devices_gets_one_on_its_own_page(serving):
    ann = serving.guest("Ann")
    player, session, _ = serving.site.sessions.of_cookie(ann.http.cookies[COOKIE])
    old = serving.site.signer._cookies.dumps([player, session])
    ann.http.cookies.clear()
    ann.http.cookies.set(COOKIE, old)
    assert "This computer" in html(ann, "/players/1")
    ann.http.cookies.delete(COOKIE, domain="")
    assert serving.site.sessions.of_cookie(ann.http.cookies[COOKIE]).device


@pytest.mark.parametrize(
    ("agent", "kind", "words"),
    [
        (PHONE, "Telephone", "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/140.0 Safari/537.36 Edg/140.0", "Computer", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36", "Telephone", "Chrome on Android"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Safari/537.36", "Tablet", "Chrome on Android"),
        ("curl/8", "Computer", "A browser"),
        ("", "Computer", "A browser"),
    ],
)
def test_a_device_is_named_by_what_its_browser_says(agent, kind, words):
    assert (kind_of(agent), words_of(agent)) == (kind, words)


def test_signing_out_everywhere_else_ends_the_recovery_code(serving):
    ann = serving.guest("Ann")
    stolen = code_of(ann)
    answer = ann.post("/sessions/end")
    assert answer.status_code == 200
    ann.csrf = answer.json()["csrf"]
    assert serving.guest().submit("/recover", code=stolen).status_code == 403
    assert code_of(ann) != stolen and come_in(serving, "/recover", code=code_of(ann))
