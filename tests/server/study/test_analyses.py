"""Analyses on the server: judged in the background, kept, continued, bounded, and shown to those who may see them."""

import asyncio
import json
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import msgspec
import pytest

import quintain
from quintain.lab.analysis import BETTER_TRIES, FIRST_TRIES, TRIES, analyse
from quintain.server.pages.study import analysis_page, decisions, judged_games
from quintain.server.pages.study.analysis_chart import chart
from quintain.server.study import judging
from quintain.server.turns import Asker
from server.guests import UNLIMITED, Serving, is_over, wait_until
from server.samples import played
from server.study.analyzing import made_up

MOVES = 24


@pytest.fixture
def serving(tmp_path):
    with Serving(tmp_path, replay_rate=UNLIMITED) as made:
        yield made


@pytest.fixture
def few_tries(monkeypatch):
    monkeypatch.setattr(judging, "FIRST_TRIES", 20)
    monkeypatch.setattr(judging, "TRIES", 60)
    for module in (judging, analysis_page):
        monkeypatch.setattr(module, "BETTER_TRIES", 200)
    monkeypatch.setattr(judging, "KEPT_EVERY", 0.0)


def over(serving, *guests, game="kings-court", **more):
    """Return a short game of these guests, or of one against a bot: the first one resigns after some moves."""
    table = guests[0].make(game, *(["me", "open"] if len(guests) > 1 else ["me", "random"]), **more)
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(table, seat)
    chance = random.Random(5)
    while len(serving.table(table).match.moves_made) < MOVES:
        for guest in guests:
            guest.move_at_random(table, chance)
    guests[0].post(f"/tables/{table}/resign")
    assert is_over(guests[0].view(table))
    return table


def page(guest, table, query=""):
    return guest.get(f"/tables/{table}/analysis{query}").text


def data(guest, table):
    return guest.get(f"/tables/{table}/analysis.json").json()


def is_done(guest, table):
    time.sleep(0.2)  # each look draws the whole page, and takes time from the judging
    return 'data-state="finished"' in page(guest, table)


def test_a_game_is_judged_to_its_end_and_adds_up(serving, few_tries):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    empty = page(ann, table)
    assert "Not judged yet" in empty and "Analyse</button>" in empty and "saw it" not in empty
    assert ann.post(f"/tables/{table}/analysis").status_code == 200
    wait_until(lambda: is_done(ann, table))
    found = data(ann, table)
    assert len(found["steps"]) == found["total"] > 20
    assert {each["tries"] for step in found["steps"] for each in step["candidates"]} == {60}
    for one in found["luck_and_skill"]:
        assert one["even"] + one["cards"] - one["lost"] + one["gained"] == pytest.approx(one["result"])
    shown = page(ann, table)
    assert "Luck and skill" in shown and "What gave most away" in shown and "as Ann saw it" in shown


def test_it_is_what_the_lab_finds(serving, few_tries):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))
    match = serving.table(table).match
    assert data(ann, table)["steps"] == json.loads(msgspec.json.encode(analyse(match, 60).steps))


def test_a_running_game_is_not_judged(serving, few_tries):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "random")
    for answer in (ann.get(f"/tables/{table}/analysis"), ann.post(f"/tables/{table}/analysis")):
        assert answer.status_code == 409 and "after its end" in answer.text
    assert ann.get(f"/tables/{table}/analysis.json").status_code == 409


def test_a_private_game_is_judged_and_shown_for_its_players_alone(serving, few_tries):
    ann, bo, eve = (serving.guest(name) for name in ("Ann", "Bo", "Eve"))
    table = over(serving, ann, bo, private=True)
    bo.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))
    for answer in (
        eve.get(f"/tables/{table}/analysis"),
        eve.get(f"/tables/{table}/analysis.json"),
        eve.get(f"/tables/{table}/analysis/line?step=1"),
        eve.post(f"/tables/{table}/analysis"),
        eve.post(f"/tables/{table}/analysis/stop"),
    ):
        assert answer.status_code == 403 and "Ann and Bo keep this game to themselves" in answer.text


