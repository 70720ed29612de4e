"""Kuhn poker, a game in one file: its rules, its secrets, and chips as what a search plays for."""

import itertools
from pathlib import Path

import pytest

from conformance.cases import KUHN
from quintain.bots import Budget
from quintain.bots.ismcts import Ismcts
from quintain.engine.play.match import Match
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.lab import simulation

JACK, QUEEN, KING = range(3)
DEALS = list(itertools.permutations((JACK, QUEEN, KING), 2))
ROUNDS = {
    ("check", "check"): 1,
    ("bet", "call"): 2,
    ("check", "bet", "call"): 2,
}
"""Ways to come to a comparison of cards, and how many chips the lower card loses."""


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return register_file(KUHN)


def dealt(kuhn: Game, first: int, second: int) -> Match:
    return Match.from_position(kuhn, f"card = {first} {second}", names=["Ann", "Bo"])


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        (seat,) = match.to_act
        match.play(seat, move)
    return match


@pytest.mark.parametrize("cards", DEALS)
@pytest.mark.parametrize("moves", ROUNDS)
def test_the_higher_card_wins_after_two_checks_or_a_call(kuhn: Game, moves: tuple[str, ...], cards: tuple[int, int]):
    won = ROUNDS[moves] if cards[0] > cards[1] else -ROUNDS[moves]
    assert play(dealt(kuhn, *cards), *moves).outcome.scores == (won, -won)


@pytest.mark.parametrize(("moves", "scores"), [(("bet", "fold"), (1, -1)), (("check", "bet", "fold"), (-1, 1))])
def test_who_folds_loses_one_chip_whatever_the_cards(kuhn: Game, moves: tuple[str, ...], scores: tuple[int, int]):
    for cards in DEALS:
        assert play(dealt(kuhn, *cards), *moves).outcome.scores == scores


def test_each_sees_the_own_card_alone_until_the_end(kuhn: Game):
    match = dealt(kuhn, QUEEN, KING)
    assert [match.blinded(viewer).card for viewer in (0, 1, None)] == [[1, UNKNOWN], [UNKNOWN, 2], [UNKNOWN, UNKNOWN]]
    play(match, "bet", "fold")
    assert match.blinded(None).card == [QUEEN, KING]
    assert match.log(None)[-2:] == ["Ann had the queen.", "Bo had the king."]


def shares(game: Game, position: str, seat: int) -> dict[str, float]:
    """Return what a search expects of each move of a seat, as a share of what it plays for."""
    match = Match.from_position(game, position)
    search = Ismcts(game, 5, threads=1)
    return {
        match.moves(seat)[judged.action].text: judged.share for judged in search.judge(match.seen(seat), Budget(2000))
    }


def test_a_search_maximises_chips(kuhn: Game, tmp_path: Path):
    """With the jack a call loses for certain: two chips instead of one. By wins alone, that would be no worse."""
    facing_a_bet = "card = 2 0\nchips = 2 1\nturn = 1"
    by_chips = shares(kuhn, facing_a_bet, 1)
    assert by_chips == {"fold": 0.25, "call": 0.0}
    path = tmp_path / "wins.py"
    text = KUHN.read_text(encoding="utf-8").replace('"kuhn", "Kuhn poker"', '"kuhn-wins", "Kuhn poker by wins"')
    path.write_text(text.replace("def payoff(", "def unused("), encoding="utf-8")
    assert shares(register_file(path), facing_a_bet, 1) == {"fold": 0.0, "call": 0.0}


def test_a_search_calls_with_the_king_and_folds_with_the_jack(kuhn: Game):
    with_king = shares(kuhn, "card = 1 2\nchips = 2 1\nturn = 1", 1)
    assert with_king == {"fold": 0.25, "call": 1.0}


def test_a_simulation_gives_the_chips_of_random_play(kuhn: Game):
    """Half of the bets are folded: the first player wins a chip in a quarter of games, and loses one in an eighth."""
    summary = simulation.simulate(kuhn, 4000, ["random", "random"], {}, 7)
    assert summary.games == 4000 and (summary.shortest, summary.longest) == (2, 3)
    assert summary.scores[0] == pytest.approx(1 / 4 - 1 / 8, abs=0.1) and sum(summary.scores) == 0
