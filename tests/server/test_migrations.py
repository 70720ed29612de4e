"""Databases of older versions: their games go on, and what is over can still be read and verified."""

import json
import logging
import random
import sqlite3
from contextlib import closing

import pytest
from alembic import command
from alembic.config import Config
from itsdangerous import URLSafeSerializer
from sqlalchemy import create_engine

from quintain.engine.errors import QuintainError
from quintain.engine.play.match import Match
from quintain.server.people.players import COOKIE
from quintain.server.store.upgrades import MIGRATIONS, prepare
from server.guests import Serving, unsigned

SEED = "ab" * 32
ADD = {
    "house": "INSERT INTO house (id, key) VALUES (?, ?)",
    "players": "INSERT INTO players (id, name, made) VALUES (?, ?, ?)",
    "tables": "INSERT INTO tables (id, game, version, options, seed, clock, speed, private, status, made, begun, "
    "rematch, record, lesson) VALUES (?, ?, ?, ?, ?, 'none', 'usual', 0, ?, ?, ?, ?, ?, ?)",
    "seats": 'INSERT INTO seats ("table", seat, name, bot, player, stand_in, moved) VALUES (?, ?, ?, ?, ?, ?, ?)',
    "entries": 'INSERT INTO entries ("table", seq, seat, kind, text, at) VALUES (?, ?, ?, ?, ?, ?)',
}
NAMES = ("Ann", "Bo")


@pytest.fixture
def old(tmp_path):
    """A database as version 0004 made it, with a function that writes its rows, and its path."""
    path = tmp_path / "server.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
    engine.dispose()

    def add(rows, *values):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(ADD[rows], values)

    add("house", 1, "0f" * 32)
    add("players", "ann", "Ann", 10.0)
    add("players", "bo", "Bo", 5.0)
    return path, add


def table(add, id_, match, status, names=NAMES, moved=(0, 0), stand_in=0, rematch=None, lesson=None, texts=None):
    """Write a table with the moves of a match, in the words that `texts` gives them."""
    begun = None if status == "waiting" else 101.0
    record = json.dumps(match.record()) if status == "over" else None
    row = id_, match.game.id, match.game.version, json.dumps(match.options), match._seed.hex()
    add("tables", *row, status, 100.0, begun, rematch, record, lesson)
    for seat, name in enumerate(names):
        add("seats", id_, seat, name, None, name and name.split()[0].lower(), stand_in == seat + 1, moved[seat])
    for seq, entry in enumerate([one for one in match.moves_made if not one.auto], 1):
        add("entries", id_, seq, entry.seat, entry.kind, (texts or str)(entry.text), 200.0 + seq)


def played(game, moves, names=NAMES, kinds=()):
    """Return a match with some random moves; `kinds` are done after them."""
    match, chance = Match.new(game, len(names), names, None, SEED), random.Random(1)
    while not match.outcome and len(match.moves_made) < moves:
        seat = min(match.to_act)
        match.play(seat, chance.choice(match.moves(seat)).action)
    for do in kinds:
        do(match)
    return match


def guest_of(serving, player, cookie=None):
    """Return a guest with a cookie of a player, one of today if none is given."""
    guest = serving.guest()
    guest.http.cookies.clear()
    guest.http.cookies.set(COOKIE, cookie or serving.site.signer.cookie(player))
    guest.csrf = guest.get("/tables.json").json()["csrf"]
    return guest


def test_games_of_an_old_database_go_on_from_where_they_were(old, tmp_path):
    path, add = old
    match = played("kings-court", 20)
    stood_in = played("kings-court", 12, kinds=[lambda match: match.hand_over(1, "Squire")])
    table(add, "moves", match, "playing", moved=(0, 2))
    table(add, "stands", stood_in, "playing", stand_in=2)
    table(add, "waits", Match.new("kings-court", 2), "waiting", names=("Ann", None))
    with Serving(tmp_path) as serving:
        ann, bo = guest_of(serving, "ann"), guest_of(serving, "bo")
        assert sorted(one["id"] for one in ann.get("/tables.json").json()["my_tables"]) == ["moves", "stands", "waits"]
        for guest in (ann, bo):
            seen = guest.view("moves")
            assert seen["table"]["status"] == "playing" and [seat["name"] for seat in seen["table"]["seats"]] == [
                *NAMES
            ]
        there = serving.table("moves")
        assert there.match.position() == match.position() and there.seats[1].moved == 2
        assert ann.view("stands")["table"]["seats"][1]["stand_in"] == "Squire"
        bo.sit("stands", 1)
        assert bo.view("stands")["table"]["seats"][1]["stand_in"] is None
        bo.sit("waits", 1)
        assert ann.view("waits")["table"]["status"] == "playing"
        chance = random.Random(2)
        assert any(guest.move_at_random("moves", chance) for guest in (ann, bo))
    assert no_names_in(path)


def no_names_in(path):
    with closing(sqlite3.connect(path)) as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM entries")]
    return not [text for text in texts if "Ann" in text or "Bo " in text or '"Bo"' in text]


