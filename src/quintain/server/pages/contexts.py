"""The values that the templates are rendered with, and the answers of the JSON API, for one viewer.

They serve a table in play. `lobby_pages.py` does the same for the lobby, `forms.py` for the form for a new table, and
`old_games.py` for games that are over. `table_answers.py` and `drawing.py` call them. `rendering.py` prepares the view
of a match.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import segno
from minijinja import safe

from quintain.engine.errors import UnknownGame
from quintain.engine.play.lesson import lesson_of
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.engine.rules.registry import all_games, game
from quintain.engine.rules.views import Preview, Reason
from quintain.engine.seen.layout import Advice
from quintain.engine.seen.previews import LIKELY, with_previews
from quintain.engine.seen.seen import Seen
from quintain.server.clock import now
from quintain.server.model.entries import PLAYING, WAITING, Seat, TableRow
from quintain.server.model.levels import MANNERS, levels, usual_level
from quintain.server.pages.coach import coach_context, lesson_json
from quintain.server.pages.endings import result_json, result_page
from quintain.server.pages.heraldry import crest
from quintain.server.pages.rendering import Context, board_template, view_context
from quintain.server.pages.talk_page import talk_context, talk_json
from quintain.server.pages.words import lasted, time_left
from quintain.server.people.players import Visitor
from quintain.server.tables import reveals
from quintain.server.tables.foresight import NOTHING_FORESEEN, Previews
from quintain.server.tables.lessons import lit
from quintain.server.tables.live_table import Viewing
from quintain.server.tables.table import CLOCKS, SPEEDS, Advised, Table

CLOCK_WORDS = {
    "none": "no clock",
    "30": "30 seconds for each decision",
    "60": "60 seconds for each decision",
    "120": "2 minutes for each decision",
    "day": "a day for each decision",
    "3 days": "3 days for each decision",
    "week": "a week for each decision",
}
QUICK_CLOCKS = ("60", "3 days", "none")
"""The clocks that a quick match offers."""
SPEED_CHOICES = [{"value": speed, "words": speed.capitalize()} for speed in SPEEDS]
LISTED = 30
"""The most tables of a kind in a list."""
NOTHING_SHOWN: Context = {
    "view": None,
    "told": 0,
    "names": (),
    "log": (),
    "old": 0,
    "news": "",
    "account": (),
    "since": None,
}
NOTHING_SEEN: Context = {"view": None, "menu": [], "account": []}
"""The JSON API gives this in place of a view before play has begun."""
CONFIRMS = "confirms"
OFTEN = 10
"""A hint leaves out moves that the search tried less than one time for this many tries of the best move."""


def page_context(visitor: Visitor, title: str, here: str) -> Context:
    """Return the values that every page needs."""
    return {
        "player": {"name": visitor.name, "key": visitor.key} if visitor.key else None,
        CSRF: visitor.csrf,
        "theme": visitor.theme,
        "title": title,
        "here": here,
        "now": None,
    }


def clock_now() -> int:
    """Return what the server's clock shows, in milliseconds: a page with a countdown says so to a device."""
    return int(1000 * now())


def table_context(
    viewing: Viewing,
    base_url: str,
    move_link: str,
    pushed: bool = False,
    chosen: str = "",
    previews: Previews = NOTHING_FORESEEN,
    remark: int | None = None,
) -> Context:
    """Return the values for a table's page.

    `chosen` is the id of the piece that the viewer has chosen. If it has no action now, the page says why. `previews`
    are those of the viewer's actions; those of another decision are left out. `remark` is the number of an earlier step
    of a lesson, which the learner reads again.

    A `pushed` page does not say how much time is left on a clock, only when it runs out: the browser counts down. So
    the page stays the same as long as the viewer sees the same.
    """
    table, visitor, you = viewing.table, viewing.visitor, viewing.you
    found, coach = game(table.row.game), coach_context(viewing, remark)
    view = _match_context(viewing, coach, chosen, previews)
    barred = _barred(view)
    return {
        **page_context(visitor, found.title, f"/tables/{table.id}"),
        "now": clock_now() if CLOCKS[table.row.clock] or table.status == WAITING else None,
        "headings": {str(lines[you]): words for words, lines in table.headings},
        "table": {**table_facts(viewing, pushed), **_before_play(table, base_url, pushed), "move_link": move_link},
        **view,
        "looks_url": f"/tables/{table.id}/looks" if viewing.seen and viewing.is_now else None,
        "coach": coach,
        CONFIRMS: visitor.confirms,
        "talk": None if coach else talk_context(viewing),
        "board": board_template(found),
        "result": result_page(viewing) if viewing.is_now else None,
        "notice": None,
        **({} if barred is None else why_context(viewing, barred)),
    }


