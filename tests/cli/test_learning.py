"""`quintain learn`: lessons at the prompt, for every game that has one."""

from pathlib import Path

import pytest

import quintain as package
from cli.sitting import Run, moves_in, saves
from conformance.cases import KUHN
from quintain.engine.names import with_names
from quintain.engine.play.lesson import lesson_of, script
from quintain.engine.rules.registry import game as find_game

TAUGHT = sorted(game.id for game in package.all_games() if game.folder and lesson_of(game))
LEARN = ("learn", "kings-court", "--name", "Ann")


def one_line(text: str) -> str:
    """Return what was printed without line breaks and the frames of boxes."""
    return " ".join(text.replace("│", " ").split())


def test_learn_alone_lists_the_lessons_with_their_minutes(quintain: Run):
    shown = quintain("learn").out
    lesson = lesson_of(find_game("kings-court"))
    assert f"kings-court  King's Court, about {lesson.minutes} minutes, 13 moves" in shown
    assert all(f"\n{id_}  " in f"\n{shown}" for id_ in TAUGHT)


def test_a_game_without_a_lesson_says_which_commands_help(quintain: Run):
    shown = quintain("learn", "kuhn", "--game-file", KUHN)
    assert shown.status == 2 and shown.out == ""
    assert "has no lesson: `quintain learn` lists the games that have one" in one_line(shown.err)


@pytest.mark.parametrize("id_", TAUGHT)
def test_enter_shows_every_step_and_then_the_game_goes_on(quintain: Run, home: Path, id_: str):
    game = find_game(id_)
    steps, names = lesson_of(game).steps, ["Ann", "Page", "Page 2"]
    shown = quintain("learn", id_, "--name", "Ann", typed="\n" * len(steps))
    text = one_line(shown.out)
    assert shown.status == 0
    for number, step in enumerate(steps, 1):
        assert f"{number} of {len(steps)}: {step.title} " in text
        assert with_names(names, step.words) in text
    assert "The lesson is over: from here on the choice is yours. You play against Page" in text
    assert moves_in(saves(home)[0])[: len(script(lesson_of(game)))] == [due.move for due in script(lesson_of(game))]


@pytest.mark.parametrize("id_", TAUGHT)
def test_the_moves_can_be_typed_as_the_lesson_writes_them(quintain: Run, home: Path, id_: str):
    lesson = lesson_of(find_game(id_))
    typed = [with_names(["Ann", "Page", "Page 2"], step.move) if step.move else "" for step in lesson.steps]
    shown = quintain("learn", id_, "--name", "Ann", typed="\n".join(typed) + "\n")
    assert "The lesson is over" in shown.out and "the lesson wants another one" not in one_line(shown.out)
    assert moves_in(saves(home)[0])[: len(script(lesson))] == [due.move for due in script(lesson)]


def test_a_legal_move_that_the_lesson_does_not_want_is_answered_with_the_reason(quintain: Run, home: Path):
    shown = one_line(quintain(*LEARN, typed="\nput -2 on Artois\n1\n").out)
    step = lesson_of(find_game("kings-court")).steps[1]
    wanted = f"the lesson wants another one: {step.move}. {step.words}"
    assert shown.count(wanted) == 2
    assert moves_in(saves(home)[0]) == []


def test_an_illegal_move_gets_the_usual_reason_with_its_clause(quintain: Run):
    shown = one_line(quintain(*LEARN, typed="\nput +5 on Febrois\nput +5 on the moon\n").out)
    assert "counters are put house by house, and Artois is next (KC-4)" in shown
    assert "No move of King's Court is written 'put +5 on the moon'" in shown
    assert "the lesson wants another one" not in shown


def test_leaving_goes_on_as_a_usual_game(quintain: Run, home: Path):
    shown = quintain(*LEARN, typed="leave\nput -2 on Artois\nleave\nshow\n" + "1\n" * 3).out
    assert "You have left the lesson. You play against Page." in one_line(shown)
    assert "The lesson is over already" in shown and "The lesson is over: the choice is yours" in shown
    assert " of 18: " not in shown.partition("> leave")[2]
    assert moves_in(saves(home)[0])[0] == "put -2 on Artois"


def test_a_move_taken_back_brings_its_step_back(quintain: Run, home: Path):
    shown = quintain(*LEARN, typed="\nshow\nundo\n").out
    assert shown.count(" 2 of 18: ") == 2 and shown.count(" 3 of 18: ") == 1
    assert moves_in(saves(home)[0]) == ["put +5 on Artois", "undo"]


def test_help_names_the_commands_of_a_lesson_and_table_shows_the_step_again(quintain: Run):
    shown = quintain(*LEARN, typed="help\ntable\n").out
    assert "show             see the move of this step made\n" in shown and "why MOVE " in shown
    assert shown.count("(nothing) ") == 1
    assert shown.count(" 1 of 18: ") == 2


def test_a_lesson_that_is_left_can_be_played_to_the_end_and_is_kept_as_a_record(quintain: Run, home: Path):
    shown = quintain(*LEARN, typed="\n" * 18 + "1\n" * 200).out
    assert "wins:" in shown or "A draw" in shown
    assert len(list((home / "data" / "records").glob("kings-court-*"))) == 1
