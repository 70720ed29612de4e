"""Environments in which programs learn, side by side: all games of ours, and small ones of other libraries.

    python benchmarks/environments.py [--only NAME ...] [--games N] [--seconds N] [--rounds N] [--json]

Every environment is driven from Python and on one core, by random legal actions. At each decision it gives the player
who is to act an observation and a mask of legal actions, and it deals anew when a game is over. Slices of all of them
take turns in one process. The figures are medians, in decisions a second of the process's CPU time:

- of each game of ours three, for a batch of `--games` games: with observations in `float32`, in `int8`, and `bare`.
  Beside them stand the numbers in an observation, as `floats` and as `bytes`, the `actions`, and the mean `length` of a
  game in decisions;
- of the `peers`: OpenSpiel's hearts and leduc and PettingZoo's leduc, one game at a time, and Pgx's leduc, compiled and
  `--games` games at a time. A peer that is not installed is null, and `missing` says why.

Each ratio is King's Court in `float32` to a peer: `ratio_hearts` and `ratio_leduc` to OpenSpiel's, `ratio_pettingzoo`
and `ratio_pgx` to the other two. `--only` takes ids of games and names of peers.
"""

import argparse
import json
import os
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Literal

import quintain
from quintain.envs.batch import Batch

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

OWN = "kings-court"
"""The game that the peers are compared with."""
FORMS: tuple[Literal["float32", "int8"] | None, ...] = ("float32", "int8", None)
"""How a batch gives its observations; None gives none."""
RATIOS = {
    "ratio_hearts": "openspiel_hearts",
    "ratio_leduc": "openspiel_leduc",
    "ratio_pettingzoo": "pettingzoo_leduc",
    "ratio_pgx": "pgx_leduc",
}
ROUNDS = 9
SECONDS = 0.3
GAMES = 512
AT_ONCE = 100
"""Decisions between two looks at the clock, in the environments that play one game at a time."""
LENGTH_GAMES, LENGTH_STEPS = 128, 10_000
"""The games of which the mean length is taken, side by side, and the decisions of each place: many games follow one
another there, so that the last one, which is cut off, does not count for much."""
SCANNED = 8
"""Steps of a batch between two looks at the clock."""

Work = Callable[[], int]
"""Makes some decisions, and returns how many."""
Figures = dict[str, object]


def own_batch(game: quintain.Game, games: int, form: Literal["float32", "int8"] | None) -> Work:
    """Return work on a batch of one of our games."""
    batch = Batch(game, games, observation=form)
    batch.reset(1)

    def steps() -> int:
        for _ in range(SCANNED):
            batch.step(batch.sample())
        return games * SCANNED

    return steps


def sizes(game: quintain.Game) -> dict[str, float]:
    """Return the numbers in an observation in both forms, the number of actions, and the mean length of a game."""
    batch, over = Batch(game, LENGTH_GAMES, observation=None), 0
    batch.reset(1)
    for _ in range(LENGTH_STEPS):
        batch.step(batch.sample())
        over += int(batch.done.sum())
    return {
        "floats": game.observation.size,
        "bytes": game.observation_int8.size,
        "actions": game.actions,
        "length": round(LENGTH_GAMES * LENGTH_STEPS / over, 1),
    }


def openspiel(name: str) -> Work:
    """Return work on an OpenSpiel game: the mask of legal actions and the observation are written into NumPy arrays."""
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    with_recall = pyspiel.IIGObservationType(perfect_recall=True)
    observer = make_observation(game) or make_observation(game, with_recall)
    mask, draw = np.zeros(game.num_distinct_actions(), np.int8), random.Random(1).random
    state = game.new_initial_state()

    def decisions() -> int:
        nonlocal state
        done = 0
        while done < AT_ONCE:
            if state.is_terminal():
                state = game.new_initial_state()
            actions = state.legal_actions()
            if not state.is_chance_node():
                mask[:] = state.legal_actions_mask()
                observer.set_from(state, state.current_player())
                done += 1
            state.apply_action(actions[int(draw() * len(actions))])
        return done

    return decisions


def pettingzoo_leduc() -> Work:
    """Return work on PettingZoo's leduc, in turns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import leduc_holdem_v4
    env = leduc_holdem_v4.raw_env()
    env.reset(seed=1)

    def decisions() -> int:
        done = 0
        while done < AT_ONCE:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
            done += 1
        return done

    return decisions


def pgx_leduc(games: int) -> Work:
    """Return work on Pgx's leduc: a compiled step of many games, which draws the actions, too."""
    import jax
    import pgx
    from jax import numpy as jnp
    from pgx.experimental import auto_reset

    env = pgx.make("leduc_holdem")
    step_all = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def step(state: object, key: object) -> object:
        key, drawing, dealing = jax.random.split(key, 3)  # type: ignore[arg-type]
        legal = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)  # type: ignore[attr-defined]
        return step_all(state, jax.random.categorical(drawing, legal), jax.random.split(dealing, games)), key

    now: tuple[object, object] = (
        jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), games)),
        jax.random.PRNGKey(2),
    )

    def steps() -> int:
        nonlocal now
        for _ in range(SCANNED):
            now = step(*now)
        jax.block_until_ready(now)  # type: ignore[no-untyped-call]
        return games * SCANNED

    return steps


