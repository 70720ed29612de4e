"""Finished games replay: a change of the rules that breaks one raises the rules version on purpose."""

import json
import re
from pathlib import Path

import pytest

import quintain

RECORDS = sorted((Path(__file__).parent / "golden").glob("*.json"))
WORDED = ("log", "moves", "sha256")
"""What may be worded anew under the same rules version."""


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_replays_to_the_same_result_by_the_same_moves(path: Path):
    document = json.loads(path.read_text(encoding="utf-8"))
    again = quintain.Match.load(path.read_bytes()).record()
    assert {**again, **dict.fromkeys(WORDED)} == {**document, **dict.fromkeys(WORDED)}
    assert len(again["log"]) == len(document["log"])
    for made, kept in zip(again["moves"], document["moves"], strict=True):
        assert {**made, "text": ""} == {**kept, "text": ""}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_log_of_a_golden_record_is_worded_for_spectators_so_it_never_says_you(path: Path):
    log = json.loads(path.read_text(encoding="utf-8"))["log"]
    assert [line for line in log if re.search(r"\byours?\b|\byou\b", line, re.IGNORECASE)] == []


def test_every_game_has_golden_records_of_its_present_version():
    versions = {(document["game"], document["version"]) for document in (json.loads(p.read_text()) for p in RECORDS)}
    built_in = [game for game in quintain.all_games() if game.module.__name__.startswith("quintain.games.")]
    assert versions == {(game.id, game.version) for game in built_in}
