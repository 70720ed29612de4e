"""`quintain net` prints what a net's file says of itself, and refuses what it cannot read."""

import dataclasses
import json
from pathlib import Path

import pytest

from cli.sitting import Run
from quintain.bots import net_files
from quintain.engine.rules.registry import game

COURT = game("kings-court").folder
assert COURT
SHIPPED = COURT / "nets" / "two.safetensors"


def with_metadata(file: Path, **said: str) -> Path:
    """Write the net of King's Court with other metadata."""
    net = net_files.read(SHIPPED)
    net_files.write(file, dataclasses.replace(net, metadata={**net.metadata, **said}))
    return file


def test_the_card_names_game_seats_recipe_cost_and_the_ends_of_the_curve(quintain: Run) -> None:
    shown = quintain("net", SHIPPED).out
    for words in (
        "kings-court, version 1",
        "528 inputs, layers of 192 and 128, 166 outputs",
        "1,000 rounds, 3,110 s",
        "512 games at a time, 64 actions each",
    ):
        assert words in shown
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in shown.splitlines() if line.startswith("|")]
    assert rows[0] == ["Round", "Random moves", "Its first self", "squire"]
    assert rows[3][:3] == ["25", "100.0%", "69.5%"] and rows[-1][0] == "1,000" and len(rows) == 15


def test_json_has_every_point_of_the_curve(quintain: Run) -> None:
    card = json.loads(quintain("net", SHIPPED, "--json").out)
    written = json.loads(net_files.read(SHIPPED).metadata["curve"])
    assert [list(point.values()) if isinstance(point, dict) else point for point in card["curve"]] == written
    assert card["seats"] == [2] and card["recipe"]["against"] == "squire"


def test_columns_without_an_opponent_are_left_out(quintain: Run, tmp_path: Path) -> None:
    file = with_metadata(tmp_path / "a.safetensors", curve="[[1, 0.5, null, null], [2, 0.75, null, null]]")
    rows = [line for line in quintain("net", file).out.splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in rows[0].split("|")[1:-1]] == ["Round", "Random moves"]
    assert "▅▇" in rows[2] and "75.0%" in rows[4]


def test_a_net_without_recipe_and_curve_has_a_card(quintain: Run, tmp_path: Path) -> None:
    ran = quintain("net", with_metadata(tmp_path / "a.safetensors", recipe="", curve="", rounds="", seats=""))
    assert ran.status == 0 and "528 inputs" in ran.out and "Round" not in ran.out and "Seats" not in ran.out


@pytest.mark.parametrize(
    ("key", "value"), [("curve", "[[1, 2]]"), ("recipe", "{}"), ("rounds", "many"), ("seats", "2,x"), ("options", "[]")]
)
def test_a_damaged_card_is_refused_by_its_key(quintain: Run, tmp_path: Path, key: str, value: str) -> None:
    file = with_metadata(tmp_path / "a.safetensors", **{key: value})
    ran = quintain("net", file)
    assert ran.status == 2 and f"what {file} says of its {key} is damaged" in ran.err


def test_a_file_that_holds_no_net_is_refused(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_text("nothing")
    assert "holds no net" in quintain("net", tmp_path / "a.safetensors").err
    assert "cannot be read" in quintain("net", tmp_path / "b.safetensors").err


def test_control_characters_of_a_file_do_not_reach_the_terminal(quintain: Run, tmp_path: Path) -> None:
    shown = quintain("net", with_metadata(tmp_path / "a.safetensors", game="\x1b[2Jcourt")).out
    assert "?[2Jcourt" in shown and "\x1b" not in shown
