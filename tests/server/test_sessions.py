"""Sessions: a player signs out on all other devices at once, and ended, forged and old cookies are told apart."""

import re
import sqlite3
from contextlib import closing
from html import unescape

import httpx
import pytest
from itsdangerous import URLSafeSerializer
from websockets.exceptions import ConnectionClosed

from quintain.server.people import sessions
from quintain.server.people.players import COOKIE, Signer
from server.browsing import TABLE, Person
from server.guests import PATIENCE, Serving
from server.test_keys import link_on_page, secrets


def twin_of(serving, guest):
    """Return a guest with the same cookie as another one."""
    twin = serving.guest()
    twin.http.cookies.clear()
    twin.http.cookies.set(COOKIE, guest.http.cookies[COOKIE], domain="127.0.0.1")
    twin.csrf = guest.csrf
    return twin


def sign_out_elsewhere(guest):
    answer = guest.post("/sessions/end")
    assert answer.status_code == 200, answer.text
    guest.csrf = answer.json()["csrf"]


def is_closed_as_signed_out(socket):
    with pytest.raises(ConnectionClosed):
        while True:
            socket.recv(timeout=PATIENCE)
    return socket.close_code == 4401


@pytest.fixture
def played(serving):
    """Ann and Bo at a table of King's Court, and Ann's phone."""
    return play(serving)


def play(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    return ann, twin_of(serving, ann), table


def test_signing_out_everywhere_closes_the_sockets_of_all_others_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "EVERY", 10 * PATIENCE)
    with Serving(tmp_path) as serving:
        ann, phone, table = play(serving)
        bo = serving.guests[1]
        with phone.watching(table) as socket, phone.listening() as lobby, bo.watching(table) as other:
            sign_out_elsewhere(ann)
            assert is_closed_as_signed_out(socket) and is_closed_as_signed_out(lobby)
            assert bo.post(f"/tables/{table}/resign").status_code == 200
            while 'id="result"' not in other.recv(timeout=PATIENCE):
                pass


def test_a_socket_that_opens_while_its_session_ends_is_closed(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "EVERY", 10 * PATIENCE)
    with Serving(tmp_path) as serving:
        _, phone, table = play(serving)
        house, get = serving.site, serving.site.tables.get
        player, *_ = house.signer.session(phone.http.cookies[COOKIE])

        async def get_late(table_id):
            await house.sessions.end(player)
            return await get(table_id)

        monkeypatch.setattr(house.tables, "get", get_late)
        with phone.watching(table) as socket:
            assert is_closed_as_signed_out(socket)


def test_this_device_stays_signed_in(played):
    ann, _, table = played
    sign_out_elsewhere(ann)
    seen = ann.view(table)
    assert seen["table"]["you"] == 0
    assert ann.move(table, seen["menu"][0]["action"], seen["table"]["decision"]).status_code == 200
    with ann.watching(table) as socket:
        assert 'id="table-body"' in socket.recv()
    sign_out_elsewhere(ann)
    assert ann.view(table)["table"]["you"] == 0, "one can sign out more than once"


def test_a_cookie_of_an_ended_session_is_that_of_a_stranger(serving, played):
    ann, phone, table = played
    seen = phone.view(table)
    assert seen["table"]["you"] == 0 and seen["menu"]
    ended = phone.http.cookies[COOKIE]
    sign_out_elsewhere(ann)

    def as_ended():
        phone.http.cookies.clear()
        phone.http.cookies.set(COOKIE, ended, domain="127.0.0.1")
        return phone

    posts = {
        f"/tables/{table}/moves": {"action": seen["menu"][0]["action"], "decision": seen["table"]["decision"]},
        f"/tables/{table}/resign": {},
        "/name": {"name": "Mallory"},
        "/tables": {"game": "kings-court", "seats": ["me", "open"]},
        "/sessions/end": {},
    }
    for path, fields in posts.items():
        assert as_ended().post(path, **fields).status_code == 403, path
    hidden = as_ended().view(table)
    assert hidden["table"]["you"] is None and not hidden["menu"] and hidden["view"] != seen["view"]
    assert ended != phone.http.cookies[COOKIE], "the answer brings a new cookie"
    with as_ended().watching(table) as socket:
        assert 'name="action"' not in socket.recv()
    assert "Ann" not in as_ended().get("/name", headers={"accept": "text/html"}).text
    assert as_ended().get("/tables.json").json()["my_tables"] == []
    assert ann.view(table)["table"]["decision"] == seen["table"]["decision"], "nothing has been played"


def test_links_that_move_a_seat_are_void_once_their_session_has_ended(serving, played):
    ann, phone, table = played
    link = link_on_page(phone, table)
    assert serving.guest().get(link).status_code == 200
    sign_out_elsewhere(ann)
    stranger = serving.guest()
    for answer in (stranger.get(link), stranger.submit(link)):
        assert answer.status_code == 410 and "signed out" in answer.text
    link = link_on_page(ann, table)
    assert stranger.submit(link).status_code == 303
    assert stranger.view(table)["table"]["you"] == 0


def test_a_post_that_began_before_the_session_ended_is_refused(serving, played):
    ann, phone, table = played

    def slowly():
        yield b'{"csrf": "'
        sign_out_elsewhere(ann)
        yield phone.csrf.encode() + b'"}'

    cookie = {"cookie": f"{COOKIE}={phone.http.cookies[COOKIE]}", "content-type": "application/json"}
    answer = httpx.post(f"{serving.url}/tables/{table}/resign", content=slowly(), headers=cookie, timeout=PATIENCE)
    assert answer.status_code == 403
    assert ann.view(table)["table"]["status"] == "playing"


