"""Puzzles in Chromium: by keyboard to the end, by touch, and whether all states are readable and fit on the screen."""

import pytest

from quintain.engine.rules.registry import game
from quintain.lab import puzzles as kept
from server.study.looking import DESK, LOOKS, PHONE, check
from server.study.puzzling import path, put_puzzles
from server.test_looks import needs_chromium, needs_files

pytestmark = [needs_chromium, needs_files]


@pytest.fixture
def made(monkeypatch):
    return put_puzzles(monkeypatch)


def test_a_puzzle_is_solved_by_keyboard_alone(visit, serving, made):
    ann, puzzle = serving.guest("Ann"), made[0]
    page = visit(ann, path(puzzle))
    page.keyboard.press("h")
    page.wait_for_selector("text=The hint has taken wrong moves away")
    page.keyboard.press("2")
    assert page.locator(".hand .piece").nth(1).get_attribute("aria-pressed") == "true"
    page.keyboard.press("1")
    assert page.locator(".hand .piece").nth(0).get_attribute("aria-pressed") == "true"
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer-bar:not(.wrong)")
    assert page.evaluate("document.activeElement.id") == "next-puzzle"
    page.keyboard.press("n")
    page.wait_for_url(f"**{path(made[1])}")
    assert page.complaints == []


def test_a_touch_chooses_and_answer_answers(visit, serving, made):
    ann, puzzle = serving.guest("Ann"), made[1]
    page = visit(ann, path(puzzle), PHONE, has_touch=True)
    page.locator(".hand a.piece").nth(5).tap()
    assert page.url.endswith(path(puzzle))
    page.locator("#acts .act:visible").tap()
    page.wait_for_selector(".answer-bar")
    page.locator("text=Try again").tap()
    page.wait_for_selector("text=Once more, without points")


@pytest.mark.long_for("size0-light")
@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_a_puzzle_is_readable_before_and_after_right_and_wrong(visit, serving, made, size, theme):
    ann = serving.guest("Ann")
    check(visit(ann, path(made[0]), size, theme), size[0])
    ann.post(path(made[0], "answer"), action=made[0].right[0])
    check(visit(ann, path(made[0]), size, theme), size[0])
    ann.post(path(made[1], "answer"), action=made[1].wrong[0])
    check(visit(ann, path(made[1]), size, theme), size[0])
    check(visit(ann, "/puzzles", size, theme), size[0])
    check(visit(serving.guest(), path(made[2]), size, theme), size[0])


@pytest.mark.long_for("size1-dark")
@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_card_in_the_lobby_has_its_states(visit, serving, made, monkeypatch, size, theme):
    states = {"open": "Solve it", "solved": "Look again", "missed": "Why?", "none": "4 older ones"}
    monkeypatch.setattr(kept, "puzzle_of_the_day", lambda day: made[0])
    for state, words in states.items():
        ann = serving.guest("Ann")
        if state == "none":
            monkeypatch.setattr(kept, "puzzle_of_the_day", lambda day: None)
        elif state != "open":
            ann.post(path(made[0], "answer"), action=made[0].right[0] if state == "solved" else made[0].wrong[0])
        page = visit(ann, "/", size, theme)
        card, tables = page.locator(".daily-box"), page.locator(".open-box").bounding_box()
        box = card.bounding_box()
        assert words in card.inner_text()
        assert box["x"] > tables["x"] if size == DESK else box["y"] >= tables["y"] + tables["height"]
        assert box["y"] < page.locator(".quick-box").bounding_box()["y"]
        check(page, size[0])


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_table_the_question_and_the_whole_hand_are_on_one_screen(visit, serving, size):
    (puzzle, *_) = kept.puzzles(game("kings-court"))
    ann = serving.guest("Ann")
    ann.make("kings-court", "me", "random")
    page = visit(ann, f"/puzzles/kings-court/{puzzle.id}", size)
    foot = page.locator(".nav").bounding_box()["y"] if size == PHONE else size[1]
    for part in ("#board", "#question", ".hand .piece >> nth=-1"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= foot + 1, part
    page.locator(".hand a.piece").first.click()
    act = page.locator("#acts .act:visible").first.bounding_box()
    assert act["y"] + act["height"] <= foot
