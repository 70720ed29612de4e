"""Training of a net by self-play: rounds of games and of learning from them, with checkpoints and a curve.

A `Training` holds all that decides what comes next, so one that was killed and goes on from its checkpoint ends with
the same net as one that was not. With one thread, equal seeds give equal nets.
"""

from __future__ import annotations

import dataclasses
import io
import json
import math
import struct
import time
import zipfile
import zlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from quintain.bots import level, net_files
from quintain.engine.errors import BadOption, BadRecord, quoted
from quintain.engine.rules import rng
from quintain.engine.rules.game import Game
from quintain.envs.batch import Batch
from quintain.envs.learning import choosers, ppo, selfplay
from quintain.envs.learning.inputs import Inputs, inputs_of, layers_of_net
from quintain.lab.extras import need

try:
    import jax
except ImportError:
    need("jax", extra="train")
    raise

MOST_PAST = 8
"""The most past selves that are kept; a new one then takes the place of every second one."""
FIRST_WEIGHTS, WIDEST, NARROWEST, SECOND = 320_000, 192, 16, 128
"""About how many weights the first hidden layer has; its greatest and least width, and the width of the second one."""
FORMAT = 2
HEAD = ("format", *net_files.MADE_FOR, "seats", "recipe", "done", "seconds", "past", "curve", "chance")
"""What the head of a checkpoint holds."""


def _is_count(value: object, most: float = math.inf) -> bool:
    return type(value) is int and 0 <= value <= most


RIGHT: Mapping[str, Callable[[Any], bool]] = {
    "recipe": lambda value: isinstance(value, dict) and _is_count(value.get("seed")),
    "done": _is_count,
    "seconds": lambda value: isinstance(value, float) and 0 <= value < math.inf,
    "past": lambda value: _is_count(value, MOST_PAST),
    "curve": lambda value: all(len(point) == len(dataclasses.fields(Point)) for point in value),
}
"""Tells of what the head of a checkpoint holds whether it can be right."""
DAMAGED = (
    *(OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, MemoryError, OverflowError),
    *(zipfile.BadZipFile, zlib.error, struct.error),
)
"""The errors that a damaged checkpoint can cause; NotImplementedError is a RuntimeError."""


@dataclass(frozen=True)
class Recipe:
    """How a net is trained: `rounds` of `steps` in `games` games, each followed by `epochs` over what was seen.

    The `rate` of learning and the weight of the `entropy` fall to 0 over the rounds. `rows` decisions make one step of
    the optimizer, and `decay` is the λ of the advantages. Each `past` rounds the net joins its past selves, and
    one of `against_past` games is played against one of them. Each `measured` rounds it is measured, also against the
    level `against` if there is one. `hidden` counts the numbers of
    the hidden layers. With `frozen`, the name of a bot that does not learn, the net plays only against that bot: it
    becomes a best response to it. `begun` names the file of the net that it is at first, with nothing for a new one.
    `imitated` says from which games of others it learned first. Raises BadOption.
    """

    rounds: int = 200
    games: int = 512
    steps: int = 64
    hidden: tuple[int, ...] = ()
    epochs: int = 2
    rows: int = 4096
    rate: float = 1e-3
    entropy: float = 0.01
    decay: float = 0.95
    past: int = 10
    against_past: int = 5
    measured: int = 10
    against: str = ""
    frozen: str = ""
    begun: str = ""
    imitated: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("rounds", "games", "steps", "epochs", "rows", "past", "against_past", "measured"):
            if getattr(self, name) < 1:
                raise BadOption(f"{name} of a recipe is at least 1, not {getattr(self, name)}")
        if not 0 <= self.entropy < math.inf:
            raise BadOption(f"the weight of the entropy is a number from 0 on, such as 0.01, not {self.entropy}")
        for name in filter(None, (self.against, self.frozen)):
            level(name)
        if any(each < 1 for each in self.hidden):
            raise BadOption(f"hidden layers have at least one number each, not {list(self.hidden)}")


@dataclass(frozen=True)
class Point:
    """A point of the learning curve: the shares of wins after a number of rounds.

    They are against random moves, against the net's first self of the pool, and against the level of the recipe; None
    while there is no such opponent. With several numbers of seats, each counts equally.
    """

    round: int
    random: float
    past: float | None
    level: float | None


