"""The tutorial: its code is short and clean, its game is Goofspiel, and its commands run."""

import ast
import itertools
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from cli.sitting import Run
from quintain.cli import new_game
from quintain.engine.errors import BadOption, IllegalMove
from quintain.engine.play.match import Match
from quintain.engine.rules import registry
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file
from quintain.engine.rules.views import View
from tutorial import PAGE, blocks, kept_goofspiel, write_goofspiel

MOST_LINES = 140
LINE_LENGTH = 112
NAMES = ("Ann", "Bo", "Cleo", "Dan")
COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("quintain ")]


@pytest.fixture(scope="module")
def goofspiel(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("tutorial") / "goofspiel.py"
    write_goofspiel(path)
    return register_file(path)


def begin(game: Game, cards: int, seats: int = 2) -> Match:
    return Match.new(game, seats, NAMES[:seats], {"cards": cards})


def bid(match: Match, *rounds: Iterable[int]) -> None:
    """Let all bid, lowest seat first, round by round."""
    for cards in rounds:
        for seat, card in enumerate(cards):
            match.play(seat, f"bid {card}")


def keys(view: View, zone: str) -> list[str | None]:
    (found,) = (shown for shown in view.zones if shown.id == zone)
    return [piece.key for piece in found.pieces]


def points(match: Match) -> tuple[int, ...]:
    (line,) = (line for line in match.account() if line.words == "Points so far")
    return line.by_seat


def test_the_code_is_short(tmp_path: Path) -> None:
    """The names that it imports, one a line, count as one line."""
    write_goofspiel(tmp_path / "goofspiel.py")
    code = (tmp_path / "goofspiel.py").read_text()
    rulebook, *statements = ast.parse(code).body
    imports = [node for node in statements if isinstance(node, ast.ImportFrom)]
    lines = [line for line in code.splitlines()[rulebook.end_lineno :] if line.strip()]
    assert 50 < len(lines) - sum((node.end_lineno or 0) - node.lineno for node in imports) <= MOST_LINES


@pytest.mark.parametrize("check", [["check", "--extend-ignore", "D1"], ["format", "--check"]], ids=lambda c: c[0])
def test_the_code_is_clean(tmp_path: Path, check: list[str]) -> None:
    path = tmp_path / "goofspiel.py"
    write_goofspiel(path)
    config = ["--config", str(PAGE.parents[1] / "pyproject.toml"), "--config", f"line-length = {LINE_LENGTH}"]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *check, *config, "--no-cache", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_highest_bid_wins_the_prize(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    bid(match, (1, 3))
    assert points(match) == (0, 3)
    assert match.log(0)[-3:] == ["You showed the 1.", "Bo showed the 3.", "Bo won the prize of 3."]


def test_a_tie_discards_the_prize(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    bid(match, (2, 2))
    assert points(match) == (0, 0)
    for viewer in (0, 1, None):
        assert match.log(viewer)[-1] == "Nobody won the prize of 3."
    bid(match, (3, 1), (1, 3))
    assert match.outcome.scores == (2, 1)


@pytest.mark.parametrize(
    ("bids", "won"), [((7, 7, 9), (0, 0, 13)), ((9, 7, 9), (0, 0, 0)), ((9, 7, 7), (13, 0, 0)), ((7, 9, 8), (0, 13, 0))]
)
def test_of_three_bids_only_a_tie_for_the_highest_discards_the_prize(
    goofspiel: Game, bids: tuple[int, ...], won: tuple[int, ...]
) -> None:
    match = begin(goofspiel, cards=13, seats=3)
    bid(match, bids)
    assert points(match) == won


def test_prizes_come_up_in_descending_order(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=4)
    asked = []
    for card in (1, 2, 3, 4):
        asked.append(match.view(0).question.words)
        assert keys(match.view(0), "prizes") == [str(prize) for prize in range(5 - card, 0, -1)]
        bid(match, (card, card))
    assert asked == [f"Which card do you bid for the prize of {prize}?" for prize in (4, 3, 2, 1)]
    assert match.outcome


def test_cards_that_were_bid_are_spent(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    bid(match, (2, 3))
    assert [[move.text for move in match.moves(seat)] for seat in (0, 1)] == [["bid 1", "bid 3"], ["bid 1", "bid 2"]]
    assert keys(match.view(None), "hand.0") == ["1", "3"]
    with pytest.raises(IllegalMove, match="there is no 2 in your hand"):
        match.play(0, "bid 2")


def test_nobody_bids_twice_for_a_prize(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    match.play(1, "bid 2")
    assert match.to_act == {0}
    assert match.moves(1) == []
    assert match.view(1).menu == match.view(1).about == ()
    assert match.why_not(1, "bid 3").words == "you have no bid to make now"
    with pytest.raises(IllegalMove):
        match.play(1, "bid 3")


def test_the_view_counts_points_and_rounds_and_is_about_the_prize(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3, seats=3)
    bid(match, (1, 3, 2), (2,))
    for viewer in (0, 1, 2, None):
        view = match.view(viewer)
        assert [(score.number, score.rank) for score in view.scores] == [(0, 2), (3, 1), (0, 2)]
        assert (view.phase.key, view.phase.round, view.phase.rounds) == ("bid", 2, 3)
        assert view.about == (("prizes.0",) if viewer in (1, 2) else ())
    match.play(1, "bid 1")
    match.play(2, "bid 3")
    bid(match, (3, 2, 1))
    view = match.view()
    assert (view.phase.key, view.phase.round) == ("over", 3)
    assert tuple(score.number for score in view.scores) == match.outcome.scores


def test_the_last_bids_are_forced_but_made_like_the_others(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=2)
    bid(match, (2, 1))
    assert match.to_act == {0, 1}
    assert [choice.words for choice in match.view(0).menu] == ["bid 1"]
    assert match.outcome is None
    bid(match, (1, 2))
    assert match.outcome.scores == (2, 1)


def test_the_menu_lights_up_the_cards_of_the_own_hand(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    bid(match, (2, 3))
    view = match.view(1)
    touches = [(act.words, piece.id) for piece in view.pieces() for act in piece.acts]
    assert touches == [("bid 1", "hand.1.0"), ("bid 2", "hand.1.1")]
    assert view.acts == () and {piece.seat for piece in view.pieces() if piece.means} == {1}


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_nothing_tells_others_what_was_bid(goofspiel: Game, viewer: int | None) -> None:
    seen = []
    for card in (1, 2, 4):
        match = begin(goofspiel, cards=4, seats=3)
        bid(match, (3, 2, 3), (card,))
        seen.append((match.view(viewer), match.log(viewer), match.blinded(viewer), match.account(viewer)))
    assert seen[0] == seen[1] == seen[2]
    view, log, blinded, _ = seen[0]
    assert blinded.bid[:3] == [UNKNOWN, 0, 0]
    assert keys(view, "bid.0") == [None]
    assert keys(view, "bid.1") == []
    assert keys(view, "hand.0") == ["1", "2", "4"]
    assert log[-1] == "Ann placed a bid."


def test_a_player_sees_the_own_bid(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    bid(match, (2,))
    view = match.view(0)
    assert keys(view, "bid.0") == ["2"]
    assert keys(view, "hand.0") == ["1", "3"]
    assert match.blinded(0).bid[0] == 2


def test_bids_are_open_from_the_reveal_to_the_next_bid(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    bid(match, (2, 3))
    for viewer in (0, 1, None):
        assert [keys(match.view(viewer), f"bid.{seat}") for seat in (0, 1)] == [["2"], ["3"]]
    bid(match, (1,))
    assert [keys(match.view(1), f"bid.{seat}") for seat in (0, 1)] == [[None], []]


def test_the_account_of_a_round_stays_until_the_next_is_decided(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    assert match.account() == []
    bid(match, (2, 3), (1,))
    assert [(line.words, line.by_seat) for line in match.account(1)] == [
        ("Bids for the prize of 3", (2, 3)),
        ("Points so far", (0, 3)),
    ]


def test_a_redeal_puts_each_card_of_the_hand_in_the_place_of_a_hidden_bid(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=5)
    bid(match, (4, 4), (2,))
    guesses = []
    for seed in range(400):
        blinded = match.blinded(1)
        goofspiel.rules.redeal(match.book, blinded, seed)
        guesses.append(blinded.bid[0])
    assert set(guesses) == {1, 2, 3, 5}
    assert min(map(guesses.count, set(guesses))) > 60


def test_most_points_win_and_equal_points_share_a_rank(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3, seats=4)
    bid(match, (3, 2, 1, 1), (2, 3, 2, 2), (1, 1, 3, 3))
    scores, ranks = [0] * 4, [0] * 4
    goofspiel.rules.outcome(match.book, match.blinded(None), scores, ranks)
    assert scores == [3, 2, 0, 0]
    assert ranks == [1, 2, 3, 3]


def test_the_game_is_over_when_a_player_of_two_resigns_after_a_bid(goofspiel: Game) -> None:
    match = begin(goofspiel, cards=3)
    bid(match, (3,))
    match.resign(1)
    assert match.outcome.ranks == (1, 2)
    assert match.to_act == set()
    assert match.moves(0) == match.moves(1) == []
    assert match.view(1).question is None


@pytest.mark.parametrize("cards", ["1", "14", "x", ""])
def test_a_wrong_number_of_cards_is_refused(goofspiel: Game, cards: str) -> None:
    with pytest.raises(BadOption, match="from 2 to 13"):
        Match.new(goofspiel, options={"cards": cards})


def test_thirteen_cards_are_the_default(goofspiel: Game) -> None:
    assert len(Match.new(goofspiel).moves(0)) == 13


@pytest.mark.parametrize("seats", [1, 5])
def test_goofspiel_is_for_two_to_four(goofspiel: Game, seats: int) -> None:
    with pytest.raises(BadOption, match="2 to 4"):
        Match.new(goofspiel, seats)


@pytest.mark.parametrize("text", ["bid 3", " BID  3 "])
def test_moves_are_read_however_they_are_typed(goofspiel: Game, text: str) -> None:
    match = begin(goofspiel, cards=3)
    match.play(0, text)
    assert match.blinded(0).bid[0] == 3


@pytest.mark.parametrize("text", ["bid 0", "bid 14", "bid", "3", "bid -1"])
def test_what_is_no_bid_is_refused(goofspiel: Game, text: str) -> None:
    with pytest.raises(IllegalMove, match="no move of Goofspiel is written"):
        begin(goofspiel, cards=3).play(0, text)


def naive_scores(hands: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Score each seat's cards, in the order in which it bids them, without the rules of the page."""
    scores = [0] * len(hands)
    for prize, bids in zip(range(len(hands[0]), 0, -1), zip(*hands, strict=True), strict=True):
        if bids.count(max(bids)) == 1:
            scores[bids.index(max(bids))] += prize
    return tuple(scores)


@pytest.mark.parametrize("seats", [2, 3])
def test_every_game_of_three_cards_scores_as_a_naive_count_does(goofspiel: Game, seats: int) -> None:
    for hands in itertools.product(itertools.permutations((1, 2, 3)), repeat=seats):
        match = begin(goofspiel, cards=3, seats=seats)
        bid(match, *zip(*hands, strict=True))
        scores = naive_scores(hands)
        assert match.outcome.scores == scores
        assert match.outcome.ranks == tuple(1 + sum(other > score for other in scores) for score in scores)


def test_the_order_of_bidding_makes_no_difference(goofspiel: Game) -> None:
    matches = [begin(goofspiel, cards=3, seats=3) for _ in range(2)]
    for cards in ((3, 1, 2), (2, 2, 1), (1, 3, 3)):
        for match, order in zip(matches, ((0, 1, 2), (2, 0, 1)), strict=True):
            for seat in order:
                match.play(seat, f"bid {cards[seat]}")
    assert matches[0].outcome == matches[1].outcome
    assert matches[0].outcome.scores == (3, 0, 0)


def test_the_page_says_how_to_take_the_code_out_of_it(tmp_path: Path) -> None:
    (command,) = (line for block in blocks("sh") for line in block.splitlines() if line.startswith("sed "))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tutorial.md").write_bytes(PAGE.read_bytes())
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    write_goofspiel(tmp_path / "written.py")
    taken, written = (ast.dump(ast.parse((tmp_path / name).read_text())) for name in ("goofspiel.py", "written.py"))
    assert taken == written


def test_a_new_package_begins_with_the_code_of_the_page(tmp_path: Path) -> None:
    write_goofspiel(tmp_path / "goofspiel.py")
    assert (new_game.TEMPLATE / "game.py").read_text(encoding="utf-8") == (tmp_path / "goofspiel.py").read_text()


def test_the_page_begins_with_a_rule_of_the_game() -> None:
    rule, _ = blocks("py")
    assert rule in "".join(blocks("python"))
    assert "@rule" in PAGE.read_text(encoding="utf-8").splitlines()[:10]


def test_the_test_on_the_page_passes(tmp_path: Path) -> None:
    write_goofspiel(tmp_path / "goofspiel.py")
    _, test = blocks("py")
    (tmp_path / "test_goofspiel.py").write_text(test, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_goofspiel.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(
    quintain: Run, monkeypatch: pytest.MonkeyPatch, nothing_compiles_on: None, command: str
) -> None:
    monkeypatch.chdir(kept_goofspiel().parent)
    monkeypatch.setattr(registry, "_games", {})
    _, *words = shlex.split(command.replace("-n 10000", "-n 20"))
    first_of_the_menu = "1\n" * 13
    done = quintain(*words, typed=first_of_the_menu)
    assert done.status == 0, done.err
    expected = {"play": ("wins", "draw"), "watch": ("wins", "draw"), "simulate": ("20 in ",), "check": ("passed",)}
    assert any(text in done.out for text in expected[words[0]])


def test_the_page_has_commands_to_play_to_watch_to_simulate_and_to_check() -> None:
    assert {shlex.split(command)[1] for command in COMMANDS} == {"play", "watch", "simulate", "check"}
