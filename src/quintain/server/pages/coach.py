"""What the page of a learner and the lobby say about a lesson: the bubble, and how much a player has learned.

`contexts.py` adds the bubble to the values of a page. `tables/lessons.py` knows how far a learner is.
"""

from __future__ import annotations

from collections.abc import Mapping

from quintain.engine.names import with_names
from quintain.engine.play.lesson import LEARNER, PLACES, lesson_of
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.server.model.listed import Learned
from quintain.server.pages.rendering import Context
from quintain.server.tables.lessons import LessonProgress, wanted
from quintain.server.tables.live_table import Viewing


def lobby_facts(found: Game, learned: Mapping[str, Learned]) -> Context:
    """Return what the lobby says about the lesson of a game to a player who has learned so much of each game."""
    if (lesson := lesson_of(found)) is None:
        return {"lesson": None, "learned": True}
    steps, known = len(lesson.steps), learned.get(found.id, Learned(False, None))
    done = known.played or (known.steps is not None and known.steps >= steps)
    return {"lesson": {"minutes": lesson.minutes, "step": known.steps, "of": steps}, "learned": done}


def coach_context(viewing: Viewing, earlier: int | None = None) -> Context | None:
    """Return the values of the bubble; None for all but the learner, and if there is no lesson.

    At an earlier moment the bubble says only what happened. `earlier` is the number of a step before the present one
    that the learner wants to read again.
    """
    now = viewing.table.lesson_progress() if viewing.you == LEARNER else None
    if now is None or viewing.seen is None:
        return None
    return bubble(now, viewing.seen, earlier, is_told=not viewing.is_now)


def bubble(now: LessonProgress, seen: Seen, earlier: int | None = None, is_told: bool = False) -> Context:
    """Return what the bubble says to a learner who is so far, and sees this."""
    is_back = earlier is not None and 0 <= earlier < now.number
    number = earlier if is_back and earlier is not None else now.number
    says = now.lesson.steps[number] if is_back else None if is_told else now.step
    title, words = (says.title, says.words) if says else _between(now, seen, is_told)
    return {
        "title": with_names(seen.names, title),
        "words": with_names(seen.names, words),
        "clause": says.clause if says else "",
        "at": list(says.at) if says else [],
        "wanted": "" if is_back or is_told else wanted(now, seen.names),
        "frame": [place for place in PLACES if says and place in says.at],
        "step": now.number,
        "steps": _titles(now, seen),
        "minutes": now.lesson.minutes,
        "number": number,
        "back": number - 1 if number else None,
        "is_back": is_back,
        "is_over": now.is_over,
        **_answers(now, seen, is_back, is_told),
    }


def _between(now: LessonProgress, seen: Seen, is_told: bool) -> tuple[str, str]:
    """Return a title and words where there is no step to show: while others move, and after the last step."""
    if now.is_over and not is_told:
        others = " and ".join(seen.names[1:])
        return "You know enough", f"Play on against {others}: no move is fixed any more, and the game goes to its end."
    acting = [seen.names[seat] for seat in seen.to_act if seat != LEARNER]
    are = "is" if len(acting) == 1 else "are"
    title = "This happens" if is_told or not acting else f"{' and '.join(acting)} {are} to move"
    return title, seen.log[-1] if seen.log else ""


def _titles(now: LessonProgress, seen: Seen) -> list[Context]:
    """Return the steps of the lesson, each with whether it is done."""
    titles = [with_names(seen.names, step.title) for step in now.lesson.steps]
    return [{"title": title, "done": number < now.number} for number, title in enumerate(titles)]


def _answers(now: LessonProgress, seen: Seen, is_back: bool, is_told: bool) -> Context:
    """Return which button goes on, and the action of the move that the step wants."""
    move = now.move and with_names(seen.names, now.move)
    action = move and next((legal.action for legal in seen.moves if legal.text == move), None)
    can = not (is_back or is_told or now.waits)
    return {
        "move": move,
        "action": action if can else None,
        "waits": now.waits,
        "can_show": can and action is not None,
        "can_go_on": can and move is None,
        "can_skip": now.waits or is_told,
    }


def lesson_json(viewing: Viewing) -> Context | None:
    """Return what the JSON API says about the lesson of a learner's table; None if there is none."""
    said = coach_context(viewing)
    if said is None:
        return None
    shown = ("step", "title", "words", "at", "clause", "move", "waits", "is_over")
    return {"of": len(said["steps"]), **{name: said[name] for name in shown}}
