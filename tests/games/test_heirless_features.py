"""Heirless battles: what the features for nets say of a state and of an action is what then happens."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from games.heirless_positions import begin, state_of, tables
from quintain.engine.play.match import Match
from quintain.games.heirless import action_features as af
from quintain.games.heirless import state as st
from quintain.games.heirless import state_features as sf
from quintain.games.heirless import wounds
from quintain.games.heirless.rules import ACTION_FEATURES, STATE_FEATURES, action_features, state_features
from quintain.games.heirless.words import TRACK_NAMES

SEATS = (2, 3, 5)
SMALL = tables(
    [("Red", [9, 9, -9], [0, 9, 9]), ("Blue", [-9, 0, 9], [9, -9, 0])],
    "\n".join(f"{name} = {[9, 1] if name == 'Delay' else [1, 9]}" for name in TRACK_NAMES),
)
"""Two cards that change much, and tracks of two steps."""


class Moment(NamedTuple):
    """A question of a random campaign: the match, the true state, the seat, and the features as the seat gets them."""

    match: Match
    s: Any
    seat: int
    seen: list[float]

    @property
    def book(self) -> Any:
        return self.match.book

    def row(self, action: int) -> list[float]:
        """Return the features of an action."""
        out = [float("nan")] * ACTION_FEATURES
        blinded = self.match.game.blinded(self.book, self.s, self.seat)
        action_features(self.book, blinded, self.seat, action, self.seen, out)
        return out

    def after(self, action: int) -> Any:
        """Return the true state after an action."""
        self.match.play(self.seat, action)
        return state_of(self.match)


def seen_by(match: Match, s: Any, seat: int) -> list[float]:
    """Return the features of a state as a seat sees it."""
    out = [float("nan")] * STATE_FEATURES
    state_features(match.book, match.game.blinded(match.book, s, seat), seat, out)
    return out


def moments(seats: int, phase: int, seed: int = 1, **options: Any) -> Iterator[Moment]:
    """Play a random campaign, and yield each question of a phase; a test may play its action itself."""
    match, chance = begin(seats, seed, **options), random.Random(seed)
    while match.outcome is None:
        seat, s, count = min(match.to_act), state_of(match), len(match.moves_made)
        if s.phase == phase:
            yield Moment(match, s, seat, seen_by(match, s, seat))
        if len(match.moves_made) == count:
            match.play(seat, chance.choice(match.seen(seat).legal))


def legal(moment: Moment) -> list[int]:
    """Return the legal actions of the seat that is asked."""
    return list(moment.match.seen(moment.seat).legal)


@pytest.mark.parametrize(
    "phase", [st.MUSTER, st.CHOOSE_BATTLE, st.PLACE, st.PROPOSAL, st.ANSWER, st.STRIKE, st.IMPROVE]
)
def test_the_question_and_the_kind_of_each_action_are_told(phase: int):
    met = 0
    for moment in moments(5, phase, seed=3):
        met += 1
        assert [each for each in range(sf.ASKED) if moment.seen[each]] == [phase]
        for action in legal(moment):
            kinds = [kind for kind in range(af.KINDS) if moment.row(action)[kind]]
            assert kinds == [af.kind_of(action)]
    assert met


@pytest.mark.parametrize("seats", SEATS)
def test_the_seat_and_its_rivals_are_told_by_their_resources(seats: int):
    for moment in moments(seats, st.MUSTER):
        others = [moment.s.resources[other] for other in range(seats) if other != moment.seat]
        own = moment.s.resources[moment.seat]
        assert moment.seen[sf.OF_SELF] == pytest.approx(own / sf.TWENTIES)
        assert moment.seen[sf.OF_RIVALS] == pytest.approx((own - sum(others) / len(others)) / sf.TENS)
        assert moment.seen[sf.OF_RIVALS + 4] == pytest.approx((own - max(others)) / sf.TENS)


@pytest.mark.parametrize("seats", SEATS)
def test_a_tile_is_told_by_what_it_pays_and_by_its_bandits(seats: int):
    for moment in moments(seats, st.MUSTER):
        for action in legal(moment):
            row, tile = moment.row(action)[af.OF_TILE :], action - st.SEND
            home, castle = tile == st.CASTLE + moment.seat, tile >= st.CASTLE
            kind = row[: st.DESTINATIONS].index(1.0)
            assert (kind == st.TO_HOME, kind in (st.TO_HOME, st.TO_RIVAL)) == (home, castle)
            pay = {st.TO_CAPITAL: 4, st.TO_LOCATION: 4, st.TO_CAMP: 3, st.TO_RIVAL: 2, st.TO_HOME: 0}[kind]
            assert row[st.DESTINATIONS + 2] == pytest.approx(pay / sf.TENS)
            assert row[st.DESTINATIONS + 3] == pytest.approx(0 if castle else moment.s.bandits[tile] / sf.FEW)
            assert not any(row[st.DESTINATIONS + 10 : af.TILE]), "nobody knows yet where the others are"


def test_before_a_battle_the_knights_of_others_on_its_tile_are_told():
    met = 0
    for moment in moments(5, st.CHOOSE_BATTLE):
        for action in legal(moment):
            tile, row = action - st.FIGHT, moment.row(action)[af.OF_TILE + st.DESTINATIONS :]
            others = [moment.s.host[other][tile] for other in range(5) if other != moment.seat]
            assert row[10] == pytest.approx(sum(others) / sf.FEW)
            assert row[11] == pytest.approx(sum(number > 0 for number in others) / sf.FEW)
            met += 1
    assert met


@pytest.mark.parametrize("seats", SEATS)
def test_the_cards_that_a_seat_has_placed_count_in_its_battle_values_as_they_will(seats: int):
    met = 0
    for moment in moments(seats, st.PLACE):
        seat = moment.seat
        told = moment.seen[sf.OWN_SIDE + 9 : sf.OWN_SIDE + 9 + st.VALUES]
        action = legal(moment)[0]
        row = moment.row(action)[af.OF_CARD + 5 : af.OF_CARD + 5 + st.VALUES]
        is_last = moment.s.waiting == 1 << seat and moment.s.attack[seat] != st.NONE
        after = moment.after(action)
        if is_last and after.phase in (st.PROPOSAL, st.STRIKE):
            least = [st.LEAST_DELAY if value == st.DELAY else 0 for value in range(st.VALUES)]
            sums = [max(round(sf.TENS * (a + b)), low) for a, b, low in zip(told, row, least, strict=True)]
            assert sums == list(after.value[seat])
            met += 1
    assert met


@pytest.mark.parametrize("seats", SEATS)
def test_a_blow_is_told_by_the_wounds_and_the_points_that_it_takes(seats: int):
    met = 0
    for moment in moments(seats, st.STRIKE):
        seat = moment.seat
        action = next((each for each in legal(moment) if each >= st.TARGET), None)
        if action is None or wounds.standing(moment.s, seat) - moment.s.sent != 1:
            continue
        side, knight = divmod(action - st.TARGET, st.MOST_KNIGHTS)
        row = moment.row(action)[af.OF_BLOW : af.OF_BLOW + af.BLOW]
        before = moment.s
        aimed = wounds.wounds_dealt(before, seat, side, before.aim[side][knight])
        health = before.value[side][st.HEALTH]
        already = min(before.wounds[side][knight] + aimed, health)
        after = moment.after(action)
        if side != st.BANDITS and before.force[st.BANDITS]:
            continue  # the Bandits may have struck it since, and nobody is asked for them
        assert row[0] == pytest.approx((after.wounds[side][knight] - already) / sf.TENS)
        assert bool(row[1]) == (after.wounds[side][knight] == health > already)
        taken = st.QUARTERS * (health - already) // health - wounds.points_of_knight(after, side, knight)
        assert row[3] == pytest.approx(taken / st.QUARTERS)
        met += 1
    assert met


def test_how_a_battle_stands_is_told():
    met = 0
    for moment in moments(3, st.STRIKE):
        s, seat = moment.s, moment.seat
        sides = [s.lineup[i] for i in range(s.sides)]
        health = {side: s.value[side][st.HEALTH] for side in sides}
        left = {side: [max(health[side] - s.wounds[side][i], 0) for i in range(s.force[side])] for side in sides}
        points = {side: sum(4 * each // health[side] for each in left[side]) for side in sides}
        joint = {side: points[side] + (points[s.ally[side]] if s.ally[side] != st.NONE else 0) for side in sides}
        rivals = [joint[side] for side in sides if side not in (seat, s.ally[seat])]
        own = moment.seen[sf.OWN_SIDE : sf.OWN_SIDE + sf.SIDE]
        assert own[2] == pytest.approx(sum(each > 0 for each in left[seat]) / sf.FEW)
        assert own[3] == pytest.approx(points[seat] / sf.TENS)
        assert moment.seen[sf.BATTLE + 10] == pytest.approx((joint[seat] - max(rivals, default=0)) / sf.TENS)
        met += 1
    assert met


def test_of_a_battle_elsewhere_and_of_one_that_is_over_nothing_is_told_of_the_own_side():
    met = 0
    for moment in moments(5, st.STRIKE):
        for other in range(5):
            if moment.s.force[other] == 0:
                seen = seen_by(moment.match, moment.s, other)
                assert not any(seen[sf.OWN_SIDE : sf.OWN_SIDE + sf.SIDE])
                assert not any(seen[sf.BATTLE + 10 : sf.BATTLE + 12])
                met += 1
    assert met
    was_allied = 0
    for moment in moments(5, st.PLACE, seed=2):
        was_allied += moment.s.ally[moment.seat] != st.NONE
        assert moment.seen[sf.BATTLE + 2] == 0.0, "alliances end with their battle"
    assert was_allied


def test_the_best_of_the_hand_is_told_and_of_delay_and_wounds_less_is_better():
    met = 0
    for moment in moments(3, st.PLACE):
        book, hand = moment.book, moment.s.hand[moment.seat]
        cards = [card for card in range(book.cards[0]) if hand >> card & 1 or not hand]
        best = [max(book.attack[0][card][value] for card in cards) for value in (0, 1)]
        best += [-min(book.attack[0][card][2] for card in cards)]
        best += [max(book.defence[0][card][value] for card in cards) for value in (0, 1)]
        best += [-min(book.defence[0][card][2] for card in cards)]
        assert moment.seen[sf.OF_HAND + 2 : sf.OF_HAND + 8] == pytest.approx([each / sf.TENS for each in best])
        met += 1
    assert met


@pytest.mark.parametrize(
    ("seats", "options"),
    [(6, {"knights": "1"}), (2, {"bandits": "off"}), (4, {"knights": "6", "tables": SMALL}), (3, {"seasons": "9"})],
    ids=["one Knight", "no Bandits", "few cards and steps", "nine seasons"],
)
def test_all_numbers_are_written_and_small_with_any_options(seats: int, options: dict[str, str]):
    met = set[int]()
    for phase in range(sf.ASKED):
        for moment in moments(seats, phase, seed=5, **options):
            met.add(phase)
            rows = [*map(moment.row, legal(moment)), *(seen_by(moment.match, moment.s, seat) for seat in range(seats))]
            assert all(abs(each) < 12 for row in rows for each in row), phase
    assert {st.MUSTER, st.PLACE} <= met


def test_a_step_is_told_by_what_it_adds_to_its_attribute():
    met = 0
    for moment in moments(3, st.IMPROVE, seed=4):
        action = legal(moment)[0]
        track, seat = action - st.RAISE, moment.seat
        row, before = moment.row(action)[af.OF_STEP :], moment.s.step[seat][track]
        after = moment.after(action)
        gained = moment.book.track[track][after.step[seat][track]] - moment.book.track[track][before]
        assert row[: st.TRACKS].index(1.0) == track
        assert row[st.TRACKS] == pytest.approx(gained / sf.FEW) and gained
        met += 1
    assert met
