"""Answers about study: the analysis of a finished game, what it is asked to do, and how far it is.

The worker of the bots judges, when no bot needs it. `study.judging` says how, and `pages.study.analysis_page` has the
values of the page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from quintain.lab.analysis import ExpectedMove
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.model.analyses import Progress
from quintain.server.pages.endings import ending
from quintain.server.pages.old_games import inset_context
from quintain.server.pages.study.analysis_page import BEST, AnalysisPage, Asked
from quintain.server.posted.fields import decoded
from quintain.server.posted.posts import AskingAnalysis
from quintain.server.refused import Refused
from quintain.server.study.judging import finished, shown
from quintain.server.tables.live_table import LiveTable

LOOKS = 0.7
"""Seconds between two looks how far an analysis is."""


async def analysis(house: House, asked: PageRequest, id_: str, parts: Sequence[str]) -> PageAnswer:
    """Show the analysis of a finished game, as far as it is, or the table in it for a frame of the page."""
    live = await house.tables.get(id_)
    if not parts:
        return await _shown(house, asked, live)
    wanted = Asked(_number(asked, "step"), explain=parts == ["line"])
    made = await _page(house, live, wanted)
    match parts:
        case ["table"]:
            seen, seeing = made.marked(made.judged())
            return _html(house, "replay_inset.html", inset_context(live, seen, made.visitor, seeing))
        case ["line"]:
            after, at = asked.query.get("after", BEST), _number(asked, "at") or 0
            made.check_line(after)
            seen = made.at_move(await _line(house, made, after), at)
            return _html(house, "replay_inset.html", inset_context(live, seen, made.visitor))
    raise Refused(404, "there is no such page")


async def analysis_json(house: House, id_: str) -> PageAnswer:
    """Return the analysis of a finished game as data, as far as it is, for a file."""
    live = await house.tables.get(id_)
    made = await _page(house, live, Asked())
    name = f"{live.table.row.game}-{live.id}-analysis.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PageAnswer.json(made.data())._replace(headers=headers)


async def ask_analysis(house: House, asked: PageRequest, id_: str) -> PageAnswer:
    """Have a finished game judged by the worker of the bots, or go on where its judging stopped."""
    given = decoded(asked.fields(AskingAnalysis), AskingAnalysis)
    live = await house.tables.get(id_)
    finished(live.table)
    if given.name:
        await house.named(given.name)
    await house.judges.begin(live.table, house.at_table(live).number or 0, better=given.better)
    return PageAnswer.redirect(f"/tables/{id_}/analysis")


async def stop_analysis(house: House, id_: str) -> PageAnswer:
    """Stop the judging of a game; what is judged stays, and it can go on later."""
    if await house.judges.analyses.find(id_) is None:
        raise Refused(409, "nobody has asked for an analysis of this game")
    await house.judges.stop(id_)
    return PageAnswer.redirect(f"/tables/{id_}/analysis")


async def tell_progress(house: House, id_: str, send: Callable[[str], None]) -> None:
    """Tell a page how far an analysis is whenever that changes, and once more when nobody works on it any longer."""
    await tell(lambda: house.judges.analyses.progress(id_), send, LOOKS)


async def tell(progress: Callable[[], Awaitable[Progress | None]], send: Callable[[str], None], every: float) -> None:
    """Tell a page how far some work is whenever that changes, and once more when nobody works on it any longer.

    `every` are the seconds between two looks.
    """
    told = None
    while found := await progress():
        if found.done != told or not found.is_working:
            told = found.done
            send(str(told))
        if not found.is_working:
            return
        await asyncio.sleep(every)


async def _shown(house: House, asked: PageRequest, live: LiveTable) -> PageAnswer:
    """Show the page of an analysis, or to a script the part of it that changes."""
    wanted = Asked(_number(asked, "step"), asked.query.get("seen", ""), asked.query.get("explain") == "true")
    made = await _page(house, live, wanted)
    lines = [(name, await _line(house, made, name)) for name in made.explained]
    context = made.context(lines, house.judges.seconds_left(live.id))
    if made.state == "empty":
        await house.tables.stories.soon(live)
        context["result"] = ending(made.match, live.story, made.you, f"/tables/{live.id}")
    return _html(house, "analysis_body.html" if asked.is_partial else "analysis.html", context)


async def _page(house: House, live: LiveTable, asked: Asked) -> AnalysisPage:
    """Return the page of an analysis; raises Refused if the game goes on. Its judging goes on if it was cut off."""
    match = finished(live.table)
    kept = await house.judges.resumed(live.table)
    replay = await house.replays.of(live.table, match)
    return AnalysisPage(live.table, match, house.at_table(live), replay, kept, shown(match, kept), asked)


async def _line(house: House, made: AnalysisPage, name: str) -> Sequence[ExpectedMove]:
    """Return the line that the adviser expects after the better move, or after the one that was made."""
    return await house.judges.line(made.table.id, *made.begins(name))


def _number(asked: PageRequest, name: str) -> int | None:
    """Return a number of an address; None if it names none."""
    given = asked.query.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 10 else None


def _html(house: House, template: str, context: dict[str, object]) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context))