@dataclass
class Training:
    """A net in training. `new` begins one, and `resume` goes on from a checkpoint."""

    game: Game
    recipe: Recipe
    batches: tuple[Batch, ...]
    """The games, a batch for each number of seats; rounds take them by turns."""
    inputs: Inputs
    chance: np.random.Generator
    layers: ppo.Layers
    steps: Any
    """The state of the optimizer."""
    pool: list[ppo.Layers] = field(default_factory=list)
    """The past selves, the oldest first."""
    curve: list[Point] = field(default_factory=list)
    done: int = 0
    """The rounds that are done."""
    seconds: float = 0.0
    """The seconds that they took."""
    frozen: list[choosers.Chooser] = field(default_factory=list)
    """The bot of the recipe that does not learn, if there is one, once for each batch."""

    @classmethod
    def new(
        cls,
        game: Game,
        recipe: Recipe,
        seats: Sequence[int] = (),
        options: Mapping[str, object] | None = None,
        first: net_files.NetFile | None = None,
    ) -> Training:
        """Begin to train a net for a game with these numbers of seats, or with the usual one.

        It begins as the net `first`, which was made for the game, or as one that knows nothing. Raises BadOption for
        wrong seats or options.
        """
        if len(set(seats)) != len(seats):
            raise BadOption(f"a number of seats is named twice in {', '.join(map(str, seats))}")
        batches = tuple(
            selfplay.new_batch(game, recipe.games, each, given)
            for each in seats or (game.seats[2],)
            for given in meetings(game, game.check_seats(each), options or {})
        )
        inputs = inputs_of(batches, rng.mix(recipe.seed, 2), first.columns if first else ())
        read, made = inputs.sizes(game.actions)
        hidden = first.sizes[1:-1] if first else recipe.hidden or hidden_of(read)
        recipe = dataclasses.replace(recipe, hidden=hidden)
        for batch in batches:
            batch.reset(rng.mix(recipe.seed, 0))
        chance = np.random.Generator(np.random.PCG64(recipe.seed))
        layers = ppo.new_net((read, *recipe.hidden, made), inputs.features, chance)
        if first:
            layers = ppo.as_layers(inputs.unfolded(layers_of_net(first)))
        steps = ppo.OPTIMIZER.init(layers)
        frozen = [choosers.by_level(level(recipe.frozen), each, chance) for each in batches if recipe.frozen]
        return cls(game, recipe, batches, inputs, chance, layers, steps, frozen=frozen)

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats with which the net learns to play."""
        return tuple(dict.fromkeys(batch.seats for batch in self.batches))

    @property
    def options(self) -> dict[str, object]:
        """The options of its games."""
        return self.batches[0].options

    @property
    def is_done(self) -> bool:
        """Whether all rounds are done."""
        return self.done >= self.recipe.rounds

    def advance(self) -> None:
        """Play one round, learn from it, and measure the net where its recipe says so."""
        begun = time.monotonic()
        recipe = self.recipe
        turn = self.done % len(self.batches)
        batch, rivals = self.batches[turn], self._rivals(turn)
        seen = selfplay.play_round(batch, self.inputs, self.layers, rivals, recipe.steps, self.chance)
        self._learn(seen.decisions(recipe.decay))
        self.done += 1
        if self.done % recipe.past == 0:
            self._keep()
        if self.done % recipe.measured == 0 or self.is_done:
            self.curve.append(self.measure())
        self.seconds += time.monotonic() - begun

    def _rivals(self, turn: int) -> selfplay.Rivals | None:
        """Return who plays against the net in a batch: the frozen bot, else in some games a past self."""
        games = self.batches[turn].games
        if self.frozen:
            return selfplay.Rivals(self.frozen[turn], games)
        if not self.pool:
            return None
        past = self.pool[int(self.chance.integers(len(self.pool)))]
        return selfplay.Rivals(choosers.drawn_from(self.inputs, past, self.chance), games // self.recipe.against_past)

    def measure(self) -> Point:
        """Return how the net fares now; equal nets fare equally."""
        one, against = choosers.best_of(self.inputs, self.layers), self.recipe.against
        seed = rng.mix(self.recipe.seed, 1)

        def share(others: Sequence[choosers.Chooser], games: int = selfplay.MEASURED) -> float:
            each = max(games // len(self.batches), 1)
            pairs = zip(self.batches, others, strict=True)
            shares = [selfplay.share_of_wins(batch, one, other, each, seed) for batch, other in pairs]
            return sum(shares) / len(shares)

        def share_of_level() -> float:
            chance = np.random.Generator(np.random.PCG64(seed))
            others = [choosers.by_level(level(against), batch, chance) for batch in self.batches]
            return share(others, selfplay.MEASURED_BY_LEVEL)

        def all_play(other: choosers.Chooser) -> list[choosers.Chooser]:
            return [other] * len(self.batches)

        return Point(
            round=self.done,
            random=share(all_play(choosers.at_random)),
            past=share(all_play(choosers.best_of(self.inputs, self.pool[0]))) if self.pool else None,
            level=share_of_level() if against else None,
        )

    def net(self) -> net_files.NetFile:
        """Return the net as it is now, with all that its file says of how it came about."""
        about = net_files.made_for(self.game) | {
            "seats": ",".join(map(str, self.seats)),
            "options": json.dumps(self._options_met()),
            "recipe": json.dumps(dataclasses.asdict(self.recipe)),
            "rounds": str(self.done),
            "seconds": f"{self.seconds:.0f}",
            "curve": json.dumps([dataclasses.astuple(point) for point in self.curve]),
        }
        layers = self.inputs.folded([[np.asarray(part, np.float32) for part in layer] for layer in self.layers])
        rows = [array("f", weights.tobytes() + biases.tobytes()) for weights, biases in layers]
        of_actions = rows.pop() if self.inputs.features else array("f")
        sizes = (layers[0][0].shape[0], *(len(biases) for _, biases in layers[: len(rows)]))
        columns = tuple(self.inputs.columns[: self.inputs.plain].tolist())
        return net_files.NetFile(columns, sizes, tuple(rows), about, of_actions)

    def _options_met(self) -> dict[str, str]:
        """Return the options of its games in words; batches may differ in some."""
        met = {name: dict.fromkeys(str(batch.options[name]) for batch in self.batches) for name in self.options}
        return {name: " or ".join(values) for name, values in met.items()}

    def save(self, file: Path) -> None:
        """Write a checkpoint; whoever is killed meanwhile leaves the one before it whole."""
        head = {
            "format": FORMAT,
            **net_files.made_for(self.game),
            "seats": list(self.seats),
            "recipe": dataclasses.asdict(self.recipe),
            "done": self.done,
            "seconds": self.seconds,
            "past": len(self.pool),
            "curve": [dataclasses.astuple(point) for point in self.curve],
            "chance": self.chance.bit_generator.state,
        }
        trees = jax.tree.leaves((self.layers, self.steps, self.pool))
        arrays = {f"leaf{number}": np.asarray(each) for number, each in enumerate(trees)}
        out = io.BytesIO()
        arrays |= {f"batch{number}": _bytes(batch.save()) for number, batch in enumerate(self.batches)}
        np.savez(out, head=_bytes(json.dumps(head).encode()), **arrays)  # type: ignore[arg-type]
        net_files.write_whole(file, out.getvalue())

    @staticmethod
    def seed_of(file: Path) -> int:
        """Return the seed of the training whose checkpoint this is; raises BadRecord if it is damaged."""
        return int(_read(file)[0]["recipe"]["seed"])

    def resume(self, file: Path) -> None:
        """Go on from a checkpoint of a training with the same game, seats, options and recipe.

        Raises BadRecord, and changes nothing, if it is damaged or belongs to another training.
        """
        head, found = _read(file)
        self._check(head, file)
        pool = [self.layers] * head["past"]
        leaves, form = jax.tree.flatten((self.layers, self.steps, pool))
        read = [found.get(f"leaf{number}") for number in range(len(leaves))]
        if list(map(_form, read)) != list(map(_form, leaves)):
            raise BadRecord(f"the checkpoint {file} holds a net of another size")
        if missing := [number for number in range(len(self.batches)) if f"batch{number}" not in found]:
            raise BadRecord(f"the checkpoint {file} holds no games of batch {missing[0]}")
        chance = _generator(head["chance"], file)
        self._restore([found[f"batch{number}"].tobytes() for number in range(len(self.batches))])
        self.chance.bit_generator.state = chance.bit_generator.state  # the frozen bots draw from it, too
        curve = [Point(*each) for each in head["curve"]]
        self.layers, self.steps, self.pool = jax.tree.unflatten(form, list(map(jax.numpy.asarray, read)))
        self.curve, self.done, self.seconds = curve, head["done"], head["seconds"]

    def _restore(self, saved: Sequence[bytes]) -> None:
        """Let all batches go on from what they saved; raises BadRecord, and changes none, if one of it is damaged."""
        before = [batch.save() for batch in self.batches]
        try:
            for batch, each in zip(self.batches, saved, strict=True):
                batch.restore(each)
        except BadRecord:
            for batch, each in zip(self.batches, before, strict=True):
                batch.restore(each)
            raise

    def _check(self, head: Mapping[str, Any], file: Path) -> None:
        """Raise BadRecord, which says what differs, if a checkpoint belongs to another training."""
        recipe = json.loads(json.dumps(dataclasses.asdict(self.recipe)))
        wanted = {"format": FORMAT, **net_files.made_for(self.game), "seats": list(self.seats), **recipe}
        given = {**head, **head["recipe"]}
        for name, right in wanted.items():
            if given.get(name) != right:
                raise BadRecord(
                    f"the checkpoint {file} is of a training with {name} {given.get(name)}; this one has {right}: "
                    "go on with the same settings, or remove the checkpoint"
                )

    def _learn(self, seen: ppo.Decisions) -> None:
        """Learn from the decisions of a round, in an order that chance decides."""
        recipe, left = self.recipe, 1.0 - self.done / self.recipe.rounds
        count = len(seen.action)
        rows = min(recipe.rows, count)
        for _ in range(recipe.epochs):
            order = self.chance.permutation(count)
            for first in range(0, count - rows + 1, rows):
                chosen = order[first : first + rows]
                self.layers, self.steps = ppo.improved(
                    *(self.layers, self.steps, self.inputs.shared, seen.part(chosen)),
                    *(recipe.rate * left, recipe.entropy * left),
                )

    def _keep(self) -> None:
        """Put the net among its past selves."""
        if len(self.pool) == MOST_PAST:
            self.pool = self.pool[::2]
        self.pool.append(jax.tree.map(lambda each: each.copy(), self.layers))


def meetings(game: Game, seats: int, options: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the options with which a net learns: with each choice of ready-made decks, if no decks are given.

    So it learns to play all of them, and none of them always sits in the same seat.
    """
    for option in game.text.OPTIONS:
        if option.kind == "files" and len(option.choices) >= seats and option.name not in options:
            chosen = enumerate(combinations(option.choices, seats))
            return [{**options, option.name: [*each[at % seats :], *each[: at % seats]]} for at, each in chosen]
    return [options]


