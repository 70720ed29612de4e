"""The search finds the best action by what its seat may know, sees nothing more, and keeps to its seed and budget."""

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest

import quintain
from conformance.cases import Case, seen_by, tutorial_game
from quintain.bots import Budget, background, ismcts
from quintain.bots.ismcts import Ismcts, Judgement, warm_up
from quintain.bots.tree import (
    ANY,
    MOST_PICKS,
    SEEN,
    WORLD,
    Status,
    interpreted_search,
    new_tree,
    node_key,
    root_edges,
    search,
    set_root,
)
from quintain.engine.errors import BadOption
from quintain.engine.rules import rng
from quintain.engine.rules.compiling import code_cache
from quintain.engine.rules.compiling.compiled import compiled, interpreted, is_warm
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.registry import _games, register_file
from quintain.games.kings_court.state import PLAY_CARD, SWITCH_COUNTERS
from quintain.lab.matches import shares

SIMULATIONS = Budget(simulations=2000)


@pytest.fixture(scope="module")
def court() -> Game:
    game = quintain.game("kings-court")
    warm_up(game)
    return game


@pytest.fixture(scope="module")
def goofspiel() -> Game:
    game = tutorial_game()
    warm_up(game)
    return game


LOOP = """
import sys

from quintain.engine import UNKNOWN, Event, Game, Record, View, field, rng, rule

ACTIONS, WAIT, STOP = 2, 0, 1


class Book(Record):
    seats: int = field()


class State(Record):
    rng: list[int] = field(4, bits=64)
    over: int = field()
    turn: int = field()
    events_made: int = field(bits=64)
    events: list[Event] = field(1)


@rule
def deal(book, s):
    s.turn = 0


@rule
def to_act(book, s):
    return 1 << s.turn


@rule
def legal(book, s, seat, mask):
    mask[WAIT] = mask[STOP] = 1
    return ACTIONS


@rule
def play(book, s, seat, action):
    s.over = action
    s.turn = s.turn if action == STOP else 1 - s.turn


@rule
def hide(book, s, seat):
    pass


@rule
def redeal(book, s):
    pass


@rule
def outcome(book, s, scores, ranks):
    for seat in range(2):
        ranks[seat] = 2 if seat == s.turn else 1


def make_book(seats, options):
    return Book()


OPTIONS = ()
name = parse = view = narrate = why_not = account = rulebook = lambda *arguments: None
module = sys.modules[__name__]
GAME = Game("loop", "Loop", seats=(2, 2, 2), pitch="Wait or stop.", minutes=(1, 1), weight=1, rules=module)
"""


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """A game without events in which a player may wait, so that positions repeat."""
    path = tmp_path_factory.mktemp("games") / "loop.py"
    path.write_text(LOOP)
    yield register_file(path)
    _games.pop("loop")


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_compiles_on: None) -> None:
    """Hide the compiled search."""
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "home"))


def bids(game: Game, hands: list[list[int]], points: list[int], **values: Any) -> tuple[Any, Any]:
    """Return a book and a position of Goofspiel before a bid, with these hands."""
    book = game.make_book(len(hands), {"cards": 13})
    s: Any = game.state()
    game.rules.deal(book, s)
    for seat, hand in enumerate(hands):
        s.hand[seat] = [int(card in hand) for card in range(game.actions)]
        s.points[seat] = points[seat]
    s.prize = len(hands[0])
    for name, value in values.items():
        setattr(s, name, value)
    return book, s


def judge(game: Game, book: Any, s: Any, seat: int, seed: int = 1, budget: Budget = SIMULATIONS) -> list[Judgement]:
    return Ismcts(game, seed).judge(seen_by(game, book, s, seat), budget)


def most_tried(judged: list[Judgement]) -> int:
    return max(judged, key=lambda one: one.simulations).action


def mean_utilities(game: Game, book: Any, worlds: list[Any], seat: int) -> dict[int, float]:
    """Return the mean utility of each last action over equally likely worlds."""
    means = {}
    for action in game.legal_actions(book, worlds[0], seat):
        total = 0.0
        for world in worlds:
            s, scores, ranks = world.copy(), [0] * game.seats[1], [0] * game.seats[1]
            game.rules.play(book, s, seat, action)
            while acting := seats_in(game.rules.to_act(book, s)):
                (forced,) = game.legal_actions(book, s, acting[0])
                game.rules.play(book, s, acting[0], forced)
            game.rules.outcome(book, s, scores, ranks)
            total += shares(ranks)[seat]
        means[action] = total / len(worlds)
    return means


