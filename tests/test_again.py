"""A run of tests that was stopped goes on with those that have not passed."""

import os
import subprocess
import sys
from pathlib import Path

import again

BETTER = """
import pathlib, pytest

HERE = pathlib.Path(__file__).parent

@pytest.mark.parametrize("number", range(4))
def test_better(number):
    with (HERE / "ran").open("a") as file:
        file.write(f"{number}\\n")
    assert number != 2 or (HERE / "better").exists()

def test_skipped():
    pytest.skip("not here")
"""


def test_the_tests_that_passed_are_left_out_until_the_run_begins_anew(tmp_path: Path):
    (tmp_path / "test_better.py").write_text(BETTER, encoding="utf-8")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["again"]\n', encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {Path(again.__file__).parent}\n", encoding="utf-8")
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def ran(*arguments: str) -> tuple[int, list[str]]:
        (tmp_path / "ran").write_text("")
        command = [sys.executable, "-m", "pytest", "-p", "xdist", "--note", "passed", *arguments]
        status = subprocess.run(command, cwd=tmp_path, env=bare, check=False, capture_output=True).returncode
        return status, sorted((tmp_path / "ran").read_text().split())

    assert ran("-n", "2") == (1, ["0", "1", "2", "3"])
    assert ran("-n", "2", "--again") == (1, ["2"])
    (tmp_path / "better").touch()
    assert ran("--again") == (0, ["2"])
    assert ran("-n", "2", "--again") == (0, [])
    assert ran() == (0, ["0", "1", "2", "3"])