def test_forms_of_an_ended_session_are_too_old_for_the_new_cookie(played):
    ann, _, table = played
    old = ann.csrf
    sign_out_elsewhere(ann)
    assert ann.csrf != old
    ann.csrf = old
    assert ann.post(f"/tables/{table}/resign").status_code == 403


def signed(serving, value, salt="player"):
    """Return a value as the server signs it."""
    (key,) = secrets(serving, "cookies")
    return str(URLSafeSerializer(key, salt=salt).dumps(value))


def you_with(serving, cookie, table):
    answer = httpx.get(f"{serving.url}/tables/{table}.json", headers={"cookie": f"{COOKIE}={cookie}"}, timeout=PATIENCE)
    return answer.json()["table"]["you"]


def test_an_old_cookie_without_a_session_holds_until_the_player_signs_out(serving, played):
    ann, _, table = played
    player, *_ = serving.site.signer.session(ann.http.cookies[COOKIE])
    old, old_link = signed(serving, player), signed(serving, [table, 0, player, 0], "seat")
    assert you_with(serving, old, table) == 0
    assert serving.guest().get(f"/seat/{old_link}").status_code == 200
    sign_out_elsewhere(ann)
    assert you_with(serving, old, table) is None
    assert serving.guest().get(f"/seat/{old_link}").status_code == 410


def test_forged_cookies_are_those_of_strangers(serving, played):
    ann, _, table = played
    good = ann.http.cookies[COOKIE]
    player, *_ = serving.site.signer.session(good)
    payload, signature = good.rsplit(".", 1)
    forged = [
        Signer(["0" * 64]).cookie(player),
        f"{payload}.{signature[::-1]}",
        f"{signed(serving, [player, 7]).rsplit('.', 1)[0]}.{signature}",
        signed(serving, [player, 0], "seat"),
        *(signed(serving, value) for value in ([player], [player, "0"], [player, 0, 0], [0, 0], {player: 0}, None)),
        "",
        "." * 50,
    ]
    assert you_with(serving, good, table) == 0
    assert [you_with(serving, cookie, table) for cookie in forged] == [None] * len(forged)


def test_a_session_ends_that_another_process_has_ended_and_a_newer_one_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "EVERY", 0.05)
    with Serving(tmp_path) as serving:
        ann = serving.guest("Ann")
        table, player = ann.make("kings-court", "me", "open"), serving.site.signer.session(ann.http.cookies[COOKIE])[0]
        with ann.watching(table) as socket, closing(sqlite3.connect(tmp_path / "server.sqlite")) as connection:
            assert you_with(serving, signed(serving, [player, 1]), table) == 0, "we may hear of it later"
            with connection:
                connection.execute("UPDATE players SET session = 1")
            assert is_closed_as_signed_out(socket)
        assert ann.view(table)["table"]["you"] is None
        assert you_with(serving, signed(serving, [player, 1]), table) == 0


def test_ended_sessions_stay_ended_after_a_restart(tmp_path):
    with Serving(tmp_path) as serving:
        ann = serving.guest("Ann")
        table, ended = ann.make("kings-court", "me", "open"), ann.http.cookies[COOKIE]
        sign_out_elsewhere(ann)
        held = ann.http.cookies[COOKIE]
    with Serving(tmp_path) as serving:
        assert you_with(serving, ended, table) is None
        assert you_with(serving, held, table) == 0


def test_a_browser_without_script_signs_out_everywhere_else(serving, played):
    ann, phone, table = played
    lobby = unescape(ann.get("/", headers={"accept": "text/html"}).text)
    own = re.search(r'class="who" href="(/players/\d+)"', lobby)[1]
    asked = unescape(ann.get(own, headers={"accept": "text/html"}).text)
    assert 'action="/sessions/end"' in asked and "Sign out everywhere else" in asked
    answer = ann.submit("/sessions/end")
    assert answer.status_code == 200 and "You are signed out everywhere but here." in answer.text
    assert ann.view(table)["table"]["you"] == 0 and phone.view(table)["table"]["you"] is None


def test_who_has_no_name_has_no_session_to_end(serving):
    guest = serving.guest()
    assert "/sessions/end" not in guest.get("/name", headers={"accept": "text/html"}).text
    assert guest.post("/sessions/end").status_code == 409


def test_in_browsers_the_pages_of_other_devices_become_those_of_strangers(serving, browser):
    ann, phone = Person(browser, serving.url), Person(browser, serving.url)
    try:
        invite = ann.make_table("kings-court", "Ann")
        serving.guest("Bo").sit(invite.rsplit("/", 1)[1], 1)
        phone.context.add_cookies(ann.context.cookies())
        tabs = [ann.page, phone.page]
        phone.page.goto(invite)
        lobby = phone.new_tab()
        lobby.goto(serving.url)
        for page in tabs:
            page.locator(f"{TABLE} [name=action]").first.wait_for(state="attached")
            page.evaluate("document.body.dataset.old = 'yes'")
        name = ann.new_tab()
        name.goto(serving.url)
        name.locator("a.who").click()
        name.get_by_role("button", name="Sign out everywhere else").click()
        name.get_by_role("status").wait_for()
        lobby.locator("a.who").wait_for(state="detached")
        for page in tabs:
            page.locator("body:not([data-old])").wait_for()
        phone.page.locator(TABLE).wait_for()
        assert not phone.page.locator("[name=action]").count()
        ann.page.locator(f"{TABLE} [name=action]").first.wait_for(state="attached")
        assert not [words for words in ann.complaints + phone.complaints if "4401" not in words]
    finally:
        ann.context.close()
        phone.context.close()
