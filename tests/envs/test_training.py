"""Training makes nets that play: better than at random, the same for equal seeds, and the same after a kill."""

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")

from quintain.bots import Budget, level, net, net_files
from quintain.bots.net_files import NetFile
from quintain.bots.shipped_nets import net_for
from quintain.engine.errors import BadOption, BadRecord
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.envs import dataset
from quintain.envs.batch import Batch
from quintain.envs.learning import choosers, imitation, inputs, ppo, selfplay
from quintain.envs.learning.inputs import FARTHEST, inputs_of, inputs_of_net, layers_of_net
from quintain.envs.learning.training import MOST_PAST, Recipe, Training, hidden_of
from quintain.envs.text import seen_by

TINY = Recipe(rounds=4, games=16, steps=16, hidden=(8,), rows=64, past=1, measured=4, seed=3)


@pytest.fixture(scope="module")
def court() -> Game:
    return game("kings-court")


def trained(of: Game, recipe: Recipe) -> Training:
    made = Training.new(of, recipe)
    while not made.is_done:
        made.advance()
    return made


def weights(made: NetFile) -> list[bytes]:
    return [layer.tobytes() for layer in made.layers]


def test_a_net_that_trained_for_seconds_beats_random_moves(court: Game) -> None:
    made = Training.new(court, Recipe(rounds=12, games=128, hidden=(32,), rows=1024, rate=3e-3, measured=12, past=4))
    first = made.measure().random
    while not made.is_done:
        made.advance()
    assert made.curve[-1].random > max(0.92, first + 0.1)
    assert [point.round for point in made.curve] == [12]


def test_equal_seeds_give_equal_weights_and_others_do_not(court: Game) -> None:
    one, two, other = (trained(court, dataclasses.replace(TINY, seed=seed)) for seed in (3, 3, 4))
    assert weights(one.net()) == weights(two.net()) != weights(other.net())
    assert one.curve == two.curve


def test_a_training_that_goes_on_from_a_checkpoint_ends_as_one_that_never_stopped(court: Game, tmp_path: Path) -> None:
    whole, begun = trained(court, TINY), Training.new(court, TINY)
    for _ in range(2):
        begun.advance()
    begun.save(tmp_path / "half")
    resumed = Training.new(court, TINY)
    resumed.resume(tmp_path / "half")
    assert (resumed.done, len(resumed.pool)) == (2, 2)
    while not resumed.is_done:
        resumed.advance()
    assert weights(resumed.net()) == weights(whole.net())
    assert resumed.curve == whole.curve


@pytest.mark.parametrize(
    ("change", "words"),
    [({"seed": 9}, "with seed 3; this one has 9"), ({"hidden": (9,)}, r"with hidden \[8\]; this one has \[9\]")],
)
def test_a_checkpoint_of_another_training_is_refused(
    change: dict[str, object], words: str, court: Game, tmp_path: Path
) -> None:
    Training.new(court, TINY).save(tmp_path / "new")
    with pytest.raises(BadRecord, match=words):
        Training.new(court, dataclasses.replace(TINY, **change)).resume(tmp_path / "new")  # type: ignore[arg-type]


def test_a_damaged_checkpoint_is_refused(court: Game, tmp_path: Path) -> None:
    made = Training.new(court, TINY)
    made.save(tmp_path / "new")
    (tmp_path / "new").write_bytes((tmp_path / "new").read_bytes()[:-400])
    with pytest.raises(BadRecord, match="cannot be read"):
        made.resume(tmp_path / "new")
    with pytest.raises(BadRecord, match="cannot be read"):
        made.resume(tmp_path / "nothing")


@pytest.mark.parametrize(
    "change",
    [
        {"recipe": [1]}, {"recipe": {"seed": "x"}}, {"done": -1}, {"done": "x"}, {"seconds": "x"}, {"past": -1},
        {"past": 10**9}, {"past": "x"}, {"curve": 5}, {"curve": [[1]]}, {"chance": 5}, {"chance": {}},
    ],
    ids=str,
)  # fmt: skip
def test_an_edited_checkpoint_is_refused_and_changes_nothing(
    change: dict[str, object], court: Game, tmp_path: Path
) -> None:
    begun = trained(court, TINY)
    begun.save(tmp_path / "file")
    edit(tmp_path / "file", lambda held: {**held, "head": in_head(held["head"], change)})
    made = Training.new(court, TINY)
    before = made.batches[0].save()
    with pytest.raises(BadRecord, match=r"remove it to begin anew"):
        made.resume(tmp_path / "file")
    assert (made.done, made.pool, made.curve, made.batches[0].save()) == (0, [], [], before)


