"""Round Table: random games with random sets of cards agree with a second, naive implementation.

Each game has its own set of cards, made of everything that the vocabulary allows. After each step the tests compare who
acts, what is legal, and the position that a move leads to; see `naive_round_table_game.py`. They leave out the choice
of first hands, which no row changes, and numbers above 3 in rows. The naive game takes random draws from the real one.
"""

import random
import re
from typing import Any

import pytest

import quintain
from games.naive_round_table import Scene
from games.naive_round_table_game import Naive
from games.naive_round_table_legal import Position
from games.round_table_positions import ANN, Side, play, position, state, with_empty_decks
from games.round_table_sets import random_set
from quintain.engine.rules import rng
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import strength
from quintain.games.round_table.vocabulary import CONDITIONS, DETAILS, MOMENTS, WHATS, WHOM
from quintain.games.round_table.words import KIND_GROUPS, SLOTS, TYPES

GAMES, MANY_GAMES = 20, 1000
MOST_PLIES, MOST_PLIES_OF_A_GAME = 200, 5000
WORDS = re.compile(r'\b([a-z]+) = "?([A-Za-z ]+)')
SAME = (
    "over", "phase", "season", "active", "turn", "acted", "passes", "actions", "demesnes_played", "demesne", "hand",
    "deck", "spent", "dropped", "hand_size", "deck_size", "to_drop", "drops", "owed_draws", "owed_discards", "line",
    "bearer", "place", "quest", "engaged", "moves", "rp", "capacity", "allocated", "spent_rp", "used", "welcomed",
    "card", "moving", "on_seat", "on", "region_deck", "regions_left", "open", "captor", "foreseen",
)  # fmt: skip
"""The fields that are compared; also `put`, by the order of the cards on a Knight, and `step`, in Summer."""


def differences(book: Any, real: Any, naive: Any) -> list[str]:
    """Return the fields in which two positions differ."""
    other = {name for name in SAME if getattr(real, name) != getattr(naive, name)}
    both = zip(real.values(), naive.values(), strict=True) if other else ()
    apart = [(path, value, said) for (path, value), (_, said) in both if value != said]
    found = [f"{path} is {value} and not {said}" for path, value, said in apart if re.split(r"\W", path)[0] in other]
    if real.season == st.SUMMER and real.step != naive.step:
        found.append(f"step is {real.step} and not {naive.step}")
    scene = Scene(book, naive)
    for knight in scene.knights:
        seat, slot = knight.seat, knight.slot
        if real.line[seat][slot] != naive.line[seat][slot]:
            continue
        numbers = tuple(strength(book, real, what, seat, slot) for what in (st.INFLUENCE, st.RESISTANCE))
        expected = scene.strength(knight, "influence"), scene.strength(knight, "resistance")
        orders = [sorted(knight.on_it, key=lambda thing: s.put[thing.seat][thing.slot]) for s in (real, naive)]
        if (numbers, real.types[seat][slot]) != (expected, knight.types) or orders[0] != orders[1]:
            found.append(f"{knight.card.name}: {numbers}, {real.types[seat][slot]} and not {expected}, {knight.types}")
    return found


def choose(chooser: random.Random, s: Any, legal: set[int]) -> int:
    """Choose a random move: cards of the hand and attacks more often than others, and passes often enough."""
    often = {st.RECRUIT: 0.1, st.CAMPAIGN: 0.35 if s.acted else 0.25, st.SUPPORT: 0.8}.get(s.phase, 0)
    if st.PASS in legal and chooser.random() < often:
        return st.PASS
    if s.phase == st.SET_UP:
        return min(chooser.choices(sorted(legal), k=3))
    actions = sorted(legal - {st.PASS}) or [st.PASS]
    likely = s.phase in (st.CAMPAIGN, st.ATTACH)
    weights = [4 if action < st.REGION or (likely and action >= st.IN_PLAY) else 1 for action in actions]
    return chooser.choices(actions, weights)[0]


