"""The lessons of our games: what they say is true of the table, as far as numbers and names can show it."""

import re

import pytest

import quintain
from quintain.bots import Budget, Ismcts
from quintain.engine.play.lesson import LEARNER, LessonStep, lesson_of, played
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.server.pages.rendering import environment
from server.samples import table_page

TAUGHT = [game for game in quintain.all_games() if game.folder and lesson_of(game)]
"""All games of the package: a test below holds that none lacks a lesson."""
NUMBER = re.compile(r"(?<![\w.])[+-]?\d+(?!\w)")


def numbers_on(match: Match) -> set[str]:
    """Return all numbers that the learner can read on the table, in its log and in its menu."""
    view = match.view(LEARNER)
    stats = [stat for piece in view.pieces() for stat in piece.stats]
    stats += [stat for side in view.scene.sides for stat in side.stats] if view.scene else []
    totals = [side.total for side in view.scene.sides] if view.scene else []
    found = {str(stat.number) for stat in stats} | {f"+{stat.number}" for stat in stats} | set(map(str, totals))
    found |= {str(each.number) for each in (*view.counts, *view.scores)}
    found |= {str(number) for zone in view.zones for number in (zone.size, len(zone.pieces))}
    words = [f"{piece.name} {piece.text} {piece.corner} {piece.cost} {piece.short}" for piece in view.pieces()]
    words += [line.words for line in view.scene.lines] if view.scene else []
    words += [act.words for act in view.menu] + [view.phase.note, str(view.phase.round), str(view.phase.rounds)]
    words += [view.question.words, view.question.help] if view.question else []
    words += match.log(LEARNER)[-8:]
    return found | set(NUMBER.findall(" ".join(words)))


def clause(game: Game, id_: str) -> str:
    """Return the text of a clause of the rulebook, with the tables and examples that follow it."""
    if not id_:
        return ""
    return game.text.rulebook().partition(f"**{id_}**")[2].partition("\n**")[0]


def unfounded(game: Game, step: LessonStep, known: set[str]) -> list[str]:
    """Return the numbers in the words of a step that stand neither on the table nor in the step's clause."""
    written = NUMBER.findall(clause(game, step.clause))
    return [number for number in NUMBER.findall(f"{step.title} {step.words}") if number not in known | set(written)]


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_every_number_in_a_lesson_stands_on_the_table_before_or_after_its_move_or_in_its_clause(game: Game):
    said, before = [], None
    for step, match in played(game, lesson_of(game)):
        now = numbers_on(match)
        if before:
            said.append((before[0].title, unfounded(game, before[0], before[1] | now)))
        before = step, now
    said.append((before[0].title, unfounded(game, before[0], before[1] | numbers_on(match))))
    assert [each for each in said if each[1]] == []
    assert len(said) == len(lesson_of(game).steps) > 9


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_a_step_that_names_a_move_points_at_a_piece_that_makes_it(game: Game):
    """If a piece of the table makes the learner's move, the step points at such a piece, or at one that it goes to."""
    for step, match in played(game, lesson_of(game)):
        pieces = [*match.view(LEARNER).pieces()]
        makers = [piece for piece in pieces if any(act.words == step.move for act in piece.acts)]
        targets = {act.target for piece in makers for act in piece.acts if act.words == step.move}
        if makers:
            assert set(step.at) & ({piece.id for piece in makers} | targets), step.title


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_the_page_draws_every_place_that_a_step_points_at(game: Game):
    for step, match in played(game, lesson_of(game)):
        page = environment().render_template("table_body.html", **table_page(match, LEARNER))
        assert [id_ for id_ in step.at if f'id="{id_}"' not in page] == [], step.title


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_a_lesson_ends_in_a_game_that_is_not_lost(game: Game):
    for _, match in played(game, lesson_of(game)):
        end = match
    tried = Ismcts(game, 1).judge(end.seen(LEARNER), Budget(simulations=5000))
    assert max(tried, key=lambda each: each.simulations).share > 0.42


def test_every_game_of_the_package_has_a_lesson():
    package = {game.id for game in quintain.all_games() if game.module.__name__.startswith("quintain.")}
    assert {game.id for game in TAUGHT} >= package and len(package) >= 5
