"""Helpers of several commands: they read lines of input, and print rulebooks and commands to type next."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import Heading, Markdown
from rich.text import Text

from quintain.cli.arguments import is_piped
from quintain.engine.errors import QuintainError
from quintain.engine.rules.game import Game
from quintain.server.pages.rule_pictures import in_words
from quintain.server.pages.rulebooks import with_contents

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  # lets people edit the line that they type


def paged(console: Console, shown: RenderableType) -> None:
    """Print something; at a terminal, through the pager."""
    os.environ.setdefault("LESS", "FR")
    with console.pager(styles=True):
        console.print(shown)


def printable(words: str) -> str:
    """Return a text without characters that control the terminal, such as one that clears the screen."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in words)


def command(game: Game, name: str, file: Path) -> str:
    """Return a shell command for a save or record of a game, with the game's own file if it has one."""
    words = ["quintain" if shutil.which("quintain") else sys.argv[0], name, str(file)]
    if game.file:
        words += ["--game-file", str(game.file)]
    return shlex.join(words)


def read_line(prompt: str) -> str:
    """Return a line of input without spaces around it. If it does not come from a terminal, print it, too."""
    if sys.stdin is None:
        raise EOFError
    line = input(prompt).strip()
    if not sys.stdin.isatty():
        print(line)
    return line


class PipedHeading(Heading):
    """A heading at the left, where the middle of the line is far away."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text()
        yield self.text


class PipedMarkdown(Markdown):
    """Markdown for lines without an end."""

    elements: ClassVar = {**Markdown.elements, "heading_open": PipedHeading}


def print_rules(console: Console, game: Game) -> None:
    """Print the rulebook of a game with a contents list; a terminal shows it page by page."""
    rules = with_contents(in_words(game))
    if not is_piped():
        paged(console, Markdown(rules))
        return
    with console.capture() as captured:
        console.print(PipedMarkdown(rules))
    for line in captured.get().splitlines():
        console.print(Text(line.rstrip()))


def ask_terminal(command: str) -> None:
    """Let the person type at the terminal, since the standard input was a file; raises QuintainError if there is none.

    `command` is the name of the command that asks.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise QuintainError(
            "the standard input was the file, and there is no terminal on which you could type: "
            f"`quintain {command} FILE` leaves the standard input to you"
        ) from error
    os.dup2(terminal, 0)
    os.close(terminal)
    sys.stdin = open(0, encoding="utf-8", errors="replace")  # noqa: SIM115  # it stays open
