# ruff: noqa: D102 - `TableAct.do` says what each `do` does
"""Posts: each is a struct that says what a post holds, checks it, describes it in the API, and does what it asks for.

`requests.py` decodes them from forms and JSON. The docstring of each is its summary in the description of the API. A
`TableAct` is something that a player does at a table; `table_routes.py` makes a handler of each in `ACTS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from quintain.engine.play.commitments import read_hex
from quintain.server.model.entries import YES
from quintain.server.model.levels import usual_level
from quintain.server.model.talk import MOST_LETTERS
from quintain.server.pages.contexts import QUICK_CLOCKS
from quintain.server.tables import acts, learner, reveals, talk
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.memory import Tables
from quintain.server.tables.rematches import rematch

Hex = Annotated[str, Meta(extra_json_schema={"minLength": 64, "maxLength": 64})]
"""32 bytes in hex, as the description says; the engine checks it, and says what is wrong."""
YesOrNo = Literal["yes", "no"]
MOST_IN_PATH = 2
"""The most questions that one post of a move answers."""


def is_number(text: str) -> bool:
    """Tell whether a text is a whole number in plain digits.

    >>> is_number("007"), is_number("1.0"), is_number("\u0663")
    (True, False, False)
    """
    return text.isascii() and text.isdigit()


class Posted(Struct):
    """A post that holds nothing but the token `csrf`."""


class Naming(Posted):
    """A player's name, and where their page goes on."""

    name: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 24})] = ""
    next: str = "/"


class Named(Posted):
    """The name of a player who has none yet."""

    name: str = ""


class Newcomer(Named):
    """The name of a player who has none yet; and perhaps the commitment of one who wants to mix the cards, too."""

    commitment: str = ""

    def committed(self) -> str:
        """Return the commitment, which may be empty; raises BadOption for a wrong one."""
        return read_hex(self.commitment, "a commitment") if self.commitment else ""


class QuickMatch(Newcomer):
    """What somebody wants to play: a game, or any; against whom, and with which clock."""

    game: str = ""
    rival: str = "anybody"
    clock: str = QUICK_CLOCKS[0]


class MakingTable(Newcomer, kw_only=True):
    """A new table: for each seat "me", "open" or the level of a bot, and the options of the game.

    Where cards are `owned`, everybody plays with a collection of their own.
    """

    game: str
    seats: list[str] = []
    options: Annotated[Any, Meta(extra_json_schema={"type": "object"})] = {}
    clock: str = "none"
    speed: str = "usual"
    private: bool = False
    rated: bool = False
    hints: bool = False
    owned: bool = False
    invite: int | str = ""


class PlayingOn(Named, kw_only=True):
    """A step of a finished game, the seat that you take there, and the level of the bots at the other seats."""

    step: int
    seat: int
    level: str = usual_level()


class Answering(Named, kw_only=True):
    """The action that you would play."""

    action: int


class MakingOwn(Posted, kw_only=True):
    """A finished game of yours, and the number of the entry of its match before which the decision stands, from 1."""

    table: str
    entry: int


class AskingAnalysis(Named, kw_only=True):
    """Have a finished game judged, or go on where its judging stopped; `better` does it again, more thoroughly."""

    better: bool = False


class ChoosingTheme(Posted):
    """How pages look."""

    theme: Literal["auto", "light", "dark"]
    next: str = "/"


class Confirming(Posted):
    """Whether even a move that can be taken back needs two touches."""

    confirming: YesOrNo
    next: str = "/"


class Talking(Posted):
    """Whether you want to read what people say at tables."""

    talking: YesOrNo
    next: str = "/"


class Recovering(Posted):
    """The recovery code that somebody types."""

    code: str = ""


class ShowingRecovery(Posted):
    """Whether a new recovery code is wanted."""

    new: str = "no"


class Forgetting(Posted):
    """The name of the player who wants to be deleted."""

    name: str = ""


class BringingIn(Named):
    """The text of a record, and the seat that was the visitor's; empty if their name says so."""

    record: str = ""
    seat: int | str = ""


class TableAct(Posted):
    """Something that a player does at a table. The page shows the `thanks` above the table."""

    thanks: ClassVar[str] = ""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> str | None:
        """Do it; raises QuintainError if it cannot be done. Return the id of another table if that is shown then."""
        raise NotImplementedError


class Moving(TableAct):
    """Play a move: the number of an action or its words, with the number of the decision that it answers. "7+12" plays
    7, and answers with 12 the question that follows.
    """

    action: int | str
    decision: int

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.move(tables, live, player, self.decision, *self._path(live, player))

    def _path(self, live: LiveTable, player: str) -> Sequence[int]:
        """Return the action, and perhaps the one that answers the next question."""
        if isinstance(self.action, int):
            return [self.action]
        numbers = self.action.split("+")
        if len(numbers) <= MOST_IN_PATH and all(map(is_number, numbers)):
            return [int(number[:20]) for number in numbers]
        return [live.table.action_of(live.table.own_seat(player), self.decision, self.action)]


