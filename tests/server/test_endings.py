"""The end of a game on the server: its story comes with the page or soon after, and its curve is drawn in numbers."""

import random
import re
import time
from html import unescape
from itertools import pairwise

import pytest

from quintain.engine.play.course import Course
from quintain.engine.play.story import Curve
from quintain.server.pages.endings import drawn
from quintain.server.tables import stories
from server.guests import is_over, wait_until

WAITING, SLOW = 30, 60
"""Seconds that a test waits for a story, and the pieces into which a slow one cuts each step."""


def ended(serving, *guests, cards=3):
    """Return a table at which two people have played Goofspiel to the end."""
    ann, bo = guests
    table = ann.make("goofspiel", "me", "open", options={"cards": cards})
    bo.sit(table, 1)
    chance = random.Random(2)
    wait_until(lambda: [guest.move_at_random(table, chance) for guest in guests] and is_over(ann.view(table)))
    return table


def test_the_page_of_the_end_has_its_four_parts_and_each_moment_leads_to_its_step(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ended(serving, ann, bo)
    told = ann.view(table)["result"]["story"]
    page = unescape(ann.get(f"/tables/{table}").text)
    for part in ('id="result-words"', 'id="grid"', 'class="lines-of-seats"', 'id="turned"'):
        assert part in page
    linked = re.findall(rf'href="/tables/{table}/replay\?step=(\d+)"', page)
    assert [int(step) for step in linked] == [each["step"] for each in told["turned"]]
    for step in linked:
        assert bo.get(f"/tables/{table}/replay?step={step}").status_code == 200


def test_who_lost_reads_other_words_than_who_won_and_than_who_watched(serving):
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Eve")
    table = ann.make("goofspiel", "me", "open", options={"cards": 3})
    bo.sit(table, 1)
    assert bo.post(f"/tables/{table}/resign").status_code == 200
    tones = {
        "is-won": (ann, "You win</h2>"),
        "is-lost": (bo, "You lose to Ann</h2>"),
        "is-watched": (eve, "Ann wins</h2>"),
    }
    for tone, (guest, words) in tones.items():
        page = guest.get(f"/tables/{table}").text
        assert words in page and {each for each in tones if f"ending {each}" in page} == {tone}
        assert "resigned in round 1" in page


def test_the_end_says_why_it_came_and_for_whom_each_moment_counted(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ended(serving, ann, bo)
    page, told = unescape(ann.get(f"/tables/{table}").text), ann.view(table)["result"]["story"]
    assert told["ended"] and told["ended"] in page
    for each in told["turned"]:
        assert f'title="+{each["worth"]} for {("Ann", "Bo")[each["seat"]]}"' in page


def test_who_has_agreed_to_play_again_is_led_to_the_new_table(serving):
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Eve")
    table = ended(serving, ann, bo)
    ann.post(f"/tables/{table}/rematch")
    assert "data-next" not in ann.get(f"/tables/{table}").text, "Bo has not agreed yet"
    again = bo.post(f"/tables/{table}/rematch").json()["table"]["id"]
    for guest in (ann, bo):
        assert f'data-next="/tables/{again}"' in unescape(guest.get(f"/tables/{table}").text)
    assert "data-next" not in eve.get(f"/tables/{table}").text


@pytest.fixture
def slow(monkeypatch):
    """Make stories slowly, and let no page wait for them."""
    play = Course.play

    def slowly(course):
        for _ in play(course):
            for _ in range(SLOW):
                time.sleep(0.005)
                yield

    monkeypatch.setattr(Course, "play", slowly)
    monkeypatch.setattr(stories, "PATIENCE", 0)


def test_the_result_comes_first_and_the_story_by_the_socket(serving, slow):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "squire", options={"cards": 3})
    with ann.watching(table) as socket:
        assert ann.post(f"/tables/{table}/resign").json()["result"]["story"] is None
        assert bo.get("/tables.json").status_code == 200, "others do not wait"
        assert ann.view(table)["result"]["story"] is None
        assert "being reckoned" in ann.get(f"/tables/{table}").text
        pages = []
        while not pages or 'id="grid"' not in pages[-1]:
            pages.append(socket.recv(timeout=WAITING))
    assert any("You lose to Squire" in page and "being reckoned" in page for page in pages)
    assert ann.view(table)["result"]["story"]["resigned"][0]["seat"] == 0


def test_a_story_that_fails_leaves_the_result_and_is_tried_once(serving, monkeypatch):
    tries = []

    def fail(course):
        tries.append(course)
        raise ZeroDivisionError

    monkeypatch.setattr(Course, "story", fail)
    ann = serving.guest("Ann")
    table = ann.make("goofspiel", "me", "squire", options={"cards": 3})
    assert ann.post(f"/tables/{table}/resign").status_code == 200
    for _ in range(3):
        page = ann.get(f"/tables/{table}")
        assert page.status_code == 200 and "You lose to Squire" in page.text
    assert len(tries) == 1


@pytest.mark.parametrize(
    ("numbers", "ticks"),
    [
        ((0, 3), ["0", "1", "2", "3"]),
        ((-2, 2), ["\N{MINUS SIGN}2", "\N{MINUS SIGN}1", "0", "1", "2"]),
        ((0, 44), ["0", "20", "40"]),
    ],
)
def test_a_curve_has_round_numbers_at_its_side(numbers, ticks):
    shown = drawn(Curve("points", "round", ("0", "1"), (numbers, (0, 0))), ("Ann", "Bo"))
    assert [tick["words"] for tick in shown["ticks"]] == ticks


def test_a_curve_is_drawn_from_the_left_to_the_right_and_says_all_its_numbers():
    curve = Curve("points", "round", ("0", "1", "2"), ((0, 5, 10), (0, 0, 5)))
    shown = drawn(curve, ("Ann", "Bo"))
    assert [line["points"] for line in shown["lines"]] == ["0,1000 500,500 1000,0", "0,1000 500,1000 1000,500"]
    assert shown["words"] == "After round 0, 1, 2: Ann 0, 5, 10; Bo 0, 0, 5"
    assert [end["words"] for end in shown["ends"]] == ["10 Ann", "5 Bo"]
    assert drawn(Curve("points", "round", ("0",), ((0,), (0,))), ("Ann", "Bo")) is None


def test_names_at_the_ends_of_equal_lines_stand_apart():
    names = ("Ann", "Bo of Bellinghausen", "Cleo", "Dirk", "Eve", "Fay")
    shown = drawn(Curve("points", "round", ("0", "1"), ((0, 4),) * 6), names)
    heights = [float(end["y"].rstrip("%")) for end in shown["ends"]]
    assert all(below - above >= 11.9 for above, below in pairwise(heights))
    assert max(heights) < 100 and shown["ends"][1]["words"] == "4 Bo of Bel\N{HORIZONTAL ELLIPSIS}"
