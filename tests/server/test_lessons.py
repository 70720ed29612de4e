"""Lessons at tables: a learner follows the script, the bots follow it too, and the game goes on as a usual one."""

import json
import re

import pytest

import quintain
from quintain.engine.play.lesson import LEARNER, lesson_of, played
from quintain.engine.rules import registry
from quintain.engine.rules.registry import all_games, game
from quintain.server.pages.coach import bubble as bubble_of
from quintain.server.tables.lessons import REACH, TOUCH, progress_in
from quintain.server.tables.lessons import lit as marked
from server.guests import Guest, Serving, ServingProcess, wait_until
from server.test_looks import Page

HTML = {"accept": "text/html"}
GAME = "kings-court"
LESSON = lesson_of(game(GAME))
LEAVE = "Leave the lesson to play freely."
STEPS = len(LESSON.steps)
FIRST_MOVE = next(number for number, step in enumerate(LESSON.steps) if step.move)
WANTS = f"The lesson wants another move now: “{LESSON.steps[FIRST_MOVE].title}”."
WITH_ANSWERS = next(number for number, step in enumerate(LESSON.steps) if step.others)


def learn(guest, game=GAME):
    answer = guest.post(f"/learn/{game}")
    assert answer.status_code == 201, answer.text
    return answer.json()["table"]["id"]


def arrived(guest, table):
    """Wait until the others have moved, and return what the lesson says then."""
    wait_until(lambda: not guest.view(table)["lesson"]["waits"])
    return guest.view(table)["lesson"]


def do(guest, table, what, **more):
    """Post a deed of the lesson."""
    seen = guest.view(table)
    fields = {"step": seen["lesson"]["step"], "decision": seen["table"]["decision"], **more}
    return guest.post(f"/tables/{table}/lesson/{what}", **fields)


def play(guest, table, move):
    return guest.move(table, move, guest.view(table)["table"]["decision"])


def follow(guest, table, until=STEPS):
    """Follow the lesson up to a step, or to its end."""
    while (now := arrived(guest, table))["step"] < until:
        answer = play(guest, table, now["move"]) if now["move"] else do(guest, table, "on")
        assert answer.status_code == 200, answer.text


def bubble(guest, table, query=""):
    """Return the parts of a page by their ids, and its classes."""
    return Page(guest.get(f"/tables/{table}{query}", headers=HTML).text)


def lit(page, state="is-spot"):
    return {tag["id"] for tag in page.tags if state in tag.get("class", "").split()}


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A server on which bots take their time, so that others' moves stay due."""
    with Serving(tmp_path_factory.mktemp("slow"), pace=1000.0) as serving:
        yield serving


@pytest.mark.parametrize("id_", [found.id for found in all_games() if lesson_of(found)])
def test_a_learner_follows_the_lesson_to_its_end_plays_on_and_the_record_verifies(serving, id_):
    ann, steps = serving.guest("Ann"), lesson_of(game(id_)).steps
    table = learn(ann, id_)
    for number, step in enumerate(steps):
        now = arrived(ann, table)
        assert (now["step"], now["of"], now["at"], now["clause"]) == (number, len(steps), list(step.at), step.clause)
        answer = play(ann, table, now["move"]) if step.move else do(ann, table, "on")
        assert answer.status_code == 200, answer.text
    now = arrived(ann, table)
    assert now["is_over"] and now["title"] == "You know enough" and not ann.view(table)["table"]["can_hint"]
    free = ann.view(table)["menu"][0]["action"]
    assert play(ann, table, free).status_code == 200, "no move is fixed any more"
    wait_until(lambda: ann.view(table)["lesson"] is None)
    while ann.view(table)["table"]["status"] == "playing":
        assert ann.post(f"/tables/{table}/resign").status_code in (200, 409)
    record = ann.get(f"/tables/{table}/record.json").json()
    match = quintain.Match.load(json.dumps(record))
    assert match.seed == lesson_of(game(id_)).seed and {entry.kind for entry in match.moves_made} <= {"move", "resign"}


def test_a_move_that_the_lesson_does_not_want_changes_nothing_and_the_answer_says_which_one_it_wants(serving):
    ann = serving.guest("Ann")
    table = learn(ann)
    first = ann.view(table)
    refused = play(ann, table, first["menu"][0]["action"])
    assert refused.status_code == 422
    assert refused.json()["error"] == f"Read “{LESSON.steps[0].title}” first, then touch Next. {LEAVE}"
    follow(ann, table, FIRST_MOVE)
    before, wanted = ann.view(table), LESSON.steps[FIRST_MOVE].move
    other = next(act["action"] for act in before["menu"] if act["words"] != wanted)
    refused = play(ann, table, other)
    assert refused.status_code == 422
    assert refused.json()["error"] == f"{WANTS} {LEAVE}"
    refused = play(ann, table, "play Artois 8")
    assert refused.status_code == 422 and "lesson" not in refused.json()["error"], "the usual reason comes first"
    undo = ann.post(f"/tables/{table}/undo", decision=before["table"]["decision"])
    assert undo.status_code == 409
    assert ann.view(table) == before
    page = ann.submit(f"/tables/{table}/moves", action=str(other), decision=str(before["table"]["decision"]))
    assert WANTS in page.text and 'id="coach"' in page.text


