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
