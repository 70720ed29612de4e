"""Round Table: rows that work at a moment when a Knight leaves, is another player's, or is not alone. RT-33."""

import pytest

from games.round_table_positions import (
    ANN,
    BO,
    Side,
    names,
    owed_draws,
    play,
    position,
    strength,
    with_empty_decks,
)
from quintain.engine.errors import BadCards
from quintain.engine.play.match import Match
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import base_set, card_set


def summer(*sides: Side, cards: str = "") -> Match:
    return position(*sides, season=st.SUMMER, cards=cards)


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("target", ["Kay", "Bedivere"])
def test_besides_leaves_out_the_knight_that_is_meant_and_no_other_players(target: str) -> None:
    match = summer(Side("The Tournament", ["Agricol", "Knight Errant"]), Side("", ["Kay", "Bedivere"]))
    play(match, "play The Tournament", f"on {target} of Bo")
    assert names(match, "knights.0", ANN) == ["Agricol"] and "Knight Errant" in names(match, "hand.0", ANN)


@pytest.mark.clause("RT-33")
def test_besides_leaves_out_the_players_own_knight() -> None:
    match = summer(Side("The Tournament", ["Agricol", "Knight Errant"]), Side())
    play(match, "play The Tournament", "on Agricol")
    assert names(match, "knights.0", ANN) == ["Agricol", "Knight Errant"]


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(("knight", "draws"), [("Kay", [1, 0]), ("Balin", [1, 0])])
def test_a_card_on_a_knight_works_at_a_capture_although_the_knight_returns(knight: str, draws: list[int]) -> None:
    match = summer(Side("", [f"{knight} + Axe of the Wild Hunt @ Elmet"]), Side("", ["Kay"]))
    play(match, "pass", "pass")
    assert owed_draws(match) == draws and (knight in names(match, "hand.0", ANN)) == (knight == "Balin")


RESTLESS = """
[[knight]]
name = "Restless"
rp = 1
influence = 1
resistance = 1
types = ["Monarch"]
rows = [
  {{ when = "{when}", whom = "bearer", what = "return" }},
  {{ when = "{when}", whom = "you", if = "with Mount", what = "draw", amount = 1 }},
]
[[knight]]
name = "Jealous"
rp = 1
influence = 9
resistance = 1
rows = [{{ when = "{when}", whom = "others", what = "return" }}]
[[equipment]]
name = "Saddle"
rp = 1
influence = 0
resistance = 0
slot = "Mount"
rows = [{{ when = "{when}", whom = "you", what = "draw", amount = 2 }}]
"""


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(
    ("when", "place", "moves"),
    [
        ("attacks", "", ["send Restless", "attack Elmet"]),
        ("captures", " @ Elmet", ["pass", "pass"]),
        ("quested", "", ["play The Perilous Bridge", "on Restless"]),
        ("each winter", "", ["draw from the Main deck"]),
    ],
)
def test_a_knight_that_returns_leaves_last(when: str, place: str, moves: list[str]) -> None:
    side = Side("The Perilous Bridge", [f"Restless + Saddle{place}", "Kay + Rouncy @ Elmet"])
    season = st.WINTER if when == "each winter" else st.SUMMER
    match = position(side, Side("", ["Gawain"]), season=season, cards=RESTLESS.format(when=when))
    play(match, *moves)
    assert owed_draws(match) == [3, 0] and "Restless" in names(match, "hand.0", ANN)


@pytest.mark.clause("RT-26", "RT-33")
def test_a_knight_returned_by_another_knights_quest_still_draws_for_its_own() -> None:
    hand = "The Perilous Bridge, The Fair Unknown"
    match = summer(
        Side(hand, ["Jealous", "Restless + Saddle"]), Side("", ["Gawain"]), cards=RESTLESS.format(when="quest done")
    )
    play(
        match, "play The Perilous Bridge", "on Jealous", "play The Fair Unknown", "on Restless", "pass", "pass", "pass"
    )
    assert owed_draws(match) == [1 + 2 + 3, 0] and "Restless" in names(match, "hand.0", ANN)


BANE = """
[[redirect]]
name = "Bane"
rp = 0
rows = [
  { when = "played", whom = "bearer", what = "return" },
  { when = "played", whom = "you", if = "is Monarch", what = "draw", amount = 1 },
]
"""


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(("knight", "draws"), [("Mark", 1), ("Kay", 0)])
def test_a_redirect_asks_what_a_knight_is_before_it_returns_it(knight: str, draws: int) -> None:
    match = summer(Side("Bane"), Side("", [f"{knight} @ Elmet"]), cards=BANE)
    play(match, "play Bane", f"on {knight} of Bo")
    assert owed_draws(match) == [draws, 0] and names(match, "knights.1", BO) == []


