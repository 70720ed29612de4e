"""Mining: finds puzzles in games between bots. `puzzles` reads what it writes, without the packages of the lab.

Bots that search play games on any pool of workers. Each decision that a person could be asked about is judged in steps
that cost more and more, and falls out at the first that it fails: a cheap look, 3,000 tries of each move, the bot Page,
ten times those tries. The seed and the number of a game decide everything in it.
"""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from quintain.bots import Budget, Level, Player, greedy, ismcts, level
from quintain.engine.errors import BadOption, BadRecord
from quintain.engine.play.match import Match
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game as find_game
from quintain.engine.rules.registry import register_file
from quintain.engine.seen.seen import Seen
from quintain.lab.candidates import Candidate, is_ahead, judge_candidate, judge_candidates
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.puzzles import Puzzle, PuzzleFile, WrittenPuzzle, read_puzzle, write_puzzle, write_puzzles

__all__ = ["Judged", "judge_puzzles", "mine"]

PLAYERS = Level("miner", ismcts.Ismcts, Budget(simulations=300))
"""Who plays the games: a search with as many simulations for each turn, whatever the machine."""
LOOK, TRIES, AGAIN = 150, 3_000, 10
"""The tries of each move in the cheap look and in the judgement, and how many times as many confirm it."""
SURE = 2
"""How many more times the best move must beat its rivals with that many tries: a search may settle on either of two
ways to go on, and the seed then decides more than the error of its shares tells."""
LOOKS = 100
"""The most decisions of a game that get a cheap look."""
PROMISING, RIVAL = 0.04, 0.15
"""How far the best move must be ahead of the next in the cheap look, in share of wins. A move that is RIVAL behind
there is not judged before the end."""
LEAST_MOVES, MOST_MOVES = 3, 10
HOPELESS, CERTAIN = 0.1, 0.97
"""The least and the greatest share of the best move: where all is lost or won, nobody thinks."""
PAGES, KNIGHTS, WISE = 15, 3, 1
"""How many Pages are asked, of whom more than half must err, and how many Knights, of whom WISE must not."""
A_GAME = 3
"""The most puzzles from one game."""
OF_A_QUESTION = 2 / 3
"""The largest part of the puzzles that may ask the same question."""


class Found(msgspec.Struct):
    """A puzzle of a mined game, and the number of the entries before it."""

    written: WrittenPuzzle
    step: int


class Origin(msgspec.Struct):
    """Where a puzzle comes from: the number of a record, from 0, and the number of the entries before the decision."""

    record: int
    step: int


class Source(msgspec.Struct):
    """The hidden half of a file of puzzles: the records of their games with the seeds, and the places in them."""

    game: str
    seed: int
    tried: int
    places: dict[str, Origin]
    records: list[dict[str, Any]]


@dataclass(frozen=True)
class MineGame:
    """The job to play one game and to look for puzzles in it."""

    game: str
    file: str
    seats: int
    seed: int
    number: int
    releases_gil: bool = False


@dataclass(frozen=True)
class Mined:
    """The puzzles of one game, and its record."""

    found: tuple[Found, ...]
    record: dict[str, Any]


def mine(
    game: Game,
    n: int,
    seed: int,
    out: Path,
    seats: int | None = None,
    pool: WorkerPool | None = None,
    progress: Callable[[int, int], None] = lambda games, puzzles: None,
) -> int:
    """Mine until the file `out` has n puzzles, and return how many games that took; raises BadOption.

    The records of the games go into a second file beside it, which says where each puzzle is from: keep it where
    nobody who solves them looks. Both files are written after each find, so the same call goes on with them.
    `progress` is called after each game with the numbers of games and of puzzles.
    """
    written, source = _begin(game, seed, out)
    warm_up(game)
    file, most = str(game.file or ""), math.ceil(n * OF_A_QUESTION)
    asked = Counter(_asked(game, one) for one in written)
    jobs = (MineGame(game.id, file, game.check_seats(seats), seed, number) for number in count(source.tried))
    mined = (pool or LocalPool()).map(mine_game, jobs) if len(written) < n else iter(())
    for one in mined:
        source.tried += 1
        for found in one.found:
            question, known = _asked(game, found.written), {old.id for old in written}
            if len(written) < n and asked[question] < most and found.written.id not in known:
                _add(found, one.record, written, source)
                asked[question] += 1
        _keep(game, written, source, out)
        progress(source.tried, len(written))
        if len(written) >= n:
            break
    return source.tried


def _asked(game: Game, written: WrittenPuzzle) -> str:
    question = read_puzzle(game, written).seen.view.question
    return question.key if question else ""


