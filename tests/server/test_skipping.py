"""Skipping to the end: when all people at a table are out of the game, they can let the bots play without pauses."""

import pytest

from server.guests import Serving, is_over, wait_until


@pytest.fixture
def slow(tmp_path):
    with Serving(tmp_path, pace=100.0) as serving:
        yield serving


def test_a_player_who_has_resigned_skips_to_the_end_of_the_bots_game(slow):
    ann = slow.guest("Ann")
    table = ann.make("rune-war", "me", "random", "random")
    assert ann.view(table)["table"]["can_skip"] is False
    assert ann.post(f"/tables/{table}/skip").status_code == 409
    ann.post(f"/tables/{table}/resign")
    seen = ann.view(table)
    assert seen["table"]["can_skip"] is True and seen["table"]["can_resign"] is False
    assert ann.post(f"/tables/{table}/skip").status_code == 200
    wait_until(lambda: is_over(ann.view(table)))


def test_nobody_skips_while_another_person_is_in_the_game(slow):
    ann, bo = slow.guest("Ann"), slow.guest("Bo")
    table = ann.make("rune-war", "me", "open", "random")
    bo.sit(table, 1)
    ann.post(f"/tables/{table}/resign")
    assert ann.view(table)["table"]["can_skip"] is False
    answer = ann.post(f"/tables/{table}/skip")
    assert answer.status_code == 409 and "all people here are out" in answer.text
    assert not is_over(ann.view(table))