def check_finds_the_best(game: Game, book: Any, s: Any, seat: int, worlds: list[Any]) -> bool:
    """Check that a search finds the best action and its utility; tell whether it is clearly better than another."""
    means = mean_utilities(game, book, worlds, seat)
    judged = judge(game, book, s, seat, budget=Budget(simulations=4000))
    best = max(means.values())
    chosen = most_tried(judged)
    assert means[chosen] > best - 0.02
    assert next(one.share for one in judged if one.action == chosen) == pytest.approx(means[chosen], abs=0.05)
    return min(means.values()) < best - 0.05


def test_on_a_last_bid_the_search_finds_the_highest_mean_utility_over_all_redeals(goofspiel: Game):
    chooser, clear = random.Random(5), 0
    for _ in range(60):
        hands = [sorted(chooser.sample(range(1, 14), 2)) for _ in range(3)]
        points = [chooser.randrange(4) for _ in range(3)]
        book, s = bids(goofspiel, hands, points, waiting=0b010, bid=[hands[0][0], 0, hands[2][0], 0])
        worlds = []
        for one, other in itertools.product(hands[0], hands[2]):
            world = s.copy()
            world.bid = [one, 0, other, 0]
            worlds.append(world)
        clear += check_finds_the_best(goofspiel, book, s, 1, worlds)
    assert clear > 10


def last_switches(game: Game) -> Iterator[tuple[Any, Any, int]]:
    """Yield positions of King's Court in which a switch of counters is the last decision."""
    for seed in itertools.count():
        for book, s in Case(game, 2).positions(seed):
            if s.phase == SWITCH_COUNTERS and s.deck_size == 0 and s.turn != s.first and not s.over:
                yield book, s.copy(), s.turn


def counter_worlds(s: Any, blinded: Any, seat: int) -> list[Any]:
    """Return a world for every possible order of the other player's unknown counters."""
    known = blinded.counter[1 - seat]
    places = [house for house, counter in enumerate(known) if counter == UNKNOWN]
    hidden = [s.counter[1 - seat][house] for house in places]
    worlds = []
    for lying in itertools.permutations(hidden):
        world = s.copy()
        for house, counter in zip(places, lying, strict=True):
            world.counter[1 - seat][house] = counter
        worlds.append(world)
    return worlds


def test_on_a_last_switch_the_search_finds_the_highest_mean_utility_over_all_redeals(court: Game):
    clear = several = 0
    for book, s, seat in itertools.islice(last_switches(court), 12):
        worlds = counter_worlds(s, court.blinded(book, s, seat), seat)
        several += len(worlds) > 20
        clear += check_finds_the_best(court, book, s, seat, worlds)
    assert clear > 3 and several > 3


@pytest.mark.parametrize("theirs", [2, 4])
def test_where_peeking_would_win_every_time_the_bot_wins_half(theirs: int, goofspiel: Game):
    # Seat 0 leads by 2, holds 1 and 3, and needs one of the last two prizes. Against the 4 it must bid the 1, and
    # against the 2 the 3: a bot that saw the opponent's bid would always win.
    book, s = bids(goofspiel, [[1, 3], [2, 4]], [2, 0], waiting=0b01, bid=[0, theirs, 0, 0])
    assert mean_utilities(goofspiel, book, [s], 0) == {1: theirs == 4, 3: theirs == 2}
    judged = judge(goofspiel, book, s, 0, budget=Budget(simulations=8000))
    assert [one.share for one in judged] == pytest.approx([0.5, 0.5], abs=0.03)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_bid_that_lies_face_down_changes_not_a_bit_of_the_search(seats: int, goofspiel: Game):
    book = goofspiel.make_book(seats, {"cards": 5})
    seen = []
    for bid in range(1, 6):
        s: Any = goofspiel.state()
        goofspiel.rules.deal(book, s)
        goofspiel.rules.play(book, s, 0, bid)
        tree = new_tree(goofspiel, 3000, 7, is_compiled=True)
        set_root(goofspiel, tree, goofspiel.blinded(book, s, 1))
        driver = ismcts.compiled_search(goofspiel)
        record = goofspiel.book.array([book])[0]
        driver(record, goofspiel.seats[1], 1, tree, 0)
        driver(record, goofspiel.seats[1], 1, tree, 3000)
        seen.append([bytes(array) for array in tree[:8]])
    assert all(statistics == seen[0] for statistics in seen)
    assert len(judge(goofspiel, book, s, 1)) == 5


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("cards", [3, 5])
def test_where_both_have_the_same_to_bid_neither_is_ahead(seat: int, cards: int, goofspiel: Game):
    book, s = goofspiel.make_book(2, {"cards": cards}), goofspiel.state()
    goofspiel.rules.deal(book, s)
    judged = judge(goofspiel, book, s, seat, budget=Budget(simulations=20_000))
    simulations = sum(one.simulations for one in judged)
    assert simulations == 20_000
    assert 0.45 < sum(one.share * one.simulations for one in judged) / simulations < 0.55


