"""The values that the templates are rendered with, and the answers of the JSON API, for one viewer.

They serve a table in play. `lobby_pages.py` does the same for the lobby, `forms.py` for the form for a new table, and
`old_games.py` for games that are over. `table_answers.py` and `drawing.py` call them. `rendering.py` prepares the view
of a match.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from minijinja import safe

from quintain.engine.errors import UnknownGame
from quintain.engine.names import capital, with_minus
from quintain.engine.play.lesson import lesson_of
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import Option
from quintain.engine.rules.registry import all_games, game
from quintain.engine.rules.seat_options import owned_cards
from quintain.engine.rules.views import Preview, Reason
from quintain.engine.seen.acts import without
from quintain.engine.seen.layout import Advice
from quintain.engine.seen.previews import Path, with_previews
from quintain.engine.seen.seen import Seen
from quintain.server.model.entries import PLAYING, WAITING, Seat, TableRow
from quintain.server.model.levels import levels, manner, time_of, usual_level
from quintain.server.pages.brought.at_tables import seat_decks, stakes_words
from quintain.server.pages.cards.sets.choosing_sets import set_context
from quintain.server.pages.coach import coach_context, lesson_json
from quintain.server.pages.endings import result_json, result_page
from quintain.server.pages.heraldry import crest
from quintain.server.pages.rendering import Context, board_template, view_context
from quintain.server.pages.talk_page import talk_context, talk_json
from quintain.server.pages.words import ALL_LEFT, ALL_LEFT_RATED, seconds_left, time_left
from quintain.server.people.players import Visitor
from quintain.server.tables import reveals
from quintain.server.tables.foresight import NOTHING_FORESEEN, Advised, Hint, Over, Previews, advice_on, reason
from quintain.server.tables.lessons import lit
from quintain.server.tables.live_table import Viewing
from quintain.server.tables.table import CLOCKS, SPEEDS, Table

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
    "choice": None,
    "since": None,
}
NOTHING_SEEN: Context = {"view": None, "menu": [], "account": []}
"""The JSON API gives this in place of a view before play has begun."""
CONFIRMS = "confirms"
THINKS = "The search tries your moves, which takes one to three seconds."
GETS_READY = (
    "The search has to be made ready for this game first. That takes a minute or two; the hint comes by itself."
)
CANNOT_TELL = "The search could try too few games to tell which move is good. Ask again in a moment."


def page_context(visitor: Visitor, title: str, here: str) -> Context:
    """Return the values that every page needs."""
    return {
        "player": {"name": visitor.name, "key": visitor.key} if visitor.key else None,
        CSRF: visitor.csrf,
        "theme": visitor.theme,
        "title": title,
        "here": here,
    }


def table_context(
    viewing: Viewing,
    base_url: str,
    move_link: str,
    chosen: str = "",
    previews: Previews = NOTHING_FORESEEN,
    remark: int | None = None,
) -> Context:
    """Return the values for a table's page.

    `chosen` is the id of the piece that the viewer has chosen. If it has no action now, the page says why. `previews`
    are those of the viewer's actions; those of another decision are left out. `remark` is the number of an earlier step
    of a lesson, which the learner reads again.
    """
    table, visitor, you = viewing.table, viewing.visitor, viewing.you
    found, coach = game(table.row.game), coach_context(viewing, remark)
    view = _match_context(viewing, coach, chosen, previews)
    barred = _barred(view)
    return {
        **page_context(visitor, found.title, f"/tables/{table.id}"),
        "headings": {str(lines[you]): words for words, lines in table.headings},
        "table": {**table_facts(viewing), **_before_play(table, base_url), "move_link": move_link},
        "clocks": {str(seat.seat): viewing.live.deadline(seat.seat) for seat in table.seats},
        "ends_at": viewing.live.ends_at,
        "absence": absence(table.row),
        **view,
        "choice": set_context(viewing.seen) if viewing.seen and viewing.is_now and coach is None else None,
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
    foreseen, confirms = previews.at(seen), viewing.visitor.confirms
    if coach:
        return seen_context(
            seen, seen.old, Seeing(chosen, confirms, foreseen, places=coach["at"], wanted=coach["action"])
        )
    hint, known = _hint(viewing), {**viewing.live.foresight.made(seen), **foreseen}
    seeing = Seeing(chosen, confirms, foreseen, hint.best if hint else (), known, _no_hint(viewing, hint))
    return seen_context(seen, seen.old, seeing)


def looks_context(viewing: Viewing, previews: Previews) -> Context:
    """Return the values for the pieces of a table in full, which the inspector asks for when somebody points at one."""
    table = viewing.table
    page = page_context(viewing.visitor, game(table.row.game).title, f"/tables/{table.id}")
    facts = {"table_url": f"/tables/{table.id}", "board_of": table.row.game}
    return {**page, **_match_context(viewing, None, "", previews), **facts}


def _before_play(table: Table, base_url: str) -> Context:
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
        "manner": manner(usual_level()),
        "since": row.made,
        "searches": is_for_anybody(row, table.seats),
        "owned": stakes_words(row),
        "decks": seat_decks(row, len(table.seats)) if is_here(row) else [],
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
    they know beforehand of their actions, what the search advised, what they know of these moves, why it has not
    advised anything, the ids at which a lesson points, and the action that it wants.
    In puzzles and analyses: the actions that a hint has taken away, and how the decision was, if it is over.
    """

    chosen: str = ""
    confirms: bool = False
    previews: Mapping[Path, Preview] = MappingProxyType({})
    hint: Sequence[Advised] = ()
    reasons: Mapping[Path, Preview] = MappingProxyType({})
    no_hint: str = ""
    places: Collection[str] = ()
    wanted: int | None = None
    taken: Collection[int] = ()
    over: Over | None = None


