"""Going on with a run of tests that was stopped: `--note FILE` notes which tests pass, `--again` leaves those out.

pytest's own `--last-failed` knows only the tests that failed, and `--stepwise` does not work with several processes.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

PASSED = pytest.StashKey[list[str]]()
FAILED = pytest.StashKey[bool]()


class Notes:
    """The file of the tests that have passed, kept by the one process that reports."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if getattr(report, "is_done", False):
            with self.file.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--note", type=Path, metavar="FILE", help="note in a file which tests have passed")
    parser.addoption("--again", action="store_true", help="leave out those that the file of --note names")


def pytest_configure(config: pytest.Config) -> None:
    """Begin the file anew, unless a run goes on."""
    if hasattr(config, "workerinput"):
        config.stash[PASSED] = config.workerinput["passed"]
    elif file := config.getoption("note"):
        passed = file.read_text(encoding="utf-8") if config.getoption("again") and file.exists() else ""
        file.write_text(passed, encoding="utf-8")
        config.stash[PASSED] = passed.splitlines()
        config.pluginmanager.register(Notes(file))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker which tests have passed, for all workers must choose the same tests, whenever they begin."""
    node.workerinput["passed"] = node.config.stash.get(PASSED, [])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    passed = {*config.stash.get(PASSED, [])}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
    items[:] = [item for item in items if item.nodeid not in passed]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Mark the last report of a test of which no phase failed."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    report.is_done = report.when == "teardown" and not item.stash[FAILED]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Take it as success if nothing is left to run."""
    if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.stash.get(PASSED, []):
        session.exitstatus = pytest.ExitCode.OK
