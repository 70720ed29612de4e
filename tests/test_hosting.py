"""What `docs/hosting.md` says is true: its units, variables, metrics, and the commands that need another machine.

`test_docs.py` runs the commands that can run here.
"""

import configparser
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
from prometheus_client import REGISTRY
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from quintain.cli import app
from quintain.engine import home
from quintain.server import metrics
from server.guests import PROGRAM, free_port, wait_until

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
INSTALLED = "/opt/quintain/.venv/bin/quintain"
UNITS = {
    "quintain.service": "[Unit]\nDescription=Quintain, medieval",
    "quintain-backup.service": "[Service]\nType=oneshot",
    "quintain-backup.timer": "[Timer]",
}
"""The units, each with words that only its block has."""
PIP = "/opt/quintain/.venv/bin/pip"
ELSEWHERE = {"useradd", "make", "systemctl", "journalctl", "runuser", "curl", "python3", "pip", PIP}
"""Programs of a server's machine that the page uses."""


def blocks(kind: str) -> list[str]:
    """Return the blocks of code of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def unit(name: str) -> str:
    """Return the text of a unit."""
    (found,) = [block for block in blocks("ini") if UNITS[name] in block]
    return found


def variables() -> dict[str, str]:
    """Return the variables of /etc/quintain.env."""
    (found,) = [block for block in blocks("ini") if block.startswith("QUINTAIN_")]
    return dict(line.split("=", 1) for line in found.splitlines())


def command(name: str) -> TyperCommand:
    """Return a command of the program."""
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    found = group.commands[name]
    assert isinstance(found, TyperCommand)
    return found


def commands_elsewhere() -> list[list[str]]:
    """Return the words of each command that somebody types on a server's machine."""
    typed = [line.removeprefix("# ").removeprefix("$ ") for block in blocks("console") for line in block.splitlines()]
    started = re.findall(r"^ExecStart=(.*)$", "".join(blocks("ini")), re.MULTILINE)
    inside = [words[2] if (words := shlex.split(line))[:2] == ["/bin/sh", "-c"] else line for line in started]
    return [shlex.split(line) for line in (*typed, *inside)]


@pytest.mark.parametrize("words", commands_elsewhere(), ids=" ".join)
def test_quintain_takes_the_arguments_of_a_command_that_runs_elsewhere(words: list[str]):
    names = [place for place, word in enumerate(words) if word in ("quintain", INSTALLED) and place + 1 < len(words)]
    runs = [place for place in names if not place or words[place - 1] == "--"]
    if not runs:
        assert words[0] in ELSEWHERE
    for place in runs:
        name, *arguments = words[place + 1 :]
        if name in ("keys", "tables"):  # these have commands of their own
            group = get_command(app).commands[name]
            group.commands[arguments[0]].make_context(arguments[0], arguments[1:])
        else:
            command(name).make_context(name, arguments)


def test_every_variable_that_the_page_names_sets_a_flag():
    known = {str(flag.envvar) for flag in command("serve").params}
    named = set(re.findall(r"QUINTAIN_\w+", PAGE)) - {"QUINTAIN_HOME"}
    assert set(variables()) <= named
    assert named - known == set()


def test_the_server_starts_with_the_settings_of_the_page(tmp_path: Path):
    port = free_port()
    settings = {**variables(), "QUINTAIN_PORT": str(port), "QUINTAIN_HOME": str(tmp_path)}
    with subprocess.Popen([PROGRAM, "serve"], env={**os.environ, **settings}, stderr=subprocess.PIPE) as process:
        try:
            wait_until(lambda: is_up(port))
            assert (tmp_path / "data" / "server.sqlite").exists(), "the page names this file"
        finally:
            process.terminate()
            process.communicate()
    assert process.returncode == 0


def is_up(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze (Debian: systemd)")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_takes_the_units(tmp_path: Path, name: str):
    for each in UNITS:
        (tmp_path / each).write_text(unit(each).replace(INSTALLED, str(PROGRAM)), encoding="utf-8")
    verify = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", tmp_path / name]
    ran = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not [line for line in ran.stderr.splitlines() if str(tmp_path) in line or "quintain" in line]


def test_what_the_server_writes_may_be_written():
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(unit("quintain.service"))
    service = parsed["Service"]
    assert service["Environment"] == f"QUINTAIN_HOME=/var/lib/{service['StateDirectory']}"
    assert "MemoryDenyWriteExecute" not in service, "compiled rules are memory that is written and run"


def test_the_page_lists_every_metric():
    listed = set(re.findall(r"^\| `(quintain_\w+)` \|", PAGE, re.MULTILINE))
    assert metrics.REQUESTS
    assert listed == {family.name for family in REGISTRY.collect() if family.name.startswith("quintain_")}


def test_the_file_of_the_database_is_where_the_page_says(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QUINTAIN_HOME", "/var/lib/quintain")
    assert str(home.data() / "server.sqlite") in PAGE
