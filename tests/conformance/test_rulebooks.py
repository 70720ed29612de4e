"""A picture in a rulebook that shows what the game does not have fails the suite, with file and line."""

import types

import pytest

import quintain
from quintain.conformance import CHECKS, Case, Failed
from remade import remade

CHECK = CHECKS["the_rulebook_draws_pieces_of_the_game"]


def drawing(block: str) -> Case:
    """Return King's Court with another rulebook, which shows these pieces on its fourth line."""
    court = quintain.game("kings-court")
    text = types.SimpleNamespace(**vars(court.text))
    text.rulebook = lambda: f"# A\n\n```pieces\n{block}\n```\n"
    return Case(remade(court, text=text), 2)


@pytest.mark.parametrize(
    "block", ["artois-8 + castellia-1: two cards", "counter +5 (seal): a seal", "face down: a back"]
)
def test_pieces_that_the_game_has_pass(block: str):
    CHECK.of_game([drawing(block)])


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("artos-8: no such house", "line 4: King's Court has no piece 'artos-8'; there are artois"),
        ("artois-9: no such rank", "line 3: no view of some random games shows the piece 'artois-9'"),
    ],
)
def test_a_piece_that_the_game_does_not_have_fails_with_file_and_line(block: str, words: str):
    with pytest.raises(Failed, match="rulebook.md, " + words):
        CHECK.of_game([drawing(block)])
