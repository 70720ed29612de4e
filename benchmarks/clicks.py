"""How long a move takes from a click to the opponent's page: two people in Chromium play King's Court on a real server.

    python benchmarks/clicks.py [--moves N] [--json]

Each has a browser of their own that allows no movement, and the pauses between events are left out. A move's time
begins with the click that plays it, by the clock of the mover's page, and ends when the log of the opponent's page has
grown, as a MutationObserver there sees it; both pages read the same clock of the machine. A secret choice changes
nothing on the opponent's page and does not count. `p50_ms` and `p95_ms` are percentiles over the moves, and `moves`
their number. It needs Chromium (on Debian and Ubuntu: apt install chromium), and a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.browsing import ASKED, CHROMIUM, Person
from server.guests import PATIENCE, ServingProcess

GAME = "kings-court"
MOVES, LEAST = 200, 10
SEEN_WITHIN = 1000
"""Milliseconds after which a move that has not changed the opponent's page counts as secret."""
NOTE = """() => {
  window.noted = {clicks: [], changes: []};
  document.addEventListener("click", (event) => noted.clicks.push(performance.timeOrigin + event.timeStamp), true);
  new MutationObserver(() => noted.changes.push(performance.timeOrigin + performance.now()))
    .observe(document.getElementById("table"), {subtree: true, attributeFilter: ["data-told"]});
}"""
"""Notes when the page is clicked, and when the number of lines that it has told changes."""
FORGET = "() => { noted.clicks.length = 0; noted.changes.length = 0; }"
CHANGED = "() => noted.changes.length > 0"


def games(browser: Browser, url: str) -> Iterator[tuple[Person, Person]]:
    """Yield two people at a new table, again and again; each game is over before the next begins."""
    for _ in count():
        ann, bo = Person(browser, url), Person(browser, url)
        invite = ann.make_table(GAME, "Ann")
        bo.sit_down(invite, "Bo")
        ann.page.locator(ASKED).wait_for()
        for person in (ann, bo):
            person.page.evaluate(NOTE)
        yield ann, bo
        for person in (ann, bo):
            person.context.close()


def times(ann: Person, bo: Person) -> Iterator[float]:
    """Let two people play to the end, and yield for each move that is no secret its time in milliseconds."""
    while not (ann.is_over() and bo.is_over()):
        for mover, opponent in ((ann, bo), (bo, ann)):
            while mover.comes_to_turn():
                is_secret = opponent.is_asked()
                took = timed(mover, opponent)
                if took is not None and not is_secret:
                    yield took


def timed(mover: Person, opponent: Person) -> float | None:
    """Let a person make a move; return when the opponent's page shows it, in milliseconds after the click."""
    for person in (mover, opponent):
        person.page.evaluate(FORGET)
    mover.answer()
    clicks: list[float] = mover.page.evaluate("noted.clicks")
    if not clicks or not changes(opponent.page):
        return None
    seen = [at - clicks[-1] for at in opponent.page.evaluate("noted.changes") if at >= clicks[-1]]
    return seen[0] if seen else None


def changes(page: Any) -> bool:
    """Tell whether a page changes within a second."""
    until = page.evaluate("performance.now()") + SEEN_WITHIN
    while not page.evaluate(CHANGED):
        if page.evaluate("performance.now()") > until:
            return False
        page.wait_for_timeout(5)
    return True


def measure(moves: int) -> dict[str, float]:
    """Return the figures of a number of moves."""
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServingProcess(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        try:
            for ann, bo in games(browser, server.url):
                for took in times(ann, bo):
                    found.append(took)
                    if len(found) == moves:
                        break
                if len(found) == moves:
                    break
        finally:
            browser.close()
            server.process.terminate()
            server.process.wait(PATIENCE)
    hundredths = quantiles(found, n=100, method="inclusive")
    return {"p50_ms": round(hundredths[49], 1), "p95_ms": round(hundredths[94], 1), "moves": len(found)}


def number(words: str) -> int:
    """Return a number of moves."""
    if not words.isdecimal() or int(words) < LEAST:
        raise argparse.ArgumentTypeError(f"{words!r} is no number of moves: give a whole number from {LEAST} on")
    return int(words)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=number, default=MOVES, help=f"how many moves are timed ({MOVES} if not given)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    given = parser.parse_args()
    figures = measure(given.moves)
    if given.json:
        print(json.dumps(figures))
        return
    table = Table(*figures, title="from a click to the opponent's page")
    table.add_row(*map(str, figures.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