def test_a_finished_game_of_an_old_database_has_its_record_its_replay_and_its_rematch(old, tmp_path):
    path, add = old
    match = played("goofspiel", 2)
    match.resign(0)
    table(add, "over", match, "over", rematch="again")
    table(add, "again", played("goofspiel", 1), "playing")
    with Serving(tmp_path) as serving:
        ann = guest_of(serving, "ann")
        record = ann.get("/tables/over/record.json").json()
        assert unsigned(record) == unsigned(match.record()) == unsigned(Match.load(record).record())
        assert "Bo wins" in serving.guest().get("/tables/over", headers={"accept": "text/html"}).text
        assert ann.get("/tables/over/replay?step=1", headers={"accept": "text/html"}).status_code == 200
        assert serving.table("over").row.rematch == "again"
        assert ann.post("/name", name="Zenobia").status_code == 200
        renamed = ann.get("/tables/over/record.json").json()
        assert renamed["names"] == ["Zenobia", "Bo"] and unsigned(Match.load(renamed).record()) == unsigned(renamed)
    assert no_names_in(path)


def test_cookies_and_links_of_an_old_database_hold(old, tmp_path):
    path, add = old
    table(add, "court", played("kings-court", 3), "playing")
    sign = {salt: URLSafeSerializer("0f" * 32, salt=salt).dumps for salt in ("player", "seat")}
    with Serving(tmp_path) as serving:
        ann = guest_of(serving, "ann", sign["player"]("ann"))
        assert ann.view("court")["table"]["you"] == 0
        assert ann.post("/tables/court/resign").status_code == 200
        assert ann.get(f"/seat/{sign['seat'](['court', 1, 'bo', 0])}").status_code == 200
        assert len(ann.get("/keys").json()["keys"]) == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT kind, ended FROM keys ORDER BY number").fetchall() == [
            ("cookies", None),
            ("records", None),
        ]
        assert connection.execute("SELECT id, generation FROM house").fetchall() == [(1, 0)]


def test_an_old_database_that_has_lost_its_key_is_called_damaged(old):
    path, _ = old
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM house")
    with pytest.raises(QuintainError, match="the key that signs its players' cookies is lost"):
        prepare(path)


def test_names_in_the_moves_of_an_old_log_become_seats(old, tmp_path):
    path, add = old
    match = played("heirless", 40)
    named = [entry for entry in match.moves_made if "seat " in entry.text]
    assert named, "no move of this game names a player"
    table(add, "names", match, "playing", texts=lambda text: text.replace("seat 0", "Ann").replace("seat 1", "Bo"))
    prepare(path)
    with closing(sqlite3.connect(path)) as connection:
        asked = "SELECT text FROM entries WHERE kind = 'moved' ORDER BY seq"
        assert [text for (text,) in connection.execute(asked)] == [entry.text for entry in match.moves_made]
    assert no_names_in(path)
    with Serving(tmp_path) as serving:
        ann = guest_of(serving, "ann")
        assert ann.view("names")["table"]["status"] == "playing"
        assert serving.table("names").match.position() == match.position()


def test_an_old_log_that_cannot_be_played_again_stays_as_it_is_and_the_other_tables_are_there(old, tmp_path):
    path, add = old
    table(add, "sound", played("kings-court", 3), "playing")
    table(add, "broken", played("heirless", 6), "playing", texts=lambda _: "the words of Ann")
    with Serving(tmp_path) as serving:
        ann = guest_of(serving, "ann")
        assert ann.view("sound")["table"]["status"] == "playing"
        assert ann.get("/tables/broken.json").status_code == 500
    with closing(sqlite3.connect(path)) as connection:
        told = connection.execute("SELECT text FROM entries WHERE kind = 'moved' AND \"table\" = 'broken'").fetchall()
    assert set(told) == {("the words of Ann",)}


def test_a_lesson_and_a_table_from_before_lessons_are_what_they_were(old, tmp_path):
    _, add = old
    table(add, "plain", played("kings-court", 3), "playing")
    table(add, "learns", Match.new("kings-court", 2, NAMES, None, SEED), "playing", lesson=2)
    with Serving(tmp_path) as serving:
        guest_of(serving, "ann").get("/tables/plain.json")
        assert serving.table("plain").row.lesson is None
        with closing(sqlite3.connect(serving.site.config.database)) as connection:
            assert connection.execute("SELECT lesson FROM tables WHERE id = 'learns'").fetchone() == (2,)


def test_the_log_says_in_sentences_that_the_database_was_made_or_brought_up_to_date(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    prepare(tmp_path / "new.sqlite")
    prepare(tmp_path / "new.sqlite")
    with closing(sqlite3.connect(tmp_path / "new.sqlite")) as connection, connection:
        connection.execute("DROP INDEX ix_tables_status")
        connection.execute("CREATE INDEX ix_tables_status ON tables (status)")
        connection.execute("ALTER TABLE players DROP COLUMN muted_at")
        connection.execute("UPDATE alembic_version SET version_num = '0013'")
    prepare(tmp_path / "new.sqlite")
    assert [record.getMessage() for record in caplog.records] == [
        "the database was made",
        "the database was brought up to date",
    ]
    assert caplog.records[-1].before == "0013"
