"""Puzzles in a browser that are doubted, and those that people make of decisions in their own games."""

import asyncio
import re
from html import unescape

import pytest

from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.lab import puzzles as kept
from quintain.lab.candidates import Candidate
from quintain.lab.puzzles import Puzzle, puzzles
from quintain.server.browser.study.kept_puzzles import DOUBTS, OWN_PUZZLES, PARTS, BrowserParts, BrowserPuzzles
from quintain.server.model import puzzle_answers
from quintain.server.model.puzzle_answers import PuzzleKey
from quintain.server.study import puzzle_judging, puzzles_here
from quintain.server.study.puzzle_judging import Part, PuzzleJudging
from quintain.server.turns import Asker
from server.browser.test_house import FOLDER, Browser, InMemory, browse
from server.browser.test_puzzles_alone import COURT, address, wrong_of
from server.browser.test_study_answers import resigned

TRIED = 20


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Let the search find the shares that a test puts here, by action; 0.2 for others."""
    monkeypatch.setattr(puzzles_here, "AGAIN", 1)
    found: dict[int, float] = {}

    async def tried(self: PuzzleJudging, asker: Asker, seen: Seen, action: int) -> Candidate:
        await asyncio.sleep(0.001)
        move = next(each for each in seen.moves if each.action == action)
        return Candidate(action, move.text, found.get(action, 0.2), puzzle_judging.TRIES)

    monkeypatch.setattr(PuzzleJudging, "_tried", tried)
    return found


async def page(browser: Browser, path: str) -> str:
    """Return a page as its reader sees its letters."""
    return unescape((await browser.get(path))["text"])


async def until(browser: Browser, path: str, words: str) -> str:
    """Load a page until it says something."""
    for _ in range(1000):
        if words in (text := await page(browser, path)):
            return text
        await asyncio.sleep(0.01)
    raise AssertionError(f"{path} never says {words!r}")


async def solved(browser: Browser, puzzle: Puzzle) -> None:
    """Let Ann solve a puzzle."""
    await resigned(browser)
    await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")


async def decision_of(browser: Browser, table: str) -> int:
    """Return the number of Ann's first move with a choice in a finished game."""
    live = await browser.begun.house.tables.get(table.rpartition("/")[2])
    match, seat = live.table.playing(), live.table.seat_of(browser.begun.house.visitor().id)
    return next(
        number
        for number, (entry, (_, before)) in enumerate(zip(match.moves_made, match.steps(), strict=False), 1)
        if entry.kind == "move" and entry.seat == seat and len(before.seen(entry.seat).legal) > 2
    )


async def made_own(browser: Browser) -> tuple[str, str, int]:
    """Let Ann make a puzzle of a decision of hers; return its address, its table, and the number of the move."""
    table = await resigned(browser)
    number = await decision_of(browser, table)
    made = await browser.post("/puzzles/mine", f"table={table.rpartition('/')[2]}&entry={number}")
    assert made["status"] == 303, made["text"]
    return made["headers"]["location"].removeprefix(FOLDER), table, number


def test_a_doubted_puzzle_is_judged_again_and_its_answer_holds(shares: dict[int, float]):
    puzzle, keeper = puzzles(game(COURT))[0], InMemory()
    shares |= {action: 0.7 for action in (each.action for each in puzzle.candidates) if puzzle.is_right(action)}

    async def doubt(browser: Browser) -> None:
        await resigned(browser)
        early = await browser.post(f"{address(puzzle)}/doubt")
        assert (early["status"], "Answer a puzzle first" in early["text"]) == (409, True)
        await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        assert "by 30,000 tries a move" in await page(browser, address(puzzle))
        done = await browser.post(f"{address(puzzle)}/doubt")
        assert (done["status"], done["headers"]["location"]) == (303, FOLDER + address(puzzle))
        working = await page(browser, address(puzzle))
        assert "it is judged again" in working and "data-reloads" in working
        text = await until(browser, address(puzzle), "the answer holds")
        assert "70 %" in text and "I doubt this" not in text
        again = await browser.post(f"{address(puzzle)}/doubt")
        assert (again["status"], "Somebody has doubted this puzzle before" in again["text"]) == (409, True)

    browse(doubt, keeper)
    assert [kind for kind, _ in keeper.kept].count(DOUBTS) == 1


