"""The game keeps the contract, and its rules do what they say."""

from quintain import Match
from quintain.conformance import check

from goofspiel import GAME

LAST_PRIZE = """
prize = 1
points = 3 2 0 0
hand[0] = 0 1 0 0 0 0 0 0 0 0 0 0 0 0  # Ann holds the 1
hand[1] = 0 0 1 0 0 0 0 0 0 0 0 0 0 0  # Bo holds the 2
"""


def test_the_higher_bid_wins_the_last_prize() -> None:
    match = Match.from_position(GAME, LAST_PRIZE, names=["Ann", "Bo"], options={"cards": 3})
    match.play(0, "bid 1")
    match.play(1, "bid 2")
    assert match.log(0)[-1] == "Bo won the prize of 1."
    assert match.outcome and match.outcome.scores == (3, 3)


def test_the_game_keeps_the_contract() -> None:
    failed = [f"{each.check.name}: {each.words}" for each in check(GAME) if each.state == "failed"]
    assert not failed, "\n".join(failed)
