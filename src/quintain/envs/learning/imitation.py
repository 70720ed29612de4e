"""Imitation: a net learns from the decisions of a dataset before it plays a game itself.

It learns to choose each action as often as the search tried it, or, where a bot did not search, to choose what the bot
chose; and to expect what the seat got at the end. So it need not find out by chance what a good game looks like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.game import Game
from quintain.envs import dataset
from quintain.envs.learning import ppo
from quintain.lab.extras import need

try:
    import jax
    import jax.numpy as jnp
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    need("jax", "pyarrow", extra="train")
    raise

if TYPE_CHECKING:
    from quintain.envs.learning.training import Training

RATE = 1e-3
"""The rate of learning at the beginning; it falls to 0."""


def imitate(
    training: Training, folder: Path, epochs: int, progress: Callable[[int, float], None] = lambda epoch, share: None
) -> None:
    """Let the net of a training that has done no round yet learn from a dataset, which it goes through `epochs` times.

    `progress` is called after each time with its number, and with the share of decisions, from 0 to 1, in which the net
    found most probable what the bots found best. Raises BadOption if the folder holds no dataset for the game.
    """
    if training.game.has_features:
        title = training.game.title
        raise BadOption(f"a dataset holds no features, from which a net learns {title}: train it by self-play alone")
    files = files_of(training.game, training.seats, folder)
    total = epochs * len(files)
    for epoch in range(epochs):
        right, count = 0, 0
        for number, file in enumerate(files):
            rate = RATE * (1.0 - (epoch * len(files) + number) / total)
            for part in _parts(training, file):
                training.layers, training.steps, equal = _imitated(
                    training.layers, training.steps, training.inputs.shared, *part, rate
                )
                right, count = right + int(equal), count + len(part[0])
        progress(epoch + 1, right / max(count, 1))
    training.steps = ppo.OPTIMIZER.init(training.layers)


def words_of(folder: Path) -> str:
    """Return in words which games a dataset holds; raises BadOption if the folder holds none."""
    about = _about(folder)
    return f"{about.get('games')} games of {','.join(map(str, about.get('bots', ())))}, seed {about.get('seed')}"


def files_of(game: Game, seats: tuple[int, ...], folder: Path) -> list[Path]:
    """Return the files of a dataset; raises BadOption if it is not whole, or is for another game or other seats."""
    about = _about(folder)
    wanted: dict[str, object] = {"game": game.id, "version": game.version, "columns": game.observation.size}
    for name, right in wanted.items():
        if about.get(name) != right:
            raise BadOption(f"the dataset {folder} has the {name} {quoted(about.get(name))}, and not {right}")
    bots = about.get("bots")
    if not isinstance(bots, list) or len(bots) not in seats:
        numbers = " or ".join(map(str, seats))
        raise BadOption(f"the dataset {folder} is not of games with {numbers} seats: name its number by --seats")
    found = sorted(folder.glob("games-*.parquet"))
    if not found:
        raise BadOption(f"the dataset {folder} has no games yet: make it whole by the same command again")
    return found


def _about(folder: Path) -> dict[str, Any]:
    """Return the description of a dataset; raises BadOption if there is none."""
    if not (folder / dataset.ABOUT).is_file():
        raise BadOption(f"{folder} holds no dataset: `quintain dataset` makes one")
    return dataset.plan_of(folder / dataset.ABOUT)


def _parts(training: Training, file: Path) -> Iterator[tuple[Any, ...]]:
    """Yield the decisions of a file with a choice, in an order that chance decides, as many at a time as a step takes.

    Raises BadOption if it cannot be read.
    """
    try:
        table = pq.read_table(file, columns=["observation", "mask", "action", "tries", "return"])
        mask = _matrix(table, "mask").astype(np.int8)
        action = table["action"].to_numpy()
        tries = _matrix(table, "tries").astype(np.float32)
        observation, returned = _matrix(table, "observation"), table["return"].to_numpy().astype(np.float32)
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise BadOption(f"{file} cannot be read: {quoted(str(error))}; remove it, and make it again") from error
    searched = tries.sum(axis=1)
    target = np.where(searched[:, None] > 0, tries / np.maximum(searched, 1.0)[:, None], 0.0).astype(np.float32)
    silent = np.flatnonzero(searched == 0)
    target[silent, action[silent]] = 1.0
    chosen = training.chance.permutation(np.flatnonzero(mask.sum(axis=1) > 1))
    rows = min(training.recipe.rows, max(1, len(chosen)))
    for first in range(0, len(chosen) - rows + 1, rows):
        part = chosen[first : first + rows]
        yield training.inputs(observation[part]), mask[part], target[part], returned[part]


def _matrix(table: pa.Table, name: str) -> npt.NDArray[Any]:
    """Return a column of lists as an array of two axes; a list that is missing is all 0."""
    column = table[name].combine_chunks()
    width = column.type.list_size
    made: npt.NDArray[Any] = np.nan_to_num(column.values.to_numpy(zero_copy_only=False)).reshape(-1, width)
    missing = column.is_null().to_numpy(zero_copy_only=False)
    return np.where(missing[:, None], 0, made) if missing.any() else made


@partial(jax.jit, donate_argnums=(0, 1))
def _imitated(
    layers: ppo.Layers, steps: Any, shared: Any, read: Any, mask: Any, target: Any, returned: Any, rate: Any
) -> tuple[ppo.Layers, Any, Any]:
    """Return a net after one step, the state of its optimizer, and in how many decisions it agreed before."""

    def loss(layers: ppo.Layers) -> tuple[Any, Any]:
        numbers, value = ppo.outputs(layers, shared, read, mask)
        numbers = jnp.where(mask != 0, numbers, ppo.NEVER)
        chances = jax.nn.log_softmax(numbers)
        unlike = -jnp.sum(jnp.where(mask != 0, target * chances, 0.0), axis=1)
        equal = jnp.sum(jnp.argmax(numbers, axis=1) == jnp.argmax(target, axis=1))
        return jnp.mean(unlike + ppo.VALUE_WEIGHT * (value - returned) ** 2), equal

    slope, equal = jax.grad(loss, has_aux=True)(layers)
    change, steps = ppo.OPTIMIZER.update(slope, steps)
    return jax.tree.map(lambda old, by: old - rate * by, layers, change), steps, equal
