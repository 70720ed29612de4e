"""The values for the page of one puzzle: before the answer nothing of it, and afterwards why.

`puzzle_lists.py` has the list of puzzles and the card in the lobby. The board is drawn as at a table, from what the
solver sees.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping

from quintain.engine.names import capital, with_minus
from quintain.engine.rules.views import Preview
from quintain.engine.seen.previews import Path, leading_on
from quintain.lab.candidates import is_clear
from quintain.server.clock import now
from quintain.server.model.levels import levels, usual_level
from quintain.server.model.puzzle_answers import COUNTS_FROM, Answered, PuzzleFacts, SolverFacts
from quintain.server.model.ratings import margin, points
from quintain.server.pages.contexts import Seeing, game_facts, page_context, seen_context
from quintain.server.pages.rendering import Context, board_template
from quintain.server.pages.study.chances import chance_rows, percent, shortened_names, whole_percent
from quintain.server.pages.study.puzzle_lists import lesson_first, next_task, other_games, streak_context
from quintain.server.people.players import Visitor
from quintain.server.slices import Slices
from quintain.server.study.own_puzzles import PuzzleStudy
from quintain.server.study.puzzle_days import day_at
from quintain.server.study.puzzles_here import TRIES, Task, runs_again, task_of_day
from quintain.server.study.solving import Attempt
from quintain.server.tables.foresight import Over, advised, reason

LEARN, NAME, WORKING, NOTHING, OPEN, RIGHT, WRONG, TAKEN_BACK = (
    "learn",
    "name",
    "working",
    "nothing",
    "open",
    "right",
    "wrong",
    "taken-back",
)
"""What the page of a puzzle shows."""
YOURS = "yours"
"""The word on the piece of the move that the solver chose."""
REASONS_KEPT, REASONED = 256, 24
"""The puzzles whose reasons stay in memory, and the moves of each that have one: each takes about 20 ms."""
_reasons: OrderedDict[object, dict[int, str]] = OrderedDict()
_slices = Slices()


async def state_of(puzzles: PuzzleStudy, visitor: Visitor, place: Attempt) -> str:
    """Return what the page of a puzzle shows to a visitor."""
    task = place.task
    if not place.own and await lesson_first(puzzles, visitor, task.game):
        return LEARN
    if visitor.number is None:
        return NAME
    if place.is_working:
        return WORKING
    if place.own:
        if not is_clear(task.candidates):
            return NOTHING
    elif (facts := (await puzzles.kept.facts([task.key])).get(task.key)) and facts.withdrawn:
        return TAKEN_BACK
    if place.action is None:
        return OPEN
    return RIGHT if task.is_right(place.action) else WRONG


async def puzzle_context(
    puzzles: PuzzleStudy, visitor: Visitor, place: Attempt, chosen: str = "", again: int | None = None
) -> Context:
    """Return the values for the page of a puzzle.

    `chosen` is the id of the piece that the visitor has chosen, `again` an action that they try without points.
    """
    task, state = place.task, await state_of(puzzles, visitor, place)
    shown: Context = {
        **page_context(visitor, f"A puzzle of {task.game.title}", task.href),
        "state": state,
        "game": game_facts(task.game),
        "puzzle": {"href": task.href, "is_own": place.own is not None, "step": task.step, "table": task.table},
    }
    if state == LEARN:
        return shown | {"lesson": await lesson_first(puzzles, visitor, task.game)}
    if state == NAME:
        return shown
    if state in (WORKING, NOTHING):
        return shown | {"progress": _progress(puzzles, place), "tries": f"{TRIES:,}", "even": _even(task)}
    is_answered = state in (RIGHT, WRONG)
    aside = await _aside(puzzles, visitor, place)
    return {
        **shown,
        **puzzle_table(place, chosen, is_answered),
        **aside,
        "answer": await _answer(puzzles, place, aside, again) if is_answered else None,
        "can_hint": state == OPEN and not place.hinted and not place.is_again and bool(task.taken),
        "is_again": place.is_again,
        "hinted": place.hinted,
        "taken": [with_minus(each.text) for each in task.candidates if each.action in task.taken],
        "next": await _next(puzzles, visitor, task),
        "usual": levels()[usual_level()],
    }


def as_asked(place: Attempt, query: Mapping[str, str]) -> tuple[Attempt, str, int | None]:
    """Return what the query of a page asks for, as `puzzle_context` takes it."""
    tried = query.get("tried", "")
    shown = place.opened_again() if query.get("again") and place.action is not None else place
    return shown, query.get("chosen", "")[:200], int(tried[:9]) if tried.isascii() and tried.isdigit() else None


def why_context(place: Attempt, action: int) -> Context:
    """Return why a move is not there."""
    seen, words, clause = place.task.seen, "", ""
    if action in seen.legal:
        words = "the hint has taken this move away" if action in place.task.taken and place.hinted else ""
    elif found := seen.why_not(action):
        words, clause = found.words, found.clause
    return {"reason": {"clause": clause, "words": words}, "rules_url": f"/rules/{seen.game.id}"}


def puzzle_table(place: Attempt, chosen: str, is_answered: bool) -> Context:
    """Return the values with which the board and the hand are drawn; after the answer each move has its chance."""
    task = place.task
    seen = task.seen
    if is_answered:
        over = Over(task.right, place.action, YOURS)
        seeing = Seeing(confirms=True, hint=advised(task.candidates), over=over)
    else:
        seeing = Seeing(chosen, confirms=True, taken=task.taken if place.hinted else ())
    seats = [
        {"seat": seat, "name": name, "you": seat == seen.viewer, "kind": "person", "to_act": seat in seen.to_act}
        for seat, name in enumerate(seen.names)
    ]
    table = {"id": "", "game_id": task.game.id, "game_title": task.game.title, "seats": seats, "you": seen.viewer}
    return {
        **seen_context(seen, len(seen.log), seeing),
        "table": table | {"status": "playing", "decision": 0},
        "board": board_template(task.game),
    }


async def _aside(puzzles: PuzzleStudy, visitor: Visitor, place: Attempt) -> Context:
    """Return what stands beside the board: ratings, the streak, and what is known of the puzzle."""
    solved, task, number = puzzles.kept, place.task, visitor.number or 0
    answers = await solved.answers(number)
    facts = (await solved.facts([task.key])).get(task.key, PuzzleFacts())
    day = day_at(now())
    today = task_of_day(day, await solved.withdrawn())
    return {
        "is_of_today": today is not None and today.key == task.key,
        "today": f"{day.day} {day:%B}",
        "rating": None if place.own else _puzzle_rating(facts),
        "solver": _solver_rating(await solved.solver(number)),
        "streak": streak_context(await puzzles.streak(answers)),
        "known": answers.get(task.key),
        "doubt": _doubt(puzzles, task, facts),
        "tries": f"{task.best.tries:,}",
        "others": await other_games(puzzles, visitor, answers),
    }


def _puzzle_rating(facts: PuzzleFacts) -> Context:
    share = round(100 * facts.solved / facts.solvers) if facts.solvers else None
    shown = {"solvers": facts.solvers, "share": share, "least": COUNTS_FROM, "counts": facts.counts}
    return shown | {"points": points(facts.rating), "margin": margin(facts.rating)}


def _solver_rating(solver: SolverFacts) -> Context:
    shown = {"points": points(solver.rating), "margin": margin(solver.rating)}
    return shown | {"solved": solver.solved, "tries": solver.tries}


def _doubt(puzzles: PuzzleStudy, task: Task, facts: PuzzleFacts) -> Context:
    """Return how a puzzle fared that somebody doubted: `state` is empty, "working" or "held"."""
    state = "held" if facts.judged else "working" if facts.doubted else ""
    done = puzzles.progress("/".join(task.key))
    return {"state": state, "progress": _part(done), "tries": f"{TRIES * runs_again(task.best.tries):,}"}


async def _answer(puzzles: PuzzleStudy, place: Attempt, aside: Context, again: int | None) -> Context:
    """Return what the page says after the answer: right or not, by how much, and why."""
    task, action = place.task, place.action
    made = next(each for each in task.candidates if each.action == action)
    other = next((each for each in task.candidates if not task.is_right(each.action)), task.candidates[-1])
    is_right = task.is_right(made.action)
    facts = (await puzzles.kept.facts([task.key])).get(task.key, PuzzleFacts())
    shown = facts.judged or task.candidates
    rows = chance_rows(shown, action, await _why(task), task.is_right, shortened_names(shown))
    known: Answered | None = aside["known"]
    return {
        "is_right": is_right,
        "best": shortened_names(task.candidates)[task.best.action],
        "best_share": whole_percent(task.best.share),
        "made": _called(made.text),
        "said": with_minus(made.text),
        "made_share": whole_percent(made.share),
        "other_share": whole_percent(other.share),
        "rows": rows,
        "tries": f"{rows[0]['tries']:,}",
        "even": _even(task),
        "themes": [capital(theme) for theme in task.themes],
        "before": known.before if known else None,
        "after": known.after if known else None,
        "hinted": place.hinted,
        "again": _tried(task, again),
    }


async def _why(task: Task) -> dict[int, str]:
    """Return the reasons of the moves, as far as the previews give any: what each would do."""
    if task.key not in _reasons:
        wanted = [each.action for each in task.candidates[:REASONED]]
        paths = [path for action in wanted for path in leading_on(task.seen.view, action)]
        known: dict[Path, Preview] = {}

        def steps() -> Iterator[None]:
            for path, preview in task.seen.previews(paths):
                known[path] = preview
                yield

        await _slices.do(steps())
        _reasons[task.key] = {action: words for action in wanted if (words := reason_of(known, action))}
        if len(_reasons) > REASONS_KEPT:
            _reasons.popitem(last=False)
    return _reasons[task.key]


def reason_of(known: Mapping[Path, Preview], action: int) -> str:
    """Return what a move would do, in sentences; empty if nothing is known of it."""
    return reason(known, action) if any(path[0] == action for path in known) else ""


async def _next(puzzles: PuzzleStudy, visitor: Visitor, task: Task) -> str:
    """Return the address of the next puzzle that the visitor has not answered, or of the list."""
    answers = await puzzles.kept.answers(visitor.number or 0)
    found = next_task(task, answers, await puzzles.kept.withdrawn())
    game_id = task.seen.game.id
    return found.href if found else f"/puzzles?game={game_id}"


def _progress(puzzles: PuzzleStudy, place: Attempt) -> Context:
    return _part(puzzles.progress(place.own.id if place.own else ""))


def _part(done: tuple[int, int] | None) -> Context:
    made, of = done or (0, 0)
    return {"done": made, "of": of, "percent": percent(made / of) if of else 0}


def _even(task: Task) -> float:
    """Return the share at which all seats would be equal, as a percentage."""
    return percent(1 / max(2, len(task.seen.names)))


def _called(text: str) -> str:
    return capital(with_minus(text))


def _tried(task: Task, action: int | None) -> Context | None:
    """Return the move that somebody tried after their answer; None if the address of the page names none."""
    tried = next((each for each in task.candidates if each.action == action), None)
    if tried is None:
        return None
    return {"is_right": task.is_right(tried.action), "name": _called(tried.text), "said": with_minus(tried.text)}


async def puzzle_json(puzzles: PuzzleStudy, visitor: Visitor, place: Attempt) -> Context:
    """Return a puzzle as data: what the solver sees, and after the answer the chances of all moves and the themes."""
    state, task = await state_of(puzzles, visitor, place), place.task
    shown: Context = {"game": task.game.id, "puzzle": task.key.puzzle, "state": state, "csrf": visitor.csrf}
    if state in (LEARN, NAME, WORKING, NOTHING):
        return shown
    is_answered = state in (RIGHT, WRONG)
    seen = task.seen_with(place.hinted and not is_answered)
    streak = await puzzles.streak(await puzzles.kept.answers(visitor.number or 0))
    shown |= {"seen": seen.to_json(), "hinted": place.hinted, "streak": streak.days}
    if not is_answered:
        return shown
    return shown | {"action": place.action, "themes": list(task.themes), "moves": _moves(task)}


def _moves(task: Task) -> list[Context]:
    """Return the judged moves as data, the best first."""
    return [
        {
            "action": each.action,
            "words": each.text,
            "share": each.share,
            "low": each.low,
            "high": each.high,
            "tries": each.tries,
            "is_right": task.is_right(each.action),
        }
        for each in task.candidates
    ]
