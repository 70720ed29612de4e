"""How campaigns of Heirless battles go: what is counted."""

import pytest

from quintain.bots import Budget
from quintain.engine.errors import BadOption
from quintain.engine.game import Game
from quintain.engine.seen import Seen
from quintain.games.heirless import state as st
from quintain.lab import campaigns as lab


class HomeBody:
    """Keeps all Knights at home."""

    def __init__(self, game: Game, seed: int) -> None:
        pass

    def choose(self, seen: Seen, budget: Budget) -> int:
        return st.SEND + st.CASTLE + seen.seat


class Wolf:
    """Sends all to the Wolf Camp, places the first cards it may, and holds back."""

    def __init__(self, game: Game, seed: int) -> None:
        pass

    def choose(self, seen: Seen, budget: Budget) -> int:
        wanted = st.SEND + st.WOLF_CAMP
        legal = seen.legal
        return wanted if wanted in legal else st.PROPOSE_NOTHING if st.PROPOSE_NOTHING in legal else legal[0]


def test_who_stays_at_home_is_counted_there_and_shares_every_win():
    tally = lab.campaigns(4, 3, f"{__name__}:HomeBody", seed=1)
    assert tally.games == 4
    assert tally.sent == {lab.HOME: 4 * 3 * 3 * 4}
    assert {key: round(share, 9) for key, share in tally.won.items()} == {
        (kind, number): round(4 / 3, 9) for kind in ("seat", "place") for number in range(3)
    }
    assert tally.bandits.total() == tally.allied.total() == tally.offered.total() == 0


def test_cards_are_counted_where_they_could_be_chosen_and_battles_by_who_won():
    tally = lab.campaigns(6, 3, f"{__name__}:Wolf", seed=2)
    battles = 6 * 3
    assert tally.sent[lab.LOCATION] + tally.sent[lab.CAMP] == tally.sent.total() == battles * 3 * 4
    assert tally.bandits.total() == tally.allied.total() == battles and tally.allied[True] == 0
    for role in ("attack", "defend"):
        assert sum(tally.chosen[role, name] for name in CARDS) == battles * 3
    assert tally.offered["attack", "Feint"] == tally.chosen["attack", "Feint"] == 6 * 3
    assert tally.offered["attack", "Riposte"] == battles * 3 and tally.chosen["attack", "Riposte"] == 0
    assert tally.offered["defend", "Riposte"] == battles * 3


CARDS = ("Feint", "Thrust", "Cleave", "Charge", "Guard", "Riposte")


def test_the_shares_of_random_campaigns_add_up_and_depend_on_the_seed_alone():
    tally = lab.campaigns(12, 4, "random", seed=3)
    for kind in ("seat", "place"):
        assert sum(share for (one, _), share in tally.won.items() if one == kind) == pytest.approx(12)
    assert all(0 < tally.chosen[card] < tally.offered[card] for card in tally.chosen)
    assert tally == lab.campaigns(12, 4, "random", seed=3) != lab.campaigns(12, 4, "random", seed=4)


def test_campaigns_that_cannot_be_are_refused():
    with pytest.raises(BadOption, match="2 to 6"):
        lab.campaigns(1, 7, "random", seed=1)
    with pytest.raises(BadOption, match="at least one game"):
        lab.campaigns(0, 3, "random", seed=1)
