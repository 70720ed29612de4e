"""Draw the picture of the README: King's Court in mid-game, as the terminal shows it.

python docs/table.py
"""

import io
import random
import re
from pathlib import Path

from rich.console import Console

import quintain
from quintain.cli.table import Tabletop, menu

PLIES = 58


def main() -> None:
    """Write docs/table.svg."""
    chooser = random.Random(4)
    match = quintain.Match.new("kings-court", names=["Ann", "Bo"], seed=bytes([9]) * 32)
    while len(match.moves_made) < PLIES or 0 not in match.to_act:
        seat = min(match.to_act)
        match.play(seat, chooser.choice(match.moves(seat)).action)
    console = Console(
        record=True, width=96, height=44, force_terminal=True, color_system="truecolor", file=io.StringIO()
    )
    view = match.view(0)
    console.print(Tabletop(view, match.names, 0, match.log(0)[-6:], 3))
    console.print(f"\n[bold]{view.question.words}[/bold]")
    console.print(menu(view, short=False))
    picture = console.export_svg(title="quintain play kings-court")
    without_fonts = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    Path(__file__).with_suffix(".svg").write_text(without_fonts, encoding="utf-8")


if __name__ == "__main__":
    main()