def _match_context(viewing: Viewing, coach: Context | None, chosen: str, previews: Previews) -> Context:
    """Return what the viewer sees of the match; nothing before it has begun."""
    seen = viewing.seen
    if seen is None:
        return NOTHING_SHOWN
    hint, places = ((), coach["at"]) if coach else (_hint(viewing), ())
    return seen_context(seen, seen.old, Seeing(chosen, viewing.visitor.confirms, previews.at(seen), hint, places))


def looks_context(viewing: Viewing, previews: Previews) -> Context:
    """Return the values for the pieces of a table in full, which the inspector asks for when somebody points at one."""
    table = viewing.table
    page = page_context(viewing.visitor, game(table.row.game).title, f"/tables/{table.id}")
    facts = {"table_url": f"/tables/{table.id}", "board_of": table.row.game}
    return {**page, **_match_context(viewing, None, "", previews), **facts}


def _before_play(table: Table, base_url: str, pushed: bool) -> Context:
    """Return the address of a table; as long as it waits for players, also as a picture, and what awaits them there.

    `searches` tells whether somebody who asks for a quick match can be seated there.
    """
    address, row = f"{base_url}/tables/{table.id}", table.row
    if table.status != WAITING or table.is_mixing:
        return {"invite_url": address, "qr_svg": "", "about": None}
    found, lesson, free = game(row.game), lesson_of(game(row.game)), sum(not seat.is_taken for seat in table.seats)
    about = {
        "seats_words": game_facts(found)["seats_words"],
        "effort": found.effort,
        "options_words": options_words(row, len(table.seats)),
        "lesson_minutes": lesson.minutes if lesson else None,
        "bots": f"{free} {levels()[usual_level()]}s" if free > 1 else levels()[usual_level()],
        "manner": MANNERS[usual_level()],
        "since": int(1000 * row.made),
        "waited": "" if pushed else f"for {lasted(row.made, now())}",
        "searches": is_for_anybody(row, table.seats),
    }
    return {"invite_url": address, "qr_svg": safe(qr(address)), "about": about}


def is_for_anybody(row: TableRow, seats: Sequence[Seat]) -> bool:
    """Tell whether a table is one that a quick match finds: for two, with the usual options, for fun."""
    is_usual = is_here(row) and len(seats) == 2 and not options_words(row, len(seats))
    return is_usual and not row.rated and not row.private and row.clock in QUICK_CLOCKS


def _barred(shown: Context) -> int | None:
    """Return an action that the chosen piece would mean, if it has none that is legal now."""
    chosen = shown["view"] and shown["view"]["chosen"]
    return chosen.means[0] if chosen and chosen.means and not chosen.acts else None


class Seeing(NamedTuple):
    """How a viewer looks at a table: the id of the piece that they have chosen, whether they always touch twice, what
    they know beforehand of their actions, what the search advised, and the ids at which a lesson points.
    """

    chosen: str = ""
    confirms: bool = False
    previews: Mapping[int, Preview] = MappingProxyType({})
    hint: Sequence[Advised] = ()
    places: Collection[str] = ()


AT_FIRST = Seeing()


def seen_context(seen: Seen, old: int, seeing: Seeing = AT_FIRST) -> Context:
    """Return what a viewer sees of a match. The first `old` lines of its log are not new."""
    laid = lit(seen.view, seeing.places)
    view, advice = with_previews(laid, seeing.previews), tuple(_advice(seeing.hint))
    return {
        "view": view_context(seen.game, view, seen.viewer, seeing.chosen, seeing.confirms, advice),
        "hint_words": _hint_words(seen, seeing.hint),
        "told": len(seen.log),
        "names": seen.names,
        "log": seen.log,
        "old": old,
        "news": seen.log[-1] if len(seen.log) > old else "",
        "account": seen.account,
        "since": None,
    }


