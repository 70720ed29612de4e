"""Reports on games: who wins, how actions do, and the games' own counts."""

import math
import statistics
from collections.abc import Sequence

import pytest

import quintain
from conformance.cases import tutorial_game
from quintain.bots import Budget
from quintain.bots.playout import POLICY_BOT
from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.games.heirless import state as st
from quintain.lab.intervals import SURE, wilson
from quintain.lab.report import WATCHED, Counted, Report, report
from quintain.lab.simulation import simulate, simulate_games
from quintain.lab.watched import Usage

ROUNDS = {"random": (50_000, 0.45, 0.55), "greedy": (4_500, 0.40, 0.60)}
"""Tournaments of Robin in the Hood, of four rounds and more each that somebody wins, and the shares by RH-21."""


class HomeBody:
    """Keeps all Knights at home."""

    def __init__(self, game: Game, seed: int) -> None:
        pass

    def choose(self, seen: Seen, budget: Budget) -> int:
        return st.SEND + st.CASTLE + (seen.viewer or 0)


class Wolf:
    """Sends all to the Wolf Camp, places the first cards it may, and holds back."""

    def __init__(self, game: Game, seed: int) -> None:
        pass

    def choose(self, seen: Seen, budget: Budget) -> int:
        wanted = st.SEND + st.WOLF_CAMP
        return next((action for action in (wanted, st.PROPOSE_NOTHING) if action in seen.legal), seen.legal[0])


class First:
    """Chooses the first legal action."""

    def __init__(self, game: Game, seed: int) -> None:
        pass

    def choose(self, seen: Seen, budget: Budget) -> int:
        return seen.legal[0]


def own(bot: type) -> str:
    return f"{__name__}:{bot.__name__}"


def counted(found: Report, key: str) -> tuple[int, int | None]:
    total = found.counts[key, None]
    return total.number, total.of


def campaigns(games: int, seats: int, bot: str, seed: int) -> Report:
    return report(quintain.game("heirless"), games, [bot] * seats, {}, seed)


def test_an_action_is_counted_once_where_it_can_be_chosen_and_by_the_wins_of_those_who_choose_it():
    found = report(tutorial_game(), 4, [own(First), own(First)], {"cards": 3}, 1)
    assert found.watched.games == 4 and found.counts == {}
    times = {"holders": 8, "users": 8, "held_won": 4.0, "used_won": 4.0}
    assert found.watched.actions == {
        "bid 1": Usage(available=8, used=8, **times, chosen=8, even=pytest.approx(8 / 3)),
        "bid 2": Usage(available=16, used=8, **times, chosen=8, even=pytest.approx(8 / 3 + 8 / 2)),
        "bid 3": Usage(available=24, used=8, **times, chosen=0, even=pytest.approx(8 / 3 + 8 / 2)),
    }
    assert [found.watched.actions[f"bid {bid}"].times_even for bid in (1, 2, 3)] == pytest.approx([3, 1.2, 0])
    assert found.watched.menus == {3: 8, 2: 8, 1: 8} and found.watched.forced == 8


def test_compiled_games_are_those_of_a_simulation_and_the_first_of_them_are_tallied():
    told: list[int] = []
    arguments: tuple[Game, int, Sequence[str], dict[str, int], int] = (
        tutorial_game(), WATCHED + 20, [POLICY_BOT] * 2, {"cards": 3}, 5
    )  # fmt: skip
    found, simulated = report(*arguments, told.append), simulate(*arguments)
    assert found.watched.games == WATCHED and sum(told) == 2 * WATCHED + 20
    assert (found.summary.shares, found.summary.decisions) == (simulated.shares, simulated.decisions)
    assert (
        found.watched.actions["bid 3"].available <= 6 * WATCHED
        and sum(usage.used for usage in found.watched.actions.values()) == found.watched.decisions == 6 * WATCHED
    )


def test_knights_who_stay_at_home_are_counted_and_all_seats_share_every_win():
    found = campaigns(4, 3, own(HomeBody), seed=1)
    knights = 4 * 3 * 3 * 4
    assert counted(found, "sent.4") == (knights, knights) and counted(found, "sent.0") == (0, knights)
    assert [counted(found, f"place.{place}") for place in range(3)] == [(4, 4)] * 3
    assert found.summary.shares == pytest.approx((1 / 3,) * 3)
    assert counted(found, "bandits") == counted(found, "allied") == (0, 0)
    home = found.watched.actions["send a Knight to the mover's Castle"]
    assert (home.available, home.used) == (knights, knights)
    assert (home.users, home.used_won) == (4 * 3, pytest.approx(4))
    assert home.times_even == pytest.approx(7)
    assert found.watched.actions["send a Knight to another's Castle"].used == 0


def test_cards_are_counted_where_they_could_be_chosen_and_battles_by_who_won():
    found = campaigns(6, 3, own(Wolf), seed=2)
    battles, knights = 6 * 3, 6 * 3 * 3 * 4
    assert counted(found, "sent.1")[0] + counted(found, "sent.2")[0] == knights
    assert counted(found, "bandits")[1] == battles and counted(found, "allied") == (0, battles)
    actions = found.watched.actions
    assert sum(actions[f"attack with {card}"].used for card in CARDS) == battles * 3
    assert actions["attack with Feint"].available == actions["attack with Feint"].used == 6 * 3
    assert (actions["attack with Riposte"].available, actions["attack with Riposte"].used) == (battles * 3, 0)
    assert actions["defend with Riposte"].available == battles * 3


