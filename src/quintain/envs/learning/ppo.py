"""Proximal policy optimization: the arithmetic of training a net, in JAX.

A net is a list of layers, each a pair of weights (inputs, outputs) and biases (outputs,), as float32. It turns an
observation into a number for each action, the logarithm of its probability up to a constant, and a value: what the
seat may expect to get in the end. In a game that writes features, the last layer reads those of an action, and the one
before it says how much the net looks for each number that comes of them. `selfplay` plays the games, and `training`
runs it all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quintain.lab.extras import need

try:
    import jax
    import jax.numpy as jnp
    import optax
except ImportError:
    need("jax", "optax", extra="train")
    raise

Layers = list[tuple[Any, Any]]
CLIP, VALUE_WEIGHT, LONGEST_STEP = 0.2, 0.5, 0.5
"""How far the odds of an action may move, the weight of the value's loss, and the greatest norm of a gradient."""
NEVER = -1e9
"""The number of an action that is not legal."""
OPTIMIZER = optax.chain(optax.clip_by_global_norm(LONGEST_STEP), optax.scale_by_adam(eps=1e-5))


class Decisions(NamedTuple):
    """Decisions to learn from, one a row."""

    observation: Any
    """(N, C) float32: what the net reads."""
    mask: Any
    """(N, A) int8, 1 for each legal action."""
    action: Any
    """(N,) int32."""
    log_chance: Any
    """(N,) float32: the logarithm of the chance with which it was chosen."""
    advantage: Any
    """(N,) float32: how much better it went than expected."""
    target: Any
    """(N,) float32: what the value should have been."""
    weight: Any
    """(N,) float32: 0 for a decision that does not count."""
    offered: Any = None
    """The legal actions with their features, in a game that writes them."""

    def part(self, chosen: npt.NDArray[np.int64]) -> Decisions:
        """Return some of the decisions, as JAX takes them."""
        offered = None if self.offered is None else self.offered[chosen].padded()
        rows = {name: each[chosen] for name, each in self._asdict().items() if name != "offered"}
        return Decisions(**rows, offered=offered)


def as_layers(tables: Iterable[Iterable[Any]]) -> Layers:
    """Return a net from the weights and the biases of each of its layers."""
    return [(jnp.asarray(weights), jnp.asarray(biases)) for weights, biases in tables]


def new_layers(sizes: tuple[int, ...], chance: np.random.Generator) -> Layers:
    """Return a net with random weights, whose last layer says almost nothing yet."""
    made: Layers = []
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        scale = 0.01 if number == len(sizes) - 2 else 1.0
        weights = chance.normal(0.0, scale * np.sqrt(2.0 / inputs), (inputs, outputs)).astype(np.float32)
        made.append((jnp.asarray(weights), jnp.zeros(outputs, jnp.float32)))
    return made


def new_net(sizes: tuple[int, ...], features: int, chance: np.random.Generator) -> Layers:
    """Return a net with random weights; one that reads features of actions has one layer more, for these."""
    layers = new_layers(sizes, chance)
    if features:
        weights = chance.normal(0.0, np.sqrt(2.0 / features), (features, sizes[-1] - 1)).astype(np.float32)
        layers.append((jnp.asarray(weights), jnp.zeros(sizes[-1] - 1, jnp.float32)))
    return layers


def outputs(layers: Layers, shared: Any, observation: Any, mask: Any, offered: Any = None) -> tuple[Any, Any]:
    """Return what a net says to what it reads (N, C): numbers of the actions (N, A), and values (N,).

    `shared` are the two tables by which it shares weights, or None (see `inputs`). `offered` are the legal actions with
    their features, or None; with them the net says 0 of every action that is not legal.
    """
    if offered is not None:
        *layers, (weights, biases) = layers
        wanted, value = outputs(layers, None, observation, mask)
        made = jnp.maximum(offered.rows @ weights + biases, 0.0)
        each = jnp.sum(made * wanted.at[offered.owner].get(mode="fill", fill_value=0.0), axis=1)
        numbers = jnp.zeros(mask.shape, jnp.float32).at[offered.owner, offered.action].set(each, mode="drop")
        return numbers, value
    if shared is not None:
        spread, named = shared
        (first, first_biases), *others, (last, last_biases) = layers
        layers = [(spread @ first, first_biases), *others, (last @ named.T, named @ last_biases)]
    x = observation
    for weights, biases in layers[:-1]:
        x = jnp.maximum(x @ weights + biases, 0.0)
    weights, biases = layers[-1]
    x = x @ weights + biases
    return x[:, :-1], x[:, -1]


@jax.jit
def said(layers: Layers, shared: Any, observation: Any, mask: Any, offered: Any = None) -> tuple[Any, Any]:
    """Return the logarithms of the chances of all actions (N, A), and the values (N,)."""
    numbers, value = outputs(layers, shared, observation, mask, offered)
    return jax.nn.log_softmax(jnp.where(mask != 0, numbers, NEVER)), value


def loss(layers: Layers, shared: Any, seen: Decisions, entropy_weight: Any) -> Any:
    """Return how bad a net is on decisions."""
    numbers, value = outputs(layers, shared, seen.observation, seen.mask, seen.offered)
    chances = jax.nn.log_softmax(jnp.where(seen.mask != 0, numbers, NEVER))
    chosen = jnp.take_along_axis(chances, seen.action[:, None], axis=1)[:, 0]
    odds = jnp.exp(chosen - seen.log_chance)
    gain = jnp.minimum(odds * seen.advantage, jnp.clip(odds, 1 - CLIP, 1 + CLIP) * seen.advantage)
    entropy = -jnp.sum(jnp.where(seen.mask != 0, jnp.exp(chances) * chances, 0.0), axis=1)
    each = -gain + VALUE_WEIGHT * (value - seen.target) ** 2 - entropy_weight * entropy
    return jnp.sum(each * seen.weight) / jnp.maximum(jnp.sum(seen.weight), 1.0)


@partial(jax.jit, donate_argnums=(0, 1))
def improved(
    layers: Layers, steps: Any, shared: Any, seen: Decisions, rate: Any, entropy_weight: Any
) -> tuple[Layers, Any]:
    """Return a net and the state of its optimizer after one step on decisions."""
    slope = jax.grad(loss)(layers, shared, seen, entropy_weight)
    change, steps = OPTIMIZER.update(slope, steps)
    return jax.tree.map(lambda old, by: old - rate * by, layers, change), steps


def advantages(
    seat: npt.NDArray[np.int64],
    value: npt.NDArray[np.float32],
    done: npt.NDArray[np.bool_],
    reward: npt.NDArray[np.float32],
    decay: float,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return the advantage of each decision, and whether anything is known about it, both (T, N).

    `seat` and `value` (T, N) say who decided and what the seat expected, `done` (T, N) whether the game ended then, and
    `reward` (T, N, S) what each seat got at that end. Each seat looks from its own decision to its next one, or to the
    end of its game. The last decision of a seat whose game goes on counts only as what is expected then.
    """
    steps, games, seats = reward.shape
    place = np.arange(games)
    later = np.zeros((games, seats), np.float32)
    gained = np.zeros((games, seats), np.float32)
    known = np.zeros((games, seats), np.bool_)
    found, is_known = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    for t in range(steps - 1, -1, -1):
        over = done[t]
        later[over], gained[over], known[over] = reward[t][over], 0.0, True
        who = seat[t]
        is_known[t] = known[place, who]
        found[t] = np.where(is_known[t], later[place, who] - value[t] + decay * gained[place, who], 0.0)
        later[place, who], gained[place, who], known[place, who] = value[t], found[t], True
    return found, is_known
