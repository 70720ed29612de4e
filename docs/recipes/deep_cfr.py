"""Deep CFR of OpenSpiel on a King's Court of two houses and three ranks.

    python deep_cfr.py [ITERATIONS] [TRAVERSALS]

It prints how much the mean of all its policies wins against random play, in units of a game. It needs
`pip install quintain[openspiel] chex flax optax`.
"""

import random
import statistics
import sys
import time

import pyspiel
from open_spiel.python.jax import deep_cfr

import quintain
from quintain.envs import openspiel

iterations, traversals = (*map(int, sys.argv[1:3]), 10, 20)[:2]
game = pyspiel.load_game(openspiel.register(quintain.game("kings-court")), {"houses": 2, "ranks": 3})
layers = {"policy_network_layers": (64, 64), "advantage_network_layers": (64, 64)}
sizes = {"batch_size_advantage": 256, "batch_size_strategy": 256, "memory_capacity": 100_000}
steps = {"policy_network_train_steps": 200, "advantage_network_train_steps": 100, "learning_rate": 1e-3}
solver = deep_cfr.DeepCFRSolver(game, num_iterations=iterations, num_traversals=traversals, **layers, **sizes, **steps)


def won(seat, seed):
    """Return what the policy wins on a seat against random play."""
    chance, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
        elif state.current_player() == seat:
            outcomes = solver.action_probabilities(state).items()
        else:
            outcomes = [(action, 1.0) for action in state.legal_actions()]
        actions, weights = zip(*outcomes, strict=True)
        state.apply_action(chance.choices(actions, weights)[0])
    return state.returns()[seat]


begun = time.process_time()
solver.solve()
spent = time.process_time() - begun
games = [won(number % 2, number) for number in range(400)]
error = 1.96 * statistics.stdev(games) / len(games) ** 0.5
print(f"after {spent:.0f} s: {statistics.mean(games):+.2f} ± {error:.2f} a game against random play")
