"""A game at the terminal: one person plays against bots. `quintain play` and `quintain resume` use it.

`table` paints the table, `players` asks the bots, and `files` keeps the save.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.text import Text

from quintain.bots import KNIGHT
from quintain.cli import files
from quintain.cli.arguments import picture
from quintain.cli.ending import print_end
from quintain.cli.figures import hint
from quintain.cli.players import Bots
from quintain.cli.show import command, paged, print_rules, read_line
from quintain.cli.table import Tabletop, account, is_short, menu
from quintain.engine import home
from quintain.engine.errors import BadBot, QuintainError
from quintain.engine.play.match import Match
from quintain.engine.rules.views import View
from quintain.engine.seen.previews import first_shown, with_previews

HELP = """\
NUMBER or MOVE   play a move: type its number in the menu, or its words
undo             take your last move back, if it has shown you nothing new
why MOVE         say why you cannot make a move now
rules            read the rulebook
hint             see how good a search thinks your moves are
what MOVE        see all that a move would do, as far as you can know
log              read what has happened so far
account          read how the last battle or scoring came about
save [PATH]      say where the game is saved, or save a copy at PATH
resign           give up
quit             leave; you can go on later with `quintain resume`
(nothing)        show the table again"""
LEAST_LINES, USUAL_LINES = 3, 7
"""The lines of the log under the table: USUAL_LINES, of which some may be old; on a low terminal at least LEAST_LINES,
and always all new ones."""


class Leave(Exception):
    """Raised when the person leaves the table."""


class Sitting:
    """A person who plays one seat of a match at the terminal, while bots play the others.

    Of the lines of the log, `printed` counts those printed one by one, and `shown` those printed under a table; `new`
    is the number of new lines under the next table. `notes` are messages to print with that table. `unkept` says why
    the game could not be saved; it is empty if it was saved.
    """

    def __init__(self, console: Console, match: Match, save: Path, pace: float):
        self.console, self.match, self.save = console, match, save
        self.seat = match.bots.index(None)
        self.bots = Bots(match, pace)
        self.seen = match.seen(self.seat)
        self.printed = len(self.seen.log)
        self.shown, self.new = max(0, self.printed - USUAL_LINES), 0
        self.notes: list[str] = []
        self.unkept = ""
        self.commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "why": self._why,
            "hint": self._hint,
            "what": self._what,
            "rules": lambda _: print_rules(console, match.game),
            "log": self._log,
            "account": self._account,
            "save": self._save,
            "resign": self._resign,
            "help": lambda _: console.print(Text(self._help())),
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play until the match is over or the person leaves. The game is saved after every move."""
        self.notes = [*self._greeting(), *self.bots.news()]
        self._keep()
        try:
            while self.match.outcome is None:
                self._go_on()
        except (Leave, EOFError, KeyboardInterrupt):
            self._say_how_to_go_on()
        except BadBot:
            self._say_how_to_go_on()
            raise
        else:
            self._finish()

    def _go_on(self) -> None:
        """Play for a bot, or for the person if there is no choice; else ask the person."""
        if self.seat not in self.match.to_act:
            self._play(min(self.match.to_act))
        elif len(self.seen.legal) == 1 and not self.seen.can_undo:
            self._play(self.seat)
        else:
            self._ask()

    def _greeting(self) -> list[str]:
        """Return what the person should know before the first move."""
        return [self._commitment(), "`help` lists what you can type."]

    def _commitment(self) -> str:
        return (
            f"The cards are now fixed. The commitment to the seed, the game and its options is\n{self.match.commitment}"
        )

    def _ask(self) -> None:
        """Show the table, and answer what the person types until it has changed the match."""
        self._take_news()
        self._look()
        made = len(self.match.moves_made)
        while len(self.match.moves_made) == made:
            try:
                self._answer(read_line("> "))
            except QuintainError as error:
                self._say(str(error))

    def _answer(self, line: str) -> None:
        """Carry out a line that the person typed: a command, a move, or nothing; raises QuintainError."""
        word, _, rest = line.partition(" ")
        command = self.commands.get(word.casefold())
        if not line:
            self._look()
        elif command and (not rest or word.casefold() in ("why", "what", "save")):
            command(rest.strip())
        else:
            self._make(self._move(line))

    def _make(self, move: int | str) -> None:
        """Make a move that the person typed; raises QuintainError."""
        self._change(lambda: self.match.play(self.seat, move))

    def _move(self, words: str) -> int | str:
        """Return the action for a number in the menu, or any other words as they are; raises QuintainError."""
        if not re.fullmatch("[0-9]{1,6}", words):
            return words
        number, menu = int(words), self.seen.menu
        if not 1 <= number <= len(menu):
            raise QuintainError(f"there is no {number} in the menu: its numbers are 1 to {len(menu)}")
        return menu[number - 1].action

    def _play(self, seat: int) -> None:
        """Play for a bot, or for the person if there is only one legal move."""
        action = self.bots.choose(seat)
        self.notes += self.bots.news()
        self._change(lambda: self.match.play(seat, action))

    def _change(self, change: Callable[[], None]) -> None:
        """Change the match, save it, and at a terminal print the new lines of the log."""
        with _uninterrupted():
            change()
            self.seen = self.match.seen(self.seat)
            self._keep()
        if self.console.is_terminal and self.bots.pace:
            for words in self.seen.log[self.printed :]:
                self.console.print(Text(f"· {words}"))
        self.printed = len(self.seen.log)

    def _keep(self) -> None:
        """Write the save; if this fails for the first time, note it for the person."""
        if self.match.outcome:
            return
        try:
            files.write(self.save, self.match.save())
        except QuintainError as error:
            if not self.unkept:
                self.notes.append(f"This game is not saved: {error}.")
            self.unkept = str(error)
        else:
            self.unkept = ""

    def _take_news(self) -> None:
        """Count the lines of the log that are new since the last table."""
        lines = len(self.seen.log)
        self.new, self.shown = lines - self.shown, lines

    def _look(self) -> None:
        """Show the table, the lines of the log, and the menu; a low terminal gets fewer old lines."""
        notes, self.notes = self.notes, []
        view = with_previews(self.seen.view, dict(self.seen.previews(first_shown(self.seen.view))))
        lines = max(self.new, min(self.shown, USUAL_LINES)) if self.console.is_terminal else self.new
        while lines > LEAST_LINES and self._is_too_high(self._screen(view, lines, notes)):
            lines -= 1
        if self.console.is_terminal:
            self.console.clear()
        self.console.print(picture(self._screen(view, lines, notes)))

    def _screen(self, view: View, lines: int, notes: list[str]) -> RenderableType:
        """Return the whole screen, with the last lines of the log."""
        seen, short = self.seen, is_short(self.console)
        question = view.question
        asked = " ".join(filter(None, (question.words, question.help))) if question else ""
        return Group(
            Tabletop(view, seen.names, self.seat, seen.log[self.shown - lines :], lines - self.new),
            *(Text(note, style="dim") for note in notes),
            *([Text(asked if short else f"\n{asked}", style="bold"), menu(view, short)] if seen.legal else []),
        )

    def _is_too_high(self, screen: RenderableType) -> bool:
        return self.console.is_terminal and len(self.console.render_lines(screen)) >= self.console.height

    def _say(self, words: str) -> None:
        self.console.print(Text(words[:1].upper() + words[1:]))

    def _help(self) -> str:
        return f"{HELP}\n\n{self._commitment()}"

    def _undo(self, _: str) -> None:
        self._change(lambda: self.match.undo(self.seat))

    def _why(self, words: str) -> None:
        if not words:
            raise QuintainError(f"`why` takes a move, such as: why {self.seen.menu[0].words}")
        reason = self.seen.why_not(self._move(words))
        if reason is None:
            self._say("you can make that move now.")
        else:
            self._say(f"{reason.words} ({reason.clause})." if reason.clause else f"{reason.words}.")

    def _what(self, words: str) -> None:
        """Say what a legal move would do."""
        if not words:
            raise QuintainError(f"`what` takes a move, such as: what {self.seen.menu[0].words}")
        action = self.seen.understood(self._move(words))
        if action not in self.seen.legal:
            raise self.seen.refusal(action)
        preview = dict(self.seen.previews([(action,)])).get((action,))
        lines = [line.words for line in preview.lines] if preview else []
        self._say("\n".join(lines) or "nothing that you could see beforehand.")

    def _hint(self, _: str) -> None:
        """Show what a search thinks of the legal moves; it knows only what this seat knows."""
        from quintain.bots.shipped_nets import Adviser

        adviser = Adviser(self.match.game, secrets.randbits(62))
        judged = adviser.judge(self.seen, KNIGHT)
        self.console.print(hint(judged, {act.action: act.words for act in self.seen.menu}))
        if adviser.note:
            self._say(f"this hint is rough: {adviser.note}.")

    def _log(self, _: str) -> None:
        if not self.seen.log:
            raise QuintainError("nothing has happened yet")
        paged(self.console, Text("\n".join(self.seen.log)))

    def _account(self, _: str) -> None:
        if not self.seen.account:
            raise QuintainError("no battle or scoring has happened yet")
        paged(self.console, account(self.seen.account, self.seen.names))

    def _save(self, path: str) -> None:
        target = files.path_of(path) if path else self.save
        if path and home.is_there(target):
            raise QuintainError(f"the file {target} exists already: give `save` a new name")
        files.write(target, self.match.save())
        self._say(f"saved in {target}")

    def _resign(self, _: str) -> None:
        if read_line("Do you want to resign? yes or no: ").casefold() in ("y", "yes"):
            self._change(lambda: self.match.resign(self.seat))

    def _quit(self, _: str) -> None:
        raise Leave

    def _say_how_to_go_on(self) -> None:
        self.console.print()
        if self.unkept:
            self._say(f"the game is not saved: {self.unkept}.")
        else:
            self.console.print("The game is saved. To go on with it later:")
            trust = " --trust" if any(":" in name for name in self.match.bots if name) else ""
            self.console.print(command(self.match.game, "resume", self.save) + trust, soft_wrap=True)

    def _finish(self) -> None:
        """Show the end of the match, write its record, and delete the save."""
        self._take_news()
        self._look()
        print_end(self.console, self.match, self.seat)
        record = files.new_path("records", self.match)
        try:
            files.write(record, self.match.record())
        except QuintainError as error:
            self._say(f"the record of this game is not saved: {error}.")
            return
        if files.is_own(self.save):
            with contextlib.suppress(OSError):
                self.save.unlink(missing_ok=True)
        self.console.print()
        for does, name, more in (
            ("Step through this game:", "replay", ""),
            ("Check its cards:", "verify", f" --commitment {self.match.commitment}"),
        ):
            self.console.print(f"{does:24}{command(self.match.game, name, record)}{more}", soft_wrap=True)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the move is made and saved."""
    held = []
    before = signal.signal(signal.SIGINT, lambda *_: held.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt
