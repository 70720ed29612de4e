"""Playing on from a puzzle: where the table begins, what its player sees, the game to its end, and what is refused."""

import random
import re
import secrets
from html import unescape

import pytest
from msgspec.structs import replace

from quintain.engine.errors import QuintainError
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.lab import puzzles as kept
from quintain.server.limits import Rate
from quintain.server.model.beginning import FROM_PUZZLE
from quintain.server.model.entries import Made, decoded, encoded
from quintain.server.study import judging, solving
from quintain.server.tables import table as table_module
from quintain.server.tables.playing_on import dealt_anew
from quintain.server.tables.table import Table
from server.guests import Serving, is_over, wait_until
from server.logged import log_of, persons
from server.study.puzzling import path, put_puzzles

GAMES = ("kings-court", "rune-war", "heirless", "robin", "round-table")
HIDING = [id_ for id_ in GAMES if id_ != "heirless"]
"""The games that hide something in their puzzles. In those of Heirless battles nobody has chosen in secret."""
HTML = {"accept": "text/html"}
SEED = "5a" * 32
MOST_MOVES = 20
"""A guest who has made so many moves at random resigns: in Round Table such a game may have a thousand."""


@pytest.fixture
def quick(monkeypatch):
    """Bots that choose at random, without pauses."""
    monkeypatch.setattr(solving, "usual_level", lambda: "random")
    monkeypatch.setitem(table_module.SPEEDS, "usual", 0.0)


def solver_of(serving, id_):
    """Return a guest who may solve the puzzles of a game."""
    ann = serving.guest("Ann")
    ann.make(id_, "me", *["random"] * (game(id_).seats[0] - 1))
    return ann


def solved(guest, id_, number=0):
    """Return a puzzle that a guest has answered, and its address."""
    puzzle = kept.puzzles(game(id_))[number]
    href = f"/puzzles/{id_}/{puzzle.id}"
    answer = guest.post(f"{href}/answer", action=puzzle.best.action)
    assert answer.status_code == 200, answer.text
    return puzzle, href


def begun(puzzle, seed):
    """Return a match that goes on from a puzzle, with hidden cards from this seed."""
    more = {"seats": len(puzzle.seen.names), "names": puzzle.seen.names, "options": puzzle.options, "seed": SEED}
    return Match.from_position(puzzle.game, dealt_anew(puzzle.seen, seed), **more)


@pytest.mark.parametrize("id_", GAMES)
def test_whatever_is_dealt_the_solver_sees_the_puzzle_and_is_asked_its_question(id_):
    """Nothing that the solver may know depends on the hidden cards, the commitment included."""
    hidden = set()
    for puzzle in kept.puzzles(game(id_)):
        seen, seat = puzzle.seen, puzzle.seen.seat
        for match in (begun(puzzle, 1), begun(puzzle, 2)):
            now = match.seen(seat)
            assert now.legal == seen.legal and now.view.question == seen.view.question
            assert now.decision == 1 and now.to_act == seen.to_act and not now.can_undo
            known = now.state.copy()
            known.rng, known.events, known.events_made = seen.state.rng, seen.state.events, seen.state.events_made
            assert known == seen.state
            hidden.add((puzzle.id, match.position()))
            assert match.commitment == begun(puzzle, 3).commitment
    assert (len(hidden) > len(kept.puzzles(game(id_)))) == (id_ in HIDING)


def play_to_the_end(guest, table):
    """Play a game to its end by moves at random; resign if it has not ended after many of them."""
    chance, moves = random.Random(1), 0
    while not is_over(guest.view(table)) and moves < MOST_MOVES:
        moves += guest.move_at_random(table, chance)
    if not is_over(guest.view(table)):
        assert guest.post(f"/tables/{table}/resign").status_code == 200
    wait_until(lambda: is_over(guest.view(table)), 120)


def table_of_puzzle(guest, href):
    """Play on from a puzzle; return the id of the new table."""
    made = guest.post(f"{href}/play-on")
    assert made.status_code == 201, made.text
    return made.json()["table"]["id"]


