"""Puzzles: decisions of games between bots with one clearly best move, for people to find.

This module reads the puzzles that come with a game, in the file puzzles.json of its folder, and `mining` finds new
ones. The file holds what the solver sees and nothing else: the fields of the blinded state as text, the last lines of
the log, and the chance of each move. It has words and names of fields alone, and no bytes of a state. A server reads
puzzles, so this module needs no package of the lab.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, zip_longest
from pathlib import Path

import msgspec

from quintain.engine.errors import BadRecord, QuintainError, quoted
from quintain.engine.names import with_tokens
from quintain.engine.play.positions import read_position, write_position
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import own_games
from quintain.engine.rules.state import GameState, Record
from quintain.engine.seen.seen import Seen, named
from quintain.lab.candidates import Candidate, is_right

__all__ = ["Puzzle", "puzzle_of_the_day", "puzzles", "reading"]

FILE = "puzzles.json"
SOLVER, OTHERS = "Nora", ("Ben", "Ada", "Tom", "Eve", "Hugh")
"""The names of the players in every puzzle."""
LOG_LINES = 12
"""The most lines of the log that a puzzle keeps."""
ALL_HIDDEN = re.compile(r"(?<== )\?(?:,? \?)+$")
TRIAL = 1
"""The seed of the deal by which a position is tried."""


class WrittenPuzzle(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle as the file has it.

    `position` has a line for each field that is not 0, as in `positions`. `done` are the seats that have already made a
    secret choice which others still have to make. `moves` has each legal move in words with its share of wins, the best
    first, each tried `tries` times. `options` are those that are not the usual ones. Words say ``seat 0`` and so on.
    """

    id: str
    seats: int
    seat: int
    tries: int
    moves: dict[str, float]
    position: list[str]
    log: list[str]
    options: dict[str, object] = {}
    done: list[int] = []


class PuzzleFile(msgspec.Struct, forbid_unknown_fields=True):
    """The puzzles of a game; `version` is that of its rules when they were found."""

    game: str
    version: int
    puzzles: list[WrittenPuzzle]


@dataclass(frozen=True)
class Puzzle:
    """A decision of a game with one clearly best move.

    `id` is unique among the puzzles of the game. `seen` is what the solver sees, and `candidates` are all legal moves
    with their shares of wins, the best first. `options` are those of the game that are not the usual ones.
    """

    id: str
    game: Game
    seen: Seen
    candidates: tuple[Candidate, ...]
    options: Mapping[str, object]

    def __reduce__(self) -> tuple[object, ...]:
        return _unpacked, (self.id, self.seen, self.candidates, self.options)

    @property
    def best(self) -> Candidate:
        """The best move."""
        return self.candidates[0]

    @cached_property
    def themes(self) -> tuple[str, ...]:
        """What the puzzle is about, in plain words; it gives the answer away. Empty if the game knows no themes."""
        if self.game.themes is None:
            return ()
        return tuple(self.game.themes(self.seen.book, self.seen.state, self.seen.seat, self.best.action))

    def is_right(self, action: int) -> bool:
        """Tell whether a move counts as right: its share lies within the 95 % interval of the best one's."""
        return is_right(self.candidates, action)


def _unpacked(id: str, seen: Seen, candidates: tuple[Candidate, ...], options: Mapping[str, object]) -> Puzzle:
    return Puzzle(id, seen.game, seen, candidates, options)


@cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Return the puzzles that come with a game; none if it has no file of them.

    Reads the file once. Raises BadRecord, which names the file and the puzzle, if the game's rules cannot read it.
    """
    return tuple(reading(game))


def reading(game: Game) -> Iterator[Puzzle]:
    """Yield the puzzles that come with a game as they are read; what was read once is not read again."""
    for number in range(len(_file_of(game).puzzles)):
        yield _puzzle_of(game, number)


def puzzle_of_the_day(day: datetime.date) -> Puzzle | None:
    """Return the puzzle of a day, the same for everybody; None if there are no puzzles. It reads no other puzzle.

    The days walk through Quintain's own games in turn, so that no puzzle comes twice before all others have come.
    """
    by_game = [[(game, number) for number in range(len(_file_of(game).puzzles))] for game in own_games()]
    found = [one for one in chain.from_iterable(zip_longest(*by_game)) if one is not None]
    return _puzzle_of(*found[day.toordinal() % len(found)]) if found else None


def _path(game: Game) -> Path:
    return (game.folder or Path()) / FILE


@cache
def _file_of(game: Game) -> PuzzleFile:
    """Return the file of a game's puzzles; one without puzzles if it has none."""
    has_file = game.folder is not None and _path(game).is_file()
    return _read_file(game, _path(game)) if has_file else PuzzleFile(game.id, game.version, [])


@cache
def _puzzle_of(game: Game, number: int) -> Puzzle:
    """Return the puzzle of a number, from 0, in the file of a game that has one."""
    return _read_numbered(game, _path(game), _file_of(game), number)


def read_puzzles(game: Game, path: Path) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file; raises BadRecord, which names the file and the puzzle."""
    file = _read_file(game, path)
    return tuple(_read_numbered(game, path, file, number) for number in range(len(file.puzzles)))


def _read_file(game: Game, path: Path) -> PuzzleFile:
    """Return what a file holds; raises BadRecord if it is no file of puzzles of this game."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=PuzzleFile)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path} holds no puzzles: {error}; `quintain puzzles mine` writes such a file") from error
    if file.game != game.id:
        raise BadRecord(f"{path} holds puzzles of {quoted(file.game)}, and must hold those of {game.id}")
    return file


