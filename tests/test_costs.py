"""The table of costs adds up what each test spends, in whichever process, and pytest has the last word."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import costs

SPENDING = """
import subprocess, sys, time
import pytest

SPEND = "import time\\nwhile time.process_time() < 0.4: pass"

def test_here():
    until = time.process_time() + 0.4
    while time.process_time() < until:
        pass

def test_in_a_child():
    subprocess.run([sys.executable, "-c", SPEND], check=True)

def test_idle():
    pass

@pytest.fixture(scope="session", autouse=True)
def shared():
    process = subprocess.Popen([sys.executable, "-c", SPEND])
    yield
    process.wait()
"""


def test_packages_are_summed_and_the_ten_dearest_tests_named():
    spent = {f"tests/lab/test_x.py::test_{number}": float(number) for number in range(12)}
    shown = costs.table({**spent, "tests/test_docs.py::test_y[a/b::c]": 90.0}, [3.0, 4.0], stopping=5.0)
    shared = "     5.0  what the tests of a worker share, such as a browser"
    assert shown[1:6] == ["    90.0  docs", "    66.0  lab", shared, "     7.0  collecting, 2 times", "   168.0  all"]
    dearest = shown[shown.index("The dearest tests") + 1 :]
    assert dearest[0] == "    90.0  tests/test_docs.py::test_y[a/b::c]"
    assert [line.rpartition("_")[2] for line in dearest[1:]] == [str(number) for number in range(11, 2, -1)]


def test_workers_send_what_their_tests_and_the_children_of_these_spent(tmp_path: Path):
    (tmp_path / "tests/lab").mkdir(parents=True)
    (tmp_path / "tests/lab/test_spending.py").write_text(SPENDING, encoding="utf-8")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["costs"]\n', encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {Path(costs.__file__).parent}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", "2", "--costs"]
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(command, cwd=tmp_path, env=bare, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    spent = {name: float(number) for number, name in re.findall(r"^ +([\d.]+)  (.*)$", ran.stdout, re.MULTILINE)}
    here, there, idle = (spent[f"tests/lab/test_spending.py::test_{name}"] for name in ("here", "in_a_child", "idle"))
    assert here >= 0.4 and there >= 0.4 and idle < 0.3
    assert abs(spent["lab"] - here - there - idle) < 0.2 and spent["collecting, 2 times"] > 0
    assert spent["what the tests of a worker share, such as a browser"] >= 0.8  # in each worker
    assert re.fullmatch(r"=+ 3 passed in .* =+", ran.stdout.splitlines()[-1])


@pytest.mark.long_for("dear")
@pytest.mark.parametrize("cost", ["dear", "cheap"])
def test_the_cases_that_a_mark_names_are_long_and_the_others_are_not(cost: str, request: pytest.FixtureRequest):
    assert (request.node.get_closest_marker("long") is not None) == (cost == "dear")
