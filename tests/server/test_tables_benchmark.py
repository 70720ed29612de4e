"""The benchmark of tables: it finds nothing on tables that are in order, and each of its measures finds a broken one.

The tables of all our games, with all their seats taken, must have no fault at all.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import quintain
from conformance.cases import KUHN
from parts.tables.decisions import GOLDEN, Moment, moments, plays, spread, wanted
from parts.tables.ends import ends
from parts.tables.lessons import steps_of
from parts.tables.replays import steps
from quintain.engine.play.lesson import lesson_of
from quintain.engine.rules.registry import game, register_file
from quintain.server.pages.rendering import environment
from server.samples import asked_in, played, table_page
from server.test_looks import needs_chromium, needs_files
from tables import MEASURES, MOST_DOCK, SIZES, Figures, Window, look_at, measure

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "tables.py"
FULL = [(found.id, found.seats[1]) for found in quintain.all_games() if found.folder]
CROWDED = [("goofspiel", 2), ("round-table", 3), *((id_, seats) for id_, seats in FULL if seats > 2)]
IN_ORDER = [
    *[("goofspiel", 4), ("kuhn", 2), *(each for each in FULL if each not in CROWDED)],
    *[pytest.param(*each, marks=pytest.mark.long) for each in CROWDED],
]
"""Games and numbers of seats; we look at one page of each kind of decision. The benchmark looks at more.

Crowded tables are long tests. In all runs each step of the lessons of the same games is measured as strictly."""
PHONE, DESK = SIZES
PATIENCE = 120
STYLE = "(css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); document.adoptedStyleSheets = [sheet]; }"
ELLIPSIS = "#question { width: 99px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }"
BROKEN = [
    ("scrolls", PHONE, ".frame { height: 900px; }", "the page is 375 x 900"),
    ("scrolls", DESK, ".frame { width: 1300px; }", "the page is 1300 x 800"),
    ("hidden", PHONE, "#question { display: none; }", "the question is not shown"),
    ("hidden", PHONE, "#question { position: relative; left: 400px; }", "the question is outside the window"),
    ("hidden", DESK, "#rail { position: fixed; inset: 0; z-index: 99; }", "the question is covered by #log"),
    ("hidden", DESK, "#board { height: 20px; overflow: hidden; }", "prizes.0, which the question is about, lies in"),
    ("hidden", DESK, ".generic { overflow: hidden; max-height: 60px; }", "which the question is about, is cut off by"),
    ("hidden", DESK, ".hand .piece { visibility: hidden; }", 'the answer "bid 1" is not shown'),
    ("hidden", PHONE, "#acts .act { display: none; }", 'the button "bid 10" of hand.0.9 is not shown'),
    ("overflows", DESK, ".seat-sub { width: 20px; }", "is cut off by #seat.0 span.seat-sub"),
    ("overflows", PHONE, "#question { width: 40px; white-space: nowrap; }", "spills out of #question"),
    ("overflows", PHONE, "#question { max-height: 9px; overflow: hidden; }", "is cut off by #question"),
    ("overflows", PHONE, ELLIPSIS, "is cut off by #question"),
    ("overflows", DESK, ".generic { overflow: visible; padding-top: 700px; }", "it spills out of #board"),
    ("largest_dock", PHONE, "#dock { height: 50vh; }", "takes 50% of the height"),
]
"""Styles that break a page: the measure that notices, the size of the window, and some of its words."""

pytestmark = [needs_chromium, needs_files]


@pytest.fixture
def moment():
    """Return a decision of Goofspiel."""
    return next(moments(game("goofspiel"), 4, each=1))


@pytest.fixture
def scene():
    """Return a decision of King's Court in which a scene is going on, on a table of the usual kind."""
    match = played(game("kings-court"), asked_in("switch"))
    html = environment().render_template("table.html", **table_page(match, 0, board="boards/generic.html"))
    return Moment("kings-court", 2, "at random", 0, 0, "switch", html, wanted(match.view(0)))


@pytest.fixture(scope="module")
def windows(browser, goofspiel):
    """Return a window of each size."""
    first = next(moments(register_file(goofspiel), 2, each=1))
    return {size: Window(browser, size, first.html) for size in SIZES}


def found_in(window, moment, style="", script="() => {}"):
    """Return what is wrong on a page after a style has been added and a script has run."""
    figures = Figures()
    window.show(moment.html)
    window.page.evaluate(STYLE, style)
    window.page.evaluate(script)
    look_at(moment, window, figures)
    return wrong(figures)


