"""Answers about puzzles: the list, each puzzle, and what is posted to one."""

from __future__ import annotations

from collections.abc import Iterator

from quintain.engine.rules.registry import all_games, game
from quintain.lab.puzzles import Puzzle, reading
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.puzzle_lists import daily_context, lesson_first, puzzles_context
from quintain.server.pages.study.puzzle_pages import as_asked, puzzle_context, why_context
from quintain.server.posted.fields import NeedsName, decoded
from quintain.server.posted.posts import Answering, MakingOwn, is_number
from quintain.server.refused import Refused
from quintain.server.slices import Slices
from quintain.server.study.puzzles_here import OWN

_reading = Slices()


async def daily_values(house: House) -> Context | None:
    """Return the puzzle of the day for the lobby."""
    return await daily_context(house.puzzles, house.visitor())


async def puzzle_list(house: House, asked: PageRequest) -> PageAnswer:
    """Show the list of puzzles: all, those of one game, or those of a theme that the visitor has answered."""
    wanted, theme = asked.query.get("game", ""), asked.query.get("theme", "")
    if wanted:
        game(wanted)
    await _read()
    shown = await puzzles_context(house.puzzles, house.visitor(), wanted, theme)
    return _page(house, "puzzles.html", shown)


async def puzzle_page(house: House, asked: PageRequest, game_id: str, id_: str) -> PageAnswer:
    """Show a puzzle; with `why`, `chosen`, `again` or `tried` as the server does."""
    await _read()
    found, visitor = house.puzzles, house.visitor()
    place = await found.place(visitor.number, game_id, id_)
    await found.go_on(place, visitor.id)
    why = asked.query.get("why", "")
    if asked.is_partial and is_number(why):
        return _page(house, "parts/why.html", why_context(place, int(why[:9])))
    return _page(house, "puzzle.html", await puzzle_context(found, visitor, *as_asked(place, asked.query)))


async def puzzle_post(house: House, asked: PageRequest, game_id: str, id_: str, part: str) -> PageAnswer:
    """Answer a puzzle, take a hint, doubt it, or play on from it; raises Refused for all else that is posted."""
    await _read()
    found, visitor = house.puzzles, house.visitor()
    if visitor.number is None:
        raise NeedsName
    place = await found.place(visitor.number, game_id, id_)
    if not place.own and await lesson_first(found, visitor, place.task.game):
        raise Refused(403, f"do the lesson of {place.task.game.title} first, or play the game")
    match part:
        case "answer":
            action = decoded(asked.fields(Answering), Answering).action
            is_first = await found.answer(visitor.number, place.judged_anew(), action)
            return PageAnswer.redirect(place.task.href + ("" if is_first else f"?tried={action}"))
        case "hint":
            await found.hint(visitor.number, place)
            return PageAnswer.redirect(place.task.href)
        case "doubt":
            await found.doubt(visitor.number, visitor.id, place)
            return PageAnswer.redirect(place.task.href)
        case "play-on":
            return PageAnswer.redirect(f"/tables/{(await found.play_on(place, visitor.id)).id}")
    raise Refused(404, "nothing of this kind can be posted here")


async def make_own(house: House, asked: PageRequest) -> PageAnswer:
    """Make a private puzzle of a decision in a finished game, for the person whose decisions its analysis shows."""
    given = decoded(asked.fields(MakingOwn), MakingOwn)
    live = await house.tables.get(given.table)
    player = house.at_table(live)
    id_ = await house.puzzles.make_own(player.number, player.id, live.table, given.entry)
    await house.store.set(here=player.id)
    return PageAnswer.redirect(f"/puzzles/{OWN}/{id_}")


async def _read() -> None:
    """Read the puzzles of all games, in pieces: at once they would hold up all other pages for seconds."""

    def steps() -> Iterator[Puzzle]:
        for each in all_games():
            yield from reading(each)

    await _reading.do(steps())


def _page(house: House, template: str, context: Context) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context))
