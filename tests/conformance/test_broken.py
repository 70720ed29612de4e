"""A game that breaks the contract fails the check that is about it, which says what is wrong and where."""

from pathlib import Path

import pytest

from conformance.cases import KUHN, POLICY
from quintain.conformance import CHECKS, cases_of, check
from quintain.conformance.suite import try_check
from quintain.engine.rules.registry import register_file
from tutorial import write_goofspiel

BID = "    tell(s, BID, seat)\n"
HERE = "here = sys.modules"
STORY = """def story(book, course):
    return Tale((GridRow("Points", numbers_of((99,) * book.seats), is_total=True),))
"""
OF_ONE = "resigned_seats_rank_last"
BROKEN = {
    "a bid that shows for a moment and that no event tells of": (
        "tell(s, SHOWN, seat, a=s.shown[seat])",
        "tell(s, SHOWN, seat)",
        "what_a_seat_has_noticed_is_in_its_numbers",
        "can tell two positions apart that are the same in its numbers",
    ),
    "a count of legal that is too high": ("return s.prize", "return s.prize + 1", "masks_are_right", "ones"),
    "a value above its bound": ("CARDS * (CARDS + 1) // 2", "20", "values_keep_to_their_declarations", "points"),
    "a ring that is too short": ("field(SEATS + 2)", "field(3)", "values_keep_to_their_declarations", "room for 3"),
    "an account that is nothing": (
        "return [bids, points] if blinded.prize < book.cards else []",
        "return None",
        "words_are_of_the_right_kind",
        "account must return a list of Line, perhaps an empty one, not None",
    ),
    "a view that spectators cannot have": (
        "    phase = Phase(",
        "    s = {0: s, 1: s, 2: s, 3: s}[seat]\n    phase = Phase(",
        "words_are_of_the_right_kind",
        "in view: KeyError: -1",
    ),
    "an account that fails at the end": (
        "return [bids, points] if",
        "bids = bids if 1 // blinded.prize + 1 else points\n    return [bids, points] if",
        "words_are_of_the_right_kind",
        "in account: ZeroDivisionError",
    ),
    "a zone without a size": (
        "tuple(pieces), size=len(pieces), words=words)",
        "tuple(pieces), size=None, words=words)",
        "words_are_of_the_right_kind",
        "Expected `int`, got `null` - at `$.zones[0].size`",
    ),
    "a phase that is none of the steps": (
        'Label("over", "over")',
        'Label("end", "over")',
        "views_hang_together",
        "the phase 'over' is none of its steps, bid, end",
    ),
    "a phase that is not the one of the view": (
        HERE,
        f"def phase(book, blinded, seat):\n    return Phase('over', (Label('over', 'over'),), 1)\n\n\n{HERE}",
        "views_hang_together",
        "the game tells the phase Phase(key='over'",
    ),
    "no theme of a puzzle": (
        HERE,
        f"def themes(book, blinded, seat, action):\n    return ()\n\n\n{HERE}",
        "every_best_move_has_themes",
        "themes must return a tuple of words, not ()",
    ),
    "themes that change the state": (
        HERE,
        f"def themes(book, blinded, seat, action):\n    blinded.prize = 0\n    return ('bluff',)\n\n\n{HERE}",
        "every_best_move_has_themes",
        "themes changes the state that it is given",
    ),
    "a story with another total": (
        HERE,
        f"from quintain.engine.play.story import GridRow, Tale, numbers_of\n\n\n{STORY}\n\n{HERE}",
        "stories_are_true",
        "the total of the story is (99, 99), but the final scores are",
    ),
    "an event with a number that is too large": (
        BID,
        "    tell(s, BID, seat, a=40000)\n",
        "values_keep_to_their_declarations",
        "State.events[0].a",
    ),
    "a book that is nothing": (
        'Book.from_json({"seats": seats, **options})',
        "None",
        "states_can_be_kept",
        "make_book must return a Book, not None",
    ),
    "an option that is refused with an error of Python": (
        "return Book.from_json(",
        "assert options['cards'] > 2\n    return Book.from_json(",
        "states_can_be_kept",
        "in make_book: AssertionError",
    ),
    "a parse that raises": (
        '" ".join(text.lower().split())',
        "text.lower().split()[1]",
        "words_are_of_the_right_kind",
        "in parse: IndexError",
    ),
    "a seat that cannot move": ("s.over = 1 if", "s.over = 0 if", "games_end_with_a_result", "has no legal action"),
    "a game that stops": (
        "s.over = 1 if s.prize == 0 else 0\n    s.waiting = 0 if s.over",
        "s.waiting = 0 if s.prize == 0",
        "games_end_with_a_result",
        "s.over is 0",
    ),
    "numbers that are larger than compiled ones": (
        "s.points[winner] += s.prize",
        "s.points[winner] += s.prize + ((1 << 61 + s.over) * 8 >> 63)",
        "both_forms_agree",
        "states differ",
    ),
    "chance from elsewhere": (
        "1 if s.prize == 0 else 0\n",
        "1 if s.prize == 0 else 0\n    s.points[0] += int(NOTES[0])\n    NOTES[0] += 1\n",
        "the_seed_settles_the_deal",
        "differ",
    ),
    "a game that is longer than declared": (
        "LONGEST, OUTCOMES = 4, 13, 14, 52, 1",
        "LONGEST, OUTCOMES = 4, 13, 14, 25, 1",
        "games_keep_to_their_longest",
        "a game has 26 actions, and LONGEST allows 25",
    ),
    "a draw with more outcomes than declared": (
        BID,
        BID + "    s.shown[seat] = rng.below(s.rng, CARDS)\n",
        "draws_keep_to_their_outcomes",
        "a draw has 13 outcomes, and OUTCOMES allows 1",
    ),
    "a draw whose outcomes cannot be counted": (
        BID,
        BID + "    s.shown[seat] = rng.draw(s.rng) % CARDS\n",
        "draws_keep_to_their_outcomes",
        "calls rng.draw",
    ),
    "a redeal of what is known": (
        "while s.bid[seat] == UNKNOWN:",
        "s.points[seat] = 0\n        while s.bid[seat] == UNKNOWN:",
        "a_redeal_changes_only_what_is_hidden",
        "points[",
    ),
    "a redeal that leaves something hidden": (
        "for seat in range(book.seats):\n        while",
        "for seat in range(1):\n        while",
        "a_redeal_fits_what_was_hidden",
        "bid[1]",
    ),
    "bids that are hidden from those who made them": (
        "if other != seat and s.bid",
        "if s.bid",
        "words_use_nothing_hidden",
        "was compared",
    ),
    "a view that looks at a secret": (
        "if card == UNKNOWN:",
        "if card > 6 or card == UNKNOWN:",
        "words_use_nothing_hidden",
        "game.py, line",
    ),
    "an event at which all is open": (
        BID,
        "    s.over = 1\n" + BID + "    s.over = 0\n",
        "nothing_shows_within_a_move",
        "bid[",
    ),
    "an event without tell": (BID, "    s.events_made += 1\n", "each_event_has_a_state_of_its_own", "tell"),
    "moves of one name": ('return f"bid {action}"', 'return f"bid {action // 2}"', "menus_read_back", "one name"),
    "a move that does not read back": ("range(1, ACTIONS)}", "range(2, ACTIONS)}", "menus_read_back", "bid 1"),
    "a seat without a name": (
        'f"seat {event.seat}")',
        'f"seat {event.seat + 9}")',
        "logs_name_players",
        "the log of a spectator says",
    ),
    "a capital on a seat in the view": (
        'f"Bid of seat {owner}"',
        'f"Seat {owner} bids"',
        "texts_name_the_players",
        "'Seat 0 bids'",
    ),
    "a wrong rank in the view": ("ranks[i]) for", "1) for", "views_hang_together", "ranks"),
    "a question about nothing": ('("prizes.0",)', '("prize",)', "views_hang_together", "prize"),
    "a policy that chooses what is not legal": (
        HERE,
        POLICY.replace("highest = card", "highest = 0").strip() + "\n\n\n" + HERE,
        "a_policy_knows_no_more_than_its_seat",
        "not legal",
    ),
}


