"""Puzzles of Goofspiel for tests: each the first decision of a game, with chances that the test makes up."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.lab import puzzles as kept
from quintain.lab.candidates import Candidate
from quintain.server.pages.contexts import game_facts
from quintain.server.pages.study.chances import chance_rows, shortened_names
from quintain.server.pages.study.puzzle_pages import puzzle_table
from quintain.server.study.puzzles_here import task_of
from quintain.server.study.solving import Attempt

BEST, AS_GOOD, OTHERS = 0.61, 0.60, 0.31
TRIES = 3000
THEME = "feint at the crown"
NUMBER = 4


@dataclass(frozen=True)
class MadePuzzle:
    """A puzzle as `lab.puzzles` has it."""

    id: str
    game: Game
    seen: Seen
    candidates: tuple[Candidate, ...]
    themes: tuple[str, ...] = (THEME,)
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def right(self) -> list[int]:
        """The two actions that count as right, the best first."""
        return [each.action for each in self.candidates[:2]]

    @property
    def wrong(self) -> list[int]:
        """The actions that are wrong, the better ones first."""
        return [each.action for each in self.candidates[2:]]


def made_puzzle(number: int) -> MadePuzzle:
    """Return a puzzle whose best move is another one for each number."""
    match = Match.new("goofspiel", names=["Nora", "Ben"], seed=bytes([number]) * 32)
    seen = replace(match.seen(0), commitment="", can_resign=False)
    moves = [*seen.moves[number:], *seen.moves[:number]]
    shares = [BEST, AS_GOOD, *(OTHERS - place / 100 for place in range(len(moves) - 2))]
    judged = [Candidate(move.action, move.text, share, TRIES) for move, share in zip(moves, shares, strict=True)]
    return MadePuzzle(f"p{number}", seen.game, seen, tuple(judged))


def put_puzzles(monkeypatch: pytest.MonkeyPatch) -> list[MadePuzzle]:
    """Let the server have these puzzles and no others; each day has one of them in turn."""
    made = [made_puzzle(number) for number in range(NUMBER)]
    goofspiel = game("goofspiel")
    monkeypatch.setattr(kept, "puzzles", lambda found: tuple(made) if found.id == goofspiel.id else ())
    monkeypatch.setattr(kept, "puzzle_of_the_day", lambda day: made[day.toordinal() % NUMBER])
    return made


def of_day(made: list[MadePuzzle], day: datetime.date) -> MadePuzzle:
    """Return the puzzle of a day."""
    return made[day.toordinal() % NUMBER]


def path(puzzle: MadePuzzle, deed: str = "") -> str:
    """Return the address of a puzzle, or of something that can be done with it."""
    return f"/puzzles/goofspiel/{puzzle.id}" + (f"/{deed}" if deed else "")


STREAK = {
    "days": 3,
    "last": [
        {"day": day, "words": f"{day} May", "fate": fate, "fate_words": fate}
        for day, fate in enumerate(("untried", "missed", "none", "solved", "solved", "solved", "open"), 4)
    ],
}


def puzzle_samples(found: Game, page: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the page of a puzzle before the answer, and after it; `page` has what all pages need."""
    task = task_of(kept.puzzles(found)[0])
    aside = {
        "game": game_facts(found),
        "puzzle": {"href": task.href, "is_own": False, "step": 0, "table": ""},
        "is_of_today": True,
        "today": "10 May",
        "rating": {"solvers": 212, "share": 41, "least": 30, "counts": True, "points": 1540, "margin": 40},
        "solver": {"points": 1512, "margin": 55, "solved": 87, "tries": 120},
        "streak": STREAK,
        "doubt": {"state": "", "progress": {"done": 0, "of": 0, "percent": 0}, "tries": "30,000"},
        "tries": "3,000",
        "others": [{"title": found.title, "number": 38, "href": "/puzzles"}],
        "next": "/puzzles",
        "can_hint": False,
    }
    before = {**page, **puzzle_table(Attempt(task, False, None), "", False), **aside}
    yield "puzzle", "puzzle.html", before | {"usual": "Squire", "state": "open", "answer": None, "can_hint": True}
    for name, number in (("right", 0), ("wrong", -1)):
        made = task.candidates[number]
        answer = {
            "is_right": not number,
            "best": shortened_names(task.candidates)[task.best.action],
            "best_share": round(100 * task.best.share),
            "made": made.text,
            "said": made.text,
            "made_share": round(100 * made.share),
            "other_share": 41,
            "rows": chance_rows(
                task.candidates,
                made.action,
                {made.action: "It wins the house."},
                task.is_right,
                shortened_names(task.candidates),
            ),
            "tries": "3,000",
            "even": 50,
            "themes": ["Break a tie"],
            "before": 1512,
            "after": 1521,
        }
        shown = puzzle_table(Attempt(task, False, made.action), "", True)
        yield f"puzzle-{name}", "puzzle.html", {"usual": "Squire", **before, **shown, "state": name, "answer": answer}
