"""Trials by bots over HTTP, without script: sets before and after a change, decks, bounds, turns, and who sees them."""

import asyncio
import re
import time
from contextlib import contextmanager
from itertools import pairwise

import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from quintain.engine.rules.registry import game
from quintain.lab.noted import without_pauses
from quintain.lab.trials import playing_trial
from quintain.lab.verdicts import MOST
from quintain.server.clock import now
from quintain.server.store.cards import kept_trials
from quintain.server.store.schema import TrialRow
from quintain.server.workshop import trial_work, trials
from quintain.server.workshop.drafts import base_draft
from quintain.server.workshop.subjects import set_key
from quintain.server.workshop.trial_work import TrialOrder, play_on, unpack_found
from server.guests import PATIENCE, Serving, wait_until
from server.workshop.sample_sets import with_values
from server.workshop.test_workshop import HTML, begun, form_of, number_in, plain, post_card, shown, source

HEIRLESS = game("heirless")
SLOW = {"level": "squire"}
"""A trial that takes minutes."""


@pytest.fixture
def ann(serving):
    return serving.guest("Ann")


def found(guest, url):
    """Return what bots have found out about a set or a deck."""
    answer = guest.get(f"{url}/balance.json")
    assert answer.status_code == 200, answer.text
    return answer.json()


def played(guest, url, games=1):
    """Wait until so many games are played, or the trial is over, and return what was found."""
    return _once(guest, url, lambda data: data["games"] >= games or data["state"] not in ("empty", "working"))


def over(guest, url):
    """Wait until a trial is over, and return what was found."""
    return _once(guest, url, lambda data: data["state"] != "working")


def _once(guest, url, is_there):
    """Ask, no more often than a page does, until something is there."""
    until = time.monotonic() + PATIENCE
    while not is_there(data := found(guest, url)):
        assert time.monotonic() < until, data
        time.sleep(0.2)
    return data


def numbers(guest, id_="heirless", damage="5"):
    """Begin a set of Heirless battles with another damage of the card Thrust, and return its address."""
    url = begun(guest, id_)
    change(guest, url, damage)
    return url


def change(guest, url, damage):
    """Change the damage of the card Thrust."""
    page = shown(guest, url)
    fields = form_of(page, re.search(r'name="(\d+)\.name" value="Thrust"', page)[1])
    at = next(name.partition(".")[0] for name, value in fields.items() if value == "Thrust")
    answer = guest.submit(url, **{**fields, f"{at}.attack.0": damage})
    assert answer.status_code == 303, answer.text


def run(guest, url, **fields):
    """Let bots begin, as a page without script does."""
    answer = guest.submit(f"{url}/balance", **fields)
    assert answer.status_code == 303 and answer.headers["location"].endswith("#balance"), answer.text


# The verdict.


def test_a_changed_number_gets_a_verdict_on_equal_deals(ann):
    url = begun(ann, "robin")
    page = shown(ann, url)
    assert "Not run yet" in plain(page) and "Played by" in plain(page)
    post_card(ann, url, number_in(page, "Robin Hood"), **{f"levels.{at}": "5" for at in range(4)})
    run(ann, url)
    data = over(ann, url)
    assert data["state"] == "finished" and 20 <= data["games"] <= data["most"] == MOST
    (robin,) = [each for each in data["figures"]["cards"] if each["is_subject"]]
    assert robin["name"] == "Robin Hood" and robin["verdict"] == "too strong"
    won = robin["won"]
    assert won["change"] == "real" and 0 < won["interval"][0] < won["difference"] < won["interval"][1]
    assert won["before"]["value"] < 0.53 < won["now"]["low"] < won["now"]["value"] < won["now"]["high"]
    page = plain(shown(ann, url))
    assert "Robin Hood, too strong: wins" in page and "of games in which it is drawn" in page
    assert "On equal deals the change is" in page and "before: version 1; now: the draft" in page
    for words in (
        "won if drawn",
        "won if played",
        "First seat",
        "Decisions in a game",
        "Drawn games",
        "Robin Hood against ",
    ):
        assert words in page, words
    assert f'href="{url}/balance/report">Whole report' in shown(ann, url)
    report = plain(shown(ann, f"{url}/balance/report"))
    for words in ("Verdict", "Friar Tuck", "Cards, won if played", "Seat 1", "Rounds", "All figures, as JSON"):
        assert words in report, words
    assert ann.submit(f"{url}/save").status_code == 303
    assert re.search(r"games: no card above \d\d %, none below \d\d %", plain(shown(ann, url)))


