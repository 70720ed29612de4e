"""Compare the speed of this tree with another commit: how fast both play and search, as ratios.

    python benchmarks/against.py COMMIT [GAME ...] [--figures NAMES] [--pairs N] [--seconds S] [--keep FOLDER] [--json]

For every game (all, if you name none) it compares three figures:

- compiled: decisions a second of random games in compiled code, from the deal to the score;
- search: simulations a second of the search bot, from the middle of random games;
- interpreted: decisions a second of random games in interpreted code.

Each tree runs in its own process, with the same Python and packages, on the same core, and with its own cache of
compiled code. A first slice of work compiles and does not count. Then the two do the same pieces of work in turns;
seconds are CPU time of the process. Two slices, one of each tree, make a pair. `ratio` is the median of the pairs'
ratios, this tree to the other: above 1 this tree is faster. The interval is the order-statistic interval of the median:
it holds the true median with at least 95 % probability, for every distribution. It does not cover a difference of about
1 % between two processes of the same code, which comes from the places of their memory. A figure that the other commit
lacks is `none`. With --keep the other tree and its compiled code stay in a folder for the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

FIGURES = ("compiled", "search", "interpreted")
ROOT = Path(__file__).parents[1]
PAIRS = 101
SECONDS = 0.03
"""The CPU time of a slice of this tree; the other tree does the same work, however long it takes. Many short slices
give closer intervals than few long ones, because both slices of a pair then run under the same conditions."""
DOUBT = 0.05
"""The chance, at most, that the interval misses the true median."""
LEAST_PAIRS = math.ceil(math.log2(2 / DOUBT))
"""Fewer pairs give no interval."""
SERVE = "--serve"


class Failure(Exception):
    """Raised if the benchmark cannot measure; the message is a sentence for the user."""


@dataclass(frozen=True)
class Comparison:
    """The medians of both trees' figures, and of their ratio with its interval."""

    ratio: float
    low: float
    high: float
    this: float
    other: float


def serve() -> None:
    """Run in the process of a tree: print who we are, then answer each line of the input with a line of JSON."""
    import quintain
    from parts import slices

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    all_games = vars(quintain).get("all_games") or vars(quintain)["games"]  # older commits
    print(json.dumps({"package": quintain.__file__, "games": [game.id for game in all_games()]}), flush=True)
    makers = {"compiled": slices.compiled_play, "search": slices.searches, "interpreted": slices.interpreted_play}
    work: dict[tuple[str, str], slices.Slice] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        key = asked["game"], asked["figure"]
        answer: dict[str, Any]
        try:
            if key not in work:
                game = quintain.game(asked["game"])
                work[key] = makers[asked["figure"]](game, game.check_seats(None))
        except (ImportError, AttributeError, TypeError, quintain.QuintainError) as error:
            answer = {"lacks": f"{type(error).__name__}: {error}"}
        else:
            parts = [work[key](number) for number in range(asked["first"], asked["first"] + asked["pieces"])]
            answer = {"done": sum(done for done, _ in parts), "seconds": sum(took for _, took in parts)}
        print(json.dumps(answer), flush=True)


class Side:
    """The process that measures one tree; it works only when it gets a request."""

    def __init__(self, tree: Path, home: Path | None) -> None:
        """Start it with the package of a tree and, if one is given, with a home for its compiled code."""
        self.tree = tree
        own = {"PYTHONPATH": str(tree / "src"), "PYTHONHASHSEED": "0", "QUINTAIN_LIBRARIES": "none"}
        own |= {"QUINTAIN_HOME": str(home)} if home else {}
        self.process = subprocess.Popen(
            [sys.executable, __file__, SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **own},
        )

    def __enter__(self) -> Self:
        """Check that the process measures its own tree, not another one that Python finds."""
        introduction = self._answer()
        self.games: list[str] = introduction["games"]
        if not Path(introduction["package"]).is_relative_to(self.tree):
            raise Failure(f"Python imports {introduction['package']}, not the package in {self.tree}")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process."""
        self.process.terminate()
        self.process.communicate()

    def ask(self, game: str, figure: str, first: int, pieces: int) -> dict[str, Any]:
        """Let the process do pieces of work, numbered from `first`, and return its figures."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"game": game, "figure": figure, "first": first, "pieces": pieces}) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"the process that measures {self.tree} ended; what it printed last says why")
        answer: dict[str, Any] = json.loads(line)
        return answer


def compare(this: Side, other: Side, game: str, figure: str, pairs: int, seconds: float) -> Comparison | None:
    """Measure a figure of a game in both trees; None if the other tree lacks it."""
    for side in (this, other):
        lacks = side.ask(game, figure, 0, 1).get("lacks")
        if lacks and side is this:
            raise Failure(f"this tree cannot measure {game}, {figure}: {lacks}")
        if lacks:
            print(f"{game}, {figure}: the other commit lacks it ({lacks})", file=sys.stderr)
            return None
    pieces = pieces_in(this, game, figure, seconds)
    rates: dict[Side, list[float]] = {this: [], other: []}
    for pair in range(pairs):
        for side in (this, other) if pair % 2 else (other, this):
            answer = side.ask(game, figure, pair * pieces, pieces)
            rates[side].append(answer["done"] / answer["seconds"])
    ratios = [one / two for one, two in zip(rates[this], rates[other], strict=True)]
    low, high = interval_of_median(ratios)
    return Comparison(statistics.median(ratios), low, high, *(statistics.median(rates[side]) for side in (this, other)))


