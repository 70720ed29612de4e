"""What the tests cost: after a run with `--costs`, a table of CPU seconds by package, and the ten slowest tests.

With `--compile-first` all games are compiled before the tests, on all cores: no test pays for that, and no worker waits
for another one.
Each process that runs tests measures its own CPU seconds and those of the processes that it has waited for. What
still runs when a test ends, such as a browser that tests share, counts where it is stopped: after the last test of a
worker this is a row of its own.
"""

import os
import subprocess
import sys
from collections.abc import Generator, Iterable
from pathlib import PurePath

import pytest

DEAREST = 10
CAPTION = "CPU seconds of tests and of the processes that they waited for; a shared fixture counts for its first test"

_before = [0.0]
"""What this process had spent at the end of the last phase of a test."""
_by_test: dict[str, float] = {}
_collecting: list[float] = []
_compiling = [0.0]
_stopping = [0.0]
"""What workers spent after their last test, with all that the processes had spent that they stopped then."""
_is_last = [False]
COMPILE = "from quintain.cli import main; main()"


def spent() -> float:
    """Return the CPU seconds of this process and of the children that it has waited for."""
    return sum(os.times()[:4])


def package(test: str) -> str:
    """Return the package that a test is about; a test directly in `tests` is about the docs and the project itself."""
    folders = PurePath(test.partition("::")[0]).parts[1:-1]
    return folders[0] if folders else "docs"


def table(
    by_test: dict[str, float], collecting: Iterable[float] = (), compiling: float = 0.0, stopping: float = 0.0
) -> list[str]:
    """Return the lines that say what each package costs, and which tests cost most."""
    packages: dict[str, float] = {}
    for test, seconds in by_test.items():
        packages[package(test)] = packages.get(package(test), 0) + seconds
    rows = sorted(packages.items(), key=lambda row: -row[1])
    if stopping:
        rows.append(("what the tests of a worker share, such as a browser", stopping))
    if compiling:
        rows.append(("compiling all games", compiling))
    each = [*collecting]
    if each:
        rows.append((f"collecting, {len(each)} times", sum(each)))
    rows.append(("all", sum(seconds for _, seconds in rows)))
    dearest = sorted(by_test.items(), key=lambda row: -row[1])[:DEAREST]
    return [CAPTION, *map(line, rows), "", "The dearest tests", *map(line, dearest)]


def line(row: tuple[str, float]) -> str:
    return f"{row[1]:8.1f}  {row[0]}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", action="store_true", help="print what the tests of each package cost")
    parser.addoption("--compile-first", action="store_true", help="compile all games before the first test")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.getoption("compile_first") and not hasattr(session.config, "workerinput"):
        before = spent()
        subprocess.run([sys.executable, "-c", COMPILE, "compile"], check=True)
        _compiling[0] = spent() - before


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["collecting"] = spent()
    elif not session.config.pluginmanager.has_plugin("dsession"):
        _collecting.append(spent())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Note what a worker spent before its first test. (xdist calls this in the process that reports.)"""
    _collecting.append(getattr(node, "workeroutput", {}).get("collecting", 0.0))


def pytest_runtest_logstart() -> None:
    _before[0] = spent()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    _is_last[0] = nextitem is None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give each report, which xdist sends to the process that prints, the seconds of its phase."""
    report = yield
    now = spent()
    report.cpu_seconds, _before[0] = now - _before[0], now
    report.is_last = report.when == "teardown" and _is_last[0]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seconds = getattr(report, "cpu_seconds", 0.0)
    if getattr(report, "is_last", False):
        _stopping[0] += seconds
    else:
        _by_test[report.nodeid] = _by_test.get(report.nodeid, 0) + seconds


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.getoption("costs"):
        terminalreporter.section("costs")
        for each in table(_by_test, _collecting, _compiling[0], _stopping[0]):
            terminalreporter.line(each)