def hidden_of(inputs: int) -> tuple[int, ...]:
    """Return the widths of the hidden layers for a number of inputs: the more there are, the narrower the first is."""
    first = FIRST_WEIGHTS // inputs // 8 * 8
    return (max(NARROWEST, min(WIDEST, first)), SECOND)


def _read(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the head of a checkpoint and its arrays; raises BadRecord if it is damaged."""
    try:
        data = file.read_bytes()
        if not data.startswith(b"PK"):
            raise ValueError("it does not begin as one")
        with np.load(io.BytesIO(data), allow_pickle=False) as held:
            found = {name: held[name] for name in held.files}
        head = json.loads(found["head"].tobytes())
        if wrong := [name for name, is_right in RIGHT.items() if not is_right(head[name])]:
            raise ValueError(f"its {wrong[0]} cannot be right")
        return {name: head[name] for name in HEAD}, found
    except DAMAGED as error:
        raise BadRecord(
            f"the checkpoint {file} cannot be read: {quoted(str(error))}; remove it to begin anew"
        ) from error


def _form(leaf: Any) -> tuple[object, object]:
    """Return the shape and the kind of numbers of an array; None where there is no array."""
    return getattr(leaf, "shape", None), getattr(leaf, "dtype", None)


def _generator(state: Any, file: Path) -> np.random.Generator:
    """Return a generator that goes on from a state; raises BadRecord if that is none."""
    try:
        made = np.random.PCG64()
        made.state = state
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise BadRecord(f"the checkpoint {file} holds no generator of chance; remove it to begin anew") from error
    return np.random.Generator(made)


def _bytes(data: bytes) -> Any:
    return np.frombuffer(data, np.uint8)