def wrong(figures):
    """Return the faults that no page may have: areas of the board may scroll."""
    return [fault for fault in figures.faults.values() if fault.measure != "inner_scrolls"]


@pytest.mark.parametrize(
    ("style", "what"),
    [
        ("", []),
        (".rt .man:has(> .kn.chosen)::after { left: 9px; right: auto; }", ["covered"]),
        (".rt .man { overflow: hidden; } .rt .man:has(> .kn.chosen)::after { top: -9px; }", ["cut"]),
        (".rt .man:has(> .kn.chosen)::after { left: 9px; right: auto; content: ''; }", []),
    ],
)
def test_a_mark_in_the_frame_around_a_piece_meets_no_text_and_no_edge(windows, style, what):
    match = played(game("round-table"), asked_in("region"))
    (seat,) = match.to_act
    html = environment().render_template("table.html", **table_page(match, seat, chosen=match.view(seat).about[0]))
    knight = Moment("round-table", 2, "at random", 0, seat, "region", html, wanted(match.view(seat)))
    faults = found_in(windows[DESK], knight, style)
    assert sorted({fault.measure for fault in faults if "its mark" in fault.what}) == what


@pytest.mark.long_for("robin-2", "kings-court-2")
@pytest.mark.parametrize(("id_", "seats"), IN_ORDER)
def test_a_table_in_order_has_no_fault(browser, id_, seats):
    found = register_file(KUHN) if id_ == "kuhn" else game(id_)
    for size, figures in measure(browser, found, [seats], SIZES, each=1).items():
        assert not wrong(figures), size
        assert figures.pages >= len(figures.kinds) > 1
        assert 0 < figures.largest_dock <= MOST_DOCK
        assert not any(figures.written()[measure] for measure in MEASURES)


@pytest.mark.parametrize(
    ("size", "style", "words"),
    [
        (PHONE, "#question { display: none; }", "the question is not shown"),
        (DESK, ".step-foot > .step-at { flex: none; width: 40px; overflow: hidden; }", "is cut off by #step.at"),
        (PHONE, ".step-row { width: 500px; }", "spills out of"),
    ],
)
def test_a_broken_replay_has_a_fault(windows, size, style, words):
    looked_at = list(steps(game("goofspiel"), 2, each=1))
    kinds = [moment.kind for moment in looked_at]
    assert kinds == 3 * ["a replay, seen openly", "a replay, seen from a seat"]
    assert [moment.move for moment in looked_at] == [0, 0, 13, 13, 26, 26]
    for moment in looked_at:
        assert not found_in(windows[size], moment)
    assert any(words in fault.what for fault in found_in(windows[size], looked_at[2], style))


@pytest.mark.long
@pytest.mark.parametrize(
    "id_", [id_ for id_, seats in FULL if (lesson := lesson_of(game(id_))) and lesson.seats != seats]
)
def test_each_step_of_a_lesson_has_no_fault(windows, id_):
    found, figures = game(id_), Figures()
    for window in windows.values():
        window.page.evaluate(STYLE, "")
    for moment in steps_of(found, lesson_of(found).seats):
        for window in windows.values():
            window.show(moment.html)
            look_at(moment, window, figures)
    assert not wrong(figures)
    assert figures.pages > len(SIZES) * len(lesson_of(found).steps) and figures.largest_dock <= MOST_DOCK


@pytest.mark.parametrize("size", SIZES)
def test_the_bubble_of_a_lesson_that_takes_too_much_room_is_a_fault(windows, size):
    step = next(steps_of(game("kings-court"), 2))
    assert not found_in(windows[size], step)
    assert found_in(windows[size], step, ".coach { margin-top: 300px; }")


@pytest.mark.parametrize(("measure", "size", "style", "words"), BROKEN)
def test_a_broken_table_has_a_fault(windows, moment, measure, size, style, words):
    faults = found_in(windows[size], moment, style)
    assert any(fault.measure == measure and words in fault.what for fault in faults)


BROKEN_END = [
    ("scrolls", PHONE, ".ending { height: 900px; }", "the page is 375 x"),
    ("hidden", DESK, "#grid { display: none; }", "#grid is not shown"),
    ("hidden", PHONE, "#next { position: relative; top: 300px; }", "#next is outside the window"),
    ("hidden", DESK, "#turned { visibility: hidden; }", "#turned is not shown"),
    ("overflows", PHONE, "#result-words { width: 40px; white-space: nowrap; }", "spills out of #result-words"),
]


