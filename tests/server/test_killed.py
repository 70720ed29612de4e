"""A server killed at any moment loses no move that it has answered, and the games go on."""

import json
import random
import signal
import sqlite3
import threading
import time
from contextlib import closing

import httpx
import pytest

import quintain
from server.guests import Guest, ServingProcess, is_over

GIVE_UP = 900


class Player(threading.Thread):
    """Plays random moves until the game is over, even while the server is down, and notes the moves it accepted."""

    def __init__(self, guest: Guest, table: str, seed: int):
        super().__init__(daemon=True)
        self.guest, self.table, self.chance = guest, table, random.Random(seed)
        self.taken: list[tuple[int, int, str]] = []
        self.over = False

    def run(self):
        until = time.monotonic() + GIVE_UP
        while not self.over and time.monotonic() < until:
            try:
                self.play()
            except (httpx.TransportError, json.JSONDecodeError):
                time.sleep(0.05)

    def play(self):
        seen = self.guest.view(self.table)
        if "table" not in seen:
            return
        self.over = is_over(seen)
        if not seen["menu"]:
            time.sleep(0.02)
            return
        choice, decision = self.chance.choice(seen["menu"]), seen["table"]["decision"]
        answer = self.guest.move(self.table, choice["action"], decision)
        if answer.status_code == 200:
            self.taken.append((seen["table"]["you"], decision, choice["words"]))
        if answer.status_code == 429:
            time.sleep(0.3)


@pytest.mark.parametrize(
    ("tables", "kills"), [(2, 2), pytest.param(20, 12, marks=pytest.mark.long)], ids=["quick", "twenty tables"]
)
def test_kill_9_at_random_moments_loses_no_answered_move(tmp_path, goofspiel, tables, kills):
    chance = random.Random(tables)
    server = ServingProcess(tmp_path, goofspiel)
    players = [player for number in range(tables) for player in sit_down(server, number)]
    for player in players:
        player.start()
    for _ in range(kills):
        time.sleep(chance.uniform(0.2, 1.0))
        server.kill()
        server.start()
    for player in players:
        player.join(GIVE_UP)
        assert player.over
        player.guest.http.close()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(20) in (0, -signal.SIGTERM)
    assert sum(len(player.taken) for player in players) > 10 * tables
    for player in players:
        made = answers_in_the_log(server.database, player.table)
        for answer in player.taken:
            assert made.count(answer) == 1, "an acknowledged move is in the log once"


def sit_down(server, number):
    """Make a table, of either game, for two people or for one and a bot; return its players."""
    ann = Guest(server.url, "Ann")
    game = ("goofspiel", "goofspiel", "kings-court")[number % 3]
    if number % 3 == 1:
        return [Player(ann, ann.make(game, "me", "greedy", speed="fast"), number)]
    bo = Guest(server.url, "Bo")
    table = ann.make(game, "me", "open")
    bo.sit(table, 1)
    return [Player(ann, table, number), Player(bo, table, 100 + number)]


def answers_in_the_log(database, table):
    """Return the seat, decision and words of every move in a table's log, as its replay gives them."""
    with closing(sqlite3.connect(database)) as connection:
        asked = 'select seq, seat, kind, text from entries where "table" = ? order by seq'
        log = connection.execute(asked, (table,)).fetchall()
    assert [seq for seq, *_ in log] == list(range(1, len(log) + 1))
    made_as = json.loads(log[0][3])
    seats, answers = len(made_as["seats"]), []
    match = quintain.Match.new(made_as["game"], seats, None, made_as["options"], made_as["seed"])
    for _, seat, kind, words in log:
        if kind == "moved":
            answers.append((seat, match.decision(seat), words))
            match.play(seat, words)
    assert match.outcome, "the game was played to its end"
    return answers