def peers(games: int) -> dict[str, Callable[[], Work]]:
    """Return what makes the work on each peer, by name."""
    return {
        "openspiel_hearts": lambda: openspiel("hearts"),
        "openspiel_leduc": lambda: openspiel("leduc_poker"),
        "pettingzoo_leduc": pettingzoo_leduc,
        "pgx_leduc": lambda: pgx_leduc(games),
    }


def key_of(game: quintain.Game) -> str:
    """Return the key of a game in the JSON."""
    return game.id.replace("-", "_")


def prepared(games: int, only: list[str]) -> tuple[dict[str, Work], dict[str, str]]:
    """Return the work on each environment, by its key, after a first go; and why peers are missing."""
    work: dict[str, Work] = {}
    missing: dict[str, str] = {}
    for game in quintain.all_games():
        if game.folder and (not only or game.id in only):
            for form in FORMS:
                work[f"{key_of(game)}.{form or 'bare'}"] = own_batch(game, games, form)
    for name, make in peers(games).items():
        if not only or name in only:
            try:
                work[name] = make()
            except ImportError as error:
                missing[name] = str(error)
    for each in work.values():
        each()
    return work, missing


def for_a_while(work: Work, seconds: float) -> float:
    """Work for this many seconds of CPU time; return the decisions in a second."""
    done, begun = 0, time.process_time()
    while (took := time.process_time() - begun) < seconds:
        done += work()
    return done / took


def measure(games: int, only: list[str], seconds: float, rounds: int) -> Figures:
    """Return the medians of alternating slices, and the sizes of our environments."""
    work, missing = prepared(games, only)
    slices: dict[str, list[float]] = {name: [] for name in work}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for name, each in work.items():
            slices[name].append(for_a_while(each, seconds))
    measured = {key_of(game): sizes(game) for game in quintain.all_games() if f"{key_of(game)}.bare" in work}
    return gathered(slices, missing, measured)


def gathered(
    slices: Mapping[str, list[float]], missing: Mapping[str, str], measured: Mapping[str, Mapping[str, float]]
) -> Figures:
    """Return the medians under the keys of the JSON, the sizes, and the ratios, each the median over the rounds."""
    ours: dict[str, dict[str, float]] = {}
    theirs: dict[str, float | None] = dict.fromkeys(missing)
    for name, figures in slices.items():
        game, dot, form = name.partition(".")
        if dot:
            ours.setdefault(game, {})[form] = statistics.median(figures)
        else:
            theirs[name] = statistics.median(figures)
    for game, more in measured.items():
        ours[game] |= more
    own = slices.get(f"{OWN.replace('-', '_')}.float32")
    ratios = {
        ratio: statistics.median(a / b for a, b in zip(own, slices[peer], strict=True))
        if own and peer in slices
        else None
        for ratio, peer in RATIOS.items()
    }
    return {**ours, "peers": theirs, "missing": dict(missing), **ratios}


def as_text(figures: Figures) -> str:
    """Return the figures in words: our games as a table in Markdown, then the peers, line by line."""
    games = [game for game in quintain.all_games() if key_of(game) in figures]
    lines = ["| game | floats | bytes | actions | decisions a game | steps/s float32 | int8 | bare |", "|" + "---|" * 8]
    for game in games:
        figure: Any = figures[key_of(game)]
        speeds = " | ".join(f"{figure[form] / 1e6:.2f} M" for form in ("float32", "int8", "bare"))
        shape = f"{figure['floats']:,} | {figure['bytes']:,} | {figure['actions']} | {figure['length']:,.0f}"
        lines.append(f"| {game.title} | {shape} | {speeds} |")
    peers: Any = figures["peers"]
    lines = lines * bool(games) + [""] * bool(games and peers)
    lines += [
        f"{name}: {f'{figure:,.0f} decisions/s' if figure else 'not installed'}" for name, figure in peers.items()
    ]
    return "\n".join(lines + [f"{name}: {figures[name]:.1f}" for name in RATIOS if figures[name] is not None])


def read_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*(game.id for game in quintain.all_games() if game.folder), *peers(1)]
    parser.add_argument("--only", nargs="+", default=[], choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--games", type=int, default=GAMES, help=f"games of a batch ({GAMES} if not given)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"length of a slice ({SECONDS} if not given)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"number of slices of each ({ROUNDS} if not given)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    if min(arguments.games, arguments.rounds) < 1 or arguments.seconds <= 0:
        parser.error("--games and --rounds take numbers from 1, and --seconds more than 0")
    return arguments


def main() -> None:
    """Measure and print."""
    arguments = read_arguments()
    figures = measure(arguments.games, arguments.only, arguments.seconds, arguments.rounds)
    if arguments.json:
        print(json.dumps(figures))
    else:
        print(as_text(figures))


if __name__ == "__main__":
    main()
