"""The games without a server, in Chromium: search beside that of this machine, moves, a later start, and memory.

    python benchmarks/without_server.py [FOLDER] [--games ID ...] [--rounds N] [--json]

FOLDER holds what `make site` wrote. A search of 5,000 simulations by one tree, at the first question of a game, is made
in a worker of a page and in this process in turn: `there` and `here` are simulations a second, and `ratio` is the
median of their quotients. `move_ms` is the mean time from a posted move to the page that answers it, over a game
against Squire. `start` is the CPU time of all of Chromium's processes from opening a table, with all files kept, to its
first question, in seconds, and `memory` what the page's process holds after the games, in MB, where shared memory
counts in part. It needs Chromium (on Debian and Ubuntu: apt install chromium), and a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import pickle
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Frame, Page, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from quintain.cli.site import WORKER
from quintain.engine.rules.registry import own_games
from server.browser.visits import BEGIN, KEPT, PLAY, READY, opened, serving, until
from server.browsing import CHROMIUM

ROUNDS, STARTS, SIMULATIONS = 7, 3, 5_000
SEARCH = """
import time
from quintain import game, Match
from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts
def searched(id_, seed, simulations):
    played = Match.new(game(id_), game(id_).seats[0], seed="ab" * 32)
    seen, bot = played.seen(min(played.to_act)), Ismcts(game(id_), seed, threads=1)
    begun = time.perf_counter()
    bot.judge(seen, Budget(simulations))
    return simulations / (time.perf_counter() - begun)
"""
ASK = """([address, files, question]) => {
  globalThis.bots ??= new Worker(address + 'bots.js', {type: 'module'});
  return new Promise((go, fail) => {
    bots.onmessage = ({data}) => data.error ? fail(new Error(data.error)) : go([...data.answer]);
    bots.postMessage({id: 0, files, question: new Uint8Array(question)});
  });
}"""
"""Asks a worker in which bots think, which belongs to the page alone."""
NOTE = """() => {
  const send = window.fetch;
  window.spent = [];
  window.fetch = async (path, ...more) => {
    const begun = performance.now(), answer = await send(path, ...more);
    await answer.clone().text();
    if (String(path).endsWith('/moves')) window.spent.push(performance.now() - begun);
    return answer;
  };
}"""
"""Notes how long each posted move takes."""
HERE: dict[str, Any] = {}


def say(words: str) -> None:
    """Say what is measured now."""
    print(words, file=sys.stderr)


def searches(page: Page, address: str, ids: list[str], rounds: int) -> dict[str, dict[str, float]]:
    """Return simulations a second in a worker of a page and here, which take turns."""
    exec(SEARCH, HERE)
    found = {}
    for id_ in ids:
        say(f"searches of {id_}")
        there, here = [], []
        for seed in range(rounds + 1):
            asked = f"(names := {{}}, exec({SEARCH!r}, names), names['searched']({id_!r}, {seed}, {SIMULATIONS}))[-1]"
            question = [*pickle.dumps((eval, (asked,)))]
            answer = page.evaluate(ASK, [address, [f"libraries/wasm32/{id_}.wasm"], question])
            there.append(float(pickle.loads(bytes(answer))))
            here.append(float(HERE["searched"](id_, seed, SIMULATIONS)))
        ratio = statistics.median(one / other for one, other in zip(there[1:], here[1:], strict=True))
        found[id_] = {"there": statistics.median(there[1:]), "here": statistics.median(here[1:]), "ratio": ratio}
    return found


def move_ms(frame: Frame, id_: str) -> float:
    """Return the mean milliseconds of a move in a game against Squire."""
    frame.evaluate(NOTE)
    assert frame.evaluate(PLAY, [id_, 3 * READY])["moves"] > 0
    return float(statistics.mean(frame.evaluate("spent")))


def processes(profile: Path) -> list[psutil.Process]:
    """Return the processes of a browser, which keeps what it keeps in a folder of its own."""
    chromium = [each for each in psutil.process_iter() if f"--user-data-dir={profile}" in each.cmdline()]
    return list({each.pid: each for one in chromium for each in (one, *one.children(recursive=True))}.values())


def cpu_of(found: list[psutil.Process]) -> dict[int, float]:
    """Return the CPU seconds of processes."""
    return {each.pid: sum(each.cpu_times()[:2]) for each in found if each.is_running()}


def start_of(page: Page, profile: Path, table: str) -> float:
    """Return the CPU seconds until a table asks its first question, after a page of nothing."""
    page.goto("about:blank")
    page.wait_for_timeout(3000)
    before = cpu_of(processes(profile))
    opened(page, table)
    page.frame_locator("#page").locator("[name=decision]").first.wait_for(state="attached", timeout=READY)
    return sum(seconds - before.get(pid, 0.0) for pid, seconds in cpu_of(processes(profile)).items())


def memory_of(found: list[psutil.Process]) -> float:
    """Return the megabytes of the process with most memory that shows pages."""
    return float(max(each.memory_full_info().pss for each in found if "--type=renderer" in each.cmdline())) / 1e6


def measured(folder: Path, ids: list[str], rounds: int) -> dict[str, Any]:
    """Return all figures."""
    with (
        serving(folder) as served,
        sync_playwright() as driver,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as kept,
    ):
        address, profile = f"http://127.0.0.1:{served.server_port}/", Path(kept)
        context = driver.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=["--no-sandbox"])
        page = context.pages[0]
        opened(page, address)
        until(page, KEPT)
        moves = {}
        for id_ in ids:
            say(f"a game of {id_}")
            moves[id_] = move_ms(page.frames[1], id_)
            opened(page, address)
        memory = memory_of(processes(profile))
        table = address + page.frames[1].evaluate(BEGIN)
        say("later starts")
        starts = [start_of(page, profile, table) for _ in range(STARTS)]
        opened(page, address)
        found = searches(page, address, ids, rounds)
        context.close()
    games = {id_: {**found[id_], "move_ms": moves[id_]} for id_ in ids}
    return {"games": games, "start": statistics.median(starts), "memory": memory}


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("www"), metavar="FOLDER")
    parser.add_argument("--games", nargs="+", default=[each.id for each in own_games()], metavar="ID")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="how many searches there and here")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    if not (given.folder / WORKER).is_file():
        parser.error(f"there are no games in {given.folder}: type `make site`")
    found = measured(given.folder, given.games, given.rounds)
    if given.json:
        print(json.dumps(found))
        return
    shown = Table("game", "there, a second", "here, a second", "ratio", "a move, ms")
    for id_, each in found["games"].items():
        rates = (f"{each['there']:,.0f}", f"{each['here']:,.0f}", f"{each['ratio']:.2f}", f"{each['move_ms']:.0f}")
        shown.add_row(id_, *rates)
    console = Console()
    console.print(shown)
    console.print(f"a later start: {found['start']:.1f} s of CPU; memory after the games: {found['memory']:.0f} MB")


if __name__ == "__main__":
    main()
