"""Acts at a table other than moves: sitting down, leaving, clocks, coming back, taking back, resigning."""

import asyncio
import contextlib
import html
import random
import re
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosedError

from quintain.server.clock import now
from quintain.server.pages import drawing as drawing_module
from quintain.server.store.store import Store
from quintain.server.tables import stewards as stewards_module
from quintain.server.tables import table as table_module
from quintain.server.tables.memory import Tables
from server.guests import PATIENCE, Serving, is_over, wait_until
from server.stores import execute
from server.test_drawing import begun

UNDO = '<button class="tool" form="undo"'
pytestmark = pytest.mark.both_stores


def test_the_last_to_sit_down_begins(serving):
    ann, bo, cy = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Cy")
    table = ann.make("goofspiel", "me", "open", "open")
    assert ann.view(table)["table"]["status"] == "waiting"
    bo.sit(table, 2)
    assert bo.post(f"/tables/{table}/seats/1").status_code == 409, "one seat is enough"
    assert cy.post(f"/tables/{table}/seats/2").status_code == 409, "it is taken"
    assert cy.post(f"/tables/{table}/seats/7").status_code == 404
    assert ann.view(table)["table"]["status"] == "waiting"
    cy.sit(table, 1)
    seats = ann.view(table)["table"]["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "Cy", "Bo"]
    assert ann.view(table)["table"]["status"] == "playing"


def test_a_bot_that_cannot_choose_tries_again_and_the_page_says_so(serving, monkeypatch):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "random")

    def is_told() -> bool:
        return "cannot choose just now, and tries again" in ann.get(f"/tables/{table}").text

    def is_told_or_plays() -> bool:
        ann.move_at_random(table, random.Random(1))
        return is_told()

    async def fail(*_):
        raise RuntimeError("no luck")

    with monkeypatch.context() as patched:
        for site in serving.sites:
            patched.setattr(site.tables.workers, "choose", fail)
        wait_until(is_told_or_plays)
    before = serving.table(table).seq
    wait_until(lambda: 1 in [entry.seat for entry in serving.table(table).match.moves_made[before:]])
    assert not is_told()


def test_a_wrong_list_of_seats_is_refused_in_words(serving):
    answer = serving.guest("Ann").post("/tables", game="kings-court", seats="me")
    assert answer.status_code == 400
    assert answer.json()["error"] == 'seats must be a whole number, or a list of who sits there, such as ["me", "open"]'


def test_bots_take_the_empty_seats_when_somebody_begins_without_waiting(serving):
    ann = serving.guest("Ann")
    table = ann.make("goofspiel", "me", "open", "open")
    seen = ann.post(f"/tables/{table}/start").json()
    assert [seat["kind"] for seat in seen["table"]["seats"]] == ["person", "bot", "bot"]
    names = [seat["name"] for seat in seen["table"]["seats"]]
    assert len(set(names)) == 3
    assert ann.post(f"/tables/{table}/start").status_code == 409


