"""Analyses in Chromium: they grow in sight, lead from position to position by key and touch, and can be read."""

import json
import re
from html import unescape

import pytest

from quintain.server.study import judging
from server.filled import played
from server.guests import UNLIMITED, Serving, wait_until
from server.study.looking import DESK, LOOKS, check
from server.study.test_analyses import data, is_done, over
from server.test_looks import needs_chromium, needs_files

pytestmark = [needs_chromium, needs_files]
TITLE = "#an-step"


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    with Serving(tmp_path_factory.mktemp("analyses"), replay_rate=UNLIMITED) as made:
        yield made


@pytest.fixture(scope="module")
def judged(serving):
    """Return a guest and a game that they brought in, judged to its end with a tenth of the usual tries.

    Its seed and its moves are always the same, so that two decisions gave something away.
    """
    ann, match = serving.guest("Ann"), played("kings-court", 2, resigns=0)
    answer = ann.submit("/games/import", record=json.dumps(match.record()), seat="0")
    table = re.search(r"/tables/([\w-]+)", unescape(answer.text))[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "FIRST_TRIES", judging.FIRST_TRIES // 10)
        patch.setattr(judging, "TRIES", judging.TRIES // 10)
        ann.post(f"/tables/{table}/analysis")
        wait_until(lambda: is_done(ann, table))
    return ann, table


def test_keys_lead_through_the_game(visit, judged):
    ann, table = judged
    page = visit(ann, f"/tables/{table}/analysis")
    numbers = [step["number"] for step in data(ann, table)["steps"]]

    def press(key, number):
        page.keyboard.press(key)
        wait_until(lambda: page.locator(".an-where p").inner_text().startswith(f"move {number} of"))

    press("Home", numbers[0])
    press("ArrowRight", numbers[1])
    press("End", numbers[-1])
    press("ArrowLeft", numbers[-2])
    assert f"step={numbers[-2]}" in page.url
    page.keyboard.press("3")
    wait_until(lambda: "with all cards open" in page.locator("iframe").get_attribute("title"))
    page.keyboard.press("e")
    page.wait_for_selector("#explained li")
    page.locator("#explained a").first.click()
    where = "() => document.querySelector('iframe').contentWindow.location.pathname"
    wait_until(lambda: page.evaluate(where).endswith("/analysis/line"))
    assert page.complaints == []


def test_a_touch_on_the_chart_leads_to_that_position(visit, judged):
    ann, table = judged
    page = visit(ann, f"/tables/{table}/analysis")
    chart = page.locator(".an-lines")
    numbers = [step["number"] for step in data(ann, table)["steps"]]
    chart.click(position={"x": 0.975 * chart.bounding_box()["width"], "y": 30})
    wait_until(lambda: page.locator(".an-where p").inner_text().startswith(f"move {numbers[-1]} of"))
    page.locator(".an-worst a").nth(1).click()
    wait_until(lambda: page.locator(".an-worst [aria-current] .rank").inner_text() == "2")
    assert page.complaints == []


def test_an_analysis_grows_in_sight_until_it_is_done(visit, serving):
    bo = serving.guest("Bo")
    table = over(serving, bo)
    page = visit(bo, f"/tables/{table}/analysis")
    page.click("text=Analyse")
    page.wait_for_selector("#analysis[data-state=working]")
    page.wait_for_selector("#analysis[data-state=finished]", timeout=120_000)
    assert re.search(r"decided better|Decisions were even", page.locator(".an-verdict").inner_text())
    assert page.complaints == []


def test_it_leads_to_a_table_of_ones_own_without_script(visit, judged):
    ann, table = judged
    page = visit(ann, f"/tables/{table}/analysis", java_script_enabled=False)
    page.click("a[data-way=first]")
    assert page.locator(".an-where p").inner_text().startswith("move 1 of")
    page.click("text=Play on from here")
    page.wait_for_url(re.compile(r"/tables/[\w-]+$"))
    assert table not in page.url


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_it_can_be_read_and_touched(visit, judged, size, theme):
    ann, table = judged
    check(visit(ann, f"/tables/{table}/analysis?explain=true", size, theme), size[0])


def test_the_window_of_a_desk_holds_chart_sums_and_list(visit, judged):
    ann, table = judged
    page = visit(ann, f"/tables/{table}/analysis", DESK)
    for place in (".an-chart", ".an-luck", ".an-step h2", ".an-list h2"):
        box = page.locator(place).first.bounding_box()
        assert box["y"] < DESK[1] and box["x"] + box["width"] <= DESK[0]