def legal_actions(rules: Any, book: Any, s: Any, seat: int) -> set[int]:
    mask = [0] * st.ACTIONS
    rules.legal(book, s, seat, mask)
    return {action for action in range(st.ACTIONS) if mask[action]}


def seats_of(seed: int) -> int:
    return 2 + seed % 3


def watch(seed: int, most_plies: int) -> None:
    """Play a game with its own set of cards, and compare each step."""
    seats, chooser = seats_of(seed), random.Random(seed)
    made = random_set(seed, seats)
    game = quintain.game("round-table")
    options = {"decks": made.decks, "regions": made.regions, "cards": made.cards}
    book = game.make_book(seats, game.read_options(seats, options))
    rules, s = game.rules, game.state()
    rng.seed(s.rng, seed)
    rules.deal(book, s)
    follow(book, s, chooser, seed, most_plies)


def follow(book: Any, s: Any, chooser: random.Random, seed: int, most_plies: int) -> None:
    """Play at random from a position on, and compare each step; `seed` names the game in messages."""
    game, seats = quintain.game("round-table"), book.seats
    rules = game.rules
    for ply in range(most_plies):
        acting = {seat for seat in range(seats) if rules.to_act(book, s) >> seat & 1}
        if s.phase != st.SET_UP:
            assert acting == Position(book, s).to_act(), (seed, ply)
        if not acting:
            break
        seat = min(acting)
        legal = legal_actions(rules, book, s, seat)
        action = choose(chooser, s, legal)
        before = s.copy()
        rules.play(book, s, seat, action)
        if before.phase != st.SET_UP:
            naive = Naive(book, before, s)
            assert legal == naive.legal(seat), (seed, ply)
            naive.play(seat, action)
            assert differences(book, s, naive.s) == [], (seed, ply, game.text.name(book, before, seat, action))
    if s.over:
        scores, ranks = [0] * seats, [0] * seats
        rules.outcome(book, s, scores, ranks)
        assert scores == Naive(book, s, s).scores(), seed


@pytest.mark.long_for("10", "11", "12", "13", "14", "15", "16", "17", "18", "19")  # ten games read all kinds of cards
@pytest.mark.clause("RT-32", "RT-33")
@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games_of_random_cards_agree_with_the_naive_reading(seed: int) -> None:
    watch(seed, MOST_PLIES)


@pytest.mark.long
@pytest.mark.parametrize("first", range(GAMES, GAMES + MANY_GAMES, 50))
def test_many_whole_games_of_random_cards_agree_with_the_naive_reading(first: int) -> None:
    for seed in range(first, first + 50):
        watch(seed, MOST_PLIES_OF_A_GAME)


@pytest.mark.clause("RT-26")
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_the_draws_of_quests_from_short_decks_agree_with_the_naive_reading(cards: int) -> None:
    match = position(Side("The Fisher King, The Fair Unknown", ["Kay"]), Side("", ["Balin"]), season=st.SUMMER)
    play(match, "play The Fisher King", "on Kay", "play The Fair Unknown", "on Balin of Bo")
    s = state(with_empty_decks(match, ANN, cards))
    follow(match.book, s, random.Random(cards), cards, MOST_PLIES)
    assert s.over


@pytest.mark.clause("RT-33")
def test_the_random_sets_use_every_word_of_the_vocabulary() -> None:
    sets = [random_set(seed, seats_of(seed)).cards for seed in range(GAMES)]
    said = {
        (key, value.split(" ")[0] if key == "if" else value) for cards in sets for key, value in WORDS.findall(cards)
    }
    tables = {"when": MOMENTS, "whom": WHOM, "what": WHATS, "if": CONDITIONS, "of": TYPES, "with": SLOTS}
    tables |= {"detail": [word for table in DETAILS.values() for word in table], "kind": KIND_GROUPS[1:]}
    tables |= {"here": ["true"]}
    assert {(key, word) for key, table in tables.items() for word in table} - said == set()
    assert {"named", "titled"} <= {key for key, _ in said}
