"""Lessons: how they are read, how their script is played and checked, and how far a match has followed it."""

import pytest

from conformance.cases import KUHN
from quintain import Match
from quintain.engine.errors import BadGame
from quintain.engine.play.lesson import Due, Lesson, Place, begun, expected, lesson_in, lesson_of, place, played, script
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game as find_game
from quintain.engine.rules.registry import register_file

COURT = "kings-court"
HEAD = f'minutes = 8\nseats = 2\nseed = "{"5a" * 32}"\n'
OTHERS = """others = [
    {seat = 0, move = "put +3 on Castellia"}, {seat = 0, move = "put +2 on De Bourgogne"},
    {seat = 0, move = "put +1 on Ellicta"}, {seat = 0, move = "put 0 on Febrois"},
    {seat = 1, move = "put +5 on Artois"},
]
"""
STEPS = f"""
[[steps]]
title = "Look"
words = "There are six houses."
at = ["houses", "seats"]
[[steps]]
title = "Put your +5"
words = "You hold the Artois 7."
at = ["hand.0.1"]
move = "put +5 on Artois"
clause = "KC-4"
[[steps]]
title = "Look again"
words = "There are five left."
[[steps]]
title = "Put your -2"
words = "You hold no Bellerophon."
move = "put -2 on Bellerophon"
{OTHERS}
"""
FIRST = 'first = [{seat = 1, move = "put -2 on Artois"}]\n'


@pytest.fixture
def court() -> Game:
    return find_game(COURT)


@pytest.fixture
def lesson(court: Game) -> Lesson:
    return lesson_in(HEAD + STEPS, court)


def test_a_game_without_the_file_has_no_lesson():
    assert lesson_of(register_file(KUHN)) is None


def test_a_game_reads_its_lesson_once(court: Game):
    assert isinstance(lesson_of(court), Lesson) and lesson_of(court) is lesson_of(court)


def test_the_steps_are_read_in_order(lesson: Lesson):
    assert [step.title for step in lesson.steps] == ["Look", "Put your +5", "Look again", "Put your -2"]
    assert lesson.steps[1].move == "put +5 on Artois" and lesson.steps[0].move is None
    assert lesson.steps[1].at == ("hand.0.1",) and lesson.steps[1].clause == "KC-4"
    assert (lesson.minutes, lesson.seats, lesson.options) == (8, 2, {})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('clause = "KC-4"', 'claus = "KC-4"', "lesson.toml, step 2: Object contains unknown field `claus`"),
        ('clause = "KC-4"', 'clause = "KC-99"', "step 2: the rulebook has no clause KC-99"),
        ('title = "Look again"', f'title = "{"x" * 41}"', "step 3: Expected `str` of length <= 40"),
        ('"There are five left."', f'"{"x" * 151}"', "step 3: Expected `str` of length <= 150"),
        ('words = "There are five left."\n', "", "step 3: Object missing required field `words`"),
        ('at = ["hand.0.1"]', 'at = "hand.0.1"', "step 2: Expected `array`, got `str` - at `$.at`"),
        ("{seat = 1,", "{seat = 2,", "step 4: there is no seat 2; the seats are 0 to 1"),
        ('move = "put +5 on Artois"\n', 'others = [{seat = 1, move = "x"}]\n', "step 2: others can move only after"),
        ("minutes = 8", "minutes = 0", "lesson.toml: Expected `int` >= 1"),
        ("minutes = 8", "hours = 8", "lesson.toml: Object contains unknown field `hours`"),
        ("minutes = 8", "minutes = ", "lesson.toml is not valid TOML: Invalid value (at line 1"),
        ('seed = "5a', 'seed = "5x', "lesson.toml: Expected `str` matching regex"),
        ("seats = 2", "seats = 3", "lesson.toml: King's Court is not played with 3 seats"),
        (STEPS, "steps = []", "lesson.toml: Expected `array` of length >= 1"),
    ],
)
def test_a_wrong_file_is_refused_with_its_step(court: Game, old: str, new: str, words: str):
    text = HEAD + STEPS
    assert old in text
    with pytest.raises(BadGame) as refused:
        lesson_in(text.replace(old, new), court)
    assert words in str(refused.value)


def test_wrong_options_are_refused_when_the_lesson_is_dealt(court: Game):
    lesson = lesson_in((HEAD + STEPS).replace("seats = 2", "seats = 2\noptions = {runes = 3}"), court)
    with pytest.raises(BadGame, match="the lesson of King's Court: King's Court has no option runes"):
        begun(court, lesson)


def test_a_match_of_a_lesson_has_its_seed_options_and_names(court: Game, lesson: Lesson):
    match = begun(court, lesson, ["Ann", "Page"], [None, "page"])
    same = Match.new(COURT, 2, ["Ann", "Page"], {}, "5a" * 32)
    assert match.position() == same.position() and match.names == ("Ann", "Page") and match.bots == (None, "page")


