"""Prizes: a game may name what players win besides their ranks, and results, records and front ends show it."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match
from quintain.engine.rules import registry
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register, register_file
from quintain.engine.seen.result import result
from remade import remade
from tutorial import write_goofspiel

SEED = bytes(range(32))


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", {})


@pytest.fixture
def wagers(tmp_path: Path) -> Game:
    """Goofspiel in which the last pays the first a florin; its prizes also say whether they got hidden values."""

    def prizes(book: Any, s: Any, ranks: Sequence[int]) -> list[str]:
        if max(ranks) == 1:
            return []
        first, last = ranks.index(1), ranks.index(max(ranks))
        assert s.over and s.rng == [UNKNOWN] * 4
        return [f"seat {last} pays seat {first} a florin.", f"seat {first} drinks to it."]

    write_goofspiel(tmp_path / "goofspiel.py")
    plain = register_file(tmp_path / "goofspiel.py")
    words = SimpleNamespace(**{**vars(plain.text), "prizes": prizes})
    game = remade(plain, id="wagers", title="Wagers", text=words)
    register(game)
    return game


def finished(game: Game) -> Match:
    match = Match.new(game, 3, ["Ann", "Bo", "Cleo"], {"cards": 3}, SEED)
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[-1 if seat == 1 else 0].action)
    return match


def test_prizes_follow_from_the_ranks_and_name_the_players(wagers: Game):
    match = finished(wagers)
    assert match.outcome
    first, last = (match.names[match.outcome.ranks.index(rank)] for rank in (1, max(match.outcome.ranks)))
    assert match.outcome.prizes == (f"{last} pays {first} a florin.", f"{first} drinks to it.")
    assert result(match.names, match.outcome).endswith(f". {last} pays {first} a florin. {first} drinks to it.")
    assert match.record()["result"]["prizes"] == list(match.outcome.prizes)


def test_prizes_are_named_when_the_others_resign(wagers: Game):
    match = Match.new(wagers, 3, ["Ann", "Bo", "Cleo"], {"cards": 3}, SEED)
    match.resign(2)
    match.resign(0)
    assert match.outcome and match.outcome.prizes == ("Cleo pays Bo a florin.", "Bo drinks to it.")
    assert result(match.names, match.outcome) == (
        "Bo wins: Bo is the last one left. Cleo pays Bo a florin. Bo drinks to it."
    )
    assert Match.load(json.dumps(match.record())).outcome == match.outcome


def test_a_game_without_prizes_writes_none(wagers: Game):
    match = Match.new("kings-court", names=["Ann", "Bo"])
    match.resign(0)
    assert match.outcome and match.outcome.prizes == ()
    assert set(match.record()["result"]) == {"scores", "ranks", "reason"}
    assert result(match.names, match.outcome) == "Bo wins: Bo is the last one left."


def with_prizes(match: Match, prizes: list[str] | None) -> dict[str, Any]:
    """Return the record with other prizes, or none, and the right checksum."""
    record = match.record()
    record["result"].pop("prizes")
    if prizes is not None:
        record["result"]["prizes"] = prizes
    return {**record, "sha256": checksum(record)}


def test_the_prizes_of_a_record_are_named_anew_whatever_it_says(wagers: Game):
    match = finished(wagers)
    for false in (["Cleo pays Bo a crown."], [], [*match.record()["result"]["prizes"], "Ann goes home."]):
        assert Match.load(with_prizes(match, false)).record() == match.record()


def test_a_record_from_before_prizes_were_named_still_holds(wagers: Game):
    match = finished(wagers)
    again = Match.load(with_prizes(match, None))
    assert again.outcome == match.outcome and again.record() == match.record()
