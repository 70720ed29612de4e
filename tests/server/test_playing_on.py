"""Playing on from a step of a finished game: the position, who sits there, the record, and what is refused."""

import json
import random
import sqlite3
import subprocess
from contextlib import closing

import pytest

import quintain
from quintain.server.limits import Rate
from quintain.server.refused import Refused
from quintain.server.tables.playing_on import beginning, why_not
from quintain.server.tables.table import Table
from server.guests import PROGRAM, Serving, is_over, wait_until
from server.logged import log_of, persons
from server.test_replays import finished, played

GAMES = ["goofspiel", *(found.id for found in quintain.all_games() if found.folder)]


def begun(match, entries, names):
    """Return the match of a table whose log begins with these entries, under other names."""
    return Table.read(log_of(match, entries), persons(names)).playing()


@pytest.mark.parametrize("game", GAMES)
def test_the_entries_up_to_a_step_lead_to_its_position_under_any_names(game):
    match = played(game)
    names = ["Zoe", *("Squire" if not seat else f"Squire {seat + 1}" for seat in range(match.seats - 1))]
    steps = [step for step in range(len(match.moves_made)) if not why_not(match, step)]
    wanted = set(steps[:: max(1, len(steps) // 6)])
    for step, (_, again) in enumerate(match.steps()):
        if step in wanted:
            made = begun(match, beginning(match, step), names)
            assert made.position() == again.position()
            assert [made.moves(seat) and len(made.moves(seat)) for seat in range(made.seats)] == [
                again.moves(seat) and len(again.moves(seat)) for seat in range(made.seats)
            ]
            assert not any(name in line for line in made.log() for name in match.names)
    assert game == "goofspiel" or any(entry.kind == "undo" for entry in match.moves_made[: steps[-1]])


def test_a_bot_that_stood_in_is_left_out_of_the_new_log():
    match = quintain.Match.new("kings-court", names=["Ann", "Bo"], seed=bytes(32))
    chance = random.Random(1)
    match.hand_over(0, "Squire")
    for _ in range(20):
        seat = min(match.to_act)
        match.play(seat, chance.choice(match.moves(seat)).action)
    match.hand_over(0)
    match.resign(1)
    entries = beginning(match, 22)
    assert len(entries) == 20 and {entry.kind for entry in entries} == {"move"}
    assert not any("a bot" in line for line in begun(match, entries, ["Zoe", "Page"]).log())


def test_no_step_after_a_resignation_can_be_played_on_from():
    match = played("heirless")
    resigned = next(number for number, entry in enumerate(match.moves_made, 1) if entry.kind == "resign")
    assert beginning(match, resigned - 1)
    with pytest.raises(Refused, match=f"Player 1 has resigned here: step back to step {resigned - 1} or before"):
        beginning(match, resigned + 3)


def play_on(guest, table, **more):
    return guest.post(f"/tables/{table}/play-on", **{"step": 2, "seat": 1, "level": "greedy", **more})


def test_a_visitor_plays_on_to_a_record_that_verifies(serving, goofspiel, tmp_path):
    table, eve = finished(serving), serving.guest("Eve")
    made = play_on(eve, table)
    assert made.status_code == 201
    id_ = made.json()["table"]["id"]
    seen, source = eve.view(id_), eve.get(f"/tables/{table}/record.json").json()
    assert [(seat["name"], seat["kind"], seat["you"]) for seat in seen["table"]["seats"]] == [
        ("Greedy", "bot", False),
        ("Eve", "person", True),
    ]
    assert not any("Ann" in line["words"] or "Bo" in line["words"] for line in seen["log"])
    assert id_ not in serving.guest("Fay").get("/tables.json").text
    chance = random.Random(2)
    wait_until(lambda: [eve.move_at_random(id_, chance)] and is_over(eve.view(id_)))
    record = eve.get(f"/tables/{id_}/record.json").json()
    assert (record["seed"], record["moves"][:2]) == (source["seed"], source["moves"][:2])
    quintain.Match.load(record)
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    verified = subprocess.run(
        [PROGRAM, "verify", "--game-file", goofspiel, path], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stderr


def test_the_form_of_the_page_leads_to_the_new_table_and_takes_a_name(serving):
    table, eve = finished(serving), serving.guest()
    page = eve.get(f"/tables/{table}/replay?step=2", headers={"accept": "text/html"}).text
    assert 'name="name"' in page and "Cards come as they came then" in page
    answer = eve.submit(f"/tables/{table}/play-on", step="2", seat="0", level="squire", name="Eve")
    assert answer.status_code == 303
    assert "Eve" in eve.get(answer.headers["location"], headers={"accept": "text/html"}).text
    over = eve.get(f"/tables/{table}/replay?step=6", headers={"accept": "text/html"}).text
    assert "You cannot play on from this step: the game is over here" in over


@pytest.mark.parametrize(
    ("given", "status", "words"),
    [
        ({"step": 6}, 409, "the game is over here: step back to a moment before its end"),
        ({"step": -1}, 409, "there is no step -1: the steps are 0 to 6"),
        ({"step": 10**30}, 409, "there is no step"),
        ({"step": "two"}, 400, "step must be a whole number"),
        ({"step": None}, 400, "step must be a whole number"),
        ({"seat": 2}, 404, "there is no seat 2 at this table"),
        ({"seat": [1]}, 400, "seat must be a whole number"),
        ({"level": "archmage"}, 422, "there is no bot 'archmage'; there are page"),
        ({"level": 7}, 400, "level must be text"),
    ],
)
def test_what_makes_no_sense_is_refused_and_says_why(serving, given, status, words):
    answer = play_on(serving.guest("Eve"), finished(serving), **given)
    assert answer.status_code == status and words in answer.json()["error"]


def test_nobody_plays_on_from_a_game_that_still_runs_or_without_a_name(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open")
    assert play_on(ann, table).status_code == 409
    bo.sit(table, 1)
    answer = play_on(ann, table, step=0)
    assert answer.status_code == 409 and "when it is over" in answer.json()["error"]
    assert play_on(serving.guest(), finished(serving)).status_code == 403
    assert play_on(ann, "nowhere").status_code == 404


def test_a_table_that_goes_on_counts_as_a_new_table(tmp_path, goofspiel):
    with Serving(tmp_path, game_files=(goofspiel,), table_rate=Rate(2, 0)) as serving:
        table, eve = finished(serving), serving.guest("Eve")
        assert [play_on(eve, table).status_code for _ in range(3)] == [201, 201, 429]


def test_an_old_game_says_that_its_rules_are_gone(tmp_path):
    with Serving(tmp_path) as serving:
        table = finished(serving)
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as connection, connection:
        connection.execute("update entries set text = json_set(text, '$.game', 'forgotten') where kind = 'made'")
    with Serving(tmp_path) as serving:
        answer = play_on(serving.guest("Eve"), table)
        assert answer.status_code == 410 and "no longer has the rules" in answer.json()["error"]
