"""What players see at a table: whether everything that a decision needs is in sight, on a phone and on a desk.

Games are played with the least, the usual and the most seats, or with each number of seats if there are at most three:
the golden records with that number of seats, and one game at random. At every kind of decision (its phase, question and
scene, and whether something has happened since the last one), and at each step of the game's lesson, some pages are
opened in Chromium, as they are and with a piece of each kind chosen. So are some steps of a replay of the game at
random, as seen openly and from a seat, and the ends of two games, with the table behind them. For each game and size of
window this prints

- `decisions`: how many kinds of decisions were looked at, and `pages`: on how many pages;
- `scrolls`: pages that are higher or wider than the window;
- `hidden`: a question, a scene, an answer, or a piece that the question is about, which is cut off or covered;
- `overflows`: texts and pieces that are cut off, or that spill out of their places;
- `unexplained`: actions, and pieces with actions, about which the inspector has no text;
- `covered`: texts under another element, and marks on a text;
- `cut`: letters cut off inside a button, a tag or a chip, and marks cut off by an edge;
- `unread`: cards of the hand whose effect stands nowhere once they are chosen;
- `jumps`: by how many pixels the board moves from one question to another;
- `touches`: the most touches that an action takes; for a whole set of cards, the touches until it is ready;
- `largest_dock`: the largest share of the window's height that the dock takes;
- `inner_scrolls`: areas of the board that hide something until they are scrolled.

What an area marked `data-scrolls` can show by scrolling is in sight. All counts but `inner_scrolls` must be 0,
`touches` at most 2, and the share at most 0.45. The same fault counts once for each kind of decision and number of
seats. The pages show the sample data of tests/server/samples.py. It needs Chromium (on Debian and Ubuntu: apt install
chromium).
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

import quintain
from parts.tables.decisions import EACH, Moment, moments  # makes tests/server importable
from parts.tables.ends import ends
from parts.tables.lessons import steps_of
from parts.tables.replays import steps
from quintain.engine.rules.registry import register_file
from server.browsing import CHROMIUM, opened

SCRIPT = Path(__file__).parent / "parts" / "tables" / "measures.js"
SIZES = ("375x812", "1280x800")
PHONE = 500
"""Windows that are less wide belong to phones, which are touched."""
MEASURES = ("scrolls", "hidden", "overflows", "unexplained", "covered", "cut", "unread")
"""The counts that must be 0."""
MOST_DOCK, MOST_TOUCHES = 0.45, 2


class Fault(NamedTuple):
    """What is wrong on a page; `times` counts its like on the pages of one kind."""

    game: str
    size: str
    seats: int
    kind: str
    place: str
    measure: str
    element: str
    what: str
    times: int = 1

    @property
    def like(self) -> tuple[object, ...]:
        """What it has in common with faults that count as the same: all but numbers, words in quotes and classes."""
        alike = (re.sub(r'".*"|\d+', "N", words) for words in (self.element.partition(" ")[0], self.what))
        return self.measure, self.seats, self.kind, *alike


class Window:
    """A browser's window of one size, which opens with a table and then shows others in its place.

    To open each table with all its files takes five times as long.
    """

    def __init__(self, browser: Browser, size: str, html: str) -> None:
        width, height = map(int, size.split("x"))
        self.size = size
        self.page: Page = opened(browser, html, width, height, touch=width < PHONE)
        self.page.evaluate(SCRIPT.read_text(encoding="utf-8"))

    def show(self, html: str) -> None:
        """Show a table."""
        self.page.evaluate("(html) => sight.show(html)", html)

    def looks(self, wanted: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Look at the page as it is, and with a piece of each kind chosen; yield the piece's id and what was found."""
        for chosen in ("", *self.page.evaluate("(wanted) => sight.choices(wanted)", wanted)):
            found = self.page.evaluate("([wanted, chosen]) => sight.look(wanted, chosen)", [wanted, chosen])
            yield chosen, found


