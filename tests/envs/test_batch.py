"""A batch plays the same games as the rules themselves, whatever its settings, and takes nothing wrong."""

import copy
import hashlib
import io
import json
import pickle
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import quintain
from conformance.cases import KUHN, tutorial_game
from quintain.engine.errors import BadOption, BadRecord, IllegalMove, UnknownGame
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.registry import register_file
from quintain.envs.batch import Batch

ARRAYS = ("observation", "mask", "seat", "to_act", "reward", "done", "returns", "scores")
GAMES = [game.id for game in quintain.all_games() if game.folder]


def goofspiel() -> Game:
    return tutorial_game()


def kuhn() -> Game:
    return register_file(KUHN)


def dealt(game: str | Game, games: int = 8, seeds: object = 7, **more: object) -> Batch:
    batch = Batch(game, games, **more)
    batch.reset(seeds)
    return batch


def shown(batch: Batch) -> list[bytes]:
    """Return all that a caller sees, as bytes."""
    return [getattr(batch, name).tobytes() for name in ARRAYS]


def truth(batch: Batch) -> list[bytes]:
    """Return all that a caller sees, and the state of every place, as bytes."""
    return [*shown(batch), *(batch.state(place).pack() for place in range(batch.games))]


@pytest.mark.parametrize("game_id", ["kings-court", "heirless"])
def test_a_batch_plays_what_the_interpreted_rules_play(game_id: str):
    """From the seed of a place to the scores and returns of its first game."""
    game = quintain.game(game_id)
    seeds = [5, 900, 2**63 - 1]
    batch = dealt(game, 3, seeds, auto_reset=False)
    plain = [game.state() for _ in seeds]
    for s, seed in zip(plain, seeds, strict=True):
        rng.seed(s.rng, rng.mix(seed, 0))
        game.rules.deal(batch.book, s)
    while (batch.to_act > 0).all():
        actions = batch.sample()
        for place, s in enumerate(plain):
            assert s.pack() == batch.state(place).pack()
            assert int(batch.to_act[place]) == game.rules.to_act(batch.book, s)
            seat = seats_in(game.rules.to_act(batch.book, s))[0]
            assert batch.seat[place] == seat
            assert np.flatnonzero(batch.mask[place]).tolist() == game.legal_actions(batch.book, s, seat)
            game.rules.play(batch.book, s, seat, int(actions[place]))
        batch.step(actions)
    ended = np.flatnonzero(batch.done)
    assert len(ended)
    for place in ended:
        scores, ranks = [0] * batch.seats, [0] * batch.seats
        game.rules.outcome(batch.book, plain[place], scores, ranks)
        assert batch.scores[place].tolist() == scores
        winners = ranks.count(1)
        shares = [1 / winners if rank == 1 else 0 for rank in ranks]
        centred = [(share * batch.seats - 1) / (batch.seats - 1) for share in shares]
        assert np.allclose(batch.returns[place], centred)
        assert (batch.reward[place] == batch.returns[place]).all()


def test_returns_add_up_to_zero_and_a_payoff_keeps_its_units():
    for game, options in ((goofspiel(), {"cards": 3}), (kuhn(), {})):
        batch, seen = dealt(game, 64, options=options), set()
        for _ in range(60):
            batch.step(batch.sample())
            seen |= set(batch.returns[batch.done].flatten().tolist())
            assert np.allclose(batch.returns.sum(axis=1), 0)
            assert (batch.reward[~batch.done] == 0).all()
        assert seen == ({-1, 0, 1} if game.id == "goofspiel" else {-2, -1, 1, 2})


def test_with_three_seats_a_sole_winner_gets_one_and_the_others_a_half_less():
    batch = dealt(goofspiel(), 64, seats=3, options={"cards": 4})
    for _ in range(40):
        batch.step(batch.sample())
    assert {1.0, -0.5} <= set(batch.returns.flatten().tolist())


def test_a_place_shows_its_next_game_where_one_has_ended():
    batch = dealt(goofspiel(), 4, 3, options={"cards": 2})
    for _ in range(3):
        batch.step(batch.sample())
        assert not batch.done.any()
    batch.step(batch.sample())
    assert batch.done.all() and (batch.to_act == 3).all() and (batch.seat == 0).all()
    assert batch.state(0).prize == 2
    assert dealt(goofspiel(), 4, 3, options={"cards": 2}).state(1).rng != batch.state(1).rng, (
        "a new game has new chance"
    )