def pieces_in(side: Side, game: str, figure: str, seconds: float) -> int:
    """Return how many pieces of work a tree does in a time."""
    pieces, took = 1, 0.0
    while took < seconds / 4:
        pieces *= 2
        took = side.ask(game, figure, 0, pieces)["seconds"]
    return max(1, round(pieces * seconds / took))


def interval_of_median(values: list[float]) -> tuple[float, float]:
    """Return two of the values: the true median lies outside them with a chance of 5 % at most.

    Each value is as likely above the true median as below. So the k-th smallest is above it with the chance of fewer
    than k heads in as many coin tosses; k is the largest for which this, on both sides together, stays within 5 %.
    """
    ordered, count = sorted(values), len(values)
    if count < LEAST_PAIRS:
        raise ValueError(f"an interval takes at least {LEAST_PAIRS} values, not {count}")
    k, ways = 0, 1
    while 2 * ways <= DOUBT * 2**count:
        k += 1
        ways += math.comb(count, k)
    return ordered[k - 1], ordered[count - k]


def full_hash(commit: str) -> str:
    """Return the hash of a commit that somebody named."""
    found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    if found.returncode:
        raise Failure(f"there is no commit {commit!r} in this repository: name a hash, a branch or a tag that it has")
    return found.stdout.strip()


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in this tree."""
    try:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Failure("there is no git here: install it, since it brings the other commit") from error


@contextlib.contextmanager
def checked_out(commit: str, keep: Path | None) -> Iterator[Path]:
    """Yield a folder with the package of a commit: a temporary one, or one that is kept for the next time."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="quintain-against-") as folder:
            check_out(commit, Path(folder).resolve())
            yield Path(folder).resolve()
    else:
        folder_of_commit = keep.resolve() / commit
        if not (folder_of_commit / "src").exists():
            folder_of_commit.mkdir(parents=True, exist_ok=True)
            check_out(commit, folder_of_commit)
        yield folder_of_commit


def check_out(commit: str, folder: Path) -> None:
    """Put the package of a commit into a folder."""
    archive = folder / "src.zip"
    made = git("archive", "--format=zip", f"--output={archive}", commit, "src")
    if made.returncode:
        raise Failure(f"git cannot bring src of {commit}: {made.stderr.strip()}")
    shutil.unpack_archive(archive, folder / "unpacked")
    archive.unlink()
    (folder / "unpacked" / "src").rename(folder / "src")


def measure(arguments: argparse.Namespace) -> dict[str, dict[str, Comparison | None]]:
    """Compare every figure of every game."""
    commit = full_hash(arguments.commit)
    found: dict[str, dict[str, Comparison | None]] = {}
    with Side(ROOT, None) as this:
        for game in arguments.games:
            if game not in this.games:
                raise Failure(f"there is no game {game!r}; there are {', '.join(this.games)}")
        with checked_out(commit, arguments.keep) as tree, Side(tree, tree / "home") as other:
            for game in dict.fromkeys(arguments.games or this.games):
                for figure in arguments.figures:
                    print(f"measuring {game}, {figure}", file=sys.stderr)
                    pairs, seconds = arguments.pairs, arguments.seconds
                    found.setdefault(game, {})[figure] = compare(this, other, game, figure, pairs, seconds)
    return found


def show(commit: str, found: dict[str, dict[str, Comparison | None]]) -> None:
    """Print the comparisons as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "figure", "ratio", "95 % interval", "this tree", commit)
    for game, figures in found.items():
        for figure, one in figures.items():
            if one is None:
                table.add_row(game, figure, "none", "", "", "")
            else:
                interval = f"{one.low:.3f} to {one.high:.3f}"
                table.add_row(game, figure, f"{one.ratio:.3f}", interval, f"{one.this:,.0f}", f"{one.other:,.0f}")
    Console().print(table)


def figures_named(text: str) -> list[str]:
    """Read the option --figures."""
    names = text.split(",")
    for name in names:
        if name not in FIGURES:
            raise argparse.ArgumentTypeError(f"there is no figure {name!r}; there are {', '.join(FIGURES)}")
    return names


def enough_pairs(text: str) -> int:
    """Read the option --pairs."""
    with contextlib.suppress(ValueError):
        if int(text) >= LEAST_PAIRS:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} pairs give no interval; it takes a whole number from {LEAST_PAIRS} on")


def some_seconds(text: str) -> float:
    """Read the option --seconds."""
    with contextlib.suppress(ValueError):
        if 0 < float(text) <= 60:
            return float(text)
    raise argparse.ArgumentTypeError(f"a slice cannot last {text!r} seconds; it lasts more than 0 and at most 60")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", metavar="COMMIT", help="the other commit: a hash, a branch or a tag")
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help="a game's id, such as kings-court; all if you name none"
    )
    parser.add_argument(
        "--figures",
        type=figures_named,
        default=FIGURES,
        help="the figures to compare, separated by commas; all if not given",
    )
    parser.add_argument("--pairs", type=enough_pairs, default=PAIRS, help=f"pairs of slices ({PAIRS} if not given)")
    parser.add_argument("--seconds", type=some_seconds, default=SECONDS, help=f"length of a slice ({SECONDS})")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the other tree stays for the next time")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    try:
        found = measure(arguments)
    except Failure as failure:
        parser.error(str(failure))
    if arguments.json:
        print(json.dumps({game: {f: one and asdict(one) for f, one in all_.items()} for game, all_ in found.items()}))
    else:
        show(arguments.commit, found)


if __name__ == "__main__":
    serve() if sys.argv[1:] == [SERVE] else main()