AT_FIRST = Seeing()


def seen_context(seen: Seen, old: int, seeing: Seeing = AT_FIRST) -> Context:
    """Return what a viewer sees of a match. The first `old` lines of its log are not new."""
    laid = lit(seen.view, seeing.places, seeing.wanted)
    view = without(with_previews(laid, seeing.previews), seeing.taken)
    advice = advice_on(seeing.hint, seeing.over)
    return {
        "view": view_context(seen.game, view, seen.viewer, seeing.chosen, seeing.confirms, advice),
        "hints": {"words": _hint_words(seeing), "thinks": THINKS, "moves": [*_hinted(seeing, advice)]},
        "told": len(seen.log),
        "names": seen.names,
        "log": seen.log,
        "old": old,
        "news": seen.log[-1] if len(seen.log) > old else "",
        "account": seen.account,
        "choice": None,
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
    import segno  # no other page needs it

    return str(segno.make(url, micro=False).svg_inline(border=2, omitsize=True))


def table_facts(viewing: Viewing) -> Context:
    """Return what this viewer may know of a table, and what they can do there."""
    table, you, seen = viewing.table, viewing.you, viewing.seen
    row, is_playing, waits = table.row, table.status == PLAYING, table.status == WAITING and not table.is_mixing
    return {
        "id": table.id,
        "href": f"/tables/{table.id}",
        "game_id": row.game,
        "game_title": game(row.game).title,
        "status": table.status,
        "seats": [_seat(viewing, seat) for seat in table.seats],
        "clock_words": CLOCK_WORDS[row.clock],
        "adjourned": table.adjourned_at is not None,
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
        "can_hint": seen is not None and you in seen.to_act and table.lesson_progress() is None and table.has_hints,
        "hints_allowed": table.has_several_people and table.has_hints,
        "hinting": _is_thinking(viewing),
        "passing": you in table.passing,
        "can_undo": seen is not None and _can_undo(table, seen),
        "can_resign": seen is not None and seen.can_resign and you not in seen.view.out,
        "is_out": is_playing and _is_out(viewing),
        "waits_for_bots": _waits_for_bots(viewing),
        "offers_passing": _offers_passing(viewing),
        "can_skip": seen is not None and you is not None and is_playing and table.can_skip(you, seen.view.out),
        "commitment": seen.commitment if seen else table.commitment,
        "hint": _hint_json(viewing),
    }


def _is_out(viewing: Viewing) -> bool:
    """Tell whether a player has been eliminated or has resigned."""
    you, seen = viewing.you, viewing.seen
    return you is not None and seen is not None and (seen.has_resigned or you in seen.view.out)


def _waits_for_bots(viewing: Viewing) -> str:
    """Return for how long at most a player waits for the next move of the bots that are to act, in words; empty if they
    wait for no bot, or for nothing, since they are out of the game.
    """
    table, you, seen = viewing.table, viewing.you, viewing.seen
    if you is None or seen is None or table.status != PLAYING or table.lesson_progress() or you in seen.to_act:
        return ""
    if _is_out(viewing):
        return ""
    asked = [seat for seat in table.seats if seat.seat in seen.to_act]
    if not asked or not all(seat.bot or seat.stand_in for seat in asked):
        return ""
    seconds = math.ceil(max(time_of(seat.bot or usual_level()) for seat in asked))
    return "a second" if seconds == 1 else f"{seconds} seconds"


def _offers_passing(viewing: Viewing) -> bool:
    """Tell whether a player has one answer only, and has not said yet that such questions pass by themselves."""
    table, you, seen = viewing.table, viewing.you, viewing.seen
    if you is None or seen is None or you not in seen.to_act or you in table.passing or table.lesson_progress():
        return False
    return len(seen.legal) == 1 and not _can_undo(table, seen)


def _can_undo(table: Table, seen: Seen) -> bool:
    return seen.outcome is None and seen.can_undo and table.lesson_progress() is None and not table.row.rated


def _seat(viewing: Viewing, seat: Seat) -> Context:
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
        "clock_words": time_left(deadline),
        "seconds_left": seconds_left(deadline),
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


def _hint(viewing: Viewing) -> Hint | None:
    """Return the hint that the search gave this seat, as long as the seat still faces the same decision."""
    table, you, seen = viewing.table, viewing.you, viewing.seen
    hint = table.hints.get(you) if you is not None else None
    if hint is None or seen is None or you not in seen.to_act or hint.decision != seen.decision:
        return None
    return hint


def _is_thinking(viewing: Viewing) -> bool:
    """Tell whether the search thinks about the decision that this seat faces."""
    you, seen = viewing.you, viewing.seen
    return seen is not None and you is not None and (you, seen.decision) in viewing.live.advising


def _no_hint(viewing: Viewing, hint: Hint | None) -> str:
    """Return why a hint names no move yet; empty if it does, or if nobody has asked for one."""
    if _is_thinking(viewing):
        return GETS_READY if viewing.live.is_compiling else THINKS
    return CANNOT_TELL if hint and not hint.best else ""


def _hint_json(viewing: Viewing) -> list[Context] | None:
    """Return the moves of a hint as data; None without a hint."""
    hint = _hint(viewing)
    if hint is None:
        return None
    return [{**one._asdict(), "low": one.bounds[0], "high": one.bounds[1]} for one in hint.best]


def _hinted(seeing: Seeing, advice: Sequence[Advice]) -> Iterator[Context]:
    """Yield the moves of a hint for the page, each with the reason that its preview gives."""
    known = {**seeing.reasons, **seeing.previews}
    for move, found in zip(seeing.hint, advice, strict=True):
        yield {
            "advice": found,
            "words": capital(with_minus(move.words)),
            "reason": reason(known, move.action),
        }


def _hint_words(seeing: Seeing) -> str:
    """Return the best move in words, or why there is none yet; empty without a hint."""
    if seeing.no_hint or not seeing.hint:
        return seeing.no_hint
    best = seeing.hint[0]
    return f"Hint: {with_minus(best.words)}, wins {round(100 * best.share)} %"


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


def absence(row: TableRow) -> str:
    """Return what happens at a table if everybody leaves; empty if nothing does, since it has no clock."""
    return "" if CLOCKS[row.clock] is None else ALL_LEFT_RATED if row.rated else ALL_LEFT


def pace_of(row: TableRow) -> str:
    """Return the clock of a table in few words."""
    return CLOCK_WORDS[row.clock].replace("for each decision", "a move")


def options_words(row: TableRow, seats: int) -> str:
    """Return the options that differ from the usual ones, in words."""
    if not is_here(row):
        return ""
    found, part = game(row.game), owned_cards(game(row.game)) if row.owned else None
    changed = ["everybody plays with cards of their own"] if part else []
    titles = {each.text: each.title for each in found.card_sets.values()}
    for option in found.text.OPTIONS:
        if part and option.name in part.options:
            continue
        value = row.options.get(option.name)
        if value != option.default_for(seats):
            words = titles.get(value) if isinstance(value, str) else None
            changed.append(f"{label(option)}: {words or _value_words(option, value)}")
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
