"""Finished games replay to the byte: a change of the rules that breaks one raises the rules version on purpose."""

import json
from pathlib import Path

import pytest

import quintain

RECORDS = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_replays_to_the_byte(path: Path):
    document = json.loads(path.read_text(encoding="utf-8"))
    assert quintain.Match.load(path.read_bytes()).record() == document


def test_every_game_has_golden_records_of_its_present_version():
    versions = {(document["game"], document["version"]) for document in (json.loads(p.read_text()) for p in RECORDS)}
    built_in = [game for game in quintain.all_games() if game.module.__name__.startswith("quintain.games.")]
    assert versions == {(game.id, game.version) for game in built_in}
