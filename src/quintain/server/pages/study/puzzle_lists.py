"""The values for the list of puzzles, and for the puzzle of the day in the lobby.

The theme of a puzzle is told only after the answer, so a filter by theme finds those that the visitor has answered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from quintain.engine.names import capital, with_minus
from quintain.engine.play.lesson import lesson_of
from quintain.engine.rules.game import Game
from quintain.engine.seen.layout import Spot, lay_out
from quintain.lab.candidates import is_clear, is_right
from quintain.server.clock import now
from quintain.server.model.puzzle_answers import MOST_KEPT, PrivatePuzzle, PuzzleFacts, PuzzleKey
from quintain.server.model.ratings import margin, points
from quintain.server.pages.coach import lobby_facts
from quintain.server.pages.contexts import game_facts, page_context
from quintain.server.pages.rendering import Context, Shown
from quintain.server.pages.words import day_of
from quintain.server.people.players import Visitor
from quintain.server.study.own_puzzles import PuzzleStudy
from quintain.server.study.puzzle_days import Streak, day_at, in_hours, until_tomorrow
from quintain.server.study.puzzles_here import OWN, Task, task_of_day, tasks_of, themes_of, with_puzzles
from quintain.server.study.solving import Answers

FAN = 3
"""The cards that the lobby shows of the puzzle of the day."""
NEXT = 6
"""The puzzles of each game that the list shows before anybody filters it."""
FATES: Mapping[str, str] = {
    "solved": "solved",
    "missed": "missed",
    "none": "no puzzle",
    "open": "open",
    "untried": "not tried",
}
"""What became of the puzzle of a day, in words."""


async def lesson_first(puzzles: PuzzleStudy, visitor: Visitor, found: Game) -> Context | None:
    """Return the lesson that a visitor should do before the puzzles of a game; None if they know the game."""
    lesson = lesson_of(found)
    if lesson is None or lobby_facts(found, await puzzles.learned(visitor.id))["learned"]:
        return None
    return {"minutes": lesson.minutes, "action": f"/learn/{found.id}"}


def next_task(task: Task, answers: Answers, withdrawn: Collection[PuzzleKey]) -> Task | None:
    """Return the puzzle of the same game after this one, or from the beginning, that has not been answered."""
    tasks = tasks_of(task.seen.game, withdrawn)
    here = next((number for number, each in enumerate(tasks, 1) if each.key == task.key), 0)
    return next(
        (each for each in tasks[here:] + tasks[:here] if each.key != task.key and _is_open(each, answers)), None
    )


def _is_open(task: Task, answers: Answers) -> bool:
    return task.key not in answers or answers[task.key].action is None


def streak_context(streak: Streak) -> Context:
    """Return a streak for the templates."""
    days = [
        {"day": day.day, "words": f"{day.day} {day:%B}", "fate": fate, "fate_words": FATES[fate]}
        for day, fate in streak.last
    ]
    return {"days": streak.days, "last": days}


async def other_games(puzzles: PuzzleStudy, visitor: Visitor, answers: Answers) -> list[Context]:
    """Return the games with puzzles, each with how many of these there are, and how many the visitor has not met."""
    withdrawn = await puzzles.kept.withdrawn()
    found = [(each, tasks_of(each, withdrawn)) for each in with_puzzles()]
    return [
        {
            **game_facts(each),
            "number": len(tasks),
            "open": sum(_is_open(task, answers) for task in tasks),
            "href": f"/puzzles?game={each.id}",
        }
        for each, tasks in found
        if tasks
    ]


async def puzzles_context(puzzles: PuzzleStudy, visitor: Visitor, game_id: str = "", theme: str = "") -> Context:
    """Return the values for the list of puzzles: of one game, of one theme, or all."""
    solved, number = puzzles.kept, visitor.number
    answers = await solved.answers(number) if number is not None else {}
    withdrawn = await solved.withdrawn()
    by_game = {each: tasks_of(each, withdrawn) for each in with_puzzles()}
    tasks = [task for each, found in by_game.items() if game_id in ("", each.id) for task in found]
    answered = [task for task in tasks if not _is_open(task, answers)]
    fitting = {each: [task for task in found if _fits(task, theme, answers)] for each, found in by_game.items()}
    listing = Listing(answers, await solved.facts([task.key for task in tasks]))
    solver = await solved.solver(number or 0)
    return {
        **page_context(visitor, "Puzzles", "/puzzles"),
        "games": [_filter(each, found, game_id, theme) for each, found in fitting.items() if by_game[each]],
        "all": {"href": _address("", theme), "number": sum(map(len, fitting.values())), "is_on": not game_id},
        "total": sum(map(len, by_game.values())),
        "chosen": game_id,
        "shown_theme": theme,
        "themes": _themes(answered, game_id, theme),
        "no_theme": _address(game_id, ""),
        "lists": [
            listing.context(each, by_game[each], found, is_whole=bool(game_id or theme))
            for each, found in fitting.items()
            if game_id in ("", each.id)
        ],
        "daily": await daily_context(puzzles, visitor),
        "own": [_own(each) for each in await puzzles.own_of(number)] if number is not None else [],
        "most_own": MOST_KEPT,
        "solver": {"points": points(solver.rating), "margin": margin(solver.rating), **solver._asdict()},
        "streak": streak_context(await puzzles.streak(answers)),
        "is_done": bool(tasks) and len(answered) == len(tasks) and not theme,
    }


class Listing(NamedTuple):
    """What the list needs to know of puzzles: the visitor's answers, and what others did with each."""

    answers: Answers
    facts: Mapping[PuzzleKey, PuzzleFacts]

    def context(self, found: Game, tasks: Sequence[Task], fitting: Sequence[Task], is_whole: bool) -> Context:
        """Return the puzzles of a game that fit the filters; unless the list `is_whole`, the next few open ones."""
        opened = [task for task in fitting if _is_open(task, self.answers)]
        shown = fitting if is_whole else (opened or fitting)[:NEXT]
        return {
            **game_facts(found),
            "rows": [self._row(task, tasks.index(task) + 1) for task in shown],
            "first": opened[0].href if opened else "",
            "number": len(tasks),
            "open": len(opened),
            "more": _address(found.id, "") if len(shown) < len(tasks) and not is_whole else "",
        }

    def _row(self, task: Task, number: int) -> Context:
        """Return one puzzle, with its question, and what the visitor did with it."""
        view, facts = task.seen.view, self.facts.get(task.key, PuzzleFacts())
        fate = "open" if _is_open(task, self.answers) else "solved" if self.answers[task.key].solved else "missed"
        return {
            "number": number,
            "href": task.href,
            "fate": fate,
            "question": _asked(task),
            "when": f"{view.phase.unit} {view.phase.round}" if view.phase.round else "",
            "moves": len(task.seen.legal),
            "points": points(facts.rating) if facts.counts else None,
            "share": round(100 * facts.solved / facts.solvers) if facts.solvers else None,
        }


