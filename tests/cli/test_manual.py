"""The help of every command names the page of the docs about it."""

import re
import tomllib
from pathlib import Path

import pytest
import typer

from cli.sitting import Run
from cli.test_output import commands
from quintain.cli import app
from quintain.cli.manual import ADDRESS

DOCS = Path(__file__).parents[2] / "docs"


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_command_names_a_page_that_is_there() -> None:
    named = {name: command.epilog or "" for name, command in commands().items()}
    for name, epilog in named.items():
        found = re.fullmatch(rf"Read more: {re.escape(ADDRESS)}docs/([\w-]+)\.html(?:#([\w-]+))?", epilog)
        assert found, name
        page = DOCS / f"{found[1]}.md"
        assert page.exists() and (found[2] is None or found[2] in anchors(page)), (name, epilog)


@pytest.mark.parametrize("group", ["keys", "puzzles", "tables"])
def test_groups_name_a_page_too(quintain: Run, group: str) -> None:
    assert f"Read more: {ADDRESS}" in quintain(group, "--help").out


def test_the_metadata_name_the_same_address() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Documentation"] == ADDRESS


def test_the_help_of_the_program_names_the_first_page(quintain: Run) -> None:
    assert quintain("--help").out.rstrip().endswith(f"Read more: {ADDRESS}")
    assert typer.main.get_command(app).epilog == f"Read more: {ADDRESS}"