def test_without_auto_reset_a_game_that_is_over_waits():
    batch = dealt(goofspiel(), 4, 3, options={"cards": 2}, auto_reset=False)
    for _ in range(4):
        batch.step(batch.sample())
    assert (batch.seat == -1).all() and not batch.mask.any() and batch.done.all()
    before = truth(batch)
    with pytest.raises(IllegalMove, match="the game in place 0 is over: call reset_done"):
        batch.step(np.zeros(4, int))
    assert truth(batch) == before
    batch.reset_done()
    assert (batch.seat == 0).all() and batch.mask.any(axis=1).all()


def test_secret_picks_together_give_the_same_games_as_one_after_another():
    game = goofspiel()
    alone = dealt(game, 16, options={"cards": 5}, auto_reset=False)
    together = dealt(game, 16, options={"cards": 5}, auto_reset=False, together=True)
    assert together.observation.shape == (16, 2, game.observation.size)
    while together.to_act.any():
        actions = together.sample()
        assert (together.to_act == 3).all()
        together.step(actions)
        for seat in (0, 1):
            assert (alone.seat == seat).all()
            alone.step(actions[:, seat])
    assert (alone.returns == together.returns).all() and alone.returns.any()


def test_together_a_seat_that_is_not_asked_has_no_action_and_its_entry_does_not_count():
    batch = dealt("kings-court", 32, together=True)
    for _ in range(200):
        asked = (batch.to_act[:, None] >> np.arange(2) & 1).astype(bool)
        assert (batch.mask.any(axis=2) == asked).all()
        actions = batch.sample()
        actions[~asked] = -99
        batch.step(actions)
    assert batch.returns.any()


def test_a_learner_is_asked_alone_and_the_others_play_legally():
    game = quintain.game("kings-court")
    for learner in (0, 1):
        batch, twin = (dealt(game, 32, learner=learner, others="random") for _ in range(2))
        for _ in range(150):
            assert (batch.seat == learner).all() and (batch.to_act == 1 << learner).all()
            actions = batch.sample()
            batch.step(actions)
            twin.step(actions)
        assert truth(batch) == truth(twin)
        assert 0.2 < (batch.returns[:, learner] == 1).mean() < 0.8


def test_others_may_play_by_the_policy_of_the_game():
    batch = dealt("round-table", 4, learner=0, others="policy", observation=None)
    by_chance = dealt("round-table", 4, learner=0, others="random", observation=None)
    for _ in range(20):
        batch.step(batch.sample())
        by_chance.step(by_chance.sample())
    assert truth(batch) != truth(by_chance)


def test_the_observation_is_that_of_the_seat_to_act_and_any_other_can_be_asked_for():
    batch = dealt("kings-court", 16)
    for _ in range(40):
        batch.step(batch.sample())
    rows = [batch.observe(seat) for seat in (0, 1)]
    for place in range(16):
        assert (batch.observation[place] == rows[batch.seat[place]][place]).all()
        assert (rows[0][place] != rows[1][place]).any()


@pytest.mark.parametrize("game_id", GAMES)
def test_threads_change_nothing(game_id: str):
    one, three = (dealt(game_id, 10, threads=threads, observation="int8") for threads in (1, 3))
    for _ in range(60):
        actions = one.sample()
        assert (actions == three.sample()).all()
        one.step(actions)
        three.step(actions)
    assert truth(one) == truth(three)


def test_equal_seeds_mean_equal_games_and_other_seeds_other_games():
    batch = dealt("kings-court", 3, [4, 4, 5])
    assert batch.state(0).pack() == batch.state(1).pack() != batch.state(2).pack()
    again = dealt("kings-court", 3, np.array([4, 4, 5], np.uint32))
    assert truth(again) == truth(batch)
    batch.step(batch.sample())
    batch.reset([4, 4, 5])
    assert truth(again) == truth(batch), "a batch can be reset at any time"


def test_a_single_seed_gives_every_place_its_own():
    batch = dealt("kings-court", 3, 9)
    assert truth(batch) == truth(dealt("kings-court", 3, [rng.mix(9, place) for place in range(3)]))


