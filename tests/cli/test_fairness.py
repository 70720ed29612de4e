"""The balance of the cards of Robin in the Hood, as it is counted and told, and as it is."""

import re

import pytest

from cli.sitting import Run
from quintain.engine.errors import BadOption
from quintain.lab.fairness import fairness

LIMITS = {"random": (200_000, 0.45, 0.55), "greedy": (20_000, 0.40, 0.60)}
pytestmark = pytest.mark.usefixtures("kept_home")


@pytest.mark.clause("RH-21")
def test_rounds_are_counted_alike_for_the_same_seed_and_add_up():
    once, again = fairness(3000, "random", "", 1), fairness(3000, "random", "", 1)
    assert once == again and once != fairness(3000, "random", "", 2)
    assert once.rounds >= 3000 and 0 < once.drawn < 0.25 and len(once.cards) == 64
    decided = once.rounds * (1 - once.drawn)
    characters = sorted(once.cards, key=lambda fared: -fared.rounds)[:48]
    assert sum(fared.rounds for fared in characters) / 48 == pytest.approx(decided * 2 * 0.25 * 0.75, rel=0.02)
    assert sum(fared.rounds * fared.share for fared in once.cards) == pytest.approx(
        sum(fared.rounds for fared in once.cards) / 2, rel=0.02
    )


def test_the_command_prints_how_every_card_fares(quintain: Run) -> None:
    shown = quintain("cards", "balance", "-n", "2000", "--seed", "1").out
    assert re.search(r"^\d+ rounds by random, [\d.]+% of them drawn, seed 1$", shown, re.MULTILINE)
    shares = [float(share) for share in re.findall(r"\| +\d+ \| +([\d.]+)% \|", shown)]
    assert len(shares) == 64 and shares == sorted(shares, reverse=True)
    assert "| Robin Hood " in shown


@pytest.mark.long
@pytest.mark.clause("RH-21")
@pytest.mark.parametrize("bot", LIMITS)
def test_no_card_of_the_base_set_is_much_stronger_than_the_others(bot: str):
    rounds, least, most = LIMITS[bot]
    found = fairness(rounds, bot, "", 1)
    assert found.rounds >= rounds and len(found.cards) == 64
    assert [fared for fared in found.cards if not least <= fared.share <= most] == []


def test_only_bots_that_play_compiled_can_weigh_cards():
    with pytest.raises(BadOption, match="random or greedy"):
        fairness(10, "squire", "", 1)
    with pytest.raises(BadOption, match="over 0"):
        fairness(0, "random", "", 1)