def test_a_set_that_nobody_played_has_a_report_that_says_so(ann):
    url = begun(ann, "robin")
    assert "Bots have not played this set yet" in plain(shown(ann, f"{url}/balance/report"))


def test_decks_meet_decks_where_a_game_has_decks(ann):
    url = begun(ann)
    post_card(ann, url, number_in(shown(ann, url), "Balin"), influence="9")
    run(ann, url)
    data = over(ann, url)
    decks = {each["name"] for each in data["figures"]["decks"]}
    assert decks and all({each["name"], each["other"]} <= decks for each in data["figures"]["matches"])
    assert "Deck against deck" in plain(shown(ann, url)) or not data["figures"]["matches"]


def test_the_advice_names_the_one_number_that_was_changed(ann):
    url = begun(ann)
    post_card(ann, url, number_in(shown(ann, url), "Knight Mercenary"), influence="0")
    run(ann, url)
    assert over(ann, url)["state"] == "finished"
    assert "Knight Mercenary, too weak" in plain(shown(ann, url)) and "raise Influence by 1" in plain(shown(ann, url))
    page = shown(ann, url, off="yes")
    assert "Off balance" in plain(page) and "Knight Mercenary" in plain(page)


def test_a_change_of_tables_is_told_by_what_the_game_counts(ann):
    url = begun(ann, "heirless")
    fields = form_of(shown(ann, url))
    at = next(name.partition(".")[0] for name in fields if ".Health." in name)
    ann.submit(url, **{**fields, **{f"{at}.Health.{step}": str(2 + step) for step in range(6)}})
    run(ann, url)
    data = over(ann, url)
    assert data["games"] == MOST and data["figures"]["counts"][0]["change"] == "real"
    page = shown(ann, url)
    assert "On equal deals the change is" in plain(page) and 'class="bal-share" id="share-' in page


def test_a_set_without_changes_shows_the_shares_of_its_cards(ann):
    url = begun(ann, "heirless")
    run(ann, url)
    assert over(ann, url)["games"] == MOST
    assert "Nothing is changed, so there is nothing to compare" in plain(shown(ann, url))


def test_after_saving_the_same_games_count_for_the_version(ann):
    url = numbers(ann)
    run(ann, url)
    games = over(ann, url)["games"]
    ann.submit(f"{url}/save")
    data = found(ann, url)
    assert (data["state"], data["games"], data["before"], data["now"]) == ("finished", games, "version 1", "version 2")


def test_what_bots_have_found_out_is_there_after_a_restart(tmp_path):
    with Serving(tmp_path) as first:
        guest = first.guest("Ann")
        url, cookies = numbers(guest), dict(guest.http.cookies)
        run(guest, url)
        games = over(guest, url)["games"]
    with Serving(tmp_path) as second:
        guest = second.guest()
        guest.http.cookies.update(cookies)
        assert found(guest, url)["state"] == "finished" and found(guest, url)["games"] == games


# Start, end, and what stands between.


def test_stop_keeps_what_there_is_and_it_goes_on_from_there(ann):
    url = numbers(ann)
    run(ann, url, **SLOW)
    assert played(ann, url)["state"] == "working"
    page = shown(ann, url)
    assert ">Stop</button>" in page and "of 400" in plain(page)
    assert ann.submit(f"{url}/balance/stop").status_code == 303
    data = found(ann, url)
    assert data["state"] == "stopped" and data["games"] >= 1 and data["level"] == "squire"
    time.sleep(0.7)
    assert found(ann, url)["games"] == data["games"]
    assert "Go on" in plain(shown(ann, url))
    run(ann, url, **SLOW)
    assert found(ann, url)["games"] >= data["games"] and found(ann, url)["state"] == "working"
    ann.submit(f"{url}/balance/stop")


