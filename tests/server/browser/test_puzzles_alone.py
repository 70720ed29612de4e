"""Puzzles in a browser: the list, the puzzle of the day, answers that are kept, hints, and playing on."""

import asyncio
import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest

from quintain.engine.rules.registry import game
from quintain.lab import puzzles as kept
from quintain.lab.puzzles import Puzzle, puzzles
from quintain.server.browser.study.kept_puzzles import BrowserAnswers
from quintain.server.model.puzzle_answers import FirstTry, PuzzleKey
from quintain.server.pages.rendering import environment
from quintain.server.pages.study.puzzle_pages import puzzle_context
from server.browser.test_house import Browser, InMemory, browse

COURT = "kings-court"


def address(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.game.id}/{puzzle.id}"


async def learn(browser: Browser, name: str = "Ann") -> None:
    """Let somebody play King's Court, so that they may solve its puzzles."""
    await browser.finish(await browser.made("/name", f"name={name}&next=/play/{COURT}"))


def wrong_of(puzzle: Puzzle) -> int:
    return next(each.action for each in puzzle.candidates if not puzzle.is_right(each.action))


def test_the_list_has_all_puzzles_and_those_of_a_game():
    async def look(browser: Browser) -> None:
        text = unescape((await browser.get("/puzzles"))["text"])
        for found in map(game, (COURT, "robin", "heirless", "rune-war", "round-table")):
            assert f"All {len(puzzles(found))} of {found.title}" in text
        assert "A mistake in a game of yours can become a puzzle" in text
        text = unescape((await browser.get(f"/puzzles?game={COURT}"))["text"])
        assert all(address(each) in text for each in puzzles(game(COURT)))
        assert (await browser.get("/puzzles?game=chess"))["status"] == 404

    browse(look)


def test_who_does_not_know_a_game_is_led_to_its_lesson():
    puzzle = puzzles(game(COURT))[0]

    async def look(browser: Browser) -> None:
        assert "Learn it first" in (await browser.get(address(puzzle)))["text"]
        await browser.post("/name", "name=Ann&next=/")
        refused = await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        assert (refused["status"], "Do the lesson" in refused["text"]) == (403, True)

    browse(look)


def test_a_right_answer_is_kept_and_shows_the_chance_of_every_move():
    puzzle, keeper = puzzles(game(COURT))[0], InMemory()

    async def solve(browser: Browser) -> None:
        await learn(browser)
        before = (await browser.get(address(puzzle)))["text"]
        assert 'id="verdict"' not in before
        assert "I doubt this" not in before
        done = await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        assert (done["status"], done["headers"]["location"]) == (303, f"/club{address(puzzle)}")

    async def look(browser: Browser) -> None:
        text = unescape((await browser.get(address(puzzle)))["text"])
        assert re.search(r'id="verdict">Right: \d+ %', text)
        assert text.count('class="chance') >= len(puzzle.candidates)
        assert "points" not in text.split('id="verdict"')[1][:400]
        assert "I doubt this" in text
        assert "1 of 1 solved at the first try" in unescape((await browser.get("/puzzles"))["text"])

    browse(solve, keeper)
    assert [kind for kind, _ in keeper.kept] == ["puzzles"]
    browse(look, keeper)


def test_only_the_first_try_counts():
    puzzle = puzzles(game(COURT))[0]

    async def solve(browser: Browser) -> None:
        await learn(browser)
        await browser.post(f"{address(puzzle)}/answer", f"action={wrong_of(puzzle)}")
        assert "yours" in (await browser.get(address(puzzle)))["text"]
        assert "Once more." in (await browser.get(f"{address(puzzle)}?again=yes"))["text"]
        again = await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        place = again["headers"]["location"].removeprefix("/club")
        assert place == f"{address(puzzle)}?tried={puzzle.best.action}"
        assert 'id="verdict">Right: ' in (await browser.get(place))["text"]
        assert "0 of 1 solved at the first try" in (await browser.get("/puzzles"))["text"]

    browse(solve)


def test_a_second_answer_is_not_written():
    key, keeper = PuzzleKey(COURT, "1"), InMemory()

    async def write() -> None:
        here = BrowserAnswers(keeper)
        assert await here.answer(1, FirstTry(key, 4, False, None, False))
        assert not await here.answer(1, FirstTry(key, 5, True, None, False))
        assert (await here.answers(1))[key].action == 4
        assert await here.answers(2) == {}

    asyncio.run(write())


