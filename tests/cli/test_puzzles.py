"""`quintain puzzle` asks for a move, and says whether it is right, by how much, and what the puzzle is about."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import quintain as package
from cli.sitting import Run
from quintain.lab.puzzles import Puzzle, puzzles

if TYPE_CHECKING:
    import pexpect


@pytest.fixture
def puzzle(home: Path) -> Puzzle:
    return puzzles(package.game("kings-court"))[0]


@pytest.fixture
def solve(quintain: Run, puzzle: Puzzle) -> Callable[[str], str]:
    """Return a function that solves the puzzle with what somebody types, and returns all that is printed."""

    def typed(lines: str) -> str:
        ran = quintain("puzzle", "kings-court", "--id", puzzle.id, typed=lines)
        assert ran.status == 0, ran.err
        return ran.out

    return typed


def test_the_best_move_in_words_is_right(solve: Callable[[str], str], puzzle: Puzzle):
    shown = solve(f"{puzzle.best.text}\n")
    second = puzzle.candidates[1]
    assert f"Right: {puzzle.best.text} wins {puzzle.best.share:.0%}, and the next move, {second.text}," in shown
    assert f"Theme: {', '.join(puzzle.themes)}." in shown and "best, yours" in shown


def test_another_move_is_told_by_how_much_it_is_worse(solve: Callable[[str], str], puzzle: Puzzle):
    worst = puzzle.candidates[-1]
    shown = solve(f"{worst.text}\n")
    points = 100 * (puzzle.best.share - worst.share)
    assert f"Not the best: {puzzle.best.text} wins {puzzle.best.share:.0%}" in shown
    assert f"{points:.0f} points less." in shown
    for one in puzzle.candidates:
        assert f"{one.share:.1%}  {one.low:.1%} to {one.high:.1%}" in shown


def test_a_number_of_the_menu_is_an_answer(solve: Callable[[str], str], puzzle: Puzzle):
    number = [act.action for act in puzzle.seen.menu].index(puzzle.best.action) + 1
    assert "Right: " in solve(f"{number}\n")


def test_nothing_gives_the_answer_away_before_it_is_given(solve: Callable[[str], str], puzzle: Puzzle):
    shown = solve("")
    assert "Theme" not in shown and f"{puzzle.best.share:.1%}" not in shown and puzzle.seen.log[-1] in shown
    assert f"No answer. `quintain puzzle kings-court --id {puzzle.id}` asks again." in shown


def test_what_is_no_answer_is_explained_and_asked_again(solve: Callable[[str], str], puzzle: Puzzle):
    held = [move.text for move in puzzle.seen.moves]
    other = next(f"play Artois {rank}" for rank in range(1, 9) if f"play Artois {rank}" not in held)
    lines = ("99", "dance", other, f"why {other}", f"what {held[0]}", "help", "", "quit")
    shown = solve("\n".join(lines) + "\n")
    assert "There is no 99 in the menu: its numbers are 1 to" in shown
    assert "No move of King's Court is written 'dance'" in shown
    assert f"Nora cannot {other} now" in shown and "leave without an answer" in shown
    assert "No answer." in shown and "Right" not in shown


def test_without_a_game_it_is_the_puzzle_of_the_day(quintain: Run):
    assert ", puzzle " in quintain("puzzle").out


def test_the_list_names_every_puzzle_and_no_answer(quintain: Run, puzzle: Puzzle):
    shown = quintain("puzzle", "kings-court", "--list").out
    own = puzzles(package.game("kings-court"))
    assert all(one.id in shown for one in own) and puzzle.best.text not in shown
    lines = quintain("puzzle", "--json").out.splitlines()
    assert len(lines) == sum(
        len(puzzles(game)) for game in map(package.game, {json.loads(line)["game"] for line in lines})
    )


@pytest.mark.parametrize(
    "words, message",
    [
        (("puzzle", "kings-court", "--id", "zzz"), "King's Court has no puzzle 'zzz': `quintain puzzle kings-court"),
        (("puzzle", "--id", "zzz"), "a puzzle's id belongs to a game: type quintain puzzle GAME --id zzz"),
        (("puzzle", "chess"), "there is no game 'chess'"),
        (("puzzles", "mine", "robin", "-n", "1", "--out", "found.txt"), "ends in .json, not to found.txt"),
        (("puzzles", "mine", "robin", "-n", "1", "--out", "none/found.json"), "its folder is missing"),
    ],
)
def test_a_wrong_call_is_told_what_would_be_right(quintain: Run, words: tuple[str, ...], message: str):
    ran = quintain(*words)
    assert ran.status == 2 and message in ran.err


def test_a_check_prints_figures_and_fails_if_the_best_move_is_another(quintain: Run, puzzle: Puzzle):
    given = ("--id", puzzle.id, "--tries", "400", "--seed", "1", "--workers", "1")
    ran = quintain("puzzles", "check", "kings-court", *given)
    assert "1 of 1 confirmed. Page solves " in ran.out and ran.status == 0


def test_the_table_and_the_answer_fit_a_terminal(at_terminal: Callable[..., "pexpect.spawn[str]"], puzzle: Puzzle):
    child = at_terminal("puzzle", "kings-court", "--id", puzzle.id)
    child.expect("> ")
    child.sendline(puzzle.best.text)
    child.expect("Right: ")
    child.expect("Theme: ")
    child.wait()
    assert child.exitstatus == 0