def test_a_new_change_ends_the_games_of_the_one_before(ann, serving):
    url = numbers(ann)
    run(ann, url, **SLOW)
    played(ann, url)
    change(ann, url, "6")
    assert found(ann, url)["state"] == "empty"
    assert is_played(serving, url) == [False]
    ann.submit(f"{url}/back")
    assert found(ann, url)["state"] == "stopped" and found(ann, url)["games"] >= 1


def is_played(serving, url):
    """Return for each trial of a set in the database whether somebody plays it."""
    kept = serving.site.trials.kept
    asked = select(TrialRow.until).where(TrialRow.subject == set_key(url.rpartition("/")[2]))
    rows = asyncio.run_coroutine_threadsafe(kept.database.values(asked), serving.loop).result(PATIENCE)
    return [until > now() for until in rows]


def test_a_player_has_one_trial_at_a_time(ann):
    first, second = numbers(ann), numbers(ann, damage="6")
    run(ann, first, **SLOW)
    played(ann, first)
    run(ann, second, **SLOW)
    assert found(ann, first)["state"] == "stopped" and found(ann, second)["state"] == "working"
    page = shown(ann, first)
    assert "Stopped: your games with My Heirless battles began, and bots play one set or deck at a time." in plain(page)
    assert ">Go on</button>" in page
    ann.submit(f"{second}/balance/stop")
    assert "Stopped:" not in plain(shown(ann, second))
    run(ann, first, **SLOW)
    assert "Stopped:" not in plain(shown(ann, first)) and found(ann, first)["state"] == "working"
    ann.submit(f"{first}/balance/stop")


def test_a_set_that_is_wrong_is_not_played(ann):
    url = numbers(ann)
    change(ann, url, "many")
    answer = ann.post(f"{url}/balance")
    assert answer.status_code == 409 and "something is wrong in the set" in answer.json()["error"]
    answer = ann.submit(f"{url}/balance")
    assert answer.status_code == 409 and "Something is wrong in the set" in plain(answer.text)
    assert found(ann, url)["state"] == "refused" and 'id="bal-run"' not in shown(ann, url)


def test_bots_that_fail_say_so_and_go_on_later(ann, serving, monkeypatch):
    url, think = numbers(ann), serving.site.trials.workers.think

    async def fails(*_):
        raise RuntimeError("a job in another process failed")

    monkeypatch.setattr(serving.site.trials.workers, "think", fails)
    run(ann, url)
    assert over(ann, url)["state"] == "error"
    assert "The bots stopped after 0 games: The bots failed." in plain(shown(ann, url))
    monkeypatch.setattr(serving.site.trials.workers, "think", think)
    run(ann, url)
    assert over(ann, url)["state"] == "finished"


# Bounds, turns, and hostile input.


def test_a_day_has_a_bound_and_the_page_says_so(ann, monkeypatch):
    monkeypatch.setattr(trials, "A_DAY", 500)
    url = numbers(ann)
    run(ann, url, to_end="on")
    data = over(ann, url)
    assert data["state"] == "error" and 250 <= data["games"] < MOST
    assert "bots play 500 games a day for you" in plain(shown(ann, url)).lower()
    answer = ann.post(f"{url}/balance")
    assert answer.status_code == 429 and "they play on in about 24 h" in answer.json()["error"]
    answer = ann.submit(f"{url}/balance")
    assert answer.status_code == 429 and "they play on in about 24 h" in plain(answer.text)
    later = now() + kept_trials.DAY + 1
    monkeypatch.setattr(kept_trials, "now", lambda: later)
    assert ann.post(f"{url}/balance").status_code == 200
    monkeypatch.undo()
    over(ann, url)