def test_the_key_of_a_node_hides_what_its_actor_and_what_the_searcher_cannot_see(goofspiel: Game):
    book, s = bids(goofspiel, [[1, 2, 3]] * 3, [0, 0, 0], waiting=0b010, bid=[1, 0, 1, 0])
    key = interpreted(goofspiel, node_key)

    def key_of(bid: list[int], hand: int, searcher: int) -> int:
        tree = new_tree(goofspiel, 1, 0, is_compiled=False)
        s.bid, s.hand[1][9] = bid, hand
        tree.pool[WORLD] = s
        found: int = key(book, 1, searcher, tree)
        assert tree.pool[SEEN].bid[1] == (bid[1] if searcher == 1 else UNKNOWN if bid[1] else 0)
        return found

    assert key_of([1, 0, 1, 0], 0, 0) == key_of([2, 0, 1, 0], 0, 0) == key_of([1, 0, 3, 0], 0, 0)
    assert key_of([1, 0, 1, 0], 0, 0) != key_of([1, 0, 1, 0], 1, 0)
    s.waiting = 0b101
    assert key_of([0, 1, 0, 0], 0, 0) == key_of([0, 2, 0, 0], 0, 0)
    assert key_of([0, 1, 0, 0], 0, 1) != key_of([0, 2, 0, 0], 0, 1)


def test_two_values_that_nobody_knows_make_another_node_than_two_zeros(goofspiel: Game):
    book, s = bids(goofspiel, [[1, 2, 3]] * 3, [0, 0, 0], waiting=0b010, bid=[1, 0, 1, 0])
    key, hand = interpreted(goofspiel, node_key), list(s.hand[0])

    def key_of(places: tuple[int, int], value: int) -> int:
        tree = new_tree(goofspiel, 1, 0, is_compiled=False)
        s.hand[0] = [value if at in places else card for at, card in enumerate(hand)]
        tree.pool[WORLD] = s
        found: int = key(book, 1, 1, tree)
        return found

    for places in itertools.combinations(range(len(hand)), 2):
        assert key_of(places, UNKNOWN) != key_of(places, 0)


@pytest.mark.parametrize("is_open", [False, True], ids=["as a seat sees it", "all cards open"])
@pytest.mark.parametrize(("id_", "seats"), [("kings-court", 2), ("goofspiel", 2), ("goofspiel", 3)])
def test_the_search_is_the_same_interpreted_and_compiled(
    id_: str, seats: int, is_open: bool, court: Game, goofspiel: Game
):
    game = quintain.game(id_)
    checked = 0
    for book, s in Case(game, seats).sample(3, 4):
        for seat in seats_in(game.rules.to_act(book, s)):
            plain, fast = new_tree(game, 60, 5, is_compiled=False), new_tree(game, 60, 5, is_compiled=True)
            record = game.book.array([book])[0]
            for tree, given, run in (
                (plain, book, interpreted_search(game)),
                (fast, record, ismcts.compiled_search(game)),
            ):
                set_root(game, tree, s.copy() if is_open else game.blinded(book, s, seat), is_open=is_open)
                run(given, game.seats[1], seat, tree, 60)
            for name in ("key", "first", "action", "following", "visits", "available", "total", "shares", "chance"):
                assert list(getattr(plain, name)) == list(getattr(fast, name)), name
            assert sum(plain.shares) == pytest.approx(60)
            assert plain.status.root > 0 and plain.status == Status.unpack(bytes(fast.status))
            checked += 1
    assert checked > 3