@pytest.mark.parametrize("id_", GAMES)
def test_a_game_that_goes_on_from_a_puzzle_is_played_to_its_end_and_kept(serving, quick, id_):
    ann = solver_of(serving, id_)
    puzzle, href = solved(ann, id_)
    table, seat = table_of_puzzle(ann, href), puzzle.seen.seat
    first = ann.view(table)
    assert first["table"]["you"] == seat and not first["table"]["rated"]
    assert [one["kind"] for one in first["table"]["seats"]].count("bot") == len(puzzle.seen.names) - 1
    assert next(line["words"] for line in first["log"]) == FROM_PUZZLE
    assert table not in serving.guest("Bo").get("/tables.json").text
    play_to_the_end(ann, table)
    wait_until(lambda: ann.view(table)["result"]["story"])
    over = ann.view(table)["result"]
    assert over["from_position"] and over["story"]["rows"] is not None
    page = ann.get(f"/tables/{table}", headers=HTML).text
    assert "verdict" in page and "It does not cover the position itself" in page
    begin = ann.get(f"/tables/{table}/replay?step=0", headers=HTML).text
    assert "The position from which the game began" in begin and "The deal" not in begin
    assert ann.get(f"/tables/{table}/replay?step=3&seat={seat}", headers=HTML).status_code == 200
    record = ann.get(f"/tables/{table}/record.json").json()
    assert record["position"] == serving.table(table).folded.position and "signature" not in record
    again = Match.load(record)
    assert again.outcome.ranks == tuple(over["ranks"]) and again.is_from_position
    assert ann.get(f"/tables/{table}/analysis", headers=HTML).status_code == 200


def most_hidden(id_):
    """Return the number of the puzzle of a game in which most is hidden from the solver, who alone is to act."""
    hidden = {
        number: "\n".join(kept.position_of(one.seen)).count("?")
        for number, one in enumerate(kept.puzzles(game(id_)))
        if one.seen.to_act == (one.seen.seat,)
    }
    return max(hidden, key=hidden.__getitem__)


def shown_to(guest, table):
    """Return all that a player is sent of a table, without its id and the link that moves a seat of it."""
    sent = [guest.get(f"/tables/{table}.json").text, guest.get(f"/tables/{table}", headers=HTML).text]
    sent.append(guest.get(f"/tables/{table}?since", headers=HTML).text)
    with guest.watching(table) as socket:
        sent.append(socket.recv())
    return [re.sub(r"/seat/[^\"]+", "", unescape(each).replace(table, "T")) for each in sent]


@pytest.mark.parametrize("id_", HIDING)
def test_what_the_solver_is_sent_does_not_depend_on_what_is_hidden(serving, monkeypatch, id_):
    """Two tables of one seed, whose hidden cards differ, are sent alike to the last letter before anybody moves."""
    monkeypatch.setitem(table_module.SPEEDS, "usual", 100.0)
    monkeypatch.setattr(secrets, "token_hex", lambda size: SEED)
    ann = solver_of(serving, id_)
    _, href = solved(ann, id_, most_hidden(id_))
    tables = []
    for seed in (1, 2):
        monkeypatch.setattr(secrets, "randbits", lambda bits, seed=seed: seed)
        tables.append(table_of_puzzle(ann, href))
    monkeypatch.undo()
    one, other = (serving.table(table) for table in tables)
    assert one.folded.position != other.folded.position and one.folded.seed == other.folded.seed
    assert one.commitment == other.commitment
    assert shown_to(ann, tables[0]) == shown_to(ann, tables[1])
    assert ann.get(f"/tables/{tables[0]}/record.json").status_code == 409
    bo = serving.guest("Bo")
    assert shown_to(bo, tables[0]) == shown_to(bo, tables[1])


@pytest.mark.parametrize("id_", GAMES)
def test_no_line_of_the_position_leaves_the_server_while_the_game_runs(serving, quick, id_):
    ann = solver_of(serving, id_)
    _, href = solved(ann, id_, most_hidden(id_))
    table, chance = table_of_puzzle(ann, href), random.Random(2)
    lines = [line for line in serving.table(table).folded.position.splitlines() if len(line) > 12]
    sent = ""
    for _ in range(4):
        ann.get(f"/tables/{table}", headers=HTML)
        serving.guest("Bo").view(table)
        if is_over(ann.view(table)):
            break
        sent = "".join(ann.received)
        ann.move_at_random(table, chance)
    assert table in sent and len(lines) > 8
    assert [line for line in lines if line in sent] == []
    assert serving.table(table).folded.seed not in sent and "from_position" not in sent


def test_the_form_leads_to_the_table_without_script(serving, quick):
    ann = solver_of(serving, "robin")
    _, href = solved(ann, "robin")
    assert f'action="{href}/play-on"' in unescape(ann.get(href, headers=HTML).text)
    answer = ann.submit(f"{href}/play-on")
    assert answer.status_code == 303
    assert FROM_PUZZLE in ann.get(answer.headers["location"], headers=HTML).text


def test_a_puzzle_is_answered_before_anybody_plays_on_from_it(serving, monkeypatch):
    (puzzle, *_), ann = put_puzzles(monkeypatch), serving.guest("Ann")
    refused = ann.post(path(puzzle, "play-on"))
    assert refused.status_code == 409 and "answer this puzzle first" in refused.json()["error"]
    assert "play-on" not in ann.get(path(puzzle), headers=HTML).text
    assert serving.guest().post(path(puzzle, "play-on")).status_code == 403
    assert ann.post("/puzzles/goofspiel/nothing/play-on").status_code == 404
    ann.post(path(puzzle, "answer"), action=puzzle.wrong[0])
    assert ann.post(path(puzzle, "play-on")).status_code == 201


