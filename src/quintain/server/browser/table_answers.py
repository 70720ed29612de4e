"""Answers about one table: its page for whoever holds the device, its parts, and what a post to it is answered with."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from msgspec import to_builtins

from quintain.engine.errors import QuintainError
from quintain.server.browser.asking import JSON, PageAnswer, PageRequest
from quintain.server.browser.house import HAND_ON, HAND_ON_PART, House
from quintain.server.browser.refusals import refused, status_of
from quintain.server.pages import contexts
from quintain.server.pages.old_games import finished_match, inset_context, old_context, replay_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.since import looked_back, steps_json
from quintain.server.posted.fields import decoded
from quintain.server.posted.posts import ACTS, ChoosingSet, PlayingOn, TableAct
from quintain.server.refused import Refused
from quintain.server.tables import acts, playing_on
from quintain.server.tables.foresight import NOTHING_FORESEEN
from quintain.server.tables.live_table import LiveTable, Viewing

POSTS: dict[str, type[TableAct]] = {path: kind for path, _, kind in ACTS} | {"set": ChoosingSet}
"""What may be posted to a table, by the last part of the address."""


async def table_page(house: House, asked: PageRequest, id_: str) -> PageAnswer:
    """Show a table; with `why`, `chosen`, `since` or `remark` as the server does."""
    live = await house.tables.get(id_)
    if live.table.is_old:
        return _page(house, "old.html", old_context(live.table, house.visitor()))
    await house.tables.stories.soon(live)
    if (player := house.awaited(live)) is not None:
        template = HAND_ON_PART if asked.is_partial else HAND_ON
        return _page(house, template, house.hand_on_context(live, player))
    visitor, why = house.at_table(live), asked.query.get("why")
    action = int(why) if why and why.isdecimal() else None
    if action is not None and asked.is_partial:
        return _page(house, "parts/why.html", contexts.why_context(Viewing.of(live, visitor), action))
    if "since" in asked.query and live.table.match:
        return await _look_back(house, asked, live)
    remark = asked.query.get("remark", "")
    chosen = asked.query.get("chosen", "")
    previews = await house.previews(live, Viewing.of(live, visitor), chosen)
    shown = house.context(live, chosen, previews, int(remark) if remark.isdecimal() else None)
    reason = {} if action is None else contexts.why_context(Viewing.of(live, visitor), action)
    return _page(house, "table.html", {**shown, **reason})


async def _look_back(house: House, asked: PageRequest, live: LiveTable) -> PageAnswer:
    """Show the news since the viewer's last decision, or the table after one; if there is no such, say so."""
    previews = NOTHING_FORESEEN
    visitor = house.at_table(live)
    if not asked.is_partial:
        previews = await house.previews(live, Viewing.of(live, visitor))
    viewing, back, wrong = await looked_back(house.looking_back, live, visitor, asked.query["since"])
    shown = house.context(live, previews=previews, viewing=viewing)
    more = {"since": back.context, "notice": str(wrong) if wrong else None}
    template = "table_body.html" if asked.is_partial else "table.html"
    answer = _page(house, template, {**shown, **more}, wrong.status if wrong else 200)
    return answer._replace(text=back.marked(answer.text))


async def table_part(house: House, asked: PageRequest, id_: str, part: str) -> PageAnswer:
    """Answer with a part of a table: its pieces in full, previews, steps of news, its record, or a step of a replay."""
    live = await house.tables.get(id_)
    if part == "record.json":
        return _record(live)
    if part == "replay":
        return await _replay(house, asked, live)
    if house.awaited(live) is not None:
        raise Refused(409, "somebody else is asked: hand the device on")
    await live.settled()
    viewing = Viewing.of(live, house.at_table(live))
    if part == "looks":
        previews = await house.previews(live, viewing)
        template = "parts/looks.html" if asked.is_partial else "looks.html"
        return _page(house, template, contexts.looks_context(viewing, previews))
    if part == "previews":
        found = await house.previews(live, viewing, asked.query.get("chosen", ""))
        shown = {"+".join(map(str, path)): to_builtins(made) for path, made in found.shown.items()}
        return PageAnswer.json({"decision": found.decision, "previews": shown})
    if part == "steps":
        after = int(asked.query.get("after", "0"))
        return PageAnswer.json(
            await steps_json(house.looking_back, viewing, house.templates, house.base_url, "", after)
        )
    raise Refused(404, "there is no such page")


