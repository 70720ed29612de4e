"""What a seat remembers, as numbers: the last decisions, and the events since, as many as the game's window holds."""

from types import SimpleNamespace

import numpy as np
import pytest

import quintain
from quintain.engine import UNKNOWN
from quintain.engine.errors import BadGame
from quintain.engine.rules.game import Game
from quintain.envs.recall import (
    CHANGED,
    FIRST_BIT,
    KIND_BITS,
    NUMBER_BITS,
    EventNumbers,
    Recalled,
    RecallRow,
    chained,
    in_window,
    listed,
    noticed,
    told_since,
)
from remade import remade

PAST = [(None, ((1, 0, -1, 0, 0, 0, 0),)), (7, ()), (None, ((2, 1, 0, 5, 0, 0, 0), (3, 1, -1, 6, 0, 0, 0))), (9, ())]


def game_with(window: object) -> Game:
    game = quintain.game("heirless")
    return remade(game, rules=SimpleNamespace(**vars(game.module), WINDOW=window))


def events_of(last: Recalled | None, seat: int, seats: int = 3) -> np.ndarray:
    row = RecallRow(game_with((2, 4)), seats)
    out = np.full(row.events, np.nan, np.float32)
    row.write_events(last, seat, out)
    return out


def test_a_window_holds_the_last_decisions_and_the_events_since_the_latest_first():
    last = chained(PAST)
    two, three = PAST[2][1]
    assert in_window(last, 1, 9) == ([9], [])
    assert in_window(last, 2, 9) == ([9, 7], [(1, three), (1, two)])
    assert in_window(last, 3, 9) == ([9, 7], [(1, three), (1, two), (2, PAST[0][1][0])])
    assert in_window(last, 3, 1) == ([9, 7], [(1, three)])
    assert in_window(None, 3, 1) == ([], [])


def test_what_is_listed_can_be_chained_again():
    assert listed(chained(PAST)) == PAST and chained([]) is None


def test_decisions_have_a_column_for_each_action():
    row = RecallRow(game_with((3, 4)), 3)
    out = np.full(row.decisions, np.nan, np.float32)
    row.write_decisions(chained(PAST), out)
    assert [each.tolist() for each in out.nonzero()] == [[0, 1], [9, 7]] and out.max() == 1


def test_an_event_is_written_bit_by_bit_and_its_seats_are_turned():
    event: EventNumbers = (5, 2, 0, -3, UNKNOWN, 0, 32767)
    out = events_of(chained([(None, (event,)), (4, ())]), seat=1)
    row, most = out[0], quintain.game("heirless").seats[1]
    assert row[:FIRST_BIT].tolist() == [1, 0.5, 0] and not out[1:].any()
    bits = row[FIRST_BIT : FIRST_BIT + KIND_BITS]
    assert bits.tolist() == [1, 0, 1, 0, 0, 0, 0, 0]
    at = FIRST_BIT + KIND_BITS
    assert row[at : at + 2 * most].reshape(2, most).nonzero()[1].tolist() == [1, 2]
    numbers = row[at + 2 * most :].reshape(4, NUMBER_BITS + 1)
    assert numbers[:, -1].tolist() == [0, 1, 0, 0]
    values = (numbers[:, :-1] @ 2 ** np.arange(NUMBER_BITS)).tolist()
    assert values == [65533, 0, 0, 32767]


def test_a_change_that_no_event_tells_of_has_the_place_and_the_new_value_of_each_number():
    game = quintain.game("heirless")
    before, after = game.state(), game.state()
    after.phase, after.over = 3, 1
    names = list(game.state.fields)
    found = noticed(before, after)
    assert set(found) == {
        (CHANGED, -1, -1, names.index(name), 0, getattr(after, name), 0) for name in ("phase", "over")
    }
    out = events_of(chained([(None, found[:1])]), seat=0)
    assert out[0, :FIRST_BIT].tolist() == [1, 0, 1] and not out[0, FIRST_BIT : FIRST_BIT + KIND_BITS].any()
    assert noticed(after, after) == ()


def test_events_are_told_once_and_as_far_as_the_ring_holds_them():
    state = quintain.game("kings-court").state()
    ring = len(state.events)
    for kind, event in enumerate(state.events):
        event.kind = kind
    state.events_made = ring + 1
    assert [kind for kind, *_ in told_since(state, ring)] == [0]
    assert [kind for kind, *_ in told_since(state, 0)] == [*range(1, ring), 0]
    assert told_since(state, ring + 1) == ()


def test_a_game_that_declares_no_window_has_the_usual_one():
    assert quintain.game("heirless").window == (4, 24) and game_with((2, 6)).window == (2, 6)


@pytest.mark.parametrize("window", [3, (0, 5), (2, 0), (2.0, 5), (1, 2, 3), "45", (True, 4)])
def test_a_window_that_is_none_is_refused(window: object):
    with pytest.raises(BadGame, match="WINDOW of heirless must be a number of decisions and one of events"):
        game_with(window)