def test_it_stops_and_goes_on_where_it_was(serving, few_tries, monkeypatch):
    ann, eve = serving.guest("Ann"), serving.guest("Eve")
    table = over(serving, ann)
    stopped, think = threading.Event(), serving.site.tables.workers.think

    async def slowly(*given):
        if not stopped.is_set():
            time.sleep(0.01)
        return await think(*given)

    monkeypatch.setattr(serving.site.tables.workers, "think", slowly)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: len(data(ann, table)["steps"]) > 5)
    assert "Stop here" in page(ann, table) and "You can step through" in page(ann, table)
    assert eve.post(f"/tables/{table}/analysis/stop").status_code == 403
    ann.post(f"/tables/{table}/analysis/stop")
    before = data(ann, table)["steps"]
    assert len(before) > 5 and "What is judged stays, and it can go on." in page(ann, table)
    assert data(ann, table)["steps"] == before, "nobody goes on by looking"
    judged, stopped_at = [], len(before)
    stopped.set()
    go_through = judging.judging

    def noted(position, tries):
        judged.append((position.number, tries))
        return go_through(position, tries)

    monkeypatch.setattr(judging, "judging", noted)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))
    total = data(ann, table)["total"]
    assert len(judged) == 2 * total - stopped_at


def test_one_that_the_end_of_a_server_cuts_off_goes_on_in_the_next(tmp_path, few_tries):
    with Serving(tmp_path) as serving:
        ann = serving.guest("Ann")
        table = over(serving, ann)
        cookies = dict(ann.http.cookies)
        ann.post(f"/tables/{table}/analysis")
        wait_until(lambda: len(data(ann, table)["steps"]) > 5)
    with Serving(tmp_path) as serving:
        ann = serving.guest()
        ann.http.cookies.update(cookies)
        assert len(data(ann, table)["steps"]) > 5
        wait_until(lambda: is_done(ann, table))


def test_a_judging_that_fails_says_so_and_can_be_begun_again(serving, few_tries, monkeypatch):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    think, seen = serving.site.tables.workers.think, []

    async def fail(asker, name, *given):
        seen.append(name)
        if len(seen) > 20:
            raise RuntimeError("the worker died twice")
        return await think(asker, name, *given)

    with monkeypatch.context() as patched:
        patched.setattr(serving.site.tables.workers, "think", fail)
        ann.post(f"/tables/{table}/analysis")
        wait_until(lambda: "The adviser stopped at move" in page(ann, table))
    kept = len(data(ann, table)["steps"])
    assert kept > 3 and "What is judged stays." in page(ann, table)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))


def test_so_many_games_a_day_are_judged_for_a_player(serving, few_tries, monkeypatch):
    monkeypatch.setattr(judging, "A_DAY", 2)
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    tables = [over(serving, ann) for _ in range(3)]
    for table in tables[:2]:
        assert ann.post(f"/tables/{table}/analysis").status_code == 200
    answer = ann.post(f"/tables/{tables[2]}/analysis")
    assert answer.status_code == 429 and "the next may be in 24 h" in answer.text
    assert ann.post(f"/tables/{tables[0]}/analysis").status_code == 200, "it is judged already"
    assert bo.post(f"/tables/{tables[2]}/analysis").status_code == 200


@pytest.mark.long  # the bound of a day counts better ones
def test_a_better_adviser_judges_again_on_request(serving, few_tries):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))
    assert "Judge again with" in page(ann, table)
    ann.post(f"/tables/{table}/analysis", better=True)
    wait_until(lambda: is_done(ann, table) and data(ann, table)["tries"] == 200)
    tries = {each["tries"] for step in data(ann, table)["steps"] for each in step["candidates"]}
    assert tries == {200} and "Judge again with" not in page(ann, table)


