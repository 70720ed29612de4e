"""Tests of Rune War in random games: every card is always in one place, and none stays known once it leaves a hand."""

import random

import numpy as np
import pytest

import quintain
from games.rune_war_positions import check_state
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import compiled
from quintain.engine.rules.contract import lowest_seat, nth_action
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.linking import rule, rules
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import CARDS, DECK, DEFENCE, HAND, NONE, PILE, PLACES

GAME = quintain.game("rune-war")
TABLES = [(seats, runes) for seats in range(2, 6) for runes in ("on", "off")]
over_tables = pytest.mark.parametrize(("seats", "runes"), TABLES)


@rule
def is_whole(book, s) -> bool:
    """Return whether every card is in one place and every count is right. RW-2, RW-6."""
    held = 0
    for card in range(book.cards):
        held += 1 if s.lies[card] == DECK or s.lies[card] == PILE else 0
    if held != s.deck_size + s.pile_size:
        return False
    for seat in range(book.seats):
        hand, laid, known = 0, 0, 0
        for card in range(CARDS):
            hand += 1 if s.lies[card] == HAND + seat else 0
            laid += 1 if s.lies[card] == DEFENCE + seat else 0
        for place in range(PLACES):
            card = s.defence[seat][place]
            known += 1 if card != NONE else 0
            if card != NONE and s.lies[card] != DEFENCE + seat:
                return False
            for viewer in range(st.VIEWERS):
                if card == NONE and st.has_seen(s, viewer, seat, place):
                    return False
            for other in range(place):
                if card != NONE and s.defence[seat][other] == card:
                    return False
        if hand != s.hand_size[seat] or laid != s.defence_size[seat] or known != laid:
            return False
    for card in range(CARDS):
        if s.lies[card] < HAND and s.known[card][0] + s.known[card][1] != 0:
            return False
    return True


@rule
def play_and_check(book, blank, pool, mask, words, first: int, games: int) -> int:
    """Play random games, and return the number of actions; -1 if a card was lost or doubled. RW-2, RW-6."""
    plies = 0
    for number in range(first, first + games):
        pool[0] = blank[0]
        s = pool[0]
        rng.seed(s.rng, rng.mix(number, 0))
        rng.seed(words, rng.mix(number, 1))
        rules.deal(book, s)
        bits = rules.to_act(book, s)
        while bits:
            seat = lowest_seat(bits)
            count = rules.legal(book, s, seat, mask)
            rules.play(book, s, seat, nth_action(mask, rng.below(words, count)))
            plies += 1
            if not is_whole(book, s):
                return -1
            bits = rules.to_act(book, s)
    return plies


def book_of(seats: int, runes: str):
    return GAME.make_book(seats, GAME.read_options(seats, {"runes": runes}))


@pytest.mark.long
@over_tables
def test_ten_thousand_random_wars_keep_every_card_in_one_place(seats: int, runes: str):
    record, state = GAME.book.array([book_of(seats, runes)])[0], GAME.state.array([GAME.state()])
    mask, words = np.zeros(GAME.actions, np.int8), np.zeros(4, np.int64)
    run = compiled(GAME, play_and_check)
    assert run(record, state, state.copy(), mask, words, 0, 10_000) > 1_000_000


@over_tables
def test_random_wars_keep_every_card_in_one_place(seats: int, runes: str):
    book = book_of(seats, runes)
    for seed in range(4):
        s, chooser = GAME.state(), random.Random(seed)
        rng.seed(s.rng, seed)
        GAME.rules.deal(book, s)
        while acting := seats_in(GAME.rules.to_act(book, s)):
            assert is_whole(book, s)
            seat = chooser.choice(acting)
            GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
        check_state(book, s)


def test_the_check_notices_a_card_that_is_lost_or_doubled():
    book, s = book_of(2, "on"), GAME.state()
    rng.seed(s.rng, 1)
    GAME.rules.deal(book, s)
    for spoil in (
        lambda spoilt: spoilt.lies.__setitem__(spoilt.lies.index(DECK), PILE + 1),
        lambda spoilt: spoilt.hand_size.__setitem__(0, 9),
        lambda spoilt: spoilt.defence[0].__setitem__(0, spoilt.lies.index(HAND)),
    ):
        spoilt = s.copy()
        assert is_whole(book, spoilt)
        spoil(spoilt)
        assert not is_whole(book, spoilt)


def test_random_wars_reach_both_kinds_of_end_and_every_phase():
    book, phases, ends = book_of(2, "on"), set(), set()
    for seed in range(60):
        s, chooser = GAME.state(), random.Random(seed)
        rng.seed(s.rng, seed)
        GAME.rules.deal(book, s)
        while acting := seats_in(GAME.rules.to_act(book, s)):
            phases.add(s.phase)
            seat = chooser.choice(acting)
            GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
        ends.add(any(s.out))
    assert phases == set(range(st.GIVE_UP + 1)) and ends == {False, True}