def test_no_move_of_a_lesson_is_taken_back(serving):
    ann = serving.guest("Ann")
    table = learn(ann)
    follow(ann, table, FIRST_MOVE + 1)
    seen = ann.view(table)
    assert serving.table(table).match.can_undo(0) and not seen["table"]["can_undo"]
    refused = ann.post(f"/tables/{table}/undo", decision=seen["table"]["decision"])
    assert refused.status_code == 409 and refused.json()["error"].startswith("in a lesson no move is taken back")


def test_what_others_have_to_do_comes_first(slow):
    ann = slow.guest("Ann")
    table = learn(ann)
    follow(ann, table, WITH_ANSWERS)
    assert play(ann, table, LESSON.steps[WITH_ANSWERS].move).status_code == 200
    wait_until(lambda: not ann.view(table)["menu"])
    seen = ann.view(table)
    assert seen["lesson"]["waits"] and seen["lesson"]["move"] is None
    for move in ("put +1 on Castellia", LESSON.steps[WITH_ANSWERS].move, "resign"):
        assert play(ann, table, move).status_code in (409, 422)
    assert ann.view(table) == seen
    assert do(ann, table, "on").status_code == 409
    page = bubble(ann, table)
    assert not lit(page) and not [tag for tag in page.all("button") if tag.get("form") in ("lesson-on", "lesson-show")]


def test_show_me_makes_the_move_and_on_leaves_a_remark_behind(serving):
    ann = serving.guest("Ann")
    table = learn(ann)
    assert do(ann, table, "show").status_code == 409, "the first step is only read"
    while (now := arrived(ann, table))["step"] <= WITH_ANSWERS:
        is_move = LESSON.steps[now["step"]].move is not None
        if is_move:
            assert do(ann, table, "on").status_code == 409
        assert do(ann, table, "show" if is_move else "on").status_code == 200
    made = [(entry.seat, entry.text) for entry in serving.table(table).match.moves_made]
    step = LESSON.steps[WITH_ANSWERS]
    assert made[-len(step.others) - 1] == (0, step.move)


