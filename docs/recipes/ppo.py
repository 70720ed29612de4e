"""PPO with masks in JAX: one net plays both seats of King's Court against itself, 256 games at once.

    python ppo.py [ROUNDS]

It prints, every ten rounds, how often the net's most probable action beats random play and Squire. It needs
`pip install quintain[gymnasium] jax optax`.
"""

import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

from quintain.envs.batch import Batch
from quintain.envs.gymnasium import SeatEnv

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 200
GAMES, STEPS, EPOCHS, PARTS = 256, 64, 2, 4
CLIP, DECAY, LAMBDA = 0.2, 1.0, 0.95
batch = Batch("kings-court", GAMES)
chance = np.random.default_rng(1)
batch.reset(seeds=1)


def new_net(key, sizes):
    """Return the weights of a net, layer by layer; the last layer gives the actions and one value."""
    keys = jax.random.split(key, len(sizes) - 1)
    pairs = zip(keys, sizes[:-1], sizes[1:], strict=True)
    return [(jax.random.normal(k, (i, o)) * jnp.sqrt(2 / i), jnp.zeros(o)) for k, i, o in pairs]


def outputs(net, rows, masks):
    """Return the logarithms of the chances of all actions, and the values."""
    for weights, bias in net[:-1]:
        rows = jax.nn.relu(rows @ weights + bias)
    last = rows @ net[-1][0] + net[-1][1]
    return jax.nn.log_softmax(jnp.where(masks, 0.1 * last[:, :-1], -1e9)), last[:, -1]


outputs_now = jax.jit(outputs)


def play(net):
    """Play a round; return the decisions, each with its chance, its advantage and what it brought."""
    seen = []
    for _ in range(STEPS):
        rows, masks, seats = batch.observation.copy(), batch.mask.astype(bool), batch.seat.copy()
        logs, values = map(np.asarray, outputs_now(net, rows, masks))
        actions = (logs + chance.gumbel(size=logs.shape)).argmax(axis=1)
        batch.step(actions)
        seen.append(
            (
                rows,
                masks,
                seats,
                actions,
                logs[np.arange(GAMES), actions],
                values,
                batch.reward.copy(),
                batch.done.copy(),
            )
        )
    return advantages(seen)


def advantages(seen):
    """Return all decisions whose seat decided once more in the round, or whose game ended: the others do not count."""
    later = np.zeros((GAMES, batch.seats))  # the advantage of each seat's next decision
    value = np.full((GAMES, batch.seats), np.nan)  # its value
    brought = np.zeros((GAMES, batch.seats))  # what the game has brought the seat until then
    found, each = [], np.arange(GAMES)
    for rows, masks, seats, actions, logs, values, rewards, done in reversed(seen):
        later[done], value[done], brought[done] = 0, 0, 0
        brought += rewards
        error = brought[each, seats] + DECAY * value[each, seats] - values
        gained = error + DECAY * LAMBDA * later[each, seats]
        known = ~np.isnan(gained)
        found.append([part[known] for part in (rows, masks, actions, logs, gained, gained + values)])
        later[each, seats], value[each, seats], brought[each, seats] = np.nan_to_num(gained), values, 0
    return [np.concatenate(part) for part in zip(*found, strict=True)]


def loss(net, rows, masks, actions, logs, gained, returns, entropy):
    """Return what PPO makes small."""
    now, values = outputs(net, rows, masks)
    ratio = jnp.exp(now[jnp.arange(len(actions)), actions] - logs)
    gained = (gained - gained.mean()) / (gained.std() + 1e-6)
    bound = jnp.minimum(ratio * gained, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gained)
    spread = -(jnp.exp(now) * jnp.where(masks, now, 0)).sum(axis=1)
    return -bound.mean() + 0.5 * jnp.square(values - returns).mean() - entropy * spread.mean()


schedule = optax.linear_schedule(1e-3, 1e-4, max(1, ROUNDS * EPOCHS * PARTS))
optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(schedule))
net = new_net(jax.random.key(1), (batch.layout.size, 192, 128, batch.game.actions + 1))
state = optimiser.init(net)


@jax.jit
def improved(net, state, part, entropy):
    """Return the net after a step."""
    changes, state = optimiser.update(jax.grad(loss)(net, *part, entropy), state)
    return optax.apply_updates(net, changes), state


def share(net, opponents, games):
    """Return how often the net wins against bots, from both seats."""
    won = 0
    for number in range(games):
        env = SeatEnv("kings-court", seat=number % 2, opponents=opponents)
        row, info = env.reset(seed=number)
        over = False
        while not over:
            logs, _ = outputs_now(net, row[None], info["action_mask"][None].astype(bool))
            row, reward, over, _, info = env.step(int(logs[0].argmax()))
        won += reward > 0
    return won / games


begun = time.process_time()
for number in range(1, ROUNDS + 1):
    decisions = play(net)
    size = len(decisions[0]) // PARTS
    for _ in range(EPOCHS):
        order = chance.permutation(PARTS * size)
        for at in range(PARTS):
            part = [each[order[at * size : (at + 1) * size]] for each in decisions]
            net, state = improved(net, state, part, 0.01 * (1 - number / ROUNDS))
    if number % 10 == 0 or number == ROUNDS:
        spent = time.process_time() - begun
        print(f"round {number}, {spent:.0f} s: beats random {share(net, 'random', 100):.0%}", end="", flush=True)
        print(f", squire {share(net, 'squire', 100):.0%}" if number % 50 == 0 else "", flush=True)