def test_the_lesson_comes_before_playing_on(serving):
    href = f"/puzzles/kings-court/{kept.puzzles(game('kings-court'))[0].id}"
    assert serving.guest("Eve").post(f"{href}/play-on").status_code == 403


def test_a_table_that_goes_on_from_a_puzzle_counts_as_a_new_table(tmp_path, goofspiel, monkeypatch):
    puzzle, *_ = put_puzzles(monkeypatch)
    with Serving(tmp_path, game_files=(goofspiel,), table_rate=Rate(1, 0)) as serving:
        ann = serving.guest("Ann")
        ann.post(path(puzzle, "answer"), action=puzzle.right[0])
        assert [ann.post(path(puzzle, "play-on")).status_code for _ in range(2)] == [201, 429]


def ended(serving, id_="robin"):
    """Return a player and the table of their game that went on from a puzzle, and is over."""
    ann = solver_of(serving, id_)
    _, href = solved(ann, id_)
    table = table_of_puzzle(ann, href)
    for _ in range(3):
        ann.move_at_random(table, random.Random(3))
    ann.post(f"/tables/{table}/resign")
    assert is_over(ann.view(table))
    return ann, table


def test_a_step_of_such_a_game_can_be_played_on_from_again(serving, quick):
    ann, table = ended(serving)
    match = serving.table(table).playing()
    made = ann.post(f"/tables/{table}/play-on", step=1, seat=0, level="random")
    assert made.status_code == 201
    again = serving.table(made.json()["table"]["id"])
    first = next(step.position() for number, (_, step) in enumerate(match.steps()) if number == 1)
    assert next(step.position() for number, (_, step) in enumerate(_over(again).steps()) if number == 1) == first
    assert again.folded.position == serving.table(table).folded.position


def _over(table):
    """Return the match of a table, given up, as its save has it."""
    match = Match.load(table.playing().save())
    while match.outcome is None:
        match.resign(min(match.to_act))
    return match


def test_such_a_game_counts_for_nothing_and_its_players_can_play_again_from_a_deal(serving, quick):
    ann, table = ended(serving)
    assert serving.table(table).folded.is_known
    again = ann.post(f"/tables/{table}/rematch").json()["table"]["id"]
    assert again != table and not serving.table(again).playing().is_from_position


def test_a_record_that_began_from_a_position_is_not_brought_in_and_says_why(serving, quick):
    ann, table = ended(serving)
    record = ann.get(f"/tables/{table}/record.json").text
    refused = serving.guest("Eve").submit("/games/import", record=record)
    assert refused.status_code == 422
    assert "his game began from a position and not from a deal" in unescape(refused.text)


def test_such_a_game_is_judged_like_any_other(serving, quick, monkeypatch):
    monkeypatch.setattr(judging, "FIRST_TRIES", 20)
    monkeypatch.setattr(judging, "TRIES", 60)
    ann, table = ended(serving, "kings-court")
    assert ann.post(f"/tables/{table}/analysis").status_code == 200
    wait_until(lambda: 'data-state="finished"' in ann.get(f"/tables/{table}/analysis").text, 120)
    found = ann.get(f"/tables/{table}/analysis.json").json()
    assert len(found["steps"]) == found["total"] > 0


def test_a_server_that_starts_again_goes_on_from_the_position(tmp_path, monkeypatch):
    monkeypatch.setattr(solving, "usual_level", lambda: "random")
    with Serving(tmp_path) as serving:
        ann = solver_of(serving, "heirless")
        _, href = solved(ann, "heirless")
        table = table_of_puzzle(ann, href)
        before, cookies = serving.table(table).folded.position, ann.http.cookies
    with Serving(tmp_path) as serving:
        again = serving.guest()
        again.http.cookies = cookies
        assert again.view(table)["menu"]
        assert serving.table(table).folded.position == before


def old_table(line, version):
    """Return a table whose log begins from a position with this line, under a version of the rules."""
    match = begun(kept.puzzles(game("robin"))[0], 1)
    log = log_of(match)
    made = decoded(log[0], Made)
    made = replace(made, position=f"{line}\n{made.position}", version=version)
    return Table.read([log[0]._replace(text=encoded(made)), *log[1:]], persons(match.names))


def test_a_game_whose_position_newer_rules_cannot_read_is_closed_and_a_damaged_one_is_an_error():
    assert old_table("round = 1", game("robin").version).playing().is_from_position
    stuck = old_table("garnets = 1", game("robin").version - 1)
    assert stuck.match is None and stuck.stuck and stuck.stuck.moves == 0
    with pytest.raises(QuintainError, match="line 1 of the position is not valid: there is no field garnets"):
        old_table("garnets = 1", game("robin").version)
