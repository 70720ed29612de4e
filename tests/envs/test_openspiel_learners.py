"""OpenSpiel's learners get the numbers of information states, and learn from them."""

from pathlib import Path

import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import exploitability

from quintain.engine.rules.registry import register_file
from quintain.envs import openspiel

KUHN = Path(__file__).parents[1] / "kuhn.py"


@pytest.fixture(scope="module")
def kuhn() -> str:
    return openspiel.register(register_file(KUHN))


@pytest.mark.parametrize("name", ["quintain_kuhn", "quintain_kings_court"])
def test_a_learner_is_given_the_information_state(kuhn: str, name: str):
    env = rl_environment.Environment(name)
    env.seed(1)
    size = env.game.information_state_tensor_size()
    assert env.observation_spec()["info_state"] == (size,) and size > env.game.observation_tensor_size()
    step, steps = env.reset(), 0
    while not step.last() and steps < 20:
        seat = step.observations["current_player"]
        assert step.observations["info_state"][seat] == env.get_state.information_state_tensor(seat)
        step = env.step([step.observations["legal_actions"][seat][0]])
        steps += 1
    assert steps


@pytest.mark.long
def test_deep_cfr_learns_kuhn_poker(kuhn: str):
    for library in ("chex", "flax", "optax"):
        pytest.importorskip(library)
    from open_spiel.python.jax import deep_cfr

    game = pyspiel.load_game(kuhn)
    layers = {"policy_network_layers": (32,), "advantage_network_layers": (32,)}
    sizes = {"batch_size_advantage": 32, "batch_size_strategy": 32, "memory_capacity": 10_000}
    solver = deep_cfr.DeepCFRSolver(game, num_iterations=4, num_traversals=20, learning_rate=1e-3, **layers, **sizes)
    solver.solve()
    found = policy.tabular_policy_from_callable(game, solver.action_probabilities)
    untaught = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability.nash_conv(game, found) < untaught


@pytest.mark.long_for("nfsp")  # dqn takes the same numbers
@pytest.mark.parametrize("learner", ["dqn", "nfsp"])
def test_learners_of_jax_step_and_learn(kuhn: str, learner: str):
    for library in ("chex", "flax", "optax", "orbax.checkpoint"):
        pytest.importorskip(library)
    from open_spiel.python.jax import dqn, nfsp

    env = rl_environment.Environment(kuhn)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    usual = {"hidden_layers_sizes": [16], "batch_size": 16, "learn_every": 16, "min_buffer_size_to_learn": 50}
    if learner == "dqn":
        agents = [dqn.DQN(seat, size, actions, replay_buffer_capacity=500, **usual) for seat in range(2)]
    else:
        more = {"reservoir_buffer_capacity": 500, "anticipatory_param": 0.5}
        agents = [nfsp.NFSP(seat, size, actions, **more, **usual) for seat in range(2)]
    for _ in range(100):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    losses = [agent.loss if learner == "dqn" else agent.loss[1] for agent in agents]
    assert None not in losses
