"""The training loop of docs/environments.md learns, and its table has every game."""

import re
import subprocess
import sys
from pathlib import Path

import quintain

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_program_of_the_page_learns(tmp_path: Path):
    """It begins at random, and ends far above that."""
    [program] = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "learn.py").write_text(program, encoding="utf-8")
    ran = subprocess.run([sys.executable, "learn.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    shares = [int(share) for share in re.findall(r"^round \d+: (\d+)% ", ran.stdout, re.MULTILINE)]
    assert len(shares) == 12 and 40 < shares[0] < 60 and shares[-1] > 80


def test_the_table_of_the_page_has_the_sizes_of_every_game():
    rows = [[cell.strip() for cell in row.split("|")] for row in PAGE.read_text(encoding="utf-8").splitlines()]
    found = {row[1]: row[2:5] for row in rows if len(row) == 10}
    for game in quintain.all_games():
        if game.folder:
            sizes = (game.observation.size, game.observation_int8.size)
            assert found[game.title] == [*(f"{size:,}" for size in sizes), str(game.actions)]