def _fits(task: Task, theme: str, answers: Answers) -> bool:
    """Tell whether a puzzle has a theme that the visitor may know; without a theme all do."""
    return not theme or (theme in task.themes and not _is_open(task, answers))


def _filter(found: Game, fitting: Sequence[Task], game_id: str, theme: str) -> Context:
    """Return the link that leaves the puzzles of one game."""
    href, is_on = _address(found.id, theme), found.id == game_id
    return {**game_facts(found), "href": href, "number": len(fitting), "is_on": is_on}


def _themes(answered: Sequence[Task], game_id: str, chosen: str) -> list[Context]:
    """Return the links that leave the answered puzzles of one theme each."""
    return [
        {
            "words": capital(theme),
            "href": _address(game_id, theme),
            "number": sum(theme in task.themes for task in answered),
            "is_on": theme == chosen,
        }
        for theme in themes_of(answered)
    ]


def _address(game_id: str, theme: str) -> str:
    """Return the address of the list with these filters; empty ones leave all."""
    asked = urlencode({name: value for name, value in (("game", game_id), ("theme", theme)) if value})
    return f"/puzzles?{asked}" if asked else "/puzzles"


def _asked(task: Task) -> str:
    """Return the question that a puzzle asks."""
    return task.seen.view.question.words if task.seen.view.question else "What do you do?"


def _own(puzzle: PrivatePuzzle) -> Context:
    """Return a puzzle of the visitor's own for the list."""
    fate = "working" if not puzzle.judged else "open" if is_clear(puzzle.judged) else "nothing"
    if fate == "open" and puzzle.action is not None:
        fate = "solved" if is_right(puzzle.judged, puzzle.action) else "missed"
    return {
        "href": f"/puzzles/{OWN}/{puzzle.id}",
        "game": puzzle.game,
        "entry": puzzle.entry,
        "made": day_of(puzzle.made),
        "fate": fate,
    }


async def daily_context(puzzles: PuzzleStudy, visitor: Visitor) -> Context | None:
    """Return the puzzle of the day for the lobby: open, solved or missed; None without any puzzles."""
    solved, at = puzzles.kept, now()
    withdrawn = await solved.withdrawn()
    task = task_of_day(day_at(at), withdrawn)
    if task is None:
        games = with_puzzles()
        older = sum(len(tasks_of(each, withdrawn)) for each in games)
        return {"state": "none", "older": older} if games else None
    answers = await solved.answers(visitor.number) if visitor.number is not None else {}
    facts = (await solved.facts([task.key])).get(task.key, PuzzleFacts())
    known = answers.get(task.key)
    state = "open" if known is None or known.solved is None else "solved" if known.solved else "missed"
    is_told = state != "open"
    return {
        "state": state,
        "href": task.href,
        "game": task.game.title,
        "game_id": task.game.id,
        "points": points(facts.rating) if facts.counts else None,
        "share": round(100 * facts.solved / facts.solvers) if facts.solvers else None,
        "streak": (await puzzles.streak(answers)).days,
        "left": in_hours(until_tomorrow(at)),
        "lesson": await lesson_first(puzzles, visitor, task.game),
        "question": _asked(task),
        "moves": len(task.seen.legal),
        "fan": [] if is_told else _fan(task),
        "best": capital(with_minus(task.best.text)) if is_told else "",
    }


def _fan(task: Task) -> list[Shown]:
    """Return the first cards of the solver's hand, in the order in which they are held."""
    zones = lay_out(task.seen.view, task.seen.viewer).zones
    held: list[Spot] = [
        spot
        for zone in zones
        if zone.zone.role == "hand" and zone.zone.seat == task.seen.viewer
        for spot in zone.spots
        if spot.piece.key
    ]
    return [Shown(task.game, spot) for spot in held[:FAN]]
