"""Puzzles of Goofspiel for tests: each the first decision of a game, with chances that the test makes up."""

import datetime
from dataclasses import dataclass, replace

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.lab import puzzles as kept
from quintain.lab.candidates import Candidate

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
