"""Puzzles over HTTP: answers, hints, doubts, streaks, ratings, secrecy, and puzzles of one's own."""

import asyncio
import datetime
import html
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from quintain.engine.errors import BadRecord
from quintain.engine.rules.registry import game
from quintain.lab import puzzles as kept
from quintain.lab.candidates import Candidate, is_clear
from quintain.server.clock import set_clock
from quintain.server.model import puzzle_answers
from quintain.server.model.puzzle_answers import MOST_KEPT, FirstTry, PuzzleKey
from quintain.server.model.ratings import NEWCOMER, Rated, rate
from quintain.server.study import own_puzzles, puzzle_judging, puzzles_here
from quintain.server.study.puzzle_days import DAY, begin_of, day_at, streak_of
from quintain.server.study.puzzle_judging import holds
from server.guests import PATIENCE, is_over, wait_until
from server.stores import rows
from server.study.puzzling import THEME, of_day, path, put_puzzles

HTML = {"accept": "text/html"}
NOON = begin_of(datetime.date(2030, 5, 10)) + DAY / 2


@pytest.fixture
def made(monkeypatch):
    return put_puzzles(monkeypatch)


@pytest.fixture
def judged(monkeypatch):
    """Let the search find the shares that a test puts here, by action; 0.2 for others."""
    shares = {}

    async def tried(self, asker, seen, action):
        move = next(each for each in seen.moves if each.action == action)
        return Candidate(action, move.text, shares.get(action, 0.2), puzzles_here.TRIES)

    monkeypatch.setattr(puzzle_judging.PuzzleJudging, "_tried", tried)
    return shares


@pytest.fixture
def at():
    """Return a function that sets the clock of the servers of this process."""
    yield set_clock
    set_clock(time.time())


def page(guest, puzzle):
    return read(guest, path(puzzle))


def read(guest, address):
    """Return a page, with its letters as a reader sees them."""
    return html.unescape(guest.get(address, headers=HTML).text)


def answer(guest, puzzle, action):
    return guest.post(path(puzzle, "answer"), action=action)


def finished(serving, guest):
    """Play a game of Goofspiel with a bot to its end; return the table and the numbers of the guest's entries."""
    table = guest.make("goofspiel", "me", "random")
    chance = random.Random(1)
    while not is_over(guest.view(table)):
        guest.move_at_random(table, chance)
    made = serving.table(table).playing().moves_made
    return table, [number for number, entry in enumerate(made, 1) if entry.seat == 0 and entry.kind == "move"]


def test_nothing_of_the_answer_shows_before_it_and_all_of_it_afterwards(serving, made):
    ann, puzzle = serving.guest("Ann"), made[1]
    for text in (page(ann, puzzle), ann.get(path(puzzle)).text, read(ann, "/puzzles")):
        assert not re.search(r"\b(61|60|31|30)\b ?%|0\.6\d|0\.3\d|class=\"chance", text)
        assert THEME not in text.lower() and "advice" not in text and "best</small>" not in text
    assert ann.get(path(puzzle)).json()["state"] == "open"
    assert answer(ann, puzzle, puzzle.wrong[0]).json()["state"] == "wrong"
    after = page(ann, puzzle)
    assert "61 %, yours 31 %" in after and THEME in after.lower() and after.count('class="chance-bar"') == 13
    assert ann.get(path(puzzle)).json()["themes"] == [THEME]


def test_a_hint_tells_nothing_but_which_moves_are_gone(serving, made):
    ann, puzzle = serving.guest("Ann"), made[1]
    assert ann.post(path(puzzle, "hint")).json()["state"] == "open"
    text = page(ann, puzzle)
    values = {int(value) for value in re.findall(r'name="action" value="(\d+)"', text)}
    assert values == {each.action for each in puzzle.candidates} - set(puzzle.wrong[-2:])
    refused = answer(ann, puzzle, puzzle.wrong[-1])
    assert refused.status_code == 422 and "taken this move away" in refused.json()["error"]
    assert ann.post(path(puzzle, "hint")).json()["hinted"] is True
    assert answer(ann, puzzle, puzzle.right[0]).json()["state"] == "right"
    assert ann.post(path(puzzle, "hint")).status_code == 409


