"""Lessons in real browsers: a newcomer with a phone touches what glows, and everybody can read and reach everything."""

import pytest

import quintain
from parts.tables.lessons import steps_of
from quintain.engine.play.lesson import lesson_of
from quintain.engine.rules.registry import game
from server.browsing import Person, Scriptless
from server.guests import PATIENCE
from server.test_looks import RULES, TOO_SMALL, needs_chromium, needs_files
from tables import SIZES, Window

GAME = "kings-court"
STEPS = lesson_of(game(GAME)).steps
READ = "button[form=lesson-on]:visible"
GLOWING = (
    "#acts .act.spot:visible",
    "#moves .piece.target.is-to-reach:visible",
    "#moves :is(a, button).piece.lit.is-to-touch:not(.chosen):visible",
)
"""What a newcomer touches: a button that glows, a place that the chosen piece leads to, or a piece."""
STEP = "#lesson-leave [name=step]"
ADDED = ("#coach", "#lesson-steps", "#bar", "#dock", ".spot", ".is-spot", ".is-to-touch")
"""The places of a table that a lesson changes: its bubble, its steps, the bar, the dock, and what glows."""
MOST_TOUCHES = 4
SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
pytestmark = [needs_chromium, needs_files]


@pytest.fixture
def comes(browser, serving):
    """Return a function that lets a newcomer begin the lesson; the test fails if a page has an error."""
    came, refused = [], "status of 422"

    def come(kind=Person, **settings):
        came.append(kind(browser, serving.url, **settings))
        page = came[-1].page
        page.goto(serving.url)
        page.locator(f"form[action='/learn/{GAME}'] button").click()
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="That is me").click()
        page.locator("#coach").wait_for()
        return page

    yield come
    for person in came:
        person.context.close()
    assert not [fault for person in came for fault in person.complaints if refused not in fault]


def step_of(page):
    """Return the number of the step that a page shows, once the others have moved."""
    page.locator(f"{READ}, button[form=lesson-show]:visible, #acts .act.spot:visible").first.wait_for()
    return int(page.locator(STEP).get_attribute("value"))


def moves_on(page, step):
    """Tell whether a page soon shows another step."""
    try:
        page.locator(f"{STEP}:not([value='{step}'])").wait_for(state="attached", timeout=1000 * PATIENCE / 10)
    except Exception as error:
        if "Timeout" not in str(error):
            raise
        return False
    return True


def touch_what_glows(page, step):
    """Touch what glows until the step is done."""
    for _ in range(MOST_TOUCHES):
        found = next(places for places in map(page.locator, GLOWING) if places.count())
        is_answer = found.first.evaluate("thing => thing.matches('button, .target')")
        found.first.tap()
        if is_answer and moves_on(page, step):
            return
    raise AssertionError(f"step {step + 1} is not done by touching what glows")


def test_a_newcomer_with_a_phone_plays_the_lesson_by_touching_what_glows(comes):
    page = comes(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    while (step := step_of(page)) < len(STEPS):
        assert page.locator("#coach-title").inner_text() == STEPS[step].title
        assert page.locator("#lesson-step").text_content() == f"Step {step + 1} of {len(STEPS)}"
        assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            375,
            812,
        ]
        if STEPS[step].move:
            touch_what_glows(page, step)
        else:
            page.locator(READ).tap()
            assert moves_on(page, step)
    assert page.locator("#coach-title").inner_text() == "You know enough"
    page.locator(READ).tap()
    page.locator("#coach").wait_for(state="detached")
    page.locator("button[form=hint]").wait_for()


def test_a_wrong_touch_is_answered_by_what_the_lesson_wants(comes):
    page = comes(viewport={"width": 1280, "height": 800}, has_touch=True)
    page.locator(READ).click()
    wanted = next(step.title for step in STEPS if step.move)
    page.locator("#moves button.piece.lit:not(.is-spot)").first.click()
    notice = page.locator("#notice:visible")
    notice.wait_for()
    assert f"The lesson wants another move now: “{wanted}”." in notice.inner_text()
    assert page.locator(STEP).get_attribute("value") == "1"