def test_the_script_has_every_move_with_its_step_and_whose_it_is(court: Game):
    moves = script(lesson_in(HEAD + FIRST + STEPS, court))
    assert moves[:3] == [
        Due(-1, 1, "put -2 on Artois", False),
        Due(1, 0, "put +5 on Artois", True),
        Due(3, 0, "put -2 on Bellerophon", True),
    ]
    assert moves[3] == Due(3, 0, "put +3 on Castellia", False) and len(moves) == 8


def test_playing_a_lesson_yields_each_step_with_the_match_before_it(court: Game, lesson: Lesson):
    seen = [(step.title, len(match.moves_made)) for step, match in played(court, lesson)]
    assert seen == [("Look", 0), ("Put your +5", 0), ("Look again", 1), ("Put your -2", 1)]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"put +5 on Artois"', '"put +5 on Febrois"', "step 2 (Put your +5): Player 1 cannot put +5 on Febrois now"),
        ('"put +5 on Artois"', '"PUT +5  on artois"', "must be written as in the menu, 'put +5 on Artois'"),
        ('"hand.0.1"', '"hand.0.9"', "step 2 (Put your +5): the learner sees no place 'hand.0.9' here; there are"),
        ('"put +3 on Castellia"', '"put +5 on Castellia"', "step 4 (Put your -2): Player 1 cannot put +5 on Castellia"),
    ],
)
def test_a_script_that_does_not_play_is_refused_with_its_step(court: Game, old: str, new: str, words: str):
    wrong = lesson_in((HEAD + STEPS).replace(old, new), court)
    with pytest.raises(BadGame) as refused:
        list(played(court, wrong))
    assert words in str(refused.value)


def test_a_step_before_which_only_the_rival_is_to_act_is_refused(court: Game):
    more = HEAD + STEPS + '[[steps]]\ntitle = "Read"\nwords = "All six are down."\n'
    with pytest.raises(BadGame, match=r"step 5 \(Read\): the learner, seat 0, must be to act here, and seat 1 is"):
        list(played(court, lesson_in(more, court)))


def followed(court: Game, lesson: Lesson, *moves: tuple[int, str]) -> Match:
    match = begun(court, lesson)
    for seat, move in moves:
        match.play(seat, move)
    return match


PLUS, MINUS, THEIRS = (0, "put +5 on Artois"), (0, "put -2 on Bellerophon"), (1, "put +5 on Artois")
FOUR = [(0, f"put {each}") for each in ("+3 on Castellia", "+2 on De Bourgogne", "+1 on Ellicta", "0 on Febrois")]


@pytest.mark.parametrize(
    ("moves", "there"),
    [
        ([], Place(0, 1, Due(1, *PLUS, True))),
        ([PLUS], Place(2, 3, Due(3, *MINUS, True))),
        ([PLUS, MINUS], Place(4, 4, Due(3, *FOUR[0], False))),
        ([PLUS, MINUS, *FOUR], Place(4, 4, Due(3, *THEIRS, False))),
        ([PLUS, MINUS, *FOUR, THEIRS], Place(4, 4, None)),
        ([THEIRS, PLUS], Place(2, 3, Due(3, *MINUS, True))),
        ([(0, "put 0 on Artois")], None),
        ([PLUS, (0, "put 0 on Bellerophon")], None),
        ([PLUS, MINUS, *FOUR, THEIRS, (1, "put 0 on Bellerophon")], None),
    ],
)
def test_the_place_of_a_match_says_what_is_done_and_what_is_due(
    court: Game, lesson: Lesson, moves: list[tuple[int, str]], there: Place | None
):
    match = followed(court, lesson, *moves)
    assert place(lesson, match) == there
    assert expected(lesson, match) == (there.due if there else None)


def test_a_move_before_the_first_step_is_due_first(court: Game):
    lesson = lesson_in(HEAD + FIRST + STEPS.replace(OTHERS, ""), court)
    match = begun(court, lesson)
    assert place(lesson, match) == Place(0, 0, Due(-1, 1, "put -2 on Artois", False))
    match.play(1, "put -2 on Artois")
    assert place(lesson, match) == Place(0, 1, Due(1, *PLUS, True))


def test_a_move_taken_back_is_due_again(court: Game, lesson: Lesson):
    match = followed(court, lesson, (0, "put 0 on Artois"))
    match.undo(0)
    assert place(lesson, match) == Place(0, 1, Due(1, *PLUS, True))


def test_a_match_that_is_resigned_has_left_its_lesson(court: Game, lesson: Lesson):
    match = followed(court, lesson, PLUS)
    match.resign(1)
    assert place(lesson, match) is None


def test_steps_to_be_read_after_the_last_move_are_shown_last(court: Game):
    lesson = lesson_in(HEAD + STEPS.replace(OTHERS, "") + '[[steps]]\ntitle = "Go on"\nwords = "Play on."\n', court)
    match = followed(court, lesson, PLUS, MINUS)
    assert place(lesson, match) == Place(4, 5, None)
