"""The deeds: all that a player can do at a table by posting to it, such as a move, an undo or a resignation.

`routes.py` makes a handler for every deed here. The handler finds the table, reads the post, does the deed (most are
methods of `Tables`), and shows the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from quintain.engine.play.commitments import read_hex
from quintain.server.http.documented import (
    Agreeing,
    Committing,
    Moving,
    Reporting,
    Revealing,
    Saying,
    Showing,
    Stepping,
    Undoing,
)
from quintain.server.http.requests import Post
from quintain.server.pages import fields
from quintain.server.people.players import NO, YES
from quintain.server.refused import Refused
from quintain.server.tables import learner as learning
from quintain.server.tables import reveals
from quintain.server.tables import talk as talking
from quintain.server.tables.acts import Tables
from quintain.server.tables.rematches import rematch
from quintain.server.tables.table import Table


@dataclass(frozen=True)
class Deed:
    """Something that a player can do at a table.

    The OpenAPI document shows the `name`, the `words` and the fields that a post `takes`, if the deed is `documented`;
    deeds for pages alone are not. `read` takes from a post the arguments of `do` that follow the tables, the table and
    the player. `do` may return the id of another table, which the handler then shows instead. A page shows the `thanks`
    above the table.
    """

    name: str
    words: str
    do: Callable[..., Awaitable[str | None]]
    read: Callable[[Post], tuple[object, ...]] = lambda _: ()
    takes: type[msgspec.Struct] | None = None
    documented: bool = True
    thanks: str = ""


def _moved(posted: Post) -> tuple[int, int | str]:
    return posted.number(fields.DECISION), posted.move()


def _undone(posted: Post) -> tuple[int]:
    return (posted.number(fields.DECISION),)


def _stepped(posted: Post) -> tuple[int]:
    return (posted.number(fields.STEP),)


def _shown(posted: Post) -> tuple[int, int]:
    return posted.number(fields.STEP), posted.number(fields.DECISION)


def _passing(posted: Post) -> tuple[bool]:
    if (passing := posted.text(fields.PASSING)) not in ("yes", "no"):
        raise Refused(422, "passing must be yes or no")
    return (passing == "yes",)


def _committed(posted: Post) -> tuple[str]:
    return (read_hex(posted.text(fields.COMMITMENT), "a commitment"),)


def _revealed(posted: Post) -> tuple[str]:
    return (read_hex(posted.text(fields.REVEALED), "a random number"),)


def _agreed(posted: Post) -> tuple[bool, str]:
    if (agrees := posted.text(fields.AGREES, YES)) not in (YES, NO):
        raise Refused(422, f"agrees is {YES!r} or {NO!r}, not {agrees!r}")
    return agrees == YES, posted.commitment()


async def _set_speed(tables: Tables, table: Table, player: str, posted: Post) -> None:
    """Set the speed of bots. The speed is read only here, so that the answer to a wrong one shows the table."""
    await tables.set_speed(table, player, posted.text(fields.SPEED))


async def _say(tables: Tables, table: Table, player: str, posted: Post) -> None:
    """Say something. The words are read only here, so that the answer to wrong ones shows the table."""
    await talking.say(tables, table, player, posted.text(fields.TEXT), posted.text(fields.READY))


DEEDS = {
    "moves": Deed(
        "move",
        "Play a move: the number of an action or its words, with the number of the decision that it answers.",
        Tables.move,
        _moved,
        Moving,
    ),
    "undo": Deed("undo", "Take your last move back, if it showed you nothing new.", Tables.undo, _undone, Undoing),
    "resign": Deed("resign", "Give the game up.", Tables.resign),
    "skip": Deed("skip", "Let the bots play to the end without pauses, once all people are out of it.", Tables.skip),
    "leave": Deed("leave", "Get up again, before play begins.", Tables.get_up),
    "start": Deed("start", "Begin, with bots in the empty seats.", Tables.start),
    "commitment": Deed(
        "commit",
        "Commit to 32 random bytes of your own, by their SHA-256, before the last seat is taken.",
        reveals.commit,
        _committed,
        Committing,
    ),
    "reveal": Deed(
        "reveal",
        "Reveal the random bytes to which you have committed, once all seats are taken.",
        reveals.reveal,
        _revealed,
        Revealing,
    ),
    "speed": Deed(
        "set_speed", "Set how long bots take for a move.", _set_speed, lambda posted: (posted,), documented=False
    ),
    "passing": Deed(
        "set_passing",
        "Set whether your only moves are made for you, after a pause of random length.",
        Tables.set_passing,
        _passing,
        documented=False,
    ),
    "hint": Deed("hint", "Ask the search about your moves; the answer is in `table.hint`.", Tables.hint),
    "lesson/on": Deed("go_on", "Go on from a step of a lesson that is only read.", learning.go_on, _stepped, Stepping),
    "lesson/show": Deed("show_step", "Let the move of a step of a lesson be made.", learning.show, _shown, Showing),
    "lesson/leave": Deed(
        "leave_lesson", "Leave a lesson: the game goes on as a usual one.", learning.leave, _stepped, Stepping
    ),
    "talk": Deed(
        "say",
        "Say something at the table: a line of your own, or ready-made words; only spectators see what spectators say.",
        _say,
        lambda posted: (posted,),
        Saying,
    ),
    "report": Deed(
        "report",
        "Report a line of somebody else to the operator of the server.",
        talking.report,
        lambda posted: (posted.number(fields.LINE),),
        Reporting,
        thanks="Your report is in the operator's log.",
    ),
    "rematch": Deed(
        "rematch",
        "Agree to play again with the same seats, or no longer; once all people agree, the answer is the new table.",
        rematch,
        _agreed,
        Agreeing,
    ),
}
"""The deeds, by the last part of their paths."""