def _add(found: Found, record: dict[str, Any], written: list[WrittenPuzzle], source: Source) -> None:
    """Add a puzzle and its place to what the files hold."""
    if not source.records or source.records[-1] != record:
        source.records.append(record)
    source.places[found.written.id] = Origin(len(source.records) - 1, found.step)
    written.append(found.written)


def warm_up(game: Game) -> None:
    """Compile what mining needs."""
    greedy.warm_up(game)
    ismcts.warm_up(game)


def source_path(out: Path) -> Path:
    """Return the path of the hidden half of a file of puzzles."""
    return out.with_name(f"{out.stem}.records.json.gz")


def read_source(path: Path) -> Source:
    """Return the hidden half of a file of puzzles; raises BadRecord."""
    try:
        return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=Source)
    except (msgspec.MsgspecError, OSError, EOFError, zlib.error) as error:
        raise BadRecord(f"{path} holds no records of puzzles: {error}") from error


def _begin(game: Game, seed: int, out: Path) -> tuple[list[WrittenPuzzle], Source]:
    """Return what an earlier call left in the files, or nothing; raises BadOption and BadRecord."""
    if not out.parent.is_dir() or out.is_dir():
        raise BadOption(f"{out} cannot be written: {'it is a folder' if out.is_dir() else 'its folder is missing'}")
    hidden = source_path(out)
    if not hidden.exists():
        if out.exists():
            raise BadOption(f"{out} is there already, without {hidden.name}: delete it, or name another file")
        return [], Source(game.id, seed, 0, {}, [])
    source = read_source(hidden)
    if (source.game, source.seed) != (game.id, seed):
        raise BadOption(
            f"{out} holds puzzles of {source.game} with the seed {source.seed}: give that seed, or another file"
        )
    return (msgspec.json.decode(out.read_bytes(), type=PuzzleFile).puzzles if out.exists() else []), source


def _keep(game: Game, written: Sequence[WrittenPuzzle], source: Source, out: Path) -> None:
    packed = gzip.compress(msgspec.json.encode(source), mtime=0)
    for path, data in ((out, write_puzzles(game, written)), (source_path(out), packed)):
        new = path.with_name(path.name + ".new")
        new.write_bytes(data)
        new.replace(path)


def mine_game(job: MineGame) -> Mined:
    """Play one game, and return the puzzles in it, at most A_GAME."""
    game = _game_of(job)
    warm_up(game)
    match, asked = _play(game, job)
    words = [0] * 4
    rng.seed(words, rng.mix(job.seed, job.number))
    looked = sorted((rng.draw(words), step, seen) for step, seen in asked)[:LOOKS]
    promising: list[tuple[float, int, Puzzle]] = []
    for _, step, seen in looked:
        if found := _promising(seen, match.options, rng.mix(job.seed, job.number, step)):
            promising.append((found[0], step, found[1]))
    kept: list[Found] = []
    for _, step, puzzle in sorted(promising, key=lambda each: -each[0]):
        if len(kept) == A_GAME:
            break
        if judged := confirmed(puzzle, rng.mix(job.seed, job.number, step, 2)):
            kept.append(Found(write_puzzle(_as_played(asked, step), match.options, judged), step))
    record = json.loads(json.dumps(match.record(with_names=False)))
    return Mined(tuple(sorted(kept, key=lambda one: one.step)), record)


def _as_played(asked: Sequence[tuple[int, Seen]], step: int) -> Seen:
    return next(seen for at, seen in asked if at == step)


def _game_of(job: MineGame) -> Game:
    return register_file(job.file) if job.file else find_game(job.game)


def _play(game: Game, job: MineGame) -> tuple[Match, list[tuple[int, Seen]]]:
    """Play a game between bots; return it, and every decision worth a look with the number of entries before it."""
    seed = rng.mix(job.seed, job.number) % 2**64
    match = Match.new(game, job.seats, seed=f"{seed:064x}")
    players = [Player(replace(PLAYERS), game, rng.mix(seed, 1 + seat)) for seat in range(job.seats)]
    asked: list[tuple[int, Seen]] = []
    before: tuple[int, str] | None = None
    while match.outcome is None:
        seat = min(match.to_act)
        seen = match.seen(seat)
        question = seen.view.question
        asks = (seat, question.key if question else "")
        if LEAST_MOVES <= len(seen.legal) <= MOST_MOVES and asks != before:
            asked.append((len(match.moves_made), seen))
        before = asks
        match.play(seat, players[seat].choose(seen))
    return match, asked