def _read_numbered(game: Game, path: Path, file: PuzzleFile, number: int) -> Puzzle:
    """Return the puzzle of a number, from 0, in a file; raises BadRecord, which names the file and the puzzle."""
    written = file.puzzles[number]
    where = f"puzzle {number + 1} of {path}, {quoted(written.id)}, is not valid"
    if any(each.id == written.id for each in file.puzzles[:number]):
        raise BadRecord(f"{where}: an earlier one has the same id")
    try:
        return read_puzzle(game, written)
    except QuintainError as error:
        raise BadRecord(f"{where}{_older(game, file.version)}: {error}") from error
    except (ValueError, IndexError, ZeroDivisionError) as error:
        raise BadRecord(f"{where}{_older(game, file.version)}: the rules cannot read it, {error!r}") from error


def _older(game: Game, version: int) -> str:
    is_other = version != game.version
    return f" (it is of version {version} of the rules, and these are version {game.version})" if is_other else ""


def read_puzzle(game: Game, written: WrittenPuzzle) -> Puzzle:
    """Return a puzzle from what the file has of it; raises BadRecord."""
    seats = game.check_seats(written.seats)
    if not 0 <= written.seat < seats:
        raise BadRecord(f"its solver is seat {written.seat}, and the seats are 0 to {seats - 1}")
    if not set(written.done) <= set(range(seats)):
        raise BadRecord(f"the seats that are done must be some of 0 to {seats - 1}, not {written.done}")
    book = game.make_book(seats, game.read_options(seats, written.options))
    state = _read_state(game, book, written)
    if written.id != id_of(game, written):
        raise BadRecord(f"its id must be {id_of(game, written)}, which stands for its position: mine it again")
    names = names_for(written.seat, seats)
    seen = replace(
        Seen.of(game, book, state, written.seat),
        names=names,
        done=tuple(written.done),
        log=tuple(named(names, line) for line in written.log),
        decision=1,
    )
    return Puzzle(written.id, game, seen, _candidates(seen, written), written.options)


def _read_state(game: Game, book: Record, written: WrittenPuzzle) -> GameState:
    """Return the blinded state of a puzzle; raises BadRecord if its seat would see more or less in play."""
    state = game.state()
    read_position(state, "\n".join(written.position), game.card_names(book), is_blinded=True)
    state.rng = [UNKNOWN] * len(state.rng)
    world = state.copy()
    game.rules.redeal(book, world, TRIAL)
    if game.blinded(book, world, written.seat) != state:
        raise BadRecord("its position shows what the solver cannot know, or hides what the solver knows")
    return state


def _candidates(seen: Seen, written: WrittenPuzzle) -> tuple[Candidate, ...]:
    """Return the legal moves with their shares; raises BadRecord if the file has others or another order."""
    shares = {named(seen.names, text): share for text, share in written.moves.items()}
    legal = {move.text: move.action for move in seen.moves}
    if len(shares) < 2 or shares.keys() != legal.keys():
        missing, wrong = [*(legal.keys() - shares.keys()), ""][0], [*(shares.keys() - legal.keys()), ""][0]
        words = f"the move {quoted(missing)} is missing" if missing else f"the move {quoted(wrong)} is not legal"
        raise BadRecord(f"{words}; it must have all {len(legal)} legal moves, and at least 2")
    if written.tries < 1 or not all(0 <= share <= 1 for share in shares.values()):
        raise BadRecord("each move must have a share from 0 to 1, found in at least 1 try")
    if sorted(shares.values(), reverse=True) != [*shares.values()]:
        raise BadRecord("its moves must stand in the order of their shares, the best first")
    return tuple(Candidate(legal[text], text, share, written.tries) for text, share in shares.items())


def names_for(seat: int, seats: int) -> tuple[str, ...]:
    """Return the names of all players in a puzzle whose solver has this seat.

    >>> names_for(1, 3)
    ('Ben', 'Nora', 'Ada')
    """
    others = OTHERS[: seats - 1]
    return (*others[:seat], SOLVER, *others[seat:])


def write_puzzle(seen: Seen, options: Mapping[str, object], candidates: Sequence[Candidate]) -> WrittenPuzzle:
    """Return what the file has of a puzzle; `candidates` are the best first."""
    game, book = seen.game, seen.book
    names = {action: str(game.text.name(book, seen.state, seen.seat, action)) for action in seen.legal}
    usual = game.read_options(len(seen.names), {})
    written = WrittenPuzzle(
        id="",
        seats=len(seen.names),
        seat=seen.seat,
        tries=candidates[0].tries,
        moves={names[one.action]: round(one.share, 4) for one in candidates},
        position=position_of(seen),
        log=[with_tokens(seen.names, line) for line in seen.log[-LOG_LINES:]],
        options={name: value for name, value in options.items() if value != usual[name]},
        done=[*seen.done],
    )
    written.id = id_of(game, written)
    return written


def position_of(seen: Seen) -> list[str]:
    """Return what a seat sees as lines of a position, without those of zeros."""
    names = seen.game.card_names(seen.book)
    zeros = {*write_position(seen.game.state(), names).splitlines()}
    lines = write_position(seen.state, names).splitlines()
    return [ALL_HIDDEN.sub("?", line) for line in lines if line not in zeros]


def id_of(game: Game, written: WrittenPuzzle) -> str:
    """Return the id of a puzzle: it stands for the game, the seat and the position."""
    place = (game.id, str(written.seat), *written.position)
    return hashlib.sha256("\n".join(place).encode()).hexdigest()[:6]


def write_puzzles(game: Game, written: Sequence[WrittenPuzzle]) -> bytes:
    """Return the text of a file of puzzles."""
    document = PuzzleFile(game.id, game.version, [*written])
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