def table_json(viewing: Viewing, error: str = "") -> Context:
    """Return the JSON of a table, with only what this visitor may know."""
    seen, facts = viewing.seen, table_facts(viewing)
    return {
        CSRF: viewing.visitor.csrf,
        "table": facts,
        "lesson": lesson_json(viewing),
        **(seen.to_json() | {"can_undo": facts["can_undo"]} if seen else NOTHING_SEEN),
        "log": [{"words": words, "new": n >= seen.old} for n, words in enumerate(seen.log)] if seen else [],
        "result": result_json(viewing),
        "talk": talk_json(viewing),
        "error": error or None,
    }


def why_context(viewing: Viewing, action: int) -> Context:
    """Return why an action is not legal now, with a link to the rulebook; no words if it is legal."""
    match, you = viewing.table.playing(), viewing.you
    reason = Reason("", "you are not playing here") if you is None else match.why_not(you, action)
    given = {"clause": reason.clause, "words": reason.words} if reason else {"clause": "", "words": ""}
    return {"reason": given, "rules_url": f"/rules/{match.game.id}"}


@lru_cache(256)
def qr(url: str) -> str:
    """Return a QR code as SVG."""
    return str(segno.make(url, micro=False).svg_inline(border=2, omitsize=True))


def table_facts(viewing: Viewing, pushed: bool = False) -> Context:
    """Return what this viewer may know of a table, and what they can do there."""
    table, you, seen = viewing.table, viewing.you, viewing.seen
    row, is_playing, waits = table.row, table.status == PLAYING, table.status == WAITING and not table.is_mixing
    return {
        "id": table.id,
        "href": f"/tables/{table.id}",
        "game_id": row.game,
        "game_title": game(row.game).title,
        "status": table.status,
        "seats": [_seat(viewing, seat, pushed) for seat in table.seats],
        "clock_words": CLOCK_WORDS[row.clock],
        "private": row.private,
        "rated": row.rated,
        "alike": [table.seats[seat].name for seat in table.folded.alike or ()],
        "speed": row.speed,
        "speeds": SPEED_CHOICES,
        "socket": f"/tables/{table.id}/socket",
        "you": you,
        "decision": seen.decision if seen else 0,
        "can_start": you is not None and waits,
        "can_leave": you is not None and waits,
        "mixing": table.is_mixing,
        "reveal": reveals.wanted(table, you),
        "can_hint": seen is not None and you in seen.to_act and table.lesson_progress() is None and not row.rated,
        "passing": you in table.passing,
        "can_undo": seen is not None and _can_undo(table, seen),
        "can_resign": seen is not None and seen.can_resign and you not in seen.view.out,
        "can_skip": seen is not None and you is not None and is_playing and table.can_skip(you, seen.view.out),
        "commitment": seen.commitment if seen else table.commitment,
        "hint": [advised._asdict() for advised in hint] if (hint := _hint(viewing)) else None,
    }


def _can_undo(table: Table, seen: Seen) -> bool:
    return seen.outcome is None and seen.can_undo and table.lesson_progress() is None and not table.row.rated


def _seat(viewing: Viewing, seat: Seat, pushed: bool) -> Context:
    table, you, seen = viewing.table, viewing.you, viewing.seen
    number, deadline, share = seat.seat, viewing.live.deadline(seat.seat), table.folded.reveals.get(seat.seat)
    return {
        "seat": number,
        "name": seat.name,
        "kind": "bot" if seat.bot else "person" if seat.name else "empty",
        "level": levels().get(seat.bot, seat.bot) if seat.bot else None,
        "connected": bool(seat.bot) or viewing.live.is_watched_by(seat.player),
        **_stand_in(table, seat, number == you),
        "note": table.notes.get(number, "") if seat.bot or seat.stand_in else "",
        "to_act": seen is not None and number in seen.to_act,
        "clock_words": "" if pushed else time_left(deadline),
        "deadline": int(1000 * deadline) if deadline else None,
        "you": number == you,
        "commitment": share.commitment if share else None,
        "revealed": bool(share and share.revealed),
        "rank": seen.outcome.ranks[number] if seen and seen.outcome else None,
    }


