"""Bots choose legal actions, use only what their seat may know, and are decided by their seed, compiled or not."""

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import quintain
from conformance.cases import Case, seen_by, tutorial_game
from quintain.bots import Bot, Budget, greedy, level
from quintain.bots.playout import choose_greedily
from quintain.engine.rules.compiling.compiled import interpreted, is_warm
from quintain.engine.rules.contract import nth_action
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.seen.unknown import armed
from quintain.lab.simulation import simulate

BUDGET = Budget()
SCRIPT = """
import sys
import quintain
from quintain.bots import Budget, level

match = quintain.Match.new("kings-court", seed="ab" * 32)
players = [level("greedy").kind(match.game, seat) for seat in range(2)]
for _ in range(20):
    seat = min(match.to_act)
    match.play(seat, players[seat].choose(match.seen(seat), Budget()))
print(len(match.moves_made), "numba" in sys.modules, "numpy" in sys.modules)
"""


@pytest.fixture(scope="module", params=["kings-court", "goofspiel"])
def case(request: pytest.FixtureRequest) -> Case:
    tutorial_game()
    game = quintain.game(request.param)
    return Case(game, game.seats[2])


@pytest.fixture(scope="module")
def warm(case: Case) -> None:
    """Compile the greedy bot's choice for the game."""
    greedy.warm_up(case.game)
    assert is_warm(case.game, choose_greedily)


@pytest.fixture
def cold(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the compiled code of the game, and remove the limit of time."""
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(greedy, "PATIENCE", math.inf)
    assert not is_warm(case.game, choose_greedily)


def asked(case: Case, seed: int, most: int) -> Iterator[tuple[Any, Any, int]]:
    """Yield the book, the state and a seat to act, for some positions of a random game."""
    for book, s in case.sample(seed, most):
        for seat in seats_in(case.game.rules.to_act(book, s)):
            yield book, s, seat


def choices(case: Case, player: Bot, most: int) -> list[int]:
    return [player.choose(seen_by(case.game, book, s, seat), BUDGET) for book, s, seat in asked(case, 1, most)]


def check_choices(case: Case, player: Bot, most: int) -> None:
    """Check that a bot chooses legal actions, and does not change what it is given."""
    chosen = 0
    for book, s, seat in asked(case, 2, most):
        seen = seen_by(case.game, book, s, seat)
        before = book.pack(), seen.state.pack()
        assert player.choose(seen, BUDGET) in case.game.legal_actions(book, s, seat)
        assert (book.pack(), seen.state.pack()) == before
        chosen += 1
    assert chosen > 4


def test_random_chooses_legal_actions_and_changes_nothing(case: Case):
    check_choices(case, level("random").kind(case.game, 1), 50)


def test_greedy_chooses_legal_actions_and_changes_nothing_when_compiled(case: Case, warm: None):
    player = level("greedy").kind(case.game, 1)
    check_choices(case, player, 20)
    assert player.compiled is not None


def test_greedy_chooses_legal_actions_and_changes_nothing_when_not_compiled(
    case: Case, cold: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(greedy, "PATIENCE", 0.0)
    player = level("greedy").kind(case.game, 1)
    check_choices(case, player, 20)
    assert player.compiled is None and not is_warm(case.game, choose_greedily)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_seed_settles_all_choices(name: str, case: Case, warm: None):
    one, two, other = (choices(case, level(name).kind(case.game, seed), 24) for seed in (7, 7, 8))
    assert one == two != other


def test_greedy_chooses_the_same_compiled_and_not_compiled(
    case: Case, warm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fast = choices(case, level("greedy").kind(case.game, 2**63 - 1), 8)
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path))
    monkeypatch.setattr(greedy, "PATIENCE", math.inf)
    assert choices(case, level("greedy").kind(case.game, 2**63 - 1), 8) == fast and len(fast) > 3


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_choice_depends_on_nothing_that_is_hidden(name: str, case: Case, warm: None):
    untrue = 0
    for book, s, seat in asked(case, 3, 8):
        chosen = set()
        for seed in range(3):
            other = case.game.blinded(book, s, seat)
            case.game.rules.redeal(book, other, seed)
            untrue += other.pack() != s.pack()
            chosen.add(level(name).kind(case.game, 5).choose(seen_by(case.game, book, other, seat), BUDGET))
        assert len(chosen) == 1
    assert untrue > 3


def test_random_uses_nothing_that_is_unknown(case: Case):
    player, guarded = level("random").kind(case.game, 9), level("random").kind(case.game, 9)
    for book, s, seat in asked(case, 4, 4):
        seen = seen_by(case.game, book, s, seat)
        assert player.choose(seen, BUDGET) == guarded.choose(replace(seen, state=armed(seen.state)), BUDGET)


def test_random_chooses_every_legal_action_equally_often(case: Case):
    book, s = next(case.positions(5))
    (seat, *_), player = seats_in(case.game.rules.to_act(book, s)), level("random").kind(case.game, 3)
    seen, legal = seen_by(case.game, book, s, seat), case.game.legal_actions(book, s, seat)
    chosen = [player.choose(seen, BUDGET) for _ in range(300 * len(legal))]
    assert set(chosen) == set(legal)
    assert all(230 < chosen.count(action) < 370 for action in legal)


@pytest.mark.parametrize("game", quintain.all_games(), ids=lambda game: game.id)
@pytest.mark.parametrize("every", [1, 7, 64, 1000])
def test_the_legal_actions_are_counted_in_their_order(every: int, game: Game):
    legal = sorted({*range(0, game.actions, every), game.actions - 1})
    mask = [int(action in legal) for action in range(game.actions)]
    choose = interpreted(game, nth_action)
    assert [choose(mask, n) for n in range(len(legal))] == legal


def goofspiel_with_two_cards() -> tuple[Game, Any, Any]:
    game = tutorial_game()
    book, s = game.make_book(2, {"cards": 2}), game.state()
    game.rules.deal(book, s)
    return game, book, s


def test_greedy_prefers_what_wins_more_often():
    game, book, s = goofspiel_with_two_cards()  # to bid the 2 first cannot lose, to bid the 1 first cannot win
    for seat in (0, 1):
        chosen = [level("greedy").kind(game, seed).choose(seen_by(game, book, s, seat), BUDGET) for seed in range(20)]
        assert chosen.count(2) > 16


def test_greedy_beats_random_from_either_seat():
    court = quintain.game("kings-court")
    assert simulate(court, 30, ["greedy", "random"], {}, 1).shares[0] > 0.85
    assert simulate(court, 30, ["random", "greedy"], {}, 2).shares[1] > 0.85


def test_greedy_plays_without_numba_while_nothing_is_compiled(tmp_path: Path):
    shown = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "QUINTAIN_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (shown.stdout, shown.stderr) == ("20 False False\n", "")