def test_a_player_who_gets_up_before_play_frees_the_seat(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open")

    def is_open():
        return table in [there["id"] for there in bo.get("/tables.json").json()["open_tables"]]

    assert is_open()
    assert ann.post(f"/tables/{table}/leave").status_code == 200
    assert not is_open(), "nobody waits there"
    bo.sit(table, 0)
    assert is_open()
    assert bo.view(table)["table"]["seats"][0]["name"] == "Bo"
    ann.sit(table, 1)
    assert ann.post(f"/tables/{table}/leave").status_code == 409, "play has begun"


def test_two_players_with_one_name_get_different_names(serving):
    ann, other = serving.guest("Ann"), serving.guest("ANN")
    table = ann.make("goofspiel", "me", "open")
    other.sit(table, 1)
    assert [seat["name"] for seat in ann.view(table)["table"]["seats"]] == ["Ann", "ANN 2"]


def test_the_lobby_lists_open_tables_but_no_private_ones_and_is_sent_again_for_new_ones(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    private = ann.make("goofspiel", "me", "open", private=True)
    with bo.listening() as lobby:
        lobby.recv(timeout=PATIENCE)
        table = ann.make("goofspiel", "me", "open", options={"cards": 7})
        pushed = lobby.recv(timeout=PATIENCE)
        assert table in pushed
        assert "Cards in a hand, and prizes: 7" in pushed
        assert private not in pushed
    assert private in {shown["id"] for shown in ann.get("/tables.json").json()["my_tables"]}
    bo.sit(private, 1)
    assert bo.view(private)["table"]["status"] == "playing", "who has the link may play"
    turns = {shown["id"]: shown["your_turn"] for shown in bo.get("/tables.json").json()["my_tables"]}
    assert turns == {private: True}


def test_the_lobby_says_what_is_asked_after_each_move_and_with_the_names_of_today(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("heirless", "me", "open", "open")
    cy = serving.guest("Cy")
    bo.sit(table, 1)
    cy.sit(table, 2)
    chance, seen = random.Random(2), set()
    for number in range(12):
        for guest in (ann, bo, cy):
            (listed,) = guest.get("/tables.json").json()["my_tables"]
            asked = guest.view(table)["view"]["question"]
            assert (listed["your_turn"], listed["question"]) == (bool(asked), asked["words"] if asked else "")
            seen.add(listed["question"])
        if number == 6:
            assert cy.post("/name", name="Cyrus").status_code == 200
        _ = [guest.move_at_random(table, chance) for guest in (ann, bo, cy)]
    assert len(seen) > 4


def test_the_lobby_is_drawn_once_for_equal_viewers_and_sent_only_to_those_who_see_a_change(serving, monkeypatch):
    ann, many = serving.guest("Ann"), [serving.guest() for _ in range(20)]
    lobbies, drawn = [site.lobby for site in serving.sites], []

    async def count(lobby, draw, players):
        pages = await draw(players)
        drawn.append((lobby, len(players), len({id(page) for page in pages.values()})))
        return pages

    for lobby in lobbies:
        monkeypatch.setattr(lobby, "_draw", partial(count, lobby, lobby._draw))
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(guest.listening()) for guest in (ann, *many)]
        before = [socket.recv(timeout=PATIENCE) for socket in sockets]
        assert len(set(before[1:])) == 1
        drawn.clear()
        ann.make("goofspiel", "me", "open", private=True)
        assert "1 table of yours waits for others" in sockets[0].recv(timeout=PATIENCE)
        wait_until(lambda: not any(lobby._waiting for lobby in lobbies))
        table = ann.make("goofspiel", "me", "open")
        pages = [socket.recv(timeout=PATIENCE) for socket in sockets]
        assert all(table in page for page in pages), "nobody was sent anything for the private table"
        assert "2 tables of yours wait for others" in pages[0] and len(set(pages[1:])) == 1
    whole = {count for count in drawn if count[1] > 1}
    assert sum(viewers for _, viewers, _ in whole) == 21
    assert sum(pages for *_, pages in whole) == 1 + len(lobbies), "one page for Ann, one for all others at a server"


def test_a_move_can_be_taken_back_once_and_only_by_its_player(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    before = ann.view(table)
    ann.move(table, before["menu"][0]["action"], before["table"]["decision"])
    after = ann.view(table)
    assert after["table"]["can_undo"]
    assert bo.post(f"/tables/{table}/undo", decision=1).status_code == 409
    assert ann.post(f"/tables/{table}/undo", decision=1).status_code == 409, "that is the decision before"
    assert ann.post(f"/tables/{table}/undo", decision=after["table"]["decision"]).status_code == 200
    again = ann.view(table)
    assert again["view"] == before["view"]
    assert again["table"]["decision"] == after["table"]["decision"] + 1
    assert ann.post(f"/tables/{table}/undo", decision=again["table"]["decision"]).status_code == 409


def test_after_a_resignation_the_others_play_on(serving):
    ann, bo, cy = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Cy")
    table = ann.make("goofspiel", "me", "open", "open", options={"cards": 4})
    bo.sit(table, 1)
    cy.sit(table, 2)
    assert bo.post(f"/tables/{table}/resign").status_code == 200
    assert bo.post(f"/tables/{table}/resign").status_code == 409
    chance = random.Random(1)
    wait_until(lambda: [guest.move_at_random(table, chance) for guest in (ann, cy)] and is_over(ann.view(table)))
    assert ann.view(table)["result"]["ranks"][1] == 3


def test_a_link_moves_a_seat_to_another_device_and_holds_once(serving):
    ann, bo, phone = serving.guest("Ann"), serving.guest("Bo"), serving.guest()
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    link = re.search(r"/seat/[\w.-]+", serving_context(serving, ann, table)["table"]["move_link"])[0]
    assert "Ann" in phone.get(link).text
    assert ann.view(table)["table"]["you"] == 0, "to look at the link moves nothing"
    assert phone.submit(link).headers["location"] == f"/tables/{table}"
    assert phone.view(table)["table"]["you"] == 0
    assert phone.view(table)["menu"]
    assert ann.view(table)["table"]["you"] is None
    assert bo.submit(link).status_code == 410
    back = re.search(r"/seat/[\w.-]+", serving_context(serving, phone, table)["table"]["move_link"])[0]
    assert ann.submit(back).headers["location"] == f"/tables/{table}"
    assert ann.view(table)["table"]["you"] == 0
    assert phone.submit(link).status_code == 410, "the first link holds no more, though the seat is where it was"
    assert ann.view(table)["table"]["you"] == 0
    assert phone.get("/seat/WzEsMiwzXQ.forged").status_code == 404


def serving_context(serving, guest, table):
    """Return the values of a guest's page."""
    from quintain.server.pages.contexts import table_context
    from quintain.server.tables.live_table import Viewing

    live, site = serving.live(table), serving.site
    player, *_ = site.signer.session(guest.http.cookies["quintain_player"])
    seat = live.table.seat_of(player)
    from quintain.server.people.players import Visitor

    visitor = Visitor(player, None, "", "auto")
    return table_context(
        Viewing.of(live, visitor),
        "http://x",
        f"http://x/seat/{site.signer.seat_token(table, seat, player, live.table.seats[seat].moved)}",
    )


def test_a_seat_without_choice_is_played_on_but_not_where_a_move_could_be_taken_back(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    for _ in range(5):
        seen = ann.view(table)
        ann.move(table, seen["menu"][0]["action"], seen["table"]["decision"])
    assert len(ann.view(table)["menu"]) == 1, "one counter is left for the last house"
    assert ann.view(table)["table"]["can_undo"]
    assert len(serving.table(table).match.moves_made) == 5
    for _ in range(2):
        goofspiel = ann.make("goofspiel", "me", "open", options={"cards": 2})
        bo.sit(goofspiel, 1)
        for guest in (ann, bo):
            seen = guest.view(goofspiel)
            guest.move(goofspiel, seen["menu"][0]["action"], seen["table"]["decision"])
        wait_until(lambda: is_over(ann.view(goofspiel)))  # noqa: B023
    assert len(serving.table(table).match.moves_made) == 5


def test_the_server_plays_on_for_a_person_only_where_everybody_sees_that_there_is_no_choice(serving):
    """RW-10 may leave only one card to add. A forced move would reveal that, so the player is asked."""
    ann, bo, chance = serving.guest("Ann"), serving.guest("Bo"), random.Random(2)
    hidden = games = 0
    while not hidden:
        games += 1
        assert games <= 5, "in no game has a seat one move without everybody seeing it"
        table = ann.make("rune-war", "me", "open")
        bo.sit(table, 1)
        while not is_over(ann.view(table)) and not hidden:
            live = serving.table(table)
            match = live.match
            alone = [seat for seat in match.to_act if len(match.moves(seat)) == 1 and not match.can_undo(seat)]
            hidden = sum(not match.is_openly_forced(seat) for seat in alone)
            if hidden:
                assert not any(live.is_openly_forced(seat) for seat in alone)
                assert serving.site.tables.stewards.next_duty(serving.live(table)) is None
            else:
                ann.move_at_random(table, chance) or bo.move_at_random(table, chance)
    (seat,) = alone
    player = (ann, bo)[seat]
    before, (only,) = len(match.moves_made), match.moves(seat)
    assert player.post(f"/tables/{table}/passing", passing="perhaps").status_code == 422
    assert player.post(f"/tables/{table}/passing", passing="yes").status_code == 200
    wait_until(lambda: len(match.moves_made) > before)
    assert match.moves_made[before].text == only.text, "now they want it made"
    assert player.post(f"/tables/{table}/passing", passing="no").status_code == 200
    assert not live.is_passing(seat)


def test_without_script_a_page_reloads_until_its_viewer_has_a_decision(tmp_path, goofspiel):
    with Serving(tmp_path, pace=1000.0, game_files=(goofspiel,)) as serving:
        ann, bo, guest = serving.guest("Ann"), serving.guest("Bo"), serving.guest()
        table = ann.make("goofspiel", "me", "open", options={"cards": 2})

        def who_waits() -> str:
            pages = {who: one.get(f"/tables/{table}").text for who, one in zip("abg", (ann, bo, guest), strict=True)}
            return "".join(who for who, page in pages.items() if '<meta http-equiv="refresh" content="5">' in page)

        assert who_waits() == "abg", "somebody is missing"
        bo.sit(table, 1)
        assert who_waits() == "g"
        ann.click(table, random.Random(1))
        assert who_waits() == "ag"
        bo.click(table, random.Random(1))
        assert [len(one.view(table)["menu"]) for one in (ann, bo)] == [1, 1]
        assert who_waits() == "abg", "the last cards are played by themselves"


def test_without_script_the_page_of_the_end_stays_unless_its_viewer_waits_for_the_next_game(tmp_path, goofspiel):
    with Serving(tmp_path, pace=0.0, game_files=(goofspiel,)) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table = ann.make("goofspiel", "me", "open", options={"cards": 2})
        bo.sit(table, 1)

        def reloads() -> list[bool]:
            return ['<meta http-equiv="refresh"' in one.get(f"/tables/{table}").text for one in (ann, bo)]

        for player in (ann, bo):
            player.click(table, random.Random(1))
        wait_until(lambda: ann.view(table)["result"])
        wait_until(lambda: not any(reloads()))
        ann.post(f"/tables/{table}/rematch")
        assert reloads() == [True, False], "Ann waits for Bo to agree"
        bo.post(f"/tables/{table}/rematch")
        assert reloads() == [False, False], "the next table is there"


def against_the_clock(impatient):
    """Let two people sit down at a table with a clock."""
    ann, bo = impatient.guest("Ann"), impatient.guest("Bo")
    table = ann.make("goofspiel", "me", "open", clock="30")
    bo.sit(table, 1)
    return ann, bo, table


def test_a_bot_plays_on_for_a_leaver_who_may_come_back(impatient):
    ann, bo, table = against_the_clock(impatient)
    chance = random.Random(1)

    def play():
        ann.move_at_random(table, chance)
        return ann.view(table)["table"]["seats"][1]["stand_in"]

    assert ann.view(table)["table"]["seats"][1]["seconds_left"]
    wait_until(play)
    before = len(ann.view(table)["log"])
    wait_until(lambda: ann.move_at_random(table, chance) and len(ann.view(table)["log"]) > before + 4)
    assert not ann.view(table)["table"]["seats"][0]["stand_in"]
    bo.sit(table, 1)
    assert not bo.view(table)["table"]["seats"][1]["stand_in"]


def test_a_move_brings_a_leaver_back(impatient):
    ann, bo, table = against_the_clock(impatient)
    chance = random.Random(1)

    def played_on():
        bo.move_at_random(table, chance)
        return ann.view(table)["table"]["seats"][0]["stand_in"]

    def is_faster_than_the_bot():
        bo.move_at_random(table, chance)
        return ann.move_at_random(table, chance)

    wait_until(played_on)
    wait_until(is_faster_than_the_bot)
    assert not ann.view(table)["table"]["seats"][0]["stand_in"]


def test_a_step_of_a_secret_choice_sends_others_nothing_and_moves_no_deadline(serving):
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest()
    table = ann.make("rune-war", "me", "open", clock="60")
    bo.sit(table, 1)
    with bo.watching(table) as his, eve.watching(table) as hers:
        others = ((bo, his), (eve, hers))

        def seen_by_others():
            return [without_time(guest.view(table)) for guest, _ in others]

        for _, socket in others:
            assert "to act" in until(socket, lambda page: page.count(" away") == 1)
        wait_until(
            lambda: all(guest.view(table)["table"]["seats"][1]["connected"] for guest, _ in others for _ in range(6))
        )
        before = seen_by_others()
        left = ann.view(table)["table"]["seats"][0]["seconds_left"]
        assert 0 < left <= 60
        for words in ("lay", "lay at", "undo", "lay at", "lay", "lay at"):
            seen = ann.view(table)
            decision = seen["table"]["decision"]
            if words == "undo":
                assert ann.post(f"/tables/{table}/undo", decision=decision).status_code == 200
            else:
                choice = next(choice for choice in seen["menu"] if choice["words"].startswith(words))
                assert ann.move(table, choice["action"], decision).status_code == 200
            assert seen_by_others() == before
            before_step, left = left, ann.view(table)["table"]["seats"][0]["seconds_left"]
            assert 0 < left < before_step
        ann.move(table, "done", ann.view(table)["table"]["decision"])
        assert seen_by_others() != before
        for _, socket in others:
            page = socket.recv(timeout=PATIENCE)
            assert page.count(" to-act") == 1, "nothing came in between"
            assert re.search(r'<time class="clock" data-left="[345]\d\.\d\d"><b>(0:[345]\d|1:00)</b>', page)
    record = [entry.kind for entry in serving.table(table).match.moves_made]
    assert record.count("undo") == 1


def test_a_step_in_secret_does_not_show_in_what_others_can_take_back(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("rune-war", "me", "open")
    bo.sit(table, 1)

    def play(guest):
        seen = guest.view(table)
        assert guest.move(table, seen["menu"][0]["action"], seen["table"]["decision"]).status_code == 200

    with ann.watching(table) as hers:
        play(ann)
        assert UNDO in until(hers, lambda page: UNDO in page)
        before = ann.view(table)
        play(bo)
        assert ann.view(table) == before
        his = bo.view(table)
        ann.post(f"/tables/{table}/undo", decision=before["table"]["decision"])
        assert ann.view(table)["table"]["can_undo"] is False
        assert UNDO not in hers.recv(timeout=PATIENCE), "nothing came in between"
        assert bo.view(table) == his


def test_taking_a_move_back_gives_no_new_time(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open", clock="60")
    bo.sit(table, 1)
    chance, in_turn = random.Random(2), 0

    def deadline():
        """Return when Ann's time is up, her decision, and whether she can take her move back."""
        while True:
            asked = now()
            seen = ann.view(table)["table"]
            if now() - asked < 0.05:  # a slow answer tells the time too roughly
                return asked + seen["seats"][0]["seconds_left"], seen["decision"], seen["can_undo"]

    while in_turn < 3:
        wait_until(lambda: not bo.move_at_random(table, chance) and ann.view(table)["menu"])
        (before, decision, _), menu = deadline(), ann.view(table)["menu"]
        time.sleep(0.2)
        ann.move(table, menu[0]["action"], decision)
        if not (then := ann.view(table)["menu"]):
            continue
        is_together = all(each[0]["words"].startswith("put") for each in (menu, then))
        after, decision, can_undo = deadline()
        assert (after > before + 0.15) != is_together
        if can_undo:
            ann.post(f"/tables/{table}/undo", decision=decision)
            again, decision, _ = deadline()
            assert again == pytest.approx(before, abs=0.1)
            in_turn += not is_together
            ann.move(table, first_action(ann, table), decision)


def first_action(guest, table):
    """Return the first action of somebody's menu."""
    return guest.view(table)["menu"][0]["action"]


@pytest.mark.parametrize(
    ("game_id", "clock", "steps"), [("kings-court", "30", 6), ("kings-court", "week", 6), ("heirless", "60", 4)]
)
def test_a_choice_of_several_steps_at_the_same_time_has_one_clock(serving, game_id, clock, steps):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make(game_id, "me", "open", clock=clock)
    bo.sit(table, 1)
    times = serving.table(table).times
    begun = list(times.timed_from)
    for step in range(steps):
        for guest in (ann, bo):
            assert times.timed_from == begun, f"step {step}"
            guest.move(table, first_action(guest, table), guest.view(table)["table"]["decision"])
    wait_until(lambda: max(serving.table(table).times.timed_from) > max(begun))


def without_time(seen: dict) -> dict:
    """Return what somebody sees of a table, but for how much time is left until a deadline."""
    for seat in seen["table"]["seats"]:
        seat["has_clock"] = seat.pop("seconds_left") is not None
        del seat["clock_words"]
    return seen


def until(socket, holds) -> str:
    """Return the first page that comes over a socket and for which something holds."""
    while not holds(page := socket.recv(timeout=PATIENCE)):
        pass
    return page


@pytest.mark.parametrize(
    ("ago", "level", "thoughts", "wait"),
    [
        (0.0, "random", [], 3.2),
        (3.0, "random", [0.1, 0.1], 3.2),
        (4.0, "random", [0.1], 6.4),
        (20.0, "random", [], 25.6),
        (1.0, "champion", [], 4.8),
        (1.0, "champion", [0.0, 0.5], 4.8),
        (1.0, "knight", [0.0, 2.5], 6.4),
    ],
)
def test_the_time_at_which_a_bot_ends_a_secret_choice_does_not_depend_on_its_steps(ago, level, thoughts, wait):
    live = begun("rune-war", 2)
    table = live.table
    for seat in table.seats:
        seat.bot, seat.player = level, None
    live.thoughts[0].extend(thoughts)
    table.times.asked_at, live.opened_at = [now() - ago] * 2, 0.0
    stewards = Tables(None, None, None, None).stewards
    assert stewards._end_of_secret(live, 0) - table.times.asked_at[0] == pytest.approx(wait, abs=0.01)


@pytest.mark.parametrize(
    ("level", "speed", "ago", "waited", "wait"),
    [
        ("squire", "fast", 0.0, 0.0, 0.2),
        ("knight", "fast", 0.0, 0.0, 0.4),
        ("knight", "fast", 0.3, 0.0, 0.4),
        ("champion", "fast", 0.0, 0.0, 1.2),
        ("champion", "fast", 1.05, 0.0, 1.2),
        ("champion", "usual", 0.0, 0.0, 1.6),
        ("champion", "usual", 0.0, 0.9, 2.4),
        ("champion", "usual", 5.0, 0.0, 5.6),
        ("random", "usual", 0.0, 0.0, 0.8),
    ],
)
def test_a_bot_moves_after_the_time_that_its_level_may_think_even_if_it_has_one_move(level, speed, ago, waited, wait):
    live = begun("kings-court", 2)
    table = live.table
    table.folded.row = replace(table.row, speed=speed)
    table.seats[0].bot, table.times.asked_at = level, [now() - ago] * 2
    stewards = Tables(None, None, None, None).stewards
    assert stewards._next_beat(live, 0, waited) - table.times.asked_at[0] == pytest.approx(wait, abs=0.01)


def test_a_bot_makes_the_steps_of_a_secret_choice_without_pauses_and_shows_its_end_at_a_set_time(tmp_path):
    with Serving(tmp_path, pace=0.5) as serving:
        ann = serving.guest("Ann")
        for _ in range(2):
            table = ann.make("rune-war", "me", "random")
            log = serving.table(table)
            wait_until(lambda: log.match.moves_made)  # noqa: B023 - the first time the worker starts
        wait_until(lambda: 1 not in log.match.to_act)
        begun_at, shown_at = log.row.begun, log.times.asked_at
        steps = [entry for entry in log.match.moves_made if entry.seat == 1]
        assert len(steps) >= 3 and steps[-1].text == "done"
        assert 1 not in log.in_secret and shown_at[1] == begun_at
        written = asyncio.run(entries_of(serving, table))
        beat = 0.5 * table_module.SPEEDS["usual"]
        assert written[-1].at - begun_at >= stewards_module.SECRET_BEATS * beat


async def entries_of(serving, table):
    async with Store.open(serving.site.config.database) as store:
        return await store.entries(table)


def test_bots_play_on_after_a_start_with_a_clock_that_is_behind(start, database):
    with start() as serving:
        ann = serving.guest("Ann")
        table = ann.make("kings-court", "me", "random", clock="60")
        cookies = dict(ann.http.cookies)
        wait_until(lambda: serving.table(table).match.to_act == {0} or ann.move_at_random(table, random.Random(1)))
    execute(database, "UPDATE entries SET at = at + 86400")
    with start(pace=0.01) as serving:
        ann = serving.guest()
        ann.http.cookies.clear()
        ann.http.cookies.update(cookies)
        ann.csrf = ann.get("/tables.json").json()["csrf"]
        assert ann.view(table)["table"]["seats"][0]["seconds_left"] < 61
        chance = random.Random(1)
        wait_until(lambda: not ann.move_at_random(table, chance) and 1 in acted(serving, table))
        wait_until(lambda: not ann.move_at_random(table, chance) and is_over(ann.view(table)))


def acted(serving, table) -> set[int]:
    return {entry.seat for entry in serving.table(table).match.moves_made}


def test_the_servers_clock_does_not_follow_changes_of_the_machines_clock(monkeypatch):
    before = now()
    monkeypatch.setattr(time, "time", lambda: before - 86400)
    assert before <= now() < before + 30


def test_a_table_without_a_clock_waits_for_ever(impatient):
    ann, bo = impatient.guest("Ann"), impatient.guest("Bo")
    table = ann.make("goofspiel", "me", "open")
    bo.sit(table, 1)
    assert ann.view(table)["table"]["seats"][0]["seconds_left"] is None
    assert impatient.site.tables.stewards.next_duty(impatient.live(table)) is None


def test_after_a_restart_the_tables_are_as_they_were_and_bots_play_on(start, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table = ann.make("kings-court", "me", "open")
        bo.sit(table, 1)
        chance = random.Random(1)
        for _ in range(30):
            ann.move_at_random(table, chance) or bo.move_at_random(table, chance)
        seen = [ann.view(table), bo.view(table)]
        cookies = [dict(guest.http.cookies) for guest in (ann, bo)]
    with start(game_files=(goofspiel,)) as serving:
        for before, cookie in zip(seen, cookies, strict=True):
            guest = serving.guest()
            guest.http.cookies.clear()
            guest.http.cookies.update(cookie)
            assert guest.view(table) == before


def test_a_finished_game_of_rules_that_are_gone_can_still_be_read(tmp_path, goofspiel):
    with Serving(tmp_path) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table, other = (ann.make("goofspiel", "me", "open") for _ in range(2))
        for made in (table, other):
            bo.sit(made, 1)
        ann.move(table, "bid 3", 1)
        ann.post(f"/tables/{table}/resign")
        record = ann.get(f"/tables/{table}/record.json").json()
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as connection, connection:
        made = "json_set(text, '$.version', 0, '$.game', 'forgotten')"
        connection.execute(f"update entries set text = {made} where kind = 'made'")
    with Serving(tmp_path) as serving:
        eve = serving.guest()
        page = html.unescape(eve.get(f"/tables/{table}").text)
        assert "Bo wins" in page and "Ann placed a bid." in page
        assert eve.get(f"/tables/{table}/record.json").json() == record
        assert eve.get(f"/tables/{table}.json").status_code == 410
        assert eve.get(f"/tables/{other}").status_code in (404, 410)
        assert eve.get("/").status_code == 200


def test_a_table_that_was_full_when_the_server_was_killed_begins(start, database):
    with start() as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table = ann.make("goofspiel", "me", "open")
        bo.sit(table, 1)
    execute(database, "DELETE FROM entries WHERE kind = 'begun'")
    with start() as serving:
        assert serving.guest().view(table)["table"]["status"] == "playing"


def test_a_replay_is_stepped_through_from_any_seat(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open", options={"cards": 3})
    bo.sit(table, 1)
    assert ann.get(f"/tables/{table}/replay").status_code == 409
    chance = random.Random(1)
    wait_until(lambda: [guest.move_at_random(table, chance) for guest in (ann, bo)] and is_over(ann.view(table)))
    pages = [bo.get(f"/tables/{table}/replay?step={step}{seat}").text for step in range(7) for seat in ("", "&seat=1")]
    assert len(set(pages)) == 14
    past = [re.sub(r'<li class="to-come">.*?</li>', "", page) for page in pages]
    assert "won the prize of 3" in pages[0] and "won the prize of 3" not in past[0]
    assert "won the prize of 3" in past[4]
    assert ann.get(f"/tables/{table}/replay?step=1&seat=9").status_code == 404


def test_a_replay_step_without_a_line_in_the_log_shows_its_move_to_its_player_and_to_spectators(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("robin", "me", "open")
    bo.sit(table, 1)
    for words in ("choose a new set", "take Friar Tuck"):
        assert ann.move(table, words, ann.view(table)["table"]["decision"]).is_success
    assert ann.post(f"/tables/{table}/resign").is_success
    shown = [
        re.search(r'"step-words">(.*?)</h2', bo.get(f"/tables/{table}/replay?step={step}{seat}").text)[1]
        for step in (0, 2)
        for seat in ("", "&seat=0", "&seat=1")
    ]
    assert shown == ["The deal"] * 3 + ["Ann: take Friar Tuck"] * 2 + ["Ann chooses in secret"]


def test_why_says_the_clause_that_forbids_a_move(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    page = html.unescape(ann.get(f"/tables/{table}?why=0", headers={"hx-request": "true"}).text)
    assert "/rules/kings-court#KC-4" in page
    assert "<html" not in page
    whole = html.unescape(ann.get(f"/tables/{table}?why=0").text)
    assert "<html" in whole
    assert page.strip() in whole
    assert 'id="KC-4"' in ann.get("/rules/kings-court").text
    legal = ann.view(table)["menu"][0]["action"]
    assert "This can be done now." in ann.get(f"/tables/{table}?why={legal}").text
    assert "you are not playing here" in serving.guest().get(f"/tables/{table}?why={legal}").text
    assert ann.get(f"/tables/{table}?why=9999").status_code == 422
    assert ann.get(f"/tables/{table}?why=x").status_code == 400


def test_htmx_gets_the_part_of_the_page_that_it_swaps_unless_the_socket_brings_it(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    moves, htmx = f"/tables/{table}/moves", {"hx-request": "true", "accept": "text/html"}
    menu = ann.view(table)["menu"]

    def post(number, decision):
        fields = {"csrf": ann.csrf, "action": menu[number]["action"], "decision": decision}
        return ann.http.post(moves, data=fields, headers=htmx)

    stale = post(0, 9)
    assert (stale.status_code, "<html" in stale.text, 'id="table-body"' in stale.text) == (409, False, True)
    assert "the table has changed since" in stale.text
    forged = ann.http.post(moves, data={"csrf": "forged"}, headers=htmx)
    assert (forged.status_code, forged.headers["hx-retarget"]) == (403, "#notice")
    assert "<html" not in forged.text and "made for somebody else" in forged.text
    taken = post(0, 1)
    assert (taken.status_code, 'id="table-body"' in taken.text) == (200, True)
    with ann.watching(table) as socket:
        socket.recv(timeout=PATIENCE)
        # Of two servers each must hear of the socket first; requests go to either.
        wait_until(lambda: all(post(0, 9).headers.get("hx-retarget") == "#notice" for _ in range(8)))
        assert ann.post(f"/tables/{table}/undo", decision=2).status_code == 200
        assert post(1, 3).status_code == 204
        stale = post(0, 9)
        assert (stale.status_code, stale.headers["hx-retarget"]) == (409, "#notice")
        assert stale.text.startswith('<p class="notice" id="notice"') and "the table has changed since" in stale.text
        assert socket.recv(timeout=PATIENCE)


def test_a_view_that_fails_closes_the_socket_so_that_the_browser_comes_again(serving, monkeypatch):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "open")
    with ann.watching(table) as socket, pytest.raises(ConnectionClosedError) as closed:
        socket.recv(timeout=PATIENCE)
        monkeypatch.setattr(drawing_module, "draw", lambda *_: 1 / 0)
        serving.guest("Bo").sit(table, 1)
        socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd.code == 1011


def test_a_visitor_without_a_name_is_asked_for_one_or_posts_it_along(serving):
    guest = serving.guest()
    asked = guest.submit("/play/goofspiel")
    assert (asked.status_code, asked.headers["location"]) == (303, "/name?next=/play/goofspiel")
    form = html.unescape(guest.get(asked.headers["location"]).text)
    assert 'action="/play/goofspiel"' in form and 'name="name"' in form
    begun = serving.guest().submit("/play/goofspiel", name="Newcomer")
    assert begun.status_code == 303 and begun.headers["location"].startswith("/tables/")
    assert 'action="/name"' in html.unescape(guest.get("/name").text)
    table = serving.guest("Ann").make("goofspiel", "me", "open")
    assert guest.submit(f"/tables/{table}/seats/1").headers["location"] == f"/name?next=/tables/{table}"
    assert guest.post(f"/tables/{table}/seats/1").status_code == 403
    assert guest.post(f"/tables/{table}/seats/1", name="Zoë").status_code == 200
    assert guest.view(table)["table"]["seats"][1]["name"] == "Zoë"
    assert guest.submit("/play/goofspiel").headers["location"].startswith("/tables/")


def test_previews_say_what_the_own_moves_would_do_and_nothing_of_others(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open", seed="05" * 32)
    bo.sit(table, 1)
    for guest in (ann, bo):
        while (shown := guest.view(table))["menu"] and shown["view"]["question"]["key"] == "counters":
            guest.move(table, shown["menu"][0]["action"], shown["table"]["decision"])
    asked, other = (ann, bo) if ann.view(table)["menu"] else (bo, ann)
    shown = asked.view(table)
    found = asked.get(f"/tables/{table}/previews").json()
    assert found["decision"] == shown["table"]["decision"]
    words = {str(act["action"]): act["words"] for act in shown["menu"]}
    assert set(found["previews"]) <= set(words)
    even = {action: preview for action, preview in found["previews"].items() if words[action][-1] in "2468"}
    assert even
    for action, preview in even.items():
        brought = f"Influence 0 \N{RIGHTWARDS ARROW} {words[action][-1]}"
        assert any(brought in line["words"] for line in preview["lines"])
    assert '<span class="preview is-' in asked.get(f"/tables/{table}").text, "a whole page has them without script"
    assert other.get(f"/tables/{table}/previews").json()["previews"] == {}
    eve = serving.guest("Eve")
    assert eve.get(f"/tables/{table}/previews").json() == eve.get(f"/tables/{table}/previews?chosen=garbage.9").json()
    assert eve.get("/tables/nowhere/previews").status_code == 404


def test_a_chosen_piece_has_the_previews_of_its_own_actions(serving):
    ann = serving.guest("Ann")
    table = ann.make("rune-war", "me", "random")
    shown = ann.view(table)
    pieces = [piece for zone in shown["view"]["zones"] for piece in zone["pieces"] if piece["acts"]]
    asked = set()
    for piece in pieces[:3]:
        found = ann.get(f"/tables/{table}/previews?chosen={piece['id']}").json()["previews"]
        paths = [(act["action"], act["then"]) for act in piece["acts"]]
        own = {"+".join(str(action) for action in path if action is not None) for path in paths}
        assert own & set(found) and set(found) <= own | asked, "those of the pieces that were chosen before are kept"
        asked |= own
    assert ann.get(f"/tables/{table}/previews?chosen=nothing").json() == ann.get(f"/tables/{table}/previews").json()


def test_the_levels_are_offered_the_weakest_first_and_nothing_else_can_be_seated(serving):
    ann = serving.guest("Ann")
    last = ("random", "greedy")
    all_of_them = ("page", "squire", "minstrel", "knight", "champion", "grandmaster", *last)
    for game, offered in (("goofspiel", ("page", "squire", "knight", "champion", *last)), ("robin", all_of_them)):
        page = ann.get(f"/new/{game}").text
        places = [page.index(f'value="{level}"') for level in offered]
        assert places == sorted(places)
        assert ('value="minstrel"' in page) == ("minstrel" in offered)
    answer = ann.post("/tables", game="goofspiel", seats=["me", "os:system"])
    assert answer.status_code == 422
    assert "there is no bot" in answer.json()["error"]


def test_a_bot_of_the_search_plays_and_says_what_people_should_know(serving):
    ann = serving.guest("Ann")
    table = ann.make("goofspiel", "me", "squire", options={"cards": 3})
    chance = random.Random(1)
    wait_until(lambda: not ann.move_at_random(table, chance) and is_over(ann.view(table)))
    assert isinstance(ann.view(table)["table"]["seats"][1]["note"], str)


def test_tables_that_nobody_watches_are_forgotten_and_found_again(serving, monkeypatch):
    from quintain.server.tables import memory as service

    def most_in_memory():
        return max(len(site.tables._opening) for site in serving.sites)

    def fill_memory():
        for _ in range(len(serving.sites) * (most_in_memory() + 4)):
            ann.make("kings-court", "me", "open")

    monkeypatch.setattr(service, "MOST_IN_MEMORY", most_in_memory() + 1)
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    forgotten = ann.make("kings-court", "me", "open")
    bo.sit(forgotten, 1)

    def copies():
        return [site for site in serving.sites if forgotten in site.tables._opening]

    before = ann.view(forgotten)
    ann.move(forgotten, before["menu"][0]["action"], before["table"]["decision"])
    moved = ann.view(forgotten)
    with ann.watching(forgotten):
        fill_memory()
        assert copies(), "who watches a table keeps it"
    wait_until(lambda: not serving.live(forgotten).watchers)
    fill_memory()
    assert not copies()
    again = ann.view(forgotten)
    assert (again["view"], again["log"]) == (moved["view"], moved["log"])


def test_each_seat_chooses_a_deck_or_brings_one_and_learns_what_is_wrong_with_it(serving):
    from quintain.games.round_table.decks import ready_made, short_list

    ann = serving.guest("Ann")
    page = ann.get("/new/round-table?seats=3").text
    for seat in range(3):
        assert f'name="option.decks.{seat}"' in page and f'name="option.decks.{seat}.text"' in page
    form = {"game": "round-table", "seats": "2", "seat.0": "me", "seat.1": "open", "option.cards": ""}
    own = ready_made("hedge-host").replace("2 Good Sword", "1 Good Sword\n1 Fine Lance")
    decks = {"option.decks.0": "great-houses", "option.decks.0.text": own, "option.decks.1": "crowned-heads"}
    made = ann.submit("/tables", **form, **decks)
    assert made.status_code == 303
    table = serving.table(made.headers["location"].rpartition("/")[2])
    assert table.row.options["decks"] == [short_list(own), "crowned-heads"]
    assert "The deck that each seat plays: of their own, crowned-heads" in serving.guest("Bo").get("/").text

    refused = ann.submit("/tables", **form, **(decks | {"option.decks.0.text": own.replace("1 Kay", "1 Key")}))
    assert refused.status_code == 422
    assert "Deck 1, line 10: there is no card 'Key' (RT-4)" in html.unescape(refused.text)
    assert "1 Key" in refused.text, "what was typed is still there"
    refused = ann.submit("/tables", **(form | {"option.cards": '[[knight]]\nname = "Ulfius"'}), **decks)
    assert refused.status_code == 422 and "ine 1, Ulfius: rp is missing" in refused.text and "RT-33" in refused.text
    refused = ann.submit("/tables", **(form | {"option.regions": "4"}), **decks)
    assert refused.status_code == 422 and "RT-3" in refused.text


def test_no_seat_makes_the_log_grow_without_bound(serving, monkeypatch):
    """What changes nothing is not written, and what somebody changes again and again is refused at some time."""
    monkeypatch.setattr(table_module, "MOST_REPEATED", 4)
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open", "open")
    for _ in range(4):
        assert bo.post(f"/tables/{table}/seats/1").status_code == 200
        assert bo.post(f"/tables/{table}/leave").status_code == 200
    answer = bo.post(f"/tables/{table}/seats/1")
    assert answer.status_code == 429 and "too often" in answer.json()["error"]
    table = ann.make("goofspiel", "me", "open", options={"cards": 3})
    bo.sit(table, 1)
    acts = [("speed", {"speed": "fast"}), ("speed", {"speed": "fast"}), ("speed", {"speed": "slow"})]
    acts += [("passing", {"passing": "yes"}), ("passing", {"passing": "yes"}), ("passing", {"passing": "no"})]
    for path, fields in acts:
        assert ann.post(f"/tables/{table}/{path}", **fields).status_code == 200
    assert serving.table(table).seq == 3 + 4, "made, seated, begun, and four that changed something"
    assert ann.post(f"/tables/{table}/speed", speed="fast").status_code == 429
    assert ann.post(f"/tables/{table}/passing", passing="yes").status_code == 429
    assert bo.post(f"/tables/{table}/passing", passing="yes").status_code == 200, "each seat has its own measure"
    for one in (ann, bo):
        assert one.post(f"/tables/{table}/resign").status_code in (200, 409)
    assert ann.post(f"/tables/{table}/rematch", agrees="yes").status_code == 429
    answers = [bo.post(f"/tables/{table}/rematch", agrees=agrees).status_code for agrees in ("yes", "no", "yes", "no")]
    assert answers == [200, 200, 200, 429]


def test_moves_taken_back_again_and_again_are_refused_at_some_time(serving, monkeypatch):
    monkeypatch.setattr(table_module, "MOST_REPEATED", 3)
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    chance = random.Random(2)
    undone = []
    for _ in range(400):
        for one in (ann, bo):
            seen = one.view(table)
            if seen["can_undo"] and one is ann:
                undone.append(one.post(f"/tables/{table}/undo", decision=seen["table"]["decision"]).status_code)
            else:
                one.move_at_random(table, chance)
        if undone and undone[-1] != 200:
            break
    assert undone == [200, 200, 200, 429]