@pytest.mark.parametrize("more", [{}, {"together": True}, {"learner": 1, "others": "random"}], ids=str)
def test_a_saved_batch_goes_on_as_if_nothing_had_happened(more: dict[str, object]):
    batch = dealt("kings-court", 6, **more)
    for _ in range(70):
        batch.step(batch.sample())
    saved, other = batch.save(), Batch("kings-court", 6, **more)
    other.restore(saved)
    assert truth(other) == truth(batch)
    for _ in range(70):
        actions = batch.sample()
        assert (other.sample() == actions).all()
        batch.step(actions)
        other.step(actions)
    assert truth(other) == truth(batch)


def forged(saved: bytes, **arrays: object) -> bytes:
    """Return a save with other arrays, or without those that are None, and a digest that fits."""
    head, _, body = saved.partition(b"\n")
    with np.load(io.BytesIO(body)) as held:
        kept = {name: array for name, array in {**held, **arrays}.items() if array is not None}
    file = io.BytesIO()
    np.savez(file, **kept)
    described = json.loads(head) | {"digest": hashlib.sha256(file.getvalue()).hexdigest()}
    return json.dumps(described).encode() + b"\n" + file.getvalue()


def test_a_save_that_is_damaged_or_of_another_batch_is_refused():
    batch = dealt("kings-court", 6)
    saved, before = batch.save(), truth(batch)
    wrong = {
        "damaged": saved[:-3] + b"xyz",
        "it does not begin with": b'["digest"]\n',
        "begin with a description": b"[" * 100_000 + b"\n",
        "must be int64, ": forged(saved, seeds=np.zeros(3)),
        "does not hold its arrays": forged(saved, seeds=None),
        "allow_pickle=False": forged(saved, seeds=np.array([None] * 6)),
        "bytes, not": "text",
        "of a batch with game": dealt(kuhn(), 6).save(),
        "with games 5": dealt("kings-court", 5).save(),
        "with options": dealt("kings-court", 6, options={"garnets": "3,1"}).save(),
        "with together": dealt("kings-court", 6, together=True).save(),
    }
    for words, data in wrong.items():
        with pytest.raises(BadRecord, match=words):
            batch.restore(data)
        assert truth(batch) == before


def test_who_writes_into_the_arrays_changes_no_rule():
    batch = dealt("kings-court", 4)
    illegal = int(np.flatnonzero(batch.mask[2] == 0)[0])
    legal = batch.sample()
    batch.mask[:], batch.to_act[:], batch.seat[:] = 1, 3, 1
    actions = legal.copy()
    actions[2] = illegal
    with pytest.raises(IllegalMove, match=f"action {illegal} of seat 0 in place 2 is not legal; legal are "):
        batch.step(actions)
    batch.step(legal)


def test_rows_can_be_read_by_other_libraries_without_a_copy():
    batch = dealt("kings-court", 4)
    row = np.from_dlpack(batch.observation)
    assert np.shares_memory(row, batch.observation)
    where = batch.observation.__array_interface__["data"]
    before = row.copy()
    batch.step(batch.sample())
    assert batch.observation.__array_interface__["data"] == where and (row != before).any()


def test_a_step_lets_other_threads_run():
    """Another thread gets its turn very often during a step; otherwise it would only while numpy copies arrays."""
    batch, steps, turns = dealt("kings-court", 50_000, observation=None), 20, 0
    batch.step(batch.sample())

    def work() -> None:
        for _ in range(steps):
            batch.step(batch.sample())

    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # no other way to get a turn
    try:
        worker = threading.Thread(target=work)
        worker.start()
        while worker.is_alive():
            time.sleep(0)
            turns += 1
    finally:
        sys.setswitchinterval(before)
    assert turns > 15 * steps


