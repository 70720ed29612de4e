"""Whole games over HTTP: by forms and by JSON, against people and bots, watched over sockets."""

import random
import re

import pytest

import quintain
from quintain.engine.rules.registry import own_games
from server.guests import PATIENCE, is_over, wait_until


@pytest.mark.both_stores
def test_two_people_play_kings_court_by_pressing_buttons_and_the_record_holds(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    made = ann.submit("/tables", game="kings-court", seats="2", **{"seat.0": "me", "seat.1": "open"})
    assert made.status_code == 303
    table = made.headers["location"].rsplit("/", 1)[1]
    assert bo.submit(f"/tables/{table}/seats/1").status_code == 303
    chance = random.Random(1)
    while not is_over(ann.view(table)):
        assert any(guest.click(table, chance) for guest in (ann, bo)) or is_over(ann.view(table))
    record = ann.get(f"/tables/{table}/record.json").json()
    match = quintain.Match.load(record)
    assert match.names == ("Ann", "Bo")
    assert match.outcome.reason == "played to the end"
    assert "The game is over" in bo.get(f"/tables/{table}").text


def test_the_page_and_the_record_of_a_game_with_stakes_name_both_cards_after_a_resignation(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("robin", "me", "open", options={"ante": "on"})
    bo.sit(table, 1)
    for guest, card in ((ann, "Miller"), (bo, "Potter")):
        seen = guest.view(table)
        (stake,) = (choice["action"] for choice in seen["menu"] if choice["words"] == f"stake {card}")
        assert guest.move(table, stake, seen["table"]["decision"]).status_code == 200
    assert bo.post(f"/tables/{table}/resign").status_code == 200
    prizes = ["Ann gains Potter, which Bo staked.", "Ann keeps Miller."]
    for guest in (ann, bo):
        assert guest.view(table)["result"]["prizes"] == prizes
    shown = ann.get(f"/tables/{table}").text
    assert "<b>You gain Potter, which Bo staked.</b> You keep Miller.</span>" in shown
    assert "<b>Ann gains Potter, which you staked.</b> Ann keeps Miller.</span>" in bo.get(f"/tables/{table}").text
    prize = shown[shown.index('class="prizes"') :]
    assert "<svg" in prize[: prize.index("You gain")], "the card has its picture"
    assert "Your cards" not in shown, "the cards are not their own"
    assert ann.get(f"/tables/{table}/record.json").json()["result"]["prizes"] == prizes


def test_one_person_plays_kings_court_against_a_bot_by_json(serving):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "greedy")
    chance = random.Random(2)
    wait_until(lambda: not ann.move_at_random(table, chance) and is_over(ann.view(table)), 4 * PATIENCE)
    seen = ann.view(table)
    result = seen["result"]
    assert sorted(result["ranks"]) in ([1, 2], [1, 1])
    assert {len(line["by_seat"]) for line in seen["account"]} == {2}
    assert re.fullmatch("[0-9a-f]{64}", result["seed"])


@pytest.mark.parametrize("id_", [found.id for found in own_games()])
def test_bots_play_every_game(serving, id_):
    ann = serving.guest("Ann")
    table = ann.make(id_, *("random" if seat else "me" for seat in range(quintain.game(id_).seats[2])))
    chance = random.Random(4)

    def has_a_bot_moved() -> bool:
        ann.move_at_random(table, chance)
        return any(entry.seat for entry in serving.table(table).match.moves_made)

    wait_until(has_a_bot_moved)


@pytest.mark.both_stores
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_goofspiel_is_played_on_the_generic_board_with_bids_at_the_same_time(serving, bot):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open", bot, options={"cards": 5})
    bo.sit(table, 1)
    chance = random.Random(3)
    first = ann.view(table)
    assert first["account"] == []
    assert ann.move_at_random(table, chance)
    assert bo.view(table)["table"]["decision"] == first["table"]["decision"], "a bid asks nobody else again"

    def play():
        for guest in (bo, ann):
            guest.click(table, chance)
        return is_over(ann.view(table))

    wait_until(play)
    seen = ann.view(table)
    assert sum(seen["result"]["scores"]) <= 15
    total = {"words": "Points so far", "by_seat": seen["result"]["scores"], "clause": "", "gains": None}
    assert seen["account"][-1] == total


@pytest.mark.both_stores
def test_every_move_is_pushed_to_everybody_who_watches(serving):
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest()
    table = ann.make("kings-court", "me", "open")
    with ann.watching(table) as hers, eve.watching(table) as spectators:
        assert "Looking for a rival" in hers.recv(timeout=PATIENCE)
        bo.sit(table, 1)
        seen = ann.view(table)
        words = seen["menu"][0]["words"]
        assert ann.move(table, words, seen["table"]["decision"]).status_code == 200
        last = ann.view(table)["log"][-1]["words"]
        until(hers, lambda html: last in html)
        said = eve.view(table)["log"][-1]["words"]
        assert said != last
        until(spectators, lambda html: said in html)


@pytest.mark.both_stores
def test_people_play_again_once_all_of_them_agree(serving):
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Eve")
    table = ann.make("goofspiel", "me", "open", "squire", options={"cards": 2})
    bo.sit(table, 1)
    assert ann.post(f"/tables/{table}/rematch").status_code == 409
    for guest in (ann, bo):
        assert guest.post(f"/tables/{table}/resign").status_code == 200
    assert ann.post(f"/tables/{table}/rematch").json()["table"]["id"] == table
    assert "Ann wants to play again" in bo.get(f"/tables/{table}").text
    assert "Waiting for Bo" in ann.get(f"/tables/{table}").text
    assert ann.post(f"/tables/{table}/rematch", agrees="no").json()["result"]["agreed"] == []
    assert bo.post(f"/tables/{table}/rematch").json()["result"]["agreed"] == [1]
    assert eve.post(f"/tables/{table}/rematch").status_code == 403
    assert ann.post(f"/tables/{table}/rematch", agrees="perhaps").status_code == 422
    again = ann.post(f"/tables/{table}/rematch").json()["table"]
    assert again["id"] != table and again["status"] == "playing"
    assert [seat["name"] for seat in again["seats"]] == ["Ann", "Bo", "Squire"]
    assert bo.post(f"/tables/{table}/rematch").json()["table"]["id"] == again["id"]
    assert bo.view(table)["result"]["rematch"] == f"/tables/{again['id']}"
    assert "To the next game" in bo.get(f"/tables/{table}").text


@pytest.mark.both_stores
def test_one_person_plays_again_at_once(serving):
    ann = serving.guest("Ann")
    table = ann.make("goofspiel", "me", "squire", options={"cards": 2})
    assert ann.post(f"/tables/{table}/resign").status_code == 200
    assert "when all agree" not in ann.get(f"/tables/{table}").text
    assert ann.post(f"/tables/{table}/rematch").json()["table"]["status"] == "playing"


def until(socket, holds):
    while not holds(socket.recv(timeout=PATIENCE)):
        pass
