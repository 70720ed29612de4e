"""Every game of ours passes the conformance suite, and skips only the checks of what it lacks."""

import pytest

from conformance.cases import CASES, GAMES, game_with_policy, over_cases
from quintain.conformance import CHECKS, Case, Check, Skipped
from quintain.conformance.forms import WORK, compare_forms

SMALL = {"goofspiel", "kuhn"}
ALL = set(GAMES)
LACKING = {
    "payoffs_keep_to_their_bounds": ALL - {"kuhn"},
    "a_policy_knows_no_more_than_its_seat": ALL - {"robin", "round-table"},
    "choices_at_the_same_time_stay_secret": {"kuhn"},
    "a_secret_choice_asks_nobody_anew": {"kuhn"},
    "no_pick_takes_a_question_away": {"kuhn"},
    "undo_restores_every_byte": SMALL,
    "undo_reveals_no_secret_steps": ALL - {"rune-war", "heirless"},
    "the_collection_holds_together": SMALL,
    "the_vocabulary_holds_the_base_set": ALL - {"heirless", "robin", "round-table"},
    "sets_made_by_chance_are_read_or_refused": ALL - {"heirless", "robin", "round-table"},
    "the_decks_hold_together": ALL - {"round-table"},
    "the_report_counts_each_thing_once": ALL - {"heirless", "robin"},
    **dict.fromkeys((name for name in CHECKS if "features" in name), ALL - {"heirless", "round-table", "rune-war"}),
    "every_best_move_has_themes": SMALL,
    "the_puzzles_can_be_read": SMALL,
    "the_lesson_plays_through": SMALL,
    "the_lesson_takes_minutes": SMALL,
    "the_lesson_gives_nothing_away": SMALL,
}
"""The games that lack what a check is about. They skip it; no other game does."""
OPEN_CHOICES = {"robin": {"keep", "deal", "choose"}, "round-table": {"keep", "mulligan"}, "rune-war": {"done"}}
"""The first words of moves that others may see at once, by the rules, while they choose themselves."""
OF_CASES = [check for check in CHECKS.values() if check.of_case]
OF_GAMES = [check for check in CHECKS.values() if check.of_game]


@over_cases
@pytest.mark.parametrize("check", OF_CASES, ids=lambda check: check.name)
def test_a_case_passes(check: Check, case: Case):
    lacking = case.game.id in LACKING.get(check.name, ())
    try:
        note = check.of_case(case)
    except Skipped as reason:
        assert lacking, f"{case} skips {check.name}: {reason}"
        pytest.skip(str(reason))
    assert not lacking, f"{case} has what {check.name} is about"
    if check.name == "choices_at_the_same_time_stay_secret":
        shown = set(note.partition(": ")[2].partition(";")[0].split(", ")) if note else set()
        assert shown <= OPEN_CHOICES.get(case.game.id, set())
    else:
        assert note is None


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("check", OF_GAMES, ids=lambda check: check.name)
def test_a_game_passes(check: Check, game: str):
    cases = [case for case in CASES if case.game.id == game]
    if game not in LACKING.get(check.name, ()):
        check.of_game(cases)
        return
    with pytest.raises(Skipped, match="the game has no"):
        check.of_game(cases)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_both_forms_agree_with_checked_bounds_too(game: str):
    compare_forms([case for case in CASES if case.game.id == game], 5 * WORK, boundscheck=True)


def test_a_policy_in_a_file_passes_the_check_of_policies():
    assert CHECKS["a_policy_knows_no_more_than_its_seat"].of_case(Case(game_with_policy(), 3)) is None


def test_every_check_says_what_it_demands_in_a_sentence():
    assert len(CHECKS) > 35
    for name, check in CHECKS.items():
        assert check.demand.endswith(".") and len(check.demand) > 20, name