def broken(tmp_path: Path, old: str, new: str) -> list:
    """Return the cases of a Goofspiel in which some text is replaced."""
    path = tmp_path / "game.py"
    write_goofspiel(path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    notes = '"""\n\nimport sys\n\nimport numpy\n\nNOTES = numpy.zeros(1, int)'
    path.write_text(text.replace(old, new).replace('"""\n\nimport sys', notes))
    return cases_of(register_file(path))


@pytest.mark.parametrize("slip", BROKEN)
def test_a_slip_is_found_and_explained(slip: str, tmp_path: Path):
    old, new, name, words = BROKEN[slip]
    result = try_check(CHECKS[name], broken(tmp_path, old, new))
    assert result.state == "failed"
    assert words in result.words and " seats" in result.words


def test_a_bid_that_shows_in_one_move_is_found_although_another_move_shows_and_replaces_it(tmp_path: Path):
    broken(tmp_path, BID, "    s.over = 1\n" + BID + "    s.over = 0\n")
    path = tmp_path / "game.py"
    path.write_text(path.read_text().replace("other != seat and s.bid[other] != NO_BID", "other != seat"))
    result = try_check(CHECKS["nothing_shows_within_a_move"], cases_of(register_file(path)))
    assert result.state == "failed" and result.cause.startswith("a spectator sees bid[")


def test_a_secret_choice_that_shows_while_it_is_made_is_found_with_two_seats(tmp_path: Path):
    two, *_ = broken(tmp_path, BID, "    s.over = 1\n" + BID + "    s.over = 0\n")
    result = try_check(CHECKS["nothing_shows_within_a_move"], [two])
    assert result.state == "failed" and "2 seats" in result.words and " sees bid[" in result.cause


def test_a_loop_without_end_is_stopped_at_its_line_and_ends_the_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cases = broken(tmp_path, "card if s.hand[seat][card] else UNKNOWN", "UNKNOWN")
    result = try_check(CHECKS["a_redeal_fits_what_was_hidden"], cases, seconds=0.5)
    assert result.state == "failed" and result.is_endless
    assert result.words.startswith("this has not ended after 0.5 s of computing: ")
    assert "line" in result.words and ", in redeal" in result.words and "after 1 move: seat " in result.words
    monkeypatch.setattr("quintain.conformance.suite.try_check", lambda check, cases: result)
    first, second, *_ = check(cases[0].game, cases, only="redeal")
    assert first is result and second.state == "skipped"
    assert second.words == "not tried, since a_redeal_fits_what_was_hidden does not end"


def test_a_game_that_never_ends_fails_at_once_in_matches_too(tmp_path: Path):
    path = tmp_path / "kuhn.py"
    path.write_text(KUHN.read_text(encoding="utf-8").replace("        s.over = 1\n", ""))
    for name in ("games_end_with_a_result", "undo_restores_every_byte"):
        result = try_check(CHECKS[name], cases_of(register_file(path)))
        assert result.cause.startswith("a random game has not ended after 20,000 moves: play must set s.over")


def test_a_game_for_one_passes(tmp_path: Path):
    cases = broken(tmp_path, "seats=(2, SEATS, 2)", "seats=(1, 1, 1)")
    path = tmp_path / "game.py"
    path.write_text(path.read_text().replace("seats: int = field(low=2", "seats: int = field(low=1"))
    results = [try_check(CHECKS[name], cases_of(register_file(path))) for name in ("resigning_ends_or_goes_on", OF_ONE)]
    assert str(cases[0].words) == "1 seat" and [result.state for result in results] == ["skipped", "passed"]


def test_what_a_bid_shows_at_once_is_a_note_for_the_author(tmp_path: Path):
    cases = broken(tmp_path, "if other != seat and s.bid", "if other > 9 and s.bid")
    result = try_check(CHECKS["choices_at_the_same_time_stay_secret"], cases)
    assert result.state == "passed" and result.words.startswith("others see at once who chose to: bid")


def test_chips_beyond_the_payoffs_are_found(tmp_path: Path):
    path = tmp_path / "kuhn.py"
    path.write_text(KUHN.read_text(encoding="utf-8").replace("PAYOFFS = -2, 2", "PAYOFFS = -1, 1"))
    result = try_check(CHECKS["payoffs_keep_to_their_bounds"], cases_of(register_file(path)))
    assert result.state == "failed" and "from -1.0 to 1.0" in result.words


def test_a_failure_tells_the_moves_that_led_to_it(tmp_path: Path):
    result = try_check(
        CHECKS["masks_are_right"], broken(tmp_path, "return s.prize", "return s.prize - (s.prize == 12)")
    )
    assert result.words.startswith(
        "legal returns 11 for seat 0, and its mask has 12 ones (2 seats, in the random game 1,"
    )
    assert "after 2 moves: seat " in result.words and ": bid " in result.words
