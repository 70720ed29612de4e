"""Packages with plug-ins: a good one, which `quintain new-game` begins, a broken one and a clashing one, as wheels."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import quintain
from quintain.cli import new_game

UV = Path(sys.executable).with_name("uv")
GAME = "royal-auction"
MISER = '''
"""A bot that bids the lowest card it has."""


class Miser:
    def __init__(self, game, seed):
        pass

    def choose(self, seen, budget):
        return min(seen.legal)
'''
CARDS = '''
"""A set of cards for Robin in the Hood, in which one card is worth more."""

from quintain.engine import CardSet

GREEN = CardSet("robin", "Greener woods", {text!r})
'''
WEAK = 'name = "Little John"\ncaste = "Outlaw"\npolitics = "Activist"\nlevels = [3, 3, 5, 4]'
STRONG = WEAK.replace("[3, 3", "[5, 3")
HEAD = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "1.0"
"""


def good() -> dict[str, str]:
    """Return the files of a package with a game, a bot, a level and a card set."""
    files = new_game.package(GAME)
    files["src/royal_auction/miser.py"] = MISER
    files["src/royal_auction/levels.py"] = (
        "from quintain.bots import Budget, Level\nfrom royal_auction.miser import Miser\n\n"
        'SCROOGE = Level("any name", Miser, Budget(simulations=1), about="never bids high")\n'
    )
    files["src/royal_auction/cards.py"] = CARDS.format(text=greener())
    files["pyproject.toml"] = files["pyproject.toml"].replace('dependencies = ["quintain>=1.0,<2"]', "") + points(
        bots={"miser": "royal_auction.miser:Miser", "scrooge": "royal_auction.levels:SCROOGE"},
        cards={"greener-woods": "royal_auction.cards:GREEN"},
    )
    return files


def greener() -> str:
    """Return the base set of Robin in the Hood with a stronger Little John."""
    game = quintain.game("robin")
    assert game.folder
    base = (game.folder / "cards.toml").read_text(encoding="utf-8")
    assert base.count(WEAK) == 1
    return base.replace(WEAK, STRONG)


def broken() -> dict[str, str]:
    """Return the files of a package whose plug-ins all fail to load."""
    return {
        "pyproject.toml": HEAD.format(name="broken-games")
        + points(
            games={
                "crash": "broken_games.crash:GAME",
                "gone": "broken_games.gone:GAME",
                "text": "broken_games:TEXT",
                "whole": "broken_games",
                "misnamed": "broken_games.called:GAME",
                "odd": "royal auction",
                "ended": "broken_games.ended:GAME",
            },
            bots={
                "idle": "broken_games:Idle",
                "Bad Name": "broken_games:Idle",
                "open": "broken_games:Greedy",
                "none": "broken_games:NONE",
            },
            cards={"typo": "broken_games:TYPO", "nowhere": "broken_games:NOWHERE"},
        ),
        "src/broken_games/ended.py": (
            "class Silent(BaseException):\n    def __str__(self):\n        raise RuntimeError\n\n\nraise Silent\n"
        ),
        "src/broken_games/called.py": new_game.package("called")["src/called/game.py"],
        "src/broken_games/crash.py": "LEAST = 2\nMOST = LEAST / 0\n",
        "src/broken_games/__init__.py": dedent("""\
            from quintain.bots import Greedy, Level
            from quintain.engine import CardSet

            print("a package that prints")
            TEXT = "a game"
            NONE = Level("none", None)
            TYPO = CardSet("robin", "Typos", '[[character]]\\nname = "Little Jon"\\npower = 9')
            NOWHERE = CardSet("chess", "Chess", "a = 1")


            class Idle:
                pass
            """),
    }


def clashing() -> dict[str, str]:
    """Return the files of a package whose names are taken, and whose game is for another contract."""
    game = new_game.package("older-game")["src/older_game/game.py"]
    return {
        "pyproject.toml": HEAD.format(name="clashing-games")
        + points(
            games={
                "court": "clashing_games.court:GAME",
                "older": "clashing_games.older:GAME",
                "silent": "clashing_games.silent:GAME",
            },
            bots={"knight": "clashing_games:Knight"},
        ),
        "src/clashing_games/__init__.py": "class Knight:\n    def choose(self, seen, budget):\n        return 0\n",
        "src/clashing_games/court.py": game.replace('"older-game"', '"kings-court"'),
        "src/clashing_games/older.py": game.replace("contract=2", "contract=1"),
        "src/clashing_games/silent.py": game.replace("    contract=2,\n", "").replace("older-game", "silent-game"),
    }


def points(**kinds: Mapping[str, str]) -> str:
    """Return entry points as lines of a pyproject.toml."""
    tables = []
    for kind, named in kinds.items():
        lines = [f'"{name}" = "{place}"' for name, place in named.items()]
        tables.append("\n".join([f'\n[project.entry-points."quintain.{kind}"]', *lines, ""]))
    return "".join(tables)


def install(files: Mapping[str, str], folder: Path, there: Path) -> None:
    """Build a wheel of a package in an empty folder, and install it into another."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    offline = ["--offline", "--no-build-isolation", "--python", sys.executable]
    run(folder, "build", "--wheel", "--out-dir", folder / "dist", *offline)
    (wheel,) = (folder / "dist").glob("*.whl")
    run(folder, "pip", "install", "--offline", "--no-deps", "--target", there, wheel)


def run(folder: Path, *words: str | Path) -> None:
    """Run uv in a folder."""
    done = subprocess.run([UV, *words], capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
