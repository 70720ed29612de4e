"""A net plays from its file: compiled or interpreted, without JAX, and only the game that it was made for."""

import json
import os
import random
import struct
import subprocess
import sys
from array import array
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from bots.nets import random_net
from conformance.cases import seen_by
from quintain.bots import Budget, Player, level, net, net_files
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import is_warm, load
from quintain.engine.rules.contract import lowest_seat
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen


@pytest.fixture(scope="module")
def court() -> Game:
    return game("kings-court")


@pytest.fixture
def file(court: Game, tmp_path: Path) -> Path:
    net_files.write(tmp_path / "court.safetensors", random_net(court))
    return tmp_path / "court.safetensors"


def first_asked(of: Game, seed: int) -> Seen:
    """Return what the seat that is asked first sees of a dealt game."""
    book, s = of.make_book(2, of.read_options(2, {})), of.state()
    rng.seed(s.rng, seed)
    of.rules.deal(book, s)
    return seen_by(of, book, s, lowest_seat(of.rules.to_act(book, s)))


def by_hand(of: net_files.NetFile, row: list[float]) -> list[float]:
    """Return what a net says to an observation, by the definition of a layer."""
    row = [row[column] for column in of.columns]
    for number, (layer, (inputs, outputs)) in enumerate(zip(of.layers, pairwise(of.sizes), strict=True)):
        table = [layer[i * outputs : (i + 1) * outputs] for i in range(inputs + 1)]
        sums = [sum(x * table[i][j] for i, x in enumerate([*row, 1.0])) for j in range(outputs)]
        row = sums if number == len(of.layers) - 1 else [max(0.0, each) for each in sums]
    return row


def test_a_net_says_the_same_compiled_and_interpreted_and_by_hand(
    court: Game, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    load(net.drivers(court))
    seen, given = first_asked(court, 1), net_files.read(file)
    row = [0.0] * court.observation.size
    court.rules.observe(seen.book, seen.state, seen.seat, row)
    assert is_warm(court, net.think)
    compiled, value = net.bot_of(file)(court, 1).say(seen)
    monkeypatch.setattr(net, "is_warm", lambda of, driver: False)
    interpreted, same_value = net.bot_of(file)(court, 1).say(seen)
    assert max(map(abs, compiled)) > 0.1
    wanted = by_hand(given, row)
    assert [*compiled, value] == pytest.approx([wanted[action] for action in (*seen.legal, -1)], abs=1e-5)
    assert [*interpreted, same_value] == pytest.approx([*compiled, value], abs=1e-5)


def test_a_level_of_a_file_plays_the_most_probable_legal_action(court: Game, file: Path):
    seen = first_asked(court, 2)
    said, _ = net.bot_of(file)(court, 1).say(seen)
    action = Player(level(f"net:{file}"), court, 1).choose(seen)
    assert len(seen.legal) > 1
    assert action == seen.legal[said.index(max(said))]


def test_a_file_holds_what_was_written_with_the_head_of_safetensors(court: Game, file: Path):
    found, written = net_files.read(file), random_net(court)
    assert replace(found, layers=written.layers) == written
    for read, given in zip(found.layers, written.layers, strict=True):
        assert read.tolist() == pytest.approx(given.tolist(), rel=1e-3, abs=1e-7)
    data = file.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:begin])
    assert begin % 8 == 0 and head["__metadata__"]["game"] == "kings-court"
    assert head["weights1"] == {"dtype": "F16", "shape": [24, 16], "data_offsets": head["weights1"]["data_offsets"]}
    first, last = head["biases2"]["data_offsets"]
    assert len(data) == begin + last and last - first == 2 * (court.actions + 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "heirless"}, "is for the game heirless, and King's Court has the game kings-court"),
        ({"version": "99"}, "is for version 99 of the rules, and King's Court has version 1 of the rules"),
        ({"observation": "0" * 16}, "is for the observation 0000000000000000, and King's Court has"),
    ],
    ids=["another game", "other rules", "another observation"],
)
def test_a_net_for_something_else_is_refused_by_name(change: dict[str, str], words: str, court: Game, file: Path):
    made = random_net(court)
    net_files.write(file, replace(made, metadata={**made.metadata, **change}))
    with pytest.raises(BadOption, match=r"the net court\.safetensors") as refused:
        Player(level(f"net:{file}"), court, 1)
    assert words in str(refused.value)


def test_a_net_of_the_wrong_size_is_refused(court: Game, file: Path):
    made = random_net(court)
    outputs = made.sizes[-1] - 1
    last = array("f", bytes(4 * 17 * outputs))
    net_files.write(file, replace(made, sizes=(*made.sizes[:-1], outputs), layers=(*made.layers[:-1], last)))
    with pytest.raises(
        BadOption, match=f"has 317 inputs and {outputs} outputs; for its 317 columns King's Court needs 317 and"
    ):
        Player(level(f"net:{file}"), court, 1)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"a net",
        lambda data: data[:-1],
        lambda data: data[:40],
        lambda data: data.replace(b'"F16"', b'"F32"'),
        lambda data: data.replace(b"weights1", b"weights9"),
        lambda data: data.replace(b"[24,16]", b"[16,24]"),
        lambda data: data.replace(b"[1268,16484]", b"[1270,16484]"),
        lambda data: (2**62).to_bytes(8, "little") + data[8:],
    ],
    ids=["empty", "text", "cut short", "head cut short", "kind", "name", "shape", "place", "length"],
)
def test_a_file_without_a_net_is_refused(damage: Callable[[bytes], bytes], file: Path):
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(BadOption, match="holds no net"):
        level(f"net:{file}")


def test_a_bot_of_a_net_needs_its_file():
    for kind in ("net", "netsearch"):
        with pytest.raises(BadOption, match=f"the bot {kind}: names no file: write {kind}:FILE"):
            level(f"{kind}:")


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(BadOption, match=r"none\.safetensors cannot be read: No such file"):
        level(f"net:{tmp_path / 'none.safetensors'}")


def test_what_is_no_file_is_refused_before_it_is_read(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.safetensors")
    for path in (tmp_path / "pipe.safetensors", tmp_path, Path("/dev/zero")):
        with pytest.raises(BadOption, match="is no file that holds a net"):
            level(f"net:{path}")


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_neither_written_nor_read(number: float, court: Game, file: Path):
    made, before = random_net(court), file.read_bytes()
    with pytest.raises(BadOption, match="weights that are not finite"):
        net_files.write(file, replace(made, layers=(array("f", [number, *made.layers[0][1:]]), *made.layers[1:])))
    assert file.read_bytes() == before
    begin = 8 + int.from_bytes(before[:8], "little") + 4 * len(made.columns)
    file.write_bytes(before[:begin] + struct.pack("<e", number) + before[begin + 2 :])
    with pytest.raises(BadOption, match=r"court\.safetensors holds no net: it has weights that are not finite"):
        level(f"net:{file}")


def test_weights_too_great_for_half_floats_are_kept(court: Game, file: Path):
    made = random_net(court)
    great = array("f", [1e6, *made.layers[1][1:]])
    net_files.write(file, replace(made, layers=(made.layers[0], great, made.layers[2])))
    assert net_files.read(file).layers[1] == great


def test_tables_that_lie_over_each_other_are_refused(file: Path):
    data = file.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:begin])
    last = len([name for name in head if name.startswith("weights")])
    for number in range(last, 99):  # many layers out of the bytes of one
        head |= {f"weights{number}": {**head["weights0"], "shape": [1, 1]}, f"biases{number}": head["biases0"]}
    text = json.dumps(head).encode()
    file.write_bytes(len(text).to_bytes(8, "little") + text + data[begin:])
    with pytest.raises(BadOption, match="holds no net: its tables lie over each other"):
        level(f"net:{file}")


def test_a_long_or_unprintable_name_in_a_file_is_quoted(court: Game, file: Path):
    made = random_net(court)
    for name in ("x" * 1000, "\x1b[31mred"):
        net_files.write(file, replace(made, metadata={**made.metadata, "game": name}))
        with pytest.raises(BadOption, match=r"is for the game '") as refused:
            Player(level(f"net:{file}"), court, 1)
        assert len(str(refused.value)) < 300 and str(refused.value).isprintable()


