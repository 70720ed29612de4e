"""What is public: the page lists every name with its signature, and programs that use each module are typed and run."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import public
import quintain
from quintain.engine.errors import QuintainError
from quintain.lab.pools import LocalPool
from tutorial import kept_goofspiel
from typed import author, laboratory, learner, player

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "bots", "lab", "envs")
HEAVY = {
    *("numpy", "numba", "rich", "typer", "markdown_it", "minijinja"),
    *("cryptography", "filelock", "importlib.metadata", "asyncio"),
}
"""Modules that `import quintain` does without: each takes a noticeable part of a tenth of a second."""


def test_the_page_lists_every_public_name_with_its_signature():
    """If this fails, you have changed what is public: run tools/public.py, and name the change in CHANGELOG.md."""
    assert public.page() == public.written()


def test_the_page_has_a_block_for_each_public_module():
    assert [block[2] for block in public.BLOCK.finditer(public.page())] == list(public.MODULES)
    assert all(len([*public.lines(module)]) >= 1 for module in public.MODULES)


def test_every_public_name_says_what_it_is():
    silent = []
    for module in public.MODULES:
        found = importlib.import_module(module)
        assert found.__doc__, module
        for name in found.__all__:
            value = getattr(found, name)
            if (inspect.isclass(value) or inspect.isroutine(value)) and not inspect.getdoc(value):
                silent.append(f"{module}.{name}")
    assert not silent


NEEDY = {"quintain.engine.rules.compiling.native", "quintain.envs.sb3"}
"""Modules that need Numba and Stable-Baselines3, which the machine may lack."""


def test_every_error_that_a_caller_can_meet_is_exported():
    for room in ROOMS:
        package = importlib.import_module(f"quintain.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name not in NEEDY:
                importlib.import_module(found.name)
    errors, todo = set(), [QuintainError]
    while todo:
        errors |= {todo[-1]}
        todo += todo.pop().__subclasses__()
    met = {error.__name__ for error in errors if error.__module__.split(".")[1] in ROOMS}
    assert "OtherRules" in met and met <= set(quintain.__all__)


def test_the_version_stands_in_one_place():
    run = [sys.executable, "-m", "quintain", "--version"]
    printed = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert printed == f"quintain {quintain.__version__}\n"
    assert quintain.__version__ == "1.0.0"


def test_the_import_of_quintain_brings_nothing_heavy():
    code = "import sys, quintain; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "quintain.engine" in loaded and not HEAVY & {*loaded}


def test_a_program_plays(capsys: pytest.CaptureFixture[str]):
    assert player.winner_of(1) in ("Ann", "Bo")
    assert [words.partition(" ")[0] for words in player.refused()] == ["there", "this"]


@pytest.mark.long  # tests/lab proves each part, and mypy that the program fits
def test_a_program_simulates_compares_and_reports():
    summary, ladder, held, found = laboratory.figures(LocalPool(1))
    assert (summary.games, held.games, found.summary.games) == (50, 4, 50)
    assert laboratory.strongest(ladder).bot in ("greedy", "random")
    assert laboratory.best_deck() in ("wandering-table", "great-houses")
    in_markdown, in_html = laboratory.verdict()
    assert in_markdown.startswith("# ") and "<html" in in_html


def test_a_program_learns():
    pytest.importorskip("open_spiel")
    assert learner.rewards(1) in (0.0, 0.5, 1.0, -1.0)
    assert learner.steps() > 0
    assert learner.agents() == (["seat_0", "seat_1"], "quintain_kings_court", 2)


def test_a_program_checks_a_game():
    results = author.checked(kept_goofspiel())
    assert results and {each.state for each in results} == {"passed"}
    options, view, cards = author.facts("goofspiel")
    assert [option.name for option in options] == ["cards"] and view.zones and cards.title == "Mine"
