"""Records brought in: finished games from a server, a terminal or another browser become games of this one."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.errors import BadOption, QuintainError
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.refusals import status_of
from quintain.server.browser.shelf import shelf_values
from quintain.server.model.results import number_in
from quintain.server.pages.contexts import page_context
from quintain.server.posted.fields import decoded
from quintain.server.posted.posts import BringingIn
from quintain.server.refused import Refused
from quintain.server.tables import bringing_in
from quintain.server.tables.reading import ReadRecord
from quintain.server.turns import Asker

LONGEST = 200_000
"""Characters of a record: twice those of a long game. While one is played again, all pages of the device wait."""


def bring_in_page(house: House, text: str = "", names: Sequence[str] = (), error: str = "") -> PageAnswer:
    """Ask for a record; with `names`, ask who the player was."""
    shown = page_context(house.visitor(), "Bring in a record", "/games/import")
    asked = {"text": text, "names": list(names), "error": error or None}
    return PageAnswer.html(house.templates.render_template("import.html", **shown, **asked))


async def _is_played_here(house: House, found: ReadRecord) -> bool:
    """Tell whether the visitor has played the game of a record on this device. A game played on from it is another."""
    document, moves = found.document, found.nameless["moves"]
    for row, seats in house.store.listed(house.visitor().id, is_over=True):
        is_same = (row.game, row.version) == (document.game, document.version)
        if is_same and all(seat.player or seat.bot for seat in seats):  # a game that was brought in has strangers
            folded = (await house.tables.get(row.id)).table.folded
            if folded.seed == document.seed and folded.record and folded.record["moves"] == moves:
                return True
    return False


async def brought_in(house: House, asked: PageRequest) -> PageAnswer:
    """Bring a record in; without a seat it asks which one was the player's, unless their name says so."""
    given = decoded(asked.fields(BringingIn), BringingIn)
    try:
        if house.visitor().number is None:
            await house.named(given.name)
        visitor = house.visitor()
        if len(given.record) > LONGEST:
            raise BadOption(f"a record of over {LONGEST:,} characters takes too long here: `quintain replay` shows it")
        found = await house.tables.reader.read_record(Asker("", visitor.id), given.record)
        names, number = found.document.names, number_in(str(given.seat))
        seat = -1 if number is None else number
        if seat < 0 and names.count(visitor.name or "") == 1:
            seat = names.index(visitor.name or "")
        if seat < 0:
            return bring_in_page(house, given.record, names)
        if await _is_played_here(house, found):
            raise Refused(409, "you have played this game here: it is among your finished games")
        brought = await bringing_in.bring_in(house.tables, visitor.id, found, seat)
    except QuintainError as error:
        words = str(error)
        answer = bring_in_page(house, error=words[:1].upper() + words[1:])
        return answer._replace(status=status_of(error))
    shown = await shelf_values(house, notice=brought.words)
    return PageAnswer.html(house.templates.render_template("browser_games.html", **shown), 201)