CARDS = ("Feint", "Thrust", "Cleave", "Charge", "Guard", "Riposte")


def test_a_report_depends_on_the_seed_alone():
    one, two, other = (campaigns(12, 4, "random", seed) for seed in (3, 3, 4))
    assert (one.watched, one.counts) == (two.watched, two.counts)
    assert one.counts != other.counts
    assert sum(counted(one, f"place.{place}")[0] for place in range(4)) >= 12


def test_the_watched_end_of_a_compiled_game_is_that_of_the_game_played_plainly():
    compiled, plain = (campaigns(8, 3, bot, seed=6) for bot in ("random", "quintain.bots.random:Random"))
    assert compiled.counts == plain.counts and compiled.watched == plain.watched


def dealt(n: int, bot: str, seed: int) -> dict[str, Counted]:
    found = report(quintain.game("robin"), n, [bot, bot], {"dealt": "on"}, seed)
    return {key: total for (key, _), total in found.counts.items()}


@pytest.mark.clause("RH-21")
def test_the_rounds_that_a_card_in_one_set_alone_has_won_add_up():
    counts = dealt(700, "random", 1)
    cards = [total for key, total in counts.items() if key.startswith("card.")]
    assert len(cards) == 64 and 0 < counts["rounds.drawn"].number < 0.25 * counts["rounds"].number
    decided = counts["rounds"].number - counts["rounds.drawn"].number
    characters = sorted((total.of or 0 for total in cards), reverse=True)[:48]
    assert sum(characters) / 48 == pytest.approx(decided * 2 * 0.25 * 0.75, rel=0.05)
    assert sum(total.number for total in cards) == pytest.approx(sum(total.of or 0 for total in cards) / 2, rel=0.05)


@pytest.mark.long
@pytest.mark.clause("RH-21")
@pytest.mark.parametrize("bot", ROUNDS)
def test_no_card_of_the_base_set_is_much_stronger_than_the_others(bot: str):
    games, least, most = ROUNDS[bot]
    counts = dealt(games, bot, 1)
    cards = {total.words: total.number / (total.of or 1) for key, total in counts.items() if key.startswith("card.")}
    assert len(cards) == 64 and counts["rounds"].number - counts["rounds.drawn"].number >= 4 * games
    assert {name: share for name, share in cards.items() if not least <= share <= most} == {}


def test_impossible_reports_are_refused():
    with pytest.raises(BadOption, match="2 to 6"):
        campaigns(1, 7, "random", seed=1)
    with pytest.raises(BadOption, match="takes 1 to"):
        campaigns(0, 3, "random", seed=1)
    with pytest.raises(BadOption, match="there is no bot 'oracle'"):
        campaigns(1, 3, "oracle", seed=1)


def summed(games: list[tuple[int, int | None]]) -> Counted:
    """Return the sums over games, each with its number and how far that is counted."""
    made = Counted("wins", None, games=len(games), of=None if games[0][1] is None else 0)
    for number, of in games:
        made.number += number
        made.of = None if of is None else (made.of or 0) + of
        made.number_squares += number**2
        made.of_squares += (of or 0) ** 2
        made.products += number * (1 if of is None else of)
    return made


def test_the_error_of_a_count_comes_from_games_and_not_from_the_parts_of_one_game():
    together, apart = summed([(4, 4), (0, 4)] * 50), summed([(1, 1), (0, 1)] * 200)
    assert (together.share, together.of) == (apart.share, apart.of) == (0.5, 400)
    assert together.weight == pytest.approx(99) and apart.weight == pytest.approx(399)
    assert together.interval == pytest.approx(wilson(0.5, 99)) and apart.interval == pytest.approx(wilson(0.5, 399))


def test_a_count_without_a_limit_is_a_mean_with_the_error_of_a_mean():
    numbers = [3, 5, 4, 8, 5]
    mean, error = statistics.mean(numbers), statistics.stdev(numbers) / math.sqrt(len(numbers))
    found = summed([(number, None) for number in numbers])
    assert (found.share, found.error) == pytest.approx((mean, error))
    assert found.interval == pytest.approx((mean - SURE * error, mean + SURE * error))


def test_a_count_of_one_game_has_the_interval_of_its_parts():
    assert summed([(2, 4)]).interval == pytest.approx(wilson(0.5, 4))


@pytest.mark.clause("RH-21")
def test_the_counts_of_a_report_are_those_of_all_games():
    found = report(quintain.game("robin"), 30, ["random"] * 2, {"dealt": "on"}, 7, watched=1)
    games = simulate_games(quintain.game("robin"), 30, ["random"] * 2, {"dealt": "on"}, 7)
    for key in ("rounds", "rounds.drawn", "card.5"):
        column, total = games[f"count_{key.replace('.', '_')}"].drop_nulls(), found.counts[key, None]
        assert (total.number, total.games, total.number_squares) == (column.sum(), len(column), (column**2).sum())
