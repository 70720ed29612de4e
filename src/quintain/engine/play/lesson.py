"""Lessons: a game's guided first game, which is a script of moves with a few words at each step.

A game in a folder writes its lesson as `lesson.toml`; `lesson_of` reads it. The learner sits in seat 0, and the deal
comes from a fixed seed, so the same moves always lead to the same table. `begun` makes the match, `place` tells how far
it has followed the script, and `played` plays the whole script to check it. A front end shows the steps, and plays what
the script has for the other seats. A match that leaves the script goes on as a usual game.

    minutes = 8
    seats = 2
    seed = "5a5a..."                        # 64 hex digits
    options = {runes = "off"}               # optional: the options of the match
    first = [{seat = 1, move = "go first"}] # optional: moves before the first step
    [[steps]]
    title = "Play your Ellicta 8"           # what to do or to see
    words = "It puts 8 of your Influence ..."
    at = ["hand.0.4"]                       # pieces or zones of the learner's view, or some of PLACES
    move = "play Ellicta 8"                 # the learner's move; without one, the step is only read
    clause = "KC-9"                         # optional: the clause to read for more
    others = [{seat = 1, move = "draw"}]    # optional: the moves that follow, before the next step

Moves are written as menus write them, with ``seat 1`` in the place of a name. A move of seat 0 in `first` or `others`
is one that the lesson makes for the learner.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from quintain.engine.errors import BadGame, BadOption, QuintainError
from quintain.engine.play.documents import Entry
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game

LEARNER = 0
"""The seat of the person who learns."""
PLACES = ("seats", "phase", "log", "question")
"""The parts of a table, beside pieces and zones, that a step can point at."""
LONGEST_TITLE, LONGEST_WORDS = 40, 150
"""The most characters of a step's title and of its words: what a phone shows in one line, and in three."""


