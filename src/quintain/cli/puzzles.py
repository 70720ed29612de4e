"""`quintain puzzle` asks for the best move of a position; `quintain puzzles` mines and checks such positions."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from quintain.cli import completion
from quintain.cli.arguments import (
    BatchSeed,
    GameFile,
    GameId,
    RayAddress,
    Seats,
    Workers,
    find,
    new_console,
    new_progress,
    open_pool,
    picture,
    read_seed,
    register,
)
from quintain.cli.figures import print_whole
from quintain.cli.manual import read_more
from quintain.cli.output import AsJson, print_document, print_lines
from quintain.cli.show import print_rules, read_line
from quintain.cli.table import Tabletop, is_short, menu
from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games
from quintain.engine.seen.previews import first_shown, with_previews
from quintain.lab.puzzles import Puzzle, puzzle_of_the_day, puzzles

if TYPE_CHECKING:
    from quintain.lab.mining import Judged

PUZZLES = read_more("lab", "puzzles")
HELP = """\
NUMBER or MOVE   answer: type the number of a move in the menu, or its words
what MOVE        see all that a move would do, as far as you can know
why MOVE         say why a move is not legal now
rules            read the rulebook
quit             leave without an answer
(nothing)        show the table again"""
NEWS = 7
"""The most lines of the log under the table."""

app = typer.Typer(help="Find puzzles in games between bots, and judge them anew.", no_args_is_help=True, epilog=PUZZLES)


@app.callback()
def group() -> None:
    """Find puzzles in games between bots, and judge them anew."""


def solve_puzzle(
    game_id: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="The id of a game; today's puzzle if not given.", autocompletion=completion.games
        ),
    ] = None,
    id: Annotated[str | None, typer.Option("--id", metavar="ID", help="The id of a puzzle of this game.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the puzzles instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="List the puzzles as JSON, one object a line.")] = False,
    game_file: GameFile = None,
) -> None:
    """Find the best move of a position: today's puzzle, or another one of a game."""
    register(game_file)
    games = all_games() if game_id is None else [find(game_id, None)]
    console = new_console()
    if listed or as_json:
        lines = _listed(games)
        print_lines(lines) if as_json else _print_list(console, list(lines))
        return
    Solving(console, _chosen(game_id and games[0], id, datetime.date.today())).run()


class ListedPuzzle(NamedTuple):
    """A puzzle without its answer: the game, the id, the question, and how many moves there are."""

    game: str
    id: str
    question: str
    moves: int


def _listed(games: Sequence[Game]) -> Iterator[ListedPuzzle]:
    for game in games:
        for one in puzzles(game):
            yield ListedPuzzle(game.id, one.id, _question(one), len(one.candidates))


def _question(puzzle: Puzzle) -> str:
    question = puzzle.seen.view.question
    return " ".join(filter(None, (question.words, question.help))) if question else "What do you do?"


def _print_list(console: Console, found: Sequence[ListedPuzzle]) -> None:
    if not found:
        raise QuintainError("there are no puzzles of this game: `quintain puzzle --list` lists all that there are")
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("Game", "Id", "Moves", "Question"):
        table.add_column(title, justify="right" if title == "Moves" else "left")
    for one in found:
        table.add_row(one.game, one.id, str(one.moves), Text(one.question))
    print_whole(console, table)
    console.print("Solve one of them: quintain puzzle GAME --id ID", soft_wrap=True)


def _chosen(game: Game | str | None, id: str | None, today: datetime.date) -> Puzzle:
    """Return the puzzle of this id, that of the day for a game, or that of the day for all; raises QuintainError."""
    if not isinstance(game, Game):
        if id is not None:
            raise BadOption(f"a puzzle's id belongs to a game: type quintain puzzle GAME --id {id}")
        if (found := puzzle_of_the_day(today)) is None:
            raise QuintainError("there are no puzzles here: `quintain puzzles mine GAME` finds some")
        return found
    own = puzzles(game)
    if not own:
        raise QuintainError(f"{game.title} has no puzzles: `quintain puzzle --list` lists those of all games")
    if id is None:
        return own[today.toordinal() % len(own)]
    for one in own:
        if one.id == id.casefold():
            return one
    raise BadOption(f"{game.title} has no puzzle {id!r}: `quintain puzzle {game.id} --list` lists its {len(own)}")