def test_a_step_shows_candidates_eyes_and_the_line_that_the_adviser_expects(serving, few_tries):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))
    steps = data(ann, table)["steps"]
    step = next(each for each in steps if len(each["candidates"]) > 4 and each["seat"] == 0)
    shown = page(ann, table, f"?step={step['number']}&explain=true")
    assert shown.count('class="chance ') + shown.count('class="chance"') == len(step["candidates"])
    assert "After the better move" in shown
    inset = ann.get(f"/tables/{table}/analysis/line?step={step['number']}&after=best&at=1")
    assert inset.status_code == 200 and 'class="frame inset' in inset.text
    assert "frame-ancestors 'self'" in inset.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in ann.get(f"/tables/{table}/analysis").headers["content-security-policy"]
    for query in ("step=9999&after=best", f"step={step['number']}&after=worst", f"step={step['number']}&at=9"):
        assert ann.get(f"/tables/{table}/analysis/line?{query}").status_code == 404
    others = page(ann, table, f"?step={step['number']}&seen=1")
    assert f"replay?step={step['number'] - 1}&inset=true&seat=1" in others.replace("&amp;", "&")


def test_the_table_before_a_mistake_marks_the_best_move_and_the_one_made(serving, few_tries):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))
    step = next(each for each in data(ann, table)["steps"] if each["candidates"])
    shown = ann.get(f"/tables/{table}/analysis/table?step={step['number']}")
    assert shown.status_code == 200 and 'class="frame inset' in shown.text
    is_best = step["candidates"][0]["action"] == step["action"]
    assert shown.text.count(">best</span>") == 1 and shown.text.count(">made</span>") == 1
    assert shown.text.count('class="advice') == (1 if is_best else 2)
    assert ann.get(f"/tables/{table}/analysis/table?step=9999").status_code == 404


def test_an_inset_shows_what_its_seat_saw(serving):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    shown = ann.get(f"/tables/{table}/replay?step=13&seat=1&inset=true")
    assert 'class="frame inset' in shown.text and "step.bar" not in shown.text
    assert shown.text != ann.get(f"/tables/{table}/replay?step=13&seat=0&inset=true").text


def test_progress_is_pushed_until_the_end(serving, few_tries):
    ann = serving.guest("Ann")
    table = over(serving, ann)
    ann.post(f"/tables/{table}/analysis")
    with ann.watching(f"{table}/analysis") as socket:
        told = [int(message) for message in socket]
    assert told == sorted(told) and told[-1] == 2 * data(ann, table)["total"] and is_done(ann, table)


def test_bots_come_before_judging(serving, few_tries):
    order, gate = [], threading.Event()
    worker = serving.site.tables.workers.bots[0]

    async def both():
        async def job(name):
            await asyncio.to_thread(gate.wait, 20)
            order.append(name)

        queue = worker._queue
        asked = [asyncio.ensure_future(queue.run(Asker("x", "x"), lambda: job("first")))]
        await asyncio.sleep(0.05)
        asked += [
            asyncio.ensure_future(queue.run(Asker("a", "a"), lambda: job("judging"), can_wait=True)),
            asyncio.ensure_future(queue.run(Asker("b", "b"), lambda: job("bot"))),
        ]
        await asyncio.sleep(0.05)
        assert queue.waiting() == 1, "judging does not count as waiting"
        gate.set()
        await asyncio.gather(*asked)

    asyncio.run_coroutine_threadsafe(both(), serving.loop).result(60)
    assert order == ["first", "bot", "judging"]


def test_a_record_that_was_brought_in_is_judged_for_who_brought_it(serving, few_tries):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = over(serving, ann)
    record = ann.get(f"/tables/{table}/record.json").text
    answer = bo.submit("/games/import", record=record, seat="0")
    brought = re.search(r"/tables/([\w-]+)", unescape(answer.text))[1]
    assert ann.get(f"/tables/{brought}/analysis").status_code == 403
    bo.post(f"/tables/{brought}/analysis")
    wait_until(lambda: is_done(bo, brought))


def test_the_page_of_a_player_shows_luck_and_skill_of_judged_games(serving, few_tries):
    ann = serving.guest("Ann")
    number = None
    for asked in range(6):
        table = over(serving, ann)
        ann.post(f"/tables/{table}/analysis")
        wait_until(lambda table=table: is_done(ann, table))
        number = number or serving.table(table).seats[0].number
        shown = ann.get(f"/players/{number}").text
        assert ("too few to tell" in shown) == (asked < 4)
    assert "Luck and skill" in shown and "Given away" in shown


