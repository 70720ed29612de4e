"""Shows games that nobody plays at this terminal: `quintain replay` for finished ones, `quintain watch` for bots."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from quintain.cli import files
from quintain.cli.arguments import picture
from quintain.cli.ending import print_end
from quintain.cli.players import Bots
from quintain.cli.show import printable, read_line
from quintain.cli.table import Tabletop
from quintain.engine.errors import BadOption, BadRecord
from quintain.engine.play.documents import OtherRules
from quintain.engine.play.match import Match
from quintain.engine.seen.result import result
from quintain.engine.seen.seen import Seen

UNCHECKED = "The file says the following, and none of it could be checked:"
TABLE_EVERY = 20
"""How many moves of bots pass between two pictures of the table."""


def load_finished(console: Console, path: Path) -> Match:
    """Return the finished match of a record; raises BadRecord."""
    return finished_of(console, files.read_text(path, BadRecord), path)


def finished_of(console: Console, text: str, path: Path) -> Match:
    """Return the finished match of the text of a record, which the file at `path` has; raises BadRecord.

    If the record needs rules that are not installed, the function first prints its log and result, marked as unchecked.
    """
    try:
        match = files.match_of(text, path)
    except OtherRules as error:
        if error.record and error.record.result is not None:
            console.print(Text(UNCHECKED))
            for words in (*error.record.log, result(error.record.names, error.record.result)):
                console.print(Text(printable(words)))
        raise
    if match.version < match.game.version:
        now = match.game.version
        console.print(f"Begun under version {match.version} of the rules; version {now} gives the same result.")
    if match.outcome is None:
        raise BadRecord(f"{files.called(path)} holds a game that is not over yet: `quintain resume` goes on with it")
    if json.loads(text)["format"] != "quintain-record":
        raise BadRecord(f"{files.called(path)} is a save, which has no log and no result: this command needs a record")
    return match


def step_through(console: Console, finished: Match, seat: int | None) -> None:
    """Show a finished match move by move, as a seat saw it, or everything for None; at a terminal, wait after each."""
    if seat is not None and not 0 <= seat < finished.seats:
        raise BadOption(f"there is no seat {seat}: the seats are 0 to {finished.seats - 1}")
    printed = 0
    for number, (entry, match) in enumerate(finished.steps()):
        if entry and _is_stepping() and read_line("Enter: the next move, q: quit ").casefold() == "q":
            return
        begin = "The position from which the game began" if finished.is_from_position else "The deal"
        title = f"{number} of {len(finished.moves_made)} · {entry.words(match.names)}" if entry else begin
        seen = match.seen(seat)
        _show_step(console, seen, title, seen.log[printed:])
        printed = len(seen.log)
    print_end(console, finished, seat)


def _is_stepping() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _show_step(console: Console, seen: Seen, title: str, news: Sequence[str]) -> None:
    if console.is_terminal and _is_stepping():
        console.clear()
    else:
        console.print()
    console.print(picture(Rule(Text(title), align="left")))
    console.print(picture(Tabletop(seen.view, seen.names, seen.viewer, news)))


def watch(console: Console, match: Match, pace: float) -> None:
    """Let bots play a match to its end, and print what a spectator sees."""
    bots, printed, made = Bots(match, pace), 0, 0
    while match.outcome is None:
        if made % TABLE_EVERY == 0:
            _show_bots(console, match)
        seat = min(match.to_act)
        match.play(seat, bots.choose(seat))
        made += 1
        log = match.seen().log
        for words in log[printed:]:
            console.print(Text(f"· {words}"))
        for words in bots.news():
            console.print(Text(words, style="dim"))
        printed = len(log)
    _show_bots(console, match)
    print_end(console, match)


def _show_bots(console: Console, match: Match) -> None:
    console.print()
    console.print(picture(Tabletop(match.seen().view, match.names)))
    console.print()
