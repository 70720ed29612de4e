"""`quintain learn`: a game's lesson at the terminal.

The person plays seat 0 at the usual table of `play`. Under the table it prints the text of the step and the move that
the step wants. Once the person leaves, or the script is over, it is a usual game against Page.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from quintain.cli import completion, files, players
from quintain.cli.arguments import GameFile, Pace, find, new_console, register
from quintain.cli.output import print_lines
from quintain.cli.play import HELP, Sitting
from quintain.engine.errors import BadOption, IllegalMove, QuintainError
from quintain.engine.names import with_names
from quintain.engine.play.lesson import Due, Lesson, LessonStep, Place, begun, lesson_of, place, script
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import all_games
from quintain.engine.rules.views import View

RIVAL = "page"
"""The bot that plays the other seats once the script is over."""
LESSON_HELP = """\
(nothing)        go on with the lesson: read the next step, or see its move made
show             see the move of this step made
leave            leave the lesson, and go on as a usual game from here
table            show the table again
"""


class NoLesson(QuintainError):
    """The game has no lesson, or it is over."""


def learn_game(
    game_id: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="The id of a game; lists the lessons if not given.", autocompletion=completion.games
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="List the lessons as JSON, one object a line.")] = False,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name.")] = None,
    pace: Pace = None,
    game_file: GameFile = None,
) -> None:
    """Learn a game: a first game with a guide."""
    console = new_console()
    if game_id is None:
        register(game_file)
        print_lines(_lessons()) if as_json else _list_lessons(console)
        return
    if as_json:
        raise BadOption(f"a lesson is for people: leave out --json, or {game_id} to list the lessons")
    game = find(game_id, game_file)
    if (lesson := lesson_of(game)) is None:
        raise NoLesson(
            f"{game.title} has no lesson: `quintain learn` lists the games that have one, and "
            f"`quintain rules {game.id}` shows how it is played"
        )
    bots = [None, *[RIVAL] * (lesson.seats - 1)]
    names = players.name_seats(bots, players.login_name() if name is None else name)
    match = begun(game, lesson, names, bots)
    GuidedSitting(console, match, files.new_path("saves", match), players.pace_at(console, pace), lesson).run()


class ListedLesson(NamedTuple):
    """A lesson, about how many minutes it takes, and how many moves the player makes in it."""

    game: str
    title: str
    pitch: str
    minutes: int
    moves: int


def _lessons() -> Iterator[ListedLesson]:
    """Yield the lessons, those of the easiest games first."""
    taught = [(game, lesson) for game in all_games() if (lesson := lesson_of(game))]
    for game, lesson in sorted(taught, key=lambda each: (each[0].weight, each[0].id)):
        asked = sum(due.is_asked for due in script(lesson))
        yield ListedLesson(game.id, game.title, game.pitch, lesson.minutes, asked)


def _list_lessons(console: Console) -> None:
    for one in _lessons():
        words = f"  {one.title}, about {one.minutes} minutes, {one.moves} moves"
        console.print(Text.assemble((one.game, "bold"), words))
        console.print(Text(f"  {one.pitch}"))
    console.print(Text("Begin with one of them: quintain learn GAME"))


class GuidedSitting(Sitting):
    """A person who plays a game by its lesson. `read` counts the steps that they have read; `left` is set for good."""

    def __init__(self, console: Console, match: Match, save: Path, pace: float, lesson: Lesson):
        super().__init__(console, match, save, pace)
        self.lesson, self.read, self.left = lesson, 0, False
        of_lesson: dict[str, Callable[[str], None]] = {
            "show": lambda _: self._show(),
            "leave": lambda _: self._leave(),
            "table": lambda _: self._look(),
        }
        self.commands |= of_lesson

    def _greeting(self) -> list[str]:
        return ["`help` lists what you can type."]

    def _help(self) -> str:
        return HELP if self.left else f"{LESSON_HELP}{HELP[: HELP.rindex(chr(10))]}"

    def _place(self) -> Place | None:
        """Return how far the game has followed the lesson; None once it is a usual game."""
        return None if self.left else place(self.lesson, self.match)

    def _step(self) -> tuple[int, LessonStep, Due | None] | None:
        """Return the number of the step to show, from 0, the step, and the move that it asks for; None after the last.

        A step that is only to be read asks for none.
        """
        there = self._place()
        number = max(there.step, self.read) if there else len(self.lesson.steps)
        if there is None or number >= len(self.lesson.steps):
            return None
        return number, self.lesson.steps[number], there.due if there.due and there.due.step == number else None

    def _go_on(self) -> None:
        there = self._place()
        if there and there.due and not there.due.is_asked:
            time.sleep(self.bots.pace)
            self._follow(there.due)
        elif self._step():
            self._ask()
        else:
            if not self.left:
                self._end("The lesson is over: from here on the choice is yours.")
            super()._go_on()

    def _end(self, why: str) -> None:
        """Go on as a usual game."""
        self.left = True
        self.notes.append(f"{why} You play against {' and '.join(self.match.names[1:])}.")

    def _follow(self, due: Due) -> None:
        """Make a move of the script."""
        self._change(lambda: self.match.play(due.seat, due.move))

    def _screen(self, view: View, lines: int, notes: list[str]) -> RenderableType:
        table = super()._screen(view, lines, notes)
        if (shown := self._step()) is None or not self.seen.legal:
            return table
        number, step, due = shown
        more = f" More in {step.clause}: type rules." if step.clause else ""
        does = f"Type: {self._words(due)}\nEnter shows you." if due else "Enter: on."
        title = f" {number + 1} of {len(self.lesson.steps)}: {step.title} "
        words = Text.assemble(with_names(self.match.names, step.words), "\n", (does + more, "dim"))
        return Group(table, Panel(words, title=Text(title, style="bold"), title_align="left"))

    def _words(self, due: Due) -> str:
        return with_names(self.match.names, due.move)

    def _answer(self, line: str) -> None:
        if line or not self._step():
            super()._answer(line)
        else:
            self._show()

    def _show(self) -> None:
        """Make the move of this step; or turn to the next step, if this one is only to be read."""
        if (shown := self._step()) is None:
            raise NoLesson("the lesson is over: the choice is yours")
        number, _, due = shown
        if due:
            self._follow(due)
            return
        self.read = number + 1
        if not self._step():
            self._end("The lesson is over: from here on the choice is yours.")
        self._look()

    def _leave(self) -> None:
        if self.left:
            raise NoLesson("the lesson is over already: `quit` leaves the game")
        self._end("You have left the lesson.")
        self._look()

    def _make(self, move: int | str) -> None:
        """Make the move that the lesson wants, and refuse another with the reason; raises QuintainError."""
        there = self._place()
        action = self.seen.understood(move)
        texts = {each.action: each.text for each in self.seen.moves}
        if there and there.due and texts.get(action, self._words(there.due)) != self._words(there.due):
            step = self.lesson.steps[there.due.step]
            raise IllegalMove(
                f"that move is legal, and the lesson wants another one: {self._words(there.due)}. {step.words} "
                "(Enter goes on with the lesson; leave goes on without it.)"
            )
        super()._make(move)