class Solving:
    """A person who solves one puzzle at the terminal."""

    def __init__(self, console: Console, puzzle: Puzzle) -> None:
        self.console, self.puzzle, self.seen = console, puzzle, puzzle.seen
        self.solver = self.seen.names[self.seen.seat]

    def run(self) -> None:
        """Show the table, ask until there is an answer, and tell what it is worth; stop if the person leaves."""
        self._look()
        try:
            while (action := self._answered(read_line("> "))) is None:
                pass
        except (EOFError, KeyboardInterrupt):
            self._say(f"\nNo answer. `quintain puzzle {self.puzzle.game.id} --id {self.puzzle.id}` asks again.")
            return
        self._tell(action)

    def _look(self) -> None:
        seen, console = self.seen, self.console
        view = with_previews(seen.view, dict(seen.previews(first_shown(seen.view))))
        if console.is_terminal:
            console.clear()
        head = f"{self.puzzle.game.title}, puzzle {self.puzzle.id}. You are {self.solver}."
        table = Tabletop(view, seen.names, seen.seat, seen.log[-NEWS:])
        asked = Text(f"{head} {_question(self.puzzle)} Find the best move; `help` lists what you can type.", "bold")
        console.print(picture(Group(table, asked, menu(view, is_short(console)))))

    def _answered(self, line: str) -> int | None:
        """Return the legal action that the person answers with; else do what the line says, and return None."""
        word, _, rest = line.partition(" ")
        try:
            if not line:
                self._look()
            elif line.casefold() == "quit":
                raise EOFError
            elif line.casefold() == "rules":
                print_rules(self.console, self.puzzle.game)
            elif line.casefold() == "help":
                self._say(HELP)
            elif word.casefold() in ("what", "why") and rest:
                self._say(self._what(rest) if word.casefold() == "what" else self._why(rest))
            else:
                return self._legal(line)
        except QuintainError as error:
            self._say(str(error)[:1].upper() + str(error)[1:])
        return None

    def _meant(self, words: str) -> int:
        """Return the action for a number in the menu or for words; raises QuintainError."""
        if not (words.isdecimal() and words.isascii()):
            return self.seen.understood(words)
        if not 1 <= int(words[:6]) <= len(self.seen.menu):
            raise QuintainError(f"there is no {words[:6]} in the menu: its numbers are 1 to {len(self.seen.menu)}")
        return self.seen.menu[int(words) - 1].action

    def _legal(self, words: str) -> int:
        action = self._meant(words)
        if action not in self.seen.legal:
            raise self.seen.refusal(action)
        return action

    def _what(self, words: str) -> str:
        action = self._legal(words)
        preview = dict(self.seen.previews([(action,)])).get((action,))
        return "\n".join(line.words for line in preview.lines) if preview else "Nothing that you could see beforehand."

    def _why(self, words: str) -> str:
        reason = self.seen.why_not(self._meant(words))
        if reason is None:
            return "You can make that move now."
        words = f"{reason.words} ({reason.clause})." if reason.clause else f"{reason.words}."
        return words[:1].upper() + words[1:]

    def _tell(self, action: int) -> None:
        """Say whether the answer is right and by how much, and show all moves with their intervals, and the themes."""
        puzzle, best = self.puzzle, self.puzzle.best
        chosen = next(one for one in puzzle.candidates if one.action == action)
        if puzzle.is_right(action):
            next_best = next(one for one in puzzle.candidates if one.action != action)
            words = f"Right: {chosen.text} wins {chosen.share:.0%}, and the next move, {next_best.text},"
            words += f" {next_best.share:.0%}."
        else:
            points = 100 * (best.share - chosen.share)
            words = f"Not the best: {best.text} wins {best.share:.0%}, and yours {chosen.share:.0%},"
            words += f" {points:.0f} points less."
        self._say(words)
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for title in ("Move", "Wins", "95 % interval", ""):
            table.add_column(title, justify="right" if title == "Wins" else "left")
        for one in puzzle.candidates:
            marks = [*(["best"] if puzzle.is_right(one.action) else []), *(["yours"] if one.action == action else [])]
            interval = f"{one.low:.1%} to {one.high:.1%}"
            table.add_row(Text(one.text), f"{one.share:.1%}", interval, ", ".join(marks))
        print_whole(self.console, table)
        if puzzle.themes:
            self._say(f"Theme: {', '.join(puzzle.themes)}.")
        self._say(f"Each move was tried {best.tries:,} times, knowing no more than {self.solver} knew.")

    def _say(self, words: str) -> None:
        self.console.print(Text(words))