class ChoosingSet(TableAct):
    """Choose a whole set of cards by their names, in a game whose players choose sets: all its moves are made, or none.

    With the way "rest" the cards that are missing are dealt; with "keep" the last set is kept.
    """

    decision: int
    cards: list[str] = []
    way: Literal["chosen", "rest", "keep"] = "chosen"

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.choose_set(tables, live, player, self.decision, self.cards, self.way)


class Undoing(TableAct):
    """Take your last move back, if it showed you nothing new."""

    decision: int

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.undo(tables, live, player, self.decision)


class Resigning(TableAct):
    """Give the game up."""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.resign(tables, live, player)


class Skipping(TableAct):
    """Let the bots play to the end without pauses, once all people are out of it."""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.skip(tables, live, player)


class Hurrying(TableAct):
    """Let the bots move without pauses until you are asked."""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.hurry(live, player)


class Leaving(TableAct):
    """Get up again, before play begins."""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.get_up(tables, live, player)


class Starting(TableAct):
    """Begin, with bots in the empty seats."""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.start(tables, live, player)


class Committing(TableAct):
    """Commit to 32 random bytes of your own, by their SHA-256, before the last seat is taken."""

    commitment: Hex

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await reveals.commit(tables, live, player, read_hex(self.commitment, "a commitment"))


class Revealing(TableAct):
    """Reveal the random bytes to which you have committed, once all seats are taken."""

    revealed: Hex

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await reveals.reveal(tables, live, player, read_hex(self.revealed, "a random number"))


class SettingSpeed(TableAct):
    """Set how long bots take for a move."""

    speed: str

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.set_speed(tables, live, player, self.speed)


class SettingPassing(TableAct):
    """Set whether your only moves are made for you, after a pause of random length."""

    passing: YesOrNo

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.set_passing(tables, live, player, self.passing == YES)


class AskingHint(TableAct):
    """Ask the search about your moves; the answer is in `table.hint`."""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await acts.hint(tables, live, player)


class GoingOn(TableAct):
    """Go on from a step of a lesson that is only read, as `lesson.step` says it."""

    step: int

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await learner.go_on(tables, live, player, self.step)


class ShowingStep(TableAct):
    """Let the move of a step of a lesson be made, which answers a decision."""

    step: int
    decision: int

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await learner.show(tables, live, player, self.step, self.decision)


class SkippingMoves(TableAct):
    """Let the moves before your next step of a lesson be made at once; nothing changes if there are none."""

    step: int

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await learner.skip(tables, live, player, self.step)


class LeavingLesson(TableAct):
    """Leave a lesson: the game goes on as a usual one."""

    step: int

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await learner.leave(tables, live, player, self.step)


class Saying(TableAct):
    """Say something at the table: a line of your own, or ready-made words; only spectators see what spectators say."""

    text: Annotated[str, Meta(extra_json_schema={"maxLength": MOST_LETTERS})] = ""
    ready: str = ""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await talk.say(tables, live, player, self.text, self.ready)


class Reporting(TableAct):
    """Report a line of somebody else, by its `id`, to the operator of the server."""

    thanks: ClassVar[str] = "Your report is in the operator's log."
    line: int

    async def do(self, tables: Tables, live: LiveTable, player: str) -> None:
        await talk.report(tables, live, player, self.line)


class Agreeing(TableAct):
    """Agree to play again with the same seats, or no longer; once all people agree, the answer is the new table."""

    agrees: YesOrNo = "yes"
    commitment: str = ""

    async def do(self, tables: Tables, live: LiveTable, player: str) -> str | None:
        commitment = read_hex(self.commitment, "a commitment") if self.commitment else ""
        return await rematch(tables, live, player, self.agrees == YES, commitment)


ACTS: tuple[tuple[str, str, type[TableAct]], ...] = (
    ("moves", "move", Moving),
    ("undo", "undo", Undoing),
    ("resign", "resign", Resigning),
    ("skip", "skip", Skipping),
    ("hurry", "hurry", Hurrying),
    ("leave", "leave", Leaving),
    ("start", "start", Starting),
    ("commitment", "commit", Committing),
    ("reveal", "reveal", Revealing),
    ("speed", "set_speed", SettingSpeed),
    ("passing", "set_passing", SettingPassing),
    ("hint", "hint", AskingHint),
    ("lesson/on", "go_on", GoingOn),
    ("lesson/show", "show_step", ShowingStep),
    ("lesson/skip", "skip_moves", SkippingMoves),
    ("lesson/leave", "leave_lesson", LeavingLesson),
    ("talk", "say", Saying),
    ("report", "report", Reporting),
    ("rematch", "rematch", Agreeing),
)
"""The acts, each with the last part of its path and its name in the description of the API."""
FOR_PAGES = (SettingSpeed, SettingPassing)
"""The acts of pages alone, which the description of the API leaves out."""