@pytest.mark.parametrize(("measure", "size", "style", "words"), BROKEN_END)
def test_an_end_that_is_broken_has_a_fault(windows, measure, size, style, words):
    end, behind, *_ = ends(game("goofspiel"), 2)
    assert not found_in(windows[size], end) and not found_in(windows[size], behind)
    faults = found_in(windows[size], end, style)
    assert any(fault.measure == measure and words in fault.what for fault in faults)


def test_the_ends_are_seen_by_who_won_who_lost_and_who_watched(goofspiel):
    kinds = {moment.kind for moment in ends(register_file(goofspiel), 2)}
    assert {"the end, won", "the end, lost", "the end, watched", "the table behind the end"} == kinds


def test_a_scene_that_is_not_in_sight_is_hidden(windows, scene):
    def is_hidden(style):
        return [fault for fault in found_in(windows[DESK], scene, style) if fault.what.startswith("the scene")]

    assert not is_hidden("")
    assert is_hidden("#scene { display: none; }") and is_hidden("#scene { position: fixed; top: 790px; }")


def test_what_lies_in_an_area_that_scrolls_is_in_sight_only_there(windows, moment):
    assert not found_in(windows[PHONE], moment)
    unmarked = "() => document.querySelector('.hand').removeAttribute('data-scrolls')"
    faults = found_in(windows[PHONE], moment, script=unmarked)
    assert {"hidden", "overflows"} <= {fault.measure for fault in faults}
    faults = found_in(windows[PHONE], moment, ".hand { flex: none; height: 20px; }")
    assert any(fault.what.endswith("lies in #zone.hand.0, which has no room to scroll in") for fault in faults)


def test_areas_of_the_board_that_scroll_are_counted(windows, moment):
    counts = {}
    for style in (".generic { overflow: visible; }", ".generic { max-height: 60px; }"):
        figures = Figures()
        windows[DESK].show(moment.html)
        windows[DESK].page.evaluate(STYLE, style)
        look_at(moment, windows[DESK], figures)
        counts[style] = figures.written()["inner_scrolls"]
    assert list(counts.values()) == [0, 1]


def test_words_may_end_in_an_ellipsis_where_a_tooltip_has_them_all(windows, moment):
    with_tooltip = "() => { const {question} = window; question.title = question.textContent.trim(); }"
    assert not found_in(windows[PHONE], moment, ELLIPSIS, with_tooltip)


def test_a_piece_about_which_the_inspector_says_nothing_is_unexplained(windows, moment):
    faults = found_in(windows[DESK], moment, script="() => document.getElementById('look.hand.0.0').remove()")
    assert {fault.element for fault in faults} == {"#hand.0.0", "action 1"}
    assert {fault.measure for fault in faults} == {"unexplained"}


def test_faults_of_one_kind_count_once(windows, moment):
    faults = found_in(windows[DESK], moment, ".hand .piece { visibility: hidden; }")
    (answers,) = [fault for fault in faults if fault.what.startswith("the answer")]
    assert answers.times == 2 * 13, "with nothing chosen, and with a card chosen"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("kings-court-*.json")), ids=lambda path: path.stem)
def test_a_golden_record_is_played_to_its_end_or_to_where_somebody_resigns(path):
    record = json.loads(path.read_text(encoding="utf-8"))
    kinds = [entry["kind"] for entry in record["moves"]]
    play = plays(quintain.game(record["game"]), record["seats"])[path.stem]
    assert sum(1 for _ in play()) == (kinds.index("resign") + 1 if "resign" in kinds else len(kinds))


def test_decisions_are_taken_evenly_from_the_first_to_the_last():
    places = [("a", move, 0) for move in range(9)]
    assert spread(places, 1) == {places[0]}
    assert spread(places, 3) == {places[0], places[4], places[8]}
    assert spread(places[:2], 3) == {*places[:2]}


@pytest.mark.long  # the tests here look for the faults themselves
def test_the_command_prints_its_figures_and_its_faults(goofspiel, tmp_path):
    given = ["--games", str(goofspiel), "--seats", "2", "--each", "1", "--sizes", "360x640", "--faults", "--json"]
    command = [sys.executable, str(BENCHMARK), *given, "--pictures", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    printed = json.loads(ran.stdout)
    figures = printed["goofspiel"]["360x640"]
    assert set(figures) == {"decisions", "pages", *MEASURES, "jumps", "touches", "largest_dock", "inner_scrolls"}
    assert len(printed["faults"]) == sum(figures[measure] for measure in (*MEASURES, "inner_scrolls"))
    assert bool([*tmp_path.glob("goofspiel-360x640-2-*.png")]) == bool(printed["faults"])
