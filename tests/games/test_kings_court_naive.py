"""Compare the rules of King's Court with the naive second implementation: moves, scores and numbers of ways to end.

The `Court` of `naive_kings_court` plays the same random games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quintain
from games.naive_kings_court import CARDS, COUNTERS, HOUSES, Card, Court, card
from quintain import Match
from quintain.engine.rules import rng
from quintain.games.kings_court import state as kc

GAME = quintain.game("kings-court")
RULES = GAME.rules
WORTHS = list(COUNTERS.values())
GARNETS = [(0, 0), (3, 1), (1, 3)]
PLACED = {2: 2, 3: 1, 4: 4, 6: 6, 8: 8}
GAMES, GAMES_LONG = 100, 1500


def cards_in(held: Sequence[int]) -> set[Card]:
    return {CARDS[number] for number, here in enumerate(held) if here}


def as_held(hand: Collection[Card]) -> list[int]:
    return [int(one in hand) for one in CARDS]


class MatchTable:
    """A match as its two seats see it, with the methods that `play_in_step` needs."""

    def __init__(self, garnets: Sequence[int], seed: bytes, houses: int = 6, ranks: int = 8):
        options = {"garnets": list(garnets), "houses": houses, "ranks": ranks}
        self.match = Match.new(GAME, options=options, seed=seed)

    def moves(self, seat: int) -> list[str]:
        return [move.text for move in self.match.moves(seat)]

    def play(self, seat: int, words: str) -> None:
        self.match.play(seat, words)

    def hands(self) -> list[set[Card]]:
        return [cards_in(self.match.blinded(seat).hand[seat]) for seat in range(2)]

    def open_to_all(self) -> Any:
        return self.match.blinded(None)


class OpenTable:
    """A state with nothing hidden, played on by the rules directly."""

    def __init__(self, garnets: Sequence[int] = (0, 0), seed: int = 0):
        self.book = GAME.make_book(2, GAME.read_options(2, {"garnets": list(garnets)}))
        self.state: Any = GAME.state()
        rng.seed(self.state.rng, seed)
        RULES.deal(self.book, self.state)

    def copy(self) -> OpenTable:
        twin = object.__new__(OpenTable)
        twin.book, twin.state = self.book, self.state.copy()
        return twin

    def moves(self, seat: int) -> list[str]:
        return list(self._actions(seat))

    def play(self, seat: int, words: str) -> None:
        RULES.play(self.book, self.state, seat, self._actions(seat)[words])

    def hands(self) -> list[set[Card]]:
        return [cards_in(held) for held in self.state.hand]

    def open_to_all(self) -> Any:
        return self.state

    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        scores, ranks = [0, 0], [0, 0]
        RULES.outcome(self.book, self.state, scores, ranks)
        return tuple(scores), tuple(ranks)

    def _actions(self, seat: int) -> dict[str, int]:
        mask = [0] * kc.ACTIONS
        assert RULES.legal(self.book, self.state, seat, mask) == sum(mask)
        actions = [action for action, legal in enumerate(mask) if legal]
        return {GAME.text.name(self.book, self.state, seat, action): action for action in actions}


Table = MatchTable | OpenTable


def follow_chance(court: Court, table: Table) -> None:
    """Give the court the first player, the hands or the drawn card of the table; check that they hold the same."""
    hands = table.hands()
    if court.step == "first":
        court.set_first(0 if len(hands[0]) > len(hands[1]) else 1)
    if court.step == "deal":
        court.deal(hands)
    if court.step == "draw":
        (drawn,) = hands[court.turn] - court.hands[court.turn]
        court.draw(drawn)
    assert hands == court.hands


def same_moves(court: Court, table: Table) -> list[tuple[int, str]]:
    """Return the sorted moves of both seats, after a check that court and table offer the same."""
    both = []
    for seat in range(2):
        moves = table.moves(seat)
        assert len(moves) == len(set(moves))
        assert set(moves) == court.legal(seat)
        both += [(seat, words) for words in sorted(moves)]
    return both


def play_both(court: Court, table: Table, seat: int, words: str) -> None:
    """Play a move on both, and check that what everybody sees is the same."""
    table.play(seat, words)
    court.play(seat, words)
    follow_chance(court, table)
    shown = table.open_to_all()
    missing = [0] * (len(HOUSES) - len(court.houses))
    assert shown.influence == [[*placed.values(), *missing] for placed in court.influence]
    assert [None if house == kc.NONE else HOUSES[house] for house in shown.bound] == court.owed
    assert [CARDS[number] for number in shown.played[: shown.plays_made]] == court.played


def play_in_step(court: Court, table: Table, random: Random) -> Iterator[tuple[int, str]]:
    """Play random moves on both to the end, and yield each."""
    follow_chance(court, table)
    while moves := same_moves(court, table):
        seat, words = random.choice(moves)
        play_both(court, table, seat, words)
        yield seat, words
    assert court.step == "over"


def check_match(garnets: Sequence[int], number: int, houses: int = 6, ranks: int = 8) -> None:
    table, court = MatchTable(garnets, number.to_bytes(32, "big"), houses, ranks), Court(garnets, houses, ranks)
    for seat, words in play_in_step(court, table, Random(number)):
        if words.startswith("play") and words.endswith(" 1"):
            seen = table.match.blinded(seat).seen[seat][HOUSES.index(card(words[5:]).house)]
            assert kc.COUNTERS[seen] == court.counters[1 - seat][card(words[5:]).house]
    outcome = table.match.outcome
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == (court.scores(), court.ranks())


@pytest.mark.long_for("garnets2")  # two values of the option prove it
@pytest.mark.parametrize("garnets", GARNETS)
def test_random_matches_offer_the_naive_moves_and_end_with_the_naive_scores(garnets: Sequence[int]) -> None:
    for number in range(GAMES):
        check_match(garnets, number)


@pytest.mark.parametrize("ranks", range(3, 9))
@pytest.mark.parametrize("houses", range(2, 7))
@pytest.mark.clause("KC-1", "KC-3", "KC-7")
def test_games_of_every_size_offer_the_naive_moves_and_end_with_the_naive_scores(houses: int, ranks: int) -> None:
    for number, garnets in enumerate(GARNETS * 2):
        check_match(garnets, number, houses, ranks)


@pytest.mark.long
@pytest.mark.parametrize("garnets", GARNETS)
def test_thousands_of_matches_offer_the_naive_moves_and_end_with_the_naive_scores(garnets: Sequence[int]) -> None:
    for number in range(GAMES, GAMES + GAMES_LONG):
        check_match(garnets, number)


@pytest.mark.clause("KC-2")
def test_either_seat_may_be_drawn_to_go_first_on_equal_garnets() -> None:
    assert {len(OpenTable((2, 2), seed).hands()[0]) for seed in range(20)} == {7, 8}


open_games = given(garnets=st.sampled_from(GARNETS), seed=st.integers(0, 2**63 - 1), random=st.randoms())
few = settings(max_examples=40, deadline=None, database=None)


@few
@open_games
@pytest.mark.clause("KC-1")
def test_every_card_is_always_in_exactly_one_place(garnets: Sequence[int], seed: int, random: Random) -> None:
    table = OpenTable(garnets, seed)
    s = table.state
    for _ in play_in_step(Court(garnets), table, random):
        held = [number for hand in s.hand for number, here in enumerate(hand) if here]
        assert sorted(held + s.deck[: s.deck_size] + s.played[: s.plays_made]) == list(range(48))
        assert s.hand_size == [sum(hand) for hand in s.hand]


@few
@open_games
@pytest.mark.clause("KC-4", "KC-10")
def test_the_counters_of_a_seat_sum_to_nine_once_placed(garnets: Sequence[int], seed: int, random: Random) -> None:
    table = OpenTable(garnets, seed)
    for _, words in play_in_step(Court(garnets), table, random):
        if not words.startswith(("go", "put")):
            for counter in table.state.counter:
                assert sorted(kc.COUNTERS[place] for place in counter) == WORTHS
                assert sum(kc.COUNTERS[place] for place in counter) == 9


@few
@open_games
@pytest.mark.clause("KC-9", "KC-12", "KC-13")
def test_total_influence_grows_only_by_ranks_2_3_4_6_and_8(garnets: Sequence[int], seed: int, random: Random) -> None:
    table = OpenTable(garnets, seed)
    totals = [0, 0]
    for seat, words in play_in_step(Court(garnets), table, random):
        if words.startswith("play"):
            totals[seat] += PLACED.get(card(words[5:]).rank, 0)
        assert [sum(placed) for placed in table.state.influence] == totals
        assert min(map(min, table.state.influence)) >= 0


@few
@open_games
@pytest.mark.clause("KC-3", "KC-7")
def test_hands_and_deck_have_the_right_size_after_each_of_17_plays(
    garnets: Sequence[int], seed: int, random: Random
) -> None:
    table = OpenTable(garnets, seed)
    s = table.state
    sizes, plays = [], Counter[int]()
    for seat, words in play_in_step(Court(garnets), table, random):
        if words.startswith(("play", "give")):
            sizes.append((words[:4], sum(s.hand[s.first]), sum(s.hand[1 - s.first]), s.deck_size))
            plays[seat] += words.startswith("play")
    schedule = []
    for left in range(32, 0, -2):
        schedule += [("play", 8, 7, left), ("give", 7, 9, left - 1), ("play", 7, 8, left - 1), ("give", 9, 7, left - 2)]
    schedule += [("play", 8, 7, 0), ("give", 7, 8, 0), ("play", 7, 7, 0)]
    assert sizes == schedule
    assert plays == {0: 17, 1: 17}


@dataclass
class End:
    """All that scoring needs, by seat; Influence and counters house by house."""

    hands: list[set[Card]]
    influence: list[list[int]]
    counters: list[list[int]]

    def exchanged(self) -> End:
        return End(self.hands[::-1], self.influence[::-1], self.counters[::-1])

    def court(self) -> Court:
        court = Court()
        court.hands = self.hands
        court.influence = [dict(zip(HOUSES, placed, strict=True)) for placed in self.influence]
        court.counters = [dict(zip(HOUSES, put, strict=True)) for put in self.counters]
        return court

    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        table = OpenTable()
        s = table.state
        s.hand = [as_held(hand) for hand in self.hands]
        s.influence = [list(placed) for placed in self.influence]
        s.counter = [[kc.COUNTERS.index(worth) for worth in put] for put in self.counters]
        s.phase, s.over = kc.OVER, 1
        return table.result()


@st.composite
def ends(draw: st.DrawFn) -> End:
    dealt = draw(st.permutations(CARDS))
    placed = st.lists(st.integers(0, 12), min_size=6, max_size=6)
    counters = st.permutations(WORTHS)
    return End([set(dealt[:7]), set(dealt[7:14])], [draw(placed), draw(placed)], [draw(counters), draw(counters)])


@settings(max_examples=300, deadline=None, database=None)
@given(ends())
@pytest.mark.clause("KC-15", "KC-16", "KC-17")
def test_any_end_scores_as_the_naive_rules_say(end: End) -> None:
    court = end.court()
    assert end.result() == (court.scores(), court.ranks())


@settings(max_examples=200, deadline=None, database=None)
@given(ends())
@pytest.mark.clause("KC-16", "KC-17", "KC-19")
def test_exchanging_the_seats_exchanges_scores_and_ranks(end: End) -> None:
    scores, ranks = end.result()
    assert end.exchanged().result() == (scores[::-1], ranks[::-1])


def mirrored(one: Card) -> Card:
    return Card(HOUSES[5 - HOUSES.index(one.house)], one.rank)


def near_tie(random: Random) -> End:
    """Return an end in which the seats mirror each other, with up to two small changes."""
    halves = random.sample([one for one in CARDS if one.house in HOUSES[:3]], 7)
    hand = {random.choice([one, mirrored(one)]) for one in halves}
    placed = [random.randint(0, 3) for _ in HOUSES]
    counters = random.sample(WORTHS, 6)
    end = End([hand, {mirrored(one) for one in hand}], [placed, placed[::-1]], [counters, counters[::-1]])
    for _ in range(random.randint(0, 2)):
        seat, change = random.randrange(2), random.randrange(3)
        if change == 0:
            end.hands[seat].remove(random.choice(sorted(end.hands[seat])))
            end.hands[seat].add(random.choice([one for one in CARDS if one not in end.hands[0] | end.hands[1]]))
        elif change == 1:
            end.influence[seat][random.randrange(6)] = random.randint(0, 3)
        else:
            random.shuffle(end.counters[seat])
    return end


@pytest.mark.clause("KC-19")
def test_rules_and_naive_rules_break_near_ties_alike_by_each_comparison() -> None:
    random = Random(19)
    broken_by = Counter[int]()
    for _ in range(3000):
        end = near_tie(random)
        court = end.court()
        assert end.result() == (court.scores(), court.ranks())
        pairs = zip(court.standing(0), court.standing(1), strict=True)
        broken_by[[one != other for one, other in [*pairs, (0, 1)]].index(True)] += 1
    assert min(broken_by[standard] for standard in range(5)) >= 20


def last_turns(
    hands: Sequence[str], influence: Sequence[dict[str, int]], received: str, owed: str | None
) -> tuple[Court, OpenTable]:
    """Set up the first player's last play on court and table, with these hands, Influence and limits of the gift."""
    court, table = Court((1, 0)), OpenTable((1, 0))
    moves = play_in_step(court, table, Random(1))
    while court.deck or court.step != "play":
        next(moves)
    first = court.first
    court.hands[first], court.hands[1 - first] = (cards(hand) for hand in hands)
    for seat, placed in zip((first, 1 - first), influence, strict=True):
        court.influence[seat] = {house: placed.get(house, 0) for house in HOUSES}
    court.received, court.owed[first] = card(received), owed
    s = table.state
    s.hand = [as_held(hand) for hand in court.hands]
    s.influence = [list(placed.values()) for placed in court.influence]
    s.last_gift = CARDS.index(court.received)
    s.bound = [HOUSES.index(house) if house else kc.NONE for house in court.owed]
    court.played = [one for one in CARDS if one not in court.hands[0] | court.hands[1]]
    s.played[: s.plays_made] = [CARDS.index(one) for one in court.played]
    assert s.hand_size == [sum(hand) for hand in s.hand]
    return court, table