def _stand_in(table: Table, seat: Seat, is_you: bool) -> Context:
    """Return the level of the bot that plays on for a seat's player, and a sentence about it; None if there is none."""
    if not seat.stand_in or table.match is None:
        return {"stand_in": None, "stand_in_words": ""}
    level = table.match.stand_in(seat.seat) or levels()[usual_level()]
    return {"stand_in": level, "stand_in_words": f"{level}, a bot, plays for {'you' if is_you else seat.name}"}


def _hint(viewing: Viewing) -> Sequence[Advised]:
    """Return the hint that the search gave this seat, as long as the seat still faces the same decision."""
    table, you, seen = viewing.table, viewing.you, viewing.seen
    hint = table.hints.get(you) if you is not None else None
    if hint is None or seen is None or you not in seen.to_act or hint.decision != seen.decision:
        return ()
    return hint.moves


def _advice(hint: Sequence[Advised]) -> Iterator[Advice]:
    """Yield what the search thinks of the moves that it tried often enough; the first one is the best."""
    for number, each in enumerate(hint):
        if OFTEN * each.simulations >= hint[0].simulations:
            yield Advice(each.action, round(100 * each.share), each.simulations, number == 0)


def _hint_words(seen: Seen, hint: Sequence[Advised]) -> str:
    """Return the best move in words, and what its preview gives as a reason; empty without a hint."""
    if not hint:
        return ""
    best = hint[0]
    preview = dict(seen.previews([best.action])).get(best.action)
    sure = [line.words for line in preview.lines if not line.words.startswith(LIKELY)] if preview else []
    return f"Hint: {best.words}, wins {round(100 * best.share)} %" + (f"; {sure[0]}" if sure else "")


def by_weight() -> list[Game]:
    """Return all games, from the easiest to the largest."""
    return sorted(all_games(), key=lambda found: (found.weight, found.title))


def game_facts(found: Game) -> Context:
    """Return what the lobby and the form say about a game."""
    least, most, usual = found.seats
    level = levels()[usual_level()]
    return {
        "id": found.id,
        "title": found.title,
        "seats_words": f"{least} players" if least == most else f"{least} to {most} players",
        "effort": found.effort,
        "rivals": f"against {level}" if usual == 2 else f"against {usual - 1} {level}s",
        "pitch": found.pitch,
        "picture": crest(found),
    }


def pace_of(row: TableRow) -> str:
    """Return the clock of a table in few words."""
    return CLOCK_WORDS[row.clock].replace("for each decision", "a move")


def options_words(row: TableRow, seats: int) -> str:
    """Return the options that differ from the usual ones, in words."""
    if not is_here(row):
        return ""
    changed = []
    for option in game(row.game).text.OPTIONS:
        value = row.options.get(option.name)
        if value != option.default_for(seats):
            changed.append(f"{label(option)}: {_value_words(option, value)}")
    return "; ".join(changed)


def label(option: Option) -> str:
    """Return what an option is about: the first part of its meaning, without the numbers of clauses.

    >>> label(Option("pace", "number", 1, "how fast it goes (XY-3); more is faster"))
    'How fast it goes'
    """
    words = re.sub(r" \([A-Z]+-\d+\)", "", option.meaning).partition(";")[0]
    return words[:1].upper() + words[1:]


def _value_words(option: Option, value: object) -> str:
    """Return the value of an option in words; the text of a file stays hidden."""
    if option.kind == "file":
        return "of their own"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, list):
        return str(value)
    hidden = option.kind == "files"
    return ", ".join("of their own" if hidden and each not in option.choices else str(each) for each in value)


def is_here(row: TableRow) -> bool:
    """Tell whether the rules of a table's game are installed."""
    return any(found.id == row.game for found in all_games())


CSRF = "csrf"
"""The field with the token that proves that a post comes from one of our pages."""


def title_of(game_id: str) -> str:
    """Return the title of a game; its id if its rules are gone."""
    try:
        return game(game_id).title
    except UnknownGame:
        return game_id