class Figures:
    """What was found in one game at one size."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self.pages = 0
        self.largest_dock, self.touches = 0.0, 0
        self.boards: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        """For each number of seats: top and bottom of the board, in pixels, in all questions."""
        self.faults: dict[tuple[object, ...], Fault] = {}

    def add(self, faults: Iterable[Fault]) -> list[Fault]:
        """Add the faults of a page, and return those that are new."""
        new = []
        for fault in faults:
            known = self.faults.get(fault.like)
            self.faults[fault.like] = known._replace(times=known.times + 1) if known else fault
            new += [] if known else [fault]
        return new

    def written(self) -> dict[str, Any]:
        """Return the figures for printing."""
        counts = Counter(fault.measure for fault in self.faults.values())
        return {
            "decisions": len(self.kinds),
            "pages": self.pages,
            **{measure: counts[measure] for measure in MEASURES},
            "jumps": max((_jump(boards) for boards in self.boards.values()), default=0),
            "touches": self.touches,
            "largest_dock": round(self.largest_dock, 3),
            "inner_scrolls": counts["inner_scrolls"],
        }


def _jump(boards: set[tuple[int, int]]) -> int:
    return max((max(ends) - min(ends) for ends in zip(*boards, strict=True)), default=0)


def look_at(moment: Moment, window: Window, figures: Figures, pictures: Path | None = None) -> None:
    """Look at a decision that a window shows, add what is found, and write pictures of the pages with new faults."""
    place = f"{moment.play}, move {moment.move}, seat {moment.seat}"
    for number, (chosen, found) in enumerate(window.looks(moment.wanted)):
        figures.kinds.add(f"{moment.kind}, {'chosen' if chosen else 'nothing chosen'}")
        figures.pages += 1
        figures.largest_dock = max(figures.largest_dock, found["dock"])
        where = f"{place}, {chosen} chosen" if chosen else place
        at: Any = {"game": moment.game, "size": window.size, "seats": moment.seats, "place": where, "kind": moment.kind}
        figures.touches = max(figures.touches, found["touches"])
        if moment.wanted.get("answers") and moment.play != "lesson":
            figures.boards[moment.seats].add((round(found["board"][0]), round(found["board"][1])))
        too_large = {"measure": "largest_dock", "element": "#dock", "what": f"takes {found['dock']:.0%} of the height"}
        faults = found["faults"] + [too_large] * (found["dock"] > MOST_DOCK)
        new = figures.add(Fault(**at, **fault) for fault in faults)
        if new and pictures:
            name = f"{moment.game}-{window.size}-{moment.seats}-{moment.play}-{moment.move}-{moment.seat}-{number}.png"
            window.page.screenshot(path=pictures / name.replace(" ", "-"))


def measure(
    browser: Browser,
    game: quintain.Game,
    seats: Iterable[int],
    sizes: Sequence[str] = SIZES,
    each: int = EACH,
    pictures: Path | None = None,
) -> dict[str, Figures]:
    """Return what is found in one game at each size."""
    windows: list[Window] = []
    figures = {size: Figures() for size in sizes}
    for number in seats:
        more = steps(game, number, each), steps_of(game, number), ends(game, number)
        for moment in chain(moments(game, number, each), *more):
            windows = windows or [Window(browser, size, moment.html) for size in sizes]
            for window in windows:
                window.show(moment.html)
                look_at(moment, window, figures[window.size], pictures)
    for window in windows:
        window.page.close()
    return figures


def seats_of(game: quintain.Game) -> list[int]:
    """Return the numbers of seats to look at: the least, the usual and the most; all, if there are three at most."""
    least, most, _ = game.seats
    return sorted({*game.seats} if most - least > 2 else range(least, most + 1))


def main() -> None:
    """Look at the games, and print the figures."""
    given = arguments()
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    figures = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for game in given.games or quintain.all_games():
            seats = [each for each in seats_of(game) if not given.seats or each in given.seats]
            figures[game.id] = measure(browser, game, seats, given.sizes, given.each, given.pictures)
        browser.close()
    faults = [fault for sizes in figures.values() for found in sizes.values() for fault in found.faults.values()]
    if given.json:
        written: dict[str, Any] = {
            id_: {size: found.written() for size, found in sizes.items()} for id_, sizes in figures.items()
        }
        print(json.dumps({**written, "faults": [fault._asdict() for fault in faults]} if given.faults else written))
    else:
        show(figures, faults if given.faults else [])


def arguments() -> argparse.Namespace:
    """Return the arguments of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", type=game, help="ids of games, or files such as goofspiel.py")
    parser.add_argument("--seats", nargs="+", type=int, help="only these of the numbers of seats")
    parser.add_argument(
        "--sizes", nargs="+", default=SIZES, type=size, help="such as 1366x660; 375x812 1280x800 if not given"
    )
    parser.add_argument("--each", type=int, default=EACH, help=f"pages of each kind of decision ({EACH} if not given)")
    parser.add_argument("--faults", action="store_true", help="list the faults")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write a picture of each page with faults")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    return parser.parse_args()


def game(words: str) -> quintain.Game:
    """Return a game by its id, or the game of a file."""
    try:
        return register_file(words) if words.endswith(".py") else quintain.game(words)
    except quintain.QuintainError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def size(words: str) -> str:
    """Return the size of a window."""
    if not re.fullmatch(r"\d{3,4}x\d{3,4}", words):
        raise argparse.ArgumentTypeError(f"{words!r} is no size: give width and height, such as 1280x800")
    return words


def show(figures: dict[str, dict[str, Figures]], faults: Sequence[Fault]) -> None:
    """Print the figures and the faults for people."""
    for page, found in groupby(faults, lambda fault: fault[:5]):
        print("{}, {}, {} seats, {}: {}".format(*page))
        for fault in found:
            times = f" ({fault.times} times)" if fault.times > 1 else ""
            print(f"    {fault.measure}: {fault.element} {fault.what}{times}")
    columns = ("decisions", "pages", *MEASURES, "jumps", "touches", "largest_dock", "inner_scrolls")
    most = f"touches at most {MOST_TOUCHES}, the dock at most {MOST_DOCK}"
    table = Table("game", "window", *columns, title=f"to be 0: {', '.join(MEASURES)}, jumps; {most}")
    for id_, sizes in figures.items():
        for window, seen in sizes.items():
            written = seen.written()
            table.add_row(id_, window, *(str(written[column]) for column in columns))
    Console().print(table)


if __name__ == "__main__":
    main()
