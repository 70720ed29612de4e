"""Round Table: what cards say of moments, where a Knight leaves, is another player's, or is not alone. RT-33."""

import pytest

from games.round_table_positions import ANN, BO, Side, menu, names, play, position
from quintain.engine.match import Match
from quintain.games.round_table import state as st


def summer(*sides: Side, cards: str = "") -> Match:
    return position(*sides, season=st.SUMMER, cards=cards)


def owed_draws(match: Match) -> list[int]:
    return list(match._state.owed_draws[: match.seats])


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
def test_what_is_on_a_knight_speaks_of_a_capture_though_the_knight_returns_by_it(knight: str, draws: list[int]) -> None:
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
def test_who_is_returned_when_another_knights_quest_is_done_draws_for_its_own() -> None:
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