def test_two_players_take_turns(ann, serving, monkeypatch):
    bo, asked = serving.guest("Bo"), []
    think = serving.site.trials.workers.think

    async def noted(asker, *given):
        answer = await think(asker, *given)
        asked.append(asker.owner)
        return answer

    monkeypatch.setattr(serving.site.trials.workers, "think", noted)
    urls = [(guest, numbers(guest)) for guest in (ann, bo)]
    for guest, url in urls:
        run(guest, url, **SLOW)
    asked.clear()
    wait_until(lambda: len(asked) >= 20)
    turns = asked[:20]
    for guest, url in urls:
        guest.submit(f"{url}/balance/stop")
    assert len({*turns}) == 2
    assert all(turns[at] != turns[at + 1] for at in range(4, 19)), turns


def test_a_job_ends_in_the_middle_of_a_game_of_slow_bots():
    texts = base_draft(HEIRLESS), with_values(HEIRLESS, base_draft(HEIRLESS), "Thrust", **{"attack.0": "5"})
    order = TrialOrder("heirless", "tables", *texts, False, "squire", 400)
    step, jobs = play_on(order, b"", 0.0, True, False), 1
    assert step.games == 0 and not step.is_over
    while step.games == 0:
        step, jobs = play_on(order, step.done, 0.0, True, False), jobs + 1
    assert jobs > 50


def test_another_worker_goes_on_where_one_ended():
    texts = base_draft(HEIRLESS), with_values(HEIRLESS, base_draft(HEIRLESS), "Thrust", **{"attack.0": "5"})
    order = TrialOrder("heirless", "tables", *texts, False, "policy", 200)
    whole = play_on(order, b"", PATIENCE, True, True)
    trial_work._remembered.clear()
    step = play_on(order, b"", 0.02, True, True)
    while not step.is_over:
        trial_work._remembered.clear()
        step = play_on(order, step.done, 0.02, True, True)
    assert unpack_found(step.found).figures == unpack_found(whole.found).figures
    assert whole.games == step.games == 200


def test_lines_end_where_the_games_are_now_and_have_few_points():
    texts = base_draft(HEIRLESS), with_values(HEIRLESS, base_draft(HEIRLESS), "Thrust", **{"attack.0": "5"})
    order = TrialOrder("heirless", "tables", *texts, False, "policy", 400)
    step, seen = play_on(order, b"", 0.0, True, True), 0
    while not step.is_over:
        step = play_on(order, step.done, 0.0, True, True)
        if step.found:
            found = unpack_found(step.found)
            for line in found.curves.values():
                games = [point[0] for point in line]
                assert games[-1] == found.figures.games
                assert all(later >= before * trial_work.STEP for before, later in pairwise(games[:-1])), games
                seen += len(games) > 2
    assert seen


def test_a_set_that_a_game_does_not_take_is_said_and_not_played():
    order = TrialOrder("heirless", "tables", "", "[[battlecard]]\nname = 3", False, "policy", 200)
    step = play_on(order, b"", 1.0, True, True)
    assert step.is_over and step.games == 0 and "line 1" in step.problem


def test_if_nothing_is_changed_one_game_stands_for_both():
    order = TrialOrder("heirless", "tables", "", "", False, "policy", 20)
    counts = without_pauses(playing_trial(order.trial.part(0, 20)))
    assert counts.before == counts.after and counts.games == 20
    assert sum(1 for _ in playing_trial(order.trial.part(0, 20))) == 20


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"level": "champion"}, 422, "policy, page, squire"),
        ({"level": "x" * 900}, 422, "policy, page, squire"),
        ({"level": 7}, 400, "level must be text"),
        ({"to_end": "perhaps"}, 400, "to_end must be true or false"),
    ],
)
def test_hostile_posts_are_refused_in_words(ann, fields, status, words):
    url = numbers(ann)
    answer = ann.post(f"{url}/balance", **fields)
    assert answer.status_code == status and words in answer.json()["error"]
    assert found(ann, url)["state"] == "empty"


