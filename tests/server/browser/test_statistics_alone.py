"""Statistics in a browser: what wins in each game, over the finished games that it keeps."""

import re
from html import unescape

from quintain.server.browser.study.statistics_answers import KIND, counts_of
from quintain.server.model.entries import fold
from quintain.server.model.wins import MOVE, OPENING, SEAT, counts
from server.browser.test_house import FOLDER, Browser, InMemory, browse
from server.browser.test_study_answers import resigned

GAME = "kings-court"


async def played(browser: Browser, game: str = GAME, seats: int = 2) -> str:
    """Let Ann play against bots that choose at random, to the end; return the table."""
    bots = "".join(f"&seat.{seat}=random" for seat in range(1, seats))
    table = await browser.made("/tables", f"game={game}&name=Ann&seat.0=me{bots}")
    await browser.finish(table)
    return table


async def page(browser: Browser, path: str) -> str:
    """Return a page as its reader sees its letters."""
    found = await browser.get(path)
    assert found["status"] == 200
    return unescape(found["text"])


def test_without_games_there_is_nothing_to_count():
    async def look(browser: Browser) -> None:
        assert "No game counted yet" in await page(browser, "/statistics")
        assert "has been counted here yet" in await page(browser, f"/statistics/{GAME}")
        assert f'href="{FOLDER}/statistics/{GAME}"' in await page(browser, "/rules")
        assert f'href="{FOLDER}/statistics/{GAME}"' in await page(browser, f"/rules/{GAME}")
        for path, status in (
            ("/statistics/chess", 404),
            (f"/statistics/{GAME}?seats=99", 422),
            ("/statistics/a/b", 404),
        ):
            assert (await browser.get(path))["status"] == status

    browse(look)


def test_a_finished_game_is_counted_once_and_what_it_adds_is_kept():
    keeper, tables = InMemory(), list[str]()

    async def play(browser: Browser) -> None:
        tables.append((await played(browser)).rpartition("/")[2])
        await resigned(browser)

    async def look(browser: Browser) -> None:
        assert "1 game counted" in await page(browser, "/statistics")
        text = await page(browser, f"/statistics/{GAME}")
        assert "1 game with 2 seats" in text
        assert re.search(r'scope="row">seat 1</th><td data-of="people"><small>1 game<', text)
        assert re.search(r'scope="row">seat 2</th><td data-of="people"><small>none', text)
        expected = counts(fold(await browser.begun.house.store.entries(tables[0])))
        assert {each.kind for each in expected} >= {SEAT, OPENING, MOVE}
        assert await counts_of(browser.begun.house.store, GAME, 2) == expected
        assert [id_ for kind, id_ in keeper.kept if kind == f"{KIND} {GAME}"] == tables
        keeper.entries.clear()
        assert await counts_of(browser.begun.house.store, GAME, 2) == expected

    browse(play, keeper)
    browse(look, keeper)


def test_numbers_of_seats_are_counted_apart_and_games_add_up():
    async def play(browser: Browser) -> None:
        for seats in (2, 3, 3):
            await played(browser, "heirless", seats)
        text = await page(browser, "/statistics/heirless?seats=2")
        assert "1 game with 2 seats" in text
        assert f'href="{FOLDER}/statistics/heirless?seats=3"' in text
        found = await counts_of(browser.begun.house.store, "heirless", 3)
        first = [each for each in found if (each.kind, each.key) == (SEAT, "1")]
        assert [(each.bot, each.games) for each in first] == [(False, 2)]
        assert sum(each.won for each in found if each.kind == SEAT) == 2

    browse(play)


def test_a_log_that_cannot_be_read_counts_for_nothing():
    keeper = InMemory()

    async def play(browser: Browser) -> None:
        await played(browser)
        keeper.entries.clear()
        assert "seat 1" not in await page(browser, f"/statistics/{GAME}")

    browse(play, keeper)
