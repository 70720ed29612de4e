"""A net of a game that writes features: it knows an action by what it does, and not by its number."""

import random
from array import array
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from bots.nets import random_net
from bots.test_net import first_asked
from quintain.bots import Player, level, net, net_files
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules.compiling.compiled import is_warm, load
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.seen.seen import Seen
from quintain.games.round_table.decks import ready_made

YVAIN = """[[knight]]
name = "Yvain of the Lion"
rp = 1
influence = 3
resistance = 3
rows = [{ when = "captures", whom = "you", what = "draw", amount = 1 }]
"""


@pytest.fixture(scope="module")
def table() -> Game:
    return game("round-table")


@pytest.fixture
def file(table: Game, tmp_path: Path) -> Path:
    net_files.write(tmp_path / "table.safetensors", feature_net(table))
    return tmp_path / "table.safetensors"


def feature_net(of: Game, made: int = 5) -> net_files.NetFile:
    """Return a net with random weights that makes so many numbers of the features of an action."""
    of_state, of_action = of.features
    columns, chance = tuple(range(0, of_state, 2)), random.Random(1)

    def layer(inputs: int, outputs: int) -> array:
        return array("f", (chance.gauss(0.0, 0.2) for _ in range((inputs + 1) * outputs)))

    sizes = (len(columns), 12, made + 1)
    layers = tuple(layer(*each) for each in pairwise(sizes))
    return net_files.NetFile(columns, sizes, layers, net_files.made_for(of), layer(of_action, made))


def multiplied(layer: array, row: list[float], outputs: int) -> list[float]:
    """Return what a layer makes of a row, before numbers below 0 become 0."""
    table = [layer[i * outputs : (i + 1) * outputs] for i in range(len(row) + 1)]
    return [sum(x * table[i][j] for i, x in enumerate([*row, 1.0])) for j in range(outputs)]


def by_hand(of: Game, given: net_files.NetFile, seen: Seen) -> list[float]:
    """Return what a net says of each legal action, and the value, by the definition."""
    state, action_row = [0.0] * of.features[0], [0.0] * of.features[1]
    of.rules.state_features(seen.book, seen.state, seen.seat, state)
    hidden = [max(0.0, x) for x in multiplied(given.layers[0], [state[column] for column in given.columns], 12)]
    *wanted, value = multiplied(given.layers[1], hidden, 6)
    numbers = []
    for action in seen.legal:
        of.rules.action_features(seen.book, seen.state, seen.seat, action, state, action_row)
        found = [max(0.0, x) for x in multiplied(given.actions, action_row, 5)]
        numbers.append(sum(x * y for x, y in zip(wanted, found, strict=True)))
    return [*numbers, value]


def later(of: Game, moves: int, **options: object) -> Seen:
    """Return what the seat that is asked sees after so many choices of a match."""
    match, bot = Match.new(of, seed="05" * 32, options=options), Player(level("page"), of, 1)
    while moves:
        seen = match.seen(min(match.to_act))
        match.play(seen.seat, bot.choose(seen))
        moves -= len(seen.legal) > 1
    return match.seen(min(match.to_act))


def test_it_says_the_same_compiled_and_interpreted_and_by_hand(
    table: Game, file: Path, monkeypatch: pytest.MonkeyPatch
):
    load(net.drivers(table))
    assert is_warm(table, net.think)
    positions, given = [first_asked(table, 1), later(table, 30), later(table, 61)], net_files.read(file)
    compiled = [net.bot_of(file)(table, 1).say(seen) for seen in positions]
    monkeypatch.setattr(net, "is_warm", lambda of, driver: False)
    assert max(len(set(numbers)) for numbers, _ in compiled) > 2
    for seen, (numbers, value) in zip(positions, compiled, strict=True):
        same, same_value = net.bot_of(file)(table, 1).say(seen)
        wanted = by_hand(table, given, seen)
        assert [*numbers, value] == pytest.approx(wanted, abs=1e-4)
        assert [*same, same_value] == pytest.approx(wanted, abs=1e-4)


def test_a_file_holds_the_layer_that_reads_actions(table: Game, file: Path):
    found, written = net_files.read(file), feature_net(table)
    assert found.sizes == written.sizes
    assert found.actions.tolist() == pytest.approx(written.actions.tolist(), rel=1e-3, abs=1e-7)


def test_a_card_of_ones_own_is_played_without_training_anew(table: Game, file: Path):
    deck = ready_made("hedge-host").replace("1 Ector", "1 Ector\n1 Yvain of the Lion")
    bot = Player(level(f"net:{file}"), table, 1)
    match = Match.new(table, seed="06" * 32, options={"cards": YVAIN, "decks": [deck, "great-houses"]})
    chosen = 0
    while match.to_act and chosen < 60:
        seen = match.seen(min(match.to_act))
        match.play(seen.seat, bot.choose(seen))
        chosen += 1
    assert chosen == 60


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda of: replace(of, actions=of.actions[:-5]), "does not read the 104 features of an action of Round Table"),
        (lambda of: replace(of, actions=array("f")), "does not read the 104 features of an action of Round Table"),
        (lambda of: replace(of, columns=(*of.columns[:-1], 172)), "reads columns that the observation"),
        (lambda of: replace(of, columns=of.columns[:-1]), "has 86 inputs for its 85 columns"),
        (
            lambda of: replace(of, metadata={**of.metadata, "observation": "170 and 99 features"}),
            "is for the observation 170 and 99 features, and Round Table has the observation 172 and 104 features",
        ),
    ],
    ids=["a feature short", "no features of actions", "a wrong column", "a column short", "other features"],
)
def test_a_net_that_does_not_fit_is_refused(
    change: Callable[[net_files.NetFile], net_files.NetFile], words: str, table: Game, file: Path
):
    net_files.write(file, change(feature_net(table)))
    with pytest.raises(BadOption, match=words):
        Player(level(f"net:{file}"), table, 1)


def test_layers_that_do_not_fit_each_other_are_refused(table: Game, file: Path):
    made, wide = feature_net(table), feature_net(table, 6)
    net_files.write(file, replace(made, layers=(made.layers[0], wide.layers[1]), sizes=wide.sizes))
    data = file.read_bytes().replace(b'"shape":[104,6]', b'"shape":[126,5]').replace(b'"shape":[6]', b'"shape":[5]')
    file.write_bytes(data)
    with pytest.raises(BadOption, match="holds no net"):
        net_files.read(file)


def test_the_net_of_another_game_has_no_such_layer(table: Game, file: Path):
    court = game("kings-court")
    made = random_net(court)
    wrong = replace(made, actions=array("f", bytes(4 * (made.sizes[-1] - 1) * 3)))
    net_files.write(file, wrong)
    with pytest.raises(BadOption, match="does not read the 0 features of an action of King's Court"):
        Player(level(f"net:{file}"), court, 1)
