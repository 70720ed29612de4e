"""Heirless battles: random campaigns, each position of which must be sound."""

import random

import numpy as np
import pytest

import quintain
from games.heirless_positions import tables
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import compiled
from quintain.engine.rules.contract import lowest_seat, nth_action
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.linking import rule, rules
from quintain.games.heirless import state as st
from quintain.games.heirless.state import (
    BANDITS,
    CASTLE,
    CLEANUP,
    FIRST_CAMP,
    HEALTH,
    MUSTER,
    NONE,
    OWNERS,
    PLACE,
    SEATS,
    STRIKE,
    TILES,
    TRACKS,
)

GAME = quintain.game("heirless")
ODD = tables([(name, [number, 0, -1], [number, 1, number]) for number, name in enumerate(("Red", "Blue", "Green"))])
ODD += tables([(name, [number, 1, 0], [1, 2, 0]) for number, name in enumerate("ABCDE")], part="bandit_cards")
SETTINGS = [
    *({"seats": seats} for seats in range(2, 7)),
    {"seats": 3, "bandits": "off"},
    {"seats": 4, "tables": ODD},
    {"seats": 6, "knights": "6", "seasons": "9"},
]
over_settings = pytest.mark.parametrize(
    "setting", SETTINGS, ids=lambda s: "-".join(f"{k}{v}"[:9] for k, v in s.items())
)


@rule
def is_sound(book, s) -> bool:
    """Return whether all Knights, cards, Wounds and steps fit the rules. HB-7, HB-10, HB-20, HB-26."""
    for seat in range(book.seats):
        sent = 0
        for tile in range(TILES):
            sent += s.host[seat][tile]
            if tile >= CASTLE + book.seats and s.host[seat][tile] != 0:
                return False
        if sent > book.knights or s.order[s.place[seat]] != seat:
            return False
        if (s.phase == MUSTER) and (s.waiting >> seat & 1) != (sent < book.knights):
            return False
    for owner in range(OWNERS):
        if s.hand[owner] >> book.cards[1 if owner >= SEATS else 0]:
            return False
        for track in range(TRACKS):
            if s.step[owner][track] >= book.steps[track]:
                return False
    fought = 0
    for tile in range(CASTLE):
        fought += s.bandits[tile] + s.defeated[tile]
    if fought > 4 * book.bandits:
        return False
    if s.phase == MUSTER or s.tile == NONE:
        return True
    for i in range(s.sides):
        side = s.lineup[i]
        if s.phase == PLACE:
            if side != BANDITS and (s.waiting >> side & 1) != (s.attack[side] == NONE or s.defence[side] == NONE):
                return False
        else:
            if s.ally[side] != NONE and (side == BANDITS or s.ally[s.ally[side]] != side or s.sides < 3):
                return False
            if s.attack[side] == NONE or s.attack[side] == s.defence[side]:
                return False
            for knight in range(s.force[side]):
                if s.wounds[side][knight] < 0 or s.wounds[side][knight] > s.value[side][HEALTH]:
                    return False
        if s.phase == STRIKE and s.ally[s.actor] != NONE:
            for knight in range(s.force[s.ally[s.actor]]):
                if s.aim[s.ally[s.actor]][knight] != 0:
                    return False
    return True


@rule
def play_and_check(book, blank, pool, mask, words, first: int, games: int) -> int:
    """Play random games and return how many actions they took; -1 if a position is unsound. HB-24, HB-25."""
    plies = 0
    for number in range(first, first + games):
        pool[0] = blank[0]
        s = pool[0]
        rng.seed(s.rng, rng.mix(number, 0))
        rng.seed(words, rng.mix(number, 1))
        rules.deal(book, s)
        earned = 0
        bits = rules.to_act(book, s)
        while bits:
            seat = lowest_seat(bits)
            count = rules.legal(book, s, seat, mask)
            rules.play(book, s, seat, nth_action(mask, rng.below(words, count)))
            plies += 1
            now = 0
            for other in range(book.seats):
                now += s.resources[other]
            if count < 1 or now < earned or not is_sound(book, s):
                return -1
            earned = now
            bits = rules.to_act(book, s)
        if s.phase != CLEANUP or s.season != book.seasons - 1:
            return -1
    return plies


def book_of(setting: dict[str, object]):
    options = {name: value for name, value in setting.items() if name != "seats"}
    return GAME.make_book(setting["seats"], GAME.read_options(setting["seats"], options))


@pytest.mark.long
@over_settings
def test_ten_thousand_random_campaigns_stay_sound_and_end_by_the_rules(setting: dict[str, object]):
    record, state = GAME.book.array([book_of(setting)])[0], GAME.state.array([GAME.state()])
    mask, words = np.zeros(GAME.actions, np.int8), np.zeros(4, np.int64)
    run = compiled(GAME, play_and_check)
    assert run(record, state, state.copy(), mask, words, 0, 10_000) > 500_000


@over_settings
def test_random_campaigns_stay_sound(setting: dict[str, object]):
    book = book_of(setting)
    for seed in range(4):
        s, chooser = GAME.state(), random.Random(seed)
        rng.seed(s.rng, seed)
        GAME.rules.deal(book, s)
        while acting := seats_in(GAME.rules.to_act(book, s)):
            assert is_sound(book, s)
            seat = chooser.choice(acting)
            GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
        assert s.season == book.seasons - 1 and is_sound(book, s)


def test_the_check_notices_unsound_positions():
    book, s, chooser = book_of({"seats": 3}), GAME.state(), random.Random(1)
    rng.seed(s.rng, 1)
    GAME.rules.deal(book, s)
    while s.phase != STRIKE:
        seat = chooser.choice(seats_in(GAME.rules.to_act(book, s)))
        GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
    for spoil in (
        lambda spoilt: spoilt.host[0].__setitem__(0, 6),
        lambda spoilt: spoilt.hand.__setitem__(0, 64),
        lambda spoilt: spoilt.step[6].__setitem__(st.DEFENSE, 4),
        lambda spoilt: spoilt.attack.__setitem__(spoilt.lineup[0], spoilt.defence[spoilt.lineup[0]]),
        lambda spoilt: spoilt.wounds[spoilt.lineup[0]].__setitem__(0, 99),
        lambda spoilt: spoilt.bandits.__setitem__(FIRST_CAMP, 5),
    ):
        spoilt = s.copy()
        assert is_sound(book, spoilt)
        spoil(spoilt)
        assert not is_sound(book, spoilt)


def test_random_campaigns_come_to_every_question_and_to_every_end_of_a_battle():
    phases, victors = set(), set()
    for seed in range(40):
        book = book_of({"seats": 3 + seed % 2})
        s, chooser = GAME.state(), random.Random(seed)
        rng.seed(s.rng, seed)
        GAME.rules.deal(book, s)
        while acting := seats_in(GAME.rules.to_act(book, s)):
            phases.add(s.phase)
            seat = chooser.choice(acting)
            GAME.rules.play(book, s, seat, chooser.choice(GAME.legal_actions(book, s, seat)))
            if s.victor != NONE:
                victors.add((s.victor == BANDITS, s.ally[s.victor] != NONE))
    assert phases == set(range(st.IMPROVE + 1))
    assert victors == {(True, False), (False, False), (False, True)}