def test_a_batch_belongs_to_one_thread_at_a_time():
    """Otherwise an action could be checked in one state and played in another."""
    batch, errors, ended = dealt("heirless", 256, observation=None), [], []

    def play() -> None:
        for _ in range(300):
            try:
                batch.step(batch.sample())
            except (BadOption, IllegalMove) as error:  # a state may have moved on between sample and step
                errors.append(str(error))
        ended.append(True)

    threads = [threading.Thread(target=play) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(ended) == 3 and any("another thread is using this batch" in words for words in errors)
    for _ in range(100):
        batch.step(batch.sample())


def test_actions_that_change_during_a_step_change_nothing():
    batch, go = dealt("kings-court", 512, observation=None), [True]
    actions = batch.sample()
    good = [actions.copy()]

    def spoil() -> None:
        while go:
            actions[-64:] = 10**15
            actions[:] = good[0]

    spoiler = threading.Thread(target=spoil, daemon=True)
    spoiler.start()
    played = 0
    for _ in range(3000):
        good[0] = batch.sample()
        actions[:] = good[0]
        try:
            batch.step(actions)
            played += 1
        except IllegalMove:
            pass
    go.clear()
    spoiler.join()
    assert played


def test_who_gives_the_arrays_another_shape_harms_nobody_but_the_own_view():
    batch = dealt("kings-court", 50, observation=None)
    batch.returns.shape = (2, 50)
    batch.reward.flags.writeable = False
    for name in ("returns", "done", "scores"):
        with pytest.raises(ValueError, match="does not own its data"):
            getattr(batch, name).resize(1, refcheck=False)
    for _ in range(200):
        batch.step(batch.sample())
    assert batch.returns.any()


def test_a_forked_process_steps_a_batch_with_threads():
    program = """
import os, warnings
from quintain.envs.batch import Batch
warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks of processes with threads
batch = Batch("kings-court", 8, threads=2)
batch.reset(1)
batch.step(batch.sample())
child = os.fork()
batch.step(batch.sample())
if child == 0:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert ran.stdout == "0\n"


@pytest.mark.parametrize("copy", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_is_a_batch_of_its_own_that_goes_on_from_the_same_states(copy: Callable[[Batch], Batch]):
    batch = dealt("kings-court", 4, together=True, options={"garnets": "3,1"})
    batch.step(batch.sample())
    twin = copy(batch)
    assert truth(twin) == truth(batch)
    before = truth(batch)
    twin.step(twin.sample())
    assert truth(batch) == before != truth(twin)
    batch.step(batch.sample())
    assert truth(twin) == truth(batch)
    assert not copy(Batch("kings-court", 4)).is_dealt


def wrong_arguments() -> list[tuple[str, dict[str, object]]]:
    return [
        ("games is a whole number from 1", {"games": 0}),
        ("games is a whole number", {"games": 2.5}),
        ("games is a whole number", {"games": True}),
        ("threads is a whole number", {"threads": 0}),
        ("is not played with 3 seats", {"seats": 3}),
        ("has no option", {"options": {"nonsense": 1}}),
        ("an observation is 'float32', 'int8', 'open' or None", {"observation": "float64"}),
        ("the others play", {"others": "champion"}),
        ("learner is a whole number from 0 to 1", {"learner": 2}),
        ("with a learner it must be off", {"learner": 1, "together": True}),
        ("the others play", {"others": ["random", 5]}),
        ("King's Court has no policy of its own", {"learner": 0, "others": "policy"}),
        ("an observation is", {"observation": np.zeros(3)}),
        ("together and auto_reset are True or False", {"together": "yes"}),
        ("together and auto_reset are True or False", {"auto_reset": 1}),
        ("GiB, and this machine has", {"games": 1_000_000, "game": "round-table"}),
        ("a game is an id", {"game": 5}),
    ]


@pytest.mark.parametrize(("words", "more"), wrong_arguments())
def test_wrong_arguments_are_named(words: str, more: dict[str, object]):
    with pytest.raises(BadOption, match=words):
        Batch(**{"game": "kings-court", "games": 4, **more})


def test_an_unknown_game_is_named():
    with pytest.raises(UnknownGame, match="chess"):
        Batch("chess", 4)


def test_a_batch_that_is_not_dealt_says_so():
    batch = Batch("kings-court", 4)
    for do in (batch.sample, batch.save, batch.reset_done, lambda: batch.state(0), lambda: batch.step([0] * 4)):
        with pytest.raises(BadOption, match="call reset with seeds first"):
            do()


def test_a_batch_without_observations_has_none():
    batch = dealt("kings-court", 4, observation=None)
    with pytest.raises(BadOption, match="this batch has no observations"):
        batch.observe(0)


def test_the_first_wrong_seed_is_named():
    batch = Batch("kings-court", 4)
    with pytest.raises(BadOption, match=f"place 3 has {2**63}"):
        batch.reset(np.array([1, 2, 3, 2**63], np.uint64))
    with pytest.raises(BadOption, match="not a masked array"):
        batch.reset(np.ma.masked_array([1, 2, 3, 4], [0, 0, 1, 0]))
    batch.reset(1)
    with pytest.raises(IllegalMove, match=f"action {2**64 - 1} of seat"):
        batch.step(np.full(4, 2**64 - 1, np.uint64))


WRONG_SEEDS = [
    -1,
    2**63,
    1.5,
    "7",
    None,
    [1, 2],
    [[1], [2], [3], [4]],
    [1, 2, 3, -4],
    [1.0, 2.0, 3.0, 4.0],
    [],
    object(),
]


def wrong_call(batch: Batch, chooser: random.Random) -> tuple[object, ...]:
    """Return a method of a batch and an argument that is wrong for it."""
    right = batch.sample()
    kind = chooser.randrange(10)
    if kind < 4:  # an action that is not legal
        place = chooser.randrange(batch.games)
        slot = (place, chooser.choice(seats_in(int(batch.to_act[place])))) if right.ndim == 2 else place
        illegal = np.flatnonzero(batch.mask[slot] == 0)
        far = [-1, -(2**62), 2**62, 2**31, batch.game.actions, batch.game.actions + chooser.randrange(10**6)]
        right[slot] = chooser.choice([*far, *chooser.choices(illegal.tolist(), k=6)])
        return batch.step, right
    if kind == 4:
        return batch.step, chooser.choice(
            [right[:-1], right[None], right.ravel()[:1], np.array(3), [], right.T[..., None]]
        )
    if kind == 5:
        return batch.step, chooser.choice([right.astype(float), right.astype(str), None, "abc", object(), right > 0])
    if kind == 6:
        return batch.reset, chooser.choice(WRONG_SEEDS)
    if kind == 7:
        return batch.observe, chooser.choice([-1, batch.seats, 10**9, 0.0, "0", None, True])
    if kind == 8:
        return batch.state, chooser.choice([-1, batch.games, 2**40, 1.0, None, "x"])
    return batch.restore, chooser.choice([b"", b"{}\n", chooser.randbytes(200), batch.save()[:-1], None, 5])


QUICK = ("goofspiel",)
"""What a wrong call meets is the batch, the same for all games: our own are fuzzed by the long tests."""


@pytest.mark.parametrize(
    "game_id", [*QUICK, *(pytest.param(name, marks=pytest.mark.long) for name in GAMES if name not in QUICK)]
)
def test_ten_thousand_wrong_calls_change_nothing(game_id: str):
    """Compiled with checked bounds, so that reading outside an array would fail, too; a right step comes in between."""
    chooser, calls = random.Random(game_id), 10_000 // len(QUICK)
    game = goofspiel() if game_id == "goofspiel" else quintain.game(game_id)
    batch = dealt(game, 4, together=game_id in ("goofspiel", "heirless"), boundscheck=True)
    before = truth(batch)
    for number in range(calls):
        do, given = wrong_call(batch, chooser)
        with pytest.raises((IllegalMove, BadOption, BadRecord)) as error:
            do(given)
        assert len(str(error.value)) < 600
        if number % 10 == 0:
            assert truth(batch)[: len(ARRAYS)] == before[: len(ARRAYS)]
            assert truth(batch) == before
            batch.step(batch.sample())
            before = truth(batch)


@pytest.mark.parametrize("id_", GAMES)
def test_an_open_observation_is_that_of_the_whole_state(id_: str):
    found, fair, whole = quintain.game(id_), dealt(id_, 2), dealt(id_, 2, observation="open")
    for _ in range(12):
        actions = fair.sample()
        fair.step(actions)
        whole.step(actions)
    assert np.array_equal(fair.mask, whole.mask) and not np.array_equal(fair.observation, whole.observation)
    for place in range(2):
        seat, row = int(whole.seat[place]), [0.0] * found.observation.size
        found.rules.observe(whole.book, whole.state(place), seat, row)
        assert list(whole.observation[place]) == pytest.approx(row)
        assert np.array_equal(fair.observe(seat, is_open=True)[place], whole.observation[place])
        assert np.array_equal(fair.observe(seat)[place], fair.observation[place])