def test_what_a_search_finds_depends_on_nothing_hidden_and_changes_nothing(court: Game):
    untrue = 0
    for book, s in Case(court, 2).sample(8, 7):
        for seat in seats_in(court.rules.to_act(book, s)):
            if len(court.legal_actions(book, s, seat)) == 1:
                continue
            found = set()
            for seed in range(3):
                other = court.blinded(book, s, seat)
                court.rules.redeal(book, other, seed)
                untrue += other.pack() != s.pack()
                before = other.pack()
                found.add(tuple(map(astuple, judge(court, book, other, seat, budget=Budget(simulations=300)))))
                assert other.pack() == before
            assert len(found) == 1
    assert untrue > 3


def expect(
    game: Game, book: Any, s: Any, seat: int, only: int = ANY, budget: Budget = SIMULATIONS, *, is_open: bool = False
) -> tuple[float, ...]:
    seen = seen_by(game, book, s, seat)
    return Ismcts(game, 1).expect(replace(seen, state=s) if is_open else seen, budget, only, is_open=is_open)


@pytest.mark.parametrize("is_open", [False, True], ids=["as a seat sees it", "all cards open"])
@pytest.mark.parametrize("simulations", [1, 300, 12_000])
def test_the_chances_of_all_seats_add_up_to_one_also_from_a_seat_that_is_not_asked(
    simulations: int, is_open: bool, goofspiel: Game
):
    book, s = bids(goofspiel, [[1, 3, 5], [2, 4, 6], [7, 8, 9]], [0, 0, 0], waiting=0b100, bid=[1, 4, 0, 0])
    for seat in range(3):
        found = expect(goofspiel, book, s, seat, budget=Budget(simulations=simulations), is_open=is_open)
        assert sum(found) == pytest.approx(1) and found[3] == 0 and min(found) >= 0
    assert found[2] == 1 or simulations < 300


def test_what_is_expected_after_an_action_is_what_a_judgement_on_it_says(court: Game):
    for book, s in Case(court, 2).sample(8, 7):
        for seat in seats_in(court.rules.to_act(book, s)):
            seen = seen_by(court, book, s, seat)
            (judged,) = Ismcts(court, 1).judge(seen, Budget(simulations=300), seen.legal[0])
            found = Ismcts(court, 1).expect(seen, Budget(simulations=300), seen.legal[0])
            assert found[seat] == pytest.approx(judged.share) and sum(found) == pytest.approx(1)


@pytest.mark.parametrize("theirs", [2, 4])
def test_with_open_cards_a_hidden_bid_decides_and_without_it_is_a_guess(theirs: int, goofspiel: Game):
    # As above: against the 4 seat 0 must bid the 1, and against the 2 the 3.
    book, s = bids(goofspiel, [[1, 3], [2, 4]], [2, 0], waiting=0b01, bid=[0, theirs, 0, 0])
    budget = Budget(simulations=8000)
    for bid in (1, 3):
        wins = float(bid == 5 - theirs or (bid, theirs) == (3, 2))
        assert expect(goofspiel, book, s, 0, bid, is_open=True)[:2] == (wins, 1 - wins)
        assert expect(goofspiel, book, s, 0, bid, budget)[0] == pytest.approx(0.5, abs=0.03)
    assert expect(goofspiel, book, s, 0, budget=budget, is_open=True)[0] > 0.97
    assert expect(goofspiel, book, s, 0, budget=budget)[0] == pytest.approx(0.5, abs=0.03)


def test_what_a_seat_expects_depends_on_nothing_hidden_and_open_chances_do(court: Game):
    known, opened = [], []
    for book, s in Case(court, 2).sample(8, 7):
        for seat in range(2):
            worlds = [court.blinded(book, s, seat) for _ in range(3)]
            for seed, world in enumerate(worlds):
                court.rules.redeal(book, world, seed)
            before = [world.pack() for world in worlds]
            budget = Budget(simulations=300)
            known.append({expect(court, book, world, seat, budget=budget) for world in worlds})
            opened.append({expect(court, book, world, seat, budget=budget, is_open=True) for world in worlds})
            assert [world.pack() for world in worlds] == before
    assert {len(found) for found in known} == {1} and max(len(found) for found in opened) == 3


def play_turn(game: Game, player: Ismcts, book: Any, s: Any, seat: int, budget: Budget) -> list[int]:
    """Let a bot choose while its seat is to act; return its actions."""
    chosen = []
    while game.rules.to_act(book, s) >> seat & 1 and s.turn == seat:
        action = player.choose(seen_by(game, book, s, seat), budget)
        assert action in game.legal_actions(book, s, seat)
        game.rules.play(book, s, seat, action)
        chosen.append(action)
    return chosen


