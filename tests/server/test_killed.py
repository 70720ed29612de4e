"""A server killed at any moment loses no move that it has answered, and the games go on."""

import json
import random
import signal
import threading
import time

import httpx
import pytest

import quintain
from server.guests import PATIENCE, Guest, ServingProcess, is_over
from server.stores import SQLITE, Pair, rows

GIVE_UP = 900
LATER = "the database does not answer just now: try again in a moment"
LOST = "the server could not save this table: load it again"


class Player(threading.Thread):
    """Plays random moves until the game is over, even while the server is down, and notes the moves it accepted."""

    def __init__(self, guest: Guest, table: str, seed: int):
        super().__init__(daemon=True)
        self.guest, self.table, self.chance = guest, table, random.Random(seed)
        self.taken: list[tuple[int, int, str]] = []
        self.statuses: set[int] = set()
        self.errors: set[str] = set()
        """The statuses of all answers, and the words of those with status 503."""
        self.over = False

    def run(self):
        until = time.monotonic() + GIVE_UP
        while not self.over and time.monotonic() < until:
            try:
                self.play()
            except (httpx.TransportError, json.JSONDecodeError):
                time.sleep(0.05)

    def play(self):
        answer = self.guest.get(f"/tables/{self.table}.json")
        if not self.note(answer):
            return
        seen = answer.json()
        self.over = is_over(seen)
        if not seen["menu"]:
            time.sleep(0.02)
            return
        choice, decision = self.chance.choice(seen["menu"]), seen["table"]["decision"]
        answer = self.guest.move(self.table, choice["action"], decision)
        if self.note(answer):
            self.taken.append((seen["table"]["you"], decision, choice["words"].replace("\N{MINUS SIGN}", "-")))
        if answer.status_code == 429:
            time.sleep(0.3)

    def note(self, answer) -> bool:
        """Note the status of an answer, and tell whether it is 200."""
        self.statuses.add(answer.status_code)
        if answer.status_code == 503:
            self.errors.add(answer.json()["error"])
        return answer.status_code == 200


@pytest.mark.both_stores
@pytest.mark.parametrize(
    ("tables", "kills"), [(2, 2), pytest.param(20, 12, marks=pytest.mark.long)], ids=["quick", "twenty tables"]
)
def test_kill_9_at_random_moments_loses_no_answered_move(store, database, goofspiel, tables, kills):
    chance = random.Random(tables)
    where, number = (database.parent, 1) if store == SQLITE else (database, 2)
    with ServingProcess(where, goofspiel, processes=number) as server:
        players = [player for number in range(tables) for player in sit_down(server, number)]
        for player in players:
            player.start()
        for turn in range(kills):
            time.sleep(chance.uniform(0.2, 1.0))
            if turn % 2 == 0 and (serving := server.serving()):
                chance.choice(serving).kill()
            else:
                server.kill()
                server.start()
        play_to_the_end(players)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) in (0, -signal.SIGTERM)
    assert sum(len(player.taken) for player in players) > 10 * tables
    for player in players:
        check_answers(player, database)


def play_to_the_end(players):
    for player in players:
        player.join(GIVE_UP)
        assert player.over
        player.guest.http.close()


def check_answers(player, database):
    """Every move that the server has acknowledged is in the log, and no move is there twice."""
    made = answers_in_the_log(database, player.table)
    for answer in player.taken:
        assert made.count(answer) == 1


def test_moves_go_on_while_all_connections_to_the_database_are_cut(postgres, new_database, goofspiel):
    database, chance = new_database(), random.Random(4)
    with Pair(database, game_files=(goofspiel,)) as pair:
        players = [player for number in range(3) for player in sit_down(pair, number)]
        for player in players:
            player.start()
        cuts = 0
        while cuts < 6 or not any(503 in player.statuses for player in players):
            time.sleep(chance.uniform(0.1, 0.6))
            assert not all(player.over for player in players), "nobody has noticed a cut"
            postgres.cut_connections(database)
            cuts += 1
        play_to_the_end(players)
        assert {200, 503} <= {status for player in players for status in player.statuses} <= {200, 409, 503}
        assert {words for player in players for words in player.errors} <= {LATER, LOST}
    for player in players:
        check_answers(player, database)
    postgres.drop(database)


def sit_down(server, number):
    """Make a table, of either game, for two people or for one and a bot; return its players."""
    ann = server.guest("Ann")
    game = ("goofspiel", "goofspiel", "kings-court")[number % 3]
    if number % 3 == 1:
        return [Player(ann, ann.make(game, "me", "greedy", speed="fast"), number)]
    bo = server.guest("Bo")
    table = ann.make(game, "me", "open")
    bo.sit(table, 1)
    return [Player(ann, table, number), Player(bo, table, 100 + number)]


def answers_in_the_log(database, table):
    """Return the seat, decision and words of every move in a table's log, as its replay gives them."""
    asked = 'SELECT seq, seat, kind, text FROM entries WHERE "table" = :table ORDER BY seq'
    log = rows(database, asked, table=table)
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
