"""A table is the fold of its log: what the lists show follows from the log, whatever has happened."""

import asyncio
import hashlib
import json
import random
import sqlite3
from contextlib import closing

import pytest

from quintain.engine.errors import BadRecord
from quintain.server.model import entries as kinds
from quintain.server.model.entries import LogEntry, Made, Sitter, decoded, encoded, fold, log_from
from quintain.server.store.store import Store
from quintain.server.tables.memory import players_in
from server.guests import Serving, is_over, wait_until

LISTED = (
    'SELECT * FROM "tables" ORDER BY id',
    'SELECT * FROM seats ORDER BY "table", seat',
    'SELECT * FROM played ORDER BY "table", seat',
)


def lists(path):
    with closing(sqlite3.connect(path)) as database:
        return [database.execute(asked).fetchall() for asked in LISTED]


def test_the_lists_can_be_made_anew_from_the_logs_after_all_that_can_happen(quintain, tmp_path, goofspiel):
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        ann, bo, cy = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Cy")
        everything(serving, ann, bo, cy)
        seen = ann.get("/tables.json").json()["my_tables"]
        path = serving.site.config.database
        before = lists(path)
        with closing(sqlite3.connect(path)) as database, database:
            told = {kind for (kind,) in database.execute("SELECT DISTINCT kind FROM entries")}
            database.execute("DELETE FROM seats WHERE seat = 1")
            database.execute("DELETE FROM played WHERE seat = 1")
            database.execute("UPDATE tables SET status = 'over', rematch = 'nowhere'")
        done = quintain("tables", "rebuild", "--database", path)
        assert (done.status, done.err) == (0, "")
        assert done.out == f"The lists of {len(before[0])} tables follow from their logs again.\n"
        for now, then in zip(lists(path), before, strict=True):
            assert now == then
        assert ann.get("/tables.json").json()["my_tables"] == seen
    silent = {kinds.HINTED, kinds.NOTED, kinds.STAND_IN, kinds.RETURNED, kinds.RULES, kinds.STOPPED, kinds.ADJOURNED}
    every = {value for name, value in vars(kinds).items() if name.isupper() and isinstance(value, str)}
    assert every - {"waiting", "playing", "yes", "no"} - silent == told - silent


def everything(serving, ann, bo, cy):
    """Let everything happen that a table's log tells, but for what bots do."""
    chance = random.Random(3)
    over, waiting = (ann.make("goofspiel", "me", "open", options={"cards": 3}) for _ in range(2))
    bo.sit(over, 1)
    wait_until(lambda: [one.move_at_random(over, chance) for one in (ann, bo)] and is_over(ann.view(over)))
    assert [one.post(f"/tables/{over}/rematch", agrees="yes").status_code for one in (ann, bo)] == [200, 200]
    assert cy.post(f"/tables/{waiting}/seats/1").status_code == 200
    mixed, number = ann.make("goofspiel", "me", "open"), "5a" * 32
    committed = hashlib.sha256(bytes.fromhex(number)).hexdigest()
    assert ann.post(f"/tables/{mixed}/commitment", commitment=committed).status_code == 200
    bo.post(f"/tables/{mixed}/seats/1", commitment=committed)
    assert [one.post(f"/tables/{mixed}/reveal", revealed=number).status_code for one in (ann, bo)] == [200, 200]
    three = ann.make("goofspiel", "me", "open", "open")
    bo.sit(three, 1)
    assert bo.post(f"/tables/{three}/leave").status_code == 200
    court = ann.make("kings-court", "me", "open")
    bo.sit(court, 1)
    for _ in range(3):
        ann.move_at_random(court, chance)
    assert ann.post(f"/tables/{court}/undo", decision=ann.view(court)["table"]["decision"]).status_code == 200
    assert ann.post(f"/tables/{court}/speed", speed="fast").status_code == 200
    assert ann.post(f"/tables/{court}/passing", passing="yes").status_code == 200
    link = serving.site.signer.seat_token(court, 1, serving.table(court).seats[1].player, 0)
    assert cy.post(f"/seat/{link}").status_code == 303
    assert ann.post(f"/tables/{court}/resign").status_code == 200
    rated = ann.make("goofspiel", "me", "open", options={"cards": 3}, rated=True)
    bo.sit(rated, 1)
    wait_until(lambda: [one.move_at_random(rated, chance) for one in (ann, bo)] and is_over(ann.view(rated)))
    short = {"ante": True, "victories": 1, "dealt": True}
    owned = ann.make("robin", "me", "open", options=short, owned=True)
    bo.sit(owned, 1)
    wait_until(lambda: [one.move_at_random(owned, chance) for one in (ann, bo)] and is_over(ann.view(owned)))
    bots = ann.make("heirless", "me", "random", "random")
    assert ann.post(f"/tables/{bots}/resign").status_code == 200
    ann.post(f"/tables/{bots}/skip")
    wait_until(lambda: is_over(ann.view(bots)))
    learned = bo.post("/learn/kings-court").json()
    bo.post(f"/tables/{learned['table']['id']}/lesson/on", step=0)