class Scripted(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that the script has for a seat, in the words of the menu, with ``seat 1`` in the place of a name."""

    seat: int
    move: str


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a lesson: what to do or to see, and why.

    `at` are the ids of the pieces and zones that the step points at, or some of PLACES. `move` is the learner's move;
    None for a step that is only read. `others` are the moves that follow it, before the next step.
    """

    title: Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
    words: Annotated[str, Meta(min_length=1, max_length=LONGEST_WORDS)]
    at: tuple[str, ...] = ()
    move: str | None = None
    clause: str = ""
    others: tuple[Scripted, ...] = ()


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A guided first game: the match that it plays, the moves before the first step, and the steps."""

    minutes: Annotated[int, Meta(ge=1, le=60)]
    seats: int
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    steps: Annotated[tuple[LessonStep, ...], Meta(min_length=1)]
    options: dict[str, Any] = {}
    first: tuple[Scripted, ...] = ()


class Due(Struct, frozen=True):
    """The move that the script expects next: whose it is, and the step that it belongs to (-1: before the first).

    If `is_asked`, the learner makes the move. All other moves, even of seat 0, the front end makes.
    """

    step: int
    seat: int
    move: str
    is_asked: bool


class Place(Struct, frozen=True):
    """How far a match has followed its lesson.

    `step` counts the steps that are done, so it is the number of the step to show, from 0. If that step is only to be
    read, and the learner has read it, show the next one, up to the step `last`. That is the step with the next move of
    the learner; after all moves it is the number of steps. `due` is the next move of the script, None after the last.
    If it is not `is_asked`, make that move before you show a step.
    """

    step: int
    last: int
    due: Due | None


@cache
def lesson_of(game: Game) -> Lesson | None:
    """Return the lesson in a game's folder; None if it has none. Raises BadGame, which names the file and the step."""
    file = game.folder / "lesson.toml" if game.folder else None
    if file is None or not file.is_file():
        return None
    return lesson_in(file.read_text(encoding="utf-8"), game, f"{file.parent.name}/{file.name}")


def lesson_in(text: str, game: Game, file: str = "lesson.toml") -> Lesson:
    """Return the lesson in a text; raises BadGame, which names the file, as `file`, and the step."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadGame(f"{file} is not valid TOML: {error}") from error
    steps = data.get("steps")
    for number, step in enumerate(steps if isinstance(steps, list) else [], 1):
        _converted(step, LessonStep, f"{file}, step {number}")
    lesson: Lesson = _converted(data, Lesson, file)
    try:
        game.check_seats(lesson.seats)
    except BadOption as error:
        raise BadGame(f"{file}: {error}") from error
    _check_steps(game, lesson, file)
    return lesson


def _converted(data: object, kind: type[Any], where: str) -> Any:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BadGame(f"{where}: {error}") from error


def _check_steps(game: Game, lesson: Lesson, file: str) -> None:
    """Check what the form of a step does not say: clauses, seats, and that moves follow moves; raises BadGame."""
    clauses = set(re.findall(r"\*\*([A-Z]+-\d+)\*\*", game.text.rulebook()))
    for number, step in enumerate(lesson.steps, 1):
        where = f"{file}, step {number}"
        if step.clause and step.clause not in clauses:
            raise BadGame(f"{where}: the rulebook has no clause {step.clause}")
        if step.others and step.move is None:
            raise BadGame(f"{where}: others can move only after a move of the learner, and this step has none")
        _check_seats(lesson, step.others, where)
    _check_seats(lesson, lesson.first, f"{file}, first")


def _check_seats(lesson: Lesson, moves: Sequence[Scripted], where: str) -> None:
    for each in moves:
        if not 0 <= each.seat < lesson.seats:
            raise BadGame(f"{where}: there is no seat {each.seat}; the seats are 0 to {lesson.seats - 1}")


def begun(game: Game, lesson: Lesson, names: Sequence[str] | None = None, bots: Sequence[str | None] = ()) -> Match:
    """Return the match of a lesson as it is dealt; the moves in `first` are still due.

    Raises BadGame for the options in its file, and BadOption for names. Options are first read here, since that takes
    longer than to read all lessons: the lobby only says how long each of them is.
    """
    try:
        game.read_options(lesson.seats, lesson.options)
    except BadOption as error:
        raise BadGame(f"the lesson of {game.title}: {error}") from error
    return Match.new(game, lesson.seats, names, lesson.options, lesson.seed, bots or None)


def script(lesson: Lesson) -> list[Due]:
    """Return all moves of a lesson in their order."""
    moves = [Due(-1, each.seat, each.move, False) for each in lesson.first]
    for number, step in enumerate(lesson.steps):
        if step.move is not None:
            moves.append(Due(number, LEARNER, step.move, True))
        moves += [Due(number, each.seat, each.move, False) for each in step.others]
    return moves


def place(lesson: Lesson, match: Match) -> Place | None:
    """Tell how far a match has followed its lesson; None once it has left the script or gone on after its end.

    It looks at the match's entries alone. A move that has been taken back does not count. The order among seats that
    choose at the same time does not matter, so each seat's moves must be the first moves of that seat in the script.
    """
    moves, made = script(lesson), _made(match.moves_made)
    if made is None:
        return None
    for seat, texts in made.items():
        if texts != [due.move for due in moves if due.seat == seat][: len(texts)]:
            return None
    left = {seat: len(texts) for seat, texts in made.items()}
    for due in moves:
        if not left.get(due.seat):
            return _place_before(lesson, due)
        left[due.seat] -= 1
    return Place(_after(lesson, len(lesson.steps)), len(lesson.steps), None)


def expected(lesson: Lesson, match: Match) -> Due | None:
    """Return the move that the script expects next; None if the match has left the script or come to its end."""
    there = place(lesson, match)
    return there.due if there else None


def _made(entries: Sequence[Entry]) -> dict[int, list[str]] | None:
    """Return the moves of each seat without those taken back; None if a player has resigned."""
    made: dict[int, list[str]] = {}
    for entry in entries:
        if entry.kind == "resign":
            return None
        if entry.kind == "move":
            made.setdefault(entry.seat, []).append(entry.text)
        elif entry.kind == "undo":
            made[entry.seat].pop()
    return made


def _place_before(lesson: Lesson, due: Due) -> Place:
    """Return the place of a match in which this move is the next of the script."""
    if due.is_asked:
        return Place(_after(lesson, due.step), due.step, due)
    return Place(due.step + 1, due.step + 1, due)


def _after(lesson: Lesson, end: int) -> int:
    """Return the number of the step after the last step with a move, of the steps before `end`."""
    moves = (number for number in range(end - 1, -1, -1) if lesson.steps[number].move is not None)
    return next(moves, -1) + 1


def played(game: Game, lesson: Lesson) -> Iterator[tuple[LessonStep, Match]]:
    """Play a lesson: yield each step and the match before it, and at last play on to the end of the script.

    All steps yield the same match object. Raises BadGame, which names the step, if a move is not legal, a step points
    at no place of the learner's view, it is not the learner's turn at a step, or the script ends the game.
    """
    match = begun(game, lesson)
    for each in lesson.first:
        _make(match, each, f"the lesson of {game.title}, before step 1")
    for number, step in enumerate(lesson.steps, 1):
        where = f"the lesson of {game.title}, step {number} ({step.title})"
        _check_turn(match, where)
        _check_places(match, step, where)
        yield step, match
        moves = [] if step.move is None else [Scripted(LEARNER, step.move), *step.others]
        for each in moves:
            _make(match, each, where)
    if match.outcome:
        raise BadGame(f"the lesson of {game.title} must leave the learner in a game that goes on, and it ends it")


def _check_turn(match: Match, where: str) -> None:
    if LEARNER not in match.to_act:
        acting = ", ".join(f"seat {seat}" for seat in sorted(match.to_act)) or "nobody"
        raise BadGame(f"{where}: the learner, seat {LEARNER}, must be to act here, and {acting} is")


def _check_places(match: Match, step: LessonStep, where: str) -> None:
    view = match.view(LEARNER)
    there = {*PLACES, *(zone.id for zone in view.zones), *(piece.id for piece in view.pieces())}
    for id_ in step.at:
        if id_ not in there:
            raise BadGame(f"{where}: the learner sees no place {id_!r} here; there are {', '.join(sorted(there))}")


def _make(match: Match, scripted: Scripted, where: str) -> None:
    """Play a move of the script; raises BadGame if it is not legal, or not written as the menu writes it."""
    try:
        match.play(scripted.seat, scripted.move)
    except QuintainError as error:
        raise BadGame(f"{where}: {error}") from error
    text = match.moves_made[-1].text
    if text != scripted.move:
        raise BadGame(f"{where}: the move {scripted.move!r} must be written as in the menu, {text!r}")