def test_a_puzzle_whose_answer_falls_is_taken_back_and_the_streak_is_kept(
    shares: dict[int, float], monkeypatch: pytest.MonkeyPatch
):
    puzzle, keeper = puzzles(game(COURT))[0], InMemory()
    monkeypatch.setattr(kept, "puzzle_of_the_day", lambda day: puzzle)
    shares |= {each.action: 0.7 for each in puzzle.candidates}

    async def doubt(browser: Browser) -> None:
        await resigned(browser)
        await browser.post(f"{address(puzzle)}/answer", f"action={wrong_of(puzzle)}")
        await browser.post(f"{address(puzzle)}/doubt")
        await until(browser, address(puzzle), "This puzzle is taken back")

    async def look(browser: Browser) -> None:
        assert "This puzzle is taken back" in await page(browser, address(puzzle))
        assert address(puzzle) not in await page(browser, f"/puzzles?game={COURT}")
        await browser.post("/name", "name=Bo&next=/")
        assert address(puzzle) not in await page(browser, f"/puzzles?game={COURT}")
        refused = await browser.post(f"{address(puzzle)}/answer", f"action={puzzle.best.action}")
        assert refused["status"] in (403, 409)

    browse(doubt, keeper)
    browse(look, keeper)


def test_a_judging_that_a_closed_page_cut_off_goes_on_from_there(
    shares: dict[int, float], monkeypatch: pytest.MonkeyPatch
):
    puzzle, keeper, done = puzzles(game(COURT))[0], InMemory(), list[int]()
    name = f"{COURT}/{puzzle.id}"
    shares[puzzle.best.action] = 0.7
    monkeypatch.setattr(puzzle_judging, "KEPT_EVERY", 0.0)
    tried, judge = list[int](), PuzzleJudging._tried

    async def counted(self: PuzzleJudging, asker: Asker, seen: Seen, action: int) -> Candidate:
        tried.append(action)
        return await judge(self, asker, seen, action)

    async def doubt(browser: Browser) -> None:
        await solved(browser, puzzle)
        await browser.post(f"{address(puzzle)}/doubt")
        while not ((progress := browser.begun.house.puzzles.progress(name)) and progress[0] > TRIED):
            await asyncio.sleep(0)

    async def look(browser: Browser) -> None:
        done.append((await BrowserParts(keeper).read(name)).done)
        monkeypatch.setattr(PuzzleJudging, "_tried", counted)
        await until(browser, address(puzzle), "the answer holds")
        assert len(tried) == 10 * len(puzzle.seen.legal) - done[0] <= 10 * len(puzzle.seen.legal) - TRIED
        facts = await browser.begun.house.puzzles.kept.facts([PuzzleKey(COURT, puzzle.id)])
        judged = facts[PuzzleKey(COURT, puzzle.id)].judged
        assert {each.tries for each in judged} == {puzzle.best.tries}
        assert judged[0].share == pytest.approx(0.7)

    browse(doubt, keeper)
    browse(look, keeper)
    assert not [kind for kind, _ in keeper.kept if kind == PARTS]


def test_a_part_of_another_position_is_not_gone_on_with():
    seen = puzzles(game(COURT))[0].seen
    first, second = (Candidate(action, "", 0.5, 9) for action in seen.legal[:2])
    assert Part().is_of(seen, 10)
    assert Part(13, (first, second)).is_of(seen, 10)
    assert Part(10, (first,)).is_of(seen, 10)
    assert not Part(10, (first, second)).is_of(seen, 10)
    assert not Part(13, (second, first)).is_of(seen, 10)