def _promising(seen: Seen, options: dict[str, object], seed: int) -> tuple[float, Puzzle] | None:
    """Return how far the best move of a decision is ahead, and the puzzle that it could make; None if it makes none."""
    glance = judge_candidates(seen, LOOK, seed)
    best = glance[0]
    if not (HOPELESS <= best.share <= CERTAIN and lead(glance) >= PROMISING and _errs(seen, best.action, seed)):
        return None
    puzzle = read_puzzle(seen.game, write_puzzle(seen, options, glance))
    rivals = [one.action for place, one in enumerate(glance) if place < 2 or one.share > best.share - RIVAL]
    tried = [judge_candidate(puzzle.seen, action, TRIES, rng.mix(seed, 1)) for action in rivals]
    judged = sorted(tried, key=lambda one: -one.share)
    if not (is_clear(judged) and _errs(seen, judged[0].action, seed)):
        return None
    if sum(choices(level("knight"), puzzle.seen, seed, KNIGHTS, judged[0].action)) < WISE:
        return None
    return lead(judged), replace(puzzle, candidates=tuple(judged))


def confirmed(puzzle: Puzzle, seed: int) -> list[Candidate] | None:
    """Return all moves judged by AGAIN times as many tries, the best first; None as soon as one comes too near.

    The best move and its rivals are judged SURE more times, with other seeds.
    """
    judged = [one.action for one in puzzle.candidates]
    found: list[Candidate] = []
    for action in (*judged, *(other for other in puzzle.seen.legal if other not in judged)):
        found.append(judge_candidate(puzzle.seen, action, TRIES * AGAIN, seed))
        if len(found) > 1 and not is_clear((found[0], found[-1])):
            return None
    for number in range(SURE):
        again = [judge_candidate(puzzle.seen, one, TRIES * AGAIN, rng.mix(seed, number)) for one in judged]
        if not all(is_clear((again[0], other)) for other in again[1:]):
            return None
    return sorted(found, key=lambda one: -one.share)


def lead(judged: Sequence[Candidate]) -> float:
    """Return how far the best move is ahead of the next, in share of wins."""
    return judged[0].share - judged[1].share


def is_clear(judged: Sequence[Candidate]) -> bool:
    """Tell whether the best move is ahead of the next, as a puzzle needs it, and neither hopeless nor certain."""
    return is_ahead(judged[0], judged[1]) and HOPELESS <= judged[0].share <= CERTAIN


def _errs(seen: Seen, best: int, seed: int) -> bool:
    """Tell whether Page misses the best move more often than not."""
    return 2 * sum(choices(level("page"), seen, seed, PAGES, best)) < PAGES


def choices(asked: Level, seen: Seen, seed: int, times: int, best: int) -> Iterator[bool]:
    """Yield whether a bot of a level finds the best move, asked several times with other seeds, without a clock."""
    timeless = replace(asked, budget=Budget(asked.budget.simulations))
    for number in range(times):
        yield Player(timeless, seen.game, rng.mix(seed, 3, number)).choose(seen) == best


@dataclass(frozen=True)
class Judged:
    """A puzzle judged anew: the best move and its lead now, and the shares of Pages and Knights who find it."""

    puzzle: Puzzle
    best: Candidate
    lead: float
    page: float
    knight: float

    @property
    def is_confirmed(self) -> bool:
        """Whether the best move is the same as in the file."""
        return self.best.action == self.puzzle.best.action


@dataclass(frozen=True)
class JudgePuzzle:
    """The job to judge one puzzle anew."""

    puzzle: Puzzle
    tries: int
    seed: int
    releases_gil: bool = False


def judge_puzzles(found: Sequence[Puzzle], tries: int, seed: int, pool: WorkerPool | None = None) -> Iterator[Judged]:
    """Yield each puzzle judged anew, with so many tries of each move and with seeds that mining did not use."""
    for game in {one.game for one in found}:
        warm_up(game)
    return (pool or LocalPool()).map(judge_puzzle, (JudgePuzzle(one, tries, seed) for one in found))


def solved(judged: Sequence[Judged]) -> dict[str, float]:
    """Return how many puzzles are confirmed, and the mean shares of Pages and of Knights who solve them."""
    page, knight = (
        sum(shares) / len(judged) for shares in zip(*((one.page, one.knight) for one in judged), strict=True)
    )
    return {"confirmed": sum(one.is_confirmed for one in judged), "page": page, "knight": knight}


def judge_puzzle(job: JudgePuzzle) -> Judged:
    """Return one puzzle judged anew."""
    puzzle, seen = job.puzzle, job.puzzle.seen
    seed, best = rng.mix(job.seed, int(puzzle.id, 16)), puzzle.best.action
    judged = judge_candidates(seen, job.tries, seed)
    page, knight = (
        sum(choices(level(name), seen, seed, times, best)) / times
        for name, times in (("page", PAGES), ("knight", KNIGHTS))
    )
    return Judged(puzzle, judged[0], lead(judged), page, knight)