@pytest.mark.clause("RT-26", "RT-33")
@pytest.mark.parametrize(("quest", "rp", "more"), [("The Questing Beast", 2, 1), ("The Fisher King", 3, 2)])
def test_a_quest_that_is_done_works_once_for_its_player(quest: str, rp: int, more: int) -> None:
    match = summer(Side(f"{quest}, Change of Heart", ["Kay", "Bedivere @ Elmet"]), Side("", ["Gawain"]))
    play(
        match, f"play {quest}", "on Kay", "play Change of Heart", "on Bedivere", f"join {quest}", "pass", "pass", "pass"
    )
    assert owed_draws(match) == [2 * rp + more, 0]
    name = quest.removeprefix("The ")
    assert f"Your {name} is over." in match.log(ANN) and f"Ann's {name} is over." in match.log(BO)


@pytest.mark.clause("RT-26", "RT-33")
def test_a_quest_that_is_done_works_for_each_knight_on_it() -> None:
    hand = "The Green Knight, Change of Heart"
    match = summer(Side(hand, []), Side("", ["Kay", "Bedivere @ Elmet"]))
    play(match, "play The Green Knight", "on Kay of Bo", "play Change of Heart", "on Bedivere of Bo")
    play(match, "join The Green Knight", "pass", "pass", "pass")
    assert owed_draws(match) == [0, 2 * (3 + 1)]
    assert base_set().cards["The Green Knight"].text == (
        "When this Quest is done, for each Knight on it, the player of that Knight draws 1 card."
    )


@pytest.mark.clause("RT-33")
def test_a_quest_works_for_each_knight_that_comes_onto_it() -> None:
    hand = "The White Hart, Change of Heart"
    match = summer(Side(hand, ["Kay", "Bedivere @ Elmet"]), Side())
    play(match, "play The White Hart", "on Kay", "play Change of Heart", "on Bedivere", "join The White Hart")
    assert sum(" next " in line for line in match.log(ANN)) == 2
    assert base_set().cards["The White Hart"].text.startswith("Whenever a Knight goes on this Quest, ")


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            'when = "always", whom = "own", if = "is Monarch", what = "influence", amount = 1',
            "only for rows on the bearer",
        ),
        (
            'when = "always", whom = "you", if = "with Mount", what = "capacity", amount = 1',
            "only for rows on the bearer",
        ),
        (
            'when = "quest done", whom = "you", if = "besides Monarch", what = "draw", amount = 1',
            "only for rows on the",
        ),
        ('when = "quest done", whom = "others", what = "return"', "does not say which"),
    ],
)
def test_only_rows_about_the_knight_on_a_quest_may_have_a_condition_on_that_knight(row: str, words: str) -> None:
    with pytest.raises(BadCards, match=words):
        card_set(f'[[quest]]\nname = "Vain"\nrp = 1\nrows = [{{ {row} }}]\n')


@pytest.mark.clause("RT-33")
def test_a_condition_of_a_quest_is_checked_for_each_knight_on_it() -> None:
    cards = (
        '[[quest]]\nname = "Trial"\nrp = 1\nrows = [\n'
        '{ when = "always", whom = "bearer", if = "is Monarch", what = "influence", amount = 2 }]\n'
    )
    match = summer(Side("Trial, Change of Heart", ["Mark", "Kay @ Elmet"]), Side(), cards=cards)
    play(match, "play Trial", "on Mark", "play Change of Heart", "on Kay", "join Trial")
    assert strength(match, ANN, "Mark") == (5, 4) and strength(match, ANN, "Kay") == (3, 2)


@pytest.mark.clause("RT-26", "RT-31")
@pytest.mark.parametrize("cards", [2, 3])
def test_draws_by_rows_do_not_count_against_the_decks(cards: int) -> None:
    match = summer(Side("The Fisher King", ["Kay"]), Side())
    play(match, "play The Fisher King", "on Kay")
    match = with_empty_decks(match, ANN, cards)
    play(match, "pass", "pass", "pass")
    assert owed_draws(match) == [3 + 2, 0]
    play(match, *["draw from the Main deck"] * cards)
    assert (match.outcome is not None) == (cards < 3), "two more draws by a row stop at the empty decks"