def _record(live: LiveTable) -> PageAnswer:
    """Return the record of a finished game, which `quintain replay` reads; nobody has signed it."""
    record = live.table.record()
    if record is None:
        raise Refused(409, "the game is not over yet")
    name = f"{live.table.row.game}-{live.table.id}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PageAnswer(200, json.dumps(record, ensure_ascii=False), JSON, headers)


async def _replay(house: House, asked: PageRequest, live: LiveTable) -> PageAnswer:
    """Show one step of a finished game; to a script, without the lines of the log. An `inset` is the table alone."""
    step, seat = asked.query.get("step", "0"), asked.query.get("seat", "")
    you = int(seat) if seat.isdecimal() else None
    if you is not None and not 0 <= you < len(live.table.seats):
        raise Refused(404, f"there is no seat {seat} at this table")
    found = await house.replays.of(live.table, finished_match(live.table))
    visitor, part = house.at_table(live), asked.is_partial
    if asked.query.get("inset") == "true":
        moment = found.at(min(int(step) if step.isdecimal() else 0, found.last), you)
        return _page(house, "replay_inset.html", inset_context(live, moment.seen, visitor))
    shown = replay_context(live, found, visitor, int(step) if step.isdecimal() else 0, you, house.base_url, part)
    return _page(house, "replay_body.html" if part else "replay.html", shown)


async def table_post(house: House, asked: PageRequest, id_: str, part: str) -> PageAnswer:
    """Do what is posted to a table, then show it. If it is refused, show the table as it stands, with the reason."""
    live = await house.tables.get(id_)
    visitor = house.at_table(live)
    if part == "play-on":
        return await _play_on(house, live, decoded(asked.fields(PlayingOn), PlayingOn))
    if part.startswith("seats/"):
        return await _changed(house, asked, live, lambda: acts.sit_down(house.tables, live, _seat(part), visitor.id))
    if part not in POSTS:
        raise Refused(404, "nothing of this kind can be posted here")
    given = decoded(asked.fields(POSTS[part]), POSTS[part])
    return await _changed(house, asked, live, lambda: given.do(house.tables, live, visitor.id))


async def hand_on(house: House, id_: str) -> PageAnswer:
    """Show the table to the person who is asked, who has the device now."""
    live = await house.tables.get(id_)
    if (player := house.awaited(live)) is not None:
        await house.hand_on(player)
    return PageAnswer.redirect(f"/tables/{id_}")


def _seat(part: str) -> int:
    number = part.removeprefix("seats/")
    if not number.isdecimal():
        raise Refused(404, f"there is no seat {number}")
    return int(number)


async def _changed(
    house: House, asked: PageRequest, live: LiveTable, do: Callable[[], Awaitable[str | None]]
) -> PageAnswer:
    notice, status = "", 200
    if house.awaited(live) is not None:
        return PageAnswer.redirect(f"/tables/{live.id}")
    try:
        if other := await do():
            return PageAnswer.redirect(f"/tables/{other}")
    except QuintainError as error:
        notice, status = str(error), status_of(error)
    await live.settled()
    await house.tables.stories.soon(live)
    visitor = house.at_table(live)
    if asked.wants_json:
        return PageAnswer.json(contexts.table_json(Viewing.of(live, visitor), notice), status)
    if asked.is_partial:
        if live.is_watched_by(visitor.id):
            return refused(house, asked, notice, status) if notice else PageAnswer(204, "")
        if (player := house.awaited(live)) is not None:
            return _page(house, HAND_ON_PART, house.hand_on_context(live, player))
        return _page(house, "table_body.html", {**house.context(live), "notice": notice or None}, status)
    if notice:
        return _page(house, "table.html", {**house.context(live), "notice": notice}, status)
    return PageAnswer.redirect(f"/tables/{live.id}")


async def _play_on(house: House, live: LiveTable, given: PlayingOn) -> PageAnswer:
    """Play on from a step of a finished game, on a seat of your choice, against bots."""
    source = live.table
    entries = playing_on.beginning(finished_match(source), given.step)
    source.holder(given.seat)
    if given.name:
        await house.named(given.name)
    new = await playing_on.play_on(house.tables, source, entries, given.seat, given.level, house.visitor().id)
    return PageAnswer.redirect(f"/tables/{new.id}")


def _page(house: House, template: str, context: Context, status: int = 200) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context), status)