def cards(hand: str) -> set[Card]:
    """Read a hand such as `Artois 246, De Bourgogne 8`: each house with its ranks."""
    by_house = (part.rsplit(" ", 1) for part in hand.split(", "))
    return {Card(house, int(rank)) for house, ranks in by_house for rank in ranks}


def count_ways(court: Court, table: OpenTable) -> int:
    """Return the number of move sequences that lead to the end; check that court and table agree on each."""
    moves = same_moves(court, table)
    if not moves:
        assert court.step == "over" and table.state.over
        assert table.result() == (court.scores(), court.ranks())
        return 1
    ways = 0
    for seat, words in moves:
        next_court, next_table = court.copy(), table.copy()
        play_both(next_court, next_table, seat, words)
        ways += count_ways(next_court, next_table)
    return ways


EMPTY: dict[str, int] = {}
NINE = "Artois 246, Bellerophon 246, Castellia 246"
SEVEN = "De Bourgogne 2368, Ellicta 246"


@pytest.mark.parametrize(
    ("hands", "influence", "received", "owed", "ways"),
    [
        # Nine plays. Eight cards to give if the banned card was played, else seven. Eight closing plays.
        pytest.param((NINE, SEVEN), (EMPTY, EMPTY), "Artois 2", None, (8 + 8 * 7) * 8, id="banned"),
        # Only Artois 4 and 6 can be given: both after seven of the plays, one after the two plays that use one up.
        pytest.param((NINE, SEVEN), (EMPTY, EMPTY), "Artois 2", "Artois", (7 * 2 + 2 * 1) * 8, id="bound"),
        # The only card of the house is banned or was played, so the gift is free, as in the first case.
        pytest.param(
            ("Artois 2, Bellerophon 2346, Castellia 2346", SEVEN),
            (EMPTY, EMPTY),
            "Artois 2",
            "Artois",
            (8 + 8 * 7) * 8,
            id="bound in vain",
        ),
        # 15 switches, then seven gifts. A second player who was given the 1 has 7 plays and 15 switches.
        pytest.param(
            ("Artois 1, Bellerophon 2346, Castellia 2346", SEVEN),
            (EMPTY, EMPTY),
            "Bellerophon 2",
            None,
            15 * 7 * 8 + (7 * 8 + 22) + 7 * (6 * 8 + 22),
            id="a 1",
        ),
        # Out of Bellerophon one unit in 2 orders, two in 3, three in 3; or nothing. The 5 cannot be given.
        pytest.param(
            ("Artois 5, Bellerophon 2346, Castellia 2346", SEVEN),
            ({"Artois": 4, "Bellerophon": 2}, {"Bellerophon": 1}),
            "Artois 5",
            None,
            (1 + 2 + 3 + 3) * 8 * 8 + 8 * 7 * 8,
            id="a 5",
        ),
        # Into each of five houses one unit in 2 orders, two in 4, three in 7, four in 10; or nothing.
        pytest.param(
            ("Artois 7, Bellerophon 2346, Castellia 2346", SEVEN),
            ({"Artois": 3}, {"Artois": 2, "Febrois": 5}),
            "Artois 7",
            None,
            (1 + 5 * (2 + 4 + 7 + 10)) * 8 * 8 + 8 * 7 * 8,
            id="a 7",
        ),
        # The closing 5 finds what the first player placed outside Artois: nothing, 2 units, or at least 3.
        pytest.param(
            ("Artois 2468, Bellerophon 2468, Castellia 2", "Artois 5, De Bourgogne 2468, Ellicta 24"),
            (EMPTY, EMPTY),
            "Castellia 2",
            None,
            4 * 7 * (7 + 1) + 7 * (7 + 3) + 3 * 7 * (7 + 4) + 8 * (7 + 3),
            id="closing 5",
        ),
        # All ranks: too many to add up by hand, so this is the number on which rules and naive rules agree.
        pytest.param(
            (
                "Artois 135, Bellerophon 78, Castellia 2, De Bourgogne 4, Ellicta 6, Febrois 3",
                "Artois 7, Castellia 15, Ellicta 3, Febrois 268",
            ),
            ({"Artois": 1, "Ellicta": 1}, {"Bellerophon": 2}),
            "Ellicta 6",
            None,
            9625,
            id="all ranks",
        ),
    ],
)
@pytest.mark.clause("KC-7", "KC-12", "KC-13")
def test_the_last_two_turns_have_as_many_ways_as_the_clauses_allow(
    hands: Sequence[str], influence: Sequence[dict[str, int]], received: str, owed: str | None, ways: int
) -> None:
    assert count_ways(*last_turns(hands, influence, received, owed)) == ways


@pytest.mark.parametrize(
    ("hands", "scores"),
    [(("", ""), (13, 3)), (("Artois 24", "Artois 7"), (0, 3)), (("Artois 7", "Artois 24"), (13, 0))],
)
@pytest.mark.clause("KC-18")
def test_rules_and_naive_rules_score_the_example_of_the_rulebook(hands: Sequence[str], scores: tuple[int, int]) -> None:
    held = [cards(hand) if hand else set() for hand in hands]
    end = End(held, [[7, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]], [[5, 0, -2, 1, 2, 3], [1, 0, -2, 5, 2, 3]])
    assert end.result()[0] == end.court().scores() == scores