def edit(file: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Change the arrays of a checkpoint."""
    with np.load(file) as held:
        found = {name: held[name] for name in held.files}
    with file.open("wb") as out:
        np.savez(out, **change(found))


def in_head(head: np.ndarray, change: dict[str, object]) -> np.ndarray:
    return np.frombuffer(json.dumps({**json.loads(head.tobytes()), **change}).encode(), np.uint8)


def test_a_checkpoint_with_other_kinds_of_numbers_or_damaged_games_changes_nothing(tmp_path: Path) -> None:
    heirless = game("heirless")
    begun = Training.new(heirless, TINY, (2, 3))
    begun.advance()
    made = Training.new(heirless, TINY, (2, 3))
    before = [batch.save() for batch in made.batches]
    for change in (lambda held: {"leaf0": held["leaf0"].astype(float)}, lambda held: {"batch1": held["batch1"][:9]}):
        begun.save(tmp_path / "file")
        edit(tmp_path / "file", lambda held, change=change: {**held, **change(held)})  # type: ignore[misc]
        with pytest.raises(BadRecord):
            made.resume(tmp_path / "file")
        assert made.done == 0 and [batch.save() for batch in made.batches] == before


def test_a_checkpoint_with_damaged_bytes_is_refused(court: Game, tmp_path: Path) -> None:
    made = Training.new(court, TINY)
    made.save(tmp_path / "file")
    data = (tmp_path / "file").read_bytes()
    at = data.rindex(b"PK\x01\x02")
    for offset in (6, 8, 10):  # the version, the flags and the method of a part of the archive
        (tmp_path / "file").write_bytes(data[: at + offset] + b"\x63" + data[at + offset + 1 :])
        with pytest.raises(BadRecord, match="cannot be read"):
            made.resume(tmp_path / "file")


@pytest.mark.parametrize("name", ["kings-court", pytest.param("robin", marks=pytest.mark.long)])
def test_what_a_bot_computes_is_what_jax_computes(name: str, tmp_path: Path) -> None:
    of = game(name)
    made = trained(of, dataclasses.replace(TINY, rate=1e-2))
    net_files.write(tmp_path / "a.safetensors", made.net())
    bot = net.bot_of(tmp_path / "a.safetensors")(of, 1)
    match, compared, largest = Match.new(of, seed="07" * 32), 0, 0.0
    while compared < 12:
        seat = min(match.to_act)
        seen = match.seen(seat)
        row = np.zeros((1, of.observation.size), np.float32)
        of.rules.observe(seen.book, seen.state, seat, row[0])
        numbers, value = ppo.outputs(made.layers, made.inputs.shared, made.inputs(row), None)
        wanted = [*np.asarray(numbers)[0, list(seen.legal)], float(value[0])]
        largest = max(largest, np.abs(wanted).max())
        said, expected = bot.say(seen)
        assert [*said, expected] == pytest.approx(wanted, abs=0.01 * np.abs(wanted).max() + 2e-4)
        match.play(seat, bot.choose(seen, Budget()))
        compared += 1
    assert largest > 0.01


def test_a_net_says_how_it_came_about(court: Game) -> None:
    about = trained(court, TINY).net().metadata
    assert about["game"] == "kings-court" and about["rounds"] == "4"
    assert json.loads(about["recipe"])["seed"] == 3
    assert [point[0] for point in json.loads(about["curve"])] == [4]


def test_advantages_look_from_a_seats_decision_to_its_next_one() -> None:
    seat = np.array([[1], [0], [0], [1], [0], [1], [0]])
    value = np.array([[0.5], [0.0], [0.1], [0.2], [0.4], [-0.3], [0.0]], np.float32)
    done = np.array([[False], [True], [False], [False], [False], [True], [False]])
    reward = np.zeros((7, 1, 2), np.float32)
    reward[1, 0], reward[5, 0] = (-1.0, 1.0), (1.0, -1.0)
    found, is_known = ppo.advantages(seat, value, done, reward, 0.5)
    assert is_known[:, 0].tolist() == [True, True, True, True, True, True, False]
    # Nothing of the second game counts in the first one.
    assert found[:2, 0] == pytest.approx([0.5, -1.0])
    # The last decision of seat 0 gets 1 - 0.4, the one before it 0.4 - 0.1, and half of what the last one got.
    assert found[2:6, 0] == pytest.approx([0.3 + 0.5 * 0.6, -0.5 + 0.5 * -0.7, 0.6, -0.7])


def test_a_past_self_plays_one_seat_of_every_fifth_game_and_nobody_learns_from_it(court: Game) -> None:
    made = Training.new(court, dataclasses.replace(TINY, games=20))
    made._keep()
    rivals = made._rivals(0)
    assert rivals is not None and rivals.games == 4
    seen = selfplay.play_round(made.batches[0], made.inputs, made.layers, rivals, 12, made.chance)
    own = np.arange(20) % 2
    assert seen.learns[:, 4:].all()
    assert (seen.learns[:, :4] == (seen.seat[:, :4] == own[:4])).all() and not seen.learns[:, :4].all()
    assert not seen.decisions(0.95).weight.reshape(12, 20)[~seen.learns].any()


def test_a_best_response_plays_every_game_against_the_frozen_bot_and_learns_to_beat_it(court: Game) -> None:
    recipe = Recipe(rounds=12, games=128, hidden=(32,), rows=1024, rate=3e-3, measured=12, against="random")
    made = Training.new(court, dataclasses.replace(recipe, frozen="random"))
    rivals = made._rivals(0)
    seen = selfplay.play_round(made.batches[0], made.inputs, made.layers, rivals, 8, made.chance)
    assert (seen.learns == (seen.seat == np.arange(128) % 2)).all()
    first = made.measure().level
    while not made.is_done:
        made.advance()
    last = made.curve[-1].level
    assert first is not None and last is not None and last > max(0.9, first + 0.1)


def test_the_pool_of_past_selves_stays_small_and_keeps_the_oldest(court: Game) -> None:
    made = Training.new(court, dataclasses.replace(TINY, rounds=2 * MOST_PAST + 2, games=4, steps=2, measured=99))
    made.advance()
    oldest = np.asarray(made.pool[0][0][0]).copy()
    while not made.is_done:
        made.advance()
        assert 1 <= len(made.pool) <= MOST_PAST
    assert oldest.any() and (np.asarray(made.pool[0][0][0]) == oldest).all()
    assert (np.asarray(made.layers[0][0]) != oldest).any()


def test_rewards_weigh_the_win_and_the_margin(court: Game) -> None:
    batch = Batch(court, 8)
    batch.reset(1)
    while not batch.done.any():
        batch.step(batch.sample())
    found, over = selfplay.rewards(batch), np.flatnonzero(batch.done)
    assert (np.abs(found) <= 1.0).all() and found.sum(axis=1) == pytest.approx(np.zeros(8), abs=1e-6)
    for place in over:
        if batch.returns[place, 0]:
            assert np.sign(found[place, 0]) == np.sign(batch.returns[place, 0])
            assert abs(found[place, 0]) >= selfplay.WIN


@pytest.mark.parametrize(("inputs", "hidden"), [(600, (192, 128)), (2015, (152, 128)), (50_000, (16, 128))])
def test_nets_are_sized_by_what_they_read(inputs: int, hidden: tuple[int, ...]) -> None:
    assert hidden_of(inputs) == hidden


def test_a_net_reads_only_columns_that_change_each_with_mean_0_and_deviation_1(court: Game) -> None:
    made = Training.new(court, dataclasses.replace(TINY, games=64))
    left_out = np.setdiff1d(np.arange(court.observation.size), made.inputs.columns)
    made.batches[0].reset(5)
    rows = []
    for _ in range(300):
        rows.append(made.batches[0].observation.copy())
        made.batches[0].step(made.batches[0].sample())
    seen = np.concatenate(rows)
    read = made.inputs(seen)
    assert 400 < read.shape[1] < court.observation.size
    often = seen[:, made.inputs.columns].std(axis=0) > 0.2
    assert np.abs(read.mean(axis=0)[often]).max() < 0.2 and np.abs(read.std(axis=0)[often] - 1).max() < 0.2
    assert np.ptp(seen[:, left_out], axis=0).max() == 0.0
    assert np.abs(read).max() <= 2 * FARTHEST


def test_what_is_learned_of_a_card_holds_for_every_card_with_the_same_numbers() -> None:
    robin = game("robin")
    made = Training.new(robin, TINY)
    spread, named = made.inputs.shared
    cards = robin.card_numbers(robin.make_book(2, robin.read_options(2, {})))
    hand = robin.observation["hand"].first
    one, two = (list(made.inputs.columns).index(hand + card) for card in (0, 1))
    first = made.inputs.plain
    assert spread[one, first : first + cards.width] == pytest.approx(cards.rows[0])
    assert spread[two, first : first + cards.width] == pytest.approx(cards.rows[1])
    assert not spread[one, first + cards.width :].any() and not spread[one, :first].any()
    assert named[0, robin.actions + 1 :][: cards.width] == pytest.approx(cards.rows[0]) and named[0, 0] == 0.0


def test_a_recipe_without_rounds_is_refused() -> None:
    with pytest.raises(BadOption, match="rounds of a recipe is at least 1, not 0"):
        Recipe(rounds=0)


def test_one_net_learns_with_several_numbers_of_seats(tmp_path: Path) -> None:
    heirless = game("heirless")
    made = Training.new(heirless, TINY, (2, 4))
    assert made.seats == (2, 4) and made.net().metadata["seats"] == "2,4"
    while made.done < 2:
        made.advance()
    made.save(tmp_path / "half")
    whole, other = Training.new(heirless, TINY, (2, 4)), Training.new(heirless, TINY, (2, 3))
    whole.resume(tmp_path / "half")
    for each in (made, whole):
        while not each.is_done:
            each.advance()
    assert weights(made.net()) == weights(whole.net())
    with pytest.raises(BadRecord, match=r"with seats \[2, 4\]; this one has \[2, 3\]"):
        other.resume(tmp_path / "half")
    with pytest.raises(BadOption, match="a number of seats is named twice in 3, 3"):
        Training.new(heirless, TINY, (3, 3))


def test_the_curve_tells_the_share_against_a_level(court: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "MEASURED_BY_LEVEL", 40)
    made = Training.new(court, dataclasses.replace(TINY, against="random"))
    point = made.measure()
    assert point.level is not None and 0.2 <= point.level <= 0.8 and point.past is None
    with pytest.raises(BadOption, match="there is no bot 'nobody-we-know'"):
        dataclasses.replace(TINY, against="nobody-we-know")


def test_the_share_of_wins_is_that_of_the_one_who_plays_well(court: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(court, 4)
    chance = np.random.Generator(np.random.PCG64(1))
    page, rival = (choosers.by_level(level(name), batch, chance) for name in ("greedy", "random"))
    won = selfplay.share_of_wins(batch, page, rival, 40, 1)
    lost = selfplay.share_of_wins(batch, rival, page, 40, 1)
    assert won > 0.8 and lost < 0.2


def test_a_run_of_columns_is_scaled_by_what_random_games_show_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "LOOKS", 60)
    robin = game("robin")
    batch, cards = selfplay.new_batch(robin, 16, 2, {}), robin.card_numbers
    assert cards
    found = inputs_of([batch], 5)
    batch.reset(5)
    seen = []
    for _ in range(60):
        seen.append(np.array(batch.observation))
        batch.step(batch.sample())
    rows = np.concatenate(seen).astype(np.float64)
    column, _, run = np.array(list(batch.layout.card_columns(cards(batch.book)))).T
    far = np.abs(rows - rows.mean(axis=0)).max(axis=0) / FARTHEST
    deviation = np.maximum(rows.std(axis=0), far)
    still = 0
    for each in range(run.max() + 1):
        shown = deviation[column[run == each]]
        still += np.count_nonzero(shown == 0)
        scale = 1 / max(np.sqrt((shown**2).mean()), 1 / FARTHEST)
        assert found.scale[found.plain :][run == each] == pytest.approx(scale, rel=1e-3)
    assert still > 0


@pytest.mark.parametrize("game_id", ["kings-court", "robin", "rune-war"])
def test_a_training_that_begins_as_a_net_says_what_the_net_says(game_id: str) -> None:
    of = game(game_id)
    seats = of.seats[2]
    kind = net_for(of, seats)
    made = Training.new(of, TINY, (seats,), first=kind.file)
    batch, bot = made.batches[0], kind(of, 1)
    plain, layers = inputs_of_net(kind.file, batch), ppo.as_layers(layers_of_net(kind.file))
    batch.reset(5)
    for _ in range(30):
        scaled, as_it_is = choosers.said(made.inputs, made.layers, batch), choosers.said(plain, layers, batch)
        seen = seen_by(of, batch.book, batch.state(0), int(batch.seat[0]))
        by_bot = np.array(bot.say(seen)[0])
        for numbers in (scaled[0], as_it_is[0]):
            assert numbers[list(seen.legal)] == pytest.approx(by_bot - np.logaddexp.reduce(by_bot), abs=0.02)
        assert scaled[batch.mask == 1] == pytest.approx(as_it_is[batch.mask == 1], abs=0.02)
        batch.step(batch.sample())


def test_minstrels_in_a_batch_draw_as_minstrels_do() -> None:
    robin, chance = game("robin"), np.random.Generator(np.random.PCG64(1))
    batch, places = Batch(robin, 64), np.ones(64, np.bool_)
    batch.reset(7)
    for _ in range(9):
        batch.step(batch.sample())
    minstrel, kind = choosers.by_level(level("minstrel"), batch, chance), net_for(robin, 2).file
    said = choosers.said(inputs_of_net(kind, batch), ppo.as_layers(layers_of_net(kind)), batch)
    wanted = np.exp(2 * said) / np.exp(2 * said).sum(axis=1, keepdims=True)
    drawn = np.zeros_like(wanted)
    for _ in range(500):
        drawn[np.arange(64), minstrel(batch, places)] += 1 / 500
    assert drawn == pytest.approx(wanted, abs=0.1) and drawn[batch.mask == 0].sum() == 0
    assert (np.count_nonzero(wanted > 0.1, axis=1) > 1).any()


@pytest.fixture(scope="module")
def lessons(court: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of games between bots that look one move ahead."""
    folder = tmp_path_factory.mktemp("lessons") / "court"
    dataset.make_dataset(court, 24, ["greedy", "squire"], {}, 3, folder, shard=12)
    return folder


def test_a_net_learns_to_choose_what_the_bots_of_a_dataset_found_best(court: Game, lessons: Path) -> None:
    made = Training.new(court, dataclasses.replace(TINY, rows=128, hidden=(32,)))
    shares: list[float] = []
    imitation.imitate(made, lessons, 6, lambda epoch, share: shares.append(share))
    assert len(shares) == 6 and shares[-1] > shares[0] + 0.07
    again = Training.new(court, dataclasses.replace(TINY, rows=128, hidden=(32,)))
    imitation.imitate(again, lessons, 6)
    assert weights(again.net()) == weights(made.net())
    before = np.asarray(made.layers[0][0]).copy()
    made.advance()
    assert (np.asarray(made.layers[0][0]) != before).any()


def test_a_folder_without_a_fitting_dataset_is_refused(court: Game, lessons: Path, tmp_path: Path) -> None:
    made = Training.new(court, TINY)
    with pytest.raises(BadOption, match="holds no dataset: `quintain dataset` makes one"):
        imitation.imitate(made, tmp_path, 1)
    with pytest.raises(BadOption, match="has the game 'kings-court', and not robin"):
        imitation.files_of(game("robin"), (2,), lessons)
    with pytest.raises(BadOption, match="is not of games with 3 seats"):
        imitation.files_of(court, (3,), lessons)
    broken = tmp_path / "court"
    shutil.copytree(lessons, broken)
    first = next(iter(sorted(broken.glob("*.parquet"))))
    first.write_bytes(first.read_bytes()[:2000])
    with pytest.raises(BadOption, match=r"games-000000000\.parquet cannot be read"):
        imitation.imitate(made, broken, 1)
    for each in broken.glob("*.parquet"):
        each.unlink()
    with pytest.raises(BadOption, match="has no games yet"):
        imitation.imitate(made, broken, 1)
