"""`quintain new-game`: writes a package with the game of the tutorial, under a name of its own, to begin from."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from quintain.cli.arguments import new_console
from quintain.cli.files import write_text
from quintain.engine.errors import BadOption, QuintainError
from quintain.engine.rules.registry import all_games

TEMPLATE = Path(__file__).with_name("template")
ID, TITLE = "goofspiel", "Goofspiel"
PLACES = {
    "package.toml": "pyproject.toml",
    "README.md": "README.md",
    "game.py": "src/{module}/game.py",
    "heraldry.toml": "src/{module}/heraldry.toml",
    "board.css": "src/{module}/board.css",
    "test_game.py": "tests/test_{module}.py",
}
"""The files of the template, and where they go in the package."""
FACE = '"""{title}, a game for Quintain."""\n\nfrom {module}.game import GAME\n\n__all__ = ["GAME"]\n'

Name = Annotated[str, typer.Argument(metavar="NAME", help="The id of the game, such as royal-auction.")]
Folder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Where to write the package; a new folder NAME if not given.")
]


def write_game(name: Name, to: Folder = None) -> None:
    """Write a package with a small game, its look and its tests, to make a game of your own from."""
    check_name(name)
    folder = to or Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadOption(f"{folder} is there already: name another folder with --to")
    for path, text in package(name).items():
        try:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise QuintainError(f"the folder {(folder / path).parent} cannot be made: {error.strerror}") from error
        write_text(folder / path, text)
    steps = f"pip install --editable '{folder}[test]', then pytest {folder} and quintain play {name}"
    new_console().print(Text(f"{folder} is a package with the game {name}. Next: {steps}."), soft_wrap=True)


def check_name(name: str) -> None:
    """Raise BadOption, which says what would be right, for an id that a new game cannot have."""
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 32:
        raise BadOption(f"an id consists of small letters, digits and hyphens, such as royal-auction, not {name!r}")
    if name in [known.id for known in all_games()]:
        raise BadOption(f"there is a game {name} already: choose another name")
    module = module_of(name)
    if keyword.iskeyword(module) or importlib.util.find_spec(module):
        raise BadOption(f"Python has a module {module} already: choose another name")


def module_of(name: str) -> str:
    """Return the name of a game's Python package."""
    return name.replace("-", "_")


def package(name: str) -> dict[str, str]:
    """Return the files of a new game's package: the text of each, by its path."""
    module, title = module_of(name), name.replace("-", " ").capitalize()
    files = {f"src/{module}/__init__.py": FACE.format(title=title, module=module)}
    words = {TITLE: title, f'"{ID}"': f'"{name}"', ID: module}
    for source, place in PLACES.items():
        text = (TEMPLATE / source).read_text(encoding="utf-8")
        text = re.sub("|".join(words), lambda found: words[found[0]], text)
        files[place.format(module=module)] = text
    return files
