"""Taking back in a game where one seat moves in secret and the other openly: whose moves forbid it to whom."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quintain.engine.errors import CannotUndo
from quintain.engine.play.match import Match
from quintain.engine.rules import registry
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.linking import rule
from quintain.engine.rules.registry import register_file
from remade import remade
from tutorial import write_goofspiel

SECRETIVE, OPEN = 0, 1


@rule
def play(book: Any, s: Any, seat: int, action: int) -> None:
    """Let seat 0 change its bid in secret, and seat 1 openly; both may always act."""
    if seat == SECRETIVE:
        s.bid[seat] = action
    else:
        s.shown[seat] = action


@rule
def hide(book: Any, s: Any, seat: int) -> None:
    """Hide the bid of seat 0, and whether it has bid at all."""
    if seat != SECRETIVE:
        s.bid[SECRETIVE] = UNKNOWN


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr(registry, "_games", {})
    write_goofspiel(tmp_path / "goofspiel.py")
    game = register_file(tmp_path / "goofspiel.py")
    rules = SimpleNamespace(**{**vars(game.module), "play": play, "hide": hide})
    return Match.new(remade(game, rules=rules), 2, ["Ann", "Bo"], {"cards": 4}, bytes(32))


def test_a_secret_move_cannot_be_taken_back_after_its_seat_saw_another_move(match: Match):
    match.play(SECRETIVE, 2)
    assert match.can_undo(SECRETIVE)
    match.play(OPEN, 3)
    assert not match.can_undo(SECRETIVE)
    with pytest.raises(CannotUndo):
        match.undo(SECRETIVE)


def test_an_open_move_cannot_be_taken_back_after_another_seat_moved_in_secret(match: Match):
    match.play(OPEN, 3)
    match.play(SECRETIVE, 2)
    assert not match.can_undo(OPEN)


def test_a_secret_move_can_be_taken_back_while_it_is_the_last_whatever_came_before(match: Match):
    match.play(OPEN, 3)
    match.play(SECRETIVE, 2)
    match.undo(SECRETIVE)
    assert match.seen(SECRETIVE).state.bid[SECRETIVE] == 0