def made(seats=2):
    return encoded(Made("kings-court", 1, {}, "00" * 32, "none", "usual", False, [Sitter(player=1)] * seats))


@pytest.mark.both_stores(always=True)
def test_entries_that_belong_together_are_written_together_or_not_at_all(database):
    async def write():
        async with Store.open(database) as store:
            await store.name_player("ann", "Ann")
            first = log_from("t", [(-1, kinds.MADE, made()), (-1, kinds.BEGUN, "")], 1.0)
            assert await store.add(first, [fold(first)])
            assert await store.add([LogEntry("t", 3, 0, kinds.MOVED, "x", 2.0)])
            late = log_from("t", [(0, kinds.MOVED, "y"), (-1, kinds.SPEED, "fast")], 3.0, first=2)
            changed = fold([*first, late[1]._replace(seq=3)])
            other = log_from("u", [(-1, kinds.MADE, made())], 3.0)
            assert not await store.add([*other, *late], [fold(other), changed])
            row, _ = await store.table("t")
            return [entry.text for entry in await store.entries("t")][2:], row.speed, await store.table("u")

    assert asyncio.run(write()) == (["x"], "usual", None)


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_log_in_which_entries_are_missing_is_no_table(gone):
    log = log_from("t", [(-1, kinds.MADE, made()), (-1, kinds.BEGUN, ""), (-1, kinds.SPEED, "fast")], 1.0)
    assert fold(log).row.speed == "fast"
    del log[gone]
    if gone == 2:
        log.append(log[-1])
    with pytest.raises(BadRecord, match="missing"):
        fold(log)


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"player": "Ann"})])
def test_an_entry_that_cannot_be_read_is_named(text):
    with pytest.raises(BadRecord, match="entry 7 of this log cannot be read"):
        decoded(LogEntry("t", 7, 0, kinds.SAT, text, 0.0), Sitter)


def test_the_players_of_a_log_are_all_who_ever_had_a_seat():
    acts = [(-1, kinds.MADE, made(1)), (1, kinds.SAT, encoded(Sitter(player=7))), (1, kinds.LEFT, "")]
    acts += [(1, kinds.SAT, encoded(Sitter(bot="page"))), (0, kinds.SEAT_MOVED, "9")]
    assert players_in(log_from("t", acts, 0.0)) == {1, 7, 9}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET text = '{' WHERE \"table\" = ?",
        "INSERT INTO entries SELECT \"table\", 2, -1, 'over', '{}', 1.0 FROM entries WHERE \"table\" = ?",
    ],
    ids=["no JSON", "no record"],
)
def test_the_command_names_the_damaged_log_and_changes_nothing(quintain, tmp_path, damage):
    with Serving(tmp_path) as serving:
        ann = serving.guest("Ann")
        tables = [ann.make("kings-court", "me", "open") for _ in range(3)]
        path = serving.site.config.database
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(damage, (tables[1],))
    before = lists(path)
    done = quintain("tables", "rebuild", "--database", path)
    assert done.status == 2 and done.out == ""
    assert f"the log of table {tables[1]} is damaged, so nothing was changed" in done.err
    assert "Traceback" not in done.err and lists(path) == before
