"""The addresses of puzzles: the list, each puzzle, and what somebody does with one.

`solving.py` does it, `puzzle_pages.py` and `puzzle_lists.py` have the values of the pages.
"""

from __future__ import annotations

from typing import TypeVar

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from quintain.engine.rules.registry import game
from quintain.server.http.answers import answer_json, is_partial, page
from quintain.server.http.documented import takes
from quintain.server.http.requests import Post, address_of, ensure_name, read_post, wants_json
from quintain.server.http.site import AnyRequest, Reply, Site, TheSite
from quintain.server.http.table_answers import show_new
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.puzzle_lists import lesson_first, puzzles_context
from quintain.server.pages.study.puzzle_pages import as_asked, puzzle_context, puzzle_json, why_context
from quintain.server.people.players import Visitor
from quintain.server.posted.posts import Answering, MakingOwn, Named, is_number
from quintain.server.refused import Refused
from quintain.server.study.puzzles_here import OWN
from quintain.server.study.solving import Attempt

Sent = TypeVar("Sent", bound=Named)
MOST_ID = 40
"""Characters of the id of a puzzle."""


@get("/puzzles", include_in_schema=False)
async def puzzles(request: AnyRequest, site: TheSite, theme: FromQuery[str] = "") -> Response[str]:
    """Show the list of puzzles: all, those of one game, or those of a theme that the visitor has answered."""
    site.check_replay_limit(address_of(request))
    visitor, wanted = await site.visitor(request), request.query_params.get("game", "")
    if wanted:
        game(wanted)
    return page(site, visitor, "puzzles.html", await puzzles_context(site.archive.puzzles, visitor, wanted, theme))


@get("/puzzles/{game_id:str}/{puzzle:str}")
async def puzzle(request: AnyRequest, site: TheSite, game_id: FromPath[str], puzzle: FromPath[str]) -> Reply:
    """Return a puzzle: what its solver sees; after your answer also the chances of all moves, and the themes."""
    site.check_replay_limit(address_of(request))
    visitor = await site.visitor(request)
    place = await _place(site, visitor, game_id, puzzle)
    await site.archive.puzzles.go_on(place, visitor.id)
    if wants_json(request):
        return answer_json(site, visitor, await puzzle_json(site.archive.puzzles, visitor, place))
    given = request.query_params
    if is_partial(request) and is_number(given.get("why", "")):
        return page(site, visitor, "parts/why.html", why_context(place, int(given["why"][:9])))
    shown = await puzzle_context(site.archive.puzzles, visitor, *as_asked(place, given))
    return page(site, visitor, "puzzle.html", shown)


@post("/puzzles/{game_id:str}/{puzzle:str}/answer", operation_class=takes(Answering), status_code=200)
async def answer(request: AnyRequest, site: TheSite, game_id: FromPath[str], puzzle: FromPath[str]) -> Reply:
    """Answer a puzzle. Only the first try counts."""
    posted, visitor, place = await _begin(request, site, Answering, game_id, puzzle)
    action = posted.given.action
    is_first = await site.archive.puzzles.answer(visitor.number or 0, place.judged_anew(), action)
    again = "" if is_first else f"?tried={action}"
    return await _show(request, site, visitor, place, again, {"first": is_first, "tried": action})


@post("/puzzles/{game_id:str}/{puzzle:str}/hint", operation_class=takes(Named), status_code=200)
async def hint(request: AnyRequest, site: TheSite, game_id: FromPath[str], puzzle: FromPath[str]) -> Reply:
    """Take two wrong moves away; the streak is kept, the points are not."""
    _, visitor, place = await _begin(request, site, Named, game_id, puzzle)
    await site.archive.puzzles.hint(visitor.number or 0, place)
    return await _show(request, site, visitor, place)


@post("/puzzles/{game_id:str}/{puzzle:str}/doubt", operation_class=takes(Named), status_code=200)
async def doubt(request: AnyRequest, site: TheSite, game_id: FromPath[str], puzzle: FromPath[str]) -> Reply:
    """Have a puzzle that you have answered judged again, by ten times the tries."""
    _, visitor, place = await _begin(request, site, Named, game_id, puzzle)
    await site.archive.puzzles.doubt(visitor.number or 0, visitor.id, place)
    return await _show(request, site, visitor, place)


@post("/puzzles/{game_id:str}/{puzzle:str}/play-on", operation_class=takes(Named), status_code=201)
async def play_on(request: AnyRequest, site: TheSite, game_id: FromPath[str], puzzle: FromPath[str]) -> Reply:
    """Play on from a puzzle that you have answered, against bots at a private table of your own."""
    posted, _, place = await _begin(request, site, Named, game_id, puzzle)
    site.check_table_limit(posted.visitor.id, address_of(request))
    return show_new(request, site, posted.visitor, await site.archive.puzzles.play_on(place, posted.visitor.id))


@post("/puzzles/mine", operation_class=takes(MakingOwn), status_code=200)
async def make_own(request: AnyRequest, site: TheSite) -> Reply:
    """Make a private puzzle of a decision of yours in a finished game."""
    posted = await read_post(request, site, MakingOwn)
    visitor = await site.named(posted.visitor)
    table = (await site.tables.get(posted.given.table)).table
    id_ = await site.archive.puzzles.make_own(visitor.number, visitor.id, table, posted.given.entry)
    return await _show(request, site, visitor, await _place(site, visitor, OWN, id_))


async def _begin(
    request: AnyRequest, site: Site, kind: type[Sent], game_id: str, puzzle: str
) -> tuple[Post[Sent], Visitor, Attempt]:
    """Return a post to a puzzle, its sender, who has a name from now on, and the puzzle.

    Raises Refused if they have not done the lesson of the game.
    """
    posted = await read_post(request, site, kind)
    await ensure_name(request, site, posted)
    visitor = await site.named(posted.visitor)
    place = await _place(site, visitor, game_id, puzzle)
    if not place.own and await lesson_first(site.archive.puzzles, visitor, place.task.game):
        raise Refused(403, f"do the lesson of {place.task.game.title} first, or play the game")
    return posted, visitor, place


async def _place(site: Site, visitor: Visitor, game_id: str, puzzle: str) -> Attempt:
    return await site.archive.puzzles.place(visitor.number, game_id, puzzle[:MOST_ID])


async def _show(
    request: AnyRequest, site: Site, visitor: Visitor, place: Attempt, query: str = "", more: Context | None = None
) -> Reply:
    """Answer a post with the puzzle as it now is: browsers load its page."""
    if not wants_json(request):
        return Redirect(place.task.href + query, status_code=303)
    key = place.task.key
    now = await _place(site, visitor, key.game, key.puzzle)
    return answer_json(site, visitor, await puzzle_json(site.archive.puzzles, visitor, now) | (more or {}))


HANDLERS = (puzzles, puzzle, answer, hint, doubt, play_on, make_own)