def test_each_deed_names_its_step_and_is_the_learners_alone(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = learn(ann)
    for what in ("on", "show", "skip", "leave"):
        stale = do(ann, table, what, step=5)
        assert stale.status_code == 409 and stale.json()["error"] == "the lesson has gone on since: look again"
        for wrong in (None, "one", 1.5, [], -(10**30)):
            assert do(ann, table, what, step=wrong).status_code in (400, 409)
        assert bo.post(f"/tables/{table}/lesson/{what}", step=0, decision=1).status_code == 403
        assert ann.http.post(f"/tables/{table}/lesson/{what}", json={"step": 0}).status_code == 403, "no csrf"
    assert do(ann, table, "on").status_code == 200
    late = do(ann, table, "show", decision=99)
    assert late.status_code == 409 and late.json()["error"] == "the table has changed since: look again"
    usual = bo.make(GAME, "me", "page")
    assert bo.post(f"/tables/{usual}/lesson/on", step=0).status_code == 409


def test_what_happens_before_the_next_step_can_be_skipped(slow):
    ann = slow.guest("Ann")
    table = learn(ann)
    assert do(ann, table, "skip").status_code == 200 and ann.view(table)["lesson"]["step"] == 0
    follow(ann, table, WITH_ANSWERS)
    assert play(ann, table, LESSON.steps[WITH_ANSWERS].move).status_code == 200
    wait_until(lambda: not ann.view(table)["menu"])
    assert ann.view(table)["lesson"]["waits"]
    skip = [tag for tag in bubble(ann, table).all("button") if tag.get("form") == "lesson-skip"]
    assert [tag["text"] for tag in skip] == ["Skip"]
    assert do(ann, table, "skip").status_code == 200
    seen = ann.view(table)
    assert not seen["lesson"]["waits"] and seen["lesson"]["step"] == WITH_ANSWERS + 1 and seen["menu"]
    made = [entry.text for entry in slow.table(table).match.moves_made]
    assert made[-len(LESSON.steps[WITH_ANSWERS].others) :] == [each.move for each in LESSON.steps[WITH_ANSWERS].others]
    assert not [tag for tag in bubble(ann, table).all("button") if tag.get("form") == "lesson-skip"]


@pytest.mark.parametrize("id_", [found.id for found in all_games() if lesson_of(found)])
def test_a_step_marks_the_pieces_that_make_its_move_and_the_places_that_they_reach(id_):
    lesson = lesson_of(game(id_))
    for number, (step, match) in enumerate(played(game(id_), lesson)):
        seen, now = match.seen(LEARNER), progress_in(lesson, match, number)
        said = bubble_of(now, seen)
        view = marked(seen.view, said["at"], said["action"])
        touch, reach = ({piece.id for piece in view.pieces() if state in piece.state} for state in (TOUCH, REACH))
        acts = {piece.id: piece.acts for piece in seen.view.pieces()}
        makers = {id_ for id_, each in acts.items() if said["action"] in [act.action for act in each]}
        assert touch <= makers and bool(touch) == bool(makers), step.title
        assert reach == {act.target for id_ in touch for act in acts[id_] if act.action == said["action"]} - {None}
        assert not step.move or touch or said["action"] in [act.action for act in view.acts], step.title
        if step.move is None:
            assert not touch | reach and said["can_go_on"], step.title
        earlier = bubble_of(now, seen, earlier=number - 1)
        assert number == 0 or earlier["action"] is None, "an earlier step asks for nothing"


def test_spectators_see_no_bubble(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = learn(ann)
    assert ann.view(table)["lesson"] and bo.view(table)["lesson"] is None
    assert bubble(ann, table).all("div", id="coach")
    page = bubble(bo, table)
    assert not page.all("div", id="coach") and not lit(page)
    with bo.watching(table) as socket:
        assert "coach" not in socket.recv(timeout=10)


def test_back_shows_an_earlier_remark_and_changes_nothing(serving):
    ann = serving.guest("Ann")
    table = learn(ann)
    follow(ann, table, 3)
    before, page = ann.view(table), bubble(ann, table)
    (back,) = [tag for tag in page.all("a") if tag["text"] == "Back"]
    assert back["href"] == f"/tables/{table}?remark=2"
    earlier = bubble(ann, table, "?remark=1")
    assert earlier.all("h2", id="coach-title")[0]["text"] == LESSON.steps[1].title
    assert set(LESSON.steps[1].at) & lit(earlier)
    assert not [tag for tag in earlier.all("button") if tag.get("form") in ("lesson-on", "lesson-show")]
    assert [tag["href"] for tag in earlier.all("a") if tag["text"] == "To now"] == [f"/tables/{table}"]
    for beyond in (3, 99, -1):
        assert bubble(ann, table, f"?remark={beyond}").all("h2", id="coach-title")[0]["text"] == LESSON.steps[3].title
    assert ann.get(f"/tables/{table}?remark=two", headers=HTML).status_code == 400
    assert ann.view(table) == before


def test_whoever_leaves_plays_on_from_this_position(serving):
    ann = serving.guest("Ann")
    table = learn(ann)
    follow(ann, table, WITH_ANSWERS)
    seen = ann.view(table)
    assert do(ann, table, "leave").status_code == 200
    after = ann.view(table)
    assert after["lesson"] is None and after["menu"] == seen["menu"] and after["table"]["can_hint"]
    other = next(act for act in after["menu"] if act["words"] != seen["lesson"]["move"])
    assert play(ann, table, other["action"]).status_code == 200
    assert ann.post(f"/tables/{table}/lesson/on", step=WITH_ANSWERS).status_code == 409
    assert learn(ann) != table, "to learn again is to begin again"


def test_a_resignation_ends_the_lesson(serving):
    ann = serving.guest("Ann")
    table = learn(ann)
    assert ann.post(f"/tables/{table}/resign").status_code == 200
    assert ann.view(table)["lesson"] is None and ann.view(table)["table"]["status"] == "over"


def test_the_page_lights_what_is_meant_and_says_the_step(serving):
    ann = serving.guest("Ann")
    table = learn(ann)
    follow(ann, table, FIRST_MOVE)
    page, step = bubble(ann, table), LESSON.steps[FIRST_MOVE]
    assert lit(page) == set(step.at)
    assert page.all("p", id="lesson-step")[0]["text"] == f"Step {FIRST_MOVE + 1} of {STEPS}"
    assert page.all("span", id="question")[0]["text"] == ann.view(table)["view"]["question"]["words"]
    ticked = [tag for tag in page.tags if tag["tag"] == "li" and tag.get("class") == "done"]
    assert len(ticked) == FIRST_MOVE
    assert not [tag for tag in page.all("button") if tag.get("form") in ("undo", "hint")]
    html = ann.get(f"/tables/{table}", headers=HTML).text
    assert f'href="/rules/{GAME}#{step.clause}"' in html


def test_without_script_forms_and_links_lead_through_a_lesson(serving):
    ann = serving.guest("Ann")
    table = ann.submit(f"/learn/{GAME}").headers["location"].rpartition("/")[2]
    for _ in range(2 * STEPS):
        if arrived(ann, table)["is_over"]:
            break
        html = ann.get(f"/tables/{table}", headers=HTML).text
        form = re.search(r'<button class="button[^"]*" form="lesson-(on|show)"', html)[1]
        fields = re.search(rf'<form id="lesson-{form}".*?</form>', html, re.DOTALL)[0]
        given = dict(re.findall(r'name="(step|decision)" value="(\d+)"', fields))
        assert ann.submit(f"/tables/{table}/lesson/{form}", **given).status_code == 303
    assert arrived(ann, table)["is_over"]


def test_a_lesson_survives_a_server_that_forgets_its_tables(tmp_path):
    with Serving(tmp_path) as serving:
        ann = serving.guest("Ann")
        table, cookies = learn(ann), dict(ann.http.cookies)
        follow(ann, table, FIRST_MOVE)
        before = ann.view(table)["lesson"]
    with Serving(tmp_path) as serving:
        again = serving.guest()
        again.http.cookies.update(cookies)
        again.csrf = again.view(table)["csrf"]
        assert again.view(table)["lesson"] == before
        follow(again, table)


@pytest.mark.long  # test_killed.py kills servers at random moments; a lesson is a table
def test_a_killed_server_goes_on_with_the_lesson_where_it_was(tmp_path):
    server = ServingProcess(tmp_path)
    try:
        ann = Guest(server.url, "Ann")
        table = learn(ann)
        follow(ann, table, WITH_ANSWERS)
        assert do(ann, table, "show").status_code == 200
        server.kill()
        server.start()
        follow(ann, table, WITH_ANSWERS + 2)
        made = [line["words"] for line in ann.view(table)["log"]]
        assert made and arrived(ann, table)["step"] == WITH_ANSWERS + 2
        ann.http.close()
    finally:
        server.kill()


def test_the_lobby_offers_the_lesson_until_the_game_is_known(serving):
    ann = serving.guest()

    def buttons():
        html = ann.get("/", headers=HTML).text
        found = re.findall(
            rf'action="/(learn|play)/{GAME}">.*?<button class="([^"]*)"><span>([^<]*)<small>([^<]*)', html
        )
        return {way: ("first" in classes.split(), words, small.strip()) for way, classes, words, small in found}

    minutes = f"{LESSON.minutes} min, guided"
    assert buttons()["learn"] == (True, "Learn it", minutes) and not buttons()["play"][0]
    asked = ann.submit(f"/learn/{GAME}")
    assert asked.status_code == 303 and asked.headers["location"] == f"/name?next=/learn/{GAME}"
    named = Page(ann.get(asked.headers["location"], headers=HTML).text)
    assert f"/learn/{GAME}" in [form["action"] for form in named.all("form")]
    table = ann.submit(f"/learn/{GAME}", name="Ann").headers["location"].rpartition("/")[2]
    assert ann.view(table)["table"]["private"] and ann.view(table)["table"]["you"] == 0
    follow(ann, table, 3)
    assert buttons()["learn"] == (True, "Learn it", "on from step 4")
    assert ann.submit(f"/learn/{GAME}").headers["location"] == f"/tables/{table}", "it goes on where it was"
    follow(ann, table)
    assert buttons()["learn"][0] is False and buttons()["learn"][2] == "done; once more?" and buttons()["play"][0]
    bo = serving.guest("Bo")
    bo.submit(f"/play/{GAME}")
    assert re.search(rf'action="/learn/{GAME}">.*?<small>([^<]*)', bo.get("/", headers=HTML).text)[1].strip() == minutes
    facts = {found["id"]: found["learned"] for found in bo.get("/tables.json").json()["games"]}
    assert {id_ for id_, learned in facts.items() if learned} == {GAME} | {
        found.id for found in registry.all_games() if not lesson_of(found)
    }


def test_a_game_without_a_lesson_says_so(serving):
    ann = serving.guest("Ann")
    answer = ann.post("/learn/goofspiel")
    assert answer.status_code == 404 and answer.json()["error"] == "there is no lesson of Goofspiel"
    assert ann.post("/learn/no-game").status_code == 404
    assert "/learn/goofspiel" not in ann.get("/", headers=HTML).text
