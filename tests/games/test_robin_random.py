"""Robin in the Hood: random tournaments, in which every card is always in one place, and which end by a rule."""

import random

import numpy as np
import pytest

import quintain
from conformance.cases import OUTLAWS
from games.naive_robin import Table
from games.robin_positions import check_state
from games.test_robin_cards import naive_finals, person
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import compiled
from quintain.engine.rules.contract import lowest_seat, nth_action
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.linking import rule, rules
from quintain.games.robin import levels as lv
from quintain.games.robin import state as st
from quintain.games.robin.state import CHOOSE_SET, ENDED, MOST_DRAWN, NONE, SEATS, STAGES
from quintain.games.robin.words import card_name

GAME = quintain.game("robin")
OPTIONS = (
    {},
    {"ante": "on", "active": "10", "modifiers": "off", "victories": "9"},
    {"active": "20", "victories": "1", "ante": "on"},
    {"active": "10", "modifiers": "off", "collection-0": OUTLAWS, "collection-1": OUTLAWS},
)
over_options = pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))


@rule
def is_whole(book, s) -> bool:
    """Return whether each card of a set is in one place, and each card in play has been played. RH-4, RH-9."""
    for seat in range(SEATS):
        total = s.hand_size[seat] + s.pile_size[seat]
        for card in range(book.cards):
            places = s.shown[seat][card]
            total += s.shown[seat][card]
            for held in range(s.hand_size[seat]):
                places += 1 if s.hand[seat][held] == card else 0
            for place in range(s.pile_size[seat]):
                places += 1 if s.pile[seat][place] == card else 0
            if places > 1 or places > book.owned[seat][card]:
                return False
        if s.phase > CHOOSE_SET and total != book.active + book.modifiers:
            return False
        for stage in range(STAGES):
            card = s.stage[seat][stage]
            if card != NONE and s.shown[seat][card] == 0:
                return False
            for other in range(stage):
                if card != NONE and s.stage[seat][other] == card:
                    return False
    return True


@rule
def ends_by_a_rule(book, s) -> bool:
    """Return whether a finished tournament was won, or ended after nine drawn rounds. RH-6, RH-18."""
    most = s.victories[0] if s.victories[0] > s.victories[1] else s.victories[1]
    won = most == book.victories and s.victories[0] != s.victories[1]
    return s.phase == ENDED and (won or s.drawn == MOST_DRAWN)


@rule
def play_and_check(book, blank, pool, mask, words, first: int, games: int) -> int:
    """Play random tournaments and return how many actions they took; -1 if one broke a rule. RH-4, RH-16, RH-18."""
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
            if not is_whole(book, s) or s.hands > book.active + book.modifiers - 4:
                return -1
            bits = rules.to_act(book, s)
        if not ends_by_a_rule(book, s):
            return -1
    return plies


def book_of(options: dict[str, str]):
    return GAME.make_book(2, GAME.read_options(2, options))


@pytest.mark.long
@pytest.mark.clause("RH-16", "RH-18")
@over_options
def test_ten_thousand_random_tournaments_keep_every_card_in_one_place_and_end_by_a_rule(options: dict[str, str]):
    record, state = GAME.book.array([book_of(options)])[0], GAME.state.array([GAME.state()])
    mask, words = np.zeros(GAME.actions, np.int8), np.zeros(4, np.int64)
    run = compiled(GAME, play_and_check)
    assert run(record, state, state.copy(), mask, words, 0, 10_000) > 300_000


@pytest.mark.clause("RH-12", "RH-16", "RH-18")
@over_options
def test_random_tournaments_lose_no_card_and_compare_as_the_printed_texts_say(options: dict[str, str]):
    book, hands = book_of(options), 0
    for seed in range(6):
        s, chooser = GAME.state(), random.Random(seed)
        rng.seed(s.rng, seed)
        GAME.rules.deal(book, s)
        reported = s.events_made
        while acting := seats_in(GAME.rules.to_act(book, s)):
            seat = chooser.choice(acting)
            GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
            assert is_whole(book, s)
            check_state(book, s)
            if s.events_made - reported > 2 and s.phase != CHOOSE_SET:
                hands += 1
                compare(book, s)
            reported = s.events_made
        assert ends_by_a_rule(book, s)
    assert hands > 30


def compare(book, s) -> None:
    """Assert that the last comparison is as the printed texts say."""
    sides = tuple(
        {stage: person(card_name(book, card)) for stage, card in enumerate(s.fought[seat]) if card != st.NONE}
        for seat in (0, 1)
    )
    texts = tuple([book.modifier[number].text for number in s.in_force[seat] if number != st.NONE] for seat in (0, 1))
    expected = naive_finals(Table(sides, texts, tuple(s.had_won)))
    assert expected == {
        (seat, stage): lv.level(book, s, seat, stage)
        for seat in (0, 1)
        for stage in range(st.STAGES)
        if s.fought[seat][stage] != st.NONE
    }


@pytest.mark.clause("RH-8")
@over_options
def test_a_redeal_gives_whole_sets_that_fit_what_is_known(options: dict[str, str]):
    book, redealt_hands = book_of(options), 0
    s, chooser = GAME.state(), random.Random(3)
    rng.seed(s.rng, 3)
    GAME.rules.deal(book, s)
    while acting := seats_in(GAME.rules.to_act(book, s)):
        seat = chooser.choice(acting)
        GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
        for viewer in (-1, 0, 1):
            world = GAME.blinded(book, s, viewer)
            GAME.rules.redeal(book, world, chooser.randrange(2**60))
            assert is_whole(book, world)
            check_state(book, world)
            redealt_hands += world.hand != s.hand
    assert redealt_hands > 20


def test_the_check_sees_a_card_that_is_lost_or_doubled():
    book, s = book_of({}), GAME.state()
    rng.seed(s.rng, 1)
    GAME.rules.deal(book, s)
    for seat in (0, 1):
        GAME.rules.play(book, s, seat, st.DEAL)
    for spoil in (
        lambda spoilt: spoilt.pile[0].__setitem__(0, spoilt.hand[0][0]),
        lambda spoilt: spoilt.pile_size.__setitem__(1, 9),
        lambda spoilt: spoilt.stage[0].__setitem__(2, spoilt.hand[0][1]),
    ):
        spoilt = s.copy()
        assert is_whole(book, spoilt)
        spoil(spoilt)
        assert not is_whole(book, spoilt)
