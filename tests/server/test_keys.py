"""Signing keys: a running server takes new ones over, and what older keys signed holds as long as they do."""

import re
import sqlite3
from contextlib import closing

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.exceptions import ConnectionClosed

from quintain.server.people import sessions
from quintain.server.people.players import COOKIE, Signer
from server.guests import PATIENCE, Serving, wait_until, written


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A server whose keys a test can rotate."""
    monkeypatch.setattr(sessions, "EVERY", 0.05)
    with Serving(tmp_path) as serving:
        yield serving


@pytest.fixture
def keys(quintain):
    """Return a function that runs `quintain keys` on the database of a server, and returns what it prints."""

    def run(serving, *arguments):
        ran = quintain("keys", *arguments, "--database", written(serving.site.config.database))
        assert ran.status == 0, ran.err
        return ran.out

    return run


def public(serving):
    return serving.guest().get("/keys").json()["keys"]


def link_on_page(guest, table):
    """Return the path of the link that moves a guest's seat to another device."""
    return re.search(r"&#x2f;seat&#x2f;([\w.-]+)", guest.get(f"/tables/{table}").text).expand(r"/seat/\1")


@pytest.fixture
def rotate(keys):
    """Return a function that rotates the keys, waits until the server has them, and returns what is printed."""

    def run(serving, *arguments):
        before = len(public(serving))
        printed = keys(serving, "rotate", *arguments)
        wait_until(lambda: len(public(serving)) > before)
        return printed

    return run


def test_cookies_forms_and_links_of_an_older_key_hold_and_a_new_key_signs(own, rotate):
    ann, bo = own.guest("Ann"), own.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    link = link_on_page(ann, table)
    cookie, old = ann.http.cookies[COOKIE], Signer(secrets(own, "cookies"))
    with ann.watching(table) as socket:
        socket.recv()
        assert "still hold" in rotate(own)
        assert rotate(own)
        assert own.guest().get(link).status_code == 200
        assert bo.post(f"/tables/{table}/resign").status_code == 200, "the token in the form is older than the key"
        while 'id="result"' not in socket.recv(timeout=PATIENCE):
            pass
    assert ann.view(table)["table"]["you"] == 0 and ann.http.cookies[COOKIE] == cookie
    cy = own.guest()
    player, session, _ = own.site.signer.session(cy.http.cookies[COOKIE])
    assert old.session(cookie) and old.session(cy.http.cookies[COOKIE]) is None
    assert own.site.signer.is_csrf(player, session, cy.csrf) and not old.is_csrf(player, session, cy.csrf)


def test_once_the_old_keys_are_forgotten_everybody_is_signed_out(own, rotate):
    ann, bo = own.guest("Ann"), own.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    link = link_on_page(ann, table)
    cookie = ann.http.cookies[COOKIE]
    player, *_ = own.site.signer.session(cookie)
    with ann.watching(table) as socket, ann.listening() as lobby:
        assert "everybody is signed out" in rotate(own, "--forget")
        assert closing_codes(socket, lobby) == {4401}
    assert ann.post(f"/tables/{table}/resign").status_code == 403
    assert ann.http.cookies[COOKIE] != cookie
    for lost in (cookie, Signer([""]).cookie(player)):
        ann.http.cookies.clear()
        ann.http.cookies.set(COOKIE, lost)
        assert ann.view(table)["table"]["you"] is None
    assert own.guest().get(link).status_code == 404
    cy = own.guest("Cy")
    assert cy.view(cy.make("kings-court", "me", "open"))["table"]["you"] == 0


def closing_codes(*sockets):
    """Read sockets until the server closes them, and return the codes."""
    codes = set()
    for socket in sockets:
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(timeout=PATIENCE)
        codes.add(socket.close_code)
    return codes


def secrets(serving, kind):
    """Return the secret halves of the keys of a kind that still hold, the oldest first."""
    with closing(sqlite3.connect(serving.site.config.database)) as connection:
        asked = "SELECT secret FROM keys WHERE kind = ? AND ended IS NULL ORDER BY number"
        return [secret for (secret,) in connection.execute(asked, (kind,))]


def test_the_public_keys_are_there_to_read_newest_first_with_their_times(own, rotate):
    (first,) = public(own)
    assert first["until"] is None
    secret = own.site.keys.record_key
    rotate(own)
    second, ended = public(own)
    assert ended["public"] == first["public"] and first["since"] < ended["until"] == second["since"]
    assert second["until"] is None
    assert [half(secret), half(own.site.keys.record_key)] == [first["public"], second["public"]]
    assert secret.hex().encode() not in database(own), "nobody can sign with the old key any more"


def half(secret):
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw().hex()


def database(serving):
    with closing(sqlite3.connect(serving.site.config.database)) as connection:
        return "\n".join(connection.iterdump()).encode()


def test_the_list_of_keys_has_their_public_halves_and_no_secrets(own, keys, rotate):
    rotate(own, "--forget")
    printed = keys(own, "list")
    kinds = [line.partition(",")[0] for line in printed.splitlines()]
    assert kinds == ["key 4 for records", "key 3 for cookies", "key 2 for records", "key 1 for cookies"]
    assert all(key["public"] in printed for key in public(own))
    assert ["to now" in line for line in printed.splitlines()] == [True, True, False, False]
    held = secrets(own, "cookies") + secrets(own, "records")
    assert len(held) == 2 and not [secret for secret in held if secret in printed]


def test_a_restart_keeps_the_keys(own, tmp_path):
    ann, before = own.guest("Ann"), public(own)
    cookie = ann.http.cookies[COOKIE]
    own.__exit__()
    with Serving(tmp_path) as again:
        assert public(again) == before
        assert again.site.sessions.of_cookie(cookie)