def test_a_file_that_cannot_be_written_leaves_nothing_behind(court: Game, tmp_path: Path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        net_files.write(tmp_path / "folder", random_net(court))
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_the_budget_changes_nothing(court: Game, file: Path):
    seen = first_asked(court, 3)
    bot = net.bot_of(file)(court, 1)
    assert bot.choose(seen, Budget(simulations=1)) == bot.choose(seen, Budget(simulations=1000))


def test_playing_a_net_imports_neither_numpy_nor_jax(file: Path):
    script = f"""
import sys
from quintain.bots import Player, level
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
court = game("kings-court")
player, match = Player(level("net:{file}"), court, 1), Match.new(court, seed="07" * 32)
for _ in range(6):
    seat = min(match.to_act)
    match.play(seat, player.choose(match.seen(seat)))
print([name for name in ("numpy", "numba", "jax", "optax") if name in sys.modules])
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("[]\n", "")


def card_net(of: Game) -> net_files.NetFile:
    """Return a net of one hidden layer for a game with cards, in which cards enter by their numbers."""
    cards, chance = of.card_numbers(of.make_book(2, of.read_options(2, {}))), random.Random(2)
    runs = 1 + max(run for _, _, run in of.observation.card_columns(cards))
    columns = (1, 2, 3, 344)
    sizes = (len(columns) + runs * cards.width, 6, of.actions + 1 + len(cards.actions) * cards.width)
    layers = tuple(
        array("f", (chance.gauss(0.0, 0.1) for _ in range((inputs + 1) * outputs)))
        for inputs, outputs in pairwise(sizes)
    )
    return net_files.NetFile(columns, sizes, layers, net_files.made_for(of))


def test_cards_with_equal_numbers_mean_the_same_to_a_net():
    robin = game("robin")
    usual = robin.make_book(2, robin.read_options(2, {}))
    cards = robin.card_numbers(usual)
    twins = replace(cards, rows=[cards.rows[0], cards.rows[0], *cards.rows[2:]])
    found = net_files.expanded(card_net(robin), robin, twins)
    table, width = found.layers[0], found.sizes[1]
    hand = robin.observation["hand"].first
    one, two, other = (found.columns.index(hand + card) for card in (0, 1, 2))
    rows = [table[at * width : (at + 1) * width] for at in (one, two, other)]
    assert rows[0] == rows[1] != rows[2]
    last = found.layers[-1][: found.sizes[-1]]
    assert last[0] == last[1] != last[2]


def test_what_a_net_says_of_a_card_is_the_sum_of_what_its_numbers_say():
    robin = game("robin")
    cards, of = robin.card_numbers(robin.make_book(2, robin.read_options(2, {}))), card_net(robin)
    found = net_files.expanded(of, robin, cards)
    width, card, run = of.sizes[1], 5, 3  # the fourth run are the cards of the other seat's pile
    at = found.columns.index(robin.observation["pile"].first + 160 + card)
    begin = (len(of.columns) + run * cards.width) * width
    by_hand = [
        sum(x * of.layers[0][begin + d * width + j] for d, x in enumerate(cards.rows[card])) for j in range(width)
    ]
    assert found.layers[0][at * width : (at + 1) * width].tolist() == pytest.approx(by_hand, abs=1e-6)
    assert found.layers[0][: len(of.columns) * width] == of.layers[0][: len(of.columns) * width]
    assert found.layers[0][-width:] == of.layers[0][-width:]


def test_a_net_for_cards_plays_a_set_with_a_card_that_it_never_met(tmp_path: Path):
    robin = game("robin")
    net_files.write(tmp_path / "robin.safetensors", card_net(robin))
    text = robin.collection.base().replace("Robin Hood", "Robin of Loxley")
    options = robin.read_options(2, {"cards": text})
    match, kind = Match.new(robin, seed="07" * 32, options=options, seats=2), net.bot_of(tmp_path / "robin.safetensors")
    bot = kind(robin, 1)
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, bot.choose(match.seen(seat), Budget()))
    usual = kind(robin, 1)
    seen, known = match.seen(0), Match.new(robin, seed="07" * 32, seats=2).seen(0)
    assert seen.book != known.book
    said, value = usual.say(known)
    numbers, same_value = bot.say(replace(known, book=seen.book))  # only a name differs
    assert [*numbers, same_value] == pytest.approx([*said, value], abs=1e-6)


def test_a_net_that_does_not_fit_the_numbers_of_cards_is_refused(tmp_path: Path):
    robin = game("robin")
    made = card_net(robin)
    first = made.layers[0][made.sizes[1] :]
    net_files.write(
        tmp_path / "robin.safetensors",
        replace(made, sizes=(made.sizes[0] - 1, *made.sizes[1:]), layers=(first, *made.layers[1:])),
    )
    seen = first_asked(robin, 1)
    with pytest.raises(BadOption, match=r"robin\.safetensors does not fit Robin in the Hood: it has \d+ inputs"):
        net.bot_of(tmp_path / "robin.safetensors")(robin, 1).say(seen)


def test_a_net_for_cards_without_a_hidden_layer_is_refused(tmp_path: Path):
    robin, made = game("robin"), card_net(game("robin"))
    sizes = (made.sizes[0], made.sizes[-1])
    layer = array("f", bytes(4 * (sizes[0] + 1) * sizes[1]))
    net_files.write(tmp_path / "robin.safetensors", replace(made, sizes=sizes, layers=(layer,)))
    with pytest.raises(BadOption, match=r"robin\.safetensors does not fit Robin in the Hood: it has no hidden layer"):
        net.bot_of(tmp_path / "robin.safetensors")(robin, 1).say(first_asked(robin, 1))
