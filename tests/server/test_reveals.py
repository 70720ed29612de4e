"""Players' random numbers at tables: who commits, when they are revealed, and what the deal then comes from."""

import hashlib
import html
import random
import sqlite3
import time
from contextlib import closing

import pytest

import quintain
from quintain.engine.play.commitments import Reveal, commitment
from quintain.server.model import entries as kinds
from quintain.server.model.entries import Made, Sitter, encoded, fold, log_from
from quintain.server.tables import table as table_module
from quintain.server.tables.table import Table
from server.guests import Serving, is_over, wait_until
from server.logged import persons

SHORT = 0.3
ONE, TWO = ("11" * 32, "22" * 32)


def sha256(number: str) -> str:
    return hashlib.sha256(bytes.fromhex(number)).hexdigest()


@pytest.fixture
def hasty(monkeypatch):
    """Let the deal wait for random numbers no longer than a moment."""
    monkeypatch.setattr(table_module, "REVEAL_TIME", SHORT)


def two_at_a_table(serving, first=ONE, second=TWO, **more):
    """Let two guests sit down at a table; each has committed to a random number, if one is given."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open", options={"cards": 3}, commitment=first and sha256(first), **more)
    answer = bo.post(f"/tables/{table}/seats/1", commitment=second and sha256(second))
    assert answer.status_code == 200, answer.text
    return table, ann, bo


def reveal(guest, table, number):
    return guest.post(f"/tables/{table}/reveal", revealed=number)


def kinds_on_disk(path, table):
    with closing(sqlite3.connect(path)) as database:
        return [kind for (kind,) in database.execute('SELECT kind FROM entries WHERE "table" = ?', (table,))]


def record_of(ann, bo, table):
    chance = random.Random(1)
    wait_until(lambda: [one.move_at_random(table, chance) for one in (ann, bo)] and is_over(ann.view(table)))
    return ann.get(f"/tables/{table}/record.json").json()


def test_play_begins_once_both_have_revealed_and_the_record_shows_the_numbers(serving):
    table, ann, bo = two_at_a_table(serving)
    before = ann.view(table)["table"]
    assert (before["status"], before["mixing"], before["can_leave"], before["can_start"]) == (
        "waiting",
        True,
        False,
        False,
    )
    assert before["reveal"] == {"path": f"/tables/{table}/reveal", "commitment": sha256(ONE)}
    assert [(seat["commitment"], seat["revealed"]) for seat in before["seats"]] == [
        (sha256(ONE), False),
        (sha256(TWO), False),
    ]
    assert reveal(ann, table, ONE).json()["table"]["status"] == "waiting"
    seen = bo.view(table)["table"]
    assert [seat["revealed"] for seat in seen["seats"]] == [True, False] and ONE not in bo.received[-1]
    assert ann.view(table)["table"]["reveal"] is None
    assert reveal(bo, table, TWO).json()["table"]["status"] == "playing"
    after = ann.view(table)["table"]
    assert (after["mixing"], after["commitment"]) == (False, before["commitment"])
    record = record_of(ann, bo, table)
    assert record["reveals"] == [
        {"seat": 0, "commitment": sha256(ONE), "revealed": ONE},
        {"seat": 1, "commitment": sha256(TWO), "revealed": TWO},
    ]
    assert record["commitment"] == before["commitment"] == quintain.Match.load(record).commitment


def test_the_commitment_to_the_match_can_be_seen_before_anybody_else_sits_down(serving):
    ann, eve = serving.guest("Ann"), serving.guest()
    table = ann.make("goofspiel", "me", "open", options={"cards": 3})
    folded = serving.table(table).folded
    made = folded.row
    wanted = commitment(bytes.fromhex(folded.seed), made.game, made.version, made.options, 2)
    assert eve.view(table)["table"]["commitment"] == wanted


def dealt(*reveals: Reveal) -> str:
    """Return the deal of a table with one seed whose players have revealed these numbers."""
    seats = [Sitter(player=1), Sitter(player=2)]
    made = Made("kings-court", 1, {"garnets": [0, 0]}, "5a" * 32, "none", "usual", False, seats)
    acts = [(-1, kinds.MADE, encoded(made))]
    for each in reveals:
        acts += [(each.seat, kinds.COMMITTED, each.commitment), (each.seat, kinds.REVEALED, each.revealed)]
    log = log_from("T", [*acts, (-1, kinds.BEGUN, "")], 0.0)
    return Table.read(log, persons(["Ann", "Bo"])).playing().position()


def test_the_deal_depends_on_every_number_and_on_who_revealed_it():
    one, two = Reveal(0, sha256(ONE), ONE), Reveal(1, sha256(TWO), TWO)
    other = Reveal(1, sha256(ONE), ONE)
    deals = {dealt(), dealt(one), dealt(two), dealt(one, two), dealt(one, other), dealt(other)}
    assert len(deals) == 6 and dealt(one, two) in deals


def test_the_cards_are_those_that_the_seed_and_all_numbers_give(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open", commitment=sha256(ONE))
    bo.post(f"/tables/{table}/seats/1", commitment=sha256(TWO))
    reveal(bo, table, TWO)
    reveal(ann, table, ONE)
    one, two = Reveal(0, sha256(ONE), ONE), Reveal(1, sha256(TWO), TWO)
    folded = serving.table(table).folded
    deals = [
        quintain.Match.new("kings-court", options=folded.row.options, seed=folded.seed, reveals=reveals).position()
        for reveals in ([one, two], [one], [two], [])
    ]
    assert len(set(deals)) == 4 and serving.table(table).match.position() == deals[0]


@pytest.mark.parametrize(("number", "status"), [("33" * 32, 422), (TWO, 422), ("11", 422), ("", 422), (7, 400)])
def test_a_wrong_number_is_refused_and_changes_nothing(serving, number, status):
    table, ann, _ = two_at_a_table(serving)
    before = serving.table(table).seq
    refused = reveal(ann, table, number)
    assert refused.status_code == status
    assert "random number" in refused.json()["error"] or "revealed must be text" in refused.json()["error"]
    assert serving.table(table).seq == before and ann.view(table)["table"]["reveal"]
    assert reveal(ann, table, ONE).status_code == 200


def test_nobody_reveals_before_all_seats_are_taken_or_what_they_have_not_committed_to(serving):
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Eve")
    table = ann.make("goofspiel", "me", "open", commitment=sha256(ONE))
    early = reveal(ann, table, ONE)
    assert early.status_code == 409 and "until all seats are taken" in early.json()["error"]
    assert reveal(eve, table, ONE).status_code == 403
    assert bo.post(f"/tables/{table}/seats/1").status_code == 200
    none = reveal(bo, table, TWO)
    assert none.status_code == 409 and "you have not committed" in none.json()["error"]
    assert [reveal(ann, table, ONE).status_code for _ in range(2)] == [200, 200]
    assert serving.table(table).match.reveals == (Reveal(0, sha256(ONE), ONE),)


def test_who_does_not_reveal_in_time_is_left_out_and_the_record_says_so(serving, hasty):
    table, ann, bo = two_at_a_table(serving)
    reveal(ann, table, ONE)
    begun = time.monotonic()
    wait_until(lambda: ann.view(table)["table"]["status"] == "playing")
    assert time.monotonic() - begun < 5
    late = reveal(bo, table, TWO)
    assert late.status_code == 409 and "without your random number: it came too late" in late.json()["error"]
    record = record_of(ann, bo, table)
    assert record["reveals"][1] == {"seat": 1, "commitment": sha256(TWO)}
    quintain.Match.load(record)


def test_the_deal_waits_as_long_as_it_should(serving, monkeypatch):
    monkeypatch.setattr(table_module, "REVEAL_TIME", 1.0)
    table, ann, _ = two_at_a_table(serving)
    time.sleep(0.5)
    assert ann.view(table)["table"]["status"] == "waiting"
    wait_until(lambda: ann.view(table)["table"]["status"] == "playing", seconds=5)


@pytest.mark.parametrize("numbers", [(ONE, ""), ("", TWO)])
def test_one_commitment_is_enough_for_the_deal_to_wait(serving, numbers):
    table, *guests = two_at_a_table(serving, *numbers)
    seat = 0 if numbers[0] else 1
    assert guests[0].view(table)["table"]["mixing"]
    assert reveal(guests[seat], table, numbers[seat]).json()["table"]["status"] == "playing"


def test_without_commitments_play_begins_at_once(serving):
    table, ann, _ = two_at_a_table(serving, "", "")
    assert ann.view(table)["table"]["status"] == "playing"
    assert serving.table(table).folded.reveals == {}
    bots = ann.make("kings-court", "me", "squire")
    assert ann.view(bots)["table"]["status"] == "playing"


def test_a_table_with_bots_is_dealt_once_its_maker_has_revealed(serving):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "random", commitment=sha256(ONE))
    assert ann.view(table)["table"]["mixing"]
    assert reveal(ann, table, ONE).json()["table"]["status"] == "playing"


def test_a_start_with_bots_waits_for_the_numbers_too(serving):
    ann = serving.guest("Ann")
    table = ann.make("goofspiel", "me", "open", commitment=sha256(ONE))
    assert ann.post(f"/tables/{table}/start").json()["table"]["mixing"]
    assert ann.post(f"/tables/{table}/start").status_code == 409
    assert reveal(ann, table, ONE).json()["table"]["status"] == "playing"


def test_a_program_commits_after_sitting_down_but_not_after_the_last(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open")
    path = f"/tables/{table}/commitment"
    assert [ann.post(path, commitment=sha256(ONE)).status_code for _ in range(2)] == [200, 200]
    other = ann.post(path, commitment=sha256(TWO))
    assert other.status_code == 409 and "another random number" in other.json()["error"]
    assert bo.post(path, commitment=sha256(TWO)).status_code == 403
    bo.sit(table, 1)
    late = bo.post(path, commitment=sha256(TWO))
    assert late.status_code == 409 and "too late" in late.json()["error"]
    assert reveal(ann, table, ONE).json()["table"]["status"] == "playing"


@pytest.mark.parametrize("given", ["11", "g" * 64, sha256(ONE) + "0"])
def test_a_commitment_that_is_none_is_refused(serving, given):
    ann = serving.guest("Ann")
    table = ann.make("goofspiel", "me", "open")
    for path, more in (
        (f"/tables/{table}/commitment", {}),
        ("/tables", {"game": "goofspiel", "seats": ["me", "open"]}),
        ("/play/kings-court", {}),
    ):
        refused = ann.post(path, commitment=given, **more)
        assert (
            refused.status_code == 422 and "cannot be a commitment: that has 64 hex digits" in refused.json()["error"]
        )


def test_nobody_gets_up_while_the_cards_are_mixed_but_before_a_commitment_goes_with_its_player(serving):
    table, ann, bo = two_at_a_table(serving)
    assert bo.post(f"/tables/{table}/leave").status_code == 409
    three = ann.make("goofspiel", "me", "open", "open")
    bo.post(f"/tables/{three}/seats/1", commitment=sha256(TWO))
    assert bo.post(f"/tables/{three}/leave").status_code == 200
    assert serving.table(three).folded.reveals == {}
    bo.sit(three, 1)
    serving.guest("Cy").sit(three, 2)
    assert ann.view(three)["table"]["status"] == "playing"


def test_the_wait_goes_on_after_a_restart(tmp_path, goofspiel, monkeypatch):
    monkeypatch.setattr(table_module, "REVEAL_TIME", 3.0)
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        table, ann, _ = two_at_a_table(serving)
        assert reveal(ann, table, ONE).status_code == 200
        assert serving.table(table).is_mixing
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        wait_until(lambda: "begun" in kinds_on_disk(tmp_path / "server.sqlite", table))  # nobody has asked for it
        serving.guest().view(table)
        assert serving.table(table).match.reveals == (Reveal(0, sha256(ONE), ONE), Reveal(1, sha256(TWO)))


def test_two_reveal_after_a_restart_in_the_middle_of_the_wait(tmp_path, goofspiel):
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        table, ann, bo = two_at_a_table(serving)
        assert reveal(ann, table, ONE).status_code == 200
        cookies = bo.http.cookies
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        again = serving.guest()
        again.http.cookies = cookies
        again.csrf = bo.csrf
        assert reveal(again, table, TWO).json()["table"]["status"] == "playing"
        assert [each.revealed for each in serving.table(table).match.reveals] == [ONE, TWO]


def test_both_commit_to_the_next_game_when_they_agree_to_play_again(serving):
    table, ann, bo = two_at_a_table(serving, "", "")
    record_of(ann, bo, table)
    ann.post(f"/tables/{table}/rematch", agrees="yes", commitment=sha256(ONE))
    ann.post(f"/tables/{table}/rematch", agrees="no", commitment=sha256(ONE))
    assert ann.post(f"/tables/{table}/rematch", agrees="yes", commitment=sha256(TWO)).json()["result"]["agreed"] == [0]
    again = bo.post(f"/tables/{table}/rematch", commitment=sha256(ONE)).json()["table"]["id"]
    assert again != table and serving.table(again).is_mixing
    wanted = {"path": f"/tables/{again}/reveal", "commitment": sha256(TWO)}
    assert ann.view(table)["table"]["reveal"] == ann.view(again)["table"]["reveal"] == wanted
    assert reveal(ann, again, TWO).status_code == 200
    assert reveal(bo, again, ONE).json()["table"]["status"] == "playing"


def test_a_game_that_is_played_on_keeps_the_numbers_so_that_cards_fall_as_they_fell(serving):
    table, ann, bo = two_at_a_table(serving)
    reveal(ann, table, ONE)
    reveal(bo, table, TWO)
    source = record_of(ann, bo, table)
    answer = ann.post(f"/tables/{table}/play-on", step=2, seat=0, level="greedy")
    assert answer.status_code == 201, answer.text
    id_ = answer.json()["table"]["id"]
    chance = random.Random(2)
    wait_until(lambda: [ann.move_at_random(id_, chance)] and is_over(ann.view(id_)))
    record = ann.get(f"/tables/{id_}/record.json").json()
    assert (record["seed"], record["reveals"]) == (source["seed"], source["reveals"])
    assert record["moves"][:2] == source["moves"][:2]
    quintain.Match.load(record)


def test_a_lesson_takes_no_commitment(serving):
    ann = serving.guest("Ann")
    answer = ann.post("/learn/kings-court", commitment=sha256(ONE))
    assert answer.status_code == 201 and answer.json()["table"]["status"] == "playing"


def test_the_waiting_page_asks_nobody_to_do_anything_while_the_cards_are_mixed(serving):
    table, _, bo = two_at_a_table(serving)
    page = html.unescape(bo.get(f"/tables/{table}", headers={"accept": "text/html"}).text)
    assert "The cards are being mixed" in page and "You need not do anything" in page
    assert "Get up again" not in page and "Sit down here" not in page and "Invite somebody" not in page
    assert f'data-reveal="/tables/{table}/reveal" data-commitment="{sha256(TWO)}"' in page
    assert sha256(ONE) not in page
    stranger = serving.guest().get(f"/tables/{table}", headers={"accept": "text/html"}).text
    assert "The cards are being mixed" in stranger and "data-reveal" not in stranger


def test_a_table_that_is_being_mixed_is_not_listed_as_open(serving):
    table, *_ = two_at_a_table(serving)
    assert table not in [each["id"] for each in serving.guest().get("/tables.json").json()["open_tables"]]


def test_a_table_of_an_older_server_keeps_the_commitment_that_its_players_saw():
    made = Made("kings-court", 1, {}, "5a" * 32, "none", "usual", False, [Sitter(player=1), Sitter(player=2)])
    log = log_from("T", [(-1, kinds.MADE, encoded(made)), (-1, kinds.BEGUN, ""), (0, kinds.RESIGNED, "")], 0.0)
    assert fold(log[:1]).reveals == {}
    table = Table.read(log, persons(["Ann", "Bo"]))
    assert table.commitment == table.playing().commitment == sha256("5a" * 32)
    assert quintain.Match.load(table.playing().record()).commitment == table.commitment