def test_the_first_picture_is_made_with_few_tries_and_the_whole_with_many():
    assert judging.passes(TRIES) == (FIRST_TRIES, TRIES) and FIRST_TRIES * 5 < TRIES
    assert judging.passes(BETTER_TRIES) == (TRIES, BETTER_TRIES)


def test_of_many_posts_at_once_one_begins_the_judging_and_counts(serving, few_tries, monkeypatch):
    ann = serving.guest("Ann")
    table, begun = over(serving, ann), []
    judge = judging.Judges._judge

    async def noted(self, *given):
        begun.append(given[0])
        await judge(self, *given)

    monkeypatch.setattr(judging.Judges, "_judge", noted)
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda _: ann.post(f"/tables/{table}/analysis").status_code, range(6)))
    assert answers == [200] * 6
    wait_until(lambda: is_done(ann, table))
    assert begun == [table]


def test_the_bound_of_a_day_counts_better_ones_and_holds_at_once(serving, few_tries, monkeypatch):
    monkeypatch.setattr(judging, "A_DAY", 3)
    ann, eve = serving.guest("Ann"), serving.guest("Eve")
    tables = [over(serving, ann) for _ in range(4)]
    ann.post(f"/tables/{tables[0]}/analysis")
    wait_until(lambda: is_done(ann, tables[0]))
    assert eve.post(f"/tables/{tables[0]}/analysis", better=True).status_code == 200, "it counts for Eve"
    wait_until(lambda: is_done(ann, tables[0]))
    with ThreadPoolExecutor(3) as threads:
        asked = list(threads.map(lambda table: ann.post(f"/tables/{table}/analysis").status_code, tables[1:]))
    assert sorted(asked) == [200, 200, 429]


def test_private_games_are_left_out_of_the_page_that_others_see(serving, few_tries):
    ann, bo, eve = (serving.guest(name) for name in ("Ann", "Bo", "Eve"))
    table = over(serving, ann, bo, private=True)
    ann.post(f"/tables/{table}/analysis")
    wait_until(lambda: is_done(ann, table))
    number = serving.table(table).seats[0].number

    def shown(guest):
        return guest.http.get(f"/players/{number}", headers={"accept": "text/html"}).text

    wait_until(lambda: "Luck and skill" in shown(ann))
    assert "Luck and skill" not in shown(eve)


def test_the_page_of_a_player_compares_them_with_players_whose_ratings_are_near(serving, few_tries, monkeypatch):
    monkeypatch.setattr(judged_games, "FEW", 2)
    monkeypatch.setattr(decisions, "SOUND", 2)
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    tables = [over(serving, *pair, rated=True) for pair in ((ann, bo), (bo, ann))]
    for table in tables:
        ann.post(f"/tables/{table}/analysis")
        wait_until(lambda table=table: is_done(ann, table))
    number = serving.table(tables[0]).seats[0].number
    page = ann.http.get(f"/players/{number}", headers={"accept": "text/html"})
    assert re.search(r"Players rated \d+ to \d+ give away \d+ \N{PLUS-MINUS SIGN} \d+\.", page.text)
    monkeypatch.setattr(decisions, "SOUND", 3)
    assert "Players rated" not in ann.http.get(f"/players/{number}", headers={"accept": "text/html"}).text


def test_a_chart_names_the_rounds_that_are_judged_and_no_others():
    whole = made_up(played(quintain.game("kings-court"), lambda match: False))
    rounds = [(step.number, f"turn {number}") for number, step in enumerate(whole.steps[::10], 1)]
    part = msgspec.structs.replace(whole, steps=whole.steps[:25])
    places = [label["x"] for label in chart(part, 0, None, rounds, [])["labels"]]
    assert len(places) == len(set(places)) == 3, "two rounds would stand one over the other"
    assert chart(part, 0, None, rounds, [])["labels"][0]["words"] == "turn 1"
    assert len(chart(whole, 0, None, rounds, [])["labels"]) > 3
