"""Databases of older versions: their games go on, and what is over can still be read and verified."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintain.engine.errors import QuintainError
from quintain.engine.play.match import Match
from quintain.server.people.players import COOKIE
from quintain.server.store.backups import BadBackup, back_up, restore
from quintain.server.store.upgrades import prepare
from quintain.server.tables.renewals import check_tables
from server.guests import Serving

DUMP = Path(__file__).with_name("database.sql")
"""What a server wrote at the end of November 2026, the first of which a later version must read everything.

Ann and Bo play a game of King's Court; they have finished another one; Bo waits at a table of Robin, and Ann has begun
a lesson.
"""
PLAYED, OVER, WAITS = "ONhnDimmaW2f", "K8L8mAx_mGFx", "4CaRIZTtR0q3"
ANN, BO = "hxQ1QgyvaGHCQn4D", "wT2WKlZSUItJ2MYw"


@pytest.fixture
def old(tmp_path):
    """The path of that database."""
    path = tmp_path / "server.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DUMP.read_text(encoding="utf-8"))
    return path


def guest_of(serving, player):
    """Return a guest with a cookie of a player."""
    guest = serving.guest()
    guest.http.cookies.clear()
    guest.http.cookies.set(COOKIE, serving.site.signer.cookie(player))
    guest.csrf = guest.get("/tables.json").json()["csrf"]
    return guest


def set_form(path, form):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [form])


def test_games_of_an_older_database_go_on_from_where_they_were(old, tmp_path):
    with Serving(tmp_path) as serving:
        ann, bo = guest_of(serving, ANN), guest_of(serving, BO)
        assert {one["id"] for one in ann.get("/tables.json").json()["my_tables"]} > {PLAYED}
        before = ann.view(PLAYED)
        assert [seat["name"] for seat in before["table"]["seats"]] == ["Ann", "Bo"]
        mover = next(guest for guest in (ann, bo) if guest.view(PLAYED)["menu"])
        seen = mover.view(PLAYED)
        assert mover.move(PLAYED, seen["menu"][0]["action"], seen["table"]["decision"]).status_code == 200
        ann.sit(WAITS, 1)
        assert ann.view(WAITS)["table"]["status"] == "playing"


def test_a_finished_game_of_an_older_database_has_its_record_its_replay_and_its_talk(old, tmp_path):
    with Serving(tmp_path) as serving:
        ann = guest_of(serving, ANN)
        record = ann.get(f"/tables/{OVER}/record.json").json()
        assert Match.load(record).outcome is not None and record["names"] == ["Ann", "Bo"]
        assert ann.get(f"/tables/{OVER}/replay?step=1", headers={"accept": "text/html"}).status_code == 200
        assert [line["text"] for line in ann.view(OVER)["talk"]] == ["Well played"]
        assert ann.get("/games", headers={"accept": "text/html"}).text.count(OVER) > 0


def test_a_database_from_before_the_first_release_is_refused_and_stays_as_it_is(old, tmp_path):
    set_form(old, "0013")
    before = old.read_bytes()
    with pytest.raises(QuintainError, match="from before the first release"):
        prepare(old)
    with pytest.raises(BadBackup, match="from before the first release"):
        restore(old, tmp_path / "restored.sqlite")
    assert old.read_bytes() == before


def test_a_database_of_a_newer_version_is_refused_and_stays_as_it_is(old, tmp_path):
    set_form(old, "9999")
    with pytest.raises(QuintainError, match="newer version"):
        prepare(old)
    with pytest.raises(BadBackup, match="newer version"):
        back_up(old, tmp_path / "backup.sqlite")


def test_a_database_that_has_lost_the_key_for_cookies_is_called_damaged(old):
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("DELETE FROM keys WHERE kind = 'cookies'")
    with pytest.raises(QuintainError, match="the key that signs its players' cookies is lost"):
        prepare(old)


def test_the_log_says_in_a_sentence_that_the_database_was_made(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    prepare(tmp_path / "new.sqlite")
    prepare(tmp_path / "new.sqlite")
    assert [record.getMessage() for record in caplog.records] == ["the database was made"]


@pytest.mark.parametrize("form", ["0013", "0014"])
def test_the_check_before_an_upgrade_refuses_what_the_server_would_refuse(old, form):
    set_form(old, form)
    if form == "0014":
        assert len([*check_tables(old)]) == 4
        return
    with pytest.raises(QuintainError, match="from before the first release"):
        [*check_tables(old)]


def test_the_check_of_a_torn_file_says_so_in_a_sentence(old):
    old.write_bytes(old.read_bytes()[:40_000])
    with pytest.raises(QuintainError, match="this database cannot be read"):
        [*check_tables(old)]