def test_whoever_chooses_another_card_reads_what_the_step_wants(comes):
    page = comes(viewport={"width": 1280, "height": 800})
    first_card = next(number for number, step in enumerate(STEPS) if step.move and step.move.startswith("play"))
    while step_of(page) < first_card:
        step = step_of(page)
        page.locator("button[form=lesson-on]:visible, button[form=lesson-show]:visible").first.click()
        assert moves_on(page, step)
    wants, says = page.locator(".coach-wants"), page.locator(".coach-says")
    assert not wants.is_visible() and says.is_visible()
    page.locator(".hand a.piece:not(.is-to-touch)").first.click()
    assert wants.is_visible() and not says.is_visible()
    assert f"The lesson wants another move now: “{STEPS[first_card].title}”." in wants.inner_text()
    page.keyboard.press("Escape")
    assert says.is_visible() and not wants.is_visible()


SHADOWS = """() => [...document.querySelectorAll("#table-body *")].filter((each) => {
  const style = getComputedStyle(each);
  return style.boxShadow.includes("240, 177, 39") && each.getClientRects().length;
}).map((each) => each.id || each.getAttribute("form") || each.className)"""

RINGS = """all => all.map((each) => each.matches(".house-name") ? each.closest(".house") : each)
  .map((each) => getComputedStyle(each).outlineStyle)"""


def test_only_what_is_to_be_touched_glows_and_what_is_to_be_looked_at_has_a_ring(comes):
    page = comes(viewport={"width": 1280, "height": 800})
    while (step := step_of(page)) < len(STEPS):
        glows = page.evaluate(SHADOWS)
        ringed = page.locator(".is-spot:not(.is-to-touch)").evaluate_all(RINGS)
        assert set(ringed) <= {"dashed"}, step
        if STEPS[step].move is None:
            assert glows == ["lesson-on"], step
        else:
            assert 1 <= len(glows) <= 2 and "lesson-on" not in glows, step
            assert bool(ringed) == (len(set(STEPS[step].at)) > page.locator(".is-spot.is-to-touch").count()), step
        page.locator("button[form=lesson-on]:visible, button[form=lesson-show]:visible").first.click()
        assert moves_on(page, step)


def test_back_and_show_me_work_without_script(comes):
    page = comes(Scriptless)
    page.locator(READ).click()
    page.locator("#coach").get_by_role("link", name="Back").click()
    assert page.locator("#coach-title").inner_text() == STEPS[0].title
    page.get_by_role("link", name="To now").click()
    assert page.locator("#coach-title").inner_text() == STEPS[1].title
    page.get_by_role("button", name="Show me").click()
    assert page.locator("#coach-title").inner_text() == STEPS[2].title
    page.get_by_role("button", name="Leave").click()
    assert not page.locator("#coach").count() and page.locator("#question").inner_text()


@pytest.mark.long_for("light-1280")  # the other look has the same steps
@pytest.mark.parametrize(("theme", "width"), [("dark", 375), ("light", 1280)])
def test_no_step_is_hard_to_read_or_to_touch(comes, theme, width):
    """The rest of the table is looked at without a lesson by `test_looks.py`, and at each step by the long test below.

    We look at the whole page at the first step, and then at what a step adds to it.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = comes(viewport={"width": width, "height": 800}, color_scheme=theme)
    while (step := step_of(page)) < len(STEPS):
        looked_at = {"include": [[place] for place in ADDED if page.locator(place).count()]} if step else None
        found = axe.run(page, looked_at, options={"runOnly": list(RULES), "resultTypes": ["violations"]})
        faults = [
            (each["id"], [node["html"][:150] for node in each["nodes"][:3]]) for each in found.response["violations"]
        ]
        assert not faults, f"step {step + 1}"
        assert not page.evaluate(TOO_SMALL), f"step {step + 1}"
        page.locator("button[form=lesson-on]:visible, button[form=lesson-show]:visible").first.click()
        assert moves_on(page, step)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("id_", [found.id for found in quintain.all_games() if lesson_of(found)])
def test_no_step_of_any_lesson_is_hard_to_read(browser, id_, size, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = game(id_)
    steps = list(steps_of(found, lesson_of(found).seats))
    window = Window(browser, size, steps[0].html)
    for step in steps:
        window.show(step.html)
        window.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        faults = axe.run(window.page, options={"runOnly": list(RULES), "resultTypes": ["violations"]})
        nodes = [(each["id"], [node["html"] for node in each["nodes"]]) for each in faults.response["violations"]]
        assert not nodes, step.kind
    window.page.close()
