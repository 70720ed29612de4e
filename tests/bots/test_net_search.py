"""A search that asks a net tries what the net finds probable, believes what it expects, and keeps its budget."""

from pathlib import Path

import pytest

from bots.nets import random_net, stubborn_net
from quintain.bots import Budget, Ismcts, Player, level, net_files, net_search, net_tree
from quintain.bots.net import blank_memory
from quintain.bots.tree import WORLD, new_tree, set_root
from quintain.engine.play.match import Match
from quintain.engine.rules.compiling.compiled import load
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import Linker
from quintain.engine.rules.registry import game
from quintain.engine.rules.state import Record
from quintain.engine.seen.seen import Seen

SIMULATIONS = 60


@pytest.fixture(scope="module")
def court() -> Game:
    found = game("kings-court")
    load(net_tree.drivers(found))
    return found


def bot(of: Game, net: net_files.NetFile, folder: Path, threads: int = 1) -> net_search.NetSearch:
    """Return a bot that searches with a net."""
    file = folder / "a.safetensors"
    net_files.write(file, net)
    return net_search.bot_of(file)(of, 3, threads)


def middle(of: Game, moves: int = 12, seats: int | None = None) -> Seen:
    """Return what a seat with a choice sees in the middle of a game, in which each took its first action."""
    match = Match.new(of, seats, seed="05" * 32)
    while moves > 0 or len(match.seen(min(match.to_act)).legal) < 3:
        seat = min(match.to_act)
        match.play(seat, match.seen(seat).legal[0])
        moves -= 1
    return match.seen(min(match.to_act))


def test_it_tries_most_what_the_net_finds_probable(court: Game, tmp_path: Path):
    seen = middle(court)
    for wanted in seen.legal[:3]:
        judged = bot(court, stubborn_net(court, {wanted: 6.0}), tmp_path).judge(seen, Budget(simulations=200))
        assert {one.action for one in judged} == set(seen.legal)
        tried = {one.action: one.simulations for one in judged}
        assert tried[wanted] > 0.6 * sum(tried.values())


def test_it_believes_what_the_net_expects_for_the_seat_that_acts(court: Game, tmp_path: Path):
    seen = middle(court)
    # After one action the net is asked for whoever acts then, and says the same for either seat.
    for value in (0.5, -0.5):
        searcher = bot(court, stubborn_net(court, {}, value), tmp_path)
        for action in seen.legal:
            found = searcher.expect(seen, Budget(simulations=1), action)
            assert sorted(found) == pytest.approx([0.25, 0.75])
            after = seen.state.copy()
            court.rules.redeal(seen.book, after, 0)
            court.rules.play(seen.book, after, seen.seat, action)
            acting = court.rules.to_act(seen.book, after)
            own = 0.5 + value / 2 if acting == 1 << seen.seat else 0.5 - value / 2
            assert found[seen.seat] == pytest.approx(own)


def test_at_the_end_of_the_game_it_counts_what_each_seat_has_won(court: Game, tmp_path: Path):
    match = Match.new(court, seed="06" * 32)
    while match.to_act:
        seat = min(match.to_act)
        last = match.seen(seat)
        match.play(seat, last.legal[0])
    found = bot(court, stubborn_net(court, {}, 0.0), tmp_path).expect(last, Budget(simulations=4))
    assert match.outcome is not None
    won = [1.0 if rank == 1 else 0.0 for rank in match.outcome.ranks]
    assert list(found) == pytest.approx([each / sum(won) for each in won])


def test_equal_seeds_search_equally_with_any_number_of_threads(court: Game, tmp_path: Path):
    seen, budget = middle(court), Budget(simulations=12_000)
    one, two = (bot(court, random_net(court), tmp_path, threads).judge(seen, budget) for threads in (1, 2))
    assert one == two and sum(each.simulations for each in one) == 12_000


def test_it_plays_a_whole_game_and_keeps_its_budget_of_a_turn(court: Game, tmp_path: Path):
    match, own = Match.new(court, seed="07" * 32), bot(court, random_net(court), tmp_path)
    while match.to_act:
        seat = min(match.to_act)
        if seat == 0:
            match.play(seat, own.choose(match.seen(seat), Budget(simulations=40)))
            assert sum(one.simulations for one in own.judged) <= 40
        else:
            match.play(seat, match.seen(seat).legal[0])
    assert own.judged is not None


def test_with_three_seats_what_all_expect_makes_an_even_game(tmp_path: Path):
    heirless = game("heirless")
    load(net_tree.drivers(heirless))
    seen = middle(heirless, 6, 3)
    found = bot(heirless, stubborn_net(heirless, {}, 0.8), tmp_path).expect(seen, Budget(simulations=8))
    # The net expects the same for each of the three, so nobody is ahead.
    assert found[:3] == pytest.approx([found[0]] * 3) and 0.3 < found[0] < 0.6


def test_the_net_is_asked_about_actions_of_the_seat_that_acts_alone():
    heirless = game("heirless")
    seen, asked_of = middle(heirless, 6, 3), []
    tree = new_tree(heirless, SIMULATIONS, 1, is_compiled=False, edges=net_tree.EDGES * SIMULATIONS)
    asked = net_tree.NetTree(tree, blank_memory(heirless), [0.0] * len(tree.action), [0] * heirless.actions)

    def note(book: Record, seat: int, _: net_tree.NetTree, mask: list[int]) -> None:
        is_asked = heirless.rules.to_act(book, tree.pool[WORLD]) >> seat & 1
        legal = heirless.legal_actions(book, tree.pool[WORLD], seat) if is_asked else []
        asked_of.append((seat, legal, [action for action, marked in enumerate(mask) if marked]))

    linker = Linker(heirless, lambda copy: copy, lambda function: True)
    linker.linked[net_tree.ask_seat] = note
    set_root(heirless, tree, seen.state.copy(), is_open=False)
    linker.link(net_tree.search_by_net)(seen.book, 3, seen.seat, asked, SIMULATIONS)
    assert {seat for seat, legal, marked in asked_of if not legal and not marked} == {0, 1, 2}
    assert all(marked in ([], legal) for _, legal, marked in asked_of)
    assert sum(bool(marked) for *_, marked in asked_of) > SIMULATIONS // 2


def test_a_full_tree_grows_no_further_and_still_counts(court: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(net_tree, "EDGES", 0)
    judged = bot(court, random_net(court), tmp_path).judge(middle(court), Budget(simulations=500))
    assert sum(one.simulations for one in judged) > 400


def test_while_its_search_is_not_compiled_it_searches_without_the_net(
    court: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen, net = middle(court), stubborn_net(court, {middle(court).legal[0]: 9.0})
    with_net = bot(court, net, tmp_path).judge(seen, Budget(simulations=100))
    monkeypatch.setattr(net_search, "is_warm", lambda of, driver: False)
    own = bot(court, net, tmp_path)
    assert own.note.startswith("its search with a net is not compiled, so it searches without one")
    without = own.judge(seen, Budget(simulations=100))
    assert without == Ismcts(court, 3, 1).judge(seen, Budget(simulations=100)) != with_net


def test_a_level_of_a_file_searches_with_its_net(court: Game, tmp_path: Path):
    net_files.write(tmp_path / "b.safetensors", random_net(court))
    named = level(f"netsearch:{tmp_path / 'b.safetensors'}")
    assert named.budget.seconds == 1.0 and issubclass(named.kind, net_search.NetSearch)
    assert isinstance(Player(named, court, 1).bot, net_search.NetSearch)
