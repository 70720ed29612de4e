"""The figures of a report: minutes, leads, skill, options and differences come out right."""

import math

import pytest

import quintain
from conformance.cases import tutorial_game
from quintain.bots.playout import POLICY_BOT
from quintain.engine.rules.game import Game
from quintain.lab import chapters
from quintain.lab.compare import difference
from quintain.lab.pages import Chapter, ReportPage, TextTable, html, markdown
from quintain.lab.pairings import Pairing
from quintain.lab.report import games_of_report, report, values_to_try, whole_report
from quintain.lab.skill import strengths
from quintain.lab.watched import POINTS, Trajectory, Usage, Watched

FIRST, HIGH = "lab.test_report:First", "lab.test_ladder:High"


def pairing(name: str, other: str, share: float, games: int = 1000) -> Pairing:
    return Pairing(name, other, games, share, (0.0, 1.0))


def test_minutes_count_each_choice_by_the_actions_and_each_forced_move():
    watched = Watched(games=2)
    watched.menus.update({1: 60, 2: 30, 8: 10})
    assert watched.forced == 60 and watched.decisions == 100
    assert chapters.minutes(watched) == pytest.approx((60 * 1 + 30 * (5 + 3) + 10 * (5 + 9)) / 60 / 2)
    assert chapters.mean_menu(watched) == pytest.approx((30 * 2 + 10 * 8) / 40)


def test_usage_adds_up_over_games():
    one = Usage(available=3, used=1, holders=1, users=1, held_won=0.5, used_won=0.5)
    one.add(Usage(available=2, used=0, holders=1, users=0, held_won=1.0, used_won=0.0))
    assert one == Usage(available=5, used=1, holders=2, users=1, held_won=1.5, used_won=0.5)


def test_strengths_are_those_that_explain_the_shares():
    found = {one.bot: one for one in strengths([pairing("a", "b", 10 / 11), pairing("b", "c", 10 / 11)])}
    assert list(found) == ["a", "b", "c"] and found["c"].points == 0
    assert found["b"].points == pytest.approx(400, abs=2) and found["a"].points == pytest.approx(800, abs=4)
    error = math.sqrt(1 / (1001 * (10 / 11) * (1 / 11))) * 400 / math.log(10)
    low, high = found["b"].interval
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.02)
    assert found["c"].interval == (0, 0) or max(map(abs, found["c"].interval)) < 1e-6


def test_a_bot_that_always_wins_is_a_finite_way_ahead():
    best, worst = strengths([pairing("a", "b", 1.0, games=40)])
    assert 400 < best.points < 1000 and worst.points == 0 and best.interval[0] > 100


def test_twice_the_games_narrow_the_interval():
    def width(games: int) -> float:
        low, high = strengths([pairing("a", "b", 0.7, games)])[0].interval
        return high - low

    assert width(200) == pytest.approx(width(100) / math.sqrt(2), rel=0.02)


def test_a_difference_of_shares_has_the_interval_of_newcombe():
    """The example of his paper, method 10: 56 of 70 against 48 of 80."""
    assert [round(bound, 4) for bound in difference((48 / 80, 80), (56 / 70, 70))] == [0.0524, 0.3339]
    low, high = difference((0.5, 100), (0.5, 100))
    assert low == pytest.approx(-high) and low < 0 < high


def test_the_course_of_a_game_ends_with_the_win(goofspiel: Game):
    found = report(goofspiel, 30, ["greedy", "random"], {"cards": 6}, 2)
    trajectories = found.watched.trajectories
    assert len(trajectories) == 30
    for trajectory in trajectories:
        if trajectory.decided is None:
            assert trajectory.curve == ()
        else:
            assert len(trajectory.curve) == POINTS and trajectory.curve[-1] == 1.0 and 0 <= trajectory.decided <= 1
    start = [trajectory.curve[0] for trajectory in trajectories if trajectory.curve]
    assert 0.3 < sum(start) / len(start) < 0.7


def test_a_game_without_luck_or_choice_never_changes_its_leader():
    """With two cards and bots that bid the same, all is tied from the first decision to the last."""
    found = report(tutorial_game(), 5, [HIGH, HIGH], {"cards": 2}, 1)
    assert {trajectory.lead_changes for trajectory in found.watched.trajectories} == {0}
    assert {trajectory.decided for trajectory in found.watched.trajectories} == {None}
    assert found.summary.drawn == 5 and chapters.decided_at(found.watched) is None


def test_a_whole_report_tries_the_values_of_options_and_levels():
    game, told = tutorial_game(), list[int]()
    found = whole_report(game, 20, [POLICY_BOT] * 2, {}, 1, told.append, skill=2)
    assert sum(told) == games_of_report(game, 20, 2, {}, skill=2)
    tried = {value: summary for option, value, summary in found.options if option.name == "cards"}
    assert len(tried) >= 3 and all(summary.games == 10 for summary in tried.values())
    assert all(summary.length == 2 * value for value, summary in tried.items())
    assert len(found.skill) == 6
    tables = found.tables
    assert tables["actions"].filter(name="bid 2")["available"].item() == found.watched.actions["bid 2"].available
    assert tables["lengths"].rows() == [(26, 20)] and tables["seats"]["share"].sum() == pytest.approx(1)
    assert tables["options"].filter(option="cards")["decisions"].to_list() == [2 * value for value in tried]
    assert tables["skill"].height == 6 and tables["trajectories"].height == 20 and tables["cards"].is_empty()
    assert [option.name for option, _ in values_to_try(game, 2, {"cards": 5})] == []


def test_every_option_of_every_game_that_is_tried_can_be_played():
    for id_ in ("kings-court", "heirless", "robin", "rune-war", "round-table"):
        game = quintain.game(id_)
        for option, value in values_to_try(game, game.seats[2], {}):
            game.make_book(game.seats[2], game.read_options(game.seats[2], {option.name: value}))


def test_texts_of_a_page_are_escaped_in_both_forms():
    page = ReportPage("A & B", "<line>", [Chapter("One", ["x < y"], tables=[TextTable(("a|b", "n"), [("<i>", "1")])])])
    assert "A &amp; B" in html(page) and "&lt;i&gt;" in html(page) and "<i>" not in html(page)
    assert "| a\\|b |   n |\n| ---- | --: |\n| \\<i> |   1 |" in markdown(page)
    assert "\n\\<line>\n" in markdown(page)


def test_curves_show_the_median_and_half_of_the_games():
    watched = Watched(games=3, trajectories=[Trajectory(0, 0.5, (share,) * POINTS) for share in (0.2, 0.4, 0.9)])
    watched.menus.update({2: 3})
    chapter = chapters._course(watched)
    assert chapter.words[1].startswith("Half of the games are decided after 50%")
    assert chapter.charts[0][1]().count("<svg") == 1