@app.command("mine", epilog=PUZZLES)
def mine_puzzles(
    game_id: GameId,
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, max=1000, help="How many puzzles the file shall have.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE.json", help="The file of puzzles; the command goes on with one that it began."),
    ],
    seats: Seats = None,
    seed: BatchSeed = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play games, and keep the decisions with one clearly best move, which the bot Page often misses.

    The records of the games, which nobody who solves the puzzles should see, go into a second file beside FILE.json.
    """
    from quintain.lab import mining

    found = find(game_id, game_file)
    if out.suffix != ".json":
        raise BadOption(f"puzzles are written to a file whose name ends in .json, not to {out.name}")
    hidden = mining.source_path(out)
    seed = mining.read_source(hidden).seed if seed is None and hidden.exists() else read_seed(seed, None)
    with open_pool(ray, workers) as pool, new_progress() as progress:
        task = progress.add_task("puzzles", total=n)

        def tell(games: int, kept: int) -> None:
            progress.update(task, completed=kept, description=f"puzzles in {games:,} games")

        games = mining.mine(found, n, seed, out, seats, pool, tell)
    if as_json:
        print_document({"game": found.id, "seed": seed, "games": games, "puzzles": n, "out": str(out)})
    else:
        words = (
            f"{n} puzzles of {found.title} from {games:,} games, seed {seed}, in {out}; the records are in {hidden}."
        )
        new_console().print(words, soft_wrap=True)


@app.command("check", epilog=PUZZLES)
def check_puzzles(
    game_id: GameId,
    id: Annotated[str | None, typer.Option("--id", metavar="ID", help="Only the puzzle of this id.")] = None,
    tries: Annotated[
        int, typer.Option(metavar="N", min=10, max=1_000_000, help="How often each move is tried.")
    ] = 30_000,
    seed: BatchSeed = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Judge the puzzles of a game anew, and count how many Page and Knight solve.

    The exit status is 1 if another move than that of the file is now the best.
    """
    from quintain.lab.mining import judge_puzzles, solved

    found = find(game_id, game_file)
    chosen = [_chosen(found, id, datetime.date.today())] if id else puzzles(found)
    if not chosen:
        raise QuintainError(f"{found.title} has no puzzles: `quintain puzzles mine {found.id}` finds some")
    seed = read_seed(seed, None)
    with open_pool(ray, workers) as pool, new_progress() as progress:
        judged = list(progress.track(judge_puzzles(chosen, tries, seed, pool), total=len(chosen)))
    if as_json:
        rows = [{**_row(one), "is_confirmed": one.is_confirmed} for one in judged]
        print_document({"game": found.id, "seed": seed, "tries": tries, "puzzles": rows, **solved(judged)})
    else:
        _print_judged(new_console(), judged)
    if not all(one.is_confirmed for one in judged):
        raise typer.Exit(1)


def _row(one: Judged) -> dict[str, object]:
    return {"id": one.puzzle.id, "best": one.best.text, "lead": one.lead, "page": one.page, "knight": one.knight}


def _print_judged(console: Console, judged: Sequence[Judged]) -> None:
    from quintain.lab.mining import solved

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("Id", "Best move", "Ahead by", "Page", "Knight", ""):
        table.add_column(title, justify="left" if title in ("Id", "Best move", "") else "right")
    for one in judged:
        doubt = "" if one.is_confirmed else f"the file says {one.puzzle.best.text}"
        figures = (f"{one.lead:.1%}", f"{one.page:.0%}", f"{one.knight:.0%}")
        table.add_row(one.puzzle.id, Text(one.best.text), *figures, Text(doubt))
    print_whole(console, table)
    found = solved(judged)
    words = f"{found['confirmed']} of {len(judged)} confirmed. Page solves {found['page']:.0%}, Knight "
    console.print(f"{words}{found['knight']:.0%}.", soft_wrap=True)
