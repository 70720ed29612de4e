"""The training loop of docs/environments.md learns, and its table has every game."""

import re
import subprocess
import sys
from pathlib import Path

import quintain
from quintain.envs.recall import RecallRow

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_programs_of_the_page_learn_and_play(tmp_path: Path):
    """The first begins at random and ends far above that; the others let what it learned play, also against itself."""
    programs = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for name, program in zip(("learn.py", "evaluate.py", "learned.py"), programs, strict=True):
        (tmp_path / name).write_text(program, encoding="utf-8")

    def said(*command: str) -> str:
        command = (sys.executable, *command)
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    shares = [int(share) for share in re.findall(r"^round \d+: won (\d+)% ", said("learn.py"), re.MULTILINE)]
    assert len(shares) == 12 and 40 < shares[0] < 60 and shares[-1] > 80
    assert int(said("evaluate.py", "page", "20").split()[1]) > 14
    assert re.fullmatch(r"won \d of 4 games against learned:Learned\n", said("evaluate.py", "learned:Learned", "4"))


def test_the_table_of_the_page_has_the_sizes_of_every_game():
    rows = [[cell.strip() for cell in row.split("|")] for row in PAGE.read_text(encoding="utf-8").splitlines()]
    found = {row[1]: row[2:5] for row in rows if len(row) == 10}
    for game in quintain.all_games():
        if game.folder:
            sizes = (game.observation.size, game.observation_int8.size)
            assert found[game.title] == [*(f"{size:,}" for size in sizes), str(game.actions)]


def test_the_table_of_information_states_has_the_sizes_of_every_game():
    rows = [[cell.strip() for cell in row.split("|")] for row in PAGE.read_text(encoding="utf-8").splitlines()]
    found = {row[1]: row[2:6] for row in rows if len(row) == 7}
    for game in quintain.all_games():
        if game.folder:
            row = RecallRow(game, game.seats[2])
            (decisions, actions), (events, width), seen = row.decisions, row.events, game.observation.size
            parts = (f"{seen:,}", f"{decisions} x {actions}", f"{events} x {width}")
            assert found[game.title] == [*parts, f"{seen + decisions * actions + events * width:,}"]
