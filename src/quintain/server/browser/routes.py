"""The addresses of the site, and which function answers each.

They are those of the server, as far as a browser alone can answer them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from urllib.parse import unquote

from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.cards.card_answers import cards_page, cards_post
from quintain.server.browser.cards.set_answers import choose_set, table_sets, table_sets_post
from quintain.server.browser.house import House
from quintain.server.browser.making import made_table, new_table_values
from quintain.server.browser.naming import name_and_again
from quintain.server.browser.player_answers import pair, player
from quintain.server.browser.records import bring_in_page, brought_in
from quintain.server.browser.refusals import refused, status_of
from quintain.server.browser.shelf import lobby_values, shelf_values
from quintain.server.browser.study.analysis_answers import (
    analysis,
    analysis_json,
    ask_analysis,
    stop_analysis,
    tell_progress,
)
from quintain.server.browser.study.puzzle_answers import daily_values, make_own, puzzle_list, puzzle_page, puzzle_post
from quintain.server.browser.study.statistics_answers import statistics
from quintain.server.browser.table_answers import hand_on, table_page, table_part, table_post
from quintain.server.browser.workshop.trial_answers import tell_trial
from quintain.server.model.levels import usual_level
from quintain.server.model.making import ME
from quintain.server.pages.contexts import by_weight, game_facts, page_context
from quintain.server.pages.rendering import Context
from quintain.server.pages.rule_pages import rules_context
from quintain.server.people.watchers import Watcher
from quintain.server.posted.fields import NeedsName, decoded
from quintain.server.posted.posts import ChoosingTheme, Confirming, Naming
from quintain.server.refused import Refused
from quintain.server.study.puzzles_here import OWN
from quintain.server.tables import acts
from quintain.server.tables.learner import begin
from quintain.server.tables.live_table import LiveTable

NO_PAGE = "there is no such page"
log = logging.getLogger("quintain.server")


async def answered(house: House, asked: PageRequest) -> PageAnswer:
    """Return the answer to a request; what cannot be done is said in words."""
    try:
        return await (_post(house, asked) if asked.method == "POST" else _get(house, asked))
    except NeedsName as needed:
        if needed.kept is None:
            return PageAnswer.redirect(f"/name?next={asked.path}")
        return name_and_again(house, asked, needed)
    except QuintainError as error:
        return refused(house, asked, str(error), status_of(error))
    except Exception:
        log.exception("fault at %s", asked.path)
        return refused(house, asked, "something went wrong here", 500)


async def _get(house: House, asked: PageRequest) -> PageAnswer:
    match asked.path.strip("/").split("/"):
        case [""]:
            return _page(house, "browser_lobby.html", {**await lobby_values(house), "daily": await daily_values(house)})
        case ["games"]:
            return _page(house, "browser_games.html", await shelf_values(house, asked.query.get("page", "")))
        case ["games", "import"]:
            return bring_in_page(house)
        case ["cards", *parts]:
            return await cards_page(house, asked, parts)
        case ["puzzles"]:
            return await puzzle_list(house, asked)
        case ["puzzles", id_, puzzle]:
            return await puzzle_page(house, asked, id_, puzzle)
        case ["rules"]:
            shown = page_context(house.visitor(), "Rules", "/rules")
            return _page(house, "rules_index.html", {**shown, "games": [*map(game_facts, by_weight())]})
        case ["rules", id_]:
            return _rules(house, asked, game(id_))
        case ["statistics", *parts]:
            return await statistics(house, asked, parts)
        case ["new", id_]:
            return _page(house, "new_table.html", await new_table_values(house, game(id_), asked.query))
        case ["players", key]:
            return await player(house, key)
        case ["players", key, "with", other]:
            return await pair(house, key, unquote(other), asked.query.get("page", ""))
        case ["name"]:
            return _name_page(house, asked.query.get("next", "/"))
        case ["credits"]:
            return _page(house, "credits.html", page_context(house.visitor(), "Credits", "/credits"))
        case ["tables"]:  # where a form that was refused leads when its page is loaded again
            return PageAnswer.redirect("/")
        case ["tables", id_, *parts]:
            return await _table(house, asked, id_, parts)
    raise Refused(404, NO_PAGE)


async def _table(house: House, asked: PageRequest, id_: str, parts: Sequence[str]) -> PageAnswer:
    """Show a table, or a part of it; `parts` is the rest of its address."""
    match parts:
        case []:
            return await table_page(house, asked, id_)
        case ["analysis.json"]:
            return await analysis_json(house, id_)
        case ["analysis", *rest]:
            return await analysis(house, asked, id_, rest)
        case ["sets"]:
            return await table_sets(house, asked, id_)
    return await table_part(house, asked, id_, "/".join(parts))


async def _post(house: House, asked: PageRequest) -> PageAnswer:
    match asked.path.strip("/").split("/"):
        case ["name"]:
            return await _name(house, decoded(asked.fields(Naming), Naming))
        case ["theme"]:
            theme = decoded(asked.fields(ChoosingTheme), ChoosingTheme)
            await house.store.set(theme=theme.theme)
            return PageAnswer.redirect(_own(theme.next))
        case ["confirming"]:
            confirming = decoded(asked.fields(Confirming), Confirming)
            await house.store.set(confirms=confirming.confirming == "yes")
            return PageAnswer.redirect(_own(confirming.next))
        case ["play", id_]:
            return await _play_now(house, asked, game(id_))
        case ["learn", id_]:
            await _named(house, asked)
            return _to(await begin(house.tables, house.visitor().id, id_))
        case ["tables"]:
            return await made_table(house, asked)
        case ["cards", *parts]:
            return await cards_post(house, asked, parts)
        case ["games", "import"]:
            return await brought_in(house, asked)
        case ["puzzles", each] if each == OWN:
            return await make_own(house, asked)
        case ["puzzles", id_, puzzle, part]:
            return await puzzle_post(house, asked, id_, puzzle, part)
        case ["tables", id_, "hand-on"]:
            return await hand_on(house, id_)
        case ["tables", id_, "analysis"]:
            return await ask_analysis(house, asked, id_)
        case ["tables", id_, "analysis", "stop"]:
            return await stop_analysis(house, id_)
        case ["tables", id_, "set"]:
            return await choose_set(house, asked, id_)
        case ["tables", id_, "sets", *parts]:
            return await table_sets_post(house, asked, id_, parts)
        case ["tables", id_, *parts]:
            return await table_post(house, asked, id_, "/".join(parts))
    raise Refused(404, NO_PAGE)


def _rules(house: House, asked: PageRequest, found: Game) -> PageAnswer:
    """Show a rulebook, or the part of it that the drawer beside a table holds."""
    search = "" if asked.is_partial else asked.query.get("search", "")
    shown = rules_context(found, house.visitor(), house.templates, search)
    return _page(house, "parts/rules_drawer.html" if asked.is_partial else "rules.html", shown)


async def _play_now(house: House, asked: PageRequest, found: Game) -> PageAnswer:
    """Make a table against bots, with the options of a first game, and begin at once."""
    await _named(house, asked)
    sitters = [ME] + [usual_level()] * (found.seats[2] - 1)
    player = house.visitor().id
    return _to(await acts.add(house.tables, player, found.id, sitters, found.first_game, private=True))


async def _named(house: House, asked: PageRequest) -> None:
    """Take the name that a post holds, if nobody on this device has one yet; raises NeedsName without any."""
    if house.visitor().number is not None:
        return
    name = decoded(asked.fields(Naming), Naming).name
    if not name:
        raise NeedsName
    await house.named(name)


async def _name(house: House, given: Naming) -> PageAnswer:
    """Name whoever is here, and go on with what they wanted."""
    try:
        await house.named(given.name)
    except BadOption as error:
        return _name_page(house, given.next, given.name, str(error), 422)
    if given.next.startswith(("/play/", "/learn/")):
        return await _post(house, PageRequest("POST", given.next, {}, {}))
    return PageAnswer.redirect(_own(given.next))


def _name_page(house: House, back: str, given: str = "", error: str = "", status: int = 200) -> PageAnswer:
    """Ask for a name."""
    shown = page_context(house.visitor(), "Your name", "/name")
    asked: Context = {"action": "/name", "next": _own(back), "given": given, "error": error or None, "kept": {}}
    return _page(house, "name.html", {**shown, **asked}, status)


def _own(path: str) -> str:
    """Return a path of this site; that of the lobby for any other address."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


def _to(live: LiveTable) -> PageAnswer:
    return PageAnswer.redirect(f"/tables/{live.id}")


def _page(house: House, template: str, context: Context, status: int = 200) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context), status)


async def watch(house: House, path: str, send: Callable[[str], None]) -> None:
    """Send whoever looks at a table, at its analysis or a trial, what is new at once, until the task is cancelled."""
    match path.strip("/").split("/"):
        case ["tables", id_, "socket"]:
            live = await house.tables.get(id_)
        case ["tables", id_, "analysis", "socket"]:
            await tell_progress(house, id_, send)
            return
        case ["cards", game_id, tab, id_, "balance", "socket"]:
            await tell_trial(house, [game_id, tab, id_], send)
            return
        case _:
            raise Refused(404, NO_PAGE)
    watcher = Watcher(house.at_table(live), house.base_url)
    with contextlib.suppress(asyncio.CancelledError), house.drawing.watching(live, watcher):
        house.drawing.show(live)
        while True:
            await watcher.news.wait()
            watcher.news.clear()
            if watcher.html is not None:
                send(PageAnswer.html(watcher.html).text)
