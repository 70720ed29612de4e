"""The ladders that docs/bots.md prints."""

import re
from pathlib import Path
from typing import NamedTuple

ROW = re.compile(r"^\| (\w+) +\| (\w+) +\| +(\d+) \| +([\d.]+)% \| +(.+?) +\|$")


class LadderRow(NamedTuple):
    """A row of a printed ladder; `heading` is the one above it, which is the title of a game or something else."""

    heading: str
    level: str
    other: str
    games: int
    percent: str
    interval: str


def ladder_rows() -> list[LadderRow]:
    """Return the rows of all ladders between levels that the page prints."""
    page = (Path(__file__).parents[1] / "docs" / "bots.md").read_text(encoding="utf-8")
    heading, found = "", []
    for line in page.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif row := ROW.match(line):
            level, other, games, percent, interval = row.groups()
            found.append(LadderRow(heading, level, other, int(games), percent, interval))
    return found
