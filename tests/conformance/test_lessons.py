"""The checks of lessons find a slip in the script, a lesson that is too long, and words that give a card away."""

import pytest

from quintain.conformance import CHECKS, Case, lessons
from quintain.conformance.lessons import minutes
from quintain.conformance.suite import Checked, try_check
from quintain.engine.play.lesson import lesson_in, lesson_of, played
from quintain.engine.rules.registry import game as find_game

GAME = find_game("kings-court")
TEXT = (GAME.folder / "lesson.toml").read_text(encoding="utf-8")


def tried(monkeypatch: pytest.MonkeyPatch, check: str, old: str, new: str) -> Checked:
    """Return how a check of King's Court goes in whose lesson some text is replaced."""
    assert old in TEXT
    changed = lesson_in(TEXT.replace(old, new), GAME)
    monkeypatch.setattr(lessons, "lesson_of", lambda game: changed)
    return try_check(CHECKS[check], [Case(GAME, 2)])


@pytest.mark.parametrize(
    ("check", "old", "new", "words"),
    [
        ("the_lesson_plays_through", 'move = "play Artois 4"', 'move = "play Artois 3"', "cannot play Artois 3 now"),
        ("the_lesson_plays_through", '"supply.5"', '"supply.9"', "the learner sees no place 'supply.9'"),
        ("the_lesson_takes_minutes", "minutes = 7", "minutes = 11", "says that it takes 11 minutes: 5 to 10 are right"),
        ("the_lesson_takes_minutes", "minutes = 7", "minutes = 9", "says that it takes 9 minutes, and it needs about"),
    ],
)
def test_a_slip_in_a_lesson_is_found(monkeypatch: pytest.MonkeyPatch, check: str, old: str, new: str, words: str):
    result = tried(monkeypatch, check, old, new)
    assert result.state == "failed" and words in result.words


def test_words_that_name_a_hidden_card_are_found(monkeypatch: pytest.MonkeyPatch):
    steps = [step for step, _ in played(GAME, lesson_of(GAME))]
    _, match = next(played(GAME, lesson_of(GAME)))
    hidden = {piece.name for piece in match.view(1).pieces()} - {piece.name for piece in match.view(0).pieces()}
    card = min(name for name in hidden if name[-1].isdigit())
    result = tried(monkeypatch, "the_lesson_gives_nothing_away", steps[0].words, f"Your rival holds {card}.")
    assert result.state == "failed"
    assert f"names {card}, which the learner does not know" in result.words


def test_a_game_without_a_lesson_is_skipped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lessons, "lesson_of", lambda game: None)
    result = try_check(CHECKS["the_lesson_plays_through"], [Case(GAME, 2)])
    assert (result.state, result.words) == ("skipped", "the game has no lesson")


def test_a_lesson_needs_longer_with_more_words():
    longer = lesson_in(TEXT.replace('words = "', 'words = "so so '), GAME)
    assert minutes(longer) > minutes(lesson_of(GAME)) + 0.2