def turns(game: Game) -> Iterator[tuple[Any, Any]]:
    """Yield positions of King's Court at the start of some turns."""
    for book, s in Case(game, 2).positions(4):
        if s.phase == PLAY_CARD and s.plays_made % 5 == 0:
            yield book, s.copy()


def test_a_seed_settles_all_choices_whatever_the_number_of_threads(court: Game):
    several, other = 0, 0
    budget = Budget(simulations=ismcts.ONE_TREE + 2)
    for book, s in turns(court):
        one, two, three = (
            play_turn(court, Ismcts(court, seed, threads), book, s.copy(), s.turn, budget)
            for seed, threads in ((3, 1), (3, 5), (4, 1))
        )
        assert one == two
        several += len(one) > 1
        other += one != three
    assert several > 3 and other > 0


class Spent:
    """Counts the simulations that a bot runs, with a clock that only they move forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds_each: float):
        self.simulations, self.now = 0, 0.0
        begin = Ismcts._begin

        def counted(*arguments: Any) -> ismcts.Turn:
            turn = begin(*arguments)
            grow = turn.grow

            def count(tree: Any, simulations: int) -> None:
                self.simulations += simulations
                self.now += simulations * seconds_each
                grow(tree, simulations)

            turn.grow = count
            return turn

        monkeypatch.setattr(Ismcts, "_begin", counted)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.mark.parametrize("simulations", [200, 1000, 12_003])
def test_the_picks_of_a_turn_share_its_simulations(simulations: int, court: Game, monkeypatch: pytest.MonkeyPatch):
    spent, player, budget = Spent(monkeypatch, 1e-5), Ismcts(court, 1), Budget(simulations=simulations)
    for book, s in turns(court):
        spent.simulations = 0
        picks = play_turn(court, player, book, s, s.turn, budget)
        assert spent.simulations == simulations
        assert len(picks) > 1 or s.over


@pytest.mark.parametrize("seconds", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("seconds_each", [1e-5, 2e-4])
def test_the_picks_of_a_turn_share_its_seconds(
    seconds: float, seconds_each: float, court: Game, monkeypatch: pytest.MonkeyPatch
):
    spent, player = Spent(monkeypatch, seconds_each), Ismcts(court, 1)
    for book, s in itertools.islice(turns(court), 4):
        begun = spent.now
        play_turn(court, player, book, s, s.turn, Budget(seconds=seconds))
        assert 0.8 * seconds <= spent.now - begun <= 1.2 * seconds


def test_of_two_limits_the_first_that_is_reached_holds(court: Game, monkeypatch: pytest.MonkeyPatch):
    spent, player = Spent(monkeypatch, 1e-4), Ismcts(court, 1)
    book, s = next(turns(court))
    play_turn(court, player, book, s.copy(), s.turn, Budget(simulations=500, seconds=1.0))
    assert 400 <= spent.simulations <= 500
    spent.simulations = 0
    play_turn(court, player, book, s.copy(), s.turn, Budget(simulations=50_000, seconds=0.1))
    assert 800 <= spent.simulations <= 1200


@pytest.mark.parametrize("boundscheck", [False, True])
def test_where_positions_come_back_a_path_ends_within_bounds(boundscheck: bool, loop: Game):
    plain, fast = new_tree(loop, 300, 5, is_compiled=False), new_tree(loop, 300, 5, is_compiled=True)
    driver = compiled(loop, search, boundscheck)
    for tree, run in ((plain, interpreted_search(loop)), (fast, driver)):
        book = loop.make_book(2, {}) if tree is plain else loop.book.array([loop.make_book(2, {})])[0]
        set_root(loop, tree, loop.blinded(None, loop.state(), 0))
        run(book, 2, 0, tree, 0)
        run(book, 2, 0, tree, 300)
    edges = {action: visits for action, visits, _ in root_edges(fast)}
    assert edges[0] > edges[1] > 0  # to stop is to lose
    assert list(plain.total) == list(fast.total) and list(plain.available) == list(fast.available)


def test_without_events_too_a_turn_ends_when_another_seat_is_to_act(loop: Game, monkeypatch: pytest.MonkeyPatch):
    spent, player = Spent(monkeypatch, 1e-5), Ismcts(loop, 1)
    for _ in range(3):
        spent.simulations = 0
        player.choose(seen_by(loop, loop.make_book(2, {}), loop.state(), 0), Budget(simulations=50))
        assert spent.simulations == 50


def test_a_search_for_one_action_alone_spends_all_on_it(court: Game):
    book, s = next(turns(court))
    seen = seen_by(court, book, s, s.turn)
    for action in seen.legal[:3]:
        (one,) = Ismcts(court, 1).judge(seen, Budget(simulations=700), action)
        assert (one.action, one.simulations) == (action, 700)


def test_a_turn_ends_with_another_seat_or_book(court: Game, goofspiel: Game, monkeypatch: pytest.MonkeyPatch):
    spent = Spent(monkeypatch, 1e-5)
    player, (book, s) = Ismcts(court, 1), next(turns(court))
    other = book.copy()
    other.garnets = [5, 0]
    for given, seat in ((book, s.turn), (other, s.turn), (book, s.turn)):
        spent.simulations = 0
        player.choose(seen_by(court, given, s, seat), Budget(simulations=400))
        assert spent.simulations == 200
    bidder = Ismcts(goofspiel, 1)
    book, s = goofspiel.make_book(2, {"cards": 3}), goofspiel.state()
    goofspiel.rules.deal(book, s)
    for seat in (0, 1):
        spent.simulations = 0
        bidder.choose(seen_by(goofspiel, book, s, seat), Budget(simulations=400))
        assert spent.simulations == 400


def test_every_round_of_secret_bids_is_a_turn_of_its_own(goofspiel: Game, monkeypatch: pytest.MonkeyPatch):
    for order in ((0, 1), (1, 0)):
        spent = Spent(monkeypatch, 1e-5)
        players = [Ismcts(goofspiel, seat) for seat in range(2)]
        book, s = goofspiel.make_book(2, {"cards": 5}), goofspiel.state()
        goofspiel.rules.deal(book, s)
        for _ in range(4):
            for seat in order:
                spent.simulations = 0
                action = players[seat].choose(seen_by(goofspiel, book, s, seat), Budget(500))
                goofspiel.rules.play(book, s, seat, action)
                assert spent.simulations == 500
        monkeypatch.undo()


def put_counters(court: Game, spent: Spent, order: list[int]) -> list[int]:
    """Let two bots put their counters in this order of seats; return the simulations of each pick of seat 0."""
    players, spending = [Ismcts(court, seat) for seat in range(2)], []
    book, s = court.make_book(2, {"garnets": [0, 0]}), court.state()
    rng.seed(s.rng, 1)
    court.rules.deal(book, s)
    for seat in order:
        spent.simulations = 0
        action = players[seat].choose(seen_by(court, book, s, seat), Budget(simulations=1000))
        court.rules.play(book, s, seat, action)
        spending += [] if seat else [spent.simulations]
    return spending


def test_the_last_choice_before_a_forced_move_takes_all_that_is_left(court: Game, monkeypatch: pytest.MonkeyPatch):
    assert put_counters(court, Spent(monkeypatch, 1e-5), [0] * 6) == [500, 250, 125, 62, 63, 0]


def test_a_turn_ends_when_another_seat_has_acted_between(court: Game, monkeypatch: pytest.MonkeyPatch):
    assert put_counters(court, Spent(monkeypatch, 1e-5), [0, 1, 0, 1, 0, 0]) == [500, 500, 500, 250]


def test_even_the_smallest_budget_lasts_for_a_turn(court: Game):
    for book, s in itertools.islice(turns(court), 3):
        assert play_turn(court, Ismcts(court, 1), book, s.copy(), s.turn, Budget(simulations=1))


def test_a_turn_of_very_many_picks_gets_a_new_budget_in_time(court: Game, monkeypatch: pytest.MonkeyPatch):
    spent, player = Spent(monkeypatch, 1e-5), Ismcts(court, 1)
    book, s = next(turns(court))
    seen = seen_by(court, book, s, s.turn)
    blinded = seen.state
    blinded.events[0].seat = s.turn
    for _ in range(MOST_PICKS + 1):
        player.choose(seen, Budget(simulations=100))
        blinded.events_made += 1
        for event in blinded.events:
            event.seat = s.turn
    assert 100 < spent.simulations <= 200


@pytest.mark.parametrize("limits", [{"simulations": 0}, {"simulations": -1}, {"seconds": 0.0}, {"seconds": -0.1}])
def test_a_budget_for_no_thought_is_refused(limits: dict[str, Any]):
    with pytest.raises(BadOption, match="a budget takes at least 1 simulation, and more than 0 seconds"):
        Budget(**limits)


def test_a_forced_move_is_judged_too(goofspiel: Game):
    book, s = bids(goofspiel, [[4], [7]], [0, 0], waiting=0b11)
    assert judge(goofspiel, book, s, 0, budget=Budget(50)) == [Judgement(4, 50, 0.0)]
    assert judge(goofspiel, book, s, 1, budget=Budget(50)) == [Judgement(7, 50, 1.0)]


def test_a_pick_without_a_choice_costs_nothing(goofspiel: Game, monkeypatch: pytest.MonkeyPatch):
    spent = Spent(monkeypatch, 1e-5)
    book, s = bids(goofspiel, [[4], [7]], [0, 0], waiting=0b11)
    assert Ismcts(goofspiel, 1).choose(seen_by(goofspiel, book, s, 0), Budget(500)) == 4
    assert spent.simulations == 0


def test_a_search_that_is_not_compiled_chooses_at_once_and_says_so_until_it_is(court: Game, cold: None):
    book, s = next(turns(court))
    player = Ismcts(court, 1)
    begun = time.monotonic()
    action = player.choose(seen_by(court, book, s, s.turn), Budget(simulations=1_000_000))
    assert time.monotonic() - begun < 5
    assert action in court.legal_actions(book, s, s.turn)
    assert player.turn and isinstance(player.turn.trees[0].key, list)
    assert player.note.startswith("its search is getting ready")
    until = time.monotonic() + 240  # the process goes on with the search that asks a net
    while not is_warm(court, search):
        assert time.monotonic() < until and background.is_running(court)
        time.sleep(0.1)
    assert player.note == ""
    player.judge(seen_by(court, book, s, s.turn), Budget(simulations=100))
    player.turn = None
    player.choose(seen_by(court, book, s, s.turn), Budget(simulations=100))
    assert player.turn and not isinstance(player.turn.trees[0].key, list)


def test_advice_tries_the_best_three_moves_equally_often(goofspiel: Game):
    warm_up(goofspiel)
    book, s = bids(goofspiel, [[1, 4, 7, 9], [7, 4, 2, 3]], [0, 0], waiting=0b11)
    advised = Ismcts(goofspiel, 1).advise(seen_by(goofspiel, book, s, 0))
    assert len({one.action for one in advised}) == 3
    assert {one.simulations for one in advised} == {ismcts.TRIAL.simulations}
    assert [one.share for one in advised] == sorted((one.share for one in advised), reverse=True)


def test_a_search_that_cannot_be_compiled_thinks_on_and_says_so(
    goofspiel: Game, cold: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUINTAIN_HOME", str(tmp_path / "file"))
    player = Ismcts(goofspiel, 1)
    background._begun["goofspiel"].wait(timeout=120)
    assert player.note.startswith("its search could not be compiled, so it thinks less far ahead (")
    assert player.note.endswith(f"-P -m quintain.bots.warm goofspiel {goofspiel.file} says why)")
    book, s = bids(goofspiel, [[4, 7], [7, 4]], [0, 0], waiting=0b11)
    assert player.choose(seen_by(goofspiel, book, s, 0), Budget(simulations=50)) in (4, 7)


@pytest.mark.long  # the search that is not compiled begins it, and tests/engine makes damaged code anew
def test_the_background_begins_once_for_a_game_from_a_file_too_and_makes_a_damaged_cache_anew(
    goofspiel: Game, cold: None
):
    for _ in range(3):
        Ismcts(goofspiel, 1)
    assert list(background._begun) == ["goofspiel"]
    assert background._begun["goofspiel"].wait(timeout=120) == 0
    assert is_warm(goofspiel, search) and not background.is_running(goofspiel)
    (damaged,) = code_cache.files("goofspiel-search-")
    damaged.write_bytes(damaged.read_bytes() + b"!")
    background._begun.clear()
    book, s = bids(goofspiel, [[4, 7], [7, 4]], [0, 0], waiting=0b11)
    player = Ismcts(goofspiel, 1)
    assert player.choose(seen_by(goofspiel, book, s, 0), Budget(simulations=50)) in (4, 7)
    assert player.note.startswith("its search is getting ready")
    assert background._begun["goofspiel"].wait(timeout=120) == 0
    assert player.note == ""