@pytest.mark.parametrize("place", [0, 1])
def test_a_move_within_the_interval_of_the_best_is_right(serving, made, place):
    ann, puzzle = serving.guest("Ann"), made[2]
    assert answer(ann, puzzle, puzzle.right[place]).json()["state"] == "right"
    assert '<h2 id="verdict">Right: 6' in page(ann, puzzle)


def test_only_the_first_try_counts(serving, made):
    ann, puzzle = serving.guest("Ann"), made[0]
    first = answer(ann, puzzle, puzzle.wrong[0]).json()
    again = answer(ann, puzzle, puzzle.right[0]).json()
    assert (first["first"], again["first"], again["state"]) == (True, False, "wrong")
    open_again = read(ann, path(puzzle) + "?again=yes")
    assert "without points" in open_again and 'class="chance"' not in open_again
    sent = ann.submit(path(puzzle, "answer"), action=puzzle.right[0])
    assert (sent.status_code, sent.headers["location"]) == (303, f"{path(puzzle)}?tried={puzzle.right[0]}")
    shown = read(ann, sent.headers["location"])
    assert '<h2 id="verdict">Right: ' in shown and "this one has no points" in shown
    assert 'class="answer-bar"' in shown and "Try again" not in shown
    assert [words in shown for words in asked_of(puzzle)] == [False, True]
    for garbage in ("", "99", "x", "-1"):  # an edited address names no move
        shown = read(ann, f"{path(puzzle)}?tried={garbage}")
        assert [words in shown for words in asked_of(puzzle)] == [True, False] and ": not right" not in shown
    assert rows(serving.site.config.database, "SELECT solved FROM puzzle_answers WHERE puzzle = 'p0'").count((0,)) >= 1


def asked_of(puzzle):
    """Return how the place of the question says that its first wrong and its first right move were made."""
    texts = {each.action: str(each.text) for each in puzzle.candidates}
    return [f">You {texts[moves[0]]}</h2>" for moves in (puzzle.wrong, puzzle.right)]