def test_the_worker_of_the_bots_judges(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    monkeypatch.setattr(puzzle_judging, "TRIES", TRIED)

    async def study(browser: Browser) -> None:
        href, _, _ = await made_own(browser)
        assert "The adviser tries each of your moves" in await page(browser, href)
        while "The adviser tries each of your moves" in await page(browser, href):
            await asyncio.sleep(0.01)
        (own,) = await browser.begun.house.puzzles.own.of_player(1)
        assert {each.tries for each in own.judged} == {TRIED}
        assert f"{FOLDER}{href}" in await page(browser, "/puzzles")

    browse(study, asked=asked)
    assert asked[-1].endswith(f"/{COURT}.wasm")


def test_a_decision_becomes_a_puzzle_that_is_answered_once(shares: dict[int, float]):
    keeper, hrefs = InMemory(), list[str]()

    async def make(browser: Browser) -> None:
        href, table, number = await made_own(browser)
        hrefs.append(href)
        again = await browser.post("/puzzles/mine", f"table={table.rpartition('/')[2]}&entry={number}")
        assert again["headers"]["location"].removeprefix(FOLDER) == href
        place = await browser.begun.house.puzzles.place(1, "mine", href.rpartition("/")[2])
        legal = place.task.seen.legal
        shares[legal[0]] = 0.6
        text = await until(browser, href, 'class="acts"')
        assert f"{table}/replay?step={number - 1}" in text and 'id="verdict"' not in text
        assert "Solve" in await page(browser, "/puzzles")
        await browser.post(f"{href}/hint")
        assert "The hint has taken wrong moves away" in await page(browser, href)
        await browser.post(f"{href}/answer", f"action={legal[0]}")
        assert re.search(r'id="verdict">Right: 60 %', await page(browser, href))
        played = await browser.made(f"{href}/play-on", "")
        assert (await browser.get(played))["status"] == 200

    async def look(browser: Browser) -> None:
        assert 'id="verdict">Right' in await page(browser, hrefs[0])
        text = await page(browser, "/puzzles")
        assert ", solved</p>" in text and "You keep the last 50" in text

    browse(make, keeper)
    assert [kind for kind, _ in keeper.kept].count(OWN_PUZZLES) == 1
    browse(look, keeper)


def test_a_second_answer_to_a_puzzle_of_ones_own_is_not_written():
    async def write() -> None:
        own = BrowserPuzzles(InMemory())
        id_ = await own.add(1, "a", 1, COURT)
        assert await own.answer(id_, 4)
        assert not await own.answer(id_, 5)
        found = await own.find(1, id_)
        assert found is not None
        assert found.action == 4

    asyncio.run(write())


def test_a_puzzle_of_ones_own_is_nobody_elses(shares: dict[int, float]):
    async def study(browser: Browser) -> None:
        href, table, number = await made_own(browser)
        await browser.post("/name", "name=Bo&next=/")
        other = await browser.get(href)
        assert (other["status"], "You have no such puzzle" in other["text"]) == (404, True)
        assert href not in await page(browser, "/puzzles")
        assert (await browser.post(f"{href}/answer", "action=0"))["status"] == 404
        asked = await browser.post("/puzzles/mine", f"table={table.rpartition('/')[2]}&entry={number}")
        assert asked["headers"]["location"].removeprefix(FOLDER) == href
        assert (await browser.get(href))["status"] == 200

    browse(study)


def test_what_cannot_become_a_puzzle_is_said(shares: dict[int, float]):
    async def study(browser: Browser) -> None:
        _, table, number = await made_own(browser)
        id_ = table.rpartition("/")[2]
        bots = next(
            each
            for each, entry in enumerate((await browser.begun.house.tables.get(id_)).table.playing().moves_made, 1)
            if entry.seat == 1
        )
        running = (await browser.made(f"/play/{COURT}", "")).rpartition("/")[2]
        for body, status, words in (
            (f"table={id_}&entry={bots}", 403, "puzzles of your own decisions only"),
            (f"table={id_}&entry=0", 404, "no move with the number 0"),
            (f"table={running}&entry={number}", 409, "a game that is over"),
            (f"table=nothing&entry={number}", 404, ""),
            ("table=a", 400, "Entry must be a whole number"),
        ):
            refused = await browser.post("/puzzles/mine", body)
            assert (refused["status"], words in unescape(refused["text"])) == (status, True), refused["text"]

    browse(study)


def test_only_the_newest_private_puzzles_are_kept(shares: dict[int, float], monkeypatch: pytest.MonkeyPatch):
    async def study(browser: Browser) -> None:
        own = browser.begun.house.puzzles.own
        made = [await own.add(1, "a", entry, COURT) for entry in range(1, puzzle_answers.MOST_KEPT + 2)]
        await own.add(2, "a", 1, COURT)
        assert {each.id for each in await own.of_player(1)} == {*made[1:]}
        assert len(await own.of_player(2)) == 1

    browse(study)