def test_a_hint_takes_moves_away():
    found = [each for each in puzzles(game(COURT)) if len(each.candidates) > 3]
    puzzle = found[0]

    async def solve(browser: Browser) -> None:
        await learn(browser)
        assert (await browser.post(f"{address(puzzle)}/hint"))["status"] == 303
        assert "The hint has taken wrong moves away" in (await browser.get(address(puzzle)))["text"]
        refused = await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.candidates[-1].action}")
        assert (refused["status"], "the hint has taken this move away" in refused["text"].lower()) == (422, True)
        await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        assert 'id="verdict">Right' in (await browser.get(address(puzzle)))["text"]

    browse(solve)


def test_each_person_here_has_answers_of_their_own():
    puzzle = puzzles(game(COURT))[0]

    async def solve(browser: Browser) -> None:
        await learn(browser)
        await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        await learn(browser, "Bo")
        assert 'id="verdict"' not in (await browser.get(address(puzzle)))["text"]
        await browser.post("/name", "name=Ann&next=/")
        assert 'id="verdict"' in (await browser.get(address(puzzle)))["text"]

    browse(solve)


def test_who_plays_on_gets_a_table_with_the_question_open():
    puzzle = puzzles(game(COURT))[0]

    async def play(browser: Browser) -> None:
        await learn(browser)
        early = await browser.post(f"{address(puzzle)}/play-on")
        assert (early["status"], "answer this puzzle first" in early["text"].lower()) == (409, True)
        await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        table = await browser.made(f"{address(puzzle)}/play-on", "")
        text = unescape((await browser.get(table))["text"])
        assert puzzle.seen.view.question is not None
        assert puzzle.seen.view.question.words in text
        await browser.finish(table)

    browse(play)


def test_the_puzzle_of_the_day_makes_a_streak(monkeypatch: pytest.MonkeyPatch):
    found = puzzles(game(COURT))

    def of_day(day: date) -> Puzzle:
        return found[day.toordinal() % len(found)]

    monkeypatch.setattr(kept, "puzzle_of_the_day", of_day)
    today = datetime.now(UTC).date()

    async def solve(browser: Browser) -> None:
        assert "Puzzle of the day" not in (await browser.get("/"))["text"]
        await learn(browser)
        assert address(of_day(today)) in unescape((await browser.get("/"))["text"])
        await browser.post(f"{address(of_day(today))}/answer", f"action={of_day(today).best.action}")
        text = (await browser.get("/"))["text"]
        assert "<b>1 day</b> in a row" in text
        assert address(of_day(today + timedelta(1))) not in unescape(text)

    browse(solve)


@pytest.mark.parametrize("path", ["/puzzles/kings-court/nothing", "/puzzles/mine/abc", "/puzzles/chess/abc"])
def test_a_puzzle_that_is_not_here_is_said(path: str):
    async def look(browser: Browser) -> None:
        assert (await browser.get(path))["status"] == 404

    browse(look)


def test_what_nobody_can_do_with_a_puzzle_is_refused():
    puzzle = puzzles(game(COURT))[0]

    async def post(browser: Browser) -> None:
        await learn(browser)
        assert (await browser.post(f"{address(puzzle)}/nothing"))["status"] == 404

    browse(post)


def test_a_board_of_a_puzzle_is_drawn_as_the_server_draws_it():
    puzzle = puzzles(game(COURT))[0]

    async def look(browser: Browser) -> None:
        await learn(browser)
        house = browser.begun.house
        found, visitor = house.puzzles, house.visitor()
        context = await puzzle_context(found, visitor, await found.place(visitor.number, COURT, puzzle.id))
        theirs = environment(address=lambda path: f"/static/{path}?v=0").render_template("puzzle.html", **context)
        ours = house.templates.render_template("puzzle.html", **context)
        assert PuzzleKey(COURT, puzzle.id) not in await found.kept.answers(visitor.number or 0)
        boards = [re.search(r'<section class="board".*?</section>', html, re.DOTALL) for html in (ours, theirs)]
        assert boards[0] and boards[1] and boards[0][0] == boards[1][0]

    browse(look)