def test_of_two_answers_at_the_same_time_the_database_takes_one(start, made, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        serving.guest("Ann")
        ((number,),) = rows(serving.site.config.database, "SELECT number FROM players")
        tries = [FirstTry(PuzzleKey("goofspiel", "p3"), action, True, None, True) for action in made[3].right]

        async def both():
            return await asyncio.gather(*(serving.site.archive.puzzles.kept.answer(number, each) for each in tries))

        assert sorted(asyncio.run_coroutine_threadsafe(both(), serving.loop).result(PATIENCE)) == [False, True]
        assert rows(serving.site.config.database, "SELECT solvers FROM puzzles") == [(1,)]


def test_a_file_of_puzzles_that_cannot_be_read_stops_nothing(serving, monkeypatch, caplog):
    def broken(found):
        raise BadRecord("puzzle 1 is not valid")

    monkeypatch.setattr(kept, "puzzles", broken)
    monkeypatch.setattr(kept, "puzzle_of_the_day", lambda day: None)
    assert "Puzzle of the day" not in read(serving.guest("Ann"), "/")
    assert "the puzzles of a game cannot be read" in caplog.text


def test_forged_actions_and_unknown_puzzles_get_clear_answers(serving, made):
    ann = serving.guest("Ann")
    for forged in (999, -1):
        assert answer(ann, made[0], forged).status_code == 422
    assert ann.post(path(made[0], "answer"), action="best").status_code == 400
    assert ann.get("/puzzles/goofspiel/zzz").status_code == 404
    assert ann.get("/puzzles/whist/p0").status_code == 404
    assert ann.get("/puzzles/mine/p0").status_code == 404
    assert ann.post(path(made[0], "doubt")).status_code == 409
    assert ann.get(path(made[0])).json()["state"] == "open"


def test_whoever_has_no_name_is_asked_for_one(serving, made):
    stranger = serving.guest()
    assert stranger.get(path(made[0])).json()["state"] == "name"
    assert 'action="/name"' in page(stranger, made[0])
    assert answer(stranger, made[0], made[0].right[0]).status_code == 403


def test_the_lesson_of_a_game_comes_before_its_puzzles(serving):
    (puzzle, *_) = kept.puzzles(game("kings-court"))
    ann, href = serving.guest("Ann"), f"/puzzles/kings-court/{puzzle.id}"
    shown = read(ann, href)
    assert "Learn it first, 7 min" in shown and 'id="board"' not in shown
    assert ann.get(href).json() == {**ann.get(href).json(), "state": "learn"} and "seen" not in ann.get(href).json()
    assert ann.post(f"{href}/answer", action=puzzle.best.action).status_code == 403
    ann.make("kings-court", "me", "random")
    assert ann.get(href).json()["state"] == "open"


def test_a_streak_grows_from_day_to_day_by_utc_and_a_wrong_answer_ends_it(start, made, at, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        at(NOON)
        ann = serving.guest("Ann")
        for day in range(3):
            at(NOON + day * DAY)
            puzzle = of_day(made, day_at(NOON + day * DAY))
            assert "Puzzle of the day" in page(ann, puzzle)
            assert answer(ann, puzzle, puzzle.right[0]).json()["streak"] == day + 1
        at(begin_of(day_at(NOON) + datetime.timedelta(3)) - 1)
        assert "the next one comes in 1 min" in read(ann, "/")
        at(begin_of(day_at(NOON) + datetime.timedelta(3)) + 1)
        assert "Your streak: 3 days, until midnight UTC" in read(ann, "/")
        puzzle = of_day(made, day_at(NOON + 3 * DAY))
        assert answer(ann, puzzle, puzzle.wrong[0]).json()["streak"] == 0
        lobby = read(ann, "/")
        assert "was best. A new streak begins tomorrow." in lobby and "Why?" in lobby


def test_a_day_that_is_left_out_ends_a_streak(start, made, at, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        at(NOON)
        ann = serving.guest("Ann")
        answer(ann, puzzle := of_day(made, day_at(NOON)), puzzle.right[0])
        at(NOON + 2 * DAY)
        assert "Your streak:" not in read(ann, "/")


def test_days_without_a_puzzle_neither_break_a_streak_nor_count():
    today = datetime.date(2030, 5, 10)
    days = [today - datetime.timedelta(back) for back in range(6)]
    solved = {days[1]: True, days[3]: True, days[5]: False}
    assert streak_of(solved, today, lambda day: day not in (days[2], days[4])).days == 2
    assert streak_of(solved, today, lambda day: True).days == 1
    fates = [fate for _, fate in streak_of(solved, today, lambda day: day != days[2]).last]
    assert fates == ["untried", "missed", "missed", "solved", "none", "solved", "open"]


@pytest.mark.both_stores
def test_a_puzzle_and_its_solver_are_rated_against_each_other_once_it_counts(start, made, monkeypatch, goofspiel):
    monkeypatch.setattr(puzzle_answers, "COUNTS_FROM", 2)
    puzzle = made[0]
    with start(game_files=(goofspiel,)) as serving:
        for name in ("Ann", "Bo"):
            guest = serving.guest(name)
            answer(guest, puzzle, puzzle.wrong[0])
            assert ("A puzzle counts for ratings from" in page(guest, puzzle)) == (name == "Ann")
        cleo = serving.guest("Cleo")
        answer(cleo, puzzle, puzzle.right[0])
        ((mu, sigma, solvers),) = rows(serving.site.config.database, "SELECT mu, sigma, solvers FROM puzzles")
        expected = NEWCOMER
        for _ in range(2):
            expected = rate([Rated(NEWCOMER, 2), Rated(expected, 1)])[1]
        solver, last = rate([Rated(NEWCOMER, 1), Rated(expected, 2)])
        assert (mu, sigma, solvers) == (pytest.approx(last.mu), pytest.approx(last.sigma), 3)
        found = rows(serving.site.config.database, "SELECT mu FROM solvers ORDER BY number")
        assert [each for (each,) in found] == pytest.approx([NEWCOMER.mu, NEWCOMER.mu, solver.mu])
        assert re.search(r"Your rating at puzzles: 1500 → <b>1[5-9]\d\d</b>", page(cleo, puzzle))


@pytest.mark.both_stores
def test_after_a_hint_no_rating_changes(start, made, monkeypatch, goofspiel):
    monkeypatch.setattr(puzzle_answers, "COUNTS_FROM", 0)
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        ann.post(path(made[0], "hint"))
        answer(ann, made[0], made[0].right[0])
        assert rows(serving.site.config.database, "SELECT mu FROM solvers") == [(NEWCOMER.mu,)]
        assert "With a hint there are no points" in page(ann, made[0])


@pytest.mark.both_stores
def test_a_doubted_puzzle_is_judged_by_ten_times_the_tries_and_taken_back_if_its_answer_falls(
    start, made, judged, monkeypatch, goofspiel
):
    puzzle = made[0]
    judged.update({puzzle.wrong[0]: 0.7, puzzle.right[0]: 0.6})
    with start(game_files=(goofspiel,)) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        answer(ann, puzzle, puzzle.wrong[0])
        assert ann.post(path(puzzle, "doubt")).status_code == 200
        wait_until(lambda: ann.get(path(puzzle)).json()["state"] == "taken-back")
        assert "This puzzle is taken back: its best move is not certain." in page(ann, puzzle)
        assert answer(bo, puzzle, puzzle.right[0]).status_code == 409
        assert path(puzzle) not in read(ann, "/puzzles")


def test_a_doubt_that_is_not_borne_out_leaves_the_puzzle(start, made, judged, goofspiel):
    puzzle = made[0]
    judged.update({puzzle.right[0]: 0.6})
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        answer(ann, puzzle, puzzle.right[0])
        assert ann.post(path(puzzle, "doubt")).status_code == 200
        wait_until(lambda: "the answer holds" in page(ann, puzzle))
        assert "30,000 times" in page(ann, puzzle)
        again = ann.post(path(puzzle, "doubt"))
        assert again.status_code == 409 and "has doubted this puzzle before" in again.json()["error"]


def test_a_puzzle_that_is_taken_back_keeps_the_streak(start, made, judged, at, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        at(NOON)
        ann = serving.guest("Ann")
        first, second = (of_day(made, day_at(NOON + day * DAY)) for day in range(2))
        answer(ann, first, first.right[0])
        at(NOON + DAY)
        assert answer(ann, second, second.wrong[0]).json()["streak"] == 0
        ann.post(path(second, "doubt"))
        wait_until(lambda: ann.get(path(second)).json()["state"] == "taken-back")
        assert ann.get(path(second)).json().get("streak") == 1
        assert "No puzzle today" in read(ann, "/")


@pytest.mark.both_stores
def test_a_mistake_becomes_a_private_puzzle_that_nobody_else_finds(start, judged, made, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        ann, bo = serving.guest("Ann"), serving.guest("Bo")
        table, entries = finished(serving, ann)
        legal = ann_sees(serving, table, entries[0])
        judged[legal[3]] = 0.7
        made_own = ann.post("/puzzles/mine", table=table, entry=entries[0])
        assert made_own.status_code == 200, made_own.text
        href = f"/puzzles/mine/{made_own.json()['puzzle']}"
        wait_until(lambda: ann.get(href).json()["state"] == "open")
        assert href.endswith(ann.post("/puzzles/mine", table=table, entry=entries[0]).json()["puzzle"])
        assert bo.get(href).status_code == 404 and href not in read(bo, "/puzzles")
        assert href in read(ann, "/puzzles")
        assert ann.post(f"{href}/answer", action=legal[3]).json()["state"] == "right"
        assert f'action="{href}/play-on"' in read(ann, href)
        made = ann.post(f"{href}/play-on")
        assert made.status_code == 201 and [move["action"] for move in made.json()["menu"]] == list(legal)
        assert serving.table(made.json()["table"]["id"]).folded.seed == serving.table(table).folded.seed
        for guest, entry, status in ((bo, entries[0], 403), (ann, entries[0] + 1, 403), (ann, 999, 404)):
            assert guest.post("/puzzles/mine", table=table, entry=entry).status_code == status


def ann_sees(serving, table, entry):
    match = serving.table(table).playing()
    return next(again.seen(0).legal for number, (_, again) in enumerate(match.steps()) if number == entry - 1)


def test_of_many_posts_at_once_for_one_decision_one_makes_a_puzzle(start, judged, made, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        table, entries = finished(serving, ann)
        with ThreadPoolExecutor(6) as threads:
            posts = threads.map(lambda _: ann.post("/puzzles/mine", table=table, entry=entries[0]), range(6))
        assert len({post.json()["puzzle"] for post in posts}) == 1


def test_moves_that_chance_made_for_a_player_make_no_puzzle(serving):
    ann = serving.guest("Ann")
    table = ann.make("heirless", "me", "random", "random")
    ann.post(f"/tables/{table}/resign")
    ann.post(f"/tables/{table}/skip")
    wait_until(lambda: is_over(ann.view(table)))
    moves = serving.table(table).playing().moves_made
    entry = next(number for number, made in enumerate(moves, 1) if made.auto and made.seat == 0)
    refused = ann.post("/puzzles/mine", table=table, entry=entry)
    assert refused.status_code == 409 and "chance made this move" in refused.text


def test_a_decision_without_a_clear_best_move_is_no_puzzle(start, judged, made, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        table, entries = finished(serving, ann)
        href = f"/puzzles/mine/{ann.post('/puzzles/mine', table=table, entry=entries[0]).json()['puzzle']}"
        wait_until(lambda: ann.get(href).json()["state"] == "nothing")
        assert "no move is ahead of the next by 5 points" in read(ann, href)


def test_what_the_search_judges_for_a_player_is_bounded_each_day(start, judged, made, at, monkeypatch, goofspiel):
    monkeypatch.setattr(own_puzzles, "THOUGHTS_A_DAY", 2)
    at(NOON)
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        table, entries = finished(serving, ann)
        statuses = [ann.post("/puzzles/mine", table=table, entry=entry).status_code for entry in entries[:3]]
        assert statuses == [200, 200, 429]
        assert "it has time for you again in 12 h" in ann.post("/puzzles/mine", table=table, entry=entries[2]).text
        at(NOON + DAY)
        assert ann.post("/puzzles/mine", table=table, entry=entries[2]).status_code == 200


@pytest.mark.both_stores
def test_only_the_newest_private_puzzles_are_kept(start, made, judged, monkeypatch, goofspiel):
    monkeypatch.setattr(puzzle_answers, "MOST_KEPT", 2)
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        table, entries = finished(serving, ann)
        for entry in entries[:3]:
            ann.post("/puzzles/mine", table=table, entry=entry)
        found = rows(serving.site.config.database, "SELECT entry FROM own_puzzles ORDER BY entry")
        assert [entry for (entry,) in found] == entries[1:3] and MOST_KEPT == 50


@pytest.mark.both_stores
def test_whoever_is_deleted_takes_answers_ratings_and_private_puzzles_along(start, made, judged, goofspiel):
    with start(game_files=(goofspiel,)) as serving:
        ann = serving.guest("Ann")
        table, entries = finished(serving, ann)
        answer(ann, made[0], made[0].right[0])
        ann.post(path(made[0], "doubt"))
        ann.post("/puzzles/mine", table=table, entry=entries[0])
        assert ann.submit("/me/forget", name="Ann").status_code == 200
        database = serving.site.config.database
        for name in ("puzzle_answers", "solvers", "own_puzzles"):
            assert rows(database, f"SELECT * FROM {name}") == []
        assert rows(database, "SELECT doubter FROM puzzles") == [(None,)]


def test_what_a_hint_took_away_is_crossed_out_and_says_so(serving, made):
    ann = serving.guest("Ann")
    assert "taken away" not in page(ann, made[0])
    ann.post(path(made[0], "hint"))
    hinted = page(ann, made[0])
    assert hinted.count('role="button" aria-disabled="true"') == 2 and hinted.count(", taken away") == 2
    assert "The hint has taken wrong moves away: " in hinted


def test_after_the_answer_the_chosen_piece_has_a_word_and_the_best_ones_a_star(serving, made):
    ann = serving.guest("Ann")
    answer(ann, made[0], made[0].wrong[0])
    answered = page(ann, made[0])
    assert answered.count('<span class="word">yours</span>') == 1
    assert answered.count('class="word of-best">best</span>') == len(made[0].right)


def test_the_list_names_what_is_left_and_says_when_all_is_done(serving, made):
    ann = serving.guest("Ann")
    for puzzle in made[1:]:
        answer(ann, puzzle, puzzle.right[0])
    listed = read(ann, "/puzzles?game=goofspiel")
    assert (
        listed.count("</span>solved") == 3 and "Solve the next one" in listed and "You have answered all" not in listed
    )
    by_theme = read(ann, f"/puzzles?theme={THEME}")
    assert path(made[1]) in by_theme and path(made[0]) not in by_theme.split("Yours")[0]
    assert f'href="{path(made[0])}"' in page(ann, made[2])
    answer(ann, made[0], made[0].wrong[0])
    assert "You have answered all 4 of Goofspiel" in read(ann, "/puzzles?game=goofspiel")
    assert ann.get("/puzzles?game=whist", headers=HTML).status_code == 404


def test_without_puzzles_the_lobby_has_no_card(serving, monkeypatch):
    monkeypatch.setattr(kept, "puzzles", lambda found: ())
    monkeypatch.setattr(kept, "puzzle_of_the_day", lambda day: None)
    ann = serving.guest("Ann")
    assert "Puzzle of the day" not in read(ann, "/")
    assert "There are no puzzles here yet" in read(ann, "/puzzles")


def test_a_puzzle_needs_a_lead_of_five_points_and_three_standard_errors():
    def judged(*shares, tries=3000):
        return [Candidate(number, "", share, tries) for number, share in enumerate(shares)]

    assert is_clear(judged(0.56, 0.50)) and not is_clear(judged(0.54, 0.50)) and not is_clear(judged(0.56))
    assert not is_clear(judged(0.56, 0.50, tries=100))
    assert holds([0], judged(0.6, 0.5)) and not holds([1], judged(0.6, 0.5)) and holds([0, 1], judged(0.6, 0.59, 0.5))


def test_a_card_is_chosen_without_script(serving, made):
    ann, puzzle = serving.guest("Ann"), made[1]
    (first, *_) = re.findall(r'href="(\?chosen=hand[^"]+)"', page(ann, puzzle))
    chosen = read(ann, path(puzzle) + first)
    group = re.search(r'<div class="group" data-for="hand[^>]*"><button.*?value="(\d+)"', chosen)
    assert group, "the group of the chosen card stands open"
    sent = ann.submit(path(puzzle, "answer"), action=group[1])
    assert sent.status_code == 303 and "Next puzzle" in read(ann, sent.headers["location"])


def test_the_page_of_every_shipped_puzzle_is_whole(serving):
    """A board that sets a variable of the page would close its parts by wrong tags."""
    ann = serving.guest("Ann")
    for id_ in ("kings-court", "rune-war", "heirless", "robin", "round-table"):
        ann.make(id_, "me", *["random"] * (game(id_).seats[0] - 1))
        for puzzle in {one.seen.view.question.key: one for one in kept.puzzles(game(id_))}.values():
            page = ann.http.get(f"/puzzles/{id_}/{puzzle.id}", headers={"accept": "text/html"}).text
            assert "puzzle-side" in page
            assert unbalanced(page) == [], (id_, puzzle.id)


def unbalanced(page):
    """Return the tags of a page, of those that hold others, whose ends do not fit their beginnings."""
    wrong, open_tags = [], []
    for is_end, tag in re.findall(r"<(/?)(main|div|form|section|aside|ul|ol|dl|table|details|nav|header)\b", page):
        if not is_end:
            open_tags.append(tag)
        elif not open_tags or open_tags.pop() != tag:
            wrong.append(tag)
    return wrong + open_tags


@pytest.mark.parametrize("query", ["tried=%C2%B2", "tried=-1", "tried=" + "9" * 400, "why=%C2%B2", "chosen=%00"])
def test_odd_addresses_of_a_puzzle_get_a_page(serving, monkeypatch, query):
    ann, (puzzle, *_) = serving.guest("Ann"), put_puzzles(monkeypatch)
    for more in ({}, {"hx-request": "true"}):
        answer = ann.http.get(f"{path(puzzle)}?{query}", headers={"accept": "text/html", **more})
        assert answer.status_code == 200