def test_trials_are_of_ones_own_sets_and_decks_alone(ann, serving):
    url = numbers(ann)
    deck = ann.post("/cards/round-table/decks", ready="hedge-host").json()["id"]
    bo = serving.guest("Bo")
    for address in (url, f"/cards/round-table/decks/{deck}"):
        for path in ("balance.json", "balance"):
            assert bo.get(f"{address}/{path}").status_code == 404
        for path in ("balance", "balance/stop"):
            assert bo.post(f"{address}/{path}").status_code == 404
            assert ann.http.post(f"{address}/{path}", data={"csrf": "wrong"}).status_code == 403
        with pytest.raises(ConnectionClosed), listening(bo, address) as socket:
            socket.recv(PATIENCE)
    assert ann.get(f"{url.replace('heirless', 'robin')}/balance.json").status_code == 404
    assert found(ann, url)["state"] == "empty"


@contextmanager
def listening(guest, url):
    address = f"{guest.url.replace('http', 'ws')}{url}/balance/socket"
    with connect(address, additional_headers=guest.headers()) as socket:
        yield socket


def test_a_socket_tells_how_many_games_are_played_until_the_end(ann):
    url = numbers(ann)
    run(ann, url)
    told = []
    with listening(ann, url) as socket, pytest.raises(ConnectionClosed):
        while True:
            told.append(int(socket.recv(PATIENCE)))
    assert told == sorted(told) and told[-1] == found(ann, url)["games"] >= 20


def test_no_trial_stays_that_began_while_its_set_was_deleted(ann, serving, monkeypatch):
    url = numbers(ann)
    kept = serving.site.trials.kept
    usual = kept.begin

    async def slow(*given):
        await usual(*given)
        assert (await asyncio.to_thread(ann.submit, f"{url}/delete")).status_code == 303

    monkeypatch.setattr(kept, "begin", slow)
    answer = ann.submit(f"{url}/balance")
    assert answer.status_code == 404 and "has just been deleted" in answer.text
    assert is_played(serving, url) == []


def test_a_set_that_is_deleted_takes_its_trials_along(ann, serving):
    url = numbers(ann)
    run(ann, url)
    over(ann, url)
    assert is_played(serving, url) == [False]
    ann.submit(f"{url}/delete")
    assert is_played(serving, url) == []


def test_whoever_leaves_for_good_takes_their_trials_along(ann, serving):
    url = numbers(ann)
    run(ann, url)
    over(ann, url)
    assert ann.post("/me/forget", name="Ann").status_code in (200, 303)
    assert is_played(serving, url) == []


# Decks.


def test_bots_play_200_games_with_a_deck_and_then_more(ann):
    deck = ann.post("/cards/round-table/decks", ready="hedge-host", title="Mine").json()["id"]
    url = f"/cards/round-table/decks/{deck}"
    assert "Let bots play 200 games with it" in plain(source(ann.get(url, headers=HTML)))
    run(ann, url)
    data = over(ann, url)
    assert data["state"] == "finished" and data["games"] == 200
    (mine,) = [each for each in data["figures"]["decks"] if each["is_subject"]]
    assert mine["won"]["now"]["tries"] == 200 and mine["won"]["now"]["low"] < mine["won"]["now"]["high"]
    rivals = {each["other"] for each in data["figures"]["matches"]}
    assert rivals == {"crowned-heads", "great-houses", "hedge-host", "wandering-table"}
    page = plain(source(ann.get(url, headers=HTML)))
    assert "wins" in page and "of its games" in page and "Let bots play 5,000 games with it" in page
    run(ann, url, more="on")
    assert found(ann, url)["state"] == "working" and found(ann, url)["most"] == 5000
    ann.post(f"{url}/touch", more="Knight Errant")
    assert found(ann, url)["state"] == "empty"


def test_a_deck_that_is_not_legal_is_not_played(ann):
    deck = ann.post("/cards/round-table/decks").json()["id"]
    url = f"/cards/round-table/decks/{deck}"
    answer = ann.post(f"{url}/balance")
    assert answer.status_code == 409 and "the deck is not legal yet" in answer.json()["error"]
    answer = ann.submit(f"{url}/balance")
    assert answer.status_code == 409 and "The deck is not legal yet" in plain(answer.text)
    assert found(ann, url)["state"] == "refused"
